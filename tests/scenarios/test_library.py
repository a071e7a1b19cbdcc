"""The corpus: everything in it holds, cites rules, is laid out canonically and can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

import scenarios
from rules_engine.imperium import combat, influence, sandworms
from scenarios import check, check_files, format_text
from scenarios.check import read

LIBRARY = Path(scenarios.__file__).parent / "library"
FILES = sorted(LIBRARY.rglob("*.scenario"))
WORKED_EXAMPLES = {f"EX-UPR-{number:02}" for number in range(1, 13)}


def texts() -> list[tuple[str, str]]:
    return [(str(file.relative_to(LIBRARY)), file.read_text("utf-8")) for file in FILES]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_scenario_of_the_file_holds(file: Path) -> None:
    results = check(file.name, file.read_text("utf-8"))
    assert results
    assert [(each.id, each.problems) for each in results if not each.good] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_file_is_laid_out_canonically(file: Path) -> None:
    text = file.read_text("utf-8")
    assert format_text(file.name, text) == text


def test_the_worked_examples_and_at_least_forty_more_are_there_all_citing_rules() -> None:
    found = [each for name, text in texts() for each in read(name, text)[0]]
    ids = [each.id for each in found]
    assert len(ids) == len(set(ids))
    assert set(ids) >= WORKED_EXAMPLES
    assert len(found) >= len(WORKED_EXAMPLES) + 40
    uncited = [each.id for each in found if not each.cites and not each.asks]
    assert uncited == []


@pytest.mark.parametrize(
    ("module", "name"),
    [(combat, "reward_of"), (influence, "_alliance_after_gain"), (sandworms, "protects_conflict")],
    ids=["ranking", "alliance", "shield wall"],
)
def test_scenarios_run_the_very_function_that_is_proved(
    monkeypatch: pytest.MonkeyPatch, module: object, name: str
) -> None:
    """Replaced by one that raises, it takes the scenarios with it, one by one, not the run."""

    def raises(*_: object) -> None:
        raise RuntimeError("replaced")

    monkeypatch.setattr(module, name, raises)
    results = list(check_files(texts()))
    failed = [each for each in results if any(p.code == "TS0190" for p in each.problems)]
    failed += [each for each in results if "replaced" in each.detail]
    assert failed
    assert len(results) > len(failed)
