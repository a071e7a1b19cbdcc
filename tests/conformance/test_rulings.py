"""Which readings explain a divergence, and that a mistake is not taken for a reading."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import pytest

from conformance import run
from conformance.adapters.reference import ABOUT, Adapter
from conformance.cases import Case
from conformance.messages import (
    AnyAnswer,
    AnyCall,
    Apply,
    Describe,
    Described,
    Done,
    Failed,
    Refused,
    Start,
)
from conformance.playing import play
from conformance.reference import OutOfPlace
from conformance.results import FAIL, GOOD, Result
from conformance.rulings import explained, family, profile, readings_of, under
from conformance.run import MOST_SEARCHES
from conformance.run import Tester as AdapterTester
from conformance.target import Target
from rules_engine.kernel.records import change
from tests.conformance.liars import PLAIN, corpus
from tests.conformance.runs import SPY, by_ruling, divergence, result


class Follows:
    """Our engine, which follows readings of its own whatever the setup says."""

    def __init__(self, **readings: str) -> None:
        self.readings = readings
        self.adapter = Adapter()

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Answer at once."""
        del seconds
        return [self.answer(call) for call in calls]

    def answer(self, call: AnyCall) -> AnyAnswer:
        """Answer one call, with other readings from the start; what breaks down says so."""
        if isinstance(call, Start):
            setup = call.setup | {"rulings": call.setup["rulings"] | self.readings}
            call = change(call, setup=setup)
        try:
            return self.adapter.answer(call)
        except (OutOfPlace, IndexError) as error:
            return Failed(str(error))

    def close(self) -> None:
        """There is nothing to end."""


class CountsWaterWrong(Follows):
    """Gives the first player a water too much wherever it is looked at."""

    def answer(self, call: AnyCall) -> AnyAnswer:
        """Answer one call."""
        answer = super().answer(call)
        if not isinstance(answer, Done) or answer.observation is None:
            return answer
        seen = copy.deepcopy(answer.observation)
        seen["players"][0]["water"] += 1
        return change(answer, observation=seen)


class DivergesOnce(Follows):
    """Is wrong the first time it is asked, and never again."""

    asked = 0

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Answer at once."""
        self.asked += 1
        if self.asked == 1:
            return CountsWaterWrong().ask(calls)
        return super().ask(calls, seconds)


def failures(adapter: Follows, some: Sequence[Case]) -> list[tuple[Case, Result]]:
    """The cases that the adapter fails."""
    played = [(case, play(case, ABOUT, adapter)) for case in some]
    return [(case, found) for case, found in played if found.outcome == FAIL]


def told(adapter: Follows, case: Case, found: Result, likely: Sequence[str] = ()) -> str:
    """The readings that explain a failure."""
    divergence = explained(case, found, ABOUT, adapter, likely).divergence
    assert divergence is not None
    return divergence.ruling


KEPT = {"alliance_loss_below_4": "kept"}


@pytest.mark.parametrize(
    ("file", "name", "value"),
    [
        ("influence", "alliance_loss_tie", "kept"),
        ("influence", "alliance_loss_below_4", "kept"),
        ("intrigue", "intrigue_multi_line", "all_mandatory"),
        ("rulings/condition_check_time", "spy_placement_mandatory", "yes"),
        ("rulings/deploy_takeback", "deploy_takeback", "until_end"),
        ("intrigue", "trashed_intrigue_zone", "discard_pile"),
    ],
)
def test_who_follows_another_reading_is_explained_by_that_one(
    file: str, name: str, value: str
) -> None:
    adapter = Follows(**{name: value})
    failed = failures(adapter, corpus(file))
    assert failed
    assert {told(adapter, *each) for each in failed} == {f"{name} = {value}"}


def test_who_follows_the_readings_of_the_setup_fails_nothing() -> None:
    assert failures(Follows(), corpus("influence")) == []


def test_a_mistake_is_explained_by_no_reading() -> None:
    adapter = CountsWaterWrong()
    failed = failures(adapter, corpus("influence")[:3])
    assert len(failed) == 3
    assert {told(adapter, *each, ["alliance_loss_tie = kept"]) for each in failed} == {""}


def test_a_mistake_of_who_follows_another_reading_is_not_explained_by_it() -> None:
    adapter = CountsWaterWrong(**KEPT)
    case, found = failures(adapter, corpus("influence"))[0]
    assert told(adapter, case, found, ["alliance_loss_below_4 = kept"]) == ""


def test_what_does_not_diverge_every_time_is_explained_by_no_reading() -> None:
    adapter = DivergesOnce()
    case = corpus("influence")[0]
    found = play(case, ABOUT, adapter)
    assert found.outcome == FAIL
    assert told(adapter, case, found) == ""


def test_what_passes_has_nothing_to_explain() -> None:
    passed = result("good")
    assert explained(corpus("influence")[0], passed, ABOUT, Follows()) is passed


# What is not followed


class HasNoSpies(Follows):
    """Refuses whatever needs a Spy."""

    def answer(self, call: AnyCall) -> AnyAnswer:
        """Answer one call."""
        if isinstance(call, Apply):
            given = call.input.get("do", {})
            if "spy" in given.get("action", "") or given.get("infiltrate") or given.get("gather"):
                return Refused("there are no Spies")
        return super().answer(call)


SPY_FILES = ("spies", "rulings/condition_check_time", "spies")


@pytest.mark.parametrize("fields", [(), ("players.water", "players.hand", "agents")])
def test_who_has_no_spies_follows_no_ruling_about_them(fields: tuple[str, ...]) -> None:
    about = change(PLAIN, fields=fields)
    adapter = Blind(HasNoSpies(), about)
    tester = AdapterTester(lambda: adapter, Target(), about)
    results = [tester.case(case) for case in corpus(*SPY_FILES)]
    failed = [each for each in results if each.outcome == FAIL]
    assert len(failed) > 10
    assert profile(results) == ()


def test_who_does_not_observe_what_a_ruling_decides_does_not_follow_it() -> None:
    adapter = Follows(alliance_loss_below_4="kept")
    blind = change(ABOUT, fields=("players.water",), capabilities=PLAIN.capabilities)
    tester = AdapterTester(lambda: Blind(adapter, blind), Target(), blind)
    assert profile([tester.case(case) for case in corpus("influence")]) == ()


class Blind(Follows):
    """Another adapter, which says something else of itself."""

    def __init__(self, other: Follows, about: Described) -> None:
        super().__init__()
        self._other = other
        self._about = about

    def answer(self, call: AnyCall) -> AnyAnswer:
        """Answer one call."""
        return self._about if isinstance(call, Describe) else self._other.answer(call)


def test_a_mistake_is_not_played_under_readings_that_do_not_predict_it() -> None:
    played: list[None] = []

    class Counting(CountsWaterWrong):
        def answer(self, call: AnyCall) -> AnyAnswer:
            played.extend([None] * isinstance(call, Start))
            return super().answer(call)

    for case, found in failures(Counting(), corpus("influence")[:3]):
        played.clear()
        assert told(Counting(), case, found) == ""
        assert not played


def test_divergences_that_are_alike_are_told_from_others() -> None:
    one = divergence(path="players.0.water")
    assert family(one) == family(divergence(path="players.2.water", got=7))
    assert family(one) != family(divergence(path="players.0.spice"))
    assert family(one) != family(divergence(rules=(SPY,)))


def test_of_alike_divergences_the_readings_are_looked_for_only_so_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searches: list[bool] = []

    def look(*_: object, searched: bool, moved: object) -> Result:
        del moved
        searches.append(searched)
        return result("a", FAIL)

    monkeypatch.setattr(run, "explained", look)
    tester = AdapterTester(CountsWaterWrong, Target(), ABOUT)
    for _ in range(MOST_SEARCHES + 1):
        tester.case(corpus("influence")[0])
    assert searches == [False] * MOST_SEARCHES + [True]


# Two readings at once


BOTH = {"agent_turn_end": "last_effect", "deploy_takeback": "until_end"}
FIRST, SECOND = (f"{name} = {value}" for name, value in BOTH.items())
UNNEEDED = "alliance_loss_tie = kept"


def of_both() -> tuple[Follows, Case, Result]:
    """A case in which each of two readings shows, of an adapter that follows both."""
    case = next(case for case in corpus("rulings/deploy_takeback") if "does_not_take" in case.id)
    adapter = Follows(**BOTH)
    assert all(play(case, ABOUT, Follows(**{name: BOTH[name]})).outcome == FAIL for name in BOTH)
    return adapter, case, play(case, ABOUT, adapter)


def test_nothing_explains_two_readings_as_long_as_none_of_them_is_likely() -> None:
    assert told(*of_both()) == ""


@pytest.mark.parametrize("likely", [[FIRST], [SECOND], [FIRST, SECOND], [UNNEEDED, SECOND]])
def test_a_likely_reading_explains_with_one_more(likely: list[str]) -> None:
    ruling = told(*of_both(), likely)
    assert set(readings_of(ruling)) == {FIRST, SECOND}


def test_the_adapter_is_told_of_the_same_setup_under_other_readings() -> None:
    _, case, _ = of_both()
    other = under(case, BOTH)
    assert other is not None
    assert other.setup == case.setup
    assert other.followed["rulings"] == case.setup["rulings"] | BOTH
    assert play(other, ABOUT, Follows(**BOTH)).outcome in GOOD


# The profile


def test_the_profile_has_the_readings_that_explain_most_first() -> None:
    results = [
        by_ruling("one", "b = 1"),
        by_ruling("two", "c = 2"),
        by_ruling("three", "c = 2, a = 0"),
        result("four", FAIL),
        result("five"),
    ]
    found = [(each.ruling, each.value, each.explains) for each in profile(results)]
    assert found == [("c", "2", 2), ("a", "0", 1), ("b", "1", 1)]
    assert profile(results)[0].cases == ("two", "three")
