"""Puts this folder on the path (for `battery`, `games` and `reference`) and offers the test games as fixtures."""

import signal
import sys
from pathlib import Path

import pytest

import garden_ai.games

sys.path.insert(0, str(Path(__file__).parent))

from games import definitions
from garden_core.state import Game

from garden_ai.components import read_components
from garden_ai.games import GameDefinition

# Shells start background jobs with Ctrl-C ignored, and a job's children inherit that: the tests of Ctrl-C need it heard.
signal.signal(signal.SIGINT, signal.default_int_handler)


def load_test_game(name: str) -> Game:
    definition = definitions.definition(name)
    return definition.load(2, {}, read_components(definition).data)


@pytest.fixture(scope="session")
def kuhn_poker() -> Game:
    """Kuhn poker, built from tests/games."""
    return load_test_game("kuhn_poker")


@pytest.fixture(scope="session")
def biased_pennies() -> Game:
    """Biased pennies, built from tests/games."""
    return load_test_game("biased_pennies")


@pytest.fixture(scope="session")
def test_definitions() -> dict[str, GameDefinition]:
    """The definitions of the test games, by name."""
    return {name: definitions.definition(name) for name in definitions.NAMES}


@pytest.fixture(scope="module", autouse=True)
def _registered_games_stay_in_their_file():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(garden_ai.games, "_registered", dict(garden_ai.games._registered))
        yield
