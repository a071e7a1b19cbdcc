"""Servers for tests: one in a thread of this process, one in a process of its own."""

from __future__ import annotations

import asyncio
import os
import queue
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from rules_engine.kernel.records import change
from server.run import run
from server.settings import Limits, Settings

ROOT = Path(__file__).parents[2]
ANY_PORT = "127.0.0.1:0"


UNLIMITED = Limits(requests_per_second=0)


@contextmanager
def server_in_thread(settings: Settings | None = None) -> Iterator[str]:
    """A server in this process, on any port; gives its address.

    It keeps sessions in a file of its own, unless the settings say where.
    """
    with TemporaryDirectory() as folder:
        own = settings or Settings(limits=UNLIMITED)
        store = own.store or f"{folder}/sessions.sqlite"
        with _in_thread(change(own, listen=ANY_PORT, store=store)) as address:
            yield address


def run_once(settings: Settings) -> None:
    """Start a server on any port, and stop it as soon as it serves."""
    with TemporaryDirectory() as folder:

        async def serve() -> None:
            stop = asyncio.Event()
            own = change(settings, listen=ANY_PORT, store=f"{folder}/sessions.sqlite")
            await run(own, lambda _: stop.set(), stop)

        asyncio.run(serve())


@contextmanager
def _in_thread(settings: Settings) -> Iterator[str]:
    ready: queue.Queue[tuple[str, asyncio.AbstractEventLoop, asyncio.Event]] = queue.Queue()

    async def serve() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        await run(settings, lambda address: ready.put((address, loop, stop)), stop)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    address, loop, stop = ready.get(timeout=60)
    try:
        yield address
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(timeout=60)
    assert not thread.is_alive()


@contextmanager
def server_process(*command: str, **variables: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, started by a Python command; gives its address, too.

    Unless variables of its environment say otherwise, it keeps sessions in a folder of its own and
    logs nothing but what is wrong: nobody reads that meanwhile, and the pipe would fill.
    """
    with (
        TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, *command],
            cwd=ROOT,
            env={
                **os.environ,
                "TRUTHSAYER_STORE": f"{folder}/sessions.sqlite",
                "TRUTHSAYER_LOG_LEVEL": "warning",
                **variables,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,  # so that a test can signal the server and its workers at once
        ) as process,
    ):
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            assert " serves on " in first, first + process.stdout.read()
            yield process, first.split()[-1]
        finally:
            process.kill()


def figure_names() -> set[str]:
    """The figures of ours that a server shows."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with server_in_thread(Settings(metrics=address)), urlopen(f"http://{address}/metrics") as page:
        described = re.findall(r"^# TYPE (truthsayer_\w+) ", page.read().decode(), re.MULTILINE)
    return {each for each in described if not each.endswith("_created")}
