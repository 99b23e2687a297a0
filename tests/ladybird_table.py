"""Positions of Ladybird in a few words, and steps from one to the next, for its tests.

Player 0 has the turn, on the morning of the fifth day unless a round is named, so that no garden tile has been used. What lies
there is out of the way: tiles nobody can pay, a pool with all states but no row or column about to be cleared.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from garden_core.games.ladybird import load as load_game
from garden_core.state import Game, State
from reference.ladybird import COLOURS as LETTERS
from reference.ladybird import TILES, Feeding, components_of
from spelt import do, seen

import garden_ai
from garden_ai.games.ladybird.schema import EXAMPLE
from garden_ai.position import state_of

POOL = ("OES OLS OPS", "OAS GES GLS", "GPS GAS PES")
DEAR = ("S2:3", "D2:3", "O2:3", "Y2:3", "S3:5", "D3:5", "O3:5", "Y3:5")
ORCHARD = ("red", "blue", "purple")
HAND = ("RED", "BLD", "OPD", "GAD")
OTHERS = (("PAY", "PEY", "PLY", "PPY"), ("GAY", "GEY", "GLY", "GPY"), ("OAY", "OEY", "OLY", "OPY"))
COLOURS = {letter: colour for colour, letter in LETTERS.items()}


@cache
def load(players: int = 2, **options: Any) -> Game:
    """With the game's own components."""
    return garden_ai.load("ladybird", players, **options)


def small(
    players: int = 2,
    types: Mapping[str, Iterable[str]] | None = None,
    harlequins: int = 8,
    tiles: Iterable[Feeding] = TILES,
    orchard: Iterable[int] = (5, 5, 5, 5, 5),
    **options: Any,
) -> Game:
    """With other components: types of a colour's eggs, larvae, pupae and adults, and so on."""
    return load_game(players, options, components_of(types, harlequins, tiles, orchard))


def stacks(game: Game, tops: Sequence[str | None] = DEAR, owned: int = 0) -> list[dict[str, Any]]:
    """With these tops, and below them what is left; where a stack has no top, nothing is below."""
    left = sum(tile[-1] for tile in game.tiles) - owned - sum(top is not None for top in tops)
    most = sum(tile[-1] for tile in game.tiles) // len(tops) - 1
    found: list[dict[str, Any]] = []
    for top in tops:
        below = min(most, left) if top else 0
        left -= below
        found.append({"top": top, "below": below})
    assert left == 0
    return found


def tableau(*cards: str, **more: Any) -> dict[str, Any]:
    """The cards of its columns as texts, the top one last: "RES RLS"; a Harlequin follows a card of its column."""
    columns: dict[str, list[str]] = {}
    for text in cards:
        names = text.split()
        columns[next(COLOURS[card[0]] for card in names if card != "H")] = names
    return {"columns": columns, **more}


FOUR = tableau("RET", "BET", "OET", "GET")   # a card of each colour but purple


def position(
    game: Game | None = None,
    hand: Sequence[str] = HAND,
    mine: Mapping[str, Any] | None = None,
    its: Mapping[str, Any] | None = None,
    tops: Sequence[str | None] = DEAR,
    **more: Any,
) -> dict[str, Any]:
    """Fields of a position in which all are to reveal; player 0's hand and tableau, player 1's tableau, and what differs."""
    game = game or load()
    alone = game.players == 1
    tableaus = [dict(mine or {}), dict(its or {}), {}, {}][:game.players]
    owned = sum(len(own.get("feeding", ())) for own in tableaus)
    return {
        "round": 11, "hands": [list(hand), *map(list, OTHERS)][:game.players], "tableaus": tableaus,
        "pool": list(POOL[:2] if alone else POOL), "stacks": stacks(game, tops, owned),
        "orchard": [{"card": colour, "aphids": 2} for colour in ORCHARD[:game.orchard_slots]], **more,
    }


def at(phase: str, game: Game | None = None, hand: Sequence[str] = HAND[1:], **more: Any) -> State:
    """Player 0 is in the middle of his turn; the others have revealed their first cards and hold the rest."""
    game = game or load()
    fields = position(game, hand, **more)
    others = OTHERS[:game.players - 1]
    fields = {
        "phase": phase, "revealed": [None, *(own[0] for own in others)], **fields,
        "hands": [list(hand), *(list(own[1:]) for own in others)],
    }
    return game.build(fields)


def revealing(card: str, game: Game | None = None, **more: Any) -> State:
    """Player 0 has revealed this card, whatever it then asks for; the others have revealed their first ones."""
    game = game or load()
    hand = [card, *[other for other in HAND if other != card][:3]]
    state = game.build(position(game, **{"hand": hand, **more}))
    return do(state, ("reveal", card), *(("reveal", own[0]) for own in OTHERS[:game.players - 1]))


def example(changes: Mapping[str, Any] | None = None, without: Sequence[str] = (), **fields: Any) -> State:
    """The documented example with other fields; `changes` are those of player 1, whose turn it is."""
    state = copy.deepcopy({name: value for name, value in EXAMPLE["state"].items() if name not in without})
    state["tableaus"][1] |= changes or {}
    return state_of({**EXAMPLE, "state": {**state, **fields}})


def example_alone(**fields: Any) -> State:
    """One who plays alone, with the stacks of the example."""
    state = {
        "hands": [["BLT", "GPD", "PEV"]],
        "orchard": [{"card": "blue", "aphids": 2}, {"card": "green", "aphids": 4}],
        "stacks": [{**stack, "below": 5} for stack in EXAMPLE["state"]["stacks"]],
        **fields,
    }
    return state_of({**EXAMPLE, "players": 1, "to_move": 0, "state": state})


def own(state: State, seat: int = 0) -> dict[str, Any]:
    """A tableau."""
    return dict(seen(state)["tableaus"][seat])


def lying(view: Mapping[str, Any]) -> Counter[str]:
    """All cards but the deck's, as one sees them who sees everything."""
    found = Counter(view["discards"])
    for hand in view["hands"]:
        found.update(hand["cards"])
    for tableau_of in view["tableaus"]:
        for cards in tableau_of["columns"].values():
            found.update(cards)
    found.update(name for row in view["pool"] for name in row.split() if "-" not in name)
    if view["phase"] != "reveal":   # while cards are chosen they are in the hands still
        found.update(name for name in view.get("revealed", ()) if name is not None)
    return found


def all_cards(game: Game) -> Counter[str]:
    """How many there are of each."""
    return Counter(dict(zip(game.faces, game.copies, strict=True)))


def with_deck(state: State, *deck: str) -> State:
    """The same with a deck of only these cards: the others lie among the discards."""
    fields = seen(state)
    rest = all_cards(state.game) - lying(fields)
    assert not Counter(deck) - rest
    fields["discards"] = sorted((Counter(fields["discards"]) + rest - Counter(deck)).elements())
    return state.game.build({name: value for name, value in fields.items() if name != "deck"})
