"""What a step may change of a position, who may see what of it, and who is told what."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

from rules_engine.imperium import frames
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import starting_state
from rules_engine.imperium.state import Player, State, ThisTurn, Won
from rules_engine.kernel.decks import Deck, Known, shuffled
from rules_engine.kernel.game import Frame
from rules_engine.kernel.outcomes import Event, Seat
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings
from rules_engine.kernel.views import declared, view, view_event
from verifier.any_position import ANY_CARD, ANY_INTRIGUE
from verifier.changes import left_alone, same
from verifier.current import choose, claim
from verifier.may_change import MAY_CHANGE, May
from verifier.positions import NAMES, PRODUCT, printed, unchanged
from verifier.properties.invariants import holds_in_every_step
from verifier.registry import DATA_CHECK, Twin, proves
from verifier.steps import step_taken

CARDS = "rules_engine.imperium.cards"
STATE = "rules_engine.imperium.state"

HELD = ("hand", "intrigues")
"""What only its owner sees of a player."""
LYING_OPEN = ("discard", "in_play", "set_aside", "standing", "contracts", "completed")
"""What everybody sees of a player's cards, besides those won."""
ON_THE_TABLE = (
    "row", "trashed", "intrigue_discard", "trashed_intrigues", "contract_row", "leader_contracts",
)  # fmt: skip
DECKS = ("conflict_deck", "imperium_deck", "intrigue_deck", "contract_deck")

Cards = Counter[str]


# What is changed


@holds_in_every_step(
    {
        "UPR-UNIT-005": Twin(
            "rules_engine.imperium.units",
            "    owner = player(state, seat)\n    recruited = smaller(wanted, owner.supply)",
            "    owner = player(state, state.first_player)\n"
            "    recruited = smaller(wanted, owner.supply)",
        ),
        "UPR-COST-007": Twin(
            "rules_engine.imperium.resources",
            "    state = with_player(state, change(owner, **{what: owned(owner, what) + amount}))",
            "    owner = player(state, state.turn.seat if state.turn else seat)\n"
            "    state = with_player(state, change(owner, **{what: owned(owner, what) + amount}))",
        ),
    },
    first=("Run Recruit", "Run Gain"),
)
def a_step_changes_nothing_that_is_not_its_own(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff a step changes only what `MAY_CHANGE` lists for its kind, and whose.

    Everything else of every player, the table and the turn is what it was, whatever that is. A turn
    that begins or ends is no change of what it remembers.
    """
    del events
    may = MAY_CHANGE.get(step_taken(), May())
    mine = getattr(before.pending[-1], "seat", None)
    for old, new in zip(before.players, after.players, strict=True):
        fields = may.own if old.seat == mine else may.others
        claim(_kept(old, new, fields), "everybody keeps everything else")
    claim(_kept(before, after, f"{may.table} players pending turn"), "so does the table")
    if same(before, after, "turn"):
        return
    if before.turn is not None and after.turn is not None:
        claim(_kept(before.turn, after.turn, may.turn), "and the turn")


def _kept(before: Any, after: Any, but: str) -> Any:
    return left_alone(before, after) or unchanged(before, after, *but.split())


GROWING = ("deeds", "acquired", "shown")
"""What a turn remembers and never forgets; what is shown begins with the Reveal turn."""
CLEARED = {"EndCombat": ("first_reward",), "RoundStart": ("reveal_order",)}
"""What ends with a step, so that nothing of it is left."""


@holds_in_every_step(
    {
        "UPR-COMBAT-033": Twin(
            "rules_engine.imperium.combat", "conflict=None, first_reward=()", "conflict=None"
        ),
        "UPR-ACQ-008": Twin(
            "rules_engine.imperium.acquire",
            "acquired=with_card(turn.acquired, card)",
            "acquired=(card,)",
        ),
    },
    first=("EndCombat", "RevealTurn <- Acquire"),
)
def what_is_remembered_grows_until_it_is_cleared(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff a step only adds to what is remembered, or clears it where it ends.

    What cards added to the first reward lasts until the Combat ends, who has revealed until the
    next round; what the turn remembers of deeds, cards acquired and cards shown lasts as long as
    the turn. A turn that begins remembers nothing.
    """
    del events
    step = step_taken()
    for name in ("first_reward", "reveal_order"):
        if name in CLEARED.get(step, ()):
            claim(getattr(after, name) == (), "what has ended is cleared")
        elif not same(before, after, name):
            kept = _contains(getattr(after, name), getattr(before, name))
            claim(kept, "what was remembered is still there")
    claim(True, "nothing else is forgotten")
    if not same(before, after, "turn") and after.turn is not None:
        _claim_turn_grows(before.turn, after.turn, step)


def _claim_turn_grows(was: ThisTurn | None, now: ThisTurn, step: str) -> None:
    if was is None:
        claim(now == ThisTurn(now.seat), "a turn begins with nothing")
        return
    for name in GROWING:
        if not same(was, now, name) and (name, step) != ("shown", "Turn <- Reveal"):
            kept = _contains(getattr(now, name), getattr(was, name))
            claim(kept, "what the turn remembers is still there")


def _contains(more: tuple[Any, ...], fewer: tuple[Any, ...]) -> bool:
    """Whether all of some things are still there, each as often."""
    return all(more.count(each) >= fewer.count(each) for each in fewer)


# Where cards are, as far as a step has touched the place


def _in_the_open(state: State, other: State) -> Cards:
    """The cards that everybody sees, in the places that differ from those of another position."""
    found: Cards = Counter()
    for name in ON_THE_TABLE:
        if not same(state, other, name):
            found.update(getattr(state, name))
    if not same(state, other, "reserve"):
        for stack in state.reserve:
            found[stack.card] += stack.left
    if not same(state, other, "conflict") and state.conflict is not None:
        found[state.conflict] += 1
    for own, theirs in zip(state.players, other.players, strict=True):
        for name in LYING_OPEN:
            if not same(own, theirs, name):
                found.update(getattr(own, name))
        if not same(own, theirs, "won"):
            found.update(each.card for each in own.won)
    found.update(each.card for each in state.pending if isinstance(each, frames.IntriguePlayed))
    return found


def _held_by(state: State, other: State, seat: Seat | None) -> Cards:
    """The cards that a player alone sees, in the places that differ."""
    found: Cards = Counter()
    if seat is None:
        return found
    own, theirs = state.players[seat], other.players[seat]
    for name in HELD:
        if not same(own, theirs, name):
            found.update(getattr(own, name))
    for frame in state.pending:
        if isinstance(frame, LOOKING) and frame.seat == seat:
            found.update(frame.seen)
    return found


def _lies_before(state: State, seat: Seat | None, card: str) -> bool:
    """Whether a card lies open before a player, in whatever place."""
    if seat is None:
        return False
    return any(card in getattr(state.players[seat], name) for name in LYING_OPEN)


LOOKING = (frames.LookAtTop, frames.SortCards)


def _named(event: Event, *, secretly: bool) -> Iterator[str]:
    """The cards that an event names in facts that are secret, or are not, by whatever fact."""
    for name, value in event.facts.items():
        if (name in event.secret) == secretly and name not in NO_CARDS:
            said = value if isinstance(value, list | tuple) else (value,)
            yield from (each for each in said if isinstance(each, str) and each in _every_card())


NO_CARDS = ("icon", "why")
"""Facts that name a battle icon, one of which is called like a card, or the face that scores."""


@functools.cache
def _every_card() -> frozenset[str]:
    """The names of all cards, those of the positions among them that no product has."""
    faces = printed()
    cards = (faces.cards, faces.intrigue, faces.conflicts, faces.contracts, faces.objectives)
    return frozenset((*chain(*cards), ANY_CARD.id, ANY_INTRIGUE.id))


# What is told


@holds_in_every_step(
    {
        "UPR-ICON-003": Twin(
            CARDS,
            'event = Event("draws", DRAW, frame.seat, {"card": card}, secret=("card",))',
            'event = Event("draws", DRAW, frame.seat, {"card": card})',
        ),
        "UPR-ICON-004": Twin(
            CARDS,
            'Event("draws_intrigue", DRAW_INTRIGUE, frame.seat, {"card": card}, secret=("card",))',
            'Event("draws_intrigue", DRAW_INTRIGUE, frame.seat, {"card": card})',
        ),
    },
    first=("DrawFromDeck <- Answer", "DrawFromIntrigue <- Answer"),
)
def nobody_is_told_of_a_card_that_is_hidden_from_them(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff all are told only of open cards, and a player besides of the own ones.

    A card that an event names to everybody lay open before the step or lies open after it. One that
    it names to a player alone was or is in this player's hand, among the held Intrigue cards, or
    being looked at by this player.
    """
    open_cards = _in_the_open(before, after) + _in_the_open(after, before)
    for event in events:
        for card in _named(event, secretly=False):
            is_open = open_cards[card] > 0 or _lies_before(after, event.player, card)
            claim(is_open, "everybody is told of open cards alone")
        secrets = tuple(_named(event, secretly=True))
        if secrets:
            seat = event.player
            held = _held_by(before, after, seat) + _held_by(after, before, seat)
            mine = all(held[card] or open_cards[card] for card in secrets)
            claim(mine, "a player is told of the own cards alone")
    claim(True, "nobody else is told of a card")


@holds_in_every_step(
    {
        "UPR-REVEAL-002": Twin(
            "rules_engine.imperium.reveal_turn",
            'event = Event("reveals", REVEAL, seat, {"cards": list(shown)})',
            'event = Event("reveals", REVEAL, seat, {"cards": list(shown)}, secret=("cards",))',
        ),
        "UPR-ICON-011": Twin(
            "rules_engine.imperium.trashing",
            'Event("trashes", rules, seat, {"card": card, "zone": zone})',
            'Event("trashes", rules, seat, {"card": card, "zone": zone}, secret=("card",))',
        ),
    },
    first=("Turn <- Reveal", "PickTrash <- Trash"),
)
def a_card_that_comes_into_the_open_is_named_to_everybody(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff for each card that was hidden and now lies open an event names it to all.

    So nothing open is withheld: not by a secret, and not by silence.
    """
    came = _in_the_open(after, before) - _in_the_open(before, after)
    told = Counter(card for event in events for card in _named(event, secretly=False))
    for card in came:
        claim(told[card] > 0, "everybody is told of the card")
    claim(True, "no other card came into the open")


@holds_in_every_step(
    {
        "UPR-ACQ-008": Twin(
            "rules_engine.imperium.acquire",
            "change(owner, deck=on_top(owner.deck, (card,), everybody))",
            "change(owner, deck=on_top(owner.deck, (card,), everybody[:1]))",
        ),
    },
    first=("PickPlace <- Decline",),
)
def a_card_of_a_deck_is_known_to_those_who_saw_it(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff a card put into a deck is known to just those who could see it before.

    To everybody, if it lay open; else to the player who held it or looked at it. Nobody comes to
    know another card of a deck. That what was known stays so,
    `a_card_of_a_deck_is_shown_to_exactly_those_who_saw_it_there` says.
    """
    del events
    for was, now, owner in _touched_decks(before, after):
        for card, seen_by in _known(now) - _known(was):
            lay_open = _in_the_open(before, after)[card] > 0
            everybody = tuple(range(len(after.players)))
            claim(seen_by == (everybody if lay_open else (owner,)), "those who saw it know it")
    claim(True, "nobody comes to know another card")


def _touched_decks(before: State, after: State) -> Iterator[tuple[Deck, Deck, Seat | None]]:
    for name in DECKS:
        if not same(before, after, name):
            yield getattr(before, name), getattr(after, name), None
    for own, now in zip(before.players, after.players, strict=True):
        if not same(own, now, "deck"):
            yield own.deck, now.deck, own.seat


def _known(deck: Deck) -> Counter[tuple[str, tuple[Seat, ...]]]:
    """The known cards of a deck, each with those who know it."""
    return Counter((part.card, part.seen_by) for part in deck if isinstance(part, Known))


# What is shown


HIDDEN: dict[type, dict[str, str]] = {
    Player: {"hand": "owner", "intrigues": "owner", "deck": "deck"},
    State: dict.fromkeys(DECKS, "deck"),
    ThisTurn: {},
    Won: {},
    frames.LookAtTop: {"seen": "owner"},
    frames.SortCards: {"seen": "owner"},
}
"""What not everybody sees. UPR-ICON-003, UPR-ICON-004"""


@proves(
    {
        "UPR-ICON-004": Twin(STATE, "intrigues: Annotated[Cards, Seen.OWNER]", "intrigues: Cards"),
        "UPR-REVEAL-008": Twin(
            STATE, "    discard: Cards", "    discard: Annotated[Cards, Seen.OWNER]"
        ),
    },
    kind=DATA_CHECK,
)
def only_hands_intrigue_cards_decks_and_cards_looked_at_are_hidden() -> None:
    """Unsatisfiable iff just these fields are hidden, from just those who may not look."""
    for kind in (*HIDDEN, *(each for each in IMPERIUM.frames if each not in HIDDEN)):
        marks = {name: mark.value for name, mark in declared(kind).items()}
        claim(marks == HIDDEN.get(kind, {}), f"{kind.__name__} hides what it should")


OWN, DRAWN = "own_card", "drawn_card"


@proves(
    {
        "UPR-ICON-004": Twin(
            "rules_engine.kernel.views",
            "    if owns(viewer, owner):\n        return _shown(",
            "    if viewer is not None:\n        return _shown(",
        ),
        "UPR-ICON-003": Twin(
            "rules_engine.kernel.views",
            "if not event.secret or owns(viewer, event.player):",
            "if not event.secret or viewer is not None:",
        ),
        "UPR-ACQ-008": Twin(
            "rules_engine.kernel.views",
            "return [part.card if viewer in part.seen_by else None]",
            "return [part.card if viewer is not None else None]",
        ),
    },
)
def a_view_shows_each_card_to_those_who_may_see_it() -> None:
    """Unsatisfiable iff everybody sees every card but those hidden, and their owner these too.

    Of cards held or looked at others see how many there are; of a deck everybody sees those known
    to them. A secret fact of an event is told to its player alone, everything else to all.
    """
    count = choose("players", (3, 4))
    owner = choose("owner", tuple(range(count)))
    viewer = choose("viewer", (None, *range(count)))
    knower = choose("knower", tuple(range(count)))
    state = _dealt(count, owner, knower)
    shown = view(state, viewer)
    own: dict[str, Any] = shown["players"][owner]
    for name in HELD:
        wanted: Any = [OWN] if viewer == owner else {"count": 1}
        claim(own[name] == wanted, f"{name}: the owner sees the card, others that there is one")
    for name in LYING_OPEN:
        claim(own[name] == [OWN], f"{name}: everybody sees the card")
    claim(own["deck"] == [DRAWN if viewer == knower else None, None], "who knows a card sees it")
    looked = shown["pending"][-1]["seen"]
    claim(looked == ([OWN] if viewer == owner else {"count": 1}), "who looks sees the card")
    for name in ON_THE_TABLE:
        claim(shown[name] == [OWN], f"{name}: everybody sees the card")
    told = view_event(Event("e", (), owner, {"card": OWN, "n": 1}, ("card",)), viewer)
    claim(told.facts == ({"card": OWN, "n": 1} if viewer == owner else {"n": 1}), "a secret is one")
    public = Event("e", (), owner, {"card": OWN})
    claim(view_event(public, viewer) == public, "what is no secret is told to all")


def _dealt(count: int, owner: Seat, knower: Seat) -> State:
    """A position with a card in every zone of one player and on the table."""
    start = starting_state(PRODUCT, NAMES[:count], Rulings())
    zones = dict.fromkeys((*HELD, *LYING_OPEN), (OWN,))
    deck = (Known(DRAWN, (knower,)), *shuffled((OWN,)))
    players = list(start.players)
    players[owner] = change(players[owner], **zones, deck=deck)
    frame: Frame = frames.SortCards(owner, (OWN,), ())
    table = dict.fromkeys(ON_THE_TABLE, (OWN,))
    return change(start, players=tuple(players), pending=(frame,), **table)
