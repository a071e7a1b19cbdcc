"""Any position that one step starts from: the invariants hold in it, the rest is open.

Amounts are any numbers. Shapes that are enumerated (decks, Spies, Agents, the turn) are read
lazily, so that a step pays for those alone that it looks at. `LIMITS` says which there are.
"""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

from rules_engine.catalogue.faces import CardFace, IntrigueFace, Way
from rules_engine.effects import tree
from rules_engine.imperium.state import AgentAt, Player, SpyAt, Stack, State, ThisTurn
from rules_engine.kernel.decks import Cards, shuffled
from rules_engine.kernel.numbers import Quantity, pick
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from verifier.current import choose, domain, quantity
from verifier.positions import (
    AGENTS,
    NAMES,
    SPIES,
    Computed,
    covered,
    covered_config,
    factions,
    few_cards,
    few_intrigues,
    printed,
    remembering_leader,
    some_contracts,
    symbolic_state,
)
from verifier.watched import AnyNumber, Lazy

PLAYERS = 3
OWNER: Seat = 0
OTHER: Seat = 1

LIMITS = (
    "3 players, the frame of the first one; decks of two or three cards, few cards of each kind in "
    "the other zones and full Reserve stacks, every card named; no Leader but where the step looks "
    "at one; own Spies none, one beside another player's, or all three on posts; own Agents at "
    "home or out; no turn, an own turn, or an Agent turn of the next player, which remembers "
    "numbers but no cards; no card has added to the first reward; of the spaces to be visited one "
    "of each sort; one effect for all that may be inside another or in a group; below the step "
    "only what it looks at"
)
"""What the positions of the steps leave out."""

TROOP, SANDWORM = 2, 3
"""What a unit is worth. UPR-STR-004, UPR-STR-005"""
FROM_GARRISON = 2
"""How many troops from the garrison a Combat space lets in. UPR-UNIT-013"""
ROW = 5
"""How many cards the Imperium Row has. UPR-ACQ-010"""


# What is in the Conflict, and what it is worth


def worth(owner: Player) -> Any:
    """The strength that a player's units and swords give, once the player has revealed."""
    total = TROOP * owner.troops + SANDWORM * owner.sandworms + owner.swords
    return pick(owner.troops + owner.sandworms > 0, total, 0) if owner.revealed else 0


def _strength(name: str) -> Computed:
    """The strength that goes with the units and swords of a player."""

    def compute() -> Quantity:
        if not choose(f"{name}.revealed", (False, True)):
            return 0
        troops, sandworms, swords = (
            quantity(f"{name}.troops", 0, 12),
            quantity(f"{name}.sandworms"),
            quantity(f"{name}.swords"),
        )
        total = TROOP * troops + SANDWORM * sandworms + swords
        return pick(troops + sandworms > 0, total, 0)

    names = ("revealed", "troops", "sandworms", "swords")
    return Computed(tuple(f"{name}.{each}" for each in names), compute)


# The turn


def any_turn(whose: Seat, kind: str) -> ThisTurn:
    """A turn of a kind in progress, whatever has happened in it.

    No more troops were deployed than it allows, and those that stayed are in the Conflict.
    """
    path = f"turn.{kind}."

    def deployed() -> Quantity:
        number = quantity(f"{path}deployed")
        others = FROM_GARRISON if combat() else 0
        domain(number <= quantity(f"{path}recruited") + others)
        return number

    def combat() -> bool:
        return kind == "agent" and choose(f"{path}combat", (False, True))

    def staying() -> Quantity:
        number = quantity(f"{path}staying")
        domain(number <= quantity(f"{NAMES[whose]}.troops", 0, 12))
        return number

    counted = ("recruited", "short", "summoned", "most_deployed", "spice", "harvested")
    return covered(
        path,
        ThisTurn(whose),
        seat=whose,
        kind=kind,
        space=Lazy(f"{path}space", visited_spaces()) if kind == "agent" else None,
        combat=Computed((f"{path}combat",), combat),
        deployed=Computed((f"{path}deployed",), deployed),
        staying=Computed((f"{path}staying",), staying),
        deployable=Lazy(f"{path}deployable", (False, True)),
        forbidden=Lazy(f"{path}forbidden", (False, True)),
        recalled_spy=Lazy(f"{path}recalled_spy", (False, True)),
        deeds=(),
        sword_cards=(),
        held=(),
        acquired=(),
        shown=(),
        copy=0,
        **{name: AnyNumber(f"{path}{name}") for name in counted},
    )


@functools.cache
def visited_spaces() -> tuple[str, ...]:
    """A space of a Faction, a Maker space, and one that is neither."""
    spaces = printed().spaces.values()
    of_faction = next(space.id for space in spaces if space.icon in factions())
    maker = next(space.id for space in spaces if space.maker)
    plain = next(space.id for space in spaces if space.icon not in factions() and not space.maker)
    return of_faction, maker, plain


def turns() -> Lazy:
    """No turn, the owner's Agent or Reveal turn, or the turn of another player."""
    own = (any_turn(OWNER, "agent"), any_turn(OWNER, "reveal"))
    return Lazy("turn", (None, *own, any_turn(OTHER, "agent")))


REVEALING = 2
"""The place of the owner's Reveal turn among `turns`."""


def _persuasion(turn: Any) -> Any:
    """Persuasion that the owner has: only in the own Reveal turn is there any."""
    if not isinstance(turn, Lazy):
        revealing = turn is not None and turn.kind == "reveal"
        return AnyNumber(f"{NAMES[OWNER]}.persuasion") if revealing else 0

    def compute() -> Quantity:
        now = choose("turn", turn.options)
        return quantity(f"{NAMES[OWNER]}.persuasion") if now is turn.options[REVEALING] else 0

    return Computed((f"{NAMES[OWNER]}.persuasion",), compute)


# Cards, Spies and Agents


def cards_of_others(seat: Seat) -> dict[str, Any]:
    """A card in every zone of another player, and one Intrigue card of the next player."""
    card = next(card.id for card in printed().cards.values() if card.starting)
    held = tuple(printed().intrigue)[3]
    return {
        "hand": (card,),
        "deck": shuffled((card,)),
        "discard": (),
        "in_play": (),
        "intrigues": (held,) if seat == OTHER else (),
        "standing": (),
        "set_aside": (),
        "won": (),
    }


@functools.cache
def imperium_cards() -> tuple[str, ...]:
    """Cards of the Imperium Deck that cost the same, each once; others after them."""
    cards = [card for card in printed().cards.values() if card.copies]
    cost = Counter(card.cost for card in cards).most_common(1)[0][0]
    return tuple(card.id for card in sorted(cards, key=lambda card: card.cost != cost))


def row_and_deck() -> dict[str, Any]:
    """Five cards in the Row and two to fill it up with, or two cards left in all."""
    cards = imperium_cards()
    return _rows((cards[:ROW], cards[ROW : ROW + 2]), (cards[:2], ()))


def row_with_gaps() -> dict[str, Any]:
    """A Row that has a gap, or not, and a deck that is empty, or not."""
    cards = imperium_cards()
    full = (cards[:ROW], cards[ROW : ROW + 2])
    return _rows(full, (cards[: ROW - 1], cards[ROW : ROW + 2]), (cards[:2], ()))


def _rows(*lots: tuple[Cards, Cards]) -> dict[str, Any]:
    rows, decks = zip(*lots, strict=True)
    sorted_rows = tuple(tuple(sorted(row)) for row in rows)
    return {
        "row": Lazy("row", sorted_rows),
        "imperium_deck": Lazy("row", tuple(map(shuffled, decks))),
    }


@functools.cache
def spies() -> tuple[Lazy, tuple[Lazy, ...]]:
    """The Spies on the board, and each player's in supply."""
    posts = tuple(printed().posts)
    others = [seat for seat in range(PLAYERS) if seat != OWNER for _ in range(SPIES)]
    theirs = tuple(SpyAt(post, seat) for post, seat in zip(posts[4:], others, strict=False))
    three = tuple(SpyAt(post, OWNER) for post in posts[:SPIES])
    beside = (SpyAt(theirs[0].post, OWNER),)
    boards = tuple(_by_post(theirs + own) for own in ((), beside, three))
    supplies = (
        tuple(SPIES - sum(spy.seat == seat for spy in board) for board in boards)
        for seat in range(PLAYERS)
    )
    return Lazy("spies", boards), tuple(Lazy("spies", each) for each in supplies)


def _by_post(board: tuple[SpyAt, ...]) -> tuple[SpyAt, ...]:
    return tuple(sorted(board, key=lambda spy: (spy.post, spy.seat)))


@functools.cache
def agents() -> tuple[Lazy, dict[str, Any]]:
    """The Agents on the board, and what the owner has; an Agent of the next player is out too."""
    spaces = visited_spaces()
    theirs = (AgentAt(spaces[2], OTHER),)
    out = tuple(AgentAt(space, OWNER) for space in spaces[:AGENTS])
    boards = tuple(
        tuple(sorted(board, key=_place)) for board in (theirs, theirs + out, theirs + out)
    )
    return Lazy("agents", boards), {
        "agents": Lazy("agents", (AGENTS, 0, 1)),
        "swordmaster": Lazy("agents", (False, False, True)),
    }


def one_out(of: int) -> Computed:
    """The Agents at home of a player who has one on the board, if the board is looked at."""
    return Computed(("agents",), lambda: of - 1)


def _place(at: AgentAt) -> tuple[str, Seat]:
    return at.space, at.seat


# Faces that stand for all others


ANY_CARD = CardFace(
    "any_card",
    "Any Card",
    agent_icons=("emperor", "spacing_guild", "bene_gesserit", "fremen", "landsraad", "city",
                 "spice_trade", "spy"),
    agent=(tree.UseSignet(), tree.DrawCards(1)),
    reveal=(tree.Gain(1, "persuasion"), tree.Swords(1)),
    copies=3,
)  # fmt: skip
"""A card that opens every space, with effects in both boxes: it is played and revealed."""


TIMINGS = ("plot", "combat", "won", "endgame")

ANY_INTRIGUE = IntrigueFace(
    "any_intrigue",
    "Any Intrigue",
    1,
    ways=(
        *(Way(timing, effects=(tree.RemoveShieldWall(),)) for timing in TIMINGS),
        *(Way(timing, lines=(tree.RemoveShieldWall(), tree.TakeSeat())) for timing in TIMINGS),
        Way("plot", effects=(tree.WhenAcquiring(tree.RemoveShieldWall()),)),
    ),
)
"""An Intrigue card that can be played at every time, in every way that there is."""


@functools.cache
def conflicts_to_fight() -> tuple[str | None, ...]:
    """No Conflict, one anywhere, and one at each location behind the Wall."""
    faces = printed().conflicts.values()
    at = {face.location: face.id for face in faces}
    return (None, *at.values())


# The whole position


Slots = dict[str, Any]


def any_position(slots: Slots, owner: Slots) -> State:
    """A position with any numbers; `slots` and those of the `owner` replace what is usual.

    What is pending is up to the caller.
    """
    board, supplies = spies()
    choam, contracts, held = some_contracts(OWNER, OTHER)
    sent, home = agents()
    turn = slots["turn"] if "turn" in slots else turns()

    def more(each: Player) -> Slots:
        name, seat = each.name, each.seat
        theirs: Slots = {"spies": supplies[seat], "strength": _strength(name), "training": None}
        theirs |= {**held(seat), "persuasion": 0}
        if seat != OWNER:
            home_of_others = one_out(AGENTS) if seat == OTHER else AGENTS
            return {
                **theirs,
                "agents": home_of_others,
                "swordmaster": False,
                **cards_of_others(seat),
            }
        own = {**home, **few_cards(), **remembering_leader(name), "leader": None}
        return {**theirs, **own, "persuasion": _persuasion(turn), **owner}

    known: Slots = {
        "config": change(
            covered_config(PLAYERS, choam=choam), cards=(ANY_CARD,), intrigues=(ANY_INTRIGUE,)
        ),
        **contracts,
        "round": AnyNumber("round", 1),
        "agents": sent,
        "spies": board,
        "turn": turn,
        "conflict": Lazy("conflict", conflicts_to_fight()),
        "conflict_deck": Lazy("conflict_deck", (shuffled(tuple(printed().conflicts)[:2]), ())),
        "reserve": full_stacks(),
        "trashed": (),
        "trashed_intrigues": (),
        "objectives": (),
        "reveal_order": (),
        "winners": (),
        **few_intrigues(),
        **row_and_deck(),
    }
    return symbolic_state(PLAYERS, more, **{**known, **slots})


def full_stacks() -> tuple[Stack, ...]:
    """The Reserve as setup leaves it."""
    return tuple(Stack(card.id, card.reserve) for card in printed().cards.values() if card.reserve)
