"""Reading a file by parts finds what reading it whole finds, and reads again only what changed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.kernel.errors import Place
from scenarios.check import check, duplicate, read, read_each
from scenarios.results import Problem
from tests.lsp.texts import FOR_ANY, OWN_CARD
from tests.samples import HOLDS
from truthsayer.cli.lookup import library_texts
from truthsayer.lsp import findings as findings_module
from truthsayer.lsp.findings import Findings
from truthsayer.lsp.parts import MOST_SHARED, Part, part_at, parts, scenario_starts

FILE = "a.scenario"
LIBRARY = [text for _, text in library_texts("uprising") if text.count("\n") < 120]


def by_parts(findings: Findings, text: str) -> list[Problem]:
    """What reading by parts finds."""
    found = parts(text.split("\n"))
    for _ in findings.read(found):
        pass
    return findings.problems(found)


def whole(text: str) -> list[Problem]:
    """What reading the whole file finds."""
    scenarios, problems = read(FILE, text)
    seen: dict[str, Place] = {}
    return problems + [each for scenario in scenarios for each in duplicate(scenario, seen)]


def in_order(problems: list[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda each: (each.line, each.column, each.code))


@st.composite
def edited_files(draw: st.DrawFn) -> list[str]:
    """A file made of files of the library, and what becomes of it by some edits of lines."""
    files = draw(st.lists(st.sampled_from(LIBRARY), min_size=1, max_size=3))
    lines = "\n".join(files).split("\n")
    versions = ["\n".join(lines)]
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        kind = draw(st.sampled_from(["drop", "double", "break", "remark", "blank", "scenario"]))
        new = {
            "drop": [],
            "double": [lines[at], lines[at]],
            "break": [lines[at][:7] + "x" + lines[at][7:]],
            "remark": ["# a remark", lines[at]],
            "blank": ["", lines[at]],
            "scenario": ['scenario "another"', lines[at]],
        }[kind]
        lines[at : at + 1] = new
        lines = lines or [""]
        versions.append("\n".join(lines))
    return versions


@given(edited_files())
@settings(max_examples=40)
def test_parts_find_what_the_whole_file_does_through_all_edits(versions: list[str]) -> None:
    findings = Findings(FILE)
    for text in versions:
        assert in_order(by_parts(findings, text)) == in_order(whole(text))


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", "# nothing", "given Abby has 1 spice\n", f"cites UPR-WALL-003\n{HOLDS}"],
    ids=["empty", "blank", "a remark", "no scenario", "a line before the first"],
)
def test_files_that_do_not_begin_with_a_scenario_are_read_alike(text: str) -> None:
    assert in_order(by_parts(Findings(FILE), text)) == in_order(whole(text))


def test_a_name_that_is_misspelt_more_than_once_is_told_with_lines_of_the_file() -> None:
    text = f"{OWN_CARD}\n{HOLDS.replace('John has', 'Jon has')}"
    shown = by_parts(Findings(FILE), text)
    assert shown
    assert in_order(shown) == in_order(whole(text))


def test_only_what_changed_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []

    def counting(file: str, text: str) -> object:
        texts.append(text)
        return read_each(file, text)

    monkeypatch.setattr(findings_module, "read_each", counting)
    findings = Findings(FILE)
    by_parts(findings, f"{HOLDS}\n{OWN_CARD}\n{FOR_ANY}")
    assert len(texts) == 3
    by_parts(findings, f"# moved\n\n{HOLDS}\n{OWN_CARD}\n{FOR_ANY}")
    assert len(texts) == 3
    by_parts(findings, f"# moved\n\n{HOLDS}\n{OWN_CARD}x\n{FOR_ANY}")
    assert len(texts) == 4
    by_parts(findings, f"game uprising with A, B, C\n{HOLDS}\n{OWN_CARD}x\n{FOR_ANY}")
    assert len(texts) == 7, "what stands before the first scenario belongs to every part"


def test_results_move_with_their_scenario_and_go_with_a_change() -> None:
    failing = HOLDS.replace("1 spice", "2 spice")
    findings = Findings(FILE)
    before = parts(failing.split("\n"))
    list(findings.read(before))
    (part,) = findings.to_run(before, proofs=False)
    results = check(FILE, findings.text_to_run(part))
    findings.ran(part, tuple(each for result in results for each in result.problems))
    assert findings.to_run(before, proofs=False) == []
    (shown,) = by_parts(findings, failing)
    (moved,) = by_parts(findings, f"\n\n{failing}")
    assert moved.line == shown.line + 2
    assert by_parts(findings, HOLDS) == []
    assert by_parts(findings, failing) == [], "a text that was gone is run again"


def test_a_proof_is_for_the_place_where_it_was_made() -> None:
    findings = Findings(FILE)
    here, below = parts(FOR_ANY.split("\n")), parts(f"\n{FOR_ANY}".split("\n"))
    list(findings.read(here))
    assert findings.to_run(here, proofs=False) == []
    (part,) = findings.to_run(here, proofs=True)
    findings.ran(part, ())
    list(findings.read(below))
    (moved,) = findings.to_run(below, proofs=True)
    assert findings.text_to_run(moved) == f"\n{FOR_ANY}"


def test_a_defect_of_ours_is_told_and_not_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: str) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(findings_module, "read_each", broken)
    (shown,) = by_parts(Findings(FILE), HOLDS)
    assert shown.code == "TS0190"


# Parts


def test_a_scenario_whose_first_word_is_misspelt_is_a_part() -> None:
    lines = ['scenario "One"', "# scenaro", "", "cites UPR-WALL-003", ' Scenaro "Two"', "senario"]
    assert scenario_starts(lines) == [0, 4, 5]


def test_a_part_has_the_lines_that_all_share_without_remarks() -> None:
    lines = ["# x", "tags a", "", 'scenario "1"', "id A", 'scenario "2"', "id B"]
    first, second = parts(lines)
    assert first == Part(((1, "tags a"),), ('scenario "1"', "id A"), 3)
    assert second.text == 'tags a\nscenario "2"\nid B'
    assert second.text_in_place.split("\n") == ["", "tags a", "", "", "", 'scenario "2"', "id B"]
    assert [second.in_file(line) for line in (1, 2, 3)] == [2, 6, 7]
    assert part_at(lines, 4) == first
    assert part_at(lines, 1) == first
    assert part_at(lines, 6) == second


def test_a_file_that_shares_too_much_is_one_part() -> None:
    shared, scenarios = "tags " + "a" * 99_995, ['scenario "x"'] * (MOST_SHARED // 100_000 + 1)
    assert len(parts([shared, *scenarios])) == 1
    assert len(parts([shared, *scenarios[:3]])) == 3
