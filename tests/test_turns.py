"""Turns of several decisions: what belongs to one, lines that go to its end, and how `hint` and `play` tell and take it."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import pytest
from command import call
from garden_core.state import State

import garden_ai
from garden_ai import games
from garden_ai.analysis import Move
from garden_ai.cli.hint import MOST_LINE, line_text
from garden_ai.games import definition
from garden_ai.record import Event, Record, event_seed, read_record
from garden_ai.search import LINES, analyse
from garden_ai.turns import CHANCE, Turn, turn_of

TERMINAL = -2
ALL = [(name, players) for name in games.names() for players in definition(name).players]
FEW = [(name, players) for name, players in ALL if players in definition(name).players[:2]]


def decisions(name: str, players: int, count: int, seed: int = 0, sealed: bool = False, **options: Any) -> list[State]:
    """Some decisions of games by policy: choices of a simultaneous phase, or others."""
    dice = random.Random(seed)
    game = garden_ai.load(name, players, **options)
    found: list[State] = []
    while len(found) < count:
        state = game.start(dice.getrandbits(60))
        while state.actor != TERMINAL:
            if state.actor == CHANCE:
                state.draw(dice.getrandbits(60))
                continue
            if state.simultaneous == sealed and dice.random() < 0.2:
                found.append(state.copy())
            state.apply(state.policy_action(dice.getrandbits(60)))
    return dice.sample(found, count)


# --- turns ---


@pytest.mark.parametrize(("name", "players"), ALL)
def test_turns_end(name: str, players: int) -> None:
    """Whoever plays alone has turns, too: none is a good part of a game."""
    state = garden_ai.load(name, players).start(seed=1)
    turns: list[Turn] = []
    step = 0
    while state.actor != TERMINAL:
        step += 1
        if state.actor == CHANCE:
            state.draw(step)
        else:
            turns.append(turn_of(state))
            assert turns[-1].player == state.actor
            state.apply(state.policy_action(step))
    lengths = [len(list(same)) for _, same in itertools.groupby(turns)]
    assert len(lengths) > 8
    assert max(lengths) < 30


# --- lines ---


@pytest.mark.parametrize("engine", ["mcts", "halving", "greedy"])
@pytest.mark.parametrize(("name", "players"), FEW)
def test_a_line_goes_to_the_end_of_the_turn(engine: str, name: str, players: int) -> None:
    """It is possible in a deal that the mover could be in, and what follows is chance, another's move or another turn."""
    notation = definition(name).notation
    drawn = 0
    for seed, state in enumerate(decisions(name, players, 12)):
        for move in analyse(state, engine, simulations=60, seed=seed, **({"cutoff": 0} if engine == "mcts" else {})).moves[:3]:
            assert move.line[0] == move.move
            assert len(move.line) == len(move.line_players)
            walked = state.redeal(state.actor, seed)
            own = True
            for who, text in zip(move.line_players, move.line, strict=True):
                assert walked.actor == who
                own = own and who in (state.actor, CHANCE)
                assert not own or who == CHANCE or turn_of(walked) == turn_of(state)
                walked.apply(notation.parse(walked, text))
            assert move.line_players[-1] >= 0
            drawn += CHANCE in move.line_players
            if not own:
                continue
            step = 0
            while walked.actor == CHANCE:
                step += 1
                walked.draw(step)
            assert walked.actor == TERMINAL or turn_of(walked) != turn_of(state)
    # in these games nothing is drawn within a turn
    assert drawn or name in ("flowerpower", "leelawadee", "under_the_leaves") or engine == "greedy"


def test_lines_are_made_for_the_best_moves_only() -> None:
    state = next(state for state in decisions("under_the_leaves", 2, 40) if len(state.legal_actions()) > 2 * LINES)
    moves = analyse(state, "greedy", seed=1).moves
    assert all(len(move.line) == 1 for move in moves[LINES:])


@pytest.mark.parametrize("engine", ["mcts", "halving"])
@pytest.mark.parametrize(
    ("name", "options"),
    [("butterfly_garden", {}), ("ladybird", {}), ("leelawadee", {"bid_for_start": True, "bid_max": 2})],
)
def test_a_line_after_a_sealed_choice_claims_no_more_than_is_known(engine: str, name: str, options: dict[str, Any]) -> None:
    """It goes on only where nobody else comes before, whatever the others choose, and lists none of their choices."""
    notation = definition(name).notation
    longer = shorter = 0
    for seed, state in enumerate(decisions(name, 2, 40, sealed=True, **options)):
        for move in analyse(state, engine, simulations=40, seed=seed).moves[:3]:
            assert {*move.line_players} <= {state.actor, CHANCE}
            own = [text for who, text in zip(move.line_players, move.line, strict=True) if who == state.actor]
            others_first = 0
            for deal in range(200):
                other = state.redeal(state.actor, 10**6 + deal)
                other.apply(move.action)
                while other.actor != TERMINAL and (other.simultaneous or other.actor == CHANCE):
                    if other.actor == CHANCE:
                        other.draw(deal)
                    else:
                        other.apply(other.random_action(deal))
                if other.actor != state.actor:
                    others_first += 1
                elif len(own) > 1:
                    notation.parse(other, own[1])
            if len(own) > 1:
                longer += 1
                assert others_first < 20  # what is rarer may be overlooked
            else:
                shorter += 1
                assert others_first > 0
    assert shorter > 10
    assert longer > 0 or name == "leelawadee"  # the highest bid may be bid by all


# --- hint ---


def made(line: str, players: list[int]) -> Move:
    return Move(0, line.split(", ")[0], 1, 1.0, None, None, None, None, None, None, tuple(line.split(", ")), tuple(players))


@pytest.mark.parametrize(
    ("line", "players", "told"),
    [
        ("take b2", [1], ""),
        ("take b2, rose", [1, 1], "Then rose."),
        # a turn is never cut, however long, and chance stands in brackets
        ("take b2, pool RET, pool GAT, rose, place BLS, bed red, blind, draw OAY, stop", [1, -1, -1, 1, 1, 1, 1, -1, 1],
         "Then (pool RET), (pool GAT), rose, place BLS, bed red, blind, (draw OAY), stop."),
        ("red a1, red b1, red c1, red d1, red e1", [0, 2, 2, 1, 0], "Then player 2: red b1, red c1; player 1: red d1."),
        ("red a1, red b1, red c1", [1, 1, 0], "Then red b1; player 0: red c1."),
        ("take b2, rose, card 1, card 2, stop, take c1", [1, 1, 1, 1, 1, 0], "Then rose, card 1, card 2, stop."),
    ],
)
def test_hint_tells_a_turn_as_one_line(line: str, players: list[int], told: str) -> None:
    assert line_text(made(line, players)) == told
    assert MOST_LINE == 3


def test_the_line_in_json_is_the_whole_turn() -> None:
    state = next(state for state in decisions("butterfly_garden", 2, 60) if state.game.phase(state) == "power")
    analysis = analyse(state, "halving", simulations=50, seed=1)
    for move, printed in zip(analysis.moves, analysis.to_dict()["moves"], strict=True):
        assert printed["line"] == list(move.line)
    assert max(len(move.line) for move in analysis.moves) > 2


# --- play ---


def of_one_turn(record: Record, sealed: bool = False) -> list[list[Event]]:
    """The events a turn each, by rounds, with what chance brings in it and after it; sealed choices only if asked for."""
    states = [record.start, *record.states]
    found: list[tuple[bool, list[Event]]] = []
    turn: object = None
    for before, event in zip(states, record.events, strict=False):
        if event.by != "chance":
            here = (event.by, before.simultaneous, before.view(before.actor).get("round"))
            if here != turn or before.simultaneous:
                found.append((before.simultaneous, []))
            turn = here
        if found:
            found[-1][1].append(event)
    return [events for together, events in found if sealed or not together]


def spoken(events: list[Event]) -> str:
    """A turn as it is told, without what chance brings after the last decision."""
    last = max(i for i, event in enumerate(events) if event.by != "chance")
    return ", ".join(f"({event.move})" if event.by == "chance" else event.move for event in events[: last + 1])


def typed_by_hand(seed: int, name: str = "butterfly_garden") -> list[list[str]]:
    """The decisions of a person at seat 0 against the greedy engine, random ones, a turn each."""
    record = Record(garden_ai.load(name, 2).start())
    while record.state.actor != TERMINAL:
        state, draw = record.state, event_seed(seed, len(record.events))
        if state.actor == CHANCE:
            record.apply(state.copy().draw(draw))
        elif state.actor == 0:
            record.apply(state.random_action(len(record.events)))
        else:
            record.apply(analyse(state, "greedy", seed=draw).choose(draw))
    turns = [[event.move for event in turn if event.by == 0] for turn in of_one_turn(record, sealed=True)]
    return [turn for turn in turns if turn]


def played(seed: int, lines: list[str], file: Path, name: str = "butterfly_garden") -> tuple[str, Record]:
    """What is told where a person types these lines, with the lines of the terminal put together, and the record."""
    answer = call(
        "play", name, "--players", 2, "--seed", seed, "--seat", "human", "--seat", "greedy", "--record", file,
        stdin="\n".join(lines) + "\n",
    )  # fmt: skip
    assert (answer.status, answer.err) == (0, "")
    return " ".join(answer.out.split()), read_record(file)


@pytest.mark.parametrize(
    ("name", "between"), [("butterfly_garden", ", "), ("butterfly_garden", ";"), ("ladybird", ", "), ("ladybird", " ,")]
)
def test_a_turn_typed_in_one_line_is_played_as_its_moves_are(name: str, between: str, tmp_path: Path) -> None:
    turns = typed_by_hand(5, name)
    assert max(map(len, turns)) > 2
    told, one = played(5, [between.join(turn) for turn in turns], tmp_path / "one", name)
    apart, other = played(5, [move for turn in turns for move in turn], tmp_path / "other", name)
    assert one.state.actor == TERMINAL
    assert one.events == other.events
    for refused in ("not possible", "expected"):
        assert refused not in told + apart
    for turn in of_one_turn(one):
        if turn[0].by == 0 and len([event for event in turn if event.by == 0]) > 1:
            assert f"player 0 (you): {spoken(turn)} " in told
            assert f"player 0 (you): {spoken(turn)} " not in apart


@pytest.mark.parametrize("name", ["butterfly_garden", "ladybird"])
def test_a_turn_of_an_engine_is_told_in_one_line(name: str, tmp_path: Path) -> None:
    engines = ("--players", "2", "--seat", "random", "--seat", "greedy")
    answer = call("play", name, "--seed", "3", *engines, "--record", tmp_path / "game")
    told = " ".join(answer.out.split())
    longest = 0
    within = 0
    for turn in of_one_turn(read_record(tmp_path / "game")):
        text = spoken(turn)
        assert f"player {turn[0].by} ({['random', 'greedy'][int(turn[0].by)]}): {text} " in told
        longest = max(longest, text.count(", "))
        within += text.count("(")
        after = list(itertools.takewhile(lambda event: event.by == "chance", reversed(turn)))
        assert all(f"chance: {event.move} " in told for event in after)
    assert longest > 1
    assert within > 0


def test_what_is_hidden_stays_so_within_a_turn(tmp_path: Path) -> None:
    """The person is not told which card the engine has drawn."""
    hidden = placed = 0
    for seed in range(10):
        told, record = played(seed, [", ".join(turn) for turn in typed_by_hand(seed)], tmp_path / f"{seed}")
        placed += "draw, (something hidden)" in told
        for turn in of_one_turn(record):
            if turn[0].by == 1:
                for event in turn:
                    if event.by == "chance" and event.move.startswith("draw "):
                        hidden += 1
                        assert f"({event.move})" not in told
    assert hidden > 3
    assert placed > 1


def resumed(state_of: Record, tmp_path: Path, *lines: str) -> tuple[str, list[Event]]:
    """What is told where the person at seat 0 types these lines from the end of a record on, and what was added to it."""
    file, later = tmp_path / "file", tmp_path / "later"
    file.write_text(state_of.text())
    answer = call(
        "play", state_of.game.name, "--resume", file, "--seat", "human", "--seat", "greedy", "--record", later,
        "--seed", 1, stdin="\n".join([*lines, "quit"]) + "\n",
    )  # fmt: skip
    assert (answer.status, answer.err) == (0, "")
    return answer.out, read_record(later).events[len(state_of.events) :]


def steps(state: State) -> list[tuple[Any, ...]]:
    """What is possible."""
    return [state.game.step(state, action) for action in state.legal_actions().tolist()]


def record_at(phase: str, kind: str) -> Record:
    """A beginning of a game at whose end player 0 has such a step to choose in a phase."""
    for seed in range(200):
        record = Record(garden_ai.load("butterfly_garden", 2).start(), seed=seed)
        while record.state.actor != TERMINAL:
            state = record.state
            if state.actor == 0 and state.game.phase(state) == phase and kind in (step[0] for step in steps(state)):
                return record
            draw = len(record.events)
            record.apply(state.copy().draw(draw) if state.actor == CHANCE else state.random_action(draw))
    raise AssertionError(kind)


def test_the_part_that_is_not_possible_is_named(tmp_path: Path) -> None:
    """Those before it are made; the picture comes again where the person is still to move."""
    record = record_at("capture", "capture")
    state = record.state
    first = record.definition.notation.format(state, int(state.legal_actions()[0]))
    told, events = resumed(record, tmp_path, f"{first}, grow, {first}", "moves")
    assert events[0] == Event(0, first)
    assert "part 2, 'grow': " in told
    assert "the moves before it are made" in told
    assert told.index(f"player 0 (you): {first}\n") < told.index("part 2, 'grow'")

    told, events = resumed(record, tmp_path, f"grow, {first}")
    assert events == []
    assert "part 1, 'grow': expected 'take'" in told
    assert told.count("▶ player 0") == 1  # nothing has changed

    told, events = resumed(record, tmp_path, first + ", pass" * 3)
    assert "'pass': not possible; this turn of yours is over" in told
    assert next(event for event in events if event.by == 0).move == first


def test_a_line_with_commas_that_reads_as_one_move_is_one(tmp_path: Path) -> None:
    record = record_at("power", "exchange")
    _, hand, jar = next(step for step in steps(record.state) if step[0] == "exchange")
    told, events = resumed(record, tmp_path, f"swap {hand}, {jar}")
    assert events[0] == Event(0, f"swap {hand} {jar}")
    assert "part" not in told
    # refused as one move, too: its reason is told beside that of the first part
    told, events = resumed(record, tmp_path, f"swap {hand}, 99")
    assert events == []
    assert f"'swap {hand}, 99': not possible" in told
    assert f"part 1, 'swap {hand}': expected" in told


def test_help_tells_of_several_moves_in_a_line() -> None:
    told = call("play", "leelawadee", "--seed", 4, "--seat", "human", stdin="help\n").out
    assert "commas or semicolons" in told


def first_reveal(first: int, seed: int) -> tuple[Record, str, State]:
    """The first choice of a game of Ladybird for two, what player 0 may choose, and a state after both choices."""
    record = Record(garden_ai.load("ladybird", 2, first=first).start(), seed=seed)
    while record.state.actor == CHANCE:
        record.apply(record.state.copy().draw(len(record.events)))
    state = record.state.copy()
    move = record.definition.notation.format(state, int(state.legal_actions()[0]))
    while state.simultaneous:
        state.apply(int(state.legal_actions()[0]))
    return record, move, state


def test_what_is_typed_after_a_sealed_choice_is_done_where_nobody_moves_before(tmp_path: Path) -> None:
    record, reveal, state = first_reveal(0, 3)
    draft = record.definition.notation.format(state, int(state.legal_actions()[0]))
    told, events = resumed(record, tmp_path, f"{reveal}, {draft}, rose")
    assert [event.move for event in events if event.by == 0] == [reveal, draft, "rose"]
    assert "not possible" not in told
    told, events = resumed(record, tmp_path, f"{reveal}, {draft}, grow")
    assert [event.move for event in events if event.by == 0] == [reveal, draft]
    assert "part 2, 'grow'" in told


def test_what_is_typed_after_a_sealed_choice_is_void_once_others_have_moved(tmp_path: Path) -> None:
    record, reveal, _ = first_reveal(1, 3)
    told, events = resumed(record, tmp_path, f"{reveal}, draw, rose")
    assert [event.move for event in events if event.by == 0] == [reveal]
    assert "not done, since others have moved: draw, rose" in told


def turn_without_chance() -> tuple[Record, list[str], str]:
    """A first round of Ladybird for two: what player 0 can say in one breath, and the choice of player 1."""
    for seed in range(100):
        record, reveal, state = first_reveal(0, seed)
        words = record.definition.notation
        sealed = record.state.copy()
        sealed.apply(int(sealed.legal_actions()[0]))
        other = words.format(sealed, int(sealed.legal_actions()[0]))
        line = [reveal]
        while state.actor == 0:
            line.append(words.format(state, int(state.legal_actions()[0])))
            state.apply(int(state.legal_actions()[0]))
        if state.actor == 1:
            return record, line, other
    raise AssertionError


def test_each_of_two_people_may_type_on_after_a_sealed_choice(tmp_path: Path) -> None:
    """The first has the rest of his line done, and the other is told that his is not."""
    record, line, other = turn_without_chance()
    file, later = tmp_path / "file", tmp_path / "later"
    file.write_text(record.text())
    answer = call(
        "play", "ladybird", "--resume", file, "--seat", "human", "--seat", "human", "--record", later,
        stdin=f"{', '.join(line)}\n{other}, draw, rose\nquit\n",
    )  # fmt: skip
    assert answer.status == 0
    events = read_record(later).events[len(record.events) :]
    assert [event.move for event in events if event.by == 0] == line
    assert [event.move for event in events if event.by == 1] == [other]
    assert "not done, since others have moved: draw, rose" in answer.out
