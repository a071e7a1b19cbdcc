"""Influence with the Factions: the point at 2, the bonus at 4, and the Alliance."""

from __future__ import annotations

from rules_engine.imperium.actions import GiveAlliance, PickFaction
from rules_engine.imperium.faces import track_face
from rules_engine.imperium.frames import AllianceTie, Effects, Item, PickTrack
from rules_engine.imperium.points import score
from rules_engine.imperium.state import State, follows, player, with_player
from rules_engine.kernel.game import FrameRules, asks, push
from rules_engine.kernel.numbers import Quantity, larger, most, smaller
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
BONUS_AT_FOUR = cite("UPR-FACTION-006")
BONUS_KEPT = cite("UPR-FACTION-007")
ALLIANCE = cite("UPR-FACTION-009")
ALLIANCE_MOVES = cite("UPR-FACTION-010")
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
    state, events = moved.state, events + moved.events
    if before < ALLIES and after >= ALLIES:
        state = push(state, bonus_at_four(state, seat, faction))
        events = (*events, Event("bonus_at_four", BONUS_AT_FOUR, seat, {"faction": faction}))
    return Step(state, events)


def bonus_at_four(state: State, seat: Seat, faction: str) -> Effects:
    """What the fourth space of a track gives. UPR-FACTION-006"""
    items = tuple(Item(effect, faction) for effect in track_face(state, faction).at_four)
    return Effects(seat, items)


def _alliance_after_gain(state: State, seat: Seat, faction: str) -> Step[State]:
    """The first at 4 takes the token; later only somebody who stands strictly higher.

    UPR-FACTION-009, UPR-FACTION-010, UPR-FACTION-011
    """
    holder = holder_of(state, faction)
    after = influence(state, seat, faction)
    if holder is None:
        return give_alliance(state, faction, seat, ALLIANCE) if after >= ALLIES else Step(state)
    if holder != seat and after >= ALLIES and after > influence(state, holder, faction):
        lost = lose_alliance(state, faction, holder, ALLIANCE_MOVES)
        given = give_alliance(lost.state, faction, seat, ALLIANCE_MOVES)
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
        return can_lose(state, frame.seat, faction, frame.amount)
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
    move = gain if frame.gain else lose
    return move(state, frame.seat, action.faction, frame.amount, ANY_FACTION)


PICK_TRACK = FrameRules(
    asks=lambda _, frame: asks(frame.seat),
    apply=_move_picked,
    legal=_legal_track,
    options=_track_options,
)
