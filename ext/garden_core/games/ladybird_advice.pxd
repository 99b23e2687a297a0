# Ladybird: what a player's place in the game promises beyond his points. tools/fit_ladybird fits the weights.
#
# A `Look` is what one player has before him and in his hand, with what he is about to do. A move changes the look of its player; the
# points and the promise of the look after it make the policy, and those of all players the evaluation.

from libc.stdint cimport int32_t

from garden_core.bits cimport popcount
from garden_core.games.ladybird_table cimport (
    ANY_CARD, BED, BED_BASE, BLIND, BLIND_DRAW, claimable, COLOURS, CYCLE_POINTS, day_of, DISCARD, DISCARD_BASE, DRAFT,
    DRAW_BLIND, FEED, FEED_BASE, FeedingTile, GARDEN, Hand, HARLEQUIN, insert_card, invade, is_cycle, is_target,
    LadybirdState, lowest_column, ORCHARD, ORCHARD_BASE, ORCHARD_CARD, ORCHARD_USE, OVER, PLACE, PLACE_BASE, points_a_card, points_of,
    put_down, remove_card, resolvable_uses, REVEAL, REVEAL_BASE, ROSE, ROUNDS, SCALE, seat_to_move, SHED_ORCHARD, SHED_PLACE,
    STACKS, STAGES, STATES, STOP, Tables, Tableau, TAKE_BASE, TARGET, TARGET_BASE, TEA_MEMORY, TILE, TILE_BASE, tile_of, TOPS,
    TYPES)
from garden_core.rules cimport Sum, add_feature

cdef enum:
    NOTHING = 255            # no draft is due, nothing is being used, no slot is gone

# Parts of a look whose features belong together; an action leaves some of them as they are.
cdef enum:
    POOL_PART = 1
    COLUMNS_PART = 2
    TYPES_PART = 4
    ORCHARD_PART = 8
    HAND_PART = 16
    ALL_PARTS = 31

# Features of a look.
cdef enum:
    ONE
    FRESH                    # garden tiles that are face up, each
    USING = FRESH + 5        # what is being used: a place, the orchard, a picnic
    COLUMNS = USING + 3      # points a card, times cards to come
    COLUMN_BEST              # the most of a column, times cards to come
    COLUMN_POINTS            # points a card, all columns
    HEIGHT_BEST              # the highest column, times orchard cards to come
    HEIGHT_SQUARES
    HEIGHT_BEDLESS           # the highest column without a flowerbed
    CYCLES_NEAR              # columns that lack one, two, three states for a life cycle
    CYCLES_NEAR_HEIGHT = CYCLES_NEAR + 3      # their cards
    CYCLES_NEAR_COMING = CYCLES_NEAR_HEIGHT + 3    # times cards to come
    ROW_LACKS = CYCLES_NEAR_COMING + 3        # columns that the next row lacks, 1..5
    ROW_LACKS_COMING = ROW_LACKS + 5          # times cards to come
    ROW_IN_HAND              # of these, columns with a card in the hand
    AT_RISK                  # points that a Harlequin on one column would take, the most
    AT_RISK_ALL
    AT_RISK_KNOWN            # the most, times Harlequins that others are known to hold
    TYPES_COMING             # points of feeding tiles, times cards to come
    TYPE_BEST                # the most of a type, times cards to come
    COUNT_BEST               # the most cards of a type, times picnics to come
    COUNT_SQUARES
    HARLEQUINS               # in columns
    TILE_BEST                # what the best feeding tile in sight would bring if it could be paid
    TILE_NOW                 # what the best brings that can be claimed now
    TILE_SECOND
    TILE_HONEY               # the best with honeydew, that can be claimed now
    TILE_NOW_FRESH           # TILE_NOW, if a picnic can come on this day
    APHIDS
    APHIDS_MANY              # beyond five
    APHIDS_COMING            # times picnics to come
    MEMORIES_COMING          # memories, times drafts to come
    ORCHARD_BEST             # points and aphids of the best orchard card in sight
    ORCHARD_FRESH            # if one can be taken on this day
    HAND_SIZE
    HAND_MANY                # beyond four
    HAND_WORTH               # what the cards of the hand would bring at once
    HAND_BEST
    HAND_SECOND
    HAND_BEST_FRESH          # the best, if one may be placed on this day beside those revealed
    HAND_COLUMNS             # cards of the columns that the cards of the hand belong to
    HAND_TYPES               # cards of their types
    HAND_STATES              # different states
    HAND_CYCLES              # columns that a card of the hand completes
    HAND_NEAR                # columns that it brings nearer to completion
    HAND_UNLOCKS             # cards that unlock some of the pool
    HAND_HARLEQUINS
    HARLEQUIN_BEST           # what the best column that a Harlequin might invade brings and costs its owner, if one is held
    HARLEQUIN_PLAYED         # the same, if it is in play
    BLIND_CARDS              # cards to come from the deck
    DRAFT_DUE                # a draft is due
    DRAFT_BEST               # and what its best card would bring
    DRAFT_CHOICE             # cards to choose from
    DRAFT_BLIND              # and none fits
    DRAFT_MEMORY             # and one of them brings a memory
    LINES_NEAR               # rows and columns of the pool with one card left
    COMING                   # cards that he will place yet
    LOOK_FEATURES

ctypedef struct Look:
    Tableau tableau
    Hand hand
    int points
    int coming           # cards that he will place yet
    int orchards         # orchard cards to come; a toolshed counts half
    int picnics          # so do the tea's
    int unlock           # what may be drafted; NOTHING: no draft is due
    int using            # PLACE, ORCHARD_CARD, FEED or NOTHING
    int blind            # cards to come from the deck
    int gone_slot        # of the pool
    int gone_orchard
    int gone_stack
    int harlequin        # points that the Harlequin in play may bring
    int hurt             # points that it has cost another
    int held             # Harlequins that others are known to hold


cdef inline int uses_left(const Tableau *p, int day, int tile) noexcept nogil:
    """How often a garden tile will be used yet."""
    return ((p.fresh >> tile) & 1) + STAGES - 1 - day if tile <= day else GARDEN - tile


cdef inline int worth(const Tables *t, const Tableau *p, int face) noexcept nogil:
    """Points that placing a card, no Harlequin, brings at once."""
    cdef int column = t.colour[face]
    cdef int points = points_a_card(p, column) + p.feed[t.type[face]]
    if not ((p.lost | p.cycles) >> column) & 1 and is_cycle(p.states[column] | 1 << 4 * t.state[face]):
        points += CYCLE_POINTS * (p.height[column] + 1)
    return points


cdef inline int harm(const Tables *t, const Tableau *p, int column) noexcept nogil:
    """Points that a column loses with its top card, no Harlequin."""
    cdef int face = p.top[column] - 1
    cdef int states = p.states[column] - (1 << 4 * t.state[face])
    cdef int points = p.feed[t.type[face]] - p.feed[HARLEQUIN]
    if (p.cycles >> column) & 1 and not is_cycle(states):
        points += CYCLE_POINTS * p.height[column]
    return points


cdef inline int best_target(const Tables *t, const LadybirdState *s, int seat, const Tableau *p) noexcept nogil:
    """What the best column to invade brings and costs its owner, in points."""
    cdef int most = 0
    cdef int other, column
    if t.players == 1:
        return 0
    for other in range(t.players):
        for column in range(COLOURS):
            if is_target(t, s, seat, other, column):
                most = max(most, worth(t, p, s.tableau[other].top[column] - 1) + harm(t, &s.tableau[other], column))
    return most


cdef inline void finish_row(Look *look) noexcept nogil:
    """A flowerbed on the highest column without one."""
    cdef Tableau *p = &look.tableau
    cdef int best = -1
    cdef int column
    for column in range(COLOURS):
        if not (p.beds >> column) & 1 and (best < 0 or p.height[column] > p.height[best]):
            best = column
    p.beds |= 1 << best


cdef inline void place_in_look(const Tables *t, Look *look, int face) noexcept nogil:
    """The card and, if it completes a row, a flowerbed on the highest column without one."""
    put_down(t, &look.tableau, face)
    look.unlock = (t.state[face] + 1) % STATES
    look.coming -= 1
    if lowest_column(&look.tableau) > popcount(look.tableau.beds):
        finish_row(look)


cdef inline void put_in_play(const Tables *t, const LadybirdState *s, int seat, Look *look, int face) noexcept nogil:
    """A revealed card; where a Harlequin will go is not known yet."""
    if t.type[face] != HARLEQUIN:
        place_in_look(t, look, face)
        return
    look.harlequin = best_target(t, s, seat, &look.tableau)
    look.unlock = ANY_CARD
    look.coming -= 1


cdef inline int known_harlequins(const Tables *t, const LadybirdState *s, int seat) noexcept nogil:
    cdef int n = 0
    cdef int other, i
    for other in range(t.players):
        if other != seat:
            for i in range(s.hand[other].count):
                if (s.hand[other].known >> i) & 1 and t.type[s.hand[other].card[i]] == HARLEQUIN:
                    n += 1
    return n


cdef inline void look_at(const Tables *t, const LadybirdState *s, int seat, Look *look) noexcept nogil:
    cdef int day = day_of(s.round)
    cdef Tableau *p = &look.tableau
    cdef bint mine = s.phase != DISCARD and s.phase != OVER and not s.setup and s.phase != REVEAL and seat_to_move(t, s) == seat
    cdef int face
    p[0] = s.tableau[seat]
    look.hand = s.hand[seat]
    # this round's card is placed once it is revealed
    look.coming = (ROUNDS - s.round - (s.phase != REVEAL and not s.setup) + (s.revealed[seat] != 0 and s.phase != REVEAL)
                   + uses_left(p, day, 0) + uses_left(p, day, 3))
    look.orchards = 2 * uses_left(p, day, 1) + uses_left(p, day, 3)
    look.picnics = 2 * uses_left(p, day, 2) + uses_left(p, day, 4)
    look.unlock = look.using = look.gone_slot = look.gone_orchard = look.gone_stack = NOTHING
    look.blind = look.harlequin = look.hurt = 0
    look.held = known_harlequins(t, s, seat)
    if s.revealed[seat]:
        face = s.revealed[seat] - 1
        if s.phase == REVEAL:
            remove_card(&look.hand, face)
        put_in_play(t, s, seat, look, face)
    elif mine:
        if s.phase == BED:
            finish_row(look)
        if s.phase == BED or s.phase == DRAFT:
            look.unlock = s.unlock
        elif s.phase == BLIND_DRAW:
            look.blind = BLIND
        elif s.phase == PLACE or s.phase == ORCHARD_CARD or s.phase == FEED:
            look.using = s.phase
        elif s.phase == TOPS and s.chain:
            look.using = FEED
    look.points = points_of(t, p)


cdef inline void add_columns(const Tables *t, const Look *look, Sum *sum) noexcept nogil:
    cdef const Tableau *p = &look.tableau
    cdef int low = lowest_column(p)
    cdef int points = 0
    cdef int best = 0
    cdef int highest = 0
    cdef int squares = 0
    cdef int bedless = 0
    cdef int lacking = 0
    cdef int risk = 0
    cdef int risks = 0
    cdef int column, a_card, missing, lost
    for column in range(COLOURS):
        a_card = points_a_card(p, column)
        points += a_card
        best = max(best, a_card)
        highest = max(highest, <int>p.height[column])
        squares += p.height[column] * p.height[column]
        if not (p.beds >> column) & 1:
            bedless = max(bedless, <int>p.height[column])
        lacking += p.height[column] == low
        if not ((p.lost | p.cycles) >> column) & 1 and p.states[column]:
            missing = missing_states(p.states[column]) - 1
            add_feature(sum, CYCLES_NEAR + missing, 1)
            add_feature(sum, CYCLES_NEAR_HEIGHT + missing, p.height[column])
            add_feature(sum, CYCLES_NEAR_COMING + missing, look.coming)
        if p.top[column] and t.type[p.top[column] - 1] != HARLEQUIN:
            lost = harm(t, p, column)
            risk = max(risk, lost)
            risks += lost
    add_feature(sum, COLUMNS, points * look.coming)
    add_feature(sum, COLUMN_BEST, best * look.coming)
    add_feature(sum, COLUMN_POINTS, points)
    add_feature(sum, HEIGHT_BEST, highest * look.orchards)
    add_feature(sum, HEIGHT_SQUARES, squares)
    add_feature(sum, HEIGHT_BEDLESS, bedless)
    if low < 4:   # there is no fifth row
        add_feature(sum, ROW_LACKS + lacking - 1, 1)
        add_feature(sum, ROW_LACKS_COMING + lacking - 1, look.coming)
    if t.players > 1:
        add_feature(sum, AT_RISK, risk)
        add_feature(sum, AT_RISK_ALL, risks)
        add_feature(sum, AT_RISK_KNOWN, risk * look.held)


cdef inline int missing_states(int states) noexcept nogil:
    return ((states & 0xF000) == 0) + ((states & 0x0F00) == 0) + ((states & 0x00F0) == 0) + ((states & 0x000F) == 0)


cdef inline void add_types(const Tables *t, const LadybirdState *s, const Look *look, Sum *sum) noexcept nogil:
    """Feeding tiles, those that one has and those in sight."""
    cdef const Tableau *p = &look.tableau
    cdef const FeedingTile *tile
    cdef int points = 0
    cdef int best = 0
    cdef int most = 0
    cdef int squares = 0
    cdef int any = 0
    cdef int now = 0
    cdef int second = 0
    cdef int honey = 0
    cdef int type, stack, brings
    for type in range(TYPES):
        if type != HARLEQUIN:
            points += p.feed[type]
            best = max(best, <int>p.feed[type])
        most = max(most, <int>p.types[type])
        squares += p.types[type] * p.types[type]
    for stack in range(STACKS):
        if s.top[stack] == 0 or stack == look.gone_stack:
            continue
        tile = &t.tiles[s.top[stack] - 1]
        brings = tile.points * p.types[tile.type] - tile.cost
        any = max(any, brings)
        if claimable(t, s, p, stack):
            if tile.honeydew:
                honey = max(honey, brings)
            if brings > now:
                second = now
                now = brings
            else:
                second = max(second, brings)
    add_feature(sum, TYPES_COMING, points * look.coming)
    add_feature(sum, TYPE_BEST, best * look.coming)
    add_feature(sum, COUNT_BEST, most * look.picnics)
    add_feature(sum, COUNT_SQUARES, squares)
    add_feature(sum, HARLEQUINS, p.types[HARLEQUIN])
    add_feature(sum, TILE_BEST, any)
    add_feature(sum, TILE_NOW, now)
    add_feature(sum, TILE_SECOND, second)
    add_feature(sum, TILE_HONEY, honey)
    if look.using == FEED:
        add_feature(sum, USING + 2, 1)
    if look.using == FEED or p.fresh & (1 << 2 | 1 << 4):
        add_feature(sum, TILE_NOW_FRESH, now)
    add_feature(sum, APHIDS, p.aphids)
    add_feature(sum, APHIDS_MANY, max(0, p.aphids - 5))
    add_feature(sum, APHIDS_COMING, p.aphids * look.picnics)


cdef inline void add_orchard(const LadybirdState *s, const Look *look, Sum *sum) noexcept nogil:
    cdef int best = 0
    cdef int slot
    for slot in range(ORCHARD):
        if s.orchard[slot] and slot != look.gone_orchard:
            best = max(best, s.aphids[slot] + look.tableau.height[s.orchard[slot] - 1])
    add_feature(sum, ORCHARD_BEST, best)
    if look.using == ORCHARD_CARD:
        add_feature(sum, USING + 1, 1)
    if look.using == ORCHARD_CARD or look.tableau.fresh & (1 << 1 | 1 << 3):
        add_feature(sum, ORCHARD_FRESH, best)


cdef inline void add_hand(const Tables *t, const LadybirdState *s, int seat, const Look *look, int open, Sum *sum) noexcept nogil:
    """`open`: the states that lie in the pool."""
    cdef const Tableau *p = &look.tableau
    cdef const Hand *hand = &look.hand
    cdef int low = lowest_column(p)
    cdef int all = 0
    cdef int best = 0
    cdef int second = 0
    cdef int columns = 0
    cdef int types = 0
    cdef int states = 0
    cdef int rows = 0
    cdef int cycles = 0
    cdef int near = 0
    cdef int unlocks = 0
    cdef int harlequins = 0
    cdef int i, face, brings, column
    for i in range(hand.count):
        face = hand.card[i]
        if t.type[face] == HARLEQUIN:
            harlequins += 1
            continue
        column = t.colour[face]
        brings = worth(t, p, face)
        all += brings
        if brings > best:
            second = best
            best = brings
        else:
            second = max(second, brings)
        columns += p.height[column]
        types += p.types[t.type[face]]
        states |= 1 << t.state[face]
        unlocks += (open >> (t.state[face] + 1) % STATES) & 1
        if p.height[column] == low:
            rows |= 1 << column
        if not ((p.lost | p.cycles) >> column) & 1 and (p.states[column] >> 4 * t.state[face]) & 15 == 0:
            if is_cycle(p.states[column] | 1 << 4 * t.state[face]):
                cycles |= 1 << column
            elif p.height[column]:
                near |= 1 << column
    add_feature(sum, HAND_SIZE, hand.count)
    add_feature(sum, HAND_MANY, max(0, hand.count - 4))
    add_feature(sum, HAND_WORTH, all)
    add_feature(sum, HAND_BEST, best)
    add_feature(sum, HAND_SECOND, second)
    if look.using == PLACE:
        add_feature(sum, USING, 1)
    if look.using == PLACE or p.fresh & (1 << 0 | 1 << 3):
        add_feature(sum, HAND_BEST_FRESH, best)
    add_feature(sum, HAND_COLUMNS, columns)
    add_feature(sum, HAND_TYPES, types)
    add_feature(sum, HAND_STATES, popcount(states))
    add_feature(sum, ROW_IN_HAND, popcount(rows))
    add_feature(sum, HAND_CYCLES, popcount(cycles))
    add_feature(sum, HAND_NEAR, popcount(near))
    add_feature(sum, HAND_UNLOCKS, unlocks)
    add_feature(sum, HAND_HARLEQUINS, harlequins)
    if harlequins:
        add_feature(sum, HARLEQUIN_BEST, best_target(t, s, seat, p))


cdef inline int open_states(const Tables *t, const LadybirdState *s, const Look *look) noexcept nogil:
    """The states that lie in the pool."""
    cdef int open = 0
    cdef int slot
    for slot in range(t.slots):
        if s.pool[slot] and slot != look.gone_slot:
            open |= 1 << t.state[s.pool[slot] - 1]
    return open


cdef inline void add_pool(const Tables *t, const LadybirdState *s, const Look *look, Sum *sum) noexcept nogil:
    """The draft that is due, and lines that are nearly empty."""
    cdef int left = 0        # slots with a card
    cdef int best = 0
    cdef int choice = 0
    cdef int lines = 0
    cdef bint fits = look.unlock == ANY_CARD
    cdef bint memory = False
    cdef int slot, face, row, column
    for slot in range(t.slots):
        left |= (s.pool[slot] != 0 and slot != look.gone_slot) << slot
    for slot in range(t.slots):
        if not (left >> slot) & 1:
            continue
        row = t.row[slot] & left
        column = t.column[slot] & left
        lines += (row & (row - 1) == 0) + (column & (column - 1) == 0)
        if look.unlock == NOTHING:
            continue
        face = s.pool[slot] - 1
        if t.type[face] == HARLEQUIN:
            choice += 1
        elif look.unlock == ANY_CARD or t.state[face] == look.unlock:
            choice += 1
            fits = True
            best = max(best, worth(t, &look.tableau, face))
        else:
            continue
        memory |= row & (row - 1) == 0 or column & (column - 1) == 0
    add_feature(sum, LINES_NEAR, lines)
    if look.unlock != NOTHING:
        add_feature(sum, DRAFT_DUE, 1)
        add_feature(sum, DRAFT_BEST, best)
        add_feature(sum, DRAFT_CHOICE, choice)
        add_feature(sum, DRAFT_BLIND, not fits)
        add_feature(sum, DRAFT_MEMORY, memory)


cdef inline void add_look(
    const Tables *t, const LadybirdState *s, int seat, const Look *look, int parts, Sum *sum
) noexcept nogil:
    cdef int tile
    add_feature(sum, ONE, 1)
    add_feature(sum, COMING, look.coming)
    for tile in range(GARDEN):
        add_feature(sum, FRESH + tile, (look.tableau.fresh >> tile) & 1)
    add_feature(sum, MEMORIES_COMING, look.tableau.memories * look.coming)
    add_feature(sum, BLIND_CARDS, look.blind)
    add_feature(sum, HARLEQUIN_PLAYED, look.harlequin + look.hurt)
    if parts & POOL_PART:
        add_pool(t, s, look, sum)
    if parts & COLUMNS_PART:
        add_columns(t, look, sum)
    if parts & TYPES_PART:
        add_types(t, s, look, sum)
    if parts & ORCHARD_PART:
        add_orchard(s, look, sum)
    if parts & HAND_PART:
        add_hand(t, s, seat, look, open_states(t, s, look), sum)


cdef inline int parts_moved(int phase) noexcept nogil:
    """The parts in which the actions of a phase differ."""
    if phase == DRAFT:
        return POOL_PART | HAND_PART
    if phase == DISCARD:
        return HAND_PART
    if phase == TILE:
        return TYPES_PART | ORCHARD_PART | HAND_PART
    if phase == ORCHARD_CARD:
        return ALL_PARTS & ~POOL_PART
    if phase == FEED:
        return COLUMNS_PART | TYPES_PART | HAND_PART
    if phase == BED:
        return POOL_PART | COLUMNS_PART | HAND_PART
    return ALL_PARTS


cdef inline int stage_of(const LadybirdState *s) noexcept nogil:
    return day_of(min(<int>s.round, ROUNDS - 1))


cdef inline double weighed(
    const Tables *t, const LadybirdState *s, int seat, const Look *look, int parts, const int32_t *weights
) noexcept nogil:
    """In points."""
    cdef Sum sum
    sum.weights = weights
    sum.dense = NULL
    sum.value = 0
    add_look(t, s, seat, look, parts, &sum)
    return sum.value / <double>SCALE


cdef inline double certainty_of(const Tables *t, const LadybirdState *s) noexcept nogil:
    return t.weights.certainty[stage_of(s)]


cdef inline void estimate(const Tables *t, const LadybirdState *s, double *score) noexcept nogil:
    """Each player's final points."""
    cdef const int32_t *weights = t.weights.outlook[stage_of(s)]
    cdef Look look
    cdef int seat
    for seat in range(t.players):
        look_at(t, s, seat, &look)
        score[seat] = look.points + max(0.0, weighed(t, s, seat, &look, ALL_PARTS, weights))


cdef inline void draft_in_look(const Tables *t, const LadybirdState *s, Look *look, int slot) noexcept nogil:
    """The card taken, and the memories of lines that are empty then."""
    cdef int left = 0
    cdef int other
    cdef bint row, column
    insert_card(&look.hand, s.pool[slot] - 1, True, 0)
    for other in range(t.slots):
        left |= (s.pool[other] != 0 and other != slot) << other
    row = left & t.row[slot] == 0
    column = left & t.column[slot] == 0
    if row and column:
        look.tableau.memories += 2
    elif row or (column and t.players > 1):
        look.tableau.memories += 1
    look.gone_slot = slot
    look.unlock = NOTHING


cdef inline void look_after(const Tables *t, const LadybirdState *s, int seat, int32_t action, Look *look) noexcept nogil:
    """What an action makes of its player's look before it."""
    cdef Tableau *p = &look.tableau
    cdef const FeedingTile *tile
    cdef int other, column, slot, use
    if s.phase == REVEAL:
        remove_card(&look.hand, action - REVEAL_BASE)
        put_in_play(t, s, seat, look, action - REVEAL_BASE)
    elif s.phase == TARGET:
        other = (action - TARGET_BASE) >> 3
        column = (action - TARGET_BASE) & 7
        look.harlequin = 0
        if t.players > 1:
            look.hurt = harm(t, &s.tableau[other], column)
            look.coming += 1
            place_in_look(t, look, s.tableau[other].top[column] - 1)
        else:
            invade(t, p, column, s.revealed[seat] - 1)
    elif s.phase == BED:
        p.beds = s.tableau[seat].beds | 1 << (action - BED_BASE)
    elif s.phase == DRAFT:
        if action == DRAW_BLIND:
            look.blind = BLIND
            look.unlock = NOTHING
        else:
            draft_in_look(t, s, look, action - TAKE_BASE)
    elif s.phase == TILE:
        use = action - TILE_BASE
        if (resolvable_uses(t, s, seat) >> use) & 1:
            if use == TEA_MEMORY:
                p.memories += 1
            else:
                look.using = (PLACE if use == ROSE or use == SHED_PLACE
                              else ORCHARD_CARD if use == ORCHARD_USE or use == SHED_ORCHARD else FEED)
        p.fresh &= ~(1 << tile_of(use))
    elif s.phase == PLACE:
        look.using = NOTHING
        look.coming += 1      # it is not counted among those to come any more
        remove_card(&look.hand, action - PLACE_BASE)
        place_in_look(t, look, action - PLACE_BASE)
    elif s.phase == ORCHARD_CARD:
        look.using = NOTHING
        slot = action - ORCHARD_BASE
        p.orchards[s.orchard[slot] - 1] += 1
        p.aphids += s.aphids[slot]
        look.gone_orchard = slot
    elif s.phase == FEED:
        look.using = NOTHING
        if action != STOP:
            slot = action - FEED_BASE
            tile = &t.tiles[s.top[slot] - 1]
            p.aphids -= tile.cost
            p.feed[tile.type] += tile.points
            p.mildew[tile.type] += tile.threshold
            look.gone_stack = slot
            if tile.honeydew:
                look.using = FEED
    elif s.phase == DISCARD:
        remove_card(&look.hand, action - DISCARD_BASE)
    look.points = points_of(t, p)


cdef inline void gains(const Tables *t, const LadybirdState *s, int n, const int32_t *ids, float *out) noexcept nogil:
    """What each action of the player to move brings him, up to a constant."""
    cdef const int32_t *weights = t.weights.promise[stage_of(s)]
    cdef int parts = parts_moved(s.phase)
    cdef int seat = seat_to_move(t, s)
    cdef Look before, after
    cdef int i
    look_at(t, s, seat, &before)
    for i in range(n):
        after = before
        look_after(t, s, seat, ids[i], &after)
        out[i] = <float>(after.points + weighed(t, s, seat, &after, parts, weights))
