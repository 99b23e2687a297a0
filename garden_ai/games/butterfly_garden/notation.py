"""The Butterfly Garden's notation: `play 34`, `take 25`, `swap 12 40`, `deliver Y+any with 20+31`, `pass` and so on.

A card is its number. `draw` and `top` use the power of the card that was played, `pass` leaves it, or delivers nothing; `return`
and `discard` give a card away. For chance: `hand 3 14 27`, `letters A C B`, `field 5 9`, `delivery 2 pairs`, `draw 33`, `top 33`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from garden_core.games.butterfly_garden import ButterflyGarden
from garden_core.state import State

from garden_ai.games.butterfly_garden.table import TWO, Table
from garden_ai.games.notation import Step, StepNotation

USAGE = {
    "hands": "'hand' and the cards dealt, like 'hand 3 14 27'",
    "letters": "'letters' and the letter of each player's hand, like 'letters B A'",
    "field": "'field' and the cards turned up, like 'field 5 9'",
    "deliveries": "'delivery' and what it needs, like 'delivery 2 pairs'",
    "choose": "'play' and a card of the hand, like 'play 34'",
    "capture": "'take' and a card of the field, like 'take 25'",
    "draw": "'draw' and the card drawn, like 'draw 33'",
    "return": "'return' and a card of the hand, like 'return 7'",
    "top": "'top' and the card turned up, like 'top 33'",
    "discard": "'discard' and a card of the jar, like 'discard 41'",
    "deliver": "'deliver', a delivery and the cards for it, like 'deliver Y+any with 20+31', or 'pass'",
    "over": "nothing: the game is over",
}
# In phase power, by the power of the card that was played.
POWERS = {
    "dr": "'draw', to draw a card and return one, or 'pass'",
    "to": "'top', to put the top card of the deck into the jar, or 'pass'",
    "sw": "'swap', a card of the hand and one of the jar, like 'swap 12 40', or 'pass'",
}
USE = {"dr": "draw", "to": "top"}
# What the kinds of steps are called, the first of them printed; that of a phase in which a card is named.
WORDS: dict[str, tuple[str, ...]] = {
    "play": ("play",),
    "capture": ("take", "capture"),
    "exchange": ("swap", "exchange"),
    "return": ("return",),
    "discard": ("discard",),
    "draw": ("draw",),
    "top": ("top",),
}
NAMES = {"choose": "play"}
PASS = ("pass", "skip")
MOST_LISTED = 12  # payments that a mistake is answered with


class ButterflyGardenNotation(StepNotation):
    """See the module."""

    def format(self, state: State, action: int) -> str:
        """The text of a possible action or outcome."""
        game: ButterflyGarden = state.game
        kind, *rest = game.step(state, action)
        if kind == "deliver":
            place, cards = rest
            return f"deliver {self._name(game, state, place)} with {'+'.join(map(str, cards))}"
        if kind == "skip":
            return PASS[0]
        if kind == "use":
            return USE[self._power(game, state)]
        if kind == "letters":
            return " ".join(["letters", *([*game.hands][letter] for letter in rest[0])])
        if kind == "delivery":
            return f"delivery {game.deliveries[rest[0]][0]}"
        if kind in ("hand", "field"):
            return " ".join([kind, *map(str, rest[-1])])
        return " ".join([WORDS[kind][0], *map(str, rest)])

    def _words(self, text: str) -> list[str]:
        """A text as its words."""
        return text.lower().replace(",", " ").split()

    # Reading

    def _step(self, game: ButterflyGarden, state: State, words: Sequence[str]) -> Step:
        """What the words say, possible or not. Raises `ValueError` where they say nothing."""
        phase = game.phase(state)
        step: Step | None = None
        if words:
            if phase == "power":
                step = self._powered(game, state, words)
            elif phase == "deliver":
                step = self._delivered(game, state, words)
            elif phase in ("hands", "letters", "field", "deliveries"):
                step = self._dealt(game, state, phase, words)
            elif words[0] in WORDS.get(NAMES.get(phase, phase), ()):
                cards = numbers(words[1:])
                step = (NAMES.get(phase, phase), *cards) if len(cards) == 1 else None
        if step is None:
            raise ValueError(f"expected {POWERS[self._power(game, state)] if phase == 'power' else USAGE[phase]}")
        return step

    def _powered(self, game: ButterflyGarden, state: State, words: Sequence[str]) -> Step | None:
        """`draw`, `top`, `swap 12 40`, `pass`."""
        power = self._power(game, state)
        if len(words) == 1 and words[0] in PASS:
            return ("skip",)
        if power in USE:
            return ("use",) if len(words) == 1 and words[0] in (USE[power], "use") else None
        cards = numbers([word for word in words[1:] if word != "for"])
        return ("exchange", *cards) if words[0] in (*WORDS["exchange"], "use") and len(cards) == 2 else None

    def _delivered(self, game: ButterflyGarden, state: State, words: Sequence[str]) -> Step | None:
        """`deliver y + any with 20 31`, `deliver side 1 with 20`, `deliver y+any 20`, `deliver y+any` where no choice is left."""
        if len(words) == 1 and words[0] in PASS:
            return ("skip",)
        if words[0] != "deliver":
            return None
        found = [
            (end, place)
            for end in range(len(words), 1, -1)
            for place in self._places(game, state)
            if game.plain_name("".join(words[1:end])) in self._names(game, state, place)
        ]
        if not found:
            return self._unknown(game, state)
        end = found[0][0]
        places = [place for other, place in found if other == end]
        rest = words[end + 1 :] if words[end : end + 1] == ["with"] else words[end:]
        cards = numbers([number for word in rest for number in word.split("+") if number])
        if len(cards) != len(rest) and not cards:
            return None
        return self._payment(game, state, places, cards)

    def _unknown(self, game: ButterflyGarden, state: State) -> Step | None:
        """Nothing, with the deliveries that lie there."""
        names = ", ".join(self._name(game, state, place) for place in self._places(game, state))
        raise ValueError(f"expected {USAGE['deliver']}; the deliveries are {names}")

    def _payment(self, game: ButterflyGarden, state: State, places: Sequence[int], cards: Sequence[int]) -> Step:
        """The delivery at one of these places; without cards the only one with which it can be paid."""
        if len(places) > 1:   # the second player of a round has one side only
            places = [place for place in places if self._payments(game, state, place)] or places
        if len(places) > 1:
            raise ValueError("could be either side; expected 'side' and its number, like 'deliver side 1 with 20'")
        paying = self._payments(game, state, places[0])
        if not cards and len(paying) == 1:
            cards = paying[0]
        return "deliver", places[0], tuple(sorted(cards))

    def _dealt(self, game: ButterflyGarden, state: State, phase: str, words: Sequence[str]) -> Step | None:
        """What chance is said to deal or turn up."""
        kind, *rest = words
        cards = tuple(sorted(numbers(rest)))
        if phase == "hands" and kind == "hand" and cards:
            return "hand", len(self._hands_dealt(state)), cards
        if phase == "field" and kind == "field" and cards:
            return "field", cards
        if phase == "letters" and kind == "letters" and rest:
            letters = [letter.lower() for letter in game.hands]
            return ("letters", tuple(map(letters.index, rest))) if {*rest} <= {*letters} else None
        if phase == "deliveries" and kind == "delivery" and rest:
            number = game.kind_of("".join(rest))
            return ("delivery", number) if number >= 0 else None
        return None

    # What lies there

    def _view(self, state: State) -> dict[str, Any]:
        """What the actor sees; where chance is to move, everybody."""
        return state.view(state.actor)

    def _hands_dealt(self, state: State) -> list[int]:
        """The seats that have been dealt their hand."""
        return [seat for seat, hand in enumerate(self._view(state)["hands"]) if hand["count"]]

    def _power(self, game: ButterflyGarden, state: State) -> str:
        """That of the card played by the player to move."""
        return game.power(self._view(state)["played"][state.actor])

    def _places(self, game: ButterflyGarden, state: State) -> list[int]:
        """Of what lies there: between two players the sides, else the kinds."""
        available = self._view(state)["deliveries"]["available"]
        if game.players == TWO:
            return [side for side, name in enumerate(available) if name is not None]
        names = [name for name, *_ in game.deliveries]
        return [names.index(name) for name in dict.fromkeys(available)]

    def _at(self, game: ButterflyGarden, state: State, place: int) -> str:
        """The name of what lies at a place."""
        if game.players == TWO:
            return str(self._view(state)["deliveries"]["available"][place])
        return game.deliveries[place][0]

    def _name(self, game: ButterflyGarden, state: State, place: int) -> str:
        """The name, or the side where both are called alike."""
        name = self._at(game, state, place)
        alike = [other for other in self._places(game, state) if self._at(game, state, other) == name]
        return name if len(alike) == 1 else f"side {place}"

    def _names(self, game: ButterflyGarden, state: State, place: int) -> set[str]:
        """All that it may be called."""
        return {game.plain_name(self._at(game, state, place)), *([f"side{place}"] if game.players == TWO else [])}

    def _payments(self, game: ButterflyGarden, state: State, place: int) -> list[tuple[int, ...]]:
        """The sets of cards with which a delivery can be paid."""
        steps = [game.step(state, action) for action in state.legal_actions().tolist()]
        return [cards for kind, *rest in steps if kind == "deliver" for where, cards in [rest] if where == place]

    def _reason(self, game: ButterflyGarden, state: State, step: Step) -> str:
        """Why the step cannot be made."""
        kind, *rest = step
        view = self._view(state)
        if kind in ("play", "return"):
            return f"the hand of player {state.actor} has {spaced(view['hands'][state.actor]['cards'])}"
        if kind == "capture":
            return f"the field has {spaced(view['field'])}"
        if kind == "discard":
            return f"the jar of player {state.actor} has {spaced(view['jars'][state.actor])}"
        if kind == "exchange":
            hand, jar = view["hands"][state.actor]["cards"], view["jars"][state.actor]
            return f"expected a card of the hand ({spaced(hand)}) and one of the jar ({spaced(jar)})"
        if kind == "deliver":
            return self._unpaid(game, state, rest[0])
        if kind == "letters":
            return f"expected a different letter of {' '.join([*game.hands][: game.players])} for each player"
        if kind == "delivery":
            return "all deliveries of that kind are on the table or taken"
        if kind in ("hand", "field"):
            count = len(game.step(state, state.copy().draw(0))[-1])
            return f"expected {count} different card{'' if count == 1 else 's'} of the deck"
        return "that card is not in the deck" if kind == "draw" else "that card is not the top one of the deck"

    def _unpaid(self, game: ButterflyGarden, state: State, place: Any) -> str:
        """Why a delivery cannot be made with such cards."""
        payments = ["+".join(map(str, cards)) for cards in self._payments(game, state, place)]
        name = self._at(game, state, place)
        if payments:
            more = " or others" if len(payments) > MOST_LISTED else ""
            return f"{name} is delivered with {', '.join(payments[:MOST_LISTED])}{more}"
        table = Table(game, self._view(state))
        if not table.may_take(state.actor, place):
            return f"the second player of a round delivers on his own side only, side {state.actor}"
        return f"for {name} the jar of player {state.actor} lacks {table.lacks(name, table.jars[state.actor])}"


def numbers(words: Sequence[str]) -> list[int]:
    """The cards that words name; none where a word is no number."""
    if not all(re.fullmatch(r"[0-9]{1,6}", word) for word in words):
        return []
    return [int(word) for word in words]


def spaced(cards: Sequence[int]) -> str:
    """`12 34 57`."""
    return " ".join(map(str, cards)) or "none"
