"""Scenarios that more than one part of the tests uses."""

from __future__ import annotations

HOLDS = """\
scenario "John fights as hard as he can"
id JOHN-1
cites UPR-UNIT-013

game uprising with John, Abby, Ned
first player John
conflict "Secure Imperial Basin"

given John has 3 troops in garrison
  and John has hand "Dune, the Desert Planet"

when John plays "Dune, the Desert Planet" to Imperial Basin
then John gains 1 spice
 but John cannot deploy 3 troops because UPR-UNIT-013
"""

NO_WORM = """\
scenario "No worm at the wall"
cites UPR-WALL-003

game uprising with John, Abby, Ned
conflict "Siege of Arrakeen"

given Abby has maker hooks
  and the shield wall stands

then Abby cannot summon a sandworm
"""
