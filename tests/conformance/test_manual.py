"""The manual names every field, call, capability and outcome of the conformance kit."""

from __future__ import annotations

import contextlib
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from click.testing import CliRunner

from conformance import messages, results
from conformance.observing import FIELDS, PLAYER_FIELDS
from scenarios.imperium.features import FEATURES
from truthsayer.cli import main

DOCS = Path(__file__).parents[2] / "docs"
MANUAL = (DOCS / "conformance.md").read_text("utf-8")
TEMPLATES = sorted((DOCS / "ci").glob("*.yml"))


def first_cells(head: str) -> set[str]:
    """What stands in backticks in the first column of the tables under a heading or a line."""
    _, _, rest = MANUAL.partition(f"\n{head}\n")
    assert rest, head
    found: set[str] = set()
    for line in rest.splitlines():
        if found and not line.startswith("|"):
            break
        if line.startswith("|"):
            found |= set(re.findall(r"`([^`]+)`", line.split("|")[1]))
    return found


def names(union: Any) -> set[str]:
    """The words of the messages of a kind."""
    return {str(each.__struct_config__.tag) for each in get_args(union)}


def test_every_field_of_the_observation_is_told() -> None:
    assert first_cells("Of the table:") == {*FIELDS, "players"}
    assert first_cells("Of each player:") == set(PLAYER_FIELDS)


def test_every_call_and_every_answer_is_told() -> None:
    assert first_cells("## Calls") == names(messages.AnyCall)
    assert first_cells("## Answers") == names(messages.AnyAnswer)


def test_every_field_of_a_call_is_told() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|([^|]*)\|", MANUAL, re.MULTILINE))
    for each in (*get_args(messages.AnyCall), *get_args(messages.AnyAnswer)):
        if each is not messages.Described:
            told = re.findall(r"`(\w+)`", rows[str(each.__struct_config__.tag)])
            assert told == list(each.__struct_fields__)


def test_everything_that_an_adapter_says_of_itself_is_told() -> None:
    assert first_cells("## Describing yourself") == set(messages.Described.__struct_fields__)
    after = (
        "unsupported. The report says first how many rules were out of reach, and for want of what."
    )
    assert first_cells(after) == set(messages.CAPABILITIES)
    assert first_cells("| kind | is | a case needs those |") == set(FEATURES)
    assert first_cells("## Steps") == set(messages.STEPS)
    assert f"**`{messages.INJECT}`**" in MANUAL
    assert f"**`{messages.REPORT}`**" in MANUAL


def test_every_outcome_is_told() -> None:
    _, _, rest = MANUAL.partition("| outcome | means |\n")
    told = [line.split("|")[1].strip() for line in rest.split("\n\n")[0].splitlines()[1:]]
    others = (results.NOTHING, results.UNSUPPORTED, results.SKIPPED)
    known = (*results.GOOD, *results.BAD, *others)
    assert sorted(told) == sorted(known)


def test_every_option_is_told() -> None:
    shown = CliRunner().invoke(main, ["conform", "--help"]).output
    there_are = set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", shown, re.MULTILINE))
    told = set(re.findall(r"`(--[a-z-]+)", MANUAL.partition("| option |")[2].partition("\n\n")[0]))
    assert told == there_are - {"--help"}


# The templates for continuous integration


def runs(template: Path) -> Iterator[list[str]]:
    """The words of each command of ours in a template."""
    for line in _strings(yaml.safe_load(template.read_text("utf-8"))):
        if line.startswith("truthsayer "):
            yield shlex.split(line)


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from _strings(each)
        case list():
            for each in value:
                yield from _strings(each)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_a_template_runs_the_kit_with_options_that_there_are(template: Path) -> None:
    (words,) = runs(template)
    assert words[1] == "conform"
    given = {word for word in words[: words.index("--")] if word.startswith("--")}
    told = set(re.findall(r"`(--[a-z-]+)", MANUAL))
    assert {"--sarif", "--junit", "--html"} <= given <= told


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_a_template_keeps_every_report_that_is_written(template: Path) -> None:
    (words,) = runs(template)
    files = [word for word in words if word.startswith("conformance.")]
    text = template.read_text("utf-8")
    assert len(files) == 3
    assert all(text.count(file) >= 2 for file in files)


def test_there_is_a_template_for_github_and_one_for_gitlab() -> None:
    assert [path.name for path in TEMPLATES] == ["github.yml", "gitlab.yml"]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_a_strangers_project_is_tested_by_the_template(template: Path, tmp_path: Path) -> None:
    shutil.copytree(DOCS / "examples" / "node", tmp_path / "conformance")
    (words,) = runs(template)
    words[words.index("--budget") + 1] = "20"
    with contextlib.chdir(tmp_path):
        done = CliRunner().invoke(main, words[1:])
    assert done.exit_code == 0, done.output
    written = {file.name for file in tmp_path.iterdir()}
    assert {"conformance.sarif", "conformance.xml", "conformance.html"} <= written
