"""What deliveries need, in words, for the picture and the hints: which butterflies are lacking.

How many are lacking the game tells (`lacking`). Butterflies are letters, `W` the rainbow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, combinations_with_replacement

from garden_ai.games.words import joined

RAINBOW = "W"
JAR = 8  # butterflies that a jar holds
MOST = 4  # butterflies that a delivery needs at most
SHOWN = 3  # ways of completing a delivery that are listed; where there are more, only how many butterflies are lacking
ONE_MORE = "one more"
Lacking = Callable[[str], int]  # how many must be added to some butterflies for one delivery


def lacks(lacking: Lacking, butterflies: str, letters: str) -> str:
    """What must come to these butterflies, as few as will do: `P`, `R or B`, `Y and one more`, `2 alike`; empty for nothing."""
    size = lacking(butterflies)
    return told(completions(lacking, butterflies, letters, size), letters) if size else ""


def completions(lacking: Lacking, butterflies: str, letters: str, size: int) -> list[Counter[str]]:
    """The sets of so many butterflies that complete a delivery, with as few rainbows as possible."""
    for wild in range(size + 1):
        colours = combinations_with_replacement(letters, size - wild)
        ways = [Counter("".join(way) + RAINBOW * wild) for way in colours]
        enough = [way for way in ways if lacking(butterflies + "".join(way.elements())) == 0]
        if enough:
            return enough
    raise AssertionError(size)


def told(ways: Sequence[Counter[str]], letters: str) -> str:
    """The ways in words: all of them where that is short, else what they have in common and how many more it takes."""
    size = ways[0].total()
    if len(ways) == 1:
        return listed(ways[0])
    if all(len(way) == 1 for way in ways):
        if len(ways) <= SHOWN or (size == 1 and len(ways) < len(letters)):
            return either([listed(way) for way in ways])
        return ONE_MORE if size == 1 else f"{size} alike"
    common = ways[0].copy()
    for way in ways:
        common &= way
    if size - common.total() == 1:
        rest = [listed(way - common) for way in ways]
        return f"{listed(common)} and {ONE_MORE if len(rest) == len(letters) else either(rest)}"
    return f"{size} more"


def either(words: Sequence[str]) -> str:
    """`R, B or P`."""
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def listed(butterflies: Counter[str]) -> str:
    """`R and P`, `2 R`."""
    return joined(f"{count} {letter}" if count > 1 else letter for letter, count in butterflies.items())


def payable(lacking: Lacking, cards: Iterable[str]) -> bool:
    """Whether cards with these butterflies are enough, without more of them than a jar holds."""
    held = list(cards)
    together = "".join(held)
    if len(together) <= JAR:
        return lacking(together) == 0
    return any(
        len("".join(some)) <= JAR and lacking("".join(some)) == 0
        for size in range(1, MOST + 1)  # each card of a payment is needed, so it has no more cards than butterflies
        for some in combinations(held, size)
    )
