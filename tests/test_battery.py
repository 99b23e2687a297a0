"""The battery: every game, for several players and options, through everything that the contract promises."""

import math
import pickle
from collections import Counter, defaultdict
from typing import Any

import battery
import numpy as np
import pytest
from battery import ALPHA, Subject, Walk, after, frequencies, goodness, is_chance, is_player, plain, spread, steps
from games.build import import_module
from garden_core.fields import FieldError
from garden_core.state import State

from garden_ai import ALL, CHANCE, PUBLIC, TERMINAL

CASES = battery.cases()


@pytest.fixture(scope="session", params=[
    pytest.param(case, id=str(case), marks=[pytest.mark.slow] if case.slow else []) for case in CASES
])
def subject(request: pytest.FixtureRequest) -> Subject:
    return request.param.subject


# --- copies and equality ---


def test_a_copy_is_independent(subject: Subject) -> None:
    for state in subject.some(12):
        before, view, key = state.to_bytes(), plain(state.view(ALL)), state.key()
        other = state.copy()
        assert other == state
        assert other.to_bytes() == before
        for action in steps(state)[:1]:
            other.apply(action)
            assert other.to_bytes() != before
            assert other != state
        other.withdraw()
        state.redeal(PUBLIC, 5)
        assert (state.to_bytes(), plain(state.view(ALL)), state.key()) == (before, view, key)


def test_asking_changes_nothing(subject: Subject) -> None:
    for state in subject.some(12):
        before = state.to_bytes()
        state.legal_actions(), state.outcomes(), state.scores(), state.components(), state.placing(), state.wins()
        state.evaluate(), state.priors(), [state.key(observer) for observer in (ALL, *subject.observers)]
        [state.view(observer) for observer in (ALL, *subject.observers)]
        if state.actor >= 0:
            state.random_action(1), state.policy_action(1)
            state.canonical(int(state.legal_actions()[0]))
        if state.actor == TERMINAL:
            state.utilities()
        assert state.to_bytes() == before


def test_a_pickle_is_the_same_state_of_the_same_game(subject: Subject) -> None:
    assert pickle.loads(pickle.dumps(subject.game)) == subject.game
    for state in subject.some(8):
        again = pickle.loads(pickle.dumps(state))
        assert again.to_bytes() == state.to_bytes()
        assert again == state
        assert hash(again) == hash(state)
        assert again.game == subject.game
        assert plain(again.view(ALL)) == plain(state.view(ALL))


# --- actions ---


def test_legal_actions_are_sorted_distinct_and_within_the_bounds(subject: Subject) -> None:
    for state in subject.states:
        actions = state.legal_actions()
        assert actions.dtype == np.int32
        assert (len(actions) > 0) == (state.actor >= 0)
        assert len(actions) <= subject.game.max_actions
        assert (np.diff(actions) > 0).all()
        assert state.actor in (CHANCE, TERMINAL, *subject.seats)


def test_is_legal_agrees_with_what_is_listed(subject: Subject) -> None:
    known = sorted({action for state in subject.some(40) for action in steps(state)})
    ids = {i + offset for i in known for offset in (-1, 0, 1)} | {-1, -2**31, 2**31 - 1, 2**20, 2**30 - 1}
    ids = set(spread(sorted(ids), 800)) | {-1, -2**31, 2**31 - 1}
    for state in subject.some(24):
        possible = set(steps(state))
        if state.actor == CHANCE and state.outcomes() is None:
            continue
        assert {i for i in ids | possible if state.is_legal(i)} == possible


def test_what_is_no_id_is_not_legal(subject: Subject) -> None:
    for state in subject.some(8):
        fine = steps(state)[:1]
        near = [float(action) for action in fine] + [str(action) for action in fine]
        for value in (*near, 2**31, -2**31 - 1, 2**64, 10**30, 0.5, "", "0", None, [0], (), math.nan):
            assert state.is_legal(value) is False
        for action in fine:
            assert state.is_legal(np.int32(action))
            assert state.is_legal(np.int64(action))
            assert not state.is_legal(np.int64(action) + 2**32)


def test_an_illegal_step_is_refused_by_name_and_changes_nothing(subject: Subject) -> None:
    for state in subject.some(10):
        before = state.to_bytes()
        possible = set(steps(state))
        for action in (-1, -7, 2**30, 2**40, max(possible, default=0) + 1):
            if action in possible or state.is_legal(action):
                continue
            with pytest.raises(ValueError, match=rf"\b{abs(action)}\b"):
                state.apply(action)
            with pytest.raises(ValueError, match=rf"\b{abs(action)}\b"):
                state.canonical(action)
            assert state.to_bytes() == before


def test_nobody_chooses_where_nobody_is_to_move(subject: Subject) -> None:
    for state in subject.some(6, lambda actor: actor < 0):
        for choose in (state.random_action, state.policy_action):
            with pytest.raises(ValueError, match="no player is to move"):
                choose(1)
    for state in subject.some(6, lambda actor: actor != CHANCE):
        with pytest.raises(ValueError, match="chance is not to move"):
            state.draw(1)
        outcomes, probabilities = state.outcomes()
        assert len(outcomes) == len(probabilities) == 0
    for state in subject.some(6, lambda actor: actor != TERMINAL):
        with pytest.raises(ValueError, match="not over"):
            state.utilities()


def test_random_actions_are_uniform(subject: Subject) -> None:
    for state in subject.some(4, is_player):
        actions = state.legal_actions().tolist()
        draws = max(500, 25 * len(actions))
        seen = frequencies(state.random_action(seed) for seed in range(draws))
        assert goodness(seen, dict.fromkeys(actions, 1 / len(actions))) > ALPHA


def test_the_policy_draws_legal_actions_by_its_seed(subject: Subject) -> None:
    for state in subject.some(12, is_player):
        legal = set(state.legal_actions().tolist())
        drawn = [state.policy_action(seed) for seed in range(20)]
        assert set(drawn) <= legal
        assert drawn == [state.policy_action(seed) for seed in range(20)]


def test_priors_are_probabilities(subject: Subject) -> None:
    for state in subject.some(40):
        priors = state.priors()
        assert len(priors) == len(state.legal_actions())
        if state.actor >= 0:
            assert (priors >= 0).all()
            assert priors.sum() == pytest.approx(1, abs=1e-5)


# --- chance ---


def test_outcomes_are_sorted_and_their_probabilities_sum_to_one(subject: Subject) -> None:
    for state in subject.states:
        listed = state.outcomes()
        if listed is None or state.actor != CHANCE:
            continue
        outcomes, probabilities = listed
        assert 0 < len(outcomes) <= subject.game.max_outcomes
        assert (np.diff(outcomes) > 0).all()
        assert (probabilities > 0).all()
        assert probabilities.sum() == pytest.approx(1, abs=1e-12)


def test_draws_come_with_their_probabilities(subject: Subject) -> None:
    for state in subject.some(5, is_chance):
        if state.outcomes() is None:
            continue
        outcomes, probabilities = state.outcomes()
        expected = dict(zip(outcomes.tolist(), probabilities.tolist(), strict=True))
        seen = frequencies(state.copy().draw(seed) for seed in range(4000))
        assert goodness(seen, expected) > ALPHA


def test_a_draw_applies_what_it_returns(subject: Subject) -> None:
    for state in subject.some(8, is_chance):
        drawn = state.copy()
        outcome = drawn.draw(11)
        assert drawn == after(state, outcome)
        again = state.copy()
        assert again.draw(11) == outcome


def test_a_seeded_start_is_drawn_up_to_the_first_decision(subject: Subject) -> None:
    for seed in range(5):
        state = subject.game.start(seed)
        assert state.actor >= 0
        assert state.to_bytes() == subject.game.start(seed).to_bytes()


# --- notation ---


def test_notation_prints_and_parses_back(subject: Subject) -> None:
    notation = subject.definition.notation
    for state in subject.some(30):
        possible = steps(state)
        texts = [notation.format(state, action) for action in possible]
        assert len(set(texts)) == len(texts)
        assert len({text.lower() for text in texts}) == len(texts)
        for text, action in zip(texts, possible, strict=True):
            assert "\n" not in text
            assert notation.parse(state, text) == action
        # of some hundreds of moves, which differ in a number or a letter, not each in every writing
        for text, action in spread(list(zip(texts, possible, strict=True)), 60):
            for written in (text.upper(), text.lower(), f"  {text} "):
                assert notation.parse(state, written) == action


def test_notation_refuses_in_one_line_what_is_not_possible(subject: Subject) -> None:
    notation = subject.definition.notation
    # what can be done somewhere but not here must be refused, and so must nonsense
    written = {
        notation.format(state, action) for state in subject.some(30) for action in spread(steps(state), 6)
    } | {"", "?", "\x00", "ä", "0x1", "-1", "deal", "pass bet", "9" * 400, "x" * 5000, "draw", "\n"}
    for state in subject.some(16):
        if state.actor == CHANCE and state.outcomes() is None:   # what happened elsewhere may be possible, too
            continue
        possible = {notation.format(state, action) for action in steps(state)}
        for text in written - possible:
            with pytest.raises(ValueError, match=r"^[^\n]*$"):
                notation.parse(state, text)


# --- fields and build ---


def test_fields_and_build_are_inverse_for_one_who_sees_everything(subject: Subject) -> None:
    for state in subject.states:
        view = state.view(ALL)
        again = subject.game.build(view)
        assert plain(again.view(ALL)) == plain(view)
        assert again == state
        assert again.actor == state.actor
        assert again.scores() == state.scores()
        assert again.components() == state.components()


def test_a_rebuilt_state_goes_on_like_the_original(subject: Subject) -> None:
    for path in subject.walks[:3]:
        start = len(path.ids) // 3
        state = subject.game.build(path.states[start].view(ALL))
        for action, expected in zip(path.ids[start:], path.states[start + 1:], strict=True):
            assert state.priors().tolist() == path.states[start].priors().tolist()
            state.apply(action)
            start += 1
            assert state == expected
            assert state.evaluate() == expected.evaluate()
        assert state.scores() == path.states[-1].scores()
        assert plain(state.view(ALL)) == plain(path.states[-1].view(ALL))


def test_build_of_a_view_shows_the_same_view(subject: Subject) -> None:
    for state in subject.states:
        built: dict[str, State] = {}   # observers who see the same are given the same state
        for observer in subject.observers:
            view = state.view(observer)
            text = plain(view)
            if text not in built:
                built[text] = subject.game.build(view)
                assert built[text].actor == state.actor
            again = built[text]
            assert plain(again.view(observer)) == text
            assert again.key(observer) == state.key(observer)


def test_views_are_plain_and_building_leaves_them_alone(subject: Subject) -> None:
    for state in subject.some(10):
        view = state.view(ALL)
        before = plain(view)
        subject.game.build(view)
        assert plain(view) == before


NONSENSE: tuple[Any, ...] = (
    None, True, False, -1, -2, 0, 1, 3, 17, 2**31, -2**63, 2**70, 0.5, math.nan, "", "?", "hidden", "Ä", "x" * 300,
    [], [None], {}, {"a": 1}, [[]], ["", ""], "RRRRRRRRRRRRRRRR",
)


def mutations(fields: Any) -> list[Any]:
    """Copies of plain data with one place replaced, doubled, dropped or swapped with its neighbour."""
    found: list[Any] = list(NONSENSE)
    if isinstance(fields, dict):
        found += [{key: value for key, value in fields.items() if key != gone} for gone in fields]
        found.append({**fields, "nonsense": 1})
        found += [{**fields, key: value} for key, inner in fields.items() for value in mutations(inner)]
    elif isinstance(fields, list):
        found += [fields[:i] + fields[i + 1:] for i in range(len(fields))]
        found += [[*fields, *fields], fields[::-1]]
        found += [[*fields[:i], value, *fields[i + 1:]] for i, inner in enumerate(fields) for value in mutations(inner)]
    elif isinstance(fields, str):
        found += [fields[:-1], fields + fields, fields[::-1], fields.swapcase(), fields.replace(".", "R", 1)]
    elif isinstance(fields, int):
        found += [fields + 1, fields - 1]
    return found


def test_wrong_fields_are_answered_with_their_place_or_give_a_sound_state(subject: Subject) -> None:
    messages = []
    for state in subject.some(4):
        for observer in (ALL, 0):
            for fields in spread(mutations(state.view(observer)), 400):
                try:
                    built = subject.game.build(fields)
                except FieldError as error:
                    messages.append(str(error))
                    continue
                # whatever is accepted is a state like any other, to its end
                assert plain(subject.game.build(built.view(ALL)).view(ALL)) == plain(built.view(ALL))
                for step in range(2 * subject.game.max_nodes):
                    if built.actor == TERMINAL:
                        break
                    if built.actor == CHANCE:
                        built.draw(step)
                    else:
                        built.apply(built.random_action(step))
                assert built.actor == TERMINAL
    assert len(messages) > 100
    assert not any("\n" in message for message in messages)


# --- knowledge ---


def test_equal_keys_are_equal_views(subject: Subject) -> None:
    """Over the walks and over what follows some of their states, in either order: transpositions meet there."""
    states = list(subject.states)
    for state in subject.some(3, is_player):
        for first in spread(steps(state), 10):
            states.append(after(state, first))
            states += [after(states[-1], second) for second in spread(steps(states[-1]), 10)]
    view_of: dict[int, str] = {}
    key_of: dict[str, int] = {}
    for state in states:
        view, key = plain(state.view(ALL)), state.key()
        assert view_of.setdefault(key, view) == view
        assert key_of.setdefault(view, key) == key
    for observer in subject.observers:
        key_of = {}
        for state in states:
            view, key = plain(state.view(observer)), state.key(observer)
            assert key_of.setdefault(view, key) == key


def test_a_redeal_agrees_with_all_that_the_observer_knows(subject: Subject) -> None:
    for observer in subject.observers:
        for state in subject.some(30):
            before = state.to_bytes()
            for seed in range(3):
                other = state.redeal(observer, seed)
                assert math.isfinite(other.log_weight)
                assert other.key(observer) == state.key(observer)
                assert other.key(observer, 1) == state.key(observer, 1)
                assert plain(other.view(observer)) == plain(state.view(observer))
                assert other.actor == state.actor
                assert other.simultaneous == state.simultaneous
                if observer == state.actor:
                    assert other.legal_actions().tolist() == state.legal_actions().tolist()
                assert subject.game.build(other.view(ALL)) == other
            assert state.to_bytes() == before
            assert state.redeal(observer, 9) == state.redeal(observer, 9)


def test_redeals_come_as_often_as_an_enumerator_says(subject: Subject) -> None:
    enumerator = battery.DEALS.get(subject.definition.name)
    if enumerator is None:
        if subject.game.hidden:
            pytest.fail("a game with hidden things needs an enumerator in battery.DEALS")
        pytest.skip("nothing is hidden")
    checked = 0
    paths = subject.walks[:4]
    for observer in subject.observers:
        for path in paths:
            for i in range(len(path.states)):
                expected = enumerator(subject.game, path, i, observer)
                if expected is None:
                    continue
                redeals = [path.states[i].redeal(observer, seed) for seed in range(1500)]
                seen: Counter[int] = Counter()
                for state in redeals:
                    seen[state.key()] += math.exp(state.log_weight)
                assert goodness(seen, expected) > ALPHA
                # the support is all of it where it is small enough to be met
                if len(expected) <= 30:
                    assert set(seen) == set(expected)
                checked += len(expected) > 1
    assert checked or not subject.game.hidden or subject.game.options.get("bid_max", 0) > 8


def test_nothing_is_hidden_where_the_game_says_so(subject: Subject) -> None:
    hides = any(state.view(PUBLIC) != state.view(ALL) for state in subject.states)
    assert hides == subject.game.hidden


def test_advice_does_not_peek(subject: Subject) -> None:
    """Legal actions, priors, policy and canonical forms are the same in every redeal for the actor."""
    for state in subject.some(30, is_player):
        for seed in range(4):
            other = state.redeal(state.actor, seed)
            actions = state.legal_actions().tolist()
            assert other.legal_actions().tolist() == actions
            assert other.priors().tolist() == state.priors().tolist()
            assert other.policy_action(seed) == state.policy_action(seed)
            assert other.random_action(seed) == state.random_action(seed)
            for action in spread(actions, 5):
                assert other.canonical(action) == state.canonical(action)


def test_no_information_set_comes_twice_on_a_path(subject: Subject) -> None:
    for path in subject.walks:
        for grain in (0, 1, 2):
            keys = [state.key(state.actor, grain) for state in path.states if state.actor >= 0]
            assert len(set(keys)) == len(keys)
        everything = [state.key() for state in path.states]
        assert len(set(everything)) == len(everything)


def test_a_coarse_key_never_merges_different_choices(subject: Subject) -> None:
    states = list(subject.states)
    for state in subject.some(6, is_chance):
        states += [after(state, outcome) for outcome in spread(steps(state), 500)]
    for grain in (0, 1, 2, 3):
        actions: dict[tuple[int, int], list[int]] = {}
        for state in states:
            if state.actor >= 0:
                legal = state.legal_actions().tolist()
                assert actions.setdefault((state.actor, state.key(state.actor, grain)), legal) == legal


def test_keys_of_different_seats_differ(subject: Subject) -> None:
    """One table serves all players, so the same knowledge of two seats must not share an entry."""
    for state in subject.some(20):
        keys = [state.key(seat) for seat in subject.seats]
        assert len(set(keys)) == len(keys)


# --- simultaneous choices ---


def open_phases(path: Walk) -> list[tuple[int, int]]:
    """First and last index of each run of states that belong to one open simultaneous phase."""
    runs: list[tuple[int, int]] = []
    for i, state in enumerate(path.states):
        if state.simultaneous:
            if runs and runs[-1][1] == i - 1:
                runs[-1] = runs[-1][0], i
            else:
                runs.append((i, i))
    return runs


def test_a_sealed_choice_changes_the_keys_of_no_other(subject: Subject) -> None:
    for path in subject.walks:
        for first, last in open_phases(path):
            for i in range(first, last):
                state, chooser = path.states[i], path.states[i].actor
                for action in spread(steps(state), 8):
                    after_it = after(state, action)
                    if not after_it.simultaneous:
                        continue
                    for observer in subject.observers:
                        same = after_it.key(observer) == state.key(observer)
                        assert same == (observer != chooser)
                    assert after_it.key() != state.key()


def test_withdraw_takes_back_an_open_phase_and_nothing_else(subject: Subject) -> None:
    for path in subject.walks:
        inside = set()
        for first, last in open_phases(path):
            inside |= set(range(first, last + 1))
            for i in range(first, last + 1):
                state = path.states[i].copy()
                state.withdraw()
                assert state.to_bytes() == path.states[first].to_bytes()
                for action in path.ids[first:i]:
                    state.apply(action)
                assert state == path.states[i]
        for i, state in enumerate(path.states):
            if i not in inside:
                other = state.copy()
                other.withdraw()
                assert other.to_bytes() == state.to_bytes()


def test_rewind_goes_back_to_common_knowledge(subject: Subject) -> None:
    """The steps lead here again, and every public redeal of the point gone back to is one that could have been.

    Where a game has no rewind, its states are such points: what the actor may do is no secret in any public redeal.
    """
    probe = import_module("probe")
    for state in subject.some(40):
        back, ids = probe.rewind(state) or (state.copy(), [])
        back.withdraw()
        if not state.simultaneous:
            assert after(back, *ids) == state
        assert len(ids) <= subject.game.max_nodes
        other = back.redeal(PUBLIC, 3)
        assert other.actor == back.actor
        assert other.key(PUBLIC) == back.key(PUBLIC)
        assert probe.rewind(back) in (None, (back, []))


def test_a_lightened_state_ends_alike(subject: Subject) -> None:
    """What is left out for random playouts changes no result."""
    probe = import_module("probe")
    for seed, state in enumerate(subject.some(40)):
        light, whole = (probe.played_out(state, seed, light) for light in (True, False))
        if whole is not None:
            assert light.scores() == whole.scores()
            assert light.components() == whole.components()
            assert light.placing() == whole.placing()
            assert light.utilities() == whole.utilities()


# --- points ---


def test_components_sum_to_the_score_at_every_node(subject: Subject) -> None:
    names = list(subject.game.component_names)
    for state in subject.states:
        components = state.components()
        assert [list(own) for own in components] == [names] * subject.game.players
        assert [math.fsum(own.values()) for own in components] == state.scores()


def test_points_keep_their_bounds(subject: Subject) -> None:
    low, high = subject.game.score_bounds
    least, most = subject.game.utility_bounds
    assert least >= 0
    assert most <= 1
    for state in subject.states:
        assert all(low <= score <= high for score in state.scores())
        utilities, scores = state.evaluate()
        assert all(least <= utility <= most for utility in utilities)
        assert all(math.isfinite(score) for score in scores)


def test_the_end_is_judged_by_the_points(subject: Subject) -> None:
    for path in subject.walks:
        end = path.states[-1]
        assert end.evaluate() == (end.utilities(), end.scores())
        wins, placing, utilities = end.wins(), end.placing(), end.utilities()
        assert sum(wins) == pytest.approx(1)
        assert [win > 0 for win in wins] == [place == 1 for place in placing]
        for one in subject.seats:
            better = [other for other in subject.seats if placing[other] < placing[one]]
            assert placing[one] == 1 + len(better)
            assert all(utilities[other] > utilities[one] for other in better)
            assert all(end.scores()[other] >= end.scores()[one] for other in better)


def test_no_game_is_longer_than_it_says(subject: Subject) -> None:
    for path in subject.walks:
        assert len(path.ids) <= subject.game.max_nodes


# --- symmetry ---


def test_canonical_actions_are_legal_and_as_good(subject: Subject) -> None:
    for state in subject.some(30, is_player):
        for action in spread(state.legal_actions().tolist(), 40):
            other = state.canonical(action)
            assert state.is_legal(other)
            assert state.canonical(other) == other
            if other != action:
                mine, its = after(state, action), after(state, other)
                assert mine.evaluate() == its.evaluate()
                assert mine.scores() == its.scores()
                assert mine.actor == its.actor
                assert sorted(mine.priors().tolist()) == pytest.approx(sorted(its.priors().tolist()), rel=1e-4)


# --- perft and playthroughs ---


def entries(folder: Any) -> list[Any]:
    """Every kept entry of every game, with the case it belongs to."""
    found = []
    for name in sorted({case.name for case in CASES}):
        for entry in battery.read_lines(folder / f"{name}.json"):
            case = battery.Case(name, entry["players"], tuple(entry["options"].items()))
            label = f"{case}-{entry['seed']}-{entry.get('plies', '')}"
            found.append(pytest.param(case, entry, id=label))
    return found


def test_every_game_has_its_counts_and_playthroughs() -> None:
    for folder in (battery.PERFT, battery.PLAYTHROUGHS):
        kept: defaultdict[str, set[int]] = defaultdict(set)
        for case in CASES:
            kept[case.name] |= {entry["players"] for entry in battery.read_lines(folder / f"{case.name}.json")}
        for case in CASES:
            assert case.players in kept[case.name], f"{case}: run tests/playthroughs/make.py"


@pytest.mark.parametrize(("case", "entry"), entries(battery.PERFT))
def test_perft(case: battery.Case, entry: dict[str, Any]) -> None:
    state, _ = battery.perft_start(case.subject.game, entry["seed"], entry["plies"])
    leaves = battery.perft(state, entry["depth"])
    assert (leaves.paths, leaves.points) == (entry["paths"], entry["points"])


@pytest.mark.parametrize(("case", "entry"), [
    pytest.param(*param.values, id=param.id, marks=[pytest.mark.slow] if param.values[1]["paths"] > 2000 else [])
    for param in entries(battery.PERFT) if param.values[0].name in battery.REFERENCES
])
def test_perft_of_the_slow_reference(case: battery.Case, entry: dict[str, Any]) -> None:
    state, ids = battery.perft_start(case.subject.game, entry["seed"], entry["plies"])
    slow = battery.REFERENCES[case.name](case.subject.game)
    before: State = case.subject.game.start()
    for action in ids:
        slow.apply(before, action)
        before.apply(action)
    assert before == state
    leaves = slow.perft(entry["depth"])
    assert (leaves.paths, leaves.points) == (entry["paths"], entry["points"])


def test_perft_of_the_test_games() -> None:
    """Counted by hand: 6 deals; then pass or bet; five ways to bet to the end, two of them three bets long."""
    kuhn = battery.find_definition("kuhn_poker")
    start = battery.subject("kuhn_poker", 2, ()).game.start()
    assert [battery.perft(start, depth).paths for depth in range(6)] == [1, 6, 12, 24, 12, 0]
    assert kuhn.players == (2,)
    start = battery.subject("biased_pennies", 2, ()).game.start()
    assert [battery.perft(start, depth).paths for depth in range(4)] == [1, 2, 4, 0]
    # 2 - 1 - 1 + 1 for player 0, who counts once, and its negative for player 1, who counts twice
    assert battery.perft(start, 2).points == 1 - 2


@pytest.mark.parametrize(("case", "entry"), entries(battery.PLAYTHROUGHS))
def test_playthroughs(case: battery.Case, entry: dict[str, Any]) -> None:
    """Drawn again from the seeds, and replayed from the notation alone."""
    assert battery.playthrough(case, entry["seed"]) == entry
    state = case.subject.game.start()
    for event in entry["events"]:
        state.apply(case.subject.definition.notation.parse(state, event))
    assert state.actor == TERMINAL
    assert f"{state.key():016x}" == entry["key"]
    assert state.scores() == entry["scores"]
