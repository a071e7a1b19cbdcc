"""An adapter that is a program: started by the kit, which talks to it over pipes and ends it.

The program has a limit for each answer in time and in size. All that it started ends with it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import selectors
import shlex
import signal
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from conformance.faults import (
    CLOSED,
    GARBAGE,
    NOT_STARTED,
    SLOW,
    TOO_LONG,
    AdapterFault,
    matched,
)
from conformance.framing import Framing, Garbage, shown
from conformance.messages import Answers, AnyAnswer, AnyCall, Calls

MARK = "TRUTHSAYER_ADAPTER"
"""The variable by which whatever an adapter started is found again."""

CHUNK = 1 << 20
LAST_WORDS = 2_000
"""Bytes of the program's error output that are kept, and shown in a message."""

LOOKING_SECONDS = 0.5
"""How often a silent program is looked after: one that ended may have left its output to others."""

ENDING_SECONDS = 1.0
"""How long a program may take to end after it has closed its output."""

LEAVING_SECONDS = 0.2
"""How long it may take to end by itself once its input is closed."""

MOST_SEARCHES = 20
"""How often what it started is looked for: while some are ended, others may start more."""


class Pipe:
    """A running program, with the messages in one framing. After a fault it is ended.

    Whoever has to end it even if it was interrupted in the middle of a start gives it a mark.
    """

    def __init__(
        self,
        command: Sequence[str],
        framing: Framing,
        *,
        seconds: float,
        most_bytes: int,
        mark: str = "",
    ) -> None:
        self._framing = framing
        self._seconds = seconds
        self._most_bytes = most_bytes
        self._count = 0
        self._came = bytearray()
        self._errors = bytearray()
        self._closed = False
        self._gone = False
        self._mark = mark or new_mark()
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, MARK: self._mark},
                start_new_session=True,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise AdapterFault(
                NOT_STARTED, f"`{shlex.join(command)}` cannot be started: {why}"
            ) from error
        self._stdin = _ours(self._process.stdin)
        self._stdout = _ours(self._process.stdout)
        self._stderr = _ours(self._process.stderr)

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Send a batch and wait for its answers."""
        if self._closed:
            raise AdapterFault(CLOSED, "the kit has ended it")
        try:
            return self._asked(calls, self._seconds if seconds is None else seconds)
        except AdapterFault as fault:
            # An answer that comes too late must not be taken for that to a later batch.
            self._listen_to_errors()
            self.close()
            raise AdapterFault(fault.kind, fault.message + self._last_words()) from fault
        except BaseException:
            self.close()
            raise

    def _asked(self, calls: Sequence[AnyCall], seconds: float) -> list[AnyAnswer]:
        self._count += 1
        batch = Calls(self._count, tuple(calls))
        try:
            found = self._exchange(memoryview(self._framing.encode(batch)), seconds)
        except Garbage as garbage:
            raise AdapterFault(GARBAGE, f"it sent {garbage}") from garbage
        answers = matched(batch, found)
        if self._came:
            raise AdapterFault(
                GARBAGE, f"it went on after its answer: {shown(bytes(self._came[:CHUNK]))}"
            )
        return answers

    def _exchange(self, left: memoryview, seconds: float) -> Answers:
        """Write and read side by side: neither end may wait for the other for ever."""
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as ready:
            ready.register(self._stdout, selectors.EVENT_READ)
            ready.register(self._stdin, selectors.EVENT_WRITE)
            with contextlib.suppress(ValueError):  # it may have closed its error output
                ready.register(self._stderr, selectors.EVENT_READ)
            while True:
                wait = deadline - time.monotonic()
                if wait <= 0:
                    raise AdapterFault(SLOW, f"no answer within {seconds:g} s{self._so_far()}")
                events = ready.select(min(wait, LOOKING_SECONDS))
                if not events and self._end() is not None:
                    raise self._ended()
                for key, _ in events:
                    if key.fileobj is self._stdin:
                        left = self._write(left)
                        if not left:
                            ready.unregister(self._stdin)
                    elif key.fileobj is self._stderr:
                        if not self._listen_to_errors():
                            ready.unregister(self._stderr)
                            self._stderr.close()
                    elif (found := self._read()) is not None:
                        if left:
                            raise AdapterFault(GARBAGE, "it answered before it had read the calls")
                        return found

    def _write(self, left: memoryview) -> memoryview:
        try:
            return left[os.write(self._stdin.fileno(), left[:CHUNK]) :]
        except BlockingIOError:
            return left
        except BrokenPipeError as error:
            raise self._ended() from error

    def _read(self) -> Answers | None:
        """Take what has come, and the answers if they are whole."""
        came = os.read(self._stdout.fileno(), CHUNK)
        if not came:
            raise self._ended()
        self._came += came
        found = self._framing.take(self._came)
        if found is None and len(self._came) > self._most_bytes:
            raise AdapterFault(TOO_LONG, f"an answer of more than {self._most_bytes} bytes")
        return found

    # What is told of a fault

    def _so_far(self) -> str:
        if not self._came:
            return ""
        return f", only the beginning of one: {shown(bytes(self._came[:CHUNK]))}"

    def _ended(self) -> AdapterFault:
        deadline = time.monotonic() + ENDING_SECONDS
        while (end := self._end()) is None and time.monotonic() < deadline:
            time.sleep(0.01)
        how = end or "it closed its input or output"
        where = f" in the middle of an answer: {shown(bytes(self._came[:CHUNK]))}"
        return AdapterFault(CLOSED, how + (where if self._came else ""))

    def _end(self) -> str | None:
        """How the program ended, if it did.

        It stays in the table of processes: until its group is ended, its number is nobody else's.
        """
        found = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None:
            return None
        if found.si_code == os.CLD_EXITED:
            return f"it ended with exit code {found.si_status}"
        return f"it was ended by signal {found.si_status} ({signal.strsignal(found.si_status)})"

    def _listen_to_errors(self) -> bool:
        """Keep the end of what the program writes to its error output; whether more may come."""
        if self._stderr.closed:
            return False
        try:
            said = os.read(self._stderr.fileno(), CHUNK)
        except BlockingIOError:
            return True
        self._errors += said
        del self._errors[:-LAST_WORDS]
        return bool(said)

    def _last_words(self) -> str:
        said = self._errors.decode("utf-8", "backslashreplace").strip()
        return f"; its last words: {said}" if said else ""

    # The end

    def close(self) -> None:
        """End the program and all that it started; what is interrupted goes on the next time."""
        if self._gone:
            return
        self._closed = True
        for stream in (self._stdin, self._stdout, self._stderr):
            with contextlib.suppress(OSError):
                stream.close()
        if self._process.returncode is None:
            deadline = time.monotonic() + LEAVING_SECONDS
            while self._end() is None and time.monotonic() < deadline:
                time.sleep(0.01)
            _kill(os.killpg, self._process.pid)
            with contextlib.suppress(subprocess.TimeoutExpired):  # nothing ends what hangs in Linux
                self._process.wait(ENDING_SECONDS)
        end_marked(self._mark)
        self._gone = True


def new_mark() -> str:
    """A mark that nothing else has."""
    return uuid.uuid4().hex


def end_marked(mark: str) -> None:
    """End every program that was started with a mark, and all that they started."""
    for _ in range(MOST_SEARCHES):
        found = list(_marked(mark))
        for process in found:
            _kill(os.kill, process)
        if not found:
            return
        time.sleep(0.01)


def _ours(stream: IO[bytes] | None) -> IO[bytes]:
    """Our end of a pipe, at which nothing waits."""
    assert stream is not None
    os.set_blocking(stream.fileno(), False)
    # The answers of a game are some megabytes: with a small pipe, both sides wait at every turn.
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):
            fcntl.fcntl(stream.fileno(), fcntl.F_SETPIPE_SZ, CHUNK)
    return stream


def _kill(kill: Callable[[int, int], None], number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        kill(number, signal.SIGKILL)


def _marked(mark: str) -> Iterator[int]:
    """The processes that have inherited the mark, however they were started."""
    wanted = f"{MARK}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)
