"""The test games as garden_ai sees a game: a `GameDefinition` each, built when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from games.build import import_module
from garden_core.state import Game, State
from rich.text import Text

from garden_ai.games import GameDefinition

HERE = Path(__file__).parent
NAMES = ("biased_pennies", "kuhn_poker")


class Words:
    """The notation of a game whose actions are a few words, the same in every state."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def format(self, state: State, action: int) -> str:
        return self.words[action]

    def parse(self, state: State, text: str) -> int:
        word = text.strip().lower()
        if word not in self.words or not state.is_legal(self.words.index(word)):
            raise ValueError(f"{text.strip()!r}: expected {' or '.join(self.words)} from the player to move")
        return self.words.index(word)


class KuhnNotation(Words):
    """`pass`, `bet`; for chance `deal KQ`, player 0's card first."""

    def format(self, state: State, action: int) -> str:
        if state.actor == -1:
            letters = state.game.letters
            return f"deal {letters[action // 3]}{letters[action % 3]}"
        return super().format(state, action)

    def parse(self, state: State, text: str) -> int:
        if state.actor != -1:
            return super().parse(state, text)
        word, _, cards = text.strip().upper().partition(" ")
        if word == "DEAL" and len(cards) == 2 and set(cards) <= set(state.game.letters) and cards[0] != cards[1]:
            return 3 * state.game.letters.index(cards[0]) + state.game.letters.index(cards[1])
        raise ValueError(f"{text.strip()!r}: expected 'deal' and two different cards, like 'deal KQ'")


def picture(game: Game, view: Mapping[str, Any]) -> Text:
    return Text(", ".join(f"{name}: {value}" for name, value in view.items()))


def phrase(game: Game, component: str) -> str:
    return f"the {component}"


@cache
def definition(name: str) -> GameDefinition:
    """The definition of a test game; the modules are built first if need be."""
    module = import_module(name)
    notation, title, example = {
        "kuhn_poker": (KuhnNotation("pass", "bet"), "Kuhn poker", {"cards": ["K", "hidden"], "betting": ["pass"]}),
        "biased_pennies": (Words("heads", "tails"), "Biased pennies", {"choices": ["hidden", None]}),
    }[name]
    return GameDefinition(
        name=name,
        title=title,
        summary="a game of the tests",
        players=(2,),
        options=(),
        components_file=HERE / f"{name}.toml",
        load=module.load,
        check_components=module.check_components,
        notation=notation,
        picture=picture,
        phrases=phrase,
        events=lambda game, before, after, player: (),
        state_schema=dict,
        example=example,
    )
