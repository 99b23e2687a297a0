"""A yardstick: a plain C program that plays a game at random, which our own speed is held against in alternating pairs.

It prints a line with `playouts/s Xk`, whole games scored at the end, for each number of players (`np=N` in the line) or one
that holds for all, and is compiled for this very processor: compare it with an installation built with GARDEN_NATIVE=1.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from garden_core import measure
from garden_core.fields import FieldError
from garden_core.state import State

from garden_ai.search import analyse

PAIRS = 7
LONGEST_SECONDS = 600  # of one run of a yardstick
GAMES = 300_000  # about as long as the yardstick takes for each number of players
RANDOM_MCTS: dict[str, Any] = {"selection": "ucb1", "playouts": "random", "priors": False, "widening": 0.0}

# What is held against the yardstick, by name: the number of players, and our rate for a seed.
Work = dict[str, tuple[int, Callable[[int], float]]]


@dataclass
class Comparison:
    """Figures of both sides, pair by pair, and their ratios, ours by theirs."""

    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)

    @property
    def ratios(self) -> list[float]:
        """One for each pair."""
        return [ours / theirs for ours, theirs in zip(self.ours, self.theirs, strict=True)]

    @property
    def median(self) -> float:
        """The median of the ratios."""
        return statistics.median(self.ratios)

    def __str__(self) -> str:
        listed = " ".join(f"{ratio:.2f}" for ratio in self.ratios)
        return f"median ratio {self.median:.2f} of {listed}"


@contextmanager
def compiled(source: Path) -> Iterator[Path]:
    """The yardstick's program. Raises `FieldError` where it does not compile."""
    compiler = os.environ.get("CC", "cc").split()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "yardstick"
        try:
            subprocess.run(
                [*compiler, "-O3", "-march=native", str(source), "-o", str(program)], check=True, capture_output=True, text=True
            )
        except OSError as error:
            raise FieldError("yardstick", f"expected a C compiler as {compiler[0]}: {error.strerror}") from None
        except subprocess.CalledProcessError as error:
            first = (error.stderr.strip().splitlines() or ["it failed"])[0]
            raise FieldError(str(source), f"expected a C program that compiles; {first}") from None
        yield program


def rates_of(program: Path) -> Callable[[int], float | None]:
    """Playouts a second of the yardstick for a number of players; None where it does not play with so many."""
    try:
        out = subprocess.run([str(program)], check=True, capture_output=True, text=True, timeout=LONGEST_SECONDS).stdout
    except (subprocess.SubprocessError, UnicodeDecodeError) as error:
        raise FieldError("yardstick", f"expected a program that prints its rates and ends well; {error}") from None
    found = re.findall(r"^(?:.*np=(\d+))?.*playouts/s ([\d.]+)k", out, re.MULTILINE)
    if not found:
        raise FieldError("yardstick", f"expected lines like 'np=2 ... playouts/s 900k'; got {out[:80]!r}")
    rates = {players: float(thousands) * 1000 for players, thousands in found}
    return lambda players: rates.get(str(players), rates.get(""))


def playout_rate(root: State, games: int, seed: int) -> float:
    """Random playouts a second from a game's first decision."""
    begun = time.perf_counter()
    measure.playouts(root, games, seed)
    return games / (time.perf_counter() - begun)


def mcts_rate(root: State, simulations: int, seed: int) -> float:
    """Simulations a second of MCTS with random playouts."""
    answer = analyse(root, "mcts", simulations=simulations, seed=seed, **RANDOM_MCTS)
    return answer.simulations / answer.seconds


def compare(source: Path, work: Work, pairs: int = PAIRS) -> dict[str, Comparison]:
    """Each work's rate beside the yardstick's in the same minute, `pairs` times."""
    results = {name: Comparison() for name in work}
    with compiled(source) as program:
        for pair in range(pairs):
            theirs = rates_of(program)
            for name, (players, rate) in work.items():
                beside = theirs(players)
                if beside is not None:
                    results[name].theirs.append(beside)
                    results[name].ours.append(rate(pair))
    return {name: result for name, result in results.items() if result.ours}
