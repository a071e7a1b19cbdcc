"""What the answers about sessions share: the store, tokens, limits, and positions read lately."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from google.protobuf.message import Message

from rules_engine.imperium.state import State
from rules_engine.kernel.records import change
from server.sessions.problems import bad_field, key_taken, stale, unknown_session
from server.sessions.resuming import read_stored, unattended
from server.settings import Limits
from server.store.session_tokens import SessionTokens
from server.store.sessions import Answered, Asking, Change, Session, SessionStore

LONGEST_KEY = 64
MOST_POSITIONS = 1_000
"""So many positions stay in memory; one has some ten thousand bytes as JSON."""

SECONDS_A_DAY = 24 * 60 * 60

ReplyT = TypeVar("ReplyT", bound=Message)


class Positions:
    """The positions that sessions were last seen in. Nothing depends on what is in it.

    A database that loses what it wrote last (a replica that takes over, or `synchronous = normal`)
    gives the same revision a second time. When it was written tells the two apart.
    """

    def __init__(self, most: int = MOST_POSITIONS) -> None:
        self._most = most
        self._found: OrderedDict[str, tuple[Session, State]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, session: Session) -> State | None:
        """The position at this very revision."""
        with self._lock:
            found, state = self._found.get(session.id, (None, None))
        if found is None:
            return None
        same = (found.revision, found.touched) == (session.revision, session.touched)
        return state if same else None

    def put(self, session: Session, state: State) -> None:
        """Remember a position that is stored."""
        with self._lock:
            self._found[session.id] = session, state
            self._found.move_to_end(session.id)
            if len(self._found) > self._most:
                self._found.popitem(last=False)


@dataclass(frozen=True)
class Keeper:
    """Everything that it takes to keep sessions."""

    store: SessionStore
    tokens: SessionTokens
    limits: Limits
    now: Callable[[], float] = time.time
    positions: Positions = field(default_factory=Positions)

    def found(self, session: str) -> Session:
        """A session that is not forgotten."""
        return self.alive(self.store.look(session)[0])

    def alive(self, session: Session | None) -> Session:
        """The session, unless there is none or its time is over."""
        if session is None or session.expires <= self.now():
            raise unknown_session()
        return session

    def opened(self, session: str) -> tuple[Session, State]:
        """A session and its position."""
        while True:
            found = self.found(session)
            state = self.state(found)
            if state is not None:
                return found, state

    def state(self, session: Session) -> State | None:
        """The position of a session; none if it has gone on meanwhile, be it by itself."""
        known = self.positions.get(session)
        if known is not None:
            return known
        position = self.store.position(session)
        if position is None:
            return None
        state = read_stored(position, session)
        by_itself = unattended(session, state)
        if by_itself is not None:
            # Nobody did anything in it yet, so that it lasts no longer.
            self.store.change(session, by_itself.change(None), None, b"")
            return None
        self.positions.put(session, state)
        return state

    def expires(self) -> float:
        """When a session is forgotten in which something happens now."""
        return self.now() + self.limits.session_days * SECONDS_A_DAY

    def changed(
        self,
        session: str,
        revision: int,
        asking: Asking | None,
        kind: type[ReplyT],
        make: Callable[[Session, State], tuple[Change, State, ReplyT] | ReplyT | None],
    ) -> ReplyT:
        """Let a session go on as `make` says; a request that was answered is answered again.

        `make` gives a change, the position after it and the answer; or an answer alone, and then
        nothing is written; or nothing, if the session has gone on meanwhile.
        """
        while True:
            found, answered = self.store.look(session, asking)
            before = self.alive(found)
            if asking and answered:
                return kind.FromString(said_before(asking, answered))
            if before.revision != revision:
                raise stale(revision, before.revision)
            state = self.state(before)
            made = None if state is None else make(before, state)
            if made is None:
                continue
            if isinstance(made, Message):
                return made
            to_write, after, response = made
            now = change(before, touched=self.now(), expires=self.expires())
            # Once somebody else was faster, the next look finds another revision.
            if self.store.change(now, to_write, asking, response.SerializeToString()):
                self.positions.put(change(now, revision=to_write.revision), after)
                return response


def asking_of(asker: str, key: str, request: Message) -> Asking | None:
    """The request as one that may be repeated, if it has a key."""
    if not key:
        return None
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise bad_field(
            "the idempotency key is too long, or cannot be printed",
            f"make one of at most {LONGEST_KEY} letters and digits",
        )
    name = request.DESCRIPTOR.full_name.encode()
    content = request.SerializeToString(deterministic=True)
    return Asking(asker, key, hashlib.sha256(name + b"\0" + content).hexdigest())


def said_before(asking: Asking, answered: Answered) -> bytes:
    """What was answered to the same request; another one may not have its key."""
    if answered.digest != asking.digest:
        raise key_taken()
    return answered.response
