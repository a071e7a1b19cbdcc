"""A lint of what a call could leave behind for the next one.

Rules are pure: what a function gives depends on what it is given and on nothing else. So a rule
changes lists, tables and sets only that it has made itself, under the names that it made them
under, and no attribute of anything.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Set

from verifier.syntax import last_name, nodes_of
from verifier.unseen_lint import Use, written

PUTS_IN = {
    *("append", "appendleft", "extend", "extendleft", "insert", "add", "update", "setdefault"),
    *("pop", "popleft", "popitem", "remove", "discard", "clear", "sort", "reverse", "rotate"),
    *("send", "throw", "subtract", "__setitem__", "__next__"),
    *("intersection_update", "difference_update", "symmetric_difference_update"),
}
"""The methods that change what they are called on."""
STEPS_ON = {"next", "heappush", "heappop"}
"""The functions that change what they are given first."""
SETS = {"setattr", "delattr"}
ALSO_FIELDS = {"discard"}
"""The names of such methods that fields of records have, too."""
OF_CACHES = {"cache_info", "cache_clear", "cache_parameters"}
"""What tells how often something was asked before."""
MAKES = {"list", "dict", "set", "sorted", "deque", "Counter", "defaultdict"}
"""The functions that make something new that can be changed."""

DISPLAYS = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def left_behind(tree: ast.Module) -> Iterator[Use]:
    """Every use in a module by which one call could leave something behind for the next."""
    modules = {*_modules(tree)}
    called = {id(each.func) for each in nodes_of(tree) if isinstance(each, ast.Call)}
    for node in nodes_of(tree):
        if id(node) not in called:
            yield from _changes_later(node)
        yield from _set_or_counted(node)
        if isinstance(node, Function):
            yield from _mutable_defaults(node)
            yield from _changed_elsewhere(node, modules)
            if not _is_constructor(node):
                yield from _attributes_set(node)
    for outside in tree.body:
        if not isinstance(outside, Function):
            yield from _attributes_set(outside)


def _modules(tree: ast.Module) -> Iterator[str]:
    """The names of modules of ours, whose functions are called and may have any name."""
    for node in nodes_of(tree):
        match node:
            case ast.ImportFrom(module=str(package)) if package.count(".") < 2:
                yield from (each.asname or each.name for each in node.names)


# What is set


def _set_or_counted(node: ast.AST) -> Iterator[Use]:
    match node:
        case ast.Name(id=name) if name in SETS:
            yield Use(node, "state", f"{name}() changes what outlives the call")
        case ast.Attribute(attr=name) if name in OF_CACHES:
            yield Use(node, "state", f"{name} tells of earlier calls, or makes them forgotten")
        case ast.MatchClass(kwd_attrs=names) if {*names} & (PUTS_IN | OF_CACHES) - ALSO_FIELDS:
            yield Use(node.cls, "state", "a pattern gets what changes a value")
        case ast.Global() | ast.Nonlocal():
            yield Use(node, "state", "a name outside of the function is written")


def _changes_later(node: ast.AST) -> Iterator[Use]:
    """Whether a method that changes something is kept, or handed to who may call it."""
    match node:
        case ast.Attribute(value=value, attr=name, ctx=ast.Load()) if name in PUTS_IN:
            if name not in ALSO_FIELDS or last_name(value) in MAKES:
                yield Use(node, "state", f"{name}() is called where it is named")
        case ast.Name(id=name, ctx=ast.Load()) if name in STEPS_ON:
            yield Use(node, "state", f"{name}() is called where it is named")


def _is_constructor(function: Function) -> bool:
    return isinstance(function, ast.FunctionDef) and function.name == "__init__"


def _attributes_set(outer: ast.AST) -> Iterator[Use]:
    parts = [outer] if isinstance(outer, Function) else []
    for node in _inside([*parts, *ast.iter_child_nodes(outer)]):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield Use(node, "state", f"`{node.attr}` is set, and what has it may outlive the call")


# What a function changes


def _mutable_defaults(function: Function) -> Iterator[Use]:
    given = function.args
    for each in (*given.defaults, *filter(None, given.kw_defaults)):
        if not all(map(_is_fixed, ast.walk(each))):
            yield Use(each, "state", "a default that is made once may change from call to call")


def _is_fixed(node: ast.AST) -> bool:
    # A record written out is frozen, and so is a tuple.
    made = isinstance(node, ast.Call) and not last_name(node.func)[:1].isupper()
    return not (made or isinstance(node, DISPLAYS | ast.GeneratorExp))


def _changed_elsewhere(function: Function, modules: Set[str]) -> Iterator[Use]:
    """What a function changes that it has not made itself."""
    body = function.body if isinstance(function.body, list) else [function.body]
    nodes = [*_inside(body)]
    own = {name for node in nodes for name in written(node)}
    own |= {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    made = {*_made_in(nodes)}
    for node in nodes:
        for target in _changed(node):
            called = last_name(target) in modules - own
            if not (_is_new(target, made) or called):
                yield Use(target, "state", f"`{ast.unparse(target)}` may outlive the call")
        for target in _stepped_on(node):
            root = _root(target)
            if root and root not in own:
                yield Use(target, "state", f"`{root}` outlives the call, and it is changed")


def _made_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that stand for nothing but what the function has made itself."""
    made: dict[str, bool] = {}
    new: set[int] = set()
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name() as target], value=value):
                pass
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
                pass
            case ast.AugAssign(target=ast.Name() as target):
                # What was made here stays what it was.
                new.add(id(target))
                continue
            case _:
                continue
        new.add(id(target))
        made[target.id] = made.get(target.id, True) and _is_new(value, ())
    for node in nodes:
        if id(node) not in new:
            made.update((name, False) for name in written(node))
    return (name for name, is_made in made.items() if is_made)


def _is_new(value: ast.expr, made: Collection[str]) -> bool:
    """Whether a value is made on the spot, or stands under the name that it was made under."""
    match value:
        case ast.Name(id=name):
            return name in made
        case ast.Call(func=func):
            return last_name(func) in MAKES or (last_name(func) == "copy" and not value.args)
    return isinstance(value, DISPLAYS | ast.Constant | ast.JoinedStr | ast.Tuple | ast.BinOp)


def _changed(node: ast.AST) -> tuple[ast.expr, ...]:
    """The values that one node changes."""
    match node:
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
            return (value,)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in PUTS_IN:
            return (value,)
        case ast.AugAssign(target=ast.Name() as target):
            # Whether that changes what it stands for depends on what it is.
            return (target,)
    return ()


def _stepped_on(node: ast.AST) -> tuple[ast.expr, ...]:
    match node:
        case ast.Call(func=func, args=[first, *_]) if last_name(func) in STEPS_ON:
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
