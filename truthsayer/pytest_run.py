"""The one run of `truthsayer check` behind all the scenarios that pytest has collected.

The command runs in a process of its own that looks at installed packages only, because the
repository under test may well have a `server` or a `scenarios` of its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

PASSED = "passed"
"""It holds; a detail says that it could not have failed."""

GOOD = (PASSED, "proved")

LONGEST_WAIT = 24 * 60 * 60
"""The seconds that a worker waits for another one that runs the command."""

MOST_LINES = 20
"""Of what a failing command says, so many lines are shown: the last ones."""


class Result(NamedTuple):
    """What the run says of a scenario, or of a file as a whole."""

    line: int
    of_file: bool
    """It is about the file as a whole, or about a scenario without a title."""
    good: bool
    report: str
    """All of it, as `truthsayer check` prints it."""
    reason: str
    """What matters most, in a line."""
    reason_line: int
    not_tested: str = ""
    """Why it is neither good nor bad: it only asks."""


class Finished(NamedTuple):
    """What a command printed, or why it has nothing to say."""

    output: str
    fault: str


class RunFailed(Exception):
    """The command gave no results; the text says why and what to do."""


def results_of(
    files: Sequence[Path], here: Path, shared: Path | None = None
) -> dict[Path, list[Result]]:
    """The results of each file, by its resolved path; a file that is gone has none.

    Files below `here` are called from there. Of the processes with one `shared` folder, the first
    that asks runs the command.
    """
    called = {_name(path, here): path.resolve() for path in files if path.is_file()}
    if not called:
        return {}
    command = [
        *(sys.executable or "", "-I", "-X", "utf8", "-m", "truthsayer"),
        *("check", "--json", "--annotations", "none", "--files-from", "-"),
    ]
    paths = b"".join(os.fsencode(name) + b"\0" for name in called)

    def run() -> Finished:
        return _finished(command, paths, here)

    finished = run() if shared is None else once(shared, [*command, str(here), paths], run)
    if finished.fault:
        raise RunFailed(finished.fault)
    return _by_file(finished.output, called, command)


def _name(path: Path, here: Path) -> str:
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _finished(command: list[str], paths: bytes, here: Path) -> Finished:
    """Run the command to its end. Exit codes up to 2 are verdicts, if there is any output."""
    try:
        done = subprocess.run(command, input=paths, cwd=here, capture_output=True, check=False)
    except OSError as error:
        return Finished("", _fault(command, f"it did not start: {error.strerror}"))
    said = done.stderr.decode(errors="replace")
    if not 0 <= done.returncode <= 2 or not done.stdout.strip():
        return Finished("", _fault(command, f"it ended with exit code {done.returncode}", said))
    return Finished(done.stdout.decode(errors="replace"), "")


def _fault(command: list[str], why: str, said: str = "") -> str:
    lines = [
        f"TS0720: `{' '.join(command)}` gave no results: {why}",
        *(f"  | {line}".rstrip() for line in said.splitlines()[-MOST_LINES:]),
        f"  help: see what `{command[0]} -I -m truthsayer --version` says: Truthsayer has to be "
        "installed where the tests run",
    ]
    return "\n".join(lines)


def _by_file(output: str, called: dict[str, Path], command: list[str]) -> dict[Path, list[Result]]:
    """The results in the report of the command."""
    shown = {os.fsencode(name).decode(errors="replace"): path for name, path in called.items()}
    found: dict[Path, list[Result]] = {path: [] for path in called.values()}
    try:
        for each in json.loads(output)["results"]:
            found[shown[each["file"]]].append(_result(each))
    except (ValueError, LookupError, TypeError) as error:
        why = "what it printed is not its report"
        raise RunFailed(_fault(command, why, output)) from error
    return found


def _result(report: dict[str, Any]) -> Result:
    line, verdict = report["line"], report["verdict"]
    reason, reason_line = f"{verdict}: {report['detail']}", line
    if report["problems"]:
        problem = report["problems"][0]
        reason, reason_line = f"{problem['code']}: {problem['message']}", problem["line"] or line
    return Result(
        line=line,
        of_file=not report["title"],
        good=verdict in GOOD,
        report=report["report"],
        reason=reason.partition("\n")[0],
        reason_line=reason_line,
        not_tested=report["detail"] if verdict == PASSED else "",
    )


def once(shared: Path, key: Sequence[str | bytes], work: Callable[[], Finished]) -> Finished:
    """What the work gives, done by the first process that asks; the others wait for it.

    A database is the lock, too: whatever way a process ends, the system takes its lock away, and
    what it has not finished is not there.
    """
    try:
        # Only needed with workers, and not every Python has it.
        import sqlite3
    except ImportError:
        return work()
    parts = [os.fsencode(part) for part in key]
    digest = hashlib.sha256(repr(parts).encode()).hexdigest()
    try:
        with closing(
            sqlite3.connect(shared / "run.sqlite", timeout=LONGEST_WAIT, isolation_level=None)
        ) as database:
            database.execute("BEGIN EXCLUSIVE")
            database.execute("CREATE TABLE IF NOT EXISTS finished (key PRIMARY KEY, output, fault)")
            row = database.execute(
                "SELECT output, fault FROM finished WHERE key = ?", [digest]
            ).fetchone()
            if row is not None:
                return Finished(*row)
            finished = work()
            database.execute("INSERT INTO finished VALUES (?, ?, ?)", [digest, *finished])
            database.execute("COMMIT")
            return finished
    except sqlite3.Error:
        # A worker on another machine does not have the folder, and works for itself.
        return work()
