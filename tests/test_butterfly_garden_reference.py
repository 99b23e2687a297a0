"""The compiled Butterfly Garden against its slow reference, step by step over games of several styles.

Both are asked the same at every node: the choices, the events and how likely they are, the points and where they come
from, the places, and what each observer sees. A key of the compiled game is a hash of what an observer knows. The reference
says what he sees now; what is left behind by cards that went back unseen, and by reshuffles, is in fields of the compiled
game's own: `memory`, `shuffles`, and `from` of a hand. So a key stands for what the reference says together with those, and
where there are none for what the reference says alone: over all states met, the two must be in one-to-one correspondence.
That those fields hold what they should is found out in test_butterfly_garden_knowledge.py.

With small decks rare things are frequent. `Happened` counts what has come up, and the tests say what must have been met.
"""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from typing import Any

import battery
import pytest
from battery import OTHER_CHOICE, plain, told
from garden_core.state import Game
from reference.butterfly_garden import DELIVERIES, HAND, JAR, ROUNDS, Choice, Delivery, Reference, components_of

import garden_ai
from garden_ai import CHANCE, PUBLIC, TERMINAL
from garden_ai.games import definition

# What may happen in a game.
USED = {power: f"/{power} is used" for power in ("dr", "sw", "to")}
SKIPPED = {power: f"/{power} is not used" for power in ("dr", "sw", "to")}
IDLE = {power: f"/{power} could do nothing" for power in ("dr", "sw", "to")}
PLAYED_OUT = "a card with the icon to deliver it is played"
DRAWN_OUT = "a card with the icon to deliver it is drawn into the jar"
TWICE = "such a card and a delivery in one turn"
TOO_FULL = {
    "sw": "the jar is too full after an exchange",
    "to": "the jar is too full after a card from the deck",
    "put": "the jar is too full after the card played",
}
BOTH_CHECKS = "the jar is too full twice in a turn"
TWO_OUT = "two cards are discarded one after another"
SAME_OUT = "the same two in the other order"
RESHUFFLED = {phase: f"the deck is made anew for {phase}" for phase in ("draw", "top", "field")}
FROM_ALL = "cards of the deck, the bottom and the discards come to the field at once"
TURNED_UP = {"top": "a card of the bottom goes into a jar", "field": "a card of the bottom comes to the field"}
DRAWN_AGAIN = "a card of the bottom is drawn by who returned it"
DRAWN_BY_OTHER = "a card of the bottom is drawn by another"
TWO_BELOW = "two cards at the bottom"
DOUBTFUL = "a known card may have gone back"
CERTAIN_AGAIN = "it turns out that it has not"
FIELD_SHORT = "the field cannot be filled"
USED_UP = "the last delivery is earned"
FEWER = "fewer deliveries are available than usual"
LONG = "the game is over after the last round"
GOAL = "the goal is reached"
GOAL_BY_TWO = "the goal is reached by two"
PASSED = "the first to reach the goal does not win"
BY_JAR = "a tie is broken by the jar"
BY_HAND = "a tie is broken by the hand"
BY_NUMBER = "a tie is broken by the lowest number"
BARRED = "the second of two has nothing on his side"
OTHER_SIDE = "the first of two takes the other's side"
BOTH_SIDES = "both sides are vacated, that of seat 1 first"
SAME_KIND = "two deliveries of a kind are available"
WILD = "a rainbow stands for a colour"
RAINBOW = "a rainbow that must be"
OVERPAID = "more butterflies than needed"
WAYS = "several payments for one delivery"
ALIKE = "two payments of the same butterflies"
ONE_COLOUR = "two pairs of one colour"
FORGOTTEN = "too much has happened to cards that went back"

THINGS = (
    *USED.values(), *SKIPPED.values(), *IDLE.values(), PLAYED_OUT, DRAWN_OUT, TWICE, *TOO_FULL.values(), BOTH_CHECKS, TWO_OUT,
    SAME_OUT, *RESHUFFLED.values(), FROM_ALL, *TURNED_UP.values(), DRAWN_AGAIN, DRAWN_BY_OTHER, TWO_BELOW, DOUBTFUL,
    CERTAIN_AGAIN, FIELD_SHORT, USED_UP, FEWER, LONG, GOAL, GOAL_BY_TWO, PASSED, BY_JAR, BY_HAND, BY_NUMBER, BARRED, OTHER_SIDE,
    BOTH_SIDES, SAME_KIND, WILD, RAINBOW, OVERPAID, WAYS, ALIKE, ONE_COLOUR, OTHER_CHOICE, FORGOTTEN,
)

# How moves are picked.
STYLES = RANDOM, GREEDY, HOARDING = "random", "greedy", "hoarding"

# Cards of three butterflies fill the jars, so that small decks come round again and again.
FULL_CARDS = "W R/dr YYR/to BBB/dr GGG/sw YBG/dr PPR/to Y/de2 RRP/dr GG/sw WYY/to BP/dr YYY/dr G/de3 WW/sw PPG/to"
CHEAP = (
    Delivery("Y+any", 5), Delivery("2 of a kind", 3, 4), Delivery("2 pairs", 6, 2), Delivery("W+any", 2, 2),
    Delivery("any+any+any", 4, 3), Delivery("W+Y", 7), Delivery("R+B", 4, 2), Delivery("4 of a kind", 9),
)
FEW = (Delivery("any+any", 2, 2), Delivery("Y", 1, 2), Delivery("2 pairs", 5, 2))
NEVER = (Delivery("W+W+W+W", 20, 6),)


@dataclass(frozen=True)
class Setting:
    """A game and what must happen in it; with the components of its own where it names cards."""

    players: int
    happens: tuple[str, ...]
    faces: str = ""
    deliveries: tuple[Delivery, ...] = DELIVERIES
    goal: int = 50
    games: int = 6
    less_luck: bool = False
    letters: str = "random"

    def __str__(self) -> str:
        luck = f"-less_luck-{self.letters}" if self.less_luck else ""
        return f"{self.players}{luck}-{len(self.faces.split()) or 60}-{self.goal}-{len(self.deliveries)}"

    def load(self) -> Game:
        options = {"less_luck": self.less_luck, "letters": self.letters}
        if not self.faces:
            return garden_ai.load("butterfly_garden", self.players, **options)
        components = components_of(self.players, self.faces, self.deliveries, self.goal)
        return definition("butterfly_garden").load(self.players, options, components)


def cards(count: int) -> str:
    """So many of the small set's, over and over."""
    return " ".join((4 * FULL_CARDS.split())[:count])


POWERS = (*USED.values(), *SKIPPED.values())
SETTINGS = [
    # as printed
    Setting(2, (*POWERS, PLAYED_OUT, TOO_FULL["put"], GOAL, LONG, WILD, OVERPAID, WAYS, OTHER_SIDE, FORGOTTEN), games=3),
    Setting(3, (*POWERS, PLAYED_OUT, GOAL, SAME_KIND), games=2),
    Setting(4, (*USED.values(), PLAYED_OUT, GOAL), games=2),
    Setting(5, (*USED.values(), GOAL), games=2),
    Setting(6, (*USED.values(), GOAL), games=2),
    Setting(2, (*USED.values(), DOUBTFUL), games=2, less_luck=True),
    Setting(3, (*USED.values(), DOUBTFUL), games=2, less_luck=True, letters="in_order"),
    Setting(6, (*USED.values(), DOUBTFUL), games=2, less_luck=True),
    # small decks
    Setting(2, (*TURNED_UP.values(), *RESHUFFLED.values(), DRAWN_AGAIN, DRAWN_BY_OTHER, TWO_BELOW, CERTAIN_AGAIN,
                *TOO_FULL.values(), BARRED, BOTH_SIDES, ONE_COLOUR, TWICE, TWO_OUT), cards(16), CHEAP, games=24),
    Setting(2, (*IDLE.values(), FIELD_SHORT), cards(11), CHEAP, games=24),
    Setting(2, (USED_UP, FEWER, BY_JAR, DRAWN_AGAIN), cards(14), FEW, games=24),
    Setting(3, (*TURNED_UP.values(), RESHUFFLED["field"], DRAWN_BY_OTHER, SAME_KIND, ALIKE), cards(22), CHEAP, 30, games=12),
    Setting(3, (USED_UP, FEWER, BY_JAR, BY_HAND), cards(20), FEW, games=18),
    Setting(4, (RESHUFFLED["field"], GOAL, GOAL_BY_TWO, PASSED), cards(28), CHEAP, 10, games=16),
    Setting(5, (RESHUFFLED["field"], DRAWN_BY_OTHER, FROM_ALL, BY_NUMBER), cards(34), CHEAP, 40, games=6),
    Setting(6, (FIELD_SHORT,), cards(25), NEVER, games=8),
    Setting(6, (RESHUFFLED["field"], GOAL_BY_TWO), cards(41), CHEAP, 8, games=8),
]


class Both(battery.BothInStyles):
    """See battery; views, events that are not listed, and what happens in a turn."""

    styles = STYLES

    # --- comparisons ---

    def apply(self, step: tuple[Any, ...]) -> None:
        before, remembered = self.slow.copy(), self.remembered()
        self.state.apply(self.game.step_id(self.state, step))
        self.slow.apply(step)
        if self.remembered() < remembered and (self.slow.bottom or self.slow.blurred):
            # what happened to cards that went back is not kept for ever
            self.happened.counts[FORGOTTEN] += 1
            self.slow.forget()
        self.compare()
        self.note(before, step)

    def remembered(self) -> int:
        """Events that the compiled game keeps since a card went back unseen."""
        return len(self.state.view(PUBLIC).get("memory", {}).get("events", []))

    def compare(self) -> None:
        super().compare()
        state, slow = self.state, self.slow
        assert self.game.phase(state) == slow.phase
        assert state.simultaneous == slow.simultaneous()
        assert state.components() == slow.components()
        for observer, pairing in self.happened.pairings.items():
            view, fields = state.view(observer), slow.fields(observer)
            remembered = {name: view.pop(name) for name in ("memory", "shuffles") if name in view}
            remembered["from"] = [hand.pop("from", None) for hand in view["hands"]]
            assert view == fields
            pairing.add(state.key(observer), hash(plain({**told(fields, observer, "choose", "played"), **remembered})))

    def compare_steps(self) -> list[Any]:
        """Of events that are too many to be listed some are tried."""
        if self.state.actor != CHANCE or self.state.outcomes() is not None:
            return super().compare_steps()
        slow = self.slow
        sure, pool, count = (set(), slow.deck, HAND) if slow.phase == "hands" else slow.field_drawn()
        assert comb(len(pool), count) > slow.setup.listed
        dice = random.Random(self.happened.nodes)
        for _ in range(20):
            drawn = tuple(sorted({*sure, *dice.sample(range(len(slow.setup.cards)), count)}))
            step = ("hand", slow.dealt_to(), drawn) if slow.phase == "hands" else ("field", drawn)
            outcome = self.game.step_id(self.state, step)
            assert self.state.is_legal(outcome) == slow.is_legal(step)
            assert self.game.step(self.state, outcome) == step or not slow.is_legal(step)
        return []

    # --- games ---

    def walk(self, dice: random.Random, style: str) -> "Both":
        """To the end of the game; now and then with another hidden choice or draw, or from the state as it is written."""
        reached: list[int] = []
        while self.state.actor != TERMINAL:
            reached = reached or [seat for seat, score in enumerate(self.slow.scores()) if score >= self.slow.setup.goal]
            if self.slow.phase in ("choose", "draw", "return") and dice.random() < 0.2:
                self.otherwise(dice)
            if self.slow.phase == "discard" and dice.random() < 0.5:
                self.exchanged(dice)
            if dice.random() < 0.1:
                self.rebuild()
            self.apply(self.drawn(dice) if self.state.actor == CHANCE else self.pick(dice, style))
        self.happened.counts[PASSED] += any(self.slow.placing()[seat] > 1 for seat in reached)
        self.note_end()
        return self

    def exchanged(self, dice: random.Random) -> None:
        """Two cards out of the jar in either order."""
        one, other = self.copy(), self.copy()
        first = dice.choice(self.slow.choices())
        one.apply(first)
        if one.slow.phase == "discard" and one.slow.put == self.slow.put:
            second = dice.choice(one.slow.choices())
            one.apply(second)
            other.apply(second)
            if other.slow.phase == "discard" and other.slow.put == self.slow.put:
                other.apply(first)
                assert one.state == other.state
                self.happened.counts[SAME_OUT] += 1

    def pick(self, dice: random.Random, style: str) -> Choice:
        """By chance; a delivery where there is one, the best; or none at all, and every power used."""
        worth = {"greedy": self.points_after, "hoarding": self.use}.get(style)
        return self.best(worth, dice)

    def use(self, step: Choice) -> int:
        return -1 if step[0] == "deliver" else 0 if step[0] == "skip" else 1

    # --- what has happened ---

    def note(self, before: Reference, step: tuple[Any, ...]) -> None:
        """After a step; `before` is the reference before it."""
        counts, after = self.happened.counts, self.slow
        self.note_knowledge(before, step)
        power = before.setup.power(before.card_played()) if before.phase in ("capture", "power", "discard", "deliver") else ""
        match step:
            case ("use",) | ("exchange", *_):
                counts[USED[power]] += 1
            case ("skip",) if before.phase == "power":
                counts[SKIPPED[power]] += 1
            case ("capture", _):
                mover = before.mover()
                counts[BARRED] += before.setup.sides and before.vacated == (mover,) and before.turn == 1
                counts[PLAYED_OUT] += power == "de"
                if power in IDLE and after.phase != "power":
                    counts[IDLE[power]] += 1
            case ("top", card):
                counts[DRAWN_OUT] += before.setup.power(card) == "de"
                counts[TWICE] += before.setup.power(card) == "de" and after.phase == "deliver"
            case ("discard", _):
                counts[TWO_OUT] += after.phase == "discard" and after.put == before.put
                counts[BOTH_CHECKS] += after.phase == "discard" and after.put != before.put
            case ("deliver", place, paid):
                self.note_delivery(before, place, paid)
        if after.phase == "discard" and before.phase != "discard":
            counts[TOO_FULL["put" if after.put else after.setup.power(after.card_played())]] += 1
        if after.phase in ("field", "deliveries", "over"):
            assert {len(hand) for hand in after.hands} == {HAND}
        assert after.phase in ("power", "draw", "top", "discard") or max(map(self.fill, after.jars)) <= JAR
        counts[FEWER] += after.phase == "choose" != before.phase and None in after.available

    def fill(self, jar: Iterable[int]) -> int:
        return len(self.slow.setup.butterflies(*jar))

    def note_knowledge(self, before: Reference, step: tuple[Any, ...]) -> None:
        counts, after = self.happened.counts, self.slow
        from_bottom = not before.deck and len(before.bottom) > 0
        match step[0]:
            case "draw" if from_bottom:
                counts[DRAWN_AGAIN if before.bottom[0][0] == before.mover() else DRAWN_BY_OTHER] += 1
            case "top" if from_bottom:
                counts[TURNED_UP["top"]] += 1
            case "field":
                counts[TURNED_UP["field"]] += len(after.bottom) < len(before.bottom)
                counts[FROM_ALL] += bool(before.deck and before.bottom and before.discards and not after.discards)
        if before.discards and not after.discards:
            counts[RESHUFFLED[before.phase]] += 1
        counts[TWO_BELOW] += len(after.bottom) > 1 and len(after.bottom) > len(before.bottom)
        counts[DOUBTFUL] += sum(map(len, after.doubtful)) > sum(map(len, before.doubtful))
        counts[CERTAIN_AGAIN] += sum(map(len, after.known)) > sum(map(len, before.known)) + (step[0] in ("capture", "exchange"))
        assert all(known <= hand for known, hand in zip(after.known, after.hands, strict=True))

    def note_delivery(self, before: Reference, place: int, paid: tuple[int, ...]) -> None:
        counts, setup = self.happened.counts, before.setup
        kind = before.available[place] if setup.sides else place
        assert kind is not None
        delivery, butterflies = setup.deliveries[kind], setup.butterflies(*paid)
        colours = Counter(butterflies.replace("W", ""))
        ways = [cards for _, where, cards in before.deliveries() if where == place]
        paid_with = ["".join(sorted(setup.butterflies(*cards))) for cards in ways]
        counts[TWICE] += setup.power(before.card_played()) == "de"
        counts[WILD] += "W" in butterflies and "W" not in delivery.slots
        counts[RAINBOW] += "W" in delivery.slots
        needed = len(delivery.slots) or {"2 pairs": 4}.get(delivery.needs) or int(delivery.needs[0])
        counts[OVERPAID] += len(butterflies) > needed
        counts[WAYS] += len(ways) > 1
        counts[ALIKE] += len(set(paid_with)) < len(paid_with)
        counts[ONE_COLOUR] += delivery.needs == "2 pairs" and len(colours) == 1
        counts[OTHER_SIDE] += setup.sides and place != before.mover()
        counts[BOTH_SIDES] += setup.sides and self.slow.vacated == (1, 0)
        counts[SAME_KIND] += not setup.sides and before.available.count(kind) > 1

    def note_end(self) -> None:
        slow, counts, happened = self.slow, self.happened.counts, Counter[str]()
        scores, ranks = slow.scores(), slow.ranks()
        reached = [seat for seat in slow.players if scores[seat] >= slow.setup.goal]
        happened[GOAL] += len(reached) > 0
        happened[GOAL_BY_TWO] += len(reached) > 1
        happened[USED_UP] += not slow.deliveries_left()
        happened[LONG] += slow.round == ROUNDS
        happened[FIELD_SHORT] += not reached and slow.deliveries_left() and slow.round < ROUNDS
        assert sum(happened.values()) > 0
        assert happened[FIELD_SHORT] == 0 or not slow.can_fill_field()
        assert {len(hand) for hand in slow.hands} == {HAND}
        for one, other in ((one, other) for i, one in enumerate(ranks) for other in ranks[:i]):
            differ = [a != b for a, b in zip(one, other, strict=True)].index(True)
            happened.update([("points", BY_JAR, BY_HAND, BY_NUMBER)[differ]])
        counts.update(happened)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_games(setting: Setting) -> None:
    happened = Both.play(setting.load(), range(setting.games))
    assert happened.missing(*setting.happens) == set()


@pytest.mark.slow
def test_many_games() -> None:
    """Of all settings."""
    counts: Counter[str] = Counter()
    nodes = sum(Both.play(setting.load(), range(30, 32 + setting.games), counts).nodes for setting in SETTINGS)
    assert nodes > 20_000
    assert {thing for thing in THINGS if not counts[thing]} == set()
