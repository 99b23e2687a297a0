"""Expectimax: the game searched out as deep as time allows."""

from typing import SupportsIndex

from garden_core.search.control import Control
from garden_core.search.root import RootTable
from garden_core.state import State

class Expectimax:
    """One search. `star` is 0 (full windows at chance), 1 or 2; `samples` outcomes are drawn where too many."""

    def __init__(
        self,
        root: State,
        *,
        memory: int = 67108864,
        star: int = 2,
        samples: int = 16,
        redeals: int = 8,
        transpositions: bool = True,
    ) -> None: ...
    @property
    def root(self) -> State: ...
    @property
    def table(self) -> RootTable: ...
    @property
    def nodes(self) -> int: ...
    @property
    def depth(self) -> int:
        """Of the last iteration that was finished."""
    @property
    def solved(self) -> bool: ...
    @property
    def full(self) -> bool:
        """Whether the transposition table is."""
    @property
    def bytes_reserved(self) -> int:
        """Of the transposition table."""
    def run(self, control: Control, seed: SupportsIndex, most_depth: int = 1000, exact_moves: int = 3) -> list[int]:
        """Deepens until the control ends it, the game is searched out or `most_depth` is done.

        The best `exact_moves` have exact values, the others bounds. Returns the order of the moves, the best first.
        """
