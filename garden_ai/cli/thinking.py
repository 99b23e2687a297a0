"""Which engine thinks and for how long: what --engine, --level, --seconds, --simulations and --seat say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from garden_core.fields import FieldError
from garden_core.state import State

from garden_ai import search
from garden_ai.analysis import Analysis
from garden_ai.cli.arguments import check_limits
from garden_ai.players import LEVELS

LIMITS: dict[str, type] = {"seconds": float, "simulations": int}
SWITCH = {"true": True, "yes": True, "false": False, "no": False}


@dataclass(frozen=True)
class Thinker:
    """An engine with its settings and limits, ready to analyse."""

    engine: str
    seconds: float | None
    simulations: int | None
    threads: int = 1
    settings: Mapping[str, Any] = field(default_factory=dict)

    def analyse(self, state: State, seed: int | None) -> Analysis:
        """The analysis of a decision."""
        return search.analyse(
            state,
            self.engine,
            seconds=self.seconds,
            simulations=self.simulations,
            seed=seed,
            threads=self.threads,
            **self.settings,
        )


def usual_thinker(
    level: str | None, seconds: float | None, simulations: int | None, threads: int, usual_seconds: float
) -> Thinker:
    """The thinker of a command's own options; `usual_seconds` where they set no limit. Raises `FieldError`."""
    check_limits(seconds, simulations, threads)
    unlimited = seconds is None and simulations is None
    if level is None:
        return Thinker(search.DEFAULT_ENGINE, usual_seconds if unlimited else seconds, simulations, threads)
    return level_thinker("--level", level, None if unlimited else (seconds, simulations), threads)


def level_thinker(flag: str, name: str, limits: tuple[float | None, int | None] | None, threads: int) -> Thinker:
    """The thinker of a level, with its own limits or others. Raises `FieldError`."""
    if name not in LEVELS:
        raise FieldError(flag, f"expected one of {', '.join(LEVELS)}; got {name!r}")
    level = LEVELS[name]
    seconds, simulations = limits or (level.seconds, level.simulations)
    return Thinker(level.engine, seconds, simulations, threads, level.settings)


def named_thinker(flag: str, words: str, usual: Thinker) -> Thinker:
    """The thinker that `ENGINE key=value ...` or a level's name says; `seconds` and `simulations` are keys, too.

    Raises `FieldError`.
    """
    engine, *pairs = words.split() or [""]
    if engine in LEVELS and not pairs:
        return level_thinker(flag, engine, None, usual.threads)
    if engine not in search.ENGINES:
        raise FieldError(flag, f"expected one of {', '.join([*search.ENGINES, *LEVELS])}; got {engine!r}")
    types = {part.name: type(part.default) for part in fields(search.ENGINES[engine])}
    limits: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise FieldError(flag, f"expected KEY=VALUE after {engine}; got {pair!r}")
        if key in limits or key in settings:
            raise FieldError(flag, f"expected each setting once; {key} stands there twice")
        if key in LIMITS:
            limits[key] = _converted(f"{flag} {key}", value, LIMITS[key])
        else:
            settings[key] = _converted(f"{flag} {key}", value, types.get(key, str))
    search.make_settings(engine, settings)
    limits = limits or {"seconds": usual.seconds, "simulations": usual.simulations}
    check_limits(limits.get("seconds"), limits.get("simulations"), usual.threads)
    return Thinker(engine, limits.get("seconds"), limits.get("simulations"), usual.threads, settings)


def _converted(path: str, value: str, kind: type) -> Any:
    try:
        return SWITCH[value.lower()] if kind is bool else kind(value)
    except (ValueError, KeyError):
        expected = {bool: "true or false", int: "a whole number"}.get(kind, "a number")
        raise FieldError(path, f"expected {expected}; got {value!r}") from None
