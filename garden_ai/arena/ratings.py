"""Ratings by Plackett and Luce's model of rankings, by maximum likelihood (the library choix), on Elo's scale.

A player of strength e^t takes the first place among others with the probability of his share of their strengths, the second among
those who are left, and so on (Luce 1959; Plackett 1975); between two this is Bradley and Terry's model, and 400 points of Elo are
odds of ten to one. Uncertainty comes from drawing deals anew, with replacement (Efron 1979), since the games of one deal depend
on each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from garden_ai.arena.match import Deal, Outcome, mixed

ELO = 400 / math.log(10)  # points to a unit of log strength
ANCHOR = 1000.0           # of the player that ratings are counted from
RESAMPLES = 200
PRIOR_VARIANCE = 9.0      # of a log strength before any game: three units, about 500 points of Elo
MOST_ROUNDS = 10_000
CLOSE = 1e-8              # strengths that change by less are found
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rating:
    """Elo points with a 95% interval, both relative to the anchor, and in how many games."""

    elo: float
    interval: tuple[float, float]
    games: int


def rankings(group: Sequence[int], game: Outcome) -> list[tuple[int, ...]]:
    """A game's ranking twice, the best first: those who tie in one order and in the other, so that a tie is half of each."""
    ranked = sorted(range(len(group)), key=lambda i: (game.placing[i], i))
    other = sorted(range(len(group)), key=lambda i: (game.placing[i], -i))
    return [tuple(group[i] for i in order) for order in (ranked, other)]


def strengths(n: int, deals: Sequence[Deal]) -> Floats:
    """The log strength of each of n players of greatest likelihood, of mean 0 among those whom games connect: float64[n].

    Every two who have met are given one drawn game more, so that one who has always lost still has a rating.
    """
    return Evidence(n, deals).strengths()


class Evidence:
    """What deals tell of n players: every ranking that came once, and which deals had it."""

    def __init__(self, n: int, deals: Sequence[Deal]) -> None:
        self.deals = len(deals)
        found: dict[tuple[int, ...], int] = {}   # rankings and their places in what follows
        had = []
        for number, deal in enumerate(deals):
            for game in deal.games:
                had += [(number, found.setdefault(ranking, len(found))) for ranking in rankings(deal.group, game)]
        met = {tuple(sorted((a, b))) for deal in deals for a, b in _pairs(deal.group)}
        virtual = [found.setdefault(pair, len(found)) for a, b in sorted(met) for pair in ((a, b), (b, a))]
        self._virtual = np.bincount(virtual, minlength=len(found)).astype(np.float64)
        self._deal_of, self._ranking_of = np.array(had, np.int64).reshape(-1, 2).T
        longest = max(map(len, found), default=0)
        # n stands where a ranking has ended: a player without strength
        rows = [ranking + (n,) * (longest - len(ranking)) for ranking in found]
        self._rows = np.array(rows, np.int64).reshape(len(rows), longest)
        self._before, self._after = np.triu_indices(longest, 1)
        self._connected = _connected(n, met)

    def strengths(self, weights: Floats | None = None, near: Floats | None = None) -> Floats:
        """As the function of that name, each deal counted by its weight (float64[deals]); `near` is where to begin.

        Luce spectral ranking, repeated until nothing changes (Maystre and Grossglauser, "Fast and accurate inference of
        Plackett-Luce models", 2015): strengths are the stationary distribution of a chain that goes from who is behind to who
        is before. `choix.ilsr_rankings` does the same without weights, a ranking at a time.
        """
        from choix.utils import log_transform, statdist  # here, since it takes a second to import

        n = sum(map(len, self._connected))
        weights = np.ones(self.deals) if weights is None else weights
        counts = self._virtual + np.bincount(self._ranking_of, weights[self._deal_of], len(self._virtual))
        moves = (self._rows[:, self._after] * (n + 1) + self._rows[:, self._before]).ravel()
        found = np.zeros(n) if near is None else near
        for _ in range(MOST_ROUNDS):
            strength = np.append(np.exp(found), 0.0)
            left = np.cumsum(strength[self._rows][:, ::-1], axis=1)[:, ::-1]   # of who is not placed yet
            rates = np.divide(counts[:, None], left, out=np.zeros_like(left), where=left > 0)[:, self._before].ravel()
            chain = np.bincount(moves, rates, (n + 1) ** 2).reshape(n + 1, n + 1)[:n, :n]
            last, found = found, np.zeros(n)
            for members in self._connected:
                if len(members) > 1:
                    part = chain[np.ix_(members, members)]
                    found[members] = log_transform(statdist(part - np.diag(part.sum(axis=1))))
            if np.abs(found - last).max(initial=0.0) < CLOSE:
                break
        return found


def _connected(n: int, pairs: Iterable[tuple[int, ...]]) -> list[list[int]]:
    """The players in groups whose members are connected by pairs that have met."""
    label = list(range(n))
    for a, b in pairs:
        label = [label[a] if one == label[b] else one for one in label]
    return [[i for i in range(n) if label[i] == one] for one in dict.fromkeys(label)]


def ratings(n: int, deals: Sequence[Deal], anchor: int, seed: int = 1, resamples: int = RESAMPLES) -> list[Rating]:
    """Of each of n players, counted from player `anchor`, who has `ANCHOR` points; intervals are 95% ones."""
    games = [sum(len(deal.games) for deal in deals if i in deal.group) for i in range(n)]
    found = gaps(n, deals, [(i, anchor) for i in range(n)], seed, resamples)
    return [Rating(ANCHOR + gap, (ANCHOR + low, ANCHOR + high), games[i]) for i, (gap, (low, high)) in enumerate(found)]


def gaps(
    n: int, deals: Sequence[Deal], pairs: Sequence[tuple[int, int]], seed: int = 1, resamples: int = RESAMPLES
) -> list[tuple[float, tuple[float, float]]]:
    """By how many points the first of each pair is above the second, with 95% intervals: quantiles of deals drawn anew."""
    evidence = Evidence(n, deals)
    found = evidence.strengths()
    samples = resampled(evidence, found, seed, resamples)
    first, second = (np.array([pair[i] for pair in pairs], int) for i in (0, 1))
    values = ELO * (found[first] - found[second])
    spread = ELO * np.array([one[first] - one[second] for one in samples]) if samples else np.array([values])
    low, high = np.quantile(spread, (0.025, 0.975), axis=0)
    return [(float(value), (float(a), float(b))) for value, a, b in zip(values, low, high, strict=True)]


def resampled(evidence: Evidence, found: Floats, seed: int, resamples: int) -> list[Floats]:
    """Strengths from deals drawn anew with replacement; `found` are those of the deals as they were."""
    count = evidence.deals
    rng = np.random.default_rng(mixed(seed, count))
    return [
        evidence.strengths(np.bincount(rng.integers(0, count, count), minlength=count).astype(np.float64), found)
        for _ in range(resamples if count else 0)
    ]


def informative_groups(
    n: int, deals: Sequence[Deal], size: int, count: int, games: int, found: Floats | None = None
) -> list[tuple[int, ...]]:
    """Which groups of `size` of n players should meet in the next `count` deals of `games` games each.

    A game between two says the more about the difference of their strengths the more open it is and the less is known, so pairs
    are taken by how much a game would raise the logarithm of the information's determinant (D-optimal design, Wald 1943), each
    taking account of those before it; further members are those whose pairs with the group add most.
    """
    found = strengths(n, deals) if found is None else found
    covariance = np.eye(n) * PRIOR_VARIANCE
    for deal in deals:
        for a, b in _pairs(deal.group):
            _learn(covariance, a, b, len(deal.games) * _openness(found, a, b))
    groups = []
    for _ in range(count):
        gains = np.full((n, n), -1.0)
        for a in range(n):
            for b in range(a):
                gains[a, b] = gains[b, a] = math.log1p(games * _openness(found, a, b) * _variance(covariance, a, b))
        group = [int(i) for i in np.unravel_index(np.argmax(gains), gains.shape)]
        while len(group) < size:
            rest = [i for i in range(n) if i not in group] or list(range(n))
            group.append(max(rest, key=lambda i: float(sum(gains[i, member] for member in group))))
        groups.append(tuple(sorted(group)))
        for a, b in _pairs(group):
            _learn(covariance, a, b, games * _openness(found, a, b))
    return groups


def _pairs(group: Sequence[int]) -> list[tuple[int, int]]:
    return [(a, b) for i, a in enumerate(group) for b in group[:i] if a != b]


def _openness(found: Floats, a: int, b: int) -> float:
    """The variance of who of two is before the other, at most 1/4."""
    chance = 1 / (1 + math.exp(found[b] - found[a]))
    return chance * (1 - chance)


def _variance(covariance: Floats, a: int, b: int) -> float:
    """Of the difference of two strengths."""
    return float(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])


def _learn(covariance: Floats, a: int, b: int, information: float) -> None:
    """What a comparison of two teaches (Sherman and Morrison 1950)."""
    column = covariance[:, a] - covariance[:, b]
    covariance -= np.outer(column, column) * (information / (1 + information * (column[a] - column[b])))
