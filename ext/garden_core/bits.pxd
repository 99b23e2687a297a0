# Bit sets: counting, choosing and walking bits; connected groups on a board given by its adjacency. Any file may use it.

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memset

cdef extern from *:
    """
    #if defined(__BMI2__)
    #include <immintrin.h>
    #endif
    static inline int garden_popcount(uint64_t word) { return __builtin_popcountll(word); }
    static inline int garden_lowest_bit(uint64_t word) { return __builtin_ctzll(word); }
    /* the place of the k-th set bit (k = 0 is the lowest); word must have more than k */
    static inline int garden_select_bit(uint64_t word, int k) {
    #if defined(__BMI2__)
        return __builtin_ctzll(_pdep_u64(1ULL << k, word));
    #else
        while (k--) word &= word - 1;
        return __builtin_ctzll(word);
    #endif
    }
    """
    int popcount "garden_popcount"(uint64_t word) noexcept nogil
    int lowest_bit "garden_lowest_bit"(uint64_t word) noexcept nogil          # word != 0
    int select_bit "garden_select_bit"(uint64_t word, int k) noexcept nogil   # k < popcount(word)


cdef inline uint16_t group16(const uint16_t *adjacency, uint16_t members, int spot) noexcept nogil:
    """The connected group of `members` that holds `spot` (which must be a member), on a board of at most 16 spots.

    `adjacency[i]` is the set of spots next to spot i.
    """
    cdef uint16_t group = <uint16_t>(1 << spot)
    cdef uint16_t border = group
    cdef uint16_t reached
    cdef int i
    while border:
        reached = 0
        while border:
            i = lowest_bit(border)
            border &= border - 1
            reached |= adjacency[i]
        border = reached & members & <uint16_t>~group
        group |= border
    return group


cdef inline uint32_t byte_lanes(uint32_t value) noexcept nogil:
    """`value` (0..255) in each of the four bytes of a word."""
    return value * <uint32_t>0x01010101


cdef inline bint all_lanes_at_most(uint32_t lanes, uint32_t value) noexcept nogil:
    """Whether each of four bytes, all of them and `value` below 128, is at most `value`."""
    return (((byte_lanes(value) | <uint32_t>0x80808080) - lanes) & <uint32_t>0x80808080) == <uint32_t>0x80808080


# Boards of at most 16 rows and 15 columns: sixteen bits a row, the first of them always 0, so that shifts need no masks.

ctypedef struct Board:
    uint64_t rows[4]     # four rows a word, from the top left: bit 16 * row + 1 + column


cdef inline void set_bit(Board *board, int cell) noexcept nogil:
    board.rows[cell >> 6] |= <uint64_t>1 << (cell & 63)


cdef inline void clear_bit(Board *board, int cell) noexcept nogil:
    board.rows[cell >> 6] &= ~(<uint64_t>1 << (cell & 63))


cdef inline bint has_bit(const Board *board, int cell) noexcept nogil:
    return (board.rows[cell >> 6] >> (cell & 63)) & 1


cdef inline int count_bits(const Board *board) noexcept nogil:
    return popcount(board.rows[0]) + popcount(board.rows[1]) + popcount(board.rows[2]) + popcount(board.rows[3])


cdef inline int select_word(const uint64_t *words, int n, int *rank) noexcept nogil:
    """The word that holds the member number `rank` of n words; `rank` becomes its number there. There must be more members.

    Without branches: where the member is cannot be predicted.
    """
    cdef int before = 0
    cdef int total = 0
    cdef int word = 0
    cdef int i
    cdef bint past
    for i in range(n - 1):
        total += popcount(words[i])
        past = rank[0] >= total
        word += past
        before = total if past else before
    rank[0] -= before
    return word


cdef inline int select_cell(const Board *board, int k) noexcept nogil:
    """The cell of the k-th member; the board must have more than k."""
    cdef int word = select_word(board.rows, 4, &k)
    return 64 * word + select_bit(board.rows[word], k)


cdef inline uint64_t raised(const Board *board, int word) noexcept nogil:
    """A word of the board moved up by a row: the cells with a member below."""
    return (board.rows[word] >> 16) | (board.rows[word + 1] << 48 if word < 3 else 0)


cdef inline uint64_t lowered(const Board *board, int word) noexcept nogil:
    """A word of the board moved down by a row: the cells with a member above."""
    return (board.rows[word] << 16) | (board.rows[word - 1] >> 48 if word > 0 else 0)


cdef inline void pairs_across(const Board *cells, Board *out) noexcept nogil:
    """The left cells of two members side by side."""
    cdef int i
    for i in range(4):
        out.rows[i] = cells.rows[i] & (cells.rows[i] >> 1)


cdef inline void pairs_down(const Board *cells, Board *out) noexcept nogil:
    """The upper cells of two members one above the other."""
    cdef int i
    for i in range(4):
        out.rows[i] = cells.rows[i] & raised(cells, i)


cdef inline void neighbours(const Board *cells, const Board *within, Board *out) noexcept nogil:
    """The cells of `within` beside, above or below a member."""
    cdef int i
    for i in range(4):
        out.rows[i] = within.rows[i] & (cells.rows[i] << 1 | cells.rows[i] >> 1 | raised(cells, i) | lowered(cells, i))


cdef inline void meet(const Board *one, const Board *other, Board *out) noexcept nogil:
    """The cells in both."""
    cdef int i
    for i in range(4):
        out.rows[i] = one.rows[i] & other.rows[i]


cdef inline bint meets(const Board *one, const Board *other) noexcept nogil:
    """Whether some cell is in both."""
    cdef int i
    for i in range(4):
        if one.rows[i] & other.rows[i]:
            return True
    return False


cdef inline void crowded(const Board *cells, Board *out) noexcept nogil:
    """The members beside at least two others."""
    cdef uint64_t above, below, left, right
    cdef int i
    for i in range(4):
        above = lowered(cells, i)
        below = raised(cells, i)
        left = cells.rows[i] << 1
        right = cells.rows[i] >> 1
        out.rows[i] = cells.rows[i] & ((left & right) | (above & below) | ((left | right) & (above | below)))


cdef inline int first_cell(const Board *board) noexcept nogil:
    """The first member; -1 where there is none."""
    cdef int word
    for word in range(4):
        if board.rows[word]:
            return 64 * word + lowest_bit(board.rows[word])
    return -1


cdef inline void flood(const Board *within, int cell, Board *out) noexcept nogil:
    """The connected group of `within` that holds a cell of it."""
    cdef Board reached
    cdef uint64_t grown
    cdef int i
    memset(out, 0, sizeof(Board))
    set_bit(out, cell)
    while True:
        neighbours(out, within, &reached)
        grown = 0
        for i in range(4):
            grown |= reached.rows[i] & ~out.rows[i]
            out.rows[i] |= reached.rows[i]
        if grown == 0:
            return
