"""When a document is read, run and proved: at once, after a pause in typing, and on saving.

Everything happens on the event loop in short turns or in other processes. A newer version of a
document ends the examination of the older one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from scenarios.results import Problem
from truthsayer.lsp.checks import Checker
from truthsayer.lsp.documents import Document
from truthsayer.lsp.findings import Findings
from truthsayer.lsp.parts import Part, parts

TYPING_PAUSE = 0.3
"""Seconds without a keystroke before scenarios are run."""

LONGEST_TURN = 0.02
"""Seconds of reading before other messages get their turn."""

Publish = Callable[[Document, list[Problem]], None]


class Examination:
    """Examines one open document again and again, as it changes."""

    def __init__(
        self, document: Document, publish: Publish, runner: Checker, prover: Checker
    ) -> None:
        self.document = document
        self._publish = publish
        self._runner = runner
        self._prover = prover
        self._findings = Findings(document.name)
        self._task: asyncio.Task[None] | None = None

    def begin(self, *, saved: bool = False) -> None:
        """Examine what the document says now; proofs are tried only when it was saved."""
        self.end()
        self._task = asyncio.create_task(self._examine(saved))

    def end(self) -> None:
        """Stop, whatever is going on."""
        if self._task is not None:
            self._task.cancel()

    async def _examine(self, saved: bool) -> None:
        found = parts(self.document.lines)
        await self._read(found)
        self._tell(found)
        await asyncio.sleep(0 if saved else TYPING_PAUSE)
        await self._run(found, self._runner, proofs=False)
        if saved:
            await self._run(found, self._prover, proofs=True)

    async def _read(self, found: list[Part]) -> None:
        begun = time.monotonic()
        for _ in self._findings.read(found):
            if time.monotonic() - begun > LONGEST_TURN:
                await asyncio.sleep(0)
                begun = time.monotonic()

    async def _run(self, found: list[Part], checker: Checker, *, proofs: bool) -> None:
        """Run what has not been run; what fails is told when all of it is known."""
        news = False
        for part in self._findings.to_run(found, proofs=proofs):
            text = self._findings.text_to_run(part)
            problems = await checker.check(self.document.name, text)
            if problems is not None:
                self._findings.ran(part, problems)
                news = news or bool(problems)
        if news:
            self._tell(found)

    def _tell(self, found: list[Part]) -> None:
        self._publish(self.document, self._findings.problems(found))
