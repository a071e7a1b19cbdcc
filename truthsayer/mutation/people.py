"""The mistakes of people who know the language and for a moment not the game.

They give an effect to another player, write back what was before a change, replace what was to be
added to, do things in another order, tell a secret or keep what is open, put a bound elsewhere,
deliver to some only or twice, and swap the readings of a ruling. Each kind has a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import libcst as cst
import libcst.matchers as m

from rules_engine.rulebook.rulings import rulings
from truthsayer.mutation.change import (
    BOUND,
    DELIVERY,
    REPLACED,
    RULING,
    SECRECY,
    STALE,
    SWAPPED,
    WRONG_PLAYER,
    Change,
    Span,
)

SEATS = ("seat", "victim", "holder", "following", "other")
"""The names under which rule functions have a player."""

OF_SEATS = ("victims", "opponents", "others", "order", "heirs")
"""The names under which rule functions have several players."""

THE_SAME = ("seat", "frame.seat", "action.by", "turn.seat", "owner.seat")
"""Names for one and the same player: who is asked is who answers, in the own turn."""

PAIRS = {"before": "after", "after": "before"}

FIRST_PLAYER = "state.first_player"

STATE_OF_A_STEP = m.Attribute(value=m.Name(), attr=m.Name("state"))
SEAT_OF_SOMETHING = m.Attribute(value=m.Name(), attr=m.Name("seat") | m.Name("by"))
ADDED_TO = m.BinaryOperation(operator=m.Add())
WITHOUT_ORDER = m.Call(
    func=m.Name("sorted")
    | m.Name("_sorted")
    | m.Name("_named")
    | m.Attribute(attr=m.Name("fromkeys"))
)
"""What puts its elements in an order of its own, or only lists what is offered."""

PLAYERS = m.Attribute(value=m.Name("state"), attr=m.Name("players"))
CLOCKWISE = m.Call(func=m.Name("clockwise"))
FOLLOWS = m.Call(func=m.Name("follows"), args=[m.DoNotCare(), m.Arg(value=m.SimpleString())])

OTHER_SIDE_OF_BOUND: dict[type[cst.BaseCompOp], str] = {
    cst.LessThan: "-",
    cst.GreaterThanEqual: "-",
    cst.LessThanEqual: "+",
    cst.GreaterThan: "+",
}
"""Where a bound goes that another comparison could not put there."""

EVENT_FACTS = 3
EVENT_SECRET = 4


Parent = cst.CSTNode | None


class People:
    """Finds the mistakes at a node; it is told of each function that is entered."""

    def __init__(
        self, text: Callable[[cst.CSTNode], str], span: Callable[[cst.CSTNode], Span]
    ) -> None:
        self._text = text
        self._span = span
        self._scope: frozenset[str] = frozenset()
        """Parameters of the function, and the texts of players that it speaks of."""
        self._made_from: dict[str, str] = {}
        """Names that stand for a changed record, with the name of the one before."""

    def enter(self, function: cst.FunctionDef | cst.Lambda, parameters: set[str]) -> None:
        """A function is walked from here on."""
        self._made_from = {}
        spoken = m.findall(function.body, SEAT_OF_SOMETHING)
        self._scope = frozenset(parameters) | {
            self._text(each)
            for each in spoken
            if isinstance(each, cst.Attribute) and isinstance(each.value, cst.Name)
            if each.value.value in parameters
        }

    def leave_out(self) -> None:
        """No function is walked any more."""
        self._scope, self._made_from = frozenset(), {}

    def saw(self, node: cst.CSTNode) -> None:
        """A statement was walked: remember what it gave a name to, and changed records."""
        if isinstance(node, cst.Assign):
            self._scope |= {*_bound_by(node)}
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value):
                self._made_from.pop(name, None)
                match value:
                    case cst.Call(
                        func=cst.Name(value="change"), args=[cst.Arg(value=cst.Name(value=of)), *_]
                    ) if of != name:
                        self._made_from[name] = of
                    case _:
                        pass
            case _:
                pass

    def mistakes(self, node: cst.CSTNode, parent: Parent, around: Parent) -> Iterator[Change]:
        """Every mistake at one node inside a function; `around` is what its parent is in."""
        match node:
            case cst.Name() | cst.Attribute():
                yield from self._wrong_player(node, parent)
                yield from self._stale(node, parent)
            case cst.Call():
                yield from self._swapped_arguments(node)
                yield from self._secrecy(node)
                yield from self._pushed_twice(node)
                yield from self._default_reading(node)
            case cst.Arg():
                yield from self._replaced(node)
            case cst.BinaryOperation() if isinstance(parent, cst.Arg | cst.Assign | cst.Return):
                yield from self._only_what_is_new(node)
            case cst.AugAssign(operator=cst.AddAssign()):
                yield self._instead(node.operator, "=", "replaced, not added to", REPLACED)
            case cst.Comparison():
                yield from self._other_readings(node)
                yield from self._bound_elsewhere(node)
            case cst.IndentedBlock():
                yield from self._swapped_statements(node)
            case cst.Tuple():
                if around is None or not m.matches(around, WITHOUT_ORDER):
                    yield from self._swapped_elements(node, parent)
                yield from self._last_first(node, parent)
            case cst.Subscript():
                yield from self._against_the_clock(node)
            case cst.CompFor() | cst.For():
                yield from self._some_only(node.iter)
            case cst.GeneratorExp():
                yield from self._changed_for_one(node)
            case _:
                pass

    def _instead(self, node: cst.CSTNode, text: str, what: str, kind: str) -> Change:
        span = self._span(node)
        return Change(span.start, span.end, text, what, kind)

    # Wrong player

    def _wrong_player(self, node: cst.Name | cst.Attribute, parent: Parent) -> Iterator[Change]:
        """Another player who is spoken of, or the First Player."""
        own = self._text(node)
        if not isinstance(parent, cst.Arg | cst.Comparison | cst.ComparisonTarget):
            return
        if isinstance(parent, cst.Arg) and parent.keyword is not None and parent.keyword is node:
            return
        if not self._is_player(own):
            return
        others = [
            each
            for each in sorted(self._scope)
            if self._is_player(each) and not (own in THE_SAME and each in THE_SAME)
        ]
        if "state" in self._scope:
            others.append(FIRST_PLAYER if own != FIRST_PLAYER else "0")
        for other in others:
            if other != own:
                yield self._instead(node, other, f"{other} for {own}", WRONG_PLAYER)

    def _is_player(self, text: str) -> bool:
        return text in SEATS or text == FIRST_PLAYER or text.endswith((".seat", ".by"))

    # Stale

    def _stale(self, node: cst.Name | cst.Attribute, parent: Parent) -> Iterator[Change]:
        """What was before a change is used after it."""
        if m.matches(node, STATE_OF_A_STEP) and "state" in self._scope:
            yield self._instead(node, "state", f"state for {self._text(node)}", STALE)
        if not isinstance(node, cst.Name) or not isinstance(
            parent, cst.Arg | cst.Comparison | cst.ComparisonTarget
        ):
            return
        if isinstance(parent, cst.Arg) and parent.keyword is node:
            return
        earlier = self._made_from.get(node.value)
        if earlier is not None:
            yield self._instead(node, earlier, f"{earlier} for {node.value}", STALE)
        other = PAIRS.get(node.value)
        if other is not None and other in self._scope:
            yield self._instead(node, other, f"{other} for {node.value}", STALE)

    # Replaced

    def _replaced(self, node: cst.Arg) -> Iterator[Change]:
        """A field gets what is new alone."""
        if node.keyword is None:
            return
        name = node.keyword.value
        match node.value:
            case cst.BinaryOperation(left=left, operator=cst.Add() | cst.Subtract(), right=right):
                if m.matches(left, m.Attribute(attr=m.Name(name))):
                    what = f"{name} is replaced, not changed by so much"
                    yield self._instead(node.value, self._text(right), what, REPLACED)
            case cst.Call(func=cst.Name(value="with_card"), args=[_, added]):
                text = f"({self._text(added)},)"
                yield self._instead(node.value, text, f"{name} is replaced", REPLACED)
            case _:
                pass

    def _only_what_is_new(self, node: cst.BinaryOperation) -> Iterator[Change]:
        """Of a sum only the last part, where it is nothing that is cited."""
        if m.matches(node, ADDED_TO) and not _cites(self._text(node)):
            right = self._text(node.right)
            yield self._instead(node, right, f"{right} alone, without what was before", REPLACED)

    # Swapped order

    def _swapped_arguments(self, node: cst.Call) -> Iterator[Change]:
        """Two frames are pushed, or two texts given, in the other order; or nothing is reversed."""
        match node.func:
            case cst.Name(value="push"):
                for one, other in pairwise(node.args[1:]):
                    yield self._swapped(node.args, one, other, "two frames in the other order")
            case cst.Name(value="reversed"):
                text = self._text(node.args[0])
                if text.startswith("clockwise") or "." not in text:
                    yield self._instead(node, text, "not reversed", SWAPPED)
            case cst.Name(value="Event" | "Reason"):
                pass
            case _:
                for one, other in pairwise(node.args):
                    texts = isinstance(one.value, cst.SimpleString) and isinstance(
                        other.value, cst.SimpleString
                    )
                    if texts:
                        yield self._swapped(node.args, one, other, "two texts swapped")

    def _swapped(
        self, all_of_them: Sequence[cst.CSTNode], one: cst.CSTNode, other: cst.CSTNode, what: str
    ) -> Change:
        order = list(all_of_them)
        at = next(place for place, each in enumerate(order) if each is one)
        order[at], order[at + 1] = other, one
        text = ", ".join(self._bare(each) for each in order)
        start, end = self._span(all_of_them[0]).start, self._end(all_of_them[-1])
        return Change(start, end, text, what, SWAPPED)

    def _bare(self, node: cst.CSTNode) -> str:
        """An element or argument without the comma that follows it."""
        return self._text(node).rstrip().removesuffix(",").rstrip()

    def _end(self, node: cst.CSTNode) -> int:
        """Where an element ends, without the comma that follows it."""
        return self._span(node).start + len(self._bare(node).encode())

    def _swapped_statements(self, node: cst.IndentedBlock) -> Iterator[Change]:
        """Two statements in the other order, if that matters and the second can run before."""
        known = set(self._scope)
        for one, other in pairwise(node.body):
            bound, read = {*_bound_by(one)}, {*_names_read(other)}
            fresh = bound - known
            known |= bound
            again = {*_bound_by(other)}
            matters = bound & (read | again) or again & {*_names_read(one)}
            if not (_is_plain(one) and _is_plain(other)) or fresh & read or not matters:
                continue
            first, second = self._span(one), self._span(other)
            gap = self._gap(node, first.end, second.start)
            text = self._text(other) + gap + self._text(one)
            what = "two statements in the other order"
            yield Change(first.start, second.end, text, what, SWAPPED)

    def _gap(self, block: cst.IndentedBlock, start: int, end: int) -> str:
        span = self._span(block)
        inside = self._text(block).encode()
        return inside[start - span.start : end - span.start].decode()

    def _swapped_elements(self, node: cst.Tuple, parent: Parent) -> Iterator[Change]:
        """Two neighbours of a tuple that is given on are swapped."""
        if not isinstance(parent, cst.Arg) or _cites(self._text(node)):
            return
        for one, other in pairwise(node.elements):
            yield self._swapped(node.elements, one, other, "two elements swapped")

    def _last_first(self, node: cst.Tuple, parent: Parent) -> Iterator[Change]:
        """`first, *rest` takes the last one instead."""
        match node.elements:
            case [cst.Element(value=first), cst.StarredElement(value=rest)] if isinstance(
                parent, cst.AssignTarget
            ):
                text = f"*{self._text(rest)}, {self._text(first)}"
                yield self._instead(node, text, "the last one first", SWAPPED)
            case _:
                pass

    def _against_the_clock(self, node: cst.Subscript) -> Iterator[Change]:
        if m.matches(node.value, CLOCKWISE) and self._text(node).endswith("[1]"):
            text = self._text(node).removesuffix("[1]") + "[-1]"
            yield self._instead(node, text, "the one before for the one after", SWAPPED)

    # Secrecy

    def _secrecy(self, node: cst.Call) -> Iterator[Change]:
        """A secret is told, or what is open is told to one player alone."""
        if not m.matches(node.func, m.Name("Event")):
            return
        last = node.args[-1]
        secret = last.keyword is not None and last.keyword.value == "secret"
        facts = node.args[EVENT_FACTS].value if len(node.args) > EVENT_FACTS else None
        if secret or len(node.args) > EVENT_SECRET:
            start, end = self._end(node.args[-2]), self._end(last)
            yield Change(start, end, "", "everybody is told", SECRECY)
        elif isinstance(facts, cst.Dict):
            end = self._end(last)
            for name in _keys(facts):
                text = f", secret=({name},)"
                yield Change(end, end, text, f"{name} is told to one player alone", SECRECY)

    def visibility(self, field: cst.AnnAssign) -> Iterator[Change]:
        """A field of a record is declared open, or hidden."""
        kind = field.annotation.annotation
        text = self._text(kind)
        if text.startswith("Annotated[") and "Seen." in text:
            inner = text.removeprefix("Annotated[").partition(",")[0]
            yield self._instead(kind, inner, "everybody sees it", SECRECY)
        elif text in ("Cards", "Deck"):
            hidden = f"Annotated[{text}, Seen.OWNER]"
            yield self._instead(kind, hidden, "only its owner sees it", SECRECY)

    # Bounds

    def _bound_elsewhere(self, node: cst.Comparison) -> Iterator[Change]:
        """A bound that has a name is one off, to where another comparison would not put it."""
        if len(node.comparisons) != 1:
            return
        (target,) = node.comparisons
        sign = OTHER_SIDE_OF_BOUND.get(type(target.operator))
        right = target.comparator
        if sign is not None and isinstance(right, cst.Name | cst.Attribute):
            text = f"{self._text(right)} {sign} 1"
            yield self._instead(right, text, f"the bound is {text}", BOUND)

    # Delivery

    def _some_only(self, over: cst.BaseExpression) -> Iterator[Change]:
        """One of several players is left out, or all come twice."""
        text = self._text(over)
        if m.matches(over, PLAYERS):
            for part in ("[1:]", "[:1]"):
                yield self._instead(over, text + part, f"only {text}{part}", DELIVERY)
        elif m.matches(over, CLOCKWISE) or text in OF_SEATS:
            yield self._instead(over, f"{text}[:-1]", "the last one is left out", DELIVERY)
            yield self._instead(over, f"{text} * 2", "everybody twice", DELIVERY)
        elif text.startswith("reversed(") and text.endswith(")"):
            inner = text.removeprefix("reversed(").removesuffix(")")
            yield self._instead(over, f"reversed({inner}[1:])", "one is left out", DELIVERY)
            yield self._instead(over, f"reversed({inner} * 2)", "everybody twice", DELIVERY)

    def _changed_for_one(self, node: cst.GeneratorExp) -> Iterator[Change]:
        """What every player's record should get, the First Player's gets alone."""
        if m.matches(node.for_in.iter, PLAYERS) and m.matches(
            node.elt, m.Call(func=m.Name("change"), args=[m.Arg(m.Name()), m.AtLeastN(n=1)])
        ):
            each = self._text(node.for_in.target)
            one = f"{self._text(node.elt)} if {each}.seat == {FIRST_PLAYER} else {each}"
            yield self._instead(node.elt, one, "the First Player alone", DELIVERY)

    def _pushed_twice(self, node: cst.Call) -> Iterator[Change]:
        if m.matches(node.func, m.Name("push")) and len(node.args) == 2 and not node.args[1].star:
            text = f"{self._text(node.args[1])}, {self._text(node.args[1])}"
            yield self._instead(node.args[1], text, "the frame is pushed twice", DELIVERY)

    # Rulings

    def _other_readings(self, node: cst.Comparison) -> Iterator[Change]:
        """Another reading of the ruling that a game follows."""
        if not m.matches(node.left, FOLLOWS) or len(node.comparisons) != 1:
            return
        said = node.comparisons[0].comparator
        if isinstance(said, cst.SimpleString):
            for value in self._readings(node.left):
                if value != said.evaluated_value:
                    text = f'"{value}"'
                    yield self._instead(said, text, f"{text} for {said.value}", RULING)

    def _default_reading(self, node: cst.Call) -> Iterator[Change]:
        """The game's own choice is not looked at."""
        if m.matches(node, FOLLOWS):
            for value in self._readings(node)[:1]:
                yield self._instead(node, f'"{value}"', "always the default reading", RULING)

    def _readings(self, follows: cst.BaseExpression) -> tuple[str, ...]:
        assert isinstance(follows, cst.Call)
        name = follows.args[1].value
        assert isinstance(name, cst.SimpleString)
        known = rulings().get(str(name.evaluated_value))
        return () if known is None else known.values


def _cites(text: str) -> bool:
    """Whether a text speaks of constants: citations, or tables of them."""
    return any(word.isupper() and len(word) > 1 for word in _words(text)) or "rules" in text


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() or letter == "_" else " " for letter in text).split()


def _keys(facts: cst.Dict) -> Iterator[str]:
    for element in facts.elements:
        if isinstance(element, cst.DictElement) and isinstance(element.key, cst.SimpleString):
            yield element.key.value


def _is_plain(line: cst.CSTNode) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and m.matches(
        line.body[0], m.Assign() | m.AugAssign() | m.Expr(value=m.Call())
    )


def _bound_by(line: cst.CSTNode) -> Iterator[str]:
    for target in m.findall(line, m.AssignTarget() | m.AugAssign()):
        assert isinstance(target, cst.AssignTarget | cst.AugAssign)
        for name in m.findall(target.target, m.Name()):
            assert isinstance(name, cst.Name)
            yield name.value


def _names_read(line: cst.CSTNode) -> Iterator[str]:
    for statement in m.findall(line, m.Assign() | m.AugAssign() | m.Expr()):
        assert isinstance(statement, cst.Assign | cst.AugAssign | cst.Expr)
        for name in m.findall(statement.value, m.Name()):
            assert isinstance(name, cst.Name)
            yield name.value
