"""A run gives a result for every case, whatever the adapter does, and stays within its budget."""

from __future__ import annotations

import gc
import multiprocessing
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from conformance import games as games_module
from conformance import run as run_module
from conformance.adapters.reference import ABOUT
from conformance.cases import Case
from conformance.faults import CLOSED, GARBAGE, SLOW, AdapterFault
from conformance.games import GAMES_TO_A_ROUND
from conformance.messages import REPORT, AnyAnswer, AnyCall, Apply, Described, Done, Start
from conformance.results import CRASHED, FAIL, PASS, SKIPPED, TIMED_OUT, UNSUPPORTED, Result
from conformance.run import (
    CASES_AT_A_TIME,
    MOST_STARTS,
    ONCE,
    SPENT,
    STOPPED,
    Budget,
    _Pool,
    run,
    unplayed,
)
from conformance.run import Tester as AdapterTester
from conformance.stopping import stoppable
from conformance.target import Target
from rules_engine.kernel.records import change
from scenarios.check import check_files
from tests.conformance import own_chance
from tests.conformance.hostile import LONG
from tests.conformance.in_process import InProcess, small_case
from tests.conformance.moody import BARE

CASE = small_case()
OWN_CHANCE = change(ABOUT, capabilities=(), chance=REPORT)
OWN = own_chance.InProcess(own_chance.OwnChance(3))


def target(mood: str, folder: Path, **allowed: float) -> Target:
    """An adapter of ours with a mood."""
    command = (sys.executable, "-m", "tests.conformance.moody", mood, str(folder))
    return Target(command, **allowed)  # type: ignore[arg-type]


def cases(count: int) -> list[Case]:
    """So many cases, all alike but for their names."""
    return [change(CASE, id=f"case.{number}") for number in range(count)]


def outcomes(results: Sequence[Result]) -> Counter[str]:
    """How many ended in each way."""
    return Counter(result.outcome for result in results)


class Faulty(InProcess):
    """Our adapter, with something that is done before each batch."""

    def __init__(self, before: Callable[[Sequence[AnyCall]], None]) -> None:
        super().__init__()
        self.before = before
        self.closed = 0

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Its answers to a batch, if nothing happens before."""
        self.before(calls)
        return super().ask(calls, seconds)

    def close(self) -> None:
        """Count it."""
        self.closed += 1


class Wrong(InProcess):
    """Our adapter, which shows a water too much after an input."""

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Its answers to a batch."""
        answers = super().ask(calls, seconds)
        return [
            _wetter(answer) if isinstance(call, Apply) else answer
            for call, answer in zip(calls, answers, strict=True)
        ]


def _wetter(answer: AnyAnswer) -> AnyAnswer:
    if not isinstance(answer, Done) or answer.observation is None:
        return answer
    players = [{**each, "water": each["water"] + 1} for each in answer.observation["players"]]
    return change(answer, observation={**answer.observation, "players": players})


def plays(calls: Sequence[AnyCall]) -> bool:
    """Whether a game is started."""
    return any(isinstance(call, Start) for call in calls)


# One adapter


def test_a_case_that_passes_has_its_time_and_its_place() -> None:
    tester = AdapterTester(InProcess, Target(), ABOUT)
    result = tester.case(change(CASE, file="mine.scenario", line=3))
    assert (result.outcome, result.file, result.line) == (PASS, "mine.scenario", 3)
    assert result.seconds > 0


def test_the_adapter_is_started_once_as_long_as_it_works() -> None:
    started: list[InProcess] = []

    def opened() -> InProcess:
        started.append(InProcess())
        return started[-1]

    tester = AdapterTester(opened, Target(), ABOUT)
    for case in cases(3):
        assert tester.case(case).outcome == PASS
    assert len(started) == 1


@pytest.mark.parametrize(
    ("kind", "outcome"), [(CLOSED, CRASHED), (GARBAGE, CRASHED), (SLOW, TIMED_OUT)]
)
def test_after_a_fault_it_is_started_anew_and_the_next_case_is_played(
    kind: str, outcome: str
) -> None:
    started: list[Faulty] = []

    def before(calls: Sequence[AnyCall]) -> None:
        if plays(calls) and len(started) == 1:
            raise AdapterFault(kind, "it is gone")

    def opened() -> Faulty:
        started.append(Faulty(before))
        return started[-1]

    tester = AdapterTester(opened, Target(), ABOUT)
    first, second, third = map(tester.case, cases(3))
    assert (first.outcome, first.detail) == (outcome, "it is gone")
    assert second.outcome == third.outcome == PASS
    assert [each.closed for each in started] == [1, 0]


def test_an_adapter_that_cannot_be_started_again_is_given_up() -> None:
    tries: list[None] = []

    def opened() -> InProcess:
        tries.append(None)
        raise AdapterFault(CLOSED, "it does not start")

    tester = AdapterTester(opened, Target(), ABOUT)
    results = [tester.case(case) for case in cases(MOST_STARTS + 3)]
    assert outcomes(results) == {CRASHED: MOST_STARTS, SKIPPED: 3}
    assert results[-1].detail == "the adapter could not be started 3 times in a row"
    assert [each.outcome for each in tester.games(1, {}, 2)] == [SKIPPED]
    assert len(tries) == MOST_STARTS


def test_an_adapter_that_starts_in_the_end_is_not_given_up() -> None:
    tries: list[None] = []

    def opened() -> InProcess:
        tries.append(None)
        if len(tries) < MOST_STARTS:
            raise AdapterFault(CLOSED, "it does not start")
        return InProcess()

    tester = AdapterTester(opened, Target(), ABOUT)
    results = [tester.case(case) for case in cases(MOST_STARTS + 1)]
    assert outcomes(results) == {CRASHED: MOST_STARTS - 1, PASS: 2}


def test_an_adapter_that_says_something_else_when_it_starts_again_is_ended() -> None:
    started: list[Faulty] = []

    def opened() -> Faulty:
        started.append(Faulty(lambda _: None))
        return started[-1]

    tester = AdapterTester(opened, Target(), change(ABOUT, version="0"))
    result = tester.case(CASE)
    assert result.outcome == CRASHED
    assert "its version was `0`, and is `1`" in result.detail
    assert started[0].closed == 1


def test_another_product_is_skipped_without_asking() -> None:
    def opened() -> InProcess:
        raise AssertionError("nobody has to be asked")

    tester = AdapterTester(opened, Target(), Described("other", "1", ("base",)))
    for result in (tester.case(CASE), *tester.games(1, {}, 2)):
        assert (result.outcome, result.detail) == (SKIPPED, "it does not play `uprising`")


def test_a_divergence_has_a_scenario_that_holds_on_the_engine() -> None:
    result = AdapterTester(Wrong, Target(), ABOUT).case(CASE)
    assert result.outcome == FAIL
    assert result.divergence is not None
    assert result.divergence.path.endswith(".water")
    (checked,) = check_files([("found.scenario", result.divergence.scenario)])
    assert checked.good
    assert result.inputs == 1


def test_a_crash_while_a_divergence_is_made_short_does_not_hide_it() -> None:
    played: list[None] = []

    class WrongOnce(Wrong):
        def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
            if plays(calls):
                played.append(None)
                if len(played) == 2:
                    raise AdapterFault(CLOSED, "it is gone")
            return super().ask(calls, seconds)

    tester = AdapterTester(WrongOnce, Target(), ABOUT)
    result = tester.case(CASE)
    assert result.outcome == FAIL
    assert result.divergence is not None
    assert result.divergence.scenario
    assert tester.case(CASE).outcome == FAIL


def test_a_divergence_is_not_made_short_when_the_time_is_over() -> None:
    played: list[None] = []

    class Counting(Wrong):
        def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
            played.extend([None] * plays(calls))
            return super().ask(calls, seconds)

    def found(until: float | None) -> int:
        played.clear()
        tester = AdapterTester(Counting, Target(), ABOUT)
        tester.until = until
        assert tester.case(CASE).outcome == FAIL
        return len(played)

    assert found(until=0.0) < found(until=None)


# Generated games


def test_as_many_games_are_played_as_are_asked_for() -> None:
    results = AdapterTester(InProcess, Target(), ABOUT).games(7, {}, 3)
    assert [result.id for result in results] == ["games.7.0", "games.7.1", "games.7.2"]


def test_games_that_were_played_before_a_crash_count() -> None:
    played: list[None] = []

    def before(calls: Sequence[AnyCall]) -> None:
        played.extend([None] * plays(calls))
        if len(played) == 3:
            raise AdapterFault(CLOSED, "it is gone")

    results = AdapterTester(lambda: Faulty(before), Target(), ABOUT).games(7, {}, 5)
    assert [result.id for result in results] == ["games.7.0", "games.7.1", "games.7"]
    assert (results[-1].outcome, results[-1].detail) == (CRASHED, "it is gone")


def test_a_game_that_diverges_now_and_then_has_diverged() -> None:
    wrong: list[list[AnyAnswer]] = []

    class WrongOnce(Wrong):
        def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
            right, now = InProcess.ask(self, calls, seconds), super().ask(calls, seconds)
            if wrong or right == now:
                return right
            wrong.append(now)
            return now

    results = AdapterTester(WrongOnce, Target(), ABOUT).games(7, {}, 5)
    assert outcomes(results)[FAIL] == 1
    assert results[-1].divergence is not None
    assert results[-1].divergence.scenario
    assert not results[-1].divergence.ruling
    assert results[-1].detail == ONCE


# The whole run


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_case_has_one_result(jobs: int, tmp_path: Path) -> None:
    wanted = cases(2 * CASES_AT_A_TIME + 5)
    found = list(run(wanted, target("Good", tmp_path), ABOUT, jobs=jobs))
    assert sorted(each.id for each in found) == sorted(case.id for case in wanted)
    assert outcomes(found) == {PASS: len(wanted)}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_crash_costs_one_case(jobs: int, tmp_path: Path) -> None:
    found = list(run(cases(20), target("CrashesOnce", tmp_path), ABOUT, jobs=jobs))
    assert outcomes(found) == {PASS: 19, CRASHED: 1}


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_adapter_that_hangs_costs_its_time_in_every_case(jobs: int, tmp_path: Path) -> None:
    hanging = target("Hangs", tmp_path, seconds=0.2)
    assert outcomes(list(run(cases(2), hanging, ABOUT, jobs=jobs))) == {TIMED_OUT: 2}


def test_a_process_that_dies_costs_one_case_and_the_others_go_on(tmp_path: Path) -> None:
    found = list(run(cases(20), target("KillsTheKit", tmp_path), ABOUT, jobs=2))
    assert outcomes(found) == {PASS: 19, CRASHED: 1}
    (crashed,) = (each for each in found if each.outcome == CRASHED)
    assert crashed.detail == "the process that played it ended"
    assert not multiprocessing.active_children()


def test_a_given_up_adapter_ends_the_run_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "start").touch()
    found = list(run(cases(6), target("StartsOnce", tmp_path), ABOUT))
    assert [each.outcome for each in found] == [CRASHED] * MOST_STARTS + [SKIPPED] * 3
    assert "the licence is for one start" in found[0].detail


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_is_left_early_leaves_no_process(jobs: int, tmp_path: Path) -> None:
    playing = run(cases(40), target("Good", tmp_path), ABOUT, jobs=jobs)
    assert next(playing).outcome == PASS
    playing.close()
    assert not multiprocessing.active_children()


# The budget


def test_a_budget_of_cases_is_kept_to_the_case(tmp_path: Path) -> None:
    most = CASES_AT_A_TIME + 3
    wanted = cases(most + 10)
    found = list(run(wanted, target("Good", tmp_path), ABOUT, budget=Budget(cases=most)))
    assert [each.id for each in found] == [case.id for case in wanted]
    assert [each.outcome for each in found] == [PASS] * most + [SKIPPED] * 10
    assert {each.detail for each in found[most:]} == {SPENT}


def test_a_case_that_the_adapter_cannot_take_costs_nothing(tmp_path: Path) -> None:
    hard = change(CASE, position={})
    wanted = [change(hard, id="hard.1"), *cases(3), change(hard, id="hard.2")]
    found = list(run(wanted, target("Bare", tmp_path), BARE, budget=Budget(cases=2)))
    assert {each.id: each.outcome for each in found} == {
        "hard.1": UNSUPPORTED,
        "case.0": PASS,
        "case.1": PASS,
        "hard.2": UNSUPPORTED,
        "case.2": SKIPPED,
    }
    assert found[0].lacks == ("position",)


def test_games_come_after_the_cases_and_count_as_well(tmp_path: Path) -> None:
    budget = Budget(cases=4)
    games = GAMES_TO_A_ROUND + 5
    good = target("Good", tmp_path)
    found = list(run(cases(2), good, ABOUT, games=games, seed=5, budget=budget))
    ids = [each.id for each in found]
    assert ids == ["case.0", "case.1", "games.5.0", "games.5.1", "games.5", "games.6"]
    assert [each.outcome for each in found[4:]] == [SKIPPED] * 2
    assert [each.title for each in found[4:]] == ["generated games: 23", "generated games: 5"]


def test_rounds_that_were_played_are_not_played_again(tmp_path: Path) -> None:
    games = GAMES_TO_A_ROUND + 2
    found = run([], target("Good", tmp_path), ABOUT, games=games, seed=5, played={5})
    assert [each.id for each in found] == ["games.6.0", "games.6.1"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_budget_of_time_ends_in_the_middle_of_what_was_given(jobs: int, tmp_path: Path) -> None:
    hanging = target("Hangs", tmp_path, seconds=0.3)
    wanted = cases(3 * CASES_AT_A_TIME)
    found = list(run(wanted, hanging, ABOUT, jobs=jobs, budget=Budget(seconds=0.5)))
    counts = outcomes(found)
    assert set(counts) <= {TIMED_OUT, SKIPPED}
    assert counts[TIMED_OUT] < CASES_AT_A_TIME
    assert counts.total() == len(wanted)
    assert {each.detail for each in found if each.outcome == SKIPPED} == {SPENT}


@pytest.mark.parametrize("about", [ABOUT, OWN_CHANCE], ids=["told", "own chance"])
def test_a_round_of_games_ends_in_time_and_says_what_it_left_out(
    about: Described, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Result] = []
    for module in (run_module, games_module):
        monkeypatch.setattr(module, "is_over", lambda _: len(played) >= 2)
    tester = AdapterTester(InProcess, Target(), about)
    tester._connection = InProcess() if about is ABOUT else OWN
    work = run_module._Work(games=GAMES_TO_A_ROUND, seed=7, until=0.0)
    (left,) = run_module._done(tester, work, played.append)
    assert len(played) == 2
    assert (left.id, left.outcome, left.detail) == ("games.7", SKIPPED, SPENT)
    assert left.title == f"generated games: {GAMES_TO_A_ROUND - 2}"


def test_what_was_left_when_a_run_was_stopped_is_skipped() -> None:
    wanted = cases(2)
    game = Result("games.5.0", "a generated game", PASS, ())
    found = Result("games.6.0", "a generated game", FAIL, ())
    results = [Result("case.0", "", PASS, ()), game, found]
    left = list(unplayed(wanted, 3 * GAMES_TO_A_ROUND, 5, results))
    assert [(each.id, each.title) for each in left] == [
        ("case.1", CASE.title),
        ("games.5", f"generated games: {GAMES_TO_A_ROUND - 1}"),
        ("games.7", f"generated games: {GAMES_TO_A_ROUND}"),
    ]
    assert {(each.outcome, each.detail) for each in left} == {(SKIPPED, STOPPED)}


def test_a_round_that_is_stopped_gives_what_it_has_found() -> None:
    """A divergence is not lost while it is made shorter."""
    played: list[None] = []

    class Stopped(Wrong):
        def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
            played.extend([None] * plays(calls))
            if len(played) == 3:
                raise KeyboardInterrupt
            return super().ask(calls, seconds)

    told: list[Result] = []
    tester = AdapterTester(Stopped, Target(), ABOUT)
    with pytest.raises(KeyboardInterrupt):
        tester.games(7, {}, 5, told.append)
    assert [each.outcome for each in told] == [FAIL]


def test_an_interrupt_that_python_drops_comes_again() -> None:
    def drop_it(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    tester = AdapterTester(InProcess, Target(), ABOUT)
    with stoppable():
        gc.callbacks.append(drop_it)
        try:
            gc.collect()  # what is raised in the callback is lost
        finally:
            gc.callbacks.remove(drop_it)
        with pytest.raises(KeyboardInterrupt):
            tester.case(CASE)
    assert tester.case(CASE).outcome == PASS


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_a_process_that_is_ended_in_a_generated_game_ends_at_once(tmp_path: Path) -> None:
    """Hypothesis takes what an exit raises for a finding, and tries to make it shorter."""
    workers = _Pool(target("Hangs", tmp_path, seconds=LONG), ABOUT, 1)
    worker = workers._workers[0]
    worker.give(run_module._Work(games=GAMES_TO_A_ROUND, seed=1))
    process = worker._process
    assert process is not None
    while not (tmp_path / "hangs").exists():
        time.sleep(0.05)
    process.terminate()
    process.join(LONG)
    assert process.exitcode == 0
    worker.wait_for_end(0.0)
