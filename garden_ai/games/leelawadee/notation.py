"""Leelawadee's notation: `red c2`, `bid 5`, `start 1`; for chance `first 1`, `draw YRPB`, `tie 1`.

A spot is its column's letter and its row's number, counted from the top left. A colour may be cut to its letter, and
colour and spot may come in either order.
"""

from __future__ import annotations

import re

from garden_core.games.leelawadee import Leelawadee
from garden_core.state import State

USAGE = {
    "plant": "a colour and a spot, like 'red c2'",
    "bid": "'bid' and the points, like 'bid 5'",
    "start": "'start' and a player, like 'start 1'",
    "first": "'first' and a player, like 'first 1'",
    "draw": "'draw' and a letter for each flower, like 'draw YRPB'",
    "tie": "'tie' and the player who wins it, like 'tie 1'",
    "over": "nothing: the game is over",
}


def spot_name(row: int, column: int) -> str:
    """`c2` for the third spot of the second row."""
    return f"{chr(ord('a') + column)}{row + 1}"


class LeelawadeeNotation:
    """See the module."""

    def format(self, state: State, action: int) -> str:
        """The text of a possible action or outcome."""
        game: Leelawadee = state.game
        kind, *rest = game.step(state, action)
        if kind == "plant":
            return f"{game.colours[rest[0]]} {spot_name(*rest[1:])}"
        if kind == "draw":
            return "draw " + "".join(letter * count for letter, count in zip(game.letters, rest[0], strict=True))
        return f"{kind} {rest[0]}"

    def parse(self, state: State, text: str) -> int:
        """The id of a possible action or outcome. Raises `ValueError`."""
        game: Leelawadee = state.game
        phase = game.phase(state)
        step = self._step(game, phase, text.lower().split())
        action = -1 if step is None else game.step_id(state, step)
        if action < 0 and step is None:
            raise ValueError(f"{text.strip()!r}: expected {USAGE[phase]}")
        if not state.is_legal(action):
            raise ValueError(f"{text.strip()!r}: {self._reason(game, state, phase)}")
        return action

    def _step(self, game: Leelawadee, phase: str, words: list[str]) -> tuple[object, ...] | None:
        """What the words say, possible or not; None where they say nothing."""
        if len(words) != 2:
            return None
        if phase == "plant":
            colours = {name: i for i, name in enumerate(game.colours)} | {
                letter.lower(): i for i, letter in enumerate(game.letters)
            }
            colour, spot = words if words[0] in colours else reversed(words)
            found = re.fullmatch(r"([a-p])([1-9][0-9]?)", spot)
            if colour not in colours or not found:
                return None
            return "plant", colours[colour], int(found[2]) - 1, ord(found[1]) - ord("a")
        kind, what = words
        if kind != phase:
            return None
        if phase == "draw":
            letters = what.upper()
            if set(letters) - set(game.letters):
                return None
            return "draw", tuple(letters.count(letter) for letter in game.letters)
        return (kind, int(what)) if re.fullmatch(r"[0-9]{1,6}", what) else None

    def _reason(self, game: Leelawadee, state: State, phase: str) -> str:
        if phase == "plant":
            view = state.view(state.actor)
            table = view["table"]
            return f"not possible; expected a flower on the table ({table}) and an empty spot of garden {state.actor}"
        if phase == "draw":
            bag = "".join(letter * count for letter, count in state.view(-1)["bag"].items())
            return f"not possible; expected {2 * game.players} flowers of the bag ({bag})"
        if phase == "bid":
            return f"not possible; expected a bid 0..{game.options['bid_max']}"
        return f"not possible; expected a player of 0..{game.players - 1}"
