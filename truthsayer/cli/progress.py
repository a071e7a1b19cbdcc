"""Progress of long work, on a terminal only: it never gets into a file or a pipe."""

from __future__ import annotations

import sys

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
