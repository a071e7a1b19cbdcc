"""`truthsayer serve`: answer over gRPC."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from server import serve as serve_until_signal
from server.addresses import masked
from server.settings import LogFormat, LogLevel, Settings, store_address
from truthsayer.cli.group import BAD_INPUT, tell

if TYPE_CHECKING:
    from server.configuring import Configured


SERVED = "rules, scenarios, proofs, conformance, engine, sessions"
"""The services, in words."""


@click.command()
@click.option(
    "--config", metavar="FILE", help="Settings, as TOML; TRUTHSAYER_CONFIG names one too."
)
@click.option("--check-config", is_flag=True, help="Show the settings, or every mistake, and exit.")
@click.option(
    "--listen",
    metavar="HOST:PORT",
    help=f"Where to listen; port 0 takes any that is free.  [default: {Settings().listen}]",
)
@click.option("--processes", type=int, metavar="N", help="Server processes that share the port.")
@click.option(
    "--store",
    metavar="ADDRESS",
    help="Where sessions are kept: a file, or postgresql://...  [default: in the user's data]",
)
@click.option("--tokens/--no-tokens", default=None, help="Whether every call needs a token.")
@click.option("--tls-certificate", metavar="FILE", help="Encrypt with this certificate (PEM).")
@click.option("--tls-key", metavar="FILE", help="The private key of the certificate (PEM).")
@click.option(
    "--tls-client-ca", metavar="FILE", help="Callers need a certificate of these authorities (PEM)."
)
@click.option(
    "--tls-elsewhere", is_flag=True, default=None, help="Something in front of it encrypts."
)
@click.option("--metrics", metavar="HOST:PORT", help="Where Prometheus finds figures.")
@click.option("--traces", metavar="URL", help="A collector of OpenTelemetry.")
@click.option("--log", type=click.Choice(get_args(LogFormat)), help="How the log is written.")
@click.option(
    "--log-level", type=click.Choice(get_args(LogLevel)), help="The least that is logged."
)
def serve(config: str | None, check_config: bool, **flags: object) -> None:
    """Answer over gRPC until stopped: rules, scenarios, proofs, conformance, engine, sessions.

    Commands that have --server HOST:PORT answer through it. What no flag says is read from the
    environment, such as TRUTHSAYER_LIMITS_SESSIONS, and then from the file.

    \b
    Examples:
      truthsayer serve
      truthsayer serve --listen 127.0.0.1:0
      truthsayer serve --config truthsayer.toml --check-config
      truthsayer check --server 127.0.0.1:50051

    Exit code: 0 when stopped (Ctrl-C or SIGTERM: calls in progress are finished first), 2 if it
    cannot listen or a setting is wrong.
    """
    from server.configuring import Misconfigured, configure, shown

    try:
        configured = configure(config, os.environ, _settings_of(flags))
    except Misconfigured as found:
        for each in found.mistakes:
            tell(each)
        sys.exit(BAD_INPUT)
    if check_config:
        click.echo(shown(configured))
        return
    serve_until_signal(
        configured.settings, on_ready=lambda address: _say_what_to_try(address, configured)
    )
    click.echo("stopped")


def _settings_of(flags: dict[str, object]) -> dict[str, object]:
    """The flags that were given, by the names of their settings."""
    return {
        name.replace("tls_", "tls."): value for name, value in flags.items() if value is not None
    }


def _say_what_to_try(address: str, configured: Configured) -> None:
    command = _own_command()
    click.echo(f"Truthsayer serves on {address}")
    click.echo(f"  services: {SERVED}; gRPC health and reflection")
    click.echo(f"  sessions are kept in {masked(store_address(configured.settings))}")
    for warning in configured.warnings:
        click.echo(f"  careful: {warning}")
    needed = _needed_options(configured.settings)
    click.echo(f"Try, in another terminal{' with ' + ' '.join(needed) if needed else ''}:")
    click.echo(f"  {command} check --server {address}")
    click.echo(f"  {command} rules UPR-WALL-003 --server {address}")
    click.echo(f"  {command} prove --server {address}")
    click.echo("Ctrl-C stops it.")


def _needed_options(settings: Settings) -> list[str]:
    """What a command needs beside --server."""
    options = {
        "--tls-ca FILE": settings.tls.certificate,
        "--client-certificate FILE --client-key FILE": settings.tls.client_ca,
        "--token TOKEN": settings.tokens,
    }
    return [option for option, is_needed in options.items() if is_needed]


def _own_command() -> str:
    """How this command was started, so that what we print can be pasted."""
    started = Path(sys.argv[0])
    if started.name != "__main__.py":
        return str(started)
    python, here = Path(sys.executable), Path.cwd()
    return f"{python.relative_to(here) if python.is_relative_to(here) else python} -m truthsayer"
