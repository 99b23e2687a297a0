"""`Tree`: the memory of MCTS. See `tree.pxd`."""
from libc.stdint cimport int64_t, uint32_t, uint64_t

from garden_core.search.atomic cimport add64, claim64, load64

cdef extern from *:
    """
    #include <stdlib.h>
    #include <sys/mman.h>
    #define GARDEN_PAGE ((size_t)2 << 20)   /* a large one; ordinary ones have at most 64 KiB */
    /* Zeroed memory. Much of it comes in large pages where the system has them: a search reads all over it, and to find the
       small page of an address may take longer than to read there. */
    static void *garden_take(size_t bytes) {
        size_t whole = (bytes + 65535) & ~(size_t)65535, before;
        char *begin;
        if (bytes < GARDEN_PAGE) return calloc(bytes, 1);
        begin = (char *)mmap(NULL, whole + GARDEN_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (begin == (char *)MAP_FAILED) return NULL;
        before = -(size_t)begin & (GARDEN_PAGE - 1);
        if (before) munmap(begin, before);
        munmap(begin + before + whole, GARDEN_PAGE - before);
    #ifdef MADV_HUGEPAGE
        madvise(begin + before, whole, MADV_HUGEPAGE);
    #endif
        return begin + before;
    }
    static void garden_leave(void *memory, size_t bytes) {
        if (memory == NULL) return;
        if (bytes < GARDEN_PAGE) free(memory);
        else munmap(memory, (bytes + 65535) & ~(size_t)65535);
    }
    """
    void *take "garden_take"(size_t bytes) noexcept nogil
    void leave "garden_leave"(void *memory, size_t bytes) noexcept nogil   # the same number of bytes

cdef enum:
    PROBES = 512         # slots looked at before the table counts as full: it has no such row of nodes, unless it is
    NODE_SHARE = 4       # a quarter of the memory for nodes, the rest for edges
    FIRST_SLOTS = 4096   # the table grows with use, since fresh memory costs more than a small search


cdef class Tree:
    """At most `memory` bytes, less where `simulations` (-1: not known), `edge_bytes` of edges each, cannot need as much."""

    def __init__(self, memory, simulations, edge_bytes):
        self.most_slots = FIRST_SLOTS
        while self.most_slots * 2 * sizeof(Node) <= memory // NODE_SHARE:
            self.most_slots *= 2
        self._take_slots(FIRST_SLOTS)
        # while the table is copied to one of twice the size, both are there
        size = memory - self.most_slots * sizeof(Node) * 3 // 2
        if simulations >= 0:
            size = min(size, (simulations + 1) * edge_bytes)
        self.arena_size = max(size // 8, 8)
        self.arena = <uint64_t *>take(self.arena_size * 8)
        self.arena_used = 1   # 0 would look like no place
        if self.arena == NULL:
            raise MemoryError(f"a tree of {memory} bytes")

    def __dealloc__(self):
        leave(self.nodes, (self.mask + 1) * sizeof(Node))
        leave(self.arena, self.arena_size * 8)

    def __len__(self):
        """Nodes in use."""
        return self.node_count

    @property
    def bytes_used(self):
        """Of the slots and the edges taken."""
        return (self.mask + 1) * sizeof(Node) + self.arena_used * 8

    @property
    def bytes_reserved(self):
        """At the most: never more than the cap."""
        return self.most_slots * sizeof(Node) * 3 // 2 + self.arena_size * 8

    def _take_slots(self, uint64_t slots):
        cdef Node *nodes = <Node *>take(slots * sizeof(Node))
        if nodes == NULL:
            raise MemoryError(f"a table of {slots} nodes")
        self.nodes = nodes
        self.mask = slots - 1
        self.node_capacity = slots - slots // 8

    def room(self):
        """How many nodes may still come before `grow` is due; -1: it never is again."""
        if self.mask + 1 >= self.most_slots:
            return -1
        return max(0, <int64_t>(self.mask + 1) // 4 * 3 - <int64_t>self.node_count)   # a small table is near the processor

    def grow(self):
        """Twice the slots. Nobody may hold a node meanwhile."""
        cdef Node *old = self.nodes
        cdef uint64_t slots = self.mask + 1
        cdef uint64_t i, slot
        self._take_slots(slots * 2)
        for i in range(slots):
            if old[i].key:
                slot = old[i].key & self.mask
                while self.nodes[slot].key:
                    slot = (slot + 1) & self.mask
                self.nodes[slot] = old[i]
        leave(old, slots * sizeof(Node))

    cdef Node *find(self, uint64_t key) noexcept nogil:
        """The node of a key, or NULL."""
        cdef uint64_t slot, held
        cdef int _probe
        key |= key == 0
        slot = key & self.mask
        for _probe in range(PROBES):
            held = load64(&self.nodes[slot].key)
            if held == key:
                return &self.nodes[slot]
            if held == 0:
                return NULL
            slot = (slot + 1) & self.mask
        return NULL

    cdef Node *find_or_add(self, uint64_t key, bint *added) noexcept nogil:
        """The node of a key, made if there is none and room for it; NULL where there is no room."""
        cdef uint64_t slot, held
        cdef int _probe
        added[0] = False
        key |= key == 0
        slot = key & self.mask
        for _probe in range(PROBES):
            held = load64(&self.nodes[slot].key)
            if held == 0:
                if self.node_count >= self.node_capacity:
                    self.full = True
                    return NULL
                if not self.shared:
                    self.nodes[slot].key = key
                    self.node_count += 1
                    added[0] = True
                    return &self.nodes[slot]
                if claim64(&self.nodes[slot].key, key):
                    add64(&self.node_count, 1)
                    added[0] = True
                    return &self.nodes[slot]
                held = load64(&self.nodes[slot].key)
            if held == key:
                return &self.nodes[slot]
            slot = (slot + 1) & self.mask
        self.full = True
        return NULL

    cdef void *allocate(self, uint64_t bytes, uint32_t *where) noexcept nogil:
        """Zeroed room for edges, or NULL where the arena is used up."""
        cdef uint64_t units = (bytes + 7) // 8
        cdef uint64_t place
        if self.arena_used + units > self.arena_size:
            self.full = True
            return NULL
        if self.shared:
            place = add64(&self.arena_used, units)
        else:
            place = self.arena_used
            self.arena_used += units
        if place + units > self.arena_size or place > <uint64_t>0xFFFFFFFF:
            self.full = True
            return NULL
        where[0] = <uint32_t>place
        return &self.arena[place]
