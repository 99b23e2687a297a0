"""A game as people read and write it: what the tests of notations and pictures share."""

import io
import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from garden_core.state import State
from rich.console import Console

import garden_ai
from garden_ai import ALL, CHANCE, TERMINAL
from garden_ai.games import GameDefinition

PAGES = Path(__file__).parent.parent / "docs/games"


class Spoken:
    """The moves of a game in words, and its states in pictures."""

    def __init__(self, definition: GameDefinition) -> None:
        self.definition = definition
        self.notation = definition.notation

    def read(self, state: State, text: str) -> str:
        """A text as the notation itself writes it."""
        return self.notation.format(state, self.notation.parse(state, text))

    def refused(self, state: State, text: str) -> str:
        """What is said of a text that is no possible move; it begins with the text."""
        with pytest.raises(ValueError) as error:  # noqa: PT011  the message is what the tests are about
            self.notation.parse(state, text)
        message = str(error.value)
        assert "\n" not in message
        assert message.startswith(f"{text.strip()!r}: ")
        return message.partition(": ")[2]

    def after(self, state: State, *texts: str) -> State:
        """The state after these moves and outcomes."""
        state = state.copy()
        for text in texts:
            state.apply(self.notation.parse(state, text))
        return state

    def walk(self, players: int, seed: int, **options: Any) -> Iterator[State]:
        """The states of a game, from its start with chance open to its end; half of the moves are random."""
        state = garden_ai.load(self.definition.name, players, **options).start()
        rng = random.Random(seed)
        yield state
        while state.actor != TERMINAL:
            draw = rng.randrange(1 << 30)
            if state.actor == CHANCE:
                state.draw(draw)
            else:
                state.apply(state.policy_action(draw) if draw % 2 else state.random_action(draw))
            yield state

    def over(self, players: int) -> State:
        """The end of a game."""
        state = garden_ai.load(self.definition.name, players).start(1)
        while state.actor != TERMINAL:
            state.draw(1) if state.actor == CHANCE else state.apply(state.random_action(1))
        return state

    def told(self, state: State, move: str) -> tuple[str, ...]:
        """What is told of a move to whoever makes it; others' choices are not those that they have made."""
        player = state.actor
        done = state.redeal(player, 0) if state.simultaneous else state.copy()
        done.apply(self.notation.parse(done, move))
        return self.definition.events(state.game, state.view(player), done.view(player), player)

    def assert_told_of_what_is_seen(self, state: State) -> None:
        """What is told of moves does not depend on what others hold or have chosen."""
        stories = {
            tuple(self.told(other, self.notation.format(state, action)) for action in state.legal_actions().tolist())
            for other in (state, state.redeal(state.actor, 1), state.redeal(state.actor, 2))
        }
        assert len(stories) == 1

    def drawn(self, state: State, observer: int = ALL, **kinds: Any) -> str:
        """The picture as an observer sees it."""
        return self.drawn_view(state.game, state.view(observer), **kinds)

    def drawn_view(self, game: Any, view: Mapping[str, Any], width: int = 80, encoding: str = "utf-8", **kinds: Any) -> str:
        """The picture of the fields of a view."""
        out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        console = Console(file=out, width=width, highlight=False, **kinds)
        console.print(self.definition.picture(game, view))
        out.flush()
        return out.buffer.getvalue().decode(encoding)

    def positions_of_the_page(self) -> list[Any]:
        """The JSON that the game's page of the documentation shows."""
        page = (PAGES / f"{self.definition.name}.md").read_text(encoding="utf-8")
        return [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)]
