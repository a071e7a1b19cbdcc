"""The mistakes planted by hand still fit: each in one place, and each a change of what is done."""

from __future__ import annotations

from collections import Counter

import pytest

from rules_engine.rulebook.index import cite
from rules_engine.rulebook.never_cited import in_scope, reasons
from tests.conformance.faulty import faults
from tests.verifier.planted_by_hand import Mistake, mistakes

PLANTED = mistakes()
FEWEST = 60


@pytest.mark.parametrize("mistake", PLANTED, ids=lambda each: each.name)
def test_a_mistake_changes_one_place_and_names_rules_that_there_are(mistake: Mistake) -> None:
    assert mistake.places == 1
    compile(mistake.mutant.mutated, mistake.file, "exec")
    compile(mistake.mutant.unit_text, mistake.file, "exec")
    assert mistake.rules
    assert cite(*mistake.rules) == mistake.rules
    assert mistake.wrong.endswith(".")


def test_there_are_enough_and_no_two_are_the_same() -> None:
    assert len(PLANTED) >= FEWEST
    assert len({each.name for each in PLANTED}) == len(PLANTED)
    assert len({each.mutant.mutated for each in PLANTED}) == len(PLANTED)


def test_none_is_in_the_tables_of_faulty_implementations() -> None:
    known = {(each.file, each.source) for each in faults().values()}
    planted = {(each.mutant.file, each.mutant.mutated.decode()) for each in PLANTED}
    assert not known & planted


def test_every_chapter_has_one() -> None:
    chapters = {_chapter(rule.id) for rule in in_scope() if rule.id not in reasons()}
    assert {_chapter(rule) for each in PLANTED for rule in each.rules} >= chapters


def _chapter(rule: str) -> str:
    return rule.rsplit("-", 1)[0]


def test_no_kind_is_most_of_them() -> None:
    kinds = Counter(each.kind for each in PLANTED)
    assert len(kinds) >= 10
    assert max(kinds.values()) <= len(PLANTED) / 4
