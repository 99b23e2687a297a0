"""Players: an engine with limits and settings, and the named levels that each game has. Any program may use them.

The levels of a game are in its `levels.json`, weakest first, with how strong tools/measure_levels found them to be.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

from garden_core.fields import FieldError
from garden_core.state import State

from garden_ai.analysis import Analysis
from garden_ai.games import definition
from garden_ai.search import ENGINES, MOST_THREADS, analyse, make_control, make_settings

LIMITS: dict[str, type] = {"seconds": float, "simulations": int}
SWITCH = {"true": True, "yes": True, "false": False, "no": False}


@dataclass(frozen=True)
class Player:
    """An engine, how long it thinks and its settings; without a limit it thinks as long as `analyse` does.

    `slip` makes it choose among moves that are nearly as good as the best, as people do: see `Analysis.choose`.
    """

    engine: str
    seconds: float | None = None
    simulations: int | None = None
    threads: int = 1
    settings: Mapping[str, Any] = field(default_factory=dict)
    slip: float = 0.0

    def analyse(self, state: State, seed: int | None = None) -> Analysis:
        """The analysis of a decision."""
        return analyse(
            state, self.engine, seconds=self.seconds, simulations=self.simulations, seed=seed, threads=self.threads,
            **self.settings,
        )

    def choose(self, analysis: Analysis, seed: int) -> int:
        """The action that it plays after an analysis of its own."""
        return analysis.choose(seed, self.slip)


@cache
def levels(game: str) -> dict[str, Player]:
    """The levels of a game by name, weakest first; empty where it has none. Raises `FieldError` where there is no such game."""
    file = definition(game).levels_file
    if file is None:
        return {}
    rows = json.loads(file.read_text(encoding="utf-8"))["levels"]
    known = [part.name for part in fields(Player)]
    return {row["name"]: Player(**{key: row[key] for key in known if key in row}) for row in rows}


def level(game: str, name: str, flag: str = "level") -> Player:
    """The player of a level. Raises `FieldError`, with `flag` as its place, where the game has no such level."""
    found = levels(game).get(name)
    if found is None:
        expected = f"expected one of {', '.join(levels(game))}" if levels(game) else f"{game} has no levels"
        raise FieldError(flag, f"{expected}; got {name!r}")
    return found


def parse_player(words: str, game: str, usual: Player, flag: str = "player") -> Player:
    """The player that `ENGINE key=value ...` or a level's name says; limits are keys, too, and `usual` has those not given.

    Raises `FieldError` with `flag` as its place.
    """
    engine, *pairs = words.split() or [""]
    if engine in levels(game):
        if pairs:
            raise FieldError(flag, f"expected a level alone, which has its own settings; got {' '.join(pairs)!r} after {engine}")
        return level(game, engine, flag)
    if engine not in ENGINES:
        raise FieldError(flag, f"expected one of {', '.join([*ENGINES, *levels(game)])}; got {engine!r}")
    types = {part.name: type(part.default) for part in fields(ENGINES[engine])}
    types |= {**LIMITS, "threads": int, "slip": float}
    given: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise FieldError(flag, f"expected KEY=VALUE after {engine}; got {pair!r}")
        if key in given:
            raise FieldError(flag, f"expected each setting once; {key} stands there twice")
        given[key] = _converted(f"{flag} {key}", value, types.get(key, str))
    slip, threads = given.pop("slip", 0.0), given.pop("threads", usual.threads)
    limits = {key: given.pop(key) for key in LIMITS if key in given}
    try:
        make_settings(engine, given)
        make_control(limits.get("seconds"), limits.get("simulations"))
        if not 0 <= slip <= 1:
            raise FieldError("slip", f"expected a number 0..1, a utility; got {slip}")
        if not 1 <= threads <= MOST_THREADS:
            raise FieldError("threads", f"expected a whole number 1..{MOST_THREADS}; got {threads}")
    except FieldError as error:
        raise FieldError(f"{flag} {error.path}", error.expected) from None
    if not limits:
        limits = {"seconds": usual.seconds, "simulations": usual.simulations}
    return Player(engine, limits.get("seconds"), limits.get("simulations"), threads, given, slip)


def _converted(path: str, value: str, kind: type) -> Any:
    try:
        return SWITCH[value.lower()] if kind is bool else kind(value)
    except (ValueError, KeyError):
        expected = {bool: "true or false", int: "a whole number"}.get(kind, "a number")
        raise FieldError(path, f"expected {expected}; got {value!r}") from None
