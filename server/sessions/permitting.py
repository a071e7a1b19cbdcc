"""What a caller may do with a session: each token is for one session, and for one seat of it."""

from __future__ import annotations

from rules_engine.kernel.views import Viewer
from server.callers import Scope, caller
from server.sessions.problems import not_allowed, unknown_session


def need(scope: Scope) -> None:
    """Refuse whoever does not have the scope."""
    if scope not in caller().scopes:
        raise not_allowed(scope)


def seat_in(session: str) -> int:
    """The seat that the caller plays in this session."""
    who = caller()
    if "play" not in who.scopes or who.seat is None:
        raise not_allowed("play")
    if who.session != session:
        raise unknown_session()
    return who.seat


def viewer_of(session: str) -> Viewer:
    """As whom the caller sees this session: a player, or a spectator."""
    who = caller()
    if not who.scopes & {"play", "observe"}:
        raise not_allowed("play or observe")
    if who.session != session:
        raise unknown_session()
    return who.seat if "play" in who.scopes else None
