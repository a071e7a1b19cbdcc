"""The scenarios in the documentation run, and what it shows is what one sees."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from scenarios import check
from truthsayer.cli import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [
    pytest.param(block, id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(re.findall(r"```\n(.*?)```", page.read_text("utf-8"), re.DOTALL))
]


def blocks_beginning(start: str) -> list[str]:
    return [str(each.values[0]) for each in BLOCKS if str(each.values[0]).startswith(start)]


@pytest.mark.parametrize("block", blocks_beginning("scenario"))
def test_scenarios_in_the_documentation_hold(block: str) -> None:
    results = check("page.scenario", block)
    assert results
    assert [each.problems for each in results if not each.good] == []


def test_the_question_of_the_readme_gets_the_answer_it_shows(tmp_path: Path) -> None:
    (question,) = [block for block in blocks_beginning("scenario") if "\nask " in block]
    (shown,) = blocks_beginning("$ truthsayer ask")
    file = tmp_path / "worm.scenario"
    file.write_text(question, "utf-8")
    answer = CliRunner().invoke(main, ["ask", str(file)])
    assert shown.split("\n", 1)[1] == answer.output
