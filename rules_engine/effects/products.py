"""Which kinds and words of the effect language wait for a later product.

Uprising prints none of them: its faces have fields for what an effect waits for, and its rules need
no runner for these kinds. The product named is the first one, in the order below, that prints them.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.effects import tree
from rules_engine.kernel.records import Record

BASE = "base"
IX = "ix"
IMMORTALITY = "immortality"
RIVALS_AND_SIX_PLAYER = "rivals_and_six_player"

LATER_PRODUCTS = (BASE, IX, IMMORTALITY, RIVALS_AND_SIX_PLAYER)

TITLES = {
    BASE: "the base game",
    IX: "Rise of Ix",
    IMMORTALITY: "Immortality",
    RIVALS_AND_SIX_PLAYER: "Rivals and the six-player game",
}
"""What people call the products."""

LATER: dict[type, str] = {
    tree.AcquireNamed: BASE,
    tree.PutAcquired: BASE,
    tree.ReturnCard: BASE,
    tree.LookAtDeck: BASE,
    tree.LoseUnits: BASE,
    tree.Discount: BASE,
    tree.EnterOccupied: BASE,
    tree.ChangeTurn: BASE,
    tree.TakeToken: BASE,
    tree.For: BASE,
    tree.When: BASE,
    tree.CountAtLeast: BASE,
    tree.MoreThanOpponents: BASE,
    tree.Tracks: BASE,
    tree.CardsOwned: BASE,
    tree.Advance: IX,
    tree.AcquireTech: IX,
    tree.Negotiate: IX,
    tree.FlipSelf: IX,
    tree.KeepIntrigue: IX,
    tree.BuryIntrigue: IX,
    tree.PlaceSnoopers: IX,
    tree.TakeSnooper: IX,
    tree.TrackBonus: IX,
    tree.SomeOf: IX,
    tree.AgentsOn: IX,
    tree.AllowDeployment: IMMORTALITY,
    tree.Grafted: IMMORTALITY,
    tree.RevealNext: RIVALS_AND_SIX_PLAYER,
    tree.ReplaceTleilaxu: RIVALS_AND_SIX_PLAYER,
    tree.Trade: RIVALS_AND_SIX_PLAYER,
    tree.Reinforce: RIVALS_AND_SIX_PLAYER,
}
"""The product that a kind of effect, condition or count waits for."""

LATER_WORDS: dict[str, dict[str, str]] = {
    "RESOURCE": {
        "specimen": IMMORTALITY,  # a troop of the supply in the Axolotl tanks
    },
    "SCOPE": {
        "behind": BASE,  # one with which some opponent has more Influence
        "visited": IX,  # the one whose space was visited this turn
        "with_agents": IX,  # every one with an own Agent on its spaces
        "snooped": IX,  # one on whose track an own snooper is
        "reached": IX,  # the one on whose track a snooper was just reached
        "great_houses": RIVALS_AND_SIX_PLAYER,
        "fringe_worlds": RIVALS_AND_SIX_PLAYER,
        "priority_1": RIVALS_AND_SIX_PLAYER,  # the first on the Rival card
        "priority_2": RIVALS_AND_SIX_PLAYER,
        "priority_3": RIVALS_AND_SIX_PLAYER,
        "least": RIVALS_AND_SIX_PLAYER,  # where the Rival has least Influence
        "most": RIVALS_AND_SIX_PLAYER,
        "alliance_or_least": RIVALS_AND_SIX_PLAYER,  # where it wins the Alliance, or else `least`
    },
    "ZONE": {
        "deck_top": BASE,
        "discard": BASE,
        "conflict": BASE,
        "supply": BASE,
        "set_aside": IX,  # by the Leader, at the start of the round
        "grafted": IMMORTALITY,  # the two cards that are played together
    },
    "UNITS": {
        "dreadnought": IX,
        "unit": IX,  # a unit of any kind
    },
    "MEASURE": {
        "base_spice": BASE,  # printed on the Maker space visited this turn
        "solari": IX,
        "persuasion": IX,
        "tech_tiles": IX,
        "dreadnoughts": IX,  # in garrison, in the Conflict or on the board
        "dreadnoughts_in_conflict": IX,
        "troops_deployed_this_turn": IX,
        "agent_icons": IX,  # of the card that sent this turn's Agent
        "intrigue_buried": IX,  # by the effect before this one
        "spice": IMMORTALITY,
        "troops_in_conflict": IMMORTALITY,
        "genetic_markers": IMMORTALITY,  # that the research marker has reached or passed
        "troops_lost": IMMORTALITY,  # to the supply when this Conflict ended
        "grafted_agent_icons": IMMORTALITY,  # on the other of the two cards played together
    },
    "FLAG": {
        "mentat_free": BASE,  # the Mentat is on its space
        "own_reveal_turn": BASE,
        "at_occupied_space": IX,  # this turn's space has an opponent's Agent
        "opponent_played_combat_intrigue": IMMORTALITY,  # in this Conflict
        "first_to_arrive": IMMORTALITY,  # no other player reached this space of the track before
        "solo": RIVALS_AND_SIX_PLAYER,  # one player against Rivals
        "tech_affordable": RIVALS_AND_SIX_PLAYER,  # the tile that the Rival would acquire
        "sandworms_allowed": RIVALS_AND_SIX_PLAYER,  # no Shield Wall protects the Conflict
        "swordmaster_bonus": RIVALS_AND_SIX_PLAYER,  # the owner has that token
        "swordmaster_taken": RIVALS_AND_SIX_PLAYER,  # by any player
    },
}
"""The product that a word waits for, by the grammar's terminal that has it.

The words of TRIGGER, WHO, TOKEN, TRACK, TURN and SIDE stand in later kinds alone.
"""

WORD_FIELDS: dict[tuple[type, str], str] = {
    (tree.Gain, "what"): "RESOURCE",
    (tree.Pay, "what"): "RESOURCE",
    (tree.GainInfluence, "faction"): "SCOPE",
    (tree.LoseInfluence, "faction"): "SCOPE",
    (tree.TrashCard, "zone"): "ZONE",
    (tree.ReturnCard, "zone"): "ZONE",
    (tree.LoseUnits, "zone"): "ZONE",
    (tree.DeployTroops, "zone"): "ZONE",
    (tree.PutAcquired, "to"): "ZONE",
    (tree.Recruit, "unit"): "UNITS",
    (tree.Retreat, "unit"): "UNITS",
    (tree.DeployTroops, "unit"): "UNITS",
    (tree.LoseUnits, "unit"): "UNITS",
    (tree.AtLeast, "measure"): "MEASURE",
    (tree.Number, "measure"): "MEASURE",
    (tree.Is, "flag"): "FLAG",
}
"""Where a node has a word of one of the grammar's terminals."""


def waits_for(effect: object) -> str | None:
    """The product that an effect waits for, or nothing if Uprising plays it."""
    return next(_waiting(effect), None)


def _waiting(value: object) -> Iterator[str]:
    if isinstance(value, tuple):
        for each in value:
            yield from _waiting(each)
    if not isinstance(value, Record):
        return
    kind = type(value)
    if kind in LATER:
        yield LATER[kind]
    for field in value.__struct_fields__:
        inner = getattr(value, field)
        words = LATER_WORDS.get(WORD_FIELDS.get((kind, field), ""), {})
        if isinstance(inner, str) and inner in words:
            yield words[inner]
        yield from _waiting(inner)
