"""From the wording of the facts to our notation.

The facts say one thing in several ways, each set with its own habits; our grammar has one spelling.
`ours` turns a text of the facts into ours: a sentence in `SENTENCES` as a whole, by its meaning;
any other by all of `REWRITES`, in their order. What it cannot turn stays as it is.
"""

from __future__ import annotations

import re

SENTENCES = {
    # Uprising, marked `special:` in the facts
    "special: each opponent with >= 4 intrigue: steal 1 intrigue at random": (
        "steal intrigue from holders of 4"
    ),
    "special: reveal_turn while agent here: gain 1 persuasion": (
        "when reveal_turn_here: gain 1 persuasion"
    ),
    "special: if deck_size >= 3: look at top 3 of deck, then draw 1 & discard 1 & trash 1 "
    "(one each)": "if deck_size >= 3: sort top cards",
    "special: may acquire 1 card to hand paying its cost in solari instead of persuasion": (
        "may acquire 1 card to hand with solari"
    ),
    "special: fremen_bond: may deploy 1 troop from garrison or retreat 1 troop": (
        "if another fremen card in play: may (choose: deploy up to 1 troop | retreat 1 troop)"
    ),
    "special: double the bonus_spice harvested with this agent": "double bonus_spice",
    'special: trash self -> recruit 1 troop & add "gain 1 influence any" to this conflict\'s '
    "first reward": "trash self -> recruit 1 troop & add to first reward gain 1 influence any",
    "special: per face-up battle icon you own: crysknife = may trash 1 card, desert_mouse = "
    "gain 1 spice, ornithopter = recruit 1 troop": (
        "per face_up crysknife: may trash 1 card; per face_up desert_mouse: gain 1 spice; "
        "per face_up ornithopter: recruit 1 troop"
    ),
    "special: during own reveal turn this round, per card acquired: recruit 1 troop": (
        "when acquiring: recruit 1 troop"
    ),
    "special: flip 1 own face-up crysknife or wild conflict card -> gain 1 vp": (
        "flip crysknife -> gain 1 vp"
    ),
    "special: flip 1 own face-up desert_mouse or wild conflict card -> gain 1 vp": (
        "flip desert_mouse -> gain 1 vp"
    ),
    "special: flip 1 own face-up ornithopter or wild conflict card -> gain 1 vp": (
        "flip ornithopter -> gain 1 vp"
    ),
    "special: acquire 1 card costing <= 3 persuasion (free)": "acquire 1 card costing <= 3",
    "special: acquire 1 card costing <= 3 persuasion (free); if sandworms_in_conflict >= 1 it "
    "goes to hand": (
        "if sandworms_in_conflict >= 1: acquire 1 card costing <= 3 to hand "
        "otherwise: acquire 1 card costing <= 3"
    ),
    "special: remove 1 imperium row card and refill; during own reveal turn this round may "
    "acquire it for 1 persuasion less": "take from row for 1 less",
    "special: if own influence >= 4 on a track whose alliance an opponent holds: gain 1 vp": (
        "if influence >= 4 beside alliance: gain 1 vp"
    ),
    "special: move feyd token 1 space right along a path of choice; gain that space's reward": (
        "train"
    ),
    "special: may return all memories to supply, draw 1 card each, then flip to "
    "reverend_mother_jessica": "may flip leader",
    "special: pay 1 water -> repeat the effects printed on that space": (
        "pay 1 water -> repeat visited_space"
    ),
    "special: may choose: acquire 1 card costing exactly 1 persuasion to hand (free) | trash 1 "
    "card from hand; if its cost >= 1: gain 2 spice": (
        "may (choose: acquire 1 card costing 1 to hand"
        " | trash 1 card from hand & (if trashed card costing >= 1: gain 2 spice))"
    ),
    "special: no units may be deployed to conflict this turn": "forbid deployment",
    # Uprising, costs and requirements of spaces
    "pay 8 solari if no player has a swordmaster else 6 solari": (
        "if swordmaster_taken: pay 6 solari otherwise: pay 8 solari"
    ),
    "pay 0 or 2 solari (chosen and paid at placement)": "choose: pay 0 solari | pay 2 solari",
    "pay 0 or 1 spice (chosen and paid at placement)": "choose: pay 0 spice | pay 1 spice",
    "once per game per player": "not swordmaster",
    # The base game
    "pay 2..5 spice": "choose: pay 2 spice | pay 3 spice | pay 4 spice | pay 5 spice",
    "choose: pay 2 spice -> gain 6 solari | pay 3 spice -> gain 8 solari | pay 4 spice -> gain 10 "
    "solari | pay 5 spice -> gain 12 solari": (
        "choose_at_placement: [pay 2 spice] gain 6 solari | [pay 3 spice] gain 8 solari"
        " | [pay 4 spice] gain 10 solari | [pay 5 spice] gain 12 solari"
    ),
    "take mentat next round": "when next_round: take mentat",
    # As much again as the space gives, besides what it gives itself.
    "double base_spice harvested by this agent": "per base_spice: gain 1 spice",
    "may pass this turn": "may turn pass",
    # The card looked at is the top one, and the one that would be drawn.
    "choose: draw it | trash it": "choose: draw 1 card | trash 1 card from deck_top",
    # A player has twelve troops in all.
    "deploy any number of troops from garrison": "deploy up to 12 troops",
    "pay 1 solari -> chosen opponent loses 1 troop in conflict & deploy 1 troop from supply": (
        "pay 1 solari -> (for chosen_opponent: lose 1 troop from conflict)"
        " & deploy up to 1 troop from supply"
    ),
    "own Reveal turn this round: may put acquired cards on top of deck": (
        "when acquiring: may put acquired to deck_top"
    ),
    "landsraad space solari cost -1": "discount landsraad by 1",
    # Its second sentence, the price on the own Reveal turn, is part of this one.
    "remove and replace 1 card in the imperium row": "take from row for 1 less",
    "enemy agents do not block own agents at landsraad or city spaces": (
        "enter occupied on landsraad or city"
    ),
    # Rise of Ix
    "heighliner cost 2 spice less when sent with this card": "discount heighliner by 2",
    "for each troop deployed this turn: may force 1 enemy unit to retreat": (
        "per troops_deployed_this_turn: may (for chosen_opponent: retreat 1 unit)"
    ),
    "may take another turn right after this one": "may turn again",
    # The four conditions are in the card's first sentence.
    "choose: if 3 conditions met: gain 1 vp | if 4 conditions met: gain 2 vp": (
        "choose: if at least 3 of (dreadnoughts >= 2, owned the_spice_must_flow >= 1,"
        " at least 2 of tracks with influence >= 4, high_council): gain 1 vp"
        " | if at least 4 of (dreadnoughts >= 2, owned the_spice_must_flow >= 1,"
        " at least 2 of tracks with influence >= 4, high_council): gain 2 vp"
    ),
    "pay 2 spice -> for each faction with own agent on its spaces: gain 1 influence there": (
        "pay 2 spice -> gain 1 influence with_agents"
    ),
    "reveal_turn: if 2+ own agents on landsraad/city/spice_trade spaces: may trash 1 own card in "
    "play": (
        "when reveal_turn: if at least 2 of agents on landsraad or city or spice_trade:"
        " may trash 1 card from in_play"
    ),
    # A card that sends an Agent has at least one Agent icon.
    "start of own second turn in the round: reveal it and return it to hand": (
        "when second_turn: return 1 card from set_aside"
    ),
    "if it sends an agent that turn: if it has exactly 1 agent icon: gain 1 spice": (
        "when sending_set_aside: if not agent_icons >= 2: gain 1 spice"
    ),
    "if it sends an agent that turn: otherwise: gain 1 solari": (
        "when sending_set_aside: if agent_icons >= 2: gain 1 solari"
    ),
    # The strength of a dreadnought is 3.
    "own dreadnoughts have strength 4": "per dreadnoughts_in_conflict: +1 sword",
    "game_start: place 1 snooper at 2 influence on each track": (
        "when game_start: place snoopers at 2"
    ),
    "when reaching a snooper: move it to the topmost free leader slot and take that slot reward": (
        "when reaching_snooper: take snooper"
    ),
    # Every player starts with 1 water.
    "game_start: no water": "when game_start: pay 1 water",
    "when gaining solari on own turn: gain 1 more": "when gaining_solari: gain 1 solari",
    "on_win_conflict with own dreadnought: may return 1 dreadnought to supply -> gain 1 vp "
    "(instead of taking control with it)": (
        "when win_conflict: lose 1 dreadnought from conflict -> gain 1 vp"
    ),
    "trash this tile -> put any number of own intrigue cards under the intrigue deck & draw that "
    "many intrigue": ("trash self -> bury any intrigue & (per intrigue_buried: draw 1 intrigue)"),
    "may put acquired cards on top of deck": "when acquiring: may put acquired to deck_top",
    "when recruiting troops from shipping track: recruit 1 additional troop & may deploy any of "
    "them": "when recruiting_by_shipping: recruit 1 troop & may deploy recruits",
    # Immortality
    "if agent sent to a faction space this turn: trash 1 of the grafted cards & gain 1 more "
    "influence in that faction": (
        "if at_faction_space: trash 1 card from grafted & gain 1 influence visited"
    ),
    "at start of own Reveal turn: return the other grafted card from play to hand": (
        "when reveal_turn: return 1 other card from grafted"
    ),
    "when 3+ own troops lost at end of conflict: specimen 2": (
        "when conflict_end: if troops_lost >= 3: gain 2 specimen"
    ),
    "if genetic_markers >= 2: that card goes to hand": (
        "if genetic_markers >= 2: put acquired to hand"
    ),
    # Rivals
    "solo: gain base_spice + bonus_spice of the space": (
        "if solo: (per base_spice: gain 1 spice) & gain bonus_spice"
    ),
    "recruit 1 troop; if alliance any: recruit 2 troops instead": (
        "if alliance any: recruit 2 troops otherwise: recruit 1 troop"
    ),
    "acquire tech; if not possible place 1 negotiator": (
        "if tech_affordable: acquire tech discount 0 otherwise: negotiate 1"
    ),
    "acquire tech discount 1; if none affordable and troop in supply: place 1 negotiator": (
        "if tech_affordable: acquire tech discount 1 otherwise: negotiate 1"
    ),
    # The six-player game
    "units cannot be deployed to the Conflict this turn": "forbid deployment",
    "pay 3 spice -> each ally recruits 2 troops, trash this card": (
        "pay 3 spice -> (for each_ally: recruit 2 troops) & trash self"
    ),
    "choose: gain 1 water | gain 1 spice; activated_ally gains the other": (
        "choose: gain 1 water & (for activated_ally: gain 1 spice)"
        " | gain 1 spice & (for activated_ally: gain 1 water)"
    ),
    "choose: gain 1 water | gain 2 solari; activated_ally gains the other": (
        "choose: gain 1 water & (for activated_ally: gain 2 solari)"
        " | gain 2 solari & (for activated_ally: gain 1 water)"
    ),
    "8 solari (6 once any player has a Swordmaster)": (
        "if swordmaster_taken: pay 6 solari otherwise: pay 8 solari"
    ),
}
"""Sentences whose words differ from ours in more than a word, each with its meaning."""

REWRITES = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        # What the facts add in brackets, and our rules say
        (r" \(mandatory\)", ""),
        (r" \(not the one sent this turn\)", ""),
        (r" \((self included|incl self|self and Agent-turn cards included)\)", ""),
        (r" \(none left: gain 2 solari\)", ""),
        (r"on visited_space \(may share .*?\)", "on visited_space post sharing"),
        (r" \(may share .*?\)", " sharing"),
        (r" \(may pay solari instead of spice\)", " with solari"),
        # Triggers
        (r"^if win_this_conflict:", "when win_conflict:"),
        (r"^on_win_conflict:", "when win_conflict:"),
        (r"^(own Reveal turn this round|reveal_turn|reveal turn):", "when reveal_turn:"),
        (r"^if own_agent_here:", "when reveal_turn_here:"),
        (r"^(round_start|endgame|game_start|any_time):", r"when \1:"),
        (r"^when (\d)\+ (units|troops) deployed in one turn:",
         r"when deploying: if \2_deployed_this_turn >= \1:"),
        (r"^when taking high_council_seat:", "when taking_seat:"),
        (r"^when paying solari as a board space cost:", "when paying_solari_for_space:"),
        # Which slot of the Leader gives it is no part of the effect; all else lasts a turn.
        (r"^slot \d: ", ""),
        (r"\bthis_turn: ", ""),
        # Conditions
        (r"^if ([^:]+)$", r"\1"),
        (r"\bfremen_bond:", "if another fremen card in play:"),
        (r"\bother_card_in_play (\w+)", r"another \1 card in play"),
        (r"\btake high_council_seat", "take high_council seat"),
        (r"\bhigh_council_seat", "high_council"),
        (r"\b(\w+) owned > each opponent", r"more owned \1 than opponents"),
        (r"\b(\w+) owned >=", r"owned \1 >="),
        (r"\bacquired (\w+) this turn", r"acquired \1"),
        (r"\binfluence >= (\d) on (\d) tracks", r"at least \2 of tracks with influence >= \1"),
        (r"\b(gained_spice_this_turn|spice gained this turn)", "spice_gained_this_turn >= 1"),
        (r"\bspying_on maker_space", "spying_on_maker_space"),
        (r"\bown strength in conflict >=", "strength >="),
        (r"\bsandworms in Conflict >=", "sandworms_in_conflict >="),
        (r"\bmentat here", "mentat_free"),
        (r"\bif own Reveal turn:", "if own_reveal_turn:"),
        (r"\ban opponent played a combat intrigue in this conflict",
         "opponent_played_combat_intrigue"),
        (r"\bsent_to space with enemy agent", "at_occupied_space"),
        (r"\bown agent on an (\w+) space", r"at least 1 of agents on \1"),
        (r"\bgrafted_with (\w+) or (\w+) card", r"grafted to \1 or \2"),
        (r"\bdeployed troops > each opponent", "more troops_in_conflict than opponents"),
        (r"\bfirst player here", "first_to_arrive"),
        (r"\bswordmaster_bonus_token", "swordmaster_bonus"),
        (r" else ", " otherwise: "),
        # What is counted
        (r"^for each ", "per "),
        (r": for each ", ": per "),
        (r"\bper completed_contract:", "per completed_contracts:"),
        (r"\bper sandworm_in_conflict:", "per sandworms_in_conflict:"),
        (r"\bper own dreadnought in conflict:", "per dreadnoughts_in_conflict:"),
        (r"\bper (other )?revealed card providing (>= 1 )?swords?( this turn)?:",
         "per other sword card revealed:"),
        (r"\bcard revealed this turn:", "card revealed:"),
        (r"\bper faction with influence <= (\d):", r"per tracks with influence <= \1:"),
        (r"\bper agent icon on the other grafted card:", "per grafted_agent_icons:"),
        # Choices and others
        (r"\bchoose (\d) distinct:", r"choose \1 different:"),
        (r"\bmay choose: (.*)$", r"may (choose: \1)"),
        (r"\beach opponent chooses: ", "each opponent: choose: "),
        (r"\beach opponent discards ", "each opponent: discard "),
        (r"^team reward: each team member gains ", "for each_team_member: gain "),
        (r"^team reward: each team member places ", "for each_team_member: place "),
        (r"^commander gains ", "for commander: gain "),
        (r"^commander takes (\w+) alliance \(1 vp\)", r"for commander: take \1_alliance"),
        # Influence
        (r"\bgain 2 influence instead of 1 from this space", "visit influence 2"),
        (r"\bfaction space gives 2 influence instead of 1", "visit influence 2"),
        (r"\bvisit_influence: 2 instead of 1", "visit influence 2"),
        (r"\binfluence each faction you spy on", "influence spied_on"),
        (r"\binfluence (in|with) a faction where (some|an) opponent has more( than you)?",
         "influence behind"),
        (r"\binfluence in a faction whose space you sent an agent to this turn",
         "influence visited"),
        (r"\binfluence in a faction where you have a snooper", "influence snooped"),
        (r"\binfluence in that faction", "influence reached"),
        (r"\bgain the 4-influence bonus of that track", "gain track_bonus"),
        (r"\binfluence (one_faction )?alliance_if_able otherwise: least",
         "influence alliance_or_least"),
        # Units
        (r"\bdeploy troops recruited this turn", "deploy recruits"),
        (r"\bdeploy (any of )?those troops", "deploy recruits"),
        (r"\bdeploy (\d)", r"deploy up to \1"),
        (r"\b(deploy up to \d \w+) from garrison", r"\1"),
        (r"\bretreat any number of troops", "retreat any troops"),
        (r"\blose (\d) own (troops?) in conflict", r"lose \1 \2 from conflict"),
        (r"\blose (\d) garrisoned (troops?)", r"lose \1 \2 from garrison"),
        (r"\blose (\d) deployed (troops?)", r"lose \1 \2 from conflict"),
        (r"\bcommission (\d) ", r"recruit \1 "),
        (r"\bcombat_icon", "allow deployment"),
        (r"\benemy agents do not block own (next )?agents?", "enter occupied"),
        (r"\brecall 1 own agent", "recall 1 agent"),
        (r"\bmove 1 troop from supply to memories", "memorise 1 troop"),
        (r"\bplace spy post_type (\w+)", r"place 1 spy on \1 post"),
        # A Rival takes the first free post in the order of its priorities.
        (r"\bplace spy faction_priority", "place 1 spy on faction post"),
        # Cards
        (r", trash this card$", " & trash self"),
        (r"\btrash this (card|tile)", "trash self"),
        (r"\breturn (this card|self) from play to hand", "return self"),
        (r"\btake 1 (\w+) card from own discard to hand", r"return 1 \1 card from discard"),
        (r"\btrash the other grafted card", "trash 1 other card from grafted"),
        (r"\btrash 1 (other \w+ )?(own )?card in play", r"trash 1 \1card from in_play"),
        (r"\blook at top card of own deck", "look at deck"),
        (r"\blook at top (\d) intrigue, keep 1, put the other back on top",
         r"keep 1 of top \1 intrigue"),
        (r"\bput (\d) own intrigue under the intrigue deck", r"bury \1 intrigue"),
        (r"\bsteal_intrigue", "steal intrigue from holders of 4"),
        (r"\bsteal 1 intrigue from each opponent with >= (\d) intrigue",
         r"steal intrigue from holders of \1"),
        (r"\bto top of deck", "to deck_top"),
        (r"\b(\w+) costs (\d) persuasion less", r"discount \1 by \2"),
        (r"\breveal another card", "reveal next card"),
        (r"\bremove and replace tleilaxu_row (left|right)", r"replace \1 tleilaxu card"),
        # Resources, tokens and tracks
        (r"^(\d) (solari|spice|water)$", r"pay \1 \2"),
        (r"\bharvest (\d) spice \+ bonus_spice", r"gain \1 spice & gain bonus_spice"),
        (r"\bgain bonus_spice \w+", "gain bonus_spice"),
        (r"\bgain (\d) swords?", r"+\1 swords"),
        (r"^control ", "take control "),
        (r"\bgain third_agent", "take swordmaster"),
        (r"\bgain swordmaster single_use", "take swordmaster"),
        (r"\bgain swordmaster_bonus", "take swordmaster_bonus"),
        (r"\buse signet(_ring)?$", "use leader signet ability"),
        (r"\bspend (\d) specimens?", r"pay \1 specimen"),
        (r"\bspecimen (\d)", r"gain \1 specimen"),
        (r"\b(move )?freighter (\d)", r"advance shipping \2"),
        (r"\b(tleilaxu|research) (\d)", r"advance \1 \2"),
        (r"\bacquire tech$", "acquire tech discount 0"),
        (r"\btech negotiation (\d)", r"negotiate \1"),
        (r"\bflip( &| ->)", r"flip self\1"),
        (r"\bdividends\b", "gain 5 solari & (each opponent: gain 1 solari)"),
        (r"^reinforce$", "reinforce 3"),
    )
)  # fmt: skip
"""Patterns of the facts' wording and what stands for them in ours, applied one after the other."""


def ours(text: str) -> str:
    """A text of the facts in our notation."""
    if text in SENTENCES:
        return SENTENCES[text]
    for pattern, replacement in REWRITES:
        text = pattern.sub(replacement, text)
    return text


def split_trigger(text: str) -> tuple[str | None, str]:
    """What a text in our notation waits for, if anything, and the effect without it.

    A face may have a field for what it waits for; then the effect alone is in it.
    """
    found = re.match(r"when (?!acquiring)(\w+): (.*)", text)
    return (found[1], found[2]) if found else (None, text)
