"""A sample of the faults: the library finds each, and names a rule that it breaks.

`python -m tests.conformance.fault_table` tries all of them.
"""

from __future__ import annotations

import pytest

from conformance.cases import Case, cases_of
from scenarios.vectors.export import exported
from tests.conformance.fault_table import line, tried
from tests.conformance.faulty import Fault, faults
from truthsayer.cli.files import library, read_source, scenario_files

FAULTS = faults()
SAMPLE = tuple(
    FAULTS[name]
    for name in (
        "the_first_player_marker_stays",
        "persuasion_is_saved_for_the_next_round",
        "a_played_intrigue_card_is_trashed",
        "cards_played_earlier_are_revealed_again",
        "a_spy_can_be_taken_back_with_others_in_supply",
        "held_cards_are_shown_to_all_players",
    )
)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """The cases of the scenario files that cite a rule of the sample."""
    rules = {rule for fault in SAMPLE for rule in fault.rules}
    sources = (read_source(path) for path in scenario_files([library()]))
    texts = [(each.name, each.text) for each in sources if any(rule in each.text for rule in rules)]
    vectors = (vector for each in exported(texts) for vector in each.vectors)
    found = [case for case in cases_of(vectors) if isinstance(case, Case)]
    return sorted(found, key=lambda case: (len(case.rules), len(case.moves), case.id))


@pytest.mark.parametrize("fault", SAMPLE, ids=lambda fault: fault.name)
def test_a_fault_is_found_and_the_rule_is_named(fault: Fault, cases: list[Case]) -> None:
    row = tried(fault, (case for case in cases if set(case.rules) & set(fault.rules)))
    assert row.caught
    assert row.named, line(row)


def test_the_sample_is_of_every_kind() -> None:
    assert {fault.kind for fault in SAMPLE} == {fault.kind for fault in FAULTS.values()}
