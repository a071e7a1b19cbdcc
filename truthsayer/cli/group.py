"""What all commands share: the packages are ours, and no error ends in a traceback."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import traceback
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeGuard

import click

ROOT = Path(__file__).parents[2]
"""Where this distribution is installed."""

PACKAGES = ("rules_engine", "scenarios", "verifier", "conformance", "server")

BAD_INPUT = 2
INTERRUPTED = 130


class Commands(click.Group):
    """A group of commands that tells every error in plain words."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run; output that the system does not take is told, too."""
        for stream in (sys.stdout, sys.stderr):
            # A terminal that cannot show a character gets a question mark, not a crash. A process
            # can be started without a stream.
            if stream is not None:
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        try:
            return self._run(*args, **kwargs)
        except OSError as error:
            _drop_output()
            with contextlib.suppress(OSError):
                tell(error)
            sys.exit(BAD_INPUT)

    def _run(self, *args: Any, **kwargs: Any) -> Any:
        """Run, once the packages are known to be ours."""
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
            if _is_of_output(error):
                raise
            tell(error)
            ctx.exit(BAD_INPUT)


def _is_of_output(error: Exception) -> TypeGuard[OSError]:
    """Whether printing failed. What fails with a file names the file."""
    return isinstance(error, OSError) and error.errno is not None and error.filename is None


def _drop_output() -> None:
    """What is not written yet goes nowhere, so that Python does not fail again on leaving."""
    with contextlib.suppress(OSError, ValueError), open(os.devnull, "w") as nowhere:
        for stream in (sys.stdout, sys.stderr):
            try:
                if stream is not None:
                    stream.flush()
            except OSError:
                os.dup2(nowhere.fileno(), stream.fileno())


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

    if _is_of_output(error):
        error = TruthsayerError(
            "TS0713",
            f"cannot write the output: {str(error.strerror).lower()}",
            help="see that there is room for it, or send it elsewhere",
        )
    if isinstance(error, ImportError) and (error.name or "").split(".")[0] == "z3":
        error = TruthsayerError(
            "TS0503",
            f"Z3, the solver, cannot be loaded: {error}",
            help="install it with `pip install z3-solver`",
        )
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
