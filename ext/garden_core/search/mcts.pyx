"""Monte Carlo tree search over information sets.

Every simulation walks the real rules on a full state; at each decision it looks up the actor's own information set in one
table, so every player reasons from what he can see, transpositions merge, and chance needs no nodes. docs/search.md explains
the search and its sources. The steps of a simulation: deal, descend, (expand, select), play out, back up.
"""
from concurrent.futures import ThreadPoolExecutor

from libc.math cimport exp
from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memcpy, memset

from garden_core.hash cimport hash_words
from garden_core.rng cimport Rng, seed_rng, uniform
from garden_core.rules cimport CHANCE, CHECKS, MAX_PLAYERS, PUBLIC, TERMINAL, Loaded, apply_node
from garden_core.search.atomic cimport add32, add_long, claim16, load16_acquire, store16_release
from garden_core.search.control cimport CACHE_LINES, CLOCK_EVERY, Control
from garden_core.search.playout cimport playout
from garden_core.search.root cimport Leaf, RootTable, estimated_leaf, final_leaf
from garden_core.search.selection cimport (
    PUCT, UCB1, Exploration, best_edge, sample_regret_edge, update_regret)
from garden_core.search.tree cimport BARE, GROWING, GROWN, MOVE_SLOTS, UNIT_BITS, Edge, MoveAverage, Node, RegretEdge, Tree
from garden_core.state cimport State

import numpy as np

from garden_core.state import seed_of

cdef enum:
    SLICE = 1024             # simulations before Python is asked whether Ctrl-C came
    SHARED_ROOM = 65536      # nodes before threads first meet to let the tree grow: to wake one again may take milliseconds

cdef enum RegretWhere:
    NEVER
    SIMULTANEOUS
    ALWAYS

# What a selection by name means: the bound at ordinary nodes, and where regret matching takes its place.
SELECTIONS = {
    "puct": (PUCT, SIMULTANEOUS), "ucb1": (UCB1, SIMULTANEOUS), "regret": (PUCT, ALWAYS), "puct-only": (PUCT, NEVER)}

# One decision of the walk. `edge` is -1 where the node has no edges yet.
ctypedef struct Step:
    Node *node
    int edge
    int actor
    bint updates

# Where transpositions do not merge: what each player remembers of the decisions on the way, a hash. Where nothing is hidden
# all remember the same, in the first entry; else each his own decisions.
ctypedef struct Trails:
    uint64_t[MAX_PLAYERS] of

# A candidate move while a node grows.
ctypedef struct Candidate:
    float prior
    int32_t action


cdef class Walker:
    """One thread's part of the search: its states, path, random stream and root statistics; the tree is shared."""
    cdef char[CACHE_LINES] before    # what one thread writes must not share a cache line with another's
    cdef Mcts search
    cdef RootTable table
    cdef Rng rng
    cdef void *state
    cdef void *spare
    cdef Step *path
    cdef int32_t *ids            # scratch for listing actions, and for the way back of `rewind`
    cdef float *priors
    cdef Candidate *candidates
    cdef Trails trails           # of `state`
    cdef Trails spare_trails
    cdef int depth
    cdef readonly int deepest
    cdef readonly int64_t nodes
    cdef readonly int64_t simulations
    cdef char[CACHE_LINES] after

    def __init__(self, Mcts search, seed):
        cdef const Loaded *game = &search.root.game.loaded
        cdef size_t widest = max(game.max_actions, game.max_nodes)
        self.search = search
        self.table = RootTable(search.root)
        seed_rng(&self.rng, seed_of(seed))
        self.state = malloc(game.state_size + CACHE_LINES)
        self.spare = malloc(game.state_size + CACHE_LINES)
        self.path = <Step *>malloc((game.max_nodes + 1) * sizeof(Step) + CACHE_LINES)
        self.ids = <int32_t *>malloc(widest * sizeof(int32_t) + CACHE_LINES)
        self.priors = <float *>malloc(widest * sizeof(float) + CACHE_LINES)
        self.candidates = <Candidate *>malloc(widest * sizeof(Candidate) + CACHE_LINES)
        if NULL in (self.state, self.spare, self.path, self.ids, self.priors, self.candidates):
            raise MemoryError

    def __dealloc__(self):
        free(self.state)
        free(self.spare)
        free(self.path)
        free(self.ids)
        free(self.priors)
        free(self.candidates)

    cdef void run(self, int64_t count, Control control) noexcept nogil:
        cdef int64_t _i
        for _i in range(count):
            if self.simulations % CLOCK_EVERY == 0 and control.ended():
                return
            self.simulate()

    cdef void simulate(self) noexcept nogil:
        """One simulation: deal, descend, play out, back up."""
        cdef const Loaded *game = &self.search.root.game.loaded
        cdef bint public = self.search.public_share > 0 and uniform(&self.rng) < self.search.public_share
        cdef int root_move = -1
        cdef Leaf leaf
        self.depth = 0
        self.simulations += 1
        if public:
            self.deal_publicly(game)
        else:
            self.deal_privately(game)
        self.descend(game, public, &root_move)
        self.finish(game, &leaf)
        self.back_up(&leaf)
        if root_move >= 0 and not public:
            self.table.add(root_move, &leaf, self.state, 1.0)

    # Deal

    cdef void deal_publicly(self, const Loaded *game) noexcept nogil:
        """Everything hidden anew, the searcher's own too, from the last point of common knowledge."""
        memcpy(self.state, self.search.root.data, game.state_size)
        if game.rules.rewind != NULL:
            game.rules.rewind(game.tables, self.state, self.ids)
        memset(&self.trails, 0, sizeof(Trails))
        game.rules.redeal(game.tables, self.state, PUBLIC, &self.rng)
        game.rules.withdraw(game.tables, self.state)

    cdef void deal_privately(self, const Loaded *game) noexcept nogil:
        """A deal that agrees with what the searcher knows.

        Where the others' visible choices tell something, one of a few deals, drawn by how likely their strategies in the
        tree make those choices (sampling, importance resampling: Rubin 1987).
        """
        cdef double total = 0.0
        cdef double weight
        cdef int deal
        for deal in range(self.search.deals):
            memcpy(self.spare, self.search.root.data, game.state_size)
            weight = exp(game.rules.redeal(game.tables, self.spare, self.search.player, &self.rng))
            game.rules.withdraw(game.tables, self.spare)
            if deal == 0:
                memcpy(self.state, self.spare, game.state_size)
                memset(&self.trails, 0, sizeof(Trails))
            if weight == 1.0 and game.rules.rewind == NULL:
                return
            if game.rules.rewind != NULL:
                # `likelihood` walks on `spare`; the deal itself waits in `state` or is made again from it
                weight *= self.likelihood(game)
                if deal == 0:
                    self.trails = self.spare_trails
            total += weight
            if deal > 0 and uniform(&self.rng) * total < weight:
                memcpy(self.state, self.spare, game.state_size)
                self.trails = self.spare_trails

    cdef double likelihood(self, const Loaded *game) noexcept nogil:
        """How likely the others' choices since the last common knowledge are in the deal `spare`, which comes out as it was.

        On the way it learns `spare_trails`.
        """
        cdef int steps = game.rules.rewind(game.tables, self.spare, self.ids)
        cdef double product = 1.0
        cdef uint64_t key
        cdef int actor, i
        memset(&self.spare_trails, 0, sizeof(Trails))
        for i in range(steps):
            actor = game.rules.actor(game.tables, self.spare)
            if actor >= 0 and (actor != self.search.player or not self.search.transpositions):
                key = self.search.key_of(game, self.spare, actor, &self.spare_trails)
                self.search.tread(game, &self.spare_trails, actor, key, self.ids[i])
                if actor != self.search.player:
                    product *= self.probability(key, self.ids[i])
            apply_node(game, self.spare, self.ids[i])
        return product

    cdef double probability(self, uint64_t key, int32_t action) noexcept nogil:
        """Of an action under the strategy of the node of that key, a little mixed with chance."""
        cdef Node *node = self.search.tree.find(key)
        cdef RegretEdge *regrets
        cdef Edge *edges
        cdef double total = 0.0
        cdef double share = 0.0
        cdef int i
        if node == NULL or load16_acquire(&node.stage) != GROWN:
            return 1.0   # nothing known: the same for every action
        if node.regret:
            regrets = self.search.tree.regret_edges(node)
            for i in range(node.count):
                total += regrets[i].strategy
                if regrets[i].action == action:
                    share = regrets[i].strategy
        else:
            edges = self.search.tree.edges(node)
            for i in range(node.count):
                total += edges[i].visits
                if edges[i].action == action:
                    share = edges[i].visits
        share = share / total if total > 0 else 1.0 / node.count
        return (0.98 * share + 0.02 / node.count) * node.count

    # Descend

    cdef void descend(self, const Loaded *game, bint public, int *root_move) noexcept nogil:
        """Walks from the dealt state through the tree to its edge; notes which of the root's moves was taken."""
        cdef Node *node
        cdef uint64_t key
        cdef bint added, updates
        cdef int actor
        cdef int32_t action
        while True:
            actor = game.rules.actor(game.tables, self.state)
            if actor == TERMINAL:
                return
            if actor == CHANCE:
                self.apply(game, game.rules.draw(game.tables, self.state, &self.rng))
                continue
            updates = public or not game.hidden or actor == self.search.player
            key = self.search.key_of(game, self.state, actor, &self.trails)
            if updates:
                node = self.search.tree.find_or_add(key, &added)
            else:
                node = self.search.tree.find(key)
            if node == NULL:
                if updates:
                    return
                # a rival whose information set only public simulations may enter: he plays by policy, the walk goes on
                self.take(game, actor, key, game.rules.policy_action(game.tables, self.state, &self.rng))
                continue
            if CHECKS:
                self.check_once(node)
            if load16_acquire(&node.stage) != GROWN and not self.grows(game, node, updates):
                if not updates:
                    self.take(game, actor, key, game.rules.policy_action(game.tables, self.state, &self.rng))
                    continue
                self.push(node, -1, actor, True)
                return
            if not self.select(game, node, actor, updates, &action):
                return
            if key == self.search.root_key and actor == self.search.player:
                root_move[0] = self.search.root_index(action)
            self.take(game, actor, key, action)

    cdef inline void take(self, const Loaded *game, int actor, uint64_t key, int32_t action) noexcept nogil:
        """A player's action at the node of that key."""
        self.search.tread(game, &self.trails, actor, key, action)
        self.apply(game, action)

    cdef inline void apply(self, const Loaded *game, int32_t action) noexcept nogil:
        apply_node(game, self.state, action)
        self.nodes += 1

    cdef inline void push(self, Node *node, int edge, int actor, bint updates) noexcept nogil:
        self.path[self.depth].node = node
        self.path[self.depth].edge = edge
        self.path[self.depth].actor = actor
        self.path[self.depth].updates = updates
        self.depth += 1
        if self.depth > self.deepest:
            self.deepest = self.depth

    cdef void check_once(self, const Node *node) noexcept nogil:
        """Debug builds: no information set comes twice on one path."""
        cdef int i
        for i in range(self.depth):
            if self.path[i].node == node:
                with gil:
                    raise AssertionError("an information set came twice on one path")

    # Expand

    cdef bint grows(self, const Loaded *game, Node *node, bint updates) noexcept nogil:
        """Gives a node its edges at its second visit; False while it has none."""
        cdef bint regret
        if not updates or node.stage != BARE or (node.visits == 0 and node.key != self.search.root_key):
            return False
        if not claim16(&node.stage, BARE, GROWING):
            return False
        regret = self.search.regret == ALWAYS or (
            self.search.regret == SIMULTANEOUS and game.rules.simultaneous(game.tables, self.state))
        if self.expand(game, node, regret):
            store16_release(&node.stage, GROWN)
            return True
        store16_release(&node.stage, BARE)
        return False

    cdef bint expand(self, const Loaded *game, Node *node, bint regret) noexcept nogil:
        """Lists the moves, mirror-equal ones once, best priors first. False where the arena is used up."""
        cdef int n = self.list_moves(game)
        cdef void *room = self.search.tree.allocate(
            n * (sizeof(RegretEdge) if regret else sizeof(Edge)), &node.edges)
        cdef int i
        if room == NULL:
            return False
        for i in range(n):
            if regret:
                (<RegretEdge *>room)[i].action = self.candidates[i].action
                (<RegretEdge *>room)[i].mean = 0.5
            else:
                (<Edge *>room)[i].action = self.candidates[i].action
                (<Edge *>room)[i].prior = self.candidates[i].prior
        node.count = <uint16_t>n
        node.regret = regret
        return True

    cdef int list_moves(self, const Loaded *game) noexcept nogil:
        """Fills `candidates` from the legal actions of `state`; returns their number."""
        cdef int n = game.rules.actions(game.tables, self.state, self.ids)
        cdef int kept = 0
        cdef int i
        cdef float total = 0.0
        if self.search.use_priors:
            game.rules.priors(game.tables, self.state, n, self.ids, self.priors)
        for i in range(n):
            if game.rules.canonical != NULL and game.rules.canonical(game.tables, self.state, self.ids[i]) != self.ids[i]:
                continue
            self.candidates[kept].action = self.ids[i]
            self.candidates[kept].prior = self.priors[i] if self.search.use_priors else 1
            total += self.candidates[kept].prior
            kept += 1
        for i in range(kept):
            self.candidates[i].prior = self.candidates[i].prior / total if total > 0 else <float>1.0 / kept
        if self.search.use_priors:
            qsort(self.candidates, kept, sizeof(Candidate), by_prior)
        return kept

    # Select

    cdef bint select(
        self, const Loaded *game, Node *node, int actor, bint updates, int32_t *action
    ) noexcept nogil:
        """Chooses an edge and enters it in the path. False where it is not legal here, as after a collision of keys."""
        cdef Edge *edges = NULL
        cdef RegretEdge *regrets
        cdef int chosen
        if node.regret:
            regrets = self.search.tree.regret_edges(node)
            chosen = sample_regret_edge(node, regrets, updates, &self.rng)
            action[0] = regrets[chosen].action
        else:
            edges = self.search.tree.edges(node)
            chosen = best_edge(&self.search.exploration, node, edges, self.search.averages_of(actor))
            action[0] = edges[chosen].action
        if not game.rules.is_legal(game.tables, self.state, action[0]):
            return False
        if self.search.shared and updates and edges != NULL:
            add32(&edges[chosen].visits, 1)   # lost, until the utility is entered on the way back
        self.push(node, chosen, actor, updates)
        return True

    # Play out

    cdef void finish(self, const Loaded *game, Leaf *leaf) noexcept nogil:
        """From the tree's edge to an ending: a playout, cut off or not, or none; then the result or the estimate."""
        if self.search.cutoff != 0:
            self.nodes += playout(game, self.state, self.search.policy, &self.rng, self.search.cutoff)
        if game.rules.actor(game.tables, self.state) == TERMINAL:
            final_leaf(game, self.state, leaf)
        else:
            estimated_leaf(game, self.state, leaf)

    # Back up

    cdef void back_up(self, const Leaf *leaf) noexcept nogil:
        """Enters each actor's own utility along the path."""
        cdef int i
        for i in range(self.depth):
            if self.search.shared:
                self.back_up_shared(&self.path[i], leaf.utility[self.path[i].actor])
            elif self.path[i].updates:
                self.back_up_alone(&self.path[i], leaf.utility[self.path[i].actor])

    cdef inline void back_up_alone(self, const Step *step, double utility) noexcept nogil:
        cdef Edge *edge
        cdef int64_t value = <int64_t>(utility * (1 << UNIT_BITS) + 0.5)
        step.node.visits += 1
        step.node.value += value
        if step.edge >= 0:
            if step.node.regret:
                update_regret(step.node, self.search.tree.regret_edges(step.node), step.edge, utility)
            else:
                edge = self.search.tree.edges(step.node) + step.edge
                edge.visits += 1
                edge.value += value
                if self.search.averages != NULL:
                    self.average(step, edge.action, value)

    cdef inline void average(self, const Step *step, int32_t action, int64_t value) noexcept nogil:
        """Enters the value of a move into the averages; several threads may lose an update."""
        cdef MoveAverage *average = self.search.averages_of(step.actor) + (action & (MOVE_SLOTS - 1))
        average.visits += 1
        average.value += value

    cdef void back_up_shared(self, const Step *step, double utility) noexcept nogil:
        """The same while other threads do it too. Regrets are not atomic: a lost update is one sample less."""
        cdef Edge *edge
        cdef int64_t value = <int64_t>(utility * (1 << UNIT_BITS) + 0.5)
        if not step.updates:
            return
        add32(&step.node.visits, 1)
        add_long(&step.node.value, value)
        if step.edge >= 0 and step.node.regret:
            update_regret(step.node, self.search.tree.regret_edges(step.node), step.edge, utility)
        elif step.edge >= 0:
            edge = self.search.tree.edges(step.node) + step.edge
            add_long(&edge.value, value)
            if self.search.averages != NULL:
                self.average(step, edge.action, value)


cdef int by_prior(const void *one, const void *other) noexcept nogil:
    """Higher priors first, then lower actions: a total order, so that every library sorts alike."""
    cdef const Candidate *a = <const Candidate *>one
    cdef const Candidate *b = <const Candidate *>other
    if a.prior != b.prior:
        return -1 if a.prior > b.prior else 1
    return (a.action > b.action) - (a.action < b.action)


cdef class Mcts:
    """One search: a tree, and the walkers that grow it. `root` may be a chance event, to learn strategies from before a deal.

    `selection` is a key of `SELECTIONS`; `playouts` are "policy" or "random", `cutoff` their most nodes (-1: to the end, 0:
    none); `move_averages` value unvisited moves by what they brought elsewhere; `public_share` of the simulations deal the
    searcher's own hidden things anew; `deals` candidates for each private one; `memory` in bytes. Without `transpositions` a
    node belongs to the way that led to it: what its player knows there and, since the last point of common knowledge, at the
    decisions before, his own or, where nothing is hidden, everybody's. Numbers are checked by the caller.
    """
    cdef readonly State root
    cdef readonly Tree tree
    cdef readonly RootTable table
    cdef list walkers            # while it runs
    cdef int64_t past_simulations
    cdef int64_t past_nodes
    cdef int past_depth
    cdef Exploration exploration
    cdef MoveAverage *averages   # NULL: not kept
    cdef int regret              # a RegretWhere
    cdef int player
    cdef uint64_t root_key
    cdef int grain
    cdef int cutoff
    cdef int deals
    cdef bint policy
    cdef bint use_priors
    cdef bint transpositions
    cdef bint shared
    cdef double public_share

    def __init__(self, State root not None, *, simulations=-1, memory=256 << 20, selection="puct", constant=1.0, first_play=0.0,
                 widening=0.0, widening_power=0.5, priors=True, playouts="policy", cutoff=-1, grain=0, public_share=0.5,
                 deals=8, move_averages=False, transpositions=True):
        cdef const Loaded *game = &root.game.loaded
        self.root = root
        self.player = root.actor if root.actor >= 0 else 0
        self.grain = grain
        self.transpositions = transpositions
        self.root_key = self.key_at(root) if root.actor >= 0 else 0
        self.cutoff = cutoff
        self.deals = deals
        self.policy = playouts == "policy"
        self.use_priors = priors
        self.public_share = 1.0 if root.actor < 0 else public_share if game.hidden else 0.0
        self.exploration.bound, self.regret = SELECTIONS[selection]
        self.exploration.constant = constant
        self.exploration.first_play = first_play
        self.exploration.widening = widening
        self.exploration.widening_power = widening_power
        if move_averages:
            self.averages = <MoveAverage *>calloc(game.players * MOVE_SLOTS, sizeof(MoveAverage))
            if self.averages == NULL:
                raise MemoryError
            memory = max(memory - game.players * MOVE_SLOTS * sizeof(MoveAverage), 0)
        self.tree = Tree(memory, simulations, 8 + game.max_actions * sizeof(RegretEdge))
        self.table = RootTable(root)
        self.walkers = []

    def __dealloc__(self):
        free(self.averages)

    cdef inline MoveAverage *averages_of(self, int actor) noexcept nogil:
        return self.averages + actor * MOVE_SLOTS if self.averages != NULL else NULL

    cdef inline uint64_t key_of(self, const Loaded *game, const void *state, int actor, const Trails *trails) noexcept nogil:
        """The key of the actor's node in a state that was reached on these trails."""
        cdef uint64_t words[2]
        cdef uint64_t key = game.rules.key(game.tables, state, actor, self.grain)
        if self.transpositions:
            return key
        words[0] = key
        words[1] = trails.of[actor if game.hidden else 0]
        return hash_words(words, 2, 1)

    cdef inline void tread(self, const Loaded *game, Trails *trails, int actor, uint64_t key, int32_t action) noexcept nogil:
        """Goes on from the node of that key with an action."""
        cdef uint64_t words[2]
        if not self.transpositions:
            words[0] = key
            words[1] = <uint64_t>action
            trails.of[actor if game.hidden else 0] = hash_words(words, 2, 2)

    cdef Trails trails_at(self, State state):
        """Those on which a state is reached from the last point of common knowledge."""
        cdef const Loaded *game = &state.game.loaded
        cdef State walk = state.copy()
        cdef Trails trails
        cdef int32_t[::1] steps
        cdef int actor, i
        memset(&trails, 0, sizeof(Trails))
        if not self.transpositions and game.rules.rewind != NULL:
            steps = np.empty(game.max_nodes, dtype=np.int32)
            walk.withdraw()
            for i in range(game.rules.rewind(game.tables, walk.data, &steps[0])):
                actor = game.rules.actor(game.tables, walk.data)
                if actor >= 0:
                    self.tread(game, &trails, actor, self.key_of(game, walk.data, actor, &trails), steps[i])
                apply_node(game, walk.data, steps[i])
        return trails

    cdef uint64_t key_at(self, State state):
        """Of the actor's node in a state, reached straight from the last point of common knowledge."""
        cdef Trails trails = self.trails_at(state)
        return self.key_of(&state.game.loaded, state.data, state.actor, &trails)

    cdef int root_index(self, int32_t action) noexcept nogil:
        """The place of an action among the root's moves (sorted); -1 where it is none of them."""
        cdef int low = 0
        cdef int high = self.table.count - 1
        cdef int middle
        while low <= high:
            middle = (low + high) >> 1
            if self.table.moves[middle].action == action:
                return middle
            if self.table.moves[middle].action < action:
                low = middle + 1
            else:
                high = middle - 1
        return -1

    def run(self, Control control not None, seed, int threads=1):
        """Simulates until the control ends it. The same seed, simulations and one thread grow the same tree."""
        self.shared = threads > 1
        self.tree.shared = self.shared
        self.walkers = [Walker(self, seed_of(seed) + 0x9E3779B9 * thread) for thread in range(threads)]
        while threads > 1 and 0 <= self.tree.room() < SHARED_ROOM:
            self.tree.grow()
        with ThreadPoolExecutor(threads) as pool:   # starts no thread before it is given work
            while not control.ended() and (control.simulations < 0 or self.simulations < control.simulations):
                self._round(control, pool)
        self._dismiss()

    def _dismiss(self):
        """Takes over what the walkers found and lets go of them: they hold the search, which would outlive its use."""
        for walker in self.walkers:
            self.table.merge((<Walker>walker).table)
        self.past_simulations, self.past_nodes, self.past_depth = self.simulations, self.nodes, self.depth
        self.walkers = []

    def _round(self, Control control, pool):
        """Simulations until the tree must grow, shared by the walkers; a simulation adds one node at most."""
        cdef int threads = len(self.walkers)
        if 0 <= self.tree.room() < threads:
            self.tree.grow()
        count = self.tree.room()
        if control.simulations >= 0:
            left = control.simulations - self.simulations
            count = left if count < 0 else min(count, left)
        shares = [-1 if count < 0 else (count + thread) // threads for thread in range(threads)]
        futures = [pool.submit(self._walk, walker, share, control)
                   for walker, share in zip(self.walkers[1:], shares[1:], strict=True)]
        self._walk(self.walkers[0], shares[0], control)
        for future in futures:
            future.result()

    def _walk(self, Walker walker, int64_t count, Control control):
        """`count` simulations (-1: no limit), in slices."""
        cdef int64_t some = SLICE
        cdef int64_t end = walker.simulations + count
        while not control.ended() and (count < 0 or walker.simulations < end):
            if count >= 0:
                some = min(SLICE, end - walker.simulations)
            with nogil:
                walker.run(some, control)
            control.listen()

    @property
    def simulations(self):
        return self.past_simulations + sum((<Walker>walker).simulations for walker in self.walkers)

    @property
    def nodes(self):
        """Actions and chance outcomes applied."""
        return self.past_nodes + sum((<Walker>walker).nodes for walker in self.walkers)

    @property
    def depth(self):
        """Of the tree, in decisions."""
        return max((<Walker>walker).deepest for walker in self.walkers) if self.walkers else self.past_depth

    def strategy(self, State state not None):
        """What the tree would play for the actor of a state, and how sure it is: three lists, best first, or None.

        Actions; probabilities (the average strategy of regret matching, else shares of the visits); means of the utility.
        Without transpositions the state is the root, or one that the game's `rewind` leads to.
        """
        return self._strategy(self.key_at(state)) if state.actor >= 0 else None

    cdef _strategy(self, uint64_t key):
        cdef Node *node = self.tree.find(key)
        cdef RegretEdge *regrets
        cdef Edge *edges
        if node == NULL or node.stage != GROWN:
            return None
        rows = []
        if node.regret:
            regrets = self.tree.regret_edges(node)
            rows = [(regrets[i].action, regrets[i].strategy, regrets[i].mean) for i in range(node.count)]
        else:
            edges = self.tree.edges(node)
            rows = [(edges[i].action, float(edges[i].visits),
                     edges[i].value / float(1 << UNIT_BITS) / edges[i].visits if edges[i].visits else float("nan"))
                    for i in range(node.count)]
        total = sum(weight for _, weight, _ in rows)
        rows = [(action, weight / total if total > 0 else 1.0 / len(rows), mean) for action, weight, mean in rows]
        rows.sort(key=lambda row: (-row[1], -row[2] if row[2] == row[2] else 0.0, row[0]))
        actions, probabilities, means = zip(*rows, strict=True)
        return list(actions), list(probabilities), list(means)

    def mixes(self, State state not None):
        """Whether the actor of a state plays the average strategy there, and not the best move."""
        cdef Node *node = self.tree.find(self.key_at(state))
        return node != NULL and node.stage == GROWN and node.regret != 0

    def line(self, State state not None, int most=12, first=None):
        """The tree's best moves from a state on (or `first` and those after it), up to the first chance event or its edge."""
        cdef const Loaded *game = &state.game.loaded
        cdef Trails trails = self.trails_at(state)
        cdef uint64_t key
        cdef State walk = state.copy()
        out = []
        while len(out) < most and walk.actor >= 0:
            key = self.key_of(game, walk.data, walk.actor, &trails)
            found = self._strategy(key) if first is None or out else ([first],)
            if found is None or not walk.is_legal(found[0][0]):
                break
            out.append(found[0][0])
            self.tread(game, &trails, walk.actor, key, found[0][0])
            walk.apply(found[0][0])
        return out
