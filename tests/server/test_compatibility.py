"""The contract: what CI runs in proto/ finds a change that breaks a client, and only such a one."""

from __future__ import annotations

import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHECKS = {check[1]: check for check in runpy.run_path(str(ROOT / ".ci" / "proto"))["CHECKS"]}


def changed(folder: Path, file: str, old: str, new: str) -> Path:
    """A copy of proto/ in which one text stands for another."""
    copy = folder / "proto"
    shutil.copytree(ROOT / "proto", copy)
    path = copy / "truthsayer" / "v1" / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    return copy


def said(check: str, folder: Path) -> tuple[bool, str]:
    """Whether a check passes in a folder, and what it says."""
    done = subprocess.run(CHECKS[check], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("file", "old", "new", "found"),
    [
        ("engine.proto", "  bool promos = 6;", "", 'field "6"'),
        ("engine.proto", "bool promos = 6;", "string promos = 6;", "promos"),
        ("engine.proto", "bool promos = 6;", "bool promos = 7;", 'field "6"'),
        ("engine.proto", "bool promos = 6;", "bool promo = 6;", "promos"),
        ("rules.proto", "rpc ListRules(", "rpc AllRules(", "ListRules"),
        ("common.proto", "VERDICT_FAILED = 2;", "VERDICT_LOST = 2;", "VERDICT_FAILED"),
        ("scenario.proto", "returns (stream CheckResponse)", "returns (CheckResponse)", "Check"),
    ],
)
def test_a_change_that_breaks_a_client_is_found(
    tmp_path: Path, file: str, old: str, new: str, found: str
) -> None:
    passed, text = said("breaking", changed(tmp_path, file, old, new))
    assert not passed
    assert found in text


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("engine.proto", "bool promos = 6;", "bool promos = 6;\n  // More.\n  string more = 7;"),
        ("common.proto", "VERDICT_CHECKED = 8;", "VERDICT_CHECKED = 8;\n  // A.\n  VERDICT_A = 9;"),
        ("engine.proto", "// Who looks at what.", "// Who looks at which position."),
    ],
)
def test_a_change_that_breaks_nobody_passes(tmp_path: Path, file: str, old: str, new: str) -> None:
    assert said("breaking", changed(tmp_path, file, old, new)) == (True, "")


def test_a_field_without_a_comment_and_a_crooked_line_are_found(tmp_path: Path) -> None:
    folder = changed(
        tmp_path, "engine.proto", "bool promos = 6;", "bool promos = 6;\n    string more = 7;"
    )
    for check in ("lint", "format"):
        passed, text = said(check, folder)
        assert not passed
        assert "more" in text


@pytest.mark.parametrize("check", CHECKS)
def test_the_contract_as_it_is_passes(check: str) -> None:
    assert said(check, ROOT / "proto") == (True, "")
