"""What a ruling changes: the whole position, what happened, who would win, and what can be done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from rules_engine.imperium.endgame import winners
from rules_engine.imperium.faces import printed
from rules_engine.imperium.state import AgentAt, Player, SpyAt, State
from rules_engine.kernel.decks import size
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from scenarios.asking.position import Asked
from scenarios.asking.said import listed
from scenarios.imperium.changes import changes
from scenarios.words import card_name, event_words, options_in_words, telling
from verifier.watched import Slot, raw

RecordT = TypeVar("RecordT", Player, State)
PieceT = TypeVar("PieceT", bound=AgentAt | SpyAt)


def differences(here: Asked, there: Asked) -> list[str]:
    """Everything in words that another reading makes different, what matters most first."""
    seen = [*between(here.state, there.state), *_events(here, there)]
    found = seen + _options(here.state, there.state)
    return found or list(_out_of_sight(here.state, there.state))


def between(here: State, there: State) -> list[str]:
    """What is different in another position, as far as players see it on the table."""
    return [*_who_wins(here, there), *_holdings(here, there), *_table(here, there)]


# Who wins


def _who_wins(here: State, there: State) -> Iterator[str]:
    one, other = _winner(here), _winner(there)
    if one != other and other:
        verb = "wins" if there.winners else "would win if the game ended now"
        yield f"{other} {verb}" if " and " not in other else f"{other} share the victory"


def _winner(state: State) -> str:
    try:
        seats = state.winners or winners(state)
    except UnknownRead:
        return ""
    return listed(state.players[seat].name for seat in seats)


# What there is


def _holdings(here: State, there: State) -> Iterator[str]:
    for owner in here.players:
        for each in changes(here, there, owner.seat):
            yield f"{owner.name} has {each.holding.text(each.after)}"


CARDS = {
    "hand": "in hand",
    "discard": "in the discard pile",
    "in_play": "in play",
    "intrigues": "as Intrigue cards",
    "contracts": "as contracts",
    "completed": "as completed contracts",
    "standing": "face up",
    "set_aside": "set aside",
}
"""Cards of a player that can be named."""

NUMBERS = {"supply": "troops in supply", "strength": "strength"}
"""Numbers of a player that are no holdings."""

PILES = {
    "row": "the Imperium Row",
    "intrigue_discard": "the Intrigue discard pile",
    "contract_row": "the face-up contracts",
    "trashed": "the trashed cards",
    "trashed_intrigues": "the trashed Intrigue cards",
}
"""Cards of the table that can be named."""

DECKS = {
    "imperium_deck": "Imperium Deck",
    "intrigue_deck": "Intrigue Deck",
    "conflict_deck": "Conflict Deck",
    "contract_deck": "deck of contracts",
}


def _table(here: State, there: State) -> Iterator[str]:
    """Fields of the position that differ, beyond what a player has a number of."""
    for one, other in zip(here.players, there.players, strict=True):
        yield from _of_player(there, one, other)
    for field, called in PILES.items():
        if _differs(here, there, field):
            yield f"{called}: {_cards(there, raw(there, field))}"
    for field, called in DECKS.items():
        if _differs(here, there, field):
            yield f"the {called} has {size(raw(there, field))} cards"
    yield from _pieces(here, there)
    for field, called in SHOWN.items():
        if _differs(here, there, field):
            yield f"{called} differ"


SHOWN = {
    "reserve": "the stacks of the Reserve",
    "leader_contracts": "the contracts set aside for a Leader",
    "objectives": "the Objectives",
    "first_reward": "the additions to the first reward",
    "reveal_order": "the turns in which players revealed",
}
"""What else lies on the table or was seen by all."""

UNSEEN = {"turn": "what counts for the rest of the turn", "pending": "what is still to be done"}
"""What no piece shows."""


def _out_of_sight(here: State, there: State) -> Iterator[str]:
    """What shows only later."""
    for field, called in UNSEEN.items():
        if _differs(here, there, field):
            yield f"{called} differs"


def _of_player(there: State, one: Player, other: Player) -> Iterator[str]:
    for field, called in CARDS.items():
        if _differs(one, other, field):
            yield f"{one.name} has {_cards(there, raw(other, field))} {called}"
    for field, called in NUMBERS.items():
        if _differs(one, other, field):
            yield f"{one.name} has {raw(other, field)!r} {called}"
    if _differs(one, other, "deck"):
        yield f"{one.name} has {size(raw(other, 'deck'))} cards in the deck"
    if _differs(one, other, "revealed"):
        yield f"{one.name} has {'' if other.revealed else 'not '}revealed"
    for field in ("leader", "training"):
        if _differs(one, other, field):
            yield f"{one.name}'s {field} is {getattr(other, field)}"
    if _differs(one, other, "won"):
        down = [each.card for each in raw(other, "won") if not each.face_up]
        yield f"{one.name} has matched {_cards(there, tuple(down))}"


def _pieces(here: State, there: State) -> Iterator[str]:
    faces = printed(there)
    if here.shield_wall != there.shield_wall:
        yield "the Shield Wall " + ("stands" if there.shield_wall else "is gone")
    if _differs(here, there, "conflict") and raw(there, "conflict") is None:
        yield "there is no Conflict card"
    elif _differs(here, there, "conflict"):
        yield f"the Conflict is {card_name(there, raw(there, 'conflict'))}"
    if here.first_player != there.first_player:
        yield f"{_name(there, there.first_player)} is First Player"
    if here.round != there.round:
        yield f"it is round {there.round}"
    for agent in _in_one(here.agents, there.agents):
        has = "has an" if agent in there.agents else "has no"
        yield f"{_name(there, agent.seat)} {has} Agent at {faces.spaces[agent.space].name}"
    for spy in _in_one(here.spies, there.spies):
        has = "has a" if spy in there.spies else "has no"
        yield f"{_name(there, spy.seat)} {has} Spy at {faces.posts[spy.post].name}"
    for one, other in zip(here.makers, there.makers, strict=True):
        if one != other:
            yield f"{faces.spaces[other.space].name} has {other.bonus_spice!r} bonus spice"


def _in_one(here: tuple[PieceT, ...], there: tuple[PieceT, ...]) -> list[PieceT]:
    """The pieces that are in one position only."""
    return [each for each in (*here, *there) if (each in here) != (each in there)]


def _differs(one: Any, other: Any, field: str) -> bool:
    """Whether a field that is known in both is different."""
    here, there = raw(one, field), raw(other, field)
    if isinstance(here, Slot) or isinstance(there, Slot):
        return False
    return bool(here != there)


def _cards(state: State, cards: tuple[str, ...]) -> str:
    return listed(card_name(state, card) for card in cards) or "nothing"


def _name(state: State, seat: Seat) -> str:
    return str(state.players[seat].name)


# What happened, and what can be done


def _events(here: Asked, there: Asked) -> Iterator[str]:
    """What happens under one reading only."""
    one, other = _told(here), _told(there)
    yield from (f"{each}" for each in other if each not in one)
    yield from (f"not: {each}" for each in one if each not in other)


def _told(run: Asked) -> list[str]:
    return [event_words(run.state, event) for event in telling(run.events)]


def _options(here: State, there: State) -> list[str]:
    """What can be done next under one reading and not under the other."""
    one, other = _open_now(here), _open_now(there)
    more = [f"`{each}`" for each in other if each not in one]
    less = [f"`{each}`" for each in one if each not in other]
    told = [f"also allowed: {', '.join(more)}"] if more else []
    return told + ([f"not allowed: {', '.join(less)}"] if less else [])


def _open_now(state: State) -> list[str]:
    """What can be done with what is known."""
    try:
        return options_in_words(_as_known(state)) if state.pending else []
    except UnknownRead:
        return []


NOTHING: dict[str, Any] = {
    "hand": (),
    "won": (),
    "row": (),
    "contract_row": (),
    "conflict_deck": (),
    "conflict": None,
}
"""What is taken to be there where nothing was stated."""


def _as_known(state: State) -> State:
    """The position with nothing where something is unknown: what differs then differs anyway."""
    players = tuple(_without_slots(each) for each in state.players)
    return change(_without_slots(state), players=players)


def _without_slots(record: RecordT) -> RecordT:
    unknown = (name for name in record.__struct_fields__ if isinstance(raw(record, name), Slot))
    return change(record, **{name: NOTHING.get(name, 0) for name in unknown})
