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
        refused: list[str] = []
        meant: list[str] = []  # what was refused by the one that the move's words belong to
        while True:
            try:
                action = notation.parse(state, move)
                break
            except ValueError as error:
                refused.append(str(error))
                if is_meant(notation, state, move):
                    meant.append(str(error))
            if state.actor != ACTORS["chance"] or seed is None:
                # both are said only where the words tell nothing, and once where chance and player refuse alike
                told = meant[:1] or dict.fromkeys((refused[0], refused[-1]))
                raise FieldError(f"move {number}", "; then ".join(told))
            draw()
        state.apply(action)
    while state.actor == ACTORS["chance"] and seed is not None:
        draw()


def is_meant(notation: Notation, state: State, move: str) -> bool:
    """Whether a move that is refused looks like one of the actor's: a word of it stands in what is possible."""
    if state.actor == ACTORS["chance"]:
        drawn = notation.format(state, state.copy().draw(0))
        return move.lower().split()[0] == drawn.lower().split()[0]
    if state.actor == ACTORS["over"]:
        return False
    words = {word for action in state.legal_actions().tolist() for word in notation.format(state, action).lower().split()}
    return not words.isdisjoint(move.lower().split())
