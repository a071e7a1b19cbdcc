"""Requests that are repeated: answered again with the same bytes, and taken once."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from google.protobuf.message import Message

from server.store.database import open_database
from tests.server.sessions.hosting import Hosts, Running
from tests.server.sessions.tables import Sessions, Table, code, refused, setup


def same(one: Message, other: Message) -> bool:
    """Whether two messages are the same bytes."""
    return one.SerializeToString() == other.SerializeToString()


def test_a_repeated_input_is_answered_again_and_taken_once(table: Table) -> None:
    seat, revision = table.asked(), table.revision
    given = table.actions(seat)[0]
    first = table.send(seat, given, revision, key="one")
    after = table.revision
    table.play(random.Random(1))
    again = table.send(seat, given, revision, key="one")
    assert same(first, again)
    assert first.taken.revision == after < table.revision
    at_once = [each for each in table.log() if each.revision == revision + 1]
    assert [each.seat for each in at_once] == [seat]


def test_repeated_at_the_same_moment_an_input_is_taken_once(sessions: Sessions) -> None:
    with ThreadPoolExecutor(8) as clients:
        for _ in range(5):
            table = sessions.begin()
            seat, revision = table.asked(), table.revision
            given = table.actions(seat)[0]

            def send(
                _: int, table: Table = table, seat: int = seat, at: int = revision, one: str = given
            ) -> bytes:
                return table.send(seat, one, at, key="k").SerializeToString()

            assert len(set(clients.map(send, range(8)))) == 1
            assert sum(each.HasField("seat") for each in table.log()) == 1


def test_a_repeated_undo_is_answered_again(table: Table) -> None:
    seat, revision, taken = undoable(table)
    first = table.undo(seat, revision, taken, key="back")
    assert same(first, table.undo(seat, revision, taken, key="back"))
    assert table.revision == taken + 1


def undoable(table: Table) -> tuple[int, int, int]:
    """A seat has played something that can be taken back: the seat, the revisions around it."""
    choice = random.Random(3)
    while True:
        seat, before = table.asked(), table.revision
        after = table.play(choice).revision
        if after != before + 1:
            continue
        return seat, before, after


def test_a_key_of_another_request_is_an_error(table: Table) -> None:
    seat, revision = table.asked(), table.revision
    given, other = table.actions(seat)[:2]
    after = table.send(seat, given, revision, key="one").taken.revision
    expected = ("INVALID_ARGUMENT", "TS0832")
    assert code(lambda: table.send(seat, other, revision, key="one")) == expected
    assert code(lambda: table.send(seat, given, after, key="one")) == expected
    assert code(lambda: table.undo(seat, revision, after, key="one")) == expected
    assert table.revision == after


def test_keys_of_seats_are_their_own(table: Table) -> None:
    choice, key = random.Random(2), "the same"
    seats: set[int] = set()
    while len(seats) < 2:
        seat = table.asked()
        chosen = choice.choice(table.actions(seat))
        assert table.send(seat, chosen, key="" if seat in seats else key).HasField("taken")
        seats.add(seat)


def test_a_refused_input_keeps_no_key(table: Table) -> None:
    seat = table.asked()
    given = f'{{"action": "end_turn", "by": {seat}}}'
    assert table.send(seat, given, key="one").HasField("refused")
    assert table.send(seat, table.actions(seat)[0], key="one").HasField("taken")


@pytest.mark.parametrize("key", ["k" * 65, "a\nb", "\0"])
def test_a_bad_key_is_an_error(sessions: Sessions, table: Table, key: str) -> None:
    seat = table.asked()
    expected = ("INVALID_ARGUMENT", "TS0838")
    assert code(lambda: table.send(seat, table.actions(seat)[0], key=key)) == expected
    assert code(lambda: sessions.begin(setup(idempotency_key=key))) == expected


def test_a_repeated_beginning_gives_the_same_game_and_tokens(
    server: Running, sessions: Sessions
) -> None:
    ann, bob = server.token(), server.token()
    request = setup(idempotency_key="a game that begins")
    first = sessions.begin(request, ann)
    assert same(first.made, sessions.begin(request, ann).made)
    assert first.view(0)
    assert sessions.begin(request, bob).id != first.id
    other = setup(idempotency_key="a game that begins")
    other.setup.players[0] = "Stilgar"
    assert code(lambda: sessions.begin(other, ann)) == ("INVALID_ARGUMENT", "TS0832")


def test_nobody_gets_tokens_by_a_key_that_can_be_guessed(sessions: Sessions) -> None:
    for short in ("1", "game", "k" * 15, "é" * 15):
        status, problem = refused(lambda key=short: sessions.begin(setup(idempotency_key=key)))
        assert (status, problem.code) == ("INVALID_ARGUMENT", "TS0838")
        assert "guess" in problem.message
    for long in ("k" * 16, "k" * 64):
        assert sessions.begin(setup(idempotency_key=long)).view(0)


def test_repeated_at_the_same_moment_one_game_begins(sessions: Sessions) -> None:
    with ThreadPoolExecutor(8) as clients:
        for number in range(5):
            request = setup(idempotency_key=f"begun at once, {number}")
            made = clients.map(lambda _, it=request: sessions.begin(it).made, range(8))
            assert len({each.SerializeToString() for each in made}) == 1


def test_a_game_that_was_deleted_can_begin_again(sessions: Sessions) -> None:
    request = setup(idempotency_key="a game begun again")
    first = sessions.begin(request)
    sessions.delete(first.id)
    assert sessions.begin(request).id != first.id


def test_no_token_is_in_the_store(sessions: Sessions, table: Table, store: str) -> None:
    made = sessions.begin(setup(idempotency_key="one that is kept")).made
    seat = table.asked()
    table.send(seat, table.actions(seat)[0], key="kept")
    database = open_database(store)
    try:
        with database.reading() as rows:
            kept = str([rows.rows(f"SELECT * FROM {name}") for name in ("sessions", "answers")])
    finally:
        database.close()
    for token in (*made.seat_tokens, made.observer_token, *table.made.seat_tokens):
        assert token.rsplit(".", 1)[1] not in kept


def test_another_server_answers_a_repeated_request_with_the_same_bytes(
    hosts: Hosts, sessions: Sessions, store: str
) -> None:
    other = hosts.start(store)
    elsewhere = Sessions(other.address)
    try:
        request = setup(idempotency_key="one of two servers")
        made = sessions.begin(request)
        assert same(made.made, elsewhere.begin(request).made)
        seat, revision = made.asked(), made.revision
        given = made.actions(seat)[0]
        first = made.send(seat, given, revision, key="k")
        assert same(first, made.at(elsewhere).send(seat, given, revision, key="k"))
        status, problem = refused(lambda: made.at(elsewhere).send(seat, given, revision))
        assert (status, problem.code) == ("ABORTED", "TS0831")
    finally:
        elsewhere.close()
        hosts.stop(other)
