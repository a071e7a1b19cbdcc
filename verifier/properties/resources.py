"""Solari, spice and water: what is gained from the bank, and what is paid."""

from __future__ import annotations

from rules_engine.catalogue.things import sentences, things
from rules_engine.effects.tree import (
    Arrow,
    AtPlacement,
    DoubleBonusSpice,
    Effect,
    Gain,
    GainBonusSpice,
    Pay,
    walk,
)
from rules_engine.imperium.actions import Choose, EndTurn, PlayAgent, Resolve
from rules_engine.imperium.frames import AgentTurn, Effects, Item, RevealTurn, Run
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State, ThisTurn
from rules_engine.kernel.game import handle, legal, options, step
from rules_engine.kernel.outcomes import Seat, Step
from verifier.current import assume, choose, claim, quantity, stage
from verifier.placements import assume_default
from verifier.play import play_out
from verifier.positions import NAMES, influence_of, printed, symbolic_state, unchanged
from verifier.registry import DATA_CHECK, Twin, proves
from verifier.seats import anyone, claim_told, own_or_other_turn
from verifier.visits import (
    FITS,
    SENDING,
    VISITOR,
    Changes,
    about_to_visit,
    claim_changes,
    has,
    own_cards,
    own_config,
)

RESOURCES = ("solari", "spice", "water")
PLAYERS = 3
EFFECTS = "rules_engine.imperium.effects"
MODULE = "rules_engine.imperium.resources"


# The bank


def _about_to_run(who: Seat, effect: Effect) -> State:
    """An effect of a player comes next, outside of any turn."""
    source = next(iter(printed().spaces))
    return symbolic_state(PLAYERS, turn=None, pending=(Run(who, Item(effect, source)),))


@proves(
    {
        "UPR-COST-007": Twin(
            MODULE, "{what: owned(owner, what) - amount}", "{what: owned(owner, what)}"
        )
    },
)
def resources_come_from_the_bank_and_go_back_to_it() -> None:
    """Unsatisfiable iff a gain adds just its amount to its owner, and a cost takes just its own.

    A cost is paid in full or not at all, so nobody ever has less than nothing. The bank is no part
    of a position: what one player gains or pays, no other loses or gets. Nothing else changes.
    """
    who, what = choose("who", range(PLAYERS)), choose("what", RESOURCES)
    amount = quantity("amount")
    gains = choose("gains", (True, False))
    effect = Gain(amount, what) if gains else Arrow(Pay(amount, what), Gain(1, "vp"))
    before = _about_to_run(who, effect)
    after, events = play_out(before)
    expected: Changes
    if gains:
        expected = {who: {what: amount}}
        claim_told(events, "gains", who, amount=amount, what=what)
    elif has(before, what, who) >= amount:
        expected = {who: {what: -amount, "victory_points": 1}}
        claim_told(events, "pays", who, amount=amount, what=what)
        claim_told(events, "scores", who, points=1)
    else:
        expected = {}
    claim_changes(before, after, expected)
    claim(has(after, what, who) >= 0, f"{NAMES[who]} has not less than nothing")


@proves(
    {
        "UPR-COST-008": Twin(
            MODULE,
            "{what: owned(owner, what) + amount}",
            "{what: min(owned(owner, what) + amount, 30)}",
        )
    },
)
def the_bank_never_runs_dry() -> None:
    """Unsatisfiable iff a gain comes in full, however large it is and however much is owned."""
    who, what = choose("who", range(PLAYERS)), choose("what", RESOURCES)
    amount = quantity("amount")
    before = _about_to_run(who, Gain(amount, what))
    after, _ = play_out(before)
    claim(has(after, what, who) == has(before, what, who) + amount, "all of it is gained")


# Bonus spice


def _harvesting(who: Seat, effect: Effect, space: str) -> State:
    """An effect of a player comes next, in no turn, the own one or that of the next player."""
    pending = (Run(who, Item(effect, space)),)
    return symbolic_state(PLAYERS, turn=own_or_other_turn(who), pending=pending)


@proves(
    {
        "UPR-MAKER-005": Twin(
            MODULE,
            "change(turn, harvested=turn.harvested + amount)",
            "change(turn, harvested=amount)",
        )
    },
)
def bonus_spice_is_taken_and_counted_by_the_own_turn() -> None:
    """Unsatisfiable iff the bonus spice of a space comes to who harvests there, and is counted.

    The own turn adds it to the spice and to the harvest that it has counted, a turn of another
    counts nothing. That space has none left, the others have theirs, and nothing else changes.
    """
    who = anyone(PLAYERS)
    space = choose("space", [maker.id for maker in printed().spaces.values() if maker.maker])
    before = _harvesting(who, GainBonusSpice(), space)
    after, events = play_out(before)
    (lay,) = (maker.bonus_spice for maker in before.makers if maker.space == space)
    claim_changes(before, after, {who: {"spice": lay}, None: {space: -lay}})
    claim_told(events, "gains", who, amount=lay, what="spice")
    was, now = before.turn, after.turn
    if was is None or now is None:
        claim(was is None and now is None, "no turn begins")
        return
    counted = lay if was.seat == who else 0
    claim(now.spice == was.spice + counted, "the own turn counts the spice")
    claim(now.harvested == was.harvested + counted, "and the harvest")
    claim(unchanged(was, now, "spice", "harvested"), "it remembers all else")


@proves(
    {
        "UPR-ROUND-005": Twin(
            MODULE, "if _harvested(state, seat) < 1:", "if _harvested(state, seat) < 0:"
        )
    },
)
def bonus_spice_is_doubled_once_it_was_taken() -> None:
    """Unsatisfiable iff a card that doubles the harvest waits until the own turn has one."""
    who = anyone(PLAYERS)
    card, space = next(iter(printed().cards)), next(iter(printed().spaces))
    items = (Item(DoubleBonusSpice(), card), Item(Gain(1, "water"), space))
    before = symbolic_state(PLAYERS, turn=own_or_other_turn(who), pending=(Effects(who, items),))
    assume_default(before, "no_deliberate_fizzle")
    given = Resolve(who, 0)
    stage(before, (given,))
    turn = before.turn
    own = turn is not None and turn.seat == who
    allowed = legal(IMPERIUM, before, given) is None
    harvested = turn.harvested if turn is not None and own else 0
    claim(allowed == (harvested >= 1), "it comes after the harvest of the own turn")
    claim((given in options(IMPERIUM, before)) == allowed, "it is offered then")


# The cost of a space


COSTS = {
    "sardaukar": (4, "spice", "emperor"),
    "heighliner": (5, "spice", "spacing_guild"),
    "espionage": (1, "spice", "bene_gesserit"),
    "desert_tactics": (1, "water", "fremen"),
    "high_council": (5, "solari", "landsraad"),
    "imperial_privilege": (3, "solari", "landsraad"),
    "swordmaster": (8, "solari", "landsraad"),
    "research_station": (2, "water", "city"),
    "deep_desert": (3, "water", "spice_trade"),
    "hagga_basin": (1, "water", "spice_trade"),
    "shipping": (3, "spice", "spice_trade"),
}
"""What each space costs, and its icon. UPR-BOARD-001 to UPR-BOARD-022"""
PICKED_COSTS = {
    "gather_support": (2, "solari", "landsraad"),
    "spice_refinery": (1, "spice", "city"),
}
"""What can be paid for more at a space that is free else. UPR-BOARD-010, UPR-BOARD-021"""


@proves(
    {
        "UPR-COST-001": Twin(
            "rules_engine.imperium.agent_turn",
            "if cost is not None and not resources.can_pay(state, seat, cost.amount, cost.what):",
            "if cost is not None and resources.owned(player(state, seat), cost.what) < 1:",
        )
    },
    cases=tuple({"space": space} for space in COSTS),
)
def the_cost_of_a_space_is_owned_when_the_agent_is_sent(space: str) -> None:
    """Unsatisfiable iff an Agent can be sent just by who owns the cost of the space beforehand.

    What the card or the space would give is of no help. The cost is paid at once, before any
    effect, and until then nothing but the Agent and the card has moved.
    """
    amount, what, icon = COSTS[space]
    before = about_to_visit(
        space, icon, box=(Gain(10, what),), others=lambda _: {"swordmaster": False}
    )
    for faction in ("emperor", "spacing_guild"):
        assume(influence_of(before, faction) >= 2)
    send = PlayAgent(VISITOR, FITS, space)
    stage(before, (send,))
    sent = handle(IMPERIUM, before, send)
    owned = has(before, what) >= amount
    claim(owned == isinstance(sent, Step), "the space is open to who owns the cost")
    if isinstance(sent, Step):
        claim_changes(before, sent.state, SENDING, {VISITOR: {what: -amount}})


@proves(
    {
        "UPR-COST-001": Twin(
            "rules_engine.imperium.agent_turn",
            """    if resources.can_pay(state, frame.seat, cost.amount, cost.what):
        return None
""",
            """    if resources.can_pay(state, frame.seat, cost.amount - 1, cost.what):
        return None
""",
        )
    },
    cases=tuple({"space": space} for space in PICKED_COSTS),
)
def a_cost_of_choice_is_owned_when_the_agent_is_sent(space: str) -> None:
    """Unsatisfiable iff the dearer of two costs can be picked just by who owns it beforehand.

    What the card or the space would give is of no help. The cost is paid at once, before any effect
    of the visitor, and until then nothing but the Agent and the card has moved.
    """
    amount, what, icon = PICKED_COSTS[space]
    before = about_to_visit(space, icon, box=(Gain(10, what),))
    send, dearer = PlayAgent(VISITOR, FITS, space), Choose(VISITOR, 1)
    sent = handle(IMPERIUM, before, send)
    assert isinstance(sent, Step), "the space is open to everybody"
    stage(before, (send, dearer))
    paid = handle(IMPERIUM, sent.state, dearer)
    owned = has(before, what) >= amount
    claim(owned == isinstance(paid, Step), "the dearer cost is open to who owns it")
    if isinstance(paid, Step):
        claim_changes(before, paid.state, SENDING, {VISITOR: {what: -amount}})


# Arrows


def _some_arrow() -> tuple[State, Pay, Gain]:
    """A turn with an arrow from any resource to points; its cost and its effect."""
    cost = Pay(quantity("cost", 1), choose("what", RESOURCES))
    effect = Gain(quantity("points", 1), "vp")
    return _turn_with(Arrow(cost, effect), choose("turn", ("agent", "reveal"))), cost, effect


def _turn_with(arrow: Arrow, kind: str) -> State:
    """An Agent or Reveal turn in which a card's arrow is due, and another effect of the card."""
    box = (arrow, Gain(1, "persuasion"))
    items = tuple(Item(each, FITS, boxed=True) for each in box)
    frame = AgentTurn(VISITOR, items) if kind == "agent" else RevealTurn(VISITOR, items)
    return symbolic_state(
        PLAYERS,
        lambda owner: {"in_play": (FITS,)} if owner.seat == VISITOR else {},
        config=own_config(PLAYERS, own_cards("city", box), ()),
        turn=ThisTurn(VISITOR, kind=kind),
        pending=(frame,),
    )


def _resolve_some(before: State, most: int) -> tuple[State, list[Effect]]:
    """Resolve some effects, at most so many, in any order; and tell which."""
    state = before
    resolved: list[Effect] = []
    inputs: tuple[Resolve, ...] = ()
    stage(before)
    while len(inputs) < most:
        frame = state.pending[-1]
        assert isinstance(frame, AgentTurn | RevealTurn)
        effects = (Resolve(VISITOR, place) for place in range(len(frame.items)))
        possible = [each for each in effects if legal(IMPERIUM, state, each) is None]
        given = choose(f"choice {len(inputs)}", (None, *possible))
        if given is None:
            break
        inputs = (*inputs, given)
        stage(before, inputs)
        done = step(IMPERIUM, state, given)
        assert isinstance(done, Step), f"an effect that can be resolved is refused: {done}"
        resolved.append(frame.items[given.index].effect)
        state = done.state
    return state, resolved


def _arrows(effects: list[Effect]) -> int:
    return sum(isinstance(each, Arrow) for each in effects)


@proves(
    {
        "UPR-COST-003": Twin(
            EFFECTS,
            "push(state, then, Run(seat, Item(effect.cost, source)))",
            "push(state, then)",
        )
    },
)
def what_is_not_paid_for_is_not_received() -> None:
    """Unsatisfiable iff the effect behind an arrow comes just if its cost is paid, all of it.

    Who does not own the cost cannot resolve the arrow; who does may leave it, and then neither pays
    nor gets anything. Nothing else changes for anybody.
    """
    before, cost, effect = _some_arrow()
    allowed = legal(IMPERIUM, before, Resolve(VISITOR, 0)) is None
    owned = has(before, cost.what) >= cost.amount
    claim(owned == allowed, "the arrow is open to who owns its cost")
    after, resolved = _resolve_some(before, 2)
    paid = _arrows(resolved)
    bought = {cost.what: -cost.amount * paid, "victory_points": effect.amount * paid}
    others = len(resolved) - paid
    claim_changes(before, after, {VISITOR: bought}, {VISITOR: {"persuasion": others}})
    if others and not paid:
        may_end = legal(IMPERIUM, after, EndTurn(VISITOR)) is None
        claim(may_end, "the turn may end with the cost unpaid")


@proves(
    {
        "UPR-COST-003": Twin(
            "rules_engine/catalogue/uprising/cards.toml",
            'agent = ["pay 2 water -> draw 2 cards"]',
            'agent = ["pay 2 water & draw 2 cards"]',
        )
    },
    kind=DATA_CHECK,
)
def payments_are_printed_only_as_costs() -> None:
    """Unsatisfiable iff whatever is paid is a cost of a space or stands before an arrow.

    So nothing is paid that was not looked for first, and what it buys comes with it alone.
    """
    for thing in things(printed()):
        for path, says in sentences(thing.face):
            if isinstance(says, Effect) and path[0] not in ("cost", "later_cost"):
                claim(_payments(says) == _costs(says), f"{thing.name} has payments as costs alone")


def _payments(effect: Effect) -> int:
    return sum(isinstance(part, Pay) for part in walk(effect))


def _costs(effect: Effect) -> int:
    """The payments in an effect that stand before an arrow, or are picked at placement."""
    arrows = sum(_payments(part.cost) for part in walk(effect) if isinstance(part, Arrow))
    return arrows + sum(len(part.options) for part in walk(effect) if isinstance(part, AtPlacement))


@proves(
    {
        "UPR-COST-005": Twin(
            "rules_engine.imperium.choices",
            "return items[:index] + items[index + 1 :]",
            "return items[:index] + items[index:]",
        )
    },
)
def an_arrow_is_paid_once_a_turn() -> None:
    """Unsatisfiable iff the cost of an arrow is paid once at most in a turn, whoever has more.

    Once it is paid it is no longer due, and whatever else is resolved costs nothing.
    """
    before, cost, _ = _some_arrow()
    after, resolved = _resolve_some(before, 3)
    claim(_arrows(resolved) <= 1, "the arrow is resolved once at most")
    paid = cost.amount if _arrows(resolved) else 0
    claim(has(after, cost.what) == has(before, cost.what) - paid, "the cost is paid once at most")
