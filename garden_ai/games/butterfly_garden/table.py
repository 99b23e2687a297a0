"""The table as fields write it, for the notation, the picture and the words: cards, turns and deliveries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from garden_core.games.butterfly_garden import ButterflyGarden

from garden_ai.games.butterfly_garden.needs import Lacking, lacks, payable
from garden_ai.games.words import joined

# The phases in which one player after another has his turn.
TURNS = ("capture", "power", "draw", "return", "top", "discard", "deliver")
TWO = 2  # players, who have a side of the deliveries each


class Table:
    """One view, with the questions that are asked of it."""

    def __init__(self, game: ButterflyGarden, view: Mapping[str, Any]) -> None:
        self.game = game
        self.view = view
        self.phase: str = view["phase"]
        self.players = range(game.players)
        self.points_of = {name: points for name, points, _ in game.deliveries}
        self.jars: Sequence[Sequence[int]] = view["jars"]
        self.field: Sequence[int] = view["field"]
        self.played: Sequence[Any] = view.get("played", ())

    # Cards

    def face(self, card: int) -> str:
        """`R/de2`."""
        return self.game.cards[card]

    def letters(self, cards: Iterable[int]) -> str:
        """The butterflies on cards."""
        return "".join(self.game.butterflies(card) for card in cards)

    def hand(self, player: int) -> list[int]:
        """The cards of a hand that are known to whoever sees this."""
        own = self.view["hands"][player]
        return [*own.get("cards", own.get("known", ()))]

    def unknown(self, player: int) -> int:
        """How many other cards are in that hand."""
        count: int = self.view["hands"][player]["count"]
        return count - len(self.hand(player))

    @cached_property
    def unseen(self) -> list[int]:
        """The cards of which whoever sees this does not know where they are: in the deck or in a hand."""
        view = self.view
        seen = {card for player in self.players for card in self.hand(player)}
        for cards in (*view["jars"], *view["released"], view["field"], view["discards"], self.played):
            seen.update(card for card in cards if isinstance(card, int))
        seen.update(entry["card"] for entry in view.get("bottom", ()) if "card" in entry)
        return [card for card in range(len(self.game.cards)) if card not in seen]

    @cached_property
    def to_draw(self) -> list[int]:
        """The cards that may come from the deck next, as far as whoever sees this knows; all alike."""
        bottom = self.view.get("bottom", ())
        if self.view["deck"] > len(bottom):  # of the deck only what was shuffled last; else it is older, or nobody's guess
            shuffled = {*self.view["shuffles"][-1]} if self.view.get("shuffles") else {*self.unseen}
            return [card for card in self.unseen if card in shuffled]
        if bottom:
            return [bottom[0]["card"]] if "card" in bottom[0] else self.unseen
        return list(self.view["discards"])

    # Players

    def points(self, player: int) -> int:
        """Points so far."""
        earned = sum(self.points_of[name] for name in self.view["earned"][player])
        return earned + sum(self.game.release(card) for card in self.view["released"][player])

    @cached_property
    def order(self) -> list[int]:
        """The seats in the order of their turns in this round; none before the cards are turned up."""
        if self.phase not in TURNS:
            return []
        return sorted(self.players, key=lambda player: self.played[player])

    @property
    def turn(self) -> int:
        """Whose turn it is; -1 where it is nobody's."""
        return self.order[self.view["turn"]] if self.order else -1

    def waiting(self) -> list[int]:
        """The seats whose turn is still to come in this round, in order."""
        return self.order[self.view["turn"] + 1 :] if self.order else []

    def in_play(self, player: int) -> int | None:
        """The card a player has played that is still to go into his jar or to be delivered; None where there is none."""
        begun = player == self.turn
        if player not in self.waiting() and not begun:
            return None
        card: int = self.played[player]
        if begun and (self.phase == "deliver" or self.view.get("put") or card in self.view["released"][player]):
            return None
        return card

    @cached_property
    def viewer(self) -> int:
        """The seat for which the table is looked at: the only one whose hand is seen, else the one to move; -1 for nobody."""
        seen = [player for player in self.players if "cards" in self.view["hands"][player]]
        if len(seen) == 1:
            return seen[0]
        return max(-1, self.view["to_move"]) if seen else -1

    # Deliveries

    @property
    def available(self) -> list[str | None]:
        """The deliveries that lie there; between two players by their sides, None where one is taken."""
        return list(self.view["deliveries"]["available"])

    @property
    def next(self) -> str | None:
        """The delivery that lies face up on the deck."""
        name: str | None = self.view["deliveries"].get("next")
        return name

    def may_take(self, player: int, place: int) -> bool:
        """Whether a player may take what lies there in this round: the second of two only what is on his side."""
        return self.on_side(player, place) or not self.order or player == self.order[0]

    def on_side(self, player: int, place: int) -> bool:
        """Whether a place is not the other one's side."""
        return len(self.players) > TWO or player == place

    def lacking(self, name: str) -> Lacking:
        """How many butterflies a delivery lacks, as a function of those that are there."""
        return partial(self.game.lacking, self.game.kind_of(name))

    def pays(self, name: str, cards: Iterable[int]) -> bool:
        """Whether these cards of one jar are enough."""
        return payable(self.lacking(name), [self.game.butterflies(card) for card in cards])

    def lacks(self, name: str, cards: Iterable[int]) -> str:
        """What these cards lack: `R or P`."""
        return lacks(self.lacking(name), self.letters(cards), self.game.letters)

    def purse(self, player: int) -> list[int]:
        """What a player can pay with in this round as far as all know: his jar, and the card in play unless it is released."""
        card = self.in_play(player)
        return [*self.jars[player], *([card] if card is not None and not self.game.release(card) else [])]

    def payers(self, name: str, place: int) -> list[int]:
        """The seats that could deliver it: in this round those whose turn is not over, else everybody."""
        seats = [self.turn, *self.waiting()] if self.order else self.players
        return sorted(player for player in seats if self.may_take(player, place) and self.pays(name, self.purse(player)))

    # The order of turns

    def places(self, player: int, card: int) -> list[float]:
        """How likely each place in the order of turns is with this card, the first one first.

        As far as the player can tell: each of the others plays any of the cards that he is known to hold or, of those not
        known, may hold, all alike.
        """
        chances = [1.0]
        for rival in self.players:
            if rival == player:
                continue
            before = self.chance_of_lower(rival, card)
            chances = [
                after * (1 - before) + sooner * before for after, sooner in zip([*chances, 0.0], [0.0, *chances], strict=True)
            ]
        return chances

    def chance_of_lower(self, rival: int, card: int) -> float:
        """How likely any one card of a hand has a lower number, as far as it is known."""
        known, unknown = self.hand(rival), self.unknown(rival)
        pools = [self.unseen]
        counts = [unknown]
        if "from" in self.view["hands"][rival]:  # the deck has been shuffled: a hand may hold what no later deck held
            pools = [[other for other in cards if other in self.unseen] for cards in self.view["shuffles"]]
            counts = self.view["hands"][rival]["from"]
        lower = sum(other < card for other in known) + sum(
            count * sum(other < card for other in pool) / len(pool) for count, pool in zip(counts, pools, strict=True) if count
        )
        return lower / max(1, len(known) + unknown)


def players_text(players: Sequence[int]) -> str:
    """`player 1`, `players 1 and 2`; empty for nobody."""
    return f"player{'s' if len(players) > 1 else ''} {joined(map(str, players))}" if players else ""
