"""Inputs of the engine as JSON: nothing in them depends on how the engine lists things."""

from __future__ import annotations

from typing import Any

import msgspec

from rules_engine.effects.text import say
from rules_engine.imperium import actions, frames
from rules_engine.imperium.faces import intrigue_face
from rules_engine.imperium.state import State
from rules_engine.kernel.game import Action, Answer
from scenarios.imperium.doing import told_to
from scenarios.imperium.done.decisions import action_of
from scenarios.imperium.table import effects_in
from scenarios.language.syntax import Line, Words, has_word, phrases, token
from scenarios.language.values import amount
from scenarios.run import Run

Json = dict[str, Any]

CHANCE: dict[type, str] = {
    frames.DrawFromDeck: "draw",
    frames.DrawFromIntrigue: "draw_intrigue",
    frames.LookAtTop: "look",
    frames.Steal: "steal",
    frames.FillRow: "row",
    frames.FillContracts: "contract",
    frames.RevealConflict: "conflict",
    frames.DealObjectives: "objective",
}
"""What chance decides in each frame that asks it."""

SHUFFLES = {"shuffles": "shuffle", "intrigues_shuffled": "shuffle_intrigue"}
"""Lines that say that a discard pile becomes a deck now."""


def chance(state: State, answer: Answer) -> Json:
    """An answer of chance: what it decides, and for whom."""
    top: Any = state.pending[-1]
    found: Json = {"kind": CHANCE[type(top)]}
    if hasattr(top, "seat"):
        found["player"] = top.seat
    if isinstance(top, frames.Steal):
        found["victim"] = top.victim
    return {**found, "outcome": answer.outcome}


def decision(state: State, action: Action) -> Json:
    """A player's decision: an effect is told by its sentence, not by its place in a list."""
    top: Any = state.pending[-1]
    found: Json = msgspec.to_builtins(action)
    match action:
        case actions.Resolve(_, index):
            del found["index"]
            item = top.items[index]
            found |= {"effect": say(item.effect), "source": item.source, "copy": item.copy}
        case actions.Choose(_, option):
            del found["option"]
            found["effect"] = say(_option(top, option))
        case actions.PlayIntrigue():
            found |= _way(state, action)
        case actions.RecallSpy():
            found["gather"] = isinstance(top, frames.GatherIntelligence)
    return found


def _option(top: Any, number: int) -> Any:
    """An option that is offered: a space that offers several costs offers what they pay for."""
    option = top.options[number]
    return option.cost if isinstance(top, frames.PickCost) else option


def _way(state: State, action: actions.PlayIntrigue) -> Json:
    """The way in which an Intrigue card is played."""
    way = intrigue_face(state, action.card).ways[action.way]
    return {"timing": way.timing, "effects": [say(each) for each in (*way.effects, *way.lines)]}


def stated(run: Run, line: Line, seat: int, deed: Words) -> Json:
    """The decision that a `can` or `cannot` line is about, as the line says it.

    Whether an effect is due or an option is offered is what such a line asks, so it is not looked
    up in the position.
    """
    match deed.data:
        case "resolves" | "chooses":
            (effect,) = effects_in(line, token(deed, "STRING"))
            verb = {"resolves": "resolve", "chooses": "choose"}[str(deed.data)]
            told_of = {"action": verb, "by": seat, "effect": say(effect)}
            for source in phrases(deed, "source"):
                told_of["source"] = run.table.source(line, source)
            return told_of
        case "pays":
            paid = amount(line, phrases(deed)[0], run.environment)
            what = str(token(deed, "RESOURCE")).lower()
            return {"action": "pay", "by": seat, "amount": paid, "what": what}
        case "recalls":
            post = run.table.post(line, phrases(deed, "space", "post")[0])
            gather = has_word(deed, "gather")
            return {"action": "recall_spy", "by": seat, "post": post, "gather": gather}
    action = action_of(run, line, seat, deed)
    found: Json = msgspec.to_builtins(action)
    if isinstance(action, actions.PlayIntrigue):
        found |= _way(run.state, action)
    return found


def told(run: Run, line: Line, seat: int, deed: Words) -> Json:
    """An effect that tells a player to do something, from outside of any card."""
    pushed = told_to(run, line, seat, deed).pending[len(run.state.pending) :]
    return {"player": seat, "effects": [say(each.item.effect) for each in reversed(pushed)]}
