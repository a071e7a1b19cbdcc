"""The cases of scenario files are made once, and again where what is kept cannot be used."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from conformance import corpus as module
from conformance.corpus import MOST_KEPT, Corpus, corpus
from scenarios.finding import library_files

HOLDS = """\
scenario "A Dagger gives a sword"
game uprising with John, Abby, Ned
given Abby has hand "Dagger"
when Abby reveals
then Abby has 1 sword
"""
FAILS = HOLDS.replace("1 sword", "2 swords")
ASKS = """\
scenario "Can Abby reveal?"
game uprising with John, Abby, Ned
ask can Abby reveal
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where cases are kept in this test."""
    monkeypatch.setenv("TRUTHSAYER_CACHE_DIR", str(tmp_path / "kept"))
    return tmp_path / "kept" / "cases"


def made(*texts: str, name: str = "mine") -> tuple[Corpus, int]:
    """The cases of some files, and how many scenarios were run for them."""
    seen: list[int] = []
    files = [(f"{name}{number}.scenario", text) for number, text in enumerate(texts)]
    return corpus(files, seen.append), len(seen)


def test_cases_are_made_once(folder: Path) -> None:
    first, read = made(HOLDS)
    assert [case.id for case in first.cases] == ["mine0.a_dagger_gives_a_sword"]
    assert read == 1
    assert made(HOLDS) == (first, 0)
    assert len(list(folder.iterdir())) == 1


def test_a_scenario_without_a_case_is_left_out_with_the_reason() -> None:
    found, _ = made(HOLDS, FAILS, ASKS)
    assert [case.file for case in found.cases] == ["mine0.scenario"]
    assert found.left_out == {
        "mine1.a_dagger_gives_a_sword": "it does not hold",
        "mine2.can_abby_reveal": "it asks and expects nothing",
    }
    assert made(HOLDS, FAILS, ASKS) == (found, 0)


def test_other_files_have_other_cases() -> None:
    made(HOLDS)
    other = HOLDS.replace("A Dagger gives", "Abby has")
    assert [case.title for case in made(other)[0].cases] == ["Abby has a sword"]
    assert made(other)[1] == made(HOLDS)[1] == 0


def test_another_engine_makes_other_cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(HOLDS)
    engine = tmp_path / "engine"
    engine.mkdir()
    (engine / "rule.py").write_text("", "utf-8")
    changed = type("Changed", (), {"__file__": str(engine / "__init__.py")})
    monkeypatch.setattr(module, "rules_engine", changed)
    assert made(HOLDS)[1] == 1
    assert made(HOLDS)[1] == 0
    (engine / "rule.py").write_text("changed = True", "utf-8")
    assert made(HOLDS)[1] == 1


@pytest.mark.parametrize("data", [b"", b"{", b"{}", b"\xff" * 9, b'{"cases": [' + b"[" * 99_999])
def test_what_is_damaged_is_made_anew(data: bytes, folder: Path) -> None:
    first, _ = made(HOLDS)
    (kept,) = folder.iterdir()
    kept.write_bytes(data)
    assert made(HOLDS) == (first, 1)
    assert made(HOLDS) == (first, 0)


def test_a_folder_that_cannot_be_written_keeps_nothing(folder: Path) -> None:
    folder.parent.mkdir()
    folder.write_text("a file", "utf-8")
    first, _ = made(HOLDS)
    assert made(HOLDS) == (first, 1)
    assert folder.read_text("utf-8") == "a file"


def test_what_was_not_used_for_long_goes(folder: Path) -> None:
    for number in range(MOST_KEPT + 2):
        made(HOLDS, name=f"file{number}.")
        for place, file in enumerate(sorted(folder.iterdir(), key=os.path.getmtime)):
            os.utime(file, (place, place))
    assert len(list(folder.iterdir())) == MOST_KEPT
    assert made(HOLDS, name=f"file{MOST_KEPT + 1}.")[1] == 0
    assert made(HOLDS, name="file0.")[1] == 1


def test_the_library_has_every_scenario_file_by_its_name_below_it() -> None:
    names = [name for name, _ in library_files()]
    assert "uprising/worked_examples.scenario" in names
    assert len(set(names)) == len(names)
