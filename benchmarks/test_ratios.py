"""Ratios, each the median of seven alternating pairs: copies to a bare memcpy, playouts to the yardstick."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from typing import Any

import pytest
from garden_core import measure
from garden_core.state import State
from pairs import alternate
from yardstick import work_of, yardstick_of

from garden_ai import games
from garden_ai.yardstick import PAIRS, compare

Figure = Callable[[str], None]


def test_copies_to_memcpy(root: State, benchmark: Any, figure: Figure) -> None:
    """Seconds by seconds, so the smaller the better; the aim is 1.3."""
    timed = not benchmark.disabled
    count = 2_000_000 if timed else 16

    def seconds(contract: bool) -> float:
        begun = time.perf_counter()
        measure.copies(root, count, contract)
        return time.perf_counter() - begun

    result = benchmark.pedantic(
        alternate, (lambda: seconds(True), lambda: seconds(False), PAIRS if timed else 1)
    )
    if timed:
        figure(f"{root.game.state_size} bytes, {result}")


@pytest.mark.parametrize("game", games.names())
def test_playouts_to_yardstick(game: str, benchmark: Any, figure: Figure) -> None:
    """Playouts a second by playouts a second, the more the better; the aim is 2.0 for 2 players, native."""
    source = yardstick_of(game)
    if source is None or not shutil.which("cc"):
        pytest.skip("no yardstick beside the checkout, or no C compiler")
    timed = not benchmark.disabled
    work = work_of(game) if timed else work_of(game, 100, (100,))
    results = benchmark.pedantic(compare, (source, work, PAIRS if timed else 1))
    if timed:
        for name, result in results.items():
            figure(f"{name}, {result}")
