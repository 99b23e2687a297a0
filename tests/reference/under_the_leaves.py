"""Under the Leaves in slow, plain Python, written from the rulebook and the rulings: the compiled game's oracle.

Whatever follows from what lies in a garden is computed from it when it is asked, by flood fill over (row, column) cells.
Bees and dwellers are figures that stand on cells, and stay there. Only the standard library is used, and nothing of the
package under test.
"""

import copy
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import permutations, product
from typing import Any, TypeAlias

# The families in the order in which their dwellers come, and the cards of each.
FAMILIES = ("leaf", "puddle", "mushroom")
CARDS: dict[str, tuple[str, ...]] = {
    "leaf": ("thoughtful", "restless", "flirty", "runner"),
    "puddle": ("diver", "skipper", "friendly", "shy"),
    "mushroom": ("host", "explorer", "collector", "loner"),
}
SQUARES = ("thoughtful", "flirty")  # their dweller stands for four cells, and is written on the top-left one
AREAS = ("restless", "runner", "host")  # .. for an area
POOLS = ("diver",)  # .. for connected puddles

STARTING_TILES = ("~KPY*", "~OYK*", "~PKO*", "~YOP*")
WITH_MUSHROOM = """
G*OKK O*YKK Y*PKK O*PKK P*GKK G*YKK P*KYY K*OYY O*GYY O*PYY G*PYY K*GYY P*YOO Y*KOO K*GOO P*KOO G*YOO G*POO
O*GPP K*OPP K*YPP Y*OPP Y*GPP G*KPP P*OGG O*KGG Y*KGG Y*OGG P*YGG K*PGG
"""
WITH_PUDDLE = "~OKK ~YKK ~GKK ~PKK ~YOO ~POO ~GOO ~KOO ~OYY ~KYY ~PYY ~GYY ~OPP ~YPP ~GPP ~KPP ~KGG ~OGG ~YGG ~PGG"
GARDEN_TILES = (*WITH_MUSHROOM.split(), *WITH_PUDDLE.split())

POLLINATED = 3  # cells of an area that bees visit
REACH = 12  # how far from the starting tile a garden may stretch
MAJORITY = 2  # figures for the most dwellers of a family
COMPONENTS = ("bees", "hummingbirds", *FAMILIES, "majorities")

CHANCE = -1  # actor: chance is to move
TERMINAL = -2  # actor: the game is over
NOBODY = -1  # in place of a player: not known who begins, or nobody's turn

PUDDLE = "~"
Cell: TypeAlias = tuple[int, int]
Spot: TypeAlias = tuple[int, int]  # of the tile grid, seen from the starting tile
Way: TypeAlias = tuple[str, str, str, str]  # the cells of a tile as it lies: top left, top right, bottom left, bottom right
# ("place", tile, spot, way) | ("choose", family, cell)
Choice: TypeAlias = tuple[Any, ...]
# ("cards", leaf, puddle, mushroom) | ("starts", tile of player 0, of player 1, ..) | ("first", player) | ("draw", tile)
Event: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True)
class Setup:
    """The components and options of one game."""

    players: int
    cards: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: dict(CARDS))  # a family: those that may be drawn
    starting: tuple[str, ...] = STARTING_TILES
    garden: tuple[str, ...] = GARDEN_TILES
    turns: int = 12  # of each player
    market: int = 3  # tiles to choose from
    allow_flip: bool = True
    majority_of_none: bool = False
    first: int | None = None  # who begins; None: drawn at random

    @property
    def tiles_in_play(self) -> int:
        """Drawn in all: a player lays one a turn, and the last turn of all leaves the market one short."""
        return self.players * self.turns + self.market - 1


def default_setup(players: int, **changes: Any) -> Setup:
    """The game as printed, with the given fields changed."""
    return replace(Setup(players), **changes)


def check_setup(setup: Setup) -> None:
    """Raises ValueError when no game can be played with this setup."""
    if not 2 <= setup.players <= len(setup.starting):
        raise ValueError("players: expected 2 to 4, each with a starting tile")
    if setup.tiles_in_play > len(setup.garden) or setup.turns < 1 or setup.market < 1:
        raise ValueError("turns and market: expected no more than there are garden tiles")
    if set(setup.cards) != set(FAMILIES) or not all(set(setup.cards[family]) <= set(CARDS[family]) for family in FAMILIES):
        raise ValueError("cards: expected some of each family")
    if setup.first not in (None, *range(setup.players)):
        raise ValueError("first: expected a player")


# --- tiles ---


def cells_of(code: str) -> Way:
    """The cells of a tile as it is written: a star belongs to the cell before it."""
    cells: list[str] = []
    for letter in code:
        if letter == "*":
            cells[-1] += letter
        else:
            cells.append(letter)
    one, two, three, four = cells
    return one, two, three, four


def turned(way: Way) -> Way:
    """A quarter turn clockwise."""
    top_left, top_right, bottom_left, bottom_right = way
    return bottom_left, top_left, bottom_right, top_right


def mirrored(way: Way) -> Way:
    """The back of the tile."""
    top_left, top_right, bottom_left, bottom_right = way
    return top_right, top_left, bottom_right, bottom_left


@cache
def ways(code: str, allow_flip: bool) -> frozenset[Way]:
    """How a tile may lie."""
    found = set()
    for side in (cells_of(code), mirrored(cells_of(code)))[:1 + allow_flip]:
        way = side
        for _ in range(4):
            found.add(way)
            way = turned(way)
    return frozenset(found)


# --- the plane ---


def neighbours(cell: Cell) -> list[Cell]:
    """Of a cell or of a spot: those along its sides."""
    row, column = cell
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


def diagonals(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row - 1, column - 1), (row - 1, column + 1), (row + 1, column - 1), (row + 1, column + 1)]


def square(cell: Cell) -> list[Cell]:
    """The 2x2 cells of which this is the top-left one; of a tile, in the order in which it is written."""
    row, column = cell
    return [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]


def spot_cells(spot: Spot) -> list[Cell]:
    return square((2 * spot[0], 2 * spot[1]))


def spot_of(cell: Cell) -> Spot:
    return cell[0] // 2, cell[1] // 2


def spot_name(spot: Spot) -> str:
    """The starting tile is in the middle of the alphabet and of 25 rows."""
    return f"{chr(ord('m') + spot[1])}{13 + spot[0]}"


def cell_name(cell: Cell) -> str:
    row, column = cell
    return f"{spot_name(spot_of(cell))}{'ns'[row % 2]}{'we'[column % 2]}"


def groups(cells: Iterable[Cell], alike: Callable[[Cell, Cell], bool]) -> list[frozenset[Cell]]:
    """Connected cells that are alike, the group with the first cell first."""
    found = []
    left = set(cells)
    while left:
        start = min(left)
        group, to_visit = {start}, [start]
        while to_visit:
            for cell in neighbours(to_visit.pop()):
                if cell in left and cell not in group and alike(cell, start):
                    group.add(cell)
                    to_visit.append(cell)
        found.append(frozenset(group))
        left -= group
    return found


def has_row_of_four(cells: Iterable[Cell]) -> bool:
    """Four cells one after another, in a row or in a column."""
    group = set(cells)
    return any(
        {(row, column + step) for step in range(4)} <= group or {(row + step, column) for step in range(4)} <= group
        for row, column in group
    )


# --- a garden ---


@dataclass(frozen=True)
class Garden:
    """What a player has laid, and the figures that came. It is not changed: a turn makes another one."""

    board: Mapping[Cell, str]  # "K", "K*" with a mushroom, or a puddle
    bees: Mapping[Cell, int] = field(default_factory=dict)
    dwellers: Mapping[str, tuple[Cell, ...]] = field(default_factory=lambda: dict.fromkeys(FAMILIES, ()))

    @cached_property
    def spots(self) -> frozenset[Spot]:
        return frozenset(map(spot_of, self.board))

    @cached_property
    def areas(self) -> list[frozenset[Cell]]:
        """Connected terrain of one colour."""
        terrain = [cell for cell in self.board if not self.is_puddle(cell)]
        return groups(terrain, lambda one, other: self.kind(one) == self.kind(other))

    @cached_property
    def pools(self) -> list[frozenset[Cell]]:
        """Connected puddles."""
        return groups(self.puddles(), lambda one, other: True)

    def kind(self, cell: Cell) -> str:
        """The colour, or that it is a puddle; nothing where no tile lies."""
        return self.board.get(cell, "")[:1]

    def is_puddle(self, cell: Cell) -> bool:
        return self.kind(cell) == PUDDLE

    def has_mushroom(self, cell: Cell) -> bool:
        return self.board.get(cell, "").endswith("*")

    def puddles(self) -> list[Cell]:
        return sorted(cell for cell in self.board if self.is_puddle(cell))

    def mushrooms(self) -> list[Cell]:
        return sorted(cell for cell in self.board if self.has_mushroom(cell))

    def free_spots(self) -> list[Spot]:
        """Where a tile may be laid: along a whole side of another one."""
        beside = {spot for laid in self.spots for spot in neighbours(laid)} - self.spots
        return sorted(spot for spot in beside if max(map(abs, spot)) <= REACH)

    # --- bees and hummingbirds ---

    def bees_in(self, area: Container[Cell]) -> int:
        return sum(count for cell, count in self.bees.items() if cell in area)

    def with_tile(self, spot: Spot, way: Way) -> "Garden":
        """With one tile more and the bees that come to it. No dwellers yet."""
        bare = replace(self, board={**self.board, **dict(zip(spot_cells(spot), way, strict=True))})
        pollinated = [area for area in bare.areas if len(area) >= POLLINATED]
        bees = Counter(dict(self.bees))
        for new in pollinated:
            # an area that holds no bee yet contains none that was pollinated before
            if bare.bees_in(new) == 0:
                for area in pollinated:
                    if bare.kind(min(area)) == bare.kind(min(new)):
                        bees[min(area)] += 1
        return replace(bare, bees=dict(bees)) if bees != self.bees else bare

    @cached_property
    def hummingbirds(self) -> dict[Spot, int]:
        """By spot: tiles on which one flies at least."""
        visited = {cell for area in self.areas if len(area) >= POLLINATED for cell in area}
        nests = {spot for spot in self.spots if all(self.is_puddle(cell) or cell in visited for cell in spot_cells(spot))}
        return {
            (row, column): 1
            + ({(row, column - 1), (row, column + 1)} <= nests)
            + ({(row - 1, column), (row + 1, column)} <= nests)
            for row, column in sorted(nests)
        }

    # --- dwellers ---

    def with_dwellers(self, family: str, cells: Iterable[Cell]) -> "Garden":
        return replace(self, dwellers={**self.dwellers, family: (*self.dwellers[family], *cells)})

    def used_cells(self) -> set[Cell]:
        """By squares of the leaf family."""
        return {cell for corner in self.dwellers["leaf"] for cell in square(corner)}

    def free_squares(self, card: str) -> list[Cell]:
        """The top-left cells of squares that would bring a dweller."""
        used = self.used_cells()
        return [
            corner for corner in sorted(self.board)
            if self.fulfils(card, corner) and used.isdisjoint(square(corner))
        ]

    def fulfils(self, card: str, corner: Cell) -> bool:
        cells = square(corner)
        if not all(cell in self.board for cell in cells):
            return False
        kinds = {self.kind(cell) for cell in cells}
        if card == "thoughtful":
            return len(kinds) == 1 and PUDDLE not in kinds
        return len(kinds) == 4 and spot_cells((0, 0)) != cells

    def without_dweller(self, family: str, groups_: Iterable[frozenset[Cell]]) -> Iterator[frozenset[Cell]]:
        """Areas or connected puddles in which no dweller of the family lives."""
        return (group for group in groups_ if group.isdisjoint(self.dwellers[family]))

    def alone(self, cell: Cell, others: Iterable[Cell]) -> bool:
        """Whether all eight cells around are there, and none is one of the others."""
        around = {*neighbours(cell), *diagonals(cell)}
        return around <= set(self.board) and around.isdisjoint(others)

    def sure(self, family: str, card: str) -> list[Cell]:
        """Where dwellers of the family come that leave no choice."""
        inhabited = self.dwellers[family]
        match card:
            case "thoughtful" | "flirty":
                free = self.free_squares(card)
                return [corner for corner in free if not any(overlap(corner, other) for other in free if other != corner)]
            case "restless":
                return [min(area) for area in self.without_dweller(family, self.areas) if len(area) >= 5]
            case "runner":
                return [min(area) for area in self.without_dweller(family, self.areas) if has_row_of_four(area)]
            case "host":
                areas = self.without_dweller(family, self.areas)
                return [min(area) for area in areas if sum(map(self.has_mushroom, area)) >= 2]
            case "diver":
                return [min(pool) for pool in self.without_dweller(family, self.pools) if len(pool) >= 2]
            case "explorer":
                lines: defaultdict[tuple[str, int], list[Cell]] = defaultdict(list)
                for row, column in self.mushrooms():
                    if (row, column) not in inhabited:
                        lines["row", row].append((row, column))
                        lines["column", column].append((row, column))
                # never more than three: the third one brings a dweller
                return sorted({sorted(line)[1] for line in lines.values() if len(line) == 3})
            case "loner":
                mushrooms = self.mushrooms()
                return [cell for cell in mushrooms if cell not in inhabited and self.alone(cell, mushrooms)]
            case "shy":
                puddles = self.puddles()
                return [cell for cell in puddles if cell not in inhabited and self.alone(cell, puddles)]
            case "skipper":
                return [
                    (row, column) for row, column in sorted(self.board)
                    if not self.is_puddle((row, column)) and (row, column) not in inhabited and (
                        (self.is_puddle((row, column - 1)) and self.is_puddle((row, column + 1)))
                        or (self.is_puddle((row - 1, column)) and self.is_puddle((row + 1, column)))
                    )
                ]
        return []

    def settled(self, family: str, card: str) -> "Garden":
        """With all dwellers that leave no choice."""
        cells = self.sure(family, card)
        return self.with_dwellers(family, cells) if cells else self

    def decisions(self, family: str, card: str) -> list[Cell]:
        """Where the owner may have the next dweller of the family, after those that leave no choice have come."""
        match card:
            case "thoughtful" | "flirty":
                first_ways: dict[tuple[Cell, ...], Cell] = {}
                for corner in self.free_squares(card):
                    garden = self.with_dwellers(family, [corner]).settled(family, card)
                    first_ways.setdefault(tuple(sorted(garden.dwellers[family])), corner)
                return sorted(first_ways.values())
            case "friendly" | "collector":
                cells = self.puddles() if family == "puddle" else self.mushrooms()
                free = {cell for cell in cells if cell not in self.dwellers[family]}
                return sorted(cell for cell in free if not free.isdisjoint(diagonals(cell)))
        return []

    # --- as it is written ---

    def known_dwellers(self, family: str, card: str) -> list[Cell]:
        """Where they are, sorted; one that lives in an area or in connected puddles at their first cell."""
        places = self.areas if card in AREAS else self.pools if card in POOLS else []
        first = {cell: min(place) for place in places if not place.isdisjoint(self.dwellers[family]) for cell in place}
        return sorted(first.get(cell, cell) for cell in self.dwellers[family])

    @cached_property
    def known_bees(self) -> dict[Cell, int]:
        counts = {min(area): self.bees_in(area) for area in self.areas}
        return {cell: count for cell, count in counts.items() if count}

    @cached_property
    def rows(self) -> list[str]:
        """The smallest rectangle of cells that holds the garden."""
        rows, columns = [row for row, _ in self.board], [column for _, column in self.board]
        return [
            "".join(self.board.get((row, column), ".").ljust(2) for column in range(min(columns), max(columns) + 1)).rstrip()
            for row in range(min(rows), max(rows) + 1)
        ]

    def written(self, cards: Mapping[str, str]) -> dict[str, Any]:
        """The fields of the garden in a position."""
        return {
            "corner": spot_name((min(row for row, _ in self.spots), min(column for _, column in self.spots))),
            "rows": self.rows,
            "bees": {cell_name(cell): count for cell, count in self.known_bees.items()},
            "hummingbirds": {spot_name(spot): count for spot, count in self.hummingbirds.items()},
            **{family: list(map(cell_name, self.known_dwellers(family, cards[family]))) for family in FAMILIES},
        }


def overlap(one: Cell, other: Cell) -> bool:
    """Whether two squares, by their top-left cells, share a cell."""
    return not set(square(one)).isdisjoint(square(other))


class Reference:
    """One full state of the game. Nothing is hidden but the order of the bag and which tiles are removed."""

    def __init__(self, setup: Setup) -> None:
        check_setup(setup)
        self.setup = setup
        possible = [setup.cards[family] for family in FAMILIES]
        # a family: its card, once drawn
        self.cards = {family: names[0] for family, names in setup.cards.items()} if set(map(len, possible)) == {1} else {}
        self.gardens: tuple[Garden, ...] = ()
        self.first = NOBODY if setup.first is None else setup.first
        self.unseen = frozenset(range(len(setup.garden)))  # tiles in the bag, and those removed
        self.market: frozenset[int] = frozenset()
        self.last: Spot | None = None  # of the tile just laid, as long as its owner has to decide about dwellers

    def copy(self) -> "Reference":
        return copy.copy(self)

    # --- whose turn it is, and for what ---

    def laid(self) -> int:
        """Garden tiles in all gardens."""
        return sum(len(garden.spots) - 1 for garden in self.gardens)

    def bag(self) -> int:
        """How many tiles will still be drawn."""
        return self.setup.tiles_in_play - self.laid() - len(self.market)

    def phase(self) -> str:
        """What happens next: "cards", "starts", "first", "draw", "place", "choose" or "over"."""
        if not self.cards:
            return "cards"
        if not self.gardens:
            return "starts"
        if self.first == NOBODY:
            return "first"
        if self.last is not None:
            return "choose"
        if self.laid() == self.setup.players * self.setup.turns:
            return "over"
        return "draw" if len(self.market) < self.setup.market and self.bag() > 0 else "place"

    def turn(self) -> int:
        """Whose turn it is, or will be once a tile is drawn."""
        if self.phase() not in ("draw", "place", "choose"):
            return NOBODY
        done = self.laid() - (self.last is not None)
        return (self.first + done) % self.setup.players

    @property
    def actor(self) -> int:
        phase = self.phase()
        if phase == "over":
            return TERMINAL
        return self.turn() if phase in ("place", "choose") else CHANCE

    def choices(self) -> list[Choice]:
        match self.phase():
            case "place":
                spots = self.gardens[self.turn()].free_spots()
                return [
                    ("place", tile, spot, way)
                    for tile in sorted(self.market) for spot in spots for way in sorted(self.ways(tile))
                ]
            case "choose":
                family, cells = self.decision()
                return [("choose", family, cell) for cell in cells]
        return []

    def ways(self, tile: int) -> frozenset[Way]:
        return ways(self.setup.garden[tile], self.setup.allow_flip)

    def decision(self) -> tuple[str, list[Cell]]:
        """Family by family: the first one in which the owner has to decide, and between which cells."""
        garden = self.gardens[self.turn()]
        for family in FAMILIES:
            cells = garden.decisions(family, self.cards[family])
            if cells:
                return family, cells
        return "", []

    def events(self) -> list[tuple[Event, Fraction]]:
        steps: list[Event] = []
        match self.phase():
            case "cards":
                numbers = [[CARDS[family].index(name) for name in self.setup.cards[family]] for family in FAMILIES]
                steps = [("cards", *drawn) for drawn in product(*numbers)]
            case "starts":
                steps = [("starts", *dealt) for dealt in permutations(range(len(self.setup.starting)), self.setup.players)]
            case "first":
                steps = [("first", player) for player in range(self.setup.players)]
            case "draw":
                steps = [("draw", tile) for tile in sorted(self.unseen)]
        return [(step, Fraction(1, len(steps))) for step in steps]

    # --- what a choice or an event does ---

    def is_legal(self, step: Choice | Event) -> bool:
        """The same as being one of choices() or events(), mostly without listing them."""
        match step:
            case ("place", tile, spot, way):
                fits = self.phase() == "place" and tile in self.market and way in self.ways(tile)
                return fits and spot in self.gardens[self.turn()].free_spots()
            case ("choose", *_):
                return step in self.choices()
        return step in [event for event, _ in self.events()]

    def apply(self, step: Choice | Event) -> None:
        if not self.is_legal(step):
            raise ValueError(f"illegal step {step!r}, expected: {self.phase()}")
        match step:
            case ("cards", *numbers):
                self.cards = {family: CARDS[family][number] for family, number in zip(FAMILIES, numbers, strict=True)}
            case ("starts", *tiles):
                self.gardens = tuple(self.begun(cells_of(self.setup.starting[tile])) for tile in tiles)
            case ("first", player):
                self.first = player
            case ("draw", tile):
                self.market |= {tile}
                self.unseen -= {tile}
            case ("place", tile, spot, way):
                player = self.turn()
                self.market -= {tile}
                garden = self.gardens[player].with_tile(spot, way)
                for family in FAMILIES:
                    garden = garden.settled(family, self.cards[family])
                self.replace_garden(player, garden)
                self.last = spot
                self.end_turn()
            case ("choose", family, cell):
                player = self.turn()
                garden = self.gardens[player].with_dwellers(family, [cell]).settled(family, self.cards[family])
                self.replace_garden(player, garden)
                self.end_turn()

    def begun(self, way: Way) -> Garden:
        """A garden with its starting tile. The printed ones bring nothing yet."""
        garden = Garden({}).with_tile((0, 0), way)
        for family in FAMILIES:
            garden = garden.settled(family, self.cards[family])
        return garden

    def replace_garden(self, player: int, garden: Garden) -> None:
        self.gardens = (*self.gardens[:player], garden, *self.gardens[player + 1:])

    def end_turn(self) -> None:
        """Once nothing is left to decide."""
        if not self.decision()[1]:
            self.last = None

    # --- points ---

    def components(self) -> list[dict[str, int]]:
        """Figures by kind, a player each; before the gardens are begun there are none."""
        majorities = self.majorities()
        return [
            {
                "bees": sum(garden.bees.values()),
                "hummingbirds": sum(garden.hummingbirds.values()),
                **{family: len(garden.dwellers[family]) for family in FAMILIES},
                "majorities": majorities[player],
            }
            for player, garden in enumerate(self.gardens)
        ] or [dict.fromkeys(COMPONENTS, 0) for _ in range(self.setup.players)]

    def majorities(self) -> list[int]:
        """Figures that come at the end for most dwellers of a family, to all who have as many."""
        extra = [0] * self.setup.players
        if self.phase() == "over":
            for family in FAMILIES:
                counts = [len(garden.dwellers[family]) for garden in self.gardens]
                if max(counts) > 0 or self.setup.majority_of_none:
                    for player, count in enumerate(counts):
                        extra[player] += MAJORITY * (count == max(counts))
        return extra

    def scores(self) -> list[int]:
        return [sum(figures.values()) for figures in self.components()]

    def placing(self) -> list[int]:
        """By points, then by hummingbirds, then by bees."""
        ranks = [
            (score, figures["hummingbirds"], figures["bees"])
            for score, figures in zip(self.scores(), self.components(), strict=True)
        ]
        return [1 + sum(other > rank for other in ranks) for rank in ranks]

    # --- what is known ---

    def view(self) -> dict[str, Any]:
        """All that everybody knows and that matters from now on, as plain data."""
        return {
            "phase": self.phase(),
            "actor": self.actor,
            "turn": self.turn(),
            # before the first turn it is the turn's, at the end it matters no more
            "first": NOBODY if self.turn() == NOBODY else self.first,
            "cards": dict(self.cards),
            "market": sorted(self.market),
            "bag": self.bag(),
            "last": self.last,
            "gardens": [
                {
                    "board": dict(sorted(garden.board.items())),
                    "bees": garden.known_bees,
                    "hummingbirds": garden.hummingbirds,
                    **{family: garden.known_dwellers(family, self.cards[family]) for family in FAMILIES},
                }
                for garden in self.gardens
            ],
        }
