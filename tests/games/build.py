"""Builds the Cython modules of this folder against the `garden_core` that is imported, wherever it is installed.

`import_module(name)` builds all of them once for each text of their sources, of the contract they are built against and
of this file; later processes find what an earlier one built.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType

import Cython
import garden_core
from garden_core.state import debug_build

HERE = Path(__file__).parent
SOURCES = sorted(HERE.glob("*.pyx"))
INCLUDE = Path(garden_core.__file__).absolute().parent.parent


def fingerprint() -> str:
    """Of all that decides what the built modules are."""
    text = hashlib.sha256()
    contract = sorted((INCLUDE / "garden_core").rglob("*.pxd"))
    for file in (*SOURCES, Path(__file__), *contract):
        text.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    build = (Cython.__version__, sys.version, sysconfig.get_config_var("EXT_SUFFIX"), debug_build(), sanitized())
    text.update(repr(build).encode())
    return text.hexdigest()[:16]


def sanitized() -> bool:
    return os.environ.get("GARDEN_SANITIZE", "0") not in ("", "0")


def cache_folder() -> Path:
    """A folder of this user's own among the temporary files; a fresh one where somebody else made it."""
    folder = Path(tempfile.gettempdir()) / f"garden-test-games-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        return Path(tempfile.mkdtemp(prefix="garden-test-games-"))
    return folder


@cache
def built() -> tuple[Path, str]:
    """The folder of the built modules, which is put on the path, and why it could not be built, if so."""
    target = cache_folder() / fingerprint()
    if not target.exists():
        # built aside and moved in one step, so that several processes may do this at the same time
        with tempfile.TemporaryDirectory(dir=target.parent) as aside:
            done = subprocess.run([sys.executable, __file__, aside], capture_output=True, text=True, check=False)
            if done.returncode:
                return target, f"{done.stdout}\n{done.stderr}"
            try:
                (Path(aside) / "modules").rename(target)
            except OSError:
                if not target.exists():
                    raise
    sys.path.append(str(target))
    return target, ""


def import_module(name: str) -> ModuleType:
    """One of the modules of this folder, built first if need be."""
    _, failure = built()
    if failure:
        raise RuntimeError(f"the test games cannot be built:\n{failure}")
    return importlib.import_module(name)


def main(folder: Path) -> None:
    """Builds into `folder`/modules; nothing is written beside the sources."""
    from Cython.Build import cythonize
    from setuptools import Extension, setup

    args = ["-O2", "-ffp-contract=off", "-Wno-unused-function", "-Wno-unreachable-code"]
    link = []
    if sanitized():
        link = ["-fsanitize=address,undefined"]
        args += ["-g", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", *link]
    if debug_build():
        args.append("-DGARDEN_DEBUG")
    os.chdir(folder)
    for source in SOURCES:
        Path(source.name).write_bytes(source.read_bytes())
    extensions = [
        Extension(source.stem, [source.name], extra_compile_args=args, extra_link_args=link) for source in SOURCES
    ]
    setup(
        name="garden-test-games",
        ext_modules=cythonize(
            extensions, include_path=[str(INCLUDE)], compiler_directives={"language_level": "3", "cdivision": True}
        ),
        script_args=["-q", "build_ext", "--build-lib", "modules", "--build-temp", "objects"],
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
