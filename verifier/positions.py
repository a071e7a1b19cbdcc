"""Symbolic positions: every quantity any number, every shape open, the rest not to be read.

The same builders make the real position of a counterexample: what the proof looked at has its
value, everything else is as setup leaves it.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rules_engine.catalogue.faces import (
    CardFace,
    Catalogue,
    ConflictFace,
    IntrigueFace,
    LeaderFace,
)
from rules_engine.catalogue.load import catalogue
from rules_engine.imperium.faces import conflict_face
from rules_engine.imperium.frames import AnyFrame, Turn
from rules_engine.imperium.setup import starting_state
from rules_engine.imperium.state import (
    AgentAt,
    Alliance,
    Config,
    Player,
    SpyAt,
    State,
    ThisTurn,
    Won,
)
from rules_engine.kernel.decks import Cards, shuffled
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import Record, change
from rules_engine.kernel.rulings import Rulings
from rules_engine.rulebook.rulings import ruling
from verifier.current import choose, claim, current, domain, quantity
from verifier.numbers import all_of
from verifier.verdicts import RULING
from verifier.watched import (
    AnyNumber,
    Lazy,
    LazyRulings,
    Poison,
    RecordT,
    Slot,
    SomeRulings,
    raw,
    watched,
)

PRODUCT = "uprising"
NAMES = ("Red", "Blue", "Green", "Yellow", "Black", "White")
BELOW_FOUR = "alliance_loss_below_4"

# What the rules say is written here once more: an engine that says something else is refuted.
TROOPS, AGENTS, SPIES = 12, 2, 3
"""What every player has; a third Agent comes with the Swordmaster."""
FRIENDS, ALLIES, TOP = 2, 4, 6
"""The spaces of a track with a point, with a bonus and an Alliance, and the last one."""


def printed() -> Catalogue:
    """What is printed in the product that the proofs are about."""
    return catalogue(PRODUCT)


def factions() -> tuple[str, ...]:
    """The Factions that have a track."""
    return tuple(printed().tracks)


def covered(path: str, start: RecordT, **slots: Any) -> RecordT:
    """A record in which only the named fields may be read; in a replay, a plain record."""
    values = current().values
    if values is not None:
        known = {name: _settled(slot, getattr(start, name)) for name, slot in slots.items()}
        return change(start, **known)
    return watched(start, **{**_poisoned(path, type(start)), **slots})


@functools.cache
def _poisoned(path: str, kind: type[Record]) -> dict[str, Poison]:
    return {name: Poison(f"{path}{name}") for name in kind.__struct_fields__}


def _settled(slot: Any, start: Any) -> Any:
    """The value of a slot in a replay: as setup leaves it, if the proof never read it."""
    values = current().values or {}
    if isinstance(slot, AnyNumber | Lazy):
        return slot.read() if slot.path in values else start
    if isinstance(slot, Computed):
        return slot.read() if any(name in values for name in slot.names) else start
    return start if isinstance(slot, Poison) else slot


@dataclass(frozen=True)
class Computed(Slot):
    """A field that follows from unknowns with these names."""

    names: tuple[str, ...]
    compute: Callable[[], Any]

    def read(self) -> Any:
        """Work it out."""
        return self.compute()


# What is read without the rule functions, which may be what is proved


def influence_of(state: State, faction: str, seat: Seat = 0) -> Quantity:
    """A player's Influence."""
    (found,) = (each.influence for each in state.players[seat].tracks if each.faction == faction)
    return found


def ally_of(state: State, faction: str) -> Seat | None:
    """Who holds the Alliance token of a Faction."""
    (found,) = (each.holder for each in state.alliances if each.faction == faction)
    return found


# Players


def influence_name(seat: Seat, faction: str) -> str:
    """How a player's Influence is called in a proof."""
    return _influence_name(NAMES[seat], faction)


def _influence_name(name: str, faction: str) -> str:
    return f"{name}.influence.{faction}"


def symbolic_player(start: Player, **slots: Any) -> Player:
    """A player with any quantities; cards are not covered unless they are given."""
    slots = {**_open_player(start), **slots}
    made = covered(f"{start.name}.", start, **slots)
    return made if current().values is None else _with_a_unit(made)


def _open_player(start: Player) -> dict[str, Any]:
    return _made_open_player(start) if current().values is not None else _same_open_player(start)


def _made_open_player(start: Player) -> dict[str, Any]:
    name = start.name
    known: dict[str, Any] = {
        "seat": start.seat,
        "name": name,
        "tracks": tuple(
            covered(
                f"{name}.tracks.",
                track,
                faction=track.faction,
                influence=AnyNumber(_influence_name(name, track.faction), 0, TOP),
            )
            for track in start.tracks
        ),
        "leader": None,
        "maker_hooks": Lazy(f"{name}.maker_hooks", (False, True)),
        "high_council": Lazy(f"{name}.high_council", (False, True)),
        "revealed": Lazy(f"{name}.revealed", (False, True)),
        **_troops(name, "garrison", "troops"),
        "memories": 0,
    }
    for what in (
        "solari", "spice", "water", "victory_points", "sandworms", "strength", "swords",
        "persuasion",
    ):  # fmt: skip
        known[what] = AnyNumber(f"{name}.{what}")
    return known


_same_open_player = functools.cache(_made_open_player)


@functools.cache
def any_leader(name: str) -> Lazy:
    """No Leader, or any that keeps nothing of its own: no memories, training or contracts."""
    faces = printed().leaders.values()
    keeps = {face.id for face in faces if face.training or face.contracts or face.back}
    keeps |= {face.id for face in faces if face.turns_into is not None}
    return Lazy(f"{name}.leader", (None, *(face.id for face in faces if face.id not in keeps)))


def _troops(name: str, *places: str) -> dict[str, Slot]:
    """Twelve troops, spread over the supply and some other places in any way."""
    names = tuple(f"{name}.{place}" for place in places)

    def spread() -> tuple[Quantity, ...]:
        out = tuple(quantity(each, 0, TROOPS) for each in names)
        domain(sum(out) <= TROOPS)
        return out

    def at(place: int) -> Callable[[], Quantity]:
        return lambda: spread()[place]

    outside = {place: Computed(names, at(number)) for number, place in enumerate(places)}
    return {"supply": Computed(names, lambda: TROOPS - sum(spread())), **outside}


def _with_a_unit(owner: Player) -> Player:
    """A player of a real position who has strength has a unit in the Conflict."""
    if owner.strength == 0 or owner.troops + owner.sandworms > 0:
        return owner
    if owner.supply > 0:
        return change(owner, supply=owner.supply - 1, troops=1)
    return change(owner, garrison=owner.garrison - 1, troops=1)


# The whole table


def symbolic_state(
    players: int,
    each_player: Callable[[Player], dict[str, Any]] | None = None,
    red_sits: Seat = 0,
    **slots: Any,
) -> State:
    """A position with any quantities, holders, rulings, Conflict, Wall and First Player.

    Cards, Spies, Agents, the turn and what lies below the top frame are not covered unless given;
    `each_player` gives more slots of a player. The others sit clockwise from Red.
    """
    more = each_player or (lambda _: {})
    start = _start(players, red_sits)
    known = {
        **_open_table(start, red_sits),
        "players": tuple(symbolic_player(each, **more(each)) for each in start.players),
    }
    return covered("", start, **{**known, **slots})


def covered_config(
    players: int, conflicts: tuple[ConflictFace, ...] = (), choam: bool | Slot = False
) -> Config:
    """The product, the number of players and any rulings; `conflicts` are added to the printed."""
    return covered(
        "config.",
        _start(players).config,
        product=PRODUCT,
        players=players,
        rulings=any_rulings(),
        cards=(),
        intrigues=(),
        contracts=(),
        conflicts=conflicts,
        choam=choam,
    )


def _open_table(start: State, red_sits: Seat) -> dict[str, Any]:
    """What is open besides the players. Slots keep no values, so a proof needs them only once."""
    if current().values is not None:
        return _made_open_table(start)
    return _same_open_table(len(start.players), red_sits)


@functools.cache
def _same_open_table(players: int, red_sits: Seat) -> dict[str, Any]:
    return _made_open_table(_open_start(players, red_sits))


def _made_open_table(start: State) -> dict[str, Any]:
    seats = _clockwise_from_red(start)
    return {
        "config": covered_config(len(start.players)),
        "first_player": Lazy("first_player", seats),
        "shield_wall": Lazy("shield_wall", (True, False)),
        "makers": tuple(
            covered(
                "makers.",
                maker,
                space=maker.space,
                bonus_spice=AnyNumber(f"{maker.space}.bonus_spice"),
            )
            for maker in start.makers
        ),
        "controls": tuple(
            covered(
                "controls.",
                control,
                space=control.space,
                holder=Lazy(f"{control.space}.control", (None, *seats)),
            )
            for control in start.controls
        ),
        "alliances": tuple(_alliance(alliance, start, seats) for alliance in start.alliances),
        "conflict": Lazy("conflict", (None, *printed().conflicts)),
        "first_reward": (),
        "pending": (),
    }


def _clockwise_from_red(start: State) -> tuple[Seat, ...]:
    """All seats, in the same order of names whoever sits where."""
    return tuple(each.seat for each in sorted(start.players, key=lambda each: _named_at(each.name)))


def _named_at(name: str) -> int:
    return NAMES.index(name)


def _start(players: int, red_sits: Seat = 0) -> State:
    rulings = any_rulings()
    start = _open_start(players, red_sits)
    if isinstance(rulings, LazyRulings):
        return start
    return change(start, config=change(start.config, rulings=rulings))


@functools.cache
def _open_start(players: int, red_sits: Seat) -> State:
    names = tuple(NAMES[(seat - red_sits) % players] for seat in range(players))
    return starting_state(PRODUCT, names, LazyRulings())


def any_rulings() -> Rulings:
    """All rulings open; in a replay, those that the counterexample was found under."""
    values = current().values
    if values is None:
        return LazyRulings()
    return Rulings(
        tuple(
            sorted(
                (name, ruling(name).values[value])
                for name, value in (
                    (each.removeprefix(RULING), value)
                    for each, value in values.items()
                    if each.startswith(RULING)
                )
            )
        )
    )


def _alliance(start: Alliance, table: State, seats: tuple[Seat, ...]) -> Alliance:
    """A token anyone may hold who has the Influence for it, or has kept it as a ruling allows.

    Nobody holds it only if nobody has the Influence for it.
    """
    name = f"{start.faction}.alliance"

    def standing(seat: Seat) -> Quantity:
        return quantity(_influence_name(table.players[seat].name, start.faction), 0, TOP)

    def holder() -> Seat | None:
        held_by: Seat | None = choose(name, (None, *seats))
        if held_by is None:
            domain(all_of(*(standing(seat) < ALLIES for seat in seats)))
        elif not standing(held_by) >= ALLIES:
            values = ruling(BELOW_FOUR).values
            domain(choose(RULING + BELOW_FOUR, values) == "kept")
        return held_by

    return covered("alliances.", start, faction=start.faction, holder=Computed((name,), holder))


# What some effects need besides


def turns(seat: Seat, other: Seat) -> Lazy:
    """No turn, one's own Agent or Reveal turn, or the turn of another player."""

    def turn(whose: Seat, kind: str) -> ThisTurn:
        path = f"turn.{kind}."
        return covered(
            path,
            ThisTurn(whose),
            seat=whose,
            kind=kind,
            space=Lazy(f"{path}space", (None, *_some_spaces())),
            combat=Lazy(f"{path}combat", (False, True)),
            deployable=Lazy(f"{path}deployable", (False, True)),
            forbidden=Lazy(f"{path}forbidden", (False, True)),
            deeds=(),
            sword_cards=(),
            held=(),
            acquired=(),
            shown=(),
            copy=0,
            **{name: AnyNumber(f"{path}{name}") for name in COUNTED},
            recalled_spy=Lazy(f"{path}recalled_spy", (False, True)),
        )

    own = (turn(seat, "agent"), turn(seat, "reveal"))
    return Lazy("turn", (None, *own, turn(other, "agent")))


COUNTED = (
    "recruited",
    "short",
    "deployed",
    "staying",
    "summoned",
    "most_deployed",
    "spice",
    "harvested",
)
"""What a turn counts."""


def _some_spaces() -> tuple[str, ...]:
    """A space of each Faction, and one of none."""
    spaces = printed().spaces.values()
    icons = {space.icon: space.id for space in spaces if space.icon in factions()}
    return (*icons.values(), next(space.id for space in spaces if space.maker))


def few_cards() -> dict[str, Any]:
    """Two kinds of card to draw, one to be shuffled in, one in hand and one in play."""
    deck, other, *_ = (card.id for card in printed().cards.values() if card.starting)
    return {
        "deck": shuffled((deck, other)),
        "discard": (deck,),
        "hand": (other,),
        "in_play": (other,),
        "intrigues": (),
        "standing": (),
        "set_aside": (),
        "won": Lazy("won", _some_won()),
    }


def few_cards_of_others(seat: Seat) -> dict[str, Any]:
    """What an opponent has to lose: a card in hand, and one of them an Intrigue card."""
    card = next(card.id for card in printed().cards.values() if card.starting)
    held = tuple(printed().intrigue)[3]
    return {"hand": (card,), "discard": (), "intrigues": (held,) if seat == 1 else ()}


def few_to_acquire() -> dict[str, Any]:
    """One card in the Row and one to fill it up with."""
    one, other, *_ = (card.id for card in printed().cards.values() if card.copies)
    return {"row": (one,), "imperium_deck": shuffled((other,))}


def _some_won() -> tuple[tuple[Won, ...], ...]:
    """Nothing won, or one card of any battle icon, face up or face down."""
    objectives = {face.icon: face.id for face in printed().objectives.values()}
    cards = [Won(card, icon, up) for icon, card in objectives.items() for up in (True, False)]
    return ((), *((card,) for card in cards))


def few_intrigues() -> dict[str, Any]:
    """Two Intrigue cards to draw and one to be shuffled in."""
    one, other, third, *_ = printed().intrigue
    return {"intrigue_deck": shuffled((one, other)), "intrigue_discard": (third,)}


@functools.cache
def some_spies(seat: Seat, players: int) -> tuple[Lazy, tuple[Lazy, ...]]:
    """One player's Spies all in supply or all on posts, other posts taken but one.

    The Spies on the board, and each player's Spies in supply.
    """
    posts = tuple(printed().posts)
    others = [each for each in range(players) if each != seat for _ in range(SPIES)]
    theirs = tuple(SpyAt(post, each) for post, each in zip(posts[4:], others, strict=False))
    own = tuple(SpyAt(post, seat) for post in posts[:SPIES])
    boards = (_by_post(theirs), _by_post(theirs + own))
    name = f"{NAMES[seat]}.spies"
    supplies = (
        tuple(SPIES - sum(spy.seat == each for spy in board) for board in boards)
        for each in range(players)
    )
    return Lazy(name, boards), tuple(Lazy(name, supply) for supply in supplies)


@functools.cache
def some_agents(seat: Seat) -> tuple[Lazy, dict[str, Any]]:
    """One player's Agents at home or out, with and without the Swordmaster; others' at home.

    The Agents on the board, and what the player has.
    """
    out = tuple(sorted((AgentAt(space, seat) for space in _some_spaces()[:AGENTS]), key=_place))
    name = f"{NAMES[seat]}.agents"
    return Lazy(name, ((), out, out)), {
        "agents": Lazy(name, (AGENTS, 0, 1)),
        "swordmaster": Lazy(name, (False, False, True)),
    }


def _place(at: AgentAt) -> tuple[str, Seat]:
    return at.space, at.seat


@functools.cache
def some_leader(name: str, special: str) -> dict[str, Any]:
    """No Leader, or one with something special; the token anywhere on the training track."""
    faces = [face for face in printed().leaders.values() if SPECIAL[special](face)]
    leaders = (None, *(face.id for face in faces))
    path = f"{name}.leader"

    def training() -> str | None:
        leader = choose(path, leaders)
        spaces = () if leader is None else printed().leaders[leader].training
        return choose(f"{name}.training", tuple(each.id for each in spaces)) if spaces else None

    return {"leader": Lazy(path, leaders), "training": Computed((path,), training)}


SPECIAL: dict[str, Callable[[LeaderFace], bool]] = {
    "a bonus at 2": lambda face: face.ability.when == "reaches_two",
    "training": lambda face: bool(face.training),
    "contracts": lambda face: bool(face.contracts),
}
"""What effects look at of a Leader, besides memories."""


@functools.cache
def remembering_leader(name: str) -> dict[str, Any]:
    """The Leader with memories, any number of them."""
    leader = next(face.id for face in printed().leaders.values() if face.turns_into is not None)
    troops = _troops(name, "garrison", "troops", "memories")
    return {"leader": leader, "training": None, **troops}


Contracts = Callable[[Seat], dict[str, Any]]


@functools.cache
def some_contracts(seat: Seat, other: Seat) -> tuple[Lazy, dict[str, Any], Contracts]:
    """No contracts in the game, or few or none on the board; a player has completed none or four.

    Whether there are any, what is on the board, and what each player has: another player holds one
    and has completed all the others.
    """
    faces = printed()
    aside = tuple(sorted(each for face in faces.leaders.values() for each in face.contracts))
    every = Counter({face.id: face.copies for face in faces.contracts.values()})
    free = tuple(sorted((every - Counter(aside)).elements()))
    held, own, row, deck, theirs = free[:1], free[1:5], free[5:7], free[7:9], free[9:10]
    lots: tuple[tuple[Cards, ...], ...] = (
        ((), (), (), (), (), ()),
        (row, deck, aside, held, (), theirs),
        (row, deck, aside, (), own, theirs),
        ((), (), aside, held, own, theirs),
    )
    left = tuple(tuple((every - Counter(sum(lot, ()))).elements()) for lot in lots)
    rows, decks, asides, helds, owns, others = zip(*lots, strict=True)
    name = "contracts"
    holds = {seat: helds, other: others}
    completed = {seat: owns, other: ((), *left[1:])}

    def of_player(who: Seat) -> dict[str, Any]:
        return {
            "contracts": Lazy(name, holds[who]) if who in holds else (),
            "completed": Lazy(name, completed[who]) if who in completed else (),
        }

    board = {
        "contract_row": Lazy(name, rows),
        "contract_deck": Lazy(name, tuple(map(shuffled, decks))),
        "leader_contracts": Lazy(name, asides),
    }
    return Lazy(name, (False, True, True, True)), board, of_player


def _by_post(spies: tuple[SpyAt, ...]) -> tuple[SpyAt, ...]:
    return tuple(sorted(spies, key=lambda spy: (spy.post, spy.seat)))


def conflict_at(location: str) -> ConflictFace:
    """A Conflict without rewards at a location, also for one that no card names."""
    return ConflictFace(f"conflict_at_{location}", location, (), (), (), location=location)


PROTECTED = ("arrakeen", "spice_refinery", "imperial_basin")
"""The locations behind the Shield Wall. UPR-WALL-002"""


def behind_the_wall(state: State) -> bool:
    """Whether the Shield Wall stands and the Conflict is at a location behind it."""
    if not state.shield_wall or state.conflict is None:
        return False
    return conflict_face(state, state.conflict).location in PROTECTED


def few_conflicts() -> Lazy:
    """No Conflict, one that the Wall can shelter, or one that it cannot."""
    faces = printed().conflicts.values()
    sheltered = next(face.id for face in faces if face.location is not None)
    plain = next(face.id for face in faces if face.location is None)
    return Lazy("conflict", (None, sheltered, plain))


# A few cards, and what must not change


NO_UNITS = {"troops": 0, "sandworms": 0, "strength": 0}
"""For a player whose strength does not matter: without units it stays 0."""


def with_cards(
    frames: tuple[AnyFrame, ...],
    own: dict[str, Any],
    others: dict[str, Any] | None = None,
    *,
    cards: tuple[CardFace, ...] = (),
    intrigues: tuple[IntrigueFace, ...] = (),
    players: int = 3,
    **slots: Any,
) -> State:
    """A position with some frames pending, in which the first player has what is in `own`.

    Every other player has what is in `others`; `cards` and `intrigues` exist in this game only.
    """
    config = change(covered_config(players), cards=cards, intrigues=intrigues)

    def more(owner: Player) -> dict[str, Any]:
        return own if owner.seat == 0 else others or {}

    return symbolic_state(players, more, config=config, pending=frames, **slots)


def claim_only(
    before: State,
    after: State,
    own: tuple[str, ...] = (),
    table: tuple[str, ...] = (),
    *,
    others: tuple[str, ...] = (),
) -> None:
    """Claim that nothing changes but these fields of the first player, the table and the others."""
    for old, new in zip(before.players, after.players, strict=True):
        but = own if old.seat == 0 else others
        claim(unchanged(old, new, *but), f"{old.name} keeps everything else")
    claim(unchanged(before, after, "players", *table), "the table stays as it is")


def unchanged(before: Record, after: Record, *but: str) -> Any:
    """Whether all fields but some are the same; what was not touched is not read."""
    names = [name for name in before.__struct_fields__ if name not in but]
    touched = [name for name in names if raw(before, name) is not raw(after, name)]
    return all_of(*(getattr(before, name) == getattr(after, name) for name in touched))


# A turn that begins with sending an Agent


def plain_card(space: str) -> str:
    """A starting card that opens a space and has no Agent box."""
    icon = printed().spaces[space].icon
    cards = (card for card in printed().cards.values() if card.starting and not card.agent)
    return next(card.id for card in cards if icon in card.agent_icons)


def open_rulings(names: tuple[str, ...]) -> Rulings:
    """Only these rulings, and the one about an Alliance below 4, are open."""
    if current().values is not None:
        return any_rulings()
    return SomeRulings(still_open=(BELOW_FOUR, *names))


def before_sending(
    space: str,
    seat: Seat,
    players: int,
    each_player: Callable[[Player], dict[str, Any]] | None = None,
    rulings: tuple[str, ...] = (),
    choam: bool = False,
    **slots: Any,
) -> State:
    """A turn begins, no Agent or Spy is on the board, and the player's one card opens the space.

    The player may have gained any spice and troops in this turn. `each_player` gives more slots of
    a player. Only these `rulings`, and the one about an Alliance below 4, are open.
    """
    fields = {name: getattr(ThisTurn(seat), name) for name in ThisTurn.__struct_fields__}
    earlier = {name: AnyNumber(f"turn.{name}") for name in ("spice", "recruited")}
    turn = covered("turn.", ThisTurn(seat), **{**fields, **earlier})

    def more(owner: Player) -> dict[str, Any]:
        pieces = {"agents": AGENTS, "swordmaster": False, "spies": SPIES, "contracts": ()}
        hand = (plain_card(space),) if owner.seat == seat else ()
        cards = {"hand": hand, "in_play": (), "intrigues": ()}
        return {**pieces, **cards, **(each_player(owner) if each_player else {})}

    known = {
        "config": change(covered_config(players, choam=choam), rulings=open_rulings(rulings)),
        "agents": (),
        "spies": (),
        "turn": turn,
        "pending": (Turn(seat),),
    }
    return symbolic_state(players, more, **{**known, **slots})
