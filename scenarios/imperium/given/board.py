"""Given pieces on the board: Spies, Agents, seats, control, Alliances, the wall, bonus spice."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rules_engine.imperium.spies import SPIES
from rules_engine.imperium.state import AgentAt, SpyAt, player
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite
from scenarios.imperium.table import ONE_OF_TWO, impossible, name_one_of
from scenarios.language.syntax import Line, Words, phrases, token, tokens
from scenarios.language.values import exactly_one

if TYPE_CHECKING:
    from scenarios.imperium.position import Position


def _spy(position: Position, line: Line, words: Words) -> None:
    exactly_one(line, phrases(words)[0], position.environment)
    seat = position.table.seat(line, token(words, "NAME"))
    post = position.table.post(line, phrases(words, "space", "post")[0])
    spies = sorted((*position.state.spies, SpyAt(post, seat)), key=lambda s: (s.post, s.seat))
    position.state = change(position.state, spies=tuple(spies))
    own = sum(1 for spy in spies if spy.seat == seat)
    position.change_player(seat, spies=SPIES - own)


def _agent(position: Position, line: Line, words: Words) -> None:
    exactly_one(line, phrases(words)[0], position.environment)
    seat = position.table.seat(line, token(words, "NAME"))
    space = position.table.id(line, token(words, "SPACE"), "space")
    agents = sorted((*position.state.agents, AgentAt(space, seat)), key=lambda a: (a.space, a.seat))
    position.state = change(position.state, agents=tuple(agents))
    position.change_player(seat, agents=player(position.state, seat).agents - 1)


def _hooks(position: Position, line: Line, words: Words) -> None:
    seat = position.table.seat(line, token(words, "NAME"))
    position.once(line, seat, "hooks")
    position.change_player(seat, maker_hooks=True)


def _no_hooks(position: Position, line: Line, words: Words) -> None:
    position.once(line, position.table.seat(line, token(words, "NAME")), "hooks")


def _swordmaster(position: Position, line: Line, words: Words) -> None:
    seat = position.table.seat(line, token(words, "NAME"))
    position.once(line, seat, "swordmaster")
    agents = player(position.state, seat).agents
    if (seat, "agents") not in position.known:
        agents += 1
    position.change_player(seat, swordmaster=True, agents=agents)


def _no_swordmaster(position: Position, line: Line, words: Words) -> None:
    position.once(line, position.table.seat(line, token(words, "NAME")), "swordmaster")


def _seated(position: Position, line: Line, words: Words) -> None:
    seat = position.table.seat(line, token(words, "NAME"))
    position.once(line, seat, "seat")
    position.change_player(seat, high_council=True)


def _not_seated(position: Position, line: Line, words: Words) -> None:
    position.once(line, position.table.seat(line, token(words, "NAME")), "seat")


def _controls(position: Position, line: Line, words: Words) -> None:
    seat = position.table.seat(line, token(words, "NAME"))
    space = position.table.id(line, token(words, "SPACE"), "space")
    held = [c for c in position.state.controls if c.space == space]
    if not held:
        message = "that space cannot be controlled"
        raise impossible(line, message, cite("UPR-CTRL-001"), _name_a_location(position))
    if held[0].holder is not None:
        message = "two players control one space"
        raise impossible(line, message, cite("UPR-CTRL-003"), ONE_OF_TWO)
    position.once(line, "control", space)
    controls = tuple(
        change(c, holder=seat) if c.space == space else c for c in position.state.controls
    )
    position.state = change(position.state, controls=controls)


def _uncontrolled(position: Position, line: Line, words: Words) -> None:
    position.once(line, "control", position.table.id(line, token(words, "SPACE"), "space"))


def check_location(position: Position, line: Line) -> None:
    """A Conflict card names one of the locations that can be controlled, or none."""
    for space in tokens(line.words, "SPACE"):
        held = position.table.id(line, space, "space")
        if not any(control.space == held for control in position.state.controls):
            message = f"{space} cannot be controlled"
            raise impossible(line, message, cite("UPR-CTRL-001"), _name_a_location(position))


def _name_a_location(position: Position) -> str:
    spaces = position.table.names.printed.spaces
    return name_one_of(spaces[control.space].name for control in position.state.controls)


def _holds(position: Position, line: Line, words: Words) -> None:
    seat = position.table.seat(line, token(words, "NAME"))
    faction = position.table.id(line, token(words, "FACTION"), "faction")
    if any(a.faction == faction and a.holder is not None for a in position.state.alliances):
        rules = cite("UPR-FACTION-009", "UPR-FACTION-010")
        raise impossible(line, "two players hold one Alliance", rules, ONE_OF_TWO)
    position.once(line, "alliance", faction)
    alliances = tuple(
        change(a, holder=seat) if a.faction == faction else a for a in position.state.alliances
    )
    position.state = change(position.state, alliances=alliances)


def _unheld(position: Position, line: Line, words: Words) -> None:
    position.once(line, "alliance", position.table.id(line, token(words, "FACTION"), "faction"))


def _wall_stands(position: Position, line: Line, _: Words) -> None:
    position.once(line, "wall")
    position.state = change(position.state, shield_wall=True)


def _wall_gone(position: Position, line: Line, _: Words) -> None:
    position.once(line, "wall")
    position.state = change(position.state, shield_wall=False)


def _bonus_spice(position: Position, line: Line, words: Words) -> None:
    space = position.table.id(line, token(words, "SPACE"), "space")
    if not any(maker.space == space for maker in position.state.makers):
        spaces = position.table.names.printed.spaces
        remedy = name_one_of(spaces[maker.space].name for maker in position.state.makers)
        raise impossible(line, "that is no Maker space", cite("UPR-MAKER-001"), remedy)
    position.once(line, "bonus spice", space)
    value = position.amount(line, words)
    makers = tuple(
        change(m, bonus_spice=value) if m.space == space else m for m in position.state.makers
    )
    position.state = change(position.state, makers=makers)


FACTS: dict[str, Callable[[Position, Line, Words], None]] = {
    "spy": _spy,
    "agent": _agent,
    "hooks": _hooks,
    "no_hooks": _no_hooks,
    "swordmaster": _swordmaster,
    "no_swordmaster": _no_swordmaster,
    "seated": _seated,
    "not_seated": _not_seated,
    "controls": _controls,
    "uncontrolled": _uncontrolled,
    "holds": _holds,
    "unheld": _unheld,
    "wall_stands": _wall_stands,
    "wall_gone": _wall_gone,
    "bonus_spice": _bonus_spice,
}
