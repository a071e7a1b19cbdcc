"""Which fields a step may change at all, and whose: a table written down by what the rules say.

A step that is not listed changes nothing but what is pending. `own`: of the player whose frame it
is. `others`: of the other players, or of everybody if the frame is nobody's. `turn`: of what is
remembered of the turn; that one begins or ends is said elsewhere.
"""

from __future__ import annotations

from typing import NamedTuple


class May(NamedTuple):
    """The fields that may change."""

    own: str = ""
    others: str = ""
    table: str = ""
    turn: str = ""


DEPLOYS = May("garrison troops strength", turn="deployed staying most_deployed")
RETREATS = May("garrison troops strength swords", turn="deployed staying most_deployed")
PLAYS_INTRIGUE = May("intrigues")
PLAYS_PLOT = May("intrigues standing")
RECALLS_SPY = May("spies", table="spies", turn="recalled_spy")
MOVES_CUBE = May("victory_points tracks", "victory_points", "alliances")
"""A point is lost or won with an Alliance, also by another player."""

MAY_CHANGE: dict[str, May] = {
    # Setup and the round
    "DealObjectives <- Answer": May("won", table="objectives first_player"),
    "FillRow <- Answer": May(table="row imperium_deck"),
    "RoundStart": May(others="revealed", table="round reveal_order"),
    "RevealConflict <- Answer": May(table="conflict conflict_deck"),
    "Defend <- Accept": May("supply troops"),
    "Makers": May(table="makers"),
    "Recall": May(others="agents", table="first_player agents"),
    # Combat and the Endgame
    "CombatIntrigues <- PlayIntrigue": PLAYS_INTRIGUE,
    "WinIntrigues <- PlayIntrigue": PLAYS_INTRIGUE,
    "EndgameIntrigues <- PlayIntrigue": PLAYS_INTRIGUE,
    "TakeConflictCard": May("won victory_points", table="conflict"),
    "EndCombat": May(
        others="supply troops sandworms strength swords", table="conflict first_reward"
    ),
    "EndgameIntrigues <- Flip": May("victory_points won"),
    "FinalScore": May(table="winners"),
    # Turns
    "Turn <- PlayAgent": May(
        "solari spice water agents hand in_play spies",
        table="agents spies",
        turn="kind space combat held recalled_spy",
    ),
    "Turn <- Reveal": May(
        "revealed hand in_play strength", table="reveal_order", turn="kind shown"
    ),
    "Turn <- Deploy": DEPLOYS,
    "Turn <- Retreat": RETREATS,
    "Turn <- PlayIntrigue": PLAYS_PLOT,
    "PickCost <- Choose": May("solari spice"),
    "Placed": May("solari spice", "solari spice", turn="spice"),
    "GatherIntelligence <- RecallSpy": RECALLS_SPY,
    "AgentTurn <- Deploy": DEPLOYS,
    "AgentTurn <- Retreat": RETREATS,
    "AgentTurn <- PlayIntrigue": PLAYS_PLOT,
    "RevealTurn <- Acquire": May(
        "persuasion discard set_aside", table="row reserve", turn="acquired"
    ),
    "RevealTurn <- EndTurn": May(
        "persuasion standing set_aside discard in_play", table="intrigue_discard trashed"
    ),
    "RevealTurn <- Deploy": DEPLOYS,
    "RevealTurn <- Retreat": RETREATS,
    "RevealTurn <- PlayIntrigue": PLAYS_PLOT,
    # Choices and chance
    "PickTrack <- PickFaction": MOVES_CUBE,
    "SpyPlacement <- PlaceSpy": May("spies", table="spies", turn="deeds"),
    "SpyPlacement <- RecallSpy": RECALLS_SPY,
    "PickSpies <- RecallSpy": RECALLS_SPY,
    "PickTrash <- Trash": May("hand discard in_play", table="reserve trashed", turn="deeds"),
    "PickDiscard <- Discard": May("hand discard", turn="deeds"),
    "PickIntrigue <- GiveUpIntrigue": May("intrigues", table="intrigue_discard trashed_intrigues"),
    "Steal <- Answer": May("intrigues", "intrigues"),
    "PickCard <- Acquire": May(
        "solari hand set_aside discard deck", table="row reserve", turn="acquired"
    ),
    "PickPlace <- Accept": May("persuasion set_aside discard hand deck", turn="acquired"),
    "PickPlace <- Decline": May("persuasion discard hand deck", table="row", turn="acquired"),
    "PickFromRow <- TakeFromRow": May("set_aside", table="row"),
    "LookAtTop <- Answer": May("deck"),
    "SortCards <- SortCard": May("hand in_play discard", table="trashed", turn="shown"),
    "PickRetreat": May("garrison troops strength swords", turn="staying deployed"),
    "PickRetreat <- Retreat": May("garrison troops strength swords", turn="staying deployed"),
    "PickDeploy <- Deploy": May("garrison troops strength", turn="staying most_deployed"),
    "PickAgent <- RecallAgent": May("agents", table="agents"),
    "PickContract <- TakeContract": May("contracts", table="contract_row leader_contracts"),
    "PickContract <- Decline": May("solari"),
    "FillContracts <- Answer": May(table="contract_row contract_deck"),
    "PickTraining <- Train": May("training"),
    "PickFlip <- Flip": May("won"),
    "AllianceTie <- GiveAlliance": May(others="victory_points", table="alliances"),
    "DrawFromDeck": May("deck discard"),
    "DrawFromDeck <- Answer": May("hand deck in_play", turn="shown"),
    "DrawFromIntrigue": May(table="intrigue_deck intrigue_discard"),
    "DrawFromIntrigue <- Answer": May("intrigues", table="intrigue_deck"),
    "IntriguePlayed": May(table="intrigue_discard"),
    # Effects
    "Run Gain": May("persuasion spice victory_points solari water", turn="spice"),
    "Run Pay": May("solari water spice"),
    "Run Swords": May("swords strength", turn="sword_cards"),
    "Run TakeControl": May(table="controls"),
    "Run RemoveShieldWall": May(table="shield_wall"),
    "Run Per": May(turn="deeds"),
    "Run AddFirstReward": May(table="first_reward"),
    "Run TakeContract": May("solari"),
    "Run CompleteContract": May("contracts completed"),
    "Run TakeSeat": May("high_council"),
    "Run TakeSwordmaster": May("agents swordmaster"),
    "Run GainInfluence": MOVES_CUBE,
    "Run LoseInfluence": MOVES_CUBE,
    "Run VisitInfluence": MOVES_CUBE,
    "Run Train": May("training"),
    "Run Memorise": May("supply memories"),
    "Run FlipLeader": May("supply leader memories garrison", turn="recruited short"),
    "Run GainBonusSpice": May("spice", table="makers", turn="spice harvested"),
    "Run DoubleBonusSpice": May("spice", turn="spice"),
    "Run Summon": May("sandworms strength", turn="summoned most_deployed"),
    "Run TakeMakerHooks": May("maker_hooks"),
    "Run TrashSelf": May("in_play", table="trashed", turn="deeds"),
    "Run ReturnSelf": May("hand in_play"),
    "Run Recruit": May("supply garrison", turn="recruited short"),
    "Run DeployRecruits": May(turn="deployable"),
    "Run ForbidDeployment": May(turn="forbidden"),
}


def _of_any_effect() -> May:
    """What any effect may change: one that is due may be resolved at once."""
    runs = [may for step, may in MAY_CHANGE.items() if step.startswith("Run ")]
    return May(*(" ".join(fields) for fields in zip(*runs, COPY, strict=True)))


COPY = May(turn="copy")
"""The turn remembers on which of several equal cards the box of an effect is."""

RESOLVING = ("AgentTurn <- Resolve", "RevealTurn <- Resolve", "Effects <- Resolve", "Effects")

MAY_CHANGE |= dict.fromkeys(RESOLVING, _of_any_effect())
