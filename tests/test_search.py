"""Every engine: settings, limits, determinism, and that none looks at what its player cannot see."""

from __future__ import annotations

import gc
import json
import signal
import threading
import time
from dataclasses import replace
from typing import Any

import pytest
from garden_core.fields import FieldError
from garden_core.search.control import Control
from garden_core.search.mcts import Mcts
from garden_core.state import Game, State

import garden_ai
from garden_ai import games
from garden_ai.analysis import Analysis, Move, interval
from garden_ai.bench import root_of
from garden_ai.games import definition, register
from garden_ai.reasons import indistinguishable, reason
from garden_ai.search import ENGINES, analyse, make_control

# Every engine as a whole, small enough to be run on hundreds of positions.
SMALL: list[tuple[str, dict[str, Any]]] = [
    ("random", {}),
    ("greedy", {}),
    ("halving", {}),
    ("halving", {"playouts": "random"}),
    ("mcts", {}),
    ("mcts", {"selection": "ucb1", "playouts": "random", "priors": False}),
    ("mcts", {"selection": "regret", "cutoff": 3}),
    ("mcts", {"selection": "puct-only", "widening": 2.0, "cutoff": 0, "transpositions": False}),
    ("mcts", {"move_averages": True, "grain": 1}),
    ("expectimax", {"depth": 2}),
]


@pytest.fixture(scope="session", autouse=True)
def _test_games_are_registered(test_definitions: dict[str, Any]) -> None:
    for found in test_definitions.values():
        register(found)


@pytest.fixture
def state() -> State:
    return garden_ai.load("leelawadee", 2).start(seed=7)


@pytest.fixture
def few_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing depends on how well playouts share out an estimated score: they would take far longer than the search."""
    monkeypatch.setattr("garden_ai.search.SPLIT_PLAYOUTS", 8)


def trace(analysis: Analysis) -> str:
    """All of an analysis but the time it took; of moves past the first twenty, their order."""
    return repr(replace(analysis, seconds=0.0, moves=analysis.moves[:20]))


# --- answers ---


@pytest.mark.usefixtures("few_playouts")
@pytest.mark.parametrize(("engine", "settings"), SMALL)
@pytest.mark.parametrize(("name", "players"), [(name, players) for name in games.names() for players in definition(name).players])
def test_the_same_seed_gives_the_same_analysis(engine: str, settings: dict[str, Any], name: str, players: int) -> None:
    state = garden_ai.load(name, players).start(seed=5)
    one = analyse(state, engine, simulations=300, seed=11, **settings)
    assert trace(analyse(state, engine, simulations=300, seed=11, **settings)) == trace(one)
    assert json.dumps(one.to_dict())


@pytest.mark.usefixtures("few_playouts")
@pytest.mark.parametrize(("engine", "settings"), SMALL)
@pytest.mark.parametrize("name", games.names())
def test_an_analysis_ranks_each_legal_move_once(engine: str, settings: dict[str, Any], name: str) -> None:
    for players in definition(name).players:
        ranks_each_legal_move_once(root_of(garden_ai.load(name, players)), engine, settings)


@pytest.mark.usefixtures("few_playouts")
@pytest.mark.parametrize(("engine", "settings"), SMALL)
def test_an_analysis_ranks_each_place_of_a_dweller_once(engine: str, settings: dict[str, Any]) -> None:
    cards = {"leaf": "flirty", "puddle": "friendly", "mushroom": "collector"}
    state = garden_ai.load("under_the_leaves", 3, **cards).start()
    step = 0
    while state.game.phase(state) != "choose":
        step += 1
        if state.actor == -1:
            state.draw(step)
        else:
            state.apply(state.random_action(step))
    ranks_each_legal_move_once(state, engine, settings)


def ranks_each_legal_move_once(state: State, engine: str, settings: dict[str, Any]) -> None:
    answer = analyse(state, engine, simulations=300, seed=1, **settings)
    canonical = {state.canonical(action) for action in state.legal_actions().tolist()}
    assert sorted(move.action for move in answer.moves) == sorted(canonical)
    assert sum(move.probability for move in answer.moves) == pytest.approx(1.0)
    assert answer.to_move == state.actor
    assert state.is_legal(answer.choose(3))
    for move in answer.moves:
        assert move.line[0] == move.move
        if move.win is not None:
            assert 0.0 <= move.win <= 1.0
        if move.win_interval is not None:
            assert move.visits >= 30
            assert move.win is not None
            assert move.win_interval[0] <= move.win <= move.win_interval[1]
        if move.scores is not None and move.components is not None:
            assert sum(move.components.values()) == pytest.approx(move.scores[answer.to_move])


@pytest.mark.parametrize("name", games.names())
def test_estimated_scores_are_split_into_components(name: str) -> None:
    """Where no simulation reaches the end: of the ten best moves, and they add up."""
    state = garden_ai.load(name, 2).start(seed=3)
    answer = analyse(state, "mcts", simulations=500, seed=1, cutoff=2)
    split = [move for move in answer.moves if move.components is not None]
    assert split[0] == answer.moves[0]
    assert len(split) == min(10, sum(move.scores is not None for move in answer.moves[:10]))
    for move in split:
        assert move.components is not None
        assert move.scores is not None
        assert list(move.components) == list(state.game.component_names)
        assert sum(move.components.values()) == pytest.approx(move.scores[answer.to_move])
    again = analyse(state, "mcts", simulations=500, seed=1, cutoff=2)
    assert again.moves == answer.moves


@pytest.mark.parametrize("engine", ["halving", "mcts"])
def test_simulations_are_kept(engine: str, state: State) -> None:
    for simulations in (100, 1000, 5000):
        answer = analyse(state, engine, simulations=simulations, seed=1)
        assert 0.9 * simulations <= answer.simulations <= simulations
        assert sum(move.visits for move in answer.moves) <= simulations


@pytest.mark.parametrize("seed", range(8))
def test_the_tree_comes_close_to_the_exact_value_near_the_end(seed: int) -> None:
    state = garden_ai.load("leelawadee", 2).start(seed=seed)
    planted = step = 0
    while planted < 16 or state.actor < 0:
        step += 1
        if state.actor == -1:
            state.draw(step)
        else:
            state.apply(state.policy_action(step))
            planted += 1
    exact = {
        move.action: analyse(after_of(state, move.action), "expectimax", seconds=30.0, seed=1)
        for move in analyse(state, "greedy").moves
    }
    values = {
        action: answer.best.utility if answer.to_move == state.actor else 1 - answer.best.utility  # type: ignore[operator]
        for action, answer in exact.items()
    }
    chosen = analyse(state, "mcts", simulations=5000, seed=1).best.action
    assert values[chosen] == pytest.approx(max(values.values()), abs=0.02)


def after_of(state: State, action: int) -> State:
    after = state.copy()
    after.apply(action)
    return after


def test_a_forced_move_is_answered_at_once() -> None:
    state = garden_ai.load("leelawadee", 2).start(seed=1)
    steps = 0
    while state.actor < 0 or len(state.legal_actions()) != 1:
        if state.actor == -1:
            state.draw(steps)
        else:
            state.apply(state.random_action(steps))
        steps += 1
    begun = time.monotonic()
    answer = analyse(state, "mcts", seconds=5.0)
    assert time.monotonic() - begun < 1.0
    assert answer.notes == ("forced",)
    assert len(answer.moves) == 1


# --- limits ---


@pytest.mark.parametrize("engine", ["halving", "mcts", "expectimax"])
@pytest.mark.parametrize("seconds", [0.02, 0.2])
def test_a_time_limit_is_kept(engine: str, seconds: float, state: State) -> None:
    overshoots = []
    for seed in range(5):
        begun = time.monotonic()
        analyse(state, engine, seconds=seconds, seed=seed)
        overshoots.append(time.monotonic() - begun - seconds)
    assert sorted(overshoots)[2] < 0.05


@pytest.mark.parametrize("engine", ["halving", "mcts", "expectimax"])
@pytest.mark.parametrize("threads", [1, 2])
def test_another_thread_stops_a_search(engine: str, threads: int, state: State) -> None:
    control = Control()
    timer = threading.Timer(0.1, control.stop)
    timer.start()
    answer = analyse(state, engine, control=control, seed=1, threads=threads)
    assert answer.seconds < 2.0
    assert state.is_legal(answer.best.action)


@pytest.mark.parametrize("engine", ["halving", "mcts", "expectimax"])
def test_an_interrupt_ends_a_search_with_the_best_so_far(engine: str, state: State) -> None:
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    answer = analyse(state, engine, seconds=20.0, seed=1)
    timer.join()
    assert answer.seconds < 5.0
    assert "interrupted" in answer.notes
    assert state.is_legal(answer.best.action)


def test_a_full_table_keeps_its_memory_and_says_so(state: State) -> None:
    answer = analyse(state, "mcts", simulations=60_000, seed=1, memory=1, playouts="random")
    assert "table full" in answer.notes
    assert answer.simulations == 60_000
    search = Mcts(state, simulations=60_000, memory=1 << 20, playouts="random")
    search.run(Control(simulations=60_000), 1)
    assert search.tree.bytes_used <= search.tree.bytes_reserved <= 1 << 20
    assert "table full" not in analyse(state, "mcts", simulations=5000, seed=1, memory=64).notes


def test_a_search_gives_its_memory_back_at_once(state: State) -> None:
    """Without waiting for the garbage collector: the trees of a match would fill the machine."""
    gc.disable()
    try:
        for threads in (1, 2):
            analyse(state, "mcts", simulations=500, seed=1, threads=threads)
        assert not [thing for thing in gc.get_objects() if isinstance(thing, Mcts)]
    finally:
        gc.enable()


def test_a_state_may_be_played_on_while_it_is_analysed() -> None:
    """The search works on a copy of its own: nothing crashes, and what it answers was legal when it was asked."""
    game = garden_ai.load("leelawadee", 2)
    state = game.start(seed=1)
    done = threading.Event()

    def play() -> None:
        step = 0
        while not done.is_set():
            step += 1
            if state.actor == -1:
                state.draw(step)
            elif state.actor >= 0:
                state.apply(state.random_action(step))
            else:
                return

    player = threading.Thread(target=play)
    asked = state.copy()
    player.start()
    for engine in ("mcts", "halving", "expectimax", "greedy"):
        for seed in range(5):
            try:
                answer = analyse(state, engine, simulations=300, seed=seed)
            except FieldError:   # the game was over, or chance to move, when it was asked
                continue
            assert answer.moves
    done.set()
    player.join()
    assert analyse(asked, "mcts", simulations=100, seed=1).to_move == asked.actor


def test_two_threads_search_one_tree(state: State) -> None:
    answer = analyse(state, "mcts", simulations=20_000, seed=1, threads=2)
    assert answer.simulations == 20_000
    alone = analyse(state, "mcts", simulations=20_000, seed=1)
    assert answer.best.win == pytest.approx(alone.best.win, abs=0.05)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"engine": "stockfish"}, "engine"),
        ({"position": None}, "position"),
        ({"seconds": 0}, "seconds"),
        ({"seconds": float("nan")}, "seconds"),
        ({"seconds": "soon"}, "seconds"),
        ({"simulations": 0}, "simulations"),
        ({"simulations": 1.5}, "simulations"),
        ({"threads": 0}, "threads"),
        ({"engine": "mcts", "selection": "best"}, "selection"),
        ({"engine": "mcts", "memory": 0}, "memory"),
        ({"engine": "mcts", "public_share": 2}, "public_share"),
        ({"engine": "mcts", "constant": "big"}, "constant"),
        ({"engine": "mcts", "colour": "red"}, "colour"),
        ({"engine": "expectimax", "star": 3}, "star"),
        ({"engine": "halving", "playouts": "good"}, "playouts"),
        ({"engine": "greedy", "memory": 3}, "memory"),
    ],
)
def test_a_wrong_setting_is_named(changes: dict[str, Any], place: str, state: State) -> None:
    with pytest.raises(FieldError) as error:
        analyse(**{"position": state, **changes})
    assert error.value.path == place
    assert "expected" in str(error.value) or "unknown" in str(error.value)


def test_nobody_is_advised_where_nobody_moves() -> None:
    state = garden_ai.load("leelawadee", 2).start()
    with pytest.raises(FieldError, match="to_move: expected a player to move; chance is to move"):
        analyse(state)
    step = 0
    while state.actor != -2:
        step += 1
        if state.actor == -1:
            state.draw(step)
        else:
            state.apply(state.random_action(step))
    with pytest.raises(FieldError, match="the game is over"):
        analyse(state)


@pytest.mark.usefixtures("few_playouts")
@pytest.mark.parametrize("name", games.names())
def test_tuned_settings_are_settings_and_are_used(name: str) -> None:
    """A game's own settings hold where none are given, and give way to those that are."""
    for players, engines in definition(name).tuned.items():
        state = root_of(garden_ai.load(name, players))
        for engine, tuned in engines.items():
            usual = trace(analyse(state, engine, simulations=200, seed=1))
            assert trace(analyse(state, engine, simulations=200, seed=1, **tuned)) == usual
            assert trace(analyse(state, engine, simulations=200, seed=1, **vars(ENGINES[engine]()))) != usual


def test_every_engine_has_default_settings() -> None:
    assert set(ENGINES) == {"random", "greedy", "halving", "mcts", "expectimax"}
    for kind in ENGINES.values():
        kind()
    assert make_control(None, None).simulations == -1


# --- no peeking ---


def hidden_positions(game: Game, count: int) -> list[State]:
    """Decisions at which the player to move does not see everything, from random play."""
    found: list[State] = []
    seed = 0
    while len(found) < count:
        state = game.start(seed)
        step = 0
        while state.actor != -2 and len(found) < count:
            if state.actor == -1:
                state.draw(seed * 1000 + step)
            else:
                if state.redeal(state.actor, step).to_bytes() != state.to_bytes() or (
                    state.redeal(state.actor, step + 1).to_bytes() != state.to_bytes()
                ):
                    found.append(state.copy())
                state.apply(state.random_action(seed * 1000 + step))
            step += 1
        seed += 1
        assert seed < 100 * count, "this game hides nothing"
    return found


HIDDEN = [("kuhn_poker", 2, {}), ("biased_pennies", 2, {})] + [
    ("leelawadee", players, {"bid_for_start": True, "open_draws": open_draws})
    for players in (2, 3, 4)
    for open_draws in (False, True)
] + [("flowerpower", 2, {})] + [(name, players, {}) for name in ("butterfly_garden", "ladybird") for players in (2, 4)]


@pytest.mark.usefixtures("few_playouts")
@pytest.mark.parametrize(("name", "players", "options"), HIDDEN)
def test_no_engine_peeks(name: str, players: int, options: dict[str, Any]) -> None:
    """500 positions and more over all games."""
    game = garden_ai.load(name, players, **options)
    peeks_nowhere(hidden_positions(game, 70 if game.max_actions < 200 else 15), 40)


@pytest.mark.slow
@pytest.mark.usefixtures("few_playouts")
@pytest.mark.parametrize(
    ("name", "players"),
    [("butterfly_garden", players) for players in range(2, 7)] + [("ladybird", players) for players in range(2, 5)],
)
def test_no_engine_peeks_at_a_hand(name: str, players: int) -> None:
    """800 positions of the games whose hands are hidden throughout, choices that are not shown yet among them."""
    positions = hidden_positions(garden_ai.load(name, players), 100)
    assert sum(state.simultaneous and state.actor > 0 for state in positions) > 5
    peeks_nowhere(positions, 20)


def peeks_nowhere(positions: list[State], simulations: int) -> None:
    """Permuting what the player to move cannot see changes no analysis by a byte."""
    for i, state in enumerate(positions):
        other = state.redeal(state.actor, 1000 + i)
        for engine, settings in SMALL:
            one = analyse(state, engine, simulations=simulations, seed=i, **settings)
            assert trace(analyse(other, engine, simulations=simulations, seed=i, **settings)) == trace(one)


@pytest.mark.usefixtures("few_playouts")
def test_the_harness_would_notice_a_peek() -> None:
    """An engine that reads the hidden card gives different analyses, so the comparison above can fail."""
    game = garden_ai.load("kuhn_poker", 2)
    seen = set()
    for state in hidden_positions(game, 20):
        other = state.redeal(state.actor, 77)
        seen.add(state.key() == other.key())
    assert False in seen


# --- reasons ---


def test_equal_moves_are_said_to_be_as_good() -> None:
    one, other = made_move("a", 0.5, 0.0, red=1.0), made_move("b", 0.5, 0.0, red=1.0)
    assert reason(one, other, True, str, []) == "As good as b."


def made_move(text: str, utility: float, error: float, **components: float) -> Move:
    return Move(
        0, text, 100, 0.0, utility, error, utility, (0.0, 1.0), (sum(components.values()), 30.0), dict(components), (text,)
    )


def test_a_reason_names_the_largest_differences() -> None:
    one = made_move("red a1", 0.7, 0.01, red=5.0, blue=1.0, bee=-1.0)
    other = made_move("blue b1", 0.5, 0.01, red=2.0, blue=2.5, bee=-1.1)
    first = reason(one, other, True, lambda name: f"the {name}", ["sows"])
    second = reason(other, one, False, lambda name: f"the {name}", [])
    assert first == "Sows. Against blue b1: gains on the red (+3.0); gives up on the blue (-1.5)."
    assert second == "Against red a1: gains on the blue (+1.5); gives up on the red (-3.0)."


def test_moves_within_their_error_are_said_to_be_alike() -> None:
    one, other = made_move("a", 0.51, 0.02, red=1.0), made_move("b", 0.50, 0.02, red=1.0)
    assert indistinguishable(one, other)
    assert reason(one, other, True, str, []) == "Cannot be told apart from b by this search."
    assert not indistinguishable(one, made_move("c", 0.40, 0.02, red=1.0))


@pytest.mark.parametrize("name", games.names())
def test_reasons_agree_with_the_numbers(name: str) -> None:
    """Whatever is named in a reason of a real analysis is a difference of its components, with the right sign."""
    import re

    game = garden_ai.load(name, 2)
    named = {definition(name).phrases(game, component): component for component in game.component_names}
    found = 0
    for seed in range(10):
        state = game.start(seed=seed)
        answer = analyse(state, "mcts", simulations=2000, seed=seed)
        for rank, move in enumerate(answer.moves[:5]):
            other = answer.moves[1] if rank == 0 else answer.moves[0]
            assert move.components is not None
            assert other.components is not None
            for phrase, figure in re.findall(rf"({'|'.join(named)}) \(([+-][0-9.]+)\)", move.reason):
                difference = move.components[named[phrase]] - other.components[named[phrase]]
                assert float(figure) == pytest.approx(difference, abs=0.0501)
                found += 1
            assert (f"annot be told apart from {other.move}" in move.reason) == indistinguishable(move, other)
    assert found > 20


@pytest.mark.usefixtures("few_playouts")
def test_events_agree_with_what_happens() -> None:
    """Every creature that a planting brings is named, with the garden it leaves, and none else."""
    import re

    seen = 0
    for seed in range(12):
        state = garden_ai.load("leelawadee", 3).start(seed=seed)
        step = 0
        while state.actor != -2:
            step += 1
            if state.actor == -1:
                state.draw(step)
                continue
            for move in analyse(state, "greedy").moves:
                after = state.copy()
                after.apply(move.action)
                was, now = creatures(state), creatures(after)
                expected = {
                    (name, was.get(name)) for name, place in now.items() if place == state.actor and was.get(name) != place
                }
                named = set()
                for brought in re.findall(r"[Bb]rings (.*?)(?=[;.])", move.reason.split(" gainst")[0].split("Against")[0]):
                    names, _, source = brought.partition(" from player ")
                    for name in re.findall(r"the ([a-z-]+)", names):
                        named.add((name, int(source) if source else None))
                assert named == expected
                seen += len(named)
            state.apply(state.policy_action(step))
    assert seen > 100


def creatures(state: State) -> dict[str, int]:
    """The garden of every creature that is in one, by its name."""
    names = dict(zip(state.game.codes, state.game.creatures, strict=True))
    return {
        names[code]: player
        for player, garden in enumerate(state.view(-2)["gardens"])
        for code in (*garden["new"], *garden["old"])
    }


def test_intervals_hold_the_mean_and_need_thirty_visits() -> None:
    assert interval(0.5, 0.1, 29) is None
    low, high = interval(0.5, 0.1, 30) or (1.0, 0.0)
    assert low == pytest.approx(0.304, abs=1e-3)
    assert high == pytest.approx(0.696, abs=1e-3)
    assert interval(1.0, 0.0, 100) == (pytest.approx(1 - 1.96 / 100, abs=1e-3), 1.0)
