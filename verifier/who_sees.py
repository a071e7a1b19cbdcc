"""Who may see what: a table written down by what the rules say, whatever the engine declares.

Cards in a hand and Intrigue cards that are held are their owner's alone until they are played
(UPR-ICON-004), and so is what a card lets its owner look at (UPR-ROUND-005). A deck lies face down
(UPR-CHOAM-002, UPR-ICON-003): of its cards everybody knows just those that they saw put there. All
else lies on the table, face up or in plain sight: what was played or revealed (UPR-REVEAL-010), the
discard piles (UPR-ACQ-008, UPR-ROUND-006), cards won (UPR-COMBAT-025), contracts (UPR-CHOAM-007),
pieces, markers and resources, whose turn it is, and what is still to be done.

What is not listed here is not known, and a proof fails on it.
"""

from __future__ import annotations

from typing import NamedTuple


class Sees(NamedTuple):
    """The fields of a record by who sees what is in them."""

    everybody: str = ""
    owner: str = ""
    """The player whose record it is; others see how many cards there are."""
    knowers: str = ""
    """Of each card those who know it; others see that there is one."""


class Tells(NamedTuple):
    """The facts of an event by who is told, and whom the event is about."""

    everybody: str = ""
    player: str = ""
    """The player whom it is about, and nobody else."""
    about: str = "own"
    """`own`: the player whose step it is; `another`; `nobody`; or `any` player."""


# What is shown

OF_THE_TURN = (
    "seat kind space combat recruited short deployed staying summoned most_deployed deployable "
    "forbidden recalled_spy spice harvested acquired shown sword_cards held deeds copy"
)

SEES: dict[str, Sees] = {
    "State": Sees(
        "config players first_player round shield_wall agents spies makers controls alliances "
        "conflict row reserve intrigue_discard contract_row leader_contracts objectives trashed "
        "trashed_intrigues first_reward reveal_order winners turn pending",
        knowers="conflict_deck imperium_deck intrigue_deck contract_deck",
    ),
    "Player": Sees(
        "seat name solari spice water victory_points tracks supply garrison troops sandworms "
        "strength swords persuasion agents spies maker_hooks high_council swordmaster revealed "
        "leader memories training contracts completed standing set_aside discard in_play won",
        owner="hand intrigues",
        knowers="deck",
    ),
    "Config": Sees("product players rulings cards conflicts choam promos intrigues contracts"),
    "Rulings": Sees("chosen"),
    "Track": Sees("faction influence"),
    "Won": Sees("card icon face_up"),
    "AgentAt": Sees("space seat"),
    "SpyAt": Sees("post seat"),
    "Maker": Sees("space bonus_spice"),
    "Control": Sees("space holder"),
    "Alliance": Sees("faction holder"),
    "Stack": Sees("card left"),
    "Deed": Sees("kind source what"),
    "ThisTurn": Sees(OF_THE_TURN),
    "Item": Sees("effect source boxed copy"),
    "Taking": Sees("seat reward"),
    # What is still to be done: setup and the round
    "DealObjectives": Sees("seat"),
    "FillRow": Sees(),
    "RoundStart": Sees(),
    "RevealConflict": Sees(),
    "Defend": Sees("seat"),
    "DrawHands": Sees(),
    "PlayerTurns": Sees("next"),
    "Turn": Sees("seat"),
    "PickCost": Sees("seat options items space"),
    "Placed": Sees("seat space items"),
    "GatherIntelligence": Sees("seat space"),
    "AgentTurn": Sees("seat items begun"),
    "RevealTurn": Sees("seat items begun"),
    # Effects, choices and chance
    "Effects": Sees("seat items committed lines used"),
    "Run": Sees("seat item"),
    "Decide": Sees("seat item"),
    "ChooseOption": Sees("seat options source"),
    "PickTrack": Sees("seat amount gain barred"),
    "PickSeveral": Sees("seat options picks source picked"),
    "SpyPlacement": Sees("seat recalled on sharing source"),
    "PickSpies": Sees("seat count"),
    "PickTrash": Sees("seat faction zone other source"),
    "PickCopy": Sees("seat card options copies"),
    "PickDiscard": Sees("seat count source"),
    "PickIntrigue": Sees("seat count trash"),
    "Steal": Sees("seat victim"),
    "PickCard": Sees("seat effect source"),
    "PickPlace": Sees("seat card to bought"),
    "PickFromRow": Sees("seat"),
    "LookAtTop": Sees("seat count", owner="seen"),
    "SortCards": Sees("seat left then", owner="seen"),
    "PickRetreat": Sees("seat least most"),
    "PickDeploy": Sees("seat most"),
    "PickAgent": Sees("seat count"),
    "PickContract": Sees("seat"),
    "FillContracts": Sees(),
    "PickTraining": Sees("seat"),
    "PickFlip": Sees("seat icon"),
    "AllianceTie": Sees("seat faction tied"),
    "DrawFromDeck": Sees("seat count"),
    "DrawFromIntrigue": Sees("seat count"),
    "IntriguePlayed": Sees("seat card"),
    # Combat and the end of the round
    "Combat": Sees(),
    "CombatIntrigues": Sees("seat passed played"),
    "ResolveCombat": Sees(),
    "GiveRewards": Sees("takings"),
    "TakeConflictCard": Sees("seat"),
    "WinIntrigues": Sees("seat"),
    "EndCombat": Sees(),
    "Makers": Sees(),
    "Recall": Sees(),
    "EndgameIntrigues": Sees("seat"),
    "FinalScore": Sees(),
}
"""Every record of a position. What is printed, faces and effects, is open in all its fields."""


# What is told

TELLS: dict[str, tuple[Tells, ...]] = {
    # Setup and the round
    "objective": (Tells("card"),),
    "round": (Tells("round", about="nobody"),),
    "conflict": (Tells("card", about="nobody"),),
    "defends": (Tells("troops"),),
    "new_hands": (Tells(about="nobody"),),
    "turn": (Tells(about="any"),),
    "bonus_spice": (Tells("spaces", about="nobody"),),
    "agents_return": (Tells(about="nobody"),),
    "first_player": (Tells(about="any"),),
    "endgame": (Tells(about="nobody"),),
    "wins": (Tells("points", about="any"),),
    # Turns
    "sends_agent": (Tells("card space"),),
    "reveals": (Tells("card"), Tells("cards")),
    "cleans_up": (Tells(),),
    "ends_turn": (Tells(),),
    "passes": (Tells(),),
    "sits_out": (Tells(),),
    "declines": (Tells(),),
    # Cards
    "draws": (Tells(player="card"),),
    "looks_at": (Tells(player="card"),),
    "too_few_in_deck": (Tells(),),
    "reshuffles": (Tells(),),
    "discards": (Tells("card"),),
    "trashes": (Tells("card zone"),),
    "nothing_to_trash": (Tells(),),
    "returns_to_hand": (Tells("card"),),
    "acquires": (Tells("card"),),
    "nothing_to_acquire": (Tells(),),
    "sets_aside": (Tells("card"),),
    "set_aside_leaves": (Tells("card"),),
    "row_filled": (Tells("card", about="nobody"),),
    # Intrigue cards
    "draws_intrigue": (Tells(player="card"),),
    "reshuffles_intrigue": (Tells(),),
    "plays_intrigue": (Tells("card"),),
    "stands": (Tells("card"),),
    "discards_intrigue": (Tells("card"),),
    "trashes_intrigue": (Tells("card"),),
    "nobody_to_steal_from": (Tells(),),
    "steals_intrigue": (Tells("victim", player="card"),),
    "loses_intrigue": (Tells(player="card", about="another"),),
    # Resources, points and places
    "gains": (Tells("amount what", about="any"),),
    "pays": (Tells("amount what"),),
    "cannot_pay": (Tells(),),
    "condition_not_met": (Tells(),),
    "counts": (Tells("times"),),
    "scores": (Tells("points why", about="any"),),
    "takes_control": (Tells("space"),),
    "takes_seat": (Tells(),),
    "has_seat_already": (Tells(),),
    "takes_swordmaster": (Tells(),),
    "has_swordmaster_already": (Tells(),),
    "removes_wall": (Tells(),),
    "no_wall_left": (Tells(),),
    "influence": (Tells("faction influence"),),
    "bonus_at_four": (Tells("faction"),),
    "leader_at_two": (Tells("leader"),),
    "spied_factions": (Tells("factions"),),
    "takes_alliance": (Tells("faction", about="any"),),
    "loses_alliance": (Tells("faction", about="any"),),
    # Leaders, contracts, Agents and Spies
    "no_leader": (Tells(),),
    "trains": (Tells("training"),),
    "training_over": (Tells(),),
    "memorises": (Tells("troops"),),
    "flips_leader": (Tells("troops leader"),),
    "repeats_space": (Tells("space"),),
    "takes_contract": (Tells("contract"),),
    "declines_contract": (Tells(),),
    "contract_up": (Tells("contract", about="nobody"),),
    "completes_contract": (Tells("contract"),),
    "recalls_agent": (Tells("space"),),
    "places_spy": (Tells("post"),),
    "declines_spy": (Tells(),),
    "no_open_post": (Tells(),),
    "recalls_spy": (Tells("post why"),),
    # Units and Combat
    "recruits": (Tells("troops"),),
    "deploys": (Tells("troops"),),
    "may_deploy_recruits": (Tells(),),
    "may_not_deploy": (Tells(),),
    "retreats": (Tells("troops"),),
    "takes_back": (Tells("troops"),),
    "summons": (Tells("sandworms"),),
    "no_sandworm": (Tells(),),
    "takes_hooks": (Tells(),),
    "has_hooks_already": (Tells(),),
    "strength": (Tells("strength"),),
    "swords": (Tells("swords"),),
    "combat_begins": (Tells(about="nobody"),),
    "reward": (Tells("reward", about="any"),),
    "wins_conflict": (Tells(about="any"),),
    "doubles": (Tells(about="any"),),
    "first_reward_grows": (Tells(),),
    "takes_conflict_card": (Tells("card"),),
    "matches_icons": (Tells("icon"),),
    "matches_wild": (Tells("card"),),
    "flips": (Tells("card"),),
    "combat_ends": (Tells(about="nobody"),),
}
"""Every kind of event, with each set of facts that it may have."""

WHOLE_PILES: dict[str, str] = {
    "cleans_up": "in_play discard",
    "reshuffles": "discard",
    "reshuffles_intrigue": "intrigue_discard",
    "combat_ends": "conflict",
}
"""Events that name no card because all of an open pile goes: the places that may change."""
