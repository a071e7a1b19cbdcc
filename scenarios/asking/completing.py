"""Every completion of a decision: a phrase that leaves a part open stands for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from rules_engine.imperium import actions, spies
from rules_engine.imperium.faces import intrigue_face, printed
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.intrigue import TIMING
from rules_engine.imperium.state import State, player
from rules_engine.imperium.trashing import ZONES
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import Action, legal, turn_rules
from rules_engine.kernel.outcomes import Reason, Refusal, Seat
from rules_engine.kernel.records import change
from scenarios.asking.conditions import reasons
from scenarios.asking.position import Asked, standing_at
from scenarios.asking.said import Part
from scenarios.imperium.done.decisions import action_of, timing_now
from scenarios.imperium.table import effects_in
from scenarios.language.errors import NotDue
from scenarios.language.syntax import Line, Words, phrases, token, tokens
from scenarios.words import way_words


class Question(NamedTuple):
    """Whether a player could do something, asked on a line of a scenario in progress."""

    run: Asked
    line: Line
    seat: Seat
    deed: Words

    @property
    def name(self) -> str:
        """The player's name."""
        return str(player(self.run.state, self.seat).name)


class Way(NamedTuple):
    """One completion of a decision, and the condition that it adds to the words of the question."""

    action: Action
    condition: str = ""


class Tried(NamedTuple):
    """The completions that are allowed in a position, and what stands against the others."""

    state: State
    allowed: tuple[Way, ...]
    against: tuple[Part, ...] = ()
    """The reasons against the completion that fewest reasons stand against."""
    keys: tuple[str, ...] = ()
    """What kinds of reason these are."""
    action: Action | None = None
    """The completion that fewest reasons stand against."""


def tried(question: Question) -> Tried:
    """What the engine says about every completion of a decision in the present position."""
    run, line, seat, deed = question
    state = run.state
    try:
        ways = list(COMPLETIONS.get(str(deed.data), _as_said)(run, line, seat, deed))
    except NotDue as not_due:
        rules = not_due.rules or turn_rules(IMPERIUM, state, seat)
        return Tried(state, (), (Part(not_due.message, rules),))
    allowed, refusals = [], []
    for way in ways:
        refused = _refusal(run, way.action)
        if refused is None:
            allowed.append(way)
        else:
            refusals.append((way, refused))
    if allowed:
        return Tried(state, tuple(allowed))
    way, nearest = min(refusals, key=lambda each: _distance(run, *each))
    against = reasons(state, seat, way.action, nearest)
    keys = tuple(each.key for each in nearest.reasons)
    return Tried(state, (), tuple(against), keys, way.action)


def _refusal(run: Asked, action: Action) -> Refusal | None:
    """Why an action is refused; a wrong moment is enough, where other reasons are unknown."""
    try:
        return legal(IMPERIUM, run.state, action)
    except UnknownRead:
        if _in_time(run, action):
            raise
        assert isinstance(action, actions.PlayIntrigue)
        timing = way_timing(run.state, action)
        facts = {"card": action.card, "timing": timing}
        return Refusal((Reason("wrong_time", TIMING[timing], facts),))


def _distance(run: Asked, way: Way, refused: Refusal) -> tuple[bool, int]:
    """How far a completion is from being allowed: one for another moment is farther."""
    return not _in_time(run, way.action), len(refused.reasons)


def _in_time(run: Asked, action: Action) -> bool:
    """Whether an action is not for another moment: the timing of an Intrigue card says so."""
    if not isinstance(action, actions.PlayIntrigue):
        return True
    return way_timing(run.state, action) == timing_now(run)


def way_timing(state: State, action: actions.PlayIntrigue) -> str:
    """When an Intrigue card is played in this way."""
    return intrigue_face(state, action.card).ways[action.way].timing


def tried_at(question: Question, state: State) -> Tried | None:
    """The same in another position; nothing if that depends on something unknown."""
    with standing_at(question.run, state):
        try:
            return tried(question)
        except UnknownRead:
            return None


def _as_said(run: Asked, line: Line, seat: Seat, deed: Words) -> Iterator[Way]:
    yield Way(action_of(run, line, seat, deed))


def _sends(run: Asked, line: Line, seat: Seat, deed: Words) -> Iterator[Way]:
    """Without a word about infiltrating, every own Spy that is linked to the space may do it."""
    plain = action_of(run, line, seat, deed)
    yield Way(plain)
    assert isinstance(plain, actions.PlayAgent)
    if plain.infiltrate is None:
        name = player(run.state, seat).name
        for post in spies.own_linked_posts(run.state, seat, plain.space):
            called = printed(run.state).posts[post].name
            yield Way(change(plain, infiltrate=post), f"if {name} recalls the Spy at {called}")


def _plays(run: Asked, line: Line, seat: Seat, deed: Words) -> Iterator[Way]:
    """Without a word about when or what for, an Intrigue card has all its ways."""
    card = run.table.id(line, token(deed, "STRING"), "intrigue")
    ways = intrigue_face(run.state, card).ways
    timings = [str(timing) for timing in tokens(deed, "TIMING")]
    fitting = [at for at, way in enumerate(ways) if not timings or way.timing in timings]
    for at in fitting or range(len(ways)):
        condition = f"for {way_words(run.state, card, at)}" if len(ways) > 1 else ""
        yield Way(actions.PlayIntrigue(seat, card, at), condition)


def _resolves(run: Asked, line: Line, seat: Seat, deed: Words) -> Iterator[Way]:
    """An effect that is due more than once stands for each of them."""
    top: Any = run.state.pending[-1]
    wanted = effects_in(line, token(deed, "STRING"))
    found = [at for at, item in enumerate(getattr(top, "items", ())) if (item.effect,) == wanted]
    if len(found) < 2 or phrases(deed, "source"):
        yield Way(action_of(run, line, seat, deed))
        return
    for at in found:
        yield Way(actions.Resolve(seat, at))


def _trashes_somewhere(run: Asked, line: Line, seat: Seat, deed: Words) -> Iterator[Way]:
    """A card can be trashed from any zone in which it is."""
    card = run.table.id(line, token(deed, "STRING"), "card")
    for zone in ZONES:
        called = {"in_play": "play"}.get(zone, zone)
        yield Way(actions.Trash(seat, card, zone), f"from {called}")


COMPLETIONS: dict[str, Callable[[Asked, Line, Seat, Words], Iterator[Way]]] = {
    "plays_to": _sends,
    "plays_intrigue": _plays,
    "resolves": _resolves,
    "trashes_somewhere": _trashes_somewhere,
}
"""Phrases that leave a part of a decision open."""
