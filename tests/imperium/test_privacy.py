"""What a player is shown depends only on what that player may know: six planted leaks are caught.

The laws of the kernel watch views, events, offers, refusals and pending frames. What the service
says is watched here: it is asked about two positions that a player cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.actions import EndTurn, Reveal, Trash
from rules_engine.imperium.game import FRAMES, IMPERIUM
from rules_engine.imperium.state import State, player
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.fingerprint import encoded, fingerprint
from rules_engine.kernel.game import Frame, FrameRules, Game, asked, push
from rules_engine.kernel.hidden import dealt_otherwise
from rules_engine.kernel.laws import Violation, check_laws
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.kernel.views import view
from rules_engine.rulebook.index import rules
from server.answers import engine
from server.answers.messages import problem
from tests.imperium.positions import at, bare, by_frame, giving, in_turn
from truthsayer.v1 import engine_pb2

KNOWN = frozenset(rule.id for rule in rules())
RULE = ("UPR-ROUND-001",)
KIND: type[Frame] = frames.Turn
HELD = ("dagger", "reconnaissance")
TURN = at(in_turn(giving(giving(bare(), 0, hand=HELD), 1, hand=HELD), 0), frames.Turn(0))


# What the service says


def answers(state: State, seat: Seat) -> Iterator[str]:
    """What the service tells a player: the view, why something is not allowed, every error."""
    position = encoded(state).decode()
    for given in inputs(seat):
        yield said(engine.step, engine_pb2.StepRequest(position=position, input=given))
    yield said(engine.view, engine_pb2.ViewRequest(position=position, seat=seat))
    yield said(engine.view, engine_pb2.ViewRequest(position=position, seat=len(state.players)))


def inputs(seat: Seat) -> Iterator[str]:
    """Inputs of a player that are not allowed in most positions, or are none at all."""
    for given in (
        EndTurn(seat),
        Trash(seat, "dagger", "hand"),
        Trash(seat, "no such card", "hand"),
    ):
        yield encoded(given).decode()
    yield from ("{", '{"action": "trash"}', '{"action": "no such action", "by": 0}')


def said(method: Callable[[Any], Any], request: Any) -> str:
    """The answer of a method if it is for players, which a whole position is not, or its error."""
    try:
        answer = method(request)
    except TruthsayerError as error:
        return str(problem(error))
    accepted = isinstance(answer, engine_pb2.StepResponse) and answer.HasField("accepted")
    return "accepted" if accepted else str(answer)


def service_leaks(states: Iterable[State]) -> list[str]:
    """Where the service tells players what is hidden from them, or shows a fingerprint."""
    found = []
    for state in states:
        for seat in asked(IMPERIUM, state).players:
            told = list(answers(state, seat))
            for other in dealt_otherwise(IMPERIUM, state, seat):
                found += [
                    one for one, two in zip(told, answers(other, seat), strict=True) if one != two
                ]
            found += [each for each in told if fingerprint(state) in each]
    return found


@pytest.mark.parametrize("players", [3, 4])
def test_the_service_tells_no_player_what_is_hidden(players: int) -> None:
    states = [state for kept in by_frame(players).values() for state in kept]
    assert service_leaks([*states, TURN]) == []


# Six planted leaks


def hand(state: State) -> str:
    """The secret: what another player holds."""
    return ", ".join(player(state, 1).hand)


def turn_with(**changed: Any) -> Game:
    """The game with the choice of a turn treated differently."""
    changed_turn = replace(IMPERIUM.frames[KIND], **changed)
    return replace(IMPERIUM, frames={**IMPERIUM.frames, KIND: changed_turn})


def in_an_event() -> Game:
    """Whatever is done, an event tells of the hand."""
    true = IMPERIUM.frames[frames.Turn].apply

    def apply(state: State, frame: Frame, given: Any) -> Step[State]:
        done = true(state, frame, given)
        return change(done, events=(*done.events, Event("told", RULE, 0, {"cards": hand(state)})))

    return turn_with(apply=apply)


def in_a_refusal() -> Game:
    """A refusal tells of the hand."""
    true = IMPERIUM.frames[frames.Turn].legal

    def legal(state: State, frame: Frame, given: Any) -> Refusal | None:
        if true(state, frame, given) is None:
            return None
        return Refusal((Reason("no", RULE, {"cards": hand(state)}),))

    return turn_with(legal=legal)


def in_the_actions() -> Game:
    """A player is offered, and may do, what the hand of another has."""
    true = IMPERIUM.frames[frames.Turn]

    def options(state: State, frame: Frame) -> tuple[Any, ...]:
        offered = (Trash(0, card, "hand") for card in dict.fromkeys(player(state, 1).hand))
        return (*true.options(state, frame), *offered)

    def legal(state: State, frame: Frame, given: Any) -> Refusal | None:
        return None if given in options(state, frame) else true.legal(state, frame, given)

    def apply(state: State, frame: Frame, given: Any) -> Step[State]:
        done = Step(push(state, frame)) if isinstance(given, Trash) else None
        return done or true.apply(state, frame, given)

    return turn_with(options=options, legal=legal, apply=apply)


def in_a_pending_frame() -> Game:
    """What is pending next names a card of the hand."""
    true = IMPERIUM.frames[frames.Turn].apply

    def apply(state: State, frame: Frame, given: Any) -> Step[State]:
        done = true(state, frame, given)
        item = frames.Item(tree.RemoveShieldWall(), hand(state))
        return change(done, state=push(done.state, frames.Decide(0, item)))

    return turn_with(apply=apply)


def caught(found: list[Violation]) -> set[str]:
    """The laws that do not hold."""
    return {violation.law for violation in found}


def broken(game: Game) -> set[str]:
    """The laws that do not hold in the position with the secret."""
    return caught(check_laws(game, [TURN], KNOWN.__contains__))


def test_without_a_leak_every_law_holds() -> None:
    assert broken(IMPERIUM) == set()


@pytest.mark.parametrize(
    ("leak", "law"),
    [
        (in_an_event, "steps_hide_secrets"),
        (in_a_refusal, "refusals_hide_secrets"),
        (in_the_actions, "actions_hide_secrets"),
        (in_a_pending_frame, "steps_hide_secrets"),
    ],
)
def test_a_hand_card_is_caught(leak: Callable[[], Game], law: str) -> None:
    assert law in broken(leak())


def failing(error: type[Exception], *arguments: str) -> FrameRules:
    """The choice of a turn treated by an engine that fails with words about the hand."""

    def legal(state: State, *_: object) -> Refusal | None:
        raise error(*arguments, f"no use for {hand(state)}")

    return replace(FRAMES[KIND], legal=legal)


def test_a_hand_card_in_an_error_of_the_service_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert service_leaks([TURN]) == []
    monkeypatch.setitem(FRAMES, KIND, failing(TruthsayerError, "TS0805"))
    found = service_leaks([TURN])
    assert found
    assert all("TS0805" in each for each in found)


def test_what_the_engine_fails_with_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FRAMES, KIND, failing(ValueError))
    assert any("TS0805" in each for each in answers(TURN, 0))
    assert service_leaks([TURN]) == []


def test_a_fingerprint_in_a_view_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(state: State, viewer: Seat | None) -> Any:
        return {**view(state, viewer), "position": fingerprint(state)}

    found = check_laws(IMPERIUM, [TURN], KNOWN.__contains__, view=leaky)
    assert "no_fingerprint_is_shown" in caught(found)
    monkeypatch.setattr("rules_engine.kernel.views.view", leaky)
    assert any(fingerprint(TURN) in each for each in service_leaks([TURN]))


def test_the_view_of_the_service_is_that_of_the_player() -> None:
    request = engine_pb2.ViewRequest(position=encoded(TURN).decode(), seat=1)
    assert engine.view(request).view == encoded(view(TURN, 1)).decode()


def test_a_reveal_shows_the_hand_and_is_no_leak() -> None:
    """The law lets a game show what it turns over for everybody."""
    done = IMPERIUM.frames[frames.Turn].apply(change(TURN, pending=()), frames.Turn(0), Reveal(0))
    assert player(done.state, 0).hand == ()
    assert broken(IMPERIUM) == set()
