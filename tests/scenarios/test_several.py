"""Lines about several players or several things say the same of each of them."""

from __future__ import annotations

import pytest

from rules_engine.imperium.frames import Turn
from rules_engine.imperium.state import State
from scenarios import check
from scenarios.check import read
from scenarios.language.values import Environment
from scenarios.results import ScenarioResult
from scenarios.run import Run

GAME = 'scenario "x"\ngame uprising with John, Abby, Ned\n'

HANDS = """\
first player Abby
given everyone has hand nothing
when the round begins
 and the conflict is "Skirmish (Crysknife)"
"""

COMBAT = """\
conflict "Trial" with crysknife icon: first "gain 2 solari"
first player Ned
given everyone has 1 troop in conflict
  and John has 2 troops in conflict
  and John has won nothing
when combat begins
"""


def checked(text: str) -> ScenarioResult:
    (found,) = check("test.scenario", GAME + text)
    return found


def told(text: str) -> list[tuple[str, str]]:
    return [(each.code, each.message) for each in checked(text).problems]


@pytest.mark.parametrize(
    ("given", "holds", "fails"),
    [
        ("everyone has 2 spice", "everyone has 2 spice", "everyone has 3 spice"),
        ("John and Ned have 2 spice", "John, Ned have 2 spice", "everyone has 2 spice"),
        ("John, Abby and Ned have 2 spice", "everyone has 2 spice", "Abby and Ned have 1 spice"),
        ("John and Abby and Ned have 2 spice", "everyone has 2 spice", "nobody has any spice"),
        ("Abby has 1 spice", "John and Ned have no spice", "nobody has any spice"),
        ("everyone has no water", "nobody has any water", "Abby has 1 water"),
        ("nobody has any water", "everyone has 0 water", "John has 1 water"),
        ("everyone has hand nothing", "everyone has no cards in hand", 'Ned has hand "Dagger"'),
        ("John has maker hooks", "Abby and Ned have no maker hooks", "nobody has maker hooks"),
        ("nobody has maker hooks", "nobody has maker hooks", "everyone has maker hooks"),
        ("everyone has the swordmaster", "Ned has 3 agents", "nobody has the swordmaster"),
        ("John sits on the high council", "Abby and Ned do not sit on the high council",
         "nobody sits on the high council"),
        ("nobody has revealed", "nobody has revealed", "Abby and Ned have revealed"),
        ("everyone has a spy at Arrakeen", "everyone has 2 spies in supply",
         "nobody has any spies at Arrakeen"),
    ],
)  # fmt: skip
def test_a_line_about_several_is_about_each(given: str, holds: str, fails: str) -> None:
    assert told(f"given {given}\nthen {holds}\n") == []
    assert [code for code, _ in told(f"given {given}\nthen {fails}\n")] == ["TS0120"]


def test_nobody_can_is_that_each_cannot() -> None:
    start = "given it is the turn of John\n"
    assert told(start + 'then nobody can acquire "Dagger" because UPR-ACQ-001\n') == []
    assert told(start + 'then nobody can acquire "Dagger" because UPR-WALL-003\n') != []
    reveals = told(start + "then nobody can reveal because UPR-ROUND-003\n")
    assert [code for code, _ in reveals] == ["TS0120"]


def test_all_for_whom_a_line_does_not_hold_are_told_once() -> None:
    ((code, message),) = told("given Abby has 1 spice\nthen everyone has 1 spice\n")
    assert code == "TS0120"
    assert "John has 0" in message
    assert "Ned has 0" in message
    assert "Abby" not in message
    ((_, message),) = told('given everyone has hand nothing\nthen everyone has hand "Dagger"\n')
    assert message.count("expected Dagger; actual: nothing") == 3
    assert "Ned: expected" in message


def test_a_wrong_name_among_several_is_told_at_its_place() -> None:
    (problem,) = checked("then John, Abbey and Ned have 0 spice\n").problems
    assert (problem.code, problem.column) == ("TS0102", 12)


def test_several_act_in_the_order_in_which_they_are_asked() -> None:
    assert told(COMBAT.replace("everyone has", "Abby and Ned have") + " and everyone passes\n"
                "then John gains 2 Solari\n") == []  # fmt: skip
    after = (
        HANDS + ' and Abby draws "Dagger", "Dagger", "Diplomacy", "Reconnaissance", "Signet Ring"\n'
    )
    assert told(after + " and John and Ned draw 5 cards\nthen everyone has 5 cards in hand\n") == []


def test_the_background_may_speak_of_everyone_before_the_game_is_named() -> None:
    text = 'background\ngiven everyone has 2 spice\n\nscenario "x"\ngame uprising with A, B, C\n'
    (found,) = check("test.scenario", text + "then everyone has 2 spice\n")
    assert found.verdict == "passed"
    scenarios, _ = read("test.scenario", text + "then everyone has 2 spice\n")
    assert len(scenarios[0].given) == 3
    assert [line.about for line in scenarios[0].steps] == ["A", "B", "C"]
    assert [line.keyword for line in scenarios[0].steps] == ["then", "and", "and"]


# Cards that are counted


@pytest.mark.parametrize("number", [4, 6])
def test_another_number_than_is_drawn_is_a_mistake(number: int) -> None:
    text = HANDS + f" and everyone draws {number} cards\nthen everyone has 5 cards in hand\n"
    assert told(text) == [("TS0138", "Abby draws 5 cards here")]


def test_cards_that_are_named_are_not_counted() -> None:
    text = (
        HANDS + ' and Abby draws "Dagger"\n and Abby draws {} cards\n'
        "then Abby has 5 cards in hand\n and chance is asked\n"
    )
    assert told(text.format(4)) == []
    assert told(text.format(5)) == [("TS0138", "Abby draws 4 cards here")]


BOTH = """\
card "Both" with city icon: agent "draw 2 cards; draw 1 intrigue"
given John has hand "Both"
  and John has no intrigue cards
when John plays "Both" to Arrakeen
 and John resolves all effects
"""


@pytest.mark.parametrize(
    ("lines", "mistake"),
    [
        (("3 cards", "an intrigue card"), []),
        (("an intrigue card", "3 cards"), []),
        (("2 cards", "an intrigue card"), ["TS0138"]),
        (("4 cards", "an intrigue card"), ["TS0138"]),
        (("3 cards", "2 intrigue cards"), ["TS0138"]),
        (("4 cards",), ["TS0138"]),
        (("any card", "any card", "any card", "any intrigue card"), []),
        (("any card", "any card", "any intrigue card", "any intrigue card"), ["TS0138"]),
    ],
)
def test_what_a_group_of_effects_draws_is_counted_by_its_kind(
    lines: tuple[str, ...], mistake: list[str]
) -> None:
    drawn = "".join(f" and John draws {each}\n" for each in lines)
    text = BOTH + drawn + "then John has 3 cards in hand\n and John has 1 intrigue card\n"
    assert [code for code, _ in told(text)] == mistake


# Things that are decided one after the other


@pytest.mark.parametrize(
    ("effect", "whole", "split"),
    [
        ("discard 2 cards", ('discards "Dagger", "Diplomacy"',),
         ('discards "Dagger"', 'discards "Diplomacy"')),
        ("choose 2 different: gain 1 spice | gain 1 water | gain 1 solari",
         ('chooses "gain 1 spice", "gain 1 solari"',),
         ('chooses "gain 1 spice"', 'chooses "gain 1 solari"')),
        ("place 1 spy & place 1 spy", ("places 2 spies at Fremen post, Arrakeen",),
         ("places a spy at Fremen post", "places a spy at Arrakeen")),
        ("recall 2 spies -> gain 2 spice", ("recalls the spies at Emperor post, Imperial Basin",),
         ("recalls the spy at Emperor post", "recalls the spy at Imperial Basin")),
        ("gain 1 influence any & gain 1 influence any", ("chooses Fremen, Emperor",),
         ("chooses Fremen", "chooses Emperor")),
    ],
)  # fmt: skip
def test_a_line_lists_what_several_lines_state(
    effect: str, whole: tuple[str, ...], split: tuple[str, ...]
) -> None:
    start = (
        'given John has hand "Dagger", "Diplomacy", "Reconnaissance"\n'
        "  and John has a spy at Emperor post\n  and John has a spy at Imperial Basin\n"
    )
    start = start if "recall" in effect else start.split("  and")[0]

    def ends(deeds: tuple[str, ...]) -> State:
        lines = "".join(f" and John {deed}\n" for deed in deeds)
        text = f'{start}when John resolves the effect "{effect}"\n{lines}then John is asked\n'
        (scenario,), problems = read("test.scenario", GAME + text)
        assert problems == []
        run = Run(scenario, Environment(), lambda *_: None)
        run.play()
        assert isinstance(run.state.pending[-1], Turn)
        return run.state

    assert ends(whole) == ends(split)


def test_more_things_than_are_asked_for_are_a_mistake() -> None:
    text = (
        'given John has hand "Dagger", "Diplomacy"\n'
        'when John resolves the effect "discard 1 card"\n and John discards "Dagger", "Diplomacy"\n'
        "then John has 1 card in hand\n"
    )
    assert [code for code, _ in told(text)] == ["TS0112"]


# Contracts of one's own


@pytest.mark.parametrize(
    ("contract", "when", "gained"),
    [
        ("visiting Arrakeen", 'when John plays "Reconnaissance" to Arrakeen\n'
         " and John resolves all effects\n and John draws a card\n", 2),
        ("visiting Spice Refinery", 'when John plays "Reconnaissance" to Arrakeen\n'
         " and John resolves all effects\n and John draws a card\n", 0),
        ('acquiring "Prepare the Way"', 'when John reveals\n and John resolves all effects\n'
         ' and John acquires "Prepare the Way"\n', 2),
        ('acquiring "The Spice Must Flow"', 'when John reveals\n and John resolves all effects\n'
         ' and John acquires "Prepare the Way"\n', 0),
    ],
)  # fmt: skip
def test_a_contract_of_ones_own_is_completed_by_what_it_says(
    contract: str, when: str, gained: int
) -> None:
    text = (
        f'module choam\ncontract "Own" for {contract}: reward "gain 2 solari"\n'
        'given John has contract "Own"\n  and John has hand "Reconnaissance"\n'
        f"  and John has 2 persuasion\n{when}then John gains {gained} Solari\n"
        f" and John has {1 if gained else 0} completed contract\n"
    )
    assert told(text) == []


def test_a_harvest_of_ones_own_needs_so_much_spice() -> None:
    text = (
        'module choam\ncontract "Own" for harvesting {} spice: reward "gain 2 solari"\n'
        'given John has contract "Own"\n  and John has hand "Dune, the Desert Planet"\n'
        'when John plays "Dune, the Desert Planet" to Imperial Basin\n'
        " and John resolves all effects\nthen John gains {} Solari\n"
    )
    assert told(text.format(1, 2)) == []
    assert told(text.format(2, 0)) == []
    assert [code for code, _ in told(text.format(2, 2))] == ["TS0120"]
