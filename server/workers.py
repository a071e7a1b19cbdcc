"""The server's worker processes: a few are kept, a call that is given up takes its worker along."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, aclosing
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from rules_engine.kernel.errors import TruthsayerError
from server.answers.limits import LONGEST_ANSWER, LONGEST_PROOF, LONGEST_WAIT
from server.errors import Fault, ProblemFound
from server.worker import Heard, JobName, Sent, work
from truthsayer.v1 import common_pb2

MOST_WAITING = 64
LONGEST_UNREAD = 60.0
"""How many seconds a caller may take to read a reply while it keeps a worker from others."""

UNENDING_JOBS: tuple[JobName, ...] = ("prove", "list_properties", "conform")
"""Those that may take as long as their caller waits."""


class Worker:
    """One worker process and our end of the pipe to it."""

    def __init__(self) -> None:
        # A forked process would inherit gRPC's threads and locks in an unknown state.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._connection: Connection = ours
        self._process: SpawnProcess = context.Process(target=work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def give(self, job: JobName, request: bytes) -> Sent:
        """Hand a job over and wait for what comes first."""
        try:
            self._connection.send(job)
            self._connection.send_bytes(request)
        except OSError:
            return DIED
        return self.take()

    def tell(self, heard: Heard) -> Sent:
        """Hand over what the caller says to a question, and wait for what comes next."""
        try:
            self._connection.send(heard)
        except OSError:
            return DIED
        return self.take()

    def take(self) -> Sent:
        """Wait for what comes next."""
        try:
            sent: Sent = self._connection.recv()
        except (EOFError, OSError):
            return DIED
        return sent

    def is_alive(self) -> bool:
        """Whether it can take a job: somebody else may have ended it."""
        return self._process.is_alive()

    def kill(self) -> None:
        """End it at once, whatever it is doing. A thread that waits for it is told that it died."""
        self._process.kill()
        self._process.join()


DIED = Sent("fault", b"the worker process died")


class Workers:
    """Runs jobs in worker processes, so many at a time."""

    def __init__(
        self,
        most: int | None = None,
        longest_wait: float = LONGEST_WAIT,
        longest_answer: float = LONGEST_ANSWER,
        longest_proof: float = LONGEST_PROOF,
        longest_unread: float = LONGEST_UNREAD,
        ready: int = 1,
    ) -> None:
        """`longest_wait` is the most seconds for each reply of a job that has to end.

        `longest_answer` is the most for what a caller says to a question, and `longest_proof` is
        the most for everything that a call proves; who does not read a reply for `longest_unread`
        loses the worker. So many workers as are to be `ready` are there from the start: a call that
        needs a new one waits for imports.
        """
        most = most or max(2, os.cpu_count() or 1)
        self._free = asyncio.Semaphore(most)
        # Twice as many: a thread may still be learning that the worker of its last call died.
        self._threads = ThreadPoolExecutor(2 * most, thread_name_prefix="worker")
        self._idle = [Worker() for _ in range(ready)]
        self.busy = 0
        """Workers that have a job."""
        self.waiting = 0
        """Calls that wait for a worker."""
        self._longest_wait = longest_wait
        self._longest_answer = longest_answer
        self._longest_proof = longest_proof
        self._longest_unread = longest_unread

    async def run(
        self, job: JobName, request: bytes, said: AsyncIterator[bytes] | None = None
    ) -> AsyncGenerator[bytes, None]:
        """Run a job and give its replies as they come; closing the iterator ends the job.

        `said` is what the caller says to the questions of the job, one after the other.
        """
        if self.waiting >= MOST_WAITING:
            raise TruthsayerError(
                "TS0803", f"{self.waiting} calls are waiting already", help="try again later"
            )
        self.waiting += 1
        try:
            await self._free.acquire()
        finally:
            self.waiting -= 1
        self.busy += 1
        with ExitStack() as turn:
            turn.callback(self._end_turn)
            async with aclosing(self._run(job, request, said, turn)) as replies:
                async for reply in replies:
                    yield reply

    def _end_turn(self) -> None:
        self.busy -= 1
        self._free.release()

    async def _run(
        self, job: JobName, request: bytes, said: AsyncIterator[bytes] | None, turn: ExitStack
    ) -> AsyncGenerator[bytes, None]:
        """Run a job in a worker, which is kept only if it came to the end of the job.

        Closing the turn puts the worker away, and lets another call have its turn.
        """
        worker = self._taken()
        ended = False

        def put_away() -> None:
            if ended:
                self._idle.append(worker)
            else:
                worker.kill()

        turn.callback(put_away)
        loop = asyncio.get_running_loop()
        began = loop.time()
        with turn:
            sent = await self._sent(job, began, worker.give, job, request)
            while sent.kind in ("reply", "question"):
                # Nothing tells us that a reply is not read, until it is.
                unread = loop.call_later(self._longest_unread, turn.close)
                try:
                    yield sent.body
                finally:
                    unread.cancel()
                if loop.time() >= unread.when():
                    raise self._unread()
                if sent.kind == "question" and said is not None:
                    sent = await self._sent(job, began, worker.tell, await self.heard(said))
                else:
                    sent = await self._sent(job, began, worker.take)
            ended = sent.kind in ("only", "done", "problem")
        if sent.kind == "only":
            yield sent.body
        if sent.kind == "problem":
            raise ProblemFound(common_pb2.Problem.FromString(sent.body))
        if sent.kind == "fault":
            raise Fault(sent.body.decode(errors="replace"))

    def _taken(self) -> Worker:
        """A worker that rested, or a new one."""
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive():
                return worker
        return Worker()

    async def _sent(
        self, job: JobName, began: float, wait: Callable[..., Sent], *given: object
    ) -> Sent:
        """What a worker sends next in a job, unless that takes too long."""
        loop = asyncio.get_running_loop()
        waiting = loop.run_in_executor(self._threads, wait, *given)
        longest = None if job in UNENDING_JOBS else self._longest_wait
        if job == "prove":
            longest = began + self._longest_proof - loop.time()
        try:
            return await asyncio.wait_for(waiting, longest)
        except TimeoutError:
            raise self._too_long(job) from None

    def _too_long(self, job: JobName) -> TruthsayerError:
        if job == "prove":
            return TruthsayerError(
                "TS0854",
                f"a call may prove for {self._longest_proof:g} seconds, and they are over",
                help="prove fewer properties at a time, or prove without a server",
            )
        return TruthsayerError(
            "TS0810",
            f"a part of it takes longer than {self._longest_wait:g} seconds",
            help="ask for something simpler, or run it without a server",
        )

    def _unread(self) -> TruthsayerError:
        return TruthsayerError(
            "TS0814",
            f"a reply was not read for {self._longest_unread:g} seconds",
            help="read replies as they come, or ask for fewer at a time",
        )

    async def heard(self, said: AsyncIterator[bytes]) -> Heard:
        """What the caller says next, unless it is silent for too long, or gone."""
        try:
            return Heard("message", await asyncio.wait_for(anext(said), self._longest_answer))
        except StopAsyncIteration:
            return Heard("closed")
        except TimeoutError:
            return Heard("slow")

    def close(self) -> None:
        """End all workers; those in use end with their calls."""
        for worker in self._idle:
            worker.kill()
        self._threads.shutdown()
