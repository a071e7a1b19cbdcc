"""What all commands share: the packages are ours, and no error ends in a traceback."""

from __future__ import annotations

import errno
import os
import secrets
import sys
import traceback
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).parents[2]
"""Where this distribution is installed."""

PACKAGES = ("rules_engine", "scenarios", "verifier", "server")

BAD_INPUT = 2
INTERRUPTED = 130


class Commands(click.Group):
    """A group of commands that tells every error in plain words."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run, once the packages are known to be ours."""
        for stream in (sys.stdout, sys.stderr):
            # A terminal that cannot show a character gets a question mark, not a crash.
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        for name in PACKAGES:
            stranger = foreign(name)
            if stranger:
                click.echo(stranger, err=True)
                sys.exit(BAD_INPUT)
        return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what it raises is told, and ends with the right exit code."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
            ctx.exit(INTERRUPTED)
        except Exception as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise  # the reader of our output has gone; click knows what to do
            tell(error)
            ctx.exit(BAD_INPUT)


def foreign(name: str, root: Path = ROOT) -> str:
    """Nothing if the package is ours, else what to say."""
    spec = find_spec(name)
    places = list(spec.submodule_search_locations or ()) if spec else []
    if [Path(place).resolve() for place in places] == [(root / name).resolve()]:
        return ""
    found = places[0] if places else "nowhere"
    return (
        f"TS0701: the package `{name}` is not Truthsayer's (found: {found}): "
        "look at PYTHONPATH, or install Truthsayer into an environment of its own"
    )


def tell(error: Exception) -> None:
    """Say what is wrong: a known error with its place and remedy, any other in one line."""
    from rules_engine.kernel.errors import TruthsayerError
    from server.answers.messages import problem
    from truthsayer.cli.show import problem_text
    from truthsayer.errors import ServiceError

    if isinstance(error, TruthsayerError):
        click.echo(problem_text(problem(error)), err=True)
    elif isinstance(error, ServiceError):
        click.echo(problem_text(error.problem), err=True)
    else:
        if os.environ.get("TRUTHSAYER_DEBUG"):
            traceback.print_exception(error)
        mark = secrets.token_hex(4)
        kind = type(error).__name__
        click.echo(
            f"TS0710: unexpected fault {mark} ({kind}): please report it with what "
            "TRUTHSAYER_DEBUG=1 shows",
            err=True,
        )
