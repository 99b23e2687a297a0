"""Our playouts and searches beside a plain C program that plays the same game, a yardstick, in alternating pairs.

    python benchmarks/yardstick.py [--yardstick FILE.c ...] [--game GAME] [--option NAME=VALUE] [--pairs 7] [--out FILE]

Without `--yardstick` the one in `../shared/yardsticks` beside the checkout is used. Nothing passes or fails: it prints ratios
of whole games a second, scored at the end, or of simulations to the yardstick's games. An option is set for those of the games
that have it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from garden_core.state import State

from garden_ai import load
from garden_ai.bench import root_of, summary
from garden_ai.games import definition
from garden_ai.provenance import provenance, write_figures, written
from garden_ai.yardstick import GAMES, PAIRS, Work, compare, mcts_rate, playout_rate

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "yardsticks"


def yardstick_of(game: str) -> Path | None:
    """The yardstick of a game beside the checkout, if there is one."""
    file = BESIDE / f"{game}.c"
    return file if file.exists() else None


def work_of(
    game: str, games: int = GAMES, searches: tuple[int, ...] = (20_000, 200_000), options: Mapping[str, Any] | None = None
) -> Work:
    """Random playouts for every number of players, and MCTS with random playouts for the fewest."""
    roots: dict[int, State] = {
        players: root_of(load(game, players, **(options or {}))) for players in definition(game).players
    }
    work: Work = {
        f"playout/{game}/{players}": (players, partial(playout_rate, root, games)) for players, root in roots.items()
    }
    fewest = min(roots)
    for simulations in searches:
        work[f"mcts-random-{simulations}/{game}/{fewest}"] = fewest, partial(mcts_rate, roots[fewest], simulations)
    return work


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="playouts and searches beside a plain C program, in alternating pairs")
    parser.add_argument("--yardstick", type=Path, action="append", help="a C file; by default the one in ../shared/yardsticks")
    parser.add_argument("--game", help="by default leelawadee, or what the yardstick's file is called")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the game")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep the figures in a JSON file, too")
    chosen = parser.parse_args()
    options = dict(option.partition("=")[::2] for option in chosen.option)
    origin = provenance(written("benchmarks/yardstick.py", sys.argv[1:]))
    results = []
    for given in chosen.yardstick or [None]:
        game = chosen.game or (given.stem if given else "leelawadee")
        source = given or yardstick_of(game)
        if source is None or not source.exists():
            sys.exit(f"yardstick: no C program for {game} at {source or BESIDE}; name one with --yardstick FILE.c")
        known = {option.name: option for option in definition(game).options}
        values = {name: known[name].parse(value) for name, value in options.items() if name in known}
        for name, result in compare(source, work_of(game, options=values), chosen.pairs).items():
            print(name)
            for ours, theirs, ratio in zip(result.ours, result.theirs, result.ratios, strict=True):
                print(f"  {ours / 1000:7.0f}k a second, yardstick {theirs / 1000:6.0f}k, ratio {ratio:.2f}")
            print(f"  median ratio {result.median:.2f}")
            samples = [
                {"per_second": ours, "yardstick_per_second": theirs, "ratio_to_yardstick": ratio}
                for ours, theirs, ratio in zip(result.ours, result.theirs, result.ratios, strict=True)
            ]
            results.append({"name": name, "options": values, **summary(samples)})
    if chosen.out:
        write_figures(chosen.out, {**origin, "pairs": chosen.pairs, "results": results})


if __name__ == "__main__":
    main()
