"""Every call leaves a line in the log, is counted, and can be followed in a trace."""

from __future__ import annotations

import json
import logging
import re
import socket
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from queue import Queue
from typing import Any, get_args
from urllib.request import urlopen

import grpc
import pytest
import structlog
from opentelemetry.proto.collector.trace.v1 import (
    trace_service_pb2,
    trace_service_pb2_grpc,
)
from opentelemetry.proto.trace.v1 import trace_pb2

from rules_engine.kernel.errors import TruthsayerError
from server import logs, observing
from server.answers import rules
from server.settings import LogFormat, LogLevel, Settings
from server.traces import traces_to
from tests.server.running import ANY_PORT, server_in_thread
from tests.server.test_service import refused
from truthsayer.v1 import engine_pb2, engine_pb2_grpc, rules_pb2, rules_pb2_grpc

GET_RULE = "/truthsayer.v1.RuleService/GetRule"
KEY = observing.REQUEST_KEY


@contextmanager
def configured(form: LogFormat, level: LogLevel) -> Iterator[None]:
    """The log of this process, configured meanwhile."""
    root = logging.getLogger()
    handlers, least = root.handlers[:], root.level
    logs.configure_log(form, level)
    try:
        yield
    finally:
        structlog.reset_defaults()
        root.handlers[:] = handlers
        root.setLevel(least)


@pytest.fixture
def log(capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """The lines of the log that were written since it was last looked at."""

    def lines() -> list[dict[str, Any]]:
        return [json.loads(line) for line in capsys.readouterr().err.splitlines()]

    with configured("json", "info"):
        yield lines


def get_rule(address: str, rule: str, *metadata: tuple[str, str]) -> tuple[Any, dict[str, Any]]:
    """The call for a rule, and what came back with its end."""
    with grpc.insecure_channel(address) as channel:
        stub: Any = rules_pb2_grpc.RuleServiceStub(channel)
        call = stub.GetRule.future(rules_pb2.GetRuleRequest(id=rule), metadata=metadata)
        code = call.code()
        return code, dict(call.trailing_metadata())


# The log


def test_every_call_is_a_line(log: Any) -> None:
    with server_in_thread() as address:
        get_rule(address, "UPR-WALL-003", (KEY, "mine-1"))
        get_rule(address, "UPR-WALL-999", (KEY, "mine-2"), ("x-other", "secret"))
    good, bad = (line for line in log() if line["event"] == "call")
    assert good["ms"] > 0
    assert {key: good[key] for key in ("method", "status", "request", "level")} == {
        "method": GET_RULE,
        "status": "OK",
        "request": "mine-1",
        "level": "info",
    }
    assert (bad["status"], bad["request"]) == ("NOT_FOUND", "mine-2")
    assert set(good) == {
        "event",
        "level",
        "timestamp",
        "method",
        "status",
        "ms",
        "caller",
        "request",
    }
    assert "secret" not in json.dumps(bad)


def test_a_line_says_nothing_of_what_the_call_is_about(log: Any) -> None:
    with server_in_thread() as address, grpc.insecure_channel(address) as channel:
        stub: Any = engine_pb2_grpc.EngineServiceStub(channel)
        stub.NewGame(engine_pb2.NewGameRequest(product="uprising", players=["Zora", "B", "C"]))
        refused(lambda: stub.View(engine_pb2.ViewRequest(position='{"secret": "Zora"}')))
    text = json.dumps(log())
    assert "EngineService/View" in text
    assert "Zora" not in text
    assert "secret" not in text


def test_health_is_not_logged(log: Any) -> None:
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    with server_in_thread() as address, grpc.insecure_channel(address) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        health.Check(health_pb2.HealthCheckRequest())
    assert log() == []


@pytest.mark.parametrize("given", ["a-1_2.3:4/5+6=", "x" * 64])
def test_a_request_id_comes_back(given: str) -> None:
    with server_in_thread() as address:
        assert get_rule(address, "UPR-WALL-003", (KEY, given))[1][KEY] == given
        # With an error, too, next to its details.
        code, trailing = get_rule(address, "UPR-WALL-999", (KEY, given))
        assert code is grpc.StatusCode.NOT_FOUND
        assert trailing[KEY] == given
        assert "grpc-status-details-bin" in trailing


@pytest.mark.parametrize("given", ["", "x" * 65, 'a"b', "a b", "a;b"])
def test_a_request_id_that_is_none_is_replaced(given: str) -> None:
    with server_in_thread() as address:
        new = get_rule(address, "UPR-WALL-003", (KEY, given))[1][KEY]
        assert re.fullmatch(r"[0-9a-f]{16}", new)
        assert get_rule(address, "UPR-WALL-003")[1][KEY] != new


def failing(_: object) -> Any:
    raise ValueError("a hidden card")


def test_a_fault_is_found_in_the_log_by_the_request_id(
    log: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "get_rule", failing)
    with server_in_thread() as address, grpc.insecure_channel(address) as channel:
        stub: Any = rules_pb2_grpc.RuleServiceStub(channel)
        request = rules_pb2.GetRuleRequest(id="UPR-WALL-003")
        code, problem = refused(lambda: stub.GetRule(request, metadata=((KEY, "mine-3"),)))
    assert code is grpc.StatusCode.INTERNAL
    assert problem.code == "TS0809"
    assert "mine-3" in problem.message
    fault, call = log()
    assert (fault["event"], fault["level"], fault["request"]) == ("fault", "error", "mine-3")
    assert fault["error"] == "ValueError"
    assert fault["through"].startswith(f"{__name__}.failing:")
    assert (call["status"], call["request"]) == ("INTERNAL", "mine-3")
    text = json.dumps(fault)
    assert "hidden card" not in text
    assert "/" not in text
    assert "Traceback" not in text


def test_a_log_that_is_not_configured_has_faults_alone_and_tells_no_more_of_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "get_rule", failing)
    with server_in_thread() as address:
        assert get_rule(address, "UPR-WALL-003")[0] is grpc.StatusCode.INTERNAL
    (line,) = capsys.readouterr().err.splitlines()
    assert "event=fault" in line
    assert "error=ValueError" in line
    assert "hidden card" not in line


@pytest.mark.parametrize("level", get_args(LogLevel))
@pytest.mark.parametrize("form", get_args(LogFormat))
def test_at_no_level_does_a_fault_show_its_text(
    form: LogFormat, level: LogLevel, capsys: pytest.CaptureFixture[str]
) -> None:
    with configured(form, level):
        try:
            failing(None)
        except ValueError as error:
            logs.log().error("fault", exc_info=error)
            logging.getLogger("a.library").exception("it failed")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    for line in lines:
        assert "ValueError" in line
        assert "hidden card" not in line
        assert "Traceback" not in line
        assert "/" not in line


def test_other_libraries_are_heard_without_what_they_quote(log: Any) -> None:
    """Such as the driver of a database, which names the file that it connects to."""
    library = logging.getLogger("a.library")
    library.warning("cannot connect to %s: %r", "/run/secret.socket", ValueError("a hidden card"))
    library.error("never retrieved\nfuture: ValueError('a hidden card')")
    first, second = log()
    assert (first["event"], first["level"]) == ("cannot connect to %s: %r", "warning")
    assert (second["event"], second["level"]) == ("never retrieved", "error")
    assert first["library"] == second["library"] == "a.library"


def test_a_line_stays_one_whatever_is_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    for form in get_args(LogFormat):
        with configured(form, "info"):
            logs.log().info("call", caller='a\nlevel=error "x"')
        assert capsys.readouterr().err.count("\n") == 1


def test_a_log_that_nobody_takes_fails_no_call(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def write(self, *_: str) -> None:
            raise BrokenPipeError

        flush = write

    with configured("text", "info"), server_in_thread() as address:
        monkeypatch.setattr(sys, "stderr", Broken())
        assert get_rule(address, "UPR-WALL-003")[0] is grpc.StatusCode.OK


# Figures


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def figures(address: str) -> dict[str, float]:
    """Every figure that Prometheus would read there."""
    with urlopen(f"http://{address}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    pairs = [line.rsplit(" ", 1) for line in lines if not line.startswith("#")]
    return {name: float(value) for name, value in pairs}


def test_calls_are_counted_and_measured() -> None:
    metrics = f"127.0.0.1:{free_port()}"
    with server_in_thread(Settings(metrics=metrics)) as address:
        for rule in ("UPR-WALL-003", "UPR-WALL-003", "UPR-WALL-999"):
            get_rule(address, rule)
        found = figures(metrics)
    assert found[f'truthsayer_calls_total{{code="OK",method="{GET_RULE}"}}'] == 2
    assert found[f'truthsayer_calls_total{{code="NOT_FOUND",method="{GET_RULE}"}}'] == 1
    assert found[f'truthsayer_call_seconds_count{{method="{GET_RULE}"}}'] == 3
    assert found[f'truthsayer_call_seconds_bucket{{le="+Inf",method="{GET_RULE}"}}'] == 3
    assert found[f'truthsayer_calls_in_progress{{method="{GET_RULE}"}}'] == 0
    assert found["truthsayer_workers_busy"] == 0
    assert found["truthsayer_workers_waiting"] == 0
    assert "truthsayer_store_transaction_seconds_count" in found
    assert found["process_resident_memory_bytes"] > 0


def test_a_call_that_is_given_up_is_counted_as_such() -> None:
    metrics = f"127.0.0.1:{free_port()}"
    method = "/grpc.health.v1.Health/Watch"
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    with (
        server_in_thread(Settings(metrics=metrics)) as address,
        grpc.insecure_channel(address) as channel,
    ):
        health: Any = health_pb2_grpc.HealthStub(channel)
        call = health.Watch(health_pb2.HealthCheckRequest())
        assert next(call).status == health_pb2.HealthCheckResponse.SERVING
        assert figures(metrics)[f'truthsayer_calls_in_progress{{method="{method}"}}'] == 1
        call.cancel()
        name = f'truthsayer_calls_total{{code="CANCELLED",method="{method}"}}'
        for _ in range(500):
            if figures(metrics).get(name) == 1:
                return
            time.sleep(0.02)
    pytest.fail("it was not counted")


def test_metrics_on_a_port_that_is_taken_are_told() -> None:
    from tests.server.running import run_once

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        metrics = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(TruthsayerError, match="cannot show metrics") as raised:
            run_once(Settings(metrics=metrics))
    assert raised.value.code == "TS0866"


# Traces


class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    """Takes spans, as a collector does."""

    def __init__(self) -> None:
        self.spans: Queue[trace_pb2.Span] = Queue()

    def Export(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002
        """Take some."""
        for resource in request.resource_spans:
            names = {each.key: each.value.string_value for each in resource.resource.attributes}
            assert names["service.name"] == "truthsayer"
            for scope in resource.scope_spans:
                for span in scope.spans:
                    self.spans.put(span)
        return trace_service_pb2.ExportTraceServiceResponse()


@contextmanager
def collector() -> Iterator[tuple[Collector, str]]:
    """A collector that runs, and its address."""
    own = Collector()
    server = grpc.server(ThreadPoolExecutor(1))
    add: Any = trace_service_pb2_grpc.add_TraceServiceServicer_to_server
    add(own, server)
    port = server.add_insecure_port(ANY_PORT)
    server.start()
    try:
        yield own, f"http://127.0.0.1:{port}"
    finally:
        server.stop(0).wait()


def test_a_call_goes_on_the_trace_of_its_caller() -> None:
    trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    with (
        collector() as (collected, traces),
        server_in_thread(Settings(traces=traces)) as address,
    ):
        get_rule(
            address,
            "UPR-WALL-999",
            ("traceparent", f"00-{trace}-{parent}-01"),
            (KEY, "mine-4"),
        )
        get_rule(address, "UPR-WALL-003")
        first, second = (collected.spans.get(timeout=60) for _ in range(2))
    assert first.name == "truthsayer.v1.RuleService/GetRule"
    assert (first.trace_id.hex(), first.parent_span_id.hex()) == (trace, parent)
    assert first.kind == trace_pb2.Span.SPAN_KIND_SERVER
    values = {each.key: each.value for each in first.attributes}
    assert values["rpc.service"].string_value == "truthsayer.v1.RuleService"
    assert values["rpc.method"].string_value == "GetRule"
    assert values["rpc.grpc.status_code"].int_value == grpc.StatusCode.NOT_FOUND.value[0]
    assert values["truthsayer.request"].string_value == "mine-4"
    assert second.parent_span_id == b""
    assert second.trace_id.hex() != trace


def test_without_a_collector_calls_are_answered_and_the_server_stops() -> None:
    with server_in_thread(Settings(traces=f"http://127.0.0.1:{free_port()}")) as address:
        assert get_rule(address, "UPR-WALL-003")[0] is grpc.StatusCode.OK


def test_nobody_goes_on_to_look_for_a_collector_once_the_server_has_stopped() -> None:
    before = set(threading.enumerate())
    with server_in_thread(Settings(traces=f"http://127.0.0.1:{free_port()}")) as address:
        get_rule(address, "UPR-WALL-003")
    left = [each for each in threading.enumerate() if each not in before]
    assert [each.name for each in left if "Otel" in each.name or each.daemon] == []


def test_traces_without_their_library_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.grpc.trace_exporter", None)
    with pytest.raises(TruthsayerError, match="extra `traces`") as raised:
        traces_to("http://127.0.0.1:4317")
    assert raised.value.code == "TS0865"
    assert traces_to("") is None
