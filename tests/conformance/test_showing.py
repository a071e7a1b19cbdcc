"""Which rules a case has shown to hold, and that others it has not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from conformance.asserted import ACTIONS, REFUSALS, asserted
from conformance.cases import Case, cases_of
from conformance.following import MOST_FOLLOW_UPS
from conformance.messages import ACTIONS as LISTS
from conformance.messages import (
    STEPS,
    AnyAnswer,
    AnyCall,
    Apply,
    Describe,
    Described,
    Refused,
    Start,
    Unsupported,
)
from conformance.observing import observe
from conformance.playing import play
from conformance.reference import Reference
from conformance.results import FAIL, NOTHING, PASS, REFUSED, UNSUPPORTED, Result
from conformance.run import Tester as AdapterTester
from conformance.showing import NO_INPUT, UNFOLLOWED, UNOBSERVED, Shown
from conformance.target import Target
from rules_engine.kernel.records import change
from scenarios.vectors.export import exported
from tests.conformance.in_process import InProcess
from tests.conformance.liars import PLAIN
from tests.conformance.own_chance import InProcess as Twisted
from tests.conformance.own_chance import OwnChance
from tests.conformance.whole_units import InUnits

START = """game uprising with John, Abby, Ned
conflict "Siege of Arrakeen"
given Abby has hand "Dagger"
  and Abby has 1 troop in conflict
"""


def case(lines: str, cites: str) -> Case:
    """The one case of a scenario of these lines."""
    text = f'scenario "Something"\nid mine.case\ncites {cites}\n{START}{lines}\n'
    (file,) = exported([("mine.scenario", text)])
    (found,) = cases_of(file.vectors)
    assert isinstance(found, Case), found
    return found


REVEALS = case("when Abby reveals\nthen Abby has 1 sword", "UPR-STR-006")
CANNOT = case(
    'when Abby reveals\nthen Abby cannot acquire "The Spice Must Flow" because UPR-ACQ-004',
    "UPR-ACQ-004",
)


def ended(of: Case, about: Described = PLAIN) -> Result:
    """How a case ends on our own engine."""
    return play(of, about, InProcess())


def test_what_the_adapter_does_not_observe_is_not_held() -> None:
    assert ended(REVEALS).held == ("UPR-STR-006",)
    seen = ended(REVEALS, change(PLAIN, fields=("players.swords",)))
    assert (seen.outcome, seen.held) == (PASS, ("UPR-STR-006",))
    unseen = ended(REVEALS, change(PLAIN, fields=("players.water",)))
    assert (unseen.outcome, unseen.detail, unseen.held) == (NOTHING, UNOBSERVED, ())


def test_a_case_without_an_allowed_input_holds_nothing() -> None:
    looks = change(REVEALS, moves=())
    found = ended(looks)
    assert (found.outcome, found.detail) == (NOTHING, NO_INPUT)


# Refusals


def test_a_refusal_is_held_by_whoever_takes_what_is_allowed_in_the_same_position() -> None:
    found = ended(CANNOT)
    assert found.outcome == REFUSED
    assert found.held == ("UPR-ACQ-004",)
    assert found.inputs > len(CANNOT.moves)


def test_a_refusal_is_not_held_where_nothing_is_seen_of_what_is_taken_after_it() -> None:
    found = ended(CANNOT, change(PLAIN, fields=("players.memories",)))
    assert (found.outcome, found.detail, found.held) == (NOTHING, UNFOLLOWED, ())


def _refuses_after(number: int, answer: AnyAnswer) -> InProcess:
    """Our engine, which answers so to every input after the first ones."""

    class Stubborn(InProcess):
        taken = 0

        def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
            answers = super().ask(calls, seconds)
            return [self._of(*pair) for pair in zip(calls, answers, strict=True)]

        def _of(self, call: AnyCall, right: AnyAnswer) -> AnyAnswer:
            self.taken += isinstance(call, Apply)
            late = isinstance(call, Apply) and self.taken > number
            return answer if late else right

    return Stubborn()


class StubbornAbout(InProcess):
    """Our engine, which takes none of the inputs that are allowed after a case."""

    def __init__(self, of: Case) -> None:
        super().__init__()
        self._own = [each.given for each in of.moves]

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Refuse what is not the case's own."""
        answers = super().ask(calls, seconds)
        return [self._of(*pair) for pair in zip(calls, answers, strict=True)]

    def _of(self, call: AnyCall, right: AnyAnswer) -> AnyAnswer:
        if isinstance(call, Describe):
            return PLAIN
        is_other = isinstance(call, Apply) and call.input not in self._own
        return Refused("no") if is_other else right


def test_who_refuses_what_is_allowed_there_too_fails_beyond_the_case() -> None:
    found = play(CANNOT, PLAIN, _refuses_after(len(CANNOT.moves), Refused("no")))
    assert found.outcome == FAIL
    assert found.divergence is not None
    assert (found.divergence.kind, found.divergence.is_beyond) == ("refused", True)
    own = play(CANNOT, PLAIN, _refuses_after(0, Refused("no"))).divergence
    assert own is not None
    assert not own.is_beyond


def test_what_fails_beyond_the_case_is_told_as_such_and_made_short() -> None:
    tester = AdapterTester(lambda: StubbornAbout(CANNOT), Target(), PLAIN)
    found = tester.case(CANNOT).divergence
    assert found is not None
    assert found.is_beyond
    assert found.scenario


def test_where_the_adapter_supports_nothing_that_is_allowed_there_the_refusal_is_not_held() -> None:
    class Counts(InProcess):
        starts = given = 0

        def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
            answers = super().ask(calls, seconds)
            return [self._of(*pair) for pair in zip(calls, answers, strict=True)]

        def _of(self, call: AnyCall, right: AnyAnswer) -> AnyAnswer:
            if isinstance(call, Start):
                self.starts, self.given = self.starts + 1, 0
            self.given += isinstance(call, Apply)
            is_beyond = isinstance(call, Apply) and self.given > len(CANNOT.moves)
            return Unsupported("that") if is_beyond else right

    adapter = Counts()
    found = play(CANNOT, PLAIN, adapter)
    assert (found.outcome, found.detail) == (NOTHING, UNFOLLOWED)
    assert 2 <= adapter.starts <= MOST_FOLLOW_UPS + 1


def test_an_adapter_with_a_chance_of_its_own_is_given_what_is_allowed_as_well() -> None:
    found = play(CANNOT, change(PLAIN, chance="report"), Twisted(OwnChance(1)))
    assert (found.outcome, "UPR-ACQ-004" in found.held) == (REFUSED, True)


@pytest.mark.parametrize("step", STEPS[1:])
def test_a_whole_unit_follows_what_is_refused_in_it(step: str) -> None:
    found = play(CANNOT, change(PLAIN, step=step), Twisted(InUnits(step)))
    assert found.outcome in (PASS, REFUSED, NOTHING)
    assert found.divergence is None


# What shows in no field


def test_what_shows_in_no_field_is_held_by_whoever_lists_what_is_allowed() -> None:
    due = change(REVEALS, rules=("UPR-WALL-003",), asserts=(ACTIONS,))
    nowhere = change(PLAIN, fields=("players.water",))
    assert ended(due, nowhere).outcome == NOTHING
    lists = change(nowhere, capabilities=(*PLAIN.capabilities, LISTS))
    assert ended(due, lists).held == ("UPR-WALL-003",)


def test_what_does_not_happen_is_held_where_the_scenario_looks() -> None:
    lines = "when Abby reveals\nthen Abby has 1 sword\n and Abby has 0 spice"
    wall = case(lines, "UPR-WALL-003")
    assert wall.asserts == ("players.swords", "players.spice")
    assert ended(wall).held == ("UPR-WALL-003",)
    sees = change(PLAIN, fields=("players.swords",))
    assert ended(wall, sees).held == ("UPR-WALL-003",)
    elsewhere = change(PLAIN, fields=("players.revealed",))
    assert ended(wall, elsewhere).outcome == NOTHING


def test_what_may_still_come_is_not_held_by_whoever_stops_before() -> None:
    quiet = case(
        "when Abby reveals\nthen Abby has 1 troop in conflict\nwhen Abby ends the turn",
        "UPR-WALL-003",
    )
    whole = play(quiet, PLAIN, InProcess())
    assert whole.held == ("UPR-WALL-003",), "it keeps something from happening"
    stops = play(quiet, PLAIN, _refuses_after(1, Unsupported("no more")))
    assert (stops.outcome, stops.held) == (UNSUPPORTED, ())


def test_how_a_game_is_set_up_is_no_change() -> None:
    start = Reference.start(REVEALS.setup, REVEALS.position, REVEALS.to_move).state
    dealt = change(REVEALS, position=None, rules=())
    shown = Shown(dealt, PLAIN, start)
    shown.looked(observe(start))
    assert not shown.is_any(dealt)
    assert shown.why_nothing == NO_INPUT


def test_expectations_look_at_fields() -> None:
    has = {"kind": "has", "quantity": "resource", "what": "spice"}
    hand = {"kind": "in_zone", "zone": "discard"}
    tracks = {"kind": "gains", "quantity": "influence"}
    found = asserted([has, hand, tracks, {"kind": "cannot"}, {"kind": "due"}, has])
    assert found == (
        "players.spice", "players.discard", "players.tracks", REFUSALS, ACTIONS,
    )  # fmt: skip
    assert asserted([has, {"kind": "happens"}]) == ()
