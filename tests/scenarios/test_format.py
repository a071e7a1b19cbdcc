"""The canonical layout: it moves blanks and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios import format_text
from scenarios.check import read
from scenarios.language.errors import ScenarioError

CANONICAL = """\
scenario "Two, spaces: kept  here"
cites UPR-BOARD-003, UPR-BOARD-014

game uprising with John, Abby, Ned
card "Trial" with city icon, spy icon: agent "gain 1 spice;draw 1 card", reveal "1 sword"

given Abby has 1 troop in garrison
  and strength of John is <s>, Abby is 3

# a remark stays
when combat resolves
then rewards are John <r>, Abby second
 but Ned has 0 spice

examples
  | s  | r     |
  | 12 | first |
  | 4  | first |
"""


def words_of(text: str) -> list[object]:
    scenarios, _ = read("test.scenario", text)
    return [[line.words for line in each.lines()] for each in scenarios]


def test_canonical_text_stays() -> None:
    assert format_text("test.scenario", CANONICAL) == CANONICAL


@given(st.data())
def test_moved_blanks_come_back_and_change_no_meaning(data: st.DataObject) -> None:
    blanks = st.sampled_from(["", " ", "   ", "\t"])
    messy = []
    for line in CANONICAL.splitlines():
        indent = data.draw(blanks)
        end = data.draw(blanks)
        inner = line.strip()
        if inner and '"' not in inner and not inner.startswith(("#", "|")):
            inner = inner.replace(" ", data.draw(st.sampled_from([" ", "  ", "\t"])))
            inner = inner.replace(", ", data.draw(st.sampled_from([",", " , ", ", "])))
        messy.append(indent + inner + end)
        if not inner:
            messy += [""] * data.draw(st.integers(0, 2))
    text = "\n".join(messy)
    assert format_text("test.scenario", text) == CANONICAL
    assert words_of(text) == words_of(CANONICAL)


def test_a_file_that_cannot_be_read_is_left_alone() -> None:
    with pytest.raises(ScenarioError) as caught:
        format_text("test.scenario", CANONICAL.replace("combat resolves", "combat resolvs"))
    assert caught.value.code == "TS0101"
    assert caught.value.place is not None
    assert caught.value.place.line == 11
