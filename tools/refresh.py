"""Makes again what the repository keeps of the program's own answers, after a change that means to alter them.

The outputs in the README's console blocks, the pictures in docs/images (one for each position there) and benchmarks/signature.
Run it with the Python of an environment that has garden-ai installed; `git diff` then shows what has changed.

    python tools/refresh.py [readme] [pictures] [signature]     all three, or only those named
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from garden_ai.bench import signature
from garden_ai.cli.output import svg_of
from garden_ai.position import read_position

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"


def refresh_readme() -> None:
    """Runs each `$ garden-ai ...` of the README beside the position it shows, and writes down what it prints."""
    text = README.read_text(encoding="utf-8")

    def answered(block: re.Match[str]) -> str:
        command = block[1]
        arguments = command.split()[2:]
        done = subprocess.run(
            [sys.executable, "-m", "garden_ai", *arguments], cwd=folder, check=True, capture_output=True, encoding="utf-8"
        )
        output = "\n".join(line.rstrip() for line in done.stdout.strip("\n").splitlines())
        return f"```console\n{command}\n{output}\n```"

    with tempfile.TemporaryDirectory() as folder:
        for name, content in re.findall(r"`([\w-]+\.json)`:\n\n```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            (Path(folder) / name).write_text(content, encoding="utf-8")
        text = re.sub(r"^```console\n(\$ garden-ai [^\n]*)\n.*?^```", answered, text, flags=re.MULTILINE | re.DOTALL)
    README.write_text(text, encoding="utf-8")


def picture(position: Path) -> str:
    """A position as `garden-ai show` draws it in a terminal of 80 columns, as an SVG."""
    game, state = read_position(position)
    return svg_of(game.picture(state.game, state.view(state.actor)), f"garden-ai show {position.name}", game.name)


def refresh_pictures() -> None:
    """Draws each position of docs/images."""
    for position in sorted((ROOT / "docs" / "images").glob("*.json")):
        position.with_suffix(".svg").write_text(picture(position), encoding="utf-8")


def refresh_signature() -> None:
    """Searches every game anew; this takes the longest."""
    (ROOT / "benchmarks" / "signature").write_text(f"{signature()}\n", encoding="utf-8")


PARTS = {"readme": refresh_readme, "pictures": refresh_pictures, "signature": refresh_signature}


def main() -> None:
    """The parts that are named, or everything."""
    parser = argparse.ArgumentParser(description="makes the README's outputs, the pictures and the signature again")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all without any")
    parts = parser.parse_args().parts
    for part in parts:
        if part not in PARTS:
            parser.error(f"expected one of {', '.join(PARTS)}; got {part!r}")
    for part in parts or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main()
