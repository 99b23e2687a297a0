"""Connect Four as garden_ai sees a game, from outside the package; its rules are built when this is imported.

`garden_ai.games.register(connect_four.DEFINITION)` makes it known. A move is the letter of its column, `a` to `g`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from building import import_module
from garden_core.state import Game, State
from rich.text import Text

from garden_ai.games import GameDefinition

HERE = Path(__file__).resolve().parent
COLUMNS = "abcdefg"

rules = import_module("connect_four_rules", HERE)


class ColumnNotation:
    """The letter of the column."""

    def format(self, state: State, action: int) -> str:
        return COLUMNS[action]

    def parse(self, state: State, text: str) -> int:
        column = COLUMNS.find(text.strip().lower()) if len(text.strip()) == 1 else -1
        if column < 0 or not state.is_legal(column):
            free = ", ".join(COLUMNS[action] for action in state.legal_actions().tolist())
            raise ValueError(f"{text.strip()!r}: expected one of {free}")
        return column


def picture(game: Game, view: Mapping[str, Any]) -> Text:
    """The board, its columns named below."""
    return Text("\n".join(" ".join(row) for row in [*view["board"], COLUMNS]))


def state_schema() -> dict[str, Any]:
    """The fields of a state."""
    row = {"type": "string", "pattern": "^[xo.]{7}$"}
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["board"],
        "properties": {
            "to_move": {"type": "integer", "enum": [0, 1, -2], "description": "-2: the game is over"},
            "board": {"type": "array", "items": row, "minItems": 6, "maxItems": 6, "description": "rows from the top"},
        },
    }


DEFINITION = GameDefinition(
    name="connect_four",
    title="Connect Four",
    summary="four in a row; the game of the comparison with other engines",
    players=(2,),
    options=(),
    components_file=HERE / "connect_four.toml",
    load=rules.load,
    check_components=rules.check_components,
    notation=ColumnNotation(),
    picture=picture,
    phrases=lambda game, component: f"the {component}",
    events=lambda game, before, after, player: (),
    state_schema=state_schema,
    example={"board": [".......", ".......", "...o...", "...x...", "...o...", "..xxo.."]},
)
