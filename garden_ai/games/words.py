"""Words that the pictures and the sentences of several games share."""

from __future__ import annotations

from collections.abc import Iterable


def points_text(points: int) -> str:
    """`1 point`, `-3 points`."""
    return f"{points} point{'' if abs(points) == 1 else 's'}"


def joined(words: Iterable[str]) -> str:
    """`a, b and c`; at least one."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
