"""A lint of what a rule has of Python itself: which built-in names, and what it does with them.

While a proof runs, `type`, `getattr` and `hasattr` are others, which ask symbolic values. Whoever
kept one from before asks nobody. So these are only called where they are named, and of the rest a
rule has what symbolic values notice, and nothing that makes code of text.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from verifier.class_lint import not_computed
from verifier.syntax import Function, last_name, nodes_of
from verifier.unseen_lint import Use

ASKS = {"type", "getattr", "hasattr"}
"""What asks a symbolic value while a proof runs, if it is looked up then."""
PLAIN = {
    *("abs", "all", "any", "divmod", "enumerate", "filter", "iter", "len", "map", "max", "min"),
    *("next", "pow", "range", "reversed", "round", "sorted", "sum", "zip", "chr", "ord", "slice"),
    *("bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "set", "str"),
    *("tuple", "isinstance", "issubclass", "object", "property", "staticmethod", "super"),
}
"""What symbolic values notice, or another lint looks at."""
OFTEN_NAMES = {"id", "help", "format", "license", "copyright", "credits"}
"""Built-in names that often are a field's or parameter's; another lint looks at `id`."""
ERRORS = {
    name
    for name, each in vars(builtins).items()
    if isinstance(each, type) and issubclass(each, BaseException)
}
REFUSED = {*dir(builtins)} - ASKS - PLAIN - OFTEN_NAMES - ERRORS
MAKES_CODE = {"get_type_hints", "ForwardRef", "evaluate_forward_ref", "_evaluate", "_eval_type"}
"""What computes annotations, which may be any text."""
OF_CODE = ("(", "[", "{", ":", "__")
"""What a text has that does more than name a type."""
OF_A_RECORD = {"frozen", "tag", "tag_field"}
"""What a record says of itself when it is made; other words change how it is compared."""


def built_ins_kept(tree: ast.Module) -> Iterator[Use]:
    """Every place of a module that has more of Python itself than what it may call."""
    called = {id(each.func) for each in nodes_of(tree) if isinstance(each, ast.Call)}
    unread = {id(each) for each in not_computed(tree)}
    for node in nodes_of(tree):
        if isinstance(node, ast.Name) and id(node) not in unread:
            yield from _named(node, is_called=id(node) in called)
        if isinstance(node, ast.Name | ast.Attribute) and last_name(node) in MAKES_CODE:
            yield Use(node, "inside", f"{last_name(node)} computes what is only written down")
        yield from _made_otherwise(node)


def _named(node: ast.Name, *, is_called: bool) -> Iterator[Use]:
    if not isinstance(node.ctx, ast.Load):
        return
    if node.id in ASKS and not is_called:
        yield Use(node, "type", f"{node.id}() is called where it is named")
    elif node.id in REFUSED:
        yield Use(node, "inside", f"a rule does not use Python's `{node.id}`")


def _made_otherwise(node: ast.AST) -> Iterator[Use]:
    match node:
        case ast.ClassDef(keywords=words) if {each.arg for each in words} - OF_A_RECORD:
            yield Use(node, "type", "a record is compared and made like all others")
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from _classes_in(node)
        case ast.Subscript(slice=says) | ast.AnnAssign(annotation=says):
            yield from _code_in(says)


def _classes_in(function: Function) -> Iterator[Use]:
    """What a class is made of is known before any number is."""
    for node in ast.walk(function):
        if isinstance(node, ast.ClassDef):
            yield Use(node, "type", "a class is made inside of a function")


def _code_in(promise: ast.expr) -> Iterator[Use]:
    """What is declared of a record is read, and a text in it is computed then."""
    for node in ast.walk(promise):
        match node:
            case ast.Constant(value=str(text)) if any(each in text for each in OF_CODE):
                yield Use(node, "inside", "a text in a type may be computed")
