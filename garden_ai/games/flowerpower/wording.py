"""Flowerpower in sentences: what the components of a score are called, and what laying a tile or a weed did."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from garden_core.games.flowerpower import Flowerpower
from garden_core.state import Game

from garden_ai.games.flowerpower.beds import Bed, Cell, beds_of, least_size
from garden_ai.games.flowerpower.notation import cell_name
from garden_ai.games.words import joined

MOST = 3  # events that are told of one move
# What matters more among events that change the points equally.
LARGE, HINDERS, SMALL, PREPARES, STARTS = 4, 3, 2, 1, 0
LEAST_CUT = 2  # flowers of a bed that is worth a weed, or worth joining, and of the larger of two that are kept apart


@dataclass(frozen=True)
class Event:
    """A phrase and what it is ranked by: the change of the points' difference, the kind of event, the bed's size."""

    swing: int
    kind: int
    size: int
    text: str

    @property
    def rank(self) -> tuple[int, int, int, str]:
        """The smaller the earlier it is told."""
        return -abs(self.swing), -self.kind, -self.size, self.text


def phrase(game: Game, component: str) -> str:
    """`rose` -> `the roses`."""
    noun = flower(component)
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"the {noun[:-1]}ies"
    return f"the {noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"the {noun}s"


def flower(variety: str) -> str:
    """What one flower of a variety is called."""
    return "fantasy flower" if variety == "fantasy" else variety


def events(game: Game, before: Mapping[str, Any], after: Mapping[str, Any], player: int) -> tuple[str, ...]:
    """What became of the beds: `grows the daisy bed from 5 to 7, now worth 2`; at most `MOST`, the most important first."""
    assert isinstance(game, Flowerpower)
    story = Story(game, before["rows"], after["rows"], player)
    told = sorted(story.events(), key=lambda event: event.rank)
    better = [event for event in told if event.kind != STARTS]
    return tuple(event.text for event in (better or told)[:MOST])


class Story:
    """One move, told by the board before and after it."""

    def __init__(self, game: Flowerpower, before: Sequence[str], after: Sequence[str], player: int) -> None:
        self.game = game
        self.player = player
        self.rival = 1 - player
        self.before, self.after = before, after
        self.old, self.new = beds_of(game, before), beds_of(game, after)
        self.least = least_size(game)
        self.fresh = {
            (row, column)
            for row in range(game.rows)
            for column in range(game.columns)
            if before[row][column] == "." and after[row][column] != "."
        }

    def events(self) -> Iterator[Event]:
        """Everything there is to tell, in no order."""
        for bed in self.new:
            if self.fresh & set(bed.cells):
                yield self.grown(bed)
        if self.game.players == 1:
            return
        hindered = [*self.apart(), *self.cut()]
        yield from hindered
        if not hindered and any(self.after[row][column] == "#" for row, column in self.fresh):
            yield Event(0, STARTS, 0, f"takes two cells from player {self.rival}")

    # Beds that the move touches

    def grown(self, bed: Bed) -> Event:
        """What became of the bed that holds a fresh flower."""
        parts = [part for part in self.old if part.cells[0] in bed.cells]  # a bed never shrinks
        bridge = "" if parts else self.bridge(bed)
        kind = LARGE if parts and bed.size >= self.least else SMALL if parts else PREPARES if bridge else STARTS
        gains = [
            (bed.points if bed.owner == who else 0) - sum(part.points for part in parts if part.owner == who)
            for who in (self.player, self.rival)
        ]
        if self.game.players == 1:
            return Event(gains[0], kind, bed.size, f"{self.growth(bed, parts)}{bridge}: +{gains[0]}")
        if len(parts) == 1 and parts[0].owner != bed.owner:
            text = self.turn(bed, parts[0])
        else:
            text = self.growth(bed, parts) + self.ownership(bed, parts) + bridge
        if bed.points > sum(part.points for part in parts if part.owner == bed.owner):
            text += f", now worth {bed.points}"
        return Event(gains[0] - gains[1], kind, bed.size, text)

    def growth(self, bed: Bed, parts: Sequence[Bed]) -> str:
        """`grows the rose bed from 5 to 7`, `joins the rose beds of 3 and 2 into one of 6`, `starts a rose bed`."""
        name = self.name(bed)
        if not parts:
            article = "an" if name[0] in "aeiou" else "a"
            return f"starts {article} {name} bed" + (f" of {bed.size}" if bed.size > 1 else "")
        if len(parts) == 1:
            owner = self.owner(bed) if bed.owner == self.rival and self.game.players > 1 else "the"
            return f"grows {owner} {name} bed from {parts[0].size} to {bed.size}"
        return f"joins the {name} beds of {listed(part.size for part in parts)} into one of {bed.size}"

    def ownership(self, bed: Bed, parts: Sequence[Bed]) -> str:
        """Whose the bed is, where that is not the mover's as before."""
        if not parts:
            return " in the strip" if bed.owner < 0 else ""
        if bed.owner < 0:
            owners = {part.owner for part in parts} - {-1}
            return " in the strip, still nobody's" if not owners else ", a tie: nobody's now"
        rivals = any(part.owner == self.rival for part in parts)
        if len(parts) > 1 and bed.owner == self.rival:
            return f", {self.owner(bed)}"
        return f", taken from player {self.rival}" if bed.owner == self.player and rivals else ""

    def bridge(self, bed: Bed) -> str:
        """` that d7 would join to those of 4 and 3`, of the empty cell that leads to most flowers; empty where there is none."""
        best: tuple[int, str] = (0, "")
        for cell in sorted(self.empty_beside(self.after, bed, self.player)):
            others = [other for other in self.old if other.variety == bed.variety and set(other.cells) & set(around(cell))]
            total = sum(other.size for other in others)
            if total > best[0] and others[0].size >= LEAST_CUT:
                sizes = listed(other.size for other in others)
                to = f"those of {sizes}" if len(others) > 1 else f"the one of {sizes}"
                best = total, f" that {cell_name(*cell)} would join to {to}"
        return best[1]

    def turn(self, bed: Bed, was: Bed) -> str:
        """How a single bed changed its owner."""
        name = self.name(bed)
        if bed.owner < 0:
            return f"ties {self.owner(was)} {name} bed of {bed.size}" + (
                f", no longer worth {was.points}" if was.points else ""
            )
        whole = f"the {name} bed of {bed.size} in the strip"
        if was.owner >= 0:
            return f"takes {whole} from player {was.owner}"
        return f"wins {whole}, tied so far" if any(was.counts) else f"claims {whole}"

    # Beds of the other player that the move hinders

    def cut(self) -> Iterator[Event]:
        """His beds that have fewer empty cells beside them."""
        for bed in self.old:
            weed = self.touching_weed(bed)
            if bed.owner != self.rival or bed.size < (LEAST_CUT if weed else self.least) or bed not in self.new:
                continue
            was, now = self.open_sides(self.before, bed), self.open_sides(self.after, bed)
            if now < was:
                verb = "cuts" if weed else "blocks"
                text = f"{verb} {self.owner(bed)} {self.name(bed)} bed of {bed.size} (open sides {was} to {now})"
                yield Event(0, HINDERS, bed.size, text)

    def apart(self) -> Iterator[Event]:
        """His beds of one variety that a flower between them would have joined."""
        told = set()
        for cell in self.fresh:
            beside = [bed for bed in self.old if bed.owner == self.rival and set(bed.cells) & set(around(cell))]
            for variety in {bed.variety for bed in beside}:
                beds = [bed for bed in beside if bed.variety == variety and bed in self.new]
                if len(beds) > 1 and beds[0].size >= LEAST_CUT and self.letter(cell) != self.game.letters[variety]:
                    sizes = listed(bed.size for bed in beds)
                    text = f"keeps {self.owner(beds[0])} {self.name(beds[0])} beds of {sizes} apart"
                    if text not in told:
                        told.add(text)
                        yield Event(0, HINDERS, sum(bed.size for bed in beds), text)

    def touching_weed(self, bed: Bed) -> bool:
        """Whether a fresh weed lies beside the bed."""
        return any(self.letter(cell) == "#" for cell in self.fresh if set(around(cell)) & set(bed.cells))

    def open_sides(self, rows: Sequence[str], bed: Bed) -> int:
        """How many cells its owner may grow it on."""
        return len(self.empty_beside(rows, bed, bed.owner))

    def empty_beside(self, rows: Sequence[str], bed: Bed, player: int) -> set[Cell]:
        """The empty cells beside a bed on which a player may lay flowers."""
        return {
            (row, column)
            for place in bed.cells
            for row, column in around(place)
            if 0 <= row < self.game.rows
            and 0 <= column < self.game.columns
            and rows[row][column] == "."
            and self.game.side(row) in (player, -1)
        }

    # Words

    def letter(self, cell: Cell) -> str:
        """What lies on a cell now."""
        return self.after[cell[0]][cell[1]]

    def name(self, bed: Bed) -> str:
        """What its flowers are called."""
        return flower(self.game.varieties[bed.variety])

    def owner(self, bed: Bed) -> str:
        """`player 1's`."""
        return f"player {bed.owner}'s"


def around(cell: Cell) -> Collection[Cell]:
    """The cells that share a side with it, on the board or beyond its edge."""
    row, column = cell
    return (row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)


def listed(sizes: Iterable[int]) -> str:
    """`5, 3 and 2`."""
    return joined(f"{size}" for size in sorted(sizes, reverse=True))
