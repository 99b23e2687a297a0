"""The signs that pictures of several games share; ASCII ones where the terminal has no others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Marks:
    """The signs of one picture."""

    to_move: str
    dash: str
    rule: str


UNICODE = Marks(to_move="▶", dash="·", rule="─")
ASCII = Marks(to_move=">", dash="-", rule="-")
