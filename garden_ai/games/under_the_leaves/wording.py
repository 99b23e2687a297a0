"""Under the Leaves in sentences: what the components of a score are called, and what laying a tile or a choice brought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from garden_core.games.under_the_leaves import UnderTheLeaves
from garden_core.state import Game, State

from garden_ai.games.under_the_leaves.gardens import FAMILIES, PUDDLE, Area, gardens_of, spot_name
from garden_ai.games.words import joined

MOST = 3  # events that are told of one move
# What kind of event is told first; among those of a kind the one with more points or cells. There are no more than `MOST` gains:
# bees, hummingbirds and dwellers, so that whoever still has to choose a dweller's place is told so.
GAINS, LEAVES, JOINS, PREPARES, GROWS = 4, 3, 2, 1, 0
WORTH_LEAVING = 3  # points that a tile left in the market must bring the next player at once to be told
PAIR = 2  # cells of an area that lacks one more to be visited by bees


@dataclass(frozen=True)
class Event:
    """A phrase and what it is ranked by: its kind, and how much it is about."""

    kind: int
    size: int
    text: str


def phrase(game: Game, component: str) -> str:
    """`leaf` -> `the leaf dwellers`."""
    return f"the {component} dwellers" if component in FAMILIES else f"the {component}"


def events(game: Game, before: Mapping[str, Any], after: Mapping[str, Any], player: int) -> tuple[str, ...]:
    """What came of a move: `+2 bees (new pink area of 4)`; at most `MOST`, the most important first."""
    assert isinstance(game, UnderTheLeaves)
    told = sorted(Story(game, before, after, player).events(), key=lambda event: (-event.kind, -event.size))
    return tuple(event.text for event in told[:MOST])


class Story:
    """One move, told by the views before and after it."""

    def __init__(self, game: UnderTheLeaves, before: Mapping[str, Any], after: Mapping[str, Any], player: int) -> None:
        self.game = game
        self.player = player
        self.before, self.after = before, after
        self.was, self.is_now = gardens_of(before), gardens_of(after)
        self.old, self.new = self.was[player], self.is_now[player]
        self.colours = dict(zip(game.letters, game.colours, strict=True))

    def events(self) -> Iterator[Event]:
        """Everything there is to tell, the gains in the order in which they come."""
        yield from self.bees()
        yield from self.hummingbirds()
        yield from self.dwellers()
        if self.before["phase"] == "place" and self.after["phase"] not in ("choose", "over"):
            yield from self.left_to_the_next()
        yield from self.areas()

    # What came

    def bees(self) -> Iterator[Event]:
        """`+2 bees (new pink area of 4)`."""
        gained = self.new.points["bees"] - self.old.points["bees"]
        if gained:
            fresh = [area for area in self.new.areas if area.bees and not set(area.cells) & self.old.bees.keys()]
            told = joined(f"new {self.colours[area.kind]} area of {area.size}" for area in fresh)
            yield Event(GAINS, gained, f"{amount(gained, 'bee')} ({told})")

    def hummingbirds(self) -> Iterator[Event]:
        """`completes the nest at m13: +1 hummingbird`."""
        gained = self.new.points["hummingbirds"] - self.old.points["hummingbirds"]
        if gained:
            nests = [spot for spot in self.new.nests if spot not in self.old.nests]
            lines = gained - len(nests)
            which = f"nest{'' if len(nests) == 1 else 's'} at {joined(map(spot_name, nests))}"
            more = "" if not lines else ", with a line of three" if lines == 1 else f", with {lines} lines of three"
            yield Event(GAINS, gained, f"completes the {which}: {amount(gained, 'hummingbird')}{more}")

    def dwellers(self) -> Iterator[Event]:
        """`+1 leaf dweller (now the most) and +1 puddle dweller`; at the end one whose place is still to be chosen."""
        gains = {family: self.new.points[family] - self.old.points[family] for family in FAMILIES}
        told = [f"{amount(gain, f'{family} dweller')}{self.standing(family)}" for family, gain in gains.items() if gain]
        points = sum(gains.values())
        if self.after["phase"] == "choose":
            family = self.pending()
            told.append(f"{'another' if gains[family] else amount(1, f'{family} dweller')}, its place to be chosen")
            points += 1
        if told:
            yield Event(GAINS, points, joined(told))

    def standing(self, family: str) -> str:
        """How the player now stands in a family, where that has changed."""
        others = [garden.points[family] for i, garden in enumerate(self.is_now) if i != self.player]
        was, is_now, most = self.old.points[family], self.new.points[family], max(others)
        if is_now > most >= was and most:
            return " (now the most)"
        return " (now as many as any)" if is_now == most > was else ""

    def pending(self) -> str:
        """The family of the dweller whose place is to be chosen."""
        state = self.game.build(self.after)
        _, family, _ = self.game.step(state, int(state.legal_actions()[0]))
        return str(family)

    # What is left to the others

    def left_to_the_next(self) -> Iterator[Event]:
        """`leaves the ~KYY tile to player 1 (up to +4)`, of the tile with which he can gain most at once."""
        state = self.game.build(self.after)
        if state.actor < 0:  # a tile is to be drawn; which one makes no difference to those that are there
            outcomes = state.outcomes()
            assert outcomes is not None
            state.apply(int(outcomes[0][0]))
        best = self.best_gains(state)
        if best:
            code = max(best, key=lambda code: best[code])
            if best[code] >= WORTH_LEAVING:
                yield Event(LEAVES, best[code], f"leaves the {code} tile to player {state.actor} (up to +{best[code]})")

    def best_gains(self, state: State) -> dict[str, int]:
        """Of each tile that lay in the market before, what the player to move can gain with it at once."""
        player = state.actor
        had = self.figures(state, player)
        gains: Counter[str] = Counter()
        for action in state.legal_actions().tolist():
            code = self.game.garden_tiles[self.game.step(state, action)[1]]
            if code in self.before["market"]:
                then = state.copy()
                then.apply(action)
                while self.game.phase(then) == "choose":
                    then.apply(int(then.legal_actions()[0]))
                gains[code] = max(gains[code], round(self.figures(then, player) - had))
        return gains

    def figures(self, state: State, player: int) -> float:
        """A player's points but for majorities, which count at the end only."""
        return sum(points for name, points in state.components()[player].items() if name != "majorities")

    # What has begun

    def areas(self) -> Iterator[Event]:
        """Areas of fresh cells that bring nothing yet."""
        for area in self.new.areas:
            if area.kind == PUDDLE or all(cell in self.old.kinds for cell in area.cells):
                continue
            name = f"{self.colours[area.kind]} area"
            parts = [part for part in self.old.areas if set(part.cells) <= set(area.cells)]
            visited = sorted((part.size for part in parts if part.bees), reverse=True)
            if len(visited) > 1:
                yield Event(JOINS, area.size, f"joins the {name}s of {joined(map(str, visited))}")
            elif visited:
                yield Event(GROWS, area.size, f"grows the {name} from {visited[0]} to {area.size}")
            elif area.size == PAIR and self.new.open_sides(area):
                yield self.prepares(area, name)

    def prepares(self, area: Area, name: str) -> Event:
        """`prepares an orange area (2 cells, 3 open sides)`."""
        sides = self.new.open_sides(area)
        article = "an" if name[0] in "aeiou" else "a"
        text = f"prepares {article} {name} ({area.size} cells, {sides} open side{'' if sides == 1 else 's'})"
        return Event(PREPARES, sides, text)


def amount(count: int, noun: str) -> str:
    """`+1 bee`, `+2 bees`."""
    return f"+{count} {noun}{'' if count == 1 else 's'}"
