"""`truthsayer explain`: what an error code means."""

from __future__ import annotations

import difflib
import json
import shutil
import textwrap

import click

from rules_engine.kernel.errors import TruthsayerError
from truthsayer.codes import CODES

WIDEST = 100
"""Longer lines are hard to read, however wide the terminal is."""

LONGEST_CODE = 20
"""What is longer resembles no code, and looking for one would take long."""


@click.command()
@click.argument("code", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def explain(code: str | None, as_json: bool) -> None:
    """Explain the CODE of an error, such as TS0104; without one, list all codes.

    \b
    Examples:
      truthsayer explain TS0104
      truthsayer explain
      truthsayer explain --json

    Exit code: 0, 2 if there is no such code.
    """
    if code is None:
        click.echo(_all_json() if as_json else _all_text())
        return
    known = _known(code)
    click.echo(_json(_code_json(known)) if as_json else _code_text(known))


def _known(code: str) -> str:
    """The code as the table writes it."""
    wanted = code.upper()
    if wanted not in CODES:
        near = difflib.get_close_matches(wanted[:LONGEST_CODE], CODES, n=1)
        raise TruthsayerError(
            "TS0717",
            f"no error code `{code}`",
            help=f"did you mean `{near[0]}`?" if near else "`truthsayer explain` lists them all",
        )
    return wanted


def _code_text(code: str) -> str:
    title, text = CODES[code]
    width = min(shutil.get_terminal_size().columns, WIDEST)
    lines = textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="  ")
    return "\n".join([f"{code}: {title}", "", *lines])


def _all_text() -> str:
    return "\n".join(f"{code}  {title}" for code, (title, _) in CODES.items())


def _code_json(code: str) -> dict[str, str]:
    title, text = CODES[code]
    return {"code": code, "title": title, "text": text}


def _all_json() -> str:
    return _json({"codes": [_code_json(code) for code in CODES]})


def _json(report: object) -> str:
    return json.dumps(report, indent=2, ensure_ascii=False)
