"""`garden-ai match`: engines or levels against each other, and which of them is stronger."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from garden_core.fields import FieldError
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from typer.core import TyperCommand

from garden_ai.arena.match import Deal, GameChoice, seated
from garden_ai.arena.series import Match
from garden_ai.arena.sprt import Hypotheses, SequentialTest
from garden_ai.cli import arguments
from garden_ai.cli.arena import MOST_GAMES, deals_for, games_in_deal, report_stop, table_words, usual_limits, watched, workers_of
from garden_ai.cli.arguments import (
    ComponentsFile,
    GameName,
    Json,
    Options,
    ResultsPath,
    Scheduler,
    Seconds,
    Seed,
    Simulations,
    Threads,
    check_range,
    load_game,
)
from garden_ai.cli.output import print_json, report, show
from garden_ai.cli.thinking import named_player
from garden_ai.files import make_folder, write_text
from garden_ai.players import Player
from garden_ai.record import check_target
from garden_ai.search import MOST_THREADS

USUAL_GAMES = 200
MOST_ALONE = 64  # seats of players that play alone
AGAIN = " ("
SPRT = "--sprt"

Seats = Annotated[
    list[str],
    typer.Option(
        "--seat",
        metavar="WORDS",
        help="A player, 'ENGINE key=value ...' or a level; may be given several times. The last one sits on all seats that are "
        "left over: with two of them and --players 4 it is one against three of the other.",
    ),
]
Players = Annotated[
    int | None,
    typer.Option("--players", metavar="N", help="How many play; one a seat by default. With 1 each plays the same deals alone."),
]
Games = Annotated[
    int | None,
    typer.Option(
        "--games", metavar="N",
        help=f"Play so many games, rounded up to whole deals; {USUAL_GAMES} by default, as many as it takes with {SPRT}.",
    ),
]
Test = Annotated[
    str | None,
    typer.Option(
        SPRT, metavar="ELO0 ELO1 [ALPHA BETA]",
        help="Stop as soon as it is clear whether the first seat is ELO0 or ELO1 points better than the others; "
        "ALPHA and BETA, 0.05 each by default, are the chances to say ELO1 or ELO0 wrongly.",
    ),
]
Records = Annotated[
    Path | None, typer.Option("--records", metavar="DIR", help="Keep the record of every game that is played in this folder.")
]


class MatchCommand(TyperCommand):
    """The command, whose --sprt takes two or four numbers."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Makes one value of the numbers after --sprt, which may be negative."""
        given: list[str] = []
        rest = list(args)
        while rest:
            word = rest.pop(0)
            flag, _, value = word.partition("=")
            if flag == SPRT:
                numbers = value.split()
                while rest and is_number(rest[0]):
                    numbers.append(rest.pop(0))
                word = " ".join(numbers or rest[:1])
                hypotheses_of(word)
                word = f"{SPRT}={word}"
            given.append(word)
        return super().parse_args(ctx, given)


def is_number(word: str) -> bool:
    """Whether it is one as --sprt takes them."""
    try:
        return math.isfinite(float(word))
    except ValueError:
        return False


def hypotheses_of(words: str) -> Hypotheses:
    """H0 and H1 as --sprt says them. Raises `FieldError`."""
    numbers = words.split()
    if len(numbers) not in (2, 4) or not all(map(is_number, numbers)):
        raise FieldError(SPRT, f"expected two or four numbers, ELO0 ELO1 [ALPHA BETA]; got {words!r}")
    try:
        return Hypotheses(*map(float, numbers))
    except FieldError as error:
        raise FieldError(f"{SPRT} {error.path}", error.expected) from None


def command(
    game: GameName,
    seat: Seats,
    players: Players = None,
    games: Games = None,
    option: Options = None,
    seed: Seed = 1,
    seconds: Seconds = None,
    simulations: Simulations = None,
    threads: Threads = 1,
    sprt: Test = None,
    workers: arguments.Workers = None,
    scheduler: Scheduler = None,
    results: ResultsPath = None,
    records: Records = None,
    components: ComponentsFile = None,
    json: Json = False,
) -> None:
    """Play engines or levels against each other.

    Every deal is played once with each rotation of the seats, so that luck cancels. A seat that sets no limit thinks for
    --seconds or --simulations, 1000 simulations a decision without either.
    """
    from garden_ai.arena.results import ResultsFile, header_of  # here, since what they need takes a while to load

    loaded = load_game(game, len(seat) if players is None else players, option, components)
    choice = GameChoice(game, loaded.players, dict(loaded.options), components)
    check_range("--threads", threads, MOST_THREADS)
    usual = replace(usual_limits(seconds, simulations), threads=threads)
    match = match_of(choice, seat, usual, games, 1 if seed is None else seed, None if sprt is None else hypotheses_of(sprt))
    if records is not None:
        make_folder("--records", records)
    interrupted = False
    header = header_of(choice, match.pool, match.group, match.seed)
    with nullcontext() if results is None else ResultsFile(results, header) as kept:
        match.resume(kept.deals if kept else [])
        size = games_in_deal(choice.players)
        if games is not None and games % size:
            report(f"{games} games are no whole deals of {size}: {size * match.count} are played")

        def keep(deal: Deal) -> None:
            if records is not None:
                keep_records(records, deal)
            if kept:
                kept.add(deal)

        try:
            if not match.finished:
                play(match, workers, scheduler, keep, keep_records=records is not None, wanted=not json)
        except KeyboardInterrupt:
            interrupted = True
    if json:
        print_json(match.to_dict())
    elif match.deals:
        show(picture(match))
    if interrupted:
        report_stop(len(match.deals), match.count, results)
        raise KeyboardInterrupt


def match_of(
    choice: GameChoice, words: Sequence[str], usual: Player, games: int | None, seed: int, hypotheses: Hypotheses | None
) -> Match:
    """The match of these seats. Raises `FieldError`."""
    pool: dict[str, Player] = {}
    for text in words:
        name = " ".join(text.split())
        again = sum(other.partition(AGAIN)[0] == name for other in pool)
        pool[f"{name}{AGAIN}{again + 1})" if again else name] = named_player("--seat", name, choice.name, usual)
    if choice.players == 1:
        check_range("--seat", len(pool), MOST_ALONE)
    group = seated(len(pool), choice.players)
    if hypotheses is not None and len(pool) == 1:
        raise FieldError(SPRT, "expected two seats or more, of which the first is tested; got 1")
    count = deals_for((USUAL_GAMES if hypotheses is None else MOST_GAMES) if games is None else games, choice.players)
    return Match(choice, pool, group, count, seed, SequentialTest(hypotheses, len(group)) if hypotheses else None)


def play(
    match: Match, count: int | None, scheduler: str | None, keep: Callable[[Deal], None], keep_records: bool, wanted: bool
) -> None:
    """Plays the rest with `count` workers or those of a scheduler, and shows how it stands where somebody is `wanted` to look."""
    with workers_of(count, scheduler) as workers, watched(match.count, len(match.deals), wanted, lambda: picture(match)) as tell:

        def heard(deal: Deal) -> None:
            keep(deal)
            if tell:
                tell()

        match.play(workers, heard, keep_records)


def keep_records(folder: Path, deal: Deal) -> None:
    """Writes the games of a deal, one for each rotation or, alone, for each who played it."""
    for rotation, record in enumerate(deal.records):
        file = folder / f"deal-{deal.number:06}-rotation-{rotation}.jsonl"
        check_target("--records", file)
        write_text(file, record)


def picture(match: Match) -> RenderableType:
    """How a match stands: a row a seat, and what was played and tested."""
    state = match.to_dict()
    headline = f"{table_words(match.choice)}: {state['games']} games, {state['deals']} deals"
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("seat")
    copies = any(seat["seats"] > 1 for seat in state["seats"])
    if copies:
        table.add_column("seats", justify="right")
    table.add_column("first places (95%)", justify="right", no_wrap=True)
    table.add_column("points (95%)", justify="right", no_wrap=True)
    for seat in state["seats"]:
        held = [str(seat["seats"])] if copies else []
        table.add_row(seat["player"], *held, share_text(seat), points_text(seat))
    return Group(Text(headline, style="bold"), table, *([Text(test_text(match.test))] if match.test else []))


def share_text(seat: Mapping[str, Any]) -> str:
    """The share of first places with its interval: `57.1% (54.0-60.2)`."""
    if seat["first_share"] is None:
        return ""
    low, high = seat["first_interval"]
    return f"{seat['first_share']:.1%} ({100 * low:.1f}-{100 * high:.1f})"


def points_text(seat: Mapping[str, Any]) -> str:
    """The mean points with their interval, where it is known: `21.30 (20.84 to 21.76)`."""
    if seat["score"] is None:
        return ""
    ends = seat["score_interval"]
    return f"{seat['score']:.2f}" + (f" ({ends[0]:.2f} to {ends[1]:.2f})" if ends else "")


def test_text(test: SequentialTest) -> str:
    """The log-likelihood ratio between its bounds, and what it says."""
    asked, (low, high) = test.hypotheses, test.hypotheses.bounds
    ratio = f"log-likelihood ratio {test.ratio:.2f} ({low:.2f} to {high:.2f})"
    decision = f"{test.decision} accepted" if test.decision else "not decided yet"
    return f"SPRT of {asked.elo0:g} and {asked.elo1:g} Elo: {ratio}, {decision}"
