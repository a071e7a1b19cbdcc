"""How messages are printed."""

from __future__ import annotations

from collections.abc import Iterator

from server.answers.messages import AROUND
from truthsayer.v1 import common_pb2, verifier_pb2

WIDEST_LINE = 100
"""Of a longer line, so many characters around the place are shown."""


def problem_text(problem: common_pb2.Problem, indent: str = "") -> str:
    """A problem with its place, the line, the remedy and the rules."""
    return "\n".join(f"{indent}{_printable(line)}".rstrip() for line in _problem_lines(problem))


def _printable(line: str) -> str:
    """A line without what a terminal would obey: a file or an argument may hold anything."""
    return "".join(each if each.isprintable() else "\ufffd" for each in line)


def _problem_lines(problem: common_pb2.Problem) -> Iterator[str]:
    first, *more = problem.message.splitlines() or [""]
    yield f"{place_text(problem)}{problem.code}: {first}"
    yield from (f"  {line}" for line in more)
    if problem.text.strip():
        # The text begins at most so far before the column.
        line, caret = _window(problem.text, min(problem.column, AROUND + 1))
        yield f"  | {line}"
        yield f"  | {' ' * caret}^"
    if problem.help:
        first, *more = problem.help.splitlines()
        yield f"  help: {first}"
        yield from (f"        {line}" for line in more)
    for rule in problem.rules:
        yield f"  rule: {rule_text(rule)}"


def place_text(problem: common_pb2.Problem) -> str:
    """The place, as editors understand it, or nothing."""
    if not problem.file:
        return ""
    if not problem.line:
        return f"{problem.file}: "
    return f"{problem.file}:{problem.line}:{problem.column}: "


def rule_text(rule: common_pb2.RuleRef) -> str:
    """A rule and where it stands."""
    return f"{rule.id} ({rule.source})"


def verdict_word(verdict: common_pb2.Verdict.ValueType) -> str:
    """The verdict in a word."""
    return common_pb2.Verdict.Name(verdict).removeprefix("VERDICT_").lower()


def kind_word(kind: verifier_pb2.PropertyKind.ValueType) -> str:
    """The kind of a property in words."""
    name = verifier_pb2.PropertyKind.Name(kind).removeprefix("PROPERTY_KIND_")
    return name.lower().replace("_", " ")


def counted(number: int, noun: str) -> str:
    """A number of things, in good English."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _window(line: str, column: int) -> tuple[str, int]:
    """The part of a line around a column, nothing in it but what shows, and where the caret goes.

    A tab counts as one character, so it becomes one space.
    """
    shown = "".join(each if each.isprintable() else " " for each in line.rstrip())
    caret = min(max(column - 1, 0), len(shown))
    start = max(0, min(caret - WIDEST_LINE // 2, len(shown) - WIDEST_LINE))
    return shown[start : start + WIDEST_LINE], caret - start
