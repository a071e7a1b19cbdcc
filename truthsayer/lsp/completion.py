"""What could stand at the cursor: the words with which the grammar lets the line go on.

The line up to the cursor is fed to the parser, which says what kinds of word it accepts next; each
kind is then filled with what the scenario, the catalogue and the rulebook have of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rules_engine.catalogue.load import catalogue
from rules_engine.rulebook.index import rules
from rules_engine.rulebook.rulings import rulings, settled
from scenarios.imperium.names import PRODUCTS, Names
from scenarios.language.statements import (
    DEFINITIONS,
    HEADERS,
    JOINERS,
    PARAMETER,
    SECTIONS,
    STARTERS,
)
from scenarios.language.unread import LONGEST_NAME
from scenarios.names_check import CARDS
from truthsayer.lsp import context
from truthsayer.lsp.context import PRODUCT
from truthsayer.lsp.grammar import accepted_after, phrases_of_next, words_of
from truthsayer.lsp.parts import Part, part_at

WORD_START = re.compile(r"(?<![^\s,:])(?=[^\s,:])")
RULING_NAME = re.compile(r"(ruling|depends\s+on\s+ruling)\s+$")
RULING_VALUE = re.compile(r"ruling\s+(\w+)\s+is\s+$")


class Completion(NamedTuple):
    """A text that could stand between two columns of the line; `kind` says what it is."""

    text: str
    kind: str
    start: int
    end: int
    detail: str = ""


class Candidate(NamedTuple):
    """Something with which a line could go on."""

    text: str
    kind: str
    detail: str = ""


def completions(lines: Sequence[str], line: int, column: int) -> list[Completion]:
    """Everything that could stand at a place and begins with what is typed already."""
    before, after = lines[line][:column], lines[line][column:]
    word, *more = before.split(None, 1) or [""]
    if word.startswith(("#", "|")):
        return []
    if not word or (not more and not before.endswith((" ", "\t"))):
        start = column - len(word)
        starters = (Candidate(each, "keyword") for each in STARTERS)
        return list(_fitting(starters, word, start, column))
    rule, skipped = _rule_of_line(lines, line, word)
    if not rule:
        return []
    typed_at = before.index(word) + skipped
    typed, part = before[typed_at:], part_at(lines, line)
    if typed.count('"') % 2:
        return _in_quotes(typed, after, rule, part, typed_at)
    return list(_plain(typed, rule, part, typed_at))


def _rule_of_line(lines: Sequence[str], line: int, word: str) -> tuple[str, int]:
    """The grammar's rule for a line that begins with a word, and how much of the line it skips."""
    if word in HEADERS or word in DEFINITIONS:
        return "header", 0
    section = word
    if word in JOINERS:
        above = (each.split(None, 1)[:1] for each in reversed(lines[:line]))
        first_words = (words[0] for words in above if words)
        section = next((each for each in first_words if each in (*SECTIONS, "scenario")), "")
    return SECTIONS.get(section, ""), len(word)


def _in_quotes(typed: str, after: str, rule: str, part: Part, typed_at: int) -> list[Completion]:
    """The names that a quoted text can be; the quotation is closed if it is not yet."""
    quote = typed.rindex('"')
    closed = after.count('"') % 2 == 1
    start, end = typed_at + quote + 1, typed_at + len(typed)
    rest = after.index('"') if closed else 0
    names = _card_names(typed[:quote], rule, part)
    found = _fitting(names, typed[quote + 1 :], start, end + rest)
    return [each if closed else each._replace(text=f'{each.text}"') for each in found]


def _plain(typed: str, rule: str, part: Part, typed_at: int) -> Iterator[Completion]:
    """Words and names outside quotes. A name may have several words, some of them typed."""
    starts = [found.start() for found in WORD_START.finditer(typed)][-LONGEST_NAME:]
    if not typed or typed[-1] in " \t,:":
        starts.append(len(typed))
    cells = context.first_row(part)
    for start in starts:
        # The words of a row stand where its columns are named.
        head = PARAMETER.sub(lambda found: cells.get(found[1], found[0]), typed[:start])
        tail = typed[start:]
        accepted = accepted_after(head, rule)
        candidates = [
            candidate for kind in accepted for candidate in _of_kind(kind, head, rule, part)
        ]
        candidates += [Candidate(f"<{name}>", "column") for name in cells if accepted]
        yield from _fitting(candidates, tail, typed_at + start, typed_at + len(typed))


def _fitting(
    candidates: Iterable[Candidate], typed: str, start: int, end: int
) -> Iterator[Completion]:
    for each in dict.fromkeys(candidates):
        if each.text.lower().startswith(typed.lower()):
            yield Completion(each.text, each.kind, start, end, each.detail)


def _of_kind(kind: str, head: str, rule: str, part: Part) -> Iterable[Candidate]:
    """What there is of a kind of word."""
    match kind:
        case "NAME":
            return (Candidate(name, "player") for name in context.players(part))
        case "STRING":
            names = _card_names(head, rule, part)
            return (name._replace(text=f'"{name.text}"') for name in names)
        case "RULE":
            return (
                Candidate(each.id, "rule", each.title)
                for each in rules()
                if PRODUCT in each.products
            )
        case "WORD":
            return _words(head, part)
    return (Candidate(text, found) for text, found in words_of(kind))


def _words(head: str, part: Part) -> Iterator[Candidate]:
    """Words that are written small: rulings and their readings, games, tags, variables."""
    value = RULING_VALUE.match(head)
    if value:
        chosen = rulings().get(value[1])
        pairs = zip(chosen.values, chosen.says, strict=True) if chosen else ()
        yield from (Candidate(name, "value", says) for name, says in pairs)
    elif RULING_NAME.match(head):
        yield from (Candidate(each.id, "ruling", each.question) for each in rulings().values())
    elif head.startswith("tags"):
        yield from (Candidate(each.id, "ruling", each.question) for each in settled().values())
    elif head.startswith("game"):
        yield from (Candidate(name, "game") for name in PRODUCTS)
    else:
        yield from (Candidate(name, "variable") for name in context.variables(part))


def _card_names(head: str, rule: str, part: Part) -> list[Candidate]:
    """The names that can stand in quotes after the words of a line."""
    phrases = phrases_of_next(head, rule)
    kinds = dict.fromkeys(kind for phrase in phrases for kind in CARDS.get(phrase, ()))
    own = [Candidate(card.name, card.kind, "defined here") for card in context.own_cards(part)]
    printed = Names(catalogue(PRODUCT))
    return [
        *(card for card in own if card.kind in kinds),
        *(Candidate(name, kind) for kind in kinds for name in printed.known(kind)),
    ]
