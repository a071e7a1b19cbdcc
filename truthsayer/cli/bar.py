"""A bar for work whose size is known, on a terminal only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Column

from truthsayer.cli.progress import on_a_terminal


class Bar:
    """Shows how much of the work is done, the time it took, and what was done last.

    Use it as a context manager: however the work ends, the bar is gone afterwards.
    """

    def __init__(self, doing: str) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            SpinnerColumn(),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            # In one line: after a pause rich would take a second one back in the wrong place.
            TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True)),
            console=console,
            transient=True,
            # What is printed goes where it should, be it a file, and pauses the bar.
            redirect_stdout=False,
            redirect_stderr=False,
            disable=not (on_a_terminal() and console.is_interactive),
        )
        self._task = self._progress.add_task(doing, total=None)

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, done: int, total: int, last: str) -> None:
        """So much is done of all, this last."""
        self._progress.update(self._task, completed=done, total=total, description=last)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Take the bar away while something is printed."""
        self._progress.stop()
        yield
        self._progress.start()
