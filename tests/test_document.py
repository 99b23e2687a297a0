"""`tools/document.py`: the pages in docs/ hold what it makes of the results files, and it keeps what is written by hand."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = """By hand.

<!-- begin one: by tools/document.py -->
{one}<!-- end one -->

More.
<!-- begin two: x -->
{two}<!-- end two -->
"""


@pytest.fixture
def tool(monkeypatch):
    """A module of tools/ by its name."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return importlib.import_module


def test_pages_are_what_the_results_make_of_them():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "document.py", "--check"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_results_say_where_they_come_from(tool):
    tables = tool("tables")
    assert tables.results("speed")["results"]
    assert tables.results("nothing of that name") == {}


@pytest.mark.parametrize(("text", "message"), [("{", "bad.json: "), ('{"results": []}', "bad.json: expected command, date")])
def test_results_of_another_form_are_refused(tool, tmp_path, monkeypatch, text, message):
    monkeypatch.setattr(tool("tables"), "RESULTS", tmp_path)
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(ValueError, match=message):
        tool("tables").results("bad")


def test_blocks_are_made_anew_and_the_rest_is_kept(tool):
    filled = tool("document").filled
    once = filled(PAGE.format(one="old\n", two=""), {"one": "| new |\n", "two": r"back\1slash"})
    assert once == PAGE.format(one="\n| new |\n\n", two="\nback\\1slash\n\n")
    assert filled(once, {"one": "| new |\n", "two": r"back\1slash"}) == once


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        (PAGE, {"one": ""}),
        (PAGE, {"one": "", "two": "", "three": ""}),
        (PAGE.replace("end two", "end three"), {"one": "", "two": ""}),
        (PAGE + PAGE, {"one": "", "two": ""}),
    ],
)
def test_blocks_and_places_must_agree(tool, text, blocks):
    with pytest.raises(ValueError, match="expected"):
        tool("document").filled(text.format(one="", two=""), blocks)


def test_numbers_as_people_read_them(tool):
    tables = tool("tables")
    assert [tables.number(value) for value in (0, 0.12345, 12.345, 99.96, 234.5, 1234567)] == [
        "0", "0.123", "12.3", "100", "234", "1,230,000"
    ]
    row = {"name": "x", "rate": 2000, "rate_spread": [1950, 2030], "bytes": 208}
    assert tables.with_spread(row, "rate") == "2,000 ±2%"
    assert tables.with_spread(row, "bytes") == "208"
    assert tables.with_spread(row, "missing") == ""


def test_every_figure_of_the_bench_has_a_place(tool):
    """A row that the bench gains is seen on the page, too."""
    from garden_ai import bench

    page = tool("speed_page")
    shown = {what for columns in (page.SEARCHES, page.PARTS, page.THREADS, page.MEMORY) for _, what, _ in columns}
    assert shown == {row.name.split("/")[0] for row in bench.rows()}


@pytest.mark.parametrize("arguments", [["nothing"], ["--nothing"]])
def test_document_refuses(arguments):
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "document.py", *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "nothing" in done.stderr
