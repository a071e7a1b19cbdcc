"""What a proof cannot follow is never called proved: each construct is planted into a real rule.

Each is a condition that holds for every plain number or position, under which the planted rule goes
wrong. A proof that looks away from the condition calls the broken rule proved.
"""

from __future__ import annotations

import ast
import functools
import itertools
import operator
from collections.abc import Callable, Iterator
from enum import IntEnum
from pathlib import Path
from types import CodeType
from typing import Any, cast

import pytest

from rules_engine.imperium import combat, influence, resources
from rules_engine.imperium.setup import starting_state
from rules_engine.kernel.fingerprint import fingerprint
from rules_engine.kernel.numbers import pick
from rules_engine.kernel.records import Record
from rules_engine.kernel.rulings import Rulings
from verifier.api import prove
from verifier.changes import left_alone
from verifier.current import Unsupported, assume, choose, claim, domain, quantity
from verifier.explorer import Budget
from verifier.number_lint import check, check_property, gather
from verifier.numbers import all_of, any_of, implies, opposite, remembered
from verifier.obligations import Manner, obligations, settle_obligation
from verifier.properties import influence as about_influence
from verifier.reached import refused_in
from verifier.registry import registered
from verifier.replay import replay
from verifier.sources import imported
from verifier.verdicts import PROVED, REFUTED, UNKNOWN, UNSUPPORTED, Settled, Verdict, settle
from verifier.watched import AnyNumber, Lazy, Poison, watched

OF_A_NUMBER = {
    "type": "type(x) is int",
    "type by equality": "type(x) == int",
    "name of the type": "type(x).__name__ == 'int'",
    "type of a sum": "type(x + 1) is int",
    "type in a generator": "any(type(each) is int for each in (x,))",
    "type by another name": "[*map(type, (x,))] == [int]",
    "class": "x.__class__ is int",
    "isinstance": "isinstance(x, int)",
    "isinstance of several": "isinstance(x, (int, str))",
    "isinstance of a union": "isinstance(x, int | str)",
    "not isinstance": "not isinstance(x, str)",
    "isinstance of a condition": "isinstance(x > 1, bool)",
    "identity of a condition": "(x >= x - 1 + x - x) is True and (x > -1) is True",
    "identity of an object": "id(x) == id(int('1') * x)",
    "repr": "repr(x).isdigit()",
    "repr in a list": "repr([x])[1:-1].isdigit()",
    "str": "str(x).isdigit()",
    "str of a tuple": "str((x,))[1:-2].isdigit()",
    "f-string": "f'{x}'.isdigit()",
    "f-string of the repr": "f'{x!r}'.isdigit()",
    "format": "'{}'.format(x).isdigit()",
    "percent": "('%s' % x).isdigit()",
    "ascii": "ascii(x).isdigit()",
    "the repr of any object": "'int' in object.__repr__(x)",
    "hash": "hash(x) == x",
    "in a set": "x in {*range(1000)}",
    "key": "{x: True}[x]",
    "member of a set": "len({x, x}) == 1",
    "hasattr": "hasattr(x, 'bit_length')",
    "getattr": "getattr(x, 'numerator', None) is not None",
    "method": "x.bit_length() >= 0",
    "int": "int(x) == x",
    "float": "float(x) == x",
    "round": "round(x) == x",
    "abs": "abs(x) == x",
    "bool": "bool(x) or x == 0",
    "half": "x // 2 <= x",
    "quotient": "x / 1 == x",
    "remainder": "x % 1 == 0",
    "divmod": "divmod(x, 1) == (x, 0)",
    "power": "x ** 1 == x",
    "bits": "x & 0 == 0",
    "compared with a fraction": "x < x + 0.5",
    "compared with infinity": "x < float('inf')",
    "range": "len(range(x)) == x",
    "repetition": "len([0] * x) == x",
    "index": "('a', *'b' * 999)[x] in 'ab'",
    "slice": "'a' * 3 == ('a' * 3)[:x + 3]",
    "bytes": "len(bytes(x)) == x",
    "place in a tuple": "(x,).index(x) == 0",
    "count in a tuple": "(x,).count(x) == 1",
    "sorted": "sorted((x, x + 1)) == [x, x + 1]",
    "least": "min(x, x + 1) == x",
    "greatest": "max(x, 0) == x",
    "sum": "sum((x, 1)) == x + 1",
    "unequal to text": "x != '1'",
    "not None": "x is not None",
    "cache": "functools.cache(lambda n: True)(x)",
    "singledispatch": "DISPATCHED(x)",
    "names": "'x' in vars() and type(vars()['x']) is int",
    "copy": "__import__('copy').copy(x) == x",
    "deepcopy": "__import__('copy').deepcopy(x) == x",
    "json": "__import__('json').dumps(x).isdigit()",
    "pickle": "__import__('pickle').loads(__import__('pickle').dumps(x)) == x",
    "msgspec.json.encode": "MSGSPEC.json.encode(x).isdigit()",
    "msgspec.to_builtins": "MSGSPEC.to_builtins(x) == x",
    "msgspec.convert": "MSGSPEC.convert(x, int) == x",
    "type, unannotated": "(lambda n: type(n) is int)(x)",
    "type as a key, unannotated": "(lambda n: {int: True}.get(type(n)))(x)",
    "identity, unannotated": "(lambda a, b: a is b)(x, int('3'))",
    "hasattr of a symbol, unannotated": "(lambda n: not hasattr(n, 'pick'))(x)",
    "getattr of a symbol, unannotated": "(lambda n: getattr(n, 'term', None) is None)(x)",
    "a file": "open(__file__).close() is None",
    "another file": "__import__('pathlib').Path('/etc/hostname').exists() or x >= 0",
    "the environment": "__import__('os').environ is not None",
    "a clock": "__import__('time').time() > 0",
}
"""Conditions on a number that is at least 0; each holds for every plain one."""

STATEMENTS = {
    "class pattern": "match x:\n        case int():\n            return 1",
    "class pattern with a name": "match x:\n        case int(n) if n >= 0:\n            return 1",
    "value pattern": "match x:\n        case 1 | 2 | 3:\n            return 1",
    "other pattern": (
        "match x:\n        case str():\n            pass\n        case _:\n            return 1"
    ),
    "truth pattern": "match x >= 0:\n        case True:\n            return 1",
    "pattern with an attribute": (
        "match [x]:\n        case [object(term=_)]:\n            pass\n"
        "        case _:\n            return 1"
    ),
    "an error is caught": (
        "try:\n        return x.term\n    except AttributeError:\n        return 1"
    ),
    "an error is dropped": (
        "found = 1\n    for _ in (1,):\n        try:\n            found = 0 if x.term else 0\n"
        "        finally:\n            break\n    if found:\n        return 1"
    ),
}

HIDDEN = (
    "try:\n        found = {}\n    except Exception:\n        found = False\n"
    "    if found:\n        return 1"
)
"""The error is caught, so that nobody sees it."""


def _dispatched() -> Any:
    @functools.singledispatch
    def whole(_: object) -> bool:
        return False

    whole.register(int, lambda _: True)
    return whole


class _Planted:
    """A rule function with other text, as if its file said so."""

    def __init__(self, patch: pytest.MonkeyPatch, module: Any, function: str) -> None:
        self.patch, self.module, self.name = patch, module, function
        self.path = Path(module.__file__)
        patch.setattr(module, "DISPATCHED", _dispatched(), raising=False)
        patch.setattr(module, "MSGSPEC", __import__("msgspec"), raising=False)
        patch.setattr(module, "functools", functools, raising=False)

    def text(self, head: str, lines: str) -> None:
        """Put lines at the beginning of the function."""
        text = imported().content[self.path].decode()
        assert text.count(head) == 1
        text = text.replace(head, f"{head}\n    {lines}")
        self.patch.setitem(imported().content, self.path, text.encode())
        code = _code_of(compile(text, str(self.path), "exec"), self.name)
        self.patch.setattr(getattr(self.module, self.name), "__code__", code)


def _code_of(module: CodeType, name: str) -> CodeType:
    (code,) = (
        each for each in module.co_consts if isinstance(each, CodeType) and each.co_qualname == name
    )
    return code


RANKED = "the_single_strongest_takes_the_first_reward"
ABOVE = "def _above(strengths: tuple[Quantity, ...], strength: Quantity) -> Quantity:"


def _settled(name: str, case: int = -1) -> Settled:
    (outcome,) = settle_obligation(obligations([registered()[name]])[case], Manner())
    return outcome.settled


@pytest.fixture
def ranking(monkeypatch: pytest.MonkeyPatch) -> _Planted:
    """The rule that ranks the strengths in a Conflict."""
    return _Planted(monkeypatch, combat, "_above")


def test_the_ranking_is_proved_as_it_is() -> None:
    assert _settled(RANKED, 2).verdict == PROVED


def _goes_wrong(ranking: _Planted) -> bool:
    """Whether the planted rule goes wrong for plain numbers."""
    return bool(ranking.module._above((3, 1, 2), 3) == 1)


PLANTED = {
    **{how: f"if {each}:\n        return 1" for how, each in OF_A_NUMBER.items()},
    **{f"{how}, hidden": HIDDEN.format(each) for how, each in OF_A_NUMBER.items()},
    **STATEMENTS,
}


@pytest.mark.parametrize("how", PLANTED)
def test_no_construct_in_a_rule_is_looked_away_from(ranking: _Planted, how: str) -> None:
    ranking.text(ABOVE, f"x = strength\n    {PLANTED[how]}")
    assert _goes_wrong(ranking)
    found = _settled(RANKED, 2)
    assert found.verdict in (REFUTED, UNSUPPORTED, UNKNOWN), found.detail


# Records


OF_A_STATE = {
    "type": "type(state) is State",
    "class": "state.__class__ is State",
    "isinstance": "isinstance(state, State)",
    "repr": "'Poison' not in repr(state)",
    "f-string": "'Poison' not in f'{state}'",
    "hash": "hash(state) == hash(state)",
    "key": "{state: True}[state]",
    "asdict": "not hasattr(MSGSPEC.structs.asdict(state)['conflict'], 'path')",
    "astuple": "not any(hasattr(each, 'path') for each in MSGSPEC.structs.astuple(state))",
    "asdict that is None": "MSGSPEC.structs.asdict(state)['conflict'] is None",
    "to_builtins": "not isinstance(MSGSPEC.to_builtins(state)['conflict'], dict)",
    "json": "b'path' not in MSGSPEC.json.encode(state)",
    "an encoder": "b'path' not in MSGSPEC.json.Encoder().encode(state)",
    "msgpack": "b'path' not in MSGSPEC.msgpack.encode(state)",
    "convert": "MSGSPEC.convert(state, State, from_attributes=True) is not None",
    "fingerprint": "FINGERPRINT(state) != '' and state is not None",
    "raw field": "object.__getattribute__(state, 'conflict') is None",
    "pickle": "b'Poison' not in __import__('pickle').dumps(state)",
    "fields not covered": "state.conflict is None or True",
    "getattr": "getattr(state, 'conflict', None) is None or True",
}
"""Conditions that hold for every plain position."""

ALLIANCE = "only_who_rises_above_the_holder_takes_the_alliance"
GAINED = "def _alliance_after_gain(state: State, seat: Seat, faction: str) -> Step[State]:"
OPENED = {
    **{how: f"if {each}:\n        return Step(state)" for how, each in OF_A_STATE.items()},
    **{
        f"{how}, hidden": HIDDEN.format(each).replace("return 1", "return Step(state)")
        for how, each in OF_A_STATE.items()
    },
}


@pytest.fixture
def gaining(monkeypatch: pytest.MonkeyPatch) -> _Planted:
    """The rule that says who gets the Alliance after a gain."""
    planted = _Planted(monkeypatch, influence, "_alliance_after_gain")
    monkeypatch.setattr(influence, "FINGERPRINT", fingerprint, raising=False)
    return planted


def test_the_alliance_is_proved_as_it_is() -> None:
    assert _settled(ALLIANCE, 0).verdict == PROVED


@pytest.mark.parametrize("how", OPENED)
def test_no_look_into_a_record_goes_unnoticed(gaining: _Planted, how: str) -> None:
    gaining.text(GAINED, OPENED[how])
    found = _settled(ALLIANCE, 0)
    assert found.verdict in (REFUTED, UNSUPPORTED), found.detail


# Rulings

BANK = "the_bank_never_runs_dry"
TAKES = '''    """A player takes resources from the bank. UPR-COST-007, UPR-COST-008"""'''
OF_RULINGS = {
    "type": "type(rulings) == Rulings",
    "class": "rulings.__class__ == Rulings",
    "equal": "rulings == Rulings()",
    "equal, the other way": "Rulings() == rulings",
    "unequal": "not rulings != Rulings()",
    "all that is chosen": "('swords_after_last_unit', 'kept') not in rulings.chosen",
    "how many are chosen": "len(rulings.chosen) == 0",
    "by another name": "not getattr(rulings, 'chosen')",
    "key": "Rulings() in {rulings: 1}",
    "text": "str(rulings) == 'Rulings(chosen=())'",
    "asked around what is open": "Rulings.value(rulings, 'swords_after_last_unit', 'x') == 'x'",
    "another default": "rulings.value('swords_after_last_unit', 'x') == 'x'",
    "of no position": "Rulings().value('swords_after_last_unit', 'x') == 'x'",
}
"""Conditions on the rulings of a game; each holds in every game that chooses none."""


def _gains_too_much(monkeypatch: pytest.MonkeyPatch, where: str, rulings: Rulings) -> bool:
    """Plant a gain of one too many where a condition on rulings holds; whether it does in these."""
    planted = _Planted(monkeypatch, resources, "gain")
    monkeypatch.setattr(resources, "Rulings", Rulings, raising=False)
    wrong = f"rulings = state.config.rulings\n    if {where}:\n        amount = amount + 1"
    planted.text(TAKES, wrong)
    start = starting_state("uprising", ("Red", "Blue", "Green"), rulings)
    spice = start.players[0].spice
    return bool(resources.gain(start, 0, 2, "spice").state.players[0].spice == spice + 3)


@pytest.mark.parametrize("how", OF_RULINGS)
def test_rulings_are_only_asked_for_by_name(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    assert _gains_too_much(monkeypatch, OF_RULINGS[how], Rulings())
    assert _settled(BANK).verdict in (REFUTED, UNSUPPORTED)


@pytest.mark.parametrize("where", ["{} in rulings.chosen", "rulings == Rulings(({},))"])
def test_no_ruling_is_found_among_the_chosen(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    chosen = "swords_after_last_unit", "kept"
    assert _gains_too_much(monkeypatch, where.format(chosen), Rulings((chosen,)))
    assert _settled(BANK).verdict in (REFUTED, UNSUPPORTED)


def test_the_bank_is_proved_as_it_is() -> None:
    assert _settled(BANK).verdict == PROVED


def test_a_refused_use_is_named_with_its_place(ranking: _Planted) -> None:
    ranking.text(ABOVE, "if type(strength) is int:\n        return 1")
    line = imported().content[ranking.path].decode().partition(ABOVE)[0].count("\n") + 2
    found = _settled(RANKED, 2)
    assert found.verdict == UNSUPPORTED
    assert f"rules_engine/imperium/combat.py:{line}" in found.detail


def test_what_no_proof_reaches_is_no_matter(ranking: _Planted) -> None:
    ranking.text(ABOVE, "if type(strength) is int:\n        return 1")
    assert refused_in({combat._level.__code__}) == ""
    assert refused_in({combat._above.__code__}) != ""


# What a property says


NO_TRUTHS: dict[str, Callable[[], Any]] = {
    "generator": lambda: (each > 9 for each in (quantity("n"),)),
    "function": lambda: lambda: False,
    "list": lambda: [quantity("n") > 9],
    "nothing": lambda: None,
    "number": lambda: 1,
    "symbolic number": lambda: quantity("n") + 1,
    "text": lambda: "False",
}


@pytest.mark.parametrize("what", NO_TRUTHS)
@pytest.mark.parametrize(
    "say",
    [
        lambda condition: claim(condition, "something"),
        assume,
        domain,
        lambda condition: claim(all_of(condition, True), "all"),
        lambda condition: claim(any_of(condition, False), "any"),
        lambda condition: claim(opposite(condition), "not"),
        lambda condition: claim(implies(True, condition), "it follows"),
    ],
    ids=["claim", "assume", "domain", "all_of", "any_of", "opposite", "implies"],
)
def test_only_truth_values_can_be_claimed_or_assumed(what: str, say: Callable[[Any], None]) -> None:
    def function() -> None:
        claim(quantity("n") >= 0, "it is natural")
        try:
            say(NO_TRUTHS[what]())
        except Unsupported:
            claim(True, "nobody saw it")

    found = settle(function)
    assert found.verdict == UNSUPPORTED
    assert "where a truth value has to be at tests/verifier/test_fail_closed.py:" in found.detail


# Two choices of one name


class _Pair(Record):
    left: Any
    right: Any = 0


OTHER_OPTIONS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "text": (lambda: ("a", "b"), lambda: ("b", "a")),
    "numbers": (lambda: (1, 2), lambda: (1, 3)),
    "truth and number": (lambda: (1, 0), lambda: (True, False)),
    "more": (lambda: ("a", "b"), lambda: ("a", "b", "c")),
    "records": (lambda: (_Pair(1), _Pair(2)), lambda: (_Pair(2), _Pair(1))),
    "symbolic": (lambda: (quantity("n"), 1), lambda: (quantity("m"), 1)),
    "unhashable": (lambda: ([1], {"a": 1}), lambda: ([1], {"a": 2})),
    "watched": (
        lambda: (watched(_Pair(0), left=Poison("one")), 1),
        lambda: (watched(_Pair(0), left=Poison("other")), 1),
    ),
}
SAME_OPTIONS: dict[str, Callable[[], Any]] = {
    "text": lambda: ("a", "b"),
    "a list": lambda: ["a", "b"],
    "records": lambda: (_Pair((1, "a")), _Pair(None)),
    "symbolic": lambda: (quantity("n"), quantity("n") + 1),
    "unhashable": lambda: ([1], {"a": [1]}, {1, 2}),
    "watched": lambda: (
        watched(_Pair(0), left=Poison("one"), right=AnyNumber("two")),
        watched(_Pair(0), left=Lazy("three", ("a", "b"))),
    ),
}


@pytest.mark.parametrize("how", OTHER_OPTIONS)
def test_one_name_is_one_choice(how: str) -> None:
    first, second = OTHER_OPTIONS[how]

    def function() -> None:
        choose("which", first())
        choose("which", second())
        claim(True, "nothing")

    found = settle(function)
    assert found.verdict == UNSUPPORTED
    assert "which is asked for as two different unknowns" in found.detail
    with pytest.raises(Unsupported, match="two different unknowns"):
        replay(lambda: (choose("which", ("a", "b")), choose("which", ("b", "a"))), {})


@pytest.mark.parametrize("how", SAME_OPTIONS)
def test_the_same_options_may_be_asked_for_again(how: str) -> None:
    def function() -> None:
        before = choose("which", SAME_OPTIONS[how]())
        claim(len(SAME_OPTIONS[how]()) > 1, "there is a choice")
        choose("which", SAME_OPTIONS[how]())
        claim(before is before, "nothing")

    assert settle(function).verdict == PROVED


def test_the_columns_of_one_choice_have_as_many_rows() -> None:
    def function() -> None:
        pair = watched(_Pair(0), left=Lazy("row", (1, 2)), right=Lazy("row", (2, 3, 4)))
        claim(pair.left < pair.right, "less")

    assert settle(function).verdict == UNSUPPORTED


def test_a_replay_takes_no_name_for_two_numbers() -> None:
    with pytest.raises(Unsupported, match="two different unknowns"):
        replay(lambda: (quantity("n", 0, 3), quantity("n", 0, 4)), {})


# What nobody may catch


def test_a_limit_counts_whoever_catches_it() -> None:
    def rule(n: Any) -> Any:
        try:
            return n if n > 3 else n + 1
        except BaseException:
            return n + 1

    def function() -> None:
        n = quantity("n")
        claim(rule(n) == n + 1, "it is one more")

    found = settle(function, budget=Budget(work=100))
    assert found.verdict == UNKNOWN
    assert found.detail.startswith("the solver ran out of resources on a branch")
    assert settle(function).verdict == REFUTED


@pytest.mark.parametrize("work", [1, 10])
def test_hardly_any_work_is_a_limit_and_no_fault_of_the_verifier(work: int) -> None:
    found = settle(lambda: claim(quantity("n") > 3, "it is large"), budget=Budget(work=work))
    assert found.verdict == UNKNOWN
    assert "ran out of resources" in found.detail


@pytest.mark.parametrize("say", [assume, domain])
@pytest.mark.parametrize("then", [0, 1, 2])
def test_an_assumption_that_is_caught_ends_the_proof(
    say: Callable[[bool], None], then: int
) -> None:
    def function() -> None:
        claim(quantity("m") >= 0, "it is natural")
        n = quantity("n")
        try:
            say(n < 0)
        except BaseException:
            if then == 1:
                raise ValueError from None
            if then:
                say(n < 0)

    found = settle(function)
    assert found.verdict == UNSUPPORTED
    assert "somebody caught the end of a path" in found.detail


class _Level(IntEnum):
    """Compares as no number does."""

    LOW = 3

    def __gt__(self, other: object) -> bool:
        return other == 3 or int(self) > cast(int, other)

    def __radd__(self, other: int) -> int:
        return other + 2 if other == 3 else other + 3


class _Word(str):
    """Is equal to more than itself."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return True


OF_SUBCLASSES: dict[str, Callable[[Any], Any]] = {
    "compared": lambda n: n < _Level.LOW,
    "added": lambda n: n + _Level.LOW == n + 3,
    "added to": lambda n: _Level.LOW + n == n + 3,
    "taken as a value": lambda n: pick(n > 1, n, _Level.LOW) >= 0,
    "a text": lambda n: pick(n > 1, "high", "low") == _Word("other"),
    "one of two texts": lambda n: pick(n > 1, "high", _Word("low")) == "low",
}


@pytest.mark.parametrize("what", OF_SUBCLASSES)
def test_a_subclass_of_a_number_or_a_text_has_operations_of_its_own(what: str) -> None:
    found = settle(lambda: claim(any_of(OF_SUBCLASSES[what](quantity("n")), True), "it is so"))
    assert found.verdict == UNSUPPORTED, found.detail
    assert "tests/verifier/test_fail_closed.py:" in found.detail


def test_nobody_leaves_a_run_by_exiting(ranking: _Planted) -> None:
    ranking.text(ABOVE, "raise SystemExit(0)")
    found = _settled(RANKED, 2)
    assert found.verdict == REFUTED
    assert "SystemExit" in found.detail


NO_NAMES = ["", "true", "and", "distinct", "?x45", "!k", "a|b", "a\\b", "what was not explored"]


@pytest.mark.parametrize("name", NO_NAMES)
def test_a_name_that_no_certificate_can_have_is_refused(name: str) -> None:
    found = settle(lambda: claim(quantity(name) >= 0, "it is natural"))
    assert found.verdict == UNSUPPORTED
    assert f"no unknown can be called `{name}`" in found.detail


# What outlives a call

BODY = "return n + 1 if {} < 3 else n"
STATES = {
    "a list": "CALLS = []\ndef f(n):\n    CALLS.append(1)\n    " + BODY.format("len(CALLS)"),
    "an entry": (
        "MEMO = {}\ndef f(n):\n    MEMO['n'] = MEMO.get('n', 0) + 1\n    "
        + BODY.format("MEMO['n']")
    ),
    "a step": "COUNT = itertools.count()\ndef f(n):\n    " + BODY.format("next(COUNT)"),
    "a default": ("def f(n, calls=[]):\n    calls.append(1)\n    " + BODY.format("len(calls)")),
    "a named default": (
        "def f(n, *, calls={}):\n    calls[len(calls)] = 1\n    " + BODY.format("len(calls)")
    ),
    "a global": (
        "CALLED = 0\ndef f(n):\n    global CALLED\n    CALLED += 1\n    " + BODY.format("CALLED")
    ),
    "an attribute": (
        "def f(n):\n    f.calls = getattr(f, 'calls', 0) + 1\n    " + BODY.format("f.calls")
    ),
    "of a class": (
        "class Calls:\n    made = 0\ndef f(n):\n    Calls.made += 1\n    "
        + BODY.format("Calls.made")
    ),
    "a closure": (
        "def made():\n    calls = 0\n    def f(n):\n        nonlocal calls\n"
        "        calls += 1\n        " + BODY.format("calls") + "\n    return f\nf = made()"
    ),
}
"""Rules that add 1 as long as they were not called often."""

BEHIND_THE_TEXT = {
    "another name": (
        "CALLS = []\ndef f(n):\n    calls = CALLS\n    calls.append(1)\n    "
        + BODY.format("len(calls)")
    ),
    "inside a tuple": (
        "CALLS = ([],)\ndef f(n):\n    for calls in CALLS:\n        calls.append(1)\n    "
        + BODY.format("len(CALLS[0])")
    ),
    "back and forth": (
        "CALLS = [1]\ndef f(n):\n    calls = CALLS\n    calls[0] = -calls[0]\n    "
        "return n + 1 if calls[0] < 3 or n > 9 else n"
    ),
}
"""Rules whose text does not show it."""


@pytest.fixture
def rule_file() -> Iterator[dict[str, Any]]:
    """The names of a file of rules, which are what they were afterwards."""
    names = vars(combat)
    before = dict(names)
    names["itertools"] = itertools
    yield names
    names.clear()
    names.update(before)


@pytest.mark.parametrize("how", [*STATES, *BEHIND_THE_TEXT])
def test_nothing_outlives_a_call(rule_file: dict[str, Any], how: str) -> None:
    exec({**STATES, **BEHIND_THE_TEXT}[how], rule_file)

    def function() -> None:
        n = quantity("n")
        claim(rule_file["f"](n) == n + 1, "it is one more")

    found = settle(function)
    assert found.verdict == UNSUPPORTED
    assert "is not the same from one call to the next" in found.detail
    assert "rules_engine.imperium.combat" in found.detail


@pytest.mark.parametrize("how", STATES)
def test_what_outlives_a_call_is_seen_in_the_text(how: str) -> None:
    found = check(ast.parse(STATES[how]), "rule.py", gather([]))
    assert "state" in {each.code for each in found}


def test_what_a_rule_remembers_for_good_is_no_matter(rule_file: dict[str, Any]) -> None:
    text = "@functools.cache\ndef f(name):\n    had = []\n    had.append(name)\n    return had"
    exec(text, {"functools": functools}, rule_file)

    def function() -> None:
        claim(rule_file["f"]("a") == ["a"], "it is the same")

    assert settle(function).verdict == PROVED
    assert check(ast.parse(text), "rule.py", gather([])) == []


def test_a_file_is_no_part_of_a_position(tmp_path: Path) -> None:
    file = tmp_path / "number"
    file.write_text("1")

    def function() -> None:
        n = quantity("n")
        try:
            more = int(file.read_text())
        except Exception:
            more = 1
        claim(n + more > n, "it is more")

    found = settle(function)
    assert found.verdict == UNSUPPORTED
    assert "no part of the engine" in found.detail
    assert file.read_text() == "1"


# What is inside a function


def test_what_a_decorator_makes_is_looked_at(ranking: _Planted) -> None:
    text = imported().content[ranking.path].decode()
    text += (
        "\n\ndef told(rule):\n    @functools.wraps(rule)\n    def asked(n):\n"
        "        return rule(n) if n is 3 else 0\n    return asked\n"
    )
    ranking.patch.setitem(imported().content, ranking.path, text.encode())
    found = _settled(RANKED, 2)
    assert found.verdict == UNSUPPORTED
    assert "rules_engine/imperium/combat.py" in found.detail


# What a property does

IN_A_PROPERTY = {
    "identity of a truth value": "(n > 5) is not True",
    "identity of a number": "n is not five",
    "identity of two": "n is not m",
    "identity by a function": "operator.is_not(n, m)",
    "identity as a number": "id(n) != id(5)",
    "identity of a text": "t is not a",
}
STATEMENTS_OF_A_PROPERTY = {
    "an error": "try:\n    found = t in 'xa'\nexcept TypeError:\n    found = True",
    "any error": "try:\n    assume(n > 3)\nexcept BaseException:\n    pass",
    "whatever there is": "try:\n    assume(n > 3)\nexcept:\n    pass",
    "one of two": "try:\n    f()\nexcept (UnknownRead, ValueError):\n    pass",
    "suppressed": "with contextlib.suppress(TypeError):\n    found = 'abc'.startswith(t)",
    "in the end": "for _ in (1,):\n    try:\n        assume(n > 3)\n    finally:\n        break",
    "truth pattern": "match n > 5:\n    case True:\n        pass",
}
FINE = {
    "nothing": "n is None or n is not None",
    "a record class": "type(n) is State or kind is not State",
    "a field": "each.id == 'a'",
    "what rules raise": "f()\ntry:\n    f()\nexcept UnknownRead:\n    g()",
}
A_CLASS = ast.parse("class State:\n    pass")


@pytest.mark.parametrize("how", [*IN_A_PROPERTY, *STATEMENTS_OF_A_PROPERTY])
def test_what_nobody_notices_is_refused_to_properties(how: str) -> None:
    text = {**IN_A_PROPERTY, **STATEMENTS_OF_A_PROPERTY}[how]
    assert check_property(ast.parse(text), "property.py", gather([A_CLASS])) != []


@pytest.mark.parametrize("how", FINE)
def test_what_is_asked_in_another_way_is_not(how: str) -> None:
    assert check_property(ast.parse(FINE[how]), "property.py", gather([A_CLASS])) == []


@pytest.mark.parametrize("how", IN_A_PROPERTY)
def test_a_property_that_ran_is_looked_at(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    planted = _Planted(monkeypatch, about_influence, ALLIANCE)
    planted.text(
        "    own = move.stands(move.who)\n    takes: Any = own >= ALLIES",
        f"n, m, five, t, a = own, own + 1, 5, 'b', 'a'\n    claim({IN_A_PROPERTY[how]}, 'never')",
    )
    monkeypatch.setattr(about_influence, "operator", operator, raising=False)
    found = _settled(ALLIANCE, 0)
    assert found.verdict == UNSUPPORTED
    assert "verifier/properties/influence.py" in found.detail


def test_a_property_does_not_ask_for_the_type_of_a_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for condition in ("type(own) is not int", "type(pick(own > 3, 'a', 'b')) != str"):
        planted = _Planted(monkeypatch, about_influence, ALLIANCE)
        planted.text(
            "    own = move.stands(move.who)\n    takes: Any = own >= ALLIES",
            f"claim({condition}, 'never')",
        )
        monkeypatch.setattr(about_influence, "pick", pick, raising=False)
        assert _settled(ALLIANCE, 0).verdict == UNSUPPORTED
        monkeypatch.undo()


def test_numbers_and_texts_are_not_left_alone() -> None:
    def number() -> None:
        claim(not left_alone(quantity("n"), 3), "never")

    def text() -> None:
        claim(not left_alone(pick(quantity("n") > 1, "a", "b"), 3), "never")

    assert settle(number).verdict == UNSUPPORTED
    assert settle(text).verdict == UNSUPPORTED
    assert left_alone(None, None)


def test_what_is_remembered_under_one_name_is_of_one_text() -> None:
    def function() -> None:
        n = quantity("n")
        one = remembered(("k",), lambda: n + 1, n)
        other = remembered(("k",), lambda: n + 2, n)
        claim(one == other, "they are the same")

    assert settle(function).verdict == REFUTED


# Claims that nobody gets to


def _proved_with(monkeypatch: pytest.MonkeyPatch, lines: str) -> Verdict:
    planted = _Planted(monkeypatch, about_influence, ALLIANCE)
    planted.text("    own = move.stands(move.who)\n    takes: Any = own >= ALLIES", lines)
    monkeypatch.setattr(about_influence, "assume", assume, raising=False)
    return prove(ALLIANCE)


NOBODY_GETS_THERE = {
    "contradiction": "claim(own > own - 1, 'more')\n    assume(own < 0)",
    "a plain one": "claim(own > own - 1, 'more')\n    assume(False)",
    "impossible": "if own < 0:\n        claim(False, 'never')",
    "inside a function": "(lambda: own < 0 and claim(False, 'never'))()",
    "a function that is not called": "unused = lambda: claim(False, 'never')",
}


@pytest.mark.parametrize("how", NOBODY_GETS_THERE)
def test_every_line_that_claims_something_is_reached(
    monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    found = _proved_with(monkeypatch, NOBODY_GETS_THERE[how])
    assert found.verdict == UNKNOWN
    assert "gets to a claim" in found.detail
    assert "verifier/properties/influence.py:" in found.detail


def test_a_line_that_is_reached_in_one_case_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "if move.holder is None:\n        claim(own > own - 1, 'more')"
    assert _proved_with(monkeypatch, lines).verdict == PROVED


def test_what_reads_a_file_is_seen_in_the_text() -> None:
    found = check(ast.parse("def f(n):\n    return n if open('x') else 0"), "f.py", gather([]))
    assert {(each.line, each.code) for each in found} == {(2, "inside"), (2, "outside")}
