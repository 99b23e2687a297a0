"""Where measured figures come from (date, version, commit, machine, load), kept in one file with them."""

from __future__ import annotations

import json
import os
import platform
import shlex
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from garden_ai.files import write_text


def provenance(command: str) -> dict[str, Any]:
    """What a file of figures says of itself: asked for before the measuring, since `load` tells what else was going on.

    `command` is what a reader types to make the file again. `load` is the mean number of processes that wanted a core in the
    last minute, None where the system does not tell. `commit` is None outside a checkout, with a `+` where files differ from it.
    """
    from garden_ai import __version__

    return {
        "command": command,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "version": __version__,
        "commit": commit(),
        "machine": {
            "processor": processor(),
            "cores": os.cpu_count(),
            "system": f"{platform.system()} {platform.machine()}",
            "python": platform.python_version(),
            "load": load(),
        },
    }


def written(script: str, arguments: Sequence[str]) -> str:
    """A command as a reader would type it: files outside the checkout by their names alone, since they lie elsewhere for him."""
    return shlex.join(["python", script, *(Path(word).name if Path(word).is_absolute() else word for word in arguments)])


def write_figures(path: Path, answer: dict[str, Any]) -> None:
    """Writes JSON with a key a line, and lists with an entry a line, so that two versions of a file compare well."""
    lines = []
    for key, value in answer.items():
        entries = value if isinstance(value, list) else []
        text = "[\n" + ",\n".join(f"  {_dumped(entry)}" for entry in entries) + "\n ]" if entries else _dumped(value)
        lines.append(f" {_dumped(key)}: {text}")
    write_text(path, "{\n" + ",\n".join(lines) + "\n}\n")


def commit() -> str | None:
    """The commit of the checkout that the package runs from, shortened."""
    here = Path(__file__).parent
    try:
        # an environment may lie in a checkout without being of it
        for arguments in (["ls-files", "--error-unmatch", "__init__.py"], ["describe", "--always", "--exclude=*", "--dirty=+"]):
            done = subprocess.run(["git", *arguments], cwd=here, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def processor() -> str:
    """What the processor calls itself."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def load() -> float | None:
    """Processes that wanted a core, the mean of the last minute."""
    try:
        return round(os.getloadavg()[0], 2)
    except OSError:
        return None


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
