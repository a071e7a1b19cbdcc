"""What was worked out while modules were imported counts, wherever its result is held."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.verifier.planted_project import plant, prove_in

HEAD = """
from collections import defaultdict
from enum import Enum
from functools import cache, lru_cache, partial, wraps

from rules_engine.imperium import planted_leaves
from rules_engine.imperium.planted_leaves import leaf

def _one():
    return 1


"""

LEAVES = """
def leaf(n=0):
    return n + 1


def keep(function):
    return function


def apply(function):
    return function()


TABLE = {"leaf": leaf}
"""

ONE, LEAF = ("planted_rules.py", "return 1", "return 2"), ("planted_leaves.py", "n + 1", "n + 2")

HIDDEN = {
    "attribute of a function": ("def f(n): return n + f.more\n\nf.more = _one()", ONE),
    "slot": (
        "class Box:\n    __slots__ = ('n',)\n\nBOX = Box()\nBOX.n = _one()\n\n"
        "def f(n): return n + BOX.n",
        ONE,
    ),
    "own words": (
        "class Box:\n    def __init__(self, n): self.n = n\n"
        "    def __repr__(self): return 'box'\n\nBOX = Box(_one())\n\n"
        "def f(n): return n + BOX.n",
        ONE,
    ),
    "what makes what is missing": (
        "TABLE = defaultdict(partial(int, _one()))\n\ndef f(n): return n + TABLE.default_factory()",
        ONE,
    ),
    "attribute of an enum": (
        "class Phase(Enum):\n    ONE = 'one'\n\n"
        "    def __init__(self, _): self.more = _one()\n\n"
        "def f(n): return n + Phase.ONE.more",
        ONE,
    ),
    "attribute of a text": (
        "class Name(str):\n    more = 0\n\nNAME = Name('x')\nNAME.more = _one()\n\n"
        "def f(n): return n + NAME.more",
        ONE,
    ),
    "what is handed to one that calls it": (
        "def f(n): return n + f.more\n\nf.more = planted_leaves.apply(_one)",
        ONE,
    ),
    "what is handed to Python": (
        "def f(n): return n + f.more\n\nf.more = sum(map(leaf, (0,)))",
        LEAF,
    ),
    "decorator": (
        "def added(rule):\n    rule.more = rule()\n    return rule\n\n"
        "@added\ndef one():\n    return _one()\n\n"
        "def f(n): return n + one.more",
        ONE,
    ),
    "body of a class": (
        "class Box:\n    __slots__ = ('n',)\n\nBOX = Box()\n\n"
        "class Other:\n    BOX.n = _one()\n\ndef f(n): return n + BOX.n",
        ONE,
    ),
    "part of another": (
        "later = partial(leaf, 0)\n\ndef f(n): return n + f.more\n\nf.more = later()",
        LEAF,
    ),
    "generator": ("def f(n): return n + f.more\n\nf.more = sum(leaf(0) for _ in (1,))", LEAF),
    "cache, through a module": (
        "@cache\ndef more(): return planted_leaves.leaf()\n\nmore()\n\ndef f(n): return n + more()",
        LEAF,
    ),
    "cache, through a method": (
        "class Leaf:\n    def more(self): return leaf()\n\nLEAF = Leaf()\n\n"
        "@lru_cache(maxsize=4)\ndef more(): return LEAF.more()\n\nmore()\n\n"
        "def f(n): return n + more()",
        LEAF,
    ),
    "cache, through a table": (
        "@cache\ndef more(name): return planted_leaves.TABLE[name]()\n\nmore('leaf')\n\n"
        "def f(n): return n + more('leaf')",
        LEAF,
    ),
}
"""Rules that add one, which they have from a place that is not told, and what makes it two."""

NAMED = {
    "table": "TABLE = {'leaf': leaf}\n\ndef f(n): return n + 1",
    "function that keeps it": "KEPT = planted_leaves.keep(leaf)\n\ndef f(n): return n + 1",
}
"""Rules that have a function for later, and do not run it."""

PROPERTY = """
import rules_engine.imperium.game
from rules_engine.imperium import planted_rules
from verifier.current import claim, quantity
from verifier.registry import Twin, proves


@proves({"UPR-MAKER-001": Twin("rules_engine.imperium.planted_rules", "", "")})
def one_is_added():
    "Unsatisfiable iff 1 is added."
    n = quantity("n", 0, 9)
    claim(planted_rules.f(n) == n + 1, "1 is added")
"""


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with one property."""
    project = plant(tmp_path_factory.mktemp("empty"))
    (project / "verifier" / "properties" / "planted.py").write_text(PROPERTY)
    (project / "rules_engine" / "imperium" / "planted_values.py").unlink()
    return project


def _with(empty: Path, folder: Path, rules: str) -> Path:
    project = shutil.copytree(empty, folder / "project")
    (project / "rules_engine" / "imperium" / "planted_rules.py").write_text(HEAD + rules)
    (project / "rules_engine" / "imperium" / "planted_leaves.py").write_text(LEAVES)
    return project


def _edit(project: Path, file: str, old: str, new: str) -> None:
    path = project / "rules_engine" / "imperium" / file
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize("where", HIDDEN)
def test_what_works_it_out_counts(empty: Path, tmp_path: Path, where: str) -> None:
    """Some of these places no rule may have: then nothing is proved to begin with."""
    rules, edit = HIDDEN[where]
    project = _with(empty, tmp_path, rules)
    assert prove_in(project, "one_is_added") in ("proved False", "unsupported False")
    _edit(project, *edit)
    assert prove_in(project, "one_is_added") in ("refuted False", "unsupported False")


def test_some_of_these_places_rules_may_have(empty: Path, tmp_path: Path) -> None:
    project = _with(empty, tmp_path, HIDDEN["cache, through a module"][0])
    assert prove_in(project, "one_is_added") == "proved False"
    _edit(project, *LEAF)
    assert prove_in(project, "one_is_added") == "refuted False"


@pytest.mark.parametrize("where", NAMED)
def test_what_is_for_later_does_not_count(empty: Path, tmp_path: Path, where: str) -> None:
    project = _with(empty, tmp_path, NAMED[where])
    assert prove_in(project, "one_is_added") == "proved False"
    _edit(project, *LEAF)
    assert prove_in(project, "one_is_added") == "proved True"


def test_a_rule_of_the_game_leaves_other_proofs_alone(empty: Path, tmp_path: Path) -> None:
    project = _with(empty, tmp_path, NAMED["table"])
    assert prove_in(project, "one_is_added") == "proved False"
    _edit(project, "combat.py", "other > strength for", "other >= strength for")
    assert prove_in(project, "one_is_added") == "proved True"


def test_what_ran_earlier_is_looked_through(empty: Path, tmp_path: Path) -> None:
    """What a cache remembers is refused as it is when it runs."""
    rules = "@cache\ndef more(n): return 1 if n is not None else 2\n\nmore(1)\n\n"
    project = _with(empty, tmp_path, f"{rules}def f(n): return n + more(1)")
    first = "from rules_engine.imperium.planted_rules import more; more(1)"
    assert prove_in(project, "one_is_added") == "proved False"
    _edit(project, "planted_rules.py", "n is not None", "n is 1")
    assert prove_in(project, "one_is_added", first=first) == "unsupported False"
