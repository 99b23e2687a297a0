"""The Butterfly Garden in slow, plain Python, written from the rulebook and the rulings: the compiled game's oracle.

Cards and deliveries are numbers, in the order of the components; what is on them is read from their text when it is
asked. Only the standard library is used, and nothing of the package under test. At the end stands the enumerator of what
an observer cannot see, which replays a game of any state object that has the contract's methods.
"""

import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import Any, TypeAlias

RAINBOW = "W"
LETTERS = "ABCDEF"

FACES = """
W R B P G Y R/dr B P G Y/sw R B P/dr G Y/to R B P/sw G
YY RB/dr W PG G/to YY RB/sw PB PP/dr GR YR B/to GG PY/sw R/de2 RB RR/dr W P/de2 G/to
YB PB/sw PP GY/dr G/de3 YYR BB/to GGP RPG/sw Y/de3 YYR W B/de3 BP/to GGR BYR B/de4 BBP W GYR
"""
CARDS = tuple(FACES.split())
HANDS = {
    "A": (3, 32, 57), "B": (5, 30, 55), "C": (8, 29, 54), "D": (11, 27, 50), "E": (14, 25, 47), "F": (17, 23, 45),
}
GOALS = {2: 50, 3: 45, 4: 40, 5: 35, 6: 30}

HAND = 3  # cards that a player holds between rounds
JAR = 8  # butterflies that a jar holds
ROUNDS = 100  # played at most
AT_ONCE = 5  # cards of the field that come in one event, at most

COMPONENTS = ("with any", "different", "of a kind", "rainbow", "released")

CHANCE = -1  # actor: chance is to move
TERMINAL = -2  # actor: the game is over
PUBLIC = -1  # observer: an onlooker, who sees what lies face up
ALL = -2  # observer: one who sees everything

# ("play", card) | ("capture", card) | ("use",) | ("skip",) | ("exchange", hand card, jar card) | ("return", card)
# | ("discard", card) | ("deliver", place, (card, ..))
Choice: TypeAlias = tuple[Any, ...]
# ("hand", seat, (card, ..)) | ("letters", (letter of seat 0, ..)) | ("field", (card, ..)) | ("delivery", kind)
# | ("draw", card) | ("top", card)
Event: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True)
class Delivery:
    """A kind of delivery card."""

    needs: str  # "Y+any", "W+Y", "3 of a kind", "2 pairs"
    points: int
    count: int = 1

    @property
    def slots(self) -> list[str]:
        """What each butterfly must be; nothing where they need only be alike."""
        return [] if self.needs == "2 pairs" or self.needs.endswith(" of a kind") else self.needs.split("+")

    @property
    def component(self) -> str:
        if not self.slots:
            return "of a kind"
        if RAINBOW in self.slots:
            return "rainbow"
        return "with any" if "any" in self.slots else "different"


DELIVERIES = (
    *(Delivery(pair, 5) for pair in ("Y+any", "R+any", "B+any", "P+any", "G+any")),
    *(Delivery(pair, 7) for pair in ("Y+B", "R+P", "B+G", "P+Y", "G+R")),
    Delivery("2 of a kind", 5, 2), Delivery("3 of a kind", 8, 3), Delivery("4 of a kind", 12, 2), Delivery("2 pairs", 11),
    Delivery("W+any", 7), Delivery("W+Y", 9),
)


@dataclass(frozen=True)
class Setup:
    """The components and options of one game."""

    players: int
    goal: int
    cards: tuple[str, ...] = CARDS
    deliveries: tuple[Delivery, ...] = DELIVERIES
    hands: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: dict(HANDS))
    less_luck: bool = False
    letters: str = "random"  # or "in_order": A to seat 0, B to seat 1, ..
    listed: int = 40_000  # events are not listed where they are more

    @property
    def sides(self) -> bool:
        """Whether the deliveries lie on a side each."""
        return self.players == 2

    @property
    def spots(self) -> int:
        """Deliveries that are available at once."""
        return 2 if self.sides else self.players - 1

    def butterflies(self, *cards: int) -> str:
        return "".join(self.cards[card].partition("/")[0] for card in cards)

    def power(self, card: int) -> str:
        """"dr", "sw", "to", "de", or none."""
        return self.cards[card].partition("/")[2][:2]

    def release(self, card: int) -> int:
        """What the card brings when it is delivered itself."""
        return int(self.cards[card].partition("/de")[2] or 0)

    def name(self, kind: int) -> str:
        """A delivery's needs, with the points where they do not suffice."""
        delivery = self.deliveries[kind]
        alike = [other for other in self.deliveries if sorted(other.needs.split("+")) == sorted(delivery.needs.split("+"))]
        return delivery.needs if len(alike) == 1 else f"{delivery.needs} ({delivery.points})"


def default_setup(players: int, **changes: Any) -> Setup:
    """The game as printed (and assumed), with the given fields changed."""
    return replace(Setup(players, GOALS[players]), **changes)


def check_setup(setup: Setup) -> None:
    """Raises ValueError when no game can be played with this setup."""
    if not 2 <= setup.players <= 6:
        raise ValueError("players: expected 2 to 6")
    if len(setup.cards) < (HAND + 1) * setup.players:
        raise ValueError("cards: expected enough for hands and field")
    if any(not 1 <= len(setup.butterflies(card)) <= 3 for card in range(len(setup.cards))):
        raise ValueError("cards: expected 1 to 3 butterflies each")
    if setup.letters not in ("random", "in_order"):
        raise ValueError("letters: expected random or in_order")


def components_of(
    players: int, faces: str, deliveries: Iterable[Delivery], goal: int = GOALS[2], hands: Iterable[tuple[int, ...]] = ()
) -> dict[str, Any]:
    """The plain data of a component file with such cards; the letters have the first cards by turns, unless they are told."""
    cards = faces.split()
    hands = list(hands) or [tuple(range(seat, HAND * players, players)) for seat in range(players)]
    return {
        "butterflies": {"names": ["yellow", "red", "blue", "purple", "green"], "letters": list("YRBPG")},
        "cards": {"faces": cards},
        "hands": {letter: list(cards) for letter, cards in zip(LETTERS, hands, strict=False)},
        "deliveries": [vars(delivery) for delivery in deliveries],
        "goals": {str(count): goal for count in GOALS},
    }


# --- deliveries ---


@cache
def enough(needs: str, butterflies: str) -> bool:
    """Whether these butterflies make up a delivery, with some left over perhaps."""
    slots = Delivery(needs, 0).slots
    if slots:
        return any(all(map(fills, chosen, slots)) for chosen in permutations(butterflies, len(slots)))
    if needs == "2 pairs":
        return any(alike(one + two) and alike(three + four) for one, two, three, four in permutations(butterflies, 4))
    return any(alike(chosen) for chosen in combinations(butterflies, int(needs[0])))


def fills(butterfly: str, slot: str) -> bool:
    return slot in ("any", butterfly) or (butterfly == RAINBOW)


def alike(butterflies: Iterable[str]) -> bool:
    """Whether they may all be taken for one colour."""
    return len({*butterflies} - {RAINBOW}) <= 1


def payments(setup: Setup, kind: int, jar: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """Cards of a jar that earn a delivery, none of which could be kept back."""
    for size in range(1, len(list(jar)) + 1):
        for cards in combinations(sorted(jar), size):
            fewer = [cards[:i] + cards[i + 1:] for i in range(size)]
            if suffices(setup, kind, cards) and not any(suffices(setup, kind, rest) for rest in fewer):
                yield cards


def suffices(setup: Setup, kind: int, cards: Iterable[int]) -> bool:
    return enough(setup.deliveries[kind].needs, "".join(sorted(setup.butterflies(*cards))))


class Reference:
    """One full state of the game."""

    def __init__(self, setup: Setup) -> None:
        check_setup(setup)
        players = setup.players
        self.setup = setup
        self.phase = "hands"
        self.round = 1
        self.deck = frozenset(range(len(setup.cards)))  # cards in an order that nobody knows; below them lies the bottom
        self.bottom: tuple[tuple[int, int], ...] = ()  # who returned it and the card, the one drawn first in front
        self.discards: frozenset[int] = frozenset()
        self.field: frozenset[int] = frozenset()
        self.hands: list[frozenset[int]] = [frozenset()] * players
        self.jars: list[frozenset[int]] = [frozenset()] * players
        self.earned: list[tuple[int, ...]] = [()] * players
        self.released: list[frozenset[int]] = [frozenset()] * players
        self.delivery_deck = Counter({kind: delivery.count for kind, delivery in enumerate(setup.deliveries)})
        self.next: int | None = None  # the delivery that lies face up on its deck
        self.available: list[int | None] = [None] * setup.spots  # with sides, by side
        self.vacated: tuple[int, ...] = ()  # places of `available`, the one first vacated in front
        self.played: list[int | None] = [None] * players  # once chosen; they lie apart once all have chosen
        self.turn = 0  # turns of the round that are finished
        self.put = False  # whether the played card has gone into the jar
        # what everybody knows of a hand: cards that are in it, and cards that are unless they went back unseen
        self.known: list[frozenset[int]] = [frozenset()] * players
        self.doubtful: list[frozenset[int]] = [frozenset()] * players
        self.blurred = False  # a card of the bottom was drawn unseen
        if setup.less_luck:
            self.phase = "letters"
            if setup.letters == "in_order":
                self.deal_letters(range(players))

    def copy(self) -> "Reference":
        other = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, (list, Counter)):
                setattr(other, name, value.copy())
        return other

    # --- whose turn it is, and for what ---

    @property
    def players(self) -> range:
        return range(self.setup.players)

    def mover(self) -> int:
        """Whose turn it is: from the lowest number played upwards."""
        return sorted(self.players, key=lambda seat: self.played[seat] or 0)[self.turn]

    @property
    def actor(self) -> int:
        match self.phase:
            case "over":
                return TERMINAL
            case "choose":
                return self.played.index(None)
            case "capture" | "power" | "return" | "discard" | "deliver":
                return self.mover()
        return CHANCE

    def simultaneous(self) -> bool:
        return self.phase == "choose"

    def withdraw(self) -> None:
        """Takes back all choices of an open simultaneous phase; does nothing when none is open."""
        if self.simultaneous():
            self.played = [None] * self.setup.players

    def choices(self) -> list[Choice]:
        match self.phase:
            case "choose":
                return [("play", card) for card in sorted(self.hands[self.actor])]
            case "capture":
                return [("capture", card) for card in sorted(self.field)]
            case "power":
                hand, jar = self.hands[self.mover()], self.jars[self.mover()]
                if self.setup.power(self.card_played()) == "sw":
                    return [("skip",), *(("exchange", one, other) for one in sorted(hand) for other in sorted(jar))]
                return [("skip",), ("use",)]
            case "return":
                return [("return", card) for card in sorted(self.hands[self.mover()])]
            case "discard":
                return [("discard", card) for card in sorted(self.jars[self.mover()])]
            case "deliver":
                return [("skip",), *self.deliveries()]
        return []

    def card_played(self) -> int:
        """By the player whose turn it is."""
        card = self.played[self.mover()]
        assert card is not None
        return card

    def deliveries(self) -> list[Choice]:
        """What the player whose turn it is can deliver."""
        if self.setup.sides:
            sides = (0, 1) if self.turn == 0 else (self.mover(),)
            places = [(side, self.available[side]) for side in sides]
        else:
            places = [(kind, kind) for kind in sorted({kind for kind in self.available if kind is not None})]
        return [
            ("deliver", place, cards)
            for place, kind in places if kind is not None
            for cards in payments(self.setup, kind, self.jars[self.mover()])
        ]

    def events(self) -> list[tuple[Event, Fraction]]:
        """Nothing where they are more than are listed."""
        if self.phase == "deliveries":
            total = sum(self.delivery_deck.values())
            return [(("delivery", kind), Fraction(n, total)) for kind, n in sorted(self.delivery_deck.items()) if n > 0]
        steps: list[Event] = []
        match self.phase:
            case "hands":
                if comb(len(self.deck), HAND) <= self.setup.listed:
                    steps = [("hand", self.dealt_to(), cards) for cards in combinations(sorted(self.deck), HAND)]
            case "letters":
                steps = [("letters", letters) for letters in permutations(self.players)]
            case "field":
                sure, pool, count = self.field_drawn()
                if comb(len(pool), count) <= self.setup.listed:
                    steps = [("field", tuple(sorted((*sure, *cards)))) for cards in combinations(sorted(pool), count)]
            case "draw" | "top":
                steps = [(self.phase, card) for card in sorted(self.on_top())]
        return [(step, Fraction(1, len(steps))) for step in steps]

    def dealt_to(self) -> int:
        """Who gets the next hand."""
        return next(seat for seat in self.players if not self.hands[seat])

    def on_top(self) -> frozenset[int]:
        """Cards of which one is drawn next: where nothing is left, the discards are shuffled for it."""
        return self.deck or frozenset(card for _, card in self.bottom[:1]) or self.discards

    def field_drawn(self) -> tuple[frozenset[int], frozenset[int], int]:
        """Cards that will come to the field at once for certain, and out of which others so many will."""
        missing = min(self.setup.players - len(self.field), AT_ONCE)
        if missing <= len(self.deck):
            return frozenset(), self.deck, missing
        sure = self.deck | {card for _, card in self.bottom[:missing - len(self.deck)]}
        return sure, self.discards, missing - len(sure)

    # --- what a choice or an event does ---

    def is_legal(self, step: Choice | Event) -> bool:
        """The same as being one of choices() or events(), without listing very many events."""
        match self.phase, step:
            case "hands", ("hand", seat, tuple(cards)):
                in_order = sorted(set(cards)) == list(cards)
                return bool(seat == self.dealt_to()) and len(cards) == HAND and in_order and self.deck.issuperset(cards)
            case "field", ("field", tuple(cards)):
                sure, pool, count = self.field_drawn()
                in_order = sorted(set(cards)) == list(cards)
                return len(cards) == len(sure) + count and in_order and sure <= set(cards) <= sure | pool
            case ("hands" | "field"), _:
                return False
        return step in self.choices() or step in [event for event, _ in self.events()]

    def apply(self, step: Choice | Event) -> None:
        if not self.is_legal(step):
            raise ValueError(f"illegal step {step!r}, expected: {self.phase}")
        match step:
            case ("hand", seat, cards):
                self.deck -= {*cards}
                self.hands[seat] = frozenset(cards)
                if all(self.hands):
                    self.fill_field()
            case ("letters", letters):
                self.deal_letters(letters)
            case ("field", cards):
                self.field |= set(cards)
                below = [card for _, card in self.bottom if card in cards]
                for card in (*self.deck.intersection(cards), *below, *self.discards.intersection(cards)):
                    self.turn_up(card)
                self.fill_field()
            case ("delivery", kind):
                self.delivery_deck[kind] -= 1
                self.next = kind
                self.place_deliveries(turned_up=True)
            case ("play", card):
                self.played[self.actor] = card
                if None not in self.played:
                    self.reveal()
            case _:
                self.apply_in_turn(step)

    def apply_in_turn(self, step: Choice | Event) -> None:
        seat = self.mover()
        match step:
            case ("capture", card):
                self.field -= {card}
                self.take_openly(seat, card)
                self.act()
            case ("exchange", card, other):
                self.hands[seat] -= {card}
                self.show(card)
                self.jars[seat] = self.jars[seat] - {other} | {card}
                self.take_openly(seat, other)
                self.after_action()
            case ("use",):
                self.phase = "draw" if self.setup.power(self.card_played()) == "dr" else "top"
            case ("draw", card):
                self.draw_unseen(card)
                self.hands[seat] |= {card}
                self.phase = "return"
            case ("return", card):
                self.hands[seat] -= {card}
                self.bottom += ((seat, card),)
                self.doubtful[seat] |= self.known[seat]
                self.known[seat] = frozenset()
                self.after_action()
            case ("top", card):
                self.turn_up(card)
                self.put_in(seat, card)
                self.after_action()
            case ("discard", card):
                self.jars[seat] -= {card}
                self.discards |= {card}
                self.after_putting() if self.put else self.after_action()
            case ("deliver", place, cards):
                self.jars[seat] -= {*cards}
                self.discards |= set(cards)
                self.earn(seat, place)
                self.end_turn()
            case ("skip",):
                self.end_turn() if self.phase == "deliver" else self.after_action()

    # --- preparations ---

    def deal_letters(self, letters: Iterable[int]) -> None:
        """Everybody knows who has which cards then."""
        for seat, letter in enumerate(letters):
            self.hands[seat] = self.known[seat] = frozenset(self.setup.hands[LETTERS[letter]])
            self.deck -= self.hands[seat]
        self.fill_field()

    def fill_field(self) -> None:
        """Then come deliveries."""
        self.phase = "field"
        if len(self.field) == self.setup.players:
            self.place_deliveries(turned_up=False)

    def place_deliveries(self, turned_up: bool) -> None:
        """The one that lies face up goes to a free place, as long as there is one; then the next one is turned up."""
        self.phase = "deliveries"
        free = [*self.vacated, *(i for i, kind in enumerate(self.available) if kind is None and i not in self.vacated)]
        if free and self.next is not None:
            self.available[free[0]] = self.next
            self.vacated = tuple(place for place in self.vacated if place != free[0])
            self.next = None
        elif turned_up:
            return self.begin_round()
        if self.next is not None or sum(self.delivery_deck.values()) == 0:
            self.begin_round()

    def begin_round(self) -> None:
        self.vacated = ()
        self.phase = "choose"

    def reveal(self) -> None:
        for seat, card in enumerate(self.played):
            assert card is not None
            self.hands[seat] -= {card}
            self.show(card)
        self.phase = "capture"

    # --- the steps of a turn ---

    def act(self) -> None:
        """The special action of the card played, if it has one that could do anything."""
        seat, card = self.mover(), self.card_played()
        power = self.setup.power(card)
        can_draw = len(self.deck) + len(self.bottom) + len(self.discards) > 0
        if (power in ("dr", "to") and can_draw) or (power == "sw" and self.jars[seat]):
            self.phase = "power"
            return
        if power == "de":
            self.put_in(seat, card)
        self.after_action()

    def put_in(self, seat: int, card: int) -> None:
        """A card goes into a jar, or to the garden at once."""
        if self.setup.power(card) == "de":
            self.released[seat] |= {card}
        else:
            self.jars[seat] |= {card}

    def is_overfull(self) -> bool:
        return len(self.setup.butterflies(*self.jars[self.mover()])) > JAR

    def after_action(self) -> None:
        """The jar may be too full before the card played goes in."""
        if self.is_overfull():
            self.phase = "discard"
            return
        if self.setup.power(self.card_played()) != "de":
            self.put_in(self.mover(), self.card_played())
        self.put = True
        self.after_putting()

    def after_putting(self) -> None:
        """The jar may be too full after that."""
        if self.is_overfull():
            self.phase = "discard"
        elif self.deliveries():
            self.phase = "deliver"
        else:
            self.end_turn()

    def earn(self, seat: int, place: int) -> None:
        """`place` is a side, or the kind where there are none."""
        spot = place if self.setup.sides else self.available.index(place)
        kind = self.available[spot]
        assert kind is not None
        self.earned[seat] = tuple(sorted((*self.earned[seat], kind)))
        self.available[spot] = None
        if self.next is not None:  # else nothing will come to any place
            self.vacated += (spot,)

    def end_turn(self) -> None:
        self.put = False
        self.turn += 1
        if self.turn < self.setup.players:
            self.phase = "capture"
        else:
            self.end_round()

    def end_round(self) -> None:
        self.turn = 0
        self.played = [None] * self.setup.players
        if self.is_won() or not self.deliveries_left() or self.round == ROUNDS or not self.can_fill_field():
            self.phase = "over"
        else:
            self.round += 1
            self.fill_field()

    def is_won(self) -> bool:
        return max(self.scores()) >= self.setup.goal

    def deliveries_left(self) -> bool:
        on_table = [kind for kind in (*self.available, self.next) if kind is not None]
        return len(on_table) + sum(self.delivery_deck.values()) > 0

    def can_fill_field(self) -> bool:
        return len(self.deck) + len(self.bottom) + len(self.discards) >= self.setup.players

    # --- the deck, and what everybody has seen ---

    def take_off(self, card: int) -> bool:
        """From the deck, for which the discards are shuffled if it is empty; whether it lay at the bottom."""
        if not self.deck and not self.bottom:
            self.deck, self.discards = self.discards, frozenset()
        if self.deck:
            self.deck -= {card}
            return False
        self.bottom = self.bottom[1:]
        return True

    def draw_unseen(self, card: int) -> None:
        self.blurred |= self.take_off(card)

    def turn_up(self, card: int) -> None:
        """Everybody sees it."""
        from_bottom = self.take_off(card)
        self.show(card)
        if from_bottom:
            self.clear_up()

    def show(self, card: int) -> None:
        """It is in no hand any more."""
        self.known = [cards - {card} for cards in self.known]
        self.doubtful = [cards - {card} for cards in self.doubtful]

    def take_openly(self, seat: int, card: int) -> None:
        self.hands[seat] |= {card}
        self.known[seat] |= {card}

    def clear_up(self) -> None:
        """Once every card that went back has been turned up, what was doubtful is certain: it did not go back.

        Once one was drawn unseen, nothing tells any more.
        """
        if not self.bottom and not self.blurred:
            self.known = [one | other for one, other in zip(self.known, self.doubtful, strict=True)]
            self.forget()

    def forget(self) -> None:
        """Takes what is doubtful for unseen; so does the compiled game in the end, where too much has happened."""
        self.doubtful = [frozenset()] * self.setup.players
        self.blurred = False

    # --- points ---

    def components(self) -> list[dict[str, int]]:
        """Points by kind of delivery, a player each."""
        found = []
        for earned, released in zip(self.earned, self.released, strict=True):
            points = dict.fromkeys(COMPONENTS, 0)
            for kind in earned:
                points[self.setup.deliveries[kind].component] += self.setup.deliveries[kind].points
            points["released"] = sum(map(self.setup.release, released))
            found.append(points)
        return found

    def scores(self) -> list[int]:
        return [sum(points.values()) for points in self.components()]

    def ranks(self) -> list[tuple[int, int, int, int]]:
        """What players are compared by: points, butterflies in the jar; in the hand once hands are shown, the lowest card."""
        cards = self.setup.butterflies
        none = len(self.setup.cards)
        ranks = []
        for score, jar, hand in zip(self.scores(), self.jars, self.hands, strict=True):
            in_hand = (len(cards(*hand)), -min(jar | hand, default=none)) if self.phase == "over" else (0, 0)
            ranks.append((score, len(cards(*jar)), *in_hand))
        return ranks

    def placing(self) -> list[int]:
        ranks = self.ranks()
        return [1 + sum(other > rank for other in ranks) for rank in ranks]

    # --- what is known ---

    def fields(self, observer: int) -> dict[str, Any]:
        """A view as it is documented, but for what has been seen of cards that went back, and for reshuffles."""
        name = self.setup.name
        fields: dict[str, Any] = {
            "to_move": self.actor,
            "phase": self.phase,
            "round": self.round,
            "hands": [self.hand_fields(seat, observer) for seat in self.players],
            "jars": list(map(sorted, self.jars)),
            "earned": [list(map(name, kinds)) for kinds in self.earned],
            "released": list(map(sorted, self.released)),
            "field": sorted(self.field),
            "discards": sorted(self.discards),
            "deck": len(self.deck) + len(self.bottom),
            "deliveries": {
                "available": self.available_fields(),
                "next": None if self.next is None else name(self.next),
                "deck": sum(self.delivery_deck.values()),
            },
        }
        if self.bottom:
            fields["bottom"] = [
                {"by": seat, "card": card} if observer in (seat, ALL) else {"by": seat} for seat, card in self.bottom
            ]
        if self.setup.sides and self.vacated:
            fields["vacated"] = list(self.vacated)
        if self.phase == "choose":
            fields["played"] = [
                card if card is None or observer in (seat, ALL) else "hidden" for seat, card in enumerate(self.played)
            ]
        elif None not in self.played:
            fields["played"] = list(self.played)
            fields["turn"] = self.turn
        if self.phase == "discard":
            fields["put"] = self.put
        return fields

    def hand_fields(self, seat: int, observer: int) -> dict[str, Any]:
        hand = self.hands[seat]
        seen = {"cards": sorted(hand)} if observer in (seat, ALL) else {}
        return {"count": len(hand), **seen, "known": sorted(self.known[seat])}

    def available_fields(self) -> list[str | None]:
        if self.setup.sides:
            return [None if kind is None else self.setup.name(kind) for kind in self.available]
        return [self.setup.name(kind) for kind in sorted(kind for kind in self.available if kind is not None)]


# --- what an observer cannot see, listed ---


@dataclass(frozen=True)
class Hindsight:
    """What the rest of a game tells about a hand before it: so many cards may have been drawn, or gone back, unseen."""

    held: frozenset[int] = frozenset()  # seen to come out of the hand later
    elsewhere: frozenset[int] = frozenset()  # seen elsewhere later
    draws: int = 0
    returns: int = 0

    def allows(self, hand: Iterable[int]) -> bool:
        return len(self.held.difference(hand)) <= self.draws and len(self.elsewhere.intersection(hand)) <= self.returns

    def out_of_hand(self, card: int) -> "Hindsight":
        return replace(self, held=self.held | {card}, elsewhere=self.elsewhere - {card})

    def not_in_hand(self, *cards: int) -> "Hindsight":
        return replace(self, held=self.held.difference(cards), elsewhere=self.elsewhere.union(cards))


class Replay:
    """A game up to some point, as an observer saw it; `path` has its `states` and the `ids` that led from each to the next."""

    def __init__(self, game: Any, path: Any, index: int, observer: int) -> None:
        self.game, self.path, self.observer = game, path, observer
        self.steps = [game.step(*pair) for pair in zip(path.states[:index], path.ids[:index], strict=True)]
        self.phases = [game.phase(state) for state in path.states[:index + 1]]
        # who a step belongs to; a draw comes before the choice of what goes back
        self.seats = [
            path.states[i + (step[0] == "draw")].actor if step[0] != "hand" else step[1] for i, step in enumerate(self.steps)
        ]

    def is_seen(self, i: int) -> bool:
        """Whether the observer saw what the step was, by the end."""
        kind = self.steps[i][0]
        if kind == "play" and any(phase != "choose" for phase in self.phases[i:]):
            return True
        return kind not in ("hand", "play", "draw", "return") or self.seats[i] == self.observer

    def hindsight(self) -> list[list[Hindsight]]:
        """By step and seat: of the hands before it."""
        seats = range(self.game.players)
        after = [[Hindsight() for _ in seats]]
        for i in reversed(range(len(self.steps))):
            after.append([self.before(i, seat, after[-1][seat]) for seat in seats])
        return after[::-1]

    def before(self, i: int, seat: int, after: Hindsight) -> Hindsight:
        own = seat == self.seats[i]
        match self.steps[i]:
            case ("draw", _) if own and seat != self.observer:
                return replace(after, draws=after.draws + 1)
            case ("return", _) if own and seat != self.observer:
                return replace(after, returns=after.returns + 1)
            case ("play" | "return" | "draw", card) if self.is_seen(i):
                return after.out_of_hand(card) if own and self.steps[i][0] != "draw" else after.not_in_hand(card)
            case ("exchange", card, other):
                return after.not_in_hand(other).out_of_hand(card) if own else after.not_in_hand(card, other)
            case ("capture" | "top", card):
                return after.not_in_hand(card)
            case ("field", cards):
                return after.not_in_hand(*cards)
        return after

    def followed(self, i: int, state: Any, hindsight: list[Hindsight]) -> Iterator[tuple[Any, float]]:
        """What a state may have become by the step, and the chance of each.

        What is seen was as likely in any of them: they differ in which cards lie where, not in how many. So are hands that
        are dealt unseen. And every choice of a player counts as 1.
        """
        steps: Iterable[int]
        chances: dict[int, float] = {}
        if self.is_seen(i):
            steps = filter(state.is_legal, [self.path.ids[i]])
        elif self.steps[i][0] == "hand":
            steps = filter(state.is_legal, self.hands_dealt(i, state, hindsight))
        elif state.actor == CHANCE:
            steps = chances = dict(zip(*(column.tolist() for column in state.outcomes()), strict=True))
        else:
            steps = state.legal_actions().tolist()
        for step in steps:
            there = state.copy()
            there.apply(step)
            if self.agrees(i, there, hindsight):
                yield there, chances.get(step, 1.0)

    def hands_dealt(self, i: int, state: Any, hindsight: list[Hindsight]) -> Iterator[int]:
        """Hands with enough of what they are seen to hold later: without the others, which are very many."""
        seat = self.seats[i]
        held = sorted(hindsight[seat].held)
        others = [card for card in range(len(self.game.cards)) if card not in held]
        for count in range(max(0, len(held) - hindsight[seat].draws), HAND + 1):
            for known in combinations(held, count):
                for more in combinations(others, HAND - count):
                    yield self.game.step_id(state, ("hand", seat, tuple(sorted((*known, *more)))))

    def agrees(self, i: int, there: Any, hindsight: list[Hindsight]) -> bool:
        """Whether the observer sees the same after the step, and what he sees later is still possible."""
        if self.steps[i][0] == "field":  # which of the cards came from the bottom is seen, but is no part of the step
            return bool(there.view(self.observer) == self.path.states[i + 1].view(self.observer))
        if self.is_seen(i):
            return True
        hands = [hand["cards"] for hand in there.view(ALL)["hands"]]
        return all(
            hindsight[seat].allows(hand) for seat, hand in enumerate(hands) if seat != self.observer and len(hand) >= HAND
        )


def deals(game: Any, path: Any, index: int, observer: int, limit: int) -> dict[int, tuple[Any, float]] | None:
    """Every full state that agrees with all that the observer has seen since the start, by its key, and how likely it is.

    That is, every history of deals, hidden draws and hidden choices that does, with the chance of its deals and draws; a
    choice tells nothing but that it was possible. None where they are more than the limit.
    """
    replay = Replay(game, path, index, observer)
    hindsight = replay.hindsight()
    start = path.states[0].copy()
    found: dict[int, tuple[Any, float]] = {start.key(): (start, 1.0)}
    for i in range(index):
        before, found = found, {}
        for state, weight in before.values():
            for there, chance in replay.followed(i, state, hindsight[i + 1]):
                key = there.key()
                found[key] = there, found.get(key, (there, 0.0))[1] + weight * chance
                if len(found) > limit:
                    return None
    total = sum(weight for _, weight in found.values())
    return {key: (state, weight / total) for key, (state, weight) in found.items()}
