"""The built wheel, installed into an empty environment, is all that a stranger needs."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.truthsayer.stranger import (
    FAILS,
    HOLDS,
    ONE_LINE,
    PROVED,
    Said,
    environment,
    repository,
    run_tests,
)

ROOT = Path(__file__).parents[2]
PACKAGES = {"conformance", "rules_engine", "scenarios", "server", "truthsayer", "verifier"}


def call(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command that has to succeed, and give what it printed."""
    done = subprocess.run(
        command, cwd=cwd, env=environment(), capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this source."""
    folder = tmp_path_factory.mktemp("wheel")
    call(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


def shipped() -> Iterator[str]:
    """Every file of our packages that the repository has; the editor extension is not Python's."""
    listed = call("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *PACKAGES)
    for name in listed.split("\0"):
        if name and (ROOT / name).exists() and not name.startswith("scenarios/editors/"):
            yield name


def test_the_wheel_has_every_file_of_our_packages_and_no_other(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == set(shipped())
    assert {Path(name).parts[0] for name in names} == PACKAGES


def test_the_wheel_tells_pytest_of_the_plugin_and_needs_no_pytest(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        (points,) = [name for name in archive.namelist() if name.endswith("/entry_points.txt")]
        (metadata,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        assert (
            "[pytest11]\ntruthsayer = truthsayer.pytest_plugin\n" in archive.read(points).decode()
        )
        needed = [
            line
            for line in archive.read(metadata).decode().splitlines()
            if line.startswith("Requires-Dist: ") and "extra ==" not in line
        ]
    assert needed
    assert not [line for line in needed if "pytest" in line]


def installed(wheel: Path, folder: Path) -> Path:
    """The programs of an environment with the wheel, pytest and pytest-xdist in it, no more."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    install = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    constraints = ("--constraint", ROOT / "constraints.txt")
    call(programs / "python", *install, *constraints, wheel, "pytest", "pytest-xdist")
    return programs


@pytest.mark.timeout(1800)  # packages may have to be fetched
def test_a_stranger_needs_the_wheel_and_one_line_of_configuration(
    wheel: Path, tmp_path: Path
) -> None:
    """One test, because the environment takes long and workers would each make one."""
    programs = installed(wheel, tmp_path / "environment")
    files = {"rules/good.scenario": f"{HOLDS}\n{PROVED}", "rules/bad.scenario": FAILS}
    folder = repository(tmp_path / "repository", files)
    settings = folder / "pytest.ini"
    assert settings.read_text() == f"[pytest]\n{ONE_LINE}\n"
    check_that_scenarios_are_tests(run_tests(programs / "python", folder, "-W", "error"))
    check_that_scenarios_are_tests(run_tests(programs / "python", folder, "-n", "2"))
    settings.write_text("[pytest]\n")
    said = run_tests(programs / "python", folder)
    assert (said.exit_code, said.passed) == (0, {"test_own_packages"}), said.output
    check_that_the_command_runs(programs, folder)
    check_that_the_library_is_there(programs, tmp_path)


def check_that_scenarios_are_tests(said: Said) -> None:
    """What pytest says in the stranger's repository."""
    assert said.exit_code == 1, said.output
    assert said.failed == {"John hopes as hard as he can"}
    assert said.passed == {
        "John fights as hard as he can",
        "A tie for first is no victory",
        "test_own_packages",
    }
    assert "rules/bad.scenario:10:6: TS0120: expected John gains 2" in said.output
    assert "    | then John gains 2 spice\n    |      ^\n" in said.output
    assert "Traceback" not in said.output


def check_that_the_command_runs(programs: Path, folder: Path) -> None:
    """As a program, and as a module beside packages that are called like ours."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    program, module = [programs / "truthsayer"], [programs / "python", "-I", "-m", "truthsayer"]
    for command, here in ((program, folder / "rules"), (module, folder)):
        assert call(*command, "--version", cwd=here) == f"truthsayer {version}\n"
        checked = call(*command, "check", folder / "rules" / "good.scenario", cwd=here)
        assert checked.endswith("2 scenarios, 2 passed, 0 failed, 0 errors\n")
        assert "UPR-WALL-003" in call(*command, "rules", "UPR-WALL-003", cwd=here)
        assert call(*command, "catalogue", cwd=here).startswith("cards, starting")


def check_that_the_library_is_there(programs: Path, folder: Path) -> None:
    """Every file of it, and one of them is run: running them all is another test."""
    where = "from truthsayer.cli.files import LIBRARY; print(LIBRARY)"
    library = Path(call(programs / "python", "-I", "-c", where, cwd=folder).strip())
    found = {path.relative_to(library).as_posix() for path in library.rglob("*.scenario")}
    ours = ROOT / "scenarios" / "library"
    assert found == {path.relative_to(ours).as_posix() for path in ours.rglob("*.scenario")}
    example = library / "uprising" / "worked_examples.scenario"
    assert "0 failed, 0 errors" in call(programs / "truthsayer", "check", example, cwd=folder)
