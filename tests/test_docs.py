"""What the documentation shows is true: its positions and records are read, its commands run, its output compared.

A JSON block is a file, named by the last `name.json` or `name.jsonl` in the text just before it. The commands of a page
run in a folder with its files, in order, in a shell. `...` in an output stands for anything, and times for each other;
a command without output need only succeed, and one whose output is an error line must fail with status 2.
"""

import doctest
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from garden_ai.games import definition
from garden_ai.games.leelawadee.schema import EXAMPLE
from garden_ai.position import parse_position, position_schema
from garden_ai.record import parse_record, record_schema

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("docs/**/*.md"), ROOT / "README.md"])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"`([\w-]+\.jsonl?)`")
TIME = re.compile(r"\bin \d+\.\d+ s\b")  # no two runs take equally long
SECONDS = 120


def blocks(page, *languages):
    """(the text before it, the content) of every block in one of the languages."""
    text = page.read_text(encoding="utf-8")
    return [(text[: found.start()], found[2]) for found in BLOCK.finditer(text) if found[1] in languages]


def paragraph(before):
    return before.rstrip().rsplit("\n\n", 1)[-1]


def files(page):
    """The files a page shows, by name."""
    found = {}
    for before, content in blocks(page, "json", "jsonl"):
        names = NAME.findall(paragraph(before))
        if names:
            found[names[-1]] = content
    return found


def commands(page):
    """(command, expected output) of every console block, in order."""
    for _, content in blocks(page, "console"):
        for part in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


@pytest.fixture
def folder(tmp_path):
    """A folder with `garden-ai` on the path, the one under test."""
    programs = tmp_path / "programs"
    programs.mkdir()
    program = programs / "garden-ai"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m garden_ai "$@"\n')
    program.chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "PYTHONIOENCODING": "utf-8"}
    environment.pop("COLUMNS", None)
    return work, environment


def prepared(page, folder):
    work, environment = folder
    for name, content in files(page).items():
        (work / name).write_text(content, encoding="utf-8")
    return {
        "cwd": work,
        "env": environment,
        "text": True,
        "encoding": "utf-8",
        "stdin": subprocess.DEVNULL,
        "timeout": SECONDS,
        "check": False,
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_json_blocks_are_what_they_seem(page):
    for _, content in blocks(page, "json", "jsonl"):
        if '"garden-ai record"' in content:
            record = parse_record(content)
            for line in record.lines():
                Draft202012Validator(record_schema(record.definition)).validate(line)
        elif '"garden-ai position"' in content and "X" not in content:
            game, _ = parse_position(content)
            assert Draft202012Validator(position_schema(game))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_do_what_is_shown(page, folder):
    kinds = prepared(page, folder)
    checker = doctest.OutputChecker()
    for command, expected in commands(page):
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **kinds
        )
        assert done.returncode == (2 if expected.startswith("garden-ai: ") else 0), (command, done.stdout)
        if expected:
            got, wanted = (TIME.sub("in ... s", text) for text in (done.stdout, expected))
            assert checker.check_output(wanted, got, doctest.ELLIPSIS), f"$ {command}\n{done.stdout}"


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name)
def test_python_blocks(page, folder):
    kinds = prepared(page, folder)
    script = kinds["cwd"] / "page.txt"
    script.write_text("\n".join(content for _, content in blocks(page, "python")), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "doctest", str(script)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **kinds
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_example_of_the_documentation_is_that_of_the_game():
    assert json.loads(files(ROOT / "docs/games/leelawadee.md")["example.json"]) == EXAMPLE
    assert definition("leelawadee").example is EXAMPLE
