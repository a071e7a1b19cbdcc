"""Runs over the service: the caller is the adapter, and whatever it does, it is told how it did."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import grpc
import pytest

from conformance.adapters.loop import answered
from conformance.adapters.reference import Adapter
from conformance.messages import AnyAnswer, AnyCall, Done
from conformance.protobuf import answers_message, calls_of
from conformance.report import Report
from conformance.results import CRASHED, FAIL, GOOD, PASS, SKIPPED, TIMED_OUT
from rules_engine.kernel.records import change
from scenarios.check import check_files
from scenarios.finding import library_files
from server.answers import conformance
from server.answers.limits import MOST_NAMES
from server.run import SERVICES
from server.settings import Limits
from server.workers import Workers
from tests.server.running import server_in_thread
from tests.server.test_service import refused
from tests.server.test_stopping import eventually, gone
from truthsayer.client import AsyncClient, Client
from truthsayer.errors import ServiceError
from truthsayer.reports.conform_json import read_report
from truthsayer.v1 import adapter_pb2, conformance_pb2, conformance_pb2_grpc

RULE = "UPR-ACQ-004"
CASE = "acquire.an_acquired_card_goes_to_the_discard_pile_and_is_not_used_this_turn"

Request = conformance_pb2.ConformRequest
Answer = Callable[[adapter_pb2.PlayRequest], adapter_pb2.PlayResponse | None]


def honest() -> Answer:
    """A caller that is our own engine."""
    adapter = Adapter()
    return lambda calls: answers_message(answered(adapter, calls_of(calls)))


class Liar(Adapter):
    """Our engine, but the first player always has one spice more."""

    def answer(self, call: AnyCall) -> AnyAnswer:
        """Do what a call asks for, and lie about what came of it."""
        answer = super().answer(call)
        if isinstance(answer, Done) and answer.observation is not None:
            first, *others = answer.observation["players"]
            players = [{**first, "spice": first["spice"] + 1}, *others]
            return change(answer, observation={**answer.observation, "players": players})
        return answer


def by(adapter: Adapter) -> Answer:
    """A caller that is another adapter."""
    return lambda calls: answers_message(answered(adapter, calls_of(calls)))


class Run:
    """A run, in which the caller says what the test wants; without more, it starts."""

    def __init__(self, channel: grpc.Channel, first: Request | None = None, **start: Any) -> None:
        self.said: SimpleQueue[Request | None] = SimpleQueue()
        started = Request(start=conformance_pb2.ConformStart(**start))
        self.said.put(started if first is None else first)
        stub = conformance_pb2_grpc.ConformanceServiceStub(channel)
        self.call: Any = stub.Conform(iter(self.said.get, None), timeout=60)

    def asked(self) -> adapter_pb2.PlayRequest:
        """The next batch of calls."""
        for response in self.call:
            if response.HasField("calls"):
                found: adapter_pb2.PlayRequest = response.calls
                return found
        raise AssertionError("it asks nothing more")

    def describes(self) -> None:
        """Answer both batches that ask what the caller is."""
        for _ in range(2):
            self.answers(honest())

    def answers(self, answer: Answer) -> None:
        """Answer the next batch; a caller without an answer says nothing."""
        found = answer(self.asked())
        if found is not None:
            self.said.put(Request(answers=found))

    def plays(self, answer: Answer) -> None:
        """Answer the batches of a whole case."""
        is_over = False
        while not is_over:
            calls = self.asked()
            is_over = calls.calls[-1].HasField("finish")
            self.said.put(Request(answers=answer(calls)))

    def rest(self) -> tuple[list[conformance_pb2.CaseResult], conformance_pb2.ConformReport]:
        """The results that are left, and the report, when nothing more is asked."""
        found = list(self.call)
        self.said.put(None)
        *results, report = found
        assert {each.WhichOneof("response") for each in results} <= {"result", "preparing"}
        return [each.result for each in results if each.HasField("result")], report.report


def played(
    channel: grpc.Channel, answer: Answer, **start: Any
) -> tuple[list[conformance_pb2.CaseResult], conformance_pb2.ConformReport, Report]:
    """A whole run: the results, the end of the report and all of it."""
    run = Run(channel, **start)
    results: list[conformance_pb2.CaseResult] = []
    parts: list[conformance_pb2.ConformReport] = []
    for response in run.call:
        match response.WhichOneof("response"):
            case "calls":
                run.said.put(Request(answers=answer(response.calls)))
            case "result":
                assert not parts
                results.append(response.result)
            case "report":
                parts.append(response.report)
    run.said.put(None)
    assert [each.parts_left for each in parts] == list(reversed(range(len(parts))))
    report = read_report("".join(each.json for each in parts).encode(), "report.json")
    assert [(each.id, each.outcome) for each in results] == [
        (each.id, each.outcome) for each in report.results
    ]
    return results, parts[-1], report


def serves(channel: grpc.Channel) -> None:
    """Assert that runs go on as if nothing had been."""
    results, report, _ = played(channel, honest(), cases=[CASE])
    assert [(each.id, each.outcome) for each in results] == [(CASE, PASS)]
    assert report.conforms


# What is played


def test_the_service_is_one_of_those_that_are_told() -> None:
    assert "truthsayer.v1.ConformanceService" in SERVICES


def test_a_run_of_some_cases_ends_with_a_report(channel: grpc.Channel) -> None:
    results, told, report = played(channel, honest(), rules=[RULE], most_cases=5)
    assert len(results) == 5
    assert all(RULE in [rule.id for rule in each.rules] for each in results)
    assert all(rule.source for each in results for rule in each.rules)
    assert {each.outcome for each in results} <= set(GOOD)
    assert (told.conforms, told.parts_left) == (True, 0)
    assert report.adapter.name == "truthsayer"
    assert RULE in report.reached


def test_a_selected_case_is_played_alone(channel: grpc.Channel) -> None:
    (result,), told, _ = played(channel, honest(), cases=[CASE])
    assert (result.id, result.outcome, told.conforms) == (CASE, PASS, True)


def test_generated_games_are_played_too(channel: grpc.Channel) -> None:
    results, told, _ = played(channel, honest(), cases=[CASE], rounds_of_games=1, seed=7)
    assert [each.id for each in results[:2]] == [CASE, "games.7.0"]
    assert len(results) == 26
    assert {each.outcome for each in results} <= set(GOOD)
    assert told.conforms


def test_a_long_game_is_asked_for_in_several_batches(channel: grpc.Channel) -> None:
    answer = honest()
    sizes: list[tuple[int, int]] = []

    def recorded(calls: adapter_pb2.PlayRequest) -> adapter_pb2.PlayResponse:
        answers = answer(calls)
        assert answers is not None
        sizes.append((len(calls.calls), answers.ByteSize()))
        return answers

    _, told, _ = played(channel, recorded, cases=[CASE], rounds_of_games=2, seed=7)
    assert told.conforms
    counts, lengths = zip(*sizes, strict=True)
    assert max(counts) == conformance.CALLS_AT_A_TIME
    assert sum(lengths) / sum(counts) * conformance.CALLS_AT_A_TIME < Limits().message_bytes / 4


def test_a_liar_is_told_the_rule_and_a_scenario(channel: grpc.Channel) -> None:
    (result,), told, report = played(channel, by(Liar()), cases=[CASE])
    found = result.divergence
    assert result.outcome == FAIL
    assert (found.kind, found.path) == ("field", "players.0.spice")
    assert int(found.got) == int(found.expected) + 1
    assert found.rules
    assert all(rule.source for rule in found.rules)
    # The scenario is one that holds for the engine.
    (checked,) = check_files([("shown.scenario", found.scenario)])
    assert checked.good
    assert not told.conforms
    assert told.why
    assert report.results[0].divergence is not None
    assert report.results[0].divergence.scenario == found.scenario


# Bad input


def test_a_run_that_is_not_started_is_refused(channel: grpc.Channel) -> None:
    for first in (Request(), Request(answers=adapter_pb2.PlayResponse(id=1))):
        code, problem = refused(lambda: Run(channel, first).call)  # noqa: B023
        assert (code, problem.code) == (grpc.StatusCode.INVALID_ARGUMENT, "TS0811")
    stub = conformance_pb2_grpc.ConformanceServiceStub(channel)
    code, problem = refused(lambda: stub.Conform(iter(())))
    assert (code, problem.code) == (grpc.StatusCode.INVALID_ARGUMENT, "TS0811")
    serves(channel)


@pytest.mark.parametrize(
    "start",
    [
        {"rounds_of_games": 1_000_000},
        {"rounds_of_games": -1},
        {"most_cases": -1},
    ],
)
def test_numbers_that_cannot_be_are_refused(channel: grpc.Channel, start: Any) -> None:
    code, problem = refused(lambda: Run(channel, **start).call)
    assert (code, problem.code) == (grpc.StatusCode.INVALID_ARGUMENT, "TS0812")
    assert "40" in problem.help


@pytest.mark.parametrize(
    ("start", "code"),
    [
        ({"rules": ["UPR-ACQ-0004"]}, "TS0902"),
        ({"cases": ["acquire.nothing"]}, "TS0905"),
        ({"rules": [RULE], "tags": ["nonsense"]}, "TS0903"),
    ],
)
def test_what_there_is_not_is_not_found(channel: grpc.Channel, start: Any, code: str) -> None:
    status, problem = refused(lambda: Run(channel, **start).call)
    assert (status, problem.code) == (grpc.StatusCode.NOT_FOUND, code)
    assert problem.help


def test_too_many_names_are_refused(channel: grpc.Channel) -> None:
    code, problem = refused(lambda: Run(channel, rules=[RULE] * (MOST_NAMES + 1)).call)
    assert (code, problem.code) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TS0802")


def test_a_malformed_message_is_an_invalid_argument(channel: grpc.Channel) -> None:
    make: Any = channel.stream_stream("/truthsayer.v1.ConformanceService/Conform")
    start = Request(start=conformance_pb2.ConformStart(cases=[CASE])).SerializeToString()
    for said in ([b"\xff\xff\xff"], [start, b"\xff\xff\xff"]):
        code, problem = refused(lambda: make(iter(said), timeout=60))  # noqa: B023
        assert (code, problem.code) == (grpc.StatusCode.INVALID_ARGUMENT, "TS0801")
    serves(channel)


def failing_with(words: str) -> Answer:
    """A caller that fails at the first call of a batch and leaves the others unanswered."""
    failed = adapter_pb2.CallAnswer(failed=adapter_pb2.Failed(message=words))
    return lambda calls: adapter_pb2.PlayResponse(id=calls.id, answers=[failed])


def test_a_message_that_is_too_large_ends_the_call(channel: grpc.Channel) -> None:
    run = Run(channel, cases=[CASE])
    run.describes()
    run.answers(failing_with("x" * Limits().message_bytes))
    with pytest.raises(grpc.RpcError) as raised:
        list(run.call)
    assert raised.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    serves(channel)


def not_json(calls: adapter_pb2.PlayRequest) -> adapter_pb2.PlayResponse:
    """An answer in which a position is no JSON."""
    done = adapter_pb2.CallAnswer(done=adapter_pb2.Done(observation="{"))
    return adapter_pb2.PlayResponse(id=calls.id, answers=[done] * len(calls.calls))


def empty_ones(calls: adapter_pb2.PlayRequest) -> adapter_pb2.PlayResponse:
    """Answers that say nothing."""
    empty = [adapter_pb2.CallAnswer()] * len(calls.calls)
    return adapter_pb2.PlayResponse(id=calls.id, answers=empty)


def to_another_batch(calls: adapter_pb2.PlayRequest) -> adapter_pb2.PlayResponse:
    """Good answers with the id of the batch before."""
    found = answers_message(answered(Adapter(), calls_of(calls)))
    found.id -= 1
    return found


WRONG: dict[str, tuple[Answer, str]] = {
    "no JSON": (not_json, "an answer that is none"),
    "empty answers": (empty_ones, "an answer that says nothing"),
    "too few answers": (failing_with("no"), "it gave 1 answers to"),
    "another batch": (to_another_batch, "it answered batch 2 where batch 3 was asked"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_answers_end_in_a_report_that_says_so(channel: grpc.Channel, name: str) -> None:
    answer, words = WRONG[name]
    run = Run(channel, rules=[RULE], most_cases=3, rounds_of_games=2, seed=5)
    run.describes()
    run.answers(answer)
    results, told = run.rest()
    expected = [CRASHED, SKIPPED, SKIPPED, SKIPPED, SKIPPED]
    assert [each.outcome for each in results] == expected
    assert all(words in each.detail for each in results)
    assert [each.id for each in results[3:]] == ["games.5", "games.6"]
    assert (told.conforms, told.parts_left) == (False, 0)
    report = read_report(told.json.encode(), "report.json")
    assert [each.outcome for each in report.results] == expected
    serves(channel)


def test_a_run_that_is_started_twice_is_not_played_on(channel: grpc.Channel) -> None:
    run = Run(channel, rules=[RULE], most_cases=2)
    run.describes()
    run.asked()
    run.said.put(Request(start=conformance_pb2.ConformStart()))
    results, told = run.rest()
    assert [each.outcome for each in results] == [CRASHED, SKIPPED]
    assert "something else than answers" in results[0].detail
    assert not told.conforms


def test_a_caller_that_does_not_describe_itself_is_refused(channel: grpc.Channel) -> None:
    for answer in (empty_ones, failing_with("no")):
        run = Run(channel, cases=[CASE])
        run.answers(answer)
        code, problem = refused(lambda: run.call)  # noqa: B023
        assert (code, problem.code) == (grpc.StatusCode.INVALID_ARGUMENT, "TS0813")
        run.said.put(None)
    serves(channel)


def test_a_caller_that_closes_its_stream_gets_the_report(channel: grpc.Channel) -> None:
    run = Run(channel, rules=[RULE], most_cases=3)
    run.describes()
    run.plays(honest())
    run.asked()
    run.said.put(None)
    results, told = run.rest()
    assert [each.outcome for each in results] == [CRASHED, SKIPPED]
    assert "closed its stream" in results[0].detail
    found = read_report(told.json.encode(), "report.json")
    assert [each.outcome in GOOD for each in found.results] == [True, False, False]
    serves(channel)


def test_a_caller_that_fails_in_a_game_gets_the_report(channel: grpc.Channel) -> None:
    run = Run(channel, cases=[CASE], rounds_of_games=2)
    run.describes()
    answer = honest()
    for _ in range(3):  # the case, and two games
        run.plays(answer)
    run.asked()
    run.said.put(None)
    results, _ = run.rest()
    games = [(each.id, each.outcome) for each in results]
    assert [name for name, _ in games[:2]] == ["games.0.0", "games.0.1"]
    assert games[2:] == [("games.0", CRASHED), ("games.1", SKIPPED)]
    serves(channel)


# Servers of their own


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[grpc.Channel]:
    """A server that waits a second for its callers."""
    monkeypatch.setattr("server.run.Workers", partial(Workers, longest_answer=1.0))
    with server_in_thread() as address, grpc.insecure_channel(address) as connected:
        yield connected


def test_a_caller_that_never_answers_gets_the_report(impatient: grpc.Channel) -> None:
    run = Run(impatient, rules=[RULE], most_cases=2)
    run.describes()
    run.asked()
    results, told = run.rest()
    assert [each.outcome for each in results] == [TIMED_OUT, SKIPPED]
    assert "in time" in results[0].detail
    assert not told.conforms
    serves(impatient)


def test_a_caller_that_never_says_anything_is_refused(impatient: grpc.Channel) -> None:
    silent: SimpleQueue[Request | None] = SimpleQueue()
    stub = conformance_pb2_grpc.ConformanceServiceStub(impatient)
    code, problem = refused(lambda: stub.Conform(iter(silent.get, None), timeout=60))
    assert (code, problem.code) == (grpc.StatusCode.INVALID_ARGUMENT, "TS0811")
    silent.put(None)
    run = Run(impatient, cases=[CASE])
    run.asked()
    code, problem = refused(lambda: run.call)
    assert (code, problem.code) == (grpc.StatusCode.INVALID_ARGUMENT, "TS0813")
    run.said.put(None)
    serves(impatient)


def processes() -> set[int | None]:
    """The worker processes of all servers in this process."""
    return {each.pid for each in multiprocessing.active_children()}


@pytest.fixture
def others() -> set[int | None]:
    """The worker processes of servers that were there before."""
    return processes()


@pytest.fixture
def fresh(
    others: set[int | None],  # noqa: ARG001  they are counted before this one starts
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Iterator[grpc.Channel]:
    """A server with one worker for tests, which has made no cases yet, and no other at first."""
    monkeypatch.setenv("TRUTHSAYER_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("server.run.Workers", partial(Workers, most=1, ready=0))
    with server_in_thread() as address, grpc.insecure_channel(address) as connected:
        yield connected


def test_a_run_that_is_given_up_frees_its_worker(
    fresh: grpc.Channel, others: set[int | None]
) -> None:
    for _ in range(3):  # more than there are workers
        run = Run(fresh, cases=[CASE])
        run.describes()
        run.asked()
        run.call.cancel()
        run.said.put(None)
    serves(fresh)
    # The worker of that run is the only one: no other is left waiting for an answer.
    assert eventually(lambda: len(processes() - others) == 1)


def test_a_deadline_ends_a_run(fresh: grpc.Channel, others: set[int | None]) -> None:
    said: SimpleQueue[Request | None] = SimpleQueue()
    said.put(Request(start=conformance_pb2.ConformStart(cases=[CASE])))
    stub = conformance_pb2_grpc.ConformanceServiceStub(fresh)
    with pytest.raises(grpc.RpcError) as raised:
        list(stub.Conform(iter(said.get, None), timeout=3))
    said.put(None)
    assert raised.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    serves(fresh)
    assert eventually(lambda: len(processes() - others) == 1)


def test_a_fresh_server_tells_that_it_prepares_cases(
    fresh: grpc.Channel, others: set[int | None]
) -> None:
    run = Run(fresh)
    assert next(run.call).preparing.scenarios > 0
    (worker,) = processes() - others
    assert worker is not None
    # Whoever gives up then leaves nobody at work on the rest.
    run.call.cancel()
    run.said.put(None)
    assert gone(worker)
    serves(fresh)


# Without a server


def sent(answer: Answer, **start: Any) -> list[conformance_pb2.ConformResponse]:
    """All that a run in this process sends."""
    found: list[conformance_pb2.ConformResponse] = []

    def receive() -> Request:
        return Request(answers=answer(found[-1].calls))

    request = Request(start=conformance_pb2.ConformStart(**start))
    conformance.conform(request, found.append, receive)
    return found


@pytest.fixture
def one_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A library of a single file, of which nothing is kept."""
    monkeypatch.setenv("TRUTHSAYER_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(conformance, "_whole_library", [])
    monkeypatch.setattr(conformance, "PREPARED_AT_A_TIME", 1)
    (file,) = (each for each in library_files() if each[0] == "uprising/acquire.scenario")
    monkeypatch.setattr(conformance, "library_files", lambda: [file])


@pytest.mark.usefixtures("one_file")
def test_cases_are_made_once(tmp_path: Path) -> None:
    found = sent(honest(), most_cases=1)
    told = [each.preparing.scenarios for each in found if each.HasField("preparing")]
    assert told == list(range(1, len(told) + 1)) != []
    for kept in (tmp_path / "cases").iterdir():
        kept.unlink()
    assert sent(honest(), most_cases=1)[0].HasField("calls")


@pytest.mark.usefixtures("one_file")
def test_a_long_report_comes_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "LONGEST_PART", 1000)
    parts = [each.report for each in sent(honest(), most_cases=3) if each.HasField("report")]
    assert len(parts) > 3
    assert [each.parts_left for each in parts] == list(reversed(range(len(parts))))
    assert {len(each.json) for each in parts[:-1]} == {1000}
    assert {each.conforms for each in parts} == {True}
    report = read_report("".join(each.json for each in parts).encode(), "report.json")
    assert len(report.results) == 3


def test_no_part_of_a_report_is_too_large_for_a_message() -> None:
    part = conformance_pb2.ConformReport(
        json="\N{SNAKE}" * conformance.LONGEST_PART, why="x" * 10_000
    )
    assert part.ByteSize() < Limits().message_bytes


@pytest.mark.usefixtures("one_file")
def test_what_a_caller_says_is_cut() -> None:
    words = "\N{SNAKE}" * 200_000
    failed = adapter_pb2.CallAnswer(failed=adapter_pb2.Failed(message=words))
    ours = honest()

    def answer(calls: adapter_pb2.PlayRequest) -> adapter_pb2.PlayResponse | None:
        if calls.calls[0].HasField("describe"):
            return ours(calls)
        return adapter_pb2.PlayResponse(id=calls.id, answers=[failed] * len(calls.calls))

    *_, result, report = sent(answer, most_cases=1)
    assert result.result.outcome == FAIL
    assert result.ByteSize() < 20 * conformance.LONGEST_SAID
    assert report.ByteSize() < Limits().message_bytes
    assert not report.report.conforms


# The client


def test_our_client_is_tested_by_a_function() -> None:
    adapter = Adapter()

    def answer(calls: adapter_pb2.PlayRequest) -> adapter_pb2.PlayResponse:
        return answers_message(answered(adapter, calls_of(calls)))

    with server_in_thread() as address, Client(address, timeout=60) as client:
        start = conformance_pb2.ConformStart(cases=[CASE])
        *_, result, report = client.conform(start, answer)
        assert (result.result.id, result.result.outcome) == (CASE, PASS)
        assert report.report.conforms
        with pytest.raises(ServiceError) as raised:
            list(client.conform(conformance_pb2.ConformStart(rules=["UPR-0"]), answer))
        assert raised.value.problem.code == "TS0902"


def test_our_async_client_is_tested_by_a_function() -> None:
    adapter = Adapter()

    async def answer(calls: adapter_pb2.PlayRequest) -> adapter_pb2.PlayResponse:
        return answers_message(answered(adapter, calls_of(calls)))

    async def be_tested(address: str) -> list[conformance_pb2.ConformResponse]:
        async with AsyncClient(address, timeout=60) as client:
            start = conformance_pb2.ConformStart(cases=[CASE])
            said = [each async for each in client.conform(start, answer)]
            unknown = conformance_pb2.ConformStart(rules=["UPR-0"])
            with pytest.raises(ServiceError) as raised:
                _ = [each async for each in client.conform(unknown, answer)]
            assert raised.value.problem.code == "TS0902"
        return said

    with server_in_thread() as address:
        *_, result, report = asyncio.run(be_tested(address))
    assert (result.result.id, result.result.outcome) == (CASE, PASS)
    assert report.report.conforms
