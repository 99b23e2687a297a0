"""`garden-ai ladder`: what is played and how it stands, its results file, its picture, and the command."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from concurrent.futures import Executor, Future
from itertools import combinations, pairwise
from unittest.mock import patch

import pytest
from command import call, refused
from garden_core.fields import FieldError
from mutation import changed, places
from rich.console import Console

from garden_ai.arena import ladder as arena_ladder
from garden_ai.arena.ladder import ALONE, ALWAYS, BATCH, play_ladder, usual_pool
from garden_ai.arena.match import Deal, GameChoice, Outcome, mixed, play_deal
from garden_ai.arena.ratings import Rating
from garden_ai.arena.results import ResultsFile, header_of
from garden_ai.arena.standing import ladder_of
from garden_ai.arena.workers import Workers
from garden_ai.cli.output import SVG_WIDTH
from garden_ai.cli.ratings import RatingsPicture, Scale
from garden_ai.players import Player, levels

CHOICE = GameChoice("leelawadee", 2)
POOL = {"random": Player("random"), "greedy": Player("greedy"), "halving": Player("halving", simulations=3)}
QUICK = ("--simulations", "3", "--workers", "1")


class Here(Executor):
    """Does at once what it is given."""

    def submit(self, task, /, *arguments, **named):
        future = Future()
        future.set_result(task(*arguments, **named))
        return future


HERE = Workers(Here(), 1)


def invented(choice, pool, group, number, seed):
    """A deal that takes no time: who comes later in the pool mostly wins, as the seed has it."""
    size = len(group)
    games = []
    for turn in range(1 if choice.players == 1 else size):
        points = [member + mixed(seed, number, turn, i) % 5 for i, member in enumerate(group)]
        games.append(Outcome(tuple(1 + sum(other > own for other in points) for own in points), tuple(map(float, points))))
    return Deal(number, tuple(group), tuple(games))


@pytest.fixture
def without_games():
    with patch.object(arena_ladder, "play_deal", invented):
        yield


# what is played


@pytest.mark.parametrize("game", ["leelawadee", "ladybird"])
def test_random_greedy_halving_and_the_levels_are_in_it(game):
    pool = usual_pool(game, Player("mcts", simulations=9, threads=2))
    assert list(pool) == [*ALWAYS, *levels(game)]
    assert all(pool[name] == Player(name, simulations=9, threads=2) for name in ALWAYS)
    assert all(pool[name] == player for name, player in levels(game).items())


def test_deals_are_those_of_their_numbers():
    """What a match of the same group would play under that number; every rotation of the seats once."""
    deals = play_ladder(CHOICE, POOL, 6, 5, HERE)
    assert [deal.number for deal in deals] == list(range(6))
    for deal in deals:
        assert deal == play_deal(CHOICE, POOL, deal.group, deal.number, 5)
        assert len(deal.games) == 2


@pytest.mark.parametrize(("players", "size", "games"), [(1, ALONE, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4)])
@pytest.mark.usefixtures("without_games")
def test_groups_have_the_size_of_the_game(players, size, games):
    pool = {str(i): Player("random") for i in range(5)}
    deals = play_ladder(GameChoice("ladybird", players), pool, 30, 1, HERE)
    assert {len(deal.group) for deal in deals} == {len(set(deal.group)) for deal in deals} == {size}
    assert {len(deal.games) for deal in deals} == {games}


@pytest.mark.parametrize("players", [1, 2, 3])
@pytest.mark.usefixtures("without_games")
def test_a_ladder_goes_on_from_any_prefix(players):
    """As if it had never stopped, within a batch and between two."""
    choice, pool = GameChoice("ladybird", players), {str(i): Player("random") for i in range(6)}
    whole = play_ladder(choice, pool, 2 * BATCH + 7, 3, HERE)
    for begun in (0, 1, 5, BATCH - 1, BATCH, BATCH + 1, 2 * BATCH, 2 * BATCH + 6, 2 * BATCH + 7):
        heard = []
        assert play_ladder(choice, pool, len(whole), 3, HERE, whole[:begun], heard.append) == whole
        assert heard == whole[begun:]
    assert play_ladder(choice, pool, 9, 3, HERE, whole) == whole[:9]
    assert play_ladder(choice, pool, 9, 4, HERE) != whole[:9]


@pytest.mark.usefixtures("without_games")
def test_who_is_alike_meets_more():
    """Later in the pool is stronger: neighbours meet more often than the first and the last."""
    pool = {str(i): Player("random") for i in range(6)}
    met = Counter(deal.group for deal in play_ladder(CHOICE, pool, 20 * BATCH, 1, HERE))
    assert set(met) == set(combinations(range(6), 2))   # everybody meets everybody some time
    assert min(met[i, i + 1] for i in range(5)) > met[0, 5]
    assert sum(met[i, i + 1] for i in range(5)) > 20 * BATCH / 2


# how it stands


def test_standings_and_meetings():
    """Three games, counted by hand."""
    pool = {name: Player("random") for name in ("random", "greedy", "halving", "idle")}
    deals = [
        Deal(0, (0, 1), (Outcome((2, 1), (10.0, 20.0)), Outcome((1, 1), (15.0, 15.0)))),
        Deal(1, (1, 2), (Outcome((2, 1), (1.0, 2.0)), Outcome((2, 1), (3.0, 9.0)))),
    ]
    ladder = ladder_of(pool, deals)
    assert (ladder.deals, ladder.games) == (2, 4)
    assert [standing.name for standing in ladder.standings] == ["halving", "greedy", "random", "idle"]
    assert [standing.first_share for standing in ladder.standings] == [1.0, 0.375, 0.25, None]
    assert [standing.score for standing in ladder.standings] == [5.5, 9.75, 12.5, None]
    assert [standing.rating and standing.rating.games for standing in ladder.standings] == [2, 4, 2, None]
    assert ladder.standings[1].rating == Rating(1000.0, (1000.0, 1000.0), 4)
    assert [(one.first, one.second, one.games, one.share) for one in ladder.meetings] == [
        ("halving", "greedy", 2, 1.0), ("greedy", "random", 2, 0.75)]


def test_a_ladder_of_no_deals_yet():
    ladder = ladder_of(POOL, [])
    assert [standing.rating for standing in ladder.standings] == [None] * 3
    assert ladder.meetings == ()


def test_players_who_sit_twice_share_what_their_seats_have():
    ladder = ladder_of(POOL, [Deal(0, (0, 1, 1), (Outcome((3, 1, 2), (1.0, 6.0, 4.0)),))])
    assert {one.name: (one.first_share, one.score) for one in ladder.standings} == {
        "greedy": (0.5, 5.0), "random": (0.0, 1.0), "halving": (None, None)}
    assert [(one.first, one.second, one.games, one.share) for one in ladder.meetings] == [("greedy", "random", 1, 1.0)]


# the results file


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A ladder of four deals in its file."""
    file = tmp_path_factory.mktemp("ladder") / "results.jsonl"
    with ResultsFile(file, header_of(CHOICE, POOL, (), 5)) as opened:
        play_ladder(CHOICE, POOL, 4, 5, HERE, (), opened.add)
    return file.read_bytes()


def opened(file):
    with ResultsFile(file, header_of(CHOICE, POOL, (), 5)) as found:
        return found.deals


def test_what_was_written_is_read(kept, tmp_path):
    file = tmp_path / "results.jsonl"
    file.write_bytes(kept)
    assert opened(file) == play_ladder(CHOICE, POOL, 4, 5, HERE)
    assert file.read_bytes() == kept


@pytest.mark.parametrize("count", [0, 1, 2, 4])
@pytest.mark.parametrize("half", [b"", b'{"numb', b"\xff"])
def test_it_goes_on_from_any_part_of_its_file(kept, tmp_path, count, half):
    """Half a line, as a killed process leaves it, counts as none."""
    file = tmp_path / "results.jsonl"
    lines = kept.splitlines(keepends=True)
    file.write_bytes(b"".join(lines[: 1 + count]) + half)
    with ResultsFile(file, header_of(CHOICE, POOL, (), 5)) as found:
        assert len(found.deals) == count
        play_ladder(CHOICE, POOL, 4, 5, HERE, found.deals, found.add)
    assert file.read_bytes() == kept


WRONG = (None, True, -1, 0, 1, 2, 99, 2**70, 1.5, "", "greedy", [], {}, [1], ...)


def answers(lines, tmp_path):
    """What is said of a file, None where it is taken."""
    file = tmp_path / "results.jsonl"
    file.write_bytes(b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines))
    before = file.read_bytes()
    try:
        opened(file)
    except FieldError as error:
        assert file.read_bytes() == before   # what is refused is left as it was
        return str(error)
    return None


@pytest.mark.parametrize("number", [0, 1, 3])
def test_every_wrong_value_has_one_line_with_file_line_and_field(kept, tmp_path, number):
    """Every place of the header and of deals, with values of all kinds."""
    lines = [json.loads(line) for line in kept.splitlines()]
    taken = set()
    for path in places(lines[number]):
        for value in WRONG:
            broken = changed(lines[number], path, value) if path or value is not ... else {}
            if broken == lines[number]:   # a number for a switch, too
                continue
            said = answers([*lines[:number], broken, *lines[number + 1 :]], tmp_path)
            if said is None:
                taken.add(path)
                continue
            assert said.startswith(f"{tmp_path / 'results.jsonl'}:{number + 1}"), (path, value, said)
            assert "\n" not in said
            field = next((key for key in path if isinstance(key, str)), None)
            assert field is None or field in said, (path, value, said)
    # who wrote it, and what has a default; another of the pool may have met, points may be any, and whom places favour
    header = {"made_by", "format", "version", "slip", "threads", "settings", "seconds", "simulations"}
    free = header if number == 0 else {"group", "scores", "placing", "records"}
    assert not {path for path in taken if not free & set(path)}


def test_other_broken_files(kept, tmp_path):
    lines = kept.splitlines(keepends=True)
    place = f"{tmp_path / 'results.jsonl'}"
    for broken, said in (
        ([b"garden\n"], f"{place}:1: expected the header of a results file"),
        ([b"\xff\xfe\n"], f"{place}:1: expected the header"),
        ([b"\n", *lines], f"{place}:1: expected the header"),
        ([b"garden"], f"{place}:1: expected the header"),
        ([lines[1]], f"{place}:1: expected the header"),
        ([lines[0], lines[2]], f"{place}:2.number: expected 0"),
        ([*lines[:3], lines[2]], f"{place}:4.number: expected 2"),
        ([lines[0], b"\n", *lines[1:]], f"{place}:2: expected a deal"),
        ([lines[0], lines[1][:40] + b"\n"], f"{place}:2: expected a deal"),
        ([lines[0], b"[" * 100_000 + b"\n"], f"{place}:2: expected a deal"),
        ([lines[0], lines[1].replace(b'"scores":[', b'"scores":[NaN,')], f"{place}:2: expected a deal"),
    ):
        assert said in (answers(broken, tmp_path) or ""), broken[:2]


def test_a_file_of_another_ladder(kept, tmp_path):
    file = tmp_path / "results.jsonl"
    file.write_bytes(kept)
    for choice, pool, group, seed, field in (
        (GameChoice("leelawadee", 3), POOL, (), 5, "players"),
        (GameChoice("ladybird", 2), POOL, (), 5, "game"),
        (GameChoice("leelawadee", 2, {"open_draws": True}), POOL, (), 5, "options"),
        (CHOICE, POOL | {"mcts": Player("mcts")}, (), 5, "pool"),
        (CHOICE, POOL | {"halving": Player("halving", simulations=4)}, (), 5, "pool.halving"),
        (CHOICE, POOL, (0, 1), 5, "group"),
        (CHOICE, POOL, (), 6, "seed"),
    ):
        with pytest.raises(FieldError) as error:
            ResultsFile(file, header_of(choice, pool, group, seed))
        assert error.value.path.startswith(f"{file}:1.{field}"), error.value
    assert file.read_bytes() == kept


# the picture


def drawn(ladder, width):
    console = Console(width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as captured:
        console.print(RatingsPicture(ladder, "a title"))
    return captured.get().splitlines()


@pytest.mark.parametrize("width", [60, 80, 132])
def test_points_stand_above_their_numbers(width):
    """Each rating where the ticks say, and the interval around it."""
    deals = [invented(CHOICE, POOL, group, number, 1) for number in range(40) for group in combinations(range(3), 2)]
    ladder = ladder_of(POOL, deals)
    lines = drawn(ladder, width)
    assert max(map(len, lines)) <= width
    axis, numbers = lines[-2], lines[-1]
    ticks = {}
    for found in re.finditer(r"-?\d+", numbers):
        middle = (found.start() + found.end() - 1) / 2
        ticks[min((i for i, mark in enumerate(axis) if mark == "┴"), key=lambda i: abs(i - middle))] = int(found[0])
    assert len(ticks) >= 2
    (left, low), (right, high) = min(ticks.items()), max(ticks.items())
    rows = [line for line in lines if "●" in line]
    assert [row.split()[0] for row in rows] == [standing.name for standing in ladder.standings]
    for row, standing in zip(rows, ladder.standings, strict=True):
        for mark, value in (("●", standing.rating.elo), ("├", standing.rating.interval[0]), ("┤", standing.rating.interval[1])):
            if mark in row:
                assert low + (row.index(mark) - left) / (right - left) * (high - low) == pytest.approx(
                    value, abs=0.8 * (high - low) / (right - left))


@pytest.mark.parametrize("values", [[], [1000.0], [-3000.0, 9000.0], [999.0, 1001.0], [400.0, 800.0, 1234.5]])
@pytest.mark.parametrize("width", [16, 23, 60])
def test_scales_hold_their_values(values, width):
    scale = Scale(values, width)
    columns = [scale.column(value) for value in sorted(values)]
    assert columns == sorted(columns)
    assert all(0 <= column < width for column in columns)
    ticks = [scale.column(tick) for tick in scale.ticks]
    assert ticks
    assert all(right - left >= 5 for left, right in pairwise(ticks))
    for text in scale.axis():
        assert len(text) == width
    assert re.findall(r"-?\d+", scale.axis()[1]) == [str(tick) for tick in scale.ticks]
    assert len(scale.bar(None).plain) == width


def test_a_bar_without_width():
    scale = Scale([900.0, 1100.0], 21)
    assert scale.bar(Rating(1000.0, (1000.0, 1000.0), 4)).plain.count("●") == 1
    assert scale.bar(Rating(1000.0, (900.0, 1100.0), 4)).plain == "├─────────●─────────┤"
    assert scale.bar(Rating(900.0, (900.0, 1000.0), 4)).plain.startswith("●─────────┤")


# the command


def told(*arguments):
    answer = call("ladder", *arguments, "--json")
    assert (answer.status, answer.err) == (0, ""), answer
    return json.loads(answer.out)


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    """A small ladder that was kept: what the command printed, and its file."""
    file = tmp_path_factory.mktemp("ladder") / "results.jsonl"
    return told("leelawadee", "--games", "60", "--engine", "mcts simulations=4", *QUICK, "--results", str(file)), file


def test_the_form_of_the_json(answered):
    answer, file = answered
    assert set(answer) == {
        "game", "players", "options", "seed", "games", "deals", "engines", "pairs", "date", "version"}
    assert (answer["game"], answer["players"], answer["seed"]) == ("leelawadee", 2, 1)
    assert (answer["games"], answer["deals"]) == (60, 30)
    assert answer["options"]["tie"] == "shared"
    assert {engine["name"] for engine in answer["engines"]} == {*ALWAYS, "mcts simulations=4"}
    ratings = [engine["elo"] for engine in answer["engines"]]
    assert ratings == sorted(ratings, reverse=True)
    for engine in answer["engines"]:
        assert set(engine) == {"name", "player", "elo", "interval", "games", "first_share", "score"}
        assert set(engine["player"]) == {"engine", "seconds", "simulations", "threads", "settings", "slip"}
        assert engine["interval"][0] <= engine["elo"] <= engine["interval"][1]
        assert 0 <= engine["first_share"] <= 1
    assert sum(engine["games"] for engine in answer["engines"]) == 2 * 60
    assert sum(pair["games"] for pair in answer["pairs"]) == 60
    assert next(engine["elo"] for engine in answer["engines"] if engine["name"] == "greedy") == 1000
    assert next(e["player"]["simulations"] for e in answer["engines"] if e["name"] == "halving") == 3
    assert len(file.read_bytes().splitlines()) == 1 + 30


def test_two_workers_play_the_same(answered, tmp_path):
    file = tmp_path / "results.jsonl"
    same = told(
        "leelawadee", "--games", "60", "--engine", "mcts  simulations=4", "--simulations", "3", "--workers", "2",
        "--results", str(file))
    assert same == answered[0]
    assert file.read_bytes() == answered[1].read_bytes()


def test_it_resumes_and_more_games_add(answered, tmp_path):
    answer, whole = answered
    file = tmp_path / "results.jsonl"
    arguments = ("leelawadee", "--engine", "mcts simulations=4", *QUICK, "--results", str(file))
    fewer = told(*arguments, "--games", "13")
    assert (fewer["games"], fewer["deals"]) == (14, 7)   # deals are played whole
    assert whole.read_bytes().startswith(file.read_bytes())
    with file.open("ab") as opened:
        opened.write(b'{"number":7,"gro')
    assert told(*arguments, "--games", "60") == answer
    assert file.read_bytes() == whole.read_bytes()
    assert told(*arguments, "--games", "14") == fewer   # what is more stays in the file
    assert file.read_bytes() == whole.read_bytes()


def test_the_picture_of_the_command_and_its_svg(answered, tmp_path):
    svg = tmp_path / "ladder.svg"
    arguments = ("leelawadee", "--games", "60", "--engine", "mcts simulations=4", *QUICK, "--results", str(answered[1]))
    answer = call("ladder", *arguments, "--svg", str(svg))
    assert (answer.status, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == "leelawadee, 2 players: 60 games of 30 deals"
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in answer.out
    names = [engine["name"] for engine in answered[0]["engines"]]
    shown = [next(name for name in names if line.startswith(name)) for line in lines if "●" in line]
    assert shown == names
    text = svg.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag.endswith("svg")
    written = "".join(root.itertext()).replace("\xa0", " ")
    assert all(name in written for name in names)
    assert "garden-ai ladder leelawadee --players 2" in written
    assert "@font-face" not in text
    assert SVG_WIDTH == 80
    assert call("ladder", *arguments, "--svg", str(svg)).status == 0   # again, in its place
    assert svg.read_text(encoding="utf-8") == text


def test_levels_are_rated_where_no_engine_is_named():
    with patch.object(arena_ladder, "play_deal", invented), patch("garden_ai.cli.ladder.workers_of") as workers:
        workers.return_value.__enter__.return_value = HERE
        answer = told("ladybird", "--players", "3", "--games", "90", "--option", "first=2")
    assert {engine["name"] for engine in answer["engines"]} == {*ALWAYS, *levels("ladybird")}
    assert (answer["players"], answer["games"], answer["deals"]) == (3, 90, 30)
    assert answer["options"]["first"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "game: expected one of"),
        (["leelawadee", "--players", "9"], "players: expected"),
        (["leelawadee", "--games", "0"], "--games: expected 1..10000000; got 0"),
        (["leelawadee", "--engine", "greedy"], "--engine: expected each player once"),
        (["leelawadee", "--engine", "mcts", "--engine", " mcts"], "--engine: expected each player once"),
        (["leelawadee", "--engine", "oracle"], "--engine: expected one of"),
        (["leelawadee", "--engine", "mcts slip=2"], "--engine slip: expected a number 0..1"),
        (["leelawadee", "--seconds", "0"], "--seconds: expected more than 0"),
        (["leelawadee", "--seconds", "1", "--simulations", "5"], "--seconds: expected either"),
        (["leelawadee", "--workers", "0"], "--workers: expected 1..1024; got 0"),
        (["leelawadee", "--workers", "1", "--scheduler", "tcp://127.0.0.1:1"], "--workers: expected either"),
        (["leelawadee", "--option", "moon=full"], "option moon: unknown"),
        (["leelawadee", "--results", "/does/not/exist"], "/does/not/exist: cannot be opened: No such file"),
        (["leelawadee", "--svg", "/does/not/exist.svg"], "--svg: expected a file in a folder that is there"),
    ],
)
def test_ladder_refuses(arguments, message):
    assert message in refused(call("ladder", *arguments))


def test_what_is_no_svg_is_not_overwritten(answered):
    message = refused(call("ladder", "leelawadee", "--svg", str(answered[1])))
    assert message == f"--svg: {answered[1]} exists and is no SVG; expected a new file or an SVG"


def run_in_a_session(*arguments, **streams):
    """The command in a process group of its own, as a shell starts it."""
    return subprocess.Popen(
        [sys.executable, "-m", "garden_ai", "ladder", *arguments], start_new_session=True, text=True, **streams)


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_an_interrupt_prints_what_is_there_and_keeps_it(tmp_path):
    """Ctrl-C reaches the whole group; its file is one that the ladder goes on from."""
    file = tmp_path / "results.jsonl"
    arguments = ("leelawadee", "--games", "1000000", *QUICK, "--engine", "greedy slip=0.1", "--results", str(file))
    running = run_in_a_session(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(lambda: file.exists() and file.read_bytes().count(b"\n") >= 3)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert running.returncode == 130, err
    deals = file.read_bytes().count(b"\n") - 1
    assert out.splitlines()[0] == f"leelawadee, 2 players: {2 * deals} games of {deals} deals"
    assert err == f"garden-ai: stopped after {deals} deals of 500000; the same command goes on from {file}\n"
    assert told(*arguments[:2], str(2 * deals), *arguments[3:])["deals"] == deals


def test_at_a_terminal_it_is_seen_how_it_stands():
    """A pseudo-terminal: a table that is drawn anew, a bar that counts deals, and the final picture once below."""
    outside, inside = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "LINES": "30"}
    running = run_in_a_session("leelawadee", "--games", "40", *QUICK, "--engine", "greedy slip=0.1",
                               stdin=subprocess.DEVNULL, stdout=inside, stderr=inside, env=environment)
    os.close(inside)
    seen = b""
    while True:
        try:
            part = os.read(outside, 65536)
        except OSError:   # the other side is closed
            break
        if not part:
            break
        seen += part
    os.close(outside)
    assert running.wait(30) == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode())
    assert "/20" in text
    assert text.count("leelawadee, 2 players: 0 games of 0 deals") >= 1
    assert text.rstrip().count("leelawadee, 2 players: 40 games of 20 deals") >= 1
    assert "●" in text
