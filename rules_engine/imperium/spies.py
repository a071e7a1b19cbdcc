"""Spies: placing and recalling them, Infiltrate, Gather Intelligence."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.imperium.actions import Decline, PlaceSpy, RecallSpy
from rules_engine.imperium.faces import post_face, printed
from rules_engine.imperium.frames import DrawFromDeck, GatherIntelligence, SpyPlacement
from rules_engine.imperium.state import SpyAt, State, follows, player, with_player
from rules_engine.kernel.decks import size
from rules_engine.kernel.game import FrameRules, asks, push
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

SPIES = 3
"""Every player's Spies: in supply and on posts."""

PLACE = cite("UPR-SPY-002")
FREE_POST = cite("UPR-SPY-002", "UPR-SPY-003")
MAY_DECLINE = cite("UPR-SPY-004")
RECALL_FIRST = cite("UPR-SPY-005", "UPR-SPY-006")
OWN_SPY = cite("UPR-SPY-008", "UPR-SPY-010")
INFILTRATE = cite("UPR-SPY-011", "UPR-SPY-012")
GATHER = cite("UPR-SPY-015", "UPR-SPY-016")


def spies_at(state: State, post: str) -> tuple[Seat, ...]:
    """The players with a Spy on a post."""
    return tuple(spy.seat for spy in state.spies if spy.post == post)


def linked(state: State, post: str, space: str) -> bool:
    """Whether a post is linked to a space. UPR-SPY-001"""
    return space in post_face(state, post).spaces


def own_linked_posts(state: State, seat: Seat, space: str) -> tuple[str, ...]:
    """The posts linked to a space where the player has a Spy."""
    return tuple(
        spy.post for spy in state.spies if spy.seat == seat and linked(state, spy.post, space)
    )


def move_spy(state: State, seat: Seat, *, start: str | None, end: str | None) -> State:
    """A Spy moves between supply (no post named) and a post: the only function that moves one."""
    spies = state.spies
    owner = player(state, seat)
    if start is None:
        owner = change(owner, spies=owner.spies - 1)
    else:
        at = spies.index(SpyAt(start, seat))
        spies = spies[:at] + spies[at + 1 :]
    if end is None:
        owner = change(owner, spies=owner.spies + 1)
    else:
        spies = tuple(sorted((*spies, SpyAt(end, seat)), key=lambda spy: (spy.post, spy.seat)))
    return change(with_player(state, owner), spies=spies)


def recall(state: State, seat: Seat, post: str, why: str, rules: tuple[str, ...]) -> Step[State]:
    """A Spy comes back from a post to the supply. UPR-SPY-008"""
    state = move_spy(state, seat, start=post, end=None)
    counts = why != "placement" or follows(state, "recall_first_counts") == "yes"
    if counts and state.turn is not None and state.turn.seat == seat:
        state = change(state, turn=change(state.turn, recalled_spy=True))
    return Step(state, (Event("recalls_spy", rules, seat, {"post": post, "why": why}),))


def why_not_recall(state: State, seat: Seat, post: str, space: str) -> Iterator[Reason]:
    """The reasons against recalling a Spy from a post for something at a space."""
    if seat not in spies_at(state, post):
        yield Reason("no_spy_there", OWN_SPY, {"post": post})
    if not linked(state, post, space):
        yield Reason("not_linked", INFILTRATE + GATHER, {"post": post, "space": space})


# Gather Intelligence


def _may_gather(state: State, seat: Seat) -> bool:
    """A card has to be there to be drawn, if the ruling says so."""
    owner = player(state, seat)
    empty = size(owner.deck) == 0 and not owner.discard
    return not empty or follows(state, "gather_empty_deck") == "allowed"


def _legal_gather(state: State, frame: GatherIntelligence, action: object) -> Refusal | None:
    match action:
        case Decline():
            return None
        case RecallSpy(seat, post):
            reasons = list(why_not_recall(state, seat, post, frame.space))
            if not _may_gather(state, seat):
                reasons.append(Reason("nothing_to_draw", GATHER))
            return refusal(reasons)
        case _:
            return refusal([Reason("gather_first", GATHER)])


def _gather_options(state: State, frame: GatherIntelligence) -> tuple[RecallSpy | Decline, ...]:
    posts = own_linked_posts(state, frame.seat, frame.space)
    recalls = tuple(RecallSpy(frame.seat, post) for post in posts)
    return (*(recalls if _may_gather(state, frame.seat) else ()), Decline(frame.seat))


def _gather(state: State, frame: GatherIntelligence, action: object) -> Step[State]:
    """After sending an Agent, one linked Spy may come home for a card. UPR-SPY-015, UPR-SPY-016"""
    if not isinstance(action, RecallSpy):
        return Step(state)
    done = recall(state, frame.seat, action.post, "gather", GATHER)
    return Step(push(done.state, DrawFromDeck(frame.seat, 1)), done.events)


GATHER_INTELLIGENCE = FrameRules(
    asks=lambda _, frame: asks(frame.seat),
    apply=_gather,
    legal=_legal_gather,
    options=_gather_options,
)


# Placing


def _free_posts(state: State) -> tuple[str, ...]:
    return tuple(post for post in printed(state).posts if not spies_at(state, post))


def _must_place(state: State, frame: SpyPlacement) -> bool:
    """Placing is a duty after a recall for it, or always if the ruling says so."""
    if player(state, frame.seat).spies < 1 or not _free_posts(state):
        return False
    return frame.recalled or follows(state, "spy_placement_mandatory") == "yes"


def _legal_placement(state: State, frame: SpyPlacement, action: object) -> Refusal | None:
    return refusal(_why_not_place(state, frame, action))


def _why_not_place(state: State, frame: SpyPlacement, action: object) -> Iterator[Reason]:
    in_supply = player(state, frame.seat).spies >= 1
    match action:
        case Decline():
            if _must_place(state, frame):
                yield Reason("must_place_spy", RECALL_FIRST + MAY_DECLINE)
        case PlaceSpy(_, post):
            if not in_supply:
                yield Reason("no_spy_in_supply", RECALL_FIRST)
            if spies_at(state, post):
                yield Reason("post_taken", FREE_POST, {"post": post})
        case RecallSpy(seat, post):
            if in_supply:
                yield Reason("spy_in_supply", RECALL_FIRST)
            if seat not in spies_at(state, post):
                yield Reason("no_spy_there", OWN_SPY, {"post": post})
        case _:
            yield Reason("place_spy_first", PLACE)


def _placement_options(
    state: State, frame: SpyPlacement
) -> tuple[PlaceSpy | RecallSpy | Decline, ...]:
    seat = frame.seat
    leave = () if _must_place(state, frame) else (Decline(seat),)
    if player(state, seat).spies >= 1:
        return (*(PlaceSpy(seat, post) for post in _free_posts(state)), *leave)
    own = tuple(spy.post for spy in state.spies if spy.seat == seat)
    return (*(RecallSpy(seat, post) for post in own), *leave)


def _place(state: State, frame: SpyPlacement, action: object) -> Step[State]:
    """A Spy goes from supply to a free post; with none left one may be taken back first.

    UPR-SPY-002, UPR-SPY-004, UPR-SPY-005
    """
    match action:
        case PlaceSpy(seat, post):
            placed = move_spy(state, seat, start=None, end=post)
            return Step(placed, (Event("places_spy", PLACE, seat, {"post": post}),))
        case RecallSpy(seat, post):
            done = recall(state, seat, post, "placement", RECALL_FIRST)
            return Step(push(done.state, SpyPlacement(seat, recalled=True)), done.events)
        case _:
            return Step(state, (Event("declines_spy", MAY_DECLINE, frame.seat),))


SPY_PLACEMENT = FrameRules(
    asks=lambda _, frame: asks(frame.seat),
    apply=_place,
    legal=_legal_placement,
    options=_placement_options,
)
