"""Progress of long work: in one line of a terminal, and elsewhere as a line now and then."""

from __future__ import annotations

import sys
import time

CLEAR_LINE = "\r\x1b[K"


def on_a_terminal() -> bool:
    """Whether somebody sees what is shown."""
    # Started without an error stream, a process has none.
    return sys.stderr is not None and sys.stderr.isatty()


def show_progress(text: str) -> None:
    """Show where the work is, in place of what was shown before."""
    if on_a_terminal():
        sys.stderr.write(f"{CLEAR_LINE}{text}")
        sys.stderr.flush()


def clear_progress() -> None:
    """Take it away again."""
    show_progress("")


SECONDS_BETWEEN_LINES = 10.0

AHEAD = "… "
"""What a line of progress begins with, so that a log shows what it is."""


class NowAndThen:
    """Progress for a log, where no line changes: few lines, of which the first comes at once."""

    def __init__(self) -> None:
        self._next = 0.0

    def say(self, text: str) -> None:
        """Say where the work is, if it was not said just now or is seen on a terminal."""
        now = time.monotonic()
        if now < self._next or sys.stderr is None or on_a_terminal():
            return
        self._next = now + SECONDS_BETWEEN_LINES
        sys.stderr.write(f"{AHEAD}{text}\n")
        sys.stderr.flush()
