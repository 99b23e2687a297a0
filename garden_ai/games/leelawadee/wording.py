"""Leelawadee in sentences: what the components of a score are called, and what a planting did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from garden_core.games.leelawadee import Leelawadee
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


def events(game: Game, before: Mapping[str, Any], after: Mapping[str, Any], player: int) -> tuple[str, ...]:
    """The creatures that flew to the player, and whom they left: `brings the red butterfly from player 1`."""
    was, now = _places(before), _places(after)
    assert isinstance(game, Leelawadee)
    names = dict(zip(game.codes, game.creatures, strict=True))
    by_source: dict[int | None, list[str]] = {}
    for code, place in now.items():
        if place == player and was.get(code) != player:
            by_source.setdefault(was.get(code), []).append(phrase(game, names[code]))
    return tuple(
        f"brings {' and '.join(brought)}" + ("" if source is None else f" from player {source}")
        for source, brought in sorted(by_source.items(), key=lambda item: -1 if item[0] is None else item[0])
    )


def _places(view: Mapping[str, Any]) -> dict[str, int]:
    """The garden of every creature that is in one, by its code."""
    return {
        code: player for player, garden in enumerate(view["gardens"]) for code in (*garden["new"], *garden["old"])
    }
