"""The rule index holds every rule once, in our words, and says where each comes from."""

import re
from importlib import resources

import msgspec
import pytest

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.rulebook import Rule, UnknownRule, cite, rule, rules

ID = re.compile(r"(UPR|RIV|SIX|BASE|HAG|IX|ARR)-[A-Z0-9]+-\d{3}")
"""What every rule id looks like."""

REFERENCE = re.compile(
    r"\b\w+\.(txt|md|jsonl?)\b"  # a file name
    r"|\b00\d\b"  # a numbered file
    r"|\b(l\.|ll\.|lines?)\s*\d"  # a line number
    r"|\d+:\d{2,}"  # both at once
    r"|\b(seed|OCR)\b"
)
"""Traces of the files the rules were read from; a reader of ours does not have them."""


def lines_of(name: str) -> list[str]:
    """The raw lines of one data file, so that a rule lost while loading is noticed."""
    file = resources.files("rules_engine.rulebook") / "rules" / f"{name}.jsonl"
    return file.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("name", "count"), [("uprising", 496), ("base", 389), ("arrakis", 231)])
def test_each_file_has_its_rules(name: str, count: int) -> None:
    assert len(lines_of(name)) == count


def test_ids_are_unique_and_none_is_lost_in_loading() -> None:
    ids = [found.id for found in rules()]
    assert len(ids) == 1116
    assert len(set(ids)) == 1116


def test_rules_come_in_file_order() -> None:
    in_files = [
        msgspec.json.decode(line)["id"]
        for name in ("uprising", "base", "arrakis")
        for line in lines_of(name)
    ]
    assert [found.id for found in rules()] == in_files


@pytest.mark.parametrize("name", ["uprising", "base", "arrakis"])
def test_data_has_no_field_that_the_record_lacks(name: str) -> None:
    known = set(Rule.__struct_fields__)
    for line in lines_of(name):
        assert set(msgspec.json.decode(line)) <= known


def test_every_id_has_the_same_pattern() -> None:
    assert [found.id for found in rules() if not ID.fullmatch(found.id)] == []


def test_no_rule_refers_to_the_files_it_was_read_from() -> None:
    traces = [
        (found.id, text)
        for found in rules()
        for text in (found.title, found.statement, found.section, found.book)
        if REFERENCE.search(text)
    ]
    assert traces == []


@pytest.mark.parametrize("text", ["see 000:148", "in 003 only", "rules.jsonl", "line 12", "l. 40"])
def test_the_pattern_for_traces_finds_them(text: str) -> None:
    assert REFERENCE.search(text)


def test_no_field_that_a_reader_needs_is_empty() -> None:
    for found in rules():
        assert all((found.title, found.statement, found.book, found.section, found.products))
        assert found.check in {"scenario", "proof", "both", "none"}
        assert not found.section.isupper()


def test_an_unknown_rule_names_the_nearest_one() -> None:
    with pytest.raises(UnknownRule) as caught:
        rule("UPR-WAL-003")
    assert isinstance(caught.value, TruthsayerError)
    assert caught.value.code == "TS0201"
    assert caught.value.message == "no rule `UPR-WAL-003`"
    assert caught.value.help == "did you mean `UPR-WALL-003`?"


def test_an_unknown_rule_far_from_all_is_told_how_rules_are_found() -> None:
    with pytest.raises(UnknownRule) as caught:
        rule("zzzzzzzzzzzzzzzz")
    assert "truthsayer rules --search" in caught.value.help


def test_cite_gives_the_ids_as_they_came() -> None:
    assert cite("UPR-WALL-003", "UPR-UNIT-001") == ("UPR-WALL-003", "UPR-UNIT-001")


def test_cite_refuses_an_unknown_id() -> None:
    with pytest.raises(UnknownRule):
        cite("UPR-WALL-003", "UPR-WALL-999")


def test_a_source_names_book_and_section() -> None:
    expected = "Uprising rulebook, Critical Locations and the Shield Wall"
    assert rule("UPR-WALL-003").source() == expected


def test_a_fallback_rule_says_it_comes_from_the_base_rulebook() -> None:
    assert rule("UPR-AGENT-001").source() == "Dune: Imperium rulebook (base game), Agent Turn"


def test_there_are_34_fallback_rules() -> None:
    fallback = [found for found in rules() if found.fallback]
    assert len(fallback) == 34
    assert {found.book for found in fallback} == {"Dune: Imperium rulebook"}
