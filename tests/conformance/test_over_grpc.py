"""Adapters that are servers: good ones, and all the ways in which one can be none."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from conformance.adapters.reference import Adapter
from conformance.adapters.serving import serve
from conformance.faults import (
    CLOSED,
    GARBAGE,
    NOT_STARTED,
    SLOW,
    TOO_LONG,
    AdapterFault,
)
from conformance.messages import Answers, Describe, Described, Done, Failed, Finish
from conformance.over_grpc import OverGrpc
from conformance.protobuf import answers_message
from conformance.target import Target, connect, greeted
from truthsayer.v1 import adapter_pb2

ENOUGH = 60.0
MOST_BYTES = 1 << 20
ABOUT = Described("served", "1", ("uprising",))

Batches = Iterator[adapter_pb2.PlayRequest]
Playing = Callable[[Batches, grpc.ServicerContext], Iterator[bytes]]

SERVICE = "truthsayer.v1.AdapterService"


@pytest.fixture
def serving() -> Iterator[Callable[..., str]]:
    """Serves what a test plays, as raw bytes, and gives the address."""
    servers: list[grpc.Server] = []

    def start(play: Playing, service: str = SERVICE) -> str:
        handler: grpc.RpcMethodHandler[Any, Any] = grpc.stream_stream_rpc_method_handler(
            play, request_deserializer=adapter_pb2.PlayRequest.FromString
        )
        server = grpc.server(ThreadPoolExecutor(4))
        handlers = grpc.method_handlers_generic_handler(service, {"Play": handler})
        server.add_generic_rpc_handlers((handlers,))
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        servers.append(server)
        return f"127.0.0.1:{port}"

    yield start
    for server in servers:
        server.stop(None).wait()


def connected(address: str, seconds: float = ENOUGH, start_seconds: float = ENOUGH) -> OverGrpc:
    """A connection with the limits of these tests."""
    return OverGrpc(address, seconds=seconds, start_seconds=start_seconds, most_bytes=MOST_BYTES)


def said(batch: int, *answers: Any) -> bytes:
    """The bytes of some answers."""
    return answers_message(Answers(batch, answers)).SerializeToString()


def hangs(batches: Batches, _: grpc.ServicerContext) -> Iterator[bytes]:
    """Reads on and on."""
    for _each in batches:
        pass
    yield b""


def closes(batches: Batches, _: grpc.ServicerContext) -> Iterator[bytes]:
    """Ends the stream after the first batch."""
    next(batches)
    yield from ()


def fails(batches: Batches, _: grpc.ServicerContext) -> Iterator[bytes]:
    """Has a defect."""
    next(batches)
    raise ValueError("no licence found")
    yield b""


def aborts(_: Batches, context: grpc.ServicerContext) -> Iterator[bytes]:
    """Refuses to talk."""
    context.abort(grpc.StatusCode.PERMISSION_DENIED, "not for you")
    yield b""


def sends_garbage(batches: Batches, _: grpc.ServicerContext) -> Iterator[bytes]:
    """Bytes that are no message."""
    next(batches)
    yield b"\xff\xff\xff\xff"


def sends_no_json(batches: Batches, _: grpc.ServicerContext) -> Iterator[bytes]:
    """A message with something else where JSON should be."""
    next(batches)
    done = adapter_pb2.CallAnswer(done=adapter_pb2.Done(observation="round 1"))
    yield adapter_pb2.PlayResponse(id=1, answers=[done]).SerializeToString()


def nests_without_end(batches: Batches, _: grpc.ServicerContext) -> Iterator[bytes]:
    """JSON that no reader should follow to its end."""
    next(batches)
    done = adapter_pb2.CallAnswer(done=adapter_pb2.Done(observation='{"a":' + "[" * 100_000))
    yield adapter_pb2.PlayResponse(id=1, answers=[done]).SerializeToString()


def says_nothing(batches: Batches, _: grpc.ServicerContext) -> Iterator[bytes]:
    """An answer without a kind."""
    next(batches)
    yield adapter_pb2.PlayResponse(id=1, answers=[adapter_pb2.CallAnswer()]).SerializeToString()


def answers_another_batch(batches: Batches, _: grpc.ServicerContext) -> Iterator[bytes]:
    """An answer to what was asked before."""
    yield said(next(batches).id - 1, ABOUT)


def answers_too_many(batches: Batches, _: grpc.ServicerContext) -> Iterator[bytes]:
    """Two answers to a call."""
    yield said(next(batches).id, ABOUT, ABOUT)


def sends_too_much(batches: Batches, _: grpc.ServicerContext) -> Iterator[bytes]:
    """An answer that is longer than the limit."""
    yield said(next(batches).id, Failed("x" * (2 * MOST_BYTES)))


FAULTS: dict[Playing, tuple[str, str]] = {
    closes: (CLOSED, "it closed the stream"),
    fails: (CLOSED, "UNKNOWN: .*no licence found"),
    aborts: (CLOSED, "PERMISSION_DENIED: not for you"),
    sends_garbage: (GARBAGE, "the stream ended with INTERNAL"),
    sends_no_json: (GARBAGE, "an answer that is none: JSON is malformed"),
    nests_without_end: (GARBAGE, "an answer that is none"),
    says_nothing: (GARBAGE, "an answer that says nothing"),
    answers_another_batch: (GARBAGE, "it answered batch 0 where batch 1 was asked"),
    answers_too_many: (GARBAGE, "it gave 2 answers to 1 calls"),
    sends_too_much: (TOO_LONG, "an answer of more than 1048576 bytes"),
}


@pytest.mark.parametrize("play", FAULTS, ids=lambda play: play.__name__)
def test_a_fault_has_its_kind_and_says_what_happened(
    play: Playing, serving: Callable[..., str]
) -> None:
    kind, words = FAULTS[play]
    with pytest.raises(AdapterFault) as found:
        connected(serving(play)).ask([Describe()])
    assert found.value.kind == kind
    assert re.search(words, found.value.message)


def test_no_answer_in_time_is_a_time_out_and_the_end(serving: Callable[..., str]) -> None:
    connection = connected(serving(hangs), seconds=0.3)
    with pytest.raises(AdapterFault, match=r"no answer within 0\.3 s") as late:
        connection.ask([Describe()])
    assert late.value.kind == SLOW
    with pytest.raises(AdapterFault, match="the kit has left it"):
        connection.ask([Describe()])


def test_a_server_that_floods_is_not_kept_in_memory(serving: Callable[..., str]) -> None:
    sent = 0

    def floods(batches: Batches, _: grpc.ServicerContext) -> Iterator[bytes]:
        nonlocal sent
        message = said(next(batches).id, Failed("x" * (MOST_BYTES // 2)))
        for _each in range(1000):
            sent += 1
            yield message

    connection = connected(serving(floods))
    connection.ask([Describe()])
    before = -1
    while before != sent:  # until the server has to wait
        before = sent
        time.sleep(0.3)
    assert sent < 100
    with pytest.raises(AdapterFault, match="it answered batch 1 where batch 2 was asked"):
        connection.ask([Describe()])


def test_another_service_is_told(serving: Callable[..., str]) -> None:
    with pytest.raises(AdapterFault, match="does not serve `truthsayer") as no:
        connected(serving(closes, "other.Service")).ask([Describe()])
    assert no.value.kind == CLOSED


def test_a_server_that_is_not_there_is_not_started() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(AdapterFault, match=f"no gRPC server answers at `{address}`") as no:
        connected(address, start_seconds=0.3)
    assert no.value.kind == NOT_STARTED


def test_a_server_of_another_kind_is_not_started() -> None:
    with socket.create_server(("127.0.0.1", 0)) as web:
        threading.Thread(target=_speak_http, args=(web,), daemon=True).start()
        with pytest.raises(AdapterFault, match="no gRPC server answers") as no:
            connected(f"127.0.0.1:{web.getsockname()[1]}", start_seconds=0.5)
    assert no.value.kind == NOT_STARTED


def _speak_http(web: socket.socket) -> None:
    try:
        while True:
            with web.accept()[0] as one:
                one.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    except OSError:
        return


def test_a_server_that_dies_is_a_fault_and_a_new_one_is_found() -> None:
    server, port = serve(Adapter)
    connection = connected(f"127.0.0.1:{port}")
    connection.ask([Describe()])
    server.stop(None).wait()
    with pytest.raises(AdapterFault) as dead:
        connection.ask([Describe()])
    assert dead.value.kind == CLOSED
    server, _ = serve(Adapter, port)
    again = connected(f"127.0.0.1:{port}")
    assert len(again.ask([Describe(), Finish()])) == 2
    again.close()
    server.stop(None).wait()


def test_each_stream_has_a_game_of_its_own_and_leaving_ends_the_thread() -> None:
    server, port = serve(Adapter)
    target = Target(address=f"127.0.0.1:{port}")
    connections = [connect(target) for _ in range(3)]
    assert [each for each in threading.enumerate() if target.address in each.name]
    assert {greeted(each, target).name for each in connections} == {"truthsayer"}
    assert connections[0].ask([Finish()]) == [Done()]
    for each in connections:
        each.close()
        each.close()
    server.stop(None).wait()
    assert not [each for each in threading.enumerate() if target.address in each.name]


def test_the_program_prints_its_port_and_ends_when_told() -> None:
    command = [sys.executable, "-m", "conformance.adapters.serving", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        port = int(program.stdout.readline())
        target = Target(address=f"127.0.0.1:{port}")
        connection = connect(target)
        assert greeted(connection, target).name == "truthsayer"
        connection.close()
        program.terminate()
        assert program.wait() == 0
