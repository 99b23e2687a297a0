"""What the scripts that fit weights by self-play share."""

from __future__ import annotations

import random

import numpy as np
from garden_core.state import State
from numpy.typing import NDArray

Array = NDArray[np.float64]
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
