"""The form of a Leelawadee position: JSON Schema of its `state`, and an example as a person types it."""

from __future__ import annotations

from typing import Any

ROUNDS = 5
SPOTS = 16  # at most, in a garden and in one row of it
PHASES = ("first", "draw", "bid", "tie", "start", "plant", "over")

# The rulebook's example C, before the red flower is planted: three players, the fifth turn. Player 1 can draw the red
# butterfly and, beside his purple flower, the red-purple one away from player 2, while the five-colour one will stay.
EXAMPLE: dict[str, Any] = {
    "format": "garden-ai position",
    "version": 1,
    "game": "leelawadee",
    "players": 3,
    "to_move": 1,
    "state": {
        "table": "RB",
        "gardens": [
            {"rows": ["Y....", "....."], "new": ["Y"]},
            {"rows": [".P...", "....."]},
            {"rows": ["..RP.", "....."], "new": ["R", "P", "RP", "5"]},
        ],
    },
}


def state_schema() -> dict[str, Any]:
    """JSON Schema of the fields that docs/games/leelawadee.md explains."""
    seat = {"type": "integer", "minimum": 0, "maximum": 3}
    creatures = {
        "type": "array",
        "items": {"type": "string"},
        "uniqueItems": True,
        "description": "creatures by code or name: Y, RP, 5, bee; red, red-purple, five-colour, bumblebee",
    }
    flowers = {"type": "string", "pattern": "^[A-Za-z]*$", "description": "a letter for each flower"}
    bid = {"type": "integer", "minimum": 0, "maximum": 99}
    return {
        "type": "object",
        "properties": {
            "phase": {"enum": list(PHASES), "description": "follows from the rest"},
            "round": {"type": "integer", "minimum": 1, "maximum": ROUNDS, "description": "follows from the gardens"},
            "bag_holder": {**seat, "description": "follows from to_move and the gardens while flowers are planted"},
            "table": {**flowers, "description": "a letter for each flower on the table"},
            "bag": {
                "type": "object",
                "additionalProperties": {"type": "integer", "minimum": 0},
                "description": "flowers in the bag by letter; follows from the rest",
            },
            "coming": {
                "type": "array",
                "items": flowers,
                "maxItems": ROUNDS - 1,
                "description": "with open_draws: the draws of later rounds",
            },
            "gardens": {"type": "array", "minItems": 2, "maxItems": 4, "items": _garden_schema(creatures, bid)},
            "bids": {
                "type": "array",
                "items": {"anyOf": [bid, {"enum": [None, "hidden"]}]},
                "description": "while bids are made, one a player: null for none yet",
            },
            "history": {
                "type": "array",
                "maxItems": ROUNDS,
                "description": "the creatures of each garden as each finished round was scored",
                "items": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"new": creatures, "old": creatures},
                        "additionalProperties": False,
                    },
                },
            },
        },
        "required": ["gardens"],
        "additionalProperties": False,
    }


def _garden_schema(creatures: dict[str, Any], bid: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "rows": {
                "type": "array",
                "minItems": 1,
                "maxItems": SPOTS,
                "items": {"type": "string", "pattern": f"^[A-Za-z. ]{{0,{SPOTS}}}$"},
                "description": "rows of spots: a flower's letter, '.' for an empty spot, a space where there is none",
            },
            "new": {**creatures, "description": "butterflies that flew in during this round"},
            "old": {**creatures, "description": "the other creatures of the garden, the bumblebee among them"},
            "score": {
                "type": "integer",
                "description": "points so far; needed from round 2 on, unless history is given",
            },
            "bid": {**bid, "description": "what this player paid for naming the start player"},
        },
        "required": ["rows"],
        "additionalProperties": False,
    }
