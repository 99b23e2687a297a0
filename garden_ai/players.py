"""Named levels: an engine with settings and limits, weakest first. Any program may use them.

Each looks at far more than the one before; docs/search.md has the matches between neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Level:
    """How one level searches. `seconds` and `simulations` are its limits, at least one of them set."""

    name: str
    engine: str
    seconds: float | None = None
    simulations: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


_BLIND = {"priors": False, "playouts": "random", "widening": 0.0}  # without the game's own advice

LEVELS: dict[str, Level] = {
    level.name: level
    for level in (
        Level("beginner", "greedy", simulations=1),
        Level("casual", "mcts", simulations=40, settings=_BLIND),
        Level("club", "mcts", simulations=400),
        Level("strong", "mcts", simulations=3000),
        Level("champion", "mcts", seconds=1.0),
    )
}
