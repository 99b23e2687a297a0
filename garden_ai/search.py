"""The engines as Python sees them: their settings, and `analyse`, which runs one and puts its answer into words.

The searches themselves are in `garden_core.search`; nothing here knows a particular game.
"""

from __future__ import annotations

import math
import random
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, NamedTuple, overload

from garden_core.fields import FieldError, shown
from garden_core.search import greedy, halving
from garden_core.search.control import Control
from garden_core.search.expectimax import Expectimax
from garden_core.search.halving import mean_components
from garden_core.search.mcts import SELECTIONS, Mcts
from garden_core.search.root import RootTable
from garden_core.state import State

from garden_ai.analysis import Analysis, Move, interval
from garden_ai.games import GameDefinition, definition
from garden_ai.lines import written
from garden_ai.odds import IDENTITY, Correction, correction_for
from garden_ai.reasons import reason

DEFAULT_ENGINE = "mcts"
DEFAULT_SECONDS = 1.0
MOST_THREADS = 256
LINES = 32  # moves whose principal variations are kept and carried on
LINE = 13   # moves of one at most


@dataclass(frozen=True)
class RandomSettings:
    """Plays any legal move, all equally likely."""


@dataclass(frozen=True)
class GreedySettings:
    """One ply of the game's own estimate."""


@dataclass(frozen=True)
class HalvingSettings:
    """Flat Monte Carlo with sequential halving; playouts by the game's policy, or random ones."""

    playouts: str = "policy"

    def __post_init__(self) -> None:
        _one_of("playouts", self.playouts, ("policy", "random"))


@dataclass(frozen=True)
class MctsSettings:
    """Monte Carlo tree search over information sets; docs/search.md explains each setting.

    `selection`: puct or ucb1, with regret matching in simultaneous phases; regret everywhere; puct-only nowhere.
    `cutoff`: nodes of a playout before it is estimated; -1 to the end, 0 no playout. `memory` in MiB. `move_averages`: an
    unvisited move counts as what it brought elsewhere in the tree. `transpositions`: what is reached by different orders of moves
    shares a node. `threshold`: where regret matching mixes, moves less frequent
    than this share of the most frequent one are never played.
    """

    selection: str = "puct"
    constant: float = 1.5
    first_play: float = 0.0
    widening: float = 0.0
    widening_power: float = 0.5
    priors: bool = True
    playouts: str = "policy"
    cutoff: int = -1
    grain: int = 0
    public_share: float = 0.5
    deals: int = 8
    memory: int = 256
    move_averages: bool = False
    transpositions: bool = True
    threshold: float = 0.0

    def __post_init__(self) -> None:
        _one_of("selection", self.selection, tuple(SELECTIONS))
        _one_of("playouts", self.playouts, ("policy", "random"))
        for name, low, high in (
            ("constant", 0, 1000), ("first_play", -10, 10), ("widening", 0, 1e6), ("widening_power", 0, 1),
            ("public_share", 0, 1), ("threshold", 0, 1),
        ):
            _number(name, getattr(self, name), low, high)
        for name, low, high in (("cutoff", -1, 10**6), ("grain", 0, 100), ("deals", 1, 10**4), ("memory", 1, 2**20)):
            _whole(name, getattr(self, name), low, high)


@dataclass(frozen=True)
class ExpectimaxSettings:
    """Every move and chance outcome to a depth, deepened until the time is up. `memory` in MiB; `depth` at most."""

    depth: int = 1000
    star: int = 2
    samples: int = 16
    redeals: int = 8
    memory: int = 256

    def __post_init__(self) -> None:
        for name, low, high in (
            ("depth", 1, 10**6), ("star", 0, 2), ("samples", 1, 64), ("redeals", 1, 10**4), ("memory", 1, 2**20),
        ):
            _whole(name, getattr(self, name), low, high)


Settings = RandomSettings | GreedySettings | HalvingSettings | MctsSettings | ExpectimaxSettings
ENGINES: dict[str, type[Settings]] = {
    "random": RandomSettings,
    "greedy": GreedySettings,
    "halving": HalvingSettings,
    "mcts": MctsSettings,
    "expectimax": ExpectimaxSettings,
}


@dataclass(frozen=True)
class Answer:
    """What a search in `garden_core` found, before it is put into words."""

    table: RootTable
    order: list[int]
    probability: list[float]
    simulations: int
    nodes: int
    depth: int
    estimates: bool
    seed: int = 0  # of the deal in which lines are walked
    solved: bool = False
    lines: Mapping[int, list[int]] = field(default_factory=dict)  # of actions, by place in the table
    notes: tuple[str, ...] = ()
    threshold: float = 0.0


def _one_of(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise FieldError(name, f"expected one of {', '.join(choices)}; got {shown(value)}")


def _number(name: str, value: object, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise FieldError(name, f"expected a number {low}..{high}; got {shown(value)}")


def _whole(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise FieldError(name, f"expected a whole number {low}..{high}; got {shown(value)}")


def make_settings(engine: str, values: Mapping[str, Any]) -> Settings:
    """The settings of an engine. Raises `FieldError` where the engine or a setting is unknown or a value is wrong."""
    if engine not in ENGINES:
        raise FieldError("engine", f"expected one of {', '.join(ENGINES)}; got {shown(engine)}")
    kind = ENGINES[engine]
    known = [setting.name for setting in fields(kind)]
    for name in values:
        if name not in known:
            raise FieldError(name, f"unknown setting; {engine} has {', '.join(known) or 'none'}")
    return kind(**values)


def changed_settings(settings: Settings) -> dict[str, Any]:
    """Those that differ from the engine's defaults."""
    return {part.name: value for part in fields(settings) if (value := getattr(settings, part.name)) != part.default}


def tuned_settings(state: State, engine: str) -> Mapping[str, Any]:
    """The settings of an engine that the state's game has found better than their defaults."""
    return definition(state.game.name).tuned.get(state.game.players, {}).get(engine, {})


def analyse(
    position: State | dict[str, Any],
    engine: str = DEFAULT_ENGINE,
    *,
    seconds: float | None = None,
    simulations: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    control: Control | None = None,
    **settings: Any,
) -> Analysis:
    """Searches the decision of a state, or of a position as read from JSON, and answers with its ranked moves.

    `seconds` and `simulations` limit the search (one second without either); `control`, made by the caller instead, lets
    another thread stop it. Settings that are not given are those tuned for the game, or the engine's defaults. Ctrl-C ends
    it with the best so far. The same seed, simulations and one thread give the same answer. Raises `FieldError` where
    nobody is to move or a setting is wrong.
    """
    state = _state_of(position).copy()  # whoever has the other one may go on playing meanwhile
    chosen = make_settings(engine, {**tuned_settings(state, engine), **settings})
    if state.actor < 0:
        who = "chance is to move" if state.actor == -1 else "the game is over"
        raise FieldError("to_move", f"expected a player to move; {who}")
    limits = control or make_control(seconds, simulations)
    if not 1 <= threads <= MOST_THREADS:
        raise FieldError("threads", f"expected a whole number 1..{MOST_THREADS}; got {shown(threads)}")
    seed = random.getrandbits(64) if seed is None else seed
    with _stopped_by_ctrl_c(limits):
        answer = _run(state, chosen, limits, seed, threads)
    notes = answer.notes + (("interrupted",) if limits.interrupted else ())
    correction = correction_for(state.game, engine, changed_settings(chosen), answer.simulations)
    moves = RankedMoves(state, answer, correction)
    return Analysis(
        game=state.game.name,
        to_move=state.actor,
        engine=engine,
        simulations=answer.simulations,
        nodes=answer.nodes,
        seconds=limits.seconds,
        depth=answer.depth,
        solved=answer.solved,
        calibrated=answer.solved or correction is not None,
        moves=moves,
        actions=moves.actions,
        probabilities=tuple(answer.probability),
        visits=moves.visits,
        utilities=moves.utilities,
        threshold=answer.threshold,
        notes=notes,
    )


@contextmanager
def _stopped_by_ctrl_c(control: Control) -> Iterator[None]:
    """While the search runs, Ctrl-C stops it and raises nothing; where the program handles Ctrl-C itself, it goes on to."""
    usual = threading.current_thread() is threading.main_thread() and (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if not usual:
        yield
        return
    signal.signal(signal.SIGINT, control.interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def make_control(seconds: float | None, simulations: int | None) -> Control:
    """The limits of a search; `DEFAULT_SECONDS` without any. Raises `FieldError`."""
    if seconds is not None and not (isinstance(seconds, (int, float)) and 0 < seconds < math.inf):
        raise FieldError("seconds", f"expected a number above 0; got {shown(seconds)}")
    if simulations is not None and not (
        isinstance(simulations, int) and not isinstance(simulations, bool) and 1 <= simulations < 2**62
    ):
        raise FieldError("simulations", f"expected a whole number above 0; got {shown(simulations)}")
    return Control(simulations, DEFAULT_SECONDS if seconds is None and simulations is None else seconds)


def _state_of(position: State | dict[str, Any]) -> State:
    from garden_ai.position import state_of  # here, since whoever has a State needs no reader of files

    if not isinstance(position, (State, dict)):
        raise FieldError("position", f"expected a State or a position in plain data; got {shown(position)}")
    return state_of(position) if isinstance(position, dict) else position


def _run(state: State, settings: Settings, control: Control, seed: int, threads: int) -> Answer:
    table = RootTable(state)
    if isinstance(settings, RandomSettings):
        return Answer(table, list(range(len(table))), [1 / len(table)] * len(table), 0, 0, 0, estimates=False)
    if len(table) == 1 or isinstance(settings, GreedySettings):
        return _run_greedy(state, seed)
    if isinstance(settings, MctsSettings):
        return _run_mcts(state, settings, control, seed, threads)
    if isinstance(settings, ExpectimaxSettings):
        return _run_expectimax(state, settings, control, seed)
    table, order, nodes, playouts = halving.search(state, control, seed, settings.playouts == "policy", threads)
    return Answer(table, order, _certain(len(table)), playouts, nodes, 1, estimates=True, seed=seed)


def _run_greedy(state: State, seed: int) -> Answer:
    """Also the answer of every other engine where a move is forced."""
    table, nodes = greedy.search(state, seed)
    forced = ("forced",) if len(table) == 1 else ()
    return Answer(table, _by_utility(table), _certain(len(table)), 0, nodes, 1, estimates=True, seed=seed, notes=forced)


def grown(state: State, settings: MctsSettings, control: Control, seed: int, threads: int = 1) -> Mcts:
    """The search that has grown its tree, before anything is read from it."""
    values = {name: value for name, value in vars(settings).items() if name != "threshold"} | {"memory": settings.memory << 20}
    search = Mcts(state, simulations=control.simulations, **values)
    search.run(control, seed, threads)
    return search


def _run_mcts(state: State, settings: MctsSettings, control: Control, seed: int, threads: int) -> Answer:
    search = grown(state, settings, control, seed, threads)
    table = search.table
    ids = table.actions().tolist()
    places = {action: i for i, action in enumerate(ids)}
    found = search.strategy(state)
    if found is None:  # stopped before the root was grown
        order, shares = _by_utility(table), _certain(len(table))
    else:
        actions, shares, _ = found
        order = [places[action] for action in actions]
        if not search.mixes(state):
            shares = _certain(len(order))
    return Answer(
        table, order, shares, search.simulations, search.nodes, search.depth, estimates=True,
        seed=seed, lines={i: _line(search, state, ids[i], seed) for i in order[:LINES]},
        notes=("table full",) if search.tree.full else (), threshold=settings.threshold,
    )


def _line(search: Mcts, state: State, action: int, seed: int) -> list[int]:
    """The tree's line after a move, in the deal in which `written` walks it."""
    if state.simultaneous:
        return [action]
    return search.line(state.redeal(state.actor, seed), LINE, action)


def _run_expectimax(state: State, settings: ExpectimaxSettings, control: Control, seed: int) -> Answer:
    search = Expectimax(
        state, memory=settings.memory << 20, star=settings.star, samples=settings.samples, redeals=settings.redeals
    )
    order = search.run(control, seed, settings.depth)
    return Answer(
        search.table, order, _certain(len(order)), 0, search.nodes, search.depth, estimates=True, seed=seed,
        solved=search.solved, notes=("table full",) if search.full else (),
    )


def _certain(n: int) -> list[float]:
    """Probabilities, in the order of rank, of an engine that always plays the best."""
    return [1.0] + [0.0] * (n - 1)


def _by_utility(table: RootTable) -> list[int]:
    means = table.utilities()[0]
    return sorted(range(len(table)), key=lambda i: -means[i])


SPLIT = 10            # moves of which an estimated score is split into components
SPLIT_PLAYOUTS = 400  # after each


class _Figures(NamedTuple):
    """What a table holds, by place in it."""

    visits: list[int]
    utility: list[float]
    utility_error: list[float]
    win: list[float]
    win_error: list[float]
    scores: list[list[float]]
    components: list[list[float]]  # of the player to move


class RankedMoves(Sequence[Move]):
    """The moves of an answer, the best first, each put into words when it is asked for: a decision may have hundreds."""

    def __init__(self, state: State, answer: Answer, correction: Correction | None = None) -> None:
        self._state = state
        self._correction = correction or IDENTITY
        self._game = definition(state.game.name)
        self._answer = answer
        self._actions: list[int] = answer.table.actions().tolist()
        self._made: dict[int, Move] = {}
        self._told: dict[int, Move] = {}

    @cached_property
    def _figures(self) -> _Figures:
        """Of all moves; whoever only plays never asks."""
        table = self._answer.table
        utility, utility_error = (column.tolist() for column in table.utilities())
        win, win_error = (column.tolist() for column in table.wins())
        components = table.components()[:, table.player].tolist()
        return _Figures(
            table.visits().tolist(), utility, utility_error, win, win_error, table.scores().tolist(), components
        )

    def __len__(self) -> int:
        return len(self._answer.order)

    @overload
    def __getitem__(self, rank: int) -> Move: ...
    @overload
    def __getitem__(self, rank: slice) -> tuple[Move, ...]: ...
    def __getitem__(self, rank: int | slice) -> Move | tuple[Move, ...]:
        if isinstance(rank, slice):
            return tuple(self[i] for i in range(*rank.indices(len(self))))
        if not -len(self) <= rank < len(self):
            raise IndexError(f"move {rank} of {len(self)}")
        return self._with_reason(rank % len(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RankedMoves) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self._answer.order))

    def __repr__(self) -> str:
        return repr(tuple(self))

    @property
    def actions(self) -> tuple[int, ...]:
        """Their ids, without a word about them."""
        return tuple(self._actions[i] for i in self._answer.order)

    @property
    def visits(self) -> tuple[int, ...]:
        """In the same order, likewise."""
        visits = self._answer.table.visits().tolist()
        return tuple(visits[i] for i in self._answer.order)

    @property
    def utilities(self) -> tuple[float, ...]:
        """In the same order, likewise."""
        means = self._answer.table.utilities()[0].tolist()
        return tuple(means[i] for i in self._answer.order)

    @property
    def raw_wins(self) -> tuple[float, ...]:
        """In the same order, likewise: chances of finishing first as the search counted them, before any correction."""
        wins = self._answer.table.wins()[0].tolist()
        return tuple(wins[i] for i in self._answer.order)

    def outlined(self, count: int) -> list[tuple[int, int, float | None]]:
        """Action, visits and utility of the first moves: without the playouts that may split a score, which take far longer."""
        figures, known = self._figures, self._answer.estimates
        return [
            (self._actions[i], figures.visits[i], figures.utility[i] if known and figures.visits[i] > 0 else None)
            for i in self._answer.order[:count]
        ]

    def _with_reason(self, rank: int) -> Move:
        if rank not in self._told:
            move = self._numbers(rank)
            if self._answer.estimates:
                other = self._numbers(0 if rank else 1) if len(self) > 1 else None
                happened = _events(self._game, self._state, move.action)
                told = reason(move, other, rank == 0, lambda name: self._game.phrases(self._state.game, name), happened)
                move = replace(move, reason=told)
            self._told[rank] = move
        return self._told[rank]

    def _numbers(self, rank: int) -> Move:
        if rank not in self._made:
            self._made[rank] = self._make(rank, self._answer.order[rank])
        return self._made[rank]

    def _make(self, rank: int, i: int) -> Move:
        answer, notation, action = self._answer, self._game.notation, self._actions[i]
        to_turns_end = answer.estimates and rank < LINES
        line, line_players = written(self._state, answer.lines.get(i, [action]), answer.seed, to_turns_end)
        figures = self._figures
        visits, win = figures.visits[i], figures.win[i]
        win_interval = interval(win, figures.win_error[i], visits)
        known = answer.estimates and visits > 0
        components = figures.components[i] if known else None
        if components is not None and any(map(math.isnan, components)):
            components = self._split(i, figures.scores[i][answer.table.player]) if rank < SPLIT else None
        return Move(
            action=action,
            move=notation.format(self._state, action),
            visits=visits,
            probability=answer.probability[rank],
            utility=figures.utility[i] if known else None,
            utility_error=figures.utility_error[i] if known else None,
            win=self._corrected(win) if known else None,
            win_interval=(self._corrected(win_interval[0]), self._corrected(win_interval[1])) if known and win_interval else None,
            scores=tuple(figures.scores[i]) if known else None,
            components=dict(zip(self._state.game.component_names, components, strict=True)) if components is not None else None,
            line=line,
            line_players=line_players,
        )

    def _corrected(self, win: float) -> float:
        return self._correction(win, self._state.game.players, self._answer.simulations)

    def _split(self, i: int, score: float) -> list[float] | None:
        """An estimated score by component, where no simulation reached the end: what is to come as playouts by policy share it.

        None where they bring nothing that could be shared.
        """
        here = list(self._state.components()[self._answer.table.player].values())
        ends = mean_components(self._state, i, SPLIT_PLAYOUTS, self._answer.seed).tolist()
        coming = sum(ends) - sum(here)
        if coming <= 0:
            return None
        factor = (score - sum(here)) / coming
        return [now + factor * (end - now) for now, end in zip(here, ends, strict=True)]


def _events(game: GameDefinition, state: State, action: int) -> tuple[str, ...]:
    """What the mover sees happen when he moves so."""
    mover = state.actor
    # in a simultaneous phase not what the others have really chosen, which the last to choose would see
    after = state.redeal(mover, 0) if state.simultaneous else state.copy()
    after.apply(action)
    return game.events(state.game, state.view(mover), after.view(mover), mover)
