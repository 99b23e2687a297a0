"""`garden-ai legal`: the legal moves of a position."""

from __future__ import annotations

from garden_core.state import State
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from garden_ai.cli.arguments import ComponentsFile, Json, PositionFile
from garden_ai.cli.output import print_json, show
from garden_ai.games import definition
from garden_ai.position import ACTORS, actor_name
from garden_ai.record import read_state

SHOWN_OUTCOMES = 12


def command(position: PositionFile, components: ComponentsFile = None, json: Json = False) -> None:
    """List the legal moves."""
    _, state = read_state(position, components)
    if json:
        print_json({"to_move": actor_name(state.actor), "moves": legal_moves(state)})
    elif state.actor >= 0:
        moves = legal_moves(state)
        show(Text(f"player {state.actor} has {len(moves)} legal move{'s' if len(moves) != 1 else ''}"), grouped(moves))
    else:
        show(Text(nobody_moves(state)))


def legal_moves(state: State) -> list[str]:
    """The legal moves in notation; none where chance is to move or the game is over."""
    notation = definition(state.game.name).notation
    return [notation.format(state, int(action)) for action in state.legal_actions()]


def grouped(moves: list[str]) -> Padding:
    """Moves gathered by all but their last word: `red  a1 b1 c2`."""
    groups: dict[str, list[str]] = {}
    for move in moves:
        beginning, _, last = move.rpartition(" ")
        groups.setdefault(beginning, []).append(last)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for beginning, ends in groups.items():
        table.add_row(Text(beginning, style="bold"), Text(" ".join(ends)))
    return Padding(table, (0, 0, 0, 2))


def nobody_moves(state: State) -> str:
    """Why no player has a move, with some of the outcomes where chance has."""
    if state.actor != ACTORS["chance"]:
        return "the game is over"
    outcomes = state.outcomes()
    if outcomes is None:
        return "chance is to move"
    notation = definition(state.game.name).notation
    shown = [notation.format(state, int(outcome)) for outcome in outcomes[0][:SHOWN_OUTCOMES]]
    more = ", ..." if len(outcomes[0]) > len(shown) else ""
    return f"chance is to move; {len(outcomes[0])} possible: {', '.join(shown)}{more}"
