"""Which player thinks and for how long: what --engine, --level, --seconds, --simulations and --seat say."""

from __future__ import annotations

from dataclasses import replace

from garden_ai.cli.arguments import check_limits
from garden_ai.players import Player, level, parse_player
from garden_ai.search import DEFAULT_ENGINE


def usual_player(
    game: str, named: str | None, seconds: float | None, simulations: int | None, threads: int, usual_seconds: float
) -> Player:
    """The player of a command's own options, `named` its level; it thinks `usual_seconds` where nothing sets a limit."""
    check_limits(seconds, simulations, threads)
    unlimited = seconds is None and simulations is None
    if named is None:
        return Player(DEFAULT_ENGINE, usual_seconds if unlimited else seconds, simulations, threads)
    found = replace(level(game, named, "--level"), threads=threads)
    return found if unlimited else replace(found, seconds=seconds, simulations=simulations)


def named_player(flag: str, words: str, game: str, usual: Player) -> Player:
    """The player that `ENGINE key=value ...` or a level's name says. Raises `FieldError`."""
    player = parse_player(words, game, usual, flag)
    check_limits(player.seconds, player.simulations, player.threads)
    return player
