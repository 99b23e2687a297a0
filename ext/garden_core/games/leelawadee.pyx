"""Leelawadee: 2-4 gardeners plant flowers that attract butterflies and a bumblebee.

Rules are explained in docs/games/leelawadee.md. The state keeps, for every kind of group, the best size in each garden,
so that planting floods from the fresh spot only and attraction is one comparison.

Actions: plant `colour * 16 + spot`, name the start player `START_BASE + player`, bid `BID_BASE + points`.
Outcomes: the first bag holder or the winner of a tied bid is the player's seat; a draw is the multiset of flowers, a count
in six bits for each colour.
"""
import json
from importlib.resources import files

import numpy as np

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from garden_core.bits cimport all_lanes_at_most, group16, lowest_bit, popcount, select_bit
from garden_core.hash cimport hash_words
from garden_core.rng cimport Rng, below, below2, mulhi64, next64
from garden_core.rules cimport (
    ALL, CHANCE, TERMINAL, Rules, estimated_utilities, final_utilities, places_from_scores, priors_from_gains)
from garden_core.state cimport Game, State

from garden_core.fields import FieldError, agrees, mapping, one_of, sequence, shown, text, whole, with_defaults
from garden_core.state import made_once

cdef enum:
    LAYOUT = 1
    PLAYERS = 4          # capacity
    COLOURS = 5
    SPOTS = 16           # capacity of a garden
    ROUNDS = 5
    PAIRS = 5
    KINDS = 10           # of groups that are compared: one colour, two colours
    FIVE = 10            # creatures: 0-4 one colour, 5-9 two colours, then these
    BEE = 11
    CREATURES = 12
    BUTTERFLIES = 0x7FF
    MISSING_COST = 6
    START_BASE = 80      # actions 0..79 plant
    BID_BASE = 96
    BID_CAPACITY = 99
    LANE = 6             # bits of a flower count in a multiset
    LANE_MASK = 63
    LANES = 0x01041041   # one in each of five lanes
    COUNT_CAPACITY = 31  # of one colour; a lane keeps its top bit free
    SYMMETRIES = 8       # of a grid
    # components of a score: the creatures, then
    MISSING = 12
    BID = 13
    NOTED = 14
    COMPONENTS = 15
    # evaluation and policy
    SINGLES = 0x1F       # creatures of one colour
    DOUBLES = 0x3E0      # of two
    QUARTERS = 4         # stages of a round
    STAGES = 20
    MOVE_FEATURES = 15
    GARDEN_FEATURES = 28
    CANDIDATES = 4       # of the playout policy

cdef enum Phase:
    FIRST                # chance: who holds the bag first
    DRAW                 # chance: flowers from the bag
    BIDDING              # sealed bids, simultaneous
    TIE                  # chance: which of the equal highest bids wins
    START                # the winner names the start player
    PLANT
    OVER

PHASES = ("first", "draw", "bid", "tie", "start", "plant", "over")


ctypedef struct LeelawadeeState:
    # What the rules depend on; `key` hashes these bytes.
    uint64_t here                            # 16 bits a garden: the creatures in it
    uint16_t flowers[PLAYERS][COLOURS]       # the spots of each colour
    uint32_t supply[ROUNDS]                  # open draws: what comes, by round; moved to the table as its round begins
    uint32_t table
    uint32_t bag
    uint16_t new                             # creatures that flew in this round
    int16_t score[PLAYERS]
    uint8_t bids[PLAYERS]                    # 1 + bid, 0: none; only the highest once all are made, then the winner's
    uint8_t round                            # 0..5
    uint8_t pick                             # flowers planted this round
    uint8_t holder                           # of the bag
    uint8_t phase
    uint8_t unused[2]
    # What follows from them, kept for speed, and how the points came about.
    uint32_t best[KINDS]                     # 8 bits a garden: the largest group of the kind
    uint16_t occupied[PLAYERS]
    uint64_t here_after[ROUNDS]              # `here` and `new` as each round was scored
    uint16_t new_after[ROUNDS]
    int16_t noted[PLAYERS]                   # points of rounds before a position was written down without its history
    uint8_t five_record                      # most colours that ever drew the five-colour butterfly
    uint8_t bee_record
    uint8_t drawn                            # draws made
    uint8_t paid_by                          # 1 + who won the bidding, 0: nobody
    uint8_t paid                             # his bid
    uint8_t unused_too

cdef enum:
    KEY_WORDS = 12       # 8 + 40 + 20 + 4 + 4 + 2 + 8 + 4 + 4 + 2 = 96 bytes


ctypedef struct Tables:
    int players
    bint best_group                          # the other reading of attraction
    bint open_draws
    bint bid_for_start
    int bid_max
    int first                                # the first bag holder, or -1: drawn
    uint32_t bag
    uint8_t order[PLAYERS][2 * PLAYERS]      # seat to plant, by bag holder and pick
    uint8_t spots[PLAYERS]
    uint16_t garden[PLAYERS]                 # all spots of a garden
    uint16_t *groups[PLAYERS]                # [spot << spots | members]: the group of members that holds the spot
    uint8_t pairs[PAIRS][2]
    uint8_t pairs_of[COLOURS]                # number of pairs a colour is in, and for each its kind and the other colour
    uint8_t pair_kind[COLOURS][PAIRS]
    uint8_t partner[COLOURS][PAIRS]
    int symmetries[PLAYERS]
    uint8_t symmetry[PLAYERS][SYMMETRIES][SPOTS]
    double choose[COUNT_CAPACITY + 1][COUNT_CAPACITY + 1]
    uint16_t adjacency[PLAYERS][SPOTS]
    float move_weights[STAGES][MOVE_FEATURES]
    float garden_weights[STAGES][GARDEN_FEATURES]
    double certainty[STAGES]                 # points of estimated margin that win three games of four


# What one planting does, before it is done.
ctypedef struct Planting:
    int player
    int colour
    uint16_t bit
    uint32_t attracted                       # creatures
    uint8_t five_record
    uint8_t bee_record


# Flowers as multisets: a count in six bits a colour

cdef inline int lane(uint32_t multiset, int colour) noexcept nogil:
    return (multiset >> (LANE * colour)) & LANE_MASK


cdef inline int total(uint32_t multiset) noexcept nogil:
    return ((multiset * <uint32_t>LANES) >> (LANE * (COLOURS - 1))) & LANE_MASK


cdef inline uint32_t present(uint32_t multiset) noexcept nogil:
    """The top bit of every lane that holds a flower."""
    return (multiset + <uint32_t>(LANES * 31)) & <uint32_t>(LANES * 32)


cdef inline int colour_at(uint32_t multiset, int rank) noexcept nogil:
    """The colour of flower number `rank` when the multiset is laid out in colour order."""
    cdef uint32_t sums = multiset * <uint32_t>LANES
    return (((sums & LANE_MASK) <= <uint32_t>rank) + (((sums >> 6) & LANE_MASK) <= <uint32_t>rank)
            + (((sums >> 12) & LANE_MASK) <= <uint32_t>rank) + (((sums >> 18) & LANE_MASK) <= <uint32_t>rank))


# The turn

cdef inline int mover(const Tables *t, const LeelawadeeState *s) noexcept nogil:
    return t.order[s.holder][s.pick]


cdef inline int next_bidder(const Tables *t, const LeelawadeeState *s) noexcept nogil:
    cdef int player
    for player in range(t.players):
        if s.bids[player] == 0:
            return player
    return t.players


cdef inline uint32_t highest_bidders(const Tables *t, const LeelawadeeState *s) noexcept nogil:
    cdef uint32_t players = 0
    cdef int highest = 0
    cdef int player
    for player in range(t.players):
        if s.bids[player] > highest:
            highest = s.bids[player]
            players = 0
        if s.bids[player] == highest:
            players |= 1u << player
    return players


cdef inline bint attracts(
    const Tables *t, const LeelawadeeState *s, LeelawadeeState *done, int player, int kind, uint32_t size
) noexcept nogil:
    """Whether the group of this kind that holds the fresh flower, of that size, is as large as any in other gardens.

    Where `done` is given, it gets the garden's new best size.
    """
    cdef int shift = 8 * player
    cdef uint32_t others = s.best[kind] & ~(<uint32_t>0xFF << shift)
    cdef uint32_t best = (s.best[kind] >> shift) & 0xFF
    if size > best:
        best = size
    if done != NULL:
        done.best[kind] = others | (best << shift)
    if t.best_group:
        size = best
    return all_lanes_at_most(others, size) and size > 0


cdef inline void plan(
    const Tables *t, const LeelawadeeState *s, LeelawadeeState *done, int32_t action, Planting *planting
) noexcept nogil:
    """Works out what planting does, by floods from the fresh spot only; `done` (or NULL) gets the new best sizes."""
    cdef int player = mover(t, s)
    cdef int colour = action >> 4
    cdef int spot = action & 15
    cdef uint16_t bit = <uint16_t>(1 << spot)
    cdef const uint16_t *flowers = s.flowers[player]
    cdef const uint16_t *groups = t.groups[player] + (<size_t>spot << t.spots[player])
    cdef uint16_t members = flowers[colour] | bit
    cdef uint16_t others, group
    cdef int size = popcount(groups[members])
    cdef int i, kind, count
    planting.player = player
    planting.colour = colour
    planting.bit = bit
    planting.attracted = <uint32_t>attracts(t, s, done, player, colour, size) << colour
    for i in range(t.pairs_of[colour]):
        kind = t.pair_kind[colour][i]
        others = flowers[t.partner[colour][i]]
        group = groups[members | others]
        count = popcount(group) if group & others else 0
        planting.attracted |= <uint32_t>attracts(t, s, done, player, kind, count) << kind
    planting.five_record = s.five_record
    if s.five_record < COLOURS:
        group = groups[s.occupied[player] | bit]
        count = ((group & flowers[0]) != 0) + ((group & flowers[1]) != 0) + ((group & flowers[2]) != 0) + (
            (group & flowers[3]) != 0) + ((group & flowers[4]) != 0) + ((group & flowers[colour]) == 0)
        if count >= 2 and count > s.five_record:
            planting.five_record = count
            planting.attracted |= 1u << FIVE
    planting.bee_record = s.bee_record
    if size >= 2 and size > s.bee_record:
        planting.bee_record = size
        planting.attracted |= 1u << BEE


cdef inline uint32_t creatures_in(const LeelawadeeState *s, int player) noexcept nogil:
    return <uint32_t>(s.here >> (16 * player)) & 0xFFFF


cdef void plant(const Tables *t, LeelawadeeState *s, int32_t action) noexcept nogil:
    cdef Planting planting
    cdef uint32_t arriving
    plan(t, s, s, action, &planting)
    s.table -= 1u << (LANE * planting.colour)
    s.flowers[planting.player][planting.colour] |= planting.bit
    s.occupied[planting.player] |= planting.bit
    s.five_record = planting.five_record
    s.bee_record = planting.bee_record
    arriving = planting.attracted & ~creatures_in(s, planting.player)
    s.here &= ~(arriving * <uint64_t>0x0001000100010001)
    s.here |= <uint64_t>arriving << (16 * planting.player)
    s.new |= arriving & BUTTERFLIES
    s.pick += 1
    if s.pick == 2 * t.players:
        score_round(t, s)


cdef void score_round(const Tables *t, LeelawadeeState *s) noexcept nogil:
    cdef int r = s.round + 1
    cdef int player, colour
    cdef uint32_t creatures
    s.here_after[s.round] = s.here
    s.new_after[s.round] = s.new
    for player in range(t.players):
        creatures = creatures_in(s, player)
        s.score[player] += <int16_t>(
            popcount(creatures & s.new) * r + popcount(creatures & BUTTERFLIES & ~<uint32_t>s.new) * (r >> 1)
            - <int>((creatures >> BEE) & 1))
    s.new = 0
    s.pick = 0
    s.round += 1
    s.holder += 1
    if s.holder == t.players:
        s.holder = 0
    if s.round == ROUNDS:
        s.phase = OVER
        for player in range(t.players):
            for colour in range(COLOURS):
                if s.flowers[player][colour] == 0:
                    s.score[player] -= MISSING_COST
    elif t.open_draws:
        s.table = s.supply[s.round]
        s.supply[s.round] = 0
    else:
        s.phase = DRAW


# The contract

cdef void start(const void *tables, void *state) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef LeelawadeeState *s = <LeelawadeeState *>state
    s.bag = t.bag
    if t.bid_for_start:
        s.phase = DRAW
    elif t.first < 0:
        s.phase = FIRST
    else:
        s.holder = t.first
        s.phase = DRAW


cdef int actor(const void *tables, const void *state) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LeelawadeeState *s = <const LeelawadeeState *>state
    if s.phase == PLANT:
        return mover(t, s)
    if s.phase == OVER:
        return TERMINAL
    if s.phase == BIDDING:
        return next_bidder(t, s)
    if s.phase == START:
        return lowest_bit(highest_bidders(t, s))
    return CHANCE


cdef bint simultaneous(const void *tables, const void *state) noexcept nogil:
    return (<const LeelawadeeState *>state).phase == BIDDING


cdef int actions(const void *tables, const void *state, int32_t *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LeelawadeeState *s = <const LeelawadeeState *>state
    cdef int n = 0
    cdef int colour, player
    cdef uint16_t empty, left
    if s.phase == PLANT:
        player = mover(t, s)
        empty = t.garden[player] & <uint16_t>~s.occupied[player]
        for colour in range(COLOURS):
            if lane(s.table, colour):
                left = empty
                while left:
                    out[n] = colour * 16 + lowest_bit(left)
                    left &= left - 1
                    n += 1
    elif s.phase == BIDDING:
        for n in range(t.bid_max + 1):
            out[n] = BID_BASE + n
        n = t.bid_max + 1
    elif s.phase == START:
        for n in range(t.players):
            out[n] = START_BASE + n
        n = t.players
    return n


cdef int32_t random_action(const void *tables, const void *state, Rng *rng) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LeelawadeeState *s = <const LeelawadeeState *>state
    cdef uint32_t colours, rank
    cdef int player, colour
    cdef uint16_t empty
    if s.phase == PLANT:
        player = mover(t, s)
        empty = t.garden[player] & <uint16_t>~s.occupied[player]
        colours = present(s.table)
        colour = select_bit(colours, below2(rng, popcount(colours), popcount(empty), &rank)) // LANE
        return colour * 16 + select_bit(empty, rank)
    if s.phase == BIDDING:
        return BID_BASE + below(rng, t.bid_max + 1)
    return START_BASE + below(rng, t.players)


cdef bint is_legal(const void *tables, const void *state, int32_t action) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LeelawadeeState *s = <const LeelawadeeState *>state
    cdef int player
    if s.phase == PLANT:
        player = mover(t, s)
        return (0 <= action < COLOURS * 16 and lane(s.table, action >> 4) > 0
                and ((t.garden[player] & ~<uint32_t>s.occupied[player]) >> (action & 15)) & 1)
    if s.phase == BIDDING:
        return BID_BASE <= action <= BID_BASE + t.bid_max
    if s.phase == START:
        return START_BASE <= action < START_BASE + t.players
    if s.phase == FIRST:
        return 0 <= action < t.players
    if s.phase == TIE:
        return 0 <= action < t.players and (highest_bidders(t, s) >> action) & 1
    return s.phase == DRAW and is_draw(t, s.bag, action)


cdef bint is_draw(const Tables *t, uint32_t bag, int32_t outcome) noexcept nogil:
    """Whether the bag can give this multiset of two flowers a player."""
    cdef int colour
    if outcome < 0 or outcome >> (LANE * COLOURS):
        return False
    for colour in range(COLOURS):
        if lane(outcome, colour) > lane(bag, colour):
            return False
    return total(outcome) == 2 * t.players


cdef void apply(const void *tables, void *state, int32_t action) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef LeelawadeeState *s = <LeelawadeeState *>state
    if s.phase == PLANT:
        plant(t, s, action)
    elif s.phase == DRAW:
        take_draw(t, s, action)
    elif s.phase == BIDDING:
        s.bids[next_bidder(t, s)] = <uint8_t>(1 + action - BID_BASE)
        if next_bidder(t, s) == t.players:
            open_bids(t, s)
    elif s.phase == TIE:
        settle_bids(s, action)
    elif s.phase == START:
        memset(s.bids, 0, sizeof(s.bids))
        s.holder = <uint8_t>(action - START_BASE)
        s.phase = PLANT
    else:
        s.holder = <uint8_t>action
        s.phase = DRAW


cdef void take_draw(const Tables *t, LeelawadeeState *s, uint32_t flowers) noexcept nogil:
    s.bag -= flowers
    s.drawn += 1
    if t.open_draws and s.drawn > 1:
        s.supply[s.drawn - 1] = flowers
    else:
        s.table = flowers
    if t.open_draws and s.drawn < ROUNDS:
        return
    s.phase = BIDDING if t.bid_for_start and s.round == 0 else PLANT


cdef void open_bids(const Tables *t, LeelawadeeState *s) noexcept nogil:
    """All have bid: only the highest bids matter from here on."""
    cdef uint32_t highest = highest_bidders(t, s)
    cdef int player
    for player in range(t.players):
        if not (highest >> player) & 1:
            s.bids[player] = 0
    if popcount(highest) > 1:
        s.phase = TIE
    else:
        settle_bids(s, lowest_bit(highest))


cdef void settle_bids(LeelawadeeState *s, int winner) noexcept nogil:
    """The winner pays, and goes on to name the start player."""
    s.paid_by = <uint8_t>(winner + 1)
    s.paid = s.bids[winner] - 1
    memset(s.bids, 0, sizeof(s.bids))
    s.bids[winner] = s.paid + 1
    s.score[winner] -= s.paid
    s.phase = START


cdef int outcomes(const void *tables, const void *state, int32_t *out, double *probability) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LeelawadeeState *s = <const LeelawadeeState *>state
    cdef uint32_t players
    cdef int n = 0
    if s.phase == DRAW:
        n = list_draws(t, s.bag, out, probability)
    elif s.phase == FIRST or s.phase == TIE:
        players = highest_bidders(t, s) if s.phase == TIE else (1u << t.players) - 1
        while players:
            out[n] = lowest_bit(players)
            players &= players - 1
            n += 1
        for i in range(n):
            probability[i] = 1.0 / n
    return n


cdef int list_draws(const Tables *t, uint32_t bag, int32_t *out, double *probability) noexcept nogil:
    """Every multiset of two flowers a player, with its multivariate hypergeometric probability, in increasing order."""
    cdef int size = 2 * t.players
    cdef int left = total(bag)
    cdef int n = 0
    cdef int i, b, p, r, o, y
    cdef double ways = 1.0
    for i in range(size):
        ways = ways * (left - i) / (i + 1)
    for b in range(min(size, lane(bag, 4)) + 1):
        for p in range(min(size - b, lane(bag, 3)) + 1):
            for r in range(min(size - b - p, lane(bag, 2)) + 1):
                for o in range(min(size - b - p - r, lane(bag, 1)) + 1):
                    y = size - b - p - r - o
                    if y <= lane(bag, 0):
                        out[n] = y | o << LANE | r << (2 * LANE) | p << (3 * LANE) | b << (4 * LANE)
                        probability[n] = (t.choose[lane(bag, 0)][y] * t.choose[lane(bag, 1)][o] * t.choose[lane(bag, 2)][r]
                                          * t.choose[lane(bag, 3)][p] * t.choose[lane(bag, 4)][b] / ways)
                        n += 1
    return n


cdef int32_t draw(const void *tables, const void *state, Rng *rng) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LeelawadeeState *s = <const LeelawadeeState *>state
    cdef uint32_t players
    if s.phase == DRAW:
        return draw_flowers(s.bag, 2 * t.players, rng)
    if s.phase == TIE:
        players = highest_bidders(t, s)
        return select_bit(players, below(rng, popcount(players)))
    return below(rng, t.players)


cdef uint32_t draw_flowers(uint32_t bag, int size, Rng *rng) noexcept nogil:
    """`size` (at most 8) flowers without replacement, all from one random word.

    The word is read as digits in the mixed radix n, n - 1, ... and rejected where that would favour some (Brackett-Rozinsky
    and Lemire, 2024; see `rng.below2`).
    """
    cdef int n = total(bag)
    cdef uint64_t product = 1
    cdef uint64_t word
    cdef uint32_t left, flower
    cdef int i
    if n == size:
        return bag
    for i in range(size):
        product *= <uint64_t>(n - i)
    while True:
        word = next64(rng)
        left = bag
        for i in range(size):
            flower = <uint32_t>1 << (LANE * colour_at(left, <int>mulhi64(word, n - i, &word)))
            left -= flower
        if word >= product or word >= (0 - product) % product:
            return bag - left


cdef void withdraw(const void *tables, void *state) noexcept nogil:
    cdef LeelawadeeState *s = <LeelawadeeState *>state
    if s.phase == BIDDING:
        memset(s.bids, 0, sizeof(s.bids))


cdef double redeal(const void *tables, void *state, int observer, Rng *rng) noexcept nogil:
    """Sealed bids are all that is ever hidden; nothing is known of them, so they are uniform."""
    cdef const Tables *t = <const Tables *>tables
    cdef LeelawadeeState *s = <LeelawadeeState *>state
    cdef int player
    if s.phase == BIDDING:
        for player in range(t.players):
            if player != observer and s.bids[player]:
                s.bids[player] = <uint8_t>(1 + below(rng, t.bid_max + 1))
    return 0.0


cdef uint64_t key(const void *tables, const void *state, int observer, int grain) noexcept nogil:
    cdef uint64_t words[KEY_WORDS]
    memcpy(words, state, sizeof(words))
    if grain > 0 or ((<const LeelawadeeState *>state).phase == BIDDING and observer != ALL):
        leave_out(words, observer, grain)
    return hash_words(words, KEY_WORDS, observer + 2 if observer >= 0 else 1)


cdef void leave_out(uint64_t *words, int observer, int grain) noexcept nogil:
    """Takes out of a key's words what the observer does not know and what the grain merges."""
    cdef LeelawadeeState known
    cdef uint8_t own
    memcpy(&known, words, KEY_WORDS * sizeof(uint64_t))
    if known.phase == BIDDING and observer != ALL:
        own = known.bids[observer] if observer >= 0 else 0
        memset(known.bids, 0, sizeof(known.bids))
        if observer >= 0:
            known.bids[observer] = own
    if grain > 0:
        # which colours lie on the table decides what can be planted; how many of each, and so the bag, is detail
        known.table = present(known.table)
        known.bag = 0
    memcpy(words, &known, KEY_WORDS * sizeof(uint64_t))


cdef void scores(const void *tables, const void *state, double *out) noexcept nogil:
    cdef int player
    for player in range((<const Tables *>tables).players):
        out[player] = (<const LeelawadeeState *>state).score[player]


cdef void components(const void *tables, const void *state, double *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LeelawadeeState *s = <const LeelawadeeState *>state
    cdef int player, creature, r, colour
    cdef uint32_t here
    cdef double *points
    for player in range(t.players):
        points = out + player * COMPONENTS
        memset(points, 0, COMPONENTS * sizeof(double))
        for r in range(s.round):
            here = <uint32_t>(s.here_after[r] >> (16 * player)) & 0xFFFF
            while here:
                creature = lowest_bit(here)
                here &= here - 1
                points[creature] += (-1 if creature == BEE else
                                     r + 1 if (s.new_after[r] >> creature) & 1 else (r + 1) >> 1)
        if s.round == ROUNDS:
            for colour in range(COLOURS):
                if s.flowers[player][colour] == 0:
                    points[MISSING] -= MISSING_COST
        if s.paid_by == player + 1:
            points[BID] = -<int>s.paid
        points[NOTED] = s.noted[player]


cdef void placing(const void *tables, const void *state, int32_t *out) noexcept nogil:
    cdef double points[PLAYERS]
    scores(tables, state, points)
    places_from_scores((<const Tables *>tables).players, points, out)


cdef enum:
    MARGIN_SCALE = 15    # points by which a clear win is won

cdef float PRIOR_SHARPNESS = 15    # of the priors, by utility
cdef float PRIOR_FLOOR = 0.02

cdef void utilities(const void *tables, const void *state, double *out) noexcept nogil:
    cdef double points[PLAYERS]
    cdef int32_t places[PLAYERS]
    scores(tables, state, points)
    placing(tables, state, places)
    final_utilities((<const Tables *>tables).players, points, places, MARGIN_SCALE, out)


# Evaluation and policy: linear in a few features, with weights by stage of the game (leelawadee.json says how they were made)

cdef inline int stage_of(const Tables *t, int round, int pick) noexcept nogil:
    """A quarter of a round; the weights of all stages lie behind each other."""
    return round * QUARTERS + pick * QUARTERS // (2 * t.players)


cdef inline int margin_bucket(int margin) noexcept nogil:
    return margin if margin < 2 else 2


cdef inline void plan_features(
    const Tables *t, const LeelawadeeState *s, int32_t action, const Planting *planting, float *out
) noexcept nogil:
    """What a planting does, for the policy: `MOVE_FEATURES` numbers."""
    cdef uint32_t here = creatures_in(s, planting.player)
    cdef uint32_t arriving = planting.attracted & ~here
    cdef uint32_t anywhere = <uint32_t>(s.here | s.here >> 16 | s.here >> 32 | s.here >> 48) & 0xFFFF
    cdef uint32_t taken = arriving & anywhere
    cdef uint32_t found = arriving & ~anywhere
    cdef uint32_t kept = planting.attracted & here
    cdef int spot = action & 15
    out[0] = popcount(found & SINGLES)
    out[1] = popcount(found & DOUBLES)
    out[2] = (found >> FIVE) & 1
    out[3] = (found >> BEE) & 1
    out[4] = popcount(taken & SINGLES)
    out[5] = popcount(taken & DOUBLES)
    out[6] = (taken >> FIVE) & 1
    out[7] = (taken >> BEE) & 1
    out[8] = popcount(kept & SINGLES)
    out[9] = popcount(kept & DOUBLES)
    out[10] = s.flowers[planting.player][planting.colour] == 0
    out[11] = popcount(t.adjacency[planting.player][spot] & s.flowers[planting.player][planting.colour])
    out[12] = popcount(t.adjacency[planting.player][spot] & <uint16_t>~s.occupied[planting.player])
    out[13] = lane(s.table, planting.colour) - 1
    out[14] = planting.five_record > s.five_record


cdef inline float gain(const Tables *t, const LeelawadeeState *s, int32_t action) noexcept nogil:
    """The expected utility of a planting over the average one, at a glance."""
    cdef Planting planting
    cdef float features[MOVE_FEATURES]
    cdef const float *weights = t.move_weights[stage_of(t, s.round, s.pick)]
    cdef float sum = 0
    cdef int i
    plan(t, s, NULL, action, &planting)
    plan_features(t, s, action, &planting, features)
    for i in range(MOVE_FEATURES):
        sum += features[i] * weights[i]
    return sum


cdef void garden_features(const Tables *t, const LeelawadeeState *s, int player, float *out) noexcept nogil:
    """What a garden promises: `GARDEN_FEATURES` numbers. Creatures by class, direction and how safe they are; threats."""
    cdef uint32_t here = creatures_in(s, player)
    cdef uint32_t left = here
    cdef int creature, margin, colour, kind, slot
    memset(out, 0, GARDEN_FEATURES * sizeof(float))
    while left:
        creature = lowest_bit(left)
        left &= left - 1
        if creature < KINDS:
            margin = lead(t, s, player, creature)
            slot = 0 if creature < COLOURS else 1
        elif creature == FIVE:
            margin = s.five_record - 3
            slot = 2
        else:
            margin = s.bee_record - 2
            slot = 3
        out[slot * 6 + ((s.new >> creature) & 1) * 3 + margin_bucket(max(margin, 0))] += 1
    for colour in range(COLOURS):
        out[24] += s.flowers[player][colour] == 0
    for kind in range(KINDS):
        if not (here >> kind) & 1 and lead(t, s, player, kind) == 0:
            out[25 if kind < COLOURS else 26] += 1
    out[27] = 1


cdef inline int lead(const Tables *t, const LeelawadeeState *s, int player, int kind) noexcept nogil:
    """A garden's best group of a kind less the best of the others; never positive without the butterfly."""
    cdef int others = 0
    cdef int other
    for other in range(t.players):
        if other != player:
            others = max(others, <int>((s.best[kind] >> (8 * other)) & 0xFF))
    return <int>((s.best[kind] >> (8 * player)) & 0xFF) - others


cdef void evaluate(const void *tables, const void *state, double *utility, double *score) noexcept nogil:
    """Points so far and what the garden promises; the shares of the first place by how much such margins have meant."""
    cdef const Tables *t = <const Tables *>tables
    cdef const LeelawadeeState *s = <const LeelawadeeState *>state
    cdef float features[GARDEN_FEATURES]
    cdef const float *weights
    cdef int stage, player, i
    if s.phase == OVER:
        scores(tables, state, score)
        utilities(tables, state, utility)
        return
    stage = stage_of(t, s.round, s.pick)
    weights = t.garden_weights[stage]
    for player in range(t.players):
        garden_features(t, s, player, features)
        score[player] = s.score[player]
        for i in range(GARDEN_FEATURES):
            score[player] += features[i] * weights[i]
    estimated_utilities(t.players, score, t.certainty[stage], MARGIN_SCALE, utility)


cdef void priors(const void *tables, const void *state, int n, const int32_t *ids, float *out) noexcept nogil:
    """A softmax of the gains; bids fall off with their height."""
    cdef const Tables *t = <const Tables *>tables
    cdef const LeelawadeeState *s = <const LeelawadeeState *>state
    cdef float sum = 0
    cdef int i
    if s.phase == BIDDING:
        for i in range(n):
            out[i] = <float>1.0 / <float>(1 + ids[i] - BID_BASE)
            sum += out[i]
        for i in range(n):
            out[i] /= sum
        return
    for i in range(n):
        out[i] = gain(t, s, ids[i]) if s.phase == PLANT else 0
    priors_from_gains(n, PRIOR_SHARPNESS, PRIOR_FLOOR, out)


cdef int32_t policy_action(const void *tables, const void *state, Rng *rng) noexcept nogil:
    """The best by gain of a few random actions; of bids, the lowest of two."""
    cdef const Tables *t = <const Tables *>tables
    cdef const LeelawadeeState *s = <const LeelawadeeState *>state
    cdef int32_t best = random_action(tables, state, rng)
    cdef int32_t action
    cdef float best_gain, value
    cdef int _i
    if s.phase == BIDDING:
        return min(best, random_action(tables, state, rng))
    if s.phase != PLANT:
        return best
    best_gain = gain(t, s, best)
    for _i in range(CANDIDATES - 1):
        action = random_action(tables, state, rng)
        value = gain(t, s, action)
        if value > best_gain:
            best = action
            best_gain = value
    return best


cdef int32_t canonical(const void *tables, const void *state, int32_t action) noexcept nogil:
    """The lowest spot among those that a symmetry of the garden, flowers included, carries to this one."""
    cdef const Tables *t = <const Tables *>tables
    cdef const LeelawadeeState *s = <const LeelawadeeState *>state
    cdef int player, i
    cdef int spot = action & 15
    cdef int lowest = spot
    if s.phase != PLANT:
        return action
    player = mover(t, s)
    for i in range(t.symmetries[player]):
        if t.symmetry[player][i][spot] < lowest and is_symmetric(s, player, t.symmetry[player][i]):
            lowest = t.symmetry[player][i][spot]
    return (action & ~15) | lowest


cdef bint is_symmetric(const LeelawadeeState *s, int player, const uint8_t *symmetry) noexcept nogil:
    cdef int colour
    cdef uint16_t members, left, image
    for colour in range(COLOURS):
        members = s.flowers[player][colour]
        left = members
        image = 0
        while left:
            image |= <uint16_t>(1 << symmetry[lowest_bit(left)])
            left &= left - 1
        if image != members:
            return False
    return True


cdef Rules RULES = Rules(
    start=start, actor=actor, simultaneous=simultaneous, actions=actions, random_action=random_action, is_legal=is_legal,
    apply=apply, outcomes=outcomes, draw=draw, withdraw=withdraw, redeal=redeal, rewind=NULL, lighten=NULL, key=key,
    scores=scores, components=components, placing=placing, utilities=utilities, evaluate=evaluate, priors=priors,
    policy_action=policy_action, canonical=canonical)


# Loading

WEIGHTS = json.loads(files("garden_core.games").joinpath("leelawadee.json").read_text())["weights"]

DEFAULTS = {
    "first": "random", "open_draws": False, "bid_for_start": False, "bid_max": 20, "attract": "fresh-group", "tie": "shared"}
ATTRACT = ("fresh-group", "best-group")


def load(players, options, components):
    """The game for these players, options (see `DEFAULTS`) and components (the plain data of a checked component file).

    Loading the same again gives the same object. Raises `FieldError` where something does not fit the capacities.
    """
    whole("players", players, 2, PLAYERS)
    check_components(components)
    checked = with_defaults(options, DEFAULTS)
    one_of("options.first", checked["first"], ["random", *range(players)])
    for name in ("open_draws", "bid_for_start"):
        one_of(f"options.{name}", checked[name], [False, True])
    whole("options.bid_max", checked["bid_max"], 0, BID_CAPACITY)
    one_of("options.attract", checked["attract"], ATTRACT)
    one_of("options.tie", checked["tie"], ["shared"])
    return made_once(Leelawadee, players, checked, components)


cdef class Leelawadee(Game):
    """Leelawadee as loaded; `garden_ai.load` is the usual way to one."""

    cdef Tables *tables
    cdef readonly tuple colours       # names, in the order of the indices
    cdef readonly str letters         # of the colours
    cdef readonly tuple creatures     # names
    cdef readonly tuple codes         # of the creatures, short
    cdef readonly tuple shapes        # a tuple of rows for each player: '.' a spot, ' ' none
    cdef readonly tuple cells         # (row, column) of each spot, for each player

    def __cinit__(self):
        self.tables = NULL

    def __dealloc__(self):
        free(self.tables)

    def __init__(self, players, options, components):
        flowers = components["flowers"]
        self.colours = tuple(flowers["colours"])
        self.letters = "".join(flowers["letters"])
        pairs = [tuple(self.colours.index(name) for name in pair["colours"])
                 for pair in components["butterflies"]["two_colour"]]
        pair_names = ["-".join(self.colours[colour] for colour in pair) for pair in pairs]
        self.creatures = (*self.colours, *pair_names, "five-colour", "bumblebee")
        self.codes = (*self.letters, *("".join(self.letters[c] for c in pair) for pair in pairs), "5", "bee")
        shapes = components["gardens"]["shapes"]
        self.shapes = tuple(tuple(shape) for shape in (shapes * players if len(shapes) == 1 else shapes[:players]))
        self.cells = tuple(_cells(shape) for shape in self.shapes)
        super().__init__("leelawadee", players, options, components,
                         (*self.creatures, "missing colours", "bid", "earlier rounds"), LAYOUT, load)
        self._make_tables(pairs, flowers["counts"][str(players)])
        self.loaded.rules = RULES
        self.loaded.tables = self.tables
        self.loaded.state_size = sizeof(LeelawadeeState)
        self.loaded.players = players
        self.loaded.max_actions = max(COLOURS * SPOTS, self.tables.bid_max + 1)
        self.loaded.max_outcomes = 495   # multisets of 8 flowers of 5 colours
        self.loaded.max_nodes = 2 * ROUNDS * players + ROUNDS + players + 3
        self.loaded.component_count = COMPONENTS
        self.loaded.hidden = options["bid_for_start"]
        self.loaded.utility_low = 0.0
        self.loaded.utility_high = 1.0
        self.loaded.score_low = -COLOURS * MISSING_COST - ROUNDS - self.tables.bid_max
        self.loaded.score_high = (FIVE + 1) * ROUNDS * (ROUNDS + 1) // 2

    def _make_tables(self, pairs, counts):
        """One block: the `Tables`, then the group tables of each different shape."""
        different = list(dict.fromkeys(self.cells))
        size = sum(len(cells) << len(cells) for cells in different)
        cdef Tables *t = <Tables *>calloc(1, sizeof(Tables) + size * sizeof(uint16_t))
        if t == NULL:
            raise MemoryError
        self.tables = t
        cdef uint16_t *groups = <uint16_t *>(<char *>t + sizeof(Tables))
        cdef uint16_t[SPOTS] adjacency
        t.players = self.players
        t.best_group = self.options["attract"] == "best-group"
        t.open_draws = self.options["open_draws"]
        t.bid_for_start = self.options["bid_for_start"]
        t.bid_max = self.options["bid_max"]
        t.first = -1 if self.options["first"] == "random" else self.options["first"]
        for colour, count in enumerate(counts):
            t.bag |= <uint32_t><int>count << (LANE * <int>colour)
        for holder in range(self.players):
            for pick in range(2 * self.players):
                offset = pick if pick < self.players else 2 * self.players - 1 - pick
                t.order[holder][pick] = (holder + offset) % self.players
        for pair, (one, two) in enumerate(pairs):
            for colour, partner in ((one, two), (two, one)):
                t.pair_kind[colour][t.pairs_of[colour]] = COLOURS + pair
                t.partner[colour][t.pairs_of[colour]] = partner
                t.pairs_of[colour] += 1
            t.pairs[pair][0] = one
            t.pairs[pair][1] = two
        for cells in different:
            _fill_adjacency(cells, adjacency)
            _fill_groups(len(cells), adjacency, groups)
            for player in range(self.players):
                if self.cells[player] == cells:
                    t.groups[player] = groups
                    t.spots[player] = len(cells)
                    t.garden[player] = <uint16_t>((1 << len(cells)) - 1)
                    memcpy(t.adjacency[player], adjacency, sizeof(adjacency))
                    symmetries = _symmetries(cells)
                    t.symmetries[player] = len(symmetries)
                    for i, images in enumerate(symmetries):
                        for spot, image in enumerate(images):
                            t.symmetry[player][i][spot] = image
            groups += len(cells) << len(cells)
        for n in range(COUNT_CAPACITY + 1):
            for k in range(n + 1):
                t.choose[n][k] = 1.0 if k == 0 else t.choose[n - 1][k - 1] + (t.choose[n - 1][k] if k < n else 0.0)
        weights = WEIGHTS[str(self.players)]
        for stage in range(STAGES):
            t.certainty[stage] = weights["certainty"][stage]
            for i in range(MOVE_FEATURES):
                t.move_weights[stage][i] = weights["move"][stage][i]
            for i in range(GARDEN_FEATURES):
                t.garden_weights[stage][i] = weights["garden"][stage][i]

    # Steps: actions and outcomes spelt out

    def phase(self, State state not None):
        """One of `PHASES`."""
        self.check(state)
        return PHASES[(<LeelawadeeState *>state.data).phase]

    def step(self, State state not None, int32_t id):
        """An action or outcome spelt out: ("plant", colour, row, column), ("bid", points), ("start", player),
        ("first", player), ("draw", (counts by colour)) or ("tie", player). It must be possible in the state.
        """
        self.check(state)
        phase = self.phase(state)
        if phase == "plant":
            return (phase, id >> 4, *self.cells[mover(self.tables, <LeelawadeeState *>state.data)][id & 15])
        if phase == "draw":
            return phase, tuple(lane(id, colour) for colour in range(COLOURS))
        return phase, id - {"bid": BID_BASE, "start": START_BASE}.get(phase, 0)

    def step_id(self, State state not None, step):
        """The inverse of `step`; -1 where no such step exists in the state's phase. It need not be possible."""
        self.check(state)
        if step[0] != self.phase(state):
            return -1
        if step[0] == "plant":
            cells = self.cells[mover(self.tables, <LeelawadeeState *>state.data)]
            return step[1] * 16 + cells.index(step[2:]) if tuple(step[2:]) in cells else -1
        if step[0] == "draw":
            return sum(min(count, LANE_MASK) << (LANE * colour) for colour, count in enumerate(step[1]))
        return step[1] + {"bid": BID_BASE, "start": START_BASE}.get(step[0], 0)

    # What tools/fit_leelawadee fits

    def stage(self, State state not None):
        """The stage whose weights count, 0..19."""
        self.check(state)
        cdef const LeelawadeeState *s = <const LeelawadeeState *>state.data
        return stage_of(self.tables, s.round, s.pick)

    def move_features(self, State state not None):
        """Of each legal planting: float32 [n, MOVE_FEATURES]."""
        self.check(state)
        actions = state.legal_actions()
        out = np.zeros((len(actions), MOVE_FEATURES), dtype=np.float32)
        cdef float[:, ::1] rows = out
        cdef Planting planting
        for i, action in enumerate(actions.tolist()):
            plan(self.tables, <const LeelawadeeState *>state.data, NULL, action, &planting)
            plan_features(self.tables, <const LeelawadeeState *>state.data, action, &planting, &rows[i, 0])
        return out

    def garden_features(self, State state not None):
        """Of each garden: float32 [players, GARDEN_FEATURES]."""
        self.check(state)
        out = np.zeros((self.players, GARDEN_FEATURES), dtype=np.float32)
        cdef float[:, ::1] rows = out
        for player in range(self.players):
            garden_features(self.tables, <const LeelawadeeState *>state.data, player, &rows[player, 0])
        return out

    # Positions

    def creature_index(self, str code):
        """The index of a creature by its code or name, in any case; -1 where there is none."""
        for names in (self.codes, self.creatures):
            for i, name in enumerate(names):
                if code.lower() == name.lower():
                    return i
        return -1

    def fields(self, State state not None, int observer=ALL):
        """The fields of docs/games/leelawadee.md; sealed bids of others than `observer` are "hidden"."""
        self.check(state)
        cdef const LeelawadeeState *s = <const LeelawadeeState *>state.data
        cdef int who = actor(self.tables, s)
        out = {"to_move": who, "phase": PHASES[s.phase], "round": min(<int>s.round + 1, ROUNDS)}
        if s.phase not in (FIRST, BIDDING, TIE, START) and not (s.phase == DRAW and s.round == 0 and self.tables.bid_for_start):
            out["bag_holder"] = s.holder
        out["table"] = self._letters_of(s.table)
        out["bag"] = {self.letters[c]: lane(s.bag, c) for c in range(COLOURS)}
        if self.tables.open_draws:
            out["coming"] = [self._letters_of(s.supply[r]) for r in range(<int>s.round + 1, s.drawn)]
        gardens = []
        for player in range(self.players):
            here = creatures_in(s, player)
            garden = {
                "rows": self._rows(s, player),
                "new": [self.codes[i] for i in range(BEE) if here >> i & s.new >> i & 1],
                "old": [self.codes[i] for i in range(CREATURES) if here >> i & ~s.new >> i & 1],
                "score": s.score[player]}
            if s.paid_by == player + 1:
                garden["bid"] = s.paid
            gardens.append(garden)
        out["gardens"] = gardens
        if s.phase == BIDDING or s.phase == TIE:
            out["bids"] = [None if s.bids[p] == 0 else s.bids[p] - 1 if s.phase == TIE or observer in (p, ALL) else "hidden"
                           for p in range(self.players)]
        if s.round and not any(s.noted[p] for p in range(self.players)):
            out["history"] = [self._round_fields(s, r) for r in range(s.round)]
        return out

    def _letters_of(self, uint32_t multiset):
        return "".join(self.letters[c] * lane(multiset, c) for c in range(COLOURS))

    cdef _rows(self, const LeelawadeeState *s, int player):
        rows = [list(row) for row in self.shapes[player]]
        for spot, (row, column) in enumerate(self.cells[player]):
            for colour in range(COLOURS):
                if s.flowers[player][colour] >> <int>spot & 1:
                    rows[row][column] = self.letters[colour]
        return ["".join(row) for row in rows]

    cdef _round_fields(self, const LeelawadeeState *s, int r):
        out = []
        for player in range(self.players):
            here = <uint32_t>(s.here_after[r] >> (16 * <int>player)) & 0xFFFF
            out.append({"new": [self.codes[i] for i in range(BEE) if here >> i & s.new_after[r] >> i & 1],
                        "old": [self.codes[i] for i in range(CREATURES) if here >> i & ~s.new_after[r] >> i & 1]})
        return out

    def build(self, fields):
        """The state of such fields. What follows from the rest may be left out; a sealed bid of another is taken as 0."""
        mapping("", fields, ("to_move", "phase", "round", "bag_holder", "table", "bag", "coming", "gardens", "bids", "history"),
                ("gardens",))
        cdef State state = self.new_state()
        cdef LeelawadeeState *s = <LeelawadeeState *>state.data
        cdef const Tables *t = self.tables
        gardens = sequence("gardens", fields["gardens"], self.players, "gardens, one a player")
        for player, garden in enumerate(gardens):
            mapping(f"gardens[{player}]", garden, ("rows", "new", "old", "score", "bid"), ("rows",))
            self._read_rows(s, player, garden["rows"])
        s.table = self._read_flowers("table", fields.get("table", ""))
        self._read_turn(s, fields)
        self._read_supply(s, fields)
        _rebuild(t, s)
        self._read_creatures(s, gardens)
        self._read_points(s, fields, gardens)
        return state

    cdef _read_rows(self, LeelawadeeState *s, int player, rows):
        path = f"gardens[{player}].rows"
        shape = self.shapes[player]
        sequence(path, rows, len(shape), "rows of text")
        for r, row in enumerate(rows):
            text(f"{path}[{r}]", row)
            if len(row.rstrip()) > len(shape[r]):
                raise FieldError(f"{path}[{r}]", f"expected {len(shape[r])} spots, '.' for an empty one; got {shown(row)}")
        for spot, (r, c) in enumerate(self.cells[player]):
            letter = rows[r][c:c + 1].upper()
            colour = self.letters.find(letter) if letter else -1
            if colour < 0 and letter != ".":
                raise FieldError(f"{path}[{r}]", f"expected '.' or one of {self.letters} at place {c + 1}; got {shown(rows[r])}")
            if colour >= 0:
                s.flowers[player][<int>colour] |= <uint16_t>(1 << <int>spot)
                s.occupied[player] |= <uint16_t>(1 << <int>spot)
        for r, row in enumerate(rows):
            for c, letter in enumerate(row):
                if letter != " " and (r, c) not in self.cells[player]:
                    raise FieldError(f"{path}[{r}]", f"there is no spot at place {c + 1} of this garden; got {shown(row)}")

    cdef uint32_t _read_flowers(self, path, value) except *:
        counts = [0] * COLOURS
        for letter in text(path, value):
            colour = self.letters.find(letter.upper())
            if colour < 0:
                raise FieldError(path, f"expected letters of {self.letters}, one a flower; got {shown(value)}")
            counts[colour] += 1
        if max(counts) > COUNT_CAPACITY:
            raise FieldError(path, f"expected at most {2 * self.players} flowers; got {len(value)}")
        return <uint32_t>sum(count << (LANE * colour) for colour, count in enumerate(counts))

    cdef _read_turn(self, LeelawadeeState *s, fields):
        """Phase, round, pick and bag holder, from what lies in the gardens and who is to move."""
        cdef const Tables *t = self.tables
        cdef int turns = 2 * self.players
        cdef int planted = 0
        for player in range(self.players):
            planted += popcount(s.occupied[player])
        if planted > turns * ROUNDS:
            raise FieldError("gardens", f"expected at most {turns * ROUNDS} flowers; got {planted}")
        s.round = planted // turns
        s.pick = planted % turns
        to_move = fields.get("to_move")
        holder = fields.get("bag_holder")
        if to_move is not None:
            one_of("to_move", to_move, [CHANCE, TERMINAL, *range(self.players)])
        if holder is not None:
            whole("bag_holder", holder, 0, self.players - 1)
        phase = fields.get("phase")
        if phase is None:
            phase = ("over" if planted == turns * ROUNDS else "bid" if fields.get("bids") is not None
                     else "plant" if s.table and to_move != CHANCE else "draw" if holder is not None or planted or s.table
                     else "draw" if t.bid_for_start or t.first >= 0 else "first")
        s.phase = PHASES.index(one_of("phase", phase, PHASES))
        agrees("round", fields.get("round"), min(<int>s.round + 1, ROUNDS))
        if s.phase in (BIDDING, TIE, START) and not t.bid_for_start:
            raise FieldError("phase", f"'{phase}' needs the option bid_for_start")
        if s.phase == FIRST and (t.bid_for_start or t.first >= 0):
            raise FieldError("phase", "'first' needs the start player to be drawn; here the options settle him otherwise")
        if s.phase in (FIRST, BIDDING, TIE, START) and planted:
            raise FieldError("phase", f"'{phase}' comes before the first flower is planted; got {planted} planted")
        if (s.phase == OVER) != (planted == turns * ROUNDS):
            raise FieldError("phase", f"'{phase}' does not go with {planted} of {turns * ROUNDS} flowers planted")
        if s.phase == DRAW and (s.pick or (t.open_draws and planted)):
            raise FieldError("phase", "'draw' does not come in the middle of a round" if s.pick else
                             "'draw' does not come after the start with open_draws")
        expected = 0 if s.phase in (FIRST, OVER) or (s.phase == DRAW and not t.open_draws) else turns - <int>s.pick
        lies = total(s.table)
        if lies != expected and not (s.phase == DRAW and lies == 0):
            raise FieldError("table", f"expected {expected} flowers on the table with {planted} planted; got {lies}")
        self._read_bids(s, fields)
        if s.phase in (PLANT, OVER) or (s.phase == DRAW and (planted or not t.bid_for_start)):
            self._read_holder(s, to_move, holder)
        elif holder is not None:
            raise FieldError("bag_holder", f"not settled yet in phase '{phase}'; leave it out")
        if s.phase != START:
            agrees("to_move", to_move, actor(t, s))

    cdef _read_holder(self, LeelawadeeState *s, to_move, holder):
        cdef const Tables *t = self.tables
        if s.phase == PLANT and to_move is not None and to_move >= 0:
            offset = s.pick if s.pick < self.players else 2 * self.players - 1 - <int>s.pick
            implied = (to_move - offset) % self.players
            agrees("bag_holder", holder, implied)
            holder = implied
        if holder is None and t.first >= 0 and not t.bid_for_start:
            holder = (t.first + s.round) % self.players
        if holder is None:
            fitting = [h for h in range(self.players) if self._misplanted(s, h) < 0]
            if len(fitting) != 1 and s.phase != OVER:
                raise FieldError("to_move" if s.phase == PLANT else "bag_holder",
                                 "missing; the flowers planted do not tell who holds the bag")
            holder = fitting[0] if fitting else 0
        s.holder = holder
        wrong = self._misplanted(s, holder)
        if wrong >= 0:
            raise FieldError(f"gardens[{wrong}].rows",
                             f"expected {self._planted_by(s, holder, wrong)} flowers in round {s.round + 1} with "
                             f"{s.pick} planted in it and player {holder} holding the bag; "
                             f"got {popcount(s.occupied[<int>wrong])}")
        if t.first >= 0 and not t.bid_for_start and (t.first + s.round) % self.players != holder:
            raise FieldError("bag_holder", f"expected {(t.first + s.round) % self.players} in this round, as option "
                                           f"first={t.first} says; got {holder}")

    cdef int _planted_by(self, const LeelawadeeState *s, int holder, int player):
        cdef int count = 2 * s.round
        cdef int pick
        for pick in range(s.pick):
            count += self.tables.order[holder][pick] == player
        return count

    cdef int _misplanted(self, const LeelawadeeState *s, int holder):
        """The first player whose number of flowers does not fit this bag holder; -1 where all fit."""
        cdef int player
        for player in range(self.players):
            if popcount(s.occupied[player]) != self._planted_by(s, holder, player):
                return player
        return -1

    cdef _read_bids(self, LeelawadeeState *s, fields):
        cdef const Tables *t = self.tables
        bids = fields.get("bids")
        if s.phase == START:
            winner = fields.get("to_move")
            if winner is None or winner < 0:
                raise FieldError("to_move", "missing; expected the winner of the bidding")
            if bids is not None:
                raise FieldError("bids", "the bidding is settled; give the winner's bid as gardens[..].bid")
            s.bids[<int>winner] = 1   # the amount is read with his garden
            return
        if s.phase != BIDDING and s.phase != TIE:
            if bids is not None:
                raise FieldError("bids", f"not expected in phase '{PHASES[s.phase]}'")
            return
        if bids is None:
            if s.phase == TIE:
                raise FieldError("bids", "missing")
            bids = [None] * self.players
        for player, bid in enumerate(sequence("bids", bids, self.players, "bids, one a player")):
            if bid == "hidden" and s.phase == BIDDING:
                s.bids[player] = 1
            elif bid is not None:
                s.bids[player] = 1 + whole(f"bids[{player}]", bid, 0, t.bid_max)
        if s.phase == BIDDING and next_bidder(t, s) == self.players:
            raise FieldError("bids", "expected null for at least one player: all have bid, so the bidding is over")
        if s.phase == TIE:
            highest = highest_bidders(t, s)
            if popcount(highest) < 2 or not any(s.bids[p] for p in range(self.players)):
                raise FieldError("bids", "expected the highest bid from at least two players")
            for player in range(self.players):
                if not highest >> player & 1:
                    s.bids[player] = 0

    cdef _read_supply(self, LeelawadeeState *s, fields):
        """What is still to come, and the bag as what is nowhere else."""
        cdef const Tables *t = self.tables
        cdef int colour, player, count
        coming = fields.get("coming")
        begun = <int>s.round + (1 if s.table or s.pick else 0)
        s.drawn = begun
        if t.open_draws and s.phase not in (FIRST, OVER):
            sequence("coming", coming if coming is not None else [],
                     ROUNDS - begun if s.phase != DRAW else None, "draws of later rounds, as open_draws shows them")
            for i, flowers in enumerate(coming or []):
                multiset = self._read_flowers(f"coming[{i}]", flowers)
                if total(multiset) != 2 * self.players:
                    raise FieldError(f"coming[{i}]", f"expected {2 * self.players} flowers; got {shown(flowers)}")
                if begun + i >= ROUNDS or (not s.table and s.phase == DRAW):
                    raise FieldError("coming", "more draws than are made at this point")
                s.supply[begun + <int>i] = multiset
                s.drawn += 1
            if s.phase == DRAW and s.drawn == ROUNDS:
                raise FieldError("phase", "'draw' is over once five draws are known")
        elif coming:
            raise FieldError("coming", "not expected: " + (
                "nothing comes in this phase" if t.open_draws else "later draws are known with the option open_draws only"))
        if s.phase == OVER:
            s.drawn = ROUNDS
        counts = [lane(t.bag, colour) for colour in range(COLOURS)]
        for colour in range(COLOURS):
            count = lane(t.bag, colour) - lane(s.table, colour)
            for player in range(self.players):
                count -= popcount(s.flowers[player][colour])
            for i in range(ROUNDS):
                count -= lane(s.supply[i], colour)
            if count < 0:
                raise FieldError("gardens", f"expected at most {counts[colour]} {self.colours[colour]} flowers in gardens "
                                            f"and on the table; got {counts[colour] - count}")
            s.bag |= <uint32_t>count << (LANE * colour)
        bag = fields.get("bag")
        if bag is not None:
            mapping("bag", bag, self.letters)
            for colour, letter in enumerate(self.letters):
                agrees(f"bag.{letter}", bag.get(letter, 0), lane(s.bag, colour))

    cdef _read_creatures(self, LeelawadeeState *s, gardens):
        cdef int creature, player
        cdef uint32_t placed = 0
        for player, garden in enumerate(gardens):
            for name in ("new", "old"):
                path = f"gardens[{player}].{name}"
                for i, code in enumerate(sequence(path, garden.get(name, []), None, "creatures")):
                    creature = self.creature_index(text(f"{path}[{i}]", code))
                    if creature < 0:
                        raise FieldError(f"{path}[{i}]", f"expected one of {', '.join(self.codes)}; got {shown(code)}")
                    if placed >> creature & 1:
                        raise FieldError(f"{path}[{i}]", f"the {self.creatures[creature]} is named twice")
                    if name == "new" and creature != BEE:
                        if s.phase != PLANT or s.pick == 0:
                            raise FieldError(f"{path}[{i}]", "nothing has flown in yet in this round")
                        s.new |= <uint16_t>(1 << creature)
                    placed |= 1u << creature
                    s.here |= <uint64_t>1 << (16 * player + creature)
        for creature in range(CREATURES):
            self._check_creature(s, creature)

    cdef _check_creature(self, const LeelawadeeState *s, int creature):
        """A creature is where the largest group of its kind is, and on the table only while there is none."""
        sizes = [_draw_of(self.tables, s, player, creature) for player in range(self.players)]
        largest = max(sizes)
        least = 2 if creature >= FIVE else 1
        where = [player for player in range(self.players) if creatures_in(s, player) >> creature & 1]
        name = self.creatures[creature]
        if where and (largest < least or sizes[where[0]] < largest):
            fits = [player for player in range(self.players) if sizes[player] == largest and largest >= least]
            raise FieldError(f"gardens[{where[0]}]", f"the {name} cannot be here; expected it " + (
                f"with player {' or '.join(map(str, fits))}, who has the largest such group" if fits else
                "on the table: no garden attracts it yet"))
        if not where and largest >= least:
            fits = [player for player in range(self.players) if sizes[player] == largest]
            raise FieldError("gardens", f"the {name} is in no garden; expected it with player {' or '.join(map(str, fits))}")

    cdef _read_points(self, LeelawadeeState *s, fields, gardens):
        cdef const Tables *t = self.tables
        cdef double points[PLAYERS * COMPONENTS]
        for player, garden in enumerate(gardens):
            bid = garden.get("bid")
            if bid is not None:
                path = f"gardens[{player}].bid"
                if not t.bid_for_start or s.paid_by or s.phase in (BIDDING, TIE):
                    raise FieldError(path, "not expected: " + ("another player won the bidding" if s.paid_by else
                                                               "nobody has paid a bid"))
                if s.phase == START and s.bids[<int>player] == 0:
                    raise FieldError(path, "the player to move won the bidding and pays")
                s.paid_by = player + 1
                s.paid = whole(path, bid, 0, t.bid_max)
            elif s.phase == START and s.bids[<int>player]:
                raise FieldError(f"gardens[{player}].bid", "missing")
        if s.phase == START:
            s.bids[s.paid_by - 1] = s.paid + 1
        history = fields.get("history")
        if history is not None:
            self._read_history(s, history)
        components(t, s, points)
        for player, garden in enumerate(gardens):
            computed = <int>sum(points[COMPONENTS * <int>player + i] for i in range(COMPONENTS))
            score = garden.get("score")
            path = f"gardens[{player}].score"
            if history is not None or s.round == 0:
                agrees(path, score, computed)
                score = computed
            elif score is None:
                raise FieldError(path, "missing; expected the points so far")
            # at most every butterfly flew in anew in every round; at least the bumblebee stayed all the time
            s.score[<int>player] = whole(
                path, score, computed - <int>s.round, computed + (FIVE + 1) * <int>s.round * (<int>s.round + 1) // 2)
            s.noted[<int>player] = s.score[<int>player] - computed

    cdef _read_history(self, LeelawadeeState *s, history):
        cdef int creature
        for r, gardens in enumerate(sequence("history", history, s.round, "finished rounds")):
            seen = set()
            for player, garden in enumerate(sequence(f"history[{r}]", gardens, self.players, "gardens")):
                path = f"history[{r}][{player}]"
                mapping(path, garden, ("new", "old"))
                for name in ("new", "old"):
                    for i, code in enumerate(sequence(f"{path}.{name}", garden.get(name, []), None, "creatures")):
                        creature = self.creature_index(text(f"{path}.{name}[{i}]", code))
                        if creature < 0 or creature in seen:
                            raise FieldError(f"{path}.{name}[{i}]", f"expected one of {', '.join(self.codes)}, each once; "
                                                                    f"got {shown(code)}")
                        seen.add(creature)
                        s.here_after[<int>r] |= <uint64_t>1 << (16 * <int>player + creature)
                        if name == "new" and creature != BEE:
                            s.new_after[<int>r] |= <uint16_t>(1 << creature)


cdef void _rebuild(const Tables *t, LeelawadeeState *s) noexcept:
    """Best sizes and records, from the gardens alone."""
    cdef int player, kind, size
    for player in range(t.players):
        for kind in range(KINDS):
            s.best[kind] |= <uint32_t>_draw_of(t, s, player, kind) << (8 * player)
        size = _draw_of(t, s, player, FIVE)
        if size >= 2 and size > s.five_record:
            s.five_record = <uint8_t>size
        size = _draw_of(t, s, player, BEE)
        if size >= 2 and size > s.bee_record:
            s.bee_record = <uint8_t>size


cdef int _draw_of(const Tables *t, const LeelawadeeState *s, int player, int creature) noexcept:
    """How strongly a garden draws a creature: its best group's size or, for the five-colour butterfly, colours."""
    cdef const uint16_t *flowers = s.flowers[player]
    cdef uint16_t left, one, two, group
    cdef int best = 0
    cdef int size, colour
    if creature == BEE:
        for colour in range(COLOURS):
            best = max(best, _draw_of(t, s, player, colour))
        return best
    one = flowers[creature] if creature < COLOURS else 0
    two = one
    left = one
    if creature == FIVE:
        left = s.occupied[player]
    elif creature >= COLOURS:
        one = flowers[t.pairs[creature - COLOURS][0]]
        two = flowers[t.pairs[creature - COLOURS][1]]
        left = one | two
    while left:
        group = t.groups[player][(<size_t>lowest_bit(left) << t.spots[player]) + left]
        left &= <uint16_t>~group
        size = 0
        if creature == FIVE:
            for colour in range(COLOURS):
                size += (group & flowers[colour]) != 0
        elif group & one and group & two:
            size = popcount(group)
        best = max(best, size)
    return best


def _cells(shape):
    """(row, column) of each spot, in reading order."""
    return tuple((r, c) for r, row in enumerate(shape) for c, mark in enumerate(row) if mark == ".")


def _symmetries(cells):
    """The rotations and reflections of the grid that carry a garden to itself, but the identity: images of each spot."""
    found = []
    for turn in (lambda r, c: (r, -c), lambda r, c: (-r, c), lambda r, c: (-r, -c), lambda r, c: (c, r),
                 lambda r, c: (c, -r), lambda r, c: (-c, r), lambda r, c: (-c, -r)):
        images = [turn(r, c) for r, c in cells]
        top, left = min(r for r, _ in images), min(c for _, c in images)
        origin = min(r for r, _ in cells), min(c for _, c in cells)
        moved = [(r - top + origin[0], c - left + origin[1]) for r, c in images]
        if sorted(moved) == sorted(cells):
            found.append([cells.index(cell) for cell in moved])
    return found


cdef _fill_adjacency(cells, uint16_t *adjacency):
    for spot, (r, c) in enumerate(cells):
        adjacency[<int>spot] = 0
        for other, (row, column) in enumerate(cells):
            if abs(r - row) + abs(c - column) == 1:
                adjacency[<int>spot] |= <uint16_t>(1 << <int>other)


cdef void _fill_groups(int spots, const uint16_t *adjacency, uint16_t *groups) noexcept:
    """groups[spot << spots | members], for every set of members and every spot in it."""
    cdef uint32_t members
    cdef uint16_t left, group, walk
    for members in range(1u << spots):
        left = <uint16_t>members
        while left:
            group = group16(adjacency, left, lowest_bit(left))
            walk = group
            while walk:
                groups[(<size_t>lowest_bit(walk) << spots) + members] = group
                walk &= walk - 1
            left &= <uint16_t>~group


def check_components(components):
    """Raises `FieldError` where the plain data of a component file does not describe a Leelawadee set that fits."""
    mapping("", components, ("flowers", "butterflies", "gardens"), ("flowers", "butterflies", "gardens"))
    flowers = mapping("flowers", components["flowers"], ("colours", "letters", "counts"), ("colours", "letters", "counts"))
    colours = sequence("flowers.colours", flowers["colours"], COLOURS, "names")
    letters = sequence("flowers.letters", flowers["letters"], COLOURS, "letters")
    for i, (name, letter) in enumerate(zip(colours, letters, strict=True)):
        if not text(f"flowers.colours[{i}]", name).isalpha() or colours.index(name) != i:
            raise FieldError(f"flowers.colours[{i}]", f"expected a name of letters, each once; got {shown(name)}")
        if not text(f"flowers.letters[{i}]", letter).isupper() or len(letter) != 1 or letters.index(letter) != i:
            raise FieldError(f"flowers.letters[{i}]", f"expected one capital letter, each once; got {shown(letter)}")
    numbers = [str(n) for n in range(2, PLAYERS + 1)]
    counts = mapping("flowers.counts", flowers["counts"], numbers, numbers)
    for number in numbers:
        path = f"flowers.counts.{number}"
        for i, count in enumerate(sequence(path, counts[number], COLOURS, "numbers")):
            whole(f"{path}[{i}]", count, 0, COUNT_CAPACITY)
        if sum(counts[number]) != 2 * ROUNDS * int(number):
            raise FieldError(path, f"expected {2 * ROUNDS * int(number)} flowers, two a player and round; "
                                   f"got {sum(counts[number])}")
    butterflies = mapping("butterflies", components["butterflies"], ("two_colour",), ("two_colour",))
    pairs = sequence("butterflies.two_colour", butterflies["two_colour"], PAIRS, "pairs of colours")
    seen = []
    for i, pair in enumerate(pairs):
        path = f"butterflies.two_colour[{i}].colours"
        mapping(f"butterflies.two_colour[{i}]", pair, ("colours",), ("colours",))
        names = sequence(path, pair["colours"], 2, "colours")
        for k, name in enumerate(names):
            one_of(f"{path}[{k}]", name, colours)
        if names[0] == names[1] or sorted(names) in seen:
            raise FieldError(path, f"expected two different colours, no pair twice; got {shown(names)}")
        seen.append(sorted(names))
    gardens = mapping("gardens", components["gardens"], ("shapes",), ("shapes",))
    shapes = sequence("gardens.shapes", gardens["shapes"], None, "shapes")
    if len(shapes) not in (1, PLAYERS):
        raise FieldError("gardens.shapes", f"expected one shape for all or {PLAYERS}, one a player; got {len(shapes)}")
    for i, shape in enumerate(shapes):
        for r, row in enumerate(sequence(f"gardens.shapes[{i}]", shape, None, "rows")):
            if set(text(f"gardens.shapes[{i}][{r}]", row)) - set(". ") or len(row) > SPOTS:
                raise FieldError(f"gardens.shapes[{i}][{r}]", f"expected '.' for a spot and ' ' for none, at most {SPOTS} "
                                                              f"wide; got {shown(row)}")
        spots = len(_cells(shape))
        if not 2 * ROUNDS <= spots <= SPOTS or len(shape) > SPOTS:
            raise FieldError(f"gardens.shapes[{i}]", f"expected {2 * ROUNDS}..{SPOTS} spots; got {spots}")
