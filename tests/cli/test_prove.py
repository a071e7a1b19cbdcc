"""`truthsayer prove`: what it prints and writes, what it keeps, and what it refuses."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from tests.server.running import ROOT, server_in_thread
from truthsayer.cli import main
from verifier import claim, quantity
from verifier.registry import DATA_CHECK, Family, Twin, proves, registered

PROPERTY = "the_endgame_comes_with_ten_points_or_without_conflicts"
TWIN = {"UPR-WALL-003": Twin("rules_engine.imperium.shield_wall", "old", "new")}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, with one for kept proofs."""
    monkeypatch.setenv("TRUTHSAYER_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def planted() -> Iterator[None]:
    """Properties of every kind of verdict, in place of ours."""
    ours = dict(registered())
    registered().clear()

    @proves(TWIN)
    def holds() -> None:
        """Unsatisfiable iff a number is itself."""
        number = quantity("n")
        claim(number == number, "n is n")

    @proves(TWIN, kind=DATA_CHECK)
    def is_printed() -> None:
        """Unsatisfiable iff the table is right."""
        claim(True, "the table is right")

    @proves(TWIN, cases=({"most": 3}, {"most": 5}))
    def is_small(most: int) -> None:
        """Unsatisfiable iff every number is small."""
        claim(quantity("n") <= most, f"n is at most {most}")

    @proves(TWIN)
    def counts() -> None:
        """Unsatisfiable iff a number can be counted up to."""
        claim(list(range(quantity("n"))) != [-1], "there is a list")

    @proves(TWIN)
    def has_many_paths() -> None:
        """Unsatisfiable iff one of two numbers is not larger."""
        bigger = quantity("a") if quantity("a") > quantity("b") else quantity("b")
        claim(bigger >= quantity("b"), "the bigger one is not smaller")

    yield
    registered().clear()
    registered().update(ours)


def prove(*arguments: str) -> Result:
    """How the command ends, in this process."""
    return CliRunner().invoke(main, ["prove", "--jobs", "1", *arguments])


def report(*arguments: str) -> Any:
    """What it says as JSON."""
    return json.loads(prove("--json", *arguments).stdout)


# What it says


def test_a_verdict_names_kind_cases_and_what_it_covers() -> None:
    said = prove(PROPERTY, "--no-times").stdout
    assert said.startswith(f"✓ proved: {PROPERTY} (theorem, ")
    assert " cases, " in said
    assert "\n    covers: " in said
    assert "\n1 property: 1 proved\n" in said
    assert said.endswith(" obligations: 2 need a solver\n")


@pytest.mark.usefixtures("planted")
def test_every_verdict_is_told_and_counted() -> None:
    ended = prove("--no-times", "--paths", "1")
    assert ended.exit_code == 1
    assert "✓ proved: holds (theorem, 1 case, 1 path)\n" in ended.stdout
    assert "✓ checked: is_printed (data check, 1 case, 1 path)\n" in ended.stdout
    assert "✗ refuted: is_small (theorem, 2 cases, 2 paths)\n" in ended.stdout
    assert "it does not hold that n is at most 3; with n = 4\n" in ended.stdout
    assert "✗ unsupported: counts (claim, 1 case, " in ended.stdout
    assert "✗ unknown: has_many_paths (theorem, 1 case, " in ended.stdout
    assert "    looked at: no position; any a" in ended.stdout
    assert "    more than 1 path; a larger `--paths` allows more\n" in ended.stdout
    counts = "1 proved, 1 checked, 1 refuted, 1 unknown, 1 unsupported"
    assert f"5 properties: {counts}\n" in ended.stdout
    assert "\n6 obligations: " in ended.stdout
    assert ended.stdout.endswith(", 2 were not settled\n")


@pytest.mark.usefixtures("planted")
def test_all_that_is_told_is_in_the_json() -> None:
    told = report()
    assert (told["proved"], told["refuted"], told["damaged"]) == (2, 1, 0)
    by_name = {each["name"]: each for each in told["properties"]}
    assert by_name["is_printed"]["kind"] == "data check"
    assert by_name["is_printed"]["verdict"] == "checked"
    small = by_name["is_small"]
    assert [case["params"] for case in small["cases"]] == ["most 3", "most 5"]
    assert {case["verdict"] for case in small["cases"]} == {"refuted"}
    assert not small["confirmed"]


@pytest.mark.parametrize("names", [["holds"], ["is_printed"], ["holds", "is_printed"]])
@pytest.mark.usefixtures("planted")
def test_what_is_proved_or_checked_is_all_right(names: list[str]) -> None:
    assert prove(*names).exit_code == 0


@pytest.mark.parametrize("name", ["is_small", "counts"])
@pytest.mark.usefixtures("planted")
def test_anything_else_is_not(name: str) -> None:
    assert prove("holds", name).exit_code == 1


# What is asked for


def test_a_rule_stands_for_the_properties_that_settle_it() -> None:
    rule = next(iter(registered()[PROPERTY].twins))
    settle_it = {each.name for each in registered().values() if rule in each.rules}
    told = report(rule, PROPERTY)["properties"]
    assert {each["name"] for each in told} == settle_it
    assert len(told) == len(settle_it)


def test_a_rule_that_no_property_settles_is_told() -> None:
    ended = prove("UPR-CHOAM-019")
    assert ended.exit_code == 2
    assert ended.stderr.startswith("TS0501: no property settles UPR-CHOAM-019\n  help: ")
    assert "truthsayer coverage --rule UPR-CHOAM-019" in ended.stderr


def test_a_part_of_what_there_is_can_be_listed() -> None:
    said = CliRunner().invoke(main, ["prove", "--list", PROPERTY, "UPR-WALL-003"])
    assert said.exit_code == 0
    assert said.stdout.startswith(f"{PROPERTY}\n")
    assert "no_sandworm_enters_behind_a_standing_wall\n" in said.stdout
    assert "a_payment_is_so_much_less_and_nothing_else\n" not in said.stdout
    missing = CliRunner().invoke(main, ["prove", "--list", "no_such_thing"])
    assert missing.exit_code == 2
    assert missing.stderr.startswith("TS0501: no property `no_such_thing`\n  help: ")


@pytest.mark.parametrize("what", [(), ("--list",), ("--twins",)])
@pytest.mark.parametrize(
    ("name", "kind", "near"),
    [
        ("UPR-WALL-999", "rule", "UPR-WALL-0"),
        ("upr-wall-003", "rule", "UPR-WALL-003`?"),
        (PROPERTY[:-3], "property", f"{PROPERTY}`?"),
    ],
)
def test_what_there_is_not_is_told_with_what_is_nearest(
    what: tuple[str, ...], name: str, kind: str, near: str
) -> None:
    ended = CliRunner().invoke(main, ["prove", *what, name])
    assert ended.exit_code == 2
    assert ended.stderr.startswith(f"TS0501: no {kind} `{name}`\n  help: did you mean `{near}")


def test_a_limit_is_told_with_the_option_that_sets_it() -> None:
    ended = prove("--no-cache", "--work", "1", PROPERTY)
    assert ended.exit_code == 1
    assert "the solver ran out of resources on a branch; a larger `--work` gives it" in ended.stdout


@pytest.mark.parametrize("below", ["file", "file/folder"])
def test_proofs_that_cannot_be_kept_are_told_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, below: str
) -> None:
    (folder / "file").write_text("in the way")
    monkeypatch.setenv("TRUTHSAYER_CACHE_DIR", str(folder / below))
    ended = prove("--json", PROPERTY)
    assert ended.exit_code == 0
    assert json.loads(ended.stdout)["proved"] == 1
    assert ended.stderr.count("proofs cannot be kept in `") == 1
    assert ended.stderr.count("\n") == 1


# Twins


def test_a_property_notices_every_change_of_its_rules() -> None:
    ended = prove("--twins", PROPERTY)
    number = len(registered()[PROPERTY].twins)
    assert ended.exit_code == 0
    assert ended.stdout.count(f"✓ noticed: {PROPERTY}, ") == number
    assert " becomes `" in ended.stdout
    assert ended.stdout.endswith(f"\n{number} twins: {number} noticed, 0 not\n")


NO_PLACE = "rules_engine/imperium/shield_wall.py says it in 0 places, not in one"
USELESS = {
    "text that is not there": (Twin("rules_engine.imperium.shield_wall", "xyz", ""), NO_PLACE),
    "a file that is not there": (
        Twin("rules_engine.imperium.no_file", "a", "b"),
        "there is no rules_engine/imperium/no_file.py",
    ),
    "no Python": (
        Twin("rules_engine.imperium.shield_wall", "state.shield_wall and", ")"),
        "the engine does not run with it: ",
    ),
    "a change that means nothing": (
        Twin("rules_engine.imperium.combat", "sandworms >= 1", "sandworms > 0"),
        "✗ proved, not refuted: ",
    ),
}


@pytest.mark.parametrize("how", USELESS)
def test_a_twin_that_shows_nothing_is_no_pass(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    twin, why = USELESS[how]
    known = registered()["at_most_one_player_takes_the_first_reward"]
    broken = replace(known, twins={known.rules[0]: twin})
    monkeypatch.setitem(registered(), known.name, broken)
    ended = prove("--twins", known.name)
    assert ended.exit_code == 1
    assert why in " ".join(ended.stdout.split())
    assert ended.stdout.endswith("\n1 twin: 0 noticed, 1 not\n")


def test_several_processes_say_the_same_as_one() -> None:
    command = ["prove", PROPERTY, "--no-times", "--no-cache", "--jobs"]
    one, two = (CliRunner().invoke(main, [*command, jobs]) for jobs in "12")
    assert one.exit_code == 0
    assert one.stdout == two.stdout


# What is kept


def test_a_kept_proof_is_not_made_again() -> None:
    first, second = report(PROPERTY), report(PROPERTY)
    assert [each["from_kept"] for each in (first, second)] == [0, 1]
    assert not first["properties"][0]["from_kept"]
    assert second["properties"][0]["from_kept"]
    said = prove(PROPERTY).stdout
    assert ", kept)\n" in said
    assert "\n1 of them kept from earlier runs; " in said
    assert "kept" not in prove(PROPERTY, "--no-times").stdout


def test_without_the_cache_nothing_is_kept_or_used(folder: Path) -> None:
    assert report(PROPERTY, "--no-cache")["from_kept"] == 0
    assert not (folder / "kept").exists()
    report(PROPERTY)
    assert report(PROPERTY, "--no-cache")["from_kept"] == 0


def test_a_damaged_proof_is_told_and_made_anew(folder: Path) -> None:
    report(PROPERTY)
    files = sorted((folder / "kept" / "proofs").iterdir())
    files[0].write_bytes(files[0].read_bytes().replace(b'"paths":', b'"paths":1'))
    ended = prove(PROPERTY)
    assert ended.exit_code == 0
    assert "1 property: 1 proved\n" in ended.stdout
    assert ended.stdout.endswith("\n1 kept proof was damaged and made anew\n")
    again = report(PROPERTY)
    assert (again["from_kept"], again["damaged"]) == (1, 0)


def test_a_proof_that_was_not_confirmed_is_made_anew_to_be_confirmed() -> None:
    assert not report(PROPERTY)["properties"][0]["confirmed"]
    confirmed = report(PROPERTY, "--confirm")
    assert confirmed["properties"][0]["confirmed"]
    assert confirmed["from_kept"] == 0
    assert report(PROPERTY, "--confirm")["from_kept"] == 1
    assert ", confirmed, kept)" in prove(PROPERTY).stdout
    assert "confirmed" not in prove(PROPERTY, "--no-times").stdout


def test_a_file_in_place_of_the_folder_does_no_harm(folder: Path) -> None:
    (folder / "kept").write_text("no folder")
    for _ in range(2):
        assert report(PROPERTY)["from_kept"] == 0


# What it writes


def test_certificates_are_written_even_for_what_is_kept(folder: Path) -> None:
    report(PROPERTY)
    assert prove(PROPERTY, "--smtlib", "new/certificates").exit_code == 0
    files = list((folder / "new" / "certificates").iterdir())
    assert len(files) == len(registered()[PROPERTY].cases)
    for file in files:
        assert file.suffix == ".smt2"
        assert "(check-sat)" in file.read_text()


def test_a_folder_that_cannot_be_made_is_told(folder: Path) -> None:
    (folder / "file").write_text("")
    for name in ("file", "file/below"):
        ended = prove(PROPERTY, "--smtlib", name)
        assert ended.exit_code == 2
        assert ended.stderr.startswith(f"TS0703: cannot write into `{name}`: ")


@pytest.mark.usefixtures("planted")
def test_reports_are_written_beside_the_text(folder: Path) -> None:
    plain = prove("--no-times")
    said = prove("--no-times", "--junit", "o.xml", "--sarif", "o.sarif", "--html", "o.html")
    assert (said.exit_code, said.stdout) == (plain.exit_code, plain.stdout)
    suites = ElementTree.parse(folder / "o.xml").getroot()
    assert [(each.get("tests"), each.get("failures")) for each in suites] == [("5", "1")]
    (run,) = json.loads((folder / "o.sarif").read_text())["runs"]
    assert [each["ruleId"] for each in run["results"]] == ["TS0504", "TS0506"]
    assert "n is at most 3" in (folder / "o.html").read_text()


@pytest.mark.parametrize("option", ["--junit", "--sarif", "--html"])
def test_a_report_that_cannot_be_written_is_told(option: str) -> None:
    ended = prove(PROPERTY, option, "missing/file")
    assert ended.exit_code == 2
    assert ended.stderr.startswith("TS0703: cannot write `missing/file`")


# What it refuses


@pytest.mark.parametrize(
    "arguments",
    [
        "--jobs 0",
        "--jobs -1",
        "--jobs 100000",
        "--jobs many",
        "--paths 0",
        "--paths -5",
        "--paths 1e6",
        "--work 0",
        "--work -1",
        "--work 4294967296",
        "--smtlib",
        "--list --json",
        "--twins --json",
        "--twins --confirm",
        "--twins --smtlib x",
        "--twins --no-times",
    ],
)
def test_nonsense_is_a_usage_error(arguments: str) -> None:
    ended = CliRunner().invoke(main, ["prove", PROPERTY, *arguments.split()])
    assert ended.exit_code == 2
    assert "Error: " in ended.stderr
    assert "TS0710" not in ended.stderr
    assert ended.stdout == ""


@pytest.mark.parametrize("option", [["--jobs", "1"], ["--smtlib", "x"], ["--no-cache"]])
def test_what_is_for_this_machine_is_refused_with_a_server(option: list[str]) -> None:
    ended = CliRunner().invoke(main, ["prove", PROPERTY, "--server", "127.0.0.1:1", *option])
    assert ended.exit_code == 2
    assert "--jobs, --smtlib and --no-cache are not for a server" in ended.stderr


def test_a_missing_second_solver_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setattr("truthsayer.cli.group.foreign", lambda _: "")
    ended = prove(PROPERTY, "--confirm")
    assert ended.exit_code == 2
    assert ended.stderr.startswith("TS0502: cvc5, the second solver, is not installed\n  help: ")


@pytest.mark.parametrize("command", ["prove", "prove --list", "coverage"])
def test_a_missing_solver_is_told(folder: Path, command: str) -> None:
    (folder / "z3.py").write_text("raise ImportError('No module named z3', name='z3')")
    done = subprocess.run(
        [sys.executable, "-m", "truthsayer", *command.split()],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("TS0503: Z3, the solver, cannot be loaded: ")
    assert "\n  help: install it with `pip install z3-solver`\n" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("planted")
def test_one_property_that_fails_in_itself_does_not_end_the_run() -> None:
    @proves(TWIN)
    def breaks() -> None:
        """Unsatisfiable iff nothing goes wrong."""
        raise KeyError("a mistake in the property")

    told = {each["name"]: each for each in report("breaks", "holds")["properties"]}
    assert told["breaks"]["verdict"] not in ("proved", "checked")
    assert "a mistake in the property" in told["breaks"]["detail"]
    assert told["holds"]["verdict"] == "proved"


# Here and on a server


def test_limits_and_the_second_solver_work_on_a_server_as_well(folder: Path) -> None:
    with server_in_thread() as address:
        for more in (
            [],
            ["--confirm"],
            ["--paths", "1"],
            ["--sarif", "o.sarif", "--junit", "o.xml"],
        ):
            command = ["prove", PROPERTY, "--no-times", *more]
            here = CliRunner().invoke(main, command)
            files = [file.read_bytes() for file in sorted(folder.glob("o.*"))]
            there = CliRunner().invoke(main, [*command, "--server", address])
            assert (here.exit_code, here.stdout) == (there.exit_code, there.stdout)
            assert files == [file.read_bytes() for file in sorted(folder.glob("o.*"))]


# Progress


def on_a_terminal(*arguments: str) -> str:
    """What the command shows to somebody at a terminal, with the codes that move the cursor."""
    process, end = pty.fork()
    if process == 0:
        environment = {**os.environ, "TERM": "xterm", "PYTHONPATH": str(ROOT)}
        os.execve(sys.executable, [sys.executable, "-m", "truthsayer", *arguments], environment)
    shown = b""
    while True:
        try:
            data = os.read(end, 65536)
        except OSError:
            break
        if not data:
            break
        shown += data
    os.close(end)
    os.waitpid(process, 0)
    return shown.decode()


def test_a_terminal_shows_how_far_it_is() -> None:
    name = "a_blocked_sandworm_icon_does_nothing"
    shown = on_a_terminal("prove", name, "--no-times", "--jobs", "1")
    total = len(registered()[name].cases)
    *drawn, last = shown.split("\x1b[2K")
    assert any(f"{total}/{total}" in line and name[:10] in line for line in drawn)
    assert last.startswith("1 property: 1 checked\r\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_report_into_a_pipe_leaves_the_pipe_there(tmp_path: Path) -> None:
    pipe = tmp_path / "report"
    os.mkfifo(pipe)
    read = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    prove(PROPERTY, "--html", str(pipe))
    assert b"<html" in read.communicate()[0]
    assert pipe.is_fifo()


def test_a_pipe_gets_no_progress() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "truthsayer", "prove", PROPERTY],
        env={**os.environ, "PYTHONPATH": str(ROOT), "FORCE_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout


# Families


@pytest.mark.usefixtures("planted")
def test_the_page_has_a_matrix_of_every_family(folder: Path) -> None:
    def run(names: tuple[str, ...], step: str) -> None:
        for name in names:
            registered()[name].run(step)

    family = Family("steps", run, lambda step: (f"nobody has had a {step}",))
    cases = ({"step": "Pass"}, {"step": "Reveal"})

    @proves(TWIN, cases=cases, family=family)
    def never_negative(step: str) -> None:
        """Unsatisfiable iff nothing is below 0."""
        claim(quantity(step) >= 0, "it is not negative")

    @proves(TWIN, cases=cases, family=family)
    def always_small(step: str) -> None:
        """Unsatisfiable iff nothing is large after a reveal."""
        claim(quantity(step) < 7 if step == "Reveal" else True, "it is small")

    ended = prove("never_negative", "always_small", "--html", "o.html")
    assert ended.exit_code == 1
    page = (folder / "o.html").read_text()
    assert "steps: 3 of 4 cells proved or checked" in page
    assert page.count('<abbr title="step Reveal: refuted, ') == 1
    assert page.count('<abbr title="step Pass: proved, ') == 1
    assert page.count('<abbr title="step Pass: checked, ') == 1
    assert page.count("takes for granted that nobody has had a Pass; rests on ") == 2
