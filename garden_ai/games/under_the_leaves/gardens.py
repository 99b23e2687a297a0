"""Gardens as fields write them, for the notation, the picture and the words: spots and cells by name, areas, figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

FAMILIES = ("leaf", "puddle", "mushroom")
CORNERS = ("nw", "ne", "sw", "se")
REACH = 12  # tiles that a garden may stretch from its start, in any direction
LETTER, NUMBER = ord("a") + REACH, 1 + REACH  # of the starting tile's spot, m13
PUDDLE = "~"

Spot = tuple[int, int]  # row and column of a tile; (0, 0) is that of the starting tile
Cell = tuple[int, int]  # row and column; (0, 0) is the starting tile's first


def spot_name(spot: Spot) -> str:
    """`m13` for the spot of the starting tile."""
    row, column = spot
    return f"{chr(LETTER + column)}{NUMBER + row}"


def spot_at(name: str) -> Spot:
    """The inverse of `spot_name`."""
    return int(name[1:]) - NUMBER, ord(name[0]) - LETTER


def cell_name(cell: Cell) -> str:
    """`m13nw` for the first cell of the starting tile."""
    row, column = cell
    return spot_name(spot_of(cell)) + CORNERS[2 * (row % 2) + column % 2]


def cell_at(name: str) -> Cell:
    """The inverse of `cell_name`."""
    row, column = spot_at(name[:-2])
    corner = CORNERS.index(name[-2:])
    return 2 * row + corner // 2, 2 * column + corner % 2


def spot_of(cell: Cell) -> Spot:
    """The spot that a cell belongs to."""
    return cell[0] // 2, cell[1] // 2


def beside(place: Spot | Cell) -> tuple[tuple[int, int], ...]:
    """The four that share a side with a spot or a cell."""
    row, column = place
    return (row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)


def square(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The square of four cells of which this is the first."""
    row, column = cell
    return (row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)


@dataclass(frozen=True)
class Area:
    """Cells of one colour that hang together, or a puddle."""

    kind: str  # a colour's letter, or `PUDDLE`
    cells: tuple[Cell, ...]  # in reading order
    bees: int

    @property
    def size(self) -> int:
        """Cells."""
        return len(self.cells)


class Garden:
    """One garden of a view."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        top, left = spot_at(fields["corner"])
        self.kinds: dict[Cell, str] = {}  # in reading order
        self.mushrooms: set[Cell] = set()
        for r, row in enumerate(fields["rows"]):
            for c in range(0, len(row), 2):
                cell = 2 * top + r, 2 * left + c // 2
                if row[c] != ".":
                    self.kinds[cell] = row[c]
                if row[c + 1 : c + 2] == "*":
                    self.mushrooms.add(cell)
        self.spots = {spot_of(cell) for cell in self.kinds}
        self.bees: dict[Cell, int] = {cell_at(name): bees for name, bees in fields["bees"].items()}
        self.nests: dict[Spot, int] = {spot_at(name): birds for name, birds in fields["hummingbirds"].items()}
        self.dwellers: dict[str, list[Cell]] = {family: [*map(cell_at, fields[family])] for family in FAMILIES}

    @property
    def points(self) -> dict[str, int]:
        """Figures by kind, as the components of the score are named; without majorities."""
        figures = {"bees": sum(self.bees.values()), "hummingbirds": sum(self.nests.values())}
        return figures | {family: len(cells) for family, cells in self.dwellers.items()}

    @cached_property
    def areas(self) -> list[Area]:
        """All of them, by their first cells in reading order."""
        found: list[Area] = []
        seen: set[Cell] = set()
        for start, kind in self.kinds.items():
            if start not in seen:
                cells = sorted(self._connected(start))
                seen.update(cells)
                found.append(Area(kind, tuple(cells), sum(self.bees.get(cell, 0) for cell in cells)))
        return found

    def area(self, cell: Cell) -> Area:
        """The one that a cell belongs to."""
        return next(area for area in self.areas if cell in area.cells)

    @property
    def buildable(self) -> set[Spot]:
        """Where the next tile may lie."""
        around = {spot for tile in self.spots for spot in beside(tile)} - self.spots
        return {spot for spot in around if max(map(abs, spot)) <= REACH}

    def open_sides(self, area: Area) -> int:
        """How many cells it can still grow on directly."""
        around = {cell for own in area.cells for cell in beside(own)} - self.kinds.keys()
        return sum(max(map(abs, spot_of(cell))) <= REACH for cell in around)

    def _connected(self, start: Cell) -> set[Cell]:
        """The cells of the same kind that hang together with this one."""
        found, waiting = {start}, [start]
        while waiting:
            for cell in beside(waiting.pop()):
                if cell not in found and self.kinds.get(cell) == self.kinds[start]:
                    found.add(cell)
                    waiting.append(cell)
        return found


def gardens_of(view: Mapping[str, Any]) -> list[Garden]:
    """The gardens of all players; none before the starting tiles are dealt."""
    return [Garden(fields) for fields in view["gardens"]]


def majorities(gardens: list[Garden], of_none: bool) -> list[int]:
    """The two points for each family of which a player has most; `of_none`: also where all have none."""
    points = [0] * len(gardens)
    for family in FAMILIES:
        counts = [len(garden.dwellers[family]) for garden in gardens]
        for player, count in enumerate(counts):
            points[player] += 2 * (count == max(counts) and (count > 0 or of_none))
    return points


def bounds(garden: Garden) -> tuple[Spot, Spot]:
    """The spots in the upper left and the lower right corner of the box around it."""
    rows, columns = zip(*garden.spots, strict=True)
    return (min(rows), min(columns)), (max(rows), max(columns))
