# When a search ends: a number of simulations, a deadline, or a stop from outside. Every search uses it.

from libc.stdint cimport int64_t

cdef extern from *:
    """
    #include <stdint.h>
    #include <time.h>
    static inline int64_t garden_now(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    }
    static inline int garden_load_flag(const int *flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }
    static inline void garden_set_flag(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }
    """
    int64_t now_ns "garden_now"() noexcept nogil                      # monotonic, nanoseconds
    bint is_set "garden_load_flag"(const int *flag) noexcept nogil
    void set_flag "garden_set_flag"(int *flag) noexcept nogil

cdef enum:
    CLOCK_EVERY = 16         # simulations between two looks at the clock
    CACHE_LINES = 128        # bytes that keep the memory of two threads apart: processors fetch two lines at a time


cdef class Control:
    cdef int stopped                  # set from any thread
    cdef readonly int64_t simulations  # at most; -1: no limit
    cdef int64_t begun
    cdef int64_t deadline             # now_ns() at which to end
    cdef readonly bint interrupted

    cdef int listen(self) except -1
    cdef inline bint ended(self) noexcept nogil:
        return is_set(&self.stopped) or now_ns() >= self.deadline
