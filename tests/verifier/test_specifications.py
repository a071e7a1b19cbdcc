"""The specifications, held against the worked examples and the sentences of the rulebook."""

from collections.abc import Sequence

import pytest
import z3

from verifier.specifications import (
    acquiring,
    agents,
    alliance,
    combat_turns,
    contracts,
    control,
    endgame,
    influence,
    makers,
    ranking,
    rewards,
    shield_wall,
    spies,
    strength,
    units,
)

JOHN, ABBY, NED = 0, 1, 2
YES, NO = z3.BoolVal(True), z3.BoolVal(False)


def numbers(*values: int) -> list[z3.ArithRef]:
    return [z3.IntVal(value) for value in values]


def a(value: int) -> z3.ArithRef:
    return z3.IntVal(value)


def as_number(term: z3.ArithRef) -> int:
    simplified = z3.simplify(term)
    assert isinstance(simplified, z3.IntNumRef)
    return int(simplified.as_long())


def holds(term: z3.BoolRef) -> bool:
    return bool(z3.is_true(z3.simplify(term)))


def rewards_of(*strengths: int) -> list[int]:
    return [as_number(ranking.reward(numbers(*strengths), seat)) for seat in range(len(strengths))]


@pytest.mark.parametrize(
    ("strengths", "gained"),
    [
        ((11, 12, 0), [2, 1, 0]),  # the example of the rulebook
        ((5, 4, 3), [1, 2, 0]),
        ((5, 5, 3), [2, 2, 0]),
        ((5, 5, 5), [2, 2, 2]),
        ((5, 3, 3), [1, 3, 3]),
        ((5, 0, 0), [1, 0, 0]),
        ((0, 0, 0), [0, 0, 0]),
        ((5, 4, 3, 2), [1, 2, 3, 0]),
        ((5, 5, 3, 2), [2, 2, 3, 0]),
        ((5, 5, 3, 3), [2, 2, 0, 0]),
        ((5, 5, 5, 3), [2, 2, 2, 0]),
        ((5, 5, 5, 5), [2, 2, 2, 2]),
        ((5, 3, 3, 2), [1, 3, 3, 0]),
        ((5, 3, 3, 3), [1, 3, 3, 3]),
        ((5, 4, 2, 2), [1, 2, 0, 0]),
        ((5, 5, 0, 0), [2, 2, 0, 0]),
        ((5, 4, 0, 0), [1, 2, 0, 0]),
    ],
)
def test_rewards_go_by_strength_and_ties_go_down(
    strengths: Sequence[int], gained: list[int]
) -> None:
    """UPR-COMBAT-011 to UPR-COMBAT-024, and what three players get in the example."""
    assert rewards_of(*strengths) == gained


def test_two_troops_and_four_swords_are_eight_and_a_sandworm_makes_it_eleven() -> None:
    """EX-UPR-05, EX-UPR-06; and Abby's 9 that a card makes 12 (EX-UPR-08)."""
    assert as_number(strength.strength(a(2), a(0), a(4))) == 8
    assert as_number(strength.strength(a(2), a(1), a(4))) == 11
    assert as_number(strength.strength(a(4), a(0), a(1))) == 9
    assert as_number(strength.strength(a(4), a(0), a(4))) == 12
    assert as_number(strength.strength(a(0), a(0), a(4))) == 0
    assert as_number(strength.shown(a(8), NO)) == 0


def may_deploy(number: int, *, garrison: int, recruited: int, combat: bool = True) -> bool:
    return holds(
        units.may_deploy(
            a(number),
            at_combat_space=combat,
            garrison=a(garrison),
            recruited_this_turn=a(recruited),
            deployed_this_turn=a(0),
        )
    )


def test_two_of_three_in_the_garrison_are_the_most() -> None:
    """EX-UPR-01: nothing recruited, three troops, two deployed."""
    assert may_deploy(2, garrison=3, recruited=0)
    assert not may_deploy(3, garrison=3, recruited=0)


def test_three_recruits_and_one_more_go_and_a_second_could() -> None:
    """EX-UPR-02: one troop in the garrison and three recruits; EX-UPR-03: not at Gather Support."""
    assert may_deploy(4, garrison=4, recruited=3)
    assert not may_deploy(5, garrison=4, recruited=3)
    assert may_deploy(5, garrison=5, recruited=3)
    assert not may_deploy(6, garrison=6, recruited=3)
    assert may_deploy(0, garrison=4, recruited=3)
    assert not may_deploy(1, garrison=5, recruited=2, combat=False)


def test_two_troops_are_recruited_as_far_as_the_supply_goes() -> None:
    """EX-UPR-03, and a supply of one."""
    assert [as_number(term) for term in units.after_recruiting(a(9), a(3), a(2))] == [7, 5]
    assert [as_number(term) for term in units.after_recruiting(a(1), a(3), a(2))] == [0, 4]


def test_the_controller_takes_a_solari_when_another_visits_arrakeen() -> None:
    """EX-UPR-02: John's marker, Abby's Agent."""
    owner = a(JOHN)
    assert as_number(control.bonus("arrakeen", "solari", owner, JOHN)) == 1
    assert as_number(control.bonus("arrakeen", "solari", owner, ABBY)) == 0
    assert as_number(control.bonus("arrakeen", "spice", owner, JOHN)) == 0
    assert as_number(control.bonus("imperial_basin", "spice", owner, JOHN)) == 1


def test_the_winner_of_secure_imperial_basin_controls_it() -> None:
    """EX-UPR-09, with and without a marker there before; and nobody wins a tie."""
    for before in (control.NOBODY, JOHN, ABBY):
        after = control.owner_after_combat(a(before), a(ABBY), over_this_space=True)
        assert as_number(after) == ABBY
        kept = control.owner_after_combat(a(before), a(control.NOBODY), over_this_space=True)
        assert as_number(kept) == before


def test_desert_survival_costs_two_of_three_and_the_row_is_filled() -> None:
    """EX-UPR-04: one Persuasion is left, the Row has five cards."""
    assert holds(acquiring.may_acquire(a(3), a(2), a(1)))
    assert as_number(acquiring.persuasion_after(a(3), a(2))) == 1
    assert not holds(acquiring.may_acquire(a(1), a(2), a(1)))
    assert holds(acquiring.may_acquire(a(2), a(2), a(1)))
    assert not holds(acquiring.may_acquire(a(2), a(2), a(0)))
    assert [as_number(term) for term in acquiring.refilled(a(4), a(30))] == [5, 29]
    assert [as_number(term) for term in acquiring.refilled(a(4), a(0))] == [4, 0]


def test_a_sandworm_comes_to_imperial_basin_only_without_the_wall() -> None:
    """EX-UPR-06: the Wall is removed first."""

    def summoned(wall: z3.BoolRef, location: str | None = "imperial_basin") -> int:
        return as_number(
            shield_wall.sandworms_after(
                a(0),
                a(1),
                location=location,
                wall_stands=wall,
                needs_hooks=False,
                has_hooks=NO,
            )
        )

    assert summoned(YES) == 0
    assert summoned(shield_wall.wall_stands_after(YES, YES)) == 1
    assert summoned(YES, None) == 1


def test_johns_second_reward_is_doubled_and_abbys_first_is_not() -> None:
    """EX-UPR-09: 4 water and 2 troops for John, 2 spice and 1 troop for Abby."""
    assert as_number(rewards.gained(a(2), a(1))) == 4
    assert as_number(rewards.recruited_by_the_reward(a(7), a(1), a(1))) == 2
    assert as_number(rewards.gained(a(2), a(0))) == 2
    assert as_number(rewards.gained(a(2), a(3))) == 4
    assert as_number(rewards.supply_after(a(5), a(1), a(4))) == 8


def test_three_spice_buy_one_point_and_six_buy_two() -> None:
    """EX-UPR-10, with 2, 3, 5 and 6 spice."""
    paid = [as_number(rewards.times_paid(a(1), a(owned), 3, a(2))) for owned in (2, 3, 5, 6)]
    assert paid == [0, 1, 1, 2]
    assert as_number(rewards.times_paid(a(0), a(6), 3, a(2))) == 1
    assert as_number(rewards.times_paid(a(1), a(6), 3, a(0))) == 0


def test_a_match_turns_a_pair_over_for_a_point() -> None:
    """EX-UPR-09: Abby has no other Desert Mouse; with one she would gain a point."""
    assert as_number(rewards.points_of_a_match(YES, "desert_mouse", a(0))) == 0
    assert as_number(rewards.points_of_a_match(YES, "desert_mouse", a(1))) == 1
    assert as_number(rewards.open_after(YES, "desert_mouse", a(0))) == 1
    assert as_number(rewards.open_after(YES, "desert_mouse", a(1))) == 0
    assert as_number(rewards.points_of_a_match(YES, "wild", a(1))) == 0


def test_abby_is_asked_after_john_and_ned_is_not() -> None:
    """EX-UPR-08: John has the First Player marker, Ned no unit; two passes end the step."""
    deployed = numbers(3, 4, 0)
    assert as_number(combat_turns.first_from(JOHN, deployed)) == JOHN
    assert as_number(combat_turns.first_from(ABBY, deployed)) == ABBY
    assert as_number(combat_turns.first_from(NED, deployed)) == JOHN
    assert not holds(combat_turns.is_over(a(1), deployed))
    assert holds(combat_turns.is_over(a(2), deployed))


def test_makers_without_an_agent_get_a_spice_more() -> None:
    """EX-UPR-11; EX-UPR-01 for the visit."""
    assert as_number(makers.bonus_after_the_phase("imperial_basin", a(0), YES)) == 0
    assert as_number(makers.bonus_after_the_phase("deep_desert", a(1), NO)) == 2
    assert as_number(makers.bonus_after_the_phase("hagga_basin", a(0), NO)) == 1
    assert as_number(makers.spice_of_a_visit("imperial_basin", a(0), YES)) == 1
    assert as_number(makers.spice_of_a_visit("hagga_basin", a(3), NO)) == 3


def test_the_marker_goes_from_john_to_abby_when_nobody_has_ten_points() -> None:
    """EX-UPR-12, and what would end the game."""
    assert not holds(endgame.triggered(numbers(9, 8, 0), a(3)))
    assert holds(endgame.triggered(numbers(9, 10, 0), a(3)))
    assert holds(endgame.triggered(numbers(9, 8, 0), a(0)))
    assert endgame.next_first_player(JOHN, 3) == ABBY
    assert endgame.next_first_player(NED, 3) == JOHN


@pytest.mark.parametrize(
    ("standings", "winners"),
    [
        (((10, 0, 0, 0, 0), (9, 9, 9, 9, 9)), {0}),
        (((10, 1, 9, 9, 9), (10, 2, 0, 0, 0)), {1}),
        (((10, 1, 2, 0, 0), (10, 1, 1, 9, 9)), {0}),
        (((10, 1, 1, 1, 9), (10, 1, 1, 2, 0)), {1}),
        (((10, 1, 1, 1, 3), (10, 1, 1, 1, 2)), {0}),
        (((10, 1, 1, 1, 3), (10, 1, 1, 1, 3)), {0, 1}),
    ],
)
def test_ties_are_broken_by_spice_solari_water_and_garrison(
    standings: Sequence[Sequence[int]], winners: set[int]
) -> None:
    """UPR-END-004 to UPR-END-006."""
    terms = [numbers(*standing) for standing in standings]
    assert {seat for seat in range(len(terms)) if holds(endgame.wins(terms, seat))} == winners


@pytest.mark.parametrize(
    ("holder", "after", "mover", "now"),
    [
        (-1, (3, 0, 0), 0, -1),
        (-1, (4, 0, 0), 0, 0),
        (0, (4, 4, 0), 1, 0),
        (0, (4, 5, 0), 1, 1),
        (0, (5, 4, 0), 0, 0),
        (1, (0, 6, 6), 2, 1),
    ],
)
def test_the_alliance_goes_to_the_first_at_four_and_then_to_who_is_higher(
    holder: int, after: Sequence[int], mover: int, now: int
) -> None:
    """UPR-FACTION-009 to UPR-FACTION-011."""
    assert as_number(alliance.holder_after_gain(a(holder), numbers(*after), mover)) == now


@pytest.mark.parametrize(
    ("holder", "after", "loser", "possible"),
    [
        (0, (3, 0, 0), 0, {-1}),
        (0, (3, 4, 0), 0, {1}),
        (0, (4, 4, 0), 0, {0}),
        (0, (4, 5, 5), 0, {1, 2}),
        (0, (4, 3, 3), 1, {0}),
        (-1, (2, 3, 3), 0, {-1}),
    ],
)
def test_a_holder_who_falls_below_another_loses_the_alliance(
    holder: int, after: Sequence[int], loser: int, possible: set[int]
) -> None:
    """What the FAQ adds to UPR-FACTION-010."""
    terms = numbers(*after)
    found = {
        now
        for now in range(-1, 3)
        if holds(alliance.may_hold_after_loss(a(holder), terms, loser, a(now)))
    }
    assert found == possible


def test_two_influence_are_a_point_and_four_a_bonus() -> None:
    """UPR-FACTION-004 to UPR-FACTION-008, UPR-CLAR-004 to UPR-CLAR-006."""
    assert as_number(influence.points(a(1))) == 0
    assert as_number(influence.points(a(2))) == 1
    assert as_number(influence.after_gain(a(5), a(2))) == 6
    assert as_number(influence.after_loss(a(0), a(1))) == 0
    assert holds(influence.earns_the_bonus(a(3), a(5)))
    assert not holds(influence.earns_the_bonus(a(4), a(5)))
    assert not holds(influence.earns_the_bonus(a(5), a(4)))


def test_a_linked_spy_lets_its_owner_in_and_draws_a_card() -> None:
    """EX-UPR-02 (Gather Intelligence), UPR-SPY-011 to UPR-SPY-018."""
    assert holds(spies.may_gather(a(1)))
    assert [as_number(term) for term in spies.after_recall(a(2), a(1))] == [3, 0]
    assert as_number(spies.cards_drawn(YES)) == 1
    assert holds(spies.may_enter(a(0), a(0), a(0), NO))
    assert not holds(spies.may_enter(a(0), a(1), a(1), NO))
    assert holds(spies.may_enter(a(0), a(2), a(1), YES))
    assert not holds(spies.may_enter(a(0), a(1), a(0), YES))
    assert not holds(spies.may_enter(a(1), a(1), a(1), YES))
    assert holds(spies.may_stand_on(a(0), has_the_icon_asked_for=True))
    assert not holds(spies.may_stand_on(a(1), has_the_icon_asked_for=True))
    assert not holds(spies.may_stand_on(a(0), has_the_icon_asked_for=False))


def test_the_first_swordmaster_costs_eight_and_later_ones_six() -> None:
    """UPR-BOARD-022, UPR-BOARD-025."""
    assert as_number(agents.swordmaster_cost(a(0))) == 8
    assert as_number(agents.swordmaster_cost(a(2))) == 6
    assert not holds(agents.may_hire(a(7), NO, a(0)))
    assert holds(agents.may_hire(a(6), NO, a(1)))
    assert not holds(agents.may_hire(a(9), YES, a(1)))


def test_a_contract_icon_gives_two_solari_when_there_is_no_contract() -> None:
    """UPR-CHOAM-006 to UPR-CHOAM-009."""
    assert as_number(contracts.solari(a(2), with_the_module=False)) == 2
    assert as_number(contracts.solari(a(2), with_the_module=True)) == 0
    assert as_number(contracts.solari(a(0), with_the_module=True)) == 2
    assert as_number(contracts.face_up_after(a(2), a(18))) == 2
    assert as_number(contracts.face_up_after(a(2), a(0))) == 1
