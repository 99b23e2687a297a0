"""Files that keep work as it is done: JSON lines, a header that says what was asked for, then a line a piece of work, in order.

Work that was stopped goes on from its file. Half a line at the end, as a killed process leaves it, counts as none.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO, Any, ClassVar, Generic, Self, TypeVar

import msgspec
from garden_core.fields import FieldError

H = TypeVar("H")
R = TypeVar("R")


class KeptFile(Generic[H, R]):
    """A file that is open for one process; `rows` are the pieces of work that were there.

    Who derives from it says what the lines are, in types and in words, and checks them.
    """

    header_type: ClassVar[type]
    row_type: ClassVar[type]
    header_words: ClassVar[str]
    row_words: ClassVar[str]
    file_words: ClassVar[str]
    work: ClassVar[str]   # whose file it is: match, measurement

    def __init__(self, path: Path, header: H) -> None:
        """Opens a file, or begins it. Raises `FieldError` where it holds something else or another process writes there."""
        self.path = path
        self.rows: list[R] = []
        if path.exists() and not path.is_file():
            raise FieldError(str(path), f"expected a new file or a {self.file_words}")
        try:
            self._file: IO[bytes] = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        except OSError as error:
            raise FieldError(str(path), f"cannot be opened: {error.strerror or error}") from None
        try:
            self._begin(header)
        except BaseException:
            self._file.close()
            raise

    def check_header(self, place: str, found: H, expected: H) -> None:
        """Raises `FieldError` where the file is of other work, which would be mixed with this."""
        raise NotImplementedError

    def check_row(self, place: str, row: R, number: int, header: H) -> None:
        """Raises `FieldError` where a row cannot be number `number` of that work."""
        raise NotImplementedError

    def _begin(self, header: H) -> None:
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
            raise FieldError(str(self.path), f"expected a file of its own; another {self.work} is writing there") from None
        except OSError:  # a file system without locks
            return

    def _read(self, lines: list[bytes], header: H) -> None:
        for number, line in enumerate(lines):
            place = f"{self.path}:{number + 1}"
            try:
                found: Any = msgspec.json.decode(line, type=self.row_type if number else self.header_type)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                expected = self.row_words if number else self.header_words
                raise FieldError(place, f"expected {expected}; {error}") from None
            if number:
                self.check_row(place, found, number - 1, header)
                self.rows.append(found)
            else:
                self.check_header(place, found, header)

    def add(self, row: R) -> None:
        """Writes a piece of work, so that it is there whatever happens next. Raises `FieldError` where there is no room."""
        self._write(row)

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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
