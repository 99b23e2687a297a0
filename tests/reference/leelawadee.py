"""Leelawadee in slow, plain Python, written from the rulebook and the rulings: the compiled game's oracle.

Whatever the rules ask about the board is computed from the board when it is asked, by flood fill over
(row, column) cells. Only the standard library is used, and nothing of the package under test.
"""

import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod
from typing import Any, TypeAlias

COLOURS = "YORPB"
COLOUR_NAMES = ("yellow", "orange", "red", "purple", "blue")
EVERY_COLOUR = frozenset(range(len(COLOURS)))

# Creatures by index: 0..4 fly to one colour, 5..9 to a pair of colours, then these two.
FIVE_COLOUR = 10
BUMBLEBEE = 11
CREATURES = 12

CHANCE = -1  # actor: chance is to move
TERMINAL = -2  # actor: the game is over
NOBODY = -1  # in place of a player: nobody holds the bag, has won the bidding, or is visited by the creature

ROUNDS = 5
FLOWERS_EACH = 2  # flowers a player plants in a round
MISSING_COLOUR = -6
BUMBLEBEE_POINTS = -1

FLOWERS_IN_BAG = {2: (2, 3, 4, 5, 6), 3: (4, 5, 6, 7, 8), 4: (6, 7, 8, 9, 10)}
# red-purple, yellow-blue, yellow-orange, orange-red, purple-blue
PAIRS = ((2, 3), (0, 4), (0, 1), (1, 2), (3, 4))
GARDEN = (".....", ".....")

Cell: TypeAlias = tuple[int, int]
Flowers: TypeAlias = dict[Cell, int]  # the planted spots of one garden, with their colours
Choice: TypeAlias = tuple[Any, ...]  # ("plant", colour, row, column) | ("bid", n) | ("start", player)
Event: TypeAlias = tuple[Any, ...]  # ("first", player) | ("draw", (n0, .., n4)) | ("tie", player)


@dataclass(frozen=True)
class Setup:
    """The components and options of one game."""

    players: int
    counts: tuple[int, ...]  # flowers of each colour in the bag at the start
    pairs: tuple[tuple[int, int], ...]  # the colours of the five two-colour butterflies
    shapes: tuple[tuple[str, ...], ...]  # a garden a player: rows of '.' (a spot) and ' ' (none)
    attract: str = "fresh-group"  # or "best-group"
    open_draws: bool = False
    bid_for_start: bool = False
    bid_max: int = 20
    first: int | None = None  # the first bag holder; None: drawn at random


def default_setup(players: int, **changes: Any) -> Setup:
    """The game as printed (and assumed) for 2, 3 or 4 players, with the given fields changed."""
    if players not in FLOWERS_IN_BAG:
        raise ValueError(f"players: {players}, expected 2, 3 or 4")
    printed = Setup(players, FLOWERS_IN_BAG[players], PAIRS, (GARDEN,) * players)
    return replace(printed, **changes)


def check_setup(setup: Setup) -> None:
    """Raises ValueError when five rounds cannot be played with this setup."""
    if setup.players < 1:
        raise ValueError("players: expected at least one")
    if len(setup.counts) != len(COLOURS) or min(setup.counts) < 0:
        raise ValueError("counts: expected five numbers of flowers")
    if sum(setup.counts) < ROUNDS * FLOWERS_EACH * setup.players:
        raise ValueError("counts: too few flowers for five rounds")
    if len(setup.pairs) != 5 or any(len({*pair} & EVERY_COLOUR) != 2 for pair in setup.pairs):
        raise ValueError("pairs: expected five pairs of different colours")
    if len(setup.shapes) != setup.players:
        raise ValueError("shapes: expected one a player")
    if any(len(spots_of(shape)) < ROUNDS * FLOWERS_EACH for shape in setup.shapes):
        raise ValueError("shapes: too few spots for five rounds")
    if setup.attract not in ("fresh-group", "best-group"):
        raise ValueError("attract: expected fresh-group or best-group")
    if setup.bid_max < 0:
        raise ValueError("bid_max: expected 0 or more")
    if setup.first is not None and not 0 <= setup.first < setup.players:
        raise ValueError("first: expected a player")


# --- the garden ---


@cache
def spots_of(shape: tuple[str, ...]) -> tuple[Cell, ...]:
    """The spots of a garden in reading order."""
    return tuple((row, column) for row, marks in enumerate(shape) for column, m in enumerate(marks) if m == ".")


def group_at(flowers: Flowers, start: Cell, colours: frozenset[int]) -> set[Cell]:
    """The flowers connected with the one at `start` through flowers of `colours` only, itself included."""
    group = {start}
    to_visit = [start]
    while to_visit:
        row, column = to_visit.pop()
        for cell in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if cell not in group and flowers.get(cell) in colours:
                group.add(cell)
                to_visit.append(cell)
    return group


def size_at(flowers: Flowers, start: Cell, colours: frozenset[int]) -> int:
    """The size of the group at `start`; 0 when one of the colours does not occur in it."""
    group = group_at(flowers, start, colours)
    return len(group) if {flowers[cell] for cell in group} == colours else 0


def best_size(flowers: Flowers, colours: frozenset[int]) -> int:
    """The size of the garden's biggest group of exactly these colours; 0 when it has none."""
    starts = [cell for cell, colour in flowers.items() if colour in colours]
    return max((size_at(flowers, cell, colours) for cell in starts), default=0)


# --- the bag ---


def multisets(bag: tuple[int, ...], number: int) -> Iterator[tuple[int, ...]]:
    """Every way to have `number` flowers from the bag, as flowers of each colour, sorted."""
    if not bag:
        if number == 0:
            yield ()
        return
    for taken in range(min(bag[0], number) + 1):
        for rest in multisets(bag[1:], number - taken):
            yield (taken, *rest)


class Reference:
    """One full state of the game."""

    def __init__(self, setup: Setup) -> None:
        check_setup(setup)
        players = setup.players
        self.setup = setup
        self.round = 1  # ROUNDS + 1 when the game is over
        self.picks = 0  # flowers planted in this round
        self.drawn: list[tuple[int, ...]] = []  # the draws made so far, one a round
        self.table = [0] * len(COLOURS)  # flowers of each colour that lie there to be chosen
        self.holder = NOBODY  # who has the bag
        if not setup.bid_for_start and setup.first is not None:
            self.holder = setup.first
        self.bids: list[int | None] = [None] * players
        self.winner = NOBODY  # of the bidding, until he has named the first bag holder
        self.gardens: list[Flowers] = [{} for _ in range(players)]
        self.places = [NOBODY] * CREATURES  # in whose garden a creature is; NOBODY: on the table
        self.new = [False] * CREATURES  # antennae towards the flowers: flew in during this round
        self.five_colour_record = 1  # most connected colours so far; one alone draws nobody
        self.bumblebee_record = 1  # most connected flowers of one colour so far; one alone draws nobody
        names = [*self.creature_names(), "missing colours", "bid"]
        self.points = [dict.fromkeys(names, 0) for _ in range(players)]

    def creature_names(self) -> list[str]:
        pairs = [f"{COLOUR_NAMES[a]}-{COLOUR_NAMES[b]}" for a, b in self.setup.pairs]
        return [*COLOUR_NAMES, *pairs, "five-colour", "bumblebee"]

    def copy(self) -> "Reference":
        other = copy.copy(self)
        other.drawn = self.drawn.copy()
        other.table = self.table.copy()
        other.bids = self.bids.copy()
        other.gardens = [flowers.copy() for flowers in self.gardens]
        other.places = self.places.copy()
        other.new = self.new.copy()
        other.points = [points.copy() for points in self.points]
        return other

    # --- whose turn it is, and for what ---

    def phase(self) -> str:
        """What happens next, by the name of the choice or event; "end" when the game is over."""
        if self.round > ROUNDS:
            return "end"
        if self.holder == NOBODY and not self.setup.bid_for_start:
            return "first"
        draws_due = ROUNDS if self.setup.open_draws else self.round
        if len(self.drawn) < draws_due:
            return "draw"
        if self.holder != NOBODY:
            return "plant"
        if self.winner != NOBODY:
            return "start"
        return "bid" if None in self.bids else "tie"

    def planting_order(self) -> list[int]:
        """Clockwise from the bag holder, then back: he plants the first flower of the round and the last."""
        clockwise = [(self.holder + step) % self.setup.players for step in range(self.setup.players)]
        return clockwise + clockwise[::-1]

    @property
    def actor(self) -> int:
        phase = self.phase()
        if phase == "end":
            return TERMINAL
        if phase == "bid":
            return self.bids.index(None)
        if phase == "start":
            return self.winner
        if phase == "plant":
            return self.planting_order()[self.picks]
        return CHANCE

    def choices(self) -> list[Choice]:
        phase = self.phase()
        if phase == "bid":
            return [("bid", bid) for bid in range(self.setup.bid_max + 1)]
        if phase == "start":
            return [("start", player) for player in range(self.setup.players)]
        if phase == "plant":
            flowers = self.gardens[self.actor]
            empty = [cell for cell in spots_of(self.setup.shapes[self.actor]) if cell not in flowers]
            colours = [colour for colour, number in enumerate(self.table) if number > 0]
            return [("plant", colour, row, column) for colour in colours for row, column in empty]
        return []

    def events(self) -> list[tuple[Event, Fraction]]:
        phase = self.phase()
        if phase == "draw":
            return self.draw_events()
        if phase == "first":
            players = list(range(self.setup.players))
        elif phase == "tie":
            players = self.highest_bidders()
        else:
            players = []
        return [((phase, player), Fraction(1, len(players))) for player in players]

    def bag(self) -> tuple[int, ...]:
        """Flowers of each colour that have not been drawn."""
        drawn = [sum(draw[colour] for draw in self.drawn) for colour in range(len(COLOURS))]
        return tuple(count - gone for count, gone in zip(self.setup.counts, drawn, strict=True))

    def draw_size(self) -> int:
        return FLOWERS_EACH * self.setup.players

    def draw_events(self) -> list[tuple[Event, Fraction]]:
        bag = self.bag()
        all_hands = comb(sum(bag), self.draw_size())
        return [
            (("draw", draw), Fraction(prod(map(comb, bag, draw)), all_hands))
            for draw in multisets(bag, self.draw_size())
        ]

    # --- what a choice or an event does ---

    def is_legal(self, step: Choice | Event) -> bool:
        if self.phase() == "draw":  # the same as being one of events(), without listing some hundreds
            return (
                len(step) == 2
                and step[0] == "draw"
                and isinstance(step[1], tuple)
                and len(step[1]) == len(COLOURS)
                and sum(step[1]) == self.draw_size()
                and all(0 <= taken <= there for taken, there in zip(step[1], self.bag(), strict=True))
            )
        return step in self.choices() or step in [event for event, _ in self.events()]

    def apply(self, step: Choice | Event) -> None:
        if not self.is_legal(step):
            raise ValueError(f"illegal step {step!r}, expected: {self.phase()}")
        match step:
            case ("first", player) | ("start", player):
                self.holder = player
                self.winner = NOBODY
            case ("draw", draw):
                self.drawn.append(draw)
                self.lay_out()
            case ("bid", bid):
                self.bids[self.actor] = bid
                if None not in self.bids and len(self.highest_bidders()) == 1:
                    self.win_bidding(self.highest_bidders()[0])
            case ("tie", player):
                self.win_bidding(player)
            case ("plant", colour, row, column):
                self.plant(self.actor, colour, (row, column))

    def lay_out(self) -> None:
        """Lays this round's draw on the table, if it is made and nothing of it is planted yet."""
        if self.picks == 0 and len(self.drawn) >= self.round:
            self.table = list(self.drawn[self.round - 1])

    def highest_bidders(self) -> list[int]:
        highest = max(bid for bid in self.bids if bid is not None)
        return [player for player, bid in enumerate(self.bids) if bid == highest]

    def win_bidding(self, player: int) -> None:
        """He pays. No bid matters after that."""
        self.points[player]["bid"] = -(self.bids[player] or 0)
        self.winner = player
        self.bids = [None] * self.setup.players

    def plant(self, player: int, colour: int, cell: Cell) -> None:
        self.table[colour] -= 1
        self.gardens[player][cell] = colour
        self.attract(player, cell)
        self.picks += 1
        if self.picks == self.draw_size():
            self.end_round()

    def attract(self, player: int, fresh: Cell) -> None:
        """Lets every creature fly to the player's garden that the flower just planted at `fresh` attracts."""
        flowers = self.gardens[player]
        fresh_colour = flowers[fresh]

        kinds = [frozenset({colour}) for colour in range(len(COLOURS))]
        kinds += [frozenset(pair) for pair in self.setup.pairs]
        for butterfly, colours in enumerate(kinds):
            if fresh_colour in colours:
                fresh_group = self.setup.attract == "fresh-group"
                own = size_at(flowers, fresh, colours) if fresh_group else best_size(flowers, colours)
                others = [best_size(garden, colours) for garden in self.gardens if garden is not flowers]
                if own > 0 and all(own >= other for other in others):
                    self.fly(butterfly, player)

        connected_colours = len({flowers[cell] for cell in group_at(flowers, fresh, EVERY_COLOUR)})
        if connected_colours > self.five_colour_record:
            self.five_colour_record = connected_colours
            self.fly(FIVE_COLOUR, player)

        connected_flowers = len(group_at(flowers, fresh, frozenset({fresh_colour})))
        if connected_flowers > self.bumblebee_record:
            self.bumblebee_record = connected_flowers
            self.fly(BUMBLEBEE, player)

    def fly(self, creature: int, player: int) -> None:
        """A creature that is there already stays as it is. The bumblebee has no direction: never new."""
        if self.places[creature] != player:
            self.places[creature] = player
            self.new[creature] = creature != BUMBLEBEE

    def end_round(self) -> None:
        for creature, name in enumerate(self.creature_names()):
            if self.places[creature] != NOBODY:
                self.points[self.places[creature]][name] += self.worth(creature)
        self.new = [False] * CREATURES
        self.holder = (self.holder + 1) % self.setup.players
        self.round += 1
        self.picks = 0
        if self.round > ROUNDS:
            for points, flowers in zip(self.points, self.gardens, strict=True):
                points["missing colours"] = MISSING_COLOUR * len(EVERY_COLOUR - set(flowers.values()))
        else:
            self.lay_out()

    def worth(self, creature: int) -> int:
        """What a creature in a garden brings at the end of this round."""
        if creature == BUMBLEBEE:
            return BUMBLEBEE_POINTS
        return self.round if self.new[creature] else self.round // 2

    # --- points ---

    def components(self) -> list[dict[str, int]]:
        return [points.copy() for points in self.points]

    def scores(self) -> list[int]:
        return [sum(points.values()) for points in self.points]

    def placing(self) -> list[int]:
        scores = self.scores()
        return [1 + sum(other > score for other in scores) for score in scores]

    # --- what is hidden ---

    def simultaneous(self) -> bool:
        """Whether the actor's choice is one of several that stay hidden until the last is made."""
        return self.phase() == "bid"

    def withdraw(self) -> None:
        """Takes back all choices of an open simultaneous phase; does nothing when none is open."""
        if self.simultaneous():
            self.bids = [None] * self.setup.players

    def open_information(self) -> tuple[Any, ...]:
        """All that matters from now on but the bids: everybody knows it."""
        return (
            self.phase(),
            self.actor,
            self.round,
            self.picks,
            self.holder,
            self.winner,
            tuple(bid is not None for bid in self.bids) if self.simultaneous() else (),
            tuple(
                tuple(map(flowers.get, spots_of(shape)))
                for flowers, shape in zip(self.gardens, self.setup.shapes, strict=True)
            ),
            tuple(self.places),
            tuple(self.new),
            tuple(self.table),
            self.bag(),
            tuple(self.drawn[self.round :]),
            tuple(self.scores()),
            self.five_colour_record,
            self.bumblebee_record,
        )

    def bids_known(self, observer: int | None) -> tuple[int | None, ...]:
        """The bids that he knows and that still matter: sealed, his own, None: all; revealed, the highest ones."""
        if self.phase() == "tie":
            shown = self.highest_bidders()
        else:
            shown = [player for player in range(self.setup.players) if observer in (None, player)]
        return tuple(bid if player in shown else None for player, bid in enumerate(self.bids))

    def deals(self, observer: int | None) -> list[tuple["Reference", Fraction]]:
        """Every full state that agrees with what the observer knows, and how likely it is.

        Only sealed bids are hidden: those already made by others are any of 0..bid_max, equally likely.
        None is an observer outside the game, to whom every sealed bid is hidden.
        """
        sealed = self.bids if self.simultaneous() else []
        hidden = [player for player, bid in enumerate(sealed) if bid is not None and player != observer]
        guesses = list(product(range(self.setup.bid_max + 1), repeat=len(hidden)))
        deals = []
        for guess in guesses:
            state = self.copy()
            for player, bid in zip(hidden, guess, strict=True):
                state.bids[player] = bid
            deals.append((state, Fraction(1, len(guesses))))
        return deals
