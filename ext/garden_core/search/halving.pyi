"""Flat Monte Carlo with sequential halving over the root's moves: a strong baseline."""

from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from garden_core.search.control import Control
from garden_core.search.root import RootTable
from garden_core.state import State

def search(
    root: State, control: Control, seed: SupportsIndex, policy: bool = True, threads: int = 1
) -> tuple[RootTable, list[int], int, int]:
    """Races the root's moves. Returns (table, order of the moves, nodes, playouts)."""

def mean_components(root: State, move: int, count: int, seed: SupportsIndex) -> NDArray[np.float64]:
    """The mover's mean final components over playouts by policy after the root's move of that place: [components]."""
