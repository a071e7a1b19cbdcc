"""Questions to the grammar: what could come next, and of what phrase it would be a part."""

from __future__ import annotations

import functools
import re
from collections import deque
from collections.abc import Iterator
from typing import Any

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from scenarios.imperium.names import vocabulary
from truthsayer.lsp.context import PRODUCT

MARK = '"?"'
"""Stands for the quoted text whose phrase is looked for."""

END = "$END"
MOST_CONTINUATIONS = 500


def accepted_after(head: str, rule: str) -> list[str]:
    """The kinds of word with which a line can go on; none if it is wrong up to here."""
    found = _fed(head, rule)
    return [] if found is None else sorted(found[0].accepts() - {END})


def words_of(kind: str) -> tuple[tuple[str, str], ...]:
    """The words of a kind of which there is a fixed number, and what they are."""
    return _fixed_words().get(kind, ())


def phrases_of_next(head: str, rule: str) -> frozenset[str]:
    """The phrases that a quoted text behind these words can belong to."""
    found = _fed(head, rule)
    return frozenset() if found is None else _phrases(rule, tuple(each.type for each in found[1]))


def _fed(head: str, rule: str) -> tuple[Any, list[Token]] | None:
    parser = vocabulary(PRODUCT).parser.parse_interactive(head, start=rule)
    try:
        return parser, parser.exhaust_lexer()
    except UnexpectedInput:
        return None


@functools.cache
def _fixed_words() -> dict[str, tuple[tuple[str, str], ...]]:
    known = vocabulary(PRODUCT)
    names = {
        kind: tuple((name, kind.lower().replace("_", " ")) for name in found)
        for kind, found in known.names
    }
    plain = {
        terminal.name: tuple(_plain_words(terminal.pattern.value))
        for terminal in known.parser.terminals
    }
    return {**plain, **names}


def _plain_words(pattern: str) -> Iterator[tuple[str, str]]:
    """The words that a pattern stands for, if it is one word or a choice of some."""
    choice = re.fullmatch(r"(?:\(\?:)?([A-Za-z|]+)\)?", pattern)
    if choice:
        yield from ((word, "keyword") for word in choice[1].split("|"))


@functools.cache
def _phrases(rule: str, kinds: tuple[str, ...]) -> frozenset[str]:
    """Finish the line in every way that the grammar knows, and see what the text is a part of.

    Lines that leave the parser in the same state end alike, so each state is followed once.
    """
    parser: Any = vocabulary(PRODUCT).parser.parse_interactive("", start=rule)
    for kind in kinds:
        parser.feed_token(Token(kind, kind))
    if "STRING" not in parser.accepts():
        return frozenset()
    parser.feed_token(Token("STRING", MARK))
    waiting = deque([parser])
    seen: set[tuple[Any, ...]] = set()
    found: set[str] = set()
    while waiting and len(seen) < MOST_CONTINUATIONS:
        line = waiting.popleft()
        for kind in sorted(line.accepts()):
            longer = line.copy()
            read = longer.feed_token(Token(kind, kind))
            state = tuple(longer.parser_state.state_stack)
            if kind == END:
                found |= _phrases_with_mark(read, str(read.data))
            elif state not in seen:
                seen.add(state)
                waiting.append(longer)
    return frozenset(found)


def _phrases_with_mark(words: Tree[Token], phrase: str) -> set[str]:
    """The phrase that the mark is in; a list of cards belongs to the phrase around it."""
    own = phrase if words.data in ("cards", "at_least") else str(words.data)
    found = {own} if MARK in words.children else set()
    inner = (child for child in words.children if isinstance(child, Tree))
    return found.union(*(_phrases_with_mark(child, own) for child in inner))
