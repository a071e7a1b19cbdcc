"""The VS Code extension: it builds, its grammar colours what the language has, and it packs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from scenarios.language.statements import STARTERS
from tests.node import WHEEL_NODE

EXTENSION = Path(__file__).parents[2] / "scenarios" / "editors" / "vscode"
KEYWORDS = STARTERS


def npm(folder: Path, *arguments: str, node: Path | None = None) -> str:
    """Run npm: with the node given, else the machine's, else the wheel's."""
    if node is None and shutil.which("npm") is None:
        node = WHEEL_NODE
    path = os.environ.get("PATH", "")
    path = f"{node}{os.pathsep}{path}" if node else path
    program = shutil.which("npm", path=path)
    assert program is not None
    done = subprocess.run(
        [program, *arguments],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the extension with the packages of its lock file."""
    folder = tmp_path_factory.mktemp("extension") / "vscode"
    ignored = shutil.ignore_patterns("node_modules", "dist", "*.vsix")
    shutil.copytree(EXTENSION, folder, ignore=ignored)
    npm(folder, "ci")
    return folder


pytestmark = pytest.mark.timeout(900)


def test_it_builds_is_tested_and_packs_what_it_needs(installed: Path) -> None:
    npm(installed, "run", "build")
    assert "exports" in (installed / "dist" / "extension.js").read_text(encoding="utf-8")
    tested = npm(installed, "test")
    assert re.search(r"^# pass [1-9]", tested, re.MULTILINE)
    assert "# fail 0" in tested
    npm(installed, "run", "package")
    with zipfile.ZipFile(installed / "truthsayer-scenario.vsix") as packed:
        names = {name.removeprefix("extension/") for name in packed.namelist()}
    assert {
        "package.json",
        "language-configuration.json",
        "dist/extension.js",
        "syntaxes/scenario.tmLanguage.json",
    } <= names
    assert not any("node_modules" in name or name.startswith(("src", "test")) for name in names)


def test_the_node_of_the_wheel_builds_it_as_well(installed: Path) -> None:
    (installed / "dist" / "extension.js").unlink(missing_ok=True)
    npm(installed, "run", "build", node=WHEEL_NODE)
    assert (installed / "dist" / "extension.js").is_file()


def test_a_fault_in_the_grammar_is_found(installed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "vscode"
    shutil.copytree(installed, folder, ignore=shutil.ignore_patterns("node_modules"))
    (folder / "node_modules").symlink_to(installed / "node_modules")
    grammar = folder / "syntaxes" / "scenario.tmLanguage.json"
    text = grammar.read_text(encoding="utf-8")
    grammar.write_text(text.replace("given|when", "given|wenn"), encoding="utf-8")
    with pytest.raises(AssertionError, match=r"keyword\.control\.section"):
        npm(folder, "test")


# Without node


def keyword_patterns() -> list[str]:
    """The patterns of words that begin a line."""
    grammar: dict[str, Any] = json.loads(
        (EXTENSION / "syntaxes" / "scenario.tmLanguage.json").read_text(encoding="utf-8")
    )
    return [grammar["repository"][name]["match"] for name in ("header", "quantifier", "section")]


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_every_word_that_begins_a_line_is_coloured(keyword: str) -> None:
    found = [re.match(pattern, f"  {keyword} more") for pattern in keyword_patterns()]
    assert [match[1] for match in found if match] == [keyword]


def test_a_word_that_begins_no_line_is_not_coloured() -> None:
    assert not any(re.match(pattern, "troops in garrison") for pattern in keyword_patterns())


def test_the_language_is_the_one_that_the_extension_starts_the_server_for() -> None:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    (language,) = package["contributes"]["languages"]
    (grammar,) = package["contributes"]["grammars"]
    assert language["extensions"] == [".scenario"]
    assert language["id"] == grammar["language"]
    assert f'"{language["id"]}"' in (EXTENSION / "src" / "extension.ts").read_text("utf-8")
    assert (EXTENSION / grammar["path"]).is_file()


def test_the_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (EXTENSION / "package-lock.json").read_text(encoding="utf-8")
