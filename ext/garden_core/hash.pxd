# Hashing of keys: a few 64-bit words to one. Any file may use it.
#
# Each pair of words is folded by a 64 x 64 -> 128 bit product, high half xor low half (the construction of wyhash).

from libc.stdint cimport uint64_t
from garden_core.rng cimport mix64, mulhi64


cdef inline uint64_t fold(uint64_t a, uint64_t b) noexcept nogil:
    cdef uint64_t low
    cdef uint64_t high = mulhi64(a, b, &low)
    return high ^ low


cdef inline uint64_t hash_words(const uint64_t *words, int n, uint64_t seed) noexcept nogil:
    """The hash of n words (n even) under a seed; different seeds give unrelated hashes."""
    cdef uint64_t h = mix64(seed + <uint64_t>0x9E3779B97F4A7C15)
    cdef int i
    for i in range(0, n, 2):
        h = fold(words[i] ^ <uint64_t>0xA0761D6478BD642F ^ h, words[i + 1] ^ <uint64_t>0xE7037ED1A0B428DB)
    return mix64(h)
