"""What runs while the engine is imported, so that a proof meets only what came of it.

That is what is around the functions, with the functions that it calls, and every function whose
answers are remembered, for it may have been asked before. No proof notes them, so they are looked
at for every proof.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from verifier.syntax import Function, last_name, nodes_of

CACHES = {"cache", "lru_cache", "cached_property"}
CALLS_FOR = {"map", "filter", "sorted", "min", "max", "partial", "reduce"}
"""The functions that call what they are handed."""


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


def ran_before(trees: Mapping[str, ast.Module]) -> dict[str, frozenset[int]]:
    """The lines of each file that a proof rests on though they ran before it."""
    functions: dict[str, list[tuple[str, ast.AST]]] = {}
    for file, tree in trees.items():
        for node in nodes_of(tree):
            if isinstance(node, Function):
                functions.setdefault(node.name, []).append((file, node))
    cached = [each for several in functions.values() for each in several if _cached(each[1])]
    waiting = [(file, node) for file, tree in trees.items() for node in _outside(tree)]
    waiting += [(file, node) for file, function in cached for node in ast.walk(function)]
    lines: dict[str, set[int]] = {file: set() for file in trees}
    seen: set[str] = set()
    while waiting:
        file, node = waiting.pop()
        lines[file].add(getattr(node, "lineno", 0))
        for name in {*_called(node)} - seen:
            seen.add(name)
            for at, function in functions.get(name, ()):
                waiting += ((at, part) for part in ast.walk(function))
    return {file: frozenset(numbers) for file, numbers in lines.items()}


def _outside(tree: ast.Module) -> Iterator[ast.AST]:
    """What is computed when a module is imported: all but what is in functions."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
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
            yield last_name(func)
            if last_name(func) in CALLS_FOR:
                yield from map(last_name, (*args, *(each.value for each in keywords)))
        case ast.FunctionDef(decorator_list=decorators):
            yield from map(last_name, decorators)


def _cached(function: ast.AST) -> bool:
    """Whether what a function gives is remembered."""
    decorators: Iterable[ast.expr] = getattr(function, "decorator_list", ())
    plain = (each.func if isinstance(each, ast.Call) else each for each in decorators)
    return any(last_name(each) in CACHES for each in plain)
