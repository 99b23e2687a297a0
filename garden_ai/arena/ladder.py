"""A ladder: a pool of players who meet in deals of the pairs, or groups, from which most is learnt, and their ratings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from garden_ai.arena.match import Deal, GameChoice, play_deal
from garden_ai.arena.ratings import informative_groups
from garden_ai.arena.workers import Workers
from garden_ai.players import Player, levels

BATCH = 24  # deals that are chosen together, from all those before: what is played does not depend on who is ready first
ALONE = 2   # players of a group where the game is played alone
ALWAYS = ("random", "greedy", "halving")
ANCHOR = "greedy"


def usual_pool(game: str, usual: Player) -> dict[str, Player]:
    """The engines that are always in a ladder, thinking as `usual` does, and the levels of a game."""
    engines = {name: Player(name, usual.seconds, usual.simulations, usual.threads) for name in ALWAYS}
    return engines | levels(game)


def play_ladder(
    choice: GameChoice, pool: Mapping[str, Player], count: int, seed: int, workers: Workers, known: Sequence[Deal] = (),
    report: Callable[[Deal], None] | None = None,
) -> list[Deal]:
    """Plays until there are `count` deals, those `known` the first of them; `report` hears of each new one.

    The same seed and pool, limited by simulations, give the same deals whatever the number of workers.
    """
    deals = list(known[:count])
    size = ALONE if choice.players == 1 else choice.players
    games = 1 if choice.players == 1 else size
    while len(deals) < count:
        begun = len(deals) - len(deals) % BATCH
        groups = informative_groups(len(pool), deals[:begun], size, BATCH, games)[len(deals) - begun : count - begun]
        tasks = [partial(play_deal, choice, pool, group, number, seed) for number, group in enumerate(groups, len(deals))]
        for deal in workers.ordered(tasks):
            deals.append(deal)
            if report:
                report(deal)
    return deals
