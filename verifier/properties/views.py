"""Who is shown and told what: nothing secret becomes open, and nothing open is withheld.

`who_sees` says it by the rules; these properties hold the views of a position and of events, the
functions that every player and spectator is served by, against it.
"""

from __future__ import annotations

import functools
import types
import typing
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from rules_engine.effects.tree import AcquireCard
from rules_engine.imperium import frames
from rules_engine.imperium.actions import Acquire, Reveal
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.decks import Deck, Known, Pool, shuffled
from rules_engine.kernel.game import Answer
from rules_engine.kernel.outcomes import Event, Seat
from rules_engine.kernel.records import Record
from rules_engine.kernel.views import Viewer, view, view_actions, view_event, view_of
from verifier.changes import left_alone, same
from verifier.current import choose, claim
from verifier.full_tables import TABLES, any_seat, card_of, full_table
from verifier.play import line_from
from verifier.properties.invariants import holds_in_every_step
from verifier.properties.state import HELD, LOOKING, LYING_OPEN, ON_THE_TABLE
from verifier.registry import Twin, proves
from verifier.who_sees import OF_THE_TURN, SEES, TELLS, WHOLE_PILES, Sees, Tells

ACQUIRE = "rules_engine.imperium.acquire"
CARDS = "rules_engine.imperium.cards"
DECKS = "rules_engine.kernel.decks"
FRAMES = "rules_engine.imperium.frames"
HELD_INTRIGUE = "rules_engine.imperium.held_intrigue"
STATE = "rules_engine.imperium.state"
VIEWS = "rules_engine.kernel.views"

PRINTED = ("rules_engine.effects.tree", "rules_engine.catalogue.faces")
"""Where the records of what is printed are: everybody can read it."""


def _everybody(players: int) -> tuple[Viewer, ...]:
    """Every player, and a spectator."""
    return (*range(players), None)


# What is shown of a position


@proves(
    {
        "UPR-ICON-003": Twin(
            STATE, "deck: Annotated[Deck, Seen.DECK]\n    discard", "deck: Deck\n    discard"
        ),
        "UPR-ICON-004": Twin(
            STATE, "    intrigues: Annotated[Cards, Seen.OWNER]", "    intrigues: Cards"
        ),
        "UPR-ROUND-005": Twin(
            FRAMES, "    seen: Annotated[Cards, Seen.OWNER]\n", "    seen: Cards\n"
        ),
        "UPR-ROUND-006": Twin(
            STATE,
            "    intrigue_discard: Cards",
            "    intrigue_discard: Annotated[Cards, Seen.OWNER]",
        ),
        "UPR-REVEAL-003": Twin(
            STATE, "    shown: Cards = ()", "    shown: Annotated[Cards, Seen.OWNER] = ()"
        ),
        "UPR-REVEAL-010": Twin(
            STATE, "    in_play: Cards", "    in_play: Annotated[Cards, Seen.OWNER]"
        ),
        "UPR-ACQ-008": Twin(
            STATE, "    won: tuple[Won, ...]", "    won: tuple[Won, ...]\n    bought: Cards = ()"
        ),
        "UPR-ACQ-010": Twin(
            STATE,
            "    imperium_deck: Annotated[Deck, Seen.DECK]",
            "    imperium_deck: Annotated[Deck, Seen.OWNER]",
        ),
        "UPR-CHOAM-002": Twin(
            STATE, "    contract_deck: Annotated[Deck, Seen.DECK]", "    contract_deck: Deck"
        ),
        "UPR-CHOAM-007": Twin(
            STATE, "    contracts: Cards\n", "    contracts: Annotated[Cards, Seen.OWNER]\n"
        ),
        "UPR-COMBAT-025": Twin(
            STATE,
            "    card: str\n    icon: str | None",
            "    card: Annotated[str, Seen.OWNER]\n    icon: str | None",
        ),
        "UPR-STR-009": Twin(
            STATE, "    strength: Quantity", "    strength: Annotated[Quantity, Seen.OWNER]"
        ),
    },
)
def every_field_is_shown_to_those_who_may_see_it_and_hidden_from_others() -> None:
    """Unsatisfiable iff a view shows of every field of every record what `SEES` says, and no more.

    There is something in each field of each record and frame, for every player. What everybody sees
    is shown whole, of what is the owner's others are shown the number, of a deck each viewer the
    cards known to them. A record, a frame or a field that the table does not have is a failure,
    and so is one that it has and the game has not.
    """
    players = choose("players", (3, 4))
    viewer = choose("viewer", _everybody(players))
    state = _full_of_everything(players)
    wrong: dict[str, list[str]] = {}
    _compare(state, view(state, viewer), viewer, None, wrong)
    for kind, fields in wrong.items():
        claim(fields == [], f"{kind}: each field is shown to those who may see it")
    claim(wrong.keys() == SEES.keys(), "the table has every record of a position, and no other")


def _compare(
    value: Any, shown: Any, viewer: Viewer, owner: Seat | None, wrong: dict[str, list[str]]
) -> bool:
    """Whether all of a value is shown; for each kind of record, the fields that are not right."""
    if isinstance(value, tuple):
        if not isinstance(shown, list) or len(shown) != len(value):
            return False
        pairs = zip(value, shown, strict=True)
        each = [_compare(inner, seen, viewer, owner, wrong) for inner, seen in pairs]
        return all(each)
    if isinstance(value, Record):
        _compare_record(value, shown, viewer, getattr(value, "seat", owner), wrong)
        return isinstance(shown, dict)
    return bool(value == shown)


def _compare_record(
    record: Record, shown: Any, viewer: Viewer, owner: Seat | None, wrong: dict[str, list[str]]
) -> None:
    kind = type(record)
    printed = kind.__module__ in PRINTED
    found = [] if printed else wrong.setdefault(kind.__name__, [])
    sees = SEES.get(kind.__name__, Sees())
    open_fields = kind.__struct_fields__ if printed else tuple(sees.everybody.split())
    listed = {*open_fields, *sees.owner.split(), *sees.knowers.split()}
    shows = {*shown} - {kind.__struct_config__.tag_field} if isinstance(shown, dict) else set()
    found += sorted(listed ^ {*kind.__struct_fields__} | listed ^ shows)
    if found:
        return
    for name in open_fields:
        if not _compare(getattr(record, name), shown[name], viewer, owner, wrong):
            found.append(name)
    for name in sees.owner.split():
        cards = getattr(record, name)
        if shown[name] != (list(cards) if viewer == owner else {"count": len(cards)}):
            found.append(name)
    for name in sees.knowers.split():
        if shown[name] != _known_to(getattr(record, name), viewer):
            found.append(name)


def _known_to(deck: Deck, viewer: Viewer) -> list[str | None]:
    """The cards of a deck as one may see them, of which three are known; the others nobody sees."""
    names: list[str | None] = [part.card for part in deck if isinstance(part, Known)]
    knows = KNOWN.get(viewer, ())
    return [card if at in knows else None for at, card in enumerate([*names, None, None])]


# A position with something in every field


@functools.cache
def _full_of_everything(players: int) -> State:
    """A position with something in every field of every record, and every frame of everybody."""
    seats = range(players)
    every_frame = (
        _made(kind, kind.__name__, seat)
        for kind in IMPERIUM.frames
        for seat in (seats if "seat" in kind.__struct_fields__ else seats[:1])
    )
    given = {
        "players": tuple(_made(Player, f"Player {seat}", seat) for seat in seats),
        "pending": tuple(every_frame),
    }
    return typing.cast("State", _made(State, "State", 0, given))


def _made(kind: type[Record], path: str, seat: Seat, given: dict[str, Any] | None = None) -> Record:
    """A record of a kind with something in every field."""
    fields: dict[str, Any] = {"seat": seat} if "seat" in kind.__struct_fields__ else {}
    fields |= given or {}
    hints = typing.get_type_hints(kind)
    for name in kind.__struct_fields__:
        if name not in fields:
            fields[name] = _something(hints[name], f"{path}.{name}", seat)
    return kind(**fields)


def _something(hint: Any, path: str, seat: Seat) -> Any:
    """A value of a type that no other field has; of several sorts the first one."""
    inner = typing.get_args(hint)
    if hint == Deck:
        return _deck(path)
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        return _something(inner[0], path, seat)
    if typing.get_origin(hint) in (tuple,):
        kinds = inner[:1] * 2 if inner[-1] == Ellipsis else inner
        return tuple(_something(kind, f"{path} {at}", seat) for at, kind in enumerate(kinds))
    if isinstance(hint, type) and issubclass(hint, Record):
        return _made(hint, path, seat)
    return {str: path, int: zlib.crc32(path.encode()), bool: True}[hint]


KNOWN: dict[Viewer, tuple[int, ...]] = {0: (0, 2), 1: (1, 2)}
"""Which cards of a deck a player knows: one each, and one that both do."""


def _deck(path: str) -> Deck:
    """A deck with three cards that players know, and two that nobody does."""
    names = tuple(f"{path} {number}" for number in range(5))
    known = (Known(names[at], seen_by) for at, seen_by in enumerate(((0,), (1,), (0, 1))))
    return (*known, Pool(2, names[3:]))


@proves(
    {
        "UPR-ICON-004": Twin(
            VIEWS,
            "if isinstance(each, Action) and owns(viewer, each.by))",
            "if isinstance(each, Action))",
        ),
        "UPR-ICON-003": Twin(
            VIEWS,
            "tuple(each for each in listed if isinstance(each, Action) and owns(viewer, each.by))",
            "tuple(each for each in listed if owns(viewer, getattr(each, 'by', viewer)))",
        ),
    },
)
def everybody_is_offered_the_own_choices_alone() -> None:
    """Unsatisfiable iff of what can be done a player is told the own part, a spectator nothing.

    What others may do tells of the cards that they hold, what chance may say of those in a deck.
    """
    players = choose("players", (3, 4))
    viewer = choose("viewer", _everybody(players))
    own = tuple(Reveal(seat) for seat in range(players))
    told = view_actions((*own, Answer("a card of a deck")), viewer)
    claim(told == tuple(each for each in own if each.by == viewer), "the own choices, and all")


# What is told of a step


@holds_in_every_step(
    {
        "UPR-ACQ-008": Twin(
            ACQUIRE,
            'Event("acquires", cited, seat, {"card": card})',
            'Event("acquires", cited, seat, {"card": card}, ("card",))',
        ),
        "UPR-ICON-009": Twin(
            HELD_INTRIGUE,
            '{"victim": victim, "card": card}, ("card",))',
            '{"victim": victim, "card": card}, ("card", "victim"))',
        ),
        "UPR-COST-007": Twin(
            "rules_engine.imperium.resources",
            'Event("gains", rules + BANK, seat, {"amount": amount, "what": what})',
            'Event("gains", rules + BANK, seat, {"amount": amount, "what": what}, ("amount",))',
        ),
        "UPR-STR-009": Twin(
            "rules_engine.imperium.strength",
            'Event("strength", gone + TOTAL + MARKER, seat, {"strength": now})',
            'Event("strength_told", gone + TOTAL + MARKER, seat, {"strength": now})',
        ),
        "UPR-ICON-003": Twin(
            CARDS,
            'Event("draws", DRAW, frame.seat, {"card": card}, secret=("card",))',
            'Event("draws", DRAW, frame.seat, {"card": card, "left": owner.deck}, ("card",))',
        ),
        "UPR-REVEAL-003": Twin(
            "rules_engine.imperium.reveal_turn",
            'Event("reveals", REVEAL, seat, {"cards": list(shown)})',
            'Event("reveals", REVEAL, None, {"cards": list(shown)})',
        ),
    },
    first=(
        "RevealTurn <- Acquire",
        "Steal <- Answer",
        "Run Gain",
        "Turn <- Reveal",
        "DrawFromDeck <- Answer",
    ),
)
def each_fact_of_an_event_is_told_to_those_who_may_know_it(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff every event has the facts of its kind, told to whom `TELLS` says.

    All but the player whom it is about are told what is open, and this player everything. An event
    of a kind, or with a fact, that the table does not have is a failure.
    """
    del after
    mine = getattr(before.pending[-1], "seat", None)
    wrong = tuple(
        event.key
        for event in events
        if not any(_tells(event, tells, mine) for tells in TELLS.get(event.key, ()))
    )
    claim(
        wrong == (), f"{', '.join(wrong) or 'events'}: each fact is told to those who may know it"
    )


def _tells(event: Event, tells: Tells, mine: Seat | None) -> bool:
    """Whether an event is about whom it should be, and has just the right facts and secrets."""
    secret = tells.player.split()
    return (
        list(event.secret) == secret
        and event.facts.keys() == {*tells.everybody.split(), *secret}
        and _is_about(event.player, tells.about, mine)
    )


def _is_about(player: Seat | None, whom: str, mine: Seat | None) -> bool:
    """Whether a player is the one whose step it is, another, any or none, as it should be."""
    if player is None or whom == "nobody":
        return player is None and whom == "nobody"
    return whom == "any" or (player == mine) == (whom == "own")


@holds_in_every_step(
    {
        "UPR-ICON-009": Twin(
            HELD_INTRIGUE,
            'lost = Event("loses_intrigue", STEAL, victim, {"card": card}, ("card",))',
            'lost = Event("loses_intrigue", STEAL, seat, {"card": card}, ("card",))',
        ),
        "UPR-ICON-003": Twin(
            CARDS,
            'Event("draws", DRAW, frame.seat, {"card": card}, secret=("card",))',
            'Event("draws", DRAW, frame.seat)',
        ),
        "UPR-ACQ-008": Twin(
            ACQUIRE,
            'Event("acquires", cited, seat, {"card": card})',
            'Event("acquires", cited, seat, {"card": card}, ("card",))',
        ),
        "UPR-ACQ-010": Twin(
            ACQUIRE,
            'Event("row_filled", REFILL, None, {"card": card})',
            'Event("row_filled", REFILL, None)',
        ),
        "UPR-CHOAM-015": Twin(
            "rules_engine.imperium.contracts",
            'Event("completes_contract", rules, seat, {"contract": contract})',
            'Event("completes_contract", rules, seat, {"contract": contract}, ("contract",))',
        ),
    },
    first=(
        "Steal <- Answer",
        "DrawFromDeck <- Answer",
        "RevealTurn <- Acquire",
        "FillRow <- Answer",
        "Run CompleteContract",
    ),
)
def whoever_sees_a_card_come_or_go_is_told_which_it_is(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff each card that comes to a place or leaves it is named to all who see it.

    To everybody, if the place is open, be it that the card was hidden before or will be; else to
    the player whose hand it is, whose Intrigue cards, or who looks at it: so whoever loses a card
    to a thief learns which. Where a whole pile that everybody sees is moved nothing need be named.
    """
    whole = {place for event in events for place in WHOLE_PILES.get(event.key, "").split()}
    withheld = tuple(
        place
        for place, owner, cards in _came_or_went(before, after)
        if place not in whole and not cards <= {*_named(events, owner)}
    )
    claim(withheld == (), f"{', '.join(withheld) or 'places'}: who sees one is told of each card")


def _named(events: Iterable[Event], viewer: Viewer) -> Iterator[str]:
    """The cards that events name to a viewer."""
    for event in events:
        facts = view_event(event, viewer).facts
        yield from (facts[name] for name in ("card", "contract") if name in facts)
        yield from facts.get("cards", ())


Moved = tuple[str, Viewer, set[str]]
"""A place, the one player who sees the cards there, or nobody if all do, and some of its cards."""


def _came_or_went(before: State, after: State) -> Iterator[Moved]:
    """The cards of which a place that somebody sees has more or fewer than before."""
    for place, owner, old, new in (*_on_the_table(before, after), *_of_players(before, after)):
        if old != new:
            was, now = Counter(old), Counter(new)
            yield place, owner, {*(was - now), *(now - was)}


Change = tuple[str, Viewer, tuple[str, ...], tuple[str, ...]]
"""A place, who sees it, and its cards as they were and as they are."""


def _on_the_table(before: State, after: State) -> Iterator[Change]:
    """Places that are open to all and no player's; what a step has not touched is not read."""
    for name in (*ON_THE_TABLE, "objectives"):
        if not same(before, after, name):
            yield name, None, getattr(before, name), getattr(after, name)
    if not same(before, after, "reserve"):
        yield "reserve", None, _in_reserve(before), _in_reserve(after)
    if not same(before, after, "conflict"):
        yield "conflict", None, _in_conflict(before), _in_conflict(after)
    yield "played", None, _played(before), _played(after)


def _in_reserve(state: State) -> tuple[str, ...]:
    return tuple(card for stack in state.reserve for card in (stack.card,) * stack.left)


def _in_conflict(state: State) -> tuple[str, ...]:
    return () if state.conflict is None else (state.conflict,)


def _played(state: State) -> tuple[str, ...]:
    """The Intrigue cards whose effects are being resolved."""
    return tuple(each.card for each in state.pending if isinstance(each, frames.IntriguePlayed))


def _of_players(before: State, after: State) -> Iterator[Change]:
    """Places of players, open ones and their own."""
    for old, new in zip(before.players, after.players, strict=True):
        if not left_alone(old, new):
            for name in LYING_OPEN:
                if not same(old, new, name):
                    yield name, None, getattr(old, name), getattr(new, name)
            if not same(old, new, "won"):
                yield "won", None, _cards_won(old), _cards_won(new)
    yield from _hidden(before, after)


def _cards_won(player: Player) -> tuple[str, ...]:
    return tuple(won.card for won in player.won)


def _hidden(before: State, after: State) -> Iterator[Change]:
    """Places whose cards one player alone sees."""
    for old, new in zip(before.players, after.players, strict=True):
        if not left_alone(old, new):
            for name in HELD:
                if not same(old, new, name):
                    yield name, old.seat, getattr(old, name), getattr(new, name)
    was, now = _looked_at(before), _looked_at(after)
    for seat in was.keys() | now.keys():
        yield "looked at", seat, was.get(seat, ()), now.get(seat, ())


def _looked_at(state: State) -> dict[Seat, tuple[str, ...]]:
    """The cards that players look at."""
    return {each.seat: each.seen for each in state.pending if isinstance(each, LOOKING)}


@holds_in_every_step(
    {
        "UPR-ICON-003": Twin(
            CARDS,
            "    if reveals_what_is_drawn(state, frame.seat):\n        state, items",
            "    if state.turn is not None:\n"
            "        shown = with_card(state.turn.shown, card)\n"
            "        state = change(state, turn=change(state.turn, shown=shown))\n"
            "    if reveals_what_is_drawn(state, frame.seat):\n        state, items",
        ),
        "UPR-ICON-009": Twin(
            HELD_INTRIGUE,
            "    return Step(state, (taken, lost))",
            "    if state.turn is not None:\n"
            "        state = change(state, turn=change(state.turn, space=card))\n"
            "    return Step(state, (taken, lost))",
        ),
    },
    first=("DrawFromDeck <- Answer", "Steal <- Answer"),
)
def no_note_of_the_turn_or_of_what_is_to_come_names_a_secret_card(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff nothing that everybody sees names a card that only its owner may see.

    Of a card that comes to a hand, to held Intrigue cards or to those looked at, and that not
    everybody is told of, neither the turn nor a pending frame has a word more than before.
    """
    came = {
        card for _, _, old, new in _hidden(before, after) for card in Counter(new) - Counter(old)
    }
    secret = came - {*_named(events, None)} if came else came
    noted = Counter(_noted(after, before)) - Counter(_noted(before, after)) if secret else Counter()
    claim(secret.isdisjoint(noted), "no note names a card that is secret")


def _noted(state: State, other: State) -> Iterator[str]:
    """The words of the turn and of pending frames that everybody sees, where two positions differ.

    What a step has not touched is not read.
    """
    turn, theirs = state.turn, other.turn
    for name in OF_THE_TURN.split():
        if turn is not None and (theirs is None or not same(turn, theirs, name)):
            yield from _words(getattr(turn, name))
    for frame in state.pending:
        if not any(left_alone(frame, each) for each in other.pending):
            yield from _words(frame)


def _words(value: Any) -> Iterator[str]:
    """The words in what everybody sees of a value; what is printed is no secret."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _words(each)
    elif value.__class__.__name__ in SEES:
        for name in SEES[value.__class__.__name__].everybody.split():
            yield from _words(getattr(value, name))


# What is known of a deck


@proves(
    {
        "UPR-ACQ-008": Twin(
            ACQUIRE,
            "        everybody = tuple(range(len(state.players)))",
            "        everybody = (seat,)",
        ),
        "UPR-ICON-003": Twin(
            "rules_engine.imperium.cards",
            "deck=owner.deck + shuffled(owner.discard), discard=())",
            "deck=owner.deck + shuffled(owner.discard[1:]), discard=())",
        ),
        "UPR-ROUND-005": Twin(
            DECKS,
            "            return deck[:at] + deck[at + 1 :]",
            "            return shuffled(possibly_in(deck[:at] + deck[at + 1 :]))",
        ),
    },
    cases=TABLES,
)
def a_card_of_a_deck_is_shown_to_exactly_those_who_saw_it_there(players: int) -> None:
    """Unsatisfiable iff every player sees just the cards of a deck that they saw put on top of it.

    A card acquired to the top comes from where everybody saw it. The others stay in their places,
    known to the same players, also when the top card is drawn or looked at. Nobody knows a card of
    a deck that was shuffled. A spectator sees how many there are.
    """
    seat = any_seat(players)
    everybody = tuple(range(players))
    deck = (Known("mine", (seat,)), Known("seen", everybody), *shuffled(("one", "other")))
    top: tuple[str, ...] = ()
    own: dict[str, Any] = {"deck": deck}
    given: Acquire | Answer | None = Answer("mine")
    match choose("way", ("acquired", "drawn", "looked at", "shuffled")):
        case "acquired":
            frame: frames.AnyFrame = frames.PickCard(seat, AcquireCard(to="deck_top"), "table_row")
            taken = choose("card", ("table_row", "table_reserve", card_of(seat, "set_aside")))
            top, given = (taken,), Acquire(seat, taken)
        case "drawn":
            frame = frames.DrawFromDeck(seat, 1)
        case "looked at":
            frame = frames.LookAtTop(seat, 1)
        case _:
            own, given = {"deck": (), "discard": ("one", "other")}, None
            frame = frames.DrawFromDeck(seat, 1)
    before = full_table(seat, players, (frame,), own)
    after = line_from(before).given(given).state
    for viewer in _everybody(players):
        was = _deck_of(before, seat, viewer)
        rest = [None, None] if given is None else was if top else was[1:]
        seen = [None if viewer is None else card for card in top]
        known = _deck_of(after, seat, viewer)
        claim(known == [*seen, *rest], "who saw a card there sees it, and no other")


def _deck_of(state: State, owner: Seat, viewer: Viewer) -> list[str | None]:
    """A player's deck as somebody sees it."""
    shown: list[str | None] = view_of(state.players[owner], "deck", viewer)
    return shown
