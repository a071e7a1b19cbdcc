"""The kit behind `truthsayer_adapter`: it lists cases, and plays one on the tests that ask for it.

The pytest plugin starts it and talks to it in lines of JSON, the adapter runs in the tests. A
request is answered by the list of cases, or by batches of calls to be answered and then a result.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import IO

import click
import msgspec

from conformance.cases import Case
from conformance.corpus import corpus
from conformance.faults import CLOSED, GARBAGE, AdapterFault, matched
from conformance.framing import UNREADABLE
from conformance.messages import Answers, AnyAnswer, AnyCall, Calls
from conformance.results import BAD, GOOD, Result
from conformance.run import Tester
from conformance.selection import selected
from conformance.target import Target, greeted
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record
from scenarios.finding import library_files
from truthsayer.cli.files import read_source, scenario_files
from truthsayer.reports.conform import explained, name
from truthsayer.reports.conform_text import failure_text

PASSED, FAILED, NOT_TESTED = "passed", "failed", "not tested"


class Selection(Record):
    """Which cases are meant: of these files, or of Truthsayer's own."""

    paths: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()


class Request(Record):
    """A case to play, or none: then those there are are listed."""

    selection: Selection
    case: str = ""


class Reply(Record, omit_defaults=True):
    """Cases, or calls to answer, or how a case ended with what there is to say, or an error."""

    cases: tuple[str, ...] | None = None
    calls: Calls | None = None
    verdict: str = ""
    text: str = ""
    error: str = ""


class FromTests(Record):
    """The answers to a batch, or nothing: the adapter raised an error, and the case is over."""

    answers: Answers | None = None


@click.command(name="in-tests", hidden=True)
def in_tests() -> None:
    """Serve the fixture `truthsayer_adapter` of the pytest plugin over its two pipes."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    with redirect_stdout(sys.stderr):
        Serving(source, sink).serve()


class Serving:
    """Answers requests until there are no more."""

    def __init__(self, source: IO[bytes], sink: IO[bytes]) -> None:
        self._tests = _Tests(source, sink)
        self._source = source
        self._known: dict[Selection, dict[str, Case]] = {}

    def serve(self) -> None:
        """Take one line after the other."""
        for line in self._source:
            try:
                reply = self._reply(msgspec.json.decode(line, type=Request))
            except TruthsayerError as error:
                reply = Reply(error=str(error))
            self._tests.say(reply)

    def _reply(self, request: Request) -> Reply:
        cases = self._cases(request.selection)
        if not request.case:
            return Reply(cases=tuple(cases))
        return told(self._tests.play(cases[request.case]))

    def _cases(self, wanted: Selection) -> dict[str, Case]:
        if wanted not in self._known:
            files = _files(wanted.paths)
            found = corpus(files, rules=wanted.rules, ids=wanted.cases)
            chosen = selected(found.cases, wanted.rules, wanted.tags, wanted.cases)
            self._known[wanted] = {case.id: case for case in chosen}
        return self._known[wanted]


def _files(paths: Sequence[str]) -> list[tuple[str, str]]:
    if not paths:
        return library_files()
    sources = map(read_source, scenario_files(map(Path, paths)))
    return [(source.name, source.text) for source in sources]


def told(result: Result) -> Reply:
    """How a case ended, for a test."""
    if explained(result):
        follows = f"it follows {explained(result)}: declare that in `rulings`"
        return Reply(verdict=NOT_TESTED, text=follows)
    if result.outcome in GOOD:
        return Reply(verdict=PASSED)
    if result.outcome in BAD:
        return Reply(verdict=FAILED, text=failure_text(result))
    detail = f": {name(result.detail)}" if result.detail else ""
    return Reply(verdict=NOT_TESTED, text=f"{result.outcome}{detail}")


class _Tests:
    """The tests on the other side, as the connection to their adapter."""

    def __init__(self, source: IO[bytes], sink: IO[bytes]) -> None:
        self._source = source
        self._sink = sink
        self._count = 0
        self._over = False

    def say(self, reply: Reply) -> None:
        """Send a line."""
        self._sink.write(msgspec.json.encode(reply) + b"\n")
        self._sink.flush()

    def play(self, case: Case) -> Result:
        """Play a case, for which the adapter describes itself anew."""
        self._over = False
        try:
            said = greeted(self, Target())
        except AdapterFault as fault:
            return Result(case.id, case.title, fault.outcome, case.rules, fault.message)
        return Tester(lambda: self, Target(), said).case(case)

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Have the tests answer a batch; they take as long as they take."""
        del seconds
        if self._over:
            raise AdapterFault(CLOSED, "the adapter raised an error")
        self._count += 1
        batch = Calls(self._count, tuple(calls))
        self.say(Reply(calls=batch))
        found = self._answers(self._source.readline())
        if found is None:
            self._over = True
            raise AdapterFault(CLOSED, "the adapter raised an error")
        return matched(batch, found)

    def _answers(self, line: bytes) -> Answers | None:
        try:
            return msgspec.json.decode(line, type=FromTests).answers
        except UNREADABLE as error:
            raise AdapterFault(GARBAGE, f"its answers are none: {error}") from error

    def close(self) -> None:
        """The tests go on."""
