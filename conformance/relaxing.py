"""Positions in which an input that is refused would be allowed: what stands in its way is gone.

From there one sees how a turn would go on that begins with the input. So a unit can be told that is
whole but for the one input, and who refuses it does so for the right reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from conformance import reading
from rules_engine.imperium.faces import card_face, knows_card
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State, player, with_player
from rules_engine.kernel.game import legal
from rules_engine.kernel.records import change

Json = dict[str, Any]

PLENTY = 20
FRIENDS = 2
"""The most Influence that a space asks for."""

ICONS = ("emperor", "spacing_guild", "bene_gesserit", "fremen", "landsraad", "city", "spice_trade")


def allowing(state: State, said: Json) -> State | None:
    """The position with as little changed as lets a decision be made; nothing if that is not it."""
    if said.get("by") not in range(len(state.players)):
        return None
    return next((each for each in _relaxed(state, said) if _is_allowed(each, said)), None)


def _is_allowed(state: State, said: Json) -> bool:
    action = reading.action(state, said)
    return action is not None and legal(IMPERIUM, state, action) is None


def _relaxed(state: State, said: Json) -> Iterator[State]:
    """The position with each obstacle gone, and with all of them."""
    everything = state
    for without in OBSTACLES:
        yield without(state, said)
        everything = without(everything, said)
    yield everything


def _changed(state: State, said: Json, **fields: Any) -> State:
    return with_player(state, change(player(state, said["by"]), **fields))


def _poverty(state: State, said: Json) -> State:
    plenty = dict.fromkeys(("solari", "spice", "water", "persuasion"), PLENTY)
    return _changed(state, said, **plenty)


def _lack_of_agents(state: State, said: Json) -> State:
    return _changed(state, said, agents=player(state, said["by"]).agents + 1)


def _occupation(state: State, said: Json) -> State:
    return change(state, agents=tuple(a for a in state.agents if a.space != said.get("space")))


def _lack_of_influence(state: State, said: Json) -> State:
    tracks = tuple(
        change(each, influence=FRIENDS) if each.influence < FRIENDS else each
        for each in player(state, said["by"]).tracks
    )
    return _changed(state, said, tracks=tracks)


def _lack_of_card(state: State, said: Json) -> State:
    """The card is in hand, wherever else it was."""
    card = said.get("card")
    owner: Player = player(state, said["by"])
    if not isinstance(card, str) or not knows_card(state, card):
        return state
    return _changed(state, said, hand=tuple(sorted((*owner.hand, card))))


def _wrong_icons(state: State, said: Json) -> State:
    card = said.get("card")
    if not isinstance(card, str) or not knows_card(state, card):
        return state
    face = change(card_face(state, card), agent_icons=ICONS)
    own = (face, *(each for each in state.config.cards if each.id != card))
    return change(state, config=change(state.config, cards=own))


def _swordmaster(state: State, said: Json) -> State:
    return _changed(state, said, swordmaster=False)


def _lack_of_hooks(state: State, said: Json) -> State:
    return _changed(state, said, maker_hooks=True)


def _spies(state: State, said: Json) -> State:
    return change(state, spies=tuple(s for s in state.spies if s.post != said.get("post")))


OBSTACLES: tuple[Callable[[State, Json], State], ...] = (
    _poverty,
    _lack_of_agents,
    _occupation,
    _lack_of_influence,
    _lack_of_card,
    _wrong_icons,
    _swordmaster,
    _lack_of_hooks,
    _spies,
)
