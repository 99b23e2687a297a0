"""Connect Four through the contract, from outside the package: the rules of the game that other engines play, too.

Two players drop stones in turn into seven columns of six cells; whoever first has four of his own in a row, across, up or
diagonally, wins; a full board without is a draw.

A board is a word: bit 7 * column + row, rows from the bottom; the seventh bit of a column stays empty, so that lines do not
run from one column into the next and a sum finds the lowest free cells. A win scores 1, a draw 0.

Actions: the columns 0..6 from the left. There is no chance and nothing is hidden.
"""
from functools import cache

from libc.stdint cimport int32_t, uint8_t, uint64_t

from garden_core.bits cimport lowest_bit, popcount, select_bit
from garden_core.hash cimport hash_words
from garden_core.rng cimport Rng, below
from garden_core.rules cimport ALL, TERMINAL, Rules, places_from_scores
from garden_core.state cimport Game, State

from garden_core.fields import FieldError, agrees, mapping, one_of, sequence

cdef enum:
    COLUMNS = 7
    ROWS = 6
    HEIGHT = 7       # bits of a column
    CELLS = 42

cdef uint64_t BOTTOM = 0x0040810204081     # the lowest cell of every column
cdef uint64_t BOARD = 0x0FDFBF7EFDFBF      # all cells

STONES = "xo"


cdef enum Result:
    RUNNING
    FIRST_WINS
    SECOND_WINS
    DRAWN

ctypedef struct FourState:
    uint64_t stones[2]
    uint8_t moves
    uint8_t result
    uint8_t unused[6]


cdef inline uint64_t free_cells(const FourState *s) noexcept nogil:
    """The lowest free cell of every column that has one."""
    return ((s.stones[0] | s.stones[1]) + BOTTOM) & BOARD


cdef inline uint64_t column_of(int32_t column) noexcept nogil:
    return <uint64_t>0x3F << (HEIGHT * column)


cdef inline bint has_line(uint64_t stones) noexcept nogil:
    """Whether four are in a row: upwards, across, or along a diagonal."""
    cdef uint64_t up = stones & (stones >> 1)
    cdef uint64_t across = stones & (stones >> HEIGHT)
    cdef uint64_t falling = stones & (stones >> (HEIGHT - 1))
    cdef uint64_t rising = stones & (stones >> (HEIGHT + 1))
    return ((up & (up >> 2)) | (across & (across >> 2 * HEIGHT)) | (falling & (falling >> 2 * (HEIGHT - 1)))
            | (rising & (rising >> 2 * (HEIGHT + 1)))) != 0


cdef void start(const void *tables, void *state) noexcept nogil:
    pass


cdef int actor(const void *tables, const void *state) noexcept nogil:
    cdef const FourState *s = <const FourState *>state
    return TERMINAL if s.result != RUNNING else s.moves & 1


cdef bint simultaneous(const void *tables, const void *state) noexcept nogil:
    return False


cdef int actions(const void *tables, const void *state, int32_t *out) noexcept nogil:
    cdef const FourState *s = <const FourState *>state
    cdef uint64_t free = free_cells(s) if s.result == RUNNING else 0
    cdef int n = 0
    while free:
        out[n] = lowest_bit(free) // HEIGHT
        free &= free - 1
        n += 1
    return n


cdef int32_t random_action(const void *tables, const void *state, Rng *rng) noexcept nogil:
    cdef uint64_t free = free_cells(<const FourState *>state)
    return select_bit(free, below(rng, popcount(free))) // HEIGHT


cdef bint is_legal(const void *tables, const void *state, int32_t action) noexcept nogil:
    cdef const FourState *s = <const FourState *>state
    return s.result == RUNNING and 0 <= action < COLUMNS and (free_cells(s) & column_of(action)) != 0


cdef void apply(const void *tables, void *state, int32_t action) noexcept nogil:
    cdef FourState *s = <FourState *>state
    cdef int player = s.moves & 1
    s.stones[player] |= free_cells(s) & column_of(action)
    s.moves += 1
    if has_line(s.stones[player]):
        s.result = FIRST_WINS + player
    elif s.moves == CELLS:
        s.result = DRAWN


cdef int outcomes(const void *tables, const void *state, int32_t *out, double *probability) noexcept nogil:
    return 0


cdef int32_t draw(const void *tables, const void *state, Rng *rng) noexcept nogil:
    return 0


cdef void withdraw(const void *tables, void *state) noexcept nogil:
    pass


cdef double redeal(const void *tables, void *state, int observer, Rng *rng) noexcept nogil:
    return 0.0


cdef uint64_t key(const void *tables, const void *state, int observer, int grain) noexcept nogil:
    """Everybody sees everything: one hash for all observers."""
    return hash_words((<const FourState *>state).stones, 2, 0)


cdef void scores(const void *tables, const void *state, double *out) noexcept nogil:
    cdef int result = (<const FourState *>state).result
    out[0] = result == FIRST_WINS
    out[1] = result == SECOND_WINS


cdef void placing(const void *tables, const void *state, int32_t *out) noexcept nogil:
    cdef double points[2]
    scores(tables, state, points)
    places_from_scores(2, points, out)


cdef void utilities(const void *tables, const void *state, double *out) noexcept nogil:
    """1 for a win, 0 for a loss, one half for a draw."""
    scores(tables, state, out)
    out[0] = 0.5 + 0.5 * (out[0] - out[1])
    out[1] = 1.0 - out[0]


cdef void evaluate(const void *tables, const void *state, double *utility, double *score) noexcept nogil:
    """Before the end, an even game."""
    scores(tables, state, score)
    utilities(tables, state, utility)


cdef void priors(const void *tables, const void *state, int n, const int32_t *ids, float *out) noexcept nogil:
    cdef int i
    for i in range(n):
        out[i] = <float>(1.0 / n)


cdef Rules RULES = Rules(
    start=start, actor=actor, simultaneous=simultaneous, actions=actions, random_action=random_action, is_legal=is_legal,
    apply=apply, outcomes=outcomes, draw=draw, withdraw=withdraw, redeal=redeal, rewind=NULL, lighten=NULL, key=key,
    scores=scores, components=scores, placing=placing, utilities=utilities, evaluate=evaluate, priors=priors,
    policy_action=random_action, canonical=NULL)


@cache
def _only():
    return ConnectFour()


def load(players, options, components):
    """The game; two players, no options, no components."""
    one_of("players", players, [2])
    mapping("options", dict(options), ())
    check_components(components)
    return _only()


def check_components(components):
    """There are none: board and line are what the rules are made for."""
    mapping("", components, ())


cdef class ConnectFour(Game):
    """Connect Four as loaded."""

    def __init__(self):
        super().__init__("connect_four", 2, {}, {}, ("line",), 1, load)
        self.loaded.rules = RULES
        self.loaded.tables = NULL
        self.loaded.state_size = sizeof(FourState)
        self.loaded.players = 2
        self.loaded.max_actions = COLUMNS
        self.loaded.max_outcomes = 1
        self.loaded.max_nodes = CELLS
        self.loaded.component_count = 1
        self.loaded.hidden = False
        self.loaded.utility_low = 0.0
        self.loaded.utility_high = 1.0
        self.loaded.score_low = 0.0
        self.loaded.score_high = 1.0

    def fields(self, State state, int observer=ALL):
        """Who is to move, and the board: six rows from the top, `x` the first player, `o` the second, `.` free."""
        cdef const FourState *s = <const FourState *>state.data
        rows = ["".join(self._stone(s, HEIGHT * column + row) for column in range(COLUMNS)) for row in reversed(range(ROWS))]
        return {"to_move": actor(NULL, s), "board": rows}

    cdef str _stone(self, const FourState *s, int bit):
        for player in range(2):
            if (s.stones[<int>player] >> bit) & 1:
                return STONES[player]
        return "."

    def build(self, fields):
        """The state of such fields; nobody may have moved out of turn or after the end."""
        mapping("", fields, ("to_move", "board"), ("board",))
        cdef State state = self.new_state()
        cdef FourState *s = <FourState *>state.data
        self._read_board(s, sequence("board", fields["board"], ROWS, "rows"))
        counts = [popcount(s.stones[player]) for player in range(2)]
        if counts[0] - counts[1] not in (0, 1):
            raise FieldError("board", f"expected as many o as x, or one less; got {counts[0]} x and {counts[1]} o")
        s.moves = sum(counts)
        cdef int last = 1 - (s.moves & 1)
        if has_line(s.stones[1 - last]) or (has_line(s.stones[last]) and not may_be_last(s.stones[last], free_cells(s))):
            raise FieldError("board", "expected nobody to have moved after a line of four")
        if has_line(s.stones[last]):
            s.result = FIRST_WINS + last
        elif s.moves == CELLS:
            s.result = DRAWN
        agrees("to_move", fields.get("to_move"), actor(NULL, s))
        return state

    cdef _read_board(self, FourState *s, rows):
        cdef uint64_t bit
        for number, text in enumerate(rows):
            if not isinstance(text, str) or len(text) != COLUMNS or not set(text) <= {*STONES, "."}:
                raise FieldError(f"board[{number}]", f"expected {COLUMNS} of x, o and .; got {text!r}")
            for column, stone in enumerate(text):
                bit = <uint64_t>1 << <int>(HEIGHT * column + ROWS - 1 - number)
                if stone != ".":
                    s.stones[<int>STONES.index(stone)] |= bit
        for column in range(COLUMNS):
            filled = (s.stones[0] | s.stones[1]) >> <int>(HEIGHT * column) & 0x3F
            if filled & (filled + 1):
                raise FieldError("board", f"expected no gap below a stone in column {'abcdefg'[column]}")


cdef bint may_be_last(uint64_t stones, uint64_t free) noexcept nogil:
    """Whether one of these stones lies on top of its column and without it there is no line."""
    cdef int column
    cdef uint64_t filled, top
    for column in range(COLUMNS):
        filled = ((free & column_of(column)) - 1) & column_of(column) if free & column_of(column) else column_of(column)
        top = (filled ^ (filled >> 1)) & stones
        if top and not has_line(stones & ~top):
            return True
    return False
