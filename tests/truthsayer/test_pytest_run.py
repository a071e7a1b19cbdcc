"""Processes that share a folder do a piece of work once, even if one of them dies."""

from __future__ import annotations

import multiprocessing
import os
from functools import partial
from pathlib import Path

import pytest

from truthsayer.pytest_run import Finished, once

DIED = 7


def work(shared: Path, key: str = "key") -> Finished:
    """Write down that the work is done, and who does it."""
    with (shared / "log").open("a") as log:
        log.write(f"{key}\n")
    return Finished(f"by {os.getpid()}", "")


def die() -> Finished:
    """End like a process that is killed."""
    os._exit(DIED)


def ask(shared: Path) -> str:
    """Ask for the work."""
    return once(shared, ["key"], lambda: work(shared)).output


def ask_and_die(shared: Path) -> None:
    """Ask for the work, and die in the middle of it."""
    once(shared, ["key"], die)


def test_many_processes_do_the_work_once(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        said = pool.map(ask, [tmp_path] * 12, chunksize=1)
    assert (tmp_path / "log").read_text() == "key\n"
    assert len(set(said)) == 1


def test_the_work_of_a_process_that_died_is_done_by_the_next(tmp_path: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(target=ask_and_die, args=[tmp_path])
    process.start()
    process.join()
    assert process.exitcode == DIED
    assert ask(tmp_path) == f"by {os.getpid()}"


def test_an_interrupted_work_is_not_taken_for_done(tmp_path: Path) -> None:
    def interrupted() -> Finished:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        once(tmp_path, ["key"], interrupted)
    assert ask(tmp_path) == f"by {os.getpid()}"


def test_other_work_is_done_too(tmp_path: Path) -> None:
    keys: list[list[str | bytes]] = [["a", "b"], ["ab"], ["a", b"b\xff"], ["a", "b"]]
    for key in keys:
        once(tmp_path, key, partial(work, tmp_path, str(key)))
    assert (tmp_path / "log").read_text().splitlines() == [str(key) for key in keys[:3]]


def test_a_fault_is_shared_too(tmp_path: Path) -> None:
    fault = Finished("", "TS0720: it did not start")
    assert once(tmp_path, ["key"], lambda: fault) == fault
    assert once(tmp_path, ["key"], lambda: work(tmp_path)) == fault


def test_without_the_folder_a_process_works_for_itself(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    assert once(missing, ["key"], lambda: work(tmp_path)).output == f"by {os.getpid()}"
