"""The page of a conformance run has everything, needs nothing, and trusts no text."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from conformance.expectations import Known, judged
from conformance.report import Followed, Report
from conformance.results import FAIL
from rules_engine.kernel.errors import Place
from tests.conformance.runs import (
    COMBAT,
    HOSTILE,
    LONG,
    SPY,
    UNSEEN,
    WALL,
    by_ruling,
    divergence,
    hostile,
    one_of_each,
    report,
    result,
)
from tests.truthsayer.pages import Page
from truthsayer.reports.conform_page import MOST_ROWS, conform_page, side_by_side


@pytest.fixture
def run() -> Report:
    """A run in which a case ends in every way."""
    return report(*one_of_each(), followed=(Followed("ties", "shared", 1),))


def shown(found: Report) -> str:
    """The page of a run of which nothing is expected."""
    return conform_page(found, judged(found))


def test_the_head_tells_what_the_first_lines_of_the_text_do(run: Report) -> None:
    text = shown(run)
    for part in (
        "<h1>Conformance: sand 1.2</h1>",
        "sand 1.2: 2 of 3 rules reached (66 %), 0 hold; 1 not without position",
        "6 cases: 1 pass, 2 fail, 1 crashed, 1 timed out, 1 unsupported",
        "verdict: 3 cases fail",
        "follows ties = shared (explains 1 case)",
    ):
        assert part in text, part


def test_every_rule_has_its_state_and_its_cases(run: Report) -> None:
    page = Page(shown(run))
    classes = {each["id"]: each["class"] for each in page.all("article")}
    assert [classes[rule] for rule in (COMBAT, WALL, SPY)] == [
        "rule fails", "rule unreached", "rule fails",
    ]  # fmt: skip
    combat = page.articles[COMBAT]
    for part in ("Intrigue first, then resolution", "Uprising rulebook", "good", "pass", "other"):
        assert part in combat, part
    assert "deaf" in page.articles[WALL]
    assert "unsupported" in page.articles[WALL]
    assert "no answer in 5 s" in page.articles["other-3-0"]


def test_a_divergence_is_told_under_the_rule_that_decides_it() -> None:
    elsewhere = result("a", FAIL, rules=(SPY,), divergence=divergence(rules=(WALL, COMBAT)))
    page = Page(shown(report(elsewhere)))
    for part in (
        "after input 2, field `players.0.water`",
        'Abby passes  {"do": {"action": "pass", "by": 0}}',
        "Expected",
        'scenario "Abby has 3 water"',
        f"also: {COMBAT}",
    ):
        assert part in page.articles[WALL], part
        assert part not in page.articles[SPY]
    assert f"fail, see {WALL}" in page.articles[SPY]


def test_a_rule_that_the_product_does_not_have_is_told_all_the_same() -> None:
    odd = result("a", FAIL, divergence=divergence(rules=("UPR-ROUND-003",)))
    page = Page(shown(report(odd)))
    assert "Turn order" in page.articles["UPR-ROUND-003"]


def test_a_rule_that_is_kept_but_for_a_ruling_holds() -> None:
    page = Page(shown(report(by_ruling("a"))))
    assert {each["id"]: each["class"] for each in page.all("article")}[COMBAT] == "rule holds"


def test_what_excuses_a_divergence_is_told(run: Report) -> None:
    known = [Known("bad", "our ties", Place("known.txt", 1))]
    text = Page(conform_page(run, judged(run, known))).articles[COMBAT]
    assert "fails as expected: our ties" in text
    assert "follows ties = shared" in text


def test_the_table_counts_by_chapter(run: Report) -> None:
    text = re.sub(r"\s*\n\s*", "", shown(run))
    rows = dict(re.findall(r'<a href="#chapter-\d">(.*?)</a></th>(.*?)</tr>', text))
    counts = {name: re.findall(r"<td[^>]*>(\d+)</td>", row) for name, row in rows.items()}
    assert counts == {
        "combat": ["1", "0", "1", "0", "2"],
        "shield wall": ["1", "0", "0", "1", "0"],
        "spies": ["1", "0", "1", "0", "1"],
        "no rule": ["0", "0", "0", "0", "1"],
    }
    (total,) = re.findall(r"<tfoot>.*?</tfoot>", text)
    assert re.findall(r"<td[^>]*>(\d+)</td>", total) == ["3", "0", "2", "1", "4"]


def test_the_page_counts_the_rules_that_the_first_line_does(run: Report) -> None:
    odd = result("odd", FAIL, divergence=divergence(rules=("UPR-ROUND-003",)))
    for found in (run, report(odd), report(*run.results, odd)):
        text = re.sub(r"\s*\n\s*", "", shown(found))
        (total,) = re.findall(r"<tfoot>.*?</tfoot>", text)
        all_, hold, fail, *_ = map(int, re.findall(r"<td[^>]*>(\d+)</td>", total))
        assert (hold + fail, all_) == (len(found.reached), len(found.rules))


# Side by side


def test_lists_are_shown_item_by_item_and_what_differs_first() -> None:
    expected, got = ["dagger", "dune", "spice"], ["spice", "dagger", "dagger", "worm"]
    assert side_by_side(expected, got) == [
        ("", "dagger"),
        ("dune", ""),
        ("", "worm"),
        ("dagger", "dagger"),
        ("spice", "spice"),
    ]


def test_tables_are_shown_key_by_key() -> None:
    assert side_by_side({"a": 1, "b": [2]}, {"c": "3", "a": 1}) == [
        ("b: [2]", ""),
        ("", 'c: "3"'),
        ("a: 1", "a: 1"),
    ]


def test_other_values_are_a_row() -> None:
    assert side_by_side(3, "3") == [("3", '"3"')]
    assert side_by_side([1], None) == [("[1]", "null")]


def test_a_list_without_end_is_cut() -> None:
    rows = side_by_side(["dune"], [str(each) for each in range(100_000)])
    assert len(rows) == MOST_ROWS + 1
    assert rows[-1] == ("… (99801 more)", "… (99801 more)")


def test_what_differs_is_marked() -> None:
    found = divergence(expected=["dune", "spice"], got=["spice"])
    text = re.sub(r"\s*\n\s*", "", shown(report(result("a", FAIL, divergence=found))))
    assert '<td class="differs">dune</td><td class="differs"></td>' in text
    assert "<td>spice</td><td>spice</td>" in text


# The page itself


def test_elements_are_closed_and_ids_are_unique(run: Report) -> None:
    for found in (run, report(), hostile(HOSTILE)):
        page = Page(shown(found))
        assert page.open == []
        ids = Counter(attributes["id"] for _, attributes in page.tags if "id" in attributes)
        assert [id_ for id_, count in ids.items() if count > 1] == []
        targets = [(each["href"] or "").removeprefix("#") for each in page.all("a")]
        assert set(targets) <= set(ids)


def test_the_page_needs_nothing_but_itself(run: Report) -> None:
    text = shown(run)
    page = Page(text)
    assert not re.search(r"https?:|//[a-z]|@import|url\(", text)
    assert not [name for name, attributes in page.tags if "src" in attributes]
    assert page.all("link") == []


def test_who_listens_to_the_page_is_told_what_it_shows(run: Report) -> None:
    page = Page(shown(run))
    assert all(each.get("scope") in ("col", "row") for each in page.all("th"))
    assert len(page.all("caption")) == len(page.all("table")) == 3
    assert len(page.all("h2")) == len(page.all("section"))
    labelled = {each["for"] for each in page.all("label")}
    assert {each["id"] for each in page.all("input") + page.all("select")} == labelled


def test_the_filter_offers_the_states(run: Report) -> None:
    page = Page(shown(run))
    offered = {each["value"] for each in page.all("option")}
    assert offered == {"rule", "holds", "fails", "unreached"}
    classes = {word for each in page.all("article") for word in (each["class"] or "").split()}
    assert classes <= offered


@pytest.mark.parametrize("text", [HOSTILE, UNSEEN, LONG], ids=["hostile", "unseen", "long"])
def test_no_text_is_taken_for_html(text: str) -> None:
    found = hostile(text)
    made = shown(found)
    page = Page(made)
    assert page.open == []
    assert len(page.all("script")) == len(page.all("form")) == 1
    assert made.replace("\n", "").isprintable()
    made.encode()
    assert len(made) < 200_000


def test_a_hostile_text_is_shown_as_it_is() -> None:
    page = Page(shown(hostile(HOSTILE)))
    told = "".join(page.articles.values())
    assert told.count(HOSTILE) > 10
