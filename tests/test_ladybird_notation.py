"""Ladybird's notation: what is printed reads back, what a person may write beside it, what the rest is answered."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from garden_core.state import State
from ladybird_table import example, example_alone
from spoken import Spoken

import garden_ai
from garden_ai import CHANCE, TERMINAL
from garden_ai.games import definition
from garden_ai.games.ladybird.schema import EXAMPLE
from garden_ai.position import state_of

GAME = definition("ladybird")
NOTATION = GAME.notation
SPOKEN = Spoken(GAME)
read, refused, after = SPOKEN.read, SPOKEN.refused, SPOKEN.after
# The phases in which the first word may be left out.
SHORT = ("reveal", "target", "bed", "draft", "place", "card", "feed", "discard")


def possible(state: State) -> list[str]:
    """The moves, as they are printed."""
    return [NOTATION.format(state, action) for action in state.legal_actions().tolist()]


def picnic(**fields: Any) -> State:
    """The example once player 1 has his Picnic."""
    used = {"used": ["shed", "picnic"]}
    hands = [{"count": 4}, ["RED", "PPT", "H", "RLD"], {"count": 3}]
    pool = ["OLD --- OAV", "RLO GES GAD", "OES --- ---"]
    return example(used, ("unlocks",), **{"phase": "feed", "hands": hands, "pool": pool, **fields})


@pytest.mark.parametrize(
    ("players", "options"), [(1, {}), (2, {}), (2, {"life_cycle_regain": True}), (3, {"first": 2}), (4, {})]
)
def test_everything_possible_prints_and_reads_back(players: int, options: dict[str, Any]) -> None:
    rng = random.Random(players)
    phases = set()
    for seed in range(3):
        state = garden_ai.load("ladybird", players, **options).start()
        while state.actor != TERMINAL:
            phase = state.game.phase(state)
            phases.add(phase)
            outcomes = state.outcomes() if state.actor == CHANCE else None
            if state.actor == CHANCE and outcomes is None:
                ids = [state.copy().draw(rng.randrange(1 << 30)) for _ in range(2)]
            else:
                ids = (state.legal_actions() if outcomes is None else outcomes[0]).tolist()
            texts = [NOTATION.format(state, i) for i in ids]
            assert len({text.lower() for text in texts}) == len(set(ids))
            for i, text in rng.sample([*zip(ids, texts, strict=True)], min(len(ids), 6)):
                forms = [text, f"  {text.upper()} ", text.replace(" ", "  ").lower()]
                if phase in SHORT and " " in text:
                    forms.append(text.partition(" ")[2])
                if state.actor == CHANCE:
                    forms.append(text.replace(" ", ", ").replace(",", "", 1))
                for written in forms:
                    assert NOTATION.parse(state, written) == i
            policy = rng.random() < 0.5 and state.actor != CHANCE
            state.apply(state.policy_action(seed) if policy else rng.choice(ids))
    always = {"hands", "pool", "orchard", "stacks", "draw", "reveal", "bed", "draft", "tile", "place", "card", "feed", "discard"}
    assert phases >= always | ({"target"} if players > 1 else set()) | ({"first"} if players > 1 and not options else set())


def dealt() -> State:
    """The first choice of a game for two."""
    state = garden_ai.load("ladybird", 2, first=0).start()
    hands = ("hand 0 BLT GPD PEV H", "hand 1 RED RES PPT H")
    pool = ("pool OES OLS OPS OAS", "pool GES GLS GPS GAS", "pool PES")
    return after(state, *hands, *pool, "orchard red blue red", "tiles S1:1 V2:m V2:m O1:2h", "tiles S2:3 D1:1 T3:5 H3:1h")


def test_the_cards_at_the_start() -> None:
    state = garden_ai.load("ladybird", 2).start()
    for text in ("hand 0 H OPD GAT BLS", "HAND bls, gat, opd, harlequin", "hand 0 blue larva seven-spot green adult T opd h"):
        assert read(state, text) == "hand 0 BLS OPD GAT H"
    assert read(state, "hand red eggs orange REY B eggs twenty two spot blue pupae two spot") == "hand 0 REO REY BEV BPD"
    wrong = "not possible; expected 4 cards of the deck for player 0"
    for text in ("hand 0 BLS GAT OPD", "hand BLS BLS OPD H", "hand 1 BLS GAT OPD H", "hand 0 BLS"):
        assert refused(state, text) == wrong
    usage = "expected 'hand', the player and the cards dealt, like 'hand 0 BLS OPD GAT H'"
    for text in ("", "hand", "hand 0", "BLS GAT OPD H", "hand 0 BLS GAT OPD X", "hand 0 blue larva", "pool BLS GAT OPD H"):
        assert refused(state, text) == usage
    state = after(state, "hand BLS GAT OPD H", "hand 1 RES RLS RPS RAS")
    assert read(state, "pool oes, ols ops oas") == "pool OES OLS OPS OAS"
    assert read(state, "pool OAS OPS OLS OES") == "pool OAS OPS OLS OES"  # in the order of the slots
    assert refused(state, "pool OES OLS OPS BLS") == "not possible; expected 4 cards of the deck, for a1 a2 a3 b1"
    assert refused(state, "pool") == refused(state, "OES OLS OPS OAS") == (
        "expected 'pool' and the cards turned up, like 'pool BLS GAT OPD'"
    )
    state = after(state, "pool OES OLS OPS OAS", "pool GES GLS GPS GAS")
    assert refused(state, "pool OES") == "not possible; expected 1 card of the deck, for c3"
    state = after(state, "pool PES")
    assert read(state, "orchard b RED p") == "orchard blue red purple"
    assert refused(state, "orchard blue red") == "not possible; expected 3 cards of the orchard deck"
    for text in ("orchard", "orchard pink red red", "blue red purple", "card blue"):
        assert refused(state, text) == "expected 'orchard' and the colours of the cards turned up, like 'orchard red'"
    state = after(state, "orchard blue red purple")
    assert read(state, "tiles s1:2H v2:M t3:5 h3:1h") == "tiles S1:2h V2:m T3:5 H3:1h"
    assert refused(state, "tiles T3:5 T3:5 V2:m V2:m") == (
        "not possible; expected 4 tiles that nobody has seen yet, for stacks 1 2 3 4"
    )
    assert refused(state, "tiles S9:9") == refused(state, "tiles") == refused(state, "S1:2h") == (
        "expected 'tiles' and the feeding tiles turned up, like 'tiles S1:2h'"
    )
    state = after(state, "tiles S1:2h V2:m T3:5 H3:1h")
    assert refused(state, "tiles T3:5 V2:m") == "not possible; expected 4 tiles that nobody has seen yet, for stacks 5 6 7 8"
    state = after(state, "tiles S1:1 V3:m D3:5 H3:1h")
    assert read(state, "first player 1") == "first 1"
    assert refused(state, "first 2") == "not possible; expected a player, 0 to 1"
    assert refused(state, "first") == refused(state, "1") == (
        "expected 'first' and the player who gets the Sticky Leaf, like 'first 0'"
    )


def test_a_card_is_revealed() -> None:
    state = dealt()
    assert possible(state) == ["reveal BLT", "reveal GPD", "reveal PEV", "reveal H"]
    for text in ("reveal blt", "BLT", "play BLT", "reveal blue larva transverse"):
        assert read(state, text) == "reveal BLT"
    assert read(state, "harlequin") == "reveal H"
    assert refused(state, "reveal RED") == "not possible; the hand of player 0 has BLT GPD PEV H"
    for text in ("", "reveal", "reveal BLT GPD", "place BLT", "b2", "reveal BXT", "reveal 3"):
        assert refused(state, text) == "expected 'reveal' and a card of the hand, like 'reveal BLS'"


def test_a_harlequin_invades() -> None:
    hands = [{"count": 4}, ["RED", "PPT", "GAO"], {"count": 3}]
    tableaus = copy.deepcopy(EXAMPLE["state"]["tableaus"])
    tableaus[0]["columns"]["green"].remove("GAO")
    tableaus[1]["columns"]["red"].remove("RPO")
    tableaus[2]["columns"]["purple"][-1] = "H"
    state = example(None, ("unlocks",), phase="target", hands=hands, revealed=[None, "H", "GLT"], tableaus=tableaus)
    columns = ["invade 0 red", "invade 0 blue", "invade 0 green", "invade 2 blue", "invade 2 orange"]
    assert possible(state) == columns
    for text in ("invade 0 green", "INVADE 0 G", "0 green", "green", "g", "invade player 0 green", "steal green", "invade g"):
        assert read(state, text) == "invade 0 green"
    assert read(state, "2 b") == "invade 2 blue"
    assert refused(state, "blue") == refused(state, "invade b") == (
        "could be player 0 or 2; expected 'invade', a player and a colour, like 'invade 1 blue'"
    )
    # his own column, none there, a Harlequin on top, nobody's, and no such player
    for text in ("invade 1 red", "invade 0 orange", "invade 2 purple", "purple", "invade 7 red", "invade 0999 red"):
        assert refused(state, text) == f"not possible; the columns that can be invaded: {', '.join(columns)}"
    for text in ("in", "invade the", "", "invade", "invade 0", "invade 0 pink", "invade 0 2 red", "invade x red", "BLT"):
        assert refused(state, text) == "expected 'invade', a player and a colour, like 'invade 1 blue'"


def alone(**fields: Any) -> State:
    """The third round of one who plays alone."""
    tableau = {"columns": {"red": ["RPV", "RAS"], "blue": ["BAY"]}, "used": ["rose"]}
    return example_alone(**{"round": 3, "tableaus": [tableau], "pool": ["OLD RLD OAV", "RLO --- GAD"], **fields})


def test_alone_a_harlequin_replaces() -> None:
    state = alone(phase="target", revealed=["H"])
    assert possible(state) == ["replace red", "replace blue"]
    for text in ("replace blue", "b", "invade blue", "replace 0 blue"):
        assert read(state, text) == "replace blue"
    assert refused(state, "replace green") == "not possible; the columns with cards: replace red, replace blue"
    assert refused(state, "replace") == "expected 'replace' and a colour, like 'replace blue'"
    state = alone(phase="draft", unlocks="any", tableaus=[{"columns": {"red": ["RPV", "RAS"], "blue": ["H"]}, "used": ["rose"]}])
    assert possible(state) == ["take a1", "take a2", "take a3", "take b1", "take b3"]
    assert refused(state, "draw") == (
        "not possible; any card can be taken from the pool: a1 OLD, a2 RLD, a3 OAV, b1 RLO, b3 GAD"
    )


def test_a_flowerbed() -> None:
    state = example({"flowerbeds": []}, phase="bed")
    assert possible(state) == ["bed red", "bed blue", "bed orange", "bed green", "bed purple"]
    for text in ("bed blue", "BED B", "blue", "b", "flowerbed blue"):
        assert read(state, text) == "bed blue"
    for text in ("", "bed", "bed pink", "bed red blue", "bed 1"):
        assert refused(state, text) == "expected 'bed' and a colour, like 'bed blue'"
    columns = {**EXAMPLE["state"]["tableaus"][1]["columns"], "green": ["GET", "GLT"], "purple": ["PLS", "PAT"]}
    second = example({"columns": columns}, phase="bed", unlocks="pupa", revealed=[None, None, "GAT"])
    assert refused(second, "red") == (
        "not possible; colours without a flowerbed: bed blue, bed orange, bed green, bed purple"
    )


def test_a_card_is_drafted() -> None:
    state = state_of(EXAMPLE)
    assert possible(state) == ["take a1", "take a2", "take b1"]
    for text in ("take a2", "TAKE A2", "a2", "take a 2", "draft a2", "RLD", "take rld", "take red larva two-spot"):
        assert read(state, text) == "take a2"
    assert refused(state, "take b2") == "not possible; b2 is empty"
    assert refused(state, "c1") == "not possible; unlocked are larvae and Harlequins; expected a1 OLD, a2 RLD, b1 RLO"
    assert refused(state, "draw") == "not possible; larvae can be taken from the pool: a1 OLD, a2 RLD, b1 RLO"
    usage = "expected 'take' and a slot of the pool, like 'take b2', or 'draw' for two cards of the deck"
    for text in ("", "take", "take d1", "2", "take a2 b1", "reveal a2", "draw 3", "take a2, rose", "rld, rose"):
        assert refused(state, text) == usage
    assert refused(state, "take RED") == f"RED is not in the pool; {usage}"
    hands = [{"count": 4}, ["RED", "PPT", "RPD"], {"count": 3}]
    none = example(hands=hands, discards=[], pool=["H RAD OAV", "--- --- GAD", "OES --- H"])
    assert possible(none) == ["take a1", "take c3", "draw"]
    for text in ("draw", "DRAW", "blind", "draw 2", "draw two"):
        assert read(none, text) == "draw"
    assert refused(none, "H") == f"could be a1 or c3; {usage}"
    assert refused(none, "a2") == "not possible; unlocked are larvae and Harlequins; expected a1 H, c3 H or draw"
    drawing = after(none, "draw")
    assert read(drawing, "draw gpd, blt") == "draw BLT GPD"
    assert refused(drawing, "draw BLT") == refused(drawing, "draw RED BLT") == "not possible; expected 2 cards of the deck"
    assert refused(drawing, "draw") == refused(drawing, "BLT GPD") == (
        "expected 'draw' and the two cards drawn, like 'draw BLS GAT'"
    )


def test_the_pool_is_filled() -> None:
    state = after(state_of(EXAMPLE), "a2")
    assert read(state, "pool pps gpt PEV") == "pool PPS GPT PEV"
    assert refused(state, "pool PPS GPT") == "not possible; expected 3 cards of the deck, for a2 b2 c2"
    # the next move is not taken for what chance does
    assert refused(state, "rose") == "expected 'pool' and the cards turned up, like 'pool BLS GAT OPD'"


def test_garden_tiles() -> None:
    usage = "expected 'rose', 'orchard', 'picnic', 'shed place', 'shed orchard', 'tea memory' or 'tea picnic'"
    hands = [{"count": 4}, ["RED", "PPT", "H", "RLO"], {"count": 3}]
    late = copy.deepcopy(EXAMPLE["state"]["tableaus"])
    for tableau, names in zip(late, (["rose"], [], []), strict=True):
        tableau["used"] = names
    pool = ["OLD RLD OAV", "--- --- GAD", "OES --- ---"]
    state = example(None, ("unlocks",), phase="tile", round=11, hands=hands, pool=pool, tableaus=late)
    assert possible(state) == ["rose", "orchard", "picnic", "shed place", "shed orchard", "tea memory", "tea picnic"]
    spoken = {
        "rose": ("Rose Garden", "use the rose garden", "ROSE"), "orchard": ("the orchard",), "picnic": ("PICNIC", "use picnic"),
        "shed place": ("shed a", "toolshed place", "use the toolshed a", "tool shed place"),
        "shed orchard": ("shed b", "toolshed orchard"), "tea memory": ("tea a", "tea time memory", "teatime a"),
        "tea picnic": ("tea b", "tea time picnic"),
    }  # fmt: skip
    for name, texts in spoken.items():
        for text in texts:
            assert read(state, text) == name
    assert refused(state, "shed") == "expected 'shed place' or 'shed orchard'"
    assert refused(state, "tea time") == "expected 'tea memory' or 'tea picnic'"
    for text in ("", "use", "garden", "rose place", "shed memory", "tea 1", "rose, place RED", "picnic 3", "take a2"):
        assert refused(state, text) == usage
    state = after(state_of(EXAMPLE), "b1")
    assert refused(state, "shed place") == refused(state, "tea") == "not possible; what can be used now: rose, orchard, picnic"


def test_the_only_use_of_a_tile_needs_no_second_word() -> None:
    hands = [{"count": 4}, ["H", "H", "H", "H"], {"count": 3}]
    tableaus = copy.deepcopy(EXAMPLE["state"]["tableaus"])
    for tableau, names in zip(tableaus, (["rose", "shed"], ["rose"], ["rose"]), strict=True):
        tableau["used"] = names
    pool = ["OLD --- OAV", "RLO GES GAD", "OES --- ---"]
    state = example(None, ("unlocks",), phase="tile", hands=hands, tableaus=tableaus, pool=pool, revealed=[None, None, "GLT"])
    assert possible(state) == ["orchard", "picnic", "shed orchard"]
    assert read(state, "toolshed") == "shed orchard"
    assert refused(state, "shed a") == "not possible; what can be used now: orchard, picnic, shed orchard"


def test_another_card_is_placed() -> None:
    state = after(state_of(EXAMPLE), "b1", "rose")
    assert possible(state) == ["place RED", "place RLO", "place PPT"]
    for text in ("place RED", "red", "PLACE red", "play red", "place red eggs two-spot"):
        assert read(state, text) == "place RED"
    assert refused(state, "place BLT") == "not possible; the hand of player 1 has RED RLO PPT H"
    assert refused(state, "place H") == "not possible; a garden tile places no Harlequin"
    for text in ("", "place", "place RED RLO", "reveal RED", "2"):
        assert refused(state, text) == "expected 'place' and a card of the hand, like 'place BLS'"


def orchards(*cards: tuple[str, int]) -> State:
    """The example at the choice of one of these orchard cards."""
    hands = [{"count": 4}, ["RED", "PPT", "H", "RLO"], {"count": 3}]
    return example(
        {"used": ["shed", "orchard"]},
        ("unlocks",),
        phase="card",
        hands=hands,
        pool=["OLD RLD OAV", "--- --- GAD", "OES --- ---"],
        orchard=[{"card": colour, "aphids": aphids} for colour, aphids in cards],
    )


def test_orchard_cards() -> None:
    state = orchards(("blue", 2), ("green", 4), ("blue", 3))
    assert possible(state) == ["card 1", "card 2", "card 3"]
    for text in ("card 2", "2", "card green", "g", "take 2", "Green"):
        assert read(state, text) == "card 2"
    usage = "expected 'card' and the number of an orchard card, like 'card 2'"
    assert refused(state, "card blue") == f"could be card 1 or 3; {usage}"
    for text in ("card 0", "card 4", "purple", "9999"):
        assert refused(state, text) == "not possible; the cards that lie there: card 1, card 2, card 3"
    for text in ("", "card", "card 1 2", "card pink", "card -1", "card 1, 2", "orchard 2"):
        assert refused(state, text) == usage
    same = orchards(("blue", 2), ("green", 4), ("blue", 2))
    assert possible(same) == ["card 1", "card 2"]
    assert read(same, "card 3") == read(same, "blue") == "card 1"
    assert read(after(state, "2"), "orchard red") == "orchard red"
    assert refused(after(state, "2"), "orchard red red") == "not possible; expected 1 card of the orchard deck"
    assert refused(after(state, "2"), "red") == "expected 'orchard' and the colours of the cards turned up, like 'orchard red'"


def test_feeding_tiles() -> None:
    state = picnic()
    assert possible(state) == [f"feed {stack}" for stack in range(1, 9)]
    for text in ("feed 4", "4", "take 4", "feed V2:m", "v2:M"):
        assert read(state, text) == "feed 4"
    usage = "expected 'feed' and the number of a stack, like 'feed 3', or 'stop'"
    for text in ("", "feed", "feed V9:m", "feed 1 2", "feed 3, stop", "card S2:3"):
        assert refused(state, text) == usage
    poor = picnic(tableaus=poorer(2))
    can = "not possible; what can be taken with 2 aphids and the cards that lie there: feed 3, feed 4, feed 5, feed 8"
    for text in ("feed 1", "S2:3", "9", "0", "stop", "feed D3:5"):
        assert refused(poor, text) == can
    stacks = copy.deepcopy(EXAMPLE["state"]["stacks"])
    stacks[0], stacks[4] = {"top": "D2:3", "below": 5}, {"top": "V2:m", "below": 4}
    equal = picnic(stacks=stacks)
    assert "feed 2" not in possible(equal)
    assert read(equal, "2") == read(equal, "D2:3") == "feed 1"
    assert refused(equal, "V2:m") == f"could be stack 4 or 5; {usage}"


def poorer(aphids: int) -> list[Any]:
    """The tableaus of the example where player 1 has so many aphids and has had his Picnic."""
    tableaus = copy.deepcopy(EXAMPLE["state"]["tableaus"])
    tableaus[1] |= {"aphids": aphids, "used": ["shed", "picnic"]}
    return tableaus


def test_a_picnic_that_may_go_on() -> None:
    tableaus = poorer(6)
    tableaus[1]["feeding"] = ["V2:m", "S1:2h"]
    stacks = copy.deepcopy(EXAMPLE["state"]["stacks"])
    stacks[0]["below"] = 4
    state = picnic(tableaus=tableaus, stacks=stacks, chain=True)
    assert possible(state)[-1] == "stop"
    assert read(state, "STOP") == read(state, "pass") == "stop"
    state = after(state, "feed 1")
    assert read(state, "tiles t2:3") == "tiles T2:3"
    assert refused(state, "tiles T1:1 T1:1") == "not possible; expected 1 tile that nobody has seen yet, for stack 1"
    assert refused(state, "4") == "expected 'tiles' and the feeding tiles turned up, like 'tiles S1:2h'"


def test_discards() -> None:
    tableaus = poorer(6)
    tableaus[2]["used"] = ["rose", "orchard"]
    hands = [{"count": 4}, ["RED", "PPT", "H", "RLO", "GLS"], {"count": 4}]
    pool = ["OLD RLD OAV", "--- --- GAD", "OES --- ---"]
    state = example(None, ("unlocks", "revealed", "turn"), phase="discard", hands=hands, pool=pool, tableaus=tableaus)
    assert possible(state) == ["discard RED", "discard RLO", "discard GLS", "discard PPT", "discard H"]
    for text in ("discard GLS", "gls", "discard green larva seven-spot"):
        assert read(state, text) == "discard GLS"
    assert refused(state, "discard BLT") == "not possible; the hand of player 1 has RED RLO GLS PPT H"
    for text in ("", "discard", "discard RED RLO", "place RED", "3"):
        assert refused(state, text) == "expected 'discard' and a card of the hand, like 'discard BLS'"


def test_nothing_is_a_move_once_the_game_is_over() -> None:
    state = SPOKEN.over(2)
    for text in ("BLS", "reveal BLS", "stop", ""):
        assert refused(state, text) == "expected nothing: the game is over"
