"""The Cython modules of this folder, built by what builds the games of benchmarks/."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "benchmarks"))  # pytest has it on its path already, scripts need not

import building  # noqa: E402


def built() -> str:
    """Builds the modules if need be; answers why they could not be built, if so."""
    return building.built(HERE)


def import_module(name: str) -> ModuleType:
    """One of the modules of this folder, built first if need be."""
    return building.import_module(name, HERE)
