"""Beds by name rather than by place in a tuple, for the picture and the words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from garden_core.games.flowerpower import Flowerpower

Cell = tuple[int, int]


class Bed(NamedTuple):
    """A bed as `Flowerpower.beds` lists it."""

    variety: int
    cells: tuple[Cell, ...]
    counts: tuple[int, int]  # its flowers on the side of player 0 and 1
    owner: int  # -1: nobody
    points: int

    @property
    def size(self) -> int:
        """Flowers, wherever they are."""
        return len(self.cells)


def beds_of(game: Flowerpower, rows: Sequence[str]) -> list[Bed]:
    """The beds of a board, largest first."""
    return [Bed(*bed) for bed in game.beds(rows)]


def least_size(game: Flowerpower) -> int:
    """Flowers of the smallest bed that scores between two players."""
    sizes: list[int] = game.components_data["beds"]["sizes"]
    return sizes[0] if sizes else 1
