"""The tables of docs/strength.md, from the games' levels and from what the scripts of tools/ have kept in benchmarks/results."""

from __future__ import annotations

import json
from typing import Any

from odds_tables import odds
from tables import RESULTS, results, table

from garden_ai.games import definition, names


def blocks() -> dict[str, str]:
    """Every table of the page, by the name of its place."""
    return {"levels": _levels(), "ladders": _ladders(), "odds": odds()}


def _levels() -> str:
    """A table a game: how each level plays, and how strong it was found to be."""
    parts = []
    for name in names():
        file = definition(name).levels_file
        content = json.loads(file.read_text(encoding="utf-8")) if file is not None else {"levels": []}
        made = content["measured"]
        rows = [[row["name"], _plays(row), f"{row['elo']:,}", _range(row["interval"]), *_step(row)] for row in content["levels"]]
        header = ["level", "plays", "Elo", "95% interval", "above the one before", "95% interval"]
        parts.append(
            f"**{definition(name).title}**, {made['players']} players, {made['games']:,} games "
            f"(`{made['command']}`: {made['date']}, commit {made['commit']})\n\n{table(header, rows)}"
        )
    return "\n\n".join(parts)


def _plays(row: dict[str, Any]) -> str:
    parts = [row["engine"]]
    parts += [f"{row['simulations']:,} simulations"] if "simulations" in row else []
    parts += [f"slips of {row['slip']:g}"] if "slip" in row else []
    return ", ".join(parts)


def _step(row: dict[str, Any]) -> list[str]:
    return [f"{row['above']:,}", _range(row["above_interval"])] if "above" in row else ["", ""]


def _range(ends: list[float]) -> str:
    return f"{ends[0]:,.0f} to {ends[1]:,.0f}"


def _ladders() -> str:
    """The picture of every ladder, and how often each first was first."""
    found = [results(file.stem, "engines") for file in sorted(RESULTS.glob("ladder-*.json"))]
    parts = []
    for one in found:
        title, players = definition(one["game"]).title, one["players"]
        parts.append(
            f"![{title}, {players} players: ratings and their intervals](images/ladder-{one['game']}-{players}.svg)\n\n"
            f"`{one['command']}`: {one['date']}, commit {one['commit']}, {one['games']:,} games of {one['deals']:,} deals."
        )
    return "\n\n".join(parts) or "Not yet measured."
