"""What the pages that `document.py` makes have in common: results files, Markdown tables and numbers as people read them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parents[1] / "benchmarks" / "results"
NEEDED = ("command", "date", "commit", "machine")


def results(name: str, figures: str = "results") -> dict[str, Any]:
    """A results file, whose figures stand under that key; an empty mapping where nobody has measured yet."""
    file = RESULTS / f"{name}.json"
    if not file.exists():
        return {}
    try:
        read: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"benchmarks/results/{name}.json: {error}") from None
    missing = [key for key in (*NEEDED, figures) if key not in read]
    if missing:
        raise ValueError(f"benchmarks/results/{name}.json: expected {', '.join(missing)}, as garden_ai.provenance writes them")
    return read


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, its first column to the left and numbers to the right."""
    lines = [list(header), ["---", *["---:"] * (len(header) - 1)], *[list(row) for row in rows]]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def origin(answer: Mapping[str, Any]) -> str:
    """The sentence below a table: what made it, where and when."""
    machine = answer["machine"]
    when = f"{answer['date']}, commit {answer['commit']}" if answer.get("commit") else f"{answer['date']}"
    busy = "" if machine.get("load") is None else f", {machine['load']:.1f} other processes wanting a core as it began"
    return (
        f"Made by `{answer['command']}`: {when}, {machine['processor']}, {machine['cores']} cores, {machine['system']}, "
        f"Python {machine['python']}{busy}."
    )


def number(value: float) -> str:
    """Three digits that count, thousands parted by commas: 1,230,000; 12.3; 0.123."""
    if value == 0:
        return "0"
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 100 else f"{rounded:.3g}"


def with_spread(row: Mapping[str, Any], figure: str) -> str:
    """A figure, ± half the distance between its quartiles; empty where the row has no such figure."""
    if figure not in row:
        return ""
    value = row[figure]
    spread = row.get(f"{figure}_spread")
    if not spread or not value:
        return f"{value:,}" if isinstance(value, int) else number(value)  # a count is exact
    return f"{number(value)} ±{(spread[1] - spread[0]) / 2 / value:.0%}"
