"""Two readings are compared in everything: no field of a position can differ unnoticed."""

from __future__ import annotations

from typing import Any

import pytest

from rules_engine.effects import tree
from rules_engine.imperium.faces import printed
from rules_engine.imperium.setup import starting_state
from rules_engine.imperium.state import AgentAt, Player, SpyAt, Stack, State, Won
from rules_engine.kernel.decks import shuffled
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings
from scenarios.asking.comparing import UNSEEN, between

STATE: State = starting_state("uprising", ("John", "Abby", "Ned"), Rulings())

OTHERWISE: dict[str, Any] = {
    "first_player": 2,
    "round": 7,
    "shield_wall": False,
    "agents": (AgentAt("arrakeen", 0),),
    "spies": (SpyAt(next(iter(printed(STATE).posts)), 0),),
    "makers": tuple(change(each, bonus_spice=5) for each in STATE.makers),
    "controls": tuple(change(each, holder=1) for each in STATE.controls),
    "alliances": tuple(change(each, holder=1) for each in STATE.alliances),
    "conflict": "skirmish_crysknife",
    "conflict_deck": (),
    "row": ("dagger",),
    "imperium_deck": (),
    "reserve": (Stack("prepare_the_way", 1),),
    "intrigue_deck": (),
    "intrigue_discard": ("mercenaries",),
    "contract_row": ("immediate",),
    "contract_deck": shuffled(("immediate",)),
    "leader_contracts": ("immediate",),
    "objectives": (),
    "trashed": ("dagger",),
    "trashed_intrigues": ("mercenaries",),
    "first_reward": (tree.Gain(1, "spice"),),
    "reveal_order": (2, 1),
    "winners": (2,),
}
"""Another value for each field of the position."""

PLAYERS: dict[str, Any] = {
    "tracks": tuple(change(each, influence=3) for each in STATE.players[0].tracks),
    "leader": "lady_jessica",
    "training": "somewhere",
    "contracts": ("immediate",),
    "completed": ("immediate",),
    "standing": ("mercenaries",),
    "set_aside": ("dagger",),
    "hand": ("dagger",),
    "deck": (),
    "discard": ("dagger",),
    "in_play": ("dagger",),
    "intrigues": ("mercenaries",),
    "won": (Won("skirmish_crysknife", "crysknife", face_up=False),),
}
"""Another value for the fields of a player that are no numbers and no flags."""


@pytest.mark.parametrize("field", State.__struct_fields__)
def test_a_difference_in_a_field_of_the_position_is_told(field: str) -> None:
    if field in ("config", "players", *UNSEEN):
        return
    assert between(STATE, change(STATE, **{field: OTHERWISE[field]}))


@pytest.mark.parametrize("field", Player.__struct_fields__)
def test_a_difference_in_a_field_of_a_player_is_told(field: str) -> None:
    if field in ("seat", "name"):
        return
    first, *others = STATE.players
    value = getattr(first, field)
    plain = not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else None
    other = change(first, **{field: PLAYERS[field] if plain is None else plain})
    assert between(STATE, change(STATE, players=(other, *others)))


def test_equal_positions_do_not_differ() -> None:
    assert between(STATE, STATE) == []
