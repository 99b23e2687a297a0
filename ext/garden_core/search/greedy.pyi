"""One ply of `evaluate`: the move after which the game's own estimate is best, averaged over redeals."""

from typing import SupportsIndex

from garden_core.search.root import RootTable
from garden_core.state import State

def search(root: State, seed: SupportsIndex) -> tuple[RootTable, int]:
    """Evaluates every move of the root once, or once a redeal. Returns (table, nodes)."""
