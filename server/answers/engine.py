"""Answers of the engine: positions and inputs come and go as JSON, nothing is kept."""

from __future__ import annotations

from typing import Any

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game as set_up
from rules_engine.imperium.state import State
from rules_engine.kernel import game, outcomes, views
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.fingerprint import encoded, fingerprint
from rules_engine.rulebook.rulings import chosen
from server.answers.limits import MOST_INPUTS, TooMuch, check_input
from server.answers.messages import problem, rule_refs
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
    return engine_pb2.NewGameResponse(position=_json(state), asked=_asked(state))


def step(request: engine_pb2.StepRequest) -> engine_pb2.StepResponse:
    """Take one input and go on until someone has to answer."""
    done = _taken(read_position(request.position), request.input)
    if isinstance(done, outcomes.Refusal):
        return engine_pb2.StepResponse(refused=_refused(done))
    accepted = engine_pb2.Accepted(
        position=_json(done.state),
        events=map(_event, done.events),
        asked=_asked(done.state),
    )
    return engine_pb2.StepResponse(accepted=accepted)


def evaluate(request: engine_pb2.EvaluateRequest) -> engine_pb2.EvaluateResponse:
    """Take inputs in many positions, each by itself."""
    return engine_pb2.EvaluateResponse(
        results=[_result(each, positions=request.positions) for each in request.cases]
    )


def _result(case: engine_pb2.EvaluateCase, *, positions: bool) -> engine_pb2.EvaluateResult:
    try:
        return engine_pb2.EvaluateResult(evaluated=_evaluated(case, positions))
    except TruthsayerError as error:
        return engine_pb2.EvaluateResult(problem=problem(error))


def _evaluated(case: engine_pb2.EvaluateCase, positions: bool) -> engine_pb2.Evaluated:
    if len(case.inputs) > MOST_INPUTS:
        raise TooMuch(f"{len(case.inputs)} inputs are more than {MOST_INPUTS}", "try fewer")
    state, inputs = read_position(case.position), []
    for text in case.inputs:
        done = _taken(state, text)
        if isinstance(done, outcomes.Refusal):
            inputs.append(engine_pb2.EvaluatedInput(refused=_refused(done)))
        else:
            happened = engine_pb2.Happened(events=map(_event, done.events))
            inputs.append(engine_pb2.EvaluatedInput(happened=happened))
            state = done.state
    position = _json(state) if positions else ""
    return engine_pb2.Evaluated(inputs=inputs, asked=_asked(state), position=position)


def replay(request: engine_pb2.ReplayRequest) -> engine_pb2.ReplayResponse:
    """Play a game again until it leads elsewhere than it led."""
    state = read_position(request.position)
    reached: list[str] = []
    for number, each in enumerate(request.inputs, 1):
        done = _taken(state, each.input)
        if isinstance(done, outcomes.Refusal):
            return engine_pb2.ReplayResponse(
                fingerprints=reached,
                differs_at=number,
                refused=_refused(done),
                position=_json(state),
            )
        state = done.state
        reached.append(fingerprint(state))
        if each.fingerprint and each.fingerprint != reached[-1]:
            return engine_pb2.ReplayResponse(
                fingerprints=reached, differs_at=number, position=_json(state)
            )
    return engine_pb2.ReplayResponse(fingerprints=reached, position=_json(state))


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
    return engine_pb2.ActionsResponse(inputs=map(_json, allowed))


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
        return engine_pb2.ViewResponse(view=_json(views.view(state, viewer)))


def _json(record: Any) -> str:
    return encoded(record).decode()


def _asked(state: State) -> engine_pb2.Asked:
    who = game.asked(IMPERIUM, state)
    return engine_pb2.Asked(seats=who.players, chance=who.chance)


def _refused(refusal: outcomes.Refusal) -> engine_pb2.Refused:
    return engine_pb2.Refused(reasons=map(_reason, refusal.reasons))


def _event(event: outcomes.Event) -> engine_pb2.Event:
    return engine_pb2.Event(
        key=event.key,
        rules=rule_refs(event.rules),
        player=event.player,
        facts=_json(event.facts),
        secret=event.secret,
    )


def _reason(reason: outcomes.Reason) -> engine_pb2.Reason:
    return engine_pb2.Reason(
        key=reason.key, rules=rule_refs(reason.rules), facts=_json(reason.facts)
    )
