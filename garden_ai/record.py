"""Records: a whole game as JSON lines, a header and a line an event, that replays to the same states.

The form is in docs/records.md. `read_record` reads and replays, `Record.text` writes; `read_state` takes a position or
the last state of a record, whichever a file holds.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from garden_core.fields import FieldError, agrees, mapping, one_of, sequence, shown, text, whole
from garden_core.state import Game, State

from garden_ai.files import MAX_BYTES, name_of, parse_json, read_text
from garden_ai.games import definition
from garden_ai.games.definition import GameDefinition
from garden_ai.position import (
    ACTORS,
    actor_name,
    build_position,
    game_dict,
    game_schema,
    parse_position,
    position_dict,
    position_schema,
    read_game,
)
from garden_ai.position import FORMAT as POSITION_FORMAT

FORMAT = "garden-ai record"
VERSION = 1
HEADER = ("format", "version", "game", "players", "options", "components", "seed", "names", "start")
TERMINAL = ACTORS["over"]
MOST_SEED = 2**64 - 1


def event_seed(seed: int, number: int) -> int:
    """The seed of event `number` of a game played with `seed`: what is drawn or searched there depends on it only."""
    return random.Random(f"{seed}/{number}").getrandbits(63)


@dataclass(frozen=True)
class Event:
    """One line of a record: who moved, a seat or "chance", and the move in notation."""

    by: int | str
    move: str


@dataclass
class Record:
    """A game as it was played: where it began, its events, and the state after each of them."""

    start: State
    seed: int | None = None
    names: tuple[str, ...] | None = None
    events: list[Event] = field(default_factory=list)
    states: list[State] = field(default_factory=list)

    @property
    def game(self) -> Game:
        """The game as it was loaded."""
        game: Game = self.start.game
        return game

    @property
    def definition(self) -> GameDefinition:
        """The game as the rest of garden_ai sees it."""
        return definition(self.game.name)

    @property
    def state(self) -> State:
        """The state after the last event."""
        return self.states[-1] if self.states else self.start

    def apply(self, action: int) -> Event:
        """Adds an action of the actor or an outcome of chance. Raises `ValueError` where it is illegal."""
        state = self.state.copy()
        state.apply(action)
        event = Event(actor_name(self.state.actor), self.definition.notation.format(self.state, action))
        self.events.append(event)
        self.states.append(state)
        return event

    def truncate(self, length: int) -> None:
        """Takes back every event after the first `length`."""
        del self.events[length:], self.states[length:]

    def header(self) -> dict[str, Any]:
        """The first line as plain data."""
        header: dict[str, Any] = {"format": FORMAT, "version": VERSION, **game_dict(self.game)}
        if self.seed is not None:
            header["seed"] = whole("seed", self.seed, 0, MOST_SEED)
        if self.names is not None:
            header["names"] = list(self.names)
        if self.start != self.game.start():
            header["start"] = position_dict(self.start)
        return header

    def lines(self) -> Iterator[dict[str, Any]]:
        """Every line as plain data; the result is the last where the game is over."""
        yield self.header()
        for event in self.events:
            yield {"by": event.by, "move": event.move}
        if self.state.actor == TERMINAL:
            yield {"result": result_of(self.state)}

    def text(self) -> str:
        """The record as a file."""
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self.lines())


def result_of(state: State) -> dict[str, Any]:
    """Scores and places as a record's last line has them."""
    return {"scores": [plain_number(score) for score in state.scores()], "placing": state.placing()}


def plain_number(value: float) -> int | float:
    """A whole number without its decimal point."""
    return int(value) if float(value).is_integer() else value


def read_record(source: str | Path, components: str | Path | None = None) -> Record:
    """The record in a file, or on standard input for `-`, replayed. Raises `FieldError` with the line of a mistake."""
    return parse_record(read_text(source), name_of(source), components)


def parse_record(content: str, name: str = "record", components: str | Path | None = None) -> Record:
    """The record in a text; `name` is what messages call it."""
    # only \n ends a line: a text in JSON may hold the other separators that str.splitlines knows
    lines = [(number, line) for number, line in enumerate(content.split("\n"), 1) if line.strip()]
    if not lines:
        raise FieldError(name, "is empty; expected a record: a header, then a line an event")
    if _format_of(content) == POSITION_FORMAT:
        raise FieldError(name, "is a position; expected a record: a header, then a line an event")
    record = None
    ended = False
    for number, line in lines:
        value = parse_json(line, name, number)
        try:
            if record is None:
                record = _read_header(value, components)
            elif ended:
                raise FieldError("", "expected nothing after the result")
            elif isinstance(value, Mapping) and "result" in value:
                _check_result(record, value)
                ended = True
            else:
                _replay(record, value)
        except FieldError as error:
            raise FieldError(f"{name}:{number}", str(error)) from None
    assert record is not None  # there was a line
    return record


def _read_header(value: object, components: str | Path | None) -> Record:
    if not isinstance(value, Mapping) or (value and not set(value) & set(HEADER)):
        raise FieldError("", f"is no header of a record; expected an object with {', '.join(HEADER)}; got {shown(value)}")
    mapping("", value, HEADER, ("format", "version", "game", "players"))
    one_of("format", value["format"], [FORMAT])
    one_of("version", value["version"], [VERSION])
    game = read_game(value, components)
    seed = value.get("seed")
    if seed is not None:
        whole("seed", seed, 0, MOST_SEED)
    names = value.get("names")
    if names is not None:
        names = tuple(
            text(f"names[{i}]", entry)
            for i, entry in enumerate(sequence("names", names, game.players, "names, one a player"))
        )
    return Record(_read_start(value, game, components), seed, names)


def _read_start(value: Mapping[str, Any], game: Game, components: str | Path | None) -> State:
    if "start" not in value:
        return game.start()
    try:
        _, state = build_position(value["start"], components)
    except FieldError as error:
        raise FieldError("start" if error.path == "position" else f"start.{error.path}", error.expected) from None
    if state.game != game:
        raise FieldError("start", "expected the game, players, options and components of the header")
    return state


def _replay(record: Record, value: object) -> None:
    if not isinstance(value, Mapping):
        raise FieldError("", f"expected an event, an object with by, move; got {shown(value)}")
    mapping("", value, ("by", "move"), ("by", "move"))
    state = record.state
    by, move = value["by"], text("move", value["move"])
    if state.actor == TERMINAL:
        raise FieldError("by", f"expected the result or the end of the record: the game is over; got {shown(by)}")
    one_of("by", by, [actor_name(state.actor)])
    try:
        action = record.definition.notation.parse(state, move)
    except ValueError as error:
        raise FieldError("move", str(error)) from None
    record.apply(action)


def _check_result(record: Record, value: Mapping[str, Any]) -> None:
    mapping("", value, ("result",))
    mapping("result", value["result"], ("scores", "placing"), ("scores",))
    if record.state.actor != TERMINAL:
        raise FieldError("result", "expected another event: the game is not over")
    computed = result_of(record.state)
    for name, given in value["result"].items():
        for i, entry in enumerate(sequence(f"result.{name}", given, record.game.players, "numbers, one a player")):
            agrees(f"result.{name}[{i}]", plain_number(entry) if isinstance(entry, float) else entry, computed[name][i])


def read_state(source: str | Path, components: str | Path | None = None) -> tuple[GameDefinition, State]:
    """The state that a file or standard input holds: a position's, or the last of a record."""
    content = read_text(source)
    first = _value_of(_first_line(content))
    headless = isinstance(first, dict) and ({"by", "move"} <= set(first) or set(first) == {"result"})
    if headless or _begins_a_record(content):
        record = parse_record(content, name_of(source), components)
        return record.definition, record.state
    return parse_position(content, name_of(source), components)


def _begins_a_record(content: str) -> bool:
    return _format_of(_first_line(content)) == FORMAT


def _first_line(content: str) -> str:
    return content.lstrip().split("\n", 1)[0]


def _format_of(content: str) -> object:
    value = _value_of(content)
    return value.get("format") if isinstance(value, dict) else None


def _value_of(content: str) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def check_target(flag: str, file: str | Path) -> None:
    """Raises `FieldError` where writing a record would destroy something else; `flag` is what asked for it."""
    path = Path(file)
    try:
        if not path.is_file():  # new, or a device; what cannot be written says so itself
            return
        with path.open("rb") as opened:
            content = opened.read(MAX_BYTES)
    except (OSError, ValueError) as error:
        raise FieldError(str(file), f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if content and not _begins_a_record(content.decode("utf-8-sig", errors="replace")):
        raise FieldError(flag, f"{file} exists and is no record; expected a new file or a record")


def record_schema(game: GameDefinition) -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of one line of a record: the header, an event or the result."""
    header = {
        "type": "object",
        "properties": {
            "format": {"const": FORMAT},
            "version": {"const": VERSION},
            **game_schema(game),
            "seed": {
                "type": "integer",
                "minimum": 0,
                "maximum": MOST_SEED,
                "description": "what the game was drawn with",
            },
            "names": {"type": "array", "items": {"type": "string"}, "description": "of the players, in seat order"},
            "start": {key: part for key, part in position_schema(game).items() if key != "$schema"},
        },
        "required": ["format", "version", "game", "players"],
        "additionalProperties": False,
    }
    event = {
        "type": "object",
        "properties": {
            "by": {"enum": [*range(max(game.players)), "chance"]},
            "move": {"type": "string", "description": "in the game's notation"},
        },
        "required": ["by", "move"],
        "additionalProperties": False,
    }
    numbers = {
        "type": "array",
        "items": {"type": "number"},
        "minItems": min(game.players),
        "maxItems": max(game.players),
    }
    result = {
        "type": "object",
        "properties": {
            "result": {
                "type": "object",
                "properties": {"scores": numbers, "placing": numbers},
                "required": ["scores"],
                "additionalProperties": False,
            }
        },
        "required": ["result"],
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of a record of {game.title}",
        "oneOf": [header, event, result],
    }
