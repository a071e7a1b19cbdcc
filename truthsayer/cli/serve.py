"""`truthsayer serve`: answer over gRPC."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import click

from server import DEFAULT_ADDRESS
from server import serve as serve_until_signal

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@click.command()
@click.option(
    "--listen",
    metavar="HOST:PORT",
    default=DEFAULT_ADDRESS,
    show_default=True,
    help="Where to listen; port 0 takes any that is free.",
)
def serve(listen: str) -> None:
    """Answer over gRPC until stopped: engine, scenarios, rules and proofs, health and reflection.

    Every other command answers through it when given --server HOST:PORT.

    \b
    Examples:
      truthsayer serve
      truthsayer serve --listen 127.0.0.1:0
      truthsayer check --server 127.0.0.1:50051

    Exit code: 0 when stopped (Ctrl-C or SIGTERM: calls in progress are finished first), 2 if it
    cannot listen.
    """
    logging.basicConfig(stream=sys.stderr, format="%(asctime)s %(levelname)s %(message)s")
    serve_until_signal(listen, on_ready=_say_what_to_try)
    click.echo("stopped")


def _say_what_to_try(address: str) -> None:
    host = address.rpartition(":")[0]
    command = _own_command()
    click.echo(f"Truthsayer serves on {address}")
    click.echo("  services: rules, scenarios, proofs, engine; gRPC health and reflection")
    if host not in LOOPBACK:
        click.echo("  careful: whoever reaches this port can use it, nothing is encrypted")
    click.echo("Try, in another terminal:")
    click.echo(f"  {command} check --server {address}")
    click.echo(f"  {command} rules UPR-WALL-003 --server {address}")
    click.echo(f"  {command} prove --server {address}")
    click.echo("Ctrl-C stops it.")


def _own_command() -> str:
    """How this command was started, so that what we print can be pasted."""
    started = Path(sys.argv[0])
    if started.name != "__main__.py":
        return str(started)
    python, here = Path(sys.executable), Path.cwd()
    return f"{python.relative_to(here) if python.is_relative_to(here) else python} -m truthsayer"
