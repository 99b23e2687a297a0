"""Players: what their words mean, the levels of every game, and how slips choose among near-best moves."""

import itertools
import json
import math
import random
from collections import Counter
from dataclasses import replace

import pytest
from garden_core.fields import FieldError
from hypothesis import given
from hypothesis import strategies as st
from mutation import searching
from scipy.stats import chisquare

from garden_ai import load
from garden_ai.analysis import SLIPS, TRUSTED, Analysis
from garden_ai.games import definition, names
from garden_ai.players import Player, level, levels, parse_player
from garden_ai.search import ENGINES, make_control, make_settings

USUAL = Player("mcts", simulations=77, threads=2)


# words


@pytest.mark.parametrize(
    ("words", "player"),
    [
        ("greedy", Player("greedy", simulations=77, threads=2)),
        ("  halving   simulations=5 ", Player("halving", simulations=5, threads=2)),
        ("mcts seconds=0.5", Player("mcts", seconds=0.5, threads=2)),
        ("mcts seconds=2 simulations=300", Player("mcts", seconds=2.0, simulations=300, threads=2)),
        ("mcts threads=4 slip=0.02", Player("mcts", simulations=77, threads=4, slip=0.02)),
        ("greedy slip=1", Player("greedy", simulations=77, threads=2, slip=1.0)),
        (
            "mcts constant=2 priors=false cutoff=-1 playouts=random selection=ucb1",
            Player("mcts", simulations=77, threads=2, settings={
                "constant": 2.0, "priors": False, "cutoff": -1, "playouts": "random", "selection": "ucb1"}),
        ),
        ("expectimax depth=2 simulations=9", Player("expectimax", simulations=9, threads=2, settings={"depth": 2})),
    ],
)
def test_words_say_engine_limits_settings_and_slip(words, player):
    assert parse_player(words, "leelawadee", USUAL) == player


def test_a_player_without_limits_has_those_of_the_usual_one():
    for usual in (Player("random", seconds=3.0), Player("random", simulations=4, threads=3)):
        found = parse_player("mcts", "leelawadee", usual)
        assert (found.seconds, found.simulations, found.threads) == (usual.seconds, usual.simulations, usual.threads)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "--seat: expected one of random, greedy, halving, mcts, expectimax"),
        ("oracle", "got 'oracle'"),
        ("mcts fast", "--seat: expected KEY=VALUE after mcts; got 'fast'"),
        ("mcts slip", "--seat: expected KEY=VALUE"),
        ("mcts constant=1 constant=1", "--seat: expected each setting once; constant stands there twice"),
        ("mcts colour=1", "--seat colour: unknown setting; mcts has selection,"),
        ("greedy constant=1", "--seat constant: unknown setting; greedy has none"),
        ("mcts constant=much", "--seat constant: expected a number; got 'much'"),
        ("mcts constant=-1", "--seat constant: expected a number 0..1000; got -1"),
        ("mcts constant=nan", "--seat constant: expected a number"),
        ("mcts priors=maybe", "--seat priors: expected true or false; got 'maybe'"),
        ("mcts cutoff=1.5", "--seat cutoff: expected a whole number; got '1.5'"),
        ("mcts playouts=long", "--seat playouts: expected one of policy, random; got 'long'"),
        ("mcts simulations=0", "--seat simulations: expected a whole number above 0; got 0"),
        ("mcts simulations=1e3", "--seat simulations: expected a whole number; got '1e3'"),
        ("mcts seconds=-1", "--seat seconds: expected a number above 0; got -1"),
        ("mcts seconds=inf", "--seat seconds: expected a number above 0; got inf"),
        ("mcts slip=-0.1", "--seat slip: expected a number 0..1, a utility; got -0.1"),
        ("mcts slip=1.5", "--seat slip: expected a number 0..1, a utility; got 1.5"),
        ("mcts slip=nan", "--seat slip: expected a number 0..1, a utility; got nan"),
        ("mcts slip=much", "--seat slip: expected a number; got 'much'"),
        ("mcts threads=0", "--seat threads: expected a whole number 1..256; got 0"),
        ("mcts threads=257", "--seat threads: expected a whole number 1..256; got 257"),
        ("mcts threads=two", "--seat threads: expected a whole number; got 'two'"),
    ],
)
def test_wrong_words_have_one_clear_line(words, message):
    with pytest.raises(FieldError) as error:
        parse_player(words, "leelawadee", USUAL, "--seat")
    assert message in str(error.value)
    assert str(error.value).startswith("--seat")
    assert "\n" not in str(error.value)


KEYS = ["seconds", "simulations", "threads", "slip", "constant", "priors", "playouts", "depth", "memory", "selection"]
VALUES = ["0", "1", "-1", "0.5", "1e400", "nan", "true", "random", "ucb1", "", "=", "²", "1_000", "9" * 5000]


@searching(150)
@given(
    st.sampled_from([*ENGINES, "", "oracle"]),
    st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from(VALUES) | st.text(max_size=3)), max_size=3),
)
def test_any_words_are_a_player_or_one_line(engine, pairs):
    words = " ".join([engine, *(f"{key}={value}" for key, value in pairs)])
    player, refused = None, "--seat"
    try:
        player = parse_player(words, "leelawadee", USUAL, "--seat")
    except FieldError as error:
        refused = str(error)
    assert refused.startswith("--seat")
    assert "\n" not in refused
    if player:
        make_settings(player.engine, player.settings)
        make_control(player.seconds, player.simulations)
        assert 0 <= player.slip <= 1
        assert 1 <= player.threads <= 256


# levels


@pytest.fixture(params=names())
def game(request):
    return request.param


def rows_of(name):
    return json.loads(definition(name).levels_file.read_text(encoding="utf-8"))


def test_every_game_has_four_to_eight_levels_from_beginner_to_champion(game):
    found = list(levels(game))
    assert 4 <= len(found) <= 8
    assert (found[0], found[-1]) == ("beginner", "champion")
    assert not set(found) & {*ENGINES, "human", "you"}   # what stands for something else where a level may stand
    assert all(name.isalpha() and name.islower() for name in found)
    assert found == [row["name"] for row in rows_of(game)["levels"]]


def test_levels_are_valid_and_repeatable_players(game):
    """Simulations, never seconds: a level is as strong on every machine."""
    for name, player in levels(game).items():
        make_settings(player.engine, player.settings)
        make_control(player.seconds, player.simulations)
        assert player.seconds is None
        assert player.simulations is not None or player.engine in ("random", "greedy")
        assert player.threads == 1
        assert 0 <= player.slip <= 0.5
        assert parse_player(name, game, USUAL) == player == level(game, name)


def test_rows_of_levels_hold_nothing_unknown(game):
    known = {"name", "engine", "simulations", "settings", "slip", "elo", "interval", "above", "above_interval"}
    for row in rows_of(game)["levels"]:
        assert set(row) <= known


def test_levels_are_measured_and_weakest_first(game):
    content = rows_of(game)
    assert {"date", "commit", "command"} <= set(content["measured"])
    rows = content["levels"]
    ratings = [row["elo"] for row in rows]
    assert ratings == sorted(ratings)
    for row in rows:
        low, high = row["interval"]
        assert low <= row["elo"] <= high
    for lower, upper in itertools.pairwise(rows):
        low, high = upper["above_interval"]
        assert 0 < low <= upper["above"] <= high
        assert upper["above"] == pytest.approx(upper["elo"] - lower["elo"], abs=2)


def test_a_level_that_is_none(game):
    with pytest.raises(FieldError, match=r"--level: expected one of beginner, .*champion; got 'oracle'"):
        level(game, "oracle", "--level")
    with pytest.raises(FieldError, match=r"--seat: expected a level alone, .*; got 'slip=0' after beginner"):
        parse_player("beginner slip=0", game, USUAL, "--seat")


def test_no_game_no_levels():
    with pytest.raises(FieldError, match="game: expected one of"):
        levels("chess")


# slips


def analysis(*moves, probabilities=None, threshold=0.0):
    """An analysis of (utility, visits) pairs, best first; the actions are 10, 11, 12, ..."""
    n = len(moves)
    return Analysis(
        game="leelawadee", to_move=0, engine="mcts", simulations=100, nodes=100, seconds=1.0, depth=3, solved=False,
        calibrated=False, moves=(), actions=tuple(range(10, 10 + n)), threshold=threshold,
        probabilities=tuple(probabilities or [1.0] + [0.0] * (n - 1)),
        visits=tuple(visits for _, visits in moves), utilities=tuple(utility for utility, _ in moves),
    )


def frequencies(found, slip, count=6000):
    return Counter(found.choose(seed, slip) for seed in range(count))


def test_slips_have_the_frequencies_that_are_documented():
    """One slip less is e times less likely: here moves that lack 0, 1, 2 and 3 slips, and one that lacks more."""
    found = analysis((0.6, 500), (0.55, 300), (0.5, 100), (0.4501, 50), (0.4499, 50), (0.3, 50))
    chosen = frequencies(found, 0.05)
    assert set(chosen) == {10, 11, 12, 13}
    weights = [math.exp(-lack) for lack in (0, 1, 2, 2.998)]
    expected = [6000 * weight / sum(weights) for weight in weights]
    assert chisquare([chosen[10 + i] for i in range(4)], expected).pvalue > 0.001


def test_moves_that_were_hardly_looked_at_are_never_played():
    """Fewer visits than their share of the most visited one's: their mean may be high by chance."""
    found = analysis((0.5, 1000), (0.9, 49), (0.49, 50), (math.nan, 0))
    assert set(frequencies(found, 0.1)) == {10, 12}
    assert TRUSTED == 0.05
    assert SLIPS == 3


def test_equal_moves_are_equally_likely():
    chosen = frequencies(analysis((0.5, 1), (0.5, 1), (0.5, 1), (0.1, 1)), 0.02)
    assert set(chosen) == {10, 11, 12}
    assert chisquare([chosen[action] for action in (10, 11, 12)]).pvalue > 0.001


def test_a_tiny_slip_plays_the_best_mean_and_a_huge_one_anything_trusted():
    found = analysis((0.5, 100), (0.7, 90), (0.2, 90), (0.1, 2))
    assert set(frequencies(found, 1e-9, 50)) == {11}
    assert set(frequencies(found, 1.0)) == {10, 11, 12}


def test_without_a_slip_the_best_is_played():
    found = analysis((0.5, 100), (0.7, 90))
    assert {found.choose(seed) for seed in range(50)} == {found.choose(seed, 0.0) for seed in range(50)} == {10}


def test_the_same_seed_makes_the_same_slip():
    found = analysis((0.5, 9), (0.5, 9), (0.5, 9))
    assert [found.choose(seed, 0.1) for seed in range(50)] == [found.choose(seed, 0.1) for seed in range(50)]


def test_mixed_strategies_stay_as_they_are():
    """Playing the best of them instead, or a near-best one, could be exploited."""
    found = analysis((0.5, 50), (0.5, 40), (0.5, 30), probabilities=[0.6, 0.35, 0.05], threshold=0.1)
    for slip in (0.0, 0.05, 1.0):
        assert [found.choose(seed, slip) for seed in range(200)] == [found.choose(seed) for seed in range(200)]
    assert set(frequencies(found, 0.05)) == {10, 11}
    pure = replace(found, threshold=1.0)
    assert {pure.choose(seed, 0.05) for seed in range(50)} == {10}


def test_nothing_looked_at():
    """A search that was stopped before its first simulation, and a forced move of the random engine."""
    assert analysis((math.nan, 0), (math.nan, 0)).choose(1, 0.1) == 10
    assert analysis((math.nan, 0)).choose(1, 0.1) == 10


def decisions(name, players, count):
    """Decisions of a random game, evenly spread over it."""
    state, found, rng = load(name, players).start(1), [], random.Random(1)
    while state.actor != -2:
        if state.actor == -1:
            state.draw(rng.getrandbits(32))
            continue
        found.append(state.copy())
        state.apply(state.random_action(rng.getrandbits(32)))
    return found[:: max(1, len(found) // count)][:count]


@pytest.mark.parametrize("engine", ["greedy", "halving", "mcts"])
def test_slips_of_real_searches_are_near_best(game, engine):
    """With the fewest players, alone where the game is played alone: against the moves as the analysis tells them."""
    player = Player(engine, simulations=40, slip=0.03)
    for state in decisions(game, definition(game).players[0], 4):
        found = player.analyse(state, 5)
        moves = {move.action: move for move in found.moves} if len(found.actions) <= 60 else {}
        chosen = {player.choose(found, seed) for seed in range(60)}
        assert all(state.is_legal(action) for action in chosen)
        assert [replace(player, slip=0.0).choose(found, seed) for seed in range(5)] == [found.choose(seed) for seed in range(5)]
        if len(state.legal_actions()) == 1:
            assert chosen == {state.legal_actions()[0]}
        elif moves and found.probabilities[0] == 1.0:
            most = max(move.visits for move in moves.values())
            trusted = [move for move in moves.values() if move.visits and move.visits >= TRUSTED * most]
            least = max(move.utility for move in trusted) - 3 * player.slip
            assert chosen <= {move.action for move in trusted if move.utility >= least - 1e-9}


def test_players_who_slip_are_met_with_forced_and_mixed_decisions_too():
    """The test above would say little if no game had them."""
    kinds = set()
    for name in names():
        for state in decisions(name, definition(name).players[0], 4):
            found = Player("mcts", simulations=40).analyse(state, 5)
            kinds.add("forced" if len(found.actions) == 1 else "mixed" if found.probabilities[0] < 1 else "pure")
    assert kinds == {"forced", "mixed", "pure"}
