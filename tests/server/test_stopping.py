"""Calls that are given up, and servers that are stopped or killed, leave nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from server import run
from server.settings import Settings
from tests.server.running import ANY_PORT, server_in_thread, server_process
from tests.server.test_observing import figures, free_port
from tests.server.test_service import refused
from truthsayer.v1 import (
    common_pb2,
    conformance_pb2,
    conformance_pb2_grpc,
    rules_pb2,
    rules_pb2_grpc,
    scenario_pb2,
    scenario_pb2_grpc,
    verifier_pb2,
    verifier_pb2_grpc,
)

OWN_CONNECTION = [("grpc.use_local_subchannel_pool", 1)]
MANY = 5_000
"""How many results the slow server has for the file `many`."""


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server whose proofs take their time."""
    with server_process("-m", "tests.server.slow_server", str(tmp_path), ANY_PORT, "10") as server:
        yield server


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server that is as slow, but waits no longer than a second."""
    with server_process("-m", "tests.server.slow_server", str(tmp_path), ANY_PORT, "1") as server:
        yield server


def eventually(holds: Callable[[], bool], seconds: float = 60) -> bool:
    """Whether something comes to hold within some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return False


def alive(process: int) -> bool:
    """Whether a process is there; one that only waits to be collected is not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):  # it may go while we look
        return False
    return state != "Z"


def gone(process: int) -> bool:
    """Whether a process ends within some seconds."""
    return eventually(lambda: not alive(process))


def start(channel: grpc.Channel, name: str, timeout: float | None = None) -> Any:
    """A proof that is asked for."""
    stub = verifier_pb2_grpc.VerifierServiceStub(channel)
    return stub.Prove(verifier_pb2.ProveRequest(names=[name]), timeout=timeout)


def proved(call: Any) -> list[str]:
    """The properties that a call says hold, once it has come to its end."""
    answers = [answer.verdict for answer in call if answer.HasField("verdict")]
    return [each.name for each in answers if each.verdict == common_pb2.VERDICT_CHECKED]


def worker_of(folder: Path, name: str) -> int:
    """The process that works on a property."""
    file = folder / name
    assert eventually(lambda: file.exists() and file.read_text() != "")
    process = int(file.read_text())
    assert alive(process)
    return process


def healthy(channel: grpc.Channel) -> bool:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    answer = stub.Check(health_pb2.HealthCheckRequest(service=""), timeout=20)
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


@pytest.mark.parametrize("name", ["slow", "hard"])
def test_a_proof_that_is_given_up_frees_its_worker(
    slow: tuple[subprocess.Popen[str], str], tmp_path: Path, name: str
) -> None:
    """The process is gone, and with it the solver, whatever it was busy with."""
    with grpc.insecure_channel(slow[1]) as channel:
        for _ in range(5):  # more than there are workers
            call = start(channel, name)
            worker = worker_of(tmp_path, name)
            assert healthy(channel)
            call.cancel()
            assert gone(worker)
            (tmp_path / name).unlink()
        assert proved(start(channel, "soon")) == ["soon"]


def test_scenarios_do_not_wait_for_proofs(
    slow: tuple[subprocess.Popen[str], str], tmp_path: Path
) -> None:
    with grpc.insecure_channel(slow[1]) as channel:
        workers = max(2, os.cpu_count() or 1)
        calls = [start(channel, "slow") for _ in range(workers)]
        assert eventually(lambda: len(list(tmp_path.glob("slow in *"))) == workers)
        stub = scenario_pb2_grpc.ScenarioServiceStub(channel)
        request = scenario_pb2.CheckRequest(files=[common_pb2.SourceFile(name="quick")])
        assert len(list(stub.Check(request, timeout=30))) == 1
        assert not any(call.done() for call in calls)
        for call in calls:
            call.cancel()


def test_a_deadline_ends_a_proof(slow: tuple[subprocess.Popen[str], str], tmp_path: Path) -> None:
    with grpc.insecure_channel(slow[1]) as channel:
        # A worker that has done something already does not need the time to start.
        assert proved(start(channel, "soon")) == ["soon"]
        call = start(channel, "slow", timeout=4)
        worker = worker_of(tmp_path, "slow")
        with pytest.raises(grpc.RpcError) as raised:
            next(call)
        assert raised.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        assert gone(worker)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_stop_finishes_what_it_does(
    slow: tuple[subprocess.Popen[str], str], tmp_path: Path, number: signal.Signals
) -> None:
    process, address = slow
    with grpc.insecure_channel(address) as channel:
        call = start(channel, "soon")
        worker = worker_of(tmp_path, "soon")
        os.killpg(process.pid, number)  # as a terminal or a supervisor does
        assert proved(call) == ["soon"]
    assert process.wait(timeout=60) == 0
    assert gone(worker)


def test_a_killed_server_takes_its_workers_along(
    slow: tuple[subprocess.Popen[str], str], tmp_path: Path
) -> None:
    process, address = slow
    with grpc.insecure_channel(address) as channel:
        call = start(channel, "slow")
        worker = worker_of(tmp_path, "slow")
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(grpc.RpcError):
            next(call)
    assert gone(worker)


def test_a_worker_that_dies_is_a_fault_with_an_id(
    slow: tuple[subprocess.Popen[str], str], tmp_path: Path
) -> None:
    with grpc.insecure_channel(slow[1]) as channel:
        call = start(channel, "slow")
        os.kill(worker_of(tmp_path, "slow"), signal.SIGKILL)
        with pytest.raises(grpc.RpcError) as raised:
            next(call)
        assert raised.value.code() is grpc.StatusCode.INTERNAL
        details = raised.value.details() or ""
        assert details.startswith("TS0809: ")
        assert "Traceback" not in details
        assert proved(start(channel, "soon")) == ["soon"]


def test_a_worker_that_dies_at_rest_is_nobodys_fault(
    slow: tuple[subprocess.Popen[str], str], tmp_path: Path
) -> None:
    with grpc.insecure_channel(slow[1]) as channel:
        assert proved(start(channel, "soon")) == ["soon"]
        worker = worker_of(tmp_path, "soon")
        os.kill(worker, signal.SIGKILL)
        assert gone(worker)
        # Its first thread may be gone before the others are.
        assert eventually(lambda: len(list(Path(f"/proc/{worker}/task").glob("*"))) <= 1)
        assert proved(start(channel, "soon")) == ["soon"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_stops_in_the_middle_of_a_call_that_does_not_end(
    impatient: tuple[subprocess.Popen[str], str], tmp_path: Path, number: signal.Signals
) -> None:
    process, address = impatient
    with grpc.insecure_channel(address) as channel:
        stub: Any = rules_pb2_grpc.RuleServiceStub(channel)
        call = stub.SearchRules.future(rules_pb2.SearchRulesRequest(words="slow"))
        assert worker_of(tmp_path, "slow") == process.pid
        process.send_signal(number)
        assert process.wait(timeout=60) == 0
        assert call.code() is not grpc.StatusCode.OK
    assert process.stdout is not None
    assert "a call that did not end" in process.stdout.read()


def test_a_scenario_that_does_not_end_frees_its_worker(
    slow: tuple[subprocess.Popen[str], str], tmp_path: Path
) -> None:
    with grpc.insecure_channel(slow[1]) as channel:
        stub = scenario_pb2_grpc.ScenarioServiceStub(channel)
        files = [common_pb2.SourceFile(name="slow")]
        call = stub.Check(scenario_pb2.CheckRequest(files=files), timeout=60)
        worker = worker_of(tmp_path, "slow")
        with pytest.raises(grpc.RpcError) as raised:
            list(call)
        assert raised.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        assert (raised.value.details() or "").startswith(
            "TS0810: a part of it takes longer than 10 "
        )
        assert gone(worker)


def slow_calls(channel: grpc.Channel) -> dict[str, Callable[[float | None], Any]]:
    """Calls that a worker takes long over, by their names; each takes its deadline."""
    scenarios: Any = scenario_pb2_grpc.ScenarioServiceStub(channel)
    conformance: Any = conformance_pb2_grpc.ConformanceServiceStub(channel)
    file = common_pb2.SourceFile(name="slow")
    start = conformance_pb2.ConformRequest(start=conformance_pb2.ConformStart())
    check, ask = scenario_pb2.CheckRequest(files=[file]), scenario_pb2.AskRequest(file=file)
    layout = scenario_pb2.FormatRequest(file=file)
    return {
        "Check": lambda timeout: scenarios.Check(check, timeout=timeout),
        "Ask": lambda timeout: scenarios.Ask.future(ask, timeout=timeout),
        "Format": lambda timeout: scenarios.Format.future(layout, timeout=timeout),
        "Conform": lambda timeout: conformance.Conform(iter([start]), timeout=timeout),
    }


@pytest.mark.parametrize("name", ["Check", "Ask", "Format", "Conform"])
def test_any_call_that_is_given_up_or_late_frees_its_worker(
    slow: tuple[subprocess.Popen[str], str], tmp_path: Path, name: str
) -> None:
    with grpc.insecure_channel(slow[1]) as channel:
        begin = slow_calls(channel)[name]
        call = begin(None)
        worker = worker_of(tmp_path, "slow")
        call.cancel()
        assert gone(worker)
        (tmp_path / "slow").unlink()
        # A worker that has done something already does not need the time to start.
        assert proved(start(channel, "soon")) == ["soon"]
        call = begin(4)
        worker = worker_of(tmp_path, "slow")
        assert call.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        assert gone(worker)


def resident_bytes(process: int) -> int:
    """The memory that a process has."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_a_caller_that_does_not_read_stops_the_work(
    slow: tuple[subprocess.Popen[str], str], tmp_path: Path
) -> None:
    """All results together have 320 MB; the few that fill what lies between are made."""
    process, address = slow
    with grpc.insecure_channel(address) as channel:
        list(start(channel, "soon"))
        before = resident_bytes(process.pid)
        stub = scenario_pb2_grpc.ScenarioServiceStub(channel)
        files = [common_pb2.SourceFile(name="many")]
        call = stub.Check(scenario_pb2.CheckRequest(files=files))
        made = tmp_path / "many"
        assert eventually(made.exists)

        def rests() -> bool:
            count = made.read_text()
            time.sleep(1)
            return count == made.read_text() != ""

        assert eventually(rests)
        assert int(made.read_text()) < 500
        assert resident_bytes(process.pid) - before < 64 * 1024 * 1024
        assert healthy(channel)
        # Once it reads, everything comes.
        assert sum(1 for _ in call) == MANY + 1


def test_callers_that_do_not_read_lose_their_workers(tmp_path: Path) -> None:
    """There are as many of them as workers; all the same, another caller is answered."""
    command = ("-m", "tests.server.slow_server", str(tmp_path), ANY_PORT, "10", "1")
    with (
        server_process(*command) as (_, address),
        grpc.insecure_channel(address, OWN_CONNECTION) as idle,
        grpc.insecure_channel(address, OWN_CONNECTION) as channel,
    ):
        many = scenario_pb2.CheckRequest(files=[common_pb2.SourceFile(name="many")])
        stub = scenario_pb2_grpc.ScenarioServiceStub(idle)
        unread = [stub.Check(many) for _ in range(max(2, os.cpu_count() or 1))]
        assert eventually((tmp_path / "many").exists)
        assert proved(start(channel, "soon", timeout=60)) == ["soon"]
        for call in unread:
            with pytest.raises(grpc.RpcError) as raised:
                list(call)
            assert raised.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
            assert (raised.value.details() or "").startswith("TS0814: a reply was not read for 1 ")


WATCHING = """\
import sys, grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
watch = health_pb2_grpc.HealthStub(grpc.insecure_channel(sys.argv[1])).Watch
for each in watch(health_pb2.HealthCheckRequest()):
    print(each.status, flush=True)
"""


def test_a_caller_that_is_silently_gone_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is halted answers as little as one whose machine has lost its power."""
    monkeypatch.setattr(run, "ASK_SECONDS", 1.0)
    monkeypatch.setattr(run, "REPLY_SECONDS", 1.0)
    metrics = f"127.0.0.1:{free_port()}"
    watching = 'truthsayer_calls_in_progress{method="/grpc.health.v1.Health/Watch"}'
    with (
        server_in_thread(Settings(metrics=metrics)) as address,
        subprocess.Popen([sys.executable, "-c", WATCHING, address], stdout=subprocess.PIPE) as who,
    ):
        try:
            assert who.stdout is not None
            assert who.stdout.readline() == b"1\n"
            assert figures(metrics)[watching] == 1
            who.send_signal(signal.SIGSTOP)
            assert eventually(lambda: figures(metrics)[watching] == 0, 60)
        finally:
            who.kill()


def test_endless_calls_are_told_that_the_server_stops(
    slow: tuple[subprocess.Popen[str], str], tmp_path: Path
) -> None:
    """Health says first that it does not serve, and a call in progress may still end."""
    process, address = slow
    with grpc.insecure_channel(address) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        watch = health.Watch(health_pb2.HealthCheckRequest(service=""))
        assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
        call = start(channel, "soon")
        worker_of(tmp_path, "soon")
        process.terminate()
        assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
        code, problem = refused(lambda: watch)
        assert (code, problem.code) == (grpc.StatusCode.UNAVAILABLE, "TS0868")
        assert proved(call) == ["soon"]
    assert process.wait(timeout=60) == 0
