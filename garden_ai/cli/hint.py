"""`garden-ai hint`: the best moves of a position, with their chances and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from garden_core.fields import FieldError
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from garden_ai.analysis import Analysis, Move
from garden_ai.cli.arguments import (
    ComponentsFile,
    Json,
    Level,
    PositionFile,
    Seconds,
    Seed,
    Simulations,
    Threads,
    check_limits,
    check_range,
)
from garden_ai.cli.output import print_json, show
from garden_ai.cli.thinking import named_player, usual_player
from garden_ai.position import ACTORS
from garden_ai.record import read_state
from garden_ai.turns import CHANCE

USUAL_SECONDS = 1.0
USUAL_TOP = 5
MOST_TOP = 1_000_000
MOST_LINE = 3  # moves of a line that are printed after the first, or all to the end of the turn
LEAST_SHOWN = 0.05  # points; components that round to nothing for every move are left out

Engine = Annotated[
    str | None,
    typer.Option("--engine", metavar="E", help="The engine that searches, with settings: 'ENGINE key=value ...'."),
]
Top = Annotated[int, typer.Option("--top", metavar="K", help="How many moves to print.")]


def command(
    position: PositionFile,
    engine: Engine = None,
    level: Level = None,
    seconds: Seconds = None,
    simulations: Simulations = None,
    top: Top = USUAL_TOP,
    seed: Seed = None,
    threads: Threads = 1,
    components: ComponentsFile = None,
    json: Json = False,
) -> None:
    """Print the best moves and why."""
    check_range("--top", top, MOST_TOP)
    if engine is not None and level is not None:
        raise FieldError("--level", "expected either --level or --engine, not both")
    check_limits(seconds, simulations, threads)
    _, state = read_state(position, components)
    game = state.game.name
    thinker = usual_player(game, level, seconds, simulations, threads, USUAL_SECONDS)
    if engine is not None:
        named = named_player("--engine", engine, game, thinker)
        if (seconds, simulations) != (None, None) and (named.seconds, named.simulations) != (seconds, simulations):
            raise FieldError("--engine", "expected the limit once: in --engine or as --seconds or --simulations")
        thinker = named
    if state.actor < 0:
        why = "chance is to move" if state.actor == ACTORS["chance"] else "the game is over"
        raise FieldError("to_move", f"expected a player; {why}, so there is no move to advise")
    analysis = thinker.analyse(state, seed)
    if json:
        print_json(analysis.to_dict(top))
    else:
        show(advice(analysis, top))


def advice(analysis: Analysis, top: int = USUAL_TOP) -> RenderableType:
    """The best moves as a table, and under it the reason of each."""
    moves = analysis.moves[:top]
    parts: list[RenderableType] = [Text(headline(analysis), style="bold"), move_table(analysis, moves)]
    if any(move.components for move in moves):
        parts += [Text(), component_table(analysis, moves), Text()]
    told = Table.grid(padding=(0, 1, 0, 0))
    told.add_column(justify="right", no_wrap=True)
    told.add_column(no_wrap=True)
    told.add_column()
    for rank, move in enumerate(moves, 1):
        line = line_text(move)
        if move.reason or line:
            told.add_row(f"{rank}.", Text(move.move, style="bold"), f"{move.reason} {line}".strip())
    if told.row_count:
        parts.append(told)
    return Group(*parts)


def line_text(move: Move) -> str:
    """`Then (pool RET GAT BLS), picnic, feed 3; player 0: place RPV.`: the rest of the turn, or some moves of others, too.

    What chance would have to bring stands in brackets; empty where nothing follows.
    """
    steps = list(zip(move.line_players, move.line, strict=True))
    turn = next((i for i, (who, _) in enumerate(steps) if who not in (move.line_players[0], CHANCE)), len(steps))
    parts: list[str] = []
    last = move.line_players[0]
    for who, text in steps[1 : max(turn, 1 + MOST_LINE)]:
        if who == CHANCE:
            text = f"({text})"
        elif who != last:
            parts.append(f"; player {who}: {text}")
            last = who
            continue
        parts.append(f", {text}")
    return f"Then {''.join(parts)[2:]}." if parts else ""


def headline(analysis: Analysis) -> str:
    """Who is to move, and what was done to find out."""
    parts = [f"player {analysis.to_move} to move", analysis.engine]
    if analysis.simulations:
        parts.append(f"{analysis.simulations:,} simulations in {analysis.seconds:.2f} s")
    if analysis.solved:
        parts.append("solved")
    return " - ".join([*parts, *analysis.notes])


def move_table(analysis: Analysis, moves: Sequence[Move]) -> Table:
    """A row a move; columns that no move has a number for are left out."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1))
    table.add_column("", justify="right")
    table.add_column("move", style="bold", no_wrap=True)
    mixed = any(0 < probability < 1 for probability in analysis.probabilities)
    scored = next((len(move.scores) for move in moves if move.scores is not None), 0)
    wins = scored != 1 and any(move.win is not None for move in moves)   # who plays alone always finishes first
    if mixed:
        table.add_column("played", justify="right")
    if wins:
        table.add_column("win" if analysis.calibrated else "win (estimated)", justify="right")
    if scored:
        players = ", ".join(str(player) for player in range(scored))
        table.add_column(f"points of {players}" if scored > 1 else "points", justify="right")
    table.add_column("visits", justify="right")
    for rank, move in enumerate(moves, 1):
        cells = [f"{rank}", move.move]
        cells += [f"{move.probability:.0%}"] if mixed else []
        cells += [win_text(move)] if wins else []
        if scored:
            cells.append("  ".join(f"{score:.1f}" for score in move.scores or ()))
        table.add_row(*cells, f"{move.visits:,}")
    return table


def component_table(analysis: Analysis, moves: Sequence[Move]) -> Table:
    """What the points of the player to move are expected to be made of, a column a move."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1))
    table.add_column(f"points {analysis.to_move}, made of")
    known = [move for move in moves if move.components is not None]
    for move in known:
        table.add_column(move.move, justify="right")
    for name in known[0].components or ():
        points = [(move.components or {})[name] for move in known]
        if any(abs(value) >= LEAST_SHOWN for value in points):
            table.add_row(name, *(f"{value:.1f}" for value in points))
    return table


def win_text(move: Move) -> str:
    """The chance of finishing first with its 95% interval: `57.1% (54.0-60.2)`."""
    if move.win is None:
        return ""
    if move.win_interval is None:
        return f"{move.win:.1%}"
    low, high = move.win_interval
    return f"{move.win:.1%} ({100 * low:.1f}-{100 * high:.1f})"
