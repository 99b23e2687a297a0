"""The command `garden-ai`: one file a command, gathered here. Only this package prints.

Every error is one line on standard error and exit status 2; an interrupt ends with 130, a closed pipe silently with 1.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import typer
from garden_core.fields import FieldError

from garden_ai.cli import apply, bench, games, hint, ladder, legal, match, new, play, schema, score, show
from garden_ai.cli.output import report

app = typer.Typer(
    name="garden-ai",
    help="An opponent, a move adviser and a measuring bench for modern garden board games.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("games")(games.command)
app.command("new")(new.command)
app.command("show")(show.command)
app.command("legal")(legal.command)
app.command("apply")(apply.command)
app.command("score")(score.command)
app.command("hint")(hint.command)
app.command("play")(play.command)
app.command("match", cls=match.MatchCommand)(match.command)
app.command("ladder")(ladder.command)
app.command("bench")(bench.command)
app.command("schema")(schema.command)

USAGE_STATUS = 2
INTERRUPTED = 130
PIPE_CLOSED = 1


@app.callback(invoke_without_command=True)
def _start(context: typer.Context, version: bool = typer.Option(False, "--version", help="Print the version.")) -> None:
    if version:
        from garden_ai import __version__

        print(f"garden-ai {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


def main() -> None:
    """Runs the command with the arguments of the process."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit status."""
    try:
        # lists of moves in another encoding than UTF-8 lose a mark, never the whole answer
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        status = app(args=list(arguments), prog_name="garden-ai", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except FieldError as error:
        report(str(error))
    except BrokenPipeError:
        _close_quietly()
        return PIPE_CLOSED
    except OSError as error:
        _close_quietly()
        report(f"standard output: {error.strerror or error}")
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as error:
        # typer's own usage errors; what class they are differs between its versions
        usage = getattr(error, "format_message", None)
        if usage is None:
            raise
        report(usage())
    return USAGE_STATUS


def _close_quietly() -> None:
    """What cannot be written any more must not be tried again when the process ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        return
