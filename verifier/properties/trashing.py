"""Trashing: which cards, from where, and where they go."""

from __future__ import annotations

from typing import Any

from rules_engine.catalogue.faces import CardFace
from rules_engine.effects.tree import Effect, Gain, ReturnSelf, TrashSelf
from rules_engine.imperium.actions import Acquire, Choose, Decline, Resolve, Trash
from rules_engine.imperium.frames import (
    AgentTurn,
    Effects,
    Item,
    PickCopy,
    PickTrash,
    RevealTurn,
    Run,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Deed, Stack, State, ThisTurn, follows
from rules_engine.kernel.decks import ANY, shuffled, without_card, zone
from rules_engine.kernel.game import Frame, asked, legal, options
from rules_engine.kernel.outcomes import Seat
from verifier.changes import player_kept, players_kept, table_kept
from verifier.current import assume, choose, claim, stage
from verifier.effects import OWNER
from verifier.numbers import all_of
from verifier.placements import assume_default
from verifier.play import line_from, next_state
from verifier.positions import claim_only, printed, unchanged, with_cards
from verifier.registry import Twin, proves
from verifier.seats import after as after_seat
from verifier.seats import anyone, claim_told, counting, done_alone, done_by, seated
from verifier.watched import Lazy

MODULE = "rules_engine.imperium.trashing"
PLAYERS = 3
ZONES = {
    "hand": ("dagger", "diplomacy"),
    "discard": ("dagger", "dagger", "signet_ring"),
    "in_play": ("reconnaissance",),
}
"""What a player has where a card can be trashed from."""


def _trashing(zones: dict[str, tuple[str, ...]], stacks: tuple[Stack, ...]) -> State:
    """The first player has to trash a card in the own Reveal turn.

    Two starting cards are in the deck, and every Reserve card that is in no zone and on no stack.
    """
    owned = [card for cards in zones.values() for card in cards]
    missing = [
        stack.card
        for stack in stacks
        for _ in range(printed().cards[stack.card].reserve - stack.left - owned.count(stack.card))
    ]
    own = {**zones, "deck": shuffled((*missing, "dagger", "seek_allies")), "set_aside": ()}
    return with_cards(
        (RevealTurn(OWNER, ()), PickTrash(OWNER)),
        own,
        reserve=stacks,
        trashed=("convincing_argument",),
        row=(),
        turn=ThisTurn(OWNER, kind="reveal"),
    )


def _full() -> tuple[Stack, ...]:
    """The stacks of the Reserve as they are at the start."""
    return tuple(Stack(card.id, card.reserve) for card in printed().cards.values() if card.reserve)


@proves(
    {
        "UPR-ICON-011": Twin(
            MODULE, 'ZONES = ("hand", "discard", "in_play")', 'ZONES = ("hand", "in_play")'
        )
    },
)
def a_card_is_trashed_from_hand_discard_pile_or_play() -> None:
    """Unsatisfiable iff one card of the hand, the discard pile or in play leaves the game.

    Of all printed cards just those that are there are allowed in each of these places, each is
    offered once, and none in the deck. The one picked is in the box and one fewer where it was;
    nothing else of anybody changes, and on the table only what the turn remembers. Where the only
    card was never named it is not offered, and to trash none is neither offered nor allowed.
    """
    unnamed = _trashing({place: (ANY,) if place == "hand" else () for place in ZONES}, _full())
    stage(unnamed)
    claim(options(IMPERIUM, unnamed) == (), "nothing is offered where no card was named")
    claim(legal(IMPERIUM, unnamed, Decline(OWNER)) is not None, "a card that is there is trashed")
    before = _trashing(ZONES, _full())
    stage(before)
    possible = [
        Trash(OWNER, card, place) for place, cards in ZONES.items() for card in sorted(set(cards))
    ]
    offered = options(IMPERIUM, before)
    claim(len(offered) == len(possible), "each card is offered once")
    claim(set(offered) == set(possible), "just the cards that are there are offered")
    for card in printed().cards:
        for place in (*ZONES, "deck"):
            allowed = legal(IMPERIUM, before, Trash(OWNER, card, place)) is None
            there = card in ZONES.get(place, ())
            claim(allowed == there, f"{card} can be trashed from {place} if it is there")
    picked = choose("picked", possible)
    stage(before, (picked,))
    after = next_state(before, picked)
    owner = after.players[OWNER]
    for place, cards in ZONES.items():
        left = without_card(cards, picked.card) if place == picked.zone else cards
        claim(getattr(owner, place) == left, f"{place} has lost the card that was picked there")
    claim(after.trashed == zone(("convincing_argument", picked.card)), "it is out of the game")
    claim_only(before, after, (picked.zone,), ("trashed", "turn", "pending"))


@proves(
    {
        "UPR-ICON-012": Twin(
            MODULE,
            "change(stack, left=stack.left + 1) if stack.card == card else stack",
            "change(stack, left=stack.left + 1)",
        )
    },
)
def a_trashed_reserve_card_goes_back_to_its_stack() -> None:
    """Unsatisfiable iff a trashed card of the Reserve is on its own stack again, and nowhere else.

    The stack has one card more, the other stack as many as before, the place it came from one
    fewer, and the box is unchanged. It can be acquired again for its cost. Nothing else of anybody
    changes.
    """
    full = _full()
    card = choose("card", [stack.card for stack in full])
    place = choose("place", tuple(ZONES))
    fewer = tuple(Stack(each.card, each.left - (each.card == card)) for each in full)
    empty = tuple(Stack(each.card, 0) for each in full)
    stacks = choose("stacks", (fewer, empty))
    zones = {**ZONES, place: zone((*ZONES[place], card))}
    before = _trashing(zones, stacks)
    given = Trash(OWNER, card, place)
    stage(before, (given,))
    after = next_state(before, given)
    for old, new in zip(stacks, after.reserve, strict=True):
        more = 1 if old.card == card else 0
        claim(new == Stack(old.card, old.left + more), f"the stack of {old.card} is right")
    claim(getattr(after.players[OWNER], place) == ZONES[place], "it has left its place")
    cost = {"prepare_the_way": 2, "the_spice_must_flow": 9}[card]
    again = legal(IMPERIUM, after, Acquire(OWNER, card)) is None
    claim(again == (cost <= before.players[OWNER].persuasion), "it can be acquired again")
    claim_only(before, after, (place,), ("reserve", "turn", "pending"))


# Whoever trashes it, and what it says about that


SOLDIER = "sardaukar_soldier"
"""A card that says something about being trashed."""
COURTIER = CardFace("courtier", "Courtier", factions=("emperor",), copies=3)
"""A card of the Emperor, of which there are several."""


def _picking(who: Seat, frame: PickTrash, zones: dict[str, tuple[str, ...]], **turn: Any) -> State:
    """A player has to trash a card, in the own turn or in that of the next player."""
    own = counting(who, "reveal", **turn)
    other = counting(after_seat(who, PLAYERS), "agent", **turn)
    return seated(
        who,
        (frame,),
        {**dict.fromkeys(ZONES, ()), **zones},
        cards=(COURTIER,),
        turn=Lazy("turn", (own, other)),
        trashed=("convincing_argument",),
        reserve=_full(),
    )


@proves(
    {
        "UPR-ICON-011": Twin(MODULE, "trashed=with_card(state.trashed, card)", "trashed=(card,)"),
        "UPR-ROUND-005": Twin(
            MODULE,
            "    state = then(state, seat, when_trashed(state, card))\n",
            "",
        ),
    },
)
def a_trashed_card_is_noted_and_says_its_words() -> None:
    """Unsatisfiable iff a trashed card joins those out of the game, is noted and has its say.

    What it says is then due to its owner, as no box of it. The own turn notes what trashed it, to
    what it has noted; the turn of another notes nothing. Everybody is told. Nothing else changes.
    """
    who = anyone(PLAYERS)
    card, place = choose("card", (SOLDIER, "dagger")), choose("place", tuple(ZONES))
    earlier = Deed("discards", "diplomacy", "dagger")
    frame = PickTrash(who, source="diplomacy")
    zones = {place: zone((card, "seek_allies"))}
    before = _picking(who, frame, zones, deeds=(earlier,))
    after, events = done_by(before, Trash(who, card, place))
    claim_told(events, "trashes", who, card=card, zone=place)
    claim(after.trashed == zone(("convincing_argument", card)), "it joins those that are out")
    said = tuple(Item(effect, card) for effect in printed().cards[card].when_trashed)
    claim(after.pending == ((Effects(who, said),) if said else ()), "what it says comes next")
    claim(getattr(after.players[who], place) == ("seek_allies",), "it has left its place")
    kept = all_of(player_kept(before, after, who, place), players_kept(before, after, who))
    claim(kept, "nothing else of anybody changes")
    claim(table_kept(before, after, "trashed"), "nothing else changes on the table")
    old, new = before.turn, after.turn
    assert old is not None
    assert new is not None
    noted = (Deed("trashes", "diplomacy", card),) if old.seat == who else ()
    claim(new.deeds == (earlier, *noted), "the own turn notes what trashed it")
    claim(unchanged(old, new, "deeds"), "and remembers all else")


@proves(
    {
        "UPR-REVEAL-010": Twin(
            MODULE,
            '    if zone == "in_play":\n        state = forget_sword_card',
            '    if zone == "hand":\n        state = forget_sword_card',
        ),
    },
)
def a_card_in_play_that_is_trashed_gives_no_sword_any_more() -> None:
    """Unsatisfiable iff a card revealed and trashed from play is no longer one that gave a sword.

    A ruling, `leadership_trashed_card`, may keep the count; a card of another place changes it
    never.
    """
    who, place = anyone(PLAYERS), choose("place", tuple(ZONES))
    copies = choose("copies", (1, 2))
    shown = ("dagger",) * copies
    zones = {"in_play": shown}
    if place != "in_play":
        zones[place] = ("dagger",)
    before = _picking(who, PickTrash(who), zones, shown=shown, sword_cards=shown)
    assume(before.turn is not None and before.turn.seat == who)
    after, _ = done_by(before, Trash(who, "dagger", place))
    gone = place == "in_play" and follows(before, "leadership_trashed_card") != "counted"
    assert after.turn is not None
    left = shown[1:] if gone else shown
    claim(after.turn.sword_cards == left, "just cards that are in play have given a sword")


@proves(
    {
        "UPR-ICON-011": Twin(
            MODULE,
            "return own and owner.in_play.count(card) <= 1",
            "return own and owner.in_play.count(card) <= 2",
        ),
        "UPR-ROUND-005": Twin(
            MODULE,
            "return ZONES if frame.zone is None else (frame.zone,)",
            "return ZONES",
        ),
    },
)
def an_effect_trashes_only_what_it_names() -> None:
    """Unsatisfiable iff a card can be trashed just where, and of the sort that, the effect says.

    One that wants another card spares the one it is on, but not an equal one. What is allowed is
    offered; that none is trashed is offered only if nothing fits. Nobody is asked if there is no
    card in the places named.
    """
    who = anyone(PLAYERS)
    wanted, other = choose("zone", (None, *ZONES)), choose("other", (False, True))
    faction = choose("faction", (None, "emperor"))
    copies = choose("copies", (0, 1, 2))
    frame = PickTrash(who, faction, wanted, other, COURTIER.id)
    zones = {"in_play": (COURTIER.id,) * copies, "hand": ("dagger",), "discard": (COURTIER.id,)}
    before = _picking(who, frame, zones)
    stage(before)
    if wanted == "in_play" and copies == 0:
        claim(asked(IMPERIUM, before).nobody(), "nobody is asked")
        return
    fitting: list[Trash | Decline] = []
    for place, cards in zones.items():
        for card in dict.fromkeys(cards):
            named = wanted in (None, place) and (faction is None or card == COURTIER.id)
            itself = other and place == "in_play" and card == COURTIER.id and copies == 1
            given = Trash(who, card, place)
            allowed = legal(IMPERIUM, before, given) is None
            claim(allowed == (named and not itself), f"{card} of {place} as the effect says")
            if named and not itself:
                fitting.append(given)
    claim(set(options(IMPERIUM, before)) == {*(fitting or [Decline(who)])}, "that is offered")
    claim((legal(IMPERIUM, before, Decline(who)) is None) == (not fitting), "one is trashed")


# Equal cards in play


BOXES = (Gain(1, "solari"), Gain(2, "solari"))
"""What may still be due of one of two equal cards, and of the other."""
DUES = {
    "both, different": ((BOXES[0], 1), (BOXES[1], 2)),
    "both, equal": ((BOXES[0], 1), (BOXES[0], 2)),
    "the second": ((BOXES[1], 2),),
    "none": (),
}
COPIES = (1, 2)
"""How the two are told apart."""


def _with_equals(who: Seat, due: tuple[tuple[Effect, int], ...], frame: Frame) -> State:
    """Two equal cards in play, of whose boxes some effects are due, and one of a third card.

    Effects of equal cards of another player wait too.
    """
    boxes = tuple(Item(effect, "dagger", boxed=True, copy=copy) for effect, copy in due)
    third = Item(Gain(1, "water"), "diplomacy", boxed=True)
    theirs = tuple(Item(Gain(1, "spice"), "dagger", boxed=True, copy=copy) for copy in COPIES)
    groups = (Effects(after_seat(who, PLAYERS), theirs), AgentTurn(who, (third, *boxes)))
    own = {"hand": (), "discard": (), "in_play": ("dagger", "dagger", "diplomacy")}
    turn = counting(who, "agent", copy=choose("copy", COPIES))
    slots: dict[str, Any] = {"turn": turn, "trashed": (), "reserve": _full()}
    return seated(who, (*groups, frame), own, **slots)


def _items(state: State) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """The effects that are due to another player, and to the one who trashes."""
    other, own = state.pending[:2]
    assert isinstance(other, Effects)
    assert isinstance(own, AgentTurn)
    return other.items, own.items


@proves(
    {
        "UPR-REVEAL-010": Twin(
            MODULE,
            "return not (item.boxed and item.source == card and item.copy == copy)",
            "return not (item.boxed and item.source == card)",
        ),
        "UPR-ICON-011": Twin(
            MODULE, "copy = frame.copies[action.option]", "copy = frame.copies[0]"
        ),
    },
)
def of_equal_cards_one_box_is_lost() -> None:
    """Unsatisfiable iff with one of two equal cards one box is lost, and nobody is rid of a duty.

    If one is used up that goes, and nothing is lost. If both have effects due its owner says which,
    where that makes a difference, and just those of that one are lost. Effects of other cards and
    of other players stay. If `trashed_card_effects_lost` keeps them nothing is lost either.
    """
    who, due = anyone(PLAYERS), choose("due", tuple(DUES))
    before = _with_equals(who, DUES[due], PickTrash(who, source="diplomacy"))
    given = Trash(who, "dagger", "in_play")
    line = line_from(before).given(given)
    lost: tuple[int, ...] = ()
    if follows(before, "trashed_card_effects_lost") == "lost" and due.startswith("both"):
        lost = COPIES
    picks = isinstance(line.state.pending[-1], PickCopy)
    claim(picks == (lost != () and due == "both, different"), "it is asked if it matters")
    if picks:
        option = choose("option", (0, 1))
        claim(options(IMPERIUM, line.state) == (Choose(who, 0), Choose(who, 1)), "either can go")
        line = line.given(Choose(who, option))
        lost = (COPIES[option],)
    others, (third, *left) = _items(line.state)
    were, (first, *boxes) = _items(before)
    claim((others, third) == (were, first), "what is of other cards and players stays")
    if lost == COPIES:
        claim(len(left) == 1 and left[0] in boxes, "one of two equal boxes is lost")
    else:
        claim(left == [each for each in boxes if each.copy not in lost], "just that box is lost")
    owner = line.state.players[who]
    claim(owner.in_play == ("dagger", "diplomacy"), "one card is gone")


@proves(
    {
        "UPR-REVEAL-010": Twin(
            MODULE,
            "return Step(_without_box(done.state, seat, source, copy), done.events)",
            "return done",
        ),
    },
)
def a_card_that_trashes_itself_loses_its_own_box() -> None:
    """Unsatisfiable iff the box of that card is lost which was resolved, and no other.

    If `trashed_card_effects_lost` keeps effects nothing is lost.
    """
    who, due = anyone(PLAYERS), choose("due", tuple(DUES))
    copy = choose("resolved", COPIES)
    resolved = Item(TrashSelf(), "dagger", boxed=True, copy=copy)
    before = _with_equals(who, DUES[due], Run(who, resolved))
    after, _ = done_alone(before)
    loses = follows(before, "trashed_card_effects_lost") == "lost"
    _, boxes = _items(before)
    stay = tuple(
        each for each in boxes if not loses or (each.source, each.copy) != ("dagger", copy)
    )
    claim(_items(after)[1] == stay, "just its own box is lost")
    claim(_items(after)[0] == _items(before)[0], "nobody else loses anything")


@proves(
    {
        "UPR-REVEAL-010": Twin(
            MODULE,
            "spared = _resolving(state) if frame.other and card == frame.source else None",
            "spared = None",
        ),
    },
)
def a_card_that_trashes_its_equal_keeps_its_own_box() -> None:
    """Unsatisfiable iff with an equal card that is trashed the box of that one is lost.

    What is due of the card that says so stays, and so does all of other cards and other players. If
    `trashed_card_effects_lost` keeps effects nothing is lost.
    """
    who, due = anyone(PLAYERS), choose("due", tuple(DUES))
    before = _with_equals(who, DUES[due], PickTrash(who, other=True, source="dagger"))
    after, _ = done_by(before, Trash(who, "dagger", "in_play"))
    assert before.turn is not None
    keeps = before.turn.copy
    loses = follows(before, "trashed_card_effects_lost") == "lost"
    _, boxes = _items(before)
    stay = tuple(
        each for each in boxes if not loses or each.source != "dagger" or each.copy == keeps
    )
    claim(_items(after)[1] == stay, "just the box of the other one is lost")
    claim(_items(after)[0] == _items(before)[0], "nobody else loses anything")
    claim(not isinstance(after.pending[-1], PickCopy), "nobody has to say which")


@proves(
    {
        "UPR-ICON-013": Twin(
            MODULE,
            "    if source not in player(state, seat).in_play:\n        yield",
            "    if source not in player(state, seat).hand:\n        yield",
        ),
    },
)
def a_card_acts_on_itself_only_while_it_is_in_play() -> None:
    """Unsatisfiable iff a card can trash itself, or take itself back, just while it is in play."""
    who, place = anyone(PLAYERS), choose("place", ("in_play", "hand"))
    both: tuple[Effect, ...] = (TrashSelf(), ReturnSelf())
    effect = choose("effect", both)
    items = (Item(effect, "dagger"), Item(Gain(1, "water"), "diplomacy"))
    own = {"hand": (), "in_play": (), place: ("dagger",)}
    before = seated(who, (Effects(who, items),), own, turn=None)
    assume_default(before, "no_deliberate_fizzle")
    given = Resolve(who, 0)
    stage(before, (given,))
    allowed = legal(IMPERIUM, before, given) is None
    claim(allowed == (place == "in_play"), "it is in play")
