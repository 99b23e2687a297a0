"""Flowerpower in slow, plain Python, written from the rulebook and the rulings: the compiled game's oracle.

Whatever the rules ask about the board is computed from the board when it is asked, by flood fill over
(row, column) cells. Only the standard library is used, and nothing of the package under test.
"""

import copy
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, TypeAlias

VARIETIES = (
    "rose", "poppy", "cornflower", "cinquefoil", "cranesbill", "sunflower", "aster", "carnation", "daisy", "fantasy",
)
LETTERS = "RPCQBSANDF"

CHANCE = -1  # actor: chance is to move
TERMINAL = -2  # actor: the game is over
NOBODY = -1  # in place of a player: nobody owns the bed; nobody's side, the strip; it is not known who begins
PUBLIC = -1  # observer: an onlooker, who sees what lies face up
UNKNOWN = "unknown"  # in place of a tile: the observer has not seen it

Cell: TypeAlias = tuple[int, int]
Spot: TypeAlias = tuple[Cell, Cell]  # two adjacent cells, the upper or the left one first
Tile: TypeAlias = tuple[int, int]  # the varieties of its two flowers, the lower one first
Flowers: TypeAlias = dict[Cell, int]
# ("lay", (row, column, variety), (row, column, variety)) | ("weed", (row, column), (row, column))
Choice: TypeAlias = tuple[Any, ...]
Event: TypeAlias = tuple[Any, ...]  # ("first", player) | ("draw", variety, variety)


def designed_tiles(doubles: int = 1, mixed: int = 2) -> dict[Tile, int]:
    """So many of each double and of each mixed pair."""
    numbers = range(len(VARIETIES))
    return {(one, other): doubles if one == other else mixed for one in numbers for other in numbers if one <= other}


def misprinted(tiles: Mapping[Tile, int], missing: int, extra: Tile) -> dict[Tile, int]:
    """With the double of one variety missing and one mixed tile more instead."""
    changes = {(missing, missing): -1, extra: 1}
    return {tile: count + changes.get(tile, 0) for tile, count in tiles.items()}


@dataclass(frozen=True)
class Setup:
    """The components and options of one game."""

    players: int  # 2, or 1: the solitaire game
    columns: int = 14
    side_rows: int = 6  # rows of each player's side
    strip_rows: int = 3  # rows of the green strip between them
    tiles: Mapping[Tile, int] = field(default_factory=designed_tiles)  # how many of each are in the bag at the start
    weeds_each: int = 3
    weeds: str = "hidden"  # or "open": seen by all once laid; or "none"
    weed_counts_as_legal: bool = True
    first: int | None = None  # who begins; None: drawn at random
    bed_sizes: tuple[int, ...] = (3, 6, 10)  # from so many flowers on ..
    bed_points: tuple[int, ...] = (1, 2, 4)  # .. a bed is worth so much

    @property
    def rows(self) -> int:
        return self.side_rows + self.strip_rows + self.side_rows

    @property
    def alone(self) -> bool:
        return self.players == 1

    @property
    def weeds_at_start(self) -> int:
        return 0 if self.alone or self.weeds == "none" else self.weeds_each

    @cached_property
    def sides(self) -> list[int]:
        """Of all rows."""
        return [self.side(row) for row in range(self.rows)]

    def side(self, row: int) -> int:
        """Whose side the row belongs to: player 0's side is on top. Alone, the whole board is his."""
        if self.alone or row < self.side_rows:
            return 0
        return NOBODY if row < self.side_rows + self.strip_rows else 1


def default_setup(players: int, **changes: Any) -> Setup:
    """The game as printed (and assumed), with the given fields changed."""
    return replace(Setup(players), **changes)


def misprint_setup(players: int, **changes: Any) -> Setup:
    """With the tiles of 2001: no cinquefoil double, a third one of daisy and aster."""
    missing, *extra = (VARIETIES.index(name) for name in ("cinquefoil", "aster", "daisy"))
    return default_setup(players, tiles=misprinted(designed_tiles(), missing, (extra[0], extra[1])), **changes)


def check_setup(setup: Setup) -> None:
    """Raises ValueError when no game can be played with this setup."""
    if setup.players not in (1, 2):
        raise ValueError("players: expected 1 or 2")
    if setup.columns < 1 or setup.side_rows < 1 or setup.strip_rows < 0:
        raise ValueError("columns and rows: expected a board")
    if set(setup.tiles) - set(designed_tiles()) or min(setup.tiles.values()) < 0:
        raise ValueError("tiles: expected numbers of pairs of varieties")
    if setup.weeds not in ("hidden", "open", "none") or setup.weeds_each < 0:
        raise ValueError("weeds: expected hidden, open or none, and a number each")
    if setup.first not in (None, *range(setup.players)):
        raise ValueError("first: expected a player")
    if len(setup.bed_sizes) != len(setup.bed_points) or list(setup.bed_sizes) != sorted(setup.bed_sizes):
        raise ValueError("bed_sizes: expected rising sizes, as many as points")


# --- the board ---


def neighbours(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


@cache
def all_spots(rows: tuple[int, ...], columns: int) -> tuple[Spot, ...]:
    """Every place where a tile fits wholly in these rows of the empty board, sorted."""
    cells = [(row, column) for row in rows for column in range(columns)]
    return tuple(
        (cell, other) for cell in cells for other in sorted(neighbours(cell)) if other > cell and other in cells
    )


def group_at(flowers: Flowers, start: Cell) -> set[Cell]:
    """The flowers of one variety that are connected with the one at `start`, itself included."""
    group = {start}
    to_visit = [start]
    while to_visit:
        for cell in neighbours(to_visit.pop()):
            if cell not in group and flowers.get(cell) == flowers[start]:
                group.add(cell)
                to_visit.append(cell)
    return group


def groups_of(flowers: Flowers) -> list[set[Cell]]:
    groups: list[set[Cell]] = []
    grouped: set[Cell] = set()
    for cell in sorted(flowers):
        if cell not in grouped:
            groups.append(group_at(flowers, cell))
            grouped |= groups[-1]
    return groups


@dataclass(frozen=True)
class Bed:
    """Connected flowers of one variety."""

    variety: int
    cells: tuple[Cell, ...]  # sorted
    counts: tuple[int, int]  # flowers on the side of player 0, and of player 1
    owner: int  # or NOBODY
    points: int  # for its owner; 0 where nobody owns it

    @property
    def size(self) -> int:
        return len(self.cells)


def beds_of(setup: Setup, flowers: Flowers) -> list[Bed]:
    """The beds of a board, the largest first."""
    beds = [bed_of(setup, flowers, tuple(sorted(group))) for group in groups_of(flowers)]
    return sorted(beds, key=lambda bed: (-bed.size, bed.cells))


def bed_of(setup: Setup, flowers: Flowers, cells: tuple[Cell, ...]) -> Bed:
    sides = [setup.side(row) for row, _ in cells]
    mine, its = sides.count(0), sides.count(1)
    owner = NOBODY if mine == its else 0 if mine > its else 1
    return Bed(flowers[cells[0]], cells, (mine, its), owner, 0 if owner == NOBODY else worth(setup, len(cells)))


def worth(setup: Setup, size: int) -> int:
    """What a bed of so many flowers brings."""
    if setup.alone:
        return size * size
    reached = [points for least, points in zip(setup.bed_sizes, setup.bed_points, strict=True) if size >= least]
    return reached[-1] if reached else 0


# --- the bag ---


def sequences(bag: Mapping[Tile, int], number: int) -> Iterator[tuple[tuple[Tile, ...], Fraction]]:
    """Every way to draw so many tiles one after another, and how likely it is."""
    if number == 0:
        yield (), Fraction(1)
        return
    total = sum(bag.values())
    for tile, count in sorted(bag.items()):
        if count > 0:
            for others, probability in sequences({**bag, tile: count - 1}, number - 1):
                yield (tile, *others), Fraction(count, total) * probability


class Reference:
    """One full state of the game."""

    def __init__(self, setup: Setup) -> None:
        check_setup(setup)
        self.setup = setup
        self.flowers: Flowers = {}  # what lies face up
        self.weeds: list[dict[Spot, Tile]] = [{} for _ in range(setup.players)]  # a player: those that he laid
        self.bag: Counter[Tile] = Counter(dict(setup.tiles))
        self.tile: Tile | None = None  # drawn, and not yet laid
        # whose turn it would be if he can place a tile
        self.next = 0 if setup.alone else NOBODY if setup.first is None else setup.first
        self.kept_beds: tuple[Flowers, list[Bed]] = {}, []  # a board and its beds

    def copy(self) -> "Reference":
        other = copy.copy(self)
        other.flowers = self.flowers.copy()
        other.weeds = [weeds.copy() for weeds in self.weeds]
        other.bag = self.bag.copy()
        return other

    # --- room ---

    def free_spots(self, *owners: int) -> Iterator[Spot]:
        """Where a tile fits wholly in rows of these owners: players, or NOBODY for the strip."""
        under_weeds = {cell for weeds in self.weeds for spot in weeds for cell in spot}
        rows = tuple(row for row, side in enumerate(self.setup.sides) if side in owners)
        for one, other in all_spots(rows, self.setup.columns):
            if one not in self.flowers and other not in self.flowers and under_weeds.isdisjoint((one, other)):
                yield one, other

    def lay_spots(self, player: int) -> Iterator[Spot]:
        """Where he may lay a tile face up: on his side, in the strip, or half in each."""
        return self.free_spots(player, NOBODY)

    def weed_spots(self, player: int) -> Iterator[Spot]:
        """Where he may lay a tile face down: wholly in the other's side, as long as he has weeds left."""
        return self.free_spots(1 - player) if self.weeds_left(player) > 0 else iter(())

    def weeds_left(self, player: int) -> int:
        return self.setup.weeds_at_start - len(self.weeds[player])

    def can_place(self, player: int) -> bool:
        room = any(True for _ in self.lay_spots(player))
        return room or (self.setup.weed_counts_as_legal and any(True for _ in self.weed_spots(player)))

    # --- whose turn it is, and for what ---

    def phase(self) -> str:
        """What happens next: "first", "draw", "place", or "over"."""
        if self.next == NOBODY:
            return "first"
        if self.tile is not None:
            return "place"
        return "draw" if sum(self.bag.values()) > 0 and self.mover() != NOBODY else "over"

    def mover(self) -> int:
        """Who places the tile that has been drawn or will be drawn next: who is out is skipped."""
        if self.next == NOBODY:
            return NOBODY
        in_turn = [(self.next + step) % self.setup.players for step in range(self.setup.players)]
        return next((player for player in in_turn if self.can_place(player)), NOBODY)

    @property
    def actor(self) -> int:
        phase = self.phase()
        if phase == "over":
            return TERMINAL
        return self.mover() if phase == "place" else CHANCE

    def choices(self) -> list[Choice]:
        if self.phase() != "place" or self.tile is None:
            return []
        player = self.mover()
        both_ways = {self.tile, self.tile[::-1]}
        lay = [("lay", (*a, v), (*b, w)) for a, b in self.lay_spots(player) for v, w in both_ways]
        return [*sorted(lay), *(("weed", a, b) for a, b in self.weed_spots(player))]

    def events(self) -> list[tuple[Event, Fraction]]:
        phase = self.phase()
        if phase == "first":
            return [(("first", player), Fraction(1, self.setup.players)) for player in range(self.setup.players)]
        if phase == "draw":
            total = sum(self.bag.values())
            return [(("draw", *tile), Fraction(n, total)) for tile, n in sorted(self.bag.items()) if n > 0]
        return []

    # --- what a choice or an event does ---

    def is_legal(self, step: Choice | Event) -> bool:
        """The same as being one of choices() or events(), mostly without listing them."""
        match step:
            case ("draw", one, other):
                return self.phase() == "draw" and self.bag.get((one, other), 0) > 0
            case ("lay", (row, column, one), (row2, column2, other)):
                fits = self.phase() == "place" and self.tile in ((one, other), (other, one))
                return fits and ((row, column), (row2, column2)) in self.lay_spots(self.mover())
            case ("weed", one, other):
                return self.phase() == "place" and (one, other) in self.weed_spots(self.mover())
        return step in [event for event, _ in self.events()]

    def apply(self, step: Choice | Event) -> None:
        if not self.is_legal(step):
            raise ValueError(f"illegal step {step!r}, expected: {self.phase()}")
        player = self.mover()
        match step:
            case ("first", first):
                self.next = first
            case ("draw", one, other):
                self.tile = (one, other)
                self.bag[self.tile] -= 1
            case ("lay", (row, column, one), (row2, column2, other)):
                self.flowers[row, column] = one
                self.flowers[row2, column2] = other
                self.end_turn(player)
            case ("weed", one, other):
                assert self.tile is not None
                self.weeds[player][one, other] = self.tile
                self.end_turn(player)

    def end_turn(self, player: int) -> None:
        self.tile = None
        self.next = (player + 1) % self.setup.players

    # --- points ---

    def beds(self) -> list[Bed]:
        # points, places and their parts are asked for one after another: the board is looked at anew where it has changed
        if self.kept_beds[0] != self.flowers:
            self.kept_beds = self.flowers.copy(), beds_of(self.setup, self.flowers)
        return self.kept_beds[1]

    def components(self) -> list[dict[str, int]]:
        """Points by variety, a player each."""
        points = [dict.fromkeys(VARIETIES, 0) for _ in range(self.setup.players)]
        for bed in self.beds():
            if bed.owner != NOBODY:
                points[bed.owner][VARIETIES[bed.variety]] += bed.points
        return points

    def scores(self) -> list[int]:
        return [sum(points.values()) for points in self.components()]

    def ranks(self) -> list[tuple[int, list[int]]]:
        """By what players are compared: points, then the sizes of the beds they own, the largest first.

        The shorter of two lists that begin alike is the lower one: a bed that is not there counts 0.
        """
        beds = self.beds()
        return [
            (score, [bed.size for bed in beds if bed.owner == player]) for player, score in enumerate(self.scores())
        ]

    def placing(self) -> list[int]:
        ranks = self.ranks()
        return [1 + sum(other > rank for other in ranks) for rank in ranks]

    # --- what is hidden ---

    def sees_tile(self, observer: int | None) -> bool:
        """Whether he sees the tile that has been drawn. Alone, there is nobody to hide it from."""
        return self.setup.alone or observer is None or observer == self.mover()

    def sees_weeds(self, observer: int | None, owner: int) -> bool:
        """Whether he has seen what lies under the weeds of a player."""
        return self.setup.weeds == "open" or observer is None or observer == owner

    def hidden_weeds(self, observer: int | None) -> list[tuple[int, Spot]]:
        """Whose weeds, and where, the observer cannot look under."""
        players = [player for player in range(self.setup.players) if not self.sees_weeds(observer, player)]
        return [(player, spot) for player in players for spot in sorted(self.weeds[player])]

    def hides_tile(self, observer: int | None) -> bool:
        return self.tile is not None and not self.sees_tile(observer)

    def unseen(self, observer: int | None) -> Counter[Tile]:
        """The tiles that the observer has not seen: those in the bag and those hidden from him."""
        tiles = Counter({tile: count for tile, count in self.bag.items() if count > 0})
        tiles.update(self.weeds[player][spot] for player, spot in self.hidden_weeds(observer))
        if self.tile is not None and self.hides_tile(observer):
            tiles[self.tile] += 1
        return tiles

    def view(self, observer: int | None) -> dict[str, Any]:
        """All that the observer knows and that matters from now on, as plain data; None: everything."""
        phase = self.phase()
        return {
            "phase": phase,
            "actor": self.actor,
            "mover": NOBODY if phase == "over" else self.mover(),
            "flowers": dict(sorted(self.flowers.items())),
            "tile": UNKNOWN if self.hides_tile(observer) else self.tile,
            "weeds": [
                {spot: tile if self.sees_weeds(observer, player) else UNKNOWN for spot, tile in sorted(weeds.items())}
                for player, weeds in enumerate(self.weeds)
            ],
            "weeds left": [self.weeds_left(player) for player in range(self.setup.players)],
            "out": [not self.can_place(player) for player in range(self.setup.players)],
            "bag": sum(self.bag.values()),
            "unseen": {tile: count for tile, count in sorted(self.unseen(observer).items()) if count > 0},
        }

    def deals(self, observer: int | None) -> list[tuple["Reference", Fraction]]:
        """Every full state that agrees with what the observer knows, and how likely it is as chance deals.

        Nothing tells a hidden tile from those in the bag, whenever it was drawn: so they are drawn one after another
        from all that he has not seen.
        """
        weeds = self.hidden_weeds(observer)
        hides_tile = self.hides_tile(observer)
        unseen = self.unseen(observer)
        deals = []
        for tiles, probability in sequences(unseen, len(weeds) + hides_tile):
            state = self.copy()
            for (player, spot), tile in zip(weeds, tiles, strict=False):
                state.weeds[player][spot] = tile
            if hides_tile:
                state.tile = tiles[-1]
            state.bag = unseen - Counter(tiles)
            deals.append((state, probability))
        return deals
