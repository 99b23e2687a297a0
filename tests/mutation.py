"""Written positions with a few places changed, for property tests."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from battery import plain, play_on
from garden_core.fields import FieldError
from garden_core.state import Game, State
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from garden_ai import ALL, PUBLIC

Case = tuple[Game, Any]


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything inside plain data."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(found for key, value in inner for found in places(value, (*path, key)))]


def changed(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy with another value at a place; `...` takes it out."""
    if not path:
        return value
    copy = dict(data) if isinstance(data, dict) else list(data)
    if value is ... and len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = changed(data[path[0]], path[1:], value)
    return copy


@st.composite
def mutated(
    draw: st.DrawFn, positions: Callable[[], Sequence[Case]], values: Sequence[Any], characters: str, names: Sequence[str]
) -> Case:
    """A position with one to three places changed: characters, numbers, entries renamed or repeated, or any of the values."""
    game, fields = draw(st.sampled_from(positions()))
    fields = json.loads(json.dumps(fields))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(places(fields)[1:] or [()]))
        old = fields
        for key in path:
            old = old[key]
        if isinstance(old, str) and old and draw(st.booleans()):
            at = draw(st.integers(0, len(old) - 1))
            value = old[:at] + draw(st.sampled_from(characters)) + old[at + 1:]
        elif isinstance(old, int) and draw(st.booleans()):
            value = int(old) + draw(st.sampled_from([-1, 1]))
        elif isinstance(old, dict) and old and draw(st.booleans()):
            value = dict(old)
            value[draw(st.sampled_from(names))] = value.pop(draw(st.sampled_from(sorted(old))))
        elif isinstance(old, list) and old and draw(st.booleans()):
            value = [*old, draw(st.sampled_from(old))]
        else:
            value = draw(st.sampled_from(values) | st.just(...))
        fields = changed(fields, path, value)
        if not isinstance(fields, (dict, list)) or not fields:
            break
    return game, fields


def searching(examples: int) -> settings:
    """Settings of a property test over such cases: the same ones every time."""
    return settings(max_examples=examples, deadline=None, derandomize=True, suppress_health_check=[
        HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.large_base_example])


def check_refused_or_sound(case: Case, assert_sound: Callable[[Game, State], None]) -> None:
    """A changed position is refused in one line, or it is a state like any other."""
    game, fields = case
    refused = ""
    try:
        state = game.build(fields)
    except FieldError as error:
        refused = str(error)
    else:
        assert_sound(game, state)
    assert "\n" not in refused


def assert_sound(game: Game, state: State, assert_in_order: Callable[[Game, State], None]) -> None:
    """A state like any other: it can be written and read again, by every observer, and it plays to its end."""
    assert_in_order(game, state)
    for observer in (ALL, PUBLIC, *range(game.players)):
        view = state.view(observer)
        again = game.build(view)
        assert plain(again.view(observer)) == plain(view)
        assert again.key(observer) == state.key(observer)
        if observer != ALL:
            assert plain(state.redeal(observer, 1).view(observer)) == plain(view)
    assert game.build(state.view(ALL)) == state
    play_on(state, random.Random(1))
    assert_in_order(game, state)


def refusal(game: Game, fields: Any) -> FieldError:
    """What is said of fields that are no position."""
    with pytest.raises(FieldError) as error:
        game.build(fields)
    assert error.value.expected
    assert "\n" not in str(error.value)
    return error.value
