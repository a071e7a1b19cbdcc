"""Whatever happens, a person is told in words: strange packages, our own defects, bad ports."""

from __future__ import annotations

import errno
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.run import cannot_listen
from tests.server.running import ROOT, server_process
from truthsayer.cli import main
from truthsayer.cli.group import PACKAGES, foreign


def truthsayer(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own; Python looks for packages in the folder first."""
    return subprocess.run(
        [sys.executable, "-m", "truthsayer", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("name", PACKAGES)
def test_our_packages_are_ours(name: str) -> None:
    assert foreign(name) == ""


def test_a_strange_package_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "__init__.py").write_text("raise SystemExit('wrong one')")
    done = truthsayer("rules", "UPR-WALL-003", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("TS0701: the package `server` is not Truthsayer's")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_missing_package_is_told(tmp_path: Path) -> None:
    assert "(found: nowhere)" in foreign("no_such_package", tmp_path)


def broken(_: object) -> object:
    raise ZeroDivisionError("a defect")


def test_a_defect_is_one_line_with_an_id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.answers.rules.get_rule", broken)
    result = CliRunner().invoke(main, ["rules", "UPR-WALL-003"])
    assert result.exit_code == 2
    assert result.stderr.startswith("TS0710: unexpected fault ")
    assert "please report" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_defect_shows_its_traceback_if_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.answers.rules.get_rule", broken)
    result = CliRunner().invoke(main, ["rules", "UPR-WALL-003"], env={"TRUTHSAYER_DEBUG": "1"})
    assert result.exit_code == 2
    assert "ZeroDivisionError: a defect" in result.stderr


def test_a_terminal_without_unicode_is_no_reason_to_crash(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    (tmp_path / "a.scenario").write_text("", encoding="utf-8")
    done = truthsayer("check", str(tmp_path))
    assert done.returncode == 2
    assert done.stdout.startswith("? ")


def in_shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which `truthsayer` is our command."""
    command = f"{shlex.quote(sys.executable)} -m truthsayer"
    return subprocess.run(
        ["sh", "-c", line.replace("truthsayer", command)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_stream_is_no_reason_to_crash(closed: str, tmp_path: Path) -> None:
    (tmp_path / "a.scenario").write_text("", encoding="utf-8")
    checked = in_shell(f"truthsayer check {shlex.quote(str(tmp_path))} {closed}")
    assert checked.returncode == 2
    assert checked.stderr == ""
    assert ("TS0106" in checked.stdout) == (closed == "2>&-")
    assert in_shell(f"truthsayer rules UPR-WALL-003 {closed}").returncode == 0


def test_a_closed_standard_input_lists_no_path() -> None:
    done = in_shell("truthsayer check --files-from - <&-")
    assert done.returncode == 2
    assert done.stderr.startswith("TS0702: no path in standard input")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("command", ["rules UPR-WALL-003", "--help", "--version", "rules --help"])
def test_output_that_is_not_taken_is_told(command: str) -> None:
    done = in_shell(f"truthsayer {command} > /dev/full")
    assert done.returncode == 2
    assert done.stderr.startswith("TS0713: cannot write the output: no space left on device\n")
    assert done.stderr.count("\n") == 2
    silent = in_shell(f"truthsayer {command} > /dev/full 2>&1")
    assert (silent.returncode, silent.stdout, silent.stderr) == (2, "", "")


def test_a_reader_that_has_gone_is_no_error() -> None:
    done = in_shell("truthsayer rules | head -n 1")
    assert done.stderr == ""


@pytest.mark.parametrize("module", ["click", "google"])
def test_ctrl_c_while_loading_is_quiet(module: str, tmp_path: Path) -> None:
    (tmp_path / f"{module}.py").write_text("raise KeyboardInterrupt")
    done = truthsayer("rules", "UPR-WALL-003", folder=tmp_path)
    assert done.returncode == 130
    assert done.stderr in ("", "stopped\n")


@pytest.mark.parametrize("listen", ["nonsense", "127.0.0.1", "127.0.0.1:99999", ":1"])
def test_an_address_that_is_none_is_told(listen: str) -> None:
    result = CliRunner().invoke(main, ["serve", "--listen", listen])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"TS0706: `{listen}` is not HOST:PORT")


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_host_of_another_machine_is_told(processes: str) -> None:
    # An address for documentation: no machine has it.
    done = truthsayer("serve", "--listen", "192.0.2.1:50051", "--processes", processes)
    assert done.returncode == 2
    message, help = done.stderr.splitlines()
    assert message.startswith("TS0706: cannot listen on `192.0.2.1:50051`: cannot assign")
    assert help.startswith("  help: see that the host is one of this machine's")


def test_a_port_that_is_not_for_everybody_is_told() -> None:
    told = cannot_listen("127.0.0.1:80", PermissionError(errno.EACCES, "Permission denied"))
    assert told.message == "cannot listen on `127.0.0.1:80`: permission denied"
    assert "below 1024" in told.help


def test_a_port_in_use_is_told() -> None:
    with server_process("-m", "truthsayer", "serve", "--listen", "127.0.0.1:0") as (
        server,
        address,
    ):
        second = truthsayer("serve", "--listen", address)
        assert second.returncode == 2
        assert second.stderr == (
            f"TS0706: cannot listen on `{address}`: address already in use\n"
            "  help: another program has the port: try another, or 0 for any that is free\n"
        )
        server.terminate()
        assert server.stdout is not None
        assert "Ctrl-C stops it.\nstopped\n" in server.stdout.read()
        assert server.wait(timeout=15) == 0
