"""The form of a Ladybird position: JSON Schema of its `state`, and an example as a person types it."""

from __future__ import annotations

from typing import Any

from garden_core.games.ladybird import GARDEN_TILES, PHASES, STATE_NAMES

PLAYERS = 4
ROUNDS = 15
# What a component file may have at most.
CARDS = 128
TILES = 48
ALIKE = 15
ORCHARDS = 60
HELD = 6  # cards of a hand
STACKS = 8
MOST_APHIDS = 200
MOST_MEMORIES = 99

# The eighth round of a game for three: player 1 has placed eggs, so he drafts a larva. RLD clears a column
# of the pool, for a memory. With the Rose Garden his RED can complete a life cycle in the same turn.
EXAMPLE: dict[str, Any] = {
    "format": "garden-ai position",
    "version": 1,
    "game": "ladybird",
    "players": 3,
    "to_move": 1,
    "state": {
        "phase": "draft",
        "round": 8,
        "turn": 1,
        "hands": [
            {"count": 4, "known": ["RLS", "PPY", "H"]},
            {"cards": ["RED", "PPT", "H"], "known": ["RED", "PPT"]},
            {"count": 3, "known": ["OEV", "H"]},
        ],
        "revealed": [None, None, "GLT"],
        "unlocks": "larva",
        "tableaus": [
            {
                "columns": {
                    "red": ["RPS", "RET"],
                    "blue": ["BLV", "BAV", "BAS", "BLS"],
                    "green": ["GED", "GLY", "GPO", "GAS", "GAO", "GAY", "GPY"],
                },
                "orchards": {"green": 2},
                "life_cycles": ["green"],
                "feeding": ["V2:m", "O1:2h"],
                "aphids": 6,
                "memories": 4,
                "used": ["rose", "shed"],
            },
            {
                "columns": {
                    "red": ["RPV", "RPO", "RAT", "RLV"],
                    "blue": ["BLO", "BPV"],
                    "orange": ["OAO", "OPO"],
                    "green": ["GET"],
                    "purple": ["PES", "PLS", "PAT"],
                },
                "orchards": {"red": 1, "orange": 1},
                "flowerbeds": ["red"],
                "feeding": ["V2:m"],
                "aphids": 6,
                "memories": 3,
                "used": ["shed"],
            },
            {
                "columns": {
                    "red": ["H"],
                    "blue": ["BLD", "BAT", "BPT"],
                    "orange": ["OET", "OLY", "OPD"],
                    "green": ["H"],
                    "purple": ["PLT", "PAY", "PAD"],
                },
                "orchards": {"orange": 1, "purple": 1},
                "flowerbeds": ["blue"],
                "feeding": ["T2:3"],
                "aphids": 4,
                "memories": 1,
                "used": ["rose"],
            },
        ],
        "pool": ["OLD RLD OAV", "RLO --- GAD", "OES --- ---"],
        "orchard": [{"card": "blue", "aphids": 2}, {"card": "green", "aphids": 4}, {"card": "purple", "aphids": 3}],
        "stacks": [
            {"top": "S2:3", "below": 5},
            {"top": "D2:3", "below": 5},
            {"top": "S1:1", "below": 5},
            {"top": "V2:m", "below": 3},
            {"top": "T1:1", "below": 4},
            {"top": "Y3:5", "below": 4},
            {"top": "T3:5", "below": 5},
            {"top": "O1:1", "below": 5},
        ],
        "discards": ["RPY", "BLY", "BPY", "OEY", "OLS", "OAS", "GEY", "GLO"],
    },
}


def state_schema() -> dict[str, Any]:
    """JSON Schema of the fields that docs/games/ladybird.md explains."""
    seat = {"type": "integer", "minimum": 0, "maximum": PLAYERS - 1}
    card = {"type": "string", "description": "colour, state and type, like BLS, or H", "pattern": "^([A-Za-z]{3}|[Hh])$"}
    cards = {"type": "array", "maxItems": CARDS, "items": card}
    colour = {"type": "string", "description": "the name of a colour, like blue"}
    tile = {"type": "string", "description": "a feeding tile, like S1:2h or V2:m"}
    properties = {
        "phase": {"enum": list(PHASES), "description": "reveal where it is left out"},
        "round": {"type": "integer", "minimum": 1, "maximum": ROUNDS, "description": "1 where it is left out"},
        "first": {**seat, "description": "who has the Sticky Leaf; 0 where it is left out"},
        "turn": {**seat, "maximum": PLAYERS, "description": "how many turns of this round are over; 0 where it is left out"},
        "hands": {**_seats({"anyOf": [{**cards, "maxItems": HELD}, _hand(cards)]})},
        "revealed": {
            **_seats({"anyOf": [card, {"enum": [None, "hidden"]}]}),
            "description": "the card that each player has chosen and not placed yet, null for none",
        },
        "unlocks": {
            "enum": [*STATE_NAMES, "none", "any"],
            "description": "in phases bed and draft: what may be taken from the pool",
        },
        "extra": {"type": "boolean", "description": "whether the card was placed by a garden tile"},
        "chain": {"type": "boolean", "description": "whether a honeydew tile was taken in this picnic"},
        "tableaus": {**_seats(_tableau(cards, colour, tile))},
        "pool": {
            "type": "array",
            "minItems": 2,
            "maxItems": 3,
            "items": {"type": "string", "description": "a row: three cards, --- for none"},
        },
        "refill": {
            "type": "array",
            "maxItems": 9,
            "uniqueItems": True,
            "items": {"type": "string", "pattern": "^[abc][123]$"},
            "description": "in phase pool: the slots to be filled",
        },
        "orchard": {"type": "array", "minItems": 2, "maxItems": 3, "items": {"anyOf": [_orchard_card(colour), {"type": "null"}]}},
        "orchard_deck": {"type": "integer", "minimum": 0, "maximum": ORCHARDS, "description": "follows from the rest"},
        "stacks": {"type": "array", "minItems": STACKS, "maxItems": STACKS, "items": _stack(tile)},
        "discards": {**cards, "description": "the discard pile, in any order"},
        "deck": {"type": "integer", "minimum": 0, "maximum": CARDS, "description": "cards in it; follows from the rest"},
        "shuffles": {
            "type": "array",
            "items": cards,
            "description": "of each shuffle of the deck, the cards in hands since before it that not all know",
        },
    }
    return {
        "type": "object",
        "properties": properties,
        "required": ["hands", "tableaus", "pool", "orchard", "stacks"],
        "additionalProperties": False,
    }


def _seats(items: dict[str, Any]) -> dict[str, Any]:
    """A list with an entry for each player."""
    return {"type": "array", "minItems": 1, "maxItems": PLAYERS, "items": items}


def _hand(cards: dict[str, Any]) -> dict[str, Any]:
    """The schema of a hand that is not just its cards."""
    shuffle = {"type": "integer", "minimum": 0}
    return {
        "type": "object",
        "properties": {
            "count": {"type": "integer", "minimum": 0, "maximum": HELD},
            "cards": {**cards, "maxItems": HELD, "description": "all of them, for whoever sees them"},
            "known": {**cards, "maxItems": HELD, "description": "those of which everybody knows that they are there"},
            "since": {
                "type": "array",
                "maxItems": HELD,
                "items": shuffle,
                "description": "after a shuffle, with `cards`: how many shuffles came before each that not all know",
            },
            "from": {
                "type": "array",
                "items": {**shuffle, "maximum": HELD},
                "description": "after a shuffle, without `cards`: how many of the others are from each of `shuffles`, and since",
            },
        },
        "additionalProperties": False,
    }


def _tableau(cards: dict[str, Any], colour: dict[str, Any], tile: dict[str, Any]) -> dict[str, Any]:
    """The schema of what a player has before him."""
    colours = {"type": "array", "maxItems": 5, "uniqueItems": True, "items": colour}
    return {
        "type": "object",
        "properties": {
            "columns": {"type": "object", "additionalProperties": cards, "description": "cards by colour, the top one last"},
            "orchards": {
                "type": "object",
                "additionalProperties": {"type": "integer", "minimum": 0, "maximum": ALIKE},
                "description": "orchard cards by colour",
            },
            "flowerbeds": {**colours, "description": "the columns with a flowerbed"},
            "life_cycles": {**colours, "description": "the columns with a life cycle card"},
            "lost": {**colours, "description": "the columns that have lost theirs to a Harlequin"},
            "feeding": {"type": "array", "maxItems": TILES, "items": tile},
            "aphids": {"type": "integer", "minimum": 0, "maximum": MOST_APHIDS},
            "memories": {"type": "integer", "minimum": 0, "maximum": MOST_MEMORIES},
            "used": {
                "type": "array",
                "uniqueItems": True,
                "items": {"enum": list(GARDEN_TILES)},
                "description": "the garden tiles that were used on this day",
            },
        },
        "additionalProperties": False,
    }


def _orchard_card(colour: dict[str, Any]) -> dict[str, Any]:
    """The schema of an orchard card that lies open."""
    return {
        "type": "object",
        "properties": {"card": colour, "aphids": {"type": "integer", "minimum": 2, "maximum": 60}},
        "required": ["card", "aphids"],
        "additionalProperties": False,
    }


def _stack(tile: dict[str, Any]) -> dict[str, Any]:
    """The schema of a stack of feeding tiles."""
    return {
        "type": "object",
        "properties": {
            "top": {"anyOf": [tile, {"type": "null"}]},
            "below": {"type": "integer", "minimum": 0, "maximum": TILES},
        },
        "required": ["top"],
        "additionalProperties": False,
    }
