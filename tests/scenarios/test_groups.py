"""Groups of effects: finished only if the order makes no difference."""

from __future__ import annotations

from scenarios import check

ORDER = """\
scenario "Orders that differ"
cites UPR-REVEAL-006
game uprising with John, Abby, Ned
conflict "Siege of Arrakeen"
card "Trial" with city icon: agent "remove shield_wall; summon 1 sandworm", reveal "1 sword"
given Abby has hand "Trial"
when Abby plays "Trial" to Arrakeen
 and Abby resolves all effects
 and Abby draws any card
then Abby has 1 sandworm in conflict
"""


def test_two_orders_that_differ_are_shown() -> None:
    (result,) = check("test.scenario", ORDER)
    (found,) = result.problems
    assert found.code == "TS0113"
    assert "summon 1 sandworm" in found.message
    assert "remove shield_wall" in found.message


def test_a_stated_order_settles_it() -> None:
    stated = ORDER.replace(
        "resolves all effects",
        'resolves "remove shield_wall" first\n and Abby resolves all effects',
    )
    (result,) = check("test.scenario", stated)
    assert result.verdict == "passed"


def reveal(effects: int) -> str:
    boxes = "; ".join(f"{n} Solari" for n in range(1, effects + 1))
    return f"""\
scenario "Many effects"
cites UPR-REVEAL-006
game uprising with John, Abby, Ned
conflict "Siege of Arrakeen"
card "Trial" with city icon: reveal "{boxes}"
given Abby has hand "Trial"
when Abby reveals
 and Abby resolves all effects
then Abby gains {effects * (effects + 1) // 2} Solari
"""


def test_a_group_of_twelve_is_tried_in_every_order() -> None:
    (result,) = check("test.scenario", reveal(12))
    assert result.verdict == "passed", result.problems


def test_a_larger_group_has_to_be_ordered() -> None:
    (result,) = check("test.scenario", reveal(13))
    assert [each.code for each in result.problems] == ["TS0113"]
    assert "more than 12" in result.problems[0].message


def test_orders_of_different_length_may_end_in_the_same_position() -> None:
    """What replaces the Influence of a visit leaves one effect fewer if it comes first."""
    (result,) = check(
        "test.scenario",
        """\
scenario "A visit for 2"
cites UPR-AGENT-010
game uprising with John, Abby, Ned
card "Trial" with spacing guild icon: agent "visit influence 2"
given Abby has hand "Trial"
when Abby plays "Trial" to Deliver Supplies
 and Abby resolves all effects
then Abby has 2 influence with the Spacing Guild
""",
    )
    assert result.verdict == "passed", result.problems


def test_it_does_not_matter_which_of_equal_cards_comes_last() -> None:
    (result,) = check(
        "test.scenario",
        """\
scenario "Two of a kind"
cites UPR-REVEAL-006
game uprising with John, Abby, Ned
card "Trial" with city icon: reveal "1 spice; 1 water"
given Abby has hand "Trial", "Trial"
  and Abby has 0 spice
when Abby reveals
 and Abby resolves all effects
then Abby has 2 spice
""",
    )
    assert result.verdict == "passed", result.problems
