"""The server that the tests of this folder call."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest

from tests.server.running import server_in_thread


@pytest.fixture(scope="module")
def channel() -> Iterator[grpc.Channel]:
    """A connection to a server that runs during a module."""
    with server_in_thread() as address, grpc.insecure_channel(address) as connected:
        yield connected
