"""The Butterfly Garden: two to six players catch butterflies with hidden hands and deliver them from their jars.

Rules are explained in docs/games/butterfly_garden.md. What lies on the table and what a jar pays for is in
butterfly_garden_table.pxd, what players know in butterfly_garden_memory.pxd, evaluation and policy in
butterfly_garden_advice.pxd; here is the turn, the contract, loading and positions.

Actions: `base + card` for a card played, captured, returned or discarded; an exchange `EXCHANGE_BASE + 64 * hand card + jar card`;
a delivery `DELIVER_BASE + (place << 24) + its cards, six bits each`. Outcomes: a hand or cards of the field in six bits each, the
lowest card in the lowest; letters by seat in three bits each; the kind of a delivery card; the card drawn.
"""
import json
from importlib.resources import files

import numpy as np

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from garden_core.bits cimport lowest_bit, popcount, select_bit
from garden_core.games.butterfly_garden_advice cimport (
    add_look, estimate, gains, look_after, look_at, Look, stage_of, unseen_by)
from garden_core.games.butterfly_garden_memory cimport (
    begin_memory, card_of, deal_again, event_of, face_down, from_bottom, get_unseen, GETS, hash_again, is_hidden,
    kind_of, make_room, next_cards, note_shown, note_taken, nothing_to_draw, return_unseen, RETURNS, seat_of, shuffle_of, SHOWS,
    TAKES, turn_up, TURNS)
from garden_core.games.butterfly_garden_table cimport (
    AT_ONCE, bit, butterflies_of, ButterflyState, CAPTURE, CAPTURE_BASE, CARDS, cards_spent, CHOOSE, COLOURS, COPIES, DELIVER,
    DELIVER_BASE, DELIVERIES, DISCARD, DISCARD_BASE, DRAW, DRAWS, EVENTS, EXCHANGE_BASE, FEATURES, FIELD, HAND, HANDS, is_payment,
    JAR, KINDS, lacks, LETTERS, MARGIN_EVENTS, may_earn, Memory, Need, NONE, OVER, payments, PLAIN, PLAY_BASE, POWER, QUEUE,
    RELEASES, RETURN, RETURN_BASE, ROUNDS, seat_to_move, SEATS, size_of, SCALE, SKIP_DELIVERY, SKIP_POWER, spot_of,
    SPOTS, STAGES, SWAPS, Tables, TAKES_TOP, TOP, USE_POWER)
from garden_core.hash cimport hash_words
from garden_core.rng cimport Rng, below, mix64, seed_rng
from garden_core.rules cimport (
    ALL, CHANCE, TERMINAL, Rules, Sum, drawn_action, estimated_utilities, placed_utilities, places_from_scores, priors_from_gains)
from garden_core.sorting cimport sort_ids
from garden_core.state cimport Game, State

from garden_core.fields import FieldError, agrees, check_names, mapping, one_of, sequence, shown, text, whole, with_defaults
from garden_core.state import made_once

cdef enum:
    LAYOUT = 1
    COMPONENTS = 5
    MOST_ACTIONS = 352       # five deliveries of 70 payments, four of eight butterflies each
    MOST_OUTCOMES = 128      # that are listed
    KEY_WORDS = 40
    HASH_WORDS = 9
    MARGIN = 10              # points of margin that squash to three quarters

PHASES = ("hands", "letters", "field", "deliveries", "choose", "capture", "power", "draw", "return", "top", "discard", "deliver",
          "over")

POWER_NAMES = ("", "dr", "sw", "to", "de")

COMPONENT_NAMES = ("with any", "different", "of a kind", "rainbow", "released")

LETTER_NAMES = "ABCDEF"


# The round

cdef inline bint delivery_left(const Tables *t, const ButterflyState *s) noexcept nogil:
    cdef int kind
    for kind in range(t.kinds):
        if s.left[kind]:
            return True
    return False


cdef inline int empty_spot(const Tables *t, const ButterflyState *s) noexcept nogil:
    """Where the next delivery card goes: of two sides the one vacated first; -1 where no spot is empty."""
    cdef int spot
    if t.players == 2 and s.vacated and s.spots[s.vacated - 1] == 0:
        return s.vacated - 1
    for spot in range(t.spots):
        if s.spots[spot] == 0:
            return spot
    return -1


cdef void restock(const Tables *t, ButterflyState *s) noexcept nogil:
    """Fills the spots with delivery cards, and the place on their deck; then the round begins."""
    cdef int spot = empty_spot(t, s)
    if spot >= 0 and s.next:
        s.spots[spot] = s.next
        s.next = 0
        spot = empty_spot(t, s)
    if s.vacated:
        s.vacated = <uint8_t>(spot + 1)
    if (spot >= 0 or s.next == 0) and delivery_left(t, s):
        s.phase = DELIVERIES
        return
    s.seat = 0
    s.vacated = 0
    s.phase = CHOOSE


cdef inline int field_missing(const Tables *t, const ButterflyState *s) noexcept nogil:
    """Cards that come to the field in the next outcome."""
    cdef int missing = t.players - popcount(s.field)
    return missing if missing < AT_ONCE else AT_ONCE


cdef void reveal(const Tables *t, ButterflyState *s) noexcept nogil:
    """All have chosen: the lowest card goes first."""
    cdef int seat, i, card
    for seat in range(t.players):
        card = s.played[seat] - 1
        s.hand[seat] &= ~bit(card)
        note_shown(s, seat, card)
        i = seat
        while i > 0 and s.played[s.order[i - 1]] > s.played[seat]:
            s.order[i] = s.order[i - 1]
            i -= 1
        s.order[i] = <uint8_t>seat
    s.seat = 0
    s.turn = 0
    begin_turn(s)


cdef inline void begin_turn(ButterflyState *s) noexcept nogil:
    make_room(s)
    s.put = False
    s.phase = CAPTURE


cdef inline int played_by(const ButterflyState *s, int seat) noexcept nogil:
    return s.played[seat] - 1


cdef void use_power(const Tables *t, ButterflyState *s) noexcept nogil:
    """After the capture: to the played card's power, if it can do anything."""
    cdef int seat = s.order[s.turn]
    cdef int card = played_by(s, seat)
    cdef int power = t.power[card]
    if power == RELEASES:
        release(t, s, seat, card)
        to_delivery(t, s)
    elif power == PLAIN or (power == SWAPS and s.jar[seat] == 0) or (power != SWAPS and nothing_to_draw(s)):
        put_in_jar(t, s)
    else:
        s.phase = POWER


cdef inline void release(const Tables *t, ButterflyState *s, int seat, int card) noexcept nogil:
    s.released[seat] |= bit(card)
    s.points[seat] += t.release[card]


cdef inline void put_in_jar(const Tables *t, ButterflyState *s) noexcept nogil:
    cdef int seat = s.order[s.turn]
    s.jar[seat] |= bit(played_by(s, seat))
    s.put = True
    check_jar(t, s)


cdef void check_jar(const Tables *t, ButterflyState *s) noexcept nogil:
    """More butterflies than it holds are discarded, card by card; then the turn goes on."""
    if size_of(t, s.jar[s.order[s.turn]]) > JAR:
        s.phase = DISCARD
    elif s.put:
        to_delivery(t, s)
    else:
        put_in_jar(t, s)


cdef bint can_deliver(const Tables *t, const ButterflyState *s) noexcept nogil:
    cdef uint32_t counts = butterflies_of(t, s.jar[s.order[s.turn]])
    cdef int spot
    for spot in range(t.spots):
        if may_earn(t, s, spot) and lacks(&t.deliveries[s.spots[spot] - 1].need, counts) == 0:
            return True
    return False


cdef inline void to_delivery(const Tables *t, ButterflyState *s) noexcept nogil:
    if can_deliver(t, s):
        s.phase = DELIVER
    else:
        end_turn(t, s)


cdef void deliver(const Tables *t, ButterflyState *s, int32_t action) noexcept nogil:
    cdef int seat = s.order[s.turn]
    cdef int spot = spot_of(t, s, action >> 24 & 31)
    cdef int kind = s.spots[spot] - 1
    cdef uint64_t spent = cards_spent(action)
    s.jar[seat] &= ~spent
    s.discards |= spent
    s.points[seat] += t.deliveries[kind].points
    s.earned[kind] += <uint32_t>1 << 4 * seat
    s.spots[spot] = 0
    if t.players == 2 and s.vacated == 0 and s.next:
        s.vacated = <uint8_t>(spot + 1)


cdef void end_turn(const Tables *t, ButterflyState *s) noexcept nogil:
    s.turn += 1
    if s.turn < t.players:
        begin_turn(s)
    else:
        end_round(t, s)


cdef void end_round(const Tables *t, ButterflyState *s) noexcept nogil:
    cdef bint over = False
    cdef bint cards = s.next != 0
    cdef int seat, spot
    s.turn = 0
    s.put = False
    s.round += 1
    memset(s.played, 0, sizeof(s.played))
    memset(s.order, 0, sizeof(s.order))
    for seat in range(t.players):
        over |= s.points[seat] >= t.goal
    for spot in range(t.spots):
        cards |= s.spots[spot] != 0
    if over or s.round == ROUNDS or not (cards or delivery_left(t, s)) or not field_can_be_filled(t, s):
        s.phase = OVER
    else:
        s.phase = FIELD


cdef inline bint field_can_be_filled(const Tables *t, const ButterflyState *s) noexcept nogil:
    return popcount(s.deck) + s.memory.tail - s.memory.head + popcount(s.discards) >= t.players - popcount(s.field)


# The contract

cdef void start(const void *tables, void *state) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef ButterflyState *s = <ButterflyState *>state
    cdef int kind, seat
    s.deck = t.cards
    for kind in range(t.kinds):
        s.left[kind] = t.deliveries[kind].count
    s.phase = HANDS
    if t.less_luck:
        s.phase = LETTERS
        if not t.letters_random:
            for seat in range(t.players):
                give_hand(s, seat, t.letters[seat], True)
            s.phase = FIELD


cdef inline void give_hand(ButterflyState *s, int seat, uint64_t cards, bint known) noexcept nogil:
    s.hand[seat] = cards
    s.deck &= ~cards
    if known:
        s.known[seat] = cards


cdef int actor(const void *tables, const void *state) noexcept nogil:
    cdef const ButterflyState *s = <const ButterflyState *>state
    if s.phase == OVER:
        return TERMINAL
    if s.phase <= DELIVERIES or s.phase == DRAW or s.phase == TOP:
        return CHANCE
    return seat_to_move(s)


cdef bint simultaneous(const void *tables, const void *state) noexcept nogil:
    return (<const ButterflyState *>state).phase == CHOOSE


cdef inline int list_cards(uint64_t cards, int base, int32_t *out) noexcept nogil:
    cdef int n = 0
    while cards:
        out[n] = base + lowest_bit(cards)
        cards &= cards - 1
        n += 1
    return n


cdef inline uint64_t card_choices(const ButterflyState *s, int *base) noexcept nogil:
    """The cards among which the player chooses, and the base of their ids; not for the powers and deliveries."""
    base[0] = PLAY_BASE
    if s.phase == CHOOSE:
        return s.hand[s.seat]
    base[0] = CAPTURE_BASE
    if s.phase == CAPTURE:
        return s.field
    base[0] = RETURN_BASE
    if s.phase == RETURN:
        return s.hand[s.order[s.turn]]
    base[0] = DISCARD_BASE
    return s.jar[s.order[s.turn]]


cdef int actions(const void *tables, const void *state, int32_t *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const ButterflyState *s = <const ButterflyState *>state
    cdef uint64_t hand
    cdef int seat, base, card, n
    if actor(t, s) < 0:
        return 0
    seat = seat_to_move(s)
    if s.phase == DELIVER:
        out[0] = SKIP_DELIVERY
        n = payments(t, s, out + 1)
        sort_ids(out + 1, n)
        return n + 1
    if s.phase != POWER:
        hand = card_choices(s, &base)
        return list_cards(hand, base, out)
    out[0] = SKIP_POWER
    if t.power[played_by(s, seat)] != SWAPS:
        out[1] = USE_POWER
        return 2
    n = 1
    hand = s.hand[seat]
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        n += list_cards(s.jar[seat], EXCHANGE_BASE + 64 * card, out + n)
    return n


cdef int32_t random_action(const void *tables, const void *state, Rng *rng) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const ButterflyState *s = <const ButterflyState *>state
    cdef int32_t[MOST_ACTIONS] ids
    cdef uint64_t cards
    cdef int base, n, jar
    if s.phase == DELIVER:
        n = payments(t, s, ids)
        n = below(rng, n + 1)
        return ids[n - 1] if n else SKIP_DELIVERY
    if s.phase != POWER:
        cards = card_choices(s, &base)
        return base + select_bit(cards, below(rng, popcount(cards)))
    if t.power[played_by(s, s.order[s.turn])] != SWAPS:
        return USE_POWER if below(rng, 2) else SKIP_POWER
    cards = s.hand[s.order[s.turn]]
    jar = popcount(s.jar[s.order[s.turn]])
    n = below(rng, 1 + popcount(cards) * jar) - 1
    if n < 0:
        return SKIP_POWER
    return EXCHANGE_BASE + 64 * select_bit(cards, n // jar) + select_bit(s.jar[s.order[s.turn]], n % jar)


cdef inline bint holds(uint64_t cards, int card) noexcept nogil:
    return 0 <= card < CARDS and (cards >> card) & 1


cdef bint is_legal(const void *tables, const void *state, int32_t action) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const ButterflyState *s = <const ButterflyState *>state
    cdef uint64_t cards
    cdef int base, seat
    if action < 0 or s.phase == OVER:
        return False
    if actor(t, s) == CHANCE:
        return is_outcome(t, s, action)
    seat = seat_to_move(s)
    if s.phase == DELIVER:
        return action == SKIP_DELIVERY or (DELIVER_BASE <= action < 2 * DELIVER_BASE and is_payment(t, s, action))
    if s.phase != POWER:
        cards = card_choices(s, &base)
        return holds(cards, action - base)
    if action == SKIP_POWER:
        return True
    if t.power[played_by(s, seat)] != SWAPS:
        return action == USE_POWER
    action -= EXCHANGE_BASE
    return 0 <= action < CARDS * CARDS and holds(s.hand[seat], action // CARDS) and holds(s.jar[seat], action % CARDS)


cdef bint is_outcome(const Tables *t, const ButterflyState *s, int32_t outcome) noexcept nogil:
    cdef uint64_t cards
    cdef int count
    if s.phase == DRAW or s.phase == TOP:
        return holds(next_cards(s), outcome)
    if s.phase == DELIVERIES:
        return outcome < t.kinds and s.left[outcome] > 0
    if s.phase == LETTERS:
        return are_letters(t, outcome)
    count = HAND if s.phase == HANDS else field_missing(t, s)
    return unpacked(outcome, count, &cards) and may_come(s, cards, count)


cdef bint are_letters(const Tables *t, int32_t outcome) noexcept nogil:
    """Whether a number stands for different letters of the first ones, one for each seat."""
    cdef int seen = 0
    cdef int seat, letter
    if outcome >> 3 * t.players:
        return False
    for seat in range(t.players):
        letter = outcome >> 3 * seat & 7
        if letter >= t.players or seen >> letter & 1:
            return False
        seen |= 1 << letter
    return True


cdef inline bint unpacked(int32_t outcome, int count, uint64_t *cards) noexcept nogil:
    """The cards of an outcome; False where they are not `count` in ascending order."""
    cdef int before = -1
    cdef int _i, card
    cards[0] = 0
    for _i in range(count):
        card = outcome & 63
        outcome >>= 6
        if card <= before:
            return False
        before = card
        cards[0] |= bit(card)
    return outcome == 0


cdef inline int32_t packed(uint64_t cards) noexcept nogil:
    cdef int32_t out = 0
    cdef int shift = 0
    while cards:
        out |= lowest_bit(cards) << shift
        cards &= cards - 1
        shift += 6
    return out


cdef bint may_come(const ButterflyState *s, uint64_t cards, int count) noexcept nogil:
    """Whether these can be the next cards of the deck, in some order."""
    cdef const Memory *m = &s.memory
    cdef int i
    if popcount(s.deck) >= count:
        return (cards & ~s.deck) == 0
    if s.deck & ~cards:
        return False
    cards &= ~s.deck
    for i in range(m.head, m.tail):
        if cards == 0:
            return True
        if not holds(cards, m.bottom[i]):
            return False
        cards &= ~bit(m.bottom[i])
    return (cards & ~s.discards) == 0


cdef void fill_field(const Tables *t, ButterflyState *s, uint64_t cards) noexcept nogil:
    """One after another, so that everybody sees which lay at the bottom."""
    cdef uint64_t left = cards
    cdef uint64_t next
    cdef int card
    s.field |= cards
    while left:
        next = next_cards(s) & left
        card = lowest_bit(next)
        turn_up(s, card)
        left &= ~bit(card)
    if popcount(s.field) == t.players:
        restock(t, s)


cdef void exchange(const Tables *t, ButterflyState *s, int seat, int card, int other) noexcept nogil:
    s.hand[seat] ^= bit(card) | bit(other)
    s.jar[seat] ^= bit(card) | bit(other)
    note_shown(s, seat, card)
    note_taken(s, seat, other)
    check_jar(t, s)


cdef void apply(const void *tables, void *state, int32_t action) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef ButterflyState *s = <ButterflyState *>state
    if s.phase == CHOOSE:
        s.played[s.seat] = <uint8_t>(action + 1)
        s.seat += 1
        if s.seat == t.players:
            reveal(t, s)
    elif actor(t, s) == CHANCE:
        apply_outcome(t, s, action)
    else:
        take_turn(t, s, s.order[s.turn], action)


cdef void take_turn(const Tables *t, ButterflyState *s, int seat, int32_t action) noexcept nogil:
    if s.phase == CAPTURE:
        s.field &= ~bit(action - CAPTURE_BASE)
        s.hand[seat] |= bit(action - CAPTURE_BASE)
        note_taken(s, seat, action - CAPTURE_BASE)
        use_power(t, s)
    elif s.phase == DELIVER:
        if action != SKIP_DELIVERY:
            deliver(t, s, action)
        end_turn(t, s)
    elif s.phase == RETURN:
        return_unseen(s, seat, action - RETURN_BASE)
        put_in_jar(t, s)
    elif s.phase == DISCARD:
        s.jar[seat] &= ~bit(action - DISCARD_BASE)
        s.discards |= bit(action - DISCARD_BASE)
        check_jar(t, s)
    elif action == SKIP_POWER:
        put_in_jar(t, s)
    elif action == USE_POWER:
        s.phase = DRAW if t.power[played_by(s, seat)] == DRAWS else TOP
    else:
        exchange(t, s, seat, (action - EXCHANGE_BASE) // CARDS, (action - EXCHANGE_BASE) % CARDS)


cdef void apply_outcome(const Tables *t, ButterflyState *s, int32_t outcome) noexcept nogil:
    cdef uint64_t cards
    cdef int seat, spot
    if s.phase == FIELD:
        unpacked(outcome, field_missing(t, s), &cards)
        fill_field(t, s, cards)
    elif s.phase == DELIVERIES:
        s.left[outcome] -= 1
        spot = empty_spot(t, s)
        if spot >= 0:
            s.spots[spot] = <uint8_t>(outcome + 1)
        else:
            s.next = <uint8_t>(outcome + 1)
        restock(t, s)
    elif s.phase == DRAW:
        get_unseen(s, s.order[s.turn], outcome)
        s.phase = RETURN
    elif s.phase == TOP:
        seat = s.order[s.turn]
        turn_up(s, outcome)
        if t.power[outcome] == RELEASES:
            release(t, s, seat, outcome)
        else:
            s.jar[seat] |= bit(outcome)
        check_jar(t, s)
    elif s.phase == HANDS:
        unpacked(outcome, HAND, &cards)
        give_hand(s, s.seat, cards, False)
        s.seat += 1
        if s.seat == t.players:
            s.seat = 0
            s.phase = FIELD
    else:
        for seat in range(t.players):
            give_hand(s, seat, t.letters[outcome >> 3 * seat & 7], True)
        s.phase = FIELD


cdef inline double ways(int n, int k) noexcept nogil:
    """To choose k of n."""
    cdef double out = 1
    cdef int i
    for i in range(k):
        out = out * (n - i) / (i + 1)
    return out


cdef int outcomes(const void *tables, const void *state, int32_t *out, double *probability) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const ButterflyState *s = <const ButterflyState *>state
    cdef uint64_t certain, among
    cdef double total = 0
    cdef int n = 0
    cdef int i, count
    if actor(t, s) != CHANCE:
        return 0
    if s.phase == DELIVERIES:
        for i in range(t.kinds):
            total += s.left[i]
        for i in range(t.kinds):
            if s.left[i]:
                out[n] = i
                probability[n] = s.left[i] / total
                n += 1
        return n
    if s.phase == DRAW or s.phase == TOP:
        n = list_cards(next_cards(s), 0, out)
    elif s.phase == LETTERS:
        if t.players == SEATS:
            return -1
        for i in range(1 << 3 * t.players):
            if are_letters(t, i):
                out[n] = i
                n += 1
    else:
        count = HAND if s.phase == HANDS else field_missing(t, s)
        certain = certain_cards(s, count, &among)
        count -= popcount(certain)
        if ways(popcount(among), count) > MOST_OUTCOMES:
            return -1
        n = list_sets(certain, among, count, out)
        sort_ids(out, n)
    for i in range(n):
        probability[i] = 1.0 / n
    return n


cdef uint64_t certain_cards(const ButterflyState *s, int count, uint64_t *among) noexcept nogil:
    """Of the next `count` cards of the deck those that must come; the others are any of `among`."""
    cdef const Memory *m = &s.memory
    cdef uint64_t certain = s.deck
    cdef int i
    if popcount(s.deck) >= count:
        among[0] = s.deck
        return 0
    for i in range(m.head, m.tail):
        if popcount(certain) == count:
            break
        certain |= bit(m.bottom[i])
    among[0] = s.discards
    return certain


cdef int list_sets(uint64_t certain, uint64_t among, int count, int32_t *out) noexcept nogil:
    """Every choice of `count` cards of a set, each with the certain ones."""
    cdef int[AT_ONCE] rank
    cdef int size = popcount(among)
    cdef int n = 0
    cdef int i
    cdef uint64_t cards
    for i in range(count):
        rank[i] = i
    while True:
        cards = certain
        for i in range(count):
            cards |= bit(select_bit(among, rank[i]))
        out[n] = packed(cards)
        n += 1
        i = count - 1
        while i >= 0 and rank[i] == size - count + i:
            i -= 1
        if i < 0:
            return n
        rank[i] += 1
        for i in range(i + 1, count):
            rank[i] = rank[i - 1] + 1


cdef int32_t draw(const void *tables, const void *state, Rng *rng) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const ButterflyState *s = <const ButterflyState *>state
    cdef uint64_t cards, among
    cdef int count, rank, kind, letters, seat, _i
    if s.phase == DRAW or s.phase == TOP:
        cards = next_cards(s)
        return select_bit(cards, below(rng, popcount(cards)))
    if s.phase == DELIVERIES:
        count = 0
        for kind in range(t.kinds):
            count += s.left[kind]
        rank = below(rng, count)
        kind = 0
        while rank >= s.left[kind]:
            rank -= s.left[kind]
            kind += 1
        return kind
    if s.phase == LETTERS:
        cards = (<uint64_t>1 << t.players) - 1
        letters = 0
        for seat in range(t.players):
            rank = select_bit(cards, below(rng, popcount(cards)))
            cards &= ~bit(rank)
            letters |= rank << 3 * seat
        return letters
    count = HAND if s.phase == HANDS else field_missing(t, s)
    cards = certain_cards(s, count, &among)
    for _i in range(count - popcount(cards)):
        rank = select_bit(among, below(rng, popcount(among)))
        among &= ~bit(rank)
        cards |= bit(rank)
    return packed(cards)


cdef void withdraw(const void *tables, void *state) noexcept nogil:
    cdef ButterflyState *s = <ButterflyState *>state
    if s.phase == CHOOSE:
        memset(s.played, 0, sizeof(s.played))
        s.seat = 0


cdef double redeal(const void *tables, void *state, int observer, Rng *rng) noexcept nogil:
    """What the others' choices tell beyond that they were possible is left to whoever models the others: the weight is one."""
    deal_again(<const Tables *>tables, <ButterflyState *>state, observer, rng)
    return 0.0


cdef void lighten(const void *tables, void *state) noexcept nogil:
    (<ButterflyState *>state).memory.idle = True


cdef uint64_t key(const void *tables, const void *state, int observer, int grain) noexcept nogil:
    """No detail of a draw can be left out."""
    cdef const Tables *t = <const Tables *>tables
    cdef const ButterflyState *s = <const ButterflyState *>state
    cdef const Memory *m = &s.memory
    cdef uint64_t[KEY_WORDS] words
    cdef uint64_t[2] left        # in nibbles
    cdef uint64_t spots = 0
    cdef uint64_t turned = 0
    cdef uint64_t earned = 0
    cdef uint64_t played = 0
    cdef uint64_t cards
    cdef int seat, i
    cdef int n = 0
    left[0] = left[1] = 0
    for i in range(t.kinds):
        left[i >> 4] |= <uint64_t>s.left[i] << 4 * (i & 15)
        if s.earned[i]:
            earned += mix64(<uint64_t>(i + 1) << 32 | s.earned[i])
    for i in range(t.spots):
        if s.spots[i]:
            spots += mix64((<uint64_t>i << 8 if t.players == 2 else 0) | s.spots[i])
    for seat in range(t.players):
        if s.played[seat] and (s.phase != CHOOSE or observer == seat or observer == ALL):
            played |= <uint64_t>s.played[seat] << 8 * seat
    if m.shuffles:
        turned = mix64(m.shuffles)
        cards = face_down(s)
        while cards:
            i = lowest_bit(cards)
            cards &= cards - 1
            turned += mix64(<uint64_t>m.shuffle[i] << 8 | <uint64_t>i)
    words[0] = s.field
    words[1] = s.discards
    words[2] = spots
    words[3] = earned
    words[4] = played
    words[5] = (<uint64_t>s.phase | <uint64_t>s.turn << 8 | <uint64_t>s.round << 16 | <uint64_t>s.put << 24
                | <uint64_t>s.next << 32 | <uint64_t>s.vacated << 40 | <uint64_t>(m.tail - m.head) << 48)
    words[6] = turned
    words[7] = m.seen[observer if observer >= 0 else SEATS] if m.open else 0
    words[8] = left[0] ^ mix64(left[1])
    n = HASH_WORDS
    for seat in range(t.players):
        words[n] = s.jar[seat]
        words[n + 1] = s.known[seat]
        words[n + 2] = s.released[seat]
        n += 3
    words[n] = s.hand[observer] if observer >= 0 else 0
    n += 1
    if observer == ALL:
        for seat in range(t.players):
            words[n] = s.hand[seat] + (mix64(m.seen[seat]) if m.open else 0)
            n += 1
        words[n] = <uint64_t>s.seat
        n += 1
    elif s.phase == HANDS:
        words[n] = <uint64_t>s.seat
        n += 1
    if n & 1:   # an even number is hashed
        words[n] = 0
        n += 1
    return hash_words(words, n, <uint64_t>(observer + 2))


cdef void components(const void *tables, const void *state, double *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const ButterflyState *s = <const ButterflyState *>state
    cdef int seat, kind
    for seat in range(t.players):
        memset(out, 0, COMPONENTS * sizeof(double))
        out[COMPONENTS - 1] = s.points[seat]
        for kind in range(t.kinds):
            out[t.deliveries[kind].component] += earned_by(s, kind, seat) * t.deliveries[kind].points
            out[COMPONENTS - 1] -= earned_by(s, kind, seat) * t.deliveries[kind].points
        out += COMPONENTS


cdef inline int earned_by(const ButterflyState *s, int kind, int seat) noexcept nogil:
    return s.earned[kind] >> 4 * seat & 15


cdef void scores(const void *tables, const void *state, double *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef int seat
    for seat in range(t.players):
        out[seat] = (<const ButterflyState *>state).points[seat]


cdef void placing(const void *tables, const void *state, int32_t *out) noexcept nogil:
    """By points, then butterflies in the jar; at the end, when hands are shown, then in the hand, then the lowest card held."""
    cdef const Tables *t = <const Tables *>tables
    cdef const ButterflyState *s = <const ButterflyState *>state
    cdef double[SEATS] rank
    cdef uint64_t held
    cdef int seat, rest
    for seat in range(t.players):
        held = s.hand[seat] | s.jar[seat]
        rest = size_of(t, s.jar[seat]) << 14
        if s.phase == OVER:
            rest |= size_of(t, s.hand[seat]) << 8 | (CARDS - lowest_bit(held) if held else 0)
        rank[seat] = <double>s.points[seat] * (1 << 20) + rest
    places_from_scores(t.players, rank, out)


cdef void utilities(const void *tables, const void *state, double *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef double[SEATS] points
    cdef int32_t[SEATS] places
    scores(tables, state, points)
    placing(tables, state, places)
    placed_utilities(t.players, points, places, MARGIN, out)


cdef void evaluate(const void *tables, const void *state, double *utility, double *score) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const ButterflyState *s = <const ButterflyState *>state
    if s.phase == OVER:
        scores(tables, state, score)
        utilities(tables, state, utility)
        return
    estimate(t, s, score)
    estimated_utilities(t.players, score, t.weights.certainty[stage_of(t, s)], MARGIN, utility)


cdef void priors(const void *tables, const void *state, int n, const int32_t *ids, float *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    gains(t, <const ButterflyState *>state, n, ids, out)
    priors_from_gains(n, t.weights.sharpness, <float>0.01, out)


cdef int32_t policy_action(const void *tables, const void *state, Rng *rng) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef int32_t[MOST_ACTIONS] ids
    cdef float[MOST_ACTIONS] probability
    cdef int n = actions(tables, state, ids)
    if n == 1:
        return ids[0]
    gains(t, <const ButterflyState *>state, n, ids, probability)
    priors_from_gains(n, t.weights.playout_sharpness, <float>0.002, probability)
    return drawn_action(n, ids, probability, rng)


cdef Rules RULES = Rules(
    start=start, actor=actor, simultaneous=simultaneous, actions=actions, random_action=random_action, is_legal=is_legal,
    apply=apply, outcomes=outcomes, draw=draw, withdraw=withdraw, redeal=redeal, rewind=NULL, lighten=lighten, key=key,
    scores=scores, components=components, placing=placing, utilities=utilities, evaluate=evaluate, priors=priors,
    policy_action=policy_action, canonical=NULL)


WEIGHTS = json.loads(files("garden_core.games").joinpath("butterfly_garden.json").read_text())["weights"]

OPTIONS = {"less_luck": (False, True), "letters": ("random", "in_order")}

DEFAULTS = {"less_luck": False, "letters": "random"}


def load(players, options, components):
    """The game with options and the plain data of a component file. Loading the same again gives the same object."""
    whole("players", players, 2, SEATS)
    options = with_defaults(options, DEFAULTS)
    for name, choices in OPTIONS.items():
        one_of(f"option {name}", options[name], choices)
    check_components(components)
    count = len(components["cards"]["faces"])
    if count < 4 * players + 1:
        raise FieldError("cards.faces", f"expected at least {4 * players + 1} cards for {players} players; got {count}")
    if str(players) not in components["goals"]:
        raise FieldError("goals", f"expected a goal for {players} players")
    if options["less_luck"]:
        for letter in LETTER_NAMES[:players]:
            if letter not in components["hands"]:
                raise FieldError("hands", f"expected a hand {letter} for {players} players with less_luck")
    return made_once(ButterflyGarden, players, options, components)


cdef class ButterflyGarden(Game):
    """The Butterfly Garden as loaded; `garden_ai.load` is the usual way to one."""

    cdef Tables *tables
    cdef readonly tuple colours       # names, in the order of the indices
    cdef readonly str letters         # of the colours
    cdef readonly tuple cards         # faces as the component file has them, by number
    cdef readonly tuple deliveries    # (name, points, count), by kind
    cdef readonly dict hands          # cards by letter
    cdef readonly int goal
    cdef dict kinds_by_name           # of deliveries, with and without points where both will do

    def __cinit__(self):
        self.tables = NULL

    def __dealloc__(self):
        free(self.tables)

    def __init__(self, players, options, components):
        self.colours = tuple(components["butterflies"]["names"])
        self.letters = "".join(components["butterflies"]["letters"])
        self.cards = tuple(components["cards"]["faces"])
        self.hands = {letter: tuple(hand) for letter, hand in sorted(components["hands"].items())}
        self.goal = components["goals"][str(players)]
        needs = [delivery["needs"] for delivery in components["deliveries"]]
        same = [sorted_needs(name) for name in needs]
        self.deliveries = tuple(
            (name if same.count(one) == 1 else f"{name} ({delivery['points']})", delivery["points"], delivery["count"])
            for name, one, delivery in zip(needs, same, components["deliveries"], strict=True))
        self.kinds_by_name = {}
        for kind, (name, points, _) in enumerate(self.deliveries):
            plain = self.plain_name(name)
            self.kinds_by_name |= {plain: kind, f"{plain.partition('(')[0]}({points})": kind}
        super().__init__("butterfly_garden", players, options, components, COMPONENT_NAMES, LAYOUT, load)
        self._make_tables(components["deliveries"])
        self.loaded.rules = RULES
        self.loaded.tables = self.tables
        self.loaded.state_size = sizeof(ButterflyState)
        self.loaded.players = players
        self.loaded.max_actions = MOST_ACTIONS
        self.loaded.max_outcomes = MOST_OUTCOMES
        # a round: choices, four decisions and a draw a turn, discards, the field in two outcomes, deliveries
        self.loaded.max_nodes = 3 * SEATS + ROUNDS * (players * 12 + SPOTS + 4)
        self.loaded.component_count = COMPONENTS
        self.loaded.hidden = True
        self.loaded.utility_low = 0.0
        self.loaded.utility_high = 1.0
        self.loaded.score_low = 0.0
        self.loaded.score_high = sum(points * count for _, points, count in self.deliveries) + sum(map(self.release, range(len(self.cards))))

    def _make_tables(self, deliveries):
        cdef Tables *t = <Tables *>calloc(1, sizeof(Tables))
        if t == NULL:
            raise MemoryError
        self.tables = t
        t.players = self.players
        t.spots = max(2, self.players - 1)
        t.goal = self.goal
        t.less_luck = self.options["less_luck"]
        t.letters_random = self.options["letters"] == "random"
        for card in range(len(self.cards)):
            t.cards |= bit(card)
            t.butterflies[card] = packed_counts(self.butterflies(card), self.letters)
            t.size[card] = len(self.butterflies(card))
            t.power[card] = POWER_NAMES.index(self.power(card))
            t.release[card] = self.release(card)
        for seat, letter in enumerate(LETTER_NAMES[:self.players]):
            for card in self.hands.get(letter, ()):
                t.letters[seat] |= bit(card)
        t.kinds = len(deliveries)
        for kind, delivery in enumerate(deliveries):
            t.deliveries[kind].need = read_needs("", delivery["needs"], self.letters)
            t.deliveries[kind].points = delivery["points"]
            t.deliveries[kind].count = delivery["count"]
            t.deliveries[kind].component = COMPONENT_NAMES.index(component_of(delivery["needs"]))
        weights = WEIGHTS[str(self.players)]
        for stage in range(STAGES):
            t.weights.certainty[stage] = weights["certainty"][stage]
            t.weights.base[stage] = weights["base"][stage]
            t.weights.slope[stage] = weights["slope"][stage]
            for i, weight in enumerate(weights["promise"][stage]):
                t.weights.promise[stage][<int>i] = round(weight * SCALE)
        t.weights.sharpness = weights["sharpness"]
        t.weights.playout_sharpness = weights["playout_sharpness"]

    def butterflies(self, int card):
        """The letters of a card's butterflies."""
        return self.cards[card].partition("/")[0]

    def power(self, int card):
        """A card's power: "dr", "sw", "to", "de" or ""."""
        return self.cards[card].partition("/")[2][:2]

    def release(self, int card):
        """What a card brings that delivers itself."""
        return int(self.cards[card].partition("/de")[2] or 0)

    def lacking(self, int kind, str butterflies not None):
        """How many butterflies, the fittest ones, must be added to these letters for a delivery; 0: it can be paid."""
        if not 0 <= kind < self.tables.kinds:
            raise ValueError(f"kind {kind}: expected 0..{self.tables.kinds - 1}")
        most = "".join(letter * min(butterflies.count(letter), 15) for letter in self.letters + "W")   # more make no difference
        return lacks(&self.tables.deliveries[kind].need, packed_counts(most, self.letters))

    # Steps: actions and outcomes spelt out

    def phase(self, State state not None):
        """One of `PHASES`."""
        self.check(state)
        return PHASES[(<ButterflyState *>state.data).phase]

    def step(self, State state not None, int32_t id):
        """An action or outcome spelt out, as the stub lists them. It must be possible in the state."""
        self.check(state)
        cdef const ButterflyState *s = <const ButterflyState *>state.data
        phase = PHASES[s.phase]
        if phase == "hands":
            return "hand", s.seat, unpack(id, HAND)
        if phase == "letters":
            return phase, tuple(id >> 3 * seat & 7 for seat in range(self.players))
        if phase == "field":
            return phase, unpack(id, field_missing(self.tables, s))
        if phase == "deliveries":
            return "delivery", id
        if id == SKIP_POWER or id == SKIP_DELIVERY:
            return ("skip",)
        if id == USE_POWER:
            return ("use",)
        if phase == "power":
            return "exchange", (id - EXCHANGE_BASE) // CARDS, (id - EXCHANGE_BASE) % CARDS
        if phase == "deliver":
            return phase, id >> 24 & 31, card_list(cards_spent(id))
        return "play" if phase == "choose" else phase, id % CARDS

    def step_id(self, State state not None, step):
        """The inverse of `step`; -1 where no such step exists in the state's phase. It need not be possible."""
        self.check(state)
        cdef const ButterflyState *s = <const ButterflyState *>state.data
        phase = PHASES[s.phase]
        word, *rest = step
        words = {"hands": ("hand",), "deliveries": ("delivery",), "choose": ("play",), "power": ("use", "skip", "exchange"),
                 "deliver": ("deliver", "skip")}.get(phase, (phase,))
        if word not in words:
            return -1
        if word == "skip":
            return SKIP_POWER if phase == "power" else SKIP_DELIVERY
        if word == "use":
            return USE_POWER
        if word == "letters":
            letters = rest[0]
            return pack(letters, 3) if len(letters) == self.players and all(0 <= i < 8 for i in letters) else -1
        cards = rest[-1] if word in ("hand", "field", "deliver") else rest
        if not all(0 <= card < CARDS for card in cards) or list(cards) != sorted(set(cards)) and word not in ("exchange",):
            return -1
        if word == "hand":
            return pack(cards, 6) if len(cards) == HAND and rest[0] == s.seat else -1
        if word == "field":
            return pack(cards, 6) if len(cards) <= AT_ONCE else -1
        if word == "exchange":
            return EXCHANGE_BASE + CARDS * rest[0] + rest[1]
        if word == "deliver":
            if not 0 <= rest[0] < KINDS or not 1 <= len(cards) <= 4:
                return -1
            four = [*cards, *[cards[-1]] * (4 - len(cards))]
            return DELIVER_BASE + (rest[0] << 24) + pack(four[::-1], 6)
        base = {"play": PLAY_BASE, "capture": CAPTURE_BASE, "return": RETURN_BASE, "discard": DISCARD_BASE}.get(word, 0)
        return base + rest[0]

    # What tools/fit_butterfly_garden fits

    def stage(self, State state not None):
        """The stage whose weights count."""
        self.check(state)
        return stage_of(self.tables, <const ButterflyState *>state.data)

    def look_features(self, State state not None):
        """Of each player: float32 [players, FEATURES]."""
        self.check(state)
        out = np.zeros((self.players, FEATURES), dtype=np.float32)
        cdef float[:, ::1] rows = out
        cdef Look look
        for seat in range(self.players):
            look_at(self.tables, <const ButterflyState *>state.data, seat, &look)
            self._write_features(<const ButterflyState *>state.data, &look, &rows[seat, 0])
        return out

    def move_features(self, State state not None):
        """Of the mover after each legal action, and his points then: float32 [n, FEATURES], float64 [n]."""
        self.check(state)
        cdef const ButterflyState *s = <const ButterflyState *>state.data
        actions = state.legal_actions()
        out = np.zeros((len(actions), FEATURES), dtype=np.float32)
        points = np.zeros(len(actions))
        cdef float[:, ::1] rows = out
        cdef Look look
        cdef int seat = seat_to_move(s)
        for i, action in enumerate(actions.tolist()):
            look_at(self.tables, s, seat, &look)
            look_after(self.tables, s, action, unseen_by(self.tables, s, seat), &look)
            self._write_features(s, &look, &rows[i, 0])
            points[i] = look.points
        return out, points

    cdef _write_features(self, const ButterflyState *s, const Look *look, float *out):
        cdef Sum sum
        sum.weights = self.tables.weights.promise[0]
        sum.dense = out
        sum.value = 0
        add_look(self.tables, s, look, &sum)

    # Positions

    def fields(self, State state not None, int observer=ALL):
        """The fields of docs/games/butterfly_garden.md."""
        self.check(state)
        cdef const ButterflyState *s = <const ButterflyState *>state.data
        cdef const Memory *m = &s.memory
        cdef const Tables *t = self.tables
        seats = range(self.players)
        out = {"to_move": actor(t, s), "phase": PHASES[s.phase], "round": s.round + (s.phase != OVER)}
        out["hands"] = [self._hand_fields(m.shuffle if m.shuffles and not m.open else NULL, s.hand[<int>seat], s.known[<int>seat],
                                          observer in (ALL, seat), m.shuffles) for seat in seats]
        out["jars"] = [[*card_list(s.jar[<int>seat])] for seat in seats]
        out["earned"] = [[self.deliveries[kind][0] for kind in range(t.kinds) for _ in range(earned_by(s, kind, seat))]
                         for seat in seats]
        out["released"] = [[*card_list(s.released[<int>seat])] for seat in seats]
        out["field"] = [*card_list(s.field)]
        out["discards"] = [*card_list(s.discards)]
        out["deck"] = popcount(s.deck) + m.tail - m.head
        if m.head < m.tail:
            out["bottom"] = [self._bottom_fields(m, k, observer) for k in range(m.head, m.tail)]
        available = [self.deliveries[s.spots[<int>spot] - 1][0] if s.spots[<int>spot] else None for spot in range(t.spots)]
        if self.players > 2:
            names = [name for name, _, _ in self.deliveries]
            available = sorted((name for name in available if name is not None), key=names.index)
        out["deliveries"] = {"available": available, "next": self.deliveries[s.next - 1][0] if s.next else None,
                             "deck": sum(s.left[kind] for kind in range(t.kinds))}
        empty = [spot for spot in range(t.spots) if not s.spots[<int>spot]]
        if self.players == 2 and s.vacated and empty:
            out["vacated"] = sorted(empty, key=lambda spot: spot + 1 != s.vacated)
        if s.phase == CHOOSE:
            out["played"] = [None if not s.played[<int>seat] else s.played[<int>seat] - 1 if observer in (ALL, seat) else "hidden"
                             for seat in seats]
        elif CAPTURE <= s.phase <= DELIVER:
            out["played"] = [s.played[<int>seat] - 1 for seat in seats]
            out["turn"] = s.turn
            if s.phase == DISCARD:
                out["put"] = bool(s.put)
        if m.shuffles:
            unseen = face_down(s)
            out["shuffles"] = [[card for card in card_list(unseen) if m.shuffle[<int>card] == shuffle]
                               for shuffle in range(m.shuffles + 1)]
        if m.open:
            out["memory"] = self._memory_fields(m, observer)
        return out

    cdef _hand_fields(self, const uint8_t *shuffle, uint64_t hand, uint64_t known, bint seen, int shuffles):
        """`shuffle` is NULL where it does not matter from which shuffle unknown cards are."""
        out = {"count": popcount(hand)}
        if seen:
            out["cards"] = [*card_list(hand)]
        out["known"] = [*card_list(known)]
        if shuffle != NULL and not seen:
            counts = [0] * (shuffles + 1)
            for card in card_list(hand & ~known):
                counts[shuffle[<int>card]] += 1
            out["from"] = counts
        return out

    cdef _bottom_fields(self, const Memory *m, int k, int observer):
        out = {"by": m.owner[k]}
        if observer in (ALL, m.owner[k]):
            out["card"] = m.bottom[k]
        return out

    cdef _memory_fields(self, const Memory *m, int observer):
        out = {"hands": [
            self._hand_fields(m.shuffle_then if m.shuffles else NULL, m.hand[<int>seat], m.known[<int>seat],
                              observer in (ALL, seat), m.shuffles) for seat in range(self.players)]}
        if m.begin:
            out["bottom"] = [self._bottom_fields(m, k, observer) for k in range(m.begin)]
            if m.shuffles:
                for k, entry in enumerate(out["bottom"]):
                    entry["from"] = m.shuffle_then[m.bottom[<int>k]]
        events = []
        drawn = 0
        for i in range(m.count):
            event = m.events[<int>i]
            kind = kind_of(event)
            entry = {"event": EVENT_NAMES[kind]}
            owner = -3   # no observer
            if kind == TURNS or from_bottom(event):
                owner = m.owner[<int>drawn]
                drawn += 1
            if kind != TURNS:
                entry["seat"] = seat_of(event)
            if not is_hidden(event) or observer in (ALL, seat_of(event), owner):
                entry["card"] = card_of(event)
            if shuffle_of(event):
                entry["shuffle"] = shuffle_of(event)
            if from_bottom(event):
                entry["bottom"] = True
            events.append(entry)
        return {**out, "events": events}

    def build(self, fields):
        """The state of such fields. What follows from the rest may be left out; what is hidden is filled with one deal that agrees."""
        mapping("", fields, FIELD_NAMES, ("hands",))
        cdef State state = self.new_state()
        cdef ButterflyState *s = <ButterflyState *>state.data
        cdef const Tables *t = self.tables
        seen = []   # seats whose hand is shown
        counts = []
        self._read_places(s, fields)
        self._read_hands(s, fields["hands"], counts, seen)
        self._read_deliveries(s, fields)
        self._read_phase(s, fields, counts, seen)
        self._read_unseen(s, fields, counts, seen)
        self._check_phase(s, fields)
        agrees("to_move", fields.get("to_move"), actor(t, s))
        return state

    cdef uint64_t _read_cards(self, path, value, uint64_t taken) except? 0:
        """A set of cards, none of which lies elsewhere."""
        cdef uint64_t cards = 0
        for i, card in enumerate(sequence(path, value, None, "cards")):
            self._read_card(f"{path}[{i}]", card, taken | cards)
            cards |= bit(card)
        return cards

    def _read_card(self, path, card, uint64_t taken=0):
        whole(path, card, 0, len(self.cards) - 1)
        if taken >> <int>card & 1:
            raise FieldError(path, f"card {card} lies elsewhere too")
        return card

    cdef uint64_t _seen_places(self, const ButterflyState *s):
        cdef uint64_t cards = s.field | s.discards
        cdef int seat
        for seat in range(self.players):
            cards |= s.jar[seat] | s.released[seat] | s.hand[seat]
        return cards

    cdef _read_places(self, ButterflyState *s, fields):
        """What lies open, hands and deliveries aside."""
        none = [[]] * self.players
        for name in ("jars", "released"):
            for seat, cards in enumerate(sequence(name, fields.get(name, none), self.players, "lists of cards, one a player")):
                path = f"{name}[{seat}]"
                found = self._read_cards(path, cards, self._seen_places(s))
                if name == "jars":
                    s.jar[<int>seat] = found
                else:
                    s.released[<int>seat] = found
                    for card in card_list(found):
                        if self.power(card) != "de":
                            raise FieldError(path, f"card {card} ({self.cards[card]}) does not deliver itself")
                        s.points[<int>seat] += self.release(card)
        s.field = self._read_cards("field", fields.get("field", []), self._seen_places(s))
        s.discards = self._read_cards("discards", fields.get("discards", []), self._seen_places(s))
        for seat, names in enumerate(sequence("earned", fields.get("earned", none), self.players, "lists, one a player")):
            for i, name in enumerate(sequence(f"earned[{seat}]", names, None, "delivery cards")):
                kind = self._read_kind(f"earned[{seat}][{i}]", name)
                if sum(earned_by(s, kind, other) for other in range(self.players)) >= self.deliveries[kind][2]:
                    raise FieldError(f"earned[{seat}][{i}]", f"there are only {self.deliveries[kind][2]} of {name}")
                s.earned[<int>kind] += <uint32_t>1 << 4 * <int>seat
                s.points[<int>seat] += self.deliveries[kind][1]

    def _read_kind(self, path, name):
        kind = self.kind_of(text(path, name))
        if kind < 0:
            raise FieldError(path, f"expected one of {', '.join(known for known, _, _ in self.deliveries)}; got {shown(name)}")
        return kind

    def kind_of(self, str name not None):
        """The kind of a delivery card by its name, in any case and order, colours in letters or words; -1 where there is none.

        Points in brackets may follow; they must where two cards need the same.
        """
        return self.kinds_by_name.get(self.plain_name(name), -1)

    def plain_name(self, str name not None):
        """A delivery's name as names are compared: small letters without blanks, colours cut to their letters, sorted; points in
        brackets stay at the end.
        """
        needs, bracket, points = "".join(name.lower().split()).partition("(")
        words = {colour.lower(): letter.lower() for colour, letter in zip(self.colours, self.letters)} | {"rainbow": "w"}
        return sorted_needs("+".join(words.get(word, word) for word in needs.split("+"))) + bracket + points

    cdef _read_hands(self, ButterflyState *s, hands, counts, seen):
        sequence("hands", hands, self.players, "hands, one a player")
        for seat, hand in enumerate(hands):
            path = f"hands[{seat}]"
            if isinstance(hand, list):
                hand = {"cards": hand}
            mapping(path, hand, ("count", "cards", "known", "from"), ())
            known = hand.get("known", [])
            if "cards" in hand:
                s.hand[<int>seat] = self._read_cards(f"{path}.cards", hand["cards"], self._seen_places(s))
                s.known[<int>seat] = self._read_cards(f"{path}.known", known, 0)
                for card in card_list(s.known[<int>seat] & ~s.hand[<int>seat]):
                    raise FieldError(f"{path}.known", f"card {card} is not in this hand")
                seen.append(seat)
            else:
                s.hand[<int>seat] = s.known[<int>seat] = self._read_cards(f"{path}.known", known, self._seen_places(s))
            count = popcount(s.hand[<int>seat])
            if "cards" in hand:
                agrees(f"{path}.count", hand.get("count"), count)
            else:
                if "count" not in hand:
                    raise FieldError(f"{path}.count", "missing; expected the number of cards, or the cards themselves as a list")
                if whole(f"{path}.count", hand["count"], 0, HAND + 1) < count:
                    raise FieldError(f"{path}.known", f"expected at most {hand['count']} cards, as counted; got {count}")
                count = hand["count"]
            counts.append(count)

    cdef _read_deliveries(self, ButterflyState *s, fields):
        cdef const Tables *t = self.tables
        deliveries = mapping("deliveries", fields.get("deliveries", {}), ("available", "next", "deck"), ())
        available = sequence("deliveries.available", deliveries.get("available", []),
                             2 if self.players == 2 and "available" in deliveries else None, "delivery cards")
        if len(available) > t.spots:
            raise FieldError("deliveries.available", f"expected at most {t.spots} cards; got {len(available)}")
        for spot, name in enumerate(available):
            if name is not None or self.players > 2:
                s.spots[<int>spot] = self._read_kind(f"deliveries.available[{spot}]", name) + 1
        if deliveries.get("next") is not None:
            s.next = self._read_kind("deliveries.next", deliveries["next"]) + 1
        for kind, (name, _, count) in enumerate(self.deliveries):
            used = sum(earned_by(s, kind, seat) for seat in range(self.players)) + (s.next == kind + 1)
            used += sum(s.spots[<int>spot] == kind + 1 for spot in range(t.spots))
            if used > count:
                raise FieldError("deliveries", f"there are only {count} of {name}; got {used}")
            s.left[<int>kind] = count - used
        agrees("deliveries.deck", deliveries.get("deck"), sum(s.left[kind] for kind in range(t.kinds)))
        vacated = fields.get("vacated")
        empty = [spot for spot in range(t.spots) if not s.spots[<int>spot]]
        if vacated is not None:
            if self.players > 2:
                raise FieldError("vacated", "sides are for two players")
            for i, spot in enumerate(sequence("vacated", vacated, len(empty), "sides that are empty")):
                if one_of(f"vacated[{i}]", spot, empty) in vacated[:i]:
                    raise FieldError(f"vacated[{i}]", "named twice")
            s.vacated = vacated[0] + 1 if vacated else 0
        elif self.players == 2 and len(empty) == 1 and s.next and self._is_turn(fields):
            s.vacated = empty[0] + 1

    def _is_turn(self, fields):
        return isinstance(fields.get("played"), list) and fields.get("phase") != "choose"

    cdef _read_phase(self, ButterflyState *s, fields, counts, seen):
        """The phase, and what was played in this round."""
        to_move = fields.get("to_move")
        if to_move is not None:
            one_of("to_move", to_move, [CHANCE, TERMINAL, *range(self.players)])
        played = fields.get("played")
        if played is not None:
            sequence("played", played, self.players, "cards, one a player")
        phase = fields.get("phase")
        if phase is None:
            phase = self._guess_phase(s, fields, counts)
        s.phase = PHASES.index(one_of("phase", phase, PHASES))
        turns = CAPTURE <= s.phase <= DELIVER
        for name in ("played", "turn", "put"):
            if fields.get(name) is not None and not turns and (name != "played" or s.phase != CHOOSE):
                raise FieldError(name, f"not expected in phase '{phase}'")
        rounds = whole("round", fields.get("round", 1), 1, ROUNDS)
        s.round = rounds if s.phase == OVER else rounds - 1
        if s.phase == CHOOSE:
            self._read_choices(s, played, to_move, seen)
        elif turns:
            self._read_turns(s, fields, played, to_move)
        elif s.phase == HANDS:
            s.seat = sum(count > 0 for count in counts)

    cdef _guess_phase(self, const ButterflyState *s, fields, counts):
        cdef const Tables *t = self.tables
        to_move = fields.get("to_move")
        played = fields.get("played")
        if to_move == TERMINAL:
            return "over"
        if 0 in counts:
            return "letters" if t.less_luck and t.letters_random else "hands"
        if played is not None:
            if any(isinstance(card, str) or card is None for card in played):
                return "choose"
            order = sorted(range(self.players), key=lambda seat: whole(f"played[{seat}]", played[seat], 0, CARDS - 1))
            turn = fields.get("turn")
            if turn is None:
                turn = order.index(to_move) if to_move in order else 0
            count = counts[order[whole("turn", turn, 0, self.players - 1)]]
            if count == HAND:
                raise FieldError("phase", "missing; expected which step of the turn it is: power, discard, deliver ..")
            return "return" if count > HAND else "capture"
        if to_move is not None and to_move >= 0:   # to choose a card: everything must lie there
            if popcount(s.field) != self.players:
                raise FieldError("field", f"expected {self.players} cards while cards are chosen; "
                                          + (f"got {popcount(s.field)}" if "field" in fields else "missing"))
            if (empty_spot(t, s) >= 0 or not s.next) and delivery_left(t, s):
                raise FieldError("deliveries" if empty_spot(t, s) >= 0 else "deliveries.next", "missing; expected "
                                 f"{t.spots} available and the next one, as long as the deck has some")
            return "choose"
        if popcount(s.field) < self.players:
            return "field"
        return "deliveries" if (empty_spot(t, s) >= 0 or not s.next) and delivery_left(t, s) else "choose"

    cdef _read_choices(self, ButterflyState *s, played, to_move, seen):
        """Who has chosen: the first seats, for the choices are made in the order of the seats here."""
        if played is None:
            chosen = to_move if to_move is not None and to_move >= 0 else 0
            played = ["hidden"] * chosen + [None] * (self.players - chosen)
        for seat, card in enumerate(played):
            if card is None:
                continue
            if s.seat != seat:
                raise FieldError(f"played[{seat}]", f"expected null, for player {s.seat} has not chosen and is asked before")
            s.seat += 1
            if card != "hidden":
                self._read_card(f"played[{seat}]", card)
                if not s.hand[<int>seat] >> <int>card & 1:
                    raise FieldError(f"played[{seat}]", f"card {card} is not in this player's hand, as far as it is shown")
                s.played[<int>seat] = card + 1
            elif seat in seen and s.hand[<int>seat]:
                s.played[<int>seat] = lowest_bit(s.hand[<int>seat]) + 1
            else:
                s.played[<int>seat] = NONE
        if s.seat == self.players:
            raise FieldError("played", "expected null for at least one player: all have chosen, so the cards are shown")

    cdef _read_turns(self, ButterflyState *s, fields, played, to_move):
        cdef const Tables *t = self.tables
        cdef uint64_t seen = self._seen_places(s)
        cdef int place, seat, card
        if played is None:
            raise FieldError("played", "missing; expected the card of this round, one a player")
        for seat in range(self.players):
            self._read_card(f"played[{seat}]", played[seat])
            if played[seat] in played[:seat]:
                raise FieldError(f"played[{seat}]", f"card {played[seat]} is played by another, too")
            s.played[seat] = played[seat] + 1
        order = sorted(range(self.players), key=played.__getitem__)
        for place, seat in enumerate(order):
            s.order[place] = seat
        turn = fields.get("turn")
        if turn is None:
            turn = order.index(to_move) if to_move is not None and to_move >= 0 else 0
        s.turn = whole("turn", turn, 0, self.players - 1)
        seat = s.order[s.turn]
        card = played_by(s, seat)
        put = fields.get("put")
        if put is not None and s.phase != DISCARD:
            raise FieldError("put", f"not expected in phase '{PHASES[s.phase]}'")
        s.put = one_of("put", bool(s.jar[seat] >> card & 1) if put is None else put, [False, True])
        if s.phase == DELIVER:
            s.put = t.power[card] != RELEASES
        elif s.phase != DISCARD:
            s.put = False
        for place in range(self.players):
            seat = s.order[place]
            card = played_by(s, seat)
            finished = place < s.turn or (place == s.turn and (s.put or s.phase == DELIVER))
            if not finished and seen >> card & 1:
                raise FieldError(f"played[{seat}]", f"card {card} lies elsewhere too, and player {seat} has still to put it in his jar")
            if finished and t.power[card] == RELEASES and not s.released[seat] >> card & 1:
                raise FieldError(f"released[{seat}]", f"expected card {card}, which delivers itself, among them")
            # after a shuffle it may have been among the discards and lie anywhere
            if finished and not (s.jar[seat] | s.released[seat] | s.discards) >> card & 1 and (
                    fields.get("shuffles") is None or s.field >> card & 1):
                raise FieldError(f"played[{seat}]", f"expected card {card} in the jar or among the discards; it is in neither")

    cdef uint64_t _in_play(self, const ButterflyState *s):
        """Cards played that are neither in a jar nor delivered yet."""
        cdef uint64_t cards = 0
        cdef int place
        if CAPTURE <= s.phase <= DELIVER:
            for place in range(s.turn, self.players):
                if place > s.turn or not (s.put or s.phase == DELIVER):
                    cards |= bit(played_by(s, s.order[place]))
        return cards

    cdef _read_unseen(self, ButterflyState *s, fields, counts, seen):
        """The deck and its bottom, what is known of them, and the hands that are not shown."""
        cdef const Tables *t = self.tables
        cdef Memory *m = &s.memory
        cdef uint64_t open = s.field | s.discards | self._in_play(s)
        cdef uint64_t unseen
        cdef ButterflyState other
        cdef int seat
        cdef Rng rng
        for seat in range(self.players):
            open |= s.jar[seat] | s.released[seat]
        self._read_shuffles(m, t.cards & ~open, fields.get("shuffles"))
        unseen = t.cards & ~open
        for seat in range(self.players):
            unseen &= ~s.hand[seat]
        bottom = sequence("bottom", fields.get("bottom", []), None, "cards at the bottom of the deck")
        if len(bottom) > CARDS:
            raise FieldError("bottom", f"expected at most {CARDS} cards")
        waiting = []
        for i, entry in enumerate(bottom):
            mapping(f"bottom[{i}]", entry, ("by", "card"), ("by",))
            whole(f"bottom[{i}].by", entry["by"], 0, self.players - 1)
            if "card" in entry:
                self._read_card(f"bottom[{i}].card", entry["card"], t.cards & ~unseen)
                unseen &= ~bit(entry["card"])
            waiting.append(entry)
        for seat in range(self.players):
            if seat not in seen:
                unseen = self._deal_hand(s, seat, counts[seat] - popcount(s.hand[seat]), unseen, fields["hands"][seat].get("from"))
        if popcount(unseen) < sum("card" not in entry for entry in waiting):
            raise FieldError("bottom", "expected fewer cards: too few are unseen")
        for entry in waiting:
            card = entry.get("card", lowest_bit(unseen) if unseen else 0)
            unseen &= ~bit(card)
            m.bottom[m.tail] = card
            m.owner[m.tail] = entry["by"]
            m.tail += 1
        s.deck = unseen
        agrees("deck", fields.get("deck"), popcount(s.deck) + len(waiting))
        for seat in range(self.players):
            if s.played[seat] == NONE:
                s.played[seat] = lowest_bit(s.hand[seat]) + 1 if s.hand[seat] else 1
        memory = fields.get("memory")
        if memory is not None:
            self._read_memory(s, memory, waiting, seen)
        elif waiting or s.phase == RETURN:
            begin_memory(s)
            m.begin = m.tail
        if not m.open:
            return
        hash_again(m)
        shown_all = len(seen) == self.players and all("card" in entry for entry in waiting)
        if memory is not None and not shown_all:
            if len(seen) > 1:
                raise FieldError("hands", "expected one hand to be shown, all or none, where there is 'memory'")
            seed_rng(&rng, 0)
            if not deal_again(t, s, seen[0] if seen else -1, &rng):
                raise FieldError("memory", "no deal of the unseen cards agrees with it")
        self._check_memory(s, counts)
        for seat in range(-1, self.players):
            other = s[0]
            seed_rng(&rng, seat + 1)
            if not deal_again(t, &other, seat, &rng):
                raise FieldError("memory", "no deal of the unseen cards agrees with it")
            self._check_memory(&other, counts)

    cdef _read_shuffles(self, Memory *m, uint64_t left, shuffles):
        """Which cards that lie face down came from which shuffle."""
        if shuffles is None:
            return
        sequence("shuffles", shuffles, None, "lists of cards")
        if not 2 <= len(shuffles) <= 250:
            raise FieldError("shuffles", f"expected 2 to 250 lists; got {len(shuffles)}")
        m.shuffles = len(shuffles) - 1
        for i, cards in enumerate(shuffles):
            for j, card in enumerate(sequence(f"shuffles[{i}]", cards, None, "cards")):
                self._read_card(f"shuffles[{i}][{j}]", card)
                if not left >> <int>card & 1:
                    raise FieldError(f"shuffles[{i}][{j}]", f"expected cards that lie face down, each once; got {card}")
                left &= ~bit(card)
                m.shuffle[<int>card] = i
        if left:
            raise FieldError("shuffles", f"expected all cards that lie face down; {lowest_bit(left)} is missing")

    cdef uint64_t _deal_hand(self, ButterflyState *s, int seat, int count, uint64_t unseen, origin) except? 0:
        """Gives a hand that is not shown so many unseen cards, the lowest that fit; returns what is left."""
        cdef const Memory *m = &s.memory
        wanted = self._read_origin(f"hands[{seat}].from", origin, m, count)
        for card in card_list(unseen):
            if not count:
                break
            if wanted is not None:
                shuffle = m.shuffle[<int>card]
                if not wanted[shuffle]:
                    continue
                wanted[shuffle] -= 1
            count -= 1
            s.hand[seat] |= bit(card)
            unseen &= ~bit(card)
        if count:
            raise FieldError(f"hands[{seat}]", f"expected {count} fewer cards: too few of them are unseen")
        return unseen

    cdef _read_origin(self, path, origin, const Memory *m, int count):
        """How many unknown cards of a hand are from each shuffle; None where it is not told."""
        if origin is None:
            return None
        wanted = [whole(f"{path}[{i}]", n, 0, CARDS) for i, n in enumerate(sequence(path, origin, m.shuffles + 1, "counts, one a shuffle"))]
        if sum(wanted) != count:
            raise FieldError(path, f"expected {count} cards in all; got {sum(wanted)}")
        return wanted

    cdef _read_memory(self, ButterflyState *s, memory, waiting, seen):
        """The table as the memory begins, and the events since; replayed, they must lead to what lies there now."""
        cdef Memory *m = &s.memory
        cdef uint64_t[SEATS] known
        cdef uint64_t[SEATS] maybe
        cdef int seat, kind, card, i
        cdef int head = 0
        cdef uint8_t[QUEUE] now
        memcpy(now, m.bottom, sizeof(now))
        mapping("memory", memory, ("hands", "bottom", "events"), ("hands", "events"))
        m.open = True
        m.tail = 0
        hands = self._read_first_hands(s, memory["hands"], seen)
        self._read_first_bottom(s, memory.get("bottom", []))
        for seat in range(SEATS):
            known[seat] = m.known[seat]
            maybe[seat] = 0
        events = sequence("memory.events", memory["events"], None, "events")
        if len(events) > EVENTS - MARGIN_EVENTS:
            raise FieldError("memory.events", f"expected at most {EVENTS - MARGIN_EVENTS} events; got {len(events)}")
        for i, entry in enumerate(events):
            path = f"memory.events[{i}]"
            mapping(path, entry, ("event", "seat", "card", "shuffle", "bottom"), ("event",))
            kind = EVENT_NAMES.index(one_of(f"{path}.event", entry["event"], EVENT_NAMES[1:]))
            seat = whole(f"{path}.seat", entry.get("seat", 0 if kind == TURNS else None), 0, self.players - 1)
            bottom = one_of(f"{path}.bottom", entry.get("bottom", kind == TURNS), [kind == TURNS] if kind != GETS else [False, True])
            shuffle = whole(f"{path}.shuffle", entry.get("shuffle", 0), 0, m.shuffles)
            if "card" in entry:
                card = self._read_card(f"{path}.card", entry["card"])
            elif kind in (GETS, RETURNS) and seat not in seen:
                card = 0
            else:
                raise FieldError(f"{path}.card", "missing")
            if bottom:
                if head == m.tail:
                    raise FieldError(path, "there was no card at the bottom")
                if m.owner[head] in seen and m.bottom[head] != card:
                    raise FieldError(f"{path}.card", f"expected card {m.bottom[head]}, which was returned first")
                head += 1
            if kind == RETURNS:
                if m.tail >= QUEUE - 4:
                    raise FieldError(path, f"expected at most {QUEUE - 4} cards to go back")
                m.bottom[m.tail] = card
                m.owner[m.tail] = seat
                m.tail += 1
            if kind != TURNS:
                self._replay(hands, path, kind, seat, card if "card" in entry else None, seat in seen)
            if kind == TAKES:
                known[seat] |= bit(card)
            elif kind == RETURNS:
                maybe[seat] |= known[seat]
                known[seat] = 0
            elif kind == SHOWS or kind == TURNS:
                known[seat] &= ~bit(card)
                for other in range(SEATS):
                    maybe[<int>other] &= ~bit(card)
            m.murky |= kind == GETS and bottom
            m.events[i] = event_of(kind, seat, card, shuffle, bottom and kind == GETS)
        m.count = len(events)
        m.head = head
        if m.tail - head != len(waiting) or any(m.owner[head + i] != entry["by"] for i, entry in enumerate(waiting)):
            raise FieldError("bottom", "expected the cards, and who returned them, that 'memory' leaves there")
        for i, entry in enumerate(waiting):
            if m.owner[head + i] in seen and m.bottom[head + i] != entry.get("card"):
                raise FieldError(f"bottom[{i}].card", f"expected {m.bottom[head + i]}, which 'memory' leaves there")
            m.bottom[head + i] = now[i]
        for seat in range(self.players):
            self._compare_hand(s, seat, hands[seat], seat in seen)
            if known[seat] != s.known[seat]:
                raise FieldError(f"hands[{seat}].known", f"expected {[*card_list(known[seat])]}, as 'memory' tells")
            s.maybe[seat] = maybe[seat]
        self._date_first_cards(m, seen)

    cdef _read_first_hands(self, ButterflyState *s, hands, seen):
        """Returns a set of cards each seat, or the number of them where it is not shown."""
        cdef Memory *m = &s.memory
        cdef uint64_t used = 0
        cdef uint64_t spare
        out = []
        sequence("memory.hands", hands, self.players, "hands, one a player")
        for seat, hand in enumerate(hands):
            path = f"memory.hands[{seat}]"
            mapping(path, hand, ("count", "cards", "known", "from"), ())
            m.known[<int>seat] = self._read_cards(f"{path}.known", hand.get("known", []), 0 if "cards" in hand else used)
            if ("cards" in hand) != (seat in seen):
                raise FieldError(f"{path}.cards", "expected the cards exactly where the hand is shown now")
            if "cards" in hand:
                m.hand[<int>seat] = self._read_cards(f"{path}.cards", hand["cards"], used)
                if m.known[<int>seat] & ~m.hand[<int>seat]:
                    raise FieldError(f"{path}.known", "expected cards of this hand")
                out.append(set(card_list(m.hand[<int>seat])))
                if len(out[-1]) > HAND + 1:
                    raise FieldError(f"{path}.cards", f"expected at most {HAND + 1} cards")
            else:
                m.hand[<int>seat] = m.known[<int>seat]
                out.append(whole(f"{path}.count", hand.get("count"), popcount(m.known[<int>seat]), HAND + 1))
            used |= m.hand[<int>seat]
        spare = self.tables.cards & ~used
        for seat, count in enumerate(out):   # stand-ins for the cards that are not shown
            if seat not in seen:
                count -= popcount(m.known[<int>seat])
                origin = self._read_origin(f"memory.hands[{seat}].from", hands[seat].get("from"), m, count)
                for shuffle, n in enumerate(origin if origin is not None else [count]):
                    for _ in range(n):
                        m.shuffle_then[lowest_bit(spare)] = shuffle
                        m.hand[<int>seat] |= spare & (0 - spare)
                        spare &= spare - 1
        return out

    cdef _read_first_bottom(self, ButterflyState *s, bottom):
        cdef Memory *m = &s.memory
        cdef uint64_t spare = self.tables.cards
        cdef int seat
        for seat in range(SEATS):
            spare &= ~m.hand[seat]
        for i, entry in enumerate(sequence("memory.bottom", bottom, None, "cards at the bottom of the deck")):
            path = f"memory.bottom[{i}]"
            mapping(path, entry, ("by", "card", "from"), ("by",))
            if i >= CARDS or not spare:
                raise FieldError(path, "expected fewer cards")
            m.owner[m.tail] = whole(f"{path}.by", entry["by"], 0, self.players - 1)
            card = self._read_card(f"{path}.card", entry["card"]) if "card" in entry else lowest_bit(spare)
            m.bottom[m.tail] = card
            spare &= ~bit(card)
            m.shuffle_then[<int>card] = whole(f"{path}.from", entry.get("from", 0), 0, m.shuffles)
            m.tail += 1
        m.begin = m.tail

    def _replay(self, hands, path, kind, seat, card, seen):
        """One event in a hand: a set of cards, or their number."""
        adds = kind in (TAKES, GETS)
        if seen:
            if (card in hands[seat]) == adds:
                raise FieldError(f"{path}.card", f"card {card} was {'already' if adds else 'not'} in the hand of player {seat}")
            hands[seat] ^= {card}
        else:
            hands[seat] += 1 if adds else -1
        count = len(hands[seat]) if seen else hands[seat]
        if not 0 <= count <= HAND + 1:
            raise FieldError(path, f"player {seat} cannot have {count} cards then")

    cdef _compare_hand(self, const ButterflyState *s, int seat, hand, bint seen):
        if seen and hand != set(card_list(s.hand[seat])):
            raise FieldError(f"hands[{seat}].cards", f"expected {sorted(hand)}, as 'memory' tells")
        if not seen and hand != popcount(s.hand[seat]):
            raise FieldError(f"hands[{seat}].count", f"expected {hand}, as 'memory' tells")

    cdef _date_first_cards(self, Memory *m, seen):
        """From which shuffle the shown cards of the first hands were: as told when they came up, else as now."""
        cdef uint64_t cards = 0
        cdef int seat, card, i
        for seat in seen:
            cards |= m.hand[seat] & ~m.known[seat]
        dated = {}
        for i in range(m.count):
            if kind_of(m.events[i]) in (SHOWS, TURNS, GETS) and not from_bottom(m.events[i]):
                dated.setdefault(card_of(m.events[i]), shuffle_of(m.events[i]))
        for card in card_list(cards):
            m.shuffle_then[card] = dated.get(card, m.shuffle[card])

    cdef _check_memory(self, ButterflyState *s, counts):
        """That the deal leaves each card in one place."""
        cdef uint64_t cards = s.deck
        cdef uint64_t open = s.field | s.discards | self._in_play(s)
        cdef int total = popcount(s.deck)
        cdef int seat, k
        for seat in range(self.players):
            if popcount(s.hand[seat]) != counts[seat] or s.known[seat] & ~s.hand[seat]:
                raise FieldError("memory", "no deal of the unseen cards agrees with it")
            cards |= s.hand[seat]
            open |= s.jar[seat] | s.released[seat]
            total += counts[seat]
        for k in range(s.memory.head, s.memory.tail):
            cards |= bit(s.memory.bottom[k])
            total += 1
        if popcount(cards) != total or cards & open:
            raise FieldError("memory", "no deal of the unseen cards agrees with it")

    cdef _check_phase(self, const ButterflyState *s, fields):
        """That what lies there goes with the phase."""
        cdef const Tables *t = self.tables
        phase = PHASES[s.phase]
        self._check_counts(s, phase)
        turns = CAPTURE <= s.phase <= DELIVER
        mover = s.order[s.turn] if turns else -1
        for seat in range(self.players):
            size = size_of(t, s.jar[<int>seat])
            full = s.phase == DISCARD and seat == mover
            if (size > JAR) != full or size > 15:
                raise FieldError(f"jars[{seat}]", f"expected {'more than' if full else 'at most'} {JAR} butterflies in phase '{phase}'; got {size}")
        stocked = empty_spot(t, s) < 0 and s.next
        if s.phase in (CHOOSE, DELIVERIES) and (bool(stocked) or not delivery_left(t, s)) != (s.phase == CHOOSE):
            raise FieldError("deliveries", "expected a free place and cards to come" if s.phase == DELIVERIES else
                             "expected every place to be filled and a next card, as long as the deck has some")
        if turns and not s.next and delivery_left(t, s):
            raise FieldError("deliveries.next", "missing; the deck has more")
        if s.phase in (CHOOSE, FIELD, DELIVERIES) and s.round and any(s.points[<int>seat] >= t.goal for seat in range(self.players)):
            raise FieldError("earned", f"expected fewer points than {t.goal}, with which the game ends, or phase 'over'")
        if turns:
            self._check_turn(s, phase, played_by(s, mover))

    cdef _check_counts(self, const ButterflyState *s, phase):
        """Cards in hands and field."""
        turns = CAPTURE <= s.phase <= DELIVER
        field = {CHOOSE: self.players, DELIVERIES: self.players}.get(s.phase, 0)
        if turns:
            field = self.players - s.turn - (s.phase != CAPTURE)
        if popcount(s.field) != field and not (s.phase == FIELD and self.players > AT_ONCE and popcount(s.field) == AT_ONCE):
            raise FieldError("field", f"expected {field} cards in phase '{phase}'; got {popcount(s.field)}")
        if s.phase == FIELD and not field_can_be_filled(self.tables, s):
            raise FieldError("deck", "expected enough cards, with the discards, to fill the field")
        for seat in range(self.players):
            count = HAND
            if s.phase == LETTERS or (s.phase == HANDS and seat >= s.seat):
                count = 0
            elif turns and seat in [s.order[place] for place in range(s.turn + 1, self.players)]:
                count = HAND - 1
            elif turns and seat == s.order[s.turn]:
                count = HAND - (s.phase == CAPTURE) + (s.phase == RETURN)
            if popcount(s.hand[<int>seat]) != count:
                raise FieldError(f"hands[{seat}]", f"expected {count} cards in phase '{phase}'; got {popcount(s.hand[<int>seat])}")

    cdef _check_turn(self, const ButterflyState *s, phase, int card):
        cdef const Tables *t = self.tables
        cdef int seat = s.order[s.turn]
        cdef int power = t.power[card]
        fits = {POWER: power in (DRAWS, SWAPS, TAKES_TOP), DRAW: power == DRAWS, RETURN: power == DRAWS, TOP: power == TAKES_TOP,
                DISCARD: s.put or power in (SWAPS, TAKES_TOP)}.get(s.phase, True)
        if not fits:
            raise FieldError("phase", f"'{phase}' does not go with card {card} ({self.cards[card]}) in play")
        if (s.phase in (DRAW, TOP) or (s.phase == POWER and power != SWAPS)) and nothing_to_draw(s):
            raise FieldError("phase", f"'{phase}' does not go with an empty deck and no discards")
        if s.phase == POWER and power == SWAPS and not s.jar[seat]:
            raise FieldError("phase", "'power' does not go with an empty jar and a card that exchanges")
        if s.phase == DISCARD and s.put and power == RELEASES:
            raise FieldError("put", "a card that delivers itself does not go into the jar")
        if s.phase == DELIVER and not can_deliver(t, s):
            raise FieldError("phase", "'deliver' does not go with a jar that pays for none of the delivery cards")


EVENT_NAMES = ("", "takes", "shows", "draws", "returns", "turns")

FIELD_NAMES = ("to_move", "phase", "round", "hands", "jars", "earned", "released", "field", "discards", "deck", "bottom",
               "deliveries", "vacated", "played", "turn", "put", "shuffles", "memory")


def card_list(uint64_t cards):
    """The numbers of a set of cards, ascending."""
    out = []
    while cards:
        out.append(lowest_bit(cards))
        cards &= cards - 1
    return tuple(out)


def pack(numbers, int width):
    """Small numbers in one, the first in the lowest bits."""
    return sum(number << width * i for i, number in enumerate(numbers))


def unpack(int32_t packed, int count):
    """So many cards of six bits each."""
    return tuple(packed >> 6 * i & 63 for i in range(count))


def packed_counts(letters, colours):
    """Butterflies counted in nibbles by sort."""
    return sum(1 << 4 * (colours + "W").index(letter) for letter in letters)


cdef Need read_needs(path, needs, letters) except *:
    """What a delivery card asks for."""
    cdef Need need
    memset(&need, 0, sizeof(need))
    words = text(path, needs).split()
    if words[1:] == ["of", "a", "kind"] and words[0] in ("2", "3", "4"):
        need.alike = need.total = int(words[0])
        return need
    if words == ["2", "pairs"]:
        need.pairs = 2
        need.total = 4
        return need
    slots = needs.split("+")
    if not 1 <= len(slots) <= 4 or any(slot not in ("any", "W", *letters) for slot in slots):
        raise FieldError(path, f"expected up to four of {', '.join(letters)}, W and any, joined by '+', or '2 of a kind', '3 of a kind', "
                               f"'4 of a kind' or '2 pairs'; got {shown(needs)}")
    for letter in letters:
        if letter in slots:
            need.colour[need.colours] = letters.index(letter)
            need.count[need.colours] = slots.count(letter)
            need.colours += 1
    need.rainbows = slots.count("W")
    need.total = len(slots)
    return need


def sorted_needs(needs):
    """The same for cards that need the same."""
    return "+".join(sorted(needs.split("+")))


def component_of(needs):
    """The component of the score that a delivery card counts for."""
    slots = needs.split("+")
    return ("of a kind" if " " in needs else "rainbow" if "W" in slots else "with any" if "any" in slots else "different")


def check_components(components):
    """Raises `FieldError` where the plain data of a component file does not describe a set that fits."""
    tables = ("butterflies", "cards", "hands", "deliveries", "goals")
    mapping("", components, tables, tables)
    butterflies = mapping("butterflies", components["butterflies"], ("names", "letters"), ("names", "letters"))
    letters = check_names("butterflies", butterflies, COLOURS, "W")
    cards = mapping("cards", components["cards"], ("faces",), ("faces",))
    faces = sequence("cards.faces", cards["faces"], None, "cards")
    if not 9 <= len(faces) <= CARDS:
        raise FieldError("cards.faces", f"expected 9 to {CARDS} cards; got {len(faces)}")
    for i, face in enumerate(faces):
        _check_face(f"cards.faces[{i}]", text(f"cards.faces[{i}]", face), letters)
    _check_hands(components["hands"], len(faces))
    _check_deliveries(components["deliveries"], letters)
    goals = mapping("goals", components["goals"], tuple(str(n) for n in range(2, SEATS + 1)), ())
    for players, goal in goals.items():
        whole(f"goals.{players}", goal, 1, 1000)


def _check_face(path, face, letters):
    butterflies, _, power = face.partition("/")
    if not 1 <= len(butterflies) <= 3 or set(butterflies) - set(letters + "W"):
        raise FieldError(path, f"expected one to three letters of {letters}W; got {shown(face)}")
    if "/" in face and power not in ("dr", "sw", "to") and not (power[:2] == "de" and power[2:] in tuple("123456789")):
        raise FieldError(path, f"expected a power /dr, /sw, /to or /de1 to /de9; got {shown(face)}")


def _check_hands(hands, count):
    mapping("hands", hands, tuple(LETTER_NAMES), ())
    used = set()
    for letter, hand in hands.items():
        path = f"hands.{letter}"
        for i, card in enumerate(sequence(path, hand, HAND, "cards")):
            whole(f"{path}[{i}]", card, 0, count - 1)
            if card in used:
                raise FieldError(f"{path}[{i}]", f"card {card} is in another hand, too")
            used.add(card)


def _check_deliveries(deliveries, letters):
    sequence("deliveries", deliveries, None, "delivery cards")
    if not 1 <= len(deliveries) <= KINDS:
        raise FieldError("deliveries", f"expected 1 to {KINDS} kinds of cards; got {len(deliveries)}")
    seen = {}
    total = 0
    for kind, delivery in enumerate(deliveries):
        path = f"deliveries[{kind}]"
        mapping(path, delivery, ("needs", "points", "count"), ("needs", "points", "count"))
        read_needs(f"{path}.needs", delivery["needs"], letters)
        whole(f"{path}.points", delivery["points"], 1, 20)
        total += whole(f"{path}.count", delivery["count"], 1, COPIES)
        what = sorted_needs(delivery["needs"]), delivery["points"]
        if what in seen:
            raise FieldError(path, f"expected a card unlike deliveries[{seen[what]}]; give more of one kind by its count")
        seen[what] = kind
    if total < SEATS:
        raise FieldError("deliveries", f"expected at least {SEATS} cards in all; got {total}")
