"""An adapter that is a program: started by the kit, which talks to it over pipes and ends it.

The program has a limit for each answer in time and in size. All that it started ends with it.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from conformance.faults import CLOSED, GARBAGE, NOT_STARTED, SLOW, TOO_LONG, AdapterFault
from conformance.framing import Framing, Garbage
from conformance.messages import Answers, AnyAnswer, AnyCall, Calls

MARK = "TRUTHSAYER_ADAPTER"
"""The variable by which whatever an adapter started is found again."""

CHUNK = 1 << 20
SAID_LAST = 2_000
"""Letters of the program's error output that a message shows."""


class Pipe:
    """A running program, with the messages in one framing."""

    def __init__(
        self, command: Sequence[str], framing: Framing, *, seconds: float, most_bytes: int
    ) -> None:
        self._framing = framing
        self._seconds = seconds
        self._most_bytes = most_bytes
        self._count = 0
        self._buffer = bytearray()
        self._mark = uuid.uuid4().hex
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  it lives with us
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env={**os.environ, MARK: self._mark},
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            self._errors.close()
            raise AdapterFault(
                NOT_STARTED, f"`{shlex.join(command)}` cannot be started: {error.strerror}"
            ) from error
        for stream in (self._stdin, self._stdout):
            os.set_blocking(stream.fileno(), False)

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def _stdout(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Send a batch and wait for its answers."""
        self._count += 1
        said = self._framing.encode(Calls(self._count, tuple(calls)))
        deadline = time.monotonic() + (self._seconds if seconds is None else seconds)
        try:
            found = self._exchange(memoryview(said), deadline)
        except Garbage as garbage:
            raise AdapterFault(GARBAGE, f"it sent {garbage}{self._last_words()}") from garbage
        if found.id != self._count:
            raise AdapterFault(
                GARBAGE, f"it answered batch {found.id} where batch {self._count} was asked"
            )
        if len(found.answers) != len(calls):
            raise AdapterFault(
                GARBAGE, f"it gave {len(found.answers)} answers to {len(calls)} calls"
            )
        return list(found.answers)

    def _exchange(self, left: memoryview, deadline: float) -> Answers:
        """Write and read side by side: neither end may wait for the other for ever."""
        with selectors.DefaultSelector() as ready:
            ready.register(self._stdout, selectors.EVENT_READ)
            if left:
                ready.register(self._stdin, selectors.EVENT_WRITE)
            while True:
                found = self._framing.take(self._buffer)
                if found is not None:
                    return found
                wait = deadline - time.monotonic()
                events = ready.select(wait) if wait > 0 else []
                if not events:
                    raise AdapterFault(SLOW, f"no answer in time{self._last_words()}")
                for key, _ in events:
                    if key.fileobj is self._stdout:
                        self._read()
                    else:
                        left = self._write(left)
                        if not left:
                            ready.unregister(self._stdin)

    def _write(self, left: memoryview) -> memoryview:
        try:
            return left[os.write(self._stdin.fileno(), left[:CHUNK]) :]
        except BlockingIOError:
            return left
        except BrokenPipeError as error:
            raise self._ended() from error

    def _read(self) -> None:
        came = os.read(self._stdout.fileno(), CHUNK)
        if not came:
            raise self._ended()
        self._buffer += came
        if len(self._buffer) > self._most_bytes:
            raise AdapterFault(
                TOO_LONG, f"an answer of more than {self._most_bytes} bytes{self._last_words()}"
            )

    def _ended(self) -> AdapterFault:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)
        code = self._process.poll()
        how = "it closed its output" if code is None else f"it ended with exit code {code}"
        if code is not None and code < 0:
            how = f"it was ended by signal {-code}"
        return AdapterFault(CLOSED, how + self._last_words())

    def _last_words(self) -> str:
        """The end of what the program wrote to its error output."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - SAID_LAST))
        said = self._errors.read().decode("utf-8", "backslashreplace").strip()
        return f"; its last words: {said}" if said else ""

    def close(self) -> None:
        """End the program and all that it started."""
        for stream in (self._stdin, self._stdout):
            with contextlib.suppress(OSError):
                stream.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=0.2)
        for process in (*_marked(self._mark), *self._group()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        self._process.wait()
        self._errors.close()

    def _group(self) -> list[int]:
        return [-self._process.pid, self._process.pid] if self._process.poll() is None else []


def _marked(mark: str) -> list[int]:
    """The processes that have inherited the mark, however they were started."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found
