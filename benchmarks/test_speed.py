"""Speed of each thing that searches are made of, for every game and number of players."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from garden_core import measure
from garden_core.state import State

Rate = Callable[[Callable[[int], object], int, str], None]


@pytest.mark.parametrize("policy", [False, True], ids=["random", "policy"])
def test_playouts(root: State, rate: Rate, policy: bool) -> None:
    rate(lambda count: measure.playouts(root, count, 1, policy), 20_000, "playouts")


def test_legal_moves(root: State, rate: Rate) -> None:
    rate(lambda count: measure.legal_moves(root, count), 200_000, "lists of legal moves")


def test_keys(root: State, rate: Rate) -> None:
    rate(lambda count: measure.keys(root, count, root.actor), 200_000, "keys")


def test_redeals(root: State, rate: Rate) -> None:
    rate(lambda count: measure.redeals(root, count, root.actor, 1), 200_000, "redeals")


def test_copies(root: State, rate: Rate) -> None:
    rate(lambda count: measure.copies(root, count), 1_000_000, "copies")


def test_python_copies(root: State, rate: Rate) -> None:
    rate(lambda count: [root.copy() for _ in range(count)], 10_000, "State.copy()")
