"""What some code calls and hands over, read off its bytecode.

The values that a step works on are not known, only where they may come from: a name, an attribute,
the code of a function, or what the function was given. It is one pass over the code, and what a
name stands for anywhere it may stand for everywhere, so there may be one too many, not one too few.
"""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

NAME, ATTRIBUTE, MODULE, IMPORTED = "name", "attribute", "module", "imported"
LOCAL, GIVEN, CODE, NULL = "local", "given", "code", "null"

FOLLOWED = {"PUSH_NULL", "PRECALL", "CALL", "LOAD_METHOD"} <= dis.opmap.keys()
"""Whether this is the bytecode that is known here: that of Python 3.11."""

DEEPEST = 3
"""A function that makes a function that makes a function: nobody goes on."""


class Body:
    """Some code, and in what other code it is; told apart from what is alike elsewhere."""

    def __init__(self, code: types.CodeType, outer: Body | None = None) -> None:
        self.code = code
        self.outer = outer

    @functools.cached_property
    def inner(self) -> dict[int, Body]:
        """What is defined in it, by the number of the constant."""
        found = enumerate(self.code.co_consts)
        return {at: Body(each, self) for at, each in found if isinstance(each, types.CodeType)}

    @functools.cached_property
    def sites(self) -> Sites:
        """What it calls; what is defined in it and not called is not followed."""
        reader = _Reader(self)
        reader.read()
        return Sites(
            tuple(reader.calls), reader.returned, reader.held, frozenset(reader.attributes)
        )


class Origin(NamedTuple):
    """Where a value may come from: something of this kind, called so many times."""

    kind: str
    what: str | Body
    file: str = ""
    """Where a name is looked up, or the module from which it is imported."""
    times: int = 0


class Value(NamedTuple):
    """Where a value may come from, and what it may hold."""

    origins: frozenset[Origin] = frozenset()
    holds: frozenset[Origin] = frozenset()

    @property
    def all(self) -> frozenset[Origin]:
        """It and what it holds."""
        return self.origins | self.holds


NOTHING = Value()
NO_SELF = Value(frozenset({Origin(NULL, "")}))


class Call(NamedTuple):
    """What is called, and what it gets."""

    called: Value
    gets: frozenset[Origin]


class Sites(NamedTuple):
    """What some code calls, what it hands back, what its names stand for, whose parts it takes."""

    calls: tuple[Call, ...]
    returned: Value
    held: dict[str, Value]
    attributes: frozenset[str]


def together(values: Iterable[Value]) -> Value:
    """A value that may be any of some."""
    found = [each for each in values if each != NOTHING]
    match found:
        case []:
            return NOTHING
        case [one]:
            return one
        case _:
            origins = frozenset[Origin]().union(*(each.origins for each in found))
            return Value(origins, frozenset[Origin]().union(*(each.holds for each in found)))


class _Reader:
    """Goes through some code with a stack of what may be on Python's."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.code = code = body.code
        self.stack: list[Value] = []
        self.at: dict[int, list[Value]] = {}
        """The stack at places that are jumped to."""
        self.calls: list[Call] = []
        self.returned = NOTHING
        self.attributes: set[str] = set()
        self.held: dict[str, Value] = {}
        flags = (code.co_flags & 4 > 0) + (code.co_flags & 8 > 0)
        given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + flags]
        for name in given:
            self.held[name] = Value(frozenset({Origin(GIVEN, name)}))
        cells = [each for each in code.co_cellvars if each not in code.co_varnames]
        self.places = (*code.co_varnames, *cells, *code.co_freevars)

    def read(self) -> None:
        for place, depth in _handlers(self.code):
            self.at[place] = [NOTHING] * depth
        goes_on = True
        for place, step, which in _steps(self.code.co_code):
            before = self.at.get(place)
            if before is not None:
                self.stack = _merged(self.stack, before) if goes_on else before
            goes_on = True
            name = dis.opname[step]
            if step in _JUMPS and "BACKWARD" not in name:
                self._save(place + 2 + 2 * which, step, which)
            handler = _STEPS.get(name)
            if handler is None:
                self._any_step(dis.stack_effect(step, _argument(step, which), jump=False))
            else:
                handler(self, which)
            if name in _ENDS:
                goes_on, self.stack = False, []

    def _save(self, place: int, step: int, which: int) -> None:
        now = [*self.stack]
        self._any_step(dis.stack_effect(step, which, jump=True))
        before = self.at.get(place)
        self.at[place] = self.stack if before is None else _merged(self.stack, before)
        self.stack = now

    def pop(self, number: int = 1) -> list[Value]:
        """What is taken from the stack, the last one last."""
        if not number:
            return []
        taken = self.stack[-number:]
        del self.stack[-number:]
        return [NOTHING] * (number - len(taken)) + taken

    def _any_step(self, effect: int) -> None:
        """A step of which only is known by how much it changes the stack."""
        if effect > 0:
            self.stack += [self.stack[-1] if self.stack else NOTHING] * effect
        elif effect < 0:
            self.stack.append(together(self.pop(1 - effect)))

    # Where values come from

    def nothing(self, _: int) -> None:
        """A step that says something about the next one."""

    def unknown(self, _: int) -> None:
        self.stack.append(NOTHING)

    def no_self(self, _: int) -> None:
        self.stack.append(NO_SELF)

    def name(self, which: int) -> None:
        found = Origin(NAME, self.code.co_names[which], self.code.co_filename)
        self.stack.append(Value(frozenset({found})))

    def of_all(self, which: int) -> None:
        if which & 1:
            self.no_self(which)
        self.name(which >> 1)

    def local(self, which: int) -> None:
        self.stack.append(Value(frozenset({Origin(LOCAL, self.places[which])})))

    def constant(self, which: int) -> None:
        inner = self.body.inner.get(which)
        self.stack.append(Value(frozenset({Origin(CODE, inner)})) if inner else NOTHING)

    def imported(self, which: int) -> None:
        modules = self.stack[-1].origins if self.stack else ()
        name = self.code.co_names[which]
        found = (Origin(IMPORTED, name, str(each.what)) for each in modules if each.kind == MODULE)
        self.stack.append(Value(frozenset(found)))

    def import_module(self, which: int) -> None:
        self.pop(2)
        self.stack.append(Value(frozenset({Origin(MODULE, self.code.co_names[which])})))

    def attribute(self, which: int) -> None:
        name = self.code.co_names[which]
        self.attributes.add(name)
        self.stack.append(Value(frozenset({Origin(ATTRIBUTE, name)}), self.pop()[0].all))

    def method(self, which: int) -> None:
        owner = self.stack[-1] if self.stack else NOTHING
        self.attribute(which)
        self.stack.append(owner)

    def function(self, which: int) -> None:
        code = self.pop()[0]
        more = self.pop((which & 15).bit_count())
        self.stack.append(Value(code.origins, together(more).all))

    def item(self, _: int) -> None:
        table, _which = self.pop(2)
        self.stack.append(Value(table.all, table.holds))

    # Where they go

    def built(self, number: int) -> None:
        self.stack.append(together(self.pop(number)))

    def built_table(self, number: int) -> None:
        self.built(2 * number)

    def built_of_names(self, number: int) -> None:
        self.built(number + 1)

    def put_in(self, depth: int) -> None:
        value = self.pop()[0]
        if depth <= len(self.stack):
            self.stack[-depth] = together((self.stack[-depth], value))

    def put_in_table(self, depth: int) -> None:
        value = together(self.pop(2))
        if depth <= len(self.stack):
            self.stack[-depth] = together((self.stack[-depth], value))

    def drop(self, _: int) -> None:
        self.pop()

    def keep(self, name: str, value: Value) -> None:
        """What a name may stand for from now on."""
        if value != NOTHING:
            self.held[name] = together((self.held.get(name, NOTHING), value))

    def store_name(self, which: int) -> None:
        self.keep(self.code.co_names[which], self.pop()[0])

    def store_local(self, which: int) -> None:
        self.keep(self.places[which], self.pop()[0])

    def store_attribute(self, which: int) -> None:
        value, _ = self.pop(2)
        self.keep(f".{self.code.co_names[which]}", value)

    def store_item(self, _: int) -> None:
        value, table, _which = self.pop(3)
        self._given_to(table, value)

    def _given_to(self, owner: Value, value: Value) -> None:
        for each in owner.origins:
            if each.kind in (NAME, LOCAL) and isinstance(each.what, str):
                self.keep(each.what, Value(holds=value.all))

    def swap(self, depth: int) -> None:
        if depth <= len(self.stack):
            self.stack[-1], self.stack[-depth] = self.stack[-depth], self.stack[-1]

    def copy(self, depth: int) -> None:
        self.stack.append(self.stack[-depth] if depth <= len(self.stack) else NOTHING)

    def hand_back(self, _: int) -> None:
        self.returned = together((self.returned, self.pop()[0]))

    def hand_out(self, _: int) -> None:
        self.hand_back(0)
        self.stack.append(NOTHING)

    # Calls

    def call(self, number: int) -> None:
        gets = together(self.pop(number))
        lower, upper = self.pop(2)
        if lower == NO_SELF:
            self._called(upper, gets)
        else:
            self._given_to(upper, gets)
            self._called(lower, together((upper, gets)))

    def call_with_all(self, which: int) -> None:
        gets = together(self.pop(1 + (which & 1)))
        _, called = self.pop(2)
        self._called(called, gets)

    def _called(self, called: Value, gets: Value) -> None:
        # What it got in earlier calls it may only call in this one.
        self.calls.append(Call(called, gets.all | called.holds))
        made = (
            each._replace(times=each.times + 1) for each in called.origins if each.times < DEEPEST
        )
        self.stack.append(Value(frozenset(made), gets.all | called.holds))


def _merged(one: list[Value], other: list[Value]) -> list[Value]:
    if len(one) != len(other):
        return max(one, other, key=len)
    return [together(both) for both in zip(one, other, strict=True)]


def _steps(code: bytes) -> Iterator[tuple[int, int, int]]:
    """Each step, with its place and what it is about."""
    before = 0
    for place in range(0, len(code), 2):
        step, which = code[place], code[place + 1] | before
        before = which << 8 if step == dis.EXTENDED_ARG else 0
        if step not in (_CACHE, dis.EXTENDED_ARG):
            yield place, step, which


def _handlers(code: types.CodeType) -> Iterator[tuple[int, int]]:
    """Where exceptions are handled, and how much is on the stack there."""
    if code.co_exceptiontable:
        numbers = _numbers(code.co_exceptiontable)
        for _start, _length, place, how in zip(numbers, numbers, numbers, numbers, strict=True):
            yield 2 * place, (how >> 1) + (how & 1) + 1


def _numbers(table: bytes) -> Iterator[int]:
    """The numbers in a table of exceptions: six bits a byte, and whether there are more."""
    number = 0
    for each in table:
        number = number << 6 | each & 63
        if not each & 64:
            yield number
            number = 0


def _argument(step: int, which: int) -> int | None:
    return which if step >= dis.HAVE_ARGUMENT else None


_CACHE = dis.opmap.get("CACHE", 0)
_JUMPS = frozenset(dis.hasjrel)
_ENDS = frozenset(
    {
        "JUMP_FORWARD",
        "JUMP_BACKWARD",
        "JUMP_BACKWARD_NO_INTERRUPT",
        "RETURN_VALUE",
        "RAISE_VARARGS",
        "RERAISE",
    }
)
_STEPS: dict[str, Callable[[_Reader, int], None]] = {
    "PUSH_NULL": _Reader.no_self,
    "LOAD_NAME": _Reader.name,
    "LOAD_GLOBAL": _Reader.of_all,
    "LOAD_FAST": _Reader.local,
    "LOAD_DEREF": _Reader.local,
    "LOAD_CLASSDEREF": _Reader.local,
    "LOAD_CLOSURE": _Reader.local,
    "LOAD_CONST": _Reader.constant,
    "LOAD_BUILD_CLASS": _Reader.unknown,
    "LOAD_ASSERTION_ERROR": _Reader.unknown,
    "IMPORT_NAME": _Reader.import_module,
    "IMPORT_FROM": _Reader.imported,
    "LOAD_ATTR": _Reader.attribute,
    "LOAD_METHOD": _Reader.method,
    "MAKE_FUNCTION": _Reader.function,
    "BINARY_SUBSCR": _Reader.item,
    "BUILD_TUPLE": _Reader.built,
    "BUILD_LIST": _Reader.built,
    "BUILD_SET": _Reader.built,
    "BUILD_STRING": _Reader.built,
    "BUILD_SLICE": _Reader.built,
    "BUILD_MAP": _Reader.built_table,
    "BUILD_CONST_KEY_MAP": _Reader.built_of_names,
    "LIST_APPEND": _Reader.put_in,
    "LIST_EXTEND": _Reader.put_in,
    "SET_ADD": _Reader.put_in,
    "SET_UPDATE": _Reader.put_in,
    "DICT_UPDATE": _Reader.put_in,
    "DICT_MERGE": _Reader.put_in,
    "MAP_ADD": _Reader.put_in_table,
    "LIST_TO_TUPLE": _Reader.nothing,
    "PRECALL": _Reader.nothing,
    "KW_NAMES": _Reader.nothing,
    "RESUME": _Reader.nothing,
    "POP_TOP": _Reader.drop,
    "STORE_NAME": _Reader.store_name,
    "STORE_GLOBAL": _Reader.store_name,
    "STORE_FAST": _Reader.store_local,
    "STORE_DEREF": _Reader.store_local,
    "STORE_ATTR": _Reader.store_attribute,
    "STORE_SUBSCR": _Reader.store_item,
    "SWAP": _Reader.swap,
    "COPY": _Reader.copy,
    "RETURN_VALUE": _Reader.hand_back,
    "YIELD_VALUE": _Reader.hand_out,
    "CALL": _Reader.call,
    "CALL_FUNCTION_EX": _Reader.call_with_all,
}
