"""`Tree`: the memory of MCTS."""

class Tree:
    """At most `memory` bytes, less where `simulations` (-1: not known) cannot need as much."""

    def __init__(self, memory: int, simulations: int, edge_bytes: int) -> None: ...
    def __len__(self) -> int:
        """Nodes in use."""
    @property
    def full(self) -> int:
        """Whether something did not fit."""
    @property
    def bytes_used(self) -> int:
        """Of the slots and the edges taken."""
    @property
    def bytes_reserved(self) -> int:
        """At the most: never more than the cap."""
    def room(self) -> int:
        """How many nodes may still come before `grow` is due; -1: it never is again."""
    def grow(self) -> None:
        """Twice the slots. Nobody may hold a node meanwhile."""
