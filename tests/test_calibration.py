"""Calibrated odds: the statistics against what theory knows, the correction, samples of games, and what `hint` says."""

import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from garden_core.fields import FieldError
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from garden_ai import analyse, load
from garden_ai.arena.calibration import (
    Bin,
    brier_score,
    calibration,
    calibration_error,
    chance_error,
    columns,
    cross_corrected,
    error_interval,
    fitted,
    log_losses,
    reliability,
)
from garden_ai.arena.match import GameChoice
from garden_ai.arena.measured import keep_row, keep_rows
from garden_ai.arena.samples import Header, Sample, SampledGame, SamplesFile, decisions, sampled_game
from garden_ai.cli.hint import advice
from garden_ai.cli.reliability import COLUMNS, MENDED, RAW, plot, reliability_picture
from garden_ai.games import names
from garden_ai.odds import IDENTITY, Correction, correction_for, measured_odds
from garden_ai.players import Player
from garden_ai.search import changed_settings, make_settings, tuned_settings

ROOT = Path(__file__).parent.parent
OFF = Correction(offset=-0.3, slope=1.8, optimism=0.25)  # about what a search with playouts may need


def made_up(correction: Correction, games: int = 1500, each: int = 4, players: int = 2, seed: int = 5) -> list[SampledGame]:
    """Games whose samples state chances of any size that come true as `correction` has them."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(games):
        samples = []
        for i in range(each):
            simulations, stated = int(rng.choice((300, 3000))), float(rng.uniform(0.02, 0.98))
            happened = float(rng.random() < correction(stated, players, simulations))
            samples.append(Sample(i / each, simulations, simulations // 2, stated, happened))
        made.append(SampledGame(number, tuple(samples)))
    return made


# bins and errors


def test_bins_hold_what_states_about_the_same():
    stated, happened = np.array([0.0, 0.05, 0.1, 0.95, 1.0]), np.array([0.0, 0.5, 0.25, 1.0, 1.0])
    first, second, last = reliability(stated, happened)
    assert first == pytest.approx(Bin(0.0, 0.1, 2, 0.025, 0.25))     # a tie for the first place is half of it
    assert second == pytest.approx(Bin(0.1, 0.2, 1, 0.1, 0.25))
    assert last == pytest.approx(Bin(0.9, 1.0, 2, 0.975, 1.0))
    assert calibration_error(stated, happened) == pytest.approx((2 * 0.225 + 0.15 + 2 * 0.025) / 5)


def test_bins_of_equal_counts():
    stated = np.linspace(0.4, 0.6, 100) ** 2
    table = reliability(stated, stated, bins=5, equal_counts=True)
    assert [one.positions for one in table] == [20] * 5
    assert (table[0].low, table[-1].high) == (0.0, 1.0)
    alike = reliability(np.full(50, 0.5), np.ones(50), equal_counts=True)
    assert [one.positions for one in alike] == [50]
    assert calibration_error(np.full(50, 0.5), np.ones(50), equal_counts=True) == pytest.approx(0.5)


def test_scores_of_known_odds():
    half = np.array([0.5, 0.5])
    assert brier_score(half, np.array([0.0, 1.0])) == 0.25
    assert log_losses(half, np.array([0.5, 1.0])) == pytest.approx([math.log(2)] * 2)
    assert log_losses(np.array([0.0, 1.0, 0.2]), np.array([0.0, 1.0, 0.0])) == pytest.approx([0, 0, -math.log(0.8)])


@pytest.mark.parametrize("positions", [100, 1600])
def test_perfect_odds_seem_off_by_chance(positions):
    """The mean of n tosses lies sqrt(2 / pi) standard errors from the truth, on average."""
    expected = math.sqrt(2 / math.pi) * 0.5 / math.sqrt(positions)
    assert chance_error(np.full(positions, 0.5)) == pytest.approx(expected, rel=0.1)


def test_games_are_drawn_whole():
    """To say everything nine times is no news; taking the nine for nine games would make the interval far too narrow."""
    rng = np.random.default_rng(1)
    stated = rng.random(60)
    happened = (rng.random(60) < stated).astype(float)
    once = error_interval(stated, happened, np.arange(60))
    again = error_interval(np.repeat(stated, 9), np.repeat(happened, 9), np.repeat(np.arange(60), 9))
    assert again == pytest.approx(once)
    narrow = error_interval(np.repeat(stated, 9), np.repeat(happened, 9), np.arange(540))
    assert narrow[1] - narrow[0] < 0.6 * (once[1] - once[0])


# the correction


@given(
    st.lists(st.floats(0.001, 0.999), min_size=2, max_size=10, unique=True), st.floats(-2, 2), st.floats(0.2, 5),
    st.floats(-2, 2), st.integers(2, 6), st.integers(1, 10**6),
)
def test_a_correction_keeps_the_order(chances, offset, slope, optimism, players, simulations):
    correction = Correction(offset, slope, optimism)
    mended = [correction(chance, players, simulations) for chance in [0.0, *sorted(chances), 1.0]]
    assert mended == sorted(mended)
    assert (mended[0], mended[-1]) == (0.0, 1.0)


def test_known_corrections():
    assert IDENTITY(0.3, 3, 100) == 0.3
    for players in (2, 3, 6):   # nobody ahead stays nobody ahead
        assert Correction(slope=2.5)(1 / players, players, 1000) == pytest.approx(1 / players)
    assert Correction(slope=2)(0.75, 2, 1000) == pytest.approx(0.9)            # odds of 3 become 9
    assert Correction(offset=math.log(3))(0.5, 2, 1000) == pytest.approx(0.75)
    assert Correction(optimism=math.log(3))(0.5, 2, 1000) == pytest.approx(0.25)
    assert Correction(optimism=math.log(9))(0.5, 2, 4000) == pytest.approx(0.25)   # half of it at four times the search


@pytest.mark.parametrize("players", [2, 4])
def test_what_is_off_is_mended(players):
    games = made_up(OFF, players=players)
    found = calibration(games, players)
    assert (found.games, found.before.positions) == (1500, 6000)
    assert found.correction.offset == pytest.approx(OFF.offset, abs=0.12)
    assert found.correction.slope == pytest.approx(OFF.slope, abs=0.12)
    assert found.correction.optimism == pytest.approx(OFF.optimism, abs=0.12)
    assert found.before.error > 0.08
    assert found.after.error < 2 * found.after.by_chance < 0.03
    assert found.before.interval[0] < found.before.error < found.before.interval[1]
    assert found.after.interval[1] < found.before.interval[0]
    assert found.after.log_loss < found.before.log_loss
    assert found.after.brier < found.before.brier
    assert {part.name: part.positions for part in found.parts}["first third of the game"] == 3000
    assert all(part.after < part.before for part in found.parts)


def test_what_is_right_stays():
    games = made_up(IDENTITY)
    found = calibration(games, 2)
    assert found.before.error < 2 * found.before.by_chance
    assert found.after.error < 2 * found.after.by_chance
    correction = fitted(columns(games), 2)
    assert (correction.offset, correction.slope, correction.optimism) == pytest.approx((0, 1, 0), abs=0.12)


def test_a_fit_is_measured_on_other_games():
    """Where nothing can be learnt a fit to the same games would look better than it is; one to others looks no better."""
    rng = np.random.default_rng(3)
    samples = [Sample(0.5, 1000, 500, float(rng.uniform(0.3, 0.7)), float(number // 2 % 2)) for number in range(8)]
    games = [SampledGame(number, (sample,)) for number, sample in enumerate(samples)]
    data = columns(games)
    mended = cross_corrected(data, 2)
    for half in (0, 1):
        other = fitted(columns(games[1 - half :: 2]), 2)
        expected = [other(chance, 2, 1000) for chance in data.stated[half::2]]
        assert mended.stated[half::2] == pytest.approx(expected)


def test_the_fit_takes_certainty_for_no_more_than_its_visits():
    """A move that won all of its ten playouts may yet lose."""
    games = [SampledGame(number, (Sample(0.5, 1000, 10, 1.0, float(number % 20 > 0)),)) for number in range(400)]
    assert columns(games).clipped == pytest.approx(np.full(400, 0.95))
    assert math.isfinite(calibration(games, 2).before.log_loss)


# samples of games


@pytest.fixture(scope="module")
def sampled():
    choice = GameChoice("leelawadee", 2)
    return [sampled_game(choice, Player("greedy"), [Player("mcts", simulations=60)], 1.0, number, 7) for number in range(12)]


def test_samples_of_whole_games(sampled):
    expected = decisions(load("leelawadee", 2), 1)
    for number, game in enumerate(sampled):
        assert game.number == number
        assert len(game.samples) == pytest.approx(expected, rel=0.25)   # a share of 1 takes all that are not forced
        progress = [one.progress for one in game.samples]
        assert progress == sorted(progress)
        assert 0 <= progress[0] <= progress[-1] < 1
        assert {one.happened for one in game.samples} in ({0.0, 1.0}, {0.5})
        assert all(0 < one.visits <= one.simulations == 60 for one in game.samples)


def test_near_the_end_it_comes_as_stated(sampled):
    late = [abs(one.stated - one.happened) for game in sampled for one in game.samples if one.progress > 0.8]
    assert np.mean(late) < 0.1


def test_samples_depend_on_the_seed_alone(sampled):
    choice, players = GameChoice("leelawadee", 2), [Player("mcts", simulations=60)]
    assert sampled_game(choice, Player("greedy"), players, 1.0, 3, 7) == sampled[3]
    assert sampled_game(choice, Player("greedy"), players, 1.0, 3, 8) != sampled[3]
    some = [sampled_game(choice, Player("greedy"), players, 0.3, number, 7) for number in range(12)]
    assert 0.1 < sum(len(game.samples) for game in some) / sum(len(game.samples) for game in sampled) < 0.5


def test_a_measurement_goes_on_from_its_file(tmp_path, sampled):
    file = tmp_path / "samples.jsonl"
    header = Header("leelawadee", 2, {"tie": "shared"}, "abc", Player("greedy"), (Player("mcts", simulations=60),), 1.0, 7)
    first = SamplesFile(file, header)
    for game in sampled[:3]:
        first.add(game)
    first.close()
    file.write_bytes(file.read_bytes() + b'{"number":3,"sam')   # as a killed process leaves it
    second = SamplesFile(file, header)
    assert second.games == sampled[:3]
    second.add(sampled[3])
    second.close()
    third = SamplesFile(file, header)
    third.close()
    assert third.games == sampled[:4]
    with pytest.raises(FieldError, match=r"samples\.jsonl:1: expected the measurement that is asked for"):
        SamplesFile(file, replace(header, seed=8))
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([lines[0], *lines[2:]]))
    with pytest.raises(FieldError, match=r"samples\.jsonl:2\.number: expected 0; got 1"):
        SamplesFile(file, header)
    file.write_text("nonsense\n")
    with pytest.raises(FieldError, match=r"samples\.jsonl:1: expected a header"):
        SamplesFile(file, header)


# what is kept, and what hint says


def row(**changes):
    game = load("leelawadee", 2)
    kept = {
        "players": 2, "engine": "mcts", "settings": changed_settings(make_settings("mcts", tuned_settings(game.start(), "mcts"))),
        "options": dict(game.options), "components": game.digest, "simulations": 100,
        "offset": OFF.offset, "slope": OFF.slope, "optimism": OFF.optimism, "measured": {"games": 400},
    }
    return {**kept, **changes}


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Makes `hint` read other odds."""
    file = tmp_path / "levels.json"

    def keep(*rows):
        keep_rows(file, "odds", list(rows))
        measured_odds.cache_clear()

    class Definition:
        levels_file = file

    monkeypatch.setattr("garden_ai.odds.definition", lambda name: Definition)
    keep()
    yield keep
    measured_odds.cache_clear()


def test_rows_are_kept_beside_each_other(tmp_path):
    file = tmp_path / "levels.json"
    file.write_text('{"levels": [{"name": "beginner"}]}')
    for players, slope in ((3, 1.5), (2, 1.25), (3, 1.75)):
        keep_row(file, "odds", {"players": players, "slope": slope}, "players")
    assert json.loads(file.read_text()) == {
        "levels": [{"name": "beginner"}], "odds": [{"players": 2, "slope": 1.25}, {"players": 3, "slope": 1.75}],
    }
    assert '\n  {"players": 2, "slope": 1.25},\n' in file.read_text()
    keep_rows(file, "levels", [])
    assert json.loads(file.read_text())["odds"][0]["players"] == 2


def told(analysis):
    console = Console(width=100)
    with console.capture() as caught:
        console.print(advice(analysis))
    return caught.get()


def test_measured_odds_are_corrected(kept):
    state = load("leelawadee", 2).start(1)
    raw = analyse(state, simulations=400, seed=3)
    assert not raw.calibrated
    assert not raw.to_dict()["calibrated"]
    assert "win (estimated)" in told(raw)
    kept(row())
    mended = analyse(state, simulations=400, seed=3)
    assert mended.calibrated
    assert mended.to_dict()["calibrated"]
    assert "win" in told(mended)
    assert "estimated" not in told(mended)
    assert [move.action for move in mended.moves] == [move.action for move in raw.moves]
    assert mended.utilities == raw.utilities
    assert mended.moves.raw_wins == raw.moves.raw_wins
    for move, other in zip(mended.moves, raw.moves, strict=True):
        if other.win is not None:
            assert move.win == OFF(other.win, 2, 400)
        if other.win_interval is not None:
            assert move.win_interval == tuple(OFF(end, 2, 400) for end in other.win_interval)
            assert move.win_interval[0] <= move.win <= move.win_interval[1]


def test_odds_that_need_no_correction_are_no_estimate(kept):
    state = load("leelawadee", 2).start(1)
    raw = analyse(state, simulations=200, seed=3)
    kept(row(offset=0.0, slope=1.0, optimism=0.0))
    same = analyse(state, simulations=200, seed=3)
    assert same.calibrated
    assert [move.win for move in same.moves] == [move.win for move in raw.moves]


def test_a_row_speaks_for_what_was_measured_only(kept):
    kept(row())
    game = load("leelawadee", 2)
    state = game.start(1)
    assert not analyse(state, simulations=99, seed=1).calibrated                   # too short
    assert not analyse(state, simulations=200, seed=1, constant=3.0).calibrated    # other settings
    assert not analyse(state, "halving", simulations=200, seed=1).calibrated       # another engine
    assert not analyse(load("leelawadee", 3).start(1), simulations=200, seed=1).calibrated
    settings = row()["settings"]
    assert correction_for(game, "mcts", settings, 100) == OFF
    assert correction_for(load("leelawadee", 2, first=1), "mcts", settings, 100) == OFF   # measured with whoever began
    assert correction_for(load("leelawadee", 2, open_draws=True), "mcts", settings, 100) is None
    kept(row(components="0123456789abcdef"))
    assert correction_for(game, "mcts", settings, 100) is None


@pytest.mark.parametrize("name", names())
def test_what_the_games_keep_is_true_of_them_now(name):
    """A change of components or tuned settings leaves odds behind that speak for nothing: they must be measured anew."""
    for players, odds in measured_odds(name).items():
        game = load(name, players)
        settings = changed_settings(make_settings("mcts", tuned_settings(game.start(), "mcts")))
        assert correction_for(game, "mcts", settings, odds.simulations) == odds.correction
        assert odds.correction.slope > 0


# the picture and the script


def test_the_plot_puts_perfect_odds_on_the_diagonal():
    found = calibration(made_up(OFF, games=1000), 2)
    perfect = tuple(Bin(low / 10, low / 10 + 0.1, 1, low / 10 + 0.05, low / 10 + 0.05) for low in range(10))
    lines = plot(replace(found, correction=IDENTITY, before=replace(found.before, bins=perfect))).plain.splitlines()
    points = [(line.index(MENDED), number) for number, line in enumerate(lines[:21]) if MENDED in line]
    assert len(points) == 10
    assert all((column - 7) / (COLUMNS - 1) == pytest.approx(1 - number / 20, abs=0.03) for column, number in points)
    text = plot(found).plain
    assert RAW in text
    assert MENDED in text


def test_the_picture_fits_into_80_columns():
    console = Console(width=80)
    with console.capture() as caught:
        console.print(reliability_picture(calibration(made_up(OFF, games=300), 2), "a game"))
    lines = caught.get().splitlines()
    assert all(len(line.rstrip()) <= 80 for line in lines)
    assert "…" not in caught.get()
    assert sum(line.lstrip().startswith("all") for line in lines) == 1


def run_calibrate(*arguments):
    command = [sys.executable, ROOT / "tools" / "calibrate", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_the_script_measures_and_writes(tmp_path):
    arguments = (
        "leelawadee", "--seat", "greedy", "--simulations", 20, 40, "--workers", 1, "--samples", tmp_path / "samples.jsonl",
        "--results", tmp_path, "--images", tmp_path, "--games",
    )
    assert run_calibrate(*arguments, 3).returncode == 0
    done = run_calibrate(*arguments, 6)
    assert done.returncode == 0, done.stderr
    assert "6 games" in done.stdout
    figures = json.loads((tmp_path / "calibration-leelawadee-2.json").read_text())
    assert figures["games"] == 6
    assert figures["before"]["positions"] == sum(one["positions"] for one in figures["bins_before"]) > 10
    assert figures["simulations"] == [20, 40]
    assert str(tmp_path) not in json.dumps(figures)
    assert "--seat greedy --simulations 20 40" in figures["command"]
    assert "<svg" in (tmp_path / "calibration-leelawadee-2.svg").read_text()


@pytest.mark.parametrize(("arguments", "message"), [
    (("leelawadee", "--players", 1), "--players: expected 2 or more"),
    (("chess",), "chess"),
    (("leelawadee", "--seat", "oracle"), "--seat: expected one of"),
])
def test_the_script_refuses(arguments, message):
    done = run_calibrate(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
