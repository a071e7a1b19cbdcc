"""Every test of sessions runs on both stores: a file, and a PostgreSQL server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.conftest import STORES
from tests.server.postgres import new_database
from tests.server.sessions.hosting import Hosts, Running
from tests.server.sessions.tables import Sessions, Table


@pytest.fixture(scope="module", params=STORES)
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """An empty store that the tests of a module share."""
    if request.param == "postgres":
        return new_database(request.getfixturevalue("postgres"))
    return str(tmp_path_factory.mktemp("store") / "sessions.sqlite")


@pytest.fixture(scope="session")
def hosts() -> Iterator[Hosts]:
    """Where servers run."""
    running = Hosts()
    yield running
    running.close()


@pytest.fixture(scope="module")
def server(hosts: Hosts, store: str) -> Iterator[Running]:
    """A server for the tests of a module."""
    running = hosts.start(store)
    yield running
    hosts.stop(running)


@pytest.fixture(scope="module")
def sessions(server: Running) -> Iterator[Sessions]:
    """A connection to it."""
    connected = Sessions(server.address)
    yield connected
    connected.close()


@pytest.fixture
def table(sessions: Sessions) -> Table:
    """A game that has just begun."""
    return sessions.begin()
