"""`when`: what players do and what chance brings, as inputs of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rules_engine.effects import tree
from rules_engine.effects.text import say
from rules_engine.effects.tree import Effect
from rules_engine.imperium.frames import Item
from rules_engine.imperium.frames import Run as RunEffect
from rules_engine.imperium.game import IMPERIUM
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.game import asked, push
from rules_engine.kernel.outcomes import Seat
from scenarios.cases import play_case
from scenarios.groups import (
    LARGEST_GROUP,
    NeedsChoice,
    OrderMatters,
    TooManyEffects,
    finish_group,
    group_items,
    is_group,
)
from scenarios.imperium.done import chance, phases
from scenarios.imperium.done.decisions import action_of, is_due, one_by_one, resolved_first
from scenarios.imperium.names import vocabulary
from scenarios.imperium.table import new_effects
from scenarios.language.errors import ScenarioError
from scenarios.language.several import line_about, line_of_others, of_several, players_of
from scenarios.language.syntax import Line, Words, phrases, token, tokens
from scenarios.language.values import amount

if TYPE_CHECKING:
    from scenarios.run import Run


MOST_DRAWN = 60
"""More cards than effects ever draw at once."""


def act(run: Run, line: Line, following: list[Line]) -> None:
    """Carry out one `when` line; draws that belong to it are taken from the lines that follow."""
    words = line.words
    if words.data == "case":
        play_case(run, line)
    elif words.data == "rolls":
        raise ScenarioError(
            "TS0403",
            "nothing is rolled in this game",
            place=line.place,
            help='leave the line out: chance deals cards here, like `Abby draws "Dagger"`',
        )
    elif words.data == "does":
        seat = run.table.seat(line, token(words, "NAME"))
        (deed,) = phrases(words)
        for part in one_by_one(run, line, deed):
            if part.data in SPECIAL:
                SPECIAL[str(part.data)](run, line, seat, part, following)
            else:
                run.give(line, action_of(run, line, seat, part))
    else:
        (event,) = phrases(words)
        EVENTS[str(event.data)](run, line, event)


def one_at_a_time(run: Run, line: Line) -> tuple[Line, list[Line]]:
    """A line about several players as one about who of them has to act now, and one of the rest."""
    named = players_of(line, run.scenario.players, frozenset())
    if named is None:
        return line, []
    due = [run.state.players[seat].name for seat in _acting(run)]
    first = next((name for name in named if name in due), named[0])
    others = [name for name in named if name is not first]
    one = line_about(line, first, line.keyword)
    return one, [line_of_others(line, others)] if others else []


@contextmanager
def told_of_several(run: Run, line: Line, acted: list[Line]) -> Iterator[None]:
    """Where only some of several players can do what a line says, its help names these alone."""
    try:
        yield
    except ScenarioError as error:
        able = [each.about for each in acted if each.written is line.written]
        if line.about and able and error.code in NOT_NOW:
            error.message = f"{line.about}: {error.message}"
            error.help = f"write `{of_several(line, able, vocabulary(run.scenario.product))}`"
        raise


NOT_NOW = ("TS0111", "TS0112")
"""Codes of what cannot be done now."""


def _acting(run: Run) -> tuple[Seat, ...]:
    """Who has to decide now, or to whom chance brings something."""
    if not run.state.pending:
        return ()
    top: Any = run.state.pending[-1]
    who = asked(IMPERIUM, run.state)
    return (top.seat,) if who.chance and hasattr(top, "seat") else who.players


def _resolve_all(run: Run, line: Line, seat: Seat, _: Words, following: list[Line]) -> None:
    """Resolve the whole group, with the draws stated on the lines that follow."""
    top: Any = run.state.pending[-1] if run.state.pending else None
    if top is None or not is_group(run.state) or top.seat != seat:
        name = run.state.players[seat].name
        raise run.not_due(line.place, f"{name} has no effects to resolve now")
    stated = list(_draws_stated(run, following, seat))
    draws = tuple(card for each in stated for card in each.cards)
    counted = any(each.every for each in stated)
    before = len(run.events)
    try:
        answers = draws + (ANY,) * (MOST_DRAWN if counted else 0)
        done = finish_group(run.state, answers, optional_asks=False)
    except NeedsChoice as met:
        raise _asks_for_more(run, line, seat, met, stated=bool(stated)) from None
    except TooManyEffects:
        raise ScenarioError(
            "TS0113",
            f"the group has more than {LARGEST_GROUP} effects",
            place=line.place,
            help=_in_order(run, seat, tuple(say(each.effect) for each in group_items(run.state))),
        ) from None
    except OrderMatters as found:
        raise ScenarioError(
            "TS0113",
            f"the order matters: `{', '.join(found.one)}` and `{', '.join(found.other)}` differ",
            place=line.place,
            help=_in_order(run, seat, found.one),
        ) from None
    del following[: len(stated)]
    run.take(done.state, done.events, done.inputs)
    run.settle()
    for card in draws[done.answers_used :]:
        if not counted or chance.is_drawing(run, seat):
            chance.draw(run, line, seat, card)
    if counted:
        chance.draw_rest(run, line, seat)
    chance.check_numbers(run, seat, stated, before)


def _asks_for_more(
    run: Run, line: Line, seat: Seat, met: NeedsChoice, *, stated: bool
) -> ScenarioError:
    """Draws are stated below `resolves all effects`, if they fit there in every order.

    Otherwise, and if it asks a player, an effect is resolved on its own.
    """
    asks_chance = asked(IMPERIUM, met.state).chance
    if asks_chance and not stated:
        message = "an effect of the group asks for a draw that is not stated"
        return run.unstated(line.place, message, met.state)
    own = f'{run.state.players[seat].name} resolves "{met.effect}"'
    open_then = run.allowed("state one of", met.state)
    return ScenarioError(
        "TS0111",
        f"`{met.effect}` asks for a {'draw' if asks_chance else 'decision'} of its own, "
        "so it is resolved on its own",
        place=line.place,
        help=f"add the line `{own}` above, and below that line {open_then}",
    )


def _draws_stated(run: Run, following: list[Line], seat: Seat) -> Iterator[chance.Stated]:
    """What the lines that follow say of the cards that this player draws."""
    for line in following:
        stated = chance.stated_draw(run, line, seat)
        if stated is None:
            return
        yield stated


def _in_order(run: Run, seat: Seat, effects: tuple[str, ...]) -> str:
    """The lines that resolve effects in an order."""
    name = run.state.players[seat].name
    lines = "; ".join(f'`{name} resolves "{effect}"`' for effect in effects)
    return f"state the order, a line for each: {lines}; or another"


def resolves_later(run: Run, to_come: list[Line]) -> bool:
    """Whether a line that comes later in the same turn resolves effects of the group on top."""
    top: Any = run.state.pending[-1]
    for line in to_come:
        deed = phrases(line.words)[-1] if phrases(line.words) else line.words
        if deed.data in phases.EVENTS:
            return False
        if line.words.data != "does":
            continue
        named = players_of(line, run.scenario.players, frozenset())
        if run.scenario.players[top.seat] not in (named or tokens(line.words, "NAME")):
            continue
        if deed.data in BEGINNINGS:
            return False
        if deed.data == "resolves_all" or (deed.data == "resolves" and is_due(run, line, deed)):
            return True
    return False


BEGINNINGS = ("plays_to", "reveals", "ends", "passes")
"""What begins or ends a turn, or a chance to play."""


def _told(run: Run, line: Line, seat: Seat, words: Words, _: list[Line]) -> None:
    """An effect tells the player to do something now."""
    run.take(told_to(run, line, seat, words), ())
    run.settle()


def told_to(run: Run, line: Line, seat: Seat, words: Words) -> Any:
    """The position in which an effect tells a player to do something now."""
    if words.data == "summons":
        effects: tuple[Effect, ...] = (
            tree.Summon(amount(line, phrases(words)[0], run.environment)),
        )
    else:
        effects = new_effects(line, token(words, "STRING"), run.table.names.printed)
    pending = tuple(RunEffect(seat, Item(effect, "scenario")) for effect in reversed(effects))
    return push(run.state, *pending)


def _choose(run: Run, line: Line, seat: Seat, words: Words, _: list[Line]) -> None:
    """Choosing an option of an effect that is due resolves that effect first."""
    first = resolved_first(run, line, seat, words)
    if first is not None:
        run.give(line, first)
    run.give(line, action_of(run, line, seat, words))


SPECIAL: dict[str, Callable[[Run, Line, Seat, Words, list[Line]], None]] = {
    **chance.SPECIAL,
    "resolves_all": _resolve_all,
    "resolves_effect": _told,
    "summons": _told,
    "chooses": _choose,
}
"""Phrases about a player that are more, or other, than one decision."""

EVENTS: dict[str, Callable[[Run, Line, Words], None]] = {**chance.EVENTS, **phases.EVENTS}
"""What happens by itself or by chance."""
