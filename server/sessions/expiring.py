"""Sessions in which nothing happens for long are forgotten, a few at a time."""

from __future__ import annotations

from server.sessions.keeping import Keeper

AT_A_TIME = 50
"""So many in one transaction, for which everybody else waits."""


def forget_some(keeper: Keeper) -> bool:
    """Forget some sessions whose time is over, and say whether there may be more."""
    return keeper.store.forget(keeper.now(), AT_A_TIME) == AT_A_TIME
