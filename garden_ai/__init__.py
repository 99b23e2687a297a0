"""garden-ai: an opponent, a move adviser and a measuring bench for modern garden board games.

>>> import garden_ai
>>> state = garden_ai.load("leelawadee", players=2).start(seed=7)
>>> state.actor in (0, 1)
True
"""

from garden_core.fields import FieldError
from garden_core.state import Game, State

from garden_ai.analysis import Analysis, Move
from garden_ai.loading import load
from garden_ai.search import analyse

__version__ = "0.1.0"

ALL = -2
CHANCE = -1
PUBLIC = -1
TERMINAL = -2

__all__ = [
    "ALL", "CHANCE", "PUBLIC", "TERMINAL", "Analysis", "FieldError", "Game", "Move", "State", "__version__", "analyse", "load",
]
