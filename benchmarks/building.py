"""Builds Cython modules outside the package against the `garden_core` that is imported, wherever it is installed.

`import_module(name, folder)` builds all modules of a folder once for each text of their sources, of the contract they are
built against and of this file, with the options of setup.py; later processes find what an earlier one built.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import platform
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import garden_core
from garden_core.state import debug_build

INCLUDE = Path(garden_core.__file__).absolute().parent.parent


def sources(folder: Path) -> list[Path]:
    """The modules of a folder."""
    return sorted(folder.glob("*.pyx"))


def switched_on(name: str) -> bool:
    """Whether an environment variable asks for something, as setup.py reads it."""
    return os.environ.get(name, "0") not in ("", "0")


def options() -> tuple[list[str], list[str]]:
    """The options of the C compiler and of the linker: those of setup.py, checks where `garden_core` has them."""
    compiler = ["-O3", "-ffp-contract=off", "-fno-strict-aliasing", "-Wno-unused-function", "-Wno-unreachable-code"]
    linker = []
    if switched_on("GARDEN_NATIVE"):
        compiler.append("-march=native")
    elif platform.machine() in ("x86_64", "AMD64"):
        compiler.append("-march=x86-64-v2")
    if switched_on("GARDEN_SANITIZE"):
        linker = ["-fsanitize=address,undefined"]
        compiler += ["-g", "-O1", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", *linker]
    if debug_build():
        compiler.append("-DGARDEN_DEBUG")
    return compiler, linker


def fingerprint(folder: Path) -> str:
    """Of all that decides what the built modules are."""
    text = hashlib.sha256()
    contract = sorted((INCLUDE / "garden_core").rglob("*.pxd"))
    for file in (*sources(folder), Path(__file__), *contract):
        text.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    build = (version("cython"), sys.version, sysconfig.get_config_var("EXT_SUFFIX"), platform.node(), options())
    text.update(repr(build).encode())
    return text.hexdigest()[:16]


def cache_folder() -> Path:
    """A folder of this user's own among the temporary files; a fresh one where somebody else made it."""
    folder = Path(tempfile.gettempdir()) / f"garden-games-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        return Path(tempfile.mkdtemp(prefix="garden-games-"))
    return folder


@cache
def built(folder: Path) -> str:
    """Puts the built modules of a folder on the path; answers why they could not be built, if so."""
    target = cache_folder() / fingerprint(folder)
    if not target.exists():
        # built aside and moved in one step, so that several processes may do this at the same time
        with tempfile.TemporaryDirectory(dir=target.parent) as aside:
            command = [sys.executable, __file__, str(folder), aside]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                return f"{done.stdout}\n{done.stderr}"
            try:
                (Path(aside) / "modules").rename(target)
            except OSError:
                if not target.exists():
                    raise
    sys.path.append(str(target))
    return ""


def import_module(name: str, folder: Path) -> ModuleType:
    """One of the modules of a folder, built first if need be."""
    failure = built(folder)
    if failure:
        raise RuntimeError(f"the modules in {folder} cannot be built:\n{failure}")
    return importlib.import_module(name)


def main(folder: Path, aside: Path) -> None:
    """Builds a folder's modules into `aside`/modules; nothing is written beside the sources."""
    from setuptools import Extension, setup

    cythonize: Any = importlib.import_module("Cython.Build").cythonize
    compiler, linker = options()
    os.chdir(aside)
    for source in sources(folder):
        Path(source.name).write_bytes(source.read_bytes())
    extensions = [
        Extension(source.stem, [source.name], extra_compile_args=compiler, extra_link_args=linker) for source in sources(folder)
    ]
    setup(
        name="garden-outside",
        ext_modules=cythonize(
            extensions, include_path=[str(INCLUDE)], compiler_directives={"language_level": "3", "cdivision": True}
        ),
        script_args=["-q", "build_ext", "--build-lib", "modules", "--build-temp", "objects"],
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
