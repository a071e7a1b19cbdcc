"""Random games to their end, by the function that `truthsayer soak` runs; what they check fails."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rules_engine.imperium.actions import PlayAgent, Reveal
from rules_engine.imperium.frames import AllianceTie, Turn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.invariants import INVARIANTS
from rules_engine.imperium.soak import Settings, plan
from rules_engine.imperium.state import State, Won, player
from rules_engine.kernel.decks import Known, shuffled
from rules_engine.kernel.fingerprint import encoded
from rules_engine.kernel.game import Action, Frame, actions, push
from rules_engine.kernel.outcomes import Reason, Refusal, Step
from rules_engine.kernel.records import change
from rules_engine.kernel.replay import read_log, replay
from rules_engine.kernel.soak import GAMES_TO_A_KIND, Plan, RarePlay, play, soak, together
from rules_engine.rulebook.rulings import chosen
from tests.imperium.positions import at, bare, done, giving, in_turn, random_game, tracked

CHUNK = 30
CHUNKS = range(8)
SETTINGS = Settings(seed=2026, every=5000)
SMALL = Settings(seed=7, every=100_000)


def broken(state: State) -> list[str]:
    """Everything about a position that cannot be."""
    return [what for invariant in INVARIANTS for what in invariant.broken(state)]


def allied(state: State, seat: int) -> State:
    """The position in which a player holds the Alliance with the Fremen."""
    alliances = tuple(
        change(each, holder=seat) if each.faction == "fremen" else each for each in state.alliances
    )
    return change(state, alliances=alliances)


def holding(face_up: bool, *icons: str | None) -> State:
    """A position in which a player has won cards with these icons."""
    return giving(bare(), 0, won=tuple(Won("a card", icon, face_up) for icon in icons))


def stacked(left: int) -> State:
    """A position with so many copies of The Spice Must Flow in the Reserve."""
    reserve = tuple(
        change(stack, left=left) if stack.card == "the_spice_must_flow" else stack
        for stack in bare().reserve
    )
    return change(bare(), reserve=reserve)


# Games


@pytest.mark.parametrize("chunk", CHUNKS)
def test_every_law_holds_in_random_games(chunk: int) -> None:
    numbers = range(chunk * CHUNK, (chunk + 1) * CHUNK)
    report = together(soak(plan, SETTINGS, numbers))
    assert report.failures == ()
    assert report.numbers == tuple(numbers)
    assert sum(report.seats.values()) >= CHUNK
    assert {"3 players", "4 players", "with CHOAM", "without CHOAM"} <= set(report.kinds)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_the_winner_has_the_most_points(seed: int, players: int) -> None:
    *_, (_, last) = random_game(players, seed)
    end = last.state
    best = max(each.victory_points for each in end.players)
    assert end.winners
    assert all(end.players[seat].victory_points == best for seat in end.winners)


def test_a_game_is_the_same_in_any_process_and_company() -> None:
    alone = play(small_plan(), 2)
    both = {report.numbers: report for report in soak(plan, SMALL, [1, 2], processes=2)}
    assert both[2,] == alone
    assert both[1,] != change(alone, numbers=(1,))


def test_another_seed_is_another_game() -> None:
    other = replace(small_plan(), seed=8)
    assert play(small_plan(), 2).cited != play(other, 2).cited


def test_choices_lean_towards_what_is_rare() -> None:
    def reveals(common: type[Action]) -> int:
        choices = RarePlay(1, 1, {})
        for given in actions(IMPERIUM, TURN):
            if isinstance(given, common):
                choices.remember(TURN, given, done(TURN, given))
        picked = [choices.pick(IMPERIUM, TURN) for _ in range(100)]
        return sum(each is not None and isinstance(each[0], Reveal) for each in picked)

    assert 0 < reveals(Reveal) < reveals(PlayAgent) < 100


TURN = at(in_turn(giving(bare(), 0, hand=("dagger", "diplomacy")), 0), Turn(0))


# Failures


@functools.cache
def small_plan() -> Plan:
    """The plan of a soak of the true rules."""
    return plan(SMALL)


def faulty(fault: Any, what: str = "apply", **changed: Any) -> Plan:
    """The plan of a soak in which a turn is treated differently."""
    kind: type[Frame] = Turn
    rules = replace(IMPERIUM.frames[kind], **{what: fault})
    game = replace(IMPERIUM, frames={**IMPERIUM.frames, kind: rules})
    return replace(small_plan(), game=game, **changed)


def recruits(state: State, frame: Turn, given: Any) -> Step[State]:
    """A turn that brings a troop from nowhere, when something is revealed."""
    taken: Step[State] = IMPERIUM.frames[Turn].apply(state, frame, given)
    more = player(taken.state, 0).garrison + isinstance(given, Reveal)
    return change(taken, state=giving(taken.state, 0, garrison=more))


def goes_on(state: State, frame: Turn, _: Any) -> Step[State]:
    """A turn that never ends."""
    return Step(push(state, frame))


def trips(*_: Any) -> Step[State]:
    """A turn that the engine cannot play."""
    raise KeyError("nothing")


FLIPS = itertools.count()
LOOKS_AT_TURN = sorted(kind.__name__ for kind in IMPERIUM.frames).index("Turn") * GAMES_TO_A_KIND
"""The game in which all laws are checked on the first position of this kind."""


def flips(state: State, frame: Turn, given: Any) -> Step[State]:
    """A turn that is another one each time."""
    taken: Step[State] = IMPERIUM.frames[Turn].apply(state, frame, given)
    return change(taken, state=change(taken.state, first_player=next(FLIPS) % 3))


@pytest.mark.parametrize(
    ("law", "number", "failing"),
    [
        ("invariants_hold", 5, lambda: faulty(recruits)),
        ("games_end", 5, lambda: faulty(goes_on, most_inputs=200)),
        ("the_engine_does_not_fail", 5, lambda: faulty(trips)),
        ("replays_are_the_same", 5, lambda: faulty(flips)),
        ("somebody_can_act", 5, lambda: faulty(lambda *_: (), what="options")),
        (
            "listed_inputs_are_taken",
            5,
            lambda: faulty(lambda *_: Refusal((Reason("no", ("UPR-ROUND-001",)),)), what="legal"),
        ),
        ("legal_and_options_agree", LOOKS_AT_TURN, lambda: faulty(lambda *_: (), what="options")),
    ],
)
def test_a_planted_fault_is_reported(law: str, number: int, failing: Callable[[], Plan]) -> None:
    (failure,) = play(failing(), number).failures
    assert (failure.law, failure.number) == (law, number)
    assert failure.log == ""


def test_a_game_that_fails_leaves_a_log_of_how_it_came_to_it(tmp_path: Path) -> None:
    failing = faulty(recruits, logs=tmp_path)
    first, again = (play(failing, 5).failures[0] for _ in range(2))
    assert [Path(each.log).name for each in (first, again)] == ["soak-7-5.log", "soak-7-5-2.log"]
    replayed = replay(failing.game, read_log(Path(first.log)))
    assert len(replayed.inputs) == first.inputs
    assert broken(replayed.state) != []
    assert first.given == encoded(replayed.inputs[-1]).decode()


# Invariants


@pytest.mark.parametrize(
    "fields",
    [
        {"garrison": 13},
        {"spice": -1},
        {"spies": 4},
        {"agents": 1},
        {"strength": 3},
        {"hand": ("dagger",) * 9},
    ],
    ids=str,
)
def test_an_impossible_position_is_reported(fields: dict[str, int]) -> None:
    assert broken(bare()) == []
    assert broken(giving(bare(), 0, **fields)) != []


ROW = ("truthtrance", "truthtrance", "maula_pistol", "maula_pistol", "strike_fleet")


@pytest.mark.parametrize(
    ("state", "what"),
    [
        (change(bare(), row=ROW), None),
        (change(bare(), row=(*ROW, "desert_survival")), "has 6 cards"),
        (tracked(bare(), 0, "fremen", 6), "too high not to hold"),
        (tracked(bare(), 0, "fremen", 7), "not between 0 and 6"),
        (tracked(bare(), 0, "fremen", -1), "not between 0 and 6"),
        (allied(tracked(bare(), 0, "fremen", 4), 0), None),
        (allied(tracked(bare(), 0, "fremen", 3), 0), "with less than 4"),
        (allied(tracked(tracked(bare(), 0, "fremen", 4), 1, "fremen", 4), 0), None),
        (allied(tracked(tracked(bare(), 0, "fremen", 4), 1, "fremen", 5), 0), "too high"),
        (holding(True, "crysknife"), None),
        (holding(True, "crysknife", "crysknife"), "two face-up cards"),
        (holding(False, "crysknife", "crysknife"), None),
        (holding(True, None, None), None),
        (stacked(9), "not just 10 copies"),
        (stacked(11), "not just 10 copies"),
        (giving(stacked(9), 2, hand=("the_spice_must_flow",)), None),
        (giving(stacked(9), 2, deck=shuffled(("the_spice_must_flow",))), None),
        (giving(stacked(9), 2, deck=(Known("the_spice_must_flow", ()),)), None),
        (change(stacked(9), trashed=("the_spice_must_flow",)), "not just 10 copies"),
        (giving(stacked(-1), 0, discard=("the_spice_must_flow",) * 11), "less than no copies"),
    ],
)
def test_what_is_wrong_is_said(state: State, what: str | None) -> None:
    found = broken(state)
    assert (found == []) is (what is None), found
    assert what is None or any(what in each for each in found)


def test_an_alliance_kept_by_a_ruling_is_no_mistake() -> None:
    rulings = chosen({"alliance_loss_below_4": "kept"})
    state = allied(tracked(bare(), 0, "fremen", 3), 0)
    kept = change(state, config=change(state.config, rulings=rulings))
    assert broken(state) != []
    assert broken(kept) == []


def test_a_token_that_two_players_wait_for_lies_aside() -> None:
    state = tracked(tracked(tracked(bare(), 0, "fremen", 4), 1, "fremen", 5), 2, "fremen", 5)
    assert broken(state) != []
    assert broken(at(state, AllianceTie(0, "fremen", (1, 2)))) == []


def test_the_game_has_the_invariants() -> None:
    assert IMPERIUM.invariants == INVARIANTS
