"""What administrators do with sessions: list them, end them, play their logs again.

None of it shows what is in a session.
"""

from __future__ import annotations

import re

from rules_engine.kernel.fingerprint import fingerprint
from server.sessions.keeping import Keeper
from server.sessions.permitting import need
from server.sessions.problems import bad_field, unknown_session
from server.sessions.replaying import Replay
from server.sessions.resuming import read_stored
from server.sessions.versions import played_by
from server.store.sessions import Session
from truthsayer.v1 import session_pb2

ID = re.compile(r"[\w-]{1,64}", re.ASCII)
USUAL_PAGE, LARGEST_PAGE = 100, 1_000
RECORDS_AT_A_TIME = 200


def list_sessions(
    keeper: Keeper, request: session_pb2.ListSessionsRequest
) -> session_pb2.ListSessionsResponse:
    """Some sessions, in the order of their ids."""
    need("administer")
    if not 0 <= request.page_size <= LARGEST_PAGE:
        raise bad_field(
            f"a page cannot have {request.page_size} sessions", f"ask for 1 to {LARGEST_PAGE}"
        )
    if request.page_token and not ID.fullmatch(request.page_token):
        raise bad_field("no page ends there", "give the token as the last page has it")
    size = request.page_size or USUAL_PAGE
    found = keeper.store.page(request.page_token, size + 1, keeper.now())
    return session_pb2.ListSessionsResponse(
        sessions=map(_summary, found[:size]),
        next_page_token=found[size - 1].id if len(found) > size else "",
    )


def _summary(session: Session) -> session_pb2.SessionSummary:
    return session_pb2.SessionSummary(
        session=session.id,
        revision=session.revision,
        created=int(session.created),
        expires=int(session.expires),
        played_by=played_by(session),
    )


def delete_session(
    keeper: Keeper, request: session_pb2.DeleteSessionRequest
) -> session_pb2.DeleteSessionResponse:
    """End a session and forget it."""
    need("administer")
    _check_id(request.session)
    if not keeper.store.delete(request.session):
        raise unknown_session()
    return session_pb2.DeleteSessionResponse()


def begin_replay(keeper: Keeper, request: session_pb2.ReplaySessionRequest) -> Session:
    """The session as it is when its log begins to be played again."""
    need("administer")
    _check_id(request.session)
    return keeper.found(request.session)


def replay_some(keeper: Keeper, session: Session, replay: Replay) -> bool:
    """Play the next records, and say whether some are left."""
    left = min(RECORDS_AT_A_TIME, session.revision - replay.revision)
    records = keeper.store.records(session.id, replay.revision, left)
    replay.read(records)
    if len(records) < left and not replay.differs_at:
        keeper.found(session.id)  # if it was deleted meanwhile, that is all there is to say
        replay.differs_at = replay.revision + 1
    return not replay.differs_at and replay.revision < session.revision


def replayed(keeper: Keeper, session: Session, replay: Replay) -> session_pb2.ReplaySessionResponse:
    """Where the log led, and whether the stored position is the one that it led to."""
    position = keeper.store.position(session)
    if position is not None and replay.state is not None and not replay.differs_at:
        stored = fingerprint(read_stored(position, session))
        replay.differs_at = session.revision if stored != fingerprint(replay.state) else 0
    return session_pb2.ReplaySessionResponse(
        played=replay.played,
        of_other_versions=replay.of_other_versions,
        differs_at=replay.differs_at,
    )


def _check_id(session: str) -> None:
    """An id that none of ours looks like is not looked for."""
    if not ID.fullmatch(session):
        raise unknown_session()
