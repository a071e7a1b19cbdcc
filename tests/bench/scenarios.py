"""The whole library on one core: how long it takes, and where the time goes.

The whole is the command as one types it, from the start of the process to its end. Its parts are
measured in a fresh process each time, as the language remembers lines that it has read: what is
loaded once (the engine, the grammar) is there before the clock runs. All is processor time, which
on one core is the time one waits unless others use that core.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context

from rules_engine.kernel.records import Record
from scenarios.check import DEFAULT_PRODUCT, checked, read
from scenarios.imperium.names import vocabulary
from scenarios.language.read import Reader
from tests.bench.aims import aimed, told
from truthsayer.cli.files import library

RUNS = 3
MOST_SECONDS = 5


class Parts(Record):
    """How many scenarios there are, and the seconds that each part of checking them takes."""

    scenarios: int
    for_any_scenarios: int
    reading: float
    """With the check of every name."""
    running: float
    for_any: float

    def whole(self) -> float:
        """All of it."""
        return self.reading + self.running + self.for_any


def texts() -> list[tuple[str, str]]:
    """The files of the library."""
    found = sorted(library().rglob("*.scenario"))
    return [(str(path), path.read_text(encoding="utf-8")) for path in found]


def parsing() -> float:
    """The seconds that it takes to read every line, and no more."""
    files, words = texts(), vocabulary(DEFAULT_PRODUCT)
    begun = time.process_time()
    for file, text in files:
        Reader(file, text, words).read()
    return time.process_time() - begun


def parts() -> Parts:
    """The seconds of each part."""
    files = texts()
    vocabulary(DEFAULT_PRODUCT)
    begun = time.process_time()
    scenarios = [scenario for file, text in files for scenario in read(file, text)[0]]
    read_at = time.process_time()
    plain = [scenario for scenario in scenarios if not scenario.variables]
    assert all(checked(scenario).good for scenario in plain)
    ran_at = time.process_time()
    for_any = [scenario for scenario in scenarios if scenario.variables]
    assert all(checked(scenario).good for scenario in for_any)
    ended = time.process_time()
    return Parts(len(scenarios), len(for_any), read_at - begun, ran_at - read_at, ended - ran_at)


def command() -> float:
    """The seconds that the command takes from start to end."""
    before = os.times()
    subprocess.run(
        [sys.executable, "-m", "truthsayer", "check", str(library())],
        stdout=subprocess.DEVNULL,
        check=True,
    )
    now = os.times()
    user = now.children_user - before.children_user
    return user + now.children_system - before.children_system


@contextmanager
def one_core() -> Iterator[None]:
    """Stay on one core, with every process that is started here; only Linux can."""
    if sys.platform != "linux":
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def main() -> None:
    """Print the times and speeds."""
    # Each call gets a process of its own.
    fresh = ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1)
    with one_core(), fresh:
        read_in = min(fresh.submit(parsing).result() for _ in range(RUNS))
        best = min((fresh.submit(parts).result() for _ in range(RUNS)), key=Parts.whole)
        whole = min(command() for _ in range(RUNS))
    files = [text for _, text in texts()]
    print(
        f"{best.scenarios:,} scenarios, {best.for_any_scenarios} of them `for any`, in "
        f"{len(files)} files, best of {RUNS} runs; Python {platform.python_version()}"
    )
    what = "`truthsayer check` of the library, on one core"
    aimed(what, f"{whole:.1f} s", f"under {MOST_SECONDS} s", whole < MOST_SECONDS)
    told("reading every line", f"{read_in:.2f} s")
    told("checking every name", f"{best.reading - read_in:.2f} s")
    told("running", f"{best.running:.2f} s")
    told("settling `for any`", f"{best.for_any:.2f} s")
    told("starting, loading and printing", f"{whole - best.whole():.2f} s")
    told("scenarios a second in process", f"{best.scenarios / best.whole():,.0f}")
    plain = best.scenarios - best.for_any_scenarios
    told("run a second, without `for any`", f"{plain / best.running:,.0f}")
    told("characters read a second", f"{sum(map(len, files)) / read_in:,.0f}")
    lines = sum(len(text.splitlines()) for text in files)
    told("lines read a second", f"{lines / read_in:,.0f}")


if __name__ == "__main__":
    main()
