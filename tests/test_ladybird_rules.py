"""Ladybird's rules, one by one: every ruling by a position of its own.

Cards are named by colour, state and type: BLS is a blue larva of a Seven-spot. In most positions player 0 has the turn and
player 1 has revealed PAY, so that he is to draft eggs as soon as player 0's turn is over. See ladybird_table.py.
"""

from collections import Counter
from typing import Any

import pytest
from battery import plain, walk
from garden_core.games.ladybird import GARDEN_TILES
from garden_core.state import State
from ladybird_table import (
    DEAR,
    FOUR,
    HAND,
    ORCHARD,
    OTHERS,
    at,
    load,
    own,
    position,
    revealing,
    small,
    stacks,
    tableau,
    with_deck,
)
from reference.ladybird import Feeding
from spelt import do, phase, points, seen, settle, steps

from garden_ai import ALL, CHANCE, PUBLIC, TERMINAL, FieldError

HARLEQUINS = ["H", "H", "H"]
MORNING = {1: 1, 2: 2, 3: 4, 4: 7, 5: 11}   # the first round of each day
EARLIER = ["rose", "orchard", "picnic", "shed"]   # what has been used when only Tea Time is left
POOL_HARLEQUIN = ["OES H OPS", "OAS GES GLS", "GPS GAS PES"]
NO_LARVA = ["OES OAT OPS", "OAS GES GAT", "GPS GAS PES"]
NO_LARVA_HARLEQUIN = ["OES H OPS", "OAS GES GAT", "GPS GAS PES"]


def is_over(state: State) -> bool:
    """Player 0's turn is."""
    return state.actor == 1 and phase(state) == "draft" and seen(state)["turn"] == 1


def takes(state: State) -> list[str]:
    """From the pool; "blind" is two from the deck."""
    return [step[-1] for step in steps(state)]


# --- the components ---


def test_the_cards() -> None:
    """One of each colour, state and type, and eight Harlequins."""
    game = load()
    assert sum(game.copies) == 128
    assert game.faces == (*(c + s + t for c in "RBOGP" for s in "ELPA" for t in "TVSDOY"), "H")
    assert game.copies == (*[1] * 120, 8)
    assert (game.rounds, game.slots, game.orchard_slots) == (15, ("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"), 3)
    assert (load(1).slots, load(1).orchard_slots) == (game.slots[:6], 2)
    assert game.component_names == ("orchards", "life cycles", "flowerbeds", "ladybirds", "memories", "aphids")


def test_the_feeding_tiles() -> None:
    kinds = load().tiles
    assert sum(count for *_, count in kinds) == 48
    assert Counter({kind: sum(tile[-1] for tile in kinds if tile[1] == kind) for kind in "TVSDOYH"}) == {
        **dict.fromkeys("TVSDOY", 7), "H": 6,
    }
    # points a card, cost, honeydew, threshold, how many
    assert [tile[2:] for tile in kinds if tile[1] == "Y"] == [
        (1, 1, False, 0, 1), (1, 2, True, 0, 2), (2, 3, False, 0, 2), (2, 4, True, 0, 1), (3, 5, False, 0, 1),
    ]
    assert [tile[2:] for tile in kinds if tile[1] == "V"] == [(2, 0, False, 1, 4), (3, 0, False, 1, 3)]
    assert [tile[0] for tile in kinds if tile[1] == "H"] == ["H3:1h", "H4:2", "H5:3"]
    assert [tile[0] for tile in kinds if tile[1] == "V"] == ["V2:m", "V3:m"]


def test_the_table_of_memories() -> None:
    game = load()
    assert [game.memory_points(count) for count in range(11)] == [0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55]
    assert [game.memory_points(count) for count in (11, 12, 20)] == [65, 75, 155]


# --- setup ---


@pytest.mark.parametrize("players", range(1, 5))
def test_what_chance_does_before_the_first_round(players: int) -> None:
    """Hands of four; the pool; the orchard cards that lie open, with two aphids each; the tops of the stacks; who is first."""
    game = load(players)
    state = game.start()
    happened = []
    while state.actor == CHANCE:
        before = state.copy()
        happened.append(game.step(before, state.draw(len(happened))))
    pool = [4, 4, 1] if players > 1 else [4, 2]
    assert [(step[0], len(step[-1])) for step in happened if step[0] != "first"] == [
        *[("hand", 4)] * players, *(("pool", count) for count in pool), ("orchard", game.orchard_slots), *[("tiles", 4)] * 2,
    ]
    assert [step[1] for step in happened[:players]] == list(range(players))
    assert [step[0] for step in happened].count("first") == (players > 1)
    view = seen(state)
    assert (view["phase"], view["round"]) == ("reveal", 1)
    assert [tuple(hand["cards"]) for hand in view["hands"]] == [step[2] for step in happened[:players]]
    assert [len(row.split()) for row in view["pool"]] == [3] * (3 if players > 1 else 2)
    assert [card["aphids"] for card in view["orchard"]] == [2] * game.orchard_slots
    assert {stack["below"] for stack in view["stacks"]} == {5}
    assert view["orchard_deck"] == 25 - game.orchard_slots
    assert view["deck"] == 128 - 4 * players - sum(pool)
    assert view["tableaus"] == [{"columns": {}, "aphids": 0, "memories": 0}] * players


def test_who_is_first_is_drawn_or_set() -> None:
    state = load(3).start(5)
    while phase(state) != "first":
        state = load(3).start()
        while phase(state) != "first":
            state.draw(1)
    assert steps(state) == [("first", seat) for seat in range(3)]
    assert state.outcomes()[1].tolist() == pytest.approx([1 / 3] * 3)
    assert seen(do(state, ("first", 2)))["first"] == 2
    for seat in range(3):
        assert seen(settle(load(3, first=seat).start()))["first"] == seat
    for players, first in ((3, 3), (1, 1), (2, "nobody")):
        with pytest.raises(FieldError) as error:
            load(players, first=first)
        assert error.value.path == "option first"


# --- ruling 1: days, rounds and garden tiles ---


def test_day_d_has_d_rounds_and_d_garden_tiles_used_once_each() -> None:
    """In any order, and all are face up again in the morning."""
    for seed in range(6):
        game = load(2, first=0)
        uses: Counter[str] = Counter()
        rounds, used = [], []
        path = walk(game, seed)
        for state, action in zip(path.states, path.ids, strict=False):
            view = seen(state)
            if view["phase"] == "reveal" and view["round"] not in rounds:
                rounds.append(view["round"])
                used.append(len(own(state).get("used", [])))
            if view["phase"] == "tile" and state.actor == 0:
                uses[game.step(state, action)[0]] += 1
        assert rounds == list(range(1, 16))
        assert used == [0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 3, 4]
        assert uses == {"rose": 5, "orchard": 4, "picnic": 3, "shed": 2, "tea": 1}


@pytest.mark.parametrize(("day", "number"), MORNING.items())
def test_a_day_brings_one_more_garden_tile(day: int, number: int) -> None:
    mine = tableau("RET", aphids=9)
    state = at("tile", hand=HAND, mine=mine, round=number)
    words = {step[0] for step in steps(state)}
    assert words == set(GARDEN_TILES[:day])
    assert GARDEN_TILES == ("rose", "orchard", "picnic", "shed", "tea")


def test_a_tile_used_is_not_used_again_on_that_day() -> None:
    mine = {"aphids": 9, "used": ["rose", "picnic"]}
    state = at("tile", hand=HAND, mine=mine, its={"used": ["rose", "orchard"]}, round=9)
    assert {step[0] for step in steps(state)} == {"orchard", "shed"}


def test_the_sticky_leaf_goes_to_the_next_seat_after_each_round() -> None:
    for first in range(3):
        game = load(3, first=first)
        leaves = {view["round"]: view["first"] for view in map(seen, walk(game, first).states) if view["phase"] == "reveal"}
        assert leaves == {number: (first + number - 1) % 3 for number in range(1, 16)}


def test_turns_go_clockwise_from_the_sticky_leaf() -> None:
    game = load(4)
    fields = position(game, first=2)
    state = do(game.build(fields), ("reveal", "RED"), *(("reveal", cards[0]) for cards in OTHERS))
    order = []
    while phase(state) not in ("discard", "reveal"):
        if phase(state) == "draft" and state.actor not in order:
            order.append(state.actor)
        state.draw(1) if state.actor == CHANCE else state.apply(state.legal_actions()[0])
    assert order == [2, 3, 0, 1]


# --- ruling 2: cards are revealed together ---


def test_cards_are_chosen_at_the_same_time_and_shown_together() -> None:
    game = load(3)
    state = game.build(position(game))
    assert (phase(state), state.actor, state.simultaneous) == ("reveal", 0, True)
    assert steps(state) == [("reveal", card) for card in HAND]
    chosen = do(state, ("reveal", "BLD"))
    assert chosen.actor == 1
    assert [seen(chosen, observer)["revealed"] for observer in (0, 1, PUBLIC, ALL)] == [
        ["BLD", None, None], ["hidden", None, None], ["hidden", None, None], ["BLD", None, None],
    ]
    other = do(state, ("reveal", "RED"))
    for observer in (1, 2, PUBLIC):
        assert chosen.key(observer) == other.key(observer)
    chosen.withdraw()
    assert chosen == state
    shown = do(state, ("reveal", "BLD"), ("reveal", "PAY"), ("reveal", "GAY"))
    for observer in (0, 1, 2, PUBLIC, ALL):
        assert seen(shown, observer)["revealed"] == [None, "PAY", "GAY"]
    assert (own(shown)["columns"], shown.simultaneous) == ({"blue": ["BLD"]}, False)


def test_alone_nothing_is_hidden_from_anybody() -> None:
    state = load(1).build(position(load(1)))
    assert (phase(state), state.simultaneous) == ("reveal", False)
    assert phase(do(state, ("reveal", "RED"))) == "draft"


def test_of_equal_cards_the_known_one_is_played() -> None:
    """Of two Harlequins one is known, as it was taken from the pool."""
    fields = position(hand=HAND, its=tableau("RET"))
    fields["hands"][0] = {"cards": ["H", "H", "RED", "BLD"], "known": ["H"]}
    state = do(load().build(fields), ("reveal", "H"), ("reveal", "PAY"))
    assert seen(state)["hands"][0] == {"count": 3, "cards": ["RED", "BLD", "H"], "known": []}


# --- ruling 3: a card is placed, then its effects, a draft, a garden tile ---


def test_the_order_of_a_turn() -> None:
    """The card completes a row."""
    state = revealing("PET", hand=["PET", *HAND[:3]], mine=FOUR)
    happened = [phase(state)]
    for step in (("bed", "red"), ("take", "a2"), ("rose",), ("place", "BLD"), ("take", "a3")):
        state = do(state, step)
        happened.append(phase(state))
    assert happened == ["bed", "draft", "tile", "place", "draft", "draft"]
    assert is_over(state)


def test_a_card_goes_on_top_of_its_colour_s_column() -> None:
    state = revealing("RED", mine=tableau("RES RLS", "GET"))
    assert own(state)["columns"] == {"red": ["RES", "RLS", "RED"], "green": ["GET"]}
    assert own(revealing("BLD", mine=tableau("RES")))["columns"] == {"red": ["RES"], "blue": ["BLD"]}
    assert own(state, 1)["columns"] == {}


def test_the_order_below_the_top_is_forgotten() -> None:
    """It never counts again: what lies on top does, for a Harlequin."""
    one, other, another = (revealing("BLD", mine=tableau(cards)) for cards in ("RLS RES RAT", "RES RLS RAT", "RAT RES RLS"))
    assert one == other
    assert plain(seen(one)) == plain(seen(other))
    assert one != another


# --- ruling 4: life cycles ---


@pytest.mark.parametrize("order", ["ELPA", "ALEP", "PAEL"])
def test_four_different_states_in_a_column_are_a_life_cycle(order: str) -> None:
    *below, last = (f"R{state}T" for state in order)
    state = revealing(last, hand=[last, "BLD", "OPD", "GAD"], mine=tableau(" ".join(below)))
    assert own(state)["life_cycles"] == ["red"]
    assert points(state) == {"life cycles": 3 * 4}


def test_four_cards_that_are_not_four_states_are_none() -> None:
    state = revealing("RED", mine=tableau("RET RLT RPT"))
    assert "life_cycles" not in own(state)
    assert points(state) == {}


def test_states_of_different_columns_are_none() -> None:
    assert points(revealing("RED", mine=tableau("BLT", "GPT", "PAT"))) == {}


def test_only_one_life_cycle_a_column() -> None:
    mine = tableau("REV RLV RPV RET RLT RPT RAV", life_cycles=["red"])
    state = revealing("RAT", hand=["RAT", *HAND[1:]], mine=mine)
    assert (own(state)["life_cycles"], points(state)) == (["red"], {"life cycles": 3 * 8})


def test_a_life_cycle_in_each_of_several_columns() -> None:
    mine = tableau("RET RLT RPT RAT", "BET BPT BAT", life_cycles=["red"])
    state = revealing("BLD", mine=mine)
    assert (own(state)["life_cycles"], points(state)) == (["red", "blue"], {"life cycles": 3 * 8})


# --- ruling 5: flowerbeds ---


def test_a_full_row_of_five_colours_brings_a_flowerbed_to_any_column() -> None:
    """The player chooses which."""
    state = revealing("PET", hand=["PET", *HAND[:3]], mine=FOUR)
    assert (phase(state), state.actor, points(state)) == ("bed", 0, {})
    assert steps(state) == [("bed", colour) for colour in ("red", "blue", "orange", "green", "purple")]
    for colour in ("red", "purple"):
        after = do(state, ("bed", colour))
        assert (phase(after), own(after)["flowerbeds"], points(after)) == ("draft", [colour], {"flowerbeds": 2})
    # the state of the card placed is what may be drafted still
    assert takes(after) == ["a2", "b3"]


@pytest.mark.parametrize("row", range(1, 5))
def test_rows_bring_a_flowerbed_each(row: int) -> None:
    """And a column has only one."""
    types = "TVDY"[:row]
    columns = [" ".join(f"{colour}E{kind}" for kind in types) for colour in "RBOG"]
    purple = " ".join(f"PE{kind}" for kind in types[:-1])
    beds = ["purple", "red", "orange"][:row - 1]
    mine = tableau(*columns, *[purple] * bool(purple), flowerbeds=beds, used=EARLIER)
    card = f"PE{types[-1]}"
    hand = [card, "BLO", "OPO", "GAO"]
    state = revealing(card, hand=hand, mine=mine, its={"used": EARLIER}, round=15, hands=[hand, ["PAY", "PLY", "PPY", "PLV"]])
    free = [colour for colour in ("red", "blue", "orange", "green", "purple") if colour not in beds]
    assert steps(state) == [("bed", colour) for colour in free]
    after = do(state, ("bed", "green"))
    assert points(after)["flowerbeds"] == 2 * row * row
    assert phase(after) == "draft"


def test_a_high_column_completes_no_row() -> None:
    """Rows are counted by the lowest column."""
    assert phase(revealing("RED", mine=tableau("RET RLT", "BET BLT", "OET", "GET GLT", "PET", flowerbeds=["red"]))) == "draft"
    assert phase(revealing("BLD", mine=tableau("RET RLT", "OET OLT", "GET GLT", "PET PLT"))) == "bed"
    # the next one is the second row's
    second = tableau("RET RLT", "BET", "OET OLT", "GET GLT", "PET PLT", flowerbeds=["red"])
    assert [step[1] for step in steps(revealing("BLD", mine=second))] == ["blue", "orange", "green", "purple"]


def test_a_row_is_not_lost_to_a_harlequin() -> None:
    its = tableau("RET", "BET", "OET", "GET", "PET", flowerbeds=["blue"])
    state = do(revealing("H", its=its), ("invade", 1, "blue"))
    assert own(state, 1)["flowerbeds"] == ["blue"]
    assert points(state, 1) == {"flowerbeds": 2}


# --- ruling 6: the draft ---


@pytest.mark.parametrize(("card", "slots"), [
    ("RED", ["a2", "b3"]), ("BLD", ["a3", "c1"]), ("OPD", ["b1", "c2"]), ("GAD", ["a1", "b2", "c3"]),
])
def test_a_card_unlocks_the_next_state(card: str, slots: list[str]) -> None:
    """Eggs a larva, a larva a pupa, a pupa an adult, an adult eggs; the slot is named."""
    assert takes(revealing(card)) == slots


def test_the_card_drafted_comes_into_the_hand_and_its_slot_stays_vacant() -> None:
    state = do(revealing("RED"), ("take", "b3"))
    assert seen(state)["hands"][0] == {"count": 4, "cards": ["BLD", "OPD", "GLS", "GAD"], "known": ["GLS"]}
    assert seen(state)["pool"] == ["OES OLS OPS", "OAS GES ---", "GPS GAS PES"]
    assert (phase(state), own(state)["memories"]) == ("tile", 0)


def test_a_harlequin_of_the_pool_may_be_taken_instead() -> None:
    assert takes(revealing("RED", pool=POOL_HARLEQUIN)) == ["a2", "b3"]
    assert takes(revealing("OPD", pool=POOL_HARLEQUIN)) == ["a2", "b1", "c2"]


def test_without_a_match_two_are_drawn_blind() -> None:
    state = revealing("RED", pool=NO_LARVA)
    assert takes(state) == ["blind"]
    state = do(state, ("blind",))
    assert (phase(state), state.actor, state.outcomes()) == ("draw", CHANCE, None)
    state = do(state, ("draw", ("RET", "H")))
    assert seen(state)["hands"][0] == {"count": 5, "cards": ["RET", "BLD", "OPD", "GAD", "H"], "known": []}
    assert phase(state) == "tile"
    # the others see that two were drawn
    assert seen(state, 1)["hands"][0] == {"count": 5, "known": []}


def test_a_harlequin_of_the_pool_may_be_taken_instead_of_two_blind() -> None:
    assert takes(revealing("RED", pool=NO_LARVA_HARLEQUIN)) == ["a2", "blind"]


def test_two_cards_are_drawn_as_one_would_draw_them() -> None:
    """Of three in the deck each pair is as likely; equal cards count as two."""
    state = with_deck(revealing("RED", pool=NO_LARVA), "RET", "H", "H")
    state = do(state, ("blind",))
    assert steps(state) == [("draw", ("RET", "H")), ("draw", ("H", "H"))]
    assert state.outcomes()[1].tolist() == pytest.approx([2 / 3, 1 / 3])


# --- ruling 7: memories ---

VACANT = "---"


@pytest.mark.parametrize(("pool", "vacant", "memories"), [
    (["--- OLS ---", "OAS GES GLS", "GPS GAS PES"], ["a1", "a2", "a3"], 1),
    (["OES OLS OPS", "OAS --- GLS", "GPS --- PES"], ["a2", "b2", "c2"], 1),
    (["--- OLS ---", "OAS --- GLS", "GPS --- PES"], ["a1", "a2", "a3", "b2", "c2"], 2),
])
def test_the_last_card_of_a_row_or_column_brings_memories(pool: list[str], vacant: list[str], memories: int) -> None:
    """One for each, and just these slots are filled, at once."""
    state = do(revealing("RED", pool=pool), ("take", "a2"))
    assert (own(state)["memories"], phase(state), state.actor) == (memories, "pool", CHANCE)
    assert seen(state)["refill"] == vacant
    deck = seen(state)["deck"]
    filled = state.copy()
    happened = []
    while filled.actor == CHANCE:
        before = filled.copy()
        happened.append(filled.game.step(before, filled.draw(7)))
    assert (phase(filled), filled.actor) == ("tile", 0)
    assert [len(cards) for _, cards in happened] == ([3] if memories == 1 else [4, 1])
    words = " ".join(seen(filled)["pool"]).split()
    new = [card for _, cards in happened for card in cards]
    assert [words[filled.game.slots.index(slot)] for slot in vacant] == new
    kept = [slot for slot in filled.game.slots if slot not in vacant]
    assert [words[filled.game.slots.index(slot)] for slot in kept] == [
        " ".join(pool).split()[filled.game.slots.index(slot)] for slot in kept
    ]
    assert seen(filled)["deck"] == deck - len(vacant)
    assert (own(filled)["memories"], points(filled)["memories"]) == (memories, [0, 1, 3][memories])


def test_vacant_slots_elsewhere_are_not_filled() -> None:
    state = do(revealing("RED", pool=["--- OLS ---", "OAS --- GLS", "GPS GAS ---"]), ("take", "a2"))
    assert seen(state)["refill"] == ["a1", "a2", "a3"]
    words = [row.split() for row in seen(settle(state))["pool"]]
    assert [words[1], words[2]] == [["OAS", VACANT, "GLS"], ["GPS", "GAS", VACANT]]


def test_a_card_that_is_not_the_last_one_brings_nothing() -> None:
    state = do(revealing("RED", pool=["--- OLS OPS", "OAS --- GLS", "GPS GAS ---"]), ("take", "a2"))
    assert (own(state)["memories"], phase(state)) == (0, "tile")


def test_the_draft_of_a_garden_tile_brings_memories_too() -> None:
    state = at("tile", hand=HAND, pool=["--- OLS ---", "OAS GES GLS", "GPS GAS PES"], mine=tableau("RET"))
    state = do(state, ("rose",), ("place", "RED"), ("take", "a2"))
    assert (own(state)["memories"], phase(state), seen(state)["extra"]) == (1, "pool", True)
    assert is_over(settle(state))


def test_memories_score_by_the_table() -> None:
    state = revealing("RED", mine={"memories": 9}, its={"memories": 11})
    assert (points(state), points(state, 1)) == ({"memories": 45}, {"memories": 65})


# --- ruling 8: the deck is made anew ---


def test_the_discards_are_shuffled_when_a_card_is_needed_in_mid_draw_too() -> None:
    """Of a deck of one card: it is drawn in any case, and any of the discards with it."""
    state = with_deck(revealing("RED", pool=NO_LARVA), "RET")
    discards = seen(state)["discards"]
    assert len(discards) > 80
    drawing = do(state, ("blind",))
    # that the deck is used up is no reason to shuffle yet
    assert (seen(drawing)["deck"], seen(drawing)["discards"]) == (1, discards)
    for seed in range(40):
        drawn = drawing.copy()
        step = drawn.game.step(drawing, drawn.draw(seed))
        assert "RET" in step[1]
        assert (seen(drawn)["deck"], seen(drawn)["discards"]) == (len(discards) - 1, [])


def test_the_pool_is_filled_from_a_deck_made_anew() -> None:
    state = revealing("RED", pool=["--- OLS ---", "OAS GES GLS", "GPS GAS PES"])
    state = do(with_deck(state, "RET", "H"), ("take", "a2"))
    discards = seen(state)["discards"]
    for seed in range(20):
        words = seen(settle(state, seed))["pool"][0].split()
        assert sorted(words[:2]) == ["H", "RET"]
        assert words[2] in discards
        assert seen(settle(state, seed))["deck"] == len(discards) - 1


def test_cards_held_unseen_are_from_before_the_shuffle() -> None:
    """Everybody knows which these are, though not who has which; and what was drawn then comes from the new deck."""
    drawing = do(with_deck(revealing("RED", pool=NO_LARVA), "RET"), ("blind",))
    state = settle(drawing)
    held = ["BLD", "OPD", "GAD", "PEY", "PLY", "PPY", "RET"]
    assert sorted(seen(state, PUBLIC)["shuffles"][0]) == sorted(held)
    assert [hand["from"] for hand in seen(state, PUBLIC)["hands"]] == [[4, 1], [3, 0]]
    for seed in range(30):
        hands = [hand["cards"] for hand in seen(state.redeal(PUBLIC, seed))["hands"]]
        assert len(set(hands[0]) & set(held)) == 4
        assert set(hands[1]) <= set(held)


def test_there_are_cards_always() -> None:
    """With as few as a file may have, hands and tableaus as full as they get."""
    few = {colour: ["TVS", "TVS", "TVS", "TVS"] for colour in ("red", "blue", "orange", "green", "purple")}
    game = small(2, few, harlequins=5)
    assert sum(game.copies) == 65
    for seed in range(20):
        for state in walk(game, seed).states:
            view = seen(state)
            assert view["phase"] not in ("draw", "pool") or view["deck"] + len(view["discards"]) > 0


# --- ruling 9: the hand at the end of a round ---


def test_hands_are_discarded_down_to_four_after_the_round_in_seat_order() -> None:
    """Of three players, the second of whom has the Sticky Leaf: face up, one at a time, at the owner's choice."""
    game = load(3)
    hands = [["RED", "BLD", "OPD", "GAD", "RET"], ["PAY", "PEY", "PLY", "PPY"], ["GAY", "GEY", "GLY", "GPY", "RAT", "H"]]
    fields = position(game, phase="discard", first=1, hands=hands, tableaus=[{"used": ["tea"]}] * 3)
    state = game.build(fields)
    assert (state.actor, steps(state)) == (2, [("discard", card) for card in ("RAT", "GEY", "GLY", "GPY", "GAY", "H")])
    state = do(state, ("discard", "H"))
    assert (state.actor, seen(state)["discards"]) == (2, ["H"])
    state = do(state, ("discard", "GEY"))
    assert (state.actor, seen(state)["first"], seen(state)["round"]) == (0, 1, 11)
    state = do(state, ("discard", "RET"))
    assert (phase(state), state.actor, seen(state)["first"], seen(state)["round"]) == ("reveal", 0, 2, 12)
    assert sorted(seen(state, PUBLIC)["discards"]) == sorted(["H", "GEY", "RET"])
    assert [hand["count"] for hand in seen(state)["hands"]] == [4, 4, 4]


def test_the_hand_may_be_larger_until_then() -> None:
    """Two blind draws in one turn: six cards."""
    no_pupa = ["OES OAT RET", "OAS GES GAT", "RES GAS PES"]
    state = do(revealing("RED", pool=no_pupa), ("blind",), ("draw", ("RLV", "RLY")), ("rose",), ("place", "RLV"), ("blind",))
    state = do(state, ("draw", ("RPT", "RPV")))
    assert is_over(state)
    assert seen(state)["hands"][0]["count"] == 6
    state = do(state, ("take", "a1"), ("tea", "memory"))
    assert (phase(state), state.actor) == ("discard", 0)
    state = do(state, ("discard", "RLY"), ("discard", "GAD"))
    assert (phase(state), seen(state)["discards"]) == ("reveal", ["RLY", "GAD"])


def test_the_last_round_s_discards_are_made_too() -> None:
    used = ["rose", "orchard", "picnic", "shed", "tea"]
    fields = position(phase="discard", round=15, tableaus=[{"used": used}] * 2)
    fields["hands"][1] = ["PAY", "PEY", "PLY", "PPY", "H"]
    state = load().build(fields)
    assert (state.actor, phase(state)) == (1, "discard")
    state = do(state, ("discard", "PAY"))
    assert (state.actor, phase(state)) == (TERMINAL, "over")


def test_all_garden_tiles_are_face_up_again_on_a_new_day() -> None:
    for number, used in ((1, ["rose"]), (3, ["rose", "orchard"]), (10, ["rose", "orchard", "picnic", "shed"])):
        hands = [[*HAND, "RET"], list(OTHERS[0])]
        state = load().build(position(phase="discard", round=number, hands=hands, tableaus=[{"used": used}] * 2))
        state = do(state, ("discard", "RET"))
        assert (seen(state)["round"], own(state).get("used"), own(state, 1).get("used")) == (number + 1, None, None)
    hands = [[*HAND, "RET"], list(OTHERS[0])]
    state = load().build(position(phase="discard", round=8, hands=hands, tableaus=[{"used": ["rose", "shed"]}] * 2))
    assert own(do(state, ("discard", "RET")))["used"] == ["rose", "shed"]


# --- ruling 10: the Harlequin ---

ITS = tableau("RAT", "BEV BLV")


def test_a_harlequin_replaces_the_top_card_of_another_s_column() -> None:
    state = revealing("H", mine=tableau("GET"), its=ITS)
    assert (phase(state), state.actor) == ("target", 0)
    assert steps(state) == [("invade", 1, "red"), ("invade", 1, "blue")]
    state = do(state, ("invade", 1, "blue"))
    assert own(state, 1)["columns"] == {"red": ["RAT"], "blue": ["BEV", "H"]}
    # the card replaced is placed as if played: its state sets the draft
    assert own(state)["columns"] == {"blue": ["BLV"], "green": ["GET"]}
    assert (phase(state), takes(state)) == ("draft", ["a3", "c1"])
    assert (seen(state)["unlocks"], seen(state)["revealed"]) == ("pupa", [None, "PAY"])


def test_it_may_go_to_any_other_player() -> None:
    game = load(4)
    tableaus = [tableau("GET"), tableau("RAT"), tableau("RAV", "PLT"), {}]
    state = revealing("H", game, tableaus=tableaus)
    assert steps(state) == [("invade", 1, "red"), ("invade", 2, "red"), ("invade", 2, "purple")]


def test_it_may_not_go_on_a_harlequin() -> None:
    """One that lies below another card does no harm."""
    state = revealing("H", its=tableau("RAT H", "BEV H BLV"))
    assert steps(state) == [("invade", 1, "blue")]


def test_without_a_target_it_is_discarded() -> None:
    """Nothing is placed; the draft is as with no match, and the tile action as usual."""
    for its in ({}, tableau("RAT H")):
        state = revealing("H", mine=tableau("GET"), its=its)
        assert (phase(state), takes(state), seen(state)["unlocks"]) == ("draft", ["blind"], "none")
        assert (seen(state)["discards"], own(state)["columns"]) == (["H"], {"green": ["GET"]})
        state = settle(do(state, ("blind",)))
        assert (phase(state), seen(state)["hands"][0]["count"]) == ("tile", 5)
    assert takes(revealing("H", pool=POOL_HARLEQUIN)) == ["a2", "blind"]


def test_the_card_replaced_completes_life_cycles_and_rows() -> None:
    mine = tableau("RET", "BET BPT BAT", "OET", "GET")
    state = do(revealing("H", mine=mine, its=tableau("BEV BLV")), ("invade", 1, "blue"))
    assert (own(state)["life_cycles"], phase(state)) == (["blue"], "draft")
    state = do(revealing("H", mine=FOUR, its=tableau("PEV")), ("invade", 1, "purple"))
    assert (phase(state), len(steps(state))) == ("bed", 5)
    assert takes(do(state, ("bed", "red"))) == ["a2", "b3"]


def test_the_victim_keeps_the_height_and_loses_type_and_state() -> None:
    its = tableau("RET RLT", orchards={"red": 2}, feeding=["T3:5", "H4:2"], aphids=1)
    state = revealing("H", its=its)
    assert points(state, 1) == {"orchards": 4, "ladybirds": 3 * 2, "aphids": 1}
    state = do(state, ("invade", 1, "red"))
    # the Harlequin counts for its own feeding tiles
    assert points(state, 1) == {"orchards": 4, "ladybirds": 3 + 4, "aphids": 1}
    assert (own(state, 1)["orchards"], own(state, 1)["feeding"]) == ({"red": 2}, ["T3:5", "H4:2"])


def test_the_life_cycle_goes_where_the_set_breaks() -> None:
    its = tableau("RET RLT RPT RAT", life_cycles=["red"])
    state = do(revealing("H", its=its), ("invade", 1, "red"))
    assert ("life_cycles" in own(state, 1), own(state, 1)["lost"], points(state, 1)) == (False, ["red"], {})
    # another card of that state is there
    its = tableau("RET RAV RLT RPT RAT", life_cycles=["red"])
    state = do(revealing("H", its=its), ("invade", 1, "red"))
    assert (own(state, 1)["life_cycles"], points(state, 1)) == (["red"], {"life cycles": 15})
    assert "lost" not in own(state, 1)


@pytest.mark.parametrize("regain", [False, True])
def test_a_life_cycle_that_was_lost_is_won_back_by_the_option_only(regain: bool) -> None:
    game = load(2, life_cycle_regain=regain)
    mine = tableau("RAT RLT RPT H", **({} if regain else {"lost": ["red"]}))
    state = revealing("RED", game, mine=mine)
    assert own(state).get("life_cycles") == (["red"] if regain else None)
    assert points(state) == ({"life cycles": 15} if regain else {})


@pytest.mark.parametrize("regain", [False, True])
def test_a_life_cycle_goes_and_comes_back_by_the_option_only(regain: bool) -> None:
    """In the course of a game."""
    game = load(2, life_cycle_regain=regain)
    state = revealing("H", game, its=tableau("PET PLT PPT PAT", life_cycles=["purple"]))
    state = do(state, ("invade", 1, "purple"))
    # player 1 has revealed PAY
    assert points(state, 1) == {}
    state = do(state, ("take", "a1"), ("tea", "memory"))
    assert own(state, 1)["columns"] == {"purple": ["PET", "PLT", "PPT", "H", "PAY"]}
    assert points(state, 1) == ({"life cycles": 15} if regain else {})
    assert own(state, 1).get("lost") == (None if regain else ["purple"])


def test_it_is_not_placed_by_garden_tiles() -> None:
    state = at("tile", hand=["RED", *HARLEQUINS])
    assert steps(do(state, ("rose",))) == steps(do(state, ("shed", "place"))) == [("place", "RED")]
    state = at("tile", hand=["H", *HARLEQUINS])
    assert not {("rose",), ("shed", "place")} & set(steps(state))


# --- ruling 11: garden tiles ---


def test_rose_garden_places_another_card_and_drafts() -> None:
    state = do(revealing("RED"), ("take", "b3"), ("rose",))
    assert (phase(state), own(state)["used"]) == ("place", ["rose"])
    # one just drafted too
    assert steps(state) == [("place", card) for card in ("BLD", "OPD", "GLS", "GAD")]
    state = do(state, ("place", "GLS"))
    assert (phase(state), seen(state)["extra"], takes(state)) == ("draft", True, ["a3", "c1"])
    assert own(state)["columns"] == {"red": ["RED"], "green": ["GLS"]}
    state = do(state, ("take", "a3"))
    assert is_over(state)
    assert seen(state)["hands"][0]["cards"] == ["BLD", "OPS", "OPD", "GAD"]


def test_the_card_of_a_garden_tile_completes_life_cycles_and_rows() -> None:
    state = at("tile", hand=["PET", *HAND[1:]], mine=tableau("RET", "BET", "OET", "GET", "PLT PPT PAT", flowerbeds=["red"]))
    state = do(state, ("rose",), ("place", "PET"))
    assert (own(state)["life_cycles"], phase(state)) == (["purple"], "draft")
    state = do(at("tile", hand=["PET", *HAND[1:]], mine=FOUR), ("shed", "place"), ("place", "PET"))
    assert (phase(state), seen(state)["extra"]) == ("bed", True)
    state = do(state, ("bed", "purple"))
    assert (phase(state), seen(state)["extra"], takes(state)) == ("draft", True, ["a2", "b3"])


def test_without_a_match_a_garden_tile_draws_two_blind() -> None:
    state = do(at("tile", hand=HAND, pool=NO_LARVA), ("rose",), ("place", "RED"), ("blind",))
    assert is_over(settle(state))
    assert seen(settle(state))["hands"][0]["count"] == 5


def grown(*cards: tuple[str, int]) -> list[dict[str, Any]]:
    return [{"card": card, "aphids": aphids} for card, aphids in cards]


@pytest.mark.parametrize("use", [("orchard",), ("shed", "orchard")])
def test_an_orchard_card_brings_its_aphids_and_the_others_grow(use: tuple[str, ...]) -> None:
    state = at("tile", hand=HAND, mine=tableau("BET BLT", aphids=1), orchard=grown(("red", 2), ("blue", 5), ("purple", 3)))
    state = do(state, use)
    assert (phase(state), steps(state)) == ("card", [("card", 1), ("card", 2), ("card", 3)])
    state = do(state, ("card", 2))
    assert (own(state)["aphids"], own(state)["orchards"]) == (6, {"blue": 1})
    assert (phase(state), state.actor) == ("orchard", CHANCE)
    # of 25 cards three lie there
    assert dict(zip(steps(state), state.outcomes()[1].tolist(), strict=True)) == pytest.approx({
        ("orchard", (colour,)): (4 if colour in ORCHARD else 5) / 22 for colour in ("red", "blue", "orange", "green", "purple")
    })
    state = do(state, ("orchard", ("green",)))
    assert seen(state)["orchard"] == grown(("red", 3), ("green", 2), ("purple", 4))
    assert is_over(state)
    assert points(state) == {"orchards": 2, "aphids": 6}
    assert own(state)["used"] == [use[0]]


def test_orchard_cards_have_no_limit_and_may_stand_above_an_empty_column() -> None:
    state = at("card", hand=HAND, mine=tableau("BET", orchards={"red": 3}, used=["orchard"]))
    state = settle(do(state, ("card", 1)))
    assert own(state)["orchards"] == {"red": 4}
    assert points(state) == {"aphids": 2}
    later = revealing("RED", mine=tableau("BET", orchards={"red": 4}))
    assert points(later) == {"orchards": 4}


def test_when_the_orchard_deck_is_empty_the_slot_stays_vacant() -> None:
    """And where no orchard card is left, the tile cannot be resolved."""
    game = small(orchard=(1, 1, 0, 0, 1))
    state = do(at("tile", game, hand=HAND), ("orchard",), ("card", 2))
    assert is_over(state)
    assert seen(state)["orchard"] == [{"card": "red", "aphids": 3}, None, {"card": "purple", "aphids": 3}]
    mine = {"orchards": {"red": 1, "blue": 1, "purple": 1}}
    state = at("tile", game, hand=HAND, mine=mine, orchard=[None] * 3)
    assert {step for step in steps(state) if "orchard" in step} == set()


def test_of_equal_orchard_cards_the_first_is_named() -> None:
    state = at("card", hand=HAND, mine={"used": ["orchard"]}, orchard=grown(("red", 2), ("red", 2), ("red", 3)))
    assert steps(state) == [("card", 1), ("card", 3)]


def test_a_tile_that_cannot_be_resolved_is_not_chosen_while_another_can() -> None:
    state = at("tile", hand=["H", *HARLEQUINS], mine={"used": ["rose"]}, its={"used": ["rose"]}, round=5)
    assert steps(state) == [("orchard",)]
    # a turn's own card counts: a player with a card to place has the Rose Garden
    state = at("tile", hand=["RED", *HARLEQUINS], round=2)
    assert steps(state) == [("rose",), ("orchard",)]


def test_where_no_tile_can_be_resolved_any_is_flipped() -> None:
    """And it does nothing: the turn is over."""
    state = at("tile", hand=["H", *HARLEQUINS], mine={"used": ["orchard"]}, its={"used": ["orchard"]}, round=5)
    assert steps(state) == [("rose",), ("picnic",)]
    for use in steps(state):
        after = do(state, use)
        assert is_over(after)
        assert set(own(after)["used"]) == {"orchard", *use}
        assert seen(after)["hands"][0]["count"] == 4
    used = ["rose", "orchard", "picnic"]
    game = small(orchard=(1, 1, 0, 0, 1))
    mine = {"orchards": {"red": 1, "blue": 1, "purple": 1}, "used": used}
    state = at("tile", game, hand=["H", *HARLEQUINS], mine=mine, its={"used": used}, orchard=[None] * 3, round=10)
    assert steps(state) == [("shed", "place")]
    assert is_over(do(state, ("shed", "place")))


# --- ruling 12: the picnic ---

HONEYDEW = ("T1:2h", "S2:4h", "D1:1", "S2:3", "D2:3", "O2:3", "S3:5", "D3:5")


def picnic(aphids: int, *columns: str, tops: tuple[str | None, ...] = HONEYDEW, game: Any = None, **more: Any) -> State:
    """Player 0 has chosen it."""
    mine = tableau(*columns, aphids=aphids, used=["picnic"], **more)
    return at("feed", game, hand=HAND, mine=mine, tops=tops)


def test_a_feeding_tile_costs_aphids_and_the_next_one_is_turned_up() -> None:
    state = picnic(3, "RES", "BLV")
    assert steps(state) == [("feed", stack) for stack in (1, 3, 4, 5, 6)]
    state = do(state, ("feed", 4))
    assert (own(state)["aphids"], own(state)["feeding"], points(state)) == (0, ["S2:3"], {"ladybirds": 2})
    assert (phase(state), state.actor, seen(state)["stacks"][3]) == ("stacks", CHANCE, {"top": None, "below": 5})
    left = Counter({tile[0]: tile[-1] for tile in state.game.tiles}) - Counter(HONEYDEW)
    assert sum(left.values()) == 40
    assert {step[1][0]: chance for step, chance in zip(steps(state), state.outcomes()[1].tolist(), strict=True)} == pytest.approx(
        {name: count / 40 for name, count in left.items()})
    state = do(state, ("tiles", ("O1:1",)))
    assert seen(state)["stacks"][3] == {"top": "O1:1", "below": 4}
    # no honeydew: that was all
    assert is_over(state)


def test_the_first_tile_must_be_taken_if_any_can() -> None:
    assert ("stop",) not in steps(picnic(9, "RES"))
    state = at("tile", hand=HAND, mine={"aphids": 1, "used": []}, tops=HONEYDEW)
    assert steps(do(state, ("picnic",))) == [("feed", 3)]
    # and where none can, there is no picnic
    state = at("tile", hand=HAND, tops=HONEYDEW)
    assert ("picnic",) not in steps(state)


def test_honeydew_lets_take_another_one_from_what_lies_there_then() -> None:
    """The tile just turned up too."""
    state = do(picnic(5, "RES"), ("feed", 1))
    assert (phase(state), seen(state)["chain"]) == ("stacks", True)
    state = do(state, ("tiles", ("S1:2h",)))
    assert (phase(state), seen(state)["chain"]) == ("feed", True)
    assert steps(state) == [("feed", stack) for stack in (1, 3, 4, 5, 6)] + [("stop",)]
    assert is_over(do(state, ("stop",)))
    state = do(state, ("feed", 1), ("tiles", ("T1:2h",)))
    assert (own(state)["aphids"], own(state)["feeding"]) == (1, ["T1:2h", "S1:2h"])
    assert steps(state) == [("feed", 3), ("stop",)]
    state = do(state, ("feed", 3))
    assert (own(state)["aphids"], points(state)) == (0, {"ladybirds": 1})
    assert is_over(settle(state))


def test_a_chain_ends_by_itself_where_nothing_can_be_taken() -> None:
    state = do(picnic(2, "RES"), ("feed", 1), ("tiles", ("S1:2h",)))
    assert is_over(state)


def test_a_mildew_tile_continues_a_chain_without_aphids() -> None:
    tops = (*HONEYDEW[:7], "V3:m")
    state = do(picnic(2, "RES", "BLV", tops=tops), ("feed", 1), ("tiles", ("S1:2h",)))
    assert (own(state)["aphids"], steps(state)) == (0, [("feed", 8), ("stop",)])
    state = do(state, ("feed", 8))
    # it has no honeydew itself
    assert is_over(settle(state))
    assert (own(state)["feeding"], points(state)) == (["T1:2h", "V3:m"], {"ladybirds": 3})


MILDEW = ("V2:m", *DEAR[1:])


@pytest.mark.parametrize("spots", range(4))
@pytest.mark.parametrize("tiles", range(4))
def test_so_many_mildew_tiles_need_so_many_twenty_two_spots(spots: int, tiles: int) -> None:
    """With the one to be claimed: three need three."""
    columns = [f"{colour}EV" for colour in "RBO"[:spots]]
    mine = tableau("GET", *columns, feeding=["V2:m", "V3:m", "V3:m"][:tiles])
    state = at("tile", hand=HAND, mine=mine, tops=MILDEW)
    possible = spots >= tiles + 1
    assert (("picnic",) in steps(state)) == possible
    if possible:
        state = settle(do(state, ("picnic",), ("feed", 1)))
        assert own(state)["feeding"].count("V2:m") == 1 + (tiles > 0)
        assert points(state)["ladybirds"] == spots * (2 + [0, 2, 5, 8][tiles])


def test_two_more_stacks_of_mildew_need_two_more() -> None:
    """A picnic takes one of them: it has no honeydew."""
    mine = tableau("REV", "BEV")
    state = do(at("tile", hand=HAND, mine=mine, tops=("V2:m", "V3:m", *DEAR[2:])), ("picnic",))
    assert steps(state) == [("feed", 1), ("feed", 2)]
    assert is_over(settle(do(state, ("feed", 2))))


def test_a_mildew_tile_may_count_for_two() -> None:
    tiles = [Feeding("V", 4, threshold=2, count=4), Feeding("V", 2, threshold=1, count=4), Feeding("T", 1, 9, count=8)]
    game = small(tiles=tiles)
    tops = ("V4:m2", *["T1:9"] * 7)
    one, two = ["V2:m"], ["V4:m2"]
    cases = [(1, [], False), (2, [], True), (2, one, False), (3, one, True), (3, two, False), (4, two, True)]
    for spots, owned, possible in cases:
        mine = tableau(*(f"{colour}EV" for colour in "RBOG"[:spots]), feeding=owned)
        fields = position(game, hand=HAND, mine=mine, tops=tops)
        below = iter([1] * (8 - len(owned)) + [0] * 8)
        fields["stacks"] = [{"top": top, "below": next(below)} for top in tops]
        others = OTHERS[0]
        state = game.build({**fields, "phase": "tile", "revealed": [None, others[0]], "hands": [list(HAND), list(others[1:])]})
        assert (("picnic",) in steps(state)) == possible, (spots, owned)


def test_mildew_tiles_are_kept_when_the_number_falls() -> None:
    """And a further one needs as many as ever."""
    its = tableau("REV", "BEV", "OEV", feeding=["V2:m", "V2:m", "V3:m"])
    state = revealing("H", its=its)
    assert points(state, 1) == {"ladybirds": 7 * 3}
    state = do(state, ("invade", 1, "red"))
    assert (own(state, 1)["feeding"], points(state, 1)) == (["V2:m", "V2:m", "V3:m"], {"ladybirds": 7 * 2})
    mine = tableau("REV H", "BEV", "OEV", feeding=["V2:m", "V2:m", "V3:m"])
    assert ("picnic",) not in steps(at("tile", hand=HAND, mine=mine, tops=MILDEW))


def test_an_empty_stack_stays_empty() -> None:
    game = small(tiles=[Feeding("T", 1, 0, honeydew=True, count=8)])
    state = picnic(0, "RET", tops=("T1:0h",) * 8, game=game)
    # equal stacks: the first is named
    assert steps(state) == [("feed", 1)]
    for stack in range(1, 9):
        assert steps(state) == [("feed", stack), *[("stop",)] * (stack > 1)]
        state = do(state, ("feed", stack))
    assert is_over(state)
    assert points(state) == {"ladybirds": 8}
    assert ("picnic",) not in steps(at("tile", game, hand=HAND, mine={"feeding": ["T1:0h"] * 8}, tops=(None,) * 8))


def test_stacks_with_other_numbers_below_are_told_apart() -> None:
    tops = ("T1:2h", "T1:2h", *DEAR[:6])
    state = at("feed", hand=HAND, mine={"aphids": 2, "used": ["picnic"]}, tops=tops)
    assert steps(state) == [("feed", 1)]
    its = {"feeding": ["T2:4h"]}
    below = [5, 4, 5, 5, 5, 5, 5, 5]
    own_stacks = [{"top": top, "below": count} for top, count in zip(tops, below, strict=True)]
    state = at("feed", hand=HAND, mine={"aphids": 2, "used": ["picnic"]}, its=its, tops=tops, stacks=own_stacks)
    assert steps(state) == [("feed", 1), ("feed", 2)]


# --- ruling 13: Tea Time ---


def test_tea_time_is_a_memory_or_a_picnic() -> None:
    state = at("tile", hand=HAND, mine={"aphids": 5}, tops=HONEYDEW)
    assert [step for step in steps(state) if step[0] == "tea"] == [("tea", "memory"), ("tea", "picnic")]
    memory = do(state, ("tea", "memory"))
    assert is_over(memory)
    assert (own(memory)["memories"], own(memory)["used"]) == (1, ["tea"])
    meal = do(state, ("tea", "picnic"))
    assert (phase(meal), own(meal)["memories"]) == ("feed", 0)
    # with honeydew there is more, as in any picnic
    meal = do(meal, ("feed", 1), ("tiles", ("S1:2h",)))
    assert (phase(meal), ("stop",) in steps(meal)) == ("feed", True)


def test_where_no_tile_can_be_claimed_it_is_a_memory() -> None:
    state = at("tile", hand=HAND, mine={"aphids": 2}, tops=DEAR)
    assert [step for step in steps(state) if step[0] == "tea"] == [("tea", "memory")]


# --- ruling 14: the end ---


def over(game: Any = None, *tableaus: dict[str, Any], **more: Any) -> State:
    game = game or load(len(tableaus))
    fields = position(game, phase="over", round=15, **more)
    used = ["rose", "orchard", "picnic", "shed", "tea"]
    fields["tableaus"] = [{**own, "used": used} for own in tableaus]
    fields["stacks"] = stacks(game, DEAR, sum(len(own.get("feeding", ())) for own in tableaus))
    return game.build(fields)


def test_points_of_every_kind() -> None:
    """A Harlequin counts in its column and for its own tiles; an orchard card without a column counts nothing."""
    rich = tableau(
        "RET RLT H RPV RAT", "OET", "GET H", orchards={"red": 2, "blue": 1, "green": 1}, life_cycles=["red"],
        feeding=["T1:1", "T3:5", "V3:m", "H4:2", "D2:3"], aphids=4, memories=3,
    )
    state = over(None, rich, tableau("BET", memories=1))
    assert points(state) == {
        "orchards": 2 * 5 + 1 * 2, "life cycles": 3 * 5, "ladybirds": 4 * 5 + 3 * 1 + 4 * 2, "memories": 6, "aphids": 4,
    }
    assert (state.scores(), state.placing()) == ([12 + 15 + 31 + 6 + 4, 1], [1, 2])
    rows = tableau("RET RLT", "BET", "OET", "GET", "PET", orchards={"red": 3}, flowerbeds=["red"])
    assert points(over(None, rows, {})) == {"orchards": 6, "flowerbeds": 4}


def test_ties_go_to_the_most_memories_and_are_shared_then() -> None:
    """Ten points by four memories, by three and aphids, by aphids alone."""
    four, three, none = {"memories": 4}, {"memories": 3, "aphids": 4}, {"aphids": 10}
    state = over(None, three, four, none, four)
    assert state.scores() == [10, 10, 10, 10]
    assert state.placing() == [3, 1, 4, 1]
    # points come first
    assert over(None, four, {"aphids": 11}).placing() == [2, 1]


def test_utilities_are_in_the_order_of_the_places() -> None:
    state = over(None, {"memories": 3, "aphids": 4}, {"memories": 4}, {"aphids": 10})
    first, second, third = (state.utilities()[seat] for seat in (1, 0, 2))
    assert first > second > third


# --- ruling 15: alone ---


def alone(card: str = "RED", **more: Any) -> State:
    return revealing(card, load(1), **more)


def test_alone_there_are_two_rows_and_two_orchard_cards() -> None:
    state = alone()
    assert seen(state)["pool"] == ["OES OLS OPS", "OAS GES GLS"]
    assert (takes(state), len(seen(state)["orchard"])) == (["a2", "b3"], 2)


@pytest.mark.parametrize(("pool", "vacant", "memories"), [
    (["OES OLS OPS", "OAS --- GLS"], ["a2", "b2"], 0),
    (["--- OLS ---", "OAS GES GLS"], ["a1", "a2", "a3"], 1),
    (["--- OLS ---", "OAS --- GLS"], ["a1", "a2", "a3", "b2"], 2),
])
def test_alone_a_column_is_filled_and_brings_no_memory(pool: list[str], vacant: list[str], memories: int) -> None:
    """A row brings one, both at once two."""
    state = do(alone(pool=pool), ("take", "a2"))
    assert (phase(state), seen(state)["refill"], own(state)["memories"]) == ("pool", vacant, memories)
    state = settle(state)
    assert VACANT not in " ".join(seen(state)["pool"])
    assert (phase(state), own(state)["memories"]) == ("tile", memories)


def test_alone_a_harlequin_replaces_a_top_card_of_one_s_own() -> None:
    """That card is discarded, and any of the pool is taken."""
    state = alone("H", mine=tableau("RET RLT", "BET H", feeding=["H4:2"]))
    assert (phase(state), steps(state)) == ("target", [("invade", 0, "red"), ("invade", 0, "blue")])
    red = do(state, ("invade", 0, "red"))
    assert (own(red)["columns"], seen(red)["discards"]) == ({"red": ["RET", "H"], "blue": ["BET", "H"]}, ["RLT"])
    assert (phase(red), seen(red)["unlocks"], takes(red)) == ("draft", "any", ["a1", "a2", "a3", "b1", "b2", "b3"])
    assert points(red) == {"ladybirds": 8}
    assert phase(do(red, ("take", "b2"))) == "tile"
    # one on top of another one
    blue = do(state, ("invade", 0, "blue"))
    assert (own(blue)["columns"], seen(blue)["discards"]) == ({"red": ["RET", "RLT"], "blue": ["BET", "H"]}, ["H"])


def test_alone_a_harlequin_breaks_life_cycles_too() -> None:
    state = do(alone("H", mine=tableau("RET RLT RPT RAT", life_cycles=["red"])), ("invade", 0, "red"))
    assert (own(state).get("life_cycles"), own(state)["lost"]) == (None, ["red"])


def test_alone_a_harlequin_without_any_column_is_discarded() -> None:
    state = alone("H", round=1)
    assert (phase(state), seen(state)["discards"], len(steps(state))) == ("draft", ["H"], 6)


def test_alone_the_one_other_orchard_card_grows() -> None:
    state = do(at("card", load(1), hand=HAND, mine={"used": ["orchard"]}), ("card", 1), ("orchard", ("green",)))
    assert seen(state)["orchard"] == [{"card": "green", "aphids": 2}, {"card": "blue", "aphids": 3}]


def test_alone_one_discards_and_the_day_goes_on() -> None:
    state = do(alone(pool=["OES OAT OPS", "OAS GES GAT"], round=1), ("blind",), ("draw", ("RET", "H")))
    state = do(state, ("rose",), ("place", "RET"), ("blind",), ("draw", ("RAT", "RAV")))
    assert (phase(state), state.actor) == ("discard", 0)
    state = do(state, ("discard", "H"), ("discard", "RAT"))
    assert (phase(state), seen(state)["round"], seen(state)["discards"]) == ("reveal", 2, ["RAT", "H"])
    assert "used" not in own(state)


def test_alone_one_is_first() -> None:
    over_state = over(load(1), {"aphids": 3})
    assert (over_state.placing(), over_state.scores()) == ([1], [3])
