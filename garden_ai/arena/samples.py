"""Samples: what a search states as the chance of finishing first at decisions of whole games, and what then happened.

Games are played by a strong player; at some decisions, drawn at random, the search whose odds are measured thinks instead, and
what it states of the move that it then plays is a sample. They are kept in a file, so that a measurement that was stopped goes on
from it. Nothing here knows a game.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from garden_core.fields import FieldError
from garden_core.state import Game

from garden_ai import __version__
from garden_ai.arena.kept import KeptFile
from garden_ai.arena.match import CHANCE, TERMINAL, GameChoice, mixed
from garden_ai.players import Player
from garden_ai.search import RankedMoves

FORMAT = "garden-ai samples"
VERSION = 1
TRIALS = 8   # games that tell how many decisions a game has


@dataclass(frozen=True)
class Sample:
    """One decision: the chance stated for the move that was played, and the share of the first place that its player then had."""

    progress: float    # how much of the game's decisions lay behind, 0..1
    simulations: int   # of the search
    visits: int        # of the move
    stated: float
    happened: float


@dataclass(frozen=True)
class SampledGame:
    """The samples of one game of a measurement."""

    number: int
    samples: tuple[Sample, ...]


def decisions(game: Game, seed: int) -> float:
    """How many decisions a game has in which there is a choice: the mean of some games by the game's policy."""
    count = 0
    for trial in range(TRIALS):
        state, rng = game.start(), random.Random(mixed(seed, trial))
        while state.actor != TERMINAL:
            if state.actor == CHANCE:
                state.draw(rng.getrandbits(63))
            else:
                count += len(state.legal_actions()) > 1
                state.apply(state.policy_action(rng.getrandbits(63)))
    return count / TRIALS


def sampled_game(
    choice: GameChoice, player: Player, measured: Sequence[Player], share: float, number: int, seed: int
) -> SampledGame:
    """Game `number` of a measurement with that seed: a random share of its decisions, each by one of those `measured`.

    Forced moves are no samples. All is drawn by the seed, so players limited by simulations give the same samples anywhere.
    """
    game = choice.load()
    rng = random.Random(mixed(seed, number))
    state = game.start()
    stated: list[tuple[int, int, int, int, float]] = []
    count = 0
    while state.actor != TERMINAL:
        if state.actor == CHANCE:
            state.draw(rng.getrandbits(63))
            continue
        own_seed, sampled, thinker = rng.getrandbits(63), rng.random() < share, rng.choice(measured)
        sampled = sampled and len(state.legal_actions()) > 1
        if not sampled:
            thinker = player
        answer = thinker.analyse(state, own_seed)
        action = thinker.choose(answer, own_seed)
        if sampled:
            place = answer.actions.index(action)
            assert isinstance(answer.moves, RankedMoves)
            stated.append((count, state.actor, answer.simulations, answer.visits[place], answer.moves.raw_wins[place]))
        state.apply(action)
        count += 1
    shares = state.wins()
    return SampledGame(number, tuple(
        Sample(round(when / count, 4), simulations, visits, round(win, 5), shares[who])
        for when, who, simulations, visits, win in stated
    ))


@dataclass(frozen=True)
class Header:
    """The first line of a file of samples: everything that decides them."""

    game: str
    players: int
    options: dict[str, Any]
    components: str   # the digest of what the game was loaded with
    player: Player
    measured: tuple[Player, ...]
    share: float      # of the decisions
    seed: int
    format: str = FORMAT
    version: int = VERSION
    made_by: str = f"garden-ai {__version__}"


class SamplesFile(KeptFile[Header, SampledGame]):
    """The games of a measurement, kept in a file as they are played."""

    header_type = Header
    row_type = SampledGame
    header_words = "a header of a file of samples"
    row_words = "a game of a file of samples"
    file_words = "file of samples"
    work = "measurement"

    @property
    def games(self) -> list[SampledGame]:
        """Those that were there."""
        return self.rows

    def check_header(self, place: str, found: Header, expected: Header) -> None:
        """Raises `FieldError` where the file holds another measurement."""
        if found != expected:
            raise FieldError(place, "expected the measurement that is asked for; it holds another one")

    def check_row(self, place: str, row: SampledGame, number: int, header: Header) -> None:
        """Raises `FieldError` where a game is not the next one."""
        if row.number != number:
            raise FieldError(f"{place}.number", f"expected {number}; got {row.number}")
