"""Clients that play until the server is gone, and remember what they were told and what not."""

from __future__ import annotations

import random
import secrets
import threading
from dataclasses import dataclass, field

import grpc

from tests.server.sessions.tables import Sessions, Table, setup
from truthsayer.v1 import session_pb2

GONE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.UNKNOWN)
"""How a call ends whose server was killed."""


@dataclass(frozen=True)
class Sent:
    """An input that was sent, and for which seat."""

    seat: int
    request: session_pb2.SendInputRequest


@dataclass
class Told:
    """What the clients of one session know of their inputs."""

    acknowledged: list[tuple[Sent, session_pb2.SendInputResponse]] = field(default_factory=list)
    refused: list[Sent] = field(default_factory=list)
    """Of which they were told that they are not taken."""

    in_flight: list[Sent] = field(default_factory=list)
    """To which there was no answer."""

    over: bool = False
    """Whether the game is."""


def sent_again(table: Table, sent: Sent) -> session_pb2.SendInputResponse | None:
    """The answer to an input that is repeated; none if it comes too late to be taken."""
    try:
        return table.send(
            sent.seat, sent.request.input, sent.request.revision, sent.request.idempotency_key
        )
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.ABORTED:
            raise
        return None


def play_until_gone(table: Table, told: Told, lock: threading.Lock) -> None:
    """Whoever is asked does something, until the server is gone or the game is over."""
    choice = random.Random()
    while True:
        try:
            at = table.get()
            if not at.asked.seats:
                told.over = True
                return
            seat = choice.choice(at.asked.seats)
            inputs = table.actions(seat)
        except grpc.RpcError as error:
            if error.code() not in GONE:
                raise
            return
        # Meanwhile another client may have played: then there is nothing for this seat.
        if inputs and not _send(table, told, lock, seat, choice.choice(inputs), at.revision):
            return


def _send(
    table: Table, told: Told, lock: threading.Lock, seat: int, given: str, revision: int
) -> bool:
    """Send an input, remember what came of it, and say whether the server is still there."""
    sent = Sent(
        seat,
        session_pb2.SendInputRequest(
            session=table.id,
            revision=revision,
            input=given,
            idempotency_key=secrets.token_hex(8),
        ),
    )
    try:
        answer = table.stub.SendInput(sent.request, metadata=table.token(seat))
    except grpc.RpcError as error:
        status = error.code()
        if status not in (grpc.StatusCode.ABORTED, *GONE):
            raise
        with lock:
            if status is grpc.StatusCode.ABORTED:
                told.refused.append(sent)
            else:
                told.in_flight.append(sent)
        return status is grpc.StatusCode.ABORTED
    with lock:
        if answer.HasField("taken"):
            told.acknowledged.append((sent, answer))
        else:
            told.refused.append(sent)
    return True


def begin(sessions: Sessions) -> Table:
    """A game of a new session."""
    return sessions.begin(setup(idempotency_key=secrets.token_hex(8)))
