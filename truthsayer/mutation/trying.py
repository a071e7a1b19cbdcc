"""Tries a mutant on checks, in a process of its own that has limits.

A function is changed where it is, in a fork of a process that has the engine and the checks at
hand. A table may have been copied by whoever imported it, so a process is begun anew for it, which
imports the changed file.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from types import FrameType
from typing import NamedTuple

import msgspec

from rules_engine.kernel.records import Record
from truthsayer.mutation import in_process
from truthsayer.mutation.checks import CRASHES, LAWS, PROOFS, SCENARIOS, TOO_LONG, Check
from truthsayer.mutation.mutants import TOP, Mutant
from verifier.pool import limit_memory

LEAST_SECONDS = 2.0
TIMES_AS_LONG = {SCENARIOS: 20, PROOFS: 3, LAWS: 20}
"""A scenario or a game that runs so much longer than on the true engine goes on for ever.

A proof may only have more paths; it is given up, and notices nothing.
"""

PROOF_SECONDS = 60.0
"""How long the proofs of one mutant may take; the rest is left to the next run."""

MEMORY = 4 << 30
"""Bytes that a process may ask for."""


class Outcome(Record):
    """Which check noticed a mutant, and how; if `by` is empty, none of the first `tried` did."""

    by: str = ""
    how: str = ""
    tried: int = 0


class Attempt(NamedTuple):
    """A mutant and the checks that are run until one notices it."""

    mutant: Mutant
    checks: Sequence[Check]


class TakesTooLong(BaseException):
    """A check ran out of time. No rule function may catch it."""


# In the process of a mutant


def first_to_notice(checks: Iterable[Check]) -> Outcome:
    """Run checks on the engine as it is now until one of them fails, or proofs took too long."""
    tried = 0
    for check in checks:
        if check.side == PROOFS and time.process_time() > PROOF_SECONDS:
            break
        how = _limited(check)
        if how:
            return Outcome(check.name, how)
        tried += 1
    return Outcome(tried=tried)


def _limited(check: Check) -> str:
    """How a check fails. A proof that takes too long says nothing; any other has no end then."""
    signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _most_seconds(check))
    try:
        return check.run()
    except TakesTooLong:
        return "" if check.side == PROOFS else TOO_LONG
    except Exception:
        return CRASHES
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _most_seconds(check: Check) -> float:
    return LEAST_SECONDS + TIMES_AS_LONG[check.side] * check.seconds


def _stop(_: int, __: FrameType | None) -> None:
    raise TakesTooLong


def _limit_seconds(checks: Iterable[Check]) -> None:
    """For a loop in which Python does not look at its timer: the system ends the process."""
    most = int(sum(map(_most_seconds, checks))) + 10
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))


def _try(attempt: Attempt, answer: Connection) -> None:
    """The whole life of a forked process."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    # A mutant that fills the memory fails by itself, and disturbs nobody.
    limit_memory(MEMORY)
    _limit_seconds(attempt.checks)
    if in_process.lives(attempt.mutant):
        in_process.change_function(attempt.mutant)
        in_process.forget_answers()
        found = first_to_notice(attempt.checks)
    else:
        found = _in_a_new_process(attempt)
    answer.send_bytes(msgspec.json.encode(found))
    # Nothing of the parent is cleaned up here.
    os._exit(0)


def _in_a_new_process(attempt: Attempt) -> Outcome:
    asked = msgspec.json.encode(
        (
            attempt.mutant.file,
            attempt.mutant.mutated.decode(),
            [(check.side, check.name, check.seconds) for check in attempt.checks],
        )
    )
    done = subprocess.run(
        [sys.executable, "-m", "truthsayer.mutation.new_process"],
        input=asked,
        capture_output=True,
        cwd=TOP,
        env={**os.environ, "PYTHONPATH": str(TOP)},
        check=False,
    )
    if done.returncode != 0:
        return Outcome("the engine", CRASHES)
    return msgspec.json.decode(done.stdout, type=Outcome)


# Many mutants


def try_all(attempts: Iterable[Attempt], jobs: int) -> Iterator[tuple[Attempt, Outcome]]:
    """Try mutants, so many at a time; in the order in which they are done."""
    fork = multiprocessing.get_context("fork")
    running: dict[Connection, tuple[Attempt, ForkProcess]] = {}
    waiting = iter(attempts)
    while True:
        while len(running) < jobs and (attempt := next(waiting, None)) is not None:
            answer, theirs = fork.Pipe(duplex=False)
            process = fork.Process(target=_try, args=(attempt, theirs), daemon=True)
            process.start()
            theirs.close()
            running[answer] = (attempt, process)
        if not running:
            return
        for ready in wait(list(running)):
            assert isinstance(ready, Connection)
            attempt, process = running.pop(ready)
            yield attempt, _answer(ready, process)


def _answer(answer: Connection, process: ForkProcess) -> Outcome:
    """What a process said. One that was ended by the system ran for too long or broke down."""
    try:
        return msgspec.json.decode(answer.recv_bytes(), type=Outcome)
    except EOFError:
        process.join()
        slow = process.exitcode in (-signal.SIGXCPU, -signal.SIGKILL)
        return Outcome("the engine", TOO_LONG if slow else CRASHES)
    finally:
        process.join()
        answer.close()
