"""The table of `garden-ai play`: turns, what a person may type at his own, and what everybody gets to see."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from garden_core.fields import FieldError
from garden_core.state import State
from rich.console import RenderableType
from rich.text import Text

from garden_ai.cli.apply import split
from garden_ai.cli.hint import advice
from garden_ai.cli.legal import grouped, legal_moves
from garden_ai.cli.output import console, print_text, show
from garden_ai.cli.score import score_table
from garden_ai.files import write_text
from garden_ai.players import Player
from garden_ai.position import ACTORS
from garden_ai.record import Record, check_target, event_seed
from garden_ai.turns import CHANCE, Turn, is_seen, turn_of

HUMAN = "human"
TERMINAL = ACTORS["over"]
PUBLIC = -1
HELP = """\
a move       in notation, as `moves` lists them; several of your turn may stand
             in one line, with commas or semicolons between them
moves        the legal moves, as `legal`
hint         the best moves and why
show         the picture again
score        the points so far
undo         back to your last decision
save FILE    write the record so far
quit         end here, as `exit` and `q`"""


@dataclass(frozen=True)
class Seat:
    """Who sits at a seat: an engine, or a person where there is no thinker."""

    name: str
    thinker: Player | None


@dataclass(frozen=True)
class Rest:
    """What a player typed after a choice that all make at the same time: the rest of his turn, if he is the first to have one."""

    parts: tuple[str, ...]
    begin: int  # events until then


class Leave(Exception):  # noqa: N818  a wish, no error
    """A person wants to end here."""


class Table:
    """One game being played. `play` runs it to its end, or until a person leaves."""

    def __init__(
        self,
        record: Record,
        seats: Sequence[Seat],
        adviser: Player,
        seed: int,
        keep: Callable[[], None] = lambda: None,
    ) -> None:
        self.record = record
        self.seats = seats
        self.adviser = adviser
        self.seed = seed
        self.keep = keep  # called whenever the record has changed
        self.gathered: list[tuple[int, str]] = []  # who and what, of a turn that is not told yet
        self.gathered_of: Turn | None = None
        self.rests: dict[int, Rest] = {}  # by player
        self.commands: dict[str, Callable[[], None]] = {
            "help": lambda: show(Text(HELP)),
            "moves": lambda: show(grouped(legal_moves(self.state))),
            "hint": lambda: show(advice(self.adviser.analyse(self.state, self.next_seed()))),
            "show": self.show_picture,
            "score": lambda: show(self.score_table()),
            "undo": self.undo,
            "quit": self.leave,
        }
        for other, word in (("legal", "moves"), ("exit", "quit"), ("q", "quit")):
            self.commands[other] = self.commands[word]

    @property
    def state(self) -> State:
        """The state now."""
        return self.record.state

    @property
    def alone(self) -> bool:
        """Whether engines play among themselves."""
        return all(seat.thinker is not None for seat in self.seats)

    def score_table(self) -> RenderableType:
        """The points so far, with who sits where."""
        return score_table(self.state, [seat.name for seat in self.seats])

    def name(self, player: int) -> str:
        """What a player is called."""
        return f"player {player} ({self.seats[player].name})"

    def next_seed(self) -> int:
        """The seed of the event to come."""
        return event_seed(self.seed, len(self.record.events))

    def play(self) -> None:
        """Plays to the end, and shows it."""
        try:
            while self.state.actor != TERMINAL:
                self.turn()
        except Leave:
            show(Text("left before the end"))
            return
        finally:
            self.tell()
        self.show_picture()
        names = [self.name(player) for player in range(len(self.seats))]
        show(self.score_table(), Text(verdict(self.state, names), style="bold"))

    def turn(self) -> None:
        """One event: what chance brings, an engine's move or a person's."""
        actor = self.state.actor
        if actor == CHANCE:
            self.draw()
            return
        thinker = self.seats[actor].thinker
        if thinker is None or turn_of(self.state) != self.gathered_of:
            self.tell()
        if thinker is None:
            self.show_picture()
            self.ask()
            return
        analysis = thinker.analyse(self.state, self.next_seed())
        if "interrupted" in analysis.notes:
            raise KeyboardInterrupt
        self.apply(thinker.choose(analysis, self.next_seed()))

    def draw(self) -> None:
        """What chance brings."""
        self.apply(self.state.copy().draw(self.next_seed()))

    def apply(self, action: int) -> None:
        """Makes an event, and gathers as much of it as may be known until the turn is told as a whole."""
        before = self.state
        turn = None if before.actor == CHANCE else turn_of(before)
        event = self.record.apply(action)
        self.keep()
        if before.simultaneous:
            self.tell()
            show(Text(f"{self.name(before.actor)}: has chosen"))
            if not self.state.simultaneous:
                self.open_choices()
            return
        if turn is not None and turn != self.gathered_of:
            self.tell()
            self.gathered_of = turn
        self.gathered.append((before.actor, event.move if self.is_seen(before, action) else "something hidden"))
        if self.gathered_of is None:
            self.tell()

    def tell(self) -> None:
        """Says in one line what a player did in his turn, chance between his moves in brackets; then what came after them."""
        gathered, self.gathered, self.gathered_of = self.gathered, [], None
        length = max((i for i, (who, _) in enumerate(gathered, 1) if who != CHANCE), default=0)
        if length:
            told = ", ".join(f"({what})" if who == CHANCE else what for who, what in gathered[:length])
            show(Text(f"{self.name(gathered[0][0])}: {told}"))
        for _, what in gathered[length:]:
            show(Text(f"chance: {what}"))

    def is_seen(self, before: State, action: int) -> bool:
        """Whether the people at the table can tell this event from every other that was possible."""
        humans = [player for player, seat in enumerate(self.seats) if seat.thinker is None]
        return self.alone or is_seen(before, action, humans[0] if len(humans) == 1 else PUBLIC)

    def open_choices(self) -> None:
        """All have made their sealed choices: they are shown together."""
        states = [self.record.start, *self.record.states]
        first = len(self.record.events)
        while first > 0 and states[first - 1].simultaneous:
            first -= 1
        for event in self.record.events[first:]:
            show(Text(f"  {self.name(int(event.by))}: {event.move}"))

    def show_picture(self) -> None:
        """What the person whose turn it is can see; what everybody can where engines play alone."""
        actor = self.state.actor
        observer = actor if actor == TERMINAL or (actor >= 0 and not self.alone) else PUBLIC
        show(Text(""), self.record.definition.picture(self.state.game, self.state.view(observer)))

    def ask(self) -> None:
        """Asks a person until he has moved, gone back or left."""
        length = len(self.record.events)
        while len(self.record.events) == length:
            line = self.rest_of_line() or self.read(f"{self.name(self.state.actor)}> ")
            try:
                self.obey(line)
            except ValueError as error:
                if len(self.record.events) != length:  # it was possible, and could not be kept
                    raise
                print_text(f"{error}; `help` lists what you can type")

    def rest_of_line(self) -> str:
        """What the person asked has typed already; nothing where others have had their turns since: it is void then."""
        rest = self.rests.pop(self.state.actor, None)
        if rest is None:
            return ""
        states = [self.record.start, *self.record.states]
        since = range(rest.begin, len(self.record.events))
        if all(states[i].actor == CHANCE or states[i].simultaneous for i in since) and not self.state.simultaneous:
            return ", ".join(rest.parts)
        print_text(f"not done, since others have moved: {', '.join(rest.parts)}")
        return ""

    def obey(self, line: str) -> None:
        """Does what a line says. Raises `ValueError` where it says nothing that is possible."""
        word, _, rest = line.partition(" ")
        if not line:
            return
        if word.lower() == "save":
            self.save(rest.strip())
        elif not rest and word.lower() in self.commands:
            self.commands[word.lower()]()
        else:
            self.move(line)

    def move(self, line: str) -> None:
        """Makes the move that a line says, or else those of its parts. Raises `ValueError` where nothing is made."""
        try:
            action = self.record.definition.notation.parse(self.state, line)
        except ValueError as error:
            parts = split([line])
            if parts in ([], [line]):
                raise
            self.moves(parts, str(error))
        else:
            self.apply(action)

    def moves(self, parts: Sequence[str], refusal: str) -> None:
        """Makes the moves of one turn one after another, until one is not possible; `refusal` is that of them all as one move."""
        turn = turn_of(self.state)
        for number, part in enumerate(parts, 1):
            if turn.sealed and number == 2:
                self.rests[turn.player] = Rest(tuple(parts[1:]), len(self.record.events))
                return
            while number > 1 and self.state.actor == CHANCE:
                self.draw()
            try:
                if self.state.actor == TERMINAL or turn_of(self.state) != turn:
                    raise ValueError(f"{part!r}: not possible; this turn of yours is over")
                action = self.record.definition.notation.parse(self.state, part)
            except ValueError as error:
                told = f"part {number}, {error}"
                if number == 1:
                    alike = reason_of(refusal) == reason_of(str(error))
                    raise ValueError(told if alike else f"{refusal}; {told}") from None
                self.tell()
                print_text(f"{told}; the moves before it are made")
                return
            self.apply(action)

    def read(self, prompt: str) -> str:
        """One line that a person types. Raises `Leave` at the end of input."""
        if sys.stdin is None:
            raise Leave
        if sys.stdin.isatty():
            try:
                return input(prompt).strip()
            except (EOFError, KeyboardInterrupt) as end:
                print()
                if isinstance(end, EOFError):
                    raise Leave from None
                raise
        console().print(prompt, end="")
        line = sys.stdin.readline()
        # the line typed elsewhere is not seen here, so the prompt's line must be ended
        print()
        if not line:
            raise Leave
        return line.strip()

    def leave(self) -> None:
        """Ends the game here."""
        raise Leave

    def undo(self) -> None:
        """Goes back to the last decision of a person, whatever happened since."""
        humans = [i for i, seat in enumerate(self.seats) if seat.thinker is None]
        for number in range(len(self.record.events) - 1, -1, -1):
            if self.record.events[number].by in humans:
                self.record.truncate(number)
                self.rests.clear()
                self.keep()
                return
        raise ValueError("undo: you have not moved yet")

    def save(self, typed: str) -> None:
        """Writes the record so far."""
        try:
            names = shlex.split(typed)
        except ValueError:  # a quote without its other
            names = []
        if len(names) != 1 or not names[0]:
            raise FieldError("save", "expected a file name, in quotes if it has spaces or quotes in it")
        file = os.path.expanduser(names[0])
        check_target("save", file)
        write_text(file, self.record.text())
        show(Text(f"saved to {file}"))


def reason_of(refusal: str) -> str:
    """Why a notation refuses a text, without the text."""
    return refusal.partition("': ")[2]


def verdict(state: State, names: Sequence[str]) -> str:
    """Who has won; alone, how many points he has."""
    if len(names) == 1:
        return f"{names[0]}: {state.scores()[0]:g} points"
    winners = [name for name, place in zip(names, state.placing(), strict=True) if place == 1]
    return f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share the first place"
