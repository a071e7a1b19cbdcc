"""A lint of what a rule may ask about the kind of a value, and of names of Python's own.

Most classes answer for a symbolic value as they would for a plain one, or the symbolic value
notices. An abstract class such as `Sized` looks for methods instead, and `object` says yes to all.
So a rule asks for the engine's own records and for a few plain types, by their own names.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from verifier.syntax import last_name, nodes_of
from verifier.unseen_lint import OF_SYMBOLS, Use

PLAIN_TYPES = {"bool", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"}
"""The types of Python that a symbolic value of theirs passes for, or notices being asked for."""
PLAIN_BASES = {"Record", "NamedTuple", "Generic", "Enum", "Exception", "TruthsayerError", "Struct"}
"""What a class may be made from, so that only its own instances are of it."""
KNOWN_NAMES = {"__contains__", "__struct_fields__", "__init__", "__name__", "__metadata__"}
"""The names of Python's own that the engine may use; others go around what a value allows."""
MAKES_CLASSES = {"make_dataclass", "new_class", "namedtuple", "runtime_checkable", "singledispatch"}
ASKS_FOR_CLASSES = {"isinstance", "issubclass"}


UNKNOWN = ast.Constant(None)
"""What a name stands for that is given something in another way than as a constant."""


@dataclass(frozen=True)
class Classes:
    """The classes of the engine, and the names that stand for several of them."""

    own: frozenset[str] = frozenset()
    groups: Mapping[str, tuple[ast.expr, ...]] = field(default_factory=dict)
    """Constants such as `GROUPS = (AgentTurn, Effects)`, with all that they stand for anywhere."""


def gather_classes(trees: Iterable[ast.Module]) -> Classes:
    """Read which classes are the engine's own, made of nothing but plain ones."""
    bases: dict[str, list[ast.ClassDef]] = {}
    groups: dict[str, tuple[ast.expr, ...]] = {}
    for tree in trees:
        for node in nodes_of(tree):
            if isinstance(node, ast.ClassDef):
                bases.setdefault(node.name, []).append(node)
        for name, value in _constants(tree):
            groups[name] = (*groups.get(name, ()), value)
        for name in _given_later(tree):
            groups[name] = (*groups.get(name, ()), UNKNOWN)

    def is_own(name: str) -> bool:
        return name in PLAIN_BASES or (
            name in bases
            and all(is_own(_base(base)) for each in bases[name] for base in each.bases)
            and not any(each.arg == "metaclass" for one in bases[name] for each in one.keywords)
        )

    return Classes(frozenset(filter(is_own, bases)), groups)


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                yield name, value


def _given_later(tree: ast.Module) -> Iterator[str]:
    """The names of a module that are given something by a branch, a loop or a function."""
    plain = {name for name, _ in _constants(tree)}
    branches = [each for each in tree.body if not _is_scope(each)]
    outside = [node for each in branches for node in ast.walk(each)]
    names = [each.id for each in outside if isinstance(each, ast.Name) and _is_stored(each)]
    yield from (each for each in names if each not in plain or names.count(each) > 1)
    for node in nodes_of(tree):
        if isinstance(node, ast.Global):
            yield from node.names


def kinds_asked_for(tree: ast.Module, classes: Classes) -> Iterator[Use]:
    """Every place of a module that asks what a value is in a way that no value can notice."""
    asker = _Asker(tree, classes)
    for node in nodes_of(tree):
        yield from asker.asked(node)
        yield from _around_a_value(node)


class _Asker:
    """The classes that a module may ask for, under the names that it knows them by."""

    def __init__(self, tree: ast.Module, classes: Classes) -> None:
        self.own = classes.own
        # A file that nobody gathered knows its own constants.
        self.groups = {**classes.groups}
        for name, value in _constants(tree):
            self.groups[name] = (*self.groups.get(name, ()), value)
        self.foreign = {*_foreign(tree)}
        constants = {id(target) for each in tree.body for target in _targets(each)}
        fields = {
            id(target)
            for node in nodes_of(tree)
            if isinstance(node, ast.ClassDef)
            for each in node.body
            for target in _targets(each)
        }
        inside = [node for node in nodes_of(tree) if id(node) not in constants | fields]
        self.other = self.foreign | {each for node in inside for each in _given(node)}
        """Names that stand for something else here than what the engine calls so."""
        self.promised: set[str] = set()
        self.promised |= {*self.promised_in(inside)}
        self.unread = {id(each) for each in not_computed(tree)}
        self.called = {id(each.func) for each in nodes_of(tree) if isinstance(each, ast.Call)}

    def promised_in(self, nodes: Iterable[ast.AST]) -> Iterator[str]:
        """The parameters that promise a class of the engine, or several; nobody has another."""
        kept: dict[str, bool] = {}
        for node in nodes:
            for name in _given(node):
                promise = node.annotation if isinstance(node, ast.arg) else None
                kept[name] = kept.get(name, True) and self.promises(promise)
        return (name for name, is_kept in kept.items() if is_kept)

    def promises(self, annotation: ast.expr | None) -> bool:
        """Whether an annotation says `type[Frame]` or `tuple[type[Frame], ...]`."""
        match annotation:
            case ast.Subscript(value=ast.Name(id="type"), slice=kind):
                return self.is_known(kind)
            case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=[kind, _])):
                return self.promises(kind)
        return False

    def asked(self, node: ast.AST) -> Iterator[Use]:
        """Whether one node asks for a class that a symbolic value would not notice."""
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, kinds], keywords=[]):
                if not self.is_known(kinds):
                    yield Use(node, "type", "isinstance() is for records and plain types by name")
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass")):
                yield Use(node, "type", "a value is asked for its type by isinstance(value, Type)")
            case ast.Call(func=ast.Name(id="type"), args=args, keywords=keywords):
                if len(args) != 1 or keywords or isinstance(args[0], ast.Starred):
                    yield Use(node, "type", "a class is made where nobody looks into it")
            case ast.Name(id=name) if name in ASKS_FOR_CLASSES and id(node) not in self.called:
                yield Use(node, "type", f"{name}() is called where it is named")
            case ast.Name(id="object") if id(node) not in self.unread:
                yield Use(node, "type", "everything is an `object`, and it shows an address")
            case ast.MatchClass():
                yield from self.of_pattern(node)

    def of_pattern(self, pattern: ast.MatchClass) -> Iterator[Use]:
        """Whether a pattern asks for a class or a name that nobody notices."""
        if not self.is_known(pattern.cls):
            yield Use(pattern.cls, "type", "a pattern is of a record or a plain type by its name")
        if any(each.startswith("__") for each in pattern.kwd_attrs):
            yield Use(pattern.cls, "inside", "a pattern asks for a name of Python's own")

    def is_known(self, kind: ast.expr, within: Collection[str] = ()) -> bool:
        """Whether it is a known class, or several of them."""
        match kind:
            case ast.Tuple(elts=several):
                return all(self.is_known(each, within) for each in several)
            case ast.Starred(value=several):
                return self.is_known(several, within)
            case ast.BinOp(left=left, op=ast.BitOr() | ast.Add(), right=right):
                return self.is_known(left, within) and self.is_known(right, within)
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                return module not in self.other and self.is_name(name, within)
            case ast.Name(id=name):
                known = name not in self.other and self.is_name(name, within)
                return known or name in self.promised
        return False

    def is_name(self, name: str, within: Collection[str]) -> bool:
        """Whether a name stands for a known class, or for several of them wherever it is given."""
        if name in self.groups and name not in within:
            return all(self.is_known(each, {*within, name}) for each in self.groups[name])
        return name in PLAIN_TYPES or name in self.own


def not_computed(tree: ast.Module) -> Iterator[ast.AST]:
    """What a module promises and does not compute, if it says that annotations are not read."""
    if not any(_unread(each) for each in tree.body):
        return
    for node in nodes_of(tree):
        match node:
            case ast.arg(annotation=says) | ast.AnnAssign(annotation=says):
                yield from ast.walk(says) if says else ()
            case ast.FunctionDef(returns=ast.expr() as says):
                yield from ast.walk(says)


def _unread(node: ast.stmt) -> bool:
    if not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
        return False
    return any(each.name == "annotations" for each in node.names)


def _targets(node: ast.stmt) -> list[ast.expr]:
    match node:
        case ast.Assign(targets=targets):
            return targets
        case ast.AnnAssign(target=target):
            return [target]
    return []


def _is_scope(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


def _is_stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _foreign(tree: ast.Module) -> Iterator[str]:
    """The names that a module has from elsewhere, or under which it hides others."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            yield from (each.asname or each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            own = (node.module or "").partition(".")[0] == "rules_engine"
            for each in node.names:
                if not own or each.asname not in (None, each.name):
                    yield each.asname or each.name


def _given(node: ast.AST) -> Iterator[str]:
    """The names that one node gives something to."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.FunctionDef(name=name):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name


def _around_a_value(node: ast.AST) -> Iterator[Use]:
    match node:
        case ast.Attribute(attr="__init__", value=made):
            if not (isinstance(made, ast.Call) and last_name(made.func) == "super"):
                yield Use(node, "inside", "what is made already is not made anew")
        case ast.Attribute(attr=name) | ast.Name(id=name, ctx=ast.Load()) if (
            _is_pythons(name) and name not in KNOWN_NAMES
        ):
            yield Use(node, "inside", f"`{name}` goes around what a value allows")
        case ast.Call(func=func, args=[_, ast.Constant(value=str(name)), *_]) if last_name(
            func
        ) in {
            "getattr",
            "hasattr",
            "attrgetter",
        }:
            if _is_pythons(name) and name not in KNOWN_NAMES:
                yield Use(node, "inside", f"`{name}` goes around what a value allows")
            elif name in OF_SYMBOLS:
                yield Use(node, "inside", f"only symbols have `{name}`")
        case ast.Name() | ast.Attribute() if last_name(node) in MAKES_CLASSES:
            yield Use(node, "type", f"{last_name(node)} makes classes that ask for methods")


def methods_of_pythons_own(tree: ast.Module) -> Iterator[Use]:
    """Every method of a module that Python calls by itself, when nobody sees what it does."""
    for node in nodes_of(tree):
        for each in node.body if isinstance(node, ast.ClassDef) else ():
            for name in _defined(each):
                if _is_pythons(name):
                    yield Use(each, "method", f"Python calls `{name}` where nobody sees it")


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id


def _is_pythons(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and len(name) > 4


def _base(node: ast.expr) -> str:
    """What a class is made of: `Generic[T]` is `Generic`."""
    return last_name(node.value if isinstance(node, ast.Subscript) else node)
