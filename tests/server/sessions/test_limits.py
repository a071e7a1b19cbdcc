"""Quotas, pages, deleting, and sessions that are forgotten."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest

from server.sessions.keeping import Positions
from server.settings import Limits, Settings, store_address
from server.store.database import open_database
from server.store.sessions import Session, SessionStore, Version
from tests.server.sessions.hosting import Hosts
from tests.server.sessions.tables import Sessions, Table, code, refused, setup
from truthsayer.v1 import session_pb2

UNKNOWN = ("NOT_FOUND", "TS0830")
TOO_MANY = ("RESOURCE_EXHAUSTED", "TS0834")
LONG_AGO = 1.0


def expire(store: str, *tables: Table) -> None:
    """Let the time of sessions be over."""
    database = open_database(store)
    with database.transaction() as rows:
        for table in tables:
            rows.run("UPDATE sessions SET expires = ? WHERE id = ?", LONG_AGO, table.id)
    database.close()


def count(store: str, name: str, table: Table) -> int:
    """How many rows of a table belong to a session."""
    database = open_database(store)
    with database.reading() as rows:
        column = "id" if name == "sessions" else "session"
        found = rows.rows(f"SELECT COUNT(*) FROM {name} WHERE {column} = ?", table.id)
    database.close()
    return int(found[0][0])


def test_there_are_so_many_sessions_and_no_more(hosts: Hosts, own_store: str) -> None:
    running = hosts.start(own_store, Limits(sessions=3, sessions_per_caller=2))
    sessions = Sessions(running.address)
    ann, bob, cleo = (running.token() for _ in range(3))
    try:
        tables = [sessions.begin(token=ann), sessions.begin(token=ann)]
        status, problem = refused(lambda: sessions.begin(token=ann))
        assert (status, problem.code) == TOO_MANY
        assert "2 of your sessions" in problem.message
        tables.append(sessions.begin(token=bob))
        status, problem = refused(lambda: sessions.begin(token=cleo))
        assert (status, problem.code) == TOO_MANY
        assert "keeps 3 sessions" in problem.message
        sessions.delete(tables[0].id)
        sessions.begin(token=cleo)
        expire(own_store, tables[1])
        sessions.begin(token=ann)
    finally:
        sessions.close()
        hosts.stop(running)


@pytest.mark.parametrize("limits", [Limits(sessions=3), Limits(sessions_per_caller=3)])
def test_no_more_begin_at_once_at_two_servers_either(
    hosts: Hosts, own_store: str, limits: Limits
) -> None:
    servers = [hosts.start(own_store, limits) for _ in range(2)]
    connected = [Sessions(running.address) for running in servers]

    def begin(number: int) -> str:
        try:
            return connected[number % 2].begin().id
        except grpc.RpcError as error:
            return str(error.code().name)

    try:
        with ThreadPoolExecutor(12) as clients:
            told = list(clients.map(begin, range(12)))
        assert told.count("RESOURCE_EXHAUSTED") == 9
        listed = connected[0].stub.ListSessions(session_pb2.ListSessionsRequest()).sessions
        assert {each.session for each in listed} == set(told) - {"RESOURCE_EXHAUSTED"}
    finally:
        for sessions, running in zip(connected, servers, strict=True):
            sessions.close()
            hosts.stop(running)


def test_a_refused_beginning_keeps_no_key(hosts: Hosts, own_store: str) -> None:
    running = hosts.start(own_store, Limits(sessions=1))
    sessions = Sessions(running.address)
    try:
        first, request = sessions.begin(), setup(idempotency_key="one game, not two")
        assert code(lambda: sessions.begin(request)) == TOO_MANY
        sessions.delete(first.id)
        assert sessions.begin(request).view(0)
    finally:
        sessions.close()
        hosts.stop(running)


def test_a_repeated_beginning_counts_once(hosts: Hosts, own_store: str) -> None:
    running = hosts.start(own_store, Limits(sessions=1))
    sessions = Sessions(running.address)
    try:
        request = setup(idempotency_key="one game, not two")
        assert sessions.begin(request).id == sessions.begin(request).id
    finally:
        sessions.close()
        hosts.stop(running)


def test_a_log_has_so_many_records_and_no_more(
    hosts: Hosts, sessions: Sessions, store: str, table: Table
) -> None:
    table.play(random.Random(2))
    before = table.get()
    running = hosts.start(store, Limits(session_records=before.revision))
    strict = Sessions(running.address)
    try:
        seat = table.asked()
        given = table.actions(seat)[0]
        status, problem = refused(lambda: table.at(strict).send(seat, given))
        assert (status, problem.code) == TOO_MANY
        assert f"more than {before.revision} records" in problem.message
        assert table.get() == before
        assert sessions.replay(table.id).differs_at == 0
    finally:
        strict.close()
        hosts.stop(running)


def test_a_session_whose_time_is_over_is_not_found(
    sessions: Sessions, store: str, table: Table
) -> None:
    seat, given = table.asked(), table.actions(table.asked())[0]
    follow, revision = table.subscribe(0, after=table.revision), table.revision
    expire(store, table)
    assert code(lambda: table.get(0)) == UNKNOWN
    assert code(lambda: table.actions(0)) == UNKNOWN
    assert code(lambda: table.send(seat, given, revision)) == UNKNOWN
    assert code(lambda: table.undo(seat, 1, revision)) == UNKNOWN
    assert code(lambda: table.subscribe(0)) == UNKNOWN
    assert code(lambda: sessions.replay(table.id)) == UNKNOWN
    assert list(follow) == []


def test_a_session_in_which_something_happens_lasts_longer(sessions: Sessions, store: str) -> None:
    table = sessions.begin()
    days = 24 * 60 * 60
    database = open_database(store)
    with database.transaction() as rows:
        sql = "UPDATE sessions SET expires = created + ?, touched = 0 WHERE id = ?"
        rows.run(sql, 2 * days, table.id)
    database.close()
    before = table.get().expires
    table.play(random.Random(1))
    assert table.get().expires - before > 27 * days


def test_sessions_whose_time_is_over_are_forgotten(hosts: Hosts, own_store: str) -> None:
    running = hosts.start(own_store)
    sessions = Sessions(running.address)
    old = [
        sessions.begin(setup(idempotency_key=f"an old game, number {number}"))
        for number in range(3)
    ]
    kept = sessions.begin()
    sessions.close()
    expire(own_store, *old)
    hosts.stop(running)
    database = open_database(own_store)
    store = SessionStore(database)
    assert store.forget(now=2.0, most=2) == 2
    assert store.forget(now=2.0, most=2) == 1
    assert store.forget(now=2.0, most=2) == 0
    database.close()
    for name in ("sessions", "records", "answers"):
        assert [count(own_store, name, table) for table in old] == [0, 0, 0]
    assert count(own_store, "sessions", kept) == 1
    assert count(own_store, "records", kept) == kept.made.revision


def test_a_server_that_starts_forgets_what_is_over(hosts: Hosts, own_store: str) -> None:
    running = hosts.start(own_store)
    sessions = Sessions(running.address)
    table = sessions.begin()
    sessions.close()
    hosts.stop(running)
    expire(own_store, table)
    other = hosts.start(own_store)
    for _ in range(500):
        if count(own_store, "records", table) == 0:
            break
        time.sleep(0.02)
    hosts.stop(other)
    assert count(own_store, "sessions", table) == 0


def test_a_deleted_session_leaves_nothing(sessions: Sessions, store: str) -> None:
    table = sessions.begin(setup(idempotency_key="one to be deleted"))
    seat = table.asked()
    table.send(seat, table.actions(seat)[0], key="one")
    sessions.delete(table.id)
    assert code(lambda: table.get(0)) == UNKNOWN
    assert code(lambda: sessions.delete(table.id)) == UNKNOWN
    for name in ("sessions", "records", "answers"):
        assert count(store, name, table) == 0


def test_sessions_are_listed_in_pages(hosts: Hosts, own_store: str) -> None:
    running = hosts.start(own_store)
    sessions = Sessions(running.address)
    try:
        tables = {table.id: table for table in (sessions.begin() for _ in range(5))}
        gone = sessions.begin()
        expire(own_store, gone)
        pages, token = [], ""
        while True:
            request = session_pb2.ListSessionsRequest(page_size=2, page_token=token)
            page = sessions.stub.ListSessions(request)
            pages.append(list(page.sessions))
            token = page.next_page_token
            if not token:
                break
        assert [len(page) for page in pages] == [2, 2, 1]
        listed = [each for page in pages for each in page]
        assert {each.session for each in listed} == set(tables)
        for each in listed:
            stands = tables[each.session].get()
            assert (each.revision, each.expires) == (stands.revision, stands.expires)
            assert each.played_by == stands.played_by
            assert each.created < each.expires
        everything = sessions.stub.ListSessions(session_pb2.ListSessionsRequest())
        assert len(everything.sessions) == 5
        assert not everything.next_page_token
    finally:
        sessions.close()
        hosts.stop(running)


def test_a_page_that_cannot_be_is_an_error(sessions: Sessions) -> None:
    wrong = ("INVALID_ARGUMENT", "TS0838")
    for size in (-1, 1_001):
        request = session_pb2.ListSessionsRequest(page_size=size)
        assert code(lambda it=request: sessions.stub.ListSessions(it)) == wrong
    for token in ("\0", "x" * 65, "' OR 1=1"):
        request = session_pb2.ListSessionsRequest(page_token=token)
        assert code(lambda it=request: sessions.stub.ListSessions(it)) == wrong


def test_so_many_positions_are_remembered_and_no_more() -> None:
    positions: Any = Positions(most=2)
    kept = [
        Session(name, 1, 1, None, Version("", "", {}), "", 0.0, 0.0, 0.0)
        for name in ("a", "b", "c")
    ]
    for each in kept:
        positions.put(each, each.id)
    assert [positions.get(each) for each in kept] == [None, "b", "c"]


def test_the_default_store_is_in_the_users_folder(tmp_path: Path) -> None:
    assert store_address(Settings()).endswith("sessions.sqlite")
    assert store_address(Settings(store=str(tmp_path))) == str(tmp_path)
