"""Phase 3, Combat: Intrigue cards, ranking with all ties, rewards, battle icons, clean-up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules_engine.effects import tree
from rules_engine.effects.tree import Effect
from rules_engine.imperium.actions import EndTurn, Pass, PlayIntrigue
from rules_engine.imperium.faces import conflict_face
from rules_engine.imperium.frames import (
    Combat,
    CombatIntrigues,
    Effects,
    EndCombat,
    GiveRewards,
    Item,
    ResolveCombat,
    TakeConflictCard,
    Taking,
)
from rules_engine.imperium.intrigue import play, play_options, why_not_play
from rules_engine.imperium.points import score
from rules_engine.imperium.state import Player, State, Won, clockwise, follows, player, with_player
from rules_engine.imperium.strength import units
from rules_engine.kernel.game import NOBODY, Asks, FrameRules, asks, by_itself, push
from rules_engine.kernel.numbers import Quantity, count_true
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import Record, change
from rules_engine.rulebook.index import cite

FIRST = "first"
SECOND = "second"
THIRD = "third"
NONE = "none"

LARGE_TABLE = 4
"""From this number of players on, third place has a reward of its own."""

INTRIGUE_STEP = cite("UPR-COMBAT-001", "UPR-COMBAT-002", "UPR-COMBAT-004", "UPR-COMBAT-006")
TAKES_PART = cite("UPR-COMBAT-003")
WINS = cite("UPR-COMBAT-010", "UPR-COMBAT-011")
SECOND_PLACE = cite("UPR-COMBAT-010", "UPR-COMBAT-012")
THIRD_PLACE = cite("UPR-COMBAT-010", "UPR-COMBAT-013", "UPR-COMBAT-020")
TIED_FOR_FIRST = cite("UPR-COMBAT-016", "UPR-COMBAT-017")
TIED_FOR_SECOND = cite("UPR-COMBAT-021", "UPR-COMBAT-022", "UPR-COMBAT-023", "UPR-COMBAT-014")
NO_REWARD = cite(
    "UPR-COMBAT-014",
    "UPR-COMBAT-015",
    "UPR-COMBAT-018",
    "UPR-COMBAT-019",
    "UPR-COMBAT-023",
    "UPR-COMBAT-024",
)
DOUBLED = cite("UPR-COMBAT-034", "UPR-COMBAT-035", "UPR-COMBAT-036", "UPR-COMBAT-037")
TAKE_CARD = cite("UPR-COMBAT-025", "UPR-COMBAT-026")
MATCH = cite("UPR-COMBAT-028", "UPR-COMBAT-029", "UPR-COMBAT-038")
AFTERWARDS = cite("UPR-COMBAT-031", "UPR-COMBAT-033", "UPR-WORM-009")


# Ranking


class Placing(Record):
    """What a contender takes, and the rules that decide it."""

    reward: str
    rules: tuple[str, ...]


def placing(strengths: tuple[Quantity, ...], own: int, players: int) -> Placing:
    """The reward of one contender, by how many are above, level with it, and tied at the top.

    UPR-COMBAT-011 to UPR-COMBAT-024
    """
    strength = strengths[own]
    if strength == 0:
        return Placing(NONE, NO_REWARD)
    above = count_true(other > strength for other in strengths)
    level = count_true(other == strength for other in strengths)
    if above == 0:
        return Placing(FIRST, WINS) if level == 1 else Placing(SECOND, TIED_FOR_FIRST)
    large = players >= LARGE_TABLE
    if _tied_at_the_top(strengths) >= 2:
        alone_in_third = above == 2 and level == 1
        return Placing(THIRD, THIRD_PLACE) if large and alone_in_third else _nothing()
    if above == 1:
        return Placing(SECOND, SECOND_PLACE) if level == 1 else Placing(THIRD, TIED_FOR_SECOND)
    if large and above == 2 and level == 1:
        return Placing(THIRD, THIRD_PLACE)
    return _nothing()


def _nothing() -> Placing:
    return Placing(NONE, NO_REWARD)


def _tied_at_the_top(strengths: tuple[Quantity, ...]) -> Quantity:
    """How many share the highest strength."""
    return count_true(
        count_true(other > strength for other in strengths) == 0 for strength in strengths
    )


def _resolve(state: State, _: ResolveCombat, __: object) -> Step[State]:
    """Rewards go by the strength on the Combat track. UPR-COMBAT-010"""
    strengths = tuple(each.strength for each in state.players)
    places = [placing(strengths, seat, state.config.players) for seat in range(len(state.players))]
    events = tuple(
        Event("reward", place.rules, seat, {"reward": place.reward})
        for seat, place in enumerate(places)
    )
    takings = _in_order(
        state,
        tuple(
            Taking(seat, places[seat].reward)
            for seat in clockwise(state, state.first_player)
            if places[seat].reward != NONE
        ),
    )
    state = push(state, EndCombat())
    for taking in takings:
        if taking.reward == FIRST:
            state = push(state, TakeConflictCard(taking.seat))
            events = (*events, Event("wins_conflict", WINS, taking.seat))
    return Step(push(state, GiveRewards(takings)), events)


def _in_order(state: State, takings: tuple[Taking, ...]) -> tuple[Taking, ...]:
    """In turn order from the First Player, or the better reward first: as the ruling says."""
    if follows(state, "reward_order_players") == "turn_order":
        return takings
    return tuple(sorted(takings, key=lambda taking: (FIRST, SECOND, THIRD).index(taking.reward)))


RESOLVE_COMBAT = by_itself(_resolve, WINS)


# Rewards


def _give(state: State, frame: GiveRewards, _: object) -> Step[State]:
    """Players take their rewards one after the other. UPR-COMBAT-010"""
    if not frame.takings or state.conflict is None:
        return Step(state)
    taking, *rest = frame.takings
    state = push(state, GiveRewards(tuple(rest)))
    items = reward_items(state, taking)
    return Step(push(state, Effects(taking.seat, items)), _doubling(state, taking.seat))


def reward_items(state: State, taking: Taking) -> tuple[Item, ...]:
    """What a reward gives: everything twice with a sandworm, except control.

    UPR-COMBAT-034, UPR-COMBAT-037
    """
    card = state.conflict
    assert card is not None
    effects: tuple[Effect, ...] = getattr(conflict_face(state, card), taking.reward)
    twice = doubles(player(state, taking.seat))
    again = tuple(effect for effect in effects if not isinstance(effect, tree.TakeControl))
    return tuple(Item(effect, card) for effect in (effects + again if twice else effects))


def doubles(owner: Player) -> bool:
    """A player with a sandworm in the Conflict takes rewards twice. UPR-COMBAT-034"""
    return owner.sandworms >= 1


def _doubling(state: State, seat: Seat) -> tuple[Event, ...]:
    return (Event("doubles", DOUBLED, seat),) if doubles(player(state, seat)) else ()


GIVE_REWARDS = by_itself(_give, WINS)


# The winner takes the card


def _take_card(state: State, frame: TakeConflictCard, _: object) -> Step[State]:
    """The winner takes the Conflict card face up; a second face-up card with its icon is a match.

    UPR-COMBAT-025, UPR-COMBAT-028, UPR-COMBAT-029
    """
    card = state.conflict
    if card is None:
        return Step(state)
    icon = conflict_face(state, card).icon
    owner = player(state, frame.seat)
    match = _match(owner, icon)
    taken = Event("takes_conflict_card", TAKE_CARD, frame.seat, {"card": card})
    state = change(state, conflict=None)
    if match is None:
        won = _sorted((*owner.won, Won(card, icon)))
        return Step(with_player(state, change(owner, won=won)), (taken,))
    flipped = tuple(change(each, face_up=False) if each == match else each for each in owner.won)
    won = _sorted((*flipped, Won(card, icon, face_up=False)))
    scored = score(with_player(state, change(owner, won=won)), frame.seat, 1, "match", MATCH)
    paired = Event("matches_icons", MATCH, frame.seat, {"icon": icon})
    return Step(scored.state, (taken, paired, *scored.events))


def _match(owner: Player, icon: str | None) -> Won | None:
    """A face-up card in the winner's supply with the same battle icon. UPR-COMBAT-028"""
    for each in owner.won:
        if each.face_up and icon is not None and each.icon == icon:
            return each
    return None


def _sorted(won: tuple[Won, ...]) -> tuple[Won, ...]:
    return tuple(sorted(won, key=lambda each: each.card))


TAKE_CONFLICT_CARD = by_itself(_take_card, TAKE_CARD)


# Afterwards


def _end(state: State, _: EndCombat, __: object) -> Step[State]:
    """Troops go to supply, sandworms to the bank, markers to 0. UPR-COMBAT-031, UPR-WORM-009"""
    players = tuple(
        change(each, supply=each.supply + each.troops, troops=0, sandworms=0, strength=0, swords=0)
        for each in state.players
    )
    event = Event("combat_ends", AFTERWARDS)
    return Step(change(state, players=players, conflict=None), (event,))


END_COMBAT = by_itself(_end, AFTERWARDS)


# Combat Intrigue cards


def _begin(state: State, _: Combat, __: object) -> Step[State]:
    """First the Intrigue cards, from the First Player clockwise; then Combat is resolved.

    UPR-COMBAT-001, UPR-COMBAT-002
    """
    state = push(state, ResolveCombat(), CombatIntrigues(state.first_player))
    return Step(state, (Event("combat_begins", INTRIGUE_STEP),))


COMBAT = by_itself(_begin, INTRIGUE_STEP)


def takes_part(state: State, seat: Seat) -> bool:
    """Only a player with a unit in the Conflict takes part. UPR-COMBAT-003"""
    return units(player(state, seat)) >= 1


def _asks_intrigue(state: State, frame: CombatIntrigues) -> Asks:
    return asks(frame.seat) if takes_part(state, frame.seat) else NOBODY


def _legal_intrigue(state: State, frame: CombatIntrigues, action: object) -> Refusal | None:
    match action:
        case PlayIntrigue():
            return refusal(why_not_play(state, action, "combat"))
        case EndTurn() if frame.played:
            return None
        case Pass() if not frame.played:
            return None
        case _:
            wanted = "play_or_end" if frame.played else "play_or_pass"
            return refusal([Reason(wanted, INTRIGUE_STEP)])


def _intrigue_options(state: State, frame: CombatIntrigues) -> Iterator[Any]:
    yield from play_options(state, frame.seat, "combat")
    yield EndTurn(frame.seat) if frame.played else Pass(frame.seat)


def _intrigue_chance(state: State, frame: CombatIntrigues, action: object) -> Step[State]:
    """The step ends when all who take part have passed in a row: a play breaks the row.

    UPR-COMBAT-004, UPR-COMBAT-005, UPR-COMBAT-006
    """
    following = clockwise(state, frame.seat)[1]
    if isinstance(action, PlayIntrigue):
        return play(push(state, CombatIntrigues(frame.seat, played=True)), action)
    if isinstance(action, EndTurn):
        ended = Event("ends_turn", INTRIGUE_STEP, frame.seat)
        return Step(push(state, CombatIntrigues(following)), (ended,))
    passed = (*frame.passed, frame.seat)
    if all(each.seat in passed or not takes_part(state, each.seat) for each in state.players):
        return Step(state, _passes(frame, action))
    return Step(push(state, CombatIntrigues(following, passed)), _passes(frame, action))


def _passes(frame: CombatIntrigues, action: object) -> tuple[Event, ...]:
    if isinstance(action, Pass):
        return (Event("passes", INTRIGUE_STEP, frame.seat),)
    return (Event("sits_out", TAKES_PART, frame.seat),)


COMBAT_INTRIGUES = FrameRules(
    asks=_asks_intrigue,
    apply=_intrigue_chance,
    legal=_legal_intrigue,
    options=_intrigue_options,
)
