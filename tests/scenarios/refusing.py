"""Which rules the refusals of scenarios rest on: `cannot … because RULE` that holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from rules_engine.kernel.errors import TruthsayerError
from scenarios.check import read
from scenarios.for_any import values_of_paths
from scenarios.language.syntax import Line, Scenario, phrases, tokens
from scenarios.language.values import Environment
from scenarios.run import Expectation, Run

CLAIM = "TS0120"
"""The code of what a line claims; why it is so has another."""


class Refused(NamedTuple):
    """A rule that a scenario names for something that cannot be done, and that does refuse it."""

    rule: str
    scenario: str
    file: str
    line: int


def refusals(files: Iterable[tuple[str, str]]) -> Iterator[Refused]:
    """Every rule behind a refusal that a scenario expects, in the files' order."""
    for file, text in files:
        for scenario in read(file, text)[0]:
            ways = values_of_paths(scenario) if scenario.variables else ({},)
            for case in scenario.cases:
                for values in ways:
                    yield from _in_case(case, Environment(dict(values)))


def _in_case(case: Scenario, environment: Environment) -> list[Refused]:
    """The refusals of one run; what comes after a mistake is not seen."""
    found: list[Refused] = []

    def expect(_: Run, seen: Expectation) -> None:
        if seen.code != CLAIM or seen.holds is not True or not _says_cannot(seen.line):
            return
        for rule in _because(seen.line):
            if rule in seen.rules:
                found.append(Refused(rule, case.id, case.place.file, seen.line.place.line))

    with suppress(TruthsayerError):
        Run(case, environment, expect).play()
    return found


def _says_cannot(line: Line) -> bool:
    return bool(phrases(line.words)[0].data == "cannot")


def _because(line: Line) -> list[str]:
    """The rules that a line names as its reason."""
    _, *because = phrases(line.words)
    return [str(rule) for part in because for rule in tokens(part, "RULE")]
