"""Records: written, read back and replayed to the same states; every mistake is answered with its line."""

import json

import pytest
from jsonschema import Draft202012Validator

import garden_ai
from garden_ai import FieldError
from garden_ai.files import write_text
from garden_ai.games import definition
from garden_ai.games.leelawadee.schema import EXAMPLE
from garden_ai.position import build_position, position_text
from garden_ai.record import Record, check_target, event_seed, parse_record, read_record, read_state, record_schema

OPTIONS = [
    {},
    {"open_draws": True},
    {"bid_for_start": True},
    {"first": 1, "attract": "best-group"},
    {"bid_for_start": True, "open_draws": True, "bid_max": 2},
]


def play(record: Record, seed: int, events: int = 1000) -> Record:
    for _ in range(events):
        state = record.state
        if state.actor == garden_ai.TERMINAL:
            break
        number = event_seed(seed, len(record.events))
        record.apply(state.copy().draw(number) if state.actor == garden_ai.CHANCE else state.random_action(number))
    return record


def played(players: int = 2, seed: int = 1, events: int = 1000, **options) -> Record:
    return play(Record(garden_ai.load("leelawadee", players, **options).start()), seed, events)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_record_replays_to_the_same_states(players, options):
    for seed in range(5):
        record = played(players, seed, **options)
        again = parse_record(record.text())
        assert again.states == record.states
        assert [state.to_bytes() for state in again.states] == [state.to_bytes() for state in record.states]
        assert again.events == record.events
        assert again.text() == record.text()


@pytest.mark.parametrize("options", OPTIONS)
def test_every_line_fits_the_schema(options):
    validator = Draft202012Validator(record_schema(definition("leelawadee")))
    for line in played(3, 5, **options).lines():
        validator.validate(line)
    assert not validator.is_valid({"by": 9, "move": "red a1"})


def test_the_form_of_a_record():
    record = played(2, 3, open_draws=True)
    record.seed, record.names = 3, ("Ann", "Ben")
    lines = [json.loads(line) for line in record.text().splitlines()]
    assert lines[0] == {
        "format": "garden-ai record",
        "version": 1,
        "game": "leelawadee",
        "players": 2,
        "options": {"open_draws": True},
        "seed": 3,
        "names": ["Ann", "Ben"],
    }
    assert lines[1] == {"by": "chance", "move": record.events[0].move}
    assert lines[-1] == {"result": {"scores": record.state.scores(), "placing": record.state.placing()}}
    again = parse_record(record.text())
    assert (again.seed, again.names) == (3, ("Ann", "Ben"))


def test_a_record_may_begin_anywhere_and_end_anywhere():
    start = build_position(EXAMPLE)[1]
    record = play(Record(start), 1, events=7)
    header = json.loads(record.text().split("\n")[0])
    assert header["start"]["state"]["table"] == "RB"
    again = parse_record(record.text())
    assert again.start == start
    assert again.state == record.state
    assert "result" not in record.text()


def test_taking_back():
    record = played(2, 1)
    states = list(record.states)
    record.truncate(10)
    assert record.state == states[9]
    assert parse_record(record.text()).states == states[:10]


def test_a_state_is_read_from_either(tmp_path):
    record = played(2, 1, events=20)
    (tmp_path / "record").write_text(record.text())
    (tmp_path / "position").write_text(position_text(record.state))
    for name in ("record", "position"):
        game, state = read_state(tmp_path / name)
        assert game.name == "leelawadee"
        assert state == record.state


def test_blank_lines_and_line_ends_do_not_matter():
    text = played(2, 1).text()
    assert parse_record("\n" + text.replace("\n", "\r\n\r\n")).text() == text


HEADER = '{"format": "garden-ai record", "version": 1, "game": "leelawadee", "players": 2}'
FIRST = '{"by": "chance", "move": "first 0"}'
DRAW = '{"by": "chance", "move": "draw YORB"}'


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "r: is empty; expected a record"),
        (["{"], "r:1:2: not JSON"),
        (["[]"], "r:1: is no header of a record; expected an object with format, "),
        (['{"by": "chance", "move": "first 0"}'], "r:1: is no header of a record; expected an object with format, "),
        ([HEADER.replace("record", "position")], "r: is a position; expected a record"),
        ([HEADER.replace("record", "game")], "r:1: format: expected one of garden-ai record; got 'garden-ai game'"),
        ([HEADER.replace("2}", '2, "seed": -1}')], "r:1: seed: expected a whole number 0..18446744073709551615; got -1"),
        (
            [HEADER.replace("2}", "9" * 5000 + "}")],
            "r:1: expected numbers of at most 600 digits; got one of 5000",
        ),
        ([HEADER.replace(": 1", ": 2")], "r:1: version: expected one of 1; got 2"),
        ([HEADER.replace("leelawadee", "chess")], "r:1: game: expected one of"),
        ([HEADER.replace("2}", "7}")], "r:1: players: expected a whole number 2..4; got 7"),
        ([HEADER.replace("2}", '2, "seed": "x"}')], "r:1: seed: expected a whole number"),
        ([HEADER.replace("2}", '2, "names": ["a"]}')], "r:1: names: expected a list of 2 names"),
        ([HEADER.replace("2}", '2, "start": 3}')], "r:1: start: expected an object"),
        (
            [HEADER.replace("2}", f'2, "start": {json.dumps(EXAMPLE)}}}')],
            "r:1: start: expected the game, players, options",
        ),
        ([HEADER.replace("2}", '2, "extra": 3}')], "r:1: extra: unknown field"),
        ([HEADER, "", "7"], "r:3: expected an event, an object with by, move; got 7"),
        ([HEADER, FIRST.replace("}", ', "x": 1}')], "r:2: x: unknown field"),
        ([HEADER, '{"by": "chance"}'], "r:2: move: missing"),
        ([HEADER, '{"by": 0, "move": "red a1"}'], "r:2: by: expected one of chance; got 0"),
        ([HEADER, FIRST, DRAW, '{"by": 1, "move": "red a1"}'], "r:4: by: expected one of 0; got 1"),
        ([HEADER, FIRST, DRAW, '{"by": 0, "move": "purple a1"}'], "r:4: move: 'purple a1': not possible"),
        ([HEADER, FIRST, DRAW, '{"by": 0, "move": 4}'], "r:4: move: expected text; got 4"),
        ([HEADER, FIRST, '{"by": "chance", "by": 0}'], "r:3: by: stands twice"),
        (
            [HEADER, FIRST, '{"result": {"scores": [0, 0]}}'],
            "r:3: result: expected another event: the game is not over",
        ),
    ],
)
def test_mistakes_are_answered_with_their_line(lines, message):
    with pytest.raises(FieldError) as caught:
        parse_record("\n".join(lines), "r")
    assert str(caught.value).startswith(message)


def test_the_result_is_checked():
    *lines, _ = played(2, 1).text().splitlines()
    result = parse_record("\n".join(lines)).state
    for scores, placing, wrong in (
        (result.scores(), result.placing(), None),
        ([score + 1 for score in result.scores()], result.placing(), "result.scores[0]"),
        (result.scores(), [2, 2], "result.placing["),
        ([1.5, 1e999], result.placing(), "result.scores[0]"),
        (result.scores()[:1], result.placing(), "result.scores: expected a list of 2 numbers"),
        ("12", result.placing(), "result.scores: expected a list"),
    ):
        text = "\n".join(
            [*lines, json.dumps({"result": {"scores": scores, "placing": placing}}).replace("Infinity", "1e999")]
        )
        if wrong is None:
            assert parse_record(text).state == result
            continue
        with pytest.raises(FieldError) as caught:
            parse_record(text, "r")
        assert str(caught.value).startswith(f"r:{len(lines) + 1}: {wrong}")


def test_nothing_comes_after_the_end():
    text = played(2, 1).text()
    number = text.count("\n") + 1
    with pytest.raises(FieldError, match=f"r:{number}: expected nothing after the result"):
        parse_record(text + FIRST, "r")
    *lines, _ = text.splitlines()
    with pytest.raises(FieldError, match=f"r:{number - 1}: by: expected the result or the end"):
        parse_record("\n".join([*lines, FIRST]), "r")


def test_files(tmp_path):
    with pytest.raises(FieldError, match="cannot be read"):
        read_record(tmp_path / "nothing")
    with pytest.raises(FieldError, match="cannot be read: Is a directory"):
        read_record(tmp_path)


@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_every_seed_that_is_written_is_read(seed):
    assert parse_record(Record(garden_ai.load("leelawadee", 2).start(), seed=seed).text()).seed == seed
    for wrong in (-1, 2**64):
        with pytest.raises(FieldError, match=r"^seed: expected a whole number 0\.\."):
            Record(garden_ai.load("leelawadee", 2).start(), seed=wrong).text()


def test_a_position_is_no_record(tmp_path):
    with pytest.raises(FieldError, match=r"^r: is a position; expected a record"):
        parse_record(position_text(played(2, 1, events=20).state), "r")


def test_a_record_without_its_header_is_told_from_a_position(tmp_path):
    file = tmp_path / "record"
    file.write_text(played(2, 1).text().split("\n", 1)[1])
    with pytest.raises(FieldError, match="record:1: is no header of a record"):
        read_state(file)


def test_only_a_record_may_be_written_over(tmp_path):
    file = tmp_path / "file"
    for content in ("", "\ufeff" + played(2, 1).text()):
        check_target("x", file)
        file.write_text(content, encoding="utf-8")
        check_target("x", file)
    for content in (b"\n", b"diary", b"\xff\xfe", position_text(played(2, 1).state).encode()):
        file.write_bytes(content)
        with pytest.raises(FieldError, match=r"^x: .*file exists and is no record; expected a new file or a record$"):
            check_target("x", file)


def test_a_file_is_written_over_whole(tmp_path):
    for content in ("long and longer\n", "short\n", "", "again"):
        write_text(tmp_path / "file", content)
        assert (tmp_path / "file").read_bytes() == content.encode()
