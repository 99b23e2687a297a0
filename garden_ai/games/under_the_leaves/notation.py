"""Under the Leaves' notation: `G*O/KK l12`, `leaf m13se`; for chance `cards ...`, `starts ...`, `first 1`, `draw ~KGG`.

A spot is its column's letter and its row's number; the starting tile always lies on m13. A cell is its spot and the corner
of the tile: nw, ne, sw or se. A tile is written as it lies, the upper row first: `G*O/KK`, `*` for a mushroom, `~` for a
puddle; `*` and `/` may be left out, and the spot may come first. Where a tile is drawn it may be written in any way it can lie.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from garden_core.games.under_the_leaves import UnderTheLeaves
from garden_core.state import State

from garden_ai.games.notation import Step, StepNotation
from garden_ai.games.under_the_leaves.gardens import FAMILIES, REACH, cell_at, cell_name, gardens_of, spot_at, spot_name

USAGE = {
    "cards": "'cards' and a card of each family, like 'cards thoughtful diver host'",
    "starts": "'starts' and the starting tile of each player, like 'starts ~KPY* ~OYK*'",
    "first": "'first' and a player, like 'first 1'",
    "draw": "'draw' and the four cells of a tile, like 'draw ~KGG'",
    "place": "four cells as they are to lie, row by row, and a spot, like 'G*O/KK l12'",
    "choose": "a family of dwellers and a cell, like 'leaf m13se'",
    "over": "nothing: the game is over",
}
CELLS = re.compile(r"(~|[a-z]\*?)(~|[a-z]\*?)/?(~|[a-z]\*?)(~|[a-z]\*?)")
PLACED = re.compile(r"([a-z])([0-9]{1,2})([^0-9]+)|([^0-9]+)([a-z])([0-9]{1,2})")
CHOSEN = re.compile(r"([a-y])([1-9][0-9]?)(nw|ne|sw|se)")


class UnderTheLeavesNotation(StepNotation):
    """See the module."""

    def format(self, state: State, action: int) -> str:
        """The text of a possible action or outcome."""
        game: UnderTheLeaves = state.game
        kind, *rest = game.step(state, action)
        if kind == "place":
            _, spot, cells = rest
            return f"{lying(cells)} {spot_name(spot)}"
        if kind == "choose":
            family, cell = rest
            return f"{family} {cell_name(cell)}"
        if kind == "cards":
            return " ".join(["cards", *(game.card_names[family][i] for family, i in zip(FAMILIES, rest, strict=True))])
        if kind == "starts":
            return " ".join(["starts", *(game.starting_tiles[tile] for tile in rest)])
        return f"first {rest[0]}" if kind == "first" else f"draw {game.garden_tiles[rest[0]]}"

    def _step(self, game: UnderTheLeaves, state: State, words: Sequence[str]) -> Step:
        """What the words say, possible or not. Raises `ValueError` where they say nothing."""
        phase = game.phase(state)
        step: Step | None = None
        if phase == "place":
            step = self._placement(game, state, "".join(words))
        elif phase == "choose":
            step = self._choice(state, words)
        elif words and words[0] == phase:
            step = self._outcome(game, phase, words[1:])
        if step is None:
            raise ValueError(f"expected {USAGE[phase]}")
        return step

    def _placement(self, game: UnderTheLeaves, state: State, text: str) -> Step | None:
        """The tile of the market, the spot and the cells of `g*o/kkl12`."""
        found = PLACED.fullmatch(text)
        cells = found and CELLS.fullmatch(found[3] or found[4])
        if not found or not cells:
            return None
        name = (found[1] or found[5]) + (found[2] or found[6])
        spot = spot_at(name)
        if max(map(abs, spot)) > REACH:
            corners = f"{spot_name((-REACH, -REACH))} to {spot_name((REACH, REACH))}"
            raise ValueError(f"expected a spot {corners}, at most {REACH} from the start at {spot_name((0, 0))}; got {name}")
        market = state.view(state.actor)["market"]
        code, way = self._tile(game, market, cells.groups(), f"the market has {' '.join(market)}")
        return "place", game.garden_tiles.index(code), spot, way

    def _choice(self, state: State, words: Sequence[str]) -> Step | None:
        """The family and the cell of `leaf m13se`; the family may be left out, since only one is asked about."""
        families = [word for word in words if word in FAMILIES]
        cell = CHOSEN.fullmatch("".join(word for word in words if word not in FAMILIES))
        if len(families) > 1 or not cell or (families and families[0] not in (words[0], words[-1])):
            return None
        family = families[0] if families else self._choices(state)[0].split()[0]
        return "choose", family, cell_at(cell[0])

    def _outcome(self, game: UnderTheLeaves, phase: str, words: Sequence[str]) -> Step | None:
        """What chance is said to bring, by the words after the name of its phase."""
        if phase == "cards" and len(words) == len(FAMILIES):
            return phase, *self._cards(game, words)
        if phase == "first" and len(words) == 1 and re.fullmatch(r"[0-9]{1,6}", words[0]):
            return phase, int(words[0])
        if phase == "starts" and len(words) == game.players:
            otherwise = f"the starting tiles are {' '.join(game.starting_tiles)}"
            return phase, *self._tiles(game, game.starting_tiles, words, otherwise)
        if phase == "draw" and words:
            return phase, *self._tiles(game, game.garden_tiles, ["".join(words)], "the set has no such tile")
        return None

    def _tiles(self, game: UnderTheLeaves, codes: Sequence[str], words: Iterable[str], otherwise: str) -> Iterable[int]:
        """The number of each tile among `codes`; they may be written in any way they can lie."""
        for word in words:
            cells = CELLS.fullmatch(word)
            if not cells:
                raise ValueError(f"expected four cells, like {codes[0]!r}; got {word!r}")
            yield codes.index(self._tile(game, codes, cells.groups(), otherwise)[0])

    def _cards(self, game: UnderTheLeaves, words: Sequence[str]) -> Iterable[int]:
        """The number of each family's card among its names; the words may come in any order."""
        for family in FAMILIES:
            names = game.card_names[family]
            named = [word for word in words if word in names]
            if len(named) != 1:
                raise ValueError(f"expected one {family} card of {', '.join(names)}; got {' and '.join(named) or 'none'}")
            yield names.index(named[0])

    def _tile(
        self, game: UnderTheLeaves, codes: Sequence[str], written: Sequence[str], otherwise: str
    ) -> tuple[str, tuple[str, ...]]:
        """The tile among `codes` that can lie as written, and how it then lies; `otherwise` is said where none has such cells."""
        cells = tuple(cell.upper() for cell in written)
        for cell in cells:
            if cell[0] not in (*game.letters, "~"):
                raise ValueError(f"{cell[0]!r} is no terrain; expected a letter of {game.letters}, or ~ for a puddle")
        marked = any("*" in cell for cell in cells)
        fitting = [
            (code, way) for code in codes for way in game.oriented(code) if way == cells or (not marked and bare(way) == cells)
        ]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise ValueError(f"could be {' or '.join(lying(way) for _, way in fitting)}; write the * of the mushroom")
        alike = [code for code in codes if self._holds(game, code, cells, marked)]
        if alike:
            turning = "turned or flipped" if game.options["allow_flip"] else "turned, and tiles are not flipped in this game"
            raise ValueError(f"not possible; {alike[0]} cannot lie that way, however it is {turning}")
        raise ValueError(f"not possible; {otherwise}")

    def _holds(self, game: UnderTheLeaves, code: str, cells: Sequence[str], marked: bool) -> bool:
        """Whether a tile has these cells, in whatever order."""
        own = game.oriented(code)[0]
        return sorted(own if marked else bare(own)) == sorted(cells)

    def _choices(self, state: State) -> list[str]:
        """All that may be chosen, as it is written."""
        return [self.format(state, action) for action in state.legal_actions().tolist()]

    def _reason(self, game: UnderTheLeaves, state: State, step: Step) -> str:
        """Why the step cannot be made."""
        if step[0] == "first":
            return f"expected a player of 0..{game.players - 1}"
        if step[0] == "cards":
            return "the options of this game say otherwise, or its components leave out one of these cards"
        if step[0] == "starts":
            return "expected a different tile for each player"
        if step[0] == "draw":
            return "that tile lies in a garden or in the market already"
        if step[0] == "choose":
            return f"expected one of {', '.join(self._choices(state))}"
        spot = step[2]
        assert isinstance(spot, tuple)
        garden = gardens_of(state.view(state.actor))[state.actor]
        taken = spot in garden.spots
        return f"{spot_name(spot)} is taken" if taken else f"{spot_name(spot)} lies beside no tile of garden {state.actor}"


def lying(cells: Sequence[str]) -> str:
    """`G*O/KK`."""
    return f"{cells[0]}{cells[1]}/{cells[2]}{cells[3]}"


def bare(cells: Iterable[str]) -> tuple[str, ...]:
    """The cells without their mushrooms."""
    return tuple(cell.rstrip("*") for cell in cells)
