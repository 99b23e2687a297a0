"""Fixtures of the benchmarks: the root positions, and figures that are printed at the end of the run.

    pytest benchmarks --benchmark-enable

Nothing fails because of a time. Without `--benchmark-enable` every loop runs once, briefly, to see that it works.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from garden_core.state import State

from garden_ai import games, load
from garden_ai.bench import root_of

FIGURES = pytest.StashKey[list[str]]()
BRIEF = 16  # units of work where nothing is timed


def pytest_configure(config: pytest.Config) -> None:
    config.stash[FIGURES] = []


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if config.stash[FIGURES]:
        terminalreporter.section("figures")
        for line in config.stash[FIGURES]:
            terminalreporter.line(line)


def roots() -> Iterator[Any]:
    for name in games.names():
        for players in games.definition(name).players:
            yield pytest.param((name, players), id=f"{name}-{players}")


@pytest.fixture(params=roots())
def root(request: pytest.FixtureRequest) -> State:
    """The first decision of every game with every number of players."""
    name, players = request.param
    return root_of(load(name, players))


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Notes a figure for the end of the run."""
    lines = request.config.stash[FIGURES]
    return lambda text: lines.append(f"{request.node.name}: {text}")


@pytest.fixture
def rate(benchmark: Any, figure: Callable[[str], None]) -> Callable[[Callable[[int], object], int, str], None]:
    """Times `work(count)` and notes how many of its units a second hold, by the median round."""

    def timed(work: Callable[[int], object], count: int, unit: str) -> None:
        if benchmark.disabled:
            work(BRIEF)
        benchmark(work, BRIEF if benchmark.disabled else count)
        if not benchmark.disabled:
            per_second = count / benchmark.stats.stats.median
            benchmark.extra_info[f"{unit} per second"] = per_second
            figure(f"{per_second / 1e6:.3f} million {unit} a second")

    return timed
