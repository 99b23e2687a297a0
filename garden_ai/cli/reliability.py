"""The picture of a calibration: what was stated against what happened, before and after a correction, plotted and in a table."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from garden_ai.arena.calibration import Bin, Calibration
from garden_ai.odds import IDENTITY

COLUMNS, ROWS = 61, 21   # of the plot: 0..100% in even steps, both ways
TICK = 20                # percent between labels
RAW, MENDED, EQUAL = "○", "●", "·"


def reliability_picture(found: Calibration, title: str) -> RenderableType:
    """The plot, the table of its points and how far they lie from the diagonal."""
    parts: list[RenderableType] = [Text(title, style="bold"), Text(), plot(found), Text(), bin_table(found), Text()]
    return Group(*parts, part_table(found))


def plot(found: Calibration) -> Text:
    """Stated chances to the right, what happened upwards; odds that are right lie on the diagonal."""
    cells = [[" "] * COLUMNS for _ in range(ROWS)]
    for row in range(ROWS):
        cells[row][round(row * (COLUMNS - 1) / (ROWS - 1))] = EQUAL
    corrected = found.correction != IDENTITY
    _mark(cells, found.before.bins, RAW if corrected else MENDED)
    if corrected:
        _mark(cells, found.after.bins, MENDED)
    text = Text()
    for row in reversed(range(ROWS)):
        percent = row * 100 // (ROWS - 1)
        text.append(f"{percent:4}% " if percent % TICK == 0 else " " * 6, style="dim")
        text.append("│" if percent % TICK else "┤", style="dim")
        for cell in cells[row]:
            text.append(cell, style={RAW: "yellow", MENDED: "bold green"}.get(cell, "dim"))
        text.append("\n")
    ticks = ["─"] * COLUMNS
    labels = [" "] * (COLUMNS + 4)
    for percent in range(0, 101, TICK):
        column = percent * (COLUMNS - 1) // 100
        ticks[column] = "┬"
        label = f"{percent}%"
        labels[column : column + len(label)] = label
    text.append(f"{'':6}└{''.join(ticks)}\n{'':7}{''.join(labels).rstrip()}\n", style="dim")
    told = f"{RAW} searched, {MENDED} corrected" if corrected else f"{MENDED} searched"
    return text.append(f"{'':7}first places: across as stated, up as they came; {told}")


def _mark(cells: list[list[str]], bins: Iterable[Bin], sign: str) -> None:
    for one in bins:
        cells[round(one.happened * (ROWS - 1))][round(one.stated * (COLUMNS - 1))] = sign


def bin_table(found: Calibration) -> Table:
    """A row for each tenth of what is stated."""
    sides = [found.before] if found.correction == IDENTITY else [found.before, found.after]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1))
    table.add_column("\nstated")
    for side in ("searched", "corrected")[: len(sides)]:
        for name in (f"{side}:\npositions", "\nstated", "\nhappened"):
            table.add_column(name, justify="right")
    found_bins = [{one.low: one for one in side.bins} for side in sides]
    for low, high in sorted({(one.low, one.high) for side in sides for one in side.bins}):
        table.add_row(f"{low:.0%}-{high:.0%}", *(cell for bins in found_bins for cell in _cells(bins.get(low))))
    return table


def _cells(one: Bin | None) -> tuple[str, str, str]:
    return (f"{one.positions:,}", f"{one.stated:.1%}", f"{one.happened:.1%}") if one else ("", "", "")


def part_table(found: Calibration) -> Table:
    """Calibration errors, before and after, of all positions and of parts of them."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1))
    table.add_column("calibration error", no_wrap=True)
    for name in ("positions", "searched", "corrected", "by chance"):
        table.add_column(name, justify="right", no_wrap=True)
    before, after = found.before, found.after
    table.add_row("all", f"{before.positions:,}", f"{before.error:.3f}", f"{after.error:.3f}", f"{after.by_chance:.3f}")
    table.add_row("  its 95% interval", "", *("{:.3f}-{:.3f}".format(*side.interval) for side in (before, after)))
    for part in found.parts:
        table.add_row(part.name, f"{part.positions:,}", f"{part.before:.3f}", f"{part.after:.3f}", f"{part.by_chance:.3f}")
    table.add_section()
    table.add_row("Brier score", "", f"{before.brier:.3f}", f"{after.brier:.3f}")
    table.add_row("log loss", "", f"{before.log_loss:.3f}", f"{after.log_loss:.3f}")
    return table
