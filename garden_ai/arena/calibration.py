"""Calibration: what a search states as the chance of finishing first, held against what then happened.

A correction is fitted to samples by logistic regression and measured on games that it was not fitted to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, logit, xlogy

from garden_ai.arena.samples import SampledGame
from garden_ai.odds import IDENTITY, Correction, haste

BINS = 10
RESAMPLES = 1000
TINY = 1e-12            # how near to 0 and 1 a chance may come in a logarithm
WITHIN = (-3.0, 3.0)    # what is looked through for a correction
SLOPES = (0.1, 10.0)
Floats = NDArray[np.float64]
EDGES: Floats = np.arange(BINS + 1) / BINS   # of the bins of equal width


class Bin(NamedTuple):
    """Samples that state about the same: how many, the means of what was stated and of what happened."""

    low: float
    high: float
    positions: int
    stated: float
    happened: float


def reliability(stated: Floats, happened: Floats, bins: int = BINS, equal_counts: bool = False) -> list[Bin]:
    """A reliability table over [0, 1] (DeGroot and Fienberg 1983), empty bins left out; both arrays have shape [samples].

    Bins are of equal width or, so that each is as sure as the others, of equal counts; what is stated alike stays together.
    """
    edges = np.arange(bins + 1) / bins
    if equal_counts and len(stated):
        edges[1:-1] = np.quantile(stated, edges[1:-1])
    place = _places(stated, edges)
    return [
        Bin(float(edges[i]), float(edges[i + 1]), int(here.sum()), float(stated[here].mean()), float(happened[here].mean()))
        for i in range(bins) if (here := place == i).any()
    ]


def calibration_error(stated: Floats, happened: Floats, bins: int = BINS, equal_counts: bool = False) -> float:
    """The expected calibration error (Naeini, Cooper and Hauskrecht 2015): how far the bins' means lie apart, by their counts."""
    table = reliability(stated, happened, bins, equal_counts)
    return sum(one.positions * abs(one.stated - one.happened) for one in table) / max(1, len(stated))


def error_interval(stated: Floats, happened: Floats, games: NDArray[np.int64], seed: int = 1) -> tuple[float, float]:
    """2.5% and 97.5% quantiles of the calibration error over games drawn anew.

    Games are drawn whole, since their samples depend on each other. Drawing anew adds chance of its own, so that the interval
    lies too high rather than too low.
    """
    _, member = np.unique(games, return_inverse=True)
    gaps, counts = np.zeros((member.max() + 1, BINS)), np.bincount(member)
    np.add.at(gaps, (member, _places(stated)), stated - happened)
    rng = np.random.default_rng(seed)
    errors = []
    for _ in range(RESAMPLES):
        times = np.bincount(rng.integers(0, len(gaps), len(gaps)), minlength=len(gaps))   # each game is drawn
        errors.append(np.abs(times @ gaps).sum() / max(1, times @ counts))
    low, high = np.quantile(errors, (0.025, 0.975))
    return float(low), float(high)


def chance_error(stated: Floats, seed: int = 1) -> float:
    """The calibration error that perfect odds would show with so many independent samples, the mean of some trials.

    It is above 0, since each bin's mean differs a little from what was stated, this way or that.
    """
    rng = np.random.default_rng(seed)
    place = _places(stated)
    trials = (np.bincount(place, stated - (rng.random(len(stated)) < stated)) for _ in range(RESAMPLES))
    return float(np.mean([np.abs(gaps).sum() for gaps in trials])) / max(1, len(stated))


def _places(stated: Floats, edges: Floats = EDGES) -> NDArray[np.int64]:
    """The bin that each sample is in; an inner edge belongs to the bin above it."""
    return np.searchsorted(edges[1:-1], stated, side="right").astype(np.int64)


def brier_score(stated: Floats, happened: Floats) -> float:
    """The mean squared error of chances (Brier 1950)."""
    return float(np.mean((stated - happened) ** 2))


def log_losses(stated: Floats, happened: Floats) -> Floats:
    """For each sample the cross entropy of the share that happened, in nats."""
    return np.asarray(-(xlogy(happened, stated) + xlogy(1 - happened, 1 - stated)), np.float64)


@dataclass(frozen=True)
class Columns:
    """Samples as arrays of shape [samples]."""

    games: NDArray[np.int64]
    progress: Floats
    simulations: NDArray[np.int64]
    stated: Floats
    clipped: Floats     # stated, at least half a visit away from 0 and 1, which so few visits cannot tell
    happened: Floats

    def only(self, which: NDArray[np.bool_]) -> Columns:
        """Some of the samples, those where `which` is true."""
        return Columns(
            self.games[which], self.progress[which], self.simulations[which], self.stated[which], self.clipped[which],
            self.happened[which],
        )


def columns(games: Sequence[SampledGame]) -> Columns:
    """The samples of some games, in their order."""
    samples = [one for game in games for one in game.samples]
    stated, visits = np.array([one.stated for one in samples]), np.array([one.visits for one in samples])
    least = 0.5 / np.maximum(1, visits)
    return Columns(
        np.repeat([game.number for game in games], [len(game.samples) for game in games]),
        np.array([one.progress for one in samples]),
        np.array([one.simulations for one in samples]), stated, np.clip(stated, least, 1 - least),
        np.array([one.happened for one in samples]),
    )


def fitted(data: Columns, players: int) -> Correction:
    """The correction under which what happened is likeliest; a share of the first place counts as so much of a success.

    How optimism fades can be told only where searches of different lengths were measured.
    """
    equal = float(logit(1 / players))
    hastes = np.array([haste(count) for count in data.simulations.tolist()])
    known = len(np.unique(hastes)) > 1
    factors = np.stack([np.ones_like(hastes), logit(data.clipped) - equal, -hastes * known])

    def loss(weights: Floats) -> tuple[float, Floats]:
        chances = expit(equal + weights @ factors)
        value = log_losses(np.clip(chances, TINY, 1 - TINY), data.happened).mean()
        return float(value), factors @ (chances - data.happened) / len(chances)

    found = minimize(loss, np.array([0.0, 1.0, 0.0]), jac=True, method="L-BFGS-B", bounds=[WITHIN, SLOPES, WITHIN]).x
    return Correction(*(round(weight, 4) for weight in found.tolist()))


def corrected(correction: Correction, data: Columns, players: int) -> Columns:
    """The samples with what is stated after a correction."""
    stated, clipped = (
        np.array([correction(*one) for one in zip(chances.tolist(), repeat(players), data.simulations.tolist())])
        for chances in (data.stated, data.clipped)
    )
    return replace(data, stated=stated, clipped=clipped)


def cross_corrected(data: Columns, players: int) -> Columns:
    """The samples, those of every other game corrected by the fit to the games between them: none is measured on its own fit."""
    odd = np.unique(data.games, return_inverse=True)[1] % 2 == 1
    out = replace(data, stated=data.stated.copy(), clipped=data.clipped.copy())
    for half in (odd, ~odd):
        if half.any() and not half.all():
            found = corrected(fitted(data.only(~half), players), data.only(half), players)
            out.stated[half], out.clipped[half] = found.stated, found.clipped
    return out


@dataclass(frozen=True)
class Figures:
    """How well some odds were calibrated."""

    positions: int
    error: float                      # expected calibration error
    interval: tuple[float, float]     # of it, 95%
    by_chance: float                  # the error of perfect odds in so many positions
    brier: float
    log_loss: float
    bins: tuple[Bin, ...]


def figures(data: Columns) -> Figures:
    """Those of the odds that `data` states."""
    return Figures(
        len(data.games), calibration_error(data.stated, data.happened), error_interval(data.stated, data.happened, data.games),
        chance_error(data.stated), brier_score(data.stated, data.happened),
        float(log_losses(np.clip(data.clipped, TINY, 1 - TINY), data.happened).mean()),
        tuple(reliability(data.stated, data.happened)),
    )


@dataclass(frozen=True)
class Part:
    """Some of the positions: their errors before and after the correction."""

    name: str
    positions: int
    before: float
    after: float
    by_chance: float


@dataclass(frozen=True)
class Calibration:
    """A measurement: the odds as the search states them, and corrected; each position by a fit to other games."""

    games: int
    correction: Correction
    before: Figures
    after: Figures
    parts: tuple[Part, ...]


def calibration(games: Sequence[SampledGame], players: int) -> Calibration:
    """Measures the samples of games of so many players. Where a fit lowers no log loss elsewhere, the correction is none."""
    data = columns(games)
    mended = cross_corrected(data, players)
    before, after = figures(data), figures(mended)
    correction = fitted(data, players)
    if after.log_loss >= before.log_loss:
        mended, after, correction = data, before, IDENTITY
    parts = {f"{count:,} simulations": data.simulations == count for count in np.unique(data.simulations).tolist()}
    third = np.minimum(2, (data.progress * 3).astype(int))
    parts |= {f"{name} third of the game": third == i for i, name in enumerate(("first", "second", "last"))}
    return Calibration(
        len(games), correction, before, after,
        tuple(_part(name, data.only(which), mended.only(which)) for name, which in parts.items() if which.any()),
    )


def _part(name: str, raw: Columns, mended: Columns) -> Part:
    before, after = (calibration_error(one.stated, one.happened) for one in (raw, mended))
    return Part(name, len(raw.games), before, after, chance_error(mended.stated))
