# Ladybird: what lies on the table, and how cards and tiles move. What the searches see is in ladybird.pyx.
#
# A card is a number: its face's. The copies of a face have the numbers after it, so that a set of numbers is a pile of cards: one
# with k copies of a face holds the first k of its numbers. Two words hold any pile, and equal piles are equal words.

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

from garden_core.bits cimport popcount, select_bit, select_word
from garden_core.rng cimport Rng, below

cdef enum:
    SEATS = 4            # capacity
    CARDS = 128          # capacity
    COLOURS = 5
    STATES = 4           # eggs, larva, pupa, adult
    TYPES = 7            # of ladybirds; the last is the Harlequin
    HARLEQUIN = 6
    HAND = 4             # cards, at the end of a round
    HELD = 6             # cards, at most
    SIDE = 3             # of the pool
    SLOTS = 9            # of the pool
    STACKS = 8
    KINDS = 48           # capacity: of feeding tiles
    ORCHARD = 3          # orchard cards that lie open
    FRESH = 2            # aphids on a new one
    AT_ONCE = 4          # cards or tiles of one outcome
    BLIND = 2            # cards drawn where none of the pool fits
    ROUNDS = 15
    GARDEN = 5           # garden tiles of a player
    MEMORIES = 256       # capacity: of the table of points
    FEATURES = 96        # of a player
    STAGES = 5           # of a game: the days
    SCALE = 4096         # of weights
    CYCLE_POINTS = 3     # a card of a column with a life cycle
    BED_POINTS = 2       # a card of a column with a flowerbed

# What the card just placed unlocks, beside the states.
cdef enum:
    NO_STATE = 4         # the revealed Harlequin had no target
    ANY_CARD = 5         # alone, after a Harlequin

# Action ids; a card is `base + face`.
cdef enum:
    REVEAL_BASE = 0
    PLACE_BASE = 128
    DISCARD_BASE = 256
    TARGET_BASE = 384    # + 8 * seat + column
    BED_BASE = 416       # + column
    TAKE_BASE = 424      # + slot
    DRAW_BLIND = 433
    TILE_BASE = 440      # + one of the uses below
    ORCHARD_BASE = 448   # + slot
    FEED_BASE = 456      # + stack
    STOP = 464

# What garden tiles are used for, in the order of their ids.
cdef enum:
    ROSE
    ORCHARD_USE
    PICNIC
    SHED_PLACE
    SHED_ORCHARD
    TEA_MEMORY
    TEA_PICNIC
    USES

cdef enum Phase:
    HANDS                # chance: a hand, seat by seat
    POOL                 # chance: cards for vacant slots of the pool
    ORCHARDS             # chance: orchard cards for vacant slots
    TOPS                 # chance: feeding tiles turned up
    FIRST                # chance: who has the Sticky Leaf
    BLIND_DRAW           # chance: two cards that only their player sees
    REVEAL               # simultaneous
    TARGET               # whose column a Harlequin invades
    BED                  # the column that gets a flowerbed
    DRAFT
    TILE                 # which garden tile is used, and for what
    PLACE                # a card of the hand, by Rose Garden or Toolshed
    ORCHARD_CARD
    FEED                 # a feeding tile
    DISCARD              # what the hand cannot hold, after the round
    OVER

# What a player has before him. `cards`: those of his columns, Harlequins aside.
ctypedef struct Tableau:
    uint64_t[2] cards
    uint16_t[COLOURS] states       # cards of each state in a column, in nibbles
    uint16_t aphids
    uint8_t[COLOURS] height
    uint8_t[COLOURS] harlequins
    uint8_t[COLOURS] top           # 1 + face
    uint8_t[COLOURS] orchards
    uint8_t[TYPES] types           # cards of each type
    uint8_t[TYPES] feed            # points for each of them
    uint8_t[TYPES] mildew          # thresholds of the mildew tiles, together
    uint8_t beds                   # sets of columns
    uint8_t cycles
    uint8_t lost                   # columns that had a life cycle once and win none again
    uint8_t memories
    uint8_t fresh                  # garden tiles that are face up
    uint8_t[6] unused

ctypedef struct Hand:
    uint8_t count
    uint8_t known                  # a set of places: cards that all know to be there
    uint8_t[HELD] card             # faces, ascending; of equal ones known ones first, then those held longer
    uint8_t[HELD] shuffle          # of cards not known: how many times the deck had been made anew
    uint8_t[2] unused

ctypedef struct LadybirdState:
    Tableau[SEATS] tableau
    uint16_t[KINDS] owned          # feeding tiles, a nibble a seat
    uint8_t[STACKS] top            # 1 + kind
    uint8_t[STACKS] below          # tiles under it
    uint64_t[2] discards
    uint8_t[SLOTS] pool            # 1 + face
    uint8_t[ORCHARD] orchard       # 1 + colour
    uint8_t[ORCHARD] aphids        # on these
    uint8_t unlock                 # the state that may be drafted, or NO_STATE, ANY_CARD
    Hand[SEATS] hand
    uint64_t[2] deck
    uint8_t[KINDS] down            # feeding tiles face down
    uint8_t[COLOURS] orchard_deck
    uint8_t[SEATS] revealed        # 1 + face
    uint8_t phase
    uint8_t seat                   # whose hand is dealt, who chooses; the place in order of who discards
    uint8_t turn                   # turns of this round that are finished
    uint8_t round                  # rounds that are finished
    uint8_t first                  # who has the Sticky Leaf
    uint8_t extra                  # whether the card was placed by a garden tile
    uint8_t chain                  # whether a honeydew tile has been taken in this picnic
    uint8_t setup                  # whether the table is being laid
    uint8_t shuffles               # times that the deck was made anew
    uint16_t refill                # slots of the pool to be filled
    uint8_t[4] idle

ctypedef struct FeedingTile:
    uint8_t type
    uint8_t points
    uint8_t cost
    uint8_t honeydew
    uint8_t threshold              # 0: no mildew tile
    uint8_t count

# What fitting found; ladybird_advice.pxd says what for.
ctypedef struct Weights:
    int32_t[STAGES][FEATURES] promise    # of a move
    int32_t[STAGES][FEATURES] outlook    # points to come
    double[STAGES] certainty
    float sharpness
    float playout_sharpness

ctypedef struct Tables:
    uint64_t[2] cards              # all
    uint8_t[CARDS] face            # of each number
    uint8_t[CARDS] copies          # of each face
    uint8_t[CARDS] colour
    uint8_t[CARDS] state
    uint8_t[CARDS] type
    FeedingTile[KINDS] tiles
    uint16_t[MEMORIES] memory_points
    uint8_t[COLOURS] orchards
    uint16_t[SLOTS] row            # the slots of each slot's row
    uint16_t[SLOTS] column
    int players
    int faces
    int kinds
    int slots
    int orchard_slots
    int stack_height
    int first                      # a seat; -1: drawn
    int regain
    Weights weights


# Piles

cdef inline bint has_card(const uint64_t *pile, int number) noexcept nogil:
    return (pile[number >> 6] >> (number & 63)) & 1


cdef inline int count_cards(const uint64_t *pile) noexcept nogil:
    return popcount(pile[0]) + popcount(pile[1])


cdef inline int copies_in(const Tables *t, const uint64_t *pile, int face) noexcept nogil:
    cdef int n = 0
    while n < t.copies[face] and has_card(pile, face + n):
        n += 1
    return n


cdef inline void add_card(uint64_t *pile, int face) noexcept nogil:
    while has_card(pile, face):
        face += 1
    pile[face >> 6] |= <uint64_t>1 << (face & 63)


cdef inline void drop_card(const Tables *t, uint64_t *pile, int face) noexcept nogil:
    face += copies_in(t, pile, face) - 1
    pile[face >> 6] &= ~(<uint64_t>1 << (face & 63))


cdef inline int some_card(const Tables *t, const uint64_t *pile, Rng *rng) noexcept nogil:
    """Any card of a pile that has some, all equally likely."""
    cdef int rank = below(rng, count_cards(pile))
    cdef int word = select_word(pile, 2, &rank)
    return t.face[64 * word + select_bit(pile[word], rank)]


# Hands

cdef inline void insert_card(Hand *hand, int card, bint known, int shuffle) noexcept nogil:
    cdef int place = hand.count
    cdef int bits = hand.known
    cdef int low, i
    for i in range(hand.count):
        if hand.card[i] > card or (hand.card[i] == card and not (bits >> i) & 1 and (known or hand.shuffle[i] > shuffle)):
            place = i
            break
    for i in range(hand.count, place, -1):
        hand.card[i] = hand.card[i - 1]
        hand.shuffle[i] = hand.shuffle[i - 1]
    hand.card[place] = <uint8_t>card
    hand.shuffle[place] = <uint8_t>(0 if known else shuffle)
    low = (1 << place) - 1
    hand.known = <uint8_t>((bits & low) | ((bits & ~low) << 1) | (<int>known << place))
    hand.count += 1


cdef inline int place_in(const Hand *hand, int card) noexcept nogil:
    """The first place of a card; -1 where it is not there."""
    cdef int i
    for i in range(hand.count):
        if hand.card[i] == card:
            return i
    return -1


cdef inline void remove_card(Hand *hand, int card) noexcept nogil:
    """Of equal cards one that all know of, if there is one."""
    cdef int place = place_in(hand, card)
    cdef int low = (1 << place) - 1
    cdef int i
    hand.count -= 1
    for i in range(place, hand.count):
        hand.card[i] = hand.card[i + 1]
        hand.shuffle[i] = hand.shuffle[i + 1]
    hand.card[hand.count] = 0
    hand.shuffle[hand.count] = 0
    hand.known = <uint8_t>((hand.known & low) | ((hand.known >> 1) & ~low))


cdef inline bint can_place(const Tables *t, const Hand *hand) noexcept nogil:
    """Whether a card of the hand is no Harlequin; those come last."""
    return hand.count > 0 and t.type[hand.card[0]] != HARLEQUIN


# Columns

cdef inline bint is_cycle(int states) noexcept nogil:
    """Whether no nibble of four is empty."""
    return (states & 0xF000) != 0 and (states & 0x0F00) != 0 and (states & 0x00F0) != 0 and (states & 0x000F) != 0


cdef inline int lowest_column(const Tableau *p) noexcept nogil:
    """How many rows are full."""
    cdef int low = p.height[0]
    cdef int column
    for column in range(1, COLOURS):
        low = min(low, <int>p.height[column])
    return low


cdef inline int points_a_card(const Tableau *p, int column) noexcept nogil:
    return p.orchards[column] + CYCLE_POINTS * ((p.cycles >> column) & 1) + BED_POINTS * ((p.beds >> column) & 1)


cdef inline int points_of(const Tables *t, const Tableau *p) noexcept nogil:
    cdef int points = t.memory_points[p.memories] + p.aphids
    cdef int i
    for i in range(COLOURS):
        points += points_a_card(p, i) * p.height[i]
    for i in range(TYPES):
        points += p.feed[i] * p.types[i]
    return points


cdef inline void put_down(const Tables *t, Tableau *p, int face) noexcept nogil:
    """Places a card, no Harlequin, and takes the life cycle card if it completes one."""
    cdef int column = t.colour[face]
    add_card(p.cards, face)
    p.states[column] += <uint16_t>(1 << 4 * t.state[face])
    p.height[column] += 1
    p.top[column] = <uint8_t>(face + 1)
    p.types[t.type[face]] += 1
    if not ((p.lost | p.cycles) >> column) & 1 and is_cycle(p.states[column]):
        p.cycles |= <uint8_t>(1 << column)


cdef inline int invade(const Tables *t, Tableau *p, int column, int harlequin) noexcept nogil:
    """Puts a Harlequin on a column in place of its top card, and answers which that was."""
    cdef int face = p.top[column] - 1
    p.top[column] = <uint8_t>(harlequin + 1)
    if t.type[face] == HARLEQUIN:
        return face
    drop_card(t, p.cards, face)
    p.states[column] -= <uint16_t>(1 << 4 * t.state[face])
    p.types[t.type[face]] -= 1
    p.types[HARLEQUIN] += 1
    p.harlequins[column] += 1
    if (p.cycles >> column) & 1 and not is_cycle(p.states[column]):
        p.cycles &= <uint8_t>~(1 << column)
        if not t.regain:
            p.lost |= <uint8_t>(1 << column)
    return face


# Turns

cdef inline int seat_to_move(const Tables *t, const LadybirdState *s) noexcept nogil:
    if s.phase == REVEAL:
        return s.seat
    if s.phase == DISCARD:
        return (s.first + s.seat) % t.players
    return (s.first + s.turn) % t.players


cdef inline bint is_target(const Tables *t, const LadybirdState *s, int mover, int seat, int column) noexcept nogil:
    """Whether the mover's Harlequin may invade a column: another's without a Harlequin on top; alone, any own one."""
    cdef int top = s.tableau[seat].top[column]
    if t.players == 1:
        return top != 0
    return seat != mover and top != 0 and t.type[top - 1] != HARLEQUIN


cdef inline bint has_target(const Tables *t, const LadybirdState *s, int mover) noexcept nogil:
    cdef int seat, column
    for seat in range(t.players):
        for column in range(COLOURS):
            if is_target(t, s, mover, seat, column):
                return True
    return False


cdef inline int draftable(const Tables *t, const LadybirdState *s, bint *blind) noexcept nogil:
    """The set of slots from which a card may be taken; `blind`: whether cards may be drawn instead."""
    cdef int slots = 0
    cdef bint match = s.unlock == ANY_CARD
    cdef int slot, face
    for slot in range(t.slots):
        if s.pool[slot] == 0:
            continue
        face = s.pool[slot] - 1
        if t.type[face] == HARLEQUIN or s.unlock == ANY_CARD:
            slots |= 1 << slot
        elif t.state[face] == s.unlock:
            slots |= 1 << slot
            match = True
    blind[0] = not match
    return slots


cdef inline bint claimable(const Tables *t, const LadybirdState *s, const Tableau *p, int stack) noexcept nogil:
    """Whether a player may take the tile on a stack."""
    cdef const FeedingTile *tile
    if s.top[stack] == 0:
        return False
    tile = &t.tiles[s.top[stack] - 1]
    if tile.threshold:
        return p.mildew[tile.type] + tile.threshold <= p.types[tile.type]
    return tile.cost <= p.aphids


cdef inline bint some_claimable(const Tables *t, const LadybirdState *s, const Tableau *p) noexcept nogil:
    cdef int stack
    for stack in range(STACKS):
        if claimable(t, s, p, stack):
            return True
    return False


cdef inline bint same_stack(const LadybirdState *s, int stack) noexcept nogil:
    """Whether a stack before it is like it: the same tile, and as many below."""
    cdef int other
    for other in range(stack):
        if s.top[other] == s.top[stack] and s.below[other] == s.below[stack]:
            return True
    return False


cdef inline bint same_orchard(const LadybirdState *s, int slot) noexcept nogil:
    """Whether a slot before it has the same card with as many aphids."""
    cdef int other
    for other in range(slot):
        if s.orchard[other] == s.orchard[slot] and s.aphids[other] == s.aphids[slot]:
            return True
    return False


cdef inline bint some_orchard(const LadybirdState *s) noexcept nogil:
    cdef int slot
    for slot in range(ORCHARD):
        if s.orchard[slot]:
            return True
    return False


cdef inline int tile_of(int use) noexcept nogil:
    """The garden tile that a use belongs to."""
    return use if use <= PICNIC else 3 if use <= SHED_ORCHARD else 4


cdef inline int resolvable_uses(const Tables *t, const LadybirdState *s, int seat) noexcept nogil:
    """The set of uses that the face-up tiles of a player have now."""
    cdef const Tableau *p = &s.tableau[seat]
    cdef int fresh = p.fresh
    cdef int uses = 0
    if fresh & (1 << 0 | 1 << 3) and can_place(t, &s.hand[seat]):
        uses |= (fresh & 1) << ROSE | ((fresh >> 3) & 1) << SHED_PLACE
    if fresh & (1 << 1 | 1 << 3) and some_orchard(s):
        uses |= ((fresh >> 1) & 1) << ORCHARD_USE | ((fresh >> 3) & 1) << SHED_ORCHARD
    if fresh & (1 << 2 | 1 << 4) and some_claimable(t, s, p):
        uses |= ((fresh >> 2) & 1) << PICNIC | ((fresh >> 4) & 1) << TEA_PICNIC
    return uses | ((fresh >> 4) & 1) << TEA_MEMORY


cdef inline int allowed_uses(const Tables *t, const LadybirdState *s, int seat) noexcept nogil:
    """Those; where there are none, each face-up tile may be flipped as if by its first use."""
    cdef int uses = resolvable_uses(t, s, seat)
    cdef int fresh = s.tableau[seat].fresh
    if uses:
        return uses
    return (fresh & 7) | ((fresh >> 3) & 1) << SHED_PLACE | ((fresh >> 4) & 1) << TEA_MEMORY


cdef inline int day_of(int finished) noexcept nogil:
    """The day, 0..4, on which so many rounds are finished: day d has d + 1 rounds."""
    cdef int day = 0
    while finished > day and day < STAGES - 1:
        finished -= day + 1
        day += 1
    return day
