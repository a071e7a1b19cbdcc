"""`truthsayer soak`: what it prints, how it goes on after a stop, and what it refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rules_engine.imperium.soak import Settings, plan
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.game import Game
from rules_engine.kernel.outcomes import Step
from rules_engine.kernel.soak import Plan
from rules_engine.rulebook.never_cited import in_scope, reasons
from truthsayer.cli.soak import soak

TIMES = {"seconds", "games_per_second", "inputs_per_second"}


def result(*arguments: str) -> Result:
    """How the command ends."""
    return CliRunner().invoke(soak, arguments, catch_exceptions=False)


def report(*arguments: str) -> dict[str, Any]:
    """The report as JSON, without what differs from run to run."""
    ended = result("--json", *arguments)
    assert ended.exit_code == 0
    found = json.loads(ended.output)
    return {name: value for name, value in found.items() if name not in TIMES}


def refused(*arguments: str) -> TruthsayerError:
    """The error that the command raises, for the group to print."""
    with pytest.raises(TruthsayerError) as raised:
        result(*arguments)
    assert raised.value.help
    return raised.value


def test_it_says_what_was_played_and_what_was_checked() -> None:
    ended = result("--games", "2")
    assert ended.exit_code == 0
    assert ended.output.startswith("2 games of seed 1: every law held\n")
    for words in ("inputs a second", "for all laws (1 in 5000", "wins by seat", "the rarest"):
        assert words in " ".join(ended.output.split())


def test_every_rule_is_counted_or_listed_as_never_cited() -> None:
    found = report("--games", "1")
    cited = {*found["cited_in_games"], *found["cited_where_all_was_tried"]}
    assert set(found["never_cited"]) & cited == set()
    assert found["never_cited"]["UPR-MIX-002"] == reasons()["UPR-MIX-002"]
    assert "UPR-MIX-002" in result("--games", "1", "--rules").output


def test_reasons_are_for_rules_in_scope() -> None:
    assert set(reasons()) <= {rule.id for rule in in_scope()}


def test_only_a_number_of_players_is_played() -> None:
    kinds = report("--games", "3", "--first", "1", "--players", "3")["games_by_kind"]
    assert kinds["3 players"] == 3
    assert "4 players" not in kinds


# Going on


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    file = tmp_path / "soak.jsonl"
    report("--games", "1", "--resume", str(file))
    whole = report("--games", "2")
    assert report("--games", "2", "--resume", str(file)) == whole
    assert report("--games", "2", "--resume", str(file)) == whole


def test_a_line_that_was_never_finished_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "soak.jsonl"
    whole = report("--games", "1", "--resume", str(file))
    with file.open("ab") as more:
        more.write(b'{"check":"00')
    assert report("--games", "1", "--resume", str(file)) == whole


@pytest.mark.parametrize("line", [1, 2])
def test_a_damaged_file_is_refused_with_the_place(line: int, tmp_path: Path) -> None:
    file = tmp_path / "soak.jsonl"
    report("--games", "1", "--resume", str(file))
    lines = file.read_bytes().splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace(b"1", b"2", 1)
    file.write_bytes(b"".join(lines))
    error = refused("--games", "2", "--resume", str(file))
    assert error.code == "TS0608"
    assert error.place is not None
    assert (error.place.file, error.place.line) == (str(file), line)


@pytest.mark.parametrize("text", [b"not a soak\n", b"{}\n", b"\xff\n", b"[" * 9999 + b"\n"])
def test_a_file_that_is_none_is_refused(text: bytes, tmp_path: Path) -> None:
    file = tmp_path / "soak.jsonl"
    file.write_bytes(text)
    assert refused("--resume", str(file)).code == "TS0608"
    assert file.read_bytes() == text


def test_a_file_of_another_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "soak.jsonl"
    report("--games", "1", "--resume", str(file))
    assert refused("--seed", "2", "--resume", str(file)).code == "TS0609"
    assert refused("--players", "3", "--resume", str(file)).code == "TS0609"


# Bad input


@pytest.mark.parametrize("players", ["1", "2", "5", "-3"])
def test_three_or_four_play(players: str) -> None:
    assert refused("--players", players).code == "TS0711"


@pytest.mark.parametrize("option", ["--games", "--processes", "--every"])
@pytest.mark.parametrize("value", ["0", "-1", "many"])
def test_a_number_that_is_none_is_refused(option: str, value: str) -> None:
    assert result(option, value).exit_code == 2


def test_a_file_where_a_folder_should_be_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "taken"
    file.write_text("mine", encoding="utf-8")
    assert refused("--log", str(file)).code == "TS0601"
    assert refused("--resume", str(tmp_path)).code == "TS0601"


# Failures


def failing(settings: Settings) -> Plan:
    """A plan in which every step fails that a player takes."""
    true = plan(settings)
    rules = {kind: replace(each, apply=broken) for kind, each in true.game.frames.items()}
    game: Game = replace(true.game, frames=rules)
    return replace(true, game=game)


def broken(*_: object) -> Step[Any]:
    """Nothing works."""
    raise ValueError("planted")


def test_a_failure_is_reported_with_the_way_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("truthsayer.cli.soak.plan", failing)
    ended = result("--games", "2", "--seed", "9", "--log", str(tmp_path))
    assert ended.exit_code == 1
    assert "2 games of seed 9: 2 failures" in ended.output
    assert "seed 9, game 1, after 0 inputs: the_engine_does_not_fail" in ended.output
    assert f"truthsayer replay {tmp_path / 'soak-9-1.log'}" in ended.output
    assert (tmp_path / "soak-9-1.log").exists()


def test_without_a_folder_the_way_to_a_log_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truthsayer.cli.soak.plan", failing)
    output = result("--games", "1", "--first", "4", "--players", "3").output
    assert "truthsayer soak --seed 1 --players 3 --every 5000 --first 4 --games 1 --log" in output
