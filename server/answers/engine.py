"""Answers of the engine: positions and inputs come and go as JSON, nothing is kept."""

from __future__ import annotations

from typing import Any

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game as set_up
from rules_engine.imperium.state import State
from rules_engine.kernel import game, outcomes, views
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.fingerprint import encoded
from rules_engine.rulebook.rulings import chosen
from server.answers.limits import check_input
from server.answers.messages import rule_refs
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
    return engine_pb2.NewGameResponse(position=as_json(state), asked=asked_message(state))


def step(request: engine_pb2.StepRequest) -> engine_pb2.StepResponse:
    """Take one input and go on until someone has to answer."""
    state = read_position(request.position)
    check_input(request.input)
    given = decoded("input", request.input, IMPERIUM.input_type)
    with playable():
        return _outcome(game.step(IMPERIUM, state, given))


def _outcome(done: outcomes.Step[State] | outcomes.Refusal) -> engine_pb2.StepResponse:
    if isinstance(done, outcomes.Refusal):
        return engine_pb2.StepResponse(refused=refused_message(done))
    accepted = engine_pb2.Accepted(
        position=as_json(done.state),
        events=map(event_message, done.events),
        asked=asked_message(done.state),
    )
    return engine_pb2.StepResponse(accepted=accepted)


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


def asked_message(state: State) -> engine_pb2.Asked:
    """Who has to answer in a position."""
    who = game.asked(IMPERIUM, state)
    return engine_pb2.Asked(seats=who.players, chance=who.chance)


def event_message(event: outcomes.Event) -> engine_pb2.Event:
    """Something that happened; for a player, give the event as that player may see it."""
    return engine_pb2.Event(
        key=event.key,
        rules=rule_refs(event.rules),
        player=event.player,
        facts=as_json(event.facts),
        secret=event.secret,
    )


def refused_message(refusal: outcomes.Refusal) -> engine_pb2.Refused:
    """Why an input is not allowed."""
    return engine_pb2.Refused(reasons=map(_reason, refusal.reasons))


def _reason(reason: outcomes.Reason) -> engine_pb2.Reason:
    return engine_pb2.Reason(
        key=reason.key, rules=rule_refs(reason.rules), facts=as_json(reason.facts)
    )
