"""The random generator and its bounded draws: as published, and without bias.

A bias of bounded draws from 64-bit words is far too small to be counted. So besides counts, whole states are made up
whose next word is known, and the draw must keep or reject it exactly as the published methods say.
"""

import random
from itertools import pairwise
from types import ModuleType

import numpy as np
import pytest
from games.build import import_module
from scipy.stats import chisquare, kstest

WORD = 2**64
ALPHA = 1e-4
# Small and large, powers of two and their neighbours.
BOUNDS = [1, 2, 3, 5, 6, 10, 16, 40, 80, 495, 1000, 2**16 - 1, 2**31 - 1, 2**31, 2**31 + 1, 3 * 2**30, 2**32 - 1]


@pytest.fixture(scope="module")
def draws() -> ModuleType:
    return import_module("rng_draws")


def rotl(x: int, k: int) -> int:
    return ((x << k) | (x >> (64 - k))) % WORD


def xoroshiro(s0: int, s1: int, count: int) -> list[int]:
    """xoroshiro128++ 1.0, from the paper."""
    words = []
    for _ in range(count):
        words.append((rotl((s0 + s1) % WORD, 17) + s0) % WORD)
        s1 ^= s0
        s0, s1 = rotl(s0, 49) ^ s1 ^ (s1 << 21) % WORD, rotl(s1, 28)
    return words


def state_before(word: int, s0: int) -> tuple[int, int]:
    """A state whose next word is this one."""
    total = rotl((word - s0) % WORD, 64 - 17)
    return s0, (total - s0) % WORD


def test_the_generator_is_xoroshiro128_plus_plus(draws: ModuleType) -> None:
    # the published test vector of the state (1, 2)
    assert draws.words(1, 2, 4) == [393217, 669327710093319, 1732421326133921491, 11394790081659126983]
    dice = random.Random(1)
    for _ in range(50):
        s0, s1 = dice.getrandbits(64), dice.getrandbits(64)
        assert draws.words(s0, s1, 20) == xoroshiro(s0, s1, 20)


def test_a_state_can_be_made_up(draws: ModuleType) -> None:
    dice = random.Random(2)
    for word in (0, 1, WORD - 1, dice.getrandbits(64)):
        assert draws.words(*state_before(word, dice.getrandbits(64)), 1) == [word]


def test_seeds_give_unrelated_states(draws: ModuleType) -> None:
    seeds = [*range(2000), 2**63, WORD - 1, WORD - 2]
    states = [draws.seeded(seed) for seed in seeds]
    assert len({word for state in states for word in state}) == 2 * len(seeds)
    assert (0, 0) not in states
    # about half of all bits differ between neighbours, from the first word on
    firsts = [draws.words(*state, 1)[0] for state in states[:2000]]
    flips = [(one ^ other).bit_count() for one, other in pairwise(firsts)]
    assert abs(np.mean(flips) - 32) < 4 * 4 / len(flips) ** 0.5


@pytest.mark.parametrize("n", BOUNDS)
def test_a_word_is_kept_or_rejected_as_the_method_says(draws: ModuleType, n: int) -> None:
    """Every value has as many words: those whose low half of word * n is below 2^64 mod n are passed over."""
    short = WORD % n
    dice = random.Random(n)
    # words whose product with n wraps to a low half near the limit: multiples of 2^64 / n, and some at random
    edges = [-(-value * WORD // n) % WORD for value in (0, 1, n // 2, n - 1)]
    words = [(edge + step) % WORD for edge in edges for step in (0, 1, -1)] + [dice.getrandbits(64) for _ in range(20)]
    kept = rejected = 0
    for word in words:
        s0 = dice.getrandbits(64)
        state = state_before(word, s0)
        following = xoroshiro(*state, 3)
        assert following[0] == word
        value, after = draws.draw(*state, n)
        if word * n % WORD >= short:
            kept += 1
            assert (value, after) == (word * n >> 64, following[1])
        else:
            rejected += 1
            # the next word decides, unless it is rejected too, which is too rare to happen here
            assert (value, after) == (following[1] * n >> 64, following[2])
    assert kept
    assert bool(rejected) == (short > 0)


@pytest.mark.parametrize(
    ("n", "m"), [(2, 3), (5, 10), (3, 7), (1, 6), (6, 1), (4, 8), (65537, 65539), (2**32 - 1, 2**31 + 1)]
)
def test_two_draws_keep_or_reject_a_word_as_the_method_says(draws: ModuleType, n: int, m: int) -> None:
    product = n * m
    short = WORD % product
    dice = random.Random(product)
    edges = [-(-value * WORD // product) % WORD for value in (0, 1, product // 2, product - 1)]
    words = [(edge + step) % WORD for edge in edges for step in (0, 1, -1)] + [dice.getrandbits(64) for _ in range(20)]
    rejected = 0
    for word in words:
        state = state_before(word, dice.getrandbits(64))
        following = xoroshiro(*state, 3)
        first, second, after = draws.draw_two(*state, n, m)
        if word * product % WORD >= short:
            assert after == following[1]
            used = word
        else:
            rejected += 1
            if following[1] * product % WORD < short:
                continue
            assert after == following[2]
            used = following[1]
        assert (first, second) == divmod(used * product >> 64, m)
    assert bool(rejected) == (short > 0)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 10, 40, 80, 495])
def test_bounded_draws_are_uniform(draws: ModuleType, n: int) -> None:
    counts = draws.counts(n, n, 400_000)
    assert counts.sum() == 400_000
    assert n == 1 or chisquare(counts).pvalue > ALPHA


@pytest.mark.parametrize(("n", "m"), [(2, 3), (5, 10), (1, 6), (6, 1), (5, 16), (16, 16)])
def test_two_draws_are_uniform_and_independent(draws: ModuleType, n: int, m: int) -> None:
    counts = draws.counts_two(7, n, m, 400_000)
    assert counts.sum() == 400_000
    assert chisquare(counts.ravel()).pvalue > ALPHA


def test_neighbouring_seeds_draw_independently(draws: ModuleType) -> None:
    """The first draws of many seeds, as searches and tests take them, are as uniform as many draws of one."""
    for n in (2, 6, 40):
        firsts = [int(draws.counts(seed, n, 1).argmax()) for seed in range(4000)]
        assert chisquare(np.bincount(firsts, minlength=n)).pvalue > ALPHA
        pairs = np.zeros((n, n))
        np.add.at(pairs, (firsts[:-1], firsts[1:]), 1)
        if n <= 6:
            assert chisquare(pairs.ravel()).pvalue > ALPHA


def test_doubles_are_uniform_below_one(draws: ModuleType) -> None:
    values = draws.uniforms(3, 100_000)
    assert values.min() >= 0
    assert values.max() < 1
    assert kstest(values, "uniform").pvalue > ALPHA
    assert (values * 2**53 == np.floor(values * 2**53)).all()
