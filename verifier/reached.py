"""The lint of rules and properties, applied to the functions that a proof reached.

What a symbolic value cannot notice (its type, its identity) is refused by what the text says.
"""

from __future__ import annotations

import ast
import functools
import itertools
import types
from collections.abc import Iterable, Iterator, MutableSet
from contextlib import contextmanager
from pathlib import Path

from verifier.dependencies import BY_FUNCTION
from verifier.first_calls import functions_in, noted
from verifier.import_time import imported_by, ran_before
from verifier.number_lint import Facts, Finding, check, check_property, gather, is_rule
from verifier.sources import ENGINE, VERIFIER, imported
from verifier.trusted import not_trusted

PROPERTIES = VERIFIER / "properties"
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


@contextmanager
def also_traced(seen: MutableSet[types.CodeType]) -> Iterator[None]:
    """Add to what was noted the functions around the rules that run inside the block.

    No proof is kept by them, one by one: they count as a whole.
    """
    with noted(_around_the_rules(), seen):
        yield


@functools.cache
def _around_the_rules() -> list[types.FunctionType]:
    folders = {file.parent for file, _ in _engine()} - {*BY_FUNCTION}
    return functions_in(tuple(folders))


def refused_in(seen: Iterable[types.CodeType]) -> str:
    """The first use that a proof cannot follow in what ran, with its place."""
    for code in seen:
        if found := _refused(code, imported().content.get(Path(code.co_filename), b"")):
            return found
    others = itertools.chain(_in_the_language(), _in_wrappers(), _before(_engine()))
    return next(map(_in_words, others), "")


@functools.cache
def _refused(code: types.CodeType, text: bytes) -> str:
    """The first such use in a function of a file with this text."""
    first, last = _lines(code)
    found = _findings(Path(code.co_filename), text)
    return next((_in_words(each) for each in found if first <= each.line <= last), "")


def _in_words(found: Finding) -> str:
    return f"{found.message} at {found.file}:{found.line}"


@functools.cache
def _findings(file: Path, text: bytes) -> tuple[Finding, ...]:
    """What the lint finds in a file of the engine or of properties; nothing in others."""
    if file.parent == PROPERTIES:
        return tuple(check_property(_tree(text), _told(file), _facts()))
    if not _is_engine(file):
        return ()
    name, tree = file.relative_to(ENGINE).as_posix(), _tree(text)
    found = check(tree, _told(file), _facts())
    return tuple(found if is_rule(name) else not_trusted(found, tree, name))


def _told(file: Path) -> str:
    # The engine of a twin is in a folder of its own.
    top = VERIFIER if file.is_relative_to(VERIFIER) else ENGINE
    return file.relative_to(top.parent).as_posix()


def _in_wrappers() -> Iterator[Finding]:
    """What the lint finds in functions inside functions of rules.

    What a decorator made is called, and the decorator itself ran long before.
    """
    for file, text in imported().content.items():
        if file.suffix == ".py" and file.is_relative_to(ENGINE) and _is_rule(file):
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
        if file.suffix == ".py" and file.is_relative_to(folder) and _is_rule(file)
        for found in _findings(file, text)
    )


def _engine() -> tuple[tuple[Path, bytes], ...]:
    """The files of the engine."""
    texts = imported().content.items()
    return tuple(each for each in texts if each[0].suffix == ".py" and _is_engine(each[0]))


@functools.cache
def _before(engine: tuple[tuple[Path, bytes], ...]) -> tuple[Finding, ...]:
    """What the lint finds in what ran before every proof, of the rules and what they import."""
    files = {file.relative_to(ENGINE).as_posix(): (file, text) for file, text in engine}
    trees = {name: _tree(text) for name, (_, text) in files.items()}
    needed = imported_by(filter(is_rule, trees), trees)
    lines = ran_before({name: trees[name] for name in needed}).lines
    return tuple(
        found
        for name in sorted(needed)
        for found in _findings(*files[name])
        if found.line in lines[name]
    )


@functools.cache
def _facts() -> Facts:
    return gather(_tree(text) for _, text in _engine())


@functools.cache
def _tree(text: bytes) -> ast.Module:
    return ast.parse(text)


def _is_engine(file: Path) -> bool:
    return file.is_relative_to(ENGINE)


def _is_rule(file: Path) -> bool:
    return is_rule(file.relative_to(ENGINE).as_posix())


@functools.cache
def _lines(code: types.CodeType) -> tuple[int, int]:
    """The first and the last line of a function, with all that is defined in it."""
    inner = [_lines(each) for each in code.co_consts if isinstance(each, types.CodeType)]
    lines = [line for _, _, line in code.co_lines() if line is not None]
    return min(code.co_firstlineno, *lines), max([*lines, *(last for _, last in inner)])
