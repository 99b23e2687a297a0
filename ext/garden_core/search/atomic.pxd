# Relaxed atomics: counters that several threads share. Plain instructions where only one thread runs.

from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #define garden_load(pointer) __atomic_load_n((pointer), __ATOMIC_RELAXED)
    #define garden_store(pointer, value) __atomic_store_n((pointer), (value), __ATOMIC_RELAXED)
    #define garden_load_acquire(pointer) __atomic_load_n((pointer), __ATOMIC_ACQUIRE)
    #define garden_store_release(pointer, value) __atomic_store_n((pointer), (value), __ATOMIC_RELEASE)
    #define garden_add(pointer, value) __atomic_fetch_add((pointer), (value), __ATOMIC_RELAXED)
    static inline int garden_claim64(uint64_t *pointer, uint64_t value) {
        uint64_t empty = 0;
        return __atomic_compare_exchange_n(pointer, &empty, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    }
    static inline int garden_claim16(uint16_t *pointer, uint16_t from, uint16_t to) {
        return __atomic_compare_exchange_n(pointer, &from, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    }
    """
    uint64_t load64 "garden_load"(const uint64_t *pointer) noexcept nogil
    uint16_t load16_acquire "garden_load_acquire"(const uint16_t *pointer) noexcept nogil
    void store16_release "garden_store_release"(uint16_t *pointer, uint16_t value) noexcept nogil
    uint64_t add64 "garden_add"(uint64_t *pointer, uint64_t value) noexcept nogil     # these return the value before
    uint32_t add32 "garden_add"(uint32_t *pointer, uint32_t value) noexcept nogil
    int64_t add_long "garden_add"(int64_t *pointer, int64_t value) noexcept nogil
    bint claim64 "garden_claim64"(uint64_t *pointer, uint64_t value) noexcept nogil   # from 0, once
    bint claim16 "garden_claim16"(uint16_t *pointer, uint16_t old, uint16_t new) noexcept nogil
