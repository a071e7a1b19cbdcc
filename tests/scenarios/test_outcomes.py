"""Every outcome that a `then` line can state can hold, and can fail."""

from __future__ import annotations

import pytest

from scenarios import check
from scenarios.imperium.observing import LOOKS

POSITION = """\
scenario "A position"
cites UPR-ROUND-003
game uprising with John, Abby, Ned
module choam
first player Abby
conflict "Secure Imperial Basin"
given John is led by "Feyd-Rautha Harkonnen"
  and John has trained to "Upper first step"
  and John has hand "Dagger"
  and John has intrigue "Impress"
  and John has "Signet Ring" in discard
  and John has "Branching Path" set aside
  and John has "Shadow Alliance" face up
  and John has contract "Harvest 3"
  and John has completed "Harvest 4"
  and John has won "Skirmish (Crysknife)"
  and John has matched "Crysknife Objective"
  and Abby has objective "Desert Mouse Objective (First Player)"
  and John has trashed "Reconnaissance"
  and nobody has won "Siege of Arrakeen"
  and the intrigue discard pile has "Detonation"
  and the contracts are "Immediate", "Espionage for Solari"
  and the row is "Truthtrance"
  and John has maker hooks
  and John has the swordmaster
  and John sits on the high council
  and John has 4 influence with the Fremen
  and John holds the Fremen alliance
  and John controls Arrakeen
  and John has a spy at Arrakeen
  and John has an agent at Arrakeen
  and Imperial Basin has 2 bonus spice
  and Ned has won nothing
  and Ned has revealed
  and the first reward also gives "gain 1 spice"
  and it is round 4
  and it is the turn of Abby
"""

SEEN = {
    "hand": ('John has hand "Dagger"', 'John has hand "Signet Ring"'),
    "intrigue": ('John has intrigue "Impress"', "John has intrigue nothing"),
    "in_zone": ('John has "Signet Ring" in discard', 'John has "Dagger" in discard'),
    "intrigue_discard": (
        'the intrigue discard pile has "Detonation"',
        'the intrigue discard pile has "Impress"',
    ),
    "row": ('the row is "Truthtrance"', "the row is nothing"),
    "row_size": ("the row has 1 card", "the row has 2 cards"),
    "spy": ("John has a spy at Arrakeen", "Abby has a spy at Arrakeen"),
    "agent": ("John has an agent at Arrakeen", "Abby has an agent at Arrakeen"),
    "no_spy": ("nobody has a spy at Refinery post", "nobody has a spy at Arrakeen"),
    "no_agent": ("nobody has an agent at Sietch Tabr", "nobody has an agent at Arrakeen"),
    "hooks": ("John has maker hooks", "Abby has maker hooks"),
    "no_hooks": ("Abby has no maker hooks", "John has no maker hooks"),
    "swordmaster": ("John has the swordmaster", "Abby has the swordmaster"),
    "no_swordmaster": ("Abby has no swordmaster", "John has no swordmaster"),
    "seated": ("John sits on the high council", "Abby sits on the high council"),
    "not_seated": (
        "Abby does not sit on the high council",
        "John does not sit on the high council",
    ),
    "led_by": (
        'John is led by "Feyd-Rautha Harkonnen"',
        'John is led by "Staban Tuek"',
    ),
    "trained": (
        'John has trained to "Upper first step"',
        'John has trained to "Lower first step"',
    ),
    "holds_contracts": ('John has contract "Harvest 3"', 'Abby has contract "Harvest 3"'),
    "has_completed": ('John has completed "Harvest 4"', 'John has completed "Harvest 3"'),
    "set_aside": ('John has "Branching Path" set aside', "John has nothing set aside"),
    "standing": ('John has "Shadow Alliance" face up', "John has nothing face up"),
    "contract_row": (
        'the contracts are "Immediate", "Espionage for Solari"',
        "the contracts are nothing",
    ),
    "out_of_game": (
        '"Reconnaissance" is out of the game',
        '"Dagger", "Reconnaissance" are out of the game',
    ),
    "is_asked": ("Abby is asked", "John is asked"),
    "won": ('John has won "Skirmish (Crysknife)"', 'Abby has won "Skirmish (Crysknife)"'),
    "matched": (
        'John has matched "Crysknife Objective"',
        'John has matched "Skirmish (Crysknife)"',
    ),
    "won_by_nobody": (
        'nobody has won "Siege of Arrakeen"',
        'nobody has won "Skirmish (Crysknife)"',
    ),
    "objective": ("Abby has a desert mouse objective", "John has a crysknife objective"),
    "holds_objectives": (
        'Abby has objective "Desert Mouse Objective (First Player)"',
        'Abby has objective "Crysknife Objective"',
    ),
    "revealed": ("Ned has revealed", "Abby has revealed"),
    "not_revealed": ("Abby has not revealed", "Ned has not revealed"),
    "controls": ("John controls Arrakeen", "Abby controls Arrakeen"),
    "uncontrolled": ("nobody controls Imperial Basin", "nobody controls Arrakeen"),
    "holds": ("John holds the Fremen alliance", "Abby holds the Fremen alliance"),
    "unheld": ("nobody holds the Emperor alliance", "nobody holds the Fremen alliance"),
    "wall_stands": ("the shield wall stands", "the shield wall is gone"),
    "wall_gone": ("the shield wall stands", "the shield wall is gone"),
    "bonus_spice": ("Imperial Basin has 2 bonus spice", "Imperial Basin has 1 bonus spice"),
    "strength": ("strength of Ned is 0, John is 0", "strength of Ned is 0, John is 1"),
    "turn_of": ("it is the turn of Abby", "it is the turn of John"),
    "is_first": ("Abby is first player", "John is first player"),
    "first_reward": (
        'the first reward also gives "gain 1 spice"',
        'the first reward also gives "gain 1 water"',
    ),
    "round": ("it is round 4", "it is round 5"),
    "sees": ("John sees the hand of John", "Abby sees the hand of John"),
    "does_not_see": (
        "Abby does not see the intrigue cards of John",
        "John does not see the intrigue cards of John",
    ),
    "chance_asked": ("Abby is asked", "chance is asked"),
    "reserve": (
        'the reserve has 8 "Prepare the Way", 10 "The Spice Must Flow"',
        'the reserve has 8 "Prepare the Way", 9 "The Spice Must Flow"',
    ),
    "marker": ("the combat marker of John is at 0", "the combat marker of John is at 1"),
    "marker_turned": (
        "the combat marker of John is at 0",
        "the combat marker of John is turned over at 0",
    ),
    "nobody_asked": ("Abby is asked", "nobody is asked"),
    "no_conflicts_left": ("it is round 4", "the conflict deck is empty"),
    "no_cards_left": ("it is round 4", "the imperium deck is empty"),
    "no_intrigues_left": ("it is round 4", "the intrigue deck is empty"),
    "no_contracts_left": ("it is round 4", "the contract deck is empty"),
}
"""What is so in the position, and what is not."""

HAPPENED = {
    "rewards": ("rewards are John first, Abby second", "rewards are John second, Abby first"),
    "gains_reward": ("John gains the first reward", "Abby gains the first reward"),
    "gains_no_reward": ("Ned gains no reward", "John gains no reward"),
    "wins_conflict": ("John wins the conflict", "Abby wins the conflict"),
    "nobody_wins": ("John wins the conflict", "nobody wins the conflict"),
    "happens": ('"John wins the Conflict" happens', '"Abby wins the Conflict" happens'),
    "does_not_happen": (
        '"Abby wins the Conflict" does not happen',
        '"John wins the Conflict" does not happen',
    ),
    "gains_nothing": ("Ned gains nothing", "John gains nothing"),
}
"""The same of a Combat that John wins."""

COMBAT = """\
scenario "A Combat"
cites UPR-COMBAT-010
game uprising with John, Abby, Ned
conflict "Trial" with crysknife icon: first "gain 2 solari", second "gain 1 solari"
given John has 2 troops in conflict
  and Abby has 1 troop in conflict
  and John has won nothing
when combat resolves
"""

ENDED = {
    "wins_game": ("John wins the game", "Abby wins the game"),
    "share_victory": ("John wins the game", "John, Abby share the victory"),
}

ENDGAME = """\
scenario "The end"
cites UPR-END-004
game uprising with John, Abby, Ned
given John has 11 victory points
when recall begins
 and John passes
 and Abby passes
 and Ned passes
"""

TRASHED = """\
scenario "Trashing"
cites UPR-ICON-011
game uprising with John, Abby, Ned
given John has hand "Dagger"
  and it is the turn of John
when John resolves the effect "trash 1 card"
 and John trashes "Dagger" from hand
"""

DUE = """\
scenario "Effects"
cites UPR-AGENT-009
game uprising with John, Abby, Ned
card "Levy" with city icon: agent "draw 2 cards; may gain 1 water"
given John has hand "Levy"
when John plays "Levy" to Spice Refinery
 and John pays 0 spice
"""

CASES = [
    *((kind, POSITION, *lines) for kind, lines in SEEN.items()),
    *((kind, COMBAT, *lines) for kind, lines in HAPPENED.items()),
    *((kind, ENDGAME, *lines) for kind, lines in ENDED.items()),
    ("due", DUE, '"gain 2 solari", "draw 2 cards" are due', "nothing is due"),
    ("offered", DUE, 'John is offered "may gain 1 water"', "John is offered nothing"),
    ("has_trashed", TRASHED, 'John has trashed "Dagger"', 'Abby has trashed "Dagger"'),
]


def verdict(story: str, line: str) -> tuple[str, list[str]]:
    (result,) = check("test.scenario", f"{story}then {line}\n")
    return result.verdict, [f"{each.code} {each.message}" for each in result.problems]


@pytest.mark.parametrize(("kind", "story", "so", "not_so"), CASES, ids=[each[0] for each in CASES])
def test_an_outcome_can_hold_and_can_fail(kind: str, story: str, so: str, not_so: str) -> None:
    assert verdict(story, so) == ("passed", [])
    failed, problems = verdict(story, not_so)
    assert failed == "failed"
    assert problems[0].startswith("TS0120 expected "), kind


def test_every_kind_of_outcome_is_tried() -> None:
    assert {each[0] for each in CASES} == set(LOOKS)


@pytest.mark.parametrize("what", ["Solari", "troops in garrison", "influence with the Fremen"])
@pytest.mark.parametrize(("verb", "amount"), [("has", 9), ("gains", 9), ("loses", 9), ("keeps", 9)])
def test_a_quantity_that_is_another_fails(verb: str, amount: int, what: str) -> None:
    began = POSITION + 'when Abby resolves the effect "gain 1 water"\n'
    failed, problems = verdict(began, f"John {verb} {amount} {what}")
    assert failed == "failed"
    assert problems[0].startswith(f"TS0120 expected John {verb} {amount} {what}; actual: ")


@pytest.mark.parametrize(
    ("sentence", "help_"),
    [
        ("Jon wins the Conflict", "`John`"),
        ("John deploys 2 apples", "`John deploys 2 troops`"),
        ("John acquires Dager", "`Dagger`"),
        ("John recalls the Agent from Arakeen", "`Arrakeen`"),
        ("John takes the Fremn Alliance", "`Fremen`"),
        ("pigs fly", "known"),
    ],
)
@pytest.mark.parametrize("verb", ["happens", "does not happen"])
def test_a_sentence_that_nothing_is_told_by_is_a_mistake(
    sentence: str, verb: str, help_: str
) -> None:
    (result,) = check("test.scenario", f'{COMBAT}then "{sentence}" {verb}\n')
    assert [each.code for each in result.problems] == ["TS0104"]
    assert help_ in result.problems[0].help


def test_a_card_that_can_be_played_in_two_ways_needs_the_way() -> None:
    text = TRASHED.split("when")[0].replace(
        'hand "Dagger"', 'hand "Dagger"\n  and John has intrigue "Detonation"'
    )
    (result,) = check("test.scenario", text + 'then John cannot play "Detonation"\n')
    assert [each.code for each in result.problems] == ["TS0111"]
