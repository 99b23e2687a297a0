"""What `match` and `ladder` have in common: how many deals, who plays them, what is seen meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from garden_core.fields import FieldError
from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from garden_ai.arena.match import GameChoice
from garden_ai.arena.workers import Workers, cluster, processes
from garden_ai.cli.arguments import check_limits, check_range
from garden_ai.cli.output import console, report
from garden_ai.players import Player
from garden_ai.search import DEFAULT_ENGINE

MOST_WORKERS = 1024
MOST_GAMES = 10_000_000
USUAL_SIMULATIONS = 1000
REDRAWN_EVERY = 0.5   # seconds
DRAWING_SHARE = 0.05  # of the time, at most: what is drawn may take long to compute


def games_in_deal(players: int) -> int:
    """One for each rotation of the seats; alone, all who compare themselves play one deal, which counts as one game."""
    return max(1, players)


def table_words(choice: GameChoice) -> str:
    """`leelawadee, 3 players`: what stands above a table of it."""
    return f"{choice.name}, {'1 player' if choice.players == 1 else f'{choice.players} players'}"


def deals_for(games: int, players: int) -> int:
    """So many deals have at least that many games: a deal is always played whole."""
    check_range("--games", games, MOST_GAMES)
    return -(-games // games_in_deal(players))


def usual_limits(seconds: float | None, simulations: int | None) -> Player:
    """Whom an engine that sets no limit follows: --seconds or --simulations, or else the usual number, which is repeatable."""
    check_limits(seconds, simulations, threads=1)
    return Player(DEFAULT_ENGINE, seconds, USUAL_SIMULATIONS if seconds is None and simulations is None else simulations)


@contextmanager
def workers_of(count: int | None, scheduler: str | None) -> Iterator[Workers]:
    """Who plays: processes of this machine or a Dask cluster. Raises `FieldError`."""
    if count is not None:
        check_range("--workers", count, MOST_WORKERS)
        if scheduler is not None:
            raise FieldError("--workers", "expected either --workers or --scheduler, whose cluster has its own, not both")
    with processes(count) if scheduler is None else cluster(scheduler) as workers:
        yield workers


def report_stop(played: int, count: int, results: Path | None) -> None:
    """What is said of an interrupt."""
    rest = "give --results FILE to go on later" if results is None else f"the same command goes on from {results}"
    report(f"stopped after {played} deals of {count}; {rest}")


@contextmanager
def watched(count: int, known: int, wanted: bool, picture: Callable[[], RenderableType]) -> Iterator[Callable[[], None] | None]:
    """Shows `picture` above a progress bar while deals are played; what is yielded is told of each one.

    That is where a terminal is: on standard error, or else on standard output if a picture is `wanted` there. It yields None
    where nobody looks on. `known` are the deals that were there before.
    """
    screen = console(stderr=True)
    if not screen.is_terminal and wanted:
        screen = console()
    if not screen.is_terminal:
        yield None
        return
    progress = Progress(
        TextColumn("deals"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(elapsed_when_finished=True), console=screen
    )
    task = progress.add_task("deals", total=count, completed=known)
    drawn = picture()
    next_time = 0.0
    with Live(Group(drawn, progress), console=screen, transient=True, refresh_per_second=4) as live:

        def heard() -> None:
            nonlocal drawn, next_time
            progress.advance(task)
            began = time.monotonic()
            if began >= next_time:
                drawn = picture()
                now = time.monotonic()
                next_time = now + max(REDRAWN_EVERY, (now - began) / DRAWING_SHARE)
                live.update(Group(drawn, progress))

        yield heard
