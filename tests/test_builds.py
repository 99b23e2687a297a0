"""`benchmarks/compare`: a change is found, noise is not called one, and what cannot be compared is refused in a line."""

import json
import math
import subprocess
import sys
from pathlib import Path

import builds
import numpy as np
import pytest
from builds import Change, main
from scipy.stats import ttest_1samp

SCRIPT = Path(builds.__file__).with_name("compare")
COMPARISONS = 1200

# What an interpreter answers to `benchmarks/compare`, made up: rates of a build that is as fast as FASTER says, with some noise.
FAKE = """#!{python}
import json, random, sys
def answer(what):
    print(json.dumps(what), flush=True)
answer({{"version": "0", "rows": {rows}, "exact": ["memory/g/2"]}})
for line in sys.stdin:
    asked = json.loads(line)
    if "signature" in asked:
        answer({{"signature": {signature}}})
    elif asked["row"] == "memory/g/2":
        answer({{"figures": {{"tree_bytes": {signature}}}}})
    else:
        faster = {faster} if asked["row"] == "mcts/g/2" else 1.0
        rate = 1000 * faster * random.Random(f"{name} {{line}}").lognormvariate(0, 0.003)
        answer({{"figures": {{"nodes_per_second": 7 * rate, "simulations_per_second": rate}}}})
"""
ROWS = ["mcts/g/2", "mcts/g/3", "memory/g/2"]


@pytest.fixture
def fake(tmp_path):
    """Makes an interpreter of a made-up build."""

    def made(name, faster=1.0, signature=5, rows=ROWS):
        file = tmp_path / name
        file.write_text(FAKE.format(python=sys.executable, name=name, rows=rows, signature=signature, faster=faster))
        file.chmod(0o755)
        return str(file)

    return made


def verdicts(rng, rows, change, noise, pairs=7):
    """Verdicts about rows whose rates differ by a factor, each measured with some relative noise; `noise` draws [rows, pairs]."""
    old, new = np.exp(noise(rng, (rows, pairs))), change * np.exp(noise(rng, (rows, pairs)))
    return [Change("", "", a, b, rows, least=0.0).verdict for a, b in zip(old, new, strict=True)]


def normal(rng, shape):
    return 0.02 * rng.standard_normal(shape)


def heavy_tailed(rng, shape):
    """Now and then a run that was disturbed by half of itself and more."""
    return 0.02 * rng.standard_t(2, shape)


@pytest.mark.parametrize("noise", [normal, heavy_tailed])
@pytest.mark.parametrize("rows", [1, 12])
def test_equal_builds_are_rarely_called_different(noise, rows):
    """Any row of a comparison: in at most 5% of them, and not in far fewer where noise is normal, else it would find little."""
    rng = np.random.default_rng(1)
    wrong = sum(set(verdicts(rng, rows, 1.0, noise)) != {"same"} for _ in range(COMPARISONS)) / COMPARISONS
    error = math.sqrt(0.05 * 0.95 / COMPARISONS)
    assert wrong < 0.05 + 3 * error
    assert wrong > 0.05 - 4 * error or noise is heavy_tailed


@pytest.mark.parametrize(("change", "verdict"), [(1.05, "faster"), (0.95, "slower")])
def test_a_change_of_five_percent_is_found_in_two_percent_of_noise(change, verdict):
    rng = np.random.default_rng(2)
    found = [verdicts(rng, 1, change, normal)[0] for _ in range(300)]
    assert found.count(verdict) > 0.93 * len(found)  # 96.5% by the noncentral t distribution
    assert set(found) <= {verdict, "same"}
    assert verdicts(rng, 100, change, normal, pairs=21).count(verdict) > 90  # among many rows with more pairs


def test_the_interval_is_that_of_student():
    rng = np.random.default_rng(3)
    old, new = rng.uniform(1, 2, 7), rng.uniform(1, 2, 7)
    known = ttest_1samp(np.log(new / old), 0.0).confidence_interval(1 - 0.05 / 4)
    assert Change("", "", old, new, 4).interval == pytest.approx((math.exp(known.low), math.exp(known.high)))


def test_a_small_change_is_not_named_however_sure():
    old, new = [100.0, 101.0, 102.0], [100.5, 101.51, 102.5]
    assert Change("", "", old, new, least=0.01).verdict == "same"
    assert Change("", "", old, new, least=0.001).verdict == "faster"


def test_two_builds(fake, capsys):
    """The row that is 5% slower is named and no other; memory and signature differ, and nodes are not judged apart."""
    status = main([fake("old"), fake("new", 0.95, 6), "--json"])
    assert status == 1
    answer = json.loads(capsys.readouterr().out)
    assert [(row["name"], row["figure"], row["verdict"]) for row in answer["rows"]] == [
        ("mcts/g/2", "simulations_per_second", "slower"), ("mcts/g/3", "simulations_per_second", "same")
    ]
    row = answer["rows"][0]
    assert len(row["ratios"]) == 7
    assert row["interval"][0] < 0.95 < row["interval"][1] < 1
    assert row["median"] == pytest.approx(0.95, abs=0.01)
    assert answer["signatures"] == {"old": 5, "new": 6}
    assert answer["exact"] == [{"name": "memory/g/2", "figure": "tree_bytes", "old": 5, "new": 6}]


def test_the_table_says_what_changed(fake, capsys):
    assert main([fake("old"), fake("new", 1.1, 6), "--only", "mcts"]) == 0
    out = capsys.readouterr().out
    assert "1 faster beyond noise among 2 rates, 7 pairs" in out
    assert "signature 5 before, 6 now" in out
    assert main([fake("old"), fake("same"), "--only", "mcts/g/3", "--pairs", "5"]) == 0
    out = capsys.readouterr().out
    assert "no change beyond noise among 1 rates, 5 pairs" in out
    assert "signature 5, the same" in out


def test_only_rows_of_both_are_compared(fake, capsys):
    assert main([fake("old", rows=[*ROWS, "gone/g/2"]), fake("new", rows=ROWS[1:]), "--pairs", "2", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in answer["rows"]] == ["mcts/g/3"]
    assert answer["old"]["rows_not_compared"] == 2
    assert answer["new"]["rows_not_compared"] == 0


def test_this_build_beside_itself(tmp_path):
    """The command as it is typed, both sides the interpreter of the tests, on one quick row."""
    done = subprocess.run(
        [sys.executable, SCRIPT, sys.executable, sys.executable, "--only", "legal/leelawadee/2", "--pairs", "2",
         "--seconds", "0.002", "--no-signature", "--least", "0.9", "--json"],
        cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert [(row["name"], row["verdict"]) for row in answer["rows"]] == [("legal/leelawadee/2", "same")]
    assert answer["signatures"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere", "{fake}"], "OLD: expected a Python interpreter, an environment or a checkout with .venv; got 'nowhere'"),
        (["{fake}", "{folder}"], "NEW: expected a Python interpreter, an environment or a checkout with .venv; got "),
        (["{plain}", "{fake}"], "OLD: expected a garden-ai with a bench in {plain}; No module named 'garden_ai'"),
        (["{fake}", "{mute}"], "NEW: expected {mute} to measure garden-ai; out of order"),
        (["{fake}", "{fake}", "--only", "mct"], "--only: expected WHAT, WHAT/GAME or WHAT/GAME/PLAYERS with WHAT one of mcts"),
        (["{fake}", "{fake}", "--pairs", "1"], "--pairs: expected 2..1000; got 1"),
        (["{fake}", "{fake}", "--seconds", "0"], "--seconds: expected more than 0"),
        (["{fake}", "{fake}", "--least", "1"], "--least: expected at least 0"),
    ],
)
def test_compare_refuses(arguments, message, fake, tmp_path, capsys):
    plain, mute = tmp_path / "plain", tmp_path / "mute"
    plain.write_text("""#!/bin/sh\necho '{"error": "No module named '"'garden_ai'"'"}'\n""")
    mute.write_text("#!/bin/sh\necho out of order >&2\n")
    names = {"fake": fake("build"), "plain": plain, "mute": mute, "folder": tmp_path}
    for file in (plain, mute):
        file.chmod(0o755)
    assert main([argument.format(**names) for argument in arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("compare: " + message.format(**names))
    assert err.count("\n") == 1


def test_an_interpreter_without_garden_ai(tmp_path, capsys):
    """A real one that finds no packages."""
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nshift\nexec "{sys.executable}" -I -S "$@"\n')
    python.chmod(0o755)
    assert main([str(python), str(python), "--only", "legal"]) == 2
    err = capsys.readouterr().err
    assert "expected a garden-ai with a bench" in err
    assert "No module named 'garden_ai'" in err
    assert err.count("\n") == 1


def test_an_environment_or_checkout_stands_for_its_interpreter(tmp_path):
    for folder in ("environment/bin", "checkout/.venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "python").symlink_to(sys.executable)
        found = builds.interpreter_of("OLD", str(tmp_path / folder.split("/")[0]))
        assert found == str(tmp_path / folder / "python")
