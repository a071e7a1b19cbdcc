"""The one canonical layout of a scenario file. It moves blanks and nothing else."""

from __future__ import annotations

import re

from scenarios.imperium.names import vocabulary
from scenarios.language.errors import error_of
from scenarios.language.read import Reader
from scenarios.language.statements import JOINERS, SECTIONS, lines_of


def format_text(file: str, text: str) -> str:
    """The file in canonical layout; a file that cannot be read is left alone with its error."""
    reader = Reader(file, text, vocabulary("uprising"))
    reader.read()
    if reader.problems:
        raise error_of(reader.problems[0])
    return "\n".join(_layout(lines_of(text))) + "\n"


def _layout(lines: list[str]) -> list[str]:
    out: list[str] = []
    section = ""
    table: list[str] = []
    for line in [*(each.strip() for each in lines), ""]:
        if table and not line.startswith("|"):
            out += _table(table)
            table = []
        if line.startswith("|"):
            table.append(line)
            continue
        word = line.split(None, 1)[0] if line else ""
        section = word if word in SECTIONS else "" if word == "scenario" else section
        if line or (out and out[-1]):
            out.append(_clause(word, line, section))
    while out and not out[-1]:
        out.pop()
    return out


def _clause(word: str, line: str, section: str) -> str:
    """`and` and `but` end where the section's own word ends."""
    if not line or line.startswith("#"):
        return line
    shown = _spaced(line)
    return " " * (len(section) - len(word)) + shown if word in JOINERS else shown


WORD = re.compile(
    r"""
      "[^"]*"?                      # a name or an effect, left as it is
    | <[a-z][a-z0-9_]*>             # a column
    | [^\W\d_a-z][\w'.-]*          # a player, a place, a rule
    | [a-z][a-z0-9_]* | [0-9]+
    | >= | <= | != | \S
    """,
    re.VERBOSE,
)


def _spaced(line: str) -> str:
    """One blank between words, and none before a comma or a colon; an id is one word."""
    words = line.split() if line.split(None, 1)[0] == "id" else WORD.findall(line)
    return "".join(word if word in (",", ":") else f" {word}" for word in words).lstrip()


def _table(rows: list[str]) -> list[str]:
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    columns = max(len(row) for row in cells)
    widths = [max(len(row[at]) if at < len(row) else 0 for row in cells) for at in range(columns)]
    return [
        "  | " + " | ".join(cell.ljust(widths[at]) for at, cell in enumerate(row)) + " |"
        for row in cells
    ]
