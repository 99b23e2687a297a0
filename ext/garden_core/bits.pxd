# Bit sets: counting, choosing and walking bits; connected groups on a board given by its adjacency. Any file may use it.

from libc.stdint cimport uint16_t, uint32_t, uint64_t

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
