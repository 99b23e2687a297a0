"""Connect Four, the game outside the package: its rules against slow ones, and what MCTS finds in it against what is known.

The slow rules keep columns as lists and look for a line cell by cell; the exact values come from them by plain alpha-beta.
"""

from __future__ import annotations

import random
from functools import cache

import connect_four
import pytest
from garden_core.fields import FieldError
from garden_core.search.control import Control
from garden_core.search.mcts import Mcts
from garden_core.state import Game, State

import garden_ai
from garden_ai.games import register
from garden_ai.search import analyse

COLUMNS, ROWS = 7, 6
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)
# Sequences of moves by length, none going on after the end: 7^n while no column can be full and no line be there.
PERFT = (7, 49, 343, 2401, 16807, 117649, 823536)
SAME = {"selection": "ucb1", "constant": 0.7, "priors": False, "playouts": "random"}


@pytest.fixture(scope="module")
def game() -> Game:
    register(connect_four.DEFINITION)
    return garden_ai.load("connect_four")


class Slow:
    """The rules, slowly. Players are 0 and 1; `winner` is None while there is no line."""

    def __init__(self) -> None:
        self.columns: list[list[int]] = [[] for _ in range(COLUMNS)]
        self.moves: list[int] = []
        self.winner: int | None = None

    @property
    def player(self) -> int:
        return len(self.moves) % 2

    @property
    def over(self) -> bool:
        return self.winner is not None or len(self.moves) == COLUMNS * ROWS

    def legal(self) -> list[int]:
        return [] if self.over else [column for column in range(COLUMNS) if len(self.columns[column]) < ROWS]

    def stone(self, column: int, row: int) -> int | None:
        if 0 <= column < COLUMNS and 0 <= row < len(self.columns[column]):
            return self.columns[column][row]
        return None

    def play(self, column: int) -> None:
        player, row = self.player, len(self.columns[column])
        self.columns[column].append(player)
        self.moves.append(column)
        for across, up in DIRECTIONS:
            length = 1
            for way in (1, -1):
                step = 1
                while self.stone(column + way * step * across, row + way * step * up) == player:
                    step += 1
                length += step - 1
            if length >= 4:
                self.winner = player

    def undo(self) -> None:
        self.columns[self.moves.pop()].pop()
        self.winner = None


def value(slow: Slow, low: int = -1, high: int = 1) -> int:
    """Of a position for the player to move: 1 a win, 0 a draw, -1 a loss, if both play perfectly."""
    if slow.winner is not None:
        return -1
    if slow.over:
        return 0
    best = -1
    for column in CENTRE_FIRST:
        if len(slow.columns[column]) == ROWS:
            continue
        slow.play(column)
        best = max(best, -value(slow, -high, -max(low, best)))
        slow.undo()
        if best >= high:
            break
    return best


def values_of_moves(slow: Slow) -> dict[int, int]:
    found = {}
    for column in slow.legal():
        slow.play(column)
        found[column] = -value(slow)
        slow.undo()
    return found


def state_of(game: Game, slow: Slow) -> State:
    state = game.start()
    for column in slow.moves:
        state.apply(column)
    return state


def board_of(slow: Slow) -> list[str]:
    marks = {None: ".", 0: "x", 1: "o"}
    return ["".join(marks[slow.stone(column, row)] for column in range(COLUMNS)) for row in reversed(range(ROWS))]


def random_position(rng: random.Random, stones: int) -> Slow | None:
    """After so many random moves; None where the game was over before."""
    slow = Slow()
    while len(slow.moves) < stones and not slow.over:
        slow.play(rng.choice(slow.legal()))
    return None if slow.over else slow


@cache
def late_positions() -> tuple[tuple[tuple[int, ...], dict[int, int]], ...]:
    """A hundred with 8-12 free cells, 40 won, 30 drawn, 30 lost for the player to move: as moves and what each next one is worth.

    In those won and drawn some move is worth less; in those lost none can be.
    """
    rng = random.Random(4)
    wanted = {1: 40, 0: 30, -1: 30}
    found: list[tuple[tuple[int, ...], dict[int, int]]] = []
    while any(wanted.values()):
        slow = random_position(rng, rng.randint(30, 34))
        if slow is None or len(slow.legal()) < 2:
            continue
        values = values_of_moves(slow)
        best = max(values.values())
        if wanted[best] and (best == -1 or len(set(values.values())) > 1):
            wanted[best] -= 1
            found.append((tuple(slow.moves), values))
    return tuple(found)


def replayed(moves: tuple[int, ...]) -> Slow:
    slow = Slow()
    for column in moves:
        slow.play(column)
    return slow


# --- the rules ---


def count(state: State, depth: int) -> int:
    moves = state.legal_actions().tolist()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = state.copy()
        after.apply(move)
        total += count(after, depth - 1)
    return total


@pytest.mark.parametrize("depth", range(1, 8))
def test_perft(game: Game, depth: int) -> None:
    assert count(game.start(), depth) == PERFT[depth - 1]


def test_games_go_like_slow_ones(game: Game) -> None:
    rng = random.Random(1)
    ends = set()
    for _ in range(1500):   # about one in 400 is drawn
        slow, state = Slow(), game.start()
        while not slow.over:
            assert state.actor == slow.player
            assert state.legal_actions().tolist() == slow.legal()
            assert [column for column in range(-1, 9) if state.is_legal(column)] == slow.legal()
            column = rng.choice(slow.legal())
            slow.play(column)
            state.apply(column)
            assert list(state.view(-2)["board"]) == board_of(slow)
        assert state.actor == garden_ai.TERMINAL
        expected = {0: (1.0, 0.0), 1: (0.0, 1.0), None: (0.5, 0.5)}[slow.winner]
        assert tuple(state.utilities()) == expected
        ends.add(slow.winner)
    assert ends == {0, 1, None}


@pytest.mark.parametrize(("moves", "winner"), [
    ((0, 1, 0, 1, 0, 1, 0), 0),                                  # upwards
    ((6, 0, 0, 1, 1, 2, 2, 3), 1),                               # across
    ((0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3), 0),                      # rising
    ((6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3), 0),                      # falling
])
def test_a_line_of_four_wins(game: Game, moves: tuple[int, ...], winner: int) -> None:
    state = game.start()
    for move in moves:
        assert state.actor >= 0
        state.apply(move)
    assert state.actor == garden_ai.TERMINAL
    assert state.placing() == [1 + winner, 2 - winner]


def test_no_line_runs_from_the_top_of_a_column_into_the_next(game: Game) -> None:
    slow = replayed((0, 1, 2, 0, 0, 0, 0, 0))
    assert not slow.over
    state = state_of(game, slow)
    for column in (6, 1, 6, 1, 6):
        assert state.actor >= 0
        state.apply(column)
        slow.play(column)
    assert (state.actor == garden_ai.TERMINAL) == slow.over


def test_positions_are_read_as_they_are_written(game: Game) -> None:
    rng = random.Random(2)
    for stones in range(20):
        slow = random_position(rng, stones)
        if slow is not None:
            state = state_of(game, slow)
            assert game.build(dict(state.view(-2))) == state
    assert game.build(connect_four.DEFINITION.example).actor in (0, 1)


@pytest.mark.parametrize(("rows", "said"), [
    ([".......", ".......", ".......", ".......", ".......", "xx....."], "as many o as x"),
    ([".......", ".......", ".......", ".......", "x......", "......."], "no gap below"),
    ([".......", ".......", ".......", ".......", "ooo....", "xxxx..o"], "after a line"),
    ([".......", ".......", ".......", ".......", ".......", "xa....."], "7 of x, o and ."),
])
def test_impossible_positions_are_refused(game: Game, rows: list[str], said: str) -> None:
    with pytest.raises(FieldError, match=said):
        game.build({"board": rows})


def test_moves_are_letters_of_columns(game: Game) -> None:
    state = game.start()
    notation = connect_four.DEFINITION.notation
    assert [notation.format(state, action) for action in range(COLUMNS)] == list("abcdefg")
    assert notation.parse(state, " D ") == 3
    for _ in range(ROWS):
        state.apply(3)
    for wrong in ("d", "h", "", "ab"):
        with pytest.raises(ValueError, match="expected one of a, b, c, e, f, g"):
            notation.parse(state, wrong)


# --- the search ---


@pytest.mark.parametrize("transpositions", [True, False])
def test_the_first_move_is_the_centre(game: Game, transpositions: bool) -> None:
    """The first player wins, only by it (Allis, "A knowledge-based approach of Connect-Four", 1988)."""
    answer = analyse(game.start(), simulations=100_000, seed=1, transpositions=transpositions, **SAME)
    assert answer.moves[0].move == "d"
    assert answer.moves[0].utility > 0.5
    assert len(answer.moves[0].line) > 5


def test_late_positions_are_of_every_kind() -> None:
    bests = [max(values.values()) for _, values in late_positions()]
    assert (bests.count(1), bests.count(0), bests.count(-1)) == (40, 30, 30)


@pytest.mark.parametrize("transpositions", [True, False])
def test_mcts_agrees_with_exact_values(game: Game, transpositions: bool) -> None:
    wrong = []
    for moves, values in late_positions():
        state = state_of(game, replayed(moves))
        search = Mcts(state, simulations=20_000, transpositions=transpositions, **SAME)
        search.run(Control(20_000, None), 1)
        found = search.strategy(state)
        if values[found[0][0]] != max(values.values()):
            wrong.append((moves, found[0][0], values))
    assert wrong == []


def test_without_transpositions_a_node_belongs_to_the_way_that_led_to_it(game: Game) -> None:
    """Nodes are then as many as sequences of moves: more than positions, and the more the deeper."""
    trees = {}
    for transpositions in (True, False):
        search = Mcts(game.start(), simulations=30_000, transpositions=transpositions, **SAME)
        search.run(Control(30_000, None), 1)
        trees[transpositions] = len(search.tree)
    assert trees[True] < trees[False] <= 30_001
    # each simulation that does not end in a finished game adds a node
    assert trees[False] >= 29_500
