"""The form of a Butterfly Garden position: JSON Schema of its `state`, and an example as a person types it."""

from __future__ import annotations

from typing import Any

PHASES = (
    "hands",
    "letters",
    "field",
    "deliveries",
    "choose",
    "capture",
    "power",
    "draw",
    "return",
    "top",
    "discard",
    "deliver",
    "over",
)
PLAYERS = 6
ROUNDS = 100
# What a component file may have at most.
CARDS = 64
DELIVERIES = 32 * 15

# The fifth round of a game for three. 31 pays Y+B, 30 the two pairs that player 1 can pay, too. All know his hand: 30 goes before
# him if he plays 36 or 53. 14 goes before both, for the first choice of the field, but pays for nothing.
EXAMPLE: dict[str, Any] = {
    "format": "garden-ai position",
    "version": 1,
    "game": "butterfly_garden",
    "players": 3,
    "to_move": 0,
    "state": {
        "round": 5,
        "hands": [
            {"cards": [14, 30, 31], "known": [14, 30]},
            {"count": 3, "known": [20, 36, 53]},
            {"count": 3, "known": [23]},
        ],
        "jars": [[8, 50], [11, 45], [16]],
        "earned": [["Y+any", "P+Y"], ["G+R"], ["2 of a kind", "W+any"]],
        "released": [[], [44], []],
        "field": [3, 5, 48],
        "discards": [17, 29, 32, 33, 37, 55],
        "deliveries": {"available": ["Y+B", "2 pairs"], "next": "4 of a kind"},
    },
}


def state_schema() -> dict[str, Any]:
    """JSON Schema of the fields that docs/games/butterfly_garden.md explains."""
    seat = {"type": "integer", "minimum": 0, "maximum": PLAYERS - 1}
    card = {"type": "integer", "minimum": 0, "maximum": CARDS - 1}
    cards = {"type": "array", "maxItems": CARDS, "uniqueItems": True, "items": card}
    piles = {"type": "array", "minItems": 2, "maxItems": PLAYERS, "items": cards}
    name = {"type": "string", "description": "a delivery by what it needs: Y+any, 2 of a kind"}
    return {
        "type": "object",
        "properties": {
            "phase": {"enum": list(PHASES), "description": "follows from the rest"},
            "round": {"type": "integer", "minimum": 1, "maximum": ROUNDS, "description": "1 where it is left out"},
            "hands": {"type": "array", "minItems": 2, "maxItems": PLAYERS, "items": {"anyOf": [cards, _hand(cards)]}},
            "jars": {**piles, "description": "the cards in each jar"},
            "earned": {
                "type": "array",
                "minItems": 2,
                "maxItems": PLAYERS,
                "items": {"type": "array", "items": name},
                "description": "the delivery cards that each player has earned",
            },
            "released": {**piles, "description": "the cards that each player has delivered by their own icon"},
            "field": {**cards, "description": "the cards that can be captured"},
            "discards": {**cards, "description": "the discard pile, in any order"},
            "deck": {"type": "integer", "minimum": 0, "maximum": CARDS, "description": "cards in it; follows from the rest"},
            "bottom": {
                "type": "array",
                "maxItems": CARDS,
                "items": {
                    "type": "object",
                    "properties": {"by": {**seat, "description": "who returned it"}, "card": card},
                    "required": ["by"],
                    "additionalProperties": False,
                },
                "description": "cards returned to the bottom of the deck, the first to be drawn first",
            },
            "deliveries": _deliveries(name),
            "vacated": {
                "type": "array",
                "maxItems": 2,
                "uniqueItems": True,
                "items": {"enum": [0, 1]},
                "description": "two players: the sides of deliveries taken in this round, in order",
            },
            "played": {
                "type": "array",
                "minItems": 2,
                "maxItems": PLAYERS,
                "items": {"anyOf": [card, {"enum": [None, "hidden"]}]},
                "description": "the card played in this round, one a player: null for none yet",
            },
            "turn": {**seat, "description": "how many turns of this round are over"},
            "put": {"type": "boolean", "description": "in phase discard: whether the card played is in the jar already"},
            "shuffles": {
                "type": "array",
                "items": cards,
                "description": "of each shuffle of the deck, the cards that nobody has seen openly since",
            },
            "memory": {"type": "object", "description": "what everybody saw of cards that went back unseen"},
        },
        "required": ["hands"],
        "additionalProperties": False,
    }


def _hand(cards: dict[str, Any]) -> dict[str, Any]:
    """The schema of a hand that is not just its cards."""
    return {
        "type": "object",
        "properties": {
            "count": {"type": "integer", "minimum": 0, "maximum": CARDS},
            "cards": {**cards, "description": "all of them, for whoever sees them"},
            "known": {**cards, "description": "those of which everybody knows that they are there"},
            "from": {
                "type": "array",
                "items": {"type": "integer", "minimum": 0, "maximum": CARDS},
                "description": "after a shuffle: how many of the other cards come from each of `shuffles`",
            },
        },
        "additionalProperties": False,
    }


def _deliveries(name: dict[str, Any]) -> dict[str, Any]:
    """The schema of the delivery cards on the table."""
    return {
        "type": "object",
        "properties": {
            "available": {
                "type": "array",
                "maxItems": PLAYERS,
                "items": {"anyOf": [name, {"type": "null"}]},
                "description": "those that lie there; two players: that of each side, null where it is taken",
            },
            "next": {"anyOf": [name, {"type": "null"}], "description": "the one face up on the deck"},
            "deck": {
                "type": "integer",
                "minimum": 0,
                "maximum": DELIVERIES,
                "description": "those face down; follows from the rest",
            },
        },
        "additionalProperties": False,
    }
