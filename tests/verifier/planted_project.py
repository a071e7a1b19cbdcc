"""A copy of the engine and the verifier with rules and properties of its own, that may be edited.

Its properties are settled in a moment, and nothing else is proved there: what is tried is whether
a proof is kept.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from verifier.sources import ENGINE, VERIFIER

TICKS = 0.05

NAME = "one_who_is_above_is_counted"

VALUES = """
from enum import Enum
from functools import wraps

LIMIT = 3
TOPMOST = 3


class Costs:
    SEAT = 3

    class Later:
        SEAT = 3


class Phase(Enum):
    FIRST = 3


def _worked_out():
    return 1 + 2


WORKED_OUT = _worked_out()


def leaf(n):
    return n + 3


def logged(rule):
    @wraps(rule)
    def wrapper(n):
        return rule(n) + 3

    return wrapper
"""

RULES = """
from rules_engine.imperium import planted_values
from rules_engine.imperium.planted_values import LIMIT, Costs, Phase, leaf, logged
from rules_engine.kernel import numbers
from rules_engine.kernel.numbers import count_true


def above(n, other):
    return count_true((other > n,))


def default(n, limit=LIMIT):
    return n + limit


def keyword(n, *, limit=LIMIT):
    return n + limit


def module(n):
    return n + planted_values.TOPMOST


def worked_out(n):
    return n + planted_values.WORKED_OUT


def attribute(n):
    return n + Costs.SEAT


def inner_class(n):
    return n + Costs.Later.SEAT


class Taken:
    limit = LIMIT


def own_class(n):
    return n + Taken.limit


def enum(n):
    return n + Phase.FIRST.value


def make(add):
    def made(n):
        return n + add

    return made


_made = make(LIMIT)


def closure(n):
    return _made(n)


@logged
def wrapped(n):
    return n


def called(n):
    return leaf(n)


def larger(n):
    return numbers.larger(n, n + 3)


def unordered(n):
    return n + (3 if next(iter({"red", "blue"})) == "red" else 4)
"""
"""Rules that add 3, which comes from somewhere else."""

PROPERTIES = f'''
import rules_engine.imperium.game
from rules_engine.imperium import planted_rules
from verifier.current import claim, quantity
from verifier.registry import Twin, proves

RULE = "UPR-MAKER-001"
TWINS = {{RULE: Twin("rules_engine.imperium.planted_rules", "", "")}}


@proves(TWINS, cases=({{"by": 1}}, {{"by": 2}}))
def {NAME}(by):
    """Unsatisfiable iff just one who is above is counted."""
    n = quantity("n", 0, 9)
    claim(planted_rules.above(n, n) == 0, "one who is not above")
    claim(planted_rules.above(n, n + by) == 1, "one who is above")


@proves(TWINS)
def larger_is_the_smaller_one():
    """Unsatisfiable iff the larger one is the smaller one, which it is not."""
    n = quantity("n", 0, 9)
    claim(planted_rules.larger(n) == n, "the smaller one")
'''

ADDS = """

@proves(TWINS)
def {name}_adds_three():
    "Unsatisfiable iff 3 is added."
    n = quantity("n", 0, 9)
    claim(planted_rules.{name}(n) == n + 3, "3 is added")
"""

ADDING = (
    "default",
    "keyword",
    "module",
    "worked_out",
    "attribute",
    "inner_class",
    "own_class",
    "enum",
    "closure",
    "wrapped",
    "called",
)
"""The rules that add 3."""

SCRIPT = """
import sys
from pathlib import Path

if __name__ == "__main__":
    jobs, before, first, meanwhile, afterwards, *names = sys.argv[1:]
    exec(before)
    from verifier.api import Verdict, property_named, prove_all
    from verifier.kept import Kept
    from verifier.obligations import Manner, obligations

    exec(first)
    kept = Kept(Path("proofs"))
    kept.find(obligations([property_named(name) for name in names]), Manner())
    exec(meanwhile)
    for found in prove_all(names, jobs=int(jobs), kept=kept):
        if isinstance(found, Verdict):
            print(found.verdict, found.from_kept)
    exec(afterwards)
"""
"""Proves properties; some lines are run before the verifier is imported, then, when it was looked
for kept proofs, and at the end."""


def plant(folder: Path) -> Path:
    """Make the project in a folder."""
    for each in (ENGINE, VERIFIER):
        shutil.copytree(each, folder / each.name)
    for file in (folder / "verifier" / "properties").glob("*.py"):
        if file.stem != "__init__":
            file.unlink()
    rules = folder / "rules_engine" / "imperium"
    (rules / "planted_values.py").write_text(VALUES)
    (rules / "planted_rules.py").write_text(RULES)
    adding = "".join(ADDS.format(name=name) for name in (*ADDING, "unordered"))
    (folder / "verifier" / "properties" / "planted.py").write_text(PROPERTIES + adding)
    (folder / "script.py").write_text(SCRIPT)
    return folder


def prove_in(
    project: Path,
    *names: str,
    jobs: int = 1,
    before: str = "",
    first: str = "",
    meanwhile: str = "",
    afterwards: str = "",
    seed: str = "0",
) -> str:
    """What a process of its own says to properties, and whether it was kept."""
    # What is written within the tick in which a process begins may be written after it began.
    time.sleep(TICKS)
    lines = (before, first, meanwhile, afterwards)
    done = subprocess.run(
        [sys.executable, "script.py", str(jobs), *lines, *(names or (NAME,))],
        capture_output=True,
        cwd=project,
        env={
            **os.environ,
            "PYTHONPATH": str(project),
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONHASHSEED": seed,
        },
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()
