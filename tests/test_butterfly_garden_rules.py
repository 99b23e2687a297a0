"""The Butterfly Garden's rules, one by one: every ruling by a position, invariants, and broken positions.

Cards are their numbers. In most positions player 0 plays a card before player 1, who has played 59 (GYR) and holds 50 (YYR)
and 54 (GGR); what is available is out of reach then, so that nobody is asked about deliveries.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, partial
from itertools import combinations, pairwise, permutations
from math import comb, exp
from pathlib import Path
from typing import Any

import pytest
from battery import ALPHA, goodness, most_points_at_once, plain, walk
from garden_core.state import Game, State
from hypothesis import given
from mutation import assert_sound, check_refused_or_sound, mutated, refusal, searching
from reference.butterfly_garden import CARDS, DELIVERIES, HANDS, Delivery, components_of
from spelt import do, phase, points, seen, settle, steps

import garden_ai
from garden_ai import ALL, CHANCE, PUBLIC, TERMINAL, FieldError
from garden_ai.games import definition

DEFINITION = definition("butterfly_garden")
OUT_OF_REACH = ["4 of a kind", "4 of a kind"]


def load(players: int = 2, **options: Any) -> Game:
    return garden_ai.load("butterfly_garden", players, **options)


def small(players: int, faces: str, deliveries: Sequence[Delivery] = DELIVERIES, goal: int = 50, **options: Any) -> Game:
    """With such cards, numbered from 0."""
    return DEFINITION.load(players, options, components_of(players, faces, deliveries, goal))


# --- writing positions ---


def before(
    card: int,
    jar: Iterable[int] = (),
    hand: Iterable[int] = (1, 2),
    field: Iterable[int] = (9, 14),
    available: Sequence[str | None] = OUT_OF_REACH,
    following: str | None = "2 pairs",
    game: Game | None = None,
    **more: Any,
) -> State:
    """Player 0 has played this card and is to capture."""
    return (game or load()).build({
        "to_move": 0, "phase": "capture", "played": [card, 59], "turn": 0,
        "hands": [list(hand), [50, 54]], "jars": [list(jar), []], "field": list(field),
        "deliveries": {"available": list(available), "next": following}, **more,
    })


def known(state: State) -> list[list[int]]:
    """What everybody knows of the hands."""
    return [hand["known"] for hand in seen(state, PUBLIC)["hands"]]


# --- the components ---


def test_the_cards() -> None:
    game = load()
    assert game.cards == CARDS
    assert len(CARDS) == 60
    assert (game.letters, game.colours) == ("YRBPG", ("yellow", "red", "blue", "purple", "green"))
    assert (game.butterflies(0), game.power(0)) == ("W", "")
    assert Counter(map(game.power, range(60))) == {"": 36, "dr": 6, "sw": 6, "to": 6, "de": 6}
    assert [game.release(card) for card in (34, 38, 44, 49, 52, 56, 0)] == [2, 2, 3, 3, 3, 4, 0]
    assert dict(game.hands) == HANDS
    # each hand of a letter is of three cards that nobody else has
    assert len({card for hand in HANDS.values() for card in hand}) == 18


def test_the_deliveries() -> None:
    game = load()
    assert game.deliveries == tuple((delivery.needs, delivery.points, delivery.count) for delivery in DELIVERIES)
    assert sum(count for _, _, count in game.deliveries) == 20
    assert [load(players).goal for players in range(2, 7)] == [50, 45, 40, 35, 30]
    assert game.component_names == ("with any", "different", "of a kind", "rainbow", "released")


def test_deliveries_of_the_same_needs_are_told_apart_by_their_points() -> None:
    kinds = [Delivery("Y+any", 5), Delivery("Y+any", 7), Delivery("R", 1, 4)]
    assert [name for name, _, _ in small(2, "R " * 12, kinds).deliveries] == ["Y+any (5)", "Y+any (7)", "R"]
    with pytest.raises(FieldError):
        small(2, "R " * 12, [Delivery("Y+any", 5), Delivery("any+Y", 5), Delivery("R", 1, 4)])


# --- setup ---


@pytest.mark.parametrize("players", range(2, 7))
def test_what_chance_does_before_the_first_round(players: int) -> None:
    """A hand for each; a card a player into the field; deliveries one fewer than players, at least two, and one to come."""
    state = load(players).start()
    happened = []
    while state.actor == CHANCE:
        before_it = state.copy()
        happened.append(before_it.game.step(before_it, state.draw(len(happened))))
    spots = max(2, players - 1)
    fields = [("field", players)] if players < 6 else [("field", 5), ("field", 1)]
    assert [(step[0], len(step[-1])) for step in happened[:players + len(fields)]] == [("hand", 3)] * players + fields
    assert [seat for kind, seat, *_ in happened[:players]] == list(range(players))
    assert [kind for kind, _ in happened[players + len(fields):]] == ["delivery"] * (spots + 1)
    view = seen(state)
    assert (view["phase"], view["round"], view["deck"]) == ("choose", 1, 60 - 4 * players)
    assert sorted(view["hands"][1]["cards"]) == list(happened[1][2])
    names = [state.game.deliveries[kind][0] for _, kind in happened[players + len(fields):]]
    kinds = [name for name, *_ in state.game.deliveries]
    available = names[:2] if players == 2 else sorted(names[:-1], key=kinds.index)
    assert view["deliveries"] == {"available": available, "next": names[-1], "deck": 20 - spots - 1}


def test_hands_and_field_are_drawn_evenly() -> None:
    """By single cards and, of a small deck, by every hand and field."""
    game = load(4)
    dealt: Counter[int] = Counter()
    laid: Counter[int] = Counter()
    for seed in range(1500):
        view = seen(game.start(seed))
        dealt.update(view["hands"][seed % 4]["cards"])
        laid.update(view["field"])
    assert goodness(dealt, dict.fromkeys(range(60), 1 / 60)) > ALPHA
    assert goodness(laid, dict.fromkeys(range(60), 1 / 60)) > ALPHA
    few = small(2, "Y R B P G W YR YB YP")
    state = few.start()
    assert state.outcomes()[1].tolist() == pytest.approx([1 / comb(9, 3)] * comb(9, 3))
    state = do(state, ("hand", 0, (0, 1, 2)), ("hand", 1, (3, 4, 8)))
    assert steps(state) == [("field", cards) for cards in combinations((5, 6, 7), 2)]
    assert state.outcomes()[1].tolist() == pytest.approx([1 / 3] * 3)


def test_deliveries_are_drawn_evenly() -> None:
    """As often as there are cards of a kind."""
    state = do(load(less_luck=True, letters="in_order").start(), ("field", (1, 2)))
    probabilities = state.outcomes()[1]
    assert probabilities.tolist() == pytest.approx([delivery.count / 20 for delivery in DELIVERIES])
    three = next(kind for kind, delivery in enumerate(DELIVERIES) if delivery.count == 3)
    state = do(state, ("delivery", three))
    assert state.outcomes()[1][three] == pytest.approx(2 / 19)


def test_less_luck_gives_everybody_the_cards_of_a_letter() -> None:
    state = load(4, less_luck=True, letters="in_order").start()
    assert phase(state) == "field"
    assert [hand["cards"] for hand in seen(state)["hands"]] == [list(HANDS[letter]) for letter in "ABCD"]
    # and everybody knows it
    assert known(state) == [list(HANDS[letter]) for letter in "ABCD"]
    assert {card for card in range(60) if state.is_legal(state.game.step_id(state, ("field", (0, 1, 2, card))))} == {
        card for card in range(3, 60) if not any(card in HANDS[letter] for letter in "ABCD")
    }
    state = load(3, less_luck=True).start()
    assert phase(state) == "letters"
    assert {letters for _, letters in steps(state)} == set(permutations(range(3)))
    assert state.outcomes()[1].tolist() == pytest.approx([1 / 6] * 6)
    state = do(state, ("letters", (2, 0, 1)))
    assert [hand["cards"] for hand in seen(state)["hands"]] == [list(HANDS[letter]) for letter in "CAB"]


# --- phase 1: the order of turns (ruling 1) ---


def choosing(players: int = 2, game: Game | None = None, **more: Any) -> State:
    hands = [[1, 20, 45], [0, 21, 50], [3, 22, 54]][:players]
    field = [9, 14, 19][:players]
    return (game or load(players)).build({
        "to_move": 0, "hands": hands, "field": field,
        "deliveries": {"available": OUT_OF_REACH, "next": "2 pairs"}, **more,
    })


def test_cards_are_chosen_at_the_same_time_and_shown_together() -> None:
    state = choosing(3)
    assert (phase(state), state.actor, state.simultaneous) == ("choose", 0, True)
    assert steps(state) == [("play", 1), ("play", 20), ("play", 45)]
    state = do(state, ("play", 20))
    assert state.actor == 1
    assert [seen(state, observer)["played"] for observer in (0, 1, PUBLIC, ALL)] == [
        [20, None, None], ["hidden", None, None], ["hidden", None, None], [20, None, None],
    ]
    state = do(state, ("play", 50), ("play", 3))
    assert (phase(state), state.simultaneous) == ("capture", False)
    for observer in (0, 1, 2, PUBLIC, ALL):
        assert seen(state, observer)["played"] == [20, 50, 3]


def test_turns_go_from_the_lowest_number_up() -> None:
    """And 0 goes first."""
    state = do(choosing(3), ("play", 20), ("play", 50), ("play", 3))
    order = []
    for card in (9, 14, 19):
        order.append(state.actor)
        state = do(state, ("capture", card))
    assert order == [2, 0, 1]
    assert do(choosing(3), ("play", 1), ("play", 0), ("play", 3)).actor == 1


def test_a_choice_may_be_withdrawn_until_all_have_chosen() -> None:
    state = do(choosing(3), ("play", 20), ("play", 50))
    state.withdraw()
    assert state == choosing(3)
    shown = do(choosing(3), ("play", 20), ("play", 50), ("play", 3))
    other = shown.copy()
    other.withdraw()
    assert other == shown


# --- step i: capture (ruling 5) ---


def test_a_player_must_capture_a_card_of_the_field() -> None:
    state = before(3)
    assert steps(state) == [("capture", 9), ("capture", 14)]
    state = do(state, ("capture", 14))
    assert seen(state)["hands"][0]["cards"] == [1, 2, 14]
    # it is known to everybody, and the other one is left
    assert known(state) == [[14], []]
    assert (state.actor, steps(state)) == (1, [("capture", 9)])


def test_the_field_is_laid_out_anew_each_round() -> None:
    state = do(before(3), ("capture", 14), ("capture", 9))
    assert (phase(state), seen(state)["field"]) == ("field", [])
    state = settle(state)
    assert (phase(state), len(seen(state)["field"]), seen(state)["round"]) == ("choose", 2, 2)
    assert [hand["count"] for hand in seen(state)["hands"]] == [3, 3]
    assert known(state) == [[14], [9]]


# --- step ii: draw and return (rulings 4 and 8) ---


def test_draw_a_card_and_return_one_to_the_bottom() -> None:
    state = do(before(6), ("capture", 9))
    assert (phase(state), state.actor, set(steps(state))) == ("power", 0, {("use",), ("skip",)})
    state = do(state, ("use",))
    gone = {1, 2, 9, 6, 50, 54, 59, 14}
    assert steps(state) == [("draw", card) for card in range(60) if card not in gone]
    assert state.outcomes()[1].tolist() == pytest.approx([1 / 52] * 52)
    state = do(state, ("draw", 30))
    assert (phase(state), state.actor) == ("return", 0)
    # any of the hand, the one just drawn and the one just captured too, but not the one played
    assert steps(state) == [("return", card) for card in (1, 2, 9, 30)]
    state = do(state, ("return", 9))
    assert seen(state)["hands"][0]["cards"] == [1, 2, 30]
    assert (seen(state)["deck"], seen(state)["jars"][0]) == (52, [6])
    for observer, bottom in ((0, {"by": 0, "card": 9}), (ALL, {"by": 0, "card": 9}), (1, {"by": 0}), (PUBLIC, {"by": 0})):
        assert seen(state, observer)["bottom"] == [bottom]


def test_only_the_player_sees_what_he_draws_and_returns() -> None:
    drawing = do(before(6), ("capture", 9), ("use",))
    for observer in (1, PUBLIC):
        keys = {do(drawing, ("draw", card)).key(observer) for card in (0, 30, 58)}
        assert len(keys) == 1
        keys = {do(drawing, ("draw", drawn), ("return", card)).key(observer) for drawn in (0, 30) for card in (1, 2, 9, drawn)}
        assert len(keys) == 1
    assert len({do(drawing, ("draw", 30), ("return", card)).key(0) for card in (1, 2, 9, 30)}) == 4
    assert {plain(do(drawing, ("draw", card)).view(1)) for card in (0, 30)} == {plain(do(drawing, ("draw", 58)).view(1))}


def test_the_action_need_not_be_used() -> None:
    skipped = do(before(6), ("capture", 9), ("skip",))
    assert (skipped.actor, seen(skipped)["jars"][0], seen(skipped)["deck"]) == (1, [6], 52)
    assert "bottom" not in seen(skipped)


# Twelve cards, the first ones without butterflies to speak of.
TWELVE = "R B P/dr G Y/dr YYY/to GGG R/de2 B/to G/sw W BBB/dr"


def late(card: int, other: int, hands: Sequence[Sequence[int]], field: Sequence[int], **more: Any) -> State:
    """Of twelve cards: both have played, the lower one is to capture. What is named nowhere is in the deck."""
    played = [card, other]
    return small(2, TWELVE).build({
        "to_move": played.index(min(played)), "phase": "capture", "played": played, "turn": 0,
        "hands": list(map(list, hands)), "field": list(field),
        "deliveries": {"available": OUT_OF_REACH, "next": "2 pairs"}, **more,
    })


def test_where_nothing_can_be_drawn_nobody_is_asked() -> None:
    """Everything lies in hands, jars, the garden and the field."""
    for card, other in ((2, 5), (5, 2)):
        state = late(card, 11, [[4, 9], [other, 8]], [0, 1], jars=[[3], [6, 10]], released=[[], [7]])
        state = do(state, ("capture", 0))
        assert (state.actor, phase(state), seen(state)["jars"][0]) == (1, "capture", [*sorted([3, card])])


def test_the_discards_are_shuffled_when_a_card_is_needed() -> None:
    """In mid-turn too, and not before."""
    state = late(2, 11, [[4, 9], [5, 8]], [0, 1], jars=[[3], []], discards=[6, 10], released=[[], [7]])
    state = do(state, ("capture", 0))
    assert (phase(state), seen(state)["deck"], seen(state)["discards"]) == ("power", 0, [6, 10])
    assert seen(do(state, ("skip",)))["discards"] == [6, 10]
    drawing = do(state, ("use",))
    assert steps(drawing) == [("draw", 6), ("draw", 10)]
    state = do(drawing, ("draw", 6))
    assert (seen(state)["deck"], seen(state)["discards"]) == (1, [])
    # what is returned then lies below the rest
    state = do(state, ("return", 4))
    assert (seen(state)["deck"], seen(state, 1)["bottom"]) == (2, [{"by": 0}])


def test_the_bottom_is_drawn_when_nothing_else_is_left() -> None:
    """Whoever returned a card knows when he gets it back; others see that it comes from the bottom."""
    state = do(late(2, 4, [[9, 11], [5, 8]], [0, 1], jars=[[3, 10], [6]]), ("capture", 0), ("use",))
    assert steps(state) == [("draw", 7)]
    state = do(state, ("draw", 7), ("return", 11))
    assert (seen(state)["deck"], seen(state)["bottom"]) == (1, [{"by": 0, "card": 11}])
    state = do(state, ("capture", 1), ("use",))
    assert (steps(state), state.outcomes()[1].tolist()) == ([("draw", 11)], [1.0])
    state = do(state, ("draw", 11))
    assert steps(state) == [("return", card) for card in (1, 5, 8, 11)]
    state = do(state, ("return", 5))
    assert seen(state, 1)["bottom"] == [{"by": 1, "card": 5}]
    assert seen(state, 0)["bottom"] == [{"by": 1}]


# --- step ii: exchange (ruling 4) ---


def test_exchange_a_card_of_the_hand_for_one_of_the_jar() -> None:
    state = do(before(10, jar=[20, 7]), ("capture", 9))
    # the card played is in neither
    assert set(steps(state)) == {("skip",), *(("exchange", one, other) for one in (1, 2, 9) for other in (7, 20))}
    state = do(state, ("exchange", 1, 20))
    assert seen(state)["hands"][0]["cards"] == [2, 9, 20]
    assert seen(state)["jars"][0] == [1, 7, 10]
    # both are seen by everybody
    assert known(state)[0] == [9, 20]


def test_with_an_empty_jar_there_is_nothing_to_exchange() -> None:
    state = do(before(10), ("capture", 9))
    assert (state.actor, seen(state)["jars"][0]) == (1, [10])


# --- step ii: the top card into the jar ---


def test_the_top_card_goes_into_the_jar() -> None:
    state = do(before(15, jar=[7]), ("capture", 9))
    assert set(steps(state)) == {("use",), ("skip",)}
    state = do(state, ("use",))
    assert (phase(state), len(steps(state))) == ("top", 51)
    # its own action is not performed
    for card in (6, 18, 31, 30):
        after = do(state, ("top", card))
        assert (after.actor, seen(after)["jars"][0]) == (1, sorted([7, 15, card]))
        assert seen(after)["hands"][0]["count"] == 3


def test_a_card_to_deliver_that_comes_from_the_deck_scores_at_once() -> None:
    state = do(before(15, jar=[7]), ("capture", 9), ("use",), ("top", 56))
    assert (seen(state)["jars"][0], seen(state)["released"][0]) == ([7, 15], [56])
    assert (points(state, 0), state.scores()) == ({"released": 4}, [4, 0])


# --- step ii: a card that is delivered itself (ruling 3) ---


def test_a_card_with_the_icon_is_delivered_and_not_put_into_the_jar() -> None:
    state = do(before(34, jar=[7]), ("capture", 9))
    assert (state.actor, seen(state)["jars"][0], seen(state)["released"][0]) == (1, [7], [34])
    assert state.scores() == [2, 0]
    assert seen(state)["discards"] == []


def test_such_a_card_leaves_the_delivery_of_the_turn() -> None:
    for card, icon in ((34, ()), (15, (("use",), ("top", 34)))):
        state = do(before(card, jar=[5, 7], available=["Y+any", "R+any"]), ("capture", 9), *icon)
        assert phase(state) == "deliver"
        state = do(state, ("deliver", 0, (5, 7)))
        assert points(state, 0) == {"with any": 5, "released": 2}


# --- step iii: eight butterflies in a jar (ruling 2) ---


def test_eight_butterflies_stay() -> None:
    state = do(before(3, jar=[45, 47, 7]), ("capture", 9))
    assert (state.actor, seen(state)["jars"][0]) == (1, [3, 7, 45, 47])


def test_with_more_than_eight_whole_cards_of_choice_are_discarded() -> None:
    state = do(before(23, jar=[45, 47, 7]), ("capture", 9))
    assert (phase(state), state.actor, seen(state)["put"]) == ("discard", 0, True)
    assert steps(state) == [("discard", card) for card in (7, 23, 45, 47)]
    for card in (7, 23, 45, 47):
        after = do(state, ("discard", card))
        assert (after.actor, seen(after)["discards"]) == (1, [card])
    # one at a time, as long as there are too many
    state = do(before(55, jar=[45, 47, 7, 8]), ("capture", 9), ("discard", 7), ("discard", 8), ("discard", 45))
    assert (state.actor, seen(state)["jars"][0], seen(state)["discards"]) == (1, [47, 55], [7, 8, 45])


def test_the_jar_is_checked_after_an_exchange_and_after_the_card_played() -> None:
    """An exchange counts as one: in between the jar may hold more."""
    state = do(before(10, jar=[45, 47, 7, 8], hand=[20, 2]), ("capture", 9))
    assert do(state, ("exchange", 2, 7)).actor == 0
    state = do(state, ("exchange", 20, 7))
    assert (phase(state), seen(state)["put"]) == ("discard", False)
    # the card played is not in the jar yet
    assert steps(state) == [("discard", card) for card in (8, 20, 45, 47)]
    again = do(state, ("discard", 8))
    assert (phase(again), seen(again)["put"]) == ("discard", True)
    assert steps(again) == [("discard", card) for card in (10, 20, 45, 47)]
    assert seen(do(again, ("discard", 10)))["jars"][0] == [20, 45, 47]
    once = do(state, ("discard", 45))
    assert (once.actor, seen(once)["jars"][0]) == (1, [8, 10, 20, 47])


def test_the_jar_is_checked_after_the_top_card() -> None:
    state = do(before(15, jar=[45, 47, 20]), ("capture", 9), ("use",), ("top", 46))
    assert (phase(state), seen(state)["put"]) == ("discard", False)
    assert steps(state) == [("discard", card) for card in (20, 45, 46, 47)]
    state = do(state, ("discard", 46))
    assert seen(state)["put"] is True


def test_the_jar_is_checked_before_delivering() -> None:
    state = do(before(25, jar=[45, 47, 1], hand=[2, 3], available=["Y+any", "R+any"]), ("capture", 9))
    assert phase(state) == "discard"
    assert phase(do(state, ("discard", 1))) == "deliver"


# --- step iv: deliveries (ruling 6) ---


def offers(needs: str, *jar: int) -> set[tuple[int, ...]]:
    """With what a delivery can be earned; the last card is the one played."""
    *others, card = jar
    taken = {*jar, 50, 54, 59}
    hand, field = [[c for c in range(60) if c not in taken][i:i + 2] for i in (0, 2)]
    following = "R+P" if needs != "R+P" else "B+G"
    state = before(card, jar=others, hand=hand, field=field, available=[needs, OUT_OF_REACH[0]], following=following)
    state = do(state, ("capture", field[0]))
    return {step[2] for step in steps(state) if step[:2] == ("deliver", 0)} if phase(state) == "deliver" else set()


def test_the_example_of_the_rulebook() -> None:
    """Yellow with any one more brings five points."""
    assert offers("Y+any", 5, 7, 1) == {(5, 7), (1, 5)}
    state = do(before(1, jar=[5, 7], hand=[2, 3], available=["Y+any", "G+any"]), ("capture", 9))
    assert set(steps(state)) == {("skip",), ("deliver", 0, (5, 7)), ("deliver", 0, (1, 5))}
    state = do(state, ("deliver", 0, (1, 5)))
    assert (state.scores(), points(state, 0)) == ([5, 0], {"with any": 5})
    assert (seen(state)["earned"], seen(state)["jars"][0], seen(state)["discards"]) == ([["Y+any"], []], [7], [1, 5])
    assert seen(state)["deliveries"]["available"] == [None, "G+any"]


OFFERS: list[tuple[str, tuple[int, ...], set[tuple[int, ...]]]] = [
    # the card just put in counts, and nothing else does
    ("Y+any", (7, 5), {(5, 7)}),
    ("Y+any", (7, 1), set()),
    ("Y+any", (5,), set()),
    # a rainbow is any colour, and any butterfly
    ("Y+any", (0, 7, 1), {(0, 7), (0, 1)}),
    ("Y+any", (0, 22), {(0, 22)}),
    ("Y+B", (0, 5), {(0, 5)}),
    ("Y+B", (0, 22), {(0, 22)}),
    ("R+P", (0, 5), set()),
    # overpaying, but with no card that could be kept
    ("Y+any", (30, 7, 1), {(30,)}),
    ("Y+any", (20, 5, 1), {(20,), (1, 5)}),
    ("Y+any", (45, 5, 1), {(45,), (1, 5)}),
    ("Y+B", (45, 7), {(7, 45)}),
    ("Y+B", (40, 5, 2), {(40,), (2, 5)}),
    ("G+R", (29, 32, 1), {(29,), (1, 32)}),
    ("B+any", (27, 2, 1), {(27,), (1, 2)}),
    # two different colours want two butterflies
    ("R+P", (1, 11), set()),
    # equal ones
    ("2 of a kind", (1, 11), {(1, 11)}),
    ("2 of a kind", (1, 2), set()),
    ("2 of a kind", (20, 1, 11), {(20,), (1, 11)}),
    ("2 of a kind", (7, 22, 1), {(7, 22), (1, 22)}),
    ("2 of a kind", (0, 22), {(0, 22)}),
    ("3 of a kind", (45, 5), {(5, 45)}),
    ("3 of a kind", (45, 22), {(22, 45)}),
    ("3 of a kind", (45, 1), set()),
    ("3 of a kind", (22, 37, 0), {(0, 22, 37)}),
    ("3 of a kind", (20, 45, 25), {(20, 45), (20, 25), (25, 45)}),
    ("4 of a kind", (20, 25), {(20, 25)}),
    ("4 of a kind", (20, 45), {(20, 45)}),
    ("4 of a kind", (20, 5), set()),
    ("4 of a kind", (0, 22, 20), {(0, 20, 22)}),
    # two pairs, which may be one colour
    ("2 pairs", (20, 32), {(20, 32)}),
    ("2 pairs", (20, 25), {(20, 25)}),
    ("2 pairs", (20, 5), set()),
    ("2 pairs", (1, 2, 7, 11), {(1, 2, 7, 11)}),
    ("2 pairs", (20, 22, 1), {(1, 20, 22)}),
    ("2 pairs", (0, 22, 1, 2), {(0, 1, 2, 22)}),
    ("2 pairs", (0, 5, 20), {(0, 5, 20)}),
    ("2 pairs", (0, 1, 2, 3), set()),
    ("2 pairs", (47, 8, 1), {(8, 47)}),
    ("2 pairs", (0, 22, 37, 51), {(0, 22, 37, 51)}),
    # a printed rainbow wants a rainbow; another one may stand for the rest
    ("W+any", (0, 1), {(0, 1)}),
    ("W+any", (1, 11), set()),
    ("W+any", (0, 22), {(0, 22)}),
    ("W+any", (0, 1, 2), {(0, 1), (0, 2)}),
    ("W+Y", (0, 5), {(0, 5)}),
    ("W+Y", (0, 1), set()),
    ("W+Y", (0, 22), {(0, 22)}),
    ("W+Y", (0, 45, 1), {(0, 45)}),
]


@pytest.mark.parametrize(("needs", "jar", "expected"), OFFERS, ids=str)
def test_what_a_delivery_can_be_earned_with(needs: str, jar: tuple[int, ...], expected: set[tuple[int, ...]]) -> None:
    assert offers(needs, *jar) == expected


def test_needs_of_other_components() -> None:
    """Three and four butterflies, rainbows among them, and colours twice."""
    faces = "W W W Y Y R YR YYR GB GG RRB W/dr Y/sw B B B"
    kinds = [Delivery(needs, 5) for needs in ("any+any+any", "Y+Y+any", "W+W+Y", "any+W+any+R", "Y", "B+B+B+B")]
    game = small(2, faces, kinds)

    def with_jar(needs: str, *jar: int) -> set[tuple[int, ...]]:
        *others, card = jar
        rest = [c for c in range(len(faces.split())) if c not in jar and c < 15]
        state = game.build({
            "to_move": 0, "phase": "capture", "played": [card, 15], "turn": 0, "hands": [rest[:2], rest[2:4]],
            "field": rest[4:6], "jars": [others, []], "deliveries": {"available": [needs, None], "next": None},
            "discards": rest[6:], "earned": [[name for name in names if name != needs], []],
        })
        state = do(state, ("capture", rest[4]))
        return {step[2] for step in steps(state) if step[:2] == ("deliver", 0)} if phase(state) == "deliver" else set()

    names = [delivery.needs for delivery in kinds]
    assert with_jar("any+any+any", 7, 3, 6) == {(7,), (3, 6)}
    assert with_jar("Y+Y+any", 3, 6, 5) == {(3, 6)}
    assert with_jar("Y+Y+any", 0, 4, 5) == {(0, 4, 5)}
    assert with_jar("W+W+Y", 0, 1, 2, 4) == {(0, 1, 2), (0, 1, 4), (0, 2, 4), (1, 2, 4)}
    assert with_jar("any+W+any+R", 0, 5, 8, 10) == {(0, 5, 8), (0, 10)}
    assert with_jar("Y", 3, 4, 0, 6) == {(0,), (3,), (4,), (6,)}
    assert with_jar("B+B+B+B", 13, 14, 8) == set()


def test_at_most_one_delivery_a_turn() -> None:
    state = do(before(1, jar=[5, 7, 20], hand=[2, 3], available=["Y+any", "R+any"]), ("capture", 9))
    assert {step[1] for step in steps(state) if step[0] == "deliver"} == {0, 1}
    state = do(state, ("deliver", 0, (20,)))
    assert (state.actor, seen(state)["jars"][0]) == (1, [1, 5, 7])
    assert do(do(before(1, jar=[20], available=["Y+any", "R+any"], hand=[2, 3]), ("capture", 9)), ("skip",)).actor == 1


# --- what is available (ruling 7) ---

def two_sides(first: int, available: Sequence[str | None] = ("Y+any", "R+any"), **more: Any) -> State:
    """Both have in their jars what either side wants; `first` is to capture."""
    played = [1, 59 if first == 0 else 0]
    return load().build({
        "to_move": first, "phase": "capture", "played": played, "turn": 0, "hands": [[2, 3], [50, 54]], "field": [9, 14],
        "jars": [[20, 35], [25, 29]], "deliveries": {"available": list(available), "next": "2 pairs"}, **more,
    })


def places(state: State) -> set[int]:
    return {step[1] for step in steps(state) if step[0] == "deliver"}


@pytest.mark.parametrize("first", [0, 1])
def test_the_first_of_two_has_either_side_and_the_second_his_own(first: int) -> None:
    second = 1 - first
    state = do(two_sides(first), ("capture", 9))
    assert places(state) == {0, 1}
    own = min(step for step in steps(state) if step[:2] == ("deliver", first))
    its = min(step for step in steps(state) if step[:2] == ("deliver", second))
    for step in (("skip",), own):
        after = do(state, step, ("capture", 14))
        assert (after.actor, places(after)) == (second, {second})
    # what is gone is gone, and the other side is not his
    after = do(state, its, ("capture", 14))
    assert phase(after) == "field"
    assert seen(after)["vacated"] == [second]


@pytest.mark.parametrize("first", [0, 1])
def test_of_two_sides_the_one_first_vacated_is_filled_first(first: int) -> None:
    second = 1 - first
    state = do(two_sides(first), ("capture", 9))
    for seat, card in ((first, 14), (second, None)):
        state = do(state, min(step for step in steps(state) if step[:2] == ("deliver", seat)))
        if card:
            state = do(state, ("capture", card))
    assert seen(state)["vacated"] == [first, second]
    state.draw(1)
    assert phase(state) == "deliveries"
    state = do(state, ("delivery", 2), ("delivery", 3))
    expected = ["2 pairs", "B+any"] if first == 0 else ["B+any", "2 pairs"]
    assert (phase(state), seen(state)["deliveries"]) == ("choose", {"available": expected, "next": "P+any", "deck": 15})
    assert "vacated" not in seen(state)


def test_one_side_gets_the_delivery_that_lay_face_up() -> None:
    state = do(two_sides(0), ("capture", 9))
    state = do(state, min(step for step in steps(state) if step[:2] == ("deliver", 1)), ("capture", 14))
    state.draw(1)
    state = do(state, ("delivery", 3))
    assert seen(state)["deliveries"] == {"available": ["Y+any", "2 pairs"], "next": "P+any", "deck": 16}


def three(available: Sequence[str], **more: Any) -> State:
    """Three players, in the order of their seats; all can deliver much."""
    return load(3).build({
        "to_move": 0, "phase": "capture", "played": [1, 2, 3], "turn": 0, "field": [9, 14, 19],
        "hands": [[50, 54], [55, 57], [58, 59]], "jars": [[20, 36], [25, 46], [30, 28]],
        "deliveries": {"available": list(available), "next": "2 pairs"}, **more,
    })


def test_with_three_and_more_all_may_have_what_is_left() -> None:
    kinds = [delivery.needs for delivery in DELIVERIES]
    yellow, alike = kinds.index("Y+any"), kinds.index("2 of a kind")
    state = do(three(["Y+any", "2 of a kind"]), ("capture", 9))
    assert places(state) == {yellow, alike}
    state = do(state, ("deliver", yellow, (20,)), ("capture", 14))
    assert places(state) == {alike}
    # nothing is replaced before the round is over
    state = do(state, ("deliver", alike, (25,)), ("capture", 19))
    assert phase(state) == "field"
    assert seen(state)["deliveries"] == {"available": [], "next": "2 pairs", "deck": 17}
    assert "vacated" not in seen(state)
    state.draw(1)
    state = do(state, ("delivery", 1), ("delivery", 2))
    assert seen(state)["deliveries"] == {"available": ["R+any", "2 pairs"], "next": "B+any", "deck": 15}


def test_two_of_a_kind_may_both_be_available() -> None:
    alike = [delivery.needs for delivery in DELIVERIES].index("2 of a kind")
    state = do(three(["2 of a kind", "2 of a kind"]), ("capture", 9))
    assert places(state) == {alike}
    state = do(state, ("deliver", alike, (20,)), ("capture", 14))
    assert (seen(state)["deliveries"]["available"], places(state)) == (["2 of a kind"], {alike})


# --- the end (rulings 8 and 9) ---

RICH = ["4 of a kind", "4 of a kind", "3 of a kind", "3 of a kind", "W+any"]   # 47 points


def test_the_round_is_finished_once_the_goal_is_reached() -> None:
    """Who reaches it first need not win."""
    state = two_sides(0, earned=[RICH, ["2 pairs", "3 of a kind", "W+Y", "Y+B", "R+P"]], deliveries={
        "available": ["Y+any", "R+any"], "next": "B+any"}, released=[[], [44, 49]])
    assert state.scores() == [47, 48]
    state = do(state, ("capture", 9), ("deliver", 0, (20,)))
    assert (state.scores(), phase(state)) == ([52, 48], "capture")
    state = do(state, ("capture", 14), ("deliver", 1, (29,)))
    assert (state.actor, phase(state), state.scores(), state.placing()) == (TERMINAL, "over", [52, 53], [2, 1])


def test_the_game_goes_on_below_the_goal() -> None:
    state = do(two_sides(0, earned=[["4 of a kind"], []]), ("capture", 9), ("skip",), ("capture", 14), ("skip",))
    assert phase(state) == "field"


def test_the_game_ends_when_no_delivery_is_left() -> None:
    state = small(2, "Y " * 16, [Delivery("any", 1, 2), Delivery("W+W+W+W", 3, 4)]).build({
        "to_move": 0, "phase": "capture", "played": [0, 1], "turn": 0, "hands": [[2, 3], [4, 5]], "field": [6, 7],
        "earned": [["W+W+W+W"] * 4, []], "deliveries": {"available": ["any", "any"], "next": None},
    })
    one = do(state, ("capture", 6), ("deliver", 1, (0,)), ("capture", 7))
    assert (phase(one), seen(one)["deliveries"]) == ("field", {"available": ["any", None], "next": None, "deck": 0})
    # the side stays empty
    assert seen(settle(one))["deliveries"]["available"] == ["any", None]
    both = do(state, ("capture", 6), ("deliver", 0, (0,)), ("capture", 7), ("deliver", 1, (1,)))
    assert (phase(both), both.scores()) == ("over", [13, 1])


def test_a_delivery_that_nobody_can_have_yet_keeps_the_game_going() -> None:
    """The one face up on the deck counts as well."""
    state = small(2, "Y " * 16, [Delivery("any", 1, 2), Delivery("W+W+W+W", 3, 4)]).build({
        "to_move": 0, "phase": "capture", "played": [0, 1], "turn": 0, "hands": [[2, 3], [4, 5]], "field": [6, 7],
        "earned": [["W+W+W+W"] * 3, []], "deliveries": {"available": ["any", "any"], "next": "W+W+W+W"},
    })
    state = do(state, ("capture", 6), ("deliver", 0, (0,)), ("capture", 7), ("deliver", 1, (1,)))
    state = settle(state)
    assert (phase(state), seen(state)["deliveries"]) == ("choose", {"available": ["W+W+W+W", None], "next": None, "deck": 0})


def test_the_game_ends_where_the_field_cannot_be_filled() -> None:
    """Of nine cards one is left in the deck after the first round of two."""
    kinds = [Delivery("W+W+W+W", 3, 6)]
    state = small(2, "Y " * 9, kinds).start(seed=3)
    while state.actor != TERMINAL:
        state.apply(int(state.legal_actions()[0]))
    assert (seen(state)["round"], seen(state)["deck"], phase(state)) == (1, 1, "over")
    # with ten there is a second one
    state = small(2, "Y " * 10, kinds).start(seed=3)
    while state.actor != TERMINAL:
        state.apply(int(state.legal_actions()[0])) if state.actor >= 0 else state.draw(1)
    assert (seen(state)["round"], seen(state)["deck"]) == (2, 0)


def test_six_players_may_keep_so_many_cards_that_the_field_cannot_be_filled() -> None:
    """With the printed ones: single butterflies in the jars, and all that may be are delivered themselves."""
    game = load(6)
    released = [card for card in range(60) if game.release(card)]
    single = [card for card in range(60) if len(game.butterflies(card)) == 1 and card not in released]
    double = [card for card in range(60) if len(game.butterflies(card)) == 2 and not game.power(card)]
    jars = [single[5 * i:5 * i + 5] for i in range(3)] + [[*single[4 * i + 15:4 * i + 19], double[i]] for i in range(3)]
    to_play = double[3:9]
    others = [card for card in range(60) if card not in (*released, *single, *double[:9])]
    state = game.build({
        "to_move": 0, "hands": [[card, *others[2 * seat:2 * seat + 2]] for seat, card in enumerate(to_play)],
        "field": others[12:], "jars": jars, "released": [[card] for card in released],
        "deliveries": {"available": ["4 of a kind", "4 of a kind", "2 pairs", "W+Y", "W+any"], "next": "R+P"},
    })
    assert (seen(state)["deck"], len(others[12:])) == (0, 6)
    state = do(state, *(("play", card) for card in to_play))
    while state.actor != TERMINAL:
        state = do(state, ("skip",) if phase(state) == "deliver" else steps(state)[0])
    assert (phase(state), seen(state)["round"], seen(state)["discards"]) == ("over", 1, [])
    assert max(state.scores()) < game.goal


def test_a_game_has_a_hundred_rounds_at_most() -> None:
    state = do(before(3, round=99), ("capture", 14), ("capture", 9))
    assert phase(state) == "field"
    state = do(before(3, round=100), ("capture", 14), ("capture", 9))
    assert (phase(state), state.actor) == ("over", TERMINAL)


def last_turn(jars: Sequence[Sequence[int]], hands: Sequence[Sequence[int]], **more: Any) -> State:
    """After the last turn of the last round: player 1 has played 8 and captures 9."""
    state = load().build({
        "to_move": 1, "phase": "capture", "played": [7, 8], "turn": 1, "hands": list(map(list, hands)), "field": [9],
        "jars": list(map(list, jars)), "round": 100, "deliveries": {"available": OUT_OF_REACH, "next": "2 pairs"}, **more,
    })
    state = do(state, ("capture", 9))
    assert state.actor == TERMINAL
    return state


# In his jar player 0 has the 7 that he has played, and player 1 gets the 8, a butterfly each.
TIES: list[tuple[str, list[list[int]], list[list[int]], list[int]]] = [
    ("butterflies in the jar", [[7, 20], []], [[1, 2, 3], [54, 57]], [1, 2]),
    ("butterflies in the other jar", [[7, 19], [23]], [[1, 2, 3], [54, 57]], [2, 1]),
    ("butterflies, not cards", [[7, 1, 3], [45]], [[10, 12, 13], [5, 11]], [2, 1]),
    ("butterflies in the hand", [[7], []], [[1, 2, 3], [4, 57]], [2, 1]),
    ("butterflies in the other hand", [[7], []], [[10, 20, 13], [4, 5]], [1, 2]),
    ("the lowest number, in a hand", [[7], []], [[1, 12, 13], [4, 5]], [1, 2]),
    ("the lowest number, in the other hand", [[7], []], [[10, 12, 13], [4, 5]], [2, 1]),
    ("the lowest number, in a jar", [[7, 0], [6]], [[10, 12, 13], [4, 5]], [1, 2]),
]


@pytest.mark.parametrize(("jars", "hands", "expected"), [pytest.param(*case[1:], id=case[0]) for case in TIES])
def test_ties_are_broken_to_the_last(jars: list[list[int]], hands: list[list[int]], expected: list[int]) -> None:
    state = last_turn(jars, hands, earned=[["R+any"], ["B+any"]])
    assert state.scores() == [5, 5]
    assert state.placing() == expected
    assert state.wins() == [float(place == 1) for place in expected]


def test_many_points_are_more_than_few() -> None:
    """As many as a component file allows: 205 cards of 20 points."""
    needs = ["+".join(["Y"] * y + ["R"] * r) for y in range(5) for r in range(5 - y) if y or r]
    kinds = [Delivery(need, 20, 15) for need in needs]
    game = small(2, "R B P Y G W RB PG YY", kinds, 1000)
    names = [name for name, _, count in game.deliveries for _ in range(count)]
    state = game.build({
        "to_move": -2, "phase": "over", "hands": [[0, 1, 2], [3, 4, 5]], "earned": [names[:205], names[205:]],
    })  # fmt: skip
    assert state.scores() == [4100, 20 * (len(names) - 205)]
    assert state.placing() == [1, 2]


def test_points_come_first() -> None:
    state = last_turn([[7, 20, 25], []], [[1, 2, 3], [4, 5]], earned=[["R+any"], ["R+P"]])
    assert (state.scores(), state.placing()) == ([5, 7], [2, 1])


# --- what is known ---


def test_a_captured_card_may_go_back_unseen() -> None:
    """And so may every other card of the hand that is known."""
    state = do(before(6, hands=[{"count": 2, "cards": [1, 2], "known": [1]}, [50, 54]]), ("capture", 9))
    assert known(state) == [[1, 9], []]
    state = do(state, ("use",), ("draw", 30), ("return", 2))
    for observer in (0, 1, PUBLIC, ALL):
        assert [hand["known"] for hand in seen(state, observer)["hands"]] == [[], []]
    # all four may be at the bottom, for all that others know, and three of them are in the hand
    below: defaultdict[int, float] = defaultdict(float)
    for redealt in (state.redeal(1, seed) for seed in range(600)):
        hand, card = seen(redealt)["hands"][0]["cards"], seen(redealt)["bottom"][0]["card"]
        assert {1, 9} <= {*hand, card}
        below[card if card in (1, 9) else 0] += exp(redealt.log_weight)
    assert goodness(below, {1: 1 / 4, 9: 1 / 4, 0: 1 / 2}) > ALPHA
    # he himself knows
    assert {seen(state.redeal(0, seed))["bottom"][0]["card"] for seed in range(20)} == {2}


def test_what_is_taken_later_is_known() -> None:
    """Others' doubts do not reach it."""
    state = do(before(6), ("capture", 9), ("use",), ("draw", 30), ("return", 2), ("capture", 14))
    assert known(state) == [[], [14]]


def test_what_is_played_is_out_of_the_hand() -> None:
    state = choosing(2, hands=[{"count": 3, "cards": [1, 20, 45], "known": [20, 45]}, [0, 21, 50]])
    assert known(state) == [[20, 45], []]
    assert known(do(state, ("play", 20))) == [[20, 45], []]
    assert known(do(state, ("play", 20), ("play", 0))) == [[45], []]


def test_once_the_bottom_is_turned_up_the_rest_is_certain() -> None:
    """Of twelve cards: the deck is used up, and the card that was returned comes to the field."""
    state = late(2, 10, [[0, 1], [5, 8]], [3, 4], jars=[[6], []], released=[[], [7]])
    state = do(state, ("capture", 3), ("use",))
    assert steps(state) == [("draw", 9), ("draw", 11)]
    state = do(state, ("draw", 9), ("return", 1))
    assert known(state) == [[], []]
    state = do(state, ("capture", 4))
    assert known(state) == [[], [4]]
    assert steps(state) == [("field", (1, 11))]
    assert known(do(state, ("field", (1, 11)))) == [[3], [4]]


# --- invariants ---


def everything(view: dict[str, Any]) -> list[int]:
    """Where the cards are that can be seen by one who sees everything, but for the deck."""
    hands = [hand["cards"] for hand in view["hands"]]
    below = [card["card"] for card in view.get("bottom", [])]
    piles = (*hands, *view["jars"], *view["released"], view["field"], view["discards"], below)
    return sorted(card for pile in piles for card in pile)


def assert_in_order(game: Game, state: State) -> None:
    view = state.view(ALL)
    cards = everything(view)
    if "turn" in view:   # the cards played by who has not had his turn lie apart
        apart = sorted(view["played"])[view["turn"]:]
        cards = sorted({*cards, *apart})
    assert len(cards) == len(set(cards)) == len(game.cards) - view["deck"] + len(view.get("bottom", []))
    for hand, jar in zip(view["hands"], view["jars"], strict=True):
        assert set(hand["known"]) <= set(hand["cards"])
        assert view["phase"] in ("power", "draw", "top", "discard") or sum(len(game.butterflies(card)) for card in jar) <= 8
    kinds = Counter(name for own in view["earned"] for name in own)
    kinds.update(name for name in (*view["deliveries"]["available"], view["deliveries"]["next"]) if name)
    assert all(kinds[name] <= count for name, _, count in game.deliveries)
    assert sum(kinds.values()) + view["deliveries"]["deck"] == sum(count for _, _, count in game.deliveries)
    for seat, own in enumerate(view["earned"]):
        worth = {name: value for name, value, _ in game.deliveries}
        released = sum(map(game.release, view["released"][seat]))
        assert state.scores()[seat] == sum(map(worth.__getitem__, own)) + released == sum(state.components()[seat].values())


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("less_luck", [False, True])
def test_invariants_of_games(players: int, less_luck: bool) -> None:
    """Every hand is three at a round's end, points never fall, and no delivery comes twice."""
    for seed in range(4):
        game = load(players, less_luck=less_luck)
        for state, following in pairwise(walk(game, seed, policy=seed % 2 == 1).states):
            assert_in_order(game, following)
            assert all(old <= new for old, new in zip(state.scores(), following.scores(), strict=True))
            if game.phase(following) in ("field", "deliveries", "over"):
                assert {hand["count"] for hand in seen(following)["hands"]} == {3}


# --- sanity figures of an independent simulation ---


@pytest.mark.parametrize(("players", "rounds", "winner"), [(2, 15, 54), (3, 13, 48), (4, 10, 43), (5, 9, 38), (6, 7, 33)])
def test_lengths_and_points_of_simple_play(players: int, rounds: int, winner: int) -> None:
    """Whoever can deliver something delivers what brings most."""
    lengths, best, by_goal = [], [], 0
    for seed in range(40):
        state, dice = load(players).start(seed), random.Random(seed)
        while state.actor != TERMINAL:
            if state.actor == CHANCE:
                state.draw(dice.getrandbits(40))
                continue
            state.apply(most_points_at_once(state, dice))
        lengths.append(seen(state)["round"])
        best.append(max(state.scores()))
        by_goal += max(state.scores()) >= state.game.goal
    assert 0.9 * rounds < sum(lengths) / len(lengths) < 1.5 * rounds
    assert abs(sum(best) / len(best) - winner) < 3
    assert by_goal >= 36


# --- positions ---


def base(**changes: Any) -> dict[str, Any]:
    """A whole position of two players in the third round, with some fields changed; None leaves one out."""
    fields = {
        "to_move": 0, "phase": "capture", "round": 3, "played": [6, 59], "turn": 0,
        "hands": [{"count": 2, "cards": [1, 2], "known": [1]}, {"count": 2, "known": [50]}],
        "jars": [[7, 20], [8]], "earned": [["R+any"], []], "released": [[], [34]], "field": [9, 14], "discards": [3, 4],
        "deck": 46, "deliveries": {"available": ["Y+any", "B+any"], "next": "P+any", "deck": 16}, **changes,
    }
    return {name: value for name, value in fields.items() if value is not None}


def deliveries(**changes: Any) -> dict[str, Any]:
    fields = {**base()["deliveries"], **changes}
    return base(deliveries={name: value for name, value in fields.items() if value is not ...})


def test_what_follows_from_the_rest_may_be_left_out() -> None:
    game = load()
    state = game.build(base())
    assert plain({**state.view(0), "played": [6, 59]}) == plain(state.view(0))
    assert (state.actor, state.scores()) == (0, [5, 2])
    assert {name: value for name, value in seen(state, 0).items() if name != "hands"} == {
        name: value for name, value in base().items() if name != "hands"
    }
    for names in (["deck"], ["to_move"], ["turn"], ["deck", "turn", "to_move"], ["phase"]):
        again = game.build(base(**dict.fromkeys(names)))
        assert plain(again.view(0)) == plain(state.view(0))
    assert plain(game.build(deliveries(deck=...)).view(0)) == plain(state.view(0))
    least = ("to_move", "phase", "hands", "played", "field", "deliveries")
    view = seen(game.build({name: value for name, value in deliveries(deck=...).items() if name in least}), 0)
    assert [view[name] for name in ("round", "jars", "earned", "released", "discards")] == [1, *[[[], []]] * 3, []]
    assert view["deck"] == 52


def test_a_hand_may_be_a_list() -> None:
    game = load()
    state = game.build(base(hands=[[2, 1], {"count": 2, "known": []}]))
    assert seen(state, 0)["hands"] == [{"count": 2, "cards": [1, 2], "known": []}, {"count": 2, "known": []}]


def test_what_is_hidden_is_any_card_that_lies_nowhere_else() -> None:
    game = load()
    state = game.build(base())
    named = {6, 59, 1, 2, 50, 7, 20, 8, 34, 9, 14, 3, 4}
    for seed in range(50):
        hand = set(seen(state.redeal(0, seed))["hands"][1]["cards"])
        assert 50 in hand
        assert not hand & (named - {50})


HIDDEN = {"count": 2, "known": [50]}


def mine(*cards: Any, **changes: Any) -> dict[str, Any]:
    """With another hand of player 0."""
    return base(hands=[list(cards), HIDDEN], **changes)


def its(**changes: Any) -> dict[str, Any]:
    """With the hand of player 1 written otherwise; `...` leaves something out."""
    hand = {name: value for name, value in {**HIDDEN, **changes}.items() if value is not ...}
    return base(hands=[[1, 2], hand], deck=None)


def captured(**changes: Any) -> dict[str, Any]:
    """Player 0 has captured 14."""
    return base(**{"hands": [[1, 2, 14], HIDDEN], "field": [9], **changes})


BROKEN: list[tuple[str, Any, str]] = [
    ("nothing", None, ""),
    ("a list", [], ""),
    ("an unknown field", base(weather="fine"), "weather"),
    ("no hands", base(hands=None), "hands"),
    ("hands that are text", base(hands="1 2"), "hands"),
    ("one hand", base(hands=[[1, 2]]), "hands"),
    ("three hands", base(hands=[[1, 2], HIDDEN, [3]]), "hands"),
    ("a hand that is text", base(hands=[[1, 2], "50"]), "hands[1]"),
    ("an unknown field of a hand", its(age=3), "hands[1].age"),
    ("no count", its(count=...), "hands[1].count"),
    ("a count too high", its(count=3), "hands[1]"),
    ("a count too low", its(count=1), "hands[1]"),
    ("a count that is text", its(count="2"), "hands[1].count"),
    ("more known cards than cards", its(known=[50, 51, 52]), "hands[1].known"),
    ("known cards that are text", its(known="50"), "hands[1].known"),
    ("a known card of another hand", its(known=[1]), "hands[1].known[0]"),
    ("a known card that is not there", base(hands=[{"count": 2, "cards": [1, 2], "known": [5]}, HIDDEN]), "hands[0].known"),
    ("a count that contradicts the cards", base(hands=[{"count": 3, "cards": [1, 2]}, HIDDEN]), "hands[0].count"),
    ("a card too high", mine(1, 60), "hands[0].cards[1]"),
    ("a card below zero", mine(1, -1), "hands[0].cards[1]"),
    ("a card that is text", mine(1, "2"), "hands[0].cards[1]"),
    ("a card that is true", mine(True, 2), "hands[0].cards[0]"),
    ("a card twice in a hand", mine(1, 1), "hands[0].cards[1]"),
    ("a card of the hand in the field", mine(1, 9), "hands[0].cards[1]"),
    ("a card of the hand in a jar", mine(1, 20), "hands[0].cards[1]"),
    ("a card too many", mine(1, 2, 5, deck=None), "hands[0]"),
    ("jars that are text", base(jars="7"), "jars"),
    ("one jar", base(jars=[[7, 20]]), "jars"),
    ("a jar that is a number", base(jars=[7, [8]]), "jars[0]"),
    ("nine butterflies", base(jars=[[7, 45, 47, 20], [8]], deck=None), "jars[0]"),
    ("a card in two jars", base(jars=[[7, 20], [7]]), "jars[1][0]"),
    ("the card played in the jar", base(jars=[[7, 6], [8]]), "played[0]"),
    ("deliveries earned that are text", base(earned="R+any"), "earned"),
    ("an unknown delivery earned", base(earned=[["R+W"], []]), "earned[0][0]"),
    ("a delivery earned that is a number", base(earned=[[5], []]), "earned[0][0]"),
    ("a delivery earned twice", base(earned=[["R+any"], ["R+any"]]), "earned[1][0]"),
    ("a delivery earned and available", base(earned=[["Y+any"], []]), "deliveries"),
    ("a card delivered without the icon", base(released=[[], [33]]), "released[1]"),
    ("a card delivered twice", base(released=[[34], [34]]), "released[1][0]"),
    ("a card delivered and in a jar", base(jars=[[7, 34], [8]]), "released[1][0]"),
    ("a field of one", base(field=[9], deck=None), "field"),
    ("a field of three", base(field=[9, 14, 19], deck=None), "field"),
    ("no field", base(field=None, deck=None), "field"),
    ("a field that is text", base(field="9"), "field"),
    ("a card twice in the field", base(field=[9, 9]), "field[1]"),
    ("a card of the field discarded", base(discards=[3, 9]), "discards[1]"),
    ("another deck", base(deck=45), "deck"),
    ("a deck that is text", base(deck="46"), "deck"),
    ("no deliveries", base(deliveries=None), "deliveries.next"),
    ("deliveries that are a list", base(deliveries=["Y+any"]), "deliveries"),
    ("an unknown field of deliveries", deliveries(side=1), "deliveries.side"),
    ("one delivery available", deliveries(available=["Y+any"]), "deliveries.available"),
    ("three deliveries available", deliveries(available=["Y+any", "B+any", "R+P"]), "deliveries.available"),
    ("an unknown delivery available", deliveries(available=["Y+any", "Z"]), "deliveries.available[1]"),
    ("an unknown next delivery", deliveries(next="Z"), "deliveries.next"),
    ("a next delivery that is a number", deliveries(next=3), "deliveries.next"),
    ("nothing face up on the deliveries", deliveries(next=None, deck=...), "deliveries.next"),
    ("another deck of deliveries", deliveries(deck=3), "deliveries.deck"),
    ("a side vacated that is not", base(vacated=[0]), "vacated"),
    ("a side vacated that is none", {**deliveries(available=["Y+any", None], deck=...), "vacated": [2]}, "vacated[0]"),
    ("one card played", base(played=[6]), "played"),
    ("cards played that are text", base(played="6"), "played"),
    ("no card played", base(played=None, deck=None), "played"),
    ("a card played that is none", base(played=[6, 60]), "played[1]"),
    ("a card played that is in a hand", base(played=[6, 1]), "played[1]"),
    ("a card played by two", base(played=[6, 6]), "played[1]"),
    ("a card played that is hidden", base(played=[6, "hidden"]), "played[1]"),
    ("a card not yet played", base(played=[6, None]), "played[1]"),
    ("a third turn", base(turn=2), "turn"),
    ("a turn that is true", base(turn=True), "turn"),
    ("another turn", base(turn=1, deck=None), "played[0]"),
    ("nobody of that seat", base(to_move=2), "to_move"),
    ("a seat that is true", base(to_move=True), "to_move"),
    ("another to move", base(to_move=1), "to_move"),
    ("chance to move", base(to_move=CHANCE), "to_move"),
    ("an unknown phase", base(phase="winter"), "phase"),
    ("a phase that is a number", base(phase=3), "phase"),
    ("over in mid-round", base(phase="over", to_move=None), "played"),
    ("choosing with cards played", base(phase="choose", turn=None, deck=None), "played[0]"),
    ("no round", base(round=0), "round"),
    ("a round too many", base(round=101), "round"),
    ("a round that is text", base(round="3"), "round"),
    ("nothing to put", base(put=True), "put"),
    ("nothing to discard", captured(phase="discard", put=False), "jars[0]"),
    ("an action of a card that has none", captured(phase="power", played=[11, 59]), "phase"),
    ("a draw for a card without the icon", captured(phase="draw", to_move=None, played=[11, 59]), "phase"),
    ("a top card for a card without the icon", captured(phase="top", to_move=None), "phase"),
    ("a return of three", captured(phase="return"), "hands[0]"),
    ("nothing to deliver", captured(phase="deliver", jars=[[6], [8]], deck=None), "phase"),
    ("a bottom that is text", base(bottom="7"), "bottom"),
    ("a bottom card of nobody", base(bottom=[{"by": 2}]), "bottom[0].by"),
    ("a bottom card by whom", base(bottom=[{"card": 30}]), "bottom[0].by"),
    ("a bottom card of the field", base(bottom=[{"by": 0, "card": 9}]), "bottom[0].card"),
    ("a reshuffle that is text", base(shuffles="x"), "shuffles"),
    ("a reshuffle of nothing", base(shuffles=[[1, 2]]), "shuffles"),
    ("a reshuffle that leaves cards out", base(shuffles=[[1, 2], [10]]), "shuffles"),
    ("a memory that is a list", base(memory=[]), "memory"),
    ("a memory without events", base(memory={"hands": []}), "memory.events"),
]


@pytest.mark.parametrize(("fields", "path"), [pytest.param(*case[1:], id=case[0]) for case in BROKEN])
def test_broken_positions_are_refused_by_their_place(fields: Any, path: str) -> None:
    assert refusal(load(), fields).path == path


# --- property tests ---

MUCH_DRAWN = "Y/dr R/dr BB/dr GG/dr W YYY/dr P/dr RBG/dr GGG/sw BBB/to PPP/dr YRB/dr RR/dr"


@cache
def positions() -> list[tuple[Game, dict[str, Any]]]:
    """Views of games of all kinds, with all that may stand in one, by those who see everything and by others."""
    found = []
    games = [load(2), load(3, less_luck=True), load(6), load(5, less_luck=True, letters="in_order")]
    cheap = [Delivery("any", 1, 6), Delivery("2 of a kind", 3, 4), Delivery("any+any", 2, 6)]
    games += [small(2, MUCH_DRAWN, cheap, 40), small(3, f"{MUCH_DRAWN} GGY/dr W/dr", cheap, 40, less_luck=True)]
    for number, game in enumerate(games):
        states = [state for seed in range(2) for state in walk(game, 10 * number + seed).states]
        by_phase: dict[str, list[State]] = {}
        for state in states:
            by_phase.setdefault(phase(state), []).append(state)
        chosen = [state for alike in by_phase.values() for state in alike[:: max(1, len(alike) // 3)]]
        chosen += [state for state in states if "memory" in state.view(PUBLIC)][::9]
        found += [(game, state.view(observer)) for state in chosen for observer in (ALL, number % game.players)]
    return found


VALUES = [
    None, True, False, -1, -2, 0, 1, 2, 3, 7, 12, 59, 60, 2**40, 0.5, "", "hidden", "Y+any", "any", "2 of a kind", "choose",
    "capture", "power", "draw", "return", "top", "discard", "deliver", "field", "deliveries", "over", "hands", [], [0], [1, 2, 3],
    [[], []], {}, {"count": 3, "known": []}, {"count": 2, "cards": [1, 2]}, {"by": 0}, {"by": 1, "card": 5},
    {"event": "draws", "seat": 0}, {"event": "takes", "seat": 1, "card": 3},
]


@pytest.mark.parametrize(("line", "path", "options"), [("3 = 45", "goals", {}), ("C = ", "hands", {"less_luck": True})])
def test_a_file_that_is_not_enough_is_named_with_the_line(line: str, path: str, options: dict[str, Any], tmp_path: Path) -> None:
    """For two players each of these would do."""
    lines = [own for own in DEFINITION.components_file.read_text().splitlines() if not own.startswith(line)]
    file = tmp_path / "components.toml"
    file.write_text("\n".join(lines))
    garden_ai.load("butterfly_garden", 2, file, **options)
    with pytest.raises(FieldError) as error:
        garden_ai.load("butterfly_garden", 3, file, **options)
    number = next(i for i, own in enumerate(lines, 1) if own.startswith(f"[{path}]"))
    assert str(error.value).startswith(f"{file}:{number}: {path}: expected a ")


@given(mutated(positions, VALUES, "YRBPGW+anyhide 0123456789", ["count", "cards", "known", "from", "by", "card", "bottom"]))
@searching(1000)
def test_a_changed_position_is_refused_by_its_place_or_sound(case: tuple[Game, Any]) -> None:
    check_refused_or_sound(case, partial(assert_sound, assert_in_order=assert_in_order))


def test_positions_of_games_lose_nothing() -> None:
    """Nor without all that follows from the rest."""
    for game, view in positions():
        observer = next((seat for seat, hand in enumerate(view["hands"]) if "cards" in hand), PUBLIC)
        observer = ALL if all("cards" in hand for hand in view["hands"]) else observer
        assert plain(game.build(view).view(observer)) == plain(view)
        shorter = {name: value for name, value in view.items() if name not in ("deck", "to_move")}
        shorter["deliveries"] = {name: value for name, value in view["deliveries"].items() if name != "deck"}
        assert plain(game.build(shorter).view(observer)) == plain(view)
