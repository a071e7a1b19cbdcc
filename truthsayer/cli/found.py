"""How the results of a search are printed."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from truthsayer.cli.show import rule_text
from truthsayer.v1 import rules_pb2

WIDTH = 100


def found_text(found: rules_pb2.SearchResponse) -> str:
    """What there is about a question: rules and rulings in full, the rest by name."""
    parts = ["\n".join(_answer_lines(each)) for each in found.answers]
    if found.printed:
        parts.append("\n".join(["printed:", *(_thing_line(each) for each in found.printed)]))
    if found.scenarios:
        parts.append("\n".join(["scenarios:", *(_scenario_line(each) for each in found.scenarios)]))
    return "\n\n".join(parts)


def found_json(question: str, found: rules_pb2.SearchResponse) -> dict[str, Any]:
    """The same as data."""
    return {
        "question": question,
        "answers": [_answer_json(each) for each in found.answers],
        "printed": [
            {"kind": each.kind, "id": each.id, "name": each.name} for each in found.printed
        ],
        "scenarios": [
            {"title": each.title, "file": each.file, "line": each.line} for each in found.scenarios
        ],
    }


def rule_json(rule: rules_pb2.Rule) -> dict[str, Any]:
    """A rule with all that it has."""
    return {
        "id": rule.id,
        "title": rule.title,
        "statement": rule.statement,
        "source": rule.source,
        "fallback": rule.fallback,
        "products": list(rule.products),
        "modes": list(rule.modes),
    }


def _answer_lines(found: rules_pb2.FoundAnswer) -> Iterator[str]:
    if found.HasField("rule"):
        yield f"{found.rule.id}  {found.rule.title}"
        yield _wrapped(found.rule.statement)
        yield _wrapped(f"source: {found.rule.source}")
        return
    ruling = found.ruling
    yield f"ruling {ruling.name}"
    yield _wrapped(ruling.question)
    for number, reading in enumerate(ruling.readings):
        default = "" if number else " (default)"
        yield _wrapped(f"{reading.value}{default}: {reading.says}", "    ")
    if ruling.answer:
        yield _wrapped(ruling.answer, "    ")
    yield _wrapped(f"authority: {ruling.authority}")
    yield _wrapped(f"rules: {', '.join(rule_text(rule) for rule in ruling.rules)}")


def _answer_json(found: rules_pb2.FoundAnswer) -> dict[str, Any]:
    if found.HasField("rule"):
        return {"rule": rule_json(found.rule)}
    ruling = found.ruling
    return {
        "ruling": {
            "id": ruling.name,
            "question": ruling.question,
            "values": {reading.value: reading.says for reading in ruling.readings},
            "answer": ruling.answer,
            "authority": ruling.authority,
            "rules": [{"id": rule.id, "source": rule.source} for rule in ruling.rules],
        }
    }


def _thing_line(found: rules_pb2.FoundThing) -> str:
    return f"  {found.name} ({found.kind}: {found.id})"


def _scenario_line(found: rules_pb2.LibraryScenario) -> str:
    return f"  {found.title} ({found.file}:{found.line})"


def _wrapped(text: str, indent: str = "  ") -> str:
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")
