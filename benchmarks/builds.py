"""Two builds of garden-ai, row by row in alternating pairs: which rows of `garden-ai bench` changed beyond noise.

    .venv/bin/python benchmarks/compare OLD NEW [--only ROW] [--pairs 7] [--seconds 0.1] [--least 0.01] [--json]

OLD and NEW are Python interpreters that each have a garden-ai installed, or environments or checkouts (their `bin/python` or
`.venv/bin/python` is taken); the rows of each are measured by its own `garden_ai.bench`. Every pair starts a new process for
each build, so that where things happen to lie in memory is part of the noise, too; and row by row one build is measured just
before the other, the order swapped from pair to pair, so that both meet the same minute of the machine.

A pair gives a ratio of rates, new by old. Beside the median of the pairs stands an interval for their geometric mean:
Student's t on the logarithms, widened for the number of rates compared (Bonferroni), so that all intervals of a comparison
hold together in 95 cases of 100: of two builds that are equally fast at most one comparison in twenty names any row at all. A
row is called faster or slower where its interval leaves out 1 and its median differs by at least `--least`. The intervals
widen with the rows: look at all of them first, then with `--only` and more pairs at those that stand out. Figures that do not
vary, such as bytes, are compared once, and the signatures at the end. Seven pairs of all rows take about half an hour.

Exit status: 0 where no row is slower, 1 where one is, 2 where something was wrong with what was asked for.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from scipy.stats import t as student

WORKER = Path(__file__).resolve().parent / "worker.py"
CONFIDENCE = 0.95
LEAST = 0.01
PAIRS = 7
SECONDS = 0.1
MOST_PAIRS = 1000
WIDTH = 120  # of a table in a file or a pipe

Rates = dict[tuple[str, str], list[float]]  # by row and figure, a value a pair


class RefusedError(Exception):
    """What was asked for cannot be done: one line that says why."""


@dataclass(frozen=True)
class Change:
    """One rate of both builds, pair by pair; `comparisons` are how many rates are judged together."""

    row: str
    figure: str
    old: Sequence[float]
    new: Sequence[float]
    comparisons: int = 1
    least: float = LEAST

    @property
    def ratios(self) -> list[float]:
        """New by old, one for each pair."""
        return [new / old for old, new in zip(self.old, self.new, strict=True)]

    @property
    def median(self) -> float:
        """Of the ratios."""
        return statistics.median(self.ratios)

    @property
    def interval(self) -> tuple[float, float]:
        """Of the geometric mean of the ratios."""
        logarithms = [math.log(ratio) for ratio in self.ratios]
        pairs = len(logarithms)
        half = quantile(pairs, self.comparisons) * statistics.stdev(logarithms) / math.sqrt(pairs)
        mean = statistics.fmean(logarithms)
        return math.exp(mean - half), math.exp(mean + half)

    @property
    def verdict(self) -> str:
        """faster, slower or same."""
        low, high = self.interval
        if low <= 1 <= high or abs(self.median - 1) < self.least:
            return "same"
        return "faster" if low > 1 else "slower"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "name": self.row,
            "figure": self.figure,
            "old": statistics.median(self.old),
            "new": statistics.median(self.new),
            "median": round(self.median, 4),
            "interval": [round(end, 4) for end in self.interval],
            "ratios": [round(ratio, 4) for ratio in self.ratios],
            "verdict": self.verdict,
        }


@cache
def quantile(pairs: int, comparisons: int) -> float:
    """How many standard errors an interval reaches to either side."""
    return float(student.ppf(1 - (1 - CONFIDENCE) / comparisons / 2, pairs - 1))


class Build:
    """A process of one build's interpreter, which measures what it is asked to."""

    def __init__(self, name: str, interpreter: str) -> None:
        self.name = name
        self.interpreter = interpreter
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115, it lives as long as the process
        try:
            self._process = subprocess.Popen(
                [interpreter, "-P", str(WORKER)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints, text=True,
                cwd=tempfile.gettempdir(),  # no checkout at hand, so that what is installed counts
            )
        except OSError as error:
            raise RefusedError(f"{name}: expected a Python interpreter at {interpreter}: {error.strerror}") from None
        self.about = self._answer()
        if "error" in self.about:
            self.close()
            raise RefusedError(f"{name}: expected a garden-ai with a bench in {interpreter}; {self.about['error']}")

    def __enter__(self) -> Build:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process, if it has not ended."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._complaints):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()

    def figures(self, row: str, seconds: float, run: int) -> dict[str, float]:
        """One run of a row."""
        answer: dict[str, float] = self._ask({"row": row, "seconds": seconds, "run": run})["figures"]
        return answer

    def ask_signature(self) -> None:
        """Begins to compute it; `signature` waits for it."""
        self._send({"signature": True})

    def signature(self) -> int:
        """What was asked for."""
        return int(self._answer()["signature"])

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        self._send(question)
        return self._answer()

    def _send(self, question: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended: the answer that does not come tells why
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        try:
            answer: dict[str, Any] = json.loads(line)
        except ValueError:
            self._process.kill()
            self._process.wait()
            self._complaints.seek(0)
            complaints = self._complaints.read().decode(errors="replace").strip().splitlines()
            self.close()
            last = (complaints or [line.strip() or "it said nothing"])[-1]
            raise RefusedError(f"{self.name}: expected {self.interpreter} to measure garden-ai; {last}") from None
        return answer


def interpreter_of(name: str, given: str) -> str:
    """The interpreter that OLD or NEW stands for."""
    path = Path(given)
    if path.is_dir():
        for inside in (path / "bin" / "python", path / ".venv" / "bin" / "python"):
            if inside.exists():
                return os.path.abspath(inside)  # not resolved: the link's place is what makes it that environment's
    found = shutil.which(given)
    if found is None:
        raise RefusedError(f"{name}: expected a Python interpreter, an environment or a checkout with .venv; got {given!r}")
    return os.path.abspath(found)


def chosen_rows(old: Build, new: Build, only: str | None) -> list[str]:
    """The rows to compare: those of both builds whose name is or begins with `only`."""
    common = [row for row in new.about["rows"] if row in old.about["rows"]]
    chosen = [row for row in common if only is None or row == only or row.startswith(only.rstrip("/") + "/")]
    if not chosen:
        begins = ", ".join(dict.fromkeys(row.split("/")[0] for row in common))
        raise RefusedError(f"--only: expected WHAT, WHAT/GAME or WHAT/GAME/PLAYERS with WHAT one of {begins}; got {only!r}")
    return chosen


def judged(figures: dict[str, float]) -> list[str]:
    """The names of the rates that are compared. Nodes are the same work as simulations or playouts, counted otherwise."""
    rates = [name for name in figures if "_per_second" in name]
    return [name for name in rates if name != "nodes_per_second"] or rates


def compare(old: str, new: str, only: str | None, pairs: int, seconds: float, least: float, sign: bool) -> dict[str, Any]:
    """Measures both builds; the answer is what `--json` prints. Raises `RefusedError`."""
    sides = {"OLD": interpreter_of("OLD", old), "NEW": interpreter_of("NEW", new)}
    rates: dict[str, Rates] = {name: {} for name in sides}
    fixed: dict[str, Rates] = {name: {} for name in sides}
    screen = Console(stderr=True)
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as progress:
        bar = progress.add_task("pairs", total=None)
        for pair in range(pairs):
            with ExitStack() as running:
                builds = [running.enter_context(Build(name, interpreter)) for name, interpreter in sides.items()]
                chosen = chosen_rows(builds[0], builds[1], only)
                exact = {row for row in chosen if all(row in build.about["exact"] for build in builds)}
                progress.update(bar, total=pairs * len(chosen), description=f"pair {pair + 1} of {pairs}")
                for row in chosen:
                    progress.advance(bar)
                    if row in exact and pair:
                        continue
                    for build in builds if pair % 2 == 0 else builds[::-1]:
                        figures = build.figures(row, seconds, pair)
                        kept = fixed if row in exact else rates
                        for figure in figures if row in exact else judged(figures):
                            kept[build.name].setdefault((row, figure), []).append(figures[figure])
                if pair == pairs - 1:
                    signatures = _signatures(builds) if sign else None
                    about = {build.name.lower(): {"interpreter": build.interpreter, **_about(build, chosen)} for build in builds}
    both = [key for key in rates["OLD"] if key in rates["NEW"]]
    changes = [Change(*key, rates["OLD"][key], rates["NEW"][key], len(both), least) for key in both]
    return {
        **about, "pairs": pairs, "confidence": CONFIDENCE, "least": least, "signatures": signatures,
        "rows": [change.to_dict() for change in changes],
        "exact": [
            {"name": key[0], "figure": key[1], "old": before[0], "new": fixed["NEW"][key][0]}
            for key, before in fixed["OLD"].items() if key in fixed["NEW"]
        ],
    }


def _signatures(builds: Sequence[Build]) -> dict[str, int]:
    for build in builds:
        build.ask_signature()  # nothing is timed any more, so both at once
    return {build.name.lower(): build.signature() for build in builds}


def _about(build: Build, chosen: Sequence[str]) -> dict[str, Any]:
    return {"version": build.about["version"], "rows_not_compared": len(build.about["rows"]) - len(chosen)}


def show(answer: dict[str, Any]) -> None:
    """The answer as a table, what changed in words below it."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = WIDTH
    table = Table(box=box.SIMPLE_HEAD)
    for name in ("row", "rate", "old", "new", "new/old", "interval", ""):
        table.add_column(name, justify="left" if name in ("row", "rate", "") else "right", no_wrap=name not in ("row", "rate"))
    for row in answer["rows"]:
        low, high = row["interval"]
        table.add_row(
            row["name"], row["figure"].replace("_per_second", "/s").replace("_", " "), f"{row['old']:,.0f}", f"{row['new']:,.0f}",
            f"{row['median']:.3f}", f"{low:.3f}-{high:.3f}", "" if row["verdict"] == "same" else row["verdict"],
        )
    if answer["rows"]:
        console.print(table)
    for row in answer["exact"]:
        if row["old"] != row["new"]:
            console.print(f"{row['name']}: {row['figure'].replace('_', ' ')} {row['old']:,.0f} before, {row['new']:,.0f} now")
    counts = {verdict: sum(row["verdict"] == verdict for row in answer["rows"]) for verdict in ("faster", "slower", "same")}
    changed = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ("faster", "slower") if counts[verdict]) or "no change"
    console.print(f"{changed} beyond noise among {len(answer['rows'])} rates, {answer['pairs']} pairs")
    if answer["signatures"]:
        before, now = answer["signatures"].values()
        told = f"{now}, the same" if before == now else f"{before} before, {now} now: they play otherwise"
        console.print(f"signature {told}")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="compare", description=(__doc__ or ""), formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS
    )
    parser.add_argument("old", metavar="OLD", help="interpreter, environment or checkout of the build before")
    parser.add_argument("new", metavar="NEW", help="of the build after")
    parser.add_argument("--only", metavar="ROW", help="rows of that name or beginning, as in garden-ai bench")
    parser.add_argument("--pairs", type=int, default=PAIRS, help=f"{PAIRS} without it")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long a run is where its length is free")
    parser.add_argument("--least", type=float, default=LEAST, help="changes smaller than this share are not named")
    parser.add_argument("--no-signature", action="store_true", help="do not compare the signatures")
    parser.add_argument("--json", action="store_true", help="print JSON, one line")
    given = parser.parse_args(arguments)
    try:
        if not 2 <= given.pairs <= MOST_PAIRS:
            raise RefusedError(f"--pairs: expected 2..{MOST_PAIRS}; got {given.pairs}")
        if not 0 < given.seconds <= 60:
            raise RefusedError(f"--seconds: expected more than 0 and at most 60; got {given.seconds}")
        if not 0 <= given.least < 1:
            raise RefusedError(f"--least: expected at least 0 and less than 1; got {given.least}")
        answer = compare(given.old, given.new, given.only, given.pairs, given.seconds, given.least, not given.no_signature)
    except RefusedError as error:
        print(f"compare: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    if given.json:
        print(json.dumps(answer))
    else:
        show(answer)
    return int(any(row["verdict"] == "slower" for row in answer["rows"]))
