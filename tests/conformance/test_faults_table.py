"""The table of faults: each can be made, breaks a rule that there is, and they cover the book."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from rules_engine.rulebook.index import cite
from rules_engine.rulebook.never_cited import in_scope, reasons
from tests.conformance.faulty import ROOT, Fault, faults

FAULTS = faults()
KINDS = {"effect", "timing", "rule", "client"}


def _chapter(rule: str) -> str:
    return rule.rsplit("-", 1)[0]


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_changes_one_place_and_names_rules_that_there_are(fault: Fault) -> None:
    changed = fault.source
    compile(changed, fault.file, "exec")
    assert changed != (ROOT / fault.file).read_text(encoding="utf-8")
    assert fault.rules
    assert cite(*fault.rules) == fault.rules
    assert fault.kind in KINDS
    assert fault.name == fault.name.lower().strip("_")


def test_a_place_that_is_not_there_is_told() -> None:
    fault = Fault("never", "rule", "conformance/observing.py", (), "no such text", "")
    with pytest.raises(ValueError, match="has not exactly one place for never"):
        _ = fault.source


def test_there_are_enough_faults_in_effects_and_in_timing() -> None:
    kinds = Counter(fault.kind for fault in FAULTS.values())
    assert sum(kinds.values()) >= 44
    assert kinds["effect"] >= 10
    assert kinds["timing"] >= 10


def test_no_two_faults_are_the_same() -> None:
    assert len({(fault.file, fault.new, fault.old) for fault in FAULTS.values()}) == len(FAULTS)


def test_every_chapter_has_a_fault() -> None:
    chapters = {_chapter(rule.id) for rule in in_scope() if rule.id not in reasons()}
    assert {_chapter(rule) for fault in FAULTS.values() for rule in fault.rules} >= chapters


def test_the_page_in_the_manual_has_every_fault_and_says_that_it_is_caught() -> None:
    page = (ROOT / "docs" / "conformance-faults.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| ")]
    rows = [row for row in rows if row[0] != "| fault"]
    told = sorted(row[0].removeprefix("| ") for row in rows)
    assert told == sorted(name.replace("_", " ") for name in FAULTS)
    assert {row[3] for row in rows} == {"yes"}


@pytest.mark.parametrize("arguments", [["no_such_fault"], []], ids=["unknown", "none"])
def test_a_name_that_is_no_fault_is_an_error_that_lists_them(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.conformance.faulty", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: n")
    assert "turns_go_round_against_the_clock" in done.stderr
    assert "Traceback" not in done.stderr
