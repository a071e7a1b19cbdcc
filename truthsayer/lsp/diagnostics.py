"""Problems as editors show them: underlined at the word, with what to do and the rules behind."""

from __future__ import annotations

import re

from lsprotocol import types

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.rulebook.index import rule
from scenarios.results import Problem
from truthsayer.lsp.documents import Document

WORD = re.compile(r'"[^"]*"|<[^<>\s]*>|[^\s,:"]+|\S')

UNDECIDED = "TS0123"
"""The verifier could not settle it, which is no mistake."""


def diagnostic(document: Document, problem: Problem) -> types.Diagnostic:
    """A problem at its word."""
    line = min(max(problem.line - 1, 0), len(document.lines) - 1)
    warns = problem.code == UNDECIDED
    return types.Diagnostic(
        range=document.span(line, *word_at(document.lines[line], problem.column - 1)),
        message="\n".join(_message(problem)),
        severity=types.DiagnosticSeverity.Warning if warns else types.DiagnosticSeverity.Error,
        code=problem.code,
        source="truthsayer",
    )


def word_at(line: str, column: int) -> tuple[int, int]:
    """Where the word at a column begins and ends; beyond the end, the last character is taken."""
    found = WORD.match(line, max(column, 0))
    if found is not None:
        return found.span()
    end = len(line[: max(column, 0)].rstrip())
    return max(end - 1, 0), end


def _message(problem: Problem) -> list[str]:
    helped = [f"help: {problem.help}"] if problem.help else []
    return [problem.message, *helped, *map(_rule_text, problem.rules)]


def _rule_text(rule_id: str) -> str:
    try:
        return f"rule: {rule_id} ({rule(rule_id).source()})"
    except TruthsayerError:
        return f"rule: {rule_id}"
