"""Conflict cards: what is added to the first reward, and the battle icons of those won."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.effects import tree
from rules_engine.imperium.actions import Flip
from rules_engine.imperium.faces import printed
from rules_engine.imperium.frames import PickFlip
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.state import Player, State, Won, follows, player, with_player
from rules_engine.kernel.game import NOBODY, FrameRules, asks, push
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

WILD = "wild"
"""The battle icon that stands for any other in the Endgame."""

ADDED_REWARD = cite("UPR-ROUND-005", "UPR-COMBAT-011")
FLIP = cite("UPR-ROUND-005", "UPR-COMBAT-027", "UPR-COMBAT-028")
NOT_THERE = FLIP + cite("UPR-COST-003")


def _add_to_first(state: State, seat: Seat, effect: tree.AddFirstReward, _: str) -> Step[State]:
    """Whoever wins this Conflict gets something more. UPR-ROUND-005, UPR-COMBAT-011"""
    state = change(state, first_reward=(*state.first_reward, effect.effect))
    return Step(state, (Event("first_reward_grows", ADDED_REWARD, seat),))


def turned_down(owner: Player, card: str) -> tuple[Won, ...]:
    """The player's won cards with one that was face up turned face down."""
    at = next(at for at, each in enumerate(owner.won) if each.card == card and each.face_up)
    return (*owner.won[:at], change(owner.won[at], face_up=False), *owner.won[at + 1 :])


# An effect turns a battle icon down


def _why_not_flip(state: State, frame: PickFlip, card: str) -> Iterator[Reason]:
    won = [each for each in player(state, frame.seat).won if each.card == card]
    if not any(each.face_up for each in won):
        yield Reason("not_face_up", FLIP, {"card": card})
    elif not any(each.face_up and each.icon in (frame.icon, WILD) for each in won):
        yield Reason("another_icon", FLIP, {"card": card, "icon": frame.icon})
    if card in printed(state).objectives and not _objectives_too(state):
        yield Reason("no_conflict_card", FLIP, {"card": card})


def _objectives_too(state: State) -> bool:
    """An Objective counts as a Conflict card that was won, if the ruling says so."""
    return follows(state, "battle_intrigue_objective") == "objectives_too"


def _legal_flip(state: State, frame: PickFlip, action: object) -> Refusal | None:
    if not isinstance(action, Flip):
        return refusal([Reason("pick_icon_to_flip", FLIP)])
    return refusal(_why_not_flip(state, frame, action.card))


def _flippable(state: State, seat: Seat, icon: str) -> tuple[str, ...]:
    return tuple(
        each.card
        for each in player(state, seat).won
        if each.face_up
        and each.icon in (icon, WILD)
        and (_objectives_too(state) or each.card not in printed(state).objectives)
    )


def _flip(state: State, frame: PickFlip, action: object) -> Step[State]:
    """One card with the icon, or a wild one, is turned face down. UPR-COMBAT-028"""
    if not isinstance(action, Flip):
        return Step(state)
    owner = player(state, frame.seat)
    state = with_player(state, change(owner, won=turned_down(owner, action.card)))
    return Step(state, (Event("flips", FLIP, frame.seat, {"card": action.card}),))


PICK_FLIP = FrameRules(
    asks=lambda state, frame: (
        asks(frame.seat) if _flippable(state, frame.seat, frame.icon) else NOBODY
    ),
    apply=_flip,
    legal=_legal_flip,
    options=lambda state, frame: tuple(
        Flip(frame.seat, card) for card in _flippable(state, frame.seat, frame.icon)
    ),
)


def _flip_by_effect(state: State, seat: Seat, effect: tree.FlipIcon, _: str) -> Step[State]:
    return Step(push(state, PickFlip(seat, effect.icon)))


def _why_not_flip_any(state: State, seat: Seat, effect: tree.FlipIcon, _: str) -> Iterator[Reason]:
    if not _flippable(state, seat, effect.icon):
        yield Reason("nothing_to_flip", NOT_THERE, {"icon": effect.icon})


MEANING: Meanings = {
    tree.AddFirstReward: Meaning(_add_to_first, ADDED_REWARD),
    tree.FlipIcon: Meaning(_flip_by_effect, FLIP, _why_not_flip_any),
}
