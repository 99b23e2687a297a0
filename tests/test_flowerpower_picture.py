"""Flowerpower as people see it: the picture, and the words about a move."""

import re
from pathlib import Path
from typing import Any

import pytest
from garden_core.state import State
from jsonschema import Draft202012Validator
from spoken import Spoken

import garden_ai
from garden_ai import ALL, CHANCE, PUBLIC, TERMINAL
from garden_ai.games import definition
from garden_ai.games.flowerpower.schema import EXAMPLE
from garden_ai.position import position_dict, position_schema, state_of

GAME = definition("flowerpower")
SPOKEN = Spoken(GAME)
drawn = SPOKEN.drawn
BOARD_WIDTH = 31


def played(players: int, seed: int, moves: int, **options: Any) -> State:
    """A game after so many moves by policy, and the next draw."""
    state = garden_ai.load("flowerpower", players, **options).start(seed)
    while state.actor != TERMINAL and (moves or state.actor == CHANCE):
        if state.actor == CHANCE:
            state.draw(seed + moves)
        else:
            state.apply(state.policy_action(seed + moves) if moves % 8 else state.random_action(seed + moves))
            moves -= 1
    return state


def board(picture: str) -> list[str]:
    """The cells as drawn, row by row."""
    lines = [line for line in picture.splitlines() if re.match(r"[ 1][0-9] [.#A-Za-z]", line)]
    assert [int(line[:2]) for line in lines] == list(range(1, 16))
    return [line[3:BOARD_WIDTH:2] for line in lines]


def beside(picture: str) -> list[str]:
    """What stands to the right of the board."""
    lines = picture.splitlines()[1:]
    return [line[BOARD_WIDTH + 2 :].rstrip() for line in lines[: next(i for i, x in enumerate(lines) if x.startswith("flowers"))]]


def beds_told(picture: str) -> list[list[str]]:
    """The rows of the table of beds."""
    lines = beside(picture)
    first = next(i for i, line in enumerate(lines) if line.startswith("bed "))
    return [line.split() for line in lines[first + 1 :] if re.match(r"[a-z]+ +[0-9]+  [a-o][0-9]", line)]


# The picture


@pytest.mark.parametrize(("players", "options"), [(2, {}), (2, {"weeds": "none"}), (2, {"weeds": "open"}), (1, {})])
def test_the_board_is_where_it_is_and_nothing_is_wider_than_the_terminal(players: int, options: dict[str, Any]) -> None:
    for moves in range(0, 110, 9):
        state = played(players, moves, moves, **options)
        for observer in (ALL, PUBLIC, *range(players)):
            picture = drawn(state, observer)
            assert max(map(len, picture.splitlines())) <= 80
            rows = board(picture)
            assert [row.upper() for row in rows] == state.view(ALL)["rows"]
            large = {cell for _, cells, *_ in state.game.beds(state.view(ALL)["rows"]) if len(cells) >= 3 for cell in cells}
            capitals = {(r, c) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter.isupper()}
            assert capitals == large
        assert drawn(state, encoding="ascii").isascii()
        for width in (30, 60, 79, 200):
            assert max(map(len, drawn(state, width=width).splitlines())) <= width


def test_the_beds_beside_the_board() -> None:
    state = state_of(EXAMPLE)
    told = beds_told(drawn(state))
    assert told[0] == ["cranesbill", "5", "l9", "0-4", "player", "1", "1"]
    assert ["sunflower", "4", "d8", "0-2", "player", "1", "1"] in told
    assert len(told) == 10
    assert [int(row[1]) for row in told] == sorted((int(row[1]) for row in told), reverse=True)


def test_beds_that_do_not_fit_are_counted() -> None:
    state = next(state for state in (played(2, seed, 95) for seed in range(9)) if len(state.game.beds(rows_of(state))) > 40)
    picture = drawn(state)
    large = [bed for bed in state.game.beds(rows_of(state)) if len(bed[1]) >= 3]
    told = beds_told(picture)
    assert len(told) < len(large)
    points = sum(bed[4] for bed in large[len(told) :])
    assert f"and {len(large) - len(told)} more beds, {points} points" in picture
    narrow = drawn(state, width=60)  # there they stand below the board, all of them
    assert len(re.findall(r"^[a-z]+ +[0-9]+  [a-o][0-9]", narrow, re.MULTILINE)) == len(large)


def rows_of(state: State) -> list[str]:
    rows: list[str] = state.view(ALL)["rows"]
    return rows


def test_without_a_bed_it_says_so() -> None:
    for players in (1, 2):
        assert "no bed of 3 flowers or more yet" in drawn(garden_ai.load("flowerpower", players).start(1))


def test_players_their_points_and_who_is_to_move() -> None:
    picture = drawn(state_of(EXAMPLE))
    assert picture.startswith("Flowerpower · player 0 to place\n")
    assert "─ ▶ player 0 · 6 points ─" in picture
    assert "─ player 1 · 4 points ─" in picture
    to_draw = drawn(state_of(position({1: "R", 2: "P"}, turn=1)))
    assert to_draw.startswith("Flowerpower · chance: player 1 is to draw a tile\n")
    assert "─ ▶ player 1 · 0 points ─" in to_draw
    assert "chance: who begins" in drawn(garden_ai.load("flowerpower", 2).start())


def test_who_is_out() -> None:
    letters = "RPCQBSANDF" * 15
    full = {number: letters[3 * number :][:14] for number in range(1, 10)}
    picture = drawn(state_of(position(full, to_move=1, tile="R/P", options={"weed_counts_as_legal": False})))
    assert "─ player 0 · 0 points · out ─" in picture
    assert "─ ▶ player 1 · 0 points ─" in picture


def test_weeds_show_only_who_may_see_them() -> None:
    state = state_of(EXAMPLE)
    mine, public = drawn(state, 0), drawn(state, PUBLIC)
    assert "weeds of 0  2 left, f13-g13 R/B" in mine
    assert "weeds of 1  2 left, g4-h4 hidden" in mine
    assert "tile        R/S rose/sunflower" in mine
    assert "f13-g13 hidden" in public
    assert "tile        hidden" in public
    assert "g4-h4 hidden" not in drawn(state, 1)
    assert "f13-g13 hidden" in drawn(state, 1)
    assert [row[5:7] for row in board(mine)][12] == "##"
    assert "weeds" not in drawn(played(2, 1, 9, weeds="none"))


def test_flowers_not_seen_yet() -> None:
    picture = drawn(state_of(EXAMPLE), 0)
    assert "flowers not seen yet: 134 in the bag, 2 under weeds\n" in picture
    # 20 roses but five on the board, the one in hand and the one under his own weed; 20 asters but six
    assert "R 13 rose" in picture
    assert "A 14 aster" in picture
    assert "134 in the bag, 4 under weeds, 2 on the tile drawn" in drawn(state_of(EXAMPLE), PUBLIC)
    misprint = drawn(garden_ai.load("flowerpower", 1, tiles="misprint2001").start())
    for text in ("R 20 rose", "Q 18 cinquefoil", "A 21 aster", "D 21 daisy"):
        assert text in misprint
    for seed in range(4):
        state = played(2, seed, 40 + seed)
        for observer in (0, 1, PUBLIC, ALL):
            picture = drawn(state, observer)
            places = re.search(r"flowers not seen[^:]*: (.*)", picture)
            assert places
            counts = re.findall(r"\b[RPCQBSANDF] +([0-9]+) [a-z]", picture[places.end() :])
            assert len(counts) == 10
            assert sum(map(int, counts)) == sum(map(int, re.findall(r"[0-9]+", places[1])))


def test_alone_there_is_neither_strip_nor_owner() -> None:
    picture = drawn(played(1, 2, 60))
    assert "strip" not in picture
    assert "owner" not in picture
    assert "weed" not in picture
    assert all(int(row[1]) ** 2 == int(row[3]) for row in beds_told(picture))
    points = int(re.findall(r"player 0 · ([0-9]+) points", picture)[0])
    rest = re.findall(r"and [0-9]+ (?:smaller|more) beds?, ([0-9]+) points", picture)
    assert points == sum(int(row[3]) for row in beds_told(picture)) + int(rest[0])


def test_the_end() -> None:
    picture = drawn(played(2, 1, 200))
    assert picture.startswith("Flowerpower · the game is over\n")
    assert "tile   " not in picture
    assert "flowers not seen:" in picture
    assert "out" not in picture


def test_without_a_unicode_terminal_it_is_ascii() -> None:
    picture = drawn(state_of(EXAMPLE), encoding="ascii")
    assert "- > player 0 - 6 points -" in picture
    assert "- green strip -" in picture


def test_colour_only_adds() -> None:
    state = played(2, 5, 50)
    coloured = drawn(state, force_terminal=True, color_system="truecolor")
    assert "\x1b[" in coloured
    assert "\x1b" not in drawn(state)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == drawn(state)


def test_boards_of_other_sizes(tmp_path: Path) -> None:
    own = GAME.components_file.read_text(encoding="utf-8")
    for number, (columns, side_rows, strip_rows) in enumerate(((2, 1, 0), (15, 7, 2), (5, 3, 3))):
        file = tmp_path / f"{number}.toml"
        text = own.replace("columns = 14", f"columns = {columns}").replace("side_rows = 6", f"side_rows = {side_rows}")
        text = text.replace("strip_rows = 3", f"strip_rows = {strip_rows}").replace("sizes = [3, 6, 10]", "sizes = [2, 6, 10]")
        file.write_text(text, encoding="utf-8")
        for players in (1, 2):
            state = played(players, number, 7, components=file)
            picture = drawn(state)
            assert max(map(len, picture.splitlines())) <= 80
            assert ("green strip" in picture) == (players == 2 and strip_rows > 0)
            assert "R: bed of 2 or more" in picture


# Positions


def test_the_example_is_that_of_the_documentation_and_fits_the_schema() -> None:
    assert EXAMPLE in SPOKEN.positions_of_the_page()
    validator = Draft202012Validator(position_schema(GAME))
    validator.validate(EXAMPLE)
    for players in (1, 2):
        for moves in (0, 1, 30, 200):
            for observer in (ALL, PUBLIC, 0):
                validator.validate(position_dict(played(players, moves, moves), observer))


# Words


def position(rows: dict[int, str], players: int = 2, options: Any = None, **fields: Any) -> dict[str, Any]:
    """A position with some rows, by their numbers and filled up with empty cells.

    In the last row lie the other flowers of the tiles, no two of a kind side by side and an even number in all.
    """
    board = [rows.get(number, "").ljust(14, ".") for number in range(1, 15)]
    odd = sum(letter not in ".#" for row in board for letter in row) % 2
    board.append("CQBNFCQBNFCQBN"[odd:].ljust(14, "."))
    data = {"format": "garden-ai position", "version": 1, "game": "flowerpower", "players": players, "options": options or {}}
    if "to_move" in fields:
        data["to_move"] = fields.pop("to_move")
    return {**data, "state": {"rows": board, **fields}}


def told(move: str, tile: str, rows: dict[int, str], player: int = 0, players: int = 2) -> tuple[str, ...]:
    """What is told of a move on a board with such rows."""
    return SPOKEN.told(state_of(position(rows, players, to_move=player, tile=tile)), move)


def test_names_of_the_flowers() -> None:
    game = garden_ai.load("flowerpower", 2)
    assert [GAME.phrases(game, name) for name in game.component_names] == [
        "the roses", "the poppies", "the cornflowers", "the cinquefoils", "the cranesbills",
        "the sunflowers", "the asters", "the carnations", "the daisies", "the fantasy flowers",
    ]  # fmt: skip


def test_a_bed_that_grows() -> None:
    rows = {1: "DDDD", 2: "D"}
    assert told("daisy/daisy e1-e2", "D/D", rows) == ("grows the daisy bed from 5 to 7, now worth 2",)
    assert told("daisy/rose e1-f1", "R/D", rows) == ("grows the daisy bed from 5 to 6, now worth 2",)
    assert told("daisy/rose b2-c2", "R/D", {1: "DDDD"}) == ("grows the daisy bed from 4 to 5",)
    assert told("daisy/rose c1-d1", "R/D", {1: "DD..R"}) == (
        "grows the daisy bed from 2 to 3, now worth 1",
        "grows the rose bed from 1 to 2",
    )


def test_what_starts_is_told_only_where_there_is_nothing_better() -> None:
    assert told("rose/aster a1-b1", "R/A", {}) == ("starts a rose bed", "starts an aster bed")
    assert told("rose/rose a1-b1", "R/R", {}) == ("starts a rose bed of 2",)
    assert told("fantasy/rose a6-a7", "R/F", {}) == ("starts a fantasy flower bed", "starts a rose bed in the strip")
    assert told("rose/aster b1-c1", "R/A", {1: "R"}) == ("grows the rose bed from 1 to 2",)


def test_what_is_begun_beside_other_beds() -> None:
    assert told("rose/aster d1-e1", "R/A", {1: "RR"}) == ("starts a rose bed that c1 would join to the one of 2",)
    assert told("sunflower/rose e7-f7", "R/S", {6: "..SS", 8: "...S", 9: "...S"}) == (
        "starts a sunflower bed in the strip that d7 would join to those of 2 and 2",
    )
    assert told("rose/aster c1-d1", "R/A", {1: "R"}) == ("starts a rose bed", "starts an aster bed")
    assert told("rose/aster d1-e1", "R/A", {1: "RR"}, players=1) == (
        "starts a rose bed that c1 would join to the one of 2: +1",
    )


def test_beds_that_are_joined() -> None:
    assert told("rose/daisy d1-d2", "R/D", {1: "RRR.RR"}) == ("joins the rose beds of 3 and 2 into one of 6, now worth 2",)
    assert told("rose/daisy d1-d2", "R/D", {1: "RRR.R"}) == ("joins the rose beds of 3 and 1 into one of 5",)
    assert told("rose/daisy b2-a2", "R/D", {1: ".R", 2: "..R", 3: ".R"}) == (
        "joins the rose beds of 1, 1 and 1 into one of 4, now worth 1",
    )


def test_whose_bed_it_is() -> None:
    his = {7: "...S", 8: "...S", 9: "...S", 10: "...S"}
    assert told("sunflower/sunflower d5-d6", "S/S", his) == (
        "takes the sunflower bed of 6 in the strip from player 1, now worth 2",
    )
    assert told("sunflower/rose d6-e6", "R/S", his) == ("ties player 1's sunflower bed of 5, no longer worth 1",)
    assert told("sunflower/rose e7-f7", "R/S", his) == ("grows player 1's sunflower bed from 4 to 5",)
    tied = {**his, 6: "...S"}
    assert told("sunflower/rose e6-f6", "R/S", tied) == ("wins the sunflower bed of 6 in the strip, tied so far, now worth 2",)
    assert told("sunflower/rose e7-f7", "R/S", tied) == ("grows the sunflower bed from 5 to 6 in the strip, still nobody's",)
    nobody = {8: "...SS"}
    assert told("sunflower/sunflower d6-d7", "S/S", nobody) == ("claims the sunflower bed of 4 in the strip, now worth 1",)
    assert told("sunflower/rose c8-b8", "R/S", nobody) == (
        "grows the sunflower bed from 2 to 3 in the strip, still nobody's",
    )


def test_whose_the_joined_bed_is() -> None:
    rows = {5: "...S", 6: "...S", 8: "...S", 9: "...S"}
    assert told("sunflower/rose d7-e7", "R/S", {**rows, 10: "...S"}) == (
        "joins the sunflower beds of 3 and 2 into one of 6, taken from player 1, now worth 2",
    )
    assert told("sunflower/rose d7-e7", "R/S", {**rows, 10: "...SS"}) == (
        "joins the sunflower beds of 4 and 2 into one of 7, a tie: nobody's now",
    )
    assert told("sunflower/rose d7-e7", "R/S", {**rows, 10: "...SSS"}) == (
        "joins the sunflower beds of 5 and 2 into one of 8, player 1's, now worth 2",
    )


def test_what_hinders_the_other_player() -> None:
    rows = {11: "..PPPPP"}
    assert told("weed c10-d10", "R/D", rows) == ("cuts player 1's poppy bed of 5 (open sides 12 to 10)",)
    assert told("weed a1-b1", "R/D", {2: "PP"}, player=1) == ("cuts player 0's poppy bed of 2 (open sides 5 to 3)",)
    assert told("weed a14-b14", "R/D", rows) == ("takes two cells from player 1",)
    assert told("weed d11-d12", "R/D", {11: "..P.PP"})[0] == "keeps player 1's poppy beds of 2 and 1 apart"
    strip = {9: "....DD", 10: ".....D"}
    assert told("rose/aster d9-d8", "R/A", strip) == ("blocks player 1's daisy bed of 3 (open sides 7 to 6)",)
    assert told("aster/rose d7-d8", "R/A", strip) == ("starts a rose bed in the strip", "starts an aster bed in the strip")


def test_the_most_important_comes_first() -> None:
    story = told("rose/aster a7-b7", "R/A", {6: "RR", 8: "DDD", 9: "D", 10: "D"})
    assert story == (
        "grows the rose bed from 2 to 3, now worth 1",
        "blocks player 1's daisy bed of 5 (open sides 8 to 6)",
    )
    for seed in range(6):
        state = played(2, seed, 30 + 5 * seed)
        player = state.actor
        for action in state.legal_actions().tolist():
            after = state.copy()
            after.apply(action)
            story = GAME.events(state.game, state.view(player), after.view(player), player)
            assert 1 <= len(story) <= 3
            assert len(set(story)) == len(story)
            assert not any(character in text for text in story for character in ".;")


def test_alone_the_points_gained_are_told() -> None:
    assert told("rose/aster d1-d2", "R/A", {1: "RRR.RR"}, players=1) == (
        "joins the rose beds of 3 and 2 into one of 6: +23",
    )
    assert told("rose/rose e1-f1", "R/R", {1: "RRRR", 2: "R"}, players=1) == ("grows the rose bed from 5 to 7: +24",)
    assert told("rose/aster a1-b1", "R/A", {}, players=1) == ("starts a rose bed: +1", "starts an aster bed: +1")
