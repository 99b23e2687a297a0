"""`Game` and `State`: the contract of `rules.pxd` as Python sees it."""

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, SupportsIndex

import numpy as np
from numpy.typing import NDArray

class Game:
    """A loaded game: rules, players, options and components. Immutable, and shared by its states and by threads."""

    def __init__(
        self,
        name: str,
        players: int,
        options: Mapping[str, Any],
        components_data: Mapping[str, Any],
        component_names: tuple[str, ...] | list[str],
        layout_version: int,
        loader: Callable[[int, Mapping[str, Any], Mapping[str, Any]], Game],
    ) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def players(self) -> int: ...
    @property
    def options(self) -> Mapping[str, Any]:
        """Option -> value; read-only."""
    @property
    def components_data(self) -> Any:
        """The checked component file as plain dicts and lists."""
    @property
    def digest(self) -> str:
        """Of the components: 16 hexadecimal digits."""
    @property
    def layout_version(self) -> int:
        """Raised when the state struct changes its meaning."""
    @property
    def component_names(self) -> tuple[str, ...]: ...
    @property
    def state_size(self) -> int:
        """Bytes of one state."""
    @property
    def max_actions(self) -> int:
        """No state has more legal actions."""
    @property
    def max_outcomes(self) -> int:
        """No chance event that can be listed has more outcomes."""
    @property
    def max_nodes(self) -> int:
        """The longest game, in applied actions and chance outcomes."""
    @property
    def hidden(self) -> bool:
        """Whether some player ever knows what another does not."""
    @property
    def utility_bounds(self) -> tuple[float, float]: ...
    @property
    def score_bounds(self) -> tuple[float, float]:
        """Lowest and highest score possible, in points."""
    def start(self, seed: SupportsIndex | None = None) -> State:
        """A new `State`: drawn up to the first decision with `seed`, with chance left open without one."""
    def fields(self, state: State, observer: int = -2) -> dict[str, Any]:
        """What `observer` (a seat, PUBLIC or ALL) can see of a state, as plain dicts, lists, strings and numbers."""
    def build(self, fields: Mapping[str, Any]) -> State:
        """The `State` that such fields describe; what is hidden is filled with one consistent deal.

        Raises `FieldError` where they are malformed or contradict each other.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class State:
    """A position of a game, complete with what is hidden. Made by `Game.start`, `Game.build`, `copy` or `redeal`."""

    def __init__(self) -> NoReturn: ...
    @property
    def game(self) -> Any:
        """The game it belongs to, of the game's own subclass of `Game`."""
    @property
    def log_weight(self) -> float:
        """Of the redeal that made this state, else 0."""
    @property
    def actor(self) -> int:
        """The seat to move, 0..players-1; CHANCE (-1) or TERMINAL (-2)."""
    @property
    def simultaneous(self) -> bool:
        """Whether the actor's choice belongs to an open simultaneous phase."""
    def legal_actions(self) -> NDArray[np.int32]:
        """The actor's actions, distinct and sorted: shape [n]; empty at CHANCE and TERMINAL."""
    def is_legal(self, action: object) -> bool:
        """Whether the actor may take this action or, at CHANCE, whether the outcome is possible."""
    def apply(self, action: SupportsIndex) -> None:
        """Applies an action of the actor or an outcome of chance. Raises `ValueError` where it is illegal."""
    def outcomes(self) -> tuple[NDArray[np.int32], NDArray[np.float64]] | None:
        """The outcomes of the chance event to come and their probabilities, shape [n] each.

        Both are empty where chance is not to move; None where the outcomes are too many to list.
        """
    def draw(self, seed: SupportsIndex) -> int:
        """Draws and applies one chance outcome, and returns it. Raises `ValueError` where chance is not to move."""
    def withdraw(self) -> None:
        """Takes back every choice of an open simultaneous phase; elsewhere it changes nothing."""
    def redeal(self, observer: int, seed: SupportsIndex) -> State:
        """A new state that agrees with all that `observer` (a seat or PUBLIC) can see, sampled with `seed`."""
    def view(self, observer: int) -> dict[str, Any]:
        """What `observer` (a seat, PUBLIC or ALL) can see: the fields of a position, as plain data."""
    def key(self, observer: int = -2, grain: int = 0) -> int:
        """A 64-bit hash of all that `observer` (a seat, PUBLIC or ALL) knows; `grain` > 0 merges details of chance."""
    def scores(self) -> list[float]:
        """Points so far, a player each."""
    def components(self) -> list[dict[str, float]]:
        """Points so far by component: a dict each player, name -> points; they sum to `scores()`."""
    def placing(self) -> list[int]:
        """Places by the points so far, tie-breaks applied: 1 is the best, ties share a place."""
    def wins(self) -> list[float]:
        """Each player's share of the first place by the points so far."""
    def utilities(self) -> list[float]:
        """Each player's utility in [0, 1]. Raises `ValueError` before the end."""
    def evaluate(self) -> tuple[list[float], list[float]]:
        """An estimate of the end: (utilities, scores), a float each player."""
    def priors(self) -> NDArray[np.float32]:
        """A probability for each of `legal_actions()`: shape [n]."""
    def policy_action(self, seed: SupportsIndex) -> int:
        """The action that the game's own playout policy draws. Raises `ValueError` where nobody is to move."""
    def random_action(self, seed: SupportsIndex) -> int:
        """A uniformly random legal action. Raises `ValueError` where nobody is to move."""
    def canonical(self, action: SupportsIndex) -> int:
        """The representative of the actions that are mirror-equal to this legal one."""
    def copy(self) -> State:
        """An independent copy."""
    def __copy__(self) -> State: ...
    def __deepcopy__(self, memo: Any) -> State: ...
    def to_bytes(self) -> bytes:
        """The state's bytes, `Game.state_size` of them."""
    def __eq__(self, other: object, /) -> bool:
        """Whether both are the same position of the same game: `key(ALL)` agrees."""
    def __hash__(self) -> int: ...

def made_once(
    make: Callable[[int, Mapping[str, Any], Mapping[str, Any]], Game],
    players: int,
    options: Mapping[str, Any],
    components: Mapping[str, Any],
) -> Game:
    """The game that `make(players, options, components)` makes; the same arguments give the same object."""

def digest_of(data: Any) -> str:
    """A short digest of plain data: 16 hexadecimal digits of SHA-256 over canonical JSON."""

def seed_of(seed: SupportsIndex) -> int:
    """Any whole number as a 64-bit seed."""

def debug_build() -> bool:
    """Whether legality is checked at every node (a debug or sanitizer build)."""
