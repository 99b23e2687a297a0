# One playout: a game played to its end by random or policy moves. Searches and the bench use it.

from libc.stdint cimport int32_t
from garden_core.rng cimport Rng
from garden_core.rules cimport CHANCE, TERMINAL, Loaded, apply_node


cdef inline int playout(const Loaded *game, void *state, bint policy, Rng *rng, int limit=-1) noexcept nogil:
    """Plays `state` to its end in place, or for `limit` nodes; returns the nodes: actions and chance outcomes applied."""
    cdef int nodes = 0
    cdef int actor
    cdef int32_t action
    if not policy and limit < 0 and game.rules.lighten != NULL:
        game.rules.lighten(game.tables, state)
    while nodes != limit:
        actor = game.rules.actor(game.tables, state)
        if actor == TERMINAL:
            return nodes
        if actor == CHANCE:
            action = game.rules.draw(game.tables, state, rng)
        elif policy:
            action = game.rules.policy_action(game.tables, state, rng)
        else:
            action = game.rules.random_action(game.tables, state, rng)
        apply_node(game, state, action)
        nodes += 1
    return nodes


cdef inline double deal_to_decision(const Loaded *game, void *state, int player, Rng *rng, int *nodes) noexcept nogil:
    """Redeals `state`, where `player` is to move, from what he knows, in place; returns the log weight of the deal.

    An open simultaneous phase is taken back and those who choose before him choose anew, so that he thinks the same
    whether they have chosen or not. Adds the nodes applied.
    """
    cdef double log_weight = game.rules.redeal(game.tables, state, player, rng)
    game.rules.withdraw(game.tables, state)
    while game.rules.actor(game.tables, state) != player:
        apply_node(game, state, game.rules.policy_action(game.tables, state, rng))
        nodes[0] += 1
    return log_weight
