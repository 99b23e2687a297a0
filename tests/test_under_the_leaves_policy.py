"""Under the Leaves: evaluation and policy are what they say, whatever the weights are."""

from __future__ import annotations

import numpy as np
import pytest
from battery import walk
from garden_core.games.under_the_leaves import WEIGHTS
from garden_core.state import State

import garden_ai

GAME = garden_ai.load("under_the_leaves", players=3)


def placements(seeds: range) -> list[State]:
    """Decisions of games by policy."""
    return [state for seed in seeds for state in walk(GAME, seed, policy=True).states if GAME.phase(state) == "place"]


def test_a_quick_look_weighs_what_it_sees() -> None:
    """What is summed from tables by spot is what the features of each move weigh one by one."""
    weights = np.concatenate(WEIGHTS["glance"])
    for state in placements(range(3)):
        actions = state.legal_actions().tolist()
        values = dict(zip(actions, GAME.glance_features(state) @ weights, strict=True))
        found = GAME.glances(state)
        assert len(found) == min(48, len(actions))
        for action, value in found:
            assert value == pytest.approx(values[action], abs=0.05)   # weights are kept in 1/256
        worst = min(value for _, value in found)
        chosen = {action for action, _ in found}
        assert all(value <= worst + 0.1 for action, value in values.items() if action not in chosen)


def test_the_order_of_tiles_does_not_matter() -> None:
    """A garden that is built from a written position is worth the same, to the last bit."""
    for state in placements(range(3)):
        again = GAME.build(state.view(garden_ai.ALL))
        assert GAME.promise(again) == GAME.promise(state)
        assert GAME.gains(again).tolist() == GAME.gains(state).tolist()
        assert again.evaluate() == state.evaluate()
        assert again.priors().tolist() == state.priors().tolist()


def test_a_gain_is_the_worth_of_the_garden_after_it() -> None:
    """Points and promise, where the move leaves nothing to choose."""
    for state in placements(range(2))[::3]:
        player = state.actor
        for action, gain in list(zip(state.legal_actions().tolist(), GAME.gains(state).tolist(), strict=True))[::7]:
            after = state.copy()
            after.apply(action)
            if GAME.phase(after) != "choose" and after.actor != garden_ai.TERMINAL:
                assert gain == pytest.approx(after.scores()[player] + GAME.promise(after)[player], abs=1e-3)


def test_the_policy_earns_more_than_chance() -> None:
    """By far: the promise is fitted for this."""
    by_policy = np.mean([walk(GAME, seed, policy=True).states[-1].scores() for seed in range(4)])
    at_random = np.mean([walk(GAME, seed).states[-1].scores() for seed in range(4)])
    assert by_policy > at_random + 25


def test_promises_end_with_the_game() -> None:
    """With no turn left nothing is promised."""
    for seed in range(3):
        end = walk(GAME, seed, policy=True).states[-1]
        assert GAME.promise(end) == [0.0] * 3
        assert GAME.turns_left(end) == [0] * 3
