"""Sessions begin: from a setup, which chance deals at once, or from a position."""

from __future__ import annotations

import functools
import secrets

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel import game
from server.answers.engine import new_game
from server.answers.positions import decoded, playable, read_position
from server.callers import caller
from server.sessions.chance import answer_chance
from server.sessions.keeping import LONGEST_KEY, Keeper, asking_of, said_before
from server.sessions.line import Line
from server.sessions.permitting import need
from server.sessions.problems import bad_field, too_many
from server.sessions.versions import running_version
from server.settings import Limits
from server.store.sessions import Asking, Counted, Session
from truthsayer.v1 import session_pb2

ID_BYTES = 16
SHORTEST_KEY = 16
"""Who repeats a request is told its tokens again. All without a token at one address are the same
caller, so that their keys have to be too long to be guessed."""


def create_session(
    keeper: Keeper, request: session_pb2.CreateSessionRequest
) -> session_pb2.CreateSessionResponse:
    """Begin a game, and give the tokens for it."""
    need("run")
    creator = caller().id
    _check_key(request.idempotency_key)
    asking = asking_of(f"creator {creator}", request.idempotency_key, request)
    while True:
        answered = keeper.store.answered(asking) if asking else None
        if asking and answered:
            said = said_before(asking, answered)
            return _with_tokens(keeper, session_pb2.CreateSessionResponse.FromString(said))
        # Before the work of dealing, too: a server that is full should not be kept busy.
        _check_quota(keeper.limits, keeper.store.counted(creator, keeper.now()))
        begun = _begun(_start(request))
        response = _begin(keeper, creator, begun, asking)
        if response is not None:
            return _with_tokens(keeper, response)


def _check_key(key: str) -> None:
    """Refuse a key that somebody else could try."""
    if 0 < len(key) < SHORTEST_KEY:
        raise bad_field(
            "the idempotency key is so short that somebody could guess it and get the tokens",
            f"make a random one of {SHORTEST_KEY} to {LONGEST_KEY} letters and digits",
        )


def _check_quota(limits: Limits, counted: Counted) -> None:
    """Refuse one session too many."""
    if counted.kept >= limits.sessions:
        raise too_many(
            f"the server keeps {limits.sessions} sessions, and no more",
            "try again later, or ask whoever runs the server to delete some",
        )
    if counted.of_creator >= limits.sessions_per_caller:
        raise too_many(
            f"{limits.sessions_per_caller} of your sessions are kept, and no more",
            "have those deleted that are over, or wait until they are forgotten",
        )


def _start(request: session_pb2.CreateSessionRequest) -> State:
    """The position in which the game begins."""
    start = request.WhichOneof("start")
    state: State
    if start == "setup":
        state = decoded("position", new_game(request.setup).position, State)
        return state
    if start == "position":
        state = read_position(request.position)
        with playable():
            state = game.settle(IMPERIUM, state).state
        return state
    raise bad_field("nothing says where the game begins", "give a setup or a position")


def _begun(state: State) -> Line:
    """The first records: the position, and what chance answers at once."""
    line = Line(0, state, running_version(state), barrier=0)
    with playable():
        line.begin("start")
        answer_chance(line)
    line.bar()
    return line


def _begin(
    keeper: Keeper, creator: str, begun: Line, asking: Asking | None
) -> session_pb2.CreateSessionResponse | None:
    """Write the session; gives nothing if the same request was faster elsewhere."""
    change, now, expires = begun.change(None), keeper.now(), keeper.expires()
    session = Session(
        id=secrets.token_urlsafe(ID_BYTES),
        revision=change.revision,
        barrier=change.barrier,
        undoable_by=change.undoable_by,
        version=change.version,
        creator=creator,
        created=now,
        touched=now,
        expires=expires,
    )
    response = session_pb2.CreateSessionResponse(
        session=session.id,
        revision=session.revision,
        seat_tokens=[""] * len(begun.state.players),
        expires=int(expires),
    )
    # Kept without the tokens, which can be made again.
    kept, check = response.SerializeToString(), functools.partial(_check_quota, keeper.limits)
    if not keeper.store.create(session, change, asking, kept, check):
        return None
    keeper.positions.put(session, begun.state)
    return response


def _with_tokens(
    keeper: Keeper, response: session_pb2.CreateSessionResponse
) -> session_pb2.CreateSessionResponse:
    """The answer with a token for each seat, and one for those who look on."""
    make = keeper.tokens.session_token
    for seat in range(len(response.seat_tokens)):
        response.seat_tokens[seat] = make(response.session, seat)
    response.observer_token = make(response.session, None)
    return response
