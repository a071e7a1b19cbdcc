"""A database with transactions. What is written in one is on disk once it has ended.

The statements are the same for SQLite and PostgreSQL: columns are TEXT, BIGINT or DOUBLE PRECISION,
and a value is written as `?`.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from rules_engine.kernel.errors import TruthsayerError
from server.logs import log

if TYPE_CHECKING:
    from psycopg_pool import ConnectionPool

Synchronous = Literal["full", "normal"]
"""Whether what is written survives a loss of power (full), or only the end of the process."""

BUSY_SECONDS = 30.0
"""How long a transaction waits for those of other processes."""

MOST_CONNECTIONS = 8


class Statements(Protocol):
    """What a transaction can do."""

    def run(self, sql: str, *values: object) -> int:
        """Run a statement, and say how many rows it changed."""

    def rows(self, sql: str, *values: object) -> list[Sequence[Any]]:
        """The rows that a query finds."""


class Database(Protocol):
    """Where to begin transactions, from any thread."""

    def transaction(self) -> contextlib.AbstractContextManager[Statements]:
        """Everything in it is written, or nothing if it ends with an error."""

    def reading(self) -> contextlib.AbstractContextManager[Statements]:
        """Nothing is written in it, so that it waits for nobody."""

    def close(self) -> None:
        """Close all connections."""


def open_database(address: str, synchronous: Synchronous = "full") -> Database:
    """The database at `postgresql://...`, or in the file of this name; it is made if need be."""
    if address.startswith(("postgresql://", "postgres://")):
        return _Postgres(address, synchronous)
    return _Sqlite(Path(address), synchronous)


def make_tables(database: Database, *statements: str) -> None:
    """Make what is not there yet: each statement can be run again, and then does nothing."""
    try:
        _make(database, statements)
    except Exception:
        # Of two servers that make the same table of PostgreSQL at once, one fails. It is there now.
        _make(database, statements)


def _make(database: Database, statements: Sequence[str]) -> None:
    with database.transaction() as store:
        for each in statements:
            store.run(each)


class _Rows:
    """Statements on a cursor of either driver."""

    def __init__(self, cursor: Any, value_mark: str) -> None:
        self._cursor = cursor
        self._mark = value_mark

    def run(self, sql: str, *values: object) -> int:
        self._cursor.execute(sql.replace("?", self._mark), values)
        return int(self._cursor.rowcount)

    def rows(self, sql: str, *values: object) -> list[Sequence[Any]]:
        self._cursor.execute(sql.replace("?", self._mark), values)
        found: list[Sequence[Any]] = self._cursor.fetchall()
        return found


class _Sqlite:
    """A file. Each thread has a connection of its own; one transaction writes at a time."""

    def __init__(self, file: Path, synchronous: Synchronous) -> None:
        self._file = file
        self._synchronous = synchronous
        self._own = threading.local()
        self._all: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            # Whoever reads the secrets in it can play for everybody.
            file.touch(mode=0o600)
            self._connection()
        except (OSError, sqlite3.Error) as error:
            raise unusable(error) from error

    def _connection(self) -> sqlite3.Connection:
        found: sqlite3.Connection | None = getattr(self._own, "connection", None)
        if found is None:
            found = sqlite3.connect(
                self._file, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            _write_ahead(found)
            found.execute(f"PRAGMA synchronous = {self._synchronous}")
            self._own.connection = found
            with self._lock:
                self._all.append(found)
        return found

    @contextmanager
    def transaction(self) -> Iterator[Statements]:
        """Others wait for it: two that read and then write would each refuse the other.

        Threads of this process wait at the lock, in turn; SQLite itself would let them try again
        and again.
        """
        with self._turn, self._begun("BEGIN IMMEDIATE") as statements:
            yield statements

    @contextmanager
    def reading(self) -> Iterator[Statements]:
        """It sees what was there when it first read, whatever is written meanwhile."""
        with self._begun("BEGIN") as statements:
            yield statements

    @contextmanager
    def _begun(self, begin: str) -> Iterator[Statements]:
        with _answering(sqlite3.OperationalError):
            connection = self._connection()
            connection.execute(begin)
            try:
                yield _Rows(connection.cursor(), "?")
                connection.execute("COMMIT")
            except BaseException:
                # Some errors, such as a full disk, have ended the transaction already.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._lock:
            for connection in self._all:
                connection.close()


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Let readers and a writer work at once. SQLite does not wait by itself for others doing so."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = wal")
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > end:
                raise
            time.sleep(0.01)


class _Postgres:
    """A PostgreSQL server, with some connections that threads take in turn."""

    def __init__(self, address: str, synchronous: Synchronous) -> None:
        try:
            import psycopg
            from psycopg_pool import ConnectionPool
        except ImportError as error:
            raise TruthsayerError(
                "TS0840",
                "PostgreSQL needs the extra `postgres`",
                help="pip install 'truthsayer[postgres]'",
            ) from error
        self._errors = (psycopg.OperationalError, psycopg.InterfaceError)
        commit = "on" if synchronous == "full" else "off"
        # By a stricter default of the database, who comes too late would meet an error instead.
        isolation = r"read\ committed"
        self._pool: ConnectionPool[psycopg.Connection[Any]] = ConnectionPool(
            address,
            min_size=1,
            max_size=MOST_CONNECTIONS,
            kwargs={
                "options": f"-c synchronous_commit={commit} "
                f"-c default_transaction_isolation={isolation}"
            },
            check=ConnectionPool.check_connection,
            open=False,
        )
        try:
            self._pool.open(wait=True, timeout=BUSY_SECONDS)
        except psycopg.Error as error:
            self._pool.close()
            raise unusable(error) from error

    @contextmanager
    def transaction(self) -> Iterator[Statements]:
        """What several read and then write is settled by the rows that their updates find."""
        with (
            _answering(*self._errors),
            self._pool.connection() as connection,
            connection.cursor() as cursor,
        ):
            yield _Rows(cursor, "%s")

    @contextmanager
    def reading(self) -> Iterator[Statements]:
        """Each query sees what was written before it."""
        with (
            _answering(*self._errors),
            self._pool.connection() as connection,
            connection.cursor() as cursor,
        ):
            # Without a beginning and an end to be sent, it takes half the time.
            connection.autocommit = True
            try:
                yield _Rows(cursor, "%s")
            finally:
                connection.autocommit = False

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


@contextmanager
def _answering(*errors: type[Exception]) -> Iterator[None]:
    """What the database fails at is told to the log; a caller learns that it can be tried again."""
    try:
        yield
    except errors as error:
        log().error("the store does not answer", exc_info=error)
        raise TruthsayerError(
            "TS0841",
            "the server cannot reach what it keeps",
            help="try again with the same idempotency key",
        ) from error


def unusable(error: Exception) -> TruthsayerError:
    """The error for whoever starts the server; an address may hold a password, and is not told."""
    return TruthsayerError(
        "TS0840",
        f"the store cannot be used: {type(error).__name__}",
        help="see that its address is right and that it can be written",
    )
