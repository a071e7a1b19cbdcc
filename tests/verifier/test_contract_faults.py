"""Faults in the rules of contracts and Influence that no twin names are found too."""

import pytest

from verifier.api import property_named, replay_case
from verifier.explorer import Budget
from verifier.registry import Twin
from verifier.twins import run_twin
from verifier.verdicts import REFUTED

CONTRACTS = "rules_engine.imperium.contracts"
INFLUENCE = "rules_engine.imperium.influence"
AGENT_TURN = "rules_engine.imperium.agent_turn"

FAULTS = {
    "the row is filled beyond two": (
        "a_taken_contract_is_replaced_from_the_bank",
        Twin(CONTRACTS, "len(state.contract_row) < FACE_UP", "len(state.contract_row) <= FACE_UP"),
    ),
    "only the first part of a reward is paid": (
        "a_contract_pays_once_when_it_is_completed",
        Twin(CONTRACTS, "for effect in face.reward)", "for effect in face.reward[:1])"),
    ),
    "any contract may be named": (
        "the_contract_icon_takes_a_face_up_contract",
        Twin(
            CONTRACTS,
            "if contract in state.contract_row or contract in set_aside_for(state, seat):",
            "if contract in state.leader_contracts or contract not in state.leader_contracts:",
        ),
    ),
    "contracts held when sending are forgotten": (
        "a_visit_completes_the_contracts_that_name_the_space",
        Twin(AGENT_TURN, "held = owner.contracts", "held = ()"),
    ),
    "a harvest needs one more": (
        "a_harvest_is_all_the_spice_gained_in_the_turn",
        Twin(
            CONTRACTS,
            'enough = tree.AtLeast("spice_gained_this_turn", amount)',
            'enough = tree.AtLeast("spice_gained_this_turn", amount + 1)',
        ),
    ),
    "the bonus at 4 is forgotten": (
        "reaching_four_brings_the_bonus_of_the_track",
        Twin(INFLUENCE, "items = items + bonus\n", "items = items + bonus[1:]\n"),
    ),
    "the Leader gives something with every Faction": (
        "passing_two_is_reaching_two_for_leaders",
        Twin(INFLUENCE, " or face.ability.faction != faction:", ":"),
    ),
    "a visit moves all cubes of the visitor": (
        "a_visit_to_a_faction_gives_one_influence_with_it",
        Twin(
            INFLUENCE,
            "change(track, influence=value) if track.faction == faction else track",
            "change(track, influence=value)",
        ),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str) -> None:
    name, twin = FAULTS[fault]
    found = run_twin(property_named(name), twin, Budget())
    assert found.verdict == REFUTED, found.detail
    assert not replay_case(name, found).failed
