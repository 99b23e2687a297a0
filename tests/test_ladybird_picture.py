"""Ladybird as people see it: the picture, and the words about a move."""

from __future__ import annotations

import copy
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from garden_core.state import State
from jsonschema import Draft202012Validator
from ladybird_table import example, example_alone
from spoken import Spoken

import garden_ai
from garden_ai import ALL, PUBLIC
from garden_ai.components import read_components
from garden_ai.games import definition
from garden_ai.games.ladybird.schema import EXAMPLE
from garden_ai.position import parse_position, position_dict, position_schema, state_of

GAME = definition("ladybird")
SPOKEN = Spoken(GAME)
drawn, after, told, walk = SPOKEN.drawn, SPOKEN.after, SPOKEN.told, SPOKEN.walk
COLOURS = ("red", "blue", "orange", "green", "purple")
LABEL, CELL = 7, 6  # places of a box


def boxes(picture: str) -> list[dict[str, list[str]]]:
    """The lines of each player's box by what stands before them, in seat order, with its `title` and `points` below it."""
    found: list[dict[str, list[str]]] = []
    row: list[dict[str, list[str]]] = []
    labels: list[str] = []
    for line in picture.splitlines():
        if line.startswith("╭"):
            row = [{"title": [part.strip("─ ")]} for part in re.findall("╭(.*?)╮", line)]
            labels = [""] * len(row)
            found += row
        elif line.startswith("│"):
            for i, part in enumerate(line.rstrip().split("│")[1::2]):
                name = part[:LABEL].strip()
                labels[i] = name or labels[i] or "head"
                row[i].setdefault(labels[i], []).append(part[LABEL:].rstrip())
        elif line.startswith("╰"):
            for i, points in enumerate(re.findall("([0-9]+) points?", line)):
                row[i]["below"] = [points]
    return found


def cells(line: str) -> list[str]:
    """What a line of a box has for each column."""
    return [line[i : i + CELL].strip() for i in range(0, 5 * CELL, CELL)]


def items(lines: list[str]) -> list[str]:
    """What stands beside each other in lines of a box."""
    return [item for line in lines for item in line.strip().split("  ") if item]


def line_of(picture: str, name: str) -> str:
    """The line that begins so, without its name."""
    return next(line.removeprefix(name).strip() for line in picture.splitlines() if re.match(rf"{name}( |$)", line))


# The picture


def check_box(box: dict[str, list[str]], tableau: dict[str, Any], state: State, seat: int) -> None:
    """That a box shows what lies before a player, and what it scores."""
    columns = {colour: tableau["columns"].get(colour, []) for colour in COLOURS}
    shown = [cells(line) for line in box.get("cards", [])]
    worth = []
    for i, (colour, cards) in enumerate(columns.items()):
        expected = [*cards[:-1], f"[{cards[-1]}]"] if cards else []
        assert [line[i] for line in shown if line[i]] == expected
        assert [line[i] for line in shown][: len(cards)] == expected  # without a gap
        orchards = tableau.get("orchards", {}).get(colour, 0)
        has = {name: colour in tableau.get(name, []) for name in ("life_cycles", "lost", "flowerbeds")}
        signs = f"{orchards or ''}{'L' * has['life_cycles']}{'x' * has['lost']}{'F' * has['flowerbeds']}"
        assert cells(box["above"][0])[i] == (signs or "·")
        a_card = orchards + 3 * has["life_cycles"] + 2 * has["flowerbeds"]
        assert cells(box["a card"][0])[i] == f"+{a_card}"
        worth.append(a_card * len(cards))
    assert cells(box["points"][0]) == [str(points) for points in worth]
    counts = Counter(card[-1] for cards in columns.values() for card in cards)
    fed: Counter[str] = Counter()
    for name in tableau.get("feeding", ()):
        fed[name[0]] += int(name[1])
    letters = [letter for letter in "TVSDOYH" if counts[letter] or fed[letter]]
    assert items(box["types"]) == [f"{letter} {counts[letter]}x{fed[letter]}" for letter in letters]
    assert items(box["fed"]) == tableau.get("feeding", [])
    assert [int(item.split()[0]) for item in items(box["has"])] == [tableau["aphids"], tableau["memories"]]
    assert {item.strip("()") for item in items(box["garden"]) if "(" in item} == set(tableau.get("used", ()))
    assert float(box["below"][0]) == state.scores()[seat]


@pytest.mark.parametrize(("players", "options"), [(1, {}), (2, {}), (3, {"life_cycle_regain": True}), (4, {})])
def test_everything_is_shown_and_nothing_is_wider_than_the_terminal(players: int, options: dict[str, Any]) -> None:
    for number, state in enumerate(walk(players, players, **options)):
        if number % 23:
            continue
        for observer in (ALL, PUBLIC, players - 1):
            view = state.view(observer)
            width = 80 if players > 1 else 39   # so that a column takes as many places
            picture = drawn(state, observer, width=width)
            assert max(map(len, picture.splitlines())) <= width
            assert "None" not in picture
            told = boxes(picture)
            assert len(told) == players
            for seat, box in enumerate(told):
                check_box(box, view["tableaus"][seat], state, seat)
                hand = view["hands"][seat]
                seen = hand.get("cards", hand["known"])
                backs = ["[?]"] * (hand["count"] - len(seen))
                assert [item.replace("*", "") for item in items(box["hand"])] == [*seen, *backs]
                starred = sorted(item[:-1] for item in items(box["hand"]) if item.endswith("*"))
                assert starred == (sorted(hand["known"]) if "cards" in hand else [])
        assert drawn(state, encoding="ascii").isascii()
        for narrow in (30, 40, 60, 79, 120, 200):
            assert max(map(len, drawn(state, width=narrow).splitlines())) <= narrow


def test_points_by_kind_are_those_of_the_game() -> None:
    for number, state in enumerate(walk(4, 4)):
        if number % 40 == 0:
            lines = drawn(state).splitlines()
            begin = next(i for i, line in enumerate(lines) if line.strip().startswith("orchards  life cycles"))
            for seat, (components, score) in enumerate(zip(state.components(), state.scores(), strict=True)):
                shown = lines[begin + 1 + seat].split()
                assert shown[:2] == ["player", str(seat)]
                wanted = components.values() if isinstance(components, dict) else components
                assert [float(value) for value in shown[2:]] == [*map(float, wanted), score]


def test_boxes_stand_beside_each_other_where_they_fit() -> None:
    state = state_of(EXAMPLE)
    assert [drawn(state, width=width).count("\n╭") for width in (78, 79, 118, 119)] == [3, 2, 2, 1]
    assert "red      blue     orange   green    purple" in drawn(state, width=54)  # where there is room, by their names


def test_what_lies_between_the_players() -> None:
    lines = [line.rstrip() for line in drawn(state_of(EXAMPLE), 1).splitlines()]
    assert lines[0] == "Ladybird · day 4, round 2 of 4 · player 1 to take a card"
    assert [box["title"] for box in boxes("\n".join(lines))] == [["player 0 · Sticky Leaf"], ["▶ player 1"], ["player 2"]]
    begin = lines.index("pool  1    2    3     orchard             feeding tiles")
    assert lines[begin + 1 : begin + 9] == [
        "a    ▶OLD ▶RLD  OAV   1 blue 2 aphids      1 S2:3  +5   5 T1:1  +4",
        "b    ▶RLO  ·    GAD   2 green 4 aphids     2 D2:3  +5   6 Y3:5  +4",
        "c     OES  ·    ·     3 purple 3 aphids    3 S1:1  +5   7 T3:5  +5",
        "                                           4 V2:m  +3   8 O1:1  +5",
        "unlocked  larvae, 3 in the pool",
        "turns     player 0 (done), then player 1 (now), then player 2 with GLT",
        "deck      67 cards, 8 discarded, 16 orchard cards",
        "unseen    69 cards: eggs 20, larvae 13, pupae 17, adults 16, Harlequins 3",
    ]
    assert lines[-2:] == [
        "assumed, not printed: most names, how many cards are alike, the orchard cards of",
        "a colour, what memories score and the feeding tiles",
    ]


def test_what_has_not_been_seen_is_in_the_deck_or_in_a_hand() -> None:
    for players in (2, 4):
        for number, state in enumerate(walk(players, players)):
            view = state.view(0)
            unknown = sum(hand["count"] - len(hand.get("cards", hand["known"])) for hand in view["hands"])
            if number % 31 == 0 and view["deck"] + unknown:
                text = line_of(drawn(state, 0, width=120), "unseen")
                total, _, rest = text.partition(" cards: ")
                assert int(total) == view["deck"] + unknown == sum(map(int, re.findall("[0-9]+", rest)))


def test_what_may_be_taken_is_marked() -> None:
    seen = set()
    for state in (state for seed in range(3) for state in walk(3, seed)):
        phase = state.game.phase(state)
        if phase not in ("draft", "feed") or state.actor < 0:
            continue
        picture = drawn(state, state.actor)
        steps = [state.game.step(state, action) for action in state.legal_actions().tolist()]
        lines = picture[picture.index("\npool") :].splitlines()
        if phase == "draft":
            marked = {f"{line[0]}{i}" for line in lines[2:5] for i, at in ((1, 5), (2, 10), (3, 15)) if line[at] == "▶"}
            assert marked == {rest[0] for kind, *rest in steps if kind == "take"}
        else:
            stacks = {int(number) for line in lines[2:6] for number in re.findall("▶([1-8])", line)}
            assert stacks >= {rest[0] for kind, *rest in steps if kind == "feed"}
            tops = {(stack["top"], stack["below"]) for stack in state.view(ALL)["stacks"]}
            if len(tops) == 8:
                assert stacks == {rest[0] for kind, *rest in steps if kind == "feed"}
        seen.add(phase)
    assert seen == {"draft", "feed"}


def test_cards_that_are_chosen_are_seen_by_their_owner_only() -> None:
    state = next(state.copy() for state in walk(3, 1) if state.game.phase(state) == "reveal")
    assert "\nchosen" not in drawn(state)
    hand = state.view(0)["hands"][0]["cards"]
    state.apply(GAME.notation.parse(state, f"reveal {hand[0]}"))
    assert line_of(drawn(state, 0), "chosen") == f"player 0: {hand[0]}, player 1: none yet, player 2: none yet"
    assert line_of(drawn(state, 1), "chosen") == "player 0: hidden, player 1: none yet, player 2: none yet"


def test_the_headline() -> None:
    told = {}
    for players in (1, 3):
        for seed in range(2):
            for state in walk(players, seed):
                if state.game.phase(state) not in told:
                    told[state.game.phase(state)] = drawn(state).splitlines()[0].rstrip()
    forms = {
        "hands": "chance: the hands are to be dealt", "pool": "chance: the pool is to be filled",
        "orchard": "chance: the next orchard card", "stacks": "chance: feeding tiles are to be turned up",
        "first": "chance: who gets the Sticky Leaf", "draw": "chance: player . is to draw two cards",
        "reveal": "player 0 to choose a card", "target": "player . to place a Harlequin",
        "bed": "player . to place a flowerbed", "draft": "player . to take a card", "tile": "player . to use a garden tile",
        "place": "player . to place another card", "card": "player . to take an orchard card",
        "feed": "player . to take a feeding tile", "discard": "player . to discard", "over": "the game is over",
    }  # fmt: skip
    assert set(told) == set(forms)
    for phase, form in forms.items():
        assert re.fullmatch(rf"Ladybird · day [1-5], round [1-5] of [1-5] · {form}", told[phase]), told[phase]
    assert told["hands"].startswith("Ladybird · day 1, round 1 of 1 ")
    assert told["over"].startswith("Ladybird · day 5, round 5 of 5 ")


def test_what_is_unlocked() -> None:
    hands = [{"count": 4}, ["RED", "PPT", "RPD"], {"count": 3}]
    none = example(hands=hands, discards=[], pool=["H RAD OAV", "--- --- GAD", "OES --- H"])
    assert line_of(drawn(none, 1), "unlocked") == "larvae, none in the pool: two cards of the deck instead"
    tableaus = copy.deepcopy(EXAMPLE["state"]["tableaus"])
    for other in (0, 2):   # without columns to invade
        for name in ("columns", "life_cycles", "flowerbeds"):
            tableaus[other].pop(name, None)
    harlequin = example(unlocks="none", tableaus=tableaus, discards=["H"])
    assert line_of(drawn(harlequin, 1), "unlocked") == "nothing but Harlequins: the one revealed had no column to invade"


def test_the_end() -> None:
    *_, state = walk(2, 1)
    picture = drawn(state)
    assert "▶" not in picture
    assert "\npool" not in picture
    assert "\nunlocked" not in picture


def test_without_a_unicode_terminal_it_is_ascii() -> None:
    picture = drawn(state_of(EXAMPLE), 1, encoding="ascii")
    assert picture.startswith("Ladybird - day 4, round 2 of 4 - player 1 to take a card")
    assert "> player 1" in picture
    assert "a    >OLD >RLD  OAV" in picture


def test_colour_only_adds() -> None:
    for number, state in enumerate(walk(4, 5)):
        if number % 60 == 0:
            coloured = drawn(state, force_terminal=True, color_system="truecolor")
            assert "\x1b[" in coloured
            assert "\x1b" not in drawn(state)
            assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == drawn(state)


def test_only_what_is_assumed_is_called_assumed() -> None:
    components = copy.deepcopy(read_components(GAME).data)
    components["memories"]["more"] = 12
    components["tiles"][0]["cost"] = 3
    state = GAME.load(2, {}, components).start(1)
    *_, last = drawn(state).rstrip().split("assumed, not printed: ")
    assert " ".join(last.split()) == "most names, how many cards are alike and the orchard cards of a colour"


# Positions


def test_the_example_is_that_of_the_documentation_and_fits_the_schema() -> None:
    assert EXAMPLE in SPOKEN.positions_of_the_page()
    validator = Draft202012Validator(position_schema(GAME))
    validator.validate(EXAMPLE)
    for players in (1, 2, 4):
        for number, state in enumerate(walk(players, players)):
            for observer in (ALL, number % players) if number % 7 == 0 else ():
                validator.validate(position_dict(state, observer))
    for path, value in ((("tableaus", 0, "used"), ["picnics"]), (("pool",), ["OLD RLD OAV"]), (("hands", 0), "BLS")):
        broken = copy.deepcopy(EXAMPLE)
        place = broken["state"]
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = value
        assert not validator.is_valid(broken)


def test_the_picture_of_the_readme_is_a_position() -> None:
    text = (Path(__file__).parent.parent / "docs/images/ladybird.json").read_text(encoding="utf-8")
    game, state = parse_position(text)
    assert game is GAME
    assert state.game.phase(state) == "target"


def test_the_documentation_has_the_components() -> None:
    page = (Path(__file__).parent.parent / "docs/games/ladybird.md").read_text(encoding="utf-8")
    game = garden_ai.load("ladybird", 2)
    tables = {row[0]: row[1] for row in re.findall(r"^\| ([TVSDOYH, ]+), (?:seven|six)[a-z ]* \| (.*) \|$", page, re.MULTILINE)}
    times = {"": 1, "twice": 2, "three times": 3, "four times": 4}
    found: Counter[str] = Counter()
    for letters, tiles in tables.items():
        for name, often in re.findall(r"`([^`]+)` ?([a-z ]*)", tiles):
            for letter in letters.split(", ") if ", " in letters else [""]:
                found[letter + name] += times[often.strip()]
    assert found == {name: count for name, *_, count in game.tiles}
    assert all(f"{name} {letter}" in page for name, letter in zip(game.types, game.type_letters, strict=True))
    memories = ", ".join(str(game.memory_points(count)) for count in range(1, 11))
    assert memories in page
    assert game.memory_points(12) == game.memory_points(10) + 2 * 10


# Words


def test_names_of_the_components() -> None:
    game = garden_ai.load("ladybird", 2)
    assert [GAME.phrases(game, name) for name in game.component_names] == [
        "the orchard cards", "the life cycles", "the flowerbeds", "the feeding tiles", "the memories", "the aphids",
    ]  # fmt: skip


def test_a_draft() -> None:
    state = state_of(EXAMPLE)
    assert told(state, "a2") == ("clears column 2: a memory for 4 points", "takes RLD")
    assert told(state, "a1") == ("takes OLD",)
    fed = {"feeding": ["V2:m", "O1:2h", "O3:5"]}
    tops = copy.deepcopy(EXAMPLE["state"]["stacks"])
    tops[0]["below"], tops[1]["below"] = 4, 4
    assert told(example(fed, stacks=tops), "b1") == ("takes RLO", "will feed it for 4 points")
    hands = [{"count": 4}, ["RED", "PPT", "RPD"], {"count": 3}]
    only = example(pool=["PLD RAD OAV", "GAD --- ---", "--- --- H"], hands=hands)
    assert told(only, "a1") == ("takes PLD, the only larva of the pool",)
    assert told(only, "c3") == ("clears row c: a memory for 4 points", "takes a Harlequin")
    corner = example(pool=["--- RAD OAV", "--- --- GAD", "RLD --- ---"])
    assert told(corner, "c1") == ("clears row c and column 1: two memories for 9 points", "takes RLD, the only larva of the pool")
    none = example(pool=["RAD --- OAV", "--- OPS GAD", "--- --- H"])
    assert told(none, "draw") == ("draws two cards of the 68 in the deck",)
    columns = {**EXAMPLE["state"]["tableaus"][1]["columns"], "red": ["RPV", "RES", "RAT", "RPO"], "green": ["GES"]}
    cycle = example({"columns": columns}, pool=["OLD RLD OAV", "RLO GLD GAD", "OES --- ---"])
    assert told(cycle, "b1") == ("takes RLO", "could complete the life cycle in red")
    assert told(cycle, "b2") == ("takes GLD", "could complete row 2")


def test_placing_a_card() -> None:
    state = after(state_of(EXAMPLE), "b1", "rose")
    assert told(state, "place RED") == (
        "completes the life cycle in red: +3 for each of 5 cards",
        "adds a card to red for 18 points",
        "unlocks larvae (2 in the pool)",
    )
    assert told(state, "place RLO") == ("adds a card to red for 3 points", "unlocks pupae (none in the pool)")
    hands = [{"count": 4}, ["GED", "PPT", "H", "RLO"], {"count": 3}]
    tableaus = copy.deepcopy(EXAMPLE["state"]["tableaus"])
    tableaus[0]["columns"]["green"].remove("GED")
    tableaus[0]["life_cycles"] = []
    tableaus[1]["used"] = ["shed", "rose"]
    pool = ["OLD RLD OAV", "--- --- GAD", "OES --- ---"]
    row = example(None, ("unlocks",), phase="place", hands=hands, tableaus=tableaus, pool=pool)
    assert told(row, "GED") == ("completes row 2: a flowerbed", "adds a card to green", "unlocks larvae (2 in the pool)")


def test_a_life_cycle_that_was_lost_is_won_again_only_with_the_option() -> None:
    hands = [{"count": 4}, ["RED", "PPT", "H", "RLO"], {"count": 3}]
    columns = {**EXAMPLE["state"]["tableaus"][1]["columns"], "red": ["RPV", "RAT", "RLV", "H"]}
    lost = {"columns": columns, "used": ["shed", "rose"], "lost": ["red"]}
    fields = {"phase": "place", "hands": hands, "pool": ["OLD RLD OAV", "--- --- GAD", "OES --- ---"]}
    assert told(example(lost, ("unlocks",), **fields), "RED")[0] == "adds a card to red for 3 points"
    state = copy.deepcopy({name: value for name, value in EXAMPLE["state"].items() if name != "unlocks"})
    state["tableaus"][1] |= {name: value for name, value in lost.items() if name != "lost"}
    again = state_of({**EXAMPLE, "options": {"life_cycle_regain": True}, "state": {**state, **fields}})
    assert told(again, "RED")[0] == "completes the life cycle in red: +3 for each of 5 cards"


def invading(card: str = "GPY", **fields: Any) -> State:
    """Player 1 with a Harlequin that may take this card from the green column of player 0."""
    tableaus = copy.deepcopy(EXAMPLE["state"]["tableaus"])
    green = tableaus[0]["columns"]["green"]
    green.remove(card)
    green.append(card)
    tableaus[1]["columns"]["red"].remove("RPO")
    hands = [{"count": 4}, ["RED", "PPT", "BET"], {"count": 3}]
    own = {"hands": hands, "revealed": [None, "H", "GLT"], "tableaus": tableaus, **fields}
    return example(None, ("unlocks",), phase="target", **own)


def test_a_harlequin_invades() -> None:
    assert told(invading(), "0 green") == (
        "steals player 0's green top GPY",
        "completes row 2: a flowerbed",
        "adds a card to green",
        "unlocks adults (2 in the pool)",
    )
    assert told(invading("GLY"), "0 green")[:2] == (
        "steals player 0's green top GLY and breaks the life cycle there: -3 for each of 7 cards",
        "costs player 0 21 points",
    )
    assert told(invading(), "2 blue") == (
        "steals player 2's blue top BPT",
        "costs player 2 2 points",
        "adds a card to blue",
        "unlocks adults (2 in the pool)",
    )
    tableaus = invading().view(ALL)["tableaus"]
    tableaus[2]["feeding"] = ["H3:1h"]
    assert told(invading(tableaus=tableaus), "2 orange")[:2] == (
        "steals player 2's orange top OPD",
        "brings player 2 3 points",
    )


def test_what_a_harlequin_may_do_when_it_is_chosen() -> None:
    tableaus = copy.deepcopy(EXAMPLE["state"]["tableaus"])
    for tableau in tableaus:
        tableau["used"] = tableau["used"][:1]
    tableaus[1]["columns"]["red"].remove("RPO")
    tableaus[0]["columns"]["green"] = ["GED", "GLY", "GAS", "GPY"]
    hands = [["BLT", "GPD", "PEV", "H"], {"count": 4}, {"count": 4}]
    fields = {"hands": hands, "tableaus": tableaus, "phase": "reveal", "round": 8, "pool": EXAMPLE["state"]["pool"]}
    state = copy.deepcopy({**EXAMPLE["state"], **fields})
    for name in ("unlocks", "revealed", "turn"):
        del state[name]
    chosen = state_of({**EXAMPLE, "to_move": 0, "state": state})
    assert told(chosen, "H") == ("may steal any of 8 top cards",)
    hands = [{"count": 4}, ["BLT", "GPD", "PEV", "H"], {"count": 4}]
    chosen = state_of({**EXAMPLE, "to_move": 1, "state": {**state, "hands": hands, "revealed": ["hidden", None, None]}})
    assert told(chosen, "H") == ("may steal any of 6 top cards", "may break a life cycle with GPY of player 0")
    start = dealt()
    assert told(start, "H") == ("finds no column to invade so far",)
    # what it does when it lies there already is that of the card chosen, whoever has chosen last
    for first in (0, 1):
        last = after(dealt(first), "GPD")
        assert told(last, "RED") == ("adds a card to red", "unlocks larvae (2 in the pool)")


def dealt(first: int = 0) -> State:
    """The first choice of a game for two."""
    state = garden_ai.load("ladybird", 2, first=first).start()
    hands = ("hand 0 BLT GPD PEV H", "hand 1 RED RES PPT H")
    pool = ("pool OES OLS OPS OAS", "pool GES GLS GPS GAS", "pool PES")
    return after(state, *hands, *pool, "orchard red blue red", "tiles S1:1 V2:m V2:m O1:2h", "tiles S2:3 D1:1 T3:5 H3:1h")


def alone(**fields: Any) -> State:
    """The third round of one who plays alone."""
    tableau = {"columns": {"red": ["RPV", "RET", "RLD", "RAS"]}, "life_cycles": ["red"], "used": ["rose"]}
    return example_alone(**{"round": 5, "tableaus": [tableau], "pool": ["OLD RLT OAV", "RLO --- GAD"], **fields})


def test_alone() -> None:
    state = alone(phase="target", revealed=["H"])
    assert told(state, "replace red") == (
        "replaces the red top RAS and breaks the life cycle there: -3 for each of 4 cards",
        "unlocks any card of the pool",
    )
    columns = {"red": ["RPV", "H"], "blue": ["BAY"]}
    again = alone(phase="target", revealed=["H"], tableaus=[{"columns": columns, "used": ["rose"]}])
    assert told(again, "replace red") == ("replaces a Harlequin by another", "unlocks any card of the pool")
    columns = {"red": ["RPV", "RET", "RLD", "RAS"], "blue": ["H"]}
    placed = alone(phase="draft", unlocks="any", tableaus=[{"columns": columns, "life_cycles": ["red"], "used": ["rose"]}])
    assert told(placed, "a2") == ("clears column 2", "takes RLT")
    tableaus = [{"columns": {"red": ["RPV"]}, "used": ["rose"]}]
    reveal = alone(round=5, hands=[["BLT", "GPD", "PEV", "H"]], tableaus=tableaus)
    assert told(reveal, "H") == ("will replace a top card", "unlocks any card of the pool")


def test_a_flowerbed() -> None:
    state = example({"flowerbeds": []}, phase="bed")
    assert told(state, "red") == ("raises red by 2 for each of 4 cards",)
    assert told(state, "green") == ("raises green by 2 for one card",)


def test_garden_tiles() -> None:
    state = after(state_of(EXAMPLE), "b1")
    assert told(state, "rose") == ("uses the Rose Garden to place another card and draft again",)
    assert told(state, "orchard") == ("uses the Orchard to take an orchard card",)
    assert told(state, "picnic") == ("uses the Picnic to take a feeding tile", "can choose from 8 kinds of them")
    poor = after(example({"aphids": 1, "memories": 3}), "b1")
    assert told(poor, "picnic")[1] == "can choose from S1:1, V2:m, T1:1 and O1:1"
    tableaus = copy.deepcopy(EXAMPLE["state"]["tableaus"])
    for tableau, names in zip(tableaus, (["rose"], [], []), strict=True):
        tableau["used"] = names
    hands = [{"count": 4}, ["RED", "PPT", "H", "RLO"], {"count": 3}]
    pool = ["OLD RLD OAV", "--- --- GAD", "OES --- ---"]
    tea = example(None, ("unlocks",), phase="tile", round=11, hands=hands, tableaus=tableaus, pool=pool)
    assert told(tea, "tea memory") == ("gains a memory for 4 points",)
    assert told(tea, "tea picnic")[0] == "uses Tea Time to take a feeding tile"
    assert told(tea, "shed orchard") == ("uses the Toolshed to take an orchard card",)
    flip = dealt().view(ALL) | {
        "to_move": 0, "phase": "tile", "turn": 0, "hands": [["H", "H", "H", "H"], {"count": 3}], "revealed": [None, "PED"],
    }  # fmt: skip
    del flip["deck"]
    assert told(dealt().game.build(flip), "rose") == ("flips the Rose Garden, which can do nothing now",)


def test_orchard_cards() -> None:
    state = after(state_of(EXAMPLE), "b1", "orchard")
    assert told(state, "purple") == (
        "raises purple by 1 for each of 3 cards",
        "takes 3 aphids",
        "leaves blue with 3 aphids and green with 5 aphids",
    )
    assert told(state, "green")[0] == "raises green by 1 for one card"
    columns = {name: cards for name, cards in EXAMPLE["state"]["tableaus"][1]["columns"].items() if name != "blue"}
    empty = after(example({"columns": columns, "flowerbeds": []}), "b1", "orchard")
    assert told(empty, "blue")[0] == "raises blue by 1 a card, for none yet"


def test_feeding_tiles() -> None:
    state = after(state_of(EXAMPLE), "b1", "picnic")
    assert told(state, "S2:3") == ("feeds Seven-spot ladybirds: +2 for each of 2 cards", "costs 3 aphids, leaves 3")
    assert told(state, "V2:m") == ("feeds Twenty-two-spot ladybirds: +2 for each of 3 cards", "leaves 1 card for more mildew")
    assert told(state, "Y3:5")[0] == "feeds Eyed ladybirds: +3 a card, for none yet"
    tops = copy.deepcopy(EXAMPLE["state"]["stacks"])
    tops[0]["top"] = "H3:1h"
    honey = after(example(stacks=tops), "b1", "picnic")
    assert told(honey, "1")[1:] == ("costs 1 aphid, leaves 5", "may take another tile")
    chain = after(honey, "1", "tiles S2:3")
    assert told(chain, "stop") == ("ends the picnic with 5 aphids left",)


def test_discards() -> None:
    tableaus = copy.deepcopy(EXAMPLE["state"]["tableaus"])
    tableaus[1]["used"], tableaus[2]["used"] = ["shed", "picnic"], ["rose", "orchard"]
    hands = [{"count": 4}, ["RED", "PPT", "H", "RLO", "GLS"], {"count": 4}]
    pool = ["OLD RLD OAV", "--- --- GAD", "OES --- ---"]
    state = example(None, ("unlocks", "revealed", "turn"), phase="discard", hands=hands, pool=pool, tableaus=tableaus)
    assert told(state, "GLS") == ("discards GLS and keeps RED, RLO, PPT and H",)


@pytest.mark.parametrize("players", [1, 2, 4])
def test_every_move_has_a_short_story(players: int) -> None:
    for state in walk(players, players):
        for action in state.legal_actions().tolist()[:5]:
            story = told(state, GAME.notation.format(state, action))
            assert 1 <= len(story) <= 4
            assert len(set(story)) == len(story)
            assert not any(character in text for text in story for character in ".;")


def test_what_is_told_does_not_depend_on_what_others_hold_or_have_chosen() -> None:
    for number, state in enumerate(walk(3, 3)):
        if state.actor >= 0 and number % 3 == 0:
            SPOKEN.assert_told_of_what_is_seen(state)
