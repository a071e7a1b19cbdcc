"""Detours by which a rule could ask, or remember, what no proof sees: each is planted into `gain`.

A player gets one more than the amount under a condition that a proof must not look away from. Some
of it is what the file says around the function, as if it had been imported so.
"""

from __future__ import annotations

import importlib

import pytest

from rules_engine.imperium import resources
from tests.verifier.planted_gain import Gain, settled
from verifier.left_behind import PLAY_GAMES, LeftBehind
from verifier.sources import ENGINE
from verifier.verdicts import PROVED, REFUTED, UNSUPPORTED

CACHED = "@functools.cache\ndef _seen():\n    return []"

CAPTURED = {
    "type under another name": ("_KIND = type", "_KIND(amount) == int"),
    "type in a tuple": ("_KINDS = (type, str)", "_KINDS[0](amount) == int"),
    "type as a default": (
        "def _is_plain(n, kind: object = type):\n    return kind(n) == int",
        "_is_plain(amount)",
    ),
    "type in a table": (
        "_KINDS = {'kind': type}\n\n\ndef _asker():\n    return _KINDS['kind']",
        "_asker()(amount) == int",
    ),
    "type of a class": ("_KIND = type(int)", "_KIND(amount) == int"),
    "type of a class, on the way": ("", "type(int)(amount) == int"),
    "type with what is in it": ("_KIND = type[int]", "_KIND(amount) == int"),
    "type made by a function": (
        "def _kind(of):\n    return type(of)\n\n\n_KIND = _kind(int)",
        "_KIND(amount) == int",
    ),
    "hasattr": ("_HAS = hasattr", "not _HAS(amount, 'te' + 'rm')"),
    "getattr": ("_HAS = getattr", "_HAS(amount, 'te' + 'rm', None) is None"),
    "hasattr under its own name": ("hasattr = hasattr", "not hasattr(amount, 'te' + 'rm')"),
    "type under its own name": ("type = type", "(lambda n: type(n) == int)(amount)"),
    "type of what is settled": (
        "def _less(a, b):\n    return a - b",
        "type(_less(amount, amount)) == int",
    ),
    "hash under another name": ("_HASH = hash", "_HASH(what) == hash('solari')"),
    "hash, handed on": ("", "[*map(hash, (what,))] != [0]"),
    "a method of a class": (
        "class _Asked(tree.Node):\n    @classmethod\n    def plain(cls):\n"
        "        return cls == _Asked",
        "_Asked().plain()",
    ),
    "a record that is compared otherwise": (
        "class _Asked(tree.Node, eq=False):\n    n: int",
        "_Asked(amount) != _Asked(amount)",
    ),
    "an annotation that is computed": (
        "import typing\n\n\nclass _Asked:\n"
        "    x: \"int if __builtins__['type'](n) == int else str\"",
        "typing.get_type_hints(_Asked, None, {'n': amount})['x'] == int",
    ),
    "an annotation inside a type": (
        "import typing",
        "typing.get_args(typing.Optional[\"__builtins__['type'](n) == int\"])[0]"
        "._evaluate(None, {'n': amount}, frozenset())",
    ),
}
"""What is put around the function, and a condition that holds for every plain amount."""

REMEMBERED = {
    "a cached count": (
        "import itertools\n\n\n@functools.cache\ndef _ticks():\n    return itertools.count()",
        "",
        "next(_ticks()) > 5000",
    ),
    "a cached list": (
        CACHED,
        "seen = _seen()\n    more = (1,)\n    seen += more",
        "len(seen) > 5000",
    ),
    "a cached list, made anew": (
        CACHED,
        "seen = _seen()\n    seen.__init__((*seen, 1))",
        "len(seen) > 5000",
    ),
    "a list of a library": (
        "from collections import UserList\n_SEEN = UserList()",
        "seen = _SEEN\n    more = (1,)\n    seen += more",
        "len(seen) > 5000",
    ),
    "a table in tables": (
        "from collections import ChainMap\n_TABLES = ChainMap({})",
        "table = _TABLES.maps[0]\n    more = {len(table): 0}\n    table |= more",
        "len(table) > 5000",
    ),
    "a method of a list": ("_POP = [*range(10000)].pop", "", "_POP() < 5000"),
    "a list in a slice": (
        "_BOX = slice([])",
        "box = _BOX.stop\n    more = (1,)\n    box += more",
        "len(box) > 5000",
    ),
    "how often a cache was asked": (
        "@functools.cache\ndef _asked():\n    return 1",
        "_asked()",
        "getattr(_asked, 'cache_' + 'info')().hits > 5000",
    ),
}
"""What is put around the function, what it does first, and a condition that holds at some time."""


def test_nothing_of_the_engine_is_unclear() -> None:
    for each in ENGINE.rglob("*.py"):
        parts = each.relative_to(ENGINE.parent).with_suffix("").parts
        importlib.import_module(".".join(parts).removesuffix(".__init__"))
    assert LeftBehind().changed() == ""


def test_the_gain_is_proved_as_it_is() -> None:
    assert settled().verdict == PROVED


@pytest.mark.parametrize("how", CAPTURED)
def test_what_is_captured_is_not_called_proved(gain: Gain, how: str) -> None:
    around, condition = CAPTURED[how]
    gain.plant(around, condition)
    names = {**vars(resources), "amount": 2, "what": "solari"}
    assert eval(condition, names)
    assert settled().verdict in (REFUTED, UNSUPPORTED)


@pytest.mark.parametrize("how", REMEMBERED)
def test_what_is_remembered_is_not_called_proved(gain: Gain, how: str) -> None:
    around, first, condition = REMEMBERED[how]
    gain.plant(around, condition, first)
    assert settled().verdict in (REFUTED, UNSUPPORTED)


def test_no_rule_asks_what_plays_games() -> None:
    for path in (ENGINE / "imperium").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert path.stem == "soak" or not any(each in text for each in PLAY_GAMES), path
        assert path.stem == "soak" or "import soak" not in text, path
