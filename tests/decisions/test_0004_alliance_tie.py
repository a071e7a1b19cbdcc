"""Decision 0004: an Alliance that two tied players could take is set aside until it is decided."""

from __future__ import annotations

import pytest

from rules_engine.imperium.actions import GiveAlliance, PickFaction
from rules_engine.imperium.frames import AllianceTie, PickTrack
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.influence import holder_of
from rules_engine.imperium.state import Alliance, State
from rules_engine.kernel.game import actions, asked
from rules_engine.kernel.records import change
from rules_engine.rulebook.rulings import chosen
from tests.imperium.positions import at, bare, done, refused, tracked


def falling(own: int, others: tuple[int, int, int], rulings: dict[str, str]) -> State:
    """The holder of the Fremen Alliance is about to lose one Influence."""
    state = bare()
    state = change(state, config=change(state.config, rulings=chosen(rulings)))
    for seat, influence in enumerate((own, *others)):
        state = tracked(state, seat, "fremen", influence)
    alliances = tuple(
        Alliance("fremen", 0) if each.faction == "fremen" else each for each in state.alliances
    )
    return at(change(state, alliances=alliances), PickTrack(0, 1, gain=False))


def points(state: State) -> list[int]:
    """Everybody's Victory Points, as far as they changed from setup."""
    return [each.victory_points - 1 for each in state.players]


LOSE = PickFaction(0, "fremen")


def test_the_token_is_set_aside_and_the_old_holder_chooses() -> None:
    fallen = done(falling(5, (5, 5, 4), {}), LOSE)
    assert fallen.state.pending == (AllianceTie(0, "fremen", (1, 2)),)
    assert holder_of(fallen.state, "fremen") is None
    assert asked(IMPERIUM, fallen.state).players == (0,)
    assert actions(IMPERIUM, fallen.state) == (GiveAlliance(0, 1), GiveAlliance(0, 2))
    assert points(fallen.state) == [-1, 0, 0, 0]
    given = done(fallen.state, GiveAlliance(0, 2))
    assert holder_of(given.state, "fremen") == 2
    assert points(given.state) == [-1, 0, 1, 0]
    keys = [event.key for event in (*fallen.events, *given.events)]
    assert keys == ["influence", "loses_alliance", "scores", "takes_alliance", "scores"]


@pytest.mark.parametrize("to", [0, 3])
def test_only_a_tied_player_can_be_given_the_token(to: int) -> None:
    fallen = done(falling(5, (5, 5, 4), {}), LOSE)
    assert refused(fallen.state, GiveAlliance(0, to)).rules


def test_a_single_highest_player_takes_it_at_once() -> None:
    after = done(falling(5, (6, 5, 4), {}), LOSE).state
    assert (holder_of(after, "fremen"), after.pending) == (1, ())
    assert points(after) == [-1, 1, 0, 0]


@pytest.mark.parametrize(
    ("own", "others", "rulings", "holder"),
    [
        (5, (5, 5, 4), {"alliance_loss_tie": "kept"}, 0),
        (4, (5, 5, 4), {"alliance_loss_below_4": "kept"}, 0),
        (4, (3, 3, 0), {}, None),
        (6, (5, 5, 4), {}, 0),
    ],
)
def test_the_rulings_decide_whether_it_moves_at_all(
    own: int, others: tuple[int, int, int], rulings: dict[str, str], holder: int | None
) -> None:
    after = done(falling(own, others, rulings), LOSE).state
    assert after.pending == ()
    assert holder_of(after, "fremen") == holder
