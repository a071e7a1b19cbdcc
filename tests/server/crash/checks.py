"""What has to be in the store after a server was killed."""

from __future__ import annotations

import json

from rules_engine.imperium.state import State
from rules_engine.kernel.fingerprint import decoder, fingerprint
from server.sessions.keeping import asking_of
from server.sessions.replaying import Replay
from server.store.database import Database
from server.store.sessions import LogRecord, SessionStore
from tests.server.crash.clients import Sent, Told
from tests.server.sessions.tables import Table


class Kept:
    """What is stored of one session, read again after every kill."""

    def __init__(self, database: Database, table: Table) -> None:
        self._database = database
        self._store = SessionStore(database)
        self._table = table
        self._replay = Replay()
        self._log: dict[int, LogRecord] = {}

    def check(self, told: Told) -> int:
        """Look at everything that clients were told, and say how many in flight were taken."""
        self._read_log()
        for sent, answer in told.acknowledged:
            kept = self._answer(sent)
            assert kept is not None, f"an acknowledged input is lost: {sent}"
            assert kept == answer.SerializeToString(), "what was answered is not what is kept"
            self._check_logged(sent)
        for sent in told.refused:
            assert self._answer(sent) is None, f"an input that was not taken is kept: {sent}"
        taken = [sent for sent in told.in_flight if self._answer(sent) is not None]
        for sent in taken:
            self._check_logged(sent)
        self._check_none_is_doubled()
        return len(taken)

    def _read_log(self) -> None:
        """Play what is new of the log: it has no gaps, and leads to the stored position."""
        session, _ = self._store.look(self._table.id)
        assert session is not None, "a session is lost"
        new = self._store.records(session.id, self._replay.revision, session.revision)
        self._replay.read(new)
        self._log.update((record.revision, record) for record in new)
        assert not self._replay.differs_at, f"the log differs at {self._replay.differs_at}"
        assert self._replay.revision == session.revision == len(self._log)
        position = self._store.position(session)
        assert position is not None
        reached = fingerprint(decoder(State).decode(position))
        assert reached == self._log[session.revision].fingerprint
        assert not json.loads(self._log[session.revision].asked)["chance"], "chance is not answered"

    def _answer(self, sent: Sent) -> bytes | None:
        """What is kept as the answer to an input, if it was taken."""
        request = sent.request
        asker = f"seat {sent.seat} of {request.session}"
        asking = asking_of(asker, request.idempotency_key, request)
        assert asking is not None
        answered = self._store.answered(asking)
        if answered is None:
            return None
        assert answered.digest == asking.digest
        return answered.response

    def _check_logged(self, sent: Sent) -> None:
        """An input that was taken is the record after the revision that it was made for."""
        record = self._log[sent.request.revision + 1]
        assert (record.kind, record.seat) == ("input", sent.seat), f"it is not in the log: {sent}"
        assert json.loads(record.body) == json.loads(sent.request.input)

    def _check_none_is_doubled(self) -> None:
        """Every input has a key here, so that there are as many inputs as answers."""
        inputs = sum(record.kind == "input" for record in self._log.values())
        with self._database.reading() as rows:
            sql = "SELECT COUNT(*) FROM answers WHERE session = ? AND SUBSTR(asker, 1, 4) = 'seat'"
            ((answers,),) = rows.rows(sql, self._table.id)
        assert inputs == answers, f"{inputs} inputs in the log, {answers} answers"
