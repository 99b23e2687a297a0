"""What the contract offers to searches only, made visible to tests."""
import numpy as np

from libc.stdint cimport int32_t

from garden_core.rng cimport Rng, seed_rng
from garden_core.rules cimport CHANCE, TERMINAL, apply_node
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


def played_out(State state, int seed, bint light):
    """The state after random moves to the end, lightened first or not; None where a game has no such thing."""
    cdef Game game = state.game
    cdef State end = state.copy()
    cdef Rng rng
    if game.loaded.rules.lighten == NULL:
        return None
    seed_rng(&rng, seed)
    if light:
        game.loaded.rules.lighten(game.loaded.tables, end.data)
    while game.loaded.rules.actor(game.loaded.tables, end.data) != TERMINAL:
        if game.loaded.rules.actor(game.loaded.tables, end.data) == CHANCE:
            apply_node(&game.loaded, end.data, game.loaded.rules.draw(game.loaded.tables, end.data, &rng))
        else:
            apply_node(&game.loaded, end.data, game.loaded.rules.random_action(game.loaded.tables, end.data, &rng))
    return end
