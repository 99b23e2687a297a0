"""Under the Leaves outside its rules: components, notation, picture, words and the form of its positions."""

from __future__ import annotations

from pathlib import Path

from garden_core.games.under_the_leaves import check_components, load

from garden_ai.games.definition import GameDefinition, Option
from garden_ai.games.under_the_leaves.notation import UnderTheLeavesNotation
from garden_ai.games.under_the_leaves.picture import picture
from garden_ai.games.under_the_leaves.schema import EXAMPLE, state_schema
from garden_ai.games.under_the_leaves.wording import events, phrase

DEFINITION = GameDefinition(
    name="under_the_leaves",
    title="Under the Leaves",
    summary="lay tiles of four cells; areas of a colour bring bees, bees bring hummingbirds, patterns bring dwellers",
    players=(2, 3, 4),
    options=(
        Option(
            "leaf",
            "random",
            "the card of the leaf dwellers",
            choices=("random", "thoughtful", "restless", "flirty", "runner"),
        ),
        Option(
            "puddle",
            "random",
            "the card of the puddle dwellers",
            choices=("random", "diver", "skipper", "friendly", "shy"),
        ),
        Option(
            "mushroom",
            "random",
            "the card of the mushroom dwellers",
            choices=("random", "host", "explorer", "collector", "loner"),
        ),
        Option("first", "random", "who begins", choices=("random", 0, 1, 2, 3)),
        Option("allow_flip", True, "tiles may be laid with their mirrored backs up", choices=(True, False)),
        Option("majority_of_none", False, "a family of which nobody has a dweller is a majority of all", choices=(False, True)),
    ),
    components_file=Path(__file__).with_name("components.toml"),
    levels_file=Path(__file__).with_name("levels.json"),
    load=load,
    check_components=check_components,
    notation=UnderTheLeavesNotation(),
    picture=picture,
    phrases=phrase,
    events=events,
    state_schema=state_schema,
    example=EXAMPLE,
    turn=lambda game, view: view["turn"],
    # With hundreds of moves and fifty tiles to come, priors and widening; the fitted promise beats a playout to the end.
    tuned={
        2: {"mcts": {"widening": 3.0, "constant": 0.3, "cutoff": 10}},
        3: {"mcts": {"widening": 3.0, "constant": 0.3, "cutoff": 12}},
        4: {"mcts": {"widening": 3.0, "constant": 0.3, "cutoff": 16}},
    },
)
