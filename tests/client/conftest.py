"""The server that the tests of this folder call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.hosting import Host, hosted
from truthsayer.client import Client


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """A server of the test's own."""
    with hosted(tmp_path / "sessions.sqlite") as running:
        yield running


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a server is that the tests of a module share."""
    with hosted(tmp_path_factory.mktemp("store") / "sessions.sqlite") as running:
        yield running.address


@pytest.fixture
def client(address: str) -> Iterator[Client]:
    """A client of it."""
    with Client(address, timeout=60) as connected:
        yield connected
