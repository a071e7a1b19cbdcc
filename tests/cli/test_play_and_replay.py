"""`play` and `replay`: a game told in words, its log, and what becomes of it after `kill -9`."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from rules_engine.imperium.frames import Turn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game
from rules_engine.imperium.state import Config
from rules_engine.kernel.errors import Place, TruthsayerError
from rules_engine.kernel.records import change
from rules_engine.kernel.replay import read_log, start_log
from rules_engine.kernel.replay import replay as replay_log
from rules_engine.kernel.rulings import Rulings
from truthsayer.cli.group import PACKAGES
from truthsayer.cli.play import catalogue_digest, engine_version, play
from truthsayer.cli.replay import replay

ROOT = Path(__file__).parents[2]

TWO = ("--leader", "lady_jessica", "--leader", "Muad'Dib")
"""Leaders for the last two of three players."""


def output(*arguments: str) -> str:
    """What `play` prints."""
    result = CliRunner().invoke(play, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def error(command: object, *arguments: str) -> TruthsayerError:
    """The error that a command raises, for the group to print."""
    with pytest.raises(TruthsayerError) as raised:
        CliRunner().invoke(command, arguments, catch_exceptions=False)  # type: ignore[arg-type]
    assert raised.value.help
    return raised.value


def replayed(path: Path, *options: str) -> list[str]:
    """What `replay` prints about a log."""
    result = CliRunner().invoke(replay, [*options, str(path)], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output.splitlines()


def test_play_says_first_who_plays_and_last_who_won() -> None:
    lines = output("--players", "3", "--seed", "4", "--leader", "Gurney Halleck", *TWO).splitlines()
    assert lines[0].startswith("Uprising without the CHOAM module: Paul (Gurney Halleck), Jessica")
    assert "Objective" in lines[1]
    assert lines[-1].startswith("The game is over after round")


def test_play_uses_the_module_the_leaders_and_the_rulings_it_is_told() -> None:
    lines = output("--choam", "--promos", "--ruling", "plot_window=after_card").splitlines()
    assert lines[0].startswith("Uprising with the CHOAM module")
    assert any("contract" in line for line in lines)


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--ruling", "plot_window"), "TS0716", "NAME=VALUE"),
        (("--ruling", "plot_windw=whole_turn"), "TS0202", "plot_window"),
        (("--ruling", "plot_window=never"), "TS0202", "whole_turn"),
        (("--leader", "Gurney Halleck"), "TS0205", "one Leader for each player"),
        (("--players", "3", "--leader", "Gurney", *TWO), "TS0205", "gurney_halleck"),
        (("--players", "3", "--leader", "Lady Jessica", *TWO), "TS0205", "lady_jessica"),
        (("--players", "3", "--leader", "Shaddam Corrino IV", *TWO), "TS0205", "gurney_halleck"),
        (("--players", "3", "--leader", "Reverend Mother Jessica", *TWO), "TS0205", "gurney"),
    ],
)
def test_a_game_that_cannot_be_set_up_is_refused(
    arguments: tuple[str, ...], code: str, told: str
) -> None:
    found = error(play, *arguments)
    assert found.code == code
    assert told in found.help


def test_a_seed_is_a_game() -> None:
    assert output("--seed", "1") == output("--seed", "1")
    assert output("--seed", "1") != output("--seed", "2")


def test_replay_says_where_a_whole_log_ends(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    told = output("--players", "3", "--log", str(log)).splitlines()
    lines = replayed(log)
    inputs = len(read_log(log).entries)
    assert told[-1] == f"{inputs} inputs are in {log}"
    assert any(line.startswith(f"{inputs} inputs replayed") for line in lines)
    assert told[-2] in lines
    assert not any("torn" in line for line in lines)


def test_replay_says_that_a_log_is_torn_and_where_it_ends(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    output("--log", str(log))
    whole = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(whole[:150]) + whole[150][:9])
    lines = replayed(log)
    assert any("torn" in line for line in lines)
    assert any(line.startswith("149 inputs replayed") for line in lines)
    assert any(line.startswith("it ends in round") for line in lines)


def test_replay_tells_the_game_round_by_round_with_its_rules(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    output("--players", "3", "--seed", "2", "--log", str(log))
    lines = replayed(log)
    rounds = [line for line in lines if line.startswith("Round ")]
    assert rounds == [f"Round {number}" for number in range(1, len(rounds) + 1)]
    assert len(rounds) >= 5
    told = [line for line in lines if line.startswith("  ")]
    assert len(told) > 300
    rule = r"[A-Z]+-[A-Z]+-[0-9]{3}"
    assert all(re.search(rf"  \[{rule}(, {rule})*\]$", line) for line in told)
    brief = replayed(log, "--brief")
    assert brief == lines[-len(brief) :]
    assert len(brief) == 5


@pytest.mark.parametrize("changed", ["catalogue_digest", "engine_version"])
def test_a_log_of_another_version_is_refused_unless_one_insists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    log = tmp_path / "game.log"
    output("--log", str(log))
    monkeypatch.setattr(f"truthsayer.cli.replay.{changed}", lambda *_: "another")
    found = error(replay, str(log))
    assert found.code == "TS0605"
    assert found.place == Place(str(log), 1)
    assert "--anyway" in found.help
    assert any("inputs replayed" in line for line in replayed(log, "--anyway"))


@pytest.mark.parametrize(("players", "waits"), [("1", "Rivals"), ("2", "Rivals"), ("6", "six")])
def test_other_tables_wait_for_their_rules(players: str, waits: str, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    found = error(play, "--players", players, "--log", str(log))
    assert found.code == "TS0204"
    assert players in found.message
    assert waits in found.help
    assert not log.exists()


@pytest.mark.parametrize("players", ["0", "5", "-3"])
def test_no_game_is_for_so_many(players: str) -> None:
    assert error(play, "--players", players).code == "TS0204"


def test_a_number_changed_in_a_rule_changes_the_fingerprints(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    output("--players", "3", "--log", str(log))
    for package in (*PACKAGES, "truthsayer"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    rule = tmp_path / "rules_engine" / "imperium" / "strength.py"
    source = rule.read_text("utf-8")
    assert source.count("TROOP = 2") == 1
    rule.write_text(source.replace("TROOP = 2", "TROOP = 3"), "utf-8")
    start = "import sys; sys.path.insert(0, sys.argv.pop(1)); import truthsayer.cli as c; c.main()"
    done = subprocess.run(
        [sys.executable, "-I", "-c", start, str(tmp_path), "replay", str(log)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "TS0606" in done.stderr


def test_an_unknown_product_is_an_error() -> None:
    found = error(play, "--product", "monopoly")
    assert found.code == "TS0712"
    assert "uprising" in found.help


def test_a_log_is_never_overwritten(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    log.write_text("mine\n", encoding="utf-8")
    assert error(play, "--log", str(log)).code == "TS0607"
    assert log.read_text(encoding="utf-8") == "mine\n"


def test_a_log_needs_a_folder(tmp_path: Path) -> None:
    assert error(play, "--log", str(tmp_path / "none" / "game.log")).code == "TS0601"


def test_replay_of_something_else_is_an_error(tmp_path: Path) -> None:
    assert error(replay, str(tmp_path)).code == "TS0601"
    assert error(replay, str(tmp_path / "none")).code == "TS0601"


def start_of(log: Path, **changed: object) -> None:
    """Write a log that only has a start, changed in something but whole."""
    state = change(new_game("uprising", ("Paul", "Jessica", "Leto"), Rulings()), **changed)
    digest = catalogue_digest("uprising")
    start_log(IMPERIUM, log, state, engine=engine_version(), catalogue=digest).close()


def test_replay_of_a_product_that_is_none_is_an_error(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    start_of(log, config=Config("monopoly", 3, Rulings()))
    found = error(replay, str(log))
    assert (found.code, found.place) == ("TS0606", Place(str(log), 1))
    assert "no product `monopoly`" in found.message


def test_replay_of_a_position_that_is_none_is_an_error(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    start_of(log, pending=(Turn(9),))
    assert error(replay, str(log)).code == "TS0606"
    ended = tmp_path / "ended.log"
    start_of(ended, pending=(), winners=(9,))
    assert error(replay, str(ended)).code == "TS0606"


@pytest.mark.skipif(sys.platform != "linux", reason="the size of a pipe is set as Linux does")
@pytest.mark.parametrize("records", [1, 5, 60])
def test_kill_9_loses_nothing_that_was_recorded(tmp_path: Path, records: int) -> None:
    log = tmp_path / "game.log"
    reading, writing = os.pipe()
    # Nobody reads, so the game stops at a full pipe at the latest and is there to be killed.
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    command = "from truthsayer.cli.play import play; play()"
    game = subprocess.Popen(
        [sys.executable, "-c", command, "--log", str(log)],
        cwd=ROOT,
        stdout=writing,
        stderr=subprocess.DEVNULL,
    )
    try:
        seen = _wait_for(log, records, game)
    finally:
        game.send_signal(signal.SIGKILL)
        game.wait()
        os.close(reading)
        os.close(writing)
    assert game.returncode == -signal.SIGKILL
    found = replay_log(IMPERIUM, read_log(log))
    assert 1 + len(found.inputs) >= seen >= records
    assert found.state.pending
    assert any(f"{len(found.inputs)} inputs replayed" in line for line in replayed(log))


def _wait_for(log: Path, records: int, game: subprocess.Popen[bytes]) -> int:
    """Wait until the log has so many whole records; how many there are."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and game.poll() is None:
        seen = log.read_bytes().count(b"\n") if log.exists() else 0
        if seen >= records:
            return seen
        time.sleep(0.002)
    pytest.fail("the game wrote no log")
