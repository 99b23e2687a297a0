"""What every engine answers: an `Analysis`, the ranked moves of one decision. No engine and no game is known here."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Z95 = 1.959964  # two-sided 95% quantile of the normal distribution
INTERVAL_VISITS = 30  # fewer say too little about their own spread
SLIPS = 3.0  # what a near-best move may lack, in slips
TRUSTED = 0.05  # of the visits of the most visited move, for a mean that a slip may trust


@dataclass(frozen=True)
class Move:
    """One move of an analysis. Points are expected final ones; `win` is the chance of finishing first, ties shared.

    What an engine does not estimate is None (a number), NaN-free; `probability` is how often the strategy found plays the
    move, before `Analysis.threshold` leaves rare ones out. `win_interval` and `utility_error` speak of sampling error only.
    `components` are means of the simulations that reached the end; where none did, the best moves have their estimated score
    split as some playouts by the game's policy share it. `line` begins with the move and goes to the end of the mover's turn, or
    as far as the search foresaw the others' answers; what chance brings between his decisions is drawn, and comes otherwise.
    """

    action: int
    move: str
    visits: int
    probability: float
    utility: float | None
    utility_error: float | None
    win: float | None
    win_interval: tuple[float, float] | None
    scores: tuple[float, ...] | None
    components: dict[str, float] | None  # of the player to move
    line: tuple[str, ...]
    line_players: tuple[int, ...] = ()  # who makes the moves of the line, -1 what chance brings
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The JSON form of one move."""
        return {
            "move": self.move,
            "visits": self.visits,
            "probability": _rounded(self.probability),
            "win": _rounded(self.win),
            "win_interval": None if self.win_interval is None else [_rounded(end) for end in self.win_interval],
            "scores": None if self.scores is None else [_rounded(score, 2) for score in self.scores],
            "components": None
            if self.components is None
            else {name: _rounded(points, 2) for name, points in self.components.items()},
            "line": list(self.line),
            "reason": self.reason,
        }


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
    calibrated: bool  # whether stated chances of finishing first were found to be as often true, or are solved
    moves: Sequence[Move]
    actions: tuple[int, ...] = ()  # of the moves, and how often each would be played: there without any words
    probabilities: tuple[float, ...] = ()
    visits: tuple[int, ...] = ()
    utilities: tuple[float, ...] = ()  # means; of unvisited moves NaN
    threshold: float = 0.0  # moves less frequent than this share of the most frequent one are never played
    notes: tuple[str, ...] = ()  # "forced", "interrupted", "table full"

    @property
    def nodes_per_second(self) -> float:
        """Applied actions and chance outcomes a second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    @property
    def best(self) -> Move:
        """The first of the moves."""
        return self.moves[0]

    def choose(self, seed: int, slip: float = 0.0) -> int:
        """The action the engine plays: the best, or one drawn by `probability` where it mixes, rare ones left out.

        Those are noise for the most part: Ganzfried, Sandholm and Waugh, "Strategy purification and thresholding: effective
        non-equilibrium approaches for playing large games", 2012. With a threshold of 1 the most frequent one is left.

        A `slip` above 0, a difference of utilities, makes an engine that does not mix err as people do, never absurdly: it draws
        from the moves that lack at most `SLIPS` slips to the best, one that lacks a slip being e times less likely. Only moves
        with their share of the visits count, since the others' means are chance. Mixed and random choices stay as they are.
        """
        if slip > 0 and self.probabilities[0] >= 1.0:
            return self._slipped(seed, slip)
        if self.probabilities[0] >= 1.0 or self.threshold >= 1.0:
            return self.actions[0]
        least = self.threshold * self.probabilities[0]
        played = [probability if probability >= least else 0.0 for probability in self.probabilities]
        return random.Random(seed).choices(self.actions, played)[0]

    def _slipped(self, seed: int, slip: float) -> int:
        trusted = max(self.visits) * TRUSTED
        moves = [i for i, visits in enumerate(self.visits) if visits >= trusted and visits > 0]
        if not moves:  # nothing was looked at
            return self.actions[0]
        best = max(self.utilities[i] for i in moves)
        lacking = [(best - self.utilities[i]) / slip for i in moves]
        likely = [math.exp(-lack) if lack <= SLIPS else 0.0 for lack in lacking]
        return self.actions[random.Random(seed).choices(moves, likely)[0]]

    def to_dict(self, top: int | None = None) -> dict[str, Any]:
        """The JSON form that `garden-ai hint --json` prints, with the `top` best moves."""
        out: dict[str, Any] = {
            "game": self.game,
            "to_move": self.to_move,
            "engine": self.engine,
            "simulations": self.simulations,
            "seconds": round(self.seconds, 4),
            "nodes_per_second": round(self.nodes_per_second),
            "solved": self.solved,
            "calibrated": self.calibrated,
            "moves": [move.to_dict() for move in self.moves[:top]],
        }
        return {**out, "notes": list(self.notes)} if self.notes else out


def interval(mean: float, error: float, visits: int) -> tuple[float, float] | None:
    """A 95% interval for a share in [0, 1] from its mean and standard error; None below `INTERVAL_VISITS`.

    Where every simulation ended alike the sample tells no spread, so the error is kept at least that of a sample with one
    different ending.
    """
    if visits < INTERVAL_VISITS:
        return None
    half = Z95 * max(error, 1.0 / visits)
    return max(0.0, mean - half), min(1.0, mean + half)


def _rounded(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)
