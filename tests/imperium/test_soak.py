"""Random games to their end: every position on the way is a possible one."""

from __future__ import annotations

import random

import pytest

from rules_engine.imperium.frames import AllianceTie
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.invariants import INVARIANTS
from rules_engine.imperium.state import State, Won
from rules_engine.kernel.decks import Known, shuffled
from rules_engine.kernel.fingerprint import fingerprint
from rules_engine.kernel.outcomes import Step
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings
from rules_engine.rulebook.rulings import chosen, rulings
from tests.imperium.positions import after, at, bare, dealt, giving, random_game, tracked

SEEDS = range(14)


def broken(state: State) -> list[str]:
    """Everything about a position that cannot be."""
    return [what for invariant in INVARIANTS for what in invariant.broken(state)]


def played(players: int, seed: int, rulings: Rulings) -> tuple[list[object], State]:
    """The inputs of a whole random game and its end, with every position looked at."""
    inputs: list[object] = []
    last: Step[State] | None = None
    for given, last in random_game(players, seed, rulings):
        inputs.append(given)
        assert broken(last.state) == [], (seed, len(inputs), given)
    assert last is not None
    return inputs, last.state


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


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_game_comes_to_a_winner(seed: int, players: int) -> None:
    inputs, end = played(players, seed, Rulings())
    assert end.winners
    assert end.pending == ()
    assert len(inputs) > 100
    best = max(each.victory_points for each in end.players)
    assert all(end.players[seat].victory_points == best for seat in end.winners)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_game_comes_to_a_winner_under_any_rulings(seed: int) -> None:
    pick = random.Random(seed)
    others = {name: pick.choice(each.values) for name, each in rulings().items()}
    _, end = played(3 + seed % 2, seed, chosen(others))
    assert end.winners


def test_a_game_played_again_ends_in_the_same_position() -> None:
    inputs, end = played(4, 99, Rulings())
    assert fingerprint(after(dealt(4), *inputs)) == fingerprint(end)


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
