"""The store: servers that start at once, one that starts anew, tokens, and a store that fails."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from rules_engine.kernel.errors import TruthsayerError
from server.store import database as databases
from server.store.database import Database, open_database
from server.store.session_tokens import SessionTokens
from server.store.sessions import SessionStore
from tests.server.postgres import emptied
from tests.server.sessions.hosting import Hosts, Running
from tests.server.sessions.tables import Sessions, Table, refused, setup


@pytest.fixture
def database(own_store: str) -> Iterator[Database]:
    """A store without tables."""
    opened = open_database(own_store)
    yield opened
    opened.close()


def test_two_servers_that_start_at_once_share_the_tables_and_the_secret(own_store: str) -> None:
    def start(_: int) -> str:
        opened = open_database(own_store)
        try:
            SessionStore(opened)
            return SessionTokens(opened).session_token("session", 1)
        finally:
            opened.close()

    with ThreadPoolExecutor(4) as servers:
        for _ in range(3):
            assert len(set(servers.map(start, range(4)))) == 1
            if own_store.startswith("postgresql:"):
                emptied(own_store)


def test_a_server_that_starts_anew_goes_on(hosts: Hosts, own_store: str) -> None:
    first = hosts.start(own_store)
    sessions = Sessions(first.address)
    request = setup(idempotency_key="a server started anew")
    table, choice = sessions.begin(request), random.Random(8)
    for _ in range(10):
        table.play(choice)
    seat, revision = table.asked(), table.revision
    given = table.actions(seat)[0]
    taken = table.send(seat, given, revision, key="last")
    stands = [table.get(who) for who in (0, 1, 2, None)]
    sessions.close()
    hosts.stop(first)

    second = hosts.start(own_store)
    sessions = Sessions(second.address)
    try:
        table = table.at(sessions)
        assert [table.get(who) for who in (0, 1, 2, None)] == stands
        assert table.send(seat, given, revision, key="last") == taken
        assert sessions.begin(request).made == table.made
        table.play(choice)
        assert sessions.replay(table.id).played == table.revision
    finally:
        sessions.close()
        hosts.stop(second)


def test_two_servers_play_one_session_in_turn(
    hosts: Hosts, sessions: Sessions, store: str, table: Table
) -> None:
    """Neither trusts what it remembers of the session."""
    other = hosts.start(store)
    elsewhere = Sessions(other.address)
    try:
        choice = random.Random(5)
        for number in range(30):
            (table if number % 2 else table.at(elsewhere)).play(choice)
        assert table.get() == table.at(elsewhere).get()
        assert elsewhere.replay(table.id).played == table.revision
        assert sessions.replay(table.id).differs_at == 0
    finally:
        elsewhere.close()
        hosts.stop(other)


def test_two_servers_take_one_of_two_inputs(
    hosts: Hosts, sessions: Sessions, store: str, table: Table
) -> None:
    other = hosts.start(store)
    elsewhere = Sessions(other.address)
    try:
        choice = random.Random(5)
        with ThreadPoolExecutor(2) as clients:
            for _ in range(20):
                seat, revision = table.asked(), table.revision
                given = choice.choice(table.actions(seat))

                def send(
                    at: Table, seat: int = seat, given: str = given, revision: int = revision
                ) -> str:
                    try:
                        return at.send(seat, given, revision).WhichOneof("outcome") or ""
                    except Exception as error:
                        return str(error.code().name)  # type: ignore[attr-defined]

                told = sorted(clients.map(send, (table, table.at(elsewhere))))
                assert told == ["ABORTED", "taken"]
        assert sessions.replay(table.id).played == table.revision
    finally:
        elsewhere.close()
        hosts.stop(other)


def test_a_server_does_not_trust_what_it_remembers_of_a_store_that_lost_something(
    hosts: Hosts, sessions: Sessions, store: str, table: Table
) -> None:
    columns = "revision, position, barrier, barrier_position, undoable_by, touched"
    database = open_database(store)
    with database.reading() as rows:
        (before,) = rows.rows(f"SELECT {columns} FROM sessions WHERE id = ?", table.id)
    seat, revision = table.asked(), table.revision
    reveal = next(each for each in table.actions(seat) if '"reveal"' in each)
    other = next(each for each in table.actions(seat) if '"reveal"' not in each)
    lost = table.send(seat, reveal, revision).taken
    with database.transaction() as rows:
        values = ", ".join(f"{column} = ?" for column in columns.split(", "))
        rows.run(f"UPDATE sessions SET {values} WHERE id = ?", *before, table.id)
        rows.run("DELETE FROM records WHERE session = ? AND revision > ?", table.id, revision)
    database.close()
    running = hosts.start(store)
    elsewhere = Sessions(running.address)
    try:
        again = table.at(elsewhere).send(seat, other, revision).taken
        assert table.get(seat).view == again.view != lost.view
        assert sessions.replay(table.id).played == table.revision
    finally:
        elsewhere.close()
        hosts.stop(running)


# Transactions


def test_a_transaction_that_ends_with_an_error_leaves_nothing(database: Database) -> None:
    databases.make_tables(database, "CREATE TABLE IF NOT EXISTS things (name TEXT PRIMARY KEY)")

    def write_and_fail() -> None:
        with database.transaction() as rows:
            rows.run("INSERT INTO things (name) VALUES (?)", "first")
            raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        write_and_fail()
    with database.reading() as rows:
        assert rows.rows("SELECT * FROM things") == []
    with database.transaction() as rows:
        assert rows.run("INSERT INTO things (name) VALUES (?)", "second") == 1
        assert (
            rows.run("INSERT INTO things (name) VALUES (?) ON CONFLICT DO NOTHING", "second") == 0
        )
    with database.reading() as rows:
        assert [tuple(row) for row in rows.rows("SELECT * FROM things")] == [("second",)]


def test_an_empty_store_knows_nothing(database: Database) -> None:
    store = SessionStore(database)
    assert store.look("nothing") == (None, None)
    assert store.delete("nothing") is False
    assert store.revisions(["nothing"], 0.0) == {}


@pytest.mark.parametrize("synchronous", ["full", "normal"])
def test_a_file_is_written_as_safely_as_asked(tmp_path: Any, synchronous: Any) -> None:
    opened = open_database(str(tmp_path / "a.sqlite"), synchronous)
    with opened.reading() as rows:
        assert rows.rows("PRAGMA synchronous")[0][0] == {"full": 2, "normal": 1}[synchronous]
        assert rows.rows("PRAGMA journal_mode")[0][0] == "wal"
    opened.close()


@pytest.mark.parametrize("synchronous", ["full", "normal"])
def test_postgres_is_written_as_safely_as_asked(postgres: str, synchronous: Any) -> None:
    opened = open_database(postgres, synchronous)
    with opened.reading() as rows:
        on = rows.rows("SHOW synchronous_commit")[0][0]
    opened.close()
    assert on == {"full": "on", "normal": "off"}[synchronous]


def test_a_store_that_does_not_answer_can_be_tried_again(
    server: Running, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, revision = table.asked(), table.revision
    given = table.actions(seat)[0]

    @contextlib.contextmanager
    def fails() -> Iterator[Any]:
        with databases._answering(sqlite3.OperationalError):
            raise sqlite3.OperationalError("disk I/O error in /a/secret/path")
        yield

    with monkeypatch.context() as patch:
        patch.setattr(server.database, "transaction", fails)
        status, problem = refused(lambda: table.send(seat, given, revision, key="k"))
    assert (status, problem.code) == ("UNAVAILABLE", "TS0841")
    assert "secret" not in str(problem)
    assert table.send(seat, given, revision, key="k").HasField("taken")


@pytest.mark.parametrize("address", ["/dev/null/store", "postgresql://nobody:secret@127.0.0.1:1/x"])
def test_a_store_that_cannot_be_opened_is_an_error_without_its_address(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "BUSY_SECONDS", 1.0)
    with pytest.raises(TruthsayerError) as raised:
        open_database(address)
    assert raised.value.code == "TS0840"
    assert "secret" not in str(raised.value)
    assert address not in str(raised.value)


# Tokens


def test_a_token_is_for_one_seat_of_one_session(database: Database) -> None:
    tokens = SessionTokens(database)
    made = {
        (session, seat): tokens.session_token(session, seat)
        for session in ("first", "second", "a_-1")
        for seat in (0, 1, 11, None)
    }
    assert len(set(made.values())) == len(made)
    for of, token in made.items():
        assert tokens.verify(token) == of
    assert SessionTokens(database).session_token("first", 0) == made["first", 0]


def test_no_other_token_is_valid(database: Database) -> None:
    tokens = SessionTokens(database)
    token = tokens.session_token("first", 1)
    start, session, seat, mark = token.split(".")
    others = [
        "",
        token[:-1],
        token + "A",
        token + "\n",
        token.replace(".1.", ".2."),
        token.replace(".1.", ".01."),
        token.replace(".1.", ".o."),
        token.replace(".1.", ".\u0661."),
        token.replace("first", "second"),
        ".".join((start, session, seat, "A" * len(mark))),
        ".".join((start, session, seat)),
        token.upper(),
        "é" * 60,
    ]
    assert [tokens.verify(other) for other in others] == [None] * len(others)


def test_another_store_has_another_secret(own_store: str, tmp_path: Any) -> None:
    one, other = open_database(own_store), open_database(str(tmp_path / "other.sqlite"))
    token = SessionTokens(one).session_token("first", 1)
    assert SessionTokens(other).verify(token) is None
    one.close()
    other.close()
