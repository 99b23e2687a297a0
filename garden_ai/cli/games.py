"""`garden-ai games`: the games, their players and options, and what of their components is printed or assumed."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from garden_ai.cli.arguments import Json
from garden_ai.cli.output import print_json, show
from garden_ai.components import Standing, read_components
from garden_ai.games import GameDefinition, Option, definition, names


def command(json: Json = False) -> None:
    """List the games, their players and options, and what is printed and what assumed."""
    games = [definition(name) for name in names()]
    if json:
        print_json([as_dict(game) for game in games])
    else:
        show(*(described(game) for game in games))


def as_dict(game: GameDefinition) -> dict[str, Any]:
    """One entry of the list that `--json` prints."""
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "players": list(game.players),
        "options": [
            {"name": option.name, "default": option.default, "help": option.help, **_values(option)}
            for option in game.options
        ],
        "components": [
            {"table": part.table, "standing": part.standing, "note": part.note, "values": dict(part.values)}
            for part in read_components(game).standings
        ],
    }


def _values(option: Option) -> dict[str, Any]:
    return {"choices": list(option.choices)} if option.choices else {"low": option.low, "high": option.high}


def described(game: GameDefinition) -> RenderableType:
    """The same for people; of the components all that is assumed with its values, so that owners of a copy can look."""
    players = f"{game.players[0]}-{game.players[-1]}" if len(game.players) > 1 else f"{game.players[0]}"
    standings = read_components(game).standings
    printed = ", ".join(part.table for part in standings if part.standing == "printed")
    return Group(
        Text.assemble((game.title, "bold"), f"  (`{game.name}`, {players} players)"),
        Padding(Text(game.summary), (0, 0, 0, 2)),
        Padding(
            _table(
                "option",
                [(_choices(option), f"{option.help}; {_word(option.default)} by default") for option in game.options],
            ),
            (0, 0, 0, 2),
        ),
        Padding(
            _table(
                "components",
                [
                    ("printed", printed or "nothing"),
                    *(
                        ("assumed", f"{part.table}: {_contents(part)}")
                        for part in standings
                        if part.standing == "assumed"
                    ),
                ],
            ),
            (0, 0, 0, 2),
        ),
    )


def _table(title: str, rows: list[tuple[str, str]]) -> Table:
    table = Table(box=None, show_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(title, no_wrap=True)
    table.add_column()
    for name, text in rows:
        table.add_row(Text(name), Text(text))
    return table


def _choices(option: Option) -> str:
    return f"{option.name}=" + ("|".join(map(_word, option.choices)) or f"{option.low}..{option.high}")


def _contents(part: Standing) -> str:
    values = ", ".join(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in part.values.items())
    return f"{values} ({part.note})" if part.note else values


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
