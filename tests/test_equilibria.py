"""The information-set search is real: it finds the equilibria of Kuhn poker and of biased pennies, from every seat.

Exploitability is NashConv / 2: the mean of what each player could win more by the best reply to the other.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from itertools import product

import pytest
from garden_core.search.control import Control
from garden_core.search.mcts import Mcts
from garden_core.state import Game, State

Policy = dict[int, tuple[float, float]]
HISTORIES = [(0, ()), (1, (0,)), (1, (1,)), (0, (0, 1))]


def deals(game: Game) -> Iterator[State]:
    start = game.start()
    for outcome in start.outcomes()[0].tolist():
        state = start.copy()
        state.apply(outcome)
        yield state


def information_sets(game: Game) -> dict[int, State]:
    """One state of each of the 12 information sets, by the key of the player to move."""
    found: dict[int, State] = {}
    for dealt in deals(game):
        for actor, actions in HISTORIES:
            state = dealt.copy()
            for action in actions:
                state.apply(action)
            assert state.actor == actor
            found.setdefault(state.key(actor), state)
    assert len(found) == 12
    return found


def value(game: Game, policy: Policy) -> float:
    """Player 0's expected winnings where both play the policy."""

    def below(state: State) -> float:
        if state.actor == -2:
            return float(state.scores()[0])
        total = 0.0
        for action, probability in enumerate(policy[state.key(state.actor)]):
            if probability > 0:
                after = state.copy()
                after.apply(action)
                total += probability * below(after)
        return total

    return sum(below(state) for state in deals(game)) / 6


def exploitability(game: Game, policy: Policy) -> float:
    """By trying every pure reply: 64 for each player."""
    sets = information_sets(game)
    total = 0.0
    for player, sign in ((0, 1), (1, -1)):
        own = [key for key, state in sets.items() if state.actor == player]
        replies = product(((1.0, 0.0), (0.0, 1.0)), repeat=6)
        total += max(sign * value(game, {**policy, **dict(zip(own, reply, strict=True))}) for reply in replies)
    return total / 2


def strategy(search: Mcts, state: State) -> tuple[float, float]:
    found = search.strategy(state)
    if found is None:
        return 0.5, 0.5
    shares = dict(zip(found[0], found[1], strict=True))
    return shares.get(0, 0.0), shares.get(1, 0.0)


def searched(state: State, simulations: int, seed: int, public_share: float = 0.5) -> Mcts:
    search = Mcts(
        state, simulations=simulations, selection="regret", priors=False, playouts="random", public_share=public_share
    )
    search.run(Control(simulations=simulations), seed)
    return search


def assembled(game: Game, simulations: int, seed: int, public_share: float = 0.5) -> Policy:
    """The policy put together from the 12 information sets, each searched alone."""
    return {
        key: strategy(searched(state, simulations, seed, public_share), state)
        for key, state in information_sets(game).items()
    }


def test_the_measure_knows_uniform_play_and_an_equilibrium(kuhn_poker: Game) -> None:
    sets = information_sets(kuhn_poker)
    assert exploitability(kuhn_poker, dict.fromkeys(sets, (0.5, 0.5))) == pytest.approx(0.4583, abs=1e-4)
    # the equilibrium in which player 0 never bets a jack or queen at once and the king always passes first
    bets = {("J", ()): 0, ("Q", ()): 0, ("K", ()): 0, ("J", ("pass", "bet")): 0, ("Q", ("pass", "bet")): 1 / 3,
            ("K", ("pass", "bet")): 1, ("J", ("pass",)): 1 / 3, ("Q", ("pass",)): 0, ("K", ("pass",)): 1,
            ("J", ("bet",)): 0, ("Q", ("bet",)): 1 / 3, ("K", ("bet",)): 1}  # fmt: skip
    policy = {}
    for key, state in sets.items():
        view = state.view(state.actor)
        bet = bets[view["cards"][state.actor], tuple(view["betting"])]
        policy[key] = (1 - bet, bet)
    assert exploitability(kuhn_poker, policy) == pytest.approx(0.0, abs=1e-9)
    assert value(kuhn_poker, policy) == pytest.approx(-1 / 18)


@pytest.mark.slow
def test_kuhn_poker_from_before_the_deal(kuhn_poker: Game) -> None:
    found = []
    for seed in range(5):
        search = searched(kuhn_poker.start(), 1_000_000, seed)
        policy = {key: strategy(search, state) for key, state in information_sets(kuhn_poker).items()}
        found.append(exploitability(kuhn_poker, policy))
    assert statistics.median(found) <= 0.03


@pytest.mark.slow
def test_kuhn_poker_from_each_information_set_alone(kuhn_poker: Game) -> None:
    found = [exploitability(kuhn_poker, assembled(kuhn_poker, 1_000_000, seed)) for seed in range(3)]
    assert statistics.median(found) <= 0.06


def test_a_short_search_of_kuhn_poker_is_far_better_than_uniform(kuhn_poker: Game) -> None:
    search = searched(kuhn_poker.start(), 50_000, 1)
    policy = {key: strategy(search, state) for key, state in information_sets(kuhn_poker).items()}
    assert exploitability(kuhn_poker, policy) <= 0.06


def test_private_redeals_alone_fail_at_kuhn_poker(kuhn_poker: Game) -> None:
    """Opponents learn to answer the searcher's actual hand, whom he cannot then deceive: more simulations do not help."""
    assert exploitability(kuhn_poker, assembled(kuhn_poker, 200_000, 1, public_share=0.0)) > 0.06


def pennies_from_each_seat(game: Game) -> list[State]:
    """Player 0 to choose; player 1 to choose after either hidden choice of player 0."""
    first = game.start(seed=1)
    states = [first]
    for action in (0, 1):
        after = first.copy()
        after.apply(action)
        assert after.actor == 1
        states.append(after)
    return states


@pytest.mark.parametrize("seed", range(3))
def test_biased_pennies_from_each_seat_alone(biased_pennies: Game, seed: int) -> None:
    for state in pennies_from_each_seat(biased_pennies):
        assert strategy(searched(state, 300_000, seed), state)[0] == pytest.approx(0.4, abs=0.02)


def test_private_redeals_alone_fail_at_biased_pennies(biased_pennies: Game) -> None:
    for state in pennies_from_each_seat(biased_pennies):
        assert abs(strategy(searched(state, 300_000, 1, public_share=0.0), state)[0] - 0.4) > 0.02


def test_where_no_two_ways_meet_nothing_depends_on_transpositions(kuhn_poker: Game, biased_pennies: Game) -> None:
    """Keys of these games tell the whole way: the trails must too, from every root, through deals, rewinding and replies."""
    roots = [kuhn_poker.start(), *information_sets(kuhn_poker).values(), biased_pennies.start()]
    for root in roots:
        for selection in ("regret", "ucb1"):
            found = []
            for transpositions in (True, False):
                search = Mcts(root, simulations=600, selection=selection, playouts="random", transpositions=transpositions)
                search.run(Control(600, None), 7)
                sets = information_sets(kuhn_poker).values() if root.game == kuhn_poker else [root]
                found.append((len(search.tree), search.nodes, [search.strategy(state) for state in sets]))
            assert found[0] == found[1]
            assert any(found[0][2])
