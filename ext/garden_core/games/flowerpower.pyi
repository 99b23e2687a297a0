"""Flowerpower: two players lay tiles of two flowers each, or one player alone; the larger a bed the more it is worth."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from garden_core.state import Game, State

PHASES: tuple[str, ...]

class Flowerpower(Game):
    """The game as loaded; made by `load`."""

    def __init__(self, players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> None: ...
    @property
    def rows(self) -> int:
        """Of the board, both sides and the strip."""
    @property
    def columns(self) -> int:
        """Of the board."""
    @property
    def strip(self) -> tuple[int, int]:
        """The first row of the strip, and the one after its last."""
    @property
    def varieties(self) -> tuple[str, ...]:
        """Names, in the order of the indices."""
    @property
    def letters(self) -> str:
        """Of the varieties."""
    @property
    def weeds_each(self) -> int:
        """How many weeds a player may lay; 0 where the game is played without."""
    def side(self, row: int) -> int:
        """Whose side a row is on: a seat, or -1 for the strip; alone all is one's own."""
    def phase(self, state: State) -> str:
        """One of `PHASES`."""
    def step(self, state: State, id: int) -> tuple[Any, ...]:
        """An action or outcome spelt out: ("lay", (row, column, variety), (row, column, variety)) and ("weed", (row, column),
        (row, column)), the upper or left space first, ("draw", variety, variety) or ("first", player). It must be possible.
        """
    def step_id(self, state: State, step: Sequence[Any]) -> int:
        """The inverse of `step`, spaces and varieties in either order; -1 where no such step exists in the state's phase.
        It need not be possible.
        """
    def beds(
        self, rows: Sequence[str]
    ) -> list[tuple[int, tuple[tuple[int, int], ...], tuple[int, int], int, int]]:
        """The beds of a board written in rows, largest first: (variety, spaces, counts by side, owner or -1, points)."""
    def move_features(self, state: State, actions: Sequence[int] | None = None) -> NDArray[np.float32]:
        """Of moves, every legal one by default: [n, MOVE_FEATURES]."""
    def promise(self, state: State) -> list[float]:
        """What its beds promise each player, in points, before `base` and `slope`."""

def load(players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> Flowerpower:
    """The game with options and the plain data of a component file. Loading the same again gives the same object."""

def check_components(components: Mapping[str, Any]) -> None:
    """Raises `FieldError` where the plain data of a component file does not describe a Flowerpower set that fits."""
