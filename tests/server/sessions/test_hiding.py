"""A seat sees its own view and nothing else; strangers do not learn that there is a session."""

from __future__ import annotations

import contextvars
import json
import random

import pytest

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel import game, views
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.fingerprint import decoder, encoded, fingerprint
from rules_engine.kernel.outcomes import Event
from server.answers.engine import event_message
from server.callers import CALLER, Caller
from server.sessions.permitting import need, seat_in, viewer_of
from server.store.database import open_database
from server.store.sessions import LogRecord, SessionStore
from tests.server.sessions.tables import Sessions, Table, code
from truthsayer.v1 import session_pb2


def stored(store: str, table: Table) -> tuple[State, list[LogRecord]]:
    """The position and the log of a session, with everything that is hidden."""
    database = open_database(store)
    try:
        kept = SessionStore(database)
        session, _ = kept.look(table.id)
        assert session is not None
        position = kept.position(session)
        assert position is not None
        return decoder(State).decode(position), kept.records(table.id, 0, 10_000)
    finally:
        database.close()


def played(sessions: Sessions, inputs: int = 40) -> Table:
    """A game in which something has happened."""
    table, choice = sessions.begin(), random.Random(11)
    for _ in range(inputs):
        table.play(choice)
    return table


def test_everybody_sees_what_the_engine_shows_them(sessions: Sessions, store: str) -> None:
    table = played(sessions)
    state, log = stored(store, table)
    for who in (0, 1, 2, None):
        assert table.get(who).view == encoded(views.view(state, who)).decode()
        told = table.log(who)
        for record, shown in zip(log, told, strict=True):
            events = decoder(tuple[Event, ...]).decode(record.events)
            assert list(shown.events) == [
                event_message(views.view_event(event, who)) for event in events
            ]


def test_only_who_draws_a_card_is_told_which(sessions: Sessions) -> None:
    table = played(sessions)
    logs = {who: table.log(who) for who in (0, 1, 2, None)}
    drawn = 0
    for number, record in enumerate(logs[None]):
        for place, event in enumerate(record.events):
            if event.key != "draws":
                continue
            drawn += 1
            told = {
                who for who in logs if "card" in json.loads(logs[who][number].events[place].facts)
            }
            assert told == {event.player}
    # Three first hands of five; how many more there are, chance decides.
    assert drawn >= 15


def test_the_answer_to_an_input_shows_the_own_view(sessions: Sessions, store: str) -> None:
    table, choice = sessions.begin(), random.Random(4)
    for _ in range(20):
        seat = table.asked()
        taken = table.play(choice)
        state, log = stored(store, table)
        assert taken.view == encoded(views.view(state, seat)).decode()
        assert taken.revision == len(log)


def test_a_seat_is_told_of_its_own_actions_alone(sessions: Sessions, store: str) -> None:
    table = played(sessions, 5)
    state, _ = stored(store, table)
    everything = [encoded(each).decode() for each in game.actions(IMPERIUM, state)]
    for seat in range(3):
        own = [each for each in everything if json.loads(each)["by"] == seat]
        assert table.actions(seat) == own
    assert any(everything)


def test_no_fingerprint_and_no_fate_of_chance_is_told(sessions: Sessions, store: str) -> None:
    table = played(sessions, 10)
    state, log = stored(store, table)
    for who in (0, None):
        told = str([table.get(who), table.log(who)])
        assert fingerprint(state) not in told
        assert not any(record.fingerprint in told for record in log)


def test_a_token_for_another_session_finds_nothing(sessions: Sessions, table: Table) -> None:
    other = sessions.begin()
    own, stub = table.token(0), table.stub
    missing, strange = "A" * 22, "no/such\0id"
    unknown = ("NOT_FOUND", "TS0830")
    for session in (other.id, missing, strange):
        get = session_pb2.GetSessionRequest(session=session)
        actions = session_pb2.ListSessionActionsRequest(session=session)
        send = session_pb2.SendInputRequest(session=session, input='{"action":"reveal","by":0}')
        back = session_pb2.UndoRequest(session=session)
        follow = session_pb2.SubscribeRequest(session=session)
        assert code(lambda it=get: stub.GetSession(it, metadata=own)) == unknown
        assert code(lambda it=actions: stub.ListSessionActions(it, metadata=own)) == unknown
        assert code(lambda it=send: stub.SendInput(it, metadata=own)) == unknown
        assert code(lambda it=back: stub.Undo(it, metadata=own)) == unknown
        assert code(lambda it=follow: stub.Subscribe(it, metadata=own)) == unknown
    for session in (missing, strange):
        assert code(lambda it=session: sessions.delete(it)) == unknown
        assert code(lambda it=session: sessions.replay(it)) == unknown


def test_who_looks_on_cannot_play(table: Table) -> None:
    watching = table.token(None)
    denied = ("PERMISSION_DENIED", "TS0852")
    send = session_pb2.SendInputRequest(session=table.id, input='{"action":"reveal","by":0}')
    back = session_pb2.UndoRequest(session=table.id)
    actions = session_pb2.ListSessionActionsRequest(session=table.id)
    assert code(lambda: table.stub.SendInput(send, metadata=watching)) == denied
    assert code(lambda: table.stub.Undo(back, metadata=watching)) == denied
    assert code(lambda: table.stub.ListSessionActions(actions, metadata=watching)) == denied


@pytest.mark.parametrize("who", [0, None])
def test_who_plays_or_looks_on_cannot_administer(table: Table, who: int | None) -> None:
    own = table.token(who)
    denied = ("PERMISSION_DENIED", "TS0852")
    stub, session = table.stub, table.id
    create = session_pb2.CreateSessionRequest()
    listing = session_pb2.ListSessionsRequest()
    delete = session_pb2.DeleteSessionRequest(session=session)
    replay = session_pb2.ReplaySessionRequest(session=session)
    assert code(lambda: stub.CreateSession(create, metadata=own)) == denied
    assert code(lambda: stub.ListSessions(listing, metadata=own)) == denied
    assert code(lambda: stub.DeleteSession(delete, metadata=own)) == denied
    assert code(lambda: stub.ReplaySession(replay, metadata=own)) == denied


def test_who_administers_sees_no_session(table: Table) -> None:
    denied = ("UNAUTHENTICATED", "TS0850")
    get = session_pb2.GetSessionRequest(session=table.id)
    follow = session_pb2.SubscribeRequest(session=table.id)
    assert code(lambda: table.stub.GetSession(get)) == denied
    assert code(lambda: table.stub.Subscribe(follow)) == denied


@pytest.mark.parametrize(
    "who",
    [
        Caller("runs", frozenset({"run", "prove", "administer"})),
        Caller("looks on", frozenset({"observe"}), "a session"),
        Caller("plays", frozenset({"play"}), "a session", 0),
        Caller("plays elsewhere", frozenset({"play"}), "another", 0),
    ],
    ids=lambda who: who.id,
)
def test_a_session_asks_itself_what_a_caller_may(who: Caller) -> None:
    """Even where something lets in whom it should not."""
    asked = {
        "run": lambda: need("run"),
        "administer": lambda: need("administer"),
        "play": lambda: seat_in("a session"),
        "see": lambda: viewer_of("a session"),
    }
    refused = {}
    for what, ask in asked.items():
        context = contextvars.copy_context()
        context.run(CALLER.set, who)
        try:
            context.run(ask)
        except TruthsayerError as error:
            refused[what] = error.code
    not_this, unknown = "TS0837", "TS0830"
    assert (
        refused
        == {
            "runs": {"play": not_this, "see": not_this},
            "looks on": dict.fromkeys(("run", "administer", "play"), not_this),
            "plays": dict.fromkeys(("run", "administer"), not_this),
            "plays elsewhere": {
                **dict.fromkeys(("run", "administer"), not_this),
                **dict.fromkeys(("play", "see"), unknown),
            },
        }[who.id]
    )
