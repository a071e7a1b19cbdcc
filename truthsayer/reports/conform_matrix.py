"""Several implementations side by side: how each rule fares with each of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from conformance.expectations import is_played
from conformance.kept import is_of_a_game
from conformance.plain import plain, shallow
from conformance.report import Report
from conformance.results import Result
from rules_engine.kernel.errors import Place, TruthsayerError
from truthsayer.reports.conform import adapter_name
from truthsayer.reports.conform_page import Told, by_chapter

HOLDS, FAILS = "holds", "fails"
"""States of a rule that implementations can differ in."""


class Row(NamedTuple):
    """A rule, with what each implementation's cases tell of it."""

    rule: str
    told: tuple[Told, ...]

    @property
    def states(self) -> tuple[str, ...]:
        """How it fares with each."""
        return tuple(each.state for each in self.told)

    @property
    def all_fail(self) -> bool:
        """Whether more than one was compared by it, and none of them keeps it."""
        return self.states.count(FAILS) > 1 and HOLDS not in self.states

    @property
    def some_fail(self) -> bool:
        """Whether implementations differ in it from each other."""
        return FAILS in self.states and HOLDS in self.states


class AgainstUs(NamedTuple):
    """A case in which all that could be compared differ from the reference.

    `results` has one for each implementation, or nothing where it was not compared. `alike`: they
    differ in the same point and have the same there.
    """

    case: str
    title: str
    rules: tuple[str, ...]
    results: tuple[Result | None, ...]
    alike: bool


class Matrix(NamedTuple):
    """The reports in their order, the rules by chapter, and where we alone say what we say."""

    reports: tuple[Report, ...]
    chapters: dict[str, list[Row]]
    against_us: tuple[AgainstUs, ...]

    @property
    def rows(self) -> list[Row]:
        """The rules of the product, without others that decide something."""
        own = {rule for each in self.reports for rule in each.rules}
        return [row for rows in self.chapters.values() for row in rows if row.rule in own]


def matrix(reports: Sequence[tuple[str, Report]]) -> Matrix:
    """The matrix of reports on one product, given with the names of their files."""
    _see_one_product(reports)
    _see_different(reports)
    found = tuple(report for _, report in reports)
    return Matrix(found, _chapters(found), tuple(_against_us(found)))


def _see_one_product(reports: Sequence[tuple[str, Report]]) -> None:
    first_file, first = reports[0]
    for file, report in reports:
        if report.product != first.product:
            raise TruthsayerError(
                "TS0925",
                f"a report on `{plain(report.product)}`, while {first_file} is one on "
                f"`{plain(first.product)}`",
                place=Place(file, 1),
                help="compare reports of the same product",
            )


def _see_different(reports: Sequence[tuple[str, Report]]) -> None:
    """Each column needs a name of its own."""
    files: dict[str, str] = {}
    for file, report in reports:
        name = adapter_name(report)
        if name in files:
            raise TruthsayerError(
                "TS0926",
                f"`{name}` has two reports: this one and {files[name]}",
                place=Place(file, 1),
                help="give one report of each, or another version to what was tested twice",
            )
        files[name] = file


def _chapters(reports: Sequence[Report]) -> dict[str, list[Row]]:
    """Every rule that one of the reports tells, in the order in which they do."""
    told = [
        {chapter: {each.rule: each for each in rules} for chapter, rules in by_chapter(one).items()}
        for one in reports
    ]
    names = dict.fromkeys(chapter for one in told for chapter in one)
    return {
        chapter: [
            Row(rule, tuple(one.get(chapter, {}).get(rule, Told(rule, (), ())) for one in told))
            for rule in dict.fromkeys(rule for one in told for rule in one.get(chapter, {}))
        ]
        for chapter in names
    }


# Where all differ from us


def _against_us(reports: Sequence[Report]) -> Iterator[AgainstUs]:
    """The cases that more than one was compared in, none of which is where we are.

    Those in which they are alike come first: there it is most likely that we are wrong.
    """
    of_case = [
        {each.id: each for each in one.results if is_played(each) and not is_of_a_game(each)}
        for one in reports
    ]
    failing = [{each.id for each in one.failures if each.divergence} for one in reports]
    found = []
    for case in dict.fromkeys(case for one in of_case for case in one):
        results = tuple(one.get(case) for one in of_case)
        compared = [each for each in results if each is not None]
        if len(compared) > 1 and sum(case in one for one in failing) == len(compared):
            first = compared[0]
            found.append(AgainstUs(case, first.title, _rules(first), results, _alike(compared)))
    yield from sorted(found, key=lambda each: not each.alike)


def _rules(result: Result) -> tuple[str, ...]:
    """The rules that decide a divergence, or else those that the case is about."""
    decides = result.divergence.rules if result.divergence else ()
    return decides or result.rules


def _alike(results: Sequence[Result]) -> bool:
    first, *others = map(_difference, results)
    return all(each == first for each in others)


def _difference(result: Result) -> tuple[int, str, list[str]]:
    """Where a result differs, and what stands there; the order of a list means nothing."""
    found = result.divergence
    assert found is not None
    got = shallow(found.got)
    items: list[Any] = got if isinstance(got, list) else [got]
    return found.move, found.path, sorted(json.dumps(each, sort_keys=True) for each in items)
