"""The Endgame: the wild battle icon, and how ties are broken."""

from __future__ import annotations

import pytest

from rules_engine.imperium.actions import Flip, Pass
from rules_engine.imperium.endgame import winners
from rules_engine.imperium.frames import EndgameIntrigues
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State, Won
from rules_engine.kernel.game import actions, asked, asks
from tests.imperium.positions import after, at, bare, giving, owner, refused

WILD = Won("propaganda", "wild")
CRYSKNIFE = Won("objective_crysknife", "crysknife")
MOUSE = Won("trade_dispute", "desert_mouse")
HIDDEN = Won("siege_of_arrakeen", "ornithopter", face_up=False)


def _endgame(*won: Won) -> State:
    return at(giving(bare(), 0, won=won), EndgameIntrigues(0))


def _keys(state: State, given: object) -> list[str]:
    return [reason.key for reason in refused(state, given).reasons]


# The wild battle icon


def test_a_wild_icon_is_matched_with_any_one_other() -> None:
    state = _endgame(CRYSKNIFE, MOUSE, WILD, HIDDEN)
    flips = {each for each in actions(IMPERIUM, state) if isinstance(each, Flip)}
    assert flips == {Flip(0, "objective_crysknife"), Flip(0, "trade_dispute")}
    state = after(state, Flip(0, "objective_crysknife"))
    assert owner(state).victory_points == owner(bare()).victory_points + 1
    assert [each.card for each in owner(state).won if each.face_up] == ["trade_dispute"]
    assert asked(IMPERIUM, state) == asks(0)
    assert _keys(state, Flip(0, "trade_dispute")) == ["no_wild_icon"]


def test_a_wild_icon_may_be_left_unmatched() -> None:
    state = after(_endgame(CRYSKNIFE, WILD), Pass(0))
    assert owner(state).victory_points == owner(bare()).victory_points
    assert asked(IMPERIUM, state) == asks(1)


def test_a_wild_icon_needs_another_that_is_face_up() -> None:
    state = _endgame(WILD, HIDDEN)
    assert actions(IMPERIUM, state) == (Pass(0),)
    assert _keys(state, Flip(0, "siege_of_arrakeen")) == ["not_face_up"]
    assert _keys(state, Flip(0, "propaganda")) == ["no_wild_icon", "no_icon_to_match"]


def test_other_icons_are_not_matched_in_the_endgame() -> None:
    assert actions(IMPERIUM, _endgame(CRYSKNIFE, MOUSE)) == (Pass(0),)


# Ties


@pytest.mark.parametrize("what", ["spice", "solari", "water", "garrison"])
def test_a_tie_is_broken_by_what_comes_first(what: str) -> None:
    order = ("spice", "solari", "water", "garrison")
    level = dict.fromkeys(order, 3)
    later = dict.fromkeys(order[order.index(what) + 1 :], 9)
    state = giving(bare(3), 0, victory_points=10, **{**level, **later})
    state = giving(state, 1, victory_points=10, **{**level, what: 4})
    assert winners(state) == (1,)
