"""`benchmarks/against.py`: what it refuses, and its rows where OpenSpiel is installed."""

from __future__ import annotations

import sys

import against
import pytest


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The last line said where the command ends with status 2."""
    monkeypatch.setattr(sys, "argv", ["against.py", *arguments])
    with pytest.raises(SystemExit) as ended:
        against.main()
    assert ended.value.code == 2
    return capsys.readouterr().err.strip().splitlines()[-1]


@pytest.mark.parametrize(("arguments", "said"), [
    (("--games", "3"), "expected an even number"),
    (("--games", "0"), "expected a whole number above 0"),
    (("--pairs", "few"), "expected a whole number above 0"),
    (("--only", "luck"), "'speed', 'match', 'others'"),
])
def test_wrong_arguments_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    line = refused(monkeypatch, capsys, *arguments)
    assert said in line
    assert arguments[0] in line


def test_it_tells_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    assert "OpenSpiel is not installed: pip install '.[bench]'" in refused(monkeypatch, capsys)
    monkeypatch.setitem(sys.modules, "catanatron", None)
    assert against.catanatron(1) is None


def test_openings_are_open_and_differ() -> None:
    start = against.game().start()
    openings = {tuple(against.opening(start, seed)) for seed in range(500)}
    assert len(openings) > 400
    assert all(against.after(start, list(actions)).actor == against.OPENING % 2 for actions in openings)


def test_both_play_the_same_game() -> None:
    """`play` itself holds the results of both against each other; ours is far ahead with far more simulations."""
    pytest.importorskip("pyspiel")
    row = against.match("uneven", against.Ours(2000), against.OpenSpiel(20), 20)
    assert row["games"] == 20
    assert row["share"] > 0.75
    assert (row["simulations_a_move"], row["openspiel_simulations_a_move"]) == (2000, 20)
    assert row["interval"][0] <= row["share"] <= row["interval"][1]


def test_both_do_as_many_simulations() -> None:
    pytest.importorskip("pyspiel")
    row = against.speed(300, pairs=2)
    assert row["name"] == "mcts/connect_four/300"
    assert row["per_second"] > 0
    assert row["ratio_to_openspiel"] > 0
