"""Builds the extension modules of `garden_core`, one for each `.pyx` under ext/; everything else is in pyproject.toml.

GARDEN_NATIVE=1   code for this very processor, faster and not portable
GARDEN_SANITIZE=1 address and undefined-behaviour sanitizers, and legality checked at every node
GARDEN_DEBUG=1    legality checked at every node
"""

import os
import platform
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

SOURCES = Path("ext/garden_core")
GENERATED = Path("build/c")  # C files stay out of the source tree and out of the wheel
STAMP = Path("build/flags")


def switched_on(name: str) -> bool:
    """Whether an environment variable asks for something."""
    return os.environ.get(name, "0") not in ("", "0")


def compile_args() -> list[str]:
    """The options of the C compiler for the build that the environment asks for."""
    # States are hashed and copied as bytes, so no strict aliasing. No contraction to fused multiply-add and no fast math:
    # every build rounds alike and gives the same signature.
    args = ["-O3", "-ffp-contract=off", "-fno-strict-aliasing", "-Wno-unused-function", "-Wno-unreachable-code"]
    if switched_on("GARDEN_NATIVE"):
        args.append("-march=native")
    elif platform.machine() in ("x86_64", "AMD64"):
        args.append("-march=x86-64-v2")
    if switched_on("GARDEN_SANITIZE"):
        args += ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
    if switched_on("GARDEN_SANITIZE") or switched_on("GARDEN_DEBUG"):
        args += ["-g", "-DGARDEN_DEBUG"]
    else:
        args.append("-g0")
    return args


def link_args() -> list[str]:
    """The options of the linker."""
    return ["-fsanitize=address,undefined"] if switched_on("GARDEN_SANITIZE") else []


def stamp() -> Path:
    """A file that changes when the options do: a module built with other options is never taken for up to date."""
    flags = " ".join([*compile_args(), *link_args()])
    if not STAMP.exists() or STAMP.read_text() != flags:
        STAMP.parent.mkdir(exist_ok=True)
        STAMP.write_text(flags)
    return STAMP


def extensions() -> list[Extension]:
    """An extension module for every `.pyx` file."""
    return [
        Extension(
            ".".join(source.relative_to(SOURCES.parent).with_suffix("").parts),
            [source.as_posix()],
            depends=[stamp().as_posix()],
            extra_compile_args=compile_args(),
            extra_link_args=link_args(),
        )
        for source in sorted(SOURCES.rglob("*.pyx"))
    ]


def generated() -> list[Extension]:
    """The extensions with their C files. One that comes out as it was keeps its time, so that it is not compiled again.

    Every build environment brings Cython's own declarations anew, which makes all C files look old.
    """
    before = {file: (file.read_bytes(), file.stat()) for file in GENERATED.rglob("*.c")}
    made = cythonize(
        extensions(),
        include_path=[SOURCES.parent.as_posix()],
        build_dir=GENERATED.as_posix(),
        nthreads=os.cpu_count() or 1,
        compiler_directives={
            "language_level": "3",
            "cdivision": True,  # C's own division; loops work on plain pointers, so bounds checks cost them nothing
            "embedsignature": True,
        },
    )
    for file, (content, status) in before.items():
        if file.exists() and file.read_bytes() == content:
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    return made


setup(ext_modules=generated(), options={"build_ext": {"parallel": os.cpu_count() or 1}})
