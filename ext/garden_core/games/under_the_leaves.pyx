"""Under the Leaves: two to four players lay tiles of four cells; areas of a colour bring bees, and patterns their dwellers.

Rules are explained in docs/games/under_the_leaves.md. Gardens are in under_the_leaves_garden.pxd, evaluation and policy in
under_the_leaves_advice.pxd; here is the turn, the contract, loading and positions.

Actions: place `(tile * 256 + spot) * 8 + way`, choose `CHOOSE_BASE + family * 16 + i`, where `i` counts the 3 x 3 squares, or the
4 x 4 cells, around the tile just placed. Outcomes: the three cards `(leaf * 4 + puddle) * 4 + mushroom`; the starting tiles of
all seats, three bits each; the first player's seat; the tile drawn.
"""
import json
from importlib.resources import files
from math import perm

import numpy as np

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from garden_core.bits cimport Board, count_bits, has_bit, lowest_bit, popcount, select_bit, select_cell
from garden_core.games.under_the_leaves_advice cimport (
    add_glance, Candidate, counted, gain, join_feature, look_for_moves, turns_left, worth)
from garden_core.games.under_the_leaves_garden cimport (
    ACTIONS, CARDS, CARDS_DRAWN, CHOICES, CHOOSE, CHOOSE_BASE, CODES, COLOURS, CORNERS, COUNT, DIVER, DRAW, FAMILIES,
    FEATURES, FIRST, FLIRTY, FRIENDLY, FUNGUS, GLANCE_SCALE, GLANCES, HISTORY, HOST, IN_SQUARE, JOINS, KIND, LEAF, MARKET,
    MOST_CANDIDATES, MUSHROOM, MUSHROOM_AT, ONE_BEE, ONE_GUEST, ONE_LEAF, OVER, PAIRED, PARTS, PLACE, POND, PUDDLE, PUDDLE_AT,
    RESTLESS, RING, RIPE, RIPES, SCALE, SEATS, SHY, SINGLE, SKIPPER, SPOTS, SQUARE_AT, SQUARES, STAGES, STARTING, STARTS,
    THOUGHTFUL, TILES, TURNS, WAYS, Area, award, bees_of, cell_at, choose, choose_most, column_of, corner_of_square, Garden,
    guests_of, in_line, is_alone, is_free, is_of, is_terrain, kind_at, lay_tile, leave_open, leaves_of, LeavesState,
    look_around, Lying, mark_of, mushrooms_of, nest, open_choices, place_of, points_of, row_of, size_of, spot_at, Tables)
from garden_core.hash cimport hash_words
from garden_core.rng cimport Rng, below, mix64, next64
from garden_core.rules cimport (
    ALL, CHANCE, TERMINAL, Rules, estimated_utilities, final_utilities, places_from_scores, priors_from_gains)
from garden_core.state cimport Game, State

from garden_core.fields import FieldError, agrees, check_names, mapping, one_of, sequence, shown, text, whole, with_defaults
from garden_core.state import made_once

cdef enum:
    LAYOUT = 1
    COMPONENTS = 6
    MAJORITY = 2         # points
    KEY_WORDS = 8

PHASES = ("cards", "starts", "first", "draw", "place", "choose", "over")

FAMILY_NAMES = ("leaf", "puddle", "mushroom")

CARD_NAMES = {
    "leaf": ("thoughtful", "restless", "flirty", "runner"),
    "puddle": ("diver", "skipper", "friendly", "shy"),
    "mushroom": ("host", "explorer", "collector", "loner"),
}

COMPONENT_NAMES = ("bees", "hummingbirds", *FAMILY_NAMES, "majorities")


# The turn

cdef void decide(const Tables *t, LeavesState *s) noexcept nogil:
    """To the next decision on dwellers, or to the end of the turn."""
    while s.family < FAMILIES:
        s.pending = <uint16_t>leave_open(t, &s.gardens[s.turn], s.last, s.family, s.cards[s.family])
        if s.pending:
            s.phase = CHOOSE
            return
        s.family += 1
    s.family = 0
    s.last = 0
    s.turn = <uint8_t>((s.turn + 1) % t.players) if s.left else 0
    s.phase = DRAW if s.left else OVER


cdef inline void go_on(const Tables *t, LeavesState *s) noexcept nogil:
    """To the next thing that chance settles before the game, or to the first tile of the market."""
    if s.phase == CARDS_DRAWN:
        s.phase = STARTS
    elif s.phase == STARTS:
        s.phase = FIRST
        if t.first >= 0:
            s.turn = <uint8_t>t.first
            s.phase = DRAW
    else:
        s.phase = DRAW


# The contract

cdef void start(const void *tables, void *state) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef LeavesState *s = <LeavesState *>state
    s.unseen = (<uint64_t>1 << t.tiles) - 1 if t.tiles < 64 else ~<uint64_t>0
    s.left = <uint8_t>(t.turns * t.players + t.market - 1)
    s.phase = CARDS_DRAWN
    if t.cards_choices == 1:
        set_cards(s, lowest_bit(t.cards[LEAF]), lowest_bit(t.cards[POND]), lowest_bit(t.cards[FUNGUS]))
        go_on(t, s)


cdef inline void set_cards(LeavesState *s, int leaf, int pond, int fungus) noexcept nogil:
    s.cards[LEAF] = <uint8_t>leaf
    s.cards[POND] = <uint8_t>pond
    s.cards[FUNGUS] = <uint8_t>fungus


cdef int actor(const void *tables, const void *state) noexcept nogil:
    cdef const LeavesState *s = <const LeavesState *>state
    if s.phase == PLACE or s.phase == CHOOSE:
        return s.turn
    return TERMINAL if s.phase == OVER else CHANCE


cdef bint simultaneous(const void *tables, const void *state) noexcept nogil:
    return False


cdef int actions(const void *tables, const void *state, int32_t *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LeavesState *s = <const LeavesState *>state
    cdef const Board *beside = &s.gardens[s.turn].beside
    cdef uint64_t market, word
    cdef int n = 0
    cdef int tile, spot, way, i, choices
    if s.phase == CHOOSE:
        choices = s.pending
        while choices:
            out[n] = CHOOSE_BASE + CHOICES * s.family + lowest_bit(choices)
            choices &= choices - 1
            n += 1
        return n
    if s.phase != PLACE:
        return 0
    market = s.market
    while market:
        tile = lowest_bit(market)
        market &= market - 1
        for i in range(4):
            word = beside.rows[i]
            while word:
                spot = 64 * i + lowest_bit(word)
                word &= word - 1
                for way in range(t.ways[tile]):
                    out[n] = (tile * SPOTS + spot) * WAYS + way
                    n += 1
    return n


cdef int32_t random_action(const void *tables, const void *state, Rng *rng) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LeavesState *s = <const LeavesState *>state
    cdef const Board *beside = &s.gardens[s.turn].beside
    cdef int spots, ways, rank, tile
    cdef uint64_t market
    if s.phase == CHOOSE:
        return CHOOSE_BASE + CHOICES * s.family + select_bit(s.pending, below(rng, popcount(s.pending)))
    spots = count_bits(beside)
    ways = 0
    market = s.market
    while market:
        ways += t.ways[lowest_bit(market)]
        market &= market - 1
    rank = below(rng, spots * ways)
    market = s.market
    while True:
        tile = lowest_bit(market)
        ways = t.ways[tile]
        if rank < spots * ways:
            return (tile * SPOTS + select_cell(beside, rank // ways)) * WAYS + rank % ways
        rank -= spots * ways
        market &= market - 1


cdef bint is_legal(const void *tables, const void *state, int32_t action) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LeavesState *s = <const LeavesState *>state
    cdef int tile, choice
    if action < 0:
        return False
    if s.phase == PLACE:
        if action >= ACTIONS:
            return False
        tile = action // (SPOTS * WAYS)
        return ((s.market >> tile) & 1 and action % WAYS < t.ways[tile]
                and has_bit(&s.gardens[s.turn].beside, action // WAYS % SPOTS))
    if s.phase == CHOOSE:
        choice = action - CHOOSE_BASE - CHOICES * s.family
        return 0 <= choice < CHOICES and (s.pending >> choice) & 1
    if s.phase == DRAW:
        return action < TILES and (s.unseen >> action) & 1
    if s.phase == CARDS_DRAWN:
        return action < 64 and (t.cards[LEAF] >> (action >> 4)) & (t.cards[POND] >> (action >> 2 & 3)) & (
            t.cards[FUNGUS] >> (action & 3)) & 1
    if s.phase == STARTS:
        return is_deal(t, action)
    return s.phase == FIRST and action < t.players


cdef bint is_deal(const Tables *t, int32_t deal) noexcept nogil:
    """Whether a number stands for different starting tiles, one for each seat."""
    cdef int seen = 0
    cdef int seat, tile
    if deal >> 3 * t.players:
        return False
    for seat in range(t.players):
        tile = (deal >> 3 * seat) & 7
        if tile >= t.starting or (seen >> tile) & 1:
            return False
        seen |= 1 << tile
    return True


cdef void place(const Tables *t, LeavesState *s, int32_t action) noexcept nogil:
    cdef int tile = action // (SPOTS * WAYS)
    cdef Garden *g = &s.gardens[s.turn]
    s.market &= ~(<uint64_t>1 << tile)
    s.last = <uint8_t>(action // WAYS % SPOTS)
    lay_tile(t, g, s.last, t.cells[tile][action % WAYS], True)
    award(t, g, g.tiles, s.cards)
    decide(t, s)


cdef void apply(const void *tables, void *state, int32_t action) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef LeavesState *s = <LeavesState *>state
    cdef int seat
    if s.phase == PLACE:
        place(t, s, action)
    elif s.phase == DRAW:
        s.unseen &= ~(<uint64_t>1 << action)
        s.market |= <uint64_t>1 << action
        s.left -= 1
        if popcount(s.market) == t.market:
            s.phase = PLACE
    elif s.phase == CHOOSE:
        choose(&s.gardens[s.turn], s.last, s.family, (action - CHOOSE_BASE) % CHOICES)
        decide(t, s)
    elif s.phase == CARDS_DRAWN:
        set_cards(s, action >> 4, action >> 2 & 3, action & 3)
        go_on(t, s)
    elif s.phase == STARTS:
        for seat in range(t.players):
            lay_tile(t, &s.gardens[seat], 0, t.starting_cells[(action >> 3 * seat) & 7], True)
        go_on(t, s)
    else:
        s.turn = <uint8_t>action
        go_on(t, s)


cdef int outcomes(const void *tables, const void *state, int32_t *out, double *probability) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LeavesState *s = <const LeavesState *>state
    cdef uint64_t left = s.unseen
    cdef int n = 0
    cdef int i, last
    if s.phase == DRAW:
        while left:
            out[n] = lowest_bit(left)
            left &= left - 1
            n += 1
    elif s.phase == FIRST or s.phase == CARDS_DRAWN or s.phase == STARTS:
        last = t.players if s.phase == FIRST else 64 if s.phase == CARDS_DRAWN else 1 << 3 * t.players
        for i in range(last):
            if is_legal(t, s, i):
                out[n] = i
                n += 1
    for i in range(n):
        probability[i] = 1.0 / n
    return n


cdef int32_t draw(const void *tables, const void *state, Rng *rng) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LeavesState *s = <const LeavesState *>state
    cdef int deal = 0
    cdef int taken = 0
    cdef int seat, free_tiles
    if s.phase == DRAW:
        return select_bit(s.unseen, below(rng, popcount(s.unseen)))
    if s.phase == CARDS_DRAWN:
        return (select_bit(t.cards[LEAF], below(rng, popcount(t.cards[LEAF]))) << 4
                | select_bit(t.cards[POND], below(rng, popcount(t.cards[POND]))) << 2
                | select_bit(t.cards[FUNGUS], below(rng, popcount(t.cards[FUNGUS]))))
    if s.phase == FIRST:
        return below(rng, t.players)
    for seat in range(t.players):
        free_tiles = ((1 << t.starting) - 1) & ~taken
        free_tiles = select_bit(free_tiles, below(rng, popcount(free_tiles)))
        taken |= 1 << free_tiles
        deal |= free_tiles << 3 * seat
    return deal


cdef void withdraw(const void *tables, void *state) noexcept nogil:
    pass


cdef double redeal(const void *tables, void *state, int observer, Rng *rng) noexcept nogil:
    """Nobody knows more than another, and the order of the bag is not part of the state."""
    return 0.0


cdef uint64_t garden_hash(const Tables *t, const Garden *g) noexcept nogil:
    """Of what lies on each cell, and of the bees and dwellers of its area; the order of the tiles does not matter."""
    cdef uint64_t h = 0
    cdef int cell
    for cell in range(4, 4 * g.tiles + 4):
        h += t.place_hash[g.spot[cell >> 2]][cell & 3] * (g.cells[cell] | <uint64_t>(g.areas[g.area[cell]] & HISTORY) << 8)
    return h


cdef uint64_t key(const void *tables, const void *state, int observer, int grain) noexcept nogil:
    """Everybody sees everything; no detail of a draw can be left out."""
    cdef const Tables *t = <const Tables *>tables
    cdef const LeavesState *s = <const LeavesState *>state
    cdef uint64_t[KEY_WORDS] words
    cdef int seat
    memset(words, 0, sizeof(words))
    words[0] = s.unseen
    words[1] = s.market
    words[2] = (<uint64_t>s.pending | <uint64_t>s.phase << 16 | <uint64_t>s.turn << 24 | <uint64_t>s.left << 32
                | <uint64_t>s.family << 40 | <uint64_t>s.last << 48)
    words[3] = <uint64_t>s.cards[LEAF] | <uint64_t>s.cards[POND] << 8 | <uint64_t>s.cards[FUNGUS] << 16
    for seat in range(t.players):
        words[4 + seat] = garden_hash(t, &s.gardens[seat])
    return hash_words(words, KEY_WORDS, observer + 2 if observer >= 0 else 1)


cdef void count_majorities(const Tables *t, const LeavesState *s, int *out) noexcept nogil:
    """Points for having most of a family."""
    cdef int family, seat, most
    memset(out, 0, SEATS * sizeof(int))
    for family in range(FAMILIES):
        most = 0
        for seat in range(t.players):
            most = max(most, <int>s.gardens[seat].figures[family])
        if most or t.majority_of_none:
            for seat in range(t.players):
                if s.gardens[seat].figures[family] == most:
                    out[seat] += MAJORITY


cdef void components(const void *tables, const void *state, double *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LeavesState *s = <const LeavesState *>state
    cdef const Garden *g
    cdef int[SEATS] majorities
    cdef int seat, family
    count_majorities(t, s, majorities)
    for seat in range(t.players):
        g = &s.gardens[seat]
        out[0] = g.bees
        out[1] = g.hummingbirds
        for family in range(FAMILIES):
            out[2 + family] = g.figures[family]
        out[5] = majorities[seat] if s.phase == OVER else 0
        out += COMPONENTS


cdef void scores(const void *tables, const void *state, double *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LeavesState *s = <const LeavesState *>state
    cdef int[SEATS] majorities
    cdef int seat
    memset(majorities, 0, sizeof(majorities))
    if s.phase == OVER:
        count_majorities(t, s, majorities)
    for seat in range(t.players):
        out[seat] = points_of(&s.gardens[seat]) + majorities[seat]


cdef void placing(const void *tables, const void *state, int32_t *out) noexcept nogil:
    """By points, then hummingbirds, then bees."""
    cdef const Tables *t = <const Tables *>tables
    cdef const LeavesState *s = <const LeavesState *>state
    cdef double[SEATS] points
    cdef int seat
    scores(tables, state, points)
    for seat in range(t.players):
        points[seat] = points[seat] * (1 << 16) + (s.gardens[seat].hummingbirds << 8) + s.gardens[seat].bees
    places_from_scores(t.players, points, out)


cdef enum:
    MARGIN_SCALE = 10    # points by which a clear win is won


cdef void utilities(const void *tables, const void *state, double *out) noexcept nogil:
    cdef const Tables *t = <const Tables *>tables
    cdef const LeavesState *s = <const LeavesState *>state
    cdef double[SEATS] points
    cdef int32_t[SEATS] places
    cdef int seat
    scores(tables, state, points)
    placing(tables, state, places)
    for seat in range(t.players):   # so that utilities are in the order of the places
        points[seat] += s.gardens[seat].hummingbirds / 256.0 + s.gardens[seat].bees / 65536.0
    final_utilities(t.players, points, places, MARGIN_SCALE, out)


# Evaluation and policy

cdef void evaluate(const void *tables, const void *state, double *utility, double *score) noexcept nogil:
    """What the gardens promise; the share of the first place by how much such margins have meant."""
    cdef const Tables *t = <const Tables *>tables
    cdef const LeavesState *s = <const LeavesState *>state
    cdef Garden chosen
    cdef LeavesState end
    cdef const Garden *g
    cdef int seat, left, points
    cdef double certainty = 0
    if s.phase == OVER:
        scores(tables, state, score)
        utilities(tables, state, utility)
        return
    if s.phase == CHOOSE and s.left == 0:   # the last choice of the game
        memset(&end, 0, sizeof(end))
        memcpy(&end, s, sizeof(LeavesState) - (SEATS - t.players) * sizeof(Garden))
        choose_most(t, &end.gardens[s.turn], s.last, s.cards)
        end.phase = OVER
        scores(tables, &end, score)
        utilities(tables, &end, utility)
        return
    if s.gardens[0].tiles == 0:
        for seat in range(t.players):
            score[seat] = t.base[TURNS]
            utility[seat] = 1.0 / t.players
        return
    for seat in range(t.players):
        g = &s.gardens[seat]
        if s.phase == CHOOSE and seat == s.turn:   # what he will choose at a glance
            chosen = g[0]
            choose_most(t, &chosen, s.last, s.cards)
            g = &chosen
        left = turns_left(t, g)
        certainty = max(certainty, t.certainty[left])
        points = points_of(g)
        score[seat] = points + t.base[left] + t.slope[left] * (worth(t, s, g, seat, NULL) / <double>SCALE - points)
    estimated_utilities(t.players, score, certainty, MARGIN_SCALE, utility)


cdef float PRIOR_FLOOR = <float>1e-6


cdef void priors(const void *tables, const void *state, int n, const int32_t *ids, float *out) noexcept nogil:
    """A softmax of the gains of those that are best at a quick look."""
    cdef const Tables *t = <const Tables *>tables
    cdef const LeavesState *s = <const LeavesState *>state
    cdef Candidate[MOST_CANDIDATES] candidates
    cdef int count = 0
    cdef int i, low, high, middle
    if s.phase == CHOOSE:
        for i in range(n):
            out[i] = <float>gain(t, s, ids[i]) / SCALE
    else:
        for i in range(n):
            out[i] = <float>-1e9
        count = look_for_moves(t, s, MOST_CANDIDATES, 0, candidates)
    for i in range(count):
        low = 0
        high = n - 1
        while low < high:
            middle = (low + high) >> 1
            if ids[middle] < candidates[i].action:
                low = middle + 1
            else:
                high = middle
        if n and ids[low] == candidates[i].action:
            out[low] = <float>gain(t, s, candidates[i].action) / SCALE
    priors_from_gains(n, t.sharpness, PRIOR_FLOOR, out)


cdef int32_t policy_action(const void *tables, const void *state, Rng *rng) noexcept nogil:
    """The best by gain of those that are best at a quick look."""
    cdef const Tables *t = <const Tables *>tables
    cdef const LeavesState *s = <const LeavesState *>state
    cdef Candidate[MOST_CANDIDATES] candidates
    cdef int32_t[CHOICES] ids
    cdef int count, i, value
    cdef int best = 0
    cdef int best_value = 0
    if s.phase == CHOOSE:
        count = actions(tables, state, ids)
        for i in range(count):
            candidates[i].action = ids[i]
    else:
        count = look_for_moves(t, s, t.candidates, next64(rng), candidates)
    for i in range(count):
        value = gain(t, s, candidates[i].action)
        if i == 0 or value > best_value:
            best = i
            best_value = value
    return candidates[best].action


cdef Rules RULES = Rules(
    start=start, actor=actor, simultaneous=simultaneous, actions=actions, random_action=random_action, is_legal=is_legal,
    apply=apply, outcomes=outcomes, draw=draw, withdraw=withdraw, redeal=redeal, rewind=NULL, lighten=NULL, key=key,
    scores=scores, components=components, placing=placing, utilities=utilities, evaluate=evaluate, priors=priors,
    policy_action=policy_action, canonical=NULL)


# Loading

WEIGHTS = json.loads(files("garden_core.games").joinpath("under_the_leaves.json").read_text())["weights"]

DEFAULTS = {"leaf": "random", "puddle": "random", "mushroom": "random", "first": "random", "allow_flip": True,
            "majority_of_none": False}
CORNER_NAMES = ("nw", "ne", "sw", "se")


def load(players, options, components):
    """The game for these players, options (see `DEFAULTS`) and components (the plain data of a checked component file).

    Loading the same again gives the same object. Raises `FieldError` where something does not fit the capacities.
    """
    whole("players", players, 2, SEATS)
    check_components(components)
    checked = with_defaults(options, DEFAULTS)
    for family in FAMILY_NAMES:
        one_of(f"options.{family}", checked[family], ["random", *components["cards"][family]])
    one_of("options.first", checked["first"], ["random", *range(players)])
    for name in ("allow_flip", "majority_of_none"):
        one_of(f"options.{name}", checked[name], [False, True])
    return made_once(UnderTheLeaves, players, checked, components)


def split_tile(code):
    """The cells of a tile: `G*OKK` -> ("G*", "O", "K", "K")."""
    cells = []
    for mark in code:
        if mark == "*" and cells:
            cells[-1] += mark
        else:
            cells.append(mark)
    return tuple(cells)


def orientations(cells, flip):
    """The distinct ways that four cells may lie: turned, and turned over where that is allowed."""
    found = []
    for _ in range(2 if flip else 1):
        for _ in range(4):
            if cells not in found:
                found.append(cells)
            cells = (cells[2], cells[0], cells[3], cells[1])   # a quarter turn to the right
        cells = (cells[1], cells[0], cells[3], cells[2])
    return tuple(found)


cdef class UnderTheLeaves(Game):
    """Under the Leaves as loaded; `garden_ai.load` is the usual way to one."""

    cdef Tables *tables
    cdef readonly tuple colours          # names, in the order of the indices
    cdef readonly str letters            # of the colours
    cdef readonly tuple garden_tiles     # codes
    cdef readonly tuple starting_tiles
    cdef readonly int turns              # each player's
    cdef readonly int market_size
    cdef readonly object card_names      # of each family, in the order of the indices
    cdef dict ways_of                    # cells as they lie -> (tile, way)
    cdef dict starts_of                  # cells of a starting tile -> its index
    cdef tuple lying                     # of each tile, its cells in each way

    def __cinit__(self):
        self.tables = NULL

    def __dealloc__(self):
        free(self.tables)

    def __init__(self, players, options, components):
        self.colours = tuple(components["colours"]["names"])
        self.letters = "".join(components["colours"]["letters"])
        self.garden_tiles = tuple(components["tiles"]["garden"])
        self.starting_tiles = tuple(components["tiles"]["starting"])
        self.turns = components["game"]["turns"]
        self.market_size = components["game"]["market"]
        self.card_names = dict(CARD_NAMES)
        super().__init__("under_the_leaves", players, options, components, COMPONENT_NAMES, LAYOUT, load)
        self.tables = <Tables *>calloc(1, sizeof(Tables))
        if self.tables == NULL:
            raise MemoryError
        self._fill_tables()
        self._fill_tiles()
        self._fill_squares()
        self._fill_weights()
        cdef const Tables *t = self.tables
        self.loaded.rules = RULES
        self.loaded.tables = self.tables
        self.loaded.state_size = sizeof(LeavesState) - (SEATS - players) * sizeof(Garden)
        self.loaded.players = players
        self.loaded.max_actions = max(2 * (self.turns + 1) * self.market_size * t.most_ways, 16)
        self.loaded.max_outcomes = max(64, perm(t.starting, players))
        self.loaded.max_nodes = 3 + self.market_size + self.turns * players * (1 + 1 + 3 * SQUARES)
        self.loaded.component_count = COMPONENTS
        self.loaded.hidden = False
        self.loaded.utility_low = 0.0
        self.loaded.utility_high = 1.0
        self.loaded.score_low = 0
        self.loaded.score_high = t.score_high

    def _fill_tables(self):
        cdef Tables *t = self.tables
        cdef int family, spot, i
        t.players = self.players
        t.first = -1 if self.options["first"] == "random" else self.options["first"]
        t.tiles = len(self.garden_tiles)
        t.starting = len(self.starting_tiles)
        t.turns = self.turns
        t.market = self.market_size
        t.majority_of_none = self.options["majority_of_none"]
        t.cards_choices = 1
        for family, name in enumerate(FAMILY_NAMES):
            for i, card in enumerate(CARD_NAMES[name]):
                if card in (self.components_data["cards"][name] if self.options[name] == "random" else [self.options[name]]):
                    t.cards[family] |= 1 << i
            t.cards_choices *= popcount(t.cards[family])
        for spot in range(SPOTS):
            for i in range(9):
                t.around[spot][i] = spot_at((spot >> 4) + i // 3 - 1, (spot & 15) + i % 3 - 1)
            for i in range(CORNERS):
                t.place_hash[spot][i] = mix64(4 * spot + i + 1) | 1
        t.score_high = self._most_points()

    def _most_points(self):
        """No garden is worth more: bees of one colour after the other, three nests a tile, and a dweller for what it needs."""
        tiles = self.turns + 1
        kinds = [0] * (COLOURS + 2)
        for code in (*self.garden_tiles, *self.starting_tiles):
            for cell in split_tile(code):
                kinds[self._cell(cell) & KIND] += 1
        cells, bees = 4 * tiles, 0
        for count in sorted(kinds[1:PUDDLE], reverse=True):
            areas = min(count, cells) // RIPE
            bees += areas * (areas + 1) // 2
            cells -= min(count, cells)
        return bees + 3 * tiles + 4 * tiles // 4 + 3 * tiles + tiles + 3 * MAJORITY

    def _cell(self, cell):
        """`G*` as it is kept."""
        kind = PUDDLE if cell[0] == "~" else 1 + self.letters.index(cell[0])
        return kind | (MUSHROOM if cell.endswith("*") else 0)

    def _fill_tiles(self):
        cdef Tables *t = self.tables
        cdef int tile, way
        self.ways_of = {}
        self.lying = tuple(self.oriented(code) for code in self.garden_tiles)
        for tile in range(len(self.garden_tiles)):
            ways = self.lying[tile]
            t.ways[tile] = len(ways)
            t.most_ways = max(t.most_ways, len(ways))
            for cell in ways[0]:
                kind = self._cell(cell) & KIND
                if kind != PUDDLE:
                    t.having[<int>kind] |= <uint64_t>1 << tile
            for way, cells in enumerate(ways):
                self.ways_of[cells] = (tile, way)
                for corner in range(CORNERS):
                    t.cells[tile][way][<int>corner] = self._cell(cells[corner])
        self.starts_of = {split_tile(code): tile for tile, code in enumerate(self.starting_tiles)}
        for cells, tile in self.starts_of.items():
            for corner in range(CORNERS):
                t.starting_cells[tile][<int>corner] = self._cell(cells[corner])

    def _fill_squares(self):
        """For every set of the 3 x 3 squares around a tile: what is awarded, what is offered, what is most."""
        cdef Tables *t = self.tables
        cdef int a, b, squares
        for a in range(SQUARES):
            for b in range(SQUARES):
                if a != b and abs(a // 3 - b // 3) <= 1 and abs(a % 3 - b % 3) <= 1:
                    t.overlaps[a] |= 1 << b
        for squares in range(1 << SQUARES):
            for a in range(SQUARES):
                if squares >> a & 1 and t.overlaps[a] & squares == 0:
                    t.lonely[squares] |= 1 << a
            if all(not t.overlaps[a] & squares for a in range(SQUARES) if squares >> a & 1):
                t.best[squares] = squares
            else:
                t.best[squares] = max((t.best[squares & ~(1 << a)] for a in range(SQUARES) if squares >> a & 1),
                                      key=lambda best: (bin(best).count("1"), -best))
        for squares in range(1 << SQUARES):
            seen = set()
            for a in range(SQUARES):
                if squares >> a & 1:
                    rest = squares & ~(1 << a) & ~t.overlaps[a]
                    garden = 1 << a | t.lonely[rest]
                    if garden not in seen:
                        seen.add(garden)
                        t.offered[squares] |= 1 << a

    def _fill_weights(self):
        cdef Tables *t = self.tables
        cdef int left, i, ripe, code
        for left in range(TURNS + 1):
            t.stage[left] = min(STAGES - 1, left if left < 4 else left // 2 + 2)
            t.base[left] = WEIGHTS["base"][left]
            t.slope[left] = WEIGHTS["slope"][left]
            t.certainty[left] = WEIGHTS["certainty"][str(self.players)][left]
        for i in range(STAGES * FEATURES):
            t.weights[i] = round(SCALE * WEIGHTS["garden"][i // FEATURES][i % FEATURES])
        t.sharpness = WEIGHTS["sharpness"]
        t.candidates = WEIGHTS["candidates"]
        for stage in range(STAGES):
            weights = WEIGHTS["glance"][stage]
            for i in range(GLANCES):
                t.glances[<int>stage][i] = COUNT * <int>round(GLANCE_SCALE * weights[i])
            for ripe in range(RIPES):
                for code in range(CODES):
                    for i in range(2):
                        t.joins[<int>stage][i][ripe][code] = t.glances[<int>stage][
                            (PAIRED if i else SINGLE) + ripe * PARTS * JOINS + join_feature(code)] + counted(i, code)
        for i in range(t.tiles):
            for way, cells in enumerate(self.lying[i]):
                self._fill_lying(&t.lying[i][<int>way], [self._cell(cell) & KIND for cell in cells])

    cdef _fill_lying(self, Lying *lying, kinds):
        sides = ((0, 1), (0, 2), (1, 3), (2, 3))
        side = next((i for i, (a, b) in enumerate(sides) if kinds[a] == kinds[b]), 0)
        pair = kinds[sides[side][0]] == kinds[sides[side][1]]
        others = [corner for corner in range(CORNERS) if not (pair and corner in sides[side])]
        lying.side = side
        lying.kinds[2] = kinds[sides[side][0]] if pair else 0
        lying.terrain = sum(kind != PUDDLE for kind in kinds)
        for i, corner in enumerate(others[:2]):
            lying.corners[<int>i] = corner
            lying.kinds[<int>i] = kinds[corner]

    def oriented(self, code):
        """The distinct ways that a garden tile may lie, each as the texts of its four cells."""
        return orientations(split_tile(code), self.options["allow_flip"])

    # Steps: actions and outcomes spelt out

    def phase(self, State state not None):
        """One of `PHASES`."""
        self.check(state)
        return PHASES[(<LeavesState *>state.data).phase]

    def step(self, State state not None, int32_t id):
        """An action or outcome spelt out; it must be possible.

        ("place", tile, (row, column), cells as they lie), ("choose", family, (row, column)), ("cards", leaf, puddle, mushroom),
        ("starts", tile, ...), ("first", seat) or ("draw", tile). Rows and columns of spots count from the starting tile, those of
        cells from its top left cell.
        """
        self.check(state)
        cdef const LeavesState *s = <const LeavesState *>state.data
        cdef const Garden *g = &s.gardens[s.turn]
        phase = self.phase(state)
        if phase == "cards":
            return phase, id >> 4, id >> 2 & 3, id & 3
        if phase == "starts":
            return (phase, *(id >> 3 * seat & 7 for seat in range(self.players)))
        if phase in ("first", "draw"):
            return phase, id
        if phase == "choose":
            at = (id - CHOOSE_BASE) % CHOICES
            at = corner_of_square(at) if s.family == LEAF else at
            row, column = 2 * row_of(g, s.last), 2 * column_of(g, s.last)
            return phase, FAMILY_NAMES[s.family], (row - 1 + at // 4, column - 1 + at % 4)
        tile, spot, way = id // (SPOTS * WAYS), id // WAYS % SPOTS, id % WAYS
        return phase, tile, (row_of(g, spot), column_of(g, spot)), self.lying[tile][way]

    def step_id(self, State state not None, step):
        """The inverse of `step`; -1 where no such step exists in the state's phase. It need not be possible."""
        self.check(state)
        cdef const LeavesState *s = <const LeavesState *>state.data
        cdef const Garden *g = &s.gardens[s.turn]
        phase = self.phase(state)
        kind, *rest = step
        if kind != phase:
            return -1
        if phase == "place":
            tile, (row, column), cells = rest
            if self.ways_of.get(tuple(cells), (-1, 0))[0] != tile or not is_within(g, row, column):
                return -1
            return (tile * SPOTS + spot_at(row, column)) * WAYS + self.ways_of[tuple(cells)][1]
        if phase == "choose":
            family, (row, column) = rest
            row -= 2 * row_of(g, s.last) - 1
            column -= 2 * column_of(g, s.last) - 1
            side = 3 if family == "leaf" else 4
            if family not in FAMILY_NAMES or not (0 <= row < side and 0 <= column < side):
                return -1
            return CHOOSE_BASE + CHOICES * FAMILY_NAMES.index(family) + side * row + column
        if phase == "cards":
            return rest[0] << 4 | rest[1] << 2 | rest[2] if len(rest) == 3 and all(card in range(CARDS) for card in rest) else -1
        if phase == "starts":
            if len(rest) != self.players or any(tile not in range(STARTING) for tile in rest):
                return -1
            return sum(tile << 3 * seat for seat, tile in enumerate(rest))
        return rest[0] if rest[0] in range(max(SEATS, TILES)) else -1

    # What tools/fit_under_the_leaves fits

    def position_features(self, State state not None, int player):
        """Of a player's garden: float32 [STAGES * FEATURES]."""
        self.check(state)
        cdef const LeavesState *s = <const LeavesState *>state.data
        out = np.zeros(STAGES * FEATURES, dtype=np.float32)
        cdef float[::1] row = out
        worth(self.tables, s, &s.gardens[player], player, &row[0])
        return out

    def glance_features(self, State state not None):
        """Of every move, what a quick look weighs: float32 [n, STAGES * GLANCES]."""
        self.check(state)
        actions = state.legal_actions().tolist()
        out = np.zeros((len(actions), STAGES * GLANCES), dtype=np.float32)
        cdef float[:, ::1] rows = out
        for i, action in enumerate(actions):
            add_glance(self.tables, <const LeavesState *>state.data, action, &rows[i, 0])
        return out

    def glances(self, State state not None):
        """The moves that are best at a quick look and their values, best first."""
        self.check(state)
        cdef Candidate[MOST_CANDIDATES] found
        count = look_for_moves(self.tables, <const LeavesState *>state.data, MOST_CANDIDATES, 0, found)
        return [(found[<int>i].action, found[<int>i].value / (16.0 * GLANCE_SCALE)) for i in range(count)]

    def gains(self, State state not None):
        """How good each legal action is at a glance, in points: float64 [n]."""
        self.check(state)
        cdef const LeavesState *s = <const LeavesState *>state.data
        return np.array([gain(self.tables, s, action) / <double>SCALE for action in state.legal_actions().tolist()])

    def turns_left(self, State state not None):
        """How many turns each player has left, the one begun not counted once its tile is placed."""
        self.check(state)
        cdef const LeavesState *s = <const LeavesState *>state.data
        return [turns_left(self.tables, &s.gardens[<int>player]) for player in range(self.players)]

    def promise(self, State state not None):
        """What each player's garden promises beyond its points, before `base` and `slope`."""
        self.check(state)
        cdef const LeavesState *s = <const LeavesState *>state.data
        return [worth(self.tables, s, &s.gardens[<int>player], player, NULL) / <double>SCALE - points_of(&s.gardens[<int>player])
                for player in range(self.players)]

    # Positions

    def fields(self, State state not None, int observer=ALL):
        """The fields of docs/games/under_the_leaves.md; everybody sees the same."""
        self.check(state)
        cdef const Tables *t = self.tables
        cdef const LeavesState *s = <const LeavesState *>state.data
        cdef const Garden *g = &s.gardens[s.turn]
        out = {"to_move": actor(t, s), "phase": PHASES[s.phase]}
        if s.phase in (DRAW, PLACE, CHOOSE):
            out["turn"] = s.turn
            laid = sum(s.gardens[seat].tiles - 1 for seat in range(self.players)) - (s.phase == CHOOSE)
            out["first"] = (s.turn - laid) % self.players
        if s.phase != CARDS_DRAWN:
            out["cards"] = {name: CARD_NAMES[name][s.cards[<int>family]] for family, name in enumerate(FAMILY_NAMES)}
        if s.phase == CHOOSE:
            out["last"] = spot_text(row_of(g, s.last), column_of(g, s.last))
        out["market"] = [code for tile, code in enumerate(self.garden_tiles) if s.market >> <int>tile & 1]
        out["bag"] = s.left
        out["gardens"] = [self._garden_fields(s, seat) for seat in range(self.players)] if s.gardens[0].tiles else []
        return out

    cdef _garden_fields(self, const LeavesState *s, int seat):
        cdef const Garden *g = &s.gardens[seat]
        cdef int y, x, cell
        rows, bees, birds = [], {}, {}
        dwellers = {name: [] for name in FAMILY_NAMES}
        for y in range(2 * g.top, 2 * g.bottom + 2):
            row = ""
            for x in range(2 * g.left, 2 * g.right + 2):
                cell = cell_at(g, y, x)
                row += self._cell_text(g.cells[cell])
                if cell < 4:
                    continue
                where = cell_text(y, x)
                if self._is_first_cell(g, cell):
                    self._add_area_fields(g, cell, where, bees, dwellers)
                for mark, name in ((SQUARE_AT, "leaf"), (PUDDLE_AT, "puddle"), (MUSHROOM_AT, "mushroom")):
                    if g.cells[cell] & mark:
                        dwellers[name].append(where)
            rows.append(row.rstrip())
        for y in range(g.top, g.bottom + 1):
            for x in range(g.left, g.right + 1):
                if nest(g, y, x):
                    birds[spot_text(y, x)] = (
                        1 + (nest(g, y, x - 1) & nest(g, y, x + 1)) + (nest(g, y - 1, x) & nest(g, y + 1, x)))
        return {"corner": spot_text(g.top, g.left), "rows": rows, "bees": bees, "hummingbirds": birds, **dwellers}

    cdef _cell_text(self, int cell):
        kind = cell & KIND
        return (". " if kind == 0 else "~ " if kind == PUDDLE
                else self.letters[kind - 1] + ("*" if cell & MUSHROOM else " "))

    cdef bint _is_first_cell(self, const Garden *g, int cell):
        """Whether it is the first cell of its area in reading order."""
        cdef int other = g.next[cell]
        here = place_of(g, cell)
        while other != cell:
            if place_of(g, other) < here:
                return False
            other = g.next[other]
        return True

    cdef _add_area_fields(self, const Garden *g, int cell, where, bees, dwellers):
        cdef Area area = g.areas[g.area[cell]]
        if bees_of(area):
            bees[where] = bees_of(area)
        dwellers["leaf"] += [where] * leaves_of(area)
        dwellers["puddle" if g.cells[cell] & KIND == PUDDLE else "mushroom"] += [where] * guests_of(area)

    def build(self, fields):
        """The state of such fields. What follows from the rest may be left out."""
        names = ("to_move", "phase", "turn", "first", "cards", "last", "market", "bag", "gardens")
        mapping("", fields, names)
        cdef State state = self.new_state()
        cdef LeavesState *s = <LeavesState *>state.data
        start(self.tables, s)
        self._read_cards(s, fields)
        self._read_tiles(s, fields)
        self._read_phase(s, fields)
        self._check_figures(s)
        return state

    cdef _read_cards(self, LeavesState *s, fields):
        cdef const Tables *t = self.tables
        cdef int family
        given = fields.get("cards")
        if given is None:
            if t.cards_choices > 1 and (fields.get("gardens") or fields.get("phase") not in (None, "cards")):
                raise FieldError("cards", "missing; expected the card of each family")
            return
        mapping("cards", given, FAMILY_NAMES, FAMILY_NAMES)
        for family, name in enumerate(FAMILY_NAMES):
            allowed = [card for i, card in enumerate(CARD_NAMES[name]) if t.cards[family] >> <int>i & 1]
            card = one_of(f"cards.{name}", text(f"cards.{name}", given[name]).lower(), allowed)
            s.cards[family] = CARD_NAMES[name].index(card)
        if s.phase == CARDS_DRAWN:
            s.phase = STARTS

    cdef _read_tiles(self, LeavesState *s, fields):
        """Gardens and market; what is nowhere is unseen."""
        cdef int tile
        gardens = fields.get("gardens")
        if gardens:
            used = {}
            for seat, garden in enumerate(sequence("gardens", gardens, self.players, "gardens")):
                self._read_garden(s, seat, f"gardens[{seat}]", garden, used)
        elif gardens is not None:
            sequence("gardens", gardens, 0, "gardens")
        for i, code in enumerate(sequence("market", fields.get("market") or [], None, "tiles")):
            path = f"market[{i}]"
            code = text(path, code).upper()
            tile = self._find_code(code)
            if tile < 0:
                raise FieldError(path, f"expected the four cells of a garden tile, like {self.garden_tiles[0]}; got {shown(code)}")
            if not s.unseen >> tile & 1:
                raise FieldError(path, f"the tile {code} is elsewhere already")
            s.unseen &= ~(<uint64_t>1 << tile)
            s.market |= <uint64_t>1 << tile
        if popcount(s.market) > self.market_size:
            raise FieldError("market", f"expected at most {self.market_size} tiles; got {popcount(s.market)}")

    def _find_code(self, code):
        """The index of a garden tile, whichever way round its cells are written; -1 where there is none."""
        cells = split_tile(code.replace("/", "").replace(" ", ""))
        if len(cells) == CORNERS:
            for cells in orientations(cells, True):
                if cells in self.ways_of:
                    return self.ways_of[cells][0]
        return -1

    cdef _read_garden(self, LeavesState *s, int seat, path, garden, used):
        cdef const Tables *t = self.tables
        cdef Garden *g = &s.gardens[seat]
        cdef uint8_t[CORNERS] cells
        names = ("corner", "rows", "bees", "hummingbirds", *FAMILY_NAMES)
        mapping(path, garden, names, ("rows",))
        places = self._read_rows(f"{path}.rows", garden)
        order = [(0, 0)]
        if (0, 0) not in places:
            raise FieldError(f"{path}.rows", f"expected the starting tile at {spot_text(0, 0)}; no tile lies there")
        for row, column in order:   # grows: from tile to tile along their sides
            for spot in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
                if spot in places and spot not in order:
                    order.append(spot)
        if len(order) < len(places):
            spot = min(set(places) - set(order))
            raise FieldError(f"{path}.rows", f"the tile at {spot_text(*spot)} does not touch the garden along a side")
        if len(order) > self.turns + 1:
            raise FieldError(f"{path}.rows", f"expected at most {self.turns + 1} tiles; got {len(order)}")
        for spot in order:
            tile = self._find_tile(f"{path}.rows", places[spot], spot, used)
            for corner in range(CORNERS):
                cells[<int>corner] = self._cell(places[spot][corner])
            if spot != (0, 0):
                s.unseen &= ~(<uint64_t>1 << <int>tile)
            lay_tile(t, g, spot_at(spot[0], spot[1]), cells, False)
        self._read_bees(g, f"{path}.bees", garden.get("bees"))
        for family in range(FAMILIES):
            name = FAMILY_NAMES[family]
            for i, where in enumerate(sequence(f"{path}.{name}", garden.get(name) or [], None, "cells")):
                cell = self._read_cell(g, f"{path}.{name}[{i}]", where)
                self._read_dweller(s, g, f"{path}.{name}[{i}]", family, cell, where)
            if s.cards[family] == FRIENDLY and family != LEAF:   # and collector
                self._check_pairs(g, f"{path}.{name}", family)
        birds = garden.get("hummingbirds")
        if birds is not None:
            computed = self._garden_fields(s, seat)["hummingbirds"]
            mapping(f"{path}.hummingbirds", birds, [*birds] if isinstance(birds, dict) else [])
            for spot in sorted({*birds, *computed}, key=str):
                if birds.get(spot) != computed.get(spot) or isinstance(birds.get(spot), bool):
                    raise FieldError(f"{path}.hummingbirds.{spot}",
                                     f"expected {computed.get(spot, 0)}, as the board tells; got {shown(birds.get(spot, 0))}")

    def _read_rows(self, path, garden):
        """The tiles by spot: the texts of their cells."""
        rows = sequence(path, garden["rows"], None, "rows of cells")
        cells = []
        for i, row in enumerate(rows):
            line = text(f"{path}[{i}]", row).upper().replace(" ", "")
            if set(line) - set(self.letters + "~*."):
                raise FieldError(f"{path}[{i}]", f"expected cells {self.letters}, '~' or '.', and '*' after one with a mushroom; "
                                                 f"got {shown(row)}")
            cells.append(split_tile(line))
            if len(cells[i]) != len(cells[0]) or len(cells[i]) % 2 or len(cells[i]) > 2 * RING:
                raise FieldError(f"{path}[{i}]", f"expected an even number of cells, as in the other rows; got {len(cells[i])}")
            for cell in cells[i]:
                if len(cell) > 2 or cell in ("~*", ".*", "*"):
                    raise FieldError(f"{path}[{i}]", f"expected at most one '*' after a letter; got {shown(row)}")
        if len(rows) % 2 or not rows or len(rows) > 2 * RING:
            raise FieldError(path, f"expected an even number of rows, two for each row of tiles; got {len(rows)}")
        corner = garden.get("corner")
        if corner is None and len(rows) == 2 and len(cells[0]) == 2:
            corner = spot_text(0, 0)
        top, left = read_spot(f"{path.removesuffix('rows')}corner", corner)
        places = {}
        for row in range(len(rows) // 2):
            for column in range(len(cells[0]) // 2):
                spot = (top + row, left + column)
                tile = (*cells[2 * row][2 * column:2 * column + 2], *cells[2 * row + 1][2 * column:2 * column + 2])
                if tile == (".",) * 4:
                    continue
                if max(map(abs, spot)) > TURNS:
                    raise FieldError(path, f"no tile can lie more than {TURNS} spots from the starting tile")
                places[spot] = tile
        return places

    def _find_tile(self, path, cells, spot, used):
        """The index of the tile of these cells."""
        where = spot_text(*spot)
        tile = self.starts_of.get(cells) if spot == (0, 0) else self.ways_of.get(cells, (None, 0))[0]
        lies = f"{''.join(cells[:2])}/{''.join(cells[2:])}"
        if tile is None:
            turned = spot != (0, 0) and self._find_code("".join(cells)) >= 0
            kind = ("a starting tile, as printed" if spot == (0, 0)
                    else "a garden tile, not turned over," if turned else "a garden tile")
            raise FieldError(path, f"expected {kind} at {where}; got {lies}")
        name = (spot == (0, 0), tile)
        if name in used:
            raise FieldError(path, f"the tile {lies} at {where} lies in {used[name]} already")
        used[name] = f"{path.removesuffix('.rows')} at {where}"
        return tile

    cdef int _read_cell(self, const Garden *g, path, where) except -1:
        """The number of a cell of the garden."""
        word = text(path, where).lower()
        cell = 0
        if word[-2:] in CORNER_NAMES:
            row, column = read_spot(path, word[:-2])
            if is_within(g, row, column):
                corner = CORNER_NAMES.index(word[-2:])
                cell = cell_at(g, 2 * row + corner // 2, 2 * column + corner % 2)
        if cell < 4:
            raise FieldError(path, f"expected a cell of the garden, a spot and a corner like {cell_text(0, 0)}; got {shown(where)}")
        return cell

    cdef _read_bees(self, Garden *g, path, bees):
        cdef int cell, kind, areas
        if bees is not None and not isinstance(bees, dict):
            raise FieldError(path, f"expected an object of cells and numbers; got {shown(bees)}")
        for where, count in (bees or {}).items():
            cell = self._read_cell(g, f"{path}.{where}", where)
            if size_of(g.areas[g.area[cell]]) < RIPE or g.cells[cell] & KIND == PUDDLE:
                raise FieldError(f"{path}.{where}", f"expected a cell of an area of {RIPE} or more cells")
            whole(f"{path}.{where}", count, 1, 255 - g.bees)
            g.areas[g.area[cell]] += ONE_BEE * <uint32_t>count
            g.bees += count
        for kind in range(1, PUDDLE):
            members = [cell for cell in range(4, 4 * g.tiles + 4) if g.cells[cell] & KIND == kind]
            names = {g.area[<int>cell] for cell in members}
            areas = len(members) // RIPE
            total = sum(bees_of(g.areas[<int>name]) for name in names)
            if total > areas * (areas + 1) // 2:
                raise FieldError(path, f"expected no more bees in areas of {self.colours[kind - 1]} than "
                                       f"{areas * (areas + 1) // 2}; got {total}")
            for name in names:
                if size_of(g.areas[<int>name]) >= RIPE and not bees_of(g.areas[<int>name]):
                    where = min(place_of(g, cell) for cell in members if g.area[<int>cell] == name)
                    raise FieldError(path, f"expected a bee at least in the area of {cell_text(*where)}, for it has "
                                           f"{size_of(g.areas[<int>name])} cells")
            # each new area brings one to all before it, and joining only adds them up
            counts = sorted(bees_of(g.areas[<int>name]) for name in names if bees_of(g.areas[<int>name]))
            for i, count in enumerate(counts):
                if count <= i:
                    raise FieldError(path, f"expected at least {', '.join(str(i + 1) for i in range(len(counts)))} bees in the "
                                           f"{len(counts)} areas of {self.colours[kind - 1]}; got {', '.join(map(str, counts))}")

    cdef _read_dweller(self, LeavesState *s, Garden *g, path, int family, int cell, where):
        """One dweller on a cell, if the card may have brought it there."""
        cdef Area *area = &g.areas[g.area[cell]]
        cdef int card = s.cards[family]
        cdef int kind = g.cells[cell] & KIND
        name = CARD_NAMES[FAMILY_NAMES[family]][card]
        if family == LEAF and card in (THOUGHTFUL, FLIRTY):
            fits = self._read_square(g, cell, card == FLIRTY)
        elif family == LEAF:
            fits = kind != PUDDLE and leaves_of(area[0]) < size_of(area[0]) // (5 if card == RESTLESS else 4) and (
                card == RESTLESS or self._has_line(g, cell))
            area[0] += ONE_LEAF if fits else 0
        elif family == POND and card == DIVER or family == FUNGUS and card == HOST:
            most = (size_of(area[0]) if family == POND else mushrooms_of(area[0])) // 2
            fits = (kind == PUDDLE) == (family == POND) and guests_of(area[0]) < most
            area[0] += ONE_GUEST if fits else 0
        else:
            fits = not g.cells[cell] & mark_of(family) and self._may_hold(g, cell, family, card)
            g.cells[cell] |= mark_of(family) if fits else 0
        if not fits:
            raise FieldError(path, f"the card {name} can have brought no dweller, or none more, to {where}")
        g.figures[family] += 1

    cdef bint _read_square(self, Garden *g, int cell, bint flirty):
        """Marks the square of which this is the top left cell, if it fulfils the card and no other uses it."""
        y, x = place_of(g, cell)
        square = [cell_at(g, y, x), cell_at(g, y, x + 1), cell_at(g, y + 1, x), cell_at(g, y + 1, x + 1)]
        kinds = {g.cells[<int>other] & KIND for other in square}
        if 0 in kinds or any(g.cells[<int>other] & IN_SQUARE for other in square):
            return False
        if (len(kinds) < 4 or (y, x) == (0, 0)) if flirty else (len(kinds) > 1 or PUDDLE in kinds):
            return False
        for other in square:
            g.cells[<int>other] |= IN_SQUARE
        g.cells[cell] |= SQUARE_AT
        return True

    cdef bint _has_line(self, const Garden *g, int cell):
        """Whether some four cells of the area lie in a straight line."""
        cdef int other
        for other in range(4, 4 * g.tiles + 4):
            y, x = place_of(g, other)
            if g.area[other] == g.area[cell] and in_line(g, y, x, g.cells[cell] & KIND):
                return True
        return False

    cdef bint _may_hold(self, const Garden *g, int cell, int family, int card):
        """Whether a card that counts cells can have brought a dweller to this one, wherever other dwellers were then."""
        y, x = place_of(g, cell)
        if family == POND and card == SKIPPER:
            return is_terrain(g.cells[cell] & KIND) and any(
                kind_at(g, y - dy, x - dx) == PUDDLE and kind_at(g, y + dy, x + dx) == PUDDLE for dy, dx in ((0, 1), (1, 0)))
        if not is_of(g.cells[cell], family):
            return False
        if card == SHY:   # and loner
            return is_alone(g, cell, family)
        if card == FRIENDLY:   # and collector
            return any(is_of(g.cells[cell_at(g, y + dy, x + dx)], family) for dy in (-1, 1) for dx in (-1, 1))
        others = [place_of(g, g.mushroom[tile]) for tile in range(1, g.tiles + 1) if g.mushroom[<int>tile]]
        return any(any(o[k] == (y, x)[k] and o[1 - k] < (y, x)[1 - k] for o in others)
                   and any(o[k] == (y, x)[k] and o[1 - k] > (y, x)[1 - k] for o in others) for k in range(2))

    cdef _check_pairs(self, const Garden *g, path, int family):
        """Of cells that touch diagonally one is left without a dweller: who got the last one touched it."""
        places = {place_of(g, cell): cell for cell in range(4, 4 * g.tiles + 4) if is_of(g.cells[<int>cell], family)}
        left = {place for place, cell in places.items() if not is_free(g.cells[<int>cell], family)}
        while left:
            group = [min(left)]
            empty = False
            for y, x in group:   # grows
                left.discard((y, x))
                for place in ((y - 1, x - 1), (y - 1, x + 1), (y + 1, x - 1), (y + 1, x + 1)):
                    empty |= place in places and is_free(g.cells[<int>places[place]], family)
                    if place in left:
                        left.remove(place)
                        group.append(place)
            if not empty:
                raise FieldError(path, f"expected one without a dweller among those that touch {cell_text(*group[0])}")

    cdef _read_phase(self, LeavesState *s, fields):
        """Phase, whose turn it is, and what is left in the bag."""
        cdef const Tables *t = self.tables
        cdef int laid = sum(s.gardens[seat].tiles for seat in range(self.players)) - self.players
        cdef int market = popcount(s.market)
        phase = fields.get("phase")
        to_move = fields.get("to_move")
        seats = [*range(self.players)]
        if to_move is not None:
            one_of("to_move", to_move, [CHANCE, TERMINAL, *seats])
        begun = s.gardens[0].tiles > 0
        if not begun:
            laid = 0
            if market:
                raise FieldError("gardens", "missing; expected a garden of each player, for the market has tiles")
        last = fields.get("last")
        done = begun and laid >= self.turns * self.players
        if phase is None:
            phase = (PHASES[s.phase] if not begun else "choose" if last is not None
                     else "over" if done
                     else "place" if market == self.market_size or to_move in seats
                     else "first" if not laid and not market and t.first < 0 and fields.get("turn") is None
                     and fields.get("first") is None else "draw")
        s.left = t.turns * t.players + t.market - 1
        if laid + market > s.left:
            raise FieldError("gardens", f"expected at most {s.left - market} tiles laid with {market} in the market; got {laid}")
        s.left -= laid + market
        before = s.phase
        s.phase = PHASES.index(one_of("phase", phase, PHASES))
        if (s.phase > STARTS) != begun or (not begun and s.phase != before):
            raise FieldError("phase", f"'{phase}' does not go with {'gardens' if begun else 'no garden'}"
                             + ("" if begun or s.phase > STARTS else " and these cards"))
        if s.phase == FIRST and (laid or market or t.first >= 0):
            raise FieldError("phase", "'first' is over once a tile is drawn or the options say who begins")
        if (s.phase == OVER) != done and s.phase != CHOOSE:
            raise FieldError("phase", f"'{phase}' does not go with {laid} tiles laid by all; a game has {self.turns * self.players}")
        needed = self.market_size - (s.phase in (CHOOSE, OVER) or (s.phase == DRAW and laid > 0))
        if s.phase in (PLACE, CHOOSE, OVER) or (s.phase == DRAW and laid > 0):
            if market != needed:
                raise FieldError("market", f"expected {needed} tiles in phase '{phase}'; got {market}")
        elif s.phase == DRAW and market >= self.market_size:
            raise FieldError("market", f"expected fewer than {self.market_size} tiles in phase 'draw'; got {market}")
        if last is not None and s.phase != CHOOSE:
            raise FieldError("last", f"no tile was just placed in phase '{phase}'")
        agrees("bag", fields.get("bag"), s.left)
        self._read_turn(s, fields, laid)
        agrees("to_move", to_move, actor(t, s))
        if s.phase == CHOOSE:
            self._read_last(s, last)

    cdef _read_turn(self, LeavesState *s, fields, int laid):
        """Whose turn it is. Seats take turns, so that it follows from the tiles where their numbers differ."""
        cdef const Tables *t = self.tables
        turn, first, to_move = (fields.get(name) for name in ("turn", "first", "to_move"))
        for name, value in (("turn", turn), ("first", first)):
            if value is not None:
                one_of(name, value, [*range(self.players)])
                if s.phase in (CARDS_DRAWN, STARTS, FIRST, OVER):
                    raise FieldError(name, f"nobody's in phase '{PHASES[s.phase]}'")
        if s.phase not in (DRAW, PLACE, CHOOSE):
            return
        if s.phase != DRAW and to_move in (CHANCE, TERMINAL):
            raise FieldError("to_move", f"contradicts phase '{PHASES[s.phase]}'; expected whose turn it is")
        done = laid - (s.phase == CHOOSE)   # turns before this one
        tiles = [s.gardens[seat].tiles - 1 for seat in range(self.players)]
        firsts = [seat for seat in range(self.players) if t.first in (-1, seat) and tiles == self._counts(seat, laid)]
        if not firsts:
            begins = f" from player {t.first} on" if t.first >= 0 else ""
            raise FieldError("gardens", f"expected tiles laid in turn{begins}; got {', '.join(map(str, tiles))}")
        if first is not None and first not in firsts:
            raise FieldError("first", f"contradicts the tiles laid; expected {' or '.join(map(str, firsts))}; got {first}")
        turns = [(seat + done) % self.players for seat in ([first] if first is not None else firsts)]
        name, who = ("turn", turn) if turn is not None else ("to_move", to_move if to_move in range(self.players) else None)
        if who is None and len(turns) > 1:
            raise FieldError("turn" if s.phase == DRAW else "to_move", "missing; expected whose turn it is")
        if who is not None and who not in turns:
            raise FieldError(name, f"contradicts the tiles laid; expected {' or '.join(map(str, sorted(turns)))}; got {who}")
        s.turn = turns[0] if who is None else who

    def _counts(self, first, laid):
        """How many tiles each seat has laid when so many have been, from this seat on."""
        return [(laid + self.players - 1 - (seat - first) % self.players) // self.players for seat in range(self.players)]

    cdef _read_last(self, LeavesState *s, last):
        """The tile just placed, and the decision that it asks for."""
        cdef const Tables *t = self.tables
        cdef Garden *g = &s.gardens[s.turn]
        if last is None:
            raise FieldError("last", "missing; expected the spot of the tile just placed")
        row, column = read_spot("last", last)
        if not is_within(g, row, column) or not g.at[spot_at(row, column)] or (row, column) == (0, 0):
            raise FieldError("last", f"expected the spot of a tile placed in the garden of player {s.turn}; got {shown(last)}")
        s.last = spot_at(row, column)
        while s.family < FAMILIES:
            s.pending = open_choices(g, s.last, s.family, s.cards[s.family])
            if s.family == LEAF:
                if t.lonely[s.pending]:
                    raise FieldError(f"gardens[{s.turn}].leaf", "the card brings a dweller that is missing, to a square that overlaps no other")
                s.pending = t.offered[s.pending]
            if s.pending:
                return
            s.family += 1
        raise FieldError("phase", f"'choose' does not go with a tile at {last} that leaves nothing to choose")

    cdef _check_figures(self, LeavesState *s):
        """That no garden lacks a dweller that must have come."""
        cdef Garden scratch
        cdef int seat, family, tile
        for seat in range(self.players):
            for family in range(FAMILIES):
                for tile in range(1, s.gardens[seat].tiles + 1):
                    scratch = s.gardens[seat]
                    award(self.tables, &scratch, tile, s.cards)
                    missing = scratch.figures[family] > s.gardens[seat].figures[family]
                    found = open_choices(&scratch, scratch.spot[tile], family, s.cards[family])
                    if s.phase == CHOOSE and seat == s.turn and found:
                        cells = self._cells_of(&scratch, scratch.spot[tile], family, found)
                        found = cells - self._cells_of(
                            &scratch, s.last, family, open_choices(&scratch, s.last, family, s.cards[family]))
                    if missing or found:
                        where = spot_text(row_of(&scratch, scratch.spot[tile]), column_of(&scratch, scratch.spot[tile]))
                        raise FieldError(f"gardens[{seat}].{FAMILY_NAMES[family]}",
                                         f"the card {CARD_NAMES[FAMILY_NAMES[family]][s.cards[family]]} brings a dweller that is "
                                         f"missing, on or beside the tile at {where}")

    cdef _cells_of(self, const Garden *g, int spot, int family, int choices):
        """The cell numbers that choices around a tile stand for."""
        cdef uint8_t[16] window
        look_around(g, spot, window)
        return {window[corner_of_square(i) if family == LEAF else i] for i in range(16) if choices >> i & 1}


cdef bint is_within(const Garden *g, int row, int column):
    """Whether a spot is in the garden's rectangle or beside it."""
    return g.top - 1 <= row <= g.bottom + 1 and g.left - 1 <= column <= g.right + 1


def spot_text(row, column):
    """`m13` for the starting tile's spot."""
    return f"{chr(ord('a') + TURNS + column)}{TURNS + 1 + row}"


def cell_text(y, x):
    """`m13nw` for the starting tile's first cell."""
    return spot_text(y // 2, x // 2) + CORNER_NAMES[2 * (y % 2) + x % 2]


def read_spot(path, value):
    """(row, column) of a spot's text, counted from the starting tile."""
    word = text(path, value).lower() if value is not None else ""
    row = int(word[1:]) if word[1:].isascii() and word[1:].isdigit() and len(word) < 4 else 0
    column = ord(word[0]) - ord("a") if word else -1
    if not (1 <= row <= 2 * TURNS + 1 and 0 <= column <= 2 * TURNS):
        raise FieldError(path, f"expected a spot {spot_text(-TURNS, -TURNS)} to {spot_text(TURNS, TURNS)}, the starting tile's being "
                               f"{spot_text(0, 0)}; " + ("missing" if value is None else f"got {shown(value)}"))
    return row - TURNS - 1, column - TURNS


def check_components(components):
    """Raises `FieldError` where the plain data of a component file does not describe a set that fits."""
    tables = ("colours", "tiles", "game", "cards")
    mapping("", components, tables, tables)
    colours = mapping("colours", components["colours"], ("names", "letters"), ("names", "letters"))
    letters = check_names("colours", colours, COLOURS)
    game = mapping("game", components["game"], ("turns", "market"), ("turns", "market"))
    whole("game.turns", game["turns"], 1, TURNS)
    whole("game.market", game["market"], 1, MARKET)
    tiles = mapping("tiles", components["tiles"], ("starting", "garden"), ("starting", "garden"))
    starting = sequence("tiles.starting", tiles["starting"], None, "tiles")
    garden = sequence("tiles.garden", tiles["garden"], None, "tiles")
    _check_count("tiles.starting", len(starting), SEATS, STARTING)
    _check_count("tiles.garden", len(garden), game["turns"] * SEATS + game["market"] - 1, TILES)
    for name, codes in (("starting", starting), ("garden", garden)):
        seen = {}
        for i, code in enumerate(codes):
            path = f"tiles.{name}[{i}]"
            cells = _check_tile(path, code, letters)
            if name == "garden" and min(orientations(cells, True)) in seen or name == "starting" and cells in seen:
                raise FieldError(path, f"expected a tile unlike the others; got {code} again")
            seen[min(orientations(cells, True)) if name == "garden" else cells] = i
    cards = mapping("cards", components["cards"], FAMILY_NAMES, FAMILY_NAMES)
    for name in FAMILY_NAMES:
        known = sequence(f"cards.{name}", cards[name], None, "cards")
        for i, card in enumerate(known):
            one_of(f"cards.{name}[{i}]", card, CARD_NAMES[name])
        if not known or len(set(known)) < len(known):
            raise FieldError(f"cards.{name}", f"expected some of {', '.join(CARD_NAMES[name])}, each once")


def _check_count(path, count, low, high):
    if not low <= count <= high:
        raise FieldError(path, f"expected {low} to {high} tiles; got {count}")


def _check_tile(path, code, letters):
    cells = split_tile(text(path, code))
    if len(cells) != CORNERS or any(cell[0] not in letters + "~" or cell[1:] not in ("", "*") or cell == "~*" for cell in cells):
        raise FieldError(path, f"expected four cells of {letters} or '~', with '*' after one with a mushroom; got {shown(code)}")
    kinds = [cell[0] for cell in cells]
    if kinds.count("~") > 1 or code.count("*") > 1:
        raise FieldError(path, f"expected at most one puddle and one mushroom; got {shown(code)}")
    for one, other, beside in ((0, 3, (1, 2)), (1, 2, (0, 3))):
        if kinds[one] == kinds[other] and all(kinds[i] != kinds[one] for i in beside):
            raise FieldError(path, f"expected cells of one colour to touch along a side; got {shown(code)}")
    return cells
