"""The page of error codes has every code, with a mistake that shows it where there is one."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from truthsayer.codes import CODES

FILE = Path(__file__).parents[2] / "docs" / "_ext" / "error_codes.py"


@pytest.fixture
def error_codes() -> ModuleType:
    """The extension of the manual that writes the page."""
    spec = importlib.util.spec_from_file_location("error_codes", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_code_has_a_heading_and_its_paragraph(error_codes: ModuleType) -> None:
    page = list(error_codes.page())
    for name, code in CODES.items():
        at = page.index(f"### {name}: {code.title}")
        assert page[at + 2] == code.text


def test_a_mistake_is_shown_with_what_one_sees_and_the_remedy(
    error_codes: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(error_codes, "MISTAKES", tmp_path)
    assert "A mistake:" not in error_codes.page()
    for end in (".scenario", ".txt", ".fixed.scenario"):
        (tmp_path / f"TS0104_space{end}").write_text(f"the {end} file\n", "utf-8")
    shown = [each for each in error_codes.of_code("TS0104", CODES["TS0104"]) if "file" in each]
    assert shown == ["the .scenario file", "the .txt file", "the .fixed.scenario file"]
