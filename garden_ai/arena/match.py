"""Paired games between players: every deal is played once for each rotation of the seats, so that luck cancels.

Alone, every player plays the same deal, and their points are compared. Any program may use this; nothing here knows a game.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from garden_core.fields import FieldError
from garden_core.state import Game, State

from garden_ai.loading import load
from garden_ai.players import Player
from garden_ai.record import MOST_SEED, Record

MASK = (1 << 64) - 1
CHANCE, TERMINAL = -1, -2


@dataclass(frozen=True)
class GameChoice:
    """Which game is played: its name, how many play, its options and a component file of the user's own."""

    name: str
    players: int
    options: Mapping[str, Any] = field(default_factory=dict)
    components: Path | None = None

    def load(self) -> Game:
        """The game. Raises `FieldError`."""
        return load(self.name, self.players, self.components, **self.options)


@dataclass(frozen=True)
class Outcome:
    """What one game brought the players of a group, in the order of the group: places (1 the first, ties share) and points."""

    placing: tuple[int, ...]
    scores: tuple[float, ...]

    @property
    def shares(self) -> tuple[float, ...]:
        """Of the first place."""
        first = self.placing.count(1)
        return tuple(1 / first if place == 1 else 0.0 for place in self.placing)


@dataclass(frozen=True)
class Deal:
    """One deal played by a group of players of a pool, by place in it: a game for each rotation, or one if they play alone."""

    number: int
    group: tuple[int, ...]
    games: tuple[Outcome, ...]
    records: tuple[str, ...] = ()  # the games as files, where they are asked for

    @property
    def shares(self) -> tuple[float, ...]:
        """For each of the group, its mean share of first places."""
        return tuple(map(statistics.fmean, zip(*(game.shares for game in self.games), strict=True)))

    @property
    def scores(self) -> tuple[float, ...]:
        """For each of the group, its mean points."""
        return tuple(map(statistics.fmean, zip(*(game.scores for game in self.games), strict=True)))


@dataclass(frozen=True)
class Result:
    """A match: for each player a seat's share of first places and mean points, both with 95% intervals over deals."""

    deals: int
    games: int
    wins: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]
    scores: tuple[float, ...]
    score_intervals: tuple[tuple[float, float], ...]


def mixed(*numbers: int) -> int:
    """A seed from several numbers (splitmix64 over each in turn)."""
    seed = 0
    for number in numbers:
        seed = (seed ^ number) + 0x9E3779B97F4A7C15 & MASK
        seed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & MASK
        seed = (seed ^ seed >> 27) * 0x94D049BB133111EB & MASK
        seed ^= seed >> 31
    return seed


def play_game(game: Game, seats: Sequence[Player], seed: int, actions: list[int] | None = None) -> State:
    """One game to its end, `seats` in the order of the seats; `actions` gathers its events.

    The n-th chance event and each player's searches depend on the seed alone.
    """
    state = game.start()
    chance = decisions = 0
    while state.actor != TERMINAL:
        if state.actor == CHANCE:
            event = state.draw(mixed(seed, 0, chance))
            chance += 1
        else:
            player, own_seed = seats[state.actor], mixed(seed, 1 + state.actor, decisions)
            answer = player.analyse(state, own_seed)
            event = player.choose(answer, own_seed)
            state.apply(event)
            decisions += 1
        if actions is not None:
            actions.append(event)
    return state


def play_deal(
    choice: GameChoice, pool: Mapping[str, Player], group: Sequence[int], number: int, seed: int, keep_records: bool = False
) -> Deal:
    """Deal `number` of a match or ladder with that seed: every rotation of the group over the seats, or each of it alone."""
    game = choice.load()
    names, players = list(pool), list(pool.values())
    n = len(group)
    alone = choice.players == 1
    deal_seed = mixed(seed, number)
    outcomes, records = [], []
    for turn in range(n):
        sitting = [group[turn]] if alone else [group[(seat + turn) % n] for seat in range(n)]
        actions: list[int] | None = [] if keep_records else None
        state = play_game(game, [players[i] for i in sitting], deal_seed, actions)
        if actions is not None:
            records.append(_record(game, [names[i] for i in sitting], deal_seed, actions))
        placing, scores = state.placing(), state.scores()
        order = [0] if alone else [(member - turn) % n for member in range(n)]
        outcomes.append(Outcome(tuple(placing[seat] for seat in order), tuple(scores[seat] for seat in order)))
    if alone:
        points = tuple(outcome.scores[0] for outcome in outcomes)
        outcomes = [Outcome(tuple(1 + sum(other > own for other in points) for own in points), points)]
    return Deal(number, tuple(group), tuple(outcomes), tuple(records))


def _record(game: Game, names: Sequence[str], seed: int, actions: Sequence[int]) -> str:
    record = Record(game.start(), seed=seed & MOST_SEED, names=tuple(names))
    for action in actions:
        record.apply(action)
    return record.text()


def seated(count: int, players: int) -> tuple[int, ...]:
    """A group of the first `count` of a pool for a game of so many: the last of them sits on every seat that is left over.

    Alone, each plays by himself. Raises `FieldError` where they are too many.
    """
    if players != 1 and count > players:
        raise FieldError("seats", f"expected at most {players}, one a player; got {count}")
    return tuple(range(count)) + (count - 1,) * (players - count)


def summary(deals: Sequence[Deal]) -> Result:
    """The standing after some deals of one group: for each who is in it, in order, means over the seats that he holds.

    Intervals are those of the mean over deals, by Student's distribution. Where all deals brought a player the same share they
    tell no spread, so its error is kept at least that of one different deal.
    """
    seats = [[seat for seat, other in enumerate(deals[0].group) if other == member] for member in dict.fromkeys(deals[0].group)]
    shares, points = (
        [[statistics.fmean(row[seat] for seat in held) for row in rows] for held in seats]
        for rows in ([deal.shares for deal in deals], [deal.scores for deal in deals])
    )
    wins = tuple(map(statistics.fmean, shares))
    scores = tuple(map(statistics.fmean, points))
    share_errors = [max(_error(values), 1 / len(deals)) for values in shares]
    point_errors = [_error(values) for values in points]
    return Result(
        len(deals), sum(len(deal.games) for deal in deals), wins,
        tuple((max(0.0, win - error), min(1.0, win + error)) for win, error in zip(wins, share_errors, strict=True)),
        scores, tuple((score - error, score + error) for score, error in zip(scores, point_errors, strict=True)),
    )


def _error(values: Sequence[float]) -> float:
    """Half a 95% interval of their mean: infinite for a single one."""
    from scipy.special import stdtrit  # only where a match is summed up

    degrees = len(values) - 1
    return float(stdtrit(degrees, 0.975)) * statistics.stdev(values) / math.sqrt(len(values)) if degrees else math.inf
