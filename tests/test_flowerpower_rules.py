"""Flowerpower's rules, one by one: the worked examples, every ruling, invariants, and broken positions.

A board is written in rows from a given one on, row 1 on top; what is left out is empty. Player 0 is the rulebook's
player A and has rows 1 to 6, player 1 is B with rows 10 to 15, and rows 7 to 9 are the green strip. Flowers come in
tiles of two, so beside the beds that matter lie single flowers of other varieties.
"""

import random
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from battery import ALPHA, component_file, goodness, plain, play_on, walk
from garden_core.measure import mean_result
from garden_core.state import Game, State
from hypothesis import given
from mutation import check_refused_or_sound, mutated, refusal, searching
from spelt import points, steps

import garden_ai
from garden_ai import ALL, CHANCE, PUBLIC, TERMINAL, FieldError
from garden_ai.games import definition

LETTERS = "RPCQBSANDF"
ROSE, POPPY, CINQUEFOIL, SUNFLOWER, ASTER, DAISY = (LETTERS.index(letter) for letter in "RPQSAD")
HEIGHT, WIDTH = 15, 14


def load(players: int = 2, **options: Any) -> Game:
    return garden_ai.load("flowerpower", players=players, **options)


def small(folder: Path, players: int = 2, columns: int = 4, side_rows: int = 2, strip_rows: int = 1, **options: Any) -> Game:
    file = component_file("flowerpower", folder, columns=columns, side_rows=side_rows, strip_rows=strip_rows)
    return load(players, components=file, **options)


def board(first: int, *lines: str) -> list[str]:
    """Fifteen rows, with these lines from row `first` on."""
    rows = ["." * WIDTH] * (first - 1) + [line.ljust(WIDTH, ".") for line in lines]
    return rows + ["." * WIDTH] * (HEIGHT - len(rows))


def both(one: list[str], other: list[str]) -> list[str]:
    """What lies on either of two boards."""
    return ["".join(b if a == "." else a for a, b in zip(*rows, strict=True)) for rows in zip(one, other, strict=True)]


def placed(game: Game, rows: list[str], **more: Any) -> State:
    """The position before player 0 lays a double of fantasy flowers."""
    return game.build({"to_move": 0, "tile": "F/F", "rows": rows, **more})


def play(state: State, *moves: str) -> State:
    """The state after moves in notation."""
    state = state.copy()
    for move in moves:
        state.apply(definition("flowerpower").notation.parse(state, move))
    return state


def kinds(state: State) -> Counter[str]:
    return Counter(kind for kind, *_ in steps(state))


def sizes(game: Game, rows: list[str], variety: int) -> list[int]:
    return [len(cells) for kind, cells, *_ in game.beds(rows) if kind == variety]


# --- the worked examples ---


EIGHT_DAISIES = board(
    5,
    "....DR",
    "....DP",
    "....DC",
    ".DDDDQ",
    ".RPCDB",
)

ELEVEN_SUNFLOWERS = board(
    3,
    "....SR",
    "....SC",
    "....SQ",
    "....SB",
    "....SA",
    ".SSSSN..PP",
    ".RCQSD",
    "....SF",
)


def test_eight_daisies_that_extend_into_a_side_score_for_its_player() -> None:
    state = placed(load(), EIGHT_DAISIES)
    assert (points(state, 0), points(state, 1)) == ({"daisy": 2}, {})
    assert state.scores() == [2, 0]
    variety, cells, counts, owner, worth = state.game.beds(EIGHT_DAISIES)[0]
    assert (variety, len(cells), counts, owner, worth) == (DAISY, 8, (2, 0), 0, 2)
    mirrored = placed(load(), EIGHT_DAISIES[::-1])
    assert (points(mirrored, 0), points(mirrored, 1)) == ({}, {"daisy": 2})


def test_eleven_sunflowers_go_to_the_player_with_more_of_them_on_his_side() -> None:
    state = placed(load(), ELEVEN_SUNFLOWERS)
    assert state.scores() == [4, 0]
    assert points(state, 0) == {"sunflower": 4}
    variety, cells, counts, owner, worth = state.game.beds(ELEVEN_SUNFLOWERS)[0]
    assert (variety, len(cells), counts, owner, worth) == (SUNFLOWER, 11, (4, 1), 0, 4)
    assert placed(load(), ELEVEN_SUNFLOWERS[::-1]).scores() == [0, 4]


def test_two_poppies_in_the_strip_score_for_nobody() -> None:
    poppies = [bed for bed in load().beds(ELEVEN_SUNFLOWERS) if bed[0] == POPPY]
    assert poppies == [(POPPY, ((7, 8), (7, 9)), (0, 0), -1, 0)]
    # nor would a dozen of them
    rows = board(8, "PPPPPPPPPPPP", "RRCCQQBBSSAA")
    assert load().beds(rows)[0][2:] == ((0, 0), -1, 0)
    assert placed(load(), rows).scores() == [0, 0]


NINE_AND_FOUR = board(
    1,
    "SSSSSSSSS",
    "RPCQBANDF",
    "",
    "",
    "SSSS",
    "RPCQ",
)


def test_alone_nine_and_four_sunflowers_are_97_points() -> None:
    state = load(1).build({"tile": "F/F", "rows": NINE_AND_FOUR})
    assert state.components()[0]["sunflower"] == 81 + 16
    assert sizes(load(1), NINE_AND_FOUR, SUNFLOWER) == [9, 4]
    # beds of a single flower count as well
    assert state.scores() == [97 + 13]
    # and the strip is like the rest of the board
    assert load(1).beds(ELEVEN_SUNFLOWERS)[0][2:] == ((11, 0), 0, 121)
    assert load(1).build({"tile": "F/F", "rows": ELEVEN_SUNFLOWERS}).components()[0]["poppy"] == 4


# --- rulings 5 and 6: beds and points ---

PARTNERS = "RPCQBANDF" * 2


@pytest.mark.parametrize(("size", "expected"), [
    (1, 0), (2, 0), (3, 1), (4, 1), (5, 1), (6, 2), (7, 2), (8, 2), (9, 2), (10, 4), (11, 4), (14, 4),
])
def test_points_by_size(size: int, expected: int) -> None:
    rows = board(1, "S" * size, PARTNERS[:size])
    assert placed(load(), rows).scores() == [expected, 0]
    assert placed(load(), rows[::-1]).scores() == [0, expected]
    assert load().beds(rows)[0][4] == expected or size == 1
    alone = load(1).build({"tile": "F/F", "rows": rows})
    assert alone.components()[0]["sunflower"] == size * size


def test_several_beds_of_a_variety_all_count() -> None:
    rows = board(1, "SSS.SSSSSS", "RPC.QBANDF", "", "SSSS", "RPCQ")
    assert sizes(load(), rows, SUNFLOWER) == [6, 4, 3]
    assert points(placed(load(), rows), 0) == {"sunflower": 2 + 1 + 1}


def test_flowers_are_connected_along_rows_and_columns_only() -> None:
    rows = board(1, "SR.SP", "CSQ.S", "", "SA", "SN", "SS")
    assert sizes(load(), rows, SUNFLOWER) == [4, 1, 1, 1, 1]


def test_equal_numbers_on_both_sides_belong_to_nobody() -> None:
    across = ["S" + partner for partner in "RPCQBAN"]
    level = board(5, *across)
    assert load().beds(level)[0][2:] == ((2, 2), -1, 0)
    assert placed(load(), level).scores() == [0, 0]
    for rows, owner in ((board(4, "SD", *across), 0), (board(5, *across, "SD"), 1)):
        assert load().beds(rows)[0][3:] == (owner, 2)
        assert placed(load(), rows).scores() == [2 * (owner == 0), 2 * (owner == 1)]


def test_only_flowers_of_the_bed_itself_decide_whose_it_is() -> None:
    """Player 0 has more sunflowers on his side, but not in the bed that player 1 reaches."""
    rows = both(board(9, "SR", "SP", "SC"), board(1, "SSS", "QBA", "", "SSSN", "QBAD"))
    state = placed(load(), rows)
    assert points(state, 0) == {"sunflower": 2}
    assert points(state, 1) == {"sunflower": 1}


def test_a_bed_that_touches_the_strip_counts_all_its_flowers() -> None:
    """One on the side, nine in the strip."""
    rows = board(6, "SR", "SSSSSSSSS", "PPCCQQBBA")
    assert load().beds(rows)[0][1:][1:] == ((1, 0), 0, 4)
    assert placed(load(), rows).scores() == [4, 0]


def three_each(one: str = "", other: str = "", strip: str = "") -> list[str]:
    """Three sunflowers for player 0, three daisies for player 1, and a tile more on a side or in the strip."""
    mine = both(board(1, "SSS", "RPC"), board(5, one))
    its = both(board(14, "RPC", "DDD"), board(12, other))
    return both(both(mine, its), board(8, strip))


@pytest.mark.parametrize(("rows", "expected"), [
    pytest.param(three_each(), [1, 1], id="the same"),
    pytest.param(board(8), [1, 1], id="nothing"),
    pytest.param(both(board(1, "SSSS", "RPCQ"), board(14, "RPC", "DDD")), [1, 2], id="the largest bed"),
    pytest.param(both(board(1, "SSS", "RPC"), board(14, "RPCQ", "DDDD")), [2, 1], id="the largest bed of player 1"),
    pytest.param(three_each("AA", "NF"), [1, 2], id="a bed of two"),
    pytest.param(three_each("AN", "FF"), [2, 1], id="a bed of two of player 1"),
    pytest.param(three_each("AN", "NF"), [1, 1], id="as many single flowers"),
    pytest.param(three_each("AN"), [1, 2], id="a single flower"),
    pytest.param(three_each("", "AN"), [2, 1], id="a single flower of player 1"),
    pytest.param(three_each(strip="AN"), [1, 1], id="the strip is nobody's"),
    pytest.param(both(board(1, "SSS", "RPC"), board(7, "DR", "DP", "DC", "DQ")), [2, 1], id="with flowers in the strip"),
])
def test_ties_of_points_are_broken_by_the_sizes_of_beds(rows: list[str], expected: list[int]) -> None:
    state = placed(load(), rows)
    assert len(set(state.scores())) == 1
    assert state.placing() == expected
    assert state.wins() == [0.5, 0.5] if expected == [1, 1] else [float(place == 1) for place in expected]


def test_points_come_before_the_sizes_of_beds() -> None:
    rows = both(board(1, "SSSSS", "RPCQB"), board(12, "RPC.QBA", "DDD.DDD"))
    state = placed(load(), rows)
    assert (state.scores(), state.placing()) == ([1, 2], [2, 1])


def test_a_tie_at_the_end_is_won_by_the_larger_bed(tmp_path: Path) -> None:
    """As the game is judged: utility and shares of the first place follow the places."""
    game = small(tmp_path, weeds="none")
    state = game.build({"rows": ["SSSS", "RPCQ", "BABA", "RPCQ", "DDDN"]})
    assert state.actor == TERMINAL
    assert (state.scores(), state.placing(), state.wins()) == ([1, 1], [1, 2], [1, 0])
    assert state.utilities()[0] > 0.9 > 0.1 > state.utilities()[1]
    level = game.build({"rows": ["SSSA", "RPCQ", "BABA", "RPCQ", "DDDN"]})
    assert (level.placing(), level.wins(), level.utilities()) == ([1, 1], [0.5, 0.5], [0.5, 0.5])


# --- ruling 1: placing tiles ---


@pytest.mark.parametrize(("players", "first", "tile", "lay", "weeds"), [
    (2, 0, "rose/poppy", 458, 148), (2, 1, "rose/poppy", 458, 148),
    (2, 0, "rose/rose", 229, 148), (2, 1, "rose/rose", 229, 148),
    (1, 0, "rose/poppy", 782, 0), (1, 0, "rose/rose", 391, 0),
])
def test_the_first_turn(players: int, first: int, tile: str, lay: int, weeds: int) -> None:
    """A mixed tile has two ways round, a double one, and a weed one whatever it is."""
    start = ["first " + str(first)] if players == 2 else []
    state = play(load(players).start(), *start, "draw " + tile)
    assert state.actor == first
    assert kinds(state) == Counter({kind: count for kind, count in (("lay", lay), ("weed", weeds)) if count})


def test_whose_side_a_row_is_on() -> None:
    game = load()
    assert (game.rows, game.columns, game.strip) == (15, 14, (6, 9))
    assert [game.side(row) for row in range(15)] == [0] * 6 + [-1] * 3 + [1] * 6
    assert [load(1).side(row) for row in range(15)] == [0] * 15


@pytest.mark.parametrize("mover", [0, 1])
def test_a_tile_lies_on_the_own_side_or_in_the_strip_a_weed_on_the_other_side(mover: int) -> None:
    game = load()
    state = play(game.start(), f"first {mover}", "draw rose/poppy")
    seen = {"lay": set(), "weed": set()}
    for kind, *cells in steps(state):
        (row, column, *_), (row2, column2, *_) = cells
        assert (row2, column2) in ((row + 1, column), (row, column + 1))
        seen[kind].add(frozenset((game.side(row), game.side(row2))))
    assert seen["lay"] == {frozenset((mover,)), frozenset((-1,)), frozenset((mover, -1))}
    assert seen["weed"] == {frozenset((1 - mover,))}


def test_a_tile_lies_on_empty_spaces_only() -> None:
    state = play(load().start(), "first 0", "draw rose/poppy", "poppy/rose d4-e4", "draw rose/poppy")
    rows = state.view(ALL)["rows"]
    assert rows[3] == "...PR........."
    state = play(state, "weed d5-d6", "draw aster/daisy")
    assert state.view(ALL)["rows"][3:6] == ["...PR.........", "...#..........", "...#.........."]
    taken = {(3, 3), (3, 4), (4, 3), (5, 3)}
    for _, *cells in steps(state):
        assert not taken & {cell[:2] for cell in cells}
    # seven pairs of spaces have become impossible
    assert kinds(state)["lay"] == 2 * (229 - len([p for p in pairs() if set(p) & taken and p[1][0] <= 8]))


def pairs() -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """All pairs of adjacent spaces."""
    cells = [(row, column) for row in range(HEIGHT) for column in range(WIDTH)]
    return [(a, b) for a in cells for b in ((a[0] + 1, a[1]), (a[0], a[1] + 1)) if b in cells]


def test_a_way_round_that_is_no_other_is_no_other_action() -> None:
    game = load()
    state = play(game.start(), "first 0", "draw rose/poppy")
    one = game.step_id(state, ("lay", (3, 3, ROSE), (3, 4, POPPY)))
    assert game.step_id(state, ("lay", (3, 4, POPPY), (3, 3, ROSE))) == one
    assert game.step_id(state, ("lay", (3, 3, POPPY), (3, 4, ROSE))) != one
    weed = game.step_id(state, ("weed", (10, 3), (10, 4)))
    assert game.step_id(state, ("weed", (10, 4), (10, 3))) == weed
    for wrong in (("weed", (10, 3), (10, 5)), ("lay", (3, 3, ROSE), (4, 4, POPPY)), ("draw", 0, 1), ("weed", (-1, 0), (0, 0)),
                  ("lay", (3, 3, ROSE), (3, 4, 10)), ("first", 0), ("weed", (14, 0), (15, 0)), ("lay", (3, 13, 0), (4, 0, 1))):
        assert game.step_id(state, wrong) == -1 or not state.is_legal(game.step_id(state, wrong))


# --- rulings 2 and 3: weeds ---


def weeded(**options: Any) -> State:
    """Player 0 has laid a rose double as a weed, and player 1 has drawn."""
    return play(load(**options).start(), "first 0", "draw rose/rose", "weed d12-e12", "draw poppy/daisy")


def test_each_player_has_three_weeds() -> None:
    state = play(load().start(), "first 1")
    tiles = iter(["rose/poppy", "rose/aster", "rose/daisy", "poppy/aster", "poppy/daisy", "aster/daisy"])
    for number in range(3):
        assert state.view(PUBLIC)["weeds_left"] == [3 - number] * 2
        for mover, row in ((1, 2), (0, 12)):
            state = play(state, f"draw {next(tiles)}")
            assert kinds(state)["weed"] > 0
            state = play(state, f"weed {'ace'[number]}{row}-{'bdf'[number]}{row}")
            assert state.view(PUBLIC)["weeds_left"][mover] == 3 - number - 1
    for mover in (1, 0):
        state = play(state, "draw cornflower/fantasy")
        assert state.actor == mover
        assert set(kinds(state)) == {"lay"}
        state.apply(int(state.legal_actions()[0]))


def test_a_weed_is_the_tile_drawn_and_the_turn_is_over() -> None:
    state = weeded()
    assert state.actor == 1
    view = state.view(ALL)
    assert view["rows"][11] == "...##........."
    assert view["weeds"] == [[{"at": "d12-e12", "tile": "R/R"}], []]
    assert (view["weeds_left"], view["bag"]) == ([2, 3], 98)


def test_a_weed_scores_nothing_and_separates_flowers() -> None:
    rows = both(board(1, "SS##SS.SSSSS", "RPBACQ.ANDFR"), board(14, "RPC#QBA", "DDD#DDD"))
    state = placed(load(), rows, weeds=[[{"at": "d14-d15", "tile": "D/D"}], [{"at": "c1-d1", "tile": "S/S"}]])
    assert sizes(load(), rows, SUNFLOWER) == [5, 2, 2]
    assert sizes(load(), rows, DAISY) == [3, 3, 1]
    assert (points(state, 0), points(state, 1)) == ({"sunflower": 1}, {"daisy": 2})


def test_a_weed_is_known_to_its_owner_alone() -> None:
    state = weeded()
    hidden = [[{"at": "d12-e12", "tile": "hidden"}], []]
    shown = [[{"at": "d12-e12", "tile": "R/R"}], []]
    assert state.view(0)["weeds"] == state.view(ALL)["weeds"] == shown
    assert state.view(1)["weeds"] == state.view(PUBLIC)["weeds"] == hidden
    other = play(load().start(), "first 0", "draw aster/daisy", "weed d12-e12", "draw poppy/daisy")
    assert other.key(1) == state.key(1)
    assert other.key(PUBLIC) == state.key(PUBLIC)
    assert other.key(0) != state.key(0)


def test_open_weeds_are_seen_by_all_once_laid() -> None:
    drawn = play(load(weeds="open").start(), "first 0", "draw rose/rose")
    assert [drawn.view(observer)["tile"] for observer in (0, 1, PUBLIC)] == ["R/R", "hidden", "hidden"]
    state = weeded(weeds="open")
    for observer in (ALL, PUBLIC, 0, 1):
        assert state.view(observer)["weeds"] == [[{"at": "d12-e12", "tile": "R/R"}], []]


def test_without_weeds_there_are_none() -> None:
    for game in (load(weeds="none"), load(1)):
        assert game.weeds_each == 0
        state = game.start(seed=3)
        assert set(kinds(state)) == {"lay"}
        assert not {"weeds", "weeds_left"} & set(state.view(ALL))
    assert load().weeds_each == load(weeds="open").weeds_each == 3


def test_a_drawn_tile_is_seen_by_its_drawer_until_it_lies_face_up() -> None:
    for weeds in ("hidden", "open", "none"):
        state = play(load(weeds=weeds).start(), "first 1", "draw rose/poppy")
        assert state.view(1)["tile"] == state.view(ALL)["tile"] == "R/P"
        assert state.view(0)["tile"] == state.view(PUBLIC)["tile"] == "hidden"
        laid = play(state, "rose/poppy a7-b7")
        assert all(laid.view(observer)["rows"][6] == "RP" + "." * 12 for observer in (0, 1, PUBLIC))
        assert "tile" not in laid.view(ALL)
    # alone there is nobody to hide it from
    assert not load(1).hidden
    assert "hidden" not in plain(load(1).start(seed=1).view(PUBLIC))


# --- ruling 4: who can place, and the end ---

# A small board, two rows a side and one row of strip, that leaves room on player 1's side only.
NO_ROOM_FOR_0 = ["RPCQ", "BSAN", "DFRP", "....", "...."]


def test_who_has_room_for_a_weed_only_must_play_it(tmp_path: Path) -> None:
    state = small(tmp_path).build({"to_move": 0, "tile": "C/F", "rows": NO_ROOM_FOR_0})
    assert state.view(PUBLIC)["out"] == [False, False]
    assert kinds(state) == {"weed": 10}
    assert play(state, "weed a4-b4", "draw rose/fantasy").actor == 1


def test_with_the_option_off_who_has_room_for_a_weed_only_is_out(tmp_path: Path) -> None:
    game = small(tmp_path, weed_counts_as_legal=False)
    with pytest.raises(FieldError):
        game.build({"to_move": 0, "tile": "C/F", "rows": NO_ROOM_FOR_0})
    state = game.build({"to_move": 1, "tile": "C/F", "rows": NO_ROOM_FOR_0})
    assert state.view(PUBLIC)["out"] == [True, False]
    # weeds are still laid by who has room
    room = game.build({"to_move": 0, "tile": "C/F", "rows": ["RPCQ", "BSAN", "DF..", "....", "...."]})
    assert kinds(room) == {"lay": 2, "weed": 10}


@pytest.mark.parametrize("options", [{"weeds": "none"}, {"weed_counts_as_legal": False}], ids=str)
def test_who_is_out_stays_out_and_the_other_goes_on_every_turn(tmp_path: Path, options: dict[str, Any]) -> None:
    state = small(tmp_path, **options).build({"to_move": 1, "tile": "C/F", "rows": NO_ROOM_FOR_0})
    for place, draw in (("a4-b4", "cornflower/fantasy"), ("a5-b5", "aster/daisy"), ("c4-d4", "rose/rose")):
        assert (state.actor, state.view(PUBLIC)["out"]) == (1, [True, False])
        first = steps(state)[0][1][2], steps(state)[0][2][2]
        state = play(state, f"{'/'.join(LETTERS[variety] for variety in first)} {place}")
        assert state.view(PUBLIC)["turn"] == 1
        state = play(state, "draw " + draw)
    state = play(state, "rose/rose c5-d5")
    assert (state.actor, state.view(PUBLIC)["out"]) == (TERMINAL, [True, True])


def test_a_weed_can_be_the_last_thing_that_a_player_does(tmp_path: Path) -> None:
    """Player 0 has laid his last weed and is out; player 1 fills what is left of his side."""
    game = small(tmp_path)
    weeds = [[{"at": "a4-b4", "tile": "C/D"}, {"at": "a5-b5", "tile": "C/S"}], []]
    rows = [*NO_ROOM_FOR_0[:3], "##..", "##.."]
    state = game.build({"to_move": 0, "tile": "C/F", "rows": rows, "weeds": weeds})
    assert kinds(state) == {"weed": 4}
    state = play(state, "weed c4-d4", "draw rose/fantasy")
    assert (state.actor, state.view(PUBLIC)["out"]) == (1, [True, False])
    state = play(state, "rose/fantasy c5-d5")
    assert (state.actor, state.view(PUBLIC)["out"]) == (TERMINAL, [True, True])


@pytest.mark.parametrize("players", [1, 2])
def test_the_largest_board_has_sixteen_rows_of_fifteen(tmp_path: Path, players: int) -> None:
    """Points kept from tile to tile are those of the beds, up to the last corner, in games by policy."""
    game = small(tmp_path, players, columns=15, side_rows=8, strip_rows=0)
    corners = set()
    for seed in range(20):
        state = game.start(seed)
        while state.actor != TERMINAL:
            if state.actor == CHANCE:
                state.draw(seed)
            else:
                legal = state.legal_actions().tolist()
                corner = [action for action in legal if (15, 14) in map(cell_of, game.step(state, action)[1:])]
                state.apply(corner[0] if corner and seed % 2 else state.policy_action(seed))
        rows = state.view(ALL)["rows"]
        corners.add(rows[15][14])
        beds = game.beds(rows)
        assert state.scores() == [sum(bed[4] for bed in beds if bed[3] == player) for player in range(players)]
    assert len(corners) > 3


def cell_of(part: tuple[int, ...]) -> tuple[int, int]:
    return part[0], part[1]


def test_single_spaces_are_no_room(tmp_path: Path) -> None:
    """The board is not full, but no two empty spaces are adjacent."""
    rows = ["..RP", "R.CQ", "SB.S", "A.N.", ".DF."]
    state = small(tmp_path, weeds="none").build({"to_move": 0, "tile": "S/F", "rows": rows})
    assert state.view(PUBLIC)["out"] == [False, False]
    assert kinds(state) == {"lay": 4}
    for place in ("a1-b1", "b1-b2"):
        after = play(state, "sunflower/fantasy " + place)
        assert after.view(PUBLIC)["out"] == [True, False]
        assert after.view(PUBLIC)["turn"] == 1
        end = play(after, "draw rose/rose", "rose/rose d4-d5")
        assert end.actor == TERMINAL
        assert sum(row.count(".") for row in end.view(ALL)["rows"]) == 4


def test_no_tile_is_drawn_when_nobody_can_place_it(tmp_path: Path) -> None:
    """Two weeds away from the end of the small board: the bag keeps all other tiles."""
    state = small(tmp_path, weeds="none").build({"to_move": 1, "tile": "C/F", "rows": [*NO_ROOM_FOR_0[:4], "RPCQ"]})
    state = play(state, "cornflower/fantasy a4-b4")
    assert state.actor == CHANCE
    state = play(state, "draw aster/daisy", "aster/daisy c4-d4")
    view = state.view(ALL)
    assert (state.actor, view["phase"], view["to_move"], view["bag"]) == (TERMINAL, "over", TERMINAL, 90)
    assert "tile" not in view
    assert len(state.outcomes()[0]) == len(state.legal_actions()) == 0


def finished(game: Game, seed: int) -> list[State]:
    """All states of a random game."""
    return walk(game, seed).states


@pytest.mark.parametrize("players", [1, 2])
def test_the_game_ends_with_the_bag(tmp_path: Path, players: int) -> None:
    """55 tiles, one of each kind: they fit on the board."""
    game = load(players, components=component_file("flowerpower", tmp_path, mixed=1))
    for seed in range(5):
        states = finished(game, seed)
        assert (states[-2].view(ALL)["bag"], states[-1].view(ALL)["bag"]) == (0, 0)
        assert states[-1].view(ALL)["out"] == [False] * players
        assert sum(state.actor >= 0 for state in states) == 55


def test_alone_the_game_ends_without_room_or_with_the_bag() -> None:
    for seed in range(5):
        *_, before, end = finished(load(1), seed)
        rows = end.view(ALL)["rows"]
        room = [(a, b) for a, b in pairs() if rows[a[0]][a[1]] == rows[b[0]][b[1]] == "."]
        assert room == [] or end.view(ALL)["bag"] == 0
        assert len(before.legal_actions()) > 0


# --- ruling 7: who begins ---


def test_the_start_player_is_drawn_or_set() -> None:
    outcomes, probabilities = load().start().outcomes()
    assert outcomes.tolist() == [0, 1]
    assert probabilities.tolist() == [0.5, 0.5]
    assert {load().start(seed).actor for seed in range(30)} == {0, 1}
    for first in (0, 1):
        state = load(first=first).start()
        assert state.view(PUBLIC)["turn"] == first
        assert kinds(state) == {"draw": 55}
        assert load(first=first).start(seed=3).actor == first
    assert kinds(load(1).start()) == {"draw": 55}
    with pytest.raises(FieldError, match="first"):
        load(1, first=1)


def test_players_take_turns() -> None:
    states = finished(load(first=1), 4)
    movers = [state.actor for state in states if state.actor >= 0]
    assert movers[:80] == [1, 0] * 40


# --- the tiles, chance and what is hidden ---


def bag_of(state: State) -> Counter[tuple[int, int]]:
    """The tiles in the bag, from the chances of the next draw."""
    outcomes, probabilities = state.outcomes()
    count = state.view(ALL)["bag"]
    tiles = [state.game.step(state, outcome)[1:] for outcome in outcomes.tolist()]
    return Counter({tile: round(p * count) for tile, p in zip(tiles, probabilities.tolist(), strict=True)})


def test_the_bag_at_the_start() -> None:
    designed = {(v, w): 1 if v == w else 2 for v in range(10) for w in range(v, 10)}
    assert bag_of(load(1).start()) == designed
    assert bag_of(load(first=0).start()) == designed
    misprint = bag_of(load(first=0, tiles="misprint2001").start())
    assert misprint == {tile: 3 if tile == (ASTER, DAISY) else count
                        for tile, count in designed.items() if tile != (CINQUEFOIL, CINQUEFOIL)}
    assert sum(misprint.values()) == sum(designed.values()) == 100


@pytest.mark.parametrize("options", [
    {}, {"players": 1}, {"weeds": "open"}, {"tiles": "misprint2001"}, {"players": 1, "tiles": "misprint2001"},
], ids=str)
def test_no_flower_is_lost_or_added(options: dict[str, Any]) -> None:
    """Over board, weeds, hand and bag, after every step of random games."""
    game = load(**options)
    counts = dict.fromkeys(LETTERS, 20)
    if "tiles" in options:
        counts |= {"Q": 18, "A": 21, "D": 21}
    for seed in range(4):
        states = finished(game, seed)
        bag = bag_of(states[0]) if states[0].view(ALL)["phase"] == "draw" else Counter()
        for before, state in pairwise(states):
            view = state.view(ALL)
            if view["phase"] == "draw":
                bag = bag_of(state)
            elif view["phase"] == "place":
                bag[tuple(LETTERS.index(letter) for letter in view["tile"].split("/"))] -= 1
            weeds = "".join(weed["tile"] for weeds in view.get("weeds", []) for weed in weeds)
            seen = "".join(view["rows"]) + weeds + view.get("tile", "")
            inside = Counter(variety for tile in bag.elements() for variety in tile)
            assert {letter: seen.count(letter) + inside[v] for v, letter in enumerate(LETTERS)} == counts
            assert sum(bag.values()) == view["bag"]
            # whatever was laid stays, a weed as it lies
            for old, new in zip("".join(before.view(ALL)["rows"]), "".join(view["rows"]), strict=True):
                assert old in (".", new)


def unseen(state: State, observer: int) -> dict[tuple[int, int], float]:
    """How likely each tile that the observer has not seen is to be the next of them, from his view."""
    texts = state.view(observer)["unseen"]
    tiles = Counter((LETTERS.index(one), LETTERS.index(other)) for one, text in texts.items() for other in text)
    return {tile: count / tiles.total() for tile, count in tiles.items()}


def test_what_lies_under_a_weed_is_not_drawn() -> None:
    state = play(load().start(), "first 0", "draw rose/rose", "weed d12-e12")
    assert (ROSE, ROSE) not in bag_of(state)
    drawn = Counter(state.game.step(state, state.copy().draw(seed))[1:] for seed in range(6000))
    assert goodness(drawn, unseen(state, 0)) > ALPHA
    assert (ROSE, ROSE) not in drawn


def test_a_player_expects_every_tile_that_he_has_not_seen() -> None:
    """The victim of a weed cannot know what is left in the bag; after a redeal for him any tile may be drawn."""
    state = play(load().start(), "first 0", "draw rose/rose", "weed d12-e12")
    assert unseen(state, 1)[ROSE, ROSE] == 1 / 100
    drawn, under = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for seed in range(6000):
        deal = state.redeal(1, seed)
        assert plain(deal.view(1)) == plain(state.view(1))
        letters = deal.view(ALL)["weeds"][0][0]["tile"].split("/")
        under[tuple(LETTERS.index(letter) for letter in letters)] += 1
        drawn[deal.game.step(deal, deal.copy().draw(10_000 + seed))[1:]] += 1
    assert goodness(under, unseen(state, 1)) > ALPHA
    assert goodness(drawn, unseen(state, 1)) > ALPHA
    assert len(under) == 55


@pytest.mark.parametrize(("observer", "own", "other"), [(0, "R/R", "P/D"), (1, "P/D", "R/R")])
def test_a_redeal_leaves_the_own_weeds_and_the_own_tile(observer: int, own: str, other: str) -> None:
    state = play(weeded(), "weed a1-b1", "draw aster/aster", "weed k14-k15", "draw fantasy/fantasy")
    assert state.actor == 1
    deals = [state.redeal(observer, seed) for seed in range(300)]
    assert {plain(deal.view(observer)) for deal in deals} == {plain(state.view(observer))}
    views = [deal.view(ALL) for deal in deals]
    assert {view["weeds"][observer][0]["tile"] for view in views} == {own}
    found = {view["weeds"][1 - observer][0]["tile"] for view in views}
    assert len(found) > 40
    assert other in found
    tiles = {view["tile"] for view in views}
    assert tiles == {"F/F"} if observer == 1 else len(tiles) > 40
    # there is one double of each variety: it does not lie in two places
    for view in views:
        lying = [weed["tile"] for weeds in view["weeds"] for weed in weeds] + [view["tile"]]
        assert all(lying.count(f"{letter}/{letter}") <= 1 for letter in LETTERS)


def test_an_onlooker_knows_no_weed() -> None:
    state = play(weeded(), "weed a1-b1")
    found = [{state.redeal(PUBLIC, seed).view(ALL)["weeds"][player][0]["tile"] for seed in range(300)} for player in (0, 1)]
    assert min(map(len, found)) > 40


# --- symmetry ---


def reflections(step: tuple[Any, ...], players: int) -> set[tuple[Any, ...]]:
    """The same placement seen in the mirror: left and right and, alone, top and bottom."""
    kind, *cells = step
    images = set()
    for upside_down in (False, True) if players == 1 else (False,):
        for mirrored in (False, True):
            image = sorted(
                (HEIGHT - 1 - row if upside_down else row, WIDTH - 1 - column if mirrored else column, *variety)
                for row, column, *variety in cells
            )
            images.add((kind, *image))
    return images


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("tile", ["rose/poppy", "rose/rose"])
def test_mirror_equal_placements_are_one_on_the_empty_board(players: int, tile: str) -> None:
    state = play(load(players).start(), *["first 1"] * (players - 1), "draw " + tile)
    game = state.game
    chosen = {game.step(state, a): game.step(state, state.canonical(a)) for a in state.legal_actions().tolist()}
    for step, representative in chosen.items():
        images = reflections(step, players)
        assert representative in images
        assert {chosen[image] for image in images} == {representative}
    state.apply(int(state.legal_actions()[0]))
    state.draw(1)
    assert [state.canonical(a) for a in state.legal_actions().tolist()] == state.legal_actions().tolist()


# --- sanity figures of an independent simulation ---


@pytest.mark.parametrize(("players", "low", "high"), [(2, 2.2, 2.45), (1, 264, 272)])
def test_points_of_random_play_without_weeds(players: int, low: float, high: float) -> None:
    _, scores = mean_result(load(players, weeds="none").start(), 6000, 1, policy=False)
    assert len(scores) == players
    assert all(low < score < high for score in scores)


def test_tiles_of_random_play_without_weeds() -> None:
    ends = [finished(load(weeds="none"), seed)[-1] for seed in range(100)]
    assert 94 < sum(100 - end.view(ALL)["bag"] for end in ends) / 100 < 96


# --- positions ---


ROWS = both(both(board(1, "RPCQ"), board(8, "SA")), both(board(15, "ND"), board(12, "##")))
ROWS[2] = ROWS[3] = "..#".ljust(WIDTH, ".")


def base(**changes: Any) -> dict[str, Any]:
    """A whole position, with some fields changed; None leaves one out."""
    fields = {
        "to_move": 0, "phase": "place", "turn": 0, "rows": ROWS, "tile": "R/S",
        "weeds": [[{"at": "a12-b12", "tile": "F/F"}], [{"at": "c3-c4", "tile": "B/D"}]],
        "weeds_left": [2, 2], "out": [False, False], "bag": 93,
        **changes,
    }
    return {name: value for name, value in fields.items() if value is not None}


def with_row(number: int, line: str) -> list[str]:
    return [*ROWS[:number - 1], line.ljust(WIDTH, "."), *ROWS[number:]]


def mine(*weeds: Any) -> list[Any]:
    """Weeds, those of player 0 changed."""
    return [list(weeds), [{"at": "c3-c4", "tile": "B/D"}]]


def test_what_follows_from_the_rest_may_be_left_out() -> None:
    game = load()
    state = game.build(base())
    assert state.actor == 0
    for names in (["phase"], ["turn"], ["to_move"], ["weeds_left"], ["out"], ["bag"], ["phase", "to_move", "out", "bag"]):
        assert game.build(base(**dict.fromkeys(names))) == state
    assert game.build(base(tile="s/r", rows=[row.lower() for row in ROWS])) == state
    assert game.build(base(weeds=mine({"at": "B12-a12", "tile": "f/f"}))) == state


def test_unknown_tiles_are_filled_in() -> None:
    """What is hidden from the player to move, and from one who is not."""
    game = load()
    state = game.build(base(weeds=[[{"at": "a12-b12", "tile": "F/F"}], [{"at": "c3-c4", "tile": "hidden"}]]))
    assert state.view(0)["weeds"][1] == [{"at": "c3-c4", "tile": "hidden"}]
    assert game.build(state.view(0)).key(0) == state.key(0)
    onlooker = game.build(base(tile="hidden", weeds=mine({"at": "a12-b12"})))
    assert onlooker.actor == 0
    assert onlooker.view(PUBLIC)["tile"] == "hidden"
    # a double that is seen elsewhere is not under a weed
    seen = {onlooker.redeal(PUBLIC, seed).view(ALL)["tile"] for seed in range(500)}
    assert len(seen) > 45


# The tiles on the board of `base`: R/P, C/Q, S/A and N/D.
UNSEEN = {
    "R": "RPCCQQBBSAANNDDFF", "P": "PCCQQBBSSAANNDDFF", "C": "CQBBSSAANNDDFF", "Q": "QBBSSAANNDDFF", "B": "BSSAANNDFF",
    "S": "SANNDDFF", "A": "ANNDDFF", "N": "NDFF", "D": "DFF", "F": "",
}


def unseen_with(**texts: Any) -> dict[str, Any]:
    return {**UNSEEN, **texts}


BROKEN: list[tuple[str, Any, str]] = [
    ("nothing", None, ""),
    ("a list", [], ""),
    ("an unknown field", base(weather="fine"), "weather"),
    ("no rows", base(rows=None), "rows"),
    ("rows that are text", base(rows="R"), "rows"),
    ("a row too few", base(rows=ROWS[:14]), "rows"),
    ("a row too many", base(rows=[*ROWS, "." * 14]), "rows"),
    ("a row that is a number", base(rows=[*ROWS[:14], 5]), "rows[14]"),
    ("a row too long", base(rows=[*ROWS[:14], "." * 15]), "rows[14]"),
    ("a row too short", base(rows=[*ROWS[:14], "." * 13]), "rows[14]"),
    ("an unknown flower", base(rows=with_row(5, ".X")), "rows[4]"),
    ("an odd number of flowers", base(rows=with_row(5, "R")), "rows"),
    ("too many flowers of a variety", base(rows=both(ROWS, board(5, "R" * 14, "R" * 6))), "rows[5]"),
    ("flowers that no tiles have", base(rows=both(ROWS, board(5, "R" * 14))), "rows"),
    ("a weed in the strip", base(rows=with_row(7, "##")), "rows[6]"),
    ("a weed that nobody laid", base(rows=with_row(14, "##")), "rows[13]"),
    ("half a weed", base(rows=with_row(12, "#")), "weeds[0][0].at"),
    ("weeds that nothing says about", base(weeds=None), "weeds"),
    ("weeds that are a number", base(weeds=2), "weeds"),
    ("weeds of one player", base(weeds=[[]]), "weeds"),
    ("weeds of a player that are none", base(weeds=[{}, []]), "weeds[0]"),
    ("a weed that is text", base(weeds=mine("a12-b12")), "weeds[0][0]"),
    ("a weed nowhere", base(weeds=mine({"tile": "F/F"})), "weeds[0][0].at"),
    ("a weed at a number", base(weeds=mine({"at": 12, "tile": "F/F"})), "weeds[0][0].at"),
    ("a weed at no place", base(weeds=mine({"at": "a12", "tile": "F/F"})), "weeds[0][0].at"),
    ("a weed off the board", base(weeds=mine({"at": "o1-o2", "tile": "F/F"})), "weeds[0][0].at"),
    ("a weed on spaces apart", base(weeds=mine({"at": "a12-c12", "tile": "F/F"})), "weeds[0][0].at"),
    ("a weed where none lies", base(weeds=mine({"at": "d12-e12", "tile": "F/F"})), "weeds[0][0].at"),
    ("a weed on the own side", base(weeds=[[{"at": "c3-c4", "tile": "F/F"}], [{"at": "a12-b12", "tile": "B/D"}]]),
     "weeds[0][0].at"),
    ("a weed twice", base(weeds=mine(*[{"at": "a12-b12"}] * 2)), "weeds[0][1].at"),
    ("a weed across another", base(weeds=mine({"at": "a12-b12"}, {"at": "b12-c12"}), rows=with_row(12, "###")),
     "weeds[0][1].at"),
    ("four weeds of a player", base(weeds=mine(*({"at": f"{a}12-{b}12"} for a, b in ("ab", "cd", "ef", "gh"))),
                                    rows=with_row(12, "########")), "weeds[0]"),
    ("an unknown field of a weed", base(weeds=mine({"at": "a12-b12", "age": 3})), "weeds[0][0].age"),
    ("a weed of no flowers", base(weeds=mine({"at": "a12-b12", "tile": "FF"})), "weeds[0][0].tile"),
    ("a weed of an unknown flower", base(weeds=mine({"at": "a12-b12", "tile": "F/X"})), "weeds[0][0].tile"),
    ("a double under two weeds", base(weeds=[[{"at": "a12-b12", "tile": "F/F"}], [{"at": "c3-c4", "tile": "F/F"}]]),
     "weeds"),
    ("more weeds left than there can be", base(weeds_left=[3, 2]), "weeds_left[0]"),
    ("weeds left of one player", base(weeds_left=[2]), "weeds_left"),
    ("no tile", base(tile=None), "tile"),
    ("half a tile", base(tile="R"), "tile"),
    ("three flowers on a tile", base(tile="R/P/C"), "tile"),
    ("an unknown flower on the tile", base(tile="R/X"), "tile"),
    ("a tile that is a number", base(tile=4), "tile"),
    ("a tile that lies under a weed", base(tile="F/F"), "tile"),
    ("a tile before the draw", base(phase="draw", to_move=CHANCE, bag=94), "tile"),
    ("nobody of that seat", base(to_move=2), "to_move"),
    ("a seat that is a word", base(to_move="first"), "to_move"),
    ("a seat that is true", base(to_move=True), "to_move"),
    ("another's turn", base(to_move=1), "to_move"),
    ("a turn of nobody", base(turn=2), "turn"),
    ("chance with a tile in hand", base(to_move=CHANCE), "to_move"),
    ("an unknown phase", base(phase="winter"), "phase"),
    ("over, with room and tiles", base(phase="over", tile=None, to_move=None, turn=None, bag=None), "phase"),
    ("nobody drawn to begin, but a tile", base(phase="first"), "phase"),
    ("out with room", base(out=[True, False]), "out[0]"),
    ("out, of one player", base(out=[False]), "out"),
    ("another bag", base(bag=94), "bag"),
    ("a bag that is a list", base(bag=[]), "bag"),
    ("unseen tiles that are a list", base(unseen=[]), "unseen"),
    ("an unknown unseen flower", base(unseen=unseen_with(X="R")), "unseen.X"),
    ("unseen tiles that are a number", base(unseen=unseen_with(P=5)), "unseen.P"),
    ("unseen tiles with the lower flower last", base(unseen=unseen_with(P="RPCCQQBBSSAANNDFF")), "unseen.P"),
    ("a double unseen twice", base(unseen=unseen_with(N="NNDDFF")), "unseen.N"),
    ("a tile unseen that lies under a weed", base(unseen=unseen_with(F="F")), "unseen.F"),
    ("an unseen tile too few", base(unseen=unseen_with(N="DDFF")), "unseen"),
    ("other flowers unseen than are not on the board", base(unseen=unseen_with(R="RPPCCQQBBAANNDDFF")), "unseen"),
]


def test_the_unseen_tiles_may_be_told_in_any_order() -> None:
    game = load()
    state = game.build(base(unseen=UNSEEN))
    assert game.build(base(unseen={letter: text[::-1].lower() for letter, text in UNSEEN.items()})) == state
    assert bag_of(play(state, "rose/sunflower a2-a3"))[ROSE, POPPY] == 1


@pytest.mark.parametrize(("fields", "path"), [pytest.param(*case[1:], id=case[0]) for case in BROKEN])
def test_broken_positions_are_refused_by_their_place(fields: Any, path: str) -> None:
    assert refusal(load(), fields).path == path


def test_weeds_are_refused_where_none_can_be() -> None:
    for game, more in ((load(weeds="none"), {"to_move": 0}), (load(1), {})):
        fields = {"rows": board(1), "tile": "R/R", **more}
        assert game.build(fields).actor == 0
        for name, value in (("weeds", [[], []]), ("weeds_left", [0, 0])):
            assert refusal(game, {**fields, name: value}).path == name
        assert refusal(game, {**fields, "rows": board(1, "##")}).path == "rows[0]"


def test_the_misprint_has_other_tiles() -> None:
    designed, misprint = load(), load(tiles="misprint2001")
    double = {"to_move": 0, "tile": "Q/Q", "rows": board(1)}
    assert designed.build(double).view(0)["tile"] == "Q/Q"
    assert refusal(misprint, double).path == "tile"
    weeds = [[{"at": place, "tile": "A/D"} for place in ("a10-b10", "c10-d10")], []]
    third = {"to_move": 0, "tile": "A/D", "rows": board(10, "####"), "weeds": weeds}
    assert "D" not in misprint.build(third).view(ALL)["unseen"]["A"]
    assert refusal(designed, third).path == "tile"


# --- property tests ---


@cache
def positions() -> list[tuple[Game, dict[str, Any]]]:
    """Views of random games of all kinds, as anyone sees them."""
    found = []
    for seed, options in enumerate(({}, {"weeds": "open"}, {"weeds": "none"}, {"players": 1}, {"tiles": "misprint2001"},
                                    {"weed_counts_as_legal": False})):
        game = load(**options)
        states = finished(game, seed)
        for state in states[:: len(states) // 12] + states[-3:]:
            found += [(game, state.view(observer)) for observer in (ALL, PUBLIC, *range(game.players))]
    return found


VALUES = [
    None, True, False, -1, -2, 0, 1, 2, 3, 90, 2**40, 0.5, "", "hidden", "R/P", "F/F", "R", "a1-b1", "k12-k13", "place", "over",
    "draw", "first", [], [[], []], [{"at": "a1-b1", "tile": "R/P"}], {}, "." * 14, "#" * 14, ["." * 14] * 15,
]


def assert_sound(game: Game, state: State) -> None:
    """A state like any other: what it says is true, it can be written and read again, and it plays to its end."""
    view = state.view(ALL)
    assert game.build(view) == state
    assert plain(game.build(view).view(ALL)) == plain(view)
    assert "".join(view["rows"]).count("#") == 2 * sum(map(len, view.get("weeds", [])))
    assert state.actor == TERMINAL or not all(view["out"])
    assert all(0 <= score <= game.score_bounds[1] for score in state.scores())
    before = state.copy()
    play_on(state, random.Random(1))
    for old, new in zip("".join(view["rows"]), "".join(state.view(ALL)["rows"]), strict=True):
        assert old in (".", new)
    for observer in (PUBLIC, *range(game.players)):
        assert plain(game.build(before.view(observer)).view(observer)) == plain(before.view(observer))


@given(mutated(positions, VALUES, LETTERS + ".#/-x1", ["at", "tile", "rows", "R"]))
@searching(400)
def test_a_changed_position_is_refused_by_its_place_or_sound(case: tuple[Game, Any]) -> None:
    check_refused_or_sound(case, assert_sound)


def test_positions_of_random_games_lose_nothing() -> None:
    """Without all that follows from the rest. What the board does not show is which flowers share a tile: `unseen`."""
    follows = ("to_move", "phase", "out", "bag", "weeds_left")
    for game, view in positions():
        if view["phase"] in ("draw", "place"):
            assert game.build({name: value for name, value in view.items() if name not in follows}) == game.build(view)


@pytest.mark.parametrize("players", [1, 2])
def test_the_tiles_of_a_board_need_not_be_told(players: int) -> None:
    """Any board that comes up in a game can be written without saying which tiles are seen: some fit."""
    game = load(players)
    for seed in range(12):
        for state in finished(game, seed):
            view = state.view(ALL)
            shorter = game.build({name: value for name, value in view.items() if name != "unseen"}).view(ALL)
            assert {**shorter, "unseen": None} == {**view, "unseen": None}
            # of each variety as many as are not seen
            for letter in LETTERS:
                assert in_tiles(shorter["unseen"], letter) == in_tiles(view["unseen"], letter)


def in_tiles(texts: dict[str, str], letter: str) -> int:
    """How many flowers of a variety are on tiles that are not seen."""
    return len(texts[letter]) + sum(text.count(letter) for text in texts.values())
