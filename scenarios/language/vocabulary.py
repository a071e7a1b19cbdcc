"""A product's grammar: the core of the language, the product's words, and its names."""

from __future__ import annotations

import functools
import re
from importlib import resources
from typing import Any

from lark import Lark

from scenarios.language.syntax import Words

Names = tuple[tuple[str, tuple[str, ...]], ...]
"""The kinds of name that a product has, each with the names of that kind."""

STARTS = ("header", "state", "action", "outcome", "question")

REMEMBERED = 4096
"""How many lines are kept as they were read: many lines of many files are the same."""

LONGEST_REMEMBERED = 200


class Vocabulary:
    """A product's grammar and the names in it."""

    def __init__(self, words: str, names: Names) -> None:
        self.parser = _grammar(words, names)
        self.names = names
        self.said_of_each = _said_of_each(self.parser)
        self._remembered = functools.lru_cache(REMEMBERED)(self._read)

    def read(self, text: str, start: str) -> Words:
        """The words of one line, read by a rule of the grammar. Nobody may change what is read."""
        if len(text) > LONGEST_REMEMBERED:
            return self._read(text, start)
        return self._remembered(text, start)

    def _read(self, text: str, start: str) -> Words:
        return self.parser.parse(text, start=start)

    def accepted_after(self, text: str, start: str) -> list[str]:
        """The kinds of word with which a line could go on, or that it could end."""
        so_far: Any = self.parser.parse_interactive(text, start=start)
        so_far.exhaust_lexer()
        return sorted(so_far.accepts())

    def plain_words(self, kind: str) -> list[str]:
        """The words that a terminal stands for, if it is made of plain words."""
        if kind in SLOTS or any(kind == known for known, _ in self.names):
            return []
        for terminal in self.parser.terminals:
            if terminal.name == kind:
                pattern = terminal.pattern.value.replace("(?:", "(")
                return re.findall(r"[A-Za-z]{2,}|[,:+=<>-]", pattern)
        return []


def _said_of_each(parser: Lark) -> frozenset[str]:
    """Phrases that can be about some players, and as well about nobody: then they deny of each."""
    begin: dict[str, set[str]] = {}
    for rule in parser.rules:
        for first in rule.expansion[:1]:
            begin.setdefault(str(rule.alias), set()).add(first.name)
    return frozenset(alias for alias, kinds in begin.items() if {"who", "NOBODY"} <= kinds)


def _grammar(product_words: str, names: Names) -> Lark:
    """A clash between two words is an error here, when the grammar is built."""
    core = resources.files("scenarios.language").joinpath("core.lark").read_text("utf-8")
    terminals = "\n".join(_terminal(kind, words) for kind, words in names)
    return Lark(
        f"{core}\n{product_words}\n{terminals}\n",
        parser="lalr",
        start=list(STARTS),
        keep_all_tokens=True,
        maybe_placeholders=False,
    )


def _terminal(kind: str, words: tuple[str, ...]) -> str:
    """A terminal that reads any of these names, the longest first, with any blanks between."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    pattern = "|".join(re.escape(word).replace(r"\ ", r"[ \t]+") for word in longest_first)
    priority = 5 + max(word.count(" ") for word in words)
    return f"{kind}.{priority}: /({pattern})(?![A-Za-z])/"


SLOTS = {
    "STRING": 'a name in quotes, like "Dagger"',
    "NUMBER": "a number",
    "NAME": "a player, whose name begins with a capital letter",
    "RULE": "a rule id, like UPR-WALL-003",
    "WORD": "a word",
    "ID": "an id",
    "$END": "the end of the line",
}
"""Words of which there are any number, as they are shown to a person."""
