"""Answers about implementations: play cases on the caller, who is the adapter."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from conformance.cases import Case
from conformance.corpus import Corpus, corpus
from conformance.expectations import judged
from conformance.faults import GARBAGE, AdapterFault, matched
from conformance.framing import UNREADABLE
from conformance.games import rules_of
from conformance.messages import AnyAnswer, AnyCall, Calls, Described
from conformance.plain import plain_value, shallow
from conformance.protobuf import answers_of, calls_message
from conformance.report import Report
from conformance.results import SKIPPED, Divergence, Result
from conformance.rulings import profile
from conformance.run import Tester
from conformance.selection import selected
from conformance.target import Target, greeted
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import change
from scenarios.coverage import rules_to_cover
from scenarios.finding import library_files
from server.answers.limits import check_names
from server.answers.messages import rule_refs
from truthsayer.reports.conform_json import conform_json
from truthsayer.v1 import conformance_pb2
from truthsayer.version import installed_version

MOST_ROUNDS = 40
PRODUCT = "uprising"
PREPARED_AT_A_TIME = 50
"""Scenarios that are read before the caller is told so."""

LONGEST_SAID = 10_000
"""The characters that are kept of anything the caller says: a run has thousands of results."""

LONGEST_PART = 1_000_000
"""The characters of a part of the report, none of which has more than four bytes."""

MOST_CALLS = 100
"""The calls that are sent together. With a whole position as the answer to each, all answers are
still less than the largest message."""

Send = Callable[[conformance_pb2.ConformResponse], None]
Receive = Callable[[], conformance_pb2.ConformRequest]
"""Gives the next request of the caller; it is an `AdapterFault` that none comes."""


def conform(request: conformance_pb2.ConformRequest, send: Send, receive: Receive) -> None:
    """Play the cases that are asked for on the caller, and send results and the report."""
    start = _checked(request)
    found = _library(start, send)
    cases = selected(found.cases, start.rules, start.tags, start.cases)
    caller = _Caller(send, receive)
    said = _greeted(caller)
    results: list[Result] = []
    tester = Tester(lambda: caller, Target(), said)
    for result in _played(start, cases, tester, caller):
        results.append(_cut(result))
        send(conformance_pb2.ConformResponse(result=_result(results[-1])))
    report = Report(
        adapter=said,
        engine=installed_version() or "",
        product=PRODUCT,
        rules=tuple(rule.id for rule in rules_to_cover(PRODUCT)),
        results=tuple(results),
        followed=profile(results),
        left_out=found.left_out,
    )
    for part in _parts(report):
        send(conformance_pb2.ConformResponse(report=part))


# What is asked for


def _checked(request: conformance_pb2.ConformRequest) -> conformance_pb2.ConformStart:
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
    check_names([*start.rules, *start.tags, *start.cases])
    return start


_whole_library: list[Corpus] = []
"""The one of this process, once it was needed."""


def _library(start: conformance_pb2.ConformStart, send: Send) -> Corpus:
    """Our cases, at least those that are asked for; while they are made, the caller is told."""

    def tell(number: int) -> None:
        if number % PREPARED_AT_A_TIME == 0:
            preparing = conformance_pb2.Preparing(scenarios=number)
            send(conformance_pb2.ConformResponse(preparing=preparing))

    if not _whole_library:
        found = corpus(library_files(), tell, rules=start.rules, ids=start.cases)
        if start.rules or start.cases:
            return found
        _whole_library.append(found)
    return _whole_library[0]


# The run


def _greeted(caller: _Caller) -> Described:
    try:
        return greeted(caller, Target())
    except AdapterFault as fault:
        raise TruthsayerError(
            "TS0813",
            f"the caller does not say what it is: {fault.message}",
            help="answer the first batch of calls, `describe`",
        ) from fault


def _played(
    start: conformance_pb2.ConformStart,
    cases: Sequence[Case],
    tester: Tester,
    caller: _Caller,
) -> Iterator[Result]:
    """Cases, then games; with a caller that has failed nothing more is played."""
    seen: Counter[str] = Counter()
    for case in islice(cases, start.most_cases or None):
        if caller.fault:
            yield Result(case.id, case.title, SKIPPED, case.rules, caller.fault.message)
            continue
        result = tester.case(case)
        seen.update(rules_of([result]))
        yield result
    for seed in range(start.seed, start.seed + start.rounds_of_games):
        if caller.fault:
            yield Result(f"games.{seed}", "generated games", SKIPPED, (), caller.fault.message)
            continue
        games = tester.games(seed, seen)
        seen.update(rules_of(games))
        yield from games


class _Caller:
    """The stream of the caller as a connection. Whoever fails on it is not asked again."""

    def __init__(self, send: Send, receive: Receive) -> None:
        self._send = send
        self._receive = receive
        self._count = 0
        self.fault: AdapterFault | None = None

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Send calls, not too many at a time, and wait for what the caller answers."""
        del seconds
        return [
            answer
            for first in range(0, len(calls), MOST_CALLS)
            for answer in self._batch(calls[first : first + MOST_CALLS])
        ]

    def _batch(self, calls: Sequence[AnyCall]) -> list[AnyAnswer]:
        if self.fault:
            raise self.fault
        self._count += 1
        batch = Calls(self._count, tuple(calls))
        try:
            return self._asked(batch)
        except AdapterFault as fault:
            self.fault = fault
            raise

    def _asked(self, batch: Calls) -> list[AnyAnswer]:
        self._send(conformance_pb2.ConformResponse(calls=calls_message(batch)))
        request = self._receive()
        if request.WhichOneof("request") != "answers":
            raise AdapterFault(GARBAGE, "the caller sent something else than answers")
        try:
            found = answers_of(request.answers)
        except UNREADABLE as error:
            raise AdapterFault(GARBAGE, f"it sent an answer that is none: {error}") from error
        return matched(batch, found)

    def close(self) -> None:
        """Nothing is left to do: the stream ends with the run."""


# What comes of it


def _cut(result: Result) -> Result:
    """A result with what the caller says cut where it is too long."""
    found = result.divergence
    if found is not None:
        found = change(
            found,
            path=found.path[:LONGEST_SAID],
            expected=_cut_value(found.expected),
            got=_cut_value(found.got),
        )
    return change(result, detail=result.detail[:LONGEST_SAID], divergence=found)


def _cut_value(value: Any) -> Any:
    value = shallow(value)
    return value if len(_text(value)) <= LONGEST_SAID else plain_value(value, LONGEST_SAID)


def _parts(report: Report) -> Iterator[conformance_pb2.ConformReport]:
    verdict = judged(report)
    text = conform_json(report)
    starts = range(0, len(text), LONGEST_PART)
    for number, at in enumerate(starts, 1):
        yield conformance_pb2.ConformReport(
            json=text[at : at + LONGEST_PART],
            conforms=verdict.ok,
            why=verdict.why,
            parts_left=len(starts) - number,
        )


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
