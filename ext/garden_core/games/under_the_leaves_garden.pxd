# Under the Leaves: a garden, and what a tile laid in it brings. What the searches see is in under_the_leaves.pyx.
#
# A garden is the list of its tiles on a ring of 16 x 16 spots: no garden stretches over more than 13, so it slides freely and
# never meets itself, and a cell is found by two masks and a shift. Cells name their area, an area is one word (size, bees,
# dwellers, mushrooms, open sides) so that two are joined by an addition, and all that a tile can change is looked at in the 4 x 4
# cells around it. That takes a fifth of what bit sets of the 52 x 52 cells would.

from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from garden_core.bits cimport Board, clear_bit, lowest_bit, popcount, set_bit

cdef enum:
    SEATS = 4            # capacity
    COLOURS = 5
    PUDDLE = 6           # kinds of cells: 0 none, 1 + colour, or this
    TILES = 64           # capacity: in the bag
    STARTING = 6         # capacity
    TURNS = 12           # capacity: and tiles that a garden may stretch in any direction
    MARKET = 4           # capacity
    LAID = TURNS + 2     # numbers of tiles in a garden: from 1; 0 is no tile
    CELLS = 4 * LAID     # the cell of a tile: 4 * number + corner; the first four are none
    CORNERS = 4          # top left, top right, bottom left, bottom right
    WAYS = 8             # a tile may lie
    RING = 16            # spots in a row, and rows
    SPOTS = RING * RING
    RIPE = 3             # cells of a pollinated area
    FAMILIES = 3
    CARDS = 4            # of a family
    SQUARES = 9          # around a tile
    ACTIONS = TILES * SPOTS * WAYS
    CHOOSE_BASE = ACTIONS
    CHOICES = 16         # ids of a family's
    SCALE = 4096         # of weights

# Features of a garden, at each stage of the game
cdef enum:
    OPENS = 5            # more open sides count as one less than this
    RIPES = 4            # and more pollinated areas of a colour
    MOST_RIPE = 5        # that are told apart
    GROUP = 0                                       # of one or two cells: [size - 1][open][pollinated areas of its colour]
    RIPE_AREAS = GROUP + 2 * OPENS * RIPES          # of a colour
    RIPE_OPEN = RIPE_AREAS + MOST_RIPE              # open sides of a pollinated area
    DRY = RIPE_OPEN + OPENS                         # a tile by its cells in none, and how many of them are in groups of two
    LOST_NEST = DRY + 14
    TRIPLE = LOST_NEST + 1                          # spots in a row by their nests
    LEAD = TRIPLE + 7                               # of dwellers of a family
    ROOM = LEAD + 5                                 # empty spots beside the garden
    SUPPLY = ROOM + 1                               # of groups of one and two, unseen tiles with their colour beyond one half
    CARD = SUPPLY + 2                               # what lacks little for a card: [family][card]
    CARD_FEATURES = 6
    FEATURES = CARD + FAMILIES * CARDS * CARD_FEATURES
    STAGES = 8

# What lies in a cell: a kind in the low three bits, and
cdef enum:
    KIND = 7
    MUSHROOM = 8
    IN_SQUARE = 16       # used by a leaf dweller's square
    SQUARE_AT = 32       # its top left cell
    PUDDLE_AT = 64       # a puddle dweller of a card that counts cells
    MUSHROOM_AT = 128

cdef enum Phase:
    CARDS_DRAWN          # chance
    STARTS               # chance: the starting tiles
    FIRST                # chance: who begins
    DRAW                 # chance: a tile for the market
    PLACE
    CHOOSE               # who gets the dweller
    OVER


# Families of dwellers
cdef enum:
    LEAF = 0
    POND = 1             # the puddle's
    FUNGUS = 2           # the mushroom's


cdef enum:
    THOUGHTFUL = 0
    RESTLESS = 1
    FLIRTY = 2
    RUNNER = 3
    DIVER = 0
    SKIPPER = 1
    FRIENDLY = 2
    SHY = 3
    HOST = 0
    EXPLORER = 1
    COLLECTOR = 2
    LONER = 3


# An area or a puddle in one word, so that two are joined by an addition: its cells (6 bits), bees (8), leaf dwellers (4), other
# dwellers (3: mushroom's, a puddle's), mushrooms (4), and open sides (pairs of a cell and an empty one beside it).
ctypedef uint32_t Area

cdef enum:
    ONE_BEE = 1 << 6
    ONE_LEAF = 1 << 14
    ONE_GUEST = 1 << 18
    ONE_MUSHROOM = 1 << 21
    ONE_OPEN = 1 << 25
    HISTORY = ONE_MUSHROOM - ONE_BEE   # bees and dwellers: what does not follow from the board

cdef inline int size_of(Area area) noexcept nogil:
    return area & 63


cdef inline int bees_of(Area area) noexcept nogil:
    return (area >> 6) & 255


cdef inline int leaves_of(Area area) noexcept nogil:
    return (area >> 14) & 15


cdef inline int guests_of(Area area) noexcept nogil:
    return (area >> 18) & 7


cdef inline int mushrooms_of(Area area) noexcept nogil:
    return (area >> 21) & 15


cdef inline int open_of(Area area) noexcept nogil:
    return area >> 25


ctypedef struct Garden:
    uint8_t at[SPOTS]            # the number of the tile on a spot
    uint8_t cells[CELLS]
    uint8_t area[CELLS]          # the name of the cell's area: its founder
    uint8_t next[CELLS]          # the cells of an area in a ring
    Area areas[CELLS]            # by name
    Board beside                 # empty spots beside a tile
    uint8_t spot[LAID]           # of a tile
    uint8_t dry[LAID]            # its terrain cells in no pollinated area
    uint8_t puddle[LAID]         # its puddle, or 0
    uint8_t mushroom[LAID]       # its cell with a mushroom, or 0
    uint8_t ripe[COLOURS + 1]    # pollinated areas of a kind; 0 for no kind
    uint8_t figures[FAMILIES]    # dwellers
    uint8_t tiles
    uint8_t bees
    uint8_t hummingbirds
    uint16_t nests               # bit set of the tiles that hold a hummingbird
    int8_t top, left, bottom, right   # the outermost rows and columns of spots, the starting tile's 0


ctypedef struct LeavesState:
    uint64_t unseen              # tiles in the bag and those removed
    uint64_t market
    uint16_t pending             # choices open in phase CHOOSE
    uint8_t phase
    uint8_t turn
    uint8_t left                 # tiles to be drawn
    uint8_t family               # that decisions are made on
    uint8_t last                 # the spot of the tile just placed
    uint8_t cards[FAMILIES]
    uint8_t unused[6]
    Garden gardens[SEATS]        # as many as there are players


# A quick look at a move: what the cells beside a spot make of the tile's, without laying it
cdef enum:
    GLANCE_SCALE = 256
    COUNT = 8            # the low bits of a value count cells in pollinated areas
    POLLINATED = 16      # a code counts what is joined: single cells, and this for each pollinated area
    CODES = 5 * POLLINATED
    JOINS = 5            # cells that are told apart, and
    PARTS = 3            # pollinated areas
    SINGLE = 0                                      # [pollinated areas of the colour][areas joined][cells joined]
    PAIRED = SINGLE + RIPES * PARTS * JOINS
    BLOCKED = PAIRED + RIPES * PARTS * JOINS        # areas that lose an open side: of one cell, its last, two, last; others, puddles
    COMPLETE = BLOCKED + 6                          # all cells are in pollinated areas
    PUDDLES = COMPLETE + 1                          # [card][puddles joined]
    NEAR = PUDDLES + CARDS * 3                      # tiles beside the spot
    GLANCES = NEAR + 4
    MOST_CANDIDATES = 48


# A tile as it lies, for a quick look: a single cell, perhaps another, and a pair.
ctypedef struct Lying:
    uint8_t corners[2]
    uint8_t kinds[3]             # of the two (a puddle too) and the pair; 0 where there is none
    uint8_t side                 # the pair's: above, left, right, below
    uint8_t terrain              # cells
    uint8_t unused


ctypedef struct Tables:
    int players
    int first                    # who begins, or -1: drawn
    int tiles                    # in the bag
    int starting
    int turns
    int market
    int cards[FAMILIES]          # bit sets: which may be drawn
    int cards_choices            # how many triples of cards are possible
    bint majority_of_none
    int most_ways
    uint8_t cells[TILES][WAYS][CORNERS]
    uint8_t ways[TILES]
    uint8_t starting_cells[STARTING][CORNERS]
    uint8_t around[SPOTS][9]     # the 3 x 3 spots around, in reading order
    uint64_t place_hash[SPOTS][CORNERS]
    uint64_t having[COLOURS + 1]     # tiles with a kind of cell
    uint16_t overlaps[SQUARES]   # of the 3 x 3 squares around a tile
    uint16_t lonely[1 << SQUARES]    # of a set of squares, those that overlap no other of it
    uint16_t offered[1 << SQUARES]   # those of the others that lead to different gardens
    uint16_t best[1 << SQUARES]      # as many as can be had together
    int score_high
    Lying lying[TILES][WAYS]
    int32_t joins[STAGES][2][RIPES][CODES]   # at a quick look, in units of 1 / (COUNT * GLANCE_SCALE): single or paired cells
    int32_t glances[STAGES][GLANCES]         # and the rest
    int stage[TURNS + 1]             # by turns left
    int32_t weights[STAGES * FEATURES]   # in units of 1 / SCALE
    double base[TURNS + 1]           # points to come whatever lies in the garden, by turns left
    double slope[TURNS + 1]          # points by what it promises
    double certainty[TURNS + 1]      # points of estimated margin that win three games of four
    float sharpness                  # of the priors
    int candidates                   # of the playout policy


# Cells

cdef inline int cell_at(const Garden *g, int y, int x) noexcept nogil:
    """The cell in row y, column x of the ring of 32 x 32 cells; below 4 where no tile lies."""
    return 4 * g.at[((y & 30) << 3) | ((x & 30) >> 1)] + ((y & 1) << 1 | (x & 1))


cdef inline int kind_at(const Garden *g, int y, int x) noexcept nogil:
    return g.cells[cell_at(g, y, x)] & KIND


cdef inline bint is_terrain(int kind) noexcept nogil:
    return 0 < kind <= COLOURS


cdef inline int row_of(const Garden *g, int spot) noexcept nogil:
    """The row of a spot of the garden or beside it, the starting tile's being 0."""
    return g.top - 1 + (((spot >> 4) - g.top + 1) & (RING - 1))


cdef inline int column_of(const Garden *g, int spot) noexcept nogil:
    return g.left - 1 + ((spot - g.left + 1) & (RING - 1))


cdef inline (int, int) place_of(const Garden *g, int cell) noexcept nogil:
    """Row and column of a cell; those of the starting tile are 0 and 1."""
    cdef int spot = g.spot[cell >> 2]
    return 2 * row_of(g, spot) + ((cell >> 1) & 1), 2 * column_of(g, spot) + (cell & 1)


cdef inline int spot_at(int row, int column) noexcept nogil:
    return (row & (RING - 1)) << 4 | (column & (RING - 1))


# Laying a tile: areas, bees and hummingbirds

cdef inline void join(Garden *g, int one, int other) noexcept nogil:
    """Two areas become one: the cells of the smaller take the name of the larger."""
    cdef int cell
    if size_of(g.areas[one]) < size_of(g.areas[other]):
        one, other = other, one
    g.areas[one] += g.areas[other]
    cell = other
    while True:
        g.area[cell] = <uint8_t>one
        if g.next[cell] == other:
            break
        cell = g.next[cell]
    # two rings with their ways on exchanged are one
    g.next[cell] = g.next[one]
    g.next[one] = <uint8_t>other


cdef inline void bring_bees(Garden *g, int name, int kind) noexcept nogil:
    """A new area gets a bee, and so does every other pollinated one of its colour."""
    cdef int cell
    g.bees += 1 + g.ripe[kind]
    g.areas[name] += ONE_BEE
    if g.ripe[kind]:
        for cell in range(4, 4 * g.tiles + 4):
            if g.area[cell] == cell and g.cells[cell] & KIND == kind and size_of(g.areas[cell]) >= RIPE and cell != name:
                g.areas[cell] += ONE_BEE


cdef inline int nest(const Garden *g, int row, int column) noexcept nogil:
    return (g.nests >> g.at[spot_at(row, column)]) & 1


cdef inline void settle_nest(Garden *g, int tile) noexcept nogil:
    """A hummingbird comes to a tile, and others to the middles of three nests in a row that it completes."""
    cdef int row = g.spot[tile] >> 4
    cdef int column = g.spot[tile] & (RING - 1)
    cdef int left = nest(g, row, column - 1)
    cdef int right = nest(g, row, column + 1)
    cdef int above = nest(g, row - 1, column)
    cdef int below = nest(g, row + 1, column)
    g.nests |= <uint16_t>(1 << tile)
    g.hummingbirds += <uint8_t>(
        1 + (left & right) + (left & nest(g, row, column - 2)) + (right & nest(g, row, column + 2))
        + (above & below) + (above & nest(g, row - 2, column)) + (below & nest(g, row + 2, column)))


cdef inline void dampen(Garden *g, int tile) noexcept nogil:
    """A cell of the tile has come into a pollinated area."""
    g.dry[tile] -= 1
    if g.dry[tile] == 0:
        settle_nest(g, tile)


cdef inline void find_outer(const Garden *g, int spot, int *out) noexcept nogil:
    """The two cells beside each corner of a spot that are of other spots."""
    cdef int y = (spot >> 4) * 2
    cdef int x = (spot & (RING - 1)) * 2
    cdef int corner
    for corner in range(CORNERS):
        out[2 * corner] = cell_at(g, y - 1 + 3 * (corner >> 1), x + (corner & 1))
        out[2 * corner + 1] = cell_at(g, y + (corner >> 1), x - 1 + 3 * (corner & 1))


cdef inline void lay_tile(const Tables *t, Garden *g, int spot, const uint8_t *cells, bint bees) noexcept nogil:
    """Lays a tile: areas, hummingbirds, and bees where they are wanted; no dwellers."""
    cdef int n = g.tiles + 1
    cdef int founder = 4 * n
    cdef int[8] outer
    cdef int[16] entering        # cells of areas of one or two that the tile joins
    cdef int[PUDDLE + 1] parts   # pollinated areas that it joins
    cdef int count = 0
    cdef int seen = 0
    cdef int dry = 0
    cdef int corner, i, cell, other, kind, name
    cdef const uint8_t *around = t.around[spot]
    g.tiles = <uint8_t>n
    find_outer(g, spot, outer)
    memset(parts, 0, sizeof(parts))
    g.at[spot] = <uint8_t>n
    g.spot[n] = <uint8_t>spot
    enter_spot(g, spot, around)
    for corner in range(CORNERS):
        cell = founder + corner
        kind = cells[corner]
        g.cells[cell] = <uint8_t>kind
        g.area[cell] = <uint8_t>cell
        g.next[cell] = <uint8_t>cell
        g.areas[cell] = 1
        if kind & MUSHROOM:
            g.mushroom[n] = <uint8_t>cell
            g.areas[cell] += ONE_MUSHROOM
        elif kind == PUDDLE:
            g.puddle[n] = <uint8_t>cell
        for i in range(2 * corner, 2 * corner + 2):
            if outer[i] < 4:
                g.areas[cell] += ONE_OPEN
            else:
                g.areas[g.area[outer[i]]] -= ONE_OPEN
    for i in range(4):   # the four pairs of corners that touch
        cell = founder + (i & 2 if i & 1 else i >> 1)
        other = cell + (1 if i & 1 else 2)
        if (g.cells[cell] ^ g.cells[other]) & KIND == 0 and g.area[cell] != g.area[other]:
            join(g, g.area[cell], g.area[other])
    for i in range(8):
        cell = founder + (i >> 1)
        other = outer[i]
        kind = g.cells[cell] & KIND
        if kind != g.cells[other] & KIND or g.area[cell] == g.area[other]:
            continue
        name = g.area[other]
        if size_of(g.areas[name]) >= RIPE:
            parts[kind] += 1
        else:
            entering[count] = name
            count += 1
            if g.next[name] != name:
                entering[count] = g.next[name]
                count += 1
        join(g, g.area[cell], name)
    for corner in range(CORNERS):
        cell = founder + corner
        kind = g.cells[cell] & KIND
        if kind == PUDDLE:
            continue
        name = g.area[cell]
        if size_of(g.areas[name]) < RIPE:
            dry += 1
        elif not (seen >> kind) & 1:
            seen |= 1 << kind
            if parts[kind] == 0 and bees:
                bring_bees(g, name, kind)
            g.ripe[kind] += <uint8_t>(1 - parts[kind])
    g.dry[n] = <uint8_t>dry
    if dry == 0:
        settle_nest(g, n)
    for i in range(count):
        cell = entering[i]
        if g.cells[cell] & KIND != PUDDLE and size_of(g.areas[g.area[cell]]) >= RIPE:
            dampen(g, cell >> 2)


cdef inline void enter_spot(Garden *g, int spot, const uint8_t *around) noexcept nogil:
    """A spot is taken: the empty ones beside it may be next."""
    cdef int row = row_of(g, spot)
    cdef int column = column_of(g, spot)
    cdef int i
    clear_bit(&g.beside, spot)
    for i in range(1, 9, 2):
        if g.at[around[i]] == 0:
            set_bit(&g.beside, around[i])
    g.top = <int8_t>min(<int>g.top, row)
    g.bottom = <int8_t>max(<int>g.bottom, row)
    g.left = <int8_t>min(<int>g.left, column)
    g.right = <int8_t>max(<int>g.right, column)


cdef inline int points_of(const Garden *g) noexcept nogil:
    return g.bees + g.hummingbirds + g.figures[LEAF] + g.figures[POND] + g.figures[FUNGUS]


# Dwellers that come without a decision

cdef inline int run_length(const Garden *g, int y, int x, int dy, int dx, int kind) noexcept nogil:
    """How many cells of a kind follow a cell in one direction, at most three."""
    cdef int n = 0
    while n < 3 and kind_at(g, y + dy * (n + 1), x + dx * (n + 1)) == kind:
        n += 1
    return n


cdef inline bint in_line(const Garden *g, int y, int x, int kind) noexcept nogil:
    """Whether a cell is one of four of a kind in a straight line."""
    return (run_length(g, y, x, 0, 1, kind) + run_length(g, y, x, 0, -1, kind) >= 3
            or run_length(g, y, x, 1, 0, kind) + run_length(g, y, x, -1, 0, kind) >= 3)


cdef inline bint is_of(int cell, int family) noexcept nogil:
    """Whether what lies in a cell is what the family counts: a puddle, a mushroom."""
    return cell & KIND == PUDDLE if family == POND else cell & MUSHROOM != 0


cdef inline int mark_of(int family) noexcept nogil:
    return PUDDLE_AT if family == POND else MUSHROOM_AT


cdef inline int own_cell(const Garden *g, int family, int tile) noexcept nogil:
    """A tile's puddle or mushroom, or 0."""
    return g.puddle[tile] if family == POND else g.mushroom[tile]


cdef inline void settle(Garden *g, int family, int cell) noexcept nogil:
    """A puddle's or a mushroom's dweller on a cell."""
    g.figures[family] += 1
    g.cells[cell] |= mark_of(family)


cdef inline int missing_beside(const Garden *g, int y, int x) noexcept nogil:
    """Of the three tiles that touch this corner of its tile, how many are not there."""
    cdef int dy = (y & 1) * 2 - 1   # towards them
    cdef int dx = (x & 1) * 2 - 1
    return (cell_at(g, y + dy, x + dx) < 4) + (cell_at(g, y + dy, x) < 4) + (cell_at(g, y, x + dx) < 4)


cdef inline bint is_crowded(const Garden *g, int y, int x, int family) noexcept nogil:
    """Whether what the family counts lies among the cells of other tiles around a cell."""
    cdef int dy = (y & 1) * 2 - 1
    cdef int dx = (x & 1) * 2 - 1
    return (is_of(g.cells[cell_at(g, y + dy, x + dx)], family) or is_of(g.cells[cell_at(g, y + dy, x)], family)
            or is_of(g.cells[cell_at(g, y, x + dx)], family) or is_of(g.cells[cell_at(g, y + dy, x - dx)], family)
            or is_of(g.cells[cell_at(g, y - dy, x + dx)], family))


cdef inline bint is_alone(const Garden *g, int cell, int family) noexcept nogil:
    """Whether the eight cells around a puddle (mushroom) all exist and hold no other: a tile has one at most."""
    cdef int y, x
    y, x = place_of(g, cell)
    return missing_beside(g, y, x) == 0 and not is_crowded(g, y, x, family)


cdef inline void skip(Garden *g, int y, int x, int dy, int dx) noexcept nogil:
    """A dweller on a terrain cell that has puddles on both sides in this line, unless one is there."""
    cdef int cell = cell_at(g, y, x)
    if is_terrain(g.cells[cell] & KIND) and not g.cells[cell] & PUDDLE_AT and (
            kind_at(g, y - dy, x - dx) == PUDDLE and kind_at(g, y + dy, x + dx) == PUDDLE):
        settle(g, POND, cell)


cdef inline int middle_mushroom(const Garden *g, int cell, bint across) noexcept nogil:
    """The middle one of three mushrooms without a dweller in the row (or column) of one, or 0."""
    cdef int[3] cells
    cdef int[3] places
    cdef int count = 0
    cdef int tile, other, y, x, line, i
    y, x = place_of(g, cell)
    line = y if across else x
    for tile in range(1, g.tiles + 1):
        other = g.mushroom[tile]
        if other and not g.cells[other] & MUSHROOM_AT:
            y, x = place_of(g, other)
            if (y if across else x) == line and count < 3:   # a fourth never stays: the third brought a dweller
                cells[count] = other
                places[count] = x if across else y
                count += 1
    if count < 3:
        return 0
    for i in range(3):
        if (places[i] > places[(i + 1) % 3]) != (places[i] > places[(i + 2) % 3]):
            return cells[i]
    return 0


cdef inline void award(const Tables *t, Garden *g, int n, const uint8_t *cards) noexcept nogil:
    """The dwellers that a tile just laid brings where the card leaves no choice."""
    cdef int founder = 4 * n
    cdef int spot = g.spot[n]
    cdef int y = (spot >> 4) * 2
    cdef int x = (spot & (RING - 1)) * 2
    cdef int corner, cell, kind, other
    cdef Area *area
    for corner in range(CORNERS):
        kind = g.cells[founder + corner] & KIND
        area = &g.areas[g.area[founder + corner]]
        if kind == PUDDLE:
            if cards[POND] == DIVER and size_of(area[0]) >= 2 and guests_of(area[0]) == 0:
                area[0] += ONE_GUEST
                g.figures[POND] += 1
            continue
        if leaves_of(area[0]) == 0 and (
                cards[LEAF] == RESTLESS and size_of(area[0]) >= 5
                or cards[LEAF] == RUNNER and size_of(area[0]) >= 4 and in_line(g, y + (corner >> 1), x + (corner & 1), kind)):
            area[0] += ONE_LEAF
            g.figures[LEAF] += 1
        if cards[FUNGUS] == HOST and mushrooms_of(area[0]) >= 2 and guests_of(area[0]) == 0:
            area[0] += ONE_GUEST
            g.figures[FUNGUS] += 1
    if cards[POND] == SKIPPER:
        for corner in range(CORNERS):
            skip(g, y + (corner >> 1), x + (corner & 1), 1, 0)
            skip(g, y + (corner >> 1), x + (corner & 1), 0, 1)
        cell = g.puddle[n]
        if cell:
            y += (cell >> 1) & 1
            x += cell & 1
            skip(g, y - 1, x, 1, 0)
            skip(g, y + 1, x, 1, 0)
            skip(g, y, x - 1, 0, 1)
            skip(g, y, x + 1, 0, 1)
    elif cards[POND] == SHY:
        award_alone(t, g, spot, POND)
    if cards[FUNGUS] == LONER:
        award_alone(t, g, spot, FUNGUS)
    elif cards[FUNGUS] == EXPLORER and g.mushroom[n]:
        cell = middle_mushroom(g, g.mushroom[n], True)
        other = middle_mushroom(g, g.mushroom[n], False)
        if cell:
            settle(g, FUNGUS, cell)
        if other and other != cell:
            settle(g, FUNGUS, other)


cdef inline void award_alone(const Tables *t, Garden *g, int spot, int family) noexcept nogil:
    """The dwellers of puddles or mushrooms that are alone now, on a tile or beside it."""
    cdef int i, cell
    for i in range(9):
        cell = own_cell(g, family, g.at[t.around[spot][i]])
        if cell and not g.cells[cell] & mark_of(family) and is_alone(g, cell, family):
            settle(g, family, cell)


# Dwellers that the owner decides on

cdef inline void look_around(const Garden *g, int spot, uint8_t *window) noexcept nogil:
    """The cell numbers of the 4 x 4 cells around a tile, in reading order."""
    cdef int y = (spot >> 4) * 2 - 1
    cdef int x = (spot & (RING - 1)) * 2 - 1
    cdef int i
    for i in range(16):
        window[i] = <uint8_t>cell_at(g, y + (i >> 2), x + (i & 3))


cdef inline int corner_of_square(int square) noexcept nogil:
    """Where in the 4 x 4 cells the top left cell of one of the 3 x 3 squares lies."""
    return square // 3 * 4 + square % 3


cdef inline int square_bits(int cell) noexcept nogil:
    """A bit for the kind of a cell, so that those of a square can be joined; one that no square can have for a used cell."""
    return 1 << 16 if cell & IN_SQUARE else 1 << (cell & KIND) & ~1


cdef inline bint may_be_square(int bits, int cells, bint flirty) noexcept nogil:
    """Whether so many cells, of which these are the joined bits, may be in one square of the leaf card."""
    if flirty:
        return bits < 1 << 16 and popcount(bits) == cells
    return bits & (bits - 1) == 0 and bits < 1 << PUDDLE


cdef inline int open_squares(const Garden *g, int spot, bint flirty) noexcept nogil:
    """The squares around a tile that fulfil the leaf card and have no used cell."""
    cdef uint8_t[16] window
    cdef int[16] bits
    cdef int square, at, i
    cdef int out = 0
    look_around(g, spot, window)
    for i in range(16):
        bits[i] = square_bits(g.cells[window[i]]) if window[i] >= 4 else 1 << 16
    for square in range(SQUARES):
        at = corner_of_square(square)
        if may_be_square(bits[at] | bits[at + 1] | bits[at + 4] | bits[at + 5], 4, flirty):
            out |= 1 << square
    if g.spot[1] == spot:   # the starting tile's own square
        out &= ~(1 << 4)
    return out


cdef inline void mark_square(Garden *g, int spot, int square) noexcept nogil:
    cdef uint8_t[16] window
    cdef int at = corner_of_square(square)
    look_around(g, spot, window)
    g.figures[LEAF] += 1
    g.cells[window[at]] |= SQUARE_AT | IN_SQUARE
    g.cells[window[at + 1]] |= IN_SQUARE
    g.cells[window[at + 4]] |= IN_SQUARE
    g.cells[window[at + 5]] |= IN_SQUARE


cdef inline void mark_squares(Garden *g, int spot, int squares) noexcept nogil:
    while squares:
        mark_square(g, spot, lowest_bit(squares))
        squares &= squares - 1


cdef inline bint is_free(int cell, int family) noexcept nogil:
    """Whether a cell is what the family counts, and without its dweller."""
    return is_of(cell, family) and not cell & mark_of(family)


cdef inline int open_pairs(const Garden *g, int spot, int family) noexcept nogil:
    """Of the 4 x 4 cells around a tile, those that touch another of the family diagonally, both without a dweller.

    One of every two is the tile's own: where others touch, they were seen to before.
    """
    cdef uint8_t[16] window
    cdef int cell = own_cell(g, family, g.at[spot])
    cdef int at, i, other
    cdef int out = 0
    if cell == 0 or not is_free(g.cells[cell], family):
        return 0
    look_around(g, spot, window)
    at = 5 + (cell & 1) + 4 * ((cell >> 1) & 1)
    for i in range(4):
        other = at + (-5 if i == 0 else -3 if i == 1 else 3 if i == 2 else 5)
        if is_free(g.cells[window[other]], family):
            out |= 1 << other | 1 << at
    return out


cdef inline int open_choices(const Garden *g, int spot, int family, int card) noexcept nogil:
    """What the owner may have: squares around a tile, or cells around it."""
    if family == LEAF:
        return open_squares(g, spot, card == FLIRTY) if card == THOUGHTFUL or card == FLIRTY else 0
    return open_pairs(g, spot, family) if card == FRIENDLY else 0   # and collector


cdef inline void choose(Garden *g, int spot, int family, int choice) noexcept nogil:
    cdef uint8_t[16] window
    if family == LEAF:
        mark_square(g, spot, choice)
    else:
        look_around(g, spot, window)
        settle(g, family, window[choice])


cdef inline int leave_open(const Tables *t, Garden *g, int spot, int family, int card) noexcept nogil:
    """Awards what leaves no choice, and returns the choices that are open then."""
    cdef int found = open_choices(g, spot, family, card)
    cdef int lonely
    if family != LEAF or found == 0:
        return found
    lonely = t.lonely[found]
    mark_squares(g, spot, lonely)
    return t.offered[found & ~lonely]


cdef inline void choose_most(const Tables *t, Garden *g, int spot, const uint8_t *cards) noexcept nogil:
    """Makes every open decision so that most dwellers come: squares that fit together; the others of pairs, not the tile's own."""
    cdef int own, found, family
    cdef uint8_t[16] window
    if cards[LEAF] == THOUGHTFUL or cards[LEAF] == FLIRTY:
        mark_squares(g, spot, t.best[open_squares(g, spot, cards[LEAF] == FLIRTY)])
    for family in range(POND, FUNGUS + 1):
        found = open_choices(g, spot, family, cards[family])
        if found:
            look_around(g, spot, window)
            own = own_cell(g, family, g.at[spot])
            while found:
                if window[lowest_bit(found)] != own:
                    choose(g, spot, family, lowest_bit(found))
                found &= found - 1
