"""Results files, from which a match or ladder that was stopped goes on: a header that says what is played, then a line a deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from garden_core.fields import FieldError

from garden_ai import __version__
from garden_ai.arena.kept import KeptFile
from garden_ai.arena.match import Deal, GameChoice
from garden_ai.players import Player

FORMAT = "garden-ai results"
VERSION = 1


@dataclass(frozen=True)
class Header:
    """The first line: everything that decides what is played."""

    game: str
    players: int
    options: dict[str, Any]
    components: str   # the digest of what the game was loaded with
    pool: dict[str, Player]
    group: tuple[int, ...]   # who meets in a match; empty in a ladder, where every deal has its own
    seed: int
    format: str = FORMAT
    version: int = VERSION
    made_by: str = f"garden-ai {__version__}"


def header_of(choice: GameChoice, pool: Mapping[str, Player], group: tuple[int, ...], seed: int) -> Header:
    """The header of a match or ladder."""
    game = choice.load()
    return Header(choice.name, choice.players, dict(game.options), game.digest, dict(pool), group, seed)


class ResultsFile(KeptFile[Header, Deal]):
    """The deals of a match or ladder, kept in a file as they are played."""

    header_type = Header
    row_type = Deal
    header_words = "the header of a results file"
    row_words = "a deal"
    file_words = "results file"
    work = "match"

    @property
    def deals(self) -> list[Deal]:
        """Those that were there."""
        return self.rows

    def check_header(self, place: str, found: Header, expected: Header) -> None:
        """Raises `FieldError` where a file holds another match: its deals would be mixed with other ones."""
        here, wanted = (msgspec.to_builtins(replace(header, made_by="")) for header in (found, expected))
        if list(found.pool) != list(expected.pool):  # deals name players by their place
            raise FieldError(f"{place}.pool", f"expected the players that are asked for in their order, {list(expected.pool)}; "
                             f"got {list(found.pool)}")
        _check_same(place, here, wanted)

    def check_row(self, place: str, row: Deal, number: int, header: Header) -> None:
        """Raises `FieldError` where a deal cannot be that one of the match."""
        _check_deal(place, row, header, number)

    def add(self, row: Deal) -> None:
        """Writes a deal, so that it is there whatever happens next; its records have files of their own."""
        super().add(replace(row, records=()))


def _check_same(path: str, found: object, expected: object) -> None:
    if isinstance(found, dict) and isinstance(expected, dict) and found.keys() == expected.keys():
        for key, value in expected.items():
            _check_same(f"{path}.{key}", found[key], value)
    elif found != expected:
        here, wanted = (list(value) if isinstance(value, dict) else value for value in (found, expected))
        raise FieldError(path, f"expected the match that is asked for, {wanted}; got {here}")


def _check_deal(place: str, deal: Deal, header: Header, number: int) -> None:
    """Raises `FieldError` where a deal cannot be that one of the match."""
    if deal.number != number:
        raise FieldError(f"{place}.number", f"expected {number}, since deals stand in their order; got {deal.number}")
    if header.group and deal.group != header.group:
        raise FieldError(f"{place}.group", f"expected {list(header.group)}; got {list(deal.group)}")
    n = len(deal.group)
    if header.players > 1 and n != header.players:
        raise FieldError(f"{place}.group", f"expected {header.players} members, one a player; got {n}")
    if not deal.group or not all(0 <= member < len(header.pool) for member in deal.group):
        raise FieldError(f"{place}.group", f"expected places in the pool, 0..{len(header.pool) - 1}; got {list(deal.group)}")
    if len(deal.games) != (1 if header.players == 1 else n):
        raise FieldError(f"{place}.games", f"expected {1 if header.players == 1 else n}; got {len(deal.games)}")
    for i, game in enumerate(deal.games):
        if len(game.placing) != n or len(game.scores) != n:
            raise FieldError(f"{place}.games[{i}]", f"expected places and points of {n} players")
        if any(1 + sum(other < own for other in game.placing) != own for own in game.placing):
            raise FieldError(f"{place}.games[{i}].placing", f"expected places, shared by those who tie; got {list(game.placing)}")
