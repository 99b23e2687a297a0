# Under the Leaves: what a garden promises beyond its points, and a quick look at all moves. Weights are in
# under_the_leaves.json, which says how they were made.

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from garden_core.bits cimport count_bits, lowest_bit, popcount
from garden_core.games.under_the_leaves_garden cimport (
    BLOCKED, CARD, CARD_FEATURES, CARDS, CHOICES, CHOOSE_BASE, COLOURS, COMPLETE, CORNERS, COUNT, DIVER, DRY, EXPLORER,
    FAMILIES, FEATURES, FLIRTY, FRIENDLY, FUNGUS, GLANCES, GROUP, JOINS, KIND, LAID, LEAD, LEAF, LOST_NEST, MOST_RIPE, NEAR,
    OPENS, OVER, PAIRED, PARTS, PLACE, POLLINATED, POND, PUDDLE, PUDDLE_AT, PUDDLES, RESTLESS, RING, RIPE, RIPE_AREAS,
    RIPE_OPEN, RIPES, ROOM, RUNNER, SCALE, SINGLE, SKIPPER, SPOTS, SUPPLY, TRIPLE, WAYS, Area, award, cell_at, choose,
    choose_most, find_outer, Garden, guests_of, is_crowded, is_free, kind_at, lay_tile, leaves_of, LeavesState, Lying,
    may_be_square, missing_beside, mushrooms_of, open_of, own_cell, place_of, points_of, run_length, size_of, spot_at,
    square_bits, Tables)
from garden_core.rules cimport Sum, add_feature


# Evaluation: what lies in a garden, by stage of the game

cdef inline int turns_left(const Tables *t, const Garden *g) noexcept nogil:
    return t.turns + 1 - g.tiles


# How a tile stands to its hummingbird.
cdef enum Nest:
    NO_TILE
    NESTED
    ONE_DRY              # cells in no pollinated area
    TWO_DRY
    MORE_DRY
    HOPELESS             # one of them can never be


cdef inline void add_position(
    const Tables *t, uint64_t unseen, const Garden *g, const uint8_t *cards, Sum *sum
) noexcept nogil:
    """What a garden promises beyond its points. `sum.weights` are those of its stage."""
    cdef uint8_t[LAID] nests
    cdef int[COLOURS + 1] supply
    cdef int founder, tile, corner, cell, kind, size, dry, twos, hopeless
    cdef Area area
    nests[0] = NO_TILE
    for kind in range(1, COLOURS + 1):
        supply[kind] = 2 * popcount(unseen & t.having[kind]) - popcount(unseen)
    for tile in range(1, g.tiles + 1):
        dry = 0
        twos = 0
        hopeless = 0
        for corner in range(CORNERS):
            cell = 4 * tile + corner
            kind = g.cells[cell] & KIND
            founder = g.area[cell]
            area = g.areas[founder]
            size = size_of(area)
            if kind == PUDDLE:
                continue
            if size < RIPE:
                dry += 1
                twos += size == 2
                hopeless |= open_of(area) == 0
                if founder == cell:
                    add_feature(sum, GROUP + ((size - 1) * OPENS + min(open_of(area), OPENS - 1)) * RIPES
                                + min(<int>g.ripe[kind], RIPES - 1), 1)
                    if open_of(area):
                        add_feature(sum, SUPPLY + size - 1, supply[kind])
            elif founder == cell:
                add_feature(sum, RIPE_OPEN + min(open_of(area), OPENS - 1), 1)
        nests[tile] = NESTED if dry == 0 else HOPELESS if hopeless else ONE_DRY if dry == 1 else TWO_DRY if dry == 2 else MORE_DRY
        if hopeless:
            add_feature(sum, LOST_NEST, 1)
        elif dry:
            add_feature(sum, DRY + (dry - 1) * (dry + 2) // 2 + twos, 1)
    for kind in range(1, COLOURS + 1):
        if g.ripe[kind]:
            add_feature(sum, RIPE_AREAS + min(<int>g.ripe[kind], MOST_RIPE) - 1, 1)
    for tile in range(1, g.tiles + 1):
        if nests[tile] != HOPELESS:
            add_triple(g, g.spot[tile], 1, 0, nests, sum)
            add_triple(g, g.spot[tile], 0, 1, nests, sum)
    add_feature(sum, ROOM, count_bits(&g.beside))
    add_leaf(g, cards[LEAF], sum)
    add_single(g, POND, cards[POND], sum)
    add_single(g, FUNGUS, cards[FUNGUS], sum)


cdef inline void add_leads(const Tables *t, const LeavesState *s, const Garden *g, int seat, Sum *sum) noexcept nogil:
    """What majorities a garden is after."""
    cdef int family, other, lead
    for family in range(FAMILIES):
        lead = -100
        for other in range(t.players):
            if other != seat:
                lead = max(lead, <int>s.gardens[other].figures[family])
        lead = g.figures[family] - lead
        add_feature(sum, LEAD + max(-2, min(2, lead)) + 2, 1)


cdef inline void add_triple(const Garden *g, int spot, int dy, int dx, const uint8_t *nests, Sum *sum) noexcept nogil:
    """Three spots in a row that may still bring the middle one another hummingbird."""
    cdef int row = spot >> 4
    cdef int before = nests[g.at[spot_at(row - dy, spot - dx)]]
    cdef int after = nests[g.at[spot_at(row + dy, spot + dx)]]
    cdef int here = nests[g.at[spot]]
    cdef int nested = (before == NESTED) + (after == NESTED) + (here == NESTED)
    cdef int empty = (before == NO_TILE) + (after == NO_TILE)
    if before == HOPELESS or after == HOPELESS or nested == 3:
        return
    if nested == 2:
        # what is neither a nest nor, beside two nests, no tile, is one of the three kinds of dry tiles
        add_feature(sum, TRIPLE + (3 if empty else before + after + here - 2 * NESTED - ONE_DRY), 1)
    elif nested == 1 and empty < 2:
        add_feature(sum, TRIPLE + 4 + empty, 1)
    elif nested == 0 and empty == 0:
        add_feature(sum, TRIPLE + 6, 1)


cdef inline void add_leaf(const Garden *g, int card, Sum *sum) noexcept nogil:
    """Patterns of the leaf card that lack little."""
    cdef int feature = CARD + card * CARD_FEATURES
    cdef int tile, corner, cell, y, x, kind, size
    cdef Area area
    if card == RESTLESS:
        for cell in range(4, 4 * g.tiles + 4):
            area = g.areas[cell]
            size = size_of(area)
            if g.area[cell] == cell and g.cells[cell] & KIND != PUDDLE and 2 <= size <= 4 and leaves_of(area) == 0 and open_of(area):
                add_feature(sum, feature + 2 * (size - 2) + (open_of(area) > 2), 1)
        return
    for tile in range(1, g.tiles + 1):
        y = (g.spot[tile] >> 4) * 2
        x = (g.spot[tile] & (RING - 1)) * 2
        if card == RUNNER:
            for corner in range(CORNERS):
                kind = g.cells[4 * tile + corner] & KIND
                if kind != PUDDLE and leaves_of(g.areas[g.area[4 * tile + corner]]) == 0:
                    add_run(g, y + (corner >> 1), x + (corner & 1), 0, 1, kind, feature, sum)
                    add_run(g, y + (corner >> 1), x + (corner & 1), 1, 0, kind, feature, sum)
        else:
            add_sides(g, 4 * tile, y, x, card == FLIRTY, feature, sum)


cdef inline void add_run(const Garden *g, int y, int x, int dy, int dx, int kind, int feature, Sum *sum) noexcept nogil:
    """Two or three in a straight line that begins here, and may go on."""
    cdef int length, ends
    if kind_at(g, y - dy, x - dx) == kind:
        return
    length = 1 + run_length(g, y, x, dy, dx, kind)
    if length < 2:
        return
    ends = (kind_at(g, y - dy, x - dx) == 0) + (kind_at(g, y + length * dy, x + length * dx) == 0)
    if ends:
        add_feature(sum, feature + 2 * (length > 2) + ends - 1, 1)


cdef inline void add_sides(const Garden *g, int founder, int y, int x, bint flirty, int feature, Sum *sum) noexcept nogil:
    """Sides of a tile with two fitting cells that face an empty spot, and squares around its corners that lack one cell."""
    cdef int corner, own, beside, above, across, dy, dx
    for corner in range(CORNERS):
        own = square_bits(g.cells[founder + corner])
        dy = 2 * (corner >> 1) - 1
        dx = 2 * (corner & 1) - 1
        above = square_bits(g.cells[cell_at(g, y + (corner >> 1) + dy, x + (corner & 1))])   # 0 where no tile lies
        beside = square_bits(g.cells[cell_at(g, y + (corner >> 1), x + (corner & 1) + dx)])
        across = square_bits(g.cells[cell_at(g, y + (corner >> 1) + dy, x + (corner & 1) + dx)])
        if not corner & 1 and above == 0 and may_be_square(own | square_bits(g.cells[founder + (corner ^ 1)]), 2, flirty):
            add_feature(sum, feature, 1)
        if not corner & 2 and beside == 0 and may_be_square(own | square_bits(g.cells[founder + (corner ^ 2)]), 2, flirty):
            add_feature(sum, feature, 1)
        if (above == 0) + (beside == 0) + (across == 0) == 1 and may_be_square(own | above | beside | across, 3, flirty):
            add_feature(sum, feature + 1, 1)


cdef inline void add_single(const Garden *g, int family, int card, Sum *sum) noexcept nogil:
    """Puddles, or mushrooms, that lack little for their card. The cards of both families are alike but one."""
    cdef int feature = CARD + (family * CARDS + card) * CARD_FEATURES
    cdef uint8_t[2][2 * RING] lines
    cdef int tile, cell, y, x, dy, dx, missing, near, far, i
    cdef Area area
    if family == FUNGUS and card == EXPLORER:
        memset(lines, 0, sizeof(lines))
    for tile in range(1, g.tiles + 1):
        cell = own_cell(g, family, tile)
        if cell == 0:
            continue
        y, x = place_of(g, cell)
        if card == DIVER:   # and host
            area = g.areas[g.area[cell]]
            if guests_of(area) == 0 and open_of(area) and (size_of(area) if family == POND else mushrooms_of(area)) == 1:
                add_feature(sum, feature + min(open_of(area), 4) - 1, 1)
        elif card == SKIPPER and family == POND:
            for i in range(4):
                dy = (i == 0) - (i == 1)
                dx = (i == 2) - (i == 3)
                near = cell_at(g, y + dy, x + dx)
                far = cell_at(g, y + 2 * dy, x + 2 * dx)
                if near < 4:
                    if g.cells[far] & KIND == PUDDLE:
                        add_feature(sum, feature, 1)
                elif far < 4 and g.cells[near] & KIND != PUDDLE and not g.cells[near] & PUDDLE_AT:
                    add_feature(sum, feature + 1, 1)
        elif not is_free(g.cells[cell], family):
            continue
        elif card == EXPLORER:
            lines[0][y & (2 * RING - 1)] += 1
            lines[1][x & (2 * RING - 1)] += 1
        else:               # friendly, collector, shy, loner
            missing = missing_beside(g, y, x)
            if missing and (card == FRIENDLY or not is_crowded(g, y, x, family)):
                add_feature(sum, feature + missing - 1, 1)
    if family == FUNGUS and card == EXPLORER:
        for i in range(2 * RING):
            if lines[0][i]:
                add_feature(sum, feature + (lines[0][i] > 1), 1)
            if lines[1][i]:
                add_feature(sum, feature + (lines[1][i] > 1), 1)


cdef inline int worth(const Tables *t, const LeavesState *s, const Garden *g, int seat, float *dense) noexcept nogil:
    """Points and promise of a garden, in units of 1 / SCALE."""
    cdef Sum sum
    cdef int left = turns_left(t, g)
    sum.value = SCALE * points_of(g)
    sum.dense = dense
    if s.phase == OVER:
        return sum.value
    sum.weights = t.weights + t.stage[left] * FEATURES
    if dense != NULL:
        sum.dense = dense + t.stage[left] * FEATURES
    add_leads(t, s, g, seat, &sum)
    if left > 0:
        add_position(t, s.unseen, g, s.cards, &sum)
    return sum.value


cdef inline void try_action(const Tables *t, const LeavesState *s, int32_t action, Garden *g) noexcept nogil:
    """The actor's garden after an action of his, and what he would choose next at a glance."""
    cdef int spot
    memcpy(g, &s.gardens[s.turn], sizeof(Garden))
    if s.phase == PLACE:
        spot = action // WAYS % SPOTS
        lay_tile(t, g, spot, t.cells[action // (SPOTS * WAYS)][action % WAYS], True)
        award(t, g, g.tiles, s.cards)
    else:
        spot = s.last
        choose(g, spot, s.family, (action - CHOOSE_BASE) % CHOICES)
    choose_most(t, g, spot, s.cards)


cdef inline int gain(const Tables *t, const LeavesState *s, int32_t action) noexcept nogil:
    """How good an action is at a glance: expected points, in units of 1 / SCALE."""
    cdef Garden garden
    try_action(t, s, action, &garden)
    return worth(t, s, &garden, s.turn, NULL)


# Moves found in a quick look

ctypedef struct Candidate:
    int32_t value
    int32_t action


# What lies beside the corners of a spot, by kind.
ctypedef struct Beside:
    uint8_t codes[CORNERS][8]    # of what a cell there would join
    int32_t blocked[CORNERS][8]  # and keep from being blocked
    int32_t lost                 # by blocking everything
    int32_t near                 # tiles beside the spot


cdef inline int blocked_feature(const Garden *g, int cell) noexcept nogil:
    """Which feature an area has when it loses an open side at this cell."""
    cdef Area area = g.areas[g.area[cell]]
    if g.cells[cell] & KIND == PUDDLE:
        return BLOCKED + 5
    if size_of(area) >= RIPE:
        return BLOCKED + 4
    return BLOCKED + 2 * size_of(area) - 2 + (open_of(area) == 1)


cdef inline void note_beside(const Tables *t, const Garden *g, int stage, int cell, int corner, Beside *out) noexcept nogil:
    cdef int size, kind, lost
    if cell >= 4:
        kind = g.cells[cell] & KIND
        size = size_of(g.areas[g.area[cell]])
        out.codes[corner][kind] += <uint8_t>size if size < RIPE and kind != PUDDLE else POLLINATED
        lost = t.glances[stage][blocked_feature(g, cell)]
        out.blocked[corner][kind] += lost
        out.lost += lost


cdef inline void look_beside(const Tables *t, const Garden *g, int stage, int spot, Beside *out) noexcept nogil:
    cdef int[8] outer
    cdef int corner, i
    find_outer(g, spot, outer)
    memset(out, 0, sizeof(Beside))
    for i in range(8):
        note_beside(t, g, stage, outer[i], i >> 1, out)
    for corner in range(CORNERS):
        out.near += g.at[t.around[spot][2 * corner + 1]] != 0


cdef inline int first_of(int side) noexcept nogil:
    """The first corner of a side: above 0 and 1, left 0 and 2, right 1 and 3, below 2 and 3."""
    return side - (side > 0)


cdef inline int second_of(int side) noexcept nogil:
    return first_of(side) + (1 if side == 0 or side == 3 else 2)


cdef inline int look_for_moves(const Tables *t, const LeavesState *s, int most, uint64_t noise, Candidate *out) noexcept nogil:
    """The best moves at a quick look, best first; `noise` decides where they are equal."""
    cdef const Garden *g = &s.gardens[s.turn]
    cdef int stage = t.stage[turns_left(t, g)]
    cdef int32_t[CORNERS][8] single
    cdef int32_t[CORNERS][8] paired     # by side
    cdef Beside beside
    cdef const Lying *lying
    cdef uint64_t market, word
    cdef int count = 0
    cdef int i, spot, corner, kind, tile, way, value, k, ripe, here
    for i in range(4):
        word = g.beside.rows[i]
        while word:
            spot = 64 * i + lowest_bit(word)
            word &= word - 1
            look_beside(t, g, stage, spot, &beside)
            for corner in range(CORNERS):
                single[corner][0] = 0
                paired[corner][0] = 0
                single[corner][PUDDLE] = t.glances[stage][
                    PUDDLES + 3 * s.cards[POND] + min(beside.codes[corner][PUDDLE] // POLLINATED, 2)] - beside.blocked[corner][PUDDLE]
            for kind in range(1, COLOURS + 1):
                ripe = min(<int>g.ripe[kind], RIPES - 1)
                for corner in range(CORNERS):
                    single[corner][kind] = t.joins[stage][0][ripe][beside.codes[corner][kind]] - beside.blocked[corner][kind]
                    paired[corner][kind] = t.joins[stage][1][ripe][
                        beside.codes[first_of(corner)][kind] + beside.codes[second_of(corner)][kind]] - (
                            beside.blocked[first_of(corner)][kind] + beside.blocked[second_of(corner)][kind])
            here = beside.lost + t.glances[stage][NEAR + beside.near - 1]
            market = s.market
            while market:
                tile = lowest_bit(market)
                market &= market - 1
                for way in range(t.ways[tile]):
                    lying = &t.lying[tile][way]
                    value = (here + single[lying.corners[0]][lying.kinds[0]] + single[lying.corners[1]][lying.kinds[1]]
                             + paired[lying.side][lying.kinds[2]])
                    if value & (COUNT - 1) == lying.terrain:
                        value += t.glances[stage][COMPLETE]
                    value = (value >> 3) * 16 + <int>(noise >> 60)
                    noise = noise * <uint64_t>0xD1342543DE82EF95 + 1
                    if count == most and value <= out[count - 1].value:
                        continue
                    k = count if count < most else most - 1
                    while k > 0 and out[k - 1].value < value:
                        out[k] = out[k - 1]
                        k -= 1
                    out[k].value = value
                    out[k].action = (tile * SPOTS + spot) * WAYS + way
                    count += count < most
    return count


cdef inline int join_feature(int code) noexcept nogil:
    return min(code // POLLINATED, PARTS - 1) * JOINS + min(code % POLLINATED, JOINS - 1)


cdef inline void add_glance(const Tables *t, const LeavesState *s, int32_t action, float *dense) noexcept nogil:
    """The features that a quick look weighs, of one move. What `look_for_moves` takes from its tables, one by one."""
    cdef const Garden *g = &s.gardens[s.turn]
    cdef int stage = t.stage[turns_left(t, g)]
    cdef int spot = action // WAYS % SPOTS
    cdef int tile = action // (SPOTS * WAYS)
    cdef const Lying *lying = &t.lying[tile][action % WAYS]
    cdef const uint8_t *cells = t.cells[tile][action % WAYS]
    cdef int[8] outer
    cdef int i, kind, code, ripe
    cdef int pollinated = 0
    cdef Beside beside
    dense += stage * GLANCES
    look_beside(t, g, stage, spot, &beside)
    dense[NEAR + beside.near - 1] += 1
    find_outer(g, spot, outer)
    for i in range(8):
        if outer[i] >= 4 and g.cells[outer[i]] & KIND != cells[i >> 1] & KIND:
            dense[blocked_feature(g, outer[i])] += 1
    for i in range(3):
        kind = lying.kinds[i]
        if i < 2:
            code = beside.codes[lying.corners[i]][kind]
        else:
            code = beside.codes[first_of(lying.side)][kind] + beside.codes[second_of(lying.side)][kind]
        if kind == PUDDLE:
            dense[PUDDLES + 3 * s.cards[POND] + min(code // POLLINATED, 2)] += 1
        elif kind:
            ripe = min(<int>g.ripe[kind], RIPES - 1)
            dense[(PAIRED if i == 2 else SINGLE) + ripe * PARTS * JOINS + join_feature(code)] += 1
            pollinated += counted(i == 2, code)
    if pollinated == lying.terrain:
        dense[COMPLETE] += 1


cdef inline int counted(bint pair, int code) noexcept nogil:
    """The cells, of one or two, that come into a pollinated area."""
    return 1 + pair if code >= POLLINATED or 1 + pair + code >= RIPE else 0
