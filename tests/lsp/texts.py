"""Scenario files to edit."""

from __future__ import annotations

OWN_CARD = """\
scenario "A worm at the wall"
cites UPR-WALL-003
ruling sandworm_choice_when_protected is allowed

game uprising with John, Abby, Ned
conflict "Siege of Arrakeen"
card "Trial Ride" with city icon: agent "summon 1 sandworm", reveal "2 persuasion; 1 sword"

given Abby has hand "Trial Ride"
  and the shield wall stands
when Abby plays "Trial Ride" to Arrakeen
 and Abby resolves "summon 1 sandworm" first
then Abby has 0 sandworms in conflict because UPR-WALL-003
"""

FOR_ANY = """\
scenario "A tie for first gives each tied player the second reward"
cites UPR-COMBAT-016

game uprising with John, Abby, Ned, Ivy
for any j, a, n, i from 0
where j = a and j > 0 and j > n and j > i

given strength of John is j, Abby is a, Ned is n, Ivy is i
when combat resolves
then John gains the second reward
 and Abby gains the second reward
"""


def place_of(text: str, words: str) -> tuple[int, int]:
    """The line and the column, counted from 0, at which some words first stand."""
    before = text[: text.index(words)]
    return before.count("\n"), len(before) - before.rfind("\n") - 1


def cursor(text: str) -> tuple[list[str], int, int]:
    """The lines of a text without its mark `|`, and where the mark stands."""
    line, column = place_of(text, "|")
    return text.replace("|", "", 1).split("\n"), line, column
