"""Drawing: from the own deck, and from the Intrigue Deck."""

from __future__ import annotations

from typing import Any

from rules_engine.catalogue.faces import CardFace
from rules_engine.effects.tree import DrawCards, DrawIntrigue, Gain, If, Owns
from rules_engine.imperium.actions import (
    Acquire,
    Decline,
    Discard,
    GiveUpIntrigue,
    PlayAgent,
    PlayIntrigue,
    Resolve,
    Reveal,
    SortCard,
    TakeContract,
    TakeFromRow,
)
from rules_engine.imperium.frames import (
    AnyFrame,
    DrawFromDeck,
    Effects,
    Item,
    PickContract,
    PickDiscard,
    PickFromRow,
    PickIntrigue,
    PickTrash,
    RevealTurn,
    Run,
    SortCards,
    Steal,
    Turn,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.looking import FATES
from rules_engine.imperium.state import State, ThisTurn, Track, follows
from rules_engine.kernel.decks import ANY, Known, Pool, possibly_in, shuffled, size, zone
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import Answer, handle, options
from rules_engine.kernel.numbers import smaller
from rules_engine.kernel.records import change
from rules_engine.kernel.views import view_event
from verifier.current import assume, choose, claim, quantity, stage
from verifier.effects import OWNER
from verifier.full_tables import (
    TABLES,
    any_seat,
    busy_turn,
    claim_just,
    claim_told_to,
    full_table,
    plus,
)
from verifier.numbers import implies
from verifier.play import line_from, play_out
from verifier.positions import claim_only, factions, printed, with_cards
from verifier.registry import Twin, proves

MODULE = "rules_engine.imperium.cards"
SOURCE = "imperial_basin"

DECKS = (
    (),
    shuffled(("dagger",)),
    shuffled(("dagger", "diplomacy")),
    (Known("signet_ring", (OWNER,)), *shuffled(("dagger",))),
)
PILES = ((), ("reconnaissance",), ("convincing_argument", "reconnaissance"))


@proves(
    {
        "UPR-ICON-003": Twin(
            MODULE,
            "if frame.count < 1 or not owner.discard:",
            "if frame.count < 2 or not owner.discard:",
        )
    },
)
def cards_are_drawn_from_the_deck_then_from_the_reshuffled_pile() -> None:
    """Unsatisfiable iff as many cards as there are, but no more than said, are drawn.

    Those of the deck come first, the known top card before others. Only if more are due is the
    discard pile, all of it, shuffled into a new deck, from which the rest is drawn. No card is
    lost or doubled, the hand keeps what it had, and nothing else of anybody changes.
    """
    amount = quantity("amount")
    deck, pile = choose("deck", DECKS), choose("pile", PILES)
    own = {"hand": ("dagger",), "deck": deck, "discard": pile}
    frame = Run(OWNER, Item(DrawCards(amount), SOURCE))
    before = with_cards((frame,), own, turn=ThisTurn(OWNER, kind="agent"))
    after, _ = play_out(before)
    owner = after.players[OWNER]
    here, all_cards = possibly_in(deck), possibly_in(deck) + pile
    drawn = len(owner.hand) - 1
    claim(drawn == smaller(amount, len(all_cards)), "as many as there are, up to the number said")
    claim(size(owner.deck) + len(owner.discard) == len(all_cards) - drawn, "the others are left")
    left = owner.hand + possibly_in(owner.deck) + owner.discard
    claim(zone(left) == zone(("dagger", *all_cards)), "no card is lost or doubled")
    reshuffled = amount > len(here)
    claim(implies(reshuffled, owner.discard == ()), "if more are due, no card stays in the pile")
    claim(implies(amount <= len(here), owner.discard == pile), "else the pile stays as it is")
    first = zone(("dagger", *here))
    from_deck = all(first.count(card) >= owner.hand.count(card) for card in owner.hand)
    whole_deck = all(owner.hand.count(card) >= first.count(card) for card in first)
    claim(from_deck or whole_deck, "the cards of the deck are drawn first")
    if isinstance(deck[0] if deck else None, Known):
        claim(implies(amount >= 1, "signet_ring" in owner.hand), "the top card comes first")
    claim_only(before, after, ("hand", "deck", "discard"), ("pending",))


@proves(
    {
        "UPR-ICON-004": Twin(
            MODULE,
            'Event("draws_intrigue", DRAW_INTRIGUE, frame.seat, {"card": card}, secret=("card",))',
            'Event("draws_intrigue", DRAW_INTRIGUE, frame.seat, {"card": card})',
        )
    },
)
def intrigue_cards_are_drawn_from_their_deck_face_down() -> None:
    """Unsatisfiable iff Intrigue cards come from the Intrigue Deck, and only their owner is told.

    As many are drawn as said, or as there are; those of the discard pile only after the whole
    deck, and only under the ruling that reshuffles it. None is lost or doubled, and nothing else
    of anybody changes. Of each draw other players and spectators are told that it was made, and
    the owner which card it was.
    """
    amount = quantity("amount")
    held, one, other, third, *_ = printed().intrigue
    frame = Run(OWNER, Item(DrawIntrigue(amount), SOURCE))
    before = with_cards(
        (frame,),
        {"intrigues": (held,)},
        intrigue_deck=shuffled((one, other)),
        intrigue_discard=(third,),
    )
    after, events = play_out(before)
    owner = after.players[OWNER]
    reached = 2
    if amount > 2 and follows(after, "intrigue_deck_empty") == "reshuffle":
        reached = 3
    drawn = len(owner.intrigues) - 1
    claim(drawn == smaller(amount, reached), "as many as there are, up to the number said")
    left = owner.intrigues + possibly_in(after.intrigue_deck) + after.intrigue_discard
    claim(zone(left) == zone((held, one, other, third)), "no card is lost or doubled")
    claim(third not in owner.intrigues or {one, other} <= set(owner.intrigues), "the deck is first")
    draws = [event for event in events if event.player == OWNER and "card" in event.facts]
    claim(zone((held, *(each.facts["card"] for each in draws))) == owner.intrigues, "all are told")
    for event in events:
        for viewer in (OWNER + 1, OWNER + 2, None):
            claim("card" not in view_event(event, viewer).facts, "others are not told which card")
        claim(view_event(event, OWNER) == event, "the owner is told everything")
    table = ("intrigue_deck", "intrigue_discard", "pending")
    claim_only(before, after, ("intrigues",), table)


# Anybody's draw, and nothing empty

TOP, BELOW = "top", "below"


@proves(
    {
        "UPR-ICON-003": Twin(
            MODULE,
            'event = Event("draws", DRAW, frame.seat, {"card": card}, secret=("card",))',
            'event = Event("draws", DRAW, frame.seat, {"card": card})',
        ),
        "UPR-REVEAL-005": Twin(
            MODULE,
            'revealing = turn is not None and turn.seat == seat and turn.kind == "reveal"',
            'revealing = turn is not None and turn.kind == "reveal"',
        ),
    },
    cases=TABLES,
)
def a_drawn_card_is_its_owners_secret_unless_it_is_revealed(players: int) -> None:
    """Unsatisfiable iff who draws has the cards in hand, and nobody else is told which they are.

    If a ruling says so, in the own Reveal turn alone, they are shown to all instead: they are in
    play, the turn remembers them with those shown before, and their Reveal boxes apply, not their
    Agent boxes. The deck and then the discard pile are used up; nothing else of anybody changes.
    """
    seat = any_seat(players)
    amount = choose("amount", (1, 2))
    turns = (
        None,
        busy_turn(seat, "agent"),
        busy_turn(seat, "reveal"),
        busy_turn((seat + 1) % players, "reveal"),
    )
    turn = choose("turn", turns)
    boxes: dict[str, Any] = {"agent": (Gain(9, "water"),), "reveal": (Gain(1, "solari"),)}
    faces = tuple(CardFace(name, name, **boxes) for name in (TOP, BELOW))
    own = {"deck": shuffled((TOP,)), "discard": (BELOW,)}
    frame = Run(seat, Item(DrawCards(amount), SOURCE))
    before = full_table(seat, players, (frame,), own, cards=faces, turn=turn)
    after, events = play_out(before)
    old, drawn = before.players[seat], (TOP, BELOW)[:amount]
    new: dict[str, Any] = {"deck": (), "discard": (BELOW,) if amount == 1 else ()}
    revealing = turn is not None and turn.seat == seat and turn.kind == "reveal"
    if revealing and follows(before, "draw_during_reveal") == "revealed":
        assert turn is not None
        turn = change(turn, shown=plus(turn.shown, *drawn), copy=0)
        new |= {"in_play": plus(old.in_play, *drawn), "solari": old.solari + amount}
    else:
        new["hand"] = plus(old.hand, *drawn)
    claim_just(before, after, {seat: new}, turn=turn)
    draws = tuple(event for event in events if event.key == "draws")
    claim([event.facts["card"] for event in draws] == list(drawn), "each draw is told")
    claim_told_to(draws, players, "card", (seat,))


@proves(
    {
        "UPR-REVEAL-005": Twin(MODULE, "copy = first + cards[:place].count(card)", "copy = first"),
        "UPR-REVEAL-003": Twin(
            MODULE,
            "first = max(due_boxes(state, seat, card), default=-1) + 1",
            "first = 0",
        ),
    },
    cases=TABLES,
)
def equal_cards_have_boxes_of_their_own(players: int) -> None:
    """Unsatisfiable iff of equal cards in play each has its own box, told apart from the others.

    That is so for those revealed together, and for one revealed while boxes of others are due.
    """
    seat = any_seat(players)
    twin = CardFace("equal", "Equal", reveal=(Gain(1, "solari"), Gain(2, "solari")))
    due = tuple(Item(Gain(1, "solari"), twin.id, boxed=True, copy=copy) for copy in (0, 1))
    left = choose("due", (None, 0, 1, 2))
    if left is None:
        own: dict[str, Any] = {"hand": (twin.id, twin.id)}
        before = full_table(seat, players, (Turn(seat),), own, cards=(twin,), turn=ThisTurn(seat))
        after = line_from(before).given(Reveal(seat)).state
        expected = [0, 0, 1, 1]
    else:
        others = Effects((seat + 1) % players, (Item(Gain(1, "water"), twin.id, True, 3),))
        pending = (others, RevealTurn(seat, due[:left]), DrawFromDeck(seat, 1))
        own = {"deck": shuffled((twin.id,)), "in_play": (twin.id,) * left}
        turn = busy_turn(seat, "reveal")
        before = full_table(seat, players, pending, own, cards=(twin,), turn=turn)
        assume(follows(before, "draw_during_reveal") == "revealed")
        after = line_from(before).given(Answer(twin.id)).state
        expected = [left, left]
    frame: Any = after.pending[-1]
    found = [item.copy for item in frame.items if item.source == twin.id]
    claim(found == expected, "each of them has a number of its own")
    claim(all(item.boxed for item in frame.items if item.source == twin.id), "they are in boxes")


@proves(
    {
        "UPR-ICON-004": Twin(
            MODULE,
            "owner = change(owner, intrigues=with_card(owner.intrigues, card))",
            "owner = change(owner, intrigues=(card,))",
        )
    },
    cases=TABLES,
)
def whoever_draws_intrigue_cards_keeps_them_secret(players: int) -> None:
    """Unsatisfiable iff who draws Intrigue cards holds them beside the others, told to nobody else.

    Under the ruling that reshuffles the discard pile it is used up for the second one, else there
    is none. Nothing else of anybody changes.
    """
    seat = any_seat(players)
    amount = choose("amount", (1, 2))
    frame = Run(seat, Item(DrawIntrigue(amount), SOURCE))
    turn = busy_turn((seat + 1) % players, "agent")
    before = full_table(seat, players, (frame,), turn=turn)
    after, events = play_out(before)
    again = amount == 2 and follows(before, "intrigue_deck_empty") == "reshuffle"
    drawn = ("table_intrigue_deck", *(("table_intrigue_discard",) if again else ()))
    held = plus(before.players[seat].intrigues, *drawn)
    pile = () if again else before.intrigue_discard
    claim_just(before, after, {seat: {"intrigues": held}}, intrigue_deck=(), intrigue_discard=pile)
    claim_told_to(events, players, "card", (seat,))


# Cards that were never named

COUNTS_COPIES = Effects(OWNER, (Item(If(Owns("dagger", 2), Gain(1, "spice")), "arrakeen"),) * 2)

UNNAMED: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "hand": (PickDiscard(OWNER, 1, SOURCE), Discard(OWNER, "dagger"), {"hand": (ANY,)}),
    "discard": (DrawFromDeck(OWNER, 1), None, {"discard": (ANY,)}),
    "row": (PickFromRow(OWNER), TakeFromRow(OWNER, "maula_pistol"), {}),
    "contracts": (PickContract(OWNER), TakeContract(OWNER, "contract_harvest_3"), {}),
    "copies": (COUNTS_COPIES, Resolve(OWNER, 0), {"discard": (ANY,)}),
    "copies in the deck": (
        COUNTS_COPIES,
        Resolve(OWNER, 0),
        {"deck": (Pool(1, ("dagger", "diplomacy")),)},
    ),
    "revealed": (Turn(OWNER), Reveal(OWNER), {"hand": (ANY,)}),
    "looked at": (
        SortCards(OWNER, ("dagger", ANY), FATES),
        SortCard(OWNER, "diplomacy", "draw"),
        {},
    ),
    "dealt out": (
        SortCards(OWNER, (ANY, "dagger"), ("draw", "discard")),
        SortCard(OWNER, "dagger", "draw"),
        {},
    ),
    "factions": (PickTrash(OWNER, "emperor"), Decline(OWNER), {"discard": (ANY,)}),
    "drawn": (DrawFromDeck(OWNER, 1), Answer(ANY), {"deck": shuffled(("dagger",))}),
}
"""What comes next, the input, if there is one, that asks about cards never named, and the cards."""


def _unnamed(frame: AnyFrame, own: dict[str, Any], row: tuple[str, ...]) -> State:
    """A frame comes next, in a Reveal turn or where the kind of turn is to be decided.

    A contract on offer was never named.
    """
    slots: dict[str, Any] = {
        "turn": ThisTurn(OWNER, kind="undecided" if isinstance(frame, Turn) else "reveal"),
        "row": row,
        "reserve": (),
        "reveal_order": (),
        "contract_row": (ANY,),
        "leader_contracts": (),
        "agents": (),
        "spies": (),
    }
    return with_cards((frame,), own, {"swordmaster": False}, **slots)


@proves(
    {
        "UPR-ICON-003": Twin(MODULE, "if ANY in owner.discard:", "if (ANY, ANY) == owner.discard:"),
    },
    cases=tuple({"where": where} for where in UNNAMED),
)
def a_card_that_was_never_named_is_not_guessed(where: str) -> None:
    """Unsatisfiable iff what depends on a card that was never named is reported as unknown.

    That is a card in hand that may be the one discarded, a discard pile that becomes the deck, a
    card of the Row that may be the one set aside, a face-up contract that may be the one taken,
    cards that may be further copies of one, in the deck too, a card in hand that would be revealed,
    a card drawn where what is drawn is revealed, a card looked at that may be another or would be
    discarded, and cards of which one may be of the Faction that a card to trash has to be of.
    """
    frame, given, cards = UNNAMED[where]
    own: dict[str, Any] = {"hand": (), "discard": (), "in_play": (), "deck": (), **cards}
    before = _unnamed(frame, own, (ANY,))
    stage(before, () if given is None else (given,))
    if where == "drawn":
        assume(follows(before, "draw_during_reveal") == "revealed")
    try:
        handle(IMPERIUM, before, given)
        guessed = True
    except UnknownRead:
        guessed = False
    claim(not guessed, "it is not guessed")


OFFERED: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "given up": (PickIntrigue(OWNER, 1), (GiveUpIntrigue(OWNER, "mercenaries"),)),
    "stolen": (Steal(OWNER + 1, OWNER), (Answer("mercenaries"),)),
    "played": (
        RevealTurn(OWNER, ()),
        (PlayIntrigue(OWNER, "mercenaries", 0),),
    ),
    "looked at": (
        SortCards(OWNER, (ANY, "dagger"), ("draw", "trash")),
        (SortCard(OWNER, "dagger", "draw"), SortCard(OWNER, "dagger", "trash")),
    ),
}
"""What comes next, and what there is to do with the cards that were named."""


@proves(
    {
        "UPR-ICON-004": Twin(
            "rules_engine.imperium.held_intrigue",
            "        if card != ANY\n    ),",
            "    ),",
        ),
    },
    cases=tuple({"where": where} for where in OFFERED),
)
def only_intrigue_cards_that_were_named_are_offered(where: str) -> None:
    """Unsatisfiable iff of the cards held or looked at just those are offered that were named.

    That is so for Intrigue cards to be discarded, stolen or played, and for cards looked at.
    """
    frame, wanted = OFFERED[where]
    own: dict[str, Any] = {"intrigues": (ANY, "mercenaries"), "set_aside": (), "solari": 3}
    turn = ThisTurn(OWNER, kind="reveal")
    before = with_cards((frame,), own, turn=turn, row=(), reserve=())
    stage(before)
    offered = [each for each in options(IMPERIUM, before) if isinstance(each, type(wanted[0]))]
    claim(offered == list(wanted), "the cards that were named are offered, and no other")


OFFERS: dict[str, tuple[AnyFrame, tuple[Any, ...]]] = {
    "sending an Agent": (Turn(OWNER), (PlayAgent(OWNER, "dagger", "assembly_hall"),)),
    "discarding": (PickDiscard(OWNER, 1, SOURCE), (Discard(OWNER, "dagger"),)),
    "acquiring": (RevealTurn(OWNER, ()), (Acquire(OWNER, "maula_pistol"),)),
    "setting aside": (PickFromRow(OWNER), (TakeFromRow(OWNER, "maula_pistol"),)),
    "taking a contract": (PickContract(OWNER), ()),
}
"""What comes next, and what is offered for the card that was named."""


@proves(
    {
        "UPR-ICON-001": Twin(
            "rules_engine.imperium.discarding",
            "for card in cards if card != ANY)",
            "for card in cards)",
        ),
        "UPR-ACQ-002": Twin(
            "rules_engine.imperium.acquire",
            "for card in dict.fromkeys(cards) if card != ANY)",
            "for card in cards[:1] if card != ANY)",
        ),
        "UPR-CHOAM-007": Twin(
            "rules_engine.imperium.contracts",
            "for contract in there if contract != ANY)",
            "for contract in there)",
        ),
    },
    cases=tuple({"what": what} for what in OFFERS),
)
def a_card_that_was_never_named_is_not_offered(what: str) -> None:
    """Unsatisfiable iff just the card that was named is offered, wherever one may be picked.

    That is for sending an Agent, for discarding, acquiring with enough Persuasion and setting
    aside. Of contracts none was named, and none is offered.
    """
    frame, wanted = OFFERS[what]
    own = {
        "hand": zone((ANY, "dagger")),
        "intrigues": (),
        "set_aside": (),
        "agents": 2,
        "swordmaster": False,
        "tracks": tuple(Track(faction, 0) for faction in factions()),
        **dict.fromkeys(("solari", "spice", "water"), 0),
    }
    before = _unnamed(frame, own, zone((ANY, "maula_pistol")))
    assume(before.players[OWNER].persuasion >= 3)
    stage(before)
    offered = [
        each
        for each in options(IMPERIUM, before)
        if isinstance(each, Discard | Acquire | TakeFromRow | TakeContract)
        or (isinstance(each, PlayAgent) and each.space == "assembly_hall")
    ]
    claim(offered == list(wanted), "just what was named is offered")
