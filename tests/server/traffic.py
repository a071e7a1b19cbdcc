"""Clients that play on whatever happens to a server, as long as another one answers."""

from __future__ import annotations

import random
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import grpc

from tests.server.crash.clients import GONE, Sent, Told
from tests.server.sessions.tables import Sessions, Table, setup
from truthsayer.v1 import session_pb2

MOST_TRIES = 200


class Player:
    """Plays one session at several servers: the one that answers, and else the next."""

    def __init__(self, addresses: Sequence[str], first: int = 0) -> None:
        self._servers = [Sessions(address) for address in addresses]
        self._at = first % len(addresses)
        self._random = random.Random()
        self.told = Told()
        self.repeated = 0
        """Calls that another server was asked to answer."""
        request = setup(idempotency_key=secrets.token_hex(8))
        self.table = self._tried(lambda server: server.begin(request))

    def close(self) -> None:
        """End the connections."""
        for each in self._servers:
            each.close()

    def play(self) -> None:
        """Whoever is asked does something; an input is repeated with its key until it is told."""
        at = self._tried(lambda server: self.table.at(server).get())
        if not at.asked.seats:
            self.told.over = True
            return
        seat = self._random.choice(at.asked.seats)
        inputs = self._tried(lambda server: self.table.at(server).actions(seat))
        request = session_pb2.SendInputRequest(
            session=self.table.id,
            revision=at.revision,
            input=self._random.choice(inputs),
            idempotency_key=secrets.token_hex(8),
        )
        token = self.table.token(seat)
        answer = self._tried(lambda server: server.stub.SendInput(request, metadata=token))
        assert answer.HasField("taken"), answer
        self.told.acknowledged.append((Sent(seat, request), answer))

    def _tried(self, call: Callable[[Sessions], Any]) -> Any:
        """The answer of the first server that gives one."""
        for _ in range(MOST_TRIES):
            try:
                return call(self._servers[self._at])
            except grpc.RpcError as error:
                if error.code() not in GONE:
                    raise
            self.repeated += 1
            self._at = (self._at + 1) % len(self._servers)
        raise AssertionError("no server answers")


class Traffic:
    """Players in threads of their own."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = players
        self.faults: list[BaseException] = []
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._play, args=(each,)) for each in players]
        for thread in self._threads:
            thread.start()

    def _play(self, player: Player) -> None:
        try:
            while not (self._stop.is_set() or player.told.over):
                player.play()
        except BaseException as error:
            self.faults.append(error)

    @property
    def acknowledged(self) -> list[int]:
        """How many inputs of each player were acknowledged."""
        return [len(each.told.acknowledged) for each in self.players]

    def stop(self) -> None:
        """Let every player finish what it does."""
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=60)
            assert not thread.is_alive()


@contextmanager
def traffic(addresses: Sequence[str], players: int) -> Iterator[Traffic]:
    """Some players, each beginning at another server."""
    all_players = [Player(addresses, number) for number in range(players)]
    running = Traffic(all_players)
    try:
        yield running
    finally:
        running.stop()
        for each in all_players:
            each.close()


def tables(running: Traffic) -> list[Table]:
    """The sessions that were played."""
    return [each.table for each in running.players]
