"""What single steps do and say where a scenario hardly shows it."""

from __future__ import annotations

from rules_engine.imperium.control import DEFENCE, defender
from rules_engine.imperium.influence import lose
from rules_engine.imperium.sandworms import take_maker_hooks
from rules_engine.imperium.state import State
from rules_engine.imperium.strength import add_swords, move_marker
from rules_engine.imperium.units import deploy_from_supply
from rules_engine.kernel.outcomes import Step
from rules_engine.kernel.records import change
from tests.imperium.positions import bare, giving, tracked


def keys(done: Step[State]) -> list[str]:
    return [event.key for event in done.events]


def rules_about(done: Step[State], key: str) -> set[str]:
    return {rule for event in done.events if event.key == key for rule in event.rules}


def revealed(troops: int, swords: int, strength: int) -> State:
    """A position in which a player has revealed."""
    fields = {"supply": 9 - troops, "troops": troops, "swords": swords, "strength": strength}
    return giving(bare(), 0, revealed=True, **fields)


def test_a_marker_that_stays_is_no_event() -> None:
    assert keys(move_marker(revealed(1, 0, 2), 0)) == []
    assert keys(add_swords(revealed(0, 0, 0), 0, 3)) == ["swords"]


def test_only_a_marker_on_nothing_stands_on_the_rule_of_no_units() -> None:
    assert "UPR-STR-007" in rules_about(move_marker(revealed(0, 3, 5), 0), "strength")
    assert "UPR-STR-007" not in rules_about(move_marker(revealed(1, 3, 2), 0), "strength")


def test_a_second_maker_hooks_token_is_not_taken() -> None:
    first = take_maker_hooks(bare(), 0)
    assert keys(first) == ["takes_hooks"]
    assert keys(take_maker_hooks(first.state, 0)) == ["has_hooks_already"]


def falling(own: int, other: int) -> Step[State]:
    """An ally loses one Influence while another player stands at some height."""
    state = tracked(tracked(bare(), 0, "fremen", own), 1, "fremen", other)
    alliances = tuple(
        change(each, holder=0) if each.faction == "fremen" else each for each in state.alliances
    )
    return lose(change(state, alliances=alliances), 0, "fremen", 1)


def test_an_ally_overtaken_at_four_or_more_loses_the_token_for_that_alone() -> None:
    assert rules_about(falling(5, 5), "loses_alliance") >= {"UPR-FACTION-010"}
    assert "UPR-FACTION-009" not in rules_about(falling(5, 5), "loses_alliance")
    assert rules_about(falling(4, 4), "loses_alliance") >= {"UPR-FACTION-009", "UPR-FACTION-010"}


def test_only_who_falls_below_four_keeps_a_bonus() -> None:
    assert "UPR-FACTION-007" in rules_about(falling(4, 0), "influence")
    assert "UPR-FACTION-007" not in rules_about(falling(5, 0), "influence")
    assert "UPR-FACTION-007" not in rules_about(lose(bare(), 0, "fremen", 1), "influence")


def test_without_a_conflict_card_nobody_defends() -> None:
    assert bare().conflict is None
    assert defender(bare()) is None


def test_one_troop_of_the_supply_defends() -> None:
    for supply in (1, 2):
        state = giving(bare(), 0, supply=supply, garrison=12 - supply)
        defended = deploy_from_supply(state, 0, DEFENCE).state.players[0]
        assert (defended.supply, defended.troops) == (supply - 1, 1)
