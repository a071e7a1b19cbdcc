"""The Endgame: when it comes, Endgame Intrigue cards, the winner and the tiebreakers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules_engine.imperium.actions import Flip, Pass, PlayIntrigue
from rules_engine.imperium.conflict_cards import WILD, turned_down
from rules_engine.imperium.frames import EndgameIntrigues, FinalScore
from rules_engine.imperium.intrigue import play, play_options, why_not_play
from rules_engine.imperium.points import score
from rules_engine.imperium.state import Player, State, clockwise, follows, player, with_player
from rules_engine.kernel.decks import size
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import FrameRules, asks, by_itself, push
from rules_engine.kernel.numbers import Quantity, count_true
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

POINTS = 10

INTRIGUES = cite("UPR-END-003")
WILD_MATCH = cite("UPR-COMBAT-030")
MOST_POINTS = cite("UPR-END-004")
TIEBREAK = cite("UPR-END-005", "UPR-END-006")


def triggered(state: State) -> bool:
    """The game ends when somebody has 10 points or no Conflict card is left.

    UPR-END-001, UPR-END-002
    """
    if any(each.victory_points >= POINTS for each in state.players):
        return True
    return size(state.conflict_deck) == 0


# Endgame Intrigue cards


def _legal(state: State, _: EndgameIntrigues, action: object) -> Refusal | None:
    match action:
        case Pass():
            return None
        case Flip(seat, card):
            return refusal(_why_not_match(state, seat, card))
        case PlayIntrigue():
            return refusal(why_not_play(state, action, "endgame"))
        case _:
            return refusal([Reason("play_or_pass", INTRIGUES)])


def _options(state: State, frame: EndgameIntrigues) -> Iterator[Any]:
    yield from play_options(state, frame.seat, "endgame")
    yield from _match_options(state, frame.seat)
    yield Pass(frame.seat)


def _chance(state: State, frame: EndgameIntrigues, action: object) -> Step[State]:
    """Each player in turn plays any Endgame Intrigue cards and may match a wild battle icon.

    UPR-END-003, UPR-COMBAT-030
    """
    if isinstance(action, PlayIntrigue):
        return play(push(state, frame), action)
    if isinstance(action, Flip):
        return _match_wild(push(state, frame), action)
    following = clockwise(state, frame.seat)[1]
    passes = (Event("passes", INTRIGUES, frame.seat),)
    if following == state.first_player:
        return Step(state, passes)
    return Step(push(state, EndgameIntrigues(following)), passes)


ENDGAME_INTRIGUES = FrameRules(
    asks=lambda _, frame: asks(frame.seat), apply=_chance, legal=_legal, options=_options
)


# The wild battle icon


def _wild_card(owner: Player, other: str = "") -> str | None:
    """A card with a wild battle icon that is still face up, beside another card of its owner."""
    wild = [each.card for each in owner.won if each.face_up and each.icon == WILD]
    if other in wild:
        wild.remove(other)
    return next(iter(wild), None)


def _icons_to_match(state: State, owner: Player) -> tuple[str, ...]:
    """The face-up cards whose icon a wild one pairs with: the three, or as ruled a wild one too.

    UPR-COMBAT-030
    """
    barred = (None,) if follows(state, "wild_icons_match") == "yes" else (None, WILD)
    return tuple(each.card for each in owner.won if each.face_up and each.icon not in barred)


def _why_not_match(state: State, seat: Seat, card: str) -> Iterator[Reason]:
    owner = player(state, seat)
    if _wild_card(owner, card) is None:
        yield Reason("no_wild_icon", WILD_MATCH)
    if not any(each.face_up for each in owner.won if each.card == card):
        yield Reason("not_face_up", WILD_MATCH, {"card": card})
    elif card not in _icons_to_match(state, owner):
        yield Reason("no_icon_to_match", WILD_MATCH, {"card": card})


def _match_options(state: State, seat: Seat) -> tuple[Flip, ...]:
    """The cards whose battle icon the wild one may be matched with."""
    owner = player(state, seat)
    return tuple(
        Flip(seat, card)
        for card in dict.fromkeys(_icons_to_match(state, owner))
        if _wild_card(owner, card) is not None
    )


def _match_wild(state: State, action: Flip) -> Step[State]:
    """The wild icon and another one are turned down for a Victory Point, if wanted.

    UPR-COMBAT-030
    """
    owner = player(state, action.by)
    wild = _wild_card(owner, action.card)
    assert wild is not None
    owner = change(owner, won=turned_down(owner, wild))
    owner = change(owner, won=turned_down(owner, action.card))
    scored = score(with_player(state, owner), action.by, 1, "match", WILD_MATCH)
    paired = Event("matches_wild", WILD_MATCH, action.by, {"card": action.card})
    return Step(scored.state, (paired, *scored.events))


# The winner


def ahead(one: Player, other: Player) -> bool:
    """Whether a player beats another by points, then spice, Solari, water, garrisoned troops.

    UPR-END-004, UPR-END-005, UPR-END-006
    """
    ours, theirs = standing(one), standing(other)
    for own, against in zip(ours, theirs, strict=True):
        if own != against:
            return own > against
    return False


def standing(each: Player) -> tuple[Quantity, ...]:
    """What is compared to find the winner, one after the other."""
    return (each.victory_points, each.spice, each.solari, each.water, each.garrison)


def winners(state: State) -> tuple[Seat, ...]:
    """The player nobody is ahead of; a last tie is settled as the ruling says. UPR-END-005"""
    best = tuple(
        each.seat
        for each in state.players
        if not any(ahead(other, each) for other in state.players)
    )
    if len(best) > 1 and follows(state, "tiebreak_after_garrison") == "latest_reveal":
        if any(seat not in state.reveal_order for seat in best):
            raise UnknownRead("the order of the Reveal turns")
        return (max(best, key=state.reveal_order.index),)
    return best


def _final(state: State, _: FinalScore, __: object) -> Step[State]:
    """The player with most Victory Points wins; ties are broken. UPR-END-004, UPR-END-005"""
    found = winners(state)
    most = player(state, found[0]).victory_points
    tied = count_true(each.victory_points == most for each in state.players) >= 2
    rules = MOST_POINTS + (TIEBREAK if tied else ())
    events = tuple(Event("wins", rules, seat, {"points": most}) for seat in found)
    return Step(change(state, winners=found), events)


FINAL_SCORE = by_itself(_final, MOST_POINTS)
