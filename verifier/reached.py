"""The lint of rules and properties, applied to the functions that a proof reached.

What a symbolic value cannot notice (its type, its identity) is refused by what the text says.
"""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Iterable, Iterator
from pathlib import Path

from verifier.number_lint import (
    NOT_RULES,
    RULE_FOLDERS,
    Facts,
    Finding,
    check,
    check_property,
    gather,
)
from verifier.sources import ENGINE, VERIFIER, imported

PROPERTIES = VERIFIER / "properties"
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def refused_in(seen: Iterable[types.CodeType]) -> str:
    """The first use that a proof cannot follow in the functions that ran, with its place."""
    for code in seen:
        file = Path(code.co_filename)
        for found in _findings(file, imported().content.get(file, b"")):
            first, last = _lines(code)
            if first <= found.line <= last:
                return _in_words(found)
    return next((_in_words(found) for found in (*_in_the_language(), *_in_wrappers())), "")


def _in_words(found: Finding) -> str:
    return f"{found.message} at {found.file}:{found.line}"


@functools.cache
def _findings(file: Path, text: bytes) -> tuple[Finding, ...]:
    """What the lint finds in a file of rules or properties; nothing in others."""
    if file.parent == PROPERTIES:
        return tuple(check_property(ast.parse(text), _told(file), _facts()))
    if not file.is_relative_to(ENGINE):
        return ()
    name = file.relative_to(ENGINE).as_posix()
    if name.split("/")[0] not in RULE_FOLDERS or name in NOT_RULES:
        return ()
    return tuple(check(ast.parse(text), _told(file), _facts()))


def _told(file: Path) -> str:
    # The engine of a twin is in a folder of its own.
    top = VERIFIER if file.is_relative_to(VERIFIER) else ENGINE
    return file.relative_to(top.parent).as_posix()


def _in_wrappers() -> Iterator[Finding]:
    """What the lint finds in functions inside functions of rules.

    What a decorator made is called, and the decorator itself ran long before.
    """
    for file, text in imported().content.items():
        if file.suffix == ".py" and file.is_relative_to(ENGINE):
            yield from _within(file, text)


@functools.cache
def _within(file: Path, text: bytes) -> tuple[Finding, ...]:
    found = _findings(file, text)
    inner = [
        range(each.lineno, (each.end_lineno or each.lineno) + 1)
        for outer in ast.walk(ast.parse(text) if found else ast.Module([], []))
        if isinstance(outer, FUNCTION)
        for each in ast.walk(outer)
        if each is not outer and isinstance(each, FUNCTION)
    ]
    return tuple(each for each in found if any(each.line in lines for lines in inner))


@functools.cache
def _in_the_language() -> tuple[Finding, ...]:
    """What the lint finds in the effect language, which every proof may run."""
    folder = ENGINE / "effects"
    return tuple(
        found
        for file, text in imported().content.items()
        if file.suffix == ".py" and file.is_relative_to(folder)
        for found in _findings(file, text)
    )


@functools.cache
def _facts() -> Facts:
    texts = imported().content.items()
    engine = (text for file, text in texts if file.suffix == ".py" and file.is_relative_to(ENGINE))
    return gather(map(ast.parse, engine))


@functools.cache
def _lines(code: types.CodeType) -> tuple[int, int]:
    """The first and the last line of a function, with all that is defined in it."""
    inner = [_lines(each) for each in code.co_consts if isinstance(each, types.CodeType)]
    lines = [line for _, _, line in code.co_lines() if line is not None]
    return min(code.co_firstlineno, *lines), max([*lines, *(last for _, last in inner)])
