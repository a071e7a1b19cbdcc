"""From the wording of the second reading to our notation.

It was written from the printed faces in free words. `ours` turns a text of it into ours: a sentence
in `SENTENCES` as a whole, by its meaning; any other by all of `REWRITES`, in their order.
"""

from __future__ import annotations

import re

SENTENCES = {
    "none (no agent icons, chevron box)": "",
    "(empty)": "",
    # Another field of the gate says this.
    "ignore influence requirements on board spaces when sending an agent this turn": "",
    "choose: gain 5 solari | pay 5 solari -> take high council seat (if not already)": (
        "choose: gain 5 solari | if not high_council: pay 5 solari -> take high_council seat"
    ),
    "if your deck has 3+ cards: look at top 3; draw one, discard one, trash one (mandatory)": (
        "if deck_size >= 3: sort top cards"
    ),
    "may acquire a card to your hand using solari instead of persuasion": (
        "may acquire 1 card to hand with solari"
    ),
    "you may deploy any troops you recruit this turn to the conflict": "may deploy recruits",
    "double the bonus spice you harvest with this agent": "double bonus_spice",
    "acquire a card that costs 3 or less; if 1+ sandworms in the conflict: put that card in your "
    "hand": (
        "if sandworms_in_conflict >= 1: acquire 1 card costing <= 3 to hand "
        "otherwise: acquire 1 card costing <= 3"
    ),
    "remove and replace a card in the Imperium Row; during your reveal turn this round you may "
    "acquire the removed card for 1 persuasion less": "take from row for 1 less",
    "may return all your memories to your supply, drawing a card for each; then flip this leader "
    "over": "may flip leader",
    "may spend 1 water to repeat the effects printed on that space": (
        "pay 1 water -> repeat visited_space"
    ),
    "may choose: acquire a card that costs 1 to your hand | trash a card from your hand; if it has "
    "a cost of 1 or more: gain 2 spice": (
        "may (choose: acquire 1 card costing 1 to hand"
        " | trash 1 card from hand & (if trashed card costing >= 1: gain 2 spice))"
    ),
}
"""Texts whose words differ from ours in more than a word, each with its meaning."""

FOUR_FACTIONS = (
    "choose 2 different: gain 1 influence emperor | gain 1 influence spacing_guild"
    " | gain 1 influence bene_gesserit | gain 1 influence fremen"
)

NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4"}

REWRITES = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        # Remarks
        (r" \((trash icon|mandatory, no arrow|no arrow: mandatory|no arrow, mandatory)\)", ""),
        (r" \((no may|separate line, cumulative|including this one|10 in six-player)\)", ""),
        (r"AND \(separate line, no OR\) |\(separate line\) ", ""),
        # Numbers and joints
        (r"\b(retreat|up to|or|least) (one|two|three|four)\b",
         lambda found: f"{found[1]} {NUMBERS[found[2]]}"),
        (r" AND ", "; "),
        (r" \+ | and (?=may |trash |move )", " & "),
        (r"\+(\d persuasion)", r"\1"),
        # Influence
        (r"\bchoose two( \(different icons\))?: "
         r"gain 1 influence emperor / spacing_guild / bene_gesserit / fremen", FOUR_FACTIONS),
        (r"\binfluence \((any|any faction)\)", "influence any"),
        (r"\b(gain|lose) 1 influence(?= ->| &|;|$)", r"\1 1 influence any"),
        (r"\bgain two influence instead of one", "visit influence 2"),
        (r"\binfluence with each faction you are spying on", "influence spied_on"),
        # Conditions
        (r"\bfremen_bond:", "if another fremen card in play:"),
        (r"\bif (\d)\+ own spies on board:", r"if spies_on_board >= \1:"),
        (r"\bif (\d)\+ (units|sandworms) in the conflict:", r"if \2_in_conflict >= \1:"),
        (r"\bif sent an agent to a (Maker|faction) board space this turn:",
         lambda found: f"if at_{found[1].lower()}_space:"),
        (r"\bif spying on a Maker board space:", "if spying_on_maker_space:"),
        (r"\bif discarded a (\w+) card:", r"if discarded \1 card:"),
        (r"\bif you acquire The Spice Must Flow this turn:", "if acquired the_spice_must_flow:"),
        (r"\bif you have at least (\d) The Spice Must Flow:",
         r"if owned the_spice_must_flow >= \1:"),
        (r"\bif high council seat:", "if high_council:"),
        (r"\bif also have swordmaster:", "if high_council and swordmaster:"),
        (r"\bif you have an alliance:", "if alliance any:"),
        (r"\bif (\d)\+ influence on a faction track where an opponent has the alliance:",
         r"if influence >= \1 beside alliance:"),
        (r"\bif (\d) or more strength in the conflict:", r"if strength >= \1:"),
        (r"\bif gained spice this turn:", "if spice_gained_this_turn >= 1:"),
        (r"\bwhen you deploy (\d)\+ units to the conflict in a single turn:",
         r"if units_deployed_this_turn >= \1:"),
        (r"\bif placed on landsraad:", "if placed on landsraad post:"),
        (r"\bif placed on emperor/spacing_guild/bene_gesserit/fremen:",
         "if placed on faction post:"),
        # What is counted
        (r"\bfor each of your sandworms in the conflict:", "per sandworms_in_conflict:"),
        (r"([^;]+) for each contract you have completed", r"per completed_contracts: \1"),
        (r"([^;]+) for each other revealed card that provides 1\+ swords this turn",
         r"per other sword card revealed: \1"),
        (r"([^;]+) for each (\w+) card you revealed", r"per \2 card revealed: \1"),
        (r"([^;]+) for each (\w+) card you have in play", r"per \2 card in play: \1"),
        # Cards
        (r"\btrash this card and an (\w+) card from your hand",
         r"trash self & trash 1 \1 card from hand"),
        (r"\btrash another (\w+) card you have in play", r"trash 1 other \1 card from in_play"),
        (r"\btrash this card", "trash self"),
        (r"\breturn this card from play to your hand", "return self"),
        (r"\beach opponent discards a card", "each opponent: discard 1 card"),
        (r"\bacquire a card that costs (\d) or less", r"acquire 1 card costing <= \1"),
        (r"\bduring your reveal turn this round, whenever you acquire a card:", "when acquiring:"),
        (r"\buse leader signet ring ability", "use leader signet ability"),
        # Units
        (r"\b(retreat (?:\d|1 or 2)) of your (troops)", r"\1 \2"),
        (r"\bretreat 1 troops", "retreat 1 troop"),
        (r"\bretreat any number of your troops", "retreat any troops"),
        (r"\bmay deploy or retreat 1 troop\b",
         "may (choose: deploy up to 1 troop | retreat 1 troop)"),
        (r" from your garrison to the conflict", ""),
        (r"\bmove a troop from your supply to the Bene Gesserit area of the board; it is now a "
         r"memory", "memorise 1 troop"),
        (r"\bunits can't be deployed to the conflict this turn", "forbid deployment"),
        # Spies and Agents
        (r"\bplace 2 spies", "place 1 spy; place 1 spy"),
        (r"\bspying on the board space you sent an agent to this turn", "on visited_space post"),
        (r"; may place this spy on (the )?same observation post as another player's spy",
         " sharing"),
        (r"\bplace 1 spy on ([\w /]+) space",
         lambda found: f"place 1 spy on {found[1].replace(' / ', ' or ')} post"),
        (r"\brecall agent", "recall 1 agent"),
        # Tokens and icons
        (r"\bremove shield wall", "remove shield_wall"),
        (r"\bflip one of your face-up (crysknife|desert mouse|ornithopter) or wild conflict cards",
         lambda found: f"flip {found[1].replace(' ', '_')}"),
    )
)  # fmt: skip
"""Patterns of the wording and what stands for them in ours, applied one after the other."""

CONTRACTS = {
    "Acquire: The Spice Must Flow": "contract_acquire_tsmf",
    "Arrakeen (I)": "contract_arrakeen_water",
    "Arrakeen (II)": "contract_arrakeen_troop_spy",
    "Deliver Supplies": "contract_deliver_supplies",
    "Espionage (I)": "contract_espionage",
    "Harvest 3+": "contract_harvest_3",
    "Harvest 4+": "contract_harvest_4",
    "Heighliner (I)": "contract_heighliner_water",
    "Heighliner (II)": "contract_heighliner_troops",
    "High Council (I)": "contract_high_council_bg",
    "High Council (II)": "contract_high_council_solari",
    "Immediate": "contract_immediate",
    "Research Station (I)": "contract_research_station_spy",
    "Research Station (II)": "contract_research_station_solari",
    "Sardaukar (I)": "contract_sardaukar_cards",
    "Sardaukar (II)": "contract_sardaukar_recall",
    "Spice Refinery (I)": "contract_spice_refinery_cards",
    "Spice Refinery (II)": "contract_spice_refinery_water",
}
"""Contracts have no names of their own: which entry is which tile."""

TRAINING = {
    "move your Feyd token one space right on the Training track, earning the reward on the new "
    "space. Track: start -> [top: pay 1 solari -> trash 1 card | bottom: place 1 spy] -> trash 1 "
    "card -> [top: trash 1 card (one space) | bottom: place 1 spy -> gain 2 spice (two spaces)] "
    "-> end: recruit 1 troop + place 1 spy": (
        ("pay 1 solari -> trash 1 card", "trash 1 card", "trash 1 card",
         "recruit 1 troop; place 1 spy"),
        ("pay 1 solari -> trash 1 card", "trash 1 card", "place 1 spy", "gain 2 spice",
         "recruit 1 troop; place 1 spy"),
        ("place 1 spy", "trash 1 card", "trash 1 card", "recruit 1 troop; place 1 spy"),
        ("place 1 spy", "trash 1 card", "place 1 spy", "gain 2 spice",
         "recruit 1 troop; place 1 spy"),
    ),
}  # fmt: skip
"""A sentence about a training track, and the ways along it, each space by what it gives."""


def ours(text: str) -> str:
    """A text of the second reading in our notation."""
    if text in SENTENCES:
        return SENTENCES[text]
    for pattern, replacement in REWRITES:
        text = pattern.sub(replacement, text)
    return text


def id_of(name: str) -> str:
    """The id of what has a name: its words in small letters, without what only adorns them."""
    return "_".join(re.findall(r"[a-z0-9]+", name.casefold().replace("'s", "s")))
