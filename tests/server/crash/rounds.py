"""Rounds: a server is started, found in order, played with, and killed in the midst of it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

from server.store.database import Synchronous, open_database
from tests.server.crash.checks import Kept
from tests.server.crash.clients import Told, begin, play_until_gone, sent_again
from tests.server.running import ROOT
from tests.server.sessions.tables import Sessions, Table

SESSIONS = 3
CLIENTS_A_SESSION = 2
LONGEST_LIFE = 0.3
"""A server is killed so many seconds after clients begin to play, or earlier."""


@dataclass
class Report:
    """What happened in all rounds."""

    rounds: int = 0
    in_flight: int = 0
    """Rounds in which an input was in flight when the server was killed."""

    acknowledged: int = 0
    unacknowledged: int = 0
    of_these_taken: int = 0
    repeated: int = 0

    def __str__(self) -> str:
        return (
            f"{self.rounds} kills, {self.in_flight} of them with inputs in flight; "
            f"{self.acknowledged:,} inputs acknowledged, none lost; {self.unacknowledged} not "
            f"acknowledged, {self.of_these_taken} of them taken once; {self.repeated} repeated, "
            "each answered as before or taken once"
        )


@dataclass
class Game:
    """A session that is played over many rounds."""

    table: Table
    kept: Kept
    told: Told = field(default_factory=Told)


class Zygote:
    """Starts servers quickly."""

    def __init__(self, store: str, synchronous: Synchronous = "full") -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.crash.zygote", store, synchronous],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self) -> tuple[str, int]:
        """A server: its address and its process."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("start\n")
        self._process.stdin.flush()
        address, process = self._process.stdout.readline().split()
        return address, int(process)

    def close(self) -> None:
        """Start no more."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()


@contextmanager
def zygote_for(store: str, synchronous: Synchronous = "full") -> Iterator[Zygote]:
    """A process that starts servers on a store."""
    zygote = Zygote(store, synchronous)
    try:
        yield zygote
    finally:
        zygote.close()


def crash(store: str, rounds: int, on_round: Callable[[Report], None] = lambda _: None) -> Report:
    """Kill so many servers on one store, and look at it after each."""
    report = Report()
    database = open_database(store)
    games: list[Game] = []
    with zygote_for(store) as zygote:
        for number in range(rounds + 1):
            address, process = zygote.start()
            sessions = Sessions(address)
            try:
                _look(games, sessions, report)
                games = [game for game in games if not game.told.over]
                while len(games) < SESSIONS:
                    table = begin(sessions)
                    games.append(Game(table, Kept(database, table)))
                for game in games:
                    game.told = Told()
                if number < rounds:
                    _play_and_kill(games, process, report)
            finally:
                kill(process)
                sessions.close()
            on_round(report)
    database.close()
    return report


def _look(games: list[Game], sessions: Sessions, report: Report) -> None:
    """Everything is in the store as it has to be; some inputs are repeated."""
    for game in games:
        told = game.told
        game.table = game.table.at(sessions)
        report.acknowledged += len(told.acknowledged)
        report.unacknowledged += len(told.in_flight)
        report.of_these_taken += game.kept.check(told)
        # As long as nobody has played since, it is the last one that can still be taken.
        for sent in told.in_flight:
            if random.random() < 0.5:
                report.repeated += 1
                first = sent_again(game.table, sent)
                assert first == sent_again(game.table, sent)
        for sent, answer in told.acknowledged[-2:]:
            report.repeated += 1
            assert sent_again(game.table, sent) == answer
        game.kept.check(Told(acknowledged=told.acknowledged, refused=told.refused))


def _play_and_kill(games: list[Game], process: int, report: Report) -> None:
    """Clients play until the server is killed, at a random moment."""
    lock = threading.Lock()
    with ThreadPoolExecutor(SESSIONS * CLIENTS_A_SESSION) as threads:
        clients = [
            threads.submit(play_until_gone, game.table, game.told, lock)
            for game in games
            for _ in range(CLIENTS_A_SESSION)
        ]
        time.sleep(random.uniform(0, LONGEST_LIFE))
        kill(process)
        for client in clients:
            client.result(timeout=60)
    report.rounds += 1
    report.in_flight += any(game.told.in_flight for game in games)


def kill(process: int) -> None:
    """End a process without asking it."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return  # it was killed before
