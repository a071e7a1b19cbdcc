"""The sentences of the protocol's page, and the tests that back them.

`protocol_sentences.toml` has the beginning of every sentence with the tests that would fail if it
were not true. A row of a table is a sentence, too.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "conformance.md"
TABLE = Path(__file__).with_name("protocol_sentences.toml")

END = re.compile(r"(?<=[.!?])(?:\*\*)? +(?=[A-Z`*\"“])")
"""Where one sentence ends and another begins."""

ITEM = re.compile(r"(?:[-*]|\d+\.) +")


def backed() -> dict[str, list[str]]:
    """The tests behind each beginning of a sentence."""
    sections = tomllib.loads(TABLE.read_text("utf-8"))
    return {
        beginning: [tests] if isinstance(tests, str) else tests
        for section in sections.values()
        for beginning, tests in section.items()
    }


def sentences(text: str) -> list[str]:
    """Every sentence of a page, without its headings and blocks of code."""
    parts = (" ".join(part.split()) for part in _paragraphs(text))
    return [each for part in parts for each in END.split(part) if each]


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs, items of lists and rows of tables, each on one line."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for block in re.split(r"\n{2,}", prose):
        lines = block.strip().splitlines()
        if not lines or lines[0].startswith("#") or re.fullmatch(r"\(\w+(-\w+)*\)=", lines[0]):
            continue
        if lines[0].startswith("|"):
            yield from lines[2:]
        else:
            yield from _items(lines)


def _items(lines: Iterable[str]) -> Iterator[str]:
    """An item of a list begins at its mark; all other lines go on."""
    found = ""
    for line in lines:
        if ITEM.match(line) and found:
            yield found
            found = ""
        found = f"{found} {ITEM.sub('', line, count=1) if ITEM.match(line) else line}".strip()
    yield found


def unbacked(text: str, table: Iterable[str]) -> list[str]:
    """The sentences that not exactly one beginning of a table fits."""
    beginnings = list(table)
    return [
        each for each in sentences(text) if sum(each.startswith(one) for one in beginnings) != 1
    ]


def stale(text: str, table: Iterable[str]) -> list[str]:
    """The beginnings that no sentence has, or more than one."""
    every = sentences(text)
    return [one for one in table if sum(each.startswith(one) for each in every) != 1]


def missing(tests: Iterable[str]) -> list[str]:
    """The tests, told as `folder/file.py::function`, that there are not."""
    return [each for each in tests if each.partition("::")[2] not in _functions(each)]


def _functions(test: str) -> set[str]:
    file = TESTS / test.partition("::")[0]
    if not file.is_file():
        return set()
    tree = ast.parse(file.read_text("utf-8"))
    return {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}
