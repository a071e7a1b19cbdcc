"""What got around the lint once: each text is refused, and each planted rule is not called proved.

The texts are of rules that go wrong for plain numbers, or from one process to the next.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rules_engine
from rules_engine.imperium import combat
from rules_engine.kernel import decks, errors, numbers, records
from verifier import reached
from verifier.current import claim, quantity
from verifier.first_calls import noted
from verifier.import_time import imported_by, ran_before
from verifier.number_lint import Facts, Finding, check, check_property, gather, is_rule
from verifier.reached import also_traced, refused_in
from verifier.refused_calls import refused_calls
from verifier.sources import imported
from verifier.trusted import TRUSTED, not_trusted, place
from verifier.verdicts import PROVED, UNSUPPORTED, settle

ENGINE = Path(rules_engine.__file__).parent
HEAD = "from __future__ import annotations\nfrom rules_engine.kernel.numbers import Quantity\n"


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    return {
        path.relative_to(ENGINE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in ENGINE.rglob("*.py")
    }


@pytest.fixture(scope="module")
def facts(trees: dict[str, ast.Module]) -> Facts:
    return gather(trees.values())


ASKS_FOR_A_TYPE = {
    "class of a type": "def f(n):\n    return int.__class__(n) == int",
    "class of a method": "def f(n):\n    return n.__init__.__class__.__name__ == 'method-wrapper'",
    "class as a key": "def f(n):\n    return {int: True}.get(int.__class__(n), False)",
    "class by its name": "def f(n):\n    return getattr(int, '__class__')(n) == int",
    "something to measure": (
        "from collections.abc import Sized\ndef f(n):\n    return not isinstance(n, Sized)"
    ),
    "something to go through": (
        "from collections.abc import Iterable\ndef f(n):\n    return isinstance(n, (int, Iterable))"
    ),
    "under a record's name": (
        "from collections.abc import Sized as Player\ndef f(n):\n    return isinstance(n, Player)"
    ),
    "in a record's place": (
        "from collections.abc import Sized\nPlayer = Sized\ndef f(n):\n"
        "    return isinstance(n, Player)"
    ),
    "handed over": "def f(n, kind):\n    return isinstance(n, kind)",
    "handed over by name": (
        "from collections.abc import Sized\ndef g(n, kind: type[Player]):\n"
        "    return isinstance(n, kind)\ndef f(n):\n    return g(n, Sized)"
    ),
    "handed over with its library": "import typing\ndef f(n):\n    return g(n, typing.Sized)",
    "handed over in a table": (
        "from collections.abc import Sized\nKINDS: dict[str, type] = {'a': Sized}\n"
    ),
    "handed over out of a list": (
        "from collections.abc import Sized\ndef f(n):\n    return g(n, [Sized][0], [Sized].pop())"
    ),
    "asked elsewhere": "def f(n):\n    return [*map(isinstance, (n,), (int,))] == [True]",
    "a class asked for": "def f(n, kind):\n    return issubclass(kind, int)",
    "pattern of something to measure": (
        "from collections.abc import Sized\ndef f(n):\n    match n:\n        case Sized():\n"
        "            return 0\n    return 1"
    ),
    "pattern of anything": (
        "def f(n):\n    match n:\n        case object(real=_):\n            pass"
    ),
    "pattern of slots": "def f(n):\n    match n:\n        case int(__slots__=_):\n            pass",
    "pattern of a module": (
        "def f(n):\n    match n:\n        case State(__module__=_):\n            pass"
    ),
    "pattern of another name": (
        "Anything = object\ndef f(n):\n    match n:\n        case Anything(term=_):\n"
        "            pass"
    ),
    "default of a lambda": "def f(n):\n    return (lambda kind=int.__class__: kind(n) == int)()",
    "decorator inside": (
        "def f(n):\n    def named(rule):\n        return int.__class__(n) == int\n    @named\n"
        "    def found(): ...\n    return found"
    ),
    "annotation that is computed": "def f(n):\n    def g(m: int.__class__(n)): ...",
    "a protocol": (
        "from typing import Protocol, runtime_checkable\n@runtime_checkable\n"
        "class Chooser(Protocol):\n    def pick(self, yes, no): ...\n"
        "def f(n):\n    return isinstance(n, Chooser)"
    ),
    "a class made on the spot": "def f(n):\n    return type('Odd', (), {'__len__': n})",
    "what only symbols have": "def f(n):\n    return getattr(n, 'pick', None) is None",
    "method of a class": (
        "class A(Node):\n    @classmethod\n    def plain(cls):\n        return cls == A"
    ),
    "record compared by identity": "class Track(Record, frozen=True, eq=False):\n    n: int",
    "class inside a function": "def f(n):\n    class Asked:\n        m = n",
    "text in a type": "class A(Record):\n    n: 'list[type]'",
    "text in a type, named": "import typing\nA = typing.Optional['lambda n: n']",
    "what Python has built in": "def f(n):\n    return __builtins__['type'](n) == int",
}

CALLED_BY_PYTHON = {
    "when it is gone": "class Late:\n    def __del__(self): ...",
    "to guess a length": "class Hint:\n    def __length_hint__(self): ...",
    "to compare": "class Edge(int):\n    def __gt__(self, other):\n        return True",
    "under another name": "def always(*_): ...\nclass Edge:\n    __eq__ = always",
    "by a lambda": "class Edge:\n    __add__: object = lambda *_: 0",
}

CATCHES = {
    "assigned": "UnknownRead = TypeError\n",
    "imported": "from builtins import TypeError as UnknownRead\n",
    "of a library": "from functools import UnknownRead\n",
    "a base": "UnknownRead, Other = Exception, 1\n",
}
CAUGHT = (
    "def f(n):\n    try:\n        return 'higher'.startswith(n)\n"
    "    except UnknownRead:\n        return 0"
)

FROM_ELSEWHERE = {
    "through a module of ours": "from rules_engine.kernel.records import msgspec\n",
    "all of a module of ours": (
        "from rules_engine.kernel.records import *\nOPEN = msgspec.structs\n"
    ),
    "of a module of ours": "from rules_engine.kernel import records\nOPEN = records.msgspec\n",
    "of a module in full": (
        "import rules_engine.kernel.records\nM = rules_engine.kernel.records.msgspec"
    ),
    "something of it": "from rules_engine.imperium.soak import random\n",
    "what a library uses": "import enum\nMODULES = enum.sys\n",
    "what a library uses, imported": "from dataclasses import inspect\n",
    "from beside": "from .records import msgspec\n",
}

LEFT_BEHIND = {
    "in an object with slots": (
        "class Calls:\n    __slots__ = ('made',)\nCALLS = Calls()\n"
        "def f(n):\n    calls = CALLS\n    calls.made += 1\n    return calls.made"
    ),
    "on a partial": (
        "CALLS = functools.partial(int)\ndef f(n):\n    calls = CALLS\n    calls.made += 1"
    ),
    "on what it is given": "def f(n, calls):\n    calls.made = n",
    "when it is loaded": "CALLS = functools.partial(int)\nCALLS.made = 0",
    "in a cache": "def f(n):\n    return tick.cache_info().hits < 3",
    "out of a cache": "def f(n):\n    tick.cache_clear()",
    "by a function": "def f(n, calls):\n    setattr(calls, 'made', n)",
    "by a function, handed on": "def f(n, calls):\n    return [*map(setattr, calls, 'a', (n,))]",
    "under another name": "CALLS = []\ndef f(n):\n    calls = CALLS\n    calls.append(1)",
    "added under another name": "CALLS = []\ndef f(n):\n    calls = CALLS\n    calls += [1]",
    "in a list that it is given": "def f(n, calls):\n    calls[0] = n",
    "in a list of a list": "CALLS = []\ndef f(n):\n    calls = [CALLS]\n    calls[0].append(n)",
    "in one of another module": (
        "from rules_engine.imperium.combat import CALLS\ndef f(n):\n    CALLS.append(1)"
    ),
}

OTHER_EACH_TIME = {
    "set in a table": "ORDER = {'all': {'red', 'blue'}}\n",
    "set put into a table": "def f(n, table):\n    each = {}\n    each['all'] = {'red', 'blue'}",
    "set of a lambda": "def f(n):\n    return next(iter((lambda: {'red', 'blue'})()))",
    "set in a tuple": "def f(n):\n    names, _ = {'red', 'blue'}, 0",
    "set in a list": "def f(n):\n    return [{'red', 'blue'}]",
    "set as a default": "def f(n, names={'red', 'blue'}):\n    return [*names]",
    "set handed out": "def f(n):\n    yield {'red', 'blue'}",
    "set in a pattern": (
        "def f(n):\n    match {'red', 'blue'}:\n        case names:\n            pass"
    ),
    "sets made elsewhere": (
        "def f(n):\n    for names in map(frozenset, (('solari', 'spice'),)):\n"
        "        if next(iter(names)) == 'solari':\n            return 0"
    ),
    "sets combined elsewhere": "def f(n, these):\n    return map(set.union, these, these)",
    "keys under a name": (
        "def f(n):\n    one = {'solari': 0, 'spice': 0}.keys()\n"
        "    two = {'spice': 0, 'solari': 0}.keys()\n    both = one & two\n"
        "    return next(iter(both)) == 'solari'"
    ),
    "items of a function": (
        "def same(these):\n    return these\ndef f(n, table):\n"
        "    return [*same(table.items()) & same(table.items())]"
    ),
    "keys of tables": "def f(n, tables):\n    return [*map(dict.keys, tables)]",
    "hash of a text": "_HASH = hash\n",
    "hash of texts": "def f(n, names):\n    return [*map(hash, names)]",
    "address of an object": "def f(n):\n    return repr(object())[-3:]",
    "text of an object": "def f(n):\n    return str(object())",
    "text of a function": "def f(n):\n    return f'{f}'",
    "text of a function, renamed": "def f(n): ...\ng = f\ndef h(n):\n    return str(g)",
    "text of a lambda": "def f(n):\n    return str(lambda: 0)",
    "text as Python has it": "def f(n):\n    return f'{n!r}'",
    "text in a place": "def f(n):\n    return '{}'.format(f)",
    "the environment": "import os\nMORE = 'GAME' in os.environ",
    "what is loaded": "import sys\nMORE = 'verifier' in sys.modules",
}

REFUSED = {
    **{f"type: {how}": text for how, text in ASKS_FOR_A_TYPE.items()},
    **{f"called by Python: {how}": text for how, text in CALLED_BY_PYTHON.items()},
    **{f"caught: {how}": text + CAUGHT for how, text in CATCHES.items()},
    **{f"library: {how}": text for how, text in FROM_ELSEWHERE.items()},
    **{f"left behind: {how}": text for how, text in LEFT_BEHIND.items()},
    **{f"other each time: {how}": text for how, text in OTHER_EACH_TIME.items()},
}


@pytest.mark.parametrize("how", REFUSED)
def test_what_got_around_the_lint_is_refused(facts: Facts, how: str) -> None:
    head = "" if "computed" in how else HEAD
    assert check(ast.parse(head + REFUSED[how]), "rule.py", facts) != []


FINE = {
    "records": (
        "def f(n):\n    return isinstance(n, (Player, frames.Turn)) or isinstance(n, str | int)"
    ),
    "several records": "KINDS = (Player, State)\ndef f(n):\n    return isinstance(n, KINDS)",
    "records that are promised": (
        "def f(n, kinds: tuple[type[Player], ...]):\n    return isinstance(n, kinds)"
    ),
    "types": (
        "from collections.abc import Callable, Iterable\nWhy = Callable[[int], Iterable[int]]\n"
        "def f(n: Iterable[int]) -> Iterable[str]: ..."
    ),
    "record pattern": (
        "def f(n):\n    match n:\n"
        "        case Player(hand=()) | tree.Gain(what='spice'):\n            pass"
    ),
    "own list": (
        "def f(n):\n    found = []\n    found.append(n)\n    found += [n]\n    return found"
    ),
    "own table": "def f(n):\n    found: dict[str, int] = {}\n    found['a'] = n\n    return found",
    "a function of a module": (
        "from rules_engine.imperium import shield_wall\ndef f(n):\n    return shield_wall.remove(n)"
    ),
    "what rules raise": (
        "from rules_engine.kernel.errors import UnknownRead\ndef f(n):\n    try:\n"
        "        return n()\n"
        "    except UnknownRead:\n        return 0"
    ),
    "annotation that is not computed": "def f(n: object) -> object:\n    return n",
    "text": "def f(name: str) -> str:\n    return f'{name}'",
}


def test_a_set_of_a_class_is_known_everywhere() -> None:
    tree = ast.parse("class A:\n    names = {'red'}\n\n\ndef f(n):\n    return [*A.names]")
    assert [found.code for found in check(tree, "rule.py", gather([tree]))] == ["order"]


@pytest.mark.parametrize("how", FINE)
def test_what_rules_need_is_not_refused(facts: Facts, how: str) -> None:
    assert check(ast.parse(HEAD + FINE[how]), "rule.py", facts) == []


@pytest.mark.parametrize("how", CATCHES)
def test_an_error_in_another_ones_name_is_refused_to_properties(facts: Facts, how: str) -> None:
    assert check_property(ast.parse(CATCHES[how] + CAUGHT), "property.py", facts) != []


# Around the rules

UNASKED = "return value is int('3')"


class _Around:
    """Functions with other text in files of the engine that are no rules."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch

    def plant(self, module: types.ModuleType, text: str) -> Any:
        """Put a function `odd` at the end of a module, and give it back."""
        path = Path(str(module.__file__))
        whole = imported().content[path].decode() + f"\n\n{text}\n"
        self.patch.setitem(imported().content, path, whole.encode())
        before = {*vars(module)}
        for name in ("odd", "CALLS"):
            self.patch.setattr(module, name, None, raising=False)
        exec(compile("\n" * whole.index("\n\n" + text) + text, str(path), "exec"), vars(module))
        assert {*vars(module)} - before <= {"odd", "CALLS"}
        return vars(module)["odd"]


@pytest.fixture
def around(monkeypatch: pytest.MonkeyPatch) -> _Around:
    return _Around(monkeypatch)


@pytest.mark.parametrize("module", [numbers, records, decks, errors])
def test_what_is_around_the_rules_is_looked_at(around: _Around, module: types.ModuleType) -> None:
    path = Path(str(module.__file__))
    text = imported().content[path].decode() + f"\n\ndef odd(value):\n    {UNASKED}\n"
    code = next(
        each
        for each in compile(text, str(path), "exec").co_consts
        if isinstance(each, types.CodeType) and each.co_name == "odd"
    )
    around.patch.setitem(imported().content, path, text.encode())
    assert "`is` is for None" in refused_in({code})
    assert f"rules_engine/kernel/{path.name}" in refused_in({code})
    assert refused_in({combat._level.__code__}) == ""


def test_functions_around_the_rules_are_noted() -> None:
    seen: set[types.CodeType] = set()
    with noted([], seen), also_traced(seen):
        numbers.larger(1, 2)
        decks.zone(("a",))
    assert {numbers.larger.__code__, numbers.pick.__code__, decks.zone.__code__} <= seen
    assert numbers.smaller.__code__ not in seen


@pytest.mark.parametrize("condition", ["type(value) == int", "hasattr(value, 'bit_length')"])
def test_functions_around_the_rules_get_what_asks(around: _Around, condition: str) -> None:
    odd = around.plant(decks, f"def odd(value):\n    return {condition}")

    def function() -> None:
        n = quantity("n")
        claim(n + 1 > n if not odd(n) else n < 0, "it is more")

    assert settle(function).verdict == UNSUPPORTED


def test_nobody_asks_a_class_for_its_class() -> None:
    guarded: dict[str, Any] = {}

    def function() -> None:
        n = quantity("n")
        ask = guarded["ask"]
        claim(n > n - 1 if ask(int, "__cla" + "ss__") is type else n < 0, "it is more")

    def ask(value: Any, name: str) -> Any:
        return vars(combat).get("getattr", getattr)(value, name)

    guarded["ask"] = ask
    assert settle(function).verdict == UNSUPPORTED


def test_what_is_around_the_rules_leaves_nothing_behind(around: _Around) -> None:
    text = (
        "CALLS = [0]\n\n\ndef odd(value):\n    calls = CALLS\n    calls[0] += 1\n"
        "    return calls[0]"
    )
    odd = around.plant(decks, text)

    def function() -> None:
        n = quantity("n")
        claim(n + 1 > n or odd(n) > 9, "it is more")
        odd(n)

    found = settle(function)
    assert found.verdict == UNSUPPORTED
    assert "rules_engine.kernel.decks" in found.detail


def test_what_has_slots_leaves_nothing_behind(around: _Around) -> None:
    text = (
        "class CALLS:\n    __slots__ = ('made',)\n\n\nCALLS = CALLS()\nCALLS.made = 0\n\n\n"
        "def odd(value):\n    CALLS.made += 1\n    return CALLS.made"
    )
    odd = around.plant(decks, text)

    def function() -> None:
        n = quantity("n")
        odd(n)
        claim(n + 1 > n, "it is more")

    assert "is not the same from one call to the next" in settle(function).detail


# What is trusted


def _findings(trees: dict[str, ast.Module], facts: Facts) -> Iterator[tuple[str, Finding]]:
    for name, tree in trees.items():
        for found in () if is_rule(name) else check(tree, name, facts):
            yield name, found


def test_no_place_is_trusted_without_need(trees: dict[str, ast.Module], facts: Facts) -> None:
    needed: dict[str, set[str]] = {}
    for name, found in _findings(trees, facts):
        needed.setdefault(place(found, trees[name], name), set()).add(found.code)
    assert {*TRUSTED} <= {*needed}
    for where, trust in TRUSTED.items():
        assert trust.codes & needed[where], where
        assert trust.why
    for trust in {*TRUSTED.values()}:
        used = {code for where, each in TRUSTED.items() if each == trust for code in needed[where]}
        assert trust.codes <= used


def test_rules_are_never_trusted() -> None:
    assert not any(is_rule(where.partition(":")[0]) for where in TRUSTED)


def test_a_trusted_place_may_do_what_it_has_to_and_no_more(trees: dict[str, ast.Module]) -> None:
    tree = trees["kernel/numbers.py"]
    (at,) = (each.lineno for each in tree.body if getattr(each, "name", "") == "pick")
    told = [Finding("numbers.py", at + 1, 1, code, "") for code in ("inside", "identity")]
    told.append(Finding("numbers.py", 1, 1, "inside", ""))
    assert [*not_trusted(told, tree, "kernel/numbers.py")] == told[1:]


def test_an_import_is_no_matter_but_in_a_package() -> None:
    tree = ast.parse("import msgspec")
    told = [Finding("decks.py", 1, 1, "library", "")]
    assert [*not_trusted(told, tree, "kernel/decks.py")] == []
    assert [*not_trusted(told, tree, "kernel/__init__.py")] == told


# What ran before


def test_what_ran_before_is_fine_as_it_is() -> None:
    assert reached._before(reached._engine()) == ()


RAN_BEFORE = {
    "imperium/rule.py": (
        "from rules_engine.kernel.other import made, kept\n"
        "AT_ONCE = made(1)\n"
        "def later(n):\n"
        "    return n\n"
        "def by_default(n=AT_ONCE):\n"
        "    return n\n"
        "@functools.cache\n"
        "def remembered(name):\n"
        "    return kept(name)\n"
        "SORTED = sorted('ab', key=order)\n"
        "def order(name):\n"
        "    return name\n"
    ),
    "kernel/other.py": (
        "def made(n):\n    return n\ndef kept(n):\n    return n\ndef unused(n):\n    return n\n"
    ),
    "kernel/unknown.py": "WRONG = 1\n",
}


def test_what_is_called_when_a_module_is_imported_ran_before() -> None:
    trees = {name: ast.parse(text) for name, text in RAN_BEFORE.items()}
    needed = imported_by(["imperium/rule.py"], trees)
    assert needed == {"imperium/rule.py", "kernel/other.py"}
    lines = ran_before({name: trees[name] for name in needed}).lines
    assert lines["imperium/rule.py"] >= {1, 2, 5, 7, 9, 10, 12}
    assert not lines["imperium/rule.py"] & {4, 6}
    assert lines["kernel/other.py"] >= {2, 4}
    assert 6 not in lines["kernel/other.py"]


@pytest.mark.parametrize(
    "text",
    [
        "import os\nMORE = 'GAME' in os.environ\n",
        "@functools.cache\ndef first(name):\n    for each in {'red', 'blue'}:\n"
        "        return each\n",
        "def first(name):\n    return next(iter({'red', 'blue'}))\n\n\nFIRST = first('')\n",
        "class Late:\n    def __del__(self): ...\n",
    ],
)
def test_what_ran_before_is_looked_at(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    path = Path(str(combat.__file__))
    whole = imported().content[path].decode() + f"\n\n{text}"
    monkeypatch.setitem(imported().content, path, whole.encode())
    assert "rules_engine/imperium/combat.py" in refused_in({combat._level.__code__})


def test_outside_of_proofs_nothing_is_put_into_modules() -> None:
    with refused_calls():
        assert "type" in vars(decks)
        assert "getattr" not in vars(numbers)
    assert "type" not in vars(decks)


def test_a_plain_proof_is_proved() -> None:
    assert settle(lambda: claim(quantity("n") >= 0, "natural")).verdict == PROVED
