"""What players of Ladybird know of cards they cannot see: redeals against every deal that may be, and draws that are not listed.

Everybody knows a card that was drafted from the pool until it is shown again, and in whose hand it is; what chance dealt and
drew is seen by its owner only. Once the deck is made anew, everybody knows which cards are still in hands unseen since before,
though not in whose. The enumerator of the slow reference lists the deals that agree with that; a redeal must be one of
them, each as often as chance would bring it. With few different cards they can be listed in the whole of a game.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

import pytest
from battery import ALPHA, assert_redeals, goodness, ladybird_setup, plain
from garden_core.games.ladybird import load
from garden_core.state import Game, State
from reference.ladybird import (
    ALL,
    AT_ONCE,
    CHANCE,
    COLOURS,
    HARLEQUIN,
    PUBLIC,
    TERMINAL,
    Choice,
    Held,
    Reference,
    components_of,
)

# What a position is about.
KNOWN = "a card that everybody knows in the hand of another"
NO_OTHER = "equal cards in the hand of another, one of them known"
BLIND = "a card drawn blind since the last round by another"
SHUFFLED = "unseen cards in hands since before the deck was made anew"
TWO_SHUFFLES = "such cards of two shuffles"
BOTH_DRAWN = "a hand with unseen cards from before and after"
SEALED = "choices that are not shown"
SEALED_ALIKE = "such a choice out of a hand with equal cards"
OPEN_CHANCE = "chance to move"
PLACING = "a card is to be placed by another, whose cards could else be Harlequins"
FLIPPED = "a hand of another that all know to be Harlequins only"
OVER = "the end"

EVERYWHERE = (KNOWN, NO_OTHER, BLIND, SEALED, SEALED_ALIKE, OPEN_CHANCE)


@dataclass(frozen=True)
class Setting:
    """Cards of few kinds, and games with them; every so many states are looked at."""

    players: int
    types: Mapping[str, list[str]]
    harlequins: int
    happens: tuple[str, ...]
    seeds: range
    stride: int
    style: str = "random"   # or "blind": two are drawn where that is possible; or "open": cards that all know are kept

    def __str__(self) -> str:
        kinds = sum(len(set(types)) for states in self.types.values() for types in states)
        return f"{self.players}-{kinds + (self.harlequins > 0)}{'' if self.style == 'random' else f'-{self.style}'}"

    def load(self) -> Game:
        return load(self.players, {}, components_of(self.types, self.harlequins))


def cards(**types: str) -> dict[str, list[str]]:
    """Types of eggs, larvae, pupae and adults of these colours, "TTT/T//V"."""
    return {colour: types.get(colour, "///").split("/") for colour in COLOURS}


FIFTEEN = "T" * 15
IN_TURN = cards(red=f"{FIFTEEN}///", blue=f"/{FIFTEEN}//", orange=f"//{FIFTEEN}/", green=f"///{FIFTEEN}")
EGGS = cards(red=f"{FIFTEEN}///", blue=f"{FIFTEEN}///", orange=f"{FIFTEEN}///", green=f"{FIFTEEN}///")
FEW_LARVAE = cards(red=f"{FIFTEEN}///", blue=f"{FIFTEEN}///", orange=f"{FIFTEEN}/{FIFTEEN}//", green=f"{FIFTEEN}/TT//")
FOUR = cards(red=f"{FIFTEEN}/{FIFTEEN}//", blue=f"//{FIFTEEN}/{FIFTEEN}", orange=f"{FIFTEEN}///", green=f"/{FIFTEEN}//")

SETTINGS = [
    Setting(2, IN_TURN, 5, EVERYWHERE, range(3), 4),
    Setting(2, EGGS, 5, (BLIND, SEALED, SEALED_ALIKE, SHUFFLED, TWO_SHUFFLES, BOTH_DRAWN, OPEN_CHANCE), range(3), 5, "blind"),
    Setting(3, FEW_LARVAE, 16, (*EVERYWHERE, SHUFFLED), range(3), 5, "open"),
    Setting(4, FOUR, 31, (*EVERYWHERE, SHUFFLED), range(2), 4, "open"),
]


def play(game: Game, seed: int, style: str = "random") -> Iterator[tuple[State, Reference, Counter[int]]]:
    """Every state of a game, with the reference's, and how often each player has drawn blind in the round."""
    dice, state, slow = random.Random(seed), game.start(), Reference(ladybird_setup(game))
    drawn, number = Counter[int](), 0
    while True:
        if slow.round != number:
            drawn, number = Counter(), slow.round
        yield state, slow, drawn
        if state.actor == TERMINAL:
            return
        before = state.copy()
        if state.actor == CHANCE:
            step = game.step(before, state.draw(dice.getrandbits(40)))
        else:
            step = dice.choice([step for step in slow.choices() if fits(slow, step, style)] or slow.choices())
            state.apply(game.step_id(before, step))
        drawn[slow.mover()] += step[0] == "draw"
        slow.apply(step)


def fits(slow: Reference, step: Choice, style: str) -> bool:
    match style, step:
        case "blind", ("take", _):
            return False
        case "open", ("reveal" | "place" | "discard", card):
            return Held(card, known=True) not in slow.hands[slow.actor]
        case "open", ("blind",):
            return False
    return True


def about(slow: Reference, drawn: Counter[int], observer: int) -> Iterator[str]:
    others = [seat for seat in slow.players if seat != observer]
    for seat in others:
        hand = slow.hands[seat]
        unseen = Counter(held.card for held in hand if not held.known)
        if any(held.known for held in hand):
            yield KNOWN
        if any(held.known and unseen[held.card] for held in hand):
            yield NO_OTHER
        if drawn[seat]:
            yield BLIND
        if len({held.since for held in hand if not held.known}) > 1:
            yield BOTH_DRAWN
        if slow.simultaneous() and slow.revealed[seat]:
            yield SEALED
            if len(slow.cards_of(seat)) < len(hand):
                yield SEALED_ALIKE
    before = {held.since for seat in others for held in slow.hands[seat] if not held.known and held.since < slow.shuffles}
    if before:
        yield SHUFFLED
    if len(before) > 1:
        yield TWO_SHUFFLES
    if slow.actor == CHANCE:
        yield OPEN_CHANCE
    if slow.phase == "place" and 0 < slow.chance_of_harlequins(observer) < 1:
        yield PLACING
    if any({*slow.hands[seat]} == {Held(HARLEQUIN, known=True)} for seat in others):
        yield FLIPPED
    if slow.actor == TERMINAL:
        yield OVER


def places(state: State) -> tuple[str, ...]:
    """What somebody may not see: hands, and choices."""
    view = state.view(ALL)
    return (*(plain(hand) for hand in view["hands"]), *(str(card) for card in view.get("revealed", [])))


def compare(game: Game, state: State, observer: int, deals: list[tuple[Reference, float]], most: int) -> None:
    """Redeals of a state with all that may be in its place."""
    view, key = plain(state.view(observer)), state.key(observer)
    built = [game.build(deal.fields(ALL)) for deal, _ in deals]
    assert all(plain(other.view(observer)) == view and other.key(observer) == key for other in built)
    expected = {other.key(): chance for other, (_, chance) in zip(built, deals, strict=True)}
    where = {other.key(): places(other) for other in built}
    assert len(expected) == len(deals)
    assert state.key() in expected
    count = min(most, max(300, 25 * len(deals)))
    seen = assert_redeals(state, observer, count, expected, where)
    assert all(key in seen for key, chance in expected.items() if chance * count > 20)


def listed(slow: Reference, observer: int, limit: int) -> list[tuple[Reference, float]]:
    """The deals; nothing where they are more than the limit."""
    deals = [(deal, float(chance)) for deal, chance in islice(slow.deals(observer), limit + 1)]
    return deals if len(deals) <= limit else []


def compare_games(setting: Setting, seeds: range, limit: int, most: int, counts: Counter[str]) -> int:
    """How many positions had something hidden that could be listed; what they were about is counted."""
    game, compared = setting.load(), 0
    for seed in seeds:
        for i, (state, slow, drawn) in enumerate(play(game, seed, setting.style)):
            # observers take turns: what one of them sees at a time is enough
            observer = range(-1, game.players)[i // setting.stride % (game.players + 1)]
            deals = listed(slow, observer, limit) if i % setting.stride == 0 else []
            if len(deals) > 1:
                compare(game, state, observer, deals, most)
                counts.update(set(about(slow, drawn, observer)))
                compared += 1
    return compared


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_redeals_are_what_may_be(setting: Setting) -> None:
    counts: Counter[str] = Counter()
    assert compare_games(setting, setting.seeds, 200, 1500, counts) > 20
    assert {thing for thing in setting.happens if not counts[thing]} == set()


@pytest.mark.slow
def test_many_redeals_are_what_may_be() -> None:
    things: Counter[str] = Counter()
    assert sum(compare_games(setting, range(100, 103), 800, 4000, things) for setting in SETTINGS) > 300
    assert set(things) >= {*EVERYWHERE, SHUFFLED, TWO_SHUFFLES, BOTH_DRAWN, PLACING, OVER}


@pytest.mark.parametrize("setting", SETTINGS[2:], ids=str)
def test_who_is_to_place_a_card_holds_one_that_can_be_placed(setting: Setting) -> None:
    """In every redeal: the tile could not have been chosen else."""
    game, checked = setting.load(), 0
    for seed in range(100, 104):
        for state, slow, _ in play(game, seed, setting.style):
            observer = (slow.mover() + 1) % game.players
            if slow.phase == "place" and slow.chance_of_harlequins(observer) > 0:
                assert all(len(state.redeal(observer, number).legal_actions()) for number in range(100))
                checked += 1
    assert checked > 10


def test_what_is_seen_by_all_is_not_redealt() -> None:
    """With all cards of the game, where deals are too many to be listed: each hand keeps what is known of it."""
    game = load(4, {}, components_of())
    checked = 0
    for i, (state, slow, _) in enumerate(play(game, 3)):
        if i % 20:
            continue
        for observer in (PUBLIC, *slow.players):
            other = state.redeal(observer, i)
            for seat, hand in enumerate(other.view(ALL)["hands"]):
                known = Counter(held.card for held in slow.hands[seat] if held.known or seat == observer)
                assert known <= Counter(hand["cards"])
                assert hand["count"] == len(slow.hands[seat])
                checked += known.total() > 0
    assert checked > 200


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_unseen_card_may_be_any(players: int) -> None:
    """With all cards of the game: what one card of a hand is, by shuffles, is as likely as there are cards left to see."""
    game = load(players, {}, components_of())
    checked = 0
    for i, (state, slow, _) in enumerate(play(game, 8)):
        if i % 40 or slow.preparing:
            continue
        for observer in (PUBLIC, 0):
            seat = players - 1
            unseen = [held for held in slow.hands[seat] if not held.known]
            if not unseen or len({held.since for held in unseen}) > 1:
                continue
            pool = slow.drawn_since(unseen[0].since, observer)
            expected = {card: copies / pool.total() for card, copies in pool.items() if copies}
            dice, seen = random.Random(i), Counter[str]()
            for seed in range(1500):
                hand = state.redeal(observer, seed).view(ALL)["hands"][seat]
                seen[dice.choice(list((Counter(hand["cards"]) - Counter(hand["known"])).elements()))] += 1
            assert goodness(seen, expected) > ALPHA
            checked += 1
    assert checked >= 6


# --- draws ---


# Not all that chance may bring is listed, even with few kinds of cards.
SEVEN = {colour: ["TT", "TT", "TT", "T"] for colour in COLOURS}
FIFTEEN_KINDS = {colour: ["TTTTT", "TTTTT", "TTTTT", ""] for colour in COLOURS}
TWELVE_KINDS = {colour: ["TTT", "TTV", "TVS", "VSO"] for colour in COLOURS}
BOTH_DECKS = "pool, cards of both decks"
UNLISTED = [
    Setting(1, SEVEN, 3, ("hands", "pool", "draw", "stacks"), range(2), 1),
    Setting(2, IN_TURN, 5, ("pool", "stacks"), range(2), 1),
    Setting(2, TWELVE_KINDS, 5, ("hands", "pool", "draw", "stacks", BOTH_DECKS), range(8), 1),
    Setting(3, FIFTEEN_KINDS, 18, ("hands", "pool", "draw", "stacks"), range(1), 1),
]


@pytest.mark.parametrize("setting", UNLISTED, ids=str)
def test_draws_that_are_not_listed_come_with_their_probabilities(setting: Setting) -> None:
    """Whole events where they are not too many; else one of the cards or tiles that come at once."""
    game, counts = setting.load(), Counter[str]()
    for seed in setting.seeds:
        for state, slow, _ in play(game, seed, setting.style):
            both = slow.phase == "pool" and 0 < slow.deck.total() < len(slow.refill[:AT_ONCE])
            name = BOTH_DECKS if both else slow.phase
            if state.actor != CHANCE or state.outcomes() is not None or counts[name] > 6:
                continue
            counts[name] += 1
            drawn = [game.step(state, state.copy().draw(number))[-1] for number in range(1500)]
            whole = all_events(slow, 5000)
            assert whole or not both
            if whole:
                assert goodness(Counter(drawn), whole) > ALPHA
                for place in range(len(drawn[0])):
                    single: defaultdict[str, float] = defaultdict(float)
                    for event, chance in whole.items():
                        single[event[place]] += chance
                    assert goodness(Counter(event[place] for event in drawn), single) > ALPHA
            else:
                dice, pile = random.Random(seed), slow.tiles if slow.phase == "stacks" else slow.deck
                expected = {card: copies / pile.total() for card, copies in pile.items() if copies}
                assert goodness(Counter(dice.choice(event) for event in drawn), expected) > ALPHA
    assert {thing for thing in setting.happens if not counts[thing]} == set()


def all_events(slow: Reference, limit: int) -> dict[tuple[str, ...], float]:
    """By what they bring; nothing where they are more than the limit."""
    other = slow.copy()
    other.setup = replace(slow.setup, listed=limit)
    return {event[-1]: float(chance) for event, chance in other.events()}
