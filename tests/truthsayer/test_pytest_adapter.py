"""Each case of the kit is a test of a stranger's own code, in the process of that test."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.results import FAIL, NOTHING, SKIPPED, UNSUPPORTED
from tests.conformance.runs import by_ruling, result
from tests.truthsayer.stranger import Said, environment, repository, run_tests
from truthsayer.cli.in_tests import FAILED, NOT_TESTED, PASSED, Reply, told

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "pytest"
TEMPLATE = (EXAMPLE / "test_conformance.py").read_text("utf-8")
LONGEST_TEMPLATE = 60

OWN = "test_own_packages"

MAKERS = """\
scenario "No bonus spice beside an Agent"
cites UPR-MAKER-003
tags agents
game uprising with John, Abby, Ned
given John has an agent at Imperial Basin
when the makers phase begins
then Imperial Basin has 0 bonus spice

scenario "Bonus spice gathers"
cites UPR-MAKER-003
game uprising with John, Abby, Ned
when the makers phase begins
then Deep Desert has 1 bonus spice

scenario "A Reveal turn"
cites UPR-REVEAL-001
game uprising with John, Abby, Ned
given Abby has hand "Dagger"
when Abby reveals
then Abby has 1 sword
"""
GATHERS, BESIDE, REVEALS = (
    f"test_conforms[makers.{title}]"
    for title in ("bonus_spice_gathers", "no_bonus_spice_beside_an_agent", "a_reveal_turn")
)
MARK = 'rules=["UPR-MAKER-003"]'
FORGETS = ("if maker", "if True or maker")
"""A client that forgets Agents."""


def project(folder: Path, mark: str = 'paths="makers.scenario"', *changes: tuple[str, str]) -> Path:
    """The example in a repository with packages called like ours, with changes to its files."""
    found = repository(folder / "repository", {"makers.scenario": MAKERS}, line="")
    shutil.copytree(EXAMPLE, found, dirs_exist_ok=True)
    for name in ("game.py", "test_conformance.py"):
        text = (found / name).read_text("utf-8").replace(MARK, mark)
        for old, new in changes:
            text = text.replace(old, new)
        (found / name).write_text(text, "utf-8")
    return found


def run(folder: Path, *arguments: str, **variables: str) -> Said:
    """Run the tests of a repository with our plugin, and no other one that is not named."""
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | variables
    return run_tests(sys.executable, folder, "-p", "truthsayer.pytest_plugin", *arguments, **alone)


# The example


def test_the_template_is_short() -> None:
    assert len(TEMPLATE.splitlines()) <= LONGEST_TEMPLATE


def test_the_example_passes_as_a_stranger_runs_it(tmp_path: Path) -> None:
    said = run(project(tmp_path, MARK))
    assert (said.exit_code, said.failed) == (0, set()), said.output
    assert OWN in said.passed
    assert len(said.passed) > 5
    assert set(said.skipped.values()) == {"unsupported: do"}


@pytest.mark.parametrize(
    "arguments",
    ["-W error", "-p xdist -n 2 -W error", "--import-mode=importlib -p no:cacheprovider", "-x -vv"],
)
def test_each_case_is_a_test(arguments: str, tmp_path: Path) -> None:
    folder = project(tmp_path)
    said = run(folder, *arguments.split(), PYTHONPATH=".")
    assert said.exit_code == 0, said.output
    assert (said.passed, said.failed) == ({OWN, GATHERS, BESIDE}, set())
    assert list(said.skipped) == [REVEALS]
    assert {each.name for each in folder.iterdir()}.isdisjoint({".hypothesis"})


def test_a_divergence_reads_as_the_command_prints_it(tmp_path: Path) -> None:
    said = run(project(tmp_path, 'paths="makers.scenario"', FORGETS))
    assert (said.exit_code, said.failed) == (1, {BESIDE}), said.output
    told = said.failures[BESIDE]
    for part in (
        "✗ fail: No bonus spice beside an Agent",
        "after input 1, field `makers`:",
        'input:    {"begin": "makers_begin"}',
        "rule: UPR-MAKER-003: ",
        "this scenario shows it:",
    ):
        assert part in told, told
    assert "Traceback" not in said.output
    assert "pytest_adapter.py" not in said.output


# What pytest can do


def test_tests_are_selected_and_run_again(tmp_path: Path) -> None:
    folder = project(tmp_path, 'paths="makers.scenario"', FORGETS)
    assert run(folder, "-k", "gathers").passed == {GATHERS}
    assert run(folder, f"test_conformance.py::{GATHERS}").passed == {GATHERS}
    run(folder)
    assert run(folder, "--lf").failed == {BESIDE}
    (folder / "game.py").write_text((EXAMPLE / "game.py").read_text("utf-8"), "utf-8")
    assert run(folder, "--lf").passed == {BESIDE}


@pytest.mark.parametrize(
    ("mark", "cases"),
    [
        ('paths=["makers.scenario"], tags=["agents"]', {BESIDE}),
        ('paths=["makers.scenario"], rules=["UPR-MAKER-003"]', {GATHERS, BESIDE}),
        ('paths=["makers.scenario"], cases=["makers.bonus_spice_gathers"]', {GATHERS}),
    ],
)
def test_the_mark_says_which_cases_there_are(mark: str, cases: set[str], tmp_path: Path) -> None:
    said = run(project(tmp_path, mark))
    assert (said.passed, said.failed, said.skipped) == ({OWN, *cases}, set(), {})


def test_the_code_runs_in_the_process_of_the_test(tmp_path: Path) -> None:
    note = "__import__('pathlib').Path('NAME').write_text(str(__import__('os').getpid()))"
    body = ("occupied = {", f"{note.replace('NAME', 'by_code')}\n        occupied = {{")
    folder = project(tmp_path, 'paths="makers.scenario"', body)
    (folder / "conftest.py").write_text(note.replace("NAME", "by_tests") + "\n")
    run(folder, "-k", "gathers")
    assert (folder / "by_code").read_text() == (folder / "by_tests").read_text()


# What goes wrong


def test_an_error_of_the_adapter_is_shown_where_it_is_and_the_next_case_is_played(
    tmp_path: Path,
) -> None:
    raises = ("occupied = {", 'assert not self.agents, "my mistake"\n        occupied = {')
    said = run(project(tmp_path, 'paths="makers.scenario"', raises), "-k", "spice")
    assert (said.passed, said.failed) == ({GATHERS}, {BESIDE})
    assert "AssertionError: my mistake" in said.failures[BESIDE]
    assert "game.py" in said.output


def test_only_what_was_compared_and_holds_passes() -> None:
    assert told(result("a")).verdict == PASSED
    assert told(result("a", FAIL)).verdict == FAILED
    by_another_reading = told(by_ruling("a"))
    assert by_another_reading.verdict == NOT_TESTED
    assert "declare that in `rulings`" in by_another_reading.text
    for outcome in (NOTHING, UNSUPPORTED, SKIPPED):
        assert told(result("a", outcome, detail="why")) == Reply(
            verdict=NOT_TESTED, text=f"{outcome}: why"
        )


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ([('rules=["x"]', "colours=3")], "TS0722"),
        ([('rules=["x"]', '"UPR-MAKER-003"')], "TS0722"),
        ([('rules=["x"]', 'rules=["UPR-MAKER-9"]')], "TS0902"),
        ([('rules=["x"]', 'paths=["none.scenario"]')], "TS0702"),
    ],
)
def test_a_wrong_mark_is_told_when_tests_are_collected(
    changes: list[tuple[str, str]], code: str, tmp_path: Path
) -> None:
    said = run(project(tmp_path, 'rules=["x"]', *changes))
    assert said.exit_code == 2
    assert code in said.output
    assert "INTERNALERROR" not in said.output
    assert "Traceback" not in said.output


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("    truthsayer_adapter(Adapter())", "    assert truthsayer_adapter", "TS0723"),
        ('"makers", "agents"', '"colour"', "a field that there is not"),
        ('"fields": [', '"colours": [', "unknown field `colours`"),
        ('"products": ["uprising"]', '"products": []', "describes itself without `products`"),
        ("return method(**call)", "return None", "its answers are none"),
        ("return method(**call)", "return {1}", "not JSON serializable"),
    ],
)
def test_an_adapter_that_makes_no_sense_is_a_failure(
    old: str, new: str, part: str, tmp_path: Path
) -> None:
    said = run(project(tmp_path, 'paths="makers.scenario"', (old, new)), "-k", "gathers")
    assert said.failed == {GATHERS}, said.output
    assert part in said.failures[GATHERS]


def test_a_kit_that_ends_is_told_and_another_is_started(tmp_path: Path) -> None:
    find = "next(each for each in gc.get_objects() if type(each).__name__ == 'Kit')"
    kills = ("occupied = {", f"if self.agents: {find}._process.kill()\n        occupied = {{")
    imports = ("class Game", "import gc\n\n\nclass Game")
    folder = project(tmp_path, 'paths="makers.scenario"', kills, imports)
    said = run(folder, "-k", "spice")
    assert (said.passed, said.failed) == ({GATHERS}, {BESIDE}), said.output
    assert "TS0724" in said.failures[BESIDE]
    assert "exit code -9" in said.failures[BESIDE]


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_no_kit_is_left_behind(tmp_path: Path) -> None:
    assert run(project(tmp_path), STRANGER=str(tmp_path)).exit_code == 0
    assert not any(_has(each, f"STRANGER={tmp_path}") for each in Path("/proc").glob("[0-9]*"))


def _has(process: Path, variable: str) -> bool:
    try:
        return variable.encode() in (process / "environ").read_bytes().split(b"\0")
    except OSError:
        return False


def test_the_plugin_loads_nothing_of_the_engine() -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", "import truthsayer.pytest_adapter, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        env=environment(PYTHONPATH=str(Path(__file__).parents[2])),
    ).stdout.split()
    assert not {"conformance", "rules_engine", "click", "msgspec"} & set(loaded)
