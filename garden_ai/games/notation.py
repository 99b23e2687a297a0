"""What the notations of games share whose compiled part spells actions and outcomes out as steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from garden_core.fields import shown
from garden_core.state import State

Step = tuple[object, ...]


class StepNotation(ABC):
    """Reads words as a step, and a step as an id."""

    def parse(self, state: State, text: str) -> int:
        """The id of a possible action or outcome. Raises `ValueError`."""
        game = state.game
        try:
            step = self._step(game, state, self._words(text))
            action: int = game.step_id(state, step)
            if action < 0 or not state.is_legal(action):
                raise ValueError(f"not possible; {self._reason(game, state, step)}")
        except ValueError as error:
            raise ValueError(f"{shown(text.strip())}: {error}") from None
        return action

    def _words(self, text: str) -> list[str]:
        """A text as its words."""
        return text.lower().split()

    @abstractmethod
    def _step(self, game: Any, state: State, words: Sequence[str]) -> Step:
        """What the words say, possible or not. Raises `ValueError` where they say nothing."""

    @abstractmethod
    def _reason(self, game: Any, state: State, step: Step) -> str:
        """Why a step is not possible."""
