"""The Agent turn: playing a card to send an Agent, and everything that follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules_engine.catalogue.faces import CardFace, SpaceFace
from rules_engine.effects import tree
from rules_engine.effects.tree import Condition, Effect
from rules_engine.imperium import (
    contracts,
    control,
    leaders,
    resources,
    reveal_turn,
    spies,
)
from rules_engine.imperium.actions import (
    Choose,
    Deploy,
    EndTurn,
    PlayAgent,
    PlayIntrigue,
    Resolve,
    Retreat,
    Reveal,
)
from rules_engine.imperium.agents import agents_at, move_agent_to
from rules_engine.imperium.boxes import legal_next, next_options, resolve_next
from rules_engine.imperium.cards import agent_box, holds, move_card
from rules_engine.imperium.choices import due, resolve_options
from rules_engine.imperium.conditions import condition_rules
from rules_engine.imperium.conditions import holds as condition_holds
from rules_engine.imperium.deployment import legal_move, move, move_options
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
from rules_engine.imperium.state import Player, State, ThisTurn, follows, player
from rules_engine.imperium.turn_items import tested
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.game import NOBODY, Asks, FrameRules, asks, by_itself, push
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, none, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

SPY_ICON = "spy"

ONE_CARD_ONE_AGENT = cite("UPR-AGENT-001", "UPR-AGENT-003")
AFTER_RESHUFFLE = cite("UPR-ACQ-009")
AGENT_LEFT = cite("UPR-AGENT-001", "UPR-REVEAL-001")
MATCHING_ICON = cite("UPR-AGENT-002")
NO_ICON = cite("UPR-AGENT-007")
SPY_ACCESS = cite("UPR-SPY-019")
BY_SPY = cite("UPR-SPY-019", "UPR-SPY-020")
OCCUPIED = cite("UPR-AGENT-004", "UPR-AGENT-001")
OWN_AGENT = cite("UPR-SPY-013", "UPR-AGENT-004")
REQUIREMENT = cite("UPR-AGENT-005", "UPR-FACTION-012")
COST = cite("UPR-COST-001", "UPR-AGENT-005")
STILL_APPLY = cite("UPR-SPY-014")
AGENT_BOX = cite("UPR-AGENT-009", "UPR-AGENT-006")
PLOT_WINDOW = cite("UPR-ROUND-004")
TURN_KIND = cite("UPR-AGENT-011", "UPR-REVEAL-001")
END = cite("UPR-ROUND-003", "UPR-UNIT-014")

AGENT_TO_RECALL = tree.AtLeast("agents_to_recall", 1)
SWAP = tree.Arrow(tree.DiscardIntrigue(1), tree.DrawIntrigue(1))
TRASH_SWAP = tree.Arrow(tree.TrashIntrigue(), tree.DrawIntrigue(1))
"""An Intrigue card is given up for another one."""


# Sending an Agent


def opens(state: State, seat: Seat, card: CardFace, space: SpaceFace, leaving: str | None) -> bool:
    """Whether one of the card's icons lets an Agent go to the space; a Spy that does so stays.

    UPR-AGENT-002, UPR-SPY-019, UPR-SPY-020
    `leaving` is a post whose Spy is recalled to Infiltrate: a ruling says whether it still counts.
    """
    if space.icon in card.agent_icons:
        return True
    if SPY_ICON not in card.agent_icons:
        return False
    posts = spies.own_linked_posts(state, seat, space.id)
    if leaving is not None and follows(state, "spy_icon_and_infiltrate_same_spy") == "no":
        posts = tuple(post for post in posts if post != leaving)
    return bool(posts)


def why_not_send(state: State, action: PlayAgent) -> Iterator[Reason]:
    """Every reason against playing this card to send an Agent to this space."""
    seat, card, space = action.by, card_face(state, action.card), space_face(state, action.space)
    if not holds(player(state, seat), "hand", card.id):
        discarded = AFTER_RESHUFFLE if card.id in player(state, seat).discard else ()
        yield Reason("not_in_hand", ONE_CARD_ONE_AGENT + discarded, {"card": card.id})
    if player(state, seat).agents < 1:
        yield Reason("no_agent_left", AGENT_LEFT)
    if not opens(state, seat, card, space, action.infiltrate):
        facts = {"card": card.id, "space": space.id}
        yield Reason("no_matching_icon", _why_closed(card), facts)
    yield from _why_not_enter(state, action)
    infiltrating = STILL_APPLY if action.infiltrate is not None else ()
    yield from _why_not_afford(state, seat, space, card.ignores_influence, infiltrating)


def _why_closed(card: CardFace) -> tuple[str, ...]:
    """The rules by which a card's icons do not open a space."""
    if not card.agent_icons:
        return NO_ICON
    return MATCHING_ICON + (SPY_ACCESS if SPY_ICON in card.agent_icons else ())


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


def _asked_for(requirement: Condition | None, ignoring: bool) -> tuple[Condition, ...]:
    """What a space requires; a card may let the Influence that it asks for be ignored."""
    match requirement:
        case None:
            return ()
        case tree.InfluenceAtLeast() if ignoring:
            return ()
        case _:
            return (requirement,)


def price(state: State, space: SpaceFace) -> tree.Pay | None:
    """What a space costs: less where it is said so, once any player has a Swordmaster.

    UPR-BOARD-022, UPR-BOARD-025
    """
    if space.later_cost is not None and any(each.swordmaster for each in state.players):
        return space.later_cost
    return space.cost


def _why_not_afford(
    state: State, seat: Seat, space: SpaceFace, ignoring: bool, infiltrating: tuple[str, ...] = ()
) -> Iterator[Reason]:
    """Requirement and cost of a space, both tested when the Agent is sent. UPR-FACTION-012"""
    for condition in _asked_for(space.requirement, ignoring):
        if not condition_holds(state, seat, condition):
            rules = REQUIREMENT + condition_rules(condition) + space.rules + infiltrating
            yield Reason("requirement_not_met", rules, {"space": space.id})
    cost = price(state, space)
    if cost is not None and not resources.can_pay(state, seat, cost.amount, cost.what):
        facts = {"space": space.id, "amount": cost.amount, "what": cost.what}
        yield Reason("cannot_pay_space", COST + space.rules + infiltrating, facts)


def send(state: State, action: PlayAgent) -> Step[State]:
    """A card is played, an Agent goes to the space and its cost is paid.

    UPR-AGENT-001, UPR-COST-001, UPR-SPY-011
    """
    seat, card, space = action.by, action.card, action.space
    face = space_face(state, space)
    cost = price(state, face)
    state = move_agent_to(move_card(state, seat, card, "hand", "in_play"), seat, space)
    turn = _sending(ThisTurn(seat) if state.turn is None else state.turn, player(state, seat), face)
    state = change(state, turn=turn)
    icon = MATCHING_ICON if face.icon in card_face(state, card).agent_icons else BY_SPY
    rules = ONE_CARD_ONE_AGENT + icon + face.rules
    events: tuple[Event, ...] = (Event("sends_agent", rules, seat, {"card": card, "space": space}),)
    if action.infiltrate is not None:
        done = spies.recall(state, seat, action.infiltrate, "infiltrate", spies.INFILTRATE)
        state, events = done.state, events + done.events
    if cost is not None:
        paid = resources.pay(state, seat, cost.amount, cost.what, COST + face.rules)
        state, events = paid.state, events + paid.events
    return Step(_after_sending(state, seat, card, turn), events)


def _sending(turn: ThisTurn, owner: Player, face: SpaceFace) -> ThisTurn:
    """The turn after the Agent was sent: contracts taken later miss this visit. UPR-CHOAM-017"""
    held = owner.contracts
    return change(turn, kind="agent", space=face.id, combat=face.combat, held=held)


def _after_sending(state: State, seat: Seat, card: str, turn: ThisTurn) -> State:
    """The effects that are due, after the choice of a cost where the space offers one.

    What applies from the moment of sending comes before all of them. UPR-AGENT-009, UPR-CLAR-007
    """
    assert turn.space is not None
    space, box = turn.space, agent_box(state, seat, card)
    plain: list[Effect] = []
    picks: list[tree.AtPlacement] = []
    for effect in as_ruled(state, space_face(state, space).effects):
        if isinstance(effect, tree.AtPlacement):
            picks.append(effect)
        else:
            plain.append(effect)
    items = (
        *(Item(effect, space) for effect in plain),
        *leaders.signet_items(state, seat, box),
        *leaders.sending_items(state, seat, space),
    )
    items = (*tested(state, seat, items), *contracts.sending_items(state, turn, space))
    at_once = (*leaders.watching(state, seat, space), *leaders.on_signet(state, seat, box))
    for pick in picks:
        return push(state, PickCost(seat, pick.options, items, space), *at_once)
    return push(state, Placed(seat, space, items), *at_once)


def as_ruled(state: State, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """What is printed on a space, as the rulings on Imperial Privilege read it. UPR-BOARD-015"""
    if follows(state, "imperial_privilege_discard_or_trash") == "trash":
        effects = tuple(TRASH_SWAP if effect == SWAP else effect for effect in effects)
    if follows(state, "imperial_privilege_no_agent") == "no_draw":
        effects = _recall_and_card(effects)
    return effects


def _recall_and_card(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """Recalling an Agent and the card after it are one, and need an Agent to recall."""
    kept: list[Effect] = []
    for effect in effects:
        before = kept[-1] if kept else None
        if isinstance(before, tree.RecallAgents) and isinstance(effect, tree.DrawCards):
            kept[-1] = tree.If(AGENT_TO_RECALL, tree.All((before, effect)))
        else:
            kept.append(effect)
    return tuple(kept)


# Which cost of the space


def _legal_cost(state: State, frame: PickCost, action: object) -> Refusal | None:
    if not isinstance(action, Choose) or not 0 <= action.option < len(frame.options):
        return refusal([Reason("pick_cost", COST)])
    cost = frame.options[action.option].cost
    if resources.can_pay(state, frame.seat, cost.amount, cost.what):
        return None
    facts = {"amount": cost.amount, "what": cost.what}
    rules = COST + space_face(state, frame.space).rules
    return refusal([Reason("cannot_pay", rules, facts)])


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
        case Deploy() | Retreat():
            return legal_move(state, action)
        case _:
            return refusal([Reason("agent_or_reveal", TURN_KIND)])


def _turn_options(state: State, frame: Turn) -> Iterator[Any]:
    seat = frame.seat
    yield from send_options(state, seat)
    yield Reveal(seat)
    yield from move_options(state, seat)
    if _plot_allowed(state):
        yield from play_options(state, seat, "plot")


def send_options(state: State, seat: Seat) -> Iterator[PlayAgent]:
    """Every card, space and Spy to Infiltrate with, that makes an Agent turn possible."""
    owner = player(state, seat)
    if owner.agents < 1:
        return
    cards = [card_face(state, card) for card in dict.fromkeys(owner.hand) if card != ANY]
    entrances = {
        ignoring: _entrances(state, seat, ignoring)
        for ignoring in dict.fromkeys(card.ignores_influence for card in cards)
    }
    for card in cards:
        for space, posts in entrances[card.ignores_influence]:
            for post in posts:
                if opens(state, seat, card, space, post):
                    yield PlayAgent(seat, card.id, space.id, post)


Entrance = tuple[SpaceFace, tuple[str | None, ...]]
"""A space and the ways to enter it: without a Spy, or with one of these to Infiltrate."""


def _entrances(state: State, seat: Seat, ignoring: bool) -> list[Entrance]:
    """The spaces that can be entered, whose requirement is met and whose cost can be paid."""
    taken = {at.space for at in state.agents}
    own = {at.space for at in state.agents if at.seat == seat}
    return [
        (space, spies.own_linked_posts(state, seat, space.id) if space.id in taken else (None,))
        for space in printed(state).spaces.values()
        if space.id not in own and none(_why_not_afford(state, seat, space, ignoring))
    ]


def _take_turn(state: State, frame: Turn, action: object) -> Step[State]:
    """The player sends an Agent or reveals; a Plot card may come before. UPR-AGENT-011"""
    match action:
        case PlayAgent():
            return send(state, action)
        case PlayIntrigue():
            return play(push(state, frame), action)
        case Deploy() | Retreat():
            return move(push(state, frame), action)
        case _:
            return reveal_turn.begin(state, frame.seat)


TURN = FrameRules(
    asks=lambda _, frame: asks(frame.seat),
    apply=_take_turn,
    legal=_legal_turn,
    options=_turn_options,
)


# The rest of the Agent turn


def _asks_rest(state: State, frame: AgentTurn) -> Asks:
    """The player says when the turn ends, or it ends with its last effect. UPR-ROUND-003"""
    said = follows(state, "agent_turn_end") == "said"
    if said or resolve_options(state, frame.seat, frame.items):
        return asks(frame.seat)
    return NOBODY


def _legal_rest(state: State, frame: AgentTurn, action: object) -> Refusal | None:
    match action:
        case Resolve():
            return legal_next(state, frame, action)
        case Deploy() | Retreat():
            return legal_move(state, action)
        case PlayIntrigue():
            return refusal(why_not_play(state, action, "plot"))
        case EndTurn():
            if not none(due(state, frame.seat, frame.items)):
                return refusal([Reason("effects_are_due", AGENT_BOX)])
            return None
        case _:
            return refusal([Reason("turn_in_progress", ONE_CARD_ONE_AGENT + TURN_KIND)])


def _rest_options(state: State, frame: AgentTurn) -> Iterator[Any]:
    seat = frame.seat
    yield from next_options(state, frame)
    yield from move_options(state, seat)
    yield from play_options(state, seat, "plot")
    if none(due(state, seat, frame.items)):
        yield EndTurn(seat)


def _go_on(state: State, frame: AgentTurn, action: object) -> Step[State]:
    """Effects in any order, deployment, Plot cards, until the turn ends. UPR-AGENT-009"""
    match action:
        case Resolve(_, index):
            return resolve_next(state, frame, index)
        case Deploy() | Retreat():
            return move(push(state, frame), action)
        case PlayIntrigue():
            return play(push(state, frame), action)
        case _:
            return Step(change(state, turn=None), (Event("ends_turn", END, frame.seat),))


AGENT_TURN = FrameRules(
    asks=_asks_rest,
    apply=_go_on,
    legal=_legal_rest,
    options=_rest_options,
)
