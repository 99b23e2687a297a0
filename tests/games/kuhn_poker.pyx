"""Kuhn poker through the contract, from outside the package: the smallest game with hidden hands, and a solved one.

Two players put in an ante of one and are dealt one of three cards each. Player 0 passes or bets one more; a pass may be
answered by a pass or a bet, a bet by a pass (which gives up) or a bet (which calls). The higher card wins what lies there.
The deal of both cards is one chance event. A showdown shows both cards to all, a pass to a bet shows none.

Scores are the net winnings, -2..2. A utility lies in [0, 1], so it is (winnings + 2) / 4.

Actions: 0 pass, 1 bet. Outcomes: 3 * rank of player 0's card + rank of player 1's card.
"""
import json
from functools import cache

from libc.stdint cimport int32_t, uint8_t, uint64_t

from garden_core.hash cimport hash_words
from garden_core.rng cimport Rng, below
from garden_core.rules cimport ALL, CHANCE, TERMINAL, Rules, places_from_scores
from garden_core.state cimport Game, State

from garden_core.fields import FieldError, agrees, mapping, one_of, sequence

cdef enum:
    PASS = 0
    BET = 1
    CARDS = 3
    DEALS = 6

# The betting so far is a binary number: a leading one, then a one for each bet and a zero for each pass.
cdef enum Betting:
    UNDEALT = 0
    OPEN = 1
    P = 2
    B = 3
    PP = 4
    PB = 5
    BP = 6
    BB = 7
    PBP = 10
    PBB = 11

WORDS = ("pass", "bet")


# Three bytes without padding. A game of this size needs no tables.
ctypedef struct KuhnState:
    uint8_t cards[2]     # 1 + rank, 0: not dealt
    uint8_t betting


cdef bint is_over(int betting) noexcept nogil:
    return betting == PP or betting == BP or betting == BB or betting == PBP or betting == PBB


cdef bint is_showdown(int betting) noexcept nogil:
    return betting == PP or betting == BB or betting == PBB


cdef int stake(int betting) noexcept nogil:
    """What a bet adds for each player, if it was called."""
    return 1 if betting == BB or betting == PBB else 0


cdef int winner(const KuhnState *s) noexcept nogil:
    if s.betting == BP:
        return 0
    if s.betting == PBP:
        return 1
    return 0 if s.cards[0] > s.cards[1] else 1


cdef void start(const void *tables, void *state) noexcept nogil:
    pass


cdef int actor(const void *tables, const void *state) noexcept nogil:
    cdef int betting = (<const KuhnState *>state).betting
    if betting == UNDEALT:
        return CHANCE
    if is_over(betting):
        return TERMINAL
    return 1 if betting == P or betting == B else 0


cdef bint simultaneous(const void *tables, const void *state) noexcept nogil:
    return False


cdef int actions(const void *tables, const void *state, int32_t *out) noexcept nogil:
    if actor(tables, state) < 0:
        return 0
    out[0] = PASS
    out[1] = BET
    return 2


cdef int32_t random_action(const void *tables, const void *state, Rng *rng) noexcept nogil:
    return <int32_t>below(rng, 2)


cdef bint is_deal(int32_t outcome) noexcept nogil:
    return 0 <= outcome < CARDS * CARDS and outcome // CARDS != outcome % CARDS


cdef bint is_legal(const void *tables, const void *state, int32_t action) noexcept nogil:
    cdef int who = actor(tables, state)
    if who == CHANCE:
        return is_deal(action)
    return who >= 0 and (action == PASS or action == BET)


cdef void apply(const void *tables, void *state, int32_t action) noexcept nogil:
    cdef KuhnState *s = <KuhnState *>state
    if s.betting == UNDEALT:
        s.cards[0] = <uint8_t>(1 + action // CARDS)
        s.cards[1] = <uint8_t>(1 + action % CARDS)
        s.betting = OPEN
    else:
        s.betting = <uint8_t>(2 * s.betting + action)


cdef int outcomes(const void *tables, const void *state, int32_t *out, double *probability) noexcept nogil:
    cdef int n = 0
    cdef int32_t outcome
    if actor(tables, state) != CHANCE:
        return 0
    for outcome in range(CARDS * CARDS):
        if is_deal(outcome):
            out[n] = outcome
            probability[n] = 1.0 / DEALS
            n += 1
    return n


cdef int32_t other_card(int32_t card, Rng *rng) noexcept nogil:
    """One of the two ranks that are not this one."""
    cdef int32_t rank = <int32_t>below(rng, CARDS - 1)
    return rank + (rank >= card)


cdef int32_t draw(const void *tables, const void *state, Rng *rng) noexcept nogil:
    cdef int32_t card = <int32_t>below(rng, CARDS)
    return CARDS * card + other_card(card, rng)


cdef void withdraw(const void *tables, void *state) noexcept nogil:
    pass


cdef double redeal(const void *tables, void *state, int observer, Rng *rng) noexcept nogil:
    """The betting is left to tell what it tells to whoever models the other's strategy: the weight is one."""
    cdef KuhnState *s = <KuhnState *>state
    if s.betting == UNDEALT or is_showdown(s.betting):
        return 0.0
    if observer < 0:
        s.cards[0] = <uint8_t>(1 + below(rng, CARDS))
    cdef int known = observer if observer >= 0 else 0
    s.cards[1 - known] = <uint8_t>(1 + other_card(s.cards[known] - 1, rng))
    return 0.0


cdef int rewind(const void *tables, void *state, int32_t *out) noexcept nogil:
    """To the moment after the deal: the betting is all that has been seen since."""
    cdef KuhnState *s = <KuhnState *>state
    cdef int n = 0
    cdef int i
    if s.betting == UNDEALT:
        return 0
    while s.betting >> (n + 1):
        n += 1
    for i in range(n):
        out[i] = (s.betting >> (n - 1 - i)) & 1
    s.betting = OPEN
    return n


cdef uint64_t key(const void *tables, const void *state, int observer, int grain) noexcept nogil:
    cdef const KuhnState *s = <const KuhnState *>state
    cdef uint64_t words[2]
    cdef int player
    words[0] = s.betting
    words[1] = 0
    for player in range(2):
        if observer == ALL or observer == player or is_showdown(s.betting):
            words[1] |= <uint64_t>s.cards[player] << (8 * player)
    return hash_words(words, 2, <uint64_t>(observer + 2))


cdef void components(const void *tables, const void *state, double *out) noexcept nogil:
    cdef const KuhnState *s = <const KuhnState *>state
    cdef int player, sign
    for player in range(2):
        sign = 0
        if is_over(s.betting):
            sign = 1 if winner(s) == player else -1
        out[2 * player] = sign
        out[2 * player + 1] = sign * stake(s.betting)


cdef void scores(const void *tables, const void *state, double *out) noexcept nogil:
    cdef double points[4]
    components(tables, state, points)
    out[0] = points[0] + points[1]
    out[1] = points[2] + points[3]


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
    apply=apply, outcomes=outcomes, draw=draw, withdraw=withdraw, redeal=redeal, rewind=rewind, lighten=NULL, key=key,
    scores=scores, components=components, placing=placing, utilities=utilities, evaluate=evaluate, priors=priors,
    policy_action=random_action, canonical=NULL)


@cache
def _load(components_json):
    return KuhnPoker(json.loads(components_json))


def load(players, options, components):
    """The game; two players, no options."""
    one_of("players", players, [2])
    mapping("options", dict(options), ())
    check_components(components)
    return _load(json.dumps(components))


def check_components(components):
    """Three different capital letters for the cards, the lowest first."""
    mapping("", components, ("cards",), ("cards",))
    mapping("cards", components["cards"], ("letters",), ("letters",))
    letters = sequence("cards.letters", components["cards"]["letters"], CARDS, "letters")
    for i, letter in enumerate(letters):
        if not isinstance(letter, str) or len(letter) != 1 or not letter.isupper() or letters.index(letter) != i:
            raise FieldError(f"cards.letters[{i}]", f"expected one capital letter, each once; got {letter!r}")


cdef class KuhnPoker(Game):
    """Kuhn poker as loaded."""

    cdef readonly tuple letters

    def __init__(self, components):
        super().__init__("kuhn_poker", 2, {}, components, ("ante", "bet"), 1, load)
        self.letters = tuple(components["cards"]["letters"])
        self.loaded.rules = RULES
        self.loaded.tables = NULL
        self.loaded.state_size = sizeof(KuhnState)
        self.loaded.players = 2
        self.loaded.max_actions = 2
        self.loaded.max_outcomes = DEALS
        self.loaded.max_nodes = 4
        self.loaded.component_count = 2
        self.loaded.hidden = True
        self.loaded.utility_low = 0.0
        self.loaded.utility_high = 1.0
        self.loaded.score_low = -2.0
        self.loaded.score_high = 2.0

    def fields(self, State state, int observer=ALL):
        """Who is to move, the cards (null before the deal, "hidden" where the observer cannot see one) and the betting."""
        cdef const KuhnState *s = <const KuhnState *>state.data
        cards = [None, None]
        if s.betting != UNDEALT:
            cards = [self.letters[s.cards[player] - 1]
                     if observer == ALL or observer == player or is_showdown(s.betting) else "hidden" for player in range(2)]
        return {"to_move": actor(NULL, s), "cards": cards, "betting": [WORDS[int(bit)] for bit in f"{s.betting:b}"[1:]]}

    def build(self, fields):
        """The state of such fields; a hidden card is the lowest that is left."""
        mapping("", fields, ("to_move", "cards", "betting"), ("cards", "betting"))
        cdef State state = self.new_state()
        cdef KuhnState *s = <KuhnState *>state.data
        cards = sequence("cards", fields["cards"], 2, "cards")
        betting = sequence("betting", fields["betting"], None, "words")
        cdef int so_far = UNDEALT if cards[0] is None and cards[1] is None else OPEN
        for i, word in enumerate(betting):
            if so_far == UNDEALT or is_over(so_far):
                raise FieldError(f"betting[{i}]", "expected no more: nobody is to bet")
            so_far = 2 * so_far + WORDS.index(one_of(f"betting[{i}]", word, WORDS))
        s.betting = <uint8_t>so_far
        if so_far != UNDEALT:
            self._read_cards(s, cards)
        agrees("to_move", fields.get("to_move"), actor(NULL, s))
        return state

    cdef _read_cards(self, KuhnState *s, cards):
        known = list(self.letters) if is_showdown(s.betting) else [*self.letters, "hidden"]
        ranks = [known.index(one_of(f"cards[{player}]", card, known)) for player, card in enumerate(cards)]
        left = [rank for rank in range(CARDS) if rank not in ranks]
        for player in range(2):
            if ranks[player] == CARDS:
                ranks[player] = left.pop(0)
        if ranks[0] == ranks[1]:
            raise FieldError("cards[1]", f"expected another card than player 0's; got {cards[1]}")
        s.cards[0] = 1 + ranks[0]
        s.cards[1] = 1 + ranks[1]
