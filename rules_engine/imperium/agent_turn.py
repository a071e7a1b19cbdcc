"""The Agent turn: playing a card to send an Agent, and everything that follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules_engine.effects import tree
from rules_engine.effects.tree import Effect
from rules_engine.imperium import control, resources, reveal_turn, spies, units
from rules_engine.imperium.actions import (
    Choose,
    Deploy,
    EndTurn,
    PlayAgent,
    PlayIntrigue,
    Resolve,
    Reveal,
)
from rules_engine.imperium.cards import holds, move_card
from rules_engine.imperium.choices import due, legal_resolve, resolve_options, resolved, without
from rules_engine.imperium.effects import condition_rules, run
from rules_engine.imperium.effects import holds as condition_holds
from rules_engine.imperium.faces import card_face, printed, space_face
from rules_engine.imperium.frames import (
    AgentTurn,
    GatherIntelligence,
    Item,
    PickCost,
    Placed,
    Turn,
)
from rules_engine.imperium.intrigue import play, play_options, why_not_play
from rules_engine.imperium.state import AgentAt, State, ThisTurn, follows, player, with_player
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.game import Amount, FrameRules, asks, by_itself, push
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

SPY_ICON = "spy"

ONE_CARD_ONE_AGENT = cite("UPR-AGENT-001", "UPR-AGENT-003")
AGENT_LEFT = cite("UPR-AGENT-001", "UPR-REVEAL-001")
MATCHING_ICON = cite("UPR-AGENT-002")
NO_ICON = cite("UPR-AGENT-007")
SPY_ACCESS = cite("UPR-SPY-019")
OCCUPIED = cite("UPR-AGENT-004", "UPR-AGENT-001")
OWN_AGENT = cite("UPR-SPY-013", "UPR-AGENT-004")
REQUIREMENT = cite("UPR-AGENT-005")
COST = cite("UPR-AGENT-005", "UPR-COST-001")
STILL_APPLY = cite("UPR-SPY-014")
AGENT_BOX = cite("UPR-AGENT-006", "UPR-AGENT-009")
PLOT_WINDOW = cite("UPR-ROUND-004")
TURN_KIND = cite("UPR-AGENT-011", "UPR-REVEAL-001")
END = cite("UPR-ROUND-003", "UPR-UNIT-014")


# Sending an Agent


def agents_at(state: State, space: str) -> tuple[Seat, ...]:
    """The players with an Agent on a space."""
    return tuple(agent.seat for agent in state.agents if agent.space == space)


def move_agent_to(state: State, seat: Seat, space: str) -> State:
    """An Agent goes from the Leader to a space: the only function that places one."""
    owner = player(state, seat)
    state = with_player(state, change(owner, agents=owner.agents - 1))
    agents = sorted((*state.agents, AgentAt(space, seat)), key=lambda at: (at.space, at.seat))
    return change(state, agents=tuple(agents))


def opens(state: State, seat: Seat, card: str, space: str, leaving: str | None) -> bool:
    """Whether one of the card's icons lets an Agent go to the space. UPR-AGENT-002, UPR-SPY-019

    `leaving` is a post whose Spy is recalled to Infiltrate: a ruling says whether it still counts.
    """
    icons = card_face(state, card).agent_icons
    if space_face(state, space).icon in icons:
        return True
    if SPY_ICON not in icons:
        return False
    posts = spies.own_linked_posts(state, seat, space)
    if leaving is not None and follows(state, "spy_icon_and_infiltrate_same_spy") == "no":
        posts = tuple(post for post in posts if post != leaving)
    return bool(posts)


def why_not_send(state: State, action: PlayAgent) -> Iterator[Reason]:
    """Every reason against playing this card to send an Agent to this space."""
    seat, card, space = action.by, action.card, action.space
    if not holds(player(state, seat), "hand", card):
        yield Reason("not_in_hand", ONE_CARD_ONE_AGENT, {"card": card})
    if player(state, seat).agents < 1:
        yield Reason("no_agent_left", AGENT_LEFT)
    if not opens(state, seat, card, space, action.infiltrate):
        facts = {"card": card, "space": space}
        yield Reason("no_matching_icon", _why_closed(state, card), facts)
    yield from _why_not_enter(state, action)
    infiltrating = STILL_APPLY if action.infiltrate is not None else ()
    yield from _why_not_afford(state, seat, space, infiltrating)


def _why_closed(state: State, card: str) -> tuple[str, ...]:
    """The rules by which a card's icons do not open a space."""
    icons = card_face(state, card).agent_icons
    if not icons:
        return NO_ICON
    return MATCHING_ICON + (SPY_ACCESS if SPY_ICON in icons else ())


def _why_not_enter(state: State, action: PlayAgent) -> Iterator[Reason]:
    """Occupied spaces, and what Infiltrate does about them."""
    there = agents_at(state, action.space)
    others = [seat for seat in there if seat != action.by]
    if action.by in there:
        yield Reason("own_agent_there", OWN_AGENT, {"space": action.space})
    if action.infiltrate is None:
        if others:
            facts = {"space": action.space, "by": others}
            yield Reason("occupied", OCCUPIED + spies.INFILTRATE, facts)
        return
    if not others:
        yield Reason("nobody_to_infiltrate", spies.INFILTRATE, {"space": action.space})
    yield from spies.why_not_recall(state, action.by, action.infiltrate, action.space)


def _why_not_afford(
    state: State, seat: Seat, space: str, infiltrating: tuple[str, ...] = ()
) -> Iterator[Reason]:
    """Requirement and cost of a space, both tested when the Agent is sent."""
    face = space_face(state, space)
    if face.requirement is not None and not condition_holds(state, seat, face.requirement):
        rules = REQUIREMENT + condition_rules(face.requirement) + face.rules + infiltrating
        yield Reason("requirement_not_met", rules, {"space": space})
    if face.cost is not None:
        cost = face.cost
        if not resources.can_pay(state, seat, cost.amount, cost.what):
            facts = {"space": space, "amount": cost.amount, "what": cost.what}
            yield Reason("cannot_pay_space", COST + face.rules + infiltrating, facts)


def send(state: State, action: PlayAgent) -> Step[State]:
    """A card is played, an Agent goes to the space and its cost is paid.

    UPR-AGENT-001, UPR-COST-001, UPR-SPY-011
    """
    seat, card, space = action.by, action.card, action.space
    face = space_face(state, space)
    state = move_agent_to(move_card(state, seat, card, "hand", "in_play"), seat, space)
    turn = ThisTurn(seat) if state.turn is None else state.turn
    state = change(state, turn=change(turn, kind="agent", space=space, combat=face.combat))
    events: tuple[Event, ...] = (
        Event("sends_agent", ONE_CARD_ONE_AGENT + face.rules, seat, {"card": card, "space": space}),
    )
    if action.infiltrate is not None:
        done = spies.recall(state, seat, action.infiltrate, "infiltrate", spies.INFILTRATE)
        state, events = done.state, events + done.events
    if face.cost is not None:
        paid = resources.pay(state, seat, face.cost.amount, face.cost.what, COST + face.rules)
        state, events = paid.state, events + paid.events
    return Step(_after_sending(state, seat, card, space), events)


def _after_sending(state: State, seat: Seat, card: str, space: str) -> State:
    """The effects that are due, after the choice of a cost where the space offers one."""
    plain: list[Effect] = []
    picks: list[Effect] = []
    for effect in space_face(state, space).effects:
        (picks if isinstance(effect, tree.AtPlacement) else plain).append(effect)
    box = tuple(Item(effect, card, boxed=True) for effect in card_face(state, card).agent)
    items = (*(Item(effect, space) for effect in plain), *box)
    for pick in picks:
        assert isinstance(pick, tree.AtPlacement)
        return push(state, PickCost(seat, pick.options, items, space))
    return push(state, Placed(seat, space, items))


# Which cost of the space


def _legal_cost(state: State, frame: PickCost, action: object) -> Refusal | None:
    if not isinstance(action, Choose) or not 0 <= action.option < len(frame.options):
        return refusal([Reason("pick_cost", COST)])
    cost = frame.options[action.option].cost
    if resources.can_pay(state, frame.seat, cost.amount, cost.what):
        return None
    facts = {"amount": cost.amount, "what": cost.what}
    return refusal([Reason("cannot_pay", COST, facts)])


def _cost_options(state: State, frame: PickCost) -> tuple[Choose, ...]:
    return tuple(
        Choose(frame.seat, number)
        for number, option in enumerate(frame.options)
        if resources.can_pay(state, frame.seat, option.cost.amount, option.cost.what)
    )


def _pay_picked(state: State, frame: PickCost, action: Choose) -> Step[State]:
    """The picked cost is paid before any effect. UPR-COST-001"""
    option = frame.options[action.option]
    rules = COST + space_face(state, frame.space).rules
    paid = resources.pay(state, frame.seat, option.cost.amount, option.cost.what, rules)
    items = (Item(option.effect, frame.space), *frame.items)
    return Step(push(paid.state, Placed(frame.seat, frame.space, items)), paid.events)


PICK_COST = FrameRules(
    asks=lambda _, frame: asks(frame.seat),
    apply=_pay_picked,
    legal=_legal_cost,
    options=_cost_options,
)


# After the Agent was placed


def _placed(state: State, frame: Placed, _: object) -> Step[State]:
    """First the controller's bonus, then Gather Intelligence, then the effects.

    UPR-CTRL-004, UPR-SPY-016
    """
    bonus = control.give_bonus(state, frame.space)
    state = push(bonus.state, AgentTurn(frame.seat, frame.items))
    if spies.own_linked_posts(state, frame.seat, frame.space):
        state = push(state, GatherIntelligence(frame.seat, frame.space))
    return Step(state, bonus.events)


PLACED = by_itself(_placed, spies.GATHER)


# What kind of turn


def _plot_allowed(state: State) -> bool:
    """Before the kind of turn is decided: as the ruling says. UPR-ROUND-004"""
    return follows(state, "plot_window") == "whole_turn"


def _legal_turn(state: State, _: Turn, action: object) -> Refusal | None:
    match action:
        case PlayAgent():
            return refusal(why_not_send(state, action))
        case Reveal():
            return None
        case PlayIntrigue():
            reasons = list(why_not_play(state, action, "plot"))
            if not _plot_allowed(state):
                reasons.append(Reason("play_a_card_first", PLOT_WINDOW))
            return refusal(reasons)
        case Deploy(seat, troops):
            return refusal(units.why_not_deploy(state, seat, troops))
        case _:
            return refusal([Reason("agent_or_reveal", TURN_KIND)])


def _turn_options(state: State, frame: Turn) -> Iterator[Any]:
    seat = frame.seat
    yield from send_options(state, seat)
    yield Reveal(seat)
    if _plot_allowed(state):
        yield from play_options(state, seat, "plot")


def send_options(state: State, seat: Seat) -> Iterator[PlayAgent]:
    """Every card, space and Spy to Infiltrate with, that makes an Agent turn possible."""
    owner = player(state, seat)
    if owner.agents < 1:
        return
    spaces = [space for space in printed(state).spaces if _open_for(state, seat, space)]
    for card in dict.fromkeys(owner.hand):
        if card == ANY:
            continue
        for space in spaces:
            for post in _ways_in(state, seat, space):
                if opens(state, seat, card, space, post):
                    yield PlayAgent(seat, card, space, post)


def _open_for(state: State, seat: Seat, space: str) -> bool:
    return not any(True for _ in _why_not_afford(state, seat, space))


def _ways_in(state: State, seat: Seat, space: str) -> tuple[str | None, ...]:
    """No Spy needed, or the Spies that can be recalled to Infiltrate."""
    there = agents_at(state, space)
    if not there:
        return (None,)
    if seat in there:
        return ()
    return spies.own_linked_posts(state, seat, space)


def _take_turn(state: State, frame: Turn, action: object) -> Step[State]:
    """The player sends an Agent or reveals; a Plot card may come before. UPR-AGENT-011"""
    match action:
        case PlayAgent():
            return send(state, action)
        case PlayIntrigue():
            return play(push(state, frame), action)
        case _:
            return reveal_turn.begin(state, frame.seat)


TURN = FrameRules(
    asks=lambda _, frame: asks(frame.seat),
    apply=_take_turn,
    legal=_legal_turn,
    options=_turn_options,
)


# The rest of the Agent turn


def _legal_rest(state: State, frame: AgentTurn, action: object) -> Refusal | None:
    match action:
        case Resolve(seat, index):
            return legal_resolve(state, seat, frame.items, index)
        case Deploy(seat, troops):
            return refusal(units.why_not_deploy(state, seat, troops))
        case PlayIntrigue():
            return refusal(why_not_play(state, action, "plot"))
        case EndTurn():
            if due(state, frame.seat, frame.items):
                return refusal([Reason("effects_are_due", AGENT_BOX)])
            return None
        case _:
            return refusal([Reason("turn_in_progress", ONE_CARD_ONE_AGENT + TURN_KIND)])


def _rest_options(state: State, frame: AgentTurn) -> Iterator[Any]:
    seat = frame.seat
    yield from resolve_options(state, seat, frame.items)
    yield Amount(Deploy, seat, 1, units.most_deployable(state, seat))
    yield from play_options(state, seat, "plot")
    if not due(state, seat, frame.items):
        yield EndTurn(seat)


def _go_on(state: State, frame: AgentTurn, action: object) -> Step[State]:
    """Effects in any order, deployment, Plot cards, until the turn ends. UPR-AGENT-009"""
    match action:
        case Resolve(seat, index):
            rest = change(frame, items=without(frame.items, index))
            return run(push(state, rest), seat, resolved(frame.items[index]))
        case Deploy(seat, troops):
            return units.deploy(push(state, frame), seat, troops)
        case PlayIntrigue():
            return play(push(state, frame), action)
        case _:
            return Step(change(state, turn=None), (Event("ends_turn", END, frame.seat),))


AGENT_TURN = FrameRules(
    asks=lambda _, frame: asks(frame.seat),
    apply=_go_on,
    legal=_legal_rest,
    options=_rest_options,
)
