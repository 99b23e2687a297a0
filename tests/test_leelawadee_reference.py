"""The compiled Leelawadee against its slow reference, step by step over random games.

Both are asked the same at every node: the choices, the events and how likely they are, the points and where they come
from, the places, and who knows what. A key of the compiled game is a hash of what an observer knows, and the reference
says what that is in words, so over all states met the two must be in one-to-one correspondence.
"""

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import battery
import pytest
from garden_core.state import Game, State
from reference.leelawadee import Reference

import garden_ai
from garden_ai import ALL, CHANCE, TERMINAL

# Whole games a setting: with 24 settings of at least 900 nodes each more than 20,000 nodes in all.
GAMES = 30

SETTINGS: list[dict[str, Any]] = [
    {},
    {"open_draws": True},
    {"bid_for_start": True},
    {"bid_for_start": True, "bid_max": 2, "open_draws": True},
    {"attract": "best-group"},
    {"first": 1},
    {"shapes": True, "attract": "fresh-group"},
    {"shapes": True, "attract": "best-group", "bid_for_start": True, "bid_max": 1},
]

def label(options: dict[str, Any]) -> str:
    return "-".join(f"{name}={value}" for name, value in options.items()) or "default"


# Gardens of four shapes: a square of 16, one with a hole and an isolated spot, a narrow one, a bent one.
SHAPES = """[gardens]
standing = "assumed"
shapes = [
    ["....", "....", "....", "...."],
    ["... .", ". ...", "....."],
    [".", ".", ".", ".", ".", ".", ".", ".", ".", "."],
    ["..   ", "...  ", " ....", "  ..."],
]
"""


def load(players: int, options: dict[str, Any], folder: Path) -> Game:
    options = dict(options)
    if not options.pop("shapes", False):
        return garden_ai.load("leelawadee", players=players, **options)
    own = (Path(garden_ai.__file__).parent / "games" / "leelawadee" / "components.toml").read_text(encoding="utf-8")
    file = folder / "components.toml"
    file.write_text(own[: own.index("[gardens]")] + SHAPES, encoding="utf-8")
    return garden_ai.load("leelawadee", players=players, components=file, **options)


def known(slow: Reference, observer: int, everybody: tuple[Any, ...]) -> tuple[Any, ...]:
    """What an observer knows, in the reference's words; `everybody` is the open information.

    In an open bidding the reference also tells who has bid so far. Choices made at the same time are only *applied* one
    after another, so this is no knowledge, and the keys of the others must not change with it.
    """
    bids = slow.bids_known(None if observer == ALL else observer)
    if slow.simultaneous() and observer != ALL:
        phase, _actor, round_, picks, holder, winner, _has_bid, *rest = everybody
        return phase, round_, picks, holder, winner, *rest, bids
    return *everybody, bids


class Both(battery.Both):
    """See battery; what happened is the pairing of knowledge and keys for each observer."""

    def compare(self) -> None:
        super().compare()
        state, slow = self.state, self.slow
        assert self.game.phase(state) == slow.phase().replace("end", "over")
        assert state.simultaneous == slow.simultaneous()
        for mine, its in zip(state.components(), slow.components(), strict=True):
            assert mine.pop("earlier rounds") == 0
            assert mine == its
        everybody = slow.open_information()
        for observer, pairing in self.happened.pairings.items():
            # the reference does not hold an observer outside the game apart from one who sees nothing of his own
            pairing.add(state.key(observer), known(slow, observer, everybody))

    def walk(self, dice: random.Random) -> tuple[int, int]:
        """To the end of the game. The player in the middle of a round, who plants twice, does so in both orders.

        Returns the nodes compared and the pairs of orders that ended in one state.
        """
        nodes = same = 0
        while self.state.actor != TERMINAL:
            if self.state.actor == CHANCE:
                self.apply(self.drawn(dice))
                nodes += 1
                continue
            first = dice.choice(self.slow.choices())
            aside = self.copy()
            self.apply(first)
            nodes += 1
            if self.state.actor == aside.state.actor and self.slow.phase() == "plant":
                second = dice.choice(self.slow.choices())
                if aside.slow.is_legal(second):
                    aside.apply(second)
                    if aside.slow.is_legal(first):
                        aside.apply(first)
                        self.apply(second)
                        nodes += 3
                        same += self.state == aside.state
        return nodes, same


def compare_games(game: Game, seeds: Iterable[int]) -> tuple[int, Both]:
    both = Both.start(game)
    nodes = same = 0
    for seed in seeds:
        more, equal = both.restarted().walk(random.Random(seed))
        nodes += more
        same += equal
    # the pairing proves something where states are met again
    assert same > 0
    assert both.happened.pairings[ALL].met_again >= same
    return nodes, both


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", SETTINGS, ids=label)
def test_random_games(players: int, options: dict[str, Any], tmp_path: Path) -> None:
    nodes, _ = compare_games(load(players, options, tmp_path), range(GAMES))
    assert nodes > 900


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", SETTINGS, ids=label)
def test_many_random_games(players: int, options: dict[str, Any], tmp_path: Path) -> None:
    compare_games(load(players, options, tmp_path), range(1000, 1000 + 5 * GAMES))


@pytest.mark.parametrize("players", [2, 3])
def test_all_bids(players: int) -> None:
    """Every line of a small bidding: keys, ties and who pays, for every observer."""
    both = Both.start(garden_ai.load("leelawadee", players=players, bid_for_start=True, bid_max=2))
    both.apply(("draw", (2 * players - 4, 1, 1, 1, 1)))
    lines = [both]
    while lines:
        here = lines.pop()
        if here.slow.phase() == "plant":
            continue
        for step in [*here.slow.choices(), *(event for event, _ in here.slow.events())]:
            there = here.copy()
            there.apply(step)
            lines.append(there)
    assert all(pairing.met_again for pairing in both.happened.pairings.values())
    # bids of the others, and even that they have bid, do not tell: nothing but one's own bid, or none
    seat = {key for key, information in both.happened.pairings[0].forth.items() if information[0] == "bid"}
    assert len(seat) == 1 + 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_withdraw(players: int) -> None:
    game = garden_ai.load("leelawadee", players=players, bid_for_start=True)
    both = Both.start(game)
    both.state.draw(4)
    both.slow.apply(("draw", drawn(both.state)))
    both.compare()
    for bid in (3, 20, 0)[: players - 1]:
        both.apply(("bid", bid))
        other = both.copy()
        other.state.withdraw()
        other.slow.withdraw()
        other.compare()
        assert other.state.actor == 0
    both.apply(("bid", 1))
    both.state.withdraw()
    both.slow.withdraw()
    both.compare()


def drawn(state: State) -> tuple[int, ...]:
    table = state.view(ALL)["table"]
    return tuple(table.count(letter) for letter in "YORPB")
