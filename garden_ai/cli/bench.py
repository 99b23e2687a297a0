"""`garden-ai bench`: speed of rules and searches, and the signature that tells whether they still do the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from garden_core.fields import FieldError
from rich import box
from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from garden_ai.cli.arguments import Json, check_range
from garden_ai.cli.output import console, print_json, show
from garden_ai.files import check_place
from garden_ai.provenance import provenance, write_figures
from garden_ai.record import read_state

USUAL_RUNS = 7
USUAL_SECONDS = 0.1
MOST_RUNS = 1000
LONGEST_RUN = 60.0
LIVE_ROWS = 4  # measured last, shown while the rest is on its way

Only = Annotated[
    str | None,
    typer.Option("--only", metavar="ROW", help="Measure the rows of that name or beginning: mcts, mcts/leelawadee/2, signature."),
]
Runs = Annotated[int, typer.Option("--runs", metavar="N", help="Runs of each row, of which the median counts.")]
RunSeconds = Annotated[
    float, typer.Option("--seconds", metavar="T", help="How long a run is; searches do a fixed number of simulations.")
]
Position = Annotated[
    str | None, typer.Option("--position", metavar="FILE", help="Measure from this position, not from first decisions.")
]
Yardstick = Annotated[
    Path | None,
    typer.Option("--yardstick", metavar="FILE.c", help="A plain C program of a game to hold its rows against, named after it."),
]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Keep the figures in a JSON file, with date, commit and machine.")
]


def command(
    only: Only = None,
    runs: Runs = USUAL_RUNS,
    seconds: RunSeconds = USUAL_SECONDS,
    position: Position = None,
    yardstick: Yardstick = None,
    out: Out = None,
    json: Json = False,
) -> None:
    """Measure the speed and print the signature.

    All rows take about five minutes, the signature a quarter of one; --runs and --seconds shorten them.
    """
    from garden_ai import bench  # measuring is no part of any other command

    check_range("--runs", runs, MOST_RUNS)
    if not (math.isfinite(seconds) and 0 < seconds <= LONGEST_RUN):
        raise FieldError("--seconds", f"expected more than 0 and at most {LONGEST_RUN:.0f}; got {seconds}")
    if yardstick is not None and not yardstick.is_file():
        raise FieldError("--yardstick", f"expected a C file; got {str(yardstick)!r}")
    if out is not None:
        check_place("--out", out)
    if yardstick is not None and position is not None:
        raise FieldError("--position", "expected either --position or --yardstick, which plays from the beginning, not both")
    root = None if position is None else read_state(position)[1]
    asked = (("--only", only, None), ("--runs", runs, USUAL_RUNS), ("--seconds", seconds, USUAL_SECONDS))
    origin = provenance(" ".join(["garden-ai bench", *(f"{name} {value}" for name, value, usual in asked if value != usual)]))
    with live_table(lambda: len(bench.chosen_rows(only, root)), wanted=not json) as report:
        answer = bench.run(only, report, yardstick, root=root, runs=runs, seconds=seconds)
    if out is not None:
        write_figures(out, {**origin, **answer})
    if json:
        print_json(answer)
    else:
        show(
            *([table(answer["results"])] if answer["results"] else []),
            Text(f"signature {answer['signature']}", style="bold"),
        )


@contextmanager
def live_table(count: Callable[[], int], wanted: bool) -> Iterator[Callable[[dict[str, Any]], None] | None]:
    """What is told of each row as it is done, and shows the last ones while others follow: nothing where nobody looks on."""
    screen = console()
    if not wanted or not screen.is_terminal:
        yield None
        return
    rows = count()
    done: list[dict[str, Any]] = []
    with Live(console=screen, transient=True) as live:

        def report(result: dict[str, Any]) -> None:
            done.append(result)
            progress = f"{len(done)} of {rows} rows" if len(done) < rows else "all rows; now the signature"
            live.update(Group(table(done[-LIVE_ROWS:]), Text(progress, style="bold")), refresh=True)

        yield report


def table(results: list[dict[str, Any]]) -> Table:
    """A line for every figure of every row, and its spread beside it."""
    made = Table(box=box.SIMPLE_HEAD)
    made.add_column("row", no_wrap=True)
    made.add_column("figure")
    made.add_column("median", justify="right", no_wrap=True)
    made.add_column("middle half of the runs", justify="right", no_wrap=True)
    for row in results:
        names = [name for name in row if name != "name" and not name.endswith("_spread")]
        for name in names:
            first = str(row["name"]) if name == names[0] else ""
            spread = " to ".join(f"{end / row[name] - 1:+.1%}" for end in row.get(f"{name}_spread", ()))
            made.add_row(first, name.replace("_per_second", "/s").replace("_", " "), _number(row[name]), spread)
    return made


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
