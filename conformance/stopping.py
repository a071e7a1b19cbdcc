"""When a run ends early: it is stopped by Ctrl-C or SIGTERM, or its time is over.

An exception from the handler of a signal can get lost: whatever is raised while a collection of
garbage calls back is only printed, and Hypothesis has every collection call back. So whoever works
for long also looks whether the run was stopped.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)

_stopped: list[int] = []
"""The signals that have come since the run began."""


@contextmanager
def stoppable() -> Iterator[None]:
    """Within it, Ctrl-C and SIGTERM raise KeyboardInterrupt, and `see_if_stopped` does so again."""
    _stopped.clear()
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = [signal.signal(each, _stop) for each in SIGNALS]
    hook = sys.unraisablehook
    sys.unraisablehook = lambda lost: None if lost.exc_type is KeyboardInterrupt else hook(lost)
    try:
        yield
    except Exception:
        # What goes wrong because a run is being stopped is no fault of its own.
        if _stopped:
            raise KeyboardInterrupt from None
        raise
    finally:
        sys.unraisablehook = hook
        for each, handler in zip(SIGNALS, before, strict=True):
            signal.signal(each, handler)
        _stopped.clear()


def _stop(number: int, _: FrameType | None) -> None:
    _stopped.append(number)
    raise KeyboardInterrupt


def see_if_stopped() -> None:
    """Raise KeyboardInterrupt if the run was stopped and is still going on."""
    if _stopped:
        raise KeyboardInterrupt


def is_over(until: float | None) -> bool:
    """Whether it is later than this, by the clock that all processes share."""
    return until is not None and time.monotonic() >= until
