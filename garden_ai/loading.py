"""`load`: a game by its name, with players, options and components."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from garden_core.fields import FieldError
from garden_core.state import Game

from garden_ai.components import read_components
from garden_ai.games import definition


def load(name: str, players: int | None = None, components: str | Path | None = None, **options: Any) -> Game:
    """The game `name` for `players` (the fewest by default), with options as its definition lists them.

    `components` is a TOML file that takes the place of the game's own. Loading the same again gives the same object.
    Raises `FieldError` (a `ValueError`) that names what is wrong and what was expected.
    """
    game = definition(name)
    count = game.players[0] if players is None else players
    if isinstance(count, bool) or count not in game.players:
        expected = (
            f"expected {game.players[0]}..{game.players[-1]} for {name}"
            if len(game.players) > 1
            else (f"expected {game.players[0]} for {name}")
        )
        raise FieldError("players", f"{expected}; got {count!r}")
    for option in options:
        game.option(option)
    read = read_components(game, components)
    try:
        return game.load(count, options, read.data)
    except FieldError as error:   # a file may be right and yet not enough for so many players
        raise read.placed(error) from None
