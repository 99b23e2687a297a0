"""Paired games between engines: every deal is played once for each rotation of the seats, so that luck cancels.

Any program may use it; nothing here knows a particular game.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from garden_core.state import Game

from garden_ai.analysis import Z95
from garden_ai.loading import load
from garden_ai.search import analyse

MASK = (1 << 64) - 1


@dataclass(frozen=True)
class Seat:
    """An engine and how it searches: seconds, simulations or both, and its settings."""

    engine: str
    seconds: float | None = None
    simulations: int | None = None
    threads: int = 1
    settings: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Deal:
    """One deal played with every rotation of the seats: for each engine its share of first places and its mean score."""

    wins: tuple[float, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True)
class Result:
    """A match: for each engine its share of first places with a 95% interval over deals, and its mean score."""

    deals: int
    games: int
    wins: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]
    scores: tuple[float, ...]


def mixed(*numbers: int) -> int:
    """A seed from several numbers (splitmix64 over each in turn)."""
    seed = 0
    for number in numbers:
        seed = (seed ^ number) + 0x9E3779B97F4A7C15 & MASK
        seed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & MASK
        seed = (seed ^ seed >> 27) * 0x94D049BB133111EB & MASK
        seed ^= seed >> 31
    return seed


def play_game(game: Game, seats: Sequence[Seat], seed: int) -> tuple[list[float], list[float]]:
    """One game; returns (shares of the first place, scores) by seat. The n-th chance event depends on the seed alone."""
    state = game.start()
    chance = decisions = 0
    while state.actor != -2:
        if state.actor == -1:
            state.draw(mixed(seed, 0, chance))
            chance += 1
            continue
        seat = seats[state.actor]
        own_seed = mixed(seed, 1 + state.actor, decisions)
        answer = analyse(
            state, seat.engine, seconds=seat.seconds, simulations=seat.simulations, seed=own_seed, threads=seat.threads,
            **(seat.settings or {}),
        )
        state.apply(answer.choose(own_seed))
        decisions += 1
    return state.wins(), state.scores()


def play_deal(name: str, options: Mapping[str, Any], seats: Sequence[Seat], seed: int) -> Deal:
    """Every rotation of the engines over the seats on one deal."""
    game = load(name, len(seats), **options)
    n = len(seats)
    wins, scores = [0.0] * n, [0.0] * n
    for turn in range(n):
        shares, points = play_game(game, [seats[(place + turn) % n] for place in range(n)], seed)
        for place in range(n):
            wins[(place + turn) % n] += shares[place] / n
            scores[(place + turn) % n] += points[place] / n
    return Deal(tuple(wins), tuple(scores))


def play_match(
    name: str, seats: Sequence[Seat], deals: int, seed: int, executor: Executor, options: Mapping[str, Any] | None = None,
    report: Callable[[Result], None] | None = None,
) -> Result:
    """Plays `deals` deals, each with every rotation; `report` hears of the standing after each.

    The result does not depend on the number of workers where the seats are limited by simulations.
    """
    futures = [executor.submit(play_deal, name, options or {}, seats, mixed(seed, deal)) for deal in range(deals)]
    done: list[Deal] = []
    for future in futures:
        done.append(future.result())
        if report:
            report(summary(done))
    return summary(done)


def summary(deals: Sequence[Deal]) -> Result:
    """The standing after some deals; the interval is that of the mean over deals, by the normal distribution."""
    n = len(deals[0].wins)
    wins = tuple(statistics.fmean(deal.wins[i] for deal in deals) for i in range(n))
    intervals = []
    for i in range(n):
        spread = statistics.stdev(deal.wins[i] for deal in deals) if len(deals) > 1 else 0.5
        half = Z95 * spread / math.sqrt(len(deals))
        intervals.append((max(0.0, wins[i] - half), min(1.0, wins[i] + half)))
    scores = tuple(statistics.fmean(deal.scores[i] for deal in deals) for i in range(n))
    return Result(len(deals), len(deals) * n, wins, tuple(intervals), scores)
