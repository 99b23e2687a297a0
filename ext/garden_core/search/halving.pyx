"""Flat Monte Carlo with sequential halving over the root's moves: a strong baseline.

Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits" (2013): the budget is cut into as many rounds
as halvings leave one move; each round gives every move still in the race the same number of playouts and drops the worse
half. What is hidden is redealt before every playout; all moves meet the same deals.
"""
from concurrent.futures import ThreadPoolExecutor

from libc.math cimport exp
from libc.stdint cimport INT64_MAX, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from garden_core.rng cimport Rng, mix64, seed_rng
from garden_core.rules cimport Loaded, apply_node
from garden_core.search.control cimport CACHE_LINES, CLOCK_EVERY, Control, now_ns
from garden_core.search.playout cimport deal_to_decision, playout
from garden_core.search.root cimport Leaf, RootTable, final_leaf
from garden_core.state cimport State

from garden_core.state import seed_of


cdef enum:
    SLICE = 2048   # playouts before Python is asked whether Ctrl-C came


cdef class Racer:
    """One thread's share of the race: its own table, playouts and random streams."""
    cdef char[CACHE_LINES] before    # of another thread's
    cdef RootTable table
    cdef void *state
    cdef uint64_t seed
    cdef bint policy
    cdef readonly int64_t nodes
    cdef readonly int64_t playouts
    cdef char[CACHE_LINES] after

    def __init__(self, State root not None, seed, policy):
        self.table = RootTable(root)
        self.seed = seed_of(seed)
        self.policy = policy
        self.state = malloc(root.game.loaded.state_size + CACHE_LINES)
        if self.state == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.state)

    cdef void run(self, const int *racing, int n, int64_t first, int64_t count, Control control, int64_t until) noexcept nogil:
        """Deals first, first + 1, ... (`count` of them, or until the time `until`): for each, a playout of every move."""
        cdef int64_t deal
        cdef int i
        for deal in range(first, first + count):
            for i in range(n):
                if self.playouts % CLOCK_EVERY == 0 and (control.ended() or now_ns() >= until):
                    return
                self.play_one(racing[i], deal)

    cdef void play_one(self, int move, int64_t deal) noexcept nogil:
        cdef const Loaded *game = &self.table.state.game.loaded
        cdef Rng rng
        cdef Leaf leaf
        cdef double weight
        cdef int nodes = 0
        seed_rng(&rng, self.seed + mix64(deal + 1))
        memcpy(self.state, self.table.state.data, game.state_size)
        weight = exp(deal_to_decision(game, self.state, self.table.player, &rng, &nodes))
        apply_node(game, self.state, self.table.moves[move].action)
        self.nodes += nodes + 1 + playout(game, self.state, self.policy, &rng)
        self.playouts += 1
        final_leaf(game, self.state, &leaf)
        self.table.add(move, &leaf, self.state, weight)


cdef class Race:
    """The rounds of sequential halving, on one or more threads."""
    cdef readonly RootTable table
    cdef list racers
    cdef Control control
    cdef list racing

    def __init__(self, State root not None, Control control not None, seed, policy, threads):
        self.racers = [Racer(root, seed_of(seed) + 0x9E3779B9 * thread, policy) for thread in range(threads)]
        self.table = RootTable(root)
        self.control = control
        self.racing = list(range(len(self.table)))

    @property
    def nodes(self):
        return sum((<Racer>racer).nodes for racer in self.racers)

    @property
    def playouts(self):
        return sum((<Racer>racer).playouts for racer in self.racers)

    def run(self):
        """All rounds; afterwards the table holds the sums and `order` ranks the moves."""
        dropped = []
        rounds = max(1, (len(self.racing) - 1).bit_length())
        for left in range(rounds, 0, -1):
            self._round(left)
            ranked = sorted(self.racing, key=self._mean, reverse=True)
            keep = (len(ranked) + 1) // 2 if left > 1 else len(ranked)
            dropped = ranked[keep:] + dropped
            self.racing = ranked[:keep]
            if self.control.ended():
                break
        self._gather()
        return self.racing + dropped

    def _round(self, int left):
        """An equal share of what is left of the budget."""
        cdef int64_t until = INT64_MAX
        cdef int64_t count = INT64_MAX // 4
        cdef int64_t budget
        threads = len(self.racers)
        if self.control.simulations >= 0:
            budget = (self.control.simulations - self.playouts) // left
            count = max(budget // (len(self.racing) * threads), 1)
        if self.control.deadline != INT64_MAX:
            until = now_ns() + (self.control.deadline - now_ns()) // left
        if threads == 1:
            self._race(self.racers[0], count, until)
        else:
            with ThreadPoolExecutor(threads) as pool:
                for future in [pool.submit(self._race, racer, count, until) for racer in self.racers]:
                    future.result()

    def _race(self, Racer racer, int64_t count, int64_t until):
        cdef int n = len(self.racing)
        cdef int *racing = <int *>malloc(n * sizeof(int))
        cdef int64_t first = racer.playouts
        cdef int64_t done = 0
        cdef int64_t some
        if racing == NULL:
            raise MemoryError
        for i, move in enumerate(self.racing):
            racing[<int>i] = move
        try:
            while done < count and not self.control.ended() and now_ns() < until:
                some = min(count - done, 1 + SLICE // n)
                with nogil:
                    racer.run(racing, n, first + done, some, self.control, until)
                done += some
                self.control.listen()
        finally:
            free(racing)

    def _mean(self, int move):
        cdef double weight = 0.0
        cdef double utility = 0.0
        for racer in self.racers:
            weight += (<Racer>racer).table.moves[move].weight
            utility += (<Racer>racer).table.moves[move].utility
        return utility / weight if weight > 0 else -1.0

    def _gather(self):
        for racer in self.racers:
            self.table.merge((<Racer>racer).table)


def search(State root not None, Control control not None, seed, bint policy=True, int threads=1):
    """Races the root's moves. Returns (table, order of the moves, nodes, playouts)."""
    race = Race(root, control, seed, policy, threads)
    order = race.run()
    return race.table, order, race.nodes, race.playouts


def mean_components(State root not None, int move, int64_t count, seed):
    """The mover's mean final components over playouts by policy after the root's move of that place: float64 [components].

    Moves are followed by the same deals and draws, so that they compare.
    """
    cdef Racer racer = Racer(root, seed, True)
    cdef int64_t deal
    with nogil:
        for deal in range(count):
            racer.play_one(move, deal)
    return racer.table.components()[move, racer.table.player]
