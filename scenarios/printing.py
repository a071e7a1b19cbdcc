"""Prints a case as a scenario: a counterexample that people can read, run and keep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules_engine.effects.text import say
from rules_engine.imperium import frames
from rules_engine.imperium.faces import conflict_face, printed
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import starting_state
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.game import asked, handle
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings
from scenarios.format import format_text
from scenarios.words import card_name, option_words
from verifier.verdicts import Verdict

COUNTED = {
    "solari": "Solari",
    "spice": "spice",
    "water": "water",
    "persuasion": "persuasion",
    "victory_points": "victory points",
    "garrison": "troops in garrison",
    "troops": "troops in conflict",
    "sandworms": "sandworms in conflict",
    "swords": "swords",
}


def print_refutation(verdict: Verdict) -> str:
    """The counterexample of a refuted property, as a scenario that fails as the property does.

    The values make the position; the remarks say it in words.
    """
    assert verdict.case is not None
    case = verdict.case
    state: State = case.position
    values = ", ".join(f'"{each.name}" = {each.value}' for each in verdict.values)
    with_values = f" with {values}" if values else ""
    lines = [
        f'scenario "Refuted: {case.title}"',
        f"cites {', '.join(case.rules)}",
        f"game {state.config.product} with {', '.join(each.name for each in state.players)}",
        "",
        *(f"# {words}" for words in (*_position(state), *_steps(state, case.inputs))),
        f"# it does not hold that {case.claim}",
        f'when case "{verdict.params}" of {verdict.name} is played{with_values}',
        f"then property {verdict.name} holds",
    ]
    return format_text("counterexample", "\n".join(lines))


def print_turn(state: State, inputs: tuple[Any, ...], remark: str) -> str | None:
    """What is done from the start of a turn on, as a scenario that asks what comes next.

    Nothing if it is not the start of a turn. Whose turn it is has to be said as who is First
    Player, and decks are not said at all: whether the scenario plays, only checking it tells.
    """
    top = state.pending[-1] if state.pending else None
    if not isinstance(top, frames.Turn) or not inputs:
        return None
    row = [f"the row is {_cards(state, state.row)}"] if state.row else []
    deeds = _steps(state, inputs)[1:]
    lines = [
        'scenario "Found by play"',
        f"cites {', '.join(IMPERIUM.turn_rules)}",
        f"game {state.config.product} with {', '.join(each.name for each in state.players)}",
        *_heading(change(state, first_player=top.seat)),
        f"# {remark}",
        "given " + "\n  and ".join((*_givens(state), *row)),
        "when " + "\n and ".join(deeds),
        f"ask what can {state.players[top.seat].name} do",
    ]
    return "\n".join(lines) + "\n"


def _position(state: State) -> Iterator[str]:
    """The position in words."""
    yield from _heading(state)
    yield from _givens(state)


def _heading(state: State) -> Iterator[str]:
    for name, value in state.config.rulings.chosen:
        yield f"ruling {name} is {value}"
    yield f"first player {state.players[state.first_player].name}"
    if state.conflict is not None:
        yield f'conflict "{conflict_face(state, state.conflict).name}"'


# The position


def _givens(state: State) -> Iterator[str]:
    """What a position has that setup does not give, and every hand."""
    start = starting_state(
        state.config.product, tuple(each.name for each in state.players), Rulings()
    )
    faces = printed(state)
    for each, before in zip(state.players, start.players, strict=True):
        yield from _player(state, each, before)
    for spy in state.spies:
        yield f"{state.players[spy.seat].name} has a spy at {faces.posts[spy.post].name}"
    for at in state.agents:
        yield f"{state.players[at.seat].name} has an agent at {faces.spaces[at.space].name}"
    for control in state.controls:
        if control.holder is not None:
            name = faces.spaces[control.space].name
            yield f"{state.players[control.holder].name} controls {name}"
    for alliance in state.alliances:
        if alliance.holder is not None:
            name = faces.tracks[alliance.faction].name
            yield f"{state.players[alliance.holder].name} holds the {name} alliance"
    for maker in state.makers:
        if maker.bonus_spice:
            yield f"{faces.spaces[maker.space].name} has {maker.bonus_spice} bonus spice"
    yield "the shield wall stands" if state.shield_wall else "the shield wall is gone"
    strengths = ", ".join(
        f"{each.name} is {each.strength}" for each in state.players if each.strength
    )
    if strengths:
        yield f"strength of {strengths}"


def _player(state: State, each: Player, before: Player) -> Iterator[str]:
    name = each.name
    for field, words in COUNTED.items():
        if getattr(each, field) != getattr(before, field):
            yield f"{name} has {getattr(each, field)} {words}"
    for track in each.tracks:
        if track.influence:
            faction = printed(state).tracks[track.faction].name
            yield f"{name} has {track.influence} influence with the {faction}"
    if each.maker_hooks:
        yield f"{name} has maker hooks"
    if each.revealed:
        yield f"{name} has revealed"
    yield f"{name} has hand {_cards(state, each.hand)}"
    if each.intrigues:
        yield f"{name} has intrigue {_cards(state, each.intrigues)}"
    for field, zone in (("discard", "discard"), ("in_play", "play")):
        if getattr(each, field):
            yield f"{name} has {_cards(state, getattr(each, field))} in {zone}"
    for won in each.won:
        if won.card in printed(state).conflicts:
            yield f'{name} has {"won" if won.face_up else "matched"} "{card_name(state, won.card)}"'


def _cards(state: State, cards: tuple[str, ...]) -> str:
    return ", ".join(f'"{card_name(state, card)}"' for card in cards) or "nothing"


# What is done in it


def _steps(state: State, inputs: tuple[Any, ...]) -> list[str]:
    """What is pending, then every input in words."""
    lines = [_opening(state)]
    state = _settled(state)
    for given in inputs:
        lines.append(option_words(state, given))
        done = handle(IMPERIUM, state, given)
        if isinstance(done, Refusal):
            break
        state = _settled(done.state)
    return lines


def _opening(state: State) -> str:
    top = state.pending[-1]
    match top:
        case frames.ResolveCombat():
            return "combat resolves"
        case frames.Run(seat, item):
            return f'{state.players[seat].name} resolves the effect "{say(item.effect)}"'
        case _:
            return f"pending: {type(top).__name__}"


def _settled(state: State) -> State:
    while state.pending and asked(IMPERIUM, state).nobody():
        done = handle(IMPERIUM, state)
        assert not isinstance(done, Refusal)
        state = done.state
    return state
