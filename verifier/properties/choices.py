"""Groups of effects and choices inside them, whoever's they are: what may be left, what is lost."""

from __future__ import annotations

from typing import Any

from rules_engine.effects import tree
from rules_engine.effects.tree import Arrow, Effect, Gain, GainInfluence, If, Is, May, Pay, Summon
from rules_engine.imperium.actions import Choose, EndTurn, Resolve
from rules_engine.imperium.frames import (
    AgentTurn,
    ChooseOption,
    Effects,
    Item,
    PickSeveral,
    RevealTurn,
    Run,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Alliance, State, follows
from rules_engine.kernel.game import legal, options
from rules_engine.kernel.outcomes import Seat
from verifier.changes import nothing_changed, only
from verifier.current import choose, claim, domain, stage
from verifier.numbers import all_of, opposite
from verifier.play import line_from
from verifier.positions import (
    ALLIES,
    behind_the_wall,
    factions,
    influence_of,
    printed,
    symbolic_state,
)
from verifier.registry import Twin, proves
from verifier.seats import anyone, counting, done_by, seated
from verifier.watched import Lazy

MODULE = "rules_engine.imperium.choices"
PLAYERS = 3
CARD, SPACE = "dagger", "fremkit"
SPICE, WATER = Gain(1, "spice"), Gain(1, "water")
HOOKED = Is("maker_hooks")


# What may be left


@proves(
    {
        "UPR-COST-004": Twin(
            MODULE,
            "return all(optional(each, committed) for each in",
            "return any(optional(each, committed) for each in",
        )
    },
)
def what_a_condition_makes_a_duty_is_not_left() -> None:
    """Unsatisfiable iff a group is not left where a condition makes one of its effects a duty."""
    who, duty_if = anyone(PLAYERS), choose("duty if", (True, False))
    effect = If(HOOKED, SPICE, May(WATER)) if duty_if else If(HOOKED, May(WATER), SPICE)
    items = (Item(effect, SPACE), Item(May(WATER), SPACE))
    before = symbolic_state(PLAYERS, turn=None, pending=(Effects(who, items),))
    stage(before, (EndTurn(who),))
    allowed = legal(IMPERIUM, before, EndTurn(who)) is None
    if before.players[who].maker_hooks == duty_if:
        claim(not allowed, "the duty comes first")
    claim((EndTurn(who) in options(IMPERIUM, before)) == allowed, "what is allowed is offered")


@proves(
    {
        "UPR-COST-003": Twin(
            MODULE,
            'if follows(state, "intrigue_multi_line") == "all_mandatory":',
            'if follows(state, "intrigue_multi_line") == "each_optional":',
        ),
        "UPR-COST-004": Twin(
            MODULE,
            "rest = change(frame, items=without(frame.items, index), used=True)",
            "rest = change(frame, items=without(frame.items, index))",
        ),
    },
)
def one_line_of_a_card_has_to_be_used() -> None:
    """Unsatisfiable iff a card of lines can be left once one is used, or if the ruling says so all.

    Under `intrigue_multi_line` `all_mandatory` it can be left when none that is left can be used,
    else as soon as one was.
    """
    who = anyone(PLAYERS)
    paid = Arrow(Pay(1, "solari"), WATER)
    items = (Item(SPICE, CARD), Item(paid, CARD))
    frame = Effects(who, items, lines=True)
    before = symbolic_state(PLAYERS, turn=None, pending=(frame,))
    stage(before, (EndTurn(who),))
    claim(legal(IMPERIUM, before, EndTurn(who)) is not None, "a line has to be used")
    after, _ = done_by(before, Resolve(who, 0))
    rest = after.pending[0]
    claim(rest == Effects(who, items[1:], lines=True, used=True), "the other line is left")
    affordable = before.players[who].solari >= 1
    may_leave = legal(IMPERIUM, after, EndTurn(who)) is None
    if follows(before, "intrigue_multi_line") == "all_mandatory":
        claim((not affordable) == may_leave, "all that can be used are")
    else:
        claim(may_leave, "one is enough")


# What is lost with its card


@proves(
    {
        "UPR-REVEAL-010": Twin(
            MODULE,
            'if follows(state, "trashed_card_effects_lost") == "kept":',
            'if follows(state, "trashed_card_effects_lost") == "lost":',
        ),
        "UPR-ICON-011": Twin(
            MODULE,
            'return not (of_visit and follows(state, "subversive_trashed_first") == "two")',
            'return not (of_visit and follows(state, "subversive_trashed_first") == "one")',
        ),
    },
)
def effects_are_lost_with_their_card_as_ruled() -> None:
    """Unsatisfiable iff what is in the box of a card that is gone is lost, but for two rulings.

    `trashed_card_effects_lost` may keep it, `subversive_trashed_first` the Influence of the visit.
    What is in no box, or on a card in play, can be resolved.
    """
    who, there = anyone(PLAYERS), choose("in play", (True, False))
    visit = tree.VisitInfluence(2)
    items = (
        Item(SPICE, CARD, boxed=True),
        Item(visit, CARD, boxed=True),
        Item(SPICE, CARD),
    )
    before = seated(
        who,
        (AgentTurn(who, items),),
        {"in_play": (CARD,) if there else (), "intrigues": ()},
        turn=counting(who, "agent", space=SPACE),
        rulings=("trashed_card_effects_lost", "subversive_trashed_first", "no_deliberate_fizzle"),
    )
    index = choose("index", range(len(items)))
    stage(before, (Resolve(who, index),))
    allowed = legal(IMPERIUM, before, Resolve(who, index)) is None
    stays = there or index == 2 or follows(before, "trashed_card_effects_lost") == "kept"
    if not stays and index == 1:
        stays = follows(before, "subversive_trashed_first") == "two"
    claim(allowed == stays, "it is there as the rulings say")


# What waits in a box


@proves(
    {
        "UPR-REVEAL-006": Twin(
            MODULE,
            "tuple(item for item in frame.items if item.boxed)",
            "frame.items",
        ),
    },
)
def what_is_in_a_late_box_waits_for_its_condition() -> None:
    """Unsatisfiable iff what is left in the box of a late card joins the turn, and nothing else.

    The last effect of the box, if it is impossible as yet, waits there by itself; what can be
    resolved is, and what is in no box and is left is gone.
    """
    who, alone = anyone(PLAYERS), choose("alone", (True, False))
    boxed = choose("boxed", (True, False)) if alone else True
    needs = Item(If(HOOKED, SPICE), CARD, boxed=boxed)
    leaves = (Item(May(SPICE), CARD, boxed=True), Item(May(WATER), CARD))
    group = Effects(who, (needs,) if alone else leaves)
    turn = counting(who, "reveal")
    before = seated(who, (RevealTurn(who, ()), group), {"in_play": (CARD,)}, turn=turn, rulings=())
    if not alone:
        after, _ = done_by(before, EndTurn(who))
        claim(after.pending == (RevealTurn(who, leaves[:1]),), "what is in the box is due still")
        claim(nothing_changed(before, after), "nothing changes")
        return
    line = line_from(before).given(None)
    while not isinstance(line.state.pending[-1], RevealTurn):
        line = line.given(None)
    old = before.players[who]
    waits = boxed and not old.maker_hooks
    claim(line.state.pending == (RevealTurn(who, (needs,) if waits else ()),), "it waits, or comes")
    spice = old.spice + (1 if old.maker_hooks else 0)
    claim(only(before, line.state, who, spice=spice), "it gives what it says, unless it waits")


# One of several, or several


RULED = "sandworm_choice_when_protected"
TRACKS = ("fremen", "emperor")
ON_TRACKS = tuple(GainInfluence(1, faction) for faction in TRACKS)


@proves(
    {
        "UPR-FACTION-016": Twin(
            MODULE,
            "return influence.influence(state, seat, effect.faction) >= influence.TOP",
            "return influence.influence(state, seat, effect.faction) >= influence.TOP - 1",
        ),
    },
)
def a_full_track_is_picked_only_if_all_are_full() -> None:
    """Unsatisfiable iff an option that moves no cube is refused as long as another moves one.

    Only those that are left count. None is picked twice.
    """
    who, picked = anyone(PLAYERS), choose("picked", (None, (), (0,)))
    one: Any = ChooseOption(who, ON_TRACKS, CARD)
    frame = one if picked is None else PickSeveral(who, ON_TRACKS, 2, CARD, picked)
    allied = {
        each: each in TRACKS and choose(f"allied with {each}", (True, False)) for each in factions()
    }
    held = tuple(Alliance(each, who if allied[each] else None) for each in allied)
    before = symbolic_state(PLAYERS, alliances=held, turn=None, pending=(frame,))
    for faction in TRACKS:
        domain((influence_of(before, faction, who) >= ALLIES) == allied[faction])
    option = choose("option", (0, 1))
    stage(before, (Choose(who, option),))
    full = [influence_of(before, faction, who) >= 6 for faction in TRACKS]
    left = [at for at in (0, 1) if at not in (picked or ())]
    wasted = all_of(full[option], opposite(all_of(*(full[at] for at in left))))
    allowed = legal(IMPERIUM, before, Choose(who, option)) is None
    right = all_of(option in left, opposite(wasted))
    claim(right == allowed, "it moves a cube, or none can")
    claim((Choose(who, option) in options(IMPERIUM, before)) == allowed, "it is offered then")


@proves(
    {
        "UPR-AGENT-009": Twin(
            MODULE, "return Step(push(state, *reversed(runs)))", "return Step(push(state, *runs))"
        ),
        "UPR-COST-005": Twin(
            MODULE,
            "picked = (*frame.picked, action.option)",
            "picked = (action.option,)",
        ),
    },
)
def several_options_come_in_the_order_they_are_picked() -> None:
    """Unsatisfiable iff so many different options are picked, and come in that order.

    None comes before all are picked, and nothing changes until then.
    """
    who, picks = anyone(PLAYERS), choose("picks", (2, 3))
    gains: tuple[Effect, ...] = (SPICE, WATER, Gain(1, "solari"))
    before = state = symbolic_state(
        PLAYERS, turn=None, pending=(PickSeveral(who, gains, picks, CARD),)
    )
    order: list[int] = []
    while len(order) < picks:
        left = [at for at in range(len(gains)) if at not in order]
        offered = tuple(Choose(who, at) for at in left)
        claim(options(IMPERIUM, state) == offered, "each is picked once")
        order.append(choose(f"pick {len(order)}", left))
        state, _ = done_by(state, Choose(who, order[-1]))
        claim(nothing_changed(before, state), "nothing has come yet")
        stage(before, tuple(Choose(who, at) for at in order))
    runs = [Run(who, Item(gains[at], CARD)) for at in order]
    claim(state.pending == tuple(reversed(runs)), "the first one picked comes first")


def _may_summon(who: Seat) -> State:
    """A player has to pick spice or sandworms, at a Conflict that the Wall may shelter."""
    conflicts = printed().conflicts.values()
    there = next(face.id for face in conflicts if face.location == "arrakeen")
    nowhere = next(face.id for face in conflicts if face.location is None)
    frame = ChooseOption(who, (SPICE, If(HOOKED, Summon(1))), SPACE)
    turn = counting(who, "agent", forbidden=Lazy("turn.forbidden", (False, True)))
    return symbolic_state(
        PLAYERS,
        lambda _: {"sandworms": 0, "strength": 0},
        conflict=Lazy("conflict", (there, nowhere)),
        turn=turn,
        pending=(frame,),
    )


@proves(
    {
        "UPR-CLAR-007": Twin(
            MODULE,
            "            if deployment_forbidden(state, seat):\n",
            "            if deployment_forbidden(state, seat) and protects_conflict(state):\n",
        ),
    },
)
def sandworms_kept_out_are_picked_only_as_ruled() -> None:
    """Unsatisfiable iff an option of sandworms takes hooks and, as ruled, that they can come.

    Under `sandworm_choice_when_protected` `not_offered` they have to be let in by the Wall and by
    what forbids units this turn.
    """
    who = anyone(PLAYERS)
    before = _may_summon(who)
    stage(before, (Choose(who, 1),))
    allowed = legal(IMPERIUM, before, Choose(who, 1)) is None
    turn = before.turn
    assert turn is not None
    can = before.players[who].maker_hooks
    if can and follows(before, RULED) == "not_offered":
        can = not turn.forbidden and not behind_the_wall(before)
    claim(allowed == can, "they come, or are picked in vain")
