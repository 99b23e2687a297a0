"""`load`, `Game` and `State` as Python sees them: what they promise whatever the game."""

import copy
import pickle
import re
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from garden_core.measure import playouts
from garden_core.state import Game, State

import garden_ai
from garden_ai import ALL, CHANCE, PUBLIC, TERMINAL, FieldError
from garden_ai.components import line_of, read_components
from garden_ai.games import GameDefinition, definition, names, register

OWN = definition("leelawadee").components_file


def written(folder: Path, *changes: tuple[str, str]) -> Path:
    """Leelawadee's own component file with some text replaced."""
    text = OWN.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file = folder / "components.toml"
    file.write_text(text, encoding="utf-8")
    return file


# --- loading ---


def test_loading_the_same_again_gives_the_same_game() -> None:
    game = garden_ai.load("leelawadee", players=3)
    assert garden_ai.load("leelawadee", players=3) is game
    assert garden_ai.load("leelawadee", players=3, bid_max=20) is game
    assert garden_ai.load("leelawadee", players=3, components=OWN) is game
    for other in (
        garden_ai.load("leelawadee", players=2),
        garden_ai.load("leelawadee", players=3, bid_max=19),
        garden_ai.load("leelawadee", players=3, open_draws=True),
    ):
        assert other != game
        assert other.start(1) != game.start(1)


def test_the_fewest_players_are_the_default() -> None:
    assert garden_ai.load("leelawadee") is garden_ai.load("leelawadee", players=2)


@pytest.mark.parametrize(("arguments", "path"), [
    ({"name": "chess"}, "game"),
    ({"name": ""}, "game"),
    ({"players": 1}, "players"),
    ({"players": 5}, "players"),
    ({"players": -2}, "players"),
    ({"players": 2.0}, "players"),
    ({"players": "2"}, "players"),
    ({"players": True}, "players"),
    ({"weather": "fine"}, "option weather"),
    ({"first": 2}, "options.first"),
    ({"first": "nobody"}, "options.first"),
    ({"first": False}, "options.first"),
    ({"first": [0]}, "options.first"),
    ({"open_draws": 1}, "options.open_draws"),
    ({"bid_for_start": "yes"}, "options.bid_for_start"),
    ({"bid_max": -1}, "options.bid_max"),
    ({"bid_max": 100}, "options.bid_max"),
    ({"bid_max": 2.5}, "options.bid_max"),
    ({"bid_max": True}, "options.bid_max"),
    ({"attract": "any"}, "options.attract"),
    ({"tie": "broken"}, "options.tie"),
])
def test_what_cannot_be_loaded_is_refused_by_its_name(arguments: dict[str, Any], path: str) -> None:
    with pytest.raises(FieldError) as error:
        garden_ai.load(**{"name": "leelawadee", "players": 2, **arguments})
    assert error.value.path == path
    assert "expected" in str(error.value) or "unknown" in str(error.value)


def test_a_field_error_survives_a_pickle() -> None:
    error = FieldError("state.gardens[1]", "expected a garden")
    again = pickle.loads(pickle.dumps(error))
    assert (again.path, again.expected, str(again)) == (error.path, error.expected, str(error))


def test_a_game_from_outside_is_loaded_by_its_name(
    test_definitions: dict[str, GameDefinition], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garden_ai.games, "_registered", {})
    with pytest.raises(FieldError, match=r"^game: "):
        garden_ai.load("kuhn_poker")
    for game in test_definitions.values():
        register(game)
    assert set(names()) >= {"kuhn_poker", "biased_pennies", "leelawadee"}
    assert names() == sorted(names())
    game = garden_ai.load("kuhn_poker")
    assert (game.name, game.players) == ("kuhn_poker", 2)
    with pytest.raises(FieldError, match=r"^players: "):
        garden_ai.load("kuhn_poker", players=3)


# --- component files ---

BAD_FILES: list[tuple[str, list[tuple[str, str]], str]] = [
    ("a sum of flowers", [("2 = [2, 3, 4, 5, 6]", "2 = [2, 3, 4, 5, 7]")], "flowers.counts.2"),
    ("a count below 0", [("2 = [2, 3, 4, 5, 6]", "2 = [-2, 7, 4, 5, 6]")], "flowers.counts.2[0]"),
    ("a count that is text", [("3 = [4, 5, 6, 7, 8]", "3 = [4, 5, 6, 7, '8']")], "flowers.counts.3[4]"),
    ("four counts", [("4 = [6, 7, 8, 9, 10]", "4 = [10, 10, 10, 10]")], "flowers.counts.4"),
    ("players left out", [("4 = [6, 7, 8, 9, 10]\n", "")], "flowers.counts.4"),
    ("a letter twice", [('"P", "B"]', '"P", "P"]')], "flowers.letters[4]"),
    ("a small letter", [('"P", "B"]', '"P", "b"]')], "flowers.letters[4]"),
    ("a colour twice", [('"purple", "blue"]', '"purple", "red"]')], "flowers.colours[4]"),
    ("a butterfly of an unknown colour", [('["purple", "blue"]\n\n', '["purple", "green"]\n\n')],
     "butterflies.two_colour[4].colours[1]"),
    ("a butterfly of one colour", [('["red", "purple"]\n', '["red", "red"]\n')], "butterflies.two_colour[0].colours"),
    ("a pair twice", [('["yellow", "blue"]', '["purple", "red"]')], "butterflies.two_colour[1].colours"),
    ("a garden of nine", [('[[".....", "....."]]', '[[".....", "...."]]')], "gardens.shapes[0]"),
    ("a garden of seventeen", [('[[".....", "....."]]', '[["........", "........."]]')], "gardens.shapes[0]"),
    ("a mark that is none", [('[[".....", "....."]]', '[[".....", "..x.."]]')], "gardens.shapes[0][1]"),
    ("three gardens", [('[[".....", "....."]]', "[" + '[".....", "....."], ' * 3 + "]")], "gardens.shapes"),
    ("an unknown table", [("[gardens]", '[pond]\nstanding = "assumed"\nfish = 3\n\n[gardens]')], "pond"),
    ("a table left out", [("[gardens]", "[garden]")], "garden"),
    ("no standing", [('[gardens]   # ', "[gardens] #"), ('standing = "printed"\nnote', "note")], "gardens"),
    ("a note that is no text", [('note = "', 'note = 5 # "')], "gardens.note"),
    ("an unknown standing", [('standing = "printed"\nnote', 'standing = "guessed"\nnote')], "gardens.standing"),
]


@pytest.mark.parametrize(("changes", "path"), [pytest.param(*case[1:], id=case[0]) for case in BAD_FILES])
def test_a_bad_component_file_is_refused_by_file_and_line(
    changes: list[tuple[str, str]], path: str, tmp_path: Path
) -> None:
    file = written(tmp_path, *changes)
    with pytest.raises(FieldError) as error:
        garden_ai.load("leelawadee", components=file)
    place = re.fullmatch(re.escape(str(file)) + r":(\d+)", error.value.path)
    assert place
    assert error.value.expected.startswith(f"{path}: ")
    # the line is the one that was changed, or the table it belongs to
    line = int(place[1])
    was, now = OWN.read_text(encoding="utf-8").splitlines(), file.read_text(encoding="utf-8").splitlines()
    here = [i for i, text in enumerate(now, 1) if i > len(was) or text != was[i - 1]]
    if len(was) == len(now):
        assert line in here
    else:
        assert line == 1 or now[line - 1].startswith("[")


def test_the_line_of_a_path() -> None:
    text = textwrap.dedent("""\
        # a file
        top = 1
        [one]
        a = 2
        b = [
            3,
        ]
        [[two.three]]
        a = 4
        [[two.three]]
        a = 5
        """)
    lines = {"top": 2, "one": 3, "one.a": 4, "one.b[0]": 5, "two.three[0].a": 9, "two.three[1].a[3]": 11,
             "two.three[1].z": 10, "two.three": 8, "two": 8, "nowhere": 1}
    assert {path: line_of(text, path) for path in lines} == lines


def test_a_file_that_cannot_be_read_is_refused_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "components.toml"
    for content in (b"\xff\xfe", b"a = ", b"= 1", b"a = 1\na = 2", b"a = " + b"[" * 50_000):
        file.write_bytes(content)
        with pytest.raises(FieldError) as error:
            garden_ai.load("leelawadee", components=file)
        assert error.value.path.startswith(str(file))
        assert "\n" not in str(error.value)
    for missing in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(FieldError) as error:
            garden_ai.load("leelawadee", components=missing)
        assert error.value.path == str(missing)


def test_every_table_says_whether_it_is_printed() -> None:
    for name in names():
        components = read_components(definition(name))
        assert components.standings
        assert {standing.standing for standing in components.standings} <= {"printed", "assumed"}
        assert garden_ai.load(name).components_data == components.data


def test_two_sets_of_components_side_by_side(tmp_path: Path) -> None:
    """Other flowers and another garden in one process; states of one mean nothing to the other."""
    shapes = '[[".....", "....."]]', '[["....", "....", "...."]]'
    file = written(tmp_path, ("2 = [2, 3, 4, 5, 6]", "2 = [6, 5, 4, 3, 2]"), shapes)
    printed, other = garden_ai.load("leelawadee"), garden_ai.load("leelawadee", components=file)
    assert printed != other
    assert printed.digest != other.digest
    assert garden_ai.load("leelawadee", components=file) is other
    states = [(printed.start(seed), other.start(seed)) for seed in range(20)]
    for one, two in states:
        for state, spots, blue in ((one, 10, 6), (two, 12, 2)):
            view = state.view(ALL)
            assert len(state.legal_actions()) == spots * len(set(view["table"]))
            assert view["table"].count("B") + view["bag"]["B"] == blue
        assert one != two
        assert one.game is printed
        assert two.game is other
    assert playouts(printed.start(), 50, 1) != playouts(other.start(), 50, 1)


def test_a_pickle_carries_its_components(tmp_path: Path) -> None:
    """They are in the pickle: the file may be gone, and another process has never seen it."""
    file = written(tmp_path, ("2 = [2, 3, 4, 5, 6]", "2 = [6, 5, 4, 3, 2]"))
    game = garden_ai.load("leelawadee", components=file, bid_for_start=True)
    state = game.start(seed=4)
    file.unlink()
    again = pickle.loads(pickle.dumps(state))
    assert again.game == game
    assert again.game.options == game.options
    assert again.game.digest == game.digest
    assert again == state
    code = ("import pickle, sys; state = pickle.load(sys.stdin.buffer); "
            "print(f'{state.key():016x}', state.game.digest, state.view(-2))")
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(state), capture_output=True, check=True)
    assert done.stdout.decode().strip() == f"{state.key():016x} {game.digest} {state.view(ALL)}"


def test_a_pickle_of_other_bytes_is_refused() -> None:
    state = garden_ai.load("leelawadee").start(seed=1)
    restore, (game, layout, digest, data, checksum) = state.__reduce__()
    assert restore(game, layout, digest, data, checksum) == state
    for wrong in ((game, layout + 1, digest, data), (game, layout, "0" * 16, data), (game, layout, digest, data[:-1]),
                  (garden_ai.load("leelawadee", players=3), layout, digest, data + b"\0")):
        with pytest.raises(ValueError, match="pickled with layout"):
            restore(*wrong, checksum)
    damaged = bytes([data[0] ^ 1]) + data[1:]
    with pytest.raises(ValueError, match="damaged"):
        restore(game, layout, digest, damaged, checksum)


def test_games_are_known_by_what_they_are() -> None:
    game = garden_ai.load("leelawadee", players=2)
    assert len({game, pickle.loads(pickle.dumps(game)), copy.copy(game)}) == 1
    assert game != "leelawadee"
    with pytest.raises(TypeError):
        game.options["first"] = 0
    with pytest.raises(AttributeError):
        game.players = 3


# --- states ---


def test_a_state_is_not_made_directly() -> None:
    with pytest.raises(TypeError, match=r"Game\.start\(\)"):
        State()


def test_states_compare_with_states_only(kuhn_poker: Game) -> None:
    state = garden_ai.load("leelawadee").start(seed=1)
    assert state != 1
    assert state != state.view(ALL)
    assert state != kuhn_poker.start(seed=1)
    assert copy.copy(state) == copy.deepcopy(state) == state
    assert {state: 1}[state.copy()] == 1


def test_seeds_are_any_whole_numbers() -> None:
    game = garden_ai.load("leelawadee")
    for seed in (0, -1, 2**63, 2**64 - 1, -2**63, 10**40, -10**40, np.int64(7), np.uint64(2**63), True):
        state = game.start(seed)
        assert state == game.start(seed)
        assert state.is_legal(state.random_action(seed))
        assert state.redeal(PUBLIC, seed) == state
        assert game.start().draw(seed) in (0, 1)
    assert game.start(7) == game.start(np.int64(7))
    # taken modulo 2^64, and otherwise told apart
    assert game.start(-1) == game.start(2**64 - 1)
    assert len({game.start(seed).key() for seed in (0, 1, -1, 2**63, 2**32)}) > 3
    for seed in (1.0, "1", [1], b"1"):
        with pytest.raises(TypeError, match="whole number"):
            game.start(seed)
    with pytest.raises(TypeError, match="whole number"):
        game.start(1).random_action(None)


def test_without_a_seed_chance_is_left_open() -> None:
    assert garden_ai.load("leelawadee").start().actor == CHANCE
    assert garden_ai.load("leelawadee").start(None).actor == CHANCE


def test_observers_are_seats_or_public_or_all() -> None:
    state = garden_ai.load("leelawadee").start(seed=1)
    for observer in (2, -3, 100):
        for ask in (state.view, state.key):
            with pytest.raises(ValueError, match="observer"):
                ask(observer)
    for observer in (2, -3, ALL):
        with pytest.raises(ValueError, match="observer"):
            state.redeal(observer, 1)


def test_an_observer_is_a_whole_number() -> None:
    state = garden_ai.load("leelawadee").start(seed=1)
    assert state.key(np.int64(1)) == state.key(1)
    for observer in (0.5, 1.0, "0", None):
        for ask in (state.view, state.key, lambda who: state.redeal(who, 1)):
            with pytest.raises((TypeError, ValueError)):
                ask(observer)


MISUSE = [
    "game.fields(None)",
    "game.fields(garden_ai.load('leelawadee', players=4).start(1))",
    "game.phase(None)",
    "game.step(None, 0)",
    "playouts(None, 1, 1)",
]


@pytest.mark.parametrize("call", MISUSE)
def test_a_state_of_nothing_or_of_another_game_is_an_error(call: str) -> None:
    """In a process of its own, since what goes wrong here may take the process with it."""
    code = textwrap.dedent(f"""\
        import garden_ai
        from garden_core.measure import playouts
        game = garden_ai.load("leelawadee")
        try:
            {call}
        except (TypeError, ValueError) as error:
            print(type(error).__name__)
        """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip() in ("TypeError", "ValueError")) == (0, True)


def test_what_a_game_says_of_itself(kuhn_poker: Game, biased_pennies: Game) -> None:
    game = garden_ai.load("leelawadee", players=3, first=1)
    assert repr(game).startswith("<leelawadee, 3 players, first=1, open_draws=False, ")
    assert repr(kuhn_poker) == "<kuhn_poker, 2 players>"
    assert game.state_size == len(game.start(1).to_bytes())
    assert game.score_bounds[0] < 0 < game.score_bounds[1]
    assert (kuhn_poker.hidden, biased_pennies.hidden, game.hidden) == (True, True, False)
    state = game.start(seed=1)
    assert repr(state) == f"<state of leelawadee, player 1 to move, key {state.key():016x}>"
    assert "chance to move" in repr(game.start())
    done = biased_pennies.start()
    done.apply(0)
    done.apply(1)
    assert done.actor == TERMINAL
    assert repr(done) == f"<state of biased_pennies, over, key {done.key():016x}>"


def test_threads_share_a_game() -> None:
    """Playouts without the interpreter's lock and walks under it, all over one game, as if one after another."""
    game = garden_ai.load("leelawadee", players=3, bid_for_start=True)
    root = game.start()

    def work(seed: int) -> tuple[Any, ...]:
        state = game.start(seed)
        while state.actor != TERMINAL:
            if state.actor == CHANCE:
                state.draw(seed)
            else:
                state.apply(state.policy_action(seed))
        return playouts(root, 1500, seed), playouts(root, 200, seed, True), state.key(), tuple(state.scores())

    alone = [work(seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(8))) == alone


def test_the_test_games_are_played_as_they_should(kuhn_poker: Game, biased_pennies: Game) -> None:
    """Other tests rest on these: payoffs by hand."""
    cards = {"J": 0, "Q": 1, "K": 2}
    for hand, bets, won in (
        ("KQ", [0, 0], 1), ("QK", [0, 0], -1), ("JK", [1, 0], 1), ("QJ", [1, 1], 2), ("JQ", [1, 1], -2),
        ("KJ", [0, 1, 0], -1), ("QJ", [0, 1, 1], 2), ("QK", [0, 1, 1], -2),
    ):
        state = kuhn_poker.start()
        state.apply(3 * cards[hand[0]] + cards[hand[1]])
        for player, bet in zip((0, 1, 0), bets, strict=False):
            assert state.actor == player
            state.apply(bet)
        assert state.actor == TERMINAL
        assert state.scores() == [won, -won]
        assert state.utilities() == [(won + 2) / 4, (2 - won) / 4]
    for choices, won in (((0, 0), 2), ((0, 1), -1), ((1, 0), -1), ((1, 1), 1)):
        state = biased_pennies.start()
        for choice in choices:
            state.apply(choice)
        assert state.scores() == [won, -won]


def test_kuhn_poker_has_twelve_information_sets(kuhn_poker: Game) -> None:
    """Six each: three cards, and for each of them two moments to decide."""
    sets: dict[int, set[tuple[int, str, str]]] = {}
    states = []
    for outcome in kuhn_poker.start().outcomes()[0].tolist():
        states.append(kuhn_poker.start())
        states[-1].apply(outcome)
    while states:
        state = states.pop()
        if state.actor == TERMINAL:
            continue
        own = state.view(state.actor)
        own_card = own["cards"][state.actor]
        sets.setdefault(state.key(state.actor), set()).add((state.actor, own_card, " ".join(own["betting"])))
        for action in (0, 1):
            states.append(state.copy())
            states[-1].apply(action)
    assert len(sets) == 12
    assert all(len(what) == 1 for what in sets.values())
    assert len(set.union(*sets.values())) == 12


def test_the_test_games_refuse_broken_positions(kuhn_poker: Game, biased_pennies: Game) -> None:
    for fields, path in (
        ({"cards": ["K", "K"], "betting": []}, "cards[1]"),
        ({"cards": ["K", "A"], "betting": []}, "cards[1]"),
        ({"cards": ["K", "hidden"], "betting": ["bet", "bet"]}, "cards[1]"),
        ({"cards": ["K", "Q"], "betting": ["bet", "bet", "bet"]}, "betting[2]"),
        ({"cards": [None, None], "betting": ["bet"]}, "betting[0]"),
        ({"cards": ["K", "Q"], "betting": ["raise"]}, "betting[0]"),
        ({"cards": ["K", "Q"], "betting": [], "to_move": 1}, "to_move"),
        ({"cards": ["K", "Q"]}, "betting"),
    ):
        with pytest.raises(FieldError) as error:
            kuhn_poker.build(fields)
        assert error.value.path == path
    for fields, path in (
        ({"choices": ["heads"]}, "choices"),
        ({"choices": ["heads", "edge"]}, "choices[1]"),
        ({"choices": ["heads", "hidden"]}, "choices[1]"),
        ({"choices": [None, "tails"], "to_move": 1}, "to_move"),
    ):
        with pytest.raises(FieldError) as error:
            biased_pennies.build(fields)
        assert error.value.path == path
