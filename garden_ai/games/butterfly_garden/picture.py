"""The Butterfly Garden as a picture: a box for each player, below them the field, the turns, the deliveries and the deck.

Everything can be read without colour and in plain ASCII; colour only shows butterflies faster. `picture` takes the fields of a
view and nothing else, so it shows what their observer can see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from garden_core.games.butterfly_garden import ButterflyGarden
from garden_core.state import Game
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from garden_ai.components import read_components
from garden_ai.games import definition
from garden_ai.games.boxes import (
    BACK,
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
from garden_ai.games.butterfly_garden.needs import JAR, RAINBOW, either
from garden_ai.games.butterfly_garden.table import TURNS, TWO, Table, players_text
from garden_ai.games.marks import ASCII, UNICODE, Marks

# Of the colours in the order of the components: yellow, red, blue, purple, green; then the rainbow.
STYLES = (
    "bold grey0 on yellow1",
    "bold bright_white on red3",
    "bold bright_white on dodger_blue3",
    "bold bright_white on dark_violet",
    "bold grey0 on green3",
)
RAINBOW_STYLE = "bold grey0 on bright_white"
ICON_STYLE = "italic"
LEAST = 36  # places inside a box
WIDEST = 56
LABEL = 8  # places for what stands before the cards of a box
APART = "   "  # parts of the legend
COLUMN_GAP = 2  # between columns of the deliveries
HEADLINES = {
    "hands": "chance: the hands are to be dealt",
    "letters": "chance: which letters the players get",
    "field": "chance: the field is to be filled",
    "deliveries": "chance: the next delivery card",
    "choose": "player {} to choose a card",
    "capture": "player {} to take a card",
    "power": "player {} to use {} or pass",
    "draw": "chance: player {} is to draw a card",
    "return": "player {} to return a card",
    "top": "chance: the top card, for player {}",
    "discard": "player {} to discard from the jar",
    "deliver": "player {} to deliver",
    "over": "the game is over",
}
ICONS = {
    "/dr": "draw one, return one",
    "/sw": "swap hand and jar",
    "/to": "top card into jar",
    "/de": "points at once",
}


def picture(game: Game, view: Mapping[str, Any]) -> RenderableType:
    """A picture of the fields of a view."""
    assert isinstance(game, ButterflyGarden)
    return Picture(game, view)


class Picture:
    """See the module."""

    def __init__(self, game: ButterflyGarden, view: Mapping[str, Any]) -> None:
        self.game = game
        self.view = view
        self.table = Table(game, view)
        self.phase = self.table.phase
        self.moves: int = view["to_move"] if view["to_move"] >= 0 else self.table.turn
        self.styles = dict(zip(game.letters, STYLES, strict=True)) | {RAINBOW: RAINBOW_STYLE}

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines of the picture, as wide as the console allows."""
        marks = ASCII if options.ascii_only else UNICODE
        width = options.max_width
        yield self.headline(marks)
        yield from self.boxes(marks, width)
        yield fact_grid(self.facts())
        if self.phase != "over":
            yield Text()
            yield from self.deliveries(width)
        yield from self.legend(width)

    def headline(self, marks: Marks) -> Text:
        """`The Butterfly Garden · round 6 · goal 45 · player 0 to choose a card`."""
        moves = self.moves
        card = self.card_name(self.table.played[moves]) if self.phase == "power" else ""
        parts = [
            "The Butterfly Garden",
            f"round {self.view['round']}",
            f"goal {self.game.goal}",
            HEADLINES[self.phase].format(moves, card),
        ]
        return Text(f" {marks.dash} ".join(parts), style="bold")

    # The players

    def boxes(self, marks: Marks, width: int) -> Iterator[RenderableType]:
        """A box a player."""
        rows, inner = arranged(len(self.table.players), width, LEAST, WIDEST)
        for players in rows:
            yield box_row(marks, [self.box(player, inner) for player in players], inner)

    def box(self, player: int, inner: int) -> Box:
        """The hand, the jar, and what was delivered to the garden."""
        jar = self.table.jars[player]
        full = len(self.table.letters(jar))
        lines = [
            *labelled("hand", hand_items(self.view["hands"][player], self.card), LABEL, inner),
            *labelled(f"jar {full}/{JAR}", map(self.card, jar), LABEL, inner),
            *labelled("garden", self.garden(player), LABEL, inner),
        ]
        return Box(f"player {player}", self.table.points(player), player == self.moves, lines)

    def garden(self, player: int) -> Iterator[Text]:
        """`Y+any 5`, `2 of a kind 5 x2`, `34 R/de2`: the points are on the cards."""
        for name, count in Counter(self.view["earned"][player]).items():
            times = f" x{count}" if count > 1 else ""
            yield self.delivery(name).append(f" {self.table.points_of[name]}{times}")
        for card in self.view["released"][player]:
            yield self.card(card)

    # Cards

    def card(self, card: int, mark: str = "") -> Text:
        """`34 R/de2`."""
        letters, slash, icon = self.game.cards[card].partition("/")
        text = Text(f"{card}{mark} ").append_text(self.butterflies(letters))
        return text.append(slash + icon, style=ICON_STYLE)

    def card_name(self, card: int) -> str:
        """The same without colours."""
        return f"{card} {self.game.cards[card]}"

    def butterflies(self, letters: str) -> Text:
        """Letters, each in its colour."""
        text = Text()
        for letter in letters:
            text.append(letter, style=self.styles[letter])
        return text

    def delivery(self, name: str) -> Text:
        """`Y+any`, its colours in their own."""
        text = Text()
        for i, part in enumerate(name.split("+")):
            letter, gap, rest = part.partition(" ")  # `any (7)`, where two deliveries need the same
            text.append("+" if i else "").append(letter, style=self.styles.get(letter, "")).append(gap + rest)
        return text

    # What lies between them

    def facts(self) -> Iterator[tuple[str, Text]]:
        """The field, the cards played, the deck, what has not been seen."""
        if self.phase != "over":
            yield "field", spread(map(self.card, self.table.field)) if self.table.field else Text("empty")
        if self.table.order:
            yield "turns", Text(", then ").join(map(self.turn, self.table.order))
        elif self.phase == "choose" and any(card is not None for card in self.table.played):
            yield "played", Text(", ").join(self.chosen(player) for player in self.table.players)
        yield "deck", Text(f"{self.view['deck']} cards, {len(self.view['discards'])} discarded")
        if self.view.get("bottom"):
            yield "bottom", Text(", then ").join(self.returned(entry) for entry in self.view["bottom"])
        counts = Counter(self.table.letters(self.table.unseen))
        if counts:
            total = len(self.table.unseen)
            text = Text(f"{total} card{'' if total == 1 else 's'} with")
            for letter in (*self.game.letters, RAINBOW):
                text.append(BETWEEN).append(letter, style=self.styles[letter]).append(f" {counts[letter]}")
            yield "unseen", text

    def turn(self, player: int) -> Text:
        """`player 1 with 12 B (done)`."""
        done = player not in (self.table.turn, *self.table.waiting())
        text = Text(f"player {player} with ").append_text(self.card(self.table.played[player]))
        return text.append(" (done)") if done else text.append(" (now)") if player == self.table.turn else text

    def chosen(self, player: int) -> Text:
        """`player 0: 34 R/de2`, `player 1: hidden`, `player 2: none yet`."""
        card = self.table.played[player]
        text = Text(f"player {player}: ")
        return text.append_text(self.card(card)) if isinstance(card, int) else text.append("none yet" if card is None else card)

    def returned(self, entry: Mapping[str, Any]) -> Text:
        """A card at the bottom of the deck, and who has put it there."""
        card = self.card(entry["card"]) if "card" in entry else Text(BACK, style=LABEL_STYLE)
        return card.append(f" of player {entry['by']}")

    # The deliveries

    def deliveries(self, width: int) -> Iterator[Text]:
        """A line a delivery: its points, what the player who looks on lacks, and who else could deliver it."""
        viewer = self.table.viewer
        rows = [self.delivery_row(self.side(place), place, name) for place, name in enumerate(self.table.available)]
        if self.table.next is not None:
            rows.append(self.delivery_row("next: ", -1, self.table.next))
        heads = ["deliveries", "points", *([f"player {viewer}", "also payable by"] if viewer >= 0 else ["payable by"])]
        table = [[Text(head, style="bold") for head in heads], *rows]
        widths = [max(len(row[i]) for row in table if i < len(row)) for i in range(len(heads))]
        if sum(widths) + COLUMN_GAP * (len(widths) - 1) <= width:
            yield from (columns(row, widths) for row in table)
        else:
            yield Text(", ".join(heads), style="bold")
            yield from (Text(", ").join(cell for cell in row if cell) for row in rows)
        left = self.view["deliveries"]["deck"]
        yield Text(f"{left} more in the deck" if left else "no more in the deck", style=LABEL_STYLE)

    def side(self, place: int) -> str:
        """Between two players whose side it is."""
        return f"side {place}: " if len(self.table.players) == TWO else ""

    def delivery_row(self, label: str, place: int, name: str | None) -> list[Text]:
        """The cells of one delivery; `place` is -1 for the one that comes next."""
        if name is None:
            return [Text(f"{label}taken")]
        cells = [Text(label).append_text(self.delivery(name)), Text(f"{self.table.points_of[name]}")]
        viewer = self.table.viewer
        if viewer >= 0:
            cells.append(Text(self.standing(viewer, place, name)))
        others = [player for player in self.payers(name, place) if player != viewer]
        return [*cells, Text(players_text(others), style=LABEL_STYLE)]

    def payers(self, name: str, place: int) -> list[int]:
        """Who could deliver it: in this round; what comes next, from the jar as it is."""
        if place >= 0:
            return self.table.payers(name, place)
        return [player for player in self.table.players if self.table.pays(name, self.table.jars[player])]

    def standing(self, player: int, place: int, name: str) -> str:
        """`payable now`, `payable with 12, in play`, `payable if 57 is played`, `lacks P`."""
        table, jar = self.table, self.table.jars[player]
        if self.phase in TURNS and place >= 0 and not table.may_take(player, place):
            return f"player {place} only in this round"
        if_first = self.phase == "choose" and place >= 0 and not table.on_side(player, place)
        if table.pays(name, jar):
            return "payable from the jar" if place < 0 else "payable if first" if if_first else "payable now"
        card = table.in_play(player)
        if card is not None and table.pays(name, table.purse(player)):
            return f"payable with {card}, in play"
        if self.phase == "choose":
            bringing = [f"{card}" for card in table.hand(player) if self.brings(name, jar, card)]
            if bringing:
                return f"payable if {either(bringing)} {'goes first' if if_first else 'is played'}"
        return f"lacks {table.lacks(name, table.purse(player))}"

    def brings(self, name: str, jar: Sequence[int], card: int) -> bool:
        """Whether a delivery can be paid once this card is played."""
        return not self.game.release(card) and self.table.pays(name, [*jar, card])

    def legend(self, width: int) -> Iterator[Text]:
        """What the letters and signs mean."""
        names = zip(self.game.letters, self.game.colours, strict=True)
        letters = [*(f"{letter} {name}" for letter, name in names), f"{RAINBOW} rainbow: any colour"]
        letters += known_signs(self.view["hands"])
        shown = {f"/{self.game.power(card)}" for card in range(len(self.game.cards))}
        icons = [f"{name}: {text}" for name, text in ICONS.items() if name in shown]
        faces, deliveries = assumed()
        data = self.game.components_data
        guessed = ["the faces of the cards"] if data["cards"]["faces"] == faces else []
        guessed += ["most delivery cards"] if deliveries in data["deliveries"] else []
        standing = [f"assumed, not printed: {' and '.join(guessed)}"] if guessed else []
        for parts in (letters, icons, standing):
            yield from flowed([Text(part, style=LABEL_STYLE) for part in parts], width, APART)


@cache
def assumed() -> tuple[Sequence[str], Mapping[str, Any]]:
    """The faces of the cards as our own file assumes them, and one of the deliveries that it does."""
    own = read_components(definition("butterfly_garden"))
    guessed = [part for part in own.standings if part.standing == "assumed"]
    return own.data["cards"]["faces"], next(part.values for part in guessed if part.table.startswith("deliveries["))


def columns(cells: Sequence[Text], widths: Sequence[int]) -> Text:
    """The cells of a row, those in the second column to the right."""
    line = Text()
    for i, (cell, width) in enumerate(zip(cells, widths, strict=False)):
        room = " " * (width - len(cell))
        line.append(" " * COLUMN_GAP if i else "")
        if i == 1:
            line.append(room).append_text(cell)
        else:
            line.append_text(cell).append(room)
    line.rstrip()
    return line


def spread(items: Iterable[Text]) -> Text:
    """Items beside each other."""
    return Text(BETWEEN).join(items)
