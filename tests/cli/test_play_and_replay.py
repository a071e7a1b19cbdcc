"""`play` and `replay`: a game told in words, its log, and what becomes of it after `kill -9`."""

from __future__ import annotations

import fcntl
import os
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
from truthsayer.cli.play import play
from truthsayer.cli.replay import replay

ROOT = Path(__file__).parents[2]


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


def replayed(path: Path) -> list[str]:
    """What `replay` prints about a log."""
    result = CliRunner().invoke(replay, [str(path)], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output.splitlines()


def test_play_says_first_that_it_is_a_slice_and_last_who_won() -> None:
    lines = output("--players", "3", "--seed", "4").splitlines()
    assert "slice" in lines[0]
    assert "not the whole game" in lines[0]
    assert "Objective" in lines[1]
    assert lines[-1].startswith("The game is over after round")


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


def test_replay_says_that_cards_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "game.log"
    output("--log", str(log))
    assert not any("changed" in line for line in replayed(log))
    monkeypatch.setattr("truthsayer.cli.replay.catalogue_digest", lambda _: "another")
    assert any("changed" in line for line in replayed(log))


@pytest.mark.parametrize("players", ["0", "2", "5", "-3"])
def test_the_slice_is_for_three_or_four(players: str, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    found = error(play, "--players", players, "--log", str(log))
    assert found.code == "TS0711"
    assert f"`{players}`" in found.message
    assert not log.exists()


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
    start_log(IMPERIUM, log, state, engine="1", catalogue="").close()


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
