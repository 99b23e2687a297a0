"""`garden-ai show`: a picture of a position, or of the last state of a record."""

from __future__ import annotations

from typing import Annotated

import typer

from garden_ai.cli.arguments import ComponentsFile, PositionFile
from garden_ai.cli.output import show
from garden_ai.record import read_state

ALL = -2

Everything = Annotated[bool, typer.Option("--all", help="Show what is hidden from the player to move, too.")]


def command(position: PositionFile, everything: Everything = False, components: ComponentsFile = None) -> None:
    """Draw a position as the player to move sees it."""
    game, state = read_state(position, components)
    # where chance is to move its number is that of the public view, and at the end that of everything
    show(game.picture(state.game, state.view(ALL if everything else state.actor)))
