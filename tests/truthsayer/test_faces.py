"""What is printed, in plain words: every field of every face is told."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules_engine.catalogue.faces import Ability, TrainingSpace, Way
from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import Thing, fields_of, names, things
from rules_engine.effects import tree
from truthsayer.text.faces import plain_lines, rules_line

PRINTED = things(catalogue("uprising"))
NAMES = names(catalogue("uprising"))

TOLD_ELSEWHERE = {"id", "name", "rules", "control_rules", "faction"}
"""Fields that are the first word, or stand in the line of the rules."""

OTHER_WORDS = {"completed_by": ("harvest", "taking")}
"""Words that a field can have, where not every word will do."""

UNKNOWN = ("anything_else",)
"""An id of nothing that there is."""


def lines(thing: Thing) -> list[str]:
    return list(plain_lines(thing, NAMES))


@pytest.mark.parametrize("thing", PRINTED, ids=lambda each: each.id)
def test_every_field_is_told(thing: Thing) -> None:
    usual = {each.name: each.default for each in msgspec.structs.fields(type(thing.face))}
    untold = [
        name
        for name, value in fields_of(thing.face)
        if name not in TOLD_ELSEWHERE
        and value != usual[name]
        and value not in ((), None)
        and lines(changed(thing, name, other(name, value))) == lines(thing)
    ]
    assert untold == []


def changed(thing: Thing, field: str, value: Any) -> Thing:
    return thing._replace(face=msgspec.structs.replace(thing.face, **{field: value}))


def other(field: str, value: Any) -> Any:
    """Another value of a field."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return next(word for word in OTHER_WORDS.get(field, UNKNOWN) if word != value)
        case tree.Pay():
            return tree.Pay(9, value.what)
        case Ability() | TrainingSpace() | Way():
            return msgspec.structs.replace(value, effects=(tree.Train(),))
        case tuple():
            return value[1:] or (value[0], value[0])
        case _:
            return tree.Not(value)


def test_the_rules_of_a_face_and_of_its_effects_are_one_line() -> None:
    found = {each.id: rules_line(each) for each in PRINTED}
    assert "UPR-BOARD-015" in found["imperial_privilege"]
    assert "UPR-AGENT-013" in found["imperial_privilege"]
    assert "UPR-CTRL-005" in found["arrakeen"]
    assert found["truthtrance"].startswith("  rules: ")
    assert found["post_emperor"] == ""


def test_a_field_that_is_not_told_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    arrakeen = next(each for each in PRINTED if each.id == "arrakeen")
    monkeypatch.setitem(NAMES, "city", "Anything Else")
    with pytest.raises(AssertionError, match="icon"):
        test_every_field_is_told(arrakeen)
