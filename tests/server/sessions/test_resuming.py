"""What another version left behind goes on if it can be played, or is told to be unplayable."""

from __future__ import annotations

import json
import random
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game
from rules_engine.imperium.state import State
from rules_engine.kernel import game
from rules_engine.kernel.fingerprint import encoded
from rules_engine.kernel.outcomes import Step
from rules_engine.kernel.rulings import Rulings
from rules_engine.rulebook.rulings import rulings
from server.sessions.line import Line
from server.store.database import open_database
from server.store.session_tokens import SessionTokens
from server.store.sessions import Session, SessionStore, Version
from tests.server.sessions.hosting import Hosts
from tests.server.sessions.tables import NAMES, Sessions, Table, code, refused
from tests.server.sessions.test_versions import change
from truthsayer.v1 import session_pb2

CHANCE = session_pb2.RECORD_KIND_CHANCE


def left_by_another_version(store: str, state: State) -> session_pb2.CreateSessionResponse:
    """A session that a version kept in a position for which it had nothing to do."""
    database = open_database(store)
    line = Line(0, state, Version("0.0.7", "other cards", {}), barrier=0)
    line.begin("start")
    left = line.change(None)
    id, expires = secrets.token_urlsafe(), time.time() + 1_000
    session = Session(id, 1, 1, None, left.version, "somebody", 1.0, 1.0, expires)
    assert SessionStore(database).create(session, left, None, b"", lambda _: None)
    tokens = SessionTokens(database)
    database.close()
    return session_pb2.CreateSessionResponse(
        session=id,
        revision=1,
        seat_tokens=[tokens.session_token(id, seat) for seat in range(len(NAMES))],
        observer_token=tokens.session_token(id, None),
        expires=int(expires),
    )


def waiting_for_chance() -> State:
    """The Objectives are not dealt."""
    return new_game("uprising", NAMES, Rulings())


def waiting_for_nobody() -> State:
    """A player has done something, and what follows by itself has not happened."""
    choice, state = random.Random(1), waiting_for_chance()
    while True:
        given = choice.choice(game.actions(IMPERIUM, state))
        done = game.handle(IMPERIUM, state, given)
        assert isinstance(done, Step)
        after: State = done.state
        if state.round and game.asked(IMPERIUM, after).nobody():
            return after
        state = game.settle(IMPERIUM, after).state


@pytest.mark.parametrize("left", [waiting_for_chance, waiting_for_nobody])
@pytest.mark.parametrize("first", ["look", "list", "send", "undo", "follow"])
def test_what_another_version_left_without_a_player_to_answer_goes_on(
    sessions: Sessions, store: str, left: Callable[[], State], first: str
) -> None:
    table = Table(sessions.stub, left_by_another_version(store, left()))
    stale = ("ABORTED", "TS0831")
    if first == "list":
        table.actions(0)
    elif first == "send":
        given = '{"action": "reveal", "by": 0}'
        assert code(lambda: table.send(0, given, revision=1)) == stale
    elif first == "undo":
        assert code(lambda: table.undo(0, 1, revision=1)) == stale
    elif first == "follow":
        call = table.subscribe(0)
        assert next(call).kind == session_pb2.RECORD_KIND_START
        assert next(call).kind == session_pb2.RECORD_KIND_VERSION
        call.cancel()
    stands = table.get(0)
    assert stands.asked.seats
    assert not stands.asked.chance
    assert stands.played_by.engine != "0.0.7"
    assert stands.expires == table.made.expires
    log = table.log()
    assert log[1].kind == session_pb2.RECORD_KIND_VERSION
    assert {each.kind for each in log[2:]} <= {CHANCE}
    assert bool(log[2:]) == log[1].asked.chance
    if log[2:]:
        assert code(lambda: table.undo(0, 2)) == ("FAILED_PRECONDITION", "TS0833")
    assert log[-1].asked.seats == stands.asked.seats
    table.play(random.Random(2))
    assert sessions.replay(table.id) == session_pb2.ReplaySessionResponse(
        played=table.revision - 1, of_other_versions=1
    )


def test_two_servers_that_find_chance_unanswered_answer_it_once(
    hosts: Hosts, sessions: Sessions, store: str
) -> None:
    other = hosts.start(store)
    elsewhere = Sessions(other.address)
    try:
        for _ in range(5):
            table = Table(sessions.stub, left_by_another_version(store, waiting_for_chance()))
            tables = (table, table.at(elsewhere)) * 2
            with ThreadPoolExecutor(len(tables)) as clients:
                told = list(clients.map(lambda each: each.get().SerializeToString(), tables))
            assert len(set(told)) == 1
            kinds = [each.kind for each in table.log()]
            assert kinds.count(session_pb2.RECORD_KIND_VERSION) == 1
            assert sessions.replay(table.id).differs_at == 0
            sessions.delete(table.id)
    finally:
        elsewhere.close()
        hosts.stop(other)


def broken(way: str) -> str:
    """A position with something that this version does not have."""
    position = json.loads(encoded(waiting_for_nobody()))
    if way == "ruling":
        position["config"]["rulings"]["chosen"] = [["whether-spice-sings", "yes"]]
    elif way == "value":
        position["config"]["rulings"]["chosen"] = [[next(iter(rulings())), "perhaps"]]
    elif way == "product":
        position["config"]["product"] = "immortality"
    elif way == "card":
        position["players"][0]["discard"] = ["a-card-of-tomorrow"]
    else:
        position["pending"][-1] = {"frame": "sing"}
    return json.dumps(position)


@pytest.mark.parametrize("way", ["ruling", "value", "product", "card", "frame"])
def test_a_position_with_what_this_version_does_not_have_is_a_clear_error(
    sessions: Sessions, store: str, way: str
) -> None:
    table = Table(sessions.stub, left_by_another_version(store, waiting_for_chance()))
    change(store, "UPDATE sessions SET position = ? WHERE id = ?", broken(way), table.id)
    for call in (
        lambda: table.get(0),
        lambda: table.actions(0),
        lambda: table.send(0, '{"action": "reveal", "by": 0}', 1),
        lambda: table.undo(0, 1, 1),
        lambda: table.subscribe(0),
    ):
        status, problem = refused(call)
        assert (status, problem.code) == ("FAILED_PRECONDITION", "TS0835")
        assert "engine 0.0.7" in problem.help
    assert sessions.replay(table.id).of_other_versions == 1
    sessions.delete(table.id)


@pytest.mark.parametrize(("column", "value"), [("kind", "dream"), ("events", "{}"), ("asked", "7")])
def test_a_record_that_this_version_cannot_read_is_a_clear_error(
    table: Table, store: str, column: str, value: str
) -> None:
    sql = f"UPDATE records SET engine = '0.0.7', {column} = ? WHERE session = ? AND revision = 3"
    change(store, sql, value, table.id)
    status, problem = refused(lambda: table.subscribe(0))
    assert (status, problem.code) == ("FAILED_PRECONDITION", "TS0835")
    assert "engine 0.0.7" in problem.help
