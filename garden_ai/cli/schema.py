"""`garden-ai schema`: JSON Schema of the files that people write."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from garden_core.fields import one_of

from garden_ai.cli.arguments import GameName
from garden_ai.cli.output import print_text
from garden_ai.games import definition
from garden_ai.position import position_schema
from garden_ai.record import record_schema

KINDS = {"position": position_schema, "record": record_schema}

Kind = Annotated[str, typer.Argument(metavar="KIND", help="position, or record (the schema of one of its lines).")]


def command(kind: Kind, game: GameName) -> None:
    """Print the JSON Schema of a position, or of a line of a record."""
    made = KINDS[one_of("KIND", kind, list(KINDS))]
    print_text(json.dumps(made(definition(game)), indent=2, ensure_ascii=False))
