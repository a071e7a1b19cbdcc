"""Positions around one Agent: a card with any icons, and who is on a space and its posts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules_engine.catalogue.faces import CardFace
from rules_engine.effects import tree
from rules_engine.imperium.actions import PlayAgent
from rules_engine.imperium.agent_turn import SPY_ICON
from rules_engine.imperium.frames import Turn
from rules_engine.imperium.state import AgentAt, Player, SpyAt, State, ThisTurn, follows
from rules_engine.kernel.numbers import Quantity, pick
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from rules_engine.rulebook.rulings import ruling
from verifier.current import assume, choose, current, quantity
from verifier.effects import OWNER
from verifier.numbers import all_of, any_of, opposite
from verifier.positions import (
    AGENTS,
    NAMES,
    SPIES,
    Computed,
    covered,
    covered_config,
    factions,
    influence_of,
    open_rulings,
    printed,
    symbolic_state,
)
from verifier.watched import AnyNumber, Lazy

PLAYERS = 3
CARD = "any_card"
"""A card of this game only, so that its face can be left open."""

ICONS = (*factions(), "landsraad", "city", "spice_trade", SPY_ICON)

SPACES = tuple({"space": space} for space in printed().spaces)
"""Every board space as a case of its own."""


def any_space() -> str:
    """Any board space. Where a position is small, this is faster than a case for each."""
    return choose("space", tuple(printed().spaces))


Seats = tuple[Seat, ...]
NOBODY: Seats = ()
VISITORS: tuple[Seats, ...] = (NOBODY, (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))
"""Everybody who can be on a space together."""


# The card


class AnyIcons:
    """Any set of Agent icons: each is there or not, and is looked at only when it is asked for."""

    def __contains__(self, icon: str) -> bool:
        return choose(f"card.{icon}", (False, True))

    def __bool__(self) -> bool:
        return any(icon in self for icon in ICONS)


def _icons() -> Any:
    """In a replay, the icons that the counterexample asked for."""
    icons = AnyIcons()
    return icons if current().values is None else tuple(each for each in ICONS if each in icons)


def any_card(**slots: Any) -> CardFace:
    """A card with any icons that may let Influence be ignored; its boxes are empty if not given."""
    start = CardFace(CARD, "Any Card")
    known = {
        "id": CARD,
        "agent_icons": Computed(tuple(f"card.{icon}" for icon in ICONS), _icons),
        "ignores_influence": Lazy("card.ignores_influence", (False, True)),
        "agent": (),
        "reveal": (),
    }
    return covered("card.", start, **{**known, **slots})


def opening(space: str) -> dict[str, Any]:
    """The card has just the icon of the space."""
    return {"agent_icons": (printed().spaces[space].icon,), "ignores_influence": False}


# Agents


def agents_on_board(
    space: str, visitors: tuple[Seats, ...], away: tuple[int, ...] = (0,)
) -> tuple[Computed, dict[Seat, dict[str, Any]]]:
    """Who is on a space, how many Agents of the owner are elsewhere, and what everybody has.

    Everybody has two Agents, or three with the Swordmaster, on the board and on the Leader.
    """
    elsewhere = tuple(each for each in printed().spaces if each != space)

    def board() -> tuple[AgentAt, ...]:
        here = tuple(AgentAt(space, seat) for seat in choose("visitors", visitors))
        gone = tuple(AgentAt(each, OWNER) for each in elsewhere[: choose("away", away)])
        return tuple(sorted(here + gone, key=lambda at: (at.space, at.seat)))

    def sent(seat: Seat) -> int:
        return sum(at.seat == seat for at in board())

    def at_home(seat: Seat) -> Quantity:
        low, high = AGENTS - sent(seat), AGENTS + 1 - sent(seat)
        return quantity(f"{NAMES[seat]}.agents", max(low, 0), high)

    def of_player(seat: Seat) -> dict[str, Any]:
        names = (f"{NAMES[seat]}.agents", "visitors", "away")
        return {
            "agents": Computed(names, lambda: at_home(seat)),
            "swordmaster": Computed(names, lambda: at_home(seat) + sent(seat) > AGENTS),
        }

    return Computed(("visitors", "away"), board), {seat: of_player(seat) for seat in range(PLAYERS)}


# Spies


def linked_posts(space: str) -> tuple[str, ...]:
    """The posts that the board links to a space."""
    return tuple(post.id for post in printed().posts.values() if space in post.spaces)


def other_post(space: str) -> str:
    """A post that the board does not link to a space."""
    return next(post for post in printed().posts if post not in linked_posts(space))


def spies_on_board(
    posts: Mapping[str, tuple[Seats, ...]], away: tuple[int, ...] = (0,)
) -> tuple[Computed, dict[Seat, Computed]]:
    """Who has Spies on some posts, how many of the owner are elsewhere, and each one's supply.

    Nobody has more than three Spies, so some of those elsewhere may be missing.
    """
    names = (*(f"spies.{post}" for post in posts), "spies elsewhere")
    elsewhere = tuple(post for post in printed().posts if post not in posts)

    def board() -> tuple[SpyAt, ...]:
        found = [
            SpyAt(post, seat)
            for post, groups in posts.items()
            for seat in choose(f"spies.{post}", groups)
        ]
        free = SPIES - len(of_owner(tuple(found)))
        gone = elsewhere[: min(choose("spies elsewhere", away), free)]
        found += (SpyAt(post, OWNER) for post in gone)
        return tuple(sorted(found, key=lambda spy: (spy.post, spy.seat)))

    def supply(seat: Seat) -> Computed:
        return Computed(names, lambda: SPIES - sum(spy.seat == seat for spy in board()))

    return Computed(names, board), {seat: supply(seat) for seat in range(PLAYERS)}


def around(space: str) -> dict[str, tuple[Seats, ...]]:
    """The posts linked to a space, and one that is not, with Spies in several ways."""
    first, *rest = linked_posts(space)
    some = (NOBODY, (OWNER,))
    return {first: (*some, (1,), (OWNER, 1)), **dict.fromkeys(rest, some), other_post(space): some}


def of_owner(spies: tuple[SpyAt, ...]) -> tuple[str, ...]:
    """The posts where the owner has a Spy."""
    return tuple(spy.post for spy in spies if spy.seat == OWNER)


# The position


def about_to_send(
    space: str,
    *,
    card: Mapping[str, Any] | None = None,
    hand: Any = (CARD,),
    visitors: tuple[Seats, ...] = (NOBODY,),
    away: tuple[int, ...] = (0,),
    spies: Mapping[str, tuple[Seats, ...]] | None = None,
    own: Mapping[str, Any] | None = None,
    rulings: tuple[str, ...] | None = None,
    **slots: Any,
) -> State:
    """The owner's turn begins; the card in hand and the space are as open as is said.

    `own` gives more slots of the owner. If `rulings` are given, no others matter.
    """
    config = change(covered_config(PLAYERS), cards=(any_card(**(card or {})),))
    if rulings is not None:
        config = change(config, rulings=open_rulings(rulings))
    sent, agents = agents_on_board(space, visitors, away)
    posted, supplies = spies_on_board(spies or {})

    def more(owner: Player) -> dict[str, Any]:
        theirs = {**agents[owner.seat], "spies": supplies[owner.seat]}
        if owner.seat != OWNER:
            return theirs
        return {**theirs, "hand": hand, "in_play": (), "contracts": (), **(own or {})}

    known: dict[str, Any] = {
        "config": config,
        "agents": sent,
        "spies": posted,
        "turn": covered("turn.", ThisTurn(OWNER), seat=OWNER, spice=AnyNumber("turn.spice")),
        "pending": (Turn(OWNER),),
    }
    return symbolic_state(PLAYERS, more, **{**known, **slots})


def sending(space: str, infiltrate: str | None = None) -> PlayAgent:
    """The owner plays the card to send an Agent to the space."""
    return PlayAgent(OWNER, CARD, space, infiltrate)


ABOUT_SENDING = (
    "imperial_privilege_discard_or_trash",
    "imperial_privilege_no_agent",
    "condition_check_time",
)
"""Rulings about which effects are due once an Agent was sent."""

ABOUT_EFFECTS = (*ABOUT_SENDING, "agent_turn_end", "no_deliberate_fizzle", "icon_granularity")
"""These, and rulings about when such effects can be resolved."""


def assume_default(state: State, *rulings: str) -> None:
    """Go on only where these rulings have their default."""
    for name in rulings:
        assume(follows(state, name) == ruling(name).default)


# Requirement and cost


def requirement_met(state: State, space: str) -> Any:
    """Whether the owner meets what a space requires."""
    condition = printed().spaces[space].requirement
    match condition:
        case None:
            return True
        case tree.InfluenceAtLeast(faction, amount):
            return influence_of(state, faction, OWNER) >= amount
        case tree.Not(tree.Is("swordmaster")):
            return opposite(state.players[OWNER].swordmaster)
        case _:
            raise AssertionError(f"a requirement that no property knows: {condition}")


def cost_of(state: State, space: str) -> tuple[str, Any]:
    """Which resource a space costs and how much: less at some once anybody has a Swordmaster."""
    face = printed().spaces[space]
    if face.cost is None:
        return "solari", 0
    if face.later_cost is None:
        return face.cost.what, face.cost.amount
    somebody = any_of(*(each.swordmaster for each in state.players))
    return face.cost.what, pick(somebody, face.later_cost.amount, face.cost.amount)


def affordable(state: State, space: str) -> Any:
    """Whether the owner can pay for a space."""
    what, amount = cost_of(state, space)
    return getattr(state.players[OWNER], what) >= amount


def can_visit(state: State, space: str) -> Any:
    """Whether the owner meets the requirement of a space and can pay for it."""
    return all_of(requirement_met(state, space), affordable(state, space))
