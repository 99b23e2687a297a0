"""`garden-ai bench`: what its figures mean, and that a root which leaves no choice is refused."""

import json
import statistics
from unittest.mock import patch

import pytest
from command import call, refused
from garden_core.fields import FieldError

from garden_ai import bench, load
from garden_ai.games import definition, names
from garden_ai.position import position_dict

QUICK = ("--runs", "1", "--seconds", "0.001")
FORCED = ("butterfly_garden", "flowerpower", "ladybird", "leelawadee")  # Under the Leaves always leaves a choice
EVERY = [(name, players) for name in names() for players in definition(name).players]


def forced_state(name, players):
    """The first decision with one legal move in a random game."""
    for seed in range(1, 200):
        state = load(name, players).start(seed)
        while state.actor != -2:
            if state.actor == -1:
                state.draw(seed)
                continue
            if len(state.legal_actions()) == 1:
                return state
            state.apply(state.random_action(seed + state.key()))
    raise AssertionError("no forced decision")


def test_every_game_and_number_of_players_has_every_row():
    found = [row.name.split("/") for row in bench.rows()]
    kinds = {what for what, _, _ in found}
    assert {"playout", "mcts", "expectimax", "copy", "legal", "redeal", "threads", "memory"} <= kinds
    assert sorted(found) == sorted([what, name, str(players)] for what in kinds for name, players in EVERY)


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_roots_leave_a_choice(name, players):
    root = bench.root_of(load(name, players))
    assert root.actor >= 0
    assert len(root.legal_actions()) >= 2


@pytest.mark.parametrize("name", FORCED)
def test_a_forced_root_is_refused(name, tmp_path):
    state = forced_state(name, definition(name).players[-1])
    assert len(state.legal_actions()) == 1
    with pytest.raises(FieldError, match="at least two different moves"):
        list(bench.rows_of(state))
    with pytest.raises(FieldError, match="at least two different moves"):
        bench.run("legal", root=state)
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position_dict(state, state.actor)))
    assert "at least two different moves" in refused(call("bench", "--position", file, "--only", "legal"))


def test_a_root_without_a_player_to_move_is_refused():
    with pytest.raises(FieldError, match="at least two different moves"):
        list(bench.rows_of(load("leelawadee", 2).start()))


def test_a_position_is_what_is_measured(tmp_path):
    state = bench.root_of(load("ladybird", 3))
    state.apply(state.random_action(3))
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position_dict(state, state.actor)))
    with patch.object(bench, "signature", return_value=1):
        answer = json.loads(call("bench", "--position", file, "--only", "legal", *QUICK, "--json").out)
    assert [row["name"] for row in answer["results"]] == ["legal/ladybird/3"]


def test_median_and_quartiles():
    made = bench.summary([{"keys_per_second": float(value), "bytes": 8} for value in (7, 1, 5, 3, 1000)])
    assert made == {"keys_per_second": 5, "keys_per_second_spread": [3, 7], "bytes": 8}
    assert bench.summary([{"ratio_to_memcpy": 0.5}]) == {"ratio_to_memcpy": 0.5, "ratio_to_memcpy_spread": [0.5, 0.5]}
    assert bench.summary([{"tree_bytes": 5, "ratio": 2}], exact=True) == {"tree_bytes": 5, "ratio": 2}


def test_rates_are_work_by_time():
    """A clock of our own, and work that takes a known time: 1 ms a unit, in runs 0, 1, 2, ... slower by so many percent."""
    now = 0.0
    slower = 0.0

    def work(count):
        nonlocal now
        now += count * 0.001 * (1 + slower / 100)

    with patch.object(bench.time, "perf_counter", lambda: now):
        sample = bench._loop("units_per_second", work, 0.5)
        rates = []
        for percent in range(5):
            slower = percent
            rates.append(sample(percent)["units_per_second"])
    assert rates == pytest.approx([1000 / (1 + percent / 100) for percent in range(5)])
    assert statistics.median(rates) == pytest.approx(1000 / 1.02)


@pytest.mark.parametrize("what", sorted({row.name.split("/")[0] for row in bench.rows()}))
def test_each_row_measures(what):
    (row,) = bench.chosen_rows(f"{what}/leelawadee/2")
    figures = row.measured(runs=2, seconds=0.002)
    assert figures
    assert all(value > 0 for name, value in figures.items() if not name.endswith("_spread"))
    for name in figures:
        if bench.is_rate(name):
            low, high = figures[f"{name}_spread"]
            assert low <= figures[name] <= high


def test_memory_is_counted():
    """A node a simulation (the root's besides), and no more bytes than the setting allows; the same in every run."""
    (row,) = bench.chosen_rows("memory/leelawadee/2")
    figures = row.measured()
    assert figures == row.measured(runs=1)
    assert figures["state_bytes"] == load("leelawadee", 2).state_size
    assert 0 < figures["tree_nodes"] <= bench.SIMULATIONS + 1
    assert figures["tree_nodes"] * 8 < figures["tree_bytes"] < 256 << 20
    assert bench.peak_resident() > figures["tree_bytes"]


def test_only_takes_beginnings_and_keeps_to_whole_words():
    chosen = [row.name for row in bench.chosen_rows("mcts/leelawadee")]
    assert chosen == [f"mcts/leelawadee/{players}" for players in (2, 3, 4)]
    assert bench.chosen_rows("signature") == []
    with pytest.raises(FieldError, match="row: expected 'signature' or"):
        bench.chosen_rows("mct")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--runs", "0"], "--runs: expected 1..1000; got 0"),
        (["--seconds", "0"], "--seconds: expected more than 0"),
        (["--seconds", "nan"], "--seconds: expected more than 0"),
        (["--yardstick", "nowhere.c"], "--yardstick: expected a C file"),
        (["--position", "nowhere.json"], "nowhere.json: cannot be read"),
    ],
)
def test_bench_refuses(arguments, message):
    assert message in refused(call("bench", *arguments))


def test_figures_are_kept_with_where_they_come_from(tmp_path):
    file = tmp_path / "speed.json"
    with patch.object(bench, "signature", return_value=5):
        call("bench", "--only", "legal/leelawadee", *QUICK, "--out", file)
    kept = json.loads(file.read_text())
    assert {"command", "date", "version", "commit", "machine", "signature", "runs", "results"} <= set(kept)
    assert kept["command"] == "garden-ai bench --only legal/leelawadee --runs 1 --seconds 0.001"
    assert kept["signature"] == 5
    assert len(file.read_text().splitlines()) == len(kept) + 2 + len(kept["results"]) + 1
