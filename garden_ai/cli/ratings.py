"""The picture of a ladder: its players, the best first, each rating a point on one scale with its interval as a bar."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.table import Table
from rich.text import Text

from garden_ai.arena.ratings import ANCHOR, Rating
from garden_ai.arena.standing import Ladder

NARROWEST, WIDEST = 16, 60   # of the scale, in columns
SHORTEST_NAME, LONGEST_NAME = 8, 22
STEPS = (10, 20, 50, 100, 200, 250, 500, 1000, 2000, 5000)
FIGURES = "   1000  1000..1000  games  first  "  # and the blanks around them
TICK_COLUMNS = 6             # from one tick to the next at least: four digits and two blanks


class Scale:
    """Which column of a row of `width` a number of Elo points stands in; `ticks` are the points that are written below it."""

    def __init__(self, values: list[float], width: int) -> None:
        self.width = width
        self.low, self.high = min(values, default=ANCHOR), max(values, default=ANCHOR)
        if self.high - self.low < STEPS[0]:
            self.low, self.high = self.low - STEPS[0], self.high + STEPS[0]
        for step in STEPS:
            first, last = math.ceil(self.low / step), math.floor(self.high / step)
            self.ticks = [step * number for number in range(first, last + 1)]
            if (self.high - self.low) / step * TICK_COLUMNS <= width:
                break

    def column(self, value: float) -> int:
        """0..width - 1."""
        return round((value - self.low) / (self.high - self.low) * (self.width - 1))

    def bar(self, rating: Rating | None) -> Text:
        """A row: the interval as a bar, the rating as a point on it, and what leads down to the ticks."""
        cells = [" "] * self.width
        for tick in self.ticks:
            cells[self.column(tick)] = "·"
        if rating is None:
            return Text("".join(cells), style="dim")
        at = self.column(rating.elo)
        low, high = (self.column(end) for end in rating.interval)
        low, high = min(low, at), max(high, at)
        cells[low : high + 1] = "─" * (high + 1 - low)
        if low < at:
            cells[low] = "├"
        if high > at:
            cells[high] = "┤"
        cells[at] = "●"
        text = Text("".join(cells), style="dim")
        text.stylize("not dim cyan", low, high + 1)
        text.stylize("not dim bold yellow", at, at + 1)
        return text

    def axis(self) -> tuple[str, str]:
        """The line below the rows and the numbers below it."""
        line, numbers = ["─"] * self.width, [" "] * self.width
        for tick in self.ticks:
            at, label = self.column(tick), str(tick)
            line[at] = "┴"
            begin = min(max(0, at - len(label) // 2), self.width - len(label))
            numbers[begin : begin + len(label)] = label
        return "".join(line), "".join(numbers)


class RatingsPicture:
    """A ladder, as wide as what it is drawn on; it says the same without colour."""

    def __init__(self, ladder: Ladder, title: str) -> None:
        self.ladder = ladder
        self.title = title

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        rated = [standing.rating for standing in self.ladder.standings if standing.rating is not None]
        room = options.max_width - len(FIGURES)
        longest = max(len(standing.name) for standing in self.ladder.standings)
        names = min(longest, LONGEST_NAME, max(SHORTEST_NAME, room - NARROWEST))
        width = max(NARROWEST, min(WIDEST, room - names))
        scale = Scale([value for rating in rated for value in (rating.elo, *rating.interval)], width)
        made = Table(box=None, padding=(0, 2, 0, 0), collapse_padding=True, pad_edge=False)
        made.add_column("", width=names)
        for name in ("Elo", "95%", "games", "first"):
            made.add_column(name, justify="right", no_wrap=True)
        made.add_column("", width=width, no_wrap=True)
        for standing in self.ladder.standings:
            rating = standing.rating
            made.add_row(
                standing.name, *(_figures(rating) if rating else ("-", "", "0")),
                "" if standing.first_share is None else f"{standing.first_share:.0%}", scale.bar(rating),
            )
        for text in scale.axis():
            made.add_row("", "", "", "", "", Text(text, style="dim"))
        yield Group(Text(self.title, style="bold"), made)


def _figures(rating: Rating) -> tuple[str, str, str]:
    low, high = rating.interval
    return f"{rating.elo:.0f}", f"{low:.0f}..{high:.0f}" if low < high else "", str(rating.games)
