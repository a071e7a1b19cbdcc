"""Two servers share one PostgreSQL: one is killed during traffic, and nothing is lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from server.store.database import open_database
from tests.server.crash.checks import Kept
from tests.server.postgres import postgres_server
from tests.server.running import ANY_PORT, server_process
from tests.server.sessions.tables import Sessions
from tests.server.test_stopping import eventually
from tests.server.traffic import traffic

PLAYERS = 4
SERVE = ("-m", "truthsayer", "serve", "--listen", ANY_PORT)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with postgres_server() as address:
        yield address


def test_clients_go_on_at_the_other_server_and_nothing_acknowledged_is_lost(postgres: str) -> None:
    settings = {"TRUTHSAYER_STORE": postgres, "TRUTHSAYER_LIMITS_REQUESTS_PER_SECOND": "0"}
    with (
        server_process(*SERVE, **settings) as (one, first),
        server_process(*SERVE, **settings) as (_, second),
    ):
        with traffic([first, second], PLAYERS) as running:
            assert eventually(lambda: min(running.acknowledged) >= 5, 60)
            os.kill(one.pid, signal.SIGKILL)
            before = running.acknowledged
            assert eventually(
                lambda: (
                    bool(running.faults)
                    or all(
                        now >= then + 5
                        for then, now in zip(before, running.acknowledged, strict=True)
                    )
                ),
                60,
            )
        assert running.faults == []
        assert any(player.repeated for player in running.players)
        database = open_database(postgres)
        try:
            for player in running.players:
                Kept(database, player.table).check(player.told)
        finally:
            database.close()
        other = Sessions(second)
        for player in running.players:
            replayed = other.replay(player.table.id)
            assert replayed.differs_at == 0
            last = player.told.acknowledged[-1][1].taken.revision
            assert player.table.at(other).revision == last
        other.close()


def test_what_one_server_takes_is_told_by_the_other(postgres: str) -> None:
    settings = {"TRUTHSAYER_STORE": postgres}
    with (
        server_process(*SERVE, **settings) as (_, first),
        server_process(*SERVE, **settings) as (_, second),
    ):
        one, other = Sessions(first), Sessions(second)
        table = one.begin()
        call = table.at(other).subscribe(after=table.revision)
        seat = table.asked()
        revision = table.send(seat, table.actions(seat)[0]).taken.revision
        assert next(call).revision <= revision
        call.cancel()
        one.close()
        other.close()
