"""Reading the fields of a state that somebody wrote: each check names the place and says what belongs there.

A path is written as in JSON: `state.gardens[1].rows[0]`. Games use these in `build`; nothing here knows a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


class FieldError(ValueError):
    """Something is wrong in written content; `path` names the place, `expected` says what belongs there."""

    def __init__(self, path: str, expected: str) -> None:
        super().__init__(f"{path}: {expected}" if path else expected)
        self.path = path
        self.expected = expected

    def __reduce__(self) -> tuple[type[FieldError], tuple[str, str]]:
        return FieldError, (self.path, self.expected)


def shown(value: object) -> str:
    """A value as it appears in a message, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def mapping(path: str, value: object, allowed: Iterable[str], required: Iterable[str] = ()) -> Mapping[str, Any]:
    """An object with no keys but the allowed ones and all the required ones."""
    names = list(allowed)
    if not isinstance(value, Mapping):
        raise FieldError(path, f"expected an object with {', '.join(names)}; got {shown(value)}")
    for name in value:
        if name not in names:
            raise FieldError(f"{path}.{name}" if path else str(name), f"unknown field; expected one of {', '.join(names)}")
    for name in required:
        if name not in value:
            raise FieldError(f"{path}.{name}" if path else name, "missing")
    return value


def sequence(path: str, value: object, length: int | None = None, of: str = "entries") -> Sequence[Any]:
    """A list, of the given length if one is given."""
    if not isinstance(value, (list, tuple)) or (length is not None and len(value) != length):
        count = f"{length} " if length is not None else ""
        got = f"{len(value)}" if isinstance(value, (list, tuple)) else shown(value)
        raise FieldError(path, f"expected a list of {count}{of}; got {got}")
    return value


def whole(path: str, value: object, low: int, high: int) -> int:
    """A whole number low..high."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise FieldError(path, f"expected a whole number {low}..{high}; got {shown(value)}")
    return value


def text(path: str, value: object) -> str:
    """A string."""
    if not isinstance(value, str):
        raise FieldError(path, f"expected text; got {shown(value)}")
    return value


def one_of(path: str, value: object, choices: Sequence[Any]) -> Any:
    """One of a few values. The type must agree too: true is not 1."""
    for choice in choices:
        if type(value) is type(choice) and value == choice:
            return choice
    raise FieldError(path, f"expected one of {', '.join(map(str, choices))}; got {shown(value)}")


def agrees(path: str, value: object, computed: object) -> None:
    """A field that follows from the rest may be left out (None); given, it must agree."""
    if value is not None and (type(value) is not type(computed) or value != computed):
        raise FieldError(path, f"{shown(value)} contradicts the rest; expected {shown(computed)}")


def with_defaults(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """All options of a game, in the order of the defaults; unknown ones are refused."""
    mapping("options", dict(given), defaults)
    return {**defaults, **given}


def check_names(path: str, table: Mapping[str, Any], count: int, taken: str = "") -> str:
    """The letters of a component table of `names` and `letters`, so many of each, each once; none of `taken`."""
    names = sequence(f"{path}.names", table["names"], count, "names")
    letters = sequence(f"{path}.letters", table["letters"], count, "letters")
    for i, (name, letter) in enumerate(zip(names, letters, strict=True)):
        plain = text(f"{path}.names[{i}]", name).replace("-", "")
        if not plain.isalpha() or name.lower() in [other.lower() for other in names[:i]]:
            raise FieldError(f"{path}.names[{i}]", f"expected a name of letters and hyphens, each once; got {shown(name)}")
        word = text(f"{path}.letters[{i}]", letter)
        if not (word.isascii() and word.isupper() and len(word) == 1) or word in taken or letters.index(word) != i:
            but = f" and not {taken}" if taken else ""
            raise FieldError(f"{path}.letters[{i}]", f"expected one capital letter, each once{but}; got {shown(letter)}")
    return "".join(letters)
