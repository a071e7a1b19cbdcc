"""A worker process: takes one job after the other and sends its replies back.

Batches of positions run here, because the processes share all cores; scenarios and proofs, because
a solver neither shares a process with another one nor lets go when it is told to. A process can be
killed.
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
from server.answers import (
    conformance,
    coverage,
    engine,
    printed,
    proofs,
    rulings,
    scenarios,
)
from server.answers.messages import problem
from server.answers.preparing import prepare
from server.logs import through
from truthsayer.v1 import (
    conformance_pb2,
    engine_pb2,
    rules_pb2,
    scenario_pb2,
    verifier_pb2,
)

JobName = Literal[
    "check", "ask", "format", "export", "evaluate", "replay", "get_ruling", "get_card",
    "get_coverage", "list_properties", "prove", "conform",
]  # fmt: skip


class Sent(NamedTuple):
    """What a worker sends: any number of replies and questions, then one of the other kinds.

    A question is a reply after which the worker waits for what the caller says to it. The only
    reply of a job is the end of it, too. The body of a problem is the message `Problem`; that of a
    fault is what it came through, for our log.
    """

    kind: Literal["reply", "question", "only", "done", "problem", "fault"]
    body: bytes = b""


class Heard(NamedTuple):
    """What comes after a question: a message of the caller, or the reason why there is none."""

    kind: Literal["message", "closed", "slow"]
    body: bytes = b""


class Job(NamedTuple):
    """A job: how to read its request, and what answers it with one message or with many."""

    request: type[Message]
    one: Callable[[Any], Message] | None = None
    many: Callable[[Any], Iterable[Message]] | None = None


JOBS: dict[JobName, Job] = {
    "check": Job(scenario_pb2.CheckRequest, many=scenarios.check),
    "ask": Job(scenario_pb2.AskRequest, scenarios.ask),
    "format": Job(scenario_pb2.FormatRequest, scenarios.format_text),
    "export": Job(scenario_pb2.ExportRequest, many=scenarios.export),
    "evaluate": Job(engine_pb2.EvaluateRequest, engine.evaluate),
    "replay": Job(engine_pb2.ReplayRequest, engine.replay),
    "get_ruling": Job(rules_pb2.GetRulingRequest, rulings.get_ruling),
    "get_card": Job(rules_pb2.GetCardRequest, printed.get_card),
    "get_coverage": Job(rules_pb2.GetCoverageRequest, coverage.get_coverage),
    "list_properties": Job(verifier_pb2.ListPropertiesRequest, proofs.list_properties),
    "prove": Job(verifier_pb2.ProveRequest, many=proofs.prove),
}


def work(connection: Connection) -> None:
    """Do jobs until the server is gone."""
    # A signal to the whole group must not take the worker from a server that still drains.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_leave_with_the_server, daemon=True).start()
    prepare()
    while True:
        try:
            name, request = connection.recv(), connection.recv_bytes()
        except EOFError:
            return
        _do(name, request, connection)


def _reply(job: Job, request: bytes, connection: Connection) -> None:
    message = job.request.FromString(request)
    if job.one is not None:
        connection.send(Sent("only", job.one(message).SerializeToString()))
        return
    assert job.many is not None
    for reply in job.many(message):
        connection.send(Sent("reply", reply.SerializeToString()))
    connection.send(Sent("done"))


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
    connection.send(Sent("done"))


def _do(name: JobName, request: bytes, connection: Connection) -> None:
    """Do a job, and say how it ended."""
    try:
        if name == "conform":
            _converse(request, connection)
        else:
            _reply(JOBS[name], request, connection)
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
