"""What running a scenario or asking a question gives back, as plain records."""

from __future__ import annotations

from rules_engine.kernel.records import Record


class Problem(Record):
    """A mistake in a file or an expectation that does not hold, at its place."""

    code: str
    message: str
    file: str
    line: int
    column: int = 1
    text: str = ""
    help: str = ""
    rules: tuple[str, ...] = ()


class ScenarioResult(Record):
    """How one scenario ended.

    `verdict` is passed, failed or error; for a scenario with `for any` it is proved, refuted,
    unknown, unsupported or error. `detail` says what a verdict covers. `lines_tried` is how many of
    its `then` lines were falsified to see them fail, if that was asked for.
    """

    id: str
    title: str
    file: str
    line: int
    verdict: str
    rules: tuple[str, ...]
    problems: tuple[Problem, ...] = ()
    detail: str = ""
    lines_tried: int = 0

    @property
    def good(self) -> bool:
        """Whether the scenario holds."""
        return self.verdict in ("passed", "proved")


class CitedRule(Record):
    """A rule behind an answer, with where it stands and what it says."""

    id: str
    source: str
    statement: str = ""


class AnswerPart(Record):
    """One thing that an answer tells, and the rules behind it, the deciding one first."""

    words: str
    rules: tuple[str, ...] = ()


class Reading(Record):
    """Another reading of an open point: its name, what it says, and the answer under it."""

    value: str
    says: str
    verdict: str
    answer: str


class OpenPoint(Record):
    """An open point that decides an answer: how it is played here, and the other readings."""

    ruling: str
    value: str
    says: str
    authority: str
    others: tuple[Reading, ...]


class AskResult(Record):
    """A question of a scenario and its answer in words.

    `verdict` is yes, no, not_yet or depends where the question can be answered so; `items` are the
    parts of an answer that lists something. The first of the rules decides; `parts` have rules of
    their own.
    """

    scenario: str
    file: str
    line: int
    question: str
    answer: str
    verdict: str = ""
    items: tuple[str, ...] = ()
    rules: tuple[CitedRule, ...] = ()
    parts: tuple[AnswerPart, ...] = ()
    open_points: tuple[OpenPoint, ...] = ()
