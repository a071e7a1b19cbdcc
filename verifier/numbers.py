"""Symbolic numbers: they add and compare like `int`, and asking one for its truth forks the run.

Whatever else is done with one (hashing, indexing, formatting, ...) raises `Misuse`: a number that
quietly turned into text or a key would make a proof mean nothing.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Hashable
from numbers import Number
from pathlib import Path
from typing import Any, NoReturn

import z3

from verifier import terms
from verifier.current import Misuse, Term, Unsupported, current, in_progress, reject, truth_value

VERIFIER = Path(__file__).parent
SCENARIOS = VERIFIER.parent / "scenarios"


def _asked_by_a_scenario() -> bool:
    """Whether it is the runner of scenarios that words what it saw: nothing depends on that."""
    frame = sys._getframe(1)
    while frame.f_back is not None and Path(frame.f_code.co_filename).parent == VERIFIER:
        frame = frame.f_back
    return Path(frame.f_code.co_filename).is_relative_to(SCENARIOS)


def _forbidden(use: str) -> Callable[..., NoReturn]:
    def misused(*_: object, **__: object) -> NoReturn:
        raise reject(Misuse(use))

    return misused


@functools.cache
def _constant(value: int) -> Term:
    return z3.IntVal(value)


@functools.cache
def named(name: str) -> Term:
    """The Z3 constant of this name."""
    return z3.Int(name)


_made: dict[tuple[str, int], _Symbolic] = {}
"""Every symbolic value by the number of its term."""

_results: dict[tuple[Any, ...], tuple[Any, tuple[Any, ...], bool]] = {}
"""What each operation gave, of what, and whether that settles something for all numbers.

An exploration does the same work on every path; this does it once.
"""


_simplified: dict[int, Term] = {}
"""By the number of each term that a simpler one took the place of: that they mean the same."""


def forget() -> None:
    """Drop what was remembered; called when an exploration is over."""
    _made.clear()
    _results.clear()
    _simplified.clear()


_settled = [0]


def settled_for_all() -> int:
    """How often symbols were compared with a plain result, the same for all numbers, so far."""
    return _settled[0]


def simplified() -> tuple[Term, ...]:
    """That every simplification of the exploration is right: nobody takes its word for it."""
    return tuple(_simplified.values())


def number(term: Term) -> Any:
    """A term as a number: a plain `int` where only one value is possible."""
    simple = terms.plain_number(term)
    if isinstance(simple, int):
        _to_be_shown(term, _constant(simple))
        return SettledInt(simple)
    _to_be_shown(term, simple)
    return _kept(SymInt(simple))


def truth(term: Term) -> Any:
    """A term as a truth value: a plain `bool` where it is already settled."""
    simple = terms.plain_truth(term)
    if isinstance(simple, bool):
        _to_be_shown(term, terms.TRUE if simple else terms.FALSE)
        return simple
    _to_be_shown(term, simple)
    return _kept(SymBool(simple))


def _to_be_shown(term: Term, simple: Term) -> None:
    """Remember that the two have to mean the same. The terms live as long as their numbers do."""
    at, same_term = term.get_id(), simple.get_id()
    if at != same_term and at not in _simplified:
        _simplified[at] = terms.same(term, simple)


def _kept(value: _Symbolic) -> _Symbolic:
    """The value that stands for this term, made before or now."""
    return _made.setdefault(value.key, value)


def symbol(name: str) -> Any:
    """The symbolic number of this name."""
    return _once("named", lambda each: number(named(each)), name)


def _once(operation: Hashable, make: Callable[..., Any], *values: Any) -> Any:
    """The result of an operation, made at the first time."""
    key = (operation, *[value.key if isinstance(value, _Symbolic) else value for value in values])
    found = _results.get(key)
    if found is None:
        try:
            result = make(*values)
        except z3.Z3Exception as limit:
            why = f"Z3 failed: {limit}"
            reject(Unsupported(why))  # Somebody may catch the other one.
            raise terms.GaveUp(why) from limit
        # The values are kept: a number of a term that is no more may become that of another.
        found = _results[key] = (result, values, _is_settled_for_all(operation, result, values))
    _settled[0] += found[2]
    return found[0]


def _is_settled_for_all(operation: Hashable, result: Any, values: tuple[Any, ...]) -> bool:
    """Whether comparing symbols has a plain result; `and` may have it by another part.

    A number that is the same for all others says nothing until it is compared.
    """
    # A symbol says that it is a number, too.
    plain = type(result) is bool and operation not in ("and", "or")
    return plain and any(isinstance(each, _Symbolic) for each in values)


def remembered(about: tuple[Any, ...], make: Callable[..., Any], *values: Any) -> Any:
    """What a property makes of some numbers, worked out once and not on every path.

    `about` names everything but the numbers that it depends on. Other code under the same name is
    something else.
    """
    return _once(("remembered", about, make.__code__), lambda *_: make(), *values)


def is_quantity(value: object) -> bool:
    """Whether a value is a whole number; a plain `bool` is one, as everywhere in Python.

    Other numbers are refused: they compare with whole ones, which the terms here cannot express. So
    are subclasses of `int`, whose own operations would be passed over.
    """
    kind = type(value)
    if kind in WHOLE:
        return True
    if kind is SymBool:
        raise reject(Misuse("a symbolic truth value used as a number"))
    if isinstance(value, Number):
        raise reject(Misuse(f"a symbolic value together with a {type(value).__name__}"))
    return False


def int_term(value: Any) -> Term:
    """The Z3 term of a number."""
    return value.term if isinstance(value, SymInt) else _constant(int(value))


def bool_term(value: Any) -> Term:
    """The Z3 term of a truth value; whatever else might count as true is refused."""
    if isinstance(value, SymBool):
        return value.term
    truth_value(value)
    return terms.TRUE if value else terms.FALSE


def _compared(compare: Callable[[int, Any], Any]) -> Callable[[int, Any], Any]:
    """A comparison that counts as one of symbols."""

    def counted(one: int, other: Any) -> Any:
        _settled[0] += 1
        return compare(one, other)

    return counted


def _still_settled(operation: Callable[[int, Any], Any]) -> Callable[[int, Any], Any]:
    """Arithmetic with plain numbers: what comes of it came of symbols, too."""

    def reckoned(one: int, other: Any) -> Any:
        found = operation(one, other)
        return found if found is NotImplemented else SettledInt(found)

    return reckoned


class SettledInt(int):
    """A plain number that came of symbols: the same for all numbers, which says something.

    It says so once it is compared, like symbols that are compared themselves.
    """

    __slots__ = ()
    # Whoever asks is told what a plain number would say.
    __class__ = int  # type: ignore[assignment]

    __eq__ = _compared(int.__eq__)
    __ne__ = _compared(int.__ne__)
    __lt__ = _compared(int.__lt__)
    __le__ = _compared(int.__le__)
    __gt__ = _compared(int.__gt__)
    __ge__ = _compared(int.__ge__)
    __hash__ = int.__hash__

    __add__ = _still_settled(int.__add__)
    __radd__ = _still_settled(int.__radd__)
    __sub__ = _still_settled(int.__sub__)
    __rsub__ = _still_settled(int.__rsub__)


_no_hash = _forbidden("hash of a symbolic value")


class _Symbolic:
    """What no symbolic value can do."""

    __slots__ = ("key", "term")

    def __init__(self, term: Term) -> None:
        self.term = term
        self.key = ("term", term.get_id())

    def __repr__(self) -> str:
        if in_progress() and not _asked_by_a_scenario():
            raise reject(Misuse("text of a symbolic value"))
        return f"<{self.term}>"

    def __getattr__(self, name: str) -> NoReturn:
        raise reject(Misuse(f"`{name}` of a symbolic value"))

    __index__ = _forbidden("index or range of a symbolic value")
    __int__ = _forbidden("int() of a symbolic value")
    __float__ = _forbidden("float() of a symbolic value")
    __complex__ = _forbidden("complex() of a symbolic value")
    __str__ = _forbidden("text of a symbolic value")
    __format__ = _forbidden("format of a symbolic value")
    __len__ = _forbidden("len() of a symbolic value")
    __iter__ = _forbidden("iteration over a symbolic value")
    __contains__ = _forbidden("`in` a symbolic value")
    __getitem__ = _forbidden("subscript of a symbolic value")
    __floordiv__ = __rfloordiv__ = _forbidden("// with a symbolic value")
    __truediv__ = __rtruediv__ = _forbidden("/ with a symbolic value")
    __mod__ = __rmod__ = _forbidden("% with a symbolic value")
    __divmod__ = __rdivmod__ = _forbidden("divmod() with a symbolic value")
    __pow__ = __rpow__ = _forbidden("power of a symbolic value")
    __lshift__ = __rlshift__ = _forbidden("<< with a symbolic value")
    __rshift__ = __rrshift__ = _forbidden(">> with a symbolic value")
    __xor__ = __rxor__ = _forbidden("^ with a symbolic value")
    __abs__ = _forbidden("abs() of a symbolic value")
    __round__ = _forbidden("round() of a symbolic value")
    __trunc__ = __floor__ = __ceil__ = _forbidden("rounding of a symbolic value")
    __reduce_ex__ = _forbidden("copying or pickling a symbolic value")


class SymInt(_Symbolic):
    """A whole number that may have many values."""

    __slots__ = ()
    # What `isinstance`, a class pattern and `singledispatch` ask for: it is a whole number.
    __class__ = int  # type: ignore[assignment]

    def __add__(self, other: Any) -> Any:
        return _once("+", _sum, self, other) if is_quantity(other) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _once("-", _difference, self, other) if is_quantity(other) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return _once("-", _difference, other, self) if is_quantity(other) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, SymInt):
            raise reject(Misuse("product of two symbolic values"))
        return _once("*", _product, self, other) if is_quantity(other) else NotImplemented

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return 0 - self

    def __pos__(self) -> SymInt:
        return self

    def __lt__(self, other: Any) -> Any:
        return _once("<", _less, self, other) if is_quantity(other) else NotImplemented

    def __le__(self, other: Any) -> Any:
        return _once("<=", _at_most, self, other) if is_quantity(other) else NotImplemented

    def __gt__(self, other: Any) -> Any:
        return _once("<", _less, other, self) if is_quantity(other) else NotImplemented

    def __ge__(self, other: Any) -> Any:
        return _once("<=", _at_most, other, self) if is_quantity(other) else NotImplemented

    def __eq__(self, other: Any) -> Any:
        return _once("==", _equal, self, other) if is_quantity(other) else NotImplemented

    def __ne__(self, other: Any) -> Any:
        return opposite(self == other)

    def __hash__(self) -> int:
        return _no_hash()

    def __bool__(self) -> bool:
        return bool(self != 0)

    def pick(self, yes: Any, no: Any) -> Any:
        """`yes` unless this is 0, else `no`."""
        return (self != 0).pick(yes, no)

    __and__ = __rand__ = _forbidden("& with a symbolic number")
    __or__ = __ror__ = _forbidden("| with a symbolic number")
    __invert__ = _forbidden("~ of a symbolic number")


WHOLE = frozenset({int, bool, SettledInt, SymInt})
"""The types of whole numbers."""


class SymBool(_Symbolic):
    """A truth value that depends on symbolic numbers."""

    __slots__ = ()
    __class__ = bool  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return current().branch(self)

    def pick(self, yes: Any, no: Any) -> Any:
        """`yes` where this holds, else `no`: one value of numbers, truth values or texts."""
        truths = [isinstance(each, bool | SymBool) for each in (yes, no)]
        if all(truths):
            return _once("pick truth", _pick_truth, self, yes, no)
        if any(truths) and is_quantity(no if truths[0] else yes):
            raise reject(Misuse("a truth value or a number picked"))
        if is_quantity(yes) and is_quantity(no):
            return _once("pick", _pick_number, self, yes, no)
        from verifier.one_of import is_text, picked_text  # It is made of what is here

        if is_text(yes) and is_text(no):
            return picked_text(self, yes, no)
        return yes if self else no

    def __and__(self, other: Any) -> Any:
        return all_of(self, other)

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        return any_of(self, other)

    __ror__ = __or__

    __invert__ = _forbidden("~ of a truth value, which is true for both in Python,")

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, bool | SymBool):
            return _once("iff", _same_truth, self, other)
        if isinstance(other, SymInt | Number):
            raise reject(Misuse("a symbolic truth value compared with a number"))
        return NotImplemented

    def __ne__(self, other: Any) -> Any:
        return opposite(self == other)

    def __hash__(self) -> int:
        return _no_hash()

    __add__ = __radd__ = __sub__ = __rsub__ = _forbidden("arithmetic with a symbolic truth value")
    __mul__ = __rmul__ = __neg__ = __pos__ = _forbidden("arithmetic with a symbolic truth value")
    __lt__ = __le__ = __gt__ = __ge__ = _forbidden("comparing symbolic truth values by size")


# The terms of the operations


def _sum(a: Any, b: Any) -> Any:
    return number(terms.total(int_term(a), int_term(b)))


def _difference(a: Any, b: Any) -> Any:
    return number(terms.difference(int_term(a), int_term(b)))


def _product(a: Any, b: Any) -> Any:
    return number(int_term(a) * int_term(b))


def _less(a: Any, b: Any) -> Any:
    return truth(terms.less(int_term(a), int_term(b)))


def _at_most(a: Any, b: Any) -> Any:
    return truth(terms.at_most(int_term(a), int_term(b)))


def _equal(a: Any, b: Any) -> Any:
    return truth(terms.same(int_term(a), int_term(b)))


def _pick_number(condition: Any, yes: Any, no: Any) -> Any:
    return number(terms.number_where(condition.term, int_term(yes), int_term(no)))


def _pick_truth(condition: Any, yes: Any, no: Any) -> Any:
    return truth(terms.truth_where(condition.term, bool_term(yes), bool_term(no)))


def _same_truth(a: Any, b: Any) -> Any:
    return truth(terms.same(bool_term(a), bool_term(b)))


def _not(a: Any) -> Any:
    return truth(terms.negated(a.term))


def _and(*conditions: Any) -> Any:
    return truth(terms.conjunction([bool_term(each) for each in conditions]))


def _or(*conditions: Any) -> Any:
    return truth(terms.disjunction([bool_term(each) for each in conditions]))


# For properties: conditions joined without forking


def opposite(condition: Any) -> Any:
    """Whether the condition does not hold."""
    if isinstance(condition, SymBool):
        return _once("not", _not, condition)
    return not truth_value(condition)


def all_of(*conditions: Any) -> Any:
    """Whether all conditions hold."""
    return _once("and", _and, *map(truth_value, conditions)) if conditions else True


def any_of(*conditions: Any) -> Any:
    """Whether any of the conditions holds."""
    return _once("or", _or, *map(truth_value, conditions)) if conditions else False


def implies(condition: Any, conclusion: Any) -> Any:
    """Whether the conclusion holds wherever the condition does."""
    return any_of(opposite(condition), conclusion)
