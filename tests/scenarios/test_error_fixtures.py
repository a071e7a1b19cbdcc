"""Each error of scenario files has fixtures: plausible mistakes that its help puts right."""

from __future__ import annotations

import re

import pytest

from rules_engine.imperium.invariants import INVARIANTS
from scenarios import check
from scenarios.imperium.position import REMEDIES
from tests.scenarios.error_fixtures import Fixture, fixtures, printed, problems
from tests.scenarios.following_help import WORD, changed, follows, remedies
from truthsayer.codes import CODES

FIXTURES = fixtures()
OF_SCENARIOS = ("TS01", "TS02", "TS03", "TS04", "TS05")

NOT_OF_FILES = {
    "TS0123": "what the verifier cannot reckon with is planted in test_for_any.py",
    "TS0133": "`truthsayer check --vacuity` alone looks for it",
    "TS0190": "a defect of ours, which no file has to bring about",
    "TS0203": "`truthsayer coverage` and the engine name products; in a file it is TS0108",
    "TS0204": "the engine's refusal of a number of players; in a file it is TS0108",
    "TS0402": "an answer that a script of the engine lacks; in a file it is TS0111",
    "TS0502": "`truthsayer prove --confirm` needs a solver that files never do",
    "TS0503": "without its solver Truthsayer reads no file at all",
    "TS0504": "what reports of `truthsayer prove` call a refuted property",
    "TS0505": "what reports of `truthsayer prove` call one of which nothing is known",
    "TS0506": "what reports of `truthsayer prove` call one that cannot be followed",
    "TS0507": "`truthsayer prove --twins` alone changes the engine",
}
"""Codes that no scenario file leads to, and why."""

TOO_LONG_TO_KEEP = "TS0100"
"""The file would have a million characters, so a test makes it."""


def each_fixture() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("fixture", FIXTURES, ids=[each.name for each in FIXTURES])


@each_fixture()
def test_a_mistake_is_reported_once_at_a_place_in_the_file(fixture: Fixture) -> None:
    found = problems(fixture.file, fixture.bad)
    assert [each.code for each in found] == fixture.codes
    lines = fixture.bad.split("\n")
    assert len(lines) > 10
    for each in found:
        assert 1 <= each.line < len(lines)
        assert 1 <= each.column <= len(lines[each.line - 1]) + 1
        assert each.file == fixture.file


@each_fixture()
def test_it_is_printed_as_written_down(fixture: Fixture) -> None:
    assert printed(fixture.file, fixture.bad) == fixture.printed


@each_fixture()
def test_the_file_passes_once_it_is_put_right(fixture: Fixture) -> None:
    assert [each.verdict for each in check(fixture.file, fixture.fixed) if not each.good] == []


@each_fixture()
def test_the_help_was_followed(fixture: Fixture) -> None:
    change = changed(fixture.bad, fixture.fixed)
    for each in problems(fixture.file, fixture.bad):
        assert remedies(each.help), f"no help that one could follow: {each.help}"
        assert follows(each.help, change), f"{each.help}\n{change.removed}\n{change.added}"


@pytest.mark.parametrize("fixture", [each for each in FIXTURES if each.codes[0] in (
    "TS0120", "TS0121")], ids=lambda each: each.name)  # fmt: skip
def test_a_failed_expectation_says_what_to_write_instead(fixture: Fixture) -> None:
    (found,) = problems(fixture.file, fixture.bad)
    told = set(WORD.findall(f"{found.message} {found.help}"))
    change = changed(fixture.bad, fixture.fixed)
    assert {word for word in change.new_words if word.isalnum()} <= told


def test_a_file_that_is_too_long_passes_in_two_parts() -> None:
    scenario = FIXTURES[0].fixed.replace('"', '"{} ', 1)
    many = [scenario.replace("{}", str(number)) for number in range(1_000_000 // len(scenario) + 1)]
    (found,) = problems("long.scenario", "".join(many))
    assert (found.code, found.help) == (TOO_LONG_TO_KEEP, "split it into several files")
    assert problems("long.scenario", "".join(many[:20])) == []


def test_every_code_of_files_has_a_fixture() -> None:
    of_files = {code for code in CODES if code.startswith(OF_SCENARIOS)} - set(NOT_OF_FILES)
    assert {code for each in FIXTURES for code in each.codes} == of_files - {TOO_LONG_TO_KEEP}


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_documented_by_a_paragraph(code: str) -> None:
    """What is wrong, and what to do about it, take at least two sentences."""
    assert len(re.findall(r"\.(?=\s|$)", CODES[code].text)) >= 2


def test_every_invariant_that_a_position_can_break_has_a_remedy() -> None:
    assert {each.name for each in INVARIANTS} == set(REMEDIES)
    for remedy in REMEDIES.values():
        assert remedies(remedy), remedy


# The check of the help itself


BAD = "given John has 3 troops in garrison\nwhen John plays to Arakeen\nthen John has 0 spice\n"


@pytest.mark.parametrize(
    ("help_", "fixed"),
    [
        ("did you mean `Arrakeen`?", BAD.replace("Arakeen", "Carthag")),
        ("add the line `module choam` below `game`", BAD + "module promos\n"),
        ("state one of: `John declines`; `John accepts`", BAD + " and John passes\n"),
        (
            "allowed here: `John deploys 1 troop` to `John deploys 2 troops`",
            BAD + " and John deploys 3 troops\n",
        ),
        ("leave out one of the two lines", BAD + "then John has 1 spice\n"),
        ("write a smaller number", BAD.replace("3", "4")),
        ('add a line like `given John has hand "Dagger"`', BAD + "given John has 1 spice\n"),
        ("change this line", BAD.replace("3", "2")),
    ],
)
def test_a_change_that_the_help_does_not_say_is_noticed(help_: str, fixed: str) -> None:
    assert not follows(help_, changed(BAD, fixed))
