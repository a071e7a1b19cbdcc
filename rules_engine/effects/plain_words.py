"""What the words of the effect language are called when a player is told of them.

By the terminals of `grammar.lark`, one table each. A name of something printed is not here: the
catalogue has it.
"""

from __future__ import annotations

from typing import NamedTuple

from rules_engine.kernel.numbers import Quantity


class Noun(NamedTuple):
    """A word for one thing and for several."""

    one: str
    many: str

    def counted(self, amount: Quantity) -> str:
        """So many of it."""
        return f"{amount} {self.one if amount == 1 else self.many}"


class Measure(NamedTuple):
    """Something of which there are so many: what is said before the number, the noun, what follows.

    `uncounted`: it comes in amounts, so that there is less of it, not fewer.
    """

    before: str
    noun: Noun
    after: str = ""
    uncounted: bool = False


class Flag(NamedTuple):
    """Something that is so, and what is said if it is not."""

    yes: str
    no: str


def _things(word: str) -> Noun:
    return Noun(word, f"{word}s")


def _amount(word: str) -> Noun:
    return Noun(word, word)


CARD = _things("card")
INTRIGUE_CARD = _things("Intrigue card")
SWORD = _things("sword")
SANDWORM = _things("sandworm")
SPY = Noun("Spy", "Spies")
AGENT = _things("Agent")
TROOP = _things("troop")
TURN_SPACE = "the space you visited this turn"

RESOURCES = {
    "solari": _amount("Solari"),
    "spice": _amount("spice"),
    "water": _amount("water"),
    "persuasion": _amount("Persuasion"),
    "vp": _things("Victory Point"),
    "specimen": _things("specimen"),
}

UNITS = {"troop": TROOP, "dreadnought": _things("dreadnought"), "unit": _things("unit")}

SCOPES = {
    "any": "a Faction of your choice",
    "spied_on": "every Faction that you spy on",
    "behind": "a Faction with which some opponent has more Influence than you",
    "visited": "the Faction whose space you visited this turn",
    "with_agents": "every Faction that has one of your Agents on its spaces",
    "snooped": "a Faction on whose track you have a snooper",
    "reached": "the Faction whose snooper you reached",
    "priority_1": "the first Faction on the Rival's card",
    "priority_2": "the second Faction on the Rival's card",
    "priority_3": "the third Faction on the Rival's card",
    "least": "the Faction with which the Rival has least Influence",
    "most": "the Faction with which the Rival has most Influence",
    "alliance_or_least": "the Faction whose Alliance this wins, or else the one with which the "
    "Rival has least Influence",
}
"""With whom Influence is gained or lost, where that is no single Faction."""

PLACES = {"visited_space": TURN_SPACE, "faction": "a Faction's space"}
"""Spaces that are described otherwise than by their icon."""

ZONES = {
    "hand": "your hand",
    "in_play": "play",
    "deck_top": "the top of your deck",
    "discard": "your discard pile",
    "garrison": "your garrison",
    "conflict": "the Conflict",
    "supply": "your supply",
    "set_aside": "the cards set aside",
    "grafted": "the two grafted cards",
}

GOES = {
    "hand": "into your hand",
    "in_play": "into play",
    "deck_top": "onto the top of your deck",
    "discard": "onto your discard pile",
    "garrison": "into your garrison",
    "conflict": "into the Conflict",
    "supply": "into your supply",
    "set_aside": "with the cards set aside",
    "grafted": "with the grafted cards",
}
"""Where something goes, by the ZONE it goes to."""

MEASURES = {
    "spies_on_board": Measure("you have", SPY, "on the board"),
    "units_in_conflict": Measure("you have", UNITS["unit"], "in the Conflict"),
    "sandworms_in_conflict": Measure("you have", SANDWORM, "in the Conflict"),
    "completed_contracts": Measure("you have completed", _things("contract")),
    "units_deployed_this_turn": Measure("you deployed", UNITS["unit"], "this turn"),
    "spice_gained_this_turn": Measure("you gained", RESOURCES["spice"], "this turn", True),
    "strength": Measure("you have", _amount("strength"), uncounted=True),
    "deck_size": Measure("you have", CARD, "in your deck"),
    "agents_to_recall": Measure("you have", AGENT, "to recall"),
    "solari": Measure("you have", RESOURCES["solari"], uncounted=True),
    "spice": Measure("you have", RESOURCES["spice"], uncounted=True),
    "persuasion": Measure("you have", RESOURCES["persuasion"], uncounted=True),
    "base_spice": Measure("there is", RESOURCES["spice"], f"printed on {TURN_SPACE}", True),
    "troops_in_conflict": Measure("you have", TROOP, "in the Conflict"),
    "tech_tiles": Measure("you have", _things("tech tile")),
    "dreadnoughts": Measure("you have", UNITS["dreadnought"]),
    "dreadnoughts_in_conflict": Measure("you have", UNITS["dreadnought"], "in the Conflict"),
    "troops_deployed_this_turn": Measure("you deployed", TROOP, "this turn"),
    "agent_icons": Measure(
        "there are", _things("Agent icon"), "on the card that sent this turn's Agent"
    ),
    "intrigue_buried": Measure("you put", INTRIGUE_CARD, "under the Intrigue Deck by this"),
    "genetic_markers": Measure("your research has reached", _things("genetic marker")),
    "troops_lost": Measure("you lost", TROOP, "when the Conflict ended"),
    "grafted_agent_icons": Measure("there are", _things("Agent icon"), "on the other grafted card"),
}

FLAGS = {
    "high_council": Flag(
        "you have a seat on the High Council", "you have no seat on the High Council"
    ),
    "swordmaster": Flag("you have the Swordmaster", "you do not have the Swordmaster"),
    "maker_hooks": Flag("you have Maker Hooks", "you have no Maker Hooks"),
    "recalled_spy_this_turn": Flag("you recalled a Spy this turn", "you recalled no Spy this turn"),
    "at_maker_space": Flag(
        "you sent this turn's Agent to a Maker space",
        "you sent no Agent to a Maker space this turn",
    ),
    "at_faction_space": Flag(
        "you sent this turn's Agent to a Faction's space",
        "you sent no Agent to a Faction's space this turn",
    ),
    "spying_on_maker_space": Flag("you spy on a Maker space", "you spy on no Maker space"),
    "swordmaster_taken": Flag("some player has the Swordmaster", "no player has the Swordmaster"),
    "mentat_free": Flag("the Mentat is on its space", "the Mentat is not on its space"),
    "own_reveal_turn": Flag("it is your Reveal turn", "it is not your Reveal turn"),
    "at_occupied_space": Flag(
        "an opponent's Agent is on the space you visited this turn",
        "no opponent's Agent is on the space you visited this turn",
    ),
    "opponent_played_combat_intrigue": Flag(
        "an opponent played a Combat Intrigue card in this Conflict",
        "no opponent played a Combat Intrigue card in this Conflict",
    ),
    "first_to_arrive": Flag(
        "you are the first player to arrive here", "another player arrived here before you"
    ),
    "solo": Flag("you play alone against Rivals", "you do not play alone against Rivals"),
    "tech_affordable": Flag(
        "the Rival can afford the tech tile", "the Rival cannot afford the tech tile"
    ),
    "sandworms_allowed": Flag(
        "no Shield Wall protects the Conflict", "the Shield Wall protects the Conflict"
    ),
    "swordmaster_bonus": Flag(
        "you have the Swordmaster bonus token", "you do not have the Swordmaster bonus token"
    ),
}

OTHERS = {
    "chosen_opponent": "an opponent of your choice",
    "each_team_member": "each member of your team",
    "each_ally": "each Ally of your team",
    "activated_ally": "the Ally whom you activated",
    "commander": "your Commander",
}
"""Who else carries out an effect."""

TRIGGERS = {
    "trashed": "when this card is trashed",
    "discarded": "when this card is discarded",
    "reveal_turn": "on your Reveal turn",
    "reveal_turn_here": "on your Reveal turn, while your Agent is here",
    "next_round": "at the start of the next round",
    "endgame": "in the Endgame",
    "win_conflict": "when you win a Conflict",
    "game_start": "at the start of the game",
    "any_time": "at any time",
    "taking_seat": "when you take a seat on the High Council",
    "paying_solari_for_space": "when you pay Solari for a board space",
    "round_start": "at the start of each round",
    "deploying": "when you deploy units",
    "gaining_solari": "when you gain Solari",
    "recruiting_by_shipping": "when you recruit by Shipping",
    "reaching_snooper": "when you reach a snooper",
    "second_turn": "at the start of your second turn of the round",
    "sending_set_aside": "when you send an Agent with the card set aside",
    "conflict_end": "when the Conflict ends",
}

TOKENS = {
    "mentat": "the Mentat",
    "swordmaster_bonus": "the Swordmaster bonus token",
    "fremen_alliance": "the Fremen Alliance",
    "emperor_alliance": "the Emperor Alliance",
}

TRACKS = {
    "shipping": "the Shipping track",
    "tleilaxu": "the Tleilaxu track",
    "research": "the Research track",
}

TURNS = {
    "pass": "do nothing more this turn",
    "again": "take another turn right after this one",
}

SIDES = {"left": "leftmost", "right": "rightmost"}
