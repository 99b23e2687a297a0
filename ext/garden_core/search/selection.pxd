# How MCTS chooses at a node: UCB1, PUCT, or regret matching.

from libc.math cimport sqrt
from libc.stdint cimport int32_t, uint32_t
from garden_core.rng cimport Rng, uniform
from garden_core.search.tree cimport MOVE_SLOTS, UNIT_BITS, Edge, MoveAverage, Node, RegretEdge

cdef enum:
    LOGS = 4096

cdef double LOG[LOGS]      # natural logarithms of 0..LOGS-1, our own: libraries may round differently

# What the bounds need of n >= 1: to look it up takes a fraction of the time of a root or a division. A product with a reciprocal
# in double precision, rounded to a float, is what the division of floats gives, to the last bit: their quotient lies at least
# 2^-49 of its size off the middle between two floats, and the error of the product is below 2^-51.
ctypedef struct Bounding:
    double reciprocal
    double root_reciprocal   # 1 / sqrt(n)
    double log_root          # sqrt(ln n)

cdef Bounding BOUNDING[LOGS]

cdef enum Bound:
    UCB1
    PUCT

ctypedef struct Exploration:
    int bound
    double constant            # UCB1: c in c sqrt(ln N / n); PUCT: c in c P sqrt(N) / (1 + n)
    double first_play          # an unvisited move counts as the node's mean less this
    double widening            # k and a of k N^a open moves, best priors first; k = 0: all
    double widening_power


cdef inline double log_of(uint32_t n) noexcept nogil:
    """ln n for n >= 1; beyond the table by halving."""
    cdef double above = 0.0
    while n >= LOGS:
        n >>= 1
        above += 0.6931471805599453
    return LOG[n] + above


cdef inline double log_root_of(uint32_t n) noexcept nogil:
    """The square root of ln n."""
    return BOUNDING[n].log_root if n < LOGS else sqrt(log_of(n))


cdef inline float divided(float x, uint32_t n) noexcept nogil:
    """x / n."""
    return <float>(x * BOUNDING[n].reciprocal) if n < LOGS else x / <float>n


cdef inline float divided_by_root(float x, uint32_t n) noexcept nogil:
    """x / sqrt(n)."""
    return <float>(x * BOUNDING[n].root_reciprocal) if n < LOGS else x / <float>sqrt(<double>n)


cdef inline int open_moves(const Exploration *exploration, int count, uint32_t visits) noexcept nogil:
    """Progressive widening: the first k N^a moves (Coulom, "Computing Elo ratings of move patterns in the game of Go", 2007)."""
    cdef double opened
    if exploration.widening <= 0:
        return count
    if exploration.widening_power == 0.5:
        opened = exploration.widening * sqrt(<double>visits)
    else:
        opened = exploration.widening * power_of(visits, exploration.widening_power)
    return count if opened >= count else max(1, <int>opened)


cdef double power_of(uint32_t n, double exponent) noexcept nogil


cdef enum:
    AVERAGE_VISITS = 10        # a move average of fewer says nothing

cdef inline float first_value(
    const Exploration *exploration, const Node *node, const MoveAverage *averages, int32_t action
) noexcept nogil:
    """What an unvisited move counts as: its average elsewhere in the tree if that is kept and known, else the node's mean (one
    half before its first visit) less `first_play`.
    """
    cdef float unit = <float>1.0 / <float>(1 << UNIT_BITS)
    cdef const MoveAverage *average
    if averages != NULL:
        average = &averages[action & (MOVE_SLOTS - 1)]
        if average.visits >= AVERAGE_VISITS:
            return <float>average.value / <float>(1 << UNIT_BITS) / <float>average.visits
    return (<float>node.value * unit / <float>node.visits if node.visits else <float>0.5) - <float>exploration.first_play


cdef inline int best_edge(
    const Exploration *exploration, const Node *node, const Edge *edges, const MoveAverage *averages
) noexcept nogil:
    """The edge of the highest upper bound (UCB1: Auer, Cesa-Bianchi and Fischer, 2002; PUCT: Rosin 2011, in Silver et al.'s form).

    Without branches on the bounds: they cannot be foreseen.
    """
    cdef uint32_t visits = node.visits
    cdef int count = open_moves(exploration, node.count, visits)
    cdef float unit = <float>1.0 / <float>(1 << UNIT_BITS)
    cdef bint puct = exploration.bound == PUCT
    cdef float scale = <float>(exploration.constant * (sqrt(<double>visits) if puct else log_root_of(visits + 1)))
    cdef uint32_t n
    cdef float bound
    cdef float best_bound = <float>-1e30
    cdef int best = 0
    cdef int i
    for i in range(count):
        n = edges[i].visits
        if n > 0:
            bound = divided(<float>edges[i].value * unit, n)
        else:
            bound = first_value(exploration, node, averages, edges[i].action)
        if puct:
            bound += divided(scale * edges[i].prior, 1 + n)
        elif n > 0:
            bound += divided_by_root(scale, n)
        else:   # priors only order the unvisited
            bound = bound + scale * 2 + edges[i].prior
        best = i if bound > best_bound else best
        best_bound = bound if bound > best_bound else best_bound
    return best


cdef enum:
    EXPLORE_VISITS = 400       # regret matching explores at 0.1 up to so many visits, then less: with the square root

cdef inline double exploration_rate(uint32_t visits) noexcept nogil:
    return 0.1 if visits <= EXPLORE_VISITS else 0.1 * sqrt(<double>EXPLORE_VISITS / visits)


cdef inline double positive_regret(const RegretEdge *edges, int count) noexcept nogil:
    cdef double total = 0.0
    cdef int i
    for i in range(count):
        total += edges[i].regret
    return total


cdef inline double current_strategy(const RegretEdge *edges, int count, double total, int i) noexcept nogil:
    """Regret matching (Hart and Mas-Colell, 2000): in proportion to positive regret, uniform where there is none."""
    return edges[i].regret / total if total > 0 else 1.0 / count


cdef inline int sample_regret_edge(const Node *node, const RegretEdge *edges, bint updates, Rng *rng) noexcept nogil:
    """An edge by the current strategy, mixed with exploration where the visit will update it."""
    cdef double total = positive_regret(edges, node.count)
    cdef double explore = exploration_rate(node.visits) if updates else 0.0
    cdef double left = uniform(rng)
    cdef int i
    for i in range(node.count):
        left -= (1 - explore) * current_strategy(edges, node.count, total, i) + explore / node.count
        if left < 0:
            return i
    return node.count - 1


cdef inline void update_regret(const Node *node, RegretEdge *edges, int chosen, double utility) noexcept nogil:
    """Enters the utility after `chosen`, importance-weighted.

    The value of every move is estimated as its mean, corrected at the chosen one by the difference over the probability with
    which it was chosen: unbiased, and calm once the means are good (Schmid et al., "Variance reduction in Monte Carlo
    counterfactual regret minimization", 2019). Regrets are floored at 0 (Tammelin's regret matching+) and the average weighs
    later strategies more.
    """
    cdef int count = node.count
    cdef double total = positive_regret(edges, count)
    cdef double explore = exploration_rate(node.visits)
    cdef double expected = 0.0
    cdef double probability = (1 - explore) * current_strategy(edges, count, total, chosen) + explore / count
    cdef double correction = (utility - edges[chosen].mean) / probability
    cdef double share, estimate
    cdef int i
    for i in range(count):
        share = current_strategy(edges, count, total, i)
        edges[i].strategy += share * node.visits
        expected += share * (edges[i].mean + (correction if i == chosen else 0.0))
    for i in range(count):
        estimate = edges[i].mean + (correction if i == chosen else 0.0)
        edges[i].regret = max(0.0, edges[i].regret + estimate - expected)
    edges[chosen].visits += 1
    edges[chosen].mean += (utility - edges[chosen].mean) / edges[chosen].visits
