"""What deliveries need, for the picture and the words: whether butterflies are enough, and what they lack.

A need is written as in the components: `Y+any`, `W+Y`, `3 of a kind`, `2 pairs`. Butterflies are letters, `W` the rainbow.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, combinations_with_replacement

from garden_ai.games.words import joined

RAINBOW = "W"
ANY = "any"
PAIRS = "2 pairs"
JAR = 8  # butterflies that a jar holds
MOST = 4  # butterflies that a delivery needs at most
PAIR = 2
SHOWN = 3  # ways of completing a delivery that are listed; where there are more, only how many butterflies are lacking
ONE_MORE = "one more"


def pays(needs: str, butterflies: str, letters: str) -> bool:
    """Whether these butterflies are enough, or more than enough; `letters` are those of the colours."""
    counts = Counter(butterflies)
    wild = counts.pop(RAINBOW, 0)
    if needs == PAIRS:
        pairs = combinations_with_replacement(letters, 2)
        return any(missing(Counter({one: PAIR}) + Counter({other: PAIR}), counts) <= wild for one, other in pairs)
    kind = re.fullmatch(r"([0-9]+) of a kind", needs)
    if kind:
        return any(counts[letter] + wild >= int(kind[1]) for letter in letters)
    slots = Counter(needs.split("+"))
    wild -= slots.pop(RAINBOW, 0)
    anything = slots.pop(ANY, 0)
    spare = counts.total() + wild - slots.total()
    return wild >= 0 and missing(slots, counts) <= wild and spare >= anything


def missing(wanted: Counter[str], counts: Counter[str]) -> int:
    """How many of the wanted butterflies are not there."""
    return (wanted - counts).total()


def lacks(needs: str, butterflies: str, letters: str) -> str:
    """What must come to these butterflies, as few as will do: `P`, `R or B`, `Y and one more`, `2 alike`; empty for nothing."""
    if pays(needs, butterflies, letters):
        return ""
    for size in range(1, MOST + 1):
        ways = completions(needs, butterflies, letters, size)
        if ways:
            return told(ways, letters)
    raise AssertionError(needs)


def completions(needs: str, butterflies: str, letters: str, size: int) -> list[Counter[str]]:
    """The sets of so many butterflies that complete a delivery, with as few rainbows as possible."""
    for wild in range(size + 1):
        colours = combinations_with_replacement(letters, size - wild)
        ways = [Counter("".join(way) + RAINBOW * wild) for way in colours]
        enough = [way for way in ways if pays(needs, butterflies + "".join(way.elements()), letters)]
        if enough:
            return enough
    return []


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


def payable(needs: str, cards: Iterable[str], letters: str) -> bool:
    """Whether cards with these butterflies are enough, without more of them than a jar holds."""
    held = list(cards)
    together = "".join(held)
    if len(together) <= JAR:
        return pays(needs, together, letters)
    return any(
        len("".join(some)) <= JAR and pays(needs, "".join(some), letters)
        for size in range(1, MOST + 1)  # each card of a payment is needed, so it has no more cards than butterflies
        for some in combinations(held, size)
    )
