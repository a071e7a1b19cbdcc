"""Programs that misbehave: a fault that says what happened, and nothing of them stays behind."""

from __future__ import annotations

import os
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.faults import (
    CHANGED,
    CLOSED,
    GARBAGE,
    NOT_STARTED,
    SLOW,
    TOO_LONG,
    AdapterFault,
)
from conformance.framing import Delimited, JsonLines
from conformance.messages import Describe, Described
from conformance.pipe import MARK, Pipe
from conformance.results import CRASHED, TIMED_OUT
from conformance.target import Target, connect, greeted
from rules_engine.kernel.errors import TruthsayerError

PROGRAMS = Path(__file__).parent / "hostile.py"
MOST_BYTES = 1 << 20
SHORT = 0.7
ENOUGH = 60.0

TESTED_BY = "TRUTHSAYER_TESTED_BY"
"""The variable by which the processes of these tests are known from those of others."""

MARKED = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")


def command(name: str) -> tuple[str, ...]:
    """How a hostile program is started."""
    return (sys.executable, "-S", str(PROGRAMS), name)


def started(name: str, seconds: float = ENOUGH, most_bytes: int = MOST_BYTES) -> Pipe:
    """A hostile program that runs."""
    return Pipe(command(name), JsonLines(), seconds=seconds, most_bytes=most_bytes)


def fault_of(pipe: Pipe) -> AdapterFault:
    """The fault that comes when something is asked."""
    try:
        with pytest.raises(AdapterFault) as found:
            pipe.ask([Describe()])
        return found.value
    finally:
        pipe.close()


def left_behind() -> list[str]:
    """The processes that adapters of this process have started, by their command lines."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            variables = (folder / "environ").read_bytes().split(b"\0")
            words = (folder / "cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue
        adapter = any(each.startswith(f"{MARK}=".encode()) for each in variables)
        if adapter and f"{TESTED_BY}={os.getpid()}".encode() in variables:
            found.append(" ".join(words))
    return found


def our_children() -> list[str]:
    """The processes that are children of this one, ended ones that nobody waited for included."""
    threads = Path("/proc/self/task").glob("*/children")
    return [child for each in threads for child in each.read_text().split()]


@pytest.fixture(autouse=True)
def _nothing_stays(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """After every test: no process of an adapter, no zombie, no open file."""
    monkeypatch.setenv(TESTED_BY, str(os.getpid()))
    if not Path("/proc/self/environ").exists():
        yield
        return
    children, files = set(our_children()), len(os.listdir("/proc/self/fd"))
    yield
    assert left_behind() == []
    assert set(our_children()) <= children
    assert len(os.listdir("/proc/self/fd")) <= files


FAULTS = {
    "prints_garbage": (GARBAGE, "a line that is no answer", "Welcome to my game!"),
    "asks_at_a_prompt": (GARBAGE, "a line that is no answer", "Your name?"),
    "prints_bytes": (GARBAGE, "a line that is no answer", "xfe"),
    "nests_without_end": (GARBAGE, "a line that is no answer", ""),
    "another_json": (GARBAGE, "a line that is no answer", "maybe"),
    "half_a_line_and_ends": (CLOSED, "exit code 0 in the middle of an answer", '{"id": 1, "ans'),
    "floods": (TOO_LONG, "an answer of more than 1048576 bytes", ""),
    "floods_lines": (GARBAGE, "it went on after its answer", "described"),
    "sends_a_gigabyte": (TOO_LONG, "an answer of more than 1048576 bytes", ""),
    "forks_and_dies": (CLOSED, "exit code 3", ""),
    "closes_its_output": (CLOSED, "it closed its input or output", ""),
    "ends_at_once": (CLOSED, "it ended with exit code 0", ""),
    "ends_with_a_code": (CLOSED, "exit code 7", "its last words: no licence found"),
    "is_killed": (CLOSED, "it was ended by signal 11", ""),
    "answers_another_batch": (GARBAGE, "it answered batch 0 where batch 1 was asked", ""),
    "answers_too_few": (GARBAGE, "it gave 0 answers to 1 calls", ""),
    "answers_too_many": (GARBAGE, "it gave 2 answers to 1 calls", ""),
    "answers_twice": (GARBAGE, "it went on after its answer", ""),
}
"""Programs that fail whatever time they have: the kind of fault, and what its message says."""


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_has_its_kind_and_says_what_happened(name: str) -> None:
    kind, *words = FAULTS[name]
    fault = fault_of(started(name))
    assert fault.kind == kind
    assert fault.outcome == CRASHED
    for each in words:
        assert each in fault.message
    assert len(fault.message) < 5_000


@pytest.mark.parametrize(
    "name", ["hangs", "never_reads", "half_a_line_and_hangs", "floods_errors_and_hangs"]
)
def test_no_answer_in_time_is_a_time_out(name: str) -> None:
    fault = fault_of(started(name, SHORT))
    assert (fault.kind, fault.outcome) == (SLOW, TIMED_OUT)
    assert f"no answer within {SHORT:g} s" in fault.message
    assert len(fault.message) < 5_000


def test_a_time_out_shows_what_came_of_an_answer_and_the_last_words() -> None:
    assert '\'{"id": 1, "ans\'' in fault_of(started("half_a_line_and_hangs", SHORT)).message
    assert "all is lost" in fault_of(started("floods_errors_and_hangs", SHORT)).message


def test_a_program_that_is_not_there_is_not_started() -> None:
    with pytest.raises(AdapterFault, match=r"`no-such-program x` cannot be started: No such") as no:
        Pipe(["no-such-program", "x"], JsonLines(), seconds=1, most_bytes=1)
    assert no.value.kind == NOT_STARTED


@pytest.mark.parametrize("name", ["floods", "sends_a_gigabyte"])
def test_what_is_too_long_is_cut_off_early(name: str) -> None:
    pipe = started(name)
    tracemalloc.start()
    try:
        assert fault_of(pipe).kind == TOO_LONG
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 16 * MOST_BYTES


def test_error_output_is_read_and_forgotten() -> None:
    pipe = started("floods_errors")
    tracemalloc.start()
    try:
        for _ in range(2):
            assert len(pipe.ask([Describe()])) == 1
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        pipe.close()
    assert most < 16 * MOST_BYTES


@MARKED
@pytest.mark.parametrize("name", ["forks", "forks_away", "ignores_signals"])
def test_what_a_program_started_ends_with_it(name: str) -> None:
    pipe = started(name)
    pipe.ask([Describe()])
    assert left_behind()
    pipe.close()
    assert left_behind() == []


def test_a_batch_that_does_not_fit_into_the_pipe_meets_a_program_that_does_not_read() -> None:
    pipe = started("never_reads", SHORT)
    with pytest.raises(AdapterFault, match="no answer within"):
        pipe.ask([Describe()] * 100_000)


def test_an_answer_before_the_question_is_none() -> None:
    pipe = started("answers_before_it_reads")
    with pytest.raises(AdapterFault, match="it answered before it had read the calls") as found:
        pipe.ask([Describe()] * 100_000)
    assert found.value.kind == GARBAGE


def test_a_closed_input_is_noticed() -> None:
    pipe = started("closes_its_input")
    pipe.ask([Describe()])
    with pytest.raises(AdapterFault, match="it closed its input or output") as found:
        pipe.ask([Describe()] * 100_000)
    assert found.value.kind == CLOSED


def test_an_answer_that_comes_too_late_is_not_taken_for_another() -> None:
    pipe = started("is_slow_later")
    pipe.ask([Describe()])
    with pytest.raises(AdapterFault) as late:
        pipe.ask([Describe()], seconds=0.2)
    assert late.value.kind == SLOW
    with pytest.raises(AdapterFault, match="the kit has ended it"):
        pipe.ask([Describe()])


def test_a_pipe_can_be_closed_twice() -> None:
    pipe = started("good")
    pipe.ask([Describe()])
    pipe.close()
    pipe.close()
    with pytest.raises(AdapterFault):
        pipe.ask([Describe()])


@pytest.mark.parametrize("name", ["prints_garbage", "prints_bytes", "asks_at_a_prompt"])
def test_garbage_is_no_protobuf_either_and_is_not_waited_for(name: str) -> None:
    pipe = Pipe(command(name), Delimited(), seconds=ENOUGH, most_bytes=MOST_BYTES)
    assert fault_of(pipe).kind == GARBAGE


# Starting


def test_a_program_may_need_longer_to_start_than_to_answer() -> None:
    target = Target(command("starts_slowly"), seconds=0.5, start_seconds=ENOUGH)
    connection = connect(target)
    assert greeted(connection, target).name == "hostile"
    connection.close()


def test_a_program_that_starts_too_slowly_is_a_time_out() -> None:
    target = Target(command("starts_slowly"), seconds=ENOUGH, start_seconds=0.3)
    with pytest.raises(AdapterFault, match=r"no answer within 0\.3 s"):
        greeted(connect(target), target)


def described(name: str, before: Described | None = None) -> Described:
    """What a program says of itself."""
    target = Target(command(name))
    connection = connect(target)
    try:
        return greeted(connection, target, before)
    finally:
        connection.close()


def test_another_version_after_a_restart_is_a_fault() -> None:
    before = described("another_version_every_time")
    with pytest.raises(AdapterFault, match=f"its version was `{before.version}`, and is `") as lie:
        described("another_version_every_time", before)
    assert lie.value.kind == CHANGED


def test_the_same_version_after_a_restart_is_none() -> None:
    assert described("good", described("good")).version == "1"


def test_another_protocol_is_told() -> None:
    with pytest.raises(TruthsayerError, match="speaks version 99 of the protocol") as wrong:
        described("another_protocol")
    assert wrong.value.code == "TS0820"
