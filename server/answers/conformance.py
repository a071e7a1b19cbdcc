"""Answers about implementations: play cases on the caller, who is the adapter."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import msgspec

from conformance.corpus import corpus, library_files
from conformance.expectations import judged
from conformance.faults import CLOSED, GARBAGE, AdapterFault
from conformance.messages import AnyAnswer, AnyCall, Calls, Described
from conformance.protobuf import answers_of, calls_message
from conformance.report import Report
from conformance.results import Divergence, Result
from conformance.rulings import profile
from conformance.run import Tester
from conformance.selection import selected
from conformance.target import Target, greeted
from rules_engine.kernel.errors import TruthsayerError
from scenarios.coverage import rules_to_cover
from server.answers.messages import rule_refs
from truthsayer.reports.conform_json import conform_json
from truthsayer.v1 import conformance_pb2
from truthsayer.version import installed_version

MOST_ROUNDS = 40
PRODUCT = "uprising"

Send = Callable[[conformance_pb2.ConformResponse], None]
Receive = Callable[[], bytes]
"""Gives the next request of the caller; nothing if none came in time."""


def conform(request: conformance_pb2.ConformRequest, send: Send, receive: Receive) -> None:
    """Play the cases that are asked for on the caller, and send results and the report."""
    if request.WhichOneof("request") != "start":
        raise TruthsayerError(
            "TS0811", "a run has to be started first", help="send `start` as the first request"
        )
    start = request.start
    if not 0 <= start.rounds_of_games <= MOST_ROUNDS or start.most_cases < 0:
        raise TruthsayerError(
            "TS0812",
            "there is no such number of cases or games",
            help=f"ask for at most {MOST_ROUNDS} rounds of games",
        )
    found = corpus(library_files())
    cases = selected(found.cases, start.rules, start.tags, start.cases)
    caller = _Caller(send, receive)
    said = _greeted(caller)
    tester = Tester(caller.only_once, Target(), said)
    results: list[Result] = []
    for case in islice(cases, start.most_cases or None):
        results.append(tester.case(case))
        send(conformance_pb2.ConformResponse(result=_result(results[-1])))
    for number in range(start.rounds_of_games):
        for result in tester.games(start.seed + number, {}):
            results.append(result)
            send(conformance_pb2.ConformResponse(result=_result(result)))
    report = Report(
        adapter=said,
        engine=installed_version() or "",
        product=PRODUCT,
        rules=tuple(rule.id for rule in rules_to_cover(PRODUCT)),
        results=tuple(results),
        followed=profile(results),
        left_out=found.left_out,
    )
    verdict = judged(report)
    told = conformance_pb2.ConformReport(
        json=conform_json(report), conforms=verdict.ok, why=verdict.why
    )
    send(conformance_pb2.ConformResponse(report=told))


def _greeted(caller: _Caller) -> Described:
    try:
        return greeted(caller, Target())
    except AdapterFault as fault:
        raise TruthsayerError(
            "TS0813",
            f"the caller does not say what it is: {fault.message}",
            help="answer the first batch of calls, `describe`",
        ) from fault


class _Caller:
    """The stream of the caller as a connection. Whoever fails on it cannot be started anew."""

    def __init__(self, send: Send, receive: Receive) -> None:
        self._send = send
        self._receive = receive
        self._count = 0
        self._opened = False

    def only_once(self) -> _Caller:
        """This connection, the first time that it is asked for."""
        if self._opened:
            raise AdapterFault(CLOSED, "the caller failed before, and is not asked again")
        self._opened = True
        return self

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Send a batch, and wait for what the caller answers."""
        del seconds
        self._count += 1
        batch = calls_message(Calls(self._count, tuple(calls)))
        self._send(conformance_pb2.ConformResponse(calls=batch))
        came = self._receive()
        if not came:
            raise AdapterFault(CLOSED, "no answer came")
        request = conformance_pb2.ConformRequest.FromString(came)
        try:
            found = answers_of(request.answers)
        except (msgspec.DecodeError, RecursionError) as error:
            raise AdapterFault(GARBAGE, f"it sent no answers: {error}") from error
        if found.id != self._count or len(found.answers) != len(calls):
            raise AdapterFault(GARBAGE, "it answered another batch than it was asked")
        return list(found.answers)

    def close(self) -> None:
        """Nothing is left to do: the stream ends with the run."""


def _result(result: Result) -> conformance_pb2.CaseResult:
    found = conformance_pb2.CaseResult(
        id=result.id,
        title=result.title,
        outcome=result.outcome,
        rules=rule_refs(result.rules),
        detail=result.detail,
    )
    if result.divergence is not None:
        found.divergence.CopyFrom(_divergence(result.divergence))
    return found


def _divergence(found: Divergence) -> conformance_pb2.Divergence:
    return conformance_pb2.Divergence(
        kind=found.kind,
        move=found.move,
        input=_text(found.given),
        path=found.path,
        expected=_text(found.expected),
        got=_text(found.got),
        rules=rule_refs(found.rules),
        scenario=found.scenario,
        ruling=found.ruling,
    )


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
