"""Several processes answer on one port; one that dies is replaced, and none is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.server.postgres import postgres_server
from tests.server.running import ANY_PORT, ROOT, server_process
from tests.server.test_observing import figures, free_port
from tests.server.test_stopping import eventually, gone
from truthsayer.v1 import rules_pb2, rules_pb2_grpc

Server = tuple[subprocess.Popen[str], str]


@contextmanager
def servers(*arguments: str, **variables: str) -> Iterator[Server]:
    """Two server processes and the one that started them."""
    command = ("-m", "truthsayer", "serve", "--listen", ANY_PORT, "--processes", "2")
    with server_process(*command, *arguments, **variables) as server:
        yield server


def listening(address: str) -> set[int]:
    """The processes that listen at an address."""
    port = int(address.rpartition(":")[2])
    sockets = {
        line.split()[9]
        for table in ("tcp", "tcp6")
        for line in Path("/proc/net", table).read_text().splitlines()[1:]
        if line.split()[1].endswith(f":{port:04X}") and line.split()[3] == "0A"
    }
    found = set()
    for entry in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            target = os.readlink(entry)
        except OSError:
            continue
        if target.removeprefix("socket:[").removesuffix("]") in sockets:
            found.add(int(entry.parts[2]))
    return found


def answers(address: str) -> bool:
    """Whether a call by a new connection is answered; one that is refused is tried again."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    for _ in range(5):
        with grpc.insecure_channel(address, options) as channel:
            stub: Any = rules_pb2_grpc.RuleServiceStub(channel)
            request = rules_pb2.GetRuleRequest(id="UPR-WALL-003")
            call = stub.GetRule.future(request, timeout=10)
            if call.code() is grpc.StatusCode.OK:
                return bool(call.result().rule.id == request.id)
            if call.code() is not grpc.StatusCode.UNAVAILABLE:
                return False
    return False


def test_two_processes_answer_and_one_that_is_killed_comes_back() -> None:
    with servers() as (process, address):
        first = listening(address)
        assert len(first) == 2
        assert process.pid not in first
        assert all(answers(address) for _ in range(10))
        killed = min(first)
        os.kill(killed, signal.SIGKILL)
        assert all(answers(address) for _ in range(10))
        assert eventually(lambda: len(listening(address) - {killed}) == 2, 30)
        assert all(answers(address) for _ in range(10))
        last = listening(address)
        process.terminate()
        assert process.wait(timeout=30) == 0
        assert all(gone(each) for each in last)
        assert process.stdout is not None
        said = process.stdout.read()
    assert "a server process died" in said
    assert said.endswith("stopped\n")
    assert "Traceback" not in said


def test_a_first_process_that_is_killed_takes_the_others_along() -> None:
    with servers() as (process, address):
        others = listening(address)
        process.kill()
        process.wait()
        assert len(others) == 2
        assert all(gone(each) for each in others)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_all_of_them_ends_all_of_them(number: signal.Signals) -> None:
    with servers() as (process, address):
        others = listening(address)
        os.killpg(process.pid, number)
        assert process.wait(timeout=30) == 0
        assert all(gone(each) for each in others)


@pytest.mark.parametrize("signalled", [os.kill, os.killpg])
def test_servers_that_are_told_to_stop_while_they_start_do_not_start_first(
    signalled: Callable[[int, int], None], tmp_path: Path
) -> None:
    """The store is made by the first of ten; none of the others is waited for."""
    store = tmp_path / "sessions.sqlite"
    command = ("-m", "truthsayer", "serve", "--listen", ANY_PORT, "--processes", "10")
    with subprocess.Popen(
        [sys.executable, *command, "--store", str(store)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert eventually(store.exists, 60)
            signalled(process.pid, signal.SIGTERM)
            said, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0
    assert " serves on " not in said
    assert "Traceback" not in said


def test_a_port_that_others_share_is_told() -> None:
    with servers() as (_, address):
        for processes in ("1", "2"):
            command = ("serve", "--listen", address, "--processes", processes)
            done = truthsayer(*command)
            assert done.returncode == 2
            assert f"TS0706: cannot listen on `{address}`" in done.stderr


def test_why_the_first_process_does_not_start_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = str(tmp_path / "file" / "sessions.sqlite")
    done = truthsayer("serve", "--listen", ANY_PORT, "--processes", "2", "--store", store)
    assert done.returncode == 2
    assert "TS0840: the store cannot be used" in done.stderr
    assert "Traceback" not in done.stderr


def truthsayer(*arguments: str) -> subprocess.CompletedProcess[str]:
    from tests.truthsayer.test_no_traceback import truthsayer as run

    return run(*arguments)


def test_processes_share_postgresql_and_each_shows_its_own_figures() -> None:
    port = free_port()
    with (
        postgres_server() as store,
        servers("--metrics", f"127.0.0.1:{port}", TRUTHSAYER_STORE=store) as (_, address),
    ):
        assert all(answers(address) for _ in range(10))
        started = [
            figures(f"127.0.0.1:{port + number}")["process_start_time_seconds"]
            for number in range(2)
        ]
        counted = [
            sum(
                value
                for name, value in figures(f"127.0.0.1:{port + number}").items()
                if "_calls_total" in name
            )
            for number in range(2)
        ]
    assert started[0] != started[1]
    assert sum(counted) == 10
