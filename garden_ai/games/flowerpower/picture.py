"""Flowerpower as a picture: the board, beside it what was drawn, the weeds and the large beds, below it what is to come.

Everything can be read without colour and in plain ASCII: a bed that is large enough to score is in capitals, a smaller one
in lower case. `picture` takes the fields of a view and nothing else, so it shows what their observer can see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from garden_core.games.flowerpower import Flowerpower
from garden_core.state import Game
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from garden_ai.games.flowerpower.beds import Bed, beds_of, least_size
from garden_ai.games.flowerpower.notation import cell_name, tile_name
from garden_ai.games.marks import ASCII, UNICODE, Marks
from garden_ai.games.words import points_text

# Of the varieties, in the order of the components: rose, poppy, cornflower, cinquefoil, cranesbill, sunflower, aster, ...
STYLES = (
    "bright_white on red3",
    "black on dark_orange",
    "bright_white on dodger_blue3",
    "bright_white on orange4",
    "bright_white on dark_magenta",
    "black on yellow1",
    "black on dark_turquoise",
    "black on hot_pink",
    "black on grey93",
    "black on green3",
)
WEED_STYLE = "bold grey70 on grey19"
STRIP_STYLE = "grey70 on dark_green"
EMPTY_STYLE = "dim"
GAP = 2  # between the board and what stands beside it
CELL = 2  # places
LEAST_BEDS = 8  # lines for beds where the board is lower than that
UNSEEN_GAP = 1
HEADLINES = {
    "first": "chance: who begins",
    "draw": "chance: player {} is to draw a tile",
    "place": "player {} to place",
    "over": "the game is over",
}


def picture(game: Game, view: Mapping[str, Any]) -> RenderableType:
    """A picture of the fields of a view."""
    assert isinstance(game, Flowerpower)
    return Picture(game, view)


class Picture:
    """See the module."""

    def __init__(self, game: Flowerpower, view: Mapping[str, Any]) -> None:
        self.game = game
        self.view = view
        self.rows: Sequence[str] = view["rows"]
        self.alone = game.players == 1
        self.beds = beds_of(game, self.rows)
        self.least = least_size(game)
        self.large = [bed for bed in self.beds if bed.size >= self.least]
        self.scoring = {cell for bed in self.large for cell in bed.cells}
        self.turn: int = view.get("turn", view["to_move"])
        self.scores = [sum(bed.points for bed in self.beds if bed.owner == player) for player in range(game.players)]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines of the picture, as wide as the console allows."""
        marks = ASCII if options.ascii_only else UNICODE
        width = options.max_width
        yield self.headline(marks)
        board = self.board(marks)
        left = max(map(len, board)) + GAP
        fits = left + self.beds_width() <= width
        facts = self.facts(width - left if fits else width)
        room = max(LEAST_BEDS, len(board) - len(facts) - 1) if fits else len(self.beds) + 2
        beside = [*facts, Text(), *self.bed_lines(room)]
        if fits:
            for one, other in zip_longest(board, beside, fillvalue=Text()):
                yield Text.assemble(one, " " * (left - len(one)) if other else "", other)
        else:
            yield from board
            yield from beside
        yield from self.unseen(width)
        yield self.legend()

    def headline(self, marks: Marks) -> Text:
        """`Flowerpower · player 1 to place`."""
        headline = HEADLINES[self.view["phase"]].format(max(0, self.turn))
        return Text(f"Flowerpower {marks.dash} {headline}", style="bold")

    # The board

    def board(self, marks: Marks) -> list[Text]:
        """The cells with their columns' letters above and their rows' numbers beside, between rules that name the sides."""
        margin = len(f"{self.game.rows}") + 1
        letters = "".join(chr(ord("a") + column).ljust(CELL) for column in range(self.game.columns))
        width = margin + len(letters)
        lines = [Text(" " * margin + letters, style=EMPTY_STYLE), self.rule(marks, width, self.player_label(marks, 0))]
        for row in range(self.game.rows):
            if not self.alone and row in self.game.strip:
                begins = self.game.side(row) < 0
                lines.append(self.rule(marks, width, Text("green strip" if begins else "", style=EMPTY_STYLE)))
            line = Text().append(f"{row + 1:>{margin - 1}} ", style=EMPTY_STYLE)
            for column in range(self.game.columns):
                letter, style = self.cell(row, column)
                line.append(letter.ljust(CELL), style=style)
            lines.append(line)
        if not self.alone:
            lines.append(self.rule(marks, width, self.player_label(marks, 1)))
        return lines

    def rule(self, marks: Marks, width: int, label: Text) -> Text:
        """`─ green strip ─────`."""
        line = Text().append(marks.rule, style=EMPTY_STYLE)
        if label:
            line.append(" ").append_text(label).append(" ")
        return line.append(marks.rule * (width - len(line)), style=EMPTY_STYLE)

    def player_label(self, marks: Marks, player: int) -> Text:
        """`▶ player 0 · 12 points · out`."""
        moves = self.turn == player
        parts = [f"{marks.to_move} player {player}" if moves else f"player {player}", points_text(self.scores[player])]
        if self.view["out"][player] and self.view["phase"] != "over":
            parts.append("out")
        return Text(f" {marks.dash} ".join(parts), style="bold" if moves else "")

    def cell(self, row: int, column: int) -> tuple[str, str]:
        """What a cell shows, and how."""
        letter = self.rows[row][column]
        if letter == "#":
            return letter, WEED_STYLE
        if letter == ".":
            return letter, STRIP_STYLE if self.game.side(row) < 0 else EMPTY_STYLE
        style = self.style(letter)
        return (letter, f"bold {style}") if (row, column) in self.scoring else (letter.lower(), style)

    def style(self, letter: str) -> str:
        """The colours of a variety."""
        return STYLES[self.game.letters.index(letter)]

    # Beside it

    def facts(self, width: int) -> list[Text]:
        """The drawn tile, the weeds and the bag."""
        lines = []
        if self.view["phase"] == "place":
            lines += self.fact("tile", [self.tile(self.view["tile"], names=True)], width)
        for player, left in enumerate(self.view.get("weeds_left", ())):
            items = [Text(f"{left} left")]
            items += [Text(f"{weed['at']} ") + self.tile(weed["tile"]) for weed in self.view["weeds"][player]]
            lines += self.fact(f"weeds of {player}", items, width)
        return lines + self.fact("bag", [Text(f"{self.view['bag']} tile{'' if self.view['bag'] == 1 else 's'}")], width)

    def fact(self, name: str, items: Sequence[Text], width: int) -> list[Text]:
        """A name and what belongs to it, in lines of at most `width`."""
        indent = len("weeds of 0  ") if not self.alone else len("tile  ")
        lines = [Text().append(name.ljust(indent), style="bold")]
        for item in items:
            if len(lines[-1]) > indent:
                lines[-1].append(", ")
                if len(lines[-1]) + len(item) > width:
                    lines.append(Text(" " * indent))
            lines[-1].append_text(item)
        return lines

    def tile(self, tile: str, names: bool = False) -> Text:
        """`R/P`, each letter in its colours; with names `R/P rose/poppy`."""
        if tile == "hidden":
            return Text("hidden")
        letters = tile.split("/")
        text = Text("/").join(Text(letter, style=f"bold {self.style(letter)}") for letter in letters)
        return text.append(f" {tile_name(self.game, [*map(self.game.letters.index, letters)])}") if names else text

    def beds_width(self) -> int:
        """Of the table of beds."""
        return max(map(len, self.bed_table(self.large[:1])))

    def bed_lines(self, height: int) -> Iterator[Text]:
        """The large beds in at most `height` lines, the last of which says what the table leaves out."""
        if not self.large:
            yield Text(f"no bed of {self.least} flowers or more yet")
            return
        rest = self.beds[len(self.large) :] if self.alone else []
        room = height - 1
        shown = self.large if len(self.large) + bool(rest) <= room else self.large[: room - 1]
        yield from self.bed_table(shown)
        hidden = self.beds[len(shown) :] if self.alone else self.large[len(shown) :]
        if hidden:
            smaller = "smaller bed" if len(shown) == len(self.large) else "more bed"
            points = points_text(sum(bed.points for bed in hidden))
            yield Text(f"and {len(hidden)} {smaller}{'' if len(hidden) == 1 else 's'}, {points}", style="dim")

    def bed_table(self, beds: Sequence[Bed]) -> list[Text]:
        """A line a bed, below the names of the columns."""
        first = max(map(len, self.game.varieties))
        shared = "" if self.alone else f"  {'sides':5}  {'owner':8}"
        lines = [Text(f"{'bed':{first}}  size  {'at':3}{shared}  points", style="bold")]
        for bed in beds:
            line = Text().append(f"{self.game.varieties[bed.variety]:{first}}", style=STYLES[bed.variety])
            line.append(f"  {bed.size:>4}  {cell_name(*min(bed.cells)):3}")
            if not self.alone:
                whose = "nobody" if bed.owner < 0 else f"player {bed.owner}"
                line.append(f"  {f'{bed.counts[0]}-{bed.counts[1]}':5}  {whose:8}")
            lines.append(line.append(f"  {bed.points:>6}"))
        return lines

    # Below it

    def unseen(self, width: int) -> Iterator[Text]:
        """Of each variety the flowers that the observer has not seen yet, and where they can be."""
        places = [f"{2 * self.view['bag']} in the bag"]
        weeds = sum(weed["tile"] == "hidden" for own in self.view.get("weeds", ()) for weed in own)
        if weeds:
            places.append(f"{2 * weeds} under weeds")
        if self.view.get("tile") == "hidden":
            places.append("2 on the tile drawn")
        yield Text(f"flowers not seen{'' if self.view['phase'] == 'over' else ' yet'}: {', '.join(places)}", style="bold")
        counts = unseen_flowers(self.game, self.view)
        names = max(map(len, self.game.varieties))
        in_row = max(1, (width + UNSEEN_GAP) // (len("R 20 ") + names + UNSEEN_GAP))
        for begin in range(0, len(counts), in_row):
            line = Text()
            for i in range(begin, min(begin + in_row, len(counts))):
                letter = self.game.letters[i]
                line.append(" " * UNSEEN_GAP if i > begin else "").append(letter, style=f"bold {self.style(letter)}")
                line.append(f" {counts[i]:>2} {self.game.varieties[i]:{names if i < begin + in_row - 1 else 0}}")
            yield line

    def legend(self) -> Text:
        """What the signs on the board mean."""
        letter = self.game.letters[0]
        parts = [f"{letter}: bed of {self.least} or more", f"{letter.lower()}: smaller bed"]
        if self.game.weeds_each:
            parts.append("#: weed")
        if self.large and not self.alone:
            parts.append("sides: its flowers in each")
        return Text("   ".join(parts), style="dim")


def unseen_flowers(game: Flowerpower, view: Mapping[str, Any]) -> list[int]:
    """Of each variety the flowers on tiles that the observer has not seen."""
    counts = Counter(flower for letter, others in view["unseen"].items() for other in others for flower in (letter, other))
    return [counts[letter] for letter in game.letters]
