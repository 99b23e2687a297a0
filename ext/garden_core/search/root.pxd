# Statistics of the root's moves, which every search gathers alike, and how a simulation ends.

from libc.stdint cimport int32_t, int64_t
from garden_core.rules cimport MAX_PLAYERS, Loaded
from garden_core.state cimport State

# How a simulation ended, for every player.
ctypedef struct Leaf:
    bint final                       # at the end of the game; else an estimate
    double utility[MAX_PLAYERS]
    double win[MAX_PLAYERS]          # share of the first place
    double score[MAX_PLAYERS]

# Sums over the simulations that began with one move, each with its weight.
ctypedef struct RootMove:
    int32_t action
    int64_t visits
    double weight
    double utility                   # of the player to move
    double utility_square
    double win
    double win_square
    double score[MAX_PLAYERS]
    double final_weight              # of the simulations that reached the end: only they have components
    double *components               # [player * component_count + component]

cdef void final_leaf(const Loaded *game, const void *state, Leaf *leaf) noexcept nogil
cdef void estimated_leaf(const Loaded *game, const void *state, Leaf *leaf) noexcept nogil


cdef class RootTable:
    cdef State state
    cdef readonly int player
    cdef int count
    cdef RootMove *moves
    cdef double *memory
    cdef double *scratch             # components of one leaf
    cdef int values                  # players * component_count

    cdef void add(self, int move, const Leaf *leaf, const void *state, double weight) noexcept nogil
    cdef void merge(self, RootTable other) noexcept nogil
