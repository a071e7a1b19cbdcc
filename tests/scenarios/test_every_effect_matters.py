"""Each printed effect is shown by a scenario: left out or changed by one, a scenario fails."""

from __future__ import annotations

import pytest

from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import Thing, things
from tests.scenarios.effect_mutants import PRODUCT, mutants, unnoticed

PRINTED = [thing for thing in things(catalogue(PRODUCT)) if any(True for _ in mutants(thing.face))]


@pytest.mark.parametrize("thing", PRINTED, ids=lambda thing: f"{thing.kind}.{thing.id}")
def test_a_scenario_notices_every_change(thing: Thing) -> None:
    assert unnoticed(thing) == []


def test_there_is_something_to_notice() -> None:
    assert sum(1 for thing in PRINTED for _ in mutants(thing.face)) > 700
