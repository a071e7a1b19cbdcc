"""Checks run in a process of their own: a stale answer is passed over, a long one is stopped."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.lsp.texts import FOR_ANY
from tests.samples import HOLDS
from truthsayer.lsp.checks import Checker

FAILS = HOLDS.replace("1 spice", "2 spice")


def test_an_answer_that_nobody_waits_for_is_not_taken_for_another() -> None:
    async def run() -> tuple[int | None, int | None]:
        checker = Checker(may_take_long=False)
        assert await checker.check("a.scenario", HOLDS) == ()
        process = checker._process
        stale = asyncio.create_task(checker.check("a.scenario", FAILS))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        stale.cancel()
        assert await checker.check("a.scenario", HOLDS) == ()
        found = await checker.check("a.scenario", FAILS)
        assert found is not None
        assert [problem.code for problem in found] == ["TS0120"]
        assert process is not None
        assert checker._process is not None
        return process.pid, checker._process.pid

    before, after = asyncio.run(run())
    assert before == after


def test_a_long_check_that_nobody_waits_for_is_stopped_and_the_next_is_answered() -> None:
    async def run() -> None:
        checker = Checker(may_take_long=True)
        assert await checker.check("a.scenario", HOLDS) == ()
        process = checker._process
        assert process is not None
        proof = asyncio.create_task(checker.check("a.scenario", FOR_ANY))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        proof.cancel()
        assert await process.wait() < 0
        assert await checker.check("a.scenario", HOLDS) == ()

    asyncio.run(run())


def test_a_process_that_dies_leaves_the_result_unknown() -> None:
    async def run() -> None:
        checker = Checker(may_take_long=False)
        assert await checker.check("a.scenario", HOLDS) == ()
        assert checker._process is not None
        checker._process.kill()
        assert await checker.check("a.scenario", HOLDS) is None
        await checker._process.wait()
        assert await checker.check("a.scenario", HOLDS) == ()

    asyncio.run(run())


def test_the_process_ends_with_the_server() -> None:
    async def run() -> asyncio.subprocess.Process | None:
        checker = Checker(may_take_long=False)
        await checker.check("a.scenario", HOLDS)
        return checker._process

    process = asyncio.run(run())
    assert process is not None
    assert process.returncode is not None


def test_half_a_character_is_checked_like_any_other() -> None:
    async def run() -> None:
        found = await Checker(may_take_long=False).check("a.scenario", "scenario \ud83d")
        assert found is not None
        assert found[0].code == "TS0101"

    asyncio.run(run())


def test_packages_of_the_folder_it_works_in_are_not_taken_for_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "__init__.py").write_text("raise SystemExit('wrong one')")
    monkeypatch.chdir(tmp_path)

    async def run() -> None:
        assert await Checker(may_take_long=False).check("a.scenario", HOLDS) == ()

    asyncio.run(run())
