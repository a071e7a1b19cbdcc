"""Pieces as they are seen: Spies, Agents, seats, control, Alliances, the wall, bonus spice."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rules_engine.imperium import control, influence
from scenarios.imperium.seen.look import Seen, has_one, player_name
from scenarios.language.syntax import Line, Words, phrases, token
from scenarios.language.values import bound, one_or_any

if TYPE_CHECKING:
    from scenarios.run import Run


def _see_spy(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    post = run.table.post(line, phrases(words, "space", "post")[0])
    wanted = bound(line, phrases(words)[0], run.environment)
    posts = [spy.post for spy in run.state.spies if spy.seat == seat]
    there = posts.count(post)
    faces = run.table.names.printed.posts
    shown = ", ".join(faces[each].name for each in posts) or "none"
    return Seen(wanted.met_by(there), f"{wanted!r} at {faces[post].name}", shown, seat)


def _see_no_spy(run: Run, line: Line, words: Words) -> Seen:
    one_or_any(line, phrases(words)[0], run.environment)
    post = run.table.post(line, phrases(words, "space", "post")[0])
    owners = [player_name(run, spy.seat) for spy in run.state.spies if spy.post == post]
    return Seen(not owners, "nobody", ", ".join(owners) or "nobody")


def _see_agent(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    space = run.table.id(line, token(words, "SPACE"), "space")
    wanted = bound(line, phrases(words)[0], run.environment)
    spaces = [at.space for at in run.state.agents if at.seat == seat]
    there = spaces.count(space)
    faces = run.table.names.printed.spaces
    shown = ", ".join(faces[each].name for each in spaces) or "none"
    return Seen(wanted.met_by(there), f"{wanted!r} at {faces[space].name}", shown, seat)


def _see_no_agent(run: Run, line: Line, words: Words) -> Seen:
    one_or_any(line, phrases(words)[0], run.environment)
    space = run.table.id(line, token(words, "SPACE"), "space")
    owners = [player_name(run, at.seat) for at in run.state.agents if at.space == space]
    return Seen(not owners, "nobody", ", ".join(owners) or "nobody")


def _see_controls(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    space = run.table.id(line, token(words, "SPACE"), "space")
    holder = control.holder_of(run.state, space)
    return Seen(holder == seat, player_name(run, seat), player_name(run, holder), seat)


def _see_uncontrolled(run: Run, line: Line, words: Words) -> Seen:
    space = run.table.id(line, token(words, "SPACE"), "space")
    holder = control.holder_of(run.state, space)
    return Seen(holder is None, "nobody", player_name(run, holder))


def _see_holds(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    faction = run.table.id(line, token(words, "FACTION"), "faction")
    holder = influence.holder_of(run.state, faction)
    return Seen(holder == seat, player_name(run, seat), player_name(run, holder), seat)


def _see_unheld(run: Run, line: Line, words: Words) -> Seen:
    faction = run.table.id(line, token(words, "FACTION"), "faction")
    holder = influence.holder_of(run.state, faction)
    return Seen(holder is None, "nobody", player_name(run, holder))


def _wall(run: Run) -> str:
    return "the Shield Wall stands" if run.state.shield_wall else "the Shield Wall is gone"


def _see_wall_stands(run: Run, _: Line, __: Words) -> Seen:
    return Seen(run.state.shield_wall, "the Shield Wall stands", _wall(run))


def _see_wall_gone(run: Run, _: Line, __: Words) -> Seen:
    return Seen(not run.state.shield_wall, "the Shield Wall is gone", _wall(run))


def _see_bonus_spice(run: Run, line: Line, words: Words) -> Seen:
    space = run.table.id(line, token(words, "SPACE"), "space")
    wanted = bound(line, phrases(words)[0], run.environment)
    there = [maker.bonus_spice for maker in run.state.makers if maker.space == space]
    now = there[0] if there else 0
    return Seen(wanted.met_by(now), f"{wanted!r} bonus spice", f"{now!r} bonus spice")


LOOKS: dict[str, Callable[[Run, Line, Words], Seen]] = {
    "spy": _see_spy,
    "no_spy": _see_no_spy,
    "agent": _see_agent,
    "no_agent": _see_no_agent,
    "hooks": has_one("maker_hooks", "Maker Hooks", "no Maker Hooks", wanted=True),
    "no_hooks": has_one("maker_hooks", "Maker Hooks", "no Maker Hooks", wanted=False),
    "swordmaster": has_one("swordmaster", "a Swordmaster", "no Swordmaster", wanted=True),
    "no_swordmaster": has_one("swordmaster", "a Swordmaster", "no Swordmaster", wanted=False),
    "seated": has_one("high_council", "a seat", "no seat", wanted=True),
    "not_seated": has_one("high_council", "a seat", "no seat", wanted=False),
    "controls": _see_controls,
    "uncontrolled": _see_uncontrolled,
    "holds": _see_holds,
    "unheld": _see_unheld,
    "wall_stands": _see_wall_stands,
    "wall_gone": _see_wall_gone,
    "bonus_spice": _see_bonus_spice,
}
