"""Logs are played again, and what they lead to is compared with what they led to."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel import game
from rules_engine.kernel.fingerprint import decoder, fingerprint
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.replay import NOT_PLAYABLE
from server.sessions.line import Beginning, ReturnedTo
from server.sessions.versions import running_version
from server.store.sessions import LogRecord


class Replay:
    """A log that is played record by record. Records of another version are only counted."""

    def __init__(self) -> None:
        self.revision = 0
        """The last record that was read."""

        self.played = 0
        self.of_other_versions = 0
        self.differs_at = 0
        """The first revision that led elsewhere, or is missing; 0 if there is none."""

        self.state: State | None = None
        """The position, where this version plays."""

        self._since_chance: dict[int, State] = {}
        """The positions to which can be returned: none from before an answer of chance."""

    def read(self, records: Iterable[LogRecord]) -> None:
        """Play the next records, as far as they lead where they led."""
        for record in records:
            if self.differs_at:
                return
            self.revision += 1
            if record.revision != self.revision:
                self.differs_at = self.revision
                return
            self._read(record)

    def _read(self, record: LogRecord) -> None:
        try:
            self.state = self._after(record)
        except (msgspec.DecodeError, LookupError, *NOT_PLAYABLE):
            self.differs_at = record.revision
            return
        if self.state is None:
            self.of_other_versions += 1
        elif fingerprint(self.state) == record.fingerprint:
            self.played += 1
            self._since_chance[record.revision] = self.state
        else:
            self.differs_at = record.revision

    def _after(self, record: LogRecord) -> State | None:
        """The position after a record; none if it is one of another version."""
        if record.kind in ("start", "version"):
            return self._begun(record)
        if self.state is None:
            return None
        if record.kind == "undo":
            return self._since_chance[decoder(ReturnedTo).decode(record.body).revision]
        if record.kind == "chance":
            self._since_chance.clear()
        done = game.step(IMPERIUM, self.state, decoder(IMPERIUM.input_type).decode(record.body))
        if isinstance(done, Refusal):
            raise LookupError("an input that was taken is refused")
        after: State = done.state
        return after

    def _begun(self, record: LogRecord) -> State | None:
        """The position from which this version plays, if it is this version that does."""
        self._since_chance.clear()
        begun = decoder(Beginning).decode(record.body)
        try:
            state: State = decoder(State).decode(begun.position)
        except msgspec.DecodeError:
            return None
        return state if begun.version == running_version(state) else None
