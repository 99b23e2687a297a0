"""The table as fields write it, for the notation, the picture and the words: columns, cards, tiles and what they score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from garden_core.games.ladybird import GARDEN_TILES, STATE_LETTERS, STATE_NAMES, Ladybird

HARLEQUIN = "H"
CYCLE = 3  # points a card of a column with a life cycle
BED = 2  # points a card of a column with a flowerbed
SIDE = 3  # slots in a row of the pool
# The phases in which one player after another has his turn; those of chance only after the table is laid.
TURNS = ("pool", "orchard", "stacks", "draw", "target", "bed", "draft", "tile", "place", "card", "feed")
PLURALS = {"eggs": "eggs", "larva": "larvae", "pupa": "pupae", "adult": "adults"}
ANY = "any"  # what a Harlequin unlocks alone


class Table:
    """One view, with the questions that are asked of it."""

    def __init__(self, game: Ladybird, view: Mapping[str, Any]) -> None:
        self.game = game
        self.view = view
        self.phase: str = view["phase"]
        self.players = range(game.players)
        self.tableaus: Sequence[Mapping[str, Any]] = view["tableaus"]
        self.orchard: Sequence[Mapping[str, Any] | None] = view["orchard"]
        self.stacks: Sequence[Mapping[str, Any]] = view["stacks"]

    # Turns

    @property
    def day(self) -> int:
        """The day, from 1, which has as many rounds as its number."""
        return next(day for day in range(1, len(GARDEN_TILES) + 1) if day * (day + 1) // 2 >= self.view["round"])

    @cached_property
    def order(self) -> list[int]:
        """The seats in the order of their turns in this round; none where it is nobody's turn."""
        if self.phase not in TURNS or "turn" not in self.view:
            return []
        return [(self.view["first"] + i) % self.game.players for i in self.players]

    @property
    def turn(self) -> int:
        """Whose turn it is; -1 where it is nobody's."""
        return self.order[self.view["turn"]] if self.order else -1

    @property
    def mover(self) -> int:
        """Whoever decides or, where chance does, whose turn it is; -1 for nobody."""
        return self.view["to_move"] if self.view["to_move"] >= 0 else self.turn

    def revealed(self, seat: int) -> str | None:
        """The card that a player has chosen in this round and not placed yet; `hidden` where it is not seen."""
        chosen: Sequence[str | None] = self.view.get("revealed", ())
        return chosen[seat] if chosen else None

    # Cards

    def hand(self, seat: int) -> list[str]:
        """The cards of a hand that are known to whoever sees this."""
        own = self.view["hands"][seat]
        return [*own.get("cards", own.get("known", ()))]

    def colour(self, card: str) -> str:
        """`blue` of BLS."""
        return self.game.colours[self.game.colour_letters.index(card[0])]

    def state(self, card: str) -> str:
        """`larva` of BLS."""
        return STATE_NAMES[STATE_LETTERS.index(card[1])]

    def type(self, card: str) -> str:
        """`S` of BLS; `H` of the Harlequin."""
        return card[-1]

    @cached_property
    def pool(self) -> dict[str, str | None]:
        """The card in each slot, None for no card."""
        words = [word for row in self.view["pool"] for word in row.split()]
        return {slot: None if word.startswith("-") else word for slot, word in zip(self.game.slots, words, strict=True)}

    @property
    def unlocks(self) -> str | None:
        """The state that may be drafted, `none` or `any`; None where nothing is drafted now."""
        state: str | None = self.view.get("unlocks")
        return state

    def draftable(self) -> list[str]:
        """The slots from which the player to move may take a card."""
        return [slot for slot, card in self.pool.items() if card is not None and self.unlocked(card)]

    def unlocked(self, card: str) -> bool:
        """Whether a card of the pool may be taken."""
        return self.unlocks == ANY or card == HARLEQUIN or self.state(card) == self.unlocks

    def in_pool(self, state: str) -> int:
        """Cards of a state in the pool."""
        return sum(card not in (None, HARLEQUIN) and self.state(str(card)) == state for card in self.pool.values())

    # Tableaus

    def column(self, seat: int, colour: str) -> list[str]:
        """The cards of a column, the top one last."""
        return [*self.tableaus[seat]["columns"].get(colour, ())]

    def height(self, seat: int, colour: str) -> int:
        """Cards of a column."""
        return len(self.column(seat, colour))

    def rows(self, seat: int) -> int:
        """Rows in which no column is missing."""
        return min(self.height(seat, colour) for colour in self.game.colours)

    def states(self, seat: int, colour: str) -> set[str]:
        """The states that a column has, the Harlequins aside."""
        return {self.state(card) for card in self.column(seat, colour) if card != HARLEQUIN}

    def has(self, seat: int, what: str, colour: str) -> bool:
        """Whether a colour is among a player's `flowerbeds`, `life_cycles` or `lost`."""
        return colour in self.tableaus[seat].get(what, ())

    def orchards(self, seat: int, colour: str) -> int:
        """Orchard cards above a column."""
        count: int = self.tableaus[seat].get("orchards", {}).get(colour, 0)
        return count

    def a_card(self, seat: int, colour: str) -> int:
        """Points for each card of a column."""
        cycle, bed = self.has(seat, "life_cycles", colour), self.has(seat, "flowerbeds", colour)
        return self.orchards(seat, colour) + CYCLE * cycle + BED * bed

    def types(self, seat: int) -> Counter[str]:
        """How many cards of each type a player has, by letter."""
        return Counter(self.type(card) for colour in self.game.colours for card in self.column(seat, colour))

    def feeding(self, seat: int) -> list[str]:
        """A player's feeding tiles."""
        return [*self.tableaus[seat].get("feeding", ())]

    def feeds(self, seat: int) -> Counter[str]:
        """Points for each card of a type, by letter."""
        points: Counter[str] = Counter()
        for name in self.feeding(seat):
            _, letter, worth, *_ = self.tile(name)
            points[letter] += worth
        return points

    def mildew(self, seat: int, letter: str) -> int:
        """The thresholds of a player's mildew tiles of a type, together."""
        tiles = [self.tile(name) for name in self.feeding(seat)]
        return sum(threshold for _, type_, _, _, _, threshold, _ in tiles if type_ == letter)

    def components(self, seat: int) -> dict[str, int]:
        """Points so far by the names of the score's components."""
        own = self.tableaus[seat]
        colours = self.game.colours
        feeds, types = self.feeds(seat), self.types(seat)
        values = (
            sum(self.orchards(seat, colour) * self.height(seat, colour) for colour in colours),
            sum(CYCLE * self.height(seat, colour) for colour in own.get("life_cycles", ())),
            sum(BED * self.height(seat, colour) for colour in own.get("flowerbeds", ())),
            sum(points * types[letter] for letter, points in feeds.items()),
            self.game.memory_points(own["memories"]),
            own["aphids"],
        )
        return dict(zip(self.game.component_names, values, strict=True))

    def points(self, seat: int) -> int:
        """Points so far."""
        return sum(self.components(seat).values())

    # Tiles

    def tile(self, name: str) -> tuple[str, str, int, int, bool, int, int]:
        """What is on a feeding tile, as the game lists it."""
        return next(tile for tile in self.game.tiles if tile[0] == name)

    def claimable(self, seat: int) -> list[int]:
        """The stacks, from 1, whose top a player can take."""
        return [number for number, stack in enumerate(self.stacks, 1) if stack["top"] and self.can_claim(seat, stack["top"])]

    def can_claim(self, seat: int, name: str) -> bool:
        """Whether a player has the aphids, or the cards, for a feeding tile."""
        _, letter, _, cost, _, threshold, _ = self.tile(name)
        if threshold:
            return self.mildew(seat, letter) + threshold <= self.types(seat)[letter]
        return cost <= int(self.tableaus[seat]["aphids"])

    def type_name(self, letter: str) -> str:
        """`Seven-spot` of S."""
        return "Harlequin" if letter == HARLEQUIN else self.game.types[self.game.type_letters.index(letter)]


def spaced(names: Iterable[str]) -> str:
    """`BLS GAT H`."""
    return " ".join(names) or "none"


def plural(state: str) -> str:
    """`larvae` of larva."""
    return PLURALS[state]


def aphids_text(count: int) -> str:
    """`3 aphids`."""
    return f"{count} aphid{'' if count == 1 else 's'}"


def memories_text(count: int) -> str:
    """`1 memory`."""
    return f"{count} {'memory' if count == 1 else 'memories'}"


def cards_text(count: int) -> str:
    """`4 cards`."""
    return f"{count} card{'' if count == 1 else 's'}"
