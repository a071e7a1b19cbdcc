"""Rulings in lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from rules_engine.rulebook.rulings import Answer, NoChoice, Ruling, Settled, answers_about


def answer_lines(answer: Answer) -> Iterator[str]:
    """A ruling of any kind with all that is known of it."""
    yield answer.id
    yield _wrapped(answer.question, "  ")
    yield from (_wrapped(line, "    ") for line in _answers(answer))
    yield f"  authority: {answer.authority}"
    if isinstance(answer, Settled) and answer.affects:
        yield _wrapped(f"affects: {', '.join(answer.affects)}", "  ")
    if isinstance(answer, Settled) and answer.waits:
        yield f"  waits for: {answer.waits}"
    yield _wrapped(f"rules: {', '.join(answer.rules)}", "  ")


def lines_under_a_rule(rule_id: str) -> Iterator[str]:
    """The rulings that belong to a rule: each question with its answers."""
    found = answers_about(rule_id)
    if found:
        yield "  rulings:"
    for each in found:
        yield _wrapped(f"{each.id}: {each.question}", "    ")
        yield from (_wrapped(line, "      ") for line in _answers(each))


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


def _wrapped(text: str, indent: str) -> str:
    return textwrap.fill(text, 100, initial_indent=indent, subsequent_indent=f"{indent}  ")
