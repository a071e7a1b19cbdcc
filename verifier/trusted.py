"""The places around the rules that have to do what a rule may not, each with a reason.

Every other function of the engine that a proof runs is looked at like a rule. What is here is
trusted: a proof takes for granted that it is what it says.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from verifier.number_lint import Finding

IMPORT = ast.Import | ast.ImportFrom
SCOPE = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Trust(NamedTuple):
    """What a place may do, by the codes of the lint, and why."""

    codes: frozenset[str]
    why: str


def _may(codes: str, why: str) -> Trust:
    return Trust(frozenset(codes.split()), why)


OWN_DATA = _may("library", "reads the engine's own data, before any number is unknown")
OF_TEXT = _may("library caught order", "makes effects from text, before any number is unknown")
CONSTRUCTED = _may("method", "what is made gets what it holds, and nobody else has it yet")
TOLD = _may("method library", "an error in words, with what may have been meant")
COUNTS = _may("range", "what is counted up to is plain here, and a symbolic number would notice")

TRUSTED: dict[str, Trust] = {
    "catalogue/load.py:_read": OWN_DATA,
    "catalogue/load.py:products": OWN_DATA,
    "effects/parse.py:EffectError.__init__": CONSTRUCTED,
    "effects/parse.py:_ToTree": OF_TEXT,
    "effects/parse.py:_expected": OF_TEXT,
    "effects/parse.py:_parser": OF_TEXT,
    "effects/parse.py:_read": OF_TEXT,
    "effects/parse.py:_unreadable": OF_TEXT,
    "kernel/errors.py:Place.__str__": TOLD,
    "kernel/errors.py:TruthsayerError.__init__": CONSTRUCTED,
    "kernel/errors.py:TruthsayerError.__str__": TOLD,
    "kernel/errors.py:UnknownRead.__init__": CONSTRUCTED,
    "kernel/game.py:spelled_out": COUNTS,
    "kernel/numbers.py:pick": _may("inside", "the one place that asks a condition to pick"),
    "kernel/promised.py:promised": _may("inside", "reads what a class of records declares"),
    "kernel/records.py:": _may("library", "a copy of a record has its fields as they are"),
    "kernel/records.py:Record": _may("library", "records are msgspec's"),
    "kernel/views.py:_part": COUNTS,
    "kernel/views.py:_tag": _may("inside", "what a class of records says of itself"),
    "rulebook/index.py:Rule": OWN_DATA,
    "rulebook/index.py:UnknownRule.__init__": TOLD,
    "rulebook/index.py:_by_id": OWN_DATA,
    "rulebook/rulings.py:UnknownRuling.__init__": TOLD,
    "rulebook/rulings.py:_read": OWN_DATA,
}
"""By `file:function`, or `file:` for what is around the functions."""


def not_trusted(findings: Iterable[Finding], tree: ast.Module, file: str) -> Iterator[Finding]:
    """The findings in a file, other than a rule's, that are at no trusted place.

    A library that is imported is found again where it is used.
    """
    imports = {each.lineno for each in ast.walk(tree) if isinstance(each, IMPORT)}
    package = file.endswith("__init__.py")
    for each in findings:
        if each.line in imports and each.code == "library" and not package:
            continue
        trust = TRUSTED.get(place(each, tree, file))
        if trust is None or each.code not in trust.codes:
            yield each


def place(finding: Finding, tree: ast.Module, file: str) -> str:
    """The outermost function around a finding, as `file:Class.function`."""
    return f"{file}:{'.'.join(_around(finding.line, tree.body))}"


def _around(line: int, body: list[ast.stmt]) -> Iterator[str]:
    """The names of the function, or the class and its method, that a line is in."""
    for each in body:
        if isinstance(each, SCOPE) and each.lineno <= line <= (each.end_lineno or each.lineno):
            yield each.name
            if isinstance(each, ast.ClassDef):
                yield from _around(line, each.body)
