"""A sample of the faults: the library finds each, and names a rule that it breaks.

`python -m tests.conformance.fault_table` tries all of them.
"""

from __future__ import annotations

import pytest

from conformance.cases import Case
from scenarios.finding import library_files
from tests.conformance.fault_table import library_cases, line, tried
from tests.conformance.faulty import Fault, faults

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
    return library_cases(
        [(name, text) for name, text in library_files() if any(rule in text for rule in rules)]
    )


@pytest.mark.parametrize("fault", SAMPLE, ids=lambda fault: fault.name)
def test_a_fault_is_found_and_the_rule_is_named(fault: Fault, cases: list[Case]) -> None:
    row = tried(fault, (case for case in cases if set(case.rules) & set(fault.rules)))
    assert row.caught
    assert row.named, line(row)


def test_the_sample_is_of_every_kind() -> None:
    assert {fault.kind for fault in SAMPLE} == {fault.kind for fault in FAULTS.values()}
