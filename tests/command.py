"""`garden-ai` as a test calls it: in this process, with its standard streams caught."""

import io
import sys
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

from garden_ai.cli import run


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str


def call(*arguments: str, stdin: bytes | str = b"") -> Answer:
    """What the command answers to these arguments and this standard input."""
    given = io.TextIOWrapper(io.BytesIO(stdin.encode() if isinstance(stdin, str) else stdin), encoding="utf-8")
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with ExitStack() as caught:
        caught.enter_context(patch.object(sys, "stdin", given))
        caught.enter_context(redirect_stdout(out))
        caught.enter_context(redirect_stderr(err))
        status = run([str(argument) for argument in arguments])
    return Answer(status, *(stream.buffer.getvalue().decode() for stream in (out, err)))


def refused(answer: Answer) -> str:
    """The message of an answer that must be an error: status 2, nothing printed, one line on standard error."""
    assert answer.status == 2, answer
    assert answer.out == "", answer
    assert answer.err.startswith("garden-ai: "), answer
    assert answer.err.count("\n") == 1, answer
    assert answer.err.endswith("\n"), answer
    return answer.err[len("garden-ai: ") : -1]
