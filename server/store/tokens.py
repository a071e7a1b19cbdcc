"""Tokens that an administrator gives out. Only their digests are kept: a token is shown once."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Collection, Sequence
from typing import Any

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record
from server.callers import SCOPES, Caller, Scope
from server.store.database import Database, make_tables

SECONDS_A_DAY = 24 * 60 * 60
LOOKS = re.compile(r"ts_([0-9a-f]{12})_[0-9a-f]{64}")
"""A token has a mark by which scanners for secrets find it, its id, and 256 random bits."""

TABLE = """
CREATE TABLE IF NOT EXISTS tokens (
    id TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    scopes TEXT NOT NULL,
    session TEXT,
    seat BIGINT,
    note TEXT NOT NULL,
    created BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    revoked BIGINT
)
"""
COLUMNS = "id, scopes, session, seat, note, created, expires, revoked"


class Token(Record):
    """What is known of a token; times are seconds since 1970."""

    id: str
    scopes: tuple[Scope, ...]
    session: str | None
    """The one session that is played or observed."""

    seat: int | None
    note: str
    created: int
    expires: int
    revoked: int | None

    def state(self) -> str:
        """Whether it is `valid`, `expired` or `revoked`."""
        if self.revoked is not None:
            return "revoked"
        return "valid" if time.time() < self.expires else "expired"

    def caller(self) -> Caller:
        """Who calls with it."""
        return Caller(self.id, frozenset(self.scopes), self.session, self.seat)


class Tokens:
    """The tokens in a store."""

    def __init__(self, database: Database) -> None:
        self._database = database
        make_tables(database, TABLE)

    def add(
        self,
        scopes: Collection[Scope],
        days: float,
        note: str = "",
        session: str | None = None,
        seat: int | None = None,
    ) -> tuple[str, Token]:
        """Make a token; what is given first is the token itself, which nobody can tell again."""
        _check_bound(scopes, session, seat)
        id, now = secrets.token_hex(6), int(time.time())
        text = f"ts_{id}_{secrets.token_hex(32)}"
        ordered = tuple(each for each in SCOPES if each in scopes)
        expires = now + int(days * SECONDS_A_DAY)
        made = Token(id, ordered, session, seat, note, now, expires, None)
        with self._database.transaction() as store:
            store.run(
                f"INSERT INTO tokens ({COLUMNS}, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                *(id, " ".join(ordered), session, seat, note, now, expires, None),
                _digest(text),
            )
        return text, made

    def all(self) -> list[Token]:
        """Every token that was given out, the oldest first."""
        with self._database.reading() as store:
            rows = store.rows(f"SELECT {COLUMNS} FROM tokens ORDER BY created, id")
        return [_token(row) for row in rows]

    def revoke(self, id: str) -> None:
        """End a token for good. One that was revoked before stays so."""
        with self._database.transaction() as store:
            if not store.rows("SELECT id FROM tokens WHERE id = ?", id):
                raise TruthsayerError(
                    "TS0856",
                    f"no token `{id}`",
                    help="`truthsayer tokens list` has the ids of all",
                )
            store.run(
                "UPDATE tokens SET revoked = ? WHERE id = ? AND revoked IS NULL",
                int(time.time()),
                id,
            )

    def find(self, text: str) -> Token | None:
        """The token, if it is one of ours and still valid."""
        looks = LOOKS.fullmatch(text)
        if looks is None:
            return None
        with self._database.reading() as store:
            rows = store.rows(f"SELECT {COLUMNS}, digest FROM tokens WHERE id = ?", looks[1])
        for row in rows:
            # How long it takes must not tell how much of a guess is right.
            if hmac.compare_digest(row[-1], _digest(text)) and _token(row).state() == "valid":
                return _token(row)
        return None


def _digest(text: str) -> str:
    """What is kept of a token. Nobody can guess 256 random bits, so no salt or slowness is due."""
    return hashlib.sha256(text.encode()).hexdigest()


def _token(row: Sequence[Any]) -> Token:
    id, scopes, *rest = row[: len(COLUMNS.split(","))]
    return Token(id, tuple(scopes.split()), *rest)


def _check_bound(scopes: Collection[Scope], session: str | None, seat: int | None) -> None:
    """Refuse scopes without what they are about, and the other way round."""
    if not scopes:
        raise _does_not_fit("no scope is named", "name at least one of " + ", ".join(SCOPES))
    if "play" in scopes and (session is None or seat is None):
        raise _does_not_fit(
            "`play` is for one seat of one session", "name the session and the seat"
        )
    if "observe" in scopes and (session is None or seat is not None):
        raise _does_not_fit("`observe` is for one session and no seat", "name the session alone")
    if not {"play", "observe"} & set(scopes) and (session is not None or seat is not None):
        raise _does_not_fit(
            "a session is named, which these scopes are not about", "add `play` or `observe`"
        )


def _does_not_fit(what: str, help: str) -> TruthsayerError:
    return TruthsayerError("TS0855", what, help=help)
