"""Flowerpower: two players lay tiles of two flowers each, or one player alone; the larger a bed the more it is worth.

Rules are explained in docs/games/flowerpower.md. The board is bit sets: the empty spaces, the pairs of them that still take a
tile, and the flowers of each variety. Beds are kept as tiles are laid: every flower names its bed, a bed knows its size, how much
of it lies on either side and how many open sides it has, and where beds meet the smaller takes the name of the larger. Random
playouts need no beds before the end, where they are counted by flood fill.

Actions: lay `(space * 2 + down) * 2 + turned` (the tile's first flower on `space`, the upper or left one, or turned on the
other), weed `WEED_BASE + space * 2 + down`; a space is `16 * row + 1 + column`. Outcomes: the first player's seat; the kind of the
tile drawn.
"""
import json
import random
from importlib.resources import files

import numpy as np

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memset

from garden_core.bits cimport (
    Board, clear_bit, count_bits, crowded, first_cell, flood, has_bit, lowest_bit, meet, meets, neighbours, pairs_across,
    pairs_down, popcount, select_bit, select_cell, select_word, set_bit)
from garden_core.hash cimport hash_words
from garden_core.rng cimport Rng, below
from garden_core.rules cimport (
    ALL, CHANCE, TERMINAL, Rules, Sum, add_feature, estimated_utilities, final_utilities, places_from_scores, priors_from_gains)
from garden_core.state cimport Game, State

from garden_core.fields import FieldError, agrees, mapping, one_of, sequence, shown, text, whole, with_defaults
from garden_core.state import made_once

cdef enum:
    LAYOUT = 1
    PLAYERS = 2          # capacity
    VARIETIES = 10
    KINDS = 55           # of tiles: two varieties, equal or not
    COPIES = 3           # capacity: tiles of one kind
    CELLS = 256          # capacity: 16 rows of 16
    ROW = 16             # bits of a row; the first is always 0
    ROWS = 16
    COLUMNS = 15
    MARGIN = 16          # what lies before and after the board, so that every space has four neighbours
    EDGED = MARGIN + CELLS + MARGIN
    WEED = 11            # what lies on a space: 0 nothing, 1 + variety, or this
    WEEDS = 3            # capacity: a player's
    WEED_BASE = 1024
    ACTIONS = WEED_BASE + 2 * CELLS
    LARGEST = 25         # bed: the flowers of a variety, with 3 doubles, 2 of each mixed tile and one tile misprinted
    KEY_WORDS = 40       # 256 + 24 + 8 + 24 bytes, and an even number

cdef enum:
    SIZES = 20           # larger beds count as this large
    OPENS = 8            # more open sides count as one less than this
    COMINGS = 4          # steps of how many flowers of a variety are still to come
    LEADS = 3            # by which a bed on both sides is held
    CLASSES = 4          # of its size
    # features of a bed
    BY_OPEN = 0                                  # [size - 1][open]
    BY_COMING = BY_OPEN + SIZES * OPENS          # [size - 1][coming]
    HELD = BY_COMING + SIZES * COMINGS           # [class][lead - 1]
    BED_FEATURES = HELD + CLASSES * LEADS
    # features of a move, by stage of the game
    STAGES = 4
    IN_STRIP = 0
    ROOM = 1             # empty spaces beside the tile
    HOLES = 2            # spaces that take no tile any more, on the mover's side
    RIVAL_HOLES = 3
    LINKS = 4            # spaces that would join a new flower and another bed of its variety
    WEEDED = 5
    STAGE_FEATURES = 6
    MOVE_FEATURES = BED_FEATURES + STAGES * STAGE_FEATURES
    POSITION_STAGES = 10
    SCALE = 4096         # of weights

cdef enum Phase:
    FIRST                # chance: who begins
    DRAW                 # chance: the tile
    PLACE
    OVER

PHASES = ("first", "draw", "place", "over")

cdef enum Zone:
    LOW                  # the side of player 0
    HIGH                 # the side of player 1
    STRIP                # neither's
    NOBODY = STRIP       # in place of an owner


# A bed in one word, so that two are joined by an addition: its size (0: none of this name), its flowers on the sides of
# players 0 and 1, and its open sides (pairs of a flower and an empty space beside it), a byte each.
ctypedef uint32_t Bed

cdef enum:
    ONE_OPEN = 1 << 24

cdef inline int size_of(Bed bed) noexcept nogil:
    return bed & 0xFF


cdef inline int side_of(Bed bed, int player) noexcept nogil:
    return (bed >> (8 + 8 * player)) & 0xFF


cdef inline int open_of(Bed bed) noexcept nogil:
    return bed >> 24


# A weed on the board.
ctypedef struct Weed:
    uint16_t place       # space * 2 + down
    uint8_t kind
    uint8_t unused


ctypedef struct FlowerpowerState:
    # What the rules depend on; `key` hashes this.
    uint8_t on[EDGED]                        # what lies on each space, with a margin around
    Weed weeds[PLAYERS][WEEDS]               # that a player has laid, by place
    uint64_t bag[COPIES]                     # kinds of which more than 0, 1, ... are left
    uint8_t weeds_laid[PLAYERS]
    uint8_t tile                             # kind, in phase PLACE
    uint8_t turn
    uint8_t phase
    uint8_t left         # tiles in the bag
    uint8_t light        # beds are no longer kept, and points are counted at the end
    uint8_t unused
    # What follows from it, kept for speed.
    Board empty
    Board across                             # left spaces of two empty ones side by side
    Board down                               # upper spaces of two empty ones one above the other
    Board members[VARIETIES]
    uint8_t bed[EDGED]                       # the name of the flower's bed: the space of its founder, never 0
    uint8_t next[CELLS]                      # the flowers of a bed in a ring
    Bed beds[CELLS]                          # by name
    int32_t score[PLAYERS + 1]               # the last takes what nobody counts
    int32_t unused_too


# What stays of the boards when the two spaces of a place are filled.
ctypedef struct Spared:
    Board empty
    Board across
    Board down


ctypedef struct Tables:
    int players
    int rows
    int columns
    int weeds_each
    int tiles
    bint open_weeds
    bint weed_counts_as_legal
    int first                                # who begins, or -1: drawn
    int flowers[VARIETIES]
    uint64_t bag[COPIES]
    uint8_t variety[KINDS][2]                # lower first
    uint8_t kind[VARIETIES][VARIETIES]
    uint8_t zone[CELLS]
    uint8_t on[EDGED]                        # as the game starts
    uint8_t bed[EDGED]
    Spared spared[2 * CELLS]                 # by place
    Board board
    Board sides[PLAYERS]
    Board across[PLAYERS]                    # where a player may lay a tile: left spaces, upper spaces
    Board down[PLAYERS]
    Board weed_across[PLAYERS]               # and a weed
    Board weed_down[PLAYERS]
    int32_t points[LARGEST + 1]              # by size
    Bed new_bed[CELLS]                       # of one flower
    int offset[4]                            # to the spaces above, left, right, below
    int around[2][6]                         # to those beside a tile that lies across, down: three of either flower
    int score_high
    Board reach[PLAYERS]                     # where a player may lay: his side and the strip
    int32_t move_weights[MOVE_FEATURES]      # in units of 1 / SCALE
    double base[POSITION_STAGES]             # points to come whatever lies on the board
    double slope[POSITION_STAGES]            # points by what the beds promise
    double certainty[POSITION_STAGES]        # points of estimated margin that win three games of four
    float sharpness                          # of the priors
    int candidates                           # of the playout policy


cdef inline int space_at(int row, int column) noexcept nogil:
    return ROW * row + 1 + column


cdef inline (int, int) row_and_column(int space) noexcept nogil:
    return space // ROW, space % ROW - 1


# Beds

cdef inline int owner_of(Bed bed) noexcept nogil:
    """Whose bed it is; NOBODY's where both have as many flowers on their sides. Alone, all is the side of player 0."""
    cdef int lead = side_of(bed, 0) - side_of(bed, 1)
    return NOBODY - 2 * (lead > 0) - (lead < 0)


cdef inline void count_points(const Tables *t, FlowerpowerState *s, Bed bed, int sign) noexcept nogil:
    """Adds a bed's points to its owner's, or takes them away."""
    s.score[owner_of(bed)] += sign * t.points[size_of(bed)]


cdef inline void shut(FlowerpowerState *s, int cell) noexcept nogil:
    """A space is filled, as by a weed until a flower grows there: the beds beside it have an open side less."""
    cdef const uint8_t *bed = s.bed + MARGIN + cell
    s.on[MARGIN + cell] = WEED
    s.beds[bed[-ROW]] -= ONE_OPEN   # an empty space has a name too, that nobody uses yet
    s.beds[bed[-1]] -= ONE_OPEN
    s.beds[bed[1]] -= ONE_OPEN
    s.beds[bed[ROW]] -= ONE_OPEN


cdef void grow(const Tables *t, FlowerpowerState *s, int cell, int variety) noexcept nogil:
    """A flower on a space that is shut: it founds a bed, or enters one beside it and joins it with the others there."""
    cdef uint8_t *on = s.on + MARGIN + cell
    cdef uint8_t mark = <uint8_t>(variety + 1)
    cdef int beside = (on[-ROW] == mark) | (on[-1] == mark) << 1 | (on[1] == mark) << 2 | (on[ROW] == mark) << 3
    cdef Bed new = t.new_bed[cell] + ONE_OPEN * <uint32_t>((on[-ROW] == 0) + (on[-1] == 0) + (on[1] == 0) + (on[ROW] == 0))
    on[0] = mark
    set_bit(&s.members[variety], cell)
    if beside:
        enter_bed(t, s, cell, beside, new)
    else:
        s.next[cell] = <uint8_t>cell
        s.beds[cell] = new
        if t.points[1]:
            count_points(t, s, new, 1)


cdef void enter_bed(const Tables *t, FlowerpowerState *s, int cell, int beside, Bed new) noexcept nogil:
    """A flower enters a bed beside it; bits of `beside` say where its variety is: above, left, right, below."""
    cdef int near = cell + t.offset[lowest_bit(beside)]
    cdef int name = s.bed[MARGIN + near]
    cdef int other
    cdef Bed joined
    cdef Bed bed = s.beds[name]
    count_points(t, s, bed, -1)
    bed += new
    s.bed[MARGIN + cell] = <uint8_t>name
    s.next[cell] = s.next[near]
    s.next[near] = <uint8_t>cell
    beside &= beside - 1
    while beside:
        other = s.bed[MARGIN + cell + t.offset[lowest_bit(beside)]]
        beside &= beside - 1
        if other != name:
            joined = s.beds[other]
            count_points(t, s, joined, -1)
            if size_of(joined) > size_of(bed):
                rename(s, name, other)
                name = other
            else:
                rename(s, other, name)
            bed += joined
    s.beds[name] = bed
    count_points(t, s, bed, 1)


cdef void rename(FlowerpowerState *s, int gone, int into) noexcept nogil:
    """All flowers of a bed take the name of another, and their ring goes on through its ring."""
    cdef int cell = gone
    s.beds[gone] = 0
    while True:
        s.bed[MARGIN + cell] = <uint8_t>into
        if s.next[cell] == gone:
            break
        cell = s.next[cell]
    # two rings with their ways on exchanged are one
    s.next[cell] = s.next[into]
    s.next[into] = <uint8_t>gone


# The same by flood fill, where beds are not kept

cdef void count_all_points(const Tables *t, FlowerpowerState *s) noexcept nogil:
    """Points by the members of each variety; singles together, and pairs not at all where they count nothing."""
    cdef Board beside, seeds, bed
    cdef int variety, cell, player, i
    memset(s.score, 0, sizeof(s.score))
    for variety in range(VARIETIES):
        neighbours(&s.members[variety], &s.members[variety], &beside)
        if t.points[1]:
            for player in range(t.players):
                for i in range(4):
                    s.score[player] += t.points[1] * popcount(
                        s.members[variety].rows[i] & ~beside.rows[i] & t.sides[player].rows[i])
        seeds = beside
        if t.points[2] == 0:
            crowded(&s.members[variety], &seeds)
        while True:
            cell = first_cell(&seeds)
            if cell < 0:
                break
            flood(&beside, cell, &bed)
            count_points(t, s, bed_of(t, &bed), 1)
            for i in range(4):
                seeds.rows[i] &= ~bed.rows[i]


cdef inline Bed bed_of(const Tables *t, const Board *members) noexcept nogil:
    """A bed without its open sides."""
    cdef Board own
    cdef Bed bed = count_bits(members)
    meet(members, &t.sides[0], &own)
    bed |= <uint32_t>count_bits(&own) << 8
    meet(members, &t.sides[1], &own)
    return bed | <uint32_t>count_bits(&own) << 16


cdef int list_beds(const Tables *t, const FlowerpowerState *s, Bed *beds, uint8_t *varieties) noexcept nogil:
    """Every bed and its variety, at most `CELLS`; returns their number."""
    cdef Board left, bed
    cdef int n = 0
    cdef int variety, cell, i
    if not s.light:
        for cell in range(CELLS):
            if size_of(s.beds[cell]):
                beds[n] = s.beds[cell]
                varieties[n] = s.on[MARGIN + cell] - 1
                n += 1
        return n
    for variety in range(VARIETIES):
        left = s.members[variety]
        while True:
            cell = first_cell(&left)
            if cell < 0:
                break
            flood(&left, cell, &bed)
            beds[n] = bed_of(t, &bed)
            varieties[n] = <uint8_t>variety
            n += 1
            for i in range(4):
                left.rows[i] &= ~bed.rows[i]
    return n


# The turn

cdef inline bint can_lay(const Tables *t, const FlowerpowerState *s, int player) noexcept nogil:
    return meets(&s.across, &t.across[player]) or meets(&s.down, &t.down[player])


cdef inline bint has_weed(const Tables *t, const FlowerpowerState *s, int player) noexcept nogil:
    return s.weeds_laid[player] < t.weeds_each


cdef inline bint can_weed(const Tables *t, const FlowerpowerState *s, int player) noexcept nogil:
    return has_weed(t, s, player) and (
        meets(&s.across, &t.weed_across[player]) or meets(&s.down, &t.weed_down[player]))


cdef inline bint can_place(const Tables *t, const FlowerpowerState *s, int player) noexcept nogil:
    """Whether a player is still in the game: spaces only fill, so who is out stays out."""
    return can_lay(t, s, player) or (t.weed_counts_as_legal and can_weed(t, s, player))


cdef inline void fill(const Tables *t, FlowerpowerState *s, int place) noexcept nogil:
    """The two spaces of a place are filled. By whole boards, since boards are read as vectors soon after."""
    cdef const Spared *spared = &t.spared[place]
    cdef int i
    for i in range(4):
        s.empty.rows[i] &= spared.empty.rows[i]
        s.across.rows[i] &= spared.across.rows[i]
        s.down.rows[i] &= spared.down.rows[i]


cdef inline void go_on(const Tables *t, FlowerpowerState *s) noexcept nogil:
    """To the next one who can place, if a tile is left for him."""
    cdef int other = t.players - 1 - s.turn
    s.phase = DRAW
    if s.left == 0:
        s.phase = OVER
    elif can_place(t, s, other):
        s.turn = <uint8_t>other
    elif not can_place(t, s, s.turn):
        s.phase = OVER
    if s.phase == OVER:
        s.turn = 0   # nobody's
        if s.light:
            count_all_points(t, s)
    s.tile = 0


cdef inline void take(FlowerpowerState *s, int kind) noexcept nogil:
    """A tile leaves the bag: the mark of its kind goes from the last level that has one."""
    cdef uint64_t bit = <uint64_t>1 << kind
    cdef int level
    for level in range(COPIES - 1):
        s.bag[level] &= ~(bit & ~s.bag[level + 1])
    s.bag[COPIES - 1] &= ~bit
    s.left -= 1


cdef inline void add_tile(uint64_t *bag, int kind) noexcept nogil:
    cdef uint64_t bit = <uint64_t>1 << kind
    cdef int level = 0
    while bag[level] & bit:
        level += 1
    bag[level] |= bit


cdef inline void put_back(FlowerpowerState *s, int kind) noexcept nogil:
    add_tile(s.bag, kind)
    s.left += 1


cdef inline int copies_in(const uint64_t *bag, int kind) noexcept nogil:
    cdef int level
    cdef int copies = 0
    for level in range(COPIES):
        copies += (bag[level] >> kind) & 1
    return copies


cdef inline int draw_kind(const FlowerpowerState *s, Rng *rng) noexcept nogil:
    """The kind of a random tile of the bag, in constant time: every level holds one tile of each of its kinds."""
    cdef int rank = below(rng, s.left)
    cdef int level = select_word(s.bag, COPIES, &rank)
    return select_bit(s.bag[level], rank)


cdef inline bint is_double(const Tables *t, int kind) noexcept nogil:
    return t.variety[kind][0] == t.variety[kind][1]


cdef inline void lay(const Tables *t, FlowerpowerState *s, int32_t action) noexcept nogil:
    cdef int cell = action >> 2
    cdef int other = cell + 1 + (ROW - 1) * ((action >> 1) & 1)
    cdef int turned = action & 1
    if s.light:
        set_bit(&s.members[t.variety[s.tile][turned]], cell)
        set_bit(&s.members[t.variety[s.tile][1 - turned]], other)
    else:
        shut(s, cell)
        shut(s, other)
        grow(t, s, cell, t.variety[s.tile][turned])
        grow(t, s, other, t.variety[s.tile][1 - turned])
    fill(t, s, action >> 1)
    go_on(t, s)


cdef void lay_weed(const Tables *t, FlowerpowerState *s, int32_t action) noexcept nogil:
    cdef int place = action - WEED_BASE
    cdef int cell = place >> 1
    cdef int other = cell + (ROW if place & 1 else 1)
    enter_weed(s, s.turn, place, s.tile)
    shut(s, cell)
    shut(s, other)
    fill(t, s, place)
    go_on(t, s)


cdef void enter_weed(FlowerpowerState *s, int player, int place, int kind) noexcept nogil:
    """Among the player's weeds, by place."""
    cdef Weed *weeds = s.weeds[player]
    cdef int i = s.weeds_laid[player]
    while i > 0 and weeds[i - 1].place > place:
        weeds[i] = weeds[i - 1]
        i -= 1
    weeds[i].place = <uint16_t>place
    weeds[i].kind = <uint8_t>kind
    s.weeds_laid[player] += 1


# The contract

cdef void start(const void *tables, void *state) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef FlowerpowerState *s = <FlowerpowerState *>state
    memcpy(s.on, t.on, sizeof(s.on))
    memcpy(s.bed, t.bed, sizeof(s.bed))
    memcpy(s.bag, t.bag, sizeof(s.bag))
    s.left = <uint8_t>t.tiles
    s.empty = t.board
    pairs_across(&s.empty, &s.across)
    pairs_down(&s.empty, &s.down)
    if t.first < 0:
        s.phase = FIRST
    else:
        s.turn = <uint8_t>t.first
        s.phase = DRAW


cdef int actor(const void *tables, const void *state) noexcept nogil:
    cdef const FlowerpowerState *s = <const FlowerpowerState *>state
    if s.phase == PLACE:
        return s.turn
    return TERMINAL if s.phase == OVER else CHANCE


cdef bint simultaneous(const void *tables, const void *state) noexcept nogil:
    return False


cdef int actions(const void *tables, const void *state, int32_t *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const FlowerpowerState *s = <const FlowerpowerState *>state
    cdef Board across, down
    cdef int n
    if s.phase != PLACE:
        return 0
    meet(&s.across, &t.across[s.turn], &across)
    meet(&s.down, &t.down[s.turn], &down)
    n = list_places(&across, &down, 0, 2, 1 if is_double(t, s.tile) else 2, out)
    if has_weed(t, s, s.turn):
        meet(&s.across, &t.weed_across[s.turn], &across)
        meet(&s.down, &t.weed_down[s.turn], &down)
        n += list_places(&across, &down, WEED_BASE, 1, 1, out + n)
    return n


cdef inline int list_places(
    const Board *across, const Board *down, int base, int times, int ways, int32_t *out
) noexcept nogil:
    """`base` + `times` * place for every place, and the number after it where there are two ways; returns how many."""
    cdef uint64_t left
    cdef int n = 0
    cdef int word, bit, place
    for word in range(4):
        left = across.rows[word] | down.rows[word]
        while left:
            bit = lowest_bit(left)
            left &= left - 1
            place = 2 * (64 * word + bit)
            if (across.rows[word] >> bit) & 1:
                out[n] = base + times * place
                out[n + ways - 1] = base + times * place + ways - 1
                n += ways
            if (down.rows[word] >> bit) & 1:
                out[n] = base + times * (place + 1)
                out[n + ways - 1] = base + times * (place + 1) + ways - 1
                n += ways
    return n


cdef int32_t random_action(const void *tables, const void *state, Rng *rng) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const FlowerpowerState *s = <const FlowerpowerState *>state
    cdef uint64_t[8] laid, weeded     # across, then down
    cdef int turnable = not is_double(t, s.tile)
    cdef int weeds = 0
    cdef int lays, rank, turned, word
    lays = meet_both(s, &t.across[s.turn], &t.down[s.turn], laid) << turnable
    if has_weed(t, s, s.turn):
        weeds = meet_both(s, &t.weed_across[s.turn], &t.weed_down[s.turn], weeded)
    rank = below(rng, lays + weeds)
    if rank < lays:
        turned = rank & turnable
        rank >>= turnable
        word = select_word(laid, 8, &rank)
        return (64 * (word & 3) + select_bit(laid[word], rank)) * 4 + (word >> 2) * 2 + turned
    rank -= lays
    word = select_word(weeded, 8, &rank)
    return WEED_BASE + (64 * (word & 3) + select_bit(weeded[word], rank)) * 2 + (word >> 2)


cdef inline int meet_both(
    const FlowerpowerState *s, const Board *across, const Board *down, uint64_t *out
) noexcept nogil:
    """The pairs of empty spaces that lie so, across and then down; returns their number."""
    cdef int n = 0
    cdef int i
    for i in range(4):
        out[i] = s.across.rows[i] & across.rows[i]
        out[4 + i] = s.down.rows[i] & down.rows[i]
    for i in range(8):
        n += popcount(out[i])
    return n


cdef bint is_legal(const void *tables, const void *state, int32_t action) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const FlowerpowerState *s = <const FlowerpowerState *>state
    cdef int cell
    if action < 0:
        return False
    if s.phase == PLACE:
        if action < WEED_BASE:
            cell = action >> 2
            if action & 1 and is_double(t, s.tile):
                return False
            if action & 2:
                return has_bit(&s.down, cell) and has_bit(&t.down[s.turn], cell)
            return has_bit(&s.across, cell) and has_bit(&t.across[s.turn], cell)
        if action >= ACTIONS or not has_weed(t, s, s.turn):
            return False
        cell = (action - WEED_BASE) >> 1
        if action & 1:
            return has_bit(&s.down, cell) and has_bit(&t.weed_down[s.turn], cell)
        return has_bit(&s.across, cell) and has_bit(&t.weed_across[s.turn], cell)
    if s.phase == DRAW:
        return action < KINDS and (s.bag[0] >> action) & 1
    return s.phase == FIRST and action < t.players


cdef void apply(const void *tables, void *state, int32_t action) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef FlowerpowerState *s = <FlowerpowerState *>state
    if s.phase == PLACE:
        if action < WEED_BASE:
            lay(t, s, action)
        else:
            lay_weed(t, s, action)
    elif s.phase == DRAW:
        take(s, action)
        s.tile = <uint8_t>action
        s.phase = PLACE
    else:
        s.turn = <uint8_t>action
        s.phase = DRAW


cdef int outcomes(const void *tables, const void *state, int32_t *out, double *probability) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const FlowerpowerState *s = <const FlowerpowerState *>state
    cdef int n = 0
    cdef uint64_t left
    if s.phase == FIRST:
        for n in range(t.players):
            out[n] = n
            probability[n] = 1.0 / t.players
        return t.players
    if s.phase != DRAW:
        return 0
    left = s.bag[0]
    while left:
        out[n] = lowest_bit(left)
        probability[n] = <double>copies_in(s.bag, out[n]) / s.left
        left &= left - 1
        n += 1
    return n


cdef int32_t draw(const void *tables, const void *state, Rng *rng) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const FlowerpowerState *s = <const FlowerpowerState *>state
    if s.phase == DRAW:
        return draw_kind(s, rng)
    return below(rng, t.players)


cdef void withdraw(const void *tables, void *state) noexcept nogil:
    pass


cdef void lighten(const void *tables, void *state) noexcept nogil:
    (<FlowerpowerState *>state).light = True


cdef inline bint is_tile_hidden(const Tables *t, const FlowerpowerState *s, int observer) noexcept nogil:
    """Whether a tile is drawn that the observer does not see."""
    return s.phase == PLACE and s.turn != observer and observer != ALL and t.players > 1


cdef inline bint is_weed_hidden(const Tables *t, int player, int observer) noexcept nogil:
    """Whether the observer does not know what the player's weeds hide."""
    return player != observer and observer != ALL and not t.open_weeds


cdef double redeal(const void *tables, void *state, int observer, Rng *rng) noexcept nogil:
    """The tile just drawn, if another has it, and the weeds of others go back into the bag and are drawn anew."""
    cdef const Tables *t = <const Tables *>tables
    cdef FlowerpowerState *s = <FlowerpowerState *>state
    cdef bint drawn = is_tile_hidden(t, s, observer)
    cdef int player, i
    if drawn:
        put_back(s, s.tile)
    for player in range(t.players):
        if is_weed_hidden(t, player, observer):
            for i in range(s.weeds_laid[player]):
                put_back(s, s.weeds[player][i].kind)
    for player in range(t.players):
        if is_weed_hidden(t, player, observer):
            for i in range(s.weeds_laid[player]):
                s.weeds[player][i].kind = <uint8_t>take_any(s, rng)
    if drawn:
        s.tile = <uint8_t>take_any(s, rng)
    return 0.0


cdef inline int take_any(FlowerpowerState *s, Rng *rng) noexcept nogil:
    cdef int kind = draw_kind(s, rng)
    take(s, kind)
    return kind


cdef uint64_t key(const void *tables, const void *state, int observer, int grain) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const FlowerpowerState *s = <const FlowerpowerState *>state
    cdef uint64_t words[KEY_WORDS]
    cdef Weed weeds[PLAYERS][WEEDS]
    cdef int tile = s.tile
    cdef int player, i
    memcpy(words, s.on + MARGIN, CELLS)
    memcpy(weeds, s.weeds, sizeof(weeds))
    for player in range(t.players):
        if is_weed_hidden(t, player, observer):
            for i in range(WEEDS):
                weeds[player][i].kind = 0
    memcpy(words + 32, weeds, sizeof(weeds))
    if is_tile_hidden(t, s, observer):
        tile = 0
    elif grain > 0 and s.phase == PLACE:
        tile = is_double(t, tile)   # only a mixed tile can be turned
    words[35] = (<uint64_t>tile | <uint64_t>s.turn << 8 | <uint64_t>s.phase << 16
                 | <uint64_t>s.weeds_laid[0] << 24 | <uint64_t>s.weeds_laid[1] << 32)
    # what lies on the board and who has seen what tells what is in the bag
    for i in range(COPIES):
        words[36 + i] = s.bag[i] if observer == ALL else 0
    words[36 + COPIES] = 0   # words are hashed in pairs
    return hash_words(words, KEY_WORDS, observer + 2 if observer >= 0 else 1)


cdef void scores(const void *tables, const void *state, double *out) noexcept nogil:
    cdef int player
    for player in range((<const Tables *>tables).players):
        out[player] = (<const FlowerpowerState *>state).score[player]


cdef void components(const void *tables, const void *state, double *out) noexcept nogil:
    """Points by variety."""
    cdef const Tables *t = <const Tables *>tables
    cdef Bed[CELLS] beds
    cdef uint8_t[CELLS] varieties
    cdef int n = list_beds(t, <const FlowerpowerState *>state, beds, varieties)
    cdef int i, owner
    memset(out, 0, t.players * VARIETIES * sizeof(double))
    for i in range(n):
        owner = owner_of(beds[i])
        if owner != NOBODY:
            out[owner * VARIETIES + varieties[i]] += t.points[size_of(beds[i])]


cdef void placing(const void *tables, const void *state, int32_t *out) noexcept nogil:
    """By points; of equal ones, by the sizes of the beds owned, largest first."""
    cdef const Tables *t = <const Tables *>tables
    cdef double[PLAYERS] points
    cdef int[LARGEST + 1] surplus     # beds of each size that player 0 owns more than player 1
    cdef Bed[CELLS] beds
    cdef uint8_t[CELLS] varieties
    cdef int n, i, size, owner
    scores(tables, state, points)
    places_from_scores(t.players, points, out)
    if t.players == 1 or points[0] != points[1]:
        return
    memset(surplus, 0, sizeof(surplus))
    n = list_beds(t, <const FlowerpowerState *>state, beds, varieties)
    for i in range(n):
        owner = owner_of(beds[i])
        if owner != NOBODY:
            surplus[size_of(beds[i])] += 1 - 2 * owner
    for size in range(LARGEST, 0, -1):
        if surplus[size]:
            out[surplus[size] > 0] = 2
            return


cdef enum:
    MARGIN_SCALE = 10    # points by which a clear win is won


cdef void utilities(const void *tables, const void *state, double *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef double points[PLAYERS]
    cdef int32_t places[PLAYERS]
    scores(tables, state, points)
    if t.players == 1:
        out[0] = points[0] / t.score_high
        return
    placing(tables, state, places)
    final_utilities(t.players, points, places, MARGIN_SCALE, out)


# Evaluation and policy: tables by size, open sides and flowers to come of every bed, and a few numbers of the move itself
# (flowerpower.json says how they were made)

cdef inline int coming_step(int flowers) noexcept nogil:
    return 0 if flowers == 0 else 1 if flowers < 5 else 2 if flowers < 10 else 3


cdef inline int stage_of(const Tables *t, const FlowerpowerState *s, int stages) noexcept nogil:
    """By the tiles left in the bag; 0 is the start."""
    return min(stages - 1, (t.tiles - s.left) * stages // t.tiles)


# What one player's moves are judged by, found once a decision.
ctypedef struct Outlook:
    int player
    int stage                     # where the features of this stage begin
    uint8_t coming[VARIETIES]     # step of the flowers he has not seen: in the bag or under a rival's weed
    Board frontier[2]             # empty spaces beside flowers of the tile's first and second variety
    Board lonely                  # empty spaces with at most one empty space beside


cdef void count_coming(const Tables *t, const FlowerpowerState *s, int player, uint8_t *out) noexcept nogil:
    """The step of the flowers of each variety that a player has not seen."""
    cdef int left[VARIETIES]
    cdef int other, i, variety
    for variety in range(VARIETIES):
        left[variety] = t.flowers[variety] - count_bits(&s.members[variety])
    for other in range(t.players):
        if other == player or t.open_weeds:
            for i in range(s.weeds_laid[other]):
                left[t.variety[s.weeds[other][i].kind][0]] -= 1
                left[t.variety[s.weeds[other][i].kind][1]] -= 1
    if s.phase == PLACE and s.turn == player:
        left[t.variety[s.tile][0]] -= 1
        left[t.variety[s.tile][1]] -= 1
    for variety in range(VARIETIES):
        out[variety] = <uint8_t>coming_step(left[variety])


cdef void look_out(const Tables *t, const FlowerpowerState *s, Outlook *out) noexcept nogil:
    """Of the one to move."""
    cdef int i
    out.player = s.turn
    out.stage = BED_FEATURES + stage_of(t, s, STAGES) * STAGE_FEATURES
    count_coming(t, s, s.turn, out.coming)
    neighbours(&s.members[t.variety[s.tile][0]], &s.empty, &out.frontier[0])
    neighbours(&s.members[t.variety[s.tile][1]], &s.empty, &out.frontier[1])
    crowded(&s.empty, &out.lonely)
    for i in range(4):
        out.lonely.rows[i] = s.empty.rows[i] & ~out.lonely.rows[i]


cdef inline void add_bed(
    const Tables *t, Sum *sum, Bed bed, int player, int coming, int times
) noexcept nogil:
    """What a bed is worth to a player: less than nothing where it is his rival's."""
    cdef int size = size_of(bed)
    cdef int own = side_of(bed, player)
    cdef int rivals = side_of(bed, 1 - player)
    cdef int most, lead
    if own < rivals:
        own, rivals = rivals, own
        times = -times
    if own == rivals:
        return
    if rivals:
        lead = min(own - rivals, LEADS)
        add_feature(sum, HELD + (0 if size < 3 else 1 if size < 6 else 2 if size < 10 else 3) * LEADS + lead - 1, times)
        return
    most = min(size, SIZES) - 1
    add_feature(sum, BY_OPEN + most * OPENS + min(open_of(bed), OPENS - 1), times)
    add_feature(sum, BY_COMING + most * COMINGS + coming, times)


# A bed beside a tile to be laid.
ctypedef struct Beside:
    uint8_t bed          # its name
    uint8_t shut         # open sides that the tile takes
    uint8_t flowers      # bits: which of the tile's flowers it takes in


cdef inline void add_move(
    const Tables *t, const FlowerpowerState *s, const Outlook *outlook, int32_t action, Sum *sum
) noexcept nogil:
    """What a move does for the mover: to the beds beside it, to the room left, and the bed that its flowers are then in."""
    cdef int player = outlook.player
    cdef bint weed = action >= WEED_BASE
    cdef int place = action - WEED_BASE if weed else action >> 1
    cdef int turned = 0 if weed else action & 1
    cdef int cell = place >> 1
    cdef int other = cell + 1 + (ROW - 1) * (place & 1)
    cdef const int *offsets = t.around[place & 1]
    cdef int[2] variety
    cdef int[2] room
    cdef Beside[6] beside
    cdef Bed bed, one, two
    cdef int count = 0
    cdef int near, name, on, i, k, flower, coming
    variety[0] = -2 if weed else t.variety[s.tile][turned]
    variety[1] = -2 if weed else t.variety[s.tile][1 - turned]
    room[0] = 0
    room[1] = 0
    for i in range(6):
        near = cell + offsets[i]
        flower = i >= 3
        on = s.on[MARGIN + near]
        if on == 0:
            room[flower] += 1
            if has_bit(&outlook.lonely, near):
                add_feature(sum, outlook.stage + (RIVAL_HOLES if t.zone[near] == 1 - player else HOLES), 1)
        elif on < WEED:
            name = s.bed[MARGIN + near]
            k = 0
            while k < count and beside[k].bed != name:
                k += 1
            if k == count:
                beside[k].bed = <uint8_t>name
                beside[k].shut = 0
                beside[k].flowers = 0
                count += 1
            beside[k].shut += 1
            beside[k].flowers |= <uint8_t>((on == variety[flower] + 1) << flower)
    add_feature(sum, outlook.stage + ROOM, room[0] + room[1])
    for i in range(count):
        bed = s.beds[beside[i].bed]
        coming = outlook.coming[s.on[MARGIN + beside[i].bed] - 1]
        add_bed(t, sum, bed, player, coming, -1)
        if beside[i].flowers == 0:
            add_bed(t, sum, bed - ONE_OPEN * beside[i].shut, player, coming, 1)
    if weed:
        add_feature(sum, outlook.stage + WEEDED, 1)
        return
    one = t.new_bed[cell] + ONE_OPEN * <uint32_t>room[0]
    two = t.new_bed[other] + ONE_OPEN * <uint32_t>room[1]
    if variety[0] == variety[1]:
        add_grown(t, s, outlook, sum, beside, count, 3, variety[0], one + two)
    else:
        add_grown(t, s, outlook, sum, beside, count, 1, variety[0], one)
        add_grown(t, s, outlook, sum, beside, count, 2, variety[1], two)
    add_feature(sum, outlook.stage + IN_STRIP, (t.zone[cell] == STRIP) + (t.zone[other] == STRIP))
    add_links(s, sum, outlook, turned, cell, offsets)
    add_links(s, sum, outlook, 1 - turned, other, offsets)


cdef inline void add_grown(
    const Tables *t, const FlowerpowerState *s, const Outlook *outlook, Sum *sum, const Beside *beside, int count, int flowers,
    int variety, Bed grown
) noexcept nogil:
    """The bed that takes in one of a tile's flowers (or both, `flowers` 3), as it is then."""
    cdef int i
    for i in range(count):
        if beside[i].flowers & flowers:
            grown += s.beds[beside[i].bed] - ONE_OPEN * beside[i].shut
    add_bed(t, sum, grown, outlook.player, outlook.coming[variety], 1)


cdef inline void add_links(
    const FlowerpowerState *s, Sum *sum, const Outlook *outlook, int flower, int cell, const int *offsets
) noexcept nogil:
    """Empty spaces beside a flower that founds a bed which are beside another bed of its variety too."""
    cdef const Board *frontier = &outlook.frontier[flower]
    if not has_bit(frontier, cell):
        add_feature(sum, outlook.stage + LINKS, has_bit(frontier, (cell + 1) & (CELLS - 1)) + has_bit(frontier, cell - 1)
                    + has_bit(frontier, (cell + ROW) & (CELLS - 1)) + has_bit(frontier, (cell - ROW) & (CELLS - 1)))


cdef inline int gain(const Tables *t, const FlowerpowerState *s, const Outlook *outlook, int32_t action) noexcept nogil:
    """How good a move is at a glance: expected points of margin, in units of 1 / SCALE."""
    cdef Sum sum
    sum.weights = t.move_weights
    sum.dense = NULL
    sum.value = 0
    add_move(t, s, outlook, action, &sum)
    return sum.value


cdef void add_position(const Tables *t, const FlowerpowerState *s, int player, Sum *sum) noexcept nogil:
    """What the beds promise a player; his rival's beds do not count."""
    cdef uint8_t[VARIETIES] coming
    cdef Bed bed
    cdef int cell
    count_coming(t, s, player, coming)
    for cell in range(CELLS):
        bed = s.beds[cell]
        if size_of(bed) and side_of(bed, player) > side_of(bed, 1 - player):
            add_bed(t, sum, bed, player, coming[s.on[MARGIN + cell] - 1], 1)


cdef void evaluate(const void *tables, const void *state, double *utility, double *score) noexcept nogil:
    """The points that the beds promise; the share of the first place by how much such margins have meant."""
    cdef const Tables *t = <const Tables *>tables
    cdef const FlowerpowerState *s = <const FlowerpowerState *>state
    cdef Sum sum
    cdef int player, stage
    if s.phase == OVER:
        scores(tables, state, score)
        utilities(tables, state, utility)
        return
    stage = stage_of(t, s, POSITION_STAGES)
    for player in range(t.players):
        sum.weights = t.move_weights
        sum.dense = NULL
        sum.value = 0
        add_position(t, s, player, &sum)
        score[player] = t.base[stage] + t.slope[stage] * sum.value / SCALE
    if t.players == 1:
        utility[0] = min(1.0, max(0.0, score[0] / t.score_high))
    else:
        estimated_utilities(t.players, score, t.certainty[stage], MARGIN_SCALE, utility)


cdef float PRIOR_FLOOR = <float>1e-6


cdef void priors(const void *tables, const void *state, int n, const int32_t *ids, float *out) noexcept nogil:
    """A softmax of the gains."""
    cdef const Tables *t = <const Tables *>tables
    cdef const FlowerpowerState *s = <const FlowerpowerState *>state
    cdef Outlook outlook
    cdef int i
    look_out(t, s, &outlook)
    for i in range(n):
        out[i] = <float>gain(t, s, &outlook, ids[i]) / SCALE
    priors_from_gains(n, t.sharpness, PRIOR_FLOOR, out)


cdef int32_t policy_action(const void *tables, const void *state, Rng *rng) noexcept nogil:
    """The best by gain of a few candidates, most of them beside flowers of the same variety."""
    cdef const Tables *t = <const Tables *>tables
    cdef const FlowerpowerState *s = <const FlowerpowerState *>state
    cdef Outlook outlook
    cdef Board[2] reach
    cdef int32_t best = -1
    cdef int32_t action
    cdef int best_gain = 0
    cdef int i, flower, value
    cdef int[2] sizes
    look_out(t, s, &outlook)
    for flower in range(2):
        meet(&outlook.frontier[flower], &t.reach[s.turn], &reach[flower])
        sizes[flower] = count_bits(&reach[flower])
    for i in range(t.candidates):
        flower = i & 1
        action = -1
        if i < t.candidates - 1 and sizes[flower]:
            action = grow_at(t, s, flower, select_cell(&reach[flower], below(rng, sizes[flower])), rng)
        if action < 0:
            action = random_action(tables, state, rng)
        value = gain(t, s, &outlook, action)
        if best < 0 or value > best_gain:
            best = action
            best_gain = value
    return best


cdef inline int32_t grow_at(const Tables *t, const FlowerpowerState *s, int flower, int cell, Rng *rng) noexcept nogil:
    """A random way to lay the tile with one of its flowers on this space; -1 where there is none."""
    cdef int32_t[4] ways
    cdef int n = 0
    cdef const Board *across = &t.across[s.turn]
    cdef const Board *down = &t.down[s.turn]
    cdef int turned = flower != 0 and not is_double(t, s.tile)
    cdef int turned_back = flower == 0 and not is_double(t, s.tile)
    if has_bit(&s.across, cell) and has_bit(across, cell):
        ways[n] = cell * 4 + turned
        n += 1
    if has_bit(&s.down, cell) and has_bit(down, cell):
        ways[n] = cell * 4 + 2 + turned
        n += 1
    if has_bit(&s.across, cell - 1) and has_bit(across, cell - 1):
        ways[n] = (cell - 1) * 4 + turned_back
        n += 1
    if cell >= ROW and has_bit(&s.down, cell - ROW) and has_bit(down, cell - ROW):
        ways[n] = (cell - ROW) * 4 + 2 + turned_back
        n += 1
    return ways[below(rng, n)] if n else -1


cdef int32_t canonical(const void *tables, const void *state, int32_t action) noexcept nogil:
    """On the empty board, the lowest of the mirror images of a move."""
    cdef const Tables *t = <const Tables *>tables
    cdef const FlowerpowerState *s = <const FlowerpowerState *>state
    cdef int32_t lowest = action
    cdef int mirror
    if s.phase != PLACE or not is_bare(t, s):
        return action
    for mirror in range(1, 4):
        if mirror == 1 or t.players == 1:   # two players: left and right only, for the sides differ
            lowest = min(lowest, mirrored(t, action, mirror, is_double(t, s.tile)))
    return lowest


cdef inline bint is_bare(const Tables *t, const FlowerpowerState *s) noexcept nogil:
    return memcmp(&s.empty, &t.board, sizeof(Board)) == 0


cdef int32_t mirrored(const Tables *t, int32_t action, int mirror, bint double) noexcept nogil:
    """The image of a move; bit 0 of `mirror` exchanges left and right, bit 1 above and below."""
    cdef bint weed = action >= WEED_BASE
    cdef int cell = (action - WEED_BASE) >> 1 if weed else action >> 2
    cdef bint down = action & 1 if weed else (action & 2) != 0
    cdef int turned = 0 if weed else action & 1
    cdef int row = cell // ROW
    cdef int column = cell % ROW - 1
    if mirror & 1:
        column = t.columns - 1 - column - (0 if down else 1)
        if not down and not double:
            turned ^= 1
    if mirror & 2:
        row = t.rows - 1 - row - (1 if down else 0)
        if down and not double:
            turned ^= 1
    cell = space_at(row, column)
    return WEED_BASE + cell * 2 + down if weed else cell * 4 + 2 * down + turned


cdef Rules RULES = Rules(
    start=start, actor=actor, simultaneous=simultaneous, actions=actions, random_action=random_action, is_legal=is_legal,
    apply=apply, outcomes=outcomes, draw=draw, withdraw=withdraw, redeal=redeal, rewind=NULL, lighten=lighten, key=key,
    scores=scores, components=components, placing=placing, utilities=utilities, evaluate=evaluate, priors=priors,
    policy_action=policy_action, canonical=canonical)


# Loading

WEIGHTS = json.loads(files("garden_core.games").joinpath("flowerpower.json").read_text())["weights"]

DEFAULTS = {"first": "random", "tiles": "designed", "weeds": "hidden", "weed_counts_as_legal": True}
SETS = ("designed", "misprint2001")
WEED_MODES = ("hidden", "open", "none")


def load(players, options, components):
    """The game for these players, options (see `DEFAULTS`) and components (the plain data of a checked component file).

    Loading the same again gives the same object. Raises `FieldError` where something does not fit the capacities.
    """
    whole("players", players, 1, PLAYERS)
    check_components(components)
    checked = with_defaults(options, DEFAULTS)
    one_of("options.first", checked["first"], ["random", *range(players)])
    one_of("options.tiles", checked["tiles"], SETS)
    one_of("options.weeds", checked["weeds"], WEED_MODES)
    one_of("options.weed_counts_as_legal", checked["weed_counts_as_legal"], [False, True])
    return made_once(Flowerpower, players, checked, components)


cdef class Flowerpower(Game):
    """Flowerpower as loaded; `garden_ai.load` is the usual way to one."""

    cdef Tables *tables
    cdef readonly int rows
    cdef readonly int columns
    cdef readonly tuple strip         # its first row, and the one after its last
    cdef readonly tuple varieties     # names, in the order of the indices
    cdef readonly str letters         # of the varieties
    cdef readonly int weeds_each

    def __cinit__(self):
        self.tables = NULL

    def __dealloc__(self):
        free(self.tables)

    def __init__(self, players, options, components):
        board = components["board"]
        self.rows = 2 * board["side_rows"] + board["strip_rows"]
        self.columns = board["columns"]
        self.strip = (board["side_rows"], board["side_rows"] + board["strip_rows"])
        self.varieties = tuple(components["varieties"]["names"])
        self.letters = "".join(components["varieties"]["letters"])
        self.weeds_each = 0 if players == 1 or options["weeds"] == "none" else components["weeds"]["each"]
        super().__init__("flowerpower", players, options, components, self.varieties, LAYOUT, load)
        self.tables = <Tables *>calloc(1, sizeof(Tables))
        if self.tables == NULL:
            raise MemoryError
        self._fill_tables()
        self._fill_board()
        self._fill_weights()
        cdef const Tables *t = self.tables
        placements = [2 * (count_bits(&t.across[p]) + count_bits(&t.down[p])) + count_bits(&t.weed_across[p])
                      + count_bits(&t.weed_down[p]) for p in range(players)]
        self.loaded.rules = RULES
        self.loaded.tables = self.tables
        self.loaded.state_size = sizeof(FlowerpowerState)
        self.loaded.players = players
        self.loaded.max_actions = max(placements)
        self.loaded.max_outcomes = KINDS
        self.loaded.max_nodes = 1 + 2 * t.tiles
        self.loaded.component_count = VARIETIES
        self.loaded.hidden = players > 1
        self.loaded.utility_low = 0.0
        self.loaded.utility_high = 1.0
        self.loaded.score_low = 0
        self.loaded.score_high = t.score_high

    def _tile_counts(self):
        """How many tiles there are of each pair of varieties."""
        tiles = self.components_data["tiles"]
        counts = {(v, w): tiles["doubles"] if v == w else tiles["mixed"] for v in range(VARIETIES) for w in range(v, VARIETIES)}
        if self.options["tiles"] == "misprint2001":
            missing = self.varieties.index(tiles["misprint2001"]["missing"])
            extra = sorted(self.varieties.index(name) for name in tiles["misprint2001"]["extra"])
            counts[missing, missing] -= 1
            counts[extra[0], extra[1]] += 1
        return counts

    def _fill_tables(self):
        cdef Tables *t = self.tables
        cdef int kind = 0
        cdef int level, size
        beds = self.components_data["beds"]
        t.players = self.players
        t.rows = self.rows
        t.columns = self.columns
        t.weeds_each = self.weeds_each
        t.open_weeds = self.options["weeds"] == "open"
        t.weed_counts_as_legal = self.options["weed_counts_as_legal"]
        t.first = 0 if self.players == 1 else -1 if self.options["first"] == "random" else self.options["first"]
        for (v, w), count in self._tile_counts().items():
            t.variety[kind][0] = v
            t.variety[kind][1] = w
            t.kind[<int>v][<int>w] = kind
            t.kind[<int>w][<int>v] = kind
            for level in range(count):
                t.bag[level] |= <uint64_t>1 << kind
            t.flowers[<int>v] += count
            t.flowers[<int>w] += count
            t.tiles += count
            kind += 1
        for size in range(1, LARGEST + 1):
            t.points[size] = size * size if self.players == 1 else max(
                [points for least, points in zip(beds["sizes"], beds["points"], strict=True) if size >= least], default=0)
        t.offset[:] = [-ROW, -1, 1, ROW]
        t.around[0][:] = [-ROW, -1, ROW, 1 - ROW, 2, 1 + ROW]
        t.around[1][:] = [-ROW, -1, 1, ROW - 1, ROW + 1, 2 * ROW]
        t.score_high = sum(_most_points([t.points[size] for size in range(LARGEST + 1)], t.flowers[v]) for v in range(VARIETIES))

    def _fill_board(self):
        cdef Tables *t = self.tables
        cdef int player, cell
        memset(t.on, WEED + 1, sizeof(t.on))   # neither empty nor a flower, all around
        for row in range(self.rows):
            zone = LOW if self.players == 1 or row < self.strip[0] else STRIP if row < self.strip[1] else HIGH
            for column in range(self.columns):
                cell = space_at(row, column)
                t.zone[cell] = zone
                t.on[MARGIN + cell] = 0
                t.bed[MARGIN + cell] = cell
                t.new_bed[cell] = 1
                set_bit(&t.board, cell)
                if zone != STRIP:
                    t.new_bed[cell] |= 0x100 << (8 * zone)
                    set_bit(&t.sides[<int>zone], cell)
        self._fill_spared()
        for player in range(self.players):
            for i in range(4):
                t.reach[player].rows[<int>i] = t.board.rows[<int>i]
                if self.players > 1:
                    t.reach[player].rows[<int>i] &= ~t.sides[1 - player].rows[<int>i]
            pairs_across(&t.reach[player], &t.across[player])
            pairs_down(&t.reach[player], &t.down[player])
            if self.weeds_each:
                pairs_across(&t.sides[1 - player], &t.weed_across[player])
                pairs_down(&t.sides[1 - player], &t.weed_down[player])

    def _fill_spared(self):
        """A pair of empty spaces goes where either space is filled."""
        cdef Spared *spared
        cdef int place, cell, other, gone
        for place in range(2 * CELLS):
            spared = &self.tables.spared[place]
            memset(spared, 0xFF, sizeof(Spared))
            cell = place >> 1
            other = cell + (ROW if place & 1 else 1)
            for gone in (cell, other):
                if gone < CELLS:
                    clear_bit(&spared.empty, gone)
                    clear_bit(&spared.across, gone)
                    clear_bit(&spared.down, gone)
                    if gone > 0:
                        clear_bit(&spared.across, gone - 1)
                    if gone >= ROW:
                        clear_bit(&spared.down, gone - ROW)

    def _fill_weights(self):
        cdef Tables *t = self.tables
        weights = WEIGHTS[str(self.players)]
        for i in range(MOVE_FEATURES):
            t.move_weights[<int>i] = round(SCALE * weights["move"][i])
        for i in range(POSITION_STAGES):
            t.base[<int>i] = weights["base"][i]
            t.slope[<int>i] = weights["slope"][i]
            t.certainty[<int>i] = weights["certainty"][i]
        t.sharpness = weights["sharpness"]
        t.candidates = weights["candidates"]

    def side(self, row):
        """Whose side a row is on: a seat, or -1 for the strip; alone all is one's own."""
        return 0 if self.players == 1 or row < self.strip[0] else -1 if row < self.strip[1] else 1

    # Steps: actions and outcomes spelt out

    def phase(self, State state not None):
        """One of `PHASES`."""
        self.check(state)
        return PHASES[(<FlowerpowerState *>state.data).phase]

    def step(self, State state not None, int32_t id):
        """An action or outcome spelt out: ("lay", (row, column, variety), (row, column, variety)) and ("weed", (row, column),
        (row, column)), the upper or left space first, ("draw", variety, variety) or ("first", player). It must be possible.
        """
        self.check(state)
        cdef const Tables *t = self.tables
        cdef const FlowerpowerState *s = <const FlowerpowerState *>state.data
        phase = self.phase(state)
        if phase == "first":
            return phase, id
        if phase == "draw":
            return phase, t.variety[id][0], t.variety[id][1]
        if id >= WEED_BASE:
            one, other = self._spaces(id - WEED_BASE)
            return "weed", one, other
        one, other = self._spaces(id >> 1)
        return "lay", (*one, t.variety[s.tile][id & 1]), (*other, t.variety[s.tile][1 - (id & 1)])

    def _spaces(self, place):
        """(row, column) of the two spaces of a place."""
        row, column = row_and_column(place >> 1)
        return (row, column), (row + (place & 1), column + 1 - (place & 1))

    def step_id(self, State state not None, step):
        """The inverse of `step`, spaces and varieties in either order; -1 where no such step exists in the state's phase.
        It need not be possible.
        """
        self.check(state)
        cdef const Tables *t = self.tables
        cdef const FlowerpowerState *s = <const FlowerpowerState *>state.data
        phase = self.phase(state)
        kind, *rest = step
        if kind in ("lay", "weed") and phase == "place":
            one, other = sorted(tuple(space) for space in rest)
            place = self._place(one[:2], other[:2])
            if place < 0 or kind == "weed":
                return place if place < 0 else WEED_BASE + place
            drawn = t.variety[s.tile][0], t.variety[s.tile][1]
            laid = one[2], other[2]
            return place * 2 + (laid != drawn) if sorted(laid) == sorted(drawn) else -1
        if kind == "draw" == phase:
            v, w = rest
            return t.kind[<int>v][<int>w] if v in range(VARIETIES) and w in range(VARIETIES) else -1
        return rest[0] if kind == "first" == phase else -1

    def _place(self, one, other):
        """The place of two spaces (row, column), the upper or left one first; -1 where they are not beside each other."""
        (row, column), (row2, column2) = one, other
        inside = 0 <= row and row2 < self.rows and 0 <= min(column, column2) and max(column, column2) < self.columns
        if not inside or (row2 - row, column2 - column) not in ((0, 1), (1, 0)):
            return -1
        return space_at(row, column) * 2 + row2 - row

    def beds(self, rows):
        """The beds of a board written in rows, largest first: tuples (variety, spaces, counts, owner, points).

        The spaces are (row, column), the counts are its flowers on the side of player 0 and 1, the owner is a seat or -1, the
        points are those that he gets for it.
        """
        cdef const Tables *t = self.tables
        cdef State scratch = self.new_state()
        cdef FlowerpowerState *s = <FlowerpowerState *>scratch.data
        start(t, s)
        self._read_rows(s, rows)
        found = {}
        for cell in range(CELLS):
            if 0 < s.on[MARGIN + <int>cell] < WEED:
                found.setdefault(s.bed[MARGIN + <int>cell], []).append(row_and_column(cell))
        out = []
        for name, spaces in found.items():
            row, column = spaces[0]
            owner = owner_of(s.beds[<int>name])
            counts = tuple(sum(self.side(r) == player for r, _ in spaces) for player in range(2))
            out.append((s.on[MARGIN + space_at(row, column)] - 1, tuple(spaces), counts, -1 if owner == NOBODY else owner,
                        0 if owner == NOBODY else t.points[len(spaces)]))
        return sorted(out, key=lambda bed: (-len(bed[1]), bed[1]))

    # What tools/fit_flowerpower fits

    def move_features(self, State state not None, actions=None):
        """Of moves, every legal one by default: float32 [n, MOVE_FEATURES]."""
        self.check(state)
        cdef const FlowerpowerState *s = <const FlowerpowerState *>state.data
        cdef Outlook outlook
        cdef Sum sum
        actions = state.legal_actions().tolist() if actions is None else actions
        out = np.zeros((len(actions), MOVE_FEATURES), dtype=np.float32)
        cdef float[:, ::1] rows = out
        look_out(self.tables, s, &outlook)
        for i, action in enumerate(actions):
            sum.weights = self.tables.move_weights
            sum.dense = &rows[i, 0]
            add_move(self.tables, s, &outlook, action, &sum)
        return out

    def promise(self, State state not None):
        """What its beds promise each player, in points: a list of numbers, before `base` and `slope`."""
        self.check(state)
        cdef Sum sum
        out = []
        for player in range(self.players):
            sum.weights = self.tables.move_weights
            sum.dense = NULL
            sum.value = 0
            add_position(self.tables, <const FlowerpowerState *>state.data, player, &sum)
            out.append(sum.value / SCALE)
        return out

    # Positions

    def fields(self, State state not None, int observer=ALL):
        """The fields of docs/games/flowerpower.md; what `observer` must not see is "hidden"."""
        self.check(state)
        cdef const Tables *t = self.tables
        cdef const FlowerpowerState *s = <const FlowerpowerState *>state.data
        cdef uint64_t[COPIES] unseen
        out = {"to_move": actor(t, s), "phase": PHASES[s.phase], "rows": self._rows(s)}
        memcpy(unseen, s.bag, sizeof(unseen))
        if s.phase in (DRAW, PLACE) and self.players > 1:
            out["turn"] = s.turn
        if s.phase == PLACE:
            out["tile"] = self._tile_text(s.tile)
            if is_tile_hidden(t, s, observer):
                out["tile"] = "hidden"
                add_tile(unseen, s.tile)
        if self.weeds_each:
            out["weeds"] = []
            for player in range(self.players):
                weeds = []
                for i in range(s.weeds_laid[<int>player]):
                    hidden = is_weed_hidden(t, player, observer)
                    if hidden:
                        add_tile(unseen, s.weeds[<int>player][<int>i].kind)
                    weeds.append({"at": self._place_text(s.weeds[<int>player][<int>i].place),
                                  "tile": "hidden" if hidden else self._tile_text(s.weeds[<int>player][<int>i].kind)})
                out["weeds"].append(weeds)
            out["weeds_left"] = [self.weeds_each - s.weeds_laid[player] for player in range(self.players)]
        out["out"] = [not can_place(t, s, player) for player in range(self.players)]
        out["bag"] = s.left
        out["unseen"] = {
            self.letters[v]: "".join(self.letters[w] * copies_in(unseen, t.kind[v][w]) for w in range(v, VARIETIES))
            for v in range(VARIETIES)}
        return out

    def _tile_text(self, int kind):
        return f"{self.letters[self.tables.variety[kind][0]]}/{self.letters[self.tables.variety[kind][1]]}"

    def _place_text(self, place):
        return "-".join(f"{chr(ord('a') + column)}{row + 1}" for row, column in self._spaces(place))

    cdef _rows(self, const FlowerpowerState *s):
        marks = "." + self.letters + "#"
        return ["".join(marks[s.on[MARGIN + space_at(row, column)]] for column in range(self.columns)) for row in range(self.rows)]

    def build(self, fields):
        """The state of such fields. What follows from the rest may be left out; what is hidden is filled with one deal."""
        mapping("", fields, ("to_move", "phase", "rows", "turn", "tile", "weeds", "weeds_left", "out", "bag", "unseen"), ("rows",))
        cdef State state = self.new_state()
        cdef FlowerpowerState *s = <FlowerpowerState *>state.data
        cdef const Tables *t = self.tables
        start(t, s)
        self._read_rows(s, fields["rows"])
        hidden = self._read_weeds(s, fields)
        self._read_turn(s, fields)
        self._read_tiles(s, fields, hidden)
        self._check_turn(s, fields)
        return state

    cdef _read_rows(self, FlowerpowerState *s, rows):
        cdef const Tables *t = self.tables
        cdef int cell
        sequence("rows", rows, self.rows, "rows of text")
        seen = dict.fromkeys(range(VARIETIES), 0)
        for row, line in enumerate(rows):
            if len(text(f"rows[{row}]", line)) != self.columns:
                raise FieldError(f"rows[{row}]", f"expected {self.columns} spaces, '.' for an empty one; got {shown(line)}")
            for column, mark in enumerate(line.upper()):
                variety = self.letters.find(mark)
                cell = space_at(row, column)
                if mark == ".":
                    continue
                if mark == "#" and self.weeds_each and self.side(row) >= 0:
                    shut(s, cell)
                elif variety >= 0:
                    seen[variety] += 1
                    if seen[variety] > t.flowers[<int>variety]:
                        raise FieldError(f"rows[{row}]", f"expected at most {t.flowers[<int>variety]} flowers {mark} "
                                                         f"({self.varieties[variety]}) on the board")
                    shut(s, cell)
                    grow(t, s, cell, variety)
                else:
                    where = "no weed can lie here" if mark == "#" else f"expected '.', '#' or one of {self.letters}"
                    raise FieldError(f"rows[{row}]", f"{where}, at place {column + 1}; got {shown(line)}")
                clear_bit(&s.empty, cell)
        if sum(seen.values()) % 2:
            raise FieldError("rows", f"expected two flowers a tile; got {sum(seen.values())} flowers")
        pairs_across(&s.empty, &s.across)
        pairs_down(&s.empty, &s.down)

    cdef _read_weeds(self, FlowerpowerState *s, fields):
        """Places and tiles of the weeds. Returns those of which the tile is hidden, as (player, place)."""
        marked = {(row, column) for row in range(self.rows) for column in range(self.columns)
                  if s.on[MARGIN + space_at(row, column)] == WEED}
        weeds = fields.get("weeds")
        if not self.weeds_each:
            for name in ("weeds", "weeds_left"):
                if fields.get(name) is not None:
                    raise FieldError(name, "not expected: this game is played without weeds")
            return []
        hidden = []
        for player, laid in enumerate(sequence("weeds", weeds if weeds is not None else [[], []], self.players, "lists, one a player")):
            path = f"weeds[{player}]"
            if len(sequence(path, laid, None, "weeds")) > self.weeds_each:
                raise FieldError(path, f"expected at most {self.weeds_each} weeds; got {len(laid)}")
            for i, weed in enumerate(laid):
                mapping(f"{path}[{i}]", weed, ("at", "tile"), ("at",))
                place = self._read_place(f"{path}[{i}].at", weed["at"])
                for row, column in self._spaces(place):
                    if (row, column) not in marked:
                        raise FieldError(f"{path}[{i}].at", "expected two spaces with '#' in the rows, each under one weed; "
                                                            f"got {shown(weed['at'])}")
                    marked.remove((row, column))
                    if self.side(row) != 1 - player:
                        raise FieldError(f"{path}[{i}].at", f"expected a place on the side of player {1 - player}; "
                                                            f"got {shown(weed['at'])}")
                kind = self._read_kind(f"{path}[{i}].tile", weed.get("tile", "hidden"))
                if kind < 0:
                    hidden.append((player, place))
                enter_weed(s, player, place, max(kind, 0))
        if marked:
            row, column = min(marked)
            raise FieldError("weeds" if weeds is None else f"rows[{row}]",
                             f"expected the weed that lies on {chr(ord('a') + column)}{row + 1} in one of the lists")
        left = fields.get("weeds_left")
        if left is not None:
            for player, count in enumerate(sequence("weeds_left", left, self.players, "numbers")):
                agrees(f"weeds_left[{player}]", whole(f"weeds_left[{player}]", count, 0, self.weeds_each),
                       self.weeds_each - s.weeds_laid[<int>player])
        return hidden

    def _read_place(self, path, value):
        words = text(path, value).lower().split("-")
        spaces = []
        for word in words:
            if len(word) < 2 or not word[0].isalpha() or not word[1:].isascii() or not word[1:].isdigit() or len(word) > 3:
                break
            spaces.append((int(word[1:]) - 1, ord(word[0]) - ord("a")))
        place = self._place(*sorted(spaces)) if len(spaces) == len(words) == 2 else -1
        if place < 0:
            raise FieldError(path, f"expected two spaces beside each other, like 'c2-d2'; got {shown(value)}")
        return place

    def _read_kind(self, path, value):
        """The kind of a tile, or -1: hidden."""
        if value == "hidden":
            return -1
        letters = text(path, value).upper().split("/")
        if len(letters) != 2 or any(len(letter) != 1 or letter not in self.letters for letter in letters):
            one, other = self.letters[:2]
            raise FieldError(path, f"expected two letters of {self.letters}, like '{one}/{other}', or 'hidden'; got {shown(value)}")
        v, w = (self.letters.index(letter) for letter in letters)
        return self.tables.kind[<int>v][<int>w]

    cdef _read_turn(self, FlowerpowerState *s, fields):
        """Phase, and whose turn it is."""
        cdef const Tables *t = self.tables
        to_move = fields.get("to_move")
        turn = fields.get("turn")
        phase = fields.get("phase")
        seats = [*range(self.players)]
        if to_move is not None:
            one_of("to_move", to_move, [CHANCE, TERMINAL, *seats])
        if turn is not None:
            one_of("turn", turn, seats)
        bare = is_bare(t, s)
        if phase is None and to_move in (CHANCE, TERMINAL) and fields.get("tile") is not None:
            raise FieldError("tile", "a tile is drawn, but no player is to move")
        if phase is None:
            phase = ("place" if fields.get("tile") is not None or to_move in seats else "over" if to_move == TERMINAL
                     else "first" if bare and t.first < 0 and turn is None else "draw")
            if phase == "draw" and to_move is None and turn is None and self._is_full(s):
                phase = "over"
        s.phase = PHASES.index(one_of("phase", phase, PHASES))
        if s.phase == FIRST and (t.first >= 0 or not bare):
            raise FieldError("phase", "'first' is over once a tile is laid or the options say who begins")
        if s.phase != PLACE and fields.get("tile") is not None:
            raise FieldError("tile", f"no tile is drawn in phase '{phase}'")
        if s.phase == PLACE and turn is None and to_move in seats:
            turn = to_move
        if turn is None and self.players == 1:
            turn = 0
        if s.phase in (FIRST, OVER):
            if turn is not None and self.players > 1:
                raise FieldError("turn", f"nobody's in phase '{phase}'")
            turn = 0
        if turn is None:
            raise FieldError("turn" if s.phase == DRAW else "to_move", "missing; expected whose turn it is")
        s.turn = turn
        agrees("to_move", to_move, actor(t, s))
        if bare and s.phase in (DRAW, PLACE) and t.first >= 0 and turn != t.first:
            raise FieldError("turn" if s.phase == DRAW else "to_move", f"nothing is laid, and the options say that player {t.first} begins")

    cdef bint _is_full(self, const FlowerpowerState *s):
        """Whether nobody has room or no tile is left, as the board tells."""
        cdef const Tables *t = self.tables
        cdef int laid = (count_bits(&t.board) - count_bits(&s.empty)) // 2
        return laid >= t.tiles or not any(can_place(t, s, player) for player in range(self.players))

    cdef _read_tiles(self, FlowerpowerState *s, fields, hidden):
        """The tile drawn, and the bag as what is nowhere else; hidden tiles are the first that may be taken."""
        cdef const Tables *t = self.tables
        cdef int v, kind
        drawn = None
        if s.phase == PLACE:
            if fields.get("tile") is None:
                raise FieldError("tile", "missing; expected the tile drawn")
            drawn = self._read_kind("tile", fields["tile"])
        known = [s.weeds[player][i].kind for player in range(self.players) for i in range(s.weeds_laid[player])
                 if (player, s.weeds[player][i].place) not in hidden]
        known += [drawn] if drawn is not None and drawn >= 0 else []
        left = [t.flowers[v] - count_bits(&s.members[v]) for v in range(VARIETIES)]
        for kind in range(KINDS):
            if known.count(kind) > copies_in(t.bag, kind):
                raise FieldError("tile" if kind == drawn else "weeds",
                                 f"expected at most {copies_in(t.bag, kind)} tiles {self._tile_text(kind)}; got {known.count(kind)}")
            left[t.variety[kind][0]] -= known.count(kind)
            left[t.variety[kind][1]] -= known.count(kind)
        for v in range(VARIETIES):
            if left[v] < 0:
                raise FieldError("rows", f"expected at most {t.flowers[v]} flowers {self.letters[v]} on the board, in the hand and "
                                         f"under weeds; got {t.flowers[v] - left[v]}")
        most = [copies_in(t.bag, kind) - known.count(kind) for kind in range(KINDS)]
        unseen = fields.get("unseen")
        if unseen is not None:
            pool = self._read_unseen(unseen, left, most)
        else:
            laid = [count_bits(&s.members[v]) for v in range(VARIETIES)]
            pool = self._fitting(left, most) if sum(left) <= sum(laid) else self._rest(self._fitting(laid, most), most)
        if pool is None:
            raise FieldError("rows", "no tiles of this set can bear these flowers")
        needed = len(hidden) + (drawn is not None and drawn < 0)
        if len(pool) < needed:
            raise FieldError("weeds", f"expected no more hidden tiles than are unseen, {len(pool)}; got {needed}")
        if drawn is not None:
            s.tile = drawn if drawn >= 0 else pool.pop(0)
        for player in range(self.players):
            for i in range(s.weeds_laid[player]):
                if (player, s.weeds[player][i].place) in hidden:
                    s.weeds[player][i].kind = pool.pop(0)
        memset(s.bag, 0, sizeof(s.bag))
        s.left = 0
        for kind in pool:
            put_back(s, kind)
        agrees("bag", fields.get("bag"), s.left)

    def _read_unseen(self, unseen, left, most):
        """The tiles listed, which must bear the flowers that are left."""
        cdef const Tables *t = self.tables
        pool = []
        mapping("unseen", unseen, self.letters)
        for letter, partners in unseen.items():
            path = f"unseen.{letter}"
            v = self.letters.index(letter)
            for partner in text(path, partners).upper():
                w = self.letters.find(partner)
                if w < v:
                    raise FieldError(path, f"expected letters of {self.letters[v:]}, one a tile; got {shown(partners)}")
                pool.append(t.kind[<int>v][<int>w])
                if pool.count(pool[-1]) > most[pool[-1]]:
                    raise FieldError(path, f"expected at most {most[pool[-1]]} tiles {letter}/{partner}; got {shown(partners)}")
        for v in range(VARIETIES):
            count = sum((t.variety[<int>kind][0] == v) + (t.variety[<int>kind][1] == v) for kind in pool)
            if count != left[v]:
                raise FieldError("unseen", f"expected {left[v]} flowers {self.letters[v]}, those that lie nowhere; got {count}")
        return sorted(pool)

    def _fitting(self, flowers, most):
        """Some tiles that bear just these flowers, no more than `most` of a kind; None where none are found.

        The board does not tell which flowers share a tile. The variety with most flowers is paired with the next most; where
        that ends in nothing, it is tried again in random orders. Few flowers leave few ways, many leave many that do.
        """
        cdef const Tables *t = self.tables
        rng = random.Random(1)
        for attempt in range(500):
            need, room, pool = list(flowers), list(most), []
            while any(need):
                order = sorted(range(VARIETIES), key=lambda v: (-need[v], rng.random() if attempt else v))
                v = order[0]
                partners = [w for w in (*order[1:], v) if room[t.kind[<int>v][<int>w]] and need[w] >= 1 + (w == v)]
                if not partners:
                    break
                w = partners[0] if attempt == 0 or rng.random() < 0.5 else rng.choice(partners)
                need[v] -= 1
                need[w] -= 1
                room[t.kind[<int>v][<int>w]] -= 1
                pool.append(t.kind[<int>v][<int>w])
            else:
                return sorted(pool)
        return None

    def _rest(self, taken, most):
        """The tiles that are left of `most` of each kind when some are taken."""
        return None if taken is None else [kind for kind in range(KINDS) for _ in range(most[kind] - taken.count(kind))]

    cdef _check_turn(self, const FlowerpowerState *s, fields):
        """That the game goes on where it does, and is over where it is."""
        cdef const Tables *t = self.tables
        out = [not can_place(t, s, player) for player in range(self.players)]
        given = fields.get("out")
        if given is not None:
            for player, value in enumerate(sequence("out", given, self.players, "true or false")):
                agrees(f"out[{player}]", value, out[player])
        if s.phase == OVER:
            if not s.left == 0 and not all(out):
                raise FieldError("phase", "'over' does not go with a tile in the bag and room for it")
        elif s.phase != FIRST:
            if out[s.turn]:
                raise FieldError("turn" if s.phase == DRAW else "to_move", f"player {s.turn} has no room for a tile; expected "
                                 + ("the other" if not all(out) else "the game to be over"))
            if s.phase == DRAW and s.left == 0:
                raise FieldError("phase", "'draw' does not go with an empty bag")


def _most_points(points, flowers):
    """The most points that so many flowers of a variety can make in beds."""
    best = [0]
    for count in range(1, flowers + 1):
        best.append(max(best[count - size] + points[size] for size in range(1, count + 1)))
    return best[flowers]


def check_components(components):
    """Raises `FieldError` where the plain data of a component file does not describe a Flowerpower set that fits."""
    tables = ("board", "varieties", "tiles", "weeds", "beds")
    mapping("", components, tables, tables)
    board = mapping("board", components["board"], ("columns", "side_rows", "strip_rows"), ("columns", "side_rows", "strip_rows"))
    whole("board.columns", board["columns"], 2, COLUMNS)
    whole("board.side_rows", board["side_rows"], 1, ROWS // 2)
    whole("board.strip_rows", board["strip_rows"], 0, ROWS - 2 * board["side_rows"])
    varieties = mapping("varieties", components["varieties"], ("names", "letters"), ("names", "letters"))
    names = sequence("varieties.names", varieties["names"], VARIETIES, "names")
    letters = sequence("varieties.letters", varieties["letters"], VARIETIES, "letters")
    for i, (name, letter) in enumerate(zip(names, letters, strict=True)):
        if not text(f"varieties.names[{i}]", name).isalpha() or name.lower() in [other.lower() for other in names[:i]]:
            raise FieldError(f"varieties.names[{i}]", f"expected a name of letters, each once; got {shown(name)}")
        if not text(f"varieties.letters[{i}]", letter).isupper() or len(letter) != 1 or letters.index(letter) != i:
            raise FieldError(f"varieties.letters[{i}]", f"expected one capital letter, each once; got {shown(letter)}")
    _check_tiles(components["tiles"], names)
    whole("weeds.each", mapping("weeds", components["weeds"], ("each",), ("each",))["each"], 0, WEEDS)
    beds = mapping("beds", components["beds"], ("sizes", "points"), ("sizes", "points"))
    sizes = sequence("beds.sizes", beds["sizes"], None, "sizes")
    points = sequence("beds.points", beds["points"], len(sizes), "points")
    for i in range(len(sizes)):
        whole(f"beds.sizes[{i}]", sizes[i], sizes[i - 1] + 1 if i else 1, LARGEST)
        whole(f"beds.points[{i}]", points[i], points[i - 1] if i else 0, 1000)


def _check_tiles(tiles, names):
    mapping("tiles", tiles, ("doubles", "mixed", "misprint2001"), ("doubles", "mixed", "misprint2001"))
    misprint = mapping("tiles.misprint2001", tiles["misprint2001"], ("missing", "extra"), ("missing", "extra"))
    whole("tiles.doubles", tiles["doubles"], 1, COPIES)
    whole("tiles.mixed", tiles["mixed"], 1, COPIES - 1)
    one_of("tiles.misprint2001.missing", misprint["missing"], names)
    extra = sequence("tiles.misprint2001.extra", misprint["extra"], 2, "varieties")
    for i, name in enumerate(extra):
        one_of(f"tiles.misprint2001.extra[{i}]", name, names)
    if extra[0] == extra[1]:
        raise FieldError("tiles.misprint2001.extra", f"expected two different varieties; got {shown(extra)}")
