"""Adapters that are our engine but for one lie, and the cases that they are told in."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import scenarios
from conformance.adapters.reference import ABOUT, Adapter
from conformance.cases import Case, Move, cases_of
from conformance.messages import (
    BEGIN,
    EFFECT,
    INPUT,
    OWN_CARDS,
    POSITION,
    AnyAnswer,
    AnyCall,
    Apply,
    ApplyUnit,
    Described,
    Done,
    Observe,
    Refused,
    Start,
)
from conformance.observing import observe
from conformance.playing import play
from conformance.reference import Reference, drawn
from conformance.results import Divergence
from rules_engine.imperium import soak
from rules_engine.imperium.faces import printed
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import AgentAt, Player, SpyAt, State, Won, with_player
from rules_engine.kernel.decks import Pool
from rules_engine.kernel.game import actions
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import change
from scenarios.vectors.export import exported
from scenarios.vectors.inputs import decision
from scenarios.vectors.positions import setup
from tests.conformance.whole_units import InUnits

LIBRARY = Path(scenarios.__file__).parent / "library" / "uprising"

PLAIN = change(ABOUT, capabilities=(POSITION, BEGIN, EFFECT, OWN_CARDS))
"""What a liar can do: neither lists of actions nor views are asked for."""

Lie = Callable[[State], State | None]
"""What a position is said to be; nothing where the lie makes no sense."""

REFUSES = "refuses what is allowed"
ACCEPTS = "accepts what is refused"


class Liar:
    """A connection to our engine, which lies about the move of this number."""

    def __init__(self, at: int, lie: Lie | str) -> None:
        self.at = at
        self.lie = lie
        self.number = 0
        self.adapter = Adapter()

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Answer, and lie once."""
        del seconds
        return list(self._answers(calls))

    def _answers(self, calls: Sequence[AnyCall]) -> Iterator[AnyAnswer]:
        for call in calls:
            answer = self.adapter.answer(call)
            if isinstance(call, (Start, Apply)):
                self.number = 0 if isinstance(call, Start) else self.number + 1
                yield self._lied(answer) if self.number == self.at else answer
            else:
                yield answer

    def _lied(self, answer: AnyAnswer) -> AnyAnswer:
        if self.lie == REFUSES:
            return Refused("no")
        if self.lie == ACCEPTS:
            return Done(observe(self.adapter.game.state))
        assert not isinstance(self.lie, str)
        said = self.lie(self.adapter.game.state)
        return answer if said is None else Done(observe(said))

    def close(self) -> None:
        """There is nothing to leave."""


class ReadsAhead:
    """A connection to our engine without a rule that forbids: it looks at what is asked later.

    It refuses an input only if the calls that come with it tell that it has to.
    """

    def __init__(self, step: str) -> None:
        self.adapter = Adapter() if step == INPUT else InUnits(step)

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Answer; what the engine refuses is taken, and changes nothing."""
        del seconds
        return [self._answer(call, calls[at + 1 :]) for at, call in enumerate(calls)]

    def _answer(self, call: AnyCall, later: Sequence[AnyCall]) -> AnyAnswer:
        if isinstance(call, Apply | ApplyUnit) and self.is_told_to_refuse(call, later):
            return Refused()
        answer = self.adapter.answer(call)
        return Done(observe(self.adapter.game.state)) if isinstance(answer, Refused) else answer

    def is_told_to_refuse(self, call: Apply | ApplyUnit, later: Sequence[AnyCall]) -> bool:
        """Whether somebody who knows the protocol alone can tell by what else is asked."""
        is_asked_again = any(
            isinstance(each, Apply | ApplyUnit) and each.revision == call.revision for each in later
        )
        return is_asked_again or not call.observe or isinstance(next(iter(later), None), Observe)

    def close(self) -> None:
        """There is nothing to leave."""


class RefusesLast(ReadsAhead):
    """One that refuses an input if nothing comes with it any more."""

    def is_told_to_refuse(self, call: Apply | ApplyUnit, later: Sequence[AnyCall]) -> bool:
        """Whether it is the last of its batch."""
        del call
        return not later


def divergence(case: Case, at: int, lie: Lie | str, about: Described = PLAIN) -> Divergence | None:
    """What the kit finds if a lie is told about a move of a case."""
    return play(case, about, Liar(at, lie)).divergence


# Cases


@functools.cache
def corpus(*files: str) -> tuple[Case, ...]:
    """The cases of some files of the library."""
    texts = [(name, (LIBRARY / f"{name}.scenario").read_text("utf-8")) for name in files]
    vectors = [vector for each in exported(texts) for vector in each.vectors]
    return tuple(case for case in cases_of(vectors) if isinstance(case, Case))


@functools.cache
def game(number: int, most: int = 10_000) -> Case:
    """A random game from its setup, with all that chance brought."""
    start = soak.drawn_setup(soak.Settings(0), number).state
    draw = random.Random(f"choices {number}")
    chance = drawn(random.Random(f"chance {number}"))
    reference = Reference.start(setup(start), None, None)
    begun = reference.begin(chance)
    moves: list[Move] = []
    while reference.state.pending and len(moves) < most:
        if draw.random() < 0.1 and (wrong := _refused(reference, draw)) is not None:
            moves.append(wrong)
        given = {"do": decision(reference.state, draw.choice(actions(IMPERIUM, reference.state)))}
        done = reference.give(given, chance)
        assert not isinstance(done, Refusal)
        moves.append(Move(given, done.chance))
    name = f"game {number}"
    return Case(name, name, (), setup(start), None, None, tuple(moves), begun.chance)


def _refused(reference: Reference, draw: random.Random) -> Move | None:
    """A decision of somebody else's, or one that was open before."""
    state = reference.state
    option = draw.choice(actions(IMPERIUM, state))
    other = change(option, by=(option.by + 1) % len(state.players))
    given = {"do": decision(state, other)}
    done = Reference(state).give(given, drawn(draw))
    return Move(given, refused=True) if isinstance(done, Refusal) else None


# Lies about each field


def more(field: str, by: int = 1) -> Lie:
    """A player has more than that."""
    return _of_player(lambda owner: change(owner, **{field: getattr(owner, field) + by}))


def other(field: str) -> Lie:
    """A player has what the player has not, or the other way round."""
    return _of_player(lambda owner: change(owner, **{field: not getattr(owner, field)}))


def lost(field: str) -> Lie:
    """One of several things is not there."""
    return _of_player(
        lambda owner: (
            change(owner, **{field: getattr(owner, field)[1:]}) if getattr(owner, field) else None
        )
    )


def added(field: str, card: str) -> Lie:
    """Something is there that is not."""
    return _of_player(lambda owner: change(owner, **{field: (*getattr(owner, field), card)}))


def _of_player(lie: Callable[[Player], Player | None]) -> Lie:
    def said(state: State) -> State | None:
        seat = state.turn.seat if state.turn is not None else 0
        changed = lie(state.players[seat])
        return None if changed is None else with_player(state, changed)

    return said


def of_table(field: str, lie: Callable[[State, Any], Any]) -> Lie:
    """The table has something else there."""

    def said(state: State) -> State | None:
        value = lie(state, getattr(state, field))
        return None if value is None else change(state, **{field: value})

    return said


def _moved(first: Any, holder: str, count: int) -> Any:
    now = getattr(first, holder)
    return change(first, **{holder: 0 if now is None else (now + 1) % count})


def _tracks(owner: Player) -> Player:
    first, *rest = owner.tracks
    return change(owner, tracks=(change(first, influence=first.influence + 1), *rest))


def _fewer_in_deck(owner: Player) -> Player:
    return change(owner, deck=(Pool(1, ("dagger",)), *owner.deck))


def _turned(owner: Player) -> Player | None:
    if not owner.won:
        return None
    first, *rest = owner.won
    return change(owner, won=(change(first, face_up=not first.face_up), *rest))


def _with_a_card_of_nobody(state: State) -> State:
    owned = {won.card for each in state.players for won in each.won}
    card = next(card for card in printed(state).conflicts if card not in owned)
    owner = state.players[0]
    return with_player(state, change(owner, won=(*owner.won, Won(card, "desert_mouse"))))


def _holders(state: State, value: Any) -> Any:
    first, *rest = value
    return (_moved(first, "holder", len(state.players)), *rest)


PLAYER_LIES: dict[str, Lie] = {
    **{
        field: more(field)
        for field in (
            "solari", "spice", "water", "victory_points", "supply", "garrison", "troops",
            "sandworms", "strength", "swords", "persuasion", "agents", "spies", "memories",
        )
    },
    **{
        field: other(field)
        for field in ("maker_hooks", "high_council", "swordmaster", "revealed")
    },
    "tracks": _of_player(_tracks),
    "hand lost": lost("hand"),
    "hand added": added("hand", "dagger"),
    "discard lost": lost("discard"),
    "discard added": added("discard", "dagger"),
    "in_play lost": lost("in_play"),
    "in_play added": added("in_play", "dagger"),
    "intrigues lost": lost("intrigues"),
    "intrigues added": added("intrigues", "cunning"),
    "contracts lost": lost("contracts"),
    "contracts added": added("contracts", "harvest_3"),
    "completed lost": lost("completed"),
    "completed added": added("completed", "harvest_3"),
    "standing lost": lost("standing"),
    "set_aside lost": lost("set_aside"),
    "deck": _of_player(_fewer_in_deck),
    "won lost": lost("won"),
    "won turned": _of_player(_turned),
    "won added": _with_a_card_of_nobody,
    "leader": _of_player(
        lambda owner: None if owner.leader is None else change(owner, leader="lady_jessica")
    ),
}  # fmt: skip
"""Lies about what a player has: those about a field that has words, in any position."""

TABLE_LIES: dict[str, Lie] = {
    "round": of_table("round", lambda _, value: value + 1),
    "first_player": of_table("first_player", lambda s, value: (value + 1) % len(s.players)),
    "shield_wall": of_table("shield_wall", lambda _, value: not value),
    "agents lost": of_table("agents", lambda _, value: value[1:] if value else None),
    "agents added": of_table("agents", lambda _, value: (*value, AgentAt("shipping", 0))),
    "spies lost": of_table("spies", lambda _, value: value[1:] if value else None),
    "spies added": of_table("spies", lambda s, value: (*value, SpyAt(_free_post(s), 0))),
    "makers": of_table(
        "makers",
        lambda _, value: (change(value[0], bonus_spice=value[0].bonus_spice + 1), *value[1:]),
    ),
    "controls": of_table("controls", _holders),
    "alliances": of_table("alliances", _holders),
    "row": of_table("row", lambda _, value: value[1:] if value else None),
    "intrigue_discard lost": of_table(
        "intrigue_discard", lambda _, value: value[1:] if value else None
    ),
    "trashed lost": of_table("trashed", lambda _, value: value[1:] if value else None),
    "first_reward lost": of_table("first_reward", lambda _, value: value[1:] if value else None),
    "contract_row": of_table("contract_row", lambda _, value: value[1:] if value else None),
    "winners": of_table(
        "winners", lambda s, value: ((value[0] + 1) % len(s.players),) if value else None
    ),
    "reserve": of_table(
        "reserve", lambda _, value: (change(value[0], left=value[0].left + 1), *value[1:])
    ),
}
"""Lies about the table that words can tell."""


def _free_post(state: State) -> str:
    taken = {spy.post for spy in state.spies}
    return next(post for post in printed(state).posts if post not in taken)


SILENT_LIES: dict[str, Lie] = {
    "conflict": of_table("conflict", lambda *_: "siege_of_arrakeen"),
    "leader_contracts": of_table("leader_contracts", lambda _, value: (*value, "harvest_3")),
    "objectives": of_table("objectives", lambda _, value: value[1:] if value else None),
    "winners": of_table("winners", lambda _, value: None if value else (0,)),
    "intrigue_deck": of_table("intrigue_deck", lambda _, value: (Pool(1, ("cunning",)), *value)),
    "imperium_deck": of_table("imperium_deck", lambda _, value: (Pool(1, ("dagger",)), *value)),
}
"""Lies about fields that have no words."""
