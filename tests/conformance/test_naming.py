"""The rules that a divergence names: of what led to it, is waited for, or is listed."""

from __future__ import annotations

from typing import Any

import pytest

from conformance import naming
from conformance.comparing import leaks
from conformance.messages import CAPABILITIES, AnyAnswer, AnyCall, Described, Done, Listed, Refused
from conformance.observing import FIELDS, PLAYER_FIELDS, observe, observe_as
from conformance.playing import play
from conformance.reference import Moved, Part
from conformance.results import FAIL, PASS, Result
from rules_engine.imperium import frames
from rules_engine.imperium.actions import PlayAgent, Reveal
from rules_engine.imperium.setup import starting_state
from rules_engine.imperium.state import State, ThisTurn, player, with_player
from rules_engine.kernel.outcomes import Event
from rules_engine.kernel.records import change
from rules_engine.rulebook.rulings import chosen
from tests.conformance.faulty import faults
from tests.conformance.in_process import InProcess, small_case

NAMES = ("Paul", "Jessica", "Leto")


def _state(**changes: Any) -> State:
    return change(starting_state("uprising", NAMES, chosen({})), **changes)


def _in_turn(**changes: Any) -> State:
    return _state(turn=ThisTurn(0), pending=(frames.PlayerTurns(1), frames.Turn(0)), **changes)


def test_what_led_to_a_change_is_named_after_it_and_what_is_behind_every_gain_last() -> None:
    before = _state()
    after = with_player(before, change(player(before, 0), solari=2))
    completes = Event("completes_contract", ("UPR-CHOAM-013",), 0)
    other = Event("draws", ("UPR-ICON-003",), 1)
    gains = Event("gains", ("UPR-COST-007",), 0)
    parts = (Part(before, before, (completes, other)), Part(before, after, (gains,)))
    found = naming.of_field("players.0.solari", [Moved(before, after, parts, ())])
    assert found == ("UPR-COST-007", "UPR-CHOAM-013")
    assert naming.in_order(found, (), ()) == ("UPR-CHOAM-013", "UPR-COST-007")


def test_rules_of_the_case_come_first_if_they_were_found_and_last_if_they_were_at_work() -> None:
    state = _state()
    worked = Moved(state, state, (Part(state, state, (Event("x", ("UPR-ACQ-001",)),)),), ())
    case = ("UPR-ACQ-001", "UPR-STR-007", "UPR-END-001")
    found = ("UPR-STR-006", "UPR-STR-007")
    in_order = naming.in_order(found, case, [worked])
    assert in_order == ("UPR-STR-007", "UPR-STR-006", "UPR-ACQ-001")


def test_a_field_that_had_to_stay_is_told_by_the_rules_about_it() -> None:
    state = _state()
    found = naming.of_field("shield_wall", [Moved(state, state, (), ())])
    assert found == ("UPR-WALL-004", "UPR-WALL-005")


def test_every_field_has_rules_unless_nothing_can_be_said_about_it() -> None:
    assert set(FIELDS) - set(naming.OF_TABLE) == {"asked"}
    assert set(PLAYER_FIELDS) - set(naming.OF_PLAYER) == {"seat", "name"}


def test_the_decision_that_is_waited_for_has_rules() -> None:
    assert naming.of_waiting(_in_turn()) == ("UPR-AGENT-011", "UPR-REVEAL-001")
    assert naming.of_waiting(_state()) == ()


def test_what_is_not_listed_is_told_by_what_it_leads_to() -> None:
    found = naming.of_doing(_in_turn(), Reveal(0), ("UPR-ACQ-007",))
    assert found[0] == "UPR-REVEAL-003"
    assert {"UPR-ACQ-007", "UPR-REVEAL-001"} <= set(found)


def test_a_space_with_a_requirement_names_it() -> None:
    state = _in_turn()
    found = naming.of_doing(state, PlayAgent(0, "dagger", "shipping"), ())
    assert {"UPR-FACTION-012", "UPR-FACTION-014"} <= set(found)


def test_what_is_listed_and_not_allowed_is_told_by_what_is_against_it() -> None:
    state = _in_turn()
    sends = {"action": "play_agent", "by": 0, "card": "dagger", "space": "arrakeen"}
    assert "UPR-AGENT-001" in naming.against_doing(state, sends, ())
    due = {"action": "resolve", "by": 0, "effect": "gain 1 persuasion", "source": "assembly_hall"}
    assert naming.against_doing(state, due, ())[0] == "UPR-BOARD-005"


@pytest.mark.parametrize("said", [{}, {"action": 5}, {"action": "resolve", "effect": "?"}])
def test_a_list_of_nonsense_is_told_by_the_decision(said: dict[str, Any]) -> None:
    assert naming.against_doing(_in_turn(), said, ()) == ("UPR-AGENT-011", "UPR-REVEAL-001")


def test_cards_that_are_shown_to_others_are_leaks() -> None:
    state = _state()
    state = with_player(state, change(player(state, 0), hand=("dagger",)))
    wanted = observe_as(state, 1)
    assert next(each.path for each in leaks(wanted, observe(state))) == "players.0.hand"
    assert leaks(wanted, wanted) == []
    said = {"round": 1, "players": [{"spice": 3}, None]}
    assert leaks(wanted, said) == [], "what is not declared is left out"
    assert leaks(wanted, {"round": 1}) == []
    assert naming.of_leak("players.0.intrigues") == ("UPR-ICON-004",)


# What the kit looks at besides the inputs


class _Altered(InProcess):
    """Our adapter, one kind of answer altered."""

    def __init__(self, alter: Any) -> None:
        super().__init__()
        self._alter = alter

    def ask(self, calls: Any, seconds: float | None = None) -> list[AnyAnswer]:
        del seconds
        answers = super().ask(calls)
        return [self._alter(call, answer) for call, answer in zip(calls, answers, strict=True)]


def _result(alter: Any) -> Result:
    about = Described("altered", "1", ("uprising",), capabilities=tuple(CAPABILITIES))
    return play(small_case(), about, _Altered(alter))


def test_the_small_case_passes_as_it_is() -> None:
    assert _result(lambda _, answer: answer).outcome == PASS


def test_an_undo_that_forgets_something_is_a_divergence() -> None:
    undone = False

    def alter(call: AnyCall, answer: AnyAnswer) -> AnyAnswer:
        nonlocal undone
        if undone and isinstance(answer, Done) and answer.observation is not None:
            return Done(answer.observation | {"round": 99})
        undone = undone or type(call).__name__ == "Undo"
        return answer

    found = _result(alter)
    assert found.outcome == FAIL
    assert found.divergence is not None
    assert (found.divergence.kind, found.divergence.path) == ("undo", "round")


def test_a_refusal_that_changes_something_is_a_divergence() -> None:
    refused = False

    def alter(_: AnyCall, answer: AnyAnswer) -> AnyAnswer:
        nonlocal refused
        if refused and isinstance(answer, Done) and answer.observation is not None:
            refused = False
            return Done(answer.observation | {"round": 99})
        refused = refused or isinstance(answer, Refused)
        return answer

    found = _result(alter)
    assert found.divergence is not None
    assert (found.divergence.kind, found.divergence.move) == ("after a refusal", 1)
    assert "UPR-AGENT-001" in found.divergence.rules


def test_a_list_that_lacks_the_reveal_names_its_rules() -> None:
    def alter(_: AnyCall, answer: AnyAnswer) -> AnyAnswer:
        if not isinstance(answer, Listed):
            return answer
        kept = (each for each in answer.actions if each["action"] != "reveal")
        return Listed(tuple(kept))

    found = _result(alter)
    assert found.divergence is not None
    assert found.divergence.kind == "actions"
    assert {"UPR-REVEAL-001", "UPR-REVEAL-003"} <= set(found.divergence.rules)


def test_names_of_faults_are_sentences() -> None:
    assert all(len(name.split("_")) >= 4 for name in faults())
