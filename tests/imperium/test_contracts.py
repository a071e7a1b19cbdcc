"""CHOAM contracts: taking, refilling, completing, and counting them."""

from __future__ import annotations

import pytest

from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.actions import (
    Acquire,
    Decline,
    EndTurn,
    PlayAgent,
    RecallAgent,
    Resolve,
    TakeContract,
)
from rules_engine.imperium.agents import move_agent_to
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.invariants import INVARIANTS
from rules_engine.imperium.state import State, player
from rules_engine.kernel.decks import shuffled, size, top_copies, zone
from rules_engine.kernel.game import Answer, actions
from rules_engine.kernel.laws import check_laws
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import rules
from tests.imperium.positions import (
    after,
    at,
    bare,
    following,
    giving,
    holding,
    in_turn,
    led_by,
    owner,
    refused,
    run,
    to_move,
)

KNOWN = frozenset(rule.id for rule in rules())
SHADDAM, GURNEY, AMBER = "shaddam_corrino_iv", "gurney_halleck", "lady_amber_metulli"
SARDAUKAR = ("contract_sardaukar_cards", "contract_sardaukar_recall")
UP = ("contract_arrakeen_water", "contract_immediate")
NEXT = "contract_deliver_supplies"
SPICE = "the_spice_must_flow"


def without(state: State, *contracts: str) -> State:
    """The position without some contracts in the bank."""
    left = top_copies(state.contract_deck)
    left.subtract(contracts)
    assert min(left.values()) >= 0
    return change(state, contract_deck=shuffled(left.elements()))


def market(*up: str, leader: str = GURNEY) -> State:
    """A game with the module and these contracts face up."""
    others = [each for each in (GURNEY, AMBER, "muad_dib") if each != leader][:2]
    state = led_by(leader, *others, choam=True)
    return change(without(state, *up), contract_row=zone(up))


def owning(state: State, *contracts: str) -> State:
    """The position with contracts held by the first player."""
    return giving(without(state, *contracts), 0, contracts=zone(contracts))


def exhausted(state: State) -> State:
    """The position after all contracts but those set aside were taken and completed."""
    taken = zone((*top_copies(state.contract_deck).elements(), *state.contract_row))
    return giving(change(state, contract_deck=(), contract_row=()), 1, completed=taken)


def taking(state: State, seat: int = 0) -> State:
    """The position in which a player is told to take a contract."""
    turn = at(in_turn(state, seat, space="accept_contract"), frames.AgentTurn(seat, ()))
    return run(turn, seat, tree.TakeContract())


def visiting(state: State, space: str, card: str = "signet_ring", **fields: object) -> State:
    """The position after the first player sent an Agent to a space."""
    state = to_move(giving(holding(state, 0, card), 0, leader=None, **fields))
    return after(state, PlayAgent(0, card, space))


def due_in(state: State) -> list[tree.Effect]:
    """The effects of the Agent turn in progress."""
    (frame,) = (each for each in state.pending if isinstance(each, frames.AgentTurn))
    return [item.effect for item in frame.items]


def completing(state: State, contract: str) -> State:
    """The position after a contract of the turn was picked to be completed."""
    (index, *_) = (
        index
        for index, effect in enumerate(due_in(state))
        if tree.CompleteContract(contract) in tree.walk(effect)
    )
    return after(state, Resolve(0, index))


def broken(state: State) -> list[str]:
    return [text for invariant in INVARIANTS for text in invariant.broken(state)]


# Taking


def test_without_the_module_the_icon_is_two_solari() -> None:
    state = taking(bare())
    assert owner(state).solari == 2
    assert isinstance(state.pending[-1], frames.AgentTurn)


def test_one_of_the_face_up_contracts_is_taken_and_replaced() -> None:
    state = taking(market(*UP))
    assert set(actions(IMPERIUM, state)) == {TakeContract(0, each) for each in UP}
    assert "UPR-CHOAM-007" in refused(state, TakeContract(0, NEXT)).rules
    assert "UPR-CHOAM-007" in refused(state, Decline(0)).rules
    taken = after(state, TakeContract(0, UP[0]), Answer(NEXT))
    assert owner(taken).contracts == (UP[0],)
    assert taken.contract_row == zone((NEXT, UP[1]))
    assert owner(taken).solari == 0
    assert broken(taken) == []


def test_taking_may_be_left_if_so_ruled() -> None:
    state = taking(following(market(*UP), contract_taking="optional"))
    left = after(state, Decline(0))
    assert (owner(left).contracts, owner(left).solari) == ((), 0)


def test_when_all_are_taken_the_icon_is_two_solari_again() -> None:
    assert owner(taking(exhausted(market(*UP)))).solari == 2


def test_an_empty_bank_leaves_the_market_smaller() -> None:
    state = market(*UP)
    rest = zone(top_copies(state.contract_deck).elements())
    state = taking(giving(change(state, contract_deck=()), 1, completed=rest))
    taken = after(state, TakeContract(0, UP[0]))
    assert taken.contract_row == (UP[1],)
    assert broken(taken) == []


# Contracts set aside for a Leader


def test_the_leader_takes_a_set_aside_one_instead_without_a_refill() -> None:
    state = taking(market(*UP, leader=SHADDAM))
    assert {each.contract for each in actions(IMPERIUM, state)} == {*UP, *SARDAUKAR}
    taken = after(state, TakeContract(0, SARDAUKAR[0]))
    assert owner(taken).contracts == (SARDAUKAR[0],)
    assert (taken.contract_row, taken.leader_contracts) == (UP, (SARDAUKAR[1],))
    assert isinstance(taken.pending[-1], frames.AgentTurn)
    assert broken(taken) == []


def test_nobody_else_takes_a_set_aside_one() -> None:
    state = taking(market(*UP, leader=SHADDAM), seat=1)
    assert {each.contract for each in actions(IMPERIUM, state)} == set(UP)
    assert "UPR-CHOAM-007" in refused(state, TakeContract(1, SARDAUKAR[0])).rules


@pytest.mark.parametrize(
    ("ruling", "offered", "solari"),
    [
        ("set_aside", {TakeContract(0, each) for each in SARDAUKAR}, 0),
        ("two_solari", set(), 2),
        ("choice", {Decline(0), *(TakeContract(0, each) for each in SARDAUKAR)}, 0),
    ],
)
def test_the_leader_at_an_empty_market(ruling: str, offered: set[object], solari: int) -> None:
    state = exhausted(market(*UP, leader=SHADDAM))
    state = taking(following(state, shaddam_exhausted_market=ruling))
    assert owner(state).solari == solari
    if offered:
        assert set(actions(IMPERIUM, state)) == offered
    if ruling == "choice":
        assert owner(after(state, Decline(0))).solari == 2
    other = exhausted(market(*UP, leader=SHADDAM))
    assert owner(taking(following(other, shaddam_exhausted_market=ruling), 1), 1).solari == 2


# Completing by a visit


def test_a_visit_completes_a_contract_that_was_held() -> None:
    state = visiting(owning(market(*UP), "contract_arrakeen_troop_spy"), "arrakeen")
    assert tree.CompleteContract("contract_arrakeen_troop_spy") in due_in(state)
    assert owner(state).completed == ()
    done = completing(state, "contract_arrakeen_troop_spy")
    assert owner(done).completed == ("contract_arrakeen_troop_spy",)
    assert owner(done).contracts == ()
    assert isinstance(done.pending[-1], frames.Effects)


def test_all_contracts_for_the_space_are_completed_and_have_to_be() -> None:
    both = ("contract_research_station_solari", "contract_research_station_spy")
    state = visiting(owning(market(*UP), *both), "research_station", water=2)
    assert [tree.CompleteContract(each) in due_in(state) for each in both] == [True, True]
    assert EndTurn(0) not in actions(IMPERIUM, state)
    assert owner(completing(state, both[0])).solari == 3


def test_a_contract_for_another_space_stays() -> None:
    state = visiting(owning(market(*UP), "contract_deliver_supplies"), "arrakeen")
    assert tree.CompleteContract("contract_deliver_supplies") not in due_in(state)


def test_a_contract_taken_after_sending_waits_for_a_later_turn() -> None:
    state = visiting(market(*UP), "arrakeen")
    taken = after(run(state, 0, tree.TakeContract()), TakeContract(0, UP[0]), Answer(NEXT))
    assert owner(taken).contracts == (UP[0],)
    assert tree.CompleteContract(UP[0]) not in due_in(taken)


def test_a_reward_that_recalls_an_agent_fizzles_without_another() -> None:
    held = giving(market(*UP, leader=SHADDAM), 0, contracts=(SARDAUKAR[1],))
    held = change(held, leader_contracts=(SARDAUKAR[0],))
    alone = completing(visiting(held, "sardaukar", "seek_allies", spice=4), SARDAUKAR[1])
    assert owner(alone).completed == (SARDAUKAR[1],)
    assert isinstance(alone.pending[-1], frames.AgentTurn)
    with_other = move_agent_to(held, 0, "fremkit")
    asked = completing(visiting(with_other, "sardaukar", "seek_allies", spice=4), SARDAUKAR[1])
    assert owner(after(asked, RecallAgent(0, "fremkit"))).agents == 1


def test_a_high_council_contract_is_completed_by_any_visit() -> None:
    state = owning(market(*UP), "contract_high_council_solari")
    state = visiting(state, "high_council", solari=5, high_council=True)
    assert tree.CompleteContract("contract_high_council_solari") in due_in(state)


# Harvest


def harvesting(spice: int, space: str = "imperial_basin", **rulings: str) -> State:
    """A visit with two Harvest contracts of three, after so much spice was gained."""
    held = ("contract_harvest_3", "contract_harvest_3", "contract_harvest_4")
    state = visiting(following(owning(market(*UP), *held), **rulings), space)
    assert state.turn is not None
    return change(state, turn=change(state.turn, spice=spice))


def can_complete(state: State, contract: str) -> int:
    """How many items can complete a contract now."""
    return sum(
        1
        for each in actions(IMPERIUM, state)
        if isinstance(each, Resolve)
        and tree.CompleteContract(contract) in tree.walk(due_in(state)[each.index])
    )


@pytest.mark.parametrize(("spice", "three", "four"), [(2, 0, 0), (3, 2, 0), (4, 2, 1), (5, 2, 1)])
def test_a_harvest_counts_all_spice_gained_in_the_turn(spice: int, three: int, four: int) -> None:
    state = harvesting(spice)
    assert can_complete(state, "contract_harvest_3") == three
    assert can_complete(state, "contract_harvest_4") == four


@pytest.mark.parametrize(("spice", "three", "four"), [(3, 2, 0), (4, 0, 1), (5, 0, 0)])
def test_a_harvest_of_just_the_amount_if_so_ruled(spice: int, three: int, four: int) -> None:
    state = harvesting(spice, harvest_amount="exactly")
    assert can_complete(state, "contract_harvest_3") == three
    assert can_complete(state, "contract_harvest_4") == four


def test_a_harvest_needs_a_maker_space() -> None:
    assert can_complete(harvesting(9, "arrakeen"), "contract_harvest_3") == 0


def test_a_harvest_is_tested_when_it_is_completed_under_every_ruling() -> None:
    state = harvesting(3, condition_check_time="at_start")
    assert can_complete(state, "contract_harvest_3") == 2


# Taking and acquiring


def test_the_immediate_contract_is_completed_when_taken() -> None:
    taken = after(taking(market(*UP)), TakeContract(0, "contract_immediate"), Answer(NEXT))
    assert owner(taken).completed == ("contract_immediate",)
    assert owner(taken).solari == 2


def buying(**fields: object) -> State:
    """A Reveal turn in which The Spice Must Flow can be bought, with its contract held."""
    state = owning(market(*UP), "contract_acquire_tsmf")
    state = giving(in_turn(state, 0, kind="reveal"), 0, persuasion=9, **fields)
    deck = top_copies(state.imperium_deck)
    row = tuple(sorted(deck))[:5]
    deck.subtract(row)
    state = change(state, row=zone(row), imperium_deck=shuffled(deck.elements()))
    return at(state, frames.RevealTurn(0, ()))


def test_acquiring_completes_its_contract_after_the_cards_own_point() -> None:
    bought = after(buying(), Acquire(0, SPICE))
    assert owner(bought).victory_points == owner(buying()).victory_points + 1
    assert owner(bought).completed == ("contract_acquire_tsmf",)
    assert isinstance(bought.pending[-1], frames.Effects)


def test_another_card_completes_nothing() -> None:
    bought = after(buying(), Acquire(0, "prepare_the_way"))
    assert owner(bought).contracts == ("contract_acquire_tsmf",)


# Counting them


@pytest.mark.parametrize(("ruling", "persuasion"), [("once", 1), ("grows", 2)])
def test_whether_a_count_grows_with_later_contracts(ruling: str, persuasion: int) -> None:
    counts = tree.Per(tree.Number("completed_contracts"), tree.Gain(1, "persuasion"))
    state = owning(market(*UP), "contract_deliver_supplies")
    state = without(state, "contract_espionage")
    state = giving(state, 0, completed=("contract_espionage",), in_play=("interstellar_trade",))
    state = following(in_turn(state, 0, kind="reveal"), interstellar_trade_count=ruling)
    state = run(at(state, frames.RevealTurn(0, ())), 0, counts, "interstellar_trade")
    assert owner(state).persuasion == 1
    later = run(state, 0, tree.CompleteContract("contract_deliver_supplies"))
    assert owner(later).persuasion == persuasion


def test_a_contract_completed_before_the_count_is_counted_once() -> None:
    counts = tree.Per(tree.Number("completed_contracts"), tree.Gain(1, "persuasion"))
    state = owning(market(*UP), "contract_deliver_supplies")
    state = following(in_turn(state, 0, kind="reveal"), interstellar_trade_count="grows")
    state = at(state, frames.RevealTurn(0, ()))
    state = run(state, 0, tree.CompleteContract("contract_deliver_supplies"))
    assert owner(run(state, 0, counts, "interstellar_trade")).persuasion == 1


# Every contract is somewhere


def test_a_contract_in_two_places_is_found() -> None:
    twice = giving(market(*UP), 0, contracts=("contract_immediate",))
    (two,) = broken(twice)
    assert two.startswith("there are 2 of the contract")
    assert broken(giving(bare(), 0, contracts=("contract_immediate",)))


def test_contracts_keep_every_law() -> None:
    states = [
        taking(market(*UP)),
        taking(market(*UP, leader=SHADDAM)),
        taking(following(market(*UP), contract_taking="optional")),
        after(taking(market(*UP)), TakeContract(0, UP[0])),
        harvesting(3),
    ]
    assert check_laws(IMPERIUM, states, KNOWN.__contains__) == []


def test_a_game_with_the_module_starts_with_all_contracts() -> None:
    state = led_by(SHADDAM, GURNEY, AMBER, choam=True)
    assert size(state.contract_deck) == 18
    assert state.leader_contracts == SARDAUKAR
    assert size(led_by(GURNEY, AMBER, "muad_dib", choam=True).contract_deck) == 20
    assert player(state, 0).contracts == ()
