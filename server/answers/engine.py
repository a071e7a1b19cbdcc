"""Answers of the engine: positions and inputs come and go as JSON, nothing is kept."""

from __future__ import annotations

from typing import Any

from google.protobuf.internal.containers import RepeatedCompositeFieldContainer

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game as set_up
from rules_engine.imperium.state import State
from rules_engine.kernel import game, outcomes, views
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.fingerprint import encoded, fingerprint
from rules_engine.rulebook.rulings import chosen
from server.answers.limits import MOST_INPUTS, TooMuch, check_input
from server.answers.messages import add_rules, problem
from server.answers.positions import (
    check_names,
    check_product,
    decoded,
    playable,
    read_position,
)
from truthsayer.v1 import engine_pb2


def new_game(request: engine_pb2.NewGameRequest) -> engine_pb2.NewGameResponse:
    """Set a game up; chance has to deal next."""
    check_product(request.product)
    check_names(request.players)
    state = set_up(
        request.product,
        tuple(request.players),
        chosen(dict(request.rulings)),
        choam=request.choam,
        leaders=tuple(request.leaders) or None,
        promos=request.promos,
    )
    response = engine_pb2.NewGameResponse(position=as_json(state))
    _fill_asked(response.asked, state)
    return response


def step(request: engine_pb2.StepRequest) -> engine_pb2.StepResponse:
    """Take one input and go on until someone has to answer."""
    done = _taken(read_position(request.position), request.input)
    response = engine_pb2.StepResponse()
    if isinstance(done, outcomes.Refusal):
        _fill_refused(response.refused, done)
    else:
        response.accepted.position = as_json(done.state)
        _add_events(response.accepted.events, done.events)
        _fill_asked(response.accepted.asked, done.state)
    return response


def evaluate(request: engine_pb2.EvaluateRequest) -> engine_pb2.EvaluateResponse:
    """Take inputs in many positions, each by itself."""
    response = engine_pb2.EvaluateResponse()
    for case in request.cases:
        result = response.results.add()
        try:
            _fill_evaluated(result.evaluated, case, request.positions)
        except TruthsayerError as error:
            result.problem.CopyFrom(problem(error))
    return response


def _fill_evaluated(
    evaluated: engine_pb2.Evaluated, case: engine_pb2.EvaluateCase, positions: bool
) -> None:
    if len(case.inputs) > MOST_INPUTS:
        raise TooMuch(f"{len(case.inputs)} inputs are more than {MOST_INPUTS}", "try fewer")
    state = read_position(case.position)
    for text in case.inputs:
        done, found = _taken(state, text), evaluated.inputs.add()
        if isinstance(done, outcomes.Refusal):
            _fill_refused(found.refused, done)
        else:
            found.happened.SetInParent()
            _add_events(found.happened.events, done.events)
            state = done.state
    _fill_asked(evaluated.asked, state)
    if positions:
        evaluated.position = as_json(state)


def replay(request: engine_pb2.ReplayRequest) -> engine_pb2.ReplayResponse:
    """Play a game again until it leads elsewhere than it led."""
    state = read_position(request.position)
    reached: list[str] = []
    for number, each in enumerate(request.inputs, 1):
        done = _taken(state, each.input)
        if isinstance(done, outcomes.Refusal):
            response = engine_pb2.ReplayResponse(
                fingerprints=reached, differs_at=number, position=as_json(state)
            )
            _fill_refused(response.refused, done)
            return response
        state = done.state
        reached.append(fingerprint(state))
        if each.fingerprint and each.fingerprint != reached[-1]:
            return engine_pb2.ReplayResponse(
                fingerprints=reached, differs_at=number, position=as_json(state)
            )
    return engine_pb2.ReplayResponse(fingerprints=reached, position=as_json(state))


def _taken(state: State, text: str) -> outcomes.Step[State] | outcomes.Refusal:
    """What comes of an input, given as JSON."""
    check_input(text)
    given = decoded("input", text, IMPERIUM.input_type)
    with playable():
        return game.step(IMPERIUM, state, given)


def actions(request: engine_pb2.ActionsRequest) -> engine_pb2.ActionsResponse:
    """Every input that is allowed now."""
    state = read_position(request.position)
    with playable():
        allowed = game.actions(IMPERIUM, state)
    return engine_pb2.ActionsResponse(inputs=map(as_json, allowed))


def view(request: engine_pb2.ViewRequest) -> engine_pb2.ViewResponse:
    """The position as one player, or a spectator, may see it."""
    state = read_position(request.position)
    viewer = None if request.spectator else request.seat
    if viewer is not None and not 0 <= viewer < len(state.players):
        raise TruthsayerError(
            "TS0807",
            f"no seat `{viewer}`",
            help=f"seats count from 0 to {len(state.players) - 1}",
        )
    with playable():
        return engine_pb2.ViewResponse(view=as_json(views.view(state, viewer)))


def as_json(record: Any) -> str:
    """A record, or plain data, as callers get it."""
    return encoded(record).decode()


# Messages are filled where they are: to put one into another is to copy it


def asked_message(state: State) -> engine_pb2.Asked:
    """Who has to answer in a position."""
    asked = engine_pb2.Asked()
    _fill_asked(asked, state)
    return asked


def _fill_asked(asked: engine_pb2.Asked, state: State) -> None:
    who = game.asked(IMPERIUM, state)
    asked.seats.extend(who.players)
    asked.chance = who.chance


def _add_events(
    events: RepeatedCompositeFieldContainer[engine_pb2.Event], happened: tuple[outcomes.Event, ...]
) -> None:
    for each in happened:
        _fill_event(events.add(), each)


def event_message(event: outcomes.Event) -> engine_pb2.Event:
    """Something that happened; for a player, give the event as that player may see it."""
    message = engine_pb2.Event()
    _fill_event(message, event)
    return message


def _fill_event(message: engine_pb2.Event, event: outcomes.Event) -> None:
    message.key = event.key
    message.facts = as_json(event.facts)
    message.secret.extend(event.secret)
    if event.player is not None:
        message.player = event.player
    add_rules(message.rules, event.rules)


def refused_message(refusal: outcomes.Refusal) -> engine_pb2.Refused:
    """Why an input is not allowed."""
    refused = engine_pb2.Refused()
    _fill_refused(refused, refusal)
    return refused


def _fill_refused(refused: engine_pb2.Refused, refusal: outcomes.Refusal) -> None:
    for each in refusal.reasons:
        add_rules(refused.reasons.add(key=each.key, facts=as_json(each.facts)).rules, each.rules)
