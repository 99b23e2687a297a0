# A small fast seedable generator, and unbiased bounded draws. Any file may use it.
#
# Generator: xoroshiro128++ 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 2021),
# seeded through splitmix64 so that neighbouring seeds give unrelated streams.

from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    static inline uint64_t garden_mulhi64(uint64_t a, uint64_t b, uint64_t *low) {
        unsigned __int128 product = (unsigned __int128)a * b;
        *low = (uint64_t)product;
        return (uint64_t)(product >> 64);
    }
    """
    uint64_t mulhi64 "garden_mulhi64"(uint64_t a, uint64_t b, uint64_t *low) noexcept nogil


ctypedef struct Rng:
    uint64_t s0
    uint64_t s1


cdef inline uint64_t mix64(uint64_t x) noexcept nogil:
    """The finalizer of splitmix64: a bijection that spreads every input bit over the whole word."""
    x = (x ^ (x >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline void seed_rng(Rng *rng, uint64_t seed) noexcept nogil:
    rng.s0 = mix64(seed + <uint64_t>0x9E3779B97F4A7C15)
    rng.s1 = mix64(seed + <uint64_t>0x3C6EF372FE94F82A)
    if rng.s0 == 0 and rng.s1 == 0:   # the one state the generator never leaves
        rng.s1 = 1


cdef inline uint64_t next64(Rng *rng) noexcept nogil:
    cdef uint64_t s0 = rng.s0
    cdef uint64_t s1 = rng.s1
    cdef uint64_t total = s0 + s1
    cdef uint64_t result = ((total << 17) | (total >> 47)) + s0
    s1 ^= s0
    rng.s0 = ((s0 << 49) | (s0 >> 15)) ^ s1 ^ (s1 << 21)
    rng.s1 = (s1 << 28) | (s1 >> 36)
    return result


cdef inline uint32_t below(Rng *rng, uint32_t n) noexcept nogil:
    """A uniform draw from 0..n-1, n >= 1, without bias (Lemire, "Fast random integer generation in an interval", 2019)."""
    cdef uint64_t low
    cdef uint64_t high = mulhi64(next64(rng), n, &low)
    cdef uint64_t threshold
    if low < n:
        threshold = (0 - <uint64_t>n) % n
        while low < threshold:
            high = mulhi64(next64(rng), n, &low)
    return <uint32_t>high


cdef inline uint32_t below2(Rng *rng, uint32_t n, uint32_t m, uint32_t *second) noexcept nogil:
    """Two independent unbiased draws, from 0..n-1 (returned) and 0..m-1, for the price of one.

    Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", 2024: the digits of one random fraction in
    the mixed radix (n, m), rejected where the rest falls into the short last interval.
    """
    cdef uint64_t low
    cdef uint64_t product = <uint64_t>n * m
    cdef uint64_t threshold
    cdef uint64_t first = mulhi64(next64(rng), n, &low)
    second[0] = <uint32_t>mulhi64(low, m, &low)
    if low < product:
        threshold = (0 - product) % product
        while low < threshold:
            first = mulhi64(next64(rng), n, &low)
            second[0] = <uint32_t>mulhi64(low, m, &low)
    return <uint32_t>first


cdef inline double uniform(Rng *rng) noexcept nogil:
    """A uniform double in [0, 1), 53 bits."""
    return <double>(next64(rng) >> 11) * (1.0 / 9007199254740992.0)
