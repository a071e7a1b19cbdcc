"""Sessions that another version played go on from where they are, with a record that says so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel import game
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.fingerprint import decoder
from rules_engine.kernel.replay import NOT_PLAYABLE
from rules_engine.rulebook.rulings import chosen
from server.answers.contents import Strange, check_contents
from server.sessions.chance import answer_chance
from server.sessions.line import Line
from server.sessions.problems import unreadable
from server.sessions.versions import running_version
from server.store.sessions import Session


def read_stored(position: str, session: Session) -> State:
    """A stored position, if this version can play it."""
    with _readable(session):
        state: State = decoder(State).decode(position)
        game.asked(IMPERIUM, state)
        if running_version(state) != session.version:
            # A ruling that is no longer known would be passed over, a card trip the engine later.
            chosen(dict(state.config.rulings.chosen))
            check_contents(position, state)
    return state


def resumed(session: Session, state: State) -> Line:
    """A session's log, to be gone on with; a record says so if it is by another version."""
    version = running_version(state)
    line = Line(session.revision, state, version, session.barrier)
    if version != session.version:
        line.begin("version")
    return line


def unattended(session: Session, state: State) -> Line | None:
    """What has to happen before a player can answer; nothing if one is asked or the game is over.

    What a version keeps waits for a player. Where another one left off, this one may ask chance, or
    go on by itself.
    """
    if not state.pending or game.asked(IMPERIUM, state).players:
        return None
    with _readable(session):
        done = game.settle(IMPERIUM, state)
        line = Line(session.revision, done.state, running_version(state), session.barrier)
        line.begin("version", done.events)
        answer_chance(line)
    line.bar()
    return line


@contextmanager
def _readable(session: Session) -> Iterator[None]:
    """Whatever this version trips over in a position that another wrote is told as just that."""
    try:
        yield
    except (msgspec.DecodeError, Strange, TruthsayerError, LookupError, *NOT_PLAYABLE) as error:
        raise unreadable(session.version.engine) from error
