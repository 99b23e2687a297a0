"""Ladybird in sentences: what the components of a score are called, and what a move did at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from garden_core.games.ladybird import STATE_NAMES, Ladybird
from garden_core.state import Game

from garden_ai.games.ladybird.table import BED, CYCLE, HARLEQUIN, Table, aphids_text, cards_text, plural
from garden_ai.games.words import joined, points_text

MOST = 4  # events that are told of one move
SHOWN = 4  # feeding tiles that are listed
PHRASES = {
    "orchards": "the orchard cards",
    "life cycles": "the life cycles",
    "flowerbeds": "the flowerbeds",
    "ladybirds": "the feeding tiles",
    "memories": "the memories",
    "aphids": "the aphids",
}
TILES = {"rose": "the Rose Garden", "orchard": "the Orchard", "picnic": "the Picnic", "shed": "the Toolshed", "tea": "Tea Time"}
MEMORIES = {0: "", 1: ": a memory", 2: ": two memories"}   # alone a column brings none
TWO = 2  # cards of a blind draw


def phrase(game: Game, component: str) -> str:
    """`ladybirds` -> `the feeding tiles`."""
    return PHRASES[component]


def events(game: Game, before: Mapping[str, Any], after: Mapping[str, Any], player: int) -> tuple[str, ...]:
    """What came of a move: `completes the life cycle in red: +3 for each of 5 cards`; at most `MOST`."""
    assert isinstance(game, Ladybird)
    return tuple(Story(game, before, after, player).events())[:MOST]


class Story:
    """One move, told by the views before and after it. In the view after it somebody else may have placed a card already."""

    def __init__(self, game: Ladybird, before: Mapping[str, Any], after: Mapping[str, Any], player: int) -> None:
        self.game = game
        self.player = player
        self.was, self.is_now = Table(game, before), Table(game, after)
        self.given = [*(Counter(self.was.hand(player)) - Counter(self.is_now.hand(player))).elements()]

    def events(self) -> Iterator[str]:
        """Everything there is to tell."""
        tell = {
            "reveal": self.reveals,
            "target": self.invades,
            "bed": self.beds,
            "draft": self.drafts,
            "tile": self.uses,
            "place": self.places,
            "card": self.tends,
            "feed": self.feeds,
            "discard": self.discards,
        }
        yield from tell[self.was.phase]()

    # Placing a card

    def reveals(self) -> Iterator[str]:
        """What the card will do once it is placed, as far as the table stays as it is."""
        # whoever chooses last may have placed it already, and then it has left his hand
        card = self.given[0] if self.given else self.is_now.revealed(self.player)
        assert card is not None
        if card == HARLEQUIN:
            yield from self.will_invade()
        else:
            yield from self.lays(card)

    def places(self) -> Iterator[str]:
        """A card of the hand, by a garden tile."""
        yield from self.lays(self.given[0])

    def lays(self, card: str) -> Iterator[str]:
        """Effects of a card that goes on the player's column, the points it adds, and what it unlocks."""
        was, player, colour = self.was, self.player, self.was.colour(card)
        height = was.height(player, colour) + 1
        cycle = self.completes(colour, card)
        if cycle:
            yield f"completes the life cycle in {colour}: +{CYCLE} {each(height)}"
        if self.fills_row(colour):
            yield f"completes row {was.rows(player) + 1}: a flowerbed"
        points = was.a_card(player, colour) + was.feeds(player)[was.type(card)] + CYCLE * height * cycle
        yield f"adds a card to {colour}" + (f" for {points_text(points)}" if points else "")
        yield self.unlocks(was.state(card))

    def completes(self, colour: str, card: str) -> bool:
        """Whether a column wins a life cycle card with this card."""
        had = self.was.has(self.player, "life_cycles", colour)
        gone = self.was.has(self.player, "lost", colour) and not self.game.options["life_cycle_regain"]
        states = self.was.states(self.player, colour)
        return not had and not gone and len(states | {self.was.state(card)}) == len(STATE_NAMES)

    def fills_row(self, colour: str) -> bool:
        """Whether one more card in this column makes a row full."""
        others = min(self.was.height(self.player, other) for other in self.game.colours if other != colour)
        return self.was.height(self.player, colour) < others

    def unlocks(self, state: str) -> str:
        """`unlocks larvae (3 in the pool)`."""
        following = STATE_NAMES[(STATE_NAMES.index(state) + 1) % len(STATE_NAMES)]
        count = self.was.in_pool(following)
        return f"unlocks {plural(following)} ({count if count else 'none'} in the pool)"

    # Harlequins

    def will_invade(self) -> Iterator[str]:
        """What a Harlequin finds as the table is now."""
        was = self.was
        if self.game.players == 1:
            some = any(was.column(0, colour) for colour in self.game.colours)
            yield "will replace a top card" if some else "finds no column and is discarded"
            yield "unlocks any card of the pool"
            return
        tops = [
            (rival, was.column(rival, colour)[-1])
            for rival in was.players
            for colour in self.game.colours
            if rival != self.player and was.height(rival, colour)
        ]
        targets = [(rival, card) for rival, card in tops if card != HARLEQUIN]
        if not targets:
            yield "finds no column to invade so far"
            return
        rival, card = targets[0]
        yield f"may steal any of {len(targets)} top cards" if len(targets) > 1 else f"may steal player {rival}'s {card}"
        breaking = [(rival, card) for rival, card in targets if self.breaks(rival, card)]
        if breaking:
            yield f"may break a life cycle with {joined(f'{card} of player {rival}' for rival, card in breaking)}"

    def breaks(self, rival: int, card: str) -> bool:
        """Whether a life cycle goes with the top card of a column."""
        colour = self.was.colour(card)
        states = Counter(self.was.state(other) for other in self.was.column(rival, colour) if other != HARLEQUIN)
        return self.was.has(rival, "life_cycles", colour) and states[self.was.state(card)] == 1

    def invades(self) -> Iterator[str]:
        """`steals player 1's blue top BAT and breaks the life cycle there: -3 for each of 4 cards`, and what BAT does then."""
        was, now = self.was, self.is_now
        places = [(rival, colour) for rival in was.players for colour in self.game.colours]
        changed = [place for place in places if self.is_invaded(was.column(*place), now.column(*place))]
        if not changed:   # alone
            yield "replaces a Harlequin by another"
            yield "unlocks any card of the pool"
            return
        rival, colour = changed[0]
        card = was.column(rival, colour)[-1]
        ending = ""
        if was.has(rival, "life_cycles", colour) and not now.has(rival, "life_cycles", colour):
            ending = f" and breaks the life cycle there: -{CYCLE} {each(was.height(rival, colour))}"
        if self.game.players == 1:
            yield f"replaces the {colour} top {card}{ending}"
            yield "unlocks any card of the pool"
            return
        yield f"steals player {rival}'s {colour} top {card}{ending}"
        change = now.points(rival) - was.points(rival)
        if change:
            yield f"{'costs' if change < 0 else 'brings'} player {rival} {points_text(abs(change))}"
        yield from self.lays(card)

    @staticmethod
    def is_invaded(before: Sequence[str], after: Sequence[str]) -> bool:
        """Whether a column has another top card; that of the player himself has one more."""
        return before != after and len(before) == len(after)

    def beds(self) -> Iterator[str]:
        """`raises blue by 2 for each of 4 cards`."""
        before, after = (table.tableaus[self.player].get("flowerbeds", ()) for table in (self.was, self.is_now))
        colour = next(colour for colour in after if colour not in before)
        yield f"raises {colour} by {BED} {each(self.was.height(self.player, colour))}"

    # Drafting

    def drafts(self) -> Iterator[str]:
        """The card, the memories, and what the card can do when it is placed."""
        was, now = self.was, self.is_now
        taken = [slot for slot, card in was.pool.items() if card != now.pool[slot]]
        if not taken:
            few = was.view["deck"] < TWO
            yield "draws two cards" + (", the discards shuffled" if few else f" of the {was.view['deck']} in the deck")
            return
        slot = taken[0]
        card = str(was.pool[slot])
        yield from self.clears(slot)
        if card == HARLEQUIN:
            yield "takes a Harlequin"
            return
        colour, state = was.colour(card), was.state(card)
        alone = was.in_pool(state) == 1
        yield f"takes {card}" + (f", the only {state} of the pool" if alone and state != "eggs" else "")
        if self.completes(colour, card):
            yield f"could complete the life cycle in {colour}"
        elif self.fills_row(colour):
            yield f"could complete row {was.rows(self.player) + 1}"
        points = was.feeds(self.player)[was.type(card)]
        if points:
            yield f"will feed it for {points_text(points)}"

    def clears(self, slot: str) -> Iterator[str]:
        """`clears row b: a memory`; which lines of the pool have no card any more."""
        slots = self.was.pool
        empty = {other for other, card in slots.items() if card is None or other == slot}
        lines = [
            f"{name} {slot[i]}"
            for i, name in enumerate(("row", "column"))
            if all(other in empty for other in slots if other[i] == slot[i])
        ]
        count = self.is_now.tableaus[self.player]["memories"] - self.was.tableaus[self.player]["memories"]
        if lines:
            yield f"clears {joined(lines)}{MEMORIES[count]}{self.worth('memories')}"

    def worth(self, component: str) -> str:
        """` for 4 points`, what a component has grown by."""
        points = self.is_now.components(self.player)[component] - self.was.components(self.player)[component]
        return f" for {points_text(points)}" if points else ""

    # Garden tiles

    def uses(self) -> Iterator[str]:
        """What the garden tile that was flipped lets do."""
        was, now, player = self.was, self.is_now, self.player
        before = Counter(was.tableaus[player].get("used", ()))
        after = Counter(now.tableaus[player].get("used", ()))
        # where this was the last turn of a day, all are face up again: it was the only one left
        flipped = [*(after - before).elements()] or [name for name in [*TILES][: was.day] if name not in before]
        tile = flipped[0]
        if now.phase == "place":
            yield f"uses {TILES[tile]} to place another card and draft again"
        elif now.phase == "card":
            yield f"uses {TILES[tile]} to take an orchard card"
        elif now.phase == "feed":
            yield f"uses {TILES[tile]} to take a feeding tile"
            names = list(dict.fromkeys(now.stacks[stack - 1]["top"] for stack in now.claimable(player)))
            yield f"can choose from {joined(names) if len(names) <= SHOWN else f'{len(names)} kinds of them'}"
        elif now.tableaus[player]["memories"] > was.tableaus[player]["memories"]:
            yield f"gains a memory{self.worth('memories')}"
        else:
            yield f"flips {TILES[tile]}, which can do nothing now"

    def tends(self) -> Iterator[str]:
        """The orchard card, its aphids, and what is left."""
        was, now, player = self.was, self.is_now, self.player
        grown = Counter(now.tableaus[player].get("orchards", {})) - Counter(was.tableaus[player].get("orchards", {}))
        colour = next(iter(grown))
        yield f"raises {colour} by 1 {each(was.height(player, colour))}"
        yield f"takes {aphids_text(now.tableaus[player]['aphids'] - was.tableaus[player]['aphids'])}"
        left = [f"{card['card']} with {aphids_text(card['aphids'])}" for card in now.orchard if card is not None]
        if left:
            yield f"leaves {joined(left)}"

    def feeds(self) -> Iterator[str]:
        """`feeds Seven-spot ladybirds: +2 for each of 3 cards`, what it costs, and whether it may go on."""
        was, now, player = self.was, self.is_now, self.player
        got = [*(Counter(now.feeding(player)) - Counter(was.feeding(player))).elements()]
        if not got:
            yield f"ends the picnic with {aphids_text(was.tableaus[player]['aphids'])} left"
            return
        _, letter, points, cost, honeydew, threshold, _ = was.tile(got[0])
        count = was.types(player)[letter]
        yield f"feeds {was.type_name(letter)} ladybirds: +{points} {each(count)}"
        if cost:
            yield f"costs {aphids_text(cost)}, leaves {was.tableaus[player]['aphids'] - cost}"
        if threshold:
            left = count - was.mildew(player, letter) - threshold
            yield f"leaves {cards_text(left) if left else 'no card'} for more mildew"
        if honeydew:
            yield "may take another tile"

    def discards(self) -> Iterator[str]:
        """`discards BLS and keeps GAT, OPD, RES and H`."""
        kept = Counter(self.was.hand(self.player))
        kept.subtract(self.given)
        yield f"discards {self.given[0]} and keeps {joined(kept.elements())}"


def each(count: int) -> str:
    """`for each of 4 cards`."""
    return f"for each of {count} cards" if count > 1 else "for one card" if count else "a card, for none yet"
