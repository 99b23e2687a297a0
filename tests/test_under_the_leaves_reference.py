"""The compiled Under the Leaves against its slow reference, step by step over random and greedy games.

Both are asked the same at every node: the choices, the events and how likely they are, the points and where they come
from, the places, and what is known. A key of the compiled game is a hash of what an observer knows, and the reference
says what that is in plain data, so over all states met the two must be in one-to-one correspondence.

Random play hardly earns anything, so some games are played for points and some for what is rarer still. `Happened` counts
what has come up, and the tests say what must have been met.
"""

import random
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import battery
import pytest
from battery import component_file, find_definition
from garden_core.state import Game
from reference.under_the_leaves import (
    CARDS,
    FAMILIES,
    NOBODY,
    PUDDLE,
    Choice,
    Garden,
    Reference,
    Way,
    neighbours,
    spot_cells,
    spot_name,
    ways,
)

import garden_ai
from garden_ai import ALL, CHANCE, TERMINAL
from garden_ai.components import read_components

# What may happen in a game, beside that each card brings a dweller.
JOINED = "two pollinated areas are joined"
NEW_AND_JOINED = "a new area beside two that are joined"
TWO_NEW = "two new areas in one turn"
THREE_NEW = "three new areas in one turn"
MORE_BEES = "a new area brings a bee to another one"
BONUS_ROW = "a bonus for hummingbirds in a row"
BONUS_COLUMN = "a bonus for hummingbirds in a column"
BOTH_BONUSES = "three hummingbirds on a tile"
SQUARES = "a decision between squares that overlap"
THEN_ALONE = "a choice that leaves other squares alone, which come by themselves"
SAME_WAYS = "squares that lead to the same garden"
FRIENDS = "a decision between puddles"
MUSHROOM = "a decision between mushrooms"
AGAIN = "a second decision in the same family"
TWO_FAMILIES = "decisions in two families in one turn"
TWO_LINES = "two lines of mushrooms at once"
TWO_AT_ONCE = "two dwellers of a family at once"
DWELLERS_JOINED = "two areas or puddles with a dweller each are joined"
BY_BIRDS = "a tie of points is broken by hummingbirds"
BY_BEES = "a tie is broken by bees"
SHARED = "a shared place"
MOST_TIED = "two have most dwellers of a family"
NONE = "nobody has a dweller of a family"
OTHER_ORDER = "the same state in another order"
EARNED = {name: f"{name} earns" for names in CARDS.values() for name in names}

# How moves are picked.
STYLES = RANDOM, GREEDY, PATIENT, RING = "random", "greedy", "patient", "ring"
# A ring of tiles, and then the one in its middle: it completes up to eight squares.
PATH = ((0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (1, 1))

TRIPLES = [dict(zip(FAMILIES, triple, strict=True)) for triple in product(*(CARDS[family] for family in FAMILIES))]
# Each card once.
FOUR = [{family: CARDS[family][number] for family in FAMILIES} for number in range(4)]


def fields_of(slow: Reference, known: dict[str, Any]) -> dict[str, Any]:
    """The fields as they are documented, from what the reference knows."""
    fields = {
        "to_move": known["actor"],
        "phase": known["phase"],
        "market": [slow.setup.garden[tile] for tile in known["market"]],
        "bag": known["bag"],
        "gardens": [garden.written(slow.cards) for garden in slow.gardens],
    }
    if known["cards"]:
        fields["cards"] = known["cards"]
    if known["turn"] != NOBODY:
        fields["turn"] = known["turn"]
    if known["first"] != NOBODY:
        fields["first"] = known["first"]
    if known["last"] is not None:
        fields["last"] = spot_name(known["last"])
    return fields


class Both(battery.BothInStyles):
    """See battery; views, and what happens in a turn."""

    styles = STYLES

    def apply(self, step: tuple[Any, ...]) -> None:
        before = self.slow.copy()
        super().apply(step)
        if step[0] in ("place", "choose"):
            self.note_turn(before, step)

    def compare(self) -> None:
        super().compare()
        state, slow = self.state, self.slow
        assert self.game.phase(state) == slow.phase()
        assert not state.simultaneous
        assert state.components() == slow.components()
        view = slow.view()
        known, fields = repr(view), fields_of(slow, view)
        for observer, pairing in self.happened.pairings.items():
            assert state.view(observer) == fields
            pairing.add(state.key(observer), known)

    # --- games ---

    def walk(self, dice: random.Random, style: str) -> "Both":
        """To the end of the game; now and then by two ways to the same, and from the state as it is written."""
        while self.state.actor != TERMINAL:
            if self.slow.phase() == "place" and dice.random() < 0.1:
                self.cross(dice)
            elif dice.random() < 0.1:
                self.rebuild()
            elif self.state.actor != CHANCE:
                self.apply(self.pick(dice, style))
            else:
                self.apply(self.drawn(dice))
        self.note_end()
        return self

    def pick(self, dice: random.Random, style: str) -> Choice:
        """Of some moves one by chance, or the best one by a style of play."""
        if style == RANDOM or (self.slow.phase() == "choose" and style != GREEDY):
            return dice.choice(self.slow.choices())
        ids = self.state.legal_actions().tolist()
        if style == RING:
            spots = self.slow.gardens[self.state.actor].spots
            spot = next((spot for spot in PATH if spot not in spots), None)
            ids = [action for action in ids if spot in self.game.step(self.state, action)] or ids
        garden = self.state.view(ALL)["gardens"][self.state.actor]
        best = max(
            dice.sample(ids, min(len(ids), 80)),
            key=lambda action: (self.gain(action) if style == GREEDY else self.rarity(action, garden), dice.getrandbits(20)),
        )
        return self.game.step(self.state, best)

    def gain(self, action: int) -> tuple[float, ...]:
        """A decision first of all, then points."""
        mover, after = self.state.actor, self.state.copy()
        after.apply(action)
        return float(self.game.phase(after) == "choose"), after.scores()[mover]

    def rarity(self, action: int, before_: dict[str, Any]) -> tuple[float, ...]:
        """Much at once, or areas joined; else a closed garden without dwellers, where such things may come."""
        mover, after = self.state.actor, self.state.copy()
        after.apply(action)
        ways = len(after.legal_actions()) if self.game.phase(after) == "choose" else 0
        _, _, spot, _ = self.game.step(self.state, action)
        closed = len(self.slow.gardens[mover].spots.intersection(neighbours(spot)))
        after_ = after.view(ALL)["gardens"][mover]
        joined = len(after_["bees"]) < len(before_["bees"])
        twice = sum(len(after_[family]) - len(set(after_[family])) for family in FAMILIES)
        more = [len(after_[family]) - len(before_[family]) for family in FAMILIES]
        return float(max(more) > 1), float(ways > 2), float(twice), float(joined), -sum(more), closed, len(after_["bees"])

    def cross(self, dice: random.Random) -> None:
        """A round, and the same with the other one of two tiles laid first: the state must be the same."""
        aside, turns = self.copy(), []
        mover = self.slow.turn()
        for _ in range(self.game.players + 1):
            if self.slow.phase() != "place":
                break
            choices = self.slow.choices()
            if self.slow.turn() == mover:
                in_hand = [choice for choice in choices if choice[1] in aside.slow.market]
                choices = in_hand or choices
            turn = [dice.choice(choices)]
            self.apply(turn[0])
            while self.slow.phase() in ("choose", "draw"):
                turn.append(dice.choice(self.slow.choices() or [event for event, _ in self.slow.events()]))
                self.apply(turn[-1])
            turns.append(turn)
        if len(turns) <= self.game.players or any(len(turn) != 2 for turn in turns):
            return
        (first, draw), *others, (second, last_draw) = turns
        for step in [second, draw, *(step for turn in others for step in turn), first, last_draw]:
            if not aside.slow.is_legal(step):
                return
            aside.apply(step)
        if repr(aside.slow.view()) == repr(self.slow.view()):
            assert aside.state == self.state
            self.happened.counts[OTHER_ORDER] += 1

    # --- what has happened ---

    def note_turn(self, slow: Reference, step: Choice) -> None:
        """After a tile or a choice; `slow` is the reference before it."""
        mover = slow.turn()
        before, after = slow.gardens[mover], self.slow.gardens[mover]
        counts = self.happened.counts
        for family in FAMILIES:
            more = len(after.dwellers[family]) - len(before.dwellers[family])
            counts[EARNED[slow.cards[family]]] += more > 0
            counts[TWO_AT_ONCE] += step[0] == "place" and more > 1
            counts[TWO_LINES] += slow.cards[family] == "explorer" and more > 1
        if step[0] == "place":
            self.note_tile(before, after, slow.cards)
        else:
            family = step[1]
            counts[THEN_ALONE] += family == "leaf" and len(after.dwellers["leaf"]) > len(before.dwellers["leaf"]) + 1
        if self.slow.last is not None:
            family, cells = self.slow.decision()
            kind = {"leaf": SQUARES, "puddle": FRIENDS, "mushroom": MUSHROOM}[family]
            counts[kind] += 1
            counts[AGAIN] += step[0] == "choose" and step[1] == family
            counts[TWO_FAMILIES] += step[0] == "choose" and step[1] != family
            counts[SAME_WAYS] += family == "leaf" and len(cells) < len(after.free_squares(slow.cards["leaf"]))

    def note_tile(self, before: Garden, after: Garden, cards: dict[str, str]) -> None:
        counts = self.happened.counts
        old = [area for area in before.areas if before.bees_in(area)]
        new = [area for area in after.areas if after.bees_in(area)]
        fresh = [area for area in new if not any(known <= area for known in old)]
        joined = [area for area in new if sum(known <= area for known in old) > 1]
        counts[JOINED] += len(joined) > 0
        counts[NEW_AND_JOINED] += len(joined) > 0 and len(fresh) > 0
        counts[TWO_NEW] += len(fresh) == 2
        counts[THREE_NEW] += len(fresh) == 3
        counts[MORE_BEES] += sum(after.bees.values()) - sum(before.bees.values()) > len(fresh)
        for spot, count in after.hummingbirds.items():
            if count != before.hummingbirds.get(spot):
                row, column = spot
                counts[BONUS_ROW] += {(row, column - 1), (row, column + 1)} <= set(after.hummingbirds)
                counts[BONUS_COLUMN] += {(row - 1, column), (row + 1, column)} <= set(after.hummingbirds)
                counts[BOTH_BONUSES] += count == 3
        for family in FAMILIES:
            places = after.known_dwellers(family, cards[family])
            counts[DWELLERS_JOINED] += len(set(places)) < len(places)

    def note_end(self) -> None:
        slow, counts = self.slow, self.happened.counts
        figures = slow.components()
        ranks = [(score, player["hummingbirds"], player["bees"]) for score, player in zip(slow.scores(), figures, strict=True)]
        for one, other in ((one, other) for i, one in enumerate(ranks) for other in ranks[:i]):
            counts[BY_BIRDS] += one[0] == other[0] and one[1] != other[1]
            counts[BY_BEES] += one[:2] == other[:2] and one[2] != other[2]
            counts[SHARED] += one == other
        for family in FAMILIES:
            dwellers = [player[family] for player in figures]
            counts[MOST_TIED] += max(dwellers) > 0 and dwellers.count(max(dwellers)) > 1
            counts[NONE] += max(dwellers) == 0


def load(number: int, players: int, cards: dict[str, str], folder: Path | None = None, **values: int) -> Game:
    """A game with the other options in turn, short where `values` say so."""
    options: dict[str, Any] = {"allow_flip": number % 2 == 0, "majority_of_none": number % 3 == 0}
    if number % 5 == 4:
        options["first"] = number % players
    file = component_file("under_the_leaves", folder, **values) if folder else None
    return garden_ai.load("under_the_leaves", players=players, components=file, **cards, **options)


@cache
def other_tiles() -> list[str]:
    """Tiles of three colours, those of the first two before all others."""
    found: dict[frozenset[Way], str] = {}
    for way in product(("R", "W", "B", "R*", "W*", "B*", PUDDLE), repeat=4):
        code = "".join(way)
        areas = Garden(dict(zip(spot_cells((0, 0)), way, strict=True))).areas
        if code.count(PUDDLE) <= 1 and code.count("*") <= 1 and len(areas) == len({*code} - {PUDDLE, "*"}):
            found.setdefault(ways(code, True), code)
    return sorted(found.values(), key=lambda code: "B" in code)


def load_others(number: int, players: int, cards: dict[str, list[str]], **options: Any) -> Game:
    """With tiles on which areas are large: what is rare with the printed ones is frequent."""
    definition = find_definition("under_the_leaves")
    own, tiles = read_components(definition).data, other_tiles()[:60]
    starting = tiles[3:40:8]
    components = {
        **own,
        "colours": {**own["colours"], "letters": ["B", "R", "X", "W", "Z"]},
        "tiles": {**own["tiles"], "starting": starting, "garden": [tile for tile in tiles if tile not in starting]},
        "game": {**own["game"], "turns": (7, 12, 10)[number % 3], "market": 1 + number % 4},
        "cards": {**own["cards"], **cards},
    }
    return definition.load(players, options, components)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_of_every_triple_of_cards(players: int, tmp_path: Path) -> None:
    """Four turns each; whole games of all of them are among the slow ones."""
    counts: Counter[str] = Counter()
    nodes = 0
    for number, cards in enumerate(TRIPLES):
        nodes += Both.play(load(number, players, cards, tmp_path, turns=4), [number + number // 4], counts).nodes
    assert nodes > 64 * 8 * players
    assert {thing for thing in (*EARNED.values(), TWO_NEW, MORE_BEES, FRIENDS, MUSHROOM) if not counts[thing]} == set()


@pytest.mark.parametrize("number", range(4))
def test_whole_games(number: int) -> None:
    """Each card once."""
    happened = Both.play(load(number, 2 + number % 3, FOUR[number]), [1, 2])
    assert happened.missing(*(EARNED[name] for name in FOUR[number].values()), TWO_NEW, MORE_BEES) == set()


@pytest.mark.parametrize("number", range(4))
def test_games_with_other_tiles(number: int) -> None:
    """With cards left out, and drawn from the others."""
    cards = {family: [CARDS[family][number], CARDS[family][number - 1 - i]] for i, family in enumerate(FAMILIES)}
    game = load_others(number, 2 + number % 3, cards, allow_flip=number != 2)
    happened = Both.play(game, range(6))
    assert happened.missing(JOINED, BONUS_ROW, BONUS_COLUMN) == set()


RARE = (
    *EARNED.values(), JOINED, NEW_AND_JOINED, TWO_NEW, THREE_NEW, MORE_BEES, BONUS_ROW, BONUS_COLUMN, BOTH_BONUSES,
    SQUARES, THEN_ALONE, SAME_WAYS, FRIENDS, MUSHROOM, AGAIN, TWO_FAMILIES, TWO_LINES, TWO_AT_ONCE, DWELLERS_JOINED,
    BY_BIRDS, BY_BEES, SHARED, MOST_TIED, NONE, OTHER_ORDER,
)


@pytest.mark.slow
def test_many_games_of_every_triple_of_cards() -> None:
    """With the printed tiles and with others."""
    counts: Counter[str] = Counter()
    nodes = 0
    for number, cards in enumerate(TRIPLES):
        for players in (2, 3, 4):
            game = load(number + players, players, cards)
            nodes += Both.play(game, range(number + players, number + players + 3), counts).nodes
        others = load_others(number, 2 + number % 3, {}, **cards)
        nodes += Both.play(others, range(number, number + 4), counts).nodes
    assert nodes > 60_000
    assert {thing for thing in RARE if not counts[thing]} == set()
