"""The page of `truthsayer coverage --html` has everything, needs nothing, and trusts no text."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from scenarios.coverage import Coverage, Observed, full_coverage
from scenarios.naming import ENGINE, Names, property_place, rule_functions
from tests.truthsayer.pages import Page
from truthsayer.reports.coverage_page import coverage_page
from truthsayer.reports.coverage_text import NO_PROPERTY
from truthsayer.reports.page import LONGEST_LIST

HOSTILE = "<script>alert('$title & \"all\"')</script> ${x} </article> -->"


def observed(number: int = 1) -> Observed:
    """A scenario that covers a rule about the wall."""
    cites = ("UPR-WALL-003",)
    return Observed(f"wall.{number}", "wall.scenario", number, cites, True, frozenset(cites))


@pytest.fixture(scope="module")
def report() -> Coverage:
    """A report on two scenarios, one of which only cites its rule."""
    cites_only = observed(2)._replace(ran=frozenset())
    return full_coverage("uprising", [observed(), cites_only], rule_functions())


def with_one(report: Coverage, title: str, *scenarios: Observed) -> Coverage:
    """A report on one rule of another title."""
    (only,) = report.of_rule("UPR-WALL-003").rules
    renamed = msgspec.structs.replace(only.rule, title=title, statement=title, section=title)
    return Coverage("uprising", (only._replace(rule=renamed, cited_by=scenarios),), (), ())


def test_every_rule_has_an_anchor_and_all_about_it(report: Coverage) -> None:
    page = Page(coverage_page(report))
    listed = [(each.rule, each.names) for each in report.rules]
    listed += [(each.rule, each.names) for each in report.provable if each.only]
    for each, names in listed:
        text = page.articles[each.id]
        assert {each.title, each.statement, each.source()} <= set(map(str.strip, text.split("\n")))
        for function in names.functions:
            assert function.name in text
            assert function.place in text
        for named in names.properties:
            assert named.name in text
            assert property_place(named) in text
            assert f"({named.kind})" in text
        assert all(thing.name in text for thing in names.printed)
    assert len(page.articles) == len(listed)
    shown = page.articles["UPR-WALL-003"]
    assert "covered" in shown
    assert "wall.1" in shown
    assert "wall.scenario:1" in shown
    assert "wall.2 (cites it only)" in shown
    assert "no scenario cites it" in page.articles["UPR-WALL-004"]
    assert "waits for the six-player game" in page.articles["UPR-MAKER-002"]


def test_elements_are_closed_and_ids_are_unique(report: Coverage) -> None:
    page = Page(coverage_page(report))
    assert page.open == []
    ids = Counter(attributes["id"] for _, attributes in page.tags if "id" in attributes)
    assert [id_ for id_, count in ids.items() if count > 1] == []
    targets = [(each["href"] or "").removeprefix("#") for each in page.all("a")]
    assert set(targets) <= set(ids)


def test_the_page_needs_nothing_but_itself(report: Coverage) -> None:
    text = coverage_page(report)
    page = Page(text)
    assert not re.search(r"https?:|//[a-z]|@import|url\(", text)
    assert not [name for name, attributes in page.tags if "src" in attributes]
    assert page.all("link") == []
    assert all((each["href"] or "").startswith("#") for each in page.all("a"))


def test_who_listens_to_the_page_is_told_what_it_shows(report: Coverage) -> None:
    page = Page(coverage_page(report))
    assert page.all("html") == [{"lang": "en"}]
    assert all(each.get("scope") in ("col", "row") for each in page.all("th"))
    assert len(page.all("caption")) == len(page.all("h1")) == 1
    assert len(page.all("h2")) == len(page.all("section"))
    assert len(page.all("h3")) == len(page.all("article"))
    labelled = {each["for"] for each in page.all("label")}
    assert {each["id"] for each in page.all("input") + page.all("select")} == labelled


def test_without_scripts_everything_is_shown_but_the_filter(report: Coverage) -> None:
    page = Page(coverage_page(report))
    assert [name for name, attributes in page.tags if "hidden" in attributes] == ["form"]


def test_both_colour_schemes_are_there(report: Coverage) -> None:
    assert "@media (prefers-color-scheme: dark)" in coverage_page(report)


def test_the_table_counts_what_the_page_shows(report: Coverage) -> None:
    text = re.sub(r"\s*\n\s*", "", coverage_page(report))
    (total,) = re.findall(r"<tfoot>.*?</tfoot>", text)
    counts = [int(each) for each in re.findall(r"<td[^>]*>(\d+)</td>", total)]
    states = Counter(each.state for each in report.rules)
    proved = sum(bool(each.names.properties) for each in report.rules)
    assert counts == [
        len(report.rules),
        states["covered"],
        states["uncovered"],
        states["waiting"],
        proved,
    ]
    assert states["covered"] == 1
    for state, count in states.items():
        assert len(re.findall(rf'class="rule {state}\b', text)) == count


def test_no_text_is_taken_for_html(report: Coverage) -> None:
    hostile = with_one(report, HOSTILE, observed()._replace(id=HOSTILE, file=f"{HOSTILE}.scenario"))
    page = Page(coverage_page(hostile))
    assert page.open == []
    assert len(page.all("script")) == 1
    (text,) = page.articles.values()
    assert text.count(HOSTILE) == 5


def test_why_a_rule_has_no_property_is_told(report: Coverage) -> None:
    wall = next(each for each in report.provable if each.rule.id == "UPR-WALL-003")
    lacking = wall._replace(names=Names())
    page = Page(coverage_page(report._replace(provable=(lacking,))))
    assert NO_PROPERTY in page.articles["UPR-WALL-003"]
    declared = lacking._replace(unprovable="nobody can know")
    page = Page(coverage_page(report._replace(provable=(declared,))))
    assert "declared unprovable: nobody can know" in page.articles["UPR-WALL-003"]


def test_a_long_list_is_folded(report: Coverage) -> None:
    scenarios = [observed(number) for number in range(LONGEST_LIST + 1)]
    short = Page(coverage_page(with_one(report, "t", *scenarios[1:])))
    assert short.all("details") == []
    long = Page(coverage_page(with_one(report, "t", *scenarios)))
    assert len(long.all("details")) == 1
    (text,) = long.articles.values()
    assert f"{len(scenarios)} scenarios" in text
    assert all(each.id in text for each in scenarios)


def test_files_are_named_from_where_the_library_lies(report: Coverage) -> None:
    file = ENGINE.parent / "scenarios" / "library" / "a.scenario"
    text = coverage_page(with_one(report, "t", observed()._replace(file=str(file))))
    assert "scenarios/library/a.scenario:1" in text
    assert str(Path(ENGINE.parent)) not in text
