"""Tokens of seats and observers. They are computed, so that the store keeps none of them.

A token is the session's id, the seat, and a mark that only who knows the server's secret can make.
So the same token can be told again to a caller who repeats a request, and no look-up is needed to
check one.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets

from server.store.database import Database, make_tables

TABLE = "CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, secret TEXT NOT NULL)"
NAME = "session tokens"
OBSERVER = "o"
LOOKS = re.compile(r"tss\.([\w-]{1,64})\.([0-9]{1,2}|o)\.([\w-]{43})", re.ASCII)
"""A sign by which scanners for secrets find it, the session, the seat or `o`, and the mark."""


class SessionTokens:
    """Makes and checks the tokens of sessions, by a secret in the store."""

    def __init__(self, database: Database) -> None:
        make_tables(database, TABLE)
        with database.transaction() as store:
            # Of several servers that begin at once, all take the secret of the first.
            store.run(
                "INSERT INTO secrets (name, secret) VALUES (?, ?) ON CONFLICT DO NOTHING",
                NAME,
                secrets.token_hex(32),
            )
            ((secret,),) = store.rows("SELECT secret FROM secrets WHERE name = ?", NAME)
        self._secret = bytes.fromhex(secret)

    def session_token(self, session: str, seat: int | None) -> str:
        """The token of a seat, or of those who look on."""
        who = OBSERVER if seat is None else str(seat)
        return f"tss.{session}.{who}.{self._mark(session, who)}"

    def verify(self, token: str) -> tuple[str, int | None] | None:
        """The session and seat that a token is for, if it is one of ours."""
        found = LOOKS.fullmatch(token)
        if found is None:
            return None
        session, who, mark = found.groups()
        if not hmac.compare_digest(mark, self._mark(session, who)):
            return None
        return session, None if who == OBSERVER else int(who)

    def _mark(self, session: str, who: str) -> str:
        mark = hmac.new(self._secret, f"{session}.{who}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(mark).decode().rstrip("=")
