"""Flowerpower's notation: `rose/poppy d4-e4`, `weed k10-k11`; for chance `first 1`, `draw rose/poppy`.

A cell is its column's letter and its row's number, counted from the top left. A variety may be cut to its letter or to any
beginning that fits no other. The two flowers stand in the order of the two cells; both may be turned round together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from garden_core.games.flowerpower import Flowerpower
from garden_core.state import State

from garden_ai.games.notation import Step, StepNotation

USAGE = {
    "place": "two flowers and two cells, like 'rose/poppy d4-e4', or 'weed' and two cells, like 'weed k10-k11'",
    "first": "'first' and a player, like 'first 1'",
    "draw": "'draw' and the two flowers of a tile, like 'draw rose/poppy'",
    "over": "nothing: the game is over",
}
CELLS = re.compile(r"([a-z])([1-9][0-9]?)-([a-z])([1-9][0-9]?)")

Cell = tuple[int, int]


def cell_name(row: int, column: int) -> str:
    """`d4` for the fourth cell of the fourth row."""
    return f"{chr(ord('a') + column)}{row + 1}"


class FlowerpowerNotation(StepNotation):
    """See the module."""

    def format(self, state: State, action: int) -> str:
        """The text of a possible action or outcome."""
        game: Flowerpower = state.game
        kind, *rest = game.step(state, action)
        if kind == "first":
            return f"first {rest[0]}"
        if kind == "draw":
            return f"draw {tile_name(game, rest)}"
        cells = "-".join(cell_name(*cell[:2]) for cell in rest)
        return f"weed {cells}" if kind == "weed" else f"{tile_name(game, [cell[2] for cell in rest])} {cells}"

    def _words(self, text: str) -> list[str]:
        """A text as its words."""
        return re.sub(r"\s*([/-])\s*", r"\1", text.strip().lower()).split()

    def _step(self, game: Flowerpower, state: State, words: Sequence[str]) -> Step:
        """What the words say, possible or not. Raises `ValueError` where they say nothing."""
        phase = game.phase(state)
        if len(words) == 2 and phase == "place":
            what, where = words if CELLS.fullmatch(words[1]) else reversed(words)
            if CELLS.fullmatch(where) and (what == "weed" or what.count("/") == 1):
                one, other = self._cells(game, where)
                if what == "weed":
                    return "weed", one, other
                first, second = self._varieties(game, state, what)
                return "lay", (*one, first), (*other, second)
        elif len(words) == 2 and words[0] == phase == "draw" and words[1].count("/") == 1:
            return "draw", *self._varieties(game, state, words[1])
        elif len(words) == 2 and words[0] == phase == "first" and re.fullmatch(r"[0-9]{1,6}", words[1]):
            return "first", int(words[1])
        raise ValueError(f"expected {USAGE[phase]}")

    def _cells(self, game: Flowerpower, word: str) -> list[Cell]:
        """The two cells of `d4-e4`."""
        found = CELLS.fullmatch(word)
        assert found is not None
        cells = [(int(row) - 1, ord(column) - ord("a")) for column, row in (found.group(1, 2), found.group(3, 4))]
        for row, column in cells:
            if row >= game.rows or column >= game.columns:
                last = cell_name(game.rows - 1, game.columns - 1)
                raise ValueError(f"expected cells a1 to {last}; got {cell_name(row, column)}")
        return cells

    def _varieties(self, game: Flowerpower, state: State, word: str) -> list[int]:
        """The two varieties of `rose/poppy`, in that order."""
        known = state.view(state.actor).get("tile", "")
        return [self._variety(game, name, known) for name in word.split("/")]

    def _variety(self, game: Flowerpower, word: str, known: str) -> int:
        """The variety that a letter, a name or its beginning means; one of the known tile where it could mean several."""
        names = [name.lower() for name in game.varieties]
        exact = {letter.lower(): i for i, letter in enumerate(game.letters)} | {name: i for i, name in enumerate(names)}
        if word in exact:
            return exact[word]
        fitting = [i for i, name in enumerate(names) if word and name.startswith(word)]
        if len(fitting) > 1:
            fitting = [i for i in fitting if game.letters[i] in known.split("/")] or fitting
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise ValueError(f"{word!r} could be {' or '.join(game.varieties[i] for i in fitting)}")
        raise ValueError(f"{word!r} is no flower; expected a letter of {game.letters} or one of {', '.join(game.varieties)}")

    def _reason(self, game: Flowerpower, state: State, step: Step) -> str:
        """Why the step cannot be made."""
        if step[0] == "first":
            return f"expected a player of 0..{game.players - 1}"
        if step[0] == "draw":
            return "no such tile is left in the bag, as the position tells or assumes it (its field unseen settles it)"
        view = state.view(state.actor)
        cells = [cell[:2] for cell in step[1:] if isinstance(cell, tuple)]
        if step[0] == "lay":
            letters = sorted(game.letters[cell[2]] for cell in step[1:] if isinstance(cell, tuple))
            tile = view["tile"].split("/")
            if letters != sorted(tile):
                return f"the tile drawn is {tile_name(game, [game.letters.index(letter) for letter in tile])}"
        elif not game.weeds_each:
            return "this game has no weeds"
        elif not view["weeds_left"][state.actor]:
            return f"player {state.actor} has laid all of his {game.weeds_each} weeds"
        (row, column), (other_row, other_column) = cells
        if abs(row - other_row) + abs(column - other_column) != 1:
            return "expected two cells side by side"
        for row, column in cells:
            if view["rows"][row][column] != ".":
                return f"{cell_name(row, column)} is not empty"
        other = 1 - state.actor
        if step[0] == "weed":
            return f"a weed lies wholly in the side of player {other}, {rows_of(game, other)}"
        return f"{rows_of(game, other)} are the side of player {other}, where only a weed may lie"


def tile_name(game: Flowerpower, varieties: Sequence[int]) -> str:
    """`rose/poppy`."""
    return "/".join(game.varieties[variety] for variety in varieties)


def rows_of(game: Flowerpower, player: int) -> str:
    """`rows 10 to 15`."""
    numbers = [row + 1 for row in range(game.rows) if game.side(row) == player]
    return f"rows {numbers[0]} to {numbers[-1]}"
