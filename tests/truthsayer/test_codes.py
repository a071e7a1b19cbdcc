"""The table of error codes has every code that the source uses, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from truthsayer.codes import CODES

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "truthsayer" / "codes.py"
PACKAGES = ("conformance", "rules_engine", "scenarios", "server", "truthsayer", "verifier")


def codes_used(root: Path) -> set[str]:
    """Every code in the source of our packages."""
    return {
        code
        for package in PACKAGES
        for path in (root / package).rglob("*.py")
        if path != TABLE
        for code in re.findall(r"\bTS\d{4}\b", path.read_text(encoding="utf-8"))
    }


def test_every_code_is_explained_and_every_explained_code_is_used() -> None:
    assert codes_used(ROOT) == set(CODES)


def test_the_table_is_in_order() -> None:
    assert list(CODES) == sorted(CODES)


@pytest.mark.parametrize("code", CODES)
def test_an_explanation_says_something(code: str) -> None:
    title, text = CODES[code]
    assert title[0].islower()
    assert not title.endswith(".")
    assert text.endswith(".")


def test_a_planted_code_is_found(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "new.py").write_text('raise Problem("TS9" "999", "TS9998")')
    assert codes_used(tmp_path) == {"TS9998"}
