"""Ladybird outside its rules: components, notation, picture, words and the form of its positions."""

from __future__ import annotations

from pathlib import Path

from garden_core.games.ladybird import check_components, load

from garden_ai.games.definition import GameDefinition, Option
from garden_ai.games.ladybird.notation import LadybirdNotation
from garden_ai.games.ladybird.picture import picture
from garden_ai.games.ladybird.schema import EXAMPLE, state_schema
from garden_ai.games.ladybird.wording import events, phrase

# docs/search.md tells the matches. Alone, utilities lie closer together.
TUNED = {"constant": 0.6, "cutoff": 30, "selection": "puct-only", "public_share": 0.25}

DEFINITION = GameDefinition(
    name="ladybird",
    title="Ladybird",
    summary="lay ladybirds in columns of five colours, complete life cycles and rows, feed them, and gather memories",
    players=(1, 2, 3, 4),
    options=(
        Option("first", "random", "who has the Sticky Leaf in the first round", choices=("random", 0, 1, 2, 3)),
        Option("life_cycle_regain", False, "a life cycle card that was lost can be won again", choices=(False, True)),
    ),
    components_file=Path(__file__).with_name("components.toml"),
    levels_file=Path(__file__).with_name("levels.json"),
    load=load,
    check_components=check_components,
    notation=LadybirdNotation(),
    picture=picture,
    phrases=phrase,
    events=events,
    state_schema=state_schema,
    example=EXAMPLE,
    tuned={players: {"mcts": TUNED | ({"constant": 0.06} if players == 1 else {})} for players in range(1, 5)},
)
