"""The Agent turn: which card sends an Agent where, what that costs, and what follows from it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rules_engine.catalogue.faces import CardFace, IntrigueFace, Way
from rules_engine.effects import tree
from rules_engine.effects.tree import Gain
from rules_engine.imperium.actions import (
    Choose,
    Deploy,
    EndTurn,
    PlayAgent,
    PlayIntrigue,
    Resolve,
)
from rules_engine.imperium.agent_turn import SPY_ICON
from rules_engine.imperium.frames import (
    AgentTurn,
    ChooseOption,
    Decide,
    Effects,
    GatherIntelligence,
    Item,
    PickCost,
    Placed,
    PlayerTurns,
    Turn,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import AgentAt, Control, SpyAt, State, ThisTurn, Track, follows
from rules_engine.kernel.decks import zone
from rules_engine.kernel.game import Action, Frame, asked, legal, options
from rules_engine.kernel.numbers import smaller
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from verifier.current import assume, choose, claim, quantity, stage
from verifier.effects import OWNER
from verifier.full_tables import (
    TABLES,
    any_seat,
    busy_turn,
    card_of,
    claim_just,
    claim_open,
    full_table,
    plus,
)
from verifier.numbers import all_of, any_of
from verifier.placements import (
    CARD,
    NOBODY,
    PLAYERS,
    VISITORS,
    Seats,
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
from verifier.play import line_from, next_state
from verifier.positions import (
    NAMES,
    TOP,
    claim_only,
    factions,
    influence_of,
    printed,
    unchanged,
)
from verifier.registry import DATA_CHECK, ORDER, Twin, proves
from verifier.watched import Lazy

MODULE = "rules_engine.imperium.agent_turn"
SPACES_FILE = "rules_engine/catalogue/uprising/spaces.toml"


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
)
def an_agent_turn_is_offered_exactly_if_it_is_allowed() -> None:
    """Unsatisfiable iff the card, the space and each way to enter it are offered just if allowed.

    That is so for every space. The ways are without a Spy and by a Spy on each post linked to it.
    """
    space = any_space()
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
    cases=tuple({"what": what} for what in ("solari", "spice", "water")),
)
def a_picked_cost_can_be_paid_and_is_paid(what: str) -> None:
    """Unsatisfiable iff of several costs of a space just those that can be paid may be picked.

    The picked one is paid, in full and before any effect, and what it buys is due besides what was
    due before; nothing else changes.
    """
    amounts = (0, quantity("amount", 1))
    bought = (Gain(1, "water"), Gain(2, "water"))
    costs = tuple(tree.PaidOption(tree.Pay(amounts[at], what), bought[at]) for at in range(2))
    others = (Item(Gain(1, "spice"), "gather_support"), Item(Gain(1, "solari"), CARD, boxed=True))
    frame = PickCost(OWNER, costs, others, "gather_support")
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
    buys = Item(bought[number], "gather_support")
    claim(Counter(placed.items) == Counter((buys, *others)), "what it buys is due, and the others")


def _later_in_the_turn(space: str) -> dict[str, Frame]:
    """What can wait for the player once an Agent was sent."""
    due = Item(Gain(1, "water"), space)
    option = tree.PaidOption(tree.Pay(0, "solari"), due.effect)
    return {
        "a cost to pick": PickCost(OWNER, (option,), (), space),
        "a Spy to gather with": GatherIntelligence(OWNER, space),
        "the rest of the turn": AgentTurn(OWNER, (due,)),
        "a group of effects": Effects(OWNER, (due, due)),
        "an effect to accept": Decide(OWNER, due),
        "a choice": ChooseOption(OWNER, (due.effect, due.effect), space),
    }


@proves(
    {
        "UPR-AGENT-003": Twin(
            MODULE,
            'return refusal([Reason("turn_in_progress", ONE_CARD_ONE_AGENT + TURN_KIND)])',
            "return None",
        )
    },
    cases=tuple({"later": name} for name in _later_in_the_turn("arrakeen")),
)
def no_second_agent_is_sent_in_a_turn(later: str) -> None:
    """Unsatisfiable iff no player can send an Agent in an Agent turn in which one was sent.

    Neither while a cost is picked or Intelligence gathered, nor in the rest of the turn, nor while
    effects of a group, one to accept or one of several wait for the player.
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


# Anybody's Agent, and nothing empty

ENTERED = "spice_refinery"
"""A Combat space without cost that two posts are linked to, and that can be controlled."""
LINKED = linked_posts(ENTERED)
SENDER = CardFace("sender", "Sender", agent_icons=("city",), agent=(Gain(3, "water"),))
BY_SPY = CardFace("by_spy", "By Spy", agent_icons=(SPY_ICON,))


def _around(seat: Seat, players: int, there: Seats, spies: Seats, **slots: Any) -> State:
    """The turn of a player who holds the two cards; some are on the space, some on its posts."""
    board = [AgentAt(ENTERED, who) for who in there]
    posted = [SpyAt(post, who) for post, who in zip(LINKED, spies, strict=False)]
    everybody = {"swordmaster": False, "high_council": False}
    riches = {"solari": 9, "spice": 9, "water": 9}
    tracks = tuple(Track(faction, 2) for faction in factions())
    hand = zone((BY_SPY.id, card_of(seat, "hand"), SENDER.id))
    own = {"hand": hand, "tracks": tracks, **riches}
    turn = busy_turn(seat, "undecided", held=(), space=None)
    return full_table(
        seat,
        players,
        (Turn(seat),),
        {**everybody, **own},
        everybody,
        cards=(SENDER, BY_SPY),
        **{
            "agents": tuple(sorted(board, key=_place)),
            "spies": tuple(sorted(posted, key=lambda spy: (spy.post, spy.seat))),
            "turn": turn,
            **slots,
        },
    )


@proves(
    {
        "UPR-SPY-011": Twin(
            MODULE,
            "state, events = done.state, events + done.events\n    if cost",
            "events = events + done.events\n    if cost",
        ),
        "UPR-SPY-012": Twin(
            "rules_engine.imperium.agents",
            "agents = sorted((*state.agents, AgentAt(space, seat)), key",
            "others = (at for at in state.agents if at.space != space)\n"
            "    agents = sorted((*others, AgentAt(space, seat)), key",
        ),
        "UPR-CHOAM-017": Twin(MODULE, "    held = owner.contracts\n", "    held = turn.held\n"),
    },
    cases=TABLES,
)
def sending_an_agent_moves_just_what_it_says(players: int) -> None:
    """Unsatisfiable iff the card, the Agent and a Spy that Infiltrates move, and nothing else.

    The other Agent stays on the space. The turn remembers all that it did, the space, whether it is
    a Combat space and the contracts held, beside what happened before.
    """
    seat = any_seat(players)
    other = (seat + 1) % players
    there: Seats = choose("there", ((), (other,)))
    before = _around(seat, players, there, (seat, seat))
    post = LINKED[1] if there else None
    send = PlayAgent(seat, SENDER.id, ENTERED, post)
    line = line_from(before).given(send)
    old, turn = before.players[seat], before.turn
    assert turn is not None
    new = {
        "hand": zone((card_of(seat, "hand"), BY_SPY.id)),
        "in_play": plus(old.in_play, SENDER.id),
        "agents": old.agents - 1,
        **({"spies": old.spies + 1} if post else {}),
    }
    remembers = change(
        turn,
        kind="agent",
        space=ENTERED,
        combat=True,
        held=old.contracts,
        recalled_spy=post is not None,
    )
    agents = tuple(sorted((*before.agents, AgentAt(ENTERED, seat)), key=_place))
    spies = tuple(spy for spy in before.spies if spy != SpyAt(post or "", seat))
    claim_just(before, line.state, {seat: new}, agents=agents, spies=spies, turn=remembers)
    claim_open(line.events, players)


@proves(
    {
        "UPR-SPY-013": Twin(
            MODULE,
            '        yield Reason("own_agent_there", OWN_AGENT, {"space": action.space})\n',
            "        pass\n",
        ),
        "UPR-SPY-019": Twin(
            MODULE,
            '"spy_icon_and_infiltrate_same_spy") == "no":',
            '"spy_icon_and_infiltrate_same_spy") == "yes":',
        ),
    },
    cases=TABLES,
)
def who_may_enter_a_space_and_how(players: int) -> None:
    """Unsatisfiable iff an Agent enters an empty space, or by an own linked Spy another's.

    Never one where the player has an Agent. A card with the Spy icon needs an own Spy on a linked
    post, and if the ruling says so another than the one that Infiltrates. Each way is offered just
    if it is allowed.
    """
    seat = any_seat(players)
    other = (seat + 1) % players
    there: Seats = choose("there", ((), (seat,), (other,), (seat, other)))
    spies: Seats = choose("Spies", ((seat, seat), (seat, other), (other, seat), (other, other)))
    before = _around(seat, players, there, spies)
    own = [spy.post for spy in before.spies if spy.seat == seat]
    offered = list(options(IMPERIUM, before))
    for card in (SENDER.id, BY_SPY.id):
        for post in (None, *LINKED):
            free = not there if post is None else there == (other,) and post in own
            opens = card == SENDER.id or bool(own)
            if card == BY_SPY.id and post is not None and free:
                same_spy = follows(before, "spy_icon_and_infiltrate_same_spy") == "yes"
                opens = same_spy or len(own) > 1
            send = PlayAgent(seat, card, ENTERED, post)
            allowed = legal(IMPERIUM, before, send) is None
            claim(allowed == (free and opens), "it is allowed just in these ways")
            claim(offered.count(send) == (1 if allowed else 0), "each is offered once if allowed")


@proves(
    {
        "UPR-SPY-016": Twin(
            MODULE,
            "    state = push(bonus.state, AgentTurn(frame.seat, frame.items))\n",
            "    state = push(state, AgentTurn(frame.seat, frame.items))\n",
        )
    },
    cases=TABLES,
    kind=ORDER,
)
def the_controller_is_paid_then_intelligence_gathered_then_effects_resolved(players: int) -> None:
    """Unsatisfiable iff the controller gets the bonus at once, whoever it is, and nobody else.

    Whoever has a linked Spy is asked to gather before any effect is due, and who has none is not.
    All effects are due after that, and nothing else of anybody changes.
    """
    seat = any_seat(players)
    other = (seat + 1) % players
    spies: Seats = choose("Spies", ((seat, other), (other, other)))
    holder = choose("controls", (None, *range(players)))
    face = printed().spaces[ENTERED]
    controls = (Control(ENTERED, holder), Control("arrakeen", other))
    items = (Item(Gain(1, "water"), ENTERED), Item(Gain(2, "water"), SENDER.id))
    before = _around(
        seat, players, (seat,), spies, controls=controls, pending=(Placed(seat, ENTERED, items),)
    )
    (bonus,) = face.control_bonus
    assert isinstance(bonus, Gain)
    after = next_state(before)
    new = {}
    if holder is not None:
        new[holder] = {bonus.what: getattr(before.players[holder], bonus.what) + bonus.amount}
    claim_just(before, after, new)
    gathers = (GatherIntelligence(seat, ENTERED),) if seat in spies else ()
    claim(after.pending == (AgentTurn(seat, items), *gathers), "gathering comes before effects")


@proves(
    {
        "UPR-BOARD-015": Twin(
            MODULE,
            '"imperial_privilege_discard_or_trash") == "trash":',
            '"imperial_privilege_discard_or_trash") != "trash":',
        )
    },
    cases=TABLES,
)
def imperial_privilege_is_read_as_ruled(players: int) -> None:
    """Unsatisfiable iff it lets an Intrigue card be swapped, recalls an Agent and gives a card.

    The card swapped is discarded or trashed, and the card drawn needs an Agent to recall or not, as
    two rulings say. Conditions are tested when an effect is resolved, which is a third.
    """
    seat = any_seat(players)
    faction = printed().spaces[PRIVILEGE].icon
    card = CardFace("sender", "Sender", agent_icons=(faction,))
    before = full_table(
        seat,
        players,
        (Turn(seat),),
        {"hand": (card.id,)},
        cards=(card,),
        spies=(),
        turn=ThisTurn(seat),
    )
    assume(all_of(influence_of(before, "emperor", seat) >= 2, before.players[seat].solari >= 3))
    assume(follows(before, "condition_check_time") == "when_resolved")
    line = line_from(before).then(PlayAgent(seat, card.id, PRIVILEGE))
    frame: Any = line.state.pending[-1]
    due = [item.effect for item in frame.items]
    trashes = follows(before, "imperial_privilege_discard_or_trash") == "trash"
    cost = tree.TrashIntrigue() if trashes else tree.DiscardIntrigue(1)
    recall: list[Any] = [tree.RecallAgents(1), tree.DrawCards(1)]
    if follows(before, "imperial_privilege_no_agent") == "no_draw":
        recall = [tree.If(tree.AtLeast("agents_to_recall", 1), tree.All(tuple(recall)))]
    claim(due == [tree.Arrow(cost, tree.DrawIntrigue(1)), *recall], "it is read as ruled")


PRIVILEGE = "imperial_privilege"


@proves(
    {
        "UPR-ROUND-003": Twin(
            MODULE,
            'return Step(change(state, turn=None), (Event("ends_turn", END, frame.seat),))',
            'return Step(state, (Event("ends_turn", END, frame.seat),))',
        ),
        "UPR-AGENT-009": Twin(
            MODULE,
            "    if none(due(state, seat, frame.items)):\n        yield EndTurn(seat)",
            "    yield EndTurn(seat)",
        ),
    },
    cases=TABLES,
)
def nothing_of_an_agent_turn_is_remembered_after_it(players: int) -> None:
    """Unsatisfiable iff the turn ends when no duty is left, and nothing of it is remembered then.

    If the player says when it ends, that is allowed and offered just then; else it ends by itself
    when nothing can be resolved any more. Nothing of anybody changes with it.
    """
    seat = any_seat(players)
    left = choose("left", ("duty", "may", "nothing"))
    gain = Gain(1, "water")
    items = {"duty": (Item(gain, ENTERED),), "may": (Item(tree.May(gain), ENTERED),)}
    frame = AgentTurn(seat, items.get(left, ()))
    turn = busy_turn(seat, "agent", space=ENTERED, combat=True, recalled_spy=True, forbidden=True)
    before = full_table(seat, players, (PlayerTurns(seat), frame), turn=turn)
    end = EndTurn(seat)
    if asked(IMPERIUM, before).nobody():
        said = follows(before, "agent_turn_end") == "said"
        claim(not said and left == "nothing", "it ends by itself with the last effect")
        claim_just(before, next_state(before), turn=None)
        return
    said = follows(before, "agent_turn_end") == "said"
    claim(said or left != "nothing", "it goes on while something is left, or until it is said")
    allowed = legal(IMPERIUM, before, end) is None
    claim(allowed == (left != "duty"), "it can be ended when no duty is left")
    claim((end in options(IMPERIUM, before)) == allowed, "it is offered then")
    if allowed:
        after = next_state(before, end)
        claim_just(before, after, turn=None)
        claim(after.pending == before.pending[:-1], "the turn is over")


@proves(
    {
        "UPR-ROUND-004": Twin(
            MODULE,
            "        case PlayIntrigue():\n            return play(push(state, frame), action)\n"
            "        case _:\n            return Step(change(state, turn=None)",
            "        case PlayIntrigue():\n            return play(state, action)\n"
            "        case _:\n            return Step(change(state, turn=None)",
        )
    },
    cases=TABLES,
)
def a_plot_card_or_a_troop_does_not_end_the_turn(players: int) -> None:
    """Unsatisfiable iff the turn goes on with what was due after a Plot card or a deployment.

    What the card says has happened, or the troop is in the Conflict; nothing else of anybody
    changes, and the turn remembers what it did.
    """
    seat = any_seat(players)
    kind = choose("turn", ("undecided", "agent"))
    frame = Turn(seat) if kind == "undecided" else AgentTurn(seat, (Item(Gain(1, "water"), CARD),))
    plot = IntrigueFace("plot", "Plot", 1, (Way("plot", (Gain(1, "solari"),)),))
    turn = ThisTurn(seat, kind=kind, deployable=True, recruited=1)
    own = {"intrigues": (plot.id,), "hand": (), "revealed": False}
    before = full_table(seat, players, (frame,), own, intrigues=(plot,), turn=turn)
    action = choose("action", (PlayIntrigue(seat, plot.id, 0), Deploy(seat, 1)))
    if isinstance(action, Deploy):
        assume(before.players[seat].garrison >= 1)
    elif kind == "undecided":
        assume(follows(before, "plot_window") == "whole_turn")
    after = line_from(before).then(action).state
    claim(after.pending == before.pending, "the turn goes on as it was")
    old = before.players[seat]
    if isinstance(action, Deploy):
        goes = {"garrison": old.garrison - 1, "troops": old.troops + 1}
        counted = change(turn, deployed=1, staying=1, most_deployed=1)
        claim_just(before, after, {seat: goes}, turn=counted)
        return
    new = {"intrigues": (), "solari": old.solari + 1}
    pile = plus(before.intrigue_discard, plot.id)
    claim_just(before, after, {seat: new}, intrigue_discard=pile)
