"""The Agent turn: which card sends an Agent where, what that costs, and what follows from it."""

from __future__ import annotations

from typing import Any

from rules_engine.effects import tree
from rules_engine.effects.tree import Gain
from rules_engine.imperium.actions import Choose, EndTurn, PlayAgent, Resolve
from rules_engine.imperium.agent_turn import SPY_ICON
from rules_engine.imperium.frames import (
    AgentTurn,
    GatherIntelligence,
    Item,
    PickCost,
    Placed,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import AgentAt, State, ThisTurn, Track
from rules_engine.kernel.decks import zone
from rules_engine.kernel.game import Action, Frame, legal, options
from rules_engine.kernel.numbers import smaller
from verifier.current import assume, choose, claim, quantity, stage
from verifier.effects import OWNER
from verifier.numbers import all_of, any_of
from verifier.placements import (
    CARD,
    NOBODY,
    PLAYERS,
    VISITORS,
    about_to_send,
    affordable,
    any_space,
    around,
    can_visit,
    cost_of,
    linked_posts,
    of_owner,
    opening,
    requirement_met,
    sending,
)
from verifier.play import next_state
from verifier.positions import NAMES, TOP, claim_only, factions, printed, unchanged
from verifier.registry import DATA_CHECK, Twin, proves
from verifier.watched import Lazy

MODULE = "rules_engine.imperium.agent_turn"
SPACES_FILE = "rules_engine/catalogue/uprising/spaces.toml"
TABLE = "every board space, 3 players without Leaders, the first of them in turn"
QUANTITIES = "any resources and Influence, any Swordmasters"


def _allowed(state: State, space: str, infiltrate: str | None = None) -> bool:
    """Whether the Agent may be sent."""
    action = sending(space, infiltrate)
    stage(state, (action,))
    return legal(IMPERIUM, state, action) is None


# Which Agent, which card, which space


@proves(
    {
        "UPR-AGENT-001": Twin(
            MODULE, "if player(state, seat).agents < 1:", "if player(state, seat).agents < 0:"
        ),
        "UPR-AGENT-005": Twin(
            MODULE,
            "not resources.can_pay(state, seat, cost.amount, cost.what):",
            "not resources.can_pay(state, seat, cost.amount - 1, cost.what):",
        ),
    },
    bounds=f"{TABLE}; {QUANTITIES}; a card that ignores no Influence; no or two own Agents "
    "elsewhere, two if something is wrong with the card or the space, and no more than one thing "
    "is: the card is not in hand but in the discard pile or nowhere, or has no icon, or another "
    "player is on the space; no Infiltrate",
)
def an_agent_is_sent_only_if_everything_is_in_order() -> None:
    """Unsatisfiable iff an Agent may be sent exactly if all of these hold.

    The card is in hand and has the icon of the space, an Agent is on the Leader, nobody has an
    Agent on the space, its requirement is met and its cost can be paid.
    """
    space = any_space()
    wrong = choose("wrong", ("nothing", "not in hand", "no icon", "occupied"))
    state = about_to_send(
        space,
        card={**opening(space), **({"agent_icons": ()} if wrong == "no icon" else {})},
        hand=() if wrong == "not in hand" else (CARD,),
        visitors=((1,) if wrong == "occupied" else NOBODY,),
        away=(0, 2) if wrong == "nothing" else (2,),
        own={"discard": Lazy("discard", ((), (CARD,)))},
    )
    allowed = _allowed(state, space)
    in_order = all_of(state.players[OWNER].agents >= 1, can_visit(state, space))
    claim(
        (in_order if wrong == "nothing" else False) == allowed,
        "it is allowed if nothing is wrong, an Agent is left and the space is affordable",
    )


@proves(
    {
        "UPR-AGENT-002": Twin(MODULE, "if space.icon in card.agent_icons:", "if card.agent_icons:"),
        "UPR-SPY-019": Twin(
            "rules_engine.imperium.spies",
            "if spy.seat == seat and linked(state, spy.post, space)",
            "if linked(state, spy.post, space)",
        ),
    },
    bounds=f"{TABLE}; {QUANTITIES}, requirement and cost met; a card with any of the eight icons, "
    "an empty space; on a linked post nobody, the player, another or both, on a second linked post "
    "and one that is not linked the player or nobody",
)
def only_a_matching_icon_or_a_spy_opens_a_space() -> None:
    """Unsatisfiable iff a card sends an Agent exactly to spaces that one of its icons opens.

    That is the icon of the space, or the Spy icon while the player has a Spy on a linked post.
    """
    space = any_space()
    icon = printed().spaces[space].icon
    card = {"ignores_influence": False}
    state = about_to_send(space, card=card, spies=around(space))
    assume(can_visit(state, space))
    allowed = _allowed(state, space)
    icons = state.config.cards[0].agent_icons
    opened = icon in icons or (SPY_ICON in icons and _spies_on(state, space))
    claim(allowed == opened, "it is allowed if an icon of the card opens the space")


def _spies_on(state: State, space: str) -> bool:
    """Whether the owner has a Spy on a post linked to the space."""
    return any(post in linked_posts(space) for post in of_owner(state.spies))


@proves(
    {"UPR-AGENT-004": Twin(MODULE, "        if others:\n", "        if len(others) == 1:\n")},
    bounds=f"{TABLE}; {QUANTITIES}, requirement and cost met; a card with the icon of the space, "
    "any players on it, an Agent left, no Infiltrate",
)
def an_occupied_space_is_closed() -> None:
    """Unsatisfiable iff without Infiltrate an Agent may go to a space exactly if none is there."""
    space = any_space()
    state = about_to_send(space, card=opening(space), visitors=VISITORS)
    assume(all_of(state.players[OWNER].agents >= 1, can_visit(state, space)))
    allowed = _allowed(state, space)
    there = [at.seat for at in state.agents if at.space == space]
    claim(allowed == (not there), "it is allowed if nobody is there")


@proves(
    {
        "UPR-AGENT-005": Twin(
            MODULE,
            "case tree.InfluenceAtLeast() if ignoring:",
            "case tree.InfluenceAtLeast():",
        )
    },
    bounds=f"{TABLE}; {QUANTITIES}; a card with the icon of the space that may ignore Influence, "
    "an empty space",
)
def a_space_asks_for_its_requirement_and_its_cost() -> None:
    """Unsatisfiable iff an Agent may be sent exactly if requirement and cost of the space are met.

    A card that says so lets an asked-for Influence be ignored, and nothing else. Without Infiltrate
    no refusal is about it.
    """
    space = any_space()
    requirement = printed().spaces[space].requirement
    state = about_to_send(space, card={"agent_icons": opening(space)["agent_icons"]})
    allowed = _allowed(state, space)
    met: Any = requirement_met(state, space)
    if isinstance(requirement, tree.InfluenceAtLeast):
        met = any_of(met, state.config.cards[0].ignores_influence)
    claim(all_of(met, affordable(state, space)) == allowed, "it is allowed if both are met")
    if not allowed:
        refused = legal(IMPERIUM, state, sending(space))
        assert refused is not None
        claim("UPR-SPY-014" not in refused.rules, "nothing is said about Infiltrate")


@proves(
    {
        "UPR-AGENT-001": Twin(MODULE, "if owner.agents < 1:", "if owner.agents < 0:"),
        "UPR-AGENT-004": Twin(
            MODULE, "if space.id in taken else (None,))", "if space.id in own else (None,))"
        ),
        "UPR-SPY-011": Twin(
            MODULE,
            "(space, spies.own_linked_posts(state, seat, space.id) if",
            "(space, spies.own_linked_posts(state, seat, space.id)[:1] if",
        ),
    },
    bounds="a space with a requirement and a cost, one with two linked posts and one without "
    "either; enough resources and Influence or none; a card with the icon of the space or the "
    "Spy icon; one or two own Agents elsewhere; on the space nobody, the player or another; on "
    "each linked post an own Spy or none; 3 players without Leaders, the first of them in turn, "
    "who has no Intrigue card; the default of every ruling but `spy_icon_and_infiltrate_same_spy`",
)
def an_agent_turn_is_offered_exactly_if_it_is_allowed() -> None:
    """Unsatisfiable iff the card, the space and each way to enter it are offered just if allowed.

    The ways are without a Spy and by a Spy on each post linked to the space.
    """
    space = choose("space", ("shipping", "research_station", "arrakeen"))
    icons = ((printed().spaces[space].icon,), (SPY_ICON,))
    state = about_to_send(
        space,
        card={"agent_icons": Lazy("icons", icons), "ignores_influence": False},
        visitors=VISITORS[:3],
        away=(1, 2),
        spies=dict.fromkeys(linked_posts(space), (NOBODY, (OWNER,))),
        own={"intrigues": (), **_rich_or_poor()},
        rulings=("spy_icon_and_infiltrate_same_spy",),
        turn=ThisTurn(OWNER),
    )
    offered = list(options(IMPERIUM, state))
    for post in (None, *linked_posts(space)):
        times = offered.count(sending(space, post))
        claim(times == (1 if _allowed(state, space, post) else 0), "it is offered if allowed")


def _rich_or_poor() -> dict[str, Any]:
    """Enough resources and Influence for every space, or none at all."""
    tracks = tuple(tuple(Track(faction, most) for faction in factions()) for most in (2, 0))
    plenty = {what: Lazy("riches", (20, 0)) for what in ("solari", "spice", "water")}
    return {**plenty, "tracks": Lazy("riches", tracks)}


# What sending does


@proves(
    {
        "UPR-AGENT-001": Twin(
            MODULE,
            'card, "hand", "in_play"), seat, space)',
            'card, "hand", "discard"), seat, space)',
        ),
        "UPR-AGENT-003": Twin(
            "rules_engine.imperium.agents",
            "sorted((*state.agents, AgentAt(space, seat)), key",
            "sorted((*state.agents, AgentAt(space, seat), AgentAt(space, seat)), key",
        ),
        "UPR-AGENT-005": Twin(
            MODULE,
            "paid = resources.pay(state, seat, cost.amount, cost.what, COST + face.rules)",
            "paid = resources.pay(state, seat, face.cost.amount, cost.what, COST + face.rules)",
        ),
    },
    bounds=f"{TABLE}; {QUANTITIES}; a card with any icons, that of the space among them, and empty "
    "boxes, with an equal and another one in hand and one in play; two or no own Agents elsewhere, "
    "nobody on the space, no Infiltrate",
)
def sending_moves_one_card_and_one_agent_and_pays() -> None:
    """Unsatisfiable iff sending an Agent moves one card and one Agent, pays, and does no more.

    The card goes from the hand into play and one Agent from the Leader to the space, however many
    icons the card has; the cost of the space is paid. Everything else on the table stays, but for
    what the turn remembers and which effects are due.
    """
    space = any_space()
    before = about_to_send(
        space,
        card={"ignores_influence": False},
        hand=zone((CARD, CARD, "dagger")),
        away=(0, 2),
        own={"in_play": ("diplomacy",), "discard": ()},
    )
    assume(choose(f"card.{printed().spaces[space].icon}", (False, True)))
    assume(all_of(before.players[OWNER].agents >= 1, can_visit(before, space)))
    what, amount = cost_of(before, space)
    after = _sent(before, space)
    claim(
        sorted(after.agents, key=_place)
        == sorted((*before.agents, AgentAt(space, OWNER)), key=_place),
        "just one more Agent is on the board",
    )
    old, new = before.players[OWNER], after.players[OWNER]
    claim(new.agents == old.agents - 1, "one Agent has left the Leader")
    claim(new.hand == zone((CARD, "dagger")), "one card has left the hand")
    claim(new.in_play == zone((CARD, "diplomacy")), "it is in play")
    claim(getattr(new, what) == getattr(old, what) - amount, "the cost is paid")
    claim_only(before, after, ("agents", "hand", "in_play", what), ("agents", "turn", "pending"))


def _place(at: AgentAt) -> tuple[str, int]:
    return at.space, at.seat


def _sent(before: State, space: str) -> State:
    """The position after an Agent was sent."""
    action = sending(space)
    stage(before, (action,))
    return next_state(before, action)


@proves(
    {
        "UPR-AGENT-005": Twin(
            MODULE,
            "if resources.can_pay(state, frame.seat, cost.amount, cost.what):",
            "if resources.can_pay(state, frame.seat, 1, cost.what):",
        )
    },
    bounds="a choice between no cost and any cost, any resources; 3 players, the first of them in "
    "turn, no effects due but those that are bought",
    cases=tuple({"what": what} for what in ("solari", "spice", "water")),
)
def a_picked_cost_can_be_paid_and_is_paid(what: str) -> None:
    """Unsatisfiable iff of several costs of a space just those that can be paid may be picked.

    The picked one is paid, in full and before any effect, and what it buys is due; nothing else
    changes.
    """
    amounts = (0, quantity("amount", 1))
    bought = (Gain(1, "water"), Gain(2, "water"))
    costs = tuple(tree.PaidOption(tree.Pay(amounts[at], what), bought[at]) for at in range(2))
    frame = PickCost(OWNER, costs, (), "gather_support")
    before = about_to_send("gather_support", pending=(frame,))
    number = choose("option", range(2))
    action = Choose(OWNER, number)
    stage(before, (action,))
    old = before.players[OWNER]
    allowed = legal(IMPERIUM, before, action) is None
    claim((getattr(old, what) >= amounts[number]) == allowed, "it is allowed if it can be paid")
    claim((action in options(IMPERIUM, before)) == allowed, "it is offered then")
    if not allowed:
        return
    after = next_state(before, action)
    new = after.players[OWNER]
    claim(getattr(new, what) == getattr(old, what) - amounts[number], "it is paid")
    claim_only(before, after, (what,), ("pending",))
    (placed,) = after.pending
    assert isinstance(placed, Placed)
    claim([item.effect for item in placed.items] == [bought[number]], "what it buys is due")


def _later_in_the_turn(space: str) -> dict[str, Frame]:
    """What can wait for the player once an Agent was sent."""
    option = tree.PaidOption(tree.Pay(0, "solari"), Gain(1, "water"))
    return {
        "a cost to pick": PickCost(OWNER, (option,), (), space),
        "a Spy to gather with": GatherIntelligence(OWNER, space),
        "the rest of the turn": AgentTurn(OWNER, (Item(Gain(1, "water"), space),)),
    }


@proves(
    {
        "UPR-AGENT-003": Twin(
            MODULE,
            'return refusal([Reason("turn_in_progress", ONE_CARD_ONE_AGENT + TURN_KIND)])',
            "return None",
        )
    },
    bounds="every board space, any icons, Agents, resources and Influence; 3 players without "
    "Leaders, the first of them in turn, who has a card left, after an Agent went to another "
    "space; one effect due",
    cases=tuple({"later": name} for name in _later_in_the_turn("arrakeen")),
)
def no_second_agent_is_sent_in_a_turn(later: str) -> None:
    """Unsatisfiable iff no player can send an Agent in an Agent turn in which one was sent.

    Neither while a cost is picked or Intelligence gathered, nor in the rest of the turn.
    """
    space = any_space()
    sent_to = next(each for each in printed().spaces if each != space)
    frame = _later_in_the_turn(sent_to)[later]
    before = about_to_send(space, pending=(frame,))
    by = choose("by", range(PLAYERS))
    action = PlayAgent(by, CARD, space)
    stage(before, (action,))
    claim(legal(IMPERIUM, before, action) is not None, "it is refused")


# What the card and the space give


@proves(
    {
        "UPR-AGENT-006": Twin(
            "rules_engine.imperium.cards",
            "lambda face: face.agent)",
            "lambda face: face.agent + face.reveal)",
        )
    },
    bounds="a space with one effect, one of a Faction and one with a choice of costs; 3 players "
    f"without Leaders, the first of them in turn; {QUANTITIES}, requirement and cost met; a card "
    "that gives any spice in its Agent box and any water in its Reveal box, no Spies, no contracts",
    cases=tuple(
        {"space": name} for name in ("assembly_hall", "deliver_supplies", "gather_support")
    ),
)
def the_agent_box_applies_and_the_reveal_box_does_not(space: str) -> None:
    """Unsatisfiable iff of a card played for an Agent just the Agent box is due, once.

    Before it is resolved the player has gained nothing, and the turn does not end. Then its gain,
    and nothing else, is the player's, nobody else has more or less, and nothing of the card is due.
    """
    boxes = {
        "agent": (Gain(quantity("agent box", 1), "spice"),),
        "reveal": (Gain(quantity("reveal box", 1), "water"),),
    }
    before = about_to_send(space, card={**opening(space), **boxes})
    assume(can_visit(before, space))
    turn, frame = _rest_of_turn(before, space)
    places = [at for at, item in enumerate(frame.items) if item.source == CARD]
    claim(len(places) == 1, "one effect of the card is due")
    if not places:
        return
    ready = unchanged(before.players[OWNER], turn.players[OWNER], "agents", "hand", "in_play")
    claim(ready, "nothing is gained before it")
    claim(legal(IMPERIUM, turn, EndTurn(OWNER)) is not None, "the turn does not end before it")
    after = next_state(turn, Resolve(OWNER, places[0]))
    old, new = turn.players[OWNER], after.players[OWNER]
    claim(new.spice == old.spice + quantity("agent box", 1), "the Agent box is gained")
    claim_only(turn, after, ("spice",), ("turn", "pending"))
    (rest,) = after.pending
    assert isinstance(rest, AgentTurn)
    claim(all(item.source != CARD for item in rest.items), "nothing of the card is left")


def _rest_of_turn(before: State, space: str) -> tuple[State, AgentTurn]:
    """The position in which the effects of the turn are due; the first of several costs is paid."""
    inputs: tuple[Action, ...] = (sending(space),)
    state = _sent(before, space)
    while True:
        frame = state.pending[-1]
        if isinstance(frame, AgentTurn):
            return state, frame
        given = Choose(OWNER, 0) if isinstance(frame, PickCost) else None
        inputs = inputs if given is None else (*inputs, given)
        stage(before, inputs)
        state = next_state(state, given)


FACTION_SPACES = tuple(face.id for face in printed().spaces.values() if face.icon in factions())


@proves(
    {
        "UPR-AGENT-010": Twin(
            SPACES_FILE,
            'effects = ["gain 1 influence fremen", "draw 1 card"]',
            'effects = ["draw 1 card"]',
        )
    },
    bounds="every space of a Faction, 3 players without Leaders, the first of them in turn; "
    f"{QUANTITIES}, requirement and cost met; nobody on the space, no Spies, a card whose "
    "boxes are empty; the default of every ruling but `alliance_loss_below_4`",
)
def a_faction_space_gives_one_influence() -> None:
    """Unsatisfiable iff an Agent on a Faction's space brings just one Influence there, up to 6.

    It is due once, the turn does not end before it, and it moves no other track of anybody.
    """
    space = choose("space", FACTION_SPACES)
    faction = printed().spaces[space].icon
    own = {"discard": (), "intrigues": ()}
    before = about_to_send(space, card=opening(space), own=own, rulings=())
    assume(can_visit(before, space))
    turn, frame = _rest_of_turn(before, space)
    places = [
        at for at, item in enumerate(frame.items) if isinstance(item.effect, tree.GainInfluence)
    ]
    claim(len(places) == 1, "Influence is due once")
    if not places:
        return
    claim(legal(IMPERIUM, turn, EndTurn(OWNER)) is not None, "the turn does not end before it")
    after = next_state(turn, Resolve(OWNER, places[0]))
    own_track = (OWNER, factions().index(faction))
    for seat in range(PLAYERS):
        tracks = zip(before.players[seat].tracks, after.players[seat].tracks, strict=True)
        for place, (old, new) in enumerate(tracks):
            if (seat, place) == own_track:
                risen = smaller(old.influence + 1, TOP)
                claim(new.influence == risen, f"{NAMES[seat]} rises by one")
            else:
                claim(unchanged(old, new), f"{NAMES[seat]}'s Influence with {old.faction} stays")


@proves(
    {
        "UPR-AGENT-008": Twin(
            SPACES_FILE,
            'icon = "spice_trade"\neffects = ["draw 1 card", "take 1 contract"]',
            'icon = "choam"\neffects = ["draw 1 card", "take 1 contract"]',
        )
    },
    bounds="every board space and every card of the catalogue",
    kind=DATA_CHECK,
)
def there_are_seven_basic_icons_and_the_spy_icon() -> None:
    """Unsatisfiable iff every space has one of the seven basic icons, and each icon some space.

    The Agent icons on cards are these seven and the Spy icon.
    """
    basic = {
        "emperor", "spacing_guild", "bene_gesserit", "fremen", "landsraad", "city", "spice_trade"
    }  # fmt: skip
    on_spaces = {face.icon for face in printed().spaces.values()}
    on_cards = {icon for face in printed().cards.values() for icon in face.agent_icons}
    claim(on_spaces == basic, "the icons of spaces are the seven basic ones")
    claim(on_cards == {*basic, "spy"}, "the icons on cards are these and the Spy icon")
