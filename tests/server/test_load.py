"""Sessions that are played at the same time: a short form of `python -m tests.server.load`."""

from __future__ import annotations

import asyncio

from tests.server.load.players import load
from tests.server.running import server_process


def test_sessions_that_are_played_at_once_end_in_no_error() -> None:
    command = ("-m", "truthsayer", "serve", "--listen", "127.0.0.1:0")
    with server_process(*command, TRUTHSAYER_LIMITS_REQUESTS_PER_SECOND="0") as (_, address):
        figures = asyncio.run(load(address, sessions=20, seconds=4))
    assert not figures.failed
    assert not figures.limited
    assert len(figures.seconds["SendInput"]) > 20
