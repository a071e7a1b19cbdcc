"""Positions in which the player of any seat acts, and what everybody is told of it."""

from __future__ import annotations

from typing import Any

from rules_engine.catalogue.faces import CardFace, IntrigueFace
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State, ThisTurn
from rules_engine.kernel.game import Action, Answer, Frame, handle
from rules_engine.kernel.outcomes import Event, Seat, Step
from rules_engine.kernel.records import change
from verifier.current import choose, claim, stage
from verifier.positions import (
    COUNTED,
    NAMES,
    covered,
    covered_config,
    open_rulings,
    symbolic_state,
)
from verifier.watched import AnyNumber, Lazy

TABLES = ({"players": 3}, {"players": 4})
"""A case for each number of players."""


def anyone(players: int, name: str = "who") -> Seat:
    """The player of any seat."""
    return choose(name, range(players))


def after(seat: Seat, players: int) -> Seat:
    """The next seat clockwise; after the last comes the first."""
    return 0 if seat == players - 1 else seat + 1


def seated(
    who: Seat,
    frames: tuple[Frame, ...],
    own: dict[str, Any],
    others: dict[str, Any] | None = None,
    *,
    players: int = 3,
    cards: tuple[CardFace, ...] = (),
    intrigues: tuple[IntrigueFace, ...] = (),
    rulings: tuple[str, ...] | None = None,
    **slots: Any,
) -> State:
    """A position with some frames pending, in which one player has what is in `own`.

    Every other player has what is in `others`; `cards` and `intrigues` exist in this game only. If
    `rulings` are given, no others are open.
    """
    config = change(covered_config(players), cards=cards, intrigues=intrigues)
    if rulings is not None:
        config = change(config, rulings=open_rulings(rulings))
    pending: Any = frames

    def more(owner: Player) -> dict[str, Any]:
        return own if owner.seat == who else others or {}

    return symbolic_state(players, more, config=config, pending=pending, **slots)


def counting(whose: Seat, kind: str, **known: Any) -> ThisTurn:
    """A turn in progress that has counted any numbers of everything that turns count."""
    numbers = {name: AnyNumber(f"turn.{name}") for name in COUNTED}
    fields = {name: getattr(ThisTurn(whose), name) for name in ThisTurn.__struct_fields__}
    return covered("turn.", ThisTurn(whose), **{**fields, "kind": kind, **numbers, **known})


def own_or_other_turn(who: Seat, players: int = 3, kind: str = "agent") -> Lazy:
    """No turn, the own one, or that of the next player, each with any numbers counted."""
    other = counting(after(who, players), kind)
    return Lazy("turn", (None, counting(who, kind), other))


def done_alone(before: State) -> tuple[State, tuple[Event, ...]]:
    """The position after what is pending has gone on by itself, and what happened."""
    stage(before)
    done = handle(IMPERIUM, before)
    assert isinstance(done, Step), f"it is refused: {done}"
    return done.state, done.events


def done_by(before: State, given: Action | Answer) -> tuple[State, tuple[Event, ...]]:
    """The position after an allowed input, and what happened."""
    stage(before, (given,))
    done = handle(IMPERIUM, before, given)
    assert isinstance(done, Step), f"it is refused: {done}"
    return done.state, done.events


# What is told


def claim_told(
    events: tuple[Event, ...],
    key: str,
    of: Seat | None,
    *,
    secret: tuple[str, ...] = (),
    **facts: Any,
) -> None:
    """Claim that just one such event is told, of this player, with these facts.

    What is `secret` is told to that player alone, and all else to everybody.
    """
    found = [each for each in events if each.key == key]
    claim(len(found) == 1, f"it is told once: {key}")
    for each in found[:1]:
        whom = "nobody" if of is None else NAMES[of]
        claim(each.player == of, f"it is told of {whom}: {key}")
        claim(each.secret == secret, f"just what is secret is kept from others: {key}")
        for name, value in facts.items():
            claim(each.facts[name] == value, f"what is told is true: {name}")
