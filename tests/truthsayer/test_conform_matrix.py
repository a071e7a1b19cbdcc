"""The matrix of implementations: who keeps which rule, and where all are against us."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conformance.messages import Described
from conformance.report import Report
from conformance.results import CRASHED, FAIL, UNSUPPORTED
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import change
from tests.conformance import runs
from tests.conformance.runs import COMBAT, HOSTILE, LONG, SPY, UNSEEN, WALL, divergence, result
from tests.truthsayer.pages import Page
from truthsayer.cli import main
from truthsayer.reports.conform_json import conform_json
from truthsayer.reports.conform_matrix import Matrix, matrix
from truthsayer.reports.conform_matrix_json import conform_matrix_json
from truthsayer.reports.conform_matrix_page import NEVER, PERHAPS_WE, conform_matrix_page
from truthsayer.reports.conform_matrix_text import MOST_CASES, conform_matrix_text


def report(name: str, *results: Any, **fields: Any) -> Report:
    """A run against an implementation of this name."""
    return runs.report(*results, adapter=Described(name, "1", ("uprising",)), **fields)


def beside(*reports: Report) -> Matrix:
    """Reports side by side, each of a file."""
    return matrix([(f"{number}.json", each) for number, each in enumerate(reports)])


def of(found: Matrix, rule: str) -> tuple[str, ...]:
    """How a rule fares with each implementation."""
    (row,) = (row for row in found.rows if row.rule == rule)
    return row.states


@pytest.fixture
def three() -> Matrix:
    """One that holds, one that fails, and one that could not play."""
    lacking = result("a", UNSUPPORTED, lacks=("position",))
    return beside(
        report("one", result("a")), report("two", result("a", FAIL)), report("three", lacking)
    )


def test_a_rule_has_the_state_that_it_has_on_the_page_of_each(three: Matrix) -> None:
    assert of(three, COMBAT) == ("holds", "fails", "unreached")
    assert of(three, WALL) == ("unreached",) * 3


def test_every_rule_of_the_product_is_a_row_even_where_one_report_lacks_it() -> None:
    found = beside(report("one", rules=(COMBAT,)), report("two", rules=(WALL, COMBAT)))
    assert sorted(row.rule for row in found.rows) == sorted((COMBAT, WALL))
    assert all(len(row.told) == 2 for row in found.rows)


def test_a_rule_of_another_game_is_told_and_not_counted() -> None:
    odd = result("a", FAIL, divergence=divergence(rules=("UPR-ROUND-003",)))
    found = beside(report("one", odd), report("two"))
    assert len(found.rows) == 3
    assert "UPR-ROUND-003" in conform_matrix_page(found)


# Where all are against us


def against(*reports: Report) -> list[tuple[str, bool]]:
    """The cases in which all differ from us, and whether they are alike."""
    return [(each.case, each.alike) for each in beside(*reports).against_us]


def test_where_all_that_were_compared_differ_from_us_it_is_told() -> None:
    fails, lacking = result("a", FAIL), result("a", UNSUPPORTED)
    assert against(report("one", fails), report("two", fails)) == [("a", True)]
    assert against(report("one", fails), report("two", fails), report("three", lacking)) == [
        ("a", True)
    ]


@pytest.mark.parametrize(
    "other",
    [
        result("a"),
        result("a", UNSUPPORTED),
        result("b", FAIL),
        result("a", CRASHED, detail="it ended"),
        runs.by_ruling("a"),
    ],
    ids=["holds", "could not play", "had another case", "crashed", "follows a ruling"],
)
def test_one_alone_against_us_is_not_all(other: Any) -> None:
    assert against(report("one", result("a", FAIL)), report("two", other)) == []


def test_generated_games_are_not_the_same_for_everybody() -> None:
    game = result("games.1.0", FAIL)
    assert against(report("one", game), report("two", game)) == []


def test_those_that_are_alike_come_first() -> None:
    otherwise = result("a", FAIL, divergence=divergence(got=1))
    later = result("a", FAIL, divergence=divergence(move=3))
    both = result("b", FAIL)
    for second in (otherwise, later):
        one, two = report("one", result("a", FAIL), both), report("two", second, both)
        assert against(one, two) == [("b", True), ("a", False)]


def test_the_order_of_a_list_makes_no_difference() -> None:
    one, two = (
        report(name, result("a", FAIL, divergence=divergence(got=got)))
        for name, got in (("one", ["dagger", {"x": 1}]), ("two", [{"x": 1}, "dagger"]))
    )
    assert against(one, two) == [("a", True)]


def marks(text: str, rule: str) -> list[str]:
    """What the filter of a page can ask of a rule."""
    (line,) = (each for each in Page(text).all("tr") if each.get("id") == rule)
    return (line["class"] or "").split()


def test_a_rule_that_nobody_keeps_is_marked() -> None:
    fails = result("a", FAIL)
    found = beside(report("one", fails), report("two", fails), report("three"))
    (row,) = (row for row in found.rows if row.rule == COMBAT)
    assert (row.all_fail, row.some_fail) == (True, False)
    text = conform_matrix_page(found)
    assert marks(text, COMBAT) == ["rule", "fails", "unreached", "against"]
    assert text.index(PERHAPS_WE) < text.index("<section>", text.index("</form>"))


def test_a_rule_in_which_they_differ_from_each_other_is_marked(three: Matrix) -> None:
    (line,) = (
        each for each in Page(conform_matrix_page(three)).all("tr") if each.get("id") == COMBAT
    )
    assert (line["class"] or "").split() == ["rule", "holds", "fails", "unreached", "differ"]


# The page


def test_the_page_has_a_column_for_each_and_a_row_for_each_rule(three: Matrix) -> None:
    text = re.sub(r"\s*\n\s*", "", conform_matrix_page(three))
    heads = re.findall(r"<thead>(.*?)</thead>", text)
    assert all(
        re.findall(r"<th [^>]*>(.*?)</th>", each)[1:] == ["one 1", "two 1", "three 1"]
        for each in heads
    )
    (row,) = re.findall(rf'<tr id="{COMBAT}".*?</tr>', text)
    assert re.findall(r'<td class="(\w+)">(.*?)</td>', row) == [
        ("holds", "holds in 1"), ("fails", "fails in 1"), ("unreached", "not reached"),
    ]  # fmt: skip
    (total,) = re.findall(r"<tfoot>.*?</tfoot>", text)
    assert re.findall(r"<td[^>]*>(.*?)</td>", total) == ["1 of 1", "0 of 1", "-"]
    assert NEVER in text


def test_what_each_has_is_shown_where_all_are_against_us() -> None:
    one = report("one", result("a", FAIL))
    two = report("two", result("a", FAIL, divergence=divergence(got=7)))
    three = report("three")
    told = Page(conform_matrix_page(beside(one, two, three))).articles["against-0"]
    for part in (
        *("Title of a", "each otherwise", "after input 2, field `players.0.water`"),
        *("one 1", "2", "two 1", "7", "three 1", "not compared"),
        *("Intrigue first, then resolution", f"also: {WALL}"),
    ):
        assert part in told, part


@pytest.mark.parametrize("text", [HOSTILE, UNSEEN, LONG], ids=["hostile", "unseen", "long"])
def test_no_text_is_taken_for_html(text: str) -> None:
    one, about = runs.hostile(text), Described("two", "1", ("uprising",))
    found = beside(one, change(one, adapter=about))
    made = conform_matrix_page(found)
    page = Page(made)
    assert page.open == []
    assert len(page.all("script")) == len(page.all("form")) == 1
    assert made.replace("\n", "").isprintable()
    assert len(made) < 200_000
    ids = Counter(each["id"] for _, each in page.tags if "id" in each)
    assert [id_ for id_, count in ids.items() if count > 1] == []
    assert {(each["href"] or "").removeprefix("#") for each in page.all("a")} <= set(ids)


def test_the_filter_offers_what_rows_can_be(three: Matrix) -> None:
    page = Page(conform_matrix_page(three))
    offered = {each["value"] for each in page.all("option")}
    classes = {word for each in page.all("tr") for word in (each.get("class") or "").split()}
    assert {"rule", "against", "differ"} <= offered
    assert classes <= offered


def test_who_listens_to_the_page_is_told_what_it_shows(three: Matrix) -> None:
    page = Page(conform_matrix_page(three))
    assert all(each.get("scope") in ("col", "row") for each in page.all("th"))
    assert len(page.all("caption")) == len(page.all("table"))
    assert all(each.get("aria-label") for each in page.all("div") if each.get("role") == "region")


# JSON and text


def test_the_json_has_all_of_it() -> None:
    one = report("one", result("a", FAIL))
    two = report("two", result("a", FAIL), result("b", rules=(SPY,)))
    found = json.loads(conform_matrix_json(beside(one, two)))
    assert [each["name"] for each in found["implementations"]] == ["one", "two"]
    (case,) = found["against_us"]
    assert (case["case"], case["alike"], [each["got"] for each in case["results"]]) == (
        "a",
        True,
        [2, 2],
    )
    states = {each["rule"]: each for chapter in found["chapters"] for each in chapter["rules"]}
    assert states[COMBAT] == {"rule": COMBAT, "states": ["fails", "fails"], "all_fail": True}
    assert states[SPY]["states"] == ["unreached", "holds"]


def test_the_text_has_a_line_for_each_and_the_cases_against_us(three: Matrix) -> None:
    assert conform_matrix_text(three).splitlines() == [
        "one 1    1 holds, 0 fails, 2 not reached",
        "two 1    0 holds, 1 fails, 2 not reached",
        "three 1  0 holds, 0 fails, 3 not reached",
    ]
    many = [result(f"case{number}", FAIL) for number in range(MOST_CASES + 5)]
    told = conform_matrix_text(beside(report("one", *many), report("two", *many))).splitlines()
    assert told[3:5] == [
        "all that were compared differ from us in 25 cases:",
        f"  case0: 2 of 2, all alike, {COMBAT}",
    ]
    assert told[-1] == "  … (5 more)"


# The command


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["conform", "matrix", *map(str, words)])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The report of one implementation."""
    found = tmp_path / "one.json"
    found.write_text(conform_json(report("one", result("a", FAIL))), "utf-8")
    return found


def test_the_command_writes_the_page_and_the_json(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "two.json"
    other.write_text(conform_json(report("two", result("a", FAIL))), "utf-8")
    page, data = tmp_path / "matrix.html", tmp_path / "matrix.json"
    done = run(file, other, "--html", page, "--json", data)
    assert done.exit_code == 0, done.output
    assert "all that were compared differ from us in 1 case:" in done.output
    assert PERHAPS_WE in page.read_text("utf-8")
    assert len(json.loads(data.read_bytes())["against_us"]) == 1


def test_what_is_no_report_is_refused(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    assert run(file, other).output.startswith("TS0703")
    other.write_text("{}", "utf-8")
    refused = run(file, other)
    assert refused.exit_code == 2
    assert re.match(r"\S*other.json:1:1: TS0924", refused.output)
    assert run().exit_code == 2


def test_a_report_on_another_product_is_refused_at_its_place() -> None:
    with pytest.raises(TruthsayerError) as found:
        beside(report("one"), report("two"), report("three", product="immortality"))
    assert (found.value.code, str(found.value.place)) == ("TS0925", "2.json:1:1")
    assert "0.json" in found.value.message


def test_one_implementation_has_one_report(file: Path) -> None:
    refused = run(file, file)
    assert refused.exit_code == 2
    assert "TS0926: `one 1` has two reports" in refused.output
    assert "help: give one report of each" in refused.output
    found = beside(report("one"), runs.report(adapter=Described("one", "2", ("uprising",))))
    assert len(found.reports) == 2
