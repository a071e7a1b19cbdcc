"""A lint of what no value can notice, in rules and in properties, whatever names stand for.

A symbolic number answers every operation that it is asked for. Nobody asks it when it is compared
by identity, or when somebody catches the error that it raises. So these are refused by what the
text says.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator
from typing import NamedTuple

from verifier.syntax import last_name, nodes_of

MAY_BE_CAUGHT = {"UnknownRead", "TruthsayerError"}
"""The errors that rules raise themselves; no misuse of a symbolic value is one of them."""
OWN = ("rules_engine.", "verifier.")
"""How the names of our own modules begin."""
CATCHES = {"suppress", "ExitStack"}
BY_IDENTITY = {"is_", "is_not", "id"}
LOOKS_INSIDE = {"vars", "globals", "locals", "eval", "exec", "__import__"}
OUTSIDE = {"open", "input", "breakpoint"}
"""What reads something that is no part of the position."""
OF_SYMBOLS = {"term", "key", "pick", "conditions", "settled"}
"""What symbolic values have and plain ones have not."""


class Use(NamedTuple):
    """A use that is refused."""

    node: ast.expr | ast.stmt
    code: str
    message: str


def unseen(tree: ast.Module, classes: Collection[str]) -> Iterator[Use]:
    """Every use in a module that no value can notice; `classes` are the known record classes."""
    given = {each for node in nodes_of(tree) for each in written(node)}
    may_be_caught = MAY_BE_CAUGHT - given - {*_otherwise_called(tree)}
    for node in nodes_of(tree):
        yield from _by_identity(node, {*classes} - given)
        yield from _caught(node, may_be_caught)
        yield from _called_an_error(node)
        yield from _looked_at(node)


# What is compared by identity


def _by_identity(node: ast.AST, classes: Collection[str]) -> Iterator[Use]:
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        for operator, *both in zip(node.ops, sides, node.comparators, strict=False):
            identity = isinstance(operator, ast.Is | ast.IsNot)
            if identity and not any(_is_one_object(side, classes) for side in both):
                yield Use(node, "identity", "`is` is for None and for classes: no value is asked")
    elif isinstance(node, ast.Match):
        for part in (part for case in node.cases for part in ast.walk(case.pattern)):
            if isinstance(part, ast.MatchSingleton) and part.value is not None:
                yield Use(node.subject, "identity", "a pattern compares a truth value by identity")
            if isinstance(part, ast.MatchClass) and _asks_a_symbol(part):
                yield Use(node.subject, "inside", "a pattern asks for what only symbols have")
    elif isinstance(node, ast.Name | ast.Attribute) and last_name(node) in BY_IDENTITY:
        if last_name(node) == "id" and not isinstance(getattr(node, "ctx", None), ast.Load):
            return
        if isinstance(node, ast.Attribute) and node.attr == "id":
            return
        yield Use(node, "identity", f"`{last_name(node)}` compares by identity: no value is asked")


def _asks_a_symbol(pattern: ast.MatchClass) -> bool:
    return hasattr(builtins, last_name(pattern.cls)) and bool(OF_SYMBOLS & {*pattern.kwd_attrs})


def _is_one_object(node: ast.expr, classes: Collection[str]) -> bool:
    """Whether there is only one of it, symbolic or not."""
    if isinstance(node, ast.Constant):
        return node.value is None
    return last_name(node) in classes


# What is caught, and what is looked at


def _otherwise_called(tree: ast.Module) -> Iterator[str]:
    """The names that a module has from other libraries, or under which it hides others."""
    for node in nodes_of(tree):
        for each in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
            own = isinstance(node, ast.ImportFrom) and (node.module or "").startswith(OWN)
            if not own or each.asname not in (None, each.name):
                yield each.asname or each.name


def _called_an_error(node: ast.AST) -> Iterator[Use]:
    """Whether another error gets the name of one that may be caught."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) if name in MAY_BE_CAUGHT:
            yield Use(node, "caught", f"{name} is the name of one error only")
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            if any(each.asname in MAY_BE_CAUGHT and each.asname != each.name for each in names):
                yield Use(node, "caught", "an error gets the name of another one")


def _caught(node: ast.AST, known: Collection[str]) -> Iterator[Use]:
    match node:
        case ast.Try() | ast.TryStar():
            for handler in node.handlers:
                if not _may_be_caught(handler.type, known):
                    yield Use(node, "caught", "an error is caught that a symbolic value may raise")
            if any(_leaves(part) for each in node.finalbody for part in ast.walk(each)):
                yield Use(node, "caught", "`finally` leaves, whatever the error was")
        case ast.FunctionDef(name="__exit__" | "__aexit__"):
            yield Use(node, "caught", "the end of a block may hide an error")
        case ast.Name() | ast.Attribute() if last_name(node) in CATCHES:
            yield Use(node, "caught", f"`{last_name(node)}` may hide an error")


def _may_be_caught(kind: ast.expr | None, known: Collection[str]) -> bool:
    if isinstance(kind, ast.Tuple):
        return all(_may_be_caught(each, known) for each in kind.elts)
    return kind is not None and last_name(kind) in known


def _leaves(node: ast.AST) -> bool:
    return isinstance(node, ast.Return | ast.Break | ast.Continue)


def _looked_at(node: ast.AST) -> Iterator[Use]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        if node.id in LOOKS_INSIDE:
            yield Use(node, "inside", f"{node.id}() looks at what a proof puts in a value's place")
        elif node.id in OUTSIDE:
            yield Use(node, "outside", f"{node.id}() reads what is no part of the position")


def written(node: ast.AST) -> Iterator[str]:
    """The names that one node gives a value."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
