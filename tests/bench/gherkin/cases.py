"""The cases: the scenarios of the library that the step definitions can say, in both notations.

Left out of Gherkin are the rules that a scenario cites, as both tools would do nothing with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import parse

from rules_engine.kernel.records import Record
from tests.bench.gherkin.steps import STEPS, TYPES
from truthsayer.cli.files import library

ROWS = ("given", "when", "then")
JOINERS = ("and", "but")
LEFT_OUT = ("id", "source", "tags", "cites")
HEADERS = {
    r'conflict ("[^"]*")': r"the conflict is \1",
    r"first player (\w+)": r"the first player is \1",
    r'(card "[^"]*" with .* icon: \w+ "[^"]*")': r"a \1",
    r"game uprising with (.*)": r"a game of uprising with \1",
}
"""What a line of the header is as a step."""

PARSERS = {
    kind: [(parse.compile(sentence, TYPES), function) for sentence, function in sentences.items()]
    for kind, sentences in STEPS.items()
}


class Step(Record):
    """A step of a case: the word it begins with, the kind of step that is, and its sentence."""

    word: str
    kind: str
    sentence: str


class Case(Record):
    """One scenario: as it stands in the library, and as Gherkin would say it."""

    title: str
    text: str
    steps: tuple[Step, ...]

    def gherkin(self) -> str:
        """The scenario of a feature."""
        steps = (f"    {step.word.capitalize()} {step.sentence}" for step in self.steps)
        return "\n".join((f"  Scenario: {self.title}", *steps, ""))


def cases() -> list[tuple[Path, list[Case]]]:
    """The cases of each file that has some."""
    files = [(path, list(_in_file(path))) for path in sorted(library().rglob("*.scenario"))]
    return [(path, found) for path, found in files if found]


def _in_file(path: Path) -> Iterator[Case]:
    text = path.read_text(encoding="utf-8")
    for part in re.split(r"(?m)^(?=scenario )", text)[1:]:
        case = _case(part)
        if case is not None:
            yield case


def _case(text: str) -> Case | None:
    """A scenario, if every line of it has a step definition."""
    lines = [line.strip() for line in text.splitlines()]
    title, *rest = [line for line in lines if line and not line.startswith("#")]
    steps: list[Step] = []
    for line in rest:
        if line.partition(" ")[0] in LEFT_OUT:
            continue
        step = _step(line, steps[-1].kind if steps else "given")
        if step is None:
            return None
        steps.append(step)
    if any(map(_looks_ahead, steps, steps[1:])):
        return None
    return Case(title.removeprefix("scenario ").strip('"'), text, tuple(steps))


def _looks_ahead(step: Step, following: Step) -> bool:
    """Whether a step needs the cards that the next one names: a step in Gherkin does not see it."""
    return step.sentence.endswith(" resolves all effects") and " draws " in following.sentence


def _step(line: str, kind_before: str) -> Step | None:
    for header, sentence in HEADERS.items():
        if re.fullmatch(header, line):
            return _with_definition(Step("given", "given", re.sub(header, sentence, line)))
    word, _, sentence = line.partition(" ")
    if word not in (*ROWS, *JOINERS):
        return None
    kind = word if word in ROWS else kind_before
    return _with_definition(Step(word, kind, sentence.strip()))


def _with_definition(step: Step) -> Step | None:
    """The step, if there is a definition for it."""
    found = [each for each, _ in PARSERS[step.kind] if each.parse(step.sentence)]
    assert len(found) < 2, step
    return step if found else None


def definition(step: Step) -> tuple[Callable[..., None], dict[str, Any]]:
    """The function that a step calls, and what it is called with."""
    for parser, function in PARSERS[step.kind]:
        words = parser.parse(step.sentence)
        if words:
            return function, words.named
    raise AssertionError(step)
