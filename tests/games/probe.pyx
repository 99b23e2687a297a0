"""What the contract offers to searches only, made visible to tests."""
import numpy as np

from libc.stdint cimport int32_t

from garden_core.state cimport Game, State


def rewind(State state):
    """The state taken back to the last common knowledge, and the steps from there to here; None where a game has none."""
    cdef Game game = state.game
    cdef State back = state.copy()
    if game.loaded.rules.rewind == NULL:
        return None
    steps = np.empty(game.loaded.max_nodes + 1, dtype=np.int32)
    cdef int32_t[::1] out = steps
    cdef int n = game.loaded.rules.rewind(game.loaded.tables, back.data, &out[0])
    return back, steps[:n].tolist()
