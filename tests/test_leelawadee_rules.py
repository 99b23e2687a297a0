"""Leelawadee's rules, one by one: the worked examples of the rulebook, every ruling, invariants, and broken positions.

A position is written as gardens of two rows, `Y O R P B` for the flowers, with the creatures in them: `new` flew in
during this round, `old` earlier; `RP` is the butterfly of red and purple, `5` the five-colour one, `bee` the bumblebee.
"""

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from battery import walk
from garden_core.measure import playouts
from garden_core.state import Game, State
from mutation import refusal
from scipy.stats import chisquare

import garden_ai
from garden_ai import ALL, CHANCE, PUBLIC, TERMINAL, FieldError
from garden_ai.games import definition

EMPTY = (".....", ".....")
LETTERS = "YORPB"


def load(players: int = 2, **options: Any) -> Game:
    return garden_ai.load("leelawadee", players=players, **options)


def garden(top: str, bottom: str, new: str = "", old: str = "", score: int = 0, **more: Any) -> dict[str, Any]:
    return {"rows": [top, bottom], "new": new.split(), "old": old.split(), "score": score, **more}


def play(state: State, *moves: str) -> State:
    """The state after moves in notation."""
    state = state.copy()
    for move in moves:
        state.apply(definition("leelawadee").notation.parse(state, move))
    return state


def creatures(state: State, player: int) -> tuple[set[str], set[str]]:
    """Those that flew in during this round, and the older ones."""
    own = state.view(ALL)["gardens"][player]
    return set(own["new"]), set(own["old"])


def home(state: State, code: str) -> int | None:
    """The player in whose garden a creature is; None: on the table."""
    return next((p for p in range(state.game.players) if code in set.union(*creatures(state, p))), None)


def is_new(state: State, code: str) -> bool:
    return any(code in creatures(state, player)[0] for player in range(state.game.players))


# --- the worked examples ---


def test_example_a_three_gardeners_draw_six_flowers() -> None:
    for players, flowers in ((2, 4), (3, 6), (4, 8)):
        view = load(players).start(seed=1).view(ALL)
        assert len(view["table"]) == flowers
        assert sum(view["bag"].values()) == 10 * players - flowers


def test_example_b_the_order_of_turns() -> None:
    """The bag holder is the first to choose, and at the end of the round has to take the only flower that remains."""
    state = load(3, first=0).start()
    state.draw(1)
    order = []
    while len(order) < 6:
        order.append(state.actor)
        colours = {int(action) // 16 for action in state.legal_actions()}
        assert len(colours) >= 1
        if len(order) == 6:
            assert len(colours) == 1
        state.apply(state.random_action(len(order)))
    assert order == [0, 1, 2, 2, 1, 0]


@pytest.mark.parametrize(("players", "first", "rounds"), [
    (2, 1, ["1001", "0110", "1001", "0110", "1001"]),
    (3, 0, ["012210", "120021", "201102", "012210", "120021"]),
    (3, 2, ["201102", "012210", "120021", "201102", "012210"]),
    (4, 3, ["30122103", "01233210", "12300321", "23011032", "30122103"]),
])
def test_the_order_of_all_rounds(players: int, first: int, rounds: list[str]) -> None:
    """Snake order, and the bag goes to the next player clockwise after each round."""
    state = load(players, first=first).start()
    seen = ""
    step = 0
    while state.actor != TERMINAL:
        step += 1
        if state.actor == CHANCE:
            assert len(seen) % (2 * players) == 0
            state.draw(step)
        else:
            assert state.view(PUBLIC)["bag_holder"] == int(rounds[len(seen) // (2 * players)][0])
            seen += str(state.actor)
            state.apply(state.random_action(step))
    assert seen == "".join(rounds)


def example_c() -> State:
    """Before the fifth turn. Player 2 has red beside purple, player 1 one purple flower; red and blue are left."""
    return load(3, first=0).build({
        "to_move": 1,
        "table": "RB",
        "gardens": [
            garden("Y....", ".....", new="Y"),
            garden(".....", "..P..", new="P"),
            garden("RP...", ".....", new="R RP 5"),
        ],
    })


def test_example_c_a_tie_flies_to_the_fresh_flower() -> None:
    before = example_c()
    state = play(before, "red b2")
    # one red flower there, one here
    assert home(state, "R") == 1
    # two flowers of red and purple there, two here
    assert home(state, "RP") == 1
    # two colours here are not more than two colours there
    assert home(state, "5") == 2
    assert home(state, "P") == 1
    assert home(state, "bee") is None
    # the start player gets the remaining flower
    assert state.actor == 0
    assert {int(action) // 16 for action in state.legal_actions()} == {LETTERS.index("B")}
    # planted apart, it ties on red but makes no group of red and purple
    apart = play(before, "red e1")
    assert (home(apart, "R"), home(apart, "RP")) == (1, 2)


def example_d() -> State:
    """Before the last flower of round three, which the start player plants. No yellow flower lies beside a blue one."""
    return load(3).build({
        "to_move": 0,
        "bag_holder": 0,
        "table": "O",
        "gardens": [
            garden("RY...", "Y..RB", old="Y", score=10),
            garden("R.RB.", "P..PP", new="P RP", old="R PB bee", score=20),
            garden(".BOOR", "O..B.", new="O OR", old="B 5", score=30),
        ],
    })


def test_example_d_the_points_of_round_three() -> None:
    before = example_d()
    state = play(before, "orange c1")
    points = [new - old for new, old in zip(state.scores(), before.scores(), strict=True)]
    # 4 = 3 + 1; 7 = 3 + 3 + 1 + 1 and one minus point for the bumblebee; 8 = 3 + 3 + 1 + 1
    assert points == [4, 7, 8]
    start, top, right = ({name: value for name, value in own.items() if value and name != "earlier rounds"}
                         for own in state.components())
    assert start == {"yellow-orange": 3, "yellow": 1}
    assert top == {"purple": 3, "red-purple": 3, "red": 1, "purple-blue": 1, "bumblebee": -1}
    assert right == {"orange": 3, "orange-red": 3, "blue": 1, "five-colour": 1}
    # the yellow-blue butterfly is still on the table
    assert home(state, "YB") is None
    assert sum(home(state, code) is not None for code in ["Y", "O", "R", "P", "B", "RP", "YO", "OR", "PB", "5"]) == 10
    # all are turned for the next round, and the bag goes on clockwise
    assert not any(creatures(state, player)[0] for player in range(3))
    assert state.view(ALL)["bag_holder"] == 1


# --- ruling 1: who begins ---


def test_the_first_bag_holder_is_drawn_or_set() -> None:
    for players in (2, 3, 4):
        outcomes, probabilities = load(players).start().outcomes()
        assert outcomes.tolist() == list(range(players))
        assert probabilities.tolist() == [1 / players] * players
        holders = {load(players).start(seed).actor for seed in range(60)}
        assert holders == set(range(players))
        for first in range(players):
            assert load(players, first=first).start(seed=3).actor == first
    with pytest.raises(FieldError, match="first"):
        load(2, first=2)


# --- ruling 2: which group attracts ---


def test_only_the_garden_just_planted_in_attracts() -> None:
    """Both have one red flower. Whatever player 1 plants but red, the butterfly stays with player 0."""
    state = load().build({"to_move": 1, "table": "BBOP", "gardens": [
        garden("R....", "....Y", old="R Y"), garden("R....", "....B", old="B")]})
    for action in state.legal_actions().tolist():
        after = state.copy()
        after.apply(action)
        assert home(after, "R") == 0
    assert home(play(state, "blue c1"), "Y") == 0


def test_the_group_of_the_fresh_flower_is_measured() -> None:
    """Both have two blue flowers together; the butterfly is with player 1 and player 0 plants a third one."""
    gardens = [garden("BB...", "....."), garden("BB...", ".....", old="B bee")]
    for attract, apart in (("fresh-group", 1), ("best-group", 0)):
        state = load(attract=attract).build({"to_move": 0, "table": "BOPR", "gardens": gardens})
        # alone, it is a group of one: less than two, but player 0's best is two
        assert home(play(state, "blue e2"), "B") == apart
        # beside the others, three are more than two in either reading
        assert home(play(state, "blue c1"), "B") == 0
        assert home(play(state, "blue b2"), "B") == 0
        # another colour attracts nothing blue in either
        assert home(play(state, "orange e2"), "B") == 1


def test_the_readings_differ_for_two_colours_too() -> None:
    gardens = [garden("PB...", "....."), garden("PB...", ".....", old="P B PB 5")]
    for attract, owner in (("fresh-group", 1), ("best-group", 0)):
        state = load(attract=attract).build({"to_move": 0, "table": "POPR", "gardens": gardens})
        after = play(state, "purple e2")
        assert home(after, "PB") == owner
        assert home(after, "P") == 0


# --- ruling 3: groups of two colours ---


def red_and_purple(table: str, own: tuple[str, str]) -> State:
    """Player 1 has red beside purple; player 0, to move, has what is given."""
    placed = {"RR...": "R bee", "R.P..": "R P", "R....": "R B"}[own[0]]
    other = "RP 5" if "P" in placed else "P RP 5"
    return load().build({"to_move": 0, "table": table, "gardens": [
        garden(*own, old=placed), garden("RP...", ".....", old=other)]})


def test_a_group_of_two_colours_counts_all_its_flowers() -> None:
    state = red_and_purple("PPBO", ("RR...", "....."))
    assert home(play(state, "purple c1"), "RP") == 0
    assert home(play(state, "purple b2"), "RP") == 0
    assert home(play(state, "purple e2"), "RP") == 1


def test_a_group_of_two_colours_needs_both() -> None:
    state = red_and_purple("RBBO", ("RR...", "....."))
    assert home(play(state, "red c1"), "RP") == 1


def test_only_the_two_colours_connect() -> None:
    state = red_and_purple("ROBB", ("R.P..", "....."))
    assert home(play(state, "blue b1"), "RP") == 1
    assert home(play(state, "orange b1"), "RP") == 1
    assert home(play(state, "red b1"), "RP") == 0
    assert home(play(state, "red d1"), "RP") == 0
    assert home(play(state, "red e2"), "RP") == 1


def test_flowers_are_connected_along_rows_and_columns_only() -> None:
    state = red_and_purple("PPOO", ("R....", "....B"))
    assert home(play(state, "purple b1"), "RP") == 0
    assert home(play(state, "purple a2"), "RP") == 0
    assert home(play(state, "purple b2"), "RP") == 1


# --- ruling 4: old and new ---


def second_round() -> State:
    """Nothing touches anything; player 0 holds the bag."""
    return load().build({"to_move": 0, "table": "YRRB", "gardens": [
        garden("R....", "....Y", old="R Y"), garden("O....", "....P", old="O P")]})


def test_a_butterfly_that_stays_keeps_its_direction() -> None:
    state = play(second_round(), "red b1")
    assert "R" in creatures(state, 0)[1]
    # and so does one that came in this round: it does not turn old
    state = load().build({"to_move": 0, "table": "R", "gardens": [
        garden("R....", ".....", new="R"), garden("O....", "....P", new="O P")]})
    after = play(state, "red b1")
    assert after.components()[0]["red"] == 1


def test_a_butterfly_that_left_and_came_back_is_new_again() -> None:
    state = play(second_round(), "yellow d1", "red c1")
    assert home(state, "R") == 1
    assert is_new(state, "R")
    end = play(state, "blue b2", "red b1")
    assert home(end, "R") == 0
    points = [{name: value for name, value in own.items() if value} for own in end.components()]
    # new again: 2 and not 1
    assert points[0] == {"red": 2, "yellow": 1, "bumblebee": -1}
    assert points[1] == {"orange": 1, "purple": 1, "blue": 2}


# --- ruling 5: the five-colour butterfly ---


def five_with_player_0(to_move: int) -> State:
    return load().build({"to_move": to_move, "table": "ORYB", "gardens": [
        garden("RP...", ".....", old="R P RP 5"), garden("OB...", ".....", old="O B")]})


def test_the_five_colour_butterfly_flies_to_more_colours_only() -> None:
    state = play(five_with_player_0(1), "red c1")
    assert (home(state, "5"), is_new(state, "5")) == (1, True)
    state = play(state, "yellow c1")   # three colours against three
    assert home(state, "5") == 1
    state = play(state, "blue d1")     # four
    assert home(state, "5") == 0


def test_the_five_colour_butterfly_stays_where_its_own_garden_sets_the_record() -> None:
    state = play(five_with_player_0(0), "orange c1")
    assert (home(state, "5"), is_new(state, "5")) == (0, False)
    state = play(state, "red c1")      # player 1 has three colours together, as many as the record
    assert home(state, "5") == 0
    state = play(state, "yellow d1")   # four
    assert (home(state, "5"), is_new(state, "5")) == (1, True)


def test_the_five_colour_butterfly_waits_for_two_colours_connected() -> None:
    state = load(first=0).build({"to_move": 0, "table": "BPOY", "gardens": [garden(*EMPTY), garden(*EMPTY)]})
    state = play(state, "blue a1", "purple a1")
    assert home(state, "5") is None
    assert home(play(state, "orange c1"), "5") is None
    assert home(play(state, "orange b1"), "5") == 1


# --- ruling 6: the bumblebee ---


def test_the_bumblebee_flies_to_larger_groups_only() -> None:
    state = load().build({"to_move": 1, "table": "PBBR", "gardens": [
        garden("BB...", ".....", old="B bee"), garden("PP...", ".....", old="P")]})
    state = play(state, "purple c1")
    assert home(state, "bee") == 1
    state = play(state, "blue c1")     # three against three
    assert home(state, "bee") == 1
    state = play(state, "blue d1")     # four
    assert home(state, "bee") == 0
    assert not is_new(state, "bee")
    end = play(state, "red e2")
    assert [own["bumblebee"] for own in end.components()] == [-1, 0]


def test_the_bumblebee_waits_for_two_flowers_and_counts_no_second_group() -> None:
    state = load(first=0).build({"to_move": 0, "table": "B", "gardens": [
        garden("B....", ".....", new="B"), garden("P...R", ".....", new="P R")]})
    assert home(state, "bee") is None
    assert [own["bumblebee"] for own in play(state, "blue c1").components()] == [0, 0]
    assert [own["bumblebee"] for own in play(state, "blue b1").components()] == [-1, 0]
    # two and two apart are not larger than two
    state = load().build({"to_move": 0, "bag_holder": 1, "table": "BO", "gardens": [
        garden("BB..B", ".....", new="B"), garden("PP.R.", ".....", old="P bee", new="R")]})
    assert home(play(state, "blue e2"), "bee") == 1


# --- ruling 7: attraction is compulsory and creatures do not interact ---


def test_one_flower_attracts_all_it_can() -> None:
    state = load(first=0).build({"to_move": 0, "table": "P", "gardens": [
        garden("R....", ".....", new="R"), garden("P....", "....B", new="P B")]})
    assert len(state.legal_actions()) == 9
    end = play(state, "purple b1")
    points = [{name: value for name, value in own.items() if value} for own in end.components()]
    assert points == [{"red": 1, "purple": 1, "red-purple": 1, "five-colour": 1}, {"blue": 1}]


# --- rulings 8 and 9: points ---

# by round: a butterfly that flew in during it, and any other
VALUES = {1: (1, 0), 2: (2, 1), 3: (3, 1), 4: (4, 2), 5: (5, 2)}


def random_states(game: Game, seed: int) -> list[State]:
    return walk(game, seed).states


@pytest.mark.parametrize("players", [2, 3, 4])
def test_points_of_every_round(players: int) -> None:
    missing_seen = set()
    for seed in range(20):
        states = random_states(load(players), seed)
        for before, state in pairwise(states):
            view = state.view(ALL)
            rounds = view.get("history", [])
            expected = [0] * players
            for number, gardens in enumerate(rounds, 1):
                new, old = VALUES[number]
                for player, own in enumerate(gardens):
                    butterflies = [code for code in own["old"] if code != "bee"]
                    expected[player] += new * len(own["new"]) + old * len(butterflies) - ("bee" in own["old"])
            if len(rounds) > len(before.view(ALL).get("history", [])):
                # the history is what lay in the gardens, now turned
                for player, own in enumerate(rounds[-1]):
                    assert sorted(own["new"] + own["old"]) == sorted(creatures(state, player)[1])
                    assert not creatures(state, player)[0]
            if state.actor == TERMINAL:
                for player, own in enumerate(view["gardens"]):
                    missing = 5 - len(set("".join(own["rows"])) - {"."})
                    missing_seen.add(missing)
                    assert state.components()[player]["missing colours"] == -6 * missing
                    expected[player] -= 6 * missing
            assert state.scores() == expected
    assert {0, 1} <= missing_seen


def ended(scores: list[int]) -> State:
    """A finished game whose points are these."""
    game = load(len(scores))
    view = random_states(game, 1)[-1].view(ALL)
    del view["history"]
    for own, score in zip(view["gardens"], scores, strict=True):
        own["score"] = score
    return game.build(view)


def test_the_highest_total_wins_and_ties_are_shared() -> None:
    state = ended([20, 35, 30])
    assert state.actor == TERMINAL
    assert (state.placing(), state.wins()) == ([3, 1, 2], [0, 1, 0])
    state = ended([30, 20, 30])
    assert (state.placing(), state.wins()) == ([1, 3, 1], [0.5, 0, 0.5])
    assert state.utilities()[0] == state.utilities()[2] == pytest.approx(0.9 / 2 + 0.1 / 2)
    state = ended([12, 12, 12, 12])
    assert (state.placing(), state.wins()) == ([1] * 4, [0.25] * 4)
    assert state.utilities() == [pytest.approx(0.9 / 4 + 0.1 / 2)] * 4


def test_a_larger_margin_is_worth_more() -> None:
    close, clear = ended([31, 30]).utilities(), ended([45, 30]).utilities()
    assert 0.9 < close[0] < clear[0] < 1
    assert 0.1 > close[1] > clear[1] > 0


# --- ruling 10: variants ---


def test_open_draws_are_a_game_of_perfect_information() -> None:
    for seed in range(5):
        game = load(3, open_draws=True)
        state = game.start(seed)
        assert not game.hidden
        coming = state.view(PUBLIC)["coming"]
        assert [len(flowers) for flowers in coming] == [6] * 4
        assert sum(state.view(PUBLIC)["bag"].values()) == 0
        tables = [state.view(PUBLIC)["table"]]
        step = 0
        while state.actor != TERMINAL:
            assert state.actor != CHANCE
            assert state.redeal(PUBLIC, step).to_bytes() == state.to_bytes()
            assert state.view(PUBLIC) == state.view(ALL)
            state.apply(state.random_action(step))
            step += 1
            if step % 6 == 0 and step < 30:
                tables.append(state.view(PUBLIC)["table"])
        assert tables[1:] == coming


def bidding(players: int = 3, **options: Any) -> State:
    return load(players, bid_for_start=True, **options).start(seed=1)


def test_bids_are_sealed_and_made_at_once() -> None:
    state = bidding()
    assert state.simultaneous
    assert len(state.view(PUBLIC)["table"]) == 6   # the first draw lies open
    assert "coming" not in state.view(PUBLIC)
    state = play(state, "bid 3", "bid 8")
    assert state.view(0)["bids"] == [3, "hidden", None]
    assert state.view(1)["bids"] == ["hidden", 8, None]
    assert state.view(2)["bids"] == state.view(PUBLIC)["bids"] == ["hidden", "hidden", None]
    other = play(bidding(), "bid 4", "bid 0")
    assert other.key(2) == state.key(2)
    assert other.key(0) != state.key(0)
    assert not play(state, "bid 1").simultaneous


def test_the_highest_bid_is_paid_and_names_the_start_player() -> None:
    state = play(bidding(), "bid 3", "bid 8", "bid 7")
    assert state.actor == 1
    assert state.scores() == [0, -8, 0]
    assert state.components()[1]["bid"] == -8
    assert state.legal_actions().tolist() == sorted(state.legal_actions().tolist())
    assert len(state.legal_actions()) == 3
    for start in range(3):
        begun = play(state, f"start {start}")
        assert begun.actor == start
        assert begun.view(ALL)["bag_holder"] == start
        for step in range(6):
            begun.apply(begun.random_action(step))
        begun.draw(1)
        assert begun.actor == (start + 1) % 3   # afterwards the bag still passes clockwise


def test_bids_are_whole_numbers_up_to_the_highest_allowed() -> None:
    for highest in (0, 1, 20, 99):
        state = bidding(bid_max=highest)
        notation = definition("leelawadee").notation
        assert [notation.format(state, action) for action in state.legal_actions()] == [
            f"bid {bid}" for bid in range(highest + 1)]
        with pytest.raises(ValueError, match=f"0..{highest}"):
            notation.parse(state, f"bid {highest + 1}")


def test_a_tie_of_bids_is_drawn() -> None:
    state = play(bidding(4), "bid 5", "bid 2", "bid 5", "bid 5")
    assert state.actor == CHANCE
    outcomes, probabilities = state.outcomes()
    assert outcomes.tolist() == [0, 2, 3]
    assert probabilities.tolist() == pytest.approx([1 / 3] * 3)
    drawn = Counter(state.copy().draw(seed) for seed in range(900))
    assert chisquare([drawn[player] for player in (0, 2, 3)]).pvalue > 1e-4
    assert state.scores() == [0, 0, 0, 0]
    won = play(state, "tie 2")
    assert won.actor == 2
    assert won.scores() == [0, 0, -5, 0]
    nobody = play(bidding(2), "bid 0", "bid 0", "tie 1")
    assert nobody.scores() == [0, 0]


def test_both_variants_show_all_draws_before_the_bidding() -> None:
    state = bidding(2, open_draws=True)
    assert state.simultaneous
    assert len(state.view(PUBLIC)["coming"]) == 4


# --- coarse keys and symmetry ---


def test_coarse_keys_merge_draws_of_the_same_colours() -> None:
    game = load(2, first=0)
    keys = {}
    for flowers in ("ORRP", "OORP", "ORPP", "ORPB"):
        keys[flowers] = {grain: play(game.start(), f"draw {flowers}").key(0, grain) for grain in (0, 1)}
    assert keys["ORRP"][1] == keys["OORP"][1] == keys["ORPP"][1] != keys["ORPB"][1]
    assert len({own[0] for own in keys.values()}) == 4


def canonical_spots(state: State, colour: str) -> dict[str, str]:
    notation = definition("leelawadee").notation
    spots = [f"{column}{row}" for row in (1, 2) for column in "abcde"]
    found = {}
    for spot in spots:
        action = parsed(state, f"{colour} {spot}")
        if action is not None:
            found[spot] = notation.format(state, state.canonical(action)).split()[1]
    return found


def parsed(state: State, move: str) -> int | None:
    try:
        return definition("leelawadee").notation.parse(state, move)
    except ValueError:
        return None


def test_mirrored_spots_have_one_representative() -> None:
    state = load(first=0).build({"to_move": 0, "table": "BPOY", "gardens": [garden(*EMPTY), garden(*EMPTY)]})
    assert canonical_spots(state, "blue") == {
        "a1": "a1", "b1": "b1", "c1": "c1", "d1": "b1", "e1": "a1",
        "a2": "a1", "b2": "b1", "c2": "c1", "d2": "b1", "e2": "a1"}


def mirrored(top: str, bottom: str, old: str) -> dict[str, str]:
    other = {"R B": "O P", "R P": "O B", "B": "O P"}[old]
    rows = ("O...P", ".....") if other == "O P" else ("O...B", ".....")
    state = load().build({"to_move": 0, "table": "YRBB", "gardens": [
        garden(top, bottom, old=old), garden(*rows, old=other)]})
    return canonical_spots(state, "yellow")


def test_planted_flowers_break_a_symmetry_unless_they_share_it() -> None:
    # left and right alike, above and below not
    spots = mirrored("B...B", ".....", "B")
    assert spots == {"b1": "b1", "c1": "c1", "d1": "b1", "a2": "a2", "b2": "b2", "c2": "c2", "d2": "b2", "e2": "a2"}
    # a half turn only
    spots = mirrored("B....", "....B", "B")
    assert spots == {"b1": "b1", "c1": "c1", "d1": "d1", "e1": "e1", "a2": "e1", "b2": "d1", "c2": "c1", "d2": "b1"}
    # two colours: no symmetry is left
    spots = mirrored("R...B", ".....", "R B")
    assert all(spot == image for spot, image in spots.items())


def test_bids_have_no_mirror() -> None:
    state = bidding()
    assert [state.canonical(action) for action in state.legal_actions()] == state.legal_actions().tolist()


# --- invariants ---


def largest(rows: list[str], code: str) -> int:
    """How strongly a garden draws a creature: flowers in its best group or, for the five-colour butterfly, colours."""
    spots = {(r, c): letter for r, row in enumerate(rows) for c, letter in enumerate(row) if letter in LETTERS}
    if code == "bee":
        return max(largest(rows, letter) for letter in LETTERS)
    colours = set(LETTERS) if code == "5" else set(code)
    best = 0
    left = {spot for spot, letter in spots.items() if letter in colours}
    while left:
        group, edge = set(), [left.pop()]
        while edge:
            row, column = edge.pop()
            group.add((row, column))
            near = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)} & left
            left -= near
            edge += near
        letters = {spots[spot] for spot in group}
        if code == "5":
            best = max(best, len(letters))
        elif letters == colours:
            best = max(best, len(group))
    return best


CODES = ("Y", "O", "R", "P", "B", "RP", "YB", "YO", "OR", "PB", "5", "bee")


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", [
    {}, {"attract": "best-group"}, {"open_draws": True, "bid_for_start": True},
], ids=["default", "best-group", "variants"])
def test_invariants_of_random_games(players: int, options: dict[str, Any]) -> None:
    counts = {2: (2, 3, 4, 5, 6), 3: (4, 5, 6, 7, 8), 4: (6, 7, 8, 9, 10)}[players]
    flown = set()
    for seed in range(12):
        flights: Counter[str] = Counter()
        homes: dict[str, int | None] = dict.fromkeys(CODES)
        record = {"5": 1, "bee": 1}
        states = random_states(load(players, **options), seed)
        for before, state in pairwise(states):
            view = state.view(ALL)
            rows = [own["rows"] for own in view["gardens"]]
            lying = "".join("".join(own) for own in rows) + view["table"] + "".join(view.get("coming", []))
            assert tuple(lying.count(letter) + view["bag"][letter] for letter in LETTERS) == counts
            placed = [code for own in view["gardens"] for code in own["new"] + own["old"]]
            assert len(set(placed)) == len(placed)
            for code in CODES:
                sizes = [largest(own, code) for own in rows]
                where = home(state, code)
                least = 2 if code in ("5", "bee") else 1
                if where is None:
                    assert max(sizes) < least
                else:
                    assert sizes[where] == max(sizes) >= least
                if where != homes[code]:
                    # it flies to who has just planted, never back to the table
                    assert where == before.actor
                    flights[code] += 1
                    if code in record:
                        assert sizes[where] > record[code]
                    homes[code] = where
                if code in record:
                    record[code] = max(record[code], *sizes)
        assert flights["5"] <= 4
        flown |= set(flights)
    assert flown == set(CODES)


@pytest.mark.parametrize(("players", "mean"), [(2, 38), (3, 30), (4, 24)])
def test_points_of_random_play(players: int, mean: float) -> None:
    """As an independent simulation found them."""
    games = 20_000
    _, total = playouts(load(players).start(), games, 1)
    assert abs(total / games - mean) < 1


# --- positions ---


def base(**changes: Any) -> dict[str, Any]:
    """The start of a second round, complete, with some fields changed; None leaves one out."""
    fields = {
        "to_move": 0, "phase": "plant", "round": 2, "bag_holder": 0, "table": "YOPB",
        "bag": {"Y": 1, "O": 2, "R": 1, "P": 3, "B": 5},
        "gardens": [own(), other()],
        **changes,
    }
    return {name: value for name, value in fields.items() if value is not None}


def own(**changes: Any) -> dict[str, Any]:
    return changed({"rows": ["RR...", "....."], "new": [], "old": ["R", "bee"], "score": 0}, changes)


def other(**changes: Any) -> dict[str, Any]:
    return changed({"rows": ["RP...", "....."], "new": [], "old": ["P", "RP", "5"], "score": 3}, changes)


def changed(fields: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**fields, **changes}.items() if value is not None}


def test_what_follows_from_the_rest_may_be_left_out() -> None:
    game = load()
    state = game.build(base())
    assert state.actor == 0
    for name in ("phase", "round", "bag_holder", "bag"):
        assert game.build(base(**{name: None})) == state
    assert game.build(base(to_move=None)) == state
    assert game.build(base(table="bpoy", gardens=[own(rows=["rr...", "....."]), other()])) == state
    assert game.build(base(gardens=[own(new=None, old=["red", "Bumblebee"]), other(new=None)])) == state


HISTORY = [[{"new": ["R"], "old": ["bee"]}, {"new": ["P", "RP", "5"], "old": []}]]


def test_a_history_gives_the_points() -> None:
    state = load().build(base(history=HISTORY, gardens=[own(score=None), other(score=None)]))
    assert state.scores() == [0, 3]
    assert state.components()[1] == {name: float(name in ("purple", "red-purple", "five-colour"))
                                     for name in state.game.component_names}


BROKEN: list[tuple[str, Any, str]] = [
    ("nothing", None, ""),
    ("a list", [], ""),
    ("an unknown field", base(weather="fine"), "weather"),
    ("no gardens", base(gardens=None), "gardens"),
    ("one garden", base(gardens=[own()]), "gardens"),
    ("gardens that are none", base(gardens="RR"), "gardens"),
    ("a garden that is none", base(gardens=[own(), 3]), "gardens[1]"),
    ("an unknown field of a garden", base(gardens=[own(), other(pond=1)]), "gardens[1].pond"),
    ("a garden without rows", base(gardens=[own(rows=None), other()]), "gardens[0].rows"),
    ("one row", base(gardens=[own(rows=["RR..."]), other()]), "gardens[0].rows"),
    ("a row that is none", base(gardens=[own(rows=["RR...", 5]), other()]), "gardens[0].rows[1]"),
    ("a row too long", base(gardens=[own(rows=["RR....", "....."]), other()]), "gardens[0].rows[0]"),
    ("a row too short", base(gardens=[own(rows=["RR..", "....."]), other()]), "gardens[0].rows[0]"),
    ("an unknown flower", base(gardens=[own(), other(rows=["RP...", "..X.."])]), "gardens[1].rows[1]"),
    ("a flower too many here, too few there",
     base(gardens=[own(rows=["RR...", "....Y"]), other(rows=["R....", "....."])]), "gardens[0].rows"),
    ("more flowers of a colour than there are", base(table="RRPB", bag=None), "gardens"),
    ("an unknown flower on the table", base(table="YOPX"), "table"),
    ("three flowers on the table", base(table="YOP"), "table"),
    ("very many flowers on the table", base(table="B" * 40), "table"),
    ("a table that is a number", base(table=4), "table"),
    ("a bag that is a list", base(bag=[]), "bag"),
    ("an unknown flower in the bag", base(bag={"X": 1}), "bag.X"),
    ("a bag that contradicts", base(bag={"Y": 2, "O": 2, "R": 1, "P": 3, "B": 5}), "bag.Y"),
    ("a count that is no number", base(bag={"Y": "1", "O": 2, "R": 1, "P": 3, "B": 5}), "bag.Y"),
    ("nobody of that seat", base(to_move=2), "to_move"),
    ("a seat that is a word", base(to_move="first"), "to_move"),
    ("a seat that is true", base(to_move=True), "to_move"),
    ("another's turn than the bag says", base(to_move=1), "bag_holder"),
    ("a bag holder that is none", base(bag_holder=2), "bag_holder"),
    ("neither turn nor bag holder", base(to_move=None, bag_holder=None), "to_move"),
    ("another round", base(round=3), "round"),
    ("an unknown phase", base(phase="winter"), "phase"),
    ("over in the second round", base(phase="over"), "phase"),
    ("the first bag holder not yet drawn", base(phase="first"), "phase"),
    ("bids without the option", base(phase="bid"), "phase"),
    ("a table before the draw", base(phase="draw", to_move=CHANCE), "table"),
    ("bids where nobody bids", base(bids=[1, None]), "bids"),
    ("draws to come without the option", base(coming=["YOPB"]), "coming"),
    ("an unknown creature", base(gardens=[own(old=["R", "wasp"]), other()]), "gardens[0].old[1]"),
    ("a creature that is a number", base(gardens=[own(old=["R", 5]), other()]), "gardens[0].old[1]"),
    ("creatures that are a word", base(gardens=[own(old="R"), other()]), "gardens[0].old"),
    ("a creature twice", base(gardens=[own(), other(old=["P", "RP", "5", "R"])]), "gardens[1].old[3]"),
    ("new before anything is planted", base(gardens=[own(new=["R"], old=["bee"]), other()]), "gardens[0].new[0]"),
    ("a butterfly at the smaller group", base(gardens=[own(old=["bee"]), other(old=["R", "P", "RP", "5"])]),
     "gardens[1]"),
    ("a butterfly without a group", base(gardens=[own(old=["R", "B", "bee"]), other()]), "gardens[0]"),
    ("the five-colour butterfly at fewer colours", base(gardens=[own(old=["R", "bee", "5"]), other(old=["P", "RP"])]),
     "gardens[0]"),
    ("the bumblebee at the smaller group", base(gardens=[own(old=["R"]), other(old=["P", "RP", "5", "bee"])]),
     "gardens[1]"),
    ("a butterfly left out", base(gardens=[own(old=["bee"]), other()]), "gardens"),
    ("the bumblebee left out", base(gardens=[own(old=["R"]), other()]), "gardens"),
    ("no points", base(gardens=[own(score=None), other()]), "gardens[0].score"),
    ("points out of bounds", base(gardens=[own(), other(score=1000)]), "gardens[1].score"),
    ("points that are a word", base(gardens=[own(), other(score="3")]), "gardens[1].score"),
    ("half a point", base(gardens=[own(), other(score=0.5)]), "gardens[1].score"),
    ("a bid that nobody made", base(gardens=[own(bid=1), other()]), "gardens[0].bid"),
    ("a history of two rounds", base(history=HISTORY * 2), "history"),
    ("a history of one garden", base(history=[HISTORY[0][:1]]), "history[0]"),
    ("an unknown creature in the history", base(history=[[{"new": ["wasp"]}, {}]]), "history[0][0].new[0]"),
    ("a creature twice in the history", base(history=[[{"new": ["R"]}, {"old": ["R"]}]]), "history[0][1].old[0]"),
    ("points that contradict the history", base(history=HISTORY, gardens=[own(), other(score=4)]), "gardens[1].score"),
]


@pytest.mark.parametrize(("fields", "path"), [pytest.param(*case[1:], id=case[0]) for case in BROKEN])
def test_broken_positions_are_refused_by_their_place(fields: Any, path: str) -> None:
    assert refusal(load(), fields).path == path


def opening(**changes: Any) -> dict[str, Any]:
    """The bidding of two players, nobody having bid."""
    fields = {"table": "YOPB", "gardens": [{"rows": list(EMPTY)} for _ in range(2)], **changes}
    return {name: value for name, value in fields.items() if value is not None}


BROKEN_VARIANTS: list[tuple[str, dict[str, Any], Any, str]] = [
    ("all have bid", {"bid_for_start": True}, opening(bids=[1, 2]), "bids"),
    ("one bid", {"bid_for_start": True}, opening(bids=[1]), "bids"),
    ("a bid too high", {"bid_for_start": True}, opening(bids=[21, None]), "bids[0]"),
    ("a bid below 0", {"bid_for_start": True}, opening(bids=[None, -1]), "bids[1]"),
    ("a tie of different bids", {"bid_for_start": True}, opening(phase="tie", bids=[1, 2]), "bids"),
    ("a tie without bids", {"bid_for_start": True}, opening(phase="tie"), "bids"),
    ("a winner that nobody knows", {"bid_for_start": True}, opening(phase="start"), "to_move"),
    ("a winner who paid nothing", {"bid_for_start": True}, opening(phase="start", to_move=1), "gardens[1].bid"),
    ("a bag holder during the bidding", {"bid_for_start": True}, opening(bids=[1, None], bag_holder=0), "bag_holder"),
    ("three draws to come", {"open_draws": True, "first": 0}, opening(to_move=0, coming=["YOPB"] * 3), "coming"),
    ("a small draw to come", {"open_draws": True, "first": 0},
     opening(to_move=0, coming=["RPBB", "RPB", "RPBB", "RPBO"]), "coming[1]"),
    ("an unknown flower to come", {"open_draws": True, "first": 0},
     opening(to_move=0, coming=["RPBB", "RPBX", "RPBB", "RPBO"]), "coming[1]"),
    ("more flowers to come than there are", {"open_draws": True, "first": 0},
     opening(to_move=0, coming=["BBBB", "BBBB", "RPBB", "RPBO"]), "gardens"),
    ("a bag holder against the option", {"first": 0}, base(), "bag_holder"),
]


@pytest.mark.parametrize(
    ("options", "fields", "path"), [pytest.param(*case[1:], id=case[0]) for case in BROKEN_VARIANTS]
)
def test_broken_positions_of_variants(options: dict[str, Any], fields: Any, path: str) -> None:
    assert refusal(load(**options), fields).path == path


def test_a_sealed_bid_of_another_may_be_unknown() -> None:
    game = load(bid_for_start=True)
    state = game.build(opening(bids=["hidden", None]))
    assert state.actor == 1
    assert state.view(1)["bids"] == ["hidden", None]
    assert {state.redeal(1, seed).view(ALL)["bids"][0] for seed in range(400)} == set(range(21))


def test_positions_of_random_games_lose_nothing() -> None:
    """With only what cannot be told from the rest: gardens, table, whose turn it is and who holds the bag."""
    dice = random.Random(5)
    for players in (2, 3, 4):
        game = load(players)
        for state in dice.sample(random_states(game, players), 25):
            view = state.view(ALL)
            if state.actor < 0:
                continue
            short = {name: view[name] for name in ("to_move", "table", "gardens")}
            assert game.build(short) == state
