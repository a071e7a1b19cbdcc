"""The Agent icons and Factions of each card are shown: one more or one less, a scenario fails."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import scenarios
from rules_engine.catalogue.faces import CardFace
from rules_engine.catalogue.load import catalogue
from rules_engine.kernel.records import change
from scenarios.check import checked, read
from scenarios.language.syntax import Scenario
from scenarios.mentions import names

LIBRARY = Path(scenarios.__file__).parent / "library" / "uprising"
FILES = ("agent_icons.scenario", "factions.scenario", "starting_cards.scenario")
FACTIONS = ("emperor", "spacing_guild", "bene_gesserit", "fremen")
ICONS = (*FACTIONS, "landsraad", "city", "spice_trade", "spy")
CARDS = catalogue("uprising").cards


@cache
def written() -> tuple[Scenario, ...]:
    """The scenarios about icons and Factions."""
    return tuple(
        scenario
        for name in FILES
        for scenario in read(name, (LIBRARY / name).read_text("utf-8"))[0]
    )


def toggled(printed: tuple[str, ...], word: str) -> tuple[str, ...]:
    """What is printed with a word taken away, or added where it is missing."""
    return tuple(each for each in printed if each != word) if word in printed else (*printed, word)


def changes(face: CardFace) -> Iterator[tuple[str, CardFace]]:
    """The card with each icon and each Faction there or not, other than it is printed."""
    for icon in ICONS:
        yield f"icon {icon}", change(face, agent_icons=toggled(face.agent_icons, icon))
    for faction in FACTIONS:
        yield f"Faction {faction}", change(face, factions=toggled(face.factions, faction))


@pytest.mark.parametrize("id_", sorted(CARDS))
def test_a_scenario_notices_every_icon_and_faction(
    monkeypatch: pytest.MonkeyPatch, id_: str
) -> None:
    face = CARDS[id_]
    about = [each for each in written() if names(each, face.name)]
    unnoticed = []
    for what, changed in changes(face):
        monkeypatch.setitem(CARDS, id_, changed)
        if all(checked(scenario).good for scenario in about):
            unnoticed.append(what)
    assert unnoticed == []
