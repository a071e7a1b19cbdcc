"""Where the word under the cursor is defined: a rule, a ruling, a card of the file's own."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from scenarios.imperium.names import lower_snake
from truthsayer.lsp.context import own_cards, word_at
from truthsayer.lsp.parts import part_at

ID_OF_RULING = re.compile(r'\s*id\s*=\s*"([^"]+)"')
RULINGS = ("open_points", "settled")


class Defined(NamedTuple):
    """A line, counted from 0, of a file of ours; of the document itself if there is no file."""

    file: Path | None
    line: int


def definition(lines: Sequence[str], line: int, column: int) -> Defined | None:
    """Where the word at a place is defined."""
    word = word_at(lines[line], column)
    if word is None:
        return None
    if word.kind == "quoted":
        wanted = lower_snake(word.text)
        own = [card for card in own_cards(part_at(lines, line)) if lower_snake(card.name) == wanted]
        return Defined(None, own[0].line) if own else None
    known = {"rule": _rules, "word": _rulings}.get(word.kind)
    return known().get(word.text) if known else None


@functools.cache
def _rules() -> dict[str, Defined]:
    """The line of every rule."""
    return {
        json.loads(line)["id"]: Defined(file, number)
        for file in _files("rules", "jsonl")
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines())
    }


@functools.cache
def _rulings() -> dict[str, Defined]:
    """The line of every ruling's name."""
    return {
        found[1]: Defined(file, number)
        for folder in RULINGS
        for file in _files(folder, "toml")
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines())
        if (found := ID_OF_RULING.match(line))
    }


def _files(folder: str, ending: str) -> list[Path]:
    """The files of a folder of the rulebook, if they are files and not in an archive."""
    place = Path(str(resources.files("rules_engine.rulebook") / folder))
    return sorted(place.glob(f"*.{ending}"))
