"""The generator of `garden_core.rng`, for its tests: draws from a given state, and counts of many draws."""
import numpy as np

from libc.stdint cimport uint32_t, uint64_t

from garden_core.rng cimport Rng, below, below2, next64, seed_rng, uniform


def words(uint64_t s0, uint64_t s1, int count):
    """The next `count` words of the generator in state (s0, s1)."""
    cdef Rng rng = Rng(s0, s1)
    return [next64(&rng) for _ in range(count)]


def seeded(uint64_t seed):
    """The state (s0, s1) that a seed gives."""
    cdef Rng rng
    seed_rng(&rng, seed)
    return rng.s0, rng.s1


def draw(uint64_t s0, uint64_t s1, uint32_t n):
    """`below(n)` in state (s0, s1), and the word that comes next."""
    cdef Rng rng = Rng(s0, s1)
    cdef uint32_t drawn = below(&rng, n)
    return drawn, next64(&rng)


def draw_two(uint64_t s0, uint64_t s1, uint32_t n, uint32_t m):
    """`below2(n, m)` in state (s0, s1), and the word that comes next."""
    cdef Rng rng = Rng(s0, s1)
    cdef uint32_t second
    cdef uint32_t first = below2(&rng, n, m, &second)
    return first, second, next64(&rng)


def counts(uint64_t seed, uint32_t n, long draws):
    """How often each of 0..n-1 came in so many draws of `below(n)`."""
    cdef Rng rng
    out = np.zeros(n, dtype=np.int64)
    cdef long long[::1] seen = out
    cdef long _i
    seed_rng(&rng, seed)
    for _i in range(draws):
        seen[below(&rng, n)] += 1
    return out


def counts_two(uint64_t seed, uint32_t n, uint32_t m, long draws):
    """How often each pair came in so many draws of `below2(n, m)`: an array of shape [n, m]."""
    cdef Rng rng
    cdef uint32_t first, second
    out = np.zeros((n, m), dtype=np.int64)
    cdef long long[:, ::1] seen = out
    cdef long _i
    seed_rng(&rng, seed)
    for _i in range(draws):
        first = below2(&rng, n, m, &second)
        seen[first, second] += 1
    return out


def uniforms(uint64_t seed, long draws):
    """So many draws of `uniform`."""
    cdef Rng rng
    out = np.empty(draws, dtype=np.float64)
    cdef double[::1] seen = out
    cdef long i
    seed_rng(&rng, seed)
    for i in range(draws):
        seen[i] = uniform(&rng)
    return out
