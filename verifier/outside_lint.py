"""A lint of what is no part of a position: other libraries, addresses, what a process is told.

Whatever a rule has of another library, it has under a name. So it may have such names only from the
few libraries of which it is known what they do, and none from a module of ours that has them.
"""

from __future__ import annotations

import ast
import builtins
import importlib
from collections.abc import Collection, Iterable, Iterator

from verifier.syntax import nodes_of
from verifier.unseen_lint import Use, written

OURS = ("rules_engine", "verifier")
SHOWS = {"repr", "ascii", "pprint", "pformat"}
"""What shows functions and objects by their address."""
FORMATS = {"format", "format_map"}
"""The methods of text that may show something so."""


def gather_foreign(trees: Iterable[ast.Module]) -> frozenset[str]:
    """The names that modules of ours have for other libraries, or for something of them."""
    return frozenset(
        name for tree in trees for name, module in _imported(tree) if not _is_ours(module)
    )


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Every name that a module imports, and from where."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            yield from ((each.asname or each.name.split(".")[0], each.name) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((each.asname or each.name, node.module or "") for each in node.names)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in OURS


# What comes from another library by a detour


def from_elsewhere(tree: ast.Module, foreign: Collection[str]) -> Iterator[Use]:
    """Every use of something that a module has from one that has it from elsewhere."""
    detours = {name for node in nodes_of(tree) for name in _detours(node, foreign)}
    detours |= _of_a_star(tree, foreign)
    modules = {name for name, module in _imported(tree) if _is_ours(module)}
    libraries = dict(_libraries(tree))
    for node in nodes_of(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and any(_detours(node, foreign)):
            yield Use(node, "library", "a name is of another library, or not known")
        elif isinstance(node, ast.Name) and node.id in detours:
            yield Use(node, "library", f"`{node.id}` is of another library")
        elif isinstance(node, ast.Attribute):
            owner = _dotted(node.value)
            hidden = owner in libraries and node.attr not in _public(libraries[owner])
            if hidden or (node.attr in foreign and owner.partition(".")[0] in modules):
                yield Use(node, "library", f"`{owner}.{node.attr}` is of another library")


def _detours(node: ast.AST, foreign: Collection[str]) -> Iterator[str]:
    """The names that an import has from a module to which they do not belong."""
    match node:
        case ast.ImportFrom(module=str(module), names=names) if module != "__future__":
            for each in names:
                if not _belongs_to(each.name, module, foreign):
                    yield each.asname or each.name


def _belongs_to(name: str, module: str, foreign: Collection[str]) -> bool:
    if not _is_ours(module):
        return name in _public(module)
    # What is in a package is a module of ours.
    return module.count(".") < 2 or name not in foreign


def _of_a_star(tree: ast.Module, foreign: Collection[str]) -> set[str]:
    """The names of other libraries that may come along when a module is imported as a whole."""
    imported = {name for name, _ in _imported(tree)}
    if "*" not in imported:
        return set()
    nodes = [*nodes_of(tree)]
    given = {each.name for each in nodes if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    given |= {name for each in nodes for name in written(each)}
    return {*foreign} - imported - given - {*dir(builtins)}


def _libraries(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that stand for a library as a whole."""
    for node in nodes_of(tree):
        for each in node.names if isinstance(node, ast.Import) else ():
            if not _is_ours(each.name):
                yield each.asname or each.name, each.name


def _public(module: str) -> Collection[str]:
    """The names that a library has for others; a module that it uses itself is none."""
    try:
        found = importlib.import_module(module)
    except ImportError:
        return ()
    plain = [each for each in dir(found) if not each.startswith("_")]
    return {*getattr(found, "__all__", plain), *_PARTS.get(module, ())}


_PARTS = {"collections": ("abc",)}


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{_dotted(value)}.{name}"
    return ""


# What differs from process to process


def outside(tree: ast.Module) -> Iterator[Use]:
    """Every place that shows an address, which is another one each time."""
    functions = _functions(tree)
    for node in nodes_of(tree):
        match node:
            case ast.Name(id=name) if name in SHOWS:
                yield Use(node, "outside", f"{name}() may show an address")
            case ast.FormattedValue(conversion=how) if how in {ord("r"), ord("a")}:
                yield Use(node.value, "outside", "`!r` may show an address")
            case ast.FormattedValue(value=value) if _is_function(value, functions):
                yield Use(value, "outside", "a function is shown by its address")
            case ast.Call(func=ast.Name(id="str" | "format"), args=[value, *_]) if _is_function(
                value, functions
            ):
                yield Use(node, "outside", "a function is shown by its address")
            case ast.Attribute(attr=name) if name in FORMATS:
                yield Use(node, "outside", f"{name}() may show an address: use an f-string")
            case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
                yield Use(node, "outside", "`%` may show an address: use an f-string")


def _functions(tree: ast.Module) -> set[str]:
    """The names that stand for functions, as far as one sees."""
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    found = {each.name for each in nodes_of(tree) if isinstance(each, functions)}
    while True:
        more = {
            target.id
            for each in nodes_of(tree)
            if isinstance(each, ast.Assign) and _is_function(each.value, found)
            for target in each.targets
            if isinstance(target, ast.Name)
        }
        if more <= found:
            return found
        found |= more


def _is_function(node: ast.expr, functions: Collection[str]) -> bool:
    return isinstance(node, ast.Lambda) or (isinstance(node, ast.Name) and node.id in functions)
