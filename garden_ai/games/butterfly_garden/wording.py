"""The Butterfly Garden in sentences: what the components of a score are called, and what a choice brought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from garden_core.games.butterfly_garden import ButterflyGarden
from garden_core.state import Game

from garden_ai.games.butterfly_garden.needs import JAR, RAINBOW
from garden_ai.games.butterfly_garden.table import TWO, Table, players_text
from garden_ai.games.words import joined, points_text

MOST = 4  # events that are told of one move
PHRASES = {
    "with any": "the deliveries with any butterfly",
    "different": "the deliveries of two colours",
    "of a kind": "the deliveries of a kind",
    "rainbow": "the rainbow deliveries",
    "released": "the cards released for points",
}
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
WORTH_SAYING = 0.1  # less likely places in the order of turns are left unsaid
SURE = 0.995
NUMBERS = ("no", "one", "two", "three")
POWERS = {
    "dr": "may then draw a card and return one",
    "sw": "may then swap a card of the hand for one of the jar",
    "to": "may then put the top card of the deck into the jar",
}


def phrase(game: Game, component: str) -> str:
    """`of a kind` -> `the deliveries of a kind`."""
    return PHRASES[component]


def events(game: Game, before: Mapping[str, Any], after: Mapping[str, Any], player: int) -> tuple[str, ...]:
    """What came of a move: `earns Y+any for 5`; at most `MOST`, the most important first."""
    assert isinstance(game, ButterflyGarden)
    return tuple(Story(game, before, after, player).events())[:MOST]


class Story:
    """One move, told by the views before and after it. Of the view after a choice of card only that card is looked at."""

    def __init__(self, game: ButterflyGarden, before: Mapping[str, Any], after: Mapping[str, Any], player: int) -> None:
        self.game = game
        self.player = player
        self.was, self.is_now = Table(game, before), Table(game, after)
        self.purse = self.was.purse(player)  # what he can pay with in this round before the move
        self.given = without(self.was.hand(player), self.is_now.hand(player))
        self.got = without(self.is_now.hand(player), self.was.hand(player))

    def events(self) -> Iterator[str]:
        """Everything there is to tell."""
        phase = self.was.phase
        if phase == "choose":
            yield from self.plays(self.is_now.played[self.player])
            return
        if phase == "capture":
            yield from self.captures(self.got[0])
        elif phase == "power":
            yield from self.swaps() if self.given else self.uses()
        elif phase == "return":
            yield f"keeps {self.faces(self.is_now.hand(self.player))} in hand"
        elif phase == "discard":
            yield from self.discards()
        elif phase == "deliver":
            yield from self.delivers()
        if phase != "deliver":
            yield from self.releases()

    # Playing a card

    def plays(self, card: int) -> Iterator[str]:
        """`goes first with about 80%, second with 18%`, what the card brings into the jar, and its icon."""
        yield self.order(self.was.places(self.player, card))
        points = self.game.release(card)
        if points:
            yield f"scores {points_text(points)} at once"
            return
        jar = list(self.was.jars[self.player])
        butterflies = self.game.butterflies(card)
        surplus = len(self.was.letters(jar)) + len(butterflies) - JAR
        enough = [self.if_first(name) for name in self.newly(jar, [*jar, card])]
        text = f"brings {butterflies} into the jar"
        if enough:
            text += f", enough for {joined(enough)}"
        yield text + (f", {surplus} more than it holds" if surplus > 0 else "")
        if self.game.power(card) in POWERS:
            yield POWERS[self.game.power(card)]

    def if_first(self, name: str) -> str:
        """`R+P (if first)`, of what lies on the other one's side only."""
        places = [place for place, other in enumerate(self.was.available) if other == name]
        return name if any(self.was.on_side(self.player, place) for place in places) else f"{name} (if first)"

    def order(self, chances: Sequence[float]) -> str:
        """The likely places in the order of turns."""
        names = [*PLACES[: len(chances) - 1], "last"]
        likely = sorted(range(len(chances)), key=lambda place: -chances[place])
        if chances[likely[0]] >= SURE:
            return f"goes {names[likely[0]]}"
        told = [place for place in likely if chances[place] >= WORTH_SAYING]
        first, *others = [f"{names[place]} with {'' if i else 'about '}{chances[place]:.0%}" for i, place in enumerate(told)]
        return f"goes {', '.join([first, *others])}"

    # Capturing

    def captures(self, card: int) -> Iterator[str]:
        """What is taken, what it prepares, and whom it is kept from."""
        left = self.is_now.field
        text = f"takes {self.was.face(card)}"
        only = [letter for letter in self.game.butterflies(card) if letter not in self.was.letters(left)]
        if only and left:
            text += f", the only {joined(self.colour(letter) for letter in dict.fromkeys(only))} of the field"
        yield text
        if self.game.release(card) == 0:
            coming = self.newly(self.purse, [*self.purse, card], coming=True)
            if coming:
                yield f"prepares {joined(coming)}"
        yield from self.keeps_from(card, left)

    def keeps_from(self, card: int, left: Sequence[int]) -> Iterator[str]:
        """`keeps P from player 2, who lacks it for R+P`: nothing else that he can still take would do."""
        for rival in self.was.waiting():
            purse = self.was.purse(rival)
            for name in self.coming():
                alone = not any(self.was.pays(name, [*purse, other]) for other in left)
                if alone and not self.was.pays(name, purse) and self.useful(name, purse, card):
                    yield f"keeps {self.game.butterflies(card)} from player {rival}, who lacks it for {name}"
                    return

    def useful(self, name: str, purse: Sequence[int], card: int) -> bool:
        """Whether a card would make a delivery possible once it is in the jar."""
        return not self.game.release(card) and self.was.pays(name, [*purse, card])

    # Powers, and what follows from them

    def uses(self) -> Iterator[str]:
        """The chances of the card that is drawn next; nothing where the power was not used."""
        if self.is_now.phase not in ("top", "draw"):
            return
        cards = self.was.to_draw
        if self.is_now.phase == "top" and cards:
            better = [card for card in cards if not self.game.release(card) and self.newly(self.purse, [*self.purse, card])]
            released = [card for card in cards if self.game.release(card)]
            told = [
                f"{len(some) / len(cards):.0%} {what}"
                for some, what in ((better, "for one that pays another delivery"), (released, "for one that scores at once"))
                if some
            ]
            yield f"the next card: {' and '.join(told)}" if told else "no card of the deck would pay a delivery now"
        elif cards:
            better = [card for card in cards if self.newly(self.purse, [*self.purse, card], coming=True)]
            yield "draws a card" + (f", {len(better) / len(cards):.0%} for one that prepares another delivery" if better else "")

    def swaps(self) -> Iterator[str]:
        """`puts PB into the jar for YY, enough for R+P`."""
        put, back = self.given[0], self.got[0]
        purse = [*without(self.purse, [back]), put]
        text = f"puts {self.was.face(put)} into the jar for {self.was.face(back)}"
        enough = self.newly(self.purse, purse)
        yield text + (f", enough for {joined(enough)}" if enough else "")
        lost = self.newly(purse, self.purse)
        if lost:
            yield f"can no longer pay {joined(lost)}"

    def releases(self) -> Iterator[str]:
        """`releases R for 2 points`, of the card in play as it is delivered by itself."""
        for card in without(self.is_now.view["released"][self.player], self.was.view["released"][self.player]):
            yield f"releases {self.game.butterflies(card)} for {points_text(self.game.release(card))}"
            yield from self.reaches()

    def discards(self) -> Iterator[str]:
        """`frees two butterflies and leaves RRGYYBBB in the jar`, and the deliveries that are given up."""
        jar = self.was.jars[self.player]
        # the card in play may go into the jar at once; of those that were there one is gone
        freed = without(jar, self.is_now.jars[self.player])
        count = len(self.was.letters(freed))
        left = self.sorted(self.was.letters(without(jar, freed)))
        yield f"frees {NUMBERS[count]} butterfl{'y' if count == 1 else 'ies'} and leaves {left} in the jar"
        lost = self.newly(without(self.purse, freed), self.purse)
        if lost:
            yield f"can no longer pay {joined(lost)}"

    # Delivering

    def delivers(self) -> Iterator[str]:
        """What is earned, and what is left in the jar and among the deliveries."""
        earned = Counter(self.is_now.view["earned"][self.player]) - Counter(self.was.view["earned"][self.player])
        jar = list(self.was.jars[self.player])
        if not earned:
            yield f"keeps {self.sorted(self.was.letters(jar))} in the jar"
            yield from self.left(self.was.available)
            return
        name = next(iter(earned))
        place = self.place_of(name)
        others = [rival for rival in self.was.waiting() if self.can_pay(rival, name, place)]
        before = f", before {players_text(others)} can" if others else ""
        yield f"earns {name} for {self.was.points_of[name]}{before}"
        yield from self.reaches()
        left = [card for card in jar if card in self.is_now.jars[self.player]]
        yield self.left_in_jar(left, name)
        available = self.was.available
        if len(self.was.players) == TWO:
            available[place] = None
        else:
            available.remove(name)
        yield from self.left(available)

    def place_of(self, name: str) -> int:
        """Between two players the side from which a delivery was taken."""
        vacated = self.is_now.view.get("vacated", [])
        sides = [side for side, other in enumerate(self.was.available) if other == name]
        return next((side for side in sides if side in vacated), sides[0])

    def left_in_jar(self, cards: Sequence[int], taken: str) -> str:
        """`leaves RRG in the jar, enough for 2 of a kind`."""
        if not cards:
            return "empties the jar"
        names = [name for name in self.coming(but=taken) if self.was.pays(name, cards)]
        enough = f", enough for {joined(names)}" if names else ""
        return f"leaves {self.sorted(self.was.letters(cards))} in the jar{enough}"

    def left(self, available: Sequence[str | None]) -> Iterator[str]:
        """`leaves R+P (payable by player 2) and W+any`, to those whose turn is to come in this round or else for the next one."""
        waiting = self.was.waiting()
        places = [(place, name) for place, name in enumerate(available) if name is not None]
        if not waiting:
            names = joined(name for _, name in places) if places else "no delivery"
            gap = len(places) < len(self.was.available)
            yield f"leaves {names}{f', with {self.was.next} to come' if gap and self.was.next else ''} for the next round"
            return
        groups: dict[tuple[int, ...], list[str]] = {}  # of what the others may take, by who of them can pay it
        for place, name in places:
            if any(self.was.may_take(rival, place) for rival in waiting):
                who = tuple(sorted(rival for rival in waiting if self.can_pay(rival, name, place)))
                groups.setdefault(who, []).append(name)
        if not groups:
            yield f"leaves no delivery to {players_text(sorted(waiting))}"
        elif [*groups] == [()]:
            yield f"leaves {joined(groups[()])}, payable by nobody yet"
        else:
            yield f"leaves {joined(payable_text(groups[who], who) for who in sorted(groups, key=len, reverse=True))}"

    def can_pay(self, player: int, name: str, place: int) -> bool:
        """Whether a player whose turn is still to come can deliver it from his jar, with the card in play."""
        return self.was.may_take(player, place) and self.was.pays(name, self.was.purse(player))

    # What they share

    def newly(self, before: Sequence[int], after: Sequence[int], coming: bool = False) -> list[str]:
        """The deliveries that cards can pay and others before them could not; with `coming` also the one to come."""
        if coming:
            names = self.coming()
        else:
            places = [(place, name) for place, name in enumerate(self.was.available) if name is not None]
            names = list(dict.fromkeys(name for place, name in places if self.was.may_take(self.player, place)))
        return [name for name in names if self.was.pays(name, after) and not self.was.pays(name, before)]

    def coming(self, but: str | None = None) -> list[str]:
        """The deliveries that lie there and the one to come, each once; without one card of a kind that is taken."""
        names = [name for name in (*self.was.available, self.was.next) if name is not None]
        if but is not None:
            names.remove(but)
        return list(dict.fromkeys(names))

    def reaches(self) -> Iterator[str]:
        """`reaches the goal, so this round is the last`."""
        was, now = self.was.points(self.player), self.is_now.points(self.player)
        if was < self.game.goal <= now:
            ending = any(self.was.points(rival) >= self.game.goal for rival in self.was.players)
            yield f"reaches the goal of {self.game.goal}" + ("" if ending else ", so this round is the last")

    def colour(self, letter: str) -> str:
        """`green`, `rainbow`."""
        return "rainbow" if letter == RAINBOW else self.game.colours[self.game.letters.index(letter)]

    def faces(self, cards: Sequence[int]) -> str:
        """`PB, W and G/to`."""
        return joined(self.was.face(card) for card in cards)

    def sorted(self, butterflies: str) -> str:
        """Butterflies by colour, in the order of the components: `YYRB`."""
        return "".join(sorted(butterflies, key=[*self.game.letters, RAINBOW].index))


def payable_text(names: Sequence[str], who: Sequence[int]) -> str:
    """`R+P and 2 pairs (both payable by players 1 and 2)`; the names alone where nobody can pay."""
    many = "" if len(names) == 1 else "both " if len(names) == TWO else "all "
    return joined(names) + (f" ({many}payable by {players_text(who)})" if who else "")


def without(cards: Sequence[int], others: Sequence[int]) -> list[int]:
    """The cards that are not among the others."""
    return [card for card in cards if card not in others]
