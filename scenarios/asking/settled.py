"""Settled rulings that an answer touches: about what it names, and by a rule behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import names
from rules_engine.rulebook.rulings import Settled, settled
from scenarios.asking.said import Part, Said
from scenarios.language.syntax import Line, Scenario

MOST_SETTLED = 2
"""How many are told below an answer."""

COMMON_WORDS = 2
"""How many words a question and a ruling have in common if they are about the same."""


def settled_parts(case: Scenario, line: Line, said: Said) -> tuple[Part, ...]:
    """The settled rulings about one thing that is named, the closest to the question first."""
    named = _named(case, line)
    found = [
        (_closeness(each, line, said), each)
        for each in settled().values()
        if not each.waits and len(each.affects) == 1 and each.affects[0] in named
    ]
    close = sorted((each for each in found if each[0]), key=lambda each: -each[0])
    return tuple(_part(each) for _, each in close[:MOST_SETTLED])


def _closeness(point: Settled, line: Line, said: Said) -> int:
    """How much a ruling has to do with a question: rules in common, and words that it asks in."""
    rules = len(set(point.rules) & set(said.rules))
    words = len(_words(point.question) & _words(line.written.text))
    return rules + (words if words >= COMMON_WORDS else 0)


def _words(text: str) -> set[str]:
    """The longer words of a question, without what it quotes."""
    return set(re.findall(r"[a-z]{4,}", re.sub(r'"[^"]*"', "", text.lower())))


def _part(point: Settled) -> Part:
    return Part(f"settled `{point.id}`: {point.question} {point.answer}", point.rules)


def _named(case: Scenario, line: Line) -> set[str]:
    """The ids of what the question names, and the decisions of the `when` before it."""
    quoted = {text.lower() for each in _lines(case, line) for text in _quoted(each)}
    return {id_ for id_, name in names(catalogue(case.product)).items() if name.lower() in quoted}


def _lines(case: Scenario, line: Line) -> Iterator[Line]:
    """The question, and back from it the `when` that it is about."""
    yield line
    before = [each for each in case.steps[: case.steps.index(line)] if each.section == "when"]
    for each in reversed(before):
        yield each
        if each.keyword == "when":
            return


def _quoted(line: Line) -> list[str]:
    return re.findall(r'"([^"]+)"', line.written.text)
