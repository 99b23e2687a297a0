"""What a game's `levels.json` keeps of measurements: its levels and its odds, a row each. Only those who measure write there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from garden_core.fields import FieldError

from garden_ai.files import parse_json, read_text
from garden_ai.games import definition
from garden_ai.provenance import write_figures

FOUND = ("elo", "interval", "above", "above_interval")  # of a level, by measuring; the rest of its row is how it plays


def measured_file(game: str) -> Path:
    """The file of a game. Raises `FieldError` where its definition names none."""
    file = definition(game).levels_file
    if file is None:
        raise FieldError(game, "expected a game that keeps what is measured: its definition has no levels_file")
    return file


def keep_levels(game: str, found: Mapping[str, Mapping[str, Any]], made: Mapping[str, Any]) -> None:
    """Writes what was found of each level into its row, and how that was made. Raises `FieldError`."""
    path = measured_file(game)
    content = parse_json(read_text(path), str(path))
    rows = [{key: value for key, value in row.items() if key not in FOUND} for row in content["levels"]]
    write_figures(path, {**content, "measured": dict(made), "levels": [{**row, **found.get(row["name"], {})} for row in rows]})


def keep_rows(path: Path, key: str, rows: list[dict[str, Any]]) -> None:
    """Writes the rows under `key` anew and leaves what else the file holds as it is. Raises `FieldError`."""
    content = parse_json(read_text(path), str(path)) if path.exists() else {}
    if not isinstance(content, dict):
        raise FieldError(str(path), "expected an object")
    write_figures(path, {**content, key: rows})


def keep_row(path: Path, key: str, row: dict[str, Any], same: str) -> None:
    """Writes a row under `key`, in place of the one that has the same value of `same`, in the order of these values."""
    content = parse_json(read_text(path), str(path)) if path.exists() else {}
    others = [other for other in content.get(key, []) if other[same] != row[same]]
    keep_rows(path, key, sorted([*others, row], key=lambda other: other[same]))
