"""`garden-ai apply`: the position after some moves; chance is drawn wherever no outcome is named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

import typer
from garden_core.fields import FieldError
from garden_core.state import State

from garden_ai.cli.arguments import ComponentsFile, Json, PositionFile, Seed, chosen_seed
from garden_ai.cli.output import print_json, print_text
from garden_ai.games import Notation
from garden_ai.position import ACTORS, position_dict, position_text
from garden_ai.record import event_seed, read_state

Moves = Annotated[
    list[str] | None,
    typer.Argument(metavar="MOVE...", help="Moves in notation, each in quotes, or several in one, separated by ; or ,"),
]
NoDraw = Annotated[bool, typer.Option("--no-draw", help="Leave chance open: draw nothing that is not named.")]


def command(
    position: PositionFile,
    moves: Moves = None,
    seed: Seed = None,
    no_draw: NoDraw = False,
    components: ComponentsFile = None,
    json: Json = False,
) -> None:
    """Print the position after some moves and what chance brings up to the next decision."""
    game, state = read_state(position, components)
    play_moves(game.notation, state, split(moves or []), None if no_draw else chosen_seed(seed))
    if json:
        print_json(position_dict(state))
    else:
        print_text(position_text(state))


def split(arguments: Sequence[str]) -> list[str]:
    """The moves of the arguments, several of which may stand in one."""
    return [move.strip() for argument in arguments for move in re.split(r"[;,]", argument) if move.strip()]


def play_moves(notation: Notation, state: State, moves: Sequence[str], seed: int | None) -> None:
    """Applies moves; chance, where none is named, is drawn with the seed, or left open without one."""
    drawn = 0

    def draw() -> None:
        nonlocal drawn
        if seed is not None:
            state.draw(event_seed(seed, drawn))
            drawn += 1

    for number, move in enumerate(moves, 1):
        refused = []
        while True:
            try:
                action = notation.parse(state, move)
                break
            except ValueError as error:
                refused.append(str(error))
            if state.actor != ACTORS["chance"] or seed is None:
                # said once where chance and player refuse alike
                raise FieldError(f"move {number}", "; then ".join(dict.fromkeys((refused[0], refused[-1]))))
            draw()
        state.apply(action)
    while state.actor == ACTORS["chance"] and seed is not None:
        draw()
