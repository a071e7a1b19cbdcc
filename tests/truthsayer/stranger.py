"""A repository of somebody else's, with scenarios, and what its tests say."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from truthsayer.cli.group import PACKAGES

ONE_LINE = "truthsayer_scenarios = true"
"""All the configuration that the plugin needs."""

HOLDS = """\
scenario "John fights as hard as he can"
game uprising with John, Abby, Ned
first player John
conflict "Secure Imperial Basin"

given John has 3 troops in garrison
  and John has hand "Dune, the Desert Planet"

when John plays "Dune, the Desert Planet" to Imperial Basin
then John gains 1 spice
"""
FAILS = HOLDS.replace("John fights", "John hopes").replace("gains 1", "gains 2")
PROVED = """\
scenario "A tie for first is no victory"
game uprising with John, Abby, Ned
for any j, a, n from 0
where j = a and j > 0 and j > n
given strength of John is j, Abby is a, Ned is n
when combat resolves
then nobody wins the conflict
"""

OWN_PACKAGES = (*PACKAGES, "tests")
"""Packages of the stranger's that are called like ours."""

OWN_TEST = """\
import conformance, rules_engine, scenarios, server, verifier


def test_own_packages():
    mine = (rules_engine, scenarios, server, verifier)
    assert [each.OWNER for each in mine] == ["a stranger"] * 4
"""


class Said(NamedTuple):
    """What a test run said: the failures by the name of the test, none of those that passed."""

    exit_code: int
    output: str
    failures: dict[str, str]
    skipped: dict[str, str]
    """The reason for each test that was skipped."""

    @property
    def passed(self) -> set[str]:
        """The tests that passed."""
        return {name for name, failure in self.failures.items() if not failure} - {*self.skipped}

    @property
    def failed(self) -> set[str]:
        """The tests that failed."""
        return {name for name, failure in self.failures.items() if failure}


def repository(folder: Path, files: Mapping[str, str | bytes], line: str = ONE_LINE) -> Path:
    """Write a repository with packages called like ours, a test of them, and some files."""
    for package in OWN_PACKAGES:
        (folder / package).mkdir(parents=True)
        (folder / package / "__init__.py").write_text('OWNER = "a stranger"\n')
    own: dict[str, str | bytes] = {
        "tests/test_own.py": OWN_TEST,
        "pytest.ini": f"[pytest]\n{line}\n",
    }
    for name, content in (own | dict(files)).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def environment(**more: str) -> dict[str, str]:
    """The environment of a stranger: packages are looked for where they stand, no trace of us."""
    ours = ("PYTEST", "PYTHON", "COV_", "TRUTHSAYER")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return kept | {"PYTHONPATH": "."} | more


def run_tests(python: str | Path, folder: Path, *arguments: str | Path, **variables: str) -> Said:
    """Run pytest in a folder, in a process of its own."""
    report = folder / "junit.xml"
    report.unlink(missing_ok=True)
    done = subprocess.run(
        [python, "-m", "pytest", f"--junitxml={report}", *arguments],
        cwd=folder,
        env=environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    failures: dict[str, str] = {}
    skipped: dict[str, str] = {}
    if report.exists():
        for case in ElementTree.parse(report).iter("testcase"):
            name = str(case.get("name"))
            failures[name] = "".join(
                f"{each.get('message')}\n{each.text}" for each in case if each.tag != "skipped"
            )
            for each in case.findall("skipped"):
                skipped[name] = str(each.get("message"))
    return Said(done.returncode, done.stdout, failures, skipped)
