"""The Butterfly Garden: 2-6 players play cards for the order of turns, capture others, and deliver butterflies from a jar."""

from collections.abc import Mapping, Sequence
from typing import Any

from garden_core.state import Game, State

PHASES: tuple[str, ...]

class ButterflyGarden(Game):
    """The game as loaded; made by `load`."""

    def __init__(self, players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> None: ...
    @property
    def colours(self) -> tuple[str, ...]:
        """Names, in the order of the components."""
    @property
    def letters(self) -> str:
        """Of the colours; W is the rainbow, always."""
    @property
    def cards(self) -> tuple[str, ...]:
        """Faces as the components write them, "R/dr"; the index is the number on the card."""
    @property
    def deliveries(self) -> tuple[tuple[str, int, int], ...]:
        """(name, points, how many) of each kind of delivery, in the order of the components."""
    @property
    def goal(self) -> int:
        """Points that end the game."""
    @property
    def hands(self) -> Mapping[str, tuple[int, ...]]:
        """The cards of each letter for `less_luck`."""
    def butterflies(self, card: int) -> str:
        """Letters of the butterflies on a card, "RB"."""
    def power(self, card: int) -> str:
        """"dr", "sw", "to", "de", or "" where it has none."""
    def release(self, card: int) -> int:
        """Points for delivering a card by its own icon; 0 where it has none."""
    def lacking(self, kind: int, butterflies: str) -> int:
        """How many butterflies, the fittest ones, must be added to these letters for a delivery; 0: it can be paid."""
    def kind_of(self, name: str) -> int:
        """The kind of a delivery card by its name, in any case and order, colours in letters or words; -1 where there is none.

        Points in brackets may follow; they must where two cards need the same.
        """
    def plain_name(self, name: str) -> str:
        """A delivery's name as names are compared: small letters without blanks, colours cut to their letters, sorted; points in
        brackets stay at the end.
        """
    def phase(self, state: State) -> str:
        """One of `PHASES`."""
    def step(self, state: State, id: int) -> tuple[Any, ...]:
        """An action or outcome spelt out: ("play", card), ("capture", card), ("use",), ("skip",), ("exchange", hand card, jar
        card), ("return", card), ("discard", card) or ("deliver", place, (cards)), the place a side between two players and
        else a kind; ("hand", seat, (cards)), ("letters", (letter's index by seat)), ("field", (cards)), ("delivery", kind),
        ("draw", card) or ("top", card). It must be possible in the state.
        """
    def step_id(self, state: State, step: Sequence[Any]) -> int:
        """The inverse of `step`; -1 where no such step exists in the state's phase. It need not be possible."""

def load(players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> ButterflyGarden:
    """The game with options and the plain data of a component file. Loading the same again gives the same object."""

def check_components(components: Mapping[str, Any]) -> None:
    """Raises `FieldError` where the plain data of a component file does not describe a Butterfly Garden set that fits."""
