"""`truthsayer ask`: what is a question, what is a file, and what comes from standard input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from truthsayer.cli import main

ASKS = """\
scenario "Who wins?"
game uprising with John, Abby, Ned
given John has 10 victory points
ask who wins
"""


def run(*arguments: str, given: str | bytes = "") -> Result:
    return CliRunner().invoke(main, ["ask", *arguments], input=given, prog_name="truthsayer")


def test_a_question_needs_no_file() -> None:
    said = run("does the shield wall have to be removed?")
    assert said.exit_code == 0
    first, second, *_ = said.stdout.splitlines()
    assert first == "ruling shield_wall_optional"
    assert second.endswith("?")
    assert "UPR-WALL-004  Detonation is optional" in said.stdout
    assert "  source: Uprising rulebook" in said.stdout


def test_the_same_as_data() -> None:
    found = json.loads(run("can I ride a worm into Arrakeen?", "--json").stdout)
    assert set(found) == {"question", "answers", "printed", "scenarios"}
    assert found["question"] == "can I ride a worm into Arrakeen?"
    assert {kind for answer in found["answers"] for kind in answer} == {"rule", "ruling"}
    assert found["printed"] == [{"kind": "spaces", "id": "arrakeen", "name": "Arrakeen"}]
    assert set(found["scenarios"][0]) == {"title", "file", "line"}


def test_an_open_point_is_shown_with_its_readings() -> None:
    said = run("when is the first moment of a turn for a plot card", "--most", "1").stdout
    assert said.startswith("ruling plot_window\n")
    assert "    whole_turn (default): " in said
    assert "    after_card: " in said


def test_a_scenario_is_read_from_the_standard_input() -> None:
    said = run("-", given=ASKS)
    assert said.exit_code == 0
    assert "  who wins\n" in said.stdout
    wrong = run("-", given=ASKS.replace("ask who", "ask wo"))
    assert wrong.exit_code == 2
    assert "standard input:4:" in wrong.stderr
    assert "TS0704" in run("-", given=b"\xff").stderr
    assert run("-").exit_code == 2


def test_a_file_of_any_name_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("who wins", "worm.scenario"):
        Path(name).write_text(ASKS, encoding="utf-8")
        assert "  who wins\n" in run(name).stdout
    assert "TS0703" in run("other.scenario").stderr


@pytest.mark.parametrize(
    "question",
    ["", " ", "/", ".scenari", "?" * 100, "\ud800", '"', "\n", "x" * 10_000, "a\0b", "--", "can I"],
)
def test_whatever_is_asked_ends_well(question: str) -> None:
    said = run("--", question)
    assert said.exit_code in (0, 1, 2)
    assert "TS0710" not in said.stderr
    assert "Traceback" not in said.output
