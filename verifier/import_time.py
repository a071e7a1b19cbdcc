"""What runs while the engine is imported, so that a proof meets only what came of it.

That is what is around the functions, with the functions that it calls, and every function whose
answers are remembered, for it may have been asked before. No proof notes them, so they are looked
at for every proof.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from verifier.syntax import Function, last_name, nodes_of

Item = TypeVar("Item")

CACHES = {"cache", "lru_cache", "cached_property"}
CALLS_FOR = {"map", "filter", "sorted", "min", "max", "partial", "reduce"}
"""The functions that call what they are handed."""


class Before(NamedTuple):
    """What ran before every proof, in each file."""

    lines: dict[str, frozenset[int]]
    functions: dict[str, frozenset[str]]


def imported_by(start: Iterable[str], trees: Mapping[str, ast.Module]) -> set[str]:
    """Some files and all that they import, directly or not; files as `kernel/numbers.py`."""
    found: set[str] = set()
    waiting = [*start]
    while waiting:
        file = waiting.pop()
        if file in trees and file not in found:
            found.add(file)
            waiting += (each for node in ast.walk(trees[file]) for each in _files(node))
            waiting.append(f"{file.rpartition('/')[0]}/__init__.py")
    return found


def _files(node: ast.AST) -> Iterator[str]:
    """The files that an import may be of."""
    modules: list[str] = []
    if isinstance(node, ast.Import):
        modules = [each.name for each in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module is not None:
        modules = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
    for each in modules:
        path = "/".join(each.split(".")[1:])
        yield from (f"{path}.py", f"{path}/__init__.py")


def ran_before(trees: Mapping[str, ast.Module]) -> Before:
    """The lines and functions that a proof rests on though they ran before it.

    Functions go by their bare names, whosever they are. One that is only named, in a table of what
    is to be done later, did not run; neither did one that is handed to somebody who might call it.
    """
    tables = {name: named for tree in trees.values() for name, named in _tables(tree)}
    functions: dict[str, list[tuple[str, ast.AST]]] = {}
    for file, tree in trees.items():
        for node in nodes_of(tree):
            if isinstance(node, Function):
                functions.setdefault(node.name, []).append((file, node))
    cached = [each for several in functions.values() for each in several if _cached(each[1])]
    waiting = [(file, node) for file, tree in trees.items() for node in _outside(tree)]
    waiting += [(file, node) for file, function in cached for node in ast.walk(function)]
    lines: dict[str, set[int]] = {file: set() for file in trees}
    ran: dict[str, set[str]] = {file: set() for file in trees}
    for file, function in cached:
        ran[file].add(getattr(function, "name", ""))
    seen: set[str] = set()
    while waiting:
        file, node = waiting.pop()
        lines[file].add(getattr(node, "lineno", 0))
        called = {*_called(node)}
        for name in called.union(*(tables.get(each, ()) for each in called)) - seen:
            seen.add(name)
            for at, function in functions.get(name, ()):
                ran[at].add(name)
                waiting += ((at, part) for part in ast.walk(function))
    return Before(_frozen(lines), _frozen(ran))


def _frozen(found: Mapping[str, set[Item]]) -> dict[str, frozenset[Item]]:
    return {file: frozenset(each) for file, each in found.items()}


def _tables(tree: ast.Module) -> Iterator[tuple[str, set[str]]]:
    """The tables of a module, with the names that stand in them."""
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                yield name, {last_name(each) for each in ast.walk(value)} - {""}
            case _:
                pass


def _outside(tree: ast.Module) -> Iterator[ast.AST]:
    """What is computed when a module is imported: all but what is in functions."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if not _is_called_by_python(node.name):
                waiting += (*node.decorator_list, *_defaults(node.args))
            case ast.Lambda():
                waiting += _defaults(node.args)
            case _:
                waiting += ast.iter_child_nodes(node)


def _defaults(given: ast.arguments) -> Iterator[ast.expr]:
    yield from given.defaults
    yield from (each for each in given.kw_defaults if each is not None)


def _called(node: ast.AST) -> Iterator[str]:
    """The names of the functions that one node calls, or lets others call."""
    match node:
        case ast.Call(func=func, args=args, keywords=keywords):
            # What is in a table may be called through it.
            yield last_name(func.value if isinstance(func, ast.Subscript) else func)
            if last_name(func) in CALLS_FOR:
                yield from map(last_name, (*args, *(each.value for each in keywords)))
        case ast.FunctionDef(name=name, decorator_list=[_, *_] as decorators):
            # Who makes something of a function may call it.
            yield name
            yield from map(last_name, decorators)


def _is_called_by_python(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _cached(function: ast.AST) -> bool:
    """Whether what a function gives is remembered."""
    decorators: Iterable[ast.expr] = getattr(function, "decorator_list", ())
    plain = (each.func if isinstance(each, ast.Call) else each for each in decorators)
    return any(last_name(each) in CACHES for each in plain)
