"""Groups of effects and the choices inside them: the owner picks what comes next."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.effects import tree
from rules_engine.effects.tree import Effect
from rules_engine.imperium import influence
from rules_engine.imperium.actions import Accept, Choose, Decline, EndTurn, Resolve
from rules_engine.imperium.conditions import condition_rules, holds
from rules_engine.imperium.contracts import HARVEST
from rules_engine.imperium.effects import rules_of, run, why_impossible, why_not_buy
from rules_engine.imperium.frames import ChooseOption, Decide, Effects, Item, PickSeveral, Run
from rules_engine.imperium.meaning import WhyNot, nothing_against
from rules_engine.imperium.shield_wall import PROTECTS, protects_conflict
from rules_engine.imperium.state import State, follows, player
from rules_engine.imperium.turn_items import add_to_turn
from rules_engine.imperium.units import FORBIDDEN, deployment_forbidden
from rules_engine.kernel.game import NOBODY, Asks, FrameRules, asks, push
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, none, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

ORDER = cite("UPR-AGENT-009", "UPR-REVEAL-006")
MAY: dict[type, tuple[str, ...]] = {
    tree.RemoveShieldWall: cite("UPR-WALL-004"),
    tree.TrashCard: cite("UPR-ICON-013"),
    tree.Arrow: cite("UPR-COST-004"),
}
"""Why an effect may be declined, by its kind; every other says so itself."""

OWN_WORDS = cite("UPR-ROUND-005")
SEVERAL_TRACKS = (tree.ANY_FACTION, tree.SPIED_ON)
ONE_OPTION = cite("UPR-AGENT-009")
CARD_GONE = cite("UPR-REVEAL-010", "UPR-ICON-011")
LINES = cite("UPR-COST-003", "UPR-COST-004")
UNPAID = cite("UPR-COST-003")


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
        case tree.If(_, inner, otherwise):
            return all(optional(each, committed) for each in (inner, otherwise) if each is not None)
        case _:
            return False


def why_not_resolve(state: State, seat: Seat, effect: Effect, source: str) -> Iterator[Reason]:
    """The reasons why an effect cannot be resolved now."""
    return WHY_NOT.get(type(effect), why_impossible)(state, seat, effect, source)


def _why_not_if(state: State, seat: Seat, effect: tree.If, source: str) -> Iterator[Reason]:
    if holds(state, seat, effect.condition, source):
        return why_not_resolve(state, seat, effect.effect, source)
    if effect.otherwise is None:
        rules = _asked_by(effect.effect) + condition_rules(effect.condition)
        return iter((Reason("condition_not_met", rules),))
    return why_not_resolve(state, seat, effect.otherwise, source)


def _asked_by(effect: Effect) -> tuple[str, ...]:
    """The rules that put a condition before an effect, if it is no card that says so.

    UPR-CHOAM-012
    """
    return HARVEST if isinstance(effect, tree.CompleteContract) else ()


def _why_not_arrow(state: State, seat: Seat, effect: tree.Arrow, source: str) -> Iterator[Reason]:
    yield from _why_not_pay(state, seat, effect.cost, source)
    yield from why_not_buy(state, seat, effect.effect, source)


def _why_not_may(state: State, seat: Seat, effect: tree.May, source: str) -> Iterator[Reason]:
    return why_not_resolve(state, seat, effect.effect, source)


WHY_NOT: dict[type, WhyNot] = {
    tree.If: _why_not_if,
    tree.Arrow: _why_not_arrow,
    tree.May: _why_not_may,
    tree.All: nothing_against,
}
"""What stands against resolving an effect that consists of others."""


def _why_not_pay(state: State, seat: Seat, cost: Effect, source: str) -> Iterator[Reason]:
    """The reasons why a cost cannot be paid, whatever it consists of. UPR-COST-003"""
    for reason in why_impossible(state, seat, cost, source):
        yield change(reason, rules=tuple(dict.fromkeys((*reason.rules, *UNPAID))))


def resolvable(state: State, seat: Seat, effect: Effect, source: str) -> bool:
    """Whether an effect can be resolved now."""
    return none(why_not_resolve(state, seat, effect, source))


def why_impossible_item(state: State, seat: Seat, item: Item) -> Iterator[Reason]:
    """The reasons why an effect that is due is impossible now: also, its card may be gone."""
    if _lost(state, seat, item):
        yield Reason("card_is_gone", CARD_GONE, {"card": item.source})
    yield from why_not_resolve(state, seat, item.effect, item.source)


def _lost(state: State, seat: Seat, item: Item) -> bool:
    """Whether the card that an effect stands on is gone, and the effect with it."""
    if not item.boxed or item.source in player(state, seat).in_play:
        return False
    if follows(state, "trashed_card_effects_lost") == "kept":
        return False
    of_visit = any(isinstance(part, tree.VisitInfluence) for part in tree.walk(item.effect))
    return not (of_visit and follows(state, "subversive_trashed_first") == "two")


def why_not_item(state: State, seat: Seat, item: Item) -> Iterator[Reason]:
    """The reasons why an effect that is due cannot be resolved: it has to be possible.

    A ruling lets duties be resolved at any time, as far as they are possible.
    """
    at_any_time = follows(state, "no_deliberate_fizzle") == "any_time"
    if at_any_time and not optional(item.effect, committed=False) and not _lost(state, seat, item):
        return iter(())
    return why_impossible_item(state, seat, item)


def can_resolve(state: State, seat: Seat, item: Item) -> bool:
    """Whether an effect that is due can be resolved now."""
    return none(why_not_item(state, seat, item))


def due(
    state: State, seat: Seat, items: tuple[Item, ...], committed: bool = False
) -> Iterator[Item]:
    """The effects that have to be resolved before the group can be left."""
    for item in items:
        if not optional(item.effect, committed) and none(why_impossible_item(state, seat, item)):
            yield item


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
    """The group less the effect of this number, which so comes once a turn. UPR-COST-005"""
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
    return none(due(state, frame.seat, frame.items, frame.committed))


def _lines_done(state: State, frame: Effects) -> bool:
    """At least one line has to be used; all that apply, if the ruling says so."""
    if follows(state, "intrigue_multi_line") == "all_mandatory":
        return not any(
            resolvable(state, frame.seat, item.effect, item.source) for item in frame.items
        )
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


def _waits(state: State, frame: Effects) -> bool:
    """Whether the last effect of a box is impossible as yet."""
    if len(frame.items) != 1 or not frame.items[0].boxed:
        return False
    return not none(why_impossible_item(state, frame.seat, frame.items[0]))


def _stay_due(state: State, frame: Effects) -> State:
    """What is left in the box of a card that came into play late is due with the turn's effects.

    UPR-REVEAL-006
    """
    return add_to_turn(state, frame.seat, tuple(item for item in frame.items if item.boxed))


def _apply_effects(state: State, frame: Effects, action: object) -> Step[State]:
    """The owner resolves the effects of a group in any order. UPR-AGENT-009"""
    if isinstance(action, EndTurn) or _waits(state, frame):
        return Step(_stay_due(state, frame))
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
    return MAY.get(type(frame.item.effect), OWN_WORDS)


def _impossible(state: State, frame: Decide) -> Iterator[Reason]:
    """What stands against doing what one may do."""
    return why_not_resolve(state, frame.seat, frame.item.effect, frame.item.source)


def _legal_decide(state: State, frame: Decide, action: object) -> Refusal | None:
    match action:
        case Accept():
            return refusal(_impossible(state, frame))
        case Decline():
            return None
        case _:
            return refusal([Reason("accept_or_decline", _may(frame))])


def _decide_options(state: State, frame: Decide) -> tuple[Accept | Decline, ...]:
    can = none(_impossible(state, frame))
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


def _why_no_sandworm(state: State, seat: Seat, effect: Effect) -> Iterator[Reason]:
    """What keeps the sandworms out of an option that does nothing but summon them."""
    match effect:
        case tree.If(effect=inner) | tree.Arrow(effect=inner):
            yield from _why_no_sandworm(state, seat, inner)
        case tree.Summon():
            if protects_conflict(state):
                yield Reason("sandworm_kept_out", PROTECTS)
            if deployment_forbidden(state, seat):
                yield Reason("deployment_forbidden", FORBIDDEN)


def _wasted(state: State, seat: Seat, effect: Effect) -> bool:
    """Whether an option is Influence on a track that is at its top already."""
    if not isinstance(effect, tree.GainInfluence) or effect.faction in SEVERAL_TRACKS:
        return False
    return influence.influence(state, seat, effect.faction) >= influence.TOP


def _not_picked(frame: ChooseOption | PickSeveral) -> tuple[Effect, ...]:
    """The options that are left."""
    picked = frame.picked if isinstance(frame, PickSeveral) else ()
    return tuple(each for at, each in enumerate(frame.options) if at not in picked)


def _why_not_option(
    state: State, frame: ChooseOption | PickSeveral, option: int
) -> Iterator[Reason]:
    if not 0 <= option < len(frame.options):
        yield Reason("no_such_option", ONE_OPTION, {"option": option})
        return
    effect = frame.options[option]
    yield from why_not_resolve(state, frame.seat, effect, frame.source)
    if _wasted(state, frame.seat, effect) and not all(
        _wasted(state, frame.seat, each) for each in _not_picked(frame)
    ):
        yield Reason("track_cannot_move", influence.ANY_FACTION)
    if follows(state, "sandworm_choice_when_protected") == "not_offered":
        yield from _why_no_sandworm(state, frame.seat, effect)


def _legal_option(state: State, frame: ChooseOption, action: object) -> Refusal | None:
    if not isinstance(action, Choose):
        return refusal([Reason("choose_option", ONE_OPTION)])
    return refusal(_why_not_option(state, frame, action.option))


def _options(state: State, frame: ChooseOption) -> tuple[Choose, ...]:
    return tuple(
        Choose(frame.seat, option)
        for option in range(len(frame.options))
        if none(_why_not_option(state, frame, option))
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


# Several different options, all picked before the first is resolved


def _why_not_pick(state: State, frame: PickSeveral, option: int) -> Iterator[Reason]:
    yield from _why_not_option(state, frame, option)
    if option in frame.picked:
        yield Reason("picked_already", ONE_OPTION, {"option": option})


def _legal_pick(state: State, frame: PickSeveral, action: object) -> Refusal | None:
    if not isinstance(action, Choose):
        return refusal([Reason("choose_option", ONE_OPTION)])
    return refusal(_why_not_pick(state, frame, action.option))


def _picks(state: State, frame: PickSeveral) -> tuple[Choose, ...]:
    return tuple(
        Choose(frame.seat, option)
        for option in range(len(frame.options))
        if none(_why_not_pick(state, frame, option))
    )


def _pick(state: State, frame: PickSeveral, action: Choose) -> Step[State]:
    """One option more is picked; with the last one all of them are resolved."""
    picked = (*frame.picked, action.option)
    if len(picked) < frame.picks:
        return Step(push(state, change(frame, picked=picked)))
    runs = [Run(frame.seat, Item(frame.options[each], frame.source)) for each in picked]
    return Step(push(state, *reversed(runs)))


PICK_SEVERAL = FrameRules(
    asks=lambda _, frame: asks(frame.seat), apply=_pick, legal=_legal_pick, options=_picks
)
