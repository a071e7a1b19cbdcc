"""Cards looked at: who sees them, and what becomes of each."""

from __future__ import annotations

from itertools import permutations

from rules_engine.effects.tree import Gain, SortTopCards
from rules_engine.imperium.actions import Resolve, SortCard
from rules_engine.imperium.frames import Effects, Item, LookAtTop, Run, SortCards
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State, ThisTurn, follows
from rules_engine.kernel.decks import possibly_in, shuffled, zone
from rules_engine.kernel.game import Answer, asked, legal, options
from rules_engine.kernel.outcomes import Event, Seat
from verifier.changes import nothing_changed, player_kept, players_kept
from verifier.current import choose, claim, stage
from verifier.numbers import all_of
from verifier.placements import assume_default
from verifier.play import Line, line_from
from verifier.positions import printed, unchanged
from verifier.registry import Twin, proves
from verifier.seats import anyone, claim_told, done_alone, done_by, seated

MODULE = "rules_engine.imperium.looking"
FATES = ("draw", "discard", "trash")
FAVOR, SOLDIER, PLAIN = "spacing_guilds_favor", "sardaukar_soldier", "dagger"
SEEN = (PLAIN, SOLDIER, FAVOR)
"""A card that says something about being discarded, one about being trashed, and another."""
EARLIER = Item(Gain(1, "water"), PLAIN)
"""What one of the cards dealt out before has left to come."""


# Looking


@proves(
    {
        "UPR-ROUND-005": Twin(
            MODULE,
            'frame.seat, {"card": card}, secret=("card",))\n    return Step(push(state, rest)',
            'frame.seat, {"card": card})\n    return Step(push(state, rest)',
        ),
    },
)
def a_card_looked_at_is_known_to_its_owner_alone() -> None:
    """Unsatisfiable iff each card looked at leaves the deck for those seen, by its owner alone.

    Any card that can be on top is possible, and no other. One fewer is left to look at; after the
    last they are to be dealt out, each fate once. Nothing else changes.
    """
    who, already = anyone(3), choose("already", range(len(SEEN) + 1))
    seen, rest = zone(SEEN[:already]), SEEN[already:]
    own = {"deck": shuffled(rest), "discard": (PLAIN,), "hand": ()}
    before = seated(who, (LookAtTop(who, len(rest), seen),), own, turn=ThisTurn(who, kind="agent"))
    if not rest:
        claim(asked(IMPERIUM, before).nobody(), "no other card is looked at")
        after, _ = done_alone(before)
        claim(after.pending == (SortCards(who, seen, FATES),), "they are to be dealt out")
        claim(nothing_changed(before, after), "nothing changes")
        return
    claim(set(options(IMPERIUM, before)) == set(map(Answer, rest)), "any can be on top")
    card = choose("card", rest)
    after, events = done_by(before, Answer(card))
    claim_told(events, "looks_at", who, secret=("card",), card=card)
    frame = LookAtTop(who, len(rest) - 1, zone((*seen, card)))
    claim(after.pending == (frame,), "it is among those seen, and one fewer is left")
    left = sorted(possibly_in(after.players[who].deck))
    claim(left == sorted(each for each in rest if each != card), "it has left the deck")
    kept = all_of(player_kept(before, after, who, "deck"), players_kept(before, after, who))
    claim(kept, "nothing else of anybody changes")
    claim(unchanged(before, after, "players", "pending"), "the table stays as it is")


@proves(
    {
        "UPR-ROUND-005": Twin(
            MODULE,
            "    if size(player(state, seat).deck) < len(FATES):\n        yield",
            "    if size(player(state, seat).deck) < 2:\n        yield",
        ),
    },
)
def three_cards_are_looked_at_if_the_deck_has_them() -> None:
    """Unsatisfiable iff three cards are looked at just if the deck has so many by itself.

    It is not made anew for this. With fewer it cannot be picked from a group, and nothing comes of
    it by itself.
    """
    who, cards = anyone(3), choose("cards", (2, 3, 4))
    own = {"deck": shuffled((PLAIN,) * cards), "discard": (PLAIN,) * 2}
    look = Item(SortTopCards(), SOLDIER)
    frame = choose("frame", (Run(who, look), Effects(who, (look, EARLIER))))
    before = seated(who, (frame,), own, turn=None)
    if isinstance(frame, Effects):
        assume_default(before, "no_deliberate_fizzle")
        stage(before, (Resolve(who, 0),))
        allowed = legal(IMPERIUM, before, Resolve(who, 0)) is None
        claim(allowed == (cards >= 3), "it can be picked with three cards in the deck")
        return
    after, _ = done_alone(before)
    comes = (LookAtTop(who, 3),) if cards >= 3 else ()
    claim(after.pending == comes, "three are looked at, or none")
    claim(nothing_changed(before, after), "nothing changes as yet")


# Dealing out


def _dealing(who: Seat) -> State:
    """A player has to deal out three cards that were looked at; every pile has a card already."""
    own = {"hand": ("diplomacy",), "discard": ("seek_allies",), "in_play": ()}
    frame = SortCards(who, zone(SEEN), FATES, (EARLIER,))
    return seated(
        who,
        (frame,),
        own,
        turn=ThisTurn(who, kind="agent"),
        trashed=("reconnaissance",),
        reserve=(),
    )


def _said(fate: str, card: str, state: State) -> tuple[Item, ...]:
    """What is to come of a card by its fate, in the words of the card."""
    face = printed().cards[card]
    if fate == "trash":
        return tuple(Item(effect, card) for effect in face.when_trashed)
    counts = fate == "discard" and follows(state, "guilds_favor_from_deck") == "any_discard"
    return tuple(Item(effect, card) for effect in face.when_discarded) if counts else ()


def _told(events: tuple[Event, ...]) -> list[str]:
    return [event.key for event in events]


def _piles(owner: Player, state: State) -> dict[str, tuple[str, ...]]:
    return {"draw": owner.hand, "discard": owner.discard, "trash": state.trashed}


@proves(
    {
        "UPR-ROUND-005": Twin(MODULE, "if len(seen) == 1:", "if len(seen) == 0:"),
        "UPR-CLAR-008": Twin(
            MODULE,
            "    return state, when_trashed(state, card), (event,)\n",
            "    return state, (), (event,)\n",
        ),
    },
)
def the_cards_looked_at_get_a_fate_each() -> None:
    """Unsatisfiable iff of three cards one is drawn, one discarded, one trashed, as is said.

    The last one gets the last fate by itself. Each comes to what lies in its place already, and
    what they say about it comes afterwards, to what was to come. Only its owner is told which card
    was drawn, and the order in which they were named tells nobody anything. Nothing else changes.
    """
    who = anyone(3)
    before = _dealing(who)
    first, second, third = choose("cards", tuple(permutations(SEEN)))
    fates = choose("fates", tuple(permutations(FATES)))
    line = line_from(before)
    one = line.given(SortCard(who, first, fates[0]))
    two = one.given(SortCard(who, second, fates[1]))
    ends = sorted(zip(fates[1:], (second, third), strict=True), key=lambda at: FATES.index(at[0]))
    _claim_dealt(line, one, ((fates[0], first),), who)
    _claim_dealt(one, two, tuple(ends), who)
    dealt = ((fates[0], first), *ends)
    said = tuple(item for fate, card in dealt for item in _said(fate, card, before))
    claim(two.state.pending == (Effects(who, (EARLIER, *said)),), "what they say comes afterwards")
    own = player_kept(before, two.state, who, "hand", "discard")
    claim(all_of(own, players_kept(before, two.state, who)), "nothing else of anybody changes")
    claim(unchanged(before, two.state, "players", "trashed", "pending"), "the table stays")


def _claim_dealt(old: Line, new: Line, fates: tuple[tuple[str, str], ...], who: Seat) -> None:
    """Claim that an input has dealt out these cards, each to what lay in its place."""
    keys = {"draw": "draws", "discard": "discards", "trash": "trashes"}
    events = new.events[len(old.events) :]
    claim(_told(events) == [keys[fate] for fate, _ in fates], "it is told in one order")
    was = _piles(old.state.players[who], old.state)
    now = _piles(new.state.players[who], new.state)
    dealt = dict(fates)
    for fate, key in keys.items():
        more = (dealt[fate],) if fate in dealt else ()
        claim(now[fate] == zone((*was[fate], *more)), f"it is in its place: {fate}")
        if fate in dealt:
            secret = ("card",) if fate == "draw" else ()
            claim_told(events, key, who, secret=secret, card=dealt[fate])


@proves(
    {
        "UPR-ROUND-005": Twin(
            MODULE,
            "    if action.card not in frame.seen:\n",
            "    if action.card not in (*frame.seen, *player(state, frame.seat).hand):\n",
        ),
    },
)
def only_cards_looked_at_get_fates_that_are_left() -> None:
    """Unsatisfiable iff a card can be dealt out just if it was looked at, to a fate that is left.

    What is allowed is what is offered.
    """
    who = anyone(3)
    seen, left = choose("left", ((zone(SEEN), FATES), (zone(SEEN[:2]), FATES[1:])))
    frame = SortCards(who, seen, left)
    before = seated(who, (frame,), {"hand": ("diplomacy",)}, turn=ThisTurn(who, kind="agent"))
    given = SortCard(who, choose("card", (*SEEN, "diplomacy")), choose("fate", FATES))
    stage(before, (given,))
    allowed = legal(IMPERIUM, before, given) is None
    claim(allowed == (given.card in seen and given.fate in left), "just what is there is dealt")
    claim(allowed == (given in options(IMPERIUM, before)), "it is offered then")
