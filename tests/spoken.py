"""A game as people read and write it: what the tests of notations and pictures share."""

import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from garden_core.state import State
from rich.console import Console

from garden_ai import ALL
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
