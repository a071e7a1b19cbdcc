"""Who waits for a session to go on is woken: by this server at once, by others' records soon.

Nothing is handed over: those who are woken read the store. So a slow reader only lags, and nobody
misses anything.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence

from server.callers import caller
from server.logs import log
from server.sessions.problems import too_many

POLL_SECONDS = 0.3
SHARE = 10
"""One caller may have no more than one of so many subscriptions: the rest is for others."""

Revisions = Callable[[Sequence[str]], Awaitable[dict[str, int]]]
"""Asks the store for the revisions of sessions; those that are gone are left out."""


class Watcher:
    """One who waits for a session."""

    def __init__(self, revision: int) -> None:
        self.revision = revision
        """The revision that is known already."""

        self.woken = asyncio.Event()
        self.gone = False
        """Whether there is nothing more to wait for: the session is gone, or the server leaves."""


class Watch:
    """Everybody who waits for a session of this server."""

    def __init__(self, revisions: Revisions, most: int) -> None:
        self._revisions = revisions
        self._most = most
        self._watchers: defaultdict[str, set[Watcher]] = defaultdict(set)
        self._poll: asyncio.Task[None] | None = None
        self._of_callers: Counter[str] = Counter()
        self._leaving = False

    @contextlib.contextmanager
    def watching(self, session: str, revision: int) -> Iterator[Watcher]:
        """Wait for a session, which is at a revision that is known."""
        who = caller().id
        self._check_most(who)
        watcher = Watcher(revision)
        watcher.gone = self._leaving
        self._of_callers[who] += 1
        self._watchers[session].add(watcher)
        if self._poll is None:
            self._poll = asyncio.create_task(self._polling())
        try:
            yield watcher
        finally:
            self._of_callers[who] -= 1
            if not self._of_callers[who]:
                del self._of_callers[who]
            self._watchers[session].discard(watcher)
            if not self._watchers[session]:
                del self._watchers[session]

    def _check_most(self, who: str) -> None:
        """Refuse one subscription too many, in all or of one caller."""
        most_of_one = max(1, self._most // SHARE)
        if self._of_callers.total() >= self._most:
            raise too_many(
                f"{self._most} subscriptions are open, and no more",
                "try again later, or ask with GetSession",
            )
        if self._of_callers[who] >= most_of_one:
            raise too_many(
                f"{most_of_one} of your subscriptions are open, and no more",
                "end one of them, or ask with GetSession",
            )

    def wake(self, session: str) -> None:
        """The session has gone on, or is gone: this server knows it at once."""
        for watcher in self._watchers.get(session, ()):
            watcher.woken.set()

    def leave(self) -> None:
        """Nobody waits any longer: the server stops."""
        self._leaving = True
        if self._poll is not None:
            self._poll.cancel()
        for watchers in self._watchers.values():
            for watcher in watchers:
                watcher.gone = True
                watcher.woken.set()

    async def _polling(self) -> None:
        """Look for what other servers have done, for all who wait at once."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            sessions = tuple(self._watchers)
            if not sessions:
                continue
            try:
                found = await self._revisions(sessions)
            except Exception as error:  # whatever it is, those who wait go on waiting
                log().error("cannot look for what other servers did", exc_info=error)
                continue
            for session in sessions:
                for watcher in self._watchers.get(session, ()):
                    if found.get(session) != watcher.revision:
                        watcher.woken.set()
