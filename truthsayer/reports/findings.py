"""Every problem of a run at its place in the project, as tools that mark lines need it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from truthsayer.cli.show import rule_text
from truthsayer.codes import CODES
from truthsayer.v1 import common_pb2, scenario_pb2


class Finding(NamedTuple):
    """A mistake or an expectation that does not hold, and its place."""

    code: str
    message: str
    """What is wrong, then the remedy and the rules, each on a line of its own."""
    path: Path
    line: int
    column: int
    about: tuple[str, str]
    """`scenario` or `property`, and its name."""
    rules: tuple[str, ...]

    @property
    def title(self) -> str:
        """What the code stands for; nothing if a service of another version sent it."""
        return CODES[self.code].title if self.code in CODES else ""


def findings(
    results: Iterable[scenario_pb2.ScenarioResult], *, here: Path, top: Path
) -> Iterator[Finding]:
    """The problems of all results.

    Files are named from `here`, the folder of the run, and shown from `top`, that of the project.
    """
    for result in results:
        for problem in result.problems:
            yield Finding(
                problem.code,
                "\n".join(_message_lines(problem)),
                _from_top(here / (problem.file or result.file), top),
                problem.line or result.line or 1,
                problem.column or 1,
                ("scenario", result.id),
                tuple(rule.id for rule in problem.rules),
            )


def _message_lines(problem: common_pb2.Problem) -> Iterator[str]:
    yield problem.message or problem.code
    if problem.help:
        yield f"help: {problem.help}"
    for rule in problem.rules:
        yield f"rule: {rule_text(rule)}"


def _from_top(file: Path, top: Path) -> Path:
    """A file as seen from the top of the project; one that lies elsewhere keeps its whole path."""
    # Not resolved: a link is marked where it is, not where it points.
    whole = Path(os.path.normpath(file))
    return whole.relative_to(top) if whole.is_relative_to(top) else whole
