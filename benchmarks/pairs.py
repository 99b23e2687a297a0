"""Two measurements in turn: what is compared meets the same minute, the same clock rate and the same neighbours."""

from __future__ import annotations

from collections.abc import Callable

from garden_ai.yardstick import PAIRS, Comparison


def alternate(ours: Callable[[], float], theirs: Callable[[], float], pairs: int = PAIRS) -> Comparison:
    """Runs one and the other in turn, `pairs` times."""
    result = Comparison()
    for _ in range(pairs):
        result.ours.append(ours())
        result.theirs.append(theirs())
    return result
