"""Flat Monte Carlo with sequential halving over the root's moves: a strong baseline."""

from typing import SupportsIndex

from garden_core.search.control import Control
from garden_core.search.root import RootTable
from garden_core.state import State

def search(
    root: State, control: Control, seed: SupportsIndex, policy: bool = True, threads: int = 1
) -> tuple[RootTable, list[int], int, int]:
    """Races the root's moves. Returns (table, order of the moves, nodes, playouts)."""
