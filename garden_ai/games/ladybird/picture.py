"""Ladybird as a picture: a box for each player with his columns, points by kind, and what lies between the players.

Everything can be read without colour and in plain ASCII; colour only shows columns faster. `picture` takes the fields of a view
and nothing else, so it shows what their observer can see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from garden_core.games.ladybird import GARDEN_TILES, STATE_LETTERS, STATE_NAMES, Ladybird
from garden_core.state import Game
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from garden_ai.components import read_components
from garden_ai.games import definition
from garden_ai.games.boxes import (
    BETWEEN,
    LABEL_STYLE,
    Box,
    arranged,
    box_row,
    fact_grid,
    flowed,
    hand_items,
    known_signs,
    labelled,
)
from garden_ai.games.ladybird.table import ANY, HARLEQUIN, SIDE, Table, aphids_text, memories_text, plural
from garden_ai.games.marks import ASCII, UNICODE, Marks
from garden_ai.games.words import joined

# Of the colours in the order of the components: red, blue, orange, green, purple.
STYLES = (
    "bold bright_white on red3",
    "bold bright_white on dodger_blue3",
    "bold grey0 on dark_orange",
    "bold grey0 on green3",
    "bold bright_white on dark_violet",
)
HARLEQUIN_STYLE = "bold grey0 on bright_white"
CELL = 6  # places for a card of a column; the top one stands in brackets
LABEL = 7  # places for what stands before the lines of a box
LEAST = LABEL + 5 * CELL  # places inside a box, for five columns
WIDEST = LABEL + 5 * 9
APART = "   "  # what lies between the players
STACK_ROWS = 4  # of the feeding tiles, two stacks each
HEADLINES = {
    "hands": "chance: the hands are to be dealt",
    "pool": "chance: the pool is to be filled",
    "orchard": "chance: the next orchard card",
    "stacks": "chance: feeding tiles are to be turned up",
    "first": "chance: who gets the Sticky Leaf",
    "draw": "chance: player {} is to draw two cards",
    "reveal": "player {} to choose a card",
    "target": "player {} to place a Harlequin",
    "bed": "player {} to place a flowerbed",
    "draft": "player {} to take a card",
    "tile": "player {} to use a garden tile",
    "place": "player {} to place another card",
    "card": "player {} to take an orchard card",
    "feed": "player {} to take a feeding tile",
    "discard": "player {} to discard",
    "over": "the game is over",
}
# What our component file assumes, in words, by its tables.
ASSUMED = {
    "types": "most names",
    "cards": "how many cards are alike",
    "orchard": "the orchard cards of a colour",
    "memories": "what memories score",
    "tiles": "the feeding tiles",
}


def picture(game: Game, view: Mapping[str, Any]) -> RenderableType:
    """A picture of the fields of a view."""
    assert isinstance(game, Ladybird)
    return Picture(game, view)


class Picture:
    """See the module."""

    def __init__(self, game: Ladybird, view: Mapping[str, Any]) -> None:
        self.game = game
        self.view = view
        self.table = Table(game, view)
        self.phase = self.table.phase
        self.styles = dict(zip(game.colour_letters, STYLES, strict=True)) | {HARLEQUIN: HARLEQUIN_STYLE}

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines of the picture, as wide as the console allows."""
        marks = ASCII if options.ascii_only else UNICODE
        width = options.max_width
        yield self.headline(marks)
        yield from self.boxes(marks, width)
        yield from self.points(width)
        yield Text()
        if self.phase != "over":
            yield from self.between(marks, width)
        yield fact_grid(self.facts())
        yield from self.legend(width)

    def headline(self, marks: Marks) -> Text:
        """`Ladybird · day 4, round 2 of 4 · player 1 to take a card`."""
        day = self.table.day
        parts = [
            "Ladybird",
            f"day {day}, round {self.view['round'] - day * (day - 1) // 2} of {day}",
            HEADLINES[self.phase].format(self.table.mover),
        ]
        return Text(f" {marks.dash} ".join(parts), style="bold")

    # The players

    def boxes(self, marks: Marks, width: int) -> Iterator[RenderableType]:
        """A box a player, in each row the columns of all equally long."""
        rows, inner = arranged(len(self.table.players), width, LEAST, WIDEST)
        for players in rows:
            height = max(self.table.height(player, colour) for player in players for colour in self.game.colours)
            yield box_row(marks, [self.box(marks, player, inner, height) for player in players], inner)

    def title(self, marks: Marks, player: int) -> str:
        """`player 1 · Sticky Leaf`."""
        leaf = len(self.table.players) > 1 and player == self.view["first"] and "revealed" in self.view
        return f"player {player} {marks.dash} Sticky Leaf" if leaf else f"player {player}"

    def box(self, marks: Marks, player: int, inner: int, rows: int) -> Box:
        """The columns, and below them the types, the feeding tiles, what else was gathered, the garden tiles and the hand."""
        tableau = self.table.tableaus[player]
        parts = {
            "types": self.types(player),
            "fed": map(Text, self.table.feeding(player)),
            "has": [Text(aphids_text(tableau["aphids"])), Text(memories_text(tableau["memories"]))],
            "garden": self.garden(player),
            "hand": hand_items(self.view["hands"][player], self.card),
        }
        lines = [*self.columns(marks, player, inner, rows)]
        for label, items in parts.items():
            lines += labelled(label, items, LABEL, inner)
        return Box(self.title(marks, player), self.table.points(player), player == self.table.mover, lines)

    def columns(self, marks: Marks, player: int, inner: int, rows: int) -> Iterator[Text]:
        """The five columns as they lie: what stands above them, points a card, the cards down to the top one, points."""
        table, colours = self.table, self.game.colours
        label = LABEL if inner >= LEAST else 0
        cell = (inner - label) // len(colours)
        named = all(len(colour) < cell for colour in colours)

        def line(name: str, cells: Iterable[Text]) -> Text:
            text = Text().append(name.ljust(label) if label else "", style=LABEL_STYLE)
            for content in cells:
                text.append_text(content).append(" " * (cell - len(content)))
            text.rstrip()
            return text

        heads = zip(self.game.colour_letters, colours, strict=True)
        yield line("", (Text(colour if named else letter, style=self.styles[letter]) for letter, colour in heads))
        yield line("above", (Text(self.above(player, colour) or marks.dash) for colour in colours))
        yield line("a card", (Text(f"+{table.a_card(player, colour)}") for colour in colours))
        for row in range(rows):
            yield line("cards" if row == 0 else "", (self.in_column(table.column(player, colour), row) for colour in colours))
        worth = (table.a_card(player, colour) * table.height(player, colour) for colour in colours)
        yield line("points", (Text(f"{points}") for points in worth))

    def above(self, player: int, colour: str) -> str:
        """`2LF`: orchard cards, a life cycle or `x` for one that was lost, a flowerbed."""
        table = self.table
        orchards = table.orchards(player, colour)
        marks = {"life_cycles": "L", "lost": "x", "flowerbeds": "F"}
        signs = [mark for what, mark in marks.items() if table.has(player, what, colour)]
        return "".join([str(orchards) if orchards else "", *signs])

    def in_column(self, cards: Sequence[str], row: int) -> Text:
        """A card of a column; the top one, which lies lowest, in brackets."""
        if row >= len(cards):
            return Text()
        card = self.card(cards[row])
        return Text("[").append_text(card).append("]") if row == len(cards) - 1 else card

    def types(self, player: int) -> Iterator[Text]:
        """`S 3x2`: cards of a type and points for each."""
        counts, feeds = self.table.types(player), self.table.feeds(player)
        for letter in (*self.game.type_letters, HARLEQUIN):
            if counts[letter] or feeds[letter]:
                yield Text(f"{letter} {counts[letter]}x{feeds[letter]}")

    def garden(self, player: int) -> Iterator[Text]:
        """The garden tiles of the day; those used are in parentheses."""
        used = self.table.tableaus[player].get("used", ())
        for name in GARDEN_TILES[: self.table.day]:
            yield Text(f"({name})", style=LABEL_STYLE) if name in used else Text(name)

    def card(self, card: str, mark: str = "") -> Text:
        """`BLS` in the colour of its column."""
        return Text(card, style=self.styles[card[0]]).append(mark, style="default on default")

    # Points

    def points(self, width: int) -> Iterator[Text]:
        """A line a player: points by kind."""
        names = [*self.game.component_names, "points"]
        rows = [[*self.table.components(player).values(), self.table.points(player)] for player in self.table.players]
        players = [f"player {player}" for player in self.table.players]
        if len(players[0]) + sum(2 + len(name) for name in names) <= width:
            yield Text(" " * len(players[0]) + "".join(f"  {name}" for name in names), style="bold")
            for player, row in zip(players, rows, strict=True):
                cells = (str(value).rjust(len(name)) for name, value in zip(names, row, strict=True))
                yield Text(player + "".join(f"  {cell}" for cell in cells))
            return
        for player, row in zip(players, rows, strict=True):
            items = [Text(f"{name} {value}") for name, value in zip(names[:-1], row, strict=False)]
            yield from flowed([Text(player, style="bold"), *items], width)

    # What lies between them

    def between(self, marks: Marks, width: int) -> Iterator[Text]:
        """The pool, the orchard cards and the feeding tiles, beside each other where they fit."""
        blocks = [self.pool(marks), self.orchard(), self.stacks(marks)]
        widths = [max(map(len, block)) for block in blocks]
        if sum(widths) + len(APART) * (len(blocks) - 1) > width:
            for block in blocks:
                yield from block
            return
        for i in range(max(map(len, blocks))):
            line = Text()
            for block, room in zip(blocks, widths, strict=True):
                cell = block[i] if i < len(block) else Text()
                line.append_text(cell).append(" " * (room - len(cell)) + APART)
            line.rstrip()
            yield line

    def pool(self, marks: Marks) -> list[Text]:
        """The grid with its rows and columns; a mark before what can be taken now."""
        table = self.table
        can = table.draftable() if self.phase == "draft" else []
        lines = [Text("pool  1    2    3", style="bold")]
        slots = [*table.pool.items()]
        for begin in range(0, len(slots), SIDE):
            line = Text().append(f"{slots[begin][0][0]}    ", style="bold")
            for slot, card in slots[begin : begin + SIDE]:
                line.append(marks.to_move if slot in can else " ")
                line.append_text(self.card(card) if card else Text(marks.dash))
                line.append(" " * (4 - len(card or marks.dash)))
            line.rstrip()
            lines.append(line)
        return lines

    def orchard(self) -> list[Text]:
        """The orchard cards with their aphids."""
        lines = [Text("orchard", style="bold")]
        for number, card in enumerate(self.table.orchard, 1):
            if card is None:
                lines.append(Text(f"{number} none"))
            else:
                letter = self.game.colour_letters[self.game.colours.index(card["card"])]
                line = Text(f"{number} ").append(card["card"], style=self.styles[letter])
                lines.append(line.append(f" {aphids_text(card['aphids'])}"))
        return lines

    def stacks(self, marks: Marks) -> list[Text]:
        """The tops of the stacks and the tiles below; a mark before what can be taken now."""
        can = self.table.claimable(self.view["to_move"]) if self.phase == "feed" else []
        stacks = [*enumerate(self.table.stacks, 1)]
        lines = [Text("feeding tiles", style="bold")]
        for row in range(STACK_ROWS):
            cells = []
            for number, stack in stacks[row::STACK_ROWS]:
                top = f"{stack['top'] or 'none':<5} +{stack['below']}"
                cells.append(f"{marks.to_move if number in can else ' '}{number} {top}")
            lines.append(Text("  ".join(cells)))
        return lines

    def facts(self) -> Iterator[tuple[str, Text]]:
        """What may be drafted, the turns, the deck, what has not been seen."""
        table = self.table
        if table.unlocks:
            yield "unlocked", Text(self.unlocked(table.unlocks))
        if table.order and len(table.order) > 1:
            yield "turns", Text(", then ").join(self.turn(place, player) for place, player in enumerate(table.order))
        elif self.phase == "reveal" and any(table.revealed(player) for player in table.players):
            yield "chosen", Text(", ").join(self.chosen(player) for player in table.players)
        discarded = f", {len(self.view['discards'])} discarded" if self.view["discards"] else ""
        yield "deck", Text(f"{self.view['deck']} cards{discarded}, {self.view['orchard_deck']} orchard cards")
        unseen = self.unseen()
        if unseen:
            counts = [f"{name} {count}" for name, count in unseen.items()]
            yield "unseen", Text(f"{unseen.total()} cards: {', '.join(counts)}")

    def unlocked(self, unlocks: str) -> str:
        """`larvae, 2 in the pool`."""
        table = self.table
        if unlocks == ANY:
            return "any card of the pool"
        if unlocks == "none":
            return "nothing but Harlequins: the one revealed had no column to invade"
        count = table.in_pool(unlocks)
        return f"{plural(unlocks)}, {count if count else 'none'} in the pool{'' if count else ': two cards of the deck instead'}"

    def turn(self, place: int, player: int) -> Text:
        """`player 1 with BLS`, `player 0 (now)`, `player 2 (done)`."""
        text = Text(f"player {player}")
        card = self.table.revealed(player)
        if card:
            text.append(" with ").append_text(self.card(card))
        now: int = self.view["turn"]
        return text.append(" (done)" if place < now else " (now)" if place == now else "")

    def chosen(self, player: int) -> Text:
        """`player 0: BLS`, `player 1: hidden`, `player 2: none yet`."""
        card = self.table.revealed(player)
        text = Text(f"player {player}: ")
        return text.append(card or "none yet") if card in (None, "hidden") else text.append_text(self.card(str(card)))

    def unseen(self) -> Counter[str]:
        """Cards of which whoever looks on does not know where they are, by state: in the deck or in a hand."""
        table = self.table
        left = Counter(dict(zip(self.game.faces, self.game.copies, strict=True)))
        for player in table.players:
            left.subtract(table.hand(player))
            for colour in self.game.colours:
                left.subtract(table.column(player, colour))
            card = table.revealed(player) if table.order else None   # while cards are chosen they are still in the hands
            left.subtract([card] if card else [])
        left.subtract(card for card in table.pool.values() if card)
        left.subtract(self.view["discards"])
        counts: Counter[str] = Counter()
        for face, count in left.items():
            name = "Harlequins" if face == HARLEQUIN else plural(table.state(face))
            counts[name] += count
        return +counts

    def legend(self, width: int) -> Iterator[Text]:
        """What the letters and signs mean."""
        game = self.game
        colours = [f"{letter} {name}" for letter, name in zip(game.colour_letters, game.colours, strict=True)]
        states = [f"{letter} {name}" for letter, name in zip(STATE_LETTERS, STATE_NAMES, strict=True)]
        types = [f"{letter} {name}" for letter, name in zip(game.type_letters, game.types, strict=True)]
        signs = ["above: orchard cards, L life cycle, F flowerbed", "[ ] top card", "( ) used"]
        if any(tableau.get("lost") for tableau in self.table.tableaus):
            signs.insert(1, "x life cycle lost")
        signs += known_signs(self.view["hands"])
        tiles = ["S2:4h: 2 points for each S, costs 4 aphids, honeydew", "m mildew", "+4 below"]
        rows = [colours, states, [*types, f"{HARLEQUIN} Harlequin"], signs, tiles]
        if sum(map(len, colours + states)) + len(BETWEEN) * (len(colours + states) - 1) <= width:
            rows[:2] = [colours + states]
        for parts in rows:
            yield from flowed([Text(part, style=LABEL_STYLE) for part in parts], width)
        guessed = [text for table, text in ASSUMED.items() if own_components()[table] == game.components_data[table]]
        if guessed:
            yield Text(f"assumed, not printed: {joined(guessed)}", style=LABEL_STYLE)


@cache
def own_components() -> Mapping[str, Any]:
    """What our own file says."""
    return read_components(definition("ladybird")).data
