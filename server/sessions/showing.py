"""Sessions as a caller may see them: the engine's views decide, nothing here does."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel import game, views
from rules_engine.kernel.fingerprint import decoder
from rules_engine.kernel.game import Asks
from rules_engine.kernel.outcomes import Event
from rules_engine.kernel.views import Viewer
from server.answers.engine import as_json, asked_message, event_message
from server.answers.positions import playable
from server.sessions.keeping import Keeper
from server.sessions.line import ReturnedTo
from server.sessions.permitting import seat_in, viewer_of
from server.sessions.problems import unreadable
from server.sessions.versions import played_by
from server.store.sessions import LogRecord
from truthsayer.v1 import engine_pb2, session_pb2


def get_session(
    keeper: Keeper, request: session_pb2.GetSessionRequest
) -> session_pb2.GetSessionResponse:
    """How a session stands."""
    viewer = viewer_of(request.session)
    session, state = keeper.opened(request.session)
    return session_pb2.GetSessionResponse(
        revision=session.revision,
        view=shown_position(state, viewer),
        asked=asked_message(state),
        played_by=played_by(session),
        expires=int(session.expires),
    )


def list_session_actions(
    keeper: Keeper, request: session_pb2.ListSessionActionsRequest
) -> session_pb2.ListSessionActionsResponse:
    """Every input that is allowed to the caller now."""
    seat = seat_in(request.session)
    session, state = keeper.opened(request.session)
    with playable():
        own = views.view_actions(game.actions(IMPERIUM, state), seat)
    return session_pb2.ListSessionActionsResponse(
        revision=session.revision, inputs=map(as_json, own)
    )


def shown_position(state: State, viewer: Viewer) -> str:
    """The position as the viewer may see it."""
    with playable():
        return as_json(views.view(state, viewer))


def shown_events(events: Iterable[Event], viewer: Viewer) -> list[engine_pb2.Event]:
    """What happened, as the viewer may see it."""
    return [event_message(views.view_event(event, viewer)) for event in events]


def events_of(record: LogRecord) -> tuple[Event, ...]:
    """What happened, as the log has it."""
    events: tuple[Event, ...] = decoder(tuple[Event, ...]).decode(record.events)
    return events


def shown_record(record: LogRecord, viewer: Viewer) -> session_pb2.SubscribeResponse:
    """A record of a log, as the viewer may see it: neither its body nor its fingerprint."""
    try:
        kind = session_pb2.RecordKind.Value(f"RECORD_KIND_{record.kind.upper()}")
        events = events_of(record)
        asked: Asks = decoder(Asks).decode(record.asked)
        undo = record.kind == "undo"
        returned_to = decoder(ReturnedTo).decode(record.body).revision if undo else 0
    except (msgspec.DecodeError, ValueError) as error:
        raise unreadable(record.engine) from error
    return session_pb2.SubscribeResponse(
        revision=record.revision,
        kind=kind,
        seat=record.seat,
        events=shown_events(events, viewer),
        returned_to=returned_to,
        asked=engine_pb2.Asked(seats=asked.players, chance=asked.chance),
    )
