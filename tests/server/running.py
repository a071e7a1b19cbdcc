"""Servers for tests: one in a thread of this process, one in a process of its own."""

from __future__ import annotations

import asyncio
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from server.run import run
from server.settings import Settings

ROOT = Path(__file__).parents[2]
ANY_PORT = "127.0.0.1:0"


@contextmanager
def server_in_thread() -> Iterator[str]:
    """A server in this process; gives its address."""
    with (
        tempfile.TemporaryDirectory() as folder,
        _server_in_thread(Settings(store=str(Path(folder, "sessions.sqlite")))) as address,
    ):
        yield address


@contextmanager
def _server_in_thread(settings: Settings) -> Iterator[str]:
    ready: queue.Queue[tuple[str, asyncio.AbstractEventLoop, asyncio.Event]] = queue.Queue()

    async def serve() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        await run(ANY_PORT, lambda address: ready.put((address, loop, stop)), stop, settings)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    address, loop, stop = ready.get(timeout=20)
    try:
        yield address
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(timeout=30)
    assert not thread.is_alive()


@contextmanager
def server_process(*command: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, started by a Python command; gives its address, too."""
    with subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # so that a test can signal the server and its workers at once
    ) as process:
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            assert " serves on " in first, first + process.stdout.read()
            yield process, first.split()[-1]
        finally:
            process.kill()
