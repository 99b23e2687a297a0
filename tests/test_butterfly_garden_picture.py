"""The Butterfly Garden as people see it: the picture, and the words about a move."""

import re
from collections.abc import Callable
from functools import cache, partial
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest
from garden_core.state import State
from jsonschema import Draft202012Validator
from reference.butterfly_garden import DELIVERIES, enough
from spoken import Spoken

import garden_ai
from garden_ai import ALL, PUBLIC, TERMINAL
from garden_ai.components import read_components
from garden_ai.games import definition
from garden_ai.games.butterfly_garden import needs as needed
from garden_ai.games.butterfly_garden.needs import RAINBOW
from garden_ai.games.butterfly_garden.schema import EXAMPLE
from garden_ai.games.butterfly_garden.table import Table
from garden_ai.position import position_dict, position_schema, state_of

GAME = definition("butterfly_garden")
SPOKEN = Spoken(GAME)
drawn, told, walk = SPOKEN.drawn, SPOKEN.told, SPOKEN.walk
LETTERS = "YRBPG"
BACK = "[?]"


def boxes(picture: str) -> list[dict[str, str]]:
    """What stands in the box of each player, in seat order: `hand`, `jar`, `garden`, and the points below it."""
    found: list[dict[str, str]] = []
    row: list[dict[str, str]] = []
    labels: list[str] = []
    for line in picture.splitlines():
        if line.startswith("╭"):
            row = [{} for _ in range(line.count("╭"))]
            labels = [""] * len(row)
            found += row
        elif line.startswith("│"):
            for i, part in enumerate(line.rstrip().split("│")[1::2]):
                labels[i] = part[:8].strip() or labels[i]
                name = labels[i].split()[0] if labels[i] else ""
                row[i][name] = f"{row[i].get(name, '')}  {part[8:].strip()}".strip()
                if name == "jar" and part[:8].strip():
                    row[i]["full"] = labels[i].split()[1]
        elif line.startswith("╰"):
            for i, points in enumerate(re.findall(r"([0-9]+) points?", line)):
                row[i]["points"] = points
    return found


def names(state: State, cards: Any) -> list[str]:
    """Cards as they are drawn."""
    return [f"{card} {state.game.cards[card]}" for card in cards]


def items(text: str) -> list[str]:
    """What stands beside each other in a box."""
    return [item for item in text.split("  ") if item]


def row_of(picture: str, name: str) -> list[str]:
    """The row of the deliveries that begins so, cut into its columns."""
    line = next(line for line in picture.splitlines() if line.startswith(name))
    return re.split(" {2,}", line.strip())


# The picture


@pytest.mark.parametrize(
    ("players", "options"),
    [(2, {}), (2, {"less_luck": True}), (3, {}), (4, {"less_luck": True, "letters": "in_order"}), (5, {}), (6, {})],
)
def test_all_cards_are_where_they_are_and_nothing_is_wider_than_the_terminal(players: int, options: dict[str, Any]) -> None:
    for number, state in enumerate(walk(players, players, **options)):
        if number % 7:
            continue
        view = state.view(ALL)
        for observer in (ALL, PUBLIC, *range(players)):
            picture = drawn(state, observer)
            assert max(map(len, picture.splitlines())) <= 80
            assert "None" not in picture
            told = boxes(picture)
            assert len(told) == players
            for seat, box in enumerate(told):
                hand = view["hands"][seat]
                seen = hand["cards"] if observer in (ALL, seat) else hand["known"]
                assert sorted(item.replace("*", "") for item in items(box["hand"])) == sorted(
                    [*names(state, seen), *[BACK] * (hand["count"] - len(seen))]
                )
                assert sorted(items(box["jar"])) == sorted(names(state, view["jars"][seat]))
                butterflies = sum(len(state.game.butterflies(card)) for card in view["jars"][seat])
                assert box["full"] == f"{butterflies}/8"
                assert float(box["points"]) == state.scores()[seat]
                starred = {item.replace("*", "") for item in items(box["hand"]) if "*" in item}
                assert starred == (set(names(state, hand["known"])) if observer in (ALL, seat) else set())
            if view["field"] and state.actor != TERMINAL:
                line = next(line for line in picture.splitlines() if line.startswith("field"))
                assert items(line.removeprefix("field").strip()) == names(state, view["field"])
        assert drawn(state, encoding="ascii").isascii()
        for width in (30, 40, 60, 79, 120, 200):
            assert max(map(len, drawn(state, width=width).splitlines())) <= width


def test_boxes_stand_beside_each_other_where_they_fit() -> None:
    state = state_of(EXAMPLE)
    assert drawn(state).count("\n╭") == 2
    assert drawn(state, width=120).count("\n╭") == 1
    assert drawn(state, width=60).count("\n╭") == 3


def test_what_one_who_looks_on_sees() -> None:
    lines = [line.rstrip() for line in drawn(state_of(EXAMPLE), 0).splitlines()]
    assert lines[0] == "The Butterfly Garden · round 5 · goal 45 · player 0 to choose a card"
    assert lines[2] == "│hand    14* G  30* YR  31 B/to       │ │hand    20 YY  36 RR/dr  53 BP/to    │"
    assert "╭──────────── ▶ player 0 ─────────────╮ ╭───────────── player 1 ──────────────╮" in lines
    assert "│hand    23 PG  [?]  [?]              │" in lines
    assert "│garden  2 of a kind 5  W+any 7       │" in lines
    begin = lines.index("field   3 P  5 Y  48 RPG/sw")
    assert lines[begin + 1 :] == [
        "deck    36 cards, 6 discarded",
        "unseen  38 cards with  Y 8  R 8  B 15  P 11  G 11  W 4",
        "",
        "deliveries         points  player 0                 also payable by",
        "Y+B                     7  payable if 31 is played",
        "2 pairs                11  payable if 30 is played  player 1",
        "next: 4 of a kind      12  lacks 2 Y",
        "12 more in the deck",
        "Y yellow   R red   B blue   P purple   G green   W rainbow: any colour",
        "* known to all",
        "/dr: draw one, return one   /sw: swap hand and jar   /to: top card into jar",
        "/de: points at once",
        "assumed, not printed: the faces of the cards and most delivery cards",
    ]


def test_the_public_sees_no_hand_and_lacks_nothing() -> None:
    picture = drawn(state_of(EXAMPLE), PUBLIC)
    assert "deliveries         points  payable by" in picture
    assert "lacks" not in picture
    assert row_of(picture, "2 pairs") == ["2 pairs", "11", "player 1"]


def turn(phase: str, played: list[int], turn: int, players: int = 3, **fields: Any) -> State:
    """A position amid the turns of a round, the one to move being whoever's turn it is."""
    own = {
        "hands": [[3, 12, 14], {"count": 2, "known": [20, 53]}, {"count": 3, "known": [48]}],
        "jars": [[8, 31, 50], [11, 45], [16]],
        "earned": [["Y+any", "P+Y"], ["G+R"], ["2 of a kind", "W+any"]],
        "released": [[], [44], []],
        "field": [5],
        "discards": [17, 29, 32, 33, 37, 55],
        "deliveries": {"available": ["Y+B", "2 pairs"], "next": "4 of a kind"},
    }
    state = {**own, "phase": phase, "played": played, "turn": turn, "round": 6, **fields}
    if players == 2:
        state |= {key: value[:2] for key, value in state.items() if key in ("hands", "jars", "earned", "released")}
    order = sorted(range(players), key=lambda seat: played[seat])
    # what was played by those who are done lies somewhere
    done = {played[seat] for seat in order[: turn + (phase == "deliver")]}
    lies = {card for place in ("jars", "released") for cards in state[place] for card in cards} | {*state["discards"]}
    state["discards"] = sorted({*state["discards"], *(done - lies)})
    return state_of({**EXAMPLE, "players": players, "to_move": order[turn], "state": state})


def test_the_order_of_turns_and_who_can_pay_with_the_card_in_play() -> None:
    state = turn("power", [21, 36, 16], 1, jars=[[8, 31, 50], [11, 45], [9]])
    picture = drawn(state, 0)
    assert picture.startswith("The Butterfly Garden · round 6 · goal 45 · player 0 to use 21 RB/dr or pass")
    turns = " ".join(drawn(state, 0, width=200).split("turns")[1].splitlines()[0].split())
    assert turns == "player 2 with 16 R (done), then player 0 with 21 RB/dr (now), then player 1 with 36 RR/dr"
    assert row_of(picture, "Y+B")[2:] == ["payable now"]
    assert row_of(picture, "2 pairs")[2:] == ["payable with 21, in play", "player 1"]
    assert row_of(drawn(state, 1), "2 pairs")[2:] == ["payable now", "player 0"]
    assert row_of(drawn(state, 2), "2 pairs")[2:] == ["lacks 3 more", "players 0 and 1"]
    put = turn("deliver", [21, 36, 16], 1, jars=[[8, 21, 31, 50], [11, 45], [9]])
    assert row_of(drawn(put, 0), "2 pairs")[2:] == ["payable now", "player 1"]
    hands = [[12, 14], {"count": 2}, {"count": 2}]
    begun = turn("capture", [21, 36, 41], 0, hands=hands, field=[3, 5, 9], jars=[[8, 31], [11], []])
    assert row_of(drawn(begun, 0), "Y+B")[2:] == ["lacks Y"]
    assert row_of(drawn(begun, 0), "next: 4 of a kind")[2:] == ["lacks 2 B"]  # with the card in play


def test_a_card_that_delivers_itself_pays_for_nothing() -> None:
    state = turn("capture", [52, 36, 16], 2, jars=[[8, 20], [11], [9]], hands=[[3, 12], {"count": 3}, {"count": 3}])
    assert row_of(drawn(state, 0), "Y+B")[2:] == ["lacks B"]
    choice = {**EXAMPLE["state"], "hands": [[34, 38, 1], {"count": 3}, {"count": 3}], "jars": [[8], [], []]}
    choice["deliveries"] = {"available": ["R+P", "P+any"], "next": "4 of a kind"}
    picture = drawn(state_of({**EXAMPLE, "state": choice}), 0)
    assert row_of(picture, "R+P")[2] == row_of(picture, "P+any")[2] == "payable if 1 is played"


def test_the_sides_of_two_players() -> None:
    first = turn("deliver", [30, 36], 0, players=2, jars=[[8, 30, 31, 50], [11, 45]])
    assert row_of(drawn(first, 0), "side 0: Y+B")[2:] == ["payable now"]
    assert row_of(drawn(first, 0), "side 1: 2 pairs")[2:] == ["payable now", "player 1"]
    assert row_of(drawn(first, 1), "side 0: Y+B")[-2:] == ["player 0 only in this round", "player 0"]
    gone = {"available": [None, "2 pairs"], "next": "4 of a kind"}
    hands = [[3, 12, 14], {"count": 2}]
    second = turn("capture", [30, 36], 1, players=2, deliveries=gone, vacated=[0], hands=hands)
    assert row_of(drawn(second, 1), "side 0:") == ["side 0: taken"]
    assert row_of(drawn(second, 1), "side 1: 2 pairs")[2:] == ["payable now"]
    choice: dict[str, Any] = {"hands": [[14, 30, 31], {"count": 3}], "jars": [[8, 50], []], "field": [5, 9]}
    choice["deliveries"] = {"available": ["2 of a kind", "2 of a kind"], "next": "2 pairs"}
    picture = drawn(state_of({**EXAMPLE, "players": 2, "state": choice}), 0)
    assert row_of(picture, "side 0: 2 of")[2] == "payable now"
    assert row_of(picture, "side 1: 2 of")[2] == "payable if first"


def test_cards_that_are_chosen_are_seen_by_their_owner_only() -> None:
    state = state_of(EXAMPLE)
    assert "\nplayed" not in drawn(state)
    state.apply(GAME.notation.parse(state, "play 31"))
    assert "played  player 0: 31 B/to, player 1: none yet, player 2: none yet" in drawn(state, 0)
    assert "played  player 0: hidden, player 1: none yet, player 2: none yet" in drawn(state, 1)


def test_the_bottom_of_the_deck() -> None:
    bottom = [{"by": 0, "card": 7}, {"by": 1}]
    state = state_of({**EXAMPLE, "state": {**EXAMPLE["state"], "bottom": bottom}})
    assert "bottom  7 B of player 0, then [?] of player 1" in drawn(state, 0)
    assert "bottom  [?] of player 0, then [?] of player 1" in drawn(state, PUBLIC)
    assert "deck    36 cards" in drawn(state, 0)  # these two are among them


def test_the_headline() -> None:
    told = {}
    for players, options in ((2, {}), (3, {"less_luck": True})):
        for seed in range(3):
            for state in walk(players, seed, **options):
                phase = state.game.phase(state)
                if phase not in told:
                    told[phase] = drawn(state).splitlines()[0].rstrip().partition(" · goal ")[2][5:]
    assert told["hands"] == "chance: the hands are to be dealt"
    assert told["letters"] == "chance: which letters the players get"
    assert told["field"] == "chance: the field is to be filled"
    assert told["deliveries"] == "chance: the next delivery card"
    forms = {
        "choose": "player 0 to choose a card", "capture": "player . to take a card",
        "power": "player . to use [0-9]+ [A-Z]+/[a-z]+ or pass", "draw": "chance: player . is to draw a card",
        "return": "player . to return a card", "top": "chance: the top card, for player .",
        "discard": "player . to discard from the jar", "deliver": "player . to deliver", "over": "the game is over",
    }  # fmt: skip
    for phase, form in forms.items():
        assert re.fullmatch(form, told[phase]), told[phase]


def test_the_end() -> None:
    *_, state = walk(3, 1)
    picture = drawn(state)
    assert "▶" not in picture
    assert "deliveries" not in picture
    assert "field" not in picture


def test_without_a_unicode_terminal_it_is_ascii() -> None:
    picture = drawn(state_of(EXAMPLE), encoding="ascii")
    assert picture.startswith("The Butterfly Garden - round 5 - goal 45 - player 0 to choose a card")
    assert "> player 0" in picture


def test_colour_only_adds() -> None:
    for number, state in enumerate(walk(4, 5)):
        if number % 9 == 0:
            coloured = drawn(state, force_terminal=True, color_system="truecolor")
            assert "\x1b[" in coloured
            assert "\x1b" not in drawn(state)
            assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == drawn(state)


# What deliveries need


@cache
def lacking(needs: str) -> Callable[[str], int]:
    """What the game tells of one delivery."""
    components = {**read_components(GAME).data, "deliveries": [{"needs": needs, "points": 5, "count": 6}]}
    return partial(GAME.load(2, {}, components).lacking, 0)


def pays(needs: str, held: str, letters: str) -> bool:
    return lacking(needs)(held) == 0


def lacks(needs: str, held: str, letters: str) -> str:
    return needed.lacks(lacking(needs), held, letters)


def payable(needs: str, cards: list[str], letters: str) -> bool:
    return needed.payable(lacking(needs), cards)


@pytest.mark.parametrize("needs", [*(delivery.needs for delivery in DELIVERIES), "W+W", "R+R+B", "W+any+any", "Y+R+B+P"])
def test_what_is_enough_and_what_is_lacking(needs: str) -> None:
    kinds = LETTERS + RAINBOW
    for size in range(6):
        for held in map("".join, combinations_with_replacement(kinds, size)):
            assert pays(needs, held, LETTERS) == enough(needs, held)
            assert (lacks(needs, held, LETTERS) == "") == pays(needs, held, LETTERS)


@pytest.mark.parametrize(
    ("needs", "held", "told"),
    [
        ("R+P", "", "R and P"), ("R+P", "R", "P"), ("R+P", "W", "R or P"), ("R+P", "YYB", "R and P"),
        ("R+any", "R", "one more"), ("R+any", "Y", "R"), ("R+any", "", "R and one more"),
        ("W+any", "RR", "W"), ("W+any", "", "W and one more"), ("W+Y", "", "Y and W"), ("W+Y", "W", "Y"),
        ("2 of a kind", "", "2 alike"), ("2 of a kind", "RB", "R or B"), ("2 of a kind", "RBP", "R, B or P"),
        ("3 of a kind", "RRBB", "R or B"), ("3 of a kind", "W", "2 alike"), ("4 of a kind", "RB", "3 R or 3 B"),
        ("2 pairs", "", "4 more"), ("2 pairs", "RR", "2 alike"), ("2 pairs", "RRB", "B"), ("2 pairs", "RRR", "R"),
        ("2 pairs", "RBG", "2 more"), ("Y+R+B+P", "YW", "2 more"), ("Y+R+B+P", "Y", "R, B and P"),
    ],
)  # fmt: skip
def test_what_is_lacking_in_words(needs: str, held: str, told: str) -> None:
    assert lacks(needs, held, LETTERS) == told


def test_no_more_is_paid_than_a_jar_holds() -> None:
    assert payable("4 of a kind", ["YYR", "YYB", "GGG"], LETTERS)
    assert not payable("4 of a kind", ["YRB", "YPG", "YBG", "YPR"], LETTERS)
    assert payable("Y+any", ["YRB", "YPG", "YBG", "YPR"], LETTERS)


# Positions


def test_the_example_is_that_of_the_documentation_and_fits_the_schema() -> None:
    assert EXAMPLE in SPOKEN.positions_of_the_page()
    validator = Draft202012Validator(position_schema(GAME))
    validator.validate(EXAMPLE)
    for players in (2, 3, 6):
        for number, state in enumerate(walk(players, players, less_luck=players == 3)):
            for observer in (ALL, number % players) if number % 3 == 0 else ():
                validator.validate(position_dict(state, observer))


def test_the_documentation_has_the_components() -> None:
    page = (Path(__file__).parent.parent / "docs/games/butterfly_garden.md").read_text(encoding="utf-8")
    game = garden_ai.load("butterfly_garden", 2)
    rows = re.findall(r"^\| ([0-9]0?) \| (.*) \|$", page, re.MULTILINE)
    assert [face for _, row in rows for face in row.split(" | ")] == list(game.cards)
    assert all(f"`{name}`" in page for name, *_ in game.deliveries)
    assert all(f"{letter} {' '.join(map(str, cards))}" in page for letter, cards in game.hands.items())


# Words


def test_names_of_the_components() -> None:
    game = garden_ai.load("butterfly_garden", 2)
    assert [GAME.phrases(game, name) for name in game.component_names] == [
        "the deliveries with any butterfly", "the deliveries of two colours", "the deliveries of a kind",
        "the rainbow deliveries", "the cards released for points",
    ]  # fmt: skip


def test_the_place_in_the_order_of_turns() -> None:
    state = state_of(EXAMPLE)
    places = Table(state.game, state.view(0)).places(0, 30)
    pool = 38  # cards not seen; player 1 holds 20, 36 and 53, player 2 holds 23 and two of them
    lower = len(set(range(30)) - {14, 20, 23, 8, 11, 16, 3, 5, 17, 29})
    first = 2 / 3 * (1 - (1 + 2 * lower / pool) / 3)
    assert places[0] == pytest.approx(first)
    assert sum(places) == pytest.approx(1)
    assert told(state, "play 30")[0] == (
        f"goes second with about {places[1]:.0%}, last with {places[2]:.0%}, first with {places[0]:.0%}"
    )
    assert told(state, "play 14")[0].startswith("goes first with about ")
    hands = [[0, 30, 59], {"count": 3, "known": [20, 36, 53]}, {"count": 3}]
    sure = state_of({**EXAMPLE, "state": {**EXAMPLE["state"], "hands": hands}})
    assert told(sure, "play 0")[0] == "goes first"
    assert told(sure, "play 59")[0] == "goes last"


def test_the_place_does_not_depend_on_what_others_hold_or_have_chosen() -> None:
    for state in walk(4, 3):
        if state.actor >= 0 and state.simultaneous:
            SPOKEN.assert_told_of_what_is_seen(state)


def test_a_hand_holds_no_card_of_a_later_shuffle() -> None:
    for state in (state for seed in range(30) for state in walk(6, seed)):
        view = state.view(0)
        if view["phase"] == "choose" and state.actor == 0 and any(sum(hand.get("from", ())[:1]) for hand in view["hands"]):
            table = Table(state.game, view)
            for rival in range(1, 6):
                hand = view["hands"][rival]
                pools = [[card for card in cards if card in table.unseen] for cards in view["shuffles"]]
                for card in (10, 30, 50):
                    lower = sum(other < card for other in hand["known"])
                    for count, pool in zip(hand["from"], pools, strict=True):
                        lower += count and count * sum(other < card for other in pool) / len(pool)
                    assert table.chance_of_lower(rival, card) == pytest.approx(lower / hand["count"])
            return
    pytest.fail("no game in which the deck is shuffled")


def test_what_a_card_brings() -> None:
    state = state_of(EXAMPLE)
    assert told(state, "play 14")[1:] == ("brings G into the jar",)
    assert told(state, "play 30")[1:] == ("brings YR into the jar, enough for 2 pairs",)
    assert told(state, "play 31")[1:] == (
        "brings B into the jar, enough for Y+B",
        "may then put the top card of the deck into the jar",
    )
    hands = [[34, 45, 59], {"count": 3}, {"count": 3}]
    full = state_of({**EXAMPLE, "state": {**EXAMPLE["state"], "hands": hands, "jars": [[8, 30, 47], [], []]}})
    assert told(full, "play 34")[1:] == ("scores 2 points at once",)
    assert told(full, "play 59")[1:] == ("brings GYR into the jar, 1 more than it holds",)
    assert told(full, "play 45")[1:] == ("brings YYR into the jar, 1 more than it holds",)


def test_what_only_the_first_of_two_may_take() -> None:
    choice: dict[str, Any] = {"hands": [[0, 31, 59], {"count": 3}], "jars": [[8, 50], []], "field": [5, 9]}
    choice["deliveries"] = {"available": ["2 pairs", "Y+B"], "next": "2 of a kind"}
    state = state_of({**EXAMPLE, "players": 2, "state": choice})
    assert told(state, "play 31")[1] == "brings B into the jar, enough for Y+B (if first)"


def test_captures() -> None:
    hands = [[3, 12], {"count": 2}, {"count": 3}]
    jars = [[8, 31], [11, 45], [9]]
    state = turn("capture", [30, 36, 16], 1, hands=hands, field=[7, 58], jars=jars)
    assert told(state, "take 7") == ("takes B, the only blue of the field",)
    assert told(state, "take 58") == ("takes W, the only rainbow of the field",)
    state = turn("capture", [11, 36, 16], 0, hands=[*hands[:2], {"count": 2}], field=[5, 20, 43], jars=[[8, 31], [10], [9]])
    assert told(state, "take 43") == ("takes GY/dr, the only green of the field", "prepares Y+B")
    assert told(state, "take 5") == ("takes Y", "prepares Y+B")
    last = turn("capture", [30, 36, 16], 2, hands=[{"count": 3}, [3, 12], {"count": 3}], jars=[[8], [13], [9]])
    assert told(last, "take 5")[0] == "takes Y"  # nothing else lies there


def test_whom_a_card_is_kept_from() -> None:
    jars = [[8], [11, 2], [9]]
    deliveries = {"available": ["Y+B", "4 of a kind"], "next": "3 of a kind"}
    hands = [[3, 12], {"count": 2}, {"count": 2}]
    state = turn("capture", [1, 36, 16], 0, hands=hands, field=[5, 14, 18], jars=jars, deliveries=deliveries)
    assert told(state, "take 5") == ("takes Y, the only yellow of the field", "keeps Y from player 1, who lacks it for Y+B")
    state = turn("capture", [1, 36, 16], 0, hands=hands, field=[5, 14, 20], jars=jars, deliveries=deliveries)
    assert told(state, "take 5") == ("takes Y",)  # he can take the other one


def test_a_card_that_delivers_itself() -> None:
    hands = [[3, 12], {"count": 3}, {"count": 3}]
    state = turn("capture", [52, 36, 16], 2, hands=hands, jars=[[], [11], [9]])
    assert told(state, "take 5") == ("takes Y", "releases B for 3 points")
    rich = [["4 of a kind", "W+Y", "3 of a kind", "3 of a kind", "R+P"], [], []]
    state = turn("capture", [52, 36, 16], 2, hands=hands, jars=[[], [11], [9]], earned=rich)
    assert told(state, "take 5")[1:] == ("releases B for 3 points", "reaches the goal of 45, so this round is the last")


def test_icons() -> None:
    jars = [[8, 50], [11], [9]]
    state = turn("power", [24, 36, 16], 1, jars=jars)
    (text,) = told(state, "top")
    assert re.fullmatch("the next card: [0-9]+% for one that pays another delivery and [0-9]+% for one that scores at once", text)
    assert told(state, "pass") == ()
    state = turn("power", [21, 36, 16], 1, jars=jars)
    assert re.fullmatch("draws a card, [0-9]+% for one that prepares another delivery", told(state, "draw")[0])
    state.apply(GAME.notation.parse(state, "draw"))
    state.apply(GAME.notation.parse(state, "draw 58"))
    assert told(state, "return 3") == ("keeps B, G and W in hand",)
    state = turn("power", [26, 36, 16], 1, hands=[[3, 12, 45], {"count": 2}, {"count": 3}], jars=[[8, 31], [11], [9]])
    assert told(state, "swap 45 8") == ("puts YYR into the jar for P, enough for Y+B and 2 pairs",)
    state = turn("power", [41, 36, 16], 2, hands=[[3, 12, 9], {"count": 3}, {"count": 3}], field=[], jars=[[5, 31], [11], [14]])
    assert told(state, "swap 9 5") == ("puts G into the jar for Y", "can no longer pay Y+B")


def test_discards() -> None:
    state = turn("discard", [30, 36, 16], 1, jars=[[8, 30, 31, 47, 50], [11], [9]], put=True)
    assert told(state, "discard 47") == ("frees three butterflies and leaves YYYRRBP in the jar",)
    assert told(state, "discard 31") == ("frees one butterfly and leaves YYYRRPPGG in the jar", "can no longer pay Y+B")
    state = turn("discard", [16, 36, 11], 1, jars=[[8, 16, 31, 46, 47, 59], [13], [9]], put=True)
    assert told(state, "discard 46") == ("frees two butterflies and leaves YRRBPPGGG in the jar",)


def test_deliveries() -> None:
    state = turn("deliver", [30, 36, 16], 1, jars=[[8, 30, 31, 50], [11, 45], [9]])
    assert told(state, "deliver 2 pairs") == (
        "earns 2 pairs for 11, before player 1 can",
        "leaves BP in the jar",
        "leaves Y+B, payable by nobody yet",
    )
    assert told(state, "deliver y+b 31 50") == (
        "earns Y+B for 7",
        "leaves YRP in the jar",
        "leaves 2 pairs (payable by player 1)",
    )
    assert told(state, "pass") == ("keeps YYYRRBP in the jar", "leaves 2 pairs (payable by player 1) and Y+B")
    hands = [[3, 12, 14], {"count": 2}, {"count": 2}]
    both = turn("deliver", [30, 36, 57], 0, jars=[[8, 30, 31, 50], [11, 45], [5]], hands=hands, field=[9, 16])
    assert told(both, "pass")[1] == "leaves Y+B (payable by player 2) and 2 pairs (payable by player 1)"
    both = turn("deliver", [30, 40, 57], 0, jars=[[8, 30, 31, 50], [45], [5]], hands=hands, field=[9, 16])
    assert told(both, "pass")[1] == "leaves Y+B (payable by players 1 and 2) and 2 pairs"
    deliveries = {"available": ["Y+B", "P+Y"], "next": "2 pairs"}
    own = {"jars": [[8, 30, 50], [11], [5]], "hands": hands, "field": [9, 16], "earned": [[], [], []]}
    both = turn("deliver", [30, 31, 57], 0, **own, deliveries=deliveries)
    assert told(both, "pass")[1] == "leaves Y+B and P+Y (both payable by player 2)"
    hands = [[3, 12, 14], {"count": 3}, {"count": 3}]
    last = turn("deliver", [30, 24, 16], 2, jars=[[8, 30, 31, 50], [11, 45], [9]], hands=hands, field=[])
    assert told(last, "deliver 2 pairs")[2] == "leaves Y+B, with 4 of a kind to come for the next round"
    assert told(last, "pass")[1] == "leaves Y+B and 2 pairs for the next round"


def test_the_goal_and_the_empty_jar() -> None:
    rich = [["4 of a kind", "W+Y", "3 of a kind", "3 of a kind"], [], []]
    deliveries = {"available": ["Y+B", "2 of a kind"], "next": "2 of a kind"}
    state = turn("deliver", [30, 36, 16], 1, jars=[[50], [11, 45], [9]], earned=rich, deliveries=deliveries)
    assert told(state, "deliver 2 of a kind") == (
        "earns 2 of a kind for 5, before player 1 can",
        "empties the jar",
        "leaves Y+B, payable by nobody yet",
    )
    rich[0].append("R+any")
    state = turn("deliver", [30, 36, 16], 1, jars=[[8, 50], [11, 45], [9]], earned=rich, deliveries=deliveries)
    assert told(state, "deliver 2 of a kind") == (
        "earns 2 of a kind for 5, before player 1 can",
        "reaches the goal of 45, so this round is the last",
        "leaves P in the jar",
        "leaves Y+B, payable by nobody yet",
    )


def test_what_is_left_to_the_second_of_two() -> None:
    state = turn("deliver", [30, 36], 0, players=2, jars=[[8, 30, 31, 50], [11, 45]])
    assert told(state, "deliver 2 pairs")[2] == "leaves no delivery to player 1"
    assert told(state, "deliver y+b 30 31")[2] == "leaves 2 pairs (payable by player 1)"


def test_every_move_has_a_short_story() -> None:
    for players in (2, 5):
        for state in walk(players, players):
            for action in state.legal_actions().tolist()[:6]:
                story = told(state, GAME.notation.format(state, action))
                assert len(story) <= 4
                assert len(set(story)) == len(story)
                assert story or state.game.phase(state) == "power"
                assert not any(character in text for text in story for character in ".;")
