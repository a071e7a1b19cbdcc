"""`truthsayer lsp`: the language server for editors."""

from __future__ import annotations

import logging
import sys

import click

from truthsayer.lsp.server import new_server
from truthsayer.version import installed_version


@click.command()
@click.pass_context
def lsp(ctx: click.Context) -> None:
    """Serve an editor: speak the Language Server Protocol on standard input and output.

    An editor starts this by itself, once it is told to do so for files ending in `.scenario`. It
    shows mistakes while you type and what fails after a pause, proves `for any` when you save,
    completes names and rules, shows cards and rules, goes to a rule's statement, and lays files
    out.

    \b
    Example:
      truthsayer lsp

    Exit code: 0 when the editor ends it, 1 when the editor is gone without that.
    """
    logging.basicConfig(stream=sys.stderr, format="%(asctime)s %(levelname)s %(message)s")
    server = new_server(installed_version() or "")
    server.start_io()
    ctx.exit(0 if server.asked_to_stop else 1)
