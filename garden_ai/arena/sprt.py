"""A sequential test between two strengths: after every deal it says which of them is true, or that it needs more deals.

Wald's test (Wald, "Sequential tests of statistical hypotheses", 1945) adds up the logarithm of how much likelier each outcome is
under H1 than under H0, and ends at log((1 - beta) / alpha) or log(beta / (1 - alpha)). Here an outcome is that of a whole deal,
the first player's mean share of first places over its rotations, since the games of one deal depend on each other. Only its mean
is given by a hypothesis, so each takes the distribution over the outcomes seen that has that mean and the greatest likelihood
(Li, Liu and Ying, "Generalized sequential probability ratio test for separate families of hypotheses", 2014; Owen, "Empirical
likelihood ratio confidence intervals for a single functional", 1988): exactly, not by the normal distribution.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from garden_core.fields import FieldError
from numpy.typing import NDArray

PRIOR = 1e-3  # of a deal, that is thought seen of each extreme, no first place and nothing but: so that any mean is possible
MOST_ELO = 2000.0
MOST_STEPS = 200
PRECISE = 1e-13
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Hypotheses:
    """H0 and H1, how many Elo points the first player is better, and the chances of accepting the wrong one that are allowed.

    alpha is that of H1 where H0 is true, beta that of H0 where H1 is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Raises `FieldError`."""
        for name, elo in (("ELO0", self.elo0), ("ELO1", self.elo1)):
            if not abs(elo) <= MOST_ELO:
                raise FieldError(name, f"expected {-MOST_ELO:.0f}..{MOST_ELO:.0f}; got {elo:g}")
        if not self.elo0 < self.elo1:
            raise FieldError("ELO1", f"expected more than ELO0, {self.elo0:g}; got {self.elo1:g}")
        for name, chance in (("ALPHA", self.alpha), ("BETA", self.beta)):
            if not 0 < chance < 0.5:
                raise FieldError(name, f"expected a chance of error between 0 and 0.5; got {chance:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """At or below the first the test accepts H0, at or above the second H1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def shares(self, players: int) -> tuple[float, float]:
        """The share of first places that H0 and H1 expect in games of so many."""
        return expected_share(self.elo0, players), expected_share(self.elo1, players)


def expected_share(elo: float, players: int) -> float:
    """The share of first places of one who is `elo` points better than each of the others (Plackett and Luce)."""
    return 1 / (1 + (players - 1) * 10 ** (-elo / 400))


class SequentialTest:
    """The test as deals come in; once it has decided it stays with that."""

    def __init__(self, hypotheses: Hypotheses, players: int) -> None:
        """`players` is how many meet in a game, or on a deal that each plays alone."""
        self.hypotheses = hypotheses
        self.shares = hypotheses.shares(players)
        self.ratio = 0.0  # the logarithm of the likelihoods' ratio
        self.decision: str | None = None
        self._seen: Counter[float] = Counter()

    def add(self, outcome: float) -> str | None:
        """Takes in a deal's outcome, 0..1, and answers "H0", "H1" or None for not yet."""
        if self.decision is None:
            self._seen[round(outcome, 9)] += 1
            outcomes = sorted(self._seen)
            counts = np.array([self._seen[one] for one in outcomes], np.float64)
            self.ratio = float(log_likelihood_ratio(np.array(outcomes), counts, *self.shares))
            low, high = self.hypotheses.bounds
            self.decision = "H0" if self.ratio <= low else "H1" if self.ratio >= high else None
        return self.decision

    def to_dict(self) -> dict[str, Any]:
        """How it stands, in plain data."""
        low, high = self.hypotheses.bounds
        return {
            **asdict(self.hypotheses),
            "share0": round(self.shares[0], 5),
            "share1": round(self.shares[1], 5),
            "bounds": [round(low, 4), round(high, 4)],
            "log_likelihood_ratio": round(self.ratio, 4),
            "decision": self.decision,
        }


def log_likelihood_ratio(outcomes: Floats, counts: Floats, mean0: float, mean1: float) -> Floats:
    """The logarithm of the greatest likelihood with `mean1` over that with `mean0`.

    `outcomes` [k] lie in 0..1, `counts` [..., k] say how often each was seen; the answer is [...].
    """
    points = np.concatenate([outcomes, (0.0, 1.0)])
    weights = np.concatenate([counts, np.full((*counts.shape[:-1], 2), PRIOR)], axis=-1)
    ratio: Floats = _likelihood(points - mean1, weights) - _likelihood(points - mean0, weights)
    return ratio


def _likelihood(distances: Floats, weights: Floats) -> Floats:
    """The greatest log likelihood of distributions whose mean is the point that distances are counted from, up to a constant.

    They are p_i = w_i / (1 + t d_i), w_i being the shares of the weights and t such that the mean distance is 0, where the
    derivative that is looked for below falls through 0 (Owen 1988). Newton's steps, halving where one leaves the bracket.
    """
    low = np.full(weights.shape[:-1], -1 / distances.max())
    high = np.full(weights.shape[:-1], -1 / distances.min())
    t = np.zeros(weights.shape[:-1])
    for _ in range(MOST_STEPS):
        scaled = distances / (1 + t[..., None] * distances)
        slope = (weights * scaled).sum(-1)
        low, high = np.where(slope > 0, t, low), np.where(slope > 0, high, t)
        step = t + slope / (weights * scaled**2).sum(-1)
        following = np.where((low < step) & (step < high), step, (low + high) / 2)
        done = bool(np.all(np.abs(following - t) <= PRECISE * np.abs(following)))
        t = following
        if done:
            break
    likelihood: Floats = -(weights * np.log1p(t[..., None] * distances)).sum(-1)
    return likelihood
