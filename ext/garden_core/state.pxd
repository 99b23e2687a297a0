# Game and State as Python sees them; a game's own file subclasses Game.

from garden_core.rules cimport Loaded


cdef class Game:
    cdef Loaded loaded
    cdef readonly str name
    cdef readonly int players
    cdef readonly object options           # read-only mapping: option -> value
    cdef readonly object components_data   # the checked component file as plain dicts and lists
    cdef readonly str digest               # of the components
    cdef readonly int layout_version       # raised when the state struct changes its meaning
    cdef readonly tuple component_names
    cdef object loader                     # (players, options, components_data) -> Game, for pickles
    cdef State new_state(self)
    cdef int check(self, State state) except -1


cdef class State:
    cdef readonly Game game
    cdef void *data
    cdef readonly double log_weight        # of the redeal that made this state, else 0
    cdef _choose(self, seed, bint policy)
