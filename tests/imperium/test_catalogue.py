"""The catalogue: every text reads back, and everything that is named exists."""

from __future__ import annotations

import tomllib
import typing
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from typing import Any

import pytest

from rules_engine.catalogue.faces import Catalogue
from rules_engine.catalogue.load import catalogue
from rules_engine.effects import tree
from rules_engine.effects.parse import parse, parse_condition
from rules_engine.effects.text import say, say_condition
from rules_engine.effects.tree import Effect, walk
from rules_engine.imperium.effects import CITE, RUN
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

FILES = ("cards", "conflicts", "intrigue", "spaces")
BOXES = (
    "agent", "reveal", "acquire", "effects", "lines", "control_bonus", "at_four",
    "first", "second", "third",
)  # fmt: skip
"""The keys whose values are texts of the effect language."""

ICONS = {
    "emperor", "spacing_guild", "bene_gesserit", "fremen", "landsraad", "city", "spice_trade",
}  # fmt: skip
"""The icons of board spaces; a card may also show the Spy icon."""

KINDS = typing.get_args(Effect)
PAYABLE = (tree.Pay, tree.LoseInfluence, tree.All)


@pytest.fixture(scope="module")
def printed() -> Catalogue:
    return catalogue("uprising")


def _tables(file: str) -> dict[str, list[dict[str, Any]]]:
    path = resources.files("rules_engine.catalogue.uprising").joinpath(f"{file}.toml")
    return tomllib.loads(path.read_text("utf-8"))


def _texts(entry: dict[str, Any]) -> Iterator[str]:
    for key, value in entry.items():
        if key in BOXES:
            yield from value
        elif key == "cost" and isinstance(value, str):
            yield value
        elif key == "way":
            for way in value:
                yield from _texts(way)


TEXTS = [
    (entry.get("id", entry.get("faction")), text)
    for file in FILES
    for entries in _tables(file).values()
    for entry in entries
    for text in _texts(entry)
]


@pytest.mark.parametrize(("source", "text"), TEXTS)
def test_every_text_reads_back_as_the_same_tree(source: str, text: str) -> None:
    effects = parse(text)
    assert effects, source
    for effect in effects:
        assert parse(say(effect)) == (effect,)


def test_every_text_of_the_files_was_looked_at(printed: Catalogue) -> None:
    assert {source for source, _ in TEXTS} >= set(printed.spaces) | set(printed.conflicts)
    assert len(TEXTS) > 80


def test_every_requirement_reads_back(printed: Catalogue) -> None:
    wanted = [face.requirement for face in printed.spaces.values() if face.requirement]
    assert wanted
    for condition in wanted:
        assert parse_condition(say_condition(condition)) == condition


# Kinds of effect


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_effect_is_run_and_cited(kind: type) -> None:
    assert callable(RUN[kind])
    assert CITE[kind]
    assert cite(*CITE[kind]) == CITE[kind]


def test_the_tables_hold_no_other_kinds() -> None:
    assert set(RUN) == set(CITE) == set(KINDS)


@pytest.mark.parametrize(
    "effect",
    [
        tree.PlaceSpy(), tree.TrashCard(), tree.TrashSelf(), tree.TakeMakerHooks(),
        tree.RemoveShieldWall(), tree.GainBonusSpice(), tree.UseSignet(),
    ],
    ids=lambda effect: type(effect).__name__,
)  # fmt: skip
def test_every_plain_kind_has_a_sentence(effect: Effect) -> None:
    assert parse(say(effect)) == (effect,)


# References


def every_effect(printed: Catalogue) -> list[tuple[str, Effect]]:
    """Every effect with the entry that it is printed on, also those inside others."""
    found: list[tuple[str, Effect]] = []
    for card in printed.cards.values():
        found += [(card.id, each) for each in (*card.agent, *card.reveal, *card.acquire)]
    for intrigue in printed.intrigue.values():
        for way in intrigue.ways:
            found += [(intrigue.id, each) for each in (*way.effects, *way.lines)]
    for space in printed.spaces.values():
        found += [(space.id, each) for each in (*space.effects, *space.control_bonus)]
    for track in printed.tracks.values():
        found += [(track.faction, each) for each in track.at_four]
    for conflict in printed.conflicts.values():
        found += [
            (conflict.id, each) for each in (*conflict.first, *conflict.second, *conflict.third)
        ]
    return [(source, inner) for source, effect in found for inner in walk(effect)]


def problems(printed: Catalogue) -> list[str]:
    """Everything in a catalogue that names what is not there."""
    found = []
    factions = {*printed.tracks, tree.ANY_FACTION}
    for source, effect in every_effect(printed):
        match effect:
            case tree.TakeControl(space):
                ok = space in printed.spaces and bool(printed.spaces[space].control_bonus)
            case tree.GainInfluence(_, faction) | tree.LoseInfluence(_, faction):
                ok = faction in factions
            case tree.If(tree.InfluenceAtLeast(faction, _), _):
                ok = faction in printed.tracks
            case tree.Pay(_, what):
                ok = what in ("solari", "spice", "water")
            case tree.Arrow(cost, _):
                ok = all(isinstance(part, PAYABLE) for part in walk(cost))
            case tree.AtPlacement():
                ok = source in printed.spaces and effect in printed.spaces[source].effects
            case tree.GainBonusSpice():
                ok = source in printed.spaces and printed.spaces[source].maker
            case _:
                ok = True
        if not ok:
            found.append(f"{source}: {effect}")
    return found


def test_everything_that_an_effect_names_exists(printed: Catalogue) -> None:
    assert problems(printed) == []


@pytest.mark.parametrize(
    "text",
    [
        "take control fremkit",
        "take control geidi_prime",
        "gain 1 influence harkonnen",
        "if influence harkonnen >= 2: 1 sword",
        "pay 1 vp -> 1 sword",
        "draw 1 card -> 1 sword",
        "choose_at_placement: [pay 0 spice] 1 sword | [pay 1 spice] 2 swords",
        "gain bonus_spice",
    ],
)
def test_a_planted_reference_to_nothing_is_found(printed: Catalogue, text: str) -> None:
    card = change(printed.cards["dagger"], reveal=parse(text))
    assert problems(change(printed, cards={**printed.cards, "dagger": card})) != []


BOARD = {
    "accept_contract", "arrakeen", "assembly_hall", "deep_desert", "deliver_supplies",
    "desert_tactics", "dutiful_service", "espionage", "fremkit", "gather_support", "hagga_basin",
    "heighliner", "high_council", "imperial_basin", "imperial_privilege", "research_station",
    "sardaukar", "secrets", "shipping", "sietch_tabr", "spice_refinery", "swordmaster",
}  # fmt: skip
"""The spaces of the board for three and four players."""


def test_posts_and_spaces_are_linked_as_on_the_board(printed: Catalogue) -> None:
    assert len(printed.posts) == 13
    assert set(printed.spaces) <= BOARD
    linked = [space for post in printed.posts.values() for space in post.spaces]
    assert set(linked) == BOARD
    assert {space for space in BOARD if linked.count(space) > 1} == {
        "research_station",
        "spice_refinery",
    }


def test_icons_and_factions_exist(printed: Catalogue) -> None:
    assert {space.icon for space in printed.spaces.values()} <= ICONS
    assert set(printed.tracks) <= ICONS
    for card in printed.cards.values():
        assert set(card.agent_icons) <= {*ICONS, "spy"}
        assert set(card.factions) <= set(printed.tracks)


def test_conflicts_are_at_locations_that_can_be_controlled(printed: Catalogue) -> None:
    locations = {each.location for each in printed.conflicts.values() if each.location}
    assert locations
    assert all(printed.spaces[location].control_bonus for location in locations)


def test_a_control_bonus_is_a_gain_and_costs_are_paid(printed: Catalogue) -> None:
    for space in printed.spaces.values():
        assert all(isinstance(bonus, tree.Gain) for bonus in space.control_bonus)
        assert space.cost is None or space.cost.amount > 0


def test_intrigue_cards_can_be_played_at_some_time(printed: Catalogue) -> None:
    for card in printed.intrigue.values():
        assert card.ways
        for way in card.ways:
            assert way.timing in ("plot", "combat", "endgame")
            assert bool(way.effects) != bool(way.lines)


@pytest.mark.parametrize("players", [3, 4])
def test_everyone_gets_an_objective_and_one_of_them_is_first(
    printed: Catalogue, players: int
) -> None:
    dealt = [each for each in printed.objectives.values() if players in each.players]
    assert len(dealt) == players
    assert sum(each.first_player for each in dealt) == 1


def test_no_id_is_given_twice() -> None:
    ids = Counter(
        entry["id"]
        for file in FILES
        for kind, entries in _tables(file).items()
        for entry in entries
        if kind != "track"
    )
    assert [name for name, count in ids.items() if count > 1] == []


def test_every_card_is_somewhere(printed: Catalogue) -> None:
    for card in printed.cards.values():
        assert card.starting + card.reserve + card.copies > 0
        assert (card.cost is None) == (card.starting > 0)
    assert sum(card.starting for card in printed.cards.values()) == 10
