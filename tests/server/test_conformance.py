"""Runs over the service: the caller is the adapter, and whatever it does, it is told how it did."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import grpc
import pytest

from conformance.adapters.loop import answered
from conformance.adapters.reference import Adapter
from conformance.corpus import corpus, library_files
from conformance.messages import AnyAnswer, AnyCall, Done, Failed
from conformance.protobuf import answers_message, calls_of
from conformance.report import Report
from conformance.results import CRASHED, FAIL, GOOD, PASS, SKIPPED, TIMED_OUT
from rules_engine.kernel.records import change
from scenarios.check import check_files
from server import run
from server.answers import conformance
from server.answers.limits import MOST_NAMES
from server.run import LARGEST_MESSAGE, SERVICES
from server.workers import Workers
from tests.server.running import server_in_thread
from tests.server.test_service import refused
from tests.server.test_stopping import eventually
from truthsayer.client import Client
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


class Failing(Adapter):
    """Our engine, but it fails at every input, and has a lot to say about it."""

    def answer(self, call: AnyCall) -> AnyAnswer:
        """Describe itself, and fail at all else."""
        words = "\N{SNOWMAN}" * 100_000
        return super().answer(call) if call.__struct_config__.tag == "describe" else Failed(words)


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
    serves(channel)


def test_a_run_of_everything_tells_that_it_is_being_prepared(channel: grpc.Channel) -> None:
    run = Run(channel, most_cases=1)
    first = next(run.call)
    assert first.preparing.scenarios > 0
    run.describes()
    run.answers(honest())
    (result,), _ = run.rest()
    assert result.outcome in GOOD
    # The second time the cases are there, and the first thing is a question.
    again = Run(channel, most_cases=1)
    assert next(again.call).HasField("calls")
    again.call.cancel()


def test_generated_games_are_played_too(channel: grpc.Channel) -> None:
    results, told, _ = played(channel, honest(), cases=[CASE], rounds_of_games=1, seed=7)
    assert [each.id for each in results[:2]] == [CASE, "games.7.0"]
    assert len(results) == 26
    assert {each.outcome for each in results} <= set(GOOD)
    assert told.conforms


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


def test_a_long_report_comes_in_parts(channel: grpc.Channel) -> None:
    results, told, report = played(channel, by(Failing()), rules=["UPR-AGENT-005"])
    assert {each.outcome for each in results} == {FAIL}
    assert len(report.results) == len(results) > 20
    assert told.parts_left == 0
    longest = max(each.ByteSize() for each in results)
    assert longest < 20 * conformance.LONGEST_SAID


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


def test_a_message_that_is_too_large_ends_the_call(channel: grpc.Channel) -> None:
    run = Run(channel, cases=[CASE])
    run.describes()
    big = Failed("x" * LARGEST_MESSAGE)
    run.answers(lambda calls: answers_message(change(answered(Adapter(), calls_of(calls)), answers=(big,))) if not calls.calls else adapter_pb2.PlayResponse(id=calls.id, answers=[adapter_pb2.CallAnswer(failed=adapter_pb2.Failed(message=big.message))]))
    with pytest.raises(grpc.RpcError) as raised:
        list(run.call)
    assert raised.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    serves(channel)
