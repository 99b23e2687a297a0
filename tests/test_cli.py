"""Every command of `garden-ai`: what it prints, the form of its JSON, and how it refuses."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import patch

import pytest
from command import call, refused
from jsonschema import Draft202012Validator

import garden_ai
from garden_ai import bench
from garden_ai.cli.apply import split
from garden_ai.games import definition, names, register
from garden_ai.games.leelawadee.schema import EXAMPLE
from garden_ai.position import build_position, parse_position, position_text
from garden_ai.record import Record, event_seed, read_record
from garden_ai.search import ENGINES


@pytest.fixture
def example(tmp_path):
    path = tmp_path / "example.json"
    path.write_text(json.dumps(EXAMPLE))
    return str(path)


@pytest.fixture
def finished(tmp_path):
    path = tmp_path / "finished.jsonl"
    assert (
        call("play", "leelawadee", "--seed", "3", "--seat", "greedy", "--seat", "random", "--record", path).status == 0
    )
    return str(path)


@pytest.fixture
def at_chance(tmp_path):
    path = tmp_path / "chance.json"
    path.write_text(position_text(garden_ai.load("leelawadee", 3).start()))
    return str(path)


def printed_json(*arguments, **kinds):
    answer = call(*arguments, **kinds)
    assert (answer.status, answer.err) == (0, ""), answer
    assert answer.out.count("\n") == 1
    return json.loads(answer.out)


# games, new


def test_games():
    for entry, name in zip(printed_json("games", "--json"), names(), strict=True):
        assert list(entry) == ["name", "title", "summary", "players", "options", "components"]
        assert entry["name"] == name
        assert {part["standing"] for part in entry["components"]} <= {"printed", "assumed"}
        assert all({"name", "default", "help"} <= set(option) for option in entry["options"])
    people = call("games").out
    assert "leelawadee" in people
    assert "printed" in people
    assert "assumed" in people
    assert max(map(len, people.splitlines())) <= 80


def test_new_is_drawn_up_to_the_first_decision_and_repeatable():
    arguments = ("new", "leelawadee", "--players", "4", "--option", "open_draws=yes", "--seed", "5")
    printed = call(*arguments).out
    assert call(*arguments).out == printed
    assert json.loads(printed) == printed_json(*arguments, "--json")
    _, state = parse_position(printed)
    assert state.actor >= 0
    assert state == garden_ai.load("leelawadee", 4, open_draws=True).start(5)
    assert json.loads(printed)["options"] == {"open_draws": True}


def test_new_without_a_seed_differs():
    assert len({call("new", "leelawadee", "--players", "4").out for _ in range(8)}) > 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["new", "chess"], "game: expected one of"),
        (["new", "leelawadee", "--players", "5"], "players: expected 2..4 for leelawadee; got 5"),
        (["new", "leelawadee", "--players", "-1"], "players: expected 2..4 for leelawadee; got -1"),
        (["new", "leelawadee", "--players", "two"], "'--players'"),
        (["new", "leelawadee", "--option", "tie"], "--option: expected NAME=VALUE; got 'tie'"),
        (["new", "leelawadee", "--option", "players=3"], "option players: unknown; leelawadee has first, "),
        (
            ["new", "leelawadee", "--option", "bid_max=1000"],
            "option bid_max: expected a whole number 0..99; got '1000'",
        ),
        (["new", "leelawadee", "--option", "first=3"], "options.first: expected one of random, 0, 1; got 3"),
        (["new", "leelawadee", "--option", "first=0", "--option", "first=1"], "option first: given twice"),
        (["new", "leelawadee", "--components", "/does/not/exist.toml"], "/does/not/exist.toml: cannot be read"),
        (["new"], "Missing argument 'GAME'"),
        (["new", "leelawadee", "--sed", "1"], "No such option: --sed"),
        (["grow"], "No such command 'grow'"),
        (["schema", "garden", "leelawadee"], "KIND: expected one of position, record; got 'garden'"),
        (["schema", "position", "chess"], "game: expected one of"),
        (["bench", "--only", "nothing"], "row: expected 'signature' or"),
    ],
)
def test_wrong_arguments(arguments, message):
    assert message in refused(call(*arguments))


def test_help_and_version():
    assert "hint" in call().out
    assert call("--help").out == call().out
    assert call("--version").out == f"garden-ai {garden_ai.__version__}\n"
    for command in ("games", "new", "show", "legal", "apply", "score", "hint", "play", "bench", "schema"):
        assert command in call(command, "--help").out


# show, legal, score


def test_show(example):
    picture = call("show", example).out
    assert "player 1 to plant" in picture
    assert max(map(len, picture.splitlines())) <= 80
    assert picture == call("show", "-", stdin=Path(example).read_bytes()).out


def test_show_takes_a_record(finished):
    assert "the game is over" in call("show", finished).out


def test_show_hides_what_the_player_to_move_cannot_see():
    state = garden_ai.load("leelawadee", 3, bid_for_start=True).start(1)
    state.apply(96 + 7)
    position = position_text(state)
    assert "player 0: hidden" in call("show", "-", stdin=position).out
    assert "player 0: 7" in call("show", "-", "--all", stdin=position).out


def test_legal(example):
    answer = printed_json("legal", example, "--json")
    state = build_position(EXAMPLE)[1]
    assert list(answer) == ["to_move", "moves"]
    assert answer["to_move"] == 1
    assert len(answer["moves"]) == len(state.legal_actions()) == 18
    people = call("legal", example).out
    assert "player 1 has 18 legal moves" in people
    assert re.search(r"^  red +a1 c1 d1 e1 a2 b2 c2 d2 e2$", people, re.MULTILINE)


def test_legal_where_nobody_moves(finished, at_chance):
    assert printed_json("legal", finished, "--json") == {"to_move": "over", "moves": []}
    assert call("legal", finished).out == "the game is over\n"
    assert printed_json("legal", at_chance, "--json") == {"to_move": "chance", "moves": []}
    assert call("legal", at_chance).out == "chance is to move; 3 possible: first 0, first 1, first 2\n"


def test_score(example, finished):
    answer = printed_json("score", finished, "--json")
    assert list(answer) == ["final", "scores", "components", "placing"]
    assert answer["final"] is True
    assert [sum(parts.values()) for parts in answer["components"]] == answer["scores"]
    assert min(answer["placing"]) == 1
    assert printed_json("score", example, "--json")["final"] is False
    people = call("score", finished).out
    assert "final scores" in people
    for score in answer["scores"]:
        assert re.search(rf"points .*\b{score}\b", people)


# apply


def test_apply_is_the_move(example):
    answer = printed_json("apply", example, "red b2", "--json")
    state = build_position(EXAMPLE)[1]
    state.apply(definition("leelawadee").notation.parse(state, "red b2"))
    assert build_position(answer)[1] == state
    assert answer["to_move"] == 0


def test_apply_draws_up_to_the_next_decision(example):
    moves = ("red b2", "blue b1")
    drawn = call("apply", example, *moves, "--seed", "1").out
    assert call("apply", example, "red b2; blue b1", "--seed", "1").out == drawn
    assert json.loads(drawn)["state"]["round"] == 2
    assert {call("apply", example, *moves, "--seed", str(seed)).out for seed in range(9)} > {drawn}
    left_open = json.loads(call("apply", example, *moves, "--no-draw").out)
    assert left_open["to_move"] == "chance"
    assert len(left_open["state"]["history"]) == 1


def test_apply_takes_outcomes_like_moves(example):
    answer = printed_json("apply", example, "red b2, blue b1", "draw YOORPB", "purple a1", "--json")
    assert answer["state"]["table"] == "YOORB"
    assert answer["state"]["gardens"][1]["rows"][0] == "PP..."
    # where no outcome is named it is drawn, and the next move counts after it
    state = build_position(printed_json("apply", example, "red b2, blue b1", "--seed", "4", "--json"))[1]
    first = printed_json("legal", "-", "--json", stdin=position_text(state))["moves"][0]
    assert printed_json("apply", example, "red b2, blue b1", first, "--seed", "4", "--json")["to_move"] != "chance"


def test_moves_may_stand_in_one_argument():
    assert split(["red a1; blue b1", "draw YY,"]) == ["red a1", "blue b1", "draw YY"]


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (["red b1"], "move 1: 'red b1': not possible"),
        (["rose b2"], "move 1: 'rose b2': expected a colour and a spot"),
        (["red b2", "red c2"], "move 2: 'red c2': not possible"),
        (["red b2; blue b1; draw BBBBBBBBB"], "move 3: 'draw BBBBBBBBB': not possible; expected 6 flowers of the bag"),
    ],
)
def test_apply_refuses(example, moves, message):
    assert message in refused(call("apply", example, *moves))


def test_apply_after_the_end(finished):
    assert "the game is over" in refused(call("apply", finished, "red a1"))


# hint


def test_hint_json(example):
    arguments = ("hint", example, "--engine", "halving", "--simulations", "400", "--seed", "1", "--top", "3", "--json")
    answer = printed_json(*arguments)
    assert {"game", "to_move", "engine", "simulations", "seconds", "nodes_per_second", "solved", "moves"} <= set(answer)
    assert (answer["game"], answer["to_move"], answer["engine"]) == ("leelawadee", 1, "halving")
    assert len(answer["moves"]) == 3
    for move in answer["moves"]:
        assert list(move) == [
            "move",
            "visits",
            "probability",
            "win",
            "win_interval",
            "scores",
            "components",
            "line",
            "reason",
        ]
        assert len(move["scores"]) == 3
        assert move["win_interval"][0] <= move["win"] <= move["win_interval"][1]
    assert printed_json(*arguments)["moves"] == answer["moves"]


def test_hint_for_people(example):
    people = call("hint", example, "--simulations", "400", "--seed", "1").out
    assert "win (estimated)" in people
    assert "400 simulations" in people
    assert "visits" in people
    assert "points of 0, 1, 2" in people
    assert len(re.findall(r"^ 1 .*%.*?((?:[0-9.]+ +){3})", people, re.MULTILINE)) == 1
    assert re.search(r"^1\. ", people, re.MULTILINE)
    assert max(map(len, people.splitlines())) <= 80


@pytest.mark.parametrize("engine", list(ENGINES))
def test_hint_with_every_engine(example, engine):
    assert printed_json("hint", example, "--engine", engine, "--simulations", "50", "--json")["engine"] == engine
    assert call("hint", example, "--engine", engine, "--simulations", "50").status == 0


def test_an_engine_may_be_given_settings(example):
    for engine in ("halving playouts=random", "halving simulations=50"):
        assert printed_json("hint", example, "--engine", engine, "--simulations", "50", "--json")["engine"] == "halving"
    assert "playouts: expected one of" in refused(call("hint", example, "--engine", "halving playouts=bad"))


def test_levels_name_engines(example):
    assert printed_json("hint", example, "--level", "beginner", "--json")["engine"] == "greedy"
    assert printed_json("hint", example, "--level", "strong", "--simulations", "50", "--json")["engine"] == "mcts"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--engine", "oracle"], "--engine: expected one of"),
        (["--level", "divine"], "--level: expected one of"),
        (["--level", "strong", "--engine", "greedy"], "--level: expected either"),
        (["--seconds", "0"], "--seconds: expected more than 0"),
        (["--seconds", "nan"], "--seconds: expected more than 0"),
        (["--seconds", "1", "--simulations", "1"], "--seconds: expected either"),
        (["--simulations", "0"], "--simulations: expected 1.."),
        (["--simulations", "9" * 30], "--simulations: expected 1.."),
        (["--threads", "0"], "--threads: expected 1.."),
        (["--top", "0"], "--top: expected 1.."),
        (["--seed", "x"], "'--seed'"),
    ],
)
def test_hint_refuses(example, arguments, message):
    assert message in refused(call("hint", example, *arguments))


def test_hint_where_nobody_moves(at_chance, finished):
    assert "to_move: expected a player; chance is to move" in refused(call("hint", at_chance))
    assert "to_move: expected a player; the game is over" in refused(call("hint", finished))


# schema, bench


@pytest.mark.parametrize("kind", ["position", "record"])
def test_schemas_are_schemas(kind):
    schema = json.loads(call("schema", kind, "leelawadee").out)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


def test_bench_prints_what_was_measured():
    measured = {
        "signature": 123,
        "results": [
            {"name": "playout/leelawadee/2", "nodes_per_second": 12345678.9, "playouts_per_second": 5.25},
            {"name": "mcts/leelawadee/2", "simulations_per_second": 100000.0},
        ],
    }
    with patch.object(bench, "run", return_value=measured) as run:
        assert printed_json("bench", "--only", "x", "--json") == measured
        assert run.call_args.args[0] == "x"
        people = call("bench").out
    assert "12,345,679" in people
    assert "signature 123" in people


# play


def test_engines_play_a_game_to_its_end(tmp_path):
    begun = time.monotonic()
    answer = call("play", "leelawadee", "--players", "4", "--seed", "2", "--record", tmp_path / "game.jsonl")
    assert time.monotonic() - begun < 20
    assert answer.status == 0
    assert "the game is over" in answer.out
    assert "final scores" in answer.out
    assert "the first place" in answer.out or "wins" in answer.out
    record = read_record(tmp_path / "game.jsonl")
    assert record.state.actor == garden_ai.TERMINAL
    assert record.names == ("mcts",) * 4


def test_the_same_seed_plays_the_same_game(tmp_path):
    for name in ("one", "two"):
        call("play", "leelawadee", "--seed", "2", "--simulations", "30", "--record", tmp_path / name)
    assert (tmp_path / "one").read_text() == (tmp_path / "two").read_text()


def conversation(*lines, arguments=()):
    typed = "\n".join(lines) + "\n"
    return call(
        "play",
        "leelawadee",
        "--seed",
        "4",
        "--seat",
        "human",
        "--seat",
        "greedy",
        "--option",
        "first=0",
        *arguments,
        stdin=typed,
    )


def test_a_person_can_play(tmp_path):
    file = tmp_path / "game.jsonl"
    answer = conversation(
        "help", "moves", "nonsense", "show", "score", "", f"save {file}", "quit", arguments=("--simulations", "10")
    )
    assert (answer.status, answer.err) == (0, "")
    assert "save FILE" in answer.out
    assert "'nonsense': expected a colour and a spot" in answer.out
    assert f"saved to {file}" in answer.out
    assert answer.out.count("player 0 to plant") == 2  # at his turn, and when he asked for it
    assert "left before the end" in answer.out
    assert [event.by for event in read_record(file).events] == ["chance"]


def test_hint_and_undo_in_a_game(tmp_path):
    moves = printed_json("legal", "-", "--json", stdin=position_of_the_conversation())["moves"]
    file = tmp_path / "game.jsonl"
    answer = conversation(
        "undo", "hint", moves[0], "undo", moves[1], arguments=("--simulations", "50", "--record", file)
    )
    assert answer.status == 0
    assert "undo: you have not moved yet" in answer.out
    assert "win (estimated)" in answer.out
    events = read_record(file).events
    assert [event.by for event in events] == ["chance", 0, 1, 1]
    assert events[1].move == moves[1]


def position_of_the_conversation():
    state = garden_ai.load("leelawadee", 2, first=0).start()
    state.draw(event_seed(4, 0))
    return position_text(state)


def test_a_whole_game_by_hand():
    """A person who always types the first legal move comes to the end."""
    record = Record(garden_ai.load("leelawadee", 2, first=0).start())
    typed = []
    while record.state.actor != garden_ai.TERMINAL:
        state = record.state
        if state.actor == garden_ai.CHANCE:
            record.apply(state.copy().draw(event_seed(4, len(record.events))))
        elif state.actor == 0:
            typed.append(record.apply(int(state.legal_actions()[0])).move.upper())
        else:
            seed = event_seed(4, len(record.events))
            record.apply(garden_ai.analyse(state, "greedy", seed=seed).choose(seed))
    answer = conversation(*typed)
    assert answer.status == 0
    assert "final scores" in answer.out
    assert "not possible" not in answer.out


def test_a_game_is_resumed(tmp_path):
    file, later = tmp_path / "game.jsonl", tmp_path / "later.jsonl"
    conversation(arguments=("--record", file))
    answer = call("play", "leelawadee", "--resume", file, "--seat", "random", "--seat", "random", "--record", later)
    assert answer.status == 0
    assert later.read_text().splitlines()[1] == file.read_text().splitlines()[1]
    assert read_record(later).state.actor == garden_ai.TERMINAL
    assert "players" not in call("play", "leelawadee", "--resume", later).err
    assert "--resume: the record says" in refused(call("play", "leelawadee", "--resume", file, "--players", "2"))


def test_sealed_choices_are_told_together():
    answer = call(
        "play",
        "leelawadee",
        "--seed",
        "4",
        "--option",
        "bid_for_start=yes",
        "--seat",
        "human",
        "--seat",
        "greedy",
        stdin="bid 7\n",
    )
    told = answer.out.index("has chosen")
    assert "bid 7" not in answer.out[:told]
    assert "  player 0 (you): bid 7" in answer.out[told:]
    assert "  player 1 (greedy): bid" in answer.out[told:]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seat", "oracle"], "--seat: expected one of"),
        (["--seat", ""], "--seat: expected human or an engine"),
        (["--seat", "halving playouts"], "--seat: expected KEY=VALUE after halving"),
        (["--seat", "halving playouts=bad"], "playouts: expected one of policy, random"),
        (["--seat", "halving colour=1"], "colour: unknown setting"),
        (["--seat", "halving simulations=many"], "--seat simulations: expected a whole number; got 'many'"),
        (["--seat", "halving seconds=-1"], "--seat seconds: expected a number above 0"),
        (["--seat", "greedy"] * 3, "--seat: expected at most 2, one a player; got 3"),
        (["--resume", "/does/not/exist"], "/does/not/exist: cannot be read"),
    ],
)
def test_play_refuses(arguments, message):
    assert message in refused(call("play", "leelawadee", *arguments))


def test_a_record_that_cannot_be_written():
    answer = call("play", "leelawadee", "--seat", "random", "--seat", "random", "--record", "/does/not/exist")
    assert answer.status == 2
    assert answer.err == "garden-ai: /does/not/exist: cannot be written: No such file or directory\n"


# other games


def test_the_command_knows_no_particular_game(test_definitions, monkeypatch):
    """The test games, made outside the package, go through every command."""
    monkeypatch.setattr(garden_ai.games, "_registered", {})
    for name, game in test_definitions.items():
        register(game)
        position = call("new", name, "--seed", "1").out
        assert json.loads(position)["game"] == name
        moves = printed_json("legal", "-", "--json", stdin=position)["moves"]
        assert len(moves) == 2
        for command in ("show", "legal", "score"):
            assert call(command, "-", stdin=position).status == 0
        assert printed_json("hint", "-", "--simulations", "40", "--json", stdin=position)["game"] == name
        assert call("apply", "-", moves[0], stdin=position).status == 0
        assert (
            call("play", name, "--seat", "human", "--simulations", "20", stdin=f"{moves[0]}\n{moves[0]}\n").status == 0
        )
        assert call("schema", "position", name).status == 0


def test_a_person_is_not_told_what_he_cannot_see(test_definitions, monkeypatch):
    monkeypatch.setattr(garden_ai.games, "_registered", {})
    register(test_definitions["kuhn_poker"])
    arguments = ("play", "kuhn_poker", "--seed", "1", "--simulations", "20")
    seated = call(*arguments, "--seat", "human", stdin="pass\npass\n").out
    alone = call(*arguments).out
    assert "chance: something hidden" in seated
    assert "deal" not in seated
    assert "chance: deal" in alone


# as a process


def process(*arguments, **kinds):
    return subprocess.Popen(
        [sys.executable, "-m", "garden_ai", *map(str, arguments)],
        text=True,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        **kinds,
    )


def test_a_closed_pipe_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    running = process("schema", "position", "leelawadee", stdout=writing)
    os.close(writing)
    assert running.communicate()[1] == ""
    assert running.returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_is_one_line():
    with open("/dev/full", "w") as full:
        running = process("games", stdout=full)
        assert running.communicate()[1] == "garden-ai: standard output: No space left on device\n"
    assert running.returncode == 2


def test_an_interrupt_ends_a_game_and_keeps_its_record(tmp_path):
    file = tmp_path / "game.jsonl"
    running = process("play", "leelawadee", "--seconds", "30", "--record", file, stdout=subprocess.PIPE)
    assert running.stdout.readline().startswith("chance: first")
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    assert running.communicate(timeout=20)[1] == ""
    assert running.returncode == 130
    assert len(read_record(file).events) >= 2


def test_plain_ascii_where_the_terminal_has_no_more(example):
    running = process("show", example, stdout=subprocess.PIPE, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    out, err = running.communicate()
    assert err == ""
    assert out.isascii()
    assert "^ yellow" in out
    assert "> player 1" in out


# records of a game that is being played, seeds, and what is refused


def test_a_game_that_is_killed_keeps_its_record(tmp_path):
    file = tmp_path / "game.jsonl"
    running = process("play", "leelawadee", "--seconds", "30", "--record", file, stdout=subprocess.PIPE)
    assert running.stdout.readline().startswith("chance: first")
    running.terminate()
    running.communicate(timeout=20)
    assert len(read_record(file).events) >= 1


def test_a_file_that_is_no_record_is_not_written_over(tmp_path):
    file = tmp_path / "diary"
    file.write_text("dear diary\n")
    message = f"{file} exists and is no record; expected a new file or a record"
    engines = ("--seat", "random", "--seat", "random")
    assert refused(call("play", "leelawadee", *engines, "--record", file)) == f"--record: {message}"
    answer = conversation(f"save {file}", "score", "quit")
    assert (answer.status, answer.err) == (0, "")
    assert f"save: {message}" in answer.out
    assert "place" in answer.out[answer.out.index(message) :]
    assert file.read_text() == "dear diary\n"


def test_a_record_is_tried_before_the_game():
    answer = call("play", "leelawadee", "--seat", "random", "--seat", "random", "--record", "/does/not/exist")
    assert "cannot be written" in refused(answer)


def test_save_knows_the_home_and_quotes(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    answer = conversation("save ~/one", f"save '{tmp_path}/my two'", 'save "', "save a b", "save", "quit")
    assert answer.status == 0
    assert answer.out.count("save: expected a file name") == 3
    assert read_record(tmp_path / "one").events == read_record(tmp_path / "my two").events


@pytest.mark.parametrize("word", ["quit", "exit", "Q"])
def test_other_words_in_a_game(word):
    answer = conversation("legal", word)
    assert answer.out == conversation("moves", "quit").out
    assert "left before the end" in answer.out
    assert "help" not in answer.out


@pytest.mark.parametrize("seed", [-1, 2**64, 10**60])
def test_seeds_have_limits(example, seed):
    for command in (["new", "leelawadee"], ["play", "leelawadee"], ["apply", example], ["hint", example]):
        message = refused(call(*command, "--seed", seed))
        assert message.startswith(f"--seed: expected a whole number 0..{2**64 - 1}; got {str(seed)[:30]}")


def test_the_greatest_seed_is_played_and_read(tmp_path):
    file = tmp_path / "game.jsonl"
    engines = ("--seat", "random", "--seat", "random")
    assert call("play", "leelawadee", *engines, "--seed", 2**64 - 1, "--record", file).status == 0
    assert read_record(file).seed == 2**64 - 1


def test_a_resumed_game_is_played_by_the_same(tmp_path):
    file, later = tmp_path / "game.jsonl", tmp_path / "later.jsonl"
    start = garden_ai.load("leelawadee", 4).start()
    file.write_text(Record(start, seed=1, names=("beginner", "you", "random", "Ann")).text())
    arguments = ("play", "leelawadee", "--resume", file, "--simulations", "10", "--record", later)
    answer = call(*arguments, stdin="quit\n")
    assert answer.status == 0
    assert "player 1 (you)>" in answer.out
    assert read_record(later).names == ("beginner", "you", "random", "mcts")
    call(*arguments, "--seat", "greedy", "--seat", "greedy")
    assert read_record(later).names == ("greedy", "greedy", "mcts", "mcts")


def test_only_a_record_is_resumed(example, finished, tmp_path):
    message = refused(call("play", "leelawadee", "--resume", example))
    assert message == f"{example}: is a position; expected a record: a header, then a line an event"
    file = tmp_path / "headless"
    file.write_text(Path(finished).read_text().split("\n", 1)[1])
    for command in (["play", "leelawadee", "--resume"], ["show"]):
        assert refused(call(*command, file)).startswith(f"{file}:1: is no header of a record")


@pytest.mark.parametrize(
    ("move", "said", "unsaid"),
    [
        ("draw BBBBBBBBB", "expected 6 flowers of the bag", "a colour and a spot"),
        ("draw Q", "expected 'draw' and a letter", "a colour and a spot"),
        ("red z9", "expected a colour and a spot", "'draw'"),
        ("nonsense", "expected 'draw' and a letter", ""),
    ],
)
def test_a_wrong_event_is_answered_once(example, move, said, unsaid):
    message = refused(call("apply", example, "red b2; blue b1", move, "--seed", "1"))
    assert message.startswith(f"move 3: {move!r}: ")
    assert said in message
    assert not unsaid or (unsaid not in message and "; then" not in message)


def test_a_number_of_thousands_of_digits(example):
    position = Path(example).read_text().replace('"players": 3', f'"players": {"3" * 5000}')
    message = refused(call("show", "-", stdin=position))
    assert message == "standard input: expected numbers of at most 600 digits; got one of 5000"
