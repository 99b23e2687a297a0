"""Under the Leaves: 2-4 gardeners lay tiles of four cells; areas bring bees and hummingbirds, patterns bring dwellers."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from garden_core.state import Game, State

WEIGHTS: dict[str, Any]
PHASES: tuple[str, ...]

class UnderTheLeaves(Game):
    """The game as loaded; made by `load`."""

    def __init__(self, players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> None: ...
    @property
    def colours(self) -> tuple[str, ...]:
        """Names, in the order of the components."""
    @property
    def letters(self) -> str:
        """Of the colours."""
    @property
    def garden_tiles(self) -> tuple[str, ...]:
        """Codes of the tiles to be laid, in the order of their indices."""
    @property
    def starting_tiles(self) -> tuple[str, ...]:
        """Codes of the tiles that gardens begin with, in the order of their indices."""
    @property
    def turns(self) -> int:
        """Of each player."""
    @property
    def market_size(self) -> int:
        """Tiles that lie in the market when a player chooses."""
    @property
    def card_names(self) -> Mapping[str, tuple[str, ...]]:
        """Of each family "leaf", "puddle" and "mushroom" all four cards, in the order of their indices."""
    def oriented(self, code: str) -> tuple[tuple[str, str, str, str], ...]:
        """The distinct ways in which a tile may lie: its cells like "G*", "O" or "~", row by row. Obeys `allow_flip`."""
    def phase(self, state: State) -> str:
        """One of `PHASES`."""
    def step(self, state: State, id: int) -> tuple[Any, ...]:
        """An action or outcome spelt out: ("place", tile, (row, column), (four cells as they lie)) with row and column of the
        spot from the starting tile, ("choose", family, (row, column)) with those of a cell, ("cards", leaf, puddle, mushroom),
        ("starts", a tile for each seat ..), ("first", player) or ("draw", tile). It must be possible.
        """
    def step_id(self, state: State, step: Sequence[Any]) -> int:
        """The inverse of `step`; -1 where no such step exists in the state's phase. It need not be possible."""
    def position_features(self, state: State, player: int) -> NDArray[np.float32]:
        """Of a player's garden: [STAGES * FEATURES]."""
    def glance_features(self, state: State) -> NDArray[np.float32]:
        """Of every move, what a quick look weighs: [n, STAGES * GLANCES]."""
    def glances(self, state: State) -> list[tuple[int, float]]:
        """The moves that are best at a quick look and their values, best first."""
    def gains(self, state: State) -> NDArray[np.float64]:
        """How good each legal action is at a glance, in points: [n]."""
    def turns_left(self, state: State) -> list[int]:
        """How many turns each player has left, the one begun not counted once its tile is placed."""
    def promise(self, state: State) -> list[float]:
        """What each player's garden promises beyond its points, before `base` and `slope`."""

def load(players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> UnderTheLeaves:
    """The game with options and the plain data of a component file. Loading the same again gives the same object."""

def check_components(components: Mapping[str, Any]) -> None:
    """Raises `FieldError` where the plain data of a component file does not describe an Under the Leaves set that fits."""
