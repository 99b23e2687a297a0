"""Biased pennies through the contract, from outside the package: the smallest game of simultaneous hidden choices.

Both players choose heads or tails; player 0 wins from player 1 what the table of payoffs says, which may be negative:
2 for heads and heads, 1 for tails and tails, -1 where they differ. At equilibrium both choose heads with probability 2/5,
and player 0 wins 1/5.

Scores are the payoffs, -2..2. A utility lies in [0, 1], so it is (payoff + 2) / 4.

Actions: 0 heads, 1 tails. There is no chance.
"""
import json
from functools import cache

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from garden_core.hash cimport hash_words
from garden_core.rng cimport Rng, below
from garden_core.rules cimport ALL, TERMINAL, Rules, places_from_scores
from garden_core.state cimport Game, State

from garden_core.fields import FieldError, agrees, mapping, one_of, sequence

SIDES = ("heads", "tails")


ctypedef struct PenniesState:
    uint8_t choices[2]   # 1 + side, 0: not chosen


ctypedef struct Tables:
    double payoff[2][2]  # of player 0, by his choice and the other's


cdef bint is_over(const PenniesState *s) noexcept nogil:
    return s.choices[0] != 0 and s.choices[1] != 0


cdef void start(const void *tables, void *state) noexcept nogil:
    pass


cdef int actor(const void *tables, const void *state) noexcept nogil:
    cdef const PenniesState *s = <const PenniesState *>state
    if is_over(s):
        return TERMINAL
    return 0 if s.choices[0] == 0 else 1


cdef bint simultaneous(const void *tables, const void *state) noexcept nogil:
    return not is_over(<const PenniesState *>state)


cdef int actions(const void *tables, const void *state, int32_t *out) noexcept nogil:
    if actor(tables, state) < 0:
        return 0
    out[0] = 0
    out[1] = 1
    return 2


cdef int32_t random_action(const void *tables, const void *state, Rng *rng) noexcept nogil:
    return <int32_t>below(rng, 2)


cdef bint is_legal(const void *tables, const void *state, int32_t action) noexcept nogil:
    return actor(tables, state) >= 0 and 0 <= action < 2


cdef void apply(const void *tables, void *state, int32_t action) noexcept nogil:
    (<PenniesState *>state).choices[actor(tables, state)] = <uint8_t>(1 + action)


cdef int outcomes(const void *tables, const void *state, int32_t *out, double *probability) noexcept nogil:
    return 0


cdef int32_t draw(const void *tables, const void *state, Rng *rng) noexcept nogil:
    return 0


cdef void withdraw(const void *tables, void *state) noexcept nogil:
    cdef PenniesState *s = <PenniesState *>state
    if not is_over(s):
        s.choices[0] = 0
        s.choices[1] = 0


cdef double redeal(const void *tables, void *state, int observer, Rng *rng) noexcept nogil:
    cdef PenniesState *s = <PenniesState *>state
    cdef int player
    if not is_over(s):
        for player in range(2):
            if player != observer and s.choices[player]:
                s.choices[player] = <uint8_t>(1 + below(rng, 2))
    return 0.0


cdef uint64_t key(const void *tables, const void *state, int observer, int grain) noexcept nogil:
    cdef const PenniesState *s = <const PenniesState *>state
    cdef uint64_t words[2]
    cdef int player
    for player in range(2):
        words[player] = s.choices[player] if is_over(s) or observer == ALL or observer == player else 0
    return hash_words(words, 2, <uint64_t>(observer + 2))


cdef void scores(const void *tables, const void *state, double *out) noexcept nogil:
    cdef const PenniesState *s = <const PenniesState *>state
    out[0] = 0.0
    out[1] = 0.0
    if is_over(s):
        out[0] = (<const Tables *>tables).payoff[s.choices[0] - 1][s.choices[1] - 1]
        out[1] = -out[0]


cdef void placing(const void *tables, const void *state, int32_t *out) noexcept nogil:
    cdef double points[2]
    scores(tables, state, points)
    places_from_scores(2, points, out)


cdef void utilities(const void *tables, const void *state, double *out) noexcept nogil:
    scores(tables, state, out)
    out[0] = (out[0] + 2.0) / 4.0
    out[1] = (out[1] + 2.0) / 4.0


cdef void evaluate(const void *tables, const void *state, double *utility, double *score) noexcept nogil:
    """Before the end, an even game."""
    scores(tables, state, score)
    utilities(tables, state, utility)


cdef void priors(const void *tables, const void *state, int n, const int32_t *ids, float *out) noexcept nogil:
    cdef int i
    for i in range(n):
        out[i] = <float>(1.0 / n)


cdef Rules RULES = Rules(
    start=start, actor=actor, simultaneous=simultaneous, actions=actions, random_action=random_action, is_legal=is_legal,
    apply=apply, outcomes=outcomes, draw=draw, withdraw=withdraw, redeal=redeal, rewind=NULL, lighten=NULL, key=key, scores=scores,
    components=scores, placing=placing, utilities=utilities, evaluate=evaluate, priors=priors,
    policy_action=random_action, canonical=NULL)


@cache
def _load(components_json):
    return BiasedPennies(json.loads(components_json))


def load(players, options, components):
    """The game; two players, no options."""
    one_of("players", players, [2])
    mapping("options", dict(options), ())
    check_components(components)
    return _load(json.dumps(components))


def check_components(components):
    """Two rows of two payoffs, each -2..2."""
    mapping("", components, ("payoffs",), ("payoffs",))
    mapping("payoffs", components["payoffs"], ("rows",), ("rows",))
    for i, row in enumerate(sequence("payoffs.rows", components["payoffs"]["rows"], 2, "rows")):
        for k, payoff in enumerate(sequence(f"payoffs.rows[{i}]", row, 2, "numbers")):
            if not isinstance(payoff, (int, float)) or not -2 <= payoff <= 2:
                raise FieldError(f"payoffs.rows[{i}][{k}]", f"expected a number -2..2; got {payoff!r}")


cdef class BiasedPennies(Game):
    """Biased pennies as loaded."""

    cdef Tables *tables

    def __cinit__(self):
        self.tables = NULL

    def __dealloc__(self):
        free(self.tables)

    def __init__(self, components):
        super().__init__("biased_pennies", 2, {}, components, ("payoff",), 1, load)
        self.tables = <Tables *>calloc(1, sizeof(Tables))
        if self.tables == NULL:
            raise MemoryError
        for i, row in enumerate(components["payoffs"]["rows"]):
            for k, payoff in enumerate(row):
                self.tables.payoff[<int>i][<int>k] = payoff
        self.loaded.rules = RULES
        self.loaded.tables = self.tables
        self.loaded.state_size = sizeof(PenniesState)
        self.loaded.players = 2
        self.loaded.max_actions = 2
        self.loaded.max_outcomes = 1
        self.loaded.max_nodes = 2
        self.loaded.component_count = 1
        self.loaded.hidden = True
        self.loaded.utility_low = 0.0
        self.loaded.utility_high = 1.0
        self.loaded.score_low = -2.0
        self.loaded.score_high = 2.0

    def fields(self, State state, int observer=ALL):
        """Who is to move, and the choices: null where none is made, "hidden" where the observer cannot see it."""
        cdef const PenniesState *s = <const PenniesState *>state.data
        choices = [None if s.choices[player] == 0
                   else SIDES[s.choices[player] - 1] if is_over(s) or observer == ALL or observer == player
                   else "hidden" for player in range(2)]
        return {"to_move": actor(self.tables, s), "choices": choices}

    def build(self, fields):
        """The state of such fields; a hidden choice is heads."""
        mapping("", fields, ("to_move", "choices"), ("choices",))
        cdef State state = self.new_state()
        cdef PenniesState *s = <PenniesState *>state.data
        for player, choice in enumerate(sequence("choices", fields["choices"], 2, "choices")):
            if choice is not None:
                side = one_of(f"choices[{player}]", choice, (*SIDES, "hidden"))
                s.choices[<int>player] = 1 + SIDES.index("heads" if side == "hidden" else side)
        if is_over(s) and "hidden" in fields["choices"]:
            raise FieldError(f"choices[{fields['choices'].index('hidden')}]", "expected heads or tails: both have chosen")
        agrees("to_move", fields.get("to_move"), actor(self.tables, s))
        return state
