"""Makes the tables of a page of docs/ again, from the files in benchmarks/results; the text around them is written by hand.

    python tools/document.py [PAGE ...] [--check]     all pages, or only those named; with --check it only says what would change

A page holds each table between two comments, `<!-- begin NAME: ... -->` and `<!-- end NAME -->`. What stands between them is
`blocks()[NAME]` of the module `PAGE_page.py` beside this file; everything else of the page stays as it is.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import speed_page
import strength_page

ROOT = Path(__file__).resolve().parents[1]
PAGES: dict[str, Callable[[], Mapping[str, str]]] = {"speed": speed_page.blocks, "strength": strength_page.blocks}
BLOCK = re.compile(r"^(<!-- begin ([\w-]+)\b[^\n]*-->\n)(.*?)^(<!-- end \2 -->)$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"^<!-- (?:begin|end) ", re.MULTILINE)


def filled(text: str, blocks: Mapping[str, str]) -> str:
    """The page with each of its blocks made anew. Raises `ValueError` where a block has no place, or a place no block."""
    places = [found[2] for found in BLOCK.finditer(text)]
    if len(MARK.findall(text)) != 2 * len(places):
        raise ValueError("expected <!-- end NAME --> after every <!-- begin NAME: ... -->")
    if sorted(places) != sorted(blocks):
        raise ValueError(f"expected places for {', '.join(sorted(blocks))}, each once; got {', '.join(sorted(places))}")
    return BLOCK.sub(lambda found: f"{found[1]}\n{blocks[found[2]].strip()}\n\n{found[4]}", text)


def page_file(page: str) -> Path:
    """Where a page lies."""
    return ROOT / "docs" / f"{page}.md"


def made(page: str) -> str:
    """The page as it should be."""
    return filled(page_file(page).read_text(encoding="utf-8"), PAGES[page]())


def main() -> int:
    """The command; returns its exit status: 1 where --check finds a page that differs."""
    parser = argparse.ArgumentParser(description="makes the tables of docs/ again from benchmarks/results")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=f"{', '.join(PAGES)}; all without any")
    parser.add_argument("--check", action="store_true", help="change nothing, say what would change")
    given = parser.parse_args()
    for page in given.pages:
        if page not in PAGES:
            parser.error(f"expected one of {', '.join(PAGES)}; got {page!r}")
    status = 0
    for page in given.pages or PAGES:
        file = page_file(page)
        try:
            text = made(page)
        except (OSError, ValueError) as error:
            parser.error(f"docs/{page}.md: {error}")
        if text != file.read_text(encoding="utf-8"):
            print(f"docs/{page}.md {'differs' if given.check else 'made again'}")
            status = int(given.check)
            if not given.check:
                file.write_text(text, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
