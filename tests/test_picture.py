"""The picture of a game of Leelawadee: what must be in it, where, and in what room."""

import io

import pytest
from rich.console import Console

import garden_ai
from garden_ai.games import definition
from garden_ai.games.leelawadee.schema import EXAMPLE
from garden_ai.position import state_of

ALL = -2
SHAPES = """shapes = [["................"], [". . .","....."," ..."], [".",".",".",".",".",".",".",".",".",".","."],
          ["....","....","....","...."]]"""


def drawn(state, observer=ALL, width=80, encoding="utf-8", **kinds):
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=out, width=width, highlight=False, **kinds)
    console.print(definition(state.game.name).picture(state.game, state.view(observer)))
    out.flush()
    return out.buffer.getvalue().decode(encoding)


def boxes(picture):
    """The inner lines of each framed garden, in seat order."""
    found, open_boxes = [], []
    for line in picture.splitlines():
        if line.startswith("╭"):
            open_boxes = [[] for _ in range(line.count("╭"))]
            found += open_boxes
        elif line.startswith("│"):
            for box, part in zip(open_boxes, cells(line), strict=True):
                box.append(part)
    return found


def cells(line):
    """What stands between the frames of one line."""
    parts = line.rstrip().split("│")
    return [part for i, part in enumerate(parts) if i % 2 == 1]


def letter_at(box, spot):
    """What the picture shows at a spot like `c2`: by the column's letter above and the row's number beside."""
    column = box[0].index(spot[0])
    row = next(line for line in box[1:] if line.split() and line.split()[0] == spot[1:])
    return row[column]


def played(players, seed, moves, **options):
    state = garden_ai.load("leelawadee", players, **options).start(seed)
    while moves and state.actor != garden_ai.TERMINAL:
        if state.actor == garden_ai.CHANCE:
            state.draw(seed + moves)
        else:
            state.apply(state.random_action(seed + moves))
            moves -= 1
    return state


def check_gardens(state, picture):
    game = state.game
    view = state.view(ALL)
    gardens = boxes(picture)
    assert len(gardens) == game.players
    for player, box in enumerate(gardens):
        rows = view["gardens"][player]["rows"]
        for row, column in game.cells[player]:
            assert letter_at(box, f"{chr(97 + column)}{row + 1}") == rows[row][column]
        text = "\n".join(box)
        for side, marks in (("new", "▲"), ("old", "▽●")):
            for code in view["gardens"][player][side]:
                name = game.creatures[game.codes.index(code)]
                assert any(f"{mark} {name}" in text for mark in marks), (player, name)
        assert text.count("▲") == len(view["gardens"][player]["new"])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_flowers_and_creatures_are_where_they_are(players):
    for moves in range(0, 10 * players + 1, 3):
        state = played(players, moves, moves)
        picture = drawn(state)
        assert max(map(len, picture.splitlines())) <= 80
        check_gardens(state, picture)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_gardens_of_any_shape(players, tmp_path):
    file = tmp_path / "odd.toml"
    own = definition("leelawadee").components_file.read_text()
    file.write_text(own.replace('shapes = [[".....", "....."]]', SHAPES))
    state = garden_ai.load("leelawadee", players, components=file).start(1)
    for number in range(8 * players):
        state.draw(number) if state.actor == garden_ai.CHANCE else state.apply(state.random_action(number))
        picture = drawn(state)
        assert max(map(len, picture.splitlines())) <= 80
        check_gardens(state, picture)


def test_four_gardens_stand_side_by_side_and_wrap_where_they_must():
    state = played(4, 1, 20)
    assert drawn(state).count("\n╭") == 1
    assert drawn(state, width=60).count("\n╭") == 2
    assert drawn(state, width=30).count("\n╭") == 4
    for width in (30, 60, 80, 200):
        assert max(map(len, drawn(state, width=width).splitlines())) <= width


def test_what_lies_outside_the_gardens():
    picture = drawn(state_of(EXAMPLE))
    lines = {line.split()[0]: " ".join(line.split()[1:]) for line in picture.splitlines()}
    assert "round 1 of 5 · player 1 to plant" in picture
    assert lines["table"] == "R B"
    assert lines["bag"] == "Y 3 O 5 R 4 P 5 B 7 24 flowers, held by player 0"
    assert lines["then"] == "player 0"
    assert lines["waiting"].startswith("orange, blue, yellow-blue, yellow-orange")
    assert "▶ player 1" in picture
    assert "flew in this round: 1 point" in picture
    assert picture.count(" 0 points ─") == 3


def test_the_order_of_turns():
    state = garden_ai.load("leelawadee", 3, first=1).start(1)
    order = [state.actor]
    assert "then     player 2, 0, 0, 2, 1" in drawn(state)
    while state.actor >= 0:
        state.apply(state.random_action(1))
        order.append(state.actor)
    assert order[:-1] == [1, 2, 0, 0, 2, 1]


def test_coming_draws():
    state = garden_ai.load("leelawadee", 2, open_draws=True).start(1)
    picture = drawn(state)
    for number, letters in enumerate(state.view(ALL)["coming"], 2):
        assert f"round {number}  {' '.join(letters)}" in picture


def test_bids_are_seen_by_their_bidder_only():
    state = garden_ai.load("leelawadee", 3, bid_for_start=True).start(1)
    state.apply(96 + 7)
    assert "player 0: 7" in drawn(state, 0)
    assert "player 0: hidden" in drawn(state, 1)
    assert "player 1: none yet" in drawn(state, 1)
    for bid in (3, 2):
        state.apply(96 + bid)
    assert "player 0 to name the start player" in drawn(state)
    assert "paid 7 to start" in drawn(state)
    assert "-7 points" in drawn(state)


def test_the_end():
    picture = drawn(played(3, 1, 30))
    assert "the game is over" in picture
    assert "table" not in picture
    assert "then" not in picture


def test_without_a_unicode_terminal_it_is_ascii():
    picture = drawn(state_of(EXAMPLE), encoding="ascii")
    assert picture.isascii()
    assert "> player 1" in picture
    assert "^ red-purple" in picture


def test_colour_only_adds():
    state = played(2, 5, 12)
    coloured = drawn(state, force_terminal=True, color_system="truecolor")
    assert "\x1b[" in coloured
    assert "\x1b" not in drawn(state)
    plain = "".join(part.split("m", 1)[-1] if i else part for i, part in enumerate(coloured.split("\x1b[")))
    assert plain == drawn(state)
