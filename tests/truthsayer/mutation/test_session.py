"""A run resumes with what is kept: by content, and only as long as nothing changed."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from rules_engine.kernel.errors import TruthsayerError
from tests.truthsayer.mutation.samples import ALL, FULL, NO_COMBAT, of_allowance
from truthsayer.mutation import session
from truthsayer.mutation.checks import FAILS, SCENARIOS, Check
from truthsayer.mutation.session import Side, outcomes, side_of
from truthsayer.mutation.trying import Attempt, Outcome, try_all

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRUTHSAYER_CACHE_DIR", str(tmp_path))
    return tmp_path / "mutants" / "scenarios.jsonl"


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Attempt]:
    """Every attempt that is made."""
    made: list[Attempt] = []

    def noted(attempts: object, jobs: int) -> object:
        listed = list(attempts)  # type: ignore[call-overload]
        made.extend(listed)
        return try_all(listed, jobs)

    monkeypatch.setattr(session, "try_all", noted)
    return made


def quiet(_: str) -> None:
    pass


def run(*checks: Check, context: str = "engine") -> dict[str, Outcome]:
    side = Side(SCENARIOS, context, list(checks))
    return outcomes(side, of_allowance(), 1, quiet)


def test_a_second_run_tries_nothing_again(runs: list[Attempt]) -> None:
    first = run(*ALL)
    assert len(runs) == len(first) > 5
    runs.clear()
    again = run(*ALL)
    assert {key: found.by for key, found in again.items()} == {
        key: found.by for key, found in first.items()
    }
    assert runs == []


def test_a_new_check_runs_alone_and_on_survivors_alone(runs: list[Attempt]) -> None:
    unnoticed = {key for key, found in run(FULL).items() if not found.by}
    runs.clear()
    found = run(*ALL)
    assert {attempt.mutant.key for attempt in runs} == unnoticed
    assert all([each.name for each in attempt.checks] == ["no combat"] for attempt in runs)
    assert any(found[key].by == "no combat" for key in unnoticed)


@pytest.mark.parametrize("change", ["check", "engine"])
def test_what_changed_is_tried_anew(change: str, runs: list[Attempt]) -> None:
    first = run(*ALL)
    runs.clear()
    if change == "engine":
        run(*ALL, context="another engine")
        assert len(runs) == len(first)
        # What noticed a mutant last time is likely to do so again.
        assert all(
            a.checks[0].name == first[a.mutant.key].by for a in runs if first[a.mutant.key].by
        )
    else:
        run(dataclasses.replace(FULL, content="other words"), NO_COMBAT)
        assert {a.mutant.key for a in runs} >= {
            k for k, found in first.items() if found.by == "full"
        }


def test_damaged_results_are_found_out_anew(store: Path, runs: list[Attempt]) -> None:
    first = run(*ALL)
    lines = store.read_bytes().splitlines(keepends=True)
    tampered = (
        lines[0].replace(b'"by":"full"', b'"by":"NOBODY"').replace(b"no combat", b"nobodyxxx")
    )
    assert tampered != lines[0]
    store.write_bytes(tampered + b"no line at all\n" + b"".join(lines[1:]))
    runs.clear()
    side = Side(SCENARIOS, "engine", list(ALL))
    assert outcomes(side, of_allowance(), 1, quiet).keys() == first.keys()
    assert side.damaged == 2
    assert [attempt.mutant.key for attempt in runs] == [of_allowance()[0].key]
    assert b"no line at all" not in store.read_bytes()


def test_what_checks_reach_is_recorded_once() -> None:
    made = 0

    def counted() -> str:
        nonlocal made
        made += 1
        return FULL.run()

    bare = Check(SCENARIOS, "full", "content", counted)
    failing = Check(SCENARIOS, "failing", "other", lambda: FAILS)
    for _ in range(2):
        side = side_of(SCENARIOS, "engine", [bare, failing], quiet)
        (known,) = side.checks
        assert known.reaches >= FULL.reaches
        assert side.broken == ("failing",)
    assert made == 1
    side_of(SCENARIOS, "another engine", [bare], quiet)
    assert made == 2


def test_a_folder_that_cannot_be_written_to_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("TRUTHSAYER_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(TruthsayerError, match="cannot keep results") as error:
        run(FULL)
    assert error.value.code == "TS0703"
