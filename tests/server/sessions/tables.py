"""A client's side of a session, for tests: its id, its tokens, and what can be asked with them."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from grpc_status import rpc_status

from truthsayer.v1 import common_pb2, engine_pb2, session_pb2, session_pb2_grpc

NAMES = ("Paul", "Jessica", "Leto")
Who = int | None
"""A seat, or nobody for those who look on."""

Metadata = tuple[tuple[str, str], ...]


def setup(**more: Any) -> session_pb2.CreateSessionRequest:
    """A request to begin a game of three."""
    game = engine_pb2.NewGameRequest(product="uprising", players=NAMES)
    return session_pb2.CreateSessionRequest(setup=game, **more)


def bearer(token: str) -> Metadata:
    """The metadata of a call with a token."""
    return (("authorization", f"Bearer {token}"),)


class Sessions:
    """A connection to a server."""

    def __init__(self, address: str) -> None:
        self.channel = grpc.insecure_channel(address)
        self.stub = session_pb2_grpc.SessionServiceStub(self.channel)

    def close(self) -> None:
        """End the connection."""
        self.channel.close()

    def begin(
        self, request: session_pb2.CreateSessionRequest | None = None, token: str = ""
    ) -> Table:
        """A new session, of who has the token, or of somebody without one."""
        metadata = bearer(token) if token else ()
        made = self.stub.CreateSession(request or setup(), metadata=metadata)
        return Table(self.stub, made)

    def replay(self, session: str) -> session_pb2.ReplaySessionResponse:
        """What playing a log again says."""
        return self.stub.ReplaySession(session_pb2.ReplaySessionRequest(session=session))

    def delete(self, session: str) -> None:
        """End a session."""
        self.stub.DeleteSession(session_pb2.DeleteSessionRequest(session=session))


class Table:
    """A session, as those at the table use it."""

    def __init__(self, stub: Any, made: session_pb2.CreateSessionResponse) -> None:
        self.stub = stub
        self.made = made
        self.id = made.session
        self._keys = itertools.count()

    def at(self, other: Sessions) -> Table:
        """The same session at another server."""
        return Table(other.stub, self.made)

    def token(self, who: Who) -> Metadata:
        """The metadata of a call by a seat, or by one who looks on."""
        token = self.made.observer_token if who is None else self.made.seat_tokens[who]
        return bearer(token)

    def get(self, who: Who = None) -> session_pb2.GetSessionResponse:
        """How the session stands."""
        request = session_pb2.GetSessionRequest(session=self.id)
        answer: session_pb2.GetSessionResponse
        answer = self.stub.GetSession(request, metadata=self.token(who))
        return answer

    def view(self, who: Who = None) -> Any:
        """What somebody sees."""
        return json.loads(self.get(who).view)

    @property
    def revision(self) -> int:
        """The revision that the session is at."""
        return self.get().revision

    def asked(self) -> int:
        """The first seat that may answer."""
        return self.get().asked.seats[0]

    def actions(self, seat: int) -> list[str]:
        """What a seat may do."""
        request = session_pb2.ListSessionActionsRequest(session=self.id)
        return list(self.stub.ListSessionActions(request, metadata=self.token(seat)).inputs)

    def send(
        self, seat: int, given: str, revision: int | None = None, key: str = ""
    ) -> session_pb2.SendInputResponse:
        """Give an input."""
        request = session_pb2.SendInputRequest(
            session=self.id,
            revision=self.revision if revision is None else revision,
            input=given,
            idempotency_key=key,
        )
        answer: session_pb2.SendInputResponse
        answer = self.stub.SendInput(request, metadata=self.token(seat))
        return answer

    def play(self, choice: random.Random) -> session_pb2.Taken:
        """Whoever is asked does something."""
        seat = self.asked()
        answer = self.send(seat, choice.choice(self.actions(seat)))
        assert answer.HasField("taken"), answer
        return answer.taken

    def undo(
        self, seat: int, return_to: int, revision: int | None = None, key: str = ""
    ) -> session_pb2.UndoResponse:
        """Take something back."""
        request = session_pb2.UndoRequest(
            session=self.id,
            revision=self.revision if revision is None else revision,
            return_to=return_to,
            idempotency_key=key,
        )
        answer: session_pb2.UndoResponse
        answer = self.stub.Undo(request, metadata=self.token(seat))
        return answer

    def subscribe(self, who: Who = None, after: int = 0) -> Any:
        """What happens, from a revision on."""
        request = session_pb2.SubscribeRequest(session=self.id, after=after)
        return self.stub.Subscribe(request, metadata=self.token(who), timeout=60)

    def log(self, who: Who = None) -> list[session_pb2.SubscribeResponse]:
        """All records there are, as somebody may see them."""
        revision = self.revision
        call = self.subscribe(who)
        try:
            return list(itertools.islice(call, revision))
        finally:
            call.cancel()


def refused(call: Any) -> tuple[str, common_pb2.Problem]:
    """The status of a call that is refused, and the problem that comes with it."""
    with pytest.raises(grpc.RpcError) as raised:
        list(answer) if isinstance(answer := call(), Iterator) else answer
    error: Any = raised.value
    status: Any = rpc_status.from_call(error)
    problem = common_pb2.Problem()
    assert status is not None, error
    assert status.details[0].Unpack(problem)
    assert problem.help
    return error.code().name, problem


def code(call: Any) -> tuple[str, str]:
    """The status and the code of a call that is refused."""
    status, problem = refused(call)
    return status, problem.code
