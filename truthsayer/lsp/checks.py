"""Checks texts in a process of their own, so that no keystroke waits for a scenario or a proof."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import sys
from asyncio.subprocess import PIPE, Process

import msgspec

from scenarios.results import Problem

LONGEST_ANSWER = 2**26
"""In bytes: an answer is one line."""


class Checker:
    """A process that checks one text after the other; it is started when it is first needed.

    With `may_take_long`, a check that nobody waits for any more is stopped, with its process.
    Otherwise it is left to finish, and its answer is passed over.
    """

    def __init__(self, *, may_take_long: bool) -> None:
        self.may_take_long = may_take_long
        self._lock: asyncio.Lock | None = None
        self._process: Process | None = None
        self._watch: asyncio.Task[None] | None = None
        self._numbers = itertools.count(1)

    async def check(self, file: str, text: str) -> tuple[Problem, ...] | None:
        """What is wrong with a text; nothing is known if the process died over it."""
        self._lock = self._lock or asyncio.Lock()
        async with self._lock:
            process = await self._running()
            try:
                return await self._ask(process, file, text)
            except asyncio.CancelledError:
                if self.may_take_long and process.returncode is None:
                    process.kill()
                raise
            except OSError:
                return None

    async def _ask(self, process: Process, file: str, text: str) -> tuple[Problem, ...] | None:
        assert process.stdin is not None
        assert process.stdout is not None
        number = next(self._numbers)
        request = {"number": number, "file": file, "text": text}
        process.stdin.write(json.dumps(request).encode() + b"\n")
        await process.stdin.drain()
        while line := await process.stdout.readline():
            answer = json.loads(line)
            if answer["number"] == number:
                return msgspec.convert(answer["problems"], tuple[Problem, ...])
        return None

    async def _running(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-m",
                "truthsayer.lsp.checker",
                stdin=PIPE,
                stdout=PIPE,
                limit=LONGEST_ANSWER,
                # It finds the packages that we found, whatever folder the editor works in.
                env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
            )
            self._watch = asyncio.create_task(_until_ended(self._process))
        return self._process


async def _until_ended(process: Process) -> None:
    """Wait for the end of a process; when the server ends first, the process ends with it."""
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
