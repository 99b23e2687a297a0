"""The compiled Flowerpower against its slow reference, step by step over random games.

Both are asked the same at every node: the choices, the events and how likely they are, the beds, the points and where
they come from, the places, and who knows what. A key of the compiled game is a hash of what an observer knows, and the
reference says what that is in plain data, so over all states met the two must be in one-to-one correspondence.

On small boards, which a component file gives, rare things are frequent: `Happened` counts them, and each setting says
which of them it is there for.
"""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import battery
import pytest
from battery import component_file, flowerpower_setup
from garden_core.state import Game
from reference.flowerpower import LETTERS, NOBODY, UNKNOWN, Bed, Choice, Event, Reference, Setup, Spot, Tile, beds_of

import garden_ai
from garden_ai import ALL, CHANCE, PUBLIC, TERMINAL

# What must have happened in the games of a setting.
WEED = "a weed is laid"
ONLY_WEEDS = "nothing but weeds can be placed"
WEED_IDLE = "out with a weed left and room for it"
ALONE = "one is out, the other goes on"
BOTH_OUT = "nobody can place the next tile"
BAG_EMPTY = "the bag is empty"
BY_BEDS = "a tie of points is broken by beds"
DRAWN = "a draw"
FULL = "the board is full"
OTHER_ORDER = "the same state in another order"
OTHER_TILE = "the same weed with another tile"


@dataclass(frozen=True)
class Setting:
    """A variant, on the printed board or on one of `board` (columns, rows a side, rows of the strip)."""

    players: int
    options: dict[str, Any]
    happens: tuple[str, ...]
    board: tuple[int, int, int] = (14, 6, 3)
    tiles: tuple[int, int] = (1, 2)  # of each double, of each mixed pair
    games: int = 1

    def __str__(self) -> str:
        options = [f"{name}={value}" for name, value in self.options.items()]
        return "-".join([str(self.players), *options, "x".join(map(str, self.board)), *map(str, self.tiles)])

    def load(self, folder: Path) -> Game:
        names = ("columns", "side_rows", "strip_rows", "doubles", "mixed")
        file = component_file("flowerpower", folder, **dict(zip(names, self.board + self.tiles, strict=True)))
        return garden_ai.load("flowerpower", players=self.players, components=file, **self.options)


SETTINGS = [
    # the printed board
    Setting(2, {}, (WEED, ALONE, BOTH_OUT, OTHER_ORDER, OTHER_TILE), games=2),
    Setting(2, {"weeds": "open"}, (WEED, BOTH_OUT, OTHER_ORDER, OTHER_TILE)),
    Setting(2, {"weeds": "none"}, (BOTH_OUT, OTHER_ORDER)),
    Setting(2, {"weed_counts_as_legal": False, "first": 1}, (WEED, BOTH_OUT, OTHER_ORDER, OTHER_TILE)),
    Setting(2, {"tiles": "misprint2001", "first": 0}, (WEED, BOTH_OUT, OTHER_ORDER, OTHER_TILE)),
    Setting(2, {}, (WEED, BAG_EMPTY, OTHER_ORDER, OTHER_TILE), tiles=(1, 1)),
    Setting(1, {}, (BOTH_OUT, OTHER_ORDER)),
    Setting(1, {"tiles": "misprint2001"}, (BOTH_OUT, OTHER_ORDER)),
    Setting(1, {}, (BAG_EMPTY, OTHER_ORDER), tiles=(1, 1)),
    # the largest
    Setting(2, {}, (WEED, BAG_EMPTY), (15, 8, 0)),
    Setting(1, {}, (BAG_EMPTY,), (15, 8, 0)),
    # small ones
    Setting(2, {}, (WEED, ONLY_WEEDS, ALONE, BOTH_OUT, BY_BEDS, DRAWN, FULL, OTHER_ORDER, OTHER_TILE), (4, 2, 1), games=25),
    Setting(2, {"weed_counts_as_legal": False, "first": 0},
            (WEED, WEED_IDLE, ALONE, BOTH_OUT, BY_BEDS, DRAWN, OTHER_ORDER, OTHER_TILE), (4, 2, 1), games=25),
    Setting(2, {"weeds": "open", "first": 1},
            (WEED, ONLY_WEEDS, ALONE, BOTH_OUT, BY_BEDS, DRAWN, OTHER_TILE), (3, 2, 2), games=25),
    Setting(2, {"weeds": "none", "tiles": "misprint2001"}, (ALONE, BOTH_OUT, BY_BEDS, DRAWN), (5, 2, 1), games=25),
    Setting(2, {}, (WEED, ONLY_WEEDS, ALONE, BOTH_OUT, BY_BEDS, DRAWN, OTHER_TILE), (2, 3, 3), games=25),
    Setting(2, {}, (WEED, ONLY_WEEDS, ALONE, BOTH_OUT, BY_BEDS, DRAWN, OTHER_TILE), (6, 1, 1), games=25),
    Setting(1, {}, (BOTH_OUT, FULL, OTHER_ORDER), (4, 2, 1), games=25),
    Setting(1, {"tiles": "misprint2001"}, (BOTH_OUT, FULL, OTHER_ORDER), (3, 1, 2), games=25),
]


def seen_by(slow: Reference, observer: int) -> dict[str, Any]:
    """What an observer knows, in the reference's words."""
    return slow.view(None if observer == ALL else observer)


def frozen(data: Any) -> Any:
    """Plain data as something that can be looked up."""
    if isinstance(data, dict):
        return tuple((key, frozen(data[key])) for key in sorted(data))
    return tuple(map(frozen, data)) if isinstance(data, list) else data


# --- what the fields of a view must say ---


def cell_name(row: int, column: int) -> str:
    return f"{'abcdefghijklmno'[column]}{row + 1}"


def spot_name(spot: Spot) -> str:
    return "-".join(cell_name(*cell) for cell in spot)


def tile_text(tile: Any) -> str:
    return "hidden" if tile == UNKNOWN else "/".join(LETTERS[variety] for variety in tile)


def unseen_text(tiles: dict[Tile, int]) -> dict[str, str]:
    """By the tiles' first letters: the second letters of those that are not seen."""
    texts = dict.fromkeys(LETTERS, "")
    for (one, other), count in tiles.items():
        texts[LETTERS[one]] += LETTERS[other] * count
    return texts


def fields_of(setup: Setup, known: dict[str, Any]) -> dict[str, Any]:
    """The fields as they are documented, from what the reference says the observer knows."""
    rows = [["."] * setup.columns for _ in range(setup.rows)]
    for (row, column), variety in known["flowers"].items():
        rows[row][column] = LETTERS[variety]
    for row, column in (cell for weeds in known["weeds"] for spot in weeds for cell in spot):
        rows[row][column] = "#"
    fields = {
        "to_move": known["actor"],
        "phase": known["phase"],
        "rows": list(map("".join, rows)),
        "out": known["out"],
        "bag": known["bag"],
        "unseen": unseen_text(known["unseen"]),
    }
    if setup.players == 2 and known["mover"] != NOBODY:
        fields["turn"] = known["mover"]
    if known["tile"] is not None:
        fields["tile"] = tile_text(known["tile"])
    if setup.players == 2 and setup.weeds != "none":
        fields["weeds"] = [[{"at": spot_name(spot), "tile": tile_text(tile)} for spot, tile in weeds.items()]
                           for weeds in known["weeds"]]
        fields["weeds_left"] = known["weeds left"]
    return fields


def in_order(fields: dict[str, Any]) -> dict[str, Any]:
    """With the weeds of each player in one order, whichever that is."""
    if "weeds" not in fields:
        return fields
    return {**fields, "weeds": [sorted(weeds, key=lambda weed: weed["at"]) for weeds in fields["weeds"]]}


def all_fields(slow: Reference) -> dict[str, Any]:
    return in_order(fields_of(slow.setup, slow.view(None)))


def compare_beds(game: Game, rows: list[str], slow: list[Bed]) -> None:
    beds = game.beds(rows)
    sizes = [len(cells) for _, cells, *_ in beds]
    assert sizes == sorted(sizes, reverse=True)
    expected = [(bed.variety, list(bed.cells), bed.counts, bed.owner, bed.points) for bed in slow]
    assert sorted((variety, sorted(cells), *rest) for variety, cells, *rest in beds) == sorted(expected)


class Both(battery.BothInStyles):
    """See battery; views, beds and what else there is to Flowerpower; every other game is one of many weeds."""

    styles = (0.0, 0.6)

    # --- comparisons ---

    def compare(self) -> None:
        super().compare()
        state, slow = self.state, self.slow
        assert self.game.phase(state) == slow.phase()
        assert not state.simultaneous
        assert state.components() == slow.components()
        compare_beds(self.game, state.view(ALL)["rows"], slow.beds())
        for observer, pairing in self.happened.pairings.items():
            known = seen_by(slow, observer)
            assert in_order(state.view(observer)) == in_order(fields_of(slow.setup, known))
            pairing.add(state.key(observer), repr(known))

    def compare_steps(self) -> list[Any]:
        # the two cells, and the two flowers of a draw, may come in either order
        steps = super().compare_steps()
        for kind, *values in steps:
            step_id = self.game.step_id
            assert step_id(self.state, (kind, *values[::-1])) == step_id(self.state, (kind, *values))
        return steps

    # --- games ---

    def walk(self, dice: random.Random, weed_share: float) -> "Both":
        """To the end of the game, with so many weeds where they can be laid; now and then by two ways to the same."""
        while self.state.actor != TERMINAL:
            if self.state.actor != CHANCE:
                self.note_turn()
                self.apply(self.pick(dice, weed_share))
            elif self.slow.phase() == "draw" and dice.random() < 0.15:
                self.cross(dice, weed_share)
            else:
                self.apply(self.drawn(dice))
        self.note_end()
        return self

    def pick(self, dice: random.Random, weed_share: float) -> Choice:
        choices = self.slow.choices()
        weeds = [choice for choice in choices if choice[0] == "weed"]
        return dice.choice(weeds if weeds and dice.random() < weed_share else choices)

    def cross(self, dice: random.Random, weed_share: float) -> None:
        """Some turns, and the same with the first and the last of them exchanged: the state must be the same.

        And each turn with another tile in hand and, if it is a weed, under it: what others know must be the same.
        """
        aside, turns = self.copy(), []
        for _ in range(self.game.players + 1):
            if self.slow.phase() != "draw":
                break
            before = self.copy()
            draw = dice.choice(self.draws())
            self.apply(draw)
            self.note_turn()
            choice = self.pick(dice, weed_share)
            turns.append((draw, choice))
            other = dice.choice(before.draws())
            before.apply(other)
            if choice[0] == "weed":
                before.apply(choice)
                self.happened.counts[OTHER_TILE] += other != draw
            self.apply(choice)
        for draw, choice in [turns[-1], *turns[1:-1], turns[0]] if len(turns) > 1 else turns:
            for step in (draw, choice):
                if not aside.slow.is_legal(step):
                    return
                aside.apply(step)
        if frozen(aside.slow.view(None)) == frozen(self.slow.view(None)):
            assert aside.state == self.state
            self.happened.counts[OTHER_ORDER] += turns[0] != turns[-1]

    def draws(self) -> list[Event]:
        return [event for event, _ in self.slow.events()]

    # --- what has happened ---

    def note_turn(self) -> None:
        """Before a choice."""
        slow, counts = self.slow, self.happened.counts
        kinds = {choice[0] for choice in slow.choices()}
        out = [not slow.can_place(player) for player in range(slow.setup.players)]
        counts[WEED] += "weed" in kinds
        counts[ONLY_WEEDS] += kinds == {"weed"}
        counts[ALONE] += any(out)
        counts[WEED_IDLE] += any(gone and any(slow.weed_spots(player)) for player, gone in enumerate(out))

    def note_end(self) -> None:
        slow, counts = self.slow, self.happened.counts
        counts[BAG_EMPTY] += sum(slow.bag.values()) == 0
        counts[BOTH_OUT] += sum(slow.bag.values()) > 0 and slow.mover() == NOBODY
        counts[FULL] += len(slow.flowers) + 2 * sum(map(len, slow.weeds)) >= slow.setup.rows * slow.setup.columns - 1
        if slow.setup.players == 2:
            tie = len(set(slow.scores())) == 1
            counts[BY_BEDS] += tie and len(set(slow.placing())) == 2
            counts[DRAWN] += slow.placing() == [1, 1]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_random_games(setting: Setting, tmp_path: Path) -> None:
    happened = Both.play(setting.load(tmp_path), range(1, 1 + setting.games))
    assert happened.nodes > 120
    # one game of a kind does not show everything that may happen in it
    if setting.games > 2:
        assert {thing for thing in setting.happens if not happened.counts[thing]} == set()


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_many_random_games(setting: Setting, tmp_path: Path) -> None:
    happened = Both.play(setting.load(tmp_path), range(1000, 1000 + (150 if setting.games > 2 else 8)))
    # with 17 settings more than 30,000 in all
    assert happened.nodes > 1000
    assert {thing for thing in setting.happens if not happened.counts[thing]} == set()


@pytest.mark.parametrize(("players", "options", "board"), [
    (2, {"first": 0}, (2, 1, 1)), (2, {"first": 1, "weed_counts_as_legal": False}, (2, 1, 1)), (1, {}, (2, 1, 1)),
    (2, {"first": 0}, (3, 1, 0)),
], ids=str)
def test_every_line_of_a_tiny_board(players: int, options: dict[str, Any], board: tuple[int, int, int],
                                    tmp_path: Path) -> None:
    """With every placement but three tiles only, of which two are alike but for one flower."""
    game = Setting(players, options, (), board).load(tmp_path)
    both = Both.start(game)
    lines = [both]
    ends = 0
    while lines:
        here = lines.pop()
        draws = [("draw", 0, 0), ("draw", 0, 1), ("draw", 1, 2)]
        steps = draws if here.slow.phase() == "draw" else here.slow.choices()
        for step in filter(here.slow.is_legal, steps):
            there = here.copy()
            there.apply(step)
            lines.append(there)
        ends += not steps
    assert ends > 10


@pytest.mark.parametrize("players", [1, 2])
def test_beds_of_any_board(players: int) -> None:
    """Boards that no game reaches, from many small beds to few large ones that wind over both sides."""
    game = garden_ai.load("flowerpower", players=players)
    setup = flowerpower_setup(game)
    for seed in range(150):
        dice = random.Random(seed)
        cells = [letter for letter in dice.sample(LETTERS, 10) for _ in range(20)] + ["."] * 10
        for _ in range(dice.choice([0, 5, 20, 60, 200])):
            one, other = dice.randrange(210), dice.randrange(210)
            cells[one], cells[other] = cells[other], cells[one]
        if seed % 2:
            rows = ["".join(cells[row * 14:row * 14 + 14]) for row in range(15)]
        else:
            rows = ["".join(cells[row::15]) for row in range(15)]
        flowers = {(r, c): LETTERS.index(it) for r, row in enumerate(rows) for c, it in enumerate(row) if it in LETTERS}
        compare_beds(game, rows, beds_of(setup, flowers))


@pytest.mark.parametrize("options", [{}, {"weeds": "open"}, {"weeds": "none"}], ids=str)
def test_a_redeal_is_one_of_the_deals(options: dict[str, Any], tmp_path: Path) -> None:
    """Wherever one tile is hidden from the observer."""
    game = Setting(2, {"first": 0, **options}, (), (4, 2, 1)).load(tmp_path)
    for seed in range(6):
        both, dice = Both.start(game), random.Random(seed)
        while both.state.actor != TERMINAL:
            both.apply(dice.choice(both.slow.choices() or both.draws()))
            for observer in (PUBLIC, 0, 1):
                if len(both.slow.hidden_weeds(observer)) + both.slow.hides_tile(observer) <= 1:
                    deals = {frozen(all_fields(deal)) for deal, _ in both.slow.deals(observer)}
                    for number in range(20):
                        assert frozen(in_order(both.state.redeal(observer, number).view(ALL))) in deals
