"""The scenarios of the library as checks of mutants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import verifier
from scenarios.check import checked, read
from scenarios.language.syntax import Scenario
from truthsayer.mutation.checks import CRASHES, FAILS, SCENARIOS, Check, package_digest
from truthsayer.mutation.mutants import digest

OUR_DEFECT = "TS0190"
"""The code of a scenario in which the engine crashed."""


def scenario_checks(files: Sequence[tuple[str, str]]) -> Iterator[Check]:
    """Every scenario of the files that can be run."""
    proofs = package_digest(verifier)
    for file, text in files:
        scenarios, problems = read(file, text)
        wrong = {problem.line for problem in problems}
        lines = text.splitlines(keepends=True)
        starts = [scenario.place.line for scenario in scenarios]
        background = "".join(lines[: starts[0] - 1]) if starts else ""
        for scenario, end in zip(scenarios, [*starts[1:], len(lines) + 1], strict=True):
            start = scenario.place.line
            if scenario.unreadable or scenario.incomplete or wrong & {*range(start, end)}:
                continue
            own = "".join(lines[start - 1 : end - 1])
            settled_by = proofs if scenario.variables else ""
            content = digest(f"{background}\0{own}\0{settled_by}".encode())
            yield Check(SCENARIOS, scenario.id, content, _Run(scenario))


class _Run:
    """Runs a scenario and says how it fails, if it does."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario

    def __call__(self) -> str:
        found = checked(self.scenario)
        if found.good:
            return ""
        return CRASHES if any(each.code == OUR_DEFECT for each in found.problems) else FAILS
