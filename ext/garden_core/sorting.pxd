# Sorting of short lists where there is no Python. Any file may use it.

from libc.stdint cimport int32_t


cdef inline void sort_ids(int32_t *ids, int n) noexcept nogil:
    """Ascending, in place; by insertion, so for a few dozen at most."""
    cdef int32_t id
    cdef int i, j
    for i in range(1, n):
        id = ids[i]
        j = i
        while j > 0 and ids[j - 1] > id:
            ids[j] = ids[j - 1]
            j -= 1
        ids[j] = id
