"""Expectimax is exact where it says so: against brute force, with every kind of cut."""

from __future__ import annotations

import pytest
from garden_core.search.control import Control
from garden_core.search.expectimax import Expectimax
from garden_core.state import State

import garden_ai
from garden_ai.search import analyse


def brute_force(state: State) -> list[float]:
    """Every player's utility where each maximises his own, by looking at everything: equal ones by the lowest action."""
    if state.actor == -2:
        return list(state.utilities())
    if state.actor == -1:
        total = [0.0] * state.game.players
        for outcome, probability in zip(*map(list, state.outcomes()), strict=True):
            after = state.copy()
            after.apply(int(outcome))
            total = [have + probability * more for have, more in zip(total, brute_force(after), strict=True)]
        return total
    best: list[float] = []
    for action in state.legal_actions().tolist():
        if state.canonical(action) != action:
            continue
        after = state.copy()
        after.apply(action)
        found = brute_force(after)
        if not best or found[state.actor] > best[state.actor]:
            best = found
    return best


def late(players: int, left: int, seed: int, **options: object) -> State:
    """A position with `left` flowers still to plant, from random play, a player to move."""
    state = garden_ai.load("leelawadee", players, **options).start(seed)
    planted = step = 0
    while planted < 10 * players - left or state.actor < 0:
        step += 1
        if state.actor == -1:
            state.draw(seed * 1000 + step)
        else:
            state.apply(state.random_action(seed * 1000 + step))
            planted += 1
    return state


def check(state: State, **settings: object) -> Expectimax:
    exact = brute_force(state)[state.actor]
    search = Expectimax(state, **settings)
    order = search.run(Control(seconds=60.0), 1)
    assert search.solved
    assert search.table.utilities()[0][order[0]] == pytest.approx(exact, abs=1e-9)
    return search


@pytest.mark.parametrize("seed", range(140))
def test_two_players_last_round(seed: int) -> None:
    check(late(2, 2 + seed % 3, seed))


@pytest.mark.parametrize("seed", range(20))
def test_open_draws_into_the_round_before(seed: int) -> None:
    check(late(2, 5, seed, open_draws=True))


@pytest.mark.parametrize("seed", range(30))
def test_three_and_four_players_by_max_n(seed: int) -> None:
    check(late(3, 4, seed))
    check(late(4, 4, seed, open_draws=seed % 2 == 0))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_draw_before_the_last_round(seed: int) -> None:
    check(late(2, 6, seed))


def test_the_answer_says_solved() -> None:
    answer = analyse(late(2, 4, 4), "expectimax", seconds=30.0)
    assert answer.solved
    assert answer.to_dict()["solved"] is True
    assert not analyse(late(2, 20, 4), "expectimax", simulations=2000).solved


@pytest.mark.parametrize("transpositions", [False, True])
def test_cuts_change_no_value_and_save_nodes(transpositions: bool) -> None:
    """Before a draw with many outcomes, Star1 and Star2 agree with full windows and visit fewer nodes."""
    nodes = [0, 0, 0]
    for seed in range(6):
        state = late(2, 9, seed)
        values = []
        for star in (0, 1, 2):
            search = Expectimax(state, star=star, transpositions=transpositions)
            order = search.run(Control(), 1, 4)
            values.append(search.table.utilities()[0][order[0]])
            nodes[star] += search.nodes
        assert values[1] == pytest.approx(values[0], abs=1e-9)
        assert values[2] == pytest.approx(values[0], abs=1e-9)
    assert nodes[1] < nodes[0]
    if transpositions:  # what Star2 probes is not lost where it is remembered
        assert nodes[2] < nodes[0]


def test_memory_is_kept() -> None:
    search = Expectimax(late(2, 12, 1), memory=2 << 20)
    search.run(Control(simulations=300_000), 1)
    assert search.bytes_reserved <= 2 << 20
