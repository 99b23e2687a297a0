"""`garden-ai new`: a starting position, drawn up to the first decision."""

from __future__ import annotations

from garden_ai.cli.arguments import ComponentsFile, GameName, Json, Options, Players, Seed, chosen_seed, load_game
from garden_ai.cli.output import print_json, print_text
from garden_ai.position import position_dict, position_text


def command(
    game: GameName,
    players: Players = None,
    option: Options = None,
    seed: Seed = None,
    components: ComponentsFile = None,
    json: Json = False,
) -> None:
    """Print a starting position."""
    state = load_game(game, players, option, components).start(chosen_seed(seed))
    if json:
        print_json(position_dict(state))
    else:
        print_text(position_text(state))
