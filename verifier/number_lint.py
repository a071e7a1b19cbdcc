"""A lint that keeps rule functions number-generic, so that proofs can run them.

A proof calls the very functions that the server runs, with symbolic numbers for quantities. Such a
number can be added, subtracted, multiplied, compared and passed on; anything that needs its
*value* (a hash, an index, a string, a type) would end the proof or, worse, narrow it silently. The
lint follows quantities through each function from the annotation `Quantity` and reports those uses.
It reports too what opens records or looks inside values, whatever they are, and what goes by the
order of a set, which differs from process to process. There is no comment that switches it off:
what has to look at values does not belong in a rule.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from verifier.abstract_lint import abstract_classes
from verifier.built_in_lint import built_ins_kept
from verifier.class_lint import Classes, gather_classes, kinds_asked_for, methods_of_pythons_own
from verifier.outside_lint import from_elsewhere, gather_foreign, outside
from verifier.pure_lint import left_behind
from verifier.set_lint import Sets, gather_sets, orders_of_sets
from verifier.syntax import Function, assigned, last_name, own_nodes, target_names
from verifier.unseen_lint import unseen

RULE_FOLDERS = ("effects", "imperium")

NOT_RULES = frozenset(
    {
        "effects/parse.py",  # makes effects from text, before any number is unknown
        "effects/plain.py",  # makes sentences from effects, for people
        "effects/plain_words.py",
        "effects/text.py",
        "imperium/soak.py",  # plays games by chance
    }
)
"""Files in those folders that no proof runs."""


class Finding(NamedTuple):
    """One forbidden use of a quantity; lines and columns count from 1."""

    file: str
    line: int
    column: int
    code: str
    message: str


@dataclass(frozen=True)
class Number:
    """A quantity, or a condition on quantities."""

    condition: bool = False


@dataclass(frozen=True)
class Many:
    """A sequence, or anything else to iterate over, with quantities inside."""

    item: Kind


@dataclass(frozen=True)
class Fixed:
    """A tuple whose places are known one by one."""

    items: tuple[Kind, ...]


@dataclass(frozen=True)
class Table:
    """A mapping with quantities among its values."""

    value: Kind


Kind = Number | Many | Fixed | Table | None
"""What is known of an expression; None where no quantity is in it."""

Names = dict[str, Kind]

QUANTITY = Number()
CONDITION = Number(condition=True)

SEQUENCES = {"list", "set", "frozenset", "Sequence", "Iterable", "Iterator", "Collection"}
MAPPINGS = {"dict", "Mapping", "MutableMapping"}
KEEPS_NUMBERS = {"min", "max", "sum", "abs", "clamp", "pick", "larger", "smaller"}
KEEPS_ITEMS = {"list", "tuple", "sorted", "reversed", "set", "frozenset", "iter", "filter"}
CONVERTS = {"int", "bool", "float", "complex", "round", "len", "chr", "hex", "bin", "oct", "index"}
FORMATS = {"str", "repr", "format", "ascii", "print"}
OPENS_RECORDS = {"asdict", "astuple", "to_builtins", "convert", "encode", "force_setattr"}
"""What msgspec does in C, where nobody notices which fields are read."""
LOOKS_INSIDE = {"id", "vars", "dir", "globals", "locals", "eval", "exec", "__import__"}
WATCHED = {"State", "Player"}
"""The records that proofs put a watched one in the place of."""
LIBRARIES = {
    "__future__",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "itertools",
    "rules_engine",
    "typing",
}
"""What rule files may import; what others do with a symbolic number or a record is not known."""
KEY_METHODS = {"get", "pop", "setdefault", "add", "discard"}
CACHES = {"cache", "lru_cache"}
PLAIN_OPERATORS = (ast.Add, ast.Sub, ast.Mult)

Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


@dataclass(frozen=True)
class Facts:
    """The names that stand for quantities everywhere: record fields and function results."""

    fields: Names
    functions: Names
    places: dict[str, list[str]]
    """For each class the order of its fields, which `case Gain(n, what)` goes by."""
    sets: Sets
    classes: Classes
    foreign: frozenset[str]
    """The names that modules of ours have for other libraries, or for something of them."""


def gather(given: Iterable[ast.Module]) -> Facts:
    """Read from the annotations which fields hold, and which functions return, quantities."""
    trees = list(given)
    fields: Names = {}
    functions: Names = {}
    bases: dict[str, list[str]] = {}
    own: dict[str, list[str]] = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = [last_name(base) for base in node.bases]
                own[node.name] = []
                for part in node.body:
                    if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                        own[node.name].append(part.target.id)
                        _note(fields, part.target.id, annotated(part.annotation))
            elif isinstance(node, Function):
                decorators = {last_name(decorator) for decorator in node.decorator_list}
                is_field = bool(decorators & {"property", "cached_property"})
                _note(fields if is_field else functions, node.name, annotated(node.returns))

    def places(name: str) -> list[str]:
        inherited = [field for base in bases.get(name, []) for field in places(base)]
        return inherited + own.get(name, [])

    return Facts(
        fields,
        functions,
        {name: places(name) for name in own},
        gather_sets(trees),
        gather_classes(trees),
        gather_foreign(trees),
    )


def annotated(annotation: ast.expr | None) -> Kind:
    """Say what an annotation promises."""
    match annotation:
        case ast.Constant(value=str(text)):
            return annotated(ast.parse(text, mode="eval").body)
        case ast.Name(id="Quantity") | ast.Attribute(attr="Quantity"):
            return QUANTITY
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return annotated(left) or annotated(right)
        case ast.Subscript(value=generic, slice=ast.Tuple(elts=[item, ast.Constant(value=e)])) if (
            last_name(generic) == "tuple" and e is ...
        ):
            return _many(annotated(item))
        case ast.Subscript(value=generic, slice=ast.Tuple(elts=items)) if (
            last_name(generic) == "tuple"
        ):
            return _fixed(annotated(item) for item in items)
        case ast.Subscript(value=generic, slice=ast.Tuple(elts=[_, value])) if (
            last_name(generic) in MAPPINGS
        ):
            return _table(annotated(value))
        case ast.Subscript(value=generic, slice=item) if last_name(generic) in SEQUENCES:
            return _many(annotated(item))
    return None


def check(tree: ast.Module, file: str, facts: Facts) -> list[Finding]:
    """Report every forbidden use of a quantity in one module."""
    checker = _Checker(file, facts)
    checker.names = checker.bound_in(tree.body, {})
    checker.visit(tree)
    known = {each.line for each in checker.findings}
    rest = (
        *unseen(tree, facts.places),
        *left_behind(tree),
        *abstract_classes(tree),
        *kinds_asked_for(tree, facts.classes),
        *methods_of_pythons_own(tree),
        *built_ins_kept(tree),
        *from_elsewhere(tree, facts.foreign),
        *outside(tree),
    )
    for use in rest:
        if use.node.lineno not in known:
            checker.report(*use)
    for node, message in orders_of_sets(tree, facts.sets):
        checker.report(node, "order", message)
    return sorted(set(checker.findings))


def check_property(tree: ast.Module, file: str, facts: Facts) -> list[Finding]:
    """Report in a module of properties what no value can notice."""
    checker = _Checker(file, facts)
    for use in unseen(tree, facts.places):
        checker.report(*use)
    return sorted(set(checker.findings))


def is_rule(name: str) -> bool:
    """Whether a file of the engine, such as `imperium/combat.py`, is one of rules."""
    return name.split("/")[0] in RULE_FOLDERS and name not in NOT_RULES


def check_rules(engine: Path) -> list[Finding]:
    """Check every rule module of an engine's folder."""
    trees = {
        path.relative_to(engine).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(engine.rglob("*.py"))
    }
    facts = gather(trees.values())
    return [
        finding
        for name, tree in trees.items()
        if is_rule(name)
        for finding in check(tree, name, facts)
    ]


class _Checker(ast.NodeVisitor):
    """Walk one module with the kinds of the names in scope at hand."""

    def __init__(self, file: str, facts: Facts) -> None:
        self.file = file
        self.facts = facts
        self.names: Names = {}
        self.watched: set[str] = set()
        """The names of the records that proofs watch, in the function at hand."""
        self.foreign: dict[str, str] = {}
        """The names that stand for a library or something of it, and for which."""
        self.findings: list[Finding] = []

    # --- what an expression holds -------------------------------------------------------------

    def kind(self, node: ast.expr | None) -> Kind:
        """Say what is known of an expression in the present scope."""
        match node:
            case ast.Name(id=name):
                return self.names.get(name)
            case ast.Attribute(attr=name):
                return self.facts.fields.get(name)
            case ast.Call():
                return self.kind_of_call(node)
            case ast.BinOp(left=left, right=right):
                sides = self.kind(left), self.kind(right)
                if any(isinstance(side, Number) for side in sides):
                    return QUANTITY
                return sides[0] or sides[1] if isinstance(node.op, ast.Add) else None
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return CONDITION if isinstance(self.kind(operand), Number) else None
            case ast.UnaryOp(operand=operand):
                return QUANTITY if isinstance(self.kind(operand), Number) else None
            case ast.Compare(left=left, ops=ops, comparators=others):
                by_value = not any(isinstance(op, ast.Is | ast.IsNot) for op in ops)
                has = any(isinstance(self.kind(part), Number) for part in (left, *others))
                return CONDITION if by_value and has else None
            case ast.BoolOp(values=values):
                return _either(self.kind(value) for value in values)
            case ast.IfExp(body=body, orelse=orelse):
                return _either((self.kind(body), self.kind(orelse)))
            case ast.NamedExpr(value=value) | ast.Starred(value=value):
                return self.kind(value)
            case ast.Subscript(value=value, slice=index):
                return _inside(self.kind(value), index)
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                return self.kind_of_display(items)
            case ast.Dict(values=values):
                return _table(_either(self.kind(value) for value in values))
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                with self.scope(self.comprehended(node)):
                    if isinstance(node, ast.DictComp):
                        return _table(self.kind(node.value))
                    return _many(self.kind(node.elt))
        return None

    def kind_of_call(self, node: ast.Call) -> Kind:
        """Say what a call gives back."""
        name = last_name(node.func)
        arguments = [self.kind(argument) for argument in node.args]
        first = arguments[0] if arguments else None
        owner = self.kind(node.func.value) if isinstance(node.func, ast.Attribute) else None
        if isinstance(owner, Table):
            if name == "items":
                return Many(Fixed((None, owner.value)))
            return {"values": _many(owner.value), "copy": owner}.get(name, owner.value)
        if name in KEEPS_NUMBERS:
            # What `pick` gives is one of its values, whatever the condition was about.
            values = arguments[1:] if name == "pick" else arguments
            return QUANTITY if any(map(_holds, values)) else None
        if name in KEEPS_ITEMS:
            return _many(_item(arguments[-1] if arguments else None))
        if name == "zip":
            items = _fixed(_item(argument) for argument in arguments)
            return _many(items)
        if name == "enumerate":
            return _many(_fixed((None, _item(first))))
        if name in {"dict", "next"}:
            return first if name == "dict" else _item(first)
        return self.facts.functions.get(name)

    def kind_of_display(self, items: list[ast.expr]) -> Kind:
        """Say what a tuple, list or set written out holds."""
        if any(isinstance(item, ast.Starred) for item in items):
            return _many(
                _either(
                    _item(self.kind(item)) if isinstance(item, ast.Starred) else self.kind(item)
                    for item in items
                )
            )
        return _fixed(self.kind(item) for item in items)

    # --- which names hold what ----------------------------------------------------------------

    @contextmanager
    def scope(self, names: Names) -> Iterator[None]:
        """Look at what is inside with these names."""
        outer, self.names = self.names, names
        try:
            yield
        finally:
            self.names = outer

    def bind(self, names: Names, target: ast.expr, kind: Kind) -> None:
        """Give a target's names their kinds; what was once a quantity stays one."""
        match target:
            case ast.Name(id=name):
                names[name] = names.get(name) or kind
            case ast.Starred(value=inner):
                self.bind(names, inner, kind if isinstance(kind, Many) else _many(_item(kind)))
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                pairwise = (
                    isinstance(kind, Fixed)
                    and len(kind.items) == len(targets)
                    and not any(isinstance(part, ast.Starred) for part in targets)
                )
                for place, part in enumerate(targets):
                    if isinstance(kind, Fixed) and pairwise:
                        self.bind(names, part, kind.items[place])
                    elif isinstance(part, ast.Starred):
                        self.bind(names, part, _many(_item(kind)))
                    else:
                        self.bind(names, part, _item(kind))

    def bound_in(self, body: list[ast.stmt], names: Names) -> Names:
        """Add the names that a body assigns, going round until nothing new is learnt."""
        nodes = list(own_nodes(body))
        while True:
            before = dict(names)
            with self.scope(names):
                for node in nodes:
                    match node:
                        case ast.Assign(targets=targets, value=value):
                            for target in targets:
                                self.bind(names, target, self.kind(value))
                        case ast.AnnAssign(target=target, annotation=annotation, value=value):
                            self.bind(names, target, annotated(annotation) or self.kind(value))
                        case ast.AugAssign(target=target, value=value):
                            self.bind(names, target, self.kind(value))
                        case ast.NamedExpr(target=target, value=value):
                            self.bind(names, target, self.kind(value))
                        case ast.For(target=target, iter=source):
                            self.bind(names, target, _item(self.kind(source)))
                        case ast.MatchClass():
                            self.bind_captures(names, node)
            if names == before:
                return names

    def bind_captures(self, names: Names, pattern: ast.MatchClass) -> None:
        """Bind `case Gain(amount=n)`: a field caught by a pattern is still that field."""
        for field, part in self.asked(pattern):
            if isinstance(part, ast.MatchAs) and part.name is not None:
                names[part.name] = names.get(part.name) or self.facts.fields.get(field)

    def asked(self, pattern: ast.MatchClass) -> Iterator[tuple[str, ast.pattern]]:
        """Give the fields that a class pattern asks for, by place or by name."""
        places = self.facts.places.get(last_name(pattern.cls), [])
        yield from zip(places, pattern.patterns, strict=False)
        yield from zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True)

    def comprehended(self, node: Comprehension) -> Names:
        """Give the names inside a comprehension."""
        names = dict(self.names)
        for part in node.generators:
            with self.scope(names):
                item = _item(self.kind(part.iter))
            for name in target_names(part.target):
                names[name] = None
            self.bind(names, part.target, item)
        return names

    # --- what is forbidden --------------------------------------------------------------------

    def report(self, node: ast.expr | ast.stmt, code: str, message: str) -> None:
        """Note a forbidden use."""
        found = Finding(self.file, node.lineno, node.col_offset + 1, code, message)
        self.findings.append(found)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Check a function in a scope of its own, on top of the names around it."""
        arguments = node.args
        for default in (*arguments.defaults, *filter(None, arguments.kw_defaults)):
            self.visit(default)
        parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        kinds = {parameter.arg: annotated(parameter.annotation) for parameter in parameters}
        for extra, wrap in ((arguments.vararg, _many), (arguments.kwarg, _table)):
            if extra is not None:
                kinds[extra.arg] = wrap(annotated(extra.annotation))
        for decorator in node.decorator_list:
            self.visit(decorator)
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if last_name(called) in CACHES and any(map(_holds, kinds.values())):
                self.report(decorator, "hash", "a cache hashes the quantities it is called with")
        self.watched = {each.arg for each in parameters if _watched(each.annotation)}
        local = {name for part in own_nodes(node.body) for name in assigned(part)}
        names = {name: kind for name, kind in self.names.items() if name not in local}
        with self.scope(self.bound_in(node.body, {**names, **kinds})):
            for statement in node.body:
                self.visit(statement)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Import(self, node: ast.Import) -> None:
        """Check what a rule file imports."""
        for each in node.names:
            self.check_library(node, each.name, [each])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Check what a rule file imports from elsewhere."""
        self.check_library(node, node.module or "", node.names)

    def check_library(self, node: ast.stmt, module: str, names: list[ast.alias]) -> None:
        """Allow only libraries of which it is known what they do with what they get."""
        if module.partition(".")[0] not in LIBRARIES:
            self.report(node, "library", f"a rule does not use {module}")
            for each in names:
                self.foreign[each.asname or each.name.partition(".")[0]] = module

    def visit_Name(self, node: ast.Name) -> None:
        """Check where a library is used, which need not be where it is imported."""
        if node.id in self.foreign:
            self.report(node, "library", f"a rule does not use {self.foreign[node.id]}")

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Check a lambda, whose parameters hide the names around it."""
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(default)
        with self.scope({**self.names, **{part.arg: None for part in node.args.args}}):
            self.visit(node.body)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Check an assignment without its annotation, which computes nothing."""
        self.visit(node.target)
        if node.value is not None:
            self.visit(node.value)

    def visit_ListComp(self, node: Comprehension) -> None:
        """Check a comprehension, and the keys or members it would hash."""
        with self.scope(self.comprehended(node)):
            if isinstance(node, ast.DictComp) and _holds(self.kind(node.key)):
                self.report(node.key, "key", "a quantity is no dict key")
            if isinstance(node, ast.SetComp) and _holds(self.kind(node.elt)):
                self.report(node.elt, "key", "a quantity is no member of a set")
            self.generic_visit(node)

    visit_SetComp = visit_ListComp  # noqa: N815
    visit_GeneratorExp = visit_ListComp  # noqa: N815
    visit_DictComp = visit_ListComp  # noqa: N815

    def visit_Dict(self, node: ast.Dict) -> None:
        """Check the keys of a dict written out."""
        for key in node.keys:
            if key is not None and _holds(self.kind(key)):
                self.report(key, "key", "a quantity is no dict key")
        self.generic_visit(node)

    def visit_Set(self, node: ast.Set) -> None:
        """Check the members of a set written out."""
        for member in node.elts:
            if _holds(self.kind(member)):
                self.report(member, "key", "a quantity is no member of a set")
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Check indexes, slice bounds and the keys that are stored under."""
        index = node.slice
        bounds = (
            (index.lower, index.upper, index.step) if isinstance(index, ast.Slice) else (index,)
        )
        for bound in bounds:
            if bound is not None and _holds(self.kind(bound)):
                if isinstance(node.ctx, ast.Load) or isinstance(index, ast.Slice):
                    self.report(bound, "index", "a quantity is no index")
                else:
                    self.report(bound, "key", "a quantity is no key to store under")
        self.generic_visit(node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> None:
        """Check what an f-string shows."""
        if _holds(self.kind(node.value)):
            self.report(node.value, "format", "a quantity is not formatted in a rule")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Check identity and membership; presence (`is None`) is shape, not value."""
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            numbers = [side for side in (left, right) if isinstance(self.kind(side), Number)]
            if isinstance(operator, ast.Is | ast.IsNot) and numbers:
                if not any(isinstance(s, ast.Constant) and s.value is None for s in (left, right)):
                    self.report(left, "identity", "quantities are compared with ==, not with `is`")
            elif isinstance(operator, ast.In | ast.NotIn) and _holds(self.kind(left)):
                listed = isinstance(right, ast.Tuple | ast.List)
                if not (listed or isinstance(self.kind(right), Many | Fixed)):
                    self.report(left, "key", "a quantity is not looked up: compare it instead")
            left = right
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Check the operators."""
        self.check_operator(node, node.left, node.op, node.right)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Check the operators that also assign."""
        self.check_operator(node, node.target, node.op, node.value)
        self.generic_visit(node)

    def check_operator(
        self, node: ast.expr | ast.stmt, left: ast.expr, operator: ast.operator, right: ast.expr
    ) -> None:
        """Allow only what a symbolic number can do."""
        kinds = self.kind(left), self.kind(right)
        text = isinstance(left, ast.JoinedStr) or (
            isinstance(left, ast.Constant) and isinstance(left.value, str)
        )
        if isinstance(operator, ast.Mod) and text:
            if _holds(kinds[1]):
                self.report(node, "format", "a quantity is not formatted in a rule")
        elif not any(isinstance(kind, Number) for kind in kinds):
            return
        elif not isinstance(operator, PLAIN_OPERATORS):
            name = type(operator).__name__
            self.report(node, "operator", f"a quantity is added, subtracted, multiplied: no {name}")
        elif isinstance(operator, ast.Mult) and any(map(_is_sequence, (left, right), kinds)):
            self.report(node, "range", "a quantity is no number of repetitions")

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Check the bitwise `~`."""
        if isinstance(node.op, ast.Invert) and isinstance(self.kind(node.operand), Number):
            self.report(node, "operator", "a quantity has no bits")
        self.generic_visit(node)

    def visit_Match(self, node: ast.Match) -> None:
        """Check the subject of a `match`, and values that its patterns ask fields for."""
        if _holds(self.kind(node.subject)):
            self.report(node.subject, "match", "a quantity is compared, not matched")
        for pattern in (part for case in node.cases for part in ast.walk(case.pattern)):
            if isinstance(pattern, ast.MatchClass):
                for field, value in self.asked(pattern):
                    catches_all = isinstance(value, ast.MatchAs) and value.pattern is None
                    if _holds(self.facts.fields.get(field)) and not catches_all:
                        self.report(node.subject, "match", f"`{field}` is compared, not matched")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Check the calls that would look at a value."""
        name = last_name(node.func)
        arguments = [*node.args, *(word.value for word in node.keywords if word.arg != "key")]
        kinds = [self.kind(argument) for argument in arguments]
        holds = any(map(_holds, kinds))
        number = any(isinstance(kind, Number) for kind in kinds)
        condition = bool(kinds) and kinds[0] == CONDITION
        method = isinstance(node.func, ast.Attribute)
        if any(isinstance(each, ast.Name) and each.id == "type" for each in node.args[:1]):
            self.report(node, "type", "a type is asked for by `type(...)`, so that it can be seen")
        if name in OPENS_RECORDS:
            self.report(node, "record", f"{name}() reads all fields of a record unnoticed")
        elif name in LOOKS_INSIDE:
            self.report(node, "inside", f"{name}() looks at what a proof puts in a value's place")
        elif name == "hash":
            self.report(node, "hash", "a quantity has no hash, and that of text differs each time")
        elif name == "range" and number:
            self.report(node, "range", "a quantity is no range: nobody counts up to it")
        elif name in FORMATS and holds:
            self.report(node, "format", "a quantity is not formatted in a rule")
        elif name == "type" and node.args and last_name(node.args[0]) in self.watched:
            self.report(node, "type", "a proof watches it in a type of its own: use isinstance()")
        elif name in {"isinstance", "type"} and kinds and isinstance(kinds[0], Number):
            self.report(node, "type", "a quantity is not asked for its type")
        elif name in CONVERTS and number and not (name == "bool" and condition):
            self.report(node, "convert", f"a quantity is not passed to {name}()")
        elif name in {"divmod", "pow"} and number:
            self.report(node, "operator", f"a quantity is not passed to {name}()")
        elif name in {"set", "frozenset"} and holds and not method:
            self.report(node, "key", "a quantity is no member of a set")
        elif name in KEY_METHODS and method and kinds and isinstance(kinds[0], Number):
            self.report(node, "key", "a quantity is no key")
        if name in {"sorted", "sort", "min", "max"}:
            self.check_sort(node, name)
        self.generic_visit(node)

    def check_sort(self, node: ast.Call, name: str) -> None:
        """Check what a sort compares; a plain min or max of quantities is fine."""
        if name == "sort" and isinstance(node.func, ast.Attribute):
            source: ast.expr | None = node.func.value
        else:
            source = next(iter(node.args), None)
        item = _item(self.kind(source))
        key = next((word.value for word in node.keywords if word.arg == "key"), None)
        if key is None:
            found = name in {"sorted", "sort"} and _holds(item)
        elif isinstance(key, ast.Lambda):
            parameters = {part.arg: item for part in key.args.args}
            with self.scope({**self.names, **parameters}):
                found = _holds(self.kind(key.body))
        else:
            found = _holds(self.facts.functions.get(last_name(key)))
        if found:
            self.report(node, "sort-key", "quantities are not sorted by: compare them in pairs")


def _watched(annotation: ast.expr | None) -> bool:
    return annotation is not None and last_name(annotation) in WATCHED


def _note(names: Names, name: str, kind: Kind) -> None:
    if kind is not None:
        names[name] = kind


def _many(item: Kind) -> Kind:
    return None if item is None else Many(item)


def _fixed(items: Iterable[Kind]) -> Kind:
    kinds = tuple(items)
    return Fixed(kinds) if any(kinds) else None


def _table(value: Kind) -> Kind:
    return None if value is None else Table(value)


def _either(kinds: Iterable[Kind]) -> Kind:
    """Give the first kind that says something."""
    return next((kind for kind in kinds if kind is not None), None)


def _item(kind: Kind) -> Kind:
    """Say what comes out when one iterates; a mapping gives its keys, which are shape."""
    match kind:
        case Many(item):
            return item
        case Fixed(items):
            return _either(items)
    return None


def _inside(kind: Kind, index: ast.expr) -> Kind:
    """Say what a subscript gives."""
    match kind, index:
        case (Many() | Fixed(), ast.Slice()):
            return _many(_item(kind))
        case Fixed(items), ast.Constant(value=int(place)) if -len(items) <= place < len(items):
            return items[place]
        case Table(value), _:
            return value
    return _item(kind)


def _holds(kind: Kind) -> bool:
    """Tell whether a quantity is anywhere in it."""
    return kind is not None


def _is_sequence(node: ast.expr, kind: Kind) -> bool:
    """Tell whether multiplying this would repeat it."""
    text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return text or isinstance(node, ast.List | ast.Tuple) or isinstance(kind, Many | Fixed)
