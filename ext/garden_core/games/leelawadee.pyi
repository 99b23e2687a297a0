"""Leelawadee: 2-4 gardeners plant flowers that attract butterflies and a bumblebee."""

from collections.abc import Mapping, Sequence
from typing import Any

from garden_core.state import Game, State

PHASES: tuple[str, ...]

class Leelawadee(Game):
    """The game as loaded; made by `load`."""

    def __init__(self, players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> None: ...
    @property
    def colours(self) -> tuple[str, ...]:
        """Names, in the order of the indices."""
    @property
    def letters(self) -> str:
        """Of the colours."""
    @property
    def creatures(self) -> tuple[str, ...]:
        """Names."""
    @property
    def codes(self) -> tuple[str, ...]:
        """Of the creatures, short."""
    @property
    def shapes(self) -> tuple[tuple[str, ...], ...]:
        """The rows of each player's garden: '.' a spot, ' ' none."""
    @property
    def cells(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """(row, column) of each spot, for each player."""
    def phase(self, state: State) -> str:
        """One of `PHASES`."""
    def step(self, state: State, id: int) -> tuple[Any, ...]:
        """An action or outcome spelt out: ("plant", colour, row, column), ("bid", points), ("start", player),
        ("first", player), ("draw", (counts by colour)) or ("tie", player). It must be possible in the state.
        """
    def step_id(self, state: State, step: Sequence[Any]) -> int:
        """The inverse of `step`; -1 where no such step exists in the state's phase. It need not be possible."""
    def creature_index(self, code: str) -> int:
        """The index of a creature by its code or name, in any case; -1 where there is none."""

def load(players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> Leelawadee:
    """The game with options and the plain data of a component file. Loading the same again gives the same object."""

def check_components(components: Mapping[str, Any]) -> None:
    """Raises `FieldError` where the plain data of a component file does not describe a Leelawadee set that fits."""
