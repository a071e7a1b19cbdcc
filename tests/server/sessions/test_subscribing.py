"""Subscriptions: every record once, in order, from whichever server; and an end that is clean."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any

import grpc
import pytest

from server.sessions import service
from server.settings import Limits
from server.store.sessions import SessionStore
from tests.server.sessions.hosting import Hosts
from tests.server.sessions.tables import Sessions, Table, code
from truthsayer.v1 import session_pb2


def revisions(call: Any, count: int) -> list[int]:
    """The revisions of the next records."""
    return [each.revision for each in islice(call, count)]


def test_everything_is_told_and_then_what_happens(table: Table) -> None:
    call, first = table.subscribe(), table.revision
    assert revisions(call, first) == list(range(1, first + 1))
    choice = random.Random(1)
    for _ in range(10):
        before, after = table.revision, table.play(choice).revision
        assert revisions(call, after - before) == list(range(before + 1, after + 1))
    call.cancel()


def test_a_subscription_goes_on_where_another_ended(table: Table) -> None:
    revision = table.revision
    call = table.subscribe(0, after=revision - 2)
    assert revisions(call, 2) == [revision - 1, revision]
    taken = table.play(random.Random(1))
    assert next(call).revision == revision + 1 <= taken.revision
    call.cancel()


def test_a_record_says_what_it_is_and_who_is_asked(table: Table) -> None:
    seat = table.asked()
    table.play(random.Random(1))
    log = table.log()
    own = next(each for each in log if each.HasField("seat"))
    assert (own.kind, own.seat) == (session_pb2.RECORD_KIND_INPUT, seat)
    assert own.events
    assert log[0].asked.chance
    assert log[-1].asked == table.get().asked


@pytest.mark.parametrize("after", [-1, 1_000_000])
def test_a_revision_that_is_not_there_yet_is_an_error(table: Table, after: int) -> None:
    assert code(lambda: table.subscribe(0, after)) == ("INVALID_ARGUMENT", "TS0838")


def test_what_another_server_did_is_told(hosts: Hosts, sessions: Sessions, store: str) -> None:
    other = hosts.start(store)
    elsewhere = Sessions(other.address)
    try:
        table = sessions.begin()
        call = table.subscribe(0, after=table.revision)
        choice, revision = random.Random(3), table.revision
        for _ in range(3):
            after = table.at(elsewhere).play(choice).revision
            assert revisions(call, after - revision) == list(range(revision + 1, after + 1))
            revision = after
        elsewhere.delete(table.id)
        assert list(call) == []
        assert call.code() is grpc.StatusCode.OK
    finally:
        elsewhere.close()
        hosts.stop(other)


def test_a_subscription_ends_with_its_session(sessions: Sessions, table: Table) -> None:
    call = table.subscribe(0, after=table.revision - 1)
    next(call)
    sessions.delete(table.id)
    assert list(call) == []
    assert call.code() is grpc.StatusCode.OK


def test_subscriptions_end_when_the_server_stops(hosts: Hosts, store: str) -> None:
    running = hosts.start(store)
    sessions = Sessions(running.address)
    table = sessions.begin()
    calls = [table.subscribe(who) for who in (0, 1, None)]
    for call in calls:
        assert revisions(call, table.revision)
    with ThreadPoolExecutor(1) as stopping:
        done = stopping.submit(hosts.stop, running)
        for call in calls:
            assert list(call) == []
            assert call.code() is grpc.StatusCode.OK
        done.result()
    sessions.close()


def test_a_slow_reader_only_lags(
    sessions: Sessions, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read from the store in small parts, and everything arrives, in order."""
    read: list[int] = []
    records = SessionStore.records

    def counted(self: Any, session: str, after: int, most: int) -> Any:
        found = records(self, session, after, most)
        read.append(len(found))
        return found

    monkeypatch.setattr(SessionStore, "records", counted)
    call, choice = table.subscribe(), random.Random(6)
    for _ in range(40):
        table.play(choice)
    revision = table.revision
    assert revisions(call, revision) == list(range(1, revision + 1))
    assert max(read) <= service.TOLD_AT_A_TIME
    call.cancel()
    assert sessions.replay(table.id).differs_at == 0


def test_there_are_so_many_subscriptions_and_no_more(hosts: Hosts, store: str) -> None:
    running = hosts.start(store, Limits(subscriptions=2))
    sessions = Sessions(running.address)
    try:
        table = sessions.begin()
        calls = [table.subscribe(who) for who in (0, 1)]
        for call in calls:
            next(call)
        assert code(lambda: table.subscribe(2)) == ("RESOURCE_EXHAUSTED", "TS0834")
        calls[0].cancel()
        for _ in range(100):  # the server needs a moment to see that a caller is gone
            again = table.subscribe(2)
            try:
                assert next(again).revision == 1
                break
            except grpc.RpcError:
                time.sleep(0.05)
        assert again.is_active()
    finally:
        sessions.close()
        hosts.stop(running)


def test_one_caller_cannot_have_all_subscriptions(hosts: Hosts, store: str) -> None:
    running = hosts.start(store, Limits(subscriptions=20))
    sessions = Sessions(running.address)
    try:
        table, other = sessions.begin(), sessions.begin()
        calls = [table.subscribe() for _ in range(2)]
        for call in calls:
            next(call)
        assert code(lambda: table.subscribe()) == ("RESOURCE_EXHAUSTED", "TS0834")
        assert next(table.subscribe(0)).revision == 1
        assert next(other.subscribe()).revision == 1
    finally:
        sessions.close()
        hosts.stop(running)
