"""`Control`: when a search ends, and how it is stopped from another thread or by Ctrl-C."""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport INT64_MAX, int64_t


cdef class Control:
    """The limits of one search: simulations, seconds from now, or both; without any, until `stop`."""

    def __init__(self, simulations=None, seconds=None):
        self.simulations = -1 if simulations is None else simulations
        self.begun = now_ns()
        self.deadline = INT64_MAX if seconds is None else self.begun + <int64_t>(min(seconds, 1e9) * 1e9)

    def stop(self):
        """Ends the search soon; it answers with the best so far. May be called from any thread."""
        set_flag(&self.stopped)

    @property
    def seconds(self):
        """Seconds since the search began."""
        return (now_ns() - self.begun) * 1e-9

    def interrupt(self, *_signal):
        """Like `stop`, and remembers that it was Ctrl-C: a handler of the signal, set by whoever runs the search."""
        self.interrupted = True
        self.stop()

    cdef int listen(self) except -1:
        """Between two slices: lets Python handle signals that came meanwhile. Only the main thread hears them."""
        return PyErr_CheckSignals()
