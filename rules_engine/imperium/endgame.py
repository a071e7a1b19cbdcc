"""The Endgame: when it comes, Endgame Intrigue cards, the winner and the tiebreakers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules_engine.imperium.actions import Pass, PlayIntrigue
from rules_engine.imperium.frames import EndgameIntrigues, FinalScore
from rules_engine.imperium.intrigue import play, play_options, why_not_play
from rules_engine.imperium.state import Player, State, clockwise, follows, player
from rules_engine.kernel.decks import size
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import FrameRules, asks, by_itself, push
from rules_engine.kernel.numbers import Quantity, count_true
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

POINTS = 10

INTRIGUES = cite("UPR-END-003")
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
        case PlayIntrigue():
            return refusal(why_not_play(state, action, "endgame"))
        case _:
            return refusal([Reason("play_or_pass", INTRIGUES)])


def _options(state: State, frame: EndgameIntrigues) -> Iterator[Any]:
    yield from play_options(state, frame.seat, "endgame")
    yield Pass(frame.seat)


def _chance(state: State, frame: EndgameIntrigues, action: object) -> Step[State]:
    """Each player in turn plays any Endgame Intrigue cards. UPR-END-003"""
    if isinstance(action, PlayIntrigue):
        return play(push(state, frame), action)
    following = clockwise(state, frame.seat)[1]
    passes = (Event("passes", INTRIGUES, frame.seat),)
    if following == state.first_player:
        return Step(state, passes)
    return Step(push(state, EndgameIntrigues(following)), passes)


ENDGAME_INTRIGUES = FrameRules(
    asks=lambda _, frame: asks(frame.seat), apply=_chance, legal=_legal, options=_options
)


# The winner


def ahead(one: Player, other: Player) -> bool:
    """Whether a player beats another by points, then spice, Solari, water, garrisoned troops.

    UPR-END-004, UPR-END-005, UPR-END-006
    """
    ours, theirs = _standing(one), _standing(other)
    for own, against in zip(ours, theirs, strict=True):
        if own != against:
            return own > against
    return False


def _standing(each: Player) -> tuple[Quantity, ...]:
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
