"""What every game is put through: the cases, walks, enumerators of hidden things, perft and playthroughs.

A game enters by being registered in `garden_ai.games`. One that has a slow reference, or hidden things that can be
listed, is also named in `REFERENCES` or `DEALS` at the end of this file. The tests themselves are in test_battery.py.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from games import definitions
from garden_core.fields import FieldError
from garden_core.state import Game, State
from reference import butterfly_garden, flowerpower, ladybird, leelawadee, under_the_leaves
from scipy.stats import chisquare

from garden_ai import ALL, CHANCE, PUBLIC, TERMINAL
from garden_ai.components import read_components
from garden_ai.games import GameDefinition, Option
from garden_ai.games import definition as registered
from garden_ai.games import names as registered_names

HERE = Path(__file__).parent
PERFT = HERE / "perft"
PLAYTHROUGHS = HERE / "playthroughs"

# Below this a frequency is taken to be wrong. Seeds are fixed, so a test that passes passes always.
ALPHA = 1e-4


# --- the cases ---


@dataclass(frozen=True)
class Case:
    """A game, a number of players and options that are not the default."""

    name: str
    players: int
    options: tuple[tuple[str, Any], ...] = ()
    slow: bool = False

    def __str__(self) -> str:
        options = "".join(f"-{name}={value}" for name, value in self.options)
        return f"{self.name}-{self.players}{options}"

    @property
    def subject(self) -> Subject:
        return subject(self.name, self.players, self.options)


def find_definition(name: str) -> GameDefinition:
    return definitions.definition(name) if name in definitions.NAMES else registered(name)


@cache
def subject(name: str, players: int, options: tuple[tuple[str, Any], ...]) -> Subject:
    definition = find_definition(name)
    game = definition.load(players, dict(options), read_components(definition).data)
    return Subject(definition, game)


def component_file(name: str, folder: Path, **values: int) -> Path:
    """A game's own component file with some numbers changed."""
    text = find_definition(name).components_file.read_text(encoding="utf-8")
    for key, value in values.items():
        text, found = re.subn(rf"(?m)^{key} = \d+", f"{key} = {value}", text)
        assert found == 1, key
    file = folder / "components.toml"
    file.write_text(text, encoding="utf-8")
    return file


def cases() -> list[Case]:
    """Every game, with the defaults and with all options changed for all players, each single change for some of them.

    Of several values the most players have the last one when all options are changed, one less the one before, and so on.
    """
    found = [Case(name, 2) for name in definitions.NAMES]
    for name in registered_names():
        definition = registered(name)
        fitting = {
            players: {
                option.name: [value for value in other_values(option) if loads(definition, players, option.name, value)]
                for option in definition.options
            }
            for players in definition.players
        }
        found += [Case(name, players) for players in definition.players]
        # one after another by one number of players after another; alone, some options change nothing
        several = [players for players in definition.players if players > 1] or definition.players
        for number, option in enumerate(option for option in definition.options if option.choices):
            for players in [*several, *several][number % len(several):][:len(several)]:
                values = fitting[players][option.name]
                if values:
                    found.append(Case(name, players, ((option.name, values[0]),)))
                    break
        for number, players in enumerate(reversed(definition.players), 1):
            changed = {option: values[-number % len(values)] for option, values in fitting[players].items() if values}
            if len(changed) > 1:
                found.append(Case(name, players, tuple(changed.items()), slow=number > 1))
    return found


def other_values(option: Option) -> list[Any]:
    """Values that differ from the default; of a range of numbers a small one, which makes rare things frequent."""
    if option.choices:
        return [value for value in option.choices if repr(value) != repr(option.default)]
    return [value for value in (min(option.low + 2, option.high),) if value != option.default]


def loads(definition: GameDefinition, players: int, option: str, value: Any) -> bool:
    """Whether the option may have the value: some fit certain numbers of players only."""
    try:
        definition.load(players, {option: value}, read_components(definition).data)
    except FieldError:
        return False
    return True


# --- walks ---


@dataclass(frozen=True)
class Walk:
    """One whole game: its states, the first and the last included, and what led from each to the next."""

    states: list[State]
    ids: list[int]

    def at(self, actor: Callable[[int], bool]) -> Iterator[tuple[int, State]]:
        return ((i, state) for i, state in enumerate(self.states) if actor(state.actor))


def walk(game: Game, seed: int, policy: bool = False) -> Walk:
    state = game.start()
    states, ids = [state.copy()], []
    while state.actor != TERMINAL:
        draw = 1000 * seed + len(ids)
        if state.actor == CHANCE:
            ids.append(state.draw(draw))
        else:
            ids.append(state.policy_action(draw) if policy else state.random_action(draw))
            state.apply(ids[-1])
        states.append(state.copy())
    return Walk(states, ids)


def play_on(state: State, dice: random.Random) -> None:
    """At random to the end, in place."""
    while state.actor != TERMINAL:
        if state.actor == CHANCE:
            state.draw(dice.getrandbits(30))
        else:
            state.apply(state.random_action(dice.getrandbits(30)))


def most_points_at_once(state: State, dice: random.Random) -> int:
    """The action that brings its player most points at once; one of the best at random."""
    worth = {action: (after(state, action).scores()[state.actor], dice.random()) for action in state.legal_actions().tolist()}
    return max(worth, key=worth.__getitem__)


@dataclass(frozen=True)
class Subject:
    """A loaded game and some games played with it."""

    definition: GameDefinition
    game: Game

    @cached_property
    def walks(self) -> list[Walk]:
        """Random games and games by policy, in turn."""
        return [walk(self.game, seed, policy=seed % 2 == 1) for seed in range(8)]

    @cached_property
    def states(self) -> list[State]:
        return [state for path in self.walks for state in path.states]

    def some(self, count: int, actor: Callable[[int], bool] = lambda actor: True) -> list[State]:
        """So many states of the walks, evenly spread, that have such an actor."""
        return spread([state for state in self.states if actor(state.actor)], count)

    @property
    def seats(self) -> range:
        return range(self.game.players)

    @property
    def observers(self) -> list[int]:
        return [PUBLIC, *self.seats]


def spread(values: Sequence[Any], count: int) -> list[Any]:
    if len(values) <= count:
        return list(values)
    return [values[i * len(values) // count] for i in range(count)]


def is_player(actor: int) -> bool:
    return actor >= 0


def is_chance(actor: int) -> bool:
    return actor == CHANCE


def after(state: State, *ids: int) -> State:
    """The state after these actions or outcomes."""
    state = state.copy()
    for action in ids:
        state.apply(int(action))
    return state


def steps(state: State) -> list[int]:
    """Every action or outcome possible, listed outcomes only."""
    if state.actor == CHANCE:
        listed = state.outcomes()
        return [] if listed is None else listed[0].tolist()
    return state.legal_actions().tolist()


def plain(view: Mapping[str, Any]) -> str:
    """A view as text. It must be plain data."""
    return json.dumps(view, sort_keys=True)


# --- frequencies ---


def goodness(seen: Mapping[Any, float], expected: Mapping[Any, float]) -> float:
    """The p-value of counts against probabilities; outcomes too rare for the test are taken together.

    0 where something came that cannot.
    """
    if set(seen) - {outcome for outcome, p in expected.items() if p > 0}:
        return 0.0
    draws = sum(seen.values())
    rows = [(seen.get(outcome, 0), p * draws) for outcome, p in sorted(expected.items(), key=lambda item: item[1])]
    rare = [row for row in rows if row[1] < 5]
    frequent = [row for row in rows if row[1] >= 5]
    if rare:
        frequent.append((sum(row[0] for row in rare), sum(row[1] for row in rare)))
    if len(frequent) > 1 and frequent[-1][1] < 5:
        small, next_one = frequent.pop(), frequent.pop(0)
        frequent.append((small[0] + next_one[0], small[1] + next_one[1]))
    if len(frequent) < 2:
        return 1.0
    observed, wanted = np.array(frequent, dtype=float).T
    return float(chisquare(observed, wanted * observed.sum() / wanted.sum()).pvalue)


def assert_redeals(
    state: State, observer: int, count: int, expected: Mapping[int, float], where: Mapping[int, Sequence[Any]]
) -> Mapping[int, float]:
    """Redeals are of the states expected, by their keys, each as often as it should be.

    So are what they have in single places, of which there are more of each than of whole states; `where` says what.
    """
    seen: defaultdict[int, float] = defaultdict(float)
    for seed in range(count):
        other = state.redeal(observer, seed)
        seen[other.key()] += math.exp(other.log_weight)
    assert set(seen) <= set(expected)
    assert goodness(seen, expected) > ALPHA
    for i in range(max(map(len, where.values()))):
        apart: defaultdict[Any, float] = defaultdict(float)
        together: defaultdict[Any, float] = defaultdict(float)
        for number, probability in expected.items():
            together[where[number][i]] += probability
            apart[where[number][i]] += seen.get(number, 0.0)
        assert goodness(apart, together) > ALPHA
    return seen


def frequencies(draws: Iterable[Any]) -> Counter[Any]:
    return Counter(draws)


# --- perft ---


@dataclass
class Leaves:
    """What perft counts: paths of a length, and the points at their ends, players weighed 1, 2, ..."""

    paths: int = 0
    points: float = 0.0


def perft(state: State, depth: int) -> Leaves:
    """Decisions times listed outcomes."""
    leaves = Leaves()

    def go(here: State, left: int) -> None:
        if left == 0:
            leaves.paths += 1
            leaves.points += weighed(here.scores())
            return
        for action in steps(here):
            there = here.copy()
            there.apply(action)
            go(there, left - 1)

    go(state, depth)
    return leaves


def weighed(scores: Sequence[float]) -> float:
    return float(sum(i * score for i, score in enumerate(scores, 1)))


def perft_start(game: Game, seed: int | None, plies: int) -> tuple[State, list[int]]:
    """Where a perft begins: the start, or so many steps into a random game."""
    if seed is None:
        return game.start(), []
    path = walk(game, seed)
    return path.states[plies], path.ids[:plies]


def deepest(state: State, limit: int) -> tuple[int, Leaves]:
    """The greatest depth with no more than `limit` paths."""
    best = 0, Leaves(1, weighed(state.scores()))
    for depth in range(1, 8):
        if paths(state, depth, limit) in (None, 0):
            break
        best = depth, perft(state, depth)
    return best


def paths(state: State, depth: int, limit: int) -> int | None:
    """The number of paths, or None where it is above the limit."""
    here = steps(state)
    if depth == 1:
        return len(here) if len(here) <= limit else None
    total = 0
    for action in here:
        more = paths(after(state, action), depth - 1, limit - total)
        if more is None:
            return None
        total += more
    return total


def perft_entries(case: Case, limit: int = 20_000) -> list[dict[str, Any]]:
    """From the start, from the middle and from near the end of random games."""
    game = case.subject.game
    entries = []
    length = len(walk(game, 1).ids)
    for seed, plies in ((None, 0), (1, length // 2), (1, max(0, length - 4)), (1, max(0, length - 3))):
        depth, leaves = deepest(perft_start(game, seed, plies)[0], limit)
        if depth:
            entries.append({
                "players": case.players, "options": dict(case.options), "seed": seed, "plies": plies,
                "depth": depth, "paths": leaves.paths, "points": leaves.points,
            })
    return entries


# --- playthroughs ---


def playthrough(case: Case, seed: int) -> dict[str, Any]:
    """One game written down: what happened in notation, and how it ended."""
    subject = case.subject
    path = walk(subject.game, seed)   # not by policy: that may be tuned without a change of the rules
    events = [
        subject.definition.notation.format(state, action)
        for state, action in zip(path.states[:-1], path.ids, strict=True)
    ]
    end = path.states[-1]
    return {
        "players": case.players, "options": dict(case.options), "seed": seed, "events": events,
        "key": f"{end.key():016x}", "scores": end.scores(),
    }


def write_lines(file: Path, entries: Iterable[Mapping[str, Any]]) -> None:
    """A JSON list, a line an entry."""
    file.write_text("[\n" + ",\n".join(json.dumps(entry) for entry in entries) + "\n]\n", encoding="utf-8")


def read_lines(file: Path) -> list[dict[str, Any]]:
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else []


# --- slow references ---


Slow = Any  # a `Reference` of tests/reference, each with its own words: copy, apply, choices, events, scores


class SlowReference:
    """A game's slow reference beside the compiled game, step by step."""

    def __init__(self, game: Game, state: Slow) -> None:
        self.game, self.state = game, state

    def copy(self) -> SlowReference:
        return SlowReference(self.game, self.state.copy())

    def apply(self, state: State, action: int) -> None:
        """The step that `action` is in `state`, the compiled state before it."""
        self.state.apply(self.game.step(state, action))

    def perft(self, depth: int) -> Leaves:
        leaves = Leaves()

        def go(here: Slow, left: int) -> None:
            if left == 0:
                leaves.paths += 1
                leaves.points += weighed(here.scores())
                return
            for step in [*here.choices(), *(event for event, _ in here.events())]:
                there = here.copy()
                there.apply(step)
                go(there, left - 1)

        go(self.state, depth)
        return leaves


class Both:
    """A compiled state and a slow one that are kept in step and compared at every node.

    A game's own adds to `compare`. `happened` is what it gathers over all games that are compared.
    """

    def __init__(self, game: Game, state: State, slow: Slow, happened: Happened) -> None:
        self.game, self.state, self.slow, self.happened = game, state, slow, happened

    @classmethod
    def start(cls, game: Game, counts: Counter[str] | None = None) -> Self:
        """The start of a game; what has been counted before may be counted on."""
        happened = Happened((ALL, PUBLIC, *range(game.players)), Counter() if counts is None else counts)
        both = cls(game, game.start(), REFERENCES[game.name](game).state, happened)
        both.compare()
        return both

    def restarted(self) -> Self:
        return type(self)(self.game, self.game.start(), type(self.slow)(self.slow.setup), self.happened)

    def copy(self) -> Self:
        return type(self)(self.game, self.state.copy(), self.slow.copy(), self.happened)

    def apply(self, step: tuple[Any, ...]) -> None:
        self.state.apply(self.game.step_id(self.state, step))
        self.slow.apply(step)
        self.compare()

    def compare(self) -> None:
        assert self.state.actor == self.slow.actor
        self.compare_steps()
        assert self.state.scores() == self.slow.scores()
        assert self.state.placing() == self.slow.placing()
        self.happened.nodes += 1

    def compare_steps(self) -> list[Any]:
        """The steps that are possible, the same on both sides, with the same probabilities; ids in order."""
        if self.state.actor == CHANCE:
            outcomes, probabilities = self.state.outcomes()
            events = dict(self.slow.events())
            steps = [self.game.step(self.state, outcome) for outcome in outcomes.tolist()]
            assert len(steps) == len(events)
            assert set(steps) == set(events)
            for step, probability in zip(steps, probabilities.tolist(), strict=True):
                assert abs(probability - float(events[step])) < 1e-12
        else:
            steps = [self.game.step(self.state, action) for action in self.state.legal_actions().tolist()]
            choices = self.slow.choices()
            assert len(steps) == len(choices)
            assert set(steps) == set(choices)
        ids = [self.game.step_id(self.state, step) for step in steps]
        assert ids == sorted(ids)
        return steps

    def drawn(self, dice: random.Random) -> tuple[Any, ...]:
        """What chance may do. To draw it is to do it."""
        there = self.state.copy()
        outcome = there.draw(dice.getrandbits(40))
        assert there == after(self.state, outcome)
        return self.game.step(self.state, outcome)

    def rebuild(self) -> None:
        """Go on from the state as it is written."""
        again = self.game.build(self.state.view(ALL))
        assert again == self.state
        self.state = again


def told(fields: dict[str, Any], observer: int, phase: str, choices: str) -> dict[str, Any]:
    """What of a view is knowledge: choices made at the same time, in a phase, are only applied one after another."""
    if fields["phase"] != phase or observer == ALL:
        return fields
    return {**fields, "to_move": None, choices: [card for card in fields[choices] if card not in (None, "hidden")]}


# What may happen in a game where something is hidden.
OTHER_CHOICE = "the same with another hidden choice or draw"


class BothInStyles(Both):
    """Games are played in several styles."""

    styles: ClassVar[Sequence[Any]]

    @classmethod
    def play(cls, game: Game, seeds: Iterable[int], counts: Counter[str] | None = None) -> Happened:
        """In each style in turn."""
        both = cls.start(game, counts)
        for seed in seeds:
            both.restarted().walk(random.Random(seed), cls.styles[seed % len(cls.styles)])
        return both.happened

    def walk(self, dice: random.Random, style: Any) -> Self:
        """To the end of the game."""
        raise NotImplementedError

    def otherwise(self, dice: random.Random) -> None:
        """With another hidden choice or draw. The others know the same whichever it is, which the pairing finds out."""
        aside = self.copy()
        aside.apply(dice.choice(aside.slow.choices() or [event for event, _ in aside.slow.events()] or [self.drawn(dice)]))
        self.happened.counts[OTHER_CHOICE] += 1
        aside.state.withdraw()
        aside.slow.withdraw()
        aside.compare()

    def best(self, worth: Callable[[tuple[Any, ...]], float] | None, dice: random.Random) -> tuple[Any, ...]:
        """The choice that is worth most, one of several at random; any where nothing says what they are worth."""
        choices = self.slow.choices()
        if worth is None:
            return dice.choice(choices)
        return max(choices, key=lambda step: (worth(step), dice.random()))

    def points_after(self, step: tuple[Any, ...]) -> int:
        """Of whoever takes the step."""
        there = self.slow.copy()
        there.apply(step)
        return there.scores()[self.state.actor]


class Pairing:
    """A one-to-one correspondence that grows; a pair that contradicts it is an error."""

    def __init__(self) -> None:
        self.forth: dict[Any, Any] = {}
        self.back: dict[Any, Any] = {}
        self.met_again = 0

    def add(self, one: Any, other: Any) -> None:
        if one in self.forth or other in self.back:
            self.met_again += 1
            assert self.forth.get(one) == other
            assert self.back.get(other) == one
        self.forth[one] = other
        self.back[other] = one


@dataclass
class Happened:
    """What games compared with a slow reference have shown, kept for all of them."""

    observers: tuple[int, ...]
    counts: Counter[str] = field(default_factory=Counter)
    nodes: int = 0

    def __post_init__(self) -> None:
        self.pairings = {observer: Pairing() for observer in self.observers}

    def missing(self, *things: str) -> set[str]:
        return {thing for thing in things if not self.counts[thing]}


def leelawadee_setup(game: Game) -> leelawadee.Setup:
    """The reference's setup of a compiled game, read from its components and options."""
    components, options = game.components_data, game.options
    colours = components["flowers"]["colours"]
    shapes = components["gardens"]["shapes"]
    return leelawadee.Setup(
        players=game.players,
        counts=tuple(components["flowers"]["counts"][str(game.players)]),
        pairs=tuple(
            (colours.index(pair["colours"][0]), colours.index(pair["colours"][1]))
            for pair in components["butterflies"]["two_colour"]
        ),
        shapes=tuple(tuple(shapes[player % len(shapes)]) for player in range(game.players)),
        attract=options["attract"],
        open_draws=options["open_draws"],
        bid_for_start=options["bid_for_start"],
        bid_max=options["bid_max"],
        first=None if options["first"] == "random" else options["first"],
    )


def flowerpower_setup(game: Game) -> flowerpower.Setup:
    """The reference's setup of a compiled game, read from its components and options."""
    components, options = game.components_data, game.options
    board, beds, tiles = components["board"], components["beds"], components["tiles"]
    kinds = flowerpower.designed_tiles(tiles["doubles"], tiles["mixed"])
    if options["tiles"] == "misprint2001":
        index = components["varieties"]["names"].index
        extra = sorted(map(index, tiles["misprint2001"]["extra"]))
        kinds = flowerpower.misprinted(kinds, index(tiles["misprint2001"]["missing"]), (extra[0], extra[1]))
    return flowerpower.Setup(
        players=game.players,
        columns=board["columns"],
        side_rows=board["side_rows"],
        strip_rows=board["strip_rows"],
        tiles=kinds,
        weeds_each=components["weeds"]["each"],
        weeds=options["weeds"],
        weed_counts_as_legal=options["weed_counts_as_legal"],
        first=None if options["first"] == "random" else options["first"],
        bed_sizes=tuple(beds["sizes"]),
        bed_points=tuple(beds["points"]),
    )


def under_the_leaves_setup(game: Game) -> under_the_leaves.Setup:
    """The reference's setup of a compiled game, read from its components and options."""
    components, options = game.components_data, game.options
    return under_the_leaves.Setup(
        players=game.players,
        cards={
            family: tuple(components["cards"][family]) if options[family] == "random" else (options[family],)
            for family in under_the_leaves.FAMILIES
        },
        starting=tuple(components["tiles"]["starting"]),
        garden=tuple(components["tiles"]["garden"]),
        turns=components["game"]["turns"],
        market=components["game"]["market"],
        allow_flip=options["allow_flip"],
        majority_of_none=options["majority_of_none"],
        first=None if options["first"] == "random" else options["first"],
    )


def butterfly_garden_setup(game: Game) -> butterfly_garden.Setup:
    """The reference's setup of a compiled game, read from its components and options."""
    components = game.components_data
    return butterfly_garden.Setup(
        players=game.players,
        goal=components["goals"][str(game.players)],
        cards=tuple(components["cards"]["faces"]),
        deliveries=tuple(butterfly_garden.Delivery(**entry) for entry in components["deliveries"]),
        hands={letter: tuple(cards) for letter, cards in components["hands"].items()},
        less_luck=game.options["less_luck"],
        letters=game.options["letters"],
        listed=game.max_outcomes,
    )


def ladybird_setup(game: Game) -> ladybird.Setup:
    """The reference's setup of a compiled game, read from its components and options."""
    options = game.options
    return ladybird.setup_of(
        game.players,
        game.components_data,
        life_cycle_regain=options["life_cycle_regain"],
        first=None if options["first"] == "random" else options["first"],
        listed=game.max_outcomes,
    )


def leelawadee_reference(game: Game) -> SlowReference:
    return SlowReference(game, leelawadee.Reference(leelawadee_setup(game)))


def flowerpower_reference(game: Game) -> SlowReference:
    return SlowReference(game, flowerpower.Reference(flowerpower_setup(game)))


def under_the_leaves_reference(game: Game) -> SlowReference:
    return SlowReference(game, under_the_leaves.Reference(under_the_leaves_setup(game)))


def butterfly_garden_reference(game: Game) -> SlowReference:
    return SlowReference(game, butterfly_garden.Reference(butterfly_garden_setup(game)))


def ladybird_reference(game: Game) -> SlowReference:
    return SlowReference(game, ladybird.Reference(ladybird_setup(game)))


REFERENCES: dict[str, Callable[[Game], SlowReference]] = {
    "leelawadee": leelawadee_reference,
    "flowerpower": flowerpower_reference,
    "under_the_leaves": under_the_leaves_reference,
    "butterfly_garden": butterfly_garden_reference,
    "ladybird": ladybird_reference,
}


# --- what an observer cannot see, listed: key(ALL) of every full state that agrees with his view -> probability ---


def kuhn_deals(game: Game, path: Walk, index: int, observer: int) -> dict[int, float]:
    state = path.states[index]
    full = state.view(ALL)
    hands = [(a, b) for a in "JQK" for b in "JQK" if a != b]
    known = [card if card in ("J", "Q", "K") else None for card in state.view(observer)["cards"]]
    if full["cards"] == [None, None]:
        return {state.key(): 1.0}
    fitting = [hand for hand in hands if all(k in (None, card) for k, card in zip(known, hand, strict=True))]
    return {game.build({**full, "cards": list(hand)}).key(): 1 / len(fitting) for hand in fitting}


def pennies_deals(game: Game, path: Walk, index: int, observer: int) -> dict[int, float]:
    state = path.states[index]
    full = state.view(ALL)
    options = [[full["choices"][player]] for player in range(2)]
    for player in range(2):
        if state.actor >= 0 and player != observer and full["choices"][player] is not None:
            options[player] = ["heads", "tails"]
    pairs = [[a, b] for a in options[0] for b in options[1]]
    return {game.build({**full, "choices": pair}).key(): 1 / len(pairs) for pair in pairs}


def leelawadee_deals(game: Game, path: Walk, index: int, observer: int) -> dict[int, float] | None:
    """From the slow reference. None where they are too many, or nothing is hidden."""
    state = path.states[index]
    hidden = sum(bid is not None for bid in state.view(ALL).get("bids", ())) if state.simultaneous else 0
    if not hidden or (game.options["bid_max"] + 1) ** hidden > 500:
        return None
    slow = leelawadee_reference(game)
    for before, action in zip(path.states, path.ids[:index], strict=False):
        slow.apply(before, action)
    full = state.view(ALL)
    return {
        game.build({**full, "bids": deal.bids}).key(): float(probability)
        for deal, probability in slow.state.deals(None if observer == PUBLIC else observer)
    }


def flowerpower_deals(game: Game, path: Walk, index: int, observer: int) -> dict[int, float] | None:
    """From the slow reference. None where they are too many, or nothing is hidden; later on at few states only.

    A drawn tile is hidden in every other state of a long game, and each time asked for it costs many redeals.
    """
    if index > 12 and index % 15:
        return None
    full, seen = path.states[index].view(ALL), path.states[index].view(observer)
    if plain(full) == plain(seen):
        return None
    slow = flowerpower_reference(game)
    for before, action in zip(path.states, path.ids[:index], strict=False):
        slow.apply(before, action)
    hidden = len(slow.state.hidden_weeds(observer)) + slow.state.hides_tile(observer)
    if len(slow.state.unseen(observer)) ** hidden > 500:
        return None
    return {
        game.build(flowerpower_fields(game, full, deal)).key(): float(probability)
        for deal, probability in slow.state.deals(observer)
    }


def flowerpower_fields(game: Game, full: Mapping[str, Any], deal: flowerpower.Reference) -> dict[str, Any]:
    """Fields of a state that sees everything, with the tiles of a deal in place of the hidden ones and the bag's."""

    def text(tile: tuple[int, int]) -> str:
        return "/".join(game.letters[variety] for variety in tile)

    def at(spot: flowerpower.Spot) -> str:
        return "-".join(f"{chr(ord('a') + column)}{row + 1}" for row, column in spot)

    bag = sorted(deal.bag.elements())
    fields = dict(full)
    fields["unseen"] = {
        letter: "".join(game.letters[other] for one, other in bag if game.letters[one] == letter) for letter in game.letters
    }
    if deal.tile is not None:
        fields["tile"] = text(deal.tile)
    if "weeds" in full:
        tiles = [{at(spot): text(tile) for spot, tile in weeds.items()} for weeds in deal.weeds]
        fields["weeds"] = [
            [{**weed, "tile": own[weed["at"]]} for weed in weeds] for own, weeds in zip(tiles, full["weeds"], strict=True)
        ]
    return fields


def butterfly_garden_deals(game: Game, path: Walk, index: int, observer: int) -> dict[int, float] | None:
    """By the enumerator beside the slow reference, at few states; None where they are too many, or nothing is hidden.

    Most is known near the end: there they are few enough even with six players.
    """
    if index % 30 != 29 and index < len(path.states) - 6:
        return None
    state = path.states[index]
    if plain(state.view(ALL)) == plain(state.view(observer)):
        return None
    found = butterfly_garden.deals(game, path, index, observer, 150)
    return None if found is None else {key: probability for key, (_, probability) in found.items()}


def ladybird_deals(game: Game, path: Walk, index: int, observer: int) -> dict[int, float] | None:
    """From the slow reference, at few states; None where they are too many, or nothing is hidden."""
    state = path.states[index]
    if index % (20 * game.players) or plain(state.view(ALL)) == plain(state.view(observer)):
        return None
    slow = ladybird_reference(game)
    for before, action in zip(path.states, path.ids[:index], strict=False):
        slow.apply(before, action)
    deals = list(islice(slow.state.deals(observer), 151))
    if len(deals) > 150:
        return None
    return {game.build(deal.fields(ALL)).key(): float(probability) for deal, probability in deals}


DEALS: dict[str, Callable[[Game, Walk, int, int], dict[int, float] | None]] = {
    "kuhn_poker": kuhn_deals,
    "biased_pennies": pennies_deals,
    "leelawadee": leelawadee_deals,
    "flowerpower": flowerpower_deals,
    "butterfly_garden": butterfly_garden_deals,
    "ladybird": ladybird_deals,
}
