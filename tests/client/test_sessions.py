"""Sessions by both clients, with a server that keeps them."""

from __future__ import annotations

import asyncio
import json
from itertools import islice

import pytest

from tests.client.hosting import Host
from truthsayer.client import AsyncClient, AsyncSession, Client, ServiceError, Session
from truthsayer.v1 import engine_pb2, session_pb2

NAMES = ("Paul", "Jessica", "Leto")
GAME = session_pb2.CreateSessionRequest(
    setup=engine_pb2.NewGameRequest(product="uprising", players=NAMES)
)


def seats(client: Client) -> list[Session]:
    """A new game, by its seats; the observer is the last."""
    made = client.create_session(GAME)
    tokens = (*made.seat_tokens, made.observer_token)
    return [client.session(made.session, token) for token in tokens]


def asked(table: list[Session]) -> Session:
    """Who has to answer first."""
    return table[table[-1].get().asked.seats[0]]


def test_a_seat_sees_plays_and_takes_back(client: Client) -> None:
    *players, observer = table = seats(client)
    player = asked(table)
    others = [each for each in players if each is not player]
    assert all(each.actions() == [] for each in others)
    actions = player.actions()
    before = player.revision
    assert before is not None
    reveal = next(each for each in actions if each["action"] == "reveal")
    answer = player.send(reveal)
    assert answer.HasField("taken")
    assert player.revision == answer.taken.revision == before + 1
    assert json.loads(answer.taken.view) == player.view()
    undone = player.undo(before)
    assert player.revision == undone.revision == before + 2
    assert player.actions() == actions
    kinds = [each.kind for each in islice(observer.updates(after=before), 2)]
    assert kinds == [session_pb2.RECORD_KIND_INPUT, session_pb2.RECORD_KIND_UNDO]
    replayed = client.replay_session(session_pb2.ReplaySessionRequest(session=player.id))
    assert replayed.differs_at == 0


def test_a_stale_input_is_told_and_a_refused_one_changes_nothing(client: Client) -> None:
    made = client.create_session(GAME)
    seat = client.session(made.session, made.observer_token).get().asked.seats[0]
    early, late = (client.session(made.session, made.seat_tokens[seat]) for _ in range(2))
    late.actions()
    reveal = next(each for each in early.actions() if each["action"] == "reveal")
    early.send(reveal)
    with pytest.raises(ServiceError) as raised:
        late.send(reveal)
    assert (raised.value.status, raised.value.code) == ("ABORTED", "TS0831")
    assert late.view() == early.view()
    assert late.revision == early.revision
    refused = late.send(reveal)
    assert refused.refused.reasons
    assert late.revision == late.get().revision == early.revision


def test_each_sees_as_the_token_says(client: Client) -> None:
    *players, observer = seats(client)
    views = [each.view() for each in (*players, observer)]
    assert len({json.dumps(each) for each in views}) == 4
    with pytest.raises(ServiceError) as raised:
        observer.send({"action": "reveal", "by": 0})
    assert raised.value.code == "TS0852"
    with pytest.raises(ServiceError) as raised:
        client.session(players[0].id, "tss.x.0.x").view()
    assert (raised.value.status, raised.value.code) == ("UNAUTHENTICATED", "TS0851")


def test_awaited_sessions_do_the_same(address: str) -> None:
    async def play() -> None:
        async with AsyncClient(address, timeout=60) as client:
            made = await client.create_session(GAME)
            observer = client.session(made.session, made.observer_token)
            seat = (await observer.get()).asked.seats[0]
            player: AsyncSession = client.session(made.session, made.seat_tokens[seat])
            assert await player.view() != await observer.view()
            actions = await player.actions()
            before = player.revision
            assert before is not None
            answer = await player.send(next(a for a in actions if a["action"] == "reveal"))
            assert answer.taken.revision == player.revision == before + 1
            await player.undo(before)
            assert await player.actions() == actions
            revisions = []
            async for update in observer.updates(after=before):
                revisions.append(update.revision)
                if len(revisions) == 2:
                    break
            assert revisions == [before + 1, before + 2]
            await client.delete_session(session_pb2.DeleteSessionRequest(session=made.session))
            with pytest.raises(ServiceError) as raised:
                await player.view()
            assert raised.value.code == "TS0830"

    asyncio.run(play())


def test_updates_go_on_when_the_server_comes_back(host: Host) -> None:
    with Client(host.address, timeout=60) as client:
        table = seats(client)
        player = asked(table)
        actions = player.actions()
        assert player.revision is not None
        updates = table[-1].updates()
        seen = [next(updates).revision for _ in range(player.revision)]
        host.stop()
        host.start()
        player.send(next(each for each in actions if each["action"] == "reveal"))
        seen.append(next(updates).revision)
        updates.close()
    assert seen == list(range(1, player.revision + 1))


@pytest.mark.parametrize("again", [False, True])
def test_an_input_whose_answer_was_lost_counts_once(host: Host, again: bool) -> None:
    with Client(host.address, timeout=60) as client:
        table = seats(client)
        player = asked(table)
        reveal = next(each for each in player.actions() if each["action"] == "reveal")
        before = player.revision
        assert before is not None
        if again:
            host.stop()
            host.start()
        host.forgetful.forget("SendInput")
        answer = player.send(reveal)
        host.forgetful.forget("Undo")
        undone = player.undo(before)
        (kept,) = client.list_sessions(session_pb2.ListSessionsRequest()).sessions
    assert host.forgetful.forgotten == 2
    assert [name for name, _ in host.recorder.shown].count("SendInput") == 2
    assert (answer.taken.revision, undone.revision, kept.revision) == (
        before + 1,
        before + 2,
        before + 2,
    )


def test_an_awaited_input_whose_answer_was_lost_counts_once(host: Host) -> None:
    async def play() -> tuple[int, int, int]:
        async with AsyncClient(host.address, timeout=60) as client:
            made = await client.create_session(GAME)
            observer = client.session(made.session, made.observer_token)
            seat = (await observer.get()).asked.seats[0]
            player = client.session(made.session, made.seat_tokens[seat])
            actions = await player.actions()
            before = player.revision or 0
            host.forgetful.forget("SendInput")
            answer = await player.send(next(a for a in actions if a["action"] == "reveal"))
            return before, answer.taken.revision, (await observer.get()).revision

    before, taken, kept = asyncio.run(play())
    assert host.forgetful.forgotten == 1
    assert taken == kept == before + 1


def test_updates_of_a_session_that_is_gone_end_with_an_error(client: Client) -> None:
    *_, observer = seats(client)
    updates = observer.updates()
    next(updates)
    client.delete_session(session_pb2.DeleteSessionRequest(session=observer.id))
    with pytest.raises(ServiceError) as raised:
        list(updates)
    assert raised.value.code == "TS0830"
