"""Scenarios are tests in the repositories of others, whatever these have in them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.truthsayer.stranger import FAILS, HOLDS, PROVED, Said, environment, repository, run_tests
from truthsayer.cli.group import PACKAGES

FIGHTS = "John fights as hard as he can"
HOPES = "John hopes as hard as he can"
TIE = "A tie for first is no victory"
OWN = "test_own_packages"

SHORT = """\
scenario "TITLE"
game uprising with John, Abby, Ned
when the makers phase begins
then Deep Desert has 1 bonus spice
"""
"""A scenario that always holds."""

ASKS = """\
scenario "Can she?"
game uprising with John, Abby, Ned
ask can Abby summon a sandworm
"""


def short(*titles: str) -> str:
    """A file of short scenarios."""
    return "\n".join(SHORT.replace("TITLE", title) for title in titles)


def run(folder: Path, *arguments: str | Path, **variables: str) -> Said:
    """Run the tests of a repository with our plugin, and no other one that is not named."""
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | variables
    return run_tests(sys.executable, folder, "-p", "truthsayer.pytest_plugin", *arguments, **alone)


def said_of(folder: Path, files: Mapping[str, str | bytes], *arguments: str | Path) -> Said:
    """Write a repository and run its tests."""
    return run(repository(folder / "repository", files), *arguments)


# What is collected


def test_without_the_line_of_configuration_nothing_is_collected(tmp_path: Path) -> None:
    folder = repository(tmp_path / "a", {"rules/fails.scenario": FAILS}, line="")
    said = run(folder)
    assert (said.exit_code, said.passed, said.failed) == (0, {OWN}, set())


@pytest.mark.parametrize("table", ["[tool.pytest.ini_options]", "[tool.pytest]"])
def test_the_line_can_stand_in_pyproject(table: str, tmp_path: Path) -> None:
    folder = repository(tmp_path / "a", {"rules/holds.scenario": HOLDS})
    (folder / "pytest.ini").unlink()
    (folder / "pyproject.toml").write_text(f"{table}\ntruthsayer_scenarios = true\n")
    assert run(folder).passed == {OWN, FIGHTS}


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "-W error -p no:cacheprovider --import-mode=importlib",
        "--rootdir=.. --tb=native --full-trace -vv -l",
        "-p xdist -n 2 -W error",
        "-p xdist -n 0 -p pytest_timeout --timeout=100",
    ],
)
def test_each_scenario_is_a_test_beside_the_packages_of_a_stranger(
    arguments: str, tmp_path: Path
) -> None:
    files = {"rules/two.scenario": f"{HOLDS}\n{FAILS}", "rules/deep/any.scenario": PROVED}
    said = said_of(tmp_path, files, *arguments.split())
    assert said.exit_code == 1, said.output
    assert said.passed == {OWN, FIGHTS, TIE}
    assert said.failed == {HOPES}
    assert "Traceback" not in said.output
    assert "pytest_plugin.py" not in said.output


def test_a_scenario_is_at_its_line(tmp_path: Path) -> None:
    files = {"rules/two.scenario": f"{HOLDS}\n{FAILS}"}
    said = said_of(tmp_path, files, "-v", "--tb=line")
    place = tmp_path / "repository" / "rules" / "two.scenario"
    assert f"{place}:21: TS0120: expected John gains 2 spice; actual: John gains 1\n" in said.output
    assert f"rules/two.scenario::{HOPES} FAILED" in said.output
    # The older kind of report has the place of each test; it counts lines from 0.
    run(place.parents[1], "-o", "junit_family=xunit1", "rules")
    cases = ElementTree.parse(place.parents[1] / "junit.xml").iter("testcase")
    assert [(case.get("file"), case.get("line")) for case in cases] == [
        ("rules/two.scenario", "0"),
        ("rules/two.scenario", "11"),
    ]


def test_a_failure_reads_as_the_command_prints_it(tmp_path: Path) -> None:
    said = said_of(tmp_path, {"rules/fails.scenario": FAILS})
    printed = subprocess.run(
        [sys.executable, "-I", "-m", "truthsayer", "check", "rules/fails.scenario"],
        cwd=tmp_path / "repository",
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    _, *report, _ = printed.splitlines()
    assert len(report) > 5
    heading = f" {HOPES} "
    shown = said.output.split("= FAILURES =")[1].split(heading)[1].split("\n", 1)[1]
    assert shown.startswith("".join(f"{line[2:]}\n" for line in report))
    reason, text = said.failures[HOPES].split("\n", 1)
    assert reason == "TS0120: expected John gains 2 spice; actual: John gains 1"
    assert text.splitlines() == [line[2:] for line in report]
    assert f"FAILED rules/fails.scenario::{HOPES} - TS0120: " in said.output


# Files with mistakes


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", "TS0106"), (b"# nothing\n", "TS0106"), (b"\xff\xfe", "TS0704"), (b"nonsense", "TS0101")],
)
def test_a_file_without_scenarios_is_a_test_that_fails(
    content: bytes, code: str, tmp_path: Path
) -> None:
    said = said_of(tmp_path, {"rules/odd.scenario": content, "rules/holds.scenario": HOLDS})
    assert said.passed == {OWN, FIGHTS}
    assert list(said.failed) == ["no scenario"]
    assert said.failures["no scenario"].startswith(f"{code}: ")


def test_a_mistake_outside_scenarios_fails_the_first_that_is_selected(tmp_path: Path) -> None:
    folder = repository(tmp_path / "a", {"rules/odd.scenario": "nonsense\n" + short("A", "B")})
    said = run(folder)
    assert (said.passed, said.failed) == ({OWN, "B"}, {"A"})
    assert "odd.scenario:1:1: TS0101: a line cannot begin with `nonsense`" in said.failures["A"]
    said = run(folder, "rules/odd.scenario::B")
    assert (said.passed, said.failed) == (set(), {"B"})
    assert "odd.scenario:1:1: TS0101: " in said.failures["B"]


def test_a_file_that_cannot_be_read_fails_all_its_scenarios(tmp_path: Path) -> None:
    content = short("A", "B", "C").encode() + b"# \xff\n"
    said = said_of(tmp_path, {"rules/odd.scenario": content})
    assert (said.passed, said.failed) == ({OWN}, {"A", "B", "C"})
    assert all("TS0704" in said.failures[name] for name in "ABC")


def test_a_title_that_cannot_be_read_is_a_test_that_fails(tmp_path: Path) -> None:
    text = "scenario Without quotes\n" + short("A") + "scenario\n"
    said = said_of(tmp_path, {"rules/odd.scenario": text})
    assert (said.passed, said.failed) == ({OWN, "A"}, {"Without quotes", "line 6"})


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_lines_are_counted_as_the_command_counts_them(end: str, tmp_path: Path) -> None:
    text = "\ufeff# \u2028\x0b\x0c\x85\n" + f"{HOLDS}\n{FAILS}".replace("scenario ", "scenario\t")
    said = said_of(tmp_path, {"rules/two.scenario": text.replace("\n", end)})
    assert (said.passed, said.failed) == ({OWN, FIGHTS}, {HOPES})
    assert "two.scenario:22:6: TS0120" in said.failures[HOPES]


TITLES = ("A", "A", "A (2)", "a::b", "a[1]::[2]", "x" * 5_000, "ü 世 🐛", "\x1b[31m\x00", " ", "")


def test_every_title_gives_a_test_that_can_be_selected(tmp_path: Path) -> None:
    # An id of its own for each, since some titles give the same.
    text = "\n".join(
        SHORT.replace("TITLE", title).replace("\n", f"\nid N{number}\n", 1)
        for number, title in enumerate(TITLES)
    )
    folder = repository(tmp_path / "a", {"odd.scenario": text})
    collected = run(folder, "--collect-only", "-q", "odd.scenario").output.split("\n\n")[0]
    ids = collected.splitlines()
    assert len(set(ids)) == len(TITLES)
    assert all(each.startswith("odd.scenario::") and each.isprintable() for each in ids)
    said = run(folder, "-q", *ids)
    assert (said.exit_code, len(said.passed)) == (0, len(TITLES)), said.output


def test_a_scenario_that_only_asks_is_skipped_and_does_not_pass(tmp_path: Path) -> None:
    said = said_of(tmp_path / "a", {"rules/asks.scenario": ASKS + short("A")})
    assert said.skipped == {"Can she?": "it asks and expects nothing"}
    assert (said.exit_code, said.passed) == (0, {OWN, "A"})
    broken = said_of(tmp_path / "b", {"rules/asks.scenario": ASKS.replace("Abby su", "Leto su")})
    assert (broken.failed, broken.skipped) == ({"Can she?"}, {})


# What is run


def watch(folder: Path, more: str = "") -> Path:
    """Have the repository write down each start of our command; the file it is written to."""
    log = folder.parent / "started.log"
    (folder / "conftest.py").write_text(
        "import sys\n\n\n"
        "def note(line):\n"
        f"    with open({str(log)!r}, 'a') as file:\n"
        "        file.write(line + '\\n')\n\n\n"
        "def watch(event, arguments):\n"
        "    if event == 'subprocess.Popen' and 'truthsayer' in arguments[1]:\n"
        "        note('started')\n\n\n"
        f"sys.addaudithook(watch)\n{more}"
    )
    return log


EIGHT = {f"rules/{name}.scenario": short(name) for name in "abcdefgh"}


@pytest.mark.parametrize("workers", ["", "-p xdist -n 2 -v"])
def test_the_command_is_started_once(workers: str, tmp_path: Path) -> None:
    folder = repository(tmp_path / "a", EIGHT)
    log = watch(folder)
    (tmp_path / "temporary").mkdir()
    said = run(folder, *workers.split(), TMPDIR=str(tmp_path / "temporary"))
    assert said.passed == {OWN, *"abcdefgh"}, said.output
    assert log.read_text() == "started\n"
    if workers:
        assert all(f"[{worker}]" in said.output for worker in ("gw0", "gw1"))
    left = [path.name for path in (tmp_path / "temporary").iterdir()]
    assert not [name for name in left if name.startswith("truthsayer")]


def test_workers_that_do_not_share_are_noticed(tmp_path: Path) -> None:
    folder = repository(tmp_path / "a", EIGHT)
    apart = "\n\ndef pytest_configure(config):\n    vars(config).pop('workerinput', None)\n"
    log = watch(folder, apart)
    run(folder, "-p", "xdist", "-n", "2")
    assert log.read_text() == "started\n" * 2


def test_a_worker_that_dies_is_replaced_and_the_command_is_not_started_again(
    tmp_path: Path,
) -> None:
    dies = "import os\n\n\ndef test_dies():\n    os._exit(1)\n"
    folder = repository(tmp_path / "a", {**EIGHT, "rules/test_dies.py": dies})
    log = watch(folder)
    said = run(folder, "-p", "xdist", "-n", "2")
    assert said.passed == {OWN, *"abcdefgh"}, said.output
    assert said.failed == {"test_dies"}
    assert log.read_text() == "started\n"


def test_no_time_limit_of_a_test_includes_the_run(tmp_path: Path) -> None:
    folder = repository(tmp_path / "a", {"rules/a.scenario": short("A", "B")})
    limit = (
        "\n\nimport pytest\n\n\n"
        "@pytest.hookimpl(hookwrapper=True)\n"
        "def pytest_runtest_protocol(item):\n"
        "    note(item.name)\n"
        "    yield\n"
    )
    log = watch(folder, limit)
    run(folder, "rules")
    assert log.read_text().splitlines() == ["started", "A", "B"]


def test_collecting_starts_nothing(tmp_path: Path) -> None:
    folder = repository(tmp_path / "a", EIGHT)
    log = watch(folder)
    said = run(folder, "--collect-only", "-q")
    assert f"{len(EIGHT) + 1} tests collected" in said.output
    assert not log.exists()


def test_only_files_with_a_selected_scenario_are_run(tmp_path: Path) -> None:
    # Both have the same id, which is a mistake if both are run.
    folder = repository(
        tmp_path / "a",
        {"a/same.scenario": short("A"), "b/same.scenario": short("A", "B")},
    )
    assert "TS0107" in run(folder).output
    for selected in (["b"], ["b/same.scenario::A"], ["-k", "B or own"], ["--deselect", "a"]):
        said = run(folder, *selected)
        assert (said.exit_code, said.failed) == (0, set()), said.output


def test_what_failed_last_is_run_again_and_the_first_failure_can_stop(tmp_path: Path) -> None:
    folder = repository(tmp_path / "a", {"rules/two.scenario": f"{FAILS}\n{HOLDS}"})
    said = run(folder, "-x")
    assert (said.passed, said.failed) == (set(), {HOPES})
    said = run(folder, "--lf")
    assert (said.passed, said.failed) == (set(), {HOPES})
    (folder / "rules" / "two.scenario").write_text(HOLDS.replace("fights", "hopes"))
    assert run(folder, "--lf").passed == {HOPES}


def test_files_are_called_from_where_the_tests_were_started(tmp_path: Path) -> None:
    folder = repository(tmp_path / "a", {"rules/fails.scenario": FAILS})
    shown = run(folder / "rules", "fails.scenario", PYTHONPATH="..").failures[HOPES]
    assert "\n  fails.scenario:10:6: TS0120: " in shown
    shown = run(folder / "tests", folder / "rules", PYTHONPATH="..").failures[HOPES]
    assert f"\n  {folder / 'rules' / 'fails.scenario'}:10:6: TS0120: " in shown


@pytest.mark.parametrize("link", ["before.scenario", "then.scenario"])
def test_a_file_and_a_link_to_it_are_both_tests(link: str, tmp_path: Path) -> None:
    folder = repository(tmp_path / "a", {"rules/file.scenario": FAILS})
    (folder / "rules" / link).symlink_to("file.scenario")
    said = run(folder, "rules")
    assert "2 failed" in said.output
    assert "TS0721" not in said.output


@pytest.mark.skipif(os.name == "nt", reason="such a name cannot be there")
def test_odd_names_of_files_are_no_hindrance(tmp_path: Path) -> None:
    names = ("-k.scenario", "a b.scenario", "two\nlines.scenario", "ü.scenario")
    said = said_of(tmp_path, {f"rules/{name}": short(f"{name!r}") for name in names})
    assert said.passed == {OWN, *(f"{name!r}" for name in names)}, said.output


def test_more_files_than_a_command_line_holds_are_run_at_once(tmp_path: Path) -> None:
    deep = "/".join(["d" * 200] * 10)
    many = os.sysconf("SC_ARG_MAX") // len(deep) + 1
    folder = repository(tmp_path / "a", {f"{deep}/{n}.scenario": short("A") for n in range(many)})
    log = watch(folder)
    said = run(folder, "-q")
    assert f"{many + 1} passed" in said.output
    assert log.read_text() == "started\n"


# What goes wrong


NOT_ITS_REPORT = "what it printed is not its report"
PLANTED = [
    ("", "", "it did not start: No such file or directory"),
    ("echo first >&2; echo broken >&2; exit 7", "", "it ended with exit code 7"),
    ("echo first >&2; echo broken >&2; exit 7", "-p xdist -n 2", "it ended with exit code 7"),
    ("kill -9 $$", "", "it ended with exit code -9"),
    ("exit 0", "", "it ended with exit code 0"),
    ("echo nonsense", "", NOT_ITS_REPORT),
    ("echo '[{}]'", "", NOT_ITS_REPORT),
    ("""echo '{"results": [{"file": "x"}]}'""", "", NOT_ITS_REPORT),
]


@pytest.mark.parametrize(("script", "workers", "why"), PLANTED)
def test_a_command_without_results_fails_each_scenario(
    script: str, workers: str, why: str, tmp_path: Path
) -> None:
    folder = repository(tmp_path / "a", {"rules/a.scenario": short("A", "B")})
    python = tmp_path / "python"
    if script:
        python.write_text(f"#!/bin/sh\n{script}\n")
        python.chmod(0o755)
    # Workers are started with the right Python, the command with the planted one.
    (folder / "conftest.py").write_text(
        f"import sys\n\n\ndef pytest_collection_finish():\n    sys.executable = {str(python)!r}\n"
    )
    said = run(folder, *workers.split())
    assert (said.exit_code, said.passed, said.failed) == (1, {OWN}, {"A", "B"}), said.output
    assert "INTERNALERROR" not in said.output
    for name in "AB":
        first, *report = said.failures[name].splitlines()
        assert first.startswith(f"TS0720: `{python} -I ")
        assert first.endswith(f" gave no results: {why}")
        assert report[0] == first
        assert report[-1].startswith(f"  help: see what `{python} -I -m truthsayer --version` says")
        if "broken" in script:
            assert report[1:3] == ["  | first", "  | broken"]


@pytest.mark.parametrize("change", ["unlink()", "write_text('\\n' + FILE.read_text())"])
def test_a_file_that_changes_under_way_is_told(change: str, tmp_path: Path) -> None:
    changes = (
        "from pathlib import Path\n\n"
        "FILE = Path(__file__).with_name('z.scenario')\n\n\n"
        f"def test_change():\n    FILE.{change}\n"
    )
    files = {"rules/test_a.py": changes, "rules/z.scenario": f"{HOLDS}\n{FAILS}"}
    said = said_of(tmp_path, files)
    assert said.passed == {OWN, "test_change"}
    assert said.failed == {FIGHTS, HOPES}
    assert all("TS0721" in said.failures[name] for name in said.failed)


def test_the_plugin_loads_nothing_of_the_engine() -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", "import truthsayer.pytest_plugin, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert "truthsayer.pytest_plugin" in loaded
    heavy = {*PACKAGES, "truthsayer.cli", "click"}
    assert not heavy & set(loaded)
