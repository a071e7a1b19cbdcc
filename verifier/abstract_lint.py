"""A lint that leaves abstract classes where types are written down.

`Sized` or `Iterable` looks for methods, so it tells a symbolic value from a plain one. A rule may
promise such a type, and make others from it, but it hands none to anybody.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import TypeGuard

from verifier.syntax import nodes_of
from verifier.unseen_lint import Use

ABSTRACT = {"collections.abc", "typing"}
"""The libraries that have such classes."""


def abstract_classes(tree: ast.Module) -> Iterator[Use]:
    """Every place of a module where an abstract class is more than a type that is written down."""
    names, libraries = {*_names(tree)}, {*_libraries(tree)}
    fine = {id(part) for node in nodes_of(tree) for each in _types(node) for part in _parts(each)}
    for node in nodes_of(tree):
        if isinstance(node, ast.Name) and node.id in names and id(node) not in fine:
            yield Use(node, "type", f"`{node.id}` may tell a symbolic value from a plain one")
        elif _is_of(node, libraries) and id(node) not in fine:
            yield Use(node, "type", "an abstract class tells a symbolic value from a plain one")


def _names(tree: ast.Module) -> Iterator[str]:
    for node in nodes_of(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ABSTRACT:
            yield from (each.asname or each.name for each in node.names)


def _libraries(tree: ast.Module) -> Iterator[str]:
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            yield from (each.asname or each.name for each in node.names if each.name in ABSTRACT)
            # `import collections` has the other, too.
            yield from ("collections.abc" for each in node.names if each.name == "collections")
        elif isinstance(node, ast.ImportFrom) and node.module == "collections":
            yield from (each.asname or each.name for each in node.names if each.name == "abc")


def _types(node: ast.AST) -> Iterator[ast.AST]:
    """Where types are written down, or something is made from them."""
    match node:
        case ast.arg(annotation=says) | ast.AnnAssign(annotation=says):
            if says is not None:
                yield says
        case ast.FunctionDef(returns=ast.expr() as says):
            yield says
        case ast.ClassDef(bases=bases):
            yield from bases
        case ast.Call(func=ast.Name() | ast.Attribute() as func) if _dotted(func):
            yield func
        case ast.Subscript(value=ast.Name() | ast.Attribute() as generic) if _dotted(generic):
            yield node
        case ast.Attribute(value=value) if _dotted(value):
            # What is asked of a library is looked at as a whole.
            yield value


def _is_of(node: ast.AST, libraries: Collection[str]) -> TypeGuard[ast.Attribute]:
    """Whether something is asked of one of the libraries."""
    return isinstance(node, ast.Attribute) and _dotted(node.value) in libraries


def _dotted(node: ast.expr) -> str:
    """A name with dots, or nothing if it is something else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name) if outer := _dotted(value):
            return f"{outer}.{name}"
    return ""


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """What belongs to a type that is written down: `Mapping[str, Iterable[int]]`."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        if not isinstance(part, ast.Call | ast.Lambda):
            waiting += ast.iter_child_nodes(part)
