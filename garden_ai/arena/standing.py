"""How a ladder stands after some deals: its players ranked by rating, and how those who met fared against each other."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from garden_ai import __version__
from garden_ai.arena.ladder import ANCHOR
from garden_ai.arena.match import Deal, GameChoice
from garden_ai.arena.ratings import RESAMPLES, Rating, ratings
from garden_ai.players import Player


@dataclass(frozen=True)
class Standing:
    """One player of a ladder; what only games can tell is None before the first."""

    name: str
    player: Player
    rating: Rating | None
    first_share: float | None  # of the first places of his games, ties shared
    score: float | None        # mean points


@dataclass(frozen=True)
class Meeting:
    """Two players who met, the better rated one first: in how many games, and how often the first was before, ties halved."""

    first: str
    second: str
    games: int
    share: float


@dataclass(frozen=True)
class Ladder:
    """The standings, the best rated first and those without a game last, and the meetings of every two in the same order."""

    deals: int
    games: int
    standings: tuple[Standing, ...]
    meetings: tuple[Meeting, ...]


def ladder_of(pool: Mapping[str, Player], deals: Sequence[Deal], resamples: int = RESAMPLES) -> Ladder:
    """How a pool stands after those deals, the player `ANCHOR` at 1000 points. Intervals need `resamples` of the deals."""
    names = list(pool)
    rated = ratings(len(pool), deals, names.index(ANCHOR), resamples=resamples)
    order = sorted(range(len(pool)), key=lambda i: (rated[i].games == 0, -rated[i].elo))
    standings = []
    for i in order:
        places = [(deal, at) for deal in deals for at, member in enumerate(deal.group) if member == i]
        standings.append(Standing(
            names[i], pool[names[i]], rated[i] if places else None,
            statistics.fmean(deal.shares[at] for deal, at in places) if places else None,
            statistics.fmean(deal.scores[at] for deal, at in places) if places else None,
        ))
    games = sum(len(deal.games) for deal in deals)
    return Ladder(len(deals), games, tuple(standings), _meetings(names, order, deals))


def _meetings(names: Sequence[str], order: Sequence[int], deals: Sequence[Deal]) -> tuple[Meeting, ...]:
    games = {(a, b): 0 for rank, a in enumerate(order) for b in order[rank + 1 :]}
    compared = dict.fromkeys(games, 0)
    before = dict.fromkeys(games, 0.0)
    for deal in deals:
        for pair in games:
            if set(pair) <= set(deal.group):
                games[pair] += len(deal.games)
        for game in deal.games:
            seats = list(zip(deal.group, game.placing, strict=True))
            for a, place in seats:
                for b, other in seats:
                    if (a, b) in games:
                        compared[a, b] += 1
                        before[a, b] += 1.0 if place < other else 0.5 if place == other else 0.0
    return tuple(
        Meeting(names[a], names[b], count, before[a, b] / compared[a, b]) for (a, b), count in games.items() if count
    )


def ladder_dict(choice: GameChoice, seed: int, ladder: Ladder) -> dict[str, Any]:
    """The JSON form that `garden-ai ladder --json` prints, the best rated first."""
    return {
        "game": choice.name,
        "players": choice.players,
        "options": dict(choice.options),
        "seed": seed,
        "games": ladder.games,
        "deals": ladder.deals,
        "engines": [_engine(standing) for standing in ladder.standings],
        "pairs": [
            {"engines": [meeting.first, meeting.second], "games": meeting.games, "share": round(meeting.share, 4)}
            for meeting in ladder.meetings
        ],
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "version": __version__,
    }


def _engine(standing: Standing) -> dict[str, Any]:
    rating = standing.rating
    return {
        "name": standing.name,
        "player": dataclasses.asdict(standing.player),
        "elo": None if rating is None else round(rating.elo, 1),
        "interval": None if rating is None else [round(end, 1) for end in rating.interval],
        "games": 0 if rating is None else rating.games,
        "first_share": None if standing.first_share is None else round(standing.first_share, 4),
        "score": None if standing.score is None else round(standing.score, 2),
    }
