"""Flowerpower outside its rules: components, notation, picture, words and the form of its positions."""

from __future__ import annotations

from pathlib import Path

from garden_core.games.flowerpower import check_components, load

from garden_ai.games.definition import GameDefinition, Option
from garden_ai.games.flowerpower.notation import FlowerpowerNotation
from garden_ai.games.flowerpower.picture import picture
from garden_ai.games.flowerpower.schema import EXAMPLE, state_schema
from garden_ai.games.flowerpower.wording import events, phrase

DEFINITION = GameDefinition(
    name="flowerpower",
    title="Flowerpower",
    summary="lay tiles of two flowers; large beds of a variety score, also through the green strip between the two sides",
    players=(1, 2),
    options=(
        Option("first", "random", "who begins", choices=("random", 0, 1)),
        Option(
            "tiles",
            "designed",
            "the set of tiles: as designed, or with the misprint of the 2001 edition",
            choices=("designed", "misprint2001"),
        ),
        Option(
            "weeds",
            "hidden",
            "what a weed hides: seen by its owner alone, open to all, or no weeds at all",
            choices=("hidden", "open", "none"),
        ),
        Option(
            "weed_counts_as_legal",
            True,
            "a player with room for nothing but a weed must lay one",
            choices=(True, False),
        ),
    ),
    components_file=Path(__file__).with_name("components.toml"),
    levels_file=Path(__file__).with_name("levels.json"),
    load=load,
    check_components=check_components,
    notation=FlowerpowerNotation(),
    picture=picture,
    phrases=phrase,
    events=events,
    state_schema=state_schema,
    example=EXAMPLE,
    turn=lambda game, view: view["bag"],
    # With hundreds of moves and 55 tiles to come, priors and widening; what is hidden is little, so private deals only.
    tuned={
        1: {"mcts": {"widening": 3.0, "constant": 0.2}},
        2: {"mcts": {"widening": 3.0, "widening_power": 0.25, "constant": 0.2, "public_share": 0.0}},
    },
)
