"""What a player may see follows from the declarations of the fields, and from nothing else."""

from __future__ import annotations

from typing import Annotated

import pytest

from rules_engine.imperium.actions import EndTurn
from rules_engine.imperium.frames import Turn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.decks import Cards, Deck, Known, Pool, shuffled
from rules_engine.kernel.fingerprint import encoded
from rules_engine.kernel.game import Answer, Frame
from rules_engine.kernel.hidden import dealt_otherwise, scrambled
from rules_engine.kernel.outcomes import Event, Seat
from rules_engine.kernel.records import Record
from rules_engine.kernel.views import Seen, declared, view, view_actions, view_event
from tests.imperium.positions import at, bare, giving

HIDDEN = {"hand": Seen.OWNER, "intrigues": Seen.OWNER, "deck": Seen.DECK}


def test_fields_declare_who_sees_them() -> None:
    assert declared(Player) == HIDDEN
    assert declared(State) == dict.fromkeys(
        ("conflict_deck", "contract_deck", "imperium_deck", "intrigue_deck"), Seen.DECK
    )


def test_a_player_sees_the_own_hand_and_the_number_of_cards_of_others() -> None:
    state = giving(bare(), 1, hand=("dagger", "signet_ring"), intrigues=("mercenaries",))
    assert view(state, 1)["players"][1]["hand"] == ["dagger", "signet_ring"]
    other = view(state, 0)["players"][1]
    assert (other["hand"], other["intrigues"]) == ({"count": 2}, {"count": 1})


def test_a_known_card_of_a_deck_is_seen_by_those_who_know_it() -> None:
    deck = (Known("dagger", (0, 2)), Pool(2, ("diplomacy", "reconnaissance", "seek_allies")))
    state = giving(bare(), 1, deck=deck)
    for seat, top in ((0, "dagger"), (1, None), (2, "dagger"), (3, None)):
        assert view(state, seat)["players"][1]["deck"] == [top, None, None]


def test_everything_else_is_open() -> None:
    state = at(giving(bare(), 1, spice=3, discard=("dagger",)), Turn(1))
    seen = view(state, 0)
    assert seen["players"][1]["spice"] == 3
    assert seen["players"][1]["discard"] == ["dagger"]
    assert seen["pending"] == [{"frame": "turn", "seat": 1}]
    assert set(seen) == set(State.__struct_fields__)


def test_a_view_is_plain_data() -> None:
    assert b'"config"' in encoded(view(bare(), 0))


def test_secret_facts_of_an_event_are_for_its_player_only() -> None:
    event = Event("draws", ("UPR-ICON-003",), 1, {"card": "dagger", "left": 4}, secret=("card",))
    assert view_event(event, 1) == event
    shown = view_event(event, 0)
    assert (shown.facts, shown.secret) == ({"left": 4}, ())
    assert (shown.key, shown.rules, shown.player) == (event.key, event.rules, event.player)


def test_an_event_without_secrets_is_shown_whole() -> None:
    event = Event("round", ("UPR-ROUND-001",), None, {"round": 2})
    assert view_event(event, 3) is event


# Spectators


def test_a_spectator_sees_only_what_everybody_sees() -> None:
    deck = (Known("dagger", (0, 1, 2, 3)), Pool(1, ("diplomacy",)))
    state = giving(bare(), 1, hand=("dagger",), intrigues=("mercenaries",), deck=deck, spice=2)
    seen = view(state, None)["players"][1]
    assert (seen["hand"], seen["intrigues"]) == ({"count": 1}, {"count": 1})
    assert seen["deck"] == [None, None]
    assert seen["spice"] == 2


@pytest.mark.parametrize("player", [None, 1])
def test_a_spectator_is_told_no_secret_not_even_of_nobody(player: Seat | None) -> None:
    event = Event("draws", ("UPR-ICON-003",), player, {"card": "dagger", "left": 4}, ("card",))
    assert view_event(event, None).facts == {"left": 4}


def test_everyone_is_offered_the_own_actions_only() -> None:
    listed = (EndTurn(0), EndTurn(1), Answer("dagger"))
    assert view_actions(listed, 1) == (EndTurn(1),)
    assert view_actions(listed, None) == ()


# Pending frames


class Inner(Record):
    """A part of a frame that does not say whose it is."""

    card: Annotated[str | None, Seen.OWNER]


class Look(Frame, tag="look"):
    """Cards that only the player of the frame may see."""

    seat: Seat
    seen: Annotated[Cards, Seen.OWNER]
    kept: Inner


class Lost(Frame, tag="lost"):
    """Cards that nobody may see: the frame says of no player that it is theirs."""

    seen: Annotated[Cards, Seen.OWNER]


LOOKING = at(bare(), Look(1, ("dagger", "signet_ring"), Inner("diplomacy")))


def test_the_cards_of_a_frame_are_for_its_player() -> None:
    own = {"frame": "look", "seat": 1, "seen": ["dagger", "signet_ring"]}
    assert view(LOOKING, 1)["pending"] == [{**own, "kept": {"card": "diplomacy"}}]


@pytest.mark.parametrize("viewer", [0, 2, 3, None])
def test_of_the_cards_of_a_frame_others_see_the_number(viewer: Seat | None) -> None:
    shown = {"frame": "look", "seat": 1, "seen": {"count": 2}, "kept": {"card": None}}
    assert view(LOOKING, viewer)["pending"] == [shown]


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_what_belongs_to_nobody_is_seen_by_nobody(viewer: Seat | None) -> None:
    state = at(bare(), Lost(("dagger",)))
    assert view(state, viewer)["pending"] == [{"frame": "lost", "seen": {"count": 1}}]


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, None])
def test_what_is_hidden_in_a_frame_is_changed_for_the_laws(viewer: Seat | None) -> None:
    for other in (scrambled(LOOKING, viewer), *dealt_otherwise(IMPERIUM, LOOKING, viewer)):
        assert encoded(view(other, viewer)) == encoded(view(LOOKING, viewer))
        assert (other.pending == LOOKING.pending) is (viewer == 1)


def test_cards_dealt_otherwise_stay_with_their_kin() -> None:
    state = giving(bare(), 1, hand=("dagger",), intrigues=("mercenaries",))
    others = list(dealt_otherwise(IMPERIUM, state, 0))
    assert len({encoded(each) for each in (state, *others)}) == 3
    for other in others:
        assert other.players[0] == state.players[0]
        assert _pooled(other, 1) == _pooled(state, 1)
        held = [
            (*each.players[1].intrigues, *_cards(each.intrigue_deck)) for each in (state, other)
        ]
        assert sorted(held[0]) == sorted(held[1])


def test_in_the_first_other_deal_every_place_has_another_face() -> None:
    state = giving(bare(), 1, hand=("dagger", "diplomacy"), deck=shuffled(["signet_ring"] * 2))
    other = next(iter(dealt_otherwise(IMPERIUM, state, 0)))
    assert other.players[1].hand == ("signet_ring", "signet_ring")


def _cards(deck: Deck) -> tuple[str, ...]:
    return tuple(card for part in deck if isinstance(part, Pool) for card in part.cards)


def _pooled(state: State, seat: Seat) -> list[str]:
    owner = state.players[seat]
    return sorted((*owner.hand, *_cards(owner.deck)))
