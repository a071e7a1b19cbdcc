"""Can somebody do something: yes and on which condition, not yet and what comes first, or no."""

from __future__ import annotations

from typing import Any

from rules_engine.effects import tree
from rules_engine.effects.text import say
from rules_engine.imperium import actions, frames
from rules_engine.imperium.choices import due, optional
from rules_engine.imperium.combat import takes_part
from rules_engine.imperium.effects import rules_of as effect_rules
from rules_engine.imperium.faces import printed
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State, ThisTurn, clockwise, player
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import Action, asked, legal, options, step
from rules_engine.kernel.outcomes import Refusal, Seat
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite
from scenarios.asking.ahead import FREE, Path, look_ahead, something_first
from scenarios.asking.completing import Question, Tried, tried, tried_at, way_timing
from scenarios.asking.conditions import reasons, together
from scenarios.asking.permitting import permitting, why_only_these
from scenarios.asking.position import Asked, standing_at
from scenarios.asking.said import NO, NOT_YET, YES, Part, Said, listed, sentence
from scenarios.asking.sources import BONUS_AT_FOUR
from scenarios.groups import group_items, is_group
from scenarios.imperium.done.decisions import resolved_first
from scenarios.imperium.observing import Refused, refusal_of
from scenarios.language.syntax import Line, phrases, token
from scenarios.words import option_words

TOLD = ("summons", "resolves_effect")
"""Phrases that an effect tells a player to do: no decision, so nothing to complete."""

SHOWN = 3
"""How many ways an answer lists."""

COMBAT = ("combat", "won")
"""The timings of Intrigue cards that are played in Combat."""

COSTS_ARE_OPTIONAL = cite("UPR-COST-004")
TRASHING_IS_OPTIONAL = cite("UPR-ICON-013", "UPR-ICON-011")
GONE_OUT = cite("UPR-REVEAL-009")


def can(run: Asked, line: Line) -> Said:
    """Whether a player could do this now: by any completion of it, or after something else."""
    (deed,) = phrases(line.words)
    question = Question(run, line, run.table.seat(line, token(line.words, "NAME")), deed)
    if deed.data in TOLD or not run.state.pending:
        return _of_engine(refusal_of(run, line, question.seat, deed))
    if run.stopped is not None:
        raise run.stopped
    offered = resolved_first(run, line, question.seat, deed)
    if offered is not None:
        return _of_an_effect(question, offered)
    here = tried(question)
    if here.allowed:
        return _yes(here, question.seat)
    if question.seat not in asked(IMPERIUM, here.state).players:
        return _at_another_s_decision(question, here)
    if deed.data == "declines":
        return _declining(here)
    return _after_something(question, here)


def cannot(run: Asked, line: Line) -> Said:
    """Why a player could not do this now."""
    said = can(run, line)
    if said.verdict == YES:
        words = said.words.removeprefix("Yes").removeprefix(".").removeprefix(", ")
        return said._replace(words="Nothing stands against it" + (f" {words}" if words else "."))
    return said._replace(words=said.words.removeprefix("No. "))


def _of_engine(refused: Refused) -> Said:
    if not refused.reasons:
        return Said("Yes.", refused.rules, YES)
    return Said(f"No. {sentence(refused.words)}", refused.rules, NO)


# Yes and no


def _yes(found: Tried, seat: Seat) -> Said:
    """Yes, with the conditions under which it is; the rules are those that permit the action."""
    plain = [way for way in found.allowed if not way.condition]
    rules = permitting(found.state, seat, (plain or found.allowed)[0].action)
    if plain:
        return Said("Yes.", rules, YES)
    conditions = [way.condition for way in found.allowed]
    shared = "if " if all(each.startswith("if ") for each in conditions) else ""
    told = listed((each.removeprefix(shared) for each in conditions), "or")
    return Said(f"Yes, {shared}{told}.", rules, YES, tuple(conditions))


def _no(against: tuple[Part, ...]) -> Said:
    part = together(list(against))
    return Said(f"No. {sentence(part.words)}", part.rules, NO)


def _refused(question: Question, there: Tried) -> Said:
    """No, or not yet if nothing but a later phase is wanting."""
    if not _comes_later(there):
        return _no(there.against)
    part = there.against[0]
    assert isinstance(there.action, actions.PlayIntrigue)
    combat = way_timing(there.state, there.action) in COMBAT
    barred = combat and not takes_part(there.state, question.seat)
    also = ", by a player with a unit in the Conflict" if barred else ""
    return Said(f"Not yet: {part.words}{also}.", part.rules, NOT_YET, (part.words,))


def _comes_later(there: Tried) -> bool:
    """Whether an Intrigue card is refused for its moment alone, and that is still to come."""
    if "wrong_time" not in there.keys or not set(there.keys) <= {"wrong_time", "play_a_card_first"}:
        return False
    assert isinstance(there.action, actions.PlayIntrigue)
    timing = way_timing(there.state, there.action)
    turns = any(isinstance(frame, frames.PlayerTurns) for frame in there.state.pending)
    return timing == "endgame" or (turns and timing in COMBAT)


def _not_yet(question: Question, here: Tried, first: str, *, certain: bool) -> Said:
    """What comes first, by the rule that says so."""
    part = here.against[-1]
    then = "; after that, yes" if certain else ""
    words = f"Not yet: first {first}{then}. {sentence(part.words)}"
    rules = (*_why_first(question, here), *part.rules)
    return Said(words, tuple(dict.fromkeys(rules)), NOT_YET, (first,))


def _why_first(question: Question, here: Tried) -> tuple[str, ...]:
    """The rules by which a choice that was reached comes before an effect that waits."""
    if here.keys or isinstance(here.state.pending[-1], FREE) or is_group(here.state):
        return ()
    tracks = printed(here.state).tracks
    bonus = BONUS_AT_FOUR if question.run.source in tracks else ()
    return (*bonus, *why_only_these(here.state, question.seat))


# What comes first, and what may


def _declining(here: Tried) -> Said:
    """Where nothing is offered to be declined, an effect that need not be resolved is left."""
    top: Any = here.state.pending[-1]
    items = group_items(here.state) if is_group(here.state) else ()
    committed = getattr(top, "committed", False)
    left = [item.effect for item in items if optional(item.effect, committed)]
    if not left:
        return _no(here.against)
    told = listed(f'"{say(effect)}"' for effect in left)
    words = f"Yes, by leaving it: {told} need not be resolved."
    rules = tuple(dict.fromkeys(rule for effect in left for rule in _may_be_left(effect)))
    return Said(words, rules, YES, (told,))


def _may_be_left(effect: tree.Effect) -> tuple[str, ...]:
    """The rules by which an effect may be left: a cost nobody has to pay, or what it does."""
    parts = tuple(tree.walk(effect))
    if any(isinstance(part, tree.Arrow) for part in parts):
        return COSTS_ARE_OPTIONAL
    if any(isinstance(part, tree.TrashCard) for part in parts):
        return TRASHING_IS_OPTIONAL
    return effect_rules(next((each.effect for each in parts if isinstance(each, tree.May)), effect))


def _of_an_effect(question: Question, offered: Action) -> Said:
    """An option of an effect that is still due: the effect is resolved first."""
    state, seat = question.run.state, question.seat
    refused = legal(IMPERIUM, state, offered)
    if refused is not None:
        return _no(tuple(reasons(state, seat, offered, refused)))
    done = step(IMPERIUM, state, offered)
    assert not isinstance(done, Refusal)
    with standing_at(question.run, done.state):
        there = tried(question)
    if not there.allowed:
        return _no(there.against)
    first = option_words(state, offered)
    return _yes(there, seat)._replace(words=f"Yes, after `{first}`.", items=(first,))


def _after_something(question: Question, here: Tried) -> Said:
    """Not now: but after something that comes first, or that the player may do now?"""
    must = something_first(here)
    found = look_ahead(question, here.state, must)
    if not must:
        return _yes_after(question, found.paths) if found.paths else _refused(question, here)
    if "effects_are_due" in here.keys and is_group(here.state):
        return _not_yet(question, here, _due_first(here.state, question), certain=True)
    if found.paths:
        return _yes_later(question, here, found.paths[0])
    if found.after is not None and not found.unclear and not something_first(found.after):
        return _no(found.after.against)
    if "not_reveal_turn" in here.keys:
        return _after_revealing(question, here)
    return _not_yet(question, here, _choices(here.state), certain=False)


def _after_revealing(question: Question, here: Tried) -> Said:
    """What is done in the Reveal turn waits for it, whatever else the turn could begin with."""
    first = f"`{option_words(here.state, actions.Reveal(question.seat))}`"
    part = here.against[here.keys.index("not_reveal_turn")]
    return Said(f"Not yet: first {first}. {sentence(part.words)}", part.rules, NOT_YET, (first,))


def _yes_after(question: Question, paths: list[Path]) -> Said:
    """It is possible after what the player may do now."""
    ways = [", then ".join(f"`{each}`" for each in path.decisions) for path in paths[:SHOWN]]
    rules = _permitting_after(question, paths[0])
    return Said(f"Yes, after {listed(ways, 'or')}.", rules, YES, tuple(ways))


def _yes_later(question: Question, here: Tried, path: Path) -> Said:
    """It is possible after what has to be decided first.

    Where the player is free, nothing but what permits it says why it waits.
    """
    said = _not_yet(question, here, _first_then(here.state, path), certain=True)
    if not isinstance(here.state.pending[-1], FREE):
        return said
    permits = _permitting_after(question, path)
    return said._replace(rules=tuple(dict.fromkeys((*permits, *said.rules))))


def _permitting_after(question: Question, path: Path) -> tuple[str, ...]:
    """The rules that permit what was asked, after the decisions of a path."""
    found = tried_at(question, path.state)
    assert found is not None
    return permitting(path.state, question.seat, found.allowed[0].action)


def _first_then(state: State, path: Path) -> str:
    """The decision that is due, whichever way it goes, and what else has to follow."""
    first, *more = path.decisions
    due_now = f"`{first}`" if is_group(state) else _choices(state)
    return ", then ".join((due_now, *(f"`{each}`" for each in more)))


def _choices(state: State) -> str:
    """What is to be decided now; of a hand that is not known, only that."""
    try:
        found = options(IMPERIUM, state)[:SHOWN]
    except UnknownRead as unknown:
        return f"something else, and what it can be depends on {unknown.path}"
    return listed((f"`{option_words(state, each)}`" for each in found), "or")


def _due_first(state: State, question: Question) -> str:
    """The effects that have to be resolved before a group can be left."""
    items = due(state, question.seat, group_items(state))
    return f"{question.name} resolves " + listed(f'"{say(item.effect)}"' for item in items)


# When it is another's decision


def _at_another_s_decision(question: Question, here: Tried) -> Said:
    """Would it be allowed when the player's own chance comes?"""
    state, name = here.state, question.name
    own = _own_chance(state, question.seat)
    if own is None:
        return _no(_out_of_turns(question, here))
    there = tried_at(question, own)
    if there is not None and not there.allowed and not something_first(there):
        return _refused(question, there)
    then = f"{name}'s own {'turn' if own.turn is not None else 'chance'} comes"
    certain = "; after that, yes, as things stand" if there is not None and there.allowed else ""
    words = f"Not yet: it is {_who_decides(state)}; first {then}{certain}."
    return Said(words, here.against[0].rules, NOT_YET, (then,))


def _out_of_turns(question: Question, here: Tried) -> tuple[Part, ...]:
    """Why no chance comes any more: of several reasons, whose decision it is now tells least."""
    told = here.against[:-1] or here.against
    turns = any(isinstance(frame, frames.PlayerTurns) for frame in here.state.pending)
    if not turns or not player(here.state, question.seat).revealed or GONE_OUT[0] in told[0].rules:
        return told
    return (Part(f"{question.name} has taken the Reveal turn of this round", GONE_OUT),)


def _who_decides(state: State) -> str:
    """Whose decision it is now."""
    who = asked(IMPERIUM, state)
    if who.chance:
        return "for chance to answer first"
    names = listed((player(state, each).name for each in who.players), "or")
    return f"{names}'s decision now"


def _own_chance(state: State, seat: Seat) -> State | None:
    """The position in which the player is next to decide, if one comes, and all else is as now."""
    for at in range(len(state.pending) - 1, -1, -1):
        below = state.pending[:at]
        match state.pending[at]:
            case frames.PlayerTurns() if not player(state, seat).revealed:
                following = clockwise(state, seat)[1]
                pending = (*below, frames.PlayerTurns(following), frames.Turn(seat))
                return change(state, turn=ThisTurn(seat), pending=pending)
            case frames.CombatIntrigues() if takes_part(state, seat):
                return change(state, turn=None, pending=(*below, frames.CombatIntrigues(seat)))
            case frames.EndgameIntrigues(now) if _still_comes(state, now, seat):
                return change(state, turn=None, pending=(*below, frames.EndgameIntrigues(seat)))
            case frames.PlayerTurns() | frames.CombatIntrigues() | frames.EndgameIntrigues():
                return None
    return None


def _still_comes(state: State, now: Seat, seat: Seat) -> bool:
    """Whether a player comes after another one in the round of Endgame Intrigue cards."""
    order = clockwise(state, state.first_player)
    return order.index(seat) > order.index(now)
