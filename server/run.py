"""The server: services, health and reflection on one port, until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from rules_engine.kernel.errors import TruthsayerError
from server.answers.preparing import prepare
from server.errors import PlainErrors
from server.services import (
    ConformanceService,
    EngineService,
    RuleService,
    ScenarioService,
    VerifierService,
)
from server.workers import Workers
from truthsayer.v1 import (
    conformance_pb2,
    conformance_pb2_grpc,
    engine_pb2,
    engine_pb2_grpc,
    rules_pb2,
    rules_pb2_grpc,
    scenario_pb2,
    scenario_pb2_grpc,
    verifier_pb2,
    verifier_pb2_grpc,
)

LARGEST_MESSAGE = 4 * 1024 * 1024
GRACE_SECONDS = 10.0
"""How long calls in progress may go on after the server is told to stop."""

LEAVING_SECONDS = 2.0
"""How long it may take after that to put everything away."""

LOG = logging.getLogger("truthsayer.server")

SERVICES = tuple(
    service.full_name
    for file in (conformance_pb2, engine_pb2, rules_pb2, scenario_pb2, verifier_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
)


async def run(listen: str, on_ready: Callable[[str], None], stop: asyncio.Event) -> None:
    """Serve on HOST:PORT until `stop` is set; then finish the calls in progress and leave.

    `on_ready` is told the address in use: with port 0 the system picks a free one.
    """
    prepare()
    # Two servers must not share a port unnoticed, each getting some of the calls.
    options = [
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", LARGEST_MESSAGE),
    ]
    server = grpc.aio.server(interceptors=[PlainErrors()], options=options)
    address = _bind(server, listen)
    workers = Workers()
    try:
        healthy = _add_services(server, workers)
        await server.start()
        for name in ("", *SERVICES):
            await healthy.set(name, health_pb2.HealthCheckResponse.SERVING)
        on_ready(address)
        await stop.wait()
        await healthy.enter_graceful_shutdown()
    finally:
        await server.stop(GRACE_SECONDS)
        workers.close()


def _bind(server: grpc.aio.Server, listen: str) -> str:
    """Take the port and give the address in use."""
    host, colon, port = listen.rpartition(":")
    if not (colon and host and port.isdecimal() and int(port) < 2**16):
        raise TruthsayerError(
            "TS0706", f"`{listen}` is not HOST:PORT", help="for example 127.0.0.1:50051"
        )
    try:
        chosen = server.add_insecure_port(listen)
    except RuntimeError as error:
        raise TruthsayerError(
            "TS0706",
            f"cannot listen on `{listen}`",
            help="another program may have the port: try another, or 0 for any that is free",
        ) from error
    return f"{host}:{chosen}"


def _add_services(server: grpc.aio.Server, workers: Workers) -> health.aio.HealthServicer:
    """Add everything we serve, and give the health that is to be set."""
    engine_pb2_grpc.add_EngineServiceServicer_to_server(EngineService(), server)
    rules_pb2_grpc.add_RuleServiceServicer_to_server(RuleService(), server)
    scenario_pb2_grpc.add_ScenarioServiceServicer_to_server(ScenarioService(workers), server)
    verifier_pb2_grpc.add_VerifierServiceServicer_to_server(VerifierService(workers), server)
    conformance_service = ConformanceService(workers)
    conformance_pb2_grpc.add_ConformanceServiceServicer_to_server(conformance_service, server)
    healthy = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(healthy, server)
    reflection.enable_server_reflection(
        (*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME), server
    )
    return healthy


def run_until_signal(listen: str, on_ready: Callable[[str], None]) -> None:
    """Serve until the process is interrupted or terminated."""

    async def main(certain_end: threading.Timer) -> None:
        stop = asyncio.Event()

        def leave() -> None:
            if not stop.is_set():
                stop.set()
                certain_end.start()

        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, leave)
        await run(listen, on_ready, stop)

    with _certain_end() as certain_end:
        asyncio.run(main(certain_end))


@contextmanager
def _certain_end() -> Iterator[threading.Timer]:
    """Once started, it ends the process if stopping takes too long: a thread cannot be told to."""
    timer = threading.Timer(GRACE_SECONDS + LEAVING_SECONDS, _leave_at_once)
    timer.daemon = True
    try:
        yield timer
    finally:
        timer.cancel()


def _leave_at_once() -> None:
    LOG.warning("stopped in the middle of a call that did not end")
    os._exit(0)
