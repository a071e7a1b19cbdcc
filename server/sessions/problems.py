"""What a caller of a session is told when something cannot be done."""

from __future__ import annotations

from rules_engine.kernel.errors import TruthsayerError


def unknown_session() -> TruthsayerError:
    """The same whether there is none, it is forgotten, or the token is for another one."""
    return TruthsayerError(
        "TS0830",
        "no such session",
        help="see that the id is whole and the token is for this session; it may be forgotten",
    )


def stale(named: int, revision: int) -> TruthsayerError:
    """The request was made for another revision."""
    return TruthsayerError(
        "TS0831",
        f"the session is at revision {revision}, not {named}",
        help="read the session again, and decide anew",
    )


def key_taken() -> TruthsayerError:
    """The key is that of another request."""
    return TruthsayerError(
        "TS0832",
        "another request was made with this idempotency key",
        help="make a new key for each request, and repeat it only with the same request",
    )


def not_undoable(why: str) -> TruthsayerError:
    """Something cannot be taken back."""
    return TruthsayerError(
        "TS0833",
        f"this cannot be taken back: {why}",
        help="return to a revision after that, or play on",
    )


def too_many(what: str, help: str) -> TruthsayerError:
    """A limit is reached."""
    return TruthsayerError("TS0834", what, help=help)


def unreadable(engine: str) -> TruthsayerError:
    """The position or the log is of another version, and this one cannot read it."""
    return TruthsayerError(
        "TS0835",
        "this version cannot play what another one wrote of the session",
        help=f"it was written by engine {engine}: play it with that version",
    )


def of_another_seat() -> TruthsayerError:
    """The input is not the caller's to give."""
    return TruthsayerError(
        "TS0836",
        "the input is another player's, or chance's",
        help="give inputs of your own seat, as ListSessionActions lists them",
    )


def not_allowed(scopes: str) -> TruthsayerError:
    """The token is not for this."""
    return TruthsayerError(
        "TS0837",
        "the token does not allow this",
        help=f"use a token that may {scopes}",
    )


def bad_field(message: str, help: str) -> TruthsayerError:
    """A field of the request has a value that it cannot have."""
    return TruthsayerError("TS0838", message, help=help)
