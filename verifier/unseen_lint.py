"""A lint of what no value can notice, in rules and in properties, whatever names stand for.

A symbolic number answers every operation that it is asked for. Nobody asks it when it is compared
by identity, when somebody catches the error that it raises, or when what a function gives depends
on what earlier calls left behind. So these are refused by what the text says.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

MAY_BE_CAUGHT = {"UnknownRead", "TruthsayerError"}
"""The errors that rules raise themselves; no misuse of a symbolic value is one of them."""
CATCHES = {"suppress", "ExitStack"}
BY_IDENTITY = {"is_", "is_not", "id"}
LOOKS_INSIDE = {"vars", "globals", "locals", "eval", "exec", "__import__"}
OUTSIDE = {"open", "input", "breakpoint"}
"""What reads something that is no part of the position."""
OF_SYMBOLS = {"term", "key", "pick", "conditions", "settled"}
"""What symbolic values have and plain ones have not."""
PUTS_IN = {
    *("append", "appendleft", "extend", "extendleft", "insert", "add", "update", "setdefault"),
    *("pop", "popleft", "popitem", "remove", "discard", "clear", "sort", "reverse", "rotate"),
    *("send", "throw", "subtract", "__setitem__", "__next__"),
}
"""The methods that change what they are called on."""
STEPS_ON = {"next", "setattr", "delattr", "heappush", "heappop"}
"""The functions that change what they are given first."""

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Use(NamedTuple):
    """A use that is refused."""

    node: ast.expr | ast.stmt
    code: str
    message: str


def unseen(tree: ast.Module, classes: Collection[str]) -> Iterator[Use]:
    """Every use in a module that no value can notice; `classes` are the known record classes."""
    written = {each for node in ast.walk(tree) for each in _written(node)}
    for node in ast.walk(tree):
        yield from _by_identity(node, {*classes} - written)
        yield from _caught(node)
        yield from _looked_at(node)


def left_behind(tree: ast.Module) -> Iterator[Use]:
    """Every use in a module by which one call could leave something behind for the next."""
    imported = {
        each.asname or each.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for each in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield from _mutable_defaults(node)
            yield from _written_outside(node, imported)


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
    elif isinstance(node, ast.Name | ast.Attribute) and _name(node) in BY_IDENTITY:
        if isinstance(node, ast.Attribute) and node.attr == "id":
            return
        yield Use(node, "identity", f"`{_name(node)}` compares by identity: no value is asked")


def _asks_a_symbol(pattern: ast.MatchClass) -> bool:
    return hasattr(builtins, _name(pattern.cls)) and bool(OF_SYMBOLS & {*pattern.kwd_attrs})


def _is_one_object(node: ast.expr, classes: Collection[str]) -> bool:
    """Whether there is only one of it, symbolic or not."""
    if isinstance(node, ast.Constant):
        return node.value is None
    return _name(node) in classes


# What is caught, and what is looked at


def _caught(node: ast.AST) -> Iterator[Use]:
    match node:
        case ast.Try() | ast.TryStar():
            for handler in node.handlers:
                if not _may_be_caught(handler.type):
                    yield Use(node, "caught", "an error is caught that a symbolic value may raise")
            if any(_leaves(part) for each in node.finalbody for part in ast.walk(each)):
                yield Use(node, "caught", "`finally` leaves, whatever the error was")
        case ast.FunctionDef(name="__exit__" | "__aexit__"):
            yield Use(node, "caught", "the end of a block may hide an error")
        case ast.Name() | ast.Attribute() if _name(node) in CATCHES:
            yield Use(node, "caught", f"`{_name(node)}` may hide an error")


def _may_be_caught(kind: ast.expr | None) -> bool:
    if isinstance(kind, ast.Tuple):
        return all(map(_may_be_caught, kind.elts))
    return kind is not None and _name(kind) in MAY_BE_CAUGHT


def _leaves(node: ast.AST) -> bool:
    return isinstance(node, ast.Return | ast.Break | ast.Continue)


def _looked_at(node: ast.AST) -> Iterator[Use]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        if node.id in LOOKS_INSIDE:
            yield Use(node, "inside", f"{node.id}() looks at what a proof puts in a value's place")
        elif node.id in OUTSIDE:
            yield Use(node, "outside", f"{node.id}() reads what is no part of the position")


# What a call leaves behind


def _mutable_defaults(function: Function) -> Iterator[Use]:
    given = function.args
    for each in (*given.defaults, *filter(None, given.kw_defaults)):
        if not all(map(_is_fixed, ast.walk(each))):
            yield Use(each, "state", "a default that is made once may change from call to call")


def _is_fixed(node: ast.AST) -> bool:
    # A record written out is frozen, and so is a tuple.
    made = isinstance(node, ast.Call) and not _name(node.func)[:1].isupper()
    kinds = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
    return not (made or isinstance(node, kinds | ast.GeneratorExp))


def _written_outside(function: Function, modules: Collection[str]) -> Iterator[Use]:
    """What a function changes that it has not made itself; functions of modules are called."""
    body = function.body if isinstance(function.body, list) else [function.body]
    own = {name for part in _inside(body) for name in _written(part)}
    own |= {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    for node in _inside(body):
        if isinstance(node, ast.Global | ast.Nonlocal):
            yield Use(node, "state", "a name outside of the function is written")
        for target in _changed(node):
            root = _root(target)
            called = isinstance(target, ast.Name) and root in modules
            if root and root not in own and not called:
                yield Use(target, "state", f"`{root}` outlives the call, and it is changed")


def _changed(node: ast.AST) -> Iterable[ast.expr]:
    """The values that one node changes."""
    match node:
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
            return (value,)
        case ast.Attribute(value=value, ctx=ast.Store() | ast.Del()):
            return (value,)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in PUTS_IN:
            return (value,)
        case ast.Call(func=func, args=[first, *_]) if _name(func) in STEPS_ON:
            return (first,)
    return ()


def _root(node: ast.expr) -> str:
    """The name that a value is reached from; nothing if it is made on the spot."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _inside(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Everything in a body but what is in functions of its own; their names are written there."""
    waiting = [*body]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def _written(node: ast.AST) -> Iterator[str]:
    """The names that one node gives a value."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name


def _name(node: ast.AST | None) -> str:
    """The last part of a name."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
