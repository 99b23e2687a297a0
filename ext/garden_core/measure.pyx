"""Loops that the bench times: playouts, copies, legal moves, redeals; each below the Python boundary, the GIL released.

Every loop's answer depends on its work, so that no compiler can drop it.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from garden_core.rng cimport Rng, seed_rng
from garden_core.rules cimport MAX_PLAYERS, Loaded
from garden_core.search.playout cimport playout
from garden_core.search.root cimport Leaf, final_leaf
from garden_core.state cimport State

from garden_core.state import seed_of


cdef class Scratch:
    """Memory for a loop, freed with the object."""
    cdef void *data

    def __cinit__(self, size_t size):
        self.data = malloc(size)
        if self.data == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.data)


def playouts(State root not None, long count, seed, bint policy=False):
    """Plays `count` games from `root` to their ends. Returns (nodes, sum of player 0's scores)."""
    cdef const Loaded *game = &root.game.loaded
    cdef Scratch scratch = Scratch(game.state_size)
    cdef Rng rng
    cdef double points[MAX_PLAYERS]
    cdef double total = 0.0
    cdef long nodes = 0
    cdef long _i
    seed_rng(&rng, seed_of(seed))
    with nogil:
        for _i in range(count):
            memcpy(scratch.data, root.data, game.state_size)
            nodes += playout(game, scratch.data, policy, &rng)
            game.rules.scores(game.tables, scratch.data, points)
            total += points[0]
    return nodes, total


def copies(State root not None, long count, bint contract=True):
    """Copies a state `count` times, in a ring of 16 copies that fits the first-level cache; returns a sum of bytes.

    With `contract` as every search does it, size read from the loaded game; without, a bare memcpy of the same runtime size.
    """
    cdef const Loaded *game = &root.game.loaded
    cdef size_t size = game.state_size
    cdef size_t stride = (size + 63) & ~<size_t>63
    cdef Scratch scratch = Scratch(17 * stride)
    cdef char *ring = <char *>scratch.data
    cdef long total = 0
    cdef long i
    memcpy(ring, root.data, size)
    with nogil:
        if contract:
            for i in range(count):
                memcpy(ring + (1 + (i & 15)) * stride, ring + (i & 15) * stride, game.state_size)
                total += ring[(1 + (i & 15)) * stride + 8]
        else:
            for i in range(count):
                memcpy(ring + (1 + (i & 15)) * stride, ring + (i & 15) * stride, size)
                total += ring[(1 + (i & 15)) * stride + 8]
    return total


def legal_moves(State root not None, long count):
    """Lists the legal actions of `root` `count` times; returns the sum of their numbers."""
    cdef const Loaded *game = &root.game.loaded
    cdef Scratch scratch = Scratch(game.max_actions * sizeof(int32_t))
    cdef long total = 0
    cdef long _i
    with nogil:
        for _i in range(count):
            total += game.rules.actions(game.tables, root.data, <int32_t *>scratch.data)
    return total


def keys(State root not None, long count, int observer):
    """Hashes `root` as `observer` knows it `count` times; returns the xor of the keys."""
    cdef const Loaded *game = &root.game.loaded
    cdef uint64_t total = 0
    cdef long i
    with nogil:
        for i in range(count):
            total ^= game.rules.key(game.tables, root.data, observer, 0) + i
    return total


def redeals(State root not None, long count, int observer, seed):
    """Redeals `root` for `observer` `count` times; returns the xor of the keys."""
    cdef const Loaded *game = &root.game.loaded
    cdef Scratch scratch = Scratch(game.state_size)
    cdef Rng rng
    cdef uint64_t total = 0
    cdef long _i
    seed_rng(&rng, seed_of(seed))
    with nogil:
        for _i in range(count):
            memcpy(scratch.data, root.data, game.state_size)
            game.rules.redeal(game.tables, scratch.data, observer, &rng)
            total ^= (<uint64_t *>scratch.data)[0]
    return total


def mean_result(State root not None, long count, seed, bint policy=True):
    """Plays `count` games from `root` to their ends. Returns (mean utilities, mean scores), a list each."""
    cdef const Loaded *game = &root.game.loaded
    cdef Scratch scratch = Scratch(game.state_size)
    cdef Rng rng
    cdef Leaf leaf
    cdef double utilities[MAX_PLAYERS]
    cdef double points[MAX_PLAYERS]
    cdef long _i
    cdef int player
    seed_rng(&rng, seed_of(seed))
    for player in range(MAX_PLAYERS):
        utilities[player] = 0.0
        points[player] = 0.0
    with nogil:
        for _i in range(count):
            memcpy(scratch.data, root.data, game.state_size)
            playout(game, scratch.data, policy, &rng)
            final_leaf(game, scratch.data, &leaf)
            for player in range(game.players):
                utilities[player] += leaf.utility[player] / count
                points[player] += leaf.score[player] / count
    return ([utilities[player] for player in range(game.players)], [points[player] for player in range(game.players)])
