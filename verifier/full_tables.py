"""Tables on which no zone is empty, with anybody in turn.

What is overwritten instead of added to, what reaches the wrong player and what is forgotten shows
up on such a table at once, because everybody has something to lose everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from rules_engine.catalogue.faces import CardFace, ContractFace, IntrigueFace
from rules_engine.imperium.frames import AnyFrame
from rules_engine.imperium.setup import AGENTS
from rules_engine.imperium.spies import SPIES
from rules_engine.imperium.state import (
    AgentAt,
    Deed,
    Player,
    SpyAt,
    Stack,
    State,
    ThisTurn,
    Won,
)
from rules_engine.kernel.decks import shuffled, zone
from rules_engine.kernel.outcomes import Event, Seat
from rules_engine.kernel.records import change
from rules_engine.kernel.views import view_event
from verifier.current import choose, claim, quantity
from verifier.numbers import all_of
from verifier.positions import NAMES, covered_config, printed, symbolic_state, unchanged
from verifier.registry import Params

TABLES: tuple[Params, ...] = ({"players": 3}, {"players": 4})
"""The numbers of players that a full table is made for."""


CARD_ZONES = ("hand", "deck", "discard", "in_play", "set_aside")
INTRIGUE_ZONES = ("intrigues", "standing")
CONTRACT_ZONES = ("contracts", "completed")
TABLE_CARDS = ("row", "imperium_deck", "trashed", "reserve")
TABLE_INTRIGUES = ("intrigue_deck", "intrigue_discard", "trashed_intrigues")
TABLE_CONTRACTS = ("contract_row", "contract_deck")
DECKS = ("deck", "imperium_deck", "intrigue_deck", "contract_deck")
POSTS = tuple(printed().posts)
AWAY = tuple(printed().spaces)[-4:]
"""Where everybody's Agent is."""


IN_RESERVE = 3
"""So many copies the Reserve has of its card."""


def card_of(seat: Seat, where: str) -> str:
    """The card that a player has in a zone."""
    return f"{NAMES[seat].lower()}_{where}"


def any_seat(players: int) -> Seat:
    """Who acts: any of the players."""
    return choose("who acts", range(players))


def _filled(names: Mapping[str, str]) -> dict[str, Any]:
    """One card for each zone."""
    return {
        where: shuffled((card,)) if where in DECKS else (card,) for where, card in names.items()
    }


def _of_player(seat: Seat) -> dict[str, Any]:
    zones = (*CARD_ZONES, *INTRIGUE_ZONES, *CONTRACT_ZONES)
    objective = next(iter(printed().objectives.values()))
    return {
        **_filled({where: card_of(seat, where) for where in zones}),
        "won": (Won(objective.id, objective.icon, face_up=False),),
        "swordmaster": False,
        "training": None,
    }


def full_table(
    seat: Seat,
    players: int,
    frames: tuple[AnyFrame, ...],
    own: Mapping[str, Any] | None = None,
    others: Mapping[str, Any] | None = None,
    *,
    cards: tuple[CardFace, ...] = (),
    intrigues: tuple[IntrigueFace, ...] = (),
    contracts: tuple[ContractFace, ...] = (),
    each: Callable[[Seat], Mapping[str, Any]] | None = None,
    **slots: Any,
) -> State:
    """A position with frames pending, one card in every zone, and any quantities.

    `own` is what the player in the seat has instead, `others` what everybody else has, or `each`
    says it of everybody; the faces exist in this game only.
    """
    seats = range(players)
    on_table = {
        where: f"table_{where}" for where in (*TABLE_CARDS, *TABLE_INTRIGUES, *TABLE_CONTRACTS)
    }
    del on_table["reserve"]
    config = change(
        covered_config(players, choam=True),
        cards=(*cards, *_cards(seats)),
        intrigues=(*intrigues, *_intrigues(seats)),
        contracts=(*contracts, *_contracts(seats)),
    )
    known: dict[str, Any] = {
        "config": config,
        **_filled(on_table),
        "reserve": (Stack("table_reserve", IN_RESERVE),),
        "leader_contracts": (),
        "objectives": (),
        "winners": (),
        "reveal_order": tuple(seats),
        "agents": tuple(
            sorted((AgentAt(AWAY[who], who) for who in seats), key=lambda at: at.space)
        ),
        "spies": tuple(sorted((SpyAt(POSTS[who], who) for who in seats), key=lambda spy: spy.post)),
        "turn": None,
        "pending": frames,
    }
    table = {**known, **slots}

    def more(owner: Player) -> dict[str, Any]:
        theirs = own if owner.seat == seat else others
        said = (theirs if each is None else each(owner.seat)) or {}
        left = _pieces_left(table, owner.seat, swordmaster=said.get("swordmaster") is True)
        has = {**_of_player(owner.seat), **left, **said}
        if owner.seat == (seat - 1) % players:
            has["completed"] = plus(has["completed"], *_other_contracts(table))
        return has

    return symbolic_state(players, more, **table)


def _pieces_left(table: Mapping[str, Any], seat: Seat, *, swordmaster: bool) -> dict[str, Any]:
    """The Agents and Spies that a player has not on the board."""

    def on_board(where: str) -> int:
        return sum(1 for each in table[where] if each.seat == seat)

    agents = AGENTS + 1 if swordmaster else AGENTS
    return {"agents": agents - on_board("agents"), "spies": SPIES - on_board("spies")}


def _other_contracts(table: Mapping[str, Any]) -> tuple[str, ...]:
    """The printed contracts that are not on the board: every one of them is in some place."""
    every = Counter({face.id: face.copies for face in printed().contracts.values()})
    return tuple((every - Counter(table["contract_row"] + table["leader_contracts"])).elements())


def _names(seats: range, zones: tuple[str, ...], table: tuple[str, ...]) -> tuple[str, ...]:
    of_players = (card_of(seat, where) for seat in seats for where in zones)
    return (*of_players, *(f"table_{where}" for where in table))


def _cards(seats: range) -> tuple[CardFace, ...]:
    names = _names(seats, CARD_ZONES, TABLE_CARDS)
    return tuple(
        CardFace(name, name, cost=1, reserve=IN_RESERVE if name == "table_reserve" else 0)
        for name in names
    )


def _intrigues(seats: range) -> tuple[IntrigueFace, ...]:
    names = _names(seats, INTRIGUE_ZONES, TABLE_INTRIGUES)
    return tuple(IntrigueFace(name, name, 1, ()) for name in names)


def _contracts(seats: range) -> tuple[ContractFace, ...]:
    names = _names(seats, CONTRACT_ZONES, TABLE_CONTRACTS)
    return tuple(ContractFace(name, name, 1, "acquire", (), "no such card") for name in names)


def busy_turn(whose: Seat, kind: str, **known: Any) -> ThisTurn:
    """A turn in progress that has something to remember in every field."""
    counted = ("recruited", "deployed", "most_deployed", "spice", "harvested")
    so_far: dict[str, Any] = {
        "acquired": ("earlier",),
        "shown": ("earlier",),
        "sword_cards": ("earlier",),
        "held": ("earlier",),
        "deeds": (Deed("trashes", "earlier", "earlier"),),
        "copy": 5,
        **{name: quantity(f"turn.{name}") for name in counted},
    }
    return ThisTurn(whose, kind=kind, **{**so_far, **known})


# What has changed, and who is told


Changes = Mapping[Seat, Mapping[str, Any]]


def just(before: State, after: State, of: Changes | None = None, **table: Any) -> Any:
    """Whether these fields of players and the table have these values, and nothing else changed.

    The turn in progress is looked at too; what is pending is up to the caller.
    """
    expected = of or {}
    return all_of(
        *(
            _has(old, new, expected.get(old.seat, {}))
            for old, new in zip(before.players, after.players, strict=True)
        ),
        _has(before, after, table, "players", "pending", "turn"),
        _same_turn(table.get("turn", before.turn), after.turn),
    )


def _has(old: Any, new: Any, fields: Mapping[str, Any], *but: str) -> Any:
    values = (getattr(new, name) == value for name, value in fields.items() if name != "turn")
    return all_of(*values, unchanged(old, new, *but, *fields))


def _same_turn(expected: ThisTurn | None, found: ThisTurn | None) -> Any:
    if expected is None or found is None:
        return expected is found
    return unchanged(expected, found)


def claim_just(before: State, after: State, of: Changes | None = None, **table: Any) -> None:
    """Claim that this has changed, and nothing else of anybody."""
    claim(just(before, after, of, **table), "just this has changed, for nobody else and nowhere")


def claim_told_to(
    events: tuple[Event, ...], players: int, what: str, knows: tuple[Seat, ...]
) -> None:
    """Claim that a fact of the events is told to just these players, and the rest to everybody."""
    for event in events:
        for viewer in (*range(players), None):
            shown = {*view_event(event, viewer).facts}
            secret = {what} & {*event.facts} if viewer not in knows else set()
            claim(shown == {*event.facts} - secret, "just those who may know are told")


def claim_open(events: tuple[Event, ...], players: int) -> None:
    """Claim that players and spectators are told everything."""
    for event in events:
        for viewer in (*range(players), None):
            claim(view_event(event, viewer) == event, "everybody is told everything")


def plus(cards: tuple[str, ...], *more: str) -> tuple[str, ...]:
    """A zone with some cards more."""
    return zone((*cards, *more))
