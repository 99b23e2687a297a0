"""Expectimax: every move and every chance outcome to a depth, deepened until the time is up or the game is searched out.

Two players (utilities sum to 1) and one alone: alpha-beta with Star1 and Star2 cuts at chance events, by the game's bounds of
utility (Ballard, "The *-minimax search procedure for trees containing chance nodes", 1983; Hauk, Buro and Schaeffer,
"Rediscovering *-minimax search", 2004). Three players and more: max^n (Luckhardt and Irani, 1986), each maximising his own
utility, equal ones decided for the lowest action. Depth counts decisions; chance events are free.

What is hidden is averaged over redeals; rivals' choices in a simultaneous phase over their priors. An end searched out without
an estimate or a sample is solved, and its value exact.
"""
from libc.math cimport exp
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from garden_core.rng cimport Rng, mix64, seed_rng
from garden_core.rules cimport ALL, CHANCE, TERMINAL, Loaded, apply_node
from garden_core.search.control cimport Control, now_ns
from garden_core.search.playout cimport deal_to_decision
from garden_core.search.root cimport Leaf, RootTable, estimated_leaf, final_leaf
from garden_core.state cimport State

from garden_core.state import seed_of

cdef enum:
    COUNT_EVERY = 1024       # nodes between two looks at their number
    CLOCK_EVERY = 64         # and at the clock: a node may take a tenth of a millisecond
    LISTEN_EVERY = 50_000_000   # nanoseconds until Python is asked again whether Ctrl-C came
    PROBES = 4               # slots looked at in the transposition table
    FIRST_SLOTS = 1024       # of it; it grows with use, since fresh memory costs more than a small search

cdef enum BoundKind:
    EXACT
    LOWER                    # the value is at least this
    UPPER

# What a state was found to be worth for player 0, with the line that leads there summed up.
ctypedef struct Entry:
    uint64_t key             # 0: empty
    int32_t action           # the best; -1: none
    int32_t depth
    int32_t kind
    bint complete            # no estimate and no sample below: holds at any depth
    Leaf leaf

# The memory of one level of the recursion.
ctypedef struct Level:
    char *state
    int32_t *actions
    float *priors
    double *probabilities    # of chance outcomes
    double *lower            # bounds of chance outcomes, the game's or closer ones from probing
    double *upper


cdef class Expectimax:
    """One search. `star` is 0 (full windows at chance), 1 or 2; `samples` outcomes are drawn where they cannot be listed."""
    cdef readonly State root
    cdef readonly RootTable table
    cdef readonly int64_t nodes
    cdef int64_t heard           # when Python was asked last
    cdef readonly int depth              # of the last iteration that was finished
    cdef readonly bint solved
    cdef Control control
    cdef Level *levels
    cdef int level_count
    cdef char *memory
    cdef Entry *entries
    cdef uint64_t mask                   # slots - 1
    cdef uint64_t most_slots
    cdef uint64_t used
    cdef readonly bint full
    cdef Rng rng
    cdef int star
    cdef int samples
    cdef int redeals
    cdef bint maxn
    cdef bint estimated                  # something below the current node was an estimate or a sample
    cdef bint aborted
    cdef object raised
    cdef double low
    cdef double high

    def __init__(self, State root not None, *, memory=64 << 20, star=2, samples=16, redeals=8, transpositions=True):
        cdef const Loaded *game = &root.game.loaded
        cdef size_t widest = max(game.max_actions, game.max_outcomes)
        cdef size_t state_bytes = (game.state_size + 15) // 16 * 16
        cdef size_t list_bytes = (widest * 8 + 15) // 16 * 16
        cdef size_t bytes = state_bytes + 5 * list_bytes
        cdef int i
        self.root = root
        self.table = RootTable(root)
        self.star = star
        self.samples = samples
        self.redeals = redeals if game.hidden else 1
        self.maxn = game.players > 2
        self.low = game.utility_low
        self.high = game.utility_high
        self.level_count = game.max_nodes + 2
        self.levels = <Level *>calloc(self.level_count, sizeof(Level))
        self.memory = <char *>malloc(self.level_count * bytes)
        self.most_slots = 0
        self.mask = FIRST_SLOTS - 1
        if transpositions:
            self.most_slots = max(memory - self.level_count * bytes, 0) // sizeof(Entry)
            self.entries = <Entry *>calloc(FIRST_SLOTS, sizeof(Entry))
        if self.levels == NULL or self.memory == NULL or (transpositions and self.entries == NULL):
            raise MemoryError
        for i in range(self.level_count):
            self.levels[i].state = self.memory + i * bytes
            self.levels[i].actions = <int32_t *>(self.levels[i].state + state_bytes)
            self.levels[i].priors = <float *>(self.levels[i].state + state_bytes + list_bytes)
            self.levels[i].probabilities = <double *>(self.levels[i].state + state_bytes + 2 * list_bytes)
            self.levels[i].lower = <double *>(self.levels[i].state + state_bytes + 3 * list_bytes)
            self.levels[i].upper = <double *>(self.levels[i].state + state_bytes + 4 * list_bytes)

    def __dealloc__(self):
        free(self.levels)
        free(self.memory)
        free(self.entries)

    @property
    def bytes_reserved(self):
        """Of the transposition table."""
        return (self.mask + 1) * sizeof(Entry) if self.entries != NULL else 0

    # The root

    def run(self, Control control not None, seed, int most_depth=1000, int exact_moves=3):
        """Deepens until the control ends it, the game is searched out or `most_depth` is done.

        The best `exact_moves` have exact values, the others bounds. Returns the order of the moves, the best first.
        """
        cdef int depth
        cdef bint deals = self.redeals > 1
        self.control = control
        order = list(range(self.table.count))
        values = [0.0] * self.table.count
        leaves = [None] * self.table.count
        for depth in range(1, most_depth + 1):
            self.estimated = False
            done = {}
            for move in order:
                bound = sorted((value for value, _ in done.values()), reverse=True)[exact_moves - 1:exact_moves]
                found = self._value(move, depth, seed, bound[0] if bound and not deals else None)
                if self.aborted:
                    break
                done[move] = found
            if self.aborted and not done:
                break
            # a broken-off iteration counts as far as it came, since the best of the last one went first
            for move, (value, leaf) in done.items():
                values[move], leaves[move] = value, leaf
            finished = sorted(done, key=lambda move: (-values[move], move))
            order = finished + [move for move in order if move not in done]
            if self.aborted:
                break
            self.depth = depth
            if not self.estimated and not deals:
                self.solved = True
                break
        self._enter(leaves)
        return order

    def _value(self, int move, int depth, seed, bound):
        """(the mover's utility, its leaf) after one of the root's moves; at or below `bound` only an upper bound."""
        cdef const Loaded *game = &self.root.game.loaded
        cdef int me = self.table.player
        cdef double alpha = self.low
        cdef double beta = self.high
        cdef double weight
        cdef double total = 0.0
        cdef double weights = 0.0
        cdef int deal, i
        cdef int steps = 0
        cdef Leaf leaf
        cdef Leaf mean
        cdef uint64_t base = seed_of(seed)
        memset(&mean, 0, sizeof(mean))
        if bound is not None:
            if me == 0:
                alpha = min(bound, beta - 1e-12)   # an empty window would say nothing
            else:
                beta = max(1.0 - bound, alpha + 1e-12)
        self._grow()
        for deal in range(self.redeals):
            seed_rng(&self.rng, base + mix64(deal + 1))
            memcpy(self.levels[0].state, self.root.data, game.state_size)
            with nogil:
                weight = exp(deal_to_decision(game, self.levels[0].state, me, &self.rng, &steps))
                apply_node(game, self.levels[0].state, self.table.moves[move].action)
                self.nodes += 1
                self.visit(game, 0, depth - 1, alpha, beta, &leaf)
            if self.raised is not None:
                raise self.raised
            if self.aborted:
                return None
            total += weight * leaf.utility[me]
            weights += weight
            for i in range(game.players):
                mean.utility[i] += weight * leaf.utility[i]
                mean.win[i] += weight * leaf.win[i]
                mean.score[i] += weight * leaf.score[i]
        for i in range(game.players):
            mean.utility[i] /= weights
            mean.win[i] /= weights
            mean.score[i] /= weights
        return total / weights, <bytes>(<char *>&mean)[:sizeof(Leaf)]

    def _grow(self):
        """A transposition table four times as large, once half of this one is in use and while the memory allows it."""
        cdef uint64_t slots = (self.mask + 1) * 4
        cdef Entry *old = self.entries
        cdef uint64_t old_slots = self.mask + 1
        cdef uint64_t i
        if self.entries == NULL or self.used * 2 < old_slots or slots > self.most_slots:
            return
        cdef Entry *entries = <Entry *>calloc(slots, sizeof(Entry))
        if entries == NULL:
            return
        self.entries = entries
        self.mask = slots - 1
        self.used = 0
        for i in range(old_slots):
            if old[i].key:
                memcpy(self.entry_of(old[i].key), &old[i], sizeof(Entry))
                self.used += 1
        free(old)

    cdef _enter(self, leaves):
        """The moves' values as the table's only sample of each."""
        cdef Leaf leaf
        cdef const char *data
        for move, packed in enumerate(leaves):
            if packed is not None:
                data = packed
                memcpy(&leaf, data, sizeof(Leaf))
                self.table.add(move, &leaf, self.root.data, 1.0)

    # A node. The value is player 0's utility (two players and one alone); the leaf sums up the line for everyone.

    cdef double visit(self, const Loaded *game, int level, int depth, double alpha, double beta, Leaf *leaf) noexcept nogil:
        """The value of the state at `level`, exact within (alpha, beta), a bound outside."""
        cdef void *state = self.levels[level].state
        cdef int actor = game.rules.actor(game.tables, state)
        cdef bint outside = self.estimated
        cdef uint64_t key = 0
        cdef Entry *entry = NULL
        cdef int32_t best = -1
        cdef double value
        if actor == TERMINAL:
            final_leaf(game, state, leaf)
            return leaf.utility[0]
        if depth == 0:
            self.estimated = True
            estimated_leaf(game, state, leaf)
            return leaf.utility[0]
        if self.ended():
            return 0.0
        self.estimated = False
        if self.entries != NULL:
            key = game.rules.key(game.tables, state, ALL, 0)
            key |= key == 0
            entry = self.entry_of(key)
            if entry != NULL and entry.key == key:
                best = entry.action
                if self.answers(entry, depth, alpha, beta):
                    leaf[0] = entry.leaf
                    self.estimated = outside or not entry.complete
                    return leaf.utility[0]
        if actor == CHANCE:
            value = self.visit_chance(game, level, depth, alpha, beta, leaf)
        elif game.rules.simultaneous(game.tables, state) and actor != self.table.player:
            value = self.visit_rival_in_the_dark(game, level, depth, leaf)
        else:
            value = self.visit_decision(game, level, depth, alpha, beta, actor, &best, leaf)
        if entry != NULL and not self.aborted:
            self.remember(entry, key, depth, best, value, alpha, beta, leaf)
        self.estimated = self.estimated or outside
        return value

    cdef bint ended(self) noexcept nogil:
        self.nodes += 1
        if self.nodes % COUNT_EVERY == 0 and self.control.simulations >= 0 and self.nodes >= self.control.simulations:
            self.aborted = True
        if self.nodes % CLOCK_EVERY == 0:
            if self.control.ended():
                self.aborted = True
            elif now_ns() - self.heard > LISTEN_EVERY:
                self.heard = now_ns()
                with gil:
                    self.listen()
        return self.aborted

    cdef void listen(self) noexcept:
        """A signal handler that raises ends the search; its exception is raised again when the search comes back."""
        try:
            self.control.listen()
        except BaseException as error:
            self.raised = error
            self.aborted = True

    # Transpositions

    cdef Entry *entry_of(self, uint64_t key) noexcept nogil:
        """The entry of a key, else the one to write it to: an empty one, or the shallowest nearby."""
        cdef Entry *chosen = NULL
        cdef Entry *entry
        cdef int probe
        for probe in range(PROBES):
            entry = &self.entries[(key + probe) & self.mask]
            if entry.key == key:
                return entry
            if entry.key == 0:
                return entry
            if chosen == NULL or entry.depth < chosen.depth:
                chosen = entry
        self.full = self.mask + 1 > self.most_slots // 4
        return chosen

    cdef bint answers(self, const Entry *entry, int depth, double alpha, double beta) noexcept nogil:
        if entry.depth != depth and not entry.complete:
            return False
        if entry.kind == EXACT:
            return True
        return entry.leaf.utility[0] >= beta if entry.kind == LOWER else entry.leaf.utility[0] <= alpha

    cdef void remember(self, Entry *entry, uint64_t key, int depth, int32_t best, double value, double alpha, double beta,
                       const Leaf *leaf) noexcept nogil:
        self.used += entry.key == 0
        entry.key = key
        entry.depth = depth
        entry.action = best
        entry.complete = not self.estimated
        entry.leaf = leaf[0]
        entry.leaf.utility[0] = value
        entry.kind = EXACT
        if not self.maxn:
            if value <= alpha and value > self.low:
                entry.kind = UPPER
            elif value >= beta and value < self.high:
                entry.kind = LOWER

    # Decisions

    cdef double visit_decision(
        self, const Loaded *game, int level, int depth, double alpha, double beta, int actor, int32_t *best, Leaf *leaf
    ) noexcept nogil:
        """The actor's best move. `best` comes in as the move to try first and goes out as the best."""
        cdef Level *here = &self.levels[level]
        cdef int n = self.ordered_moves(game, level, depth, best[0])
        cdef bint estimated = False
        cdef double value
        cdef double best_value = 0.0
        cdef Leaf child
        cdef int i
        cdef bint better
        for i in range(n):
            self.enter(game, level, here.actions[i])
            value = self.visit(game, level + 1, depth - 1, alpha, beta, &child)
            if self.aborted:
                return 0.0
            estimated = estimated or self.estimated
            self.estimated = False
            value = child.utility[actor] if self.maxn else value if actor == 0 else -value
            better = i == 0 or value > best_value or (
                self.maxn and value == best_value and here.actions[i] < best[0])
            if better:
                best_value = value
                best[0] = here.actions[i]
                leaf[0] = child
            if self.maxn:
                continue
            if actor == 0:
                alpha = max(alpha, value)
            else:
                beta = min(beta, -value)
            if alpha >= beta:
                break
        self.estimated = estimated
        return leaf.utility[0]

    cdef inline void enter(self, const Loaded *game, int level, int32_t action) noexcept nogil:
        """Puts the state after an action or outcome at the next level."""
        memcpy(self.levels[level + 1].state, self.levels[level].state, game.state_size)
        apply_node(game, self.levels[level + 1].state, action)

    cdef int ordered_moves(self, const Loaded *game, int level, int depth, int32_t first) noexcept nogil:
        """Mirror-equal moves once; `first` (or -1) in front, the others by priors where more than a ply is to come."""
        cdef Level *here = &self.levels[level]
        cdef int n = game.rules.actions(game.tables, here.state, here.actions)
        cdef int kept = 0
        cdef int i
        cdef bint by_priors = depth > 1 and n > 2
        if by_priors:
            game.rules.priors(game.tables, here.state, n, here.actions, here.priors)
        for i in range(n):
            if game.rules.canonical != NULL and (
                    game.rules.canonical(game.tables, here.state, here.actions[i]) != here.actions[i]):
                continue
            here.actions[kept] = here.actions[i]
            here.priors[kept] = here.priors[i] if by_priors else 0
            if here.actions[kept] == first:
                here.priors[kept] = 2
            self.sift(here, kept)
            kept += 1
        return kept

    cdef void sift(self, Level *here, int last) noexcept nogil:
        """Insertion sort: brings the last move to its place, higher priors first."""
        cdef int32_t action = here.actions[last]
        cdef float prior = here.priors[last]
        while last > 0 and here.priors[last - 1] < prior:
            here.actions[last] = here.actions[last - 1]
            here.priors[last] = here.priors[last - 1]
            last -= 1
        here.actions[last] = action
        here.priors[last] = prior

    cdef double visit_rival_in_the_dark(self, const Loaded *game, int level, int depth, Leaf *leaf) noexcept nogil:
        """A rival's choice in a simultaneous phase: he does not see the mover's, so his priors stand for what he does."""
        cdef Level *here = &self.levels[level]
        cdef int n = game.rules.actions(game.tables, here.state, here.actions)
        cdef int i
        game.rules.priors(game.tables, here.state, n, here.actions, here.priors)
        for i in range(n):
            here.probabilities[i] = here.priors[i]
        self.visit_all(game, level, depth - 1, n, leaf)
        self.estimated = True
        return leaf.utility[0]

    # Chance

    cdef double visit_chance(
        self, const Loaded *game, int level, int depth, double alpha, double beta, Leaf *leaf
    ) noexcept nogil:
        """The mean over the outcomes, cut off where it must fall outside (alpha, beta)."""
        cdef Level *here = &self.levels[level]
        cdef int n = game.rules.outcomes(game.tables, here.state, here.actions, here.probabilities)
        cdef double value = 0.0
        cdef int i
        if n < 0:
            n = self.samples
            for i in range(n):
                here.actions[i] = game.rules.draw(game.tables, here.state, &self.rng)
                here.probabilities[i] = 1.0 / n
            self.visit_all(game, level, depth, n, leaf)
            self.estimated = True
            return leaf.utility[0]
        if n == 1:
            self.enter(game, level, here.actions[0])
            return self.visit(game, level + 1, depth, alpha, beta, leaf)
        if self.maxn or self.star == 0:
            self.visit_all(game, level, depth, n, leaf)
            return leaf.utility[0]
        for i in range(n):
            here.lower[i] = self.low
            here.upper[i] = self.high
        if self.star == 2 and depth > 1 and self.probe(game, level, depth, alpha, beta, n, &value):
            self.copy_bound(leaf, value)
            return value
        return self.star1(game, level, depth, alpha, beta, n, leaf)

    cdef void visit_all(self, const Loaded *game, int level, int depth, int n, Leaf *leaf) noexcept nogil:
        """The mean over n outcomes (or moves, at `depth` left after them) without cuts."""
        cdef Level *here = &self.levels[level]
        cdef bint estimated = False
        cdef Leaf child
        cdef int i
        memset(leaf, 0, sizeof(Leaf))
        for i in range(n):
            self.enter(game, level, here.actions[i])
            self.visit(game, level + 1, depth, self.low, self.high, &child)
            if self.aborted:
                return
            estimated = estimated or self.estimated
            self.estimated = False
            self.add_leaf(game, leaf, &child, here.probabilities[i])
        self.estimated = estimated

    cdef inline void add_leaf(self, const Loaded *game, Leaf *sum, const Leaf *leaf, double weight) noexcept nogil:
        cdef int player
        for player in range(game.players):
            sum.utility[player] += weight * leaf.utility[player]
            sum.win[player] += weight * leaf.win[player]
            sum.score[player] += weight * leaf.score[player]

    cdef inline void copy_bound(self, Leaf *leaf, double value) noexcept nogil:
        """A bound has no line: only the value is known, of two players who share a utility of 1."""
        memset(leaf, 0, sizeof(Leaf))
        leaf.utility[0] = value
        leaf.utility[1] = 1.0 - value

    cdef double star1(
        self, const Loaded *game, int level, int depth, double alpha, double beta, int n, Leaf *leaf
    ) noexcept nogil:
        """Star1: each outcome's window is what would still keep the mean inside (alpha, beta)."""
        cdef Level *here = &self.levels[level]
        cdef bint estimated = False
        cdef double sum = 0.0            # of the outcomes done
        cdef double rest_low = 0.0       # of the bounds of those to come
        cdef double rest_high = 0.0
        cdef double p, value, window_low, window_high
        cdef Leaf child
        cdef int i
        memset(leaf, 0, sizeof(Leaf))
        for i in range(n):
            rest_low += here.probabilities[i] * here.lower[i]
            rest_high += here.probabilities[i] * here.upper[i]
        for i in range(n):
            if sum + rest_high <= alpha or sum + rest_low >= beta:
                self.copy_bound(leaf, sum + rest_high if sum + rest_high <= alpha else sum + rest_low)
                break
            p = here.probabilities[i]
            rest_low -= p * here.lower[i]
            rest_high -= p * here.upper[i]
            window_low = max(self.low, (alpha - sum - rest_high) / p)
            window_high = min(self.high, (beta - sum - rest_low) / p)
            self.enter(game, level, here.actions[i])
            value = self.visit(game, level + 1, depth, window_low, window_high, &child)
            if self.aborted:
                return 0.0
            estimated = estimated or self.estimated
            self.estimated = False
            self.add_leaf(game, leaf, &child, p)
            sum += p * value
        self.estimated = estimated
        return leaf.utility[0]

    cdef bint probe(
        self, const Loaded *game, int level, int depth, double alpha, double beta, int n, double *value
    ) noexcept nogil:
        """Star2's probing: one good move after each outcome bounds it from the mover's side; True if that decides."""
        cdef Level *here = &self.levels[level]
        cdef bint estimated = False
        cdef bint decided = False
        cdef double sum_low = 0.0
        cdef double sum_high = 0.0
        cdef double found
        cdef int actor, i
        cdef Leaf leaf
        for i in range(n):
            sum_low += here.probabilities[i] * here.lower[i]
            sum_high += here.probabilities[i] * here.upper[i]
        for i in range(n):
            self.enter(game, level, here.actions[i])
            actor = game.rules.actor(game.tables, self.levels[level + 1].state)
            if actor < 0 or game.rules.simultaneous(game.tables, self.levels[level + 1].state):
                continue
            self.enter(game, level + 1, self.likely_move(game, level + 1, depth))
            found = self.visit(game, level + 2, depth - 1, self.low, self.high, &leaf)
            if self.aborted:
                return False
            estimated = estimated or self.estimated
            self.estimated = False
            if actor == 0:
                sum_low += here.probabilities[i] * (found - here.lower[i])
                here.lower[i] = found
            else:
                sum_high += here.probabilities[i] * (found - here.upper[i])
                here.upper[i] = found
            if sum_low >= beta or sum_high <= alpha:
                value[0] = sum_low if sum_low >= beta else sum_high
                decided = True
                break
        self.estimated = estimated
        return decided

    cdef int32_t likely_move(self, const Loaded *game, int level, int depth) noexcept nogil:
        """The move to probe: the best known from the table, else the first by priors."""
        cdef int32_t first = -1
        cdef Entry *entry
        cdef uint64_t key
        if self.entries != NULL:
            key = game.rules.key(game.tables, self.levels[level].state, ALL, 0)
            key |= key == 0
            entry = self.entry_of(key)
            if entry.key == key:
                first = entry.action
        self.ordered_moves(game, level, depth, first)
        return self.levels[level].actions[0]
