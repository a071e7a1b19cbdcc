"""When each action could be taken: the rule to name when somebody tries it at a wrong moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from rules_engine.imperium import (
    acquire,
    agents,
    combat,
    contracts,
    control,
    discarding,
    endgame,
    frames,
    held_intrigue,
    intrigue,
    leaders,
    spies,
    trashing,
    units,
)
from rules_engine.imperium.actions import (
    Accept,
    Acquire,
    Deploy,
    Discard,
    EndTurn,
    Flip,
    GiveAlliance,
    GiveUpIntrigue,
    Pass,
    PickFaction,
    PlaceSpy,
    PlayAgent,
    PlayIntrigue,
    RecallAgent,
    RecallSpy,
    Retreat,
    Reveal,
    SortCard,
    TakeContract,
    TakeFromRow,
    Train,
    Trash,
)
from rules_engine.imperium.faces import intrigue_face
from rules_engine.imperium.state import State, own_turn, player
from rules_engine.kernel.game import Action, Frame
from rules_engine.kernel.outcomes import Reason, Seat
from rules_engine.rulebook.index import cite

TURNS = cite("UPR-ROUND-003", "UPR-ROUND-001")
AGENT = cite("UPR-AGENT-001")
OUT = cite("UPR-REVEAL-009")
ONE_KIND = cite("UPR-AGENT-003", "UPR-AGENT-011")
OWN_TURN = cite("UPR-ROUND-003")
IN_REVEAL_TURN = cite("UPR-ACQ-001", "UPR-REVEAL-007")
STEP_OVER = cite("UPR-COMBAT-006")
ONLY_IN_COMBAT = cite("UPR-COMBAT-007", "UPR-COMBAT-001", "UPR-ROUND-007")
TWO_USES = cite("UPR-SPY-010", "UPR-SPY-008")
DEFENDS_AT_ONCE = cite("UPR-CTRL-009", "UPR-CTRL-008")
PAIRS = endgame.WILD_MATCH + cite("UPR-COMBAT-029")
TOKEN_STAYS = cite("UPR-FACTION-011", "UPR-FACTION-010")
PICKED_FACTION = cite("UPR-FACTION-016", "UPR-FACTION-015", "UPR-FACTION-017")
ENDGAME = intrigue.TIMING["endgame"] + cite("UPR-END-001", "UPR-END-002")
GIVES_UP = held_intrigue.TRASH + held_intrigue.DISCARD
OWN_WORDS = cite("UPR-ROUND-005")

OPEN_TURN = (frames.Turn, frames.AgentTurn, frames.RevealTurn)
"""The frames of a turn in which its owner is free to do this or that."""

INTRIGUE_CHANCES = (frames.CombatIntrigues, frames.WinIntrigues, frames.EndgameIntrigues)

AFTER_STEP = (frames.ResolveCombat, frames.GiveRewards, frames.TakeConflictCard, frames.EndCombat)
"""What is pending in Combat once its Intrigue step is over."""

Why = Callable[[State, Any], Iterable[Reason]]


class Window(NamedTuple):
    """The frames that take an action, and what keeps it from being taken at another moment."""

    frames: tuple[type[Frame], ...]
    why: Why


def closed(state: State, action: Action) -> Iterable[Reason]:
    """Why an action could not be taken now whoever decides: its moment is another one.

    An action that answers a question has no moment of its own.
    """
    found = WINDOWS.get(type(action))
    if found is None or _taken_by(state, found.frames, action.by):
        return ()
    return found.why(state, action)


def _taken_by(state: State, takers: tuple[type[Frame], ...], seat: Seat) -> bool:
    """Whether the player is asked something that such an action may answer."""
    top = state.pending[-1] if state.pending else None
    return isinstance(top, takers) and getattr(top, "seat", None) == seat


def _by_effect(rules: tuple[str, ...]) -> Why:
    """Only an effect that is being resolved lets this be done."""
    reasons = (Reason("only_by_effect", rules),)
    return lambda _, __: reasons


# Turns


def _why_no_turn(state: State, action: PlayAgent | Reveal) -> Iterable[Reason]:
    """Turns are taken one at a time, and none after the own Reveal turn.

    UPR-ROUND-003, UPR-REVEAL-009
    """
    if player(state, action.by).revealed:
        return (Reason("revealed_already", OUT),)
    if own_turn(state, action.by) is not None:
        return (Reason("one_kind_of_turn", ONE_KIND),)
    return (Reason("not_own_turn", TURNS + (AGENT if isinstance(action, PlayAgent) else ())),)


def _why_not_end(state: State, action: EndTurn) -> Iterable[Reason]:
    return () if own_turn(state, action.by) else (Reason("not_own_turn", OWN_TURN),)


def _why_not_acquire(state: State, action: Acquire) -> Iterable[Reason]:
    """Cards are bought in the own Reveal turn. UPR-ACQ-001"""
    turn = own_turn(state, action.by)
    if turn is not None and turn.kind == "reveal":
        return ()
    return (Reason("not_reveal_turn", IN_REVEAL_TURN),)


def _why_not_deploy(state: State, action: Deploy) -> Iterable[Reason]:
    """Troops are deployed in the own turn, with an Agent at a Combat space. UPR-UNIT-008"""
    turn = own_turn(state, action.by)
    if turn is not None and (turn.combat or turn.deployable):
        return ()
    over = _step_over() if _intrigue_step_is_over(state) else ()
    return (Reason("no_combat_space", units.why_no_combat_space(turn)), *over)


def _why_not_recall(state: State, action: RecallSpy) -> Iterable[Reason]:
    """Without a card's word a Spy comes home to Infiltrate or for a card. UPR-SPY-010"""
    gathering = spies.why_not_gather(state, action.by, action.post)
    return (Reason("two_uses_of_a_spy", TWO_USES), *gathering)


# The defence of a location


def _why_not_defend(state: State, action: Accept) -> Iterable[Reason]:
    """Only the controller of the Conflict's location defends it, when the card is turned up.

    UPR-CTRL-008, UPR-CTRL-009
    """
    if control.defender(state) == action.by:
        return (Reason("defence_moment_over", DEFENDS_AT_ONCE),)
    if state.pending and isinstance(state.pending[-1], frames.Defend):
        return (Reason("not_the_defender", control.DEFENCE),)
    return ()


# Intrigue cards


def _why_not_play(state: State, action: PlayIntrigue) -> Iterable[Reason]:
    """The type of an Intrigue card fixes when it is played. UPR-ROUND-007"""
    ways = intrigue_face(state, action.card).ways
    if not 0 <= action.way < len(ways):
        return ()
    match ways[action.way].timing:
        case "plot":
            return _why_no_plot(state, action.by)
        case "combat":
            return _why_no_chance(state, action.by) or (Reason("only_in_combat", ONLY_IN_COMBAT),)
        case "won":
            return _why_not_won(state, action.by)
        case _:
            return (Reason("only_in_endgame", ENDGAME),)


def _why_no_plot(state: State, seat: Seat) -> tuple[Reason, ...]:
    """A Plot card is played in the own turn. UPR-ROUND-004"""
    return () if own_turn(state, seat) else (Reason("plot_in_own_turn", intrigue.TIMING["plot"]),)


def _why_not_pass(state: State, action: Pass) -> Iterable[Reason]:
    """A chance is passed by whoever has it. UPR-COMBAT-004"""
    return _why_no_chance(state, action.by) or (Reason("no_chance_to_pass", combat.CHANCES),)


def _why_no_chance(state: State, seat: Seat) -> tuple[Reason, ...]:
    """Who gets no chance in the Intrigue step of Combat, and why there is none any more.

    UPR-COMBAT-002, UPR-COMBAT-003, UPR-COMBAT-006
    """
    if _in_intrigue_step(state):
        if combat.takes_part(state, seat):
            return (Reason("chances_go_round", combat.CHANCES),)
        return (Reason("no_unit_in_conflict", combat.TAKES_PART),)
    return _step_over() if _intrigue_step_is_over(state) else ()


def _why_not_won(state: State, seat: Seat) -> tuple[Reason, ...]:
    """A card that acts on winning is played by whoever has won. UPR-COMBAT-008"""
    won = _taken_by(state, (frames.WinIntrigues,), seat)
    return () if won else (Reason("only_on_winning", intrigue.TIMING["won"]),)


def _in_intrigue_step(state: State) -> bool:
    return any(isinstance(frame, frames.CombatIntrigues) for frame in state.pending)


def _intrigue_step_is_over(state: State) -> bool:
    """Whether Combat is being resolved: all who take part have passed. UPR-COMBAT-006"""
    if _in_intrigue_step(state):
        return False
    return any(isinstance(frame, AFTER_STEP) for frame in state.pending)


def _step_over() -> tuple[Reason, ...]:
    return (Reason("intrigue_step_over", STEP_OVER),)


# The table


WINDOWS: dict[type[Action], Window] = {
    PlayAgent: Window(OPEN_TURN, _why_no_turn),
    Reveal: Window(OPEN_TURN, _why_no_turn),
    EndTurn: Window((*OPEN_TURN, frames.Effects, frames.CombatIntrigues), _why_not_end),
    Acquire: Window((frames.RevealTurn, frames.PickCard), _why_not_acquire),
    Deploy: Window((*OPEN_TURN, frames.PickDeploy), _why_not_deploy),
    Retreat: Window((*OPEN_TURN, frames.PickRetreat), _by_effect(units.RETREAT)),
    PlayIntrigue: Window(
        (*OPEN_TURN, frames.CombatIntrigues, frames.EndgameIntrigues), _why_not_play
    ),
    Pass: Window(INTRIGUE_CHANCES, _why_not_pass),
    PlaceSpy: Window((frames.SpyPlacement,), _by_effect(spies.PLACE)),
    RecallSpy: Window(
        (frames.GatherIntelligence, frames.SpyPlacement, frames.PickSpies), _why_not_recall
    ),
    RecallAgent: Window((frames.PickAgent,), _by_effect(agents.RECALL_AGENT)),
    PickFaction: Window((frames.PickTrack,), _by_effect(PICKED_FACTION)),
    Trash: Window((frames.PickTrash,), _by_effect(trashing.TRASH)),
    Discard: Window((frames.PickDiscard,), _by_effect(discarding.DISCARD)),
    GiveUpIntrigue: Window((frames.PickIntrigue,), _by_effect(GIVES_UP)),
    SortCard: Window((frames.SortCards,), _by_effect(OWN_WORDS)),
    TakeFromRow: Window((frames.PickFromRow,), _by_effect(acquire.OWN_WORDS)),
    TakeContract: Window((frames.PickContract,), contracts.why_no_contract),
    Train: Window((frames.PickTraining,), _by_effect(leaders.TRAINING)),
    Flip: Window(
        (frames.EndgameIntrigues, frames.PickFlip),
        lambda _, __: (Reason("pairs_in_endgame", PAIRS),),
    ),
    Accept: Window((frames.Decide, frames.Defend, frames.PickPlace), _why_not_defend),
    GiveAlliance: Window(
        (frames.AllianceTie,), lambda _, __: (Reason("token_stays", TOKEN_STAYS),)
    ),
}
"""Every action that some rule gives a moment, with the frames of that moment."""
