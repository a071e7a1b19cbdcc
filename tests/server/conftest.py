"""The server that the tests of this folder call, and stores of both kinds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from tests.server.postgres import new_database, postgres_server
from tests.server.running import server_in_thread

STORES = ("sqlite", "postgres")


@pytest.fixture(scope="module")
def channel() -> Iterator[grpc.Channel]:
    """A connection to a server that runs during a module."""
    with server_in_thread() as address, grpc.insecure_channel(address) as connected:
        yield connected


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """One PostgreSQL server for all tests."""
    with postgres_server() as address:
        yield address


@pytest.fixture(params=STORES)
def own_store(request: pytest.FixtureRequest, tmp_path: Path, postgres: str) -> str:
    """An empty store for one test."""
    if request.param == "postgres":
        return new_database(postgres)
    return str(tmp_path / "sessions.sqlite")
