"""Lets a call in, or not: who calls, whether they may, and whether they call too often."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import NamedTuple

import grpc

from rules_engine.kernel.errors import TruthsayerError
from server.addresses import address_of
from server.around import Context, Handler, around
from server.callers import CALLER, SCOPES, Caller, Scope
from server.draining import ENDLESS
from server.errors import abort
from server.limiting import Limiter
from server.settings import Settings
from server.store.database import MOST_CONNECTIONS, Database
from server.store.session_tokens import SessionTokens
from server.store.tokens import Tokens

OPEN: frozenset[Scope] = frozenset()
"""For the methods that everybody may call, with a token or without."""

RUN: frozenset[Scope] = frozenset({"run"})
LOOK_UP: frozenset[Scope] = frozenset({"run", "play", "observe"})
PLAY: frozenset[Scope] = frozenset({"play"})
SEE: frozenset[Scope] = frozenset({"play", "observe"})
ADMINISTER: frozenset[Scope] = frozenset({"administer"})

ALLOWED: dict[str, frozenset[Scope]] = {
    "/grpc.health.v1.Health/Check": OPEN,
    "/grpc.health.v1.Health/List": OPEN,
    "/grpc.health.v1.Health/Watch": OPEN,
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": OPEN,
    "/truthsayer.v1.ConformanceService/Conform": RUN,
    "/truthsayer.v1.EngineService/Actions": RUN,
    "/truthsayer.v1.EngineService/Evaluate": RUN,
    "/truthsayer.v1.EngineService/NewGame": RUN,
    "/truthsayer.v1.EngineService/Replay": RUN,
    "/truthsayer.v1.EngineService/Step": RUN,
    "/truthsayer.v1.EngineService/View": RUN,
    "/truthsayer.v1.RuleService/GetCard": LOOK_UP,
    "/truthsayer.v1.RuleService/GetCoverage": LOOK_UP,
    "/truthsayer.v1.RuleService/GetRule": LOOK_UP,
    "/truthsayer.v1.RuleService/GetRuling": LOOK_UP,
    "/truthsayer.v1.RuleService/ListRules": LOOK_UP,
    "/truthsayer.v1.RuleService/ListRulings": LOOK_UP,
    "/truthsayer.v1.RuleService/Search": LOOK_UP,
    "/truthsayer.v1.RuleService/SearchRules": LOOK_UP,
    "/truthsayer.v1.ScenarioService/Ask": RUN,
    "/truthsayer.v1.ScenarioService/Check": RUN,
    "/truthsayer.v1.ScenarioService/Export": RUN,
    "/truthsayer.v1.ScenarioService/Format": RUN,
    "/truthsayer.v1.SessionService/CreateSession": RUN,
    "/truthsayer.v1.SessionService/DeleteSession": ADMINISTER,
    "/truthsayer.v1.SessionService/GetSession": SEE,
    "/truthsayer.v1.SessionService/ListSessionActions": PLAY,
    "/truthsayer.v1.SessionService/ListSessions": ADMINISTER,
    "/truthsayer.v1.SessionService/ReplaySession": ADMINISTER,
    "/truthsayer.v1.SessionService/SendInput": PLAY,
    "/truthsayer.v1.SessionService/Subscribe": SEE,
    "/truthsayer.v1.SessionService/Undo": PLAY,
    "/truthsayer.v1.VerifierService/ListProperties": frozenset({"run", "prove"}),
    "/truthsayer.v1.VerifierService/Prove": frozenset({"prove"}),
}
"""The scopes of which each method needs one. A method that is not here is refused to all."""

ANONYMOUS: frozenset[Scope] = frozenset({"run", "prove", "administer"})
"""What those without a token may do, where none is needed."""

KEPT_SECONDS = 5.0
"""How long it is remembered who a token is of: a revoked one is good for no longer."""

MOST_KEPT = 10_000
HEADER = "authorization"
SCHEME = "bearer"


class _Kept(NamedTuple):
    """Whose a token is, and since when that is known."""

    caller: Caller
    since: float


class Callers:
    """Who calls with which token: looked up in the store, and remembered for a moment."""

    def __init__(
        self,
        tokens: Tokens,
        session_tokens: SessionTokens,
        clock: Callable[[], float] = time.monotonic,
        most_kept: int = MOST_KEPT,
    ) -> None:
        self._tokens = tokens
        self._session_tokens = session_tokens
        self._clock = clock
        self._most = most_kept
        self._kept: OrderedDict[bytes, _Kept] = OrderedDict()
        # Threads of their own: while the store does not answer, what needs no store still does.
        self._threads = ThreadPoolExecutor(MOST_CONNECTIONS, "tokens")

    def remembered(self, token: str) -> Caller | None:
        """Whose a token is, if that is remembered."""
        found = self._kept.get(_key(token))
        if found is None or self._clock() >= found.since + KEPT_SECONDS:
            return None
        return found.caller

    async def looked_up(self, token: str) -> Caller | None:
        """Whose a token is, if it is anybody's. Strangers are not remembered: there are many."""
        since = self._clock()
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._threads, self._look_up, token)
        if found is not None:
            self._kept[_key(token)] = _Kept(found, since)
            self._kept.move_to_end(_key(token))
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return found

    def close(self) -> None:
        """End everything, once no call is in progress."""
        self._threads.shutdown()

    def _look_up(self, token: str) -> Caller | None:
        given = self._tokens.find(token)
        if given is not None:
            return given.caller()
        verified = self._session_tokens.verify(token)
        if verified is None:
            return None
        session, seat = verified
        if seat is None:
            return Caller(f"observer of {session}", frozenset({"observe"}), session)
        return Caller(f"seat {seat} of {session}", frozenset({"play"}), session, seat)


def _key(token: str) -> bytes:
    """What is remembered instead of a token."""
    return hashlib.sha256(token.encode()).digest()


class Authorising(grpc.aio.ServerInterceptor):
    """Calls a method only for those who may, and says who they are.

    It is the first to see a call: a request that is refused is not even read.
    """

    def __init__(self, database: Database, settings: Settings) -> None:
        self._callers = Callers(Tokens(database), SessionTokens(database))
        self._limiter = Limiter(settings.limits.requests_per_second)
        self._tokens_needed = settings.tokens

    def close(self) -> None:
        """End everything, once no call is in progress."""
        self._callers.close()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Put the question who calls before the handler."""
        handler = await continuation(handler_call_details)
        method = handler_call_details.method
        # Whoever balances loads asks for health often, and has no token.
        if handler is None or ALLOWED.get(method) is OPEN:
            return handler

        @asynccontextmanager
        async def admitting(context: Context) -> AsyncIterator[None]:
            try:
                await self._admit(method, context)
            except Exception as error:
                await abort(error, context)
            yield

        async def stay(context: Context) -> None:
            try:
                await self._identified(context)
            except Exception as error:
                await abort(error, context)

        return around(handler, admitting, stay if method in ENDLESS else None)

    async def _admit(self, method: str, context: Context) -> None:
        """Say who calls, and refuse those who may not call this now."""
        given = _given(context)
        caller = await self._identified(context)
        CALLER.set(caller)  # who is refused below is in the log, too
        self._limiter.count(caller.id)
        if method not in ALLOWED:
            raise TruthsayerError("TS0852", f"no scope allows `{method}`", help="call another one")
        if not ALLOWED[method] & caller.scopes:
            raise _lacks_scope(method) if given else _lacks_token(method)

    async def _identified(self, context: Context) -> Caller:
        """Who calls, if the token is good, or none is needed to be somebody."""
        given, peer = _given(context), address_of(context.peer())
        if given:
            return await self._caller(given, peer)
        return Caller(peer, frozenset() if self._tokens_needed else ANONYMOUS)

    async def _caller(self, given: list[str], peer: str) -> Caller:
        """Whose the token of a call is."""
        token = _token(given)
        found = self._callers.remembered(token)
        if found is not None:
            return found
        # Each guess would cost the store a look-up, so that there are not many to be had.
        guesses = f"guesses from {peer}"
        self._limiter.check(guesses)
        found = await self._callers.looked_up(token)
        if found is None:
            self._limiter.count(guesses)
            raise _bad_token()
        return found


def _given(context: Context) -> list[str]:
    """What a call says of who calls."""
    metadata = context.invocation_metadata() or ()
    return [str(value) for key, value in metadata if key == HEADER]


def _token(given: list[str]) -> str:
    """The token in the metadata of a call."""
    scheme, _, token = given[0].partition(" ")
    if len(given) > 1 or scheme.lower() != SCHEME:
        raise _bad_token()
    return token.strip()


def _lacks_token(method: str) -> TruthsayerError:
    return TruthsayerError(
        "TS0850",
        f"`{method}` needs a token",
        help=f"send `{HEADER}: Bearer TOKEN` with it, of a token that has {_one_of(method)}",
    )


def _bad_token() -> TruthsayerError:
    """The same whatever is wrong: it tells nobody how near a guess was."""
    return TruthsayerError(
        "TS0851",
        "the token is not valid",
        help="it may be misspelt, expired or revoked: ask for a new one",
    )


def _lacks_scope(method: str) -> TruthsayerError:
    return TruthsayerError(
        "TS0852",
        f"the token does not allow `{method}`",
        help=f"use one that has {_one_of(method)}",
    )


def _one_of(method: str) -> str:
    """The scopes that allow a method, in words."""
    scopes = [f"`{each}`" for each in SCOPES if each in ALLOWED[method]]
    return f"the scope {' or '.join(scopes)}"
