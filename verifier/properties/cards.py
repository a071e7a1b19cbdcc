"""Drawing: from the own deck, and from the Intrigue Deck."""

from __future__ import annotations

from typing import Any

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
from rules_engine.kernel.views import view_event
from verifier.current import assume, choose, claim, quantity, stage
from verifier.effects import OWNER
from verifier.numbers import implies
from verifier.play import play_out
from verifier.positions import claim_only, factions, printed, with_cards
from verifier.registry import Twin, proves

MODULE = "rules_engine.imperium.cards"
BOUNDS = "any number of cards to draw, any quantities, 3 players, the drawing one in the first seat"
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
    bounds=f"{BOUNDS}; up to two cards in the deck, the top one known or not, and up to two in the "
    "discard pile, one in hand, in the own Agent turn",
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
    bounds=f"{BOUNDS}; two cards in the Intrigue Deck, one in its discard pile, one held before",
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
    bounds="any quantities, 3 players, the player in the first seat in the own Reveal turn, or "
    "about to begin it; a card that was never named in one of these places, in the Row and among "
    "the contracts, no other card but those looked at, the deck empty or of one card",
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
    bounds="any quantities, 3 players, the player in the first seat in the own Reveal turn with "
    "3 Solari and two Intrigue cards or, in one case, two cards looked at: one of them named",
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
            "for card in dict.fromkeys(cards))",
        ),
        "UPR-CHOAM-007": Twin(
            "rules_engine.imperium.contracts",
            "for contract in there if contract != ANY)",
            "for contract in there)",
        ),
    },
    bounds="any other quantities, 3 players, the first of them in the own turn; a card in "
    "hand and one in the Row, beside each one that was never named, and such a contract on offer; "
    "no other card to acquire, no Intrigue card, no Agents and Spies on the board, no resources "
    "and Influence; enough Persuasion",
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
