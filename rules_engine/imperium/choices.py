"""Groups of effects and the choices inside them: the owner picks what comes next."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.effects import tree
from rules_engine.effects.tree import Effect
from rules_engine.imperium.actions import Accept, Choose, Decline, EndTurn, Resolve
from rules_engine.imperium.cards import anything_to_trash
from rules_engine.imperium.effects import (
    NOT_PAID,
    condition_rules,
    holds,
    payable,
    rules_of,
    run,
)
from rules_engine.imperium.frames import ChooseOption, Decide, Effects, Item, Run
from rules_engine.imperium.shield_wall import PROTECTS, protects_conflict
from rules_engine.imperium.state import State, follows, player
from rules_engine.kernel.game import NOBODY, Asks, FrameRules, asks, push
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

ORDER = cite("UPR-AGENT-009", "UPR-REVEAL-006")
MAY: dict[type, tuple[str, ...]] = {
    tree.RemoveShieldWall: cite("UPR-WALL-004"),
    tree.TrashCard: cite("UPR-ICON-013"),
}
"""Why an effect may be declined, by its kind; every other is a cost nobody has to pay."""

NOBODY_HAS_TO_PAY = cite("UPR-COST-004")
ONE_OPTION = cite("UPR-AGENT-009")
CARD_GONE = cite("UPR-REVEAL-010", "UPR-ICON-011")
LINES = cite("UPR-COST-003", "UPR-COST-004")


# One effect of a group


def optional(effect: Effect, committed: bool) -> bool:
    """Whether an effect may be left: it says `may`, or it has a cost nobody is bound to pay.

    UPR-COST-004, UPR-ICON-013
    """
    match effect:
        case tree.May():
            return True
        case tree.Arrow():
            return not committed
        case tree.If(effect=inner):
            return optional(inner, committed)
        case _:
            return False


def why_not_resolve(state: State, seat: Seat, effect: Effect) -> Iterator[Reason]:
    """The reasons why an effect cannot be resolved now."""
    match effect:
        case tree.If(condition, inner):
            if not holds(state, seat, condition):
                yield Reason("condition_not_met", condition_rules(condition))
            yield from why_not_resolve(state, seat, inner)
        case tree.Arrow(cost, _):
            if not payable(state, seat, cost):
                yield Reason("cannot_pay", NOT_PAID)
        case tree.May(inner):
            yield from why_not_resolve(state, seat, inner)
        case _:
            return


def resolvable(state: State, seat: Seat, effect: Effect) -> bool:
    """Whether an effect can be resolved now."""
    return not any(True for _ in why_not_resolve(state, seat, effect))


def why_not_item(state: State, seat: Seat, item: Item) -> Iterator[Reason]:
    """The reasons why an effect that is due cannot be resolved: also, its card may be gone."""
    if (
        item.boxed
        and item.source not in player(state, seat).in_play
        and follows(state, "trashed_card_effects_lost") == "lost"
    ):
        yield Reason("card_is_gone", CARD_GONE, {"card": item.source})
    yield from why_not_resolve(state, seat, item.effect)


def can_resolve(state: State, seat: Seat, item: Item) -> bool:
    """Whether an effect that is due can be resolved now."""
    return not any(True for _ in why_not_item(state, seat, item))


def due(state: State, seat: Seat, items: tuple[Item, ...], committed: bool = False) -> list[Item]:
    """The effects that have to be resolved before the group can be left."""
    return [
        item
        for item in items
        if not optional(item.effect, committed) and can_resolve(state, seat, item)
    ]


def legal_resolve(state: State, seat: Seat, items: tuple[Item, ...], index: int) -> Refusal | None:
    """Whether the effect of this number can be resolved now."""
    if not 0 <= index < len(items):
        return refusal([Reason("no_such_effect", ORDER, {"index": index})])
    return refusal(why_not_item(state, seat, items[index]))


def resolve_options(state: State, seat: Seat, items: tuple[Item, ...]) -> tuple[Resolve, ...]:
    """The effects that can be resolved now."""
    return tuple(
        Resolve(seat, index) for index, item in enumerate(items) if can_resolve(state, seat, item)
    )


def without(items: tuple[Item, ...], index: int) -> tuple[Item, ...]:
    """The group less the effect of this number."""
    return items[:index] + items[index + 1 :]


def resolved(item: Item) -> Item:
    """What happens when an optional effect is resolved: it is no longer asked whether."""
    if isinstance(item.effect, tree.May):
        return change(item, effect=item.effect.effect)
    return item


# Groups that are not a whole turn


def _may_leave(state: State, frame: Effects) -> bool:
    if frame.lines:
        return _lines_done(state, frame)
    return not due(state, frame.seat, frame.items, frame.committed)


def _lines_done(state: State, frame: Effects) -> bool:
    """At least one line has to be used; all that apply, if the ruling says so."""
    if follows(state, "intrigue_multi_line") == "all_mandatory":
        return not any(resolvable(state, frame.seat, item.effect) for item in frame.items)
    return frame.used


def _asks_effects(_: State, frame: Effects) -> Asks:
    if not frame.items:
        return NOBODY
    only = frame.items[0].effect
    if len(frame.items) == 1 and not frame.lines and not optional(only, frame.committed):
        return NOBODY
    return asks(frame.seat)


def _legal_effects(state: State, frame: Effects, action: object) -> Refusal | None:
    match action:
        case Resolve(seat, index):
            return legal_resolve(state, seat, frame.items, index)
        case EndTurn():
            if _may_leave(state, frame):
                return None
            return refusal([Reason("effects_are_due", LINES if frame.lines else ORDER)])
        case _:
            return refusal([Reason("resolve_effects_first", ORDER)])


def _effects_options(state: State, frame: Effects) -> tuple[Resolve | EndTurn, ...]:
    leave = (EndTurn(frame.seat),) if _may_leave(state, frame) else ()
    return (*resolve_options(state, frame.seat, frame.items), *leave)


def _apply_effects(state: State, frame: Effects, action: object) -> Step[State]:
    """The owner resolves the effects of a group in any order. UPR-AGENT-009"""
    if isinstance(action, EndTurn):
        return Step(state)
    if not frame.items:
        return Step(state)
    index = action.index if isinstance(action, Resolve) else 0
    rest = change(frame, items=without(frame.items, index), used=True)
    state = push(state, rest) if rest.items else state
    return run(state, frame.seat, resolved(frame.items[index]))


EFFECTS = FrameRules(
    asks=_asks_effects, apply=_apply_effects, legal=_legal_effects, options=_effects_options
)


# An effect that happens now


RUN_NOW = FrameRules(
    asks=lambda _, __: NOBODY,
    apply=lambda state, frame, _: run(state, frame.seat, frame.item),
    legal=lambda _, frame, __: refusal([Reason("not_asked", rules_of(frame.item.effect))]),
    options=lambda _, __: (),
)


# An effect that may be declined


def _may(frame: Decide) -> tuple[str, ...]:
    return MAY.get(type(frame.item.effect), NOBODY_HAS_TO_PAY)


def _impossible(state: State, frame: Decide) -> Iterator[Reason]:
    """What stands against doing what one may do."""
    yield from why_not_resolve(state, frame.seat, frame.item.effect)
    if isinstance(frame.item.effect, tree.TrashCard) and not anything_to_trash(state, frame.seat):
        yield Reason("nothing_to_trash", _may(frame))


def _legal_decide(state: State, frame: Decide, action: object) -> Refusal | None:
    match action:
        case Accept():
            return refusal(_impossible(state, frame))
        case Decline():
            return None
        case _:
            return refusal([Reason("accept_or_decline", _may(frame))])


def _decide_options(state: State, frame: Decide) -> tuple[Accept | Decline, ...]:
    can = not any(True for _ in _impossible(state, frame))
    return (*((Accept(frame.seat),) if can else ()), Decline(frame.seat))


def _decide(state: State, frame: Decide, action: object) -> Step[State]:
    """The owner does what the effect allows, or leaves it. UPR-WALL-004"""
    if isinstance(action, Accept):
        return Step(push(state, Run(frame.seat, frame.item)))
    return Step(state, (Event("declines", _may(frame), frame.seat),))


DECIDE = FrameRules(
    asks=lambda _, frame: asks(frame.seat),
    apply=_decide,
    legal=_legal_decide,
    options=_decide_options,
)


# One of several options


def _sheltered_summon(state: State, effect: Effect) -> bool:
    """Whether an option does nothing but summon sandworms that the Shield Wall keeps out."""
    match effect:
        case tree.If(effect=inner):
            return _sheltered_summon(state, inner)
        case tree.Summon():
            return protects_conflict(state)
        case _:
            return False


def _why_not_option(state: State, frame: ChooseOption, option: int) -> Iterator[Reason]:
    if not 0 <= option < len(frame.options):
        yield Reason("no_such_option", ONE_OPTION, {"option": option})
        return
    effect = frame.options[option]
    yield from why_not_resolve(state, frame.seat, effect)
    if (
        _sheltered_summon(state, effect)
        and follows(state, "sandworm_choice_when_protected") == "not_offered"
    ):
        yield Reason("sandworm_kept_out", PROTECTS)


def _legal_option(state: State, frame: ChooseOption, action: object) -> Refusal | None:
    if not isinstance(action, Choose):
        return refusal([Reason("choose_option", ONE_OPTION)])
    return refusal(_why_not_option(state, frame, action.option))


def _options(state: State, frame: ChooseOption) -> tuple[Choose, ...]:
    return tuple(
        Choose(frame.seat, option)
        for option in range(len(frame.options))
        if not any(True for _ in _why_not_option(state, frame, option))
    )


def _choose(state: State, frame: ChooseOption, action: Choose) -> Step[State]:
    """Exactly one of the options is carried out."""
    chosen = Item(frame.options[action.option], frame.source)
    return Step(push(state, Run(frame.seat, chosen)))


CHOOSE_OPTION = FrameRules(
    asks=lambda _, frame: asks(frame.seat),
    apply=_choose,
    legal=_legal_option,
    options=_options,
)
