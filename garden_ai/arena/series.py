"""A match of one group of players: deal after deal, until there are enough or a sequential test has decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from garden_ai.arena.match import Deal, GameChoice, play_deal, summary
from garden_ai.arena.sprt import SequentialTest
from garden_ai.arena.workers import Workers
from garden_ai.players import Player


@dataclass
class Match:
    """What is played, by whom, and how it stands: `deals` are those that are played, at most `count`.

    A test hears of each deal's outcome for the first of the group, in the order of the deals, and ends the match.
    """

    choice: GameChoice
    pool: Mapping[str, Player]
    group: tuple[int, ...]
    count: int
    seed: int
    test: SequentialTest | None = None
    deals: list[Deal] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to play."""
        return len(self.deals) >= self.count or (self.test is not None and self.test.decision is not None)

    def resume(self, known: Sequence[Deal]) -> None:
        """Takes in deals that were played before, as many as the match has."""
        for deal in known:
            if self.finished:
                return
            self._add(deal)

    def play(self, workers: Workers, report: Callable[[Deal], None] | None = None, keep_records: bool = False) -> None:
        """Plays the rest; `report` hears of every new deal.

        The same seed and players, limited by simulations, give the same deals whatever the number of workers.
        """
        tasks = (
            partial(play_deal, self.choice, self.pool, self.group, number, self.seed, keep_records)
            for number in range(len(self.deals), self.count)
        )
        with closing(workers.ordered(tasks)) as coming:
            while not self.finished:
                deal = next(coming)
                self._add(deal)
                if report:
                    report(deal)

    def _add(self, deal: Deal) -> None:
        self.deals.append(deal)
        if self.test:
            self.test.add(deal.shares[0])

    def to_dict(self) -> dict[str, Any]:
        """How it stands, as `garden-ai match --json` prints it; docs/matches.md tells what everything means."""
        result = summary(self.deals) if self.deals else None
        seats = []
        for i, (name, player) in enumerate(self.pool.items()):
            seat = {"player": name, **asdict(player), "seats": self.group.count(i)}
            known = len(self.deals) > 1
            seat |= {
                "first_share": round(result.wins[i], 5) if result else None,
                "first_interval": [round(end, 5) for end in result.intervals[i]] if result else None,
                "score": round(result.scores[i], 4) if result else None,
                "score_interval": [round(end, 4) for end in result.score_intervals[i]] if result and known else None,
            }
            seats.append(seat)
        return {
            "game": self.choice.name,
            "players": self.choice.players,
            "options": dict(self.choice.options),
            "seed": self.seed,
            "deals": len(self.deals),
            "games": result.games if result else 0,
            "seats": seats,
            "sprt": self.test.to_dict() if self.test else None,
        }
