"""Turns: what one player decides in succession, with what chance brings between his decisions."""

from __future__ import annotations

from typing import NamedTuple

from garden_core.state import State

from garden_ai.games import definition

CHANCE = -1
MOST_COMPARED = 64   # outcomes that one is compared with
SOME = 16            # instead of more


class Turn(NamedTuple):
    """Decisions that agree in all of this, one after another, are one turn."""

    player: int
    sealed: bool      # a choice of a simultaneous phase, which all make before any turn goes on
    number: object    # which of the player's turns, by the game's own count


def turn_of(state: State) -> Turn:
    """The turn that the decision of a state belongs to; somebody must be to move."""
    player = state.actor
    return Turn(player, state.simultaneous, definition(state.game.name).turn(state.game, state.view(player)))


def is_seen(before: State, action: int, observer: int) -> bool:
    """Whether an observer (a seat or PUBLIC) can tell an action or outcome from every other that was possible."""
    if not before.game.hidden:
        return True
    listed = before.outcomes() if before.actor == CHANCE else (before.legal_actions(), None)
    # where they are too many some will do: those of a deal of hidden cards cannot be told apart
    if listed is None or (before.actor == CHANCE and len(listed[0]) > MOST_COMPARED):
        others = [before.copy().draw(seed) for seed in range(SOME)]
    else:
        others = listed[0].tolist()
    known = key_after(before, action, observer)
    return all(other == action or key_after(before, other, observer) != known for other in others)


def key_after(state: State, action: int, observer: int) -> int:
    """What an observer knows after an action or outcome, as a hash."""
    after = state.copy()
    after.apply(action)
    return int(after.key(observer))
