"""`RootTable`: what a search learns about each move of the root, gathered alike by every search."""
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free, malloc

from garden_core.rules cimport MAX_PLAYERS, Loaded, win_shares
from garden_core.search.control cimport CACHE_LINES
from garden_core.state cimport State

import numpy as np


cdef void final_leaf(const Loaded *game, const void *state, Leaf *leaf) noexcept nogil:
    """The end of a game."""
    cdef int32_t places[MAX_PLAYERS]
    leaf.final = True
    game.rules.scores(game.tables, state, leaf.score)
    game.rules.utilities(game.tables, state, leaf.utility)
    game.rules.placing(game.tables, state, places)
    win_shares(game.players, places, leaf.win)


cdef void estimated_leaf(const Loaded *game, const void *state, Leaf *leaf) noexcept nogil:
    """A cut-off: the game's own estimate; the share of the first place is what such a utility most likely means."""
    cdef int player
    leaf.final = False
    game.rules.evaluate(game.tables, state, leaf.utility, leaf.score)
    for player in range(game.players):
        leaf.win[player] = min(1.0, max(0.0, (leaf.utility[player] - 0.05) / 0.9))


cdef class RootTable:
    """The legal moves of a state, mirror-equal ones once, with the sums over the simulations that began with each."""

    def __init__(self, State state not None):
        cdef const Loaded *game = &state.game.loaded
        cdef int move
        self.state = state
        self.player = state.actor
        actions = sorted({state.canonical(action) for action in state.legal_actions().tolist()})
        self.count = len(actions)
        self.values = game.players * game.component_count
        self.moves = <RootMove *>calloc(1, self.count * sizeof(RootMove) + CACHE_LINES)
        self.memory = <double *>calloc(1, self.count * self.values * sizeof(double) + CACHE_LINES)
        self.scratch = <double *>malloc(self.values * sizeof(double) + CACHE_LINES)
        if self.moves == NULL or self.memory == NULL or self.scratch == NULL:
            raise MemoryError
        for move, action in enumerate(actions):
            self.moves[move].action = action
            self.moves[move].components = self.memory + move * self.values

    def __dealloc__(self):
        free(self.moves)
        free(self.memory)
        free(self.scratch)

    def __len__(self):
        return self.count

    cdef void add(self, int move, const Leaf *leaf, const void *state, double weight) noexcept nogil:
        """Enters a simulation that began with this move and ended so (in `state`, where the end is final)."""
        cdef const Loaded *game = &self.state.game.loaded
        cdef RootMove *entry = &self.moves[move]
        cdef int i
        entry.visits += 1
        entry.weight += weight
        entry.utility += weight * leaf.utility[self.player]
        entry.utility_square += weight * leaf.utility[self.player] * leaf.utility[self.player]
        entry.win += weight * leaf.win[self.player]
        entry.win_square += weight * leaf.win[self.player] * leaf.win[self.player]
        for i in range(game.players):
            entry.score[i] += weight * leaf.score[i]
        if leaf.final:
            entry.final_weight += weight
            game.rules.components(game.tables, state, self.scratch)
            for i in range(self.values):
                entry.components[i] += weight * self.scratch[i]

    cdef void merge(self, RootTable other) noexcept nogil:
        """Adds the sums of another table of the same state, as another thread gathered them."""
        cdef int move, i
        cdef RootMove *entry
        cdef const RootMove *added
        for move in range(self.count):
            entry = &self.moves[move]
            added = &other.moves[move]
            entry.visits += added.visits
            entry.weight += added.weight
            entry.utility += added.utility
            entry.utility_square += added.utility_square
            entry.win += added.win
            entry.win_square += added.win_square
            entry.final_weight += added.final_weight
            for i in range(self.state.game.players):
                entry.score[i] += added.score[i]
            for i in range(self.values):
                entry.components[i] += added.components[i]

    def actions(self):
        """int32 [n]."""
        return np.array([self.moves[i].action for i in range(self.count)], dtype=np.int32)

    def visits(self):
        """int64 [n]."""
        return np.array([self.moves[i].visits for i in range(self.count)], dtype=np.int64)

    def _means(self, values, weights):
        out = np.full(values.shape, np.nan)
        return np.divide(values, weights, out=out, where=np.broadcast_to(weights, values.shape) > 0)

    def _weights(self):
        return np.array([self.moves[i].weight for i in range(self.count)])

    def utilities(self):
        """Means of the mover's utility and their standard errors: two arrays float64 [n], NaN without visits."""
        return self._mean_and_error(np.array([self.moves[i].utility for i in range(self.count)]),
                                    np.array([self.moves[i].utility_square for i in range(self.count)]))

    def wins(self):
        """Means of the mover's share of first places and their standard errors: two arrays float64 [n]."""
        return self._mean_and_error(np.array([self.moves[i].win for i in range(self.count)]),
                                    np.array([self.moves[i].win_square for i in range(self.count)]))

    def _mean_and_error(self, sums, squares):
        weights = self._weights()
        mean = self._means(sums, weights)
        variance = np.maximum(self._means(squares, weights) - mean * mean, 0.0)
        return mean, np.sqrt(self._means(variance, self.visits().astype(float)))

    def scores(self):
        """Mean final scores: float64 [n, players]."""
        sums = np.array([[self.moves[i].score[p] for p in range(self.state.game.players)] for i in range(self.count)])
        return self._means(sums.reshape(self.count, self.state.game.players), self._weights()[:, None])

    def components(self):
        """Mean final components: float64 [n, players, components]."""
        sums = np.array([[self.moves[i].components[k] for k in range(self.values)] for i in range(self.count)])
        weights = np.array([self.moves[i].final_weight for i in range(self.count)])
        shape = (self.count, self.state.game.players, self.state.game.loaded.component_count)
        return self._means(sums.reshape(shape), weights[:, None, None])
