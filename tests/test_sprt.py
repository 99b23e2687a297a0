"""The sequential test: exact small cases, an independent maximisation, and error rates over simulated matches."""

import math

import numpy as np
import pytest
from garden_core.fields import FieldError
from scipy.optimize import minimize
from scipy.stats import norm

from garden_ai.arena.sprt import PRIOR, Hypotheses, SequentialTest, expected_share, log_likelihood_ratio

NEAR = 20 * PRIOR  # what the prior may change in small cases


def ratio(seen, mean0, mean1):
    return float(log_likelihood_ratio(np.array(list(seen)), np.array(list(seen.values()), float), mean0, mean1))


def test_bounds_are_those_of_wald():
    assert Hypotheses(0, 5).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Hypotheses(0, 5, 0.1, 0.02).bounds == pytest.approx((math.log(0.02 / 0.9), math.log(0.98 / 0.1)))


def test_expected_shares():
    assert expected_share(0, 2) == 0.5
    assert expected_share(400, 2) == pytest.approx(10 / 11)
    assert expected_share(0, 4) == pytest.approx(1 / 4)
    assert expected_share(400 * math.log10(3), 4) == pytest.approx(1 / 2)  # as strong as the three together


@pytest.mark.parametrize(("won", "lost"), [(1, 0), (0, 1), (7, 3), (60, 41)])
def test_with_two_outcomes_the_mean_says_everything(won, lost):
    expected = won * math.log(0.6 / 0.5) + lost * math.log(0.4 / 0.5)
    assert ratio({1.0: won, 0.0: lost}, 0.5, 0.6) == pytest.approx(expected, abs=NEAR)


@pytest.mark.parametrize("outcome", [0.5, 0.75, 1.0])
def test_when_all_deals_were_alike_the_rest_is_where_it_takes_least(outcome):
    # the most likely distribution of mean m < x is x with chance m / x, else 0; of mean m > x it is x or 1
    def likelihood(mean):
        return math.log(mean / outcome if mean <= outcome else (1 - mean) / (1 - outcome))

    assert ratio({outcome: 8}, 0.45, 0.55) == pytest.approx(8 * (likelihood(0.55) - likelihood(0.45)), abs=NEAR)


@pytest.mark.parametrize("seed", range(4))
def test_against_an_independent_maximisation(seed):
    rng = np.random.default_rng(seed)
    outcomes = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    counts = rng.integers(1, 30, 5).astype(float)
    weights = counts + PRIOR * np.array([1, 0, 0, 0, 1])

    def greatest(mean):
        found = minimize(
            lambda p: -(weights * np.log(p)).sum(), np.full(5, 0.2), jac=lambda p: -weights / p, method="SLSQP",
            bounds=[(1e-9, 1)] * 5, options={"ftol": 1e-13, "maxiter": 500},
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones(5)},
                {"type": "eq", "fun": lambda p: p @ outcomes - mean, "jac": lambda p: outcomes},
            ],
        )
        return -found.fun

    found = float(log_likelihood_ratio(outcomes, counts, 0.45, 0.6))
    assert found == pytest.approx(greatest(0.6) - greatest(0.45), abs=1e-4)


def test_neither_side_nor_order_matters():
    seen = {0.0: 3, 0.25: 9, 0.5: 20, 1.0: 6}
    mirrored = {1 - outcome: count for outcome, count in seen.items()}
    assert ratio(seen, 0.48, 0.55) == pytest.approx(ratio(mirrored, 0.52, 0.45))
    assert ratio(seen, 0.48, 0.55) == pytest.approx(-ratio(seen, 0.55, 0.48))


def test_many_matches_at_once_are_each_one():
    outcomes, counts = np.array([0.0, 0.5, 1.0]), np.array([[3.0, 4, 5], [0, 9, 1]])
    together = log_likelihood_ratio(outcomes, counts, 0.5, 0.6)
    assert together == pytest.approx([ratio(dict(zip(outcomes, row, strict=True)), 0.5, 0.6) for row in counts])


def test_it_decides_at_the_first_deal_beyond_a_bound_and_stays_with_that():
    test = SequentialTest(Hypotheses(0, 100), 2)
    decisions = [test.add(1.0) for _ in range(30)]
    first = next(i for i, decision in enumerate(decisions) if decision)
    # nothing but wins: each is worth the ratio of the shares
    assert first + 1 == math.ceil(math.log(19) / math.log(expected_share(100, 2) / 0.5))
    assert decisions == [None] * first + ["H1"] * (30 - first)
    decided = test.ratio
    assert [test.add(0.0) for _ in range(50)] == ["H1"] * 50
    assert test.ratio == decided
    other = SequentialTest(Hypotheses(0, 100), 2)
    assert [other.add(0.0) for _ in range(40)][-1] == "H0"


@pytest.mark.parametrize(
    ("numbers", "place"),
    [((5, 5), "ELO1"), ((5, 0), "ELO1"), ((-3000, 0), "ELO0"), ((math.nan, 0), "ELO0"), ((0, 5, 0, 0.1), "ALPHA"),
     ((0, 5, 0.1, 0.5), "BETA")],
)
def test_wrong_hypotheses(numbers, place):
    with pytest.raises(FieldError, match=place):
        Hypotheses(*numbers)


LUCK = 0.8  # of a deal, in what decides a game by chance


def outcomes_of_deals(share, players, shape, rng):
    """Outcomes of deals in which the first player wins a game with the chance `share`.

    What decides a game is his strength, the luck of the deal, which the rotations deal out evenly, and chance.
    """
    luck = rng.normal(size=(*shape, players))
    luck = LUCK * (luck - luck.mean(-1, keepdims=True)) * math.sqrt(players / (players - 1))
    strength = norm.ppf(share) * math.sqrt(1 + LUCK**2)
    return (strength + luck + rng.normal(size=luck.shape) > 0).mean(-1)


def matches(hypotheses, players, elo, count, seed):
    """Decisions, +1 for H1, and lengths of so many tested matches of one who is `elo` points better."""
    rng = np.random.default_rng(seed)
    outcomes = np.arange(players + 1) / players
    low, high = hypotheses.bounds
    seen = np.zeros((count, players + 1))
    decisions, lengths = np.zeros(count, int), np.zeros(count, int)
    playing = np.arange(count)
    while len(playing):
        deals = outcomes_of_deals(expected_share(elo, players), players, playing.shape, rng)
        seen[playing, np.rint(deals * players).astype(int)] += 1
        lengths[playing] += 1
        ratios = log_likelihood_ratio(outcomes, seen[playing], *hypotheses.shares(players))
        decisions[playing] = np.where(ratios >= high, 1, np.where(ratios <= low, -1, 0))
        playing = playing[decisions[playing] == 0]
    return decisions, lengths


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hypotheses", "players"), [(Hypotheses(0, 70), 2), (Hypotheses(-40, 50, 0.1, 0.03), 4)], ids=["pairs", "four players"]
)
def test_its_error_rates_are_what_it_says_and_it_is_quicker(hypotheses, players):
    count = 1500
    false_h1, lengths0 = matches(hypotheses, players, hypotheses.elo0, count, seed=1)
    false_h0, lengths1 = matches(hypotheses, players, hypotheses.elo1, count, seed=2)
    for allowed, errors in ((hypotheses.alpha, (false_h1 > 0).mean()), (hypotheses.beta, (false_h0 < 0).mean())):
        deviation = math.sqrt(allowed * (1 - allowed) / count)
        # above by chance only; below, since the last deal goes beyond the bound, by less than half
        assert allowed / 2 - 3 * deviation <= errors <= allowed + 3 * deviation, (allowed, errors)
    # a match of fixed length with the same errors, its bound between the shares by normal quantiles
    share0, share1 = hypotheses.shares(players)
    spread = outcomes_of_deals((share0 + share1) / 2, players, (100_000,), np.random.default_rng(3)).std()
    quantiles = norm.ppf(1 - hypotheses.alpha) + norm.ppf(1 - hypotheses.beta)
    fixed = (quantiles * spread / (share1 - share0)) ** 2
    assert lengths0.mean() < fixed
    assert lengths1.mean() < fixed
    assert (lengths0.mean() + lengths1.mean()) / 2 < 0.75 * fixed


def test_luck_of_a_deal_makes_its_games_opposite():
    """The simulated deals are what the test is for: pairs whose shares spread less than those of games by themselves."""
    deals = outcomes_of_deals(0.5, 2, (50_000,), np.random.default_rng(1))
    assert deals.mean() == pytest.approx(0.5, abs=0.01)
    assert deals.var() < 0.8 * 0.125
