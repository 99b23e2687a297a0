"""The Butterfly Garden outside its rules: components, notation, picture, words and the form of its positions."""

from __future__ import annotations

from pathlib import Path

from garden_core.games.butterfly_garden import check_components, load

from garden_ai.games.butterfly_garden.notation import ButterflyGardenNotation
from garden_ai.games.butterfly_garden.picture import picture
from garden_ai.games.butterfly_garden.schema import EXAMPLE, state_schema
from garden_ai.games.butterfly_garden.wording import events, phrase
from garden_ai.games.definition import GameDefinition, Option

# docs/search.md tells the matches.
TUNED = {"constant": 0.6, "cutoff": 30, "threshold": 0.5, "public_share": 0.25}

DEFINITION = GameDefinition(
    name="butterfly_garden",
    title="The Butterfly Garden",
    summary="play cards for the order of turns, capture butterflies, and deliver them from a jar of eight",
    players=(2, 3, 4, 5, 6),
    options=(
        Option("less_luck", False, "hands that the cards' letters set, not a deal", choices=(False, True)),
        Option("letters", "random", "with less_luck: which letter each player gets", choices=("random", "in_order")),
    ),
    components_file=Path(__file__).with_name("components.toml"),
    levels_file=Path(__file__).with_name("levels.json"),
    load=load,
    check_components=check_components,
    notation=ButterflyGardenNotation(),
    picture=picture,
    phrases=phrase,
    events=events,
    state_schema=state_schema,
    example=EXAMPLE,
    tuned={players: {"mcts": TUNED} for players in range(2, 7)},
)
