"""Positions: round trips along random games, and an answer of one line to everything that is none."""

import json
import random

import pytest
from command import call, refused
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import garden_ai
from garden_ai import FieldError
from garden_ai.files import json_text
from garden_ai.games import definition
from garden_ai.games.leelawadee.schema import EXAMPLE
from garden_ai.position import build_position, parse_position, position_dict, position_schema, position_text

ALL, PUBLIC, CHANCE, TERMINAL = -2, -1, -1, -2
OPTIONS = [
    {},
    {"open_draws": True},
    {"bid_for_start": True, "bid_max": 3},
    {"first": 1, "attract": "best-group"},
    {"bid_for_start": True, "open_draws": True},
]
VALIDATOR = Draft202012Validator(position_schema(definition("leelawadee")))


def states_of(players, options, seed):
    """Every state of a random game, chance's included."""
    state = garden_ai.load("leelawadee", players, **options).start()
    rng = random.Random(seed)
    yield state.copy()
    while state.actor != TERMINAL:
        if state.actor == CHANCE:
            state.draw(rng.getrandbits(60))
        else:
            state.apply(state.random_action(rng.getrandbits(60)))
        yield state.copy()


def changed(**fields):
    """The example with some fields in place of its own; `...` takes one out."""
    data = json.loads(json.dumps({**EXAMPLE, "state": {**EXAMPLE["state"]}}))
    for path, value in fields.items():
        place = data
        *steps, last = [int(step) if step.isdigit() else step for step in path.split("__")]
        for step in steps:
            place = place[step]
        if value is ...:
            del place[last]
        else:
            place[last] = value
    return data


# Round trips


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_round_trips_along_random_games(players, options):
    for seed in range(3):
        for state in states_of(players, options, seed):
            game, again = parse_position(position_text(state))
            assert game.name == "leelawadee"
            assert again == state
            assert again.scores() == state.scores()
            assert again.components() == state.components()
            assert position_dict(again) == position_dict(state)


@pytest.mark.parametrize("options", OPTIONS)
def test_views_round_trip_too(options):
    """What an observer sees, read back, looks the same to him."""
    for state in states_of(3, options, 1):
        for observer in (PUBLIC, 0, 1, 2):
            written = position_dict(state, observer)
            again = build_position(json.loads(json.dumps(written)))[1]
            assert again.key(observer) == state.key(observer)
            assert position_dict(again, observer) == written


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_position_fits_the_schema(players, options):
    for state in states_of(players, options, 2):
        for observer in (ALL, PUBLIC, 0):
            VALIDATOR.validate(position_dict(state, observer))


def test_options_at_their_default_are_not_written():
    assert "options" not in position_dict(garden_ai.load("leelawadee", 2, bid_max=20).start())
    assert position_dict(garden_ai.load("leelawadee", 2, first=1).start())["options"] == {"first": 1}


def test_who_moves_has_a_name():
    names = [position_dict(state)["to_move"] for state in states_of(2, {}, 1)]
    assert names[:2] == ["chance", "chance"]
    assert set(names[2:6]) == {0, 1}
    assert names[-1] == "over"


def test_boards_stay_on_one_line():
    text = json_text(position_dict(garden_ai.load("leelawadee", 2).start(1)))
    assert '      {"rows": [".....", "....."], "new": [], "old": [], "score": 0},\n' in text
    assert max(map(len, text.splitlines())) <= 110


# The example, and what may be left out


def test_the_example_is_complete():
    VALIDATOR.validate(EXAMPLE)
    _, state = build_position(EXAMPLE)
    fields = state.view(ALL)
    assert (state.actor, fields["phase"], fields["round"], fields["bag_holder"]) == (1, "plant", 1, 0)
    assert fields["bag"] == {"Y": 3, "O": 5, "R": 4, "P": 5, "B": 7}


def test_the_example_plays_as_in_the_rulebook():
    """The tie in red flies to the fresh flower, so does red-purple; five-colour stays."""
    _, state = build_position(EXAMPLE)
    state.apply(definition("leelawadee").notation.parse(state, "red b2"))
    gardens = state.view(ALL)["gardens"]
    assert set(gardens[1]["new"]) == {"R", "RP"}
    assert set(gardens[2]["new"]) == {"P", "5"}
    assert state.actor == 0


def test_everything_written_may_be_left_out_or_agrees():
    full = position_dict(build_position(EXAMPLE)[1])
    state = build_position(full)[1]
    for name in ("phase", "round", "bag_holder", "bag"):
        assert build_position({**full, "state": {k: v for k, v in full["state"].items() if k != name}})[1] == state


# Mistakes


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "position: expected an object with format, version, "),
        (None, "position: expected an object"),
        ({}, "format: missing"),
        (changed(format="x"), "format: expected one of garden-ai position; got 'x'"),
        (changed(version=True), "version: expected one of 1; got True"),
        (changed(version=2), "version: expected one of 1; got 2"),
        (changed(game="chess"), "game: expected one of "),
        (changed(game=["chess"]), "game: expected text"),
        (changed(players=1), "players: expected a whole number 2..4; got 1"),
        (changed(players=2.0), "players: expected a whole number 2..4; got 2.0"),
        (changed(players="3"), "players: expected a whole number 2..4; got '3'"),
        (changed(players=2), "state.gardens: expected a list of 2 gardens"),
        (changed(options=[]), "options: expected an object with first, "),
        (changed(options={"luck": 1}), "options.luck: unknown field; expected one of first, "),
        (changed(options={"open_draws": 1}), "options.open_draws: expected one of False, True; got 1"),
        (changed(options={"first": [1]}), "options.first: expected one of random, 0, 1, 2; got [1]"),
        (changed(components="0123"), "components: written with components '0123', while these are '"),
        (changed(components=1), "components: expected text; got 1"),
        (changed(to_move=3), "to_move: expected one of 0, 1, 2, chance, over; got 3"),
        (changed(to_move=True), "to_move: expected one of 0, 1, 2, chance, over; got True"),
        (changed(to_move=None), "to_move: expected one of 0, 1, 2, chance, over; got None"),
        (changed(to_move="over"), "to_move: 'over' contradicts the rest; expected 1"),
        (changed(state=[]), "state: expected an object, the state; got []"),
        (changed(state__to_move=1), "state.to_move: unknown field"),
        (changed(state__weather="fine"), "state.weather: unknown field; expected one of"),
        (changed(state__gardens=...), "state.gardens: missing"),
        (
            changed(state__gardens__1__rows__0=".X..."),
            "state.gardens[1].rows[0]: expected '.' or one of YORPB at place 2",
        ),
        (changed(state__gardens__1__rows__0=7), "state.gardens[1].rows[0]: expected text; got 7"),
        (changed(state__gardens__1__rows__1="......"), "state.gardens[1].rows[1]: expected 5 spots"),
        (changed(state__gardens__2__new__0="X"), "state.gardens[2].new[0]: expected one of Y, O, R, P, B, RP"),
        (changed(state__table="RBX"), "state.table: expected letters of YORPB"),
        (changed(state__round=2), "state.round: 2 contradicts the rest; expected 1"),
        (changed(extra=1), "extra: unknown field; expected one of format, "),
    ],
)
def test_the_path_and_what_was_expected(data, message):
    with pytest.raises(FieldError) as caught:
        build_position(data)
    assert str(caught.value).startswith(message)
    if not (isinstance(data, dict) and data.get("game") == "chess"):
        assert refused(call("show", "-", stdin=json.dumps(data))).startswith(message)


def test_who_moves_is_named_in_messages():
    over = position_dict(list(states_of(2, {}, 1))[-1])
    with pytest.raises(FieldError, match=r"^to_move: 0 contradicts the rest; expected 'over'$"):
        build_position({**over, "to_move": 0})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "standard input: is empty; expected a position"),
        (b" \n ", "standard input: is empty; expected a position"),
        (b'{\n "a": 1,\n}', "standard input:3:1: not JSON: "),
        (b'{"format": 1} {', "standard input:1:15: not JSON: extra data"),
        (b'{"a": {"b": [1, {"c": 1, "c": 2}]}}', "a.b[1].c: stands twice in one object"),
        (b'{"a": NaN}', "standard input: not JSON: NaN is not a JSON value"),
        (b'{"a": -Infinity}', "standard input: not JSON: -Infinity is not a JSON value"),
        (b'{"a": ' + b"9" * 5000 + b"}", "standard input: expected numbers of at most 600 digits; got one of 5000"),
        (b'{"a": 1e999}', "a: unknown field"),
        (b"[" * 60 + b"]" * 60, "standard input: expected at most 40 levels"),
        (b"[" * 100_000, "standard input: expected at most 40 levels"),
        (b'{"a":' * 100_000, "standard input: expected at most 40 levels"),
        (b"\xff\xfe{}", "standard input: is not UTF-8 text (byte 0)"),
        (b"\x00\x01\x02", "standard input:1:1: not JSON"),
        (b" " * 4_000_001, "standard input: expected at most 4000000 bytes"),
        (b'{"a\\nb": 1}', "a b: unknown field"),
        (b'{"\\ud800\\u001b[31m": 1}', "\\ud800\\x1b[31m: unknown field"),
        (b'{"' + b"a" * 100_000 + b'": 1}', "aaaaaa"),
    ],
)
def test_what_is_no_position_is_answered_with_one_line(text, message):
    answer = refused(call("show", "-", stdin=text))
    assert answer.startswith(message)
    assert len(answer) < 700


def test_files_that_cannot_be_read(tmp_path):
    assert refused(call("show", tmp_path)) == f"{tmp_path}: cannot be read: Is a directory"
    assert refused(call("show", tmp_path / "x")) == f"{tmp_path / 'x'}: cannot be read: No such file or directory"
    assert "cannot be read" in refused(call("show", "a\0b"))


def test_a_byte_order_mark_is_no_mistake():
    assert call("show", "-", stdin=b"\xef\xbb\xbf" + json.dumps(EXAMPLE).encode()).status == 0


# Components


def test_components_of_a_user(tmp_path):
    own = definition("leelawadee").components_file.read_text().replace('[".....", "....."]', '["...... ", " ......"]')
    file = tmp_path / "mine.toml"
    file.write_text(own)
    position = call("new", "leelawadee", "--components", file, "--seed", "1").out
    digest = json.loads(position)["components"]
    assert digest == garden_ai.load("leelawadee", components=file).digest
    assert "components: written with components" in refused(call("show", "-", stdin=position))
    for command in ("show", "legal", "score", "apply"):
        assert call(command, "-", "--components", file, stdin=position).status == 0
    # a position that names no components is read with those of the file
    without = json.dumps({k: v for k, v in json.loads(position).items() if k != "components"})
    assert call("apply", "-", "--components", file, stdin=without).out == position


# Whatever is fed to the commands, the answer is a result or one line

COMMANDS = [
    ("show", "-"),
    ("legal", "-"),
    ("legal", "-", "--json"),
    ("score", "-"),
    ("score", "-", "--json"),
    ("apply", "-", "red a1", "--seed", "1"),
    ("apply", "-", "--seed", "1"),
    ("hint", "-", "--simulations", "8", "--seed", "1"),
    ("hint", "-", "--engine", "greedy", "--json"),
]
GENTLY = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 25),
    st.integers(),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(
        [
            "Y",
            "R",
            "RP",
            "5",
            "bee",
            ".....",
            "YORPB",
            "R.P..",
            "hidden",
            "chance",
            "over",
            "plant",
            "draw",
            "bid",
            "tie",
            "start",
            "first",
            "red",
            "five-colour",
            -1,
            -2,
            2**31,
            2**63,
            2**64,
        ]
    ),
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["rows", "new", "old", "score", "bid", "Y", "x"]) | st.text(max_size=3), inner, max_size=4
        )
    ),
    max_leaves=8,
)


def written_positions():
    """Positions of every kind of moment, as they are written."""
    found = [EXAMPLE]
    for number, options in enumerate(OPTIONS):
        states = list(states_of(2 + number % 3, options, number))
        found += [
            position_dict(state, observer)
            for state in states[:6] + states[6::5] + states[-1:]
            for observer in (ALL, PUBLIC)
        ]
    return found


POSITIONS = written_positions()


def places(data, path=()):
    """Every place inside plain data."""
    yield path
    if isinstance(data, dict):
        for key, value in data.items():
            yield from places(value, (*path, key))
    elif isinstance(data, list):
        for i, value in enumerate(data):
            yield from places(value, (*path, i))


@st.composite
def broken_positions(draw):
    """A written position with a few places changed, taken out or added to."""
    data = json.loads(json.dumps(draw(st.sampled_from(POSITIONS))))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from([place for place in places(data) if place]))
        parent = data
        for step in path[:-1]:
            parent = parent[step]
        change = draw(st.sampled_from(["replace", "replace", "nudge", "delete", "add", "swap"]))
        if change == "replace":
            parent[path[-1]] = draw(values)
        elif change == "nudge":
            parent[path[-1]] = nudged(draw, parent[path[-1]])
        elif change == "delete":
            del parent[path[-1]]
        elif change == "add" and isinstance(parent, list):
            parent.insert(path[-1], draw(values))
        elif change == "add":
            parent[
                draw(st.text(max_size=4) | st.sampled_from(["bids", "bid", "coming", "history", "phase", "to_move"]))
            ] = draw(values)
        else:
            other = draw(st.sampled_from(list(parent) if isinstance(parent, dict) else range(len(parent))))
            parent[path[-1]], parent[other] = parent[other], parent[path[-1]]
        if not data:
            break
    return data


def nudged(draw, value):
    """Something close to a value, so that it is wrong in meaning rather than in form."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + draw(st.sampled_from([-1, 1, 5]))
    if isinstance(value, str) and value:
        at = draw(st.integers(0, len(value) - 1))
        return value[:at] + draw(st.sampled_from(["Y", "O", "R", "P", "B", ".", " ", "", "y", "BB"])) + value[at + 1 :]
    if isinstance(value, list):
        return value * 2
    return draw(scalars)


def harmless(command, content):
    """The command succeeds, or refuses with one line: never a traceback, never something in between."""
    answer = call(*command, stdin=content)
    if answer.status == 0:
        assert answer.out
        assert answer.err == ""
        assert "Traceback" not in answer.out
    else:
        refused(answer)


@given(data=broken_positions(), command=st.sampled_from(COMMANDS))
@settings(GENTLY, max_examples=600)
def test_broken_positions(data, command):
    harmless(command, json.dumps(data))


@given(data=broken_positions())
@settings(GENTLY, max_examples=400)
def test_what_is_accepted_can_be_written_and_read_again(data):
    try:
        state = build_position(data)[1]
    except FieldError:
        return
    assert build_position(json.loads(position_text(state)))[1] == state
    legal = state.legal_actions()
    assert len(set(legal.tolist())) == len(legal)
    assert (len(legal) > 0) == (state.actor >= 0)


@given(data=values, command=st.sampled_from(COMMANDS))
@GENTLY
def test_other_json(data, command):
    harmless(command, json.dumps(data))


@given(content=st.binary(max_size=200), command=st.sampled_from(COMMANDS))
@GENTLY
def test_bytes(content, command):
    harmless(command, content)


@given(data=st.data(), command=st.sampled_from(COMMANDS))
@GENTLY
def test_positions_with_a_piece_missing_or_wrong_bytes(data, command):
    content = json.dumps(data.draw(st.sampled_from(POSITIONS))).encode()
    begin = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(begin, min(len(content), begin + 8)))
    harmless(command, content[:begin] + data.draw(st.binary(max_size=4)) + content[end:])


@given(
    move=st.text(max_size=12)
    | st.from_regex(r"\A[a-z0-9 ;,]{0,16}\Z")
    | st.sampled_from(["draw YY", "bid 3", "red p99"])
)
@GENTLY
def test_moves(move):
    if not move.startswith("-"):
        harmless(("apply", "-", move, "--seed", "1"), json.dumps(EXAMPLE))
