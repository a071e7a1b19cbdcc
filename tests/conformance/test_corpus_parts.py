"""The cases of files: those that are selected come without making all, and all are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.corpus import corpus
from scenarios.finding import library_files

NAMES = tuple(f"uprising/{name}.scenario" for name in ("acquire", "shield_wall", "worked_examples"))
FILES = [each for each in library_files() if each[0] in NAMES]


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRUTHSAYER_CACHE_DIR", str(tmp_path))


def test_a_selection_has_all_that_was_selected(tmp_path: Path) -> None:
    read: list[int] = []
    by_id = corpus(FILES, read.append, ids=["EX-UPR-01-b#2"])
    assert "EX-UPR-01-b#2" in {case.id for case in by_id.cases}
    by_rule = corpus(FILES, rules=["UPR-WALL-003"])
    nothing = corpus(FILES, rules=["UPR-NONE-001"])
    assert nothing.cases == ()
    assert not list(tmp_path.rglob("*"))  # a part is not kept in place of the whole
    read_for_all: list[int] = []
    whole = corpus(FILES, read_for_all.append)
    assert len(read) < len(read_for_all)
    for found in (by_id, by_rule):
        assert {each.id for each in found.cases} <= {each.id for each in whole.cases}
    wanted = [case for case in whole.cases if "UPR-WALL-003" in case.rules]
    assert wanted
    assert [case for case in by_rule.cases if "UPR-WALL-003" in case.rules] == wanted


def test_the_whole_is_kept_and_serves_every_selection() -> None:
    whole = corpus(FILES)
    read: list[int] = []
    assert corpus(FILES, read.append) == whole
    assert corpus(FILES, read.append, ids=["EX-UPR-01-b#2"]) == whole
    assert not read


def test_every_case_is_found_by_its_id() -> None:
    for case in corpus(FILES).cases:
        (file,) = (each for each in FILES if each[0] == case.file)
        name = case.id.partition("#")[0]
        assert name in file[1] or name.startswith(f"{Path(case.file).stem}.")
