"""`Control`: when a search ends, and how it is stopped from another thread or by Ctrl-C."""

class Control:
    """The limits of one search: simulations, seconds from now, or both; without any, until `stop`."""

    def __init__(self, simulations: int | None = None, seconds: float | None = None) -> None: ...
    @property
    def simulations(self) -> int:
        """At most so many; -1: no limit."""
    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it."""
    def stop(self) -> None:
        """Ends the search soon; it answers with the best so far. May be called from any thread."""
    def interrupt(self, *_signal: object) -> None:
        """Like `stop`, and remembers that it was Ctrl-C: a handler of the signal, set by whoever runs the search."""
    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
