"""The changes that a person could make by mistake, each at its place in a source file.

Here are the slips; what is wrong about the game rather than about a word is in `people.py`.

What no input can tell apart from the true source is not changed: docstrings, annotations, texts of
errors, `assert` and `raise`. Citations are not either: which rules an event or a refusal names is
text for people, and the rules that scenarios name in `because` check it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import libcst as cst
import libcst.matchers as m
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper, ParentNodeProvider

from truthsayer.mutation.change import BOUND, FORGOTTEN, REPLACED, SLIP, Change, Span
from truthsayer.mutation.people import People

COMPARISONS: dict[type[cst.BaseCompOp], tuple[str, ...]] = {
    cst.LessThan: ("<=", ">="),
    cst.LessThanEqual: ("<", ">"),
    cst.GreaterThan: (">=", "<="),
    cst.GreaterThanEqual: (">", "<"),
    cst.Equal: ("!=",),
    cst.NotEqual: ("==",),
    cst.Is: ("is not",),
    cst.IsNot: ("is",),
    cst.In: ("not in",),
    cst.NotIn: ("in",),
}
"""For each comparison the one with another border, if it has one, and the opposite."""

ARITHMETIC: dict[type[cst.CSTNode], str] = {
    cst.Add: "-",
    cst.Subtract: "+",
    cst.Multiply: "+",
    cst.AddAssign: "-=",
    cst.SubtractAssign: "+=",
}

OPPOSITES = {"True": "False", "False": "True", "and": "or", "or": "and"}

OTHER_FUNCTIONS = {
    "smaller": "larger",
    "larger": "smaller",
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
}

STUBS = {
    "State": ("return state",),
    "Step[State]": ("return Step(state)",),
    "bool": ("return True", "return False"),
    "Quantity": ("return 0",),
    "int": ("return 0",),
    "str": ('return ""',),
}
"""What a function that does nothing gives back, by its annotation; others are in `_stubs`."""

TOLD = {"Event": (0, 1, 4), "Reason": (0, 1)}
"""Arguments of calls that are text for people: a key and the rules; and who may see an event.

That nobody, or everybody, may see an event is a mistake of its own: see `people.py`.
"""

NEVER_CHANGED = (
    m.Annotation()
    | m.Decorator()
    | m.Raise()
    | m.Assert()
    | m.Import()
    | m.ImportFrom()
    | m.FormattedString()
    | m.Call(func=m.Name("cite"))
    | m.Arg(keyword=m.Name("rules") | m.Name("secret"))
    | m.Assign(targets=[m.AssignTarget(m.Name("rules"))])
    | m.AugAssign(target=m.Name("rules"))
)

TEXT = m.SimpleString()

DOCSTRING = m.SimpleStatementLine([m.Expr(m.SimpleString())])

KINDS_NEVER_CHANGED = (
    cst.Annotation,
    cst.Decorator,
    cst.Raise,
    cst.Assert,
    cst.Import,
    cst.ImportFrom,
    cst.FormattedString,
    cst.Call,
    cst.Arg,
    cst.Assign,
    cst.AugAssign,
)
"""The kinds of node in it: to ask for them first is much faster."""

CITING = m.SimpleStatementLine(
    [m.AugAssign(target=m.Name("rules")) | m.Assign(targets=[m.AssignTarget(m.Name("rules"))])]
)
"""A line that only says which rules are cited."""


class Unit(NamedTuple):
    """A function, a lambda or a statement of a file that is no function, and its changes.

    What is inside a function belongs to it; `function` is its name as Python has it, if it is one.
    """

    name: str
    span: Span
    first_line: int
    function: str
    changes: tuple[Change, ...]


def units_of(source: bytes, citations: Collection[str] = ()) -> tuple[Unit, ...]:
    """The units of a file with every change of each; `citations` are names that stand for rules."""
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    finder = _Finder(source, frozenset(citations))
    wrapper.visit(finder)
    return tuple(finder.units())


def unit_around(source: bytes, start: int, end: int) -> Unit:
    """The smallest unit of a file that a span lies in, without its changes."""
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    finder = _Finder(source, frozenset())
    wrapper.visit(finder)
    around = [
        unit for unit in finder.found.values() if unit.span.start <= start and end <= unit.span.end
    ]
    return min(around, key=lambda unit: unit.span.end - unit.span.start)


def citation_names(source: bytes) -> set[str]:
    """The names that a module gives to citations: `PASS = cite(...)`, and tables of them."""
    return {
        target.target.value
        for line in cst.parse_module(source).body
        for statement in (line.body if isinstance(line, cst.SimpleStatementLine) else ())
        if isinstance(statement, cst.Assign)
        if m.findall(statement.value, m.Call(func=m.Name("cite")))
        for target in statement.targets
        if isinstance(target.target, cst.Name)
    }


class _Finder(cst.CSTVisitor):
    """Walks a module and notes the units and, in each, the changes."""

    METADATA_DEPENDENCIES = (ByteSpanPositionProvider, ParentNodeProvider)

    def __init__(self, source: bytes, citations: frozenset[str]) -> None:
        super().__init__()
        self.source = source
        self.citations = citations
        self.classes: list[str] = []
        self.statement = ""
        """The name of the statement of the module that is being walked."""
        self.open: cst.CSTNode | None = None
        """The function or lambda that is being walked."""
        self.found: dict[cst.CSTNode, Unit] = {}
        self.changes: dict[cst.CSTNode, list[Change]] = {}
        self.bound: set[str] = set()
        """Names that the function has given a value to so far."""
        self.texts: tuple[str, ...] = ()
        """Texts that the function tells apart, and names of constants for them."""
        self.constants: frozenset[str] = frozenset()
        """The names that the module gives to texts: `FIRST = "first"`."""
        self.top: cst.CSTNode | None = None
        self.people = People(self._text, self._span)

    # Units

    def units(self) -> Iterator[Unit]:
        """What was found, in the order of the file."""
        for node, unit in self.found.items():
            changes = tuple(sorted(set(self.changes.get(node, ()))))
            if changes:
                yield unit._replace(changes=changes)

    def visit_Module(self, node: cst.Module) -> None:  # noqa: N802 (libcst names it)
        """See first which names stand for texts."""
        self.constants = frozenset(_named_texts(node))

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Skip what is never changed; keep track of the unit and note its changes."""
        parent = self.get_metadata(ParentNodeProvider, node, None)
        if isinstance(node, cst.AnnAssign) and self.classes and b"Seen" in self.source:
            for change in self.people.visibility(node):
                self._note(change)
        if self._stays(node, parent):
            return False
        if isinstance(parent, cst.Module):
            self.top, self.statement = node, _target_name(node)
            self._begin(node, self.statement, "")
        if isinstance(node, cst.ClassDef):
            self.classes.append(node.name.value)
        if self.open is None and isinstance(node, cst.FunctionDef):
            if self._is_citing(node):
                return False
            self._enter(node, ".".join([*self.classes, node.name.value]), node.name.value)
            self._note_stubs(node)
        elif self.open is None and isinstance(node, cst.Lambda):
            self._enter(node, f"{self.statement} (lambda)", "<lambda>")
        for change in self._changes_at(node, parent):
            self._note(change)
        return super().on_visit(node)

    def on_leave(self, original_node: cst.CSTNode) -> None:
        """Leave a class or a function again."""
        super().on_leave(original_node)
        if isinstance(original_node, cst.ClassDef):
            self.classes.pop()
        if self.open is original_node:
            self.open = None
            self.people.leave_out()
        self.people.saw(original_node)
        self.bound.update(_names_bound(original_node))

    def _enter(self, node: cst.FunctionDef | cst.Lambda, name: str, function: str) -> None:
        self._begin(node, name, function)
        self.open = node
        self.bound = _parameters(node.params)
        self.people.enter(node, self.bound)
        self.texts = _alternatives(node, self.constants)

    def _begin(self, node: cst.CSTNode, name: str, function: str) -> None:
        first: cst.CSTNode = node
        if isinstance(node, cst.FunctionDef) and node.decorators:
            first = node.decorators[0]
        line = self.source.count(b"\n", 0, self._span(first).start) + 1
        self.found[node] = Unit(name, self._span(node), line, function, ())

    def _note(self, change: Change) -> None:
        unit = self.open or self.top
        if unit is not None:
            self.changes.setdefault(unit, []).append(change)

    def _span(self, node: cst.CSTNode) -> Span:
        span = self.get_metadata(ByteSpanPositionProvider, node)
        return Span(span.start, span.start + span.length)

    def _text(self, node: cst.CSTNode) -> str:
        span = self._span(node)
        return self.source[span.start : span.end].decode()

    # What is left as it is

    def _stays(self, node: cst.CSTNode, parent: cst.CSTNode | None) -> bool:
        """Whether nothing in a node is changed."""
        return (
            (isinstance(node, KINDS_NEVER_CHANGED) and m.matches(node, NEVER_CHANGED))
            or self._is_docstring(node)
            or self._only_cites(node)
            or self._is_told(node, parent)
        )

    def _is_told(self, node: cst.CSTNode, parent: cst.CSTNode | None) -> bool:
        """Whether an argument is text for people."""
        if isinstance(parent, cst.Call) and isinstance(node, cst.Arg):
            name = parent.func.value if isinstance(parent.func, cst.Name) else ""
            return any(node is arg for at in TOLD.get(name, ()) for arg in parent.args[at : at + 1])
        return False

    def _is_docstring(self, node: cst.CSTNode) -> bool:
        return isinstance(node, cst.SimpleStatementLine) and m.matches(node, DOCSTRING)

    def _is_citing(self, function: cst.FunctionDef) -> bool:
        """Whether a function gives the rules behind something and nothing else."""
        if function.returns is None or self._text(function.returns.annotation) != "tuple[str, ...]":
            return False
        mentioned = {each.value for each in _names_in(function.body)}
        return bool(mentioned & self.citations) or "rules" in function.name.value

    def _only_cites(self, node: cst.CSTNode) -> bool:
        """Whether a case of a `match` or a whole `if` does nothing but cite."""
        if isinstance(node, cst.MatchCase | cst.If) and isinstance(node.body, cst.IndentedBlock):
            other = node.orelse if isinstance(node, cst.If) else None
            cites = all(m.matches(line, CITING) for line in node.body.body)
            return cites and other is None
        return False

    # Changes

    def _changes_at(self, node: cst.CSTNode, parent: cst.CSTNode | None) -> Iterator[Change]:
        """Every change of one node."""
        match node:
            case cst.ComparisonTarget():
                yield from self._other_comparisons(node)
            case cst.BinaryOperation() | cst.AugAssign():
                yield from self._other_arithmetic(node)
            case cst.Integer():
                yield from self._other_numbers(node)
            case cst.Name(value="True" | "False"):
                yield self._instead(node, OPPOSITES[node.value], "the other truth")
            case cst.BooleanOperation(operator=operator):
                word = "and" if isinstance(operator, cst.And) else "or"
                yield self._instead(operator, OPPOSITES[word], f"`{word}` the other way")
            case cst.UnaryOperation(operator=cst.Not()):
                yield self._instead(node, self._text(node.expression), "without `not`")
            case cst.Call():
                yield from self._other_calls(node)
            case cst.SimpleString() | cst.Name():
                yield from self._other_texts(node)
            case _:
                pass
        if self.open:
            yield from self._in_functions(node, parent)

    def _in_functions(self, node: cst.CSTNode, parent: cst.CSTNode | None) -> Iterator[Change]:
        """The changes that only make sense where something is done."""
        match node:
            case cst.If() | cst.IfExp() | cst.CompIf():
                yield from self._forced(node.test)
            case cst.MatchCase():
                yield from self._other_cases(node)
            case cst.SimpleStatementLine():
                yield from self._left_out(node)
            case cst.Tuple() if isinstance(parent, cst.Return | cst.Arg):
                yield from self._shorter(node)
            case cst.Tuple() if isinstance(parent, cst.Assign):
                yield from (each for each in self._shorter(node) if each.kind == REPLACED)
            case _:
                pass
        around = self.get_metadata(ParentNodeProvider, parent, None) if parent else None
        yield from self.people.mistakes(node, parent, around)

    def _instead(self, node: cst.CSTNode, text: str, what: str, kind: str = SLIP) -> Change:
        span = self._span(node)
        return Change(span.start, span.end, text, what, kind)

    def _other_comparisons(self, node: cst.ComparisonTarget) -> Iterator[Change]:
        for text in COMPARISONS.get(type(node.operator), ()):
            own = self._text(node.operator).strip()
            # With another border, or the opposite.
            kind = BOUND if own.strip("=") == text.strip("=") and own[0] in "<>" else SLIP
            yield self._instead(node.operator, text, f"`{text}` for `{own}`", kind)

    def _other_arithmetic(self, node: cst.BinaryOperation | cst.AugAssign) -> Iterator[Change]:
        other = ARITHMETIC.get(type(node.operator))
        sides = (node.left, node.right) if isinstance(node, cst.BinaryOperation) else (node.value,)
        if other is not None and not any(map(self._is_no_number, sides)):
            own = self._text(node.operator).strip()
            yield self._instead(node.operator, other, f"`{other}` for `{own}`")

    def _is_no_number(self, node: cst.CSTNode) -> bool:
        """Whether an operand is plainly a tuple, so that only `+` makes sense."""
        if isinstance(node, cst.BinaryOperation):
            return self._is_no_number(node.left) or self._is_no_number(node.right)
        return (
            isinstance(node, cst.Tuple | cst.SimpleString | cst.List)
            or m.matches(node, m.Call(func=m.Name("cite") | m.Name("tuple")))
            or (isinstance(node, cst.Subscript) and m.matches(node.slice[0].slice, m.Slice()))
            or (isinstance(node, cst.Name) and node.value in self.citations)
        )

    def _other_numbers(self, node: cst.Integer) -> Iterator[Change]:
        for number in (int(node.value) + 1, int(node.value) - 1):
            text = str(number) if number >= 0 else f"({number})"
            yield self._instead(node, text, f"{number} for {node.value}", BOUND)

    def _other_calls(self, node: cst.Call) -> Iterator[Change]:
        if not isinstance(node.func, cst.Name):
            return
        name = node.func.value
        if name in OTHER_FUNCTIONS:
            other = OTHER_FUNCTIONS[name]
            yield self._instead(node.func, other, f"`{other}` for `{name}`")
        if name == "pick":
            yield from self._forced(node.args[0].value)
        if name == "change":
            for arg in node.args:
                if arg.keyword is not None:
                    yield self._without(node.args, arg, f"`{arg.keyword.value}` stays as it was")
        if name == "push":
            for arg in node.args[1:]:
                yield self._without(node.args, arg, "a frame is not pushed")

    def _other_texts(self, node: cst.SimpleString | cst.Name) -> Iterator[Change]:
        """Another one of the texts that the same function tells apart."""
        if self.open is not None and node.value in self.texts:
            for text in self.texts:
                if text != node.value:
                    yield self._instead(node, text, f"{text} for {node.value}")

    def _forced(self, test: cst.BaseExpression) -> Iterator[Change]:
        for truth in ("True", "False"):
            if self._text(test) != truth:
                yield self._instead(test, truth, f"the condition is always {truth.lower()}")

    def _other_cases(self, node: cst.MatchCase) -> Iterator[Change]:
        if node.guard is not None:
            yield from self._forced(node.guard)
        elif not m.matches(node.pattern, m.MatchAs(pattern=None, name=None)):
            span = self._span(node.pattern)
            # After any brackets around the pattern.
            end = self.source.index(b":\n", span.end)
            yield Change(end, end, " if False", "the case never applies")

    def _left_out(self, node: cst.SimpleStatementLine) -> Iterator[Change]:
        """A statement is forgotten, unless what comes later could not even run without it."""
        (statement, *more) = node.body
        if more:
            return
        match statement:
            case cst.Expr(value=cst.Yield()):
                yield self._instead(statement, "yield from ()", "nothing is given here")
            case cst.Expr() | cst.AugAssign():
                yield self._instead(statement, "pass", "the statement is left out", FORGOTTEN)
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))]):
                if name in self.bound:
                    yield self._instead(statement, "pass", "the statement is left out", FORGOTTEN)
            case _:
                pass

    def _shorter(self, node: cst.Tuple) -> Iterator[Change]:
        """A tuple lacks one of its elements."""
        for at, _ in enumerate(node.elements):
            kept = [self._text(each) for other, each in enumerate(node.elements) if other != at]
            inner = ", ".join(kept) + ("," if len(kept) == 1 else "")
            span = self._span(node)
            gone = " ".join(self._text(node.elements[at]).split())
            # The brackets of a tuple are not in its span, and without them `()` needs its own.
            text = inner if kept or node.lpar else "()"
            kind = REPLACED if at == 0 and _adds_one(node) else SLIP
            yield Change(span.start, span.end, text, f"without {gone}", kind)

    def _without(self, args: Sequence[cst.Arg], gone: cst.Arg, what: str) -> Change:
        """A call lacks one of its arguments."""
        kept = [self._text(each) for each in args if each is not gone]
        start, end = self._span(args[0]).start, self._span(args[-1]).end
        return Change(start, end, ", ".join(kept), what, FORGOTTEN)

    def _note_stubs(self, function: cst.FunctionDef) -> None:
        """The function does nothing: it gives back at once what is nearest to nothing."""
        if function.returns is None or not isinstance(function.body, cst.IndentedBlock):
            return
        statements = [line for line in function.body.body if not self._is_docstring(line)]
        if not statements or m.matches(statements[0], m.SimpleStatementLine([m.Raise()])):
            return
        start = self._span(statements[0]).start
        indent = self.source[self.source.rindex(b"\n", 0, start) + 1 : start].decode()
        for stub in _stubs(self._text(function.returns.annotation), _parameters(function.params)):
            self._note(Change(start, start, f"{stub}\n{indent}", "the function does nothing"))


def _adds_one(node: cst.Tuple) -> bool:
    """Whether a tuple is another one with something more: `(*before, new)`."""
    first, *others = node.elements
    return isinstance(first, cst.StarredElement) and any(
        not isinstance(each, cst.StarredElement) for each in others
    )


def _stubs(annotation: str, parameters: Collection[str]) -> tuple[str, ...]:
    if annotation in STUBS:
        wanted = STUBS[annotation]
        return wanted if "state" in parameters or "state" not in wanted[0] else ()
    if annotation.endswith("| None"):
        return ("return None",)
    if annotation.startswith("Iterator["):
        return ("return iter(())",)
    if annotation.startswith("tuple[") and annotation.endswith("...]"):
        return ("return ()",)
    return ()


def _names_in(node: cst.CSTNode) -> list[cst.Name]:
    return [each for each in m.findall(node, m.Name()) if isinstance(each, cst.Name)]


def _parameters(given: cst.Parameters) -> set[str]:
    return {
        each.name.value for each in (*given.posonly_params, *given.params, *given.kwonly_params)
    }


def _names_bound(node: cst.CSTNode) -> Iterator[str]:
    """The names that a statement gives a value to."""
    if isinstance(node, cst.Assign):
        for target in node.targets:
            if isinstance(target.target, cst.Name):
                yield target.target.value


def _named_texts(module: cst.Module) -> Iterator[str]:
    for line in module.body:
        if isinstance(line, cst.SimpleStatementLine):
            for statement in line.body:
                if isinstance(statement, cst.Assign) and m.matches(statement.value, TEXT):
                    yield from _names_bound(statement)


def _alternatives(
    function: cst.FunctionDef | cst.Lambda, constants: Collection[str]
) -> tuple[str, ...]:
    """The texts that a function compares something with, and the constants for texts in it."""
    compared = [
        each.value
        for target in m.findall(function.body, m.ComparisonTarget())
        for each in m.findall(target, TEXT)
        if isinstance(each, cst.SimpleString)
    ]
    named = [each.value for each in _names_in(function.body) if each.value in constants]
    return tuple(dict.fromkeys(compared if len(set(compared)) > 1 else named))


def _target_name(node: cst.CSTNode) -> str:
    """What a statement of a module is about."""
    if isinstance(node, cst.ClassDef | cst.FunctionDef):
        return node.name.value
    if isinstance(node, cst.SimpleStatementLine):
        for statement in node.body:
            if isinstance(statement, cst.Assign):
                return _named(statement.targets[0].target)
            if isinstance(statement, cst.AnnAssign):
                return _named(statement.target)
    return "module"


def _named(target: cst.BaseExpression) -> str:
    return target.value if isinstance(target, cst.Name) else "module"
