"""What is expected of a run: known failures, an earlier report, and what changed since.

A file of known failures has the id of a case on each line, and behind ` #` the reason:

    combat.a_tie_for_first#2  # ties go to whoever sits first
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Sequence

from conformance.kept import is_game
from conformance.plain import plain
from conformance.report import Report
from conformance.results import BAD, GOOD, Result
from rules_engine.kernel.errors import Place, TruthsayerError
from rules_engine.kernel.records import Record

LONGEST_ID = 200
"""What is longer resembles no id, and is not shown whole."""

REASON = re.compile(r"(?:^|\s)#")
"""Where a reason begins. A `#` inside a word belongs to the id of a case."""


# Known failures


class Known(Record):
    """A case that is known to fail, why, and where it is said."""

    id: str
    reason: str
    place: Place


def known_failures(text: str, file: str, ids: Collection[str]) -> tuple[Known, ...]:
    """What a file of known failures lists; `ids` are those of all cases that there are.

    Generated games are made anew each time, and their ids are not among them.
    """
    found: dict[str, Known] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        known = _read_line(line, file, number)
        if known is None:
            continue
        if known.id not in ids and not is_game(known.id):
            raise _unknown(known, ids)
        if known.id in found:
            raise _twice(known, found[known.id])
        found[known.id] = known
    return tuple(found.values())


def _read_line(line: str, file: str, number: int) -> Known | None:
    """The case of a line; an empty line and one with nothing but a reason have none."""
    start = REASON.search(line)
    before, reason = (line, "") if start is None else (line[: start.start()], line[start.end() :])
    words = before.split()
    if not words:
        return None
    column = len(before) - len(before.lstrip()) + 1
    if len(words) > 1:
        second = before.index(words[1], column - 1 + len(words[0])) + 1
        raise TruthsayerError(
            "TS0921",
            f"a second word on the line of {_quoted(words[0])}",
            place=Place(file, number, second, line),
            help="write one id on each line, and the reason behind ` # `",
        )
    return Known(words[0], reason.strip(), Place(file, number, column, line))


def _unknown(known: Known, ids: Collection[str]) -> TruthsayerError:
    near = difflib.get_close_matches(known.id[:LONGEST_ID], ids, n=1)
    help = f"did you mean `{near[0]}`?" if near else "the JSON report has the ids of all cases"
    return TruthsayerError("TS0922", f"no case {_quoted(known.id)}", place=known.place, help=help)


def _twice(known: Known, first: Known) -> TruthsayerError:
    return TruthsayerError(
        "TS0923",
        f"{_quoted(known.id)} is listed twice",
        place=known.place,
        help=f"remove this line or line {first.place.line}",
    )


def _quoted(word: str) -> str:
    return f"`{plain(word, LONGEST_ID)}`"


# What a run comes to


class Verdict(Record):
    """What a run comes to, with what was expected of it.

    `expected` has the reason for each case that fails as it is expected to; `passing` are known
    failures that pass, so that they are to be taken off their list.
    """

    unexpected: tuple[str, ...]
    expected: dict[str, str]
    passing: tuple[Known, ...]
    played: int

    @property
    def ok(self) -> bool:
        """Whether all is as expected, and something was played at all."""
        return self.why == OK

    @property
    def why(self) -> str:
        """`ok`, or what is not."""
        failing = _counted(len(self.unexpected), "case fails", "cases fail")
        passing = _counted(len(self.passing), "known failure passes", "known failures pass")
        reasons = [failing] if self.unexpected else []
        reasons += [passing] if self.passing else []
        reasons += [] if self.played else ["no case was played"]
        return "; ".join(reasons) or OK


OK = "ok"


def judged(report: Report, known: Iterable[Known] = (), baseline: Report | None = None) -> Verdict:
    """The verdict on a run; what failed in the baseline, too, is expected to fail."""
    if baseline is not None:
        _see_same_product(baseline, report)
    reasons = {each.id: "failed before" for each in (baseline.failures if baseline else ())}
    known = tuple(known)
    reasons |= {each.id: each.reason or "known failure" for each in known}
    failing = [each.id for each in report.failures]
    good = {each.id for each in report.results if each.outcome in GOOD}
    return Verdict(
        unexpected=tuple(each for each in failing if each not in reasons),
        expected={each: reasons[each] for each in failing if each in reasons},
        passing=tuple(each for each in known if each.id in good),
        played=sum(is_played(each) for each in report.results),
    )


def is_played(result: Result) -> bool:
    """Whether the implementation could be compared, or would have been if it had not crashed."""
    return result.outcome in (*GOOD, *BAD)


def _see_same_product(old: Report, new: Report) -> None:
    if old.product != new.product:
        raise TruthsayerError(
            "TS0925",
            f"a report on `{plain(old.product)}`, where one on `{plain(new.product)}` is needed",
            help="compare reports of the same product",
        )


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


# What changed


class Change(Record):
    """A case in two reports; nothing stands for it where a report does not have it."""

    id: str
    before: Result | None
    after: Result | None


class RulingChange(Record):
    """A ruling that is not followed as it was; empty where none of its readings was."""

    ruling: str
    before: str
    after: str


class Comparison(Record):
    """What is different between two reports. A new case that fails is newly failing, too."""

    newly_failing: tuple[Change, ...]
    newly_passing: tuple[Change, ...]
    still_failing: tuple[Change, ...]
    no_longer_played: tuple[Change, ...]
    new: tuple[Change, ...]
    gone: tuple[Change, ...]
    rulings: tuple[RulingChange, ...]


def compared(old: Report, new: Report) -> Comparison:
    """Compare two reports on the same product, case by case."""
    _see_same_product(old, new)
    before = {each.id: each for each in old.results}
    after = {each.id: each for each in new.results}
    failed = {each.id for each in old.failures}
    fails = {each.id for each in new.failures}
    changes = [Change(each, before.get(each), after.get(each)) for each in {**after, **before}]
    passed = _playing_well(before.values(), failed)
    passes = _playing_well(after.values(), fails)

    def those(ids: Collection[str]) -> tuple[Change, ...]:
        return tuple(each for each in changes if each.id in ids)

    return Comparison(
        newly_failing=those(fails - failed),
        newly_passing=those((passes - passed) & before.keys()),
        still_failing=those(fails & failed),
        no_longer_played=those(((failed | passed) & after.keys()) - fails - passes),
        new=those(after.keys() - before.keys()),
        gone=those(before.keys() - after.keys()),
        rulings=_changed_rulings(old, new),
    )


def _playing_well(results: Iterable[Result], failing: Collection[str]) -> set[str]:
    """The cases that were played and do not fail; a ruling may explain where they differ."""
    return {each.id for each in results if is_played(each) and each.id not in failing}


def _changed_rulings(old: Report, new: Report) -> tuple[RulingChange, ...]:
    before, after = _followed(old), _followed(new)
    return tuple(
        RulingChange(name, " or ".join(before.get(name, ())), " or ".join(after.get(name, ())))
        for name in {**before, **after}
        if before.get(name) != after.get(name)
    )


def _followed(report: Report) -> dict[str, Sequence[str]]:
    """The readings of each ruling that explain something."""
    found: dict[str, Sequence[str]] = {}
    for each in report.followed:
        found[each.ruling] = sorted({*found.get(each.ruling, ()), each.value})
    return found
