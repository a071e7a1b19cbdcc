"""What stands around a place in a scenario file, told by its words alone.

A line that is being typed cannot be read yet, so nothing here needs the file to be right.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from scenarios.imperium.names import vocabulary
from truthsayer.lsp.parts import Part

PRODUCT = "uprising"

GAME = re.compile(r"\s*game\s+\w+\s+with\s+(.*)")
PLAYER = re.compile(r"[^\W\d_a-z][\w'-]*")
FOR_ANY = re.compile(r"\s*for\s+any\s+(.*?)\s+from\b")
VARIABLE = re.compile(r"[a-z][a-z0-9_]*")
OWN_CARD = re.compile(
    r'\s*(?P<kind>card|intrigue|conflict|contract)\s+"(?P<name>[^"]*)"\s*(?:with\b|at\b|for\b|:)'
)
EXAMPLES = re.compile(r"\s*examples\s*$")


class OwnCard(NamedTuple):
    """A card that a scenario defines: its kind, its name and its line, counted from 0."""

    kind: str
    name: str
    line: int
    text: str


class Word(NamedTuple):
    """A word of a line, or several that are one name: `kind` is quoted, rule, name or word."""

    kind: str
    text: str
    start: int
    end: int


def players(part: Part) -> list[str]:
    """The players of a scenario."""
    return [name for line in _after(GAME, part) for name in PLAYER.findall(line)]


def variables(part: Part) -> list[str]:
    """The variables of `for any`."""
    return [name for line in _after(FOR_ANY, part) for name in VARIABLE.findall(line)]


def first_row(part: Part) -> dict[str, str]:
    """The columns of the table, and what its first row has in each."""
    lines = [line for _, line in part.numbered()]
    for number, line in enumerate(lines):
        if EXAMPLES.match(line):
            names, *rows = [_cells(each) for each in lines[number + 1 : number + 3]] or [[]]
            filled = [row for row in rows if len(row) == len(names)]
            return dict(zip(names, filled[0] if filled else names, strict=True))
    return {}


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def own_cards(part: Part) -> list[OwnCard]:
    """The cards that a scenario defines."""
    matched = ((number, line, OWN_CARD.match(line)) for number, line in part.numbered())
    return [
        OwnCard(found["kind"], found["name"], number, line.strip())
        for number, line, found in matched
        if found
    ]


def word_at(line: str, column: int) -> Word | None:
    """The word at a column, or that ends there."""
    for found in _words().finditer(line):
        if found.start() <= column <= found.end():
            kind = str(found.lastgroup)
            text = found[0].strip('"') if kind == "quoted" else " ".join(found[0].split())
            return Word(kind, text, *found.span())
    return None


@functools.cache
def _words() -> re.Pattern[str]:
    """The words of a line; the names of places and Factions may be several words long."""
    names = [
        name
        for kind, known in vocabulary(PRODUCT).names
        if kind in ("SPACE", "POST", "FACTION")
        for name in known
    ]
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    either = "|".join(re.escape(name).replace(r"\ ", r"[ \t]+") for name in longest_first)
    return re.compile(
        r'(?P<quoted>"[^"]*"?)'
        r"|(?P<rule>\b[A-Z]+(?:-[A-Z0-9]+)+)"
        rf"|(?P<name>\b(?:{either})(?![A-Za-z]))"
        r"|(?P<word>\w+)"
    )


def _after(pattern: re.Pattern[str], part: Part) -> list[str]:
    matched = (pattern.match(line) for _, line in part.numbered())
    return [found[1] for found in matched if found]
