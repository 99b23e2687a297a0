"""Flowerpower's notation: what is printed reads back, what a person may write beside it, and what is answered to the rest."""

import random
from typing import Any

import pytest
from garden_core.state import State
from spoken import Spoken

import garden_ai
from garden_ai import CHANCE, TERMINAL
from garden_ai.games import definition
from garden_ai.games.flowerpower.schema import EXAMPLE
from garden_ai.position import state_of

SPOKEN = Spoken(definition("flowerpower"))
NOTATION = SPOKEN.notation
read, refused = SPOKEN.read, SPOKEN.refused


def example(tile: str = "R/S", **state: Any) -> State:
    """The example of the documentation, with another tile in hand."""
    return state_of({**EXAMPLE, "state": {**EXAMPLE["state"], "tile": tile, **state}})


@pytest.mark.parametrize(
    ("players", "options"), [(2, {}), (2, {"weeds": "none", "tiles": "misprint2001"}), (2, {"weeds": "open"}), (1, {})]
)
def test_everything_possible_prints_and_reads_back(players: int, options: dict[str, Any]) -> None:
    rng = random.Random(players)
    state = garden_ai.load("flowerpower", players, **options).start()
    while state.actor != TERMINAL:
        outcomes = state.outcomes()
        assert outcomes is not None
        ids = (outcomes[0] if state.actor == CHANCE else state.legal_actions()).tolist()
        texts = [NOTATION.format(state, i) for i in ids]
        assert len(set(texts)) == len(ids)
        for i, text in zip(ids, texts, strict=True):
            assert NOTATION.parse(state, text) == i
            assert NOTATION.parse(state, f"  {text.upper()} ") == i
        state.apply(rng.choice(ids))


def test_the_upper_or_left_cell_is_named_first() -> None:
    assert read(example(), "rose/sunflower c7-d7") == "rose/sunflower c7-d7"
    assert read(example(), "sunflower/rose d7-c7") == "rose/sunflower c7-d7"
    assert read(example(), "sunflower/rose c7-d7") == "sunflower/rose c7-d7"
    assert read(example(), "rose/sunflower h8-h7") == "sunflower/rose h7-h8"
    assert read(example(), "weed k15-k14") == "weed k14-k15"


@pytest.mark.parametrize(
    "text", ["r/s c7-d7", "R/S C7-D7", "ros/sunfl c7-d7", "c7-d7 r/s", " rose / sunflower  c7 - d7 ", "s/r d7-c7", "RO/s C7-d7"]
)
def test_short_forms(text: str) -> None:
    assert read(example(), text) == "rose/sunflower c7-d7"


def test_a_letter_means_its_variety_and_a_beginning_the_only_one_that_fits() -> None:
    for tile, text in (("C/N", "c/n"), ("C/N", "cor/ca"), ("Q/B", "q/b"), ("Q/B", "ci/cr"), ("D/F", "d/fan")):
        one, other = (NOTATION.parse(example(tile), f"{text} {cells}") for cells in ("a1-b1", "b1-a1"))
        assert one != other
    assert read(example("C/N"), "c/n a1-b1") == "cornflower/carnation a1-b1"


def test_of_several_that_fit_the_drawn_one_is_meant(tmp_path: Any) -> None:
    own = definition("flowerpower").components_file.read_text(encoding="utf-8")
    file = tmp_path / "other.toml"
    file.write_text(own.replace('"rose"', '"corncockle"'), encoding="utf-8")
    state = garden_ai.load("flowerpower", 2, components=file, first=0).start()
    state.apply(NOTATION.parse(state, "draw cornflower/p"))
    assert read(state, "corn/p a1-b1") == "cornflower/poppy a1-b1"
    other = garden_ai.load("flowerpower", 2, components=file, first=0).start()
    assert refused(other, "draw corn/p") == "'corn' could be corncockle or cornflower"


def test_a_double_has_one_way_round() -> None:
    state = example("R/R")
    texts = [NOTATION.format(state, action) for action in state.legal_actions().tolist()]
    assert [text for text in texts if text.endswith(" a1-b1")] == ["rose/rose a1-b1"]
    assert read(state, "r/r b1-a1") == "rose/rose a1-b1"


def test_chance() -> None:
    state = garden_ai.load("flowerpower", 2).start()
    assert [read(state, f"FIRST {player}") for player in (0, 1)] == ["first 0", "first 1"]
    assert refused(state, "first 2") == "not possible; expected a player of 0..1"
    assert refused(state, "draw r/p") == "expected 'first' and a player, like 'first 1'"
    state.apply(1)
    assert read(state, "draw poppy/rose") == "draw rose/poppy"
    assert read(state, "draw r/r") == "draw rose/rose"
    assert refused(state, "first 1") == "expected 'draw' and the two flowers of a tile, like 'draw rose/poppy'"
    assert refused(state, "draw r") == refused(state, "draw") == refused(state, "first 1")
    misprint = garden_ai.load("flowerpower", 1, tiles="misprint2001").start()
    assert refused(misprint, "draw q/q") == (
        "not possible; no such tile is left in the bag, as the position tells or assumes it (its field unseen settles it)"
    )


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", "expected two flowers and two cells, like 'rose/poppy d4-e4', or 'weed' and two cells, like 'weed k10-k11'"),
        ("rose c7-d7", "expected two flowers and two cells"),
        ("rose/sunflower", "expected two flowers and two cells"),
        ("rose/sunflower c7", "expected two flowers and two cells"),
        ("rose/sunflower/daisy c7-d7", "expected two flowers and two cells"),
        ("rose/sunflower c7-d7 e7", "expected two flowers and two cells"),
        ("rose/sunflower c٣-d7", "expected two flowers and two cells"),
        ("tulip/sunflower c7-d7", "'tulip' is no flower; expected a letter of RPCQBSANDF or one of rose, poppy, cornflower"),
        ("/sunflower c7-d7", "'' is no flower"),
        ("ca/co c7-d7", "not possible; the tile drawn is rose/sunflower"),
        ("rose/poppy c7-d7", "not possible; the tile drawn is rose/sunflower"),
        ("rose/rose c7-d7", "not possible; the tile drawn is rose/sunflower"),
        ("rose/sunflower c7-e7", "not possible; expected two cells side by side"),
        ("rose/sunflower c7-c7", "not possible; expected two cells side by side"),
        ("rose/sunflower c7-d8", "not possible; expected two cells side by side"),
        ("rose/sunflower n1-o1", "expected cells a1 to n15; got o1"),
        ("rose/sunflower a15-a16", "expected cells a1 to n15; got a16"),
        ("rose/sunflower d7-d8", "not possible; d8 is not empty"),
        ("rose/sunflower f4-g4", "not possible; g4 is not empty"),
        ("rose/sunflower a9-a10", "not possible; rows 10 to 15 are the side of player 1, where only a weed may lie"),
        ("weed a9-a10", "not possible; a weed lies wholly in the side of player 1, rows 10 to 15"),
        ("weed a1-b1", "not possible; a weed lies wholly in the side of player 1, rows 10 to 15"),
        ("weed f13-f14", "not possible; f13 is not empty"),
        ("draw rose/poppy", "expected two flowers and two cells"),
    ],
)
def test_mistakes_are_told_in_one_line(text: str, answer: str) -> None:
    assert refused(example(), text).startswith(answer)


def test_weeds_that_cannot_be_laid() -> None:
    rows = [*EXAMPLE["state"]["rows"][:13], "######........", ".............."]
    weeds = [[{"at": at} for at in ("a14-b14", "c14-d14", "e14-f14")], [{"at": "g4-h4"}]]
    rows[12] = ".......Q......"
    assert refused(example(rows=rows, weeds=weeds), "weed a15-b15") == "not possible; player 0 has laid all of his 3 weeds"
    for state in (garden_ai.load("flowerpower", 2, weeds="none").start(1), garden_ai.load("flowerpower", 1).start(1)):
        assert refused(state, "weed a15-b15") == "not possible; this game has no weeds"


def test_nothing_is_a_move_once_the_game_is_over() -> None:
    state = SPOKEN.over(1)
    assert refused(state, "rose/poppy a1-b1") == "expected nothing: the game is over"
