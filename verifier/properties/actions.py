"""What players can do: the list of what is offered, and the answer to what is tried, agree."""

from __future__ import annotations

import functools
from itertools import product
from typing import Any

from rules_engine.imperium import actions
from rules_engine.imperium.game import IMPERIUM, named_fields
from rules_engine.imperium.looking import FATES
from rules_engine.imperium.trashing import ZONES
from rules_engine.kernel.game import Amount, Answer, legal, options
from verifier.any_position import ANY_CARD, ANY_INTRIGUE, OTHER, OWNER
from verifier.current import claim, quantity, stage
from verifier.numbers import all_of, opposite
from verifier.positions import factions, printed
from verifier.registry import Twin, proves
from verifier.relied_on import assume_relied_on
from verifier.steps import STEPS, open_position, shape_and_input

MOST_PLACES = 4
"""Lists of effects in the positions are shorter."""

TOO_MANY = (actions.PlayAgent, actions.PlayIntrigue)
"""Sending an Agent has a property of its own in `agent_turn`; both have too many options here."""

MANY_PATHS = ("Turn", "AgentTurn <- Deploy", "RevealTurn <- Deploy", "RevealTurn <- Retreat")
"""Steps whose lists of options fork too often: the one before anything is decided lists all."""

WITH_OTHERS = ("RevealTurn <- Resolve", "RevealTurn <- EndTurn")
"""Steps whose inputs are tried where cards can be acquired: the options are the same."""


def _cases() -> tuple[dict[str, str], ...]:
    return tuple(
        {"step": step}
        for step in STEPS
        if _is_tried(shape_and_input(step)[1])
        and not step.startswith(MANY_PATHS)
        and step not in WITH_OTHERS
    )


def _is_tried(kind: type | None) -> bool:
    return kind is not None and kind is not Answer and kind not in TOO_MANY


@functools.cache
def _names(domain: actions.Domain) -> tuple[str, ...]:
    """Every name of a kind of thing, those that only the positions have among them."""
    faces = printed()
    training = [space.id for leader in faces.leaders.values() for space in leader.training]
    return {
        actions.Domain.CARD: (*faces.cards, ANY_CARD.id),
        actions.Domain.INTRIGUE: (*faces.intrigue, ANY_INTRIGUE.id),
        actions.Domain.SPACE: tuple(faces.spaces),
        actions.Domain.POST: tuple(faces.posts),
        actions.Domain.FACTION: factions(),
        actions.Domain.ZONE: (*ZONES, "deck"),
        actions.Domain.CONTRACT: tuple(faces.contracts),
        actions.Domain.TRAINING: tuple(training),
        actions.Domain.WON: (*faces.conflicts, *faces.objectives),
        actions.Domain.FATE: FATES,
    }[domain]


@functools.cache
def _written_down(kind: Any) -> tuple[Any, ...]:
    """Every input of a kind, by its owner or by somebody else; numbers are places in lists."""
    named = named_fields(kind)
    fields = [name for name in kind.__struct_fields__ if name != "by"]
    values = [
        (OWNER, OTHER) if name == "to" else _names(named[name]) if name in named else PLACES
        for name in fields
    ]
    return tuple(kind(by, *each) for by in (OWNER, OTHER) for each in product(*values))


PLACES = tuple(range(-1, MOST_PLACES + 1))


@proves(
    {
        "UPR-ACQ-002": Twin(
            "rules_engine.imperium.acquire",
            "return _named((*state.row, *_left_in_reserve(state), *player(state, seat).set_aside))",
            "return _named((*state.row, *player(state, seat).set_aside))",
        ),
    },
    cases=_cases(),
)
def what_is_offered_is_just_what_is_allowed(step: str) -> None:
    """Unsatisfiable iff an input is in the list of options exactly if it is allowed, and then once.

    Every input of the kind is tried, whatever card, place or effect it names; an amount is offered
    if it lies in a range that is, of the one who is asked. Whatever is offered besides, of another
    kind, is allowed too. Not tried are sending an Agent and playing an Intrigue card, and what is
    offered before the kind of turn is decided or for units in the rest of a turn.
    """
    _, kind = shape_and_input(step)
    before = open_position(step)
    assume_relied_on(before)
    stage(before)
    offered = options(IMPERIUM, before)
    kinds = {kind, *(shape_and_input(other)[1] for other in WITH_OTHERS if _shares(step, other))}
    for each in (other for other in offered if type(other) not in (*kinds, Amount)):
        claim(legal(IMPERIUM, before, each) is None, "whatever is offered is allowed")
    ranges = [each for each in offered if isinstance(each, Amount) and each.make == kind]
    if ranges or kind in (actions.Deploy, actions.Retreat):
        _claim_amounts(before, kind, ranges)
        return
    for given in (each for every in kinds for each in _written_down(every)):
        allowed = legal(IMPERIUM, before, given) is None
        claim(offered.count(given) == int(allowed), "it is offered exactly if it is allowed")


def _shares(step: str, other: str) -> bool:
    """Whether two steps begin with the same frame."""
    return step.partition(" <- ")[0] == other.partition(" <- ")[0]


def _claim_amounts(before: Any, kind: Any, ranges: list[Any]) -> None:
    given = quantity("given")
    tried = kind(OWNER, given)
    allowed = legal(IMPERIUM, before, tried) is None
    claim(all(each.by == OWNER for each in ranges), "it is offered to the one who is asked")
    within = [all_of(given >= each.low, given <= each.high) for each in ranges]
    inside = within[0] if within else False
    claim(inside if allowed else opposite(inside), "it is offered exactly if it is allowed")
