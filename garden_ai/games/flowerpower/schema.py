"""The form of a Flowerpower position: JSON Schema of its `state`, and an example as a person types it."""

from __future__ import annotations

from typing import Any

# What a component file may have at most.
ROWS = 16
COLUMNS = 15
WEEDS = 3
PHASES = ("first", "draw", "place", "over")

# A third of a game for two. Player 0 holds rose/sunflower: a sunflower on d7 joins his three with the four that player 1
# has begun to grow into the strip, and all eight are his. Each has laid a weed; what player 1's hides he cannot know.
EXAMPLE: dict[str, Any] = {
    "format": "garden-ai position",
    "version": 1,
    "game": "flowerpower",
    "players": 2,
    "to_move": 0,
    "state": {
        "tile": "R/S",
        "rows": [
            "..............",
            "..............",
            "P.PCA.........",
            "PPRAA.##....BF",
            ".RRS.QC...DQQF",
            "DRSS.CC...DD..",
            ".........ND...",
            "..AS..........",
            "...SP......BA.",
            "..NSSC....BBAF",
            ".NN.....QBBCFF",
            ".PNNDPQR......",
            ".....##Q......",
            "..............",
            "..............",
        ],
        "weeds": [[{"at": "f13-g13", "tile": "R/B"}], [{"at": "g4-h4", "tile": "hidden"}]],
    },
}


def state_schema() -> dict[str, Any]:
    """JSON Schema of the fields that docs/games/flowerpower.md explains."""
    tile = {
        "type": "string",
        "pattern": "^([A-Za-z]/[A-Za-z]|hidden)$",
        "description": "two flowers' letters, like R/P; hidden for whoever cannot see them",
    }
    weed = {
        "type": "object",
        "properties": {
            "at": {
                "type": "string",
                "pattern": "^[A-Oa-o][0-9]{1,2}-[A-Oa-o][0-9]{1,2}$",
                "description": "the two cells, like k10-k11",
            },
            "tile": tile,
        },
        "required": ["at"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "phase": {"enum": list(PHASES), "description": "follows from the rest"},
            "rows": {
                "type": "array",
                "minItems": 2,
                "maxItems": ROWS,
                "items": {"type": "string", "pattern": f"^[A-Za-z.#]{{2,{COLUMNS}}}$"},
                "description": "the board from the far edge of player 0's side: a flower's letter, '#' a weed, '.' an empty cell",
            },
            "turn": {
                "type": "integer",
                "minimum": 0,
                "maximum": 1,
                "description": "whose turn it is; needed where his tile is yet to be drawn",
            },
            "tile": {**tile, "description": "the tile drawn, like R/P; hidden for whoever cannot see it"},
            "weeds": _each({"type": "array", "maxItems": WEEDS, "items": weed}, "the weeds that each player has laid"),
            "weeds_left": _each({"type": "integer", "minimum": 0, "maximum": WEEDS}, "follows from weeds"),
            "out": {
                "type": "array",
                "minItems": 1,
                "maxItems": 2,
                "items": {"type": "boolean"},
                "description": "who can place no tile any more; follows from the board",
            },
            "bag": {"type": "integer", "minimum": 0, "description": "tiles in the bag; follows from the rest"},
            "unseen": {
                "type": "object",
                "additionalProperties": {"type": "string", "pattern": "^[A-Za-z]*$"},
                "description": "tiles not seen yet: for each flower the other flowers of its tiles, doubles and later letters",
            },
        },
        "required": ["rows"],
        "additionalProperties": False,
    }


def _each(items: dict[str, Any], description: str) -> dict[str, Any]:
    """A list of one entry a player, of a game for two."""
    return {"type": "array", "minItems": 2, "maxItems": 2, "items": items, "description": description}
