"""Positions of the Uprising slice for tests: dealt by real setup steps, or reached by play."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game, starting_state
from rules_engine.imperium.spies import move_spy
from rules_engine.imperium.state import Player, State, ThisTurn, player, with_player
from rules_engine.kernel.chance import RandomPlay
from rules_engine.kernel.game import Frame, asked, handle, push, step
from rules_engine.kernel.outcomes import Refusal, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings

NAMES = ("Ada", "Ben", "Cleo", "Dov")


NO_RULINGS = Rulings()


def dealt(players: int, rulings: Rulings = NO_RULINGS) -> State:
    """A game about to be dealt."""
    return new_game("uprising", NAMES[:players], rulings)


def bare(players: int = 4) -> State:
    """A position in which nothing is dealt and nothing is pending."""
    return starting_state("uprising", NAMES[:players], NO_RULINGS)


def in_turn(state: State, seat: Seat, kind: str = "agent", **turn: Any) -> State:
    """The position in the turn of a player."""
    return change(state, turn=ThisTurn(seat, kind=kind, **turn))


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


def handled(players: int, seed: int) -> Iterator[State]:
    """Every position of a random game, also those in which nobody is asked."""
    state, inputs = dealt(players), RandomPlay(seed)
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
        for state in handled(players, seed):
            if state.pending:
                kept = found.setdefault(type(state.pending[-1]), [])
                # One from the first game, one from a later one: they differ the most.
                if len(kept) < 1 or (len(kept) < 2 and seed > 1):
                    kept.append(state)
    return {kind: tuple(states) for kind, states in found.items()}


def _spies_out(state: State, seat: Seat, *posts: str) -> State:
    for post in posts:
        state = move_spy(state, seat, start=None, end=post)
    return state


def rare(players: int) -> list[State]:
    """Positions of frames that random play of the slice hardly ever meets."""
    state = bare(players)
    mine = _spies_out(in_turn(state, 0, space="arrakeen"), 0, "post_refinery_arrakeen")
    spread = _spies_out(state, 0, "post_spacing_guild", "post_fremen", "post_research_sietch")
    tied = tracked(tracked(tracked(state, 0, "fremen", 4), 1, "fremen", 5), 2, "fremen", 5)
    item = frames.Item(tree.RemoveShieldWall(), "sietch_tabr")
    return [
        at(state, frames.Defend(1)),
        at(giving(state, 1, supply=0, garrison=12), frames.Defend(1)),
        at(mine, frames.GatherIntelligence(0, "arrakeen")),
        at(state, frames.SpyPlacement(0)),
        at(spread, frames.SpyPlacement(0)),
        at(_spies_out(state, 0, "post_spacing_guild"), frames.SpyPlacement(0, recalled=True)),
        at(tied, frames.AllianceTie(0, "fremen", (1, 2))),
        at(state, frames.Decide(2, item)),
        at(giving(state, 0, hand=("dagger",), in_play=("dagger",)), frames.PickTrash(0)),
        at(state, frames.PickTrash(0)),
    ]


def by_frame(players: int) -> dict[type[Frame], list[State]]:
    """For every kind of frame some positions in which it is on top."""
    found = {kind: list(states) for kind, states in reached(players).items()}
    for state in rare(players):
        found.setdefault(type(state.pending[-1]), []).append(state)
    return found
