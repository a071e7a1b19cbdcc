"""JUnit, SARIF, JSON and annotations say all that does not hold, whatever the texts are."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema
import pytest
from click.testing import CliRunner, Result

from tests.truthsayer.sarif_schema import SARIF
from truthsayer.cli import main
from truthsayer.codes import CODES
from truthsayer.reports.annotations import github_text
from truthsayer.reports.findings import Finding, findings
from truthsayer.reports.json_report import json_text
from truthsayer.reports.junit import junit_text
from truthsayer.reports.sarif import sarif_text
from truthsayer.v1 import common_pb2, scenario_pb2
from truthsayer.version import installed_version

HERE = Path("/project/games")
TOP = Path("/project")

FAILS = """\
scenario "Abby's spice"
cites UPR-BOARD-003
game uprising with John, Abby, Ned
given Abby has 2 spice
then Abby has 2 spice
 and Abby has 3 spice
 and Abby has 4 spice

scenario "Abby misspells two things"
game uprising with John, Abby, Ned
conflict "Siege of Arakeen"
given Abby has hand "Reconnaisance"
then Abby has 0 spice
"""
PLACES = [
    ("TS0120", 6, 6),
    ("TS0120", 7, 6),
    ("TS0103", 11, 10),
    ("TS0103", 12, 21),
]
"""What is wrong with it, and where."""

HOSTILE = {
    "control characters": "\x00\x01\x08\x0b\x0c\x1b[31m\x7f\x85\u2028\ufffe\uffff",
    "line ends": "one\r\ntwo\rthree\nfour",
    "escapes of a workflow command": "100%0A::error::planted%25",
    "a workflow command": "\n::error file=x.py,line=1::planted",
    "the end of a section of characters": "<![CDATA[ ]]> & </failure> \" '",
    "JSON": '"}], "results": [{"\\u0000',
    "a very long line": "spice " * 20_000,
    "other scripts": "Ä 沙丘 🐛",
    "nothing": "",
}


def problem(**fields: Any) -> common_pb2.Problem:
    known: dict[str, Any] = {"code": "TS0104", "message": "no space", "file": "a.scenario"}
    return common_pb2.Problem(**{**known, "line": 3, "column": 5, **fields})


def result(*problems: common_pb2.Problem, **fields: Any) -> scenario_pb2.ScenarioResult:
    known: dict[str, Any] = {"id": "a", "title": "A", "file": "a.scenario", "line": 1}
    verdict = common_pb2.VERDICT_ERROR if problems else common_pb2.VERDICT_PASSED
    return scenario_pb2.ScenarioResult(
        **{**known, "verdict": verdict, "problems": problems, **fields}
    )


def hostile_result(text: str) -> scenario_pb2.ScenarioResult:
    """A result with a text everywhere that a text can come from a file."""
    bad = problem(message=text, help=text, text=text, file=f"{text[:80]}.scenario")
    return result(bad, title=text, id=text, detail=text, file=f"{text[:80]}.scenario")


def found_in(*results: scenario_pb2.ScenarioResult) -> list[Finding]:
    return list(findings(results, here=HERE, top=TOP))


def sarif_of(*results: scenario_pb2.ScenarioResult, version: str | None = "1.2.3") -> Any:
    """The report as data, once it is known to be SARIF."""
    report = json.loads(sarif_text(found_in(*results), version))
    jsonschema.Draft202012Validator(SARIF).validate(report)
    return report


def place_of(one: Any) -> tuple[str, int, int]:
    (location,) = one["locations"]
    physical = location["physicalLocation"]
    region = physical["region"]
    return physical["artifactLocation"]["uri"], region["startLine"], region["startColumn"]


def told_by(command: str) -> tuple[dict[str, str], str]:
    """The properties and the message of a workflow command, as GitHub reads them."""
    matched = re.fullmatch(r"::error ([^\r\n]*?)::([^\r\n]*)", command)
    assert matched is not None, command
    pairs = (pair.partition("=") for pair in matched[1].split(","))
    properties = {name: _plain(value, ("%3A", ":"), ("%2C", ",")) for name, _, value in pairs}
    return properties, _plain(matched[2])


def _plain(text: str, *more: tuple[str, str]) -> str:
    for escape, character in (*more, ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(escape, character)
    return text


def check(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments], env=environment)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a folder and a file whose names have spaces; commands run at its top."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my games").mkdir()
    (tmp_path / "my games" / "abby's #1.scenario").write_text(FAILS, encoding="utf-8")
    return tmp_path


# SARIF


def test_sarif_has_failures_and_mistakes_at_their_lines(folder: Path) -> None:
    assert check(".", "--sarif", "out.sarif").exit_code == 2
    report = json.loads((folder / "out.sarif").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(SARIF).validate(report)
    (run,) = report["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("truthsayer", installed_version())
    assert [rule["id"] for rule in driver["rules"]] == ["TS0103", "TS0120"]
    for rule in driver["rules"]:
        title, text = CODES[rule["id"]]
        assert rule["shortDescription"]["text"] == title
        assert rule["fullDescription"]["text"] == text
        assert rule["help"]["text"].startswith(text)
    uri = "my%20games/abby%27s%20%231.scenario"
    assert [(each["ruleId"], *place_of(each)) for each in run["results"]] == [
        (code, uri, line, column) for code, line, column in PLACES
    ]
    assert {each["level"] for each in run["results"]} == {"error"}


def test_a_result_tells_the_remedy_and_the_rules(folder: Path) -> None:
    check(".", "--sarif", "out.sarif")
    report = json.loads((folder / "out.sarif").read_text(encoding="utf-8"))
    misspelt = report["runs"][0]["results"][2]
    assert misspelt["message"]["text"].splitlines()[1] == "help: did you mean `Siege of Arrakeen`?"
    cited = problem(rules=[common_pb2.RuleRef(id="UPR-WALL-003", source="a book, a page")])
    (only,) = sarif_of(result(cited))["runs"][0]["results"]
    assert only["message"]["text"] == "no space\nrule: UPR-WALL-003 (a book, a page)"
    assert only["properties"] == {"scenario": "a", "rules": ["UPR-WALL-003"]}


def test_what_holds_is_not_in_sarif() -> None:
    (run,) = sarif_of(result())["runs"]
    assert run["results"] == []
    assert run["tool"]["driver"]["rules"] == []


def test_a_source_tree_has_no_version() -> None:
    (run,) = sarif_of(result(), version=None)["runs"]
    assert "version" not in run["tool"]["driver"]


def test_a_code_of_another_version_is_still_a_rule() -> None:
    (run,) = sarif_of(result(problem(code="TS9999")))["runs"]
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["id"] == run["results"][0]["ruleId"] == "TS9999"


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("a.scenario", "games/a.scenario"),
        ("../b.scenario", "b.scenario"),
        ("/project/c.scenario", "c.scenario"),
        ("/elsewhere/d e.scenario", "file:///elsewhere/d%20e.scenario"),
        ("a:b?c%20.scenario", "games/a%3Ab%3Fc%2520.scenario"),
        ("沙.scenario", "games/%E6%B2%99.scenario"),
    ],
)
def test_files_are_named_from_the_top_of_the_project(file: str, uri: str) -> None:
    (only,) = sarif_of(result(problem(file=file)))["runs"][0]["results"]
    assert place_of(only)[0] == uri


def test_a_problem_without_a_place_stands_at_its_scenario() -> None:
    bad = problem(file="", line=0, column=0)
    (only,) = sarif_of(result(bad, line=7))["runs"][0]["results"]
    assert place_of(only) == ("games/a.scenario", 7, 1)


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("results", 0, "message"), None),
        (("results", 0, "level"), "fatal"),
        (("results", 0, "loccations"), []),
        (("tool", "driver", "name"), ""),
        (("results", 0, "locations", 0, "physicalLocation", "region", "startLine"), 0),
        (("results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uri"), "a b"),
    ],
)
def test_a_planted_fault_is_no_sarif(path: tuple[Any, ...], wrong: Any) -> None:
    report = sarif_of(result(problem()))
    *way, last = path
    reached = report["runs"][0]
    for step in way:
        reached = reached[step]
    reached[last] = wrong
    assert not jsonschema.Draft202012Validator(SARIF).is_valid(report)


# Annotations


def test_annotations_come_after_the_text(folder: Path) -> None:
    plain = check(".").stdout
    marked = check(".", "--annotations", "github")
    assert marked.stdout.startswith(plain)
    told = [told_by(line) for line in marked.stdout.removeprefix(plain).splitlines()]
    assert [
        (each["title"], each["file"], int(each["line"]), int(each["col"])) for each, _ in told
    ] == [
        (f"{code}: {CODES[code].title}", "my games/abby's #1.scenario", line, column)
        for code, line, column in PLACES
    ]
    assert told[2][1].endswith("\nhelp: did you mean `Siege of Arrakeen`?")
    assert marked.exit_code == 2
    assert folder.exists()


@pytest.mark.usefixtures("folder")
def test_a_workflow_gets_annotations_by_itself() -> None:
    marked = check(".", "--annotations", "github").stdout
    assert check(".", GITHUB_ACTIONS="true").stdout == marked
    for off in (("--annotations", "none"), ()):
        environment = {"GITHUB_ACTIONS": "true"} if off else {"GITHUB_ACTIONS": "false"}
        assert "::error" not in check(".", *off, **environment).stdout
    assert "GITHUB_ACTIONS=true" in check("--help").stdout


@pytest.mark.usefixtures("folder")
def test_json_stays_json_with_annotations() -> None:
    said = check(".", "--json", "--annotations", "github")
    assert json.loads(said.stdout)["errors"] == 1
    assert [line[:8] for line in said.stderr.splitlines()] == ["::error "] * len(PLACES)


def test_a_workflow_names_files_from_the_repository(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder / "my games")
    said = check(".", GITHUB_ACTIONS="true", GITHUB_WORKSPACE=str(folder)).stdout
    assert "::error file=my games/abby's #1.scenario,line=6," in said


def test_what_holds_gets_no_annotation(folder: Path) -> None:
    good = folder / "good.scenario"
    good.write_text(FAILS.partition(" and")[0], encoding="utf-8")
    said = check("good.scenario", "--annotations", "github")
    assert (said.exit_code, said.stdout.count("\n")) == (0, 2)


# Hostile texts


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_sarif_of_any_text_is_sarif(text: str) -> None:
    (only,) = sarif_of(hostile_result(text), result())["runs"][0]["results"]
    told = f"{text}\nhelp: {text}" if text else "TS0104"
    assert only["message"]["text"] == told


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_an_annotation_of_any_text_is_one_command(text: str) -> None:
    found = found_in(hostile_result(text))
    (each,) = found
    properties, message = told_by(github_text(found))
    assert message == each.message
    assert properties["file"] == each.path.as_posix()
    assert list(properties) == ["file", "line", "col", "title"]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_junit_of_any_text_is_xml(text: str) -> None:
    suites = ElementTree.fromstring(junit_text([hostile_result(text), result()]))
    assert [suite.get("tests") for suite in suites] == ["1", "1"]
    (error,) = suites.iter("error")
    kept = re.sub(r"[\x00-\x08\x0b-\x1f\ufffe\uffff]", "", text)
    assert error.get("message") == (kept or "error")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_json_keeps_any_text(text: str) -> None:
    summary = scenario_pb2.Summary(scenarios=1, errors=1)
    (only,) = json.loads(json_text(summary, [hostile_result(text)]))["results"]
    assert (only["title"], only["problems"][0]["message"]) == (text, text)


def test_an_address_is_the_name_of_the_file_again() -> None:
    name = "a b%20c#d?e:f,g;h=i&沙.scenario"
    (only,) = sarif_of(result(problem(file=name)))["runs"][0]["results"]
    assert unquote(place_of(only)[0]) == f"games/{name}"


# JUnit


def test_junit_counts_cases_failures_and_errors(folder: Path) -> None:
    check(".", "--junit", "out.xml")
    (suite,) = ElementTree.parse(folder / "out.xml").getroot()
    assert (suite.tag, suite.get("name")) == ("testsuite", "my games/abby's #1.scenario")
    assert [suite.get(each) for each in ("tests", "failures", "errors")] == ["2", "1", "1"]
    fails, mistaken = suite
    assert (fails.get("name"), fails.get("line")) == ("Abby's spice", "1")
    failure = fails.find("failure")
    assert failure is not None
    assert failure.text is not None
    assert "TS0120" in failure.text
    assert mistaken.find("error") is not None


def test_a_case_of_junit_names_the_rules_that_its_scenario_cites() -> None:
    rules = [common_pb2.RuleRef(id=each, source="s") for each in ("UPR-WALL-003", "UPR-WORM-005")]
    case, bare = ElementTree.fromstring(junit_text([result(rules=rules), result()])).iter(
        "testcase"
    )
    assert [(each.get("name"), each.get("value")) for each in case.iter("property")] == [
        ("rule", "UPR-WALL-003"),
        ("rule", "UPR-WORM-005"),
    ]
    assert case[0].tag == "properties"
    assert bare.find("properties") is None


# The hint at the end


@pytest.mark.usefixtures("folder")
def test_a_mistake_is_explained_and_a_failure_explains_itself(folder: Path) -> None:
    assert check(".").stdout.endswith(" 1 error\n`truthsayer explain TS0103` tells more\n")
    assert "explain" not in check(".", "--json").stdout
    (folder / "fails.scenario").write_text(FAILS.partition("\n\n")[0], encoding="utf-8")
    assert check("fails.scenario").stdout.endswith(", 1 failed, 0 errors\n")
