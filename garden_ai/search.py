"""The engines as Python sees them: settings, and one `Analysis` as the answer of them all.

The searches themselves are in `garden_core.search`; nothing here knows a particular game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

DEFAULT_ENGINE = "halving"


@dataclass(frozen=True)
class Move:
    """One move of an analysis. Points are expected final ones; `win` is the share of first places, ties shared."""

    action: int
    move: str
    visits: int
    probability: float
    utility: float
    win: float
    win_interval: tuple[float, float] | None   # 95%, sampling error only; None below 30 visits
    scores: tuple[float, ...]
    components: dict[str, float]               # of the player to move
    line: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True)
class Analysis:
    """What a search answers about the decision of `to_move`: its moves, the best first."""

    game: str
    to_move: int
    engine: str
    simulations: int
    nodes: int
    seconds: float
    depth: int
    solved: bool
    moves: tuple[Move, ...]
    notes: tuple[str, ...] = field(default=())   # "forced", "table full", ...

    @property
    def nodes_per_second(self) -> float:
        """Applied actions and chance outcomes a second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    @property
    def best(self) -> Move:
        """The move to play where one plays the best."""
        return self.moves[0]

    def to_dict(self, top: int | None = None) -> dict[str, Any]:
        """The JSON form that `garden-ai hint --json` prints."""
        raise NotImplementedError
