"""`garden-ai play`: a game against the computer, or between engines where no person sits at the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from garden_core.fields import FieldError
from garden_core.state import Game

from garden_ai.cli.arguments import (
    ComponentsFile,
    GameName,
    Level,
    Options,
    Players,
    Seconds,
    Seed,
    Simulations,
    Threads,
    chosen_seed,
    load_game,
)
from garden_ai.cli.table import HUMAN, Seat, Table
from garden_ai.cli.thinking import named_player, usual_player
from garden_ai.files import write_text
from garden_ai.players import Player, levels
from garden_ai.record import Record, check_target, read_record
from garden_ai.search import ENGINES

# Thinking time of a turn: a person waits for an opponent worth it; engines alone should be done in seconds.
SECONDS_WITH_HUMAN = 1.0
SECONDS_ALONE = 0.1

Seats = Annotated[
    list[str] | None,
    typer.Option(
        "--seat",
        metavar="WHO",
        help="Who sits there, in seat order: human, or an engine with settings, "
        "'ENGINE key=value ...'. By default a person at seat 0, if there is a terminal.",
    ),
]
RecordFile = Annotated[
    Path | None, typer.Option("--record", metavar="FILE", help="Write the record of the game there.")
]
Resume = Annotated[Path | None, typer.Option("--resume", metavar="FILE", help="Go on with the game of this record.")]


def command(
    game: GameName,
    players: Players = None,
    option: Options = None,
    seed: Seed = None,
    seat: Seats = None,
    level: Level = None,
    seconds: Seconds = None,
    simulations: Simulations = None,
    threads: Threads = 1,
    record: RecordFile = None,
    resume: Resume = None,
    components: ComponentsFile = None,
) -> None:
    """Play a game; type `help` when it is your turn."""
    played = (
        resumed(resume, game, players, option, components)
        if resume
        else begun(load_game(game, players, option, components), chosen_seed(seed))
    )
    words = seat_words(seat, played.game.players)
    if resume and not seat and played.names is not None:
        words = [resumed_word(name, played.game.name, level, word) for name, word in zip(played.names, words, strict=True)]
    alone = HUMAN not in words
    usual = usual_player(played.game.name, level, seconds, simulations, threads, SECONDS_ALONE if alone else SECONDS_WITH_HUMAN)
    seats = seat_all(words, played.game.name, usual)
    played.names = tuple(sitting.name for sitting in seats)

    def keep() -> None:
        if record is not None:
            write_text(record, played.text())

    if record is not None:
        check_target("--record", record)
    keep()
    table = Table(played, seats, usual, chosen_seed(seed) if played.seed is None else played.seed, keep)
    try:
        table.play()
    finally:
        keep()


def begun(game: Game, seed: int) -> Record:
    """The record of a game of which nothing is played yet."""
    return Record(game.start(), seed=seed)


def resumed(
    file: Path, game: str, players: int | None, options: Sequence[str] | None, components: Path | None
) -> Record:
    """The record to go on with."""
    if players is not None or options:
        raise FieldError("--resume", "the record says how many play and with which options; leave them out")
    record = read_record(file, components)
    if record.game.name != game:
        raise FieldError(str(file), f"expected a record of {game}; got one of {record.game.name}")
    return record


def seat_words(given: Sequence[str] | None, players: int) -> list[str]:
    """What --seat says of every seat; an empty text for one that takes the usual engine."""
    words = [word.strip() for word in given or []]
    if len(words) > players:
        raise FieldError("--seat", f"expected at most {players}, one a player; got {len(words)}")
    if not all(words):
        raise FieldError("--seat", "expected human or an engine; got ''")
    if not words and sys.stdin is not None and sys.stdin.isatty():
        words = [HUMAN]
    return words + [""] * (players - len(words))


def resumed_word(name: str, game: str, level: str | None, usual: str) -> str:
    """What stands for --seat where a record is resumed, from the name in it; `usual` where the name says nothing."""
    if name in ("you", HUMAN):
        return HUMAN
    if name in ENGINES or name in levels(game):
        return name if level is None else ""  # --level says how the computer plays from here on
    return usual


def seat_all(words: Sequence[str], game: str, usual: Player) -> list[Seat]:
    """A seat for each of them."""
    seats = []
    for word in words:
        if word == HUMAN:
            seats.append(Seat("you" if words.count(HUMAN) == 1 else HUMAN, None))
        else:
            thinker = named_player("--seat", word, game, usual) if word else usual
            seats.append(Seat(word if word in levels(game) else thinker.engine, thinker))
    return seats
