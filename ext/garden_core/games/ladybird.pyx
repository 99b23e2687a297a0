"""Ladybird: one to four players lay ladybird cards in columns of five colours over fifteen rounds.

Rules are explained in docs/games/ladybird.md. What lies on the table and how it moves is in ladybird_table.pxd, evaluation and policy
in ladybird_advice.pxd; here is the turn, the contract, loading and positions.

Actions: `base + face` for a card revealed, placed or discarded, and a base each for columns, slots, uses of garden tiles, orchard
cards and stacks. Outcomes: cards in seven bits each, feeding tiles in six, colours in three, the first in the lowest.
"""
import json
from importlib.resources import files

import numpy as np

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from garden_core.bits cimport lowest_bit, popcount
from garden_core.games.ladybird_advice cimport ALL_PARTS, add_look, certainty_of, estimate, gains, Look, look_after, look_at, stage_of
from garden_core.games.ladybird_table cimport (
    add_card, allowed_uses, ANY_CARD, AT_ONCE, BED, BED_BASE, BED_POINTS, BLIND, BLIND_DRAW, can_place, CARDS, claimable,
    COLOURS, copies_in, count_cards, CYCLE_POINTS, day_of, DISCARD, DISCARD_BASE, DRAFT, draftable, DRAW_BLIND, drop_card,
    FEATURES, FEED, FEED_BASE, FeedingTile, FIRST, FRESH, HAND, Hand, HANDS, HARLEQUIN, has_card, has_target, HELD,
    insert_card, invade, is_cycle, is_target, KINDS, LadybirdState, lowest_column, MEMORIES, NO_STATE, ORCHARD, ORCHARD_BASE,
    ORCHARD_CARD, ORCHARD_USE, ORCHARDS, OVER, place_in, PLACE, PLACE_BASE, points_of, POOL, put_down, remove_card,
    resolvable_uses, REVEAL, REVEAL_BASE, ROSE, ROUNDS, same_orchard, same_stack, SCALE, SEATS, seat_to_move, SHED_ORCHARD,
    SHED_PLACE, SIDE, SLOTS, some_card, some_claimable, STACKS, STAGES, STATES, STOP, Tables, Tableau, TAKE_BASE, TARGET,
    TARGET_BASE, TEA_MEMORY, TILE, TILE_BASE, tile_of, TOPS, TYPES)
from garden_core.hash cimport hash_words
from garden_core.rng cimport Rng, below, mix64
from garden_core.rules cimport (
    ALL, CHANCE, TERMINAL, Rules, Sum, drawn_action, estimated_utilities, placed_utilities, places_from_scores, priors_from_gains)
from garden_core.sorting cimport sort_ids
from garden_core.state cimport Game, State

from garden_core.fields import FieldError, agrees, check_names, mapping, one_of, sequence, shown, text, whole, with_defaults
from garden_core.state import made_once

cdef enum:
    LAYOUT = 1
    COMPONENTS = 6
    MOST_ACTIONS = 16        # targets: three opponents' columns
    MOST_OUTCOMES = 128      # that are listed
    MOST_LISTED = 3072       # of them in each order: four cards
    KEY_WORDS = 96
    MARGIN = 40              # points of margin that squash to three quarters
    ENOUGH = 600             # points, alone: more are worth no more

PHASES = ("hands", "pool", "orchard", "stacks", "first", "draw", "reveal", "target", "bed", "draft", "tile", "place", "card", "feed",
          "discard", "over")

STATE_NAMES = ("eggs", "larva", "pupa", "adult")

STATE_LETTERS = "ELPA"

GARDEN_TILES = ("rose", "orchard", "picnic", "shed", "tea")

USE_STEPS = (("rose",), ("orchard",), ("picnic",), ("shed", "place"), ("shed", "orchard"), ("tea", "memory"), ("tea", "picnic"))

SLOT_NAMES = ("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3")

COMPONENT_NAMES = ("orchards", "life cycles", "flowerbeds", "ladybirds", "memories", "aphids")


# The deck

cdef inline void need_card(LadybirdState *s) noexcept nogil:
    """Before a card is drawn: an empty deck is made anew from the discards."""
    if s.deck[0] == 0 and s.deck[1] == 0:
        memcpy(s.deck, s.discards, sizeof(s.deck))
        memset(s.discards, 0, sizeof(s.discards))
        s.shuffles += 1


cdef inline void pull(const Tables *t, LadybirdState *s, int face) noexcept nogil:
    need_card(s)
    drop_card(t, s.deck, face)


cdef inline int sorts_in(const Tables *t, const uint64_t *pile) noexcept nogil:
    """Different faces."""
    cdef int n = 0
    cdef int face = 0
    while face < CARDS and t.copies[face]:
        n += has_card(pile, face)
        face += t.copies[face]
    return n


cdef inline int slots_due(const LadybirdState *s) noexcept nogil:
    """Cards of the pool that come in the next outcome."""
    cdef int n = popcount(s.refill)
    return n if n < AT_ONCE else AT_ONCE


cdef inline bint is_due(const LadybirdState *s, int stack) noexcept nogil:
    return s.top[stack] == 0 and s.below[stack] > 0


cdef inline int stacks_due(const LadybirdState *s) noexcept nogil:
    cdef int n = 0
    cdef int stack
    for stack in range(STACKS):
        n += is_due(s, stack)
    return n if n < AT_ONCE else AT_ONCE


cdef inline int orchards_left(const LadybirdState *s) noexcept nogil:
    cdef int n = 0
    cdef int colour
    for colour in range(COLOURS):
        n += s.orchard_deck[colour]
    return n


cdef inline int orchards_due(const Tables *t, const LadybirdState *s) noexcept nogil:
    cdef int n = 0
    cdef int slot
    for slot in range(t.orchard_slots):
        n += s.orchard[slot] == 0
    return min(n, orchards_left(s))


# The turn

cdef void begin_turn(const Tables *t, LadybirdState *s) noexcept nogil:
    """The revealed card is placed; a Harlequin looks for a column."""
    cdef int seat = (s.first + s.turn) % t.players
    cdef int face = s.revealed[seat] - 1
    if t.type[face] != HARLEQUIN:
        s.revealed[seat] = 0
        place_card(t, s, seat, face)
    elif has_target(t, s, seat):
        s.phase = TARGET
    else:
        s.revealed[seat] = 0
        add_card(s.discards, face)
        s.unlock = ANY_CARD if t.players == 1 else NO_STATE
        s.phase = DRAFT


cdef void place_card(const Tables *t, LadybirdState *s, int seat, int face) noexcept nogil:
    cdef Tableau *p = &s.tableau[seat]
    put_down(t, p, face)
    s.unlock = <uint8_t>((t.state[face] + 1) % STATES)
    s.phase = BED if lowest_column(p) > popcount(p.beds) else DRAFT


cdef void take_column(const Tables *t, LadybirdState *s, int mover, int seat, int column) noexcept nogil:
    """The revealed Harlequin invades; the card in its place is placed by the mover or, alone, discarded."""
    cdef int face = invade(t, &s.tableau[seat], column, s.revealed[mover] - 1)
    s.revealed[mover] = 0
    if t.players > 1:
        place_card(t, s, mover, face)
        return
    add_card(s.discards, face)
    s.unlock = ANY_CARD
    s.phase = DRAFT


cdef void take_from_pool(const Tables *t, LadybirdState *s, int seat, int slot) noexcept nogil:
    """The card goes into the hand; a row or column that is empty now brings memories and is filled again."""
    cdef int open = 0
    cdef int i
    cdef bint row, column
    insert_card(&s.hand[seat], s.pool[slot] - 1, True, 0)
    s.pool[slot] = 0
    for i in range(t.slots):
        open |= (s.pool[i] == 0) << i
    row = (open & t.row[slot]) == t.row[slot]
    column = (open & t.column[slot]) == t.column[slot]
    s.refill = <uint16_t>((t.row[slot] if row else 0) | (t.column[slot] if column else 0))
    if row and column:
        s.tableau[seat].memories += 2
    elif row or (column and t.players > 1):
        s.tableau[seat].memories += 1
    if s.refill:
        s.phase = POOL
    else:
        end_draft(t, s)


cdef inline void end_draft(const Tables *t, LadybirdState *s) noexcept nogil:
    if s.extra:
        end_turn(t, s)
    else:
        s.phase = TILE


cdef inline void show_harlequins(Hand *hand) noexcept nogil:
    """Who could place a card and does not has none but Harlequins, and all know it."""
    hand.known = <uint8_t>((1 << hand.count) - 1)
    memset(hand.shuffle, 0, sizeof(hand.shuffle))


cdef void use_tile(const Tables *t, LadybirdState *s, int seat, int use) noexcept nogil:
    """Flips the tile; one that cannot be resolved does no more."""
    cdef Tableau *p = &s.tableau[seat]
    cdef bint resolvable = (resolvable_uses(t, s, seat) >> use) & 1
    cdef int fresh = p.fresh
    p.fresh &= <uint8_t>~(1 << tile_of(use))
    if not resolvable:
        if fresh & (1 << tile_of(ROSE) | 1 << tile_of(SHED_PLACE)):
            show_harlequins(&s.hand[seat])
        end_turn(t, s)
    elif use == ROSE or use == SHED_PLACE:
        s.extra = True
        s.phase = PLACE
    elif use == ORCHARD_USE or use == SHED_ORCHARD:
        s.phase = ORCHARD_CARD
    elif use == TEA_MEMORY:
        p.memories += 1
        end_turn(t, s)
    else:
        s.phase = FEED


cdef void take_orchard(const Tables *t, LadybirdState *s, int seat, int slot) noexcept nogil:
    cdef Tableau *p = &s.tableau[seat]
    cdef int other
    p.orchards[s.orchard[slot] - 1] += 1
    p.aphids += s.aphids[slot]
    s.orchard[slot] = 0
    s.aphids[slot] = 0
    for other in range(ORCHARD):
        s.aphids[other] += s.orchard[other] != 0
    if orchards_left(s):
        s.phase = ORCHARDS
    else:
        end_turn(t, s)


cdef void take_tile(const Tables *t, LadybirdState *s, int seat, int stack) noexcept nogil:
    cdef Tableau *p = &s.tableau[seat]
    cdef int kind = s.top[stack] - 1
    cdef const FeedingTile *tile = &t.tiles[kind]
    p.aphids -= tile.cost
    p.feed[tile.type] += tile.points
    p.mildew[tile.type] += tile.threshold
    s.owned[kind] += <uint16_t>(1 << 4 * seat)
    s.top[stack] = 0
    s.chain = tile.honeydew
    if s.below[stack]:
        s.phase = TOPS
    else:
        end_feeding(t, s)


cdef inline void end_feeding(const Tables *t, LadybirdState *s) noexcept nogil:
    if s.chain and some_claimable(t, s, &s.tableau[seat_to_move(t, s)]):
        s.phase = FEED
    else:
        end_turn(t, s)


cdef void end_turn(const Tables *t, LadybirdState *s) noexcept nogil:
    s.extra = False
    s.chain = False
    s.turn += 1
    if s.turn < t.players:
        begin_turn(t, s)
    else:
        s.seat = 0
        check_hands(t, s)


cdef void check_hands(const Tables *t, LadybirdState *s) noexcept nogil:
    """After the round: whoever holds too many cards discards, in the round's order."""
    while s.seat < t.players and s.hand[(s.first + s.seat) % t.players].count <= HAND:
        s.seat += 1
    if s.seat < t.players:
        s.phase = DISCARD
    else:
        end_round(t, s)


cdef void end_round(const Tables *t, LadybirdState *s) noexcept nogil:
    cdef int day = day_of(s.round)
    cdef int seat
    s.seat = 0
    s.turn = 0
    s.round += 1
    if s.round == ROUNDS:
        s.phase = OVER
        return
    s.first = <uint8_t>((s.first + 1) % t.players)
    if day_of(s.round) != day:
        for seat in range(t.players):
            s.tableau[seat].fresh = <uint8_t>((1 << (day + 2)) - 1)
    s.phase = REVEAL


cdef void show_cards(const Tables *t, LadybirdState *s) noexcept nogil:
    """All have chosen."""
    cdef int seat
    for seat in range(t.players):
        remove_card(&s.hand[seat], s.revealed[seat] - 1)
    s.seat = 0
    begin_turn(t, s)


# The contract

cdef void start(const void *tables, void *state) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef LadybirdState *s = <LadybirdState *>state
    cdef int i
    memcpy(s.deck, t.cards, sizeof(s.deck))
    memcpy(s.orchard_deck, t.orchards, sizeof(s.orchard_deck))
    for i in range(t.kinds):
        s.down[i] = t.tiles[i].count
    for i in range(STACKS):
        s.below[i] = <uint8_t>t.stack_height
    for i in range(t.players):
        s.tableau[i].fresh = 1
    s.first = <uint8_t>max(0, t.first)
    s.setup = True
    s.phase = HANDS


cdef int actor(const void *tables, const void *state) noexcept nogil:
    cdef const LadybirdState *s = <const LadybirdState *>state
    if s.phase < REVEAL:
        return CHANCE
    if s.phase == OVER:
        return TERMINAL
    return seat_to_move(<const Tables *>tables, s)


cdef bint simultaneous(const void *tables, const void *state) noexcept nogil:
    return (<const LadybirdState *>state).phase == REVEAL and (<const Tables *>tables).players > 1


cdef inline int list_hand(const Tables *t, const Hand *hand, int base, bint harlequins, int32_t *out) noexcept nogil:
    cdef int n = 0
    cdef int i
    for i in range(hand.count):
        if (i == 0 or hand.card[i] != hand.card[i - 1]) and (harlequins or t.type[hand.card[i]] != HARLEQUIN):
            out[n] = base + hand.card[i]
            n += 1
    return n


cdef inline int list_bits(int bits, int base, int32_t *out) noexcept nogil:
    cdef int n = 0
    while bits:
        out[n] = base + lowest_bit(bits)
        bits &= bits - 1
        n += 1
    return n


cdef int actions(const void *tables, const void *state, int32_t *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LadybirdState *s = <const LadybirdState *>state
    cdef int seat, i, column
    cdef bint blind
    cdef int n = 0
    if s.phase < REVEAL or s.phase == OVER:
        return 0
    seat = seat_to_move(t, s)
    if s.phase == REVEAL:
        return list_hand(t, &s.hand[seat], REVEAL_BASE, True, out)
    if s.phase == DRAFT:
        n = list_bits(draftable(t, s, &blind), TAKE_BASE, out)
        if blind:
            out[n] = DRAW_BLIND
            n += 1
        return n
    if s.phase == TILE:
        return list_bits(allowed_uses(t, s, seat), TILE_BASE, out)
    if s.phase == PLACE:
        return list_hand(t, &s.hand[seat], PLACE_BASE, False, out)
    if s.phase == DISCARD:
        return list_hand(t, &s.hand[seat], DISCARD_BASE, True, out)
    if s.phase == BED:
        return list_bits(~s.tableau[seat].beds & ((1 << COLOURS) - 1), BED_BASE, out)
    if s.phase == ORCHARD_CARD:
        for i in range(ORCHARD):
            if s.orchard[i] and not same_orchard(s, i):
                out[n] = ORCHARD_BASE + i
                n += 1
        return n
    if s.phase == FEED:
        for i in range(STACKS):
            if claimable(t, s, &s.tableau[seat], i) and not same_stack(s, i):
                out[n] = FEED_BASE + i
                n += 1
        if s.chain:
            out[n] = STOP
            n += 1
        return n
    for i in range(t.players):
        for column in range(COLOURS):
            if is_target(t, s, seat, i, column):
                out[n] = TARGET_BASE + 8 * i + column
                n += 1
    return n


cdef int32_t random_action(const void *tables, const void *state, Rng *rng) noexcept nogil:
    cdef int32_t[MOST_ACTIONS] ids
    cdef int n = actions(tables, state, ids)
    return ids[below(rng, n)] if n > 1 else ids[0]


cdef bint is_legal(const void *tables, const void *state, int32_t action) noexcept nogil:
    cdef int32_t[MOST_ACTIONS] ids
    cdef int i
    if actor(tables, state) == CHANCE:
        return is_outcome(<const Tables *>tables, <const LadybirdState *>state, action)
    for i in range(actions(tables, state, ids)):
        if ids[i] == action:
            return True
    return False


cdef void apply(const void *tables, void *state, int32_t action) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef LadybirdState *s = <LadybirdState *>state
    cdef int seat
    if s.phase < REVEAL:
        apply_outcome(t, s, action)
        return
    seat = seat_to_move(t, s)
    if s.phase == REVEAL:
        s.revealed[seat] = <uint8_t>(action - REVEAL_BASE + 1)
        s.seat += 1
        if s.seat == t.players:
            show_cards(t, s)
    elif s.phase == DRAFT:
        s.unlock = 0
        if action == DRAW_BLIND:
            s.phase = BLIND_DRAW
        else:
            take_from_pool(t, s, seat, action - TAKE_BASE)
    elif s.phase == TILE:
        use_tile(t, s, seat, action - TILE_BASE)
    elif s.phase == PLACE:
        remove_card(&s.hand[seat], action - PLACE_BASE)
        place_card(t, s, seat, action - PLACE_BASE)
    elif s.phase == ORCHARD_CARD:
        take_orchard(t, s, seat, action - ORCHARD_BASE)
    elif s.phase == DISCARD:
        remove_card(&s.hand[seat], action - DISCARD_BASE)
        add_card(s.discards, action - DISCARD_BASE)
        check_hands(t, s)
    elif s.phase == TARGET:
        take_column(t, s, seat, (action - TARGET_BASE) >> 3, (action - TARGET_BASE) & 7)
    elif s.phase == BED:
        s.tableau[seat].beds |= <uint8_t>(1 << (action - BED_BASE))
        s.phase = DRAFT
    elif action == STOP:
        end_turn(t, s)
    else:
        take_tile(t, s, seat, action - FEED_BASE)


cdef inline int part(int32_t outcome, int place, int width) noexcept nogil:
    return (outcome >> width * place) & ((1 << width) - 1)


cdef void apply_outcome(const Tables *t, LadybirdState *s, int32_t outcome) noexcept nogil:
    cdef int n, i
    if s.phase == HANDS:
        for i in range(HAND):
            insert_card(&s.hand[s.seat], part(outcome, i, 7), False, 0)
            drop_card(t, s.deck, part(outcome, i, 7))
        s.seat += 1
        if s.seat == t.players:
            s.seat = 0
            s.refill = <uint16_t>((1 << t.slots) - 1)
            s.phase = POOL
    elif s.phase == POOL:
        for i in range(slots_due(s)):
            pull(t, s, part(outcome, i, 7))
            s.pool[lowest_bit(s.refill)] = <uint8_t>(part(outcome, i, 7) + 1)
            s.refill &= s.refill - 1
        if s.refill == 0:
            if s.setup:
                s.phase = ORCHARDS
            else:
                end_draft(t, s)
    elif s.phase == ORCHARDS:
        n = orchards_due(t, s)
        i = 0
        while n:
            if s.orchard[i] == 0:
                s.orchard[i] = <uint8_t>(part(outcome, 0, 3) + 1)
                s.aphids[i] = FRESH
                s.orchard_deck[part(outcome, 0, 3)] -= 1
                outcome >>= 3
                n -= 1
            i += 1
        if s.setup:
            s.phase = TOPS
        else:
            end_turn(t, s)
    elif s.phase == TOPS:
        turn_up(t, s, outcome)
    elif s.phase == BLIND_DRAW:
        draw_two(t, s, part(outcome, 0, 7), part(outcome, 1, 7))
    else:
        s.first = <uint8_t>outcome
        begin_game(s)


cdef inline void begin_game(LadybirdState *s) noexcept nogil:
    s.setup = False
    s.phase = REVEAL


cdef void turn_up(const Tables *t, LadybirdState *s, int32_t outcome) noexcept nogil:
    """The next tiles, in the order of their stacks."""
    cdef int n = stacks_due(s)
    cdef int stack
    for stack in range(STACKS):
        if n and is_due(s, stack):
            s.top[stack] = <uint8_t>(part(outcome, 0, 6) + 1)
            s.below[stack] -= 1
            s.down[part(outcome, 0, 6)] -= 1
            outcome >>= 6
            n -= 1
    if not s.setup:
        end_feeding(t, s)
    elif stacks_due(s) == 0:
        if t.players > 1 and t.first < 0:
            s.phase = FIRST
        else:
            begin_game(s)


cdef void draw_two(const Tables *t, LadybirdState *s, int one, int other) noexcept nogil:
    """Blind: the card that is left in the deck comes first."""
    cdef Hand *hand = &s.hand[seat_to_move(t, s)]
    need_card(s)
    if not has_card(s.deck, one):
        one, other = other, one
    pull(t, s, one)
    insert_card(hand, one, False, s.shuffles)
    pull(t, s, other)
    insert_card(hand, other, False, s.shuffles)
    end_draft(t, s)


cdef bint is_outcome(const Tables *t, const LadybirdState *s, int32_t outcome) noexcept nogil:
    if outcome < 0:
        return False
    if s.phase == HANDS:
        return may_come(t, s, outcome, HAND, False)
    if s.phase == POOL:
        return may_come(t, s, outcome, slots_due(s), True)
    if s.phase == BLIND_DRAW:
        return may_come(t, s, outcome, BLIND, False)
    if s.phase == FIRST:
        return outcome < t.players
    if s.phase == ORCHARDS:
        return are_left(s.orchard_deck, COLOURS, 3, orchards_due(t, s), outcome)
    return are_left(s.down, KINDS, 6, stacks_due(s), outcome)


cdef bint are_left(const uint8_t *counts, int kinds, int width, int n, int32_t outcome) noexcept nogil:
    """Whether an outcome names n colours or tiles that are there."""
    cdef uint8_t[KINDS] left
    cdef int i, one
    memcpy(left, counts, kinds)
    for i in range(n):
        one = part(outcome, i, width)
        if one >= kinds or left[one] == 0:
            return False
        left[one] -= 1
    return outcome >> width * n == 0


cdef bint may_come(const Tables *t, const LadybirdState *s, int32_t outcome, int n, bint ordered) noexcept nogil:
    """Whether these may be the next n cards: in this order or, ascending, in some order."""
    cdef uint64_t[2] deck
    cdef int[AT_ONCE] card
    cdef bint shuffled = False
    cdef int i, j, left
    for i in range(n):
        card[i] = part(outcome, i, 7)
        if t.copies[card[i]] == 0 or (not ordered and i and card[i] < card[i - 1]):
            return False
    if n < 5 and outcome >> 7 * n:
        return False
    memcpy(deck, s.deck, sizeof(deck))
    left = n
    while left:
        if deck[0] == 0 and deck[1] == 0:
            if shuffled:
                return False
            memcpy(deck, s.discards, sizeof(deck))
            shuffled = True
        j = -1
        for i in range(1 if ordered else left):
            if has_card(deck, card[i]):
                j = i
                break
        if j < 0:
            return False
        drop_card(t, deck, card[j])
        left -= 1
        for i in range(j, left):
            card[i] = card[i + 1]
    return True


# Where outcomes are few, they are listed: every order of the draws, then equal ones together.
ctypedef struct Listing:
    int32_t *out
    double *probability
    int n
    int room


cdef void list_cards(
    const Tables *t, const uint64_t *deck, const uint64_t *discards, int left, int place, bint ordered, int32_t prefix,
    double probability, Listing *listing
) noexcept nogil:
    cdef uint64_t[2] pile
    cdef uint64_t[2] rest
    cdef uint64_t[2] none
    cdef int face = 0
    cdef int total
    if left == 0:
        if listing.n < listing.room:
            listing.out[listing.n] = prefix if ordered else ascending(prefix, place)
            listing.probability[listing.n] = probability
        listing.n += 1
        return
    none[0] = none[1] = 0
    memcpy(pile, deck, sizeof(pile))
    memcpy(rest, discards, sizeof(rest))
    if pile[0] == 0 and pile[1] == 0:
        memcpy(pile, discards, sizeof(pile))
        memcpy(rest, none, sizeof(rest))
    total = count_cards(pile)
    while face < CARDS and t.copies[face]:
        if has_card(pile, face) and listing.n <= listing.room:
            list_without(t, pile, rest, face, left, place, ordered, prefix,
                         probability * copies_in(t, pile, face) / total, listing)
        face += t.copies[face]


cdef void list_without(
    const Tables *t, const uint64_t *pile, const uint64_t *rest, int face, int left, int place, bint ordered, int32_t prefix,
    double probability, Listing *listing
) noexcept nogil:
    cdef uint64_t[2] deck
    memcpy(deck, pile, sizeof(deck))
    drop_card(t, deck, face)
    list_cards(t, deck, rest, left - 1, place + 1, ordered, prefix | face << 7 * place, probability, listing)


cdef void list_parts(
    uint8_t *left, int kinds, int width, int n, int place, int32_t prefix, double probability, Listing *listing
) noexcept nogil:
    """Of colours or tiles, in order."""
    cdef int total = 0
    cdef int i
    if n == 0:
        if listing.n < listing.room:
            listing.out[listing.n] = prefix
            listing.probability[listing.n] = probability
        listing.n += 1
        return
    for i in range(kinds):
        total += left[i]
    for i in range(kinds):
        if left[i] and listing.n <= listing.room:
            left[i] -= 1
            list_parts(left, kinds, width, n - 1, place + 1, prefix | i << width * place,
                       probability * (left[i] + 1) / total, listing)
            left[i] += 1


cdef int32_t ascending(int32_t outcome, int n) noexcept nogil:
    """The same cards, the lowest first."""
    cdef int32_t[AT_ONCE] cards
    cdef int32_t out = 0
    cdef int i
    for i in range(n):
        cards[i] = part(outcome, i, 7)
    sort_ids(cards, n)
    for i in range(n):
        out |= cards[i] << 7 * i
    return out


cdef int gather(Listing *listing, int32_t *out, double *probability) noexcept nogil:
    """Sorts what was listed and takes equal outcomes together; -1 where they are too many."""
    cdef int32_t id
    cdef double p
    cdef int n = 0
    cdef int i, j
    if listing.n > listing.room:
        return -1
    for i in range(1, listing.n):
        id = listing.out[i]
        p = listing.probability[i]
        j = i
        while j > 0 and listing.out[j - 1] > id:
            listing.out[j] = listing.out[j - 1]
            listing.probability[j] = listing.probability[j - 1]
            j -= 1
        listing.out[j] = id
        listing.probability[j] = p
    for i in range(listing.n):
        if n and out[n - 1] == listing.out[i]:
            probability[n - 1] += listing.probability[i]
            continue
        if n == MOST_OUTCOMES:
            return -1
        out[n] = listing.out[i]
        probability[n] = listing.probability[i]
        n += 1
    return n


cdef int outcomes(const void *tables, const void *state, int32_t *out, double *probability) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LadybirdState *s = <const LadybirdState *>state
    cdef int32_t[MOST_LISTED] ids
    cdef double[MOST_LISTED] chances
    cdef uint8_t[KINDS] left
    cdef Listing listing
    cdef int n, i
    cdef bint ordered = s.phase == POOL
    if s.phase >= REVEAL:
        return 0
    listing.out = ids
    listing.probability = chances
    listing.n = 0
    listing.room = MOST_LISTED
    if s.phase == FIRST:
        for i in range(t.players):
            out[i] = i
            probability[i] = 1.0 / t.players
        return t.players
    if s.phase == ORCHARDS:
        memcpy(left, s.orchard_deck, COLOURS)
        list_parts(left, COLOURS, 3, orchards_due(t, s), 0, 0, 1, &listing)
    elif s.phase == TOPS:
        memcpy(left, s.down, KINDS)
        list_parts(left, t.kinds, 6, stacks_due(s), 0, 0, 1, &listing)
    else:
        n = HAND if s.phase == HANDS else BLIND if s.phase == BLIND_DRAW else slots_due(s)
        # no more than so many sorts of cards can be listed: even of two cards there are more pairs
        if n > 1 and count_cards(s.deck) >= n and sorts_in(t, s.deck) > (16 if n == 2 else 12):
            return -1
        list_cards(t, s.deck, s.discards, n, 0, ordered, 0, 1, &listing)
    return gather(&listing, out, probability)


cdef int32_t draw(const void *tables, const void *state, Rng *rng) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LadybirdState *s = <const LadybirdState *>state
    if s.phase == FIRST:
        return below(rng, t.players)
    if s.phase == ORCHARDS:
        return draw_parts(s.orchard_deck, COLOURS, 3, orchards_due(t, s), rng)
    if s.phase == TOPS:
        return draw_parts(s.down, t.kinds, 6, stacks_due(s), rng)
    if s.phase == POOL:
        return draw_cards(t, s, slots_due(s), rng)
    if s.phase == HANDS:
        return ascending(draw_cards(t, s, HAND, rng), HAND)
    return ascending(draw_cards(t, s, BLIND, rng), BLIND)


cdef int32_t draw_cards(const Tables *t, const LadybirdState *s, int n, Rng *rng) noexcept nogil:
    cdef uint64_t[2] deck
    cdef int32_t out = 0
    cdef int i, face
    memcpy(deck, s.deck, sizeof(deck))
    for i in range(n):
        if deck[0] == 0 and deck[1] == 0:
            memcpy(deck, s.discards, sizeof(deck))
        face = some_card(t, deck, rng)
        drop_card(t, deck, face)
        out |= face << 7 * i
    return out


cdef int32_t draw_parts(const uint8_t *counts, int kinds, int width, int n, Rng *rng) noexcept nogil:
    cdef uint8_t[KINDS] left
    cdef int32_t out = 0
    cdef int total = 0
    cdef int i, kind, rank
    for kind in range(kinds):
        left[kind] = counts[kind]
        total += counts[kind]
    for i in range(n):
        rank = below(rng, total)
        kind = 0
        while rank >= left[kind]:
            rank -= left[kind]
            kind += 1
        left[kind] -= 1
        total -= 1
        out |= kind << width * i
    return out


cdef void withdraw(const void *tables, void *state) noexcept nogil:
    cdef LadybirdState *s = <LadybirdState *>state
    if s.phase == REVEAL:
        memset(s.revealed, 0, sizeof(s.revealed))
        s.seat = 0


cdef double redeal(const void *tables, void *state, int observer, Rng *rng) noexcept nogil:
    """Cards that nobody else knows are dealt again, those from before a shuffle among themselves; sealed choices are any.

    What the others' choices tell is left to whoever models the others: the weight is one. That somebody is about to place a card
    tells all that he has one.
    """
    cdef const Tables *t = <const Tables *>tables
    cdef LadybirdState *s = <LadybirdState *>state
    cdef LadybirdState before
    cdef int placing = seat_to_move(t, s) if s.phase == PLACE else observer
    if t.players == 1:
        return 0.0
    if placing == observer:
        deal_again(t, s, observer, rng)
        return 0.0
    memcpy(&before, s, sizeof(before))
    deal_again(t, s, observer, rng)
    while not can_place(t, &s.hand[placing]):
        memcpy(s, &before, sizeof(before))
        deal_again(t, s, observer, rng)
    return 0.0


cdef void deal_again(const Tables *t, LadybirdState *s, int observer, Rng *rng) noexcept nogil:
    cdef Hand old
    cdef int seat, i, shuffle
    cdef int32_t[HELD] ids
    for shuffle in range(s.shuffles):
        deal_old(t, s, observer, shuffle, rng)
    for seat in range(t.players):
        if seat != observer:
            for i in range(s.hand[seat].count):
                if not (s.hand[seat].known >> i) & 1 and s.hand[seat].shuffle[i] == s.shuffles:
                    add_card(s.deck, s.hand[seat].card[i])
    for seat in range(t.players):
        if seat == observer:
            continue
        old = s.hand[seat]
        memset(&s.hand[seat], 0, sizeof(Hand))
        for i in range(old.count):
            if not (old.known >> i) & 1 and old.shuffle[i] == s.shuffles:
                old.card[i] = <uint8_t>some_card(t, s.deck, rng)
                drop_card(t, s.deck, old.card[i])
            insert_card(&s.hand[seat], old.card[i], (old.known >> i) & 1, old.shuffle[i])
        if s.phase == REVEAL and s.revealed[seat]:
            s.revealed[seat] = <uint8_t>(ids[below(rng, list_hand(t, &s.hand[seat], 0, True, ids))] + 1)


cdef void deal_old(const Tables *t, LadybirdState *s, int observer, int shuffle, Rng *rng) noexcept nogil:
    """Deals the cards that are in hands, unknown, since before a shuffle; hands are put in order afterwards."""
    cdef int32_t[SEATS * HELD] cards
    cdef int n = 0
    cdef int seat, i, k
    for seat in range(t.players):
        for i in range(s.hand[seat].count):
            if seat != observer and not (s.hand[seat].known >> i) & 1 and s.hand[seat].shuffle[i] == shuffle:
                cards[n] = s.hand[seat].card[i]
                n += 1
    sort_ids(cards, n)   # so that the deal does not depend on who really has which
    for seat in range(t.players):
        for i in range(s.hand[seat].count):
            if seat != observer and not (s.hand[seat].known >> i) & 1 and s.hand[seat].shuffle[i] == shuffle:
                k = below(rng, n)
                s.hand[seat].card[i] = <uint8_t>cards[k]
                n -= 1
                cards[k] = cards[n]


cdef inline int coarse_card(const Tables *t, int card) noexcept nogil:
    """A slot of the pool, as far as it tells what may be drafted."""
    return 0 if card == 0 else 1 + t.state[card - 1]


cdef inline int coarse_tile(const Tables *t, int tile) noexcept nogil:
    """A feeding tile, as far as it tells who may take it."""
    if tile == 0:
        return 0
    return 1 + t.tiles[tile - 1].cost + 32 * t.tiles[tile - 1].honeydew + 64 * (t.tiles[tile - 1].threshold != 0)


cdef void coarsen(const Tables *t, LadybirdState *s, int grain) noexcept nogil:
    """Leaves out detail of what chance turned up: at 1 all but what tells who may take it, at 2 all that is not asked now."""
    cdef int i
    for i in range(SLOTS):
        s.pool[i] = <uint8_t>(coarse_card(t, s.pool[i]) if grain == 1 or s.phase == DRAFT else 0)
    if s.phase == FEED:
        return
    for i in range(STACKS):
        s.top[i] = <uint8_t>(coarse_tile(t, s.top[i]) if grain == 1 else 0)
        s.below[i] = s.below[i] != 0 and grain == 1


cdef uint64_t key(const void *tables, const void *state, int observer, int grain) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LadybirdState *s = <const LadybirdState *>state
    cdef LadybirdState coarse
    cdef uint64_t[KEY_WORDS] words
    cdef uint64_t held = 0
    cdef uint64_t revealed = 0
    cdef int seer = 0 if t.players == 1 and observer != ALL else observer
    cdef int n, seat, i
    cdef const Hand *hand
    if grain and s.phase != OVER:
        memcpy(&coarse, s, sizeof(LadybirdState))
        if s.phase == TILE:   # which uses are possible depends on the tiles
            revealed = <uint64_t>allowed_uses(t, s, seat_to_move(t, s)) << 32
        coarsen(t, &coarse, grain)
        s = &coarse
    memcpy(words, s.tableau, t.players * sizeof(Tableau))
    n = t.players * <int>(sizeof(Tableau) // 8)
    # the pool's last byte is `unlock`: from `owned` to there all is seen by all
    memcpy(&words[n], s.owned, 144)
    n += 18
    for seat in range(t.players):
        hand = &s.hand[seat]
        for i in range(hand.count):
            if (hand.known >> i) & 1:
                held += mix64(<uint64_t>(1 + seat) << 16 | hand.card[i] | 1 << 8)
            else:
                held += mix64(<uint64_t>(1 + seat) << 16 | hand.shuffle[i] | 1 << 9)
                if hand.shuffle[i] != s.shuffles:   # which cards these are is known, not who has them
                    held += mix64(<uint64_t>hand.shuffle[i] << 24 | hand.card[i])
        if s.phase != REVEAL or seat == seer or observer == ALL:
            revealed |= <uint64_t>s.revealed[seat] << 8 * seat
    words[n] = held
    words[n + 1] = revealed
    words[n + 2] = (<uint64_t>s.phase | <uint64_t>s.turn << 8 | <uint64_t>s.round << 16 | <uint64_t>s.first << 24
                    | <uint64_t>s.extra << 32 | <uint64_t>s.chain << 40 | <uint64_t>s.setup << 48)
    words[n + 3] = s.shuffles | <uint64_t>s.refill << 8
    if s.phase != REVEAL or observer == ALL:
        words[n + 3] |= <uint64_t>s.seat << 32
    n += 4
    if observer == ALL:
        memcpy(&words[n], s.hand, t.players * sizeof(Hand))
        n += 2 * t.players
    elif seer >= 0:
        memcpy(&words[n], &s.hand[seer], sizeof(Hand))
        n += 2
    if n & 1:   # an even number is hashed
        words[n] = 0
        n += 1
    return hash_words(words, n, <uint64_t>(observer + 2))


cdef void components(const void *tables, const void *state, double *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LadybirdState *s = <const LadybirdState *>state
    cdef const Tableau *p
    cdef int seat, i
    for seat in range(t.players):
        p = &s.tableau[seat]
        memset(out, 0, COMPONENTS * sizeof(double))
        for i in range(COLOURS):
            out[0] += p.orchards[i] * p.height[i]
            out[1] += CYCLE_POINTS * ((p.cycles >> i) & 1) * p.height[i]
            out[2] += BED_POINTS * ((p.beds >> i) & 1) * p.height[i]
        for i in range(TYPES):
            out[3] += p.feed[i] * p.types[i]
        out[4] = t.memory_points[p.memories]
        out[5] = p.aphids
        out += COMPONENTS


cdef void scores(const void *tables, const void *state, double *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef int seat
    for seat in range(t.players):
        out[seat] = points_of(t, &(<const LadybirdState *>state).tableau[seat])


cdef void placing(const void *tables, const void *state, int32_t *out) noexcept nogil:
    """By points, then memories."""
    cdef const Tables *t = <const Tables *>tables
    cdef const Tableau *tableau = (<const LadybirdState *>state).tableau
    cdef double[SEATS] rank
    cdef int seat
    for seat in range(t.players):
        rank[seat] = points_of(t, &tableau[seat]) * MEMORIES + tableau[seat].memories
    places_from_scores(t.players, rank, out)


cdef inline double alone(double score) noexcept nogil:
    """The utility of a score that nobody else has one to compare with."""
    return min(1.0, score / ENOUGH)


cdef void utilities(const void *tables, const void *state, double *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef double[SEATS] points
    cdef int32_t[SEATS] places
    scores(tables, state, points)
    if t.players == 1:
        out[0] = alone(points[0])
        return
    placing(tables, state, places)
    placed_utilities(t.players, points, places, MARGIN, out)


cdef void evaluate(const void *tables, const void *state, double *utility, double *score) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LadybirdState *s = <const LadybirdState *>state
    if s.phase == OVER:
        scores(tables, state, score)
        utilities(tables, state, utility)
        return
    estimate(t, s, score)
    if t.players == 1:
        utility[0] = alone(score[0])
    else:
        estimated_utilities(t.players, score, certainty_of(t, s), MARGIN, utility)


cdef void priors(const void *tables, const void *state, int n, const int32_t *ids, float *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    gains(t, <const LadybirdState *>state, n, ids, out)
    priors_from_gains(n, t.weights.sharpness, <float>0.01, out)


cdef int32_t policy_action(const void *tables, const void *state, Rng *rng) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef int32_t[MOST_ACTIONS] ids
    cdef float[MOST_ACTIONS] probability
    cdef int n = actions(tables, state, ids)
    if n == 1:
        return ids[0]
    gains(t, <const LadybirdState *>state, n, ids, probability)
    priors_from_gains(n, t.weights.playout_sharpness, <float>0.002, probability)
    return drawn_action(n, ids, probability, rng)


cdef Rules RULES = Rules(
    start=start, actor=actor, simultaneous=simultaneous, actions=actions, random_action=random_action, is_legal=is_legal,
    apply=apply, outcomes=outcomes, draw=draw, withdraw=withdraw, redeal=redeal, rewind=NULL, lighten=NULL, key=key,
    scores=scores, components=components, placing=placing, utilities=utilities, evaluate=evaluate, priors=priors,
    policy_action=policy_action, canonical=NULL)


WEIGHTS = json.loads(files("garden_core.games").joinpath("ladybird.json").read_text())["weights"]

OPTIONS = {"first": ("random", 0, 1, 2, 3), "life_cycle_regain": (False, True)}

DEFAULTS = {"first": "random", "life_cycle_regain": False}

# Components: what a file may have at most.
MOST_ALIKE = 15          # of one colour and state, of an orchard card, of a feeding tile


def load(players, options, components):
    """The game with options and the plain data of a component file. Loading the same again gives the same object."""
    whole("players", players, 1, SEATS)
    options = with_defaults(options, DEFAULTS)
    for name, choices in OPTIONS.items():
        one_of(f"option {name}", options[name], choices)
    if options["first"] != "random" and options["first"] >= players:
        raise FieldError("option first", f"expected random or a seat 0..{players - 1}; got {options['first']}")
    check_components(components)
    count = len(card_names(components))
    least = 28 * players + 9 if players > 1 else LEAST_CARDS
    if count < least:
        raise FieldError("cards", f"expected at least {least} cards for {players} players; got {count}")
    return made_once(Ladybird, players, options, components)


cdef class Ladybird(Game):
    """Ladybird as loaded; `garden_ai.load` is the usual way to one."""

    cdef Tables *tables
    cdef readonly tuple colours           # names
    cdef readonly str colour_letters
    cdef readonly tuple types             # names, the Harlequin aside
    cdef readonly str type_letters
    cdef readonly tuple faces             # names of cards, each once, in order
    cdef readonly tuple copies            # of each of them
    cdef readonly tuple tiles             # (name, type's letter, points, cost, honeydew, threshold, count)
    cdef readonly tuple slots             # of the pool
    cdef readonly int orchard_slots
    cdef readonly int rounds
    cdef dict numbers                     # of faces, by name
    cdef list names                       # of cards, by number
    cdef dict kinds                       # of tiles, by name

    def __cinit__(self):
        self.tables = NULL

    def __dealloc__(self):
        free(self.tables)

    def __init__(self, players, options, components):
        self.colours = tuple(components["colours"]["names"])
        self.colour_letters = "".join(components["colours"]["letters"])
        self.types = tuple(components["types"]["names"])
        self.type_letters = "".join(components["types"]["letters"])
        self.rounds = ROUNDS
        self.slots = SLOT_NAMES[:6 if players == 1 else 9]
        self.orchard_slots = 2 if players == 1 else ORCHARD
        self.tiles = tuple(
            (tile_name(tile), tile["type"], tile["points"], tile["cost"], tile["honeydew"], tile["threshold"], tile["count"])
            for tile in components["tiles"])
        self.kinds = {tile[0].lower(): kind for kind, tile in enumerate(self.tiles)}
        self.names = names = card_names(components)
        self.faces = tuple(dict.fromkeys(names))
        self.copies = tuple(names.count(face) for face in self.faces)
        self.numbers = {face: names.index(face) for face in self.faces}
        super().__init__("ladybird", players, options, components, COMPONENT_NAMES, LAYOUT, load)
        self._make_tables(names, components)
        most = max(sum(tile[2] * tile[6] for tile in self.tiles if tile[1] == letter) for letter in {tile[1] for tile in self.tiles})
        self.loaded.rules = RULES
        self.loaded.tables = self.tables
        self.loaded.state_size = sizeof(LadybirdState)
        self.loaded.players = players
        self.loaded.max_actions = MOST_ACTIONS
        self.loaded.max_outcomes = MOST_OUTCOMES
        # a turn: choice, target, two flowerbeds and drafts with a refill in two outcomes, a tile and its use, discards; and all tiles
        self.loaded.max_nodes = 16 + ROUNDS * players * 16 + 2 * STACKS * 6
        self.loaded.component_count = COMPONENTS
        self.loaded.hidden = players > 1
        self.loaded.utility_low = 0.0
        self.loaded.utility_high = 1.0
        self.loaded.score_low = 0.0
        # 22 cards in one column with six orchard cards, all of one type with all its tiles; a memory or two with every card, aphids
        self.loaded.score_high = 22 * (6 + CYCLE_POINTS + BED_POINTS + most) + self.memory_points(MOST_MEMORIES) + 200

    def _make_tables(self, names, components):
        cdef Tables *t = <Tables *>calloc(1, sizeof(Tables))
        if t == NULL:
            raise MemoryError
        self.tables = t
        t.players = self.players
        t.slots = len(self.slots)
        t.orchard_slots = self.orchard_slots
        t.first = -1 if self.options["first"] == "random" else self.options["first"]
        if self.players == 1:
            t.first = 0
        t.regain = self.options["life_cycle_regain"]
        for number, name in enumerate(names):
            face = self.numbers[name]
            t.cards[number >> 6] |= <uint64_t>1 << (number & 63)
            t.face[number] = face
            t.copies[<int>face] += 1
            t.colour[number] = COLOURS if name == "H" else self.colour_letters.index(name[0])
            t.state[number] = NO_STATE if name == "H" else STATE_LETTERS.index(name[1])
            t.type[number] = HARLEQUIN if name == "H" else self.type_letters.index(name[2])
        t.faces = len(self.faces)
        t.kinds = len(self.tiles)
        for kind, (_, letter, points, cost, honeydew, threshold, count) in enumerate(self.tiles):
            t.tiles[kind] = FeedingTile(type=(self.type_letters + "H").index(letter), points=points, cost=cost, honeydew=honeydew,
                                        threshold=threshold, count=count)
        t.stack_height = sum(tile[6] for tile in self.tiles) // STACKS
        for number in range(MEMORIES):
            t.memory_points[number] = points_of_memories(components["memories"], number)
        for colour, count in enumerate(components["orchard"]["cards"]):
            t.orchards[colour] = count
        for slot in range(t.slots):
            for other in range(t.slots):
                if other // SIDE == slot // SIDE:
                    t.row[slot] |= <uint16_t>(1 << other)
                if other % SIDE == slot % SIDE:
                    t.column[slot] |= <uint16_t>(1 << other)
        weights = WEIGHTS[str(self.players)]
        for stage in range(STAGES):
            t.weights.certainty[stage] = weights["certainty"][stage]
            for i, weight in enumerate(weights["promise"][stage]):
                t.weights.promise[stage][<int>i] = round(weight * SCALE)
            for i, weight in enumerate(weights["outlook"][stage]):
                t.weights.outlook[stage][<int>i] = round(weight * SCALE)
        t.weights.sharpness = weights["sharpness"]
        t.weights.playout_sharpness = weights["playout_sharpness"]

    def memory_points(self, int count):
        """What so many memories score."""
        return points_of_memories(self.components_data["memories"], count)

    # Steps: actions and outcomes spelt out

    def phase(self, State state not None):
        """One of `PHASES`."""
        self.check(state)
        return PHASES[(<LadybirdState *>state.data).phase]

    cdef _name(self, int number):
        return self.names[self.tables.face[number]]

    def step(self, State state not None, int32_t id):
        """An action or outcome spelt out, as the stub lists them. It must be possible in the state."""
        self.check(state)
        cdef const LadybirdState *s = <const LadybirdState *>state.data
        cdef const Tables *t = self.tables
        phase = PHASES[s.phase]
        if s.phase == HANDS:
            return "hand", s.seat, self._cards_of(id, HAND)
        if s.phase == POOL:
            return phase, self._cards_of(id, slots_due(s))
        if s.phase == ORCHARDS:
            return phase, tuple(self.colours[part(id, i, 3)] for i in range(orchards_due(t, s)))
        if s.phase == TOPS:
            return "tiles", tuple(self.tiles[part(id, i, 6)][0] for i in range(stacks_due(s)))
        if s.phase == BLIND_DRAW:
            return phase, self._cards_of(id, BLIND)
        if s.phase == FIRST:
            return phase, id
        if s.phase == TILE:
            return USE_STEPS[id - TILE_BASE]
        if s.phase == TARGET:
            return "invade", (id - TARGET_BASE) >> 3, self.colours[(id - TARGET_BASE) & 7]
        if s.phase == BED:
            return phase, self.colours[id - BED_BASE]
        if s.phase == DRAFT:
            return ("blind",) if id == DRAW_BLIND else ("take", SLOT_NAMES[id - TAKE_BASE])
        if s.phase == ORCHARD_CARD:
            return phase, id - ORCHARD_BASE + 1
        if s.phase == FEED:
            return ("stop",) if id == STOP else (phase, id - FEED_BASE + 1)
        return phase, self._name(id % CARDS)

    cdef _cards_of(self, int32_t id, int count):
        return tuple(self._name(part(id, i, 7)) for i in range(count))

    def step_id(self, State state not None, step):
        """The inverse of `step`; -1 where no such step exists in the state's phase. It need not be possible."""
        self.check(state)
        cdef const LadybirdState *s = <const LadybirdState *>state.data
        phase = PHASES[s.phase]
        word, *rest = step
        try:
            if s.phase == TILE:
                return TILE_BASE + USE_STEPS.index(tuple(step))
            if word == "stop" or word == "blind":
                return -1 if rest or s.phase != (FEED if word == "stop" else DRAFT) else STOP if word == "stop" else DRAW_BLIND
            words = {"hands": "hand", "stacks": "tiles", "target": "invade", "draft": "take"}
            if word != words.get(phase, phase) or len(rest) != (2 if s.phase in (HANDS, TARGET) else 1):
                return -1
            return self._id_of(s, rest)
        except (KeyError, ValueError, TypeError, OverflowError):
            return -1

    cdef _id_of(self, const LadybirdState *s, rest):
        """Raises one of several errors where there is none."""
        what = rest[-1]
        if s.phase == HANDS:
            return pack(sorted(map(self.numbers.__getitem__, what)), 7) if len(what) == HAND and rest[0] == s.seat else -1
        if s.phase == POOL:
            return pack(map(self.numbers.__getitem__, what), 7) if len(what) == slots_due(s) else -1
        if s.phase == BLIND_DRAW:
            return pack(sorted(map(self.numbers.__getitem__, what)), 7) if len(what) == BLIND else -1
        if s.phase == ORCHARDS:
            return pack(map(self.colours.index, what), 3) if len(what) == orchards_due(self.tables, s) else -1
        if s.phase == TOPS:
            return pack((self.kinds[name.lower()] for name in what), 6) if len(what) == stacks_due(s) else -1
        if s.phase == FIRST:
            return what if 0 <= what < self.players else -1
        if s.phase == TARGET:
            return TARGET_BASE + 8 * rest[0] + self.colours.index(what) if 0 <= rest[0] < SEATS else -1
        if s.phase == BED:
            return BED_BASE + self.colours.index(what)
        if s.phase == DRAFT:
            return TAKE_BASE + self.slots.index(what)
        if s.phase == ORCHARD_CARD:
            return ORCHARD_BASE + what - 1 if 1 <= what <= self.orchard_slots else -1
        if s.phase == FEED:
            return FEED_BASE + what - 1 if 1 <= what <= STACKS else -1
        return {REVEAL: REVEAL_BASE, PLACE: PLACE_BASE, DISCARD: DISCARD_BASE}[s.phase] + self.numbers[what]

    # What tools/fit_ladybird fits

    def stage(self, State state not None):
        """The stage whose weights count."""
        self.check(state)
        return stage_of(<const LadybirdState *>state.data)

    def look_features(self, State state not None):
        """Of each player: float32 [players, FEATURES]."""
        self.check(state)
        out = np.zeros((self.players, FEATURES), dtype=np.float32)
        cdef float[:, ::1] rows = out
        cdef Look look
        for seat in range(self.players):
            look_at(self.tables, <const LadybirdState *>state.data, seat, &look)
            self._write_features(<const LadybirdState *>state.data, seat, &look, &rows[seat, 0])
        return out

    def move_features(self, State state not None):
        """Of the mover after each legal action, and his points then: float32 [n, FEATURES], float64 [n]."""
        self.check(state)
        cdef const LadybirdState *s = <const LadybirdState *>state.data
        actions = state.legal_actions()
        out = np.zeros((len(actions), FEATURES), dtype=np.float32)
        points = np.zeros(len(actions))
        cdef float[:, ::1] rows = out
        cdef Look look
        cdef int seat = seat_to_move(self.tables, s)
        for i, action in enumerate(actions.tolist()):
            look_at(self.tables, s, seat, &look)
            look_after(self.tables, s, seat, action, &look)
            self._write_features(s, seat, &look, &rows[i, 0])
            points[i] = look.points
        return out, points

    cdef _write_features(self, const LadybirdState *s, int seat, const Look *look, float *out):
        cdef Sum sum
        sum.weights = self.tables.weights.promise[0]
        sum.dense = out
        sum.value = 0
        add_look(self.tables, s, seat, look, ALL_PARTS, &sum)

    # Positions

    def fields(self, State state not None, int observer=ALL):
        """The fields of docs/games/ladybird.md."""
        self.check(state)
        cdef const LadybirdState *s = <const LadybirdState *>state.data
        cdef const Tables *t = self.tables
        seats = range(self.players)
        turns = BLIND_DRAW <= s.phase <= DISCARD and s.phase != REVEAL or (s.phase in (POOL, ORCHARDS, TOPS) and not s.setup)
        out = {"to_move": actor(t, s), "phase": PHASES[s.phase], "round": min(s.round + 1, ROUNDS), "first": s.first}
        if turns:
            out["turn"] = s.turn
        # nobody else is there to whom a hand could be hidden
        out["hands"] = [self._hand_fields(s, seat, observer in (ALL, seat) or self.players == 1) for seat in seats]
        if s.phase == REVEAL:
            out["revealed"] = [None if not s.revealed[<int>seat] else self._name(s.revealed[<int>seat] - 1)
                               if observer in (ALL, seat) or self.players == 1 else "hidden" for seat in seats]
        elif turns and s.phase != DISCARD:
            out["revealed"] = [self._name(s.revealed[<int>seat] - 1) if s.revealed[<int>seat] else None for seat in seats]
        if s.phase in (BED, DRAFT):
            out["unlocks"] = UNLOCK_NAMES[s.unlock]
        if s.extra and s.phase in (BED, DRAFT, BLIND_DRAW, POOL):
            out["extra"] = True
        if s.chain:
            out["chain"] = True
        out["tableaus"] = [self._tableau_fields(s, seat) for seat in seats]
        names = [self._name(s.pool[<int>slot] - 1) if s.pool[<int>slot] else "---" for slot in range(t.slots)]
        out["pool"] = [" ".join(name.ljust(3) for name in names[i:i + SIDE]).rstrip() for i in range(0, t.slots, SIDE)]
        if s.phase == POOL:
            out["refill"] = [SLOT_NAMES[slot] for slot in range(t.slots) if s.refill >> <int>slot & 1]
        out["orchard"] = [{"card": self.colours[s.orchard[<int>slot] - 1], "aphids": s.aphids[<int>slot]} if s.orchard[<int>slot] else None
                          for slot in range(t.orchard_slots)]
        out["orchard_deck"] = orchards_left(s)
        out["stacks"] = [{"top": self.tiles[s.top[<int>stack] - 1][0] if s.top[<int>stack] else None, "below": s.below[<int>stack]}
                         for stack in range(STACKS)]
        out["discards"] = self._pile(s.discards)
        out["deck"] = count_cards(s.deck)
        if s.shuffles:
            out["shuffles"] = [self._held_since(s, shuffle) for shuffle in range(s.shuffles)]
        return out

    cdef _pile(self, const uint64_t *pile):
        """Names of the cards, in order."""
        return [name for name, number in self.numbers.items() for _ in range(copies_in(self.tables, pile, number))]

    cdef _hand_fields(self, const LadybirdState *s, int seat, bint seen):
        cdef const Hand *hand = &s.hand[seat]
        known = [bool(hand.known >> i & 1) for i in range(hand.count)]
        out = {"count": hand.count}
        if seen:
            out["cards"] = [self._name(hand.card[<int>i]) for i in range(hand.count)]
        out["known"] = [self._name(hand.card[<int>i]) for i in range(hand.count) if known[i]]
        if s.shuffles:
            since = [hand.shuffle[<int>i] for i in range(hand.count) if not known[i]]
            if seen:   # of the cards not known to all, in their order
                out["since"] = since
            else:
                out["from"] = [since.count(shuffle) for shuffle in range(s.shuffles + 1)]
        return out

    cdef _held_since(self, const LadybirdState *s, int shuffle):
        numbers = sorted(s.hand[<int>seat].card[<int>i] for seat in range(self.players) for i in range(s.hand[<int>seat].count)
                         if not s.hand[<int>seat].known >> <int>i & 1 and s.hand[<int>seat].shuffle[<int>i] == shuffle)
        return [self._name(number) for number in numbers]

    cdef _tableau_fields(self, const LadybirdState *s, int seat):
        cdef const Tableau *p = &s.tableau[seat]
        cards = self._pile(p.cards)
        out = {"columns": {}}
        for column, colour in enumerate(self.colours):
            if p.height[<int>column]:
                names = [name for name in cards if name[0] == self.colour_letters[column]] + ["H"] * p.harlequins[<int>column]
                top = self._name(p.top[<int>column] - 1)
                names.remove(top)
                out["columns"][colour] = [*names, top]
        orchards = {colour: p.orchards[<int>column] for column, colour in enumerate(self.colours) if p.orchards[<int>column]}
        feeding = [self.tiles[kind][0] for kind in range(self.tables.kinds) for _ in range(s.owned[<int>kind] >> 4 * seat & 15)]
        fresh = (1 << day_of(min(<int>s.round, ROUNDS - 1)) + 1) - 1
        for name, value in (
            ("orchards", orchards), ("flowerbeds", self._colours_in(p.beds)), ("life_cycles", self._colours_in(p.cycles)),
            ("lost", self._colours_in(p.lost)), ("feeding", feeding),
        ):
            if value:
                out[name] = value
        out["aphids"] = p.aphids
        out["memories"] = p.memories
        used = [name for tile, name in enumerate(GARDEN_TILES) if (fresh & ~p.fresh) >> tile & 1]
        return {**out, "used": used} if used else out

    cdef _colours_in(self, int columns):
        return [colour for column, colour in enumerate(self.colours) if columns >> column & 1]

    def build(self, fields):
        """The state of such fields. What follows from the rest may be left out; what is hidden is filled with one deal that agrees."""
        mapping("", fields, FIELD_NAMES, ("hands", "tableaus", "pool", "orchard", "stacks"))
        cdef State state = self.new_state()
        cdef LadybirdState *s = <LadybirdState *>state.data
        used = dict.fromkeys(self.numbers, 0)   # cards found so far
        self._read_phase(s, fields)
        self._read_stacks(s, fields["stacks"])
        self._read_tableaus(s, fields, used)
        self._read_pool(s, fields, used)
        self._read_orchard(s, fields)
        self._read_tiles_down(s)
        self._read_revealed(s, fields, used)
        for i, name in enumerate(sequence("discards", fields.get("discards", []), None, "cards")):
            add_card(s.discards, self._read_card(f"discards[{i}]", name, used))
        self._read_hands(s, fields, used)
        self._check_tableaus(s)
        self._check_phase(s, fields)
        agrees("to_move", fields.get("to_move"), actor(self.tables, s))
        return state

    def _find_card(self, path, name):
        """The name of a card as it is written here."""
        word = text(path, name).upper()
        if word not in self.numbers:
            raise FieldError(path, f"expected a card: {self._card_form()}; got {shown(name)}")
        return word

    def _card_form(self):
        return f"a colour ({self.colour_letters}), a state ({STATE_LETTERS}) and a type ({self.type_letters}), or H"

    def _read_card(self, path, name, used):
        """The number of a card that lies nowhere else yet."""
        word = self._find_card(path, name)
        number = self.numbers[word]
        copies = self.tables.copies[<int>number]
        used[word] += 1
        if used[word] > copies:
            raise FieldError(path, f"expected a card that lies nowhere else; there {'is' if copies == 1 else 'are'} only {copies} of {word}")
        return number

    def _read_colour(self, path, name):
        word = text(path, name).lower()
        if word not in self.colours:
            raise FieldError(path, f"expected one of {', '.join(self.colours)}; got {shown(name)}")
        return self.colours.index(word)

    cdef _read_phase(self, LadybirdState *s, fields):
        phase = one_of("phase", fields.get("phase", "reveal"), PHASES)
        s.phase = PHASES.index(phase)
        number = whole("round", fields.get("round", ROUNDS if phase == "over" else 1), 1, ROUNDS)
        if phase == "over" and number != ROUNDS:
            raise FieldError("round", f"expected {ROUNDS} where the game is over; got {number}")
        s.round = ROUNDS if phase == "over" else number - 1
        s.first = whole("first", fields.get("first", max(0, self.tables.first) if number == 1 else 0), 0, self.players - 1)
        if number == 1 and self.tables.first >= 0 and s.first != self.tables.first:
            raise FieldError("first", f"expected {self.tables.first} in the first round, as the options say; got {s.first}")
        turns = s.phase in (BLIND_DRAW, TARGET, BED, DRAFT, TILE, PLACE, ORCHARD_CARD, FEED, POOL, ORCHARDS, TOPS)
        if s.phase == DISCARD:
            agrees("turn", fields.get("turn"), self.players)
            s.turn = self.players
        elif turns:
            s.turn = whole("turn", fields.get("turn", 0), 0, self.players - 1)
        elif fields.get("turn") is not None:
            raise FieldError("turn", f"expected none in phase '{phase}'")
        names = STATE_NAMES if s.phase == BED else UNLOCK_NAMES if self.players == 1 else UNLOCK_NAMES[:NO_STATE + 1]
        if s.phase in (BED, DRAFT):
            if "unlocks" not in fields:
                raise FieldError("unlocks", f"missing; expected one of {', '.join(names)}: what the card just placed lets draft")
            s.unlock = UNLOCK_NAMES.index(one_of("unlocks", fields["unlocks"], names))
            if self.players == 1 and s.unlock == NO_STATE:
                raise FieldError("unlocks", "expected a state or any; alone, a Harlequin lets draft any card")
        elif "unlocks" in fields:
            raise FieldError("unlocks", f"expected none in phase '{phase}'")
        for name, phases in (("extra", (BED, DRAFT, BLIND_DRAW, POOL)), ("chain", (FEED, TOPS))):
            given = one_of(name, fields.get(name, False), (False, True))
            if given and s.phase not in phases:
                raise FieldError(name, f"expected none in phase '{phase}'")
        s.extra = s.phase == PLACE or fields.get("extra", False)
        s.chain = fields.get("chain", False)
        if s.extra and s.unlock >= NO_STATE:
            raise FieldError("unlocks", "a garden tile places no Harlequin; expected a state")

    cdef _read_tableaus(self, LadybirdState *s, fields, used):
        cdef Tableau *p
        names = ("columns", "orchards", "flowerbeds", "life_cycles", "lost", "feeding", "aphids", "memories", "used")
        for seat, tableau in enumerate(sequence("tableaus", fields["tableaus"], self.players, "tableaus, one a player")):
            path = f"tableaus[{seat}]"
            mapping(path, tableau, names, ())
            p = &s.tableau[<int>seat]
            self._read_columns(p, f"{path}.columns", tableau.get("columns", {}), used)
            for colour, count in mapping(f"{path}.orchards", tableau.get("orchards", {}), self.colours, ()).items():
                p.orchards[<int>self.colours.index(colour)] = whole(f"{path}.orchards.{colour}", count, 0, MOST_ALIKE)
            p.beds = self._read_colours(f"{path}.flowerbeds", tableau.get("flowerbeds", []))
            p.cycles = self._read_colours(f"{path}.life_cycles", tableau.get("life_cycles", []))
            p.lost = self._read_colours(f"{path}.lost", tableau.get("lost", []))
            for i, name in enumerate(sequence(f"{path}.feeding", tableau.get("feeding", []), None, "feeding tiles")):
                kind = self._read_tile(f"{path}.feeding[{i}]", name)
                if self._owned(s, kind) >= self.tiles[kind][6]:
                    raise FieldError(f"{path}.feeding[{i}]", f"expected no more than there are, {self.tiles[kind][6]} of {self.tiles[kind][0]}")
                s.owned[<int>kind] += <uint16_t>(1 << 4 * <int>seat)
                tile = self.tables.tiles[<int>kind]
                p.feed[<int>tile.type] += tile.points
                p.mildew[<int>tile.type] += tile.threshold
            p.aphids = whole(f"{path}.aphids", tableau.get("aphids", 0), 0, 200)
            p.memories = whole(f"{path}.memories", tableau.get("memories", 0), 0, MOST_MEMORIES)
            self._read_used(s, p, seat, f"{path}.used", tableau.get("used", []))

    def _read_colours(self, path, value):
        """A set of columns."""
        columns = 0
        for i, name in enumerate(sequence(path, value, None, "colours")):
            column = self._read_colour(f"{path}[{i}]", name)
            if columns >> column & 1:
                raise FieldError(f"{path}[{i}]", f"{name} is named twice")
            columns |= 1 << column
        return columns

    def _read_tile(self, path, name):
        kind = self.kinds.get(text(path, name).lower())
        if kind is None:
            raise FieldError(path, f"expected a feeding tile, such as {self.tiles[0][0]}; got {shown(name)}")
        return kind

    cdef _owned(self, const LadybirdState *s, int kind):
        return sum(s.owned[kind] >> 4 * seat & 15 for seat in range(self.players))

    cdef _read_columns(self, Tableau *p, path, columns, used):
        cdef int column, number
        for colour, cards in mapping(path, columns, self.colours, ()).items():
            column = self.colours.index(colour)
            for i, name in enumerate(sequence(f"{path}.{colour}", cards, None, "cards, the top one last")):
                place = f"{path}.{colour}[{i}]"
                number = self._read_card(place, name, used)
                if self.tables.type[number] == HARLEQUIN:
                    p.harlequins[column] += 1
                elif self.tables.colour[number] != column:
                    raise FieldError(place, f"expected a {colour} card or H; got {shown(name)}")
                else:
                    add_card(p.cards, number)
                    p.states[column] += <uint16_t>(1 << 4 * self.tables.state[number])
                p.types[self.tables.type[number]] += 1
                p.height[column] += 1
                p.top[column] = number + 1

    cdef _read_used(self, LadybirdState *s, Tableau *p, int seat, path, names):
        """The garden tiles: those of the day are face up but for the ones that are used."""
        cdef int day = day_of(min(<int>s.round, ROUNDS - 1))
        p.fresh = (1 << (day + 1)) - 1
        for i, name in enumerate(sequence(path, names, None, "garden tiles")):
            tile = GARDEN_TILES.index(one_of(f"{path}[{i}]", name, GARDEN_TILES[:day + 1]))
            if not p.fresh >> tile & 1:
                raise FieldError(f"{path}[{i}]", f"{name} is named twice")
            p.fresh &= ~(1 << tile)
        place = (seat + self.players - s.first) % self.players
        done = s.round - day * (day + 1) // 2
        if not s.setup and s.phase not in (REVEAL, OVER) and (place < s.turn or (place == s.turn and tile_is_used(s))):
            done += 1
        if len(names) != done:
            raise FieldError(path, f"expected {done} used in this round and phase; got {len(names)}")

    cdef _read_pool(self, LadybirdState *s, fields, used):
        cdef int open = 0
        cdef int slot
        for row, line in enumerate(sequence("pool", fields["pool"], len(self.slots) // SIDE, "rows")):
            words = text(f"pool[{row}]", line).split()
            if len(words) != SIDE:
                raise FieldError(f"pool[{row}]", f"expected {SIDE} cards, --- for none; got {shown(line)}")
            for i, word in enumerate(words):
                slot = SIDE * row + i
                if set(word) == {"-"}:
                    open |= 1 << slot
                else:
                    s.pool[slot] = self._read_card(f"pool[{row}]", word, used) + 1
        due = open if s.setup and s.phase in (HANDS, POOL) else 0
        if s.phase == POOL:
            if "refill" in fields and not s.setup:
                due = 0
                for i, name in enumerate(sequence("refill", fields["refill"], None, "slots")):
                    one = self.slots.index(one_of(f"refill[{i}]", name, self.slots))
                    if not open >> one & 1 or due >> one & 1:
                        raise FieldError(f"refill[{i}]", f"expected a slot without a card, each once; got {shown(name)}")
                    due |= 1 << one
            elif not s.setup:
                due = self._lines_of(open)
            if not due:
                raise FieldError("pool", "expected a row or column to be filled in phase 'pool'")
            if not s.setup and popcount(due) > len(self.slots) // SIDE + SIDE - 1:
                raise FieldError("refill", "expected at most a row and a column")
        elif "refill" in fields:
            raise FieldError("refill", f"expected none in phase '{PHASES[s.phase]}'")
        if s.phase == HANDS and open != (1 << len(self.slots)) - 1:
            raise FieldError("pool", "expected no cards in phase 'hands'")
        if self._lines_of(open & ~due):
            raise FieldError("pool", "a row or column without a card would have been filled")
        s.refill = due if s.phase == POOL else 0

    def _lines_of(self, int open):
        """The slots of rows and columns that are open altogether."""
        cdef int lines = 0
        cdef int slot
        for slot in range(self.tables.slots):
            if open & self.tables.row[slot] == self.tables.row[slot]:
                lines |= self.tables.row[slot]
            if open & self.tables.column[slot] == self.tables.column[slot]:
                lines |= self.tables.column[slot]
        return lines

    cdef _read_stacks(self, LadybirdState *s, stacks):
        """Tops and numbers below; they tell whether the table is being laid still."""
        cdef int due = 0
        for i, stack in enumerate(sequence("stacks", stacks, STACKS, "stacks")):
            mapping(f"stacks[{i}]", stack, ("top", "below"), ("top",))
            if stack["top"] is not None:
                s.top[<int>i] = self._read_tile(f"stacks[{i}].top", stack["top"]) + 1
                if "below" not in stack:
                    raise FieldError(f"stacks[{i}].below", "missing; expected how many tiles are below")
            height = self.tables.stack_height - (stack["top"] is not None)
            s.below[<int>i] = whole(f"stacks[{i}].below", stack.get("below", 0), 0, height)
            due += is_due(s, i)
        s.setup = s.phase in (HANDS, FIRST) or (s.phase in (POOL, ORCHARDS, TOPS) and due > 1)
        if s.setup and (s.round or s.turn):
            raise FieldError("round", f"phase '{PHASES[s.phase]}' with tiles yet to be turned up belongs to the start of the game")
        want = STACKS if s.setup and s.phase in (HANDS, POOL, ORCHARDS) else 1 if s.phase == TOPS else 0
        if due != want and not (s.setup and s.phase == TOPS and due in (AT_ONCE, STACKS)):
            raise FieldError("stacks", f"expected {want} stacks without a top and with tiles below in phase '{PHASES[s.phase]}'; got {due}")
        if s.setup and [s.below[i] + (s.top[i] != 0) for i in range(STACKS)] != [self.tables.stack_height] * STACKS:
            raise FieldError("stacks", f"expected {self.tables.stack_height} tiles in each at the start of the game")
        if s.setup and s.phase == TOPS and due == AT_ONCE and s.top[AT_ONCE - 1] == 0:
            raise FieldError("stacks", f"expected the first {AT_ONCE} to be turned up before the others")

    cdef _read_tiles_down(self, LadybirdState *s):
        cdef int stack
        missing = sum(s.below[stack] for stack in range(STACKS))
        for kind, tile in enumerate(self.tiles):
            seen = self._owned(s, kind) + sum(s.top[stack] == kind + 1 for stack in range(STACKS))
            if seen > tile[6]:
                raise FieldError("stacks", f"expected no more than there are, {tile[6]} of {tile[0]}; got {seen} with those that players have")
            s.down[<int>kind] = tile[6] - seen
            missing -= tile[6] - seen
        if missing:
            raise FieldError("stacks", f"expected {sum(s.below[stack] for stack in range(STACKS)) - missing} tiles below the tops in all, "
                                       f"as the tiles that are seen tell; got {sum(s.below[stack] for stack in range(STACKS))}")

    cdef _read_orchard(self, LadybirdState *s, fields):
        cdef int slot
        for i, card in enumerate(sequence("orchard", fields["orchard"], self.orchard_slots, "orchard cards, null for none")):
            if card is not None:
                mapping(f"orchard[{i}]", card, ("card", "aphids"), ("card", "aphids"))
                s.orchard[<int>i] = self._read_colour(f"orchard[{i}].card", card["card"]) + 1
                s.aphids[<int>i] = whole(f"orchard[{i}].aphids", card["aphids"], FRESH, 60)
        for column, colour in enumerate(self.colours):
            seen = sum(s.tableau[<int>seat].orchards[<int>column] for seat in range(self.players))
            seen += sum(s.orchard[slot] == column + 1 for slot in range(ORCHARD))
            if seen > self.tables.orchards[<int>column]:
                raise FieldError("orchard", f"there are only {self.tables.orchards[<int>column]} {colour} ones; got {seen} with those that "
                                            "players have")
            s.orchard_deck[<int>column] = self.tables.orchards[<int>column] - seen
        vacant = sum(s.orchard[slot] == 0 for slot in range(self.orchard_slots))
        left = orchards_left(s)
        agrees("orchard_deck", fields.get("orchard_deck"), left)
        if s.setup and s.phase in (HANDS, POOL, ORCHARDS):
            if vacant < self.orchard_slots or left < sum(self.components_data["orchard"]["cards"]):
                raise FieldError("orchard", f"expected no cards yet in phase '{PHASES[s.phase]}'")
        elif (vacant != 1 or not left) if s.phase == ORCHARDS else (vacant and left):
            raise FieldError("orchard", "expected one vacant slot and cards in the deck in phase 'orchard'" if s.phase == ORCHARDS
                             else "expected a card in each slot as long as the deck has some")

    cdef _read_revealed(self, LadybirdState *s, fields, used):
        """In the turns; while cards are chosen they lie in the hands still."""
        turns = not s.setup and s.phase not in (REVEAL, DISCARD, OVER)
        if not turns:
            if "revealed" in fields and s.phase != REVEAL:
                raise FieldError("revealed", f"expected none in phase '{PHASES[s.phase]}'")
            return
        revealed = sequence("revealed", fields.get("revealed", [None] * self.players), self.players, "cards, null for those placed")
        for seat, name in enumerate(revealed):
            place = (seat + self.players - s.first) % self.players
            waits = place > s.turn or (place == s.turn and s.phase == TARGET)
            if waits != (name is not None):
                raise FieldError(f"revealed[{seat}]", "expected the card that this player has revealed and not placed yet" if waits
                                 else "expected null: the card has been placed")
            if waits:
                s.revealed[<int>seat] = self._read_card(f"revealed[{seat}]", name, used) + 1
                if place == s.turn and self.tables.type[s.revealed[<int>seat] - 1] != HARLEQUIN:
                    raise FieldError(f"revealed[{seat}]", f"expected H in phase 'target'; got {shown(name)}")

    cdef _read_hands(self, LadybirdState *s, fields, used):
        """Hands, the cards of earlier shuffles, then the deck, and what nobody sees."""
        cdef uint64_t *deck = s.deck
        held = []      # of each shuffle but the last: names of the cards that are in hands since then, not known
        for i, names in enumerate(sequence("shuffles", fields.get("shuffles", []), None, "lists of cards")):
            held.append([self._find_card(f"shuffles[{i}][{k}]", name)
                         for k, name in enumerate(sequence(f"shuffles[{i}]", names, None, "cards"))])
        if len(held) > 200:
            raise FieldError("shuffles", "expected at most 200")
        s.shuffles = len(held)
        sizes = []     # of the hands
        unseen = []    # (seat, how many of each shuffle)
        for seat, hand in enumerate(sequence("hands", fields["hands"], self.players, "hands, one a player")):
            path = f"hands[{seat}]"
            if isinstance(hand, (list, tuple)):
                hand = {"cards": hand}
            mapping(path, hand, ("count", "cards", "known", "since", "from"), ())
            sizes.append(self._count_of(path, hand))
            self._check_count(s, path, seat, sizes)
            if "cards" in hand:
                self._read_open_hand(&s.hand[<int>seat], path, hand, held, used)
            else:
                unseen.append((seat, self._read_hidden_hand(&s.hand[<int>seat], path, hand, len(held), used)))
        for shuffle, names in enumerate(held):
            wanted = sum(counts[shuffle] for _, counts in unseen)
            if len(names) != wanted:
                raise FieldError(f"shuffles[{shuffle}]", f"expected {wanted} cards in hands that are not shown, as they tell; got {len(names)}")
            for name in names:
                self._read_card(f"shuffles[{shuffle}]", name, used)
            for seat, counts in unseen:
                for _ in range(counts[shuffle]):
                    insert_card(&s.hand[<int>seat], self.numbers[names.pop(0)], False, shuffle)
        for name, number in self.numbers.items():
            for _ in range(self.tables.copies[<int>number] - used[name]):
                add_card(s.deck, number)
        wanted = sum(counts[-1] for _, counts in unseen)
        if count_cards(s.deck) < wanted:
            raise FieldError("hands", f"expected at most {count_cards(s.deck)} cards that are not shown: the others lie elsewhere; got {wanted}")
        agrees("deck", fields.get("deck"), count_cards(s.deck) - wanted)
        for seat, counts in unseen:
            for _ in range(counts[-1]):
                number = self.tables.face[lowest_bit(deck[0]) if deck[0] else 64 + lowest_bit(deck[1])]
                drop_card(self.tables, s.deck, number)
                insert_card(&s.hand[<int>seat], number, False, len(held))
        if s.phase == REVEAL:
            self._read_choices(s, fields, [seat for seat, _ in unseen])
        elif s.phase == HANDS:
            s.seat = sum(size > 0 for size in sizes)
        elif s.phase == DISCARD:
            while s.seat < self.players and s.hand[(s.first + s.seat) % self.players].count <= HAND:
                s.seat += 1
            if s.seat == self.players:
                raise FieldError("hands", f"expected one of more than {HAND} cards in phase 'discard'")

    def _count_of(self, path, hand):
        if "cards" in hand:
            count = len(sequence(f"{path}.cards", hand["cards"], None, "cards"))
            agrees(f"{path}.count", hand.get("count"), count)
            return count
        if "count" not in hand:
            raise FieldError(f"{path}.count", "missing; expected the number of cards, or the cards themselves as a list")
        return whole(f"{path}.count", hand["count"], 0, HELD)

    cdef _check_count(self, const LadybirdState *s, path, int seat, sizes):
        """Cards of the last of some hands, by the phase."""
        cdef int count = sizes[-1]
        cdef int place = (seat + self.players - s.first) % self.players
        low = high = HAND
        if s.phase == HANDS:
            low = 0
        elif s.phase == DISCARD:
            high = HELD
        elif not s.setup and s.phase not in (REVEAL, OVER):
            if place < s.turn:
                high = HELD
            elif place > s.turn or s.phase in (TARGET, BED, DRAFT, BLIND_DRAW):
                low = HAND - 1
                high = low + (s.extra if place == s.turn else 0)
            else:
                high = HAND + (s.phase != POOL or s.extra)
        if not low <= count <= high or (s.phase == HANDS and count not in (0, HAND)):
            wanted = f"0 or {HAND}" if s.phase == HANDS else low if low == high else f"{low} to {high}"
            raise FieldError(path, f"expected {wanted} cards in phase '{PHASES[s.phase]}'; got {count}")
        if s.phase == HANDS and count and (0 in sizes or seat == self.players - 1):
            raise FieldError(path, "expected hands to be dealt in the order of seats, the last one missing in phase 'hands'")

    cdef _read_open_hand(self, Hand *hand, path, fields, held, used):
        """A hand whose cards are given; those of earlier shuffles are taken from `held`."""
        known = [self._find_card(f"{path}.known[{i}]", name)
                 for i, name in enumerate(sequence(f"{path}.known", fields.get("known", []), None, "cards"))]
        numbers = sorted(self._read_card(f"{path}.cards[{i}]", name, used) for i, name in enumerate(fields["cards"]))
        rest = []
        for number in numbers:
            name = self._name(number)
            if name in known:
                known.remove(name)
                insert_card(hand, number, True, 0)
            else:
                rest.append((number, name))
        if known:
            raise FieldError(f"{path}.known", f"expected cards of this hand; {known[0]} is not in it")
        since = fields.get("since")
        if since is not None:
            sequence(f"{path}.since", since, len(rest), "numbers of shuffles, one a card that is not known")
        for i, (number, name) in enumerate(rest):
            shuffle = next((k for k, names in enumerate(held) if name in names), len(held))
            if since is not None:
                shuffle = whole(f"{path}.since[{i}]", since[i], 0, len(held))
                if shuffle < len(held) and name not in held[shuffle]:
                    raise FieldError(f"{path}.since[{i}]", f"{name} is not among the cards of 'shuffles[{shuffle}]'")
            if shuffle < len(held):
                held[shuffle].remove(name)
            insert_card(hand, number, False, shuffle)

    cdef _read_hidden_hand(self, Hand *hand, path, fields, int shuffles, used):
        """A hand that is not shown: the cards known to be in it; answers how many others are from each shuffle."""
        if "since" in fields:
            raise FieldError(f"{path}.since", "expected none where the cards are not shown; 'from' counts them")
        known = sequence(f"{path}.known", fields.get("known", []), None, "cards")
        left = fields["count"] - len(known)
        if left < 0:
            raise FieldError(f"{path}.known", f"expected at most {fields['count']} cards, as counted; got {len(known)}")
        for i, name in enumerate(known):
            insert_card(hand, self._read_card(f"{path}.known[{i}]", name, used), True, 0)
        if not shuffles and "from" not in fields:
            return [left]
        if "from" not in fields:
            raise FieldError(f"{path}.from", "missing; expected how many cards are from each shuffle")
        counts = [whole(f"{path}.from[{i}]", count, 0, HELD)
                  for i, count in enumerate(sequence(f"{path}.from", fields["from"], shuffles + 1, "numbers, one a shuffle and one since"))]
        if sum(counts) != left:
            raise FieldError(f"{path}.from", f"expected {left} in all, the cards that are not known; got {sum(counts)}")
        return counts

    cdef _read_choices(self, LadybirdState *s, fields, unseen):
        """What has been chosen, in the order of seats."""
        revealed = sequence("revealed", fields.get("revealed", [None] * self.players), self.players, "choices, one a player")
        for seat, name in enumerate(revealed):
            if name is None:
                continue
            if seat != s.seat or seat == self.players - 1:
                raise FieldError(f"revealed[{seat}]", "expected null: choices are made in the order of seats, and shown after the last")
            number = s.hand[<int>seat].card[0]
            if seat not in unseen or name != "hidden":
                word = self._find_card(f"revealed[{seat}]", name)
                number = self.numbers[word]
                if place_in(&s.hand[<int>seat], number) < 0 or (seat in unseen and not s.hand[<int>seat].known >> place_in(&s.hand[<int>seat], number) & 1):
                    raise FieldError(f"revealed[{seat}]", f"expected {'hidden' if seat in unseen else 'a card of this hand'}; got {shown(name)}")
            s.revealed[<int>seat] = number + 1
            s.seat += 1

    cdef _check_tableaus(self, LadybirdState *s):
        """That what stands above the columns goes with their cards."""
        cdef const Tableau *p
        cdef int seat, column
        for seat in range(self.players):
            path = f"tableaus[{seat}]"
            p = &s.tableau[seat]
            for column in range(COLOURS):
                colour = self.colours[column]
                whole_set = is_cycle(p.states[column])
                if p.cycles >> column & 1 and (not whole_set or p.lost >> column & 1):
                    raise FieldError(f"{path}.life_cycles", f"expected {colour} to have all four states and not to be lost")
                if whole_set and not (p.cycles | p.lost) >> column & 1:
                    raise FieldError(f"{path}.life_cycles", f"expected {colour}, which has all four states, here or among 'lost'")
                if p.lost >> column & 1 and (self.tables.regain or not p.harlequins[column]):
                    raise FieldError(f"{path}.lost", f"expected none of {colour}: " + (
                        "the option lets a life cycle be won again" if self.tables.regain else "no Harlequin is in that column"))
            self._check_rows(s, seat, path)
            self._check_cards(s, seat, path)

    cdef _check_rows(self, const LadybirdState *s, int seat, path):
        cdef const Tableau *p = &s.tableau[seat]
        due = s.phase == BED and seat_to_move(self.tables, s) == seat
        rows = lowest_column(p) - due
        if rows < 0:
            raise FieldError("phase", "'bed' does not go with a tableau without a full row")
        if popcount(p.beds) != rows or rows >= COLOURS:
            raise FieldError(f"{path}.flowerbeds", f"expected {rows}, as many as there are full rows{' before this one' if due else ''}; "
                                                   f"got {popcount(p.beds)}")

    cdef _check_cards(self, const LadybirdState *s, int seat, path):
        """No more cards than there were reveals and garden tiles to place them."""
        cdef const Tableau *p = &s.tableau[seat]
        cdef int day = day_of(min(<int>s.round, ROUNDS - 1))
        cdef int place = (seat + self.players - s.first) % self.players
        most = s.round + day + max(0, day - 3)
        if not s.setup and s.phase not in (REVEAL, OVER):
            most += place < s.turn or (place == s.turn and s.phase != TARGET)
        most += (p.fresh & 1) == 0
        most += day >= 3 and (p.fresh >> 3 & 1) == 0
        if s.phase == PLACE and place == s.turn:
            most -= 1
        if sum(p.height[column] for column in range(COLOURS)) > most:
            raise FieldError(f"{path}.columns", f"expected at most {most} cards by now; got {sum(p.height[i] for i in range(COLOURS))}")

    cdef _check_phase(self, const LadybirdState *s, fields):
        """That what lies there goes with the phase."""
        cdef const Tables *t = self.tables
        cdef const Tableau *p
        cdef int seat, used, tile
        if s.setup or s.phase in (REVEAL, DISCARD, OVER):
            self._check_start(s)
            return
        phase = PHASES[s.phase]
        seat = seat_to_move(t, s)
        p = &s.tableau[seat]
        used = ~p.fresh & ((1 << (day_of(s.round) + 1)) - 1)
        tile = {PLACE: 1 << 0 | 1 << 3, ORCHARD_CARD: 1 << 1 | 1 << 3, ORCHARDS: 1 << 1 | 1 << 3, FEED: 1 << 2 | 1 << 4,
                TOPS: 1 << 2 | 1 << 4}.get(s.phase, 1 << 0 | 1 << 3 if s.extra else 31)
        if not used & tile and (s.extra or s.phase in (PLACE, ORCHARD_CARD, ORCHARDS, FEED, TOPS)):
            raise FieldError(f"tableaus[{seat}].used", f"expected {' or '.join(name for i, name in enumerate(GARDEN_TILES) if tile >> i & 1)} in "
                                                       f"phase '{phase}'{' with extra' if s.extra else ''}")
        if s.phase == TARGET and not has_target(t, s, seat):
            raise FieldError("phase", "'target' does not go with tableaus that have no column to invade")
        if s.phase == PLACE and not can_place(t, &s.hand[seat]):
            raise FieldError("phase", "'place' does not go with a hand without a card to place")
        if s.phase == ORCHARD_CARD and s.orchard[0] == 0 and s.orchard[1] == 0 and s.orchard[2] == 0:
            raise FieldError("phase", "'card' does not go with an empty orchard")
        if s.phase == FEED and not some_claimable(t, s, p):
            raise FieldError("phase", "'feed' does not go with stacks of which no tile can be claimed")
        if s.chain and not any(s.owned[<int>kind] >> 4 * seat & 15 for kind, tile in enumerate(self.tiles) if tile[4]):
            raise FieldError("chain", f"expected a honeydew tile among 'tableaus[{seat}].feeding'")
        if s.phase == DRAFT and s.unlock >= NO_STATE:
            self._check_harlequin(s, p, seat)
        if s.phase in (BED, DRAFT) and s.unlock < NO_STATE:
            tops = [t.state[p.top[column] - 1] for column in range(COLOURS) if p.top[column]]
            if (s.unlock + STATES - 1) % STATES not in tops:
                raise FieldError("unlocks", f"expected the state after that of a top card of player {seat}; got {UNLOCK_NAMES[s.unlock]}")

    cdef _check_harlequin(self, const LadybirdState *s, const Tableau *p, int seat):
        """A Harlequin that has found no column lies among the discards; alone it may be the top of a column, too."""
        cdef int harlequin = self.numbers.get("H", CARDS)
        cdef int column
        on_top = self.players == 1 and any(p.top[column] == harlequin + 1 for column in range(COLOURS))
        if not on_top and (harlequin == CARDS or not has_card(s.discards, harlequin)):
            raise FieldError("unlocks", f"expected the Harlequin that lets draft {UNLOCK_NAMES[s.unlock]} among the discards"
                                        f"{' or on a column' if self.players == 1 else ''}")
        if not on_top and has_target(self.tables, s, seat):
            raise FieldError("unlocks", f"expected no column with cards{'' if self.players == 1 else ' that a Harlequin can invade'} where "
                                        f"the Harlequin was discarded")

    cdef _check_start(self, const LadybirdState *s):
        """Before the first round nobody has anything."""
        cdef const Tableau *p
        cdef int seat
        for seat in range(self.players):
            p = &s.tableau[seat]
            if s.setup and (p.aphids or p.memories or p.beds or any(p.orchards[i] for i in range(COLOURS))):
                raise FieldError(f"tableaus[{seat}]", "expected nothing before the first round")


UNLOCK_NAMES = (*STATE_NAMES, "none", "any")

LEAST_CARDS = 34

MOST_MEMORIES = 50   # two with each of 22 drafts, and one more, are 45

FIELD_NAMES = ("to_move", "phase", "round", "first", "turn", "hands", "revealed", "unlocks", "extra", "chain", "tableaus", "pool", "refill",
               "orchard", "orchard_deck", "stacks", "discards", "deck", "shuffles")


cdef bint tile_is_used(const LadybirdState *s):
    """Whether the player whose turn it is has flipped his garden tile."""
    return s.extra or s.phase in (PLACE, ORCHARD_CARD, FEED, ORCHARDS, TOPS)


def pack(numbers, int width):
    """Small numbers in one, the first in the lowest bits."""
    return sum(number << width * i for i, number in enumerate(numbers))


def points_of_memories(table, int count):
    """What so many memories score by a component file's table."""
    points = table["points"]
    if count <= len(points):
        return points[count - 1] if count else 0
    return points[-1] + table["more"] * (count - len(points))


def card_names(components):
    """Every card, the copies of each side by side, in the order of colours, states and types; Harlequins last."""
    letters = "".join(components["types"]["letters"])
    names = []
    for colour, letter in zip(components["colours"]["names"], components["colours"]["letters"], strict=True):
        for state, types in zip(STATE_LETTERS, components["cards"][colour], strict=True):
            names += [letter + state + one for one in sorted(types, key=letters.index)]
    return names + ["H"] * components["cards"]["harlequins"]


def tile_name(tile):
    """`S1:2h`: type, points a card, cost, honeydew; `V2:m` is a mildew tile, `V2:m2` one that counts for two."""
    if tile["threshold"]:
        return f"{tile['type']}{tile['points']}:m{tile['threshold'] if tile['threshold'] > 1 else ''}"
    return f"{tile['type']}{tile['points']}:{tile['cost']}{'h' if tile['honeydew'] else ''}"


def check_components(components):
    """Raises `FieldError` where the plain data of a component file does not describe a set that fits."""
    tables = ("colours", "types", "cards", "orchard", "memories", "tiles")
    mapping("", components, tables, tables)
    colours = mapping("colours", components["colours"], ("names", "letters"), ("names", "letters"))
    check_names("colours", colours, COLOURS, "H")
    if "harlequins" in colours["names"]:
        raise FieldError("colours.names", "expected no colour called harlequins")
    types = mapping("types", components["types"], ("names", "letters"), ("names", "letters"))
    letters = check_names("types", types, TYPES - 1, "H")
    _check_cards(components["cards"], colours["names"], letters)
    orchard = mapping("orchard", components["orchard"], ("cards",), ("cards",))
    counts = [whole(f"orchard.cards[{i}]", count, 0, MOST_ALIKE)
              for i, count in enumerate(sequence("orchard.cards", orchard["cards"], COLOURS, "numbers, one a colour"))]
    if not ORCHARD <= sum(counts) <= 60:
        raise FieldError("orchard.cards", f"expected {ORCHARD} to 60 cards in all; got {sum(counts)}")
    memories = mapping("memories", components["memories"], ("points", "more"), ("points", "more"))
    points = sequence("memories.points", memories["points"], None, "points")
    if not 1 <= len(points) <= 40:
        raise FieldError("memories.points", f"expected 1 to 40 numbers; got {len(points)}")
    for i, value in enumerate(points):
        whole(f"memories.points[{i}]", value, points[i - 1] if i else 0, 500)
    whole("memories.more", memories["more"], 0, 100)
    _check_tiles(components["tiles"], letters + "H")


def _check_cards(cards, colours, letters):
    mapping("cards", cards, ("harlequins", *colours), ("harlequins", *colours))
    total = whole("cards.harlequins", cards["harlequins"], 0, 32)
    for colour in colours:
        for i, types in enumerate(sequence(f"cards.{colour}", cards[colour], STATES, "texts, one a state")):
            path = f"cards.{colour}[{i}]"
            for letter in text(path, types):
                if letter not in letters:
                    raise FieldError(path, f"expected letters of {letters}; got {shown(types)}")
            if len(types) > MOST_ALIKE:
                raise FieldError(path, f"expected at most {MOST_ALIKE} cards; got {len(types)}")
            total += len(types)
    if not LEAST_CARDS <= total <= CARDS:
        raise FieldError("cards", f"expected {LEAST_CARDS} to {CARDS} cards; got {total}")


def _check_tiles(tiles, letters):
    sequence("tiles", tiles, None, "feeding tiles")
    if not 1 <= len(tiles) <= KINDS:
        raise FieldError("tiles", f"expected 1 to {KINDS} kinds of tiles; got {len(tiles)}")
    names = ("type", "points", "cost", "honeydew", "threshold", "count")
    seen = {}
    for kind, tile in enumerate(tiles):
        path = f"tiles[{kind}]"
        mapping(path, tile, names, names)
        one_of(f"{path}.type", tile["type"], tuple(letters))
        whole(f"{path}.points", tile["points"], 1, 9)
        whole(f"{path}.cost", tile["cost"], 0, 20)
        one_of(f"{path}.honeydew", tile["honeydew"], (False, True))
        whole(f"{path}.threshold", tile["threshold"], 0, 9)
        whole(f"{path}.count", tile["count"], 1, MOST_ALIKE)
        if tile["threshold"] and (tile["cost"] or tile["honeydew"]):
            raise FieldError(f"{path}.threshold", "expected 0 for a tile with a cost or honeydew; one that needs cards instead has cost = 0 "
                                                  "and honeydew = false")
        name = tile_name(tile)
        if name in seen:
            raise FieldError(path, f"expected a tile unlike tiles[{seen[name]}]; give more of one kind by its count")
        seen[name] = kind
    total = sum(tile["count"] for tile in tiles)
    if total % STACKS or not STACKS <= total <= 48:
        raise FieldError("tiles", f"expected 8, 16, 24, 32, 40 or 48 tiles, for {STACKS} stacks; got {total}")
