"""Ladybird: component files, invariants of whole games, and positions as they are written, broken ones too."""

import random
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from battery import plain, play_on, walk
from garden_core.games.ladybird import PHASES, check_components
from garden_core.state import Game, State
from hypothesis import given
from ladybird_table import (
    COLOURS,
    OTHERS,
    all_cards,
    load,
    lying,
    position,
    small,
    stacks,
    tableau,
)
from mutation import assert_sound, changed, check_refused_or_sound, mutated, refusal, searching
from reference.ladybird import components_of
from spelt import phase, seen, steps

import garden_ai
from garden_ai import ALL, CHANCE, PUBLIC, TERMINAL, FieldError
from garden_ai.components import read_components
from garden_ai.games import definition

DEFINITION = definition("ladybird")
GARDEN = ["rose", "orchard", "picnic", "shed", "tea"]

# --- component files ---


def components(path: tuple[Any, ...] = (), value: Any = None) -> dict[str, Any]:
    """The plain data with another value at a place; `...` takes it out."""
    data = components_of()
    return changed(data, path, value) if path else data


BROKEN_FILES: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("no table of tiles", ("tiles",), ..., "tiles"),
    ("no table of cards", ("cards",), ..., "cards"),
    ("four colours", ("colours", "names"), ["red", "blue", "orange", "green"], "colours.names"),
    ("a colour twice", ("colours", "names", 1), "red", "colours.names[1]"),
    ("a letter twice", ("colours", "letters", 1), "R", "colours.letters[1]"),
    ("a letter that is two", ("colours", "letters", 1), "BL", "colours.letters[1]"),
    ("the Harlequin's letter for a colour", ("colours", "letters", 1), "H", "colours.letters[1]"),
    ("a small letter", ("colours", "letters", 1), "b", "colours.letters[1]"),
    ("an unknown key of colours", ("colours", "hue"), 3, "colours.hue"),
    ("seven types", ("types", "names"), ["A", "B", "C", "D", "E", "F", "G"], "types.names"),
    ("the Harlequin's letter", ("types", "letters", 2), "H", "types.letters[2]"),
    ("a type's letter twice", ("types", "letters", 2), "T", "types.letters[2]"),
    ("no letters of types", ("types", "letters"), ..., "types.letters"),
    ("harlequins below none", ("cards", "harlequins"), -1, "cards.harlequins"),
    ("too many harlequins", ("cards", "harlequins"), 33, "cards.harlequins"),
    ("harlequins that are text", ("cards", "harlequins"), "8", "cards.harlequins"),
    ("no red cards", ("cards", "red"), ..., "cards.red"),
    ("cards of an unknown colour", ("cards", "pink"), ["T", "T", "T", "T"], "cards.pink"),
    ("three states", ("cards", "red"), ["T", "T", "T"], "cards.red"),
    ("an unknown type", ("cards", "red", 2), "TVX", "cards.red[2]"),
    ("a Harlequin with a state", ("cards", "red", 2), "TVH", "cards.red[2]"),
    ("types that are a number", ("cards", "red", 2), 6, "cards.red[2]"),
    ("sixteen of one sort", ("cards", "red", 2), "T" * 16, "cards.red[2]"),
    ("a card too many", ("cards", "red", 2), "TVSDOYY", "cards"),
    ("four numbers of orchard cards", ("orchard", "cards"), [5, 5, 5, 5], "orchard.cards"),
    ("sixteen orchard cards of a colour", ("orchard", "cards", 1), 16, "orchard.cards[1]"),
    ("fewer than none of a colour", ("orchard", "cards", 1), -1, "orchard.cards[1]"),
    ("two orchard cards", ("orchard", "cards"), [1, 1, 0, 0, 0], "orchard.cards"),
    ("sixty-one orchard cards", ("orchard", "cards"), [15, 15, 15, 15, 1], "orchard.cards"),
    ("no memories", ("memories", "points"), [], "memories.points"),
    ("forty-one memories", ("memories", "points"), [1] * 41, "memories.points"),
    ("memories that lose points", ("memories", "points", 2), 2, "memories.points[2]"),
    ("memories worth too much", ("memories", "points", 9), 501, "memories.points[9]"),
    ("further memories worth too much", ("memories", "more"), 101, "memories.more"),
    ("further memories worth nothing said", ("memories", "more"), ..., "memories.more"),
    ("tiles that are a table", ("tiles",), {}, "tiles"),
    ("no tiles", ("tiles",), [], "tiles"),
    ("an unknown key of a tile", ("tiles", 4, "colour"), "red", "tiles[4].colour"),
    ("a tile without a cost", ("tiles", 4, "cost"), ..., "tiles[4].cost"),
    ("a tile of an unknown type", ("tiles", 4, "type"), "X", "tiles[4].type"),
    ("a tile worth nothing", ("tiles", 4, "points"), 0, "tiles[4].points"),
    ("a tile worth ten", ("tiles", 4, "points"), 10, "tiles[4].points"),
    ("a tile that costs too much", ("tiles", 4, "cost"), 21, "tiles[4].cost"),
    ("honeydew that is a number", ("tiles", 4, "honeydew"), 1, "tiles[4].honeydew"),
    ("a threshold too high", ("tiles", 25, "threshold"), 10, "tiles[25].threshold"),
    ("a mildew tile with a cost", ("tiles", 25, "cost"), 1, "tiles[25].threshold"),
    ("a mildew tile with honeydew", ("tiles", 25, "honeydew"), True, "tiles[25].threshold"),
    ("no tile of a kind", ("tiles", 4, "count"), 0, "tiles[4].count"),
    ("sixteen tiles of a kind", ("tiles", 4, "count"), 16, "tiles[4].count"),
    ("forty-seven tiles", ("tiles", 25, "count"), 3, "tiles"),
    ("fifty-six tiles", ("tiles", 25, "count"), 12, "tiles"),
]


def test_the_components_fit() -> None:
    """The game's own file says what the reference says, and which of it is assumed."""
    check_components(components())
    data = dict(read_components(DEFINITION).data)
    same = components_of()
    assert sorted(data.pop("tiles"), key=str) == sorted(same.pop("tiles"), key=str)
    assert data == same
    assert all_cards(load())["H"] == 8


@pytest.mark.parametrize(("place", "value", "path"), [pytest.param(*case[1:], id=case[0]) for case in BROKEN_FILES])
def test_broken_component_files_are_refused_by_their_place(place: tuple[Any, ...], value: Any, path: str) -> None:
    data: Any = components_of()
    if value is not ... and isinstance(place[-1], str):
        inner = data
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = value
    else:
        data = components(place, value)
    with pytest.raises(FieldError) as error:
        check_components(data)
    assert error.value.path == path
    assert error.value.expected
    assert "\n" not in str(error.value)


def test_two_rows_of_one_kind_of_tile_are_refused_by_the_second() -> None:
    data = components_of()
    data["tiles"][1] = {**data["tiles"][0], "count": 2}
    with pytest.raises(FieldError) as error:
        check_components(data)
    assert (error.value.path, "tiles[0]" in error.value.expected) == ("tiles[1]", True)


def test_unknown_tables_are_refused() -> None:
    with pytest.raises(FieldError) as error:
        check_components({**components_of(), "weather": {}})
    assert error.value.path == "weather"


@pytest.mark.parametrize(("players", "least"), [(1, 34), (2, 65), (3, 93), (4, 121)])
def test_a_file_may_have_enough_cards_for_few_players_only(players: int, least: int) -> None:
    colours = ("red", "blue", "orange", "green", "purple")
    each, more = divmod(least, 20)
    types = {colour: ["TVSDOYTV"[:each]] * 4 for colour in colours}
    game = small(players, types, harlequins=more)
    assert sum(game.copies) == least
    state = walk(game, 1).states[-1]
    assert state.actor == TERMINAL
    with pytest.raises(FieldError) as error:
        small(players, {**types, "red": ["TVSDOYTV"[:each - 1], *types["red"][1:]]}, harlequins=more)
    assert error.value.path == "cards"
    if players > 1:
        small(players - 1, types, harlequins=more)


def test_a_file_that_is_not_enough_is_named_with_the_line(tmp_path: Path) -> None:
    """For three players it would do."""
    lines = [line.replace("harlequins = 8", "harlequins = 0") for line in DEFINITION.components_file.read_text().splitlines()]
    file = tmp_path / "components.toml"
    file.write_text("\n".join(lines))
    garden_ai.load("ladybird", 3, file)
    with pytest.raises(FieldError) as error:
        garden_ai.load("ladybird", 4, file)
    number = next(i for i, line in enumerate(lines, 1) if line.startswith("[cards]"))
    assert str(error.value).startswith(f"{file}:{number}: cards: expected at least 121 cards for 4 players; got 120")


def test_cards_that_are_equal_count_as_so_many() -> None:
    game = small(2, {"red": ["TTTT", "T", "", "TVV"]})
    assert {face: count for face, count in all_cards(game).items() if face[0] == "R"} == {"RET": 4, "RLT": 1, "RAT": 1, "RAV": 2}
    state = game.build(position(game, hand=["RET", "RET", "RLT", "BLD"]))
    assert steps(state) == [("reveal", "RET"), ("reveal", "RLT"), ("reveal", "BLD")]
    assert lying(seen(state))["RET"] == 2


def test_loading_the_same_again_gives_the_same_game() -> None:
    assert small() is small()
    assert small(2, harlequins=7) is not small()


# --- invariants ---


def assert_in_order(game: Game, state: State) -> None:
    """What is true of every position."""
    view = seen(state)
    rest = all_cards(game) - lying(view)
    assert lying(view) <= all_cards(game)
    assert sum(rest.values()) == view["deck"]
    orchards = Counter(card["card"] for card in view["orchard"] if card)
    feeding = Counter(stack["top"] for stack in view["stacks"] if stack["top"])
    for own in view["tableaus"]:
        assert_tableau_in_order(game, view, own)
        orchards.update(own.get("orchards", {}))
        feeding.update(own.get("feeding", []))
    for colour, count in zip(game.colours, game.components_data["orchard"]["cards"], strict=True):
        assert orchards[colour] <= count
    assert sum(orchards.values()) + view["orchard_deck"] == sum(game.components_data["orchard"]["cards"])
    assert all(feeding[name] <= count for name, *_, count in game.tiles)
    below = sum(stack["below"] for stack in view["stacks"])
    assert sum(feeding.values()) + below == sum(count for *_, count in game.tiles)
    if view["phase"] not in ("hands", "pool"):
        rows = [row.split() for row in view["pool"]]
        assert not [line for line in (*rows, *zip(*rows, strict=True)) if set(line) == {"---"}]
    for seat, hand in enumerate(view["hands"]):
        assert Counter(hand["known"]) <= Counter(hand["cards"])
        assert hand["count"] == len(hand["cards"]) <= 6
        assert view["phase"] not in ("reveal", "over") or hand["count"] == 4
        assert state.scores()[seat] == sum(state.components()[seat].values())


def assert_tableau_in_order(game: Game, view: dict[str, Any], own: dict[str, Any]) -> None:
    columns = own["columns"]
    for colour, cards in columns.items():
        assert {card[0] for card in cards} - {"H"} <= {COLOUR_LETTERS[colour]}
        whole = len({card[1] for card in cards if card != "H"}) == 4
        has, lost = colour in own.get("life_cycles", []), colour in own.get("lost", [])
        assert has <= whole <= (has or lost)
        assert not lost or (not has and not game.options["life_cycle_regain"])
    lowest = min(len(columns.get(colour, [])) for colour in game.colours)
    beds = own.get("flowerbeds", [])
    assert len(set(beds)) == len(beds)
    assert lowest - (view["phase"] == "bed") <= len(beds) <= lowest
    assert set(own.get("life_cycles", [])) <= set(columns)
    assert own["aphids"] >= 0


COLOUR_LETTERS = {colour: letter for letter, colour in COLOURS.items()}


@pytest.mark.parametrize("players", range(1, 5))
@pytest.mark.parametrize("regain", [False, True])
def test_invariants_of_games(players: int, regain: bool) -> None:
    """After every action; and what each player has done in the end."""
    game = load(players, life_cycle_regain=regain)
    for seed in range(6):
        path = walk(game, seed, policy=seed % 2 == 1)
        done: Counter[tuple[Any, ...]] = Counter()
        for number, state in enumerate(path.states):
            assert_in_order(game, state)
            if state.actor >= 0:
                step = game.step(state, path.ids[number])
                done[(phase(state), state.actor)] += 1
                if phase(state) == "tile":
                    done[(step[0], state.actor)] += 1
                    flipped = step[-1] in ("rose", "place") and phase(path.states[number + 1]) != "place"
                    done[("flipped", state.actor)] += flipped
        end = path.states[-1]
        assert end.actor == TERMINAL
        view = seen(end)
        fizzled = fizzles(game, path.states, path.ids)
        assert sum(len(own.get("flowerbeds", [])) for own in view["tableaus"]) <= 16
        for seat, own in enumerate(view["tableaus"]):
            assert done[("reveal", seat)] == done[("tile", seat)] == 15
            assert [done[(tile, seat)] for tile in GARDEN] == [5, 4, 3, 2, 1]
            assert set(own["used"]) == set(GARDEN)
            cards = sum(map(len, own["columns"].values()))
            assert cards == 15 + done[("place", seat)] - fizzled[seat]
            # a card for every reveal, Rose Garden and use of the Toolshed as such, but for those without effect
            assert 20 <= cards + fizzled[seat] + done[("flipped", seat)] <= 22


def fizzles(game: Game, states: list[State], ids: list[int]) -> Counter[int]:
    """Revealed Harlequins that brought their players no card: without a target and, alone, all."""
    found: Counter[int] = Counter()
    hands: dict[int, bool] = {}   # whether a Harlequin has been revealed by each, not placed yet
    for state, action in zip(states, ids, strict=False):
        if state.actor < 0:
            continue
        step = game.step(state, action)
        if step[0] == "reveal":
            hands[state.actor] = step[1] == "H"
        elif step[0] == "invade":
            hands[state.actor] = game.players == 1
        elif phase(state) == "tile":   # the card revealed is placed by now, if it is at all
            found[state.actor] += hands[state.actor]
    return found


@pytest.mark.parametrize(("players", "mean"), [(2, 110), (3, 113), (4, 114)])
def test_points_of_random_play(players: int, mean: int) -> None:
    """As in an independent simulation, with the deck used up with four players only, in about half of the games."""
    points, shuffled, games = [], 0, 240
    for seed in range(games):
        state = load(players).start(seed)
        play_on(state, random.Random(seed))
        points += state.scores()
        shuffled += "shuffles" in seen(state, PUBLIC)
    assert abs(sum(points) / len(points) - mean) < 3
    assert 0.25 * games < shuffled < 0.75 * games if players == 4 else shuffled == 0


# --- positions ---


def base(**changes: Any) -> dict[str, Any]:
    """A whole position of two players in the fifth round, with some fields changed; None leaves one out.

    Player 1 had the first turn; player 0 has placed BET and is to draft a larva.
    """
    fields = {
        "to_move": 0, "phase": "draft", "round": 5, "first": 1, "turn": 1, "unlocks": "larva",
        "hands": [{"count": 3, "cards": ["RES", "BLS", "H"], "known": ["BLS"]}, {"count": 5, "known": ["GAT"]}],
        "revealed": [None, None],
        "tableaus": [
            {"columns": {"red": ["RET", "RLT", "RPT", "RAT"], "blue": ["BET"]}, "orchards": {"red": 2}, "life_cycles": ["red"],
             "feeding": ["T1:1"], "aphids": 3, "memories": 1, "used": ["rose"]},
            {"columns": {"red": ["REV"], "blue": ["BEV", "H"], "orange": ["OEV"], "green": ["GEV"], "purple": ["PEV"]},
             "flowerbeds": ["blue"], "feeding": ["V2:m"], "aphids": 0, "memories": 0, "used": ["orchard", "picnic"]},
        ],
        "pool": ["OES OLS ---", "OAS GES GLS", "GPS --- PES"],
        "orchard": [{"card": "red", "aphids": 2}, {"card": "red", "aphids": 3}, {"card": "green", "aphids": 4}],
        "orchard_deck": 20, "stacks": stacks(load(), owned=2), "discards": ["RED", "H"], "deck": 100, **changes,
    }
    return {name: value for name, value in fields.items() if value is not None}


def at(*path: Any, value: Any, **changes: Any) -> dict[str, Any]:
    """The same with another value at a place; `...` takes it out."""
    fields: dict[str, Any] = base(**changes)
    if value is ... or isinstance(path[-1], int):
        return dict(changed(fields, path, value))
    inner = fields
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return fields


def tableau_0(**changes: Any) -> dict[str, Any]:
    """Player 0's tableau with other fields; the number of cards in the deck is not said."""
    fields = base(deck=None)
    fields["tableaus"][0].update(changes)
    return fields


def tableau_1(**changes: Any) -> dict[str, Any]:
    fields = base(deck=None)
    fields["tableaus"][1].update(changes)
    return fields


def pool(*rows: str, **changes: Any) -> dict[str, Any]:
    return base(pool=list(rows), deck=None, **changes)


def hand_1(**changes: Any) -> dict[str, Any]:
    fields = base(deck=None)
    hand = {**fields["hands"][1], **changes}
    fields["hands"][1] = {name: value for name, value in hand.items() if value is not ...}
    return fields


def morning(**changes: Any) -> dict[str, Any]:
    """All are to reveal, on the fifth day's first round."""
    return {name: value for name, value in {**position(), **changes}.items() if value is not None}


ITS = ["PEY", "PLY", "PPY"]
THREE = [["BLD", "OPD", "GAD"], ITS]   # hands before a draft


def turn(name: str, **changes: Any) -> dict[str, Any]:
    """The fifth day's first turn, player 0's."""
    hands = [["BLD", "OPD", "GAD", "RAD"], ITS]
    return morning(phase=name, **{"revealed": [None, "PAY"], "hands": hands, **changes})


def with_used(name: str, *used: str, **changes: Any) -> dict[str, Any]:
    return turn(name, tableaus=[{"used": list(used), **changes}, {}])


def test_the_base_is_a_position() -> None:
    """So that the broken ones below are broken by their changes."""
    game = load()
    state = game.build(base())
    assert (state.actor, phase(state)) == (0, "draft")
    assert steps(state) == [("take", "a2"), ("take", "b3")]
    assert plain(seen(state, 0)) == plain(base())
    for fields in (morning(), turn("tile"), with_used("place", "rose"), with_used("card", "orchard")):
        game.build(fields)


def test_what_follows_from_the_rest_may_be_left_out() -> None:
    game = load()
    state = game.build(base())
    for names in (["deck"], ["to_move"], ["orchard_deck"], ["revealed"], ["deck", "to_move", "orchard_deck", "revealed"]):
        assert plain(game.build(base(**dict.fromkeys(names))).view(0)) == plain(state.view(0))
    for path in (("hands", 0, "known"), ("hands", 1, "known"), ("tableaus", 1, "aphids"), ("tableaus", 1, "memories")):
        fields = at(*path, value=...)
        view = seen(game.build(fields), 0)
        for key in path:
            view = view[key]
        assert not view
    least = {name: value for name, value in morning().items() if name in ("hands", "tableaus", "pool", "orchard", "stacks")}
    view = seen(game.build(least))
    assert [view[name] for name in ("phase", "round", "first", "discards", "deck")] == ["reveal", 1, 0, [], 128 - 17]
    assert view["tableaus"] == [{"columns": {}, "aphids": 0, "memories": 0}] * 2


def test_a_hand_may_be_a_list() -> None:
    hands = seen(load().build(base(hands=[["H", "bls", "RES"], {"count": 5}])), 0)["hands"]
    assert hands == [{"count": 3, "cards": ["RES", "BLS", "H"], "known": []}, {"count": 5, "known": []}]


def test_cards_and_tiles_are_read_in_any_case() -> None:
    fields = base(pool=["oes OLS -", "oas gEs gls", "GPS --- pes"])
    fields["tableaus"][0]["feeding"] = ["t1:1"]
    assert load().build(fields) == load().build(base())


def test_what_is_hidden_is_any_card_that_lies_nowhere_else() -> None:
    state = load().build(base())
    named = lying({**base(), "hands": [{"cards": base()["hands"][0]["cards"]}, {"cards": []}]})
    free = all_cards(load()) - named
    found: set[str] = set()
    for seed in range(60):
        hand = seen(state.redeal(0, seed))["hands"][1]["cards"]
        assert "GAT" in hand
        assert Counter(hand) <= free
        found.update(hand)
    assert len(found) > 70


def test_a_choice_may_be_hidden_or_named() -> None:
    """By the order of seats: who chooses later has not chosen yet."""
    game = load(3)
    fields = position(game, revealed=["hidden", None, None])
    fields["hands"][0] = {"count": 4, "known": ["RED"]}
    state = game.build(fields)
    assert (state.actor, seen(state, 1)["revealed"]) == (1, ["hidden", None, None])
    assert {seen(state.redeal(1, seed))["revealed"][0] for seed in range(80)} > {"RED"}
    mine = game.build(position(game, revealed=["OPD", None, None]))
    assert (mine.actor, seen(mine, 0)["revealed"]) == (1, ["OPD", None, None])


MINE = ["RES", "BLS", "H"]
EVENING = {"phase": "discard", "tableaus": [{"used": ["tea"]}] * 2}
NO_STACKS = [{"top": None, "below": 6}] * 8
DEALING = {"phase": "hands", "round": 1, "stacks": NO_STACKS, "orchard": [None] * 3, "pool": ["--- --- ---"] * 3}
REFILL = ["OES --- OPS", "OAS --- GLS", "GPS --- PES"]

BROKEN: list[tuple[str, Any, str]] = [
    ("nothing", None, ""),
    ("a list", [], ""),
    ("an unknown field", base(weather="fine"), "weather"),
    *((f"no {name}", base(**{name: None}), name) for name in ("hands", "tableaus", "pool", "orchard", "stacks")),
    # phase, round, turn
    ("an unknown phase", base(phase="winter"), "phase"),
    ("a phase that is a number", base(phase=3), "phase"),
    ("no round", base(round=0), "round"),
    ("a round too many", base(round=16), "round"),
    ("a round that is text", base(round="5"), "round"),
    ("a round that is true", base(round=True), "round"),
    ("over in mid-game", morning(phase="over"), "round"),
    ("a first seat that nobody has", base(first=2), "first"),
    ("a first seat that is true", base(first=True), "first"),
    ("a third turn", base(turn=2), "turn"),
    ("a turn that is text", base(turn="1"), "turn"),
    ("a turn while cards are chosen", morning(turn=0), "turn"),
    ("a turn before all turns are finished, discarding", morning(turn=1, **EVENING), "turn"),
    ("another turn", base(turn=0), "tableaus[1].used"),
    ("nobody of that seat", base(to_move=2), "to_move"),
    ("another to move", base(to_move=1), "to_move"),
    ("a seat that is true", base(to_move=False), "to_move"),
    ("chance to move", base(to_move=CHANCE), "to_move"),
    # what is unlocked
    ("nothing unlocked", base(unlocks=None), "unlocks"),
    ("something unknown unlocked", base(unlocks="cocoon"), "unlocks"),
    ("a state that is a number", base(unlocks=1), "unlocks"),
    ("no state unlocked without a Harlequin among the discards", base(unlocks="none", discards=["RED"], deck=None),
     "unlocks"),
    ("no state unlocked though a Harlequin could invade", base(unlocks="none"), "unlocks"),
    ("any card unlocked with others", base(unlocks="any"), "unlocks"),
    ("a state that no top card unlocks", base(unlocks="adult"), "unlocks"),
    ("something unlocked in another phase", turn("tile", unlocks="larva"), "unlocks"),
    ("no state unlocked by a garden tile", base(unlocks="none", extra=True), "unlocks"),
    ("no state unlocked where a flowerbed goes", base(phase="bed", unlocks="none"), "unlocks"),
    ("an extra card in another phase", turn("tile", extra=True), "extra"),
    ("an extra that is a number", base(extra=1), "extra"),
    ("an extra card without a tile used", base(extra=True), "tableaus[0].used"),
    ("a chain in another phase", base(chain=True), "chain"),
    ("a chain that is text", base(chain="yes"), "chain"),
    # hands
    ("hands that are text", base(hands="RES"), "hands"),
    ("one hand", base(hands=[MINE]), "hands"),
    ("three hands", base(hands=[MINE, {"count": 4}, {"count": 4}]), "hands"),
    ("a hand that is text", base(hands=[MINE, "GAT"]), "hands[1]"),
    ("an unknown field of a hand", hand_1(age=3), "hands[1].age"),
    ("no count", hand_1(count=...), "hands[1].count"),
    ("a count that is text", hand_1(count="5"), "hands[1].count"),
    ("a count that is too high", hand_1(count=7), "hands[1].count"),
    ("a count that is too low after a turn", hand_1(count=3), "hands[1]"),
    ("four cards in mid-turn", base(hands=[["RES", "BLS", "H", "RLD"], {"count": 5}], deck=None), "hands[0]"),
    ("two cards in mid-turn", base(hands=[["RES", "BLS"], {"count": 5}], deck=None), "hands[0]"),
    ("five cards before the reveal", morning(hands=[["RED", "BLD", "OPD", "GAD", "RAD"], list(OTHERS[0])]), "hands[0]"),
    ("three cards before the reveal", morning(hands=[["RED", "BLD", "OPD"], list(OTHERS[0])]), "hands[0]"),
    ("five cards of one who has not had his turn", turn("tile", hands=[["BLD", "OPD", "GAD", "RAD"], {"count": 5}]), "hands[1]"),
    ("nobody who must discard", morning(**EVENING), "hands"),
    ("more known cards than cards", hand_1(known=["GAT", "GAV", "GAD", "GAO", "GAY", "PAT"]), "hands[1].known"),
    ("known cards that are text", hand_1(known="GAT"), "hands[1].known"),
    ("a known card of another hand", hand_1(known=["RES"]), "hands[1].known[0]"),
    ("a known card of the pool", hand_1(known=["OES"]), "hands[1].known[0]"),
    ("a card known twice", hand_1(known=["GAT", "GAT"]), "hands[1].known[1]"),
    ("an unknown card known", hand_1(known=["XAT"]), "hands[1].known[0]"),
    ("a known card that is not there", at("hands", 0, "known", value=["GAD"]), "hands[0].known"),
    ("a card of the hand known twice", at("hands", 0, "known", value=["BLS", "BLS"]), "hands[0].known"),
    ("a count that contradicts the cards", at("hands", 0, "count", value=4), "hands[0].count"),
    ("an unknown card", at("hands", 0, "cards", 0, value="RXS"), "hands[0].cards[0]"),
    ("a card that is a number", at("hands", 0, "cards", 0, value=7), "hands[0].cards[0]"),
    ("cards that are text", at("hands", 0, "cards", value="RES"), "hands[0].cards"),
    ("a card twice in a hand", at("hands", 0, "cards", 0, value="BLS"), "hands[0].cards[1]"),
    ("a card of the hand in the pool", at("hands", 0, "cards", 0, value="OES"), "hands[0].cards[0]"),
    ("a card of the hand in a column", at("hands", 0, "cards", 0, value="RET"), "hands[0].cards[0]"),
    ("a card of the hand among the discards", at("hands", 0, "cards", 0, value="RED"), "hands[0].cards[0]"),
    ("from a shuffle that was not", hand_1(**{"from": [1, 4]}), "hands[1].from"),
    ("since a shuffle that was not", at("hands", 0, "since", value=[1, 0]), "hands[0].since[0]"),
    ("since that is not of each card", at("hands", 0, "since", value=[0]), "hands[0].since"),
    ("since of a hand that is not shown", hand_1(since=[0]), "hands[1].since"),
    # shuffles
    ("shuffles that are text", base(shuffles="RES"), "shuffles"),
    ("a shuffle that is text", base(shuffles=["RES"]), "shuffles[0]"),
    ("a shuffle without counts", base(shuffles=[["RES", "GAV"]]), "hands[1].from"),
    ("counts that are not all", base(shuffles=[["GAV"]], hands=[MINE, {"count": 5, "from": [1, 3]}]), "hands[1].from"),
    ("fewer cards than counted", base(shuffles=[["GAV"]], hands=[MINE, {"count": 5, "from": [2, 3]}]), "shuffles[0]"),
    ("a card of a shuffle in the pool", base(shuffles=[["OES"]], hands=[MINE, {"count": 5, "from": [1, 4]}]), "shuffles[0]"),
    # cards revealed
    ("one card revealed", base(revealed=[None]), "revealed"),
    ("revealed cards that are text", base(revealed="RES"), "revealed"),
    ("a revealed card that has been placed", base(revealed=[None, "PAY"], deck=None), "revealed[1]"),
    ("no revealed card of one who waits", turn("tile", revealed=[None, None]), "revealed[1]"),
    ("a hidden card of one who waits", turn("tile", revealed=[None, "hidden"]), "revealed[1]"),
    ("a revealed card that lies elsewhere", turn("tile", revealed=[None, "BLD"]), "hands[0].cards[0]"),
    ("cards revealed after the turns", morning(revealed=[None, None], **EVENING), "revealed"),
    ("a choice that is not in the hand", morning(revealed=["RET", None]), "revealed[0]"),
    ("a hidden choice of a hand that is shown", morning(revealed=["hidden", None]), "revealed[0]"),
    ("a choice of a hidden hand that is not known", morning(revealed=["RED", None], hands=[{"count": 4}] * 2), "revealed[0]"),
    ("a choice by the later seat alone", morning(revealed=[None, "PAY"]), "revealed[1]"),
    ("choices of all", morning(revealed=["RED", "PAY"]), "revealed[1]"),
    ("a Harlequin's turn with another card", turn(
        "target", revealed=["RED", "PAY"], tableaus=[{}, tableau("RET")], hands=THREE), "revealed[0]"),
    ("a Harlequin without a target", turn("target", revealed=["H", "PAY"], hands=THREE), "phase"),
    # tableaus
    ("tableaus that are a table", base(tableaus={}), "tableaus"),
    ("one tableau", base(tableaus=[{}]), "tableaus"),
    ("an unknown field of a tableau", tableau_0(age=3), "tableaus[0].age"),
    ("columns that are a list", tableau_0(columns=[["RET"]]), "tableaus[0].columns"),
    ("a column of an unknown colour", tableau_0(columns={"pink": ["RET"]}), "tableaus[0].columns.pink"),
    ("a column that is text", tableau_0(columns={"red": "RET"}), "tableaus[0].columns.red"),
    ("a card of another colour", tableau_0(columns={"red": ["RET", "BET"]}), "tableaus[0].columns.red[1]"),
    ("an unknown card in a column", tableau_0(columns={"red": ["RET", "??"]}), "tableaus[0].columns.red[1]"),
    ("a card in two columns", tableau_1(columns={"red": ["RET"]}), "tableaus[1].columns.red[0]"),
    ("a card twice in a column", tableau_0(columns={"red": ["RET", "RET"]}), "tableaus[0].columns.red[1]"),
    ("nine Harlequins", tableau_1(columns={"red": ["H"] * 9}), "tableaus[1].columns.red[8]"),
    ("more cards than could be placed", tableau_0(
        columns={"red": ["RET", "RLT", "RPT", "RAT"], "blue": ["BED", "BEO", "BEY", "BES", "BET"]}), "tableaus[0].columns"),
    ("a life cycle without a full set", tableau_0(life_cycles=["red", "blue"]), "tableaus[0].life_cycles"),
    ("a full set without a life cycle", tableau_0(life_cycles=[]), "tableaus[0].life_cycles"),
    ("a life cycle that is lost as well", tableau_0(lost=["red"]), "tableaus[0].life_cycles"),
    ("a life cycle lost without a Harlequin", tableau_0(lost=["blue"]), "tableaus[0].lost"),
    ("a life cycle twice", tableau_0(life_cycles=["red", "red"]), "tableaus[0].life_cycles[1]"),
    ("a life cycle of no colour", tableau_0(life_cycles=["pink"]), "tableaus[0].life_cycles[0]"),
    ("a flowerbed without a row", tableau_0(flowerbeds=["red"]), "tableaus[0].flowerbeds"),
    ("a row without a flowerbed", tableau_1(flowerbeds=[]), "tableaus[1].flowerbeds"),
    ("two flowerbeds for a row", tableau_1(flowerbeds=["blue", "red"]), "tableaus[1].flowerbeds"),
    ("a flowerbed twice", tableau_1(flowerbeds=["blue", "blue"]), "tableaus[1].flowerbeds[1]"),
    ("flowerbeds that are a number", tableau_1(flowerbeds=1), "tableaus[1].flowerbeds"),
    ("a flowerbed to place without a row", base(phase="bed"), "phase"),
    ("a flowerbed to place that is there", turn(
        "bed", unlocks="larva", hands=THREE,
        tableaus=[tableau("RET", "BET", "OET", "GET", "PET", flowerbeds=["red"]), {}]), "tableaus[0].flowerbeds"),
    ("orchard cards that are a list", tableau_0(orchards=["red"]), "tableaus[0].orchards"),
    ("orchard cards of no colour", tableau_0(orchards={"pink": 1}), "tableaus[0].orchards.pink"),
    ("orchard cards below none", tableau_0(orchards={"red": -1}), "tableaus[0].orchards.red"),
    ("an unknown feeding tile", tableau_0(feeding=["T9:9"]), "tableaus[0].feeding[0]"),
    ("a feeding tile that is a number", tableau_0(feeding=[1]), "tableaus[0].feeding[0]"),
    ("a feeding tile of which there is one, twice", tableau_0(feeding=["T1:1", "T1:1"]), "tableaus[0].feeding[1]"),
    ("a feeding tile of two players", tableau_1(feeding=["T1:1"]), "tableaus[1].feeding[0]"),
    ("aphids below none", tableau_0(aphids=-1), "tableaus[0].aphids"),
    ("aphids that are text", tableau_0(aphids="3"), "tableaus[0].aphids"),
    ("too many aphids", tableau_0(aphids=201), "tableaus[0].aphids"),
    ("memories below none", tableau_0(memories=-1), "tableaus[0].memories"),
    ("memories that are half", tableau_0(memories=0.5), "tableaus[0].memories"),
    ("an unknown garden tile", tableau_0(used=["barn"]), "tableaus[0].used[0]"),
    ("a garden tile of a later day", tableau_0(used=["tea"]), "tableaus[0].used[0]"),
    ("a garden tile twice", tableau_1(used=["rose", "rose"]), "tableaus[1].used[1]"),
    ("fewer garden tiles than rounds of the day", tableau_0(used=[]), "tableaus[0].used"),
    ("more garden tiles than turns", tableau_0(used=["rose", "orchard"]), "tableaus[0].used"),
    # the pool
    ("a pool that is text", base(pool="OES"), "pool"),
    ("a pool of two rows", base(pool=["OES OLS ---", "OAS GES GLS"]), "pool"),
    ("a row that is a list", base(pool=[["OES", "OLS", None], "OAS GES GLS", "GPS --- PES"]), "pool[0]"),
    ("a row of two", pool("OES OLS", "OAS GES GLS", "GPS --- PES"), "pool[0]"),
    ("an unknown card in the pool", pool("OES OLS OXS", "OAS GES GLS", "GPS --- PES"), "pool[0]"),
    ("a card twice in the pool", pool("OES OLS OES", "OAS GES GLS", "GPS --- PES"), "pool[0]"),
    ("a card of a column in the pool", pool("OES OLS ---", "OAS RET GLS", "GPS --- PES"), "pool[1]"),
    ("a row without a card", pool("OES OLS ---", "--- --- ---", "GPS --- PES"), "pool"),
    ("a column without a card", pool(*REFILL), "pool"),
    ("a full pool that is filled", base(phase="pool", unlocks=None), "pool"),
    ("slots filled in another phase", base(refill=["a3"]), "refill"),
    # the orchard
    ("an orchard that is a table", base(orchard={}), "orchard"),
    ("two orchard cards", base(orchard=[{"card": "red", "aphids": 2}] * 2), "orchard"),
    ("an orchard card of no colour", at("orchard", 0, "card", value="pink"), "orchard[0].card"),
    ("an orchard card without aphids", at("orchard", 0, "aphids", value=...), "orchard[0].aphids"),
    ("an orchard card with one aphid", at("orchard", 0, "aphids", value=1), "orchard[0].aphids"),
    ("an orchard card that is text", at("orchard", 0, value="red"), "orchard[0]"),
    ("an unknown field of an orchard card", at("orchard", 0, "age", value=3), "orchard[0].age"),
    ("a vacant slot with cards in the deck", at("orchard", 0, value=None, orchard_deck=None), "orchard"),
    ("six red orchard cards", at("tableaus", 0, "orchards", value={"red": 4}, orchard_deck=None), "orchard"),
    ("another orchard deck", base(orchard_deck=21), "orchard_deck"),
    ("an orchard deck that is text", base(orchard_deck="20"), "orchard_deck"),
    ("a full orchard that is filled", with_used("orchard", "orchard"), "orchard"),
    # the stacks
    ("stacks that are text", base(stacks="S2:3"), "stacks"),
    ("seven stacks", base(stacks=stacks(load(), owned=2)[:7]), "stacks"),
    ("a stack that is text", at("stacks", 0, value="S2:3"), "stacks[0]"),
    ("a stack without a top", at("stacks", 0, "top", value=...), "stacks[0].top"),
    ("an unknown top", at("stacks", 0, "top", value="X1:1"), "stacks[0].top"),
    ("a stack without a count below", at("stacks", 0, "below", value=...), "stacks[0].below"),
    ("six below", at("stacks", 0, "below", value=6), "stacks[0].below"),
    ("a count below that is text", at("stacks", 0, "below", value="5"), "stacks[0].below"),
    ("an unknown field of a stack", at("stacks", 0, "age", value=3), "stacks[0].age"),
    ("a tile too few below", at("stacks", 0, "below", value=4), "stacks"),
    ("a tile too many below", at("stacks", 7, "below", value=4), "stacks"),
    ("three tops of which there are two", base(stacks=[{"top": "D2:3", "below": 5}] * 3 + base()["stacks"][3:]), "stacks"),
    ("a top that a player has", at("stacks", 0, "top", value="T1:1"), "stacks"),
    ("a stack to be turned up in another phase", at("stacks", 0, value={"top": None, "below": 5}), "stacks"),
    ("tiles turned up without a vacant stack", with_used("stacks", "picnic", feeding=["T1:1"]), "stacks"),
    # discards and deck
    ("discards that are text", base(discards="RED"), "discards"),
    ("an unknown discard", base(discards=["RED", "J"], deck=None), "discards[1]"),
    ("a discard twice", base(discards=["RED", "RED"]), "discards[1]"),
    ("a discard that lies in the pool", base(discards=["OES"]), "discards[0]"),
    ("a discard that lies in a column", base(discards=["RET"]), "discards[0]"),
    ("another deck", base(deck=99), "deck"),
    ("a deck that is text", base(deck="100"), "deck"),
    ("a deck that is true", base(deck=True), "deck"),
    # phases that do not fit
    ("a card to be placed without its garden tile", with_used("place", "picnic"), "tableaus[0].used"),
    ("an orchard card without its garden tile", with_used("card", "rose"), "tableaus[0].used"),
    ("a picnic without its garden tile", with_used("feed", "rose", aphids=9), "tableaus[0].used"),
    ("no card that can be placed", {**with_used("place", "rose"), "hands": [["H"] * 4, ITS]}, "phase"),
    ("a picnic without aphids", with_used("feed", "picnic"), "phase"),
    ("a chain without a honeydew tile", with_used("feed", "picnic", aphids=9) | {"chain": True}, "chain"),
    ("dealing with a pool", morning(**{**DEALING, "pool": None}), "pool"),
    ("dealing with a pool of a card", morning(**{**DEALING, "pool": ["OES --- ---", "--- --- ---", "--- --- ---"]}), "pool"),
    ("dealing in the second round", morning(**{**DEALING, "round": 2}), "round"),
    ("dealing with an orchard", morning(**{**DEALING, "orchard": position()["orchard"]}), "orchard"),
    ("the last hand dealt first", morning(**DEALING, hands=[[], list(OTHERS[0])]), "hands[1]"),
    ("two cards dealt", morning(**DEALING, hands=[["RET", "RLT"], []]), "hands[0]"),
    ("dealing with stacks too low", morning(**{**DEALING, "stacks": [{"top": None, "below": 5}] * 8}), "stacks"),
    ("aphids before the first round", morning(phase="first", round=1, tableaus=[{"aphids": 3}, {}]), "tableaus[0]"),
    ("cards before the first round", morning(phase="first", round=1, tableaus=[tableau("RET"), {}]), "tableaus[0].columns"),
    ("memories before the first round", morning(phase="first", round=1, tableaus=[{}, {"memories": 1}]), "tableaus[1]"),
]


@pytest.mark.parametrize(("fields", "path"), [pytest.param(*case[1:], id=case[0]) for case in BROKEN])
def test_broken_positions_are_refused_by_their_place(fields: Any, path: str) -> None:
    assert refusal(load(), fields).path == path


BEFORE_DRAFT = [["RED", "BLD", "OPD"]]

BROKEN_BY_OPTIONS: list[tuple[str, int, dict[str, Any], dict[str, Any], str]] = [
    ("a life cycle lost where it is won again", 2, {"life_cycle_regain": True},
     {"tableaus": [tableau("RET H", lost=["red"]), {}]}, "tableaus[0].lost"),
    ("another first seat than the options say", 2, {"first": 1}, {"round": 1, "first": 0}, "first"),
    ("alone, the second seat first", 1, {}, {"first": 1}, "first"),
    ("alone, three rows", 1, {}, {"pool": ["OES OLS OPS", "OAS GES GLS", "GPS GAS PES"]}, "pool"),
    ("alone, three orchard cards", 1, {}, {"orchard": [{"card": "red", "aphids": 2}] * 3}, "orchard"),
    ("alone, any card without a Harlequin", 1, {}, {"phase": "draft", "unlocks": "any", "hands": BEFORE_DRAFT}, "unlocks"),
    ("alone, no state unlocked", 1, {}, {"phase": "draft", "unlocks": "none", "hands": BEFORE_DRAFT}, "unlocks"),
    ("alone, a Harlequin without a column", 1, {}, {"phase": "target", "revealed": ["H"], "hands": BEFORE_DRAFT}, "phase"),
]


@pytest.mark.parametrize(
    ("players", "options", "changes", "path"), [pytest.param(*case[1:], id=case[0]) for case in BROKEN_BY_OPTIONS])
def test_what_options_and_players_refuse(players: int, options: dict[str, Any], changes: dict[str, Any], path: str) -> None:
    game = load(players, **options)
    assert refusal(game, {**position(game), **changes}).path == path


# --- property tests ---

# As few cards as there may be, many of them alike; in the first there is seldom a match for a larva, so that the deck is used up.
UNEVEN = dict.fromkeys(COLOURS.values(), ("TTVVSY", "TTVV", "S", "S"))
FEW = dict.fromkeys(COLOURS.values(), ("TTV", "TVV", "SSV", "TVS"))


@cache
def positions() -> list[tuple[Game, dict[str, Any]]]:
    """Views of games of all kinds, in every phase, by those who see everything and by others."""
    found = []
    games = [
        load(1), load(2), load(3, life_cycle_regain=True), load(4, first=2), small(2, FEW, 5), small(2, UNEVEN, 5),
        small(1, FEW, 5, orchard=(1, 1, 1, 0, 0)),
    ]
    for number, game in enumerate(games):
        states = [state for seed in range(2) for state in walk(game, 10 * number + seed, policy=seed == 1).states]
        by_phase: dict[str, list[State]] = {}
        for state in states:
            by_phase.setdefault(phase(state), []).append(state)
        chosen = [state for alike in by_phase.values() for state in alike[:: max(1, len(alike) // 3)]]
        chosen += [state for state in by_phase["reveal"] if any(seen(state)["revealed"])][::9]
        chosen += [state for state in states if "shuffles" in state.view(PUBLIC)][::15]
        found += [(game, state.view(observer)) for state in chosen for observer in (ALL, number % game.players)]
    return found


def observer_of(game: Game, view: dict[str, Any]) -> int:
    """Whose view it is."""
    shown = [seat for seat, hand in enumerate(view["hands"]) if "cards" in hand]
    return ALL if len(shown) == game.players else shown[0]


def test_the_positions_are_of_all_phases() -> None:
    views = [view for _, view in positions()]
    assert {view["phase"] for view in views} == set(PHASES)
    assert sum(view["phase"] == "reveal" and any(view["revealed"]) for view in views) > 10
    assert sum("shuffles" in view for view in views) > 10


def test_positions_of_games_lose_nothing() -> None:
    """Nor without all that follows from the rest."""
    for game, view in positions():
        observer = observer_of(game, view)
        assert plain(game.build(view).view(observer)) == plain(view)
        follows = ("deck", "orchard_deck", "to_move")
        shorter = {name: value for name, value in view.items() if name not in follows}
        assert plain(game.build(shorter).view(observer)) == plain(view)


@pytest.mark.parametrize("players", range(1, 5))
def test_views_of_every_state_of_a_game_are_positions(players: int) -> None:
    """The first steps, when the table is laid, included."""
    game = load(players)
    for state in walk(game, 3).states:
        for observer in (ALL, PUBLIC, *range(players)):
            assert game.build(state.view(observer)).key(observer) == state.key(observer)
        assert game.build(state.view(ALL)) == state


VALUES = [
    None, True, False, -1, -2, 0, 1, 2, 3, 4, 5, 7, 15, 60, 99, 200, 2**40, 0.5, "", "hidden", *PHASES, "H", "RET", "BLV", "PAS",
    "red", "pink", "rose", "tea", "larva", "none", "any", "T1:1", "V2:m", "H3:1h", "a1", "--- --- ---", "H --- RET",
    "RES OLT PPS", [], [0], ["H"], ["RET", "BLV"], ["red"], ["a1", "a2", "a3"], ["rose", "orchard"], {}, {"count": 4},
    {"count": 4, "known": ["H"]}, {"red": 1}, {"red": ["RET", "H"]}, {"card": "red", "aphids": 2}, {"top": None, "below": 0},
    {"top": "V2:m", "below": 5},
]
NAMES = [
    "count", "cards", "known", "since", "from", "columns", "orchards", "flowerbeds", "life_cycles", "lost", "feeding", "used",
    "refill", "unlocks", "extra", "chain", "shuffles", "red", "purple",
]


@given(mutated(positions, VALUES, "RBOGPELATVSDY-hm:0123456789 ", NAMES))
@searching(1000)
def test_a_changed_position_is_refused_by_its_place_or_sound(case: tuple[Game, Any]) -> None:
    check_refused_or_sound(case, partial(assert_sound, assert_in_order=assert_in_order))
