# The tree of MCTS: one hash table of nodes, one for each information set of its actor, and one arena of their edges.
#
# The table doubles between simulations as it fills. A node is entered on its first visit and gets edges on its second, so that the many nodes seen once cost 32 bytes. When
# the memory allowed is used up the search goes on without growing. Sums of utilities are whole numbers (UNIT to 1.0), so
# that threads may add in any order and nothing is lost.

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t

cdef enum:
    UNIT_BITS = 30

cdef enum Stage:
    BARE          # no edges yet
    GROWING       # a thread is listing them
    GROWN

ctypedef struct Node:
    uint64_t key          # 0: an empty slot
    int64_t value         # sum of the actor's utilities
    uint32_t visits
    uint32_t edges        # where they begin in the arena, in units of 8 bytes
    uint16_t count        # of edges
    uint16_t stage
    uint16_t regret       # whether the edges are RegretEdges
    uint16_t unused

# An action of the information set, as UCB1 and PUCT see it; best prior first.
ctypedef struct Edge:
    int32_t action
    float prior
    uint32_t visits       # where threads share the tree, walks that have not come back are counted, as lost: it parts them
    uint32_t unused
    int64_t value

# An action as regret matching sees it.
ctypedef struct RegretEdge:
    int32_t action
    uint32_t visits
    double regret         # cumulative, floored at 0 (regret matching+)
    double strategy       # cumulative, without exploration: the average is what is played
    double mean           # of the utility after this action: the baseline of the estimates


# What a move has brought its player anywhere in the tree.
ctypedef struct MoveAverage:
    int64_t value
    uint32_t visits
    uint32_t unused

cdef enum:
    MOVE_SLOTS = 4096     # of move averages for each player, by the low bits of the action


cdef class Tree:
    cdef Node *nodes
    cdef uint64_t mask            # slots - 1
    cdef uint64_t most_slots
    cdef uint64_t node_capacity
    cdef uint64_t *arena
    cdef uint64_t arena_size      # in units of 8 bytes
    cdef bint shared              # by several threads
    cdef uint64_t[8] apart        # keeps what threads write off the cache line of what they all read
    cdef uint64_t arena_used
    cdef uint64_t node_count
    cdef readonly int full        # whether something did not fit

    cdef Node *find(self, uint64_t key) noexcept nogil
    cdef Node *find_or_add(self, uint64_t key, bint *added) noexcept nogil
    cdef void *allocate(self, uint64_t bytes, uint32_t *where) noexcept nogil
    cdef inline Edge *edges(self, const Node *node) noexcept nogil:
        return <Edge *>(self.arena + node.edges)
    cdef inline RegretEdge *regret_edges(self, const Node *node) noexcept nogil:
        return <RegretEdge *>(self.arena + node.edges)
