"""What holds in every position, with the rules that say so.

They check positions that people write down, and every position that tests and soaks reach.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeVar

from rules_engine.catalogue.load import catalogue
from rules_engine.imperium.acquire import ROW
from rules_engine.imperium.conflict_cards import WILD
from rules_engine.imperium.contracts import FACE_UP
from rules_engine.imperium.council import SEATS
from rules_engine.imperium.faces import card_face, printed
from rules_engine.imperium.frames import AllianceTie, IntriguePlayed, LookAtTop, SortCards
from rules_engine.imperium.influence import ALLIES, TOP, influence
from rules_engine.imperium.setup import AGENTS
from rules_engine.imperium.shield_wall import protects_conflict
from rules_engine.imperium.spies import SPIES
from rules_engine.imperium.state import State, follows
from rules_engine.imperium.units import TROOPS
from rules_engine.kernel.decks import ANY, Deck, Known, possibly_in
from rules_engine.kernel.game import Invariant
from rules_engine.kernel.numbers import count_true, pick
from rules_engine.rulebook.index import cite

Thing = TypeVar("Thing")


def _repeated(things: Sequence[Thing]) -> list[Thing]:
    """The things that are there more than once."""
    if len(set(things)) == len(things):
        return []
    return [thing for thing, count in Counter(things).items() if count > 1]


def _troops(state: State) -> Iterator[str]:
    for each in state.players:
        if each.supply + each.garrison + each.troops + each.memories != TROOPS:
            yield f"{each.name} has not just {TROOPS} troops in all"


def _nothing_negative(state: State) -> Iterator[str]:
    for each in state.players:
        for what in (
            "solari", "spice", "water", "supply", "garrison", "troops", "sandworms",
            "strength", "swords", "persuasion", "agents", "spies", "memories",
        ):  # fmt: skip
            if getattr(each, what) < 0:
                yield f"{each.name} has less than no {what}"


def _influence(state: State) -> Iterator[str]:
    for each in state.players:
        for track in each.tracks:
            if not 0 <= track.influence <= TOP:
                yield f"{each.name}'s Influence with {track.faction} is not between 0 and {TOP}"


def _alliances(state: State) -> Iterator[str]:
    for faction in _repeated([alliance.faction for alliance in state.alliances]):
        yield f"the {faction} Alliance has more than one holder"
    if follows(state, "alliance_loss_below_4") != "lost":
        return
    for alliance in state.alliances:
        holder = alliance.holder
        if holder is None:
            continue
        if influence(state, holder, alliance.faction) < ALLIES:
            name = state.players[holder].name
            yield f"{name} holds the {alliance.faction} Alliance with less than {ALLIES} Influence"


def _no_ally_too_low(state: State) -> Iterator[str]:
    """Who stands highest with 4 or more holds the token, unless a ruling lets another keep it."""
    kept = "kept" in (follows(state, "alliance_loss_tie"), follows(state, "alliance_loss_below_4"))
    pending = [frame.faction for frame in state.pending if type(frame) is AllianceTie]
    for alliance in state.alliances:
        faction, holder = alliance.faction, alliance.holder
        if faction in pending or (kept and holder is not None):
            continue
        floor = ALLIES - 1 if holder is None else influence(state, holder, faction)
        for each in state.players:
            if influence(state, each.seat, faction) > floor:
                yield f"{each.name} stands too high not to hold the {faction} Alliance"


def _sheltered(state: State) -> Iterator[str]:
    if not protects_conflict(state):
        return
    for each in state.players:
        if each.sandworms > 0:
            yield f"{each.name} has a sandworm in a Conflict that the Shield Wall protects"


def _battle_icons(state: State) -> Iterator[str]:
    for each in state.players:
        icons = [won.icon for won in each.won if won.face_up and won.icon not in (None, WILD)]
        for icon in _repeated(icons):
            yield f"{each.name} has two face-up cards with the {icon} icon"


def _spies(state: State) -> Iterator[str]:
    for each in state.players:
        if each.spies + sum(1 for spy in state.spies if spy.seat == each.seat) != SPIES:
            yield f"{each.name} has not just {SPIES} Spies"
    for spy in _repeated(state.spies):
        yield f"two Spies of one player are on {spy.post}"


def _agents(state: State) -> Iterator[str]:
    for each in state.players:
        agents = AGENTS + pick(each.swordmaster, 1, 0)
        if each.agents + sum(1 for at in state.agents if at.seat == each.seat) != agents:
            yield f"{each.name} has not just {agents} Agents"
    for at in _repeated(state.agents):
        yield f"two Agents of one player are on {at.space}"


def _strength(state: State) -> Iterator[str]:
    for each in state.players:
        if each.troops + each.sandworms == 0 and each.strength != 0:
            yield f"{each.name} has strength without a unit in the Conflict"


def _row(state: State) -> Iterator[str]:
    if len(state.row) > ROW:
        yield f"the Imperium Row has {len(state.row)} cards"


def _known_in(deck: Deck) -> list[str]:
    """The cards of a deck that somebody knows."""
    return [part.card for part in deck if isinstance(part, Known)]


def _looked_at(state: State) -> Iterator[str]:
    """Cards that left a deck to be looked at and have no place yet."""
    for frame in state.pending:
        if type(frame) is LookAtTop or type(frame) is SortCards:
            yield from frame.seen


def _cards(state: State) -> Iterator[str]:
    """No more copies of a card than the game has, wherever they are."""
    seen = [*state.row, *state.trashed, *_looked_at(state), *_known_in(state.imperium_deck)]
    for each in state.players:
        seen += each.hand + each.discard + each.in_play + each.set_aside
        seen += _known_in(each.deck)
    copies = _copies(state.config.product, len(state.players))
    for card, count in Counter(seen).items():
        if count > copies.get(card, count):
            yield f"there are {count} copies of {printed(state).cards[card].name}"


@functools.cache
def _copies(product: str, seats: int) -> dict[str, int]:
    """How many copies of each card a game of so many players has."""
    return {
        face.id: face.starting * seats + face.reserve + face.copies
        for face in catalogue(product).cards.values()
    }


def _intrigues(state: State) -> Iterator[str]:
    """No more copies of an Intrigue card than the game has, wherever they are."""
    seen = [*state.intrigue_discard, *state.trashed_intrigues, *_known_in(state.intrigue_deck)]
    seen += (frame.card for frame in state.pending if type(frame) is IntriguePlayed)
    for each in state.players:
        seen += each.intrigues + each.standing
    faces = printed(state).intrigue
    for card, count in Counter(seen).items():
        face = faces.get(card)
        if card == ANY or face is None:
            continue
        if count > face.copies:
            yield f"there are {count} copies of {face.name}"


def _owned(state: State) -> list[str]:
    """Every copy of a card that a player has.

    A card drawn as `any` stays in the pool it came from, so it is counted there.
    """
    owned = [*_looked_at(state)]
    for each in state.players:
        owned += each.hand + each.discard + each.in_play + possibly_in(each.deck)
    return owned


def _reserve(state: State) -> Iterator[str]:
    """Every copy of a Reserve card is on its stack or a player's; none ever leaves the game."""
    owned = _owned(state)
    for stack in state.reserve:
        face = card_face(state, stack.card)
        if stack.left < 0:
            yield f"the Reserve has less than no copies of {face.name}"
        if stack.left + owned.count(stack.card) != face.reserve:
            yield f"not just {face.reserve} copies of {face.name} are in Reserve and decks"


def _seats(state: State) -> Iterator[str]:
    if count_true(each.high_council for each in state.players) > SEATS:
        yield f"more than {SEATS} players have a seat on the High Council"


def _contracts(state: State) -> Iterator[str]:
    """Every contract is in one place: face up, in the bank, set aside, or a player's."""
    if len(state.contract_row) > FACE_UP:
        yield f"there are {len(state.contract_row)} contracts face up on the board"
    seen = state.contract_row + state.leader_contracts + possibly_in(state.contract_deck)
    for each in state.players:
        seen += each.contracts + each.completed
    for face in printed(state).contracts.values():
        copies, count = face.copies if state.config.choam else 0, seen.count(face.id)
        if count != copies:
            yield f"there are {count} of the contract {face.name}, not {copies}"


INVARIANTS = (
    Invariant("twelve_troops", cite("UPR-UNIT-005", "UPR-UNIT-006"), _troops),
    Invariant("nothing_negative", cite("UPR-COST-007", "UPR-COST-001"), _nothing_negative),
    Invariant("influence_on_track", cite("UPR-FACTION-001", "UPR-FACTION-003"), _influence),
    Invariant("one_ally_each", cite("UPR-FACTION-009", "UPR-FACTION-010"), _alliances),
    Invariant("highest_ally_holds", cite("UPR-FACTION-009", "UPR-FACTION-010"), _no_ally_too_low),
    Invariant("no_sheltered_sandworm", cite("UPR-WALL-003", "UPR-WORM-005"), _sheltered),
    Invariant("icons_are_matched", cite("UPR-COMBAT-028", "UPR-COMBAT-029"), _battle_icons),
    Invariant("spies_conserved", cite("UPR-SPY-002", "UPR-SPY-003"), _spies),
    Invariant("agents_conserved", cite("UPR-AGENT-001", "UPR-AGENT-012"), _agents),
    Invariant("four_seats", cite("UPR-BOARD-013", "UPR-BOARD-023"), _seats),
    Invariant("contracts_conserved", cite("UPR-CHOAM-002", "UPR-CHOAM-016"), _contracts),
    Invariant("strength_needs_units", cite("UPR-STR-007"), _strength),
    Invariant("five_in_the_row", cite("UPR-ACQ-010"), _row),
    Invariant("cards_conserved", cite("UPR-REVEAL-010", "UPR-ICON-011"), _cards),
    Invariant("intrigues_conserved", cite("UPR-ICON-004", "UPR-ROUND-006"), _intrigues),
    Invariant("reserve_conserved", cite("UPR-ACQ-002", "UPR-ICON-012"), _reserve),
)
