"""Quantities as they are seen: how many there are, gained, lost or kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lark import Token

from rules_engine.imperium import influence
from rules_engine.imperium.state import State, player
from rules_engine.kernel.decks import size
from rules_engine.kernel.outcomes import Seat
from scenarios.imperium.seen.look import Seen
from scenarios.imperium.table import ZONES
from scenarios.language.syntax import Line, Words, phrases, token
from scenarios.language.values import Bound, bound, leaves_open

if TYPE_CHECKING:
    from scenarios.run import Run


def see_quantity(run: Run, line: Line, words: Words) -> Seen:
    """How many of something a player has, or what has become of the number."""
    seat = run.table.seat(line, token(words, "NAME"))
    (phrase,) = phrases(words)
    wanted = bound(line, phrases(phrase)[0], run.environment)
    now = _read_quantity(run, line, run.state, seat, phrase)
    name, verb = run.state.players[seat].name, str(words.data)
    if verb == "has":
        holds, actual = wanted.met_by(now), f"{name} has {now!r}"
    elif verb == "keeps" and wanted.least:
        raise leaves_open(line, "write `has` instead of `keeps`, or leave out `at least`")
    else:
        before = _read_quantity(run, line, run.before, seat, phrase)
        holds, actual = _compared(name, verb, before, now, wanted)
    what = " ".join(str(each) for each in phrase.children if isinstance(each, Token))
    return Seen(holds, f"{name} {verb} {wanted!r} {what}", actual, seat)


def _compared(name: str, verb: str, before: Any, now: Any, wanted: Bound) -> tuple[Any, str]:
    """Whether what a line says of a change is so, and what there is instead."""
    if verb == "keeps":
        return wanted.met_by(now) & wanted.met_by(before), f"before {before!r}, now {now!r}"
    change = now - before if verb == "gains" else before - now
    return wanted.met_by(change), f"{name} {verb} {change!r}"


def _read_quantity(run: Run, line: Line, state: State, seat: Seat, words: Words) -> Any:
    """The number that a phrase like `troops in garrison` means in a position."""
    owner = player(state, seat)
    match words.data:
        case "resource":
            return getattr(owner, str(token(words, "RESOURCE")).lower())
        case "influence":
            faction = run.table.id(line, token(words, "FACTION"), "faction")
            return influence.influence(state, seat, faction)
        case "cards":
            zone = ZONES[str(token(words, "ZONE"))]
            return size(owner.deck) if zone == "deck" else len(getattr(owner, zone))
        case "intrigues" | "contracts" | "completed":
            return len(getattr(owner, str(words.data)))
        case field:
            return getattr(owner, str(field))
