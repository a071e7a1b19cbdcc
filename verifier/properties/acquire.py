"""Acquiring cards: when, from where, for how much, and what becomes of them."""

from __future__ import annotations

from typing import Any

from rules_engine.catalogue.faces import CardFace, ContractFace, IntrigueFace, Way
from rules_engine.effects.tree import AcquireCard, Gain, PaidOption, Pay, WhenAcquiring
from rules_engine.imperium.actions import (
    Accept,
    Acquire,
    Decline,
    EndTurn,
    PlayAgent,
    Resolve,
    Reveal,
    TakeFromRow,
)
from rules_engine.imperium.frames import (
    AgentTurn,
    ChooseOption,
    Combat,
    Decide,
    DrawFromDeck,
    Effects,
    GatherIntelligence,
    Item,
    PickCard,
    PickCost,
    PickFromRow,
    PickPlace,
    PlayerTurns,
    RevealTurn,
    Turn,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Stack, State, ThisTurn
from rules_engine.kernel.decks import Known, possibly_in, shuffled, size, zone
from rules_engine.kernel.game import Action, Frame, asked, legal, options, settle
from rules_engine.kernel.numbers import Quantity, pick
from rules_engine.kernel.outcomes import Event, Seat
from rules_engine.kernel.records import change
from verifier.changes import same
from verifier.current import assume, choose, claim, quantity, stage
from verifier.effects import OWNER
from verifier.full_tables import (
    IN_RESERVE,
    TABLES,
    any_seat,
    busy_turn,
    card_of,
    claim_just,
    full_table,
    plus,
)
from verifier.numbers import all_of, any_of, opposite
from verifier.play import Watch, line_from, next_state, play_out
from verifier.positions import NAMES, NO_UNITS, claim_only, printed, with_cards
from verifier.registry import ORDER, Twin, proves
from verifier.watched import Lazy

MODULE = "rules_engine.imperium.acquire"
RESERVE = ("prepare_the_way", "the_spice_must_flow")
"""The two cards of the Reserve. UPR-ACQ-002"""

ROW = 5
"""The cards of a full Row. UPR-ACQ-010"""


def _card(name: str, cost: Quantity, **boxes: Any) -> CardFace:
    """A card that exists in this game only."""
    return CardFace(name, name, cost=cost, **boxes)


def _table(frames: tuple[Any, ...], own: dict[str, Any], **slots: Any) -> State:
    """A position in which nothing can be acquired but what is given."""
    mine = {"set_aside": (), "standing": (), "contracts": (), "discard": (), **own}
    known = {"row": (), "imperium_deck": (), "reserve": (), **slots}
    return with_cards(frames, mine, **known)


def _revealing(own: dict[str, Any], *below: Frame, **slots: Any) -> State:
    """The first player is in the Reveal turn, and all effects are resolved."""
    frames = (Combat(), PlayerTurns(OWNER + 1), *below, RevealTurn(OWNER, ()))
    return _table(frames, own, **{"turn": ThisTurn(OWNER, kind="reveal"), **slots})


def _acquires(state: State, card: str) -> State:
    """The position after a card was acquired, and all that comes with it; it has to be allowed."""
    return _after(state, Acquire(OWNER, card), RevealTurn)


def _after(state: State, first: Action, *apart: type[Frame], watch: Watch | None = None) -> State:
    """The position after an input that has to be allowed, up to some kinds of frame."""
    stage(state, (first,))
    claim(legal(IMPERIUM, state, first) is None, "it is allowed")
    after, _ = play_out(state, apart=apart, first=first, watch=watch)
    return after


def _reserve() -> tuple[Lazy, Lazy]:
    """Stacks that are full, partly used or empty, and a deck with the cards that are missing."""
    copies = [printed().cards[card].reserve for card in RESERVE]
    rests = (tuple(copies), (1, 0), (0, 1), (0, 0))
    stacks = tuple(tuple(map(Stack, RESERVE, left)) for left in rests)
    decks = tuple(
        shuffled(
            card
            for card, all_copies, here in zip(RESERVE, copies, left, strict=True)
            for _ in range(all_copies - here)
        )
        for left in rests
    )
    return Lazy("reserve", stacks), Lazy("reserve", decks)


# When


def _outside() -> dict[str, tuple[Frame, str]]:
    """Where a player decides something but not on a Reveal turn, and the kind of turn."""
    gives = Gain(1, "spice"), Gain(1, "water")
    gains = tuple(Item(each, "imperial_basin") for each in gives)
    cost = (PaidOption(Pay(0, "solari"), Gain(1, "water")),)
    return {
        "before the kind of turn is decided": (Turn(OWNER), "undecided"),
        "on an Agent turn": (AgentTurn(OWNER, ()), "agent"),
        "with effects to resolve": (AgentTurn(OWNER, gains), "agent"),
        "inside a group of effects": (Effects(OWNER, gains), "agent"),
        "while a cost is picked": (PickCost(OWNER, cost, (), "gather_support"), "agent"),
        "with a Spy to gather with": (GatherIntelligence(OWNER, "gather_support"), "agent"),
        "with an effect to accept": (Decide(OWNER, gains[0]), "agent"),
        "with a choice": (ChooseOption(OWNER, gives, "imperial_basin"), "agent"),
    }


@proves(
    {
        "UPR-ACQ-001": Twin(
            "rules_engine.imperium.agent_turn",
            'return refusal([Reason("turn_in_progress", ONE_CARD_ONE_AGENT + TURN_KIND)])',
            "return None",
        )
    },
    cases=tuple({"moment": moment} for moment in _outside()),
)
def persuasion_buys_nothing_outside_the_reveal_turn(moment: str) -> None:
    """Unsatisfiable iff no card is offered or allowed for Persuasion before the Reveal turn.

    That is so for a card of the Row and for both of the Reserve, however much Persuasion there is,
    before the kind of turn is decided and on an Agent turn: in a group of its effects, and while a
    cost, a Spy to gather with, an effect or one of several is to be picked, too.
    """
    frame, kind = _outside()[moment]
    wanted = _card("wanted", quantity("cost"))
    stacks = tuple(Stack(card, printed().cards[card].reserve) for card in RESERVE)
    own = {"hand": (), "deck": (), "intrigues": (), "agents": 2, "swordmaster": False}
    before = _table(
        (Combat(), PlayerTurns(OWNER + 1), frame),
        own,
        cards=(wanted,),
        row=(wanted.id,),
        reserve=stacks,
        turn=ThisTurn(OWNER, kind=kind),
        spies=(),
        agents=(),
    )
    stage(before)
    for card in (wanted.id, *RESERVE):
        refused = legal(IMPERIUM, before, Acquire(OWNER, card)) is not None
        claim(refused, f"{card} cannot be acquired")
    offered = options(IMPERIUM, before)
    claim(not any(isinstance(each, Acquire) for each in offered), "no card is offered")


@proves(
    {
        "UPR-ACQ-001": Twin(
            "rules_engine.imperium.reveal_turn", "revealed=True", "revealed=True, persuasion=0"
        )
    },
)
def persuasion_of_the_round_is_spent_on_the_reveal_turn() -> None:
    """Unsatisfiable iff Persuasion from an Agent turn pays for a card on the Reveal turn.

    All that the player had, and all that an effect of the Agent turn gave, is there on the Reveal
    turn; a card is allowed if its cost is no more than that, and this is what it takes away.
    """
    gained, cost = quantity("gained"), quantity("cost")
    wanted = _card("wanted", cost)
    gain = AgentTurn(OWNER, (Item(Gain(gained, "persuasion"), "imperial_basin"),))
    own = {
        "hand": (),
        "in_play": (),
        "intrigues": (),
        "revealed": False,
        "high_council": False,
        **NO_UNITS,
        "set_aside": (),
        "standing": (),
        "contracts": (),
        "discard": (),
    }
    before = with_cards(
        (Combat(), PlayerTurns(OWNER + 1), gain),
        own,
        {"revealed": True},
        cards=(wanted,),
        turn=ThisTurn(OWNER, kind="agent"),
        row=(wanted.id,),
        imperium_deck=(),
        reserve=(),
        agents=(),
        reveal_order=(),
    )
    buy = Acquire(OWNER, wanted.id)
    stage(before, (Resolve(OWNER, 0), EndTurn(OWNER), Reveal(OWNER), buy))
    state = next_state(before, Resolve(OWNER, 0))
    if not asked(IMPERIUM, state).nobody():
        state = next_state(state, EndTurn(OWNER))
    state = settle(IMPERIUM, state).state
    state = next_state(state, Reveal(OWNER))
    there = before.players[OWNER].persuasion + gained
    claim(state.players[OWNER].persuasion == there, "all Persuasion is there")
    allowed = legal(IMPERIUM, state, buy) is None
    claim(allowed == (cost <= there), "it pays for a card that costs no more")
    if allowed:
        left = next_state(state, buy).players[OWNER].persuasion
        claim(left == there - cost, "the cost is taken away")


# What, and how many


@proves(
    {
        "UPR-ACQ-002": Twin(
            MODULE,
            "for stack in state.reserve if stack.left > 0",
            "for stack in state.reserve if stack.left >= 0",
        )
    },
)
def cards_come_from_the_row_or_the_reserve() -> None:
    """Unsatisfiable iff just the cards of the Row and the Reserve can be acquired.

    For every printed card: it is allowed, and offered once, if it is in the Row or is one of the
    two of the Reserve with a card left on its stack, and costs no more than the player's
    Persuasion. No other is: neither the top card of the deck, though the player knows it, nor one
    of a player.
    """
    one, other, top, below, gone, *_ = (
        card for card in printed().cards.values() if card.copies and not card.choam
    )
    deck = (Known(top.id, (OWNER,)), *shuffled((below.id,)))
    stacks, missing = _reserve()
    own = {"hand": (below.id,), "in_play": (), "intrigues": (), "deck": missing}
    before = _revealing(
        own,
        row=zone((one.id, other.id)),
        imperium_deck=deck,
        reserve=stacks,
        trashed=Lazy("trashed", ((), (gone.id,))),
    )
    stage(before)
    there = {one.id, other.id, *(stack.card for stack in before.reserve if stack.left)}
    offered = [each.card for each in options(IMPERIUM, before) if isinstance(each, Acquire)]
    persuasion = before.players[OWNER].persuasion
    for card in printed().cards.values():
        can: Any = False
        if card.id in there:
            assert card.cost is not None
            can = card.cost <= persuasion
        allowed = legal(IMPERIUM, before, Acquire(OWNER, card.id)) is None
        claim(can == allowed, f"{card.id} is allowed if it is there and can be paid")
        claim(offered.count(card.id) == pick(can, 1, 0), f"{card.id} is offered if so, and once")


@proves(
    {
        "UPR-ACQ-004": Twin(
            MODULE,
            "if cost > player(state, seat).persuasion:",
            "if cost >= player(state, seat).persuasion:",
        )
    },
)
def persuasion_pays_for_any_number_of_cards() -> None:
    """Unsatisfiable iff cards can be acquired one after the other while Persuasion pays for them.

    Of three cards each is tried in turn: it is allowed if its cost is no more than what is left,
    whatever was acquired before, and takes just that away. All that were allowed are the player's.
    """
    faces = [_card(name, quantity(f"cost of the {name}")) for name in ("first", "second", "third")]
    row = zone(face.id for face in faces)
    before = state = _revealing({}, cards=tuple(faces), row=row)
    left = before.players[OWNER].persuasion
    bought: tuple[str, ...] = ()
    for face in faces:
        cost = quantity(f"cost of the {face.id}")
        stage(before, tuple(Acquire(OWNER, card) for card in bought))
        allowed = legal(IMPERIUM, state, Acquire(OWNER, face.id)) is None
        claim(allowed == (cost <= left), f"the {face.id} is allowed if it can be paid")
        if allowed:
            state = settle(IMPERIUM, next_state(state, Acquire(OWNER, face.id))).state
            bought, left = (*bought, face.id), left - cost
            claim(state.players[OWNER].persuasion == left, "it takes its cost away")
    claim(state.players[OWNER].discard == zone(bought), "all of them are the player's")


# Where an acquired card goes


@proves(
    {
        "UPR-ACQ-008": Twin(
            MODULE, "discard=with_card(owner.discard, card)", "hand=with_card(owner.hand, card)"
        )
    },
)
def an_acquired_card_goes_to_the_discard_pile() -> None:
    """Unsatisfiable iff an acquired card leaves the Row or its stack for the own discard pile.

    Who can pay may acquire it. It is one card more there and one fewer where it came from. The
    player pays its cost, and gets 1 Victory Point for The Spice Must Flow. Nothing else of anybody
    changes, and on the table only the Row, the Reserve and what the turn remembers.
    """
    wanted = _card("wanted", quantity("cost"))
    card = choose("card", (wanted.id, *RESERVE))
    stacks, missing = _reserve()
    own = {"hand": ("dagger",), "in_play": ("dagger",), "discard": ("diplomacy",), "deck": missing}
    before = _revealing(own, cards=(wanted,), row=("shishakli", wanted.id), reserve=stacks)
    cost = quantity("cost") if card == wanted.id else {RESERVE[0]: 2, RESERVE[1]: 9}[card]
    old = before.players[OWNER]
    left = {stack.card: stack.left for stack in before.reserve}
    assume(left.get(card, 1) > 0)
    assume(old.persuasion >= cost)
    after = _acquires(before, card)
    new = after.players[OWNER]
    claim(new.discard == zone(("diplomacy", card)), "it is in the discard pile")
    claim(new.persuasion == old.persuasion - cost, "its cost is paid")
    claim(
        new.victory_points == old.victory_points + (1 if card == RESERVE[1] else 0),
        "only The Spice Must Flow gives a Victory Point",
    )
    row = tuple(each for each in ("shishakli", wanted.id) if each != card)
    claim(after.row == row, "it has left the Row")
    for stack in after.reserve:
        taken = 1 if stack.card == card else 0
        claim(stack.left == left[stack.card] - taken, f"the stack of {stack.card} has what is left")
    changed = ("discard", "persuasion", "victory_points")
    claim_only(before, after, changed, ("row", "reserve", "turn"))


@proves(
    {
        "UPR-ACQ-009": Twin(
            MODULE,
            "for effect in card_face(state, card).acquire)",
            "for effect in (*card_face(state, card).acquire, *card_face(state, card).reveal))",
        )
    },
)
def an_acquired_card_cannot_be_used_at_once() -> None:
    """Unsatisfiable iff an acquired card is not used before the discard pile is reshuffled.

    It may be acquired with enough Persuasion. For the rest of the Reveal turn it is neither in hand
    nor in play, none of its effects can be resolved, and neither its Agent box nor its Reveal box
    gives anything. Draws of as many cards as the deck has do not bring it.
    """
    agent, reveal = Gain(quantity("agent box"), "solari"), Gain(quantity("reveal box"), "spice")
    wanted = _card("wanted", quantity("cost"), agent=(agent,), reveal=(reveal,))
    deck = shuffled(("dagger", "diplomacy"))
    own = {"hand": (), "in_play": (), "deck": deck, "intrigues": ()}
    draws = DrawFromDeck(OWNER, quantity("draws", 0, 2))
    before = _revealing(
        own, draws, cards=(wanted,), row=(wanted.id,), intrigue_discard=(), trashed=()
    )
    assume(before.players[OWNER].persuasion >= quantity("cost"))

    def watch(_: State, state: State, __: tuple[Event, ...]) -> None:
        owner, top = state.players[OWNER], state.pending[-1]
        claim(wanted.id not in owner.hand + owner.in_play, "it is neither in hand nor in play")
        claim(owner.discard == (wanted.id,), "it is in the discard pile")
        if isinstance(top, RevealTurn):
            claim(top.items == (), "no effect of it is due")

    after = _after(before, Acquire(OWNER, wanted.id), PlayerTurns, watch=watch)
    old, new = before.players[OWNER], after.players[OWNER]
    claim(len(new.hand) == quantity("draws", 0, 2), "the cards are drawn")
    claim(new.solari == old.solari, "its Agent box gives nothing")
    claim(new.spice == old.spice, "its Reveal box gives nothing")


# The Row


def _leaves_the_row() -> dict[str, tuple[Frame, Action]]:
    """How a card leaves the Row: for Persuasion, or because an effect sets it aside."""
    return {
        "acquired": (RevealTurn(OWNER, ()), Acquire(OWNER, "wanted")),
        "set aside": (PickFromRow(OWNER), TakeFromRow(OWNER, "wanted")),
    }


@proves(
    {"UPR-ACQ-010": Twin(MODULE, "ROW = 5", "ROW = 4")},
    cases=({"how": "acquired"}, {"how": "set aside"}),
)
def the_row_is_filled_up_from_the_deck(how: str) -> None:
    """Unsatisfiable iff the Row has five cards again when one has left it, while the deck lasts.

    A card that can be paid, or that an effect sets aside, may leave it, and is not in it then. What
    is new comes from the top of the deck and is no longer there, and the other cards stay. A card
    that is known to be on top is the first to come.
    """
    frame, leave = _leaves_the_row()[how]
    names = ("wanted", "b", "c", "d", "e", "top", "x", "y")
    faces = tuple(_card(name, quantity("cost")) for name in names)
    row = choose("row", (names[1:5], names[1:4]))
    pools = (shuffled(("x",)), shuffled(("x", "x", "y")))
    deck = choose("deck", ((), *pools, (Known("top", (OWNER,)), *pools[0])))
    before = _table(
        (Combat(), PlayerTurns(OWNER + 1), RevealTurn(OWNER, ()), frame),
        {},
        cards=faces,
        row=zone(("wanted", *row)),
        imperium_deck=deck,
        turn=ThisTurn(OWNER, kind="reveal"),
    )
    assume(before.players[OWNER].persuasion >= quantity("cost"))
    after = _after(before, leave, RevealTurn)
    gap = min(ROW - len(row), size(deck))
    claim(len(after.row) == len(row) + gap, "the Row has five cards while the deck lasts")
    claim(size(after.imperium_deck) == size(deck) - gap, "they are the top cards of the deck")
    everything = after.row + possibly_in(after.imperium_deck)
    claim(zone(everything) == zone(row + possibly_in(deck)), "all other cards are where they were")
    claim(set(row) <= set(after.row), "what was in the Row is still there")
    if "top" in possibly_in(deck):
        claim("top" in after.row, "the card on top has come")


# The Acquire box


@proves(
    {
        "UPR-ACQ-012": Twin(
            MODULE, "Effects(seat, box + _said_about_it", "Effects(seat, box + box + _said_about_it"
        )
    },
    cases=({"paid": "with Persuasion"}, {"paid": "by an effect"}),
)
def an_acquire_box_applies_once_when_acquired(paid: str) -> None:
    """Unsatisfiable iff acquiring a card gives what its Acquire box says just once.

    That is so whether it is paid with Persuasion or comes by an effect; both are allowed. The
    effects of its other boxes do not happen, and nobody else gets anything.
    """
    amount = quantity("acquire box")
    others = {
        "agent": (Gain(quantity("agent box"), "solari"),),
        "reveal": (Gain(quantity("reveal box"), "water"),),
    }
    wanted = _card("wanted", quantity("cost"), acquire=(Gain(amount, "spice"),), **others)
    more = {"cards": (wanted,), "row": (wanted.id,)}
    turn = RevealTurn(OWNER, ())
    by_effect = PickCard(OWNER, AcquireCard(), "imperial_basin")
    frames = (turn,) if paid == "with Persuasion" else (turn, by_effect)
    before = _table(frames, {}, turn=ThisTurn(OWNER, kind="reveal"), **more)
    if paid == "with Persuasion":
        assume(before.players[OWNER].persuasion >= quantity("cost"))
    after = _acquires(before, wanted.id)
    old, new = before.players[OWNER], after.players[OWNER]
    cost = quantity("cost") if paid == "with Persuasion" else 0
    claim(new.spice == old.spice + amount, "the box is gained once")
    claim(new.persuasion == old.persuasion - cost, "only its cost is paid")
    claim(new.discard == (wanted.id,), "the card is acquired")
    claim_only(before, after, ("spice", "persuasion", "discard"), ("row", "turn", "pending"))


@proves(
    {
        "UPR-ACQ-008": Twin(
            MODULE,
            'where = TO_DISCARD if to == "discard" else OWN_WORDS',
            "where = TO_DISCARD",
        ),
        "UPR-ACQ-012": Twin(MODULE, "(ACQUIRE_BOX if box else ())", "ACQUIRE_BOX"),
    },
)
def an_acquired_card_is_told_with_the_rules_that_apply() -> None:
    """Unsatisfiable iff what is told of an acquired card names the rules that it follows.

    The one about the discard pile is named just if it goes there, and the one about Acquire boxes
    just if it has one.
    """
    to = choose("to", ("discard", "hand", "deck_top"))
    box = choose("box", ((), (Gain(1, "spice"),)))
    wanted = _card("wanted", quantity("cost"), acquire=box)
    frame = PickCard(OWNER, AcquireCard(to=to), "imperial_basin")
    own = {"hand": (), "deck": ()}
    before = _table((frame,), own, cards=(wanted,), row=(wanted.id,), turn=None)
    line = line_from(before).given(Acquire(OWNER, wanted.id))
    (told,) = (event for event in line.events if event.key == "acquires")
    claim(("UPR-ACQ-008" in told.rules) == (to == "discard"), "the discard pile, if it goes there")
    claim(("UPR-ACQ-012" in told.rules) == bool(box), "the Acquire box, if it has one")


def _uses() -> dict[str, tuple[Action, str]]:
    """How a card is used later, and what its box for that gives here."""
    return {
        "played": (PlayAgent(OWNER, "wanted", "assembly_hall"), "solari"),
        "revealed": (Reveal(OWNER), "water"),
    }


@proves(
    {
        "UPR-ACQ-012": Twin(
            "rules_engine.imperium.cards",
            "lambda face: face.reveal)",
            "lambda face: face.acquire + face.reveal)",
        )
    },
    cases=({"use": "played"}, {"use": "revealed"}),
)
def an_acquire_box_does_nothing_later(use: str) -> None:
    """Unsatisfiable iff a card that is played or revealed gives just what that box says.

    Of the effects of the card one is due, in its Agent box or its Reveal box; it is resolved, and
    then none is left. The Acquire box gives nothing.
    """
    given, what = _uses()[use]
    gains = {"agent": "solari", "reveal": "water", "acquire": "spice"}
    boxes = {box: (Gain(quantity(f"{box} box"), gain),) for box, gain in gains.items()}
    wanted = _card("wanted", 1, agent_icons=("landsraad",), **boxes)
    own = {
        "hand": (wanted.id,),
        "in_play": (),
        "contracts": (),
        "agents": 2,
        "swordmaster": False,
        "high_council": False,
        **NO_UNITS,
    }
    before = with_cards(
        (Combat(), PlayerTurns(OWNER + 1), Turn(OWNER)),
        own,
        {"swordmaster": False},
        cards=(wanted,),
        turn=ThisTurn(OWNER),
        agents=(),
        spies=(),
        reveal_order=(),
    )
    stage(before, (given,))
    state = settle(IMPERIUM, next_state(before, given)).state
    number, more = _of_card(state, wanted.id)
    claim(number is not None and not more, "one effect of the card is due")
    assume(number is not None)
    assert number is not None
    stage(before, (given, Resolve(OWNER, number)))
    state = next_state(state, Resolve(OWNER, number))
    for resource in gains.values():
        gained = quantity("agent box" if use == "played" else "reveal box")
        expected = gained if resource == what else 0
        old, new = (getattr(each.players[OWNER], resource) for each in (before, state))
        claim(new == old + expected, f"{NAMES[OWNER]} gets the {resource} that the box says")
    claim(_of_card(state, wanted.id) == (None, False), "no other effect of the card is due")


def _of_card(state: State, card: str) -> tuple[int | None, bool]:
    """The first effect of a card that is due in the turn, and whether there are more."""
    turn = state.pending[-1]
    assert isinstance(turn, AgentTurn | RevealTurn)
    found = [number for number, item in enumerate(turn.items) if item.source == card]
    return (found[0] if found else None), len(found) > 1


# Anybody's turn, and nothing empty

WANTED = "wanted"
LESS = 1
"""How much less a card costs that was set aside. Cunning says so, the only one that does."""

PLACES = {
    "in the Row": (True, False, False),
    "set aside": (False, True, False),
    "set aside by another": (False, False, True),
    "in the Row and set aside": (True, True, False),
    "in the Row and set aside by another": (True, False, True),
}
"""Where equal cards are: in the Row, set aside by the player, by everybody else."""


def _there(seat: Seat, place: str, **slots: Any) -> dict[str, Any]:
    """Where the card is that is wanted, beside others; the deck has one card."""
    row, own, others = PLACES[place]
    return {
        "own": {"set_aside": plus((card_of(seat, "set_aside"),), *((WANTED,) if own else ()))},
        "others": {"set_aside": (WANTED, WANTED)} if others else None,
        "row": plus(("table_row",), *((WANTED,) if row else ())),
        **slots,
    }


@proves(
    {
        "UPR-ACQ-002": Twin(
            MODULE,
            "if card in player(state, seat).set_aside or card in _left_in_reserve(state):",
            "if any(card in each.set_aside for each in state.players):\n        return True\n"
            "    if card in _left_in_reserve(state):",
        ),
        "UPR-ROUND-005": Twin(
            MODULE,
            "cost = price(state, seat, card) if aside else printed_cost(state, card)",
            "cost = price(state, seat, card)",
        ),
    },
    cases=TABLES,
)
def a_card_set_aside_is_its_owners_alone_and_costs_one_less(players: int) -> None:
    """Unsatisfiable iff a card is there for whom it is set aside, and for all if it is in the Row.

    It costs 1 less, but not less than nothing, if it was set aside. It is allowed, and offered
    once, if it can be paid. If it is in both places and both can be paid the player says which, and
    else just one is possible. Just that one leaves its place for the discard pile, its own cost is
    paid, the turn remembers it beside what was acquired before, and nothing else changes.
    """
    seat = any_seat(players)
    place = choose("place", tuple(PLACES))
    in_row, aside, _ = PLACES[place]
    cost = quantity("cost")
    turn = busy_turn(seat, "reveal")
    before = full_table(
        seat,
        players,
        (RevealTurn(seat, ()),),
        cards=(_card(WANTED, cost),),
        turn=turn,
        **_there(seat, place, imperium_deck=()),
    )
    old = before.players[seat]
    less = pick(cost < LESS, 0, cost - LESS)
    buy = Acquire(seat, WANTED)
    stage(before, (buy,))
    possible = any_of(all_of(in_row, cost <= old.persuasion), all_of(aside, less <= old.persuasion))
    allowed = legal(IMPERIUM, before, buy) is None
    claim(possible == allowed, "it is allowed if it is there and can be paid")
    offered = [each for each in options(IMPERIUM, before) if each == buy]
    claim(len(offered) == (1 if allowed else 0), "it is offered once if so")
    assume(possible)
    if not allowed:
        return
    line = line_from(before).given(buy)
    takes_aside = aside
    if isinstance(line.state.pending[-1], PickPlace):
        claim(all_of(in_row, aside, cost <= old.persuasion), "both are possible")
        claim(asked(IMPERIUM, line.state).players == (seat,), "the player says which")
        takes_aside = choose("takes the one set aside", (True, False))
        line = line.given(Accept(seat) if takes_aside else Decline(seat))
    else:
        both = all_of(in_row, aside, cost <= old.persuasion)
        claim(opposite(both), "just one is possible")
    state = settle(IMPERIUM, line.state).state
    new = {
        "discard": plus(old.discard, WANTED),
        "persuasion": old.persuasion - (less if takes_aside else cost),
    }
    if takes_aside:
        new["set_aside"] = (card_of(seat, "set_aside"),)
    row = before.row if takes_aside else ("table_row",)
    remembers = change(turn, acquired=plus(turn.acquired, WANTED))
    claim_just(before, state, {seat: new}, row=row, turn=remembers)


TURNS = ("own Agent turn", "own Reveal turn", "another's turn", "no turn")


def _turn(seat: Seat, players: int, which: str) -> ThisTurn | None:
    """A turn of the player, of the next one, or none."""
    match which:
        case "own Agent turn":
            return busy_turn(seat, "agent")
        case "own Reveal turn":
            return busy_turn(seat, "reveal")
        case "another's turn":
            return busy_turn((seat + 1) % players, "reveal")
        case _:
            return None


HOW = (
    ("discard", True, "own Reveal turn"),
    ("discard", False, "no turn"),
    ("hand", True, "another's turn"),
    ("hand", False, "own Agent turn"),
    ("deck_top", True, "own Agent turn"),
    ("deck_top", False, "another's turn"),
)
"""Where a card goes, whether it is paid with Solari, and in whose turn."""


@proves(
    {
        "UPR-ACQ-008": Twin(
            MODULE,
            "discard=with_card(owner.discard, card)",
            "discard=(card,)",
        ),
        "UPR-ROUND-005": Twin(
            MODULE,
            "everybody = tuple(range(len(state.players)))",
            "everybody = (seat,)",
        ),
    },
    cases=TABLES,
)
def a_card_acquired_by_an_effect_goes_where_the_effect_says(players: int) -> None:
    """Unsatisfiable iff the card is one more in the place that the effect names, and costs as said.

    It is allowed and offered just within the bounds of its cost, and for Solari just if they are
    there, which are then paid; Persuasion never is. On top of the deck everybody knows it. Just in
    the own turn it is remembered. Nothing else of anybody changes.
    """
    seat = any_seat(players)
    cost, cheapest, dearest = quantity("cost"), quantity("cheapest"), quantity("dearest")
    to, paid, which = choose("how", HOW)
    effect = AcquireCard(cheapest, choose("bounded", (dearest, None)), to, with_solari=paid)
    turn = _turn(seat, players, which)
    before = full_table(
        seat,
        players,
        (PickCard(seat, effect, "table_row"),),
        cards=(_card(WANTED, cost),),
        row=(WANTED,),
        imperium_deck=(),
        reserve=(),
        turn=turn,
        own={"set_aside": ()},
    )
    old = before.players[seat]
    fits = all_of(
        cost >= cheapest,
        effect.dearest is None or cost <= dearest,
        not paid or cost <= old.solari,
    )
    take = Acquire(seat, WANTED)
    stage(before, (take,))
    if asked(IMPERIUM, before).nobody():
        claim(opposite(fits), "somebody is asked if a card fits")
        claim_just(before, next_state(before))
        return
    allowed = legal(IMPERIUM, before, take) is None
    claim(fits == allowed, "it is allowed if it fits")
    claim((take in options(IMPERIUM, before)) == allowed, "it is offered if it fits")
    assume(fits)
    after = settle(IMPERIUM, next_state(before, take)).state
    solari = {"solari": old.solari - cost} if paid else {}
    everybody = tuple(range(players))
    places: dict[str, dict[str, Any]] = {
        "discard": {"discard": plus(old.discard, WANTED)},
        "hand": {"hand": plus(old.hand, WANTED)},
        "deck_top": {"deck": (Known(WANTED, everybody), *old.deck)},
    }
    remembers = turn
    if turn is not None and turn.seat == seat:
        remembers = change(turn, acquired=plus(turn.acquired, WANTED))
    claim_just(before, after, {seat: {**places[to], **solari}}, row=(), turn=remembers)


@proves(
    {
        "UPR-ACQ-002": Twin(
            MODULE,
            "not_of_row = effect.row and of_reserve(state, card) and not aside",
            "not_of_row = of_reserve(state, card) and not aside",
        )
    },
    cases=TABLES,
)
def an_effect_brings_cards_from_where_it_says(players: int) -> None:
    """Unsatisfiable iff an effect lets its owner pick a card of the Row or one set aside for it.

    One of the Reserve can be picked too, if one is left and the effect does not speak of the Row.
    Cards set aside by others, in decks, in anybody's other zones and out of the game cannot.
    """
    seat = any_seat(players)
    effect = AcquireCard(row=choose("of the Row", (False, True)))
    left = choose("left", (1, 0))
    before = full_table(
        seat,
        players,
        (PickCard(seat, effect, "table_row"),),
        {"discard": plus((card_of(seat, "discard"),), *("table_reserve",) * (IN_RESERVE - left))},
        reserve=(Stack("table_reserve", left),),
    )
    stage(before)
    there = {"table_row", card_of(seat, "set_aside")}
    if left and not effect.row:
        there.add("table_reserve")
    offered = [each.card for each in options(IMPERIUM, before)]
    claim(sorted(offered) == sorted(there), "just these are offered, each once")
    for face in before.config.cards:
        allowed = legal(IMPERIUM, before, Acquire(seat, face.id)) is None
        claim(allowed == (face.id in there), "just these are allowed")


def _speaks(name: str, amount: Quantity) -> IntrigueFace:
    """An Intrigue card that stands face up and says what comes with a card acquired."""
    return IntrigueFace(name, name, 2, (Way("plot", (WhenAcquiring(Gain(amount, "water")),)),))


@proves(
    {
        "UPR-ACQ-010": Twin(
            MODULE,
            "state = push(state, Effects(seat, box + _said_about_it(state, seat)), *gap)",
            "state = push(state, *gap, Effects(seat, box + _said_about_it(state, seat)))",
        ),
        "UPR-ACQ-012": Twin(
            MODULE,
            "        for card in player(state, seat).standing\n        for effect",
            "        for card in player(state, seat).standing[:1]\n        for effect",
        ),
    },
    cases=TABLES,
    kind=ORDER,
)
def the_row_is_filled_then_the_box_applies_then_the_contract(players: int) -> None:
    """Unsatisfiable iff acquiring fills the Row, then gives its box, then completes the contract.

    Nothing is gained while the Row has a gap, and the contract pays when the box is resolved. What
    each of the owner's Intrigue cards face up says comes too, just in the own Reveal turn. Only
    the owner's contract for that card is completed, only the owner gains, and nothing else changes.
    """
    seat = any_seat(players)
    box, said, pays = quantity("box", 1), quantity("said", 1), quantity("contract", 1)
    which = choose("turn", TURNS)
    turn = _turn(seat, players, which)
    mine = ContractFace("for it", "for it", 9, "acquire", (Gain(pays, "solari"),), WANTED)
    standing = {"standing": ("one", "one", "other")}
    everybodys = {**standing, "contracts": ("for it", "for it")}
    before = full_table(
        seat,
        players,
        (PickCard(seat, AcquireCard(), "table_row"),),
        cards=(_card(WANTED, quantity("cost"), acquire=(Gain(box, "spice"),)),),
        intrigues=(_speaks("one", said), _speaks("other", 1)),
        contracts=(mine,),
        row=(WANTED, *("table_row",) * 4),
        turn=turn,
        own={**everybodys, "contracts": ("for it", card_of(seat, "contracts"))},
        others=everybodys,
    )
    old = before.players[seat]

    def watch(state: State, after: State, _: tuple[Event, ...]) -> None:
        one, other = state.players[seat], after.players[seat]
        if not same(one, other, "spice", "water", "solari"):
            claim(len(state.row) == ROW, "the Row is full before anything is gained")
        if not same(one, other, "solari"):
            claim(one.spice == old.spice + box, "the box comes before the contract")

    after, _ = play_out(before, first=Acquire(seat, WANTED), watch=watch)
    gained = {
        "spice": old.spice + box,
        "solari": old.solari + pays,
        "discard": plus(old.discard, WANTED),
        "contracts": (card_of(seat, "contracts"),),
        "completed": plus(old.completed, "for it"),
    }
    if which == "own Reveal turn":
        gained["water"] = old.water + 2 * said + 1
    if turn is not None and turn.seat == seat:
        turn = change(turn, acquired=plus(turn.acquired, WANTED), spice=turn.spice + box)
    row = plus(("table_row",) * 4, "table_imperium_deck")
    claim_just(before, after, {seat: gained}, row=row, imperium_deck=(), turn=turn)


@proves(
    {
        "UPR-ACQ-010": Twin(
            MODULE,
            "owner = change(owner, set_aside=with_card(owner.set_aside, card))",
            "owner = change(owner, set_aside=(card,))",
        )
    },
    cases=TABLES,
)
def a_card_set_aside_lies_beside_those_set_aside_before(players: int) -> None:
    """Unsatisfiable iff one card of the Row is set aside for its owner, and the Row filled up.

    Just the cards of the Row are allowed, each offered once; nothing else of anybody changes.
    """
    seat = any_seat(players)
    row = ("a", "table_row", WANTED, WANTED)
    before = full_table(
        seat,
        players,
        (PickFromRow(seat),),
        cards=(_card(WANTED, 1), _card("a", 1)),
        row=row,
        turn=busy_turn(seat, "agent"),
    )
    take = TakeFromRow(seat, WANTED)
    stage(before, (take,))
    offered = [each.card for each in options(IMPERIUM, before)]
    claim(sorted(offered) == sorted(set(row)), "each card of the Row is offered once")
    for face in before.config.cards:
        allowed = legal(IMPERIUM, before, TakeFromRow(seat, face.id)) is None
        claim(allowed == (face.id in row), "just the cards of the Row are allowed")
    after, _ = play_out(before, first=take)
    kept = plus(before.players[seat].set_aside, WANTED)
    new_row = plus(("a", "table_row", WANTED), "table_imperium_deck")
    claim_just(before, after, {seat: {"set_aside": kept}}, row=new_row, imperium_deck=())


@proves(
    {
        "UPR-ROUND-006": Twin(
            MODULE,
            "intrigue_discard=tuple(sorted(state.intrigue_discard + owner.standing))",
            "intrigue_discard=owner.standing",
        ),
        "UPR-REVEAL-008": Twin(
            "rules_engine.imperium.cards",
            'state = move_card(state, seat, card, "in_play", "discard")',
            'state = move_card(state, seat, card, "in_play", "hand")',
        ),
        "UPR-ACQ-007": Twin(
            "rules_engine.imperium.reveal_turn",
            "change(player(state, seat), persuasion=0)",
            "player(state, seat)",
        ),
    },
    cases=TABLES,
)
def nothing_of_a_reveal_turn_outlasts_it(players: int) -> None:
    """Unsatisfiable iff the end of a Reveal turn clears away what was for that turn alone.

    The player's cards in play go to the discard pile, Intrigue cards that stood face up to theirs,
    cards still set aside out of the game, all beside what lies there; Persuasion and what the turn
    remembers are gone. Of the others, and on the table, nothing changes.
    """
    seat = any_seat(players)
    twice = ("in_play", "standing", "set_aside")
    own = {where: plus((card_of(seat, where),), card_of(seat, where)) for where in twice}
    before = full_table(seat, players, (RevealTurn(seat, ()),), own, turn=busy_turn(seat, "reveal"))
    old = before.players[seat]
    after = line_from(before).given(EndTurn(seat)).state
    new: dict[str, Any] = dict.fromkeys(twice, ())
    new |= {"discard": plus(old.discard, *old.in_play), "persuasion": 0}
    claim(not after.pending, "nothing is left to do")
    claim_just(
        before,
        after,
        {seat: new},
        intrigue_discard=plus(before.intrigue_discard, *old.standing),
        trashed=plus(before.trashed, *old.set_aside),
        turn=None,
    )
