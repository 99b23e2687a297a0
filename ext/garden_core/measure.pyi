"""Loops that the bench times, each below the Python boundary, the GIL released."""

from typing import SupportsIndex

from garden_core.state import State

def playouts(root: State, count: int, seed: SupportsIndex, policy: bool = False) -> tuple[int, float]:
    """Plays `count` games from `root` to their ends. Returns (nodes, sum of player 0's scores)."""

def copies(root: State, count: int, contract: bool = True) -> int:
    """Copies a state `count` times in a ring that fits the first-level cache; returns a sum of bytes.

    With `contract` as every search does it; without, a bare memcpy of the same runtime size.
    """

def legal_moves(root: State, count: int) -> int:
    """Lists the legal actions of `root` `count` times; returns the sum of their numbers."""

def keys(root: State, count: int, observer: int) -> int:
    """Hashes `root` as `observer` knows it `count` times; returns the xor of the keys."""

def redeals(root: State, count: int, observer: int, seed: SupportsIndex) -> int:
    """Redeals `root` for `observer` `count` times; returns the xor of a word of each."""

def mean_result(root: State, count: int, seed: SupportsIndex, policy: bool = True) -> tuple[list[float], list[float]]:
    """Plays `count` games from `root` to their ends. Returns (mean utilities, mean scores), a float each player."""
