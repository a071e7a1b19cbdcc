"""No file tells of the machine it was written on, and no rule file names a card."""

import ast
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules_engine.rulebook.index import rules

ROOT = Path(__file__).parents[2]

SKIPPED = {
    ".git",
    ".hypothesis",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".venv",
    "__pycache__",
    "build",
    "dist",
    "node_modules",
}
"""Folders that are not in the repository."""

# The brackets keep this file from reporting itself.
MACHINE = re.compile(
    r"(?<![\w.~-])/(?:[w]ork|[r]oot|[h]ome|[t]mp)/"
    r"|[p]ypi\.org|[p]ythonhosted\.org|[n]pmjs\.|[-]-index-url"
    r"|[s]hared/rules|\.\./[s]hared"
)
"""A path of a machine, the host of a package registry, or the folder we took our material from."""


CARDS = {"card", "conflict", "intrigue"}
"""The tables of the catalogue that hold cards."""


def text_files(root: Path) -> Iterator[tuple[str, str]]:
    """Every text file of the tree with its content."""
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED]
        # In a worktree of git, `.git` is a file.
        for name in sorted({*files} - SKIPPED):
            path = Path(folder, name)
            try:
                yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def traces(root: Path) -> list[tuple[str, int, str]]:
    """Every place in a tree that tells of a machine: file, line and what was found."""
    return [
        (name, text.count("\n", 0, found.start()) + 1, found[0])
        for name, text in text_files(root)
        for found in MACHINE.finditer(text)
    ]


def card_names(catalogue: Path) -> set[str]:
    """The names of all cards, but for those too short to be telling.

    Board spaces are no cards: a rule may well be about one of them.
    """
    return {
        entry["name"]
        for path in catalogue.rglob("*.toml")
        for kind, entries in tomllib.loads(path.read_text(encoding="utf-8")).items()
        if kind in CARDS
        for entry in entries
        if len(entry["name"]) >= 5
    }


def named_cards(engine: Path) -> list[tuple[str, str]]:
    """The cards that rule files name: file and card."""
    names = card_names(engine / "catalogue")
    return [
        (name, card)
        for name, text in text_files(engine / "imperium")
        if name.endswith(".py")
        for card in sorted(names)
        if re.search(rf"(?<!\w){re.escape(card)}(?!\w)", text)
    ]


def test_no_file_tells_of_a_machine() -> None:
    assert traces(ROOT) == []


@pytest.mark.parametrize(
    "line",
    [
        "see /wo|rk/main",
        "HOME=/ro|ot/x",
        "'/ho|me/me/x'",
        "cd /tm|p/x",
        "https://py|pi.org/simple",
        "https://files.python|hosted.org/x",
        "--index|-url https://example.org",
        "from shared|/rules/uprising.jsonl",
        "in ../sha|red",
    ],
)
def test_a_planted_trace_is_found(line: str, tmp_path: Path) -> None:
    trace = line.replace("|", "")
    (tmp_path / "notes.md").write_text(f"first\n{trace}\n", encoding="utf-8")
    assert [(name, number) for name, number, _ in traces(tmp_path)] == [("notes.md", 2)]


def test_no_rule_file_names_a_card() -> None:
    assert card_names(ROOT / "rules_engine" / "catalogue")
    assert named_cards(ROOT / "rules_engine") == []


def test_a_planted_card_name_is_found(tmp_path: Path) -> None:
    (tmp_path / "catalogue" / "uprising").mkdir(parents=True)
    (tmp_path / "imperium").mkdir()
    cards = (
        '[[card]]\nname = "Rebel Supplier"\n[[card]]\nname = "Duke"\n[[space]]\nname = "Arrakeen"\n'
    )
    (tmp_path / "catalogue" / "uprising" / "cards.toml").write_text(cards, encoding="utf-8")
    rule = (
        'def recruit(card: str) -> bool:\n    return card == "Rebel Supplier"  # Duke of Arrakeen\n'
    )
    (tmp_path / "imperium" / "units.py").write_text(rule, encoding="utf-8")
    assert named_cards(tmp_path) == [("units.py", "Rebel Supplier")]


def late_citations(folder: Path) -> list[tuple[str, int]]:
    """Calls of `cite` inside functions, where an unknown id would show only when they run."""
    return [
        (file.name, call.lineno)
        for file in sorted(folder.glob("*.py"))
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef | ast.Lambda)
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "cite"
    ]


def test_rules_are_cited_where_loading_checks_them() -> None:
    assert late_citations(ROOT / "rules_engine" / "imperium") == []


def test_a_planted_late_citation_is_found(tmp_path: Path) -> None:
    rule = 'EARLY = cite("UPR-UNIT-001")\n\n\ndef late():\n    return cite("UPR-UNIT-002")\n'
    (tmp_path / "units.py").write_text(rule, encoding="utf-8")
    assert late_citations(tmp_path) == [("units.py", 5)]


PACKAGES = ("rules_engine", "scenarios", "verifier", "server", "truthsayer")
RULE_ID = re.compile(r"\b(?:UPR|RIV|SIX|BASE|HAG|IX|ARR)-[A-Z0-9]+-[0-9]{3}\b")


def unknown_rules(text: str) -> set[str]:
    """Rule ids in a text that the index does not have."""
    return set(RULE_ID.findall(text)) - {each.id for each in rules()}


def test_every_rule_id_in_the_source_exists() -> None:
    files = [file for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    found = {file: unknown_rules(file.read_text(encoding="utf-8")) for file in files}
    assert {name: ids for name, ids in found.items() if ids} == {}
    assert unknown_rules("see UPR-WALL-003 and UPR-WALL-999") == {"UPR-WALL-999"}
