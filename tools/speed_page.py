"""The tables of docs/speed.md, from what `garden-ai bench` and the scripts of benchmarks/ have kept in benchmarks/results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tables import number, origin, results, table, with_spread

from garden_ai.games import definition

Rows = Mapping[str, Mapping[str, Any]]
Column = tuple[str, str, str]  # its header, the row of the bench, the figure

SEARCHES: Sequence[Column] = (
    ("random playouts", "playout", "playouts_per_second"),
    ("playouts by policy", "policy-playout", "playouts_per_second"),
    ("MCTS, default settings", "mcts", "simulations_per_second"),
    ("MCTS, random playouts", "mcts-random", "simulations_per_second"),
    ("halving", "halving", "simulations_per_second"),
    ("expectimax: nodes", "expectimax", "nodes_per_second"),
)
PARTS: Sequence[Column] = (
    ("copies", "copy", "copies_per_second"),
    ("time by a bare `memcpy`'s", "copy", "ratio_to_memcpy"),
    ("`State.copy()` in Python", "python-copy", "copies_per_second"),
    ("lists of legal moves", "legal", "lists_per_second"),
    ("keys", "key", "keys_per_second"),
    ("redeals, a copy each", "redeal", "redeals_per_second"),
)
THREADS: Sequence[Column] = (
    ("one thread", "threads", "simulations_per_second"),
    ("two threads", "threads", "simulations_per_second_with_2_threads"),
    ("ratio", "threads", "ratio_of_2_threads_to_1"),
)
MEMORY: Sequence[Column] = (
    ("bytes of a state", "memory", "state_bytes"),
    ("nodes of the tree", "memory", "tree_nodes"),
    ("bytes of the tree", "memory", "tree_bytes"),
    ("bytes a simulation", "memory", "bytes_per_simulation"),
)


def blocks() -> dict[str, str]:
    """Every table of the page, by the name of its place."""
    speed = results("speed")
    return {
        "searches": _bench(speed, SEARCHES),
        "parts": _bench(speed, PARTS),
        "threads": _bench(speed, THREADS),
        "memory": _bench(speed, MEMORY),
        "yardstick": _yardstick(results("yardstick")),
        "decisions": _decisions(results("decisions")),
        "against": _against(results("against")),
    }


def _bench(answer: Mapping[str, Any], columns: Sequence[Column]) -> str:
    """A line for every game and number of players, a column for each figure."""
    if not answer:
        return _missing("speed", "garden-ai bench --out benchmarks/results/speed.json")
    rows: Rows = {row["name"]: row for row in answer["results"]}
    games = dict.fromkeys(name.split("/", 1)[1] for name in rows)
    lines = [
        [_game(game), *(with_spread(rows.get(f"{what}/{game}", {}), figure) for _, what, figure in columns)] for game in games
    ]
    return table(["game, players", *(header for header, _, _ in columns)], lines) + "\n\n" + origin(answer)


def _yardstick(answer: Mapping[str, Any]) -> str:
    if not answer:
        return _missing("yardstick", "python benchmarks/yardstick.py --out benchmarks/results/yardstick.json")
    lines = []
    for row in answer["results"]:
        what, game = row["name"].split("/", 1)
        options = "".join(f", {name} {value}" for name, value in row["options"].items())
        lines.append([
            _game(game) + options, _work(what), with_spread(row, "per_second"), with_spread(row, "yardstick_per_second"),
            with_spread(row, "ratio_to_yardstick"),
        ])
    header = ["game, players", "what", "ours a second", "the yardstick's games a second", "ratio"]
    return table(header, lines) + "\n\n" + origin(answer)


def _decisions(answer: Mapping[str, Any]) -> str:
    if not answer:
        return _missing("decisions", "python benchmarks/decisions.py --out benchmarks/results/decisions.json")
    figures = {
        "decisions a second": "decisions_per_second", "times the yardstick's": "ratio_to_yardstick",
        "times the slow reference's": "ratio_to_reference",
    }
    lines = [
        [_game(row["name"].split("/", 1)[1]), *(with_spread(row, figure) for figure in figures.values())]
        for row in answer["results"]
    ]
    return table(["game, players", *figures], lines) + "\n\n" + origin(answer)


def _against(answer: Mapping[str, Any]) -> str:
    """Other programs: a table for each kind of row, with whatever figures they have."""
    if not answer:
        return _missing("against", "python benchmarks/against.py --out benchmarks/results/against.json")
    kinds: dict[str, list[Mapping[str, Any]]] = {}
    for row in answer["results"]:
        kinds.setdefault(row["name"].split("/")[0], []).append(row)
    return "\n\n".join([*map(_kind, kinds.values()), origin(answer)])


def _kind(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows that are of one kind and so have about the same figures."""
    figures = list(dict.fromkeys(name for row in rows for name in row if name != "name" and not name.endswith("_spread")))
    lines = [[row["name"], *(_cell(row, figure) for figure in figures)] for row in rows]
    return table(["what", *(figure.replace("_", " ") for figure in figures)], lines)


def _cell(row: Mapping[str, Any], figure: str) -> str:
    value = row.get(figure)
    if value is None or isinstance(value, (str, bool)):
        return "" if value is None else str(value)
    if isinstance(value, list):
        return " to ".join(number(end) if isinstance(end, (int, float)) else str(end) for end in value)
    return with_spread(row, figure)


def _game(suffix: str) -> str:
    """`leelawadee/2` as people read it."""
    name, players = suffix.split("/")
    return f"{definition(name).title}, {players}"


def _work(what: str) -> str:
    kind, _, simulations = what.rpartition("-")
    return "random playouts" if what == "playout" else f"{kind.replace('mcts-random', 'MCTS')}, {int(simulations):,} simulations"


def _missing(name: str, command: str) -> str:
    return f"Not measured yet: `{command}` makes `benchmarks/results/{name}.json`."
