"""Whatever is sent to whichever method: an answer or a status, in time, and the server lives on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pool import Default
from grpc_health.v1 import health_pb2, health_pb2_grpc
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.run import SERVICES
from tests.server.hostile_messages import damaged, messages, texts
from tests.server.running import server_process
from truthsayer.v1 import (
    common_pb2,
    engine_pb2,
    engine_pb2_grpc,
    scenario_pb2,
    scenario_pb2_grpc,
    session_pb2,
    session_pb2_grpc,
)

METHODS: dict[str, MethodDescriptor] = {
    f"/{service}/{method.name}": method
    for service in SERVICES
    for method in Default().FindServiceByName(service).methods
}
TRIES = 25
SECONDS = 90.0
"""More than any of these takes; a method that hangs is told by it."""

LONG = {
    "/truthsayer.v1.SessionService/Subscribe": 0.5,
    "/truthsayer.v1.ConformanceService/Conform": 3.0,
    "/truthsayer.v1.VerifierService/Prove": 3.0,
}
"""Methods that may go on as long as their caller waits, and how long that is here."""

OURS = frozenset({"INTERNAL", "UNKNOWN", "UNAVAILABLE", "UNIMPLEMENTED", "DATA_LOSS"})
"""Statuses for which the server would be to blame."""

MOST_GROWTH = 300 * 1024
"""KiB that the server may grow by: each worker process is one by itself."""


class Target:
    """A server in a process of its own, with a session that can be played."""

    def __init__(self, process: int, address: str) -> None:
        self.process = process
        self.channel = grpc.insecure_channel(address)
        setup = engine_pb2.NewGameRequest(product="uprising", players=["John", "Abby", "Ned"])
        engine = engine_pb2_grpc.EngineServiceStub(self.channel)
        sessions = session_pb2_grpc.SessionServiceStub(self.channel)
        self.position: str = engine.NewGame(setup).position
        self.begun = sessions.CreateSession(session_pb2.CreateSessionRequest(setup=setup))
        self.texts = texts((self.position, self.begun.session, '{"action": "reveal", "by": 0}'))

    def send(self, method: str, data: bytes, token: str) -> str:
        """The name of the status with which a call ends."""
        found = METHODS[method]
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        call: Any = {
            (False, False): self.channel.unary_unary,
            (False, True): self.channel.unary_stream,
            (True, True): self.channel.stream_stream,
        }[found.client_streaming, found.server_streaming](method)
        request = iter([data]) if found.client_streaming else data
        try:
            answer = call(request, timeout=LONG.get(method, SECONDS), metadata=metadata)
            if found.server_streaming:
                for _ in answer:
                    pass
        except grpc.RpcError as error:
            return str(error.code().name)
        return "OK"

    def memory(self) -> int:
        """KiB that the process has."""
        status = Path(f"/proc/{self.process}/status").read_text("utf-8")
        return int(status.partition("VmRSS:")[2].split()[0])


@pytest.fixture(scope="module")
def target() -> Iterator[Target]:
    """One server for all that is sent to it."""
    command = ("-m", "truthsayer", "serve", "--listen", "127.0.0.1:0")
    variables = {"TRUTHSAYER_LIMITS_REQUESTS_PER_SECOND": "0"}
    with server_process(*command, **variables) as (process, address):
        found = Target(process.pid, address)
        try:
            yield found
        finally:
            found.channel.close()


@pytest.mark.parametrize("method", METHODS)
def test_whatever_is_sent_is_answered_in_time(target: Target, method: str) -> None:
    before = target.memory()
    sent = damaged(messages(METHODS[method].input_type, target.texts))
    tokens = st.sampled_from(("", *target.begun.seat_tokens, target.begun.observer_token, "ts_0_0"))

    @settings(
        max_examples=TRIES // 5 if method in LONG else TRIES,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(sent, tokens)
    def send(data: bytes, token: str) -> None:
        status = target.send(method, data, token)
        assert status not in OURS, (status, data)
        assert status != "DEADLINE_EXCEEDED" or method in LONG, data

    send()
    stub: Any = health_pb2_grpc.HealthStub(target.channel)
    healthy = stub.Check(health_pb2.HealthCheckRequest())
    assert healthy.status == health_pb2.HealthCheckResponse.SERVING
    assert target.memory() - before < MOST_GROWTH


@pytest.mark.parametrize("method", METHODS)
def test_a_message_that_is_too_large_is_refused(target: Target, method: str) -> None:
    data = b"\x0a\x80\x80\x80\x04" + b"x" * (8 * 1024 * 1024)
    assert target.send(method, data, "") == "RESOURCE_EXHAUSTED"


# Scenario files that are large or deep

BEGUN = 'scenario "A"\ngame uprising with John, Abby, Ned\n'
ENDED = '\ngiven John has hand "Dagger"\nwhen John reveals\nthen John has 1 sword\n'
MANY = 20_000


def own_card(effect: str) -> str:
    return f'card "X" with city icon: agent "{effect}"'


LARGE = {
    "given": "given Abby has 1 spice" + "\n and Abby has 1 spice" * MANY,
    "mistakes": "given Abby has 1 spice" + "\n and Abby hs 1 spice" * MANY,
    "misspelt": "giveen Abby has 1 spice\n" * MANY,
    "cards": "".join(f'card "X{each}" with city icon\n' for each in range(MANY)),
    "conditions": "for any j from 0\nwhere " + " and ".join(["j > 0"] * MANY),
    "sum": "given Abby has " + " + ".join(["1"] * MANY) + " spice",
    "deep effect": own_card("may (" * 1_000 + "gain 1 spice" + ")" * 1_000),
    "deepest effect": own_card("may (" * MANY + "gain 1 spice" + ")" * MANY),
    "condition of an effect": own_card("if " + "not " * 450 + "maker_hooks: gain 1 spice"),
    "long effect": own_card("; ".join(["gain 1 spice"] * MANY)),
    "digits": f"given Abby has {'9' * MANY} spice",
    "hand": "given Abby has hand " + ", ".join(['"Dagger"'] * MANY),
    "ask": "ask what can Abby do\n" * 50,
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_file_is_answered_in_time_and_is_no_fault_of_ours(
    target: Target, name: str
) -> None:
    text = BEGUN + LARGE[name] + ENDED
    file = common_pb2.SourceFile(name="a.scenario", text=text)
    stub: Any = scenario_pb2_grpc.ScenarioServiceStub(target.channel)
    *results, last = stub.Check(scenario_pb2.CheckRequest(files=[file]), timeout=SECONDS)
    assert last.HasField("summary")
    codes = {problem.code for each in results for problem in each.result.problems}
    assert "TS0190" not in codes
    for method, kind in (("Ask", scenario_pb2.AskRequest), ("Format", scenario_pb2.FormatRequest)):
        data = kind(file=file).SerializeToString()
        status = target.send(f"/truthsayer.v1.ScenarioService/{method}", data, "")
        assert status in ("OK", "INVALID_ARGUMENT", "RESOURCE_EXHAUSTED")
