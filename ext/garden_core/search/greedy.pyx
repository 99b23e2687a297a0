"""One ply of `evaluate`: the move after which the game's own estimate is best, averaged over redeals."""
from libc.math cimport exp
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from garden_core.rng cimport Rng, mix64, seed_rng
from garden_core.rules cimport TERMINAL, Loaded, apply_node
from garden_core.search.playout cimport deal_to_decision
from garden_core.search.root cimport Leaf, RootTable, estimated_leaf, final_leaf
from garden_core.state cimport State

from garden_core.state import seed_of

cdef enum:
    REDEALS = 16     # where something is hidden


def search(State root not None, seed):
    """Evaluates every move of the root once, or once a redeal. Returns (table, nodes)."""
    cdef RootTable table = RootTable(root)
    cdef const Loaded *game = &root.game.loaded
    cdef uint64_t base = seed_of(seed)
    cdef int redeals = REDEALS if game.hidden else 1
    cdef int nodes = 0
    cdef int move, deal
    cdef double weight
    cdef Rng rng
    cdef Leaf leaf
    cdef void *state = malloc(game.state_size)
    if state == NULL:
        raise MemoryError
    with nogil:
        for move in range(table.count):
            for deal in range(redeals):
                seed_rng(&rng, base + mix64(deal + 1))
                memcpy(state, root.data, game.state_size)
                weight = exp(deal_to_decision(game, state, table.player, &rng, &nodes))
                apply_node(game, state, table.moves[move].action)
                nodes += 1
                if game.rules.actor(game.tables, state) == TERMINAL:
                    final_leaf(game, state, &leaf)
                else:
                    estimated_leaf(game, state, &leaf)
                table.add(move, &leaf, state, weight)
    free(state)
    return table, nodes
