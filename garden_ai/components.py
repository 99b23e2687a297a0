"""Reading a component file: TOML whose every table says whether its values are printed or assumed.

A `standing` ("printed" or "assumed") and a `note` may stand in every table; they are for people and are taken out
before the game sees the rest.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from garden_core.fields import FieldError
from garden_core.fields import text as check_text

from garden_ai.games.definition import GameDefinition

STANDINGS = ("printed", "assumed")


@dataclass(frozen=True)
class Standing:
    """Whether one table of a component file is printed or assumed."""

    table: str
    standing: str
    note: str
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Components:
    """A component file as read: `data` for the game, `standings` for people."""

    file: Path
    text: str
    data: dict[str, Any]
    standings: tuple[Standing, ...]

    def placed(self, error: FieldError) -> FieldError:
        """What is wrong with the components, with file and line; other errors as they are."""
        return placed(self.file, self.text, error) if re.split(r"[.\[]", error.path)[0] in self.data else error


def read_components(game: GameDefinition, file: str | Path | None = None) -> Components:
    """The components of a game, its own or those of a user's file.

    Raises `FieldError`, with the file and line, where the file is not TOML or does not describe the game's components.
    """
    path = Path(file) if file is not None else game.components_file
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FieldError(str(path), f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        written = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FieldError(str(path), f"is not TOML: {error}") from None
    except RecursionError:
        raise FieldError(str(path), "is not a component file: nested too deeply") from None
    standings: list[Standing] = []
    try:
        data = _take_out_standings("", written, standings)
        game.check_components(data)
    except FieldError as error:
        raise placed(path, text, error) from None
    return Components(path, text, data, tuple(standings))


def placed(file: Path, text: str, error: FieldError) -> FieldError:
    """An error in a component file with the file and its line."""
    return FieldError(f"{file}:{line_of(text, error.path)}", f"{error.path}: {error.expected}")


def _take_out_standings(path: str, table: Mapping[str, Any], standings: list[Standing]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    own: dict[str, Any] = {}
    for name, value in table.items():
        inner = f"{path}.{name}" if path else name
        if name in ("standing", "note"):
            if name == "note":
                check_text(inner, value)
            continue
        if isinstance(value, Mapping):
            values[name] = _take_out_standings(inner, value, standings)
        elif isinstance(value, list) and value and all(isinstance(entry, Mapping) for entry in value):
            values[name] = [_take_out_standings(f"{inner}[{i}]", entry, standings) for i, entry in enumerate(value)]
        else:
            values[name] = own[name] = value
    if own:
        if table.get("standing") not in STANDINGS:
            where = f"{path}.standing" if "standing" in table and path else path or "file"
            raise FieldError(where, 'expected standing = "printed" or "assumed" in every table')
        standings.append(Standing(path, table["standing"], table.get("note", ""), own))
    return values


def line_of(text: str, path: str) -> int:
    """The line of a TOML text where a path like `a.b[1].c[0]` is set, or the nearest line above it, or the first of
    what it holds; 1 at worst.
    """
    best = (0, 0)
    inside = 0   # the first line of what the path holds
    table = ""
    counts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*(\[{1,2})\s*([^\[\]]+?)\s*\]{1,2}", line)
        assignment = re.match(r"\s*([\w\"'.-]+)\s*=", line)
        if header:
            table = header[2]
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = f"{table}[{counts[table]}]"
            here = table
        elif assignment:
            name = assignment[1].strip("\"'")
            here = f"{table}.{name}" if table else name
        else:
            continue
        matches = path == here or path.startswith((here + ".", here + "["))
        if matches and len(here) > best[0]:
            best = (len(here), number)
        if not inside and here.startswith((path + ".", path + "[")):
            inside = number
    return best[1] or inside or 1
