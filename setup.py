"""Builds the extension modules of `garden_core`; everything else is in pyproject.toml.

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


def switched_on(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


def compile_args() -> list[str]:
    # No fused multiply-add by contraction and no fast math: every build rounds alike and gives the same bench signature.
    args = ["-O3", "-ffp-contract=off", "-Wno-unused-function", "-Wno-unreachable-code"]
    if switched_on("GARDEN_NATIVE"):
        args.append("-march=native")
    elif platform.machine() in ("x86_64", "AMD64"):
        args.append("-march=x86-64-v2")
    if switched_on("GARDEN_SANITIZE"):
        args += ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
    if switched_on("GARDEN_SANITIZE") or switched_on("GARDEN_DEBUG"):
        args.append("-DGARDEN_DEBUG")
    return args


def link_args() -> list[str]:
    return ["-fsanitize=address,undefined"] if switched_on("GARDEN_SANITIZE") else []


def extensions() -> list[Extension]:
    found = []
    for source in sorted(SOURCES.rglob("*.pyx")):
        module = ".".join(source.relative_to("ext").with_suffix("").parts)
        found.append(
            Extension(module, [source.as_posix()], extra_compile_args=compile_args(), extra_link_args=link_args())
        )
    return found


setup(
    ext_modules=cythonize(
        extensions(),
        include_path=["ext"],
        nthreads=os.cpu_count() or 1,
        compiler_directives={
            "language_level": "3",
            "cdivision": True,   # C's own division; loops work on plain pointers, so bounds checks cost them nothing
            "embedsignature": True,
        },
    )
)
