"""Principal variations in words: a line as a search found it, and on to the end of the mover's turn."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from garden_core.state import State

from garden_ai.games import definition
from garden_ai.turns import CHANCE, is_seen, turn_of

LONGEST = 64   # events after the line of the search: a turn ends before, unless a game has no turns
DEALS = 64     # in which the mover must come next, where others choose at the same time as he


def written(
    state: State, line: Sequence[int], seed: int, to_turns_end: bool
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The moves of a line, of which the first is the mover's, and who makes them, -1 for what chance brings.

    The line is walked in a deal, drawn with the seed, that the mover could be in: the true one is not his to see. Of his own
    moves it holds those of this turn only; what others answer is as far as the search foresaw it.
    """
    walk = _Walk(state, seed)
    for action in line:
        if walk.is_left():
            break
        walk.tell(action)
    if to_turns_end:
        walk.go_on(line[0])
    return tuple(walk.texts), tuple(walk.players)


class _Walk:
    """A line that is being walked, and what is told of it."""

    def __init__(self, state: State, seed: int) -> None:
        self.root = state
        self.dice = random.Random(seed)
        self.mover = state.actor
        self.turn = turn_of(state)
        self.state = state.redeal(self.mover, seed)
        self.notation = definition(state.game.name).notation
        self.texts: list[str] = []
        self.players: list[int] = []

    def tell(self, action: int) -> None:
        """One step that is listed."""
        self.texts.append(self.notation.format(self.state, action))
        self.players.append(self.state.actor)
        self.state.apply(action)

    def is_own(self) -> bool:
        """Whether all that is told is the mover's."""
        return all(player in (self.mover, CHANCE) for player in self.players)

    def is_left(self) -> bool:
        """Whether the mover begins another turn, with nobody between."""
        return self.state.actor == self.mover and self.is_own() and turn_of(self.state).number != self.turn.number

    def go_on(self, first: int) -> None:
        """To the end of the mover's turn, by his priors and one outcome of each chance event, drawn with the seed.

        What others choose at the same time as he is passed over, since he will not know it, and so is what chance hides from
        him. Chance after his last decision is no part of his turn.
        """
        together = self.turn.sealed
        drawn: list[str] = []
        for _ in range(LONGEST if self.is_own() else 0):
            actor = self.state.actor
            if actor == CHANCE:
                before = self.state.copy()
                outcome = self.state.draw(self.dice.getrandbits(63))
                if is_seen(before, outcome, self.mover):
                    drawn.append(self.notation.format(before, outcome))
            elif actor == self.mover and not self.is_left():
                action = likeliest(self.state)
                if together and not self.comes_next(first, action):
                    return
                together = False
                self.texts += drawn
                self.players += [CHANCE] * len(drawn)
                drawn = []
                self.tell(action)
            elif together and self.state.simultaneous:
                self.state.apply(self.state.policy_action(self.dice.getrandbits(63)))
            else:
                return

    def comes_next(self, first: int, action: int) -> bool:
        """Whether the mover comes next, and can move so, whatever the others may have and choose: in some other deals, too."""
        for _ in range(DEALS):
            other = self.root.redeal(self.mover, self.dice.getrandbits(63))
            other.apply(first)
            while other.actor == CHANCE or (other.simultaneous and other.actor != self.mover):
                if other.actor == CHANCE:
                    other.draw(self.dice.getrandbits(63))
                else:
                    other.apply(other.random_action(self.dice.getrandbits(63)))
            if other.actor != self.mover or not other.is_legal(action):
                return False
        return True


def likeliest(state: State) -> int:
    """The action that the priors favour, the lowest of several."""
    return int(state.legal_actions()[int(np.argmax(state.priors()))])
