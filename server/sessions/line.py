"""The records that a request adds to a log."""

from __future__ import annotations

from typing import Any

import msgspec

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel import game
from rules_engine.kernel.fingerprint import encoded, fingerprint
from rules_engine.kernel.outcomes import Event
from rules_engine.kernel.records import Record
from server.store.sessions import Change, Kind, LogRecord, Version


class Beginning(Record):
    """The body of a record from which a version plays: the first, or that of a new version."""

    version: Version
    position: msgspec.Raw


class ReturnedTo(Record):
    """The body of a record by which something is taken back."""

    revision: int


class Line:
    """Records that follow each other, the position after them, and the barrier among them."""

    def __init__(self, revision: int, state: State, version: Version, barrier: int) -> None:
        self.revision = revision
        self.state = state
        self._version = version
        self._barrier = barrier
        self._barrier_position: str | None = None
        self._records: list[LogRecord] = []

    def add(
        self,
        kind: Kind,
        body: Any,
        state: State,
        events: tuple[Event, ...] = (),
        seat: int | None = None,
    ) -> None:
        """One more record, after which the game is in this position."""
        self.revision += 1
        self.state = state
        record = LogRecord(
            revision=self.revision,
            kind=kind,
            seat=seat,
            body=encoded(body).decode(),
            events=encoded(events).decode(),
            asked=encoded(game.asked(IMPERIUM, state)).decode(),
            fingerprint=fingerprint(state),
            engine=self._version.engine,
        )
        self._records.append(record)

    def begin(self, kind: Kind, events: tuple[Event, ...] = ()) -> None:
        """A record that says from which position this version plays."""
        position = msgspec.Raw(encoded(self.state))
        self.add(kind, Beginning(self._version, position), self.state, events)
        self.bar()

    def bar(self) -> None:
        """Nothing up to here can be taken back."""
        self._barrier = self.revision
        self._barrier_position = encoded(self.state).decode()

    def change(self, undoable_by: int | None) -> Change:
        """What has become of the session; only this seat has inputs after the barrier."""
        return Change(
            records=tuple(self._records),
            position=encoded(self.state).decode(),
            version=self._version,
            barrier=self._barrier,
            undoable_by=undoable_by if self._barrier < self.revision else None,
            barrier_position=self._barrier_position,
        )
