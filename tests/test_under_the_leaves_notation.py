"""Under the Leaves' notation: what is printed reads back, what a person may write beside it, and what the rest is answered."""

import random
from pathlib import Path
from typing import Any

import pytest
from garden_core.state import State
from spoken import Spoken

import garden_ai
from garden_ai import CHANCE, TERMINAL
from garden_ai.games import definition
from garden_ai.games.under_the_leaves.gardens import cell_at, cell_name, spot_at, spot_name
from garden_ai.games.under_the_leaves.schema import EXAMPLE
from garden_ai.position import state_of

GAME = definition("under_the_leaves")
NOTATION = GAME.notation
SPOKEN = Spoken(GAME)
read, refused, after = SPOKEN.read, SPOKEN.refused, SPOKEN.after
# Player 1 has just laid P*OGG on n12, so that two of his mushrooms touch diagonally.
CHOOSING = {
    **EXAMPLE,
    "to_move": 1,
    "state": {
        "phase": "choose",
        "last": "n12",
        "cards": {"leaf": "thoughtful", "puddle": "diver", "mushroom": "collector"},
        "market": ["~YOO", "~YGG"],
        "gardens": [
            {"corner": "m13", "rows": ["~ K", "P Y*", "~ Y", "O Y"], "bees": {"m13se": 1}},
            {"corner": "m12", "rows": [". . G G", ". . P*O", "~ Y P O*", "O P*K K"]},
        ],
    },
}


def dealt(*draws: str, **options: Any) -> State:
    """A game for two of which player 0 begins, with these tiles in the market."""
    state = garden_ai.load("under_the_leaves", 2, **options).start()
    return after(state, "cards thoughtful diver host", "starts ~KPY* ~OYK*", "first 0", *(f"draw {tile}" for tile in draws))


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {}),
        (2, {"leaf": "flirty", "puddle": "friendly", "mushroom": "collector"}),
        (3, {"allow_flip": False}),
        (4, {"leaf": "thoughtful", "puddle": "shy", "mushroom": "explorer"}),
    ],
)
def test_everything_possible_prints_and_reads_back(players: int, options: dict[str, Any]) -> None:
    rng = random.Random(players)
    chosen = 0
    for _ in range(3):
        state = garden_ai.load("under_the_leaves", players, **options).start()
        while state.actor != TERMINAL:
            outcomes = state.outcomes()
            assert outcomes is not None
            ids = (outcomes[0] if state.actor == CHANCE else state.legal_actions()).tolist()
            texts = [NOTATION.format(state, i) for i in ids]
            assert len(set(texts)) == len(ids)
            chosen += state.game.phase(state) == "choose"
            for i, text in rng.sample([*zip(ids, texts, strict=True)], min(len(ids), 15)):
                assert NOTATION.parse(state, text) == i
                assert NOTATION.parse(state, f"  {text.lower()} ") == i
                if state.game.phase(state) == "place":
                    cells, spot = text.split()
                    assert NOTATION.parse(state, f"{spot} {cells}".upper()) == i
                    assert NOTATION.parse(state, cells.replace("/", "").replace("*", "") + spot) == i
            state.apply(rng.choice(ids))
    assert chosen or options.get("mushroom") != "collector"


def test_spots_and_cells_by_name() -> None:
    assert spot_name((0, 0)) == "m13"
    assert [spot_name(spot) for spot in ((-12, -12), (12, 12), (1, -1))] == ["a1", "y25", "l14"]
    assert [cell_name(cell) for cell in ((0, 0), (0, 1), (1, 0), (1, 1), (-1, -1))] == [
        "m13nw", "m13ne", "m13sw", "m13se", "l12se",
    ]  # fmt: skip
    for row in range(-24, 26):
        for column in range(-24, 26):
            assert cell_at(cell_name((row, column))) == (row, column)
            assert spot_at(spot_name((row // 2, column // 2))) == (row // 2, column // 2)


@pytest.mark.parametrize(
    "text",
    ["OP/K*P m14", "op/kp m14", "opkp m14", "m14 op/k*p", "M14 OPKP", "opk*pm14", " o p / k* p  m 14 ", "m14opkp", "o p k p m14"],
)
def test_forms_of_a_placement(text: str) -> None:
    assert read(state_of(EXAMPLE), text) == "OP/K*P m14"


def test_a_tile_is_known_by_its_cells_however_it_lies() -> None:
    state = state_of(EXAMPLE)
    texts = {NOTATION.format(state, action) for action in state.legal_actions().tolist()}
    for cells in ("K*O/PP", "OK*/PP", "PP/K*O", "PP/OK*", "K*P/OP", "PK*/PO", "OP/K*P", "PO/PK*"):
        assert read(state, f"{cells} n13") == f"{cells} n13"
        assert f"{cells} n13" in texts
    assert len({text for text in texts if text.endswith(" n13")}) == 3 * 8


def test_a_star_that_is_needed_must_be_written(tmp_path: Path) -> None:
    file = tmp_path / "other.toml"
    file.write_text(GAME.components_file.read_text(encoding="utf-8").replace('"O*YKK"', '"O*GKK"'), encoding="utf-8")
    state = dealt("g*okk", "o*gkk", "~kgg", components=file)
    assert read(state, "g*o/kk n13") == "G*O/KK n13"
    assert read(state, "go*/kk n13") == "GO*/KK n13"
    assert refused(state, "go/kk n13") == "could be G*O/KK or GO*/KK; write the * of the mushroom"


def test_chance() -> None:
    state = garden_ai.load("under_the_leaves", 2).start()
    assert read(state, "CARDS Host thoughtful diver") == "cards thoughtful diver host"
    assert refused(state, "cards thoughtful diver").startswith("expected 'cards' and a card of each family")
    assert refused(state, "cards thoughtful runner host") == (
        "expected one leaf card of thoughtful, restless, flirty, runner; got thoughtful and runner"
    )
    assert refused(state, "cards flirty diver bee") == "expected one mushroom card of host, explorer, collector, loner; got none"
    state = after(state, "cards thoughtful diver host")
    assert read(state, "starts ~oyk* ~kpy*") == "starts ~OYK* ~KPY*"
    assert read(state, "starts ~oyk yp~o") == "starts ~OYK* ~YOP*"
    assert refused(state, "starts ~oyk*").startswith("expected 'starts' and the starting tile of each player")
    assert refused(state, "starts ~oyk* ~oyk*") == "not possible; expected a different tile for each player"
    assert refused(state, "starts ~oyk* ~kgg") == "not possible; the starting tiles are ~KPY* ~OYK* ~PKO* ~YOP*"
    assert refused(state, "starts ~oyk* ~kg") == "expected four cells, like '~KPY*'; got '~kg'"
    state = after(state, "starts ~KPY* ~OYK*")
    assert read(state, "First 1") == "first 1"
    assert refused(state, "first 2") == "not possible; expected a player of 0..1"
    assert refused(state, "draw ~kgg") == "expected 'first' and a player, like 'first 1'"
    state = after(state, "first 1")
    for text in ("draw g*okk", "draw KK/OG*", "draw kgko", "DRAW G* O K K"):
        assert read(state, text) == "draw G*OKK"
    assert refused(state, "draw g*ggg") == "not possible; the set has no such tile"
    assert refused(state, "draw") == "expected 'draw' and the four cells of a tile, like 'draw ~KGG'"
    assert refused(state, "~kgg") == refused(state, "draw")
    state = after(state, "draw ~kgg")
    assert refused(state, "draw gg~k") == "not possible; that tile lies in a garden or in the market already"


def test_cards_that_the_options_rule_out() -> None:
    state = garden_ai.load("under_the_leaves", 2, leaf="runner").start()
    assert read(state, "cards runner diver host") == "cards runner diver host"
    assert refused(state, "cards flirty diver host").startswith("not possible; the options of this game say otherwise")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", "expected four cells as they are to lie, row by row, and a spot, like 'G*O/KK l12'"),
        ("op/kp", "expected four cells"),
        ("m14", "expected four cells"),
        ("op/k m14", "expected four cells"),
        ("o/pkp m14", "expected four cells"),
        ("op//kp m14", "expected four cells"),
        ("~*p/kp m14", "expected four cells"),
        ("op/kpo m14", "expected four cells"),
        ("op/kp m14 m14", "expected four cells"),
        ("op/kp m1٤", "expected four cells"),
        ("draw ~kgg", "expected four cells"),
        ("leaf m13se", "expected four cells"),
        ("op/kx m14", "'X' is no terrain; expected a letter of KYOPG, or ~ for a puddle"),
        ("op/kp z14", "expected a spot a1 to y25, at most 12 from the start at m13; got z14"),
        ("op/kp m26", "expected a spot a1 to y25, at most 12 from the start at m13; got m26"),
        ("op/kp m0", "expected a spot a1 to y25, at most 12 from the start at m13; got m0"),
        ("g*o/kk m14", "not possible; the market has O*YKK K*GYY K*OPP"),
        ("o*p/kp m14", "not possible; the market has O*YKK K*GYY K*OPP"),
        ("oo/oo m14", "not possible; the market has O*YKK K*GYY K*OPP"),
        ("p*o/k*p m14", "not possible; the market has O*YKK K*GYY K*OPP"),
        ("pk*/op m14", "not possible; K*OPP cannot lie that way, however it is turned or flipped"),
        ("op/k*p m13", "not possible; m13 is taken"),
        ("op/k*p k14", "not possible; k14 is taken"),
        ("op/k*p n14", "not possible; n14 lies beside no tile of garden 0"),
        ("op/k*p a1", "not possible; a1 lies beside no tile of garden 0"),
    ],
)
def test_mistakes_are_told_in_one_line(text: str, answer: str) -> None:
    assert refused(state_of(EXAMPLE), text).startswith(answer)


def test_without_flipping_a_tile_lies_in_four_ways() -> None:
    state = state_of({**EXAMPLE, "options": {"allow_flip": False}, "state": without_flips()})
    assert read(state, "k*o/pp n13") == "K*O/PP n13"
    assert read(state, "p k* / p o n13") == "PK*/PO n13"
    assert refused(state, "ok*/pp n13") == (
        "not possible; K*OPP cannot lie that way, however it is turned, and tiles are not flipped in this game"
    )


def without_flips() -> dict[str, Any]:
    """A position that can be laid without turning a tile to its back."""
    gardens = [{"corner": "m13", "rows": ["~ K", "P Y*"]}, {"corner": "m13", "rows": ["~ O", "Y K*"]}]
    return {"cards": EXAMPLE["state"]["cards"], "market": EXAMPLE["state"]["market"], "gardens": gardens}


def test_a_choice() -> None:
    state = state_of(CHOOSING)
    texts = [NOTATION.format(state, action) for action in state.legal_actions().tolist()]
    assert sorted(texts) == ["mushroom n12sw", "mushroom n13ne"]
    for text in ("mushroom n12sw", "MUSHROOM N12SW", "n12sw mushroom", "n12sw", "n12 sw", "mushroom n 12 sw"):
        assert read(state, text) == "mushroom n12sw"
    for text in ("mushroom m13se", "m13se", "puddle n12sw", "leaf n12sw"):
        assert refused(state, text) == "not possible; expected one of mushroom n12sw, mushroom n13ne"
    for text in ("", "mushroom", "mushroom n12", "mushroom n12s", "leaf mushroom n12sw", "n12 mushroom sw", "g*o/kk l12"):
        assert refused(state, text) == "expected a family of dwellers and a cell, like 'leaf m13se'"


def test_nothing_is_a_move_once_the_game_is_over() -> None:
    state = SPOKEN.over(2)
    assert refused(state, "op/k*p m14") == "expected nothing: the game is over"
