"""Arguments and options that several commands take, each declared once, and what they mean."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from garden_core.fields import FieldError, whole
from garden_core.state import Game

from garden_ai.games import definition
from garden_ai.loading import load
from garden_ai.record import MOST_SEED
from garden_ai.search import MOST_THREADS

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's name, as `garden-ai games` lists it.")]
PositionFile = Annotated[
    str,
    typer.Argument(
        metavar="POSITION", help="A position file, or a record, whose last state counts; - is standard input."
    ),
]
ComponentsFile = Annotated[
    Path | None,
    typer.Option("--components", metavar="FILE", help="A component file (TOML) in place of the game's own."),
]
Players = Annotated[int | None, typer.Option("--players", metavar="N", help="How many play; the fewest by default.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", metavar="K=V", help="An option of the game; may be given several times.")
]


def check_seed(seed: int | None) -> int | None:
    """The seed given. Raises `FieldError` where no record could hold it."""
    return None if seed is None else whole("--seed", seed, 0, MOST_SEED)


Seed = Annotated[
    int | None, typer.Option("--seed", metavar="S", help="Makes what is drawn repeatable.", callback=check_seed)
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, one line.")]
Level = Annotated[str | None, typer.Option("--level", metavar="L", help="How well the computer plays.")]
Seconds = Annotated[float | None, typer.Option("--seconds", metavar="T", help="Thinking time for the turn.")]
Simulations = Annotated[
    int | None, typer.Option("--simulations", metavar="N", help="Think for so many simulations instead of a time.")
]
Threads = Annotated[int, typer.Option("--threads", metavar="T", help="Threads to search with.")]
Games = Annotated[int, typer.Option("--games", metavar="N", help="Play at least so many games; a deal is played whole.")]
Workers = Annotated[
    int | None, typer.Option("--workers", metavar="W", help="Processes to play with; one a processor by default.")
]
Scheduler = Annotated[
    str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Play on the Dask cluster with this scheduler.")
]
ResultsPath = Annotated[
    Path | None, typer.Option("--results", metavar="FILE", help="Keep every deal there as it is played, and go on from it.")
]

LONGEST_SECONDS = 86_400.0
MOST_SIMULATIONS = 2**62 - 1


def chosen_seed(seed: int | None) -> int:
    """The seed given, or one by chance."""
    return random.SystemRandom().getrandbits(48) if seed is None else seed


def read_options(game: str, pairs: Sequence[str] | None) -> dict[str, Any]:
    """The options of a game from `name=value` texts."""
    options: dict[str, Any] = {}
    for pair in pairs or []:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not equals:
            raise FieldError("--option", f"expected NAME=VALUE; got {pair!r}")
        if name in options:
            raise FieldError(f"option {name}", "given twice")
        options[name] = definition(game).option(name).parse(value)
    return options


def load_game(name: str, players: int | None, pairs: Sequence[str] | None, components: Path | None) -> Game:
    """The game that --players, --option and --components ask for."""
    return load(name, players, components, **read_options(name, pairs))


def check_limits(seconds: float | None, simulations: int | None, threads: int) -> None:
    """Raises `FieldError` where a limit on thinking is none."""
    if seconds is not None and simulations is not None:
        raise FieldError("--seconds", "expected either --seconds or --simulations, not both")
    if seconds is not None and not (math.isfinite(seconds) and 0 < seconds <= LONGEST_SECONDS):
        raise FieldError("--seconds", f"expected more than 0 and at most {LONGEST_SECONDS:.0f}; got {seconds}")
    if simulations is not None:
        check_range("--simulations", simulations, MOST_SIMULATIONS)
    check_range("--threads", threads, MOST_THREADS)


def check_range(name: str, value: int, high: int) -> None:
    """Raises `FieldError` where a count is not 1..high."""
    if not 1 <= value <= high:
        raise FieldError(name, f"expected 1..{high}; got {value}")
