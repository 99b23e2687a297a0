"""Corrected odds: what a search's count of first places must be turned into so that it says how often they really come.

A game's `levels.json` has, under `odds`, a row for each number of players that was measured: `garden_ai.arena.calibration` tells
how. A row speaks for one engine with one set of settings, options and components, thinking at least as long as the shortest
search that was measured; whatever else states a chance is left as it is and remains an estimate.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from typing import Any

from garden_core.state import Game

from garden_ai.games import definition

AT_RANDOM = "random"  # an option that was drawn anew for each game speaks for every value


@dataclass(frozen=True)
class Correction:
    """Logistic calibration (Platt 1999) around an equal share, 1/n of n players.

    logit(p') = logit(1/n) + offset - optimism / sqrt(simulations / 1000) + slope (logit(p) - logit(1/n)), a rising function that
    keeps 0 and 1. A slope above 1 makes a search surer that leaves more open than good players do; `optimism` is that of
    choosing the best of uncertain moves, which fades as their means settle.
    """

    offset: float = 0.0
    slope: float = 1.0
    optimism: float = 0.0

    def __call__(self, chance: float, players: int, simulations: int) -> float:
        """The corrected chance of finishing first among so many players, as stated by a search of so many simulations."""
        if not 0 < chance < 1 or self == IDENTITY:
            return chance
        equal = logit(1 / players)
        distance = self.slope * (logit(chance) - equal)
        return 1 / (1 + math.exp(-(equal + self.offset - self.optimism * haste(simulations) + distance)))


IDENTITY = Correction()


@dataclass(frozen=True)
class Odds:
    """What was measured: whose odds (an engine with those of its settings that are no defaults) and their correction."""

    engine: str
    settings: dict[str, Any]
    options: dict[str, Any]
    components: str     # the digest of what the game was loaded with
    simulations: int    # of the shortest search
    correction: Correction


def haste(simulations: int) -> float:
    """How uncertain a search still is: 1 after a thousand simulations, half of it after four times as many."""
    return math.sqrt(1000 / simulations)


def logit(chance: float) -> float:
    """The logarithm of the odds, for a chance strictly between 0 and 1."""
    return math.log(chance / (1 - chance))


@cache
def measured_odds(game: str) -> dict[int, Odds]:
    """The odds of a game that were measured, by number of players."""
    file = definition(game).levels_file
    if file is None:
        return {}
    rows = json.loads(file.read_text(encoding="utf-8")).get("odds", [])
    return {
        row["players"]: Odds(
            row["engine"], row["settings"], row["options"], row["components"], row["simulations"],
            Correction(row["offset"], row["slope"], row["optimism"]),
        )
        for row in rows
    }


def correction_for(game: Game, engine: str, settings: dict[str, Any], simulations: int) -> Correction | None:
    """The correction of what a search states; None where its odds were not measured.

    `settings` are those that differ from the engine's defaults.
    """
    odds = measured_odds(game.name).get(game.players)
    if odds is None or simulations < odds.simulations:
        return None
    same_game = odds.components == game.digest and all(
        odds.options.get(name) in (value, AT_RANDOM) for name, value in game.options.items()
    )
    return odds.correction if same_game and (odds.engine, odds.settings) == (engine, settings) else None
