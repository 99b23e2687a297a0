"""What players of the Butterfly Garden know of cards they cannot see: redeals against every history that may have been.

A card that goes back to the deck unseen may be one that everybody knew, its place is known to who returned it, and it may
be drawn by somebody again. The enumerator beside the slow reference goes through all deals, draws and choices that agree
with what an observer has seen since the start; a redeal must be one of the states that they lead to, each as often as its
histories are likely. Decks are small here, so that the histories can be counted and reshuffles come soon.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pytest
from battery import Walk, assert_redeals, butterfly_garden_setup, plain
from garden_core.state import Game, State
from reference.butterfly_garden import Delivery, Reference, components_of, deals

from garden_ai import ALL, CHANCE, PUBLIC, TERMINAL
from garden_ai.games import definition

# What a position is about.
KNOWN_BELOW = "a known card may have gone back"
TWO_BELOW = "two cards that went back from one hand"
DRAWN_UNSEEN = "a card that went back was drawn by another, neither of them the observer"
DRAWN_AGAIN = "a card that went back was drawn by who returned it, not the observer"
OWN_DRAWN = "a card that the observer returned was drawn by another"
DRAWN_BY_HIM = "the observer drew a card that another returned"
TURNED_UP = "a card that went back came up openly"
SHUFFLED = "cards in hands since before the deck was made anew"
SEALED = "choices that are not shown"
CHOSEN_UNKNOWN = "a choice that is not shown, and a card that may have gone back"

THINGS = (
    KNOWN_BELOW, TWO_BELOW, DRAWN_UNSEEN, DRAWN_AGAIN, OWN_DRAWN, DRAWN_BY_HIM, TURNED_UP, SHUFFLED, SEALED, CHOSEN_UNKNOWN,
)

Places = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Setting:
    """A small deck, and games of it; every so many states are looked at."""

    players: int
    faces: str
    happens: tuple[str, ...]
    seeds: range
    stride: int
    less_luck: bool = False

    def __str__(self) -> str:
        return f"{self.players}-{len(self.faces.split())}{'-less_luck' * self.less_luck}"

    def load(self) -> Game:
        deliveries = [Delivery("any", 1, 6), Delivery("2 of a kind", 3, 4), Delivery("any+any", 2, 6)]
        components = components_of(self.players, self.faces, deliveries, 40)
        return definition("butterfly_garden").load(self.players, {"less_luck": self.less_luck}, components)


TEN = "Y/dr R/dr BB/dr GG/dr W YYY/dr P/dr RBG/dr GGG BBB/to"
THIRTEEN = "Y/dr R/dr BB/dr GG/dr W YYY/dr P/dr RBG/dr GGG/sw BBB/to PPP/dr YRB/dr RR/dr"
FOURTEEN = "Y/dr R/dr BB/dr GG/dr W YYY/dr P/dr RBG/dr GGG/sw BBB/to PPP/dr YRB/dr RRR/dr GGY/dr"
SIXTEEN = f"{FOURTEEN} W/dr YYB/to"

USUAL = (KNOWN_BELOW, TURNED_UP, SHUFFLED, SEALED)
SETTINGS = [
    Setting(2, TEN, USUAL, range(6), 4),
    Setting(2, TEN, USUAL, range(10), 3, less_luck=True),
    Setting(2, THIRTEEN, (*USUAL, OWN_DRAWN, DRAWN_BY_HIM), range(6), 7),
    Setting(2, THIRTEEN, (*USUAL, TWO_BELOW, DRAWN_UNSEEN, DRAWN_AGAIN, CHOSEN_UNKNOWN), range(8), 7, less_luck=True),
    Setting(3, FOURTEEN, (*USUAL, DRAWN_BY_HIM), range(6), 5),
    Setting(3, SIXTEEN, (*USUAL, DRAWN_UNSEEN, DRAWN_AGAIN, OWN_DRAWN, CHOSEN_UNKNOWN), range(6), 5, less_luck=True),
]


def places(state: State) -> Places:
    """Where cards are that somebody may not see."""
    view = state.view(ALL)
    below = (card["card"] for card in view.get("bottom", []))
    played = (card or 0 for card in view.get("played", []))
    return (*(tuple(hand["cards"]) for hand in view["hands"]), tuple(below), tuple(played))


def play(game: Game, seed: int) -> Walk:
    """By chance, but who may draw unseen does."""
    state = game.start()
    states, ids, dice = [state.copy()], [], random.Random(seed)
    while state.actor != TERMINAL:
        use = game.step_id(state, ("use",))
        if state.actor == CHANCE:
            ids.append(state.draw(dice.getrandbits(40)))
        else:
            ids.append(use if state.is_legal(use) else state.random_action(dice.getrandbits(40)))
            state.apply(ids[-1])
        states.append(state.copy())
    return Walk(states, ids)


class History:
    """A game, and what has happened in it to cards that went back."""

    def __init__(self, game: Game, path: Walk) -> None:
        self.game, self.path = game, path
        self.slow = Reference(butterfly_garden_setup(game))
        self.drawn: list[tuple[int, int]] = []   # from the bottom: who had returned it, and who drew it
        self.turned_up = False
        self.held: frozenset[int] = frozenset()   # unseen in hands when the deck was made anew last

    def go_on(self, i: int) -> None:
        """By one step."""
        step, slow = self.game.step(self.path.states[i], self.path.ids[i]), self.slow
        below, discards = slow.bottom, slow.discards
        if step[0] == "draw" and not slow.deck and below:
            self.drawn.append((below[0][0], slow.mover()))
        slow.apply(step)
        self.turned_up |= len(slow.bottom) < len(below) and step[0] != "draw"
        if discards and not slow.discards:
            self.held = frozenset().union(*self.unseen(slow.players)) - slow.deck

    def unseen(self, seats: Iterable[int]) -> list[frozenset[int]]:
        """Cards in these hands that not everybody knows."""
        return [self.slow.hands[seat] - self.slow.known[seat] for seat in seats]

    def about(self, observer: int) -> Iterator[str]:
        slow = self.slow
        others = [seat for seat in slow.players if seat != observer]
        if any(slow.doubtful[seat] for seat in others):
            yield KNOWN_BELOW
            if slow.phase == "choose" and any(slow.played[seat] is not None for seat in others):
                yield CHOSEN_UNKNOWN
        if any(count > 1 for seat, count in Counter(seat for seat, _ in slow.bottom).items() if seat != observer):
            yield TWO_BELOW
        for owner, drawer in self.drawn:
            if observer not in (owner, drawer):
                yield DRAWN_AGAIN if owner == drawer else DRAWN_UNSEEN
            elif owner != drawer:
                yield OWN_DRAWN if owner == observer else DRAWN_BY_HIM
        if self.turned_up:
            yield TURNED_UP
        if any(hand & self.held for hand in self.unseen(others)):
            yield SHUFFLED
        if slow.phase == "choose" and any(slow.played[seat] is not None for seat in others):
            yield SEALED


def compare(state: State, observer: int, found: dict[int, tuple[State, float]], most: int) -> None:
    """Redeals of a state with all that may be in its place."""
    view, key = plain(state.view(observer)), state.key(observer)
    assert state.key() in found
    assert all(plain(other.view(observer)) == view and other.key(observer) == key for other, _ in found.values())
    for seat, hand in enumerate(state.view(observer)["hands"]):
        assert all(set(hand["known"]) <= set(places(other)[seat]) for other, _ in found.values())
    expected = {number: probability for number, (_, probability) in found.items()}
    where = {number: places(other) for number, (other, _) in found.items()}
    count = min(most, max(200, 20 * len(found))) if len(found) > 1 else 3
    seen = assert_redeals(state, observer, count, expected, where)
    assert len(seen) == len(found) or 20 * len(found) > most


def compare_games(setting: Setting, seeds: range, stride: int, limit: int, most: int, counts: Counter[str]) -> int:
    """How many positions had something hidden that could be listed; what they were about is counted."""
    game, compared = setting.load(), 0
    for seed in seeds:
        path = play(game, seed)
        history = History(game, path)
        for i, state in enumerate(path.states):
            if i:
                history.go_on(i - 1)
            for observer in (PUBLIC, *range(game.players)) if i % stride == 0 else ():
                found = deals(game, path, i, observer, limit)
                if found is not None:
                    compare(state, observer, found, most)
                    if len(found) > 1:
                        counts.update(set(history.about(observer)))
                        compared += 1
    return compared


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_redeals_are_what_may_have_been(setting: Setting) -> None:
    counts: Counter[str] = Counter()
    assert compare_games(setting, setting.seeds, setting.stride, 250, 1200, counts) > 20
    assert {thing for thing in setting.happens if not counts[thing]} == set()


@pytest.mark.slow
def test_many_redeals_are_what_may_have_been() -> None:
    things: Counter[str] = Counter()
    total = sum(compare_games(setting, range(100, 100 + len(setting.seeds)), 5, 1200, 2500, things) for setting in SETTINGS)
    assert total > 1000
    assert set(things) == set(THINGS)
