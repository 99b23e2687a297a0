"""`RootTable`: what a search learns about each move of the root, gathered alike by every search."""

import numpy as np
from numpy.typing import NDArray

from garden_core.state import State

class RootTable:
    """The legal moves of a state, mirror-equal ones once (n of them), with means over the simulations of each."""

    def __init__(self, state: State) -> None: ...
    def __len__(self) -> int: ...
    @property
    def player(self) -> int:
        """The seat to move."""
    def actions(self) -> NDArray[np.int32]:
        """Shape [n]."""
    def visits(self) -> NDArray[np.int64]:
        """Shape [n]."""
    def utilities(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Means of the mover's utility and their standard errors: shape [n] each, NaN without visits."""
    def wins(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Means of the mover's share of first places and their standard errors: shape [n] each."""
    def scores(self) -> NDArray[np.float64]:
        """Mean final scores: shape [n, players]."""
    def components(self) -> NDArray[np.float64]:
        """Mean final components: shape [n, players, components]."""
