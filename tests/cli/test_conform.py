"""`truthsayer conform`: what it prints and writes, how it goes on, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from conformance.adapters.reference import Adapter
from conformance.adapters.serving import serve
from conformance.pipe import MARK
from rules_engine.kernel.errors import TruthsayerError
from tests.conformance.hostile import LONG
from truthsayer.cli import main
from truthsayer.cli.conform import conform

ROOT = Path(__file__).parents[2]
HOSTILE = ROOT / "tests" / "conformance" / "hostile.py"
OURS = (sys.executable, "-m", "conformance.adapters.reference")

SWORD = """\
scenario "A Dagger gives a sword"
cites UPR-STR-006
tags swords
game uprising with John, Abby, Ned
given Abby has hand "Dagger"
when Abby reveals
then Abby has 1 sword
"""
WATER = """\
scenario "Nobody thirsts"
cites UPR-MAKER-003
game uprising with John, Abby, Ned
when the makers phase begins
then Hagga Basin has 1 bonus spice
"""
SWORD_ID, WATER_ID = "mine.a_dagger_gives_a_sword", "mine.nobody_thirsts"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file with two scenarios."""
    file = tmp_path / "mine.scenario"
    file.write_text(f"{SWORD}\n{WATER}", "utf-8")
    return file


def moody(mood: str, folder: Path) -> tuple[str, ...]:
    """An adapter of ours with a mood."""
    return ("--", sys.executable, "-m", "tests.conformance.moody", mood, str(folder))


NOT_SO = """\
scenario "Not so"
game uprising with John, Abby, Ned
given Abby has hand "Dagger"
when Abby reveals
then Abby has 7 swords
"""


def ended(*arguments: str | Path) -> Result:
    """How the command ends."""
    return CliRunner().invoke(conform, [str(each) for each in arguments], catch_exceptions=False)


def refused(*arguments: str | Path) -> TruthsayerError:
    """The error that the command raises, for the group to print."""
    with pytest.raises(TruthsayerError) as raised:
        ended(*arguments)
    assert raised.value.help
    return raised.value


# What one sees


def test_what_conforms_is_told_in_two_lines(mine: Path) -> None:
    done = ended("--cases", mine, "--", *OURS)
    assert done.exit_code == 0, done.output
    first, second = done.stdout.splitlines()
    assert first.startswith("truthsayer 1: 2 of 251 rules reached")
    assert second == "2 cases: 2 pass"


def test_a_scenario_that_does_not_hold_is_told(mine: Path) -> None:
    wrong = mine.with_name("wrong.scenario")
    wrong.write_text(NOT_SO, encoding="utf-8")
    done = ended("--cases", mine, "--cases", wrong, "--", *OURS)
    assert done.exit_code == 0, done.output
    assert "not played, because they do not hold on the reference:\n  wrong.not_so" in done.output


def test_a_divergence_is_told_with_the_rule_and_a_scenario(mine: Path, tmp_path: Path) -> None:
    done = ended("--cases", mine, "--case", SWORD_ID, *moody("Wrong", tmp_path))
    assert done.exit_code == 1
    for words in (
        "1 case: 1 fail",
        "✗ fail: A Dagger gives a sword",
        f"case: {SWORD_ID}",
        "after input 1, field `players.0.water`",
        "rule: UPR-",
        'scenario "A Dagger gives a sword"',
    ):
        assert words in done.output


def test_all_reports_are_written(mine: Path, tmp_path: Path) -> None:
    files = {name: tmp_path / f"out.{name}" for name in ("json", "junit", "sarif", "html", "badge")}
    options = [each for name, file in files.items() for each in (f"--{name}", file)]
    assert ended("--cases", mine, *options, *moody("Wrong", tmp_path)).exit_code == 1
    texts = {name: file.read_text("utf-8") for name, file in files.items()}
    assert [each["id"] for each in json.loads(texts["json"])["report"]["results"]] == [
        SWORD_ID,
        WATER_ID,
    ]
    assert len(ElementTree.fromstring(texts["junit"]).findall(".//failure")) == 2
    assert len(json.loads(texts["sarif"])["runs"][0]["results"]) == 2
    assert "A Dagger gives a sword" in texts["html"]
    assert texts["badge"].startswith("<svg")


@pytest.mark.parametrize("more", [["--protobuf"], ["--jobs", "2"], ["--timeout", "30"]])
def test_the_way_of_playing_changes_no_result(more: list[str], mine: Path) -> None:
    command = (*OURS, "--protobuf") if "--protobuf" in more else OURS
    done = ended("--cases", mine, *more, "--", *command)
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "2 cases: 2 pass")


def test_an_adapter_that_serves_is_connected_to(mine: Path) -> None:
    server, port = serve(Adapter)
    try:
        done = ended("--cases", mine, "--grpc", f"127.0.0.1:{port}")
    finally:
        server.stop(None)
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "2 cases: 2 pass")


@pytest.mark.parametrize(
    ("option", "value", "played"),
    [
        ("--rule", "UPR-STR-006", [SWORD_ID]),
        ("--tag", "swords", [SWORD_ID]),
        ("--case", WATER_ID, [WATER_ID]),
    ],
)
def test_cases_are_selected(
    option: str, value: str, played: list[str], mine: Path, tmp_path: Path
) -> None:
    file = tmp_path / "out.json"
    assert ended("--cases", mine, option, value, "--json", file, "--", *OURS).exit_code == 0
    assert [each["id"] for each in json.loads(file.read_bytes())["report"]["results"]] == played


def test_generated_games_are_played_too_and_a_budget_leaves_some_out(mine: Path) -> None:
    done = ended("--cases", mine, "--games", "3", "--seed", "4", "--budget", "4", "--", *OURS)
    assert done.exit_code == 0, done.output
    assert "1 skipped" in done.stdout.splitlines()[1]
    assert done.stdout.splitlines()[1].startswith("5 cases: ")


def test_a_case_that_crashes_is_a_failure(mine: Path, tmp_path: Path) -> None:
    done = ended("--cases", mine, *moody("CrashesOnce", tmp_path))
    assert done.exit_code == 1
    assert "2 cases: 1 pass, 1 crashed" in done.output
    assert "it ended with exit code 3" in done.output


def test_a_case_that_takes_too_long_is_a_failure(mine: Path, tmp_path: Path) -> None:
    done = ended("--cases", mine, "--timeout", "0.2", *moody("Hangs", tmp_path))
    assert done.exit_code == 1
    assert "timed out" in done.output


# What is expected


def test_known_failures_are_no_findings_and_one_that_passes_is(mine: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text(f"{SWORD_ID}  # not yet\n{WATER_ID}\n", "utf-8")
    assert ended("--cases", mine, "--known", known, *moody("Wrong", tmp_path)).exit_code == 0
    done = ended("--cases", mine, "--known", known, "--", *OURS)
    assert done.exit_code == 1
    assert WATER_ID in done.output


def test_only_what_is_new_counts_against_a_baseline(mine: Path, tmp_path: Path) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    one = ("--case", SWORD_ID)
    wrong = moody("Wrong", tmp_path)
    assert ended("--cases", mine, *one, "--json", old, *wrong).exit_code == 1
    assert ended("--cases", mine, *one, "--baseline", old, *wrong).exit_code == 0
    done = ended("--cases", mine, "--baseline", old, "--json", new, *wrong)
    assert done.exit_code == 1
    assert ended("diff", old, old).exit_code == 0
    assert ended("diff", new, old).exit_code == 0
    found = ended("diff", old, new)
    assert found.exit_code == 1
    assert WATER_ID in found.output


# Going on


def test_a_run_goes_on_where_the_budget_ended_it(mine: Path, tmp_path: Path) -> None:
    file, report = tmp_path / "run.jsonl", tmp_path / "out.json"
    options = ("--cases", mine, "--games", "2", "--resume", file, "--json", report)
    done = ended(*options, "--budget", "1", *moody("Good", tmp_path))
    assert "2 skipped" in done.output
    assert len(file.read_bytes().splitlines()) == 2
    ended(*options, *moody("Good", tmp_path))
    first = report.read_bytes()
    ids = [each["id"] for each in json.loads(first)["report"]["results"]]
    assert ids == [SWORD_ID, WATER_ID, "games.1.0", "games.1.1"]
    ended(*options, *moody("Good", tmp_path))
    assert (
        json.loads(report.read_bytes())["report"]["results"]
        == json.loads(first)["report"]["results"]
    )
    assert len(file.read_bytes().splitlines()) == 5


def test_results_of_another_adapter_are_refused(mine: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    ended("--cases", mine, "--resume", file, "--", *OURS)
    bare = moody("Bare", tmp_path)
    assert refused("--cases", mine, "--resume", file, *bare).code == "TS0904"


# Bad input


def test_one_adapter_has_to_be_named() -> None:
    assert refused().code == "TS0901"
    assert refused("--grpc", "localhost:1", "--", *OURS).code == "TS0901"


@pytest.mark.parametrize(
    ("name", "message", "help"),
    [
        ("prints_garbage", "Welcome to my game!", "standard output"),
        ("hangs", "no answer within 0.5 s", "--start-timeout"),
        ("ends_with_a_code", "its last words: no licence found", "by hand"),
        ("floods", "", "by hand"),
    ],
)
def test_an_adapter_that_does_not_say_what_it_is_is_refused(
    name: str, message: str, help: str, mine: Path
) -> None:
    program = (sys.executable, "-S", str(HOSTILE), name)
    seconds = "0.5" if name == "hangs" else "60"
    error = refused("--cases", mine, "--start-timeout", seconds, "--", *program)
    assert error.code == "TS0906"
    assert message in error.message
    assert help in (error.help or "")


def test_an_adapter_that_there_is_not_is_refused(mine: Path) -> None:
    error = refused("--cases", mine, "--", "no-such-program", "--fast")
    assert (error.code, "`no-such-program --fast` cannot be started" in error.message) == (
        "TS0906",
        True,
    )
    error = refused("--cases", mine, "--start-timeout", "0.2", "--grpc", "127.0.0.1:1")
    assert (error.code, "no gRPC server answers" in error.message) == ("TS0906", True)


def test_another_protocol_is_refused(mine: Path) -> None:
    program = (sys.executable, "-S", str(HOSTILE), "another_protocol")
    assert refused("--cases", mine, "--", *program).code == "TS0820"


@pytest.mark.parametrize(
    ("option", "value", "code"),
    [
        ("--rule", "UPR-NONE-001", "TS0902"),
        ("--tag", "sword", "TS0903"),
        ("--case", "mine.a_dagger", "TS0905"),
        ("--cases", "no/such/folder", "TS0702"),
        ("--known", "no-such-file", "TS0703"),
        ("--baseline", "no-such-file", "TS0703"),
        ("--json", "no/such/folder/out.json", "TS0703"),
        ("--resume", "no/such/folder/run.jsonl", "TS0703"),
    ],
)
def test_what_there_is_not_is_refused(option: str, value: str, code: str, mine: Path) -> None:
    assert refused("--cases", mine, option, value, "--", *OURS).code == code


def test_a_file_that_is_something_else_is_refused(mine: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"\xff something else")
    assert refused("--cases", mine, "--known", other, "--", *OURS).code == "TS0704"
    assert refused("--cases", other, "--", *OURS).code == "TS0704"
    assert refused("--cases", mine, "--baseline", other, "--", *OURS).code == "TS0924"
    assert refused("--cases", mine, "--resume", other, "--", *OURS).code == "TS0904"
    assert refused("diff", other, other).code == "TS0924"
    assert refused("diff", other, tmp_path / "none").code in ("TS0703", "TS0924")


def test_files_in_which_no_scenario_holds_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.scenario"
    file.write_text(SWORD.replace("1 sword", "2 swords"), "utf-8")
    assert refused("--cases", file, "--", *OURS).code == "TS0903"


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--budget", "x"),
        ("--budget", "0"),
        ("--budget", "5 m"),
        ("--budget", "-1"),
        ("--budget", "9" * 40),
        ("--jobs", "0"),
        ("--jobs", "1000"),
        ("--games", "-1"),
        ("--seed", "-1"),
        ("--timeout", "0"),
        ("--timeout", "nan"),
        ("--start-timeout", "inf"),
    ],
)
def test_a_number_that_is_none_is_refused(option: str, value: str) -> None:
    assert ended(option, value, "--", "true").exit_code == 2


def test_an_error_is_told_in_words_and_ends_with_2(mine: Path) -> None:
    words = ["conform", "--cases", str(mine), "--", "no-such-program"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert done.stderr.splitlines()[1].startswith("TS0906: the adapter does not say what it is")


# Stopping


def adapters_of(mark: str) -> list[int]:
    """The processes of adapters that were started below something with this mark."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            variables = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        adapter = any(each.startswith(f"{MARK}=".encode()) for each in variables)
        if adapter and f"TRUTHSAYER_TESTED_BY={mark}".encode() in variables:
            found.append(int(folder.name))
    return found


@pytest.fixture
def playing(mine: Path, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command with two adapters that never answer, and its mark."""
    mark = f"conform-{os.getpid()}"
    options = ["--cases", str(tmp_path), "--jobs", "2", "--timeout", str(LONG)]
    for number in range(40):
        (tmp_path / f"copy{number}.scenario").write_text(mine.read_text("utf-8"), "utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "truthsayer", "conform", *options, *moody("Hangs", tmp_path)],
        cwd=ROOT,
        env={**os.environ, "TRUTHSAYER_TESTED_BY": mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_ctrl_c,
    )
    try:
        yield process, mark
    finally:
        # Whatever it left behind would hold its output.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def heed_ctrl_c() -> None:
    """What a shell runs in the background inherits that Ctrl-C is ignored, tests among it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for_adapters(process: subprocess.Popen[str], mark: str) -> None:
    """Until both have been started."""
    while len(adapters_of(mark)) < 2:
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_a_command_that_is_killed_leaves_no_adapter_behind(
    playing: tuple[subprocess.Popen[str], str],
) -> None:
    process, mark = playing
    wait_for_adapters(process, mark)
    process.kill()
    process.communicate(timeout=60)
    assert adapters_of(mark) == []


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
@pytest.mark.parametrize("everybody", [True, False], ids=["a terminal", "one process"])
def test_stopping_leaves_no_adapter_behind(
    everybody: bool, playing: tuple[subprocess.Popen[str], str]
) -> None:
    process, mark = playing
    wait_for_adapters(process, mark)
    (os.killpg if everybody else os.kill)(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "stopped"
    assert adapters_of(mark) == []


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_writes_its_reports_so_far(
    number: signal.Signals, jobs: str, mine: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    mark = f"stopped-{os.getpid()}"
    kept = tmp_path / "kept"
    options = ["--cases", str(mine), "--games", "5000", "--jobs", jobs, "--json", str(report)]
    options += ["--resume", str(kept), "--", *OURS]
    process = subprocess.Popen(
        [sys.executable, "-m", "truthsayer", "conform", *options],
        cwd=ROOT,
        env={**os.environ, "TRUTHSAYER_TESTED_BY": mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_ctrl_c,
    )
    try:
        while not kept.exists():
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        process.send_signal(number)
        output, errors = process.communicate(timeout=LONG)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "stopped"
    assert "Traceback" not in errors
    assert "skipped" in output
    results = json.loads(report.read_text("utf-8"))["report"]["results"]
    left = [each for each in results if each["outcome"] == "skipped"]
    assert {each["detail"] for each in left} == {"the run was stopped"}
    assert len({each["id"] for each in results}) == len(results)
    assert adapters_of(mark) == []
