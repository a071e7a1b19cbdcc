"""The processes of a server: one, or several that share the port and are kept going."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import NamedTuple

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import change
from server.addresses import Address, read_address
from server.logs import configure_log, log
from server.run import cannot_listen, run, see_that_it_is_free
from server.settings import Settings

LEAVING_SECONDS = 2.0
"""How long it may take after draining to put everything away."""

STARTING_SECONDS = 60.0
"""How long a process may take until it serves."""

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 30.0
"""How long it takes until a process that died is started anew: twice as long each time, unless it
lived for as long as the longest of them."""


def run_until_signal(settings: Settings, on_ready: Callable[[str], None]) -> None:
    """Serve until the process is interrupted or terminated."""
    configure_log(settings.log, settings.log_level)
    if settings.processes == 1:
        _run_one(settings, on_ready)
    else:
        _run_several(settings, on_ready)


# One process


def _run_one(
    settings: Settings,
    on_ready: Callable[[str], None],
    number: int = 0,
    shares_port: bool = False,
) -> None:
    async def main(certain_end: threading.Timer) -> None:
        stop = asyncio.Event()

        def leave() -> None:
            if not stop.is_set():
                stop.set()
                log().info("stopping", process=os.getpid())
                certain_end.start()

        _on_signals(leave)
        await run(settings, on_ready, stop, number, shares_port)

    with _certain_end(settings.drain_seconds + LEAVING_SECONDS) as certain_end:
        asyncio.run(main(certain_end))


def _on_signals(leave: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, leave)


@contextmanager
def _certain_end(seconds: float) -> Iterator[threading.Timer]:
    """Once started, it ends the process if stopping takes too long: a thread cannot be told to."""
    timer = threading.Timer(seconds, _leave_at_once)
    timer.daemon = True
    try:
        yield timer
    finally:
        timer.cancel()


def _leave_at_once() -> None:
    log().warning("stopped in the middle of a call that did not end")
    os._exit(0)


# Several processes


class Failed(NamedTuple):
    """Why a process could not serve, as it tells the one that started it."""

    code: str
    message: str
    help: str


def _run_several(settings: Settings, on_ready: Callable[[str], None]) -> None:
    with _reserved(settings.listen) as address:
        own = change(settings, listen=str(address))
        asyncio.run(_supervise(own, on_ready))


@contextmanager
def _reserved(listen: str) -> Iterator[Address]:
    """The port, taken so that processes of ours can share it and no other server has it."""
    wanted = read_address(listen)
    try:
        # It must not be shared with a server that we know nothing of, either.
        family, where = see_that_it_is_free(wanted)
        shared = socket.socket(family)
        shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        shared.bind(where)
    except (OSError, AttributeError) as error:
        raise cannot_listen(listen, error) from error
    with shared:
        yield Address(wanted.host, where[1])


async def _supervise(settings: Settings, on_ready: Callable[[str], None]) -> None:
    """Start the processes, keep them going, and end them all."""
    stop = asyncio.Event()
    _on_signals(stop.set)
    places = [_Place(settings, number) for number in range(settings.processes)]
    try:
        if await _started(places, stop):
            on_ready(settings.listen)
        async with asyncio.TaskGroup() as keeping:
            for place in places:
                keeping.create_task(place.keep(stop))
            await stop.wait()
            for place in places:
                place.terminate()
    finally:
        for place in places:
            place.kill()


async def _started(places: Sequence[_Place], stop: asyncio.Event) -> bool:
    """Start the processes, and say whether all serve: they may be told to stop meanwhile."""

    async def start() -> None:
        # One after the other: the first makes what the store lacks.
        for place in places:
            await place.start()

    starting, stopping = asyncio.create_task(start()), asyncio.create_task(stop.wait())
    await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not stop.is_set():
        await starting
        return True
    starting.cancel()
    with suppress(asyncio.CancelledError, TruthsayerError):
        await starting
    return False


class _Place:
    """A place for one of the processes, and the process in it."""

    def __init__(self, settings: Settings, number: int) -> None:
        self._settings = settings
        self._number = number
        self._process: SpawnProcess | None = None

    async def start(self) -> None:
        """Start a process, and wait until it serves."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        arguments = (self._settings, self._number, theirs)
        self._process = context.Process(target=_serve_in_place, args=arguments)
        self._process.start()
        theirs.close()
        said = await asyncio.to_thread(_heard, ours)
        if isinstance(said, Failed):
            self.kill()
            raise TruthsayerError(said.code, said.message, help=said.help)

    async def keep(self, stop: asyncio.Event) -> None:
        """Start a process anew whenever it dies, until all are to stop."""
        pause = FIRST_PAUSE
        while True:
            began = time.monotonic()
            await self._ended(stop)
            if stop.is_set():
                return
            pause = FIRST_PAUSE if time.monotonic() - began > LONGEST_PAUSE else pause
            log().error("a server process died", number=self._number, again_in=pause)
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), pause)
                return
            pause = min(2 * pause, LONGEST_PAUSE)
            try:
                await self.start()
            except TruthsayerError as error:
                log().error("a server process does not start", code=error.code)

    async def _ended(self, stop: asyncio.Event) -> None:
        """Wait until the process has ended, for some time only once it was told to."""
        if self._process is None:
            return
        ending = asyncio.ensure_future(asyncio.to_thread(self._process.join))
        stopping = asyncio.ensure_future(stop.wait())
        await asyncio.wait({ending, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        longest = self._settings.drain_seconds + 2 * LEAVING_SECONDS
        done, _ = await asyncio.wait({ending}, timeout=longest)
        if not done:
            self._process.kill()
            await ending

    def terminate(self) -> None:
        """Tell the process to stop."""
        if self._process is not None and self._process.is_alive():
            self._process.terminate()

    def kill(self) -> None:
        """End the process at once, if there is one."""
        if self._process is not None and self._process.is_alive():
            self._process.kill()
            self._process.join()


def _heard(connection: Connection) -> str | Failed:
    """What a process says once it serves, or cannot."""
    with connection:
        try:
            if connection.poll(STARTING_SECONDS):
                said: str | Failed = connection.recv()
                return said
        except EOFError:
            pass
    return Failed("TS0867", "a server process ended, or hung, before it served", "see the log")


def _serve_in_place(settings: Settings, number: int, connection: Connection) -> None:
    """What each of several processes does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # until it can be heeded, the first process does
    configure_log(settings.log, settings.log_level)
    threading.Thread(target=_stop_with_the_first, daemon=True).start()

    def tell(said: str | Failed) -> None:
        with suppress(OSError):
            connection.send(said)

    try:
        _run_one(settings, tell, number, shares_port=True)
    except TruthsayerError as error:
        tell(Failed(error.code, error.message, error.help))


def _stop_with_the_first() -> None:
    """Stop as if told to when the process that started this one is gone."""
    first = multiprocessing.parent_process()
    if first is not None:
        first.join()
        os.kill(os.getpid(), signal.SIGTERM)
