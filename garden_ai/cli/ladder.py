"""`garden-ai ladder`: how strong engines and levels of a game are, as ratings with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from garden_core.fields import FieldError

from garden_ai.arena.ladder import ALWAYS, play_ladder, usual_pool
from garden_ai.arena.match import Deal, GameChoice
from garden_ai.arena.standing import Ladder, ladder_dict, ladder_of
from garden_ai.arena.workers import Workers
from garden_ai.cli import arguments
from garden_ai.cli.arena import deals_for, report_stop, table_words, usual_limits, watched, workers_of
from garden_ai.cli.arguments import (
    ComponentsFile,
    GameName,
    Games,
    Json,
    Options,
    Players,
    ResultsPath,
    Scheduler,
    Seconds,
    Seed,
    Simulations,
    load_game,
)
from garden_ai.cli.output import print_json, show, svg_of
from garden_ai.cli.ratings import RatingsPicture
from garden_ai.cli.thinking import named_player
from garden_ai.files import check_place, write_text
from garden_ai.players import Player

LIVE_RESAMPLES = 40  # enough to see how sure a rating is while deals are played

Engines = Annotated[
    list[str] | None,
    typer.Option(
        "--engine",
        metavar="WORDS",
        help="Rate this engine or level, 'ENGINE key=value ...', beside random, greedy and halving; "
        "may be given several times. Without any the game's levels are rated.",
    ),
]
SvgFile = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write the picture as an SVG, too.")]


def command(
    game: GameName,
    players: Players = None,
    engine: Engines = None,
    games: Games = 1000,
    option: Options = None,
    seed: Seed = 1,
    seconds: Seconds = None,
    simulations: Simulations = None,
    workers: arguments.Workers = None,
    scheduler: Scheduler = None,
    results: ResultsPath = None,
    svg: SvgFile = None,
    components: ComponentsFile = None,
    json: Json = False,
) -> None:
    """Rate the levels of a game, or other engines, by games between them.

    Engines that set no limit think for --seconds or --simulations, 1000 simulations without either.
    """
    from garden_ai.arena.results import ResultsFile, header_of  # here, since what they need takes a while to load

    loaded = load_game(game, players, option, components)
    choice = GameChoice(game, loaded.players, dict(loaded.options), components)
    pool = chosen_pool(game, engine, usual_limits(seconds, simulations))
    count = deals_for(games, choice.players)
    seed = 1 if seed is None else seed
    if svg is not None:
        check_svg(svg)
    with ResultsFile(results, header_of(choice, pool, (), seed)) if results else nullcontext() as kept:
        deals = kept.deals[:count] if kept else []
        interrupted = False
        try:
            with workers_of(workers, scheduler) as playing:
                play(choice, pool, count, seed, playing, deals, kept.add if kept else None, wanted=not json)
        except KeyboardInterrupt:
            interrupted = True
    ladder = ladder_of(pool, deals)
    drawn = picture(choice, ladder)
    if svg is not None:
        write_text(svg, svg_of(drawn, f"garden-ai ladder {game} --players {choice.players}", f"{game}-{choice.players}"))
    if json:
        print_json(ladder_dict(choice, seed, ladder))
    else:
        show(drawn)
    if interrupted:
        report_stop(len(deals), count, results)
        raise KeyboardInterrupt


def check_svg(file: Path) -> None:
    """Raises `FieldError` where the picture would take the place of something else, or could not be written after all."""
    if file.is_file() and file.stat().st_size and b"<svg" not in file.read_bytes()[:200]:
        raise FieldError("--svg", f"{file} exists and is no SVG; expected a new file or an SVG")
    check_place("--svg", file)


def chosen_pool(game: str, words: Sequence[str] | None, usual: Player) -> dict[str, Player]:
    """Who is rated, by name: those who always are, and the engines of these words or else the game's levels."""
    pool = usual_pool(game, usual)
    if words is None:
        return pool
    pool = {name: pool[name] for name in ALWAYS}
    for text in words:
        name = " ".join(text.split())
        if name in pool:
            raise FieldError("--engine", f"expected each player once, {', '.join(ALWAYS)} being there; got {name!r} again")
        pool[name] = named_player("--engine", name, game, usual)
    return pool


def play(
    choice: GameChoice, pool: Mapping[str, Player], count: int, seed: int, workers: Workers, deals: list[Deal],
    keep: Callable[[Deal], None] | None, wanted: bool,
) -> None:
    """Plays until there are `count` deals, showing how it stands where somebody is `wanted` to look on; `deals` gathers them."""

    def standing() -> RatingsPicture:
        return picture(choice, ladder_of(pool, deals, LIVE_RESAMPLES))

    with watched(count, len(deals), wanted, standing) as tell:

        def heard(deal: Deal) -> None:
            if keep:
                keep(deal)
            deals.append(deal)
            if tell:
                tell()

        play_ladder(choice, pool, count, seed, workers, tuple(deals), heard)


def picture(choice: GameChoice, ladder: Ladder) -> RatingsPicture:
    """How it stands, with what was played."""
    return RatingsPicture(ladder, f"{table_words(choice)}: {ladder.games} games of {ladder.deals} deals")
