"""Decision 0001: a look at the top of a deck is a request whose answers become known cards.

The effect tried out is the Agent box of Long Live the Fighters, on a table of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import Annotated

import pytest

from rules_engine.kernel.decks import (
    Cards,
    Deck,
    Known,
    on_top,
    shuffled,
    size,
    top_faces,
    with_card,
    without_top,
)
from rules_engine.kernel.game import (
    CHANCE,
    NOBODY,
    Action,
    Answer,
    Asks,
    Frame,
    FrameRules,
    Game,
    asks,
    push,
    settle,
    step,
)
from rules_engine.kernel.laws import check_laws
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import Record, change
from rules_engine.kernel.views import Seen, view

LOOKED_AT = 3
RULE = ("LOOK",)
CARDS = ("dagger", "diplomacy", "seek_allies", "signet_ring")


class Owner(Record):
    """A player with a deck."""

    seat: Seat
    hand: Annotated[Cards, Seen.OWNER]
    deck: Annotated[Deck, Seen.DECK]
    discard: Cards


class Look(Frame, tag="look"):
    """Chance: the cards on top turn up one by one, for the looker only."""

    seat: Seat
    lifted: Annotated[Deck, Seen.DECK] = ()


class Split(Frame, tag="split"):
    """The looker draws one of the cards on top, discards one and trashes one."""

    seat: Seat


class Take(Action, tag="take"):
    """Which card goes where."""

    draw: str
    discard: str
    trash: str


class Table(Record):
    """The position."""

    players: tuple[Owner, ...]
    trashed: Cards
    pending: tuple[Look | Split, ...]


def _with(state: Table, owner: Owner) -> Table:
    players = tuple(owner if each.seat == owner.seat else each for each in state.players)
    return change(state, players=players)


def _asks_look(state: Table, frame: Look) -> Asks:
    enough = size(state.players[frame.seat].deck) + len(frame.lifted) >= LOOKED_AT
    return CHANCE if enough else NOBODY


def _legal_look(state: Table, frame: Look, answer: Answer) -> Refusal | None:
    possible = answer.outcome in top_faces(state.players[frame.seat].deck)
    return None if possible else refusal([Reason("not_in_deck", RULE)])


def _look_options(state: Table, frame: Look) -> tuple[Answer, ...]:
    return tuple(Answer(face) for face in top_faces(state.players[frame.seat].deck))


def _look(state: Table, frame: Look, answer: Answer | None) -> Step[Table]:
    """With fewer than three cards in the deck nothing happens, and nothing is shuffled for it."""
    if answer is None:
        return Step(state, (Event("too_few_cards", RULE, frame.seat),))
    owner = state.players[frame.seat]
    top = owner.deck[0]
    others = top.seen_by if isinstance(top, Known) else ()
    seen_by = tuple(sorted({*others, frame.seat}))
    lifted = (*frame.lifted, Known(answer.outcome, seen_by))
    state = _with(state, change(owner, deck=without_top(owner.deck, answer.outcome)))
    event = Event("looks", RULE, frame.seat, {"card": answer.outcome}, secret=("card",))
    if len(lifted) < LOOKED_AT:
        return Step(push(state, change(frame, lifted=lifted)), (event,))
    owner = state.players[frame.seat]
    state = _with(state, change(owner, deck=lifted + owner.deck))
    return Step(push(state, Split(frame.seat)), (event,))


def _on_top(state: Table, seat: Seat) -> tuple[str, ...]:
    parts = state.players[seat].deck[:LOOKED_AT]
    return tuple(part.card for part in parts if isinstance(part, Known))


def _legal_split(state: Table, frame: Split, action: object) -> Refusal | None:
    if isinstance(action, Take):
        taken = (action.draw, action.discard, action.trash)
        if sorted(taken) == sorted(_on_top(state, frame.seat)):
            return None
    return refusal([Reason("one_each_of_the_cards_seen", RULE)])


def _split(state: Table, frame: Split, action: Take) -> Step[Table]:
    owner = state.players[frame.seat]
    owner = change(
        owner,
        deck=owner.deck[LOOKED_AT:],
        hand=with_card(owner.hand, action.draw),
        discard=with_card(owner.discard, action.discard),
    )
    state = change(_with(state, owner), trashed=with_card(state.trashed, action.trash))
    facts = {"draw": action.draw, "discard": action.discard, "trash": action.trash}
    return Step(state, (Event("splits", RULE, frame.seat, facts, secret=("draw",)),))


def _universe(state: Table) -> Iterator[Action | Answer]:
    for seat, cards in product(range(len(state.players)), product(CARDS, repeat=LOOKED_AT)):
        yield Take(seat, *cards)
    yield from (Answer(card) for card in CARDS)


LOOKING = Game(
    name="looking",
    state_type=Table,
    input_type=Take | Answer,
    frames={
        Look: FrameRules(asks=_asks_look, apply=_look, legal=_legal_look, options=_look_options),
        Split: FrameRules(
            asks=lambda _, frame: asks(frame.seat),
            apply=_split,
            legal=_legal_split,
            options=lambda state, frame: tuple(
                Take(frame.seat, *cards)
                for cards in dict.fromkeys(permutations(_on_top(state, frame.seat)))
            ),
        ),
    },
    invariants=(),
    universe=_universe,
    turn_rules=RULE,
)


def table(deck: Deck, discard: Cards = ()) -> Table:
    """Two players; the first is about to look."""
    players = (Owner(0, (), deck, discard), Owner(1, ("dagger",), shuffled(CARDS), ()))
    return Table(players, (), (Look(0),))


def after(state: Table, *inputs: Action | Answer) -> list[Table]:
    """The position, and those after each input."""
    states = [state]
    for given in inputs:
        done = step(LOOKING, states[-1], given)
        assert isinstance(done, Step), done
        states.append(done.state)
    return states


LOOKS = [Answer("dagger"), Answer("diplomacy"), Answer("dagger")]
DECK = shuffled(["dagger", "dagger", "diplomacy", "seek_allies"])


def test_three_cards_turn_up_and_one_goes_to_each_place() -> None:
    *_, end = after(table(DECK), *LOOKS, Take(0, "dagger", "dagger", "diplomacy"))
    owner = end.players[0]
    assert (owner.hand, owner.discard, end.trashed) == (("dagger",), ("dagger",), ("diplomacy",))
    assert owner.deck == shuffled(["seek_allies"])


def test_only_the_looker_sees_the_cards_seen() -> None:
    seen = after(table(DECK), *LOOKS)[-1]
    assert view(seen, 0)["players"][0]["deck"] == ["dagger", "diplomacy", "dagger", None]
    assert view(seen, 1)["players"][0]["deck"] == [None, None, None, None]


def test_every_law_holds_while_looking() -> None:
    states = after(table(DECK), *LOOKS, Take(0, "dagger", "dagger", "diplomacy"))
    assert check_laws(LOOKING, states, RULE.__contains__) == []


def test_a_card_that_another_player_knows_stays_known_to_that_player() -> None:
    deck = on_top(shuffled(["dagger", "diplomacy"]), ["signet_ring"], seen_by=(1,))
    looks = (Answer("signet_ring"), Answer("dagger"), Answer("diplomacy"))
    seen = after(table(deck), *looks)[-1]
    assert seen.players[0].deck[0] == Known("signet_ring", (0, 1))
    assert view(seen, 1)["players"][0]["deck"] == ["signet_ring", None, None]


@pytest.mark.parametrize("cards", [[], ["dagger"], ["dagger", "diplomacy"]])
def test_with_fewer_than_three_cards_nothing_happens(cards: list[str]) -> None:
    state = table(shuffled(cards), discard=("seek_allies", "signet_ring"))
    done = settle(LOOKING, state)
    assert done.state == change(state, pending=())
    assert [event.key for event in done.events] == ["too_few_cards"]


def test_a_card_that_is_not_there_cannot_turn_up() -> None:
    once = after(table(DECK), Answer("diplomacy"))[-1]
    assert isinstance(step(LOOKING, once, Answer("diplomacy")), Refusal)
