"""The canonical layout: it moves blanks and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from lark.grammar import Rule

from scenarios import format_text
from scenarios.check import read
from scenarios.imperium.names import vocabulary
from scenarios.language.errors import ScenarioError
from scenarios.language.read import Reader
from scenarios.language.statements import JOINERS, SECTIONS
from tests.scenarios.grammar_lines import alternatives, lines, lines_through

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


# Files made by the grammar

BLANKS = st.sampled_from([" ", "  ", "\t"])


@st.composite
def files(draw: st.DrawFn) -> str:
    """A file with lines of every section, in a layout that nobody would choose."""
    out = ['scenario "drawn"']
    for section in SECTIONS:
        for number in range(draw(st.integers(0, 2))):
            words = draw(lines(section))
            out += [""] * draw(st.integers(0, 2)) + draw(st.sampled_from([[], ["# a remark"]]))
            begin = section if number == 0 else draw(st.sampled_from(JOINERS))
            text = draw(BLANKS).join([begin, *words])
            out.append(draw(st.sampled_from(["", "   ", "\t"])) + text + draw(BLANKS))
    return draw(st.sampled_from(["\n", "\r\n"])).join(out)


def read_words(text: str) -> list[object]:
    reader = Reader("drawn.scenario", text, vocabulary("uprising"))
    reader.read()
    assert reader.problems == []
    return [
        (each.title, [(line.section, line.words) for line in each.lines()])
        for each in reader.scenarios
    ]


QUICK = settings(
    max_examples=150,
    deadline=None,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


@QUICK
@given(files())
def test_what_the_grammar_makes_is_read_printed_and_read_the_same(text: str) -> None:
    laid_out = format_text("drawn.scenario", text)
    assert read_words(laid_out) == read_words(text)
    assert format_text("drawn.scenario", laid_out) == laid_out


@pytest.mark.parametrize("rule", alternatives(), ids=str)
def test_each_alternative_of_the_grammar_is_read_printed_and_read_the_same(rule: Rule) -> None:
    read_at_all = []

    @settings(QUICK, max_examples=3, derandomize=True)
    @given(lines_through(rule))
    def check(line: tuple[str, list[str]]) -> None:
        start, words = line
        keyword = next((each for each, name in SECTIONS.items() if name == start), "")
        text = "\n".join(('scenario "drawn"', "  ".join(filter(None, [keyword, *words]))))
        reader = Reader("drawn.scenario", text, vocabulary("uprising"))
        reader.read()
        # Bounds of `for any` may be the wrong way round.
        assume(all(problem.code == "TS0125" for problem in reader.problems))
        assume(not reader.problems)
        read_at_all.append(text)
        laid_out = format_text("drawn.scenario", text)
        assert read_words(laid_out) == read_words(text)

    check()
    assert read_at_all


@pytest.mark.parametrize(
    ("messy", "neat"),
    [
        ("where   n>1and n <= 3", "where n > 1 and n <= 3"),
        ("for any n ,m from 0", "for any n, m from 0"),
        ("then John has  12-n   spice", "then John has 12 - n spice"),
        ('given John has hand "A , B"  ,"C:D"', 'given John has hand "A , B", "C:D"'),
        ("then John has <a>  spice", "then John has <a> spice"),
        ("then Zoë  has 1 spice", "then Zoë has 1 spice"),
    ],
)
def test_words_and_signs_stand_apart(messy: str, neat: str) -> None:
    head = 'scenario "x"\ngame uprising with John, Zoë, Ned\n'
    table = "\nexamples\n  | a |\n  | 1 |\n" if "<a>" in messy else ""
    assert format_text("x", head + messy + table).splitlines()[2] == neat
