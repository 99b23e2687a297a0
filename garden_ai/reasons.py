"""Why one move is better than another, in a sentence made from the numbers of an analysis."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from garden_ai.analysis import Z95, Move

WORTH_SAYING = 0.25  # points; smaller differences of a component are left unsaid
MOST = 2  # differences named on either side


def reason(
    move: Move, other: Move | None, first: bool, phrase: Callable[[str], str], happened: Sequence[str]
) -> str:
    """One or two sentences: what a move does at once, and how its numbers differ from those of another.

    The `first` of a ranking is held against the second, every other against the first; None: there is no other.
    """
    compared = "the only move" if other is None else _comparison(move, other, first, phrase)
    return " ".join(_sentence(text) for text in ("; ".join(happened), compared) if text)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def indistinguishable(one: Move, other: Move) -> bool:
    """Whether the difference of two moves' utilities lies within its own 95% sampling error."""
    if one.utility is None or other.utility is None or one.utility_error is None or other.utility_error is None:
        return False
    error = math.hypot(one.utility_error, other.utility_error)
    return error > 0 and abs(one.utility - other.utility) < Z95 * error


def _comparison(move: Move, other: Move, first: bool, phrase: Callable[[str], str]) -> str:
    if move.utility is None or other.utility is None:
        return "not looked at" if move.utility is None else ""
    told = _differences(move, other, phrase)
    against = f"against {other.move}"
    if indistinguishable(move, other):
        start = f"cannot be told apart from {other.move} by this search"
        return f"{start}; {told}" if told else start
    if told:
        return f"{against}: {told}"
    if math.isclose(move.utility, other.utility, rel_tol=0, abs_tol=1e-9):
        return f"as good as {other.move}"
    return f"{against}: {'better' if first else 'worse'} in small ways only"


def _differences(move: Move, other: Move, phrase: Callable[[str], str]) -> str:
    """`gains on the red butterfly (+2.4); gives up on the blue one (-1.1)`, in points; empty where nothing is worth it."""
    if move.components is None or other.components is None:
        return _margins(move, other)
    deltas = {name: points - other.components[name] for name, points in move.components.items()}
    gains = [name for name in sorted(deltas, key=lambda name: -deltas[name]) if deltas[name] >= WORTH_SAYING][:MOST]
    losses = [name for name in sorted(deltas, key=lambda name: deltas[name]) if deltas[name] <= -WORTH_SAYING][:MOST]
    parts = []
    for verb, names in (("gains on", gains), ("gives up on", losses)):
        if names:
            listed = " and ".join(f"{phrase(name)} ({deltas[name]:+.1f})" for name in names)
            parts.append(f"{verb} {listed}")
    return "; ".join(parts) or _margins(move, other)


def _margins(move: Move, other: Move) -> str:
    if move.scores is None or other.scores is None or len(move.scores) < 2:
        return ""
    losses = [there - here for here, there in zip(move.scores, other.scores, strict=True)]
    most = max(losses)
    player = losses.index(most)
    return f"costs player {player} {most:.1f} points" if most >= WORTH_SAYING else ""
