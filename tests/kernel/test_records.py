"""Records are values, and the benchmark's records of another make play the very same games."""

from __future__ import annotations

import pytest

from rules_engine.kernel.records import Record, change
from tests.bench.steps import compared


class Thing(Record):
    """A record."""

    name: str
    count: int = 0


def test_a_changed_record_is_a_new_one() -> None:
    thing = Thing("spice")
    assert change(thing, count=2) == Thing("spice", 2)
    assert thing.count == 0


def test_equal_records_are_equal_values() -> None:
    assert Thing("spice", 1) == Thing("spice", 1)
    assert len({Thing("spice", 1), Thing("spice", 1), Thing("water", 1)}) == 2


def test_a_record_cannot_be_changed_in_place() -> None:
    with pytest.raises(AttributeError):
        Thing("spice").count = 3  # type: ignore[misc]


def test_the_benchmark_compares_the_very_same_games() -> None:
    best = compared(games=2, runs=1)
    assert best["msgspec"]["ends"] == best["dataclasses"]["ends"]
    assert best["msgspec"]["steps"] > 200
