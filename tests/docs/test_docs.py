"""The scenarios in the documentation run, and what it shows is what one sees."""

from __future__ import annotations

import re
import shlex
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


FILES = {"worm.scenario": 'scenario "Can Abby ride', "abby.scenario": "# abby.scenario"}
"""The files that commands of the README use, and how the block that shows each begins."""

LOG = "game.log"
"""What `play` writes there and `replay` reads."""


@pytest.mark.parametrize("block", blocks_beginning("$ truthsayer"))
def test_commands_of_the_documentation_print_what_it_shows(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command, shown = block.split("\n", 1)
    arguments = shlex.split(command)[2:]
    for name, start in FILES.items():
        (text,) = blocks_beginning(start)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path if set(arguments) & {*FILES, LOG} else ROOT)
    if arguments[0] == "replay":
        (played,) = blocks_beginning("$ truthsayer play")
        CliRunner().invoke(main, shlex.split(played.split("\n", 1)[0])[2:])
    printed = CliRunner().invoke(main, arguments).output
    if "…\n" in shown:
        lines = iter(printed.splitlines())
        assert all(line in lines for line in shown.splitlines() if line != "…")
    else:
        assert printed == shown
