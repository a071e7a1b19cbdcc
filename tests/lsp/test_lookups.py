"""The pointer and *go to definition* know every rule, every ruling and everything printed."""

from __future__ import annotations

import json

from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import effects, things
from rules_engine.effects.text import say
from rules_engine.rulebook.index import rules
from rules_engine.rulebook.rulings import answers
from scenarios.imperium.names import vocabulary
from tests.lsp.texts import OWN_CARD, place_of
from truthsayer.lsp.context import word_at
from truthsayer.lsp.definition import Defined, definition
from truthsayer.lsp.hover import hover


def shown(line: str, column: int = 0) -> str:
    found = hover([line], 0, column)
    return found.markdown if found else ""


def line_of(found: Defined | None) -> str:
    assert found is not None
    assert found.file is not None
    return found.file.read_text(encoding="utf-8").splitlines()[found.line]


def test_every_rule_is_shown_and_leads_to_its_statement() -> None:
    for rule in rules():
        assert rule.statement in shown(rule.id)
        assert json.loads(line_of(definition([rule.id], 0, 3)))["id"] == rule.id


def test_every_ruling_is_shown_and_leads_to_its_name() -> None:
    for name, ruling in answers().items():
        assert " ".join(shown(name).split()).count(ruling.question.split()[0])
        assert line_of(definition([name], 0, 0)) == f'id = "{name}"'


def test_everything_printed_is_shown_by_its_name() -> None:
    for thing in things(catalogue("uprising")):
        told = shown(f'hand "{thing.name}"', 8)
        assert f"{thing.name}: " in told
        assert all(f"    {say(effect)}\n" in told for effect in effects(thing.face))


def test_every_place_is_one_word_wherever_the_pointer_is_in_it() -> None:
    for kind, names in vocabulary("uprising").names:
        if kind in ("SPACE", "POST", "FACTION"):
            for name in names:
                found = word_at(f"when Abby plays to {name} with", 19 + len(name) // 2)
                assert found is not None
                assert (found.kind, found.text) == ("name", name)


def test_a_player_called_like_a_faction_is_a_player() -> None:
    lines = ["game uprising with Fremen, Abby, Ned", "given Fremen has 1 spice"]
    assert hover(lines, 1, 8) is None
    assert shown("with the Fremen", 10)


def test_an_own_card_hides_nothing_of_another_scenario() -> None:
    lines = f'{OWN_CARD}\nscenario "y"\ngiven Abby has hand "Trial Ride"'.split("\n")
    first = place_of(OWN_CARD, '"Trial Ride"\n')
    assert hover(lines, *first) is not None
    assert definition(lines, *first) == Defined(None, place_of(OWN_CARD, "card ")[0])
    assert hover(lines, len(lines) - 1, 25) is None
    assert definition(lines, len(lines) - 1, 25) is None
