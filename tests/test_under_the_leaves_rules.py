"""Under the Leaves' rules, one by one: every card and every ruling by positions, invariants, and broken positions.

A garden is written as in a position, two characters a cell: `K ` terrain, `K*` terrain with a mushroom, `~ ` a puddle and
`. ` nothing. Its first tile's spot is named, and the starting tile always lies on m13. Player 0 is to move; the others have
laid as many tiles, which bring them nothing.
"""

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from battery import ALPHA, component_file, frequencies, goodness, most_points_at_once, plain, play_on, walk
from garden_core.measure import mean_result
from garden_core.state import Game, State
from hypothesis import given
from mutation import check_refused_or_sound, mutated, refusal, searching
from reference import under_the_leaves as reference
from reference.under_the_leaves import CARDS, FAMILIES, Garden, cells_of, spot_cells

import garden_ai
from garden_ai import ALL, CHANCE, PUBLIC, TERMINAL, FieldError
from garden_ai.components import read_components
from garden_ai.games import definition

DEFINITION = definition("under_the_leaves")
# Cards that hardly ever bring a dweller, for families that a test is not about.
QUIET = {"leaf": "runner", "puddle": "shy", "mushroom": "loner"}


def load(players: int = 2, cards: str = "", **options: Any) -> Game:
    """With these cards, and quiet ones for the other families."""
    return garden_ai.load("under_the_leaves", players, **chosen(cards), **options)


def chosen(cards: str) -> dict[str, str]:
    """A card for each family."""
    return {family: next((name for name in cards.split() if name in CARDS[family]), QUIET[family]) for family in FAMILIES}


# --- writing positions ---


def laid_out(corner: str, rows: Sequence[str]) -> Garden:
    """What lies in a garden, to be looked at in the reference's slow way."""
    top, left = 2 * (int(corner[1:]) - 13), 2 * (ord(corner[0]) - ord("m"))
    cells = {
        (top + i, left + j): cell
        for i, row in enumerate(rows) for j, cell in enumerate(re.findall(r"[A-Z]\*?|~|\.", row))
    }
    return Garden({cell: text for cell, text in cells.items() if text != "."})


def code_of(game: Game, cells: list[str]) -> str:
    """Which tile has these cells, in any order: no two have the same."""
    return next(code for code in (*game.starting_tiles, *game.garden_tiles) if sorted(cells_of(code)) == sorted(cells))


def codes_in(game: Game, fields: dict[str, Any]) -> list[str]:
    """The tiles of a garden."""
    laid = laid_out(fields["corner"], fields["rows"])
    return [code_of(game, [laid.board[cell] for cell in spot_cells(spot)]) for spot in laid.spots]


def garden(corner: str, *rows: str, bees: dict[str, int] | None = None, **dwellers: list[str]) -> dict[str, Any]:
    """The fields of a garden; unless it is said where they are, as few bees as its pollinated areas can have."""
    if bees is None:
        laid = laid_out(corner, rows)
        areas = [area for area in laid.areas if len(area) >= 3]
        colours = [laid.board[min(area)][0] for area in areas]
        bees = {reference.cell_name(min(area)): 1 + colours[:i].count(colours[i]) for i, area in enumerate(areas)}
    return {"corner": corner, "rows": list(rows), "bees": bees, **{family: [] for family in FAMILIES}, **dwellers}


@cache
def idle_garden(starting: str, tiles: frozenset[str], count: int, cards: tuple[str, ...]) -> tuple[Garden, frozenset[str]]:
    """Some of these tiles laid in a row so that nothing comes of it, and the tiles left."""
    found = Garden(dict(zip(spot_cells((0, 0)), cells_of(starting), strict=True)))
    for column in range(1, count + 1):
        found, code = next(
            (longer, code)
            for code in sorted(tiles) for way in sorted(reference.ways(code, True))
            if is_idle(longer := found.with_tile((0, column), way), cards)
        )
        tiles -= {code}
    return found, tiles


def is_idle(laid: Garden, cards: tuple[str, ...]) -> bool:
    coming = ((laid.sure(family, card), laid.decisions(family, card)) for family, card in zip(FAMILIES, cards, strict=True))
    return not laid.bees and not laid.hummingbirds and all(pair == ([], []) for pair in coming)


def before(game: Game, mine: dict[str, Any], move: str) -> State:
    """Player 0 is to move and has such a garden; the tile of the move lies in the market."""
    cards = tuple(game.options[family] for family in FAMILIES)
    used = {*codes_in(game, mine)}
    tile = code_of(game, re.findall(r"[A-Z]\*?|~", move.split()[0]))
    starts = [code for code in game.starting_tiles if code not in used]
    tiles = frozenset(game.garden_tiles) - used - {tile}
    gardens = [mine]
    for starting in starts[:game.players - 1]:
        other, tiles = idle_garden(starting, tiles, len(used) - 1, cards)
        gardens.append(other.written(dict(zip(FAMILIES, cards, strict=True))))
    return game.build({
        "to_move": 0,
        "cards": dict(zip(FAMILIES, cards, strict=True)),
        "market": sorted([tile, *sorted(tiles)[:game.market_size - 1]], key=game.garden_tiles.index),
        "gardens": gardens,
    })


def play(state: State, *moves: str) -> State:
    """The state after moves in notation."""
    state = state.copy()
    for move in moves:
        state.apply(DEFINITION.notation.parse(state, move))
    return state


def possible(state: State) -> list[str]:
    """What is possible, in notation."""
    ids = state.outcomes()[0] if state.actor == CHANCE else state.legal_actions()
    return [DEFINITION.notation.format(state, action) for action in ids.tolist()]


@dataclass(frozen=True)
class Turn:
    """What came of player 0's moves."""

    first: State
    last: State
    cards: str = ""

    @property
    def gained(self) -> dict[str, float]:
        """Figures more than before, by component; of dwellers those that the test is about."""
        one, other = self.first.components()[0], self.last.components()[0]
        about = [name for name in one if name not in FAMILIES or self.first.game.options[name] in self.cards.split()]
        return {name: other[name] - one[name] for name in about if other[name] != one[name]}

    def at(self, name: str) -> Any:
        """Where the figures are now."""
        return self.last.view(ALL)["gardens"][0][name]

    @property
    def chooses(self) -> list[str]:
        """What is to decide."""
        return possible(self.last) if self.last.game.phase(self.last) == "choose" else []

    def then(self, *moves: str) -> "Turn":
        return Turn(self.first, play(self.last, *moves), self.cards)


def turn(cards: str, mine: dict[str, Any], move: str) -> Turn:
    """A tile laid by player 0."""
    state = before(load(cards=cards), mine, move)
    return Turn(state, play(state, move), cards)


START = garden(
    "m13",
    "~ K",
    "P Y*",
)


# --- the tiles ---


PRINTED = """
G*OKK O*YKK Y*PKK O*PKK P*GKK G*YKK  P*KYY K*OYY O*GYY O*PYY G*PYY K*GYY  P*YOO Y*KOO K*GOO P*KOO G*YOO G*POO
O*GPP K*OPP K*YPP Y*OPP Y*GPP G*KPP  P*OGG O*KGG Y*KGG Y*OGG P*YGG K*PGG
~OKK ~YKK ~GKK ~PKK  ~YOO ~POO ~GOO ~KOO  ~OYY ~KYY ~PYY ~GYY  ~OPP ~YPP ~GPP ~KPP  ~KGG ~OGG ~YGG ~PGG
"""


def test_the_printed_tiles() -> None:
    game = load()
    assert game.garden_tiles == tuple(PRINTED.split())
    assert game.starting_tiles == ("~KPY*", "~OYK*", "~PKO*", "~YOP*")
    assert (game.letters, game.turns, game.market_size) == ("KYOPG", 12, 3)
    assert game.colours == ("pink", "yellow", "orange", "purple", "green")
    assert {family: tuple(names) for family, names in game.card_names.items()} == CARDS
    cells = [cell for code in game.garden_tiles for cell in cells_of(code)]
    assert Counter(cell[0] for cell in cells) == {**dict.fromkeys("KYOPG", 36), "~": 20}
    assert Counter(cell[0] for cell in cells if "*" in cell) == dict.fromkeys("KYOPG", 6)
    assert len(game.garden_tiles) + len(game.starting_tiles) == 54
    # a puddle and a mushroom are never on one tile, but for the starting ones
    assert all((code.count("~"), code.count("*")) in ((1, 0), (0, 1)) for code in game.garden_tiles)


def test_a_tile_lies_in_eight_ways_or_in_four() -> None:
    turned = {("G*", "O", "K", "K"), ("K", "G*", "K", "O"), ("K", "K", "O", "G*"), ("O", "K", "G*", "K")}
    back = {("O", "G*", "K", "K"), ("K", "O", "K", "G*"), ("K", "K", "G*", "O"), ("G*", "K", "O", "K")}
    ways = load().oriented("G*OKK")
    assert len(ways) == 8
    assert set(ways) == turned | back
    assert set(load(allow_flip=False).oriented("G*OKK")) == turned
    assert all(len(load().oriented(code)) == 8 for code in load().garden_tiles)


@pytest.mark.parametrize(("allow_flip", "count"), [(True, 96), (False, 48)])
def test_the_first_turn(allow_flip: bool, count: int) -> None:
    state = load(first=0, allow_flip=allow_flip).start(seed=4)
    assert len(state.legal_actions()) == count
    assert {move.split()[1] for move in possible(state)} == {"m12", "m14", "l13", "n13"}


def test_a_tile_lies_along_a_whole_side_of_another() -> None:
    mine = garden(
        "m13",
        "~ K Y*O",
        "P Y*P P",
        ". . G G",
        ". . K O*",
    )
    state = before(load(), mine, "OK/G*K l13")
    spots = {move.split()[1] for move in possible(state)}
    assert spots == {"m12", "l13", "m14", "n12", "o13", "o14", "n15"}
    assert len(possible(state)) == 7 * 3 * 8


@pytest.mark.parametrize("spots", ["nopqrstuvwxy", "lkjihgfedcba", range(14, 26), range(12, 0, -1)], ids=str)
def test_twelve_tiles_in_a_line(spots: Any) -> None:
    """In each direction as far as it goes; before the last turn there are 26 spots, and 3 tiles to lie in 8 ways."""
    names = [f"{spot}13" if isinstance(spot, str) else f"m{spot}" for spot in spots]
    game = load(first=0)
    state = game.start(seed=1)
    left = [iter(names), iter(names)]
    for number in range(24):
        if number == 22:
            assert len(state.legal_actions()) == 624 <= game.max_actions
        spot = next(left[state.actor])
        state.apply(next(a for a in state.legal_actions().tolist() if DEFINITION.notation.format(state, a).endswith(f" {spot}")))
        while state.actor == CHANCE or game.phase(state) == "choose":
            state.apply(int((state.outcomes()[0] if state.actor == CHANCE else state.legal_actions())[0]))
    assert state.actor == TERMINAL
    corner = {state.view(ALL)["gardens"][seat]["corner"] for seat in (0, 1)}
    assert corner == {min(["m13", names[-1]], key=lambda name: (name[0], int(name[1:])))}


def test_steps_that_are_none() -> None:
    game = load(first=0, cards="friendly")
    state = game.start(seed=3)
    tile = game.garden_tiles.index(state.view(ALL)["market"][0])
    other = next(i for i, code in enumerate(game.garden_tiles) if code not in state.view(ALL)["market"])
    way, *_, turned = game.oriented(game.garden_tiles[tile])
    fine = game.step_id(state, ("place", tile, (0, 1), way))
    assert state.is_legal(fine)
    assert game.step(state, fine) == ("place", tile, (0, 1), way)
    assert game.step_id(state, ("place", tile, (0, 1), turned)) not in (fine, -1)
    for step in (
        ("place", tile, (0, 0), way), ("place", tile, (0, 2), way), ("place", tile, (1, 1), way), ("place", tile, (0, 13), way),
        ("place", other, (0, 1), game.oriented(game.garden_tiles[other])[0]), ("place", tile, (0, 1), ("K", "K", "K", "K")),
        ("place", 50, (0, 1), way), ("place", -1, (0, 1), way), ("choose", "puddle", (0, 0)), ("draw", other), ("first", 1),
    ):
        action = game.step_id(state, step)
        assert action == -1 or not state.is_legal(action)


# --- bees ---


def test_a_new_area_brings_a_bee() -> None:
    mine = garden(
        "m13",
        "~ K",
        "P Y*",
        "O K",
        "G*K",
    )
    laid = turn("", mine, "K*G/OO n14")
    assert (laid.gained, laid.at("bees")) == ({"bees": 1}, {"m14ne": 1})
    # wherever its cell lies; two cells are no area, nor do cells belong to it that touch at a corner
    assert turn("", mine, "GO/K*O n14").gained == {"bees": 1}
    assert turn("", mine, "OG/OK* n14").gained == {}
    assert turn("", mine, "K*G/OO m15").gained == {}


def test_growth_brings_no_bee() -> None:
    mine = garden(
        "m13",
        "~ K . .",
        "P Y*. .",
        "O K K*G",
        "G*K O O",
        bees={"m14se": 1},
    )
    laid = turn("", mine, "YK*/YO m15")
    assert (laid.gained, laid.at("bees")) == ({}, {"m14ne": 1})


A_COLUMN_AND_TWO = (
    "~ K P P Y*O",
    "P Y*G ~ G G",
    "O K . . K O*",
    "G*K . . K P",
    "Y K*. . . .",
    "Y O . . . .",
)


def test_taking_in_a_group_brings_no_bee() -> None:
    laid = turn("", garden("m13", *A_COLUMN_AND_TWO), "KK/YO* n14")
    assert (laid.gained, laid.at("bees")) == ({}, {"m14ne": 1})


def test_a_new_area_brings_a_bee_to_each_other_one_of_its_colour() -> None:
    """The pink column has one more, the yellow area has not."""
    mine = garden(
        "l13",
        ". . ~ K P P Y*O",
        ". . P Y*G ~ G G",
        ". . O K . . K O*",
        ". . G*K . . K P",
        "O Y Y K*. . . .",
        "O G*Y O . . . .",
        bees={"m14ne": 1, "m15nw": 1},
    )
    laid = turn("", mine, "OO/GK* n14")
    assert (laid.gained, laid.at("bees")) == ({"bees": 2}, {"m14ne": 2, "o14nw": 1, "l15ne": 1})


TWO_PINK = (
    "~ K . . . . . .",
    "P Y*. . . . . .",
    "O K K O*Y*G . .",
    "G*K K Y P P . .",
    "Y K*. . K K K K",
    "Y O . . Y*P O*P",
)


def test_joining_areas_adds_their_bees_and_brings_none() -> None:
    laid = turn("", garden("m13", *TWO_PINK, bees={"n14nw": 2, "o15nw": 1}, leaf=["p15nw"]), "KK/~G n15")
    assert (laid.gained, laid.at("bees")) == ({}, {"m14ne": 3})


def test_joined_areas_get_one_bee_together() -> None:
    mine = garden(
        "m13",
        "~ K . . . . . .",
        "P Y*. . . . . .",
        "O K K O*Y*G . .",
        "G*K K Y P P . .",
        "Y K*K K K K K K",
        "Y O ~ G Y*P O*P",
        bees={"n14nw": 3},
        leaf=["m14ne"],
    )
    laid = turn("", mine, "G*Y/KK m12")
    assert (laid.gained, laid.at("bees")) == ({"bees": 2}, {"m12sw": 1, "m14ne": 4})


def test_two_new_areas_in_one_turn_bring_a_bee_each() -> None:
    mine = garden(
        "m13",
        "~ K Y O",
        "P Y*G*O",
        "O K . .",
        "G*K . .",
    )
    laid = turn("", mine, "K*O/PP n14")
    assert (laid.gained, laid.at("bees")) == ({"bees": 2}, {"n13ne": 1, "m14ne": 1})


def test_three_new_areas_in_one_turn_bring_a_bee_each() -> None:
    mine = garden(
        "m13",
        "~ K Y O",
        "P Y*G*O",
        "O K . .",
        "G*K . .",
        "Y Y P*G",
        "O*G Y G",
    )
    laid = turn("", mine, "K*O/PP n14")
    assert (laid.gained, laid.at("bees")) == ({"bees": 3, "hummingbirds": 1}, {"n13ne": 1, "m14ne": 1, "n14sw": 1})


def test_a_new_area_beside_two_that_are_joined() -> None:
    """The orange one brings a bee, those of the pink ones add up."""
    mine = garden(
        "m13",
        "~ K . . . . . .",
        "P Y*. . . . . .",
        "O K K O*Y*G . .",
        "G*K K Y P P . .",
        "G K*. . K K K K",
        "O O . . Y*P O*P",
        bees={"m14ne": 2, "o15nw": 1},
        leaf=["o15nw"],
    )
    laid = turn("", mine, "KK/O~ n15")
    assert (laid.gained, laid.at("bees")) == ({"bees": 1, "hummingbirds": 1}, {"m14ne": 3, "m15sw": 1})


# --- hummingbirds ---


def test_a_hummingbird_comes_when_all_terrain_of_a_tile_is_pollinated() -> None:
    """A puddle does not count, a single cell of another colour does."""
    mine = garden(
        "m13",
        "~ K Y O",
        "P Y*G*O",
        "O K . .",
        "G*K . .",
        "O O Y*P",
        "~ G O P",
    )
    puddle = turn("", mine, "KO/K~ n14")
    assert (puddle.gained, puddle.at("hummingbirds")) == ({"bees": 2, "hummingbirds": 1}, {"n14": 1})
    four = turn("", mine, "KO*/KP n14")
    assert (four.gained, four.at("hummingbirds")) == ({"bees": 3, "hummingbirds": 1}, {"n14": 1})
    assert turn("", mine, "KO*/KY n14").gained == {"bees": 2}


def test_the_starting_tile_holds_a_hummingbird_too() -> None:
    mine = garden(
        "m13",
        "~ K K K",
        "P Y*Y O*",
    )
    laid = turn("", mine, "PY*/PO m14")
    assert (laid.gained, laid.at("hummingbirds")) == ({"bees": 2, "hummingbirds": 1}, {"m13": 1})


def meadow(**options: Any) -> Game:
    """Tiles that are pink on one half and of another colour on the other: beside one alike they are all pollinated."""
    own = read_components(DEFINITION).data
    garden_tiles = [tile for letter in "YOPG" for tile in (f"K*K{letter}{letter}", f"KK{letter}*{letter}", f"~K{letter}{letter}")]
    garden_tiles += PRINTED.split()[:26]   # for the other player
    tiles = {**own["tiles"], "starting": ["KKYY", *(f"~{a}{b}{c}" for a, b, c in ("YOP", "OPG", "PGY"))], "garden": garden_tiles}
    return DEFINITION.load(2, {**chosen(""), **options}, {**own, "tiles": tiles, "game": {**own["game"], "turns": 6}})


def test_between_two_others_in_a_row_a_second_one_comes() -> None:
    """Five in a row have three of them."""
    mine = garden(
        "k13",
        "K*K K K K K K*K",
        "O O O*O Y Y Y Y",
        leaf=["k13nw", "k13sw", "m13sw"],
    )
    state = before(meadow(), mine, "KK/Y*Y o13")
    laid = Turn(state, play(state, "KK/Y*Y o13"))
    assert Turn(state, state).at("hummingbirds") == {"k13": 1, "l13": 2, "m13": 2, "n13": 1}
    assert (laid.gained, laid.at("hummingbirds")) == ({"hummingbirds": 2}, {"k13": 1, "l13": 2, "m13": 2, "n13": 2, "o13": 1})


def test_in_the_middle_of_a_row_and_a_column_there_are_three() -> None:
    """Those of a row or a column that is too short, or has a gap, have one."""
    mine = garden(
        "l12",
        "O O O*O . . ",
        "K*K K K . . ",
        "K*K K K K K",
        "Y Y Y Y Y*Y",
        ". . . . P P",
        ". . . . K*K",
        leaf=["l12sw", "l13sw"],
    )
    state = before(meadow(leaf="restless"), mine, "P*P/KK m14")
    laid = Turn(state, play(state, "P*P/KK m14"))
    assert Turn(state, state).at("hummingbirds") == {"l12": 1, "m12": 1, "l13": 1, "m13": 2, "n13": 1}
    assert laid.gained == {"bees": 3, "hummingbirds": 3}
    assert laid.at("hummingbirds") == {"l12": 1, "m12": 1, "l13": 1, "m13": 3, "n13": 1, "m14": 1, "n14": 1}


# --- the leaf family ---


SQUARE_TO_BE = (
    "~ K",
    "P Y*",
    "O K",
    "G*K",
)


def test_thoughtful_wants_a_square_of_one_colour() -> None:
    laid = turn("thoughtful", garden("m13", *SQUARE_TO_BE), "KY/KO* n14")
    assert (laid.gained, laid.at("leaf")) == ({"bees": 1, "leaf": 1}, ["m14ne"])
    # four in another shape
    assert turn("thoughtful", garden("m13", *SQUARE_TO_BE), "KK/YO* n14").gained == {"bees": 1}


def test_puddles_are_no_colour_to_thoughtful() -> None:
    mine = garden(
        "l12",
        "K K Y Y",
        "O ~ ~ K",
        ". . ~ K",
        ". . P Y*",
    )
    assert turn("thoughtful", mine, "P~/OO l13").gained == {}


def test_thoughtful_uses_each_cell_once() -> None:
    mine = garden(
        "m13",
        "~ K . .",
        "P Y*. .",
        "O K K O*",
        "G*K K Y",
        "Y K*. .",
        "Y O . .",
        leaf=["m14ne"],
    )
    laid = turn("thoughtful", mine, "K*O/GO n15")
    assert (laid.gained, laid.at("leaf")) == ({}, ["m14ne"])


def test_of_squares_that_overlap_the_owner_chooses() -> None:
    mine = garden(
        "m13",
        "~ K . .",
        "P Y*. .",
        "O K . .",
        "G*K . .",
        "Y K*K*O",
        "Y O G O",
    )
    laid = turn("thoughtful", mine, "KO*/KY n14")
    assert laid.chooses == ["leaf m14ne", "leaf m14se"]
    assert laid.last.actor == 0
    assert laid.last.view(PUBLIC)["last"] == "n14"
    assert laid.gained == {}
    for choice in ("m14ne", "m14se"):
        chosen_one = laid.then(f"leaf {choice}")
        assert (chosen_one.gained, chosen_one.at("leaf"), chosen_one.chooses) == ({"leaf": 1}, [choice], [])
        assert chosen_one.last.actor == CHANCE


def test_choices_that_lead_to_the_same_are_one() -> None:
    """Three squares one above another: the outer two leave each other alone, and then the second one comes by itself."""
    mine = garden(
        "m13",
        "~ K P Y G O",
        "P Y*P K*K*O",
        ". . O K . .",
        ". . G*K . .",
        ". . Y K*K G",
        ". . Y O O*G",
    )
    laid = turn("thoughtful", mine, "KY*/KP o14")
    assert laid.chooses == ["leaf n13se", "leaf n14ne"]
    outer = laid.then("leaf n13se")
    assert (outer.gained, outer.at("leaf"), outer.chooses) == ({"leaf": 2}, ["n13se", "n14se"], [])
    inner = laid.then("leaf n14ne")
    assert (inner.gained, inner.at("leaf"), inner.chooses) == ({"leaf": 1}, ["n14ne"], [])


def test_restless_wants_an_area_of_five() -> None:
    four = garden("m13", "~ K . .", "P Y*. .", "O K K O*", "G*K K Y")
    laid = turn("restless", four, "YK*/YO m15")
    assert (laid.gained, laid.at("leaf")) == ({"leaf": 1}, ["m14ne"])
    assert turn("restless", garden("m13", *SQUARE_TO_BE), "KY/KO* n14").gained == {"bees": 1}
    # once an area
    five = garden("m13", "~ K . .", "P Y*. .", "O K K O*", "G*K K Y", "Y K*. .", "Y O . .", leaf=["n14sw"])
    grown = turn("restless", five, "K*O/GO n15")
    assert (grown.gained, grown.at("leaf")) == ({}, ["m14ne"])


def test_restless_in_joined_areas() -> None:
    """One has a dweller already, the other not."""
    laid = turn("restless", garden("m13", *TWO_PINK, leaf=["m15ne"]), "KK/~G n15")
    assert (laid.gained, laid.at("leaf")) == ({}, ["m14ne"])


def test_flirty_wants_a_square_of_four_kinds() -> None:
    """Beside the starting tile, of which only the own square never counts; a puddle is a kind."""
    laid = turn("flirty", START, "KG*/KO l13")
    assert (laid.gained, laid.at("leaf")) == ({"leaf": 1}, ["l13ne"])
    assert turn("flirty", START, "KG/KP* l13").gained == {}
    right = turn("flirty", START, "OK/G*K n13")
    assert (right.gained, right.at("leaf")) == ({"leaf": 1}, ["m13ne"])
    assert turn("flirty", START, "PO*/PG n13").gained == {}


FLIRTY = (
    "~ K . .",
    "P Y*. .",
    "P*K O O",
    "O O Y*K",
)


def test_flirty_uses_each_cell_once() -> None:
    laid = turn("flirty", garden("m13", *FLIRTY), "PO/G*O n13")
    assert laid.chooses == ["leaf m13ne", "leaf m13se"]
    for choice in ("m13ne", "m13se"):
        chosen_one = laid.then(f"leaf {choice}")
        assert (chosen_one.gained, chosen_one.at("leaf"), chosen_one.chooses) == ({"bees": 1, "leaf": 1}, [choice], [])


def test_runner_wants_four_in_a_row_or_column() -> None:
    row = garden("m13", "~ K", "P Y*", "G*O", "K K")
    laid = turn("runner", row, "O*Y/KK n14")
    assert (laid.gained, laid.at("leaf")) == ({"bees": 1, "leaf": 1}, ["m14sw"])
    # four cells, three of them in a row
    assert turn("runner", row, "KO*/KY n14").gained == {"bees": 1}
    column = turn("runner", garden("m13", *SQUARE_TO_BE), "Y*K/PK m15")
    assert (column.gained, column.at("leaf")) == ({"bees": 1, "leaf": 1}, ["m14ne"])


def test_runner_wants_them_without_a_gap() -> None:
    """Seven cells: a row of five with a hole, and three below."""
    mine = garden(
        "m13",
        "~ K . . . .",
        "P Y*. . . .",
        "O G*O O Y Y",
        "K K P*K K P*",
        "Y K*. . . .",
        "Y O . . . .",
    )
    assert turn("runner", mine, "KK/G*Y n15").gained == {}
    assert turn("restless", mine, "KK/G*Y n15").gained == {"leaf": 1}


def test_runner_once_an_area() -> None:
    mine = garden("m13", "~ K . .", "P Y*. .", "G*O O*Y", "K K K K", leaf=["n14se"])
    assert turn("runner", mine, "Y*K/PK n15").gained == {}
    # nor where an area with a row joins one without
    laid = turn("runner", garden("m13", *TWO_PINK, leaf=["p15nw"]), "KK/~G n15")
    assert (laid.gained, laid.at("leaf")) == ({}, ["m14ne"])


# --- the mushroom family ---


def test_host_wants_two_mushrooms_in_an_area_of_any_size() -> None:
    laid = turn("host", START, "PK/Y*K n13")
    assert (laid.gained, laid.at("mushroom")) == ({"mushroom": 1}, ["m13se"])
    assert turn("host", START, "P*O/YO n13").gained == {}
    # once an area
    mine = garden("m13", "~ K P K", "P Y*Y*K", mushroom=["n13sw"])
    third = turn("host", mine, "KY*/OO m14")
    assert (third.gained, third.at("mushroom")) == ({"bees": 1}, ["m13se"])


def test_host_in_joined_areas() -> None:
    """Each of the two has its dweller: they stay, and no other one comes."""
    mine = garden(
        "m13",
        "~ K P K",
        "P Y*Y*K",
        "P*O . .",
        "G G . .",
        "K Y*Y*O",
        "O O P P",
        mushroom=["m13se", "m15ne"],
    )
    laid = turn("host", mine, "YO*/YG n14")
    assert (laid.gained, laid.at("mushroom")) == ({"bees": 1}, ["m13se", "m13se"])


LINE = (
    "~ K P P K K",
    "P Y*~ K G*Y",
)


def test_explorer_wants_three_mushrooms_in_a_line() -> None:
    """At any distance; the middle one has the dweller."""
    laid = turn("explorer", garden("m13", *LINE), "OO/P*K p13")
    assert (laid.gained, laid.at("mushroom")) == ({"mushroom": 1}, ["o13sw"])
    assert turn("explorer", garden("m13", *LINE), "P*O/KO p13").gained == {}


def test_mushrooms_with_a_dweller_are_no_part_of_a_line() -> None:
    mine = garden("m13", "~ K P P K K O O", "P Y*~ K G*Y P*K", ". . . . K*G . .", ". . . . Y Y . .", mushroom=["o13sw"])
    # with the one in the middle there would be three in a column
    assert turn("explorer", mine, "P*O/GG o12").gained == {}
    # the other two of the row and a new one are three again
    laid = turn("explorer", mine, "GG/K*P q13")
    assert (laid.gained, laid.at("mushroom")) == ({"mushroom": 1}, ["o13sw", "p13sw"])


def test_two_lines_at_once_are_judged_before_new_dwellers() -> None:
    """The new mushroom is the middle of a row and the end of a column."""
    mine = garden(
        "m12",
        ". . G*K . .",
        ". . Y K . .",
        "~ K P*O K K",
        "P Y*Y O ~ G",
        "K*G . . O*G",
        "Y Y . . P P",
    )
    laid = turn("explorer", mine, "O*K/PK n14")
    assert (laid.gained, laid.at("mushroom")) == ({"mushroom": 2}, ["n13nw", "n14nw"])


def test_the_middle_of_two_lines_earns_one() -> None:
    mine = garden(
        "m13",
        "~ K P*O K K",
        "P Y*Y O ~ G",
        "K*G . . O*G",
        "Y Y . . P P",
        "O O G*O . .",
        "~ P K K . .",
    )
    laid = turn("explorer", mine, "O*K/PK n14")
    assert (laid.gained, laid.at("mushroom")) == ({"mushroom": 1}, ["n14nw"])


CORNER = (
    "~ K",
    "P Y*",
    "O O",
    "~ G",
)


def test_collector_wants_two_mushrooms_touching_at_a_corner() -> None:
    laid = turn("collector", garden("m13", *CORNER), "K*G/OO n14")
    assert (laid.gained, laid.chooses) == ({}, ["mushroom m13se", "mushroom n14nw"])
    for choice in ("m13se", "n14nw"):
        chosen_one = laid.then(f"mushroom {choice}")
        assert (chosen_one.gained, chosen_one.at("mushroom")) == ({"mushroom": 1}, [choice])
        assert chosen_one.chooses == []
    # not along a side
    assert turn("collector", START, "PK/Y*K n13").chooses == []


def test_collector_may_use_the_empty_mushroom_again() -> None:
    def pair(inhabited: str) -> Turn:
        rows = ("~ K . .", "P Y*. .", "O O K*G", "~ G O O")
        return turn("collector", garden("m13", *rows, mushroom=[inhabited]), "YY/PG* n13")

    assert pair("m13se").chooses == ["mushroom n13se", "mushroom n14nw"]
    assert (pair("n14nw").chooses, pair("n14nw").gained) == ([], {})


def test_collector_is_looked_at_again_after_each_choice() -> None:
    mine = garden("m13", "~ K Y Y", "P Y*P G*", "O O . .", "~ G . .")
    laid = turn("collector", mine, "K*G/OO n14")
    assert laid.chooses == ["mushroom m13se", "mushroom n13se", "mushroom n14nw"]
    again = laid.then("mushroom m13se")
    assert again.chooses == ["mushroom n13se", "mushroom n14nw"]
    both = again.then("mushroom n13se")
    assert (both.chooses, both.at("mushroom")) == ([], ["m13se", "n13se"])
    # the middle one first, and both pairs are done
    middle = laid.then("mushroom n14nw")
    assert (middle.chooses, middle.at("mushroom")) == ([], ["n14nw"])


def test_loner_wants_eight_neighbours_without_mushrooms() -> None:
    """All of them there, puddles too: at the garden's edge there is none."""
    mine = garden("m13", "~ K P P", "P Y*~ K", "G G . .", "K O*. .")
    laid = turn("loner", mine, "OO/~Y n14")
    assert (laid.gained, laid.at("mushroom")) == ({"mushroom": 1}, ["m13se"])
    assert turn("loner", mine, "K*G/OO n14").gained == {"bees": 1}
    edge = garden("m13", "~ K", "P Y*", "G G", "K O*")
    assert turn("loner", edge, "PP/~K n13").gained == {}


# --- the puddle family ---


def test_diver_wants_two_puddles_touching_along_a_side() -> None:
    laid = turn("diver", START, "G~/KK l13")
    assert (laid.gained, laid.at("puddle")) == ({"puddle": 1}, ["l13ne"])
    # growth brings nothing
    mine = garden("l12", "K K Y Y", "O ~ ~ K", ". . ~ K", ". . P Y*", puddle=["m13nw"])
    grown = turn("diver", mine, "P~/OO l13")
    assert (grown.gained, grown.at("puddle")) == ({}, ["l12se"])


def test_two_puddles_at_a_corner_are_one_to_diver_once_a_third_joins_them() -> None:
    mine = garden("l12", "K K Y Y", "O ~ K*G", ". . ~ K", ". . P Y*")
    laid = turn("diver", mine, "G~/KK l13")
    assert (laid.gained, laid.at("puddle")) == ({"puddle": 1}, ["l12se"])
    assert turn("diver", mine, "GG/P*O l13").gained == {}


def test_skipper_wants_terrain_between_two_puddles() -> None:
    laid = turn("skipper", START, "~P/KP n13")
    assert (laid.gained, laid.at("puddle")) == ({"puddle": 1}, ["m13ne"])
    column = turn("skipper", START, "~G/KG m14")
    assert (column.gained, column.at("puddle")) == ({"puddle": 1}, ["m13sw"])
    assert turn("skipper", START, "P~/PK n13").gained == {}
    assert turn("skipper", START, "KP/~P n13").gained == {}
    # a puddle may be used again
    mine = garden("m13", "~ K ~ P", "P Y*K P", puddle=["m13ne"])
    again = turn("skipper", mine, "~Y/GY o13")
    assert (again.gained, again.at("puddle")) == ({"puddle": 1}, ["m13ne", "n13ne"])


def test_friendly_wants_two_puddles_touching_at_a_corner() -> None:
    mine = garden("l13", "G G ~ K", "P*O P Y*")
    laid = turn("friendly", mine, "KK/O~ l12")
    assert (laid.gained, laid.chooses) == ({}, ["puddle l12se", "puddle m13nw"])
    for choice in ("l12se", "m13nw"):
        chosen_one = laid.then(f"puddle {choice}")
        assert (chosen_one.gained, chosen_one.at("puddle"), chosen_one.chooses) == ({"puddle": 1}, [choice], [])
    assert turn("friendly", START, "G~/KK l13").chooses == []


def test_two_puddles_at_a_corner_are_friendly_even_if_a_third_joins_them() -> None:
    mine = garden("m12", "Y Y", "~ K", "~ K", "P Y*")
    laid = turn("friendly", mine, "KK/O~ l12")
    assert laid.chooses == ["puddle l12se", "puddle m13nw"]


def test_friendly_is_looked_at_again_after_each_choice() -> None:
    """Four puddles around a corner are two pairs."""
    mine = garden("l12", "K K Y Y", "O ~ ~ K", ". . ~ K", ". . P Y*", puddle=["l12se"])
    laid = turn("friendly", mine, "P~/OO l13")
    assert laid.chooses == ["puddle m12sw", "puddle l13ne"]
    assert laid.then("puddle l13ne").at("puddle") == ["l12se", "l13ne"]


def test_shy_wants_eight_neighbours_without_puddles() -> None:
    """All of them there, mushrooms too: at the garden's edge there is none."""
    mine = garden("l12", ". . Y Y", ". . K*G", "G G ~ K", "P*O P Y*")
    laid = turn("shy", mine, "KK/OG* l12")
    assert (laid.gained, laid.at("puddle")) == ({"bees": 1, "puddle": 1}, ["m13nw"])
    assert turn("shy", mine, "KK/O~ l12").gained == {}
    edge = garden("m12", "Y Y", "K*G", "~ K", "P Y*")
    assert turn("shy", edge, "GG/P*O l13").gained == {}


# --- the course of the game ---


@pytest.mark.parametrize(("players", "removed"), [(2, 24), (3, 12), (4, 0)])
def test_the_length_of_a_game(players: int, removed: int) -> None:
    """Twelve turns each; the bag is dry then, and two tiles are left in the market."""
    for seed in range(3):
        path = walk(garden_ai.load("under_the_leaves", players), seed, policy=seed == 1)
        game = path.states[0].game
        kinds = Counter(game.step(state, action)[0] for state, action in zip(path.states[:-1], path.ids, strict=True))
        del kinds["choose"]
        assert kinds == {"cards": 1, "starts": 1, "first": 1, "draw": 12 * players + 2, "place": 12 * players}
        end = path.states[-1].view(ALL)
        assert (end["phase"], end["bag"], len(end["market"])) == ("over", 0, 2)
        laid = [tile for fields in end["gardens"] for tile in codes_in(game, fields)]
        assert len(laid) == 13 * players
        assert 50 - len({*laid, *end["market"]} - {*game.starting_tiles}) == removed


def test_the_market_is_filled_up_after_each_turn() -> None:
    for state, following in pairwise(walk(load(), 5).states):
        one, other = state.view(ALL), following.view(ALL)
        assert len(one["market"]) == 3 or one["phase"] != "place"
        if one["phase"] == "draw":
            assert other["bag"] == one["bag"] - 1
            assert len(other["market"]) == len(one["market"]) + 1
            assert set(one["market"]) < set(other["market"])
        elif one["phase"] == "place":
            assert len(other["market"]) == 2
            assert other["bag"] == one["bag"]
            assert other["phase"] in ("draw", "choose") or one["bag"] == 0


@pytest.mark.parametrize("first", [0, 1, 2])
def test_players_take_turns(first: int) -> None:
    states = walk(load(3, "flirty friendly collector", first=first), 4).states
    movers = [state.actor for state in states if state.game.phase(state) == "place"]
    assert movers == [(first + turn) % 3 for turn in range(36)]
    # who lays a tile decides about its dwellers
    for state, following in pairwise(states):
        if following.game.phase(following) == "choose":
            assert following.actor == state.actor
    assert any(state.game.phase(state) == "choose" for state in states)


def test_chance_before_the_first_turn() -> None:
    """The cards, the starting tiles, who begins, the market; what an option or the components settle is not drawn."""
    game = garden_ai.load("under_the_leaves", 3)
    state = game.start()
    for phase, count in (("cards", 64), ("starts", 24), ("first", 3), ("draw", 50), ("draw", 49), ("draw", 48)):
        outcomes, probabilities = state.outcomes()
        assert (game.phase(state), len(outcomes)) == (phase, count)
        assert probabilities.tolist() == pytest.approx([1 / count] * count)
        state.apply(int(outcomes[count // 2]))
    assert game.phase(state) == "place"
    one_open = garden_ai.load("under_the_leaves", 2, leaf="runner", mushroom="host")
    assert sorted(possible(one_open.start())) == sorted(f"cards runner {name} host" for name in CARDS["puddle"])
    closed = load(first=1)
    assert closed.phase(closed.start()) == "starts"
    state = play(closed.start(), "starts ~YOP* ~KPY*")
    assert closed.phase(state) == "draw"
    assert (state.view(ALL)["turn"], closed.start(seed=5).actor) == (1, 1)
    assert [fields["rows"][0] for fields in state.view(ALL)["gardens"]] == ["~ Y", "~ K"]


def test_cards_that_a_component_file_leaves_out_are_not_drawn() -> None:
    own = read_components(DEFINITION).data
    cards = {"leaf": ["runner", "flirty"], "puddle": ["shy"], "mushroom": ["host", "loner"]}
    game = DEFINITION.load(2, {}, {**own, "cards": {**own["cards"], **cards}})
    assert {tuple(move.split()[1:]) for move in possible(game.start())} == {
        (leaf, "shy", mushroom) for leaf in ("runner", "flirty") for mushroom in ("host", "loner")
    }


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 6, -1])
def test_chance_draws_evenly(number: int) -> None:
    """Cards, starting tiles, who begins, the first two tiles, one after a turn, and the last one."""
    states = walk(garden_ai.load("under_the_leaves", 4), 3).states
    state = [state for state in states if state.actor == CHANCE][number]
    outcomes = state.outcomes()[0].tolist()
    seen = frequencies(state.copy().draw(seed) for seed in range(2000))
    assert goodness(seen, dict.fromkeys(outcomes, 1 / len(outcomes))) > ALPHA


def test_every_tile_that_nobody_has_seen_may_be_drawn() -> None:
    """Those that were removed are not known."""
    for state in walk(load(3), 2).states:
        if state.game.phase(state) == "draw":
            view = state.view(ALL)
            laid = {code for fields in view["gardens"] for code in codes_in(state.game, fields)}
            unseen = set(state.game.garden_tiles) - laid - set(view["market"])
            assert {move.removeprefix("draw ") for move in possible(state)} == unseen


def test_nothing_is_hidden() -> None:
    game = load(4)
    assert not game.hidden
    for state in walk(game, 1).states[::9]:
        assert len({plain(state.view(observer)) for observer in (ALL, PUBLIC, *range(4))}) == 1
        assert state.redeal(2, 5) == state


# --- the end ---


def one_turn_each(folder: Path, last: str, **changes: Any) -> State:
    """Player 0 has brought a host on the only turn, and player 1 lays this."""
    game = load(2, "host", components=component_file("under_the_leaves", folder, turns=1), **changes)
    state = play(
        game.start(), "starts ~KPY* ~OYK*", "first 0", "draw Y*PKK", "draw K*OYY", "draw ~OKK", "PK/Y*K n13", "draw ~KGG"
    )
    assert [figures["majorities"] for figures in state.components()] == [0, 0]
    return play(state, last)


def figures(state: State, player: int) -> dict[str, float]:
    return {name: value for name, value in state.components()[player].items() if value}


def test_most_dwellers_of_a_family_bring_two_more(tmp_path: Path) -> None:
    state = one_turn_each(tmp_path, "K*O/YY n13")
    assert state.actor == TERMINAL
    assert (figures(state, 0), figures(state, 1)) == ({"mushroom": 1, "majorities": 2}, {})
    assert (state.scores(), state.placing()) == ([3, 0], [1, 2])
    assert len(state.view(ALL)["market"]) == 2


def test_all_who_tie_for_most_dwellers_have_two_more(tmp_path: Path) -> None:
    state = one_turn_each(tmp_path, "YY/K*O n13")
    assert figures(state, 0) == figures(state, 1) == {"mushroom": 1, "majorities": 2}
    assert (state.scores(), state.placing(), state.wins()) == ([3, 3], [1, 1], [0.5, 0.5])


def test_where_nobody_has_any_the_option_decides(tmp_path: Path) -> None:
    """Leaf and puddle dwellers have not come to anybody."""
    state = one_turn_each(tmp_path, "K*O/YY n13", majority_of_none=True)
    assert (figures(state, 0), figures(state, 1)) == ({"mushroom": 1, "majorities": 6}, {"majorities": 4})


@pytest.mark.parametrize("majority_of_none", [False, True])
def test_majorities_of_whole_games(majority_of_none: bool) -> None:
    ties = 0
    for seed in range(40):
        game = garden_ai.load("under_the_leaves", 2 + seed % 3, majority_of_none=majority_of_none)
        before_end, end = walk(game, seed, policy=seed % 4 > 0).states[-2:]
        assert all(player["majorities"] == 0 for player in before_end.components())
        wanted = [0] * game.players
        for family in FAMILIES:
            counts = [player[family] for player in end.components()]
            ties += counts.count(max(counts)) > 1
            for player, count in enumerate(counts):
                wanted[player] += 2 * (count == max(counts) and (count > 0 or majority_of_none))
        assert [player["majorities"] for player in end.components()] == wanted
    assert ties > 10


# Three bees and no hummingbird; the same on other tiles; two bees and a hummingbird; two bees and a leaf dweller.
THREE_BEES = ("~ O O O", "Y K*K P*", "Y G G*P", "Y K*K P")
OTHER_THREE = ("~ K K K", "P Y*Y G*", "P O O G", "P Y*Y*G")
WITH_A_BIRD = ("~ K Y O", "P Y*G*O", "O K K O", "G*K K ~")
WITH_A_LEAF = ("~ K O*Y", "P Y*P Y", "O K K Y", "G*K K O*")


def facing(game: Game, *gardens: dict[str, Any], **fields: Any) -> State:
    """Player 0 is to move; the market has some tiles that lie in no garden."""
    laid = {code for each in gardens for code in codes_in(game, each)}
    market = [code for code in game.garden_tiles if code not in laid][:game.market_size]
    cards = {family: game.options[family] for family in FAMILIES}
    return game.build({"to_move": 0, "cards": cards, "market": market, "gardens": list(gardens), **fields})


@pytest.mark.parametrize(("one", "other", "expected"), [
    pytest.param(garden("m13", *THREE_BEES), garden("m13", *WITH_A_BIRD), [2, 1], id="hummingbirds"),
    pytest.param(garden("m13", *WITH_A_BIRD), garden("m13", *THREE_BEES), [1, 2], id="hummingbirds of the other"),
    pytest.param(garden("m13", *THREE_BEES), garden("m13", *WITH_A_LEAF, leaf=["m14ne"]), [1, 2], id="bees"),
    pytest.param(garden("m13", *OTHER_THREE), garden("m13", *THREE_BEES), [1, 1], id="nothing"),
])
def test_ties_are_broken_by_hummingbirds_then_by_bees(one: dict[str, Any], other: dict[str, Any], expected: list[int]) -> None:
    state = facing(load(cards="thoughtful explorer" if other["leaf"] else "restless explorer"), one, other)
    assert state.scores() == [3, 3]
    assert state.placing() == expected
    assert state.wins() == [1 / 2, 1 / 2] if expected == [1, 1] else [float(place == 1) for place in expected]


def test_points_come_before_hummingbirds() -> None:
    state = facing(load(cards="collector"), garden("m13", *THREE_BEES, mushroom=["n14nw"]), garden("m13", *WITH_A_BIRD))
    assert (state.scores(), state.placing(), state.wins()) == ([4, 3], [1, 2], [1, 0])


# --- invariants ---


def assert_sound_garden(fields: dict[str, Any], points: dict[str, float], cards: dict[str, str]) -> None:
    laid = laid_out(fields["corner"], fields["rows"])
    ripe = {reference.cell_name(min(area)) for area in laid.areas if len(area) >= 3}
    assert set(fields["bees"]) == ripe
    assert all(count >= 1 for count in fields["bees"].values())
    assert fields["hummingbirds"] == {reference.spot_name(spot): count for spot, count in laid.hummingbirds.items()}
    assert points["bees"] == sum(fields["bees"].values())
    assert points["hummingbirds"] == sum(fields["hummingbirds"].values())
    for family in FAMILIES:
        assert points[family] == len(fields[family])
        if cards[family] not in (*reference.AREAS, *reference.POOLS):
            assert len(set(fields[family])) == len(fields[family])
    names = {reference.cell_name(cell): cell for cell in laid.board}
    for name in fields["leaf"]:
        if cards["leaf"] in reference.SQUARES:
            assert laid.fulfils(cards["leaf"], names[name])
    if cards["leaf"] in reference.SQUARES:
        used = [cell for name in fields["leaf"] for cell in reference.square(names[name])]
        assert len(set(used)) == len(used)
    assert all(laid.is_puddle(names[name]) == (cards["puddle"] != "skipper") for name in fields["puddle"])
    assert cards["mushroom"] == "host" or all(laid.has_mushroom(names[name]) for name in fields["mushroom"])


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", [{}, {"allow_flip": False, "majority_of_none": True}], ids=str)
def test_invariants_of_games(players: int, options: dict[str, Any]) -> None:
    for seed in range(6):
        game = garden_ai.load("under_the_leaves", players, **options)
        for state, following in pairwise(walk(game, seed, policy=seed % 2 == 1).states):
            view, points = following.view(ALL), following.components()
            assert following.scores() == [sum(player.values()) for player in points]
            laid = [code for fields in view["gardens"] for code in codes_in(game, fields)]
            assert len({*laid, *view["market"]}) == len(laid) + len(view["market"])
            assert view["bag"] + len(view["market"]) + len(laid) - (players if laid else 0) == 12 * players + 2
            if view["phase"] == "draw":
                assert len(following.outcomes()[0]) + len(view["market"]) + len(laid) - players == 50
            for player, fields in enumerate(view["gardens"]):
                assert_sound_garden(fields, points[player], view["cards"])
            # what has come stays
            for old, new in zip(state.view(ALL)["gardens"], view["gardens"], strict=False):
                one, other = (laid_out(fields["corner"], fields["rows"]).board for fields in (old, new))
                assert one.items() <= other.items()
            for old, new in zip(state.components(), points, strict=True):
                assert all(old[name] <= new[name] for name in old)


# --- sanity figures of an independent simulation ---


@pytest.mark.parametrize("players", [2, 3, 4])
def test_points_of_random_play(players: int) -> None:
    _, scores = mean_result(garden_ai.load("under_the_leaves", players).start(), 6000, 1, policy=False)
    assert len(scores) == players
    assert all(7.2 < score < 8.6 for score in scores)


def test_points_and_moves_of_play_one_move_ahead() -> None:
    points, moves = [], []
    for seed in range(12):
        state = garden_ai.load("under_the_leaves", 2).start(seed)
        dice = random.Random(seed)
        while state.actor != TERMINAL:
            if state.actor == CHANCE:
                state.draw(dice.getrandbits(40))
                continue
            if state.game.phase(state) == "place":
                moves.append(len(state.legal_actions()))
            state.apply(most_points_at_once(state, dice))
        points += state.scores()
    assert 38 < sum(points) / len(points) < 44
    assert 230 < sum(moves) / len(moves) < 290
    assert max(moves) < 580


# --- positions ---


MINE = garden("m13", *WITH_A_LEAF, leaf=["m14ne"])
ITS = garden("m13", *THREE_BEES)
MARKET = ["P*KYY", "~OKK", "~KGG"]


def base(mine: dict[str, Any] | None = None, its: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """A whole position, with some fields changed, of the gardens too; None leaves one out."""
    gardens = [without_none({**MINE, "hummingbirds": {}, **(mine or {})}),
               without_none({**ITS, "hummingbirds": {}, **(its or {})})]
    return without_none({
        "to_move": 0, "phase": "place", "turn": 0, "first": 0,
        "cards": {"leaf": "thoughtful", "puddle": "diver", "mushroom": "host"},
        "market": MARKET, "bag": 17, "gardens": gardens, **changes,
    })


def without_none(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def open_game(**options: Any) -> Game:
    return garden_ai.load("under_the_leaves", 2, **options)


def rows_with(number: int, row: Any) -> list[Any]:
    """The rows of player 0 with one changed."""
    return [*MINE["rows"][:number], row, *MINE["rows"][number + 1:]]


def test_what_follows_from_the_rest_may_be_left_out() -> None:
    game = open_game()
    state = game.build(base())
    assert (state.actor, state.scores()) == (0, [3, 3])
    for names in (["phase"], ["turn"], ["to_move"], ["first"], ["bag"], ["phase", "first", "bag", "turn"], ["first", "to_move"]):
        assert game.build(base(**dict.fromkeys(names))) == state
    assert game.build(base(mine={"hummingbirds": None}, its={"hummingbirds": None})) == state
    closed = load(cards="thoughtful diver host")
    assert closed.build(base(cards=None)).view(ALL) == state.view(ALL)


def turned_over(code: str) -> str:
    """A tile's code with its right cells on the left, in two rows."""
    cells = cells_of(code)
    return f"{cells[1]}{cells[0]}/{cells[3]}{cells[2]}".lower()


def test_a_position_may_be_written_in_other_ways() -> None:
    game = open_game()
    state = game.build(base())
    others: list[dict[str, Any]] = [
        base(mine={"rows": [row.replace(" ", "").lower() for row in MINE["rows"]]}),
        base(mine={"rows": [row + "  " for row in MINE["rows"]]}),
        base(its={"bees": {"n13nw": 1, "m14sw": 1, "n14se": 1}}),
        base(market=MARKET[::-1]),
        base(market=[turned_over(code) for code in MARKET]),
        base(mine={"corner": "l12", "rows": [". . " * 3, ". . " * 3, *(f". . {row}" for row in MINE["rows"])]}),
    ]
    for fields in others:
        assert game.build(fields) == state
    # bees on several cells of an area add up
    two = load(cards="")
    fields = garden("m13", *TWO_PINK, leaf=["o15nw"])
    spread = {**fields, "bees": {"m14ne": 1, "n14sw": 1, "p15ne": 1}, "leaf": ["p15nw"]}
    whole = {**fields, "bees": {"m14ne": 2, "o15nw": 1}}
    assert before(two, spread, "KK/~G n15") == before(two, whole, "KK/~G n15")


def gardens_of(count: int) -> list[dict[str, Any]]:
    return base()["gardens"][:count]


BROKEN: list[tuple[str, Any, str]] = [
    ("nothing", None, ""),
    ("a list", [], ""),
    ("an unknown field", base(weather="fine"), "weather"),
    ("no cards", base(cards=None), "cards"),
    ("cards that are text", base(cards="thoughtful"), "cards"),
    ("a family without a card", base(cards={"leaf": "thoughtful", "puddle": "diver"}), "cards.mushroom"),
    ("an unknown card", base(cards={"leaf": "lazy", "puddle": "diver", "mushroom": "host"}), "cards.leaf"),
    ("a card of another family", base(cards={"leaf": "host", "puddle": "diver", "mushroom": "host"}), "cards.leaf"),
    ("a market that is text", base(market="P*KYY"), "market"),
    ("a market of two", base(market=MARKET[:2]), "market"),
    ("a market of four", base(market=[*MARKET, "~YPP"]), "market"),
    ("no market", base(market=None), "market"),
    ("an unknown tile in the market", base(market=["P*KYY", "~OKK", "~KKK"]), "market[2]"),
    ("a number in the market", base(market=["P*KYY", "~OKK", 4]), "market[2]"),
    ("a tile twice in the market", base(market=["P*KYY", "~OKK", "~OKK"]), "market[2]"),
    ("a tile in the market and in a garden", base(market=["P*KYY", "~OKK", "O*PYY"]), "market[2]"),
    ("another bag", base(bag=18), "bag"),
    ("a bag that is text", base(bag="17"), "bag"),
    ("nobody of that seat", base(to_move=2), "to_move"),
    ("a seat that is true", base(to_move=True), "to_move"),
    ("another's turn", base(to_move=1), "to_move"),
    ("a turn of nobody", base(turn=2), "turn"),
    ("a turn that is not his", base(turn=1, to_move=None), "turn"),
    ("another first player", base(first=1), "turn"),
    ("an unknown phase", base(phase="winter"), "phase"),
    ("over too early", base(phase="over", to_move=None, turn=None, first=None), "phase"),
    ("chance to move with a full market", base(to_move=CHANCE), "to_move"),
    ("cards yet to be drawn", base(phase="cards", to_move=None), "phase"),
    ("a draw with a full market", base(phase="draw", to_move=None), "market"),
    ("nothing to choose", base(phase="choose", to_move=1, turn=1, last="n14", market=MARKET[:2], bag=18), "phase"),
    ("no last tile", base(phase="choose", to_move=1, turn=1, market=MARKET[:2], bag=18), "last"),
    ("a last tile where none lies", base(phase="choose", to_move=1, turn=1, last="o14", market=MARKET[:2], bag=18), "last"),
    ("the starting tile as the last", base(phase="choose", to_move=1, turn=1, last="m13", market=MARKET[:2], bag=18), "last"),
    ("a last tile at no spot", base(phase="choose", to_move=1, turn=1, last="m99", market=MARKET[:2], bag=18), "last"),
    ("a last tile in another phase", base(last="n14"), "last"),
    ("gardens that are text", base(gardens="~KPY*"), "gardens"),
    ("one garden", base(gardens=gardens_of(1)), "gardens"),
    ("three gardens", base(gardens=[*gardens_of(2), MINE]), "gardens"),
    ("a garden that is text", base(gardens=[*gardens_of(1), "m13"]), "gardens[1]"),
    ("a garden with more tiles", base(its={"rows": ["~ O O O", "Y K*K P*"], "bees": {"m13ne": 1}}, bag=None), "gardens"),
    ("an unknown field of a garden", base(its={"age": 3}), "gardens[1].age"),
    ("no corner", base(mine={"corner": None}), "gardens[0].corner"),
    ("a corner that is a number", base(mine={"corner": 13}), "gardens[0].corner"),
    ("a corner off the grid", base(mine={"corner": "z13"}), "gardens[0].corner"),
    ("the starting tile elsewhere", base(mine={"corner": "l13"}), "gardens[0].rows"),
    ("a start that lies another way", base(mine={"rows": ["K ~ O*Y", "Y*P P Y", *MINE["rows"][2:]]}), "gardens[0].rows"),
    ("no rows", base(mine={"rows": None}), "gardens[0].rows"),
    ("rows that are text", base(mine={"rows": "~K"}), "gardens[0].rows"),
    ("an odd number of rows", base(mine={"rows": MINE["rows"][:3]}), "gardens[0].rows"),
    ("a row that is a number", base(mine={"rows": rows_with(3, 5)}), "gardens[0].rows[3]"),
    ("a row too short", base(mine={"rows": rows_with(3, "G*K K")}), "gardens[0].rows[3]"),
    ("an unknown cell", base(mine={"rows": rows_with(3, "G*K K X")}), "gardens[0].rows[3]"),
    ("a star on nothing", base(mine={"rows": rows_with(3, "*G*K K O*")}), "gardens[0].rows[3]"),
    ("a star on a puddle", base(mine={"rows": rows_with(0, "~*K O*Y")}), "gardens[0].rows[0]"),
    ("a tile that is none", base(mine={"rows": rows_with(3, "G*K K Y")}), "gardens[0].rows"),
    ("a missing mushroom", base(mine={"rows": rows_with(3, "G*K K O")}), "gardens[0].rows"),
    ("a tile half there", base(mine={"rows": rows_with(3, "G*K K .")}), "gardens[0].rows"),
    ("a tile of another garden", base(its={"rows": ["~ O O*Y", "Y K*P Y", *ITS["rows"][2:]]}), "gardens[1].rows"),
    ("a tile away from the others", base(mine={"rows": ["~ K . .", "P Y*. .", ". . K Y", ". . K O*"], "leaf": [], "bees": {}}),
     "gardens[0].rows"),
    ("bees that are a list", base(mine={"bees": ["m14ne"]}), "gardens[0].bees"),
    ("bees nowhere", base(mine={"bees": {"m14ne": 1, "n13ne": 1, "q13nw": 1}}), "gardens[0].bees.q13nw"),
    ("bees at no cell", base(mine={"bees": {"m14": 1, "n13ne": 1}}), "gardens[0].bees.m14"),
    ("bees in a small area", base(mine={"bees": {"m14ne": 1, "n13ne": 1, "m13nw": 1}}), "gardens[0].bees.m13nw"),
    ("bees that are text", base(mine={"bees": {"m14ne": "1", "n13ne": 1}}), "gardens[0].bees.m14ne"),
    ("no bee in an area", base(mine={"bees": {"m14ne": 1}}), "gardens[0].bees"),
    ("bees below zero", base(mine={"bees": {"m14ne": -1, "n13ne": 1}}), "gardens[0].bees.m14ne"),
    ("too many bees", base(mine={"bees": {"m14ne": 2, "n13ne": 1}}), "gardens[0].bees"),
    ("a wrong hummingbird", base(mine={"hummingbirds": {"m13": 1}}), "gardens[0].hummingbirds.m13"),
    ("hummingbirds that are a list", base(mine={"hummingbirds": []}), "gardens[0].hummingbirds"),
    ("a missing hummingbird", base(its={"hummingbirds": {"n14": 1}}), "gardens[1].hummingbirds.n14"),
    ("leaf dwellers that are text", base(mine={"leaf": "m14ne"}), "gardens[0].leaf"),
    ("a leaf dweller that is a number", base(mine={"leaf": [4]}), "gardens[0].leaf[0]"),
    ("a leaf dweller off the garden", base(mine={"leaf": ["m14ne", "q14ne"]}), "gardens[0].leaf[1]"),
    ("a leaf dweller on no such square", base(mine={"leaf": ["m14ne", "m13nw"]}), "gardens[0].leaf[1]"),
    ("a leaf dweller twice", base(mine={"leaf": ["m14ne", "m14ne"]}), "gardens[0].leaf[1]"),
    ("a leaf dweller missing", base(mine={"leaf": []}), "gardens[0].leaf"),
    ("a puddle dweller on terrain", base(mine={"puddle": ["m13ne"]}), "gardens[0].puddle[0]"),
    ("a puddle dweller in a single puddle", base(mine={"puddle": ["m13nw"]}), "gardens[0].puddle[0]"),
    ("a mushroom dweller with one mushroom", base(mine={"mushroom": ["m13se"]}), "gardens[0].mushroom[0]"),
]


def test_bees_that_must_have_come_are_missed() -> None:
    """The second pollinated area of a colour brought one to the first."""
    game = open_game()
    two = garden("m13", *TWO_PINK, leaf=["o15nw"])
    assert sorted(two["bees"].values()) == [1, 2]
    assert before(load(cards=""), two, "KK/~G n15").components()[0]["bees"] == 3
    error = refusal(game, base(mine={**two, "bees": dict.fromkeys(two["bees"], 1), "leaf": []}))
    assert error.path == "gardens[0].bees"


@pytest.mark.parametrize(("fields", "path"), [pytest.param(*case[1:], id=case[0]) for case in BROKEN])
def test_broken_positions_are_refused_by_their_place(fields: Any, path: str) -> None:
    assert refusal(open_game(), fields).path == path


# Of each card something earned, the cells on which its only dweller may be written, and one where none can be.
EARNED = [
    ("thoughtful", garden("m13", "~ K . .", "P Y*. .", "O K K O*", "G*K K Y"), ["m14ne"], "m13nw"),
    ("restless", garden("m13", "~ K . .", "P Y*. .", "O K K O*", "G*K K Y", "Y K*. .", "Y O . ."), ["m14ne", "m14se"], "m15nw"),
    ("flirty", garden("l13", "K G*~ K", "K O P Y*"), ["l13ne"], "m13nw"),
    ("runner", garden("m13", "~ K . .", "P Y*. .", "G*O O*Y", "K K K K"), ["m14sw", "n14se"], "m14nw"),
    ("diver", garden("l13", "G ~ ~ K", "K K P Y*"), ["l13ne", "m13nw"], "m13ne"),
    ("skipper", garden("m13", "~ K ~ P", "P Y*K P"), ["m13ne"], "n13ne"),
    ("friendly", garden("l12", "K K . .", "O ~ . .", "G G ~ K", "P*O P Y*"), ["m13nw", "l12se"], "m13ne"),
    ("shy", garden("l12", "K K Y Y", "O G*K*G", "G G ~ K", "P*O P Y*"), ["m13nw"], "m13se"),
    ("host", garden("m13", "~ K P K", "P Y*Y*K"), ["m13se", "n13sw"], "m13sw"),
    ("explorer", garden("m13", "~ K P P K K O O", "P Y*~ K G*Y P*K"), ["o13sw"], "p13sw"),
    ("collector", garden("m13", "~ K . .", "P Y*. .", "O O K*G", "~ G O O"), ["m13se", "n14nw"], "m13nw"),
    ("loner diver", garden("m13", "~ K P P", "P Y*~ K", "G G O O", "K O*~ Y"), ["m13se"], "m14se"),
]


@pytest.mark.parametrize(("cards", "mine", "cells", "wrong"), [pytest.param(*case, id=case[0]) for case in EARNED])
def test_what_is_earned_is_there_and_nothing_else(cards: str, mine: dict[str, Any], cells: list[str], wrong: str) -> None:
    game = load(cards=cards)
    family = next(family for family in FAMILIES if cards.split()[0] in CARDS[family])
    move = next(code for code in game.garden_tiles if code not in codes_in(game, mine))
    for cell in cells:
        assert before(game, {**mine, family: [cell]}, move).components()[0][family] == 1
    # none; elsewhere; one more; and two for the same, which they cannot both have been drawn by
    for dwellers in ([], [wrong], [cells[0], wrong], [cells[0], cells[-1]]):
        with pytest.raises(FieldError) as error:
            before(game, {**mine, family: dwellers}, move)
        assert error.value.path.startswith(f"gardens[0].{family}")


def test_a_decision_is_written_with_the_tile_that_asks_for_it() -> None:
    """Two squares that overlap are open then; a tile that is no part of both cannot have completed them."""
    laid = turn("thoughtful", garden("m13", "~ K . .", "P Y*. .", "O K . .", "G*K . .", "Y K*K*O", "Y O G O"), "KO*/KY n14")
    game, view = laid.last.game, laid.last.view(ALL)
    assert game.build(view) == laid.last
    follows = ("phase", "turn", "first", "to_move", "bag")
    assert game.build({name: value for name, value in view.items() if name not in follows}) == laid.last
    for last, path in (("n15", "gardens[0].leaf"), ("m15", "gardens[0].leaf"), ("m13", "last"), (None, "last"), (14, "last")):
        assert refusal(game, {**view, "last": last}).path == path
    # in another phase nothing may be open
    later = laid.then("leaf m14ne", possible(laid.then("leaf m14ne").last)[0]).last.view(ALL)
    assert refusal(game, {**later, "gardens": view["gardens"]}).path == "gardens[0].leaf"


# --- property tests ---


@cache
def positions() -> list[tuple[Game, dict[str, Any]]]:
    """Views of games of all kinds, with all that may stand in one."""
    found = []
    for number in range(12):
        cards = {family: CARDS[family][(number + i) % 4] for i, family in enumerate(FAMILIES)} if number % 3 else {}
        more = {"first": 1} if number % 4 == 3 else {"allow_flip": False} if number % 4 == 2 else {}
        game = garden_ai.load("under_the_leaves", 2 + number % 3, **cards, **more)
        states = walk(game, number, policy=True).states
        chosen_states = [state for state in states if game.phase(state) == "choose"]
        found += [(game, state.view(ALL)) for state in [*states[:7], *states[7::len(states) // 10], *chosen_states, states[-1]]]
    return found


VALUES = [
    None, True, False, -1, -2, 0, 1, 2, 3, 12, 2**40, 0.5, "", "m13", "n13", "l12", "m13nw", "n13se", "G*OKK", "~KGG", "K Y",
    "thoughtful", "host", "place", "over", "draw", "choose", "first", [], ["m13nw"], [[], []], {}, {"m13nw": 1}, {"m13": 1},
    ["~ K", "P Y*"], {"corner": "m13", "rows": ["~ K", "P Y*"]},
]


def assert_sound(game: Game, state: State) -> None:
    """A state like any other: what it says is true, it can be written and read again, and it plays to its end."""
    view, points = state.view(ALL), state.components()
    assert game.build(view) == state
    assert plain(game.build(view).view(ALL)) == plain(view)
    for player, fields in enumerate(view["gardens"]):
        assert_sound_garden(fields, points[player], view["cards"])
    play_on(state, random.Random(1))
    end = state.view(ALL)
    assert (end["bag"], len(end["market"])) == (0, 2)
    for player, fields in enumerate(end["gardens"]):
        assert len(codes_in(game, fields)) == 13
        assert_sound_garden(fields, state.components()[player], end["cards"])


@given(mutated(positions, VALUES, "KYOPG.~* nsewml1345x", ["m13nw", "n14se", "m14", "last"]))
@searching(1000)
def test_a_changed_position_is_refused_by_its_place_or_sound(case: tuple[Game, Any]) -> None:
    check_refused_or_sound(case, assert_sound)


def test_positions_of_games_lose_nothing() -> None:
    """Nor without all that follows from the rest."""
    for game, view in positions():
        state = game.build(view)
        assert plain(state.view(ALL)) == plain(view)
        if view["phase"] in ("place", "choose"):
            shorter = {name: value for name, value in view.items() if name not in ("phase", "bag", "turn", "first")}
            gardens = [{name: value for name, value in each.items() if name != "hummingbirds"} for each in view["gardens"]]
            assert game.build({**shorter, "gardens": gardens}) == state
