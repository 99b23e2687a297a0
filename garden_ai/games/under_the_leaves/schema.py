"""The form of an Under the Leaves position: JSON Schema of its `state`, and an example as a person types it."""

from __future__ import annotations

from typing import Any

PHASES = ("cards", "starts", "first", "draw", "place", "choose", "over")
CARDS = {
    "leaf": ("thoughtful", "restless", "flirty", "runner"),
    "puddle": ("diver", "skipper", "friendly", "shy"),
    "mushroom": ("host", "explorer", "collector", "loner"),
}
PLAYERS = 4
# What a component file may have at most.
TURNS = 12
MARKET = 4
TILES = 64
SIDE = 2 * (TURNS + 1)  # cells of a garden in one line

SPOT = "[A-Ya-y]([1-9]|1[0-9]|2[0-5])"
CELL = f"{SPOT}([Nn]|[Ss])([Ww]|[Ee])"

# Each has laid five tiles. K*OPP on m14 can bring player 0 five figures at once: it makes a second purple area (a bee for
# each of the two) and a square of four orange cells (a leaf dweller), and as all of its cells are then in such areas it holds
# a hummingbird, and l14 between two others a second one.
EXAMPLE: dict[str, Any] = {
    "format": "garden-ai position",
    "version": 1,
    "game": "under_the_leaves",
    "players": 2,
    "to_move": 0,
    "state": {
        "cards": {"leaf": "thoughtful", "puddle": "diver", "mushroom": "host"},
        "market": ["O*YKK", "K*GYY", "K*OPP"],
        "gardens": [
            {
                "corner": "k12",
                "rows": [
                    ". . G*O . .",
                    ". . K K . .",
                    "P P P*K ~ Y",
                    "G ~ O O O P*",
                    "G ~ ~ O . .",
                    "G K K K . .",
                ],
                "bees": {"l12sw": 2, "k13nw": 1, "k13sw": 1, "l13sw": 1, "k14se": 1},
                "puddle": ["k13se"],
            },
            {
                "corner": "j12",
                "rows": [
                    "~ P P P K G . .",
                    "G G G O*O*G . .",
                    ". . G O O*G ~ O",
                    ". . G ~ Y Y Y K*",
                ],
                "bees": {"j12ne": 1, "l12ne": 2, "j12sw": 1, "k12se": 1, "l13sw": 1},
                "leaf": ["k12se"],
                "mushroom": ["k12se"],
            },
        ],
    },
}


def state_schema() -> dict[str, Any]:
    """JSON Schema of the fields that docs/games/under_the_leaves.md explains."""
    seat = {"type": "integer", "minimum": 0, "maximum": PLAYERS - 1}
    return {
        "type": "object",
        "properties": {
            "phase": {"enum": list(PHASES), "description": "follows from the rest"},
            "turn": {
                **seat,
                "type": ["integer", "null"],
                "description": "whose turn it is, or is next where a tile is yet to be drawn; follows from the rest",
            },
            "cards": {
                "type": "object",
                "properties": {family: {"enum": list(names)} for family, names in CARDS.items()},
                "required": list(CARDS),
                "additionalProperties": False,
                "description": "the card of each family; left out before they are drawn",
            },
            "market": {
                "type": "array",
                "maxItems": MARKET,
                "items": {"type": "string", "pattern": r"^([A-Za-z~]\*?){4}$"},
                "description": "tiles to choose from, four cells each: G*OKK",
            },
            "bag": {"type": "integer", "minimum": 0, "maximum": TILES, "description": "tiles to come; follows from the rest"},
            "gardens": {"type": "array", "maxItems": PLAYERS, "items": _garden()},
            "last": {
                "type": "string",
                "pattern": f"^{SPOT}$",
                "description": "in phase choose: where the tile lies that was just laid",
            },
            "first": {**seat, "description": "who began; follows from the rest where players have laid differently many tiles"},
        },
        "required": ["gardens"],
        "additionalProperties": False,
    }


def _garden() -> dict[str, Any]:
    """The schema of one garden."""
    cells = {"type": "array", "items": {"type": "string", "pattern": f"^{CELL}$"}}
    return {
        "type": "object",
        "properties": {
            "corner": {"type": "string", "pattern": f"^{SPOT}$", "description": "the spot at the upper left of rows, like l12"},
            "rows": {
                "type": "array",
                "minItems": 2,
                "maxItems": SIDE,
                "items": {"type": "string", "pattern": r"^[A-Za-z~*. ]*$"},
                "description": "rows of cells: a colour's letter, '*' after it for a mushroom, '~' a puddle, '.' no tile",
            },
            "bees": {
                "type": "object",
                "propertyNames": {"pattern": f"^{CELL}$"},
                "additionalProperties": {"type": "integer", "minimum": 1},
                "description": "bees of each area, by one of its cells",
            },
            "hummingbirds": {
                "type": "object",
                "propertyNames": {"pattern": f"^{SPOT}$"},
                "additionalProperties": {"type": "integer", "minimum": 1, "maximum": 3},
                "description": "hummingbirds of each tile, by its spot; follows from the board",
            },
            "leaf": {**cells, "description": "leaf dwellers: the first cell of a square, or a cell of an area"},
            "puddle": {**cells, "description": "puddle dwellers: the cell they are on, or one of a connected puddle"},
            "mushroom": {**cells, "description": "mushroom dwellers: the cell they are on, or one of an area"},
        },
        "required": ["corner", "rows"],
        "additionalProperties": False,
    }
