"""The compiled Ladybird against its slow reference, step by step over games of several styles.

Both are asked the same at every node: the choices, the events and how likely they are, the points and where they come
from, the places, and what each observer sees. A key of the compiled game is a hash of what an observer knows, which the
reference says whole: over all states met, the two must be in one-to-one correspondence.

With small decks and few orchard cards rare things are frequent. `Happened` counts what has come up, and the tests say what
must have been met.
"""

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import battery
import pytest
from battery import OTHER_CHOICE, plain, told
from garden_core.games.ladybird import load
from garden_core.state import Game
from reference.ladybird import (
    ANY,
    AT_ONCE,
    CHANCE,
    COLOURS,
    HAND,
    HARLEQUIN,
    NO_MATCH,
    ROUNDS,
    TERMINAL,
    TILES,
    Choice,
    Feeding,
    Reference,
    components_of,
)

from garden_ai.components import read_components
from garden_ai.games import definition

# What may happen in a game.
RESHUFFLED = {phase: f"the deck is made anew for {phase}" for phase in ("pool", "draw")}
BOTH_DECKS = {phase: f"cards of the old deck and of the new one in one {phase}" for phase in ("pool", "draw")}
TWICE_ANEW = "the deck is made anew for the second time"
SHUFFLES_TOLD = "cards in hands since before the deck was made anew"
SHOWN_OLD = "such a card is shown"
OTHER_SHUFFLES = "equal cards in a hand, unseen since different shuffles"
KNOWN_FIRST = "of equal cards the known one is shown"
BLIND_PAIR = "two equal cards drawn blind"
INVADED = "a Harlequin invades"
LOST = "a life cycle card is lost"
SPARED = "a life cycle card is kept when its column is invaded"
NOT_REGAINED = "a column shows all states again after its life cycle card was lost"
REGAINED = "a life cycle card is won back"
NO_TARGET = "a Harlequin without target"
NO_TARGET_TAKES = "a Harlequin of the pool is drafted after that"
ROBBED = "the replaced card completes a life cycle of the invader"
ROBBED_ROW = "the replaced card completes a row of the invader"
ALONE = "a Harlequin in an own column, alone"
ALONE_AGAIN = "a Harlequin replaces a Harlequin, alone"
ALONE_NO_COLUMN = "a Harlequin without any column, alone"
ALONE_LOST = "a life cycle card is lost, alone"
TAKEN_INSTEAD = "a Harlequin is drafted, though a match lies in the pool"
TAKEN_FOR_NONE = "a Harlequin is drafted where no match lies in the pool"
LEFT = "two are drawn blind, though a Harlequin lies in the pool"
LIFE_CYCLE = "a life cycle"
SECOND_SET = "a second set of states in a column"
BED = {row: f"a flowerbed for row {row}" for row in (1, 2, 3)}
BED_EXTRA = "a flowerbed by a Rose Garden or Toolshed"
CLEARED = {"row": "a row is cleared", "column": "a column is cleared", "both": "a row and a column are cleared at once"}
IN_TWO = "a refill of five, four and one"
JUST_DRAFTED = "a card drafted in the same turn is placed"
UNRESOLVABLE = {name: f"{name} is flipped without being resolved" for name in ("rose", "orchard", "picnic", "shed")}
TEA_FORCED = "no tile is claimable at tea"
ORCHARD_OUT = "the orchard deck runs out"
VACANT = "an orchard card is taken, while a slot is vacant"
ALIKE_CARDS = "orchard cards that are alike"
UNGROWN = "an orchard card without a column"
CHAIN = {length: f"{length} feeding tiles in one picnic" for length in (2, 3, 4, 6)}
CHAIN_BROKEN = "nothing is claimable after a honeydew tile"
STOPPED = "a chain is stopped"
MILDEW = {count: f"mildew tile number {count} of a type" for count in (1, 2, 3)}
MILDEW_POOR = "a mildew tile without aphids"
MILDEW_LAST = "a mildew tile continues a chain"
MILDEW_BARRED = "enough ladybirds for a mildew tile, but not for it and those owned"
MILDEW_KEPT = "fewer ladybirds than the mildew tiles needed"
STACK_OUT = "a stack runs out"
ALL_OUT = "no feeding tile is left"
ALIKE_STACKS = "stacks that are alike"
DISCARDED = {count: f"{count} cards are discarded by one hand" for count in (1, 2)}
DISCARDING_SEATS = "several hands discard, not in the order of seats"
LAST_DISCARD = "cards are discarded after the last round"
BEYOND_TABLE = "more memories than the table has"
BY_MEMORIES = "a tie is broken by memories"
SHARED = "a place is shared"

THINGS = (
    *RESHUFFLED.values(), *BOTH_DECKS.values(), TWICE_ANEW, SHUFFLES_TOLD, SHOWN_OLD, OTHER_SHUFFLES, KNOWN_FIRST, BLIND_PAIR,
    INVADED, LOST, SPARED, NOT_REGAINED, REGAINED, NO_TARGET, NO_TARGET_TAKES, ROBBED, ROBBED_ROW, ALONE, ALONE_AGAIN,
    ALONE_NO_COLUMN, ALONE_LOST, TAKEN_INSTEAD, TAKEN_FOR_NONE, LEFT, LIFE_CYCLE, SECOND_SET, *BED.values(), BED_EXTRA,
    *CLEARED.values(), IN_TWO, JUST_DRAFTED, *UNRESOLVABLE.values(), TEA_FORCED, ORCHARD_OUT, VACANT, ALIKE_CARDS, UNGROWN,
    *CHAIN.values(), CHAIN_BROKEN, STOPPED, *MILDEW.values(), MILDEW_POOR, MILDEW_LAST, MILDEW_BARRED, MILDEW_KEPT, STACK_OUT,
    ALL_OUT, ALIKE_STACKS, *DISCARDED.values(), DISCARDING_SEATS, LAST_DISCARD, BEYOND_TABLE, BY_MEMORIES, SHARED, OTHER_CHOICE,
)

# How moves are picked.
STYLES = RANDOM, GREEDY, HUNGRY, CLEARING, INVADING = "random", "greedy", "hungry", "clearing", "invading"

# One tile in each stack, so that it runs out.
ONE_EACH = (Feeding("T", 1, 0, honeydew=True, count=5), Feeding("V", 2, threshold=1, count=3))
STICKY = (
    Feeding("T", 1, 0, honeydew=True, count=15), Feeding("V", 1, 0, honeydew=True, count=5),
    Feeding("T", 2, 1, honeydew=True, count=4), Feeding("T", 2, threshold=2, count=5), Feeding("V", 1, threshold=1, count=6),
    Feeding("V", 9, threshold=3), Feeding("H", 1, 2, count=4),
)
DEAR = (Feeding("T", 1, 20, honeydew=True, count=8),)
FULL_ORCHARD = (5, 5, 5, 5, 5)
NO_ORCHARD = (1, 1, 1, 0, 0)


def alike(*states: str) -> dict[str, list[str]]:
    """These types of eggs, larvae, pupae and adults in each colour."""
    return {colour: list(states) for colour in COLOURS}


RED = {**alike("", "", "", ""), "red": ["T" * 14] * 4}
PRINTED = alike(*["TVSDOY"] * 4)


@dataclass(frozen=True)
class Setting:
    """A game and what must happen in it."""

    players: int
    happens: tuple[str, ...]
    types: Mapping[str, list[str]] = field(default_factory=lambda: PRINTED)
    harlequins: int = 8
    tiles: tuple[Feeding, ...] = TILES
    orchard: tuple[int, ...] = FULL_ORCHARD
    regain: bool = False
    first: str | int = "random"
    table: int = 10   # of memories
    seeds: Iterable[int] = range(5)

    def __str__(self) -> str:
        cards = sum(len(kinds) for states in self.types.values() for kinds in states) + self.harlequins
        return f"{self.players}-{cards}-{self.harlequins}-{sum(self.orchard)}-{len(self.tiles)}{'-regain' * self.regain}"

    def load(self) -> Game:
        components = components_of(self.types, self.harlequins, self.tiles, self.orchard)
        components["memories"]["points"] = components["memories"]["points"][:self.table]
        return load(self.players, {"first": self.first, "life_cycle_regain": self.regain}, components)


SETTINGS = [
    # with all cards
    Setting(1, (LIFE_CYCLE, ALONE, *CLEARED.values(), BED[1], LEFT)),
    Setting(2, (INVADED, LIFE_CYCLE, TAKEN_INSTEAD, JUST_DRAFTED, UNGROWN, STOPPED, MILDEW[3]), seeds=(0, 1, 2)),
    Setting(3, (INVADED, TAKEN_FOR_NONE, NO_TARGET_TAKES, ALIKE_CARDS, MILDEW_POOR, MILDEW_BARRED), seeds=(0, 4)),
    Setting(4, (INVADED, LOST, REGAINED, RESHUFFLED["pool"], IN_TWO, BED[2], BED_EXTRA), regain=True, first=2, seeds=(2, 4)),
    # with few
    Setting(1, (
        ALONE_AGAIN, ALONE_NO_COLUMN, *UNRESOLVABLE.values(), ALL_OUT, MILDEW_KEPT,
    ), alike("T", "T", "T", "V"), 14, ONE_EACH, NO_ORCHARD),
    Setting(1, (
        ALONE_AGAIN, BEYOND_TABLE, RESHUFFLED["pool"], SHUFFLES_TOLD, SHOWN_OLD, BOTH_DECKS["draw"],
    ), alike("TT", "T", "TV", "V"), 4, STICKY, NO_ORCHARD, table=3),
    Setting(1, (OTHER_SHUFFLES, TWICE_ANEW, TEA_FORCED, BLIND_PAIR), alike("TTTVVV", "", "", "T"), 0, DEAR, regain=True),
    Setting(1, (ALONE_LOST, NOT_REGAINED, SECOND_SET, LIFE_CYCLE), RED, 8, DEAR),
    Setting(2, (
        LOST, ALL_OUT, STACK_OUT, CHAIN_BROKEN, ORCHARD_OUT, VACANT, BEYOND_TABLE, BY_MEMORIES,
    ), alike("TTT", "TVV", "TVS", "VS"), 10, ONE_EACH, NO_ORCHARD, table=3, seeds=range(3)),
    Setting(2, (
        NO_TARGET, NO_TARGET_TAKES, LEFT, UNRESOLVABLE["rose"], *CHAIN.values(), MILDEW[1], MILDEW[2], MILDEW_LAST, MILDEW_POOR,
        MILDEW_BARRED, MILDEW_KEPT, ALIKE_STACKS, OTHER_SHUFFLES, SHOWN_OLD, *DISCARDED.values(),
    ), alike("TTTVVVSSS", "", "", ""), 20, STICKY, NO_ORCHARD, first=1, seeds=range(4)),
    Setting(2, (
        BOTH_DECKS["pool"], MILDEW_BARRED, CHAIN[3], BED[3],
    ), alike("TTT", "TTV", "TVS", "VSO"), 5, STICKY, regain=True, seeds=(0, 2)),
    Setting(2, (LOST, SPARED, NOT_REGAINED, SECOND_SET, ROBBED), RED, 12, ONE_EACH, NO_ORCHARD),
    Setting(2, (LOST, REGAINED), RED, 12, ONE_EACH, NO_ORCHARD, regain=True, seeds=(0, 3)),
    Setting(3, (
        *RESHUFFLED.values(), *BOTH_DECKS.values(), NO_TARGET, NO_TARGET_TAKES, KNOWN_FIRST, LAST_DISCARD, SHARED, BY_MEMORIES,
    ), alike("TTTTTTTTVVS", "V", "", "V"), 32, DEAR, (1, 2, 1, 0, 0), seeds=(0, 1)),
    Setting(3, (
        LOST, ROBBED, ROBBED_ROW, MILDEW[3], NO_TARGET_TAKES, RESHUFFLED["pool"], BOTH_DECKS["pool"], CHAIN[4],
    ), alike("TTTV", "TTTV", "TTTV", "TTTV"), 13, STICKY, (2, 2, 2, 2, 1), seeds=(0, 4)),
    Setting(4, (
        MILDEW_POOR, ALL_OUT, CHAIN[6], DISCARDING_SEATS, KNOWN_FIRST,
    ), alike("TTTVVV", "TTTVVV", "TTTVVV", "TTTVVV"), 1, STICKY, (2, 2, 2, 2, 1), seeds=(2,)),
    Setting(4, (
        LOST, ROBBED, ROBBED_ROW, RESHUFFLED["pool"], SHUFFLES_TOLD, OTHER_CHOICE, DISCARDING_SEATS, LAST_DISCARD,
    ), alike("TTTVV", "TTTVV", "TTTVV", "TTTVV"), 21, ONE_EACH, NO_ORCHARD, regain=True, seeds=(0, 4)),
]


class Both(battery.BothInStyles):
    """See battery; views, events that are not listed, and what happens in a turn."""

    styles = STYLES
    chain = 0   # feeding tiles taken in a picnic
    lost: frozenset[tuple[int, str]] = frozenset()   # seats and colours of life cycle cards

    # --- comparisons ---

    def apply(self, step: tuple[Any, ...]) -> None:
        before = self.slow.copy()
        super().apply(step)
        self.note(before, step)

    def compare(self) -> None:
        super().compare()
        state, slow = self.state, self.slow
        assert self.game.phase(state) == slow.phase
        assert state.simultaneous == slow.simultaneous()
        assert state.components() == slow.components()
        for observer, pairing in self.happened.pairings.items():
            view, fields = state.view(observer), slow.fields(observer)
            assert view == fields
            pairing.add(state.key(observer), hash(plain(told(fields, observer, "reveal", "revealed"))))

    def compare_steps(self) -> list[Any]:
        """Of events that are too many to be listed some are tried."""
        if self.state.actor != CHANCE or self.state.outcomes() is not None:
            return super().compare_steps()
        slow = self.slow
        assert not slow.events()
        dice = random.Random(self.happened.nodes)
        for _ in range(12):
            step = self.imagined(dice)
            outcome = self.game.step_id(self.state, step)
            assert self.state.is_legal(outcome) == slow.is_possible(step)
            assert self.game.step(self.state, outcome) == step or not slow.is_possible(step)
        return []

    def imagined(self, dice: random.Random) -> tuple[Any, ...]:
        """An event that may be possible."""
        slow = self.slow
        cards = list((slow.deck if dice.random() < 0.7 else Counter(slow.setup.cards)).elements()) or list(slow.setup.cards)
        if slow.phase == "stacks":
            kinds = list(slow.tiles.elements() if dice.random() < 0.7 else [tile.name for tile in slow.setup.tiles])
            return "tiles", tuple(dice.choices(kinds, k=len(slow.to_turn_up())))
        drawn = dice.choices(cards, k={"hands": HAND, "draw": 2}.get(slow.phase) or len(slow.refill[:AT_ONCE]))
        if slow.phase == "pool":
            return "pool", tuple(drawn)
        in_order = tuple(slow.setup.in_order(drawn))
        return ("hand", slow.dealt_to(), in_order) if slow.phase == "hands" else ("draw", in_order)

    # --- games ---

    def walk(self, dice: random.Random, style: str) -> "Both":
        """To the end of the game; now and then with another hidden choice or draw, or from the state as it is written."""
        while self.state.actor != TERMINAL:
            if self.slow.phase in ("reveal", "draw") and dice.random() < 0.15:
                self.otherwise(dice)
            if dice.random() < 0.1:
                self.rebuild()
            self.apply(self.drawn(dice) if self.state.actor == CHANCE else self.pick(dice, style))
        self.note_end()
        return self

    def pick(self, dice: random.Random, style: str) -> Choice:
        worth = {GREEDY: self.points_after, HUNGRY: self.food, CLEARING: self.vacancy, INVADING: self.harm}.get(style)
        return self.best(worth, dice)

    def food(self, step: Choice) -> int:
        """Feeding tiles as many as possible, and aphids for them."""
        if step[0] == "feed":
            return 1 + self.slow.setup.tile_named[self.slow.tops[step[1] - 1]].honeydew
        return {"orchard": 3, "picnic": 2, "shed": step[-1] == "orchard", "tea": step[-1] == "picnic", "stop": -1}.get(step[0], 0)

    def vacancy(self, step: Choice) -> int:
        """Cards of the pool that share their row and column with no other."""
        if step[0] != "take":
            return 0
        slot, pool = step[1], self.slow.pool
        lines = [[other for other in pool if other[i] == slot[i]] for i in (0, 1)]
        left = sorted(sum(pool[other] is not None for other in line) for line in lines)
        return {(1, 1): 9, (2, 2): 3, (2, 3): 4, (3, 3): 2}.get((left[0], left[1]), 0 if left[0] == 1 else 1)

    def harm(self, step: Choice) -> int:
        slow = self.slow
        if step[0] == "invade":
            return 1 + (step[2] in slow.tableaus[step[1]].life_cycles)
        card = slow.pool[step[1]] if step[0] == "take" else step[1] if step[0] in ("reveal", "discard") else None
        return (card == HARLEQUIN) * (-1 if step[0] == "discard" else 1)

    # --- what has happened ---

    def note(self, before: Reference, step: tuple[Any, ...]) -> None:
        """After a step; `before` is the reference before it."""
        counts, after = self.happened.counts, self.slow
        seat = before.mover()
        self.note_deck(before, step)
        self.note_shown(before, step)
        if before.phase in ("tile", "feed", "stacks", "card", "target", "draft"):
            self.note_alike(before)
        match step:
            case ("reveal", _) if before.revealed.count(None) == 1:
                self.note_begun(before)
            case ("invade", victim, colour):
                self.note_invasion(before, victim, colour)
                self.note_placed(before, seat)
            case ("place", card):
                self.note_placed(before, seat)
                counts[JUST_DRAFTED] += card == before.hands[seat][-1].card and before.hands[seat][-1].known
            case ("bed", _):
                counts[BED.get(after.tableaus[seat].height(), "")] += 1
                counts[BED_EXTRA] += before.extra
            case ("take", slot):
                self.note_taken(before, slot)
            case ("blind",):
                counts[LEFT] += HARLEQUIN in before.pool.values()
            case ("card", _):
                colours = after.tableaus[seat].orchards - before.tableaus[seat].orchards
                counts[UNGROWN] += not before.tableaus[seat].columns[next(iter(colours))]
                counts[VACANT] += None in before.orchard
                counts[ORCHARD_OUT] += after.phase != "orchard"
            case ("feed", number):
                self.note_fed(before, number - 1)
            case ("stop",):
                counts[STOPPED] += 1
            case (("rose" | "orchard" | "picnic" | "shed" | "tea") as tile, *_) if before.phase == "tile":
                if not before.is_resolvable(step):
                    counts[UNRESOLVABLE[tile]] += 1
                counts[TEA_FORCED] += step == ("tea", "memory") and ("tea", "picnic") not in before.choices()
            case ("discard", _):
                counts[DISCARDED.get(len(before.hands[before.actor]) - HAND, "")] += 1
                counts[DISCARDING_SEATS] += 0 <= after.actor < before.actor
                counts[LAST_DISCARD] += before.round == ROUNDS
        if step[0] in ("reveal", "place", "stop", "tiles", "feed", "card", "orchard", "draw", "take", "pool", "tea"):
            self.note_turn(before)
        if after.phase in ("reveal", "over") and before.phase != "reveal" and not before.preparing:
            assert {len(hand) for hand in after.hands} == {HAND}
            self.note_ties()
        assert self.cards_there(after) == Counter(after.setup.cards)

    def cards_there(self, slow: Reference) -> Counter[str]:
        """All of the game's cards."""
        held = [held.card for hand in slow.hands for held in hand]
        shown = [card for card in slow.revealed if card and slow.phase != "reveal"]
        lying = [card for card in slow.pool.values() if card]
        tableaus = [card for tableau in slow.tableaus for card in tableau.cards()]
        return +slow.deck + +slow.discards + Counter([*held, *shown, *lying, *tableaus])

    def note_turn(self, before: Reference) -> None:
        """A card that was revealed may have been placed by itself."""
        for seat, card in enumerate(before.revealed):
            if before.phase != "reveal" and card and self.slow.revealed[seat] is None and self.slow.turn > before.turn:
                self.note_placed(before, seat)
                self.note_begun(before)

    def note_begun(self, before: Reference) -> None:
        """A turn has begun with a Harlequin."""
        counts, slow = self.happened.counts, self.slow
        if slow.phase == "draft" and slow.discards[HARLEQUIN] > before.discards[HARLEQUIN]:
            counts[ALONE_NO_COLUMN if slow.unlocks == ANY else NO_TARGET] += 1

    def note_deck(self, before: Reference, step: tuple[Any, ...]) -> None:
        counts, after = self.happened.counts, self.slow
        if after.shuffles > before.shuffles:
            counts[RESHUFFLED[before.phase]] += 1
            counts[BOTH_DECKS[before.phase]] += before.deck.total() > 0
            counts[TWICE_ANEW] += after.shuffles > 1
        unseen = [held for hand in after.hands for held in hand if not held.known]
        counts[SHUFFLES_TOLD] += any(held.since < after.shuffles for held in unseen)
        counts[BLIND_PAIR] += step[0] == "draw" and step[1][0] == step[1][1]
        counts[IN_TWO] += step[0] == "pool" and len(before.refill) == AT_ONCE + 1 and not before.preparing
        for hand in after.hands:
            ages = {(held.card, held.since) for held in hand if not held.known}
            counts[OTHER_SHUFFLES] += len(ages) > len({card for card, _ in ages})

    def note_shown(self, before: Reference, step: tuple[Any, ...]) -> None:
        """A card out of a hand."""
        counts = self.happened.counts
        for earlier, later in zip(before.hands, self.slow.hands, strict=True):
            for held in Counter(earlier) - Counter(later):
                counts[SHOWN_OLD] += not held.known and held.since < before.shuffles
                counts[KNOWN_FIRST] += held.known and any(other.card == held.card and not other.known for other in earlier)

    def note_alike(self, before: Reference) -> None:
        counts = self.happened.counts
        cards = [card for card in before.orchard if card]
        counts[ALIKE_CARDS] += before.phase == "card" and len(set(cards)) < len(cards)
        stacks = [stack for stack in zip(before.tops, before.below, strict=True) if before.may_claim(stack[0])]
        counts[ALIKE_STACKS] += before.phase == "feed" and len(set(stacks)) < len(stacks)
        if before.phase == "feed":
            for name in filter(None, before.tops):
                tile, tableau = before.setup.tile_named[name], before.tableaus[before.mover()]
                enough = 0 < tile.threshold <= tableau.count(tile.type)
                counts[MILDEW_BARRED] += enough and not before.may_claim(name)

    def note_invasion(self, before: Reference, victim: int, colour: str) -> None:
        counts, after, invader = self.happened.counts, self.slow, before.mover()
        earlier, later = before.tableaus[victim], after.tableaus[victim]
        alone = before.setup.alone
        lost = colour in earlier.life_cycles - later.life_cycles
        counts[ALONE if alone else INVADED] += 1
        counts[ALONE_AGAIN] += alone and earlier.columns[colour][-1] == HARLEQUIN
        counts[ALONE_LOST if alone else LOST] += lost
        self.lost |= {(victim, colour)} if lost else set()
        counts[SPARED] += colour in later.life_cycles and not alone
        counts[ROBBED] += len(after.tableaus[invader].life_cycles) > len(before.tableaus[invader].life_cycles)
        counts[ROBBED_ROW] += after.phase == "bed"
        for tile in {before.setup.tile_named[name] for name in later.feeding}:
            owned = [before.setup.tile_named[name] for name in later.feeding if name[0] == tile.type]
            counts[MILDEW_KEPT] += later.count(tile.type) < sum(other.threshold for other in owned) <= earlier.count(tile.type)
        assert len(later.columns[colour]) == len(earlier.columns[colour])
        assert (later.feeding, later.flowerbeds, later.orchards) == (earlier.feeding, earlier.flowerbeds, earlier.orchards)

    def note_placed(self, before: Reference, seat: int) -> None:
        counts, earlier, later = self.happened.counts, before.tableaus[seat], self.slow.tableaus[seat]
        for colour, cards in later.columns.items():
            if len(cards) == len(earlier.columns[colour]):
                continue
            gained = colour in later.life_cycles - earlier.life_cycles
            counts[LIFE_CYCLE] += gained
            counts[NOT_REGAINED] += colour in later.lost and later.is_complete(colour)
            counts[REGAINED] += gained and (seat, colour) in self.lost
            states = Counter(card[1] for card in cards if card != HARLEQUIN)
            counts[SECOND_SET] += len(states) == 4 and min(states.values()) == 2 and colour in earlier.life_cycles

    def note_taken(self, before: Reference, slot: str) -> None:
        counts, after, card = self.happened.counts, self.slow, before.pool[slot]
        if before.unlocks != ANY and card == HARLEQUIN:
            counts[TAKEN_FOR_NONE if ("blind",) in before.choices() else TAKEN_INSTEAD] += 1
            counts[NO_TARGET_TAKES] += before.unlocks == NO_MATCH
        if after.phase == "pool":
            rows, columns = ({other[i] for other in after.refill} for i in (0, 1))
            both = len(rows) > 1 and len(columns) > 1
            counts[CLEARED["both" if both else "row" if len(rows) == 1 else "column"]] += 1
            gained = after.tableaus[before.mover()].memories - before.tableaus[before.mover()].memories
            assert gained == (2 if both else 1 if len(rows) == 1 or not before.setup.alone else 0)
            assert len(after.refill) == (5 - before.setup.alone if both else 3 - (before.setup.alone and len(rows) > 1))

    def note_fed(self, before: Reference, number: int) -> None:
        counts, after, seat = self.happened.counts, self.slow, before.mover()
        name = before.tops[number]
        assert name is not None
        tile = before.setup.tile_named[name]
        # a chain goes on as long as its player has the turn
        self.chain = self.chain + 1 if before.chain else 1
        counts[CHAIN.get(self.chain, "")] += 1
        counts[STACK_OUT] += before.below[number] == 0
        counts[ALL_OUT] += not any(after.tops) and not any(after.below)
        counts[CHAIN_BROKEN] += tile.honeydew and after.phase not in ("stacks", "feed")
        if tile.threshold:
            owned = [before.setup.tile_named[other] for other in after.tableaus[seat].feeding]
            counts[MILDEW.get(sum(other.threshold > 0 and other.type == tile.type for other in owned), "")] += 1
            counts[MILDEW_POOR] += before.tableaus[seat].aphids == 0
            counts[MILDEW_LAST] += before.chain

    def note_ties(self) -> None:
        slow, counts = self.slow, self.happened.counts
        ranks = [(score, tableau.memories) for score, tableau in zip(slow.scores(), slow.tableaus, strict=True)]
        for one, other in ((one, other) for i, one in enumerate(ranks) for other in ranks[:i]):
            if one[0] == other[0] > 0:
                counts[SHARED if one == other else BY_MEMORIES] += 1

    def note_end(self) -> None:
        slow, counts = self.slow, self.happened.counts
        counts[BEYOND_TABLE] += max(tableau.memories for tableau in slow.tableaus) > len(slow.setup.memories)
        assert slow.round == ROUNDS
        assert {len(hand) for hand in slow.hands} == {HAND}
        assert sum(len(tableau.flowerbeds) for tableau in slow.tableaus) <= 16
        assert all(len(tableau.cards()) <= 22 for tableau in slow.tableaus)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_games(setting: Setting) -> None:
    happened = Both.play(setting.load(), setting.seeds)
    assert happened.missing(*setting.happens) == set()


def test_the_reference_has_the_games_own_components() -> None:
    """Rows of tiles in any order."""
    kept, own = read_components(definition("ladybird")).data, components_of()
    rows = [sorted(map(plain, data.pop("tiles"))) for data in (kept, own)]
    assert rows[0] == rows[1]
    assert kept == own


def test_all_things_are_asked_for() -> None:
    """In some setting each."""
    assert {thing for setting in SETTINGS for thing in setting.happens} == set(THINGS)


@pytest.mark.slow
def test_many_games() -> None:
    """Of all settings."""
    counts: Counter[str] = Counter()
    nodes = sum(Both.play(setting.load(), range(30, 36), counts).nodes for setting in SETTINGS)
    assert nodes > 20_000
    assert {thing for thing in THINGS if not counts[thing]} == set()
