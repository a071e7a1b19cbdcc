"""Which functions run while modules are imported, or behind caches, and so before any proof.

What they give is held in places that no description reaches: attributes of functions, slots, what a
cache remembers. So they count themselves. A function that is only named, in a table of what is to
be done later, does not. Functions are found by their bare name, whosever it is.
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from verifier.call_sites import (
    ATTRIBUTE,
    CODE,
    DEEPEST,
    FOLLOWED,
    GIVEN,
    IMPORTED,
    LOCAL,
    MODULE,
    NAME,
    NOTHING,
    NULL,
    Body,
    Call,
    Origin,
    Value,
    together,
)
from verifier.described import NEW_LOCALS
from verifier.texts import names_in, text_of

KEEPS = frozenset(
    {
        *("dataclass", "dataclass_transform", "field", "TypeVar", "NewType", "cast", "overload"),
        *("wraps", "update_wrapper", "contextmanager", "abstractmethod", "final", "override"),
        *("partial", "getdoc", "Annotated", "Literal", "Union", "Optional", "Path", "get_args"),
        *("proxy", "MappingProxyType", "attrgetter", "itemgetter", "compile", "Meta"),
        *(name for kind in (str, dict, list, tuple, frozenset, set, int) for name in vars(kind)),
        *vars(builtins),
    }
) - {"map", "filter", "sorted", "min", "max", "sort", "iter", "next", "eval", "exec", "__import__"}
"""What others make that does not call what it gets, or not before it is called itself."""

CALLED_LATER = frozenset({"partial"})
"""What makes something that calls what was given."""


OWN = "verifier."


class Module(NamedTuple):
    """What the names of a module stand for."""

    body: Body
    functions: dict[str, list[Body]]
    classes: dict[str, list[Body]]
    names: dict[str, Value]


class Index:
    """What some modules define, and the methods of all of them by their bare names."""

    def __init__(self, modules: Mapping[str, types.CodeType]) -> None:
        self.modules: dict[str, Module] = {}
        self.files: dict[str, Module] = {}
        self.methods: dict[str, list[Body]] = {}
        self.properties: dict[str, list[Body]] = {}
        """Methods that Python may call when an attribute is looked up."""
        self.always: list[Body] = []
        """What Python calls by itself."""
        self.attributes: dict[str, Value] = {}
        for name, code in modules.items():
            self.modules[name] = self.files[code.co_filename] = found = Module(
                Body(code), {}, {}, {}
            )
            self._add(found.body, found, found.body)

    def _add(self, body: Body, found: Module, module: Body) -> None:
        for name, value in body.sites.held.items():
            table = self.attributes if name.startswith(".") else found.names
            table[name] = together((table.get(name, NOTHING), value))
        for each in body.inner.values():
            if not each.code.co_flags & NEW_LOCALS:
                found.classes.setdefault(each.code.co_name, []).append(each)
                self._add(each, found, module)
            elif body is module:
                found.functions.setdefault(each.code.co_name, []).append(each)
            else:
                self._add_method(each)
        if body is not module:
            self._add_properties(body)

    def all_functions(self) -> Iterator[Body]:
        """Every function and method."""
        tables = (self.methods, *(each.functions for each in self.modules.values()))
        return (code for table in tables for found in table.values() for code in found)

    def _add_method(self, code: Body) -> None:
        self.methods.setdefault(code.code.co_name, []).append(code)
        if code.code.co_name.startswith("__") and code.code.co_name.endswith("__"):
            self.always.append(code)

    def _add_properties(self, body: Body) -> None:
        """All methods that something was made of."""
        for call in body.sites.calls:
            for each in call.gets:
                if (
                    each.kind == CODE
                    and not {one.what for one in call.called.origins} & _NO_PROPERTIES
                ):
                    code = _code(each)
                    self.properties.setdefault(code.code.co_name, []).append(code)


def imported_from(first: Iterable[str], files: Mapping[str, str]) -> dict[str, types.CodeType]:
    """Some modules and all that they import, one too many perhaps."""
    found: dict[str, types.CodeType] = {}
    waiting = [*first]
    while waiting:
        name = waiting.pop()
        if name in files and name not in found:
            found[name] = text_of(files[name]).code
            names = names_in(found[name])
            inside = (f"{package}.{each}" for package in names & files.keys() for each in names)
            waiting += [*(names & files.keys()), *inside]
    return {name: found[name] for name in sorted(found)}


def bodies(code: Body) -> Iterator[Body]:
    """The code of a module, and of the classes in it."""
    yield code
    for each in code.inner.values():
        if not each.code.co_flags & NEW_LOCALS:
            yield from bodies(each)


Put = dict[str, set[tuple[Value, Body]]]
"""What functions have put under some names, and where."""


class Ran(NamedTuple):
    """What ran, and what that put under names outside of it."""

    bodies: frozenset[Body]
    names: Put

    def functions(self) -> set[types.CodeType]:
        """The functions that ran."""
        return {each.code for each in self.bodies if each.code.co_flags & NEW_LOCALS}


def run_before(modules: Iterable[str], known: Sequence[Index], earlier: Ran | None = None) -> Ran:
    """The functions among those known that may run while some modules are imported.

    What ran earlier, when others were imported, is not followed again.
    """
    if not FOLLOWED:
        return Ran(frozenset(each for index in known for each in index.all_functions()), {})
    earlier = earlier or Ran(frozenset(), {})
    roots = [index.modules[name] for name in modules for index in known if name in index.modules]
    first = [body for module in roots for body in bodies(module.body)]
    first += [body for index in known for body in index.always]
    found, names = set[Body](), earlier.names
    while True:
        search = _Search(known, names, earlier.bodies)
        for body in first:
            search.run(body)
        found |= search.ran
        if search.names == names:
            return Ran(frozenset(found), names)
        # What a function that ran put somewhere may be called from there.
        names = search.names


ITSELF, ALL, PARTS = range(3)
"""What of a value is called: itself, all that it may be or has in it, or parts of objects, too."""


class _Search:
    """Follows what runs to what that runs."""

    def __init__(self, known: Sequence[Index], names: Put, ran: frozenset[Body]) -> None:
        self.known = known
        self.before = names
        self.names: Put = {name: {*each} for name, each in names.items()}
        """What functions that ran have put in places outside of them."""
        self.ran: set[Body] = {*ran}
        self._made: set[tuple[Body, int]] = set()
        self._seen: dict[tuple[Origin, Body | None, int], bool] = {}
        self._calling: dict[tuple[Body, int, int], bool] = {}
        self._asked: set[tuple[Origin, Body | None, int]] = set()

    def run(self, code: Body) -> None:
        """Follow some code that runs."""
        if code in self.ran:
            return
        self.ran.add(code)
        found = code.sites
        if code.code.co_flags & NEW_LOCALS:
            own = {*code.code.co_varnames, *code.code.co_cellvars, *code.code.co_freevars}
            for name in found.held.keys() - own:
                self.names.setdefault(name, set()).add((found.held[name], code))
        for index in self.known:
            for name in found.attributes & index.properties.keys():
                for each in index.properties[name]:
                    self.run(each)
        for call in found.calls:
            self._call(call, code)

    def _call(self, call: Call, within: Body) -> None:
        called = self._of_modules(call.called, within)
        self._value(called, within)
        for how in (ALL, PARTS) if call.gets else ():
            if self._calls_what_it_gets(called, within, how):
                for each in call.gets:
                    self._origin(each, within, how)

    def _value(self, value: Value, within: Body | None) -> bool:
        """What a value may be is called; whether it is known what that is."""
        known = [self._origin(each, within, ITSELF) for each in value.origins]
        if not all(known):
            how = PARTS if any(each.kind == ATTRIBUTE for each in value.origins) else ALL
            for each in value.holds:
                self._origin(each, within, how)
        return all(known)

    def _origin(self, origin: Origin, within: Body | None, how: int) -> bool:
        """Something is called, or all that it holds may be; whether it is known what that is."""
        key = (origin, within, how)
        if key not in self._seen:
            self._seen[key] = True
            self._seen[key] = self._followed(origin, within, how)
        return self._seen[key]

    def _followed(self, origin: Origin, within: Body | None, how: int) -> bool:
        if origin.kind == CODE:
            self._function(_code(origin), origin.times)
            return True
        functions = self._functions(origin, within)
        for code in functions:
            self._function(code, origin.times)
        known = []
        for value, place in self._stands_for(origin, within):
            later = _later(value, origin.times)
            closed = how != PARTS and self._is_an_object(later, place)
            for each in later.all if how and not closed else ():
                self._origin(each, place, how)
            known.append(closed or self._value(self._of_modules(later, place), place))
        if known or functions or origin.kind in (GIVEN, NULL, MODULE):
            return all(known)
        return _is_own(origin) or (origin.what in KEEPS and not origin.times)

    def _function(self, code: Body, times: int) -> None:
        """A function is called, or what it made."""
        if not times:
            self.run(code)
        elif (code, times) not in self._made:
            self._made.add((code, times))
            self._value(_later(code.sites.returned, times - 1), code)

    # Names

    def _module(self, name: str) -> Module | None:
        return next((each.modules[name] for each in self.known if name in each.modules), None)

    def _places(self, origin: Origin, within: Body | None) -> Iterator[Module]:
        """The modules in which a name is looked up."""
        match origin.kind:
            case "name" | "local":
                file = origin.file or (within.code.co_filename if within else "")
                yield from (each.files[file] for each in self.known if file in each.files)
            case "imported":
                found = self._module(origin.file)
                if found is not None:
                    yield found

    def _functions(self, origin: Origin, within: Body | None = None) -> list[Body]:
        name = str(origin.what)
        if origin.kind == ATTRIBUTE:
            return [each for index in self.known for each in index.methods.get(name, ())]
        places = self._places(origin, within)
        return [each for place in places for each in place.functions.get(name, ())]

    def _stands_for(
        self, origin: Origin, within: Body | None
    ) -> Iterator[tuple[Value, Body | None]]:
        """The values that a name may stand for, and where they were made."""
        name = str(origin.what)
        if origin.kind == LOCAL:
            while within is not None:
                if name in (held := within.sites.held):
                    yield held[name], within
                    return
                within = within.outer
        if origin.kind == IMPORTED and self._module(f"{origin.file}.{name}"):
            yield Value(frozenset({Origin(MODULE, f"{origin.file}.{name}")})), None
        if origin.kind == ATTRIBUTE:
            name = f".{name}"
            for index in self.known:
                if name in index.attributes:
                    yield index.attributes[name], None
        yield from self.before.get(name, ())
        for place in self._places(origin, within):
            if name in place.names:
                yield place.names[name], None

    def _of_modules(self, value: Value, within: Body | None) -> Value:
        """A value, with what is an attribute of a module told as imported from there."""
        if not any(each.kind == ATTRIBUTE for each in value.origins):
            return value
        modules = {*self._modules_among(value.holds, within)}
        if not modules:
            return value
        found = (
            each._replace(kind=IMPORTED, file=module)
            for each in value.origins
            for module in modules
        )
        return Value(frozenset(found), value.holds)

    def _modules_among(self, origins: Iterable[Origin], within: Body | None) -> Iterator[str]:
        for each in origins:
            if each.kind == MODULE:
                yield str(each.what)
            elif each.kind in (NAME, LOCAL, IMPORTED):
                for value, _ in self._stands_for(each, within):
                    for inner in value.origins:
                        if inner.kind == MODULE:
                            yield str(inner.what)
                        elif inner.kind == IMPORTED:
                            # It may be no module: then nothing is found in it.
                            yield f"{inner.file}.{inner.what}"

    # Functions that are handed over

    def _is_an_object(self, value: Value, within: Body | None) -> bool:
        """Whether it was made by a class of ours: who calls it calls nothing that it holds."""
        if not value.origins or any("__call__" in index.methods for index in self.known):
            return False
        return all(
            each.times and self._is_a_class(each._replace(times=0), within)
            for each in value.origins
        )

    def _is_a_class(self, origin: Origin, within: Body | None) -> bool:
        if any(self._classes(origin, within)):
            return True
        found = [*self._stands_for(origin, within)] if origin.kind in (NAME, LOCAL) else []
        return bool(found) and all(
            any(self._classes(each, None)) for value, _ in found for each in value.origins
        )

    def _calls_what_it_gets(self, called: Value, within: Body | None, how: int) -> bool:
        """Whether something may call what it is given, or parts of that; who is not known may."""
        return any(self._may_call(each, within, how) for each in called.origins)

    def _may_call(self, origin: Origin, within: Body | None, how: int) -> bool:
        key = (origin, within, how)
        if origin.kind in (GIVEN, NULL) or key in self._asked:
            return origin.kind == GIVEN
        if origin.kind == CODE:
            return self._calls_given(_code(origin), origin.times, how)
        self._asked.add(key)
        functions, makers = self._functions(origin, within), [*self._makers(origin, within)]
        values = [*self._stands_for(origin, within)]
        found = (
            any(self._calls_given(each, origin.times, how) for each in functions)
            or any(self._calls_given(each, 0, how) for each in makers)
            or any(
                self._calls_what_it_gets(self._of_modules(_later(each, origin.times), at), at, how)
                for each, at in values
            )
        )
        self._asked.discard(key)
        if functions or values or any(self._classes(origin, within)):
            return found
        if _is_own(origin) or how == PARTS:
            return False
        return origin.what not in KEEPS or bool(origin.times and origin.what in CALLED_LATER)

    def _makers(self, origin: Origin, within: Body | None) -> Iterator[Body]:
        """The methods that make an object of a class."""
        for body in self._classes(origin, within):
            yield from (each for each in body.inner.values() if each.code.co_name in _MAKING)

    def _classes(self, origin: Origin, within: Body | None) -> Iterator[Body]:
        name = str(origin.what)
        places = self._places(origin, within)
        if origin.kind == ATTRIBUTE:
            places = iter(module for index in self.known for module in index.files.values())
        for place in places:
            yield from place.classes.get(name, ())

    def _calls_given(self, code: Body, times: int, how: int) -> bool:
        """Whether a function, or what it made, may call something that it was given."""
        key = (code, times, how)
        if key not in self._calling:
            self._calling[key] = False
            found = code.sites
            if times:
                made = _later(found.returned, times - 1)
                self._calling[key] = self._calls_what_it_gets(made, code, how)
            else:
                self._calling[key] = any(
                    self._calls_some_given(each, code, how) for each in found.calls
                )
        return self._calling[key]

    def _calls_some_given(self, call: Call, within: Body, how: int) -> bool:
        """Whether a call is one of what was given, or of a part of it."""
        called = {each for each in call.called.origins if each.kind == ATTRIBUTE}
        parts = not all(each.what in KEEPS for each in called)
        if parts and any(self._is_given(each, within) for each in call.called.holds):
            return True
        inner = (each for each in call.called.origins if each.kind == CODE and not each.times)
        return (
            (how == ALL and any(self._is_given(each, within) for each in call.called.origins))
            or any(self._calls_given(_code(each), 0, how) for each in inner)
            or (
                any(self._is_given(each, within) for each in call.gets)
                and self._calls_what_it_gets(self._of_modules(call.called, within), within, how)
            )
        )

    def _is_given(self, origin: Origin, within: Body | None) -> bool:
        """Whether something is what a function was given, or holds that."""
        waiting, seen = [(origin, within)], set[tuple[Origin, Body | None]]()
        while waiting:
            each, place = waiting.pop()
            if each.kind == GIVEN:
                return True
            if each.kind == LOCAL and (each, place) not in seen:
                seen.add((each, place))
                found = self._stands_for(each, place)
                waiting += [(inner, at) for value, at in found for inner in value.all]
        return False


_NO_PROPERTIES = frozenset({"staticmethod", "classmethod"})
_MAKING = frozenset({"__init__", "__new__", "__post_init__"})


def _is_own(origin: Origin) -> bool:
    """What the verifier does with rules and properties, it does while it proves."""
    return origin.kind == IMPORTED and origin.file.startswith(OWN)


def _later(value: Value, times: int) -> Value:
    if not times:
        return value
    later = (each._replace(times=min(each.times + times, DEEPEST)) for each in value.origins)
    return Value(frozenset(later), value.holds)


def _code(origin: Origin) -> Body:
    assert isinstance(origin.what, Body)
    return origin.what
