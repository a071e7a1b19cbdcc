"""The round as it is seen: turns, who has revealed, who is asked, and who wins the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from rules_engine.effects.text import say
from rules_engine.imperium import frames
from rules_engine.imperium.frames import Item
from rules_engine.imperium.game import IMPERIUM
from rules_engine.kernel.game import asked
from scenarios.imperium.seen.look import (
    Listed,
    Seen,
    check_each_once,
    has_one,
    list_in,
    player_name,
)
from scenarios.imperium.table import effects_in
from scenarios.language.syntax import Line, Words, token, tokens
from scenarios.language.values import holds_always
from scenarios.resting import GROUPS, effects_due, effects_offered

if TYPE_CHECKING:
    from scenarios.run import Run


def _see_round(run: Run, _: Line, words: Words) -> Seen:
    wanted = int(token(words, "NUMBER"))
    return Seen(run.state.round == wanted, f"round {wanted}", f"round {run.state.round}")


def _see_turn_of(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    turn = run.state.turn
    now = None if turn is None else turn.seat
    return Seen(now == seat, player_name(run, seat), player_name(run, now), seat)


def _see_is_first(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    first = run.state.first_player
    return Seen(first == seat, player_name(run, seat), player_name(run, first), seat)


def _see_is_asked(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    who = asked(IMPERIUM, run.state).players
    return Seen(who == (seat,), player_name(run, seat), _who_is_asked(run), seat)


def _see_nobody_asked(run: Run, _: Line, __: Words) -> Seen:
    return Seen(asked(IMPERIUM, run.state).nobody(), "nobody", _who_is_asked(run))


def _see_chance_asked(run: Run, _: Line, __: Words) -> Seen:
    return Seen(asked(IMPERIUM, run.state).chance, "chance", _who_is_asked(run))


def _who_is_asked(run: Run) -> str:
    """Who has to answer now; of chance, what it has to say."""
    who = asked(IMPERIUM, run.state)
    if who.chance:
        top: Any = run.state.pending[-1]
        whose = player_name(run, top.seat) if hasattr(top, "seat") else ""
        return f"chance has to say {CHANCE[type(top)].format(whose)}"
    return ", ".join(player_name(run, each) for each in who.players) or "nobody"


CHANCE: dict[type, str] = {
    frames.DrawFromDeck: "which card {} draws",
    frames.DrawFromIntrigue: "which Intrigue card {} draws",
    frames.LookAtTop: "which card {} looks at",
    frames.Steal: "which Intrigue card {} steals",
    frames.FillRow: "which card fills the Imperium Row",
    frames.FillContracts: "which contract is turned up",
    frames.RevealConflict: "which Conflict card is turned up",
    frames.DealObjectives: "which Objective {} gets",
}
"""What chance has to say in each frame that asks it."""


def _see_due(run: Run, line: Line, words: Words) -> Seen:
    """The named effects are all that still have to be resolved."""
    return _same_effects(line, words, effects_due(run.state))


def _see_offered(run: Run, line: Line, words: Words) -> Seen:
    """The named effects are all that a player may resolve now or leave."""
    name = token(words, "NAME")
    seat = run.table.seat(line, name)
    top = run.state.pending[-1] if run.state.pending else None
    if not isinstance(top, GROUPS) or top.seat != seat:
        remedy = "leave the line out, or put it where that player resolves effects"
        raise holds_always(line, f"{name} is offered nothing", remedy)
    return _same_effects(line, words, effects_offered(run.state, seat))


def _same_effects(line: Line, words: Words, there: Iterable[Item]) -> Seen:
    named, least = list_in(line, words)
    effects = (each for text in tokens(named, "STRING") for each in effects_in(line, text))
    wanted = Listed(tuple(say(effect) for effect in effects), least)
    actual = [say(item.effect) for item in there]
    expected = ("at least " if least else "") + _sentences(wanted.cards)
    return Seen(wanted.met_by(actual), expected, _sentences(actual))


def _sentences(effects: Iterable[str]) -> str:
    return ", ".join(f'"{each}"' for each in effects) or "nothing"


def _see_wins_game(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    shown = ", ".join(player_name(run, winner) for winner in run.state.winners) or "nobody"
    return Seen(run.state.winners == (seat,), player_name(run, seat), shown, seat)


def _see_share_victory(run: Run, line: Line, words: Words) -> Seen:
    check_each_once(line, tokens(words, "NAME"))
    seats = tuple(run.table.seat(line, name) for name in tokens(words, "NAME"))
    shown = ", ".join(player_name(run, winner) for winner in run.state.winners) or "nobody"
    wanted = ", ".join(player_name(run, seat) for seat in seats)
    return Seen(set(run.state.winners) == set(seats), wanted, shown)


LOOKS: dict[str, Callable[[Run, Line, Words], Seen]] = {
    "round": _see_round,
    "turn_of": _see_turn_of,
    "revealed": has_one("revealed", "revealed", "not revealed", wanted=True),
    "not_revealed": has_one("revealed", "revealed", "not revealed", wanted=False),
    "is_first": _see_is_first,
    "is_asked": _see_is_asked,
    "nobody_asked": _see_nobody_asked,
    "chance_asked": _see_chance_asked,
    "due": _see_due,
    "offered": _see_offered,
    "wins_game": _see_wins_game,
    "share_victory": _see_share_victory,
}
