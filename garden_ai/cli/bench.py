"""`garden-ai bench`: speed of rules and searches, and the signature that tells whether they still do the same."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from garden_core.fields import FieldError
from rich import box
from rich.table import Table
from rich.text import Text

from garden_ai.cli.arguments import Json
from garden_ai.cli.output import print_json, show

Only = Annotated[str | None, typer.Option("--only", metavar="ROW", help="Measure one row only.")]


Yardstick = Annotated[
    Path | None,
    typer.Option("--yardstick", metavar="FILE.c", help="A plain C program of a game to hold its rows against, named after it."),
]


def command(only: Only = None, yardstick: Yardstick = None, json: Json = False) -> None:
    """Measure the speed and print the signature."""
    from garden_ai import bench  # measuring is no part of any other command

    if yardstick is not None and not yardstick.is_file():
        raise FieldError("--yardstick", f"expected a C file; got {str(yardstick)!r}")
    answer = bench.run(only, yardstick=yardstick)
    if json:
        print_json(answer)
    else:
        show(
            *([table(answer["results"])] if answer["results"] else []),
            Text(f"signature {answer['signature']}", style="bold"),
        )


def table(results: list[dict[str, Any]]) -> Table:
    """A row each, a column for everything that is measured."""
    columns = list(dict.fromkeys(name for row in results for name in row if name != "name"))
    made = Table(box=box.SIMPLE_HEAD)
    made.add_column("row", no_wrap=True)
    for column in columns:
        made.add_column(column.replace("_", " "), justify="right")
    for row in results:
        made.add_row(str(row["name"]), *(_number(row.get(column)) for column in columns))
    return made


def _number(value: object) -> str:
    if isinstance(value, (int, float)):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return "" if value is None else str(value)
