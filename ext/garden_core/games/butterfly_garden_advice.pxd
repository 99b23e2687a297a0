# The Butterfly Garden: what a player's prospects are worth, and from that the policy. Weights are fitted by
# tools/fit_butterfly_garden.
#
# A `Look` is what one player has: hand, jar with the card in play, and how many go before him. It is small, so that a move is
# valued on a changed copy of it instead of a whole state. Only what its player can see goes in. What it promises is a weighted sum
# of features: how much better than others it lets him end, points that he has already not counted.

from libc.stdint cimport int32_t, uint32_t, uint64_t

from garden_core.bits cimport lowest_bit, popcount
from garden_core.games.butterfly_garden_table cimport (
    bit, butterflies_of, ButterflyState, CAPTURE, CAPTURE_BASE, cards_spent, CHOOSE, COLOURS, count_of, DELIVER, DELIVER_BASE,
    Delivery, DISCARD, DISCARD_BASE, DRAW, DRAWS, EXCHANGE_BASE, FEATURES, JAR, lacks, OVER, PLAIN, PLAY_BASE, POWER, RAINBOW, RELEASES,
    RETURN, RETURN_BASE, SCALE, seat_to_move, SEATS, SKIP_DELIVERY, SKIP_POWER, spot_of, STAGES, SWAPS, Tables, TAKES_TOP,
    TOP, total_of, USE_POWER, Weights)
from garden_core.rules cimport Sum, add_feature

cdef enum:
    ONE = 0
    RIVAL_PAYS = 1       # points of the best delivery that another can pay with what lies open
    RIVAL = 2            # points of the best other
    WAITING = 3          # his delivery of this round is to come
    AHEAD = 4            # how many deliver before, in sixteenths
    PAYS = 5             # points of the best delivery that he can pay, his turn to come
    PAYS_AHEAD = 6       # times those before him
    PAYS_LATER = 7       # the same with his turn over
    SECOND = 8           # points of the second best
    NEAR = 9             # one butterfly is lacking: sum of points, then the best
    NEAR_BEST = 10
    FAR_BEST = 11        # two
    NEXT = 12            # of the delivery that comes next: paid, one lacking
    NEXT_NEAR = 13
    HAND_PAYS = 14       # with one card of the hand: the best, beyond what can be paid
    HAND_WAYS = 15       # cards of the hand that bring a delivery
    JAR_SIZE = 16        # butterflies, from none to nine and more
    JAR_RAINBOWS = 26
    JAR_COLOURS = 27
    JAR_ALIKE = 28       # most of a colour, from none to four
    JAR_PAIRS = 33
    HAND_SIZE = 34
    HAND_RAINBOWS = 35
    HAND_FITS = 36       # butterflies of a colour that the jar has
    HAND_POWERS = 37     # draws, swaps, takes from the top, releases (points)
    HAND_LOWEST = 41
    HAND_NUMBERS = 42
    PLAYED_POWER = 43    # the card in play has one that is not used yet
    DRAWING = 44         # its power is being used
    TOPPING = 45
    TOPPING_FULL = 46    # with no room in the jar for more
    OVERFULL = 47        # butterflies that the jar cannot hold

ctypedef struct Look:
    uint64_t hand
    uint32_t jar         # with the card in play
    int points
    int rival
    int rival_pays
    int ahead            # in sixteenths
    int power            # of the card in play, not used yet
    int using            # the power that is being used
    int side             # the only spot that he may earn in this round; -1: any
    int gone             # a spot that is taken; -1: none
    bint waiting         # his delivery is to come


cdef inline int stage_of(const Tables *t, const ButterflyState *s) noexcept nogil:
    cdef int most = 0
    cdef int seat
    for seat in range(t.players):
        most = max(most, <int>s.points[seat])
    return min(STAGES - 1, most * STAGES // t.goal)


cdef inline uint64_t unseen_by(const Tables *t, const ButterflyState *s, int seat) noexcept nogil:
    cdef uint64_t seen = s.field | s.discards | s.hand[seat]
    cdef int other
    for other in range(t.players):
        seen |= s.jar[other] | s.released[other]
    return t.cards & ~seen


cdef inline int expected_ahead(const Tables *t, uint64_t unseen, int card) noexcept nogil:
    """How many of the others will probably play a lower card, in sixteenths."""
    cdef int all = popcount(unseen)
    return 16 * (t.players - 1) * popcount(unseen & (bit(card) - 1)) // all if all else 0


cdef inline void put_in_play(const Tables *t, Look *look, int card) noexcept nogil:
    if t.power[card] == RELEASES:
        look.points += t.release[card]
        look.power = PLAIN
    else:
        look.jar += t.butterflies[card]
        look.power = t.power[card]
    look.waiting = True


cdef inline int best_of_rivals(const Tables *t, const ButterflyState *s, int mine, int gone) noexcept nogil:
    """Points of the best delivery that another can pay, one spot aside."""
    cdef uint32_t jar
    cdef int most = 0
    cdef int seat, spot
    cdef const Delivery *d
    for seat in range(t.players):
        if seat == mine:
            continue
        jar = butterflies_of(t, s.jar[seat])
        for spot in range(t.spots):
            if s.spots[spot] and spot != gone:
                d = &t.deliveries[s.spots[spot] - 1]
                if d.points > most and lacks(&d.need, jar) == 0:
                    most = d.points
    return most


cdef inline void look_at(const Tables *t, const ButterflyState *s, int seat, Look *look) noexcept nogil:
    cdef int place = 0
    cdef int other, card
    look.hand = s.hand[seat]
    look.jar = butterflies_of(t, s.jar[seat])
    look.points = s.points[seat]
    look.rival = 0
    for other in range(t.players):
        if other != seat:
            look.rival = max(look.rival, <int>s.points[other])
    look.ahead = 0
    look.power = look.using = PLAIN
    look.side = look.gone = -1
    look.waiting = False
    look.rival_pays = best_of_rivals(t, s, seat, -1)
    if s.phase == CHOOSE:
        if s.played[seat]:
            card = s.played[seat] - 1
            look.ahead = expected_ahead(t, unseen_by(t, s, seat), card)
            look.hand &= ~bit(card)
            put_in_play(t, look, card)
    elif s.phase >= CAPTURE and s.phase != OVER:
        while s.order[place] != seat:
            place += 1
        if place < s.turn:
            return
        card = s.played[seat] - 1
        look.waiting = True
        if place > s.turn or s.phase == CAPTURE:
            put_in_play(t, look, card)
        elif not s.put and t.power[card] != RELEASES:
            look.jar += t.butterflies[card]
            look.power = t.power[card] if s.phase == POWER else PLAIN
            look.using = DRAWS if s.phase == DRAW else TAKES_TOP if s.phase == TOP else PLAIN
        look.ahead = 16 * (place - s.turn)
        if t.players == 2 and place == 1:
            look.side = seat


cdef inline void add_offer(
    const Delivery *d, const Look *look, bint may, int *best, int *second, int *near, int *near_best, int *far_best
) noexcept nogil:
    cdef int lack = lacks(&d.need, look.jar)
    if lack == 0 and may:
        if d.points > best[0]:
            second[0] = best[0]
            best[0] = d.points
        elif d.points > second[0]:
            second[0] = d.points
    elif lack <= 1:
        near[0] += d.points
        near_best[0] = max(near_best[0], <int>d.points)
    elif lack == 2:
        far_best[0] = max(far_best[0], <int>d.points)


cdef inline void add_offers(const Tables *t, const ButterflyState *s, const Look *look, Sum *sum) noexcept nogil:
    """What can be delivered, and what lacks little."""
    cdef int best = 0
    cdef int second = 0
    cdef int near = 0
    cdef int near_best = 0
    cdef int far_best = 0
    cdef int spot, lack
    for spot in range(t.spots):
        if s.spots[spot] and spot != look.gone:
            add_offer(&t.deliveries[s.spots[spot] - 1], look, look.side < 0 or spot == look.side or not look.waiting,
                      &best, &second, &near, &near_best, &far_best)
    if look.waiting:
        add_feature(sum, PAYS, best)
        add_feature(sum, PAYS_AHEAD, best * look.ahead)
    else:
        add_feature(sum, PAYS_LATER, best)
    add_feature(sum, SECOND, second)
    add_feature(sum, NEAR, near)
    add_feature(sum, NEAR_BEST, near_best)
    add_feature(sum, FAR_BEST, far_best)
    if s.next:
        lack = lacks(&t.deliveries[s.next - 1].need, look.jar)
        if lack == 0:
            add_feature(sum, NEXT, t.deliveries[s.next - 1].points)
        elif lack == 1:
            add_feature(sum, NEXT_NEAR, t.deliveries[s.next - 1].points)
    add_hand_offers(t, s, look, best, sum)


cdef inline void add_hand_offers(
    const Tables *t, const ButterflyState *s, const Look *look, int best, Sum *sum
) noexcept nogil:
    cdef uint64_t hand = look.hand
    cdef int most = 0
    cdef int ways = 0
    cdef int spot, card, here
    cdef const Delivery *d
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        here = 0
        for spot in range(t.spots + 1):
            if spot == look.gone or (s.next == 0 if spot == t.spots else s.spots[spot] == 0):
                continue
            d = &t.deliveries[(s.next if spot == t.spots else s.spots[spot]) - 1]
            if d.points > here and lacks(&d.need, look.jar + t.butterflies[card]) == 0:
                here = d.points
        most = max(most, here)
        ways += here > best
    add_feature(sum, HAND_PAYS, max(0, most - best))
    add_feature(sum, HAND_WAYS, ways)


cdef inline void add_jar(const Look *look, Sum *sum) noexcept nogil:
    cdef int colours = 0
    cdef int alike = 0
    cdef int pairs = 0
    cdef int colour, count
    for colour in range(COLOURS):
        count = count_of(look.jar, colour)
        colours += count > 0
        pairs += count > 1
        alike = max(alike, count)
    add_feature(sum, JAR_SIZE + min(9, total_of(look.jar)), 1)
    add_feature(sum, OVERFULL, max(0, total_of(look.jar) - JAR))
    add_feature(sum, JAR_RAINBOWS, count_of(look.jar, RAINBOW))
    add_feature(sum, JAR_COLOURS, colours)
    add_feature(sum, JAR_ALIKE + min(4, alike), 1)
    add_feature(sum, JAR_PAIRS, pairs)


cdef inline void add_hand(const Tables *t, const Look *look, Sum *sum) noexcept nogil:
    cdef uint64_t hand = look.hand
    cdef int lowest = lowest_bit(hand) if hand else 0
    cdef int size = 0
    cdef int rainbows = 0
    cdef int fits = 0
    cdef int numbers = 0
    cdef int card, colour
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        size += t.size[card]
        numbers += card
        rainbows += count_of(t.butterflies[card], RAINBOW)
        for colour in range(COLOURS):
            if count_of(look.jar, colour):
                fits += count_of(t.butterflies[card], colour)
        if t.power[card] == RELEASES:
            add_feature(sum, HAND_POWERS + 3, t.release[card])
        elif t.power[card] != PLAIN:
            add_feature(sum, HAND_POWERS + t.power[card] - 1, 1)
    add_feature(sum, HAND_SIZE, size)
    add_feature(sum, HAND_RAINBOWS, rainbows)
    add_feature(sum, HAND_FITS, fits)
    add_feature(sum, HAND_LOWEST, lowest)
    add_feature(sum, HAND_NUMBERS, numbers)


cdef inline void add_look(const Tables *t, const ButterflyState *s, const Look *look, Sum *sum) noexcept nogil:
    add_feature(sum, ONE, 1)
    add_feature(sum, RIVAL, look.rival)
    add_feature(sum, WAITING, look.waiting)
    add_feature(sum, AHEAD, look.ahead)
    add_feature(sum, PLAYED_POWER, look.power != PLAIN)
    add_feature(sum, DRAWING, look.using == DRAWS)
    add_feature(sum, TOPPING, look.using == TAKES_TOP)
    add_feature(sum, TOPPING_FULL, look.using == TAKES_TOP and total_of(look.jar) >= JAR)
    add_feature(sum, RIVAL_PAYS, look.rival_pays)
    add_offers(t, s, look, sum)
    add_jar(look, sum)
    add_hand(t, look, sum)


cdef inline double promise(const Tables *t, const ButterflyState *s, const Look *look, int stage) noexcept nogil:
    """In points."""
    cdef Sum sum
    sum.weights = t.weights.promise[stage]
    sum.dense = NULL
    sum.value = 0
    add_look(t, s, look, &sum)
    return sum.value / <double>SCALE


cdef inline void estimate(const Tables *t, const ButterflyState *s, double *score) noexcept nogil:
    """Each player's final points."""
    cdef const Weights *w = &t.weights
    cdef Look look
    cdef int stage = stage_of(t, s)
    cdef int seat
    for seat in range(t.players):
        look_at(t, s, seat, &look)
        score[seat] = look.points + max(0.0, w.base[stage] + w.slope[stage] * promise(t, s, &look, stage))


cdef inline void move_card(const Tables *t, Look *look, int from_hand, int from_jar) noexcept nogil:
    look.hand ^= bit(from_hand) | bit(from_jar)
    look.jar += t.butterflies[from_hand]
    look.jar -= t.butterflies[from_jar]


cdef inline void look_after(const Tables *t, const ButterflyState *s, int32_t action, uint64_t unseen, Look *look) noexcept nogil:
    """What an action makes of its player's look."""
    cdef int spot
    if s.phase == CHOOSE:
        look.hand &= ~bit(action - PLAY_BASE)
        look.ahead = expected_ahead(t, unseen, action - PLAY_BASE)
        put_in_play(t, look, action - PLAY_BASE)
    elif s.phase == CAPTURE:
        look.hand |= bit(action - CAPTURE_BASE)
    elif s.phase == RETURN:
        look.hand &= ~bit(action - RETURN_BASE)
    elif s.phase == DISCARD:
        look.jar -= t.butterflies[action - DISCARD_BASE]
    elif s.phase == POWER:
        if action == USE_POWER:
            look.using = look.power
        look.power = PLAIN
        if action >= EXCHANGE_BASE:
            move_card(t, look, (action - EXCHANGE_BASE) >> 6, (action - EXCHANGE_BASE) & 63)
    elif s.phase == DELIVER:
        look.waiting = False
        if action != SKIP_DELIVERY:
            spot = spot_of(t, s, action >> 24 & 31)
            look.gone = spot
            look.rival_pays = best_of_rivals(t, s, s.order[s.turn], spot)
            look.points += t.deliveries[s.spots[spot] - 1].points
            look.jar -= butterflies_of(t, cards_spent(action))


cdef inline void gains(
    const Tables *t, const ButterflyState *s, int n, const int32_t *ids, float *out
) noexcept nogil:
    """What each action of the player to move brings him, up to a constant."""
    cdef int seat = seat_to_move(s)
    cdef int stage = stage_of(t, s)
    cdef uint64_t unseen = unseen_by(t, s, seat)
    cdef Look before, after
    cdef int i
    look_at(t, s, seat, &before)
    for i in range(n):
        after = before
        look_after(t, s, ids[i], unseen, &after)
        out[i] = <float>(after.points + promise(t, s, &after, stage))
