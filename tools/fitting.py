"""What the scripts that fit weights by self-play share."""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from garden_core import measure
from garden_core.state import State
from numpy.typing import NDArray

from garden_ai.loading import load

Array = NDArray[np.float64]
Moves = list[tuple[int, Array, Array]]                   # stage, features after some moves, what they promise
Ends = list[tuple[int, Array, Array, Array, Array]]      # stage, points, features, mean scores, mean utilities of all
SCALES = [1.15**k for k in range(-5, 30)]  # that are tried for the certainty of a margin


def candidates(state: State, rng: random.Random, best: int, wild: int) -> list[int]:
    """Some legal moves: the best by prior, and random ones."""
    legal, priors = state.legal_actions().tolist(), state.priors()
    chosen = {legal[i] for i in np.argsort(-priors, kind="stable")[:best].tolist()}
    chosen |= set(rng.sample(legal, min(wild, len(legal))))
    chosen |= {state.policy_action(rng.getrandbits(63)) for _ in range(wild)}
    return sorted(chosen)


def ridge(pairs: list[tuple[Array, Array]], strength: float, prior: list[float]) -> list[float]:
    """The weights that fit best and stay near the prior."""
    near = np.array(prior)
    x = np.concatenate([f for f, _ in pairs])
    y = np.concatenate([y for _, y in pairs]) - x @ near
    change = shrunk(x, y, strength)
    print(f"  error {np.std(y):.3f} -> {np.std(y - x @ change):.3f} over {len(y)}")
    return [round(float(w), 4) for w in near + change]


def shrunk(x: Array, y: Array, strength: float) -> Array:
    """The weights that fit best and stay near none."""
    return np.asarray(np.linalg.solve(x.T @ x + strength * np.eye(x.shape[1]), x.T @ y))


def best_scale(margins: Array, shares: Array) -> float:
    """The scale at which squashed margins are nearest to the shares of the first place that were won."""
    errors = [float(((0.5 + 0.5 * margins / (scale + np.abs(margins)) - shares) ** 2).sum()) for scale in SCALES]
    return round(SCALES[int(np.argmin(errors))], 3)


def lead(points: Array, player: int) -> float:
    """A player's margin over the best other; alone, his points."""
    others = np.delete(points, player)
    return float(points[player] - (others.max() if len(others) else 0))


def fitted_certainty(here: Ends, coming: list[Array]) -> float:
    """The scale that fits the margins of estimates at some positions: points and those to come; alone it says nothing."""
    margins, shares = [], []
    for (_, points, _, _, utilities), more in zip(here, coming, strict=True):
        estimates = points + np.maximum(0, more)
        for player in range(len(points)):
            margins.append(lead(estimates, player))
            shares.append((utilities[player] - 0.05) / 0.9)
    return best_scale(np.array(margins), np.array(shares)) if len(here[0][1]) > 1 else 1.0


def play(name: str, players: int, seed: int, games: int, playouts: int, share: float) -> tuple[Moves, Ends]:
    """Data of some games of self-play of a game that has `stage`, `look_features` and `move_features`."""
    game = load(name, players)
    rng = random.Random(seed)
    moves: Moves = []
    ends: Ends = []
    for _ in range(games):
        state = game.start(rng.getrandbits(63))
        while state.actor != -2:
            if state.actor == -1:
                state.draw(rng.getrandbits(63))
                continue
            player = state.actor
            if rng.random() < share and len(state.legal_actions()) > 1:
                stage = game.stage(state)
                utilities, scores = measure.mean_result(state, 2 * playouts, rng.getrandbits(63))
                ends.append((stage, np.array(state.scores()), game.look_features(state), np.array(scores), np.array(utilities)))
                after, points = game.move_features(state)
                legal = state.legal_actions().tolist()
                chosen = candidates(state, rng, 6, 3)
                common = rng.getrandbits(63)   # the same draws for every move
                values = []
                for action in chosen:
                    follow = state.copy()
                    follow.apply(action)
                    result = np.array(measure.mean_result(follow, playouts, common)[1])
                    values.append(lead(result, player) - points[legal.index(action)])
                rows = [legal.index(action) for action in chosen]
                moves.append((stage, after[rows].astype(float), np.array(values)))
            wild = rng.random() < 0.1
            draw = rng.getrandbits(63)
            state.apply(state.random_action(draw) if wild else state.policy_action(draw))
    return moves, ends


def fit_by_self_play(
    name: str, players: Iterable[int], fit: Callable[[int, Moves, Ends], dict[str, object]], description: str | None
) -> None:
    """The script of a game, `tools/fit_NAME`: plays, fits for each number of players, and writes."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--games", type=int, default=600, help="of each number of players")
    parser.add_argument("--playouts", type=int, default=16, help="after each move")
    parser.add_argument("--share", type=float, default=0.3, help="of the positions that are used")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    fitted = {}
    with ProcessPoolExecutor(given.workers) as pool:
        jobs = {
            number: [
                pool.submit(play, name, number, given.seed * 10**6 + number * 10**5 + k, 10, given.playouts, given.share)
                for k in range(given.games // 10)
            ]
            for number in players
        }
        for number, some in jobs.items():
            results = [job.result() for job in some]
            moves = [move for part, _ in results for move in part]
            print(f"{len(moves)} positions")
            fitted[number] = fit(number, moves, [end for _, part in results for end in part])
    made_by = f"tools/fit_{name} --games {given.games} --playouts {given.playouts} --share {given.share} --seed {given.seed}"
    rows = ",\n".join(f'"{number}": {json.dumps(values)}' for number, values in fitted.items())
    given.out.write_text(f'{{"made_by": {json.dumps(made_by)},\n"weights": {{\n{rows}\n}}}}\n')
