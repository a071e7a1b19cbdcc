"""An input, and what chance answers to it: all of it is kept, or nothing."""

from __future__ import annotations

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel import game
from rules_engine.kernel.game import Action
from rules_engine.kernel.hidden import fewer_hidden
from rules_engine.kernel.outcomes import Refusal, Seat
from server.answers.engine import asked_message, refused_message
from server.answers.limits import check_input
from server.answers.positions import decoded, playable
from server.sessions.chance import answer_chance
from server.sessions.keeping import Keeper, asking_of
from server.sessions.line import Line
from server.sessions.permitting import seat_in
from server.sessions.problems import of_another_seat, too_many
from server.sessions.resuming import resumed
from server.sessions.showing import events_of, shown_events, shown_position
from server.store.sessions import Change, Session
from truthsayer.v1 import session_pb2


def send_input(
    keeper: Keeper, request: session_pb2.SendInputRequest
) -> session_pb2.SendInputResponse:
    """Take an input of the caller's own seat. A refused one changes nothing and is not kept."""
    seat = seat_in(request.session)
    given = _read_input(request.input, seat)
    asking = asking_of(f"seat {seat} of {request.session}", request.idempotency_key, request)

    def make(
        session: Session, state: State
    ) -> tuple[Change, State, session_pb2.SendInputResponse] | session_pb2.SendInputResponse:
        done = _played(session, state, given)
        if isinstance(done, Refusal):
            return session_pb2.SendInputResponse(refused=refused_message(done))
        check_length(keeper, done)
        change = done.change(undoable_by=seat)
        events = [event for record in change.records for event in events_of(record)]
        taken = session_pb2.Taken(
            revision=change.revision,
            events=shown_events(events, seat),
            asked=asked_message(done.state),
            view=shown_position(done.state, seat),
        )
        return change, done.state, session_pb2.SendInputResponse(taken=taken)

    kind = session_pb2.SendInputResponse
    return keeper.changed(request.session, request.revision, asking, kind, make)


def _read_input(text: str, seat: Seat) -> Action:
    """An input that the player of this seat may give."""
    check_input(text)
    given = decoded("input", text, IMPERIUM.input_type)
    if not isinstance(given, Action) or given.by != seat:
        raise of_another_seat()
    return given


def _played(session: Session, state: State, given: Action) -> Line | Refusal:
    """The records of an input and of what chance answers to it."""
    line = resumed(session, state)
    if session.undoable_by not in (None, given.by):
        line.bar()
    with playable():
        done = game.step(IMPERIUM, state, given)
        if isinstance(done, Refusal):
            return done
        line.add("input", given, done.state, done.events, given.by)
        if answer_chance(line) or revealed(state, line.state, given.by):
            line.bar()
    return line


def revealed(before: State, after: State, seat: Seat) -> bool:
    """Whether a player has come to see a card that was hidden before.

    It is so if some hand, deck or other place has fewer cards than before that are hidden from this
    player, even where nobody looked at them on their way.
    """
    return fewer_hidden(before, after, seat)


def check_length(keeper: Keeper, line: Line) -> None:
    """Refuse what would make the log too long."""
    if line.revision > keeper.limits.session_records:
        raise too_many(
            f"the session's log would have more than {keeper.limits.session_records} records",
            "begin another session from where this one is",
        )
