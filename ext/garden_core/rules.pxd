# The contract between a game and everything that plays it. Games and searches both know this file and never each other.
#
# A state is one plain C struct without pointers, zeroed at the start: a copy is a memcpy of `Loaded.state_size` bytes.
# What a game reads while it runs lies in `tables`, one immutable block made when the game is loaded and shared by threads.
# A game is one `Rules`: a table of functions, all `noexcept nogil`, whose first argument is `tables`. Every function but
# `random_action`, `draw`, `redeal` and `policy_action` is a pure function of its arguments.
#
# A node is one applied action or chance outcome.

from libc.stdint cimport int32_t, uint64_t
from garden_core.rng cimport Rng, below

cdef enum:
    # What `actor` answers when no player is to move.
    CHANCE = -1
    TERMINAL = -2
    # Observers besides the seats 0..players-1: what everybody can see, and everything.
    PUBLIC = -1
    ALL = -2
    MAX_PLAYERS = 6

# Begins the game: fills a zeroed state. Nothing is drawn yet.
ctypedef void (*start_function)(const void *tables, void *state) noexcept nogil
# The seat to move, CHANCE or TERMINAL.
ctypedef int (*actor_function)(const void *tables, const void *state) noexcept nogil
# Whether the actor's choice belongs to an open simultaneous phase: choices made one after another, hidden till the last.
ctypedef bint (*simultaneous_function)(const void *tables, const void *state) noexcept nogil
# The actor's legal actions, distinct and sorted, at most `Loaded.max_actions`; 0 of them at CHANCE and TERMINAL. An id is
# a function of what the actor sees, so it means the same in every redeal.
ctypedef int (*actions_function)(const void *tables, const void *state, int32_t *out) noexcept nogil
# Uniform over `actions`, without listing them. Only where a player is to move.
ctypedef int32_t (*random_action_function)(const void *tables, const void *state, Rng *rng) noexcept nogil
# Whether the actor may take this action or, at CHANCE, whether this outcome is possible.
ctypedef bint (*is_legal_function)(const void *tables, const void *state, int32_t action) noexcept nogil
# Applies a legal action or chance outcome. It never draws. Call `apply_node` below instead of this pointer.
ctypedef void (*apply_function)(const void *tables, void *state, int32_t action) noexcept nogil
# At CHANCE: the possible outcomes, distinct and sorted, with their probabilities; -1 where they are more than
# `Loaded.max_outcomes`, too many to list. 0 elsewhere.
ctypedef int (*outcomes_function)(const void *tables, const void *state, int32_t *out, double *probability) noexcept nogil
# At CHANCE: one outcome by its probability.
ctypedef int32_t (*draw_function)(const void *tables, const void *state, Rng *rng) noexcept nogil
# Takes back every choice of an open simultaneous phase; elsewhere it does nothing.
ctypedef void (*withdraw_function)(const void *tables, void *state) noexcept nogil
# Replaces what `observer` (a seat or PUBLIC) cannot see by a sample that agrees with all he has seen: unseen identities as
# chance would have dealt them. The answer is the log of the sample's weight, for what the choices of others tell.
ctypedef double (*redeal_function)(const void *tables, void *state, int observer, Rng *rng) noexcept nogil
# Takes the state back to the last point at which everything was common knowledge but what `redeal` samples anew (a deal, the
# start of a round), and writes the actions and outcomes that led from there to here, at most `Loaded.max_nodes`; returns
# their number. What is hidden stays as it is. NULL where every state is such a point once `withdraw` is called.
ctypedef int (*rewind_function)(const void *tables, void *state, int32_t *out) noexcept nogil
# From here on only random actions, outcomes of chance and the result follow: the state may stop keeping what only advice
# (evaluate, priors, policy_action) needs. NULL where a game keeps nothing of the kind.
ctypedef void (*lighten_function)(const void *tables, void *state) noexcept nogil
# A hash of all that `observer` (a seat, PUBLIC or ALL) knows now. No information set comes twice on one path.
# `grain` > 0 merges named detail of chance outcomes; it never merges states with different legal actions.
ctypedef uint64_t (*key_function)(const void *tables, const void *state, int observer, int grain) noexcept nogil
# Points so far, a player each.
ctypedef void (*scores_function)(const void *tables, const void *state, double *out) noexcept nogil
# Points so far by component: out[player * component_count + component]; a player's components sum to his score.
ctypedef void (*components_function)(const void *tables, const void *state, double *out) noexcept nogil
# Places by the points so far, tie-breaks applied: 1 is the best; players who tie share the better place.
ctypedef void (*placing_function)(const void *tables, const void *state, int32_t *out) noexcept nogil
# At TERMINAL: each player's utility in [0, 1] (`final_utilities` below is the usual one).
ctypedef void (*utilities_function)(const void *tables, const void *state, double *out) noexcept nogil
# Anywhere: an estimate of each player's final utility and final score.
ctypedef void (*evaluate_function)(const void *tables, const void *state, double *utility, double *score) noexcept nogil
# A probability for each of the actor's n actions (the sorted list of `actions`), summing to 1; sees only the actor's view.
ctypedef void (*priors_function)(const void *tables, const void *state, int n, const int32_t *actions, float *out) noexcept nogil
# A good action, drawn cheaply, for playouts; sees only the actor's view.
ctypedef int32_t (*policy_action_function)(const void *tables, const void *state, Rng *rng) noexcept nogil
# One representative of several mirror-equal actions. NULL where a game has none.
ctypedef int32_t (*canonical_function)(const void *tables, const void *state, int32_t action) noexcept nogil

ctypedef struct Rules:
    start_function start
    actor_function actor
    simultaneous_function simultaneous
    actions_function actions
    random_action_function random_action
    is_legal_function is_legal
    apply_function apply
    outcomes_function outcomes
    draw_function draw
    withdraw_function withdraw
    redeal_function redeal
    rewind_function rewind
    lighten_function lighten
    key_function key
    scores_function scores
    components_function components
    placing_function placing
    utilities_function utilities
    evaluate_function evaluate
    priors_function priors
    policy_action_function policy_action
    canonical_function canonical

# A game as it was loaded: all that a search is given.
ctypedef struct Loaded:
    Rules rules
    const void *tables
    size_t state_size
    int players
    int max_actions
    int max_outcomes
    int max_nodes              # the longest game
    int component_count
    bint hidden                # whether some player ever knows what another does not
    double utility_low
    double utility_high
    double score_low
    double score_high

cdef extern from *:
    """
    #include <stdio.h>
    #include <stdlib.h>
    #ifdef GARDEN_DEBUG
    #define GARDEN_CHECKS 1
    #else
    #define GARDEN_CHECKS 0
    #endif
    static void garden_illegal(int action, int actor) {
        fprintf(stderr, "garden_core: illegal action %d applied, actor %d\\n", action, actor);
        abort();
    }
    """
    const bint CHECKS "GARDEN_CHECKS"
    void _illegal "garden_illegal"(int action, int actor) noexcept nogil


cdef inline void apply_node(const Loaded *game, void *state, int32_t action) noexcept nogil:
    """Applies an action or outcome that the caller knows to be legal; debug and sanitizer builds check it."""
    if CHECKS:
        if not game.rules.is_legal(game.tables, state, action):
            _illegal(action, game.rules.actor(game.tables, state))
    game.rules.apply(game.tables, state, action)


cdef inline void places_from_scores(int players, const double *scores, int32_t *out) noexcept nogil:
    """Places where the higher score is better and equal scores share a place; any rank in whole numbers below 2^53 will do."""
    cdef int player, other
    for player in range(players):
        out[player] = 1
        for other in range(players):
            out[player] += scores[other] > scores[player]


cdef inline void win_shares(int players, const int32_t *places, double *out) noexcept nogil:
    """Each player's share of the first place: players who tie for it share it equally."""
    cdef int player
    cdef int winners = 0
    for player in range(players):
        winners += places[player] == 1
    for player in range(players):
        out[player] = 1.0 / winners if places[player] == 1 else 0.0


cdef inline double squash(double margin, double scale) noexcept nogil:
    """Maps a margin to (0, 1), 0 to one half; rational, so that every build rounds it alike."""
    return 0.5 + 0.5 * margin / (scale + (margin if margin >= 0 else -margin))


cdef inline double best_other(int players, const double *scores, int player) noexcept nogil:
    cdef double best = -1e300
    cdef int other
    for other in range(players):
        if other != player and scores[other] > best:
            best = scores[other]
    return best


cdef inline void final_utilities(
    int players, const double *scores, const int32_t *places, double scale, double *out
) noexcept nogil:
    """0.9 x share of the first place + 0.1 x squashed margin over the best other; two or more players."""
    cdef double shares[MAX_PLAYERS]
    cdef int player
    win_shares(players, places, shares)
    for player in range(players):
        out[player] = 0.9 * shares[player] + 0.1 * squash(scores[player] - best_other(players, scores, player), scale)


cdef inline void placed_utilities(
    int players, const double *scores, const int32_t *places, double scale, double *out
) noexcept nogil:
    """`final_utilities` in the order of the places where tie-breaks tell equal scores apart: a place is a trifle of a point."""
    cdef double placed[MAX_PLAYERS]
    cdef int player
    for player in range(players):
        placed[player] = scores[player] - places[player] / 256.0
    final_utilities(players, placed, places, scale, out)


cdef inline void estimated_utilities(
    int players, const double *scores, double certainty, double scale, double *out
) noexcept nogil:
    """`final_utilities` for scores that are estimates.

    The share of the first place is taken in proportion to the product over rivals of the squashed margin;
    `certainty` is the margin, in points, at which one rival is beaten with probability 3/4.
    """
    cdef double total = 0.0
    cdef double share
    cdef int player, other
    for player in range(players):
        share = 1.0
        for other in range(players):
            if other != player:
                share *= squash(scores[player] - scores[other], certainty)
        out[player] = share
        total += share
    for player in range(players):
        out[player] = 0.9 * out[player] / total + 0.1 * squash(
            scores[player] - best_other(players, scores, player), scale)


# A weighted sum of features in whole numbers, which come out alike in whatever order features are found. Where `dense` is not
# NULL, it gets the features themselves.
ctypedef struct Sum:
    const int32_t *weights
    float *dense
    int value


cdef inline void add_feature(Sum *sum, int feature, int times) noexcept nogil:
    sum.value += sum.weights[feature] * times
    if sum.dense != NULL:
        sum.dense[feature] += times


cdef inline float sharpened(float x) noexcept nogil:
    """About e^x for x <= 0, from products alone, so that every build rounds alike: (1 + x/16)^16."""
    cdef float y = 1 + x / 16
    if y <= 0:
        return 0
    y *= y
    y *= y
    y *= y
    return y * y


cdef inline void priors_from_gains(int n, float sharpness, float floor, float *out) noexcept nogil:
    """Makes of n gains (in `out`) probabilities: about a softmax of `sharpness` times the gain, `floor` added to each before."""
    cdef float best = <float>-1e30
    cdef double sum = 0
    cdef int i
    for i in range(n):
        best = max(best, out[i])
    for i in range(n):
        out[i] = sharpened(sharpness * (out[i] - best)) + floor
        sum += out[i]
    for i in range(n):
        out[i] = <float>(out[i] / sum)


cdef inline int32_t drawn_action(int n, const int32_t *actions, const float *probability, Rng *rng) noexcept nogil:
    """One of n actions by their probabilities, which sum to 1."""
    cdef float rest = <float>(below(rng, 1 << 24) / <double>(1 << 24))
    cdef int i
    for i in range(n - 1):
        rest -= probability[i]
        if rest < 0:
            return actions[i]
    return actions[n - 1]
