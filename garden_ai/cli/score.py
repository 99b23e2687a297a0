"""`garden-ai score`: the points so far, by component."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from garden_core.state import State
from rich import box
from rich.table import Table

from garden_ai.cli.arguments import ComponentsFile, Json, PositionFile
from garden_ai.cli.output import print_json, show
from garden_ai.position import ACTORS
from garden_ai.record import plain_number, read_state


def command(position: PositionFile, components: ComponentsFile = None, json: Json = False) -> None:
    """Print the points so far by component, and whether they are final."""
    _, state = read_state(position, components)
    if json:
        print_json(as_dict(state))
    else:
        show(score_table(state))


def as_dict(state: State) -> dict[str, Any]:
    """What `--json` prints."""
    return {
        "final": state.actor == ACTORS["over"],
        "scores": [plain_number(score) for score in state.scores()],
        "components": [{name: plain_number(points) for name, points in parts.items()} for parts in state.components()],
        "placing": state.placing(),
    }


def score_table(state: State, names: Sequence[str] | None = None) -> Table:
    """A column a player, named if names are given, a row for each component that brought or cost anybody something."""
    final = state.actor == ACTORS["over"]
    table = Table(
        box=box.SIMPLE_HEAD,
        title="final scores" if final else "points so far",
        title_justify="left",
        title_style="bold",
    )
    table.add_column("")
    for player in range(state.game.players):
        table.add_column(f"player {player}" + (f"\n{names[player]}" if names else ""), justify="right")
    parts = state.components()
    for name in state.game.component_names:
        if any(own[name] for own in parts):
            table.add_row(name, *(_points(own[name]) for own in parts))
    table.add_section()
    table.add_row("points", *(f"{plain_number(score)}" for score in state.scores()), style="bold")
    if state.game.players > 1:
        table.add_row("place", *(f"{place}" for place in state.placing()))
    return table


def _points(points: float) -> str:
    return f"{plain_number(points)}" if points else "."
