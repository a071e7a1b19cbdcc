"""What setup leaves: the pieces of each player count, and who begins."""

from __future__ import annotations

from collections import Counter

import pytest

from rules_engine.catalogue.load import catalogue
from rules_engine.imperium.frames import IntriguePlayed
from rules_engine.imperium.setup import starting_points
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import Known, Pool
from rules_engine.kernel.game import Answer
from tests.imperium.positions import after, bare, dealt, handled, refused

FIRST = "objective_desert_mouse_first_player"
OTHERS = ("objective_crysknife", "objective_ornithopter_1_3p")


@pytest.mark.parametrize("seat", range(3))
def test_whoever_is_dealt_the_marked_objective_begins(seat: int) -> None:
    order = [*OTHERS[:seat], FIRST, *OTHERS[seat:]]
    state = after(dealt(3), *map(Answer, order))
    assert state.first_player == seat
    assert [[won.card for won in each.won] for each in state.players] == [[card] for card in order]
    assert state.objectives == ()


def test_an_objective_is_dealt_once() -> None:
    assert "UPR-ROUND-003" in refused(after(dealt(3), Answer(FIRST)), Answer(FIRST)).rules


@pytest.mark.parametrize("players", [3, 4])
def test_there_is_an_objective_for_each_player_and_no_other(players: int) -> None:
    faces = catalogue("uprising").objectives
    assert len(bare(players).objectives) == players
    assert all(players in faces[card].players for card in bare(players).objectives)


@pytest.mark.parametrize(("players", "points"), [(1, 0), (2, 0), (3, 0), (4, 1), (6, 1)])
def test_the_score_marker_starts_on_one_with_four_or_six(players: int, points: int) -> None:
    assert starting_points(players) == points


@pytest.mark.parametrize("players", [3, 4])
def test_what_a_player_starts_with(players: int) -> None:
    for each in bare(players).players:
        assert (each.solari, each.spice, each.water) == (0, 0, 1)
        assert (each.supply, each.garrison, each.troops) == (9, 3, 0)
        assert (each.agents, each.spies, each.maker_hooks) == (2, 3, False)
        assert sum(copies_in(each.deck).values()) == 10
    assert {stack.card: stack.left for stack in bare(players).reserve} == {
        "prepare_the_way": 8,
        "the_spice_must_flow": 10,
    }


# Nothing is lost in a whole game


def copies_in(deck: tuple[Known | Pool, ...]) -> Counter[str]:
    """The copies of each face in a deck."""
    found: Counter[str] = Counter()
    for part in deck:
        found.update((part.card,) if isinstance(part, Known) else part.cards)
    return found


def all_copies(state: State) -> Counter[str]:
    """The copies of each card, wherever it is."""
    found = Counter({stack.card: stack.left for stack in state.reserve})
    found.update(state.row + state.trashed)
    found.update(copies_in(state.imperium_deck))
    for each in state.players:
        found.update(each.hand + each.discard + each.in_play)
        found.update(copies_in(each.deck))
    return +found


def all_intrigues(state: State) -> Counter[str]:
    """The copies of each Intrigue card, wherever it is, the ones being played included."""
    found = copies_in(state.intrigue_deck)
    found.update(state.intrigue_discard)
    for each in state.players:
        found.update(each.intrigues)
    found.update(frame.card for frame in state.pending if isinstance(frame, IntriguePlayed))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_no_card_appears_or_vanishes_in_a_game(seed: int) -> None:
    start = dealt(3)
    for state in handled(3, seed):
        assert all_copies(state) == all_copies(start)
        assert all_intrigues(state) == all_intrigues(start)
