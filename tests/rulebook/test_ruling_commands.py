"""`truthsayer rulings` and `truthsayer rules` show rulings of every kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rules_engine.rulebook.rulings import no_choices, rulings, settled
from truthsayer.cli import main

SCENARIO = """\
scenario "Nobody joins the own Agent"
cites UPR-SPY-013
tags own_agent_blocks, gather_once

game uprising with John, Abby, Ned
given John has an agent at Imperial Basin
then John has 1 agent
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="truthsayer")


def told(*arguments: str) -> Any:
    """What a command prints as JSON."""
    return json.loads(run(*arguments, "--json").stdout)


@pytest.fixture
def small_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library with one scenario that shows two settled rulings."""
    file = tmp_path / "uprising" / "small.scenario"
    file.parent.mkdir()
    file.write_text(SCENARIO, encoding="utf-8")
    monkeypatch.setattr("truthsayer.cli.files.LIBRARY", tmp_path)
    monkeypatch.chdir(tmp_path)


def test_settled_rulings_are_listed_apart() -> None:
    listed = run("rulings", "--settled")
    assert listed.exit_code == 0
    shown = set(listed.stdout.splitlines())
    assert shown >= settled().keys() | no_choices().keys()
    assert not shown & rulings().keys()
    assert listed.stdout.endswith(
        f"{len(settled())} settled rulings, {len(no_choices())} open points without a choice\n"
    )
    found = told("rulings", "--settled")
    assert {each["id"]: each["answer"] for each in found["settled"]} == {
        name: each.answer for name, each in settled().items()
    }
    assert {each["id"] for each in found["no_choice"]} == no_choices().keys()


def test_a_settled_ruling_is_shown_with_its_answer_and_what_it_affects() -> None:
    shown = run("rulings", "chani_units").stdout
    assert "    settled: The own troops and sandworms in the Conflict when" in shown
    assert "\n  authority: convention\n  affects: chani_clever_tactician\n  rules: UPR-" in shown
    assert "\n  waits for: rivals\n" in run("rulings", "rival_contracts").stdout


def test_an_open_point_without_a_choice_is_shown_with_its_reason() -> None:
    assert (
        "    no choice: They touch nobody but their owner" in run("rulings", "endgame_order").stdout
    )


@pytest.mark.usefixtures("small_library")
@pytest.mark.parametrize(("name", "scenarios"), [("gather_once", 1), ("arrow_once", 0)])
def test_a_settled_ruling_is_shown_with_the_scenarios_that_have_its_tag(
    name: str, scenarios: int
) -> None:
    assert len(told("rulings", name)["scenarios"]) == scenarios


def test_a_name_and_a_list_are_not_asked_for_at_once() -> None:
    result = run("rulings", "gather_once", "--settled")
    assert result.exit_code == 2
    assert "give a NAME or --settled, not both" in result.stderr


def test_a_misspelt_settled_ruling_is_recognised() -> None:
    assert "did you mean `gather_once`?" in run("rulings", "gather_onc").stderr


def test_a_rule_is_shown_with_its_rulings_of_every_kind() -> None:
    spy = run("rules", "UPR-SPY-005").stdout
    assert "\n  rulings:\n    recall_first_counts: Does taking back a Spy" in spy
    assert "\n      yes (default): yes, it is a recall\n      no: no, it has no effect" in spy
    assert "\n    spy_empty_supply: What does the Spy icon do with no Spy in supply?\n" in spy
    assert "\n      settled: One own Spy may first be taken back;" in spy
    assert "\n      no choice: They touch nobody" in run("rules", "UPR-END-003").stdout
    assert "rulings:" not in run("rules", "UPR-WORM-002").stdout
