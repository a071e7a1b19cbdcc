"""Sessions of another version go on where they are, and nothing is played by other rules."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest

from server.sessions import versions
from server.store.database import open_database
from server.store.sessions import SessionStore
from tests.server.sessions.tables import Sessions, Table, code, refused
from truthsayer.v1 import session_pb2

OTHER = "99.0"
INPUT, CHANCE = session_pb2.RECORD_KIND_INPUT, session_pb2.RECORD_KIND_CHANCE


@pytest.fixture
def upgrade(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Makes the servers of this process another version."""
    return lambda: monkeypatch.setattr(versions, "running_engine", lambda: OTHER)


def change(store: str, sql: str, *values: object) -> None:
    """Change what is stored."""
    database = open_database(store)
    with database.transaction() as rows:
        assert rows.run(sql, *values) == 1
    database.close()


def test_a_session_of_another_version_goes_on_with_a_record_that_says_so(
    table: Table, upgrade: Callable[[], None], store: str
) -> None:
    choice = random.Random(2)
    for _ in range(5):
        table.play(choice)
    before, seat = table.get(), table.asked()
    upgrade()
    assert table.get() == before
    taken = table.play(choice)
    new = table.log()[before.revision :]
    assert new[0].kind == session_pb2.RECORD_KIND_VERSION
    assert (new[1].kind, new[1].seat) == (INPUT, seat)
    assert {each.kind for each in new[2:]} <= {CHANCE}
    assert taken.revision == before.revision + len(new)
    assert before.played_by.engine != OTHER
    assert table.get().played_by.engine == OTHER
    table.play(choice)
    kinds = [each.kind for each in table.log()]
    assert kinds.count(session_pb2.RECORD_KIND_VERSION) == 1

    database = open_database(store)
    log = SessionStore(database).records(table.id, 0, 1_000)
    database.close()
    assert {each.engine for each in log[: before.revision]} == {before.played_by.engine}
    assert {each.engine for each in log[before.revision :]} == {OTHER}
    body = json.loads(log[before.revision].body)
    assert body["version"]["engine"] == OTHER
    assert body["version"]["catalogue"] == before.played_by.catalogue
    assert body["version"]["rulings"] == dict(before.played_by.rulings)


def test_a_replay_plays_only_the_records_of_this_version(
    sessions: Sessions, table: Table, upgrade: Callable[[], None], store: str
) -> None:
    old = table.revision
    upgrade()
    table.play(random.Random(2))
    new = table.revision - old
    # By this version's rules the old records would lead elsewhere, and nobody notices.
    change(
        store,
        "UPDATE records SET fingerprint = 'elsewhere' WHERE session = ? AND revision = ?",
        table.id,
        old,
    )
    assert sessions.replay(table.id) == session_pb2.ReplaySessionResponse(
        played=new, of_other_versions=old
    )


def test_a_version_that_comes_back_plays_its_own_records(
    sessions: Sessions, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    choice, first = random.Random(2), table.revision
    with monkeypatch.context() as patch:
        patch.setattr(versions, "running_engine", lambda: OTHER)
        table.play(choice)
    second = table.revision
    table.play(choice)
    assert sessions.replay(table.id) == session_pb2.ReplaySessionResponse(
        played=first + table.revision - second, of_other_versions=second - first
    )


def test_another_catalogue_or_default_ruling_is_another_version(
    sessions: Sessions, table: Table, store: str
) -> None:
    choice = random.Random(2)
    change(store, "UPDATE sessions SET catalogue = 'other' WHERE id = ?", table.id)
    assert table.get().played_by.catalogue == "other"
    table.play(choice)
    assert table.get().played_by.catalogue != "other"
    change(store, "UPDATE sessions SET rulings = '{}' WHERE id = ?", table.id)
    table.play(choice)
    kinds = [each.kind for each in table.log()]
    assert kinds.count(session_pb2.RECORD_KIND_VERSION) == 2
    assert sessions.replay(table.id).differs_at == 0


def test_nothing_is_taken_back_over_a_change_of_version(
    table: Table, upgrade: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    choice = random.Random(3)
    while True:
        seat, before = table.asked(), table.revision
        view, given = table.get(seat).view, choice.choice(table.actions(seat))
        if table.send(seat, given).taken.revision == before + 1:
            break
    upgrade()
    status, problem = refused(lambda: table.undo(seat, before))
    assert (status, problem.code) == ("FAILED_PRECONDITION", "TS0833")
    assert "another version" in problem.message
    revision = table.revision
    # The same input as before, taken back by a version that could: no chance had a part in it.
    monkeypatch.undo()
    table.undo(seat, before)
    upgrade()
    table.send(seat, given)
    status, problem = refused(lambda: table.undo(seat, before))
    assert "another version plays since" in problem.message
    assert table.undo(seat, revision + 2).view == view


@pytest.mark.parametrize("position", ["{}", "nonsense", '{"players": []}'])
def test_a_position_that_this_version_cannot_read_is_a_clear_error(
    sessions: Sessions, table: Table, store: str, position: str
) -> None:
    seat = table.asked()
    given, revision = table.actions(seat)[0], table.revision
    change(
        store,
        "UPDATE sessions SET position = ?, revision = revision + 1, engine = '0.0.7' WHERE id = ?",
        position,
        table.id,
    )
    for call in (
        lambda: table.get(0),
        lambda: table.actions(0),
        lambda: table.send(seat, given, revision + 1),
        lambda: table.undo(seat, 1, revision + 1),
    ):
        status, problem = refused(call)
        assert (status, problem.code) == ("FAILED_PRECONDITION", "TS0835")
        assert "engine 0.0.7" in problem.help
    sessions.delete(table.id)


@pytest.mark.parametrize("column", ["fingerprint", "body", "kind"])
def test_a_replay_finds_the_first_record_that_leads_elsewhere(
    sessions: Sessions, table: Table, store: str, column: str
) -> None:
    choice = random.Random(4)
    for _ in range(5):
        table.play(choice)
    wrong = {"fingerprint": "0" * 32, "body": "{}", "kind": "undo"}[column]
    at = table.revision - 3
    change(
        store,
        f"UPDATE records SET {column} = ? WHERE session = ? AND revision = ?",
        wrong,
        table.id,
        at,
    )
    replayed = sessions.replay(table.id)
    assert (replayed.differs_at, replayed.played) == (at, at - 1)


def test_a_replay_finds_a_record_that_is_missing(
    sessions: Sessions, table: Table, store: str
) -> None:
    change(store, "DELETE FROM records WHERE session = ? AND revision = 9", table.id)
    assert sessions.replay(table.id).differs_at == 9


def test_a_replay_finds_a_last_record_that_is_missing(
    sessions: Sessions, table: Table, store: str
) -> None:
    last = table.revision
    change(store, "DELETE FROM records WHERE session = ? AND revision = ?", table.id, last)
    assert sessions.replay(table.id).differs_at == last


def test_a_replay_finds_a_position_that_the_log_does_not_lead_to(
    sessions: Sessions, table: Table, store: str
) -> None:
    other = sessions.begin()
    change(
        store,
        "UPDATE sessions SET position = (SELECT position FROM sessions WHERE id = ?) WHERE id = ?",
        other.id,
        table.id,
    )
    assert sessions.replay(table.id).differs_at == table.revision
    assert code(lambda: sessions.replay("A" * 22)) == ("NOT_FOUND", "TS0830")
