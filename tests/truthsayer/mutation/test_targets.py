"""Which mutants are meant by a name or a commit, and what is said if there is no such thing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from rules_engine.kernel.errors import TruthsayerError
from truthsayer.mutation import targets
from truthsayer.mutation.mutants import RULES
from truthsayer.mutation.targets import changed_lines, evenly_spread, wanted_mutants


@pytest.mark.parametrize("name", ["points", "points.py", "rules_engine/imperium/points.py"])
def test_a_file_is_named_in_any_way(name: str) -> None:
    found = wanted_mutants([name], None)
    assert {mutant.file for mutant in found} == {"rules_engine/imperium/points.py"}


def test_a_function_is_named_with_its_file() -> None:
    found = wanted_mutants(["sandworms.summon"], None)
    assert {mutant.function for mutant in found} == {"sandworms.summon"}


@pytest.mark.parametrize(
    ("name", "help_"),
    [
        ("sandworm", "did you mean `sandworms`?"),
        ("soak", "they are in `rules_engine/imperium`"),
        ("sandworms.sumon", "did you mean `sandworms.summon`?"),
        ("sandworms.QQQQQQQQQQQQQQQQQQQQQQQQQQQ", "name it like `combat.reward_of`"),
    ],
)
def test_an_unknown_name_is_told(name: str, help_: str) -> None:
    with pytest.raises(TruthsayerError) as error:
        wanted_mutants([name], None)
    assert (error.value.code, error.value.help) == ("TS0730", help_)


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Me", "-c", "user.email=me@example.org")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one rule file."""
    file = tmp_path / RULES / "points.py"
    file.parent.mkdir(parents=True)
    file.write_text("A = 1\nB = 2\nC = 3\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    monkeypatch.setattr(targets, "TOP", tmp_path)
    return tmp_path


def test_what_changed_since_a_commit_is_known_by_line(checkout: Path) -> None:
    assert changed_lines("HEAD") == {}
    file = checkout / RULES / "points.py"
    file.write_text("A = 1\nB = 5\nC = 3\n")
    (file.parent / "new.py").write_text("D = 4\n")
    assert changed_lines("HEAD") == {
        "rules_engine/imperium/points.py": {2},
        "rules_engine/imperium/new.py": {1, 2},
    }


def test_an_unknown_commit_is_told(checkout: Path) -> None:
    assert checkout
    with pytest.raises(
        TruthsayerError, match=r"cannot tell what changed: .*no-such-commit"
    ) as error:
        changed_lines("no-such-commit")
    assert error.value.code == "TS0731"


def test_a_folder_without_history_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "TOP", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(TruthsayerError, match="cannot tell what changed") as error:
        changed_lines("HEAD")
    assert error.value.code == "TS0731"


def test_a_machine_without_git_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(TruthsayerError, match="git does not start") as error:
        changed_lines("HEAD")
    assert error.value.code == "TS0731"


def test_a_limit_takes_mutants_from_everywhere() -> None:
    mutants = wanted_mutants(["sandworms"], None)
    few = evenly_spread(mutants, 3)
    assert [mutants.index(each) for each in few] == [0, len(mutants) // 3, 2 * len(mutants) // 3]
    assert evenly_spread(mutants, None) == mutants
