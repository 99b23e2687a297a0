"""`Game` and `State`: the contract of `rules.pxd` as Python sees it.

A game's own file subclasses `Game`, fills `loaded` and defines `fields` and `build`; everything else is here, once.
Legality is checked at this boundary: an illegal action or outcome is a `ValueError` and changes nothing.
"""
import hashlib
import json
from functools import lru_cache
from operator import index
from types import MappingProxyType
from zlib import crc32

import numpy as np

from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from garden_core.rng cimport Rng, seed_rng
from garden_core.rules cimport ALL, CHANCE, CHECKS, MAX_PLAYERS, PUBLIC, TERMINAL, apply_node, win_shares

cimport cython


cdef class Game:
    """A loaded game: rules, players, options and components. Immutable, and shared by its states and by threads.

    A subclass calls this constructor, then fills `loaded` (the compiled side of the contract).
    """

    def __init__(self, name, players, options, components_data, component_names, layout_version, loader):
        self.name = name
        self.players = players
        self.options = MappingProxyType(dict(options))
        self.components_data = components_data
        self.component_names = tuple(component_names)
        self.layout_version = layout_version
        self.loader = loader
        self.digest = digest_of(components_data)

    def __reduce__(self):
        return _load_again, (self.loader, self.players, dict(self.options), self.components_data)

    def __eq__(self, other):
        if not isinstance(other, Game):
            return NotImplemented
        return self._identity() == (<Game>other)._identity()

    def __hash__(self):
        return hash(self._identity())

    def _identity(self):
        return (self.name, self.players, tuple(sorted(self.options.items(), key=lambda item: item[0])), self.digest)

    def __repr__(self):
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"<{self.name}, {self.players} players{options}>"

    @property
    def state_size(self):
        """Bytes of one state."""
        return self.loaded.state_size

    @property
    def max_actions(self):
        """No state has more legal actions."""
        return self.loaded.max_actions

    @property
    def max_outcomes(self):
        """No chance event that can be listed has more outcomes."""
        return self.loaded.max_outcomes

    @property
    def max_nodes(self):
        """The longest game, in applied actions and chance outcomes."""
        return self.loaded.max_nodes

    @property
    def hidden(self):
        """Whether some player ever knows what another does not."""
        return bool(self.loaded.hidden)

    @property
    def utility_bounds(self):
        return self.loaded.utility_low, self.loaded.utility_high

    @property
    def score_bounds(self):
        """Lowest and highest score possible, in points."""
        return self.loaded.score_low, self.loaded.score_high

    cdef State new_state(self):
        """A zeroed state."""
        if self.loaded.rules.actor == NULL:
            raise TypeError("this game is not loaded")
        return make_state(self, NULL)

    cdef int check(self, State state) except -1:
        """Raises `ValueError` unless the state is one of this game."""
        if state.game is not self and state.game != self:
            raise ValueError(f"expected a state of {self!r}; got one of {state.game!r}")
        return 0

    def start(self, seed=None):
        """A new `State`: drawn up to the first decision with `seed`, with chance left open without one."""
        cdef State state = self.new_state()
        cdef Rng rng
        self.loaded.rules.start(self.loaded.tables, state.data)
        if seed is not None:
            seed_rng(&rng, seed_of(seed))
            while self.loaded.rules.actor(self.loaded.tables, state.data) == CHANCE:
                apply_node(&self.loaded, state.data, self.loaded.rules.draw(self.loaded.tables, state.data, &rng))
        return state

    def fields(self, State state not None, int observer=ALL):
        """What `observer` (a seat, PUBLIC or ALL) can see of a state, as plain dicts, lists, strings and numbers."""
        raise NotImplementedError

    def build(self, fields):
        """The `State` that such fields describe; what is hidden is filled with one consistent deal.

        Raises `FieldError` where they are malformed or contradict each other.
        """
        raise NotImplementedError


def digest_of(data) -> str:
    """A short digest of plain data: 16 hexadecimal digits of SHA-256 over canonical JSON."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def seed_of(seed) -> int:
    """Any whole number as a 64-bit seed."""
    try:
        return int(seed.__index__()) & 0xFFFFFFFFFFFFFFFF
    except AttributeError:
        raise TypeError(f"seed must be a whole number, not {type(seed).__name__}") from None


@lru_cache(maxsize=256)
def _made_once(make, players, options, components_json):
    return make(players, dict(options), json.loads(components_json))


def made_once(make, players, options, components):
    """The game that `make(players, options, components)` makes; the same arguments give the same object."""
    return _made_once(make, players, tuple(options.items()), json.dumps(components))


def _load_again(loader, players, options, components_data):
    return loader(players, options, components_data)


def _restore(Game game not None, layout_version, digest, data, checksum):
    if layout_version != game.layout_version or digest != game.digest or len(data) != game.loaded.state_size:
        raise ValueError(
            f"this state of {game.name} was pickled with layout {layout_version} and components {digest}; "
            f"expected layout {game.layout_version} and components {game.digest}")
    if crc32(data) != checksum:
        raise ValueError(f"this pickled state of {game.name} is damaged: its checksum does not agree")
    cdef State state = game.new_state()
    cdef const unsigned char[::1] source = data
    memcpy(state.data, &source[0], game.loaded.state_size)
    return state


cdef bint making = False   # a State can only be made here: one without memory would crash


cdef State make_state(Game game, const void *source):
    """A state with a copy of `source`, or zeroed where that is NULL."""
    global making
    making = True
    cdef State state = State.__new__(State)
    state.game = game
    if source == NULL:
        state.data = calloc(1, game.loaded.state_size)
    else:
        state.data = malloc(game.loaded.state_size)
    if state.data == NULL:
        raise MemoryError
    if source != NULL:
        memcpy(state.data, source, game.loaded.state_size)
    return state


@cython.freelist(64)
cdef class State:
    """A position of a game, complete with what is hidden. Made by `Game.start`, `Game.build`, `copy` or `redeal`."""

    def __cinit__(self):
        global making
        if not making:
            raise TypeError("a State is made by Game.start() or Game.build()")
        making = False

    def __dealloc__(self):
        free(self.data)

    # Who moves, and how

    @property
    def actor(self):
        """The seat to move, 0..players-1; CHANCE (-1) or TERMINAL (-2)."""
        return self.game.loaded.rules.actor(self.game.loaded.tables, self.data)

    @property
    def simultaneous(self):
        """Whether the actor's choice belongs to an open simultaneous phase."""
        return bool(self.game.loaded.rules.simultaneous(self.game.loaded.tables, self.data))

    def legal_actions(self):
        """The actor's actions, distinct and sorted: an int32 array of shape [n]; empty at CHANCE and TERMINAL."""
        cdef int32_t[::1] buffer
        out = np.empty(self.game.loaded.max_actions, dtype=np.int32)
        buffer = out
        cdef int n = self.game.loaded.rules.actions(self.game.loaded.tables, self.data, &buffer[0])
        return out[:n]

    def is_legal(self, action):
        """Whether the actor may take this action or, at CHANCE, whether the outcome is possible."""
        cdef int32_t value
        try:
            value = index(action)
        except (OverflowError, TypeError):
            return False
        return bool(self.game.loaded.rules.is_legal(self.game.loaded.tables, self.data, value))

    def apply(self, action):
        """Applies an action of the actor or an outcome of chance. Raises `ValueError` where it is illegal."""
        if not self.is_legal(action):
            raise ValueError(self._illegal(action))
        self.game.loaded.rules.apply(self.game.loaded.tables, self.data, <int32_t>action)

    def _illegal(self, action):
        actor = self.actor
        if actor == TERMINAL:
            return f"illegal action {action}: the game is over"
        if actor == CHANCE:
            return f"illegal outcome {action}: not possible at this chance event"
        legal = self.legal_actions().tolist()
        shown = ", ".join(map(str, legal[:8])) + (", ..." if len(legal) > 8 else "")
        return f"illegal action {action}: player {actor} has {len(legal)} legal actions: {shown}"

    # Chance

    def outcomes(self):
        """The outcomes of the chance event to come and their probabilities: arrays int32 [n] and float64 [n].

        Both are empty where chance is not to move; None where the outcomes are too many to list.
        """
        cdef int32_t[::1] ids
        cdef double[::1] probabilities
        out = np.empty(self.game.loaded.max_outcomes, dtype=np.int32)
        probability = np.empty(self.game.loaded.max_outcomes, dtype=np.float64)
        ids = out
        probabilities = probability
        cdef int n = self.game.loaded.rules.outcomes(
            self.game.loaded.tables, self.data, &ids[0], &probabilities[0])
        return None if n < 0 else (out[:n], probability[:n])

    def draw(self, seed):
        """Draws and applies one chance outcome, and returns it. Raises `ValueError` where chance is not to move."""
        cdef Rng rng
        if self.actor != CHANCE:
            raise ValueError(f"draw: chance is not to move (the actor is {self.actor})")
        seed_rng(&rng, seed_of(seed))
        cdef int32_t outcome = self.game.loaded.rules.draw(self.game.loaded.tables, self.data, &rng)
        apply_node(&self.game.loaded, self.data, outcome)
        return outcome

    # Knowledge

    def withdraw(self):
        """Takes back every choice of an open simultaneous phase; elsewhere it changes nothing."""
        self.game.loaded.rules.withdraw(self.game.loaded.tables, self.data)

    def redeal(self, observer, seed):
        """A new state that agrees with all that `observer` (a seat or PUBLIC) can see, sampled with `seed`.

        Its `log_weight` says how likely the visible choices of others make it, where they tell something.
        """
        cdef State state = self.copy()
        cdef Rng rng
        seed_rng(&rng, seed_of(seed))
        cdef int who = self._observer(observer, PUBLIC)
        state.log_weight = self.game.loaded.rules.redeal(self.game.loaded.tables, state.data, who, &rng)
        return state

    def view(self, observer):
        """What `observer` (a seat, PUBLIC or ALL) can see: the fields of a position, as plain data."""
        return self.game.fields(self, self._observer(observer, ALL))

    def key(self, observer=ALL, grain=0):
        """A 64-bit hash of all that `observer` (a seat, PUBLIC or ALL) knows; `grain` > 0 merges details of chance."""
        return self.game.loaded.rules.key(self.game.loaded.tables, self.data, self._observer(observer, ALL), grain)

    def _observer(self, observer, lowest):
        try:
            observer = index(observer)
        except TypeError:
            raise TypeError(f"observer must be a whole number, not {type(observer).__name__}") from None
        if not lowest <= observer < self.game.players:
            raise ValueError(f"observer {observer}: expected a seat 0..{self.game.players - 1}, "
                             f"PUBLIC ({PUBLIC})" + (f" or ALL ({ALL})" if lowest == ALL else ""))
        return observer

    # Points

    def scores(self):
        """Points so far: a list, a float each player."""
        cdef double out[MAX_PLAYERS]
        self.game.loaded.rules.scores(self.game.loaded.tables, self.data, out)
        return [out[player] for player in range(self.game.players)]

    def components(self):
        """Points so far by component: a dict each player, name -> points; they sum to `scores()`."""
        cdef int count = self.game.loaded.component_count
        out = np.zeros((self.game.players, count), dtype=np.float64)
        cdef double[:, ::1] buffer = out
        self.game.loaded.rules.components(self.game.loaded.tables, self.data, &buffer[0, 0])
        return [dict(zip(self.game.component_names, row, strict=True)) for row in out.tolist()]

    def placing(self):
        """Places by the points so far, tie-breaks applied: 1 is the best, ties share a place."""
        cdef int32_t out[MAX_PLAYERS]
        self.game.loaded.rules.placing(self.game.loaded.tables, self.data, out)
        return [out[player] for player in range(self.game.players)]

    def wins(self):
        """Each player's share of the first place by the points so far."""
        cdef int32_t places[MAX_PLAYERS]
        cdef double out[MAX_PLAYERS]
        self.game.loaded.rules.placing(self.game.loaded.tables, self.data, places)
        win_shares(self.game.players, places, out)
        return [out[player] for player in range(self.game.players)]

    def utilities(self):
        """Each player's utility in [0, 1]. Raises `ValueError` before the end."""
        cdef double out[MAX_PLAYERS]
        if self.actor != TERMINAL:
            raise ValueError("utilities: the game is not over")
        self.game.loaded.rules.utilities(self.game.loaded.tables, self.data, out)
        return [out[player] for player in range(self.game.players)]

    def evaluate(self):
        """An estimate of the end: (utilities, scores), a list each, a float each player."""
        cdef double utility[MAX_PLAYERS]
        cdef double score[MAX_PLAYERS]
        self.game.loaded.rules.evaluate(self.game.loaded.tables, self.data, utility, score)
        return ([utility[player] for player in range(self.game.players)],
                [score[player] for player in range(self.game.players)])

    # Advice of the game itself

    def priors(self):
        """A probability for each of `legal_actions()`: a float32 array of shape [n]."""
        actions = self.legal_actions()
        out = np.empty(len(actions), dtype=np.float32)
        cdef int32_t[::1] ids
        cdef float[::1] buffer
        if len(actions):
            ids = actions
            buffer = out
            self.game.loaded.rules.priors(self.game.loaded.tables, self.data, len(actions), &ids[0], &buffer[0])
        return out

    def policy_action(self, seed):
        """The action that the game's own playout policy draws. Raises `ValueError` where nobody is to move."""
        return self._choose(seed, True)

    def random_action(self, seed):
        """A uniformly random legal action. Raises `ValueError` where nobody is to move."""
        return self._choose(seed, False)

    cdef _choose(self, seed, bint policy):
        cdef Rng rng
        if self.actor < 0:
            raise ValueError(f"no player is to move (the actor is {self.actor})")
        seed_rng(&rng, seed_of(seed))
        if policy:
            return self.game.loaded.rules.policy_action(self.game.loaded.tables, self.data, &rng)
        return self.game.loaded.rules.random_action(self.game.loaded.tables, self.data, &rng)

    def canonical(self, action):
        """The representative of the actions that are mirror-equal to this legal one."""
        if not self.is_legal(action):
            raise ValueError(self._illegal(action))
        if self.game.loaded.rules.canonical == NULL:
            return action
        return self.game.loaded.rules.canonical(self.game.loaded.tables, self.data, <int32_t>action)

    # Copies

    def copy(self):
        """An independent copy."""
        return make_state(self.game, self.data)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def to_bytes(self):
        """The state's bytes, `Game.state_size` of them."""
        return (<char *>self.data)[:self.game.loaded.state_size]

    def __reduce__(self):
        data = self.to_bytes()
        return _restore, (self.game, self.game.layout_version, self.game.digest, data, crc32(data))

    def __eq__(self, other):
        """Whether both are the same position of the same game: `key(ALL)` agrees."""
        if not isinstance(other, State):
            return NotImplemented
        return self.game == (<State>other).game and self.key() == other.key()

    def __hash__(self):
        return hash((self.game, self.key()))

    def __repr__(self):
        actor = {CHANCE: "chance to move", TERMINAL: "over"}.get(self.actor, f"player {self.actor} to move")
        return f"<state of {self.game.name}, {actor}, key {self.key():016x}>"


def debug_build() -> bool:
    """Whether legality is checked at every node (a debug or sanitizer build)."""
    return bool(CHECKS)
