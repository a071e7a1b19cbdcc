"""Traces: a span for each call, sent to an OpenTelemetry collector."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rules_engine.kernel.errors import TruthsayerError
from truthsayer.version import installed_version

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span

LEAVING_SECONDS = 1.0
"""How long the last spans may take to be sent when the server stops."""


class Traces:
    """Makes spans and sends them."""

    def __init__(self, exporter: SpanExporter) -> None:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        own: dict[str, str | int] = {
            "service.name": "truthsayer",
            "service.version": installed_version() or "source",
            "process.pid": os.getpid(),
        }
        self._provider = TracerProvider(resource=Resource.create(own), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("truthsayer.server")
        self._exporter = exporter
        self._propagator = TraceContextTextMapPropagator()

    def begin(self, method: str, metadata: Mapping[str, str], request: str) -> Span:
        """The span of a call; it goes on the trace that the caller says it belongs to."""
        from opentelemetry.trace import SpanKind

        service, _, name = method.lstrip("/").rpartition("/")
        return self._tracer.start_span(
            f"{service}/{name}",
            context=self._propagator.extract(metadata),
            kind=SpanKind.SERVER,
            attributes={
                "rpc.system": "grpc",
                "rpc.service": service,
                "rpc.method": name,
                "truthsayer.request": request,
            },
        )

    def end(self, span: Span, code: int, good: bool) -> None:
        """Say how a call ended."""
        from opentelemetry.trace import StatusCode

        span.set_attribute("rpc.grpc.status_code", code)
        if not good:
            span.set_status(StatusCode.ERROR)
        span.end()

    def close(self) -> None:
        """Send what is left, unless that takes too long: the collector may be gone."""
        last = threading.Thread(target=self._provider.shutdown, daemon=True)
        last.start()
        last.join(LEAVING_SECONDS)
        if last.is_alive():
            self._exporter.shutdown()  # or else it would try again and again
            last.join(LEAVING_SECONDS)


def traces_to(address: str) -> Traces | None:
    """Traces to the collector at an address; none without one."""
    if not address:
        return None
    try:
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    except ImportError as error:
        raise TruthsayerError(
            "TS0865",
            "traces need the extra `traces`",
            help="pip install 'truthsayer[traces]', or leave `traces` unset",
        ) from error
    return Traces(OTLPSpanExporter(address, insecure=address.startswith("http://")))
