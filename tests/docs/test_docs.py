"""Every block of the manual is run or compared with what was run; a planted fault is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.blocks import blocks_of, prints
from tests.docs.checking import NEITHER, ROOT, check_page, pages


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_block_of_the_page_is_true(page: Path) -> None:
    checked = check_page(page)
    assert checked.problems == []
    assert checked.counts[NEITHER] == 0


HOLDS = """\
scenario "A Dagger gives a sword"
game uprising with John, Abby, Ned
given Abby has hand "Dagger"
when Abby reveals
then Abby has 1 sword
"""
FAILS = HOLDS.replace("1 sword", "2 swords")
PASSES = "$ truthsayer check one.scenario\n✓ one.scenario: 1 scenario\n"
TOTAL = "1 scenario, 1 passed, 0 failed, 0 errors\n"
CARD = '[[card]]\nid = "trial_ride"\nname = "Trial Ride"\nagent = ["gain 2 spice"]\n'
RULING = """\
[[ruling]]
id = "trial"
question = "Who goes first?"
values = ["one", "other"]
says = ["this one", "the other"]
authority = "convention"
rules = ["UPR-WALL-003"]
"""
RULE = (
    '{"id": "UPR-WALL-999", "title": "T", "statement": "S.", "book": "B", "section": "S", '
    '"kind": "restriction", "products": ["uprising"], "check": "scenario"}\n'
)


def problems(tmp_path: Path, *blocks: tuple[str, str]) -> list[str]:
    """What is reported of a page with these blocks."""
    page = tmp_path / "page.md"
    text = "".join(f"Words.\n\n```{word}\n{text}```\n\n" for word, text in blocks)
    page.write_text(text, "utf-8")
    return check_page(page, tmp_path).problems


FILE = ("scenario", f"# one.scenario\n{HOLDS}")
ASKED = '→ {"id": 1,\n   "calls": [{"call": "describe"}]}\n'


@pytest.mark.parametrize(
    "blocks",
    [
        [("scenario", HOLDS)],
        [FILE, ("console", PASSES + TOTAL)],
        [FILE, ("console", "$ truthsayer check one.scenario\n…\n" + TOTAL)],
        [FILE, ("console", f"$ cat one.scenario\n# one.scenario\n{HOLDS}$ echo $?\n0\n")],
        [("python", "print(1 + 1)\n"), ("text", "2\n")],
        [("effect", "gain 2 spice\nrecruit 1 troop\n")],
        [("toml", CARD)],
        [("toml", RULING)],
        [("json", RULE)],
        [("jsonl", ASKED + '← {"id": 1, "answers": [{"answer": "described", …}]}\n')],
        [FILE, ("yaml", "script:\n  - truthsayer check one.scenario\n")],
    ],
)
def test_a_page_without_a_fault_is_good(blocks: list[tuple[str, str]], tmp_path: Path) -> None:
    assert problems(tmp_path, *blocks) == []


@pytest.mark.parametrize(
    ("blocks", "reported"),
    [
        ([("scenario", FAILS)], "page.md:3: line 8: TS0120"),
        ([("scenario", "# nothing\n")], "page.md:3: line 4: TS0106"),
        ([FILE, ("console", PASSES + "2 scenarios\n")], "page.md:14: it shows"),
        ([FILE, ("console", PASSES)], "page.md:14: it shows"),
        ([FILE], "page.md:3: no command uses this file"),
        ([FILE, FILE, ("console", PASSES + TOTAL)], "page.md:3: no command uses this file before"),
        ([("console", "$ rm -r folder\n")], "no way to run `rm`"),
        ([("", "text\n")], "nothing checks a block of ``"),
        ([("sh", "make test\n")], "nothing checks a block of `sh`"),
        ([("text", "2\n")], "nothing checks a block of `text`"),
        ([("ini", "[pytest]\n")], "nothing checks a block of `ini`"),
        ([("python", "print(1)\n"), ("text", "2\n")], "page.md:9: it shows"),
        ([("python", "raise SystemExit(1)\n")], "the program fails"),
        ([("effect", "gain spice\n")], "cannot read the effect `gain spice`"),
        ([("toml", CARD.replace("gain 2 spice", "gain spice"))], "cannot read the effect"),
        ([("toml", CARD.replace("trial_ride", "dagger"))], "the id `dagger` is taken"),
        ([("toml", CARD.replace("[[card]]", "[[chair]]"))], "nothing reads `chair`"),
        ([("toml", RULING.replace("UPR-WALL-003", "UPR-WALL-999"))], "no rule `UPR-WALL-999`"),
        ([("json", RULE.replace("WALL-999", "WALL-003"))], "the id `UPR-WALL-003` is taken"),
        ([("json", RULE.replace('"book": "B", ', ""))], "missing required field `book`"),
        ([("jsonl", ASKED + '← {"id": 1, "answers": []}\n')], "page.md:3: it shows"),
        ([("yaml", "a: [\n")], "while parsing"),
        ([("yaml", "script:\n  - truthsayer chek\n")], "`truthsayer chek` ends with 2"),
    ],
)
def test_a_planted_fault_is_reported(
    blocks: list[tuple[str, str]], reported: str, tmp_path: Path
) -> None:
    (problem,) = problems(tmp_path, *blocks)
    assert reported in problem


def test_left_out_lines_stand_for_any_number_of_lines_and_no_others() -> None:
    assert prints("a\n…\nb\n", "a\nb\n")
    assert prints("a\n…\nb\n", "a\n1\n2\nb\n")
    assert prints("1 passed in …s\n", "1 passed in 0.02s\n")
    assert not prints("a\n…\nb\n", "a\n1\n")
    assert not prints("a\n", "a\nb\n")
    assert not prints("1 … 3\n", "1\n2 3\n")


def test_a_directive_is_no_block_and_everything_else_is(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    fenced = "```{toctree}\nx\n```\n\n~~~python\nx\n~~~\n\n````text\n```\n````\n"
    inner = "\n1. one\n\n   ```toml\n   a = 1\n   ```\n\nWords.\n\n    indented\n"
    page.write_text(fenced + inner, "utf-8")
    found = [(each.line, each.word, each.text) for each in blocks_of(page, "page.md")]
    assert found == [
        (5, "python", "x\n"),
        (9, "text", "```\n"),
        (15, "toml", "a = 1\n"),
        (21, "", "indented\n"),
    ]
