"""Phase 3, Combat: Intrigue cards, ranking with all ties, rewards, battle icons, clean-up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules_engine.effects import tree
from rules_engine.effects.tree import Effect
from rules_engine.imperium.actions import EndTurn, Pass, PlayIntrigue
from rules_engine.imperium.conflict_cards import WILD, turned_down
from rules_engine.imperium.faces import conflict_face, intrigue_faces
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
    WinIntrigues,
)
from rules_engine.imperium.intrigue import play, play_options, why_not_play
from rules_engine.imperium.points import score
from rules_engine.imperium.state import Player, State, Won, clockwise, follows, player, with_player
from rules_engine.imperium.strength import units
from rules_engine.kernel.game import NOBODY, Asks, FrameRules, asks, by_itself, push
from rules_engine.kernel.numbers import Quantity, count_true, pick
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

FIRST = "first"
SECOND = "second"
THIRD = "third"
NONE = "none"

LARGE_TABLE = 4
"""From this number of players on, third place has a reward of its own."""

INTRIGUE_STEP = cite("UPR-COMBAT-001", "UPR-COMBAT-002", "UPR-COMBAT-004", "UPR-COMBAT-006")
CHANCES = cite("UPR-COMBAT-002", "UPR-COMBAT-004")
PASS = cite("UPR-COMBAT-004", "UPR-COMBAT-005", "UPR-COMBAT-006")
TAKES_PART = cite("UPR-COMBAT-003", "UPR-UNIT-002", "UPR-UNIT-007")
WINS = cite("UPR-COMBAT-011", "UPR-COMBAT-010")
SECOND_PLACE = cite("UPR-COMBAT-012", "UPR-COMBAT-010")
THIRD_PLACE = cite("UPR-COMBAT-013", "UPR-COMBAT-010")
NO_THIRD_PLACE = cite("UPR-COMBAT-014")
NO_STRENGTH = cite("UPR-COMBAT-015")
TIED_FOR_FIRST = cite("UPR-COMBAT-016", "UPR-COMBAT-017")
TIE_ENDS_REWARDS = cite("UPR-COMBAT-018")
THREE_TIED_FOR_FIRST = cite("UPR-COMBAT-019")
TWO_TIED_FOR_FIRST = cite("UPR-COMBAT-020")
TIED_FOR_SECOND = cite("UPR-COMBAT-021", "UPR-COMBAT-022")
BELOW_TIE_FOR_SECOND = cite("UPR-COMBAT-023")
TIED_FOR_THIRD = cite("UPR-COMBAT-024")
DOUBLED = cite("UPR-COMBAT-034", "UPR-COMBAT-035", "UPR-COMBAT-036")
DOUBLED_NOT_CONTROL = cite("UPR-COMBAT-037")
DOUBLED_COST = cite("UPR-COMBAT-039", "UPR-COST-006")
DOUBLED_INFLUENCE = cite("UPR-COMBAT-040")
TAKE_CARD = cite("UPR-COMBAT-025", "UPR-COMBAT-026")
MATCH = cite("UPR-COMBAT-028", "UPR-COMBAT-029", "UPR-COMBAT-038")
ON_WINNING = cite("UPR-COMBAT-008")
AFTERWARDS = cite("UPR-COMBAT-031", "UPR-COMBAT-032", "UPR-COMBAT-033", "UPR-WORM-009")


# Ranking


def reward_of(strengths: tuple[Quantity, ...], own: int, players: int) -> str:
    """The reward of one contender, by how many are above it and how many level with it.

    `rules_behind` says by which rules.
    """
    strength = strengths[own]
    above, alone = _above(strengths, strength), _level(strengths, strength) == 1
    third = THIRD if players >= LARGE_TABLE else NONE
    # Two are above, whether they are first and second or tied for first.
    below = pick(above == 2, pick(alone, third, NONE), NONE)
    below = pick(above == 1, pick(alone, SECOND, THIRD), below)
    placed = pick(above == 0, pick(alone, FIRST, SECOND), below)
    return pick(strength == 0, NONE, placed)


def _above(strengths: tuple[Quantity, ...], strength: Quantity) -> Quantity:
    return count_true(other > strength for other in strengths)


def _level(strengths: tuple[Quantity, ...], strength: Quantity) -> Quantity:
    return count_true(other == strength for other in strengths)


def rules_behind(
    strengths: tuple[Quantity, ...], own: int, players: int, reward: str
) -> tuple[str, ...]:
    """The rules that decide a contender's reward, for whoever asks why."""
    above = _above(strengths, strengths[own])
    if strengths[own] > 0:
        return _rules_of_place(strengths, own, players, reward)
    # Without strength one has no place, but may also be below those who take the rewards.
    return NO_STRENGTH + (_rules_of_place(strengths, own, players, reward) if above >= 2 else ())


def _rules_of_place(
    strengths: tuple[Quantity, ...], own: int, players: int, reward: str
) -> tuple[str, ...]:
    tied_for_first = count_true(_above(strengths, strength) == 0 for strength in strengths)
    if tied_for_first >= 2:
        return _rules_below_tie(strengths, own, players, tied_for_first)
    if reward in (FIRST, SECOND):
        return WINS if reward == FIRST else SECOND_PLACE
    small = NO_THIRD_PLACE if players < LARGE_TABLE else ()
    above = _above(strengths, strengths[own])
    if above == 1:
        return TIED_FOR_SECOND + small
    if any(_above(strengths, other) == 1 and _level(strengths, other) >= 2 for other in strengths):
        return BELOW_TIE_FOR_SECOND
    tied_for_third = above == 2 and _level(strengths, strengths[own]) >= 2
    return small or (TIED_FOR_THIRD if tied_for_third else THIRD_PLACE)


def _rules_below_tie(
    strengths: tuple[Quantity, ...], own: int, players: int, tied_for_first: Quantity
) -> tuple[str, ...]:
    """The rules for a Conflict in which several are tied for first."""
    above = _above(strengths, strengths[own])
    if above == 0:
        return TIED_FOR_FIRST
    if players < LARGE_TABLE:
        return TIE_ENDS_REWARDS
    if tied_for_first >= 3:
        return THREE_TIED_FOR_FIRST
    tied_for_third = above == 2 and _level(strengths, strengths[own]) >= 2
    return TIED_FOR_THIRD if tied_for_third else TWO_TIED_FOR_FIRST


def _resolve(state: State, _: ResolveCombat, __: object) -> Step[State]:
    """Rewards go by the strength on the Combat track. UPR-COMBAT-010"""
    strengths = tuple(each.strength for each in state.players)
    players = state.config.players
    rewards = [reward_of(strengths, seat, players) for seat in range(len(strengths))]
    events = tuple(
        Event("reward", rules_behind(strengths, seat, players, reward), seat, {"reward": reward})
        for seat, reward in enumerate(rewards)
    )
    takings = tuple(
        Taking(seat, place)
        for place in (FIRST, SECOND, THIRD)
        for seat, reward in enumerate(rewards)
        if reward == place
    )
    state = push(state, EndCombat())
    for taking in takings:
        if taking.reward == FIRST:
            state = push(state, WinIntrigues(taking.seat), TakeConflictCard(taking.seat))
            events = (*events, Event("wins_conflict", WINS, taking.seat))
    return Step(push(state, GiveRewards(_in_order(state, takings))), events)


def _in_order(state: State, takings: tuple[Taking, ...]) -> tuple[Taking, ...]:
    """In turn order from the First Player, or the better reward first: as the ruling says."""
    seats = clockwise(state, state.first_player)
    in_turn = sorted(takings, key=lambda taking: seats.index(taking.seat))
    if follows(state, "reward_order_players") == "turn_order":
        return tuple(in_turn)
    return tuple(sorted(in_turn, key=lambda taking: (FIRST, SECOND, THIRD).index(taking.reward)))


RESOLVE_COMBAT = by_itself(_resolve, WINS)


# Rewards


def _give(state: State, frame: GiveRewards, _: object) -> Step[State]:
    """Players take their rewards one after the other. UPR-COMBAT-010"""
    if not frame.takings or state.conflict is None:
        return Step(state)
    taking, *rest = frame.takings
    state = push(state, GiveRewards(tuple(rest)))
    items = reward_items(state, taking)
    groups = [Effects(taking.seat, group) for group in _groups(state, items) if group]
    return Step(push(state, *groups), _doubling(state, taking.seat, items))


def _groups(state: State, items: tuple[Item, ...]) -> tuple[tuple[Item, ...], ...]:
    """The parts of a reward in the order in which they are pushed: the last one comes first.

    If what a reward gives may not pay for a cost in it, the costs come before everything else.
    """
    if follows(state, "reward_income_pays") == "yes":
        return (items,)
    costs = tuple(item for item in items if isinstance(item.effect, tree.Arrow))
    return (tuple(item for item in items if item not in costs), costs)


def reward_items(state: State, taking: Taking) -> tuple[Item, ...]:
    """What a reward gives, with what cards have added: twice with a sandworm, except control.

    UPR-COMBAT-034, UPR-COMBAT-037
    """
    card = state.conflict
    assert card is not None
    effects: tuple[Effect, ...] = getattr(conflict_face(state, card), taking.reward)
    effects = effects + (state.first_reward if taking.reward == FIRST else ())
    twice = doubles(player(state, taking.seat))
    again = tuple(effect for effect in effects if not isinstance(effect, tree.TakeControl))
    return tuple(Item(effect, card) for effect in (effects + again if twice else effects))


def doubles(owner: Player) -> bool:
    """A player with a sandworm in the Conflict takes rewards twice. UPR-COMBAT-034"""
    return owner.sandworms >= 1


def _doubling(state: State, seat: Seat, items: tuple[Item, ...]) -> tuple[Event, ...]:
    """A doubled reward, with the rules about what is in it."""
    if not doubles(player(state, seat)):
        return ()
    rules = DOUBLED
    for effect in {type(item.effect): item.effect for item in items}.values():
        match effect:
            case tree.TakeControl():
                rules = rules + DOUBLED_NOT_CONTROL
            case tree.Arrow():
                rules = rules + DOUBLED_COST
            case tree.GainInfluence(faction=tree.ANY_FACTION):
                rules = rules + DOUBLED_INFLUENCE
    return (Event("doubles", rules, seat),)


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
    won = _sorted((*turned_down(owner, match.card), Won(card, icon, face_up=False)))
    scored = score(with_player(state, change(owner, won=won)), frame.seat, 1, "match", MATCH)
    paired = Event("matches_icons", MATCH, frame.seat, {"icon": icon})
    return Step(scored.state, (taken, paired, *scored.events))


def _match(owner: Player, icon: str | None) -> Won | None:
    """A face-up card in the winner's supply with the same battle icon. UPR-COMBAT-028

    A wild one waits for the Endgame. UPR-COMBAT-030
    """
    if icon in (None, WILD):
        return None
    for each in owner.won:
        if each.face_up and each.icon == icon:
            return each
    return None


def _sorted(won: tuple[Won, ...]) -> tuple[Won, ...]:
    return tuple(sorted(won, key=lambda each: each.card))


TAKE_CONFLICT_CARD = by_itself(_take_card, TAKE_CARD)


# Intrigue cards that act on winning


def _may_act_on_winning(state: State, seat: Seat) -> bool:
    """Whether the game has such cards and the winner holds any card: both are plain to see."""
    return bool(player(state, seat).intrigues) and any(
        way.timing == "won" for face in intrigue_faces(state) for way in face.ways
    )


def _legal_on_winning(state: State, _: WinIntrigues, action: object) -> Refusal | None:
    match action:
        case PlayIntrigue():
            return refusal(why_not_play(state, action, "won"))
        case Pass():
            return None
        case _:
            return refusal([Reason("play_or_pass", ON_WINNING)])


def _on_winning(state: State, frame: WinIntrigues, action: object) -> Step[State]:
    """A card that acts on winning is played after the Conflict was won. UPR-COMBAT-008"""
    if isinstance(action, PlayIntrigue):
        return play(push(state, frame), action)
    return Step(state)


WIN_INTRIGUES = FrameRules(
    asks=lambda state, frame: (
        asks(frame.seat) if _may_act_on_winning(state, frame.seat) else NOBODY
    ),
    apply=_on_winning,
    legal=_legal_on_winning,
    options=lambda state, frame: (
        *play_options(state, frame.seat, "won"),
        Pass(frame.seat),
    ),
)


# Afterwards


def _end(state: State, _: EndCombat, __: object) -> Step[State]:
    """After the rewards troops go to supply, sandworms to the bank, markers to 0.

    UPR-COMBAT-031, UPR-COMBAT-032, UPR-COMBAT-033, UPR-WORM-009
    """
    players = tuple(
        change(each, supply=each.supply + each.troops, troops=0, sandworms=0, strength=0, swords=0)
        for each in state.players
    )
    event = Event("combat_ends", AFTERWARDS)
    state = change(state, players=players, conflict=None, first_reward=())
    return Step(state, (event,))


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
    """Only a player with a unit in the Conflict takes part. UPR-COMBAT-003, UPR-UNIT-002"""
    return units(player(state, seat)) >= 1


def _asks_intrigue(state: State, frame: CombatIntrigues) -> Asks:
    return asks(frame.seat) if takes_part(state, frame.seat) else NOBODY


def _who_may_play(state: State, seat: Seat) -> tuple[str, ...]:
    """Why it is not a player's chance: there is none without a unit. UPR-COMBAT-003

    Anybody may ask, a seat that there is not too.
    """
    sits_out = seat in range(len(state.players)) and not takes_part(state, seat)
    return TAKES_PART if sits_out else CHANCES


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
        return (Event("passes", PASS, frame.seat),)
    return (Event("sits_out", TAKES_PART, frame.seat),)


COMBAT_INTRIGUES = FrameRules(
    asks=_asks_intrigue,
    apply=_intrigue_chance,
    legal=_legal_intrigue,
    options=_intrigue_options,
    turn_rules=_who_may_play,
)
