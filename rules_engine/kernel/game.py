"""One step of any game: the top frame is asked, answered and replaced; nothing below it is touched.

A game is a table: for each kind of frame, who must answer it, what is allowed, what the answers are
and what an answer does. Frames are plain records, so a state can be saved and compared at any time.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step
from rules_engine.kernel.records import Record, change


class Frame(Record, tag=True, tag_field="frame"):
    """Something still to be done: a choice someone has to make, a chance request, or plain work."""


class Action(Record, tag=True, tag_field="action"):
    """What a player does."""

    by: Seat


class Answer(Record, tag="answer", tag_field="action"):
    """What chance answers: the face drawn, the number rolled."""

    outcome: str


class Amount(Record):
    """A described decision: the action `make(by, n)` for every n from low to high."""

    make: type[Action]
    by: Seat
    low: Quantity
    high: Quantity


class Asks(Record):
    """Who must answer a frame: any of some players, chance, or nobody."""

    players: tuple[Seat, ...] = ()
    chance: bool = False

    def nobody(self) -> bool:
        """Whether the frame goes on by itself."""
        return not self.players and not self.chance


NOBODY = Asks()
CHANCE = Asks(chance=True)


@functools.cache
def asks(*players: Seat) -> Asks:
    """Any of these players may answer."""
    return Asks(players=players)


class HasPending(Protocol):
    """What the kernel needs to know of a state."""

    @property
    def pending(self) -> tuple[Any, ...]: ...


@dataclass(frozen=True)
class FrameRules:
    """What a game says about one kind of frame.

    `apply` gets the state with the frame taken off the stack and pushes back what remains.
    `legal` and `options` are independent of each other: a law compares them. `weights` is for
    chance: how many copies there are of each outcome; without it all are equally likely.
    `turn_rules` gives the rules by which a player may decide here or not, if they are not those of
    the game.
    """

    asks: Callable[[Any, Any], Asks]
    apply: Callable[[Any, Any, Any], Step[Any]]
    legal: Callable[[Any, Any, Any], Refusal | None]
    options: Callable[[Any, Any], Iterable[Any]]
    weights: Callable[[Any, Any], Mapping[str, int]] | None = None
    turn_rules: Callable[[Any, Seat], tuple[str, ...]] | None = None


@dataclass(frozen=True)
class Invariant:
    """Something that holds in every position, with the rules that say so."""

    name: str
    rules: tuple[str, ...]
    broken: Callable[[Any], Iterable[str]]


@dataclass(frozen=True)
class Game:
    """A game, as the kernel sees it.

    `universe` gives every input that can be written down with the names of the game; `strangers`
    the reasons against an input that names anything else, so that rules never meet such a name.
    `kin` tells which hidden cards could be each other, of those that a player or nobody owns.
    `windows` gives, for an action that comes at a wrong moment, the reasons with the rules that say
    when it could be done; none if its moment is now, or if no rule says it.
    """

    name: str
    state_type: type
    input_type: Any
    frames: Mapping[type[Frame], FrameRules]
    invariants: tuple[Invariant, ...]
    universe: Callable[[Any], Iterable[Any]]
    turn_rules: tuple[str, ...]
    strangers: Callable[[Any, Any], Iterable[Reason]] = lambda _, __: ()
    kin: Callable[[Any, str, Seat | None], object] = lambda _, __, owner: owner
    windows: Callable[[Any, Any], Iterable[Reason]] = lambda _, __: ()


class GameStuck(Exception):
    """A state went on by itself without end: a defect of the rules, never of an input."""


MOST_SILENT_FRAMES = 10_000


StateT = TypeVar("StateT")


def pop(state: Any) -> tuple[Any, Any]:
    """The top frame and the state without it."""
    return state.pending[-1], change(state, pending=state.pending[:-1])


def push(state: StateT, *frames: Frame) -> StateT:
    """The state with more frames; the last one given is treated first."""
    pending: tuple[Any, ...] = state.pending  # type: ignore[attr-defined]
    return change(state, pending=pending + frames)  # type: ignore[type-var]


def asked(game: Game, state: HasPending) -> Asks:
    """Who has to answer now; nobody when the game is over or the next frame goes on by itself."""
    if not state.pending:
        return NOBODY
    top = state.pending[-1]
    return game.frames[type(top)].asks(state, top)


def turn_rules(game: Game, state: HasPending, seat: Seat) -> tuple[str, ...]:
    """The rules by which a player has something to decide now, or has nothing."""
    special = game.frames[type(state.pending[-1])].turn_rules if state.pending else None
    return special(state, seat) if special else game.turn_rules


def window(game: Game, state: HasPending, given: Action) -> tuple[Reason, ...]:
    """Why no window is open for an action: the rules that say when it could be done.

    It can be asked at any moment, also when nobody has to decide. No reason means that the moment
    is right, that no rule says when, or that the action names what there is not.
    """
    if any(True for _ in game.strangers(state, given)):
        return ()
    try:
        return tuple(game.windows(state, given))
    except UnknownRead:
        # What nobody stated explains nothing, and the refusal stands without it.
        return ()


def legal(game: Game, state: HasPending, given: Action | Answer) -> Refusal | None:
    """Nothing if the input is allowed here, else every reason why it is not.

    The rule that says when the thing could be done comes before whose decision it is now.
    """
    refused = _refused(game, state, given)
    if refused is None or isinstance(given, Answer):
        return refused
    closed = window(game, state, given)
    return Refusal((*closed, *refused.reasons)) if closed else refused


def _refused(game: Game, state: HasPending, given: Action | Answer) -> Refusal | None:
    """The reasons of what is pending now, whenever else the input could be given."""
    if not state.pending:
        return Refusal((Reason("nothing_to_do", game.turn_rules),))
    who = asked(game, state)
    by = None if isinstance(given, Answer) else given.by
    if (by is None) != who.chance:
        return Refusal((Reason("not_asked", game.turn_rules),))
    if by is not None and by not in who.players:
        rules = turn_rules(game, state, by)
        return Refusal((Reason("not_your_decision", rules, {"player": by}),))
    strangers = tuple(game.strangers(state, given))
    if strangers:
        return Refusal(strangers)
    top = state.pending[-1]
    return game.frames[type(top)].legal(state, top, given)


def options(game: Game, state: HasPending) -> tuple[Any, ...]:
    """The decisions open now, amounts described by their bounds."""
    if asked(game, state).nobody():
        return ()
    top = state.pending[-1]
    return tuple(game.frames[type(top)].options(state, top))


def actions(game: Game, state: HasPending) -> tuple[Any, ...]:
    """Every input that is allowed now, one by one."""
    found: list[Any] = []
    for option in options(game, state):
        if type(option) is Amount:
            found.extend(spelled_out(option))
        else:
            found.append(option)
    return tuple(found)


def spelled_out(amount: Amount) -> Iterable[Any]:
    """The single inputs that a described decision stands for."""
    for n in range(amount.low, amount.high + 1):
        yield amount.make(amount.by, n)  # type: ignore[call-arg]


def handle(game: Game, state: Any, given: Action | Answer | None = None) -> Step[Any] | Refusal:
    """Treat the top frame: with an input if it asks for one, else by itself."""
    if given is None:
        assert asked(game, state).nobody(), "this frame waits for an input"
    else:
        refused = legal(game, state, given)
        if refused is not None:
            return refused
    return _applied(game, state, given)


def _applied(game: Game, state: Any, given: Action | Answer | None) -> Step[Any]:
    """What the top frame does with an input that is allowed, or by itself."""
    top, below = pop(state)
    return game.frames[type(top)].apply(below, top, given)


def settle(game: Game, state: Any, events: tuple[Event, ...] = ()) -> Step[Any]:
    """Go on by itself until someone has to answer or nothing is left to do."""
    for _ in range(MOST_SILENT_FRAMES):
        if not state.pending or not asked(game, state).nobody():
            return Step(state, events)
        done = _applied(game, state, None)
        state, events = done.state, events + done.events
    raise GameStuck(f"{type(state.pending[-1]).__name__} never came to an end")


def step(game: Game, state: Any, given: Action | Answer) -> Step[Any] | Refusal:
    """Take one input and go on until someone has to answer. A refusal leaves nothing changed."""
    done = handle(game, state, given)
    if isinstance(done, Refusal):
        return done
    return settle(game, done.state, done.events)


def by_itself(apply: Callable[[Any, Any, Any], Step[Any]], rules: tuple[str, ...]) -> FrameRules:
    """The rules of a frame that asks nobody."""
    return FrameRules(
        asks=lambda _, __: NOBODY,
        apply=apply,
        legal=lambda _, __, ___: Refusal((Reason("not_asked", rules),)),
        options=lambda _, __: (),
    )
