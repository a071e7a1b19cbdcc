"""What the reports of `truthsayer conform` share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from conformance.expectations import is_played
from conformance.plain import plain, plain_value
from conformance.report import Report, home
from conformance.results import (
    CRASHED,
    FAIL,
    NOTHING,
    PASS,
    REFUSED,
    SKIPPED,
    TIMED_OUT,
    UNSUPPORTED,
    Divergence,
    Result,
)
from conformance.supporting import Support
from conformance.suspecting import Suspect
from rules_engine.rulebook.index import Rule, rules
from scenarios.chapters import CHAPTER_FILES
from truthsayer.cli.show import counted

OUTCOMES = (PASS, REFUSED, FAIL, CRASHED, TIMED_OUT, NOTHING, UNSUPPORTED, SKIPPED)
"""In the order in which they are told."""

LONGEST_NAME = 200
LONGEST_REASON = 60
LONGEST_UNIT = 1_000
LONGEST_SCENARIO = 50_000

LEAST_SHARE = 10
"""Where less than one case of so many was compared, that is what comes first."""

NO_RULE = "no rule"
"""Where cases are told that are about no rule of their own."""


# Rules and chapters


@cache
def _rulebook() -> dict[str, Rule]:
    return {each.id: each for each in rules()}


def rule_named(rule_id: str) -> Rule | None:
    """The rule with an id; a report of another version may name one that there is not."""
    return _rulebook().get(rule_id)


def rule_line(rule_id: str) -> str:
    """A rule with its title and its source."""
    found = rule_named(rule_id)
    return name(rule_id) if found is None else f"{found.id}: {found.title} ({found.source()})"


def suspected(report: Report) -> list[str]:
    """The rules that are most likely broken, if more cases than one can speak against them."""
    if len(report.failures) < 2:
        return []
    return [f"{rule_line(each.rule)}: {_failing(each)}" for each in report.suspects]


def _failing(suspect: Suspect) -> str:
    verb = "fails" if suspect.failed == 1 else "fail"
    return f"{suspect.failed} of {counted(suspect.played, 'case')} about it {verb}"


def chapter_of(rule_id: str) -> str:
    """The chapter that a rule stands in, in words."""
    parts = rule_id.split("-")
    middle = parts[1] if len(parts) > 1 else NO_RULE
    return CHAPTER_FILES.get(middle, name(middle.lower())).replace("_", " ")


def all_rules(report: Report) -> list[str]:
    """The rules of the product, and others that decide something."""
    others = (rule for each in report.results for rule in (home(each),) if rule)
    return list(dict.fromkeys((*report.rules, *others)))


# The first lines


def name(text: str) -> str:
    """An id, a title or the like."""
    return plain(text, LONGEST_NAME)


def adapter_name(report: Report) -> str:
    """Who was tested."""
    return f"{name(report.adapter.name)} {name(report.adapter.version)}"


def first_line(report: Report) -> str:
    """Who was tested, how many rules were compared, and without what the rest were not."""
    reached, all_ = len(report.reached), len(report.rules)
    head = f"{adapter_name(report)}: {_hardly_played(report)}"
    head += f"{reached} of {counted(all_, 'rule')} reached"
    head += f" ({percent(reached, all_)}), {len(report.held)} hold"
    rest = set(report.rules) - set(report.reached)
    lacking = [each for each in report.results if each.lacks and rest & set(each.rules)]
    barred = rest & {rule for each in lacking for rule in each.rules}
    others = len(rest) - len(barred)
    if barred:
        lacks = ", ".join(sorted({name(kind) for each in lacking for kind in kinds(each.lacks)}))
        head += f"; {len(barred)} not without {lacks}"
    return f"{head}; {others} compared in no case" if others else head


def _hardly_played(report: Report) -> str:
    """How few of the cases could be compared, if that is too few to say much."""
    played, all_ = holding(report)[1], len(report.results)
    if not all_ or played * LEAST_SHARE >= all_:
        return ""
    return f"only {played} of {counted(all_, 'case')} compared ({percent(played, all_)}); "


def to_do(report: Report) -> list[str]:
    """What the implementation could support next, and what it would gain."""
    return [f"support {_lacking(each)}: {_gain(each)}" for each in report.support]


def _lacking(each: Support) -> str:
    if each.lacks:
        return " and ".join(map(name, each.lacks))
    return f"what it calls `{plain(each.said, LONGEST_REASON)}`" if each.said else "it"


def _gain(each: Support) -> str:
    return f"+ {counted(each.cases, 'case')}, + {counted(len(each.rules), 'rule')}"


def kinds(lacks: Iterable[str]) -> list[str]:
    """What is lacking, of things only their kind: there may be hundreds."""
    return list(dict.fromkeys(each.partition(".")[0] for each in lacks))


def percent(part: int, whole: int) -> str:
    """A share, never rounded up: only all is 100 %."""
    return f"{100 * part // whole} %" if whole else "0 %"


def numbers(report: Report) -> dict[str, int]:
    """How many cases ended in each way, in the order in which it is told."""
    counts = report.counts
    return {word: counts[word] for word in (*OUTCOMES, *counts) if counts[word]}


def summary(report: Report) -> str:
    """How many cases there were, and how they ended."""
    told = ", ".join(f"{number} {name(word)}" for word, number in numbers(report).items())
    text = f"{counted(len(report.results), 'case')}: {told}"
    return text.removesuffix(": ")


def holding(report: Report) -> tuple[int, int]:
    """How many of the cases that were played hold, and how many were played.

    A case that differs by a ruling alone holds.
    """
    played = sum(map(is_played, report.results))
    return played - len(report.failures), played


# A divergence


def point(divergence: Divergence) -> str:
    """What was compared, after which input."""
    when = f"after input {divergence.move}" if divergence.move else "at the start"
    return f"{when}, {' '.join(_compared(divergence))}"


def _compared(divergence: Divergence) -> Iterator[str]:
    yield name(WORDS.get(divergence.kind, divergence.kind))
    if divergence.path:
        yield f"`{name(divergence.path)}`"


WORDS = {
    "failure": "the adapter's answer",
    "answer": "the adapter's answer",
    "accepted": "whether it is allowed",
    "refused": "whether it is allowed",
    "actions": "the list of what is allowed",
    "chance": "what chance brought",
}
"""What was compared, by the kind of a divergence."""


def unit(divergence: Divergence) -> str:
    """All inputs of the unit in a few words each, if the adapter took more than one at once."""
    return plain(", ".join(map(_in_short, divergence.unit)), LONGEST_UNIT)


def _in_short(given: dict[str, Any]) -> str:
    """What is done, by whom, and with what."""
    said = given.get("do")
    if not isinstance(said, dict):
        return " ".join(f"{key} {value}" for key, value in given.items())
    shown = (said.get(key) for key in ("card", "space", "effect", "troops"))
    words = [f"{each}" for each in shown if each is not None]
    return " ".join([f"{said.get('action')}", *words, f"(seat {said.get('by')})"])


def given(divergence: Divergence) -> str:
    """The input in words, if somebody found them, and as JSON."""
    told = [plain(divergence.words)] if divergence.words else []
    told += [plain_value(divergence.given)] if divergence.given else []
    return "  ".join(told)


def scenario(divergence: Divergence) -> str:
    """The scenario that shows it."""
    return plain(divergence.scenario.strip("\n"), LONGEST_SCENARIO, lines=True)


def place(result: Result) -> str:
    """Where a case stands, if it is in a file."""
    return f"{name(result.file)}:{result.line}" if result.file else ""


def explained(result: Result) -> str:
    """The ruling by which alone a case differs."""
    return name(result.divergence.ruling) if result.divergence else ""
