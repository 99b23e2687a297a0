# The Butterfly Garden: what lies on the table, and what a jar pays for. What the searches see is in butterfly_garden.pyx.
#
# Cards are sets of 64 bits, so that a hand, a jar or the deck is a word. The butterflies of a jar are counted in nibbles of one
# word, which an addition joins; what a delivery lacks of them takes a few operations.

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from garden_core.bits cimport lowest_bit, popcount

cdef enum:
    SEATS = 6            # capacity
    CARDS = 64           # capacity
    KINDS = 32           # capacity: of delivery cards
    COPIES = 15          # capacity: of a kind
    COLOURS = 5
    RAINBOW = 5          # the sort after the colours
    SORTS = 6
    HAND = 3             # cards, at the end of a round
    JAR = 8              # butterflies
    SPENT = 4            # cards at most, and butterflies, for a delivery
    SPOTS = 5            # for delivery cards
    AT_ONCE = 5          # cards of the field in one outcome
    ROUNDS = 100         # the stall guard
    NONE = 255
    EVENTS = 208         # capacity of the memory
    MARGIN_EVENTS = 16   # that may come before there is room again
    STAGES = 4           # of a game, by the leader's points
    FEATURES = 48        # of a player
    SCALE = 4096         # of weights
    QUEUE = 96           # capacity: cards that went back, since the memory began

# Action ids: a card chosen, captured, returned or discarded is `base + card`.
cdef enum:
    PLAY_BASE = 0
    CAPTURE_BASE = 64
    RETURN_BASE = 128
    DISCARD_BASE = 192
    SKIP_POWER = 256
    USE_POWER = 257
    SKIP_DELIVERY = 258
    EXCHANGE_BASE = 4096          # + 64 * hand card + jar card
    DELIVER_BASE = 1 << 29        # + place << 24 + four cards of six bits, the highest repeated

cdef enum Phase:
    HANDS                # chance: a hand, seat by seat
    LETTERS              # chance: who gets which hand
    FIELD                # chance
    DELIVERIES           # chance: the next delivery card
    CHOOSE               # the card that settles the order: simultaneous
    CAPTURE
    POWER                # whether the played card's power is used, and how
    DRAW                 # chance: the card drawn unseen
    RETURN
    TOP                  # chance: the card that goes from the deck into the jar
    DISCARD              # what the jar cannot hold
    DELIVER
    OVER

cdef enum Power:
    PLAIN
    DRAWS                # one card, and returns one
    SWAPS                # a card of the hand for one of the jar
    TAKES_TOP            # the deck's first card into the jar
    RELEASES             # delivers itself

ctypedef struct Need:
    uint8_t[SPENT] colour
    uint8_t[SPENT] count   # of that colour
    uint8_t colours      # different ones
    uint8_t rainbows     # that must be rainbows
    uint8_t total        # butterflies, those of any colour included
    uint8_t alike        # of a kind; 0: the above counts
    uint8_t pairs        # 2: two pairs

ctypedef struct Delivery:
    Need need
    uint8_t points
    uint8_t count
    uint8_t component

# What is remembered while cards that went back unseen are about: the table as it was before the first of them, and all
# events since that tell where cards are. butterfly_garden_memory.pxd explains it.
ctypedef struct Memory:
    uint64_t[SEATS] hand             # then
    uint64_t[SEATS] known            # then, to everybody
    uint64_t[SEATS + 1] seen         # a hash of the events as each seat, and (last) everybody, saw them
    uint32_t[EVENTS] events
    uint8_t[CARDS] shuffle           # how many shuffles came before the one that hid the card
    uint8_t[CARDS] shuffle_then
    uint8_t[QUEUE] bottom            # cards returned, first drawn first
    uint8_t[QUEUE] owner             # who returned them
    uint8_t shuffles                 # so far
    uint8_t count                    # of events
    uint8_t begin                    # of the queue, when the memory began
    uint8_t head                     # of the queue: the next card to come
    uint8_t tail
    uint8_t open                     # whether anything is remembered
    uint8_t murky                    # a card of the bottom was drawn unseen
    uint8_t idle                     # nobody will ask for what players know: nothing is remembered

ctypedef struct ButterflyState:
    uint64_t deck                    # the part in random order
    uint64_t discards
    uint64_t field
    uint64_t[SEATS] hand
    uint64_t[SEATS] jar
    uint64_t[SEATS] released         # cards that delivered themselves
    uint64_t[SEATS] known            # cards of the hand that everybody knows to be there
    uint64_t[SEATS] maybe            # cards that were known and may have been returned since
    uint32_t[KINDS] earned           # delivery cards, a nibble a seat
    uint16_t[SEATS] points
    uint8_t[KINDS] left              # delivery cards face down
    uint8_t[SPOTS] spots             # 1 + kind of the delivery card there; two players: by side
    uint8_t next                     # 1 + kind of the delivery card face up on its deck
    uint8_t[SEATS] played            # 1 + card
    uint8_t[SEATS] order             # seats in the order of the round
    uint8_t phase
    uint8_t seat                     # whose hand is dealt, whose choice it is
    uint8_t turn                     # turns of this round that are finished
    uint8_t round                    # rounds that are finished
    uint8_t put                      # whether the played card is in the jar already
    uint8_t vacated                  # 1 + the first side vacated in this round
    uint8_t[2] unused
    Memory memory

# What fitting found; butterfly_garden_advice.pxd says what for.
ctypedef struct Weights:
    int32_t[STAGES][FEATURES] promise
    double[STAGES] base
    double[STAGES] slope
    double[STAGES] certainty
    float sharpness
    float playout_sharpness

ctypedef struct Tables:
    uint64_t cards                   # all
    uint64_t[SEATS] letters          # the hands by letter
    uint32_t[CARDS] butterflies      # in nibbles by sort
    uint8_t[CARDS] size              # butterflies
    uint8_t[CARDS] power
    uint8_t[CARDS] release           # points
    Delivery[KINDS] deliveries
    uint64_t[CARDS] card_hash
    int players
    int kinds
    int spots
    int goal
    int less_luck
    int letters_random
    Weights weights


cdef inline uint64_t bit(int card) noexcept nogil:
    return <uint64_t>1 << card


cdef inline int seat_to_move(const ButterflyState *s) noexcept nogil:
    return s.seat if s.phase == CHOOSE else s.order[s.turn]


cdef inline uint32_t butterflies_of(const Tables *t, uint64_t cards) noexcept nogil:
    """Counts in nibbles; at most 15 of a sort."""
    cdef uint32_t counts = 0
    while cards:
        counts += t.butterflies[lowest_bit(cards)]
        cards &= cards - 1
    return counts


cdef inline int count_of(uint32_t counts, int sort) noexcept nogil:
    return (counts >> 4 * sort) & 15


cdef inline int total_of(uint32_t counts) noexcept nogil:
    counts = (counts & 0x0F0F0F) + ((counts >> 4) & 0x0F0F0F)
    return (counts + (counts >> 8) + (counts >> 16)) & 255


cdef inline int size_of(const Tables *t, uint64_t cards) noexcept nogil:
    cdef int size = 0
    while cards:
        size += t.size[lowest_bit(cards)]
        cards &= cards - 1
    return size


cdef inline int lacks(const Need *need, uint32_t counts) noexcept nogil:
    """How many butterflies, the fittest ones, must be added to `counts` for a delivery; 0: it can be paid."""
    cdef int rainbows = counts >> 4 * RAINBOW
    cdef int best = 0
    cdef int second = 0
    cdef int lack = 0
    cdef int colour, count, i
    if need.alike or need.pairs:
        for colour in range(COLOURS):
            count = count_of(counts, colour)
            if count > best:
                second = best
                best = count
            elif count > second:
                second = count
        if need.alike:
            return max(0, need.alike - best - rainbows)
        # four of the best colour, or two of each of the two best
        return max(0, min(max(0, 4 - best), max(0, 2 - best) + max(0, 2 - second)) - rainbows)
    for i in range(need.colours):
        lack += max(0, need.count[i] - count_of(counts, need.colour[i]))
    rainbows -= need.rainbows
    lack = -rainbows + lack if rainbows < 0 else max(0, lack - rainbows)
    return max(lack, need.total - total_of(counts))


cdef inline bint may_earn(const Tables *t, const ButterflyState *s, int spot) noexcept nogil:
    """Whether the player whose turn it is may earn the card of a spot: of two, the second has his own side only."""
    return s.spots[spot] != 0 and (t.players > 2 or s.turn == 0 or spot == s.order[s.turn])


cdef inline int place_of(const Tables *t, const ButterflyState *s, int spot) noexcept nogil:
    """What a delivery is named by: the side for two players, else the kind."""
    return spot if t.players == 2 else s.spots[spot] - 1


cdef inline int open_places(
    const Tables *t, const ButterflyState *s, uint32_t counts, int *places, int *kinds
) noexcept nogil:
    """The places, in order, that the player whose turn it is may earn and can pay with all of his jar; equal cards once."""
    cdef int n = 0
    cdef int spot, place, i, j
    for spot in range(t.spots):
        if not may_earn(t, s, spot) or lacks(&t.deliveries[s.spots[spot] - 1].need, counts):
            continue
        place = place_of(t, s, spot)
        i = n
        while i > 0 and places[i - 1] > place:
            i -= 1
        if i > 0 and places[i - 1] == place:
            continue
        for j in range(n, i, -1):
            places[j] = places[j - 1]
            kinds[j] = kinds[j - 1]
        places[i] = place
        kinds[i] = s.spots[spot] - 1
        n += 1
    return n


cdef inline int payments(const Tables *t, const ButterflyState *s, int32_t *out) noexcept nogil:
    """Every delivery with every way to pay it from which no card could be dropped; action ids, sorted by place only."""
    cdef uint32_t[256] counts
    cdef uint8_t[256] paid         # bits of the places that a set of cards pays for
    cdef int[JAR] cards
    cdef int[SPOTS] places
    cdef int[SPOTS] kinds
    cdef uint64_t jar = s.jar[s.order[s.turn]]
    cdef int k = 0
    cdef int n = 0
    cdef int chosen, some, new, place, m
    cdef int deliveries = open_places(t, s, butterflies_of(t, jar), places, kinds)
    if deliveries == 0:
        return 0
    while jar:
        cards[k] = lowest_bit(jar)
        jar &= jar - 1
        k += 1
    counts[0] = 0
    paid[0] = 0
    for chosen in range(1, 1 << k):
        m = lowest_bit(chosen)
        counts[chosen] = counts[chosen & (chosen - 1)] + t.butterflies[cards[m]]
        paid[chosen] = 0
        some = chosen
        while some:
            paid[chosen] |= paid[chosen & ~(some & -some)]
            some &= some - 1
        new = 0
        if popcount(chosen) <= SPENT:
            for place in range(deliveries):
                if not (paid[chosen] >> place) & 1 and lacks(&t.deliveries[kinds[place]].need, counts[chosen]) == 0:
                    new |= 1 << place
                    out[n] = DELIVER_BASE + (places[place] << 24) + four_cards(cards, chosen)
                    n += 1
        paid[chosen] |= <uint8_t>new
    return n


cdef inline int32_t four_cards(const int *cards, int chosen) noexcept nogil:
    """Up to four cards of six bits, the lowest first; the last is repeated."""
    cdef int32_t out = 0
    cdef int card = 0
    cdef int _i
    for _i in range(SPENT):
        if chosen:
            card = cards[lowest_bit(chosen)]
            chosen &= chosen - 1
        out = out << 6 | card
    return out


cdef inline uint64_t cards_spent(int32_t action) noexcept nogil:
    """The cards of a delivery's id."""
    return bit(action & 63) | bit(action >> 6 & 63) | bit(action >> 12 & 63) | bit(action >> 18 & 63)


cdef inline int spot_of(const Tables *t, const ButterflyState *s, int place) noexcept nogil:
    """The spot of a place that can be earned; -1 where there is none."""
    cdef int spot
    for spot in range(t.spots):
        if s.spots[spot] and place_of(t, s, spot) == place and may_earn(t, s, spot):
            return spot
    return -1


cdef inline bint is_payment(const Tables *t, const ButterflyState *s, int32_t action) noexcept nogil:
    """Whether a delivery's id is one that `payments` lists."""
    cdef uint64_t spent = cards_spent(action)
    cdef uint64_t some = spent
    cdef int spot = spot_of(t, s, action >> 24 & 31)
    cdef const Need *need
    cdef uint32_t counts
    cdef int[SPENT] cards
    cdef int k = 0
    if spot < 0 or spent & ~s.jar[s.order[s.turn]]:
        return False
    need = &t.deliveries[s.spots[spot] - 1].need
    counts = butterflies_of(t, spent)
    if lacks(need, counts):
        return False
    while some:
        cards[k] = lowest_bit(some)
        if lacks(need, counts - t.butterflies[cards[k]]) == 0:
            return False
        some &= some - 1
        k += 1
    return (action & 0xFFFFFF) == four_cards(cards, (1 << k) - 1)
