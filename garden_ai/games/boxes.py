"""What pictures with a box for each player share: the boxes side by side, and what is written in and below them.

For the `picture` modules of the games in this folder, of which each decides how wide its boxes are and what they hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from garden_ai.games.marks import Marks
from garden_ai.games.words import points_text

LABEL_STYLE = "dim"
GAP = 1  # between boxes
FRAME = 2  # places for both sides of a frame, and lines for its top and bottom
BACK = "[?]"
KNOWN = "*"  # after a card of a hand of which everybody knows that it is there
BETWEEN = "  "  # what stands in one line


@dataclass(frozen=True)
class Box:
    """What one player has."""

    title: str
    points: int
    moves: bool
    lines: Sequence[Text]


def arranged(players: int, width: int, least: int, widest: int) -> tuple[list[range], int]:
    """The players of each row and the places inside each box, of which there are `least` to `widest`.

    As many boxes as fit stand side by side, equally many in each row but the last: 2 + 2 rather than 3 + 1.
    """
    in_row = max(1, min(players, (width + GAP) // (least + FRAME + GAP)))
    rows = -(-players // in_row)
    in_row = -(-players // rows)
    inner = min(widest, (width + GAP) // in_row - GAP - FRAME)
    return [range(begin, min(begin + in_row, players)) for begin in range(0, players, in_row)], inner


def box_row(marks: Marks, boxes: Sequence[Box], inner: int) -> Grid:
    """Some boxes beside each other, equally high."""
    height = max(len(box.lines) for box in boxes)
    row = Grid.grid(padding=(0, GAP, 0, 0), pad_edge=False)
    panels = []
    for box in boxes:
        row.add_column(width=inner + FRAME, no_wrap=True)
        panels.append(
            Panel(
                Text("\n").join(box.lines),
                title=Text(f"{marks.to_move} {box.title}" if box.moves else box.title, style="bold"),
                subtitle=Text(points_text(box.points)),
                border_style="bold" if box.moves else "dim",
                padding=0,
                width=inner + FRAME,
                height=height + FRAME,
            )
        )
    row.add_row(*panels)
    return row


def hand_items(hand: Mapping[str, Any], card: Callable[[Any, str], Text]) -> Iterator[Text]:
    """The cards of a hand as a view has it: where all are seen, those that everybody knows marked; the others face down.

    `card` draws a card with what stands after it.
    """
    known: Sequence[Any] = hand.get("known", ())
    cards: Sequence[Any] = hand.get("cards", known)
    marked = Counter(known if "cards" in hand else ())
    for one in cards:
        yield card(one, KNOWN if marked[one] > 0 else "")
        marked[one] -= 1
    for _ in range(hand["count"] - len(cards)):
        yield Text(BACK, style=LABEL_STYLE)


def known_signs(hands: Iterable[Mapping[str, Any]]) -> list[str]:
    """What `KNOWN` means, where a card of these hands is marked with it."""
    return [f"{KNOWN} known to all"] if any(hand.get("known") for hand in hands if "cards" in hand) else []


def labelled(label: str, items: Iterable[Text], indent: int, width: int) -> list[Text]:
    """A label and, from `indent` on, what belongs to it, in lines of at most `width`."""
    lines = [Text().append(label.ljust(indent), style=LABEL_STYLE)]
    for item in items:
        gap = BETWEEN if len(lines[-1]) > indent else ""
        if gap and len(lines[-1]) + len(gap) + len(item) > width:
            lines.append(Text(" " * indent))
            gap = ""
        lines[-1].append(gap).append_text(item)
    return lines


def flowed(items: Iterable[Text], width: int, between: str = BETWEEN) -> list[Text]:
    """Items one after another, in lines of at most `width`."""
    lines: list[Text] = []
    for item in items:
        if lines and len(lines[-1]) + len(between) + len(item) <= width:
            lines[-1].append(between).append_text(item)
        else:
            lines.append(item.copy())
    return lines


def fact_grid(facts: Iterable[tuple[str, Text]]) -> Grid:
    """A line each: the name of a fact, and the fact."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column()
    for name, value in facts:
        grid.add_row(name, value)
    return grid
