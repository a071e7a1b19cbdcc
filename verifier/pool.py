"""Settles obligations in several processes; one that dies takes only its own obligation along."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait

from verifier import properties
from verifier.explorer import Stopped
from verifier.obligations import Manner, Obligation, Outcome, settle_obligation
from verifier.verdicts import UNKNOWN, Settled

LOOK_AGAIN = 0.2
"""So many seconds pass at most until `stop` is asked again."""

MEMORY = 4 * 2**30
"""So many bytes a process may have, where the system can see to it."""

DIED = "the process that worked on it died; it may have run out of memory"


def settle_all(
    waiting: Sequence[Obligation],
    manner: Manner,
    *,
    jobs: int = 1,
    stop: Callable[[], bool] | None = None,
) -> Iterator[list[Outcome]]:
    """Settle all obligations, in any order; with one job, in this process."""
    if jobs <= 1 or len(waiting) <= 1:
        for each in waiting:
            yield settle_obligation(each, manner, stop)
        return
    yield from _in_processes(deque(waiting), manner, min(jobs, len(waiting)), stop)


class _Worker:
    """A process, our end of the pipe to it, and what it works on."""

    def __init__(self, manner: Manner) -> None:
        # A forked process would share the solver's state, and the threads of whoever calls us.
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, manner), daemon=True)
        with _interrupts_wait():
            self.process.start()
        theirs.close()
        self.busy_with: Obligation | None = None

    def give(self, obligation: Obligation) -> None:
        self.busy_with = obligation
        self.connection.send(obligation)

    def take(self) -> list[Outcome] | None:
        """What came of it; nothing if the process died."""
        try:
            outcomes: list[Outcome] = self.connection.recv()
        except (EOFError, OSError):
            return None
        self.busy_with = None
        return outcomes

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


@contextlib.contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Start processes inside that Ctrl-C never ends; this one gets what came meanwhile afterwards.

    It goes to all processes of a terminal. A process begins with the signals blocked that are
    blocked where it was started, and would take one while it still imports.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # The first process starts this one, too, which unblocks interrupts here once it runs.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_processes(
    waiting: deque[Obligation], manner: Manner, jobs: int, stop: Callable[[], bool] | None
) -> Iterator[list[Outcome]]:
    workers = [_Worker(manner) for _ in range(jobs)]
    try:
        while waiting or any(each.busy_with for each in workers):
            for worker in workers:
                if waiting and worker.busy_with is None:
                    worker.give(waiting.popleft())
            if stop is not None and stop():
                raise Stopped
            busy = {each.connection: each for each in workers if each.busy_with}
            for ready in wait(list(busy), LOOK_AGAIN):
                worker = busy[ready]  # type: ignore[index]
                outcomes = worker.take()
                if outcomes is None:
                    outcomes = [_died(worker)]
                    worker.kill()
                    workers[workers.index(worker)] = _Worker(manner)
                yield outcomes
    finally:
        for worker in workers:
            worker.kill()


def _died(worker: _Worker) -> Outcome:
    assert worker.busy_with is not None
    return Outcome(worker.busy_with, Settled(UNKNOWN, DIED))


# The process


def _work(connection: Connection, manner: Manner) -> None:
    """Settle what comes until nobody is there any more."""
    assert properties, "they are registered when they are imported"
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_the_parent, daemon=True).start()
    limit_memory(MEMORY)
    while True:
        try:
            obligation = connection.recv()
        except EOFError:
            return
        connection.send(settle_obligation(obligation, manner))


def limit_memory(most: int) -> None:
    """Let this process run out of memory by itself, before the machine does."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _leave_with_the_parent() -> None:
    """Die with a parent that was killed, even in the middle of a proof."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)
