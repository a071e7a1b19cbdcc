"""Given Leaders, and how far they have trained."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rules_engine.imperium.state import player
from rules_engine.kernel.outcomes import Seat
from rules_engine.rulebook.index import cite
from scenarios.imperium.table import Table, impossible, name_one_of
from scenarios.language.errors import ScenarioError
from scenarios.language.syntax import Line, Words, phrases, token

if TYPE_CHECKING:
    from scenarios.imperium.position import Position


def leaders_at_start(table: Table, *, choam: bool) -> tuple[str | None, ...]:
    """The Leaders that players have at the start: a back side stands for its front."""
    found: dict[Seat, str] = {}
    for line in table.scenario.given:
        words = line.words if line.words.data != "state" else phrases(line.words)[0]
        if words.data == "led_by":
            seat = table.seat(line, token(words, "NAME"))
            leader = _front(table, line, words)
            _check_leader(table, line, words, choam=choam, taken=tuple(found.values()))
            found.setdefault(seat, leader)
    return tuple(found.get(seat) for seat in range(len(table.players)))


def _front(table: Table, line: Line, words: Words) -> str:
    leader = table.id(line, token(words, "STRING"), "leader")
    for face in table.names.printed.leaders.values():
        if face.turns_into == leader:
            return face.id
    return leader


def _check_leader(
    table: Table, line: Line, words: Words, *, choam: bool, taken: tuple[str, ...]
) -> None:
    """Refuse a Leader whom another player has, or who needs a module that is not used."""
    word = token(words, "STRING")
    faces = table.names.printed.leaders
    face = faces[_front(table, line, words)]
    if face.choam and not choam:
        raise ScenarioError(
            "TS0205",
            f"{face.name} is a Leader of the CHOAM module, which is not used",
            place=line.at(word),
            help="add the line `module choam` below `game`",
            rules=cite("UPR-CHOAM-005"),
        )
    if face.id in taken:
        backs = [each.turns_into for each in faces.values()]
        free = (
            f'"{each.name}"'
            for each in faces.values()
            if each.id not in (*taken, *backs) and (choam or not each.choam)
        )
        raise ScenarioError(
            "TS0205",
            f"{face.name} leads somebody already",
            place=line.at(word),
            help=name_one_of(free),
        )


def _led_by(position: Position, line: Line, words: Words) -> None:
    seat = position.table.seat(line, token(words, "NAME"))
    position.once(line, seat, "leader")
    leader = position.table.id(line, token(words, "STRING"), "leader")
    position.change_player(seat, leader=leader)


def _trained(position: Position, line: Line, words: Words) -> None:
    seat = position.table.seat(line, token(words, "NAME"))
    position.once(line, seat, "training")
    space = position.table.id(line, token(words, "STRING"), "training")
    faces = position.table.names.printed.leaders.values()
    (face,) = (face for face in faces if any(each.id == space for each in face.training))
    if player(position.state, seat).leader != face.id:
        message = f"only {face.name} has this training track"
        name = position.scenario.players[seat]
        remedy = f'add the line `{name} is led by "{face.name}"` above it'
        raise impossible(line, message, cite("UPR-CLAR-001"), remedy)
    position.change_player(seat, training=space)


FACTS: dict[str, Callable[[Position, Line, Words], None]] = {
    "led_by": _led_by,
    "trained": _trained,
}
