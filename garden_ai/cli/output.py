"""Printing, for every command: pictures and tables with rich, JSON for programs, errors as one line."""

from __future__ import annotations

import io
import json
import re
import sys
from typing import Any

from rich.console import Console, RenderableType

LONGEST_ERROR = 600
SVG_WIDTH = 80


def console(stderr: bool = False) -> Console:
    """Standard output, or standard error, as it is now: 80 columns and no colour where it is no terminal."""
    return Console(highlight=False, markup=False, emoji=False, soft_wrap=False, stderr=stderr)


def show(*parts: RenderableType) -> None:
    """Prints pictures, tables or plain text."""
    out = console()
    if out.is_terminal:
        for part in parts:
            out.print(part)
        return
    # in a file or a pipe the blanks that fill up rich's columns are only in the way
    with out.capture() as captured:
        for part in parts:
            out.print(part)
    print("\n".join(line.rstrip() for line in captured.get().split("\n")), end="")


def svg_of(part: RenderableType, title: str, unique_id: str) -> str:
    """A picture as it stands in a terminal of 80 columns, as an SVG; `unique_id` tells its styles from those of others."""
    recorder = Console(
        record=True, width=SVG_WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor",
        highlight=False, markup=False, emoji=False,
    )
    recorder.print(part)
    svg = recorder.export_svg(title=title, unique_id=unique_id)
    # an image fetches nothing: without the font that rich names, the viewer's own fixed-width font is used
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


def print_json(value: Any) -> None:
    """Prints a value as one line of JSON."""
    print(json.dumps(value, ensure_ascii=False))


def print_text(text: str) -> None:
    """Prints text as it is, never wrapped."""
    print(text)


def report(message: str) -> None:
    """One line on standard error, whatever the message holds."""
    line = " ".join(message.split())
    line = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)
    if len(line) > LONGEST_ERROR:
        line = line[:LONGEST_ERROR] + " ..."
    print(f"garden-ai: {line}", file=sys.stderr)
