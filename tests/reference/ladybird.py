"""Ladybird in slow, plain Python, written from the rulebook and the rulings: the compiled game's oracle.

Cards are called by three letters, colour, state and type ("BLS"), the Harlequin "H"; what is on a card is read from its
name when it is asked. Equal cards are told apart by what is known of them only. Chance draws from what is in a pile: no
order of a pile is kept. Only the standard library is used, and nothing of
the package under test. At the end stands the enumerator of what an observer cannot see.
"""

import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, prod
from typing import Any, TypeAlias

HARLEQUIN = "H"
STATES = {"E": "eggs", "L": "larva", "P": "pupa", "A": "adult"}
UNLOCKED = {"E": "L", "L": "P", "P": "A", "A": "E"}
NO_MATCH = "none"  # unlocked by a Harlequin that found no target
ANY = "any"  # unlocked by a Harlequin, alone
GARDEN_TILES = ("rose", "orchard", "picnic", "shed", "tea")  # one more each day
ROUNDS = 15
HAND = 4
STACKS = 8
AT_ONCE = 4  # cards of the pool, or tops of stacks, that come in one event, at most
BLIND = 2  # cards drawn where none fits
APHIDS = 2  # on a new orchard card
LIFE_CYCLE_POINTS = 3
FLOWERBED_POINTS = 2

COMPONENTS = ("orchards", "life cycles", "flowerbeds", "ladybirds", "memories", "aphids")

CHANCE = -1  # actor: chance is to move
TERMINAL = -2  # actor: the game is over
PUBLIC = -1  # observer: an onlooker, who sees what lies face up
ALL = -2  # observer: one who sees everything

# ("reveal", card) | ("invade", seat, colour) | ("bed", colour) | ("take", slot) | ("blind",) | ("rose",) | ("orchard",)
# | ("picnic",) | ("shed", "place" or "orchard") | ("tea", "memory" or "picnic") | ("place", card) | ("card", orchard slot)
# | ("feed", stack) | ("stop",) | ("discard", card)
Choice: TypeAlias = tuple[Any, ...]
# ("hand", seat, (card, ..)) | ("pool", (card, ..)) | ("orchard", (colour, ..)) | ("tiles", (name, ..)) | ("first", seat)
# | ("draw", (card, card))
Event: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True)
class Feeding:
    """A kind of feeding tile; with a threshold it is a mildew tile."""

    type: str
    points: int
    cost: int = 0
    honeydew: bool = False
    threshold: int = 0
    count: int = 1

    @property
    def name(self) -> str:
        if self.threshold:
            return f"{self.type}{self.points}:m{self.threshold if self.threshold > 1 else ''}"
        return f"{self.type}{self.points}:{self.cost}{'h' * self.honeydew}"


COLOURS = {"red": "R", "blue": "B", "orange": "O", "green": "G", "purple": "P"}
TYPES = {"Transverse": "T", "Twenty-two-spot": "V", "Seven-spot": "S", "Two-spot": "D", "Orange": "O", "Eyed": "Y"}
TILES = (
    *(
        Feeding(kind, points, cost, honeydew, count=count) for kind in "TSDOY" for points, cost, honeydew, count in
        ((1, 1, False, 1), (1, 2, True, 2), (2, 3, False, 2), (2, 4, True, 1), (3, 5, False, 1))
    ),
    Feeding("V", 2, threshold=1, count=4), Feeding("V", 3, threshold=1, count=3),
    Feeding("H", 3, 1, honeydew=True, count=2), Feeding("H", 4, 2, count=2), Feeding("H", 5, 3, count=2),
)
MEMORIES = (1, 3, 6, 10, 15, 21, 28, 36, 45, 55)


@dataclass(frozen=True)
class Setup:
    """The components and options of one game."""

    players: int
    cards: Mapping[str, int]  # how many of each face, in the order of the components
    tiles: tuple[Feeding, ...] = TILES
    colours: Mapping[str, str] = field(default_factory=lambda: dict(COLOURS))  # name -> letter
    orchard: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(COLOURS, 5))
    memories: tuple[int, ...] = MEMORIES
    more: int = 10  # points of each memory beyond the table
    life_cycle_regain: bool = False
    first: int | None = None  # drawn
    listed: int = 128  # events are not listed where they are more

    @property
    def alone(self) -> bool:
        return self.players == 1

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """Of the common pool, row by row."""
        return tuple(row + column for row in ("ab" if self.alone else "abc") for column in "123")

    @property
    def orchard_slots(self) -> int:
        return 2 if self.alone else 3

    @cached_property
    def tile_named(self) -> dict[str, Feeding]:
        """In the order of the components."""
        return {tile.name: tile for tile in self.tiles}

    def colour(self, card: str) -> str:
        """Its name."""
        return next(name for name, letter in self.colours.items() if letter == card[0])

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Of the faces, in their order."""
        return {card: number for number, card in enumerate(self.cards)}

    def in_order(self, cards: Iterable[str]) -> list[str]:
        return sorted(cards, key=self.numbers.__getitem__)


def components_of(
    types: Mapping[str, Iterable[str]] | None = None, harlequins: int = 8, tiles: Iterable[Feeding] = TILES,
    orchard: Iterable[int] = (5, 5, 5, 5, 5),
) -> dict[str, Any]:
    """The plain data of a component file; `types` are those of a colour's eggs, larvae, pupae and adults."""
    cards = {colour: list((types or {}).get(colour, ["TVSDOY"] * 4)) for colour in COLOURS}
    return {
        "colours": {"names": list(COLOURS), "letters": list(COLOURS.values())},
        "types": {"names": list(TYPES), "letters": list(TYPES.values())},
        "cards": {"harlequins": harlequins, **cards},
        "orchard": {"cards": list(orchard)},
        "memories": {"points": list(MEMORIES), "more": 10},
        "tiles": [dict(vars(tile)) for tile in tiles],
    }


def setup_of(players: int, components: Mapping[str, Any], **options: Any) -> Setup:
    """From the plain data of a component file."""
    colours = dict(zip(components["colours"]["names"], components["colours"]["letters"], strict=True))
    order = components["types"]["letters"]
    faces = [
        letter + state + kind
        for name, letter in colours.items()
        for state, types in zip(STATES, components["cards"][name], strict=True)
        for kind in sorted(types, key=order.index)
    ]
    faces += [HARLEQUIN] * components["cards"]["harlequins"]
    return Setup(
        players, Counter(faces), tuple(Feeding(**entry) for entry in components["tiles"]), colours,
        dict(zip(colours, components["orchard"]["cards"], strict=True)),
        tuple(components["memories"]["points"]), components["memories"]["more"], **options,
    )


def check_setup(setup: Setup) -> None:
    """Raises ValueError when no game can be played with this setup."""
    if not 1 <= setup.players <= 4:
        raise ValueError("players: expected 1 to 4")
    if sum(setup.cards.values()) < (34 if setup.alone else 28 * setup.players + 9):
        raise ValueError("cards: expected enough for tableaus, hands and pool")
    if sum(tile.count for tile in setup.tiles) % STACKS:
        raise ValueError("tiles: expected equal stacks")


@dataclass(frozen=True)
class Held:
    """A card in a hand, and what everybody knows of it."""

    card: str
    since: int = 0  # how often the deck had been made anew when it was drawn
    known: bool = False  # which card it is


@dataclass(frozen=True)
class Tableau:
    """What lies before a player."""

    columns: Mapping[str, tuple[str, ...]]  # of each colour, the top last
    orchards: Counter[str] = field(default_factory=Counter)
    flowerbeds: frozenset[str] = frozenset()
    life_cycles: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()  # life cycles that cannot be won back
    feeding: tuple[str, ...] = ()
    aphids: int = 0
    memories: int = 0
    used: frozenset[str] = frozenset()

    def cards(self) -> list[str]:
        return [card for column in self.columns.values() for card in column]

    def count(self, kind: str) -> int:
        """Cards with this type of ladybird."""
        return sum(card[-1] == kind for card in self.cards())

    def height(self) -> int:
        """Full rows of all colours."""
        return min(map(len, self.columns.values()))

    def is_complete(self, colour: str) -> bool:
        """Whether the column shows all states."""
        return {card[1] for card in self.columns[colour] if card != HARLEQUIN} == set(STATES)

    def with_column(self, colour: str, cards: tuple[str, ...]) -> "Tableau":
        return replace(self, columns={**self.columns, colour: cards})


class Reference:
    """One full state of the game."""

    def __init__(self, setup: Setup) -> None:
        check_setup(setup)
        players = setup.players
        self.setup = setup
        self.phase = "hands"
        self.preparing = True
        self.round = 1
        self.first = setup.first or 0
        self.turn = 0  # turns of the round that are finished
        self.deck = Counter(setup.cards)
        self.discards: Counter[str] = Counter()
        self.shuffles = 0  # how often the deck was made anew
        self.hands: list[tuple[Held, ...]] = [()] * players
        self.revealed: list[str | None] = [None] * players
        self.tableaus = [Tableau(dict.fromkeys(setup.colours, ())) for _ in self.players]
        self.pool: dict[str, str | None] = dict.fromkeys(setup.slots)
        self.refill: tuple[str, ...] = ()  # slots
        self.orchard: list[tuple[str, int] | None] = [None] * setup.orchard_slots  # colour and aphids
        self.orchard_deck = Counter(setup.orchard)
        self.tiles = Counter({tile.name: tile.count for tile in setup.tiles})  # below the tops
        self.tops: list[str | None] = [None] * STACKS
        self.below = [sum(self.tiles.values()) // STACKS] * STACKS
        self.unlocks = NO_MATCH  # a letter of a state, NO_MATCH or ANY
        self.extra = False  # a Rose Garden's or Toolshed's draft
        self.chain = False  # a honeydew tile was taken

    def copy(self) -> "Reference":
        other = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, (list, dict)):
                setattr(other, name, value.copy())
        return other

    # --- whose turn it is, and for what ---

    @property
    def players(self) -> range:
        return range(self.setup.players)

    def mover(self) -> int:
        """Whose turn it is."""
        return (self.first + self.turn) % self.setup.players

    @property
    def actor(self) -> int:
        match self.phase:
            case "over":
                return TERMINAL
            case "hands" | "pool" | "orchard" | "stacks" | "first" | "draw":
                return CHANCE
            case "reveal":
                return self.revealed.index(None)
            case "discard":
                seats = [(self.first + turn) % self.setup.players for turn in self.players]
                return next(seat for seat in seats if len(self.hands[seat]) > HAND)
        return self.mover()

    def simultaneous(self) -> bool:
        return self.phase == "reveal" and not self.setup.alone

    def withdraw(self) -> None:
        """Takes back all choices of an open simultaneous phase; does nothing when none is open."""
        if self.simultaneous():
            self.revealed = [None] * self.setup.players

    def choices(self) -> list[Choice]:
        if self.actor < 0:
            return []
        seat, tableau = self.actor, self.tableaus[self.actor]
        match self.phase:
            case "reveal" | "discard":
                return [(self.phase, card) for card in self.cards_of(seat)]
            case "place":
                return [("place", card) for card in self.cards_of(seat) if card != HARLEQUIN]
            case "target":
                return [("invade", *target) for target in self.targets()]
            case "bed":
                return [("bed", colour) for colour in self.setup.colours if colour not in tableau.flowerbeds]
            case "draft":
                return self.drafts()
            case "tile":
                available = [step for step in self.tile_steps() if step[0] not in tableau.used]
                resolvable = [step for step in available if self.is_resolvable(step)]
                return resolvable or [step for step in available if step != ("shed", "orchard")]
            case "card":
                return [
                    ("card", i) for i, card in enumerate(self.orchard, 1) if card and card not in self.orchard[:i - 1]
                ]
        return [*[("stop",)][:self.chain], *(("feed", stack) for stack in self.claimable())]

    def cards_of(self, seat: int) -> list[str]:
        """Each once."""
        return self.setup.in_order({held.card for held in self.hands[seat]})

    def targets(self) -> list[tuple[int, str]]:
        """Columns that a Harlequin may invade."""
        seats = [seat for seat in self.players if seat != self.mover() or self.setup.alone]
        columns = [(seat, colour, self.tableaus[seat].columns[colour]) for seat in seats for colour in self.setup.colours]
        return [
            (seat, colour) for seat, colour, cards in columns if cards and (cards[-1] != HARLEQUIN or self.setup.alone)
        ]

    def drafts(self) -> list[Choice]:
        lying = {slot: card for slot, card in self.pool.items() if card}
        if self.unlocks == ANY:
            return [("take", slot) for slot in lying]
        match_ = [slot for slot, card in lying.items() if card != HARLEQUIN and card[1] == self.unlocks]
        takes = [("take", slot) for slot, card in lying.items() if card == HARLEQUIN or slot in match_]
        return takes if match_ else [("blind",), *takes]

    def tile_steps(self) -> list[Choice]:
        """Of the tiles that are in play on this day."""
        steps: list[Choice] = [
            ("rose",), ("orchard",), ("picnic",), ("shed", "place"), ("shed", "orchard"), ("tea", "memory"), ("tea", "picnic"),
        ]
        return [step for step in steps if step[0] in GARDEN_TILES[:self.day()]]

    def day(self) -> int:
        """Day d has d rounds."""
        return next(day for day in range(1, 6) if self.round <= day * (day + 1) // 2)

    def is_resolvable(self, step: Choice) -> bool:
        match step:
            case ("rose",) | ("shed", "place"):
                return any(held.card != HARLEQUIN for held in self.hands[self.mover()])
            case ("orchard",) | ("shed", "orchard"):
                return any(self.orchard)
            case ("picnic",) | ("tea", "picnic"):
                return len(self.claimable()) > 0
        return True

    def claimable(self) -> list[int]:
        """Stacks, from 1, of those that are alike the first."""
        stacks = list(zip(self.tops, self.below, strict=True))
        return [i for i, stack in enumerate(stacks, 1) if self.may_claim(stack[0]) and stack not in stacks[:i - 1]]

    def may_claim(self, name: str | None) -> bool:
        if name is None:
            return False
        tableau, tile = self.tableaus[self.mover()], self.setup.tile_named[name]
        if not tile.threshold:
            return tile.cost <= tableau.aphids
        owned = [self.setup.tile_named[other] for other in tableau.feeding]
        return tableau.count(tile.type) >= tile.threshold + sum(own.threshold for own in owned if own.type == tile.type)

    # --- chance ---

    def events(self) -> list[tuple[Event, Fraction]]:
        """Nothing where they are more than are listed."""
        found: Iterator[tuple[Event, Fraction]]
        match self.phase:
            case "hands":
                found = (
                    (("hand", self.dealt_to(), cards), chance) for cards, chance in self.without_order(self.deck, HAND)
                )
            case "pool":
                found = ((("pool", cards), chance) for cards, chance in self.off_the_deck(len(self.refill[:AT_ONCE])))
            case "orchard":
                count = len(self.orchard) if self.preparing else 1
                found = ((("orchard", cards), chance) for cards, chance in in_turn(self.orchard_deck, count))
            case "stacks":
                found = ((("tiles", names), chance) for names, chance in in_turn(self.tiles, len(self.to_turn_up())))
            case "first":
                found = ((("first", seat), Fraction(1, self.setup.players)) for seat in self.players)
            case "draw":
                found = ((("draw", cards), chance) for cards, chance in self.drawn())
            case _:
                return []
        events: list[tuple[Event, Fraction]] = []
        for event in found:
            if len(events) == self.setup.listed:
                return []
            events.append(event)
        return events

    def without_order(self, pile: Counter[str], count: int) -> Iterator[tuple[tuple[str, ...], Fraction]]:
        """Cards drawn at once, in the order of faces, and how likely they are."""
        faces = self.setup.in_order(card for card, copies in pile.items() if copies)
        total = comb(pile.total(), count)
        for cards, ways in sets_of([(card, pile[card]) for card in faces], count):
            yield cards, Fraction(ways, total)

    def off_the_deck(self, count: int) -> Iterator[tuple[tuple[str, ...], Fraction]]:
        """One after another, the discards once the deck has none."""
        rest = max(0, count - self.deck.total())
        for cards, chance in in_turn(self.deck, count - rest):
            for more, chance_of_more in in_turn(self.discards, rest):
                yield cards + more, chance * chance_of_more

    def drawn(self) -> Iterator[tuple[tuple[str, ...], Fraction]]:
        rest = max(0, BLIND - self.deck.total())
        if rest == 1:
            last = next(self.deck.elements())
            for card, copies in self.discards.items():
                if copies:
                    yield tuple(self.setup.in_order((last, card))), Fraction(copies, self.discards.total())
        else:
            yield from self.without_order(self.deck if rest == 0 else self.discards, BLIND)

    def dealt_to(self) -> int:
        """Who gets the next hand."""
        return next(seat for seat in self.players if not self.hands[seat])

    def to_turn_up(self) -> list[int]:
        """Stacks whose top is turned up next."""
        return [stack for stack in range(STACKS) if self.tops[stack] is None and self.below[stack]][:AT_ONCE]

    def is_possible(self, event: Event) -> bool:
        """Whether chance may bring this, which need not be among events that are listed."""
        match self.phase, event:
            case "hands", ("hand", seat, cards):
                fits = len(cards) == HAND and list(cards) == self.setup.in_order(cards)
                return seat == self.dealt_to() and fits and Counter(cards) <= self.deck
            case "pool", ("pool", cards):
                lowest = min(len(cards), self.deck.total())
                front, rest = Counter(cards[:lowest]), Counter(cards[lowest:])
                return len(cards) == len(self.refill[:AT_ONCE]) and front <= self.deck and rest <= self.discards
            case "draw", ("draw", cards):
                pair = Counter[str](cards)
                if len(cards) != BLIND or list(cards) != self.setup.in_order(cards):
                    return False
                if self.deck.total() >= BLIND:
                    return pair <= self.deck
                return self.deck <= pair and pair - self.deck <= self.discards
            case "stacks", ("tiles", names):
                return len(names) == len(self.to_turn_up()) and Counter(names) <= self.tiles
        return event in [step for step, _ in self.events()]

    # --- steps ---

    def apply(self, step: Choice | Event) -> None:
        match step:
            case ("hand", seat, cards):
                self.hands[seat] = tuple(Held(self.take_off(card)) for card in cards)
                if all(self.hands):
                    self.refill, self.phase = self.setup.slots, "pool"
            case ("pool", cards):
                for slot, card in zip(self.refill, cards, strict=False):
                    self.pool[slot] = self.take_off(card)
                self.refill = self.refill[AT_ONCE:]
                if not self.refill:
                    self.after_refill()
            case ("orchard", colours):
                for colour in colours:
                    self.orchard_deck[colour] -= 1
                    self.orchard[self.orchard.index(None)] = colour, APHIDS
                self.phase = "stacks"
                if not self.preparing:
                    self.end_turn()
            case ("tiles", names):
                for stack, name in zip(self.to_turn_up(), names, strict=True):
                    self.tiles[name] -= 1
                    self.below[stack] -= 1
                    self.tops[stack] = name
                if not self.to_turn_up():
                    self.after_turning_up()
            case ("first", seat):
                self.first = seat
                self.begin_round()
            case ("reveal", card):
                self.revealed[self.actor] = card
                if None not in self.revealed:
                    for seat, shown in enumerate(self.revealed):
                        assert shown is not None
                        self.out_of_hand(seat, shown)
                    self.begin_turn()
            case ("discard", card):
                self.discards[self.out_of_hand(self.actor, card)] += 1
                self.go_on_discarding()
            case _:
                self.apply_in_turn(step)

    def apply_in_turn(self, step: Choice | Event) -> None:
        seat = self.mover()
        match step:
            case ("invade", victim, colour):
                self.revealed[seat] = None
                card = self.invade(victim, colour)
                if self.setup.alone:
                    self.discards[card] += 1
                    self.unlock(ANY)
                else:
                    self.place(card)
            case ("bed", colour):
                self.change(flowerbeds=self.tableaus[seat].flowerbeds | {colour})
                self.phase = "draft"
            case ("take", slot):
                self.take(slot)
            case ("blind",):
                self.phase = "draw"
            case ("draw", cards):
                for card in sorted(cards, key=lambda card: self.deck[card] == 0):  # what the old deck had left comes first
                    self.take_off(card)
                    self.hands[seat] += (Held(card, self.shuffles),)
                self.after_draft()
            case ("place", card):
                self.extra = True
                self.place(self.out_of_hand(seat, card))
            case ("card", number):
                self.take_orchard(number - 1)
            case ("feed", number):
                self.feed(number - 1)
            case ("stop",):
                self.end_turn()
            case _:
                self.use(step)

    def change(self, seat: int | None = None, **values: Any) -> None:
        """In a tableau, that of whose turn it is by default."""
        seat = self.mover() if seat is None else seat
        self.tableaus[seat] = replace(self.tableaus[seat], **values)

    # --- cards ---

    def take_off(self, card: str) -> str:
        """From the deck, which is made anew if it is empty."""
        if not self.deck.total():
            self.deck, self.discards = self.discards, Counter()
            self.shuffles += 1
        self.deck[card] -= 1
        assert self.deck[card] >= 0
        return card

    def out_of_hand(self, seat: int, card: str) -> str:
        """Of equal cards the one that everybody knows; else the one that was held longest."""
        hand = list(self.hands[seat])
        hand.remove(min((held for held in hand if held.card == card), key=lambda held: (not held.known, held.since)))
        self.hands[seat] = tuple(hand)
        return card

    # --- the course of rounds ---

    def after_refill(self) -> None:
        if self.preparing:
            self.phase = "orchard"
        else:
            self.after_draft()

    def after_turning_up(self) -> None:
        if not self.preparing:
            self.after_feeding()
        elif self.setup.first is None and not self.setup.alone:
            self.phase = "first"
        else:
            self.begin_round()

    def begin_round(self) -> None:
        self.preparing = False
        self.turn = 0
        self.revealed = [None] * self.setup.players
        self.phase = "reveal"

    def begin_turn(self) -> None:
        card = self.revealed[self.mover()]
        assert card is not None
        if card != HARLEQUIN:
            self.revealed[self.mover()] = None
            self.place(card)
        elif self.targets():
            self.phase = "target"
        else:
            self.revealed[self.mover()] = None
            self.discards[HARLEQUIN] += 1
            self.unlock(ANY if self.setup.alone else NO_MATCH)

    def end_turn(self) -> None:
        self.extra = self.chain = False
        self.turn += 1
        if self.turn < self.setup.players:
            self.begin_turn()
        else:
            self.go_on_discarding()

    def go_on_discarding(self) -> None:
        self.phase = "discard"
        if all(len(hand) <= HAND for hand in self.hands):
            self.end_round()

    def end_round(self) -> None:
        if self.round == ROUNDS:
            self.phase = "over"
            return
        day = self.day()
        self.round += 1
        self.first = (self.first + 1) % self.setup.players
        if self.day() > day:
            self.tableaus = [replace(tableau, used=frozenset()) for tableau in self.tableaus]
        self.begin_round()

    # --- the steps of a turn ---

    def place(self, card: str) -> None:
        """And what comes of it."""
        before = self.tableaus[self.mover()]
        colour = self.setup.colour(card)
        after = before.with_column(colour, (*before.columns[colour], card))
        if after.is_complete(colour) and colour not in after.lost:
            after = replace(after, life_cycles=after.life_cycles | {colour})
        self.tableaus[self.mover()] = after
        self.unlock(UNLOCKED[card[1]])
        if after.height() > before.height() and len(after.flowerbeds) < len(self.setup.colours):
            self.phase = "bed"

    def invade(self, victim: int, colour: str) -> str:
        """The card replaced."""
        tableau = self.tableaus[victim]
        *below, card = tableau.columns[colour]
        tableau = tableau.with_column(colour, (*below, HARLEQUIN))
        if colour in tableau.life_cycles and not tableau.is_complete(colour):
            tableau = replace(tableau, life_cycles=tableau.life_cycles - {colour})
            if not self.setup.life_cycle_regain:
                tableau = replace(tableau, lost=tableau.lost | {colour})
        self.tableaus[victim] = tableau
        return card

    def unlock(self, what: str) -> None:
        self.unlocks = what
        self.phase = "draft"

    def take(self, slot: str) -> None:
        """A card of the pool into the hand."""
        card, seat = self.pool[slot], self.mover()
        assert card is not None
        self.pool[slot] = None
        self.hands[seat] += (Held(card, known=True),)
        row = [other for other in self.setup.slots if other[0] == slot[0]]
        column = [other for other in self.setup.slots if other[1] == slot[1]]
        cleared = [line for line in (row, column) if not any(self.pool[other] for other in line)]
        worth = [line for line in cleared if line == row or not self.setup.alone]
        memories = len(cleared) if len(cleared) == 2 else len(worth)
        self.change(memories=self.tableaus[seat].memories + memories)
        self.refill = tuple(other for other in self.setup.slots if any(other in line for line in cleared))
        if self.refill:
            self.phase = "pool"
        else:
            self.after_draft()

    def after_draft(self) -> None:
        if self.extra:
            self.end_turn()
        else:
            self.phase = "tile"

    def use(self, step: Choice) -> None:
        """A garden tile."""
        seat, resolvable = self.mover(), self.is_resolvable(step)
        tableau = self.tableaus[seat]
        # a flip without effect shows that nothing else could be done: all know that the hand holds only Harlequins
        if not resolvable and {"rose", "shed"} & {tile for tile, *_ in self.tile_steps()} - tableau.used:
            self.hands[seat] = tuple(replace(held, known=True, since=0) for held in self.hands[seat])
        self.change(used=tableau.used | {step[0]})
        if step == ("tea", "memory"):
            self.change(memories=tableau.memories + 1)
            self.end_turn()
        elif not resolvable:
            self.end_turn()
        else:
            self.phase = {"rose": "place", "place": "place", "orchard": "card", "picnic": "feed"}[step[-1]]

    def take_orchard(self, number: int) -> None:
        taken, tableau = self.orchard[number], self.tableaus[self.mover()]
        assert taken is not None
        self.change(orchards=tableau.orchards + Counter([taken[0]]), aphids=tableau.aphids + taken[1])
        others = [card for card in self.orchard if card]
        assert taken in others
        for i, card in enumerate(self.orchard):
            if card:
                self.orchard[i] = None if i == number else (card[0], card[1] + 1)
        if self.orchard_deck.total():
            self.phase = "orchard"
        else:
            self.end_turn()

    def feed(self, number: int) -> None:
        name, tableau = self.tops[number], self.tableaus[self.mover()]
        assert name is not None
        tile = self.setup.tile_named[name]
        self.change(aphids=tableau.aphids - tile.cost, feeding=(*tableau.feeding, name))
        self.tops[number] = None
        self.chain = tile.honeydew
        if self.below[number]:
            self.phase = "stacks"
        else:
            self.after_feeding()

    def after_feeding(self) -> None:
        if self.chain and self.claimable():
            self.phase = "feed"
        else:
            self.end_turn()

    # --- points ---

    def memory_points(self, count: int) -> int:
        table = (0, *self.setup.memories)
        return table[min(count, len(table) - 1)] + self.setup.more * max(0, count - len(table) + 1)

    def components(self) -> list[dict[str, int]]:
        """Where points come from, a player each."""
        found = []
        for tableau in self.tableaus:
            cards = {colour: len(column) for colour, column in tableau.columns.items()}
            tiles = [self.setup.tile_named[name] for name in tableau.feeding]
            found.append({
                "orchards": sum(cards[colour] * count for colour, count in tableau.orchards.items()),
                "life cycles": LIFE_CYCLE_POINTS * sum(cards[colour] for colour in tableau.life_cycles),
                "flowerbeds": FLOWERBED_POINTS * sum(cards[colour] for colour in tableau.flowerbeds),
                "ladybirds": sum(tile.points * tableau.count(tile.type) for tile in tiles),
                "memories": self.memory_points(tableau.memories),
                "aphids": tableau.aphids,
            })
        return found

    def scores(self) -> list[int]:
        return [sum(points.values()) for points in self.components()]

    def placing(self) -> list[int]:
        ranks = [(score, tableau.memories) for score, tableau in zip(self.scores(), self.tableaus, strict=True)]
        return [1 + sum(other > rank for other in ranks) for rank in ranks]

    # --- what is known ---

    def fields(self, observer: int) -> dict[str, Any]:
        """A view as it is documented. Alone there is no onlooker from whom the hand is hidden."""
        if len(self.players) == 1 and observer == PUBLIC:
            observer = 0
        in_turn_phase = self.phase in ("target", "bed", "draft", "tile", "place", "card", "feed", "draw", "discard")
        under_way = in_turn_phase or (self.actor == CHANCE and not self.preparing)
        fields: dict[str, Any] = {
            "to_move": self.actor,
            "phase": self.phase,
            "round": self.round,
            "first": self.first,
            "hands": [self.hand_fields(seat, observer) for seat in self.players],
            "tableaus": list(map(self.tableau_fields, self.tableaus)),
            "pool": [
                " ".join(f"{self.pool[slot] or '---':3}" for slot in self.setup.slots if slot[0] == row).rstrip()
                for row in sorted({slot[0] for slot in self.setup.slots})
            ],
            "orchard": [card and {"card": card[0], "aphids": card[1]} for card in self.orchard],
            "orchard_deck": self.orchard_deck.total(),
            "stacks": [{"top": top, "below": below} for top, below in zip(self.tops, self.below, strict=True)],
            "discards": self.setup.in_order(self.discards.elements()),
            "deck": self.deck.total(),
        }
        if under_way:
            fields["turn"] = self.turn
            if self.phase != "discard":
                fields["revealed"] = list(self.revealed)
        if self.phase == "reveal":
            fields["revealed"] = [
                card if card is None or observer in (seat, ALL) else "hidden" for seat, card in enumerate(self.revealed)
            ]
        if self.phase in ("bed", "draft"):
            fields["unlocks"] = STATES.get(self.unlocks, self.unlocks)
        if self.extra:
            fields["extra"] = True
        if self.chain:
            fields["chain"] = True
        if self.phase == "pool":
            fields["refill"] = list(self.refill)
        if self.shuffles:
            fields["shuffles"] = [self.setup.in_order(self.unseen(since).elements()) for since in range(self.shuffles)]
        return fields

    def unseen(self, since: int) -> Counter[str]:
        """Cards in hands that not everybody knows, drawn after so many shuffles."""
        return Counter(held.card for hand in self.hands for held in hand if held.since == since and not held.known)

    def hand_fields(self, seat: int, observer: int) -> dict[str, Any]:
        hand = sorted(self.hands[seat], key=lambda held: (self.setup.numbers[held.card], held.since))
        fields: dict[str, Any] = {"count": len(hand), "known": [held.card for held in hand if held.known]}
        if observer in (seat, ALL):
            fields["cards"] = [held.card for held in hand]
        if self.shuffles:
            since = [held.since for held in hand if not held.known]
            if observer in (seat, ALL):
                fields["since"] = since
            else:
                fields["from"] = [since.count(number) for number in range(self.shuffles + 1)]
        return fields

    def tableau_fields(self, tableau: Tableau) -> dict[str, Any]:
        def in_order(colours: Iterable[str]) -> list[str]:
            return [colour for colour in self.setup.colours if colour in colours]

        names = list(self.setup.tile_named)
        fields: dict[str, Any] = {
            "orchards": {colour: count for colour, count in tableau.orchards.items() if count},
            "flowerbeds": in_order(tableau.flowerbeds),
            "life_cycles": in_order(tableau.life_cycles),
            "lost": in_order(tableau.lost),
            "feeding": sorted(tableau.feeding, key=names.index),
            "used": [tile for tile in GARDEN_TILES if tile in tableau.used],
        }
        columns = {
            colour: [*self.setup.in_order(column[:-1]), column[-1]] for colour, column in tableau.columns.items() if column
        }
        filled = {name: value for name, value in fields.items() if value}
        return {"columns": columns, **filled, "aphids": tableau.aphids, "memories": tableau.memories}


    # --- what an observer cannot see, listed ---

    def deals(self, observer: int) -> Iterator[tuple["Reference", Fraction]]:
        """Every state that agrees with what the observer knows, each once, and how likely it is.

        Cards of hands that he has not seen are as chance dealt them: any of those drawn after as many shuffles. What others
        have chosen tells no more than that it was possible; an open choice is any face of the hand, each as likely.
        """
        if len(self.players) == 1 and observer == PUBLIC:
            observer = 0
        sure = 1 - self.chance_of_harlequins(observer) if self.phase == "place" else 1
        for deal, chance in self.deals_of_cards(observer):
            if self.phase != "place" or deal.choices():
                yield from deal.with_choices(observer, chance / sure)

    def chance_of_harlequins(self, observer: int) -> Fraction:
        """That whose turn it is has nothing else in the hand, as far as the observer sees it."""
        seat, chance = self.mover(), Fraction(1)
        if any(held.card != HARLEQUIN for held in self.hands[seat] if held.known or seat == observer):
            return Fraction(0)
        for since in range(self.shuffles + 1) if seat != observer else ():
            pool, count = self.drawn_since(since, observer), self.held_unseen(seat, since)
            chance *= Fraction(comb(pool[HARLEQUIN], count), comb(pool.total(), count))
        return chance

    def deals_of_cards(self, observer: int) -> Iterator[tuple["Reference", Fraction]]:
        """As chance alone would have it."""
        hidden = [
            (seat, since) for since in range(self.shuffles + 1) for seat in self.players
            if seat != observer and self.held_unseen(seat, since)
        ]
        pools = {since: self.drawn_since(since, observer) for since in range(self.shuffles + 1)}
        for hands, chance in self.dealt(hidden, pools):
            deal = self.copy()
            deal.hands = [
                tuple(held for held in hand if held.known or seat == observer) for seat, hand in enumerate(self.hands)
            ]
            for (seat, since), cards in hands.items():
                deal.hands[seat] += tuple(Held(card, since) for card in cards)
            current = Counter(card for (_, since), cards in hands.items() if since == self.shuffles for card in cards)
            deal.deck = pools[self.shuffles] - current
            yield deal, chance

    def held_unseen(self, seat: int, since: int) -> int:
        return sum(held.since == since and not held.known for held in self.hands[seat])

    def drawn_since(self, since: int, observer: int) -> Counter[str]:
        """Cards that the observer has not seen of those that were in the deck after so many shuffles."""
        own = self.hands[observer] if observer >= 0 else ()
        held = Counter(held.card for held in own if held.since == since and not held.known)
        return (self.deck if since == self.shuffles else Counter()) + self.unseen(since) - held

    def dealt(
        self, places: list[tuple[int, int]], pools: Mapping[int, Counter[str]]
    ) -> Iterator[tuple[dict[tuple[int, int], tuple[str, ...]], Fraction]]:
        """Cards of each place, a seat and when they were drawn."""
        if not places:
            yield {}, Fraction(1)
            return
        (seat, since), *rest = places
        for cards, chance in self.without_order(pools[since], self.held_unseen(seat, since)):
            left = {**pools, since: pools[since] - Counter(cards)}
            for more, chance_of_more in self.dealt(rest, left):
                yield {(seat, since): cards, **more}, chance * chance_of_more

    def with_choices(self, observer: int, chance: Fraction) -> Iterator[tuple["Reference", Fraction]]:
        """With any open choices of others."""
        sealed = [
            seat for seat in self.players if self.simultaneous() and seat != observer and self.revealed[seat] is not None
        ]
        for cards in product(*map(self.cards_of, sealed)):
            deal = self.copy()
            for seat, card in zip(sealed, cards, strict=True):
                deal.revealed[seat] = card
            yield deal, chance * prod(Fraction(1, len(self.cards_of(seat))) for seat in sealed)


def sets_of(copies: list[tuple[str, int]], count: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """So many cards out of the copies of each, and in how many ways they come."""
    if count == 0:
        yield (), 1
    for i, (card, most) in enumerate(copies if count else ()):
        for taken in range(min(most, count), 0, -1):
            for more, ways in sets_of(copies[i + 1:], count - taken):
                yield (card,) * taken + more, comb(most, taken) * ways


def in_turn(pile: Counter[str], count: int) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Cards drawn from a pile one after another, and how likely they are."""
    if count == 0:
        yield (), Fraction(1)
        return
    total = pile.total()
    for card, copies in pile.items():
        if copies:
            rest = pile.copy()
            rest[card] -= 1
            for more, chance in in_turn(rest, count - 1):
                yield (card, *more), Fraction(copies, total) * chance
