"""What a player may see follows from the declarations of the fields, and from nothing else."""

from __future__ import annotations

from rules_engine.imperium.frames import Turn
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.decks import Known, Pool
from rules_engine.kernel.fingerprint import encoded
from rules_engine.kernel.outcomes import Event
from rules_engine.kernel.views import Seen, declared, view, view_event
from tests.imperium.positions import at, bare, giving

HIDDEN = {"hand": Seen.OWNER, "intrigues": Seen.OWNER, "deck": Seen.DECK}


def test_fields_declare_who_sees_them() -> None:
    assert declared(Player) == HIDDEN
    assert declared(State) == dict.fromkeys(
        ("conflict_deck", "imperium_deck", "intrigue_deck"), Seen.DECK
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
