"""The page of `truthsayer prove --html` has everything, needs nothing, and trusts no text."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.truthsayer.pages import Page
from tests.truthsayer.proofs import (
    CHECKED,
    PROVED,
    REFUTED,
    UNKNOWN,
    UNSUPPORTED,
    case,
    named,
    proofs,
    verdict,
)
from truthsayer.reports.proofs import Proofs
from truthsayer.reports.proofs_page import NO_VERDICT, proofs_page
from truthsayer.v1 import verifier_pb2

HOSTILE = "<script>alert('$title & \"all\"')</script> ${x} </article> -->"


def cells(text: str) -> dict[tuple[str, str], tuple[str, str]]:
    """The mark and the tooltip of each cell of the first matrix, by property and case."""
    matrix = text.partition('<div class="wide matrix"')[2].partition("</div>")[0]
    columns = re.findall(r"<span>(.*?)</span>", matrix)
    found = {}
    for row in matrix.partition("<tbody>")[2].split("</tr>")[:-1]:
        (name,) = re.findall(r'href="#(.*?)"', row)
        marks = re.findall(r'<abbr title="(.*?)">(.*?)</abbr>', row)
        assert len(marks) == len(columns)
        for column, (tip, mark) in zip(columns, marks, strict=True):
            found[name, column] = mark, tip
    return found


@pytest.fixture
def run() -> Proofs:
    """A run with every verdict, in two chapters, with a family."""
    order = verifier_pb2.PROPERTY_KIND_ORDER
    data = verifier_pb2.PROPERTY_KIND_DATA_CHECK
    kept = [case("step Pass"), case("step Reveal", granted=["nobody has revealed"])]
    broken = [case("step Pass"), case("step Reveal", REFUTED, detail="it does not hold that x")]
    return proofs(
        (verdict("one_comes_first", confirmed=True), named("one_comes_first")),
        (verdict("as_printed", CHECKED, kind=data), named("as_printed")),
        (verdict("in_order", UNKNOWN, kind=order, detail="no path"), named("in_order", "round")),
        (verdict("twelve", cases=kept), named("twelve", "invariants", family="steps")),
        (
            verdict("agents", REFUTED, cases=broken, scenario='scenario "Refuted: agents"\n'),
            named("agents", "invariants", family="steps"),
        ),
        (verdict("mended", UNSUPPORTED, rules=[], cases=[], bounds="nothing"), None),
    )


def test_every_property_has_all_about_it(run: Proofs) -> None:
    page = Page(proofs_page(run))
    assert list(page.articles) == [each.name for each in run.verdicts]
    text = page.articles["one_comes_first"]
    for part in (
        "theorem",
        "proved, confirmed",
        "Unsatisfiable iff one_comes_first.",
        "More about it.",
        "covers: all numbers",
        "UPR-WALL-003",
        "table 3",
        "proved, 2 paths",
        "units.recruit",
        "verifier/properties/combat.py:12",
        "if combat: `a` becomes `b`",
    ):
        assert part in text, part
    assert "data check" in page.articles["as_printed"]
    assert "proved" not in page.articles["as_printed"]
    assert "no path" in page.articles["in_order"]
    assert 'scenario "Refuted: agents"' in page.articles["agents"]
    assert "verifier/properties/mended.py:1" in page.articles["mended"]


def test_the_table_counts_by_chapter_and_verdict(run: Proofs) -> None:
    text = re.sub(r"\s*\n\s*", "", proofs_page(run))
    (total,) = re.findall(r"<tfoot>.*?</tfoot>", text)
    assert re.findall(r"<td[^>]*>(\d+)</td>", total)[:6] == ["6", "2", "1", "1", "1", "1"]
    chapters = re.findall(r'href="#chapter-(.*?)"', text)
    assert chapters == ["combat", "round", "invariants", "mended"]


def test_a_family_is_a_matrix_of_verdicts_with_what_they_rest_on(run: Proofs) -> None:
    found = cells(proofs_page(run))
    assert {at: mark for at, (mark, _) in found.items()} == {
        ("twelve", "step Pass"): "✓",
        ("twelve", "step Reveal"): "✓",
        ("agents", "step Pass"): "✓",
        ("agents", "step Reveal"): "✗",
    }
    tip = "step Reveal: proved, 2 paths; takes for granted that nobody has revealed; rests on "
    assert found["twelve", "step Reveal"][1] == f"{tip}units.recruit"
    assert "it does not hold that x" in found["agents", "step Reveal"][1]
    assert "steps: 3 of 4 cells proved or checked" in proofs_page(run)


def test_a_cell_without_a_verdict_is_seen() -> None:
    few = verdict("few", cases=[case("step Pass")])
    many = verdict("many", cases=[case("step Pass"), case("step Reveal")])
    text = proofs_page(
        proofs((few, named("few", family="steps")), (many, named("many", family="steps")))
    )
    assert cells(text)["few", "step Reveal"] == ("-", NO_VERDICT)
    assert "steps: 3 of 4 cells proved or checked" in text


def test_each_family_has_a_matrix_and_others_have_none(run: Proofs) -> None:
    assert proofs_page(run).count('class="wide matrix"') == 1
    alone = proofs((verdict("alone"), named("alone")))
    assert 'class="wide matrix"' not in proofs_page(alone)
    two = [(verdict(name), named(name, family=name)) for name in ("one", "two")]
    assert proofs_page(proofs(*two)).count('class="wide matrix"') == 2


def test_elements_are_closed_and_ids_are_unique(run: Proofs) -> None:
    page = Page(proofs_page(run))
    assert page.open == []
    ids = Counter(attributes["id"] for _, attributes in page.tags if "id" in attributes)
    assert [id_ for id_, count in ids.items() if count > 1] == []
    targets = [(each["href"] or "").removeprefix("#") for each in page.all("a")]
    assert set(targets) <= set(ids)


def test_the_page_needs_nothing_but_itself(run: Proofs) -> None:
    text = proofs_page(run)
    page = Page(text)
    assert not re.search(r"https?:|//[a-z]|@import|url\(", text)
    assert not [name for name, attributes in page.tags if "src" in attributes]
    assert page.all("link") == []


def test_who_listens_to_the_page_is_told_what_it_shows(run: Proofs) -> None:
    page = Page(proofs_page(run))
    assert all(each.get("scope") in ("col", "row") for each in page.all("th"))
    assert len(page.all("caption")) == len(page.all("table")) == 2
    assert len(page.all("h2")) == len(page.all("section"))
    labelled = {each["for"] for each in page.all("label")}
    assert {each["id"] for each in page.all("input") + page.all("select")} == labelled


def test_the_filter_knows_the_kinds_and_what_is_bad(run: Proofs) -> None:
    page = Page(proofs_page(run))
    classes = [set((each["class"] or "").split()) for each in page.all("article")]
    assert [len([each for each in classes if kind in each]) for kind in ("bad", "order")] == [3, 1]
    offered = {each["value"] for each in page.all("option")}
    kinds = {"theorem", "exhaustive-check", "data-check", "order", "order-check"}
    assert offered == {"property", *kinds, "bad"}


def test_no_text_is_taken_for_html() -> None:
    bad = verdict(
        "agents", REFUTED, bounds=HOSTILE, detail=HOSTILE, scenario=HOSTILE, cases=[case(HOSTILE)]
    )
    page = Page(proofs_page(proofs((bad, named("agents", family=HOSTILE, doc=HOSTILE)))))
    assert page.open == []
    assert len(page.all("script")) == 1
    assert page.articles["agents"].count(HOSTILE) == 5


def test_a_run_of_nothing_is_a_page() -> None:
    page = Page(proofs_page(proofs()))
    assert page.open == []
    assert page.articles == {}


def test_every_verdict_has_a_mark_of_its_own() -> None:
    verdicts = [PROVED, REFUTED, UNKNOWN, UNSUPPORTED]
    found = verdict("agents", cases=[case(str(each), each) for each in verdicts])
    text = proofs_page(proofs((found, named("agents", family="steps"))))
    assert [mark for mark, _ in cells(text).values()] == ["✓", "✗", "?", "!"]
