"""Which effect of a turn comes next: any, or the rest of a box that was begun, as a ruling says."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.imperium.actions import Resolve
from rules_engine.imperium.choices import (
    due,
    legal_resolve,
    optional,
    resolve_options,
    resolved,
    without,
)
from rules_engine.imperium.effects import run
from rules_engine.imperium.frames import AgentTurn, Item, RevealTurn
from rules_engine.imperium.state import State, follows
from rules_engine.imperium.turn_items import is_visit_influence
from rules_engine.kernel.game import push
from rules_engine.kernel.outcomes import Reason, Refusal, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

ORDER = cite("UPR-AGENT-009", "UPR-REVEAL-006")
VISIT = ("visit", 0)
"""The box of a visit's Influence, which is neither the space's nor the card's."""

AnyTurn = AgentTurn | RevealTurn


def legal_next(state: State, frame: AnyTurn, action: Resolve) -> Refusal | None:
    """Whether an effect of the turn can be resolved now. UPR-AGENT-009"""
    refused = legal_resolve(state, frame.seat, frame.items, action.index)
    if refused is not None:
        return refused
    unfinished = _unfinished(state, frame)
    if unfinished and frame.items[action.index] not in unfinished:
        return refusal([Reason("finish_box_first", ORDER)])
    return None


def next_options(state: State, frame: AnyTurn) -> Iterator[Resolve]:
    """The effects of the turn that can be resolved now."""
    unfinished = bool(_unfinished(state, frame))
    for option in resolve_options(state, frame.seat, frame.items):
        if not unfinished or _box(state, frame.items[option.index]) == frame.begun:
            yield option


def resolve_next(state: State, frame: AnyTurn, index: int) -> Step[State]:
    """An effect of the turn is resolved, the others stay due. UPR-AGENT-009, UPR-REVEAL-006"""
    item = frame.items[index]
    rest = change(frame, items=without(frame.items, index))
    if follows(state, "icon_granularity") == "whole_box":
        rest = _in_box(state, rest, _box(state, item))
    return run(push(state, rest), frame.seat, resolved(item))


def _box(state: State, item: Item) -> tuple[str, int]:
    return VISIT if is_visit_influence(state, item) else (item.source, item.copy)


def _unfinished(state: State, frame: AnyTurn) -> list[Item]:
    """What has to be resolved of the box that was begun, before any other effect."""
    if frame.begun is None or not _begun_is_due(state, frame):
        return []
    return [item for item in frame.items if _box(state, item) == frame.begun]


def _begun_is_due(state: State, frame: AnyTurn) -> bool:
    return any(_box(state, item) == frame.begun for item in due(state, frame.seat, frame.items))


def _in_box(state: State, frame: AnyTurn, box: tuple[str, int]) -> AnyTurn:
    """The turn after an effect of a box: what was left of an earlier box by choice is gone."""
    items = tuple(
        item
        for item in frame.items
        if frame.begun in (None, box)
        or _box(state, item) != frame.begun
        or not optional(item.effect, committed=False)
    )
    left = any(_box(state, item) == box for item in items)
    return change(frame, items=items, begun=box if left else None)
