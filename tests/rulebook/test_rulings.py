"""Every question on the rules has one place: a choice, a settled answer, or no choice at all."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import things
from rules_engine.rulebook.ambiguities import ambiguities, waiting_for_a_ruling
from rules_engine.rulebook.index import rule, rules
from rules_engine.rulebook.rulings import (
    Answer,
    answers,
    answers_about,
    no_choices,
    rulings,
    settled,
)

QUESTIONS = tomllib.loads(Path(__file__).with_name("questions.toml").read_text("utf-8"))
AUTHORITIES = {"rulebook", "faq", "card_text", "derived", "designer_secondhand", "convention"}


def kinds_of(name: str) -> list[str]:
    """The tables in which a ruling stands."""
    tables = {"ruling": [*rulings()], "settled": [*settled()], "no_choice": [*no_choices()]}
    return [kind for kind, names in tables.items() if name in names]


def test_all_questions_are_there() -> None:
    counts = [len(set(QUESTIONS[status])) for status in ("settled", "contested", "open")]
    assert counts == [152, 20, 11]
    assert len(QUESTIONS["ambiguous_rules"]) == 35


@pytest.mark.parametrize(
    "name", [*QUESTIONS["settled"], *QUESTIONS["contested"], *QUESTIONS["open"]]
)
def test_every_question_stands_in_exactly_one_table(name: str) -> None:
    assert len(kinds_of(name)) == 1


def test_no_name_stands_in_two_tables() -> None:
    assert len(answers()) == len(rulings()) + len(settled()) + len(no_choices())


def test_what_sources_disagree_on_is_a_choice() -> None:
    assert [name for name in QUESTIONS["contested"] if kinds_of(name) != ["ruling"]] == []


def test_what_nobody_answers_is_a_choice_or_has_a_reason() -> None:
    without = [name for name in QUESTIONS["open"] if kinds_of(name) != ["ruling"]]
    assert without == ["endgame_order", "leader_selection", "hidden_information"]
    assert [name for name in without if kinds_of(name) != ["no_choice"]] == []


@pytest.mark.parametrize("each", rulings().values(), ids=lambda each: each.id)
def test_a_choice_has_at_least_two_readings_that_say_something(each: Answer) -> None:
    ruling = rulings()[each.id]
    assert len(set(ruling.values)) == len(ruling.values) >= 2
    assert len(set(ruling.says)) == len(ruling.says) == len(ruling.values)
    assert all(ruling.says)
    assert all(value.replace("_", "").isalnum() and value.islower() for value in ruling.values)


@pytest.mark.parametrize("each", answers().values(), ids=lambda each: each.id)
def test_a_ruling_asks_names_its_authority_and_belongs_to_rules(each: Answer) -> None:
    assert each.question.endswith("?")
    assert each.authority in AUTHORITIES
    assert each.rules
    assert len(set(each.rules)) == len(each.rules)
    assert all(each in answers_about(rule_id) for rule_id in each.rules)


def test_settled_rulings_have_an_answer_and_open_points_a_reason() -> None:
    assert [each.id for each in settled().values() if not each.answer.endswith(".")] == []
    assert [each.id for each in no_choices().values() if not each.reason.endswith(".")] == []


def test_what_a_ruling_affects_is_printed() -> None:
    printed = {thing.id for thing in things(catalogue("uprising"))}
    chosen = {thing for each in rulings().values() for thing in each.affects}
    affected = chosen | {thing for each in settled().values() for thing in each.affects}
    assert affected - printed == set()


def test_only_what_is_about_rivals_waits() -> None:
    assert [each.id for each in settled().values() if each.waits] == ["rival_contracts"]


def test_every_ambiguity_is_answered_by_a_ruling_or_waits_for_another_product() -> None:
    answered = {each.rule for each in ambiguities("uprising")}
    waiting = set(waiting_for_a_ruling("uprising"))
    assert answered | waiting == set(QUESTIONS["ambiguous_rules"])
    assert all(rule_id.startswith("UPR-") for rule_id in answered)
    assert not any(rule_id.startswith("UPR-") for rule_id in waiting)


def test_the_ruling_of_an_ambiguity_belongs_to_its_rule() -> None:
    for each in ambiguities("uprising"):
        assert each.rule in answers()[each.ruling].rules


def test_rules_without_a_ruling_have_none() -> None:
    bare = [each.id for each in rules() if not answers_about(each.id)]
    assert rule("UPR-WORM-002").id in bare
    assert len(bare) < len(rules())
