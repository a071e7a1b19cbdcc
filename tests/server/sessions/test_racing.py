"""Requests that meet: two servers have read the same revision before either of them writes."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import grpc
import psycopg
import pytest
from google.protobuf.message import Message

from server.store import sessions as stored
from server.store.database import open_database
from server.store.sessions import SessionStore
from tests.server.postgres import new_database
from tests.server.sessions.hosting import Hosts
from tests.server.sessions.tables import Sessions, Table, code, setup
from tests.server.sessions.test_limits import UNKNOWN, count, expire
from tests.server.sessions.test_repeating import undoable
from tests.server.test_stopping import eventually
from truthsayer.v1 import session_pb2

Call = Callable[[], Message]
ROUNDS = 5
TABLES = ("sessions", "records", "answers")


@pytest.fixture(scope="module")
def elsewhere(hosts: Hosts, store: str) -> Iterator[Sessions]:
    """A second server on the same store."""
    running = hosts.start(store)
    connected = Sessions(running.address)
    yield connected
    connected.close()
    hosts.stop(running)


@pytest.fixture
def meeting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two requests write only when both have read: whoever is late lets the other wait."""
    both, write = threading.Barrier(2, timeout=30), SessionStore.change

    def change(store: SessionStore, *values: Any) -> bool:
        both.wait()
        return write(store, *values)

    monkeypatch.setattr(SessionStore, "change", change)


def at_once(*calls: Call) -> list[Message | str]:
    """What calls at the same moment give: an answer, or the status of a refusal."""

    def told(call: Call) -> Message | str:
        try:
            return call()
        except grpc.RpcError as error:
            return str(error.code().name)

    with ThreadPoolExecutor(len(calls)) as callers:
        return list(callers.map(told, calls))


def one_wins(told: list[Message | str]) -> Message:
    """The answer of the only one that was taken; the other one came too late."""
    (won,) = (each for each in told if isinstance(each, Message))
    assert [each for each in told if isinstance(each, str)] == ["ABORTED"]
    return won


@pytest.mark.usefixtures("meeting")
def test_of_two_inputs_for_a_revision_one_is_taken(
    sessions: Sessions, elsewhere: Sessions, table: Table
) -> None:
    seat, revision = table.asked(), table.revision
    one, other = table.actions(seat)[:2]
    won = one_wins(
        at_once(
            lambda: table.send(seat, one, revision),
            lambda: table.at(elsewhere).send(seat, other, revision),
        )
    )
    assert isinstance(won, session_pb2.SendInputResponse)
    assert won.taken.revision == table.revision
    assert sum(each.kind == session_pb2.RECORD_KIND_INPUT for each in table.log()) == 1
    assert table.at(elsewhere).get(seat).view == table.get(seat).view == won.taken.view
    assert sessions.replay(table.id).played == table.revision


@pytest.mark.usefixtures("meeting")
def test_an_input_that_is_sent_twice_is_taken_once_and_answered_twice(
    elsewhere: Sessions, table: Table
) -> None:
    seat, revision = table.asked(), table.revision
    given = table.actions(seat)[0]
    first, second = at_once(
        lambda: table.send(seat, given, revision, key="k"),
        lambda: table.at(elsewhere).send(seat, given, revision, key="k"),
    )
    assert isinstance(first, session_pb2.SendInputResponse)
    assert first == second
    assert sum(each.kind == session_pb2.RECORD_KIND_INPUT for each in table.log()) == 1


def test_a_request_that_is_answered_while_it_is_looked_for_is_answered_again(
    elsewhere: Sessions, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, revision = table.asked(), table.revision
    given, look = table.actions(seat)[0], stored._answered
    told: list[Message] = []

    def answered(*values: Any) -> Any:
        found = look(*values)
        monkeypatch.undo()
        told.append(table.at(elsewhere).send(seat, given, revision, key="k"))
        return found

    monkeypatch.setattr(stored, "_answered", answered)
    assert table.send(seat, given, revision, key="k") == told[0]
    assert sum(each.kind == session_pb2.RECORD_KIND_INPUT for each in table.log()) == 1


@pytest.mark.usefixtures("meeting")
def test_of_two_inputs_with_one_key_the_second_is_an_error(
    elsewhere: Sessions, table: Table
) -> None:
    seat, revision = table.asked(), table.revision
    one, other = table.actions(seat)[:2]
    told = at_once(
        lambda: table.send(seat, one, revision, key="k"),
        lambda: table.at(elsewhere).send(seat, other, revision, key="k"),
    )
    assert [each for each in told if isinstance(each, str)] == ["INVALID_ARGUMENT"]
    assert sum(each.kind == session_pb2.RECORD_KIND_INPUT for each in table.log()) == 1


def test_of_an_undo_and_an_input_one_is_taken(
    sessions: Sessions, elsewhere: Sessions, table: Table, request: pytest.FixtureRequest
) -> None:
    seat, before, after = undoable(table)
    while table.asked() != seat:
        seat, before, after = undoable(table)
    given = table.actions(seat)[0]
    request.getfixturevalue("meeting")
    won = one_wins(
        at_once(
            lambda: table.undo(seat, before, after),
            lambda: table.at(elsewhere).send(seat, given, after),
        )
    )
    log = table.log()[after:]
    if isinstance(won, session_pb2.UndoResponse):
        assert [each.returned_to for each in log] == [before]
    else:
        assert log[0].kind == session_pb2.RECORD_KIND_INPUT
        assert session_pb2.RECORD_KIND_UNDO not in {each.kind for each in log}
    assert table.get() == table.at(elsewhere).get()
    assert sessions.replay(table.id).played == table.revision


def test_an_undo_that_is_sent_twice_is_done_once_and_answered_twice(
    elsewhere: Sessions, table: Table, request: pytest.FixtureRequest
) -> None:
    seat, before, after = undoable(table)
    request.getfixturevalue("meeting")
    first, second = at_once(
        lambda: table.undo(seat, before, after, key="k"),
        lambda: table.at(elsewhere).undo(seat, before, after, key="k"),
    )
    assert isinstance(first, session_pb2.UndoResponse)
    assert first == second
    assert table.revision == after + 1


@pytest.mark.parametrize("number", range(ROUNDS))
def test_a_game_that_is_begun_twice_at_two_servers_is_one(
    sessions: Sessions, elsewhere: Sessions, number: int
) -> None:
    request = setup(idempotency_key=f"begun at two servers, {number}")
    first, second = at_once(
        lambda: sessions.begin(request).made, lambda: elsewhere.begin(request).made
    )
    assert isinstance(first, session_pb2.CreateSessionResponse)
    assert first == second


def test_a_database_that_isolates_more_strictly_changes_nothing(
    hosts: Hosts, postgres: str, request: pytest.FixtureRequest
) -> None:
    """Its default would make an error of what is to be found and told."""
    store = new_database(postgres)
    with psycopg.connect(store, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(
            f"ALTER DATABASE {name} SET default_transaction_isolation = serializable"
        )
    running = hosts.start(store)
    sessions = Sessions(running.address)
    try:
        table = sessions.begin()
        seat, revision = table.asked(), table.revision
        both = table.actions(seat)[:2]
        request.getfixturevalue("meeting")
        one_wins(at_once(*(partial(table.send, seat, each, revision) for each in both)))
    finally:
        sessions.close()
        hosts.stop(running)


# Sessions that end meanwhile


@pytest.mark.parametrize("end", ["forget", "delete"])
def test_an_input_to_a_session_that_ends_before_it_is_written_leaves_nothing(
    table: Table, store: str, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, revision = table.asked(), table.revision
    given, write = table.actions(seat)[0], SessionStore.change

    def change(kept: SessionStore, *values: Any) -> bool:
        if end == "forget":
            expire(store, table)
            assert kept.forget(now=2.0, most=10) == 1
        else:
            assert kept.delete(table.id)
        return write(kept, *values)

    monkeypatch.setattr(SessionStore, "change", change)
    assert code(lambda: table.send(seat, given, revision, key="k")) == UNKNOWN
    assert [count(store, name, table) for name in TABLES] == [0, 0, 0]


@pytest.mark.parametrize("_", range(ROUNDS))
def test_an_input_and_the_end_of_its_session_leave_nothing(
    elsewhere: Sessions, store: str, table: Table, _: int
) -> None:
    seat, revision = table.asked(), table.revision
    given = table.actions(seat)[0]
    delete = session_pb2.DeleteSessionRequest(session=table.id)
    sent, deleted = at_once(
        lambda: table.send(seat, given, revision, key="k"),
        lambda: elsewhere.stub.DeleteSession(delete),
    )
    assert isinstance(deleted, Message)
    assert isinstance(sent, Message) or sent == "NOT_FOUND"
    assert [count(store, name, table) for name in TABLES] == [0, 0, 0]


def test_a_session_that_goes_on_while_it_is_forgotten_is_kept(postgres: str) -> None:
    """Only PostgreSQL lets the two work at once."""
    address = new_database(postgres)
    database = open_database(address)
    store = SessionStore(database)
    with psycopg.connect(address) as playing, ThreadPoolExecutor(1) as forgetting:
        playing.execute(
            "INSERT INTO sessions VALUES ('s', 1, '', 1, '', NULL, '', '', '{}', '', 1, 1, 1)"
        )
        playing.commit()
        playing.execute("UPDATE sessions SET revision = 2, expires = 1000")
        forgotten = forgetting.submit(store.forget, 500.0, 10)
        waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        with psycopg.connect(address, autocommit=True) as watching:
            assert eventually(lambda: watching.execute(waiting).fetchone() == (1,), 30)
        playing.commit()
        assert forgotten.result(timeout=30) == 0
    assert store.revisions(["s"], 500.0) == {"s": 2}
    database.close()


def test_servers_that_forget_at_once_forget_everything_once(own_store: str) -> None:
    databases = [open_database(own_store) for _ in range(4)]
    stores = [SessionStore(each) for each in databases]
    ids = [f"session {number}" for number in range(100)]
    random.Random(1).shuffle(ids)
    with databases[0].transaction() as rows:
        for id in ids:
            rows.run(
                "INSERT INTO sessions VALUES (?, 1, '', 1, '', NULL, '', '', '{}', '', 1, 1, 1)", id
            )
    with ThreadPoolExecutor(len(stores)) as servers:
        forgotten = list(servers.map(lambda each: each.forget(2.0, len(ids)), stores))
    assert sum(forgotten) == len(ids)
    assert stores[0].count(0.0) == 0
    for each in databases:
        each.close()
