"""Influence with the Factions: the point at 2, the bonus at 4, and the Alliance."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.catalogue.faces import SpaceFace
from rules_engine.effects import tree
from rules_engine.imperium.actions import GiveAlliance, PickFaction
from rules_engine.imperium.faces import leader_face, printed, space_face, track_face
from rules_engine.imperium.frames import (
    AgentTurn,
    AllianceTie,
    Effects,
    Item,
    PickTrack,
    RevealTurn,
    Run,
)
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.points import score
from rules_engine.imperium.spies import spied_factions
from rules_engine.imperium.state import State, follows, own_turn, player, with_player
from rules_engine.kernel.game import FrameRules, asks, push
from rules_engine.kernel.numbers import Quantity, count_true, larger, most, smaller
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

TOP = 6
FRIENDS = 2
ALLIES = 4

VISIT = cite("UPR-FACTION-002", "UPR-AGENT-010")
MOVE = cite("UPR-FACTION-003", "UPR-FACTION-015")
POINT_AT_TWO = cite("UPR-FACTION-004")
POINT_LOST = cite("UPR-FACTION-005")
BONUS_AT_FOUR = cite("UPR-FACTION-006", "UPR-FACTION-008")
BONUS_KEPT = cite("UPR-FACTION-007")
ALLIANCE = cite("UPR-FACTION-009")
ALLIANCE_MOVES = cite("UPR-FACTION-010")
OVERTAKEN = cite("UPR-FACTION-010", "UPR-FACTION-011")
NOT_THERE = MOVE + cite("UPR-COST-003")
LEADER_AT_TWO = cite("UPR-CLAR-004", "UPR-CLAR-005", "UPR-CLAR-006")
SPIED_ON = cite("UPR-FACTION-015", "UPR-SPY-001")
VISIT_INSTEAD = VISIT + cite("UPR-ROUND-005")
ANY_FACTION = cite("UPR-FACTION-003", "UPR-FACTION-016", "UPR-FACTION-017")


def influence(state: State, seat: Seat, faction: str) -> Quantity:
    """How much Influence a player has with a Faction."""
    for track in player(state, seat).tracks:
        if track.faction == faction:
            return track.influence
    raise KeyError(faction)


def holder_of(state: State, faction: str) -> Seat | None:
    """Who holds a Faction's Alliance token."""
    for alliance in state.alliances:
        if alliance.faction == faction:
            return alliance.holder
    raise KeyError(faction)


def _with_influence(state: State, seat: Seat, faction: str, value: Quantity) -> State:
    owner = player(state, seat)
    tracks = tuple(
        change(track, influence=value) if track.faction == faction else track
        for track in owner.tracks
    )
    return with_player(state, change(owner, tracks=tracks))


def _with_holder(state: State, faction: str, holder: Seat | None) -> State:
    alliances = tuple(
        change(alliance, holder=holder) if alliance.faction == faction else alliance
        for alliance in state.alliances
    )
    return change(state, alliances=alliances)


def gain(
    state: State, seat: Seat, faction: str, amount: Quantity, rules: tuple[str, ...] = MOVE
) -> Step[State]:
    """A cube moves up its track, with the point at 2, the bonus at 4 and the Alliance.

    UPR-FACTION-004, UPR-FACTION-006, UPR-FACTION-009, UPR-FACTION-010
    """
    before = influence(state, seat, faction)
    after = smaller(before + amount, TOP)
    state = _with_influence(state, seat, faction, after)
    facts = {"faction": faction, "influence": after}
    events: tuple[Event, ...] = (Event("influence", rules, seat, facts),)
    if before < FRIENDS and after >= FRIENDS:
        scored = score(state, seat, 1, "track", POINT_AT_TWO)
        state, events = scored.state, events + scored.events
    moved = _alliance_after_gain(state, seat, faction)
    earned = _earn(moved.state, seat, faction, before, after)
    return Step(earned.state, events + moved.events + earned.events)


def _earn(state: State, seat: Seat, faction: str, before: Quantity, after: Quantity) -> Step[State]:
    """What a Leader gives at 2 and the track at 4 comes at once, in an order of choice.

    A ruling lets the bonus at 4 wait. UPR-FACTION-006, UPR-CLAR-004
    """
    items: tuple[Item, ...] = ()
    events: tuple[Event, ...] = ()
    if before < FRIENDS and after >= FRIENDS:
        items = _leader_at_two(state, seat, faction)
        if items:
            facts = {"leader": player(state, seat).leader}
            events = (Event("leader_at_two", LEADER_AT_TWO, seat, facts),)
    if before < ALLIES and after >= ALLIES:
        events = (*events, Event("bonus_at_four", BONUS_AT_FOUR, seat, {"faction": faction}))
        bonus = bonus_at_four(state, faction)
        place = _own_turn(state, seat)
        if place is not None and follows(state, "emperor_track_spy_timing") == "until_end_of_turn":
            state = _put_off(state, place, bonus)
        else:
            items = items + bonus
    return Step(push(state, Effects(seat, items)) if items else state, events)


def bonus_at_four(state: State, faction: str) -> tuple[Item, ...]:
    """What the fourth space of a track gives. UPR-FACTION-006"""
    return tuple(Item(effect, faction) for effect in track_face(state, faction).at_four)


def _leader_at_two(state: State, seat: Seat, faction: str) -> tuple[Item, ...]:
    """What the Leader gives for coming up to 2, or past it. UPR-CLAR-004"""
    face = leader_face(state, seat)
    if face is None or face.ability.when != "reaches_two" or face.ability.faction != faction:
        return ()
    return tuple(Item(effect, face.id) for effect in face.ability.effects)


def _own_turn(state: State, seat: Seat) -> int | None:
    """The place of the player's own turn among what is pending."""
    for place, frame in enumerate(state.pending):
        if isinstance(frame, AgentTurn | RevealTurn) and frame.seat == seat:
            return place
    return None


def _put_off(state: State, place: int, items: tuple[Item, ...]) -> State:
    """The effects become due with the others of the turn at this place. UPR-AGENT-009"""
    turn = state.pending[place]
    assert isinstance(turn, AgentTurn | RevealTurn)
    longer = change(turn, items=turn.items + items)
    pending = (*state.pending[:place], longer, *state.pending[place + 1 :])
    return change(state, pending=pending)


def _alliance_after_gain(state: State, seat: Seat, faction: str) -> Step[State]:
    """The first at 4 takes the token; later only somebody who stands strictly higher.

    UPR-FACTION-009, UPR-FACTION-010, UPR-FACTION-011
    """
    holder = holder_of(state, faction)
    after = influence(state, seat, faction)
    if holder is None:
        return give_alliance(state, faction, seat, ALLIANCE) if after >= ALLIES else Step(state)
    if holder != seat and after >= ALLIES and after > influence(state, holder, faction):
        lost = lose_alliance(state, faction, holder, OVERTAKEN)
        given = give_alliance(lost.state, faction, seat, OVERTAKEN)
        return Step(given.state, lost.events + given.events)
    return Step(state)


def give_alliance(state: State, faction: str, seat: Seat, rules: tuple[str, ...]) -> Step[State]:
    """A player takes a free Alliance token and its Victory Point. UPR-FACTION-009"""
    scored = score(_with_holder(state, faction, seat), seat, 1, "alliance", rules)
    taken = Event("takes_alliance", rules, seat, {"faction": faction})
    return Step(scored.state, (taken, *scored.events))


def lose_alliance(state: State, faction: str, seat: Seat, rules: tuple[str, ...]) -> Step[State]:
    """The holder gives up the token and its Victory Point. UPR-FACTION-010"""
    scored = score(_with_holder(state, faction, None), seat, -1, "alliance", rules)
    lost = Event("loses_alliance", rules, seat, {"faction": faction})
    return Step(scored.state, (lost, *scored.events))


def lose(
    state: State, seat: Seat, faction: str, amount: Quantity, rules: tuple[str, ...] = MOVE
) -> Step[State]:
    """A cube moves down its track; below 2 the point is lost, and the Alliance may be.

    UPR-FACTION-003, UPR-FACTION-005, UPR-FACTION-007
    """
    before = influence(state, seat, faction)
    after = larger(before - amount, 0)
    state = _with_influence(state, seat, faction, after)
    facts = {"faction": faction, "influence": after}
    kept = BONUS_KEPT if before >= ALLIES and after < ALLIES else ()
    events: tuple[Event, ...] = (Event("influence", rules + kept, seat, facts),)
    if before >= FRIENDS and after < FRIENDS:
        scored = score(state, seat, -1, "track", POINT_LOST)
        state, events = scored.state, events + scored.events
    moved = _alliance_after_loss(state, seat, faction)
    return Step(moved.state, events + moved.events)


def _alliance_after_loss(state: State, seat: Seat, faction: str) -> Step[State]:
    """A holder who falls may lose the token: two rulings say when."""
    if holder_of(state, faction) != seat:
        return Step(state)
    heirs = _heirs(state, seat, faction)
    if not heirs and not _token_lost(state, seat, faction):
        return Step(state)
    below = influence(state, seat, faction) < ALLIES
    rules = ALLIANCE + ALLIANCE_MOVES if below else ALLIANCE_MOVES
    lost = lose_alliance(state, faction, seat, rules)
    if len(heirs) > 1:
        return Step(push(lost.state, AllianceTie(seat, faction, heirs)), lost.events)
    if heirs:
        given = give_alliance(lost.state, faction, heirs[0], rules)
        return Step(given.state, lost.events + given.events)
    return lost


def _token_lost(state: State, seat: Seat, faction: str) -> bool:
    """Below 4 the token does not stay, if the ruling says so."""
    below = influence(state, seat, faction) < ALLIES
    return below and follows(state, "alliance_loss_below_4") == "lost"


def _heirs(state: State, seat: Seat, faction: str) -> tuple[Seat, ...]:
    """The highest of those who now stand above the falling holder with 4 or more."""
    own = influence(state, seat, faction)
    if own < ALLIES:
        takes = follows(state, "alliance_loss_below_4") == "lost"
    else:
        takes = follows(state, "alliance_loss_tie") == "taken"
    if not takes:
        return ()
    others = [other.seat for other in state.players if other.seat != seat]
    top = most(influence(state, other, faction) for other in others)
    if top < ALLIES or top <= own:
        return ()
    return tuple(other for other in others if influence(state, other, faction) == top)


# Several players are tied for the token


def _legal_heir(_: State, frame: AllianceTie, action: object) -> Refusal | None:
    if isinstance(action, GiveAlliance) and action.to in frame.tied:
        return None
    return refusal([Reason("pick_tied_player", ALLIANCE_MOVES, {"tied": list(frame.tied)})])


def _give_to_heir(state: State, frame: AllianceTie, action: GiveAlliance) -> Step[State]:
    """The old holder says which of the tied players takes the token. UPR-FACTION-010"""
    return give_alliance(state, frame.faction, action.to, ALLIANCE_MOVES)


ALLIANCE_TIE = FrameRules(
    asks=lambda _, frame: asks(frame.seat),
    apply=_give_to_heir,
    legal=_legal_heir,
    options=lambda _, frame: tuple(GiveAlliance(frame.seat, seat) for seat in frame.tied),
)


# The owner picks the Faction


def can_lose(state: State, seat: Seat, faction: str, amount: Quantity) -> bool:
    """Influence can only be lost where there is some."""
    return influence(state, seat, faction) >= amount


def _movable(state: State, frame: PickTrack, faction: str) -> bool:
    """A gain has to go where there is room, if there is any; a loss where there is Influence."""
    if not frame.gain:
        lost_there = faction in frame.barred
        return not lost_there and can_lose(state, frame.seat, faction, frame.amount)
    if influence(state, frame.seat, faction) < TOP:
        return True
    return all(track.influence >= TOP for track in player(state, frame.seat).tracks)


def _legal_track(state: State, frame: PickTrack, action: object) -> Refusal | None:
    if not isinstance(action, PickFaction):
        return refusal([Reason("pick_faction", ANY_FACTION)])
    if not _movable(state, frame, action.faction):
        facts = {"faction": action.faction}
        return refusal([Reason("track_cannot_move", ANY_FACTION, facts)])
    return None


def _track_options(state: State, frame: PickTrack) -> tuple[PickFaction, ...]:
    return tuple(
        PickFaction(frame.seat, track.faction)
        for track in player(state, frame.seat).tracks
        if _movable(state, frame, track.faction)
    )


def _move_picked(state: State, frame: PickTrack, action: PickFaction) -> Step[State]:
    """The picked Faction's track moves, by all of the amount. UPR-FACTION-016, UPR-FACTION-017"""
    if frame.gain:
        return gain(state, frame.seat, action.faction, frame.amount, ANY_FACTION)
    state = _bar_next(state, frame, action.faction)
    return lose(state, frame.seat, action.faction, frame.amount, ANY_FACTION)


def _bar_next(state: State, frame: PickTrack, faction: str) -> State:
    """The next loss of the same cost is with another Faction, if the ruling says so."""
    if follows(state, "opportunism_same_faction") == "allowed" or not state.pending:
        return state
    match state.pending[-1]:
        case Run(seat, Item(tree.LoseInfluence(amount, tree.ANY_FACTION))) if seat == frame.seat:
            barred = (*frame.barred, faction)
            following = PickTrack(seat, amount, gain=False, barred=barred)
            return push(change(state, pending=state.pending[:-1]), following)
        case _:
            return state


PICK_TRACK = FrameRules(
    asks=lambda _, frame: asks(frame.seat),
    apply=_move_picked,
    legal=_legal_track,
    options=_track_options,
)


# Effects that move a cube


def _gain_by_effect(
    state: State, seat: Seat, effect: tree.GainInfluence, source: str
) -> Step[State]:
    if effect.faction == tree.ANY_FACTION:
        return Step(push(state, PickTrack(seat, effect.amount, gain=True)))
    if effect.faction == tree.SPIED_ON:
        return _gain_with_spied(state, seat, effect, source)
    rules = VISIT if source in printed(state).spaces else MOVE
    return gain(state, seat, effect.faction, effect.amount, rules)


def _gain_with_spied(
    state: State, seat: Seat, effect: tree.GainInfluence, source: str
) -> Step[State]:
    """Every Faction that the player spies on is one gain, in an order of choice. UPR-SPY-001"""
    factions = spied_factions(state, seat)
    items = tuple(Item(change(effect, faction=faction), source) for faction in factions)
    event = Event("spied_factions", SPIED_ON, seat, {"factions": list(factions)})
    return Step(push(state, Effects(seat, items)) if items else state, (event,))


def _lose_by_effect(state: State, seat: Seat, effect: tree.LoseInfluence, _: str) -> Step[State]:
    if effect.faction != tree.ANY_FACTION:
        return lose(state, seat, effect.faction, effect.amount)
    if not _can_lose_somewhere(state, seat, effect):
        return Step(state)
    return Step(push(state, PickTrack(seat, effect.amount, gain=False)))


def _can_lose_somewhere(state: State, seat: Seat, effect: tree.LoseInfluence) -> bool:
    if effect.faction != tree.ANY_FACTION:
        return can_lose(state, seat, effect.faction, effect.amount)
    tracks = player(state, seat).tracks
    return any(can_lose(state, seat, track.faction, effect.amount) for track in tracks)


def _why_not_lose(state: State, seat: Seat, effect: tree.LoseInfluence, _: str) -> Iterator[Reason]:
    if not _can_lose_somewhere(state, seat, effect):
        yield Reason("no_influence_to_lose", NOT_THERE)


def why_not_lose_often(
    state: State, seat: Seat, effect: tree.LoseInfluence, times: int
) -> Iterator[Reason]:
    """The reasons against losing Influence several times for one cost."""
    if effect.faction != tree.ANY_FACTION:
        can = can_lose(state, seat, effect.faction, effect.amount * times)
    else:
        can = _losses(state, seat, effect.amount, times) >= times
    if not can:
        yield Reason("no_influence_to_lose", NOT_THERE)


def _losses(state: State, seat: Seat, amount: Quantity, times: int) -> Quantity:
    """How often so much can be lost: with one Faction only once, if the ruling says so."""
    same = follows(state, "opportunism_same_faction") == "allowed"
    return count_true(
        track.influence >= amount * (again + 1)
        for track in player(state, seat).tracks
        for again in range(times if same else 1)
    )


# What is said instead of the Influence for a visit


def _visited(state: State, seat: Seat) -> SpaceFace | None:
    """The Faction space to which this turn's Agent was sent."""
    turn = own_turn(state, seat)
    if turn is None or turn.space is None:
        return None
    face = space_face(state, turn.space)
    return face if face.icon in printed(state).tracks else None


def _visit_by_effect(state: State, seat: Seat, effect: tree.VisitInfluence, _: str) -> Step[State]:
    """The visit gives so much Influence in all: what it has given already is counted in.

    UPR-FACTION-002, UPR-ROUND-005
    """
    space = _visited(state, seat)
    if space is None:
        return Step(state)
    still_due = _without_visit(state, seat, space)
    if still_due is None:
        return gain(state, seat, space.icon, effect.amount - 1, VISIT_INSTEAD)
    return gain(still_due, seat, space.icon, effect.amount, VISIT_INSTEAD)


def _without_visit(state: State, seat: Seat, space: SpaceFace) -> State | None:
    """The position without the Influence for the visit, if that is still due."""
    due = Item(tree.GainInfluence(1, space.icon), space.id)
    for place, frame in enumerate(state.pending):
        if isinstance(frame, AgentTurn | Effects) and frame.seat == seat and due in frame.items:
            at = frame.items.index(due)
            left = change(frame, items=frame.items[:at] + frame.items[at + 1 :])
            pending = (*state.pending[:place], left, *state.pending[place + 1 :])
            return change(state, pending=pending)
    return None


def _why_not_visit(state: State, seat: Seat, _: tree.VisitInfluence, __: str) -> Iterator[Reason]:
    if _visited(state, seat) is None:
        yield Reason("no_faction_visited", VISIT)


MEANING: Meanings = {
    tree.GainInfluence: Meaning(_gain_by_effect, VISIT + MOVE),
    tree.LoseInfluence: Meaning(_lose_by_effect, MOVE, _why_not_lose),
    tree.VisitInfluence: Meaning(_visit_by_effect, VISIT_INSTEAD, _why_not_visit, _why_not_visit),
}
