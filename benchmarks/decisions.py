"""Random decisions a second: ours, the Leelawadee yardstick's and the slow reference's, in alternating pairs.

    python benchmarks/decisions.py [--game GAME ...] [--yardstick leelawadee.c] [--pairs 7] [--out FILE]

So that games can be compared which have no yardstick of their own. A decision is one action of a player; what chance does
between them is done, but not counted. The yardstick's decisions are its games times the decisions of a game, which we count.
Nothing passes or fails.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import time
from pathlib import Path
from typing import Any

from garden_core.state import State
from yardstick import yardstick_of

from garden_ai import load
from garden_ai.bench import root_of, summary
from garden_ai.games import definition, names
from garden_ai.provenance import provenance, write_figures, written
from garden_ai.yardstick import PAIRS, compiled, playout_rate, rates_of

HERE = Path(__file__).resolve().parent
GAMES = 50_000
SECONDS = 1.0  # of the slow reference


def decisions_of_a_game(root: State, games: int = 50) -> float:
    """The mean number of decisions from a position to the end, at random."""
    count = 0
    for seed in range(games):
        state = root.copy()
        while state.actor != -2:
            draw = 1000 * seed + count
            if state.actor == -1:
                state.draw(draw)
            else:
                state.apply(state.random_action(draw))
                count += 1
    return count / games


def slow_rate(name: str, players: int) -> float:
    """Decisions a second of the slow reference, played at random."""
    sys.path.insert(0, str(HERE.parent / "tests"))
    references = importlib.import_module("battery").REFERENCES
    rng = random.Random(1)
    game: Any = load(name, players)
    count = 0
    begun = time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        state, beside = references[name](game).state, game.start()
        steps: list[Any] = []
        while state.actor != -2:
            choices = state.choices() or [event for event, _ in state.events()]
            if choices:
                step = rng.choice(choices)
            else:  # more outcomes than are listed: one that the compiled game draws
                for done in steps:
                    beside.apply(game.step_id(beside, done))
                steps = []
                step = game.step(beside, beside.copy().draw(rng.getrandbits(63)))
            count += state.actor >= 0
            state.apply(step)
            steps.append(step)
    return count / (time.perf_counter() - begun)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="random decisions a second beside those of a C program and of plain Python")
    parser.add_argument("--game", action="append", choices=names(), help="by default all")
    parser.add_argument("--yardstick", type=Path, metavar="FILE.c", help="Leelawadee's; by default as in yardstick.py")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep the figures in a JSON file, too")
    chosen = parser.parse_args()
    source = chosen.yardstick or yardstick_of("leelawadee")
    if source is None or not source.exists():
        sys.exit("decisions: no C program of Leelawadee; name one with --yardstick FILE.c")
    origin = provenance(written("benchmarks/decisions.py", sys.argv[1:]))
    results = []
    beside = {players: decisions_of_a_game(root_of(load("leelawadee", players))) for players in (2, 3, 4)}
    with compiled(source) as program:
        for name in chosen.game or names():
            for players in definition(name).players:
                root = root_of(load(name, players))
                decisions = decisions_of_a_game(root)
                samples = []
                for pair in range(chosen.pairs):
                    other = min(max(players, 2), 4)
                    theirs = (rates_of(program)(other) or 0.0) * beside[other]
                    ours = playout_rate(root, GAMES, pair) * decisions
                    slow = slow_rate(name, players)
                    samples.append({
                        "decisions_per_second": ours, "yardstick_per_second": theirs, "reference_per_second": slow,
                        "ratio_to_yardstick": ours / theirs, "ratio_to_reference": ours / slow,
                    })
                result = summary(samples)
                print(f"decisions/{name}/{players}: {result['decisions_per_second'] / 1e6:.2f} million a second, "
                      f"{result['ratio_to_yardstick']:.2f} times the yardstick's, "
                      f"{result['ratio_to_reference']:,.0f} times the slow reference's", flush=True)
                results.append({"name": f"decisions/{name}/{players}", **result})
    if chosen.out:
        write_figures(chosen.out, {**origin, "pairs": chosen.pairs, "results": results})


if __name__ == "__main__":
    main()
