"""A lint that keeps the order of sets out of rules.

Python puts the members of a set into an order that differs from process to process, if they are
text. A rule that goes by it is another one tomorrow, and a proof of it was of today's. So a set in
a rule may be asked what is in it, compared, combined and sorted, but not gone through.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verifier.syntax import last_name, nodes_of

TYPES = {"set", "frozenset", "Set", "AbstractSet", "FrozenSet", "MutableSet"}
MAKES_SETS = {"set", "frozenset"}
COMBINES = {"union", "intersection", "difference", "symmetric_difference"}
OF_SETS = COMBINES | {
    "update",
    "intersection_update",
    "difference_update",
    "symmetric_difference_update",
    "issubset",
    "issuperset",
    "isdisjoint",
}
"""The methods that take sets and leave their order alone."""
WHATEVER_THE_ORDER = MAKES_SETS | OF_SETS | {"sorted", "len", "any", "all", "bool", "isinstance"}
"""What gives the same in every order; with a key, the least and the most are among equals."""
LEAST_AND_MOST = {"min", "max", "sum", "count_true", "most"}

VIEWS = {"keys", "items"}
"""What gives the view of a mapping."""
MAPPINGS = {"dict", "Counter", "defaultdict", "Mapping"}
TAKES_VIEWS = (
    WHATEVER_THE_ORDER
    | LEAST_AND_MOST
    | {
        *("list", "tuple", "dict", "iter", "next", "enumerate", "zip", "reversed", "filter", "map"),
    }
)
"""The functions that only go through what they are given."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Found = tuple[ast.expr | ast.stmt, str]


@dataclass(frozen=True)
class Sets:
    """The names that stand for sets everywhere."""

    values: frozenset[str]
    """Fields and constants."""
    functions: frozenset[str]
    """Functions that give a set."""
    takers: frozenset[str]
    """Functions and records that say that they take a set."""


def gather_sets(trees: Iterable[ast.Module]) -> Sets:
    """Read from annotations and constants what is a set."""
    values: set[str] = set()
    functions: set[str] = set()
    takers: set[str] = set()
    for tree in trees:
        values |= _bound(tree.body, _NOTHING_KNOWN)
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                fields = {each for part in node.body for each in _annotated(part)}
                values |= fields | {each for part in node.body for each in _constant_set(part)}
                takers |= {node.name} if fields else set()
            elif isinstance(node, Function):
                if says_set(node.returns):
                    functions.add(node.name)
                    values |= {node.name} if node.decorator_list else set()
                if any(says_set(each.annotation) for each in _parameters(node)):
                    takers.add(node.name)
    return Sets(frozenset(values), frozenset(functions), frozenset(takers))


def says_set(annotation: ast.expr | None) -> bool:
    """Whether an annotation promises a set."""
    match annotation:
        case ast.Constant(value=str(text)):
            return says_set(ast.parse(text, mode="eval").body)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in TYPES
        case ast.Subscript(value=generic):
            return says_set(generic)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return says_set(left) or says_set(right)
    return False


def orders_of_sets(tree: ast.Module, sets: Sets) -> list[Found]:
    """Every place of a module that goes by the order of a set."""
    checker = _Checker(sets)
    checker.plain_uses = {id(each) for node in nodes_of(tree) for each in _plain_uses(node)}
    checker.names = _bound(tree.body, checker)
    checker.visit(tree)
    return checker.found


class _Checker(ast.NodeVisitor):
    """Walk one module with the names of sets in scope at hand."""

    def __init__(self, sets: Sets) -> None:
        self.sets = sets
        self.names: set[str] = set()
        self.gives_set = False
        self.found: list[Found] = []
        self.plain_uses: set[int] = set()
        """Where it is known of something that makes a set, or of a view, what comes of it."""

    def is_set(self, node: ast.expr | None) -> bool:
        """Whether an expression is known to be a set."""
        match node:
            case ast.Set() | ast.SetComp():
                return True
            case ast.Name(id=name):
                return name in self.names
            case ast.Attribute(attr=name):
                return name in self.sets.values
            case ast.Call(func=ast.Name(id=name)):
                return name in MAKES_SETS or name in self.sets.functions
            case ast.Call(func=ast.Attribute(attr=name, value=owner)):
                made = name in COMBINES or name in self.sets.functions
                return made or (name == "copy" and self.is_set(owner))
            case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.BitXor() | ast.Sub()):
                return any(self.is_set(each) or _is_view(each) for each in (left, node.right))
            case ast.BoolOp(values=values):
                return any(map(self.is_set, values))
            case ast.IfExp(body=body, orelse=orelse):
                return self.is_set(body) or self.is_set(orelse)
            case ast.NamedExpr(value=value):
                return self.is_set(value)
        return False

    def report(self, node: ast.expr | ast.stmt, what: str) -> None:
        """Add a finding."""
        self.found.append((node, f"{what} goes by the order of a set: use sorted()"))

    def visit_Name(self, node: ast.Name) -> None:
        """Check what makes a set where it is not called: nobody knows what it is called for."""
        if node.id in MAKES_SETS and id(node) not in self.plain_uses:
            self.report(node, f"{node.id}(), called elsewhere,")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Check a method that gives a set, or a view, in the same way."""
        gives = node.attr in COMBINES or (node.attr in VIEWS and last_name(node.value) in MAPPINGS)
        if gives and id(node) not in self.plain_uses:
            self.report(node, f"{node.attr}(), called elsewhere,")
        self.generic_visit(node)

    def visit_FunctionDef(self, node: Function) -> None:
        """Check a function with the names that its annotations and assignments tell of."""
        parameters = _parameters(node)
        own = {each.arg for each in parameters} | set(_stored(node.body))
        outer = self.names, self.gives_set
        self.names = self.names - own | {
            each.arg for each in parameters if says_set(each.annotation)
        }
        self.names = _bound(node.body, self)
        self.gives_set = says_set(node.returns)
        self.check_defaults(node)
        self.generic_visit(node)
        self.names, self.gives_set = outer

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_For(self, node: ast.For) -> None:
        """Check what a loop goes through."""
        if self.is_set(node.iter):
            self.report(node.iter, "a loop")
        self.generic_visit(node)

    def visit_ListComp(self, node: ast.ListComp | ast.GeneratorExp | ast.DictComp) -> None:
        """Check what a comprehension goes through; one that makes a set may go through one."""
        for each in node.generators:
            if self.is_set(each.iter):
                self.report(each.iter, "a comprehension")
        self.generic_visit(node)

    visit_GeneratorExp = visit_ListComp  # noqa: N815
    visit_DictComp = visit_ListComp  # noqa: N815

    def visit_Call(self, node: ast.Call) -> None:
        """Check what a set is handed to; what says that it takes one is checked itself."""
        if _is_view(node) and id(node) not in self.plain_uses:
            self.report(node, "what is made of a view later")
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name in {"pop", "__iter__"} and self.is_set(node.func.value):
                self.report(node, f"{name}()")
        keyed = any(each.arg == "key" for each in node.keywords)
        free = name in WHATEVER_THE_ORDER or (name in LEAST_AND_MOST and not keyed)
        if name == "sorted" and keyed:
            free = False
        for argument in (*node.args, *(each.value for each in node.keywords)):
            inner = argument.value if isinstance(argument, ast.Starred) else argument
            if self.is_set(inner) and not free and name not in self.sets.takers:
                self.report(argument, f"{name}()")
            if free and isinstance(argument, ast.GeneratorExp):
                self.visit_parts(argument)
            else:
                self.visit(inner)
        self.visit(node.func)

    def visit_parts(self, node: ast.GeneratorExp) -> None:
        """Check only what is inside: whoever takes it does not go by its order."""
        self.visit(node.elt)
        for each in node.generators:
            self.visit(each)

    def visit_Starred(self, node: ast.Starred) -> None:
        """Check what is spread out."""
        if self.is_set(node.value):
            self.report(node, "`*`")
        self.generic_visit(node)

    def visit_Set(self, node: ast.Set) -> None:
        """Check a set written out; another may be spread out in it."""
        for each in node.elts:
            self.visit(each.value if isinstance(each, ast.Starred) else each)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Check unpacking."""
        named = all(isinstance(each, ast.Name) for each in node.targets)
        if not named and self.is_set(node.value):
            self.report(node.value, "unpacking, or putting it into something else,")
        self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple | ast.List) -> None:
        """Check what is put into something else, where nobody knows any more that it is a set."""
        for each in node.elts:
            if self.is_set(each):
                self.report(each, "a set inside something else")
        self.generic_visit(node)

    visit_List = visit_Tuple  # noqa: N815

    def visit_Dict(self, node: ast.Dict) -> None:
        """Check what is put into a table."""
        for each in node.values:
            if self.is_set(each):
                self.report(each, "a set in a table")
        self.generic_visit(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Check a lambda, which cannot say that it gives a set, or that it is given one."""
        if self.is_set(node.body):
            self.report(node.body, "what comes of a lambda")
        self.check_defaults(node)
        self.generic_visit(node)

    def check_defaults(self, node: Function | ast.Lambda) -> None:
        """Check defaults: a parameter says that it is a set, if it is one."""
        given = node.args
        names = [*given.posonlyargs, *given.args][-len(given.defaults) or len(given.args) :]
        pairs = [*zip(names, given.defaults, strict=False)]
        pairs += [(k, v) for k, v in zip(given.kwonlyargs, given.kw_defaults, strict=True) if v]
        for name, default in pairs:
            if self.is_set(default) and not says_set(name.annotation):
                self.report(default, "a default")

    def visit_Yield(self, node: ast.Yield) -> None:
        """Check what is handed out: nobody knows that it is a set."""
        if node.value is not None and self.is_set(node.value):
            self.report(node.value, "what is handed out")
        self.generic_visit(node)

    def visit_Match(self, node: ast.Match) -> None:
        """Check what a pattern gets a name for."""
        if self.is_set(node.subject):
            self.report(node.subject, "a pattern")
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        """Check that a function which gives a set says so, so that its callers know."""
        if self.is_set(node.value) and not self.gives_set and node.value is not None:
            self.report(node.value, "what comes of a function that does not say it gives a set")
        self.generic_visit(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> None:
        """Check what is handed out one by one."""
        if self.is_set(node.value):
            self.report(node, "`yield from`")
        self.generic_visit(node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> None:
        """Check what an f-string shows."""
        if self.is_set(node.value):
            self.report(node.value, "text")
        self.generic_visit(node)


def _plain_uses(node: ast.AST) -> Iterator[ast.expr]:
    """What one node uses so that it is known what comes of it."""
    match node:
        case ast.For(iter=each) | ast.comprehension(iter=each) | ast.Starred(value=each):
            yield each
        case ast.BinOp(left=left, right=right):
            yield from (left, right)
        case ast.Compare(left=left, comparators=others):
            yield from (left, *others)
        case ast.MatchClass(cls=kind):
            yield kind
        case ast.arg(annotation=says) | ast.AnnAssign(annotation=says):
            yield from _expressions(says) if says else ()
        case ast.FunctionDef(returns=ast.expr() as says):
            yield from _expressions(says)
        case ast.Call(func=func, args=args):
            yield func
            if last_name(func) in TAKES_VIEWS:
                yield from (each for each in args if isinstance(each, ast.Call))
            if last_name(func) == "isinstance":
                yield from (part for each in args[1:] for part in _expressions(each))


def _expressions(node: ast.expr) -> Iterator[ast.expr]:
    return (each for each in ast.walk(node) if isinstance(each, ast.expr))


def _is_view(node: ast.expr) -> bool:
    """Whether it is the keys or items of a mapping, which combine to sets."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in VIEWS
    )


def _parameters(node: Function) -> list[ast.arg]:
    given = node.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs]


def _annotated(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
            if says_set(annotation):
                yield name


def _constant_set(node: ast.stmt) -> Iterator[str]:
    """The names that a class gives a set to without a word."""
    match node:
        case ast.Assign(targets=targets, value=value) if _NOTHING_KNOWN.is_set(value):
            yield from (each.id for each in targets if isinstance(each, ast.Name))


def _bound(body: list[ast.stmt], checker: _Checker) -> set[str]:
    """The names of sets after a body, going round until nothing new is learnt."""
    names = checker.names
    nodes = list(_own_nodes(body))
    while True:
        outer, checker.names = checker.names, names
        more = {name for node in nodes for name in _sets_of(node, checker)}
        checker.names = outer
        if more <= names:
            return names
        names = names | more


def _sets_of(node: ast.AST, checker: _Checker) -> Iterator[str]:
    match node:
        case ast.Assign(targets=targets, value=value) if checker.is_set(value):
            yield from (each.id for each in targets if isinstance(each, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
            if says_set(annotation) or checker.is_set(value):
                yield name
        case ast.AugAssign(target=ast.Name(id=name), value=value) if checker.is_set(value):
            yield name
        case ast.NamedExpr(target=ast.Name(id=name), value=value) if checker.is_set(value):
            yield name
        case ast.ImportFrom(names=names):
            known = checker.sets.values
            yield from (each.asname or each.name for each in names if each.name in known)


def _stored(body: list[ast.stmt]) -> Iterator[str]:
    for node in _own_nodes(body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _own_nodes(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Walk a body without the functions and classes inside it, which have names of their own."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


_NOTHING_KNOWN = _Checker(Sets(frozenset(), frozenset(), frozenset()))
