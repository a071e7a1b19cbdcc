"""`truthsayer mutate`: survivors with a diff, who notices what, the score, and clear errors."""

from __future__ import annotations

import builtins
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from truthsayer.cli import main
from truthsayer.mutation import run
from truthsayer.mutation.excuses import Excuse
from truthsayer.mutation.library import library_files

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")

SANDWORMS = "uprising/sandworms.scenario"


@pytest.fixture(autouse=True)
def _one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results of our own, and the scenarios of one chapter."""
    monkeypatch.setenv("TRUTHSAYER_CACHE_DIR", str(tmp_path))
    texts = [(file, text) for file, text in library_files() if file.endswith(SANDWORMS)]
    assert texts
    monkeypatch.setattr(run, "library_files", lambda: texts)


def mutate(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["mutate", *arguments])


def found(*arguments: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(mutate(*arguments, "--json").stdout)
    return answer


def test_survivors_and_killed_ones_are_told() -> None:
    done = mutate("sandworms.summon", "control.take_control", "--only", "scenarios")
    assert done.exit_code == 1
    assert "unnoticed: control.take_control: " in done.stdout
    assert "\n  -" in done.stdout
    assert "UPR-WORM" in done.stdout
    assert ", 0 by proofs alone (0.0 %), 0 by laws alone (0.0 %), " in done.stdout
    assert done.stdout.splitlines()[-1].endswith("proofs and laws were not run")
    again = found("sandworms.summon", "control.take_control", "--only", "scenarios")
    assert again["kept"] > 0
    assert again["scenarios"] + again["neither"] == again["mutants"]
    by_file = again["by_file"]
    assert by_file["rules_engine/imperium/sandworms.py"]["killed"] > 0
    assert by_file["rules_engine/imperium/control.py"]["killed"] == 0


def test_kinds_are_picked_and_told() -> None:
    told = found("sandworms.summon", "--kinds", "stale,replaced", "--only", "scenarios")
    assert set(told["by_kind"]) == {"stale", "replaced"}
    assert {each["kind"] for each in told["found"]} == {"stale", "replaced"}
    assert told["mutants"] == told["all_mutants"] >= 2


def test_a_low_aim_is_enough() -> None:
    assert mutate("control.take_control", "--only", "scenarios", "--least", "0").exit_code == 0


def test_an_excuse_that_does_not_hold_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    stale = Excuse("control.take_control", "2 for 1", "no such line", "a reason")
    monkeypatch.setattr(run, "excuses", lambda: (stale,))
    done = mutate("control.take_control", "--only", "scenarios", "--least", "0")
    assert done.exit_code == 1
    assert "wrong excuse: control.take_control: no mutant" in done.stdout


def test_a_limit_is_told() -> None:
    done = mutate("sandworms", "--only", "scenarios", "--limit", "2", "--least", "0")
    assert done.stdout.splitlines()[-1].startswith("2 mutants of ")


def test_nothing_changed_is_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    from truthsayer.mutation import targets

    monkeypatch.setattr(targets, "changed_lines", lambda _: {})
    done = mutate("--since", "HEAD")
    assert (done.exit_code, done.stdout.splitlines()[-1].split(":")[0]) == (0, "0 mutants")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nothing"], "TS0730"),
        (["--kinds", "stale,wrong-payer"], "TS0730"),
        (["--since", "no-such-commit"], "TS0731"),
    ],
)
def test_bad_input_is_told(arguments: list[str], code: str) -> None:
    done = mutate(*arguments)
    assert done.exit_code == 2
    assert code in done.stderr


def test_a_missing_library_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    true_import = builtins.__import__

    def without_libcst(name: str, *rest: Any) -> Any:
        if name == "libcst":
            raise ImportError(name)
        return true_import(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_libcst)
    done = mutate("combat")
    assert done.exit_code == 2
    assert "TS0734" in done.stderr


def test_a_system_without_forks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truthsayer.cli.mutate.sys.platform", "win32")
    done = mutate("combat")
    assert done.exit_code == 2
    assert "TS0733" in done.stderr
