"""Positions: a state, or what one observer sees of it, as a JSON file that a person can type.

The form is in docs/positions.md. `read_position` and `build_position` read, `position_dict` and `position_text` write,
`position_schema` describes. The part `state` belongs to the game: its `fields` and `build` are the only door to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from garden_core.fields import FieldError, mapping, one_of, shown, text, whole
from garden_core.state import Game, State

from garden_ai.files import json_text, name_of, parse_json, read_text
from garden_ai.games import definition
from garden_ai.games.definition import GameDefinition
from garden_ai.loading import load

FORMAT = "garden-ai position"
VERSION = 1
FIELDS = ("format", "version", "game", "players", "options", "components", "to_move", "state")
REQUIRED = ("format", "version", "game", "players", "state")
ALL = -2
# How `to_move` writes the actors that are no player.
ACTORS = {"chance": -1, "over": -2}


def read_position(source: str | Path, components: str | Path | None = None) -> tuple[GameDefinition, State]:
    """The position in a file, or on standard input for `-`. Raises `FieldError` where anything is wrong with it."""
    return parse_position(read_text(source), name_of(source), components)


def parse_position(
    text: str, name: str = "position", components: str | Path | None = None
) -> tuple[GameDefinition, State]:
    """The position in a JSON text; `name` is what messages call it."""
    if not text.strip():
        raise FieldError(name, "is empty; expected a position")
    return build_position(parse_json(text, name), components)


def build_position(data: object, components: str | Path | None = None) -> tuple[GameDefinition, State]:
    """The position in plain data."""
    if not isinstance(data, Mapping):
        raise FieldError("position", f"expected an object with {', '.join(FIELDS)}; got {shown(data)}")
    mapping("", data, FIELDS, REQUIRED)
    one_of("format", data["format"], [FORMAT])
    one_of("version", data["version"], [VERSION])
    game = read_game(data, components)
    state = data["state"]
    if not isinstance(state, Mapping):
        raise FieldError("state", f"expected an object, the state; got {shown(state)}")
    if "to_move" in state:
        raise FieldError("state.to_move", "unknown field; to_move stands beside the state, not in it")
    fields = dict(state)
    if "to_move" in data:
        actor = one_of("to_move", data["to_move"], [*range(game.players), *ACTORS])
        fields["to_move"] = ACTORS.get(actor, actor)
    try:
        return definition(game.name), game.build(fields)
    except FieldError as error:
        raise _placed(error) from None


def state_of(data: object) -> State:
    """The state of a position in plain data."""
    return build_position(data)[1]


def _placed(error: FieldError) -> FieldError:
    """The error of a game's `build` with its place and words as in the file."""
    if error.path == "to_move":
        words = error.expected
        for name, actor in ACTORS.items():
            words = re.sub(rf"(?<![\w.-]){actor}(?![\w.])", f"'{name}'", words)
        return FieldError("to_move", words)
    return FieldError(f"state.{error.path}" if error.path else "state", error.expected)


def read_game(data: Mapping[str, Any], components: str | Path | None = None) -> Game:
    """The loaded game that the fields `game`, `players`, `options` and `components` name."""
    game = definition(text("game", data["game"]))
    players = whole("players", data["players"], min(game.players), max(game.players))
    options = mapping("options", data.get("options", {}), [option.name for option in game.options])
    loaded = load(game.name, players, components, **options)
    digest = data.get("components")
    if digest is not None and text("components", digest) != loaded.digest:
        raise FieldError(
            "components",
            f"written with components {shown(digest)}, while these are {loaded.digest!r}; "
            "expected their file with --components",
        )
    return loaded


def game_dict(game: Game) -> dict[str, Any]:
    """The fields that `read_game` reads; options at their default and the game's own components are left out."""
    found = definition(game.name)
    fields: dict[str, Any] = {"game": game.name, "players": game.players}
    options = {
        option.name: game.options[option.name]
        for option in found.options
        if game.options[option.name] != option.default
    }
    if options:
        fields["options"] = options
    if game.digest != load(game.name, game.players, **game.options).digest:
        fields["components"] = game.digest
    return fields


def actor_name(actor: int) -> int | str:
    """The actor as `to_move` writes it: a seat, "chance" or "over"."""
    return next((name for name, number in ACTORS.items() if number == actor), actor)


def position_dict(state: State, observer: int = ALL) -> dict[str, Any]:
    """What `observer` (a seat, PUBLIC or ALL) can see of a state as the plain data of a position."""
    fields = dict(state.view(observer))
    to_move = actor_name(fields.pop("to_move"))
    return {"format": FORMAT, "version": VERSION, **game_dict(state.game), "to_move": to_move, "state": fields}


def position_text(state: State, observer: int = ALL) -> str:
    """`position_dict` as JSON for people, without a newline at the end."""
    return json_text(position_dict(state, observer))


def game_schema(game: GameDefinition) -> dict[str, Any]:
    """JSON Schema of the fields that `read_game` reads, by name."""
    return {
        "game": {"const": game.name},
        "players": {"enum": list(game.players), "description": "how many play"},
        "options": {
            "type": "object",
            "description": "only those that differ from the default need be given",
            "properties": {
                option.name: _option_schema(option.default, option.choices, option.low, option.high, option.help)
                for option in game.options
            },
            "additionalProperties": False,
        },
        "components": {"type": "string", "description": "digest of a component file that is not the game's own"},
    }


def _option_schema(default: Any, choices: tuple[Any, ...], low: int, high: int, help: str) -> dict[str, Any]:
    values = {"enum": list(choices)} if choices else {"type": "integer", "minimum": low, "maximum": high}
    return {"description": help, "default": default, **values}


def position_schema(game: GameDefinition) -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a position of the game."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A position of {game.title}",
        "type": "object",
        "properties": {
            "format": {"const": FORMAT},
            "version": {"const": VERSION},
            **game_schema(game),
            "to_move": {
                "description": "the player to move, or that chance is to move, or that the game is over",
                "enum": [*range(max(game.players)), *ACTORS],
            },
            "state": game.state_schema(),
        },
        "required": list(REQUIRED),
        "additionalProperties": False,
    }
