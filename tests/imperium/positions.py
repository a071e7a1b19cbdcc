"""Positions of Uprising for tests: dealt by real setup steps, or reached by play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game, starting_state
from rules_engine.imperium.spies import move_spy
from rules_engine.imperium.state import Player, State, ThisTurn, Won, player, with_player
from rules_engine.kernel.chance import RandomPlay
from rules_engine.kernel.decks import Pool, shuffled, zone
from rules_engine.kernel.game import Frame, asked, handle, push, settle, step
from rules_engine.kernel.outcomes import Refusal, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings

NAMES = ("Ada", "Ben", "Cleo", "Dov")


NO_RULINGS = Rulings()
LEADERS = (
    "feyd_rautha_harkonnen",
    "shaddam_corrino_iv",
    "lady_jessica",
    "lady_margot_fenring",
)
"""Those who have more than an ability: a track, contracts, another side, a bonus at 2."""


def dealt(players: int, rulings: Rulings = NO_RULINGS) -> State:
    """A game about to be dealt."""
    return new_game("uprising", NAMES[:players], rulings)


def bare(players: int = 4) -> State:
    """A position in which nothing is dealt and nothing is pending."""
    return starting_state("uprising", NAMES[:players], NO_RULINGS)


def led_by(*leaders: str, choam: bool = False) -> State:
    """A position in which nothing is dealt, with these Leaders."""
    names = NAMES[: len(leaders)]
    return starting_state("uprising", names, NO_RULINGS, choam=choam, leaders=leaders)


def _whole_game(players: int) -> State:
    """A game with Leaders and contracts about to be dealt."""
    names, leaders = NAMES[:players], LEADERS[:players]
    return new_game("uprising", names, NO_RULINGS, choam=True, leaders=leaders)


def holding(state: State, seat: Seat, *cards: str) -> State:
    """The position with cards of a player's deck in hand instead."""
    owner = player(state, seat)
    (pool,) = owner.deck
    assert isinstance(pool, Pool)
    left = Counter(pool.cards) - Counter(cards)
    return giving(state, seat, hand=zone(cards), deck=shuffled(left.elements()))


def to_move(state: State, seat: Seat = 0) -> State:
    """The position at the beginning of a player's turn."""
    return at(in_turn(state, seat, kind="undecided"), frames.Turn(seat))


def in_turn(state: State, seat: Seat, kind: str = "agent", **turn: Any) -> State:
    """The position in the turn of a player."""
    return change(state, turn=ThisTurn(seat, kind=kind, **turn))


def following(state: State, **rulings: str) -> State:
    """The position in a game that follows these rulings."""
    followed = Rulings(tuple(sorted(rulings.items())))
    return change(state, config=change(state.config, rulings=followed))


def run(state: State, seat: Seat, effect: tree.Effect, source: str = "") -> State:
    """The position after an effect, up to the next question."""
    return settled(push(state, frames.Run(seat, frames.Item(effect, source))))


def settled(state: State) -> State:
    """The position at the next question."""
    asking: State = settle(IMPERIUM, state).state
    return asking


def giving(state: State, seat: Seat, **fields: Any) -> State:
    """The position with some fields of a player changed."""
    return with_player(state, change(player(state, seat), **fields))


def at(state: State, frame: Frame) -> State:
    """The position with something pending."""
    return push(state, frame)


def tracked(state: State, seat: Seat, faction: str, influence: int) -> State:
    """The position with a player's cube somewhere else on a track."""
    tracks = tuple(
        change(track, influence=influence) if track.faction == faction else track
        for track in player(state, seat).tracks
    )
    return giving(state, seat, tracks=tracks)


def done(state: State, given: Any) -> Step[State]:
    """What an allowed input leads to."""
    after = step(IMPERIUM, state, given)
    assert isinstance(after, Step), after
    return after


def after(state: State, *inputs: Any) -> State:
    """The position after some allowed inputs."""
    for given in inputs:
        state = done(state, given).state
    return state


def refused(state: State, given: Any) -> Refusal:
    """The refusal of an input that is not allowed."""
    answer = step(IMPERIUM, state, given)
    assert isinstance(answer, Refusal), answer
    return answer


def owner(state: State, seat: Seat = 0) -> Player:
    """A player's record."""
    return player(state, seat)


def handled(players: int, seed: int, whole: bool = False) -> Iterator[State]:
    """Every position of a random game, also those in which nobody is asked.

    `whole`: with Leaders and contracts.
    """
    state = _whole_game(players) if whole else dealt(players)
    inputs = RandomPlay(seed)
    while state.pending:
        yield state
        nobody = asked(IMPERIUM, state).nobody()
        moved = handle(IMPERIUM, state, None if nobody else inputs.pick(IMPERIUM, state))
        assert isinstance(moved, Step)
        state = moved.state
    yield state


def random_game(
    players: int, seed: int, rulings: Rulings = NO_RULINGS
) -> Iterator[tuple[Any, Step[State]]]:
    """Every input of a random game with what it led to."""
    state, inputs = dealt(players, rulings), RandomPlay(seed)
    while state.pending:
        given = inputs.pick(IMPERIUM, state)
        moved = done(state, given)
        yield given, moved
        state = moved.state


@cache
def reached(players: int, seeds: int = 6) -> dict[type[Frame], tuple[State, ...]]:
    """For each kind of frame that random play meets, the first and another position with it."""
    found: dict[type[Frame], list[State]] = {}
    for seed in range(seeds):
        for state in handled(players, seed, whole=seed % 2 == 1):
            if state.pending:
                kept = found.setdefault(type(state.pending[-1]), [])
                # One from the first game, one from a later one: they differ the most.
                if len(kept) < 1 or (len(kept) < 2 and seed > 1):
                    kept.append(state)
    return {kind: tuple(states) for kind, states in found.items()}


def spying(state: State, seat: Seat, *posts: str) -> State:
    """The position with Spies of a player on posts."""
    for post in posts:
        state = move_spy(state, seat, start=None, end=post)
    return state


def rare(players: int) -> list[State]:
    """Positions of frames that random play hardly ever meets."""
    state = bare(players)
    mine = spying(in_turn(state, 0, space="arrakeen"), 0, "post_refinery_arrakeen")
    spread = spying(state, 0, "post_spacing_guild", "post_fremen", "post_research_sietch")
    tied = tracked(tracked(tracked(state, 0, "fremen", 4), 1, "fremen", 5), 2, "fremen", 5)
    item = frames.Item(tree.RemoveShieldWall(), "sietch_tabr")
    return [
        at(state, frames.Defend(1)),
        at(giving(state, 1, supply=0, garrison=12), frames.Defend(1)),
        at(mine, frames.GatherIntelligence(0, "arrakeen")),
        at(state, frames.SpyPlacement(0)),
        at(spread, frames.SpyPlacement(0)),
        at(spying(state, 0, "post_spacing_guild"), frames.SpyPlacement(0, recalled=True)),
        at(tied, frames.AllianceTie(0, "fremen", (1, 2))),
        at(state, frames.Decide(2, item)),
        at(giving(state, 0, hand=("dagger",), in_play=("dagger",)), frames.PickTrash(0)),
        at(state, frames.PickTrash(0)),
        at(spread, frames.PickSpies(0, 2)),
        at(spread, frames.SpyPlacement(0, on=("fremen",))),
        at(mine, frames.SpyPlacement(1, on=("city",), sharing=True)),
        at(giving(state, 0, garrison=4, supply=8), frames.PickDeploy(0, 3)),
        at(giving(state, 0, troops=4, supply=5), frames.PickRetreat(0, 1, 2)),
        at(giving(state, 0, troops=4, supply=5), frames.PickRetreat(0, 0, 4)),
        at(_with_icons(state), frames.PickFlip(0, "crysknife")),
        at(_with_icons(state), frames.EndgameIntrigues(0)),
    ]


def _with_icons(state: State) -> State:
    won = (
        Won("battle_for_arrakeen", "crysknife"),
        Won("objective_desert_mouse_4_6p", "desert_mouse"),
        Won("propaganda", "wild"),
        Won("siege_of_arrakeen", "ornithopter", face_up=False),
    )
    return giving(state, 0, won=won)


def rare_cards(players: int) -> list[State]:
    """Positions of frames about cards that random play hardly ever meets."""
    state = in_turn(giving(bare(players), 0, deck=(), hand=("dagger", "diplomacy")), 0)
    seen = ("convincing_argument", "reconnaissance", "sardaukar_soldier")
    plans = ("contingency_plan", "contingency_plan", "cunning", "impress")
    held = giving(giving(state, 0, intrigues=("devour",)), 1, intrigues=plans)
    row = ("desert_survival", "maula_pistol", "truthtrance")
    market = change(giving(state, 0, set_aside=("maula_pistol",), solari=3), row=row)
    cheap = tree.AcquireCard(dearest=3, to="deck_top")
    pistols = giving(state, 0, in_play=("maula_pistol",))
    lost = (tree.Gain(1, "persuasion"), tree.Swords(1))
    return [
        at(state, frames.PickTrash(0, faction="emperor", zone="hand", source="dagger")),
        at(pistols, frames.PickTrash(0, zone="in_play", other=True, source="maula_pistol")),
        at(pistols, frames.PickCopy(0, "maula_pistol", lost, (0, 1))),
        at(state, frames.PickDiscard(0, 2, "dagger")),
        at(state, frames.PickDiscard(1, 1, "dagger")),
        at(held, frames.PickIntrigue(0, 1)),
        at(held, frames.PickIntrigue(1, 2, trash=True)),
        at(held, frames.Steal(0, 1)),
        at(market, frames.PickCard(0, cheap, "dagger")),
        at(market, frames.PickCard(0, tree.AcquireCard(with_solari=True, row=True), "dagger")),
        at(market, frames.PickPlace(0, "maula_pistol", "hand", bought=False)),
        at(market, frames.PickFromRow(1)),
        at(giving(state, 0, deck=shuffled(seen)), frames.LookAtTop(0, 2, ("signet_ring",))),
        at(state, frames.SortCards(0, seen, ("discard", "draw", "trash"))),
        at(state, frames.SortCards(0, seen[1:], ("draw", "trash"))),
    ]


def rare_boards(players: int) -> list[State]:
    """Positions of frames about Leaders and contracts that random play hardly ever meets."""
    state = led_by(*LEADERS[:players], choam=True)
    (bank,) = state.contract_deck
    assert isinstance(bank, Pool)
    up, left = bank.cards[:2], bank.cards[2:]
    market = change(state, contract_row=zone(up), contract_deck=shuffled(left))
    taken = giving(change(state, contract_deck=()), 2, completed=bank.cards)
    middle, fill = giving(state, 0, training="trash_b"), frames.FillContracts()
    return [
        at(state, fill),
        at(change(state, contract_row=up[:1], contract_deck=shuffled((*up[1:], *left))), fill),
        *(at(market, frames.PickContract(seat)) for seat in range(2)),
        at(following(market, contract_taking="optional"), frames.PickContract(0)),
        at(following(taken, shaddam_exhausted_market="choice"), frames.PickContract(1)),
        at(state, frames.PickTraining(0)),
        at(middle, frames.PickTraining(0)),
    ]


def by_frame(players: int) -> dict[type[Frame], list[State]]:
    """For every kind of frame some positions in which it is on top."""
    found = {kind: list(states) for kind, states in reached(players).items()}
    for state in (*rare(players), *rare_cards(players), *rare_boards(players)):
        found.setdefault(type(state.pending[-1]), []).append(state)
    return found
