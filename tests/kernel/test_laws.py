"""The universal laws hold on Dune: Imperium, and each of them fails on a planted fault."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.actions import Deploy, PlayAgent
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State, player
from rules_engine.kernel import laws
from rules_engine.kernel.decks import Known
from rules_engine.kernel.fingerprint import fingerprint
from rules_engine.kernel.game import Amount, Frame, FrameRules, Game, asks, push
from rules_engine.kernel.hidden import scrambled
from rules_engine.kernel.laws import check_laws, check_step
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.kernel.views import view, view_event
from rules_engine.rulebook.index import rules
from tests.imperium.positions import at, bare, by_frame, giving, in_turn

KNOWN = frozenset(rule.id for rule in rules())


@pytest.mark.parametrize("players", [3, 4])
def test_there_is_a_position_of_every_kind_of_frame(players: int) -> None:
    assert set(by_frame(players)) == set(IMPERIUM.frames)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("kind", IMPERIUM.frames, ids=lambda kind: kind.__name__)
def test_every_law_holds_on(kind: type[Frame], players: int) -> None:
    assert check_laws(IMPERIUM, by_frame(players)[kind], KNOWN.__contains__) == []


def test_every_law_holds_when_the_game_is_over() -> None:
    assert check_laws(IMPERIUM, [bare()], KNOWN.__contains__) == []


# Planted faults


TURN = at(in_turn(giving(bare(), 0, hand=("dagger", "reconnaissance")), 0), frames.Turn(0))
REST = at(in_turn(bare(), 0, combat=True), frames.AgentTurn(0, ()))
DRAW = at(bare(), frames.DrawFromDeck(0, 1))
HELD = ("dagger", "dagger")
HIDDEN = giving(TURN, 1, hand=HELD)
RULE = ("UPR-ROUND-001",)
KNOWN_TOP = at(giving(bare(), 1, deck=(Known("dagger", (1,)),)), frames.Turn(0))


def _with(kind: type[Frame], **changed: Any) -> Game:
    """The game with one kind of frame treated differently."""
    table = {**IMPERIUM.frames, kind: replace(IMPERIUM.frames[kind], **changed)}
    return replace(IMPERIUM, frames=table)


def _rules(kind: type[Frame]) -> FrameRules:
    return IMPERIUM.frames[kind]


def _apply(kind: type[Frame], fault: Callable[[Step[Any]], Step[Any]]) -> Game:
    """The game in which something goes wrong after a kind of frame was answered."""
    true = _rules(kind).apply
    return _with(kind, apply=lambda state, frame, given: fault(true(state, frame, given)))


def _events(kind: type[Frame], **changed: Any) -> Game:
    """The game in which the events of a kind of frame are made wrongly."""
    return _apply(
        kind,
        lambda done: change(done, events=tuple(change(event, **changed) for event in done.events)),
    )


def _hand(state: State, seat: Seat) -> tuple[str, ...]:
    return player(state, seat).hand


def _naming_a_hand(state: State) -> State:
    item = frames.Item(tree.RemoveShieldWall(), _hand(state, 1)[0])
    return push(state, frames.Decide(0, item))


def _changing(state: State, *_: object) -> Refusal:
    msgspec.structs.force_setattr(state, "round", state.round + 1)
    return Refusal((Reason("changed", ("UPR-ROUND-001",)),))


def _endless() -> Game:
    item = frames.Run(0, frames.Item(tree.PlaceSpy(), "x"))
    table = dict(IMPERIUM.frames)
    for kind in (frames.Turn, frames.Run):
        table[kind] = replace(table[kind], apply=lambda state, *_: Step(push(state, item)))
    return replace(IMPERIUM, frames=table)


def _flipping() -> Game:
    flips = itertools.count()
    return _apply(
        frames.Turn, lambda done: change(done, state=change(done.state, round=next(flips)))
    )


def _flipping_events() -> Game:
    flips = itertools.count()
    return _apply(
        frames.Turn,
        lambda done: change(
            done, events=(Event("flips", ("UPR-ROUND-001",), None, {"n": next(flips)}),)
        ),
    )


def _one_more_troop() -> Game:
    def fault(done: Step[State]) -> Step[State]:
        garrison = player(done.state, 0).garrison + 1
        return change(done, state=giving(done.state, 0, garrison=garrison))

    return _apply(frames.Turn, fault)


def _one_option_fewer() -> Game:
    true = _rules(frames.Turn).options
    return _with(frames.Turn, options=lambda state, frame: tuple(true(state, frame))[:-1])


def _dagger_at_any_time() -> Game:
    """The game in which one card can be played for an Agent in the middle of a turn."""
    true = _rules(frames.AgentTurn).legal

    def fault(state: State, frame: Frame, given: Any) -> Refusal | None:
        if isinstance(given, PlayAgent) and given.card == "dagger":
            return None
        return true(state, frame, given)

    return _with(frames.AgentTurn, legal=fault)


FAULTS: dict[str, tuple[str, Game, State]] = {
    "everything is allowed": (
        "legal_and_options_agree",
        _with(frames.Turn, legal=lambda *_: None),
        TURN,
    ),
    "too little is allowed": (
        "legal_and_options_agree",
        _with(frames.Turn, legal=lambda *_: Refusal((Reason("no", ("UPR-ROUND-001",)),))),
        TURN,
    ),
    "an option is forgotten": ("legal_and_options_agree", _one_option_fewer(), TURN),
    "one of very many is allowed": ("legal_and_options_agree", _dagger_at_any_time(), REST),
    "an amount is one too high": (
        "legal_and_options_agree",
        _with(
            frames.AgentTurn,
            options=lambda *_: (Amount(Deploy, 0, 1, 3),),
        ),
        REST,
    ),
    "a card is drawn that is not there": (
        "legal_and_options_agree",
        _with(frames.DrawFromDeck, legal=lambda *_: None),
        DRAW,
    ),
    "a face is never drawn": (
        "chance_is_weighed",
        _with(frames.DrawFromDeck, weights=lambda *_: {"dagger": 2}),
        DRAW,
    ),
    "a refusal without a reason": (
        "refusals_say_why",
        _with(frames.Turn, legal=lambda *_: Refusal(())),
        TURN,
    ),
    "a reason without a rule": (
        "refusals_say_why",
        _with(frames.Turn, legal=lambda *_: Refusal((Reason("no", ()),))),
        TURN,
    ),
    "a reason with an unknown rule": (
        "refusals_say_why",
        _with(frames.Turn, legal=lambda *_: Refusal((Reason("no", ("UPR-NONE-001",)),))),
        TURN,
    ),
    "a refusal that changes something": (
        "refusals_say_why",
        _with(frames.Turn, legal=_changing),
        change(TURN, round=7),
    ),
    "a list where a tuple belongs": (
        "encoding_is_lossless",
        IMPERIUM,
        change(TURN, reveal_order=[0, 1]),
    ),
    "a fraction of a thing": ("encoding_is_lossless", IMPERIUM, giving(TURN, 0, spice=1.0)),
    "a step without end": ("steps_come_to_rest", _endless(), TURN),
    "another position each time": ("steps_are_deterministic", _flipping(), TURN),
    "other events each time": ("steps_are_deterministic", _flipping_events(), TURN),
    "an event without a rule": ("events_cite_rules", _events(frames.Turn, rules=()), TURN),
    "an event with an unknown rule": (
        "events_cite_rules",
        _events(frames.Turn, rules=("UPR-NONE-001",)),
        TURN,
    ),
    "a troop from nowhere": ("invariants_hold", _one_more_troop(), TURN),
    "thirteen troops": ("invariants_hold", IMPERIUM, giving(TURN, 2, garrison=4)),
    "an unsorted hand": (
        "zones_are_sorted",
        IMPERIUM,
        giving(TURN, 0, hand=("reconnaissance", "dagger")),
    ),
    "a card drawn for all to see": (
        "events_hide_secrets",
        _events(frames.DrawFromDeck, secret=()),
        DRAW,
    ),
    "a certain hand decides who is asked": (
        "actions_hide_secrets",
        _with(frames.Turn, asks=lambda state, _: asks(int(_hand(state, 1) == HELD))),
        HIDDEN,
    ),
    "a refusal that tells whether another has a card": (
        "refusals_hide_secrets",
        _with(
            frames.Turn,
            legal=lambda state, *_: Refusal((Reason(f"no_{len(set(_hand(state, 1)))}", RULE),)),
        ),
        HIDDEN,
    ),
    "what comes next tells of a hand": (
        "steps_hide_secrets",
        _apply(frames.Turn, lambda done: change(done, state=_naming_a_hand(done.state))),
        HIDDEN,
    ),
}


LEAKS: dict[str, tuple[str, State, Callable[[State, Seat], Any]]] = {
    "hands": ("views_hide_secrets", TURN, lambda state, _: [each.hand for each in state.players]),
    "a pool": ("views_hide_secrets", TURN, lambda state, _: state.intrigue_deck),
    "parts of a deck": (
        "views_hide_secrets",
        TURN,
        lambda state, _: [len(each.deck) for each in state.players],
    ),
    "who knows a card": (
        "views_hide_secrets",
        KNOWN_TOP,
        lambda state, _: str(state.players[1].deck),
    ),
    "the fingerprint": ("no_fingerprint_is_shown", TURN, lambda state, _: fingerprint(state)),
}


def test_every_law_has_a_planted_fault() -> None:
    every = {
        name
        for name, law in inspect.getmembers(laws, inspect.isfunction)
        if law.__module__ == laws.__name__ and not name.startswith("_")
    }
    planted = {law for law, _, _ in FAULTS.values()} | {law for law, _, _ in LEAKS.values()}
    assert planted == every - {"check_laws", "check_step"}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault: str) -> None:
    law, game, state = FAULTS[fault]
    found = check_laws(game, [state], KNOWN.__contains__)
    assert law in {violation.law for violation in found}


@pytest.mark.parametrize("kind", LEAKS)
def test_a_planted_leak_is_caught(kind: str) -> None:
    law, state, leak = LEAKS[kind]

    def leaky(position: State, seat: Seat) -> Any:
        return {**view(position, seat), "leak": leak(position, seat)}

    def caught(view: Any) -> set[str]:
        violations = check_laws(IMPERIUM, [state], KNOWN.__contains__, view=view)
        return {violation.law for violation in violations}

    assert law not in caught(view)
    assert law in caught(leaky)


def test_a_fingerprint_in_an_event_is_caught() -> None:
    def fault(done: Step[State]) -> Step[State]:
        told = Event("told", ("UPR-ROUND-001",), None, {"position": fingerprint(done.state)})
        return change(done, events=(told,))

    found = check_laws(_apply(frames.Turn, fault), [TURN], KNOWN.__contains__)
    # It differs with what is hidden too, so another law sees it as well.
    caught = {violation.law for violation in found}
    assert caught == {"no_fingerprint_is_shown", "steps_hide_secrets"}


def test_a_leak_to_spectators_alone_is_caught() -> None:
    def leaky(position: State, viewer: Seat | None) -> Any:
        shown = view(position, viewer)
        return {**shown, "leak": position.intrigue_deck} if viewer is None else shown

    found = check_laws(IMPERIUM, [TURN], KNOWN.__contains__, view=leaky)
    assert {violation.law for violation in found} == {"views_hide_secrets"}
    assert all("a spectator" in violation.what for violation in found)


def test_a_step_is_checked_by_itself() -> None:
    event = Event("told", RULE, 0)
    assert check_step(IMPERIUM, Step(TURN, (event,)), KNOWN.__contains__) == []
    wrong = Step(giving(TURN, 2, garrison=4), (change(event, rules=()),))
    found = check_step(IMPERIUM, wrong, KNOWN.__contains__)
    assert {violation.law for violation in found} == {"invariants_hold", "events_cite_rules"}


def test_an_event_shown_whole_is_caught() -> None:
    def whole(event: Event, _: Seat | None) -> Event:
        return event

    assert check_laws(IMPERIUM, [DRAW], KNOWN.__contains__, view_event=view_event) == []
    found = check_laws(IMPERIUM, [DRAW], KNOWN.__contains__, view_event=whole)
    assert {violation.law for violation in found} == {"events_hide_secrets"}


def test_the_positions_of_the_planted_faults_break_no_law_themselves() -> None:
    positions = [TURN, REST, DRAW, HIDDEN]
    assert check_laws(IMPERIUM, positions, KNOWN.__contains__) == []


def test_the_scrambler_changes_what_is_hidden_and_nothing_else() -> None:
    state = giving(
        TURN, 1, hand=("dagger",), deck=(Known("diplomacy", (0,)), Known("dagger", (1,)))
    )
    seen = scrambled(state, 0)
    assert seen.players[0].hand == state.players[0].hand
    assert seen.players[1].hand != state.players[1].hand
    assert seen.players[1].deck[0] == Known("diplomacy", (0,))
    assert "dagger" not in str(seen.players[1].deck[1])
    assert seen.intrigue_deck != state.intrigue_deck
    assert seen.pending == (frames.Turn(0),)
    assert change(seen, players=(), intrigue_deck=(), imperium_deck=(), conflict_deck=()) == change(
        state, players=(), intrigue_deck=(), imperium_deck=(), conflict_deck=()
    )
