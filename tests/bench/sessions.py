"""Inputs of sessions a second: on both stores, safe from a loss of power and from a crash alone.

The server is a process of its own with nothing but sessions. What is timed is `SendInput` alone, as
a client sees it: first one input after the other, then many sessions at once. The disk decides much
of it, so a line says how long it takes to write one small block through to it.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from server.store.database import Synchronous
from tests.bench.aims import told
from tests.server.crash.rounds import kill, zygote_for
from tests.server.postgres import emptied, postgres_server
from tests.server.sessions.tables import Sessions, Table

AT_ONCE = 16
ROUNDS = 40
ONE_BY_ONE = 200
KINDS: tuple[Synchronous, ...] = ("full", "normal")


def main() -> None:
    """Print a line for each store and each way to write."""
    with tempfile.TemporaryDirectory() as folder, postgres_server() as address:
        told("one block written through to the disk", f"{_flush(Path(folder)) * 1e3:.2f} ms")
        for synchronous in KINDS:
            _measure("SQLite", str(Path(folder, f"{synchronous}.sqlite")), synchronous)
        for synchronous in KINDS:
            emptied(address)
            _measure("PostgreSQL", address, synchronous)


def _flush(folder: Path) -> float:
    """The usual time that it takes until a block is on the disk."""
    times = []
    with (folder / "block").open("wb", buffering=0) as file:
        for _ in range(50):
            file.write(b"x" * 4096)
            began = time.perf_counter()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - began)
    return statistics.median(times)


def _measure(name: str, store: str, synchronous: Synchronous) -> None:
    with zygote_for(store, synchronous) as zygote:
        address, process = zygote.start()
        sessions = Sessions(address)
        try:
            tables = [sessions.begin() for _ in range(AT_ONCE)]
            _together(tables, ROUNDS // 4)  # everybody is warm
            alone = [_sent(tables[0]) for _ in range(ONE_BY_ONE)]
            together = _together(tables, ROUNDS)
        finally:
            kill(process)
            sessions.close()
    kind = f"{name}, synchronous = {synchronous}"
    told(f"{kind}: one by one", f"{len(alone) / sum(alone):,.0f}/s")
    told(f"{kind}: median", f"{statistics.median(alone) * 1e3:.2f} ms")
    told(f"{kind}: {AT_ONCE} sessions at once", f"{AT_ONCE * ROUNDS / together:,.0f}/s")


def _sent(table: Table) -> float:
    """How long it takes to have an input taken."""
    seat, given, revision = _chosen(table)
    began = time.perf_counter()
    answer = table.send(seat, given, revision, key=str(revision))
    seconds = time.perf_counter() - began
    assert answer.HasField("taken")
    return seconds


def _chosen(table: Table) -> tuple[int, str, int]:
    """An input that somebody can give now: the games here are too short to be over."""
    at = table.get()
    seat = at.asked.seats[0]
    return seat, random.choice(table.actions(seat)), at.revision


def _together(tables: list[Table], rounds: int) -> float:
    """How long all sessions take to have an input taken each, so many times."""
    seconds = 0.0
    with ThreadPoolExecutor(len(tables)) as clients:
        for _ in range(rounds):
            chosen = list(clients.map(_chosen, tables))
            began = time.perf_counter()
            answers = clients.map(_send_chosen, tables, chosen)
            assert all(answers)
            seconds += time.perf_counter() - began
    return seconds


def _send_chosen(table: Table, chosen: tuple[int, str, int]) -> bool:
    seat, given, revision = chosen
    return table.send(seat, given, revision, key=str(revision)).HasField("taken")


if __name__ == "__main__":
    main()
