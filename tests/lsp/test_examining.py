"""A newer version of a document ends the examination of the older one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from pygls.workspace import PositionCodec

from scenarios.results import Problem
from tests.lsp.texts import FOR_ANY
from tests.samples import HOLDS
from truthsayer.lsp import examining
from truthsayer.lsp.checks import Checker
from truthsayer.lsp.documents import Document
from truthsayer.lsp.examining import Examination


class SlowChecker(Checker):
    """Takes its time over each text, and finds something in all of them."""

    def __init__(self, code: str) -> None:
        super().__init__(may_take_long=True)
        self.code = code
        self.asked: list[str] = []
        self.dropped: list[str] = []
        self.go_on = asyncio.Event()

    async def check(self, file: str, text: str) -> tuple[Problem, ...] | None:
        self.asked.append(text)
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.dropped.append(text)
            raise
        return (Problem(self.code, "fails", file, 1),)


class Told:
    """An examination without an editor, and the codes that it told."""

    def __init__(self, text: str) -> None:
        self.codes: list[list[str]] = []
        self.runner, self.prover = SlowChecker("TS0120"), SlowChecker("TS0123")
        document = Document("file:///a.scenario", text, 1, PositionCodec())
        self.examination = Examination(document, self.publish, self.runner, self.prover)

    def publish(self, _: Document, problems: list[Problem]) -> None:
        self.codes.append([problem.code for problem in problems])


def finish(doing: Coroutine[Any, Any, None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examining, "TYPING_PAUSE", 0)
    asyncio.run(doing)


async def turns() -> None:
    """Let everything else go on until it waits."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_what_an_older_version_would_have_found_is_never_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        told = Told(HOLDS)
        told.examination.begin()
        await turns()
        assert told.runner.asked == [HOLDS]
        told.examination.document.lines = ["scenario"]
        told.examination.begin()
        await turns()
        told.runner.go_on.set()
        await turns()
        assert told.runner.dropped == [HOLDS]
        assert told.codes == [[], ["TS0101"]]

    finish(run(), monkeypatch)


def test_nothing_is_told_of_a_document_that_was_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        told = Told(HOLDS)
        told.examination.begin()
        told.examination.end()
        await turns()
        assert told.codes == []

    finish(run(), monkeypatch)


def test_scenarios_run_after_a_pause_and_proofs_only_on_saving(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        told = Told(f"{HOLDS}\n{FOR_ANY}")
        told.runner.go_on.set()
        told.prover.go_on.set()
        told.examination.begin()
        await turns()
        assert told.codes == [[], ["TS0120"]]
        assert told.prover.asked == []
        told.examination.begin(saved=True)
        await turns()
        assert len(told.runner.asked) == 1, "what did not change is not run again"
        assert len(told.prover.asked) == 1
        assert told.codes[2:] == [["TS0120"], ["TS0120", "TS0123"]]

    finish(run(), monkeypatch)


def test_reading_a_long_file_lets_other_messages_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examining, "LONGEST_TURN", 0)

    async def run() -> None:
        told = Told("\n".join(f'scenario "{number}"\n' for number in range(30)))
        told.examination.begin()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert told.codes == [], "a message got its turn before all was read"
        await turns()
        await turns()
        assert len(told.codes[0]) == 30

    finish(run(), monkeypatch)
