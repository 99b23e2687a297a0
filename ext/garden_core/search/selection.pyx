"""The tables behind `selection.pxd`."""
from libc.math cimport exp, log, sqrt
from libc.stdint cimport uint32_t

from garden_core.search.selection cimport BOUNDING, LOG, LOGS, log_of


cdef double rounded_log(int n) noexcept:
    """ln n to 40 bits: the last bits, where libraries differ, are cut off."""
    cdef double scale = 1099511627776.0
    return <long>(log(<double>n) * scale + 0.5) / scale


cdef double power_of(uint32_t n, double exponent) noexcept nogil:
    """n to a power, for widening; n >= 1."""
    return exp(exponent * log_of(n if n > 0 else 1))


cdef void _fill() noexcept:
    cdef int n
    LOG[0] = 0.0
    for n in range(1, LOGS):
        LOG[n] = rounded_log(n)
        BOUNDING[n].reciprocal = 1.0 / n
        BOUNDING[n].log_root = sqrt(LOG[n])
        BOUNDING[n].root_reciprocal = 1.0 / <float>sqrt(<double>n)


_fill()
