"""Whoever knows no rule holds nothing, at whatever step, whatever is observed."""

from __future__ import annotations

import zlib

import pytest

from conformance.corpus import corpus
from conformance.following import ends_refused
from conformance.messages import CAPABILITIES, STEPS
from conformance.playing import play
from conformance.report import Report
from conformance.results import GOOD, REFUSED, Result
from rules_engine.kernel.records import change
from scenarios.finding import library_files
from tests.conformance.liars import ReadsAhead, RefusesLast
from tests.conformance.ruleless import PLAIN, RULELESS, about
from truthsayer.reports.conform_badge import BAD, GREY, conform_badge

EVERY_CASE = corpus(library_files()).cases

CASES = [case for case in EVERY_CASE if zlib.crc32(case.id.encode()) % 4 == 0]
"""A quarter of them, always the same: there are many adapters."""

MANY = 50

FOUND = {ReadsAhead: "accepted", RefusesLast: "refused"}
"""What is found about those that read a whole batch before they answer."""

FEW_FIELDS = ("asked", "players.spice", "players.water")

MOST_PER_MILLE = {"takes everything": 15}
"""So many of a thousand cases may hold.

Who takes everything and lets the next player be asked is right by chance where turns pass, and an
adapter of few fields shows little else. That holds the rules which decide whose turn it is: those
of turns, and those of the clean-up in the same breath. The others hold none.
"""


def played(name: str, step: str, **fields: object) -> list[Result]:
    """The cases, on one of them."""
    said = change(about(step), **fields)
    return [play(case, said, RULELESS[name]()) for case in CASES]


def per_mille(results: list[Result]) -> float:
    """How many of a thousand cases hold."""
    return 1000 * sum(each.outcome in GOOD for each in results) / len(results)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", RULELESS)
def test_who_knows_no_rule_holds_no_case(name: str, step: str) -> None:
    results = played(name, step)
    assert per_mille(results) == 0
    assert not any(each.held for each in results if each.divergence is None)
    badge = conform_badge(Report(about(step), "1", "uprising", (), tuple(results)))
    assert BAD in badge or GREY in badge


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", RULELESS)
def test_who_observes_little_holds_next_to_nothing(name: str, step: str) -> None:
    results = played(name, step, fields=FEW_FIELDS)
    assert per_mille(results) <= MOST_PER_MILLE.get(name, 0)


@pytest.mark.parametrize("name", RULELESS)
def test_who_claims_to_be_able_to_do_everything_is_asked_more_and_holds_nothing(name: str) -> None:
    assert per_mille(played(name, STEPS[0], capabilities=tuple(CAPABILITIES))) == 0


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("reader", FOUND)
def test_what_is_asked_later_does_not_tell_what_has_to_be_refused(
    reader: type[ReadsAhead], step: str
) -> None:
    ending = [case for case in CASES if ends_refused(case)]
    results = [play(case, about(step), reader(step)) for case in ending]
    assert not any(each.outcome == REFUSED for each in results)
    found = [each.divergence.kind for each in results if each.divergence is not None]
    assert len(found) > MANY
    assert set(found) == {FOUND[reader]}


def test_there_are_enough_cases_and_the_adapters_can_take_every_one() -> None:
    assert len(EVERY_CASE) > 1900
    assert len(CASES) > 400
    assert set(PLAIN) == {need for case in EVERY_CASE for need in case.needs}
