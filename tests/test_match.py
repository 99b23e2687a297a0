"""Matches: pairing, results files, workers and clusters, and the command `garden-ai match`."""

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from functools import partial

import pytest
from command import call, refused
from garden_core.fields import FieldError
from scipy.stats import t

from garden_ai.arena.match import Deal, GameChoice, Outcome, play_deal, seated, summary
from garden_ai.arena.results import ResultsFile, header_of
from garden_ai.arena.workers import processes
from garden_ai.players import Player
from garden_ai.record import read_record

# newer Pythons say of every fork in a process with threads, here numpy's, that it might hang
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

POOL = {"mcts": Player("mcts", simulations=10), "random": Player("random"), "greedy": Player("greedy")}
MATCH = ("match", "leelawadee", "--seat", "mcts simulations=10", "--seat", "random")
COMMAND = [sys.executable, "-m", "garden_ai"]
SEATS = ("--seat", "mcts", "--seat", "greedy", "--simulations", "500")
LONG = [*COMMAND, "match", "leelawadee", *SEATS, "--games", "4000", "--workers", "2"]
MOST_SECONDS = 60


def deal(*games, group=(0, 1)):
    return Deal(0, group, tuple(Outcome(placing, scores) for placing, scores in games))


# pairing


@pytest.mark.parametrize(("game", "group"), [("leelawadee", (0, 1)), ("flowerpower", (0, 1)), ("under_the_leaves", (0, 1, 2))])
def test_every_rotation_is_the_same_deal_whoever_is_named_first(game, group):
    choice = GameChoice(game, len(group))
    one = play_deal(choice, POOL, group, 3, seed=5)
    assert len(one.games) == len(group)
    turned = play_deal(choice, POOL, group[1:] + group[:1], 3, seed=5)
    assert turned.shares == pytest.approx(one.shares[1:] + one.shares[:1])
    assert turned.scores == pytest.approx(one.scores[1:] + one.scores[:1])
    assert sum(one.shares) == pytest.approx(1)


def test_against_itself_luck_cancels():
    for number in range(5):
        played = play_deal(GameChoice("leelawadee", 2), POOL, (0, 0), number, seed=1)
        assert played.shares == (0.5, 0.5)
        assert played.scores[0] == played.scores[1]


def test_alone_all_play_the_same_deal_and_the_best_has_the_first_place():
    choice = GameChoice("flowerpower", 1)
    assert play_deal(choice, POOL, (2, 2), 0, seed=1).shares == (0.5, 0.5)
    played = play_deal(choice, POOL, (0, 1, 2), 0, seed=1)
    best = max(played.scores)
    assert [share > 0 for share in played.shares] == [score == best for score in played.scores]


def test_the_last_sits_on_the_seats_that_are_left():
    assert seated(2, 2) == (0, 1)
    assert seated(2, 4) == (0, 1, 1, 1)
    assert seated(1, 3) == (0, 0, 0)
    assert seated(3, 1) == (0, 1, 2)
    with pytest.raises(FieldError, match="at most 2"):
        seated(3, 2)


def test_summary():
    deals = [
        deal(((1, 2), (9, 3)), ((1, 2), (5, 4))),
        deal(((1, 1), (4, 4)), ((2, 1), (1, 6))),
        deal(((1, 2), (8, 0)), ((2, 1), (2, 3))),
    ]
    shares, points = [1, 0.25, 0.5], [7, 2.5, 5]
    result = summary(deals)
    assert (result.deals, result.games) == (3, 6)
    assert result.wins == pytest.approx((7 / 12, 5 / 12))
    low, high = t.interval(0.95, 2, statistics.fmean(points), statistics.stdev(points) / 3**0.5)
    assert result.score_intervals[0] == pytest.approx((low, high))
    low, high = t.interval(0.95, 2, statistics.fmean(shares), statistics.stdev(shares) / 3**0.5)
    assert result.intervals[0] == pytest.approx((max(0, low), min(1, high)))


def test_all_won_is_not_certain():
    assert summary([deal(((1, 2), (1, 0)))] * 50).intervals == (pytest.approx((0.98, 1)), pytest.approx((0, 0.02)))


def test_who_holds_several_seats_counts_by_the_seat():
    result = summary([deal(((1, 2, 2), (6, 1, 3)), ((2, 1, 3), (2, 7, 1)), group=(0, 1, 1))])
    assert result.wins == (0.5, 0.25)
    assert result.scores == (4, 3)


# workers


def test_workers_answer_in_order_and_end():
    with processes(2) as workers:
        assert list(workers.ordered(partial(divmod, number, 7) for number in range(30))) == [divmod(i, 7) for i in range(30)]


def test_a_worker_that_dies_is_one_line():
    with pytest.raises(FieldError, match="killed"), processes(1) as workers:
        list(workers.ordered([partial(os._exit, 3)]))


def test_any_number_of_workers_plays_the_same(tmp_path):
    answers = []
    for count in (1, 2):
        file = tmp_path / f"{count}.jsonl"
        answer = call(*MATCH, "--games", "12", "--workers", str(count), "--results", str(file), "--json")
        assert answer.status == 0, answer
        answers.append((answer.out, file.read_bytes()))
    assert answers[0] == answers[1]
    assert answers[0][1].count(b"\n") == 1 + 6


@pytest.mark.slow
def test_a_dask_cluster_of_two_workers_plays_the_same():
    script = (
        "import sys; from distributed import LocalCluster\n"
        "if __name__ == '__main__':\n"
        "    with LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None,"
        " protocol='tcp', host='127.0.0.1') as cluster:\n"
        "        print(cluster.scheduler_address, flush=True); sys.stdin.read()\n"
    )
    plain = call(*MATCH, "--games", "8", "--workers", "1")
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as cluster:
        address = cluster.stdout.readline().strip()
        try:
            done = subprocess.run(
                [*COMMAND, *MATCH, "--games", "8", "--scheduler", address], capture_output=True, text=True, timeout=MOST_SECONDS
            )
        finally:
            cluster.stdin.close()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == plain.out


def test_a_scheduler_that_is_none():
    assert "does not answer" in refused(call(*MATCH, "--scheduler", "nonsense"))
    assert "not both" in refused(call(*MATCH, "--scheduler", "tcp://127.0.0.1:1", "--workers", "2"))


# the results file


def test_it_goes_on_where_it_stopped(tmp_path):
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    table = call(*MATCH, "--games", "12", "--results", str(whole), "--workers", "1").out
    call(*MATCH, "--games", "4", "--results", str(parts), "--workers", "1")
    lines = parts.read_bytes().splitlines(keepends=True)
    assert lines == whole.read_bytes().splitlines(keepends=True)[:3]
    parts.write_bytes(b"".join(lines)[:-9])  # as a killed process leaves it
    assert call(*MATCH, "--games", "12", "--results", str(parts), "--workers", "2").out == table
    assert parts.read_bytes() == whole.read_bytes()
    fewer = json.loads(call(*MATCH, "--games", "6", "--results", str(parts), "--json").out)
    assert (fewer["deals"], fewer["games"]) == (3, 6)
    assert parts.read_bytes() == whole.read_bytes()


def test_a_file_of_another_match_names_what_differs(tmp_path):
    file = tmp_path / "results.jsonl"
    call(*MATCH, "--games", "2", "--results", str(file), "--workers", "1")
    kept = file.read_bytes()
    for changed, place in (
        (["--seed", "2"], "1.seed: expected the match that is asked for, 2; got 1"),
        (["--option", "attract=best-group"], "1.options.attract"),
        (["--simulations", "7"], "1.pool.random.simulations"),
        (["--players", "3"], "1.players"),
    ):
        assert place in refused(call(*MATCH, "--games", "4", "--results", str(file), *changed))
    assert file.read_bytes() == kept
    file.write_text("something else\n")
    assert "header of a results file" in refused(call(*MATCH, "--results", str(file)))
    assert "results file" in refused(call(*MATCH, "--results", str(tmp_path)))
    assert "cannot be opened" in refused(call(*MATCH, "--results", str(tmp_path / "none" / "file")))


def test_the_same_players_on_other_seats_are_another_match(tmp_path):
    """Deals name players by their place: in another order every deal would count for somebody else."""
    file = tmp_path / "results.jsonl"
    pool = dict(reversed(POOL.items()))
    choice = GameChoice("leelawadee", 2)
    ResultsFile(file, header_of(choice, POOL, (0, 1), 1)).close()
    with pytest.raises(FieldError, match=r"1\.pool: expected the players that are asked for in their order"):
        ResultsFile(file, header_of(choice, pool, (0, 1), 1))


def test_two_matches_do_not_share_a_file(tmp_path):
    file = tmp_path / "results.jsonl"
    choice = GameChoice("leelawadee", 2)
    with ResultsFile(file, header_of(choice, POOL, (0, 1), 1)), pytest.raises(FieldError, match="another match"):
        ResultsFile(file, header_of(choice, POOL, (0, 1), 1))


def test_no_room_on_the_disk(tmp_path):
    limited = ["bash", "-c", 'ulimit -f 1; exec "$@"', "bash", *COMMAND, *MATCH, "--games", "60", "--results", "results.jsonl"]
    done = subprocess.run([*limited, "--workers", "1"], cwd=tmp_path, capture_output=True, text=True, timeout=MOST_SECONDS)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "results.jsonl: cannot be written" in done.stderr


# records


@pytest.mark.parametrize(("game", "players", "files"), [("leelawadee", 2, 4), ("flowerpower", 1, 8)])
def test_every_game_is_a_record(tmp_path, game, players, files):
    results = tmp_path / "results.jsonl"
    answer = call(
        "match", game, "--seat", "greedy", "--seat", "random", "--players", str(players), "--games", "4",
        "--records", str(tmp_path / "records"), "--results", str(results), "--workers", "1",
    )
    assert answer.status == 0, answer
    records = sorted((tmp_path / "records").iterdir())
    assert len(records) == files
    assert records[-1].name == f"deal-{files // 2 - 1:06}-rotation-1.jsonl"
    for number, line in enumerate(results.read_text().splitlines()[1:]):
        games = json.loads(line)["games"]
        for rotation in range(2):
            record = read_record(tmp_path / "records" / f"deal-{number:06}-rotation-{rotation}.jsonl")
            game_played, seats = (games[0], [rotation]) if players == 1 else (games[rotation], [rotation, 1 - rotation])
            assert record.names == tuple(["greedy", "random"][seat] for seat in seats)
            assert record.state.scores() == [game_played["scores"][seat] for seat in seats]
    assert call("show", str(records[0])).status == 0
    assert call("play", game, "--resume", str(records[0])).status == 0


# the command


def test_table_and_json():
    answer = call("match", "leelawadee", "--seat", "greedy", "--seat", "random", "--players", "4", "--games", "6", "--json")
    assert "6 games are no whole deals of 4: 8 are played" in answer.err
    told = json.loads(answer.out)
    assert (told["game"], told["players"], told["seed"], told["deals"], told["games"]) == ("leelawadee", 4, 1, 2, 8)
    first, others = told["seats"]
    assert (first["player"], first["engine"], first["seats"], others["seats"]) == ("greedy", "greedy", 1, 3)
    assert first["first_share"] + 3 * others["first_share"] == pytest.approx(1, abs=1e-4)
    assert others["score_interval"][0] < others["score"] < others["score_interval"][1]
    table = call("match", "leelawadee", "--seat", "greedy", "--seat", "random", "--players", "4", "--games", "8").out
    assert "8 games, 2 deals" in table
    assert f"{others['first_share']:.1%}" in table


def test_six_seats_and_one():
    seats = [word for _ in range(6) for word in ("--seat", "random")]
    told = json.loads(call("match", "butterfly_garden", *seats, "--games", "6", "--workers", "1", "--json").out)
    assert [seat["player"] for seat in told["seats"]] == ["random", *(f"random ({i})" for i in range(2, 7))]
    alone = json.loads(call("match", "flowerpower", "--seat", "random", "--games", "3", "--workers", "1", "--json").out)
    assert (alone["players"], alone["deals"], alone["seats"][0]["first_share"]) == (1, 3, 1)


def test_limits_are_of_seats_that_set_none():
    told = json.loads(call(*MATCH, "--seat", "halving", "--simulations", "7", "--threads", "2", "--games", "3", "--json").out)
    assert [(seat["simulations"], seat["threads"]) for seat in told["seats"]] == [(10, 2), (7, 2), (7, 2)]


def test_sprt_stops_at_the_same_deal_whatever_the_workers(tmp_path):
    test = ("match", "leelawadee", "--seat", "greedy", "--seat", "random", "--sprt", "-10", "200")
    file = tmp_path / "results.jsonl"
    one = call(*test, "--workers", "1", "--json", "--results", str(file))
    told = json.loads(one.out)["sprt"]
    assert (told["elo0"], told["elo1"], told["alpha"], told["beta"], told["decision"]) == (-10, 200, 0.05, 0.05, "H1")
    assert told["log_likelihood_ratio"] > told["bounds"][1]
    kept = file.read_bytes()
    assert call(*test, "--workers", "2", "--json").out == one.out
    assert call(*test, "--json", "--results", str(file)).out == one.out  # nothing is left to play
    assert file.read_bytes() == kept
    assert "H1 accepted" in call(*test).out
    worse = ("match", "leelawadee", "--seat", "random", "--seat", "greedy", "--sprt", "-10", "200", ".1", ".2")
    assert "H0 accepted" in call(*worse).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--sprt",), "--sprt: expected two or four numbers"),
        (("--sprt", "0"), "got '0'"),
        (("--sprt", "0", "5", "0.05"), "got '0 5 0.05'"),
        (("--sprt", "0", "5", ".05", ".05", "3"), "two or four"),
        (("--sprt", "ten", "20"), "got 'ten'"),
        (("--sprt", "0", "nan"), "two or four"),
        (("--sprt", "5", "0"), "--sprt ELO1: expected more than ELO0"),
        (("--sprt", "0", "5", "0.05", "2"), "--sprt BETA"),
        (("--games", "0"), "--games"),
        (("--workers", "0"), "--workers"),
        (("--threads", "0"), "--threads"),
        (("--seconds", "1", "--simulations", "5"), "not both"),
        (("--seat", "nobody"), "got 'nobody'"),
        (("--seat", "mcts depth=3"), "depth"),
        (("--seat", "greedy", "--seat", "greedy", "--seat", "greedy", "--seat", "greedy"), "players"),
        (("--players", "7"), "players"),
        (("--players", "1"), "players"),
        (("--option", "colour=red"), "colour"),
        (("--records", "/dev/null"), "--records"),
    ],
)
def test_mistakes_are_one_line(arguments, message):
    assert message in refused(call(*MATCH, *arguments))


def test_unknown_game_and_no_seats():
    assert "nothing" in refused(call("match", "nothing", "--seat", "greedy"))
    assert "--seat" in refused(call("match", "leelawadee"))
    assert "two seats" in refused(call("match", "leelawadee", "--seat", "greedy", "--players", "2", "--sprt", "0", "5"))
    assert "at most 2" in refused(call("match", "leelawadee", *["--seat", "greedy"] * 3, "--players", "2"))


def test_at_a_terminal_it_is_seen_as_it_goes(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    answer = call(*MATCH, "--games", "6", "--workers", "1", "--sprt", "0", "5")
    assert "3 deals" in answer.out
    seen = answer.err  # drawn over and over, there
    assert "3/3" in seen
    assert "log-likelihood ratio" in seen
    assert seen.count("first places") > 1


def children(process):
    return subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True).stdout.split()


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("whole_terminal", [True, False])
def test_ctrl_c_ends_it_at_once_and_it_goes_on(tmp_path, whole_terminal):
    file = tmp_path / "results.jsonl"
    with subprocess.Popen(
        [*LONG, "--results", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        before = time.monotonic()
        while not (file.exists() and file.read_bytes().count(b"\n") > 2):
            assert time.monotonic() < before + MOST_SECONDS
            time.sleep(0.05)
        workers = children(running)
        assert len(workers) == 2
        if whole_terminal:
            os.killpg(running.pid, signal.SIGINT)
        else:
            running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=MOST_SECONDS)
    assert running.returncode == 130
    assert not any(map(is_running, workers))
    deals = file.read_bytes().count(b"\n") - 1
    assert f"{deals} deals" in out
    assert err == f"garden-ai: stopped after {deals} deals of 2000; the same command goes on from {file}\n"
    rest = [word if word != "4000" else str(2 * deals + 2) for word in LONG]
    more = subprocess.run([*rest, "--results", str(file)], capture_output=True, text=True, timeout=MOST_SECONDS)
    assert f"{2 * deals + 2} games, {deals + 1} deals" in more.stdout


@pytest.mark.slow
def test_no_worker_outlives_a_match_that_is_killed(tmp_path):
    file = tmp_path / "results.jsonl"
    with subprocess.Popen([*LONG, "--results", str(file)], stdout=subprocess.DEVNULL, start_new_session=True) as running:
        before = time.monotonic()
        while not (file.exists() and file.read_bytes().count(b"\n") > 1):
            assert time.monotonic() < before + MOST_SECONDS
            time.sleep(0.05)
        workers = children(running)
        running.kill()
    before = time.monotonic()
    while any(map(is_running, workers)):
        assert time.monotonic() < before + 10
        time.sleep(0.05)
