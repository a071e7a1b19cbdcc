"""Adapters with a chance of their own: the reference is fed what came, and no more can come."""

from __future__ import annotations

from typing import Any

import pytest

from conformance import messages as say
from conformance.adapters.reference import ABOUT, Adapter
from conformance.cases import Move
from conformance.playing import play, play_on
from conformance.results import FAIL, GOOD, UNSUPPORTED, Divergence, Result
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import actions
from rules_engine.kernel.records import change
from scenarios.vectors.inputs import decision as decision_json
from tests.conformance.own_chance import (
    InProcess,
    Json,
    Listening,
    OwnChance,
    Twist,
    case,
    decision,
    rounds,
    with_chance,
)

REPORTS = change(ABOUT, chance=say.REPORT)
PLAIN = change(REPORTS, capabilities=())
REVEALS = [decision("reveal", seat) for seat in range(3)]


def played(*moves: Any, twist: Twist = lambda _, a: a, about: say.Described = PLAIN) -> Result:
    """How a case ends."""
    return play(case(*moves), about, InProcess(OwnChance(3), twist))


def divergence(*moves: Any, twist: Twist, about: say.Described = PLAIN) -> Divergence:
    """How a case that fails diverges."""
    result = played(*moves, twist=twist, about=about)
    assert result.outcome == FAIL
    assert result.divergence is not None
    return result.divergence


@pytest.mark.parametrize("seed", range(3))
def test_whole_rounds_are_played_with_chance_of_its_own(seed: int) -> None:
    connection = Listening(InProcess(OwnChance(seed)))
    result = play(case(*rounds(3)), REPORTS, connection)
    assert result.divergence is None
    assert result.outcome in GOOD
    assert connection.last["round"] >= 4
    assert connection.accepted > 60


def first_allowed(state: State) -> Move | None:
    """Chooses the first thing that is allowed, until the second round."""
    if state.round > 1:
        return None
    return Move({"do": decision_json(state, actions(IMPERIUM, state)[0])})


def test_inputs_are_chosen_where_its_own_chance_has_led_to() -> None:
    result, done = play_on(case(), REPORTS, InProcess(OwnChance(5)), first_allowed)
    assert result.divergence is None
    assert result.outcome in GOOD
    assert len(done.moves) > 10
    assert not any(move.refused for move in done.moves)


def test_what_came_makes_a_case_for_an_adapter_that_is_told_of_chance() -> None:
    _, done = play_on(case(*REVEALS), REPORTS, InProcess(OwnChance(5)), first_allowed)
    assert sum(move.refused for move in done.moves) == 2
    assert play(done, ABOUT, InProcess(Adapter())).outcome in GOOD


# What chance cannot bring


def test_a_card_that_is_not_in_the_deck_is_an_impossible_draw() -> None:
    def twist(chance: list[Json]) -> list[Json]:
        next(each for each in chance if each["kind"] == "draw")["outcome"] = "steersman"
        return chance

    found = divergence(twist=with_chance(twist))
    assert (found.kind, found.move, found.rules) == ("chance", 0, ("UPR-ICON-003",))
    assert "steersman" in found.got


def test_a_draw_that_did_not_come_is_told_by_the_rule_that_asks_for_it() -> None:
    found = divergence(twist=with_chance(lambda chance: chance[:-1]))
    assert found.kind == "chance"
    assert found.got.startswith("nothing is told of `draw` for seat")
    assert found.rules == ("UPR-ROUND-002", "UPR-ICON-003")


def test_a_draw_too_many_is_told_by_the_rule_that_asks_for_the_others() -> None:
    more = {"kind": "draw", "player": 1, "outcome": "dagger"}
    found = divergence(twist=with_chance(lambda chance: [*chance, more]))
    assert (found.kind, found.expected, found.got) == ("chance", "nothing more", more)
    assert found.rules == ("UPR-ROUND-002", "UPR-ICON-003")


def test_a_card_of_the_row_that_did_not_come_is_told_by_its_rule() -> None:
    def without_row(chance: list[Json]) -> list[Json]:
        return [each for each in chance if each["kind"] != "row"]

    assert "UPR-ACQ-010" in divergence(twist=with_chance(without_row)).rules


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "draw", "player": 0, "outcome": "any"},
        {"kind": "draw", "player": 0, "outcome": 7},
        {"kind": "draw", "player": 0, "outcome": ["dagger"]},
        {"kind": "draw", "player": 0},
        {"kind": ["draw"]},
        {},
    ],
)
def test_what_is_no_draw_at_all_is_a_divergence(wrong: Json) -> None:
    def twist(chance: list[Json]) -> list[Json]:
        kinds = [(each["kind"], each.get("player")) for each in chance]
        chance[kinds.index(("draw", 0))] = wrong
        return chance

    assert divergence(twist=with_chance(twist)).kind == "chance"


def test_whose_cards_are_drawn_first_is_the_adapters_own_affair() -> None:
    assert played(twist=with_chance(lambda chance: chance[::-1])).divergence is None


# What else an adapter can say


def test_what_it_does_not_support_is_not_counted_against_it() -> None:
    result = played(twist=lambda _, __: say.Unsupported("a game of three"))
    assert (result.outcome, result.detail) == (UNSUPPORTED, "a game of three")


def test_a_failure_inside_is_a_divergence_at_what_was_asked_for() -> None:
    def twist(call: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
        return say.Failed("out of order") if isinstance(call, say.Apply) else answer

    allowed = next(move for move in REVEALS if played(move, twist=twist).outcome == FAIL)
    found = divergence(allowed, twist=twist)
    assert (found.kind, found.got) == ("failure", "out of order")
    assert found.rules


def test_a_refusal_of_what_is_allowed_cites_what_it_would_do() -> None:
    def twist(call: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
        return say.Refused("no") if isinstance(call, say.Apply) else answer

    found = divergence(*REVEALS, twist=twist)
    assert found.kind == "refused"
    assert "UPR-REVEAL-003" in found.rules


def test_what_is_accepted_against_the_rules_cites_the_refusal() -> None:
    def twist(_: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
        if not isinstance(answer, say.Refused):
            return answer
        more = {"kind": "draw", "player": 1, "outcome": "dagger"}
        return say.Done({}, (more,))

    found = divergence(*REVEALS, twist=twist)
    assert (found.kind, found.rules[0]) == ("accepted", "UPR-ROUND-003")


def one_more_water(call: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
    """A fault after every input."""
    if isinstance(call, say.Apply) and isinstance(answer, say.Done):
        assert answer.observation is not None
        answer.observation["players"][1]["water"] += 1
    return answer


def test_a_field_that_differs_is_found() -> None:
    found = divergence(*REVEALS, twist=one_more_water)
    assert (found.kind, found.path, found.expected, found.got) == (
        "field",
        "players.1.water",
        1,
        2,
    )


def test_an_adapter_that_shows_no_players_is_not_excused_by_its_fields() -> None:
    def twist(_: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
        return change(answer, observation={}) if isinstance(answer, say.Done) else answer

    found = divergence(twist=twist, about=change(PLAIN, fields=("players.hand",)))
    assert found.path == "players"


def test_an_input_for_an_earlier_position_has_to_be_refused() -> None:
    can = change(PLAIN, capabilities=(say.REVISIONS,))
    assert played(*REVEALS, about=can).outcome in GOOD

    taken = 0

    def twist(call: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
        nonlocal taken
        is_late = isinstance(call, say.Apply) and call.revision < taken
        taken += isinstance(call, say.Apply) and isinstance(answer, say.Done)
        return say.Done() if is_late else answer

    found = divergence(*REVEALS, twist=twist, about=can)
    assert found.kind == "accepted"


def test_a_list_that_lacks_an_action_is_found() -> None:
    def twist(_: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
        return say.Listed(answer.actions[1:]) if isinstance(answer, say.Listed) else answer

    found = divergence(twist=twist, about=change(PLAIN, capabilities=(say.ACTIONS,)))
    assert (found.kind, found.got) == ("actions", "it is not listed")
