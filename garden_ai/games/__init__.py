"""The games of garden-ai: the packages in this folder, each with a `DEFINITION`, and those registered from outside."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from garden_core.fields import FieldError

from garden_ai.games.definition import GameDefinition, Notation, Option

__all__ = ["GameDefinition", "Notation", "Option", "definition", "names", "register"]

_registered: dict[str, GameDefinition] = {}


@cache
def _built_in() -> dict[str, GameDefinition]:
    packages = (
        importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__) if found.ispkg
    )
    return {package.DEFINITION.name: package.DEFINITION for package in packages}


def register(game: GameDefinition) -> None:
    """Adds a game from outside the package, or replaces one, for this process."""
    _registered[game.name] = game


def names() -> list[str]:
    """The names of all games, sorted."""
    return sorted({**_built_in(), **_registered})


def definition(name: str) -> GameDefinition:
    """The game of that name. Raises `FieldError` where there is none."""
    found = {**_built_in(), **_registered}.get(name)
    if found is None:
        raise FieldError("game", f"expected one of {', '.join(names())}; got {name!r}")
    return found
