"""Which functions use a table or a constant of a module: whoever runs them reaches it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from truthsayer.mutation.checks import Place
from truthsayer.mutation.mutants import RULES, TOP


class _Named(NamedTuple):
    """A function or a statement of a module: where it begins, what it names and is named."""

    place: Place
    name: str
    is_function: bool
    mentions: frozenset[str]


@functools.cache
def _everything() -> tuple[_Named, ...]:
    return tuple(each for file in sorted((TOP / RULES).glob("*.py")) for each in _in_file(file))


def _in_file(file: Path) -> Iterator[_Named]:
    where = file.relative_to(TOP).as_posix()
    for node in ast.parse(file.read_bytes()).body:
        mentions = frozenset(_mentioned(node))
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue
        if not isinstance(node, ast.FunctionDef):
            yield _Named((where, node.lineno), _name(node), False, mentions)
        for inner in ast.walk(node):
            if isinstance(inner, ast.FunctionDef | ast.Lambda):
                decorators = getattr(inner, "decorator_list", ())
                line = min([inner.lineno, *(each.lineno for each in decorators)])
                yield _Named((where, line), "", True, frozenset(_mentioned(inner)))


def _mentioned(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr


def _name(node: ast.stmt) -> str:
    match node:
        case ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case _:
            return "module"


@functools.cache
def users(name: str) -> frozenset[Place]:
    """The functions that use a name of a module, or a table in which it is used."""
    names, before = {name}, 0
    while len(names) > before:
        before = len(names)
        names |= {each.name for each in _everything() if names & each.mentions and each.name}
    return frozenset(
        each.place for each in _everything() if each.is_function and names & each.mentions
    )
