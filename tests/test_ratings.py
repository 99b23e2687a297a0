"""Ratings: known values, an independent maximisation, what intervals mean, and which groups the schedule lets meet."""

import itertools
import math

import choix
import numpy as np
import pytest
from scipy.optimize import minimize

from garden_ai.arena.match import Deal, Outcome
from garden_ai.arena.ratings import ANCHOR, ELO, Evidence, informative_groups, rankings, ratings, strengths


def outcome(*placing):
    return Outcome(placing, tuple(float(-place) for place in placing))


def played(*results):
    """Deals of one game each, from groups and the places of their members."""
    return [Deal(number, group, (outcome(*placing),)) for number, (group, placing) in enumerate(results)]


def random_deals(strength, size, count, games, rng, members=None):
    """Deals between players of known log strengths, places as the model has them: the order of t + Gumbel noise."""
    n = len(strength)
    made = []
    for number in range(count):
        group = tuple(sorted(rng.choice(n, size, replace=False).tolist())) if members is None else members[number]
        outcomes = []
        for _ in range(games):
            order = np.argsort(-(np.asarray(strength)[list(group)] + rng.gumbel(size=len(group))))
            outcomes.append(outcome(*(1 + np.argsort(order)).tolist()))
        made.append(Deal(number, group, tuple(outcomes)))
    return made


def by_plain_maximisation(n, deals):
    """The likelihood written down as it is defined, a ranking at a time, and given to a general optimiser."""
    orders = [order for deal in deals for game in deal.games for order in rankings(deal.group, game)]
    met = {frozenset(pair) for deal in deals for pair in itertools.combinations(set(deal.group), 2)}
    orders += [order for pair in met for order in itertools.permutations(pair)]

    def cost(t):
        total = 0.0
        for order in orders:
            for place, winner in enumerate(order[:-1]):
                total -= t[winner] - math.log(sum(math.exp(t[other]) for other in order[place:]))
        return total

    found = minimize(cost, np.zeros(n), method="BFGS", options={"gtol": 1e-7}).x
    return found - found.mean()


@pytest.mark.parametrize(("won", "drawn", "lost"), [(7, 0, 3), (1, 0, 0), (0, 0, 50), (300, 0, 1), (2, 5, 0), (0, 4, 0)])
def test_two_players_have_the_odds_of_their_results(won, drawn, lost):
    """A draw is half a win of each, and the one virtual draw counts as any other."""
    deals = played(*[((0, 1), (1, 2))] * won, *[((0, 1), (1, 1))] * drawn, *[((0, 1), (2, 1))] * lost)
    half = (drawn + 1) / 2
    expected = 400 * math.log10((won + half) / (lost + half))
    first, second = ratings(2, deals, anchor=1, resamples=0)
    assert first.elo - second.elo == pytest.approx(expected, abs=1e-3)
    assert second.elo == ANCHOR == 1000
    assert (first.games, second.games) == (len(deals), len(deals))


def test_who_stands_where_does_not_matter():
    """The same result with the members of the group the other way round."""
    assert strengths(2, played(((0, 1), (1, 2)), ((0, 1), (1, 2)))) == pytest.approx(
        strengths(2, played(((1, 0), (2, 1)), ((0, 1), (1, 2)))))


@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_greatest_likelihood_is_found(size):
    rng = np.random.default_rng(size)
    deals = random_deals([0.0, 0.4, 1.0, 2.2], size, 30, 2, rng)
    deals += played((tuple(range(size)), (1,) * size), (tuple(range(size)), (1, 1, 3, 4)[:size]), ((0, 3), (1, 1)))
    assert strengths(4, deals) == pytest.approx(by_plain_maximisation(4, deals), abs=1e-4)


def test_players_who_sit_twice_in_a_group_are_rated_as_the_model_has_it():
    deals = played(
        ((0, 0, 1), (1, 2, 3)), ((0, 0, 1), (2, 3, 1)), ((0, 1, 1), (2, 1, 3)), ((0, 1, 1), (3, 1, 1)), ((0, 1, 1), (1, 2, 3)),
    )
    assert strengths(2, deals) == pytest.approx(by_plain_maximisation(2, deals), abs=1e-4)
    alone = played(((0, 0, 0), (1, 2, 3)))
    assert strengths(2, alone).tolist() == [0, 0]   # a player tells nothing of himself


@pytest.mark.parametrize("size", [2, 3, 5])
def test_the_same_is_found_as_by_choix(size):
    deals = random_deals(np.linspace(0, 3, 6), size, 60, 2, np.random.default_rng(3))
    orders = [order for deal in deals for game in deal.games for order in rankings(deal.group, game)]
    met = {pair for deal in deals for pair in itertools.combinations(deal.group, 2)}
    orders += [order for pair in met for order in (pair, pair[::-1])]
    assert strengths(6, deals) == pytest.approx(choix.ilsr_rankings(6, orders, max_iter=1000), abs=1e-6)


def test_weights_count_deals_so_often():
    deals = random_deals([0.0, 0.5, 1.0], 3, 20, 1, np.random.default_rng(4))
    weights = np.arange(20.0) % 3
    repeated = [deal for deal, weight in zip(deals, weights, strict=True) for _ in range(int(weight))]
    assert Evidence(3, deals).strengths(weights) == pytest.approx(strengths(3, repeated), abs=1e-6)


def test_the_order_of_deals_does_not_matter():
    deals = random_deals([0.0, 0.5, 1.0, 1.5], 2, 40, 2, np.random.default_rng(5))
    assert strengths(4, deals[::-1]) == pytest.approx(strengths(4, deals), abs=1e-6)
    turned = [Deal(deal.number, deal.group, deal.games[::-1]) for deal in deals]
    assert strengths(4, turned) == pytest.approx(strengths(4, deals), abs=1e-6)
    renamed = [Deal(deal.number, tuple(3 - i for i in deal.group), deal.games) for deal in deals]
    assert strengths(4, renamed)[::-1] == pytest.approx(strengths(4, deals), abs=1e-6)


def test_whoever_always_wins_or_loses_has_a_finite_rating():
    deals = played(*[((0, 1, 2), (3, 1, 2))] * 40)
    low, high, middle = (rating.elo for rating in ratings(3, deals, anchor=2, resamples=0))
    assert -2000 < low < middle - 400 < middle + 400 < high < 4000
    more = played(*[((0, 1, 2), (3, 1, 2))] * 80)
    assert ratings(3, more, anchor=2, resamples=0)[1].elo > high


def test_players_who_never_met_are_counted_from_their_own_mean():
    """Two pairs that share nobody, and one who has not played: what is known is known, and nothing else is made up."""
    found = strengths(5, played(*[((0, 1), (1, 2))] * 9, *[((2, 3), (2, 1))] * 2))
    assert found[0] - found[1] == pytest.approx(math.log(9.5 / 0.5))
    assert found[3] - found[2] == pytest.approx(math.log(2.5 / 0.5))
    assert found[0] + found[1] == pytest.approx(0, abs=1e-9)
    assert found[2] + found[3] == pytest.approx(0, abs=1e-9)
    assert found[4] == 0
    assert strengths(3, []).tolist() == [0, 0, 0]


def test_intervals_hold_the_rating_and_shrink_with_deals():
    rng = np.random.default_rng(6)
    deals = random_deals([0.0, 0.7, 1.4], 2, 400, 2, rng)
    few, many = ratings(3, deals[:40], anchor=0), ratings(3, deals, anchor=0)
    for rating in few + many:
        assert rating.interval[0] <= rating.elo <= rating.interval[1]
    assert many[0].interval == (ANCHOR, ANCHOR)
    for some, more in zip(few[1:], many[1:], strict=True):
        assert more.interval[1] - more.interval[0] < 0.5 * (some.interval[1] - some.interval[0])
    assert ratings(3, deals, anchor=0) == many
    assert ratings(3, deals, anchor=0, seed=2) != many


def test_games_of_one_deal_count_as_one_observation():
    """Copies of a game within a deal tell no more than the game: resampling deals sees that, resampling games would not."""
    deals = random_deals([0.0, 0.5], 2, 60, 1, np.random.default_rng(7))
    copied = [Deal(deal.number, deal.group, deal.games * 4) for deal in deals]
    once, often = (ratings(2, some, anchor=0, resamples=400)[1].interval for some in (deals, copied))
    assert often[1] - often[0] == pytest.approx(once[1] - once[0], rel=0.15)


@pytest.mark.slow
def test_intervals_cover_the_truth_about_as_often_as_they_say():
    """120 ladders of three players of known strength: of the 240 intervals about 228 hold the truth."""
    truth = np.array([0.0, 0.6, 1.2])
    rng = np.random.default_rng(8)
    covered = 0
    for trial in range(120):
        rated = ratings(3, random_deals(truth, 2, 150, 2, rng), anchor=0, seed=trial, resamples=100)
        for i in (1, 2):
            low, high = rated[i].interval
            covered += low <= ANCHOR + ELO * (truth[i] - truth[0]) <= high
    assert 0.90 <= covered / 240 <= 0.985   # five standard deviations of a share of 0.94 are 0.077, of 0.95 upwards less


# the schedule


def test_fresh_pairs_come_first():
    """Every pair once before any pair a second time, where nothing tells the players apart."""
    for n in (3, 5, 8):
        pairs = n * (n - 1) // 2
        groups = informative_groups(n, [], 2, pairs, 2, np.zeros(n))
        assert set(itertools.combinations(range(n), 2)) >= set(groups)
        covered = groups[: n // 2]
        assert len({member for group in covered for member in group}) == 2 * (n // 2)   # and strangers before acquaintances


def test_a_player_without_games_is_next():
    deals = played(*[((0, 1), (1, 2)), ((0, 1), (2, 1))] * 20)
    assert 2 in informative_groups(3, deals, 2, 1, 2)[0]
    assert {2, 3} <= set(informative_groups(4, deals, 3, 1, 3)[0])


def test_unequal_pairs_meet_less_often_than_equal_ones():
    """Players of known strengths a class apart: neighbours meet most, and the pair of extremes least."""
    strength = np.array([0.0, 1.5, 3.0, 4.5])
    groups = informative_groups(4, [], 2, 400, 2, strength)
    met = {pair: groups.count(pair) for pair in itertools.combinations(range(4), 2)}
    neighbours, extremes = [met[i, i + 1] for i in range(3)], met[0, 3]
    assert min(neighbours) > max(met[0, 2], met[1, 3]) >= extremes
    assert sum(met.values()) == 400
    assert sum(neighbours) > 300


def test_uncertain_pairs_are_favoured():
    """Three equal players, of whom one pair has met much: the third meets the others now."""
    both = [((0, 1), (1, 2)), ((0, 1), (2, 1))]
    deals = played(*both * 31, ((0, 2), (1, 2)), ((0, 2), (2, 1)))
    groups = informative_groups(3, deals, 2, 20, 2)
    assert groups.count((0, 1)) == 0
    assert groups[0] == (1, 2)
    assert groups.count((1, 2)) >= groups.count((0, 2)) > 0


@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_nobody_meets_himself_while_there_are_enough(size):
    rng = np.random.default_rng(9)
    for n in (size, size + 1, size + 5):
        deals = random_deals(np.linspace(0, 4, n), size, 30, size, rng)
        for group in informative_groups(n, deals, size, 60, size):
            assert len(set(group)) == size
            assert tuple(sorted(group)) == group


def test_small_pools_fill_their_groups():
    groups = informative_groups(3, [], 6, 10, 6)
    assert all(len(group) == 6 and set(group) == {0, 1, 2} for group in groups)


def test_the_schedule_is_determined_by_what_was_played():
    deals = random_deals([0.0, 0.5, 1.0, 1.5, 2.0], 2, 50, 2, np.random.default_rng(10))
    groups = informative_groups(5, deals, 2, 24, 2)
    assert informative_groups(5, list(deals), 2, 24, 2) == groups
    assert informative_groups(5, deals, 2, 10, 2) == groups[:10]


def test_the_schedule_rates_better_than_round_robin():
    """What it is for: the same number of deals, and a smaller error of the differences (the trace of their covariance)."""
    strength = np.linspace(0, 8, 9)

    def information(groups):
        total = np.zeros((9, 9))
        for a, b in groups:
            chance = 1 / (1 + math.exp(strength[b] - strength[a]))
            direction = np.eye(9)[a] - np.eye(9)[b]
            total += 2 * chance * (1 - chance) * np.outer(direction, direction)
        return total

    pairs = list(itertools.combinations(range(9), 2))
    chosen, turns = informative_groups(9, [], 2, 10 * len(pairs), 2, strength), pairs * 10

    def determinant(groups):
        return np.linalg.slogdet(information(groups)[1:, 1:])[1]

    assert determinant(chosen) > determinant(turns) + 1
