"""States and steps spelt out in a game's own words: what the tests of rules share."""

from __future__ import annotations

from typing import Any

from garden_core.state import State

from garden_ai import ALL, CHANCE


def do(state: State, *steps: tuple[Any, ...]) -> State:
    """The state after these steps."""
    state = state.copy()
    for step in steps:
        action = state.game.step_id(state, step)
        assert state.is_legal(action), (step, phase(state))
        state.apply(action)
    return state


def steps(state: State) -> list[tuple[Any, ...]]:
    """What is possible."""
    ids = state.outcomes()[0] if state.actor == CHANCE else state.legal_actions()
    return [state.game.step(state, action) for action in ids.tolist()]


def settle(state: State, seed: int = 1) -> State:
    """Whatever chance does, up to a decision or the end."""
    state = state.copy()
    while state.actor == CHANCE:
        state.draw(seed)
        seed += 1
    return state


def phase(state: State) -> str:
    """One of the game's phases."""
    return str(state.game.phase(state))


def seen(state: State, observer: int = ALL) -> dict[str, Any]:
    """A view."""
    return state.view(observer)


def points(state: State, player: int = 0) -> dict[str, float]:
    """By component, where there are some."""
    return {name: value for name, value in state.components()[player].items() if value}
