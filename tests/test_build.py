"""What an installation holds, and that others can build on it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from importlib.util import find_spec
from pathlib import Path

import garden_core
import pytest

import garden_ai

CHECKOUT = Path(__file__).parents[1]
SOURCES = {"garden_core": CHECKOUT / "ext" / "garden_core", "garden_ai": CHECKOUT / "garden_ai"}
INSTALLED = {package.__name__: Path(package.__file__).parent for package in (garden_core, garden_ai)}
READ_AS_THEY_ARE = ("*.py", "*.pyi", "*.pxd", "*.toml", "py.typed")  # by Python, type checkers, Cython and the games
MODULES = sorted(
    ".".join(file.relative_to(CHECKOUT / "ext").with_suffix("").parts) for file in SOURCES["garden_core"].rglob("*.pyx")
)
DECLARATIONS = sorted(
    ".".join(file.relative_to(CHECKOUT / "ext").with_suffix("").parts)
    for file in SOURCES["garden_core"].rglob("*.pxd")
    if file.stat().st_size
)
ARCHIVED = (
    *("ext", "garden_ai", "tests", "benchmarks", "docs", "tools"),
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "MANIFEST.in", "pyproject.toml", "setup.py"),
)
MADE = (".*", "__pycache__", "*.so", "*.c")


def files_of(folder: Path, *patterns: str) -> set[str]:
    return {str(file.relative_to(folder)) for pattern in patterns for file in folder.rglob(pattern) if file.is_file()}


@pytest.mark.parametrize("package", SOURCES)
def test_everything_that_is_read_is_installed(package: str) -> None:
    assert files_of(SOURCES[package], *READ_AS_THEY_ARE) <= files_of(INSTALLED[package], *READ_AS_THEY_ARE)
    assert (INSTALLED[package] / "py.typed").exists()


@pytest.mark.parametrize("module", MODULES)
def test_every_module_is_compiled_and_typed(module: str) -> None:
    found = find_spec(module)
    assert found is not None
    assert found.origin is not None
    assert found.origin.endswith(".so")
    assert Path(found.origin).with_name(module.rpartition(".")[2] + ".pyi").exists()


def test_others_can_cimport_every_declaration(tmp_path: Path) -> None:
    lines = [f"cimport {module}" for module in DECLARATIONS]
    lines += [
        "from garden_core.rules cimport CHANCE, Loaded, Rules, apply_node",
        "from garden_core.state cimport Game, State",
        "cdef class Outside(Game):",
        "    def actor(self, State state):",
        "        return self.loaded.rules.actor(self.loaded.tables, state.data)",
    ]
    (tmp_path / "outside.pyx").write_text("\n".join(lines) + "\n")
    include = INSTALLED["garden_core"].parent
    subprocess.run(
        [sys.executable, "-m", "cython", "-3", "-Werror", "-I", str(include), "outside.pyx"], cwd=tmp_path, check=True
    )
    assert (tmp_path / "outside.c").exists()


def test_source_archive_holds_what_a_build_needs(tmp_path: Path) -> None:
    copy = tmp_path / "checkout"
    copy.mkdir()
    for name in ARCHIVED:
        if (CHECKOUT / name).is_dir():
            shutil.copytree(CHECKOUT / name, copy / name, ignore=shutil.ignore_patterns(*MADE))
        else:
            shutil.copy(CHECKOUT / name, copy / name)
    written = files_of(copy, "*")
    build = "import sys; from setuptools import build_meta; print(build_meta.build_sdist(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", build, str(tmp_path)], cwd=copy, check=True, capture_output=True, text=True
    )
    with tarfile.open(tmp_path / done.stdout.split()[-1]) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert written - held == set()
    assert not [name for name in held if name.endswith((".so", ".c", ".pyc"))]
