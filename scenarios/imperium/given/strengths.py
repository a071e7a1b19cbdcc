"""Given strengths: Combat markers, and the units and swords that have to be behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rules_engine.imperium.state import player
from rules_engine.imperium.strength import (
    END_OF_TRACK,
    MARKER,
    NO_UNITS,
    TOTAL,
    TURNED_OVER,
    marker_of,
    strength,
    units,
)
from rules_engine.kernel.outcomes import Seat
from rules_engine.rulebook.index import cite
from scenarios.imperium.behind_strength import least_units, missing_swords
from scenarios.imperium.table import impossible
from scenarios.language.errors import ScenarioError
from scenarios.language.syntax import Line, Words, phrases, token, tokens
from scenarios.language.values import amount

if TYPE_CHECKING:
    from scenarios.imperium.position import Position

REVEALED = cite("UPR-STR-001") + MARKER

UNITS = ("troops", "sandworms")

MORE = 20
"""How far above a strength that nothing makes one is looked for that something does."""


def _strength(position: Position, line: Line, words: Words) -> None:
    for name, value in zip(tokens(words, "NAME"), phrases(words), strict=True):
        seat = position.table.seat(line, name)
        position.once(line, seat, "strength")
        position.strengths[seat] = amount(line, value, position.environment)
        position.strength_lines[seat] = line


def _marker(turned: bool) -> Callable[[Position, Line, Words], None]:
    """A player's Combat marker is there, with this side up: the strength that it stands for."""

    def fact(position: Position, line: Line, words: Words) -> None:
        word = token(words, "NAME")
        seat = position.table.seat(line, word)
        position.once(line, seat, "strength")
        space = amount(line, phrases(words)[0], position.environment)
        total = space + END_OF_TRACK if turned else space
        shown = marker_of(total)
        if turned and not shown.turned:
            raise _other_side(line, f"the combat marker of {word} is at {END_OF_TRACK}")
        if shown.turned and not turned:
            turned_over = f"the combat marker of {word} is turned over at {shown.stands_on!r}"
            raise _other_side(line, turned_over)
        position.strengths[seat] = total
        position.strength_lines[seat] = line

    return fact


def _other_side(line: Line, remedy: str) -> ScenarioError:
    message = f"a marker is turned over above {END_OF_TRACK}, and only there"
    return impossible(line, message, TURNED_OVER, f"write `{remedy}`")


def settle_markers(position: Position) -> None:
    """Refuse a marker that units and swords do not make, and see what it leaves open."""
    for seat, marker in position.strengths.items():
        if (seat, "not revealed") in position.known:
            _check_not_revealed(position, seat, marker)
        elif any((seat, each) in position.known for each in UNITS) or _is(marker, 0):
            _fit_swords(position, seat, marker)
        else:
            _leave_units_open(position, seat, marker)


def _is(marker: Any, number: int) -> bool:
    """Whether a marker is stated as this number, not as a variable."""
    return type(marker) is int and marker == number


def _check_not_revealed(position: Position, seat: Seat, marker: Any) -> None:
    """The marker moves when a player reveals."""
    if marker != 0:
        name = position.scenario.players[seat]
        message = f"the marker of {name} has moved, and {name} has not revealed"
        remedy = f"leave out `{name} has not revealed`, or write `{name} is 0`"
        raise _refused(position, seat, message, REVEALED, remedy)


def _fit_swords(position: Position, seat: Seat, marker: Any) -> None:
    """Where units are stated, swords that are not stated make up the rest of the marker."""
    if (seat, "swords") not in position.known:
        missing = missing_swords(player(position.state, seat), marker)
        if missing >= 0 and units(player(position.state, seat)) > 0:
            position.change_player(seat, swords=missing)
    shown = strength(player(position.state, seat))
    if shown != marker:
        name = position.scenario.players[seat]
        message = f"the units and swords of {name} make a strength of {shown!r}, not {marker!r}"
        remedy = f"write `{name} is {shown!r}`, or state other units"
        rules = TOTAL if units(player(position.state, seat)) > 0 else NO_UNITS
        raise _refused(position, seat, message, rules, remedy)


def _leave_units_open(position: Position, seat: Seat, marker: Any) -> None:
    """A marker alone leaves the units open; a number has to be one that units can make.

    What a variable stands for is any number: a scenario about all strengths need not leave out 1.
    """
    stated = (seat, "swords") in position.known
    swords = player(position.state, seat).swords if stated else None

    def made(number: int) -> bool:
        return least_units(position.state, seat, number, swords) is not None

    number = type(marker) is int and not position.environment.variables
    if number and not made(marker):
        name = position.scenario.players[seat]
        message = f"no units of {name} make a strength of {marker}"
        others = (each for each in range(marker + 1, marker + MORE) if made(each))
        more = "".join(f" or `{name} is {each}`" for each in [*others][:1])
        raise _refused(position, seat, message, TOTAL + NO_UNITS, f"write `{name} is 0`{more}")
    position.units_open.add(seat)


def _refused(
    position: Position, seat: Seat, message: str, rules: tuple[str, ...], remedy: str
) -> ScenarioError:
    return impossible(position.strength_lines[seat], message, rules, remedy)


FACTS: dict[str, Callable[[Position, Line, Words], None]] = {
    "strength": _strength,
    "marker": _marker(turned=False),
    "marker_turned": _marker(turned=True),
}
