"""Leelawadee as a picture: the gardens side by side, then what lies on the table, in the bag and waits outside.

Everything can be read without colour and in plain ASCII; colour only makes connected flowers stand out. `picture` takes
the fields of a view and nothing else, so it shows what their observer can see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from garden_core.games.leelawadee import Leelawadee
from garden_core.state import Game
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from garden_ai.games import marks as shared
from garden_ai.games.boxes import Box, arranged, box_row, fact_grid, flowed
from garden_ai.games.words import points_text

# Of the colours of the printed components; a name from another component file is shown in bold.
BED_STYLES = {
    "yellow": "bold black on yellow1",
    "orange": "bold black on dark_orange",
    "red": "bold white on red3",
    "purple": "bold white on purple",
    "blue": "bold white on dodger_blue3",
}
INK_STYLES = {
    "yellow": "yellow1",
    "orange": "dark_orange",
    "red": "red1",
    "purple": "medium_purple1",
    "blue": "dodger_blue1",
}
NARROWEST = 17  # inside a garden's frame: a mark and `yellow-orange`
WIDEST = 36
WIDE_CELLS = 8  # up to so many columns a spot is three places wide, beyond that two
HEADLINES = {
    "first": "chance: who holds the bag first",
    "draw": "chance: flowers are to be drawn",
    "tie": "chance: which of the equal bids wins",
    "bid": "player {} to bid",
    "start": "player {} to name the start player",
    "plant": "player {} to plant",
    "over": "the game is over",
}


@dataclass(frozen=True)
class Marks(shared.Marks):
    """The signs of one picture."""

    new: str
    old: str
    bee: str


UNICODE = Marks(**vars(shared.UNICODE), new="▲", old="▽", bee="●")
ASCII = Marks(**vars(shared.ASCII), new="^", old="v", bee="*")


def picture(game: Game, view: Mapping[str, Any]) -> RenderableType:
    """A picture of the fields of a view."""
    assert isinstance(game, Leelawadee)
    return Picture(game, view)


class Picture:
    """See the module."""

    def __init__(self, game: Leelawadee, view: Mapping[str, Any]) -> None:
        self.game = game
        self.view = view
        self.colours = dict(zip(game.letters, game.colours, strict=True))
        self.creatures = dict(zip(game.codes, game.creatures, strict=True))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines of the picture, as wide as the console allows."""
        marks = ASCII if options.ascii_only else UNICODE
        yield self.headline(marks)
        yield from self.gardens(marks, options.max_width)
        yield fact_grid(self.facts())
        if any(garden["new"] or garden["old"] for garden in self.view["gardens"]):
            yield self.legend(marks)

    def headline(self, marks: Marks) -> Text:
        """`Leelawadee · round 2 of 5 · player 1 to plant`."""
        parts = [
            "Leelawadee",
            f"round {self.view['round']} of 5",
            HEADLINES[self.view["phase"]].format(self.view["to_move"]),
        ]
        return Text(f" {marks.dash} ".join(parts), style="bold")

    # Gardens

    def gardens(self, marks: Marks, width: int) -> Iterable[RenderableType]:
        """The gardens, all wide enough for the widest bed."""
        bed = max(self.bed_width(player) for player in range(self.game.players))
        rows, inner = arranged(self.game.players, width, max(NARROWEST, bed), max(WIDEST, bed))
        for players in rows:
            yield box_row(marks, [self.garden(marks, player, inner) for player in players], inner)

    def garden(self, marks: Marks, player: int, inner: int) -> Box:
        """One garden: its bed, and the creatures in it."""
        fields = self.view["gardens"][player]
        lines = self.bed(player)
        items = [self.creature(code, marks.new) for code in fields["new"]]
        items += [
            self.creature(code, marks.bee if self.creatures[code] == "bumblebee" else marks.old)
            for code in fields["old"]
        ]
        lines += flowed(items, inner)
        if "bid" in fields:
            lines.append(Text(f"paid {fields['bid']} to start"))
        return Box(f"player {player}", fields["score"], player == self.view["to_move"], lines)

    def bed_width(self, player: int) -> int:
        """Of the drawn bed, with the numbers of its rows."""
        margin, cell, columns = self.measures(player)
        return margin + cell * columns

    def measures(self, player: int) -> tuple[int, int, int]:
        """Places for the number of a row, places for a spot, and how many columns there are."""
        columns = max(map(len, self.game.shapes[player]))
        return 2 if len(self.game.shapes[player]) < 10 else 3, 3 if columns <= WIDE_CELLS else 2, columns

    def bed(self, player: int) -> list[Text]:
        """The spots, with their columns' letters above and their rows' numbers beside."""
        margin, cell, columns = self.measures(player)
        head = "".join(chr(ord("a") + c).center(cell) for c in range(columns))
        lines = [Text(" " * margin + head, style="dim")]
        for r, row in enumerate(self.view["gardens"][player]["rows"]):
            line = Text(f"{r + 1:>{margin - 1}} ", style="dim")
            for letter in row:
                line.append(letter.center(cell), style=self.bed_style(letter))
            lines.append(line)
        return lines

    def bed_style(self, letter: str) -> str:
        """How a spot is drawn."""
        return BED_STYLES.get(self.colours[letter], "bold reverse") if letter in self.colours else "not dim"

    def creature(self, code: str, mark: str) -> Text:
        """A mark and the name, each of its colours in its own."""
        item = Text(f"{mark} ")
        return item.append_text(self.creature_name(code))

    def creature_name(self, code: str) -> Text:
        """`red-purple`, in red and purple."""
        name = self.creatures[code]
        words = name.split("-")
        if all(word in self.game.colours for word in words):
            return Text("-").join(Text(word, style=INK_STYLES.get(word, "bold")) for word in words)
        if name == "five-colour":
            inks = [INK_STYLES.get(colour, "bold") for colour in self.game.colours]
            return Text("").join(Text(letter, style=inks[i % len(inks)]) for i, letter in enumerate(name))
        return Text(name)

    # What does not lie in a garden

    def facts(self) -> Iterable[tuple[str, Text]]:
        """The table, the bag, what is to come, who follows, what waits outside."""
        view = self.view
        if view["phase"] != "over":
            yield "table", self.flowers(view["table"]) if view["table"] else Text("no flowers")
            counts = Text("  ").join(self.flowers(letter).append(f" {count}") for letter, count in view["bag"].items())
            yield (
                "bag",
                counts.append(
                    f"   {sum(view['bag'].values())} flowers"
                    + (f", held by player {view['bag_holder']}" if "bag_holder" in view else "")
                ),
            )
        for later, letters in enumerate(view.get("coming", ())):
            yield f"round {view['round'] + 1 + later}", self.flowers(letters)
        if view["phase"] == "plant":
            order = self.turns_left()
            yield "then", Text(f"player {', '.join(map(str, order[1:]))}" if len(order) > 1 else "the round is scored")
        if "bids" in view:
            yield "bids", Text("  ".join(bid_text(player, bid) for player, bid in enumerate(view["bids"])))
        free = [
            code
            for code in self.game.codes
            if not any(code in garden[side] for garden in view["gardens"] for side in ("new", "old"))
        ]
        if free:
            yield "waiting", Text(", ").join(self.creature_name(code) for code in free)

    def flowers(self, letters: str) -> Text:
        """`Y Y R`, each in its colour."""
        return Text(" ").join(Text(letter, style=INK_STYLES.get(self.colours[letter], "bold")) for letter in letters)

    def turns_left(self) -> list[int]:
        """The seats that still plant in this round, in order: clockwise from the bag holder and back again."""
        players = self.game.players
        once = [(self.view["bag_holder"] + i) % players for i in range(players)]
        return [*once, *reversed(once)][2 * players - len(self.view["table"]) :]

    def legend(self, marks: Marks) -> Text:
        """What the marks beside the creatures mean, in points of this round."""
        if self.view["phase"] == "over":
            return Text(f"{marks.old} butterfly  {marks.bee} bumblebee", style="dim")
        new, old = self.view["round"], self.view["round"] // 2
        return Text(
            f"{marks.new} flew in this round: {points_text(new)}   {marks.old} stayed: {points_text(old)}   "
            f"{marks.bee} bumblebee: {points_text(-1)}",
            style="dim",
        )


def bid_text(player: int, bid: object) -> str:
    """`0: 5`, `0: hidden`, `0: none yet`."""
    return f"player {player}: {'none yet' if bid is None else bid}"
