"""Results files: JSON lines, a header that says what was played, then a line a deal. A match that was stopped goes on from its
file: deals stand in their order, and half a line at the end, as a killed process leaves it, counts as none.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import msgspec
from garden_core.fields import FieldError

from garden_ai import __version__
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


class ResultsFile:
    """The deals of a match or ladder, kept in a file as they are played; `deals` are those that were there."""

    def __init__(self, path: Path, header: Header) -> None:
        """Opens a file, or begins it. Raises `FieldError` where it holds something else or another match writes there."""
        self.path = path
        self.deals: list[Deal] = []
        if path.exists() and not path.is_file():
            raise FieldError(str(path), "expected a new file or a results file")
        try:
            self._file: IO[bytes] = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        except OSError as error:
            raise FieldError(str(path), f"cannot be opened: {error.strerror or error}") from None
        try:
            self._begin(header)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, header: Header) -> None:
        self._lock()
        content = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        if content:
            self._read(whole.splitlines() if whole else [content], header)
        self._file.seek(len(whole))
        self._file.truncate()
        if not content:
            self._write(header)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FieldError(str(self.path), "expected a file of its own; another match is writing there") from None
        except OSError:  # a file system without locks
            return

    def _read(self, lines: list[bytes], expected: Header) -> None:
        for number, line in enumerate(lines, 1):
            place = f"{self.path}:{number}"
            try:
                if number == 1:
                    _check_header(place, msgspec.json.decode(line, type=Header), expected)
                else:
                    self.deals.append(_checked(place, msgspec.json.decode(line, type=Deal), expected, number - 2))
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                what = "the header of a results file" if number == 1 else "a deal"
                raise FieldError(place, f"expected {what}; {error}") from None

    def add(self, deal: Deal) -> None:
        """Writes a deal, so that it is there whatever happens next."""
        self._write(replace(deal, records=()))

    def _write(self, line: object) -> None:
        try:
            self._file.write(msgspec.json.encode(line) + b"\n")
            self._file.flush()
        except OSError as error:
            raise FieldError(str(self.path), f"cannot be written: {error.strerror or error}") from None

    def close(self) -> None:
        """Makes sure that everything is on the disk. Raises `FieldError` where there is no room."""
        try:
            with self._file:
                self._file.flush()
                os.fsync(self._file.fileno())
        except OSError as error:
            raise FieldError(str(self.path), f"cannot be written: {error.strerror or error}") from None

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _check_header(place: str, found: Header, expected: Header) -> None:
    """Raises `FieldError` where a file holds another match: its deals would be mixed with other ones."""
    here, wanted = (msgspec.to_builtins(replace(header, made_by="")) for header in (found, expected))
    _check_same(place, here, wanted)


def _check_same(path: str, found: object, expected: object) -> None:
    if isinstance(found, dict) and isinstance(expected, dict) and list(found) == list(expected):
        for key, value in expected.items():
            _check_same(f"{path}.{key}", found[key], value)
    elif found != expected:
        here, wanted = (list(value) if isinstance(value, dict) else value for value in (found, expected))
        raise FieldError(path, f"expected the match that is asked for, {wanted}; got {here}")


def _checked(place: str, deal: Deal, header: Header, number: int) -> Deal:
    """A deal as it can be in that match. Raises `FieldError`."""
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
    return deal
