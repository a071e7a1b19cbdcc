"""One server: services, health and reflection on a port, until it is told to stop."""

from __future__ import annotations

import asyncio
import errno
import socket
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from rules_engine.kernel.errors import TruthsayerError
from server.addresses import Address, read_address
from server.answers.preparing import prepare, prepare_search
from server.authorising import Authorising
from server.draining import Draining
from server.encryption import credentials
from server.errors import PlainErrors
from server.figures import Figures, shown_at
from server.observing import Observing
from server.services import (
    ConformanceService,
    EngineService,
    RuleService,
    ScenarioService,
    VerifierService,
)
from server.sessions.service import SessionService
from server.settings import Settings, store_address
from server.store.database import open_database
from server.store.sessions import SessionStore
from server.traces import traces_to
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
    session_pb2,
    session_pb2_grpc,
    verifier_pb2,
    verifier_pb2_grpc,
)

COUNT_SECONDS = 15.0
"""How often the sessions in the store are counted."""

REMEDY: dict[int | None, str] = {
    errno.EADDRINUSE: "another program has the port: try another, or 0 for any that is free",
    errno.EACCES: "ports below 1024 are not for everybody: take one above, or let the server have "
    "CAP_NET_BIND_SERVICE",
    None: "see that the host is one of this machine's: 127.0.0.1 for its own programs, 0.0.0.0 for "
    "whoever reaches it",
}
"""What to do about an address that cannot be had, by what the system says."""

HEARD_SECONDS = 0.1
"""How long those who watch the health have to hear that the server stops."""

ASK_SECONDS = 60.0
"""How long a connection may be silent until it is asked whether anybody is there."""

REPLY_SECONDS = 20.0
"""How long the answer to that may take. Without one the calls of the connection are ended."""

SERVICES = tuple(
    service.full_name
    for file in (conformance_pb2, engine_pb2, rules_pb2, scenario_pb2, session_pb2, verifier_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
)

SESSIONS = session_pb2.DESCRIPTOR.services_by_name["SessionService"].full_name


class Pools(NamedTuple):
    """Worker processes for each kind of call: none waits for those that take longer."""

    quick: Workers
    """For what is answered at once."""

    scenarios: Workers
    proofs: Workers
    """For proofs and tests of implementations, which may take minutes."""


async def run(
    settings: Settings,
    on_ready: Callable[[str], None],
    stop: asyncio.Event,
    number: int = 0,
    shares_port: bool = False,
) -> None:
    """Serve until `stop` is set; then finish the calls in progress and leave.

    `on_ready` is told the address in use: with port 0 the system picks a free one. Of several
    processes that share a port, each has a number, from 0 on.
    """
    prepare_search()
    prepare()
    figures = Figures()
    traces = traces_to(settings.traces)
    draining = Draining()
    database = figures.timed(open_database(store_address(settings), settings.synchronous))
    pools = Pools(
        quick=Workers(ready=0),
        scenarios=Workers(),
        proofs=Workers(ready=0, longest_proof=settings.limits.proof_seconds),
    )
    sessions = SessionService(database, settings.limits)
    _show_workers(figures, pools)
    # In this order, from the outside: the first sees how every call ends, and who calls is asked
    # before a request is read.
    authorising = Authorising(database, settings)
    interceptors = [Observing(figures, traces), authorising, PlainErrors(), draining]
    server = grpc.aio.server(interceptors=interceptors, options=_options(settings, shares_port))
    try:
        address = _bind(server, settings, shares_port)
        healthy = _add_services(server, sessions, pools)
        with shown_at(figures, _metrics_address(settings, number)):
            await server.start()
            for name in ("", *SERVICES):
                await healthy.set(name, health_pb2.HealthCheckResponse.SERVING)
            sessions.start()
            store = SessionStore(database)
            watching = asyncio.create_task(_watch_store(store, figures, healthy))
            on_ready(address)
            await stop.wait()
            watching.cancel()
            await healthy.enter_graceful_shutdown()
            await asyncio.sleep(HEARD_SECONDS)
            draining.begin()
            sessions.leave()
            await server.stop(settings.drain_seconds)
    finally:
        await server.stop(0)
        sessions.close()
        authorising.close()
        for workers in pools:
            workers.close()
        database.close()
        if traces is not None:
            traces.close()


def _options(settings: Settings, shares_port: bool) -> list[tuple[str, int]]:
    """How gRPC is to work. Servers that know nothing of each other must not share a port."""
    return [
        ("grpc.so_reuseport", int(shares_port)),
        ("grpc.max_receive_message_length", settings.limits.message_bytes),
        # A caller whose machine is gone says nothing, and would hold its subscriptions for hours.
        ("grpc.keepalive_time_ms", round(1000 * ASK_SECONDS)),
        ("grpc.keepalive_timeout_ms", round(1000 * REPLY_SECONDS)),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.http2.ping_timeout_ms", round(1000 * REPLY_SECONDS)),
    ]


def _bind(server: grpc.aio.Server, settings: Settings, shares_port: bool) -> str:
    """Take the port and give the address in use."""
    listen = read_address(settings.listen)
    encrypted = credentials(settings.tls)
    try:
        if not shares_port:
            see_that_it_is_free(listen)
        if encrypted is None:
            chosen = server.add_insecure_port(settings.listen)
        else:
            chosen = server.add_secure_port(settings.listen, encrypted)
    except (OSError, RuntimeError) as error:
        raise cannot_listen(settings.listen, error) from error
    return str(Address(listen.host, chosen))


def see_that_it_is_free(listen: Address) -> tuple[socket.AddressFamily, Any]:
    """Take an address for a moment, and give it as sockets name it.

    It says why an address cannot be had; gRPC tells that to nobody but standard error.
    """
    found = socket.getaddrinfo(listen.bare_host, listen.port, type=socket.SOCK_STREAM)
    family, _, _, _, where = found[0]
    with socket.socket(family) as alone:
        alone.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        alone.bind(where)
        return family, alone.getsockname()


def cannot_listen(listen: str, error: Exception) -> TruthsayerError:
    """The error for an address that cannot be had."""
    number = error.errno if isinstance(error, OSError) else None
    why = f": {error.strerror.lower()}" if isinstance(error, OSError) and error.strerror else ""
    return TruthsayerError(
        "TS0706", f"cannot listen on `{listen}`{why}", help=REMEDY.get(number, REMEDY[None])
    )


def _add_services(
    server: grpc.aio.Server, sessions: SessionService, pools: Pools
) -> health.aio.HealthServicer:
    """Add everything we serve, and give the health that is to be set."""
    engine_pb2_grpc.add_EngineServiceServicer_to_server(EngineService(pools.quick), server)
    rules_pb2_grpc.add_RuleServiceServicer_to_server(RuleService(pools.quick), server)
    scenario_service = ScenarioService(pools.scenarios)
    scenario_pb2_grpc.add_ScenarioServiceServicer_to_server(scenario_service, server)
    verifier_pb2_grpc.add_VerifierServiceServicer_to_server(VerifierService(pools.proofs), server)
    conformance_service = ConformanceService(pools.proofs)
    conformance_pb2_grpc.add_ConformanceServiceServicer_to_server(conformance_service, server)
    session_pb2_grpc.add_SessionServiceServicer_to_server(sessions, server)
    healthy = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(healthy, server)
    reflection.enable_server_reflection(
        (*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME), server
    )
    return healthy


def _metrics_address(settings: Settings, number: int) -> Address | None:
    """Where the process of this number shows its figures: each has a port of its own."""
    if not settings.metrics:
        return None
    first = read_address(settings.metrics)
    return first._replace(port=first.port + number) if first.port else first


async def _watch_store(
    store: SessionStore, figures: Figures, healthy: health.aio.HealthServicer
) -> None:
    """Count the sessions from time to time; while the store does not answer, they are not healthy.

    Whoever reads the figures need not wait for the store, and what needs none stays healthy.
    """
    while True:
        try:
            figures.sessions.set(await asyncio.to_thread(store.count, time.time()))
            await healthy.set(SESSIONS, health_pb2.HealthCheckResponse.SERVING)
        except TruthsayerError:  # it is in the log
            await healthy.set(SESSIONS, health_pb2.HealthCheckResponse.NOT_SERVING)
        await asyncio.sleep(COUNT_SECONDS)


def _show_workers(figures: Figures, pools: Pools) -> None:
    figures.show(
        "truthsayer_workers_busy",
        "Worker processes with a job.",
        lambda: sum(workers.busy for workers in pools),
    )
    figures.show(
        "truthsayer_workers_waiting",
        "Calls that wait for a worker.",
        lambda: sum(workers.waiting for workers in pools),
    )
