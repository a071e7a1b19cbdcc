"""The corpus shows every rule in its chapter's file, what it forbids included, and is varied."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lark import Token

import scenarios
from rules_engine.rulebook.index import Rule, rules
from rules_engine.rulebook.waiting import waiting
from scenarios.chapters import CHAPTER_FILES, chapter_file
from scenarios.check import read
from scenarios.coverage import PREFIXES, Observed, observe, rules_to_cover
from scenarios.language.syntax import Line, Scenario, Words, phrases
from scenarios.naming import rule_functions
from scenarios.outcome import cited
from tests.scenarios.refusing import refusals

PRODUCT = "uprising"
LIBRARY = Path(scenarios.__file__).parent / "library"
RULES = [rule for rule in rules_to_cover(PRODUCT) if rule.id not in waiting(PRODUCT)]
FILES = sorted({chapter_file(PRODUCT, rule.id) for rule in RULES})


@cache
def scenarios_of(file: str) -> dict[str, Scenario]:
    """The scenarios of a file of the library, by their ids."""
    return {each.id: each for each in read(file, (LIBRARY / file).read_text("utf-8"))[0]}


# Every rule in its chapter's file


def not_shown(rules: Iterable[Rule], observed: list[Observed]) -> list[str]:
    """The rules that no scenario in their chapter's file covers."""
    shown = {(each.file, rule) for each in observed for rule in each.cites if each.covers(rule)}
    return [each.id for each in rules if (chapter_file(PRODUCT, each.id), each.id) not in shown]


def test_each_of_the_239_rules_has_a_scenario_in_its_chapters_file() -> None:
    texts = [(file, (LIBRARY / file).read_text("utf-8")) for file in FILES]
    observed = list(observe(texts, rule_functions()))
    assert len(RULES) == 239
    assert not_shown(RULES, observed) == []


def test_a_rule_shown_in_another_chapters_file_only_is_not_shown() -> None:
    (rule,) = [each for each in RULES if each.id == "UPR-WALL-003"]
    ran = frozenset({rule.id})
    there = Observed("a", "uprising/sandworms.scenario", 1, (rule.id,), holds=True, ran=ran)
    here = there._replace(file="uprising/shield_wall.scenario")
    assert not_shown([rule], [there, here._replace(holds=False)]) == [rule.id]
    assert not_shown([rule], [there, here]) == []


def test_the_chapters_with_a_file_are_those_with_a_rule_to_show() -> None:
    assert {rule.id.split("-")[1] for rule in RULES} == set(CHAPTER_FILES)


# What a rule forbids

NEGATIVE = tomllib.loads((Path(__file__).parent / "negative_rules.toml").read_text("utf-8"))
SHOWN: dict[str, str] = NEGATIVE["shown"]
PERMITS: dict[str, str] = NEGATIVE["permits"]
NO_REFUSAL: dict[str, str] = NEGATIVE["no_refusal"]

LIMITS = re.compile(
    r"\b(cannot|only|no|not|none|never|nobody|nothing|must|unless|at most)\b", re.IGNORECASE
)
"""Words of a statement that forbids or limits something."""

NO = {"cannot", "keeps", "keep", "nobody", "no", "none", "nothing", "not", "0"}
"""Words of an outcome in which something does not happen."""


def limits(rule: Rule) -> bool:
    """Whether a rule is one that forbids or limits something, by its kind or by its words."""
    return rule.kind == "restriction" or LIMITS.search(rule.statement) is not None


def denies(line: Line, rule: str) -> bool:
    """Whether an outcome says that something does not happen, or is so, because of a rule."""
    words = list(line.words.scan_values(lambda word: isinstance(word, Token)))
    because = [str(word) for word in words if word.type == "RULE"]
    if because:
        return rule in because
    return "can" not in words and not NO.isdisjoint(words)


def is_negative(scenario: Scenario, rule: str) -> bool:
    """Whether a scenario is about a rule and shows what does not happen."""
    outcomes = (line for line in scenario.steps if line.section == "then")
    return rule in cited(scenario) and any(denies(line, rule) for line in outcomes)


@pytest.mark.parametrize(("rule", "id_"), SHOWN.items(), ids=SHOWN)
def test_a_scenario_of_its_chapter_shows_what_a_rule_forbids(rule: str, id_: str) -> None:
    found = scenarios_of(chapter_file(PRODUCT, rule))
    assert id_ in sorted(found)
    assert is_negative(found[id_], rule)


def test_each_rule_that_forbids_or_limits_has_its_negative_case() -> None:
    limiting = {rule.id for rule in RULES if limits(rule)}
    assert sorted(limiting - SHOWN.keys() - PERMITS.keys()) == []
    assert SHOWN.keys() <= {rule.id for rule in RULES}
    assert PERMITS.keys() <= limiting - SHOWN.keys()


def test_each_chapter_has_a_negative_case() -> None:
    assert {rule.split("-")[1] for rule in SHOWN} == set(CHAPTER_FILES)


# Refusals


def unshown(forbidding: set[str], refusing: set[str], excused: set[str]) -> list[str]:
    """What is wrong: a rule that refuses nothing and is not excused, or is excused and refuses."""
    silent = [f"{rule}: no `cannot … because {rule}`" for rule in forbidding - refusing - excused]
    needless = [f"{rule}: excused, and yet it refuses" for rule in excused & refusing]
    strange = [f"{rule}: excused, and forbids nothing" for rule in excused - forbidding]
    return sorted(silent + needless + strange)


@cache
def refusing() -> set[str]:
    """The rules that refusals of the library rest on."""
    files = sorted(LIBRARY.rglob("*.scenario"))
    texts = [(str(file.relative_to(LIBRARY)), file.read_text("utf-8")) for file in files]
    return {each.rule for each in refusals(texts)}


def forbidding_rules() -> set[str]:
    """Every rule of the product that forbids or limits, but for those that wait."""
    own = [rule for rule in rules() if rule.id.startswith(PREFIXES[PRODUCT])]
    words = {rule.id for rule in own if limits(rule)} | SHOWN.keys()
    return words - PERMITS.keys() - waiting(PRODUCT).keys()


def test_each_rule_that_forbids_refuses_something_in_a_scenario_or_says_why_it_cannot() -> None:
    assert unshown(forbidding_rules(), refusing(), set(NO_REFUSAL)) == []


def test_a_rule_that_refuses_nothing_or_is_excused_for_nothing_is_told() -> None:
    assert unshown({"A", "B", "C"}, {"A", "B"}, {"B", "D"}) == [
        "B: excused, and yet it refuses",
        "C: no `cannot … because C`",
        "D: excused, and forbids nothing",
    ]


REFUSED = """\
scenario "Nobody deploys before an Agent was sent"
game uprising with John, Abby, Ned
given it is the turn of John
then John cannot deploy 1 troop because <rule>
 and John can reveal
"""


@pytest.mark.parametrize(
    ("rule", "found"), [("UPR-UNIT-008", ["UPR-UNIT-008"]), ("UPR-WALL-003", [])]
)
def test_only_a_rule_that_is_named_and_does_refuse_counts(rule: str, found: list[str]) -> None:
    text = REFUSED.replace("<rule>", rule)
    assert [each.rule for each in refusals([("a.scenario", text)])] == found


def test_a_refusal_without_a_reason_or_a_mere_fact_shows_no_rule() -> None:
    bare = REFUSED.replace(" because <rule>", "")
    fact = bare.replace("John can reveal", "John has 0 swords because UPR-STR-003")
    assert list(refusals([("a.scenario", bare), ("b.scenario", fact)])) == []


def test_a_refusal_for_all_values_counts() -> None:
    text = REFUSED.replace("1 troop", "n troops").replace("given", "for any n from 1\n\ngiven")
    found = refusals([("a.scenario", text.replace("<rule>", "UPR-UNIT-008"))])
    assert {each.rule for each in found} == {"UPR-UNIT-008"}


WALL = """\
scenario "A worm at the wall"
cites UPR-WALL-003
game uprising with John, Abby, Ned
conflict "Siege of Arrakeen"
given the shield wall stands
then John <outcome>
"""


@pytest.mark.parametrize(
    ("outcome", "negative"),
    [
        ("cannot summon a sandworm", True),
        ("cannot summon a sandworm because UPR-WALL-003", True),
        ("cannot summon a sandworm because UPR-WORM-005", False),
        ("keeps 0 sandworms in conflict", True),
        ("has 0 sandworms in conflict", True),
        ("has 1 water", False),
        ("can pay 0 spice", False),
    ],
)
def test_an_outcome_that_denies_nothing_makes_no_negative_case(
    outcome: str, negative: bool
) -> None:
    (scenario,) = read("a.scenario", WALL.replace("<outcome>", outcome))[0]
    assert is_negative(scenario, "UPR-WALL-003") is negative
    assert not is_negative(scenario, "UPR-CTRL-004")


# How many there are

ENOUGH = 600
VALUES = ("number", "word", "parameter", "plus", "minus", "cards")
"""Phrases that are values: two steps that differ in nothing else are of one kind."""


def kind(words: Words) -> tuple[Any, ...]:
    """The kind of a step: the names of its phrases, whoever takes it and with whatever values."""
    return (str(words.data), *(kind(each) for each in phrases(words) if each.data not in VALUES))


def shape(scenario: Scenario) -> tuple[Any, ...]:
    """The rules that a scenario cites and the kinds of its steps, in their order."""
    kinds = tuple((each.section, kind(each.words)) for each in scenario.steps)
    return frozenset(cited(scenario)), kinds


def corpus() -> Iterator[Scenario]:
    """Every scenario of the library."""
    for file in sorted(LIBRARY.rglob("*.scenario")):
        yield from scenarios_of(str(file.relative_to(LIBRARY))).values()


def test_at_least_600_scenarios_differ_in_their_rules_or_steps() -> None:
    different = len({shape(each) for each in corpus()})
    assert different >= ENOUGH, f"{different} of the scenarios differ"


def test_other_names_and_numbers_make_no_different_scenario() -> None:
    text = WALL.replace("<outcome>", "has 1 water")
    other = text.replace("1 water", "4 water").replace("John has", "Abby has")
    longer = text + " and John has 1 water\n"
    cites = text.replace("UPR-WALL-003", "UPR-WALL-003, UPR-WORM-005")
    first, *others = [shape(read("a", each)[0][0]) for each in (text, other, longer, cites)]
    assert [each == first for each in others] == [True, False, False]
