"""Rulings in lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from rules_engine.rulebook.rulings import (
    Answer,
    NoChoice,
    Ruling,
    Settled,
    answers_about,
    answers_affecting,
)


def answer_lines(answer: Answer) -> Iterator[str]:
    """A ruling of any kind with all that is known of it."""
    yield answer.id
    yield wrapped(answer.question, "  ")
    yield from (wrapped(line, "    ") for line in _answers(answer))
    yield f"  authority: {answer.authority}"
    if isinstance(answer, Ruling | Settled) and answer.affects:
        yield wrapped(f"affects: {', '.join(answer.affects)}", "  ")
    if isinstance(answer, Settled) and answer.waits:
        yield f"  waits for: {answer.waits}"
    yield wrapped(f"rules: {', '.join(answer.rules)}", "  ")


def lines_under_a_rule(rule_id: str) -> Iterator[str]:
    """The rulings that belong to a rule: each question with its answers."""
    found = answers_about(rule_id)
    if found:
        yield "  rulings:"
    for each in found:
        yield wrapped(f"{each.id}: {each.question}", "    ")
        yield from (wrapped(line, "      ") for line in _answers(each))


def lines_under_a_thing(thing: str) -> Iterator[str]:
    """The rulings about something printed: open points with what we play, then settled answers."""
    found = answers_affecting(thing)
    if found:
        yield "  rulings:"
    for each in found:
        kind = "open point" if isinstance(each, Ruling) else "settled"
        yield wrapped(f"{kind} `{each.id}`: {each.question}", "    ")
        yield from (wrapped(line, "      ") for line in _played(each))


def _played(answer: Ruling | Settled) -> Iterator[str]:
    """What is played, by whose authority, and the other readings."""
    if isinstance(answer, Settled):
        yield answer.answer
        return
    played, *others = zip(answer.values, answer.says, strict=True)
    yield f"we play `{played[0]}`: {played[1]} (authority: {answer.authority})"
    yield from (f"other reading `{value}`: {says}" for value, says in others)


def _answers(answer: Answer) -> Iterator[str]:
    """What a ruling says: each reading, the one answer, or why there is no choice."""
    match answer:
        case Ruling():
            for value, says in zip(answer.values, answer.says, strict=True):
                default = " (default)" if value == answer.default else ""
                yield f"{value}{default}: {says}"
        case Settled():
            yield f"settled: {answer.answer}"
        case NoChoice():
            yield f"no choice: {answer.reason}"


def wrapped(text: str, indent: str) -> str:
    """A text in lines of at most 100 characters."""
    return textwrap.fill(
        text,
        100,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_on_hyphens=False,
    )
