"""Ladybird's notation: `reveal BLS`, `invade 1 blue`, `take b2`, `draw`, `shed orchard`, `card 2`, `feed 3`, `stop` and so on.

A card is its colour, state and type: `BLS`, the Harlequin `H`. The word before it may be left out: `b2` to draft, `2` for an
orchard card or a stack, `BLS` to place. `card red` and `feed S1:2h` do where one such lies there. For chance: `hand 0 BLS OPD
GAT H`, `pool BLS GAT`, `orchard red`, `tiles S1:2h`, `draw BLS GAT`, `first 0`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from garden_core.games.ladybird import STATE_LETTERS, STATE_NAMES, Ladybird
from garden_core.state import State

from garden_ai.games.ladybird.table import ANY, HARLEQUIN, PLURALS, Table, plural, spaced
from garden_ai.games.notation import Step, StepNotation

USAGE = {
    "hands": "'hand', the player and the cards dealt, like 'hand 0 BLS OPD GAT H'",
    "pool": "'pool' and the cards turned up, like 'pool BLS GAT OPD'",
    "orchard": "'orchard' and the colours of the cards turned up, like 'orchard red'",
    "stacks": "'tiles' and the feeding tiles turned up, like 'tiles S1:2h'",
    "first": "'first' and the player who gets the Sticky Leaf, like 'first 0'",
    "draw": "'draw' and the two cards drawn, like 'draw BLS GAT'",
    "reveal": "'reveal' and a card of the hand, like 'reveal BLS'",
    "target": "'invade', a player and a colour, like 'invade 1 blue'",
    "alone": "'replace' and a colour, like 'replace blue'",
    "bed": "'bed' and a colour, like 'bed blue'",
    "draft": "'take' and a slot of the pool, like 'take b2', or 'draw' for two cards of the deck",
    "tile": "'rose', 'orchard', 'picnic', 'shed place', 'shed orchard', 'tea memory' or 'tea picnic'",
    "place": "'place' and a card of the hand, like 'place BLS'",
    "card": "'card' and the number of an orchard card, like 'card 2'",
    "feed": "'feed' and the number of a stack, like 'feed 3', or 'stop'",
    "discard": "'discard' and a card of the hand, like 'discard BLS'",
    "over": "nothing: the game is over",
}
# What may stand before the rest, and be left out.
LEADS = {
    "hands": ("hand",),
    "pool": ("pool",),
    "orchard": ("orchard",),
    "stacks": ("tiles",),
    "first": ("first",),
    "draw": ("draw",),
    "reveal": ("reveal", "play"),
    "target": ("invade", "replace", "steal"),
    "bed": ("bed", "flowerbed"),
    "draft": ("take", "draft"),
    "place": ("place", "play"),
    "card": ("card", "take"),
    "feed": ("feed", "take"),
    "discard": ("discard",),
}
CHANCES = ("hands", "pool", "orchard", "stacks", "first", "draw")
BLIND = ("draw", "blind")
STOP = ("stop", "pass")
TILES = {
    "rose": "rose", "roses": "rose", "rosegarden": "rose", "orchard": "orchard", "picnic": "picnic",
    "shed": "shed", "toolshed": "shed", "tea": "tea", "teatime": "tea",
}  # fmt: skip
USES = {
    "shed": {"place": "place", "a": "place", "orchard": "orchard", "b": "orchard"},
    "tea": {"memory": "memory", "a": "memory", "picnic": "picnic", "b": "picnic"},
}
STATES = {
    **{letter.lower(): letter for letter in STATE_LETTERS},
    **dict(zip(STATE_NAMES, STATE_LETTERS, strict=True)),
    **{PLURALS[name]: letter for name, letter in zip(STATE_NAMES, STATE_LETTERS, strict=True)},
    "egg": "E",
}
MOST_WORDS = 3  # of the name of a type, such as `twenty two spot`


class LadybirdNotation(StepNotation):
    """See the module."""

    def format(self, state: State, action: int) -> str:
        """The text of a possible action or outcome."""
        game: Ladybird = state.game
        kind, *rest = game.step(state, action)
        if kind == "blind":
            return BLIND[0]
        if kind == "invade" and game.players == 1:
            return f"replace {rest[-1]}"
        words: list[object] = [kind]
        for part in rest:
            words += part if isinstance(part, tuple) else [part]
        return " ".join(map(str, words))

    # Reading

    def _step(self, game: Ladybird, state: State, words: Sequence[str]) -> Step:
        """What the words say, possible or not. Raises `ValueError` where they say nothing."""
        phase = game.phase(state)
        led = bool(words) and words[0] in LEADS.get(phase, ())
        rest = words[1:] if led else words
        if phase in CHANCES:   # its word is needed: else the move after it could be taken for what chance does
            rest = without_commas(rest) if led else []
        read: dict[str, Callable[[Ladybird, State, Sequence[str]], Step | None]] = {
            "hands": self._hand,
            "orchard": self._orchard_cards,
            "stacks": self._tiles,
            "first": self._first,
            "target": self._target,
            "bed": self._bed,
            "draft": self._draft,
            "tile": self._tile,
            "card": self._orchard_card,
            "feed": self._feed,
        }
        step: Step | None = None
        if rest and phase in read:
            step = read[phase](game, state, rest)
        elif rest and phase != "over":
            cards = self._cards(game, rest)
            if phase in CHANCES:
                step = (phase, cards) if cards else None
            elif len(cards) == 1:
                step = (phase, *cards)
        if step is None:
            raise ValueError(f"expected {self._usage(game, phase)}")
        return step

    def _usage(self, game: Ladybird, phase: str) -> str:
        """What belongs here."""
        return USAGE["alone" if phase == "target" and game.players == 1 else phase]

    def _target(self, game: Ladybird, state: State, words: Sequence[str]) -> Step | None:
        """`1 blue`, `player 1 blue`, and a colour alone where only one player has such a column to invade."""
        named = [word for word in words if word not in ("player", "the", "in")]
        colour = colour_of(game, named[-1]) if len(named) in (1, 2) else None
        if colour is None:
            return None
        seats = named[:-1]
        if seats:
            return ("invade", int(seats[0]), colour) if is_number(seats[0]) else None
        possible = [seat for _, seat, other in self._steps(game, state) if other == colour]
        if len(possible) > 1:
            players = " or ".join(map(str, possible))
            raise ValueError(f"could be player {players}; expected {USAGE['target']}")
        return ("invade", possible[0] if possible else -1, colour)

    def _bed(self, game: Ladybird, state: State, words: Sequence[str]) -> Step | None:
        """`blue`, `b`."""
        colour = colour_of(game, words[0]) if len(words) == 1 else None
        return ("bed", colour) if colour else None

    def _draft(self, game: Ladybird, state: State, words: Sequence[str]) -> Step | None:
        """`b2`; a card that lies in one slot only; `draw`."""
        if words[0] in BLIND and words[1:] in ([], ["2"], ["two"]):
            return ("blind",)
        slot = "".join(words)
        if slot in game.slots:
            return ("take", slot)
        cards = self._cards(game, words)
        if len(cards) != 1:
            return None
        slots = [slot for slot, card in self._table(state).pool.items() if card == cards[0]]
        if len(slots) > 1:
            raise ValueError(f"could be {' or '.join(slots)}; expected {USAGE['draft']}")
        if not slots:
            raise ValueError(f"{cards[0]} is not in the pool; expected {USAGE['draft']}")
        return ("take", slots[0])

    def _tile(self, game: Ladybird, state: State, words: Sequence[str]) -> Step | None:
        """`rose`, `shed orchard`, `toolshed b`; `tea` where there is but one use of it."""
        words = [word for word in words if word not in ("use", "the")]
        tile = found = None
        for end in (2, 1):
            tile = TILES.get("".join(words[:end])) if len(words) >= end else None
            if tile:
                found = words[end:]
                break
        if tile is None or found is None:
            return None
        if tile not in USES:
            return (tile,) if not found else None
        if found:
            use = USES[tile].get(found[0]) if len(found) == 1 else None
            return (tile, use) if use else None
        uses = [step for step in self._steps(game, state) if step[0] == tile]
        if len(uses) > 1:
            raise ValueError(f"expected {' or '.join(repr(' '.join(map(str, use))) for use in uses)}")
        return uses[0] if uses else (tile, "place" if tile == "shed" else "memory")

    def _orchard_card(self, game: Ladybird, state: State, words: Sequence[str]) -> Step | None:
        """`2`; a colour where one such card lies there, or several with equally many aphids."""
        if len(words) != 1:
            return None
        orchard = self._table(state).orchard
        if is_number(words[0]):
            return ("card", self._first_equal(orchard, int(words[0])))
        colour = colour_of(game, words[0])
        if colour is None:
            return None
        slots = [i for i, card in enumerate(orchard, 1) if card and card["card"] == colour]
        if len({self._first_equal(orchard, slot) for slot in slots}) > 1:
            raise ValueError(f"could be card {' or '.join(map(str, slots))}; expected {USAGE['card']}")
        return ("card", self._first_equal(orchard, slots[0]) if slots else -1)

    def _feed(self, game: Ladybird, state: State, words: Sequence[str]) -> Step | None:
        """`3`, `stop`; a tile's name where one stack shows it, or several with equally many below."""
        if len(words) != 1:
            return None
        word = words[0]
        if word in STOP:
            return ("stop",)
        stacks = self._table(state).stacks
        if is_number(word):
            return ("feed", self._first_equal(stacks, int(word)))
        if word not in {tile[0].lower() for tile in game.tiles}:
            return None
        showing = [i for i, stack in enumerate(stacks, 1) if (stack["top"] or "").lower() == word]
        if len({self._first_equal(stacks, stack) for stack in showing}) > 1:
            raise ValueError(f"could be stack {' or '.join(map(str, showing))}; expected {USAGE['feed']}")
        return ("feed", self._first_equal(stacks, showing[0]) if showing else -1)

    @staticmethod
    def _first_equal(places: Sequence[Any], number: int) -> int:
        """The first place, from 1, that is like this one: a choice between equal ones is none."""
        return places.index(places[number - 1]) + 1 if 1 <= number <= len(places) else number

    # What chance does

    def _hand(self, game: Ladybird, state: State, words: Sequence[str]) -> Step | None:
        """`hand 0 BLS OPD GAT H`; without the player it is that of whoever is next."""
        seat, *cards = words
        if not is_number(seat):
            seat, cards = str(self._next_hand(state)), [seat, *cards]
        found = self._cards(game, cards)
        return ("hand", int(seat), found) if found else None

    def _orchard_cards(self, game: Ladybird, state: State, words: Sequence[str]) -> Step | None:
        """`orchard red blue`."""
        colours = [colour_of(game, word) for word in words]
        return ("orchard", tuple(colours)) if None not in colours else None

    def _tiles(self, game: Ladybird, state: State, words: Sequence[str]) -> Step | None:
        """`tiles S1:2h V2:m`."""
        names = {tile[0].lower(): tile[0] for tile in game.tiles}
        return ("tiles", tuple(names[word] for word in words)) if all(word in names for word in words) else None

    def _first(self, game: Ladybird, state: State, words: Sequence[str]) -> Step | None:
        """`first 0`, `first player 0`."""
        seat = words[-1]
        return ("first", int(seat)) if is_number(seat) and words[:-1] in ([], ["player"]) else None

    # Cards

    def _cards(self, game: Ladybird, words: Sequence[str]) -> tuple[str, ...]:
        """The cards that words name, `BLS` or `blue larva seven-spot`; none where they name anything else."""
        faces = {face.lower(): face for face in game.faces}
        cards: list[str] = []
        while words:
            card, used = self._spelt(game, words)   # first: red is a colour and may be a card, too
            if not used:
                card, used = faces.get(HARLEQUIN.lower() if words[0] == "harlequin" else words[0], ""), 1
            if card not in game.faces:
                return ()
            cards.append(card)
            words = words[used:]
        return tuple(cards)

    def _spelt(self, game: Ladybird, words: Sequence[str]) -> tuple[str, int]:
        """A card of which colour, state and type are written out, and how many words these are."""
        colour = colour_of(game, words[0])
        state = STATES.get(words[1]) if len(words) > 1 else None
        if colour is None or state is None:
            return "", 0
        letter = game.colour_letters[game.colours.index(colour)]
        types = {plain(name): sign for name, sign in zip(game.types, game.type_letters, strict=True)}
        types |= {sign.lower(): sign for sign in game.type_letters}
        for count in range(min(MOST_WORDS, len(words) - 2), 0, -1):
            sign = types.get(plain("".join(words[2 : 2 + count])))
            if sign:
                return letter + state + sign, 2 + count
        return "", 0

    # What lies there

    def _table(self, state: State) -> Table:
        """What the actor sees; where chance is to move, everybody."""
        return Table(state.game, state.view(state.actor))

    def _steps(self, game: Ladybird, state: State) -> list[Any]:
        """The possible actions, spelt out."""
        return [game.step(state, action) for action in state.legal_actions().tolist()]

    def _next_hand(self, state: State) -> int:
        """The seat whose hand is dealt next."""
        return sum(bool(hand["count"]) for hand in self._table(state).view["hands"])

    def _reason(self, game: Ladybird, state: State, step: Step) -> str:
        """Why the step cannot be made."""
        phase, table = game.phase(state), self._table(state)
        if phase in ("reveal", "place", "discard"):
            if phase == "place" and step[-1] == HARLEQUIN:
                return "a garden tile places no Harlequin"
            return f"the hand of player {state.actor} has {spaced(table.hand(state.actor))}"
        if phase == "draft":
            return self._undrafted(table, step)
        if phase in CHANCES:
            return self._unlikely(game, state, step)
        possible = ", ".join(self.format(state, action) for action in state.legal_actions().tolist())
        reasons = {
            "target": "the columns that can be invaded" if game.players > 1 else "the columns with cards",
            "bed": "colours without a flowerbed",
            "tile": "what can be used now",
            "card": "the cards that lie there",
            "feed": f"what can be taken with {table.tableaus[state.actor]['aphids']} aphids and the cards that lie there",
        }
        return f"{reasons[phase]}: {possible}"

    def _undrafted(self, table: Table, step: Step) -> str:
        """Why a card cannot be taken."""
        open_ = ", ".join(f"{slot} {table.pool[slot]}" for slot in table.draftable())
        unlocks = str(table.unlocks)
        if step[0] == "blind":
            return f"{'any card' if unlocks == ANY else plural(unlocks)} can be taken from the pool: {open_}"
        if table.pool[str(step[1])] is None:
            return f"{step[1]} is empty"
        blind = "" if unlocks == ANY or (unlocks in PLURALS and table.in_pool(unlocks)) else "draw"
        what = plural(unlocks) if unlocks in PLURALS else "nothing"
        return f"unlocked are {what} and Harlequins; expected {' or '.join(filter(None, (open_, blind)))}"

    def _unlikely(self, game: Ladybird, state: State, step: Step) -> str:
        """Why chance cannot do that."""
        kind, *example = game.step(state, state.copy().draw(0))
        count = len(example[-1]) if isinstance(example[-1], tuple) else 1
        many = "" if count == 1 else "s"
        if kind == "first":
            return f"expected a player, 0 to {game.players - 1}"
        if kind == "hand":
            return f"expected {count} cards of the deck for player {self._next_hand(state)}"
        if kind == "pool":
            slots = spaced(self._table(state).view["refill"][:count])
            return f"expected {count} card{many} of the deck, for {slots}"
        if kind == "orchard":
            return f"expected {count} card{many} of the orchard deck"
        if kind == "tiles":
            stacks = [str(i) for i, stack in enumerate(self._table(state).stacks, 1) if not stack["top"] and stack["below"]]
            return f"expected {count} tile{many} that nobody has seen yet, for stack{many} {spaced(stacks[:count])}"
        return f"expected {count} card{many} of the deck"


def colour_of(game: Ladybird, word: str) -> str | None:
    """The colour that a name or letter stands for."""
    names = {**dict(zip(game.colour_letters.lower(), game.colours, strict=True)), **{name.lower(): name for name in game.colours}}
    return names.get(word)


def is_number(word: str) -> bool:
    """Whether a word is a small number."""
    return re.fullmatch(r"[0-9]{1,4}", word) is not None


def plain(name: str) -> str:
    """A name as it is compared: `seven spot` is `Seven-spot`."""
    return name.lower().replace("-", "")


def without_commas(words: Iterable[str]) -> list[str]:
    """The words of what chance does; a player's moves may be separated by commas, so there they stay."""
    return " ".join(words).replace(",", " ").split()
