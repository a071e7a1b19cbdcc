"""The figures of one server process, as Prometheus reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

from rules_engine.kernel.errors import TruthsayerError
from server.addresses import Address
from server.store.database import Database, Statements

CALL_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600)
STORE_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30)


class Figures:
    """What is counted and measured; each server has figures of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self.calls = Counter(
            "truthsayer_calls",
            "Calls that ended, by method and status.",
            ["method", "code"],
            registry=self.registry,
        )
        self.seconds = Histogram(
            "truthsayer_call_seconds",
            "How long calls took.",
            ["method"],
            buckets=CALL_SECONDS,
            registry=self.registry,
        )
        self.in_progress = Gauge(
            "truthsayer_calls_in_progress",
            "Calls that are being answered.",
            ["method"],
            registry=self.registry,
        )
        self.store_seconds = Histogram(
            "truthsayer_store_transaction_seconds",
            "How long transactions of the store took, with the wait for others.",
            buckets=STORE_SECONDS,
            registry=self.registry,
        )

        self.sessions = Gauge(
            "truthsayer_sessions", "Sessions that are kept in the store.", registry=self.registry
        )

    def show(self, name: str, says: str, value: Callable[[], float]) -> None:
        """Show a figure that is asked for when it is read."""
        Gauge(name, says, registry=self.registry).set_function(value)

    def timed(self, database: Database) -> Database:
        """The database, whose transactions are measured."""
        return _Timed(database, self.store_seconds)


class _Timed:
    """A database whose transactions are measured."""

    def __init__(self, database: Database, seconds: Histogram) -> None:
        self._database = database
        self._seconds = seconds

    @contextmanager
    def transaction(self) -> Iterator[Statements]:
        """One of the database's."""
        with self._seconds.time(), self._database.transaction() as statements:
            yield statements

    @contextmanager
    def reading(self) -> Iterator[Statements]:
        """One of the database's in which nothing is written."""
        with self._seconds.time(), self._database.reading() as statements:
            yield statements

    def close(self) -> None:
        """Close the database."""
        self._database.close()


@contextmanager
def shown_at(figures: Figures, address: Address | None) -> Iterator[None]:
    """Show the figures over HTTP at an address meanwhile."""
    if address is None:
        yield
        return
    try:
        server, thread = start_http_server(address.port, address.bare_host, figures.registry)
    except OSError as error:
        raise TruthsayerError(
            "TS0866",
            f"cannot show metrics on `{address}`",
            help="another program may have the port: set `metrics` to another",
        ) from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
