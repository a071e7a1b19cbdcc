"""Spies: placing and recalling them, Infiltrate, Gather Intelligence."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.effects import tree
from rules_engine.imperium.actions import Decline, PlaceSpy, RecallSpy
from rules_engine.imperium.faces import post_face, printed, space_face
from rules_engine.imperium.frames import (
    DrawFromDeck,
    GatherIntelligence,
    PickSpies,
    SpyPlacement,
)
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.state import (
    SpyAt,
    State,
    follows,
    own_turn,
    player,
    with_deed,
    with_player,
)
from rules_engine.kernel.decks import size
from rules_engine.kernel.game import NOBODY, Asks, FrameRules, asks, push
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

SPIES = 3
"""Every player's Spies: in supply and on posts."""

FACTION = "faction"
"""What an effect calls the spaces of all Factions."""

PLACE = cite("UPR-SPY-002")
FREE_POST = cite("UPR-SPY-003", "UPR-SPY-002")
MAY_DECLINE = cite("UPR-SPY-004")
RECALL_FIRST = cite("UPR-SPY-005", "UPR-SPY-006")
NAMED_POST = cite("UPR-SPY-007")
OWN_WORDS = cite("UPR-ROUND-005")
BY_ICON = cite("UPR-SPY-008", "UPR-SPY-009")
BEFORE_EFFECTS = cite("UPR-SPY-016", "UPR-SPY-015")
NOT_THERE = BY_ICON + cite("UPR-COST-003")
OWN_SPY = cite("UPR-SPY-008", "UPR-SPY-010")
INFILTRATE = cite("UPR-SPY-011", "UPR-SPY-012")
GATHER = cite("UPR-SPY-015", "UPR-SPY-016")
AFTER_SENDING = cite("UPR-SPY-015")
DIRECTLY_AFTER = cite("UPR-SPY-016", "UPR-SPY-015")
ONE_PURPOSE = cite("UPR-SPY-017", "UPR-SPY-018")


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


def spied_spaces(state: State, seat: Seat) -> tuple[str, ...]:
    """The spaces that the player spies on: a Spy is on a linked post. UPR-SPY-001"""
    posts = [spy.post for spy in state.spies if spy.seat == seat]
    spaces = (space for post in posts for space in post_face(state, post).spaces)
    return tuple(dict.fromkeys(spaces))


def spied_factions(state: State, seat: Seat) -> tuple[str, ...]:
    """The Factions on one of whose spaces the player spies. UPR-SPY-001"""
    icons = {space_face(state, space).icon for space in spied_spaces(state, seat)}
    return tuple(faction for faction in printed(state).tracks if faction in icons)


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


def why_not_gather(state: State, seat: Seat, post: str) -> Iterator[Reason]:
    """The reasons against recalling a Spy from a post for a card now, where nobody asks for one.

    UPR-SPY-015, UPR-SPY-016
    """
    turn = own_turn(state, seat)
    if turn is None or turn.space is None:
        yield Reason("no_agent_sent", AFTER_SENDING)
        return
    yield from _why_not_from(state, seat, post, turn.space)
    yield Reason("gather_moment_over", DIRECTLY_AFTER)


def _why_not_from(state: State, seat: Seat, post: str, space: str) -> Iterator[Reason]:
    """The reasons against gathering with the Spy of this post: it may have been used already.

    UPR-SPY-017, UPR-SPY-018
    """
    if _infiltrated_from(state, seat, post, space):
        yield Reason("spy_infiltrated", ONE_PURPOSE, {"post": post})
    else:
        yield from why_not_recall(state, seat, post, space)


def _infiltrated_from(state: State, seat: Seat, post: str, space: str) -> bool:
    """Whether the Spy missing from a post came home this turn to join another player's Agent."""
    if seat in spies_at(state, post) or not linked(state, post, space):
        return False
    turn = own_turn(state, seat)
    joined = any(at.space == space and at.seat != seat for at in state.agents)
    return joined and turn is not None and turn.space == space and turn.recalled_spy


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
            reasons = list(_why_not_from(state, seat, post, frame.space))
            if not _may_gather(state, seat):
                reasons.append(Reason("nothing_to_draw", GATHER))
            return refusal(reasons)
        case _:
            return refusal([Reason("gather_first", BEFORE_EFFECTS)])


def _gather_options(state: State, frame: GatherIntelligence) -> tuple[RecallSpy | Decline, ...]:
    posts = own_linked_posts(state, frame.seat, frame.space)
    recalls = tuple(RecallSpy(frame.seat, post) for post in posts)
    return (*(recalls if _may_gather(state, frame.seat) else ()), Decline(frame.seat))


def _gather(state: State, frame: GatherIntelligence, action: object) -> Step[State]:
    """After sending an Agent, one linked Spy may come home for a card.

    A Spy that came home to Infiltrate is no longer linked, so it takes another one.
    UPR-SPY-015, UPR-SPY-016, UPR-SPY-017, UPR-SPY-018
    """
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


def _suits(state: State, frame: SpyPlacement, post: str) -> bool:
    """Whether the post is one of those that the effect names. UPR-SPY-007"""
    spaces = post_face(state, post).spaces
    return not frame.on or any(_named(state, frame, space) for space in spaces)


def _named(state: State, frame: SpyPlacement, space: str) -> bool:
    """Whether the effect names a space: by its icon, as a Faction's, or as the one visited."""
    icon = space_face(state, space).icon
    if icon in frame.on or (FACTION in frame.on and icon in printed(state).tracks):
        return True
    turn = state.turn
    here = turn is not None and turn.seat == frame.seat and turn.space == space
    return here and tree.VISITED in frame.on


def _taken(state: State, frame: SpyPlacement, post: str) -> bool:
    """Whether a post is closed by a Spy: by any, or only by an own one. UPR-SPY-003"""
    there = spies_at(state, post)
    return frame.seat in there if frame.sharing else bool(there)


def _open_posts(state: State, frame: SpyPlacement) -> tuple[str, ...]:
    return tuple(
        post
        for post in printed(state).posts
        if _suits(state, frame, post) and not _taken(state, frame, post)
    )


def _opens_when_left(state: State, frame: SpyPlacement, post: str) -> bool:
    """Whether the Spy could be placed somewhere once the own one has left this post."""
    left = move_spy(state, frame.seat, start=post, end=None)
    return bool(_open_posts(left, frame))


def _own_posts(state: State, seat: Seat) -> tuple[str, ...]:
    return tuple(spy.post for spy in state.spies if spy.seat == seat)


def _asks_placement(state: State, frame: SpyPlacement) -> Asks:
    """Nobody is asked when no Spy can be placed, whatever is taken back first. UPR-SPY-007"""
    if player(state, frame.seat).spies >= 1:
        return asks(frame.seat) if _open_posts(state, frame) else NOBODY
    own = _own_posts(state, frame.seat)
    can = any(_opens_when_left(state, frame, post) for post in own)
    return asks(frame.seat) if can else NOBODY


def _must_place(state: State, frame: SpyPlacement) -> bool:
    """Placing is a duty after a recall for it, or always if the ruling says so."""
    if player(state, frame.seat).spies < 1:
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
            if not _suits(state, frame, post):
                yield Reason("post_not_named", NAMED_POST, {"post": post})
            if _taken(state, frame, post):
                yield Reason("post_taken", FREE_POST, {"post": post})
        case RecallSpy(seat, post):
            if in_supply:
                yield Reason("spy_in_supply", RECALL_FIRST)
            if seat not in spies_at(state, post):
                yield Reason("no_spy_there", OWN_SPY, {"post": post})
            elif not _opens_when_left(state, frame, post):
                yield Reason("opens_no_post", NAMED_POST + RECALL_FIRST, {"post": post})
        case _:
            yield Reason("place_spy_first", PLACE)


def _placement_options(
    state: State, frame: SpyPlacement
) -> tuple[PlaceSpy | RecallSpy | Decline, ...]:
    seat = frame.seat
    leave = () if _must_place(state, frame) else (Decline(seat),)
    if player(state, seat).spies >= 1:
        return (*(PlaceSpy(seat, post) for post in _open_posts(state, frame)), *leave)
    useful = (post for post in _own_posts(state, seat) if _opens_when_left(state, frame, post))
    return (*(RecallSpy(seat, post) for post in useful), *leave)


def _place(state: State, frame: SpyPlacement, action: object) -> Step[State]:
    """A Spy goes from supply to an open post; with none left one may be taken back first.

    UPR-SPY-002, UPR-SPY-004, UPR-SPY-005, UPR-SPY-007
    """
    match action:
        case PlaceSpy(seat, post):
            placed = move_spy(state, seat, start=None, end=post)
            placed = with_deed(placed, seat, "places", frame.source, post)
            rules = PLACE + (NAMED_POST if frame.on else ()) + (OWN_WORDS if frame.sharing else ())
            return Step(placed, (Event("places_spy", rules, seat, {"post": post}),))
        case RecallSpy(seat, post):
            done = recall(state, seat, post, "placement", RECALL_FIRST)
            return Step(push(done.state, change(frame, recalled=True)), done.events)
        case Decline():
            return Step(state, (Event("declines_spy", MAY_DECLINE, frame.seat),))
        case _:
            return Step(state, (Event("no_open_post", FREE_POST + NAMED_POST, frame.seat),))


SPY_PLACEMENT = FrameRules(
    asks=_asks_placement,
    apply=_place,
    legal=_legal_placement,
    options=_placement_options,
)


def _place_by_effect(state: State, seat: Seat, effect: tree.PlaceSpy, source: str) -> Step[State]:
    frame = SpyPlacement(seat, on=effect.on, sharing=effect.sharing, source=source)
    return Step(push(state, frame))


# Recalling by an effect


def _legal_recall(state: State, _: PickSpies, action: object) -> Refusal | None:
    if not isinstance(action, RecallSpy):
        return refusal([Reason("pick_spy_to_recall", BY_ICON)])
    if action.by not in spies_at(state, action.post):
        return refusal([Reason("no_spy_there", OWN_SPY, {"post": action.post})])
    return None


def _recall_picked(state: State, frame: PickSpies, action: object) -> Step[State]:
    """The owner picks which Spies come home, one after the other. UPR-SPY-008"""
    if not isinstance(action, RecallSpy):
        return Step(state)
    done = recall(state, frame.seat, action.post, "effect", BY_ICON)
    if frame.count > 1:
        return Step(push(done.state, change(frame, count=frame.count - 1)), done.events)
    return done


PICK_SPIES = FrameRules(
    asks=lambda state, frame: asks(frame.seat) if _own_posts(state, frame.seat) else NOBODY,
    apply=_recall_picked,
    legal=_legal_recall,
    options=lambda state, frame: tuple(
        RecallSpy(frame.seat, post) for post in _own_posts(state, frame.seat)
    ),
)


def _recall_by_effect(state: State, seat: Seat, effect: tree.RecallSpies, _: str) -> Step[State]:
    if effect.amount < 1:
        return Step(state)
    return Step(push(state, PickSpies(seat, effect.amount)))


def _why_not_recall_spies(
    state: State, seat: Seat, effect: tree.RecallSpies, _: str
) -> Iterator[Reason]:
    """A recall is a cost like any other: all the Spies have to be out. UPR-SPY-009"""
    if len(_own_posts(state, seat)) < effect.amount:
        yield Reason("too_few_spies", NOT_THERE, {"spies": effect.amount})


MEANING: Meanings = {
    tree.PlaceSpy: Meaning(_place_by_effect, PLACE),
    tree.RecallSpies: Meaning(_recall_by_effect, BY_ICON, _why_not_recall_spies),
}
