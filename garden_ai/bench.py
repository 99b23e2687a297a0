"""Speed, row by row, and the signature: what `garden-ai bench` prints and `benchmarks/` holds.

A row is named `what/game/players`. Its figures are medians of several runs, and beside each that varies lies its spread, the
quartiles: the middle half of the runs, which one run that was disturbed does not move. The signature is a number made from
searches with fixed seeds: it changes exactly when play changes, and every build of one version gives the same.
"""

from __future__ import annotations

import resource
import statistics
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from garden_core import measure
from garden_core.fields import FieldError
from garden_core.search.control import Control
from garden_core.search.root import RootTable
from garden_core.state import Game, State

from garden_ai.analysis import Analysis
from garden_ai.games import definition, names
from garden_ai.loading import load
from garden_ai.search import MctsSettings, RankedMoves, analyse, grown, make_settings, tuned_settings
from garden_ai.yardstick import GAMES, RANDOM_MCTS, Work, compare, mcts_rate, playout_rate

RUNS = 7
RUN_SECONDS = 0.1
SIMULATIONS = 20_000          # of a tree search
HALVING_SIMULATIONS = 2_000   # without a tree their number changes no rate
EXPECTIMAX_NODES = 100_000
SIGNATURE_SIMULATIONS = 1000
SIGNATURE_SEEDS = (1, 2, 3)
SIGNED_MOVES = 32  # whose figures enter it; of the rest, only their order
SPREAD = "_spread"

Figures = dict[str, float]
Sample = Callable[[int], Figures]    # one run, told its number, from 0
Prepare = Callable[[float], Sample]  # makes ready for runs of about so many seconds, where their length is free


@dataclass(frozen=True)
class Row:
    """One line of the bench: a name, and what measures its figures. Those of a row that is `exact` are the same in every run."""

    name: str
    prepare: Prepare
    exact: bool = False

    def measured(self, runs: int = RUNS, seconds: float = RUN_SECONDS) -> dict[str, Any]:
        """Medians and quartiles of the runs."""
        sample = self.prepare(seconds)
        return summary([sample(run) for run in range(1 if self.exact else runs)], self.exact)


def summary(samples: Sequence[Figures], exact: bool = False) -> dict[str, Any]:
    """The median of each figure, and `NAME_spread`, its quartiles, for rates and ratios of runs that are not `exact`."""
    result: dict[str, Any] = {}
    for name in samples[0]:
        values = [sample[name] for sample in samples]
        result[name] = _short(statistics.median(values))
        if not exact and (is_rate(name) or name.startswith("ratio")):
            result[name + SPREAD] = quartiles(values)
    return result


def quartiles(values: Sequence[float]) -> list[float]:
    """The first and the third: between them lies the middle half of the values."""
    low, _, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [*values] * 3
    return [_short(low), _short(high)]


def is_rate(name: str) -> bool:
    """Whether a figure of that name is work by the second, the more the better."""
    return "per_second" in name and not name.endswith(SPREAD)


def run(
    only: str | None = None,
    report: Callable[[dict[str, Any]], None] | None = None,
    yardstick: Path | None = None,
    *,
    root: State | None = None,
    runs: int = RUNS,
    seconds: float = RUN_SECONDS,
) -> dict[str, Any]:
    """Measures the rows whose name is or begins with `only` (all without it); `report` is told of each as it is done.

    `only="signature"` measures nothing. `root` is a position to measure in place of the games' first decisions. `yardstick` is
    a C program called after its game: playouts and searches of that game with random playouts are held against it in
    alternating pairs. Raises `FieldError` where no row has that name, `root` leaves no choice or the yardstick does not run.
    """
    results = []
    for row in chosen_rows(only, root):
        result = {"name": row.name, **row.measured(runs, seconds)}
        results.append(result)
        if report:
            report(result)
    if yardstick is not None:
        ratios = compare(yardstick, _held_against(yardstick.stem, [str(result["name"]) for result in results]))
        for result in results:
            if result["name"] in ratios:
                result |= summary([{"ratio_to_yardstick": ratio} for ratio in ratios[str(result["name"])].ratios])
    return {
        "signature": signature(), "runs": runs, "run_seconds": seconds, "peak_resident_bytes": peak_resident(), "results": results
    }


def chosen_rows(only: str | None = None, root: State | None = None) -> list[Row]:
    """The rows whose name is or begins with `only`; none for "signature". Raises `FieldError` where no row has that name."""
    if only == "signature":
        return []
    every = list(rows() if root is None else rows_of(root))
    chosen = [row for row in every if only is None or row.name == only or row.name.startswith(only.rstrip("/") + "/")]
    if not chosen:
        raise FieldError("row", f"expected 'signature' or the beginning of one of {', '.join(row.name for row in every)}")
    return chosen


def _held_against(game: str, chosen: Sequence[str]) -> Work:
    """What is measured beside the yardstick of a game, by the names of the rows it belongs to."""
    work: Work = {}
    for name in chosen:
        what, of, players = name.split("/")
        if of == game and what in ("playout", "mcts-random"):
            root = root_of(load(game, int(players)))
            rate = partial(playout_rate, root, GAMES) if what == "playout" else partial(mcts_rate, root, SIMULATIONS)
            work[name] = int(players), rate
    return work


def rows() -> Iterator[Row]:
    """Every row, for every game and number of players."""
    for name in names():
        for players in definition(name).players:
            yield from rows_of(root_of(load(name, players)))


def root_of(game: Game, seed: int = 1) -> State:
    """The first decision of a game that leaves a choice."""
    state = game.start(seed)
    while not leaves_a_choice(state):
        if state.actor >= 0:
            state.apply(state.random_action(seed))
        elif state.actor == -1:
            state.draw(seed)
        else:
            raise ValueError(f"{game.name}: no decision with two legal moves from seed {seed}")
    return state


def leaves_a_choice(state: State) -> bool:
    """Whether a player is to move and has at least two moves that are not mirror images: else a search has nothing to do."""
    return state.actor >= 0 and len(RootTable(state)) >= 2


def rows_of(root: State) -> Iterator[Row]:
    """The rows of one position. Raises `FieldError` where it leaves no choice: a forced move is answered without a search."""
    if not leaves_a_choice(root):
        raise FieldError("position", "expected a decision with at least two different moves; a forced one measures nothing")
    game, player = root.game, root.actor
    of = f"{game.name}/{game.players}"
    yield Row(f"playout/{of}", partial(_playouts, root, False))
    yield Row(f"policy-playout/{of}", partial(_playouts, root, True))
    yield Row(f"mcts/{of}", lambda _: partial(_search, root, "mcts", SIMULATIONS, {}))
    yield Row(f"mcts-random/{of}", lambda _: partial(_search, root, "mcts", SIMULATIONS, RANDOM_MCTS))
    yield Row(f"halving/{of}", lambda _: partial(_search, root, "halving", HALVING_SIMULATIONS, {}))
    yield Row(f"expectimax/{of}", lambda _: partial(_search, root, "expectimax", EXPECTIMAX_NODES, {}))
    yield Row(f"threads/{of}", partial(_threads, root))
    yield Row(f"copy/{of}", partial(_copies, root))
    yield Row(f"python-copy/{of}", partial(_loop, "copies_per_second", lambda n: [root.copy() for _ in range(n)]))
    yield Row(f"legal/{of}", partial(_loop, "lists_per_second", lambda n: measure.legal_moves(root, n)))
    yield Row(f"key/{of}", partial(_loop, "keys_per_second", lambda n: measure.keys(root, n, player)))
    yield Row(f"redeal/{of}", partial(_loop, "redeals_per_second", lambda n: measure.redeals(root, n, player, 1)))
    yield Row(f"memory/{of}", lambda _: lambda _run: _memory(root), exact=True)


def _playouts(root: State, policy: bool, seconds: float) -> Sample:
    count = _fitting(lambda n: measure.playouts(root, n, 1, policy), seconds)

    def sample(run: int) -> Figures:
        begun = time.perf_counter()
        nodes = measure.playouts(root, count, run + 1, policy)[0]
        elapsed = time.perf_counter() - begun
        return {"nodes_per_second": nodes / elapsed, "playouts_per_second": count / elapsed}

    return sample


def _search(root: State, engine: str, simulations: int, settings: dict[str, Any], run: int) -> Figures:
    answer = _whole(analyse(root, engine, simulations=simulations, seed=run + 1, **settings))
    figures = {"nodes_per_second": answer.nodes_per_second}
    if answer.simulations:
        figures["simulations_per_second"] = answer.simulations / answer.seconds
    return figures


def _threads(root: State, seconds: float) -> Sample:
    """The default search with one thread and with two, in turn; each for twice the time, since threads take some to start."""

    def search(count: int, threads: int = 1, run: int = 0) -> float:
        answer = _whole(analyse(root, "mcts", simulations=count, seed=run + 1, threads=threads))
        return answer.simulations / answer.seconds

    count = _fitting(search, 2 * seconds)

    def sample(run: int) -> Figures:
        rates = {threads: search(count, threads, run) for threads in ((1, 2) if run % 2 == 0 else (2, 1))}
        return {
            "simulations_per_second": rates[1],
            "simulations_per_second_with_2_threads": rates[2],
            "ratio_of_2_threads_to_1": rates[2] / rates[1],
        }

    return sample


def _whole(answer: Analysis) -> Analysis:
    """A search that Ctrl-C cut short is no measurement: here it ends the bench."""
    if "interrupted" in answer.notes:
        raise KeyboardInterrupt
    return answer


def _copies(root: State, seconds: float) -> Sample:
    """Copies through the contract beside a bare memcpy of the same size, in turn; ratio: time of the one by the other."""
    count = _fitting(lambda n: measure.copies(root, n), seconds)

    def sample(run: int) -> Figures:
        taken = {}
        for contract in (True, False) if run % 2 == 0 else (False, True):
            taken[contract] = _timed(measure.copies, root, count, contract)
        return {
            "copies_per_second": count / taken[True],
            "bytes": root.game.state_size,
            "ratio_to_memcpy": taken[True] / taken[False],
        }

    return sample


def _memory(root: State) -> Figures:
    """Bytes of a state, and of the tree that the default search has grown after `SIMULATIONS`."""
    settings = make_settings("mcts", tuned_settings(root, "mcts"))
    assert isinstance(settings, MctsSettings)
    search = grown(root, settings, Control(SIMULATIONS), seed=1)
    return {
        "state_bytes": root.game.state_size,
        "tree_bytes": search.tree.bytes_used,
        "tree_nodes": len(search.tree),
        "bytes_per_simulation": search.tree.bytes_used / search.simulations,
    }


def peak_resident() -> int:
    """The most memory, in bytes, that the process has ever had in use."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _loop(figure: str, work: Callable[[int], object], seconds: float) -> Sample:
    count = _fitting(work, seconds)
    return lambda _run: {figure: count / _timed(work, count)}


def _fitting(work: Callable[[int], object], seconds: float) -> int:
    """How many units of work take about so long."""
    count = 16
    while (taken := _timed(work, count)) < seconds / 4:
        count *= 4
    return max(1, int(count * seconds / taken))


def _timed(work: Callable[..., object], *arguments: object) -> float:
    begun = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - begun


SIGNED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("greedy", {}),
    ("halving", {}),
    ("halving", {"playouts": "random"}),
    ("mcts", {}),
    ("mcts", RANDOM_MCTS),
    ("expectimax", {"depth": 3}),
)


def signature() -> int:
    """A number from searches with fixed seeds over every game, number of players and engine."""
    crc = 0
    for name in names():
        for players in definition(name).players:
            for seed in SIGNATURE_SEEDS:
                root = root_of(load(name, players), seed)
                for engine, settings in SIGNED:
                    answer = _whole(analyse(root, engine, simulations=SIGNATURE_SIMULATIONS, seed=seed, **settings))
                    crc = zlib.crc32(_trace(answer).encode(), crc)
    return crc


def _trace(answer: Analysis) -> str:
    assert isinstance(answer.moves, RankedMoves)
    moves = ",".join(f"{action}:{visits}:{utility!r}" for action, visits, utility in answer.moves.outlined(SIGNED_MOVES))
    return f"{answer.game} {answer.nodes} {moves} {answer.actions}"


def _short(value: float) -> float:
    return round(value) if value >= 1000 else round(value, 3)
