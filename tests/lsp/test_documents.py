"""Edits and positions of a document, in whatever units an editor counts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.workspace import PositionCodec

from scenarios.results import Problem
from truthsayer.lsp.diagnostics import diagnostic, word_at
from truthsayer.lsp.documents import Document

ENCODINGS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}

texts = st.text(st.sampled_from('ab"é→🐛\n\r\x0c\x1c\x85\u2028'), max_size=30)


def document(text: str, encoding: str = "utf-16") -> Document:
    return Document("file:///a/b%20c.scenario", text, 1, PositionCodec(encoding))


def units(text: str, encoding: str) -> int:
    """How many units a text has, by Python's own encoders."""
    return len(text.encode(ENCODINGS[encoding])) // BYTES[encoding]


def lines_of(text: str) -> list[str]:
    return re.split("\r\n|\r|\n", text)


@given(texts, st.sampled_from(sorted(ENCODINGS)), st.data())
def test_a_position_and_its_place_are_one(text: str, encoding: str, data: st.DataObject) -> None:
    opened = document(text, encoding)
    line = data.draw(st.integers(0, len(opened.lines) - 1))
    column = data.draw(st.integers(0, len(opened.lines[line])))
    position = opened.position(line, column)
    assert position == types.Position(line, units(opened.lines[line][:column], encoding))
    assert opened.place(position) == (line, column)


@given(texts, texts, st.sampled_from(sorted(ENCODINGS)), st.data())
def test_an_edit_does_what_it_does_to_the_text(
    text: str, new: str, encoding: str, data: st.DataObject
) -> None:
    opened = document(text, encoding)
    line = data.draw(st.integers(0, len(opened.lines) - 1))
    last = data.draw(st.integers(line, len(opened.lines) - 1))
    start = data.draw(st.integers(0, len(opened.lines[line])))
    low = start if last == line else 0
    end = data.draw(st.integers(low, len(opened.lines[last])))
    span = types.Range(opened.position(line, start), opened.position(last, end))
    plain = "\n".join(opened.lines)
    before = "\n".join([*opened.lines[:line], opened.lines[line][:start]])
    after = "\n".join([opened.lines[last][end:], *opened.lines[last + 1 :]])
    assert plain.startswith(before)
    assert plain.endswith(after)
    opened.change(types.TextDocumentContentChangePartial(text=new, range=span))
    assert opened.text == before + "\n".join(lines_of(new)) + after


@pytest.mark.parametrize(
    ("line", "character", "place"),
    [(0, 99, (0, 2)), (9, 0, (1, 1)), (1, 99, (1, 1)), (0, 1, (0, 1))],
)
def test_a_position_beyond_the_end_is_at_the_end(
    line: int, character: int, place: tuple[int, int]
) -> None:
    assert document("🐛a\nb").place(types.Position(line, character)) == place


def test_a_document_is_called_by_its_file() -> None:
    assert document("").name == "b c.scenario"
    assert Document("untitled:", "", 1, PositionCodec()).name == "untitled.scenario"


# What is underlined


@pytest.mark.parametrize(
    ("line", "column", "word"),
    [
        ("then Abby has 1 spise", 16, "spise"),
        ('has hand "Dagge", "x"', 9, '"Dagge"'),
        ("is <few>, Abby", 3, "<few>"),
        ("a, b", 0, "a"),
        ("then Abby has", 13, "s"),
        ("then Abby has   ", 15, "s"),
        ("then , b", 5, ","),
        ("", 0, ""),
        ("", 7, ""),
        ("short", 99, "t"),
        ('has "open', 4, '"'),
    ],
)
def test_the_word_at_a_column_is_underlined(line: str, column: int, word: str) -> None:
    start, end = word_at(line, column)
    assert line[start:end] == word


def test_a_problem_beyond_the_document_is_shown_at_its_end() -> None:
    problem = Problem("TS0190", "gone", "a.scenario", 99, rules=("UPR-WALL-003", "NO-SUCH-1"))
    shown = diagnostic(document("one\ntwo"), problem)
    assert (shown.range.start.line, shown.range.end.character) == (1, 3)
    assert shown.message.splitlines()[-1] == "rule: NO-SUCH-1"


def test_what_the_verifier_cannot_settle_is_a_warning() -> None:
    unknown = diagnostic(document("x"), Problem("TS0123", "unknown", "a.scenario", 1))
    assert unknown.severity == types.DiagnosticSeverity.Warning
