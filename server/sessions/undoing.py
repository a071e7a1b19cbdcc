"""Taking back: a record that names the revision returned to. The log itself only grows.

A seat may take back its own inputs, the last one first, until there is something that cannot be
unseen or is not its own: an answer of chance, an input of another seat, a new version, or an input
by which a card was revealed to the seat (`playing.revealed`). The last of these is the barrier that
a session's row names; from the position there the inputs that remain are played again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel import game
from rules_engine.kernel.fingerprint import decoder
from rules_engine.kernel.outcomes import Refusal, Seat
from server.answers.engine import asked_message
from server.answers.positions import playable
from server.sessions.keeping import Keeper, asking_of
from server.sessions.line import ReturnedTo
from server.sessions.permitting import seat_in
from server.sessions.playing import check_length
from server.sessions.problems import bad_field, not_undoable
from server.sessions.resuming import read_stored, resumed
from server.sessions.showing import shown_position
from server.sessions.versions import running_version
from server.store.sessions import Change, LogRecord, Session
from truthsayer.v1 import session_pb2


def undo(keeper: Keeper, request: session_pb2.UndoRequest) -> session_pb2.UndoResponse:
    """Return to an earlier revision, over the caller's own inputs alone."""
    seat = seat_in(request.session)
    asking = asking_of(f"seat {seat} of {request.session}", request.idempotency_key, request)

    def make(
        session: Session, state: State
    ) -> tuple[Change, State, session_pb2.UndoResponse] | None:
        earlier = _earlier(keeper, session, state, seat, request.return_to)
        if earlier is None:
            return None
        line = resumed(session, state)
        line.add("undo", ReturnedTo(request.return_to), earlier, seat=seat)
        check_length(keeper, line)
        response = session_pb2.UndoResponse(
            revision=line.revision,
            asked=asked_message(earlier),
            view=shown_position(earlier, seat),
        )
        return line.change(undoable_by=seat), earlier, response

    kind = session_pb2.UndoResponse
    return keeper.changed(request.session, request.revision, asking, kind, make)


def _earlier(
    keeper: Keeper, session: Session, state: State, seat: Seat, return_to: int
) -> State | None:
    """The position to return to; none if the session has gone on meanwhile."""
    if not 0 < return_to < session.revision:
        raise bad_field(
            f"there is no revision {return_to} before {session.revision}",
            "name one to return to that the session was at earlier",
        )
    if session.version != running_version(state):
        raise not_undoable("it was played by another version")
    since = session.revision - session.barrier + 1
    records = {
        record.revision: record
        for record in keeper.store.records(session.id, session.barrier - 1, since)
    }
    barrier_position = keeper.store.barrier_position(session)
    if barrier_position is None:
        return None
    if session.undoable_by not in (None, seat):
        raise not_undoable("another player has played since")
    if return_to < session.barrier:
        raise not_undoable(_why_barred(records[session.barrier], seat))
    if return_to not in _way_back(records, session.revision, session.barrier):
        raise not_undoable(f"revision {return_to} was itself taken back")
    inputs = [
        records[revision].body
        for revision in _way_back(records, return_to, session.barrier)
        if revision > session.barrier and records[revision].kind == "input"
    ]
    return _played_again(read_stored(barrier_position, session), reversed(inputs))


def _why_barred(barrier: LogRecord, seat: Seat) -> str:
    """Why nothing before the barrier can be taken back."""
    if barrier.kind == "chance":
        return "chance has answered since"
    if barrier.kind == "version":
        return "another version plays since"
    if barrier.seat == seat:
        return "a card was revealed since"
    return "another player has played since"


def _way_back(records: Mapping[int, LogRecord], revision: int, barrier: int) -> list[int]:
    """The revisions on the way back to the barrier, without what was taken back."""
    way = []
    while revision > barrier:
        way.append(revision)
        record = records[revision]
        if record.kind == "undo":
            revision = decoder(ReturnedTo).decode(record.body).revision
        else:
            revision -= 1
    return [*way, barrier]


def _played_again(state: State, inputs: Iterable[str]) -> State:
    """The position after inputs that were taken once."""
    with playable():
        for given in inputs:
            done = game.step(IMPERIUM, state, decoder(IMPERIUM.input_type).decode(given))
            assert not isinstance(done, Refusal), "an input that was taken is refused"
            state = done.state
    return state
