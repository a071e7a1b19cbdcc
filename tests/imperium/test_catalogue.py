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
from rules_engine.catalogue.things import effects, things
from rules_engine.effects import tree
from rules_engine.effects.parse import parse, parse_condition
from rules_engine.effects.products import LATER
from rules_engine.effects.text import say, say_condition
from rules_engine.effects.tree import Condition, Effect, walk
from rules_engine.imperium.effects import MEANING
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

FILES = ("cards", "conflicts", "contracts", "intrigue", "leaders", "spaces")
BOXES = (
    "agent", "reveal", "acquire", "when_trashed", "when_discarded", "effects", "lines",
    "control_bonus", "at_four", "first", "second", "third", "signet", "on_signet", "reward",
)  # fmt: skip
"""The keys whose values are texts of the effect language."""

PRICES = ("cost", "later_cost")
INSIDE = ("way", "training", "ability")
"""The keys whose values have such keys of their own."""

ICONS = {
    "emperor", "spacing_guild", "bene_gesserit", "fremen", "landsraad", "city", "spice_trade",
}  # fmt: skip
"""The icons of board spaces; a card may also show the Spy icon."""

KINDS = [kind for kind in typing.get_args(Effect) if kind not in LATER]
"""The kinds of effect that need a meaning already."""

PAYABLE = (
    tree.Pay, tree.LoseInfluence, tree.DiscardCards, tree.DiscardIntrigue, tree.TrashCard,
    tree.TrashSelf, tree.TrashIntrigue, tree.RecallSpies, tree.Retreat, tree.FlipIcon, tree.All,
)  # fmt: skip


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
        elif key in PRICES and isinstance(value, str):
            yield value
        elif key in INSIDE:
            for inner in value if isinstance(value, list) else [value]:
                yield from _texts(inner)


TEXTS = [
    (entry.get("id", entry.get("faction")), text)
    for file in FILES
    for entries in _tables(file).values()
    for entry in entries
    for text in _texts(entry)
]


@pytest.mark.parametrize(("source", "text"), TEXTS)
def test_every_text_reads_back_as_the_same_tree(source: str, text: str) -> None:
    read = parse(text)
    assert read, source
    for effect in read:
        assert parse(say(effect)) == (effect,)


def test_every_text_of_the_files_was_looked_at(printed: Catalogue) -> None:
    looked_at = {source for source, _ in TEXTS}
    for faces in (printed.spaces, printed.conflicts, printed.leaders, printed.contracts):
        assert looked_at >= set(faces)
    read = sum(len(effects(thing.face)) for thing in things(printed))
    assert sum(len(parse(text)) for _, text in TEXTS) == read


def test_every_requirement_reads_back(printed: Catalogue) -> None:
    wanted = [face.requirement for face in printed.spaces.values() if face.requirement]
    assert wanted
    for condition in wanted:
        assert parse_condition(say_condition(condition)) == condition


# Kinds of effect


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_effect_is_run_and_cited(kind: type) -> None:
    rules = MEANING[kind].rules
    assert rules
    assert cite(*rules) == rules


def test_the_tables_hold_no_other_kinds() -> None:
    assert set(MEANING) == set(KINDS)


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
    return [
        (thing.id, inner)
        for thing in things(printed)
        for effect in effects(thing.face)
        for inner in walk(effect)
    ]


def problems(printed: Catalogue) -> list[str]:
    """Everything in a catalogue that names what is not there."""
    found = []
    for source, effect in every_effect(printed):
        ok = _names_what_exists(printed, source, effect)
        if isinstance(effect, tree.If):
            ok = ok and _condition_names_what_exists(printed, effect.condition)
        if not ok:
            found.append(f"{source}: {effect}")
    return found


def _names_what_exists(printed: Catalogue, source: str, effect: Effect) -> bool:
    scopes = {*printed.tracks, tree.ANY_FACTION, tree.SPIED_ON}
    match effect:
        case tree.TakeControl(space):
            return space in printed.spaces and bool(printed.spaces[space].control_bonus)
        case tree.GainInfluence(_, faction) | tree.LoseInfluence(_, faction):
            return faction in scopes
        case tree.TrashCard(faction):
            return faction is None or faction in printed.tracks
        case tree.PlaceSpy(places):
            return set(places) <= {*ICONS, tree.VISITED}
        case tree.Pay(_, what):
            return what in ("solari", "spice", "water")
        case tree.Arrow(cost, _):
            return all(isinstance(part, PAYABLE) for part in walk(cost))
        case tree.AtPlacement():
            return source in printed.spaces and effect in printed.spaces[source].effects
        case tree.GainBonusSpice():
            return source in printed.spaces and printed.spaces[source].maker
        case _:
            return True


def _condition_names_what_exists(printed: Catalogue, condition: Condition) -> bool:
    match condition:
        case tree.Not(inner):
            return _condition_names_what_exists(printed, inner)
        case tree.Both(one, other):
            return all(_condition_names_what_exists(printed, each) for each in (one, other))
        case tree.InfluenceAtLeast(faction, _) | tree.AnotherInPlay(faction):
            return faction in printed.tracks
        case tree.Discarded(faction):
            return faction in printed.tracks
        case tree.HoldsAlliance(faction):
            return faction in {*printed.tracks, tree.ANY_FACTION}
        case tree.PlacedOn(place):
            return place in {*ICONS, "faction"}
        case tree.Owns(card, _) | tree.Acquired(card):
            return card in printed.cards
        case _:
            return True


def test_everything_that_an_effect_names_exists(printed: Catalogue) -> None:
    assert problems(printed) == []


@pytest.mark.parametrize(
    "text",
    [
        "take control fremkit",
        "take control geidi_prime",
        "gain 1 influence great_houses",
        "if influence great_houses >= 2: 1 sword",
        "if not alliance fringe_worlds: 1 sword",
        "if owned mentat >= 2: 1 sword",
        "trash 1 great_houses card",
        "place 1 spy on great_houses post",
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
    assert set(printed.spaces) == BOARD
    linked = [space for post in printed.posts.values() for space in post.spaces]
    assert set(linked) == BOARD
    assert {space for space in BOARD if linked.count(space) > 1} == {
        "research_station",
        "spice_refinery",
    }


def test_icons_and_factions_exist(printed: Catalogue) -> None:
    assert {space.icon for space in printed.spaces.values()} == ICONS
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
        assert [bool(n) for n in (card.starting, card.reserve, card.copies)].count(True) == 1
        assert (card.cost is None) == (card.starting > 0)


def test_no_two_of_a_kind_have_one_name(printed: Catalogue) -> None:
    names = Counter((thing.kind, thing.name) for thing in things(printed))
    assert [name for name, count in names.items() if count > 1] == []


# Leaders and contracts

WHEN = {"reveal_turn", "reaches_two", "sends_agent", "opponent_harvests", "always"}


def test_what_leaders_name_exists(printed: Catalogue) -> None:
    for leader in printed.leaders.values():
        assert leader.ability.when in WHEN
        assert (leader.ability.when == "reaches_two") == (leader.ability.faction in printed.tracks)
        assert (leader.ability.when == "sends_agent") == bool(leader.ability.icons)
        assert set(leader.ability.icons) <= ICONS
        assert all(printed.cards[card].starting for card in leader.without)
        assert set(leader.contracts) <= set(printed.contracts)


def test_the_other_side_of_a_leader_is_reached_from_one_leader(printed: Catalogue) -> None:
    turned = [leader.turns_into for leader in printed.leaders.values() if leader.turns_into]
    assert sorted(turned) == sorted(each.id for each in printed.leaders.values() if each.back)


def test_a_training_track_leads_from_its_start_to_one_end(printed: Catalogue) -> None:
    (track,) = [leader.training for leader in printed.leaders.values() if leader.training]
    places = {space.id: at for at, space in enumerate(track)}
    assert [space.id for space in track if not space.next] == [track[-1].id]
    assert all(places[after] > places[space.id] for space in track for after in space.next)
    reached = {after for space in track for after in space.next}
    assert reached == set(places) - {track[0].id}


def test_a_contract_names_what_completes_it(printed: Catalogue) -> None:
    targets = {"visit": set(printed.spaces), "acquire": set(printed.cards)}
    for contract in printed.contracts.values():
        assert contract.completed_by in ("visit", "harvest", "acquire", "taking")
        assert contract.target in targets.get(contract.completed_by, {None})
        assert (contract.amount > 0) == (contract.completed_by == "harvest")
        assert contract.reward


# What is in the box


def test_the_imperium_deck_has_69_cards_or_65_without_the_module(printed: Catalogue) -> None:
    """UPR-CHOAM-004"""
    deck = [card for card in printed.cards.values() if card.copies and not card.promo]
    assert len(deck) == 54
    assert sum(card.copies for card in deck) == 69
    assert sum(card.copies for card in deck if not card.choam) == 65
    assert sum(card.copies for card in printed.cards.values() if card.promo) == 4


def test_the_intrigue_deck_has_44_cards_or_40_without_the_module(printed: Catalogue) -> None:
    """UPR-CHOAM-003"""
    deck = printed.intrigue.values()
    assert len(deck) == 39
    assert sum(card.copies for card in deck) == 44
    assert sum(card.copies for card in deck if not card.choam) == 40


def test_starting_decks_and_reserve(printed: Catalogue) -> None:
    cards = printed.cards.values()
    assert sum(card.starting for card in cards) == 10
    reserve = {card.id: card.reserve for card in cards if card.reserve}
    assert reserve == {"prepare_the_way": 8, "the_spice_must_flow": 10}


def test_conflicts_by_level_and_icon(printed: Catalogue) -> None:
    conflicts = printed.conflicts.values()
    assert Counter(each.level for each in conflicts) == {1: 3, 2: 9, 3: 4}
    icons = Counter(each.icon for each in conflicts)
    assert icons == {"crysknife": 5, "desert_mouse": 5, "ornithopter": 5, "wild": 1}
    assert sum(each.location is not None for each in conflicts) == 6


def test_spaces_posts_tracks_and_objectives(printed: Catalogue) -> None:
    icons = Counter(space.icon for space in printed.spaces.values())
    factions = {"emperor": 2, "spacing_guild": 2, "bene_gesserit": 2, "fremen": 2}
    assert icons == {**factions, "landsraad": 5, "city": 4, "spice_trade": 5}
    assert sum(space.combat for space in printed.spaces.values()) == 10
    assert sum(space.maker for space in printed.spaces.values()) == 3
    assert (len(printed.posts), len(printed.tracks), len(printed.objectives)) == (13, 4, 5)


def test_leaders_and_contracts(printed: Catalogue) -> None:
    """UPR-CHOAM-002"""
    leaders = printed.leaders.values()
    assert sum(not leader.back for leader in leaders) == 9
    assert [leader.id for leader in leaders if leader.choam] == ["shaddam_corrino_iv"]
    assert sum(contract.copies for contract in printed.contracts.values()) == 20
