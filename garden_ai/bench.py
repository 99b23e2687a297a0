"""Speed, row by row, and the signature: what `garden-ai bench` prints and `benchmarks/` holds.

A row is named `what/game/players`; its figures are medians of several runs. The signature is a number made from searches with
fixed seeds: it changes exactly when play changes, and every build of one version gives the same.
"""

from __future__ import annotations

import statistics
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from garden_core import measure
from garden_core.fields import FieldError
from garden_core.state import Game, State

from garden_ai.analysis import Analysis
from garden_ai.games import definition, names
from garden_ai.loading import load
from garden_ai.search import RankedMoves, analyse
from garden_ai.yardstick import GAMES, RANDOM_MCTS, Work, compare, mcts_rate, playout_rate

RUNS = 7
RUN_SECONDS = 0.1
SIMULATIONS = 20_000
SIGNATURE_SIMULATIONS = 1000
SIGNATURE_SEEDS = (1, 2, 3)
SIGNED_MOVES = 32  # whose figures enter it; of the rest, only their order


@dataclass(frozen=True)
class Row:
    """One line of the bench: a name, and what measures its figures."""

    name: str
    figures: Callable[[], dict[str, float]]


def run(
    only: str | None = None, report: Callable[[dict[str, Any]], None] | None = None, yardstick: Path | None = None
) -> dict[str, Any]:
    """Measures the rows whose name is or begins with `only` (all without it); `report` is told of each as it is done.

    `only="signature"` measures nothing. `yardstick` is a C program called after its game: playouts and searches of that
    game with random playouts are held against it in alternating pairs. Raises `FieldError` where no row has that name or
    the yardstick does not run.
    """
    chosen = [row for row in rows() if only is None or row.name == only or row.name.startswith(only.rstrip("/") + "/")]
    if not chosen and only != "signature":
        raise FieldError("row", f"expected 'signature' or the beginning of one of {', '.join(row.name for row in rows())}")
    results = []
    for row in chosen:
        result = {"name": row.name, **{name: _short(value) for name, value in row.figures().items()}}
        results.append(result)
        if report:
            report(result)
    if yardstick is not None:
        ratios = compare(yardstick, _held_against(yardstick.stem, [str(result["name"]) for result in results]))
        for result in results:
            if result["name"] in ratios:
                result["ratio_to_yardstick"] = _short(ratios[str(result["name"])].median)
    return {"signature": signature(), "results": results}


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
            game = load(name, players)
            yield from _rows_of(f"{name}/{players}", game, root_of(game))


def root_of(game: Game, seed: int = 1) -> State:
    """The first decision of a game with at least two legal moves."""
    state = game.start(seed)
    while len(state.legal_actions()) < 2:
        if state.actor >= 0:
            state.apply(state.random_action(seed))
        elif state.actor == -1:
            state.draw(seed)
        else:
            raise ValueError(f"{game.name}: no decision with two legal moves from seed {seed}")
    return state


def _rows_of(suffix: str, game: Game, root: State) -> Iterator[Row]:
    player = root.actor
    yield Row(f"playout/{suffix}", lambda: _playouts(root, policy=False))
    yield Row(f"policy-playout/{suffix}", lambda: _playouts(root, policy=True))
    yield Row(f"mcts/{suffix}", lambda: _search(root, "mcts", SIMULATIONS))
    yield Row(f"mcts-random/{suffix}", lambda: _search(root, "mcts", SIMULATIONS, **RANDOM_MCTS))
    yield Row(f"halving/{suffix}", lambda: _search(root, "halving", 10_000))
    yield Row(f"expectimax/{suffix}", lambda: _search(root, "expectimax", 200_000))
    yield Row(f"copy/{suffix}", lambda: _copies(root))
    yield Row(f"python-copy/{suffix}", lambda: {"copies_per_second": _rate(lambda n: [root.copy() for _ in range(n)])})
    yield Row(f"legal/{suffix}", lambda: {"lists_per_second": _rate(lambda n: measure.legal_moves(root, n))})
    yield Row(f"key/{suffix}", lambda: {"keys_per_second": _rate(lambda n: measure.keys(root, n, player))})
    yield Row(f"redeal/{suffix}", lambda: {"redeals_per_second": _rate(lambda n: measure.redeals(root, n, player, 1))})


def _playouts(root: State, policy: bool) -> dict[str, float]:
    nodes = 0
    games = 0

    def play(count: int) -> None:
        nonlocal nodes, games
        nodes += measure.playouts(root, count, games + 1, policy)[0]
        games += count

    rate = _rate(play)
    return {"nodes_per_second": rate * nodes / games, "playouts_per_second": rate}


def _search(root: State, engine: str, simulations: int, **settings: Any) -> dict[str, float]:
    answers = [_whole(analyse(root, engine, simulations=simulations, seed=run + 1, **settings)) for run in range(RUNS)]
    figures = {"nodes_per_second": statistics.median(answer.nodes_per_second for answer in answers)}
    if answers[0].simulations:
        rate = statistics.median(answer.simulations / answer.seconds for answer in answers)
        figures["simulations_per_second"] = rate
    return figures


def _whole(answer: Analysis) -> Analysis:
    """A search that Ctrl-C cut short is no measurement: here it ends the bench."""
    if "interrupted" in answer.notes:
        raise KeyboardInterrupt
    return answer


def _copies(root: State) -> dict[str, float]:
    """Copies through the contract beside a bare memcpy of the same size, in turn; ratio: time of the one by the other."""
    count = _fitting(lambda n: measure.copies(root, n))
    pairs = [
        (_timed(measure.copies, root, count), _timed(measure.copies, root, count, False)) for _ in range(RUNS)
    ]
    return {
        "copies_per_second": count / statistics.median(ours for ours, _ in pairs),
        "bytes": root.game.state_size,
        "ratio_to_memcpy": statistics.median(ours / bare for ours, bare in pairs),
    }


def _rate(work: Callable[[int], object]) -> float:
    """Units of work a second: the median of `RUNS` runs, each about `RUN_SECONDS` long."""
    count = _fitting(work)
    return count / statistics.median(_timed(work, count) for _ in range(RUNS))


def _fitting(work: Callable[[int], object]) -> int:
    """How many units of work take about `RUN_SECONDS`."""
    count = 16
    while (seconds := _timed(work, count)) < RUN_SECONDS / 4:
        count *= 4
    return max(1, int(count * RUN_SECONDS / seconds))


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
