"""Players of many sessions at once, and how long each of their calls took."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable
from typing import TypeVar

from truthsayer.client import AsyncClient, ServiceError
from truthsayer.v1 import engine_pb2, session_pb2

T = TypeVar("T")

LIMITS = frozenset({"TS0803", "TS0834", "TS0853"})
"""The codes of answers that say that a limit was reached."""


class Figures:
    """How long calls took, by their names, and how they failed."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {}
        self.limited: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.games = 0

    async def timed(self, name: str, call: Awaitable[T]) -> T:
        """The answer to a call."""
        began = time.perf_counter()
        try:
            return await call
        finally:
            self.seconds.setdefault(name, []).append(time.perf_counter() - began)


async def load(address: str, sessions: int, seconds: float) -> Figures:
    """Play so many sessions at a time, one game after the other, for so long."""
    figures = Figures()
    until = time.monotonic() + seconds
    await asyncio.gather(*(_play_on(address, until, number, figures) for number in range(sessions)))
    return figures


async def _play_on(address: str, until: float, number: int, figures: Figures) -> None:
    chance = random.Random(number)
    async with AsyncClient(address) as client:
        while time.monotonic() < until:
            try:
                await _play(client, until, chance, figures)
            except ServiceError as error:
                kind = figures.limited if error.code in LIMITS else figures.failed
                kind[error.code] += 1


async def _play(client: AsyncClient, until: float, chance: random.Random, figures: Figures) -> None:
    setup = engine_pb2.NewGameRequest(product="uprising", players=["John", "Abby", "Ned"])
    request = session_pb2.CreateSessionRequest(setup=setup)
    begun = await figures.timed("CreateSession", client.create_session(request))
    seats = [client.session(begun.session, token) for token in begun.seat_tokens]
    asked = (await figures.timed("GetSession", seats[0].get())).asked
    while asked.seats and time.monotonic() < until:
        player = seats[asked.seats[0]]
        inputs = await figures.timed("ListSessionActions", player.actions())
        answer = await figures.timed("SendInput", player.send(chance.choice(inputs)))
        assert answer.HasField("taken"), answer
        asked = answer.taken.asked
    figures.games += not asked.seats
