"""The transcription gate: the catalogue, the facts and the second reading say the same."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from rules_engine.catalogue.load import catalogue
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite
from tests.gate import facts_reading, second_reading
from tests.gate.compare import (
    differences,
    open_problems,
    readings,
    resolved,
    single_source,
)
from tests.gate.said import Reading

SINGLE_SOURCE = tomllib.loads(Path(__file__).with_name("single_source.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def all_readings() -> dict[str, Reading]:
    return readings(catalogue("uprising"))


def test_every_difference_is_resolved_and_every_resolution_is_needed(
    all_readings: dict[str, Reading],
) -> None:
    assert open_problems(all_readings, resolved()) == []


def test_a_resolution_says_what_decides(all_readings: dict[str, Reading]) -> None:
    found = {(each.entry, each.field) for each in differences(all_readings)}
    assert len(resolved()) == len(found) == 7
    for each in resolved():
        assert each.says["catalogue"] == each.says[each.follows]
        assert each.reason
        assert each.source
        cite(*re.findall(r"UPR-[A-Z]+-\d+", each.source))


def test_a_difference_without_a_resolution_is_reported(all_readings: dict[str, Reading]) -> None:
    first, *others = resolved()
    (problem,) = open_problems(all_readings, others)
    assert problem.startswith(f"unresolved: {first.entry}, {first.field}")


def test_a_resolution_of_what_is_no_difference_is_reported(
    all_readings: dict[str, Reading],
) -> None:
    needless = resolved()[0]._replace(entry="card/dagger", field="reveal")
    problems = open_problems(all_readings, [*resolved(), needless])
    assert problems == ["no longer so: card/dagger, reveal"]


def test_a_resolution_holds_only_for_what_was_read_then(all_readings: dict[str, Reading]) -> None:
    first, *others = resolved()
    stale = first._replace(says={**first.says, "second": "gain 1 spice"})
    assert len(open_problems(all_readings, [stale, *others])) == 2


def test_an_entry_that_one_reading_lacks_is_reported() -> None:
    printed = catalogue("uprising")
    fewer = {id_: face for id_, face in printed.intrigue.items() if id_ != "mercenaries"}
    (problem,) = open_problems(readings(change(printed, intrigue=fewer)), resolved())
    assert problem.startswith("unresolved: intrigue/mercenaries, entry")


def test_every_field_of_the_catalogue_is_in_another_reading(
    all_readings: dict[str, Reading],
) -> None:
    facts, second = all_readings["facts"], all_readings["second"]
    for entry, fields in all_readings["catalogue"].items():
        assert fields.keys() <= facts[entry].keys() | second.get(entry, {}).keys(), entry


def test_entries_with_a_single_source_say_so(
    all_readings: dict[str, Reading], capsys: pytest.CaptureFixture[str]
) -> None:
    single = single_source(all_readings)
    counts = Counter(entry.partition("/")[0] for entry in single)
    assert counts == {kind: each["count"] for kind, each in SINGLE_SOURCE.items()}
    total = len(all_readings["catalogue"])
    by_kind = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    with capsys.disabled():
        print(f"\n{total} entries, {len(single)} of them single source: {by_kind}")
    assert (total, len(single)) == (194, 46)


def test_what_waits_for_another_product_is_counted() -> None:
    assert facts_reading.waiting() == {"contract": 10, "post": 2}
    assert second_reading.waiting() == {"commander_starting_6p": 18, "contract_ix": 10}
