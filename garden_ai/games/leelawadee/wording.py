"""What the components of a Leelawadee score are called in a sentence."""

from __future__ import annotations

from garden_core.state import Game

OTHERS = {
    "five-colour": "the five-colour butterfly",
    "bumblebee": "the bumblebee",
    "missing colours": "missing colours",
    "bid": "the bid",
    "earlier rounds": "earlier rounds",
}


def phrase(game: Game, component: str) -> str:
    """`red` -> `the red butterfly`."""
    return OTHERS.get(component) or f"the {component} butterfly"
