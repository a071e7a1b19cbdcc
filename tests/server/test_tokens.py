"""Tokens in the store: kept as digests, found only while they are valid."""

from __future__ import annotations

import asyncio
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules_engine.kernel.errors import TruthsayerError
from server.authorising import KEPT_SECONDS, Callers
from server.callers import Caller
from server.store.database import Database, open_database
from server.store.session_tokens import SessionTokens
from server.store.tokens import LOOKS, Tokens


@pytest.fixture
def database(own_store: str) -> Iterator[Database]:
    opened = open_database(own_store)
    yield opened
    opened.close()


@pytest.fixture
def tokens(database: Database) -> Tokens:
    return Tokens(database)


def set_column(database: Database, column: str, value: int) -> None:
    """Change every token."""
    with database.transaction() as store:
        assert store.run(f"UPDATE tokens SET {column} = ?", value)


def test_a_token_is_found_with_what_it_was_given_for(tokens: Tokens) -> None:
    text, made = tokens.add(["prove", "run"], 90, "ci")
    assert made.scopes == ("run", "prove")
    assert (made.note, made.expires - made.created) == ("ci", 90 * 86_400)
    assert tokens.find(text) == made
    assert made.caller() == Caller(made.id, frozenset({"run", "prove"}))


def test_a_token_can_be_for_a_seat_or_to_look_on(tokens: Tokens) -> None:
    text, _ = tokens.add(["play", "run"], 1, session="abc", seat=2)
    found = tokens.find(text)
    assert found is not None
    assert found.caller() == Caller(found.id, frozenset({"play", "run"}), "abc", 2)
    text, _ = tokens.add(["observe"], 1, session="abc")
    found = tokens.find(text)
    assert found is not None
    assert found.caller() == Caller(found.id, frozenset({"observe"}), "abc")


@pytest.mark.parametrize(
    ("scopes", "bound"),
    [
        ([], {}),
        (["play"], {}),
        (["play"], {"session": "abc"}),
        (["play"], {"seat": 0}),
        (["observe"], {}),
        (["observe"], {"session": "abc", "seat": 0}),
        (["play", "observe"], {"session": "abc", "seat": 0}),
        (["run"], {"session": "abc"}),
        (["run", "administer"], {"seat": 0}),
    ],
)
def test_scopes_that_do_not_fit_make_no_token(tokens: Tokens, scopes: Any, bound: Any) -> None:
    with pytest.raises(TruthsayerError) as raised:
        tokens.add(scopes, 1, **bound)
    assert raised.value.code == "TS0855"
    assert tokens.all() == []


def test_every_token_is_another_and_looks_like_one(tokens: Tokens) -> None:
    texts = {tokens.add(["run"], 1)[0] for _ in range(100)}
    assert len(texts) == 100
    assert all(LOOKS.fullmatch(text) for text in texts)


def test_nothing_of_a_token_is_kept_but_its_id_and_digest(
    tokens: Tokens, database: Database
) -> None:
    text, made = tokens.add(["run"], 1)
    secret = text.rpartition("_")[2]
    with database.reading() as store:
        kept = str(store.rows("SELECT * FROM tokens"))
    assert made.id in kept
    assert secret[:16] not in kept


def test_nothing_of_a_token_is_on_disk_but_its_id_and_digest(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    database = open_database(str(file))
    tokens = Tokens(database)
    text, made = tokens.add(["run"], 1)
    secret = text.rpartition("_")[2]
    tokens.find(text)

    def on_disk() -> bytes:
        return b"".join(each.read_bytes() for each in file.parent.iterdir())

    assert made.id.encode() in on_disk()
    for form in (secret.encode(), bytes.fromhex(secret), secret[:16].encode()):
        assert form not in on_disk()
    database.close()
    assert made.id.encode() in on_disk()
    assert secret.encode() not in on_disk()


def test_nobody_else_on_the_machine_reads_the_store(tmp_path: Path) -> None:
    database = open_database(str(tmp_path / "store.sqlite"))
    Tokens(database).add(["run"], 1)
    for each in tmp_path.iterdir():
        assert stat.S_IMODE(each.stat().st_mode) == 0o600, each.name
    database.close()


def test_a_guess_is_not_found(tokens: Tokens) -> None:
    text, made = tokens.add(["run"], 1)
    other, _ = tokens.add(["run"], 1)
    last = "0" if text[-1] != "0" else "1"
    secret_of_the_other = f"ts_{made.id}_{other.rpartition('_')[2]}"
    guesses = [
        "",
        "ts_",
        made.id,
        text[:-1],
        text[:-1] + last,
        text + "0",
        text + "\n",
        text.upper(),
        secret_of_the_other,
        f"ts_{made.id}_{'0' * 64}",
        "ts_' OR 1=1 --_" + "0" * 64,
        "ä" * 80,
    ]
    for guess in guesses:
        assert tokens.find(guess) is None, guess
    assert tokens.find(text) == made


def test_an_expired_token_is_not_found(tokens: Tokens, database: Database) -> None:
    text, made = tokens.add(["run"], 1)
    set_column(database, "expires", made.created - 1)
    assert tokens.find(text) is None
    assert [each.state() for each in tokens.all()] == ["expired"]


def test_a_revoked_token_is_not_found_and_stays_revoked(tokens: Tokens, database: Database) -> None:
    text, made = tokens.add(["run"], 1)
    tokens.revoke(made.id)
    assert tokens.find(text) is None
    set_column(database, "revoked", 7)
    tokens.revoke(made.id)
    (listed,) = tokens.all()
    assert (listed.revoked, listed.state()) == (7, "revoked")


def test_only_a_token_that_is_there_can_be_revoked(tokens: Tokens) -> None:
    tokens.add(["run"], 1)
    with pytest.raises(TruthsayerError) as raised:
        tokens.revoke("000000000000")
    assert raised.value.code == "TS0856"
    assert [each.state() for each in tokens.all()] == ["valid"]


def test_another_server_of_the_store_finds_the_token(tokens: Tokens, own_store: str) -> None:
    text, made = tokens.add(["run"], 1)
    other = open_database(own_store)
    assert Tokens(other).find(text) == made
    other.close()


# What a server remembers


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_whose_a_token_is_is_remembered_for_a_moment(tokens: Tokens, database: Database) -> None:
    clock = Clock()
    callers = Callers(tokens, SessionTokens(database), clock)
    text, made = tokens.add(["run"], 1)
    assert callers.remembered(text) is None
    assert asyncio.run(callers.looked_up(text)) == made.caller()
    tokens.revoke(made.id)
    clock.now += KEPT_SECONDS - 0.001
    assert callers.remembered(text) == made.caller()
    clock.now += 0.001
    assert callers.remembered(text) is None
    assert asyncio.run(callers.looked_up(text)) is None
    assert KEPT_SECONDS <= 5


def test_few_tokens_are_remembered_and_no_guesses(tokens: Tokens, database: Database) -> None:
    callers = Callers(tokens, SessionTokens(database), most_kept=2)
    texts = [tokens.add(["run"], 1)[0] for _ in range(3)]

    async def look_up() -> None:
        for text in texts:
            assert await callers.looked_up(text) is not None
            assert await callers.looked_up(f"ts_{'0' * 12}_{'0' * 64}") is None

    asyncio.run(look_up())
    assert [callers.remembered(text) is not None for text in texts] == [False, True, True]


def test_a_store_that_does_not_answer_keeps_no_threads_from_others(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are far more look-ups that wait than threads that the event loop has for everybody."""
    answers = threading.Event()
    monkeypatch.setattr(Tokens, "find", lambda *_: answers.wait() and None)
    callers = Callers(Tokens(database), SessionTokens(database))

    async def look_up() -> None:
        waiting = [asyncio.create_task(callers.looked_up("a token")) for _ in range(200)]
        await asyncio.sleep(0)
        try:
            assert await asyncio.wait_for(asyncio.to_thread(answers.is_set), 60) is False
        finally:
            answers.set()
            await asyncio.gather(*waiting)

    asyncio.run(look_up())
    callers.close()


def test_the_token_of_a_seat_is_for_that_seat(tokens: Tokens, database: Database) -> None:
    made = SessionTokens(database)
    callers = Callers(tokens, SessionTokens(database))

    def whose(token: str) -> Caller | None:
        return asyncio.run(callers.looked_up(token))

    seat, observer = made.session_token("abc", 1), made.session_token("abc", None)
    assert whose(seat) == Caller("seat 1 of abc", frozenset({"play"}), "abc", 1)
    assert whose(observer) == Caller("observer of abc", frozenset({"observe"}), "abc")
    assert whose(seat[:-1]) is None
    assert whose(made.session_token("abd", 1).replace("abd", "abc")) is None
