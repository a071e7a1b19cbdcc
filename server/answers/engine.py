"""Answers of the engine: positions and inputs come and go as JSON, nothing is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game as set_up
from rules_engine.imperium.state import State
from rules_engine.kernel import game, outcomes, views
from rules_engine.kernel.decks import Pool
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.fingerprint import encoded
from rules_engine.rulebook.rulings import chosen
from server.answers.limits import check_input, check_position
from server.answers.messages import rule_refs
from truthsayer.v1 import engine_pb2

PRODUCTS = ("uprising",)
PLAYERS = (3, 4)
LONGEST_NAME = 100


def new_game(request: engine_pb2.NewGameRequest) -> engine_pb2.NewGameResponse:
    """Set a game up; chance has to deal next."""
    _check_product(request.product)
    _check_players(request.players)
    state = set_up(request.product, tuple(request.players), chosen(dict(request.rulings)))
    return engine_pb2.NewGameResponse(position=_json(state), asked=_asked(state))


def step(request: engine_pb2.StepRequest) -> engine_pb2.StepResponse:
    """Take one input and go on until someone has to answer."""
    state = _position(request.position)
    check_input(request.input)
    given = _decoded("input", request.input, IMPERIUM.input_type)
    with _playable():
        return _outcome(game.step(IMPERIUM, state, given))


def _outcome(done: outcomes.Step[State] | outcomes.Refusal) -> engine_pb2.StepResponse:
    if isinstance(done, outcomes.Refusal):
        refused = engine_pb2.Refused(reasons=map(_reason, done.reasons))
        return engine_pb2.StepResponse(refused=refused)
    accepted = engine_pb2.Accepted(
        position=_json(done.state),
        events=map(_event, done.events),
        asked=_asked(done.state),
    )
    return engine_pb2.StepResponse(accepted=accepted)


def actions(request: engine_pb2.ActionsRequest) -> engine_pb2.ActionsResponse:
    """Every input that is allowed now."""
    state = _position(request.position)
    with _playable():
        allowed = game.actions(IMPERIUM, state)
    return engine_pb2.ActionsResponse(inputs=map(_json, allowed))


def view(request: engine_pb2.ViewRequest) -> engine_pb2.ViewResponse:
    """The position as one player may see it."""
    state = _position(request.position)
    if not 0 <= request.seat < len(state.players):
        raise TruthsayerError(
            "TS0807",
            f"no seat `{request.seat}`",
            help=f"seats count from 0 to {len(state.players) - 1}",
        )
    return engine_pb2.ViewResponse(view=_json(views.view(state, request.seat)))


def _check_product(product: str) -> None:
    if product not in PRODUCTS:
        raise TruthsayerError(
            "TS0806", f"no product `{product}`", help="known: " + ", ".join(PRODUCTS)
        )


def _check_players(names: Iterable[str]) -> None:
    given = list(names)
    if len(given) not in PLAYERS:
        counts = " or ".join(map(str, PLAYERS))
        raise TruthsayerError(
            "TS0808", f"a game of {len(given)} players", help=f"name {counts} players"
        )
    for name in given:
        if not name.strip() or len(name) > LONGEST_NAME or given.count(name) > 1:
            raise TruthsayerError(
                "TS0808",
                f"`{name[:LONGEST_NAME]}` cannot be a player's name here",
                help="give each player a short name of their own",
            )


def _position(text: str) -> State:
    """A position that the engine can play: well formed, and broken in nothing we can tell."""
    check_position(text)
    state: State = _decoded("position", text, State)
    _check_product(state.config.product)
    chosen(dict(state.config.rulings.chosen))
    seats = tuple(each.seat for each in state.players)
    if len(seats) != state.config.players or seats != tuple(range(len(seats))):
        raise _impossible("its players do not sit at seats counted from 0", ())
    _check_players(each.name for each in state.players)
    _check_decks(state)
    with _playable():
        for invariant in IMPERIUM.invariants:
            for broken in invariant.broken(state):
                raise _impossible(broken, invariant.rules)
    return state


@contextmanager
def _playable() -> Iterator[None]:
    """The engine checks no names, and a caller's position can have some that no game has.

    So what it trips over in such a position is bad input.
    """
    try:
        yield
    except (LookupError, AttributeError, TypeError, ValueError) as error:
        raise _impossible(f"the engine cannot play it ({error})", ()) from error


def _check_decks(state: State) -> None:
    """A pool has the cards it counts. A view lists them, so the count must not be just a number."""
    own = (each.deck for each in state.players)
    for deck in (state.conflict_deck, state.imperium_deck, state.intrigue_deck, *own):
        for part in deck:
            if isinstance(part, Pool) and not 0 <= part.count <= len(part.cards):
                raise _impossible(f"{part.count} cards of a pool of {len(part.cards)}", ())


def _impossible(why: str, rules: tuple[str, ...]) -> TruthsayerError:
    return TruthsayerError(
        "TS0805",
        f"no game has this position: {why}",
        help="send a position as NewGame and Step give it",
        rules=rules,
    )


def _decoded(what: str, text: str, kind: Any) -> Any:
    """A record read from JSON; what is wrong is said with its path."""
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise TruthsayerError(
            "TS0804",
            f"the {what} cannot be read: {error}",
            help=f"send {what}s as the engine gives them",
        ) from error


def _json(record: Any) -> str:
    return encoded(record).decode()


def _asked(state: State) -> engine_pb2.Asked:
    who = game.asked(IMPERIUM, state)
    return engine_pb2.Asked(seats=who.players, chance=who.chance)


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
