"""Ladybird: 1-4 players lay ladybird cards in columns of five colours, feed them, and care for orchards and memories."""

from collections.abc import Mapping, Sequence
from typing import Any

from garden_core.state import Game, State

PHASES: tuple[str, ...]
STATE_NAMES: tuple[str, ...]
STATE_LETTERS: str
GARDEN_TILES: tuple[str, ...]

class Ladybird(Game):
    """The game as loaded; made by `load`."""

    def __init__(self, players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> None: ...
    @property
    def colours(self) -> tuple[str, ...]:
        """Names, in the order of the components."""
    @property
    def colour_letters(self) -> str:
        """Of the colours."""
    @property
    def types(self) -> tuple[str, ...]:
        """Names of the types of ladybirds, the Harlequin aside."""
    @property
    def type_letters(self) -> str:
        """Of the types; H is the Harlequin, always."""
    @property
    def faces(self) -> tuple[str, ...]:
        """Names of the cards, "BLS", each once, by colour, state and type; "H" is the last."""
    @property
    def copies(self) -> tuple[int, ...]:
        """How many cards of each face there are."""
    @property
    def tiles(self) -> tuple[tuple[str, str, int, int, bool, int, int], ...]:
        """(name, type's letter, points a card, cost, honeydew, threshold, how many) of each kind of feeding tile."""
    @property
    def slots(self) -> tuple[str, ...]:
        """Of the common pool: "a1" .. "c3"."""
    @property
    def orchard_slots(self) -> int:
        """How many orchard cards lie open."""
    @property
    def rounds(self) -> int:
        """Of a game."""
    def memory_points(self, count: int) -> int:
        """What so many memories score."""
    def phase(self, state: State) -> str:
        """One of `PHASES`."""
    def step(self, state: State, id: int) -> tuple[Any, ...]:
        """An action or outcome spelt out, orchard slots and stacks counted from 1. It must be possible in the state.

        ("reveal", card), ("invade", seat, colour), ("bed", colour), ("take", slot) or ("blind",), ("rose",), ("orchard",),
        ("picnic",), ("shed", "place" or "orchard"), ("tea", "memory" or "picnic"), ("place", card), ("card", orchard slot),
        ("feed", stack) or ("stop",), ("discard", card); ("hand", seat, (cards)), ("pool", (cards)), ("orchard", (colours)),
        ("tiles", (names)), ("first", seat) or ("draw", (cards)).
        """
    def step_id(self, state: State, step: Sequence[Any]) -> int:
        """The inverse of `step`; -1 where no such step exists in the state's phase. It need not be possible."""

def load(players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> Ladybird:
    """The game with options and the plain data of a component file. Loading the same again gives the same object."""

def check_components(components: Mapping[str, Any]) -> None:
    """Raises `FieldError` where the plain data of a component file does not describe a Ladybird set that fits."""
