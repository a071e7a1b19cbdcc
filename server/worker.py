"""A worker process: takes one job after the other and sends its replies back.

Scenarios and proofs run here, because a solver neither shares a process with another one nor lets
go when it is told to; a process can be killed.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from typing import Any, Literal, NamedTuple

from google.protobuf.message import Message

from conformance.faults import CLOSED, SLOW, AdapterFault
from rules_engine.kernel.errors import TruthsayerError
from server.answers import conformance, proofs, scenarios
from server.answers.messages import problem
from server.logs import through
from truthsayer.v1 import conformance_pb2, scenario_pb2, verifier_pb2

JobName = Literal["check", "ask", "format", "list_properties", "prove", "conform"]


class Sent(NamedTuple):
    """What a worker sends: any number of replies and questions, then one of the other kinds.

    A question is a reply after which the worker waits for what the caller says to it. The body of a
    problem is the message `Problem`; that of a fault is what it came through, for our log.
    """

    kind: Literal["reply", "question", "done", "problem", "fault"]
    body: bytes = b""


class Heard(NamedTuple):
    """What comes after a question: a message of the caller, or the reason why there is none."""

    kind: Literal["message", "closed", "slow"]
    body: bytes = b""


class Job(NamedTuple):
    """A job: how to read its request, and what answers it."""

    request: type[Message]
    answer: Callable[[Any], Iterable[Message]]


def _one(answer: Callable[[Any], Message]) -> Callable[[Any], Iterable[Message]]:
    """An answer of one message as one of many."""
    return lambda request: (answer(request),)


JOBS: dict[JobName, Job] = {
    "check": Job(scenario_pb2.CheckRequest, scenarios.check),
    "ask": Job(scenario_pb2.AskRequest, _one(scenarios.ask)),
    "format": Job(scenario_pb2.FormatRequest, _one(scenarios.format_text)),
    "list_properties": Job(verifier_pb2.ListPropertiesRequest, _one(proofs.list_properties)),
    "prove": Job(verifier_pb2.ProveRequest, proofs.prove),
}


def work(connection: Connection) -> None:
    """Do jobs until the server is gone."""
    # A signal to the whole group must not take the worker from a server that still drains.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_leave_with_the_server, daemon=True).start()
    while True:
        try:
            name, request = connection.recv()
        except EOFError:
            return
        _do(name, request, connection)


def _reply(job: Job, request: bytes, connection: Connection) -> None:
    for reply in job.answer(job.request.FromString(request)):
        connection.send(Sent("reply", reply.SerializeToString()))


def _converse(request: bytes, connection: Connection) -> None:
    """The one job in which the caller is asked, too."""

    def send(reply: conformance_pb2.ConformResponse) -> None:
        asks = reply.WhichOneof("response") == "calls"
        connection.send(Sent("question" if asks else "reply", reply.SerializeToString()))

    def receive() -> conformance_pb2.ConformRequest:
        heard: Heard = connection.recv()
        if heard.kind == "closed":
            raise AdapterFault(CLOSED, "the caller closed its stream")
        if heard.kind == "slow":
            raise AdapterFault(SLOW, "no answer of the caller came in time")
        return conformance_pb2.ConformRequest.FromString(heard.body)

    conformance.conform(conformance_pb2.ConformRequest.FromString(request), send, receive)


def _do(name: JobName, request: bytes, connection: Connection) -> None:
    """Do a job, and say how it ended."""
    try:
        if name == "conform":
            _converse(request, connection)
        else:
            _reply(JOBS[name], request, connection)
        connection.send(Sent("done"))
    except TruthsayerError as error:
        connection.send(Sent("problem", problem(error).SerializeToString()))
    except Exception as error:
        connection.send(Sent("fault", f"{type(error).__name__} {through(error)}".encode()))


def _leave_with_the_server() -> None:
    """Die with a server that was killed, even in the middle of a proof."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
    os._exit(1)
