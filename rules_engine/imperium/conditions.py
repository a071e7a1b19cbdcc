"""Conditions and counts in effects: what is so, and how many there are."""

from __future__ import annotations

from collections.abc import Callable

from rules_engine.effects import tree
from rules_engine.effects.tree import Condition, Count
from rules_engine.imperium import strength
from rules_engine.imperium.faces import card_face, post_face, printed, space_face
from rules_engine.imperium.influence import holder_of, influence
from rules_engine.imperium.spies import spied_spaces
from rules_engine.imperium.state import Player, State, own_turn, player
from rules_engine.kernel.decks import ANY, Cards, Known, size
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.numbers import Quantity, count_true
from rules_engine.kernel.outcomes import Seat
from rules_engine.rulebook.index import cite

ENOUGH_INFLUENCE = cite("UPR-FACTION-014")
ALLIANCE = cite("UPR-FACTION-013")
FREMEN = "fremen"
"""The Faction whose cards have a bond; others ask for a further card in their own words."""

BOND = cite("UPR-ICON-005", "UPR-ICON-006")
OWN_WORDS = cite("UPR-ROUND-005")
RECALLED_SPY = cite("UPR-SPY-008")
HOOKS = cite("UPR-WORM-003", "UPR-ICON-008")
COMPLETED = cite("UPR-CHOAM-016")


# How many there are


def _spies_on_board(state: State, seat: Seat) -> Quantity:
    return count_true(spy.seat == seat for spy in state.spies)


def _units_deployed(state: State, seat: Seat) -> Quantity:
    turn = own_turn(state, seat)
    return 0 if turn is None else turn.most_deployed


def _spice_gained(state: State, seat: Seat) -> Quantity:
    turn = own_turn(state, seat)
    return 0 if turn is None else turn.spice


def _agents_to_recall(state: State, seat: Seat) -> Quantity:
    """Own Agents on the board but for the one sent this turn. UPR-AGENT-013"""
    sent = visited(state, seat)
    return count_true(at.seat == seat and at.space != sent for at in state.agents)


MEASURES: dict[str, Callable[[State, Seat], Quantity]] = {
    "spies_on_board": _spies_on_board,
    "units_in_conflict": lambda state, seat: strength.units(player(state, seat)),
    "sandworms_in_conflict": lambda state, seat: player(state, seat).sandworms,
    "completed_contracts": lambda state, seat: len(player(state, seat).completed),
    "units_deployed_this_turn": _units_deployed,
    "spice_gained_this_turn": _spice_gained,
    "agents_to_recall": _agents_to_recall,
    "strength": lambda state, seat: player(state, seat).strength,
    "deck_size": lambda state, seat: size(player(state, seat).deck),
}
"""The words of the effect language for numbers."""

MEASURE_RULES = {
    "spies_on_board": cite("UPR-SPY-002"),
    "units_in_conflict": cite("UPR-UNIT-003"),
    "sandworms_in_conflict": cite("UPR-UNIT-003"),
    "completed_contracts": COMPLETED,
    "units_deployed_this_turn": cite("UPR-UNIT-011"),
    "spice_gained_this_turn": OWN_WORDS,
    "agents_to_recall": cite("UPR-AGENT-013"),
    "strength": cite("UPR-STR-009"),
    "deck_size": OWN_WORDS,
}


# What is so


def _recalled_spy(state: State, seat: Seat) -> bool:
    turn = own_turn(state, seat)
    return turn is not None and turn.recalled_spy


def visited(state: State, seat: Seat) -> str | None:
    """The space to which the player sent an Agent this turn."""
    turn = own_turn(state, seat)
    return None if turn is None else turn.space


def _at_maker_space(state: State, seat: Seat) -> bool:
    space = visited(state, seat)
    return space is not None and space_face(state, space).maker


def _at_faction_space(state: State, seat: Seat) -> bool:
    space = visited(state, seat)
    return space is not None and space_face(state, space).icon in printed(state).tracks


def spies_on_maker(state: State, seat: Seat) -> bool:
    """Whether the player spies on a Maker space."""
    return any(space_face(state, space).maker for space in spied_spaces(state, seat))


FLAGS: dict[str, Callable[[State, Seat], bool]] = {
    "high_council": lambda state, seat: player(state, seat).high_council,
    "swordmaster": lambda state, seat: player(state, seat).swordmaster,
    "maker_hooks": lambda state, seat: player(state, seat).maker_hooks,
    "recalled_spy_this_turn": _recalled_spy,
    "at_maker_space": _at_maker_space,
    "at_faction_space": _at_faction_space,
    "spying_on_maker_space": spies_on_maker,
}
"""The words of the effect language for what is or is not so."""

FLAG_RULES = {
    "high_council": cite("UPR-BOARD-023"),
    "swordmaster": cite("UPR-AGENT-012"),
    "maker_hooks": HOOKS,
    "recalled_spy_this_turn": RECALLED_SPY,
    "at_maker_space": cite("UPR-MAKER-001"),
    "at_faction_space": cite("UPR-AGENT-010"),
    "spying_on_maker_space": cite("UPR-SPY-001"),
}


# Cards


def of_faction(state: State, cards: Cards, faction: str) -> int:
    """How many of some cards belong to a Faction."""
    return sum(1 for card in cards if faction in card_face(state, card).factions)


def _others_in_play(state: State, seat: Seat, faction: str, source: str) -> int:
    """Own cards of a Faction in play besides the one that asks, whichever came first.

    UPR-ICON-005, UPR-ICON-006
    """
    cards = player(state, seat).in_play
    found = of_faction(state, cards, faction)
    itself = source in cards and faction in card_face(state, source).factions
    return found - 1 if itself else found


def _did(state: State, seat: Seat, kind: str, source: str) -> tuple[str, ...]:
    """What a card did this turn in one way: the things it did it to."""
    turn = own_turn(state, seat)
    deeds = () if turn is None else turn.deeds
    return tuple(deed.what for deed in deeds if deed.kind == kind and deed.source == source)


def _placed_on(state: State, post: str, kind: str) -> bool:
    icons = {space_face(state, space).icon for space in post_face(state, post).spaces}
    return bool(icons & set(printed(state).tracks)) if kind == "faction" else kind in icons


def _cost(state: State, card: str) -> Quantity:
    cost = card_face(state, card).cost
    return 0 if cost is None else cost


def _copies(owner: Player, card: str) -> int:
    """How many copies of a card a player has, wherever they are."""
    zones = (owner.hand, owner.discard, owner.in_play)
    if any(ANY in zone for zone in zones):
        raise UnknownRead(f"{owner.name}'s cards")
    found = sum(zone.count(card) for zone in zones)
    for part in owner.deck:
        if isinstance(part, Known):
            found = found + (part.card == card)
        elif part.count == len(part.cards):
            found = found + part.cards.count(card)
        else:
            raise UnknownRead(f"{owner.name}'s deck")
    return found


def _beside_alliance(state: State, seat: Seat, amount: Quantity) -> bool:
    return any(
        track.influence >= amount and holder_of(state, track.faction) not in (None, seat)
        for track in player(state, seat).tracks
    )


def _holds_alliance(state: State, seat: Seat, faction: str) -> bool:
    if faction != tree.ANY_FACTION:
        return holder_of(state, faction) == seat
    return any(alliance.holder == seat for alliance in state.alliances)


# The two questions


def holds(state: State, seat: Seat, condition: Condition, source: str = "") -> bool:
    """Whether a condition of a card, space or Leader is met now."""
    match condition:
        case tree.InfluenceAtLeast(faction, amount):
            return influence(state, seat, faction) >= amount
        case tree.HoldsAlliance(faction):
            return _holds_alliance(state, seat, faction)
        case tree.BesideAlliance(amount):
            return _beside_alliance(state, seat, amount)
        case tree.AtLeast(measure, amount):
            return MEASURES[measure](state, seat) >= amount
        case tree.Is(flag):
            return FLAGS[flag](state, seat)
        case tree.Owns(card, amount):
            return _copies(player(state, seat), card) >= amount
        case tree.Not(inner):
            return not holds(state, seat, inner, source)
        case tree.Both(one, other):
            return holds(state, seat, one, source) and holds(state, seat, other, source)
        case _:
            return _holds_of_card(state, seat, condition, source)


def _holds_of_card(state: State, seat: Seat, condition: Condition, source: str) -> bool:
    """Conditions about the card that asks and what it did."""
    match condition:
        case tree.AnotherInPlay(faction):
            return _others_in_play(state, seat, faction, source) >= 1
        case tree.Discarded(faction):
            return of_faction(state, _did(state, seat, "discards", source), faction) >= 1
        case tree.Trashed(cost):
            return any(_cost(state, card) >= cost for card in _did(state, seat, "trashes", source))
        case tree.PlacedOn(kind):
            posts = _did(state, seat, "places", source)
            return any(_placed_on(state, post, kind) for post in posts)
        case tree.Acquired(card):
            turn = own_turn(state, seat)
            return turn is not None and card in turn.acquired
        case _:
            raise TypeError(condition)


def how_many(state: State, seat: Seat, count: Count, source: str) -> Quantity:
    """How many there are of what an effect counts."""
    turn = own_turn(state, seat)
    match count:
        case tree.Number(measure):
            return MEASURES[measure](state, seat)
        case tree.CardsInPlay(faction):
            return of_faction(state, player(state, seat).in_play, faction)
        case tree.CardsRevealed(faction):
            return 0 if turn is None else of_faction(state, turn.shown, faction)
        case tree.SwordCards():
            cards = () if turn is None else turn.sword_cards
            return len(cards) - (1 if source in cards else 0)
        case tree.FaceUpIcons(icon):
            won = player(state, seat).won
            return count_true(each.face_up and each.icon == icon for each in won)
        case _:
            raise TypeError(count)


def condition_rules(condition: Condition) -> tuple[str, ...]:
    """The rules behind a condition."""
    match condition:
        case tree.InfluenceAtLeast():
            return ENOUGH_INFLUENCE
        case tree.HoldsAlliance() | tree.BesideAlliance():
            return ALLIANCE
        case tree.AtLeast(measure):
            return MEASURE_RULES[measure]
        case tree.Is(flag):
            return FLAG_RULES[flag]
        case tree.AnotherInPlay(faction):
            return BOND if faction == FREMEN else OWN_WORDS
        case tree.Not(inner):
            return condition_rules(inner)
        case tree.Both(one, other):
            return condition_rules(one) + condition_rules(other)
        case _:
            return OWN_WORDS


def count_rules(count: Count) -> tuple[str, ...]:
    """The rules behind a count."""
    return MEASURE_RULES[count.measure] if isinstance(count, tree.Number) else OWN_WORDS
