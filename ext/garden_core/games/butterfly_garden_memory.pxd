# The Butterfly Garden: what players know of cards they cannot see, and deals that agree with it.
#
# As long as no card went back unseen, a hand is a set of cards that everybody knows and a number of cards that nobody else knows,
# and any unseen card may be any of these. A card returned unseen may be a known one; whether it was shows later, or never. So
# from the first such card on all events that tell where cards are are kept (`Memory`), and a deal is made by going through them
# again with tokens for cards: a token has an identity once somebody shows it. Every history of deals, draws and returns that
# agrees with what the observer saw comes out equally likely (the others' choices tell no more than that they were possible):
# where a card shown may have been any of u tokens, the walk is kept with probability u / (the most that it might be).
#
# A shuffle divides the unseen cards: those that were among the discards are in the deck, or were drawn since; the others are in
# hands since before. `shuffle` counts them, and a token takes only cards of its own count.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from garden_core.bits cimport lowest_bit, popcount, select_bit
from garden_core.games.butterfly_garden_table cimport (
    bit, ButterflyState, CARDS, CHOOSE, EVENTS, MARGIN_EVENTS, Memory, NONE, QUEUE, SEATS, Tables)
from garden_core.rng cimport below, mix64, Rng

cdef enum:
    TOKENS = SEATS * 4 + QUEUE + EVENTS
    HELD = 8                # tokens in a hand, at most
    TRIES = 300             # walks
    LENIENT_TRIES = 30000   # more, that are not given up for being less likely than others
    MOST_SHUFFLES = 250     # that are told apart

# Events
cdef enum:
    TAKES = 1               # a card comes into the hand openly: from the field or the jar
    SHOWS = 2               # a card leaves the hand openly: played, or into the jar
    GETS = 3                # a card is drawn unseen
    RETURNS = 4             # a card goes to the bottom unseen
    TURNS = 5               # the next card of the bottom comes up openly


cdef inline uint32_t event_of(int kind, int seat, int card, int shuffle, bint bottom) noexcept nogil:
    return kind | seat << 3 | card << 6 | <uint32_t>bottom << 12 | <uint32_t>shuffle << 16


cdef inline int kind_of(uint32_t event) noexcept nogil:
    return event & 7


cdef inline int seat_of(uint32_t event) noexcept nogil:
    return (event >> 3) & 7


cdef inline int card_of(uint32_t event) noexcept nogil:
    return (event >> 6) & 63


cdef inline bint from_bottom(uint32_t event) noexcept nogil:
    return (event >> 12) & 1


cdef inline int shuffle_of(uint32_t event) noexcept nogil:
    return event >> 16


cdef inline uint32_t with_card(uint32_t event, int card) noexcept nogil:
    return (event & ~<uint32_t>(63 << 6)) | <uint32_t>card << 6


cdef inline bint is_hidden(uint32_t event) noexcept nogil:
    return kind_of(event) == GETS or kind_of(event) == RETURNS


cdef inline void add_to_hash(Memory *m, int observer, uint32_t event, bint sees) noexcept nogil:
    """`observer` is a seat, or SEATS for everybody."""
    if not sees:
        event = with_card(event, 0) | <uint32_t>1 << 13
    m.seen[observer] = mix64(m.seen[observer] * <uint64_t>0x9E3779B97F4A7C15 + event + 1)


cdef inline void hash_event(Memory *m, uint32_t event, int owner) noexcept nogil:
    """`owner`: who returned the card that is drawn from the bottom, and so knows it; -1 where nobody did."""
    cdef bint hidden = is_hidden(event)
    cdef int observer
    for observer in range(SEATS + 1):
        add_to_hash(m, observer, event, not hidden or observer == seat_of(event) or observer == owner)


cdef inline void add_event(Memory *m, uint32_t event, int owner) noexcept nogil:
    m.events[m.count] = event
    m.count += 1
    hash_event(m, event, owner)


cdef inline void hash_again(Memory *m) noexcept nogil:
    cdef int drawn = 0     # of the queue
    cdef int i, k
    memset(m.seen, 0, sizeof(m.seen))
    for k in range(m.begin):
        hash_event(m, event_of(RETURNS, m.owner[k], m.bottom[k], 0, False), -1)
    for i in range(m.count):
        if kind_of(m.events[i]) == TURNS or from_bottom(m.events[i]):
            hash_event(m, m.events[i], m.owner[drawn])
            drawn += 1
        else:
            hash_event(m, m.events[i], -1)


cdef inline void note_taken(ButterflyState *s, int seat, int card) noexcept nogil:
    if s.memory.idle:
        return
    s.known[seat] |= bit(card)
    if s.memory.open:
        add_event(&s.memory, event_of(TAKES, seat, card, 0, False), -1)


cdef inline void no_longer_in_doubt(ButterflyState *s, int card) noexcept nogil:
    cdef int seat
    for seat in range(SEATS):
        s.maybe[seat] &= ~bit(card)


cdef inline void note_shown(ButterflyState *s, int seat, int card) noexcept nogil:
    if s.memory.idle:
        return
    s.known[seat] &= ~bit(card)
    if s.memory.open:
        no_longer_in_doubt(s, card)
        add_event(&s.memory, event_of(SHOWS, seat, card, s.memory.shuffle[card], False), -1)


cdef inline void begin_memory(ButterflyState *s) noexcept nogil:
    cdef Memory *m = &s.memory
    memcpy(m.hand, s.hand, sizeof(m.hand))
    memcpy(m.known, s.known, sizeof(m.known))
    memcpy(m.shuffle_then, m.shuffle, sizeof(m.shuffle))
    m.open = True


cdef inline void forget(ButterflyState *s) noexcept nogil:
    """Takes the table as it is for the beginning; what is in doubt is then simply unseen."""
    cdef Memory *m = &s.memory
    cdef int waiting = m.tail - m.head
    cdef int k
    memset(s.maybe, 0, sizeof(s.maybe))
    m.shuffles = m.shuffles > 0   # that there was a shuffle is still known
    memset(m.shuffle, m.shuffles, sizeof(m.shuffle))
    for k in range(waiting):
        m.bottom[k] = m.bottom[m.head + k]
        m.owner[k] = m.owner[m.head + k]
    memset(&m.bottom[waiting], 0, QUEUE - waiting)
    memset(&m.owner[waiting], 0, QUEUE - waiting)
    memset(m.events, 0, sizeof(m.events))
    m.head = 0
    m.tail = <uint8_t>waiting
    m.begin = <uint8_t>waiting
    m.count = 0
    m.murky = False
    begin_memory(s)
    m.open = waiting > 0
    if not m.open:
        clear_memory(m)
    hash_again(m)


cdef inline void clear_memory(Memory *m) noexcept nogil:
    """Nothing is in doubt."""
    memset(m.hand, 0, sizeof(m.hand))
    memset(m.known, 0, sizeof(m.known))
    memset(m.seen, 0, sizeof(m.seen))
    memset(m.events, 0, m.count * sizeof(uint32_t))
    memset(m.shuffle_then, 0, sizeof(m.shuffle_then))
    memset(m.bottom, 0, m.tail)
    memset(m.owner, 0, m.tail)
    m.count = m.begin = m.head = m.tail = 0
    m.open = m.murky = False


cdef inline void settle(ButterflyState *s) noexcept nogil:
    """Where all that went back unseen has come up openly, nothing is in doubt any more."""
    cdef Memory *m = &s.memory
    cdef int seat
    if m.head < m.tail or m.murky or not m.open:
        return
    for seat in range(SEATS):
        s.known[seat] |= s.maybe[seat]
        s.maybe[seat] = 0
    clear_memory(m)


cdef inline void make_room(ButterflyState *s) noexcept nogil:
    """At the start of a turn: so that its events can be kept."""
    cdef Memory *m = &s.memory
    if m.count > EVENTS - 2 * MARGIN_EVENTS or m.tail > QUEUE - 8 or m.shuffles >= MOST_SHUFFLES:
        forget(s)


cdef inline void shuffle_discards(ButterflyState *s) noexcept nogil:
    cdef Memory *m = &s.memory
    cdef int card
    s.deck = s.discards
    s.discards = 0
    if m.idle:
        return
    m.shuffles += 1
    for card in range(CARDS):
        if s.deck & bit(card):
            m.shuffle[card] = m.shuffles


cdef inline bint nothing_to_draw(const ButterflyState *s) noexcept nogil:
    return s.deck == 0 and s.memory.head == s.memory.tail and s.discards == 0


cdef inline uint64_t next_cards(const ButterflyState *s) noexcept nogil:
    """The cards of which the next one drawn is one, all alike."""
    if s.deck:
        return s.deck
    if s.memory.head < s.memory.tail:
        return bit(s.memory.bottom[s.memory.head])
    return s.discards


cdef inline bint pop(ButterflyState *s, int card) noexcept nogil:
    """Takes the next card from the deck, shuffling before if need be; says whether it came from the bottom."""
    cdef Memory *m = &s.memory
    if s.deck == 0:
        if m.head < m.tail:
            m.head += 1
            if m.idle and m.head == m.tail:
                m.head = m.tail = 0
            return True
        shuffle_discards(s)
    s.deck &= ~bit(card)
    return False


cdef inline void turn_up(ButterflyState *s, int card) noexcept nogil:
    """The next card comes up openly."""
    cdef int owner = s.memory.owner[s.memory.head]
    if pop(s, card) and not s.memory.idle:
        no_longer_in_doubt(s, card)
        add_event(&s.memory, event_of(TURNS, 0, card, s.memory.shuffle[card], False), owner)
        settle(s)


cdef inline void get_unseen(ButterflyState *s, int seat, int card) noexcept nogil:
    """The next card goes into a hand unseen."""
    cdef Memory *m = &s.memory
    cdef int owner = m.owner[m.head]
    cdef bint bottom
    if m.idle:
        pop(s, card)
        s.hand[seat] |= bit(card)
        return
    if not m.open:
        begin_memory(s)
    bottom = pop(s, card)
    m.murky |= bottom
    s.hand[seat] |= bit(card)
    # from which shuffle a card of the bottom is nobody else can see
    add_event(m, event_of(GETS, seat, card, 0 if bottom else m.shuffle[card], bottom), owner if bottom else -1)


cdef inline void return_unseen(ButterflyState *s, int seat, int card) noexcept nogil:
    cdef Memory *m = &s.memory
    s.hand[seat] &= ~bit(card)
    m.bottom[m.tail] = <uint8_t>card
    m.owner[m.tail] = <uint8_t>seat
    m.tail += 1
    if m.idle:
        return
    add_event(m, event_of(RETURNS, seat, card, 0, False), -1)
    s.maybe[seat] |= s.known[seat]
    s.known[seat] = 0


# Deals

ctypedef struct World:
    uint64_t bound                   # cards that some token is known to be
    uint64_t doubt                   # of these: may have been returned
    uint16_t[CARDS] token            # of these
    uint8_t[TOKENS] card             # NONE: not known
    uint8_t[TOKENS] shuffle
    uint16_t[SEATS][HELD] hand
    uint8_t[SEATS] count
    uint16_t[SEATS + 1] begin        # tokens of a seat's first hand
    uint16_t[QUEUE] queue
    uint16_t[EVENTS] moved           # the token of an event
    int tokens
    int drawn                        # of the queue
    int returned
    bint lenient                     # no walk is given up for being less likely than others

# What an observer knows of the history beforehand, for one walk after another.
ctypedef struct Foresight:
    uint8_t[QUEUE] fate              # which card it was that went back; NONE: not known
    uint8_t[QUEUE] shuffle           # of that card
    uint64_t[QUEUE] held             # where it is not known: cards that it was not, for they are seen later


cdef inline int add_token(World *w, int card, int shuffle) noexcept nogil:
    cdef int token = w.tokens
    w.tokens += 1
    w.card[token] = NONE
    w.shuffle[token] = <uint8_t>shuffle
    if card != NONE:
        bind(w, token, card)
    return token


cdef inline void bind(World *w, int token, int card) noexcept nogil:
    w.card[token] = <uint8_t>card
    w.token[card] = <uint16_t>token
    w.bound |= bit(card)


cdef inline void add_to_hand(World *w, int seat, int token) noexcept nogil:
    w.hand[seat][w.count[seat]] = <uint16_t>token
    w.count[seat] += 1


cdef inline bint take_from_hand(World *w, int seat, int token) noexcept nogil:
    """False where it is not there."""
    cdef int i
    for i in range(w.count[seat]):
        if w.hand[seat][i] == token:
            w.count[seat] -= 1
            w.hand[seat][i] = w.hand[seat][w.count[seat]]
            return True
    return False


cdef inline bint keeps(const World *w, int seat, int fitting, Rng *rng) noexcept nogil:
    """True with probability `fitting` / the most tokens that might fit if all that may have been returned had been."""
    cdef int most = 0
    cdef int i
    for i in range(w.count[seat]):
        most += w.card[w.hand[seat][i]] == NONE or (w.doubt & bit(w.card[w.hand[seat][i]])) != 0
    return w.lenient or fitting == most or <int>below(rng, most) < fitting


cdef inline int unknown_token(World *w, int seat, int shuffle, Rng *rng) noexcept nogil:
    """One of the hand's tokens that are not known, by chance; -1 where none fits, or the walk is to be given up."""
    cdef int fitting = 0
    cdef int i, rank
    for i in range(w.count[seat]):
        fitting += w.card[w.hand[seat][i]] == NONE and w.shuffle[w.hand[seat][i]] == shuffle
    if fitting == 0 or not keeps(w, seat, fitting, rng):
        return -1
    rank = below(rng, fitting)
    for i in range(w.count[seat]):
        if w.card[w.hand[seat][i]] == NONE and w.shuffle[w.hand[seat][i]] == shuffle:
            if rank == 0:
                return w.hand[seat][i]
            rank -= 1
    return -1


cdef inline bint walk_shown(World *w, int seat, int card, int shuffle, Rng *rng) noexcept nogil:
    cdef int token
    if not w.bound & bit(card):
        token = unknown_token(w, seat, shuffle, rng)
        if token < 0:
            return False
        bind(w, token, card)
    w.bound &= ~bit(card)
    w.doubt &= ~bit(card)
    return take_from_hand(w, seat, w.token[card])


cdef inline int walk_returned(World *w, int seat, uint64_t held, Rng *rng) noexcept nogil:
    """A token that goes back, by chance; whether it was this one is in doubt from now on."""
    cdef int may = 0
    cdef int i, rank, token
    for i in range(w.count[seat]):
        token = w.hand[seat][i]
        may += w.card[token] == NONE or (held & bit(w.card[token])) == 0
    if may == 0:
        return -1
    rank = below(rng, may)
    may = -1
    for i in range(w.count[seat]):
        token = w.hand[seat][i]
        if w.card[token] == NONE or not held & bit(w.card[token]):
            if rank == 0:
                may = token
            if w.card[token] != NONE:
                w.doubt |= bit(w.card[token])
            rank -= 1
    return may


cdef inline bint walk(const Memory *m, const Foresight *f, int observer, World *w, Rng *rng) noexcept nogil:
    """Goes through the events; False where they turn out impossible, or the walk is given up."""
    cdef uint32_t event
    cdef int i, seat, card, token
    for i in range(m.count):
        event = m.events[i]
        seat = seat_of(event)
        card = card_of(event)
        if kind_of(event) == TAKES:
            add_to_hand(w, seat, add_token(w, card, 0))
        elif kind_of(event) == SHOWS:
            if not walk_shown(w, seat, card, shuffle_of(event), rng):
                return False
        elif kind_of(event) == TURNS:
            token = w.queue[w.drawn]
            w.drawn += 1
            if w.card[token] != card:
                return False
            w.bound &= ~bit(card)
            w.doubt &= ~bit(card)
        elif kind_of(event) == GETS:
            if from_bottom(event):
                token = w.queue[w.drawn]
                w.drawn += 1
            else:
                token = add_token(w, card if seat == observer else NONE, shuffle_of(event))
            w.moved[i] = <uint16_t>token
            add_to_hand(w, seat, token)
        else:
            if seat != observer:
                card = f.fate[w.returned]
            if card == NONE:
                token = walk_returned(w, seat, f.held[w.returned], rng)
            elif w.bound & bit(card):
                token = w.token[card]
            else:
                token = unknown_token(w, seat, f.shuffle[w.returned], rng)
                if token >= 0:
                    bind(w, token, card)
            if token < 0 or not take_from_hand(w, seat, token):
                return False
            w.moved[i] = <uint16_t>token
            w.queue[w.returned] = <uint16_t>token
            w.returned += 1
    return True


cdef inline int shuffle_from(const Memory *m, int i, int card) noexcept nogil:
    """The shuffle that a card drawn unseen from the bottom is from, as the next who shows it tells."""
    cdef int j
    for j in range(i, m.count):
        if (kind_of(m.events[j]) == SHOWS or kind_of(m.events[j]) == TURNS) and card_of(m.events[j]) == card:
            return shuffle_of(m.events[j])
    return m.shuffle[card]


cdef inline void foresee(const Memory *m, int observer, Foresight *f) noexcept nogil:
    """Which card a return was, where the observer learned it later, and which cards it cannot have been."""
    cdef uint8_t[QUEUE] lost         # drawn unseen: it may have gone anywhere
    cdef uint64_t seen = 0
    cdef uint32_t event
    cdef bint sees
    cdef int k = 0
    cdef int i
    memset(f.fate, NONE, sizeof(f.fate))
    memset(lost, False, sizeof(lost))
    for i in range(m.count):
        event = m.events[i]
        if kind_of(event) == TURNS or from_bottom(event):
            lost[k] = kind_of(event) == GETS and seat_of(event) != observer and m.owner[k] != observer
            if not lost[k]:
                f.fate[k] = <uint8_t>card_of(event)
                f.shuffle[k] = <uint8_t>shuffle_from(m, i, card_of(event))
            k += 1
    k = m.tail
    for i in range(m.count - 1, -1, -1):
        event = m.events[i]
        sees = not is_hidden(event) or seat_of(event) == observer
        if kind_of(event) == RETURNS:
            k -= 1
            f.held[k] = 0 if lost[k] else seen   # a card that still lies there has not been seen since
        if sees:
            seen |= bit(card_of(event))


cdef inline void begin_walk(const ButterflyState *s, const Foresight *f, int observer, World *w) noexcept nogil:
    """Tokens for the hands, and the bottom, as the memory begins; without one, as they are.

    Their order tells nothing of what is hidden: a deal must not depend on it even through the random numbers used.
    """
    cdef const Memory *m = &s.memory
    cdef const uint8_t *shuffle = &m.shuffle[0]
    cdef uint64_t hand, known
    cdef int seat, card, k
    if m.open:
        shuffle = &m.shuffle_then[0]
    w.bound = w.doubt = 0
    w.tokens = w.drawn = 0
    for seat in range(SEATS):
        w.count[seat] = 0
        w.begin[seat] = <uint16_t>w.tokens
        hand = m.hand[seat] if m.open else s.hand[seat]
        known = hand if seat == observer else m.known[seat] if m.open else s.known[seat]
        hand &= ~known
        while known:
            add_to_hand(w, seat, add_token(w, lowest_bit(known), 0))
            known &= known - 1
        add_unknown(w, seat, hand, shuffle)
    w.begin[SEATS] = <uint16_t>w.tokens
    for k in range(m.begin):
        card = m.bottom[k] if m.owner[k] == observer else f.fate[k]
        w.queue[k] = <uint16_t>add_token(w, card, m.shuffle_then[m.bottom[k]])
    w.returned = m.begin


cdef inline void add_unknown(World *w, int seat, uint64_t hand, const uint8_t *shuffle) noexcept nogil:
    """Tokens for unknown cards of a hand, those of earlier shuffles first."""
    cdef uint64_t left
    cdef int earliest
    while hand:
        earliest = lowest_bit(hand)
        left = hand & (hand - 1)
        while left:
            if shuffle[lowest_bit(left)] < shuffle[earliest]:
                earliest = lowest_bit(left)
            left &= left - 1
        add_to_hand(w, seat, add_token(w, NONE, shuffle[earliest]))
        hand &= ~bit(earliest)


cdef inline uint64_t cards_of_shuffle(const Memory *m, uint64_t cards, int shuffle) noexcept nogil:
    cdef uint64_t out = 0
    cdef int card
    if m.shuffles == 0:
        return cards
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        if m.shuffle[card] == shuffle:
            out |= bit(card)
    return out


cdef inline bint name_token(const Memory *m, World *w, int token, uint64_t unseen, Rng *rng) noexcept nogil:
    """Makes a token that is not known one of the unseen cards that it may be."""
    cdef uint64_t fitting
    if w.card[token] != NONE:
        return True
    fitting = cards_of_shuffle(m, unseen & ~w.bound, w.shuffle[token])
    if fitting == 0:
        return False
    bind(w, token, select_bit(fitting, below(rng, popcount(fitting))))
    return True


cdef inline uint64_t face_down(const ButterflyState *s) noexcept nogil:
    """The cards of hands, deck and bottom."""
    cdef uint64_t cards = s.deck
    cdef int seat, i
    for seat in range(SEATS):
        cards |= s.hand[seat]
    for i in range(s.memory.head, s.memory.tail):
        cards |= bit(s.memory.bottom[i])
    return cards


cdef inline bint name_tokens(const Memory *m, World *w, uint64_t unseen, Rng *rng) noexcept nogil:
    cdef int seat, i
    for seat in range(SEATS):
        for i in range(w.count[seat]):
            if not name_token(m, w, w.hand[seat][i], unseen, rng):
                return False
    for i in range(m.head, m.tail):
        if not name_token(m, w, w.queue[i], unseen, rng):
            return False
    return True


cdef inline void write_deal(ButterflyState *s, const World *w, uint64_t unseen, int observer) noexcept nogil:
    """The walk's identities for the true ones; what no token is lies in the deck."""
    cdef Memory *m = &s.memory
    cdef int seat, i
    for seat in range(SEATS):
        s.hand[seat] = 0
        for i in range(w.count[seat]):
            s.hand[seat] |= bit(w.card[w.hand[seat][i]])
        unseen &= ~s.hand[seat]
    if m.open:
        for seat in range(SEATS):
            m.hand[seat] = 0
            for i in range(w.begin[seat], w.begin[seat + 1]):
                m.hand[seat] |= bit(w.card[i])
                if not m.known[seat] & bit(w.card[i]) and seat != observer:
                    m.shuffle_then[w.card[i]] = w.shuffle[i]
        for i in range(m.count):
            if is_hidden(m.events[i]):
                m.events[i] = with_card(m.events[i], w.card[w.moved[i]])
        for i in range(m.tail):
            m.bottom[i] = w.card[w.queue[i]]
            if i < m.begin and m.owner[i] != observer:
                m.shuffle_then[m.bottom[i]] = w.shuffle[w.queue[i]]
        for i in range(m.head, m.tail):
            unseen &= ~bit(m.bottom[i])
        hash_again(m)
    s.deck = unseen


cdef inline bint deal_again(const Tables *t, ButterflyState *s, int observer, Rng *rng) noexcept nogil:
    """Replaces what `observer` (a seat, or -1 for everybody) cannot see; False where no deal was found that agrees."""
    cdef uint64_t unseen = face_down(s)
    cdef Foresight f
    cdef World w
    cdef int seat, _i
    if s.memory.open:
        foresee(&s.memory, observer, &f)
    for _i in range(TRIES + LENIENT_TRIES):
        w.lenient = _i >= TRIES
        begin_walk(s, &f, observer, &w)
        if walk(&s.memory, &f, observer, &w, rng) and name_tokens(&s.memory, &w, unseen, rng):
            write_deal(s, &w, unseen, observer)
            if s.phase == CHOOSE:
                for seat in range(t.players):
                    if s.played[seat] and seat != observer:
                        s.played[seat] = <uint8_t>(1 + select_bit(s.hand[seat], below(rng, popcount(s.hand[seat]))))
            return True
    return False
