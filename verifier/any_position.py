"""Any position that one step starts from: the invariants hold in it, the rest is open.

Amounts are any numbers. Shapes that are enumerated (decks, Spies, Agents, the turn) are read
lazily, so that a step pays for those alone that it looks at.
"""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

from rules_engine.catalogue.faces import CardFace, IntrigueFace, Way
from rules_engine.effects import tree
from rules_engine.imperium.state import AgentAt, Deed, Player, SpyAt, Stack, State, ThisTurn, Won
from rules_engine.kernel.decks import Cards, shuffled
from rules_engine.kernel.numbers import Quantity, pick
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from verifier.current import choose, choose_in_column, domain, quantity
from verifier.numbers import all_of
from verifier.positions import (
    AGENTS,
    SPIES,
    Computed,
    any_leader,
    covered,
    covered_config,
    factions,
    few_cards,
    printed,
    remembering_leader,
    some_contracts,
    symbolic_state,
)
from verifier.tables import USUAL, Table, everyone, neighbour, table
from verifier.watched import AnyNumber, Lazy

OWNER = USUAL.actor
OTHER = USUAL.seat(1)
"""Who acts at the usual table, and the next player."""


TROOP, SANDWORM = 2, 3
"""What a unit is worth. UPR-STR-004, UPR-STR-005"""
FROM_GARRISON = 2
"""How many troops from the garrison a Combat space lets in. UPR-UNIT-013"""
Slots = dict[str, Any]

ROW = 5
"""How many cards the Imperium Row has. UPR-ACQ-010"""


# What is in the Conflict, and what it is worth


def worth(owner: Player) -> Any:
    """The strength that a player's units and swords give, once the player has revealed."""
    return _worth(owner.revealed, owner.troops, owner.sandworms, owner.swords)


def _worth(revealed: bool, troops: Quantity, sandworms: Quantity, swords: Quantity) -> Any:
    counts = all_of(revealed, troops + sandworms > 0)
    return pick(counts, TROOP * troops + SANDWORM * sandworms + swords, 0)


def _strength(name: str) -> Slots:
    """Whether a player has revealed, and the strength that goes with units and swords.

    Whether is a number that is 0 or 1, so that a strength of either sort is one term.
    """

    def revealed() -> bool:
        return quantity(f"{name}.revealed", 0, 1) == 1

    def compute() -> Quantity:
        strength: Quantity = _worth(
            revealed(),
            quantity(f"{name}.troops", 0, 12),
            quantity(f"{name}.sandworms"),
            quantity(f"{name}.swords"),
        )
        return strength

    names = tuple(f"{name}.{each}" for each in ("revealed", "troops", "sandworms", "swords"))
    return {"revealed": Computed(names[:1], revealed), "strength": Computed(names, compute)}


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
        domain(number <= quantity(f"{table().name(whose)}.troops", 0, 12))
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
        copy=0,
        **remembered_cards(),
        **{name: AnyNumber(f"{path}{name}") for name in counted},
    )


@functools.cache
def remembered_cards() -> Slots:
    """What a turn remembers of cards: something of each, none of which any step asks for."""
    card = imperium_cards()[11]
    return {
        "deeds": (Deed("discards", card, card),),
        "sword_cards": (card,),
        "held": tuple(printed().contracts)[:1],
        "acquired": (card,),
        "shown": (card,),
    }


@functools.cache
def visited_spaces() -> tuple[str, ...]:
    """A space of a Faction, a Maker space, and one that is neither."""
    spaces = printed().spaces.values()
    of_faction = next(space.id for space in spaces if space.icon in factions())
    maker = next(space.id for space in spaces if space.maker)
    plain = next(space.id for space in spaces if space.icon not in factions() and not space.maker)
    return of_faction, maker, plain


def turns() -> Lazy:
    """No turn, the owner's Agent or Reveal turn, or an Agent or Reveal turn of the next player."""
    mine, next_one = table().actor, neighbour()
    own = (any_turn(mine, "agent"), any_turn(mine, "reveal"))
    return Lazy("turn", (None, *own, any_turn(next_one, "agent"), any_turn(next_one, "reveal")))


def _persuasion(turn: Any, whose: Seat) -> Any:
    """Persuasion that a player has: only in the own Reveal turn is there any."""
    name = f"{table().name(whose)}.persuasion"

    def revealing(now: ThisTurn | None) -> bool:
        return now is not None and now.seat == whose and now.kind == "reveal"

    if not isinstance(turn, Lazy):
        return AnyNumber(name) if revealing(turn) else 0
    if not any(map(revealing, turn.options)):
        return 0
    return Computed(
        (name,), lambda: quantity(name) if revealing(choose_in_column("turn", turn.options)) else 0
    )


# Cards, Spies and Agents


def cards_of_others(place: int) -> Slots:
    """A card in every zone of the player so many places on, or no Intrigue card from the third on.

    Only one Intrigue card stays in play, and the owner has it.
    """
    card, other, *_ = (card.id for card in printed().cards.values() if card.starting)
    first = 3 * place
    aside, bought, worn = imperium_cards()[20 + first : 23 + first]
    held = tuple(printed().intrigue)[2 + place]
    return {
        "hand": (card,),
        "deck": shuffled((card,)),
        "discard": tuple(sorted((other, bought))),
        "in_play": (worn,),
        "intrigues": (held,) if place == 1 else Lazy(f"intrigues {place}", ((held,), ())),
        "standing": (),
        "set_aside": (aside,),
        "won": (conflict_won(place),),
    }


def own_cards() -> Slots:
    """The usual few cards, and something in every zone that they leave empty."""
    usual = few_cards()
    aside, bought = imperium_cards()[18:20]
    won: Lazy = usual["won"]
    before = conflict_won(0)
    return {
        **usual,
        "discard": tuple(sorted((*usual["discard"], bought))),
        "set_aside": (aside,),
        "intrigues": (kept_intrigue(),),
        "standing": (standing_intrigue(),),
        "won": Lazy(won.path, tuple(_by_card((before, *each)) for each in won.options)),
    }


def kept_intrigue() -> str:
    """An Intrigue card that the owner holds and does not play."""
    return tuple(printed().intrigue)[7]


@functools.cache
def standing_intrigue() -> str:
    """An Intrigue card that stays until the Reveal turn ends."""
    faces = printed().intrigue.values()
    return next(face.id for face in faces if any(map(_stays, face.ways)))


def _stays(way: Way) -> bool:
    return any(isinstance(effect, tree.WhenAcquiring) for effect in (*way.effects, *way.lines))


def conflict_won(place: int) -> Won:
    """A Conflict card that was won and turned down, another one for each player."""
    icons = [face for face in printed().conflicts.values() if face.icon not in (None, "wild")]
    face = icons[-1 - place]
    return Won(face.id, face.icon, face_up=False)


def _by_card(cards: tuple[Won, ...]) -> tuple[Won, ...]:
    return tuple(sorted(cards, key=lambda each: each.card))


def intrigue_piles() -> Slots:
    """Two Intrigue cards to draw and one to be shuffled in."""
    one, other, *_ = printed().intrigue
    return {"intrigue_deck": shuffled((one, other)), "intrigue_discard": (_discarded_intrigue(),)}


def _discarded_intrigue() -> str:
    return tuple(printed().intrigue)[9]


def piles() -> Slots:
    """What has left the game or waits beside it: something in each pile."""
    objectives = sorted(face.id for face in printed().objectives.values())
    return {
        "trashed": imperium_cards()[14:15],
        "trashed_intrigues": tuple(printed().intrigue)[8:9],
        "objectives": tuple(objectives[:1]),
        "reveal_order": (neighbour(),),
        "winners": (),
        "first_reward": (tree.TakeSeat(),),
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


def spies() -> tuple[Lazy, tuple[Lazy, ...]]:
    """The Spies on the board, and each player's in supply."""
    return _spies(table())


@functools.cache
def _spies(at: Table) -> tuple[Lazy, tuple[Lazy, ...]]:
    posts = tuple(printed().posts)
    others = [seat for seat in at.clockwise()[1:] for _ in range(SPIES)]
    theirs = tuple(SpyAt(post, seat) for post, seat in zip(posts[4:], others, strict=False))
    three = tuple(SpyAt(post, at.actor) for post in posts[:SPIES])
    beside = (SpyAt(theirs[0].post, at.actor),)
    boards = tuple(_by_post(theirs + own) for own in ((), beside, three))
    supplies = (
        tuple(SPIES - sum(spy.seat == seat for spy in board) for board in boards)
        for seat in range(at.players)
    )
    return Lazy("spies", boards), tuple(Lazy("spies", each) for each in supplies)


def _by_post(board: tuple[SpyAt, ...]) -> tuple[SpyAt, ...]:
    return tuple(sorted(board, key=lambda spy: (spy.post, spy.seat)))


def agents() -> tuple[Lazy, dict[str, Any]]:
    """The Agents on the board, and what the owner has; an Agent of the next player is out too."""
    return _agents(table())


@functools.cache
def _agents(at: Table) -> tuple[Lazy, dict[str, Any]]:
    spaces = visited_spaces()
    theirs = (AgentAt(spaces[2], at.seat(1)),)
    out = tuple(AgentAt(space, at.actor) for space in spaces[:AGENTS])
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


def any_position(slots: Slots, owner: Slots, others: Slots | None = None) -> State:
    """A position with any numbers; `slots`, those of the `owner` and of `others` replace some.

    What is pending is up to the caller.
    """
    board, supplies = spies()
    at = table()
    choam, contracts, held = some_contracts(at.actor, neighbour())
    sent, home = agents()
    turn = slots["turn"] if "turn" in slots else turns()

    def more(each: Player) -> Slots:
        name, seat = each.name, each.seat
        theirs: Slots = {"spies": supplies[seat], **_strength(name), "training": None}
        theirs |= {**held(seat), "persuasion": _persuasion(turn, seat)}
        if seat != at.actor:
            home_of_others = one_out(AGENTS) if seat == neighbour() else AGENTS
            return {
                **theirs,
                "agents": home_of_others,
                "swordmaster": False,
                **cards_of_others(everyone().index(seat)),
                **(others or {}),
            }
        own = {
            **home,
            **own_cards(),
            **remembering_leader(name),
            "leader": any_leader(name),
        }
        return {**theirs, **own, **owner}

    known: Slots = {
        "config": change(
            covered_config(at.players, choam=choam), cards=(ANY_CARD,), intrigues=(ANY_INTRIGUE,)
        ),
        **contracts,
        "round": AnyNumber("round", 1),
        "agents": sent,
        "spies": board,
        "turn": turn,
        "conflict": Lazy("conflict", conflicts_to_fight()),
        "conflict_deck": Lazy("conflict_deck", (shuffled(tuple(printed().conflicts)[:2]), ())),
        "reserve": full_stacks(),
        **piles(),
        **intrigue_piles(),
        **row_and_deck(),
    }
    return symbolic_state(at.players, more, at.actor, **{**known, **slots})


def full_stacks() -> tuple[Stack, ...]:
    """The Reserve as setup leaves it."""
    return tuple(Stack(card.id, card.reserve) for card in printed().cards.values() if card.reserve)
