"""What can notice a mutant: a scenario, a property in one of its cases, or the laws of games."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import rules_engine
import scenarios
import verifier
from truthsayer.mutation.mutants import RULES, TOP, Mutant, digest
from verifier.first_calls import functions_in, noted

SCENARIOS = "scenarios"
PROOFS = "proofs"
LAWS = "laws"
SIDES = (SCENARIOS, PROOFS, LAWS)

Place = tuple[str, int]
"""A file of the engine, as seen from the top, and the first line of a function in it."""

FAILS = "fails"
CRASHES = "crashes"
TOO_LONG = "takes too long"
"""How a mutant is noticed."""


@dataclass(frozen=True)
class Check:
    """A scenario, a case of a property or laws in a position: its name, its content, how to run it.

    `run` gives how a mutant in the engine shows, or nothing. `seconds` it took on the true engine,
    `reaches` are the functions that it ran there. `about` are the files whose rules it was written
    for.
    """

    side: str
    name: str
    content: str
    run: Callable[[], str] = field(compare=False)
    seconds: float = 0.0
    reaches: frozenset[Place] = frozenset()
    about: frozenset[str] = frozenset()


def package_digest(*packages: Any, without: str = "") -> str:
    """The content of packages: every file but compiled ones and what lies below a folder."""
    files = sorted(
        file
        for package in packages
        for file in Path(package.__file__).parent.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
        if not without or without not in file.parts
    )
    return digest(b"".join(file.name.encode() + b"\0" + file.read_bytes() for file in files))


def scenario_context() -> str:
    """What the outcome of a scenario depends on besides its own text."""
    engine = package_digest(rules_engine)
    return digest((engine + package_digest(scenarios, without="library")).encode())


def proof_context() -> str:
    """What a verdict depends on besides the file of its property."""
    engine = package_digest(rules_engine)
    return digest((engine + package_digest(verifier, without="properties")).encode())


def law_context() -> str:
    """What a law depends on besides the position that it is looked at in."""
    return package_digest(rules_engine)


# What a check reaches


class Reached:
    """The functions of the engine that some work runs, and how long it takes."""

    def __init__(self, work: Callable[[], Any]) -> None:
        started = time.process_time()
        with noted(_rule_functions()) as codes:
            self.answer = work()
        self.seconds = time.process_time() - started
        self.places = frozenset(_place(code) for code in codes)


@functools.cache
def _rule_functions() -> list[FunctionType]:
    return functions_in((TOP / RULES,))


def _place(code: CodeType) -> Place:
    return code.co_filename[len(str(TOP)) + 1 :].replace("\\", "/"), code.co_firstlineno


def reaching(mutant: Mutant, checks: Iterable[Check], users: frozenset[Place]) -> list[Check]:
    """The checks that run the mutated function, or one of those that use the mutated table."""
    if mutant.unit.function:
        # A function inside another belongs to the one around it.
        users = frozenset((mutant.file, line) for line in mutant.unit_lines)
    return [check for check in checks if not users.isdisjoint(check.reaches)]
