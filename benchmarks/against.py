"""Our MCTS beside OpenSpiel's on the same work, Connect Four; and, for orientation, other engines at games of their own.

    python benchmarks/against.py [--only speed|match|others ...] [--pairs 7] [--games 1000] [--out FILE]

OpenSpiel's is `MCTSBot`, written in C++ (PyPI: `open-spiel`, in the extra `bench`): `uct_c` 1.4, `solve` off, one random
playout a simulation. Ours is set to the same algorithm: UCB1, no priors, random playouts, unvisited moves first.

- A simulation is the same work on both sides: a walk down the tree, one playout, one node more (theirs has a child for each
  move of a node at its second visit, ours edges). Theirs spends the first simulation on the root itself.
- Both add c sqrt(ln N / n) to the mean, ours with N + 1 for N. Rewards are -1..1 there, utilities 0..1 here: half the constant.
- Both play the most visited move. What is left of difference: ours merges transpositions, which `transpositions=False`
  switches off; theirs tries unvisited moves in random order, ours from the left; theirs gives a child that ends the game no
  exploration.

Speed is in simulations by the second of processor time of the one thread that each uses, a whole decision at a time, over all
of `POSITIONS`; OpenSpiel just before ours or after it, in turn. Matches are played from random openings, each from both seats;
the share counts a draw as half a win, its 95% interval is that of the mean over the pairs of games.

The file of figures has, beside where they come from, `results`, one flat object a row:

- `mcts/connect_four/SIMULATIONS`: `per_second`, `openspiel_per_second`, `ratio_to_openspiel`, medians of the pairs, each with
  its quartiles in `..._spread`;
- `match/connect_four/equal-simulations`, `.../equal-simulations-unmerged`, `.../equal-time`: `games`, `share` (ours),
  `interval`, `simulations_a_move` and `openspiel_simulations_a_move` (means), `seconds_a_move` (mean wall time, two figures:
  `seconds_a_move`, `openspiel_seconds_a_move`);
- `other/...`, each a different game with its own name in `game`: `per_second`, `unit` ("games" or "simulations"), `engine`.
"""

from __future__ import annotations

import argparse
import importlib
import math
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import connect_four
from garden_core.search.control import Control
from garden_core.search.mcts import Mcts
from garden_core.state import Game, State

from garden_ai import load
from garden_ai.bench import root_of, summary
from garden_ai.games import definition, register
from garden_ai.provenance import provenance, write_figures, written
from garden_ai.yardstick import PAIRS, RANDOM_MCTS

CONSTANT = 1.4                     # OpenSpiel's, for rewards -1..1
SAME: dict[str, Any] = {
    "selection": "ucb1", "constant": CONSTANT / 2, "priors": False, "playouts": "random",
    "first_play": -10.0,           # below no bound: unvisited moves come first
}
SEARCHES = (20_000, 200_000)
POSITIONS = ("", "dd", "cdded", "ddddda", "dcbedgecbb")
OPENING = 4                        # random moves before a game
SIMULATIONS = 2000                 # a move, in matches
SECONDS = 0.01                     # a move, in the match at equal time
UNBOUNDED = 100_000_000            # simulations, where time is the limit
OTHER_SIMULATIONS = 2000
CATANATRON = "catanatron"

Row = dict[str, Any]


@dataclass
class Cost:
    """What the moves of one side took."""

    moves: int = 0
    simulations: int = 0
    seconds: float = 0.0           # wall time


@dataclass
class Ours:
    """Our MCTS, its limits those of one decision."""

    simulations: int | None = SIMULATIONS
    seconds: float | None = None
    transpositions: bool = True
    cost: Cost = field(default_factory=Cost)

    def choose(self, state: State, seed: int) -> int:
        """The most visited move."""
        begun = time.perf_counter()
        search = Mcts(
            state, simulations=-1 if self.simulations is None else self.simulations, transpositions=self.transpositions, **SAME
        )
        search.run(Control(self.simulations, self.seconds), seed)
        found = search.strategy(state)
        action = found[0][0] if found else int(state.legal_actions()[0])   # not even one simulation, if the machine was busy
        self.cost.moves += 1
        self.cost.simulations += search.simulations
        self.cost.seconds += time.perf_counter() - begun
        return action


@dataclass
class OpenSpiel:
    """OpenSpiel's MCTS, likewise; it plays in states of its own."""

    simulations: int | None = SIMULATIONS
    seconds: float | None = None
    cost: Cost = field(default_factory=Cost)

    def __post_init__(self) -> None:
        self.spiel: Any = importlib.import_module("pyspiel")
        self.game = self.spiel.load_game("connect_four")

    def state(self, actions: list[int]) -> Any:
        """A state after some moves."""
        state = self.game.new_initial_state()
        for action in actions:
            state.apply_action(action)
        return state

    def choose(self, state: Any, seed: int) -> int:
        """The most visited move."""
        begun = time.perf_counter()
        search = self.spiel.MCTSBot(
            self.game, self.spiel.RandomRolloutEvaluator(1, seed), CONSTANT, self.simulations or UNBOUNDED, 0, False, seed, False,
            max_wall_clock_time=-1.0 if self.seconds is None else self.seconds,
        )
        root = search.mcts_search(state)
        self.cost.moves += 1
        self.cost.simulations += root.explore_count
        best = root.best_child()
        action = int(best.action) if best is not None else int(state.legal_actions()[0])
        del best, root, search           # to free a tree is part of the work
        self.cost.seconds += time.perf_counter() - begun
        return action


def game() -> Game:
    """Connect Four, which becomes known by it."""
    register(connect_four.DEFINITION)
    return load("connect_four")


def after(start: State, actions: list[int]) -> State:
    """Our state after some moves."""
    state = start.copy()
    for action in actions:
        state.apply(action)
    return state


def processor_time(work: Callable[..., object], *arguments: object) -> float:
    """Seconds of this thread."""
    begun = time.thread_time()
    work(*arguments)
    return time.thread_time() - begun


def speed(simulations: int, pairs: int = PAIRS) -> Row:
    """Simulations a second of both over the positions, in alternating pairs."""
    ours, theirs = Ours(simulations), OpenSpiel(simulations)
    start = game().start()
    positions = [[connect_four.COLUMNS.index(column) for column in text] for text in POSITIONS]
    samples = []
    for pair in range(pairs):
        spent = [0.0, 0.0]
        for number, actions in enumerate(positions):
            states: list[Any] = [after(start, actions), theirs.state(actions)]
            seed = pair * len(positions) + number + 1
            for side in (0, 1) if seed % 2 else (1, 0):
                spent[side] += processor_time((ours.choose, theirs.choose)[side], states[side], seed)
        rates = [simulations * len(positions) / seconds for seconds in spent]
        samples.append({"per_second": rates[0], "openspiel_per_second": rates[1], "ratio_to_openspiel": rates[0] / rates[1]})
    return {"name": f"mcts/connect_four/{simulations}", "pairs": pairs, "positions": len(positions), **summary(samples)}


def opening(start: State, seed: int) -> list[int]:
    """Random moves that leave the game open."""
    rng = random.Random(seed)
    state = start.copy()
    actions = []
    for _ in range(OPENING):
        actions.append(rng.choice(state.legal_actions().tolist()))
        state.apply(actions[-1])
    return actions


def play(ours: Ours, theirs: OpenSpiel, start: State, actions: list[int], seat: int, seed: int) -> float:
    """Our utility in a game after an opening, from a seat."""
    state, beside = after(start, actions), theirs.state(actions)
    move = 0
    while state.actor >= 0:
        move += 1
        action = ours.choose(state, seed * 100 + move) if state.actor == seat else theirs.choose(beside, seed * 100 + move)
        state.apply(action)
        beside.apply_action(action)
    utility = state.utilities()[seat]
    assert beside.is_terminal()
    assert beside.returns()[seat] == 2 * utility - 1
    return utility


def match(name: str, ours: Ours, theirs: OpenSpiel, games: int, report: Callable[[str], None] = lambda text: None) -> Row:
    """Our share over pairs of games, an opening played from both seats."""
    start = game().start()
    pairs: list[float] = []
    for pair in range(games // 2):
        actions = opening(start, pair)
        pairs.append(statistics.mean(play(ours, theirs, start, actions, seat, 2 * pair + seat + 1) for seat in (0, 1)))
        report(f"{name}: {2 * pair + 2} of {games} games, share {statistics.mean(pairs):.3f}")
    share = statistics.mean(pairs)
    half = 1.96 * statistics.stdev(pairs) / math.sqrt(len(pairs)) if len(pairs) > 1 else math.inf
    return {
        "name": f"match/connect_four/{name}",
        "games": 2 * len(pairs),
        "share": round(share, 4),
        "interval": [round(max(0.0, share - half), 4), round(min(1.0, share + half), 4)],
        "transpositions": ours.transpositions,
        "simulations_a_move": round(ours.cost.simulations / ours.cost.moves),
        "openspiel_simulations_a_move": round(theirs.cost.simulations / theirs.cost.moves),
        "seconds_a_move": round(ours.cost.seconds / ours.cost.moves, 5),
        "openspiel_seconds_a_move": round(theirs.cost.seconds / theirs.cost.moves, 5),
    }


def matches(
    games: int, simulations: int = SIMULATIONS, seconds: float = SECONDS, report: Callable[[str], None] = lambda text: None
) -> Iterator[Row]:
    """At equal simulations, with and without merging of transpositions, and at equal time."""
    yield match("equal-simulations", Ours(simulations), OpenSpiel(simulations), games, report)
    unmerged = Ours(simulations, transpositions=False)
    yield match("equal-simulations-unmerged", unmerged, OpenSpiel(simulations), games, report)
    yield match("equal-time", Ours(None, seconds), OpenSpiel(None, seconds), games, report)


def others(runs: int = PAIRS) -> Iterator[Row]:
    """Engines at different games: none of these figures can be compared with another as they are."""
    yield hearts(runs)
    for name in ("butterfly_garden", "ladybird"):
        yield hidden_hands(name, runs)
    found = catanatron(runs)
    if found is not None:
        yield found


def hearts(runs: int) -> Row:
    """OpenSpiel's information-set MCTS at the first decision of hearts, with the constant and the playouts of its MCTS."""
    spiel = importlib.import_module("pyspiel")
    state = spiel.load_game("hearts").new_initial_state()
    rng = random.Random(1)
    while len(state.legal_actions()) == 1 or state.is_chance_node():   # a forced move is not searched
        outcomes, chances = zip(*state.chance_outcomes(), strict=True) if state.is_chance_node() else (state.legal_actions(), [1])
        state.apply_action(rng.choices(outcomes, chances)[0])
    samples = []
    for run in range(runs):
        # hands differ from deal to deal, so their moves do, which it is to accept
        search = spiel.ISMCTSBot(
            run + 1, spiel.RandomRolloutEvaluator(1, run + 1), CONSTANT, OTHER_SIMULATIONS, -1,
            spiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, True,
        )
        samples.append({"per_second": OTHER_SIMULATIONS / processor_time(search.step, state)})
    return {
        "name": "other/openspiel/hearts", "engine": "OpenSpiel's IS-MCTS, random playouts", "game": "hearts, 4 players",
        "unit": "simulations", **summary(samples),
    }


def hidden_hands(name: str, runs: int) -> Row:
    """Our MCTS over information sets, with random playouts, at a game of ours with hidden hands for four."""
    root = root_of(load(name, 4))

    def search(seed: int) -> None:
        Mcts(root, simulations=OTHER_SIMULATIONS, **RANDOM_MCTS).run(Control(OTHER_SIMULATIONS, None), seed)

    samples = [{"per_second": OTHER_SIMULATIONS / processor_time(search, run + 1)} for run in range(runs)]
    return {
        "name": f"other/garden-ai/{name}", "engine": "our MCTS, random playouts", "game": f"{definition(name).title}, 4 players",
        "unit": "simulations", **summary(samples),
    }


def catanatron(runs: int) -> Row | None:
    """Random games of catanatron, in Python, for four; None where it is not installed."""
    try:
        engine = importlib.import_module(CATANATRON)
    except ImportError:
        return None
    players = [engine.RandomPlayer(color) for color in list(engine.Color)[:4]]

    def play_one(seed: int) -> None:
        engine.Game(players, seed=seed).play()

    seconds = [statistics.mean(processor_time(play_one, 5 * run + i) for i in range(5)) for run in range(runs)]
    return {
        "name": "other/catanatron/catan", "engine": "catanatron, random players", "game": "Catan, 4 players", "unit": "games",
        **summary([{"per_second": 1 / mean} for mean in seconds]),
    }


def shown(row: Row) -> str:
    """A row as a line."""
    if "share" in row:
        return f"{row['name']}: {row['share']:.1%} [{row['interval'][0]:.1%}, {row['interval'][1]:.1%}] of {row['games']} games"
    if "ratio_to_openspiel" in row:
        low, high = row["ratio_to_openspiel_spread"]
        return (f"{row['name']}: {row['per_second']:,} simulations a second, OpenSpiel {row['openspiel_per_second']:,}, "
                f"ratio {row['ratio_to_openspiel']:.1f} [{low:.1f}, {high:.1f}]")
    return f"{row['name']} ({row['engine']}; {row['game']}): {row['per_second']:,} {row['unit']} a second"


def positive(text: str) -> int:
    """A whole number above 0."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0; got {text!r}")
    return int(text)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="our MCTS beside OpenSpiel's at Connect Four, and other engines' speed")
    parser.add_argument("--only", action="append", choices=("speed", "match", "others"), help="by default all")
    parser.add_argument("--pairs", type=positive, default=PAIRS, help="of measurements of speed")
    parser.add_argument("--games", type=positive, default=1000, help="of each match; two for each opening")
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep the figures in a JSON file, too")
    chosen = parser.parse_args()
    if chosen.games % 2:
        parser.error(f"argument --games: expected an even number: an opening is played from both seats; got {chosen.games}")
    try:
        importlib.import_module("pyspiel")
    except ImportError:
        parser.error("OpenSpiel is not installed: pip install '.[bench]'")
    origin = provenance(written("benchmarks/against.py", sys.argv[1:]))
    parts = chosen.only or ["speed", "match", "others"]
    live = sys.stderr.isatty()

    def report(text: str) -> None:
        if live:
            print(f"\r{text}", end="\x1b[K", file=sys.stderr, flush=True)

    def rows() -> Iterator[Row]:
        if "speed" in parts:
            yield from (speed(simulations, chosen.pairs) for simulations in SEARCHES)
        if "match" in parts:
            yield from matches(chosen.games, report=report)
        if "others" in parts:
            yield from others(chosen.pairs)

    results = []
    for row in rows():
        results.append(row)
        report("")
        print(shown(row), flush=True)
    if "others" in parts and not any(row["name"].startswith(f"other/{CATANATRON}") for row in results):
        print("other/catanatron/catan: not measured; pip install catanatron==3.2.1")
    if chosen.out:
        write_figures(chosen.out, {**origin, "results": results})


if __name__ == "__main__":
    main()
