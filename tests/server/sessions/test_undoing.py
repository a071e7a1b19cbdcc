"""Taking back: the own inputs, until chance, another player or a revealed card stands before."""

from __future__ import annotations

import json
import random
from typing import Any, NamedTuple

import pytest

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game
from rules_engine.imperium.state import State, with_player
from rules_engine.kernel import views
from rules_engine.kernel.chance import RandomPlay
from rules_engine.kernel.decks import Known, Pool
from rules_engine.kernel.fingerprint import encoded
from rules_engine.kernel.game import Action, asked, step
from rules_engine.kernel.hidden import dealt_otherwise
from rules_engine.kernel.outcomes import Step
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings
from server.sessions import playing
from server.sessions.playing import revealed
from tests.server.sessions.tables import NAMES, Sessions, Table, refused
from truthsayer.v1 import session_pb2


class Turn(NamedTuple):
    """An input: whose, what that player saw before it, and the revisions around it."""

    seat: int
    given: str
    view: str
    before: int
    after: int

    def alone(self) -> bool:
        """Whether chance had no part in it."""
        return self.after == self.before + 1


def one_turn(table: Table, choice: random.Random) -> Turn:
    """Whoever is asked does something."""
    seat = table.asked()
    at, given = table.get(seat), choice.choice(table.actions(seat))
    after = table.send(seat, given, at.revision).taken.revision
    return Turn(seat, given, at.view, at.revision, after)


def two_in_a_row(table: Table) -> tuple[Turn, Turn]:
    """A random game up to two inputs in a row of one seat, that chance has no part in."""
    choice = random.Random(3)
    first, second = one_turn(table, choice), one_turn(table, choice)
    while first.seat != second.seat or not (first.alone() and second.alone()):
        first, second = second, one_turn(table, choice)
    return first, second


def why_not(table: Table, seat: int, return_to: int) -> str:
    """Why something cannot be taken back."""
    before = table.get()
    status, problem = refused(lambda: table.undo(seat, return_to))
    assert (status, problem.code) == ("FAILED_PRECONDITION", "TS0833")
    assert table.get() == before
    return problem.message.partition(": ")[2]


def test_an_undo_returns_to_the_position_before(sessions: Sessions, table: Table) -> None:
    _, turn = two_in_a_row(table)
    done = table.undo(turn.seat, turn.before)
    assert done.view == turn.view == table.get(turn.seat).view
    assert list(done.asked.seats) == [turn.seat]
    assert done.revision == table.revision == turn.after + 1
    assert turn.given in table.actions(turn.seat)
    last = table.log()[-1]
    assert (last.kind, last.seat) == (session_pb2.RECORD_KIND_UNDO, turn.seat)
    assert (last.returned_to, list(last.events)) == (turn.before, [])
    assert sessions.replay(table.id) == session_pb2.ReplaySessionResponse(played=table.revision)


def test_several_inputs_are_taken_back_at_once_or_one_by_one(
    sessions: Sessions, table: Table
) -> None:
    first, second = two_in_a_row(table)
    seat = first.seat
    assert table.undo(seat, second.before).view == second.view
    assert table.undo(seat, first.before).view == first.view
    table.send(seat, first.given)
    table.send(seat, second.given)
    assert table.undo(seat, first.before).view == first.view != second.view
    table.send(seat, first.given)
    assert table.get(seat).view == second.view
    assert sessions.replay(table.id) == session_pb2.ReplaySessionResponse(played=table.revision)


def test_what_was_taken_back_cannot_be_returned_to(table: Table) -> None:
    _, turn = two_in_a_row(table)
    table.undo(turn.seat, turn.before)
    assert why_not(table, turn.seat, turn.after) == f"revision {turn.after} was itself taken back"


def test_an_undo_can_be_returned_to(sessions: Sessions, table: Table) -> None:
    first, second = two_in_a_row(table)
    seat = first.seat
    undone = table.undo(seat, second.before)
    table.send(seat, second.given)
    assert table.undo(seat, undone.revision).view == undone.view == second.view
    assert table.undo(seat, first.before).view == first.view
    assert sessions.replay(table.id).differs_at == 0


def test_nothing_is_taken_back_over_an_answer_of_chance(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even of an answer that shows the player nothing."""
    monkeypatch.setattr(playing, "revealed", lambda *_: False)
    choice = random.Random(5)
    while (turn := one_turn(table, choice)).alone():
        pass
    assert why_not(table, turn.seat, turn.before) == "chance has answered since"
    assert why_not(table, turn.seat, 1) == "chance has answered since"


def test_nobody_takes_back_what_another_player_did(table: Table) -> None:
    _, turn = two_in_a_row(table)
    other = (turn.seat + 1) % 3
    assert why_not(table, other, turn.before) == "another player has played since"


def test_nothing_is_taken_back_over_an_input_of_another_player(table: Table) -> None:
    choice = random.Random(9)
    first, second = one_turn(table, choice), one_turn(table, choice)
    while first.seat == second.seat or not (first.alone() and second.alone()):
        first, second = second, one_turn(table, choice)
    for seat in (first.seat, second.seat):
        assert why_not(table, seat, first.before) == "another player has played since"
    table.undo(second.seat, second.before)
    assert why_not(table, first.seat, first.before) == "another player has played since"


def test_nothing_is_taken_back_after_a_card_was_revealed(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No input of the game reveals one without chance, so that the test has to say that it did."""
    _, turn = two_in_a_row(table)
    again = table.undo(turn.seat, turn.before).revision
    monkeypatch.setattr(playing, "revealed", lambda *_: True)
    table.send(turn.seat, turn.given)
    assert why_not(table, turn.seat, again) == "a card was revealed since"


@pytest.mark.parametrize("return_to", [-1, 0, 10_000])
def test_a_revision_that_was_never_there_is_an_error(table: Table, return_to: int) -> None:
    status, problem = refused(lambda: table.undo(0, return_to))
    assert (status, problem.code) == ("INVALID_ARGUMENT", "TS0838")


def test_a_stale_undo_is_aborted(table: Table) -> None:
    _, turn = two_in_a_row(table)
    status, problem = refused(lambda: table.undo(turn.seat, turn.before, turn.after - 1))
    assert (status, problem.code) == ("ABORTED", "TS0831")


# What counts as revealed


def a_position() -> State:
    state: State = new_game("uprising", NAMES, Rulings())
    own = change(state.players[0], hand=("dagger",), deck=(Pool(2, ("dagger", "diplomacy")),))
    other = change(state.players[1], hand=("dagger", "diplomacy"), deck=())
    return with_player(with_player(state, own), other)


def with_fields(state: State, seat: int, **fields: Any) -> State:
    return with_player(state, change(state.players[seat], **fields))


@pytest.mark.parametrize(
    ("seat", "fields", "expected"),
    [
        (0, {"hand": (), "in_play": ("dagger",)}, False),
        (0, {"spice": 3}, False),
        (0, {"deck": (Known("dagger", (0,)), Pool(1, ("diplomacy",)))}, True),
        (0, {"deck": (Known("dagger", (1,)), Pool(1, ("diplomacy",)))}, False),
        (0, {"deck": (Pool(1, ("diplomacy",)),), "hand": ("dagger", "dagger")}, True),
        (1, {"hand": ("diplomacy",), "discard": ("dagger",)}, True),
        (1, {"deck": (Pool(1, ("dagger",)),)}, False),
    ],
)
def test_a_card_is_revealed_where_fewer_are_hidden(
    seat: int, fields: dict[str, Any], expected: bool
) -> None:
    before = a_position()
    assert revealed(before, with_fields(before, seat, **fields), 0) is expected


def test_what_can_be_taken_back_told_nothing_that_was_hidden() -> None:
    """With other hidden cards, the view after what can be taken back would be the same."""
    compared = 0
    for seed in range(2):
        state: Any = new_game("uprising", NAMES, Rulings())
        play = RandomPlay(seed)
        for number in range(800):
            if not state.pending:
                break
            given = play.pick(IMPERIUM, state)
            after = after_step(state, given)
            if number % 5 == 0 and isinstance(given, Action) and undoable(state, after, given):
                shown = encoded(views.view(after, given.by))
                for other in dealt_otherwise(IMPERIUM, state, given.by):
                    assert encoded(views.view(after_step(other, given), given.by)) == shown
                    compared += 1
            state = after
    assert compared > 100


def undoable(before: State, after: State, given: Action) -> bool:
    return not asked(IMPERIUM, after).chance and not revealed(before, after, given.by)


def after_step(state: Any, given: Any) -> Any:
    done = step(IMPERIUM, state, given)
    assert isinstance(done, Step)
    return done.state


def test_the_hands_of_others_are_not_told_by_an_undo(table: Table) -> None:
    _, turn = two_in_a_row(table)
    view = json.loads(table.undo(turn.seat, turn.before).view)
    for player in view["players"]:
        assert isinstance(player["hand"], list) == (player["seat"] == turn.seat)
