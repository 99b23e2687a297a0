"""MCTS over information sets."""

from typing import SupportsIndex

from garden_core.search.control import Control
from garden_core.search.root import RootTable
from garden_core.search.tree import Tree
from garden_core.state import State

SELECTIONS: dict[str, tuple[int, int]]

class Walker:
    """One thread's share of a search."""

    def __init__(self, search: Mcts, seed: SupportsIndex) -> None: ...
    @property
    def deepest(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def simulations(self) -> int: ...

class Mcts:
    """One search: a tree, and the walkers that grow it. `root` may be a chance event. The caller checks the numbers."""

    def __init__(
        self,
        root: State,
        *,
        simulations: int = -1,
        memory: int = 268435456,
        selection: str = "puct",
        constant: float = 1.0,
        first_play: float = 0.0,
        widening: float = 0.0,
        widening_power: float = 0.5,
        priors: bool = True,
        playouts: str = "policy",
        cutoff: int = -1,
        grain: int = 0,
        public_share: float = 0.5,
        deals: int = 8,
        move_averages: bool = False,
        transpositions: bool = True,
    ) -> None: ...
    @property
    def root(self) -> State: ...
    @property
    def tree(self) -> Tree: ...
    @property
    def table(self) -> RootTable: ...
    def run(self, control: Control, seed: SupportsIndex, threads: int = 1) -> None:
        """Simulates until the control ends it. The same seed, simulations and one thread grow the same tree."""
    @property
    def simulations(self) -> int: ...
    @property
    def nodes(self) -> int:
        """Actions and chance outcomes applied."""
    @property
    def depth(self) -> int:
        """Of the tree, in decisions."""
    def strategy(self, state: State) -> tuple[list[int], list[float], list[float]] | None:
        """What the tree would play for the actor of a state, and how sure it is: three lists, best first, or None.

        Actions; probabilities (the average strategy of regret matching, else shares of visits); means of the utility.
        Without transpositions the state is the root, or one that the game's `rewind` leads to.
        """
    def mixes(self, state: State) -> bool:
        """Whether the actor of a state plays the average strategy there, and not the best move."""
    def line(self, state: State, most: int = 12, first: int | None = None) -> list[int]:
        """The tree's best moves from a state on (or `first` and those after it), up to the first chance event or its edge."""
