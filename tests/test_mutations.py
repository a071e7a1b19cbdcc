"""One wrong character in a rule is noticed twice: by a scenario and by a proof."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scenarios import check

ROOT = Path(__file__).parent.parent
PACKAGES = ("rules_engine", "scenarios", "verifier", "conformance", "server", "truthsayer")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the source to spoil."""
    for package in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    return tmp_path


def spoil(folder: Path, module: str, right: str, wrong: str) -> None:
    file = folder / "rules_engine" / "imperium" / module
    source = file.read_text("utf-8")
    assert source.count(right) == 1, f"{module} no longer says {right!r}"
    file.write_text(source.replace(right, wrong), "utf-8")


def truthsayer(folder: Path, *arguments: str) -> dict[str, list[dict[str, str]]]:
    """What the command of the copy prints as JSON."""
    start = "import sys; sys.path.insert(0, sys.argv.pop(1)); import truthsayer.cli as c; c.main()"
    done = subprocess.run(
        [sys.executable, "-I", "-c", start, str(folder), *arguments, "--json"],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert done.stdout, done.stderr
    found: dict[str, list[dict[str, str]]] = json.loads(done.stdout)
    return found


MUTATIONS = [
    pytest.param(
        "combat.py",
        "return count_true(other > strength for other in strengths)",
        "return count_true(other >= strength for other in strengths)",
        "the_single_strongest_takes_the_first_reward",
        "combat.scenario",
        id="`>` becomes `>=` in the ranking",
    ),
    pytest.param(
        "sandworms.py",
        "    if protects_conflict(state):\n"
        '        return Step(state, (Event("no_sandworm", PROTECTS, seat),))\n',
        "",
        "a_blocked_sandworm_icon_does_nothing",
        "shield_wall.scenario",
        id="the Shield Wall test is deleted",
    ),
]


@pytest.mark.timeout(300)  # Two proofs over every effect, in processes of their own.
@pytest.mark.parametrize(("module", "right", "wrong", "name", "file"), MUTATIONS)
def test_a_wrong_rule_breaks_a_scenario_and_a_proof(
    copy: Path, module: str, right: str, wrong: str, name: str, file: str
) -> None:
    library = str(copy / "scenarios" / "library" / "uprising" / file)
    assert verdicts(truthsayer(copy, "check", library)["results"]) <= {"passed", "proved"}
    assert verdicts(truthsayer(copy, "prove", name)["properties"]) <= {"proved", "checked"}
    spoil(copy, module, right, wrong)
    assert verdicts(truthsayer(copy, "check", library)["results"]) & {"failed", "refuted"}
    (refuted,) = truthsayer(copy, "prove", name)["properties"]
    assert refuted["verdict"] == "refuted"
    shown = copy / "counterexample.scenario"
    shown.write_text(refuted["scenario"], "utf-8")
    assert verdicts(truthsayer(copy, "check", str(shown))["results"]) == {"failed"}
    assert [each.verdict for each in check(shown.name, refuted["scenario"])] == ["passed"]


def verdicts(results: list[dict[str, str]]) -> set[str]:
    return {result["verdict"] for result in results}
