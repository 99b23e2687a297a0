"""The Butterfly Garden's notation: what is printed reads back, what a person may write beside it, what the rest is answered."""

import random
from typing import Any

import pytest
from garden_core.state import State
from spoken import Spoken

import garden_ai
from garden_ai import CHANCE, TERMINAL
from garden_ai.components import read_components
from garden_ai.games import definition
from garden_ai.games.butterfly_garden.schema import EXAMPLE
from garden_ai.position import state_of

GAME = definition("butterfly_garden")
NOTATION = GAME.notation
SPOKEN = Spoken(GAME)
read, refused, after = SPOKEN.read, SPOKEN.refused, SPOKEN.after


def possible(state: State) -> list[str]:
    """The moves, as they are printed."""
    return [NOTATION.format(state, action) for action in state.legal_actions().tolist()]


def position(players: int = 3, **state: Any) -> State:
    """A position in which player 0 is to move."""
    return state_of({**EXAMPLE, "players": players, "to_move": 0, "state": state})


def turn(phase: str, played: int = 30, other: int = 59, **fields: Any) -> State:
    """Player 0's turn between two players, who have played these cards."""
    own = {
        "hands": [[3, 12, 14], {"count": 2}],
        "jars": [[8, 31, 50], [11]],
        "field": [5],
        "deliveries": {"available": ["Y+B", "2 pairs"], "next": "4 of a kind"},
    }
    return position(2, **{**own, "phase": phase, "played": [played, other], "turn": int(played > other), **fields})


@pytest.mark.parametrize(
    ("players", "options"),
    [(2, {}), (2, {"less_luck": True}), (3, {}), (4, {"less_luck": True, "letters": "in_order"}), (5, {}), (6, {})],
)
def test_everything_possible_prints_and_reads_back(players: int, options: dict[str, Any]) -> None:
    rng = random.Random(players)
    phases = set()
    for seed in range(4):
        state = garden_ai.load("butterfly_garden", players, **options).start()
        number = 0
        while state.actor != TERMINAL:
            number += 1
            phases.add(state.game.phase(state))
            outcomes = state.outcomes()
            if state.actor == CHANCE and outcomes is None:
                ids = [state.copy().draw(seed + number)]
            else:
                ids = (outcomes[0] if state.actor == CHANCE and outcomes is not None else state.legal_actions()).tolist()
            texts = [NOTATION.format(state, i) for i in ids]
            assert len({text.lower() for text in texts}) == len(ids)
            for i, text in rng.sample([*zip(ids, texts, strict=True)], min(len(ids), 8)):
                for written in (text, f"  {text.upper()} ", text.replace(" ", "  ").lower(), text.replace(" with", "")):
                    assert NOTATION.parse(state, written) == i
                if " with " in text:
                    name, _, cards = text.partition(" with ")
                    assert NOTATION.parse(state, f"{name} {cards.replace('+', ', ')}") == i
                    assert NOTATION.parse(state, f"{name.replace('+', ' + ')} with {cards.replace('+', ' ')}") == i
            state.apply(rng.choice(ids) if rng.random() < 0.5 or state.actor == CHANCE else state.policy_action(seed + number))
    always = {"hands", "field", "deliveries", "choose", "capture", "power", "draw", "return", "top", "deliver"}
    assert phases >= always - ({"hands"} if options else set())


def test_chance() -> None:
    state = garden_ai.load("butterfly_garden", 2).start()
    assert read(state, "HAND 27 3,14") == "hand 3 14 27"
    assert refused(state, "hand 3 14") == "not possible; expected 3 different cards of the deck"
    assert refused(state, "hand 3 14 60") == "not possible; expected 3 different cards of the deck"
    assert refused(state, "hand") == "expected 'hand' and the cards dealt, like 'hand 3 14 27'"
    assert refused(state, "3 14 27") == refused(state, "hand x y z") == refused(state, "hand")
    state = after(state, "hand 3 14 27", "hand 0 1 2")
    assert read(state, "field 9 5") == "field 5 9"
    assert refused(state, "field 5 14") == "not possible; expected 2 different cards of the deck"
    assert refused(state, "hand 5 6 7") == "expected 'field' and the cards turned up, like 'field 5 9'"
    state = after(state, "field 5 9")
    for text in ("delivery y+any", "Delivery any + yellow", "delivery Y + Any"):
        assert read(state, text) == "delivery Y+any"
    assert read(state, "delivery 2pairs") == "delivery 2 pairs"
    assert read(state, "delivery rainbow + yellow") == "delivery W+Y"
    assert refused(state, "delivery y+r") == "expected 'delivery' and what it needs, like 'delivery 2 pairs'"
    state = after(state, "delivery 2 pairs")
    assert refused(state, "delivery 2 pairs") == "not possible; all deliveries of that kind are on the table or taken"


def test_letters() -> None:
    state = garden_ai.load("butterfly_garden", 3, less_luck=True).start()
    assert read(state, "letters a c b") == "letters A C B"
    expected = "not possible; expected a different letter of A B C for each player"
    assert refused(state, "letters a a b") == refused(state, "letters a b") == refused(state, "letters a b d") == expected
    assert refused(state, "letters") == "expected 'letters' and the letter of each player's hand, like 'letters B A'"
    assert refused(state, "letters a b z") == refused(state, "letters")


def test_a_card_is_chosen_and_captured() -> None:
    state = state_of(EXAMPLE)
    assert possible(state) == ["play 14", "play 30", "play 31"]
    assert read(state, "PLAY 031") == "play 31"
    assert refused(state, "play 12") == "not possible; the hand of player 0 has 14 30 31"
    for text in ("", "play", "31", "play 31 30", "play -31", "play three", "take 31", "play ٣١"):
        assert refused(state, text) == "expected 'play' and a card of the hand, like 'play 34'"
    state = turn("capture", hands=[[3, 12], {"count": 2}], field=[5, 9])
    assert possible(state) == ["take 5", "take 9"]
    assert read(state, "capture 9") == "take 9"
    assert refused(state, "take 12") == "not possible; the field has 5 9"
    assert refused(state, "play 5") == "expected 'take' and a card of the field, like 'take 25'"


def test_the_icons() -> None:
    state = turn("power", played=21)
    assert possible(state) == ["pass", "draw"]
    assert read(state, "use") == "draw"
    assert read(state, "Skip") == "pass"
    for text in ("top", "draw 33", "swap 3 8", "pass 1", "take 5"):
        assert refused(state, text) == "expected 'draw', to draw a card and return one, or 'pass'"
    state = after(state, "draw")
    assert read(state, "draw 33") == "draw 33"
    assert refused(state, "draw 12") == "not possible; that card is not in the deck"
    assert refused(state, "draw") == "expected 'draw' and the card drawn, like 'draw 33'"
    state = after(state, "draw 33")
    assert possible(state) == ["return 3", "return 12", "return 14", "return 33"]
    assert refused(state, "return 8") == "not possible; the hand of player 0 has 3 12 14 33"
    state = turn("power", played=24)
    assert possible(state) == ["pass", "top"]
    assert read(state, "use") == "top"
    assert refused(state, "draw") == "expected 'top', to put the top card of the deck into the jar, or 'pass'"
    assert read(after(state, "top"), "top 33") == "top 33"
    assert refused(after(state, "top"), "top 12") == "not possible; that card is not the top one of the deck"
    state = turn("power", played=26)
    for text in ("swap 12 50", "SWAP 12, 50", "swap 12 for 50", "exchange 12 50", "use 12 50"):
        assert read(state, text) == "swap 12 50"
    assert refused(state, "swap 50 12") == (
        "not possible; expected a card of the hand (3 12 14) and one of the jar (8 31 50)"
    )
    for text in ("swap 12", "swap", "use", "draw", "12 50"):
        assert refused(state, text) == "expected 'swap', a card of the hand and one of the jar, like 'swap 12 40', or 'pass'"


def test_a_jar_that_holds_too_much() -> None:
    state = turn("discard", played=30, jars=[[8, 30, 31, 47, 50], [11]], put=True)
    assert possible(state) == ["discard 8", "discard 30", "discard 31", "discard 47", "discard 50"]
    assert read(state, "Discard 47") == "discard 47"
    assert refused(state, "discard 12") == "not possible; the jar of player 0 has 8 30 31 47 50"
    assert refused(state, "discard") == refused(state, "pass") == "expected 'discard' and a card of the jar, like 'discard 41'"


def test_deliveries() -> None:
    state = turn("deliver", jars=[[8, 30, 31, 50], [11]])
    assert possible(state) == ["pass", "deliver Y+B with 30+31", "deliver Y+B with 31+50", "deliver 2 pairs with 30+50"]
    for text in (
        "deliver Y+B with 31+30", "DELIVER y + b WITH 30 31", "deliver b+y 30,31", "deliver yellow + blue 30 31",
        "deliver Y+B 30+31", "deliver side 0 with 30 31", "deliver side0 30+31", "deliver y +b with 30 +31",
    ):  # fmt: skip
        assert read(state, text) == "deliver Y+B with 30+31"
    for text in ("deliver 2 pairs", "deliver 2pairs with 30 50", "deliver side 1", "deliver 2 pairs 50 30", "deliver 2pairs"):
        assert read(state, text) == "deliver 2 pairs with 30+50"
    assert read(state, "skip") == "pass"
    paid = "not possible; Y+B is delivered with 30+31, 31+50"
    for text in ("deliver y+b", "deliver y+b with 8", "deliver y+b 30 31 50", "deliver y+b with 30", "deliver y+b 30 30"):
        assert refused(state, text) == paid
    usage = "expected 'deliver', a delivery and the cards for it, like 'deliver Y+any with 20+31', or 'pass'"
    for text in ("", "deliver 2 pairs with x", "deliver y+b 30 x", "y+b 30 31", "30 31", "pass 1", "draw", "take 5"):
        assert refused(state, text) == usage
    for text in ("deliver", "deliver 30 31", "deliver y", "deliver 3 of a kind with 30", "deliver side 2", "deliver y+b+b 30 31"):
        assert refused(state, text) == f"{usage}; the deliveries are Y+B, 2 pairs"


def test_a_delivery_that_cannot_be_made() -> None:
    deliveries = {"available": ["W+any", "Y+B"], "next": "4 of a kind"}
    state = turn("deliver", jars=[[8, 30, 31, 50], [11]], deliveries=deliveries)
    assert refused(state, "deliver w+any with 8") == "not possible; for W+any the jar of player 0 lacks W"
    own = {"jars": [[8, 31, 50, 55], [11]], "hands": [[3, 12, 14], {"count": 3}], "field": [], "discards": [30]}
    second = turn("deliver", 55, 30, **own, deliveries={"available": ["Y+B", "P+Y"], "next": "4 of a kind"})
    assert possible(second) == ["pass", "deliver Y+B with 31+50", "deliver Y+B with 55"]
    assert refused(second, "deliver p+y with 8 50") == (
        "not possible; the second player of a round delivers on his own side only, side 0"
    )


def test_sides_that_are_called_alike() -> None:
    deliveries = {"available": ["2 of a kind", "2 of a kind"], "next": "4 of a kind"}
    state = turn("deliver", jars=[[20, 30], [11]], deliveries=deliveries)
    assert possible(state) == ["pass", "deliver side 0 with 20", "deliver side 1 with 20"]
    assert read(state, "deliver side1 20") == read(state, "deliver side 1") == "deliver side 1 with 20"
    assert refused(state, "deliver 2 of a kind with 20") == (
        "could be either side; expected 'side' and its number, like 'deliver side 1 with 20'"
    )


def test_deliveries_that_need_the_same(tmp_path: Any) -> None:
    file = tmp_path / "other.toml"
    text = GAME.components_file.read_text(encoding="utf-8")
    file.write_text(text + '\n[[deliveries]]\nstanding = "assumed"\nneeds = "Y+any"\npoints = 7\ncount = 1\n', encoding="utf-8")
    game = GAME.load(2, {}, read_components(GAME, file).data)
    state = game.build({
        "to_move": 0, "phase": "deliver", "played": [30, 59], "turn": 0, "hands": [[3, 12, 14], {"count": 2}],
        "jars": [[8, 30], [11]], "field": [5], "deliveries": {"available": ["Y+any (5)", "Y+any (7)"], "next": "2 pairs"},
    })  # fmt: skip
    assert possible(state) == ["pass", "deliver Y+any (5) with 30", "deliver Y+any (7) with 30"]
    assert read(state, "deliver y + any(7) 30") == "deliver Y+any (7) with 30"


def test_nothing_is_a_move_once_the_game_is_over() -> None:
    state = SPOKEN.over(2)
    assert refused(state, "play 3") == refused(state, "pass") == "expected nothing: the game is over"
