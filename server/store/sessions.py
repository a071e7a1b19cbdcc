"""Sessions as they are stored: one row each, a log that only grows, and answers to be given again.

What belongs to one change of a session is written in one transaction. The row's revision decides
between those who change it at once: who finds another one than expected has changed nothing.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from rules_engine.kernel.records import Record
from server.store.database import Database, Statements, make_tables

TABLES = (
    """
    CREATE TABLE IF NOT EXISTS sessions (
        id TEXT PRIMARY KEY,
        revision BIGINT NOT NULL,
        position TEXT NOT NULL,
        barrier BIGINT NOT NULL,
        barrier_position TEXT NOT NULL,
        undoable_by BIGINT,
        engine TEXT NOT NULL,
        catalogue TEXT NOT NULL,
        rulings TEXT NOT NULL,
        creator TEXT NOT NULL,
        created DOUBLE PRECISION NOT NULL,
        touched DOUBLE PRECISION NOT NULL,
        expires DOUBLE PRECISION NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS records (
        session TEXT NOT NULL,
        revision BIGINT NOT NULL,
        kind TEXT NOT NULL,
        seat BIGINT,
        body TEXT NOT NULL,
        events TEXT NOT NULL,
        asked TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        engine TEXT NOT NULL,
        PRIMARY KEY (session, revision)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS answers (
        asker TEXT NOT NULL,
        key TEXT NOT NULL,
        session TEXT NOT NULL,
        digest TEXT NOT NULL,
        response TEXT NOT NULL,
        PRIMARY KEY (asker, key)
    )
    """,
    # Whoever begins a session holds its one row meanwhile.
    "CREATE TABLE IF NOT EXISTS beginning (name TEXT PRIMARY KEY)",
    "INSERT INTO beginning (name) VALUES ('turn') ON CONFLICT DO NOTHING",
    "CREATE INDEX IF NOT EXISTS sessions_by_creator ON sessions (creator)",
    "CREATE INDEX IF NOT EXISTS sessions_by_expiry ON sessions (expires)",
    "CREATE INDEX IF NOT EXISTS answers_by_session ON answers (session)",
)

Kind = Literal["start", "input", "chance", "undo", "version"]


class Version(Record):
    """By what a session is played: the engine, the digest of everything printed, the rulings."""

    engine: str
    catalogue: str
    rulings: dict[str, str]


class Session(Record):
    """A session without its positions; times are seconds since 1970.

    Up to the revision `barrier` nothing can be taken back; after it there are only inputs of the
    seat `undoable_by`, if any, and what was taken back.
    """

    id: str
    revision: int
    barrier: int
    undoable_by: int | None
    version: Version
    creator: str
    created: float
    touched: float
    expires: float


class LogRecord(Record):
    """One record of a log; what is JSON in the store is text here.

    `body` is the position and version of a start or a new version, the input of a player or of
    chance, or the revision returned to. `fingerprint` is that of the position after it.
    """

    revision: int
    kind: Kind
    seat: int | None
    body: str
    events: str
    asked: str
    fingerprint: str
    engine: str


class Change(Record):
    """What a request makes of a session: more records, and the position after them."""

    records: tuple[LogRecord, ...]
    position: str
    version: Version
    barrier: int
    undoable_by: int | None
    barrier_position: str | None = None
    """The position at the barrier, if the barrier is another one than before."""

    @property
    def revision(self) -> int:
        """The revision of the last record."""
        return self.records[-1].revision


class Counted(Record):
    """How many sessions there are that are not forgotten, in all and of one creator."""

    kept: int
    of_creator: int


class Asking(Record):
    """A request that may be repeated: who asks, with which key, and a digest of all of it."""

    asker: str
    key: str
    digest: str


class Answered(Record):
    """What was answered to a request with some key."""

    session: str
    digest: str
    response: bytes


COLUMNS = (
    "id, revision, barrier, undoable_by, engine, catalogue, rulings, creator, created, touched, "
    "expires"
)
LOG_COLUMNS = "revision, kind, seat, body, events, asked, fingerprint, engine"


class SessionStore:
    """The tables of sessions."""

    def __init__(self, database: Database) -> None:
        self._database = database
        make_tables(database, *TABLES)

    # Reading

    def look(
        self, session: str, asking: Asking | None = None
    ) -> tuple[Session | None, Answered | None]:
        """A session, and what was answered to this request already."""
        with self._database.reading() as store:
            # In this order: who sees a session after a request also sees what was answered to it.
            found = store.rows(f"SELECT {COLUMNS} FROM sessions WHERE id = ?", session)
            answered = _answered(store, asking) if asking else None
        return (_session(found[0]) if found else None), answered

    def answered(self, asking: Asking) -> Answered | None:
        """What was answered to this request already."""
        with self._database.reading() as store:
            return _answered(store, asking)

    def position(self, session: Session) -> str | None:
        """The position that a session is in, if it has not gone on since."""
        return self._text("position", session)

    def barrier_position(self, session: Session) -> str | None:
        """The position at the barrier of a session, if it has not gone on since."""
        return self._text("barrier_position", session)

    def _text(self, column: str, session: Session) -> str | None:
        with self._database.reading() as store:
            found = store.rows(
                f"SELECT {column} FROM sessions WHERE id = ? AND revision = ?",
                session.id,
                session.revision,
            )
        return found[0][0] if found else None

    def records(self, session: str, after: int, most: int) -> list[LogRecord]:
        """The next records of a log after a revision."""
        with self._database.reading() as store:
            found = store.rows(
                f"SELECT {LOG_COLUMNS} FROM records WHERE session = ? AND revision > ? "
                "ORDER BY revision LIMIT ?",
                session,
                after,
                most,
            )
        return [LogRecord(*row) for row in found]

    def revisions(self, sessions: Sequence[str], now: float) -> dict[str, int]:
        """The revisions that those of the sessions are at that are not forgotten."""
        marks = ", ".join("?" for _ in sessions)
        with self._database.reading() as store:
            found = store.rows(
                f"SELECT id, revision FROM sessions WHERE expires > ? AND id IN ({marks})",
                now,
                *sessions,
            )
        return dict(found)  # type: ignore[arg-type]

    def page(self, after: str, most: int, now: float) -> list[Session]:
        """The next sessions after an id that are not forgotten."""
        with self._database.reading() as store:
            found = store.rows(
                f"SELECT {COLUMNS} FROM sessions WHERE id > ? AND expires > ? ORDER BY id LIMIT ?",
                after,
                now,
                most,
            )
        return [_session(row) for row in found]

    def count(self, now: float) -> int:
        """How many sessions there are that are not forgotten."""
        with self._database.reading() as store:
            return _count(store, now)

    def counted(self, creator: str, now: float) -> Counted:
        """How many sessions there are just now; others may begin meanwhile."""
        with self._database.reading() as store:
            return _counted(store, creator, now)

    # Writing

    def create(
        self,
        session: Session,
        begun: Change,
        asking: Asking | None,
        response: bytes,
        check: Callable[[Counted], None],
    ) -> bool:
        """Write a new session, unless the same request was answered meanwhile.

        `check` raises an error if there are too many already. Sessions begin one after the other,
        so that none is begun between the counting and the writing.
        """
        with self._database.transaction() as store:
            store.run("UPDATE beginning SET name = name")
            if asking and not _write_answer(store, asking, session.id, response):
                return False
            check(_counted(store, session.creator, session.created))
            store.run(
                "INSERT INTO sessions (id, revision, position, barrier, barrier_position, "
                "undoable_by, engine, catalogue, rulings, creator, created, touched, expires) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                session.id,
                begun.revision,
                begun.position,
                begun.barrier,
                begun.barrier_position,
                begun.undoable_by,
                *_version_values(begun.version),
                session.creator,
                session.created,
                session.touched,
                session.expires,
            )
            _write_records(store, session.id, begun.records)
        return True

    def change(
        self, session: Session, change: Change, asking: Asking | None, response: bytes
    ) -> bool:
        """Let a session go on, unless it has gone on meanwhile, or is gone.

        `session` is as it was before, but for the times, which are those to be written.
        """
        with self._database.transaction() as store:
            changed = store.run(
                "UPDATE sessions SET revision = ?, position = ?, barrier = ?, "
                "barrier_position = COALESCE(?, barrier_position), undoable_by = ?, engine = ?, "
                "catalogue = ?, rulings = ?, touched = ?, expires = ? "
                "WHERE id = ? AND revision = ?",
                change.revision,
                change.position,
                change.barrier,
                change.barrier_position,
                change.undoable_by,
                *_version_values(change.version),
                session.touched,
                session.expires,
                session.id,
                session.revision,
            )
            if not changed:
                return False
            _write_records(store, session.id, change.records)
            if asking:
                _write_answer(store, asking, session.id, response)
        return True

    def delete(self, session: str) -> bool:
        """Forget a session and all that belongs to it; tells whether there was one."""
        with self._database.transaction() as store:
            if not store.run("DELETE FROM sessions WHERE id = ?", session):
                return False
            _delete_rest(store, session)
        return True

    def forget(self, now: float, most: int) -> int:
        """Forget some sessions whose time is over, and say how many."""
        with self._database.transaction() as store:
            # In one order, so that servers that forget at once never wait for each other in turn.
            sql = "SELECT id FROM sessions WHERE expires <= ? ORDER BY expires, id LIMIT ?"
            over = [session for (session,) in store.rows(sql, now, most)]
            forgotten = 0
            for session in over:
                # It may have gone on meanwhile.
                sql = "DELETE FROM sessions WHERE id = ? AND expires <= ?"
                if store.run(sql, session, now):
                    _delete_rest(store, session)
                    forgotten += 1
        return forgotten


def _count(store: Statements, now: float, more: str = "", *values: object) -> int:
    sql = f"SELECT COUNT(*) FROM sessions WHERE expires > ?{more}"
    return int(store.rows(sql, now, *values)[0][0])


def _counted(store: Statements, creator: str, now: float) -> Counted:
    return Counted(_count(store, now), _count(store, now, " AND creator = ?", creator))


def _session(row: Sequence[Any]) -> Session:
    id, revision, barrier, undoable_by, engine, catalogue, rulings, *rest = row
    version = Version(engine, catalogue, msgspec.json.decode(rulings, type=dict[str, str]))
    return Session(id, revision, barrier, undoable_by, version, *rest)


def _version_values(version: Version) -> tuple[str, str, str]:
    rulings = msgspec.json.encode(version.rulings, order="deterministic").decode()
    return version.engine, version.catalogue, rulings


def _write_records(store: Statements, session: str, records: Sequence[LogRecord]) -> None:
    for record in records:
        store.run(
            f"INSERT INTO records (session, {LOG_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            session,
            *(getattr(record, field) for field in record.__struct_fields__),
        )


def _write_answer(store: Statements, asking: Asking, session: str, response: bytes) -> bool:
    """Keep an answer, unless there is one; most of it is a view, which can be packed well."""
    written = store.run(
        "INSERT INTO answers (asker, key, session, digest, response) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT DO NOTHING",
        asking.asker,
        asking.key,
        session,
        asking.digest,
        base64.b64encode(zlib.compress(response, level=1)).decode(),
    )
    return bool(written)


def _answered(store: Statements, asking: Asking) -> Answered | None:
    found = store.rows(
        "SELECT session, digest, response FROM answers WHERE asker = ? AND key = ?",
        asking.asker,
        asking.key,
    )
    if not found:
        return None
    session, digest, response = found[0]
    return Answered(session, digest, zlib.decompress(base64.b64decode(response)))


def _delete_rest(store: Statements, session: str) -> None:
    store.run("DELETE FROM records WHERE session = ?", session)
    store.run("DELETE FROM answers WHERE session = ?", session)
