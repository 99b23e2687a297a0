"""Under the Leaves as a picture: the gardens, below them the market, the points by kind and what brings them.

Everything can be read without colour and in plain ASCII: a cell in a pollinated area is a capital, one in a smaller area a
small letter. `picture` takes the fields of a view and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from garden_core.games.under_the_leaves import UnderTheLeaves
from garden_core.state import Game
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from garden_ai.games.marks import ASCII, UNICODE, Marks
from garden_ai.games.under_the_leaves.gardens import (
    FAMILIES,
    PUDDLE,
    Cell,
    Garden,
    Spot,
    bounds,
    cell_name,
    gardens_of,
    majorities,
    spot_name,
    square,
)
from garden_ai.games.words import points_text

# Of the colours in the order of the components: pink, yellow, orange, purple, green.
STYLES = ("grey0 on hot_pink", "grey0 on yellow1", "grey0 on dark_orange", "bright_white on dark_violet", "grey0 on green3")
PUDDLE_STYLE = "grey0 on light_sky_blue1"
LABEL_STYLE = "dim"
CHOICE_STYLE = "reverse"
GAP = 2  # at least, between what stands side by side
WIDE_GAP = 6  # between gardens where there is room
CELL = 3  # places: a letter and two marks
MARKS = CELL - 1
COUNT = 4  # places for a player's figures of one kind
# What is drawn beside a cell's letter.
MUSHROOM, CHOICE = "*", "?"
DWELLERS = {"leaf": "^", "puddle": "=", "mushroom": "@"}
HEADLINES = {
    "cards": "chance: the cards are to be drawn",
    "starts": "chance: the starting tiles are to be dealt",
    "first": "chance: who begins",
    "draw": "chance: a tile is to be drawn",
    "place": "player {} to place",
    "choose": "player {} to choose",
    "over": "the game is over",
}
# What brings a figure of each kind.
BEES = "a new area of 3+, +1 each other one alike"
HUMMINGBIRDS = "a tile all in such areas, +1 amid a line of 3"
MAJORITY = "2 for most of a family, at the end"
CARDS = {
    "thoughtful": "a 2x2 square of one colour",
    "restless": "an area of 5 or more",
    "flirty": "a 2x2 square of 4 kinds, ~ is one",
    "runner": "4 in a line within an area",
    "diver": "a puddle of 2 or more cells",
    "skipper": "a cell between 2 puddles in a line",
    "friendly": "2 puddles touching diagonally",
    "shy": "no puddle on the 8 cells round it",
    "host": "an area with 2 or more mushrooms",
    "explorer": "3 mushrooms in one row or column",
    "collector": "2 mushrooms touching diagonally",
    "loner": "no mushroom on the 8 cells round it",
}


def picture(game: Game, view: Mapping[str, Any]) -> RenderableType:
    """A picture of the fields of a view."""
    assert isinstance(game, UnderTheLeaves)
    return Picture(game, view)


class Picture:
    """See the module."""

    def __init__(self, game: UnderTheLeaves, view: Mapping[str, Any]) -> None:
        self.game = game
        self.view = view
        self.phase: str = view["phase"]
        self.cards: Mapping[str, str] = view.get("cards", {})
        self.gardens = gardens_of(view)
        self.turn: int | None = view.get("turn")
        self.styles = dict(zip(game.letters, STYLES, strict=True)) | {PUDDLE: PUDDLE_STYLE}
        self.choices = choices(game, view)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines of the picture, as wide as the console allows."""
        marks = ASCII if options.ascii_only else UNICODE
        width = options.max_width
        yield self.headline(marks)
        for row in flowed([self.garden(marks, player, width) for player in range(len(self.gardens))], width):
            between = (width - sum(map(block_width, row))) // max(1, len(row) - 1)
            yield from side_by_side(row, min(WIDE_GAP, between))
            yield Text()
        yield from self.choice_lines(width)
        if self.view["market"]:
            yield from self.market(width)
            yield Text()
        if self.cards:
            yield from self.table(marks)
            yield self.legend()

    def headline(self, marks: Marks) -> Text:
        """`Under the Leaves · turn 5 of 12 · player 1 to place`."""
        parts = ["Under the Leaves"]
        if self.turn is not None and self.gardens:
            laid = len(self.gardens[self.turn].spots) - (self.phase == "choose")
            parts.append(f"turn {laid} of {self.game.turns}")
        parts.append(HEADLINES[self.phase].format(self.turn))
        if self.phase == "choose":
            parts[-1] += f", after the tile on {self.view['last']}"
        return Text(f" {marks.dash} ".join(parts), style="bold")

    # Gardens

    def garden(self, marks: Marks, player: int, width: int) -> list[Text]:
        """Who owns it, the columns' letters, and three lines for each row of tiles: two of cells, one of hummingbirds."""
        garden = self.gardens[player]
        moves = player == self.turn
        (top, left), (bottom, right) = bounds(garden)
        columns = range(left, right + 1)
        roomy = 3 + (2 * CELL + 1) * len(columns) - 1 <= width  # else no place for a gap between tiles, nor beside numbers
        margin, gap = (3, 1) if roomy else (2, 0)
        points = sum(garden.points.values()) + (majorities(self.gardens, self.of_none)[player] if self.phase == "over" else 0)
        title = f"{marks.to_move} player {player}" if moves else f"player {player}"
        head = (" " * gap).join(middle(spot_name((top, column))[0]) for column in columns)
        lines = [
            Text(f"{title} {marks.dash} {points_text(points)}", style="bold" if moves else ""),
            Text(" " * margin + head, style=LABEL_STYLE),
        ]
        figures = self.figures(player)
        for row in range(top, bottom + 1):
            number = spot_name((row, left))[1:].rjust(2).ljust(margin)
            for label, part in ((number, self.upper), (" " * margin, self.lower), (" " * margin, self.nest)):
                tiles = Text(" " * gap).join(part(player, (row, column), figures) for column in columns)
                lines.append(Text().append(label, style=LABEL_STYLE).append_text(tiles))
        return lines if lines[-1].plain.strip() else lines[:-1]

    def upper(self, player: int, spot: Spot, figures: Mapping[Cell, str]) -> Text:
        """The upper two cells of a tile, or the name of an empty spot where one may be laid."""
        garden = self.gardens[player]
        if spot in garden.spots:
            return self.cells(garden, square((2 * spot[0], 2 * spot[1]))[:2], figures)
        free = spot in garden.buildable and self.phase != "over"
        return Text(middle(spot_name(spot) if free else ""), style=LABEL_STYLE)

    def lower(self, player: int, spot: Spot, figures: Mapping[Cell, str]) -> Text:
        """The lower two cells of a tile."""
        garden = self.gardens[player]
        if spot in garden.spots:
            return self.cells(garden, square((2 * spot[0], 2 * spot[1]))[2:], figures)
        return Text(" " * 2 * CELL)

    def nest(self, player: int, spot: Spot, figures: Mapping[Cell, str]) -> Text:
        """The hummingbirds of a tile, below its middle."""
        birds = self.gardens[player].nests.get(spot, 0)
        return Text(middle(f"({birds})" if birds else ""), style="bold")

    def cells(self, garden: Garden, cells: Iterable[Cell], figures: Mapping[Cell, str]) -> Text:
        """Cells beside each other, with their marks."""
        text = Text()
        for cell in cells:
            kind, marks = garden.kinds[cell], figures.get(cell, "")
            pollinated = kind != PUDDLE and garden.area(cell).bees > 0
            style = f"bold {self.styles[kind]}" if pollinated else self.styles[kind]
            letter = kind if pollinated else kind.lower()
            text.append(f"{letter}{marks}".ljust(CELL), style=f"{style} {CHOICE_STYLE}" if CHOICE in marks else style)
        return text

    def figures(self, player: int) -> dict[Cell, str]:
        """The marks on the cells of a garden: whatever has its own cell there, the rest where its area has room."""
        garden = self.gardens[player]
        marks = dict.fromkeys(garden.mushrooms, MUSHROOM)

        def put(mark: str, cells: Iterable[Cell]) -> None:
            room = [cell for cell in cells if len(marks.get(cell, "")) + len(mark) <= MARKS]
            if room:
                cell = min(room, key=lambda cell: len(marks.get(cell, "")))
                marks[cell] = marks.get(cell, "") + mark

        for cell in garden.dwellers["mushroom"]:
            own = garden.area(cell).cells if self.cards["mushroom"] == "host" else (cell,)
            marks[next((cell for cell in own if marks.get(cell) == MUSHROOM), cell)] = DWELLERS["mushroom"]
        if player == self.turn:
            for _, cell in self.choices:
                put(CHOICE, [cell])
        for cell in garden.dwellers["puddle"]:
            put(DWELLERS["puddle"], garden.area(cell).cells if self.cards["puddle"] == "diver" else [cell])
        for cell in garden.dwellers["leaf"]:
            if self.cards["leaf"] in ("thoughtful", "flirty"):
                rest = square(cell)[1:]
                put(DWELLERS["leaf"], [cell] if len(marks.get(cell, "")) < MARKS else rest)
            else:
                put(DWELLERS["leaf"], garden.area(cell).cells)
        for area in garden.areas:
            if area.bees:
                put(f"{area.bees}", area.cells)
        return marks

    @property
    def of_none(self) -> bool:
        """Whether a family that nobody has is a majority of all."""
        return bool(self.game.options["majority_of_none"])

    # Below them

    def choice_lines(self, width: int) -> Iterator[Text]:
        """What may be chosen, as it is typed."""
        if self.choices:
            family = self.choices[0][0]
            where = "one of these squares, named by their first cells" if family == "leaf" else "one of these cells"
            yield Text(f"a {family} dweller comes to {where}, marked {CHOICE}", style="bold")
            items = [[Text(f"{family} {cell_name(cell)}")] for family, cell in self.choices]
            for row in flowed(items, width):
                yield from side_by_side(row)
            yield Text()

    def market(self, width: int) -> Iterator[Text]:
        """The tiles of the market with their codes, and what is to come."""
        items = [self.tile(number, code) for number, code in enumerate(self.view["market"], 1)]
        rest = [Text(line) for line in self.to_come()]
        for row in flowed([[Text("market", style="bold")], *items, *([rest] if rest else [])], width):
            yield from side_by_side(row)

    def tile(self, number: int, code: str) -> list[Text]:
        """`1 G*OKK` above its cells."""
        cells = [code[place] + (MUSHROOM if code[place + 1 : place + 2] == MUSHROOM else "") for place in places(code)]
        lines = [Text(f"{number} ").append(code, style="bold")]
        for begin in (0, 2):
            line = Text("  ")
            for cell in cells[begin : begin + 2]:
                line.append(cell.ljust(CELL), style=f"bold {self.styles[cell[0]]}")
            lines.append(line)
        return lines

    def to_come(self) -> Iterator[str]:
        """How many tiles will still be drawn, and from how many."""
        if self.phase == "over":
            return
        unseen = len(self.game.garden_tiles) - len(self.view["market"]) - sum(len(garden.spots) - 1 for garden in self.gardens)
        bag = self.view["bag"]
        yield f"bag: {bag} more tile{'' if bag == 1 else 's'} will come"
        yield f"     of {unseen} not seen yet" if bag else ""

    def table(self, marks: Marks) -> Iterator[Text]:
        """A line a kind: its sign, how many each player has, and what brings them."""
        players = range(len(self.gardens))
        over = self.phase == "over"
        most = majorities(self.gardens, self.of_none)
        points = [garden.points for garden in self.gardens]
        rows = [
            ("bees", "2", [f"{own['bees']}" for own in points], BEES),
            ("hummingbirds", "(2)", [f"{own['hummingbirds']}" for own in points], HUMMINGBIRDS),
            *(
                (
                    family,
                    DWELLERS[family],
                    [f"{own[family]}" for own in points],
                    f"{self.cards[family]}: {CARDS[self.cards[family]]}",
                )
                for family in FAMILIES
            ),
            ("majorities", "", [f"{own}" if over else f"({own})" for own in most], MAJORITY + ("" if over else " (so far)")),
            ("points", "", [f"{sum(own.values()) + over * extra}" for own, extra in zip(points, most, strict=True)], ""),
        ]
        first = max(len(name) for name, *_ in rows)
        if self.gardens:
            heads = "".join(f"{player}".rjust(COUNT) for player in players)
            yield Text(f"{'player'.ljust(first)}    {heads}", style="bold")
        for name, sign, counts, text in rows:
            line = Text(f"{name.ljust(first)} {sign.center(3)}", style="bold" if name == "points" else "")
            line.append("".join(count.rjust(COUNT) for count in counts))
            yield line.append("   ").append(text, style=LABEL_STYLE) if text else line

    def legend(self) -> Text:
        """What the signs in the gardens mean that the table does not tell."""
        letter = self.game.letters[0]
        parts = [
            f"{letter}: area with bees",
            f"{letter.lower()}: without",
            f"{PUDDLE}: puddle",
            f"{MUSHROOM}: mushroom",
            f"{DWELLERS['mushroom']}: with its dweller",
        ]
        return Text("   ".join(parts), style=LABEL_STYLE)


def choices(game: UnderTheLeaves, view: Mapping[str, Any]) -> list[tuple[str, Cell]]:
    """In phase choose the families and cells among which the player may choose; the fields tell no more than the tile."""
    if view["phase"] != "choose":
        return []
    state = game.build(view)
    steps = [game.step(state, action) for action in state.legal_actions().tolist()]
    return [(family, cell) for _, family, cell in steps]


def middle(label: str) -> str:
    """A label over or under the middle of a tile, where its second cell begins."""
    return label.center(2 * CELL - 1).ljust(2 * CELL)


def places(code: str) -> Iterator[int]:
    """Where each of the four cells begins in the code of a tile."""
    return (place for place, letter in enumerate(code) if letter != MUSHROOM)


def flowed(blocks: Sequence[list[Text]], width: int) -> Iterator[list[list[Text]]]:
    """Blocks of lines in rows, as many beside each other as fit."""
    row: list[list[Text]] = []
    for block in blocks:
        if row and sum(block_width(other) + GAP for other in row) + block_width(block) > width:
            yield row
            row = []
        row.append(block)
    if row:
        yield row


def side_by_side(blocks: Sequence[list[Text]], gap: int = GAP) -> Iterator[Text]:
    """The lines of blocks that stand beside each other."""
    widths = [block_width(block) for block in blocks]
    for parts in zip_longest(*blocks, fillvalue=Text()):
        line = Text()
        for i, (part, wide) in enumerate(zip(parts, widths, strict=True)):
            line.append(" " * gap if i else "").append_text(part).append(" " * (wide - len(part)))
        yield line


def block_width(block: Sequence[Text]) -> int:
    """Of its longest line."""
    return max(map(len, block))
