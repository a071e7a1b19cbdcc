"""What the expectations of a scenario look at: through these it shows what it is about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Json = dict[str, Any]

REFUSALS = "(refusals)"
ACTIONS = "(actions)"
"""What is looked at and is no field: that something is refused, and what is listed as allowed."""

FIELDS_OF: dict[str, tuple[str, ...]] = {
    "agent": ("agents",),
    "no_agent": ("agents",),
    "spy": ("spies",),
    "no_spy": ("spies",),
    "bonus_spice": ("makers",),
    "can": (ACTIONS,),
    "due": (ACTIONS,),
    "offered": (ACTIONS,),
    "cannot": (REFUSALS,),
    "chance_asked": ("asked",),
    "is_asked": ("asked",),
    "nobody_asked": ("asked",),
    "turn_of": ("turn", "asked"),
    "is_first": ("first_player",),
    "round": ("round",),
    "contract_row": ("contract_row",),
    "row": ("row",),
    "row_size": ("row",),
    "reserve": ("reserve",),
    "intrigue_discard": ("intrigue_discard",),
    "out_of_game": ("trashed", "trashed_intrigues"),
    "has_trashed": ("trashed", "trashed_intrigues"),
    "no_cards_left": ("imperium_deck",),
    "no_intrigues_left": ("intrigue_deck",),
    "no_contracts_left": ("contract_deck",),
    "no_conflicts_left": ("conflict_deck",),
    "controls": ("controls",),
    "uncontrolled": ("controls",),
    "holds": ("alliances",),
    "unheld": ("alliances",),
    "wall_stands": ("shield_wall",),
    "wall_gone": ("shield_wall",),
    "first_reward": ("first_reward",),
    "wins_game": ("winners",),
    "share_victory": ("winners",),
    "hand": ("players.hand",),
    "intrigue": ("players.intrigues",),
    "holds_contracts": ("players.contracts",),
    "has_completed": ("players.completed",),
    "set_aside": ("players.set_aside",),
    "standing": ("players.standing",),
    "won": ("players.won",),
    "matched": ("players.won",),
    "holds_objectives": ("players.won",),
    "objective": ("players.won",),
    "won_by_nobody": ("players.won",),
    "wins_conflict": ("players.won",),
    "nobody_wins": ("players.won",),
    "hooks": ("players.maker_hooks",),
    "no_hooks": ("players.maker_hooks",),
    "swordmaster": ("players.swordmaster",),
    "no_swordmaster": ("players.swordmaster",),
    "seated": ("players.high_council",),
    "not_seated": ("players.high_council",),
    "revealed": ("players.revealed",),
    "not_revealed": ("players.revealed",),
    "led_by": ("players.leader",),
    "trained": ("players.training",),
    "strength": ("players.strength",),
    "marker": ("players.strength",),
    "marker_turned": ("players.strength",),
}
"""Where an expectation looks, by its kind. The others look at whatever changes."""

QUANTITIES = ("has", "gains", "loses", "keeps")
FIELD_OF_QUANTITY = {"influence": "tracks"}


def asserted(expectations: Iterable[Json]) -> tuple[str, ...]:
    """The fields that some expectations look at, each once; none if one looks at whatever changes.

    Those of a player are written as `players.hand`.
    """
    found: dict[str, None] = {}
    for each in expectations:
        fields = _fields(each)
        if not fields:
            return ()
        found.update(dict.fromkeys(fields))
    return tuple(found)


def _fields(expected: Json) -> tuple[str, ...]:
    if expected["kind"] == "in_zone":
        return (f"players.{expected['zone']}",)
    if expected["kind"] not in QUANTITIES:
        return FIELDS_OF.get(expected["kind"], ())
    quantity = str(expected["quantity"])
    if quantity == "cards":
        return (f"players.{expected['zone']}",)
    if quantity == "resource":
        return (f"players.{expected['what']}",)
    return (f"players.{FIELD_OF_QUANTITY.get(quantity, quantity)}",)
