"""Text that people give or take: reading files and standard input, JSON with the place of every mistake, writing.

For positions and records; nothing here knows their form. Every mistake is a `FieldError` of one line.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from garden_core.fields import FieldError

STANDARD_INPUT = "-"
# Far beyond any real position or record, small enough that a wrong file (or an endless one) is answered at once.
MAX_BYTES = 4_000_000
MAX_DEPTH = 40
MAX_DIGITS = 600
LINE_WIDTH = 100


def name_of(source: str | Path) -> str:
    """What a source of text is called in a message."""
    return "standard input" if str(source) == STANDARD_INPUT else str(source)


def read_text(source: str | Path) -> str:
    """The text of a file, or of standard input for `-`. Raises `FieldError` where it cannot be read or is no text."""
    name = name_of(source)
    try:
        raw = _standard_input() if str(source) == STANDARD_INPUT else _read_bytes(Path(source))
    except (OSError, ValueError) as error:
        raise FieldError(name, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(raw) > MAX_BYTES:
        raise FieldError(name, f"expected at most {MAX_BYTES} bytes; this is more")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FieldError(name, f"is not UTF-8 text (byte {error.start})") from None


def _read_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise OSError("it is closed")
    return sys.stdin.buffer.read(MAX_BYTES + 1)


def check_place(flag: str, path: Path) -> None:
    """Raises `FieldError` where no file can be at the end of long work, so that it is known before it."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise FieldError(flag, f"expected a file in a folder that is there; got {str(path)!r}")


def make_folder(flag: str, path: Path) -> None:
    """Makes a folder that is to be written to, if it is not there. Raises `FieldError` where that is not possible."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FieldError(flag, f"expected a folder; {path}: {error.strerror or error}") from None


def write_text(path: str | Path, text: str) -> None:
    """Writes a file. Raises `FieldError` where that is not possible.

    What the file held and holds again is there at every moment, so that a process that is killed loses none of it.
    """
    try:
        content = text.encode("utf-8")
        with open(path, "wb", opener=_open_uncut) as file:
            file.write(content)
            file.flush()
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                file.truncate()
    except (OSError, ValueError) as error:
        raise FieldError(str(path), f"cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _open_uncut(path: str, flags: int) -> int:
    return os.open(path, flags & ~os.O_TRUNC, 0o666)


class _Repeated(dict[str, Any]):
    """An object in which a key stands twice; JSON readers would silently drop one of the two."""

    key: str = ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    repeated = _Repeated(found)
    names = [name for name, _ in pairs]
    repeated.key = next(name for name in names if names.count(name) > 1)
    return repeated


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON value")


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise FieldError("", f"expected numbers of at most {MAX_DIGITS} digits; got one of {len(digits.lstrip('-'))}")
    return int(digits)


def parse_json(text: str, name: str, line: int | None = None) -> Any:
    """The value of a JSON text that is called `name`, or is one line of it.

    Raises `FieldError`: syntax errors with line and column, keys that stand twice with their path.
    """
    here = name if line is None else f"{name}:{line}"
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_int=_integer, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        place = f"{name}:{(line or 1) + error.lineno - 1}:{error.colno}"
        raise FieldError(place, f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}") from None
    except RecursionError:
        raise FieldError(
            here, f"expected at most {MAX_DEPTH} levels of lists and objects; this is nested deeper"
        ) from None
    except FieldError as error:
        raise FieldError(here, error.expected) from None
    except ValueError as error:
        # NaN and its like
        raise FieldError(here, f"not JSON: {error}") from None
    for path, depth, part in _walk(value):
        if depth > MAX_DEPTH:
            raise FieldError(here, f"expected at most {MAX_DEPTH} levels of lists and objects; this is nested deeper")
        if isinstance(part, _Repeated):
            twice = FieldError(f"{path}.{part.key}" if path else part.key, "stands twice in one object; expected once")
            raise twice if line is None else FieldError(here, str(twice))
    return value


def _walk(value: Any) -> Iterator[tuple[str, int, Any]]:
    """Every list and object inside a value with its path and depth, without recursion."""
    stack = [("", 0, value)]
    while stack:
        path, depth, part = stack.pop()
        if not isinstance(part, (dict, list)):
            continue
        yield path, depth, part
        if isinstance(part, dict):
            stack.extend((f"{path}.{key}" if path else key, depth + 1, inner) for key, inner in part.items())
        else:
            stack.extend((f"{path}[{i}]", depth + 1, inner) for i, inner in enumerate(part))


def json_text(value: Any, indent: str = "") -> str:
    """JSON for people: whatever fits stays on one line, so that boards and lists read as such."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= LINE_WIDTH and not (indent == "" and isinstance(value, dict)):
        return line
    inner = indent + "  "
    if isinstance(value, dict) and value:
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {json_text(part, inner)}" for key, part in value.items()]
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}}}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(inner + json_text(part, inner) for part in value) + f"\n{indent}]"
    return line
