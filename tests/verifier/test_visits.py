"""What the theorems about board spaces notice besides their twins."""

import pytest

from verifier.api import property_named, replay_case
from verifier.explorer import Budget
from verifier.registry import Twin
from verifier.twins import run_twin
from verifier.verdicts import REFUTED
from verifier.visits import TABLE, VISITOR, together

SPACES = "rules_engine/catalogue/uprising/spaces.toml"
FREMKIT = "fremkit_gives_fremen_influence_and_a_card"
ARRAKEEN = "arrakeen_gives_a_troop_and_a_card"
SHIPPING = "shipping_gives_5_solari_and_influence_of_choice"
PRIVILEGE = "imperial_privilege_swaps_an_intrigue_card_recalls_an_agent_and_gives_a_card"
DRAWN_AT_FREMKIT = 'effects = ["gain 1 influence fremen", "draw 1 card"]'
FAULTS = {
    "another icon opens the space": (
        FREMKIT,
        Twin(SPACES, 'name = "Fremkit"\nicon = "fremen"', 'name = "Fremkit"\nicon = "city"'),
    ),
    "a Combat space is none": (
        FREMKIT,
        Twin(SPACES, f"combat = true\n{DRAWN_AT_FREMKIT}", DRAWN_AT_FREMKIT),
    ),
    "a space that is free has a cost": (
        FREMKIT,
        Twin(SPACES, DRAWN_AT_FREMKIT, f'cost = "pay 1 water"\n{DRAWN_AT_FREMKIT}'),
    ),
    "a space asks for Influence": (
        FREMKIT,
        Twin(
            SPACES,
            DRAWN_AT_FREMKIT,
            f'requirement = "influence fremen >= 1"\n{DRAWN_AT_FREMKIT}',
        ),
    ),
    "any card sends an Agent": (
        FREMKIT,
        Twin("rules_engine.imperium.agent_turn", "if space.icon in card.agent_icons:", "if card:"),
    ),
    "the fourth space of a track gives nothing": (
        FREMKIT,
        Twin(SPACES, 'at_four = ["gain 1 water"]', "at_four = []"),
    ),
    "the token is taken by who is as high": (
        FREMKIT,
        Twin(
            "rules_engine.imperium.influence",
            "after > influence(state, holder, faction):",
            "after >= influence(state, holder, faction):",
        ),
    ),
    "the visitor gets the bonus of the controller": (
        ARRAKEEN,
        Twin(
            "rules_engine.imperium.control",
            "given = resources.gain(state, holder,",
            "given = resources.gain(state, 0,",
        ),
    ),
    "more troops come than the supply has": (
        ARRAKEEN,
        Twin(
            "rules_engine.imperium.units",
            "recruited = smaller(wanted, owner.supply)",
            "recruited = wanted",
        ),
    ),
    "the Agent stays at home too": (
        ARRAKEEN,
        Twin("rules_engine.imperium.agents", "agents=owner.agents - 1", "agents=owner.agents"),
    ),
    "Influence goes where there is no room": (
        SHIPPING,
        Twin(
            "rules_engine.imperium.influence",
            "    if influence(state, frame.seat, faction) < TOP:\n        return True\n",
            "    if influence(state, frame.seat, faction) <= TOP:\n        return True\n",
        ),
    ),
    "the Agent just sent is recalled": (
        PRIVILEGE,
        Twin(
            "rules_engine.imperium.agents",
            "if action.space == visited(state, frame.seat):",
            "if action.space is None:",
        ),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str) -> None:
    name, twin = FAULTS[fault]
    found = run_twin(property_named(name), twin, Budget())
    assert found.verdict == REFUTED, found.detail
    assert not replay_case(name, found).failed


def test_changes_add_up_for_each_player_and_the_table() -> None:
    added = together(
        {VISITOR: {"spice": 2, "hand": -1}},
        {VISITOR: {"spice": -3}, TABLE: {"intrigue_deck": -1}},
    )
    assert added == {VISITOR: {"spice": -1, "hand": -1}, TABLE: {"intrigue_deck": -1}}
