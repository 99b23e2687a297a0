"""What a game tells the rest of garden_ai about itself: one `GameDefinition` each, found by `garden_ai.games`.

Nothing outside `garden_ai.games` knows a particular game; whatever is particular goes through here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from garden_core.fields import FieldError
from garden_core.state import Game, State
from rich.console import RenderableType


class Notation(Protocol):
    """How a game writes actions and chance outcomes: short, case-insensitive, unique among what a state allows."""

    def format(self, state: State, action: int) -> str:
        """The text of an action of the actor or, where chance is to move, of an outcome; the id must be possible."""

    def parse(self, state: State, text: str) -> int:
        """The id of such a text. Raises `ValueError`, one line, where it is none or not possible now."""


@dataclass(frozen=True)
class Option:
    """One option of a game: the default, and either the choices or the whole numbers low..high."""

    name: str
    default: Any
    help: str
    choices: tuple[Any, ...] = ()
    low: int = 0
    high: int = 0

    def parse(self, text: str) -> Any:
        """The value that a person wrote, `true` and `yes` for a switch. Raises `FieldError`."""
        word = text.strip().lower()
        if self.choices:
            words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
            for choice in self.choices:
                if (isinstance(choice, bool) and words.get(word) is choice) or str(choice).lower() == word:
                    return choice
            expected = f"one of {', '.join(str(choice).lower() for choice in self.choices)}"
        else:
            if word.isascii() and word.removeprefix("-").isdigit() and self.low <= int(word) <= self.high:
                return int(word)
            expected = f"a whole number {self.low}..{self.high}"
        raise FieldError(f"option {self.name}", f"expected {expected}; got {text!r}")


def round_of(game: Game, view: Mapping[str, Any]) -> object:
    """The round, for games in which a player has one turn in each; None in games without rounds."""
    return view.get("round")


@dataclass(frozen=True)
class GameDefinition:
    """A game as the command, positions, records and pictures see it."""

    name: str
    title: str
    summary: str
    players: tuple[int, ...]
    options: tuple[Option, ...]
    components_file: Path
    load: Callable[[int, Mapping[str, Any], Mapping[str, Any]], Game]
    check_components: Callable[[Mapping[str, Any]], None]
    notation: Notation
    # A picture of the fields of a view, readable at 80 columns and without colour.
    picture: Callable[[Game, Mapping[str, Any]], RenderableType]
    # What a component of the score is called in a sentence: "the purple butterfly".
    phrases: Callable[[Game, str], str]
    # What a move of a player did at once, by the views before and after it: ("brings the red butterfly",).
    events: Callable[[Game, Mapping[str, Any], Mapping[str, Any], int], tuple[str, ...]]
    # JSON Schema of the `state` of a position.
    state_schema: Callable[[], dict[str, Any]]
    # A position as a person types it in the middle of a game, used in documentation and tests.
    example: Mapping[str, Any]
    # Settings of engines that matches favoured over their defaults, by number of players and engine.
    tuned: Mapping[int, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    # Named levels of play with how strong they are, a JSON file as `garden_ai.players` reads it; None where there are none.
    levels_file: Path | None = None
    # Which of his turns the player to move is in, by the fields of a view: what the decisions of one turn have in common.
    turn: Callable[[Game, Mapping[str, Any]], object] = round_of

    def option(self, name: str) -> Option:
        """The option of that name. Raises `FieldError` where there is none."""
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(option.name for option in self.options) or "none"
        raise FieldError(f"option {name}", f"unknown; {self.name} has {known}")
