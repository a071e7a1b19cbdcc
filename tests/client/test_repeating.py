"""What both clients try again, and what never."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import islice
from typing import Any

import grpc
import pytest

from tests.client.away import REFUSED, Away, away
from truthsayer.client import AsyncClient, Client, ServiceError
from truthsayer.client.reconnecting import PAUSES
from truthsayer.v1 import session_pb2

Call = Callable[[str], Any]
MOST_TRIES = 5


def waiting(name: str, request: Any) -> Call:
    """A call of the client that waits."""

    def call(address: str) -> Any:
        with Client(address) as client:
            return getattr(client, name)(request)

    return call


def awaiting(name: str, request: Any) -> Call:
    """The same call, awaited."""

    async def ask(address: str) -> Any:
        async with AsyncClient(address) as client:
            return await getattr(client, name)(request)

    return lambda address: asyncio.run(ask(address))


WAYS = pytest.mark.parametrize("way", [waiting, awaiting])
SAFE = pytest.mark.parametrize(
    ("name", "request_"),
    [
        ("list_sessions", session_pb2.ListSessionsRequest(page_size=3)),
        ("create_session", session_pb2.CreateSessionRequest()),
        ("send_input", session_pb2.SendInputRequest(session="s", revision=1, input="{}")),
        ("undo", session_pb2.UndoRequest(session="s", revision=2, return_to=1)),
    ],
)


@WAYS
@SAFE
def test_a_safe_call_is_repeated_with_the_same_request(
    way: Callable[[str, Any], Call], name: str, request_: Any
) -> None:
    service = Away(failures=2)
    with away(service) as address:
        way(name, request_)(address)
    first, *again = service.heard
    assert again == [first, first]
    if hasattr(first, "idempotency_key"):
        assert 16 <= len(first.idempotency_key) <= 64
        assert request_.idempotency_key == ""


@WAYS
def test_a_call_is_not_repeated_for_ever(way: Callable[[str, Any], Call]) -> None:
    service = Away(failures=100)
    with away(service) as address, pytest.raises(ServiceError) as raised:
        way("list_sessions", session_pb2.ListSessionsRequest())(address)
    assert (raised.value.status, raised.value.code) == ("UNAVAILABLE", "TS0707")
    assert len(service.heard) == MOST_TRIES


@WAYS
def test_what_has_no_key_and_changes_something_is_not_repeated(
    way: Callable[[str, Any], Call],
) -> None:
    service = Away(failures=1)
    with away(service) as address, pytest.raises(ServiceError):
        way("delete_session", session_pb2.DeleteSessionRequest())(address)
    assert len(service.heard) == 1


@WAYS
def test_another_failure_is_not_repeated(way: Callable[[str, Any], Call]) -> None:
    service = Away(failures=1, status=REFUSED)
    with away(service) as address, pytest.raises(ServiceError) as raised:
        way("list_sessions", session_pb2.ListSessionsRequest())(address)
    assert raised.value.status == "INTERNAL"
    assert len(service.heard) == 1


def test_a_key_of_the_callers_is_kept() -> None:
    service = Away(failures=0)
    with away(service) as address:
        waiting("undo", session_pb2.UndoRequest(idempotency_key="mine"))(address)
        awaiting("undo", session_pb2.UndoRequest(idempotency_key="mine"))(address)
    assert [each.idempotency_key for each in service.heard] == ["mine", "mine"]


def test_every_input_of_a_session_has_a_key_of_its_own_and_the_revision_that_was_seen() -> None:
    service = Away(failures=1)
    with away(service) as address, Client(address) as client:
        session = client.session("s", "token")
        session.send({"action": "pass"})
        session.send({"action": "pass"})
        session.undo(7)
    first, repeated, second, undone = service.heard
    assert first == repeated
    assert (first.revision, second.revision, undone.revision) == (7, 8, 9)
    assert undone.return_to == 7
    assert len({each.idempotency_key for each in (first, second, undone)}) == 3


def test_updates_go_on_after_the_last_revision_seen_whether_it_is_away_or_ends() -> None:
    service = Away(failures=1)
    with away(service) as address, Client(address, timeout=30) as client:
        updates = client.session("s", "token").updates(after=4)
        seen = [each.revision for each in islice(updates, 7)]
        updates.close()
    assert seen == [5, 6, 7, 8, 9, 10, 11]
    assert [each.after for each in service.heard] == [4, 4, 6, 8, 10]


def test_awaited_updates_go_on_as_well() -> None:
    service = Away(failures=1)

    async def hear(address: str) -> list[int]:
        seen = []
        async with AsyncClient(address, timeout=30) as client:
            updates = client.session("s", "token").updates(after=4)
            async for each in updates:
                seen.append(each.revision)
                if len(seen) == 7:
                    await updates.aclose()
        return seen

    with away(service) as address:
        assert asyncio.run(hear(address)) == [5, 6, 7, 8, 9, 10, 11]
    assert [each.after for each in service.heard] == [4, 4, 6, 8, 10]


def test_updates_are_given_up_after_all_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truthsayer.client.blocking_session.PAUSES", PAUSES[:2])
    service = Away(failures=1000)
    with away(service) as address, Client(address) as client, pytest.raises(ServiceError) as raised:
        next(client.session("s", "token").updates())
    assert raised.value.code == "TS0707"
    assert len(service.heard) == 3 * MOST_TRIES


def test_subscriptions_that_only_end_are_given_up_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truthsayer.client.blocking_session.PAUSES", PAUSES[:2])
    service = Away(failures=0)
    monkeypatch.setattr(service, "Subscribe", lambda *_: iter(()))
    with away(service) as address, Client(address) as client, pytest.raises(ServiceError) as raised:
        next(client.session("s", "token").updates())
    assert raised.value.code == "TS0883"


def test_a_refused_subscription_is_told_at_once() -> None:
    service = Away(failures=1, status=grpc.StatusCode.PERMISSION_DENIED)
    with away(service) as address, Client(address) as client, pytest.raises(ServiceError) as raised:
        next(client.session("s", "token").updates())
    assert raised.value.status == "PERMISSION_DENIED"
    assert len(service.heard) == 1
