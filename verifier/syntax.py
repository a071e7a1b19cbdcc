"""What the lints ask of a text again and again."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef


@functools.lru_cache(maxsize=512)
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Everything in a module, from the outside to the inside."""
    return tuple(ast.walk(tree))


def last_name(node: ast.AST | None) -> str:
    """The last part of a name: `a.b.c` is called `c`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def own_nodes(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Walk a body without the functions and classes inside it, which have names of their own."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, Function | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def assigned(node: ast.AST) -> Iterator[str]:
    """Give the names that one statement or walrus makes local."""
    match node:
        case ast.Assign(targets=targets):
            for target in targets:
                yield from target_names(target)
        case ast.AnnAssign(target=target) | ast.NamedExpr(target=target) | ast.For(target=target):
            yield from target_names(target)


def target_names(target: ast.expr) -> Iterator[str]:
    """Give the names in an assignment's target."""
    for part in ast.walk(target):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
