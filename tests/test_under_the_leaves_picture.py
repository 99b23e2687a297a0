"""Under the Leaves as people see it: the picture, and the words about a move."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from garden_core.state import State
from jsonschema import Draft202012Validator
from spoken import Spoken

import garden_ai
from garden_ai import ALL, CHANCE, PUBLIC, TERMINAL
from garden_ai.games import definition
from garden_ai.games.under_the_leaves.gardens import FAMILIES, Garden, bounds, gardens_of, spot_name, square
from garden_ai.games.under_the_leaves.schema import EXAMPLE
from garden_ai.position import position_dict, position_schema, state_of

GAME = definition("under_the_leaves")
SPOKEN = Spoken(GAME)
drawn, drawn_view = SPOKEN.drawn, SPOKEN.drawn_view
OVERLAPPING = {"leaf": "thoughtful", "puddle": "friendly", "mushroom": "collector"}  # cards with something to choose


def walk(players: int, seed: int, policy: bool = True, **options: Any) -> Iterator[State]:
    """The states of a game, from its start with chance open to its end."""
    state = garden_ai.load("under_the_leaves", players, **options).start()
    number = 0
    yield state
    while state.actor != TERMINAL:
        number += 1
        if state.actor == CHANCE:
            state.draw(seed + number)
        else:
            state.apply(state.policy_action(seed + number) if policy else state.random_action(seed + number))
        yield state


def block_of(picture: str, player: int) -> list[str]:
    """The lines of a garden from its title on, cut from what stands beside it."""
    lines = picture.splitlines()
    title = re.compile(r"(?:[▶>] )?player ([0-9]) [·-] [0-9]+ points?")
    first = next(i for i, line in enumerate(lines) if f"{player}" in [found[1] for found in title.finditer(line)])
    begins = {int(found[1]): found.start() for found in title.finditer(lines[first])}
    end = min((begin for begin in begins.values() if begin > begins[player]), default=None)
    last = next(i for i in range(first, len(lines)) if lines[i].startswith(("market", "a ", "player ", "▶ ")) and i > first)
    return [line[begins[player] : end] for line in lines[first:last]]


def check_garden(picture: str, player: int, garden: Garden, cards: dict[str, str], over: bool) -> None:
    """Every tile lies at its spot; all figures are there, and only those."""
    block = block_of(picture, player)
    heads = [(found.start(), found[0]) for found in re.finditer("[a-y]", block[1])]
    (top, left), (bottom, right) = bounds(garden)
    assert [letter for _, letter in heads] == [spot_name((0, column))[0] for column in range(left, right + 1)]
    counts: Counter[str] = Counter()
    bees = birds = 0
    for i, row in enumerate(range(top, bottom + 1)):
        lines = [line.ljust(100) for line in (*block[2 + 3 * i : 5 + 3 * i], "", "")]
        assert lines[0][:2].strip() == spot_name((row, 0))[1:]
        for (middle, letter), column in zip(heads, range(left, right + 1), strict=True):
            start = middle - 2
            texts = [line[start : start + 6] for line in lines[:3]]
            if (row, column) not in garden.spots:
                free = (row, column) in garden.buildable and not over
                assert [text.strip() for text in texts] == [f"{letter}{spot_name((row, column))[1:]}" if free else "", "", ""]
                continue
            birds += int(texts[2].strip().strip("()") or 0)
            assert int(texts[2].strip().strip("()") or 0) == garden.nests.get((row, column), 0)
            parts = (texts[0][:3], texts[0][3:], texts[1][:3], texts[1][3:])
            for cell, text in zip(square((2 * row, 2 * column)), parts, strict=True):
                assert text[0].upper() == garden.kinds[cell]
                assert text[0].isupper() == (garden.kinds[cell] != "~" and garden.area(cell).bees > 0)
                assert any(mark in text for mark in "*@") == (cell in garden.mushrooms)
                counts.update(mark for mark in text[1:] if mark in "^=@")
                bees += int("".join(mark for mark in text[1:] if mark.isdigit()) or 0)
                if cards["mushroom"] != "host":
                    assert ("@" in text) == (cell in garden.dwellers["mushroom"])
                if cards["puddle"] != "diver":
                    assert ("=" in text) == (cell in garden.dwellers["puddle"])
    assert [counts[mark] for mark in "^=@"] == [len(garden.dwellers[family]) for family in FAMILIES]
    assert bees == sum(garden.bees.values())
    assert birds == sum(garden.nests.values())


# The picture


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {}),
        (2, OVERLAPPING),
        (2, {"leaf": "flirty", "puddle": "skipper", "mushroom": "explorer"}),
        (3, {"leaf": "restless", "puddle": "diver", "mushroom": "host"}),
        (4, {"leaf": "runner", "puddle": "shy", "mushroom": "loner"}),
    ],
)
@pytest.mark.parametrize("policy", [True, False])
def test_everything_is_where_it_is_and_nothing_is_wider_than_the_terminal(
    players: int, options: dict[str, Any], policy: bool
) -> None:
    for number, state in enumerate(walk(players, players, policy, **options)):
        view = state.view(ALL)
        if number % 5 and view["phase"] != "choose":
            continue
        picture = drawn(state)
        assert max(map(len, picture.splitlines())) <= 80
        assert drawn(state, observer=PUBLIC) == picture
        for player, garden in enumerate(gardens_of(view)):
            check_garden(picture, player, garden, view["cards"], view["phase"] == "over")
        assert drawn(state, encoding="ascii").isascii()
        for width in (40, 60, 79, 200):
            assert max(map(len, drawn(state, width=width).splitlines())) <= width


def test_gardens_stand_beside_each_other_where_they_fit() -> None:
    state = state_of(EXAMPLE)
    assert re.search(r"^▶ player 0 · 11 points +player 1 · 12 points *$", drawn(state), re.MULTILINE)
    narrow = drawn(state, width=50)
    assert re.search(r"^▶ player 0 · 11 points *$", narrow, re.MULTILINE)
    assert re.search(r"^player 1 · 12 points *$", narrow, re.MULTILINE)


def line_of_tiles(tiles: int, down: bool = False) -> dict[str, Any]:
    """A garden of so many tiles in one line, the starting tile in its middle. Its tiles are not those of the set."""
    begins = 12 - tiles // 2
    upper, lower = ["K*G "] * tiles, ["O ~ "] * tiles
    rows = [row for pair in zip(upper, lower, strict=True) for row in pair] if down else ["".join(upper), "".join(lower)]
    corner = spot_name((begins - 12, 0) if down else (0, begins - 12))
    return {"corner": corner, "rows": rows, "bees": {}, "hummingbirds": {"m13": 1}, **{family: [] for family in FAMILIES}}


@pytest.mark.parametrize("tiles", [11, 12, 13])
def test_the_widest_and_the_highest_garden(tiles: int) -> None:
    view = {
        "phase": "place",
        "to_move": 0,
        "turn": 0,
        "cards": EXAMPLE["state"]["cards"],
        "market": EXAMPLE["state"]["market"],
        "bag": 2,
        "gardens": [line_of_tiles(tiles), line_of_tiles(tiles, down=True)],
    }
    picture = drawn_view(garden_ai.load("under_the_leaves", 2), view)
    assert max(map(len, picture.splitlines())) <= 80
    for player, garden in enumerate(gardens_of(view)):
        check_garden(picture, player, garden, view["cards"], over=False)


def test_what_lies_below_the_gardens() -> None:
    picture = drawn(state_of(EXAMPLE))
    lines = [line.rstrip() for line in picture.splitlines()]
    market = next(i for i, line in enumerate(lines) if line.startswith("market"))
    assert lines[market : market + 3] == [
        "market  1 O*YKK   2 K*GYY   3 K*OPP   bag: 13 more tiles will come",
        "          O* Y      K* G      K* O         of 37 not seen yet",
        "          K  K      Y  Y      P  P",
    ]
    assert lines[market + 4 :] == [
        "player             0   1",
        "bees          2    6   6   a new area of 3+, +1 each other one alike",
        "hummingbirds (2)   4   4   a tile all in such areas, +1 amid a line of 3",
        "leaf          ^    0   1   thoughtful: a 2x2 square of one colour",
        "puddle        =    1   0   diver: a puddle of 2 or more cells",
        "mushroom      @    0   1   host: an area with 2 or more mushrooms",
        "majorities       (2) (4)   2 for most of a family, at the end (so far)",
        "points            11  12",
        "K: area with bees   k: without   ~: puddle   *: mushroom   @: with its dweller",
    ]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_table_of_points_agrees_with_the_score(players: int) -> None:
    for state in walk(players, 3):
        if not state.view(ALL)["gardens"]:
            continue
        rows = {words[0]: words[1:] for words in map(str.split, drawn(state).splitlines()) if words}
        components = state.components()
        for name in state.game.component_names:
            signs = 0 if name == "majorities" else 1  # it has none
            numbers = rows[name][signs : signs + players]
            if name != "majorities" or state.actor == TERMINAL:
                assert [float(word) for word in numbers] == [own[name] for own in components]
            else:
                assert all(re.fullmatch(r"\([0-9]\)", word) for word in numbers)
        assert [float(word) for word in rows["points"]] == state.scores()


@pytest.mark.parametrize("family", FAMILIES)
def test_every_card_is_explained(family: str) -> None:
    for card in garden_ai.load("under_the_leaves", 4).card_names[family]:
        state = garden_ai.load("under_the_leaves", 4, **{family: card}).start(1)
        picture = drawn(state)
        assert max(map(len, picture.splitlines())) <= 80
        assert re.search(rf"^{family} +. +0   0   0   0   {card}: .*\w", picture, re.MULTILINE)


def test_the_headline() -> None:
    assert drawn(state_of(EXAMPLE)).startswith("Under the Leaves · turn 6 of 12 · player 0 to place")
    told = {}
    for state in walk(2, 5, **OVERLAPPING):
        told.setdefault(state.game.phase(state), drawn(state).splitlines()[0].rstrip())
        assert "None" not in drawn(state)
    assert told["starts"] == "Under the Leaves · chance: the starting tiles are to be dealt"
    assert told["first"] == "Under the Leaves · chance: who begins"
    assert told["draw"] == "Under the Leaves · turn 1 of 12 · chance: a tile is to be drawn"
    assert re.fullmatch(r"Under the Leaves · turn 1 of 12 · player [01] to place", told["place"])
    assert told["over"] == "Under the Leaves · the game is over"
    begin = garden_ai.load("under_the_leaves", 2).start()
    assert drawn(begin).startswith("Under the Leaves · chance: the cards are to be drawn")


@pytest.mark.parametrize("family", FAMILIES)
def test_what_may_be_chosen_is_marked_and_listed(family: str) -> None:
    cards = {**OVERLAPPING, "leaf": "flirty"}
    for state in (state for seed in range(400) for state in walk(2, seed, **cards)):
        if state.game.phase(state) != "choose":
            continue
        moves = [GAME.notation.format(state, action) for action in state.legal_actions().tolist()]
        if not moves[0].startswith(family):
            continue
        picture = drawn(state)
        view = state.view(ALL)
        assert f"player {state.actor} to choose, after the tile on {view['last']}" in picture
        assert all(re.search(rf"\b{move}\b", picture) for move in moves)
        assert sum(line.count("?") for line in block_of(picture, state.actor)) == len(moves)
        assert f"a {family} dweller comes to one of these" in picture
        return
    pytest.fail(f"no game in which a {family} dweller is to be chosen")


def test_the_end() -> None:
    *_, state = walk(3, 1)
    picture = drawn(state)
    assert "bag" not in picture
    assert "▶" not in picture
    assert "so far" not in picture
    assert "market  1 " in picture
    for player, points in enumerate(state.scores()):
        assert f"player {player} · {points:.0f} point" in picture


def test_without_a_unicode_terminal_it_is_ascii() -> None:
    picture = drawn(state_of(EXAMPLE), encoding="ascii")
    assert "> player 0 - 11 points" in picture
    assert picture.startswith("Under the Leaves - turn 6 of 12 - player 0 to place")


def test_colour_only_adds() -> None:
    for number, state in enumerate(walk(2, 5, **OVERLAPPING)):
        if number % 9 == 0:
            coloured = drawn(state, force_terminal=True, color_system="truecolor")
            assert "\x1b[" in coloured
            assert "\x1b" not in drawn(state)
            assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == drawn(state)


def test_other_components(tmp_path: Path) -> None:
    file = tmp_path / "other.toml"
    text = GAME.components_file.read_text(encoding="utf-8")
    text = text.replace('["K", "Y", "O", "P", "G"]', '["R", "Y", "O", "P", "G"]').replace("market = 3", "market = 1")
    file.write_text(re.sub(r'"[^"]{4,5}"(?=,|\])', lambda code: code[0].replace("K", "R"), text), encoding="utf-8")
    state = garden_ai.load("under_the_leaves", 2, components=file).start(1)
    picture = drawn(state)
    assert "R: area with bees   r: without" in picture
    assert re.search(r"^market  1 [RYOPG~*]+ +bag: 23 more tiles will come *$", picture, re.MULTILINE)


# Positions


def test_the_example_is_that_of_the_documentation_and_fits_the_schema() -> None:
    assert EXAMPLE in SPOKEN.positions_of_the_page()
    validator = Draft202012Validator(position_schema(GAME))
    validator.validate(EXAMPLE)
    for players in (2, 3, 4):
        for state in walk(players, players, **(OVERLAPPING if players == 2 else {})):
            validator.validate(position_dict(state))


# Words


def test_names_of_the_components() -> None:
    game = garden_ai.load("under_the_leaves", 2)
    assert [GAME.phrases(game, name) for name in game.component_names] == [
        "the bees", "the hummingbirds", "the leaf dwellers", "the puddle dwellers", "the mushroom dwellers", "the majorities",
    ]  # fmt: skip


def garden(*rows: str, corner: str = "m13", bees: Any = None, nests: Any = None, **dwellers: list[str]) -> dict[str, Any]:
    """The fields of a garden."""
    fields = {"corner": corner, "rows": list(rows), "bees": bees or {}, "hummingbirds": nests or {}}
    return fields | {family: dwellers.get(family, []) for family in FAMILIES}


def told(was: dict[str, Any], is_now: dict[str, Any], *others: dict[str, Any]) -> tuple[str, ...]:
    """What is told of a move that made one garden the other; nobody's turn follows."""
    rest = others or (garden("~ K", "P Y*"),)
    views = [{"phase": phase, "market": [], "gardens": [own, *rest]} for phase, own in (("place", was), ("over", is_now))]
    return GAME.events(garden_ai.load("under_the_leaves", 1 + len(rest)), *views, 0)


START = ("~ K", "P Y*")


def test_bees() -> None:
    one = garden("~ K K O*", "P Y*K G", bees={"m13ne": 1})
    assert told(garden(*START), one)[0] == "+1 bee (new pink area of 3)"
    both = garden("~ K K O*", "P Y*K G", ". . K G", ". . G G", bees={"m13ne": 1, "n13se": 1})
    assert told(one, both)[0] == "+1 bee (new green area of 4)"
    other = garden("~ K K O*K K", "P Y*K G K O", bees={"m13ne": 2, "o13nw": 1})
    assert told(one, other)[0] == "+2 bees (new pink area of 3)"
    two = garden("~ K K O*", "P Y*K O", ". . Y O", bees={"m13ne": 1, "n13ne": 1})
    assert told(garden("~ K . .", "P Y*. .", ". . Y O"), two)[0] == "+2 bees (new pink area of 3 and new orange area of 3)"


def test_hummingbirds() -> None:
    was = garden("K K K", "K K K")
    now = garden("K K K", "K K K", nests={"m13": 1})
    assert told(was, now) == ("completes the nest at m13: +1 hummingbird",)
    pair = garden("K K K", "K K K", nests={"m13": 1, "n13": 1})
    assert told(was, pair) == ("completes the nests at m13 and n13: +2 hummingbirds",)
    line = garden("K K K", "K K K", nests={"l13": 1, "m13": 2, "n13": 1})
    assert told(now, line) == ("completes the nests at l13 and n13: +3 hummingbirds, with a line of three",)
    assert told(was, line)[0].startswith("completes the nests at l13, m13 and n13: +4 hummingbirds")
    cross = garden("K K K", "K K K", nests={"l13": 1, "m13": 3, "n13": 1, "m12": 1, "m14": 1})
    before = garden("K K K", "K K K", nests={"l13": 1, "n13": 1, "m12": 1, "m14": 1})
    assert told(before, cross) == ("completes the nest at m13: +3 hummingbirds, with 2 lines of three",)


def test_dwellers_and_what_they_mean_for_the_majorities() -> None:
    none, one, two = (garden(*START, leaf=["m13nw"] * n) for n in range(3))
    assert told(none, one) == ("+1 leaf dweller",)
    assert told(none, two) == ("+2 leaf dwellers",)
    assert told(none, one, one) == ("+1 leaf dweller (now as many as any)",)
    assert told(none, one, two) == ("+1 leaf dweller",)
    assert told(one, two, one) == ("+1 leaf dweller (now the most)",)
    assert told(one, two, none, one) == ("+1 leaf dweller (now the most)",)
    assert told(one, two, none) == ("+1 leaf dweller",)
    now = garden(*START, leaf=["m13nw"], mushroom=["m13se", "m13se"])
    assert told(none, now, one) == ("+1 leaf dweller (now as many as any) and +2 mushroom dwellers",)


def test_what_has_begun() -> None:
    start = garden(*START)
    assert told(start, garden("~ K G*O", "P Y*P P")) == ("prepares a purple area (2 cells, 3 open sides)",)
    assert told(start, garden("~ K K Y", "P Y*O O")) == (
        "prepares an orange area (2 cells, 3 open sides)",
        "prepares a pink area (2 cells, 2 open sides)",
    )
    grown = garden("~ K K O*", "P Y*K G", bees={"m13ne": 1}), garden("~ K K O*", "P Y*K G", ". . K ~", bees={"m13ne": 1})
    assert told(*grown) == ("grows the pink area from 3 to 4",)
    apart = garden("K K . . K K", "K ~ . . K O", bees={"m13nw": 2, "o13nw": 1})
    assert told(apart, garden("K K K K K K", "K ~ ~ ~ K O", bees={"m13nw": 3})) == ("joins the pink areas of 3 and 3",)


def test_the_most_important_comes_first() -> None:
    state = state_of(EXAMPLE)
    after = state.copy()
    after.apply(GAME.notation.parse(state, "OP/K*P m14"))
    assert GAME.events(state.game, state.view(0), after.view(0), 0) == (
        "+2 bees (new purple area of 3)",
        "completes the nest at m14: +2 hummingbirds, with a line of three",
        "+1 leaf dweller (now as many as any)",
    )


def test_what_is_left_to_the_next_player() -> None:
    state = state_of(EXAMPLE)

    def remarks(move: str) -> list[str]:
        after = state.copy()
        after.apply(GAME.notation.parse(state, move))
        return [text for text in GAME.events(state.game, state.view(0), after.view(0), 0) if text.startswith("leaves")]

    assert remarks("PP/K*O m14") == ["leaves the O*YKK tile to player 1 (up to +3)"]
    assert remarks("YO*/KK j13") == []  # with K*GYY and K*OPP he gains less


def test_choices_are_told() -> None:
    pending = chosen = 0
    for seed in range(8):
        before = None
        for state in walk(2, seed, policy=False, **OVERLAPPING):
            view = state.view(ALL)
            if before is not None and before["to_move"] >= 0:
                story = GAME.events(state.game, before, view, before["to_move"])
                assert len(story) <= 3
                assert len(set(story)) == len(story)
                assert not any(character in text for text in story for character in ".;")
                waits = [text for text in story if re.search(r"(\+1 \w+ dweller|another), its place to be chosen$", text)]
                assert len(waits) == (view["phase"] == "choose")
                pending += len(waits)
                if before["phase"] == "choose":
                    chosen += 1
                    assert re.match(r"\+[0-9] \w+ dweller", story[0])
            before = view
    assert min(pending, chosen) > 0


@pytest.mark.parametrize(
    ("market", "gardens", "move", "story"),
    [
        (
            ["G*KPP", "~GOO", "~KGG"],
            [
                {
                    "corner": "m12",
                    "rows": [". . G G", ". . K*P", "~ K K*P", "P Y*Y P"],
                    "bees": {"n12sw": 1, "n12se": 1},
                    "mushroom": ["n13nw"],
                },
                {"corner": "k13", "rows": ["P P P Y ~ O O P", "O*G G*Y Y K*K*P"], "bees": {"k13nw": 1, "l13ne": 1}},
            ],
            "PG*/PK m12",
            (
                "+1 leaf dweller and +1 mushroom dweller, its place to be chosen",
                "+1 bee (new green area of 3)",
                "completes the nest at n12: +1 hummingbird",
            ),
        ),
        (
            ["G*YKK", "G*POO", "~PGG"],
            [
                {
                    "corner": "m13",
                    "rows": ["~ P P P O O", "K O*O*G G*Y", "K O . . G Y", "P*O . . G P*"],
                    "bees": {"m13ne": 1, "m13se": 1, "n13se": 1},
                },
                {
                    "corner": "l12",
                    "rows": ["K Y Y Y . .", "K ~ ~ O . .", ". . ~ O O ~", ". . Y K*K K", ". . Y K . .", ". . Y P*. ."],
                    "bees": {"l12ne": 1, "m12se": 1, "m13sw": 2, "m13se": 1},
                    "puddle": ["l12se"],
                },
            ],
            "OG*/OP n14",
            (
                "+1 leaf dweller and another, its place to be chosen",
                "grows the orange area from 4 to 6",
                "grows the green area from 4 to 5",
            ),
        ),
    ],
)
def test_a_choice_is_told_whatever_else_comes(market: list[str], gardens: list[Any], move: str, story: tuple[str, ...]) -> None:
    fields = {"cards": OVERLAPPING, "market": market, "gardens": gardens}
    state = state_of({**EXAMPLE, "to_move": 0, "state": fields})
    after = state.copy()
    after.apply(GAME.notation.parse(state, move))
    assert after.view(ALL)["phase"] == "choose"
    assert GAME.events(state.game, state.view(0), after.view(0), 0) == story
