"""Files with a slip in them: whatever it is, it is told as a mistake, at its place, with a help."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scenarios
from tests.scenarios.error_fixtures import problems
from truthsayer.codes import CODES
from truthsayer.v1.common_pb2 import Problem

LIBRARY = Path(scenarios.__file__).parent / "library"
WORD = re.compile(r'"[^"]*"|<\w+>|[\w\'-]+|\S')
NUMBER = re.compile(r"\b\d+\b")


def texts_of(folder: Path) -> list[str]:
    """Every scenario below a folder, as a text of its own."""
    return [
        text
        for path in sorted(folder.rglob("*.scenario"))
        for text in re.split(r"(?m)^(?=scenario )", path.read_text(encoding="utf-8"))
        if text.startswith("scenario ")
    ]


SCENARIOS = texts_of(LIBRARY)
SIGNS = tuple('"|<>,:.#7é')


def edited_line(line: str, kind: str, draw: st.DrawFn) -> str:
    """A line with one slip in it."""
    found = list(WORD.finditer(line))
    at = draw(st.integers(0, len(found) - 1))
    start, end = found[at].span()
    word = found[at].group()
    match kind:
        case "a word is missing":
            return line[:start] + line[end:]
        case "a word is there twice":
            return f"{line[:end]} {word}{line[end:]}"
        case "two words changed places" if at:
            before = found[at - 1]
            between = line[before.end() : start]
            return line[: before.start()] + word + between + before.group() + line[end:]
        case "a letter is missing":
            letter = draw(st.integers(start, end - 1))
            return line[:letter] + line[letter + 1 :]
        case "another number":
            return NUMBER.sub(str(draw(st.sampled_from((0, 1, 13, 99)))), line)
        case "capitals":
            return line[:start] + word.swapcase() + line[end:]
        case "a sign too many":
            sign = draw(st.sampled_from(SIGNS))
            return f"{line[:start]}{sign}{line[start:]}"
    return line.replace('"', "", 1)


KINDS = (
    "a word is missing",
    "a word is there twice",
    "two words changed places",
    "a letter is missing",
    "another number",
    "capitals",
    "a sign too many",
    "a quotation mark is missing",
)


@st.composite
def mistaken(draw: st.DrawFn) -> str:
    """A scenario of the library with a slip in it."""
    lines = draw(st.sampled_from(SCENARIOS)).splitlines()
    written = [at for at, line in enumerate(lines) if line.strip()]
    at = draw(st.sampled_from(written))
    kind = draw(
        st.sampled_from((*KINDS, "a line is missing", "two lines changed places", "pasted"))
    )
    if kind == "a line is missing":
        del lines[at]
    elif kind == "two lines changed places":
        other = draw(st.sampled_from(written))
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == "pasted":
        lines.insert(at, draw(st.sampled_from(draw(st.sampled_from(SCENARIOS)).splitlines())))
    else:
        lines[at] = edited_line(lines[at], kind, draw)
    return "\n".join(lines) + "\n"


def check_told_well(text: str, found: list[Problem]) -> None:
    """Each problem has a code of the table, a place in the file, a message and a help."""
    lines = text.split("\n")
    for each in found:
        assert each.code in CODES
        assert each.code != "TS0190", each.message
        assert 1 <= each.line < len(lines)
        assert 1 <= each.column <= len(lines[each.line - 1]) + 1
        assert each.message
        assert each.help, f"{each.code}: {each.message}"
    # A row of a table may fail in several of the lines that it is for.
    told = [(each.line, each.column, each.code, each.message) for each in found]
    assert len(set(told)) == len(told), "one place has the same mistake twice"


@settings(max_examples=600, derandomize=True)
@given(mistaken())
def test_a_slip_is_told_as_a_mistake_with_its_place_and_a_help(text: str) -> None:
    check_told_well(text, problems("slip.scenario", text))


@settings(max_examples=200, derandomize=True)
@given(st.lists(mistaken(), min_size=2, max_size=3))
def test_slips_in_several_scenarios_of_a_file_are_told_too(texts: list[str]) -> None:
    text = "".join(texts)
    check_told_well(text, problems("slips.scenario", text))


@pytest.mark.parametrize("without", ["scenario", "game"])
def test_a_file_that_lacks_its_most_important_line_has_one_mistake(without: str) -> None:
    for text in SCENARIOS[::40]:
        kept = [line for line in text.splitlines() if not line.startswith(without + " ")]
        found = problems("lacks.scenario", "\n".join(kept) + "\n")
        assert [each.code for each in found] == ["TS0105" if without == "scenario" else "TS0106"]


def test_a_section_that_is_not_begun_is_one_mistake() -> None:
    """`and` where `then` is meant: the lines below it are read as if it had been written."""
    for text in SCENARIOS[::25]:
        if text.count("\nthen ") == 1 and "\nwhen " in text and "<" not in text:
            found = problems("begun.scenario", text.replace("\nthen ", "\n and "))
            assert [(each.code, each.help) for each in found] == [
                ("TS0105", "write `then` instead of `and`")
            ], text


def test_rows_of_another_table_are_one_mistake_and_change_nothing_of_the_first() -> None:
    text = (
        'scenario "A"\n'
        "game uprising with John, Abby, Ned\n"
        "given John has <spice> spice\n"
        "then John has <spice> spice\n"
        "examples\n"
        "| spice |\n"
        "| 1     |\n"
        "but John has 0 water\n"
        "| water | spice |\n"
        "| 1     | 2     |\n"
    )
    (found,) = problems("a.scenario", text)
    assert (found.code, found.line) == ("TS0105", 9)
