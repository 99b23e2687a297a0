"""Leelawadee outside its rules: components, notation, picture, words and the form of its positions."""

from __future__ import annotations

from pathlib import Path

from garden_core.games.leelawadee import check_components, load

from garden_ai.games.definition import GameDefinition, Option
from garden_ai.games.leelawadee.notation import LeelawadeeNotation
from garden_ai.games.leelawadee.picture import picture
from garden_ai.games.leelawadee.schema import EXAMPLE, state_schema
from garden_ai.games.leelawadee.wording import events, phrase

DEFINITION = GameDefinition(
    name="leelawadee",
    title="Leelawadee",
    summary="plant flowers in five rounds; connected colours attract butterflies from the other gardens",
    players=(2, 3, 4),
    options=(
        Option("first", "random", "who holds the bag first", choices=("random", 0, 1, 2, 3)),
        Option("open_draws", False, "the draws of all five rounds lie open from the start", choices=(False, True)),
        Option("bid_for_start", False, "sealed bids for naming the start player", choices=(False, True)),
        Option("bid_max", 20, "the highest bid", low=0, high=99),
        Option(
            "attract",
            "fresh-group",
            "which group attracts: the fresh flower's or a garden's best",
            choices=("fresh-group", "best-group"),
        ),
        Option("tie", "shared", "what happens to a tied first place", choices=("shared",)),
    ),
    components_file=Path(__file__).with_name("components.toml"),
    levels_file=Path(__file__).with_name("levels.json"),
    load=load,
    check_components=check_components,
    notation=LeelawadeeNotation(),
    picture=picture,
    phrases=phrase,
    events=events,
    state_schema=state_schema,
    example=EXAMPLE,
)
