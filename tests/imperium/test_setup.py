"""What setup leaves: the pieces of each player count, and who begins."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from rules_engine.catalogue.load import catalogue
from rules_engine.imperium.frames import FillContracts, IntriguePlayed
from rules_engine.imperium.setup import new_game, starting_points, starting_state
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import Known, Pool, size
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.game import Answer
from rules_engine.kernel.rulings import Rulings
from tests.imperium.positions import NAMES, after, bare, dealt, handled, refused

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


# Modules, promo cards and Leaders


def starting(**options: Any) -> State:
    """A game of three before anything is dealt."""
    return starting_state("uprising", NAMES[:3], Rulings(), **options)


@pytest.mark.parametrize(("choam", "imperium", "intrigue"), [(False, 65, 40), (True, 69, 44)])
def test_the_module_adds_four_cards_to_each_deck(choam: bool, imperium: int, intrigue: int) -> None:
    state = starting(choam=choam)
    assert (size(state.imperium_deck), size(state.intrigue_deck)) == (imperium, intrigue)
    assert size(state.contract_deck) == (20 if choam else 0)


def test_promo_cards_are_used_only_if_told() -> None:
    promos = {card.id: card.copies for card in catalogue("uprising").cards.values() if card.promo}
    assert promos
    assert not set(promos) & set(copies_in(starting().imperium_deck))
    assert size(starting(promos=True).imperium_deck) == 65 + sum(promos.values())


def test_two_contracts_are_turned_up() -> None:
    state = new_game("uprising", NAMES[:3], Rulings(), choam=True)
    state = after(state, Answer(FIRST), *map(Answer, OTHERS))
    deck = list(copies_in(state.imperium_deck))
    state = after(state, *map(Answer, deck[:5]))
    assert isinstance(state.pending[-1], FillContracts)
    up = ("contract_arrakeen_water", "contract_immediate")
    state = after(state, *map(Answer, up))
    assert state.contract_row == up
    assert size(state.contract_deck) == 18


def test_the_conflict_deck_has_ten_cards_of_three_levels() -> None:
    deck = bare(4).conflict_deck
    levels = {card.id: card.level for card in catalogue("uprising").conflicts.values()}
    assert [part.count for part in deck if isinstance(part, Pool)] == [1, 5, 4]
    assert [{levels[card] for card in copies_in((part,))} for part in deck] == [{1}, {2}, {3}]
    assert [len(copies_in((part,))) for part in deck] == [3, 9, 4]


def test_everyone_has_the_chosen_leader() -> None:
    leaders = ("feyd_rautha_harkonnen", "lady_jessica", "staban_tuek")
    state = starting(leaders=leaders)
    assert tuple(each.leader for each in state.players) == leaders
    assert [each.training for each in state.players] == ["start", None, None]
    assert [size(each.deck) for each in state.players] == [10, 10, 9]


def test_a_position_may_name_some_leaders_only() -> None:
    state = starting(leaders=("muad_dib", None, None))
    assert [each.leader for each in state.players] == ["muad_dib", None, None]


@pytest.mark.parametrize("count", [0, 1, 2, 5, 6])
def test_other_numbers_of_players_are_refused(count: int) -> None:
    with pytest.raises(TruthsayerError) as error:
        new_game("uprising", tuple("ABCDEF"[:count]), Rulings())
    assert error.value.code == "TS0204"
    assert "Rivals" in error.value.help
    assert "six-player" in error.value.help


@pytest.mark.parametrize(
    "leaders",
    [
        ("muad_dib", "gurney_halleck"),
        ("muad_dib", "gurney_halleck", "leto"),
        ("muad_dib", "gurney_halleck", "muad_dib"),
        ("muad_dib", "gurney_halleck", "reverend_mother_jessica"),
        ("muad_dib", "gurney_halleck", "shaddam_corrino_iv"),
    ],
    ids=["too few", "unknown", "twice", "a back", "without the module"],
)
def test_leaders_that_cannot_be_are_refused(leaders: tuple[str, ...]) -> None:
    with pytest.raises(TruthsayerError) as error:
        starting(leaders=leaders)
    assert error.value.code == "TS0205"
    assert error.value.help
    assert "shaddam_corrino_iv" not in error.value.help


def test_the_modules_leader_needs_the_module() -> None:
    leaders = ("muad_dib", "gurney_halleck", "shaddam_corrino_iv")
    state = starting(choam=True, leaders=leaders)
    assert len(state.leader_contracts) == 2
    assert size(state.contract_deck) == 18


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
        found.update(each.hand + each.discard + each.in_play + each.set_aside)
        found.update(copies_in(each.deck))
    return +found


def all_intrigues(state: State) -> Counter[str]:
    """The copies of each Intrigue card, wherever it is, the ones being played included."""
    found = copies_in(state.intrigue_deck)
    found.update(state.intrigue_discard + state.trashed_intrigues)
    for each in state.players:
        found.update(each.intrigues + each.standing)
    found.update(frame.card for frame in state.pending if isinstance(frame, IntriguePlayed))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_no_card_appears_or_vanishes_in_a_game(seed: int) -> None:
    start = dealt(3)
    for state in handled(3, seed):
        assert all_copies(state) == all_copies(start)
        assert all_intrigues(state) == all_intrigues(start)
