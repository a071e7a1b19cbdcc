"""A small game of its own on the kernel: dice, a map, a vote by everyone, and a trade of two sides.

Caravans roll a die and travel that far at most, trade with whoever they meet, and after each round
all vote, in any order and in secret, whether a storm comes. Nothing of it is in the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Annotated

from rules_engine.kernel.game import (
    CHANCE,
    Action,
    Amount,
    Answer,
    Asks,
    Frame,
    FrameRules,
    Game,
    Invariant,
    asks,
    by_itself,
    push,
)
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import Record, change
from rules_engine.kernel.views import Seen

ROADS = {
    "well": ("dune", "rock"),
    "dune": ("well", "rock", "cave"),
    "rock": ("well", "dune"),
    "cave": ("dune",),
}
RULES = ("TOY-ROLL", "TOY-ROAD", "TOY-TRADE", "TOY-VOTE", "TOY-ROUND")
ROLL, ROAD, TRADE, VOTE, ROUND = ((rule,) for rule in RULES)
FACES = tuple(str(pips) for pips in range(1, 7))
ROUNDS = 3


class Caravan(Record):
    """A player: where the caravan is and what it carries."""

    seat: Seat
    place: str
    water: Quantity
    spice: Quantity


class Ballot(Record):
    """A vote; what it says is secret until all are in."""

    seat: Seat
    choice: Annotated[tuple[str, ...], Seen.OWNER]


# What is pending


class Round(Frame, tag="round"):
    """Everyone travels, then all vote."""


class Roll(Frame, tag="roll"):
    """Chance: how far a caravan gets."""

    seat: Seat


class Travel(Frame, tag="travel"):
    """A player picks where to go."""

    seat: Seat
    pips: int


class Market(Frame, tag="market"):
    """A player may offer a trade to somebody at the same place."""

    seat: Seat


class Considering(Frame, tag="considering"):
    """The other side says yes or no."""

    seat: Seat
    to: Seat
    water: Quantity


class Poll(Frame, tag="poll"):
    """All players vote, in any order."""

    ballots: tuple[Ballot, ...] = ()


AnyFrame = Round | Roll | Travel | Market | Considering | Poll


# What players do


class GoTo(Action, tag="go_to"):
    """Travel to a place."""

    place: str


class Haggle(Action, tag="haggle"):
    """Offer so much water to the next player at the same place, for one spice."""

    water: Quantity


class Agree(Action, tag="agree"):
    """Accept the offer."""


class Leave(Action, tag="leave"):
    """Do without."""


class Vote(Action, tag="vote"):
    """Vote for or against the storm."""

    choice: str


AnyInput = GoTo | Haggle | Agree | Leave | Vote | Answer


class State(Record):
    """The position."""

    players: tuple[Caravan, ...]
    round: int
    pending: tuple[AnyFrame, ...]


def start(players: int = 3) -> State:
    """Everybody at the well."""
    caravans = tuple(Caravan(seat, "well", 3, 2) for seat in range(players))
    return State(caravans, 0, (Round(),))


def _with(state: State, caravan: Caravan) -> State:
    seat = caravan.seat
    return change(state, players=(*state.players[:seat], caravan, *state.players[seat + 1 :]))


# The round


def _round(state: State, _: Round, __: object) -> Step[State]:
    if state.round == ROUNDS:
        return Step(state, (Event("over", ROUND),))
    state = push(change(state, round=state.round + 1), Round(), Poll())
    travels = [Roll(caravan.seat) for caravan in reversed(state.players)]
    return Step(push(state, *travels), (Event("round", ROUND),))


# The die


def _legal_roll(_: State, __: Roll, answer: Answer) -> Refusal | None:
    return None if answer.outcome in FACES else refusal([Reason("no_such_face", ROLL)])


def _rolled(state: State, frame: Roll, answer: Answer) -> Step[State]:
    state = push(state, Market(frame.seat), Travel(frame.seat, int(answer.outcome)))
    return Step(state, (Event("rolls", ROLL, frame.seat, {"pips": answer.outcome}),))


# The map


def distance(start: str, end: str) -> int:
    """How many roads lie between two places."""
    reached, steps = {start}, 0
    while end not in reached:
        reached |= {near for place in reached for near in ROADS[place]}
        steps += 1
    return steps


def within(start: str, steps: int) -> set[str]:
    """The places that so many roads lead to, walked one by one."""
    reached = {start}
    for _ in range(steps):
        reached |= {near for place in reached for near in ROADS[place]}
    return reached


def _legal_travel(state: State, frame: Travel, action: object) -> Refusal | None:
    if not isinstance(action, GoTo) or action.place not in ROADS:
        return refusal([Reason("pick_a_place", ROAD)])
    if distance(state.players[frame.seat].place, action.place) > frame.pips:
        return refusal([Reason("too_far", ROAD, {"place": action.place})])
    return None


def _travel_options(state: State, frame: Travel) -> Iterator[GoTo]:
    near = within(state.players[frame.seat].place, frame.pips)
    return (GoTo(frame.seat, place) for place in sorted(near))


def _travelled(state: State, frame: Travel, action: GoTo) -> Step[State]:
    state = _with(state, change(state.players[frame.seat], place=action.place))
    return Step(state, (Event("travels", ROAD, frame.seat, {"place": action.place}),))


# The trade


def _partner(state: State, seat: Seat) -> Seat | None:
    """The next player at the same place who has spice."""
    place = state.players[seat].place
    for step in range(1, len(state.players)):
        other = state.players[(seat + step) % len(state.players)]
        if other.place == place and other.spice >= 1:
            return other.seat
    return None


def _legal_market(state: State, _: Market, action: object) -> Refusal | None:
    match action:
        case Leave():
            return None
        case Haggle(seat, water):
            reasons = []
            if _partner(state, seat) is None:
                reasons.append(Reason("nobody_there", TRADE))
            if water < 1:
                reasons.append(Reason("offer_something", TRADE))
            if water > state.players[seat].water:
                reasons.append(Reason("not_enough_water", TRADE))
            return refusal(reasons)
        case _:
            return refusal([Reason("offer_or_leave", TRADE)])


def _market_options(state: State, frame: Market) -> Iterator[Amount | Leave]:
    if _partner(state, frame.seat) is not None:
        yield Amount(Haggle, frame.seat, 1, state.players[frame.seat].water)
    yield Leave(frame.seat)


def _offered(state: State, frame: Market, action: object) -> Step[State]:
    if not isinstance(action, Haggle):
        return Step(state)
    to = _partner(state, frame.seat)
    assert to is not None
    event = Event("offers", TRADE, frame.seat, {"to": to, "water": action.water})
    return Step(push(state, Considering(frame.seat, to, action.water)), (event,))


def _legal_considering(_: State, __: Considering, action: object) -> Refusal | None:
    allowed = isinstance(action, (Agree, Leave))
    return None if allowed else refusal([Reason("agree_or_leave", TRADE)])


def _considered(state: State, frame: Considering, action: object) -> Step[State]:
    """Both sides change at once, or neither."""
    if not isinstance(action, Agree):
        return Step(state, (Event("declines", TRADE, frame.to),))
    seller, buyer = state.players[frame.seat], state.players[frame.to]
    state = _with(state, change(seller, water=seller.water - frame.water, spice=seller.spice + 1))
    state = _with(state, change(buyer, water=buyer.water + frame.water, spice=buyer.spice - 1))
    return Step(state, (Event("trades", TRADE, frame.to),))


# The vote


def _voters(state: State, frame: Poll) -> Asks:
    voted = {ballot.seat for ballot in frame.ballots}
    return asks(*(each.seat for each in state.players if each.seat not in voted))


def _legal_vote(_: State, __: Poll, action: object) -> Refusal | None:
    if isinstance(action, Vote) and action.choice in ("yes", "no"):
        return None
    return refusal([Reason("vote_yes_or_no", VOTE)])


def _vote_options(state: State, frame: Poll) -> Iterator[Vote]:
    return (
        Vote(seat, choice) for seat, choice in product(_voters(state, frame).players, ("yes", "no"))
    )


def _voted(state: State, frame: Poll, action: Vote) -> Step[State]:
    ballot = Ballot(action.by, (action.choice,))
    ballots = tuple(sorted((*frame.ballots, ballot), key=lambda each: each.seat))
    voted = Event("votes", VOTE, action.by, {"choice": action.choice}, secret=("choice",))
    if len(ballots) < len(state.players):
        return Step(push(state, change(frame, ballots=ballots)), (voted,))
    for_it = sum(1 for each in ballots if each.choice == ("yes",))
    if 2 * for_it <= len(ballots):
        return Step(state, (voted, Event("calm", VOTE)))
    players = tuple(change(each, water=max(0, each.water - 1)) for each in state.players)
    return Step(change(state, players=players), (voted, Event("storm", VOTE)))


# The game


def _no_debts(state: State) -> Iterator[str]:
    for each in state.players:
        if each.water < 0 or each.spice < 0:
            yield f"player {each.seat} owes something"


def _spice_stays(state: State) -> Iterator[str]:
    total = sum(each.spice for each in state.players)
    if total != 2 * len(state.players):
        yield f"there are {total} spice"


def universe(state: State) -> Iterator[Action | Answer]:
    """Every input that can be written down."""
    for seat in range(len(state.players)):
        yield from (GoTo(seat, place) for place in (*ROADS, "sea"))
        yield from (Haggle(seat, water) for water in range(-1, 14))
        yield from (Vote(seat, choice) for choice in ("yes", "no", "perhaps"))
        yield from (Agree(seat), Leave(seat))
    yield from (Answer(face) for face in (*FACES, "0", "7"))


TOY = Game(
    name="toy",
    state_type=State,
    input_type=AnyInput,
    frames={
        Round: by_itself(_round, ROUND),
        Roll: FrameRules(
            asks=lambda _, __: CHANCE,
            apply=_rolled,
            legal=_legal_roll,
            options=lambda _, __: tuple(Answer(face) for face in FACES),
        ),
        Travel: FrameRules(
            asks=lambda _, frame: asks(frame.seat),
            apply=_travelled,
            legal=_legal_travel,
            options=_travel_options,
        ),
        Market: FrameRules(
            asks=lambda _, frame: asks(frame.seat),
            apply=_offered,
            legal=_legal_market,
            options=_market_options,
        ),
        Considering: FrameRules(
            asks=lambda _, frame: asks(frame.to),
            apply=_considered,
            legal=_legal_considering,
            options=lambda _, frame: (Agree(frame.to), Leave(frame.to)),
        ),
        Poll: FrameRules(
            asks=_voters,
            apply=_voted,
            legal=_legal_vote,
            options=_vote_options,
        ),
    },
    invariants=(
        Invariant("no_debts", TRADE, _no_debts),
        Invariant("spice_stays", TRADE, _spice_stays),
    ),
    universe=universe,
    turn_rules=ROUND,
)
